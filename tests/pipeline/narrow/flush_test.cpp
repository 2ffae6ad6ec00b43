// Shapes of one owner that lie flush (`flush_tolerance`): a floor of tiles is a floor, for every
// kind at any yaw and lean, and solids of blocks have the contacts of the solid. The references are
// a plane, and brute force over all blocks.
// Labels: dated own-sets threads

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "reference/generate_turned3.hpp"
#include "reference/reference.hpp"
#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr double kTolerance = 1e-4;
const Quaternion kUpright{0, 0, 0, 1};

Vec<3> wide(const Point<3>& p) { return {p[0], p[1], p[2]}; }
Point<3> plus(const Point<3>& a, const Point<3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Where a floor is: its own frame has its top at z = 0.
struct Pose {
  Quaternion turn = kUpright;
  Point<3> at{0, 0, 0};
  Point<3> placed(const Point<3>& p) const { return plus(at, rotated(turn, p)); }
  Point<3> up() const { return rotated(turn, {0, 0, 1}); }
};

enum class Tiling { grid, bricks, mixed, prisms };

/// A rectangle of the floor, cut in two again and again.
void cut(Random& random, std::array<double, 4> tile, int depth,
         std::vector<std::array<double, 4>>& tiles) {
  const auto [x0, x1, y0, y1] = tile;
  if (depth == 0 || (depth < 3 && random.chance(0.2))) {
    tiles.push_back(tile);
    return;
  }
  const double share = random.uniform(0.3, 0.7);
  if (x1 - x0 > y1 - y0) {
    const double x = x0 + share * (x1 - x0);
    cut(random, {x0, x, y0, y1}, depth - 1, tiles);
    cut(random, {x, x1, y0, y1}, depth - 1, tiles);
  } else {
    const double y = y0 + share * (y1 - y0);
    cut(random, {x0, x1, y0, y}, depth - 1, tiles);
    cut(random, {x0, x1, y, y1}, depth - 1, tiles);
  }
}

/// Tiles over -4 to 4 in x and y, 0.2 to 0.6 thick. `gap` and `step` are the most by which they are
/// smaller and higher than they should be.
std::vector<Solid<3>> floor_tiles(Random& random, Tiling tiling, Kind kind, const Pose& pose,
                                  double gap = 0, double step = 0) {
  std::vector<std::array<double, 4>> rectangles;
  if (tiling == Tiling::mixed) {
    cut(random, {-4, 4, -4, 4}, 6, rectangles);
  } else {
    for (int row = 0; row < 8; ++row) {
      const double shift = tiling == Tiling::bricks && row % 2 != 0 ? 0.5 : 0;
      for (double x = -4 - shift; x < 4; x += 1) {
        rectangles.push_back({std::max(x, -4.0), std::min(x + 1, 4.0), row - 4.0, row - 3.0});
      }
    }
  }
  std::vector<Solid<3>> tiles;
  for (const auto& [x0, x1, y0, y1] : rectangles) {
    const double depth = tiling == Tiling::grid ? 0.4 : random.uniform(0.2, 0.6);
    const double top = random.uniform(0, step), inset = random.uniform(0, gap) / 2;
    const Point<3> half{(x1 - x0) / 2 - inset, (y1 - y0) / 2 - inset, depth / 2};
    const Point<3> middle{(x0 + x1) / 2, (y0 + y1) / 2, top - depth / 2};
    const Point<3> at = pose.placed(middle);
    if (tiling == Tiling::prisms) {
      // Two triangles, cut along one diagonal or the other.
      const bool is_rising = random.chance(0.5);
      for (const int side : {0, 1}) {
        std::vector<Point<3>> corners;
        for (const double z : {-half[2], half[2]}) {
          for (const int corner : {0, 1, 2, 3}) {
            const int left_out = is_rising ? (side == 0 ? 1 : 3) : (side == 0 ? 0 : 2);
            if (corner == left_out) continue;
            corners.push_back({corner == 1 || corner == 2 ? half[0] : -half[0],
                               corner >= 2 ? half[1] : -half[1], z});
          }
        }
        tiles.push_back(hull(at, pose.turn, corners));
      }
    } else if (kind == Kind::aabb) {
      tiles.push_back(aabb<3>({middle[0] - half[0], middle[1] - half[1], middle[2] - half[2]},
                              {middle[0] + half[0], middle[1] + half[1], middle[2] + half[2]}));
    } else if (kind == Kind::box) {
      tiles.push_back(box(at, pose.turn, half));
    } else {
      std::vector<Point<3>> corners;
      for (int v = 0; v < 8; ++v) {
        corners.push_back({v % 2 != 0 ? half[0] : -half[0], v / 2 % 2 != 0 ? half[1] : -half[1],
                           v / 4 != 0 ? half[2] : -half[2]});
      }
      tiles.push_back(hull(at, pose.turn, corners));
    }
  }
  return tiles;
}

/// A shape of a kind about the origin, with its own axes turned, from 0.1 to 0.8 wide.
Solid<3> body_of(Random& random, Kind kind, const Quaternion& turn) {
  const auto size = [&] { return random.uniform(0.05, 0.4); };
  switch (kind) {
    case Kind::sphere:
      return ball<3>({0, 0, 0}, size());
    case Kind::capsule: {
      const Point<3> end = rotated(turn, {size(), 0, 0});
      return capsule<3>({-end[0], -end[1], -end[2]}, end, size() / 2);
    }
    case Kind::aabb: {
      const Point<3> half{size(), size(), size()};
      return aabb<3>({-half[0], -half[1], -half[2]}, half);
    }
    case Kind::box:
      return box({0, 0, 0}, turn, {size(), size(), size()}, random.chance(0.3) ? 0.02 : 0);
    case Kind::hull: {
      std::vector<Point<3>> corners;
      for (int v = 0; v < 12; ++v) {
        const double scale = v < 6 ? 0.3 : 0.2, angle = 1.0471975511965976 * v;
        corners.push_back({scale * std::cos(angle), scale * std::sin(angle), v < 6 ? -0.2 : 0.2});
      }
      return hull({0, 0, 0}, turn, corners);
    }
    case Kind::cylinder:
      return cylinder({0, 0, 0}, turn, size(), size());
    case Kind::ellipsoid:
      return ellipsoid({0, 0, 0}, turn, {size(), size(), size()});
    case Kind::cone:
      return cone({0, 0, 0}, turn, size(), size());
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return {};
}

constexpr std::array kBodies{Kind::sphere, Kind::capsule,  Kind::aabb,      Kind::box,
                             Kind::hull,   Kind::cylinder, Kind::ellipsoid, Kind::cone};

/// The length that separates a shape from the halfspace below `at` along `up`.
template <class T>
double depth_below(const Solid<3>& solid, const Point<3>& at, const Point<3>& up) {
  const Vec<3> n = wide(up);
  const Real low = -core_support<3>(solid, times(n, -1)) - radius_of(solid);
  return static_cast<double>(dot(n, wide(at)) - low);
}

struct Tally {
  std::size_t bodies = 0, contacts = 0;
  std::size_t wrong = 0;   ///< contacts with another normal
  std::size_t none = 0;    ///< bodies without a contact
  std::size_t depths = 0;  ///< bodies whose deepest contact has another depth
  std::string first;       ///< what is wrong
};

struct Case {
  Tiling tiling = Tiling::grid;
  Kind tile = Kind::box;
  Pose pose;
  double lean = 0;  ///< of the bodies, the most
  double gap = 0, step = 0;
  double tolerance = kTolerance;
  double turn_tolerance = 3e-5;
};

template <class T>
Tally on_floor(Kind kind, const Case& asked, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  SceneColumns<3, T> ground, scene;
  for (const Solid<3>& tile : floor_tiles(random, asked.tiling, asked.tile, asked.pose, asked.gap,
                                          asked.step)) {
    append<3, T>(ground, stored<T>(tile));
  }
  for_each_table(ground, [](auto& table) { table.owner.resize(row_count(table), 7); });
  std::vector<Solid<3>> bodies;
  const Point<3> up = asked.pose.up();
  for (std::size_t i = 0; i < count; ++i) {
    const Quaternion yaw = about({0, 0, 1}, random.uniform(-3.2, 3.2));
    const Quaternion lean =
        about(random.direction<3>(), asked.lean * std::pow(10, random.uniform(-7, 0)));
    Solid<3> solid = body_of(random, kind, product(asked.pose.turn, product(yaw, lean)));
    const Point<3> place =
        asked.pose.placed({random.uniform(-3, 3), random.uniform(-3, 3), 0});
    const double depth = random.uniform(0.001, 0.01);
    const double rise = depth_below<T>(moved(solid, place), place, up) - depth;
    solid = stored<T>(moved(solid, plus(place, {rise * up[0], rise * up[1], rise * up[2]})));
    bodies.push_back(solid);
    append<3, T>(scene, solid);
  }
  CollideOptions options;
  options.flush_tolerance = asked.tolerance;
  options.threads.count = 1;
  options.moving_pairs = false;
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  ContactBuffer<3, T> contacts;
  if (kind == Kind::hull) {  // point sets are the static scene's
    const std::size_t tiles = row_count(ground.hulls);
    SceneColumns<3, T> both = ground;
    for (const Solid<3>& solid : bodies) append<3, T>(both, solid);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      scene.hulls.geometry[i] = both.hulls.geometry[tiles + i];
    }
    ground.geometries = both.geometries;
  }
  scene.geometries = {};
  build_static_scene<3, T>(ground, kept, workspace, options);
  collide<3, T>(scene, kept, contacts, workspace, options);
  Tally tally;
  tally.bodies = count;
  tally.contacts = contacts.size();
  std::vector<double> deepest(count, -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool is_a = contacts.pair[c].a < static_cast<std::int32_t>(count);
    const auto body = static_cast<std::size_t>(is_a ? contacts.pair[c].a : contacts.pair[c].b);
    double off2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double away = static_cast<double>(contacts.normal(c, k)) * (is_a ? -1 : 1);
      off2 += (away - up[k]) * (away - up[k]);
    }
    deepest[body] = std::max(deepest[body], static_cast<double>(contacts.depth[c]));
    if (off2 > asked.turn_tolerance * asked.turn_tolerance) {
      ++tally.wrong;
      if (tally.first.empty()) {
        tally.first = describe(bodies[body]) + " off by " + std::to_string(std::sqrt(off2)) +
                      " depth " + std::to_string(contacts.depth[c]) + " on " +
                      describe(solid_of<3, T>(ground, (is_a ? contacts.pair[c].b : contacts.pair[c].a) -
                                                          static_cast<std::int32_t>(count)));
      }
    }
  }
  const double allowed = (sizeof(SizeOf<T>) == 4 ? 5e-6 : 1e-11) +
                         (sizeof(PositionOf<T>) == 4 ? 4e-7 : 0) * std::abs(asked.pose.at[0]) +
                         asked.gap + asked.step + asked.lean * asked.turn_tolerance;
  for (std::size_t i = 0; i < count; ++i) {
    if (deepest[i] < 0) {
      ++tally.none;
      continue;
    }
    const double depth = depth_below<T>(bodies[i], asked.pose.at, up);
    if (std::abs(deepest[i] - depth) <= allowed) continue;
    ++tally.depths;
    if (tally.first.empty()) {
      tally.first = describe(bodies[i]) + " depth " + std::to_string(deepest[i]) + " not " +
                    std::to_string(depth);
    }
  }
  return tally;
}

