// Times of impact with height fields and with meshes that move, against every triangle at every
// time; and which triangles they name.

#include <gtest/gtest.h>

#include <algorithm>

#include <widephase/heightfields.hpp>
#include <widephase/impact.hpp>
#include <widephase/meshes.hpp>

#include "support/generate.hpp"
#include "support/moving_solids.hpp"

namespace widephase::test {
namespace {

using Triangle = std::array<Vec<3>, 3>;

Real point_to_segment(const Vec<3>& p, const Vec<3>& a, const Vec<3>& b) {
  const Vec<3> along = minus(b, a);
  const Real square = dot(along, along);
  const Real s = square > 0 ? std::clamp<Real>(dot(minus(p, a), along) / square, 0, 1) : 0;
  return length(minus(p, plus(a, along, s)));
}

Real point_to_triangle(const Vec<3>& p, const Triangle& t) {
  const Vec<3> normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  bool is_over = true;
  Real least = std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&a = t[k], &b = t[(k + 1) % 3];
    is_over &= dot(cross(normal, minus(b, a)), minus(p, a)) >= 0;
    least = std::min(least, point_to_segment(p, a, b));
  }
  return is_over ? std::abs(dot(normal, minus(p, t[0]))) / length(normal) : least;
}

Real between_segments(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  const Real of_ends = std::min(std::min(point_to_segment(a, c, d), point_to_segment(b, c, d)),
                                std::min(point_to_segment(c, a, b), point_to_segment(d, a, b)));
  const Vec<3> u = minus(b, a), v = minus(d, c), w = minus(a, c);
  const Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const Real square = uu * vv - uv * uv;
  if (!(square > 1e-12L * uu * vv)) return of_ends;
  const Real s = (uv * vw - vv * uw) / square, r = (uu * vw - uv * uw) / square;
  if (s < 0 || s > 1 || r < 0 || r > 1) return of_ends;
  return std::min(of_ends, length(minus(plus(w, u, s), times(v, r))));
}

/// A convex shape's core as corners, the edges between them, and its radius.
struct Core {
  std::vector<Vec<3>> corners;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::array<Vec<3>, 3> axes{};  ///< of a box
  Vec<3> center{}, half{};
  Real radius = 0;
  Real reach = 0;  ///< of all from the centre
};

Core core_of(const Solid<3>& solid) {
  Core core;
  core.radius = solid.size;
  core.center = widened(solid.p);
  if (solid.kind == Kind::box) {
    core.axes = axes_of(solid.orientation);
    core.half = widened(solid.q);
    for (std::size_t i = 0; i < 8; ++i) {
      Vec<3> corner = core.center;
      for (std::size_t k = 0; k < 3; ++k) {
        corner = plus(corner, core.axes[k], (i >> k & 1) != 0 ? core.half[k] : -core.half[k]);
        if ((i >> k & 1) == 0) core.edges.push_back({i, i | (std::size_t{1} << k)});
      }
      core.corners.push_back(corner);
    }
  } else {
    core.corners.push_back(core.center);
    if (solid.kind == Kind::capsule) {
      core.corners.push_back(widened(solid.q));
      core.edges.push_back({0, 1});
    }
  }
  for (const Vec<3>& corner : core.corners) {
    core.reach = std::max(core.reach, length(minus(corner, core.center)));
  }
  return core;
}

/// The distance of a shape and a triangle that do not cross.
Real distance_between(const Core& core, const Triangle& triangle) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Vec<3>& corner : core.corners) {
    least = std::min(least, point_to_triangle(corner, triangle));
  }
  for (const auto& [from, to] : core.edges) {
    for (int k = 0; k < 3; ++k) {
      least = std::min(least, between_segments(core.corners[from], core.corners[to], triangle[k],
                                               triangle[(k + 1) % 3]));
    }
  }
  for (int v = 0; v < 3 && length(core.half) > 0; ++v) {
    Vec<3> outside{};
    for (int k = 0; k < 3; ++k) {
      const Real at = std::abs(dot(core.axes[k], minus(triangle[v], core.center)));
      outside[k] = std::max<Real>(0, at - core.half[k]);
    }
    least = std::min(least, length(outside));
  }
  return least - core.radius;
}

