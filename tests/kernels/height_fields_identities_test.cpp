// Height fields that are the same surface give the same patches: a level one as a halfspace,
// turned, mirrored, cut out, refined, or cut in two with neighbours.
// Labels: dated

#include <gtest/gtest.h>

#include <map>

#include "support/surface_answers.hpp"

namespace widephase::test {
namespace {

template <class T>
constexpr Real kLength = sizeof(SizeOf<T>) == 4 ? 3e-5L : 1e-11L;
template <class T>
constexpr Real kTurn = sizeof(SizeOf<T>) == 4 ? 1e-3L : 1e-5L;

/// How far normals that are equal may differ by rounding; with `patch_angle` 0 they are one patch.
constexpr Real kSameNormal = 1e-12L;

/// Heights in 64ths, which are exact in float, and so are their middles.
HeightSamples random_heights(Random& random, std::size_t rows, std::size_t columns, int most) {
  return height_samples(rows, columns, {1, 1},
                        [&](double, double) { return random.integer(-most, most) / 64.; });
}

std::vector<Solid<3>> solids_over(Random& random, const PlacedField& field, std::size_t count) {
  std::vector<Solid<3>> solids;
  while (solids.size() < count) {
    const Kind kind = kConvexKinds[solids.size() % kConvexKinds.size()];
    const Solid<3> solid = stored<float>(solid_near(random, field, kind));
    // Well within the border.
    const Vec<3> at = field.local(widened(solid.p));
    const auto width = static_cast<double>(field.samples.columns - 1);
    const auto height = static_cast<double>(field.samples.rows - 1);
    if (at[0] < 4 || at[1] < 4 || at[0] > width - 4 || at[1] > height - 4) continue;
    if (core_reach(solid) + radius_of(solid) > 2.5L) continue;
    solids.push_back(solid);
  }
  return solids;
}

template <class T>
void expect_as_halfspace(const PlacedField& given, double margin) {
  const PlacedField field = stored<T>(given);
  Random random(811);
  const std::vector<Solid<3>> solids = solids_over(random, field, scaled(240, 40));
  CollideOptions options;
  options.margin = margin;
  const auto answers = ask_all<T>(field, solids, options);
  // The plane of the field's first cell.
  const Surface surface = surface_of(field.samples).placed(widened(field.center), field.axes());
  const Vec<3>& n = surface.normals[0];
  const Point<3> normal{static_cast<double>(n[0]), static_cast<double>(n[1]),
                        static_cast<double>(n[2])};
  const Solid<3> floor = halfspace<3>(normal, static_cast<double>(dot(n, surface.corner(0, 0))));
  std::vector<SolidPair<3>> pairs;
  for (const Solid<3>& solid : solids) pairs.push_back({solid, floor});
  const PairScene<3, T> input(pairs);
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  std::map<std::int64_t, std::size_t> by_source;
  for (std::size_t i = 0; i < contacts.size(); ++i) by_source[contacts.source[i]] = i;
  std::size_t few_points = 0, boxes = 0;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const auto found = by_source.find(static_cast<std::int64_t>(i));
    if (found == by_source.end()) {
      for (const auto& patch : answers[i]) {
        EXPECT_LE(patch.depth, kLength<T> - margin) << describe(solids[i]) << describe(answers[i]);
      }
      continue;
    }
    const auto expected = contact_at(contacts, found->second);
    if (expected.depth < kLength<T> - margin && answers[i].empty()) continue;
    ASSERT_EQ(answers[i].size(), 1u) << describe(solids[i]) << describe(answers[i]) << "\n"
                                     << describe(expected);
    const PatchAnswer<T>& patch = answers[i][0];
    EXPECT_LT(length(minus(patch.normal, expected.normal)), kTurn<T>)
        << describe(solids[i]) << describe(answers[i]) << "\n"
        << describe(expected);
    EXPECT_NEAR(static_cast<double>(patch.depth), static_cast<double>(expected.depth),
                static_cast<double>(kLength<T>))
        << describe(solids[i]) << describe(answers[i]);
    // Far below the ground, the field over the shape is not what its lower face would meet.
    if (expected.depth > core_reach(solids[i])) continue;
    const double area = area_of_points(expected);
    EXPECT_GE(area_of_points(patch), 0.9 * area - 1e-4)
        << describe(solids[i]) << describe(answers[i]) << "\n"
        << describe(expected);
    if (solids[i].kind != Kind::box) continue;
    ++boxes;
    few_points += patch.points.size() < 3 && expected.points.size() >= 3 ? 1u : 0u;
  }
  EXPECT_EQ(few_points, 0u) << "of " << boxes;
}

TEST(height_fields_identities, a_level_field_is_a_halfspace) {
  Random random(810);
  for (const double yaw : {0.0, 0.1, 1.0, 2.5}) {
    PlacedField field =
        level_field(height_samples(20, 20, {1, 1}, [](double, double) { return 0.5; }));
    field.center = {1, -2, 0.25};
    field.orientation = about({0, 0, 1}, yaw);
    for (const double margin : {0.0, 0.1}) {
      SCOPED_TRACE(yaw);
      expect_as_halfspace<float>(field, margin);
      expect_as_halfspace<double>(field, margin);
    }
  }
}

TEST(height_fields_identities, a_tilted_field_is_a_halfspace) {
  for (const double lean : {1e-6, 1e-4, 1e-2, 0.5}) {
    SCOPED_TRACE(lean);
    PlacedField field = level_field(
        height_samples(20, 20, {1, 1}, [&](double x, double y) { return lean * (x + 0.5 * y); }));
    field.orientation = about({0, 0, 1}, 0.4);
    expect_as_halfspace<float>(field, 0.05);
    expect_as_halfspace<double>(field, 0.05);
  }
}

/// Answers of the same shapes by both fields, with every normal its own patch.
template <class T>
void expect_same(const PlacedField& left, const PlacedField& right,
                 const std::vector<Solid<3>>& solids, double patch_angle, Real turn = kTurn<T>) {
  CollideOptions options;
  options.margin = 0.05;
  options.patch_angle = patch_angle;
  const auto a = ask_all<T>(left, solids, options), b = ask_all<T>(right, solids, options);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const auto same = same_patches(a[i], b[i], kLength<T> - 0.05L, kLength<T>, turn);
    if (same || ++wrong > 2) continue;
    const SurfaceRules rules{options.margin, patch_angle > 0};
    ADD_FAILURE() << i << ": " << describe(solids[i]) << "\n"
                  << same.message() << "\nof the left: "
                  << surface_problem<T>(stored<T>(left), stored<T>(solids[i]), rules, a[i])
                  << "\nof the right: "
                  << surface_problem<T>(stored<T>(right), stored<T>(solids[i]), rules, b[i]);
  }
  EXPECT_EQ(wrong, 0u) << "of " << solids.size();
}