template <class T>
void expect_floor(const Case& asked, std::size_t count, std::uint64_t seed) {
  for (const Kind kind : kBodies) {
    SCOPED_TRACE(std::string(kind_name(kind, 3)));
    const Tally tally = on_floor<T>(kind, asked, count, seed);
    EXPECT_EQ(tally.wrong, 0u) << "of " << tally.contacts << ": " << tally.first;
    EXPECT_EQ(tally.none, 0u);
    EXPECT_EQ(tally.depths, 0u) << tally.first;
  }
}

TEST(flush, a_floor_of_tiles_is_a_floor) {
  const std::size_t count = scaled(400, 40);
  for (const Tiling tiling : {Tiling::grid, Tiling::bricks, Tiling::mixed}) {
    for (const Kind tile : {Kind::aabb, Kind::box, Kind::hull}) {
      for (const double lean : {0.0, 1e-2}) {
        SCOPED_TRACE(testing::Message() << "tiling " << static_cast<int>(tiling) << " of "
                                        << kind_name(tile, 3) << " lean " << lean);
        Case asked;
        asked.tiling = tiling;
        asked.tile = tile;
        asked.lean = lean;
        expect_floor<float>(asked, count, 1);
        expect_floor<double>(asked, count / 4, 2);
      }
    }
  }
}