Vec<3> placed_point(const Vec<3>& point, const BodyWay<3>& way, Real t) {
  const Vec<4> q = quaternion_at(way, t);
  const std::array<Vec<3>, 3> axes =
      axes_of({static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
               static_cast<double>(q[3])});
  Vec<3> at{};
  for (int k = 0; k < 3; ++k) {
    at[k] = (1 - t) * way.start[k] + t * way.end[k];
    for (int i = 0; i < 3; ++i) at[k] += axes[i][k] * point[i];
  }
  return at;
}

/// The triangles of a body.
struct Terrain {
  std::vector<Triangle> triangles;
  std::vector<std::int32_t> names;  ///< their parts
  BodyWay<3> way;
  bool is_moving = false;
  Real reach = 0;

  Triangle at(std::size_t i, Real t) const {
    if (!is_moving) return triangles[i];
    Triangle placed;
    for (int k = 0; k < 3; ++k) placed[k] = placed_point(triangles[i][k], way, t);
    return placed;
  }
};

Real distance_at(const Solid<3>& solid, const BodyWay<3>& way, const Terrain& terrain, Real t) {
  const Core core = core_of(placed(solid, way, t));
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < terrain.triangles.size(); ++i) {
    const Triangle triangle = terrain.at(i, t);
    const Vec<3>& v = triangle[0];
    const Real reach = std::max(length(minus(triangle[1], v)), length(minus(triangle[2], v)));
    if (length(minus(v, core.center)) - reach - core.reach - core.radius > least) continue;
    least = std::min(least, distance_between(core, triangle));
  }
  return least;
}

template <class T>
struct TerrainScene {
  static constexpr int kSide = 6;
  SceneColumns<3, T> scene;
  Column<PositionOf<T>, 3> position_end;
  Column<SizeOf<T>, 4> turn_end;
  std::array<Terrain, 2> terrains;  ///< a field that stands and a sheet that moves
  std::vector<Solid<3>> solids;
  std::vector<BodyWay<3>> ways;
  std::vector<std::int32_t> ids;