TEST(height_fields_identities, half_a_turn_renumbers_triangles_and_changes_no_patch) {
  Random random(820);
  for (int i = 0; i < 4; ++i) {
    const PlacedField field = level_field(random_heights(random, 16, 18, 24));
    // The diagonals of a field are its own after half a turn about z.
    PlacedField turned = field;
    std::ranges::reverse(turned.samples.heights);
    turned.center = {17, 15, 0};
    turned.orientation = {0, 0, 1, 0};
    const auto solids = solids_over(random, field, scaled(160, 40));
    for (const double angle : {0.0, 5.0}) {
      expect_same<float>(field, turned, solids, angle);
      expect_same<double>(field, turned, solids, angle);
    }
  }
}

TEST(height_fields_identities,
     of_two_slopes_that_are_equally_deep_one_begins_the_patch_however_cut) {
  // A valley of two slopes of 0.03 along x = 4, 3.4 degrees apart. Whichever way its triangles are
  // numbered, what lies in the middle has the normal of the slope that is first along the axes.
  const PlacedField field = level_field(
      height_samples(9, 9, {1, 1}, [](double x, double) { return 0.03 * std::abs(x - 4); }));
  PlacedField turned = field;
  std::ranges::reverse(turned.samples.heights);
  turned.center = {8, 8, 0};
  turned.orientation = {0, 0, 1, 0};
  std::vector<Solid<3>> solids;
  for (const double yaw : {0.0, 0.3, 2.0}) {
    for (const double y : {3.3, 4.0, 5.7}) {
      solids.push_back(ball<3>({4, y, 0.45}, 0.5));
      solids.push_back(box({4, y, 0.19}, about({0, 0, 1}, yaw), {0.4, 0.3, 0.2}));
    }
  }
  expect_same<float>(field, turned, solids, 5);
  expect_same<double>(field, turned, solids, 5);
}