TEST(flush, a_floor_of_prisms_is_a_floor) {
  Case asked;
  asked.tiling = Tiling::prisms;
  for (const double lean : {0.0, 1e-2}) {
    asked.lean = lean;
    expect_floor<float>(asked, scaled(400, 40), 3);
    expect_floor<double>(asked, scaled(100, 20), 4);
  }
}

TEST(flush, a_floor_that_leans_is_a_floor) {
  Case asked;
  asked.pose.turn = product(about({0, 0, 1}, 0.7), about({1, 0, 0}, 0.4));
  for (const Tiling tiling : {Tiling::grid, Tiling::mixed, Tiling::prisms}) {
    asked.tiling = tiling;
    asked.lean = 1e-2;
    expect_floor<float>(asked, scaled(400, 40), 5);
    expect_floor<double>(asked, scaled(100, 20), 6);
    expect_floor<Mixed>(asked, scaled(100, 20), 6);
  }
}

TEST(flush, a_floor_far_from_the_origin_is_a_floor) {
  Case asked;
  asked.pose.at = {1e6, -2e6, 3e6};
  asked.pose.turn = about({1, 0, 0}, 0.4);
  asked.tiling = Tiling::mixed;
  asked.lean = 1e-2;
  expect_floor<double>(asked, scaled(100, 20), 7);
  expect_floor<Mixed>(asked, scaled(100, 20), 7);
}

