// In 2D, parts of one owner that lie flush have the contacts of the solid that they make: the local
// minima of a circle's distance by brute force over all parts, and the directions of every kind by
// brute force (reference/flush.hpp).
// Labels: dated own-sets threads

#include <gtest/gtest.h>

#include <map>

#include "reference/flush.hpp"
#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/flat_tiles.hpp"

namespace widephase::test {
namespace {

/// Two blocks along x, their tops at y = 0, and a wall of two blocks at x = 1.
std::vector<Solid<2>> corner_blocks() {
  return {aabb<2>({-1, -1}, {0, 0}), aabb<2>({0, -1}, {1, 0}), aabb<2>({1, -1}, {2, 0.5}),
          aabb<2>({1, 0.5}, {2, 2})};
}

TEST(flush2_solids, a_concave_corner_has_the_normals_of_both_sides) {
  // 0.01 deep in floor and wall; the crate is over the joint of each.
  const FlatAsked<float> circle(corner_blocks(), {ball<2>({0.51, 0.49}, 0.5)});
  const FlatAsked<float> crate(corner_blocks(), {box({0.46, 0.54}, 0, {0.55, 0.55})});
  for (const FlatAsked<float>* asked : {&circle, &crate}) {
    for (const std::size_t block : {0, 1, 2, 3}) {
      const auto found = asked->between(block, 4);
      if (found.empty() && asked == &circle) continue;  // 0 and 3 are as far as the joints
      ASSERT_EQ(found.size(), 1u) << block;
      const Point<2> normal = block < 2 ? Point<2>{0, 1} : Point<2>{-1, 0};
      EXPECT_LT(flat_distance(found[0].normal, normal), 1e-6) << block;
      EXPECT_NEAR(found[0].depth, 0.01, 1e-6) << block;
    }
  }
  EXPECT_EQ(circle.between(1, 4).size(), 1u);
  EXPECT_EQ(circle.between(2, 4).size(), 1u);
}

TEST(flush2_solids, outer_corners_are_felt) {
  // Off the corner (-1, 0) of the left block by 45 degrees, and a crate that leans over it.
  const double off = 0.49 / std::sqrt(2), half = std::sqrt(0.5);
  const FlatAsked<double> circle(corner_blocks(), {ball<2>({-1 - off, off}, 0.5)});
  const auto found = circle.between(0, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(flat_distance(found[0].normal, {-half, half}), 1e-9);
  EXPECT_NEAR(found[0].depth, 0.01, 1e-12);
  const double apart = 0.19 / std::sqrt(2);
  const FlatAsked<double> crate(corner_blocks(),
                                {box({-1 - apart, apart}, 0.78539816339744830962, {0.2, 0.2})});
  const auto leaning = crate.between(0, 4);
  ASSERT_EQ(leaning.size(), 1u);
  EXPECT_LT(flat_distance(leaning[0].normal, {-half, half}), 1e-9);
  EXPECT_NEAR(leaning[0].depth, 0.01, 1e-12);
}

TEST(flush2_solids, a_ridge_of_two_parts_is_felt_between_their_slopes) {
  // Two wedges meet at the top of a roof, and the joint is vertical: what each part has is the
  // directions from its slope to the joint's normal, of which the solid feels those up to the other
  // slope.
  const std::vector<Solid<2>> roof{polygon({0, 0}, 0, {{-2, -1}, {0, -1}, {0, 0}}),
                                   polygon({0, 0}, 0, {{0, 0}, {0, -1}, {2, -1}})};
  for (const double lean : {-0.4, -0.2, 0.0, 0.2, 0.4}) {  // slopes of 0.4636
    const Point<2> way{std::sin(lean), std::cos(lean)};
    const FlatAsked<double> asked(roof, {ball<2>({0.49 * way[0], 0.49 * way[1]}, 0.5),
                                         box({0.29 * way[0], 0.29 * way[1]}, -lean, {0.4, 0.3})});
    for (const std::size_t body : {2, 3}) {
      for (const std::size_t part : {0, 1}) {
        const auto found = asked.between(part, body);
        ASSERT_EQ(found.size(), 1u) << lean;
        EXPECT_LT(flat_distance(found[0].normal, way), 1e-9) << lean << " " << body << " " << part;
        EXPECT_NEAR(found[0].depth, 0.01, 1e-12);
        ASSERT_EQ(found[0].points.size(), 1u);  // on the body, which is A
        EXPECT_LT(flat_distance(found[0].points[0], {-0.01 * way[0], -0.01 * way[1]}), 1e-12);
      }
    }
  }
  // Beyond: the normal of the slope.
  const FlatAsked<double> beyond(roof, {ball<2>({0.45, 0.3}, 0.5)});
  for (const std::size_t part : {0, 1}) {
    const auto found = beyond.between(part, 2);
    if (part == 0 && found.empty()) continue;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(flat_distance(found[0].normal, {1 / std::sqrt(5.0), 2 / std::sqrt(5.0)}), 1e-9);
  }
}

TEST(flush2_solids, points_of_a_replaced_contact_are_those_of_the_side) {
  // A crate from -0.1 to 0.3 over the joint at 0, 0.05 deep and so wide that the left tile's own
  // least way out is sideways by 0.1... of its side at the joint, if the tile were alone: 0.1 wide
  // there and 0.12 deep.
  const std::vector<Solid<2>> tiles{aabb<2>({-1, -1}, {0, 0}), aabb<2>({0, -1}, {1, 0})};
  const FlatAsked<float> plain(tiles, {box({0.1, 0.08}, 0, {0.2, 0.2})}, {}, 0);
  const FlatAsked<float> flush(tiles, {box({0.1, 0.08}, 0, {0.2, 0.2})});
  ASSERT_EQ(plain.between(0, 2).size(), 1u);
  EXPECT_LT(flat_distance(plain.between(0, 2)[0].normal, {1, 0}), 1e-6);
  const auto left = flush.between(0, 2), right = flush.between(1, 2);
  ASSERT_EQ(left.size(), 1u);
  ASSERT_EQ(right.size(), 1u);
  for (const auto& found : {left[0], right[0]}) {
    EXPECT_LT(flat_distance(found.normal, {0, 1}), 1e-6);
    EXPECT_NEAR(found.depth, 0.12, 1e-6);
    EXPECT_EQ(found.status, 0);
    ASSERT_EQ(found.points.size(), 2u);
    for (const std::size_t p : {0, 1}) {
      EXPECT_NEAR(found.depths[p], 0.12, 1e-6);
      EXPECT_NEAR(found.points[p][1], 0, 1e-6);  // on the tile, which is A
    }
    EXPECT_LT(found.features[0], found.features[1]);
  }
  // The left ends are where the crate's corner 0 is, and the tile's corner 3 at the joint.
  EXPECT_NEAR(std::min(left[0].points[0][0], left[0].points[1][0]), -0.1, 1e-6);
  EXPECT_NEAR(std::max(left[0].points[0][0], left[0].points[1][0]), 0, 1e-6);
  const std::uint32_t corner = 1u << 14, face = 3u << 14;
  const std::vector<std::uint32_t> names{(corner | 3) << 16 | face | 2, (face | 3) << 16 | corner};
  EXPECT_EQ(left[0].features, names);
}

/// A part as an outline of the reference.
Outline outline_at_origin(const Solid<2>& solid) { return outline_of(solid, {0, 0}); }

/// Parts of a solid: cells of a jittered grid, some of them left out, cut in two or joined.
std::vector<Solid<2>> random_solid(Random& random) {
  constexpr int kCells = 4;
  const bool is_jittered = random.chance(0.6);
  Point<2> corner[kCells + 1][kCells + 1];
  for (int y = 0; y <= kCells; ++y) {
    for (int x = 0; x <= kCells; ++x) {
      const double most = is_jittered ? 0.2 : 0;
      corner[y][x] = {x + random.uniform(-most, most), y + random.uniform(-most, most)};
    }
  }
  const double share = random.uniform(0.3, 1);
  std::vector<Solid<2>> parts;
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      if (!random.chance(share)) continue;
      const std::vector<Point<2>> cell{corner[y][x], corner[y][x + 1], corner[y + 1][x + 1],
                                       corner[y + 1][x]};
      if (!is_jittered && random.chance(0.5)) {
        parts.push_back(random.chance(0.5) ? aabb<2>(cell[0], cell[2])
                                           : box({x + 0.5, y + 0.5}, 0, {0.5, 0.5}));
      } else if (random.chance(0.5)) {
        parts.push_back(polygon({0, 0}, 0, cell));
      } else {
        parts.push_back(polygon({0, 0}, 0, {cell[0], cell[1], cell[2]}));
        parts.push_back(polygon({0, 0}, 0, {cell[0], cell[2], cell[3]}));
      }
    }
  }
  return parts;
}

TEST(flush2_solids, circles_touch_solids_at_the_local_minima_of_the_distance) {
  Random random(11);
  std::size_t asked_circles = 0, found_minima = 0;
  for (std::size_t s = 0; s < scaled(60, 10); ++s) {
    const std::vector<Solid<2>> parts = random_solid(random);
    if (parts.size() < 2) continue;
    std::vector<Outline> outlines;
    for (const Solid<2>& part : parts) outlines.push_back(outline_at_origin(part));
    const auto nearest = [&](std::size_t part, const Point<2>& p, Point<2>& place) {
      const Vec<2> from{p[0], p[1]};
      Real least = 1e9;
      bool is_inside = true;
      for (std::size_t e = 0; e < outlines[part].size(); ++e) {
        const Vec<2> a = outlines[part][e], b = next_corner(outlines[part], e);
        const Vec<2> to = to_segment(from, a, b);
        is_inside &= (b[0] - a[0]) * (from[1] - a[1]) - (b[1] - a[1]) * (from[0] - a[0]) >= 0;
        if (length(to) < least) {
          least = length(to);
          place = {static_cast<double>(from[0] + to[0]), static_cast<double>(from[1] + to[1])};
        }
      }
      if (is_inside) place = p;
      return is_inside ? 0.0 : static_cast<double>(least);
    };
    std::vector<Solid<2>> circles;
    Point<2> place;
    for (int n = 0; n < 40; ++n) {
      const Point<2> at{random.uniform(-0.6, 4.6), random.uniform(-0.6, 4.6)};
      double least = 1e9;
      for (std::size_t b = 0; b < parts.size(); ++b) least = std::min(least, nearest(b, at, place));
      if (least > 0.02) circles.push_back(ball<2>(at, least + random.uniform(0.001, 0.4)));
    }
    const FlatAsked<double> asked(parts, circles, {}, 1e-9);
    for (std::size_t n = 0; n < circles.size(); ++n) {
      ++asked_circles;
      const Point<2> center = circles[n].p;
      const double radius = circles[n].size;
      double least = 1e9, deepest = -1;
      for (std::size_t b = 0; b < parts.size(); ++b) {
        const double distance = nearest(b, center, place);
        least = std::min(least, distance);
        for (const auto& found : asked.between(b, parts.size() + n)) {
          deepest = std::max(deepest, found.depth);
        }
        if (!(distance < radius)) continue;
        bool is_least = true;  // of parts that have the place; within 1e-9 is either
        Point<2> other_place;
        for (std::size_t other = 0; other < parts.size(); ++other) {
          is_least &= nearest(other, place, other_place) > 1e-9 ||
                      nearest(other, center, other_place) > distance - 1e-15;
        }
        if (!is_least) continue;
        ++found_minima;
        const Point<2> way{(center[0] - place[0]) / distance, (center[1] - place[1]) / distance};
        const auto found = asked.between(b, parts.size() + n);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_LT(flat_distance(found[0].normal, way), 1e-9) << describe(circles[n]);
        EXPECT_NEAR(found[0].depth, radius - distance, 1e-12);
      }
      EXPECT_NEAR(deepest, radius - least, 1e-12) << describe(circles[n]);
    }
  }
  EXPECT_GT(asked_circles, 10 * scaled(60, 10));
  EXPECT_GT(found_minima, asked_circles);
}

TEST(flush2_solids, directions_are_the_shortest_that_solids_feel_by_brute_force) {
  constexpr double kTight = 1e-8;
  // In solids of the second the shortest way out of some vertices is along a neighbour's side.
  Random first(12), second(0x6cdb16370000000cu);
  std::size_t stayed = 0, replaced = 0, doubtful = 0, sooner = 0;
  const std::size_t count = scaled(60, 10);
  for (std::size_t s = 0; s < 2 * count; ++s) {
    Random& random = s < count ? first : second;
    const std::vector<Solid<2>> parts = random_solid(random);
    if (parts.size() < 2) continue;
    std::vector<Outline> outlines;
    for (const Solid<2>& part : parts) outlines.push_back(outline_at_origin(part));
    const FlushOutlines solid(outlines, kTight);
    std::vector<Solid<2>> bodies;
    for (int n = 0; n < 25; ++n) {
      const Kind kind = kFlatBodies[static_cast<std::size_t>(random.integer(0, 4))];
      bodies.push_back(moved(flat_body(random, kind, random.uniform(-3, 3)),
                             {random.uniform(-0.3, 4.3), random.uniform(-0.3, 4.3)}));
    }
    const FlatAsked<double> plain(parts, bodies, {}, 0), flush(parts, bodies, {}, kTight);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Outline core = outline_at_origin(bodies[b]);
      const Real radius = radius_of(bodies[b]);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto before = plain.between(p, parts.size() + b);
        const auto after = flush.between(p, parts.size() + b);
        ASSERT_EQ(before.size(), after.size());
        if (before.empty()) continue;
        SCOPED_TRACE(testing::Message() << describe(parts[p]) << " and " << describe(bodies[b]));
        const Vec<2> was{before[0].normal[0], before[0].normal[1]};
        const Vec<2> now{after[0].normal[0], after[0].normal[1]};
        // The deepest point of the pair, on the part.
        std::size_t deepest = 0;
        for (std::size_t n = 1; n < before[0].points.size(); ++n) {
          if (before[0].depths[n] > before[0].depths[deepest]) deepest = n;
        }
        Vec<2> place{before[0].points[deepest][0], before[0].points[deepest][1]};
        const bool is_part_a = flush.ids[p] < flush.ids[parts.size() + b];
        if (!is_part_a) place = plus(place, was, before[0].depths[deepest]);
        const FlushOutlines::Felt felt = solid.felt(p, was, place);
        if (felt.is_doubtful) {
          ++doubtful;
          continue;
        }
        if (felt.longer == 0) {
          ++stayed;
          EXPECT_EQ(after[0].normal[0], before[0].normal[0]);
          EXPECT_EQ(after[0].normal[1], before[0].normal[1]);
          EXPECT_EQ(after[0].depth, before[0].depth);
          EXPECT_EQ(after[0].features, before[0].features);
          continue;
        }
        ++replaced;
        const Real length = solid.length_along(p, now, core, radius);
        EXPECT_LE(after[0].depth, static_cast<double>(length) + 1e-9);
        // What parts them, or what one core is over the other, from where a point has its depth.
        Real parting = length;
        if (before[0].depth >= 0) {
          parting = solid.parting_along(p, now, core, radius);
          const Real overlap = solid.overlap_along(p, now, core);
          if (overlap > -1e3) parting = std::min(parting, overlap + radius);
        }
        EXPECT_GE(after[0].depth, static_cast<double>(parting) - 1e-9);
        sooner += after[0].depth < static_cast<double>(length) - 1e-6 ? 1 : 0;
        // No way is shorter. If the direction is the same, it is felt elsewhere, or it stayed.
        const Real least = solid.least_felt(p, was, place, core, radius, 180);
        const Vec<2> turn = minus(now, was);
        const bool is_same = dot(turn, turn) < 1e-18;
        Real found = solid.length_felt(p, was, place, now, core, radius);
        if (is_same) found = std::min(found, length + felt.longer);
        EXPECT_LT(found, least + (is_same ? 1e-3 : 1e-7))
            << "was " << before[0].normal[0] << " " << before[0].normal[1] << " at "
            << static_cast<double>(place[0]) << " " << static_cast<double>(place[1]) << " longer "
            << static_cast<double>(felt.longer) << " least " << static_cast<double>(least);
        for (std::size_t n = 0; n < after[0].points.size(); ++n) {
          EXPECT_LE(after[0].depths[n], after[0].depth);
        }
      }
    }
  }
  EXPECT_GT(stayed, 100u);
  EXPECT_GT(replaced, 100u);
  EXPECT_GT(sooner, 10u);
  EXPECT_LT(doubtful, (stayed + replaced) / 20);
}