TEST(height_fields_identities, a_part_cut_out_has_the_patches_of_the_whole) {
  Random random(821);
  for (int i = 0; i < 4; ++i) {
    const PlacedField field = level_field(random_heights(random, 24, 24, 24));
    PlacedField part;
    part.samples = height_samples(17, 18, {1, 1}, [&](double x, double y) {
      return field.samples.at(static_cast<std::size_t>(y) + 4, static_cast<std::size_t>(x) + 3);
    });
    part.center = {3, 4, 0};
    const auto solids = solids_over(random, part, scaled(160, 40));
    expect_same<float>(field, part, solids, 5);
    expect_same<double>(field, part, solids, 5);
  }
}

TEST(height_fields_identities, finer_cells_in_the_same_planes_change_no_patch) {
  Random random(822);
  for (int i = 0; i < 4; ++i) {
    const PlacedField field = level_field(random_heights(random, 14, 14, 24));
    for (const std::size_t times : {2u, 4u}) {
      SCOPED_TRACE(times);
      PlacedField fine;
      const double cell = 1. / static_cast<double>(times);
      fine.samples =
          height_samples(13 * times + 1, 13 * times + 1, {cell, cell},
                         [&](double x, double y) { return height_at(field.samples, x, y); });
      const auto solids = solids_over(random, field, scaled(160, 40));
      for (const double angle : {0.0, 5.0}) {
        expect_same<float>(field, fine, solids, angle);
        expect_same<double>(field, fine, solids, angle);
      }
    }
  }
}

/// Parts of a field, cut along columns and rows where those are above 0, are one with neighbours.
void expect_parts_are_one(Random& random, std::size_t column, std::size_t row) {
  constexpr std::size_t kRows = 14, kColumns = 17;
  const PlacedField whole = level_field(random_heights(random, kRows, kColumns, 24));
  const int across = column > 0 ? 2 : 1, along = row > 0 ? 2 : 1;
  SurfaceScene<double> cut;
  std::vector<std::array<std::int32_t, 4>> neighbours;
  for (int y = 0; y < along; ++y) {
    for (int x = 0; x < across; ++x) {
      const std::size_t first_row = y > 0 ? row : 0, first_column = x > 0 ? column : 0;
      const std::size_t end_row = y + 1 < along ? row + 1 : kRows;
      const std::size_t end_column = x + 1 < across ? column + 1 : kColumns;
      PlacedField part;
      part.samples = height_samples(
          end_row - first_row, end_column - first_column, {1, 1}, [&](double u, double v) {
            return whole.samples.at(static_cast<std::size_t>(v) + first_row,
                                    static_cast<std::size_t>(u) + first_column);
          });
      part.center[0] = static_cast<double>(first_column);
      part.center[1] = static_cast<double>(first_row);
      cut.add(part);
      const auto field = [&](int u, int v) {
        return u >= 0 && u < across && v >= 0 && v < along ? v * across + u : -1;
      };
      neighbours.push_back({field(x - 1, y), field(x + 1, y), field(x, y - 1), field(x, y + 1)});
    }
  }
  for (const auto& beside : neighbours) {
    cut.scene.heightfield_geometries.neighbours.push_back(beside);
  }
  std::vector<Solid<3>> solids;
  while (solids.size() < scaled(80, 30)) {
    const auto some = solids_over(random, whole, 8);
    for (const Solid<3>& solid : some) {
      const bool is_near_column = std::abs(solid.p[0] - static_cast<double>(column)) < 1;
      const bool is_near_row = std::abs(solid.p[1] - static_cast<double>(row)) < 1;
      if ((column == 0 || is_near_column) && (row == 0 || is_near_row)) solids.push_back(solid);
    }
  }
  const int parts = across * along;
  for (const Solid<3>& solid : solids) {
    for (int part = 0; part < parts; ++part) cut.add_pair(solid, part);
  }
  cut.name_pairs();
  CollideOptions options;
  options.patch_angle = 0;
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  collide_pairs<3, double>(cut.scene, cut.pairs, contacts, workspace, options);
  const auto expected = ask_all<double>(whole, solids, options);
  for (std::size_t k = 0; k < solids.size(); ++k) {
    std::vector<PatchAnswer<double>> patches;
    for (int part = 0; part < parts; ++part) {
      const auto some = patches_of(contacts, parts * static_cast<std::int64_t>(k) + part);
      patches.insert(patches.end(), some.begin(), some.end());
    }
    // The whole has one patch for a normal, with the depth of the deepest.
    const auto all = patches;
    std::erase_if(patches, [&](const PatchAnswer<double>& patch) {
      return std::ranges::any_of(all, [&](const PatchAnswer<double>& other) {
        return other.depth > patch.depth &&
               length(minus(other.normal, patch.normal)) <= kSameNormal;
      });
    });
    EXPECT_TRUE(same_patches(patches, expected[k], kLength<double>, kLength<double>, kTurn<double>))
        << describe(solids[k]);
  }
}