TEST(flush, gaps_and_steps_within_the_tolerance_are_not_felt) {
  Case asked;
  asked.tolerance = 1e-3;
  asked.gap = 1e-3;
  asked.step = 5e-4;
  asked.turn_tolerance = 1e-2;
  for (const Tiling tiling : {Tiling::grid, Tiling::bricks, Tiling::mixed}) {
    asked.tiling = tiling;
    expect_floor<float>(asked, scaled(400, 40), 8);
  }
}

/// Contacts of one scene, its blocks owned by 1.
template <class T>
struct Asked {
  SceneColumns<3, T> scene;
  ContactBuffer<3, T> contacts;
  std::vector<std::int32_t> ids;  ///< of the shapes in the order given

  Asked(const std::vector<Solid<3>>& blocks, const std::vector<Solid<3>>& bodies,
        CollideOptions options = {}, bool is_flush = true) {
    std::vector<std::pair<Kind, std::int32_t>> rows;
    for (const auto* list : {&blocks, &bodies}) {
      for (const Solid<3>& solid : *list) {
        const std::int32_t row = append<3, T>(scene, stored<T>(solid));
        rows.push_back({solid.kind, row});
        const std::int32_t owner =
            list == &blocks ? 1 : 2 + static_cast<std::int32_t>(rows.size());
        with_table(scene, solid.kind, [&](auto& table) {
          table.owner.resize(static_cast<std::size_t>(row) + 1, owner);
        });
      }
    }
    const SceneLayout layout = layout_of(scene);
    for (const auto& [kind, row] : rows) ids.push_back(layout.id(kind, row));
    if (is_flush) options.flush_tolerance = kTolerance;
    options.threads.count = 1;
    Workspace<3, T> workspace;
    collide<3, T>(scene, contacts, workspace, options);
  }
  /// From the first shape's point of view.
  struct Found {
    Point<3> normal;
    double depth;
    std::size_t points;
  };
  std::vector<Found> between(std::size_t first, std::size_t second) const {
    std::vector<Found> found;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Pair pair = contacts.pair[c];
      const bool is_it = pair.a == ids[first] && pair.b == ids[second];
      if (!is_it && !(pair.b == ids[first] && pair.a == ids[second])) continue;
      Found one{{}, static_cast<double>(contacts.depth[c]),
                static_cast<std::size_t>(contacts.offset[c + 1] - contacts.offset[c])};
      for (int k = 0; k < 3; ++k) {
        one.normal[k] = static_cast<double>(contacts.normal(c, k)) * (is_it ? 1 : -1);
      }
      found.push_back(one);
    }
    return found;
  }
};