  TerrainScene(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<SizeOf<T>> heights;
    for (int i = 0; i < kSide * kSide; ++i) {
      heights.push_back(static_cast<SizeOf<T>>(random.uniform(-0.6, 0.6)));
    }
    add_heightfield(
        scene.heightfield_geometries,
        ColumnSpan<SizeOf<T>>::interleaved(heights.data(), heights.size(), sizeof(SizeOf<T>)),
        kSide, SizeOf<T>{1}, SizeOf<T>{1});
    scene.heightfields.center.push_back({0, 0, 0});
    scene.heightfields.turn.push_back({0, 0, 0, 1});
    scene.heightfields.geometry.push_back(0);
    scene.heightfields.body.push_back(-1);
    for (std::int32_t i = 0; i < 2 * kSide * (kSide - 1); ++i) {
      if (i / 2 % kSide == kSide - 1) continue;  // no cell
      add_triangle(terrains[0], i,
                   heightfield_triangle(scene.heightfield_geometries, 0, i).vertices);
    }

    std::vector<SizeOf<T>> corners;
    std::vector<std::int32_t> indices;
    for (int i = 0; i < kSide * kSide; ++i) {
      const int x = i % kSide, y = i / kSide;
      for (const double number : {x - 2.5, y - 2.5, random.uniform(-0.6, 0.6)}) {
        corners.push_back(static_cast<SizeOf<T>>(number));
      }
      if (x + 1 == kSide || y + 1 == kSide) continue;
      for (const int corner : {i, i + 1, i + kSide + 1, i, i + kSide + 1, i + kSide}) {
        indices.push_back(corner);
      }
    }
    const std::size_t vertices = corners.size() / 3, triangles = indices.size() / 3;
    add_mesh(scene.mesh_geometries,
             ColumnSpan<SizeOf<T>, 3>::interleaved(corners.data(), vertices, 3 * sizeof(SizeOf<T>)),
             ColumnSpan<std::int32_t, 3>::interleaved(indices.data(), triangles, 12), true);
    scene.meshes.center.push_back({0, 0, 0});
    scene.meshes.turn.push_back({0, 0, 0, 1});
    scene.meshes.geometry.push_back(0);
    scene.meshes.body.push_back(0);
    for (std::size_t i = 0; i < triangles; ++i) {
      SizeOf<T> own[3][3];
      for (std::size_t v = 0; v < 3; ++v) {
        for (std::size_t k = 0; k < 3; ++k) {
          own[v][k] = corners[3 * static_cast<std::size_t>(indices[3 * i + v]) + k];
        }
      }
      add_triangle(terrains[1], static_cast<std::int32_t>(i), own);
    }
    Terrain& sheet = terrains[1];
    sheet.is_moving = true;
    add_body(random, sheet.way, {2.5, 2.5, 5}, {2.5, 2.5, 4}, 0.8);

    for (std::size_t i = 0; i < count; ++i) {
      const Kind kind = i % 3 == 0 ? Kind::sphere : i % 3 == 1 ? Kind::capsule : Kind::box;
      Solid<3> solid = random_solid<3>(random, kind, random.point<3>(-0.2, 0.2), 0.4);
      solid = stored<T>(solid);
      // From the side or from high above, through the sheet, to below the field.
      const bool is_across = random.chance(0.3);
      const double low = is_across ? random.uniform(1.2, 3) : 9;
      BodyWay<3> way;
      add_body(random, way, {random.uniform(0, 5), random.uniform(0, 5), low},
               {random.uniform(0, 5), random.uniform(0, 5), is_across ? low : -2}, 2);
      solids.push_back(solid);
      ways.push_back(way);
    }
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back(append(scene, solids[i]));
      with_table(scene, solids[i].kind,
                 [&](auto& table) { table.body.push_back(static_cast<std::int32_t>(i) + 1); });
    }
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < count; ++i) ids.push_back(layout.id(solids[i].kind, rows[i]));
  }

  Motion<3, T> motion() const {
    Motion<3, T> motion;
    motion.position_end = position_end;
    motion.orientation_end = turn_end;
    return motion;
  }

 private:
  template <class Vertices>
  static void add_triangle(Terrain& terrain, std::int32_t name, const Vertices& vertices) {
    Triangle triangle;
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) triangle[v][k] = vertices[v][k];
      terrain.reach = std::max(terrain.reach, length(triangle[v]));
    }
    terrain.triangles.push_back(triangle);
    terrain.names.push_back(name);
  }
  /// Rotates by up to `most` about any axis.
  void add_body(Random& random, BodyWay<3>& way, Point<3> start, Point<3> end, double most) {
    way.start = start;
    way.end = end;
    const Point<3> axis = random.direction<3>();
    const double half = random.uniform(0, most) / 2;
    for (int k = 0; k < 3; ++k) way.turn_end[k] = std::sin(half) * axis[k];
    way.turn_end[3] = std::cos(half);
    way = stored_way<T>(way);
    scene.bodies.position.push_back(as_row<3, PositionOf<T>>(way.start));
    scene.bodies.turn.push_back(as_row<4, SizeOf<T>>(way.turn_start));
    position_end.push_back(as_row<3, PositionOf<T>>(way.end));
    turn_end.push_back(as_row<4, SizeOf<T>>(way.turn_end));
  }
};