TEST(height_fields_identities, fields_with_neighbours_have_the_patches_of_one) {
  Random random(823);
  for (int i = 0; i < 4; ++i) {
    expect_parts_are_one(random, 8, 0);
    expect_parts_are_one(random, 0, 7);
    expect_parts_are_one(random, 8, 7);
  }
}

/// Balls whose centres are below the surface at most a cell beside a seam, and on it.
template <class T>
void expect_one_field_for_a_ball(int most_height) {
  Random random(826);
  const PlacedField whole = level_field(random_heights(random, 14, 17, most_height));
  SurfaceScene<T> cut;
  for (const std::size_t first : {0u, 8u}) {
    PlacedField part;
    part.samples = height_samples(14, 9, {1, 1}, [&](double x, double y) {
      return whole.samples.at(static_cast<std::size_t>(y), static_cast<std::size_t>(x) + first);
    });
    part.center[0] = static_cast<double>(first);
    cut.add(part);
  }
  cut.scene.heightfield_geometries.neighbours.push_back({-1, 1, -1, -1});
  cut.scene.heightfield_geometries.neighbours.push_back({0, -1, -1, -1});
  std::vector<Solid<3>> balls;
  std::vector<bool> is_deep;
  for (std::size_t i = 0; i < scaled(400, 100); ++i) {
    const double x = random.chance(0.2) ? 8 : random.uniform(7, 9), y = random.uniform(3, 10);
    const double radius = random.uniform(0.1, 1);
    // Deeper than its radius, its nearest face may be of a field that it does not meet.
    is_deep.push_back(random.chance(0.3));
    const double depth = radius * (is_deep.back() ? random.uniform(1, 2) : random.uniform(0.01, 1));
    const double z = height_at(whole.samples, x, y) - depth;
    balls.push_back(stored<T>(ball<3>({x, y, z}, radius)));
    cut.add_pair(balls.back(), 0);
    cut.add_pair(balls.back(), 1);
  }
  cut.name_pairs();
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(cut.scene, cut.pairs, contacts, workspace);
  const auto expected = ask_all<T>(whole, balls);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    auto patches = patches_of(contacts, static_cast<std::int64_t>(2 * k));
    const auto right = patches_of(contacts, static_cast<std::int64_t>(2 * k + 1));
    patches.insert(patches.end(), right.begin(), right.end());
    SCOPED_TRACE(describe(balls[k]) + describe(patches) + " whole" + describe(expected[k]));
    EXPECT_EQ(patches.size(), 1u);
    if (is_deep[k]) continue;
    EXPECT_TRUE(same_patches(patches, expected[k], kLength<T>, kLength<T>, kTurn<T>));
  }
}