double between(const Point<3>& a, const Point<3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// A row of two blocks along x, their tops at z = 0, and a wall of two blocks at y = 1.
std::vector<Solid<3>> corner_blocks() {
  return {aabb<3>({-1, 0, -1}, {0, 1, 0}), aabb<3>({0, 0, -1}, {1, 1, 0}),
          aabb<3>({-1, 1, -1}, {0, 2, 2}), aabb<3>({0, 1, -1}, {1, 2, 2})};
}

TEST(flush, a_concave_corner_has_the_normals_of_both_sides) {
  // 0.01 deep in floor and wall, across the joint of each.
  const Asked<float> ball_there(corner_blocks(), {ball<3>({0.01, 0.51, 0.49}, 0.5)});
  const std::vector<Solid<3>> crates{
      box({0.05, 0.76, 0.24}, kUpright, {0.25, 0.25, 0.25})};
  const Asked<float> crate(corner_blocks(), crates);
  for (const Asked<float>* asked : {&ball_there, &crate}) {
    for (const std::size_t block : {0, 1, 2, 3}) {
      const auto found = asked->between(block, 4);
      ASSERT_EQ(found.size(), 1u) << block;
      const Point<3> normal = block < 2 ? Point<3>{0, 0, 1} : Point<3>{0, -1, 0};
      EXPECT_LT(between(found[0].normal, normal), 1e-4) << block;
      EXPECT_NEAR(found[0].depth, 0.01, 1e-5) << block;
    }
  }
}

TEST(flush, outer_edges_and_corners_are_felt) {
  // Beside the outer edge y = 0, z = 0 and over the joint: 45 degrees off, from both blocks.
  const double off = 0.49 / std::sqrt(2);
  const Asked<double> edge(corner_blocks(), {ball<3>({0.1, -off, off}, 0.5)});
  for (const std::size_t block : {0, 1}) {
    const auto found = edge.between(block, 4);
    ASSERT_EQ(found.size(), block == 1 ? 1u : found.size());
    if (found.empty()) continue;
    EXPECT_LT(between(found[0].normal, {0, -std::sqrt(0.5), std::sqrt(0.5)}), 1e-9);
    EXPECT_NEAR(found[0].depth, 0.01, 1e-12);
  }
  // Deep enough to be in both.
  const double deep = 0.45 / std::sqrt(2);
  const Asked<double> both(corner_blocks(), {ball<3>({0.1, -deep, deep}, 0.5)});
  for (const std::size_t block : {0, 1}) {
    const auto found = both.between(block, 4);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(between(found[0].normal, {0, -std::sqrt(0.5), std::sqrt(0.5)}), 1e-9) << block;
    EXPECT_NEAR(found[0].depth, 0.05, 1e-12) << block;
  }
  // Off the corner at x = 1.
  const double third = 0.49 / std::sqrt(3);
  const Asked<double> corner(corner_blocks(), {ball<3>({1 + third, -third, third}, 0.5)});
  const auto found = corner.between(1, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(between(found[0].normal, {std::sqrt(1 / 3.0), -std::sqrt(1 / 3.0), std::sqrt(1 / 3.0)}),
            1e-9);
}

TEST(flush, without_the_tolerance_a_joint_is_felt) {
  const std::vector<Solid<3>> balls{ball<3>({0.1, 0.5, 0.45}, 0.5)};
  const Asked<float> plain(corner_blocks(), balls, {}, false);
  const Asked<float> flush(corner_blocks(), balls);
  ASSERT_EQ(plain.contacts.size(), 2u);
  ASSERT_EQ(flush.contacts.size(), 2u);
  EXPECT_GT(between(plain.between(0, 4)[0].normal, {0, 0, 1}), 0.1);
  EXPECT_LT(between(flush.between(0, 4)[0].normal, {0, 0, 1}), 1e-6);
}

/// Blocks of a random solid of cubes, joined at random along x, y or z.
struct Cubes {
  std::array<int, 3> size{4, 4, 3};
  std::vector<int> filled;
  bool has(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) return false;
    return filled[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] != 0;
  }
};
Cubes random_cubes(Random& random, double share) {
  Cubes cubes;
  for (int i = 0; i < 48; ++i) cubes.filled.push_back(random.chance(share) ? 1 : 0);
  return cubes;
}
std::vector<std::array<Point<3>, 2>> blocks_of(Random& random, const Cubes& cubes) {
  std::vector<int> taken(cubes.filled.size());
  std::vector<std::array<Point<3>, 2>> blocks;
  const auto place = [&](const std::array<int, 3>& at) {
    return static_cast<std::size_t>((at[2] * 4 + at[1]) * 4 + at[0]);
  };
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        if (!cubes.has(x, y, z) || taken[place({x, y, z})] != 0) continue;
        const int axis = random.integer(0, 2), most = random.integer(1, 4);
        std::array<int, 3> at{x, y, z};
        int length = 0;
        while (length < most && cubes.has(at[0], at[1], at[2]) && taken[place(at)] == 0) {
          taken[place(at)] = 1;
          ++at[static_cast<std::size_t>(axis)];
          ++length;
        }
        Point<3> high{x + 1.0, y + 1.0, z + 1.0};
        high[axis] += length - 1;
        blocks.push_back({Point<3>{double(x), double(y), double(z)}, high});
      }
    }
  }
  return blocks;
}
Point<3> nearest_in(const std::array<Point<3>, 2>& block, const Point<3>& p) {
  Point<3> q;
  for (int k = 0; k < 3; ++k) q[k] = std::clamp(p[k], block[0][k], block[1][k]);
  return q;
}