template <class T>
void check_terrain(std::size_t count, std::uint64_t seed) {
  const TerrainScene<T> terrain(count, seed);
  const SceneLayout layout = layout_of(terrain.scene);
  const std::array<std::int32_t, 2> surfaces{layout.id(Kind::heightfield, 0),
                                             layout.id(Kind::mesh, 0)};
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const std::int32_t shape = terrain.ids[i / 2], surface = surfaces[i % 2];
    pairs.push_back(i % 3 == 0 ? Pair{surface, shape} : Pair{shape, surface});
  }
  ShapeCastOptions options;
  options.margin = 0.05;
  options.tolerance = 1e-3;
  Workspace<3, T> workspace;
  ImpactHits<3, T> hits, first;
  time_of_impact(terrain.scene, terrain.motion(), pairs, hits, workspace, options);
  first_impacts(terrain.scene, terrain.motion(), first, workspace, options);
  ASSERT_EQ(hits.part.size(), pairs.size());
  ASSERT_EQ(first.part.size(), count + 1);
  const double rounding = sizeof(SizeOf<T>) == 4 ? 2e-5 : 1e-9;
  std::size_t met = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Terrain& surface = terrain.terrains[i % 2];
    const Solid<3>& solid = terrain.solids[i / 2];
    const BodyWay<3>& way = terrain.ways[i / 2];
    const auto status = static_cast<CastStatus>(hits.status[i]);
    const bool is_met = status == CastStatus::hit;
    EXPECT_TRUE(is_met || status == CastStatus::none) << int{hits.status[i]};
    const Real until = is_met ? Real{hits.t[i]} : 1;
    Real fastest = turn_rate(way) * reach_of(solid) + turn_rate(surface.way) * surface.reach;
    Vec<3> shift{};
    for (int k = 0; k < 3; ++k) {
      shift[k] = Real{way.end[k]} - way.start[k] - surface.way.end[k] + surface.way.start[k];
    }
    fastest += length(shift);
    const auto rest_at = [&](Real t) {
      return distance_at(solid, way, surface, t) - static_cast<Real>(options.margin);
    };
    for (Real t = 0; t <= until;) {
      const Real rest = rest_at(t);
      ASSERT_GE(rest, -rounding) << "row " << i << (is_met ? ": late at " : ": missed at ") << t;
      t += std::max(rest / fastest, Real{1} / 2048);
    }
    const int of_shape = pairs[i].a == terrain.ids[i / 2] ? 0 : 1;
    EXPECT_EQ(hits.part(i, of_shape), -1);
    if (!is_met) {
      EXPECT_EQ(hits.part(i, 1 - of_shape), -1);
      continue;
    }
    ++met;
    const Real rest = rest_at(until);
    EXPECT_LE(rest, options.tolerance + rounding) << "row " << i << ": early";
    const auto found = std::ranges::find(surface.names, hits.part(i, 1 - of_shape));
    ASSERT_NE(found, surface.names.end());
    const auto part = static_cast<std::size_t>(found - surface.names.begin());
    const Triangle named = surface.at(part, until);
    const Real gap = distance_between(core_of(placed(solid, way, until)), named);
    EXPECT_LE(gap, rest + options.margin + rounding) << "row " << i << ": another is nearer";
    Vec<3> point{};
    for (int k = 0; k < 3; ++k) point[k] = static_cast<Real>(hits.point(i, k));
    const Real from_point = point_to_triangle(point, named);
    EXPECT_LE(std::min(std::abs(from_point - gap), from_point), 1e-3) << "row " << i;
  }
  EXPECT_GT(met, count / 2);
  // The first of each body is the earlier of its two, or meets another shape.
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t row : {2 * i, 2 * i + 1}) {
      EXPECT_LE(first.t[i + 1], hits.t[row]);
      if (first.pair[i + 1].a != surfaces[row % 2]) continue;
      EXPECT_EQ(first.t[i + 1], hits.t[row]);
      const int of_shape = pairs[row].a == terrain.ids[i] ? 0 : 1;
      EXPECT_EQ(first.part(i + 1, 0), hits.part(row, 1 - of_shape));
      EXPECT_EQ(first.part(i + 1, 1), -1);
    }
  }
}

TEST(impact_terrain, never_missed_never_late_and_the_triangle_that_is_met) {
  for (std::uint64_t seed = 1; seed <= scaled(2, 1); ++seed) {
    SCOPED_TRACE(seed);
    check_terrain<float>(12, 3 * seed);
    check_terrain<double>(12, 3 * seed + 1);
    check_terrain<Mixed>(12, 3 * seed + 2);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace widephase::test
