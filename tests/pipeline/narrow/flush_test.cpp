// Shapes of one owner that lie flush (`flush_tolerance`): a floor of tiles is a floor, for every
// kind at any yaw and lean, and solids of blocks have the contacts of the solid. The references are
// a plane, and brute force over all blocks.
// Labels: dated

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
  bool in_one_scene = false;  ///< not as a static scene
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
  build_static_scene<3, T>(ground, kept, workspace, options);
  std::vector<std::int32_t> body_of_id;
  if constexpr (true) {
    SceneSpan<3, T> moving = scene;
    // Hulls of both are in the kept scene.
    SceneColumns<3, T> both = ground;
    if (kind == Kind::hull) {
      for (const Solid<3>& solid : bodies) append<3, T>(both, solid);
      const std::size_t tiles = row_count(ground.hulls);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        scene.hulls.geometry[i] = both.hulls.geometry[tiles + i];
      }
      ground.geometries = both.geometries;
      build_static_scene<3, T>(ground, kept, workspace, options);
      moving = scene;
    }
    moving.geometries = {};
    moving.kept = &kept;
    collide<3, T>(moving, contacts, workspace, options);
  }
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

}  // namespace
}  // namespace widephase::test