/// A ball whose centre is outside of a solid of blocks: the deepest contact is that of the solid's
/// nearest point; every local minimum of the distance has a contact, none is deeper than the
/// deepest minimum, and its direction is one of those that the solid has.
template <class T>
void expect_solids(std::size_t solids, std::uint64_t seed, double tolerance) {
  Random random(seed);
  std::size_t asked_balls = 0;
  for (std::size_t s = 0; s < solids; ++s) {
    const Cubes cubes = random_cubes(random, random.uniform(0.3, 0.9));
    const auto blocks = blocks_of(random, cubes);
    if (blocks.size() < 2) continue;
    std::vector<Solid<3>> parts, balls;
    for (const auto& block : blocks) parts.push_back(aabb<3>(block[0], block[1]));
    for (int n = 0; n < 60; ++n) {
      const Point<3> at{random.uniform(-0.5, 4.5), random.uniform(-0.5, 4.5),
                        random.uniform(-0.5, 3.5)};
      double least = 1e9;
      for (const auto& block : blocks) least = std::min(least, between(at, nearest_in(block, at)));
      if (least < 0.02) continue;
      balls.push_back(ball<3>(at, least + random.uniform(0.001, 0.3)));
    }
    const Asked<T> asked(parts, balls);
    for (std::size_t n = 0; n < balls.size(); ++n) {
      const Solid<3> own = stored<T>(balls[n]);
      ++asked_balls;
      std::vector<std::pair<Point<3>, double>> minima;
      double nearest = 1e9;
      for (const auto& block : blocks) {
        const Point<3> place = nearest_in(block, own.p);
        const double distance = between(place, own.p);
        nearest = std::min(nearest, distance);
        bool is_least = distance < own.size;
        for (const auto& other : blocks) {
          const bool has = between(nearest_in(other, place), place) < 1e-9;
          if (has && between(nearest_in(other, own.p), own.p) < distance - 1e-9) is_least = false;
        }
        if (!is_least) continue;
        Point<3> way;
        for (int k = 0; k < 3; ++k) way[k] = (own.p[k] - place[k]) / distance;
        minima.push_back({way, own.size - distance});
      }
      double deepest = 0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const auto& found : asked.between(b, blocks.size() + n)) {
          deepest = std::max(deepest, found.depth);
        }
      }
      EXPECT_NEAR(deepest, own.size - nearest, tolerance) << describe(own);
      for (const auto& [way, depth] : minima) {
        bool is_there = false;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
          for (const auto& found : asked.between(b, blocks.size() + n)) {
            is_there |= between(found.normal, way) < 100 * tolerance &&
                        std::abs(found.depth - depth) < tolerance;
          }
        }
        EXPECT_TRUE(is_there) << describe(own) << " depth " << depth;
      }
    }
  }
  EXPECT_GT(asked_balls, 10 * solids);
}

TEST(flush, balls_touch_solids_of_blocks_at_the_local_minima_of_the_distance) {
  expect_solids<float>(scaled(60, 10), 11, 3e-6);
  expect_solids<double>(scaled(60, 10), 12, 1e-12);
}

/// What a contact says, by the numbers of the shapes and whoever is named first.
using Said = std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>;
template <class T>
Said said_by(const Asked<T>& asked, const std::vector<std::size_t>& numbers) {
  Said said;
  for (std::size_t c = 0; c < asked.contacts.size(); ++c) {
    const auto number_of = [&](std::int32_t id) {
      return numbers[static_cast<std::size_t>(std::ranges::find(asked.ids, id) -
                                              asked.ids.begin())];
    };
    const std::size_t a = number_of(asked.contacts.pair[c].a);
    const std::size_t b = number_of(asked.contacts.pair[c].b);
    std::vector<double>& row = said[{std::min(a, b), std::max(a, b)}];
    row.push_back(static_cast<double>(asked.contacts.depth[c]));
    for (int k = 0; k < 3; ++k) {
      row.push_back(static_cast<double>(asked.contacts.normal(c, k)) * (a < b ? 1 : -1));
    }
  }
  return said;
}