TEST(height_fields_identities, a_ball_below_a_seam_leaves_one_field) {
  for (const int most_height : {0, 24, 64}) {
    expect_one_field_for_a_ball<float>(most_height);
    expect_one_field_for_a_ball<double>(most_height);
    expect_one_field_for_a_ball<Mixed>(most_height);
  }
}

TEST(height_fields_identities, the_other_way_round_mirrors_every_bit) {
  Random random(824);
  const PlacedField field = stored<float>(random_field(random, Ground::bumpy));
  SurfaceScene<float> input;
  input.add(field);
  for (const Kind kind : kConvexKinds) {
    for (int i = 0; i < 10; ++i) input.add_pair(stored<float>(solid_near(random, field, kind)), 0);
  }
  input.name_pairs();
  std::vector<Pair> mirrored = input.pairs;
  for (Pair& pair : mirrored) std::swap(pair.a, pair.b);
  ContactBuffer<3, float> left, right;
  Workspace<3, float> workspace;
  collide_pairs<3, float>(input.scene, input.pairs, left, workspace);
  collide_pairs<3, float>(input.scene, mirrored, right, workspace);
  ASSERT_EQ(left.size(), right.size());
  ASSERT_EQ(left.point_count(), right.point_count());
  EXPECT_GT(left.size(), 20u);
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left.depth[i], right.depth[i]);
    EXPECT_EQ(left.source[i], right.source[i]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(left.normal(i, k), 0 - right.normal(i, k));
  }
  for (std::size_t p = 0; p < left.point_count(); ++p) {
    EXPECT_EQ(left.part(p, 1), right.part(p, 0));
    EXPECT_EQ(left.part(p, 0), -1);
    EXPECT_EQ(left.feature[p] >> 16, right.feature[p] & 0xffff);
    EXPECT_EQ(left.feature[p] & 0xffff, right.feature[p] >> 16);
  }
}

TEST(height_fields_identities, other_calls_agree_with_contacts) {
  Random random(825);
  for (const Ground ground : {Ground::flat, Ground::bumpy, Ground::stairs, Ground::holes}) {
    const PlacedField field = stored<double>(random_field(random, ground));
    std::vector<Solid<3>> solids;
    for (std::size_t i = 0; i < scaled(80, 16); ++i) {
      solids.push_back(solid_near(random, field, kConvexKinds[i % kConvexKinds.size()]));
    }
    SurfaceScene<double> input;
    const std::int32_t row = input.add(field);
    for (const Solid<3>& solid : solids) input.add_pair(solid, row);
    input.name_pairs();
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide_pairs<3, double>(input.scene, input.pairs, contacts, workspace);
    std::vector<std::uint8_t> touches(input.pairs.size());
    test_pairs<3, double>(input.scene, input.pairs, touches, workspace);
    DistanceBuffer<3, double> distances_found;
    distances<3, double>(input.scene, input.pairs, distances_found, workspace);
    for (std::size_t i = 0; i < solids.size(); ++i) {
      const auto patches = patches_of(contacts, static_cast<std::int64_t>(i));
      EXPECT_EQ(touches[i] != 0, !patches.empty()) << describe(solids[i]);
      const double distance = distances_found.distance[i];
      if (!patches.empty()) {
        Real deepest = patches[0].depth;
        for (const auto& patch : patches) deepest = std::max(deepest, patch.depth);
        EXPECT_NEAR(distance, static_cast<double>(-deepest), 1e-11) << describe(solids[i]);
        continue;
      }
      // Apart: the nearest of all triangles.
      const Surface surface =
          surface_of(field.samples)
              .placed(minus(widened(field.center), widened(solids[i].p)), field.axes());
      const SurfacePair pair(solids[i], surface);
      Real least = std::numeric_limits<Real>::infinity();
      for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        least = std::min(least, -pair.least_core_way_out(t) - pair.radius());
      }
      EXPECT_NEAR(distance, static_cast<double>(least), 1e-10) << describe(solids[i]);
    }
  }
}

}  // namespace
}  // namespace widephase::test