/// What contacts say of pairs, by the numbers of the shapes and whoever is named first.
using Said = std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>;
Said said_by(const FlatAsked<double>& asked, const std::vector<std::size_t>& numbers) {
  Said said;
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    for (std::size_t second = 0; second < numbers.size(); ++second) {
      if (numbers[first] >= numbers[second]) continue;
      for (const auto& found : asked.between(first, second)) {
        said[{numbers[first], numbers[second]}] = {found.depth, found.normal[0], found.normal[1]};
      }
    }
  }
  return said;
}

std::vector<Solid<2>> bodies_on_floor(Random& random, int count, double reach) {
  std::vector<Solid<2>> bodies;
  for (int n = 0; n < count; ++n) {
    const Solid<2> solid =
        flat_body(random, kFlatBodies[static_cast<std::size_t>(n) % 5], random.uniform(-0.1, 0.1));
    const double low = depth_below(solid, {0, 0}, {0, 1});
    bodies.push_back(moved(solid, {random.uniform(-reach, reach), low - random.uniform(0, 0.02)}));
  }
  return bodies;
}

TEST(flush2_solids, the_order_of_parts_does_not_matter) {
  Random random(20);
  const std::vector<Solid<2>> tiles = flat_tiles(random, FlatTiling::wedges, Kind::polygon, {});
  const std::vector<Solid<2>> bodies = bodies_on_floor(random, 40, 4.2);
  std::vector<std::size_t> numbers(tiles.size() + bodies.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  const Said said = said_by(FlatAsked<double>(tiles, bodies), numbers);
  EXPECT_GT(said.size(), 40u);
  std::vector<Solid<2>> others;
  for (std::size_t i = tiles.size(); i-- > 1;) {
    std::swap(numbers[i],
              numbers[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
  }
  for (std::size_t i = 0; i < tiles.size(); ++i) others.push_back(tiles[numbers[i]]);
  const Said again = said_by(FlatAsked<double>(others, bodies), numbers);
  ASSERT_EQ(again.size(), said.size());
  for (const auto& [names, told] : said) {
    const auto found = again.find(names);
    ASSERT_NE(found, again.end());
    for (std::size_t k = 0; k < told.size(); ++k) {
      EXPECT_NEAR(found->second[k], told[k], 1e-12) << names.first << " " << names.second;
    }
  }
}

TEST(flush2_solids, sets_and_threads_and_whose_name_is_first_change_no_bit) {
  Random random(21);
  const std::vector<Solid<2>> bodies = bodies_on_floor(random, 300, 4.2);
  const std::vector<Solid<2>> tiles = flat_tiles(random, FlatTiling::bricks, Kind::box, {});
  const FlatAsked<float> asked(tiles, bodies);
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    EXPECT_EQ(hash(FlatAsked<float>(tiles, bodies, options).contacts), hash(asked.contacts));
  }
  CollideOptions options;
  options.flush_tolerance = kFlatTolerance;
  options.threads.count = 4;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  for (int step = 0; step < 2; ++step) {  // the second one keeps what it found
    collide<2, float>(asked.scene, contacts, workspace, options);
    EXPECT_EQ(hash(contacts), hash(asked.contacts));
  }
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    pairs.push_back({contacts.pair[c].b, contacts.pair[c].a});
  }
  options.order = Order::source;
  ContactBuffer<2, float> mirrored;
  collide_pairs<2, float>(asked.scene, pairs, mirrored, workspace, options);
  ASSERT_EQ(mirrored.size(), contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_EQ(mirrored.depth[c], contacts.depth[c]);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(mirrored.normal(c, k), 0 - contacts.normal(c, k));
    ASSERT_EQ(mirrored.offset[c + 1] - mirrored.offset[c],
              contacts.offset[c + 1] - contacts.offset[c]);
  }
}

TEST(flush2_solids, a_crate_of_parts_rests_on_a_floor_of_tiles) {
  // Four squares on a body over a joint, 0.001 deep, with a lean: parts on both sides.
  for (const double lean : {0.0, 1e-7, 1e-4, 1e-2}) {
    SceneColumns<2, double> scene;
    Random random(22);
    for (const Solid<2>& tile : flat_tiles(random, FlatTiling::mixed, Kind::box, {})) {
      append<2, double>(scene, tile);
    }
    const std::size_t tiles = row_count(scene.boxes);
    for (int v = 0; v < 4; ++v) {
      append<2, double>(scene,
                        box({v % 2 != 0 ? 0.3 : -0.3, v / 2 != 0 ? 0.1 : -0.1}, 0, {0.3, 0.1}));
    }
    const auto all = row_count(scene.boxes);
    scene.boxes.owner.resize(all, 1);
    scene.boxes.body.resize(all, -1);
    for (std::size_t row = tiles; row < all; ++row) {
      scene.boxes.owner[row] = 2;
      scene.boxes.body[row] = 0;
    }
    scene.bodies.position.push_back({0.03, 0.199});
    scene.bodies.turn.push_back({lean});
    CollideOptions options;
    options.flush_tolerance = kFlatTolerance;
    Workspace<2, double> workspace;
    ContactBuffer<2, double> contacts;
    collide<2, double>(scene, contacts, workspace, options);
    EXPECT_GE(contacts.size(), 2u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_GT(contacts.normal(c, 1), 1 - 1e-4) << "lean " << lean;
      EXPECT_LT(contacts.depth[c], 0.0011 + 0.7 * lean) << "lean " << lean;
    }
  }
}

TEST(flush2_solids, marked_sides_count_as_covered) {
  // Two squares with a gap of 0.1 that their marks bridge, and a third that lies flush with the
  // second. A circle over the gap has the tops' normals by the marks alone, one over the joint by
  // the tolerance.
  for (const double tolerance : {0.0, kFlatTolerance}) {
    SceneColumns<2, double> scene;
    const std::vector<Point<2>> square{{0, -1}, {1, -1}, {1, 0}, {0, 0}};
    for (const double x : {-1.1, 0.0, 1.0}) append<2, double>(scene, polygon({x, 0}, 0, square));
    scene.polygons.owner.resize(3, 1);
    scene.geometries.inner.resize(12, 0);
    scene.geometries.inner[1] = 1;      // the right side of the first
    scene.geometries.inner[4 + 3] = 1;  // the left side of the second
    append<2, double>(scene, ball<2>({-0.03, 0.03}, 0.1));
    append<2, double>(scene, ball<2>({1.03, 0.05}, 0.1));
    CollideOptions options;
    options.flush_tolerance = tolerance;
    Workspace<2, double> workspace;
    ContactBuffer<2, double> contacts;
    collide<2, double>(scene, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 4u);
    std::size_t leaning = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (std::abs(contacts.normal(c, 1)) < 1 - 1e-12) ++leaning;
    }
    EXPECT_EQ(leaning, tolerance > 0 ? 0u : 1u);
  }
}