TEST(flush, the_order_of_shapes_does_not_matter) {
  Random random(20);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::mixed, Kind::box, {});
  std::vector<Solid<3>> bodies;
  for (int n = 0; n < 60; ++n) {
    Solid<3> solid = body_of(random, kBodies[static_cast<std::size_t>(n) % kBodies.size()],
                             about(random.direction<3>(), 0.01));
    const Point<3> place{random.uniform(-4.2, 4.2), random.uniform(-4.2, 4.2), 0};
    const double low = depth_below<double>(solid, {0, 0, 0}, {0, 0, 1});
    solid = moved(solid, {place[0], place[1], low - random.uniform(0, 0.01)});
    bodies.push_back(solid);
  }
  std::vector<std::size_t> numbers(blocks.size() + bodies.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  const Said said = said_by(Asked<double>(blocks, bodies), numbers);
  EXPECT_GT(said.size(), 60u);
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<Solid<3>> others;
    for (std::size_t i = blocks.size(); i-- > 1;) {
      std::swap(numbers[i], numbers[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) others.push_back(blocks[numbers[i]]);
    const Said again = said_by(Asked<double>(others, bodies), numbers);
    ASSERT_EQ(again.size(), said.size());
    for (const auto& [names, numbers_said] : said) {
      const auto found = again.find(names);
      ASSERT_NE(found, again.end());
      ASSERT_EQ(found->second.size(), numbers_said.size());
      for (std::size_t k = 0; k < numbers_said.size(); ++k) {
        EXPECT_NEAR(found->second[k], numbers_said[k], 1e-12) << names.first << " " << names.second;
      }
    }
  }
}

/// Every contact of a scene that is asked in another way.
template <class T>
void expect_mirrored(const SceneColumns<3, T>& scene, const ContactBuffer<3, T>& contacts) {
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    pairs.push_back({contacts.pair[c].b, contacts.pair[c].a});
  }
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  options.order = Order::source;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> mirrored;
  collide_pairs<3, T>(scene, pairs, mirrored, workspace, options);
  ASSERT_EQ(mirrored.size(), contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_EQ(mirrored.depth[c], contacts.depth[c]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(mirrored.normal(c, k), 0 - contacts.normal(c, k));
    ASSERT_EQ(mirrored.offset[c + 1] - mirrored.offset[c],
              contacts.offset[c + 1] - contacts.offset[c]);
  }
}

TEST(flush, sets_and_threads_and_whose_name_is_first_change_no_bit) {
  Random random(21);
  std::vector<Solid<3>> bodies;
  for (int n = 0; n < 300; ++n) {
    Solid<3> solid = body_of(random, kBodies[static_cast<std::size_t>(n) % kBodies.size()],
                             about(random.direction<3>(), random.uniform(0, 0.1)));
    const double low = depth_below<float>(solid, {0, 0, 0}, {0, 0, 1});
    bodies.push_back(moved(solid, {random.uniform(-4.2, 4.2), random.uniform(-4.2, 4.2),
                                   low - random.uniform(0, 0.05)}));
  }
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::bricks, Kind::box, {});
  const Asked<float> asked(blocks, bodies);
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    EXPECT_EQ(hash(Asked<float>(blocks, bodies, options).contacts), hash(asked.contacts));
  }
  expect_mirrored(asked.scene, asked.contacts);
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  options.threads.count = 4;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (int step = 0; step < 2; ++step) {  // the second one keeps what it found
    collide<3, float>(asked.scene, contacts, workspace, options);
    EXPECT_EQ(hash(contacts), hash(asked.contacts));
  }
  std::vector<std::uint8_t> is_contact(contacts.size());
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c) pairs.push_back(contacts.pair[c]);
  test_pairs<3, float>(asked.scene, pairs, is_contact, workspace);
  EXPECT_EQ(std::ranges::count(is_contact, 1), static_cast<std::ptrdiff_t>(contacts.size()));
}

TEST(flush, a_crate_of_boxes_rests_on_a_floor_of_tiles) {
  // Eight cubes on a body over the joint of four tiles, 0.001 deep, with a lean.
  for (const double lean : {0.0, 1e-7, 1e-4, 1e-2}) {
    SceneColumns<3, double> scene;
    Random random(22);
    for (const Solid<3>& tile : floor_tiles(random, Tiling::grid, Kind::box, {})) {
      append<3, double>(scene, tile);
    }
    const std::size_t tiles = row_count(scene.boxes);
    for (int v = 0; v < 8; ++v) {
      const auto at = [&](int k) { return (v >> k) % 2 != 0 ? 0.1 : -0.1; };
      append<3, double>(scene, box({at(0), at(1), at(2)}, kUpright, {0.1, 0.1, 0.1}));
    }
    const auto all = row_count(scene.boxes);
    scene.boxes.owner.resize(all, 1);
    scene.boxes.body.resize(all, -1);
    for (std::size_t row = tiles; row < all; ++row) {
      scene.boxes.owner[row] = 2;
      scene.boxes.body[row] = 0;
    }
    const Quaternion turn = product(about({0, 0, 1}, 0.3), about({1, 2, 0}, lean));
    scene.bodies.position.push_back({0.03, 0.02, 0.199});
    scene.bodies.turn.push_back({turn[0], turn[1], turn[2], turn[3]});
    CollideOptions options;
    options.flush_tolerance = kTolerance;
    Workspace<3, double> workspace;
    ContactBuffer<3, double> contacts;
    collide<3, double>(scene, contacts, workspace, options);
    EXPECT_GT(contacts.size(), 3u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_GT(contacts.normal(c, 2), 1 - 1e-6) << "lean " << lean;
      EXPECT_LT(contacts.depth[c], 0.0011 + 0.4 * lean) << "lean " << lean;
    }
  }
}

TEST(flush, a_thin_slab_keeps_the_contacts_that_carry_it) {
  // rapier issue 524: rules for edges drop contacts that matter, and slabs fall through.
  Random random(23);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::mixed, Kind::box, {});
  for (const double yaw : {0.0, 0.3, 0.78539816339}) {
    for (const double lean : {0.0, 1e-5, 0.02}) {
      const Quaternion turn = product(about({0, 0, 1}, yaw), about({0, 1, 0}, lean));
      const Solid<3> slab = box({0.1, 0.2, 0.013}, turn, {1, 1, 0.015});
      const Asked<float> asked(blocks, {slab});
      double most = 0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const auto& found : asked.between(b, blocks.size())) {
          EXPECT_LT(between(found.normal, {0, 0, 1}), 1e-3);
          most = std::max(most, found.depth);
        }
      }
      EXPECT_NEAR(most, depth_below<float>(slab, {0, 0, 0}, {0, 0, 1}), 1e-5);
    }
  }
}

TEST(flush, a_box_slides_over_a_wall_of_bricks_without_a_trip) {
  // avian issue 612, parry issue 442: it catches on the joints of a compound. 0.001 deep, from one
  // end to the other and over every joint by steps of 1.7 mm.
  Random random(24);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::bricks, Kind::box, {});
  std::vector<Solid<3>> crates, rollers;
  const std::size_t steps = scaled(3000, 300);
  for (std::size_t step = 0; step < steps; ++step) {
    const double x = -3 + 6.0 * static_cast<double>(step) / static_cast<double>(steps);
    crates.push_back(box({x, 0.37, 0.099}, kUpright, {0.1, 0.1, 0.1}));
    rollers.push_back(capsule<3>({x, 0.9, 0.049}, {x, 1.2, 0.049}, 0.05));
  }
  for (const auto* list : {&crates, &rollers}) {
    std::vector<std::size_t> found(list->size());
    for (std::size_t first = 0; first < list->size(); first += 100) {
      // Far apart from one another: one scene each hundred, without an owner's filter between.
      const std::vector<Solid<3>> few(list->begin() + static_cast<std::ptrdiff_t>(first),
                                      list->begin() + static_cast<std::ptrdiff_t>(first + 100));
      SceneColumns<3, float> scene;
      for (const auto* shapes : {&blocks, &few}) {
        for (const Solid<3>& solid : *shapes) {
          append<3, float>(scene, stored<float>(solid));
          with_table(scene, solid.kind, [&](auto& table) {
            table.owner.push_back({shapes == &blocks ? 1 : 2});
          });
        }
      }
      CollideOptions options;
      options.flush_tolerance = kTolerance;
      Workspace<3, float> workspace;
      ContactBuffer<3, float> contacts;
      collide<3, float>(scene, contacts, workspace, options);
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        EXPECT_GT(std::abs(contacts.normal(c, 2)), 0.99999f);
        EXPECT_NEAR(contacts.depth[c], 0.001f, 2e-6f);
      }
      EXPECT_GE(contacts.size(), 100u);
    }
  }
}

TEST(flush, a_step_beyond_the_tolerance_is_felt) {
  // The right block is higher by ten tolerances: a crate that comes from the left meets its side.
  const std::vector<Solid<3>> blocks{aabb<3>({-1, 0, -1}, {0, 1, 0}),
                                     aabb<3>({0, 0, -1}, {1, 1, 10 * kTolerance})};
  const Asked<double> asked(blocks, {box({-0.0999, 0.5, 0.0999}, kUpright, {0.1, 0.1, 0.1})});
  const auto found = asked.between(1, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(between(found[0].normal, {-1, 0, 0}), 1e-9);
}

TEST(flush, errors_name_the_option) {
  CollideOptions options;
  SceneColumns<3, float> scene;
  SceneColumns<2, float> flat;
  Workspace<3, float> workspace;
  Workspace<2, float> flat_workspace;
  ContactBuffer<3, float> contacts;
  ContactBuffer<2, float> flat_contacts;
  options.flush_tolerance = -1;
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace, options); }),
            "flush_tolerance is -1; it must be finite and >= 0");
  options.flush_tolerance = 0.5;
  EXPECT_EQ(error_of([&] { collide<2, float>(flat, flat_contacts, flat_workspace, options); }),
            "flush_tolerance is for 3D; in 2D mark inner edges (polygons.inner)");
  scene.domain.max = {1, 1, 1};
  scene.domain.periodic = {true, false, false};
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace, options); }),
            "flush_tolerance is not for periodic domains; leave it 0");
}

}  // namespace
}  // namespace widephase::test