TEST(flush2_solids, a_static_scene_that_is_updated_finds_its_parts_again) {
  // The second block of a row is moved 0.1 away: the gap's corner is felt then, and not once it is
  // back.
  SceneColumns<2, double> blocks, moving;
  append<2, double>(blocks, aabb<2>({-1, -1}, {0, 0}));
  append<2, double>(blocks, aabb<2>({0, -1}, {1, 0}));
  blocks.aabbs.owner.resize(2, 1);
  append<2, double>(moving, ball<2>({0.1, 0.45}, 0.5));
  CollideOptions options;
  options.flush_tolerance = kFlatTolerance;
  Workspace<2, double> workspace;
  StaticScene<2, double> kept;
  build_static_scene<2, double>(blocks, kept, workspace, options);
  ContactBuffer<2, double> contacts;
  const std::array<std::int32_t, 1> ids{1};
  for (const double apart : {0.0, 0.1, 0.0}) {
    blocks.aabbs.min(1, 0) = apart;
    blocks.aabbs.max(1, 0) = 1 + apart;
    update_static_scene<2, double>(blocks, ids, kept, workspace);
    collide<2, double>(moving, kept, contacts, workspace);
    ASSERT_EQ(contacts.size(), 2u);
    for (std::size_t c = 0; c < 2; ++c) {
      const bool is_up = std::abs(contacts.normal(c, 1)) > 1 - 1e-9;
      EXPECT_EQ(is_up, apart == 0 || contacts.pair[c].b == 2) << apart;
    }
  }
}

TEST(flush2_solids, polygons_that_change_are_found_again) {
  // The joint of two polygons opens by 0.1 as their point sets change, and closes again.
  SceneColumns<2, double> scene;
  append<2, double>(scene, polygon({0, 0}, 0, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}));
  append<2, double>(scene, polygon({0, 0}, 0, {{0, -1}, {1, -1}, {1, 0}, {0, 0}}));
  scene.polygons.owner.resize(2, 1);
  append<2, double>(scene, ball<2>({0.1, 0.45}, 0.5));
  CollideOptions options;
  options.flush_tolerance = kFlatTolerance;
  Workspace<2, double> workspace;
  ContactBuffer<2, double> contacts;
  for (const double apart : {0.0, 0.1, 0.0}) {
    scene.geometries.vertices(4, 0) = scene.geometries.vertices(7, 0) = apart;
    collide<2, double>(scene, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 2u);
    for (std::size_t c = 0; c < 2; ++c) {
      const bool is_up = std::abs(contacts.normal(c, 1)) > 1 - 1e-9;
      EXPECT_EQ(is_up, apart == 0 || contacts.pair[c].b == 2) << apart;
    }
  }
}

TEST(flush2_solids, a_floor_goes_on_across_periodic_sides) {
  // Tiles over -4 to 4 of a domain as long, each in any image, and bodies over the seam.
  for (const FlatTiling tiling : {FlatTiling::even, FlatTiling::bricks}) {
    Random random(30);
    SceneColumns<2, double> scene;
    const auto any_image = [&](const Solid<2>& solid) {
      return moved(solid, {8.0 * random.integer(-3, 3), 0});
    };
    for (const Solid<2>& tile : flat_tiles(random, tiling, Kind::box, {})) {
      if (tile.p[0] < 4 && tile.p[0] > -4.2) append<2, double>(scene, any_image(tile));
    }
    scene.boxes.owner.resize(row_count(scene.boxes), 1);
    scene.boxes.category.resize(row_count(scene.boxes), 1);
    scene.boxes.mask.resize(row_count(scene.boxes), 2);
    for (const Solid<2>& body : bodies_on_floor(random, 100, 0.5)) {
      append<2, double>(scene, any_image(moved(body, {4, 0})));
    }
    for_each_table(scene, [](auto& table) {
      table.owner.resize(row_count(table), -1);
      table.category.resize(row_count(table), 2);
      table.mask.resize(row_count(table), 1);
    });
    scene.domain = {{-4, 0}, {4, 0}, {true, false}};
    CollideOptions options;
    options.flush_tolerance = kFlatTolerance;
    options.order = Order::source;
    Workspace<2, double> workspace;
    ContactBuffer<2, double> contacts, mirrored;
    collide<2, double>(scene, contacts, workspace, options);
    std::vector<Pair> pairs;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      pairs.push_back({contacts.pair[c].b, contacts.pair[c].a});
    }
    collide_pairs<2, double>(scene, pairs, mirrored, workspace, options);
    ASSERT_EQ(mirrored.size(), contacts.size());
    EXPECT_GT(contacts.size(), 100u);
    for (const auto* found : {&contacts, &mirrored}) {
      for (std::size_t c = 0; c < found->size(); ++c) {
        ASSERT_GT(std::abs(found->normal(c, 1)), 1 - 1e-9);
        const Solid<2> a = solid_of<2, double>(scene, found->pair[c].a);
        for (auto p = static_cast<std::size_t>(found->offset[c]);
             p < static_cast<std::size_t>(found->offset[c + 1]); ++p) {
          // Half a tile and a whole body, 0.25 + 2 (0.4 + 0.2) at most; another image is 8 away.
          EXPECT_LT(std::abs(found->point(p, 0) - a.p[0]), 1.5) << describe(a);
          const double on_b = found->point(p, 1) - found->point_depth[p] * found->normal(c, 1);
          // One of them is on the floor.
          const bool is_tile = a.kind == Kind::box && a.p[1] < 0;
          EXPECT_NEAR(is_tile ? found->point(p, 1) : on_b, 0, 1e-9);
        }
      }
    }
  }
}

TEST(flush2_solids, errors_name_the_option) {
  CollideOptions options;
  SceneColumns<2, float> scene;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  options.flush_tolerance = -1;
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace, options); }),
            "flush_tolerance is -1; it must be finite and >= 0");
}

}  // namespace
}  // namespace widephase::test
