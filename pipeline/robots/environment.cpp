// Environments: the shapes of a scene as obstacles.

#include <algorithm>
#include <cmath>
#include <limits>

#include <widephase/bodies.hpp>

#include "geometry/find_hull.hpp"
#include "pipeline/robots/convex_core.hpp"
#include "pipeline/robots/copy_shapes.hpp"
#include "pipeline/robots/environment_state.hpp"
#include "soa/join_column.hpp"
#include "soa/kind_traits.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;
using Shapes = SceneColumns<3, double>;

/// Triangles whose sides are nearer than this to one line have normals of few digits.
constexpr double kLeastSine = 1e-5;
/// Shorter sides have squared lengths whose inverses float does not have.
constexpr double kLeastSide = 1e-12;
/// How far sums in double are off, as a share of their largest term, compared with those in float.
constexpr double kShareOfDouble = 0x1p-26;
/// The most faces of a hull that are worth asking in lanes.
constexpr std::size_t kMostFaces = 256;

/// The scene's shapes in the world, in double, with the columns that count for obstacles.
template <class T>
Shapes copied(const SceneSpan<3, T>& given) {
  PlacedScene<3, T> placed;
  if (!given.bodies.empty()) place<3, T>(given, given.bodies, placed);
  Shapes shapes = copy_shapes<T>(given.bodies.empty() ? given : placed.scene());
  for_each_table(shapes, [](auto& table) {
    table.owner.clear();
    table.body.clear();
    table.key.clear();
    table.fixed.clear();
    // Robots may have shapes of several categories: without one of its own an obstacle is of all.
    if (table.category.empty()) table.category.resize(row_count(table), ~std::uint32_t{0});
  });
  return shapes;
}

Obstacle posed(const Vector& center, const std::array<double, 4>& turn) {
  Obstacle obstacle;
  obstacle.center = center;
  obstacle.axis = turn_of<double>(turn).column;
  return obstacle;
}

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
double at(const Column<double>& column, std::size_t row) {
  return column.empty() ? 0 : column[row];
}

class ObstacleMaker {
 public:
  ObstacleMaker(const Shapes& shapes, Environment::State& state)
      : shapes_(shapes), faces_(state.faces), sides_(state.sides), vertices_(state.vertices) {}

  Obstacle make(Kind kind, std::size_t row) {
    switch (kind) {
      case Kind::sphere: {
        Obstacle ball;
        ball.core = CheckCore::point;
        ball.center = shapes_.spheres.center.row(row);
        ball.radius = shapes_.spheres.radius[row];
        ball.is_exact = true;
        return ball;
      }
      case Kind::capsule:
        return capsule(row);
      case Kind::aabb: {
        const Vector low = shapes_.aabbs.min.row(row), high = shapes_.aabbs.max.row(row);
        Obstacle box = posed({}, {0, 0, 0, 1});
        for (std::size_t k = 0; k < 3; ++k) {
          box.center[k] = 0.5 * low[k] + 0.5 * high[k];
          box.size[k] = 0.5 * high[k] - 0.5 * low[k];
        }
        box.is_exact = true;
        return box;
      }
      case Kind::box: {
        Obstacle box = posed(shapes_.boxes.center.row(row), shapes_.boxes.turn.row(row));
        box.size = shapes_.boxes.half_extents.row(row);
        box.radius = at(shapes_.boxes.radius, row);
        box.is_exact = true;
        return box;
      }
      case Kind::hull:
        return hull(row);
      case Kind::cylinder: {
        const auto& table = shapes_.cylinders;
        Obstacle cylinder = posed(table.center.row(row), table.turn.row(row));
        cylinder.core = CheckCore::cylinder;
        cylinder.size = {table.radius[row], 0, table.half_height[row]};
        cylinder.radius = at(table.rounding, row);
        cylinder.is_exact = true;
        return cylinder;
      }
      case Kind::halfspace: {
        Obstacle space;
        space.core = CheckCore::halfspace;
        const Vector normal = shapes_.halfspaces.normal.row(row);
        const double of_unit = 1 / length(normal);
        for (std::size_t k = 0; k < 3; ++k) space.axis[2][k] = normal[k] * of_unit;
        space.size[0] = shapes_.halfspaces.offset[row] * of_unit;
        space.is_exact = true;
        return space;
      }
      case Kind::ellipsoid: {
        const auto& table = shapes_.ellipsoids;
        Obstacle around = posed(table.center.row(row), table.turn.row(row));
        around.size = table.half_extents.row(row);
        around.radius = at(table.rounding, row);
        return around;
      }
      case Kind::cone: {
        const auto& table = shapes_.cones;
        Obstacle around = posed(table.center.row(row), table.turn.row(row));
        around.core = CheckCore::cylinder;
        around.size = {table.radius[row], 0, table.half_height[row]};
        around.radius = at(table.rounding, row);
        return around;
      }
      case Kind::polygon:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;
    }
    return {};
  }

 private:
  Obstacle capsule(std::size_t row) {
    Obstacle obstacle;
    const Vector a = shapes_.capsules.a.row(row), b = shapes_.capsules.b.row(row);
    const Vector along = minus(b, a);
    const double square = dot(along, along);
    obstacle.core = square > 1e-30 ? CheckCore::segment : CheckCore::point;
    obstacle.center = a;
    obstacle.axis[0] = along;
    obstacle.size[0] = square > 1e-30 ? 1 / square : 0;
    obstacle.radius = shapes_.capsules.radius[row];
    obstacle.is_exact = square > 1e-12 || square == 0;
    return obstacle;
  }

  /// Triangles of the hull with their sides; a box around it if some have no good normals. Both are
  /// about its own middle: float has few digits for vertices far from where they are counted from.
  Obstacle hull(std::size_t row) {
    const auto& sets = shapes_.geometries;
    const auto set = static_cast<std::size_t>(shapes_.hulls.geometry[row]);
    std::vector<Vector> vertices;
    for (auto v = sets.offsets[set]; v < sets.offsets[set + 1]; ++v) {
      vertices.push_back(sets.vertices.row(static_cast<std::size_t>(v)));
    }
    Obstacle obstacle = posed(shapes_.hulls.center.row(row), shapes_.hulls.turn.row(row));
    Vector low = vertices.front(), high = low;
    for (const Vector& vertex : vertices) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], vertex[k]);
        high[k] = std::max(high[k], vertex[k]);
      }
    }
    const auto turned = [&](const Vector& v) {
      Vector sum{};
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) sum[j] += v[k] * obstacle.axis[k][j];
      }
      return sum;
    };
    const auto extend = [&](const Vector& v, double share) {
      for (const double part : v) {
        obstacle.extent = std::max(obstacle.extent, share * std::abs(part));
      }
    };
    Vector middle{};
    for (std::size_t k = 0; k < 3; ++k) {
      middle[k] = 0.5 * low[k] + 0.5 * high[k];
      obstacle.size[k] = 0.5 * high[k] - 0.5 * low[k];
    }
    extend(obstacle.center, kShareOfDouble);
    const Vector moved = turned(middle);
    for (std::size_t k = 0; k < 3; ++k) obstacle.center[k] += moved[k];
    extend(obstacle.center, 1);
    for (Vector& vertex : vertices) {
      extend(vertex, kShareOfDouble);
      vertex = turned(minus(vertex, middle));
      extend(vertex, 1);
    }
    obstacle.radius = at(shapes_.hulls.radius, row);
    HullPoints points;
    HullVertices found;
    if (!find_hull(vertices, std::numeric_limits<double>::epsilon(), points, found) &&
        add_faces(vertices, points, found.mesh, obstacle)) {
      obstacle.core = CheckCore::hull;
      obstacle.is_exact = true;
      find_inside_hull(vertices, obstacle);
    }
    return obstacle;
  }

  /// Its vertices, and the mean of them, which is as far inside as the nearest plane of a face.
  void find_inside_hull(const std::vector<Vector>& vertices, Obstacle& obstacle) {
    append_vertices(vertices, vertices_, obstacle.first_vertex, obstacle.vertex_count);
    Vector mean{};
    for (const Vector& vertex : vertices) {
      for (std::size_t k = 0; k < 3; ++k) {
        mean[k] += vertex[k] / static_cast<double>(vertices.size());
      }
    }
    double inner = obstacle.extent;
    for (std::int32_t f = obstacle.first_face; f < obstacle.last_face; ++f) {
      const CheckFace& face = faces_[static_cast<std::size_t>(f)];
      double height = static_cast<double>(face.height);
      for (std::size_t k = 0; k < 3; ++k) height -= static_cast<double>(face.normal[k]) * mean[k];
      inner = std::min(inner, height);
    }
    // Normals and heights are those in float.
    obstacle.inner = std::max(0.0, inner - kRoundings * obstacle.extent);
    for (std::size_t k = 0; k < 3; ++k) obstacle.inside[k] = obstacle.center[k] + mean[k];
  }

  bool add_faces(const std::vector<Vector>& vertices, const HullPoints& points,
                 const TriangleMesh& mesh, Obstacle& obstacle) {
    const std::size_t faces = faces_.size(), sides = sides_.size();
    const auto fail = [&] {
      faces_.resize(faces);
      sides_.resize(sides);
      return false;
    };
    if (mesh.origin.size() / 3 > kMostFaces) return fail();
    for (std::int32_t edge = 0; edge < mesh.size(); edge += 3) {
      Vector corner[3];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto point = mesh.origin[static_cast<std::size_t>(edge) + k];
        corner[k] = vertices[points.rows[static_cast<std::size_t>(point)]];
      }
      Vector normal = cross(minus(corner[1], corner[0]), minus(corner[2], corner[0]));
      double longest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        longest = std::max(longest, length(minus(corner[(k + 1) % 3], corner[k])));
      }
      const double area = length(normal);
      if (!(longest > kLeastSide && area > kLeastSine * longest * longest)) return fail();
      for (double& part : normal) part /= area;
      CheckFace face{};
      for (std::size_t k = 0; k < 3; ++k) face.normal[k] = static_cast<float>(normal[k]);
      face.height = static_cast<float>(dot(normal, corner[0]));
      face.first_side = static_cast<std::int32_t>(sides_.size());
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector along = minus(corner[(k + 1) % 3], corner[k]);
        const Vector inward = cross(normal, along);
        CheckSide side{};
        for (std::size_t j = 0; j < 3; ++j) {
          side.from[j] = static_cast<float>(corner[k][j]);
          side.along[j] = static_cast<float>(along[j]);
          side.inward[j] = static_cast<float>(inward[j] / length(inward));
        }
        side.inverse = static_cast<float>(1 / dot(along, along));
        sides_.push_back(side);
      }
      face.last_side = static_cast<std::int32_t>(sides_.size());
      faces_.push_back(face);
    }
    obstacle.first_face = static_cast<std::int32_t>(faces);
    obstacle.last_face = static_cast<std::int32_t>(faces_.size());
    return true;
  }

  const Shapes& shapes_;
  std::vector<CheckFace>& faces_;
  std::vector<CheckSide>& sides_;
  std::vector<float>& vertices_;
};

/// What all kinds have in common, from the bounds of the scene's rows.
void finish(const BoundsBuffer<3, double>& bounds, std::size_t id, Kind kind, double margin,
            Obstacle& obstacle) {
  if (traits_of(kind).is_unbounded) {
    obstacle.low.fill(-std::numeric_limits<double>::infinity());
    obstacle.high.fill(std::numeric_limits<double>::infinity());
    obstacle.extent = std::abs(obstacle.size[0]);
  } else {
    for (std::size_t k = 0; k < 3; ++k) {
      const int w = static_cast<int>(k);
      obstacle.low[k] = bounds.min(id, w);
      obstacle.high[k] = bounds.max(id, w);
      obstacle.extent =
          std::max({obstacle.extent, std::abs(obstacle.low[k]), std::abs(obstacle.high[k])});
    }
    if (traits_of(kind).is_surface) {
      obstacle.axis = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (std::size_t k = 0; k < 3; ++k) {
        obstacle.center[k] = 0.5 * obstacle.low[k] + 0.5 * obstacle.high[k];
        obstacle.size[k] = 0.5 * obstacle.high[k] - 0.5 * obstacle.low[k];
      }
    }
  }
  obstacle.radius += margin;
}

template <class T>
std::shared_ptr<const Environment::State> state_of(const SceneSpan<3, T>& given) {
  if (given.kept != nullptr) throw Error("the scene keeps another; give an environment one scene");
  if (given.domain.is_periodic()) {
    throw Error(Finding{"domain", -1, "is periodic; surroundings of a robot have no ends"});
  }
  if (const auto findings = validate<3, T>(given); !findings.empty()) throw Error(findings.front());
  const auto state = std::make_shared<Environment::State>();
  state->shapes = copied(given);
  const SceneSpan<3, double> shapes = state->shapes;
  Workspace<3, double> workspace;
  update_bounds<3, double>(shapes, workspace);
  const SceneLayout layout = layout_of(shapes);
  Column<std::int32_t> world;
  Column<std::uint32_t> category, mask;
  Column<double> margin;
  const auto join = [&](auto member, auto otherwise, auto& to) {
    using N = decltype(otherwise);
    join_column<N>(column_of_kinds<N>(shapes, member), layout, {1, {}}, otherwise, to);
  };
  join([](const auto& table) { return table.world; }, std::int32_t{0}, world);
  join([](const auto& table) { return table.category; }, std::uint32_t{1}, category);
  join([](const auto& table) { return table.mask; }, ~std::uint32_t{0}, mask);
  join([](const auto& table) { return table.margin; }, 0.0, margin);
  state->world_count = std::max(1, world_count<3, double>(shapes));
  ObstacleMaker maker(state->shapes, *state);
  for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
    const auto row = static_cast<std::size_t>(id);
    const Kind kind = layout.kind_of(id);
    Obstacle obstacle = maker.make(kind, static_cast<std::size_t>(layout.row(id)));
    finish(workspace.bounds(), row, kind, at(margin, row), obstacle);
    if (state->world_count > 1 && !world.empty()) obstacle.world = world[row];
    if (state->world_count > 1 && world.empty()) obstacle.world = 0;
    if (!category.empty()) obstacle.category = category[row];
    if (!mask.empty()) obstacle.mask = mask[row];
    state->obstacles.push_back(obstacle);
    state->by_world.push_back(id);
  }
  std::sort(state->by_world.begin(), state->by_world.end(), [&](std::int32_t a, std::int32_t b) {
    const std::int32_t of_a = state->world_of(a), of_b = state->world_of(b);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  return state;
}

}  // namespace

std::span<const std::int32_t> Environment::State::obstacles_of(std::int32_t world) const {
  const auto first =
      std::lower_bound(by_world.begin(), by_world.end(), world,
                       [&](std::int32_t id, std::int32_t given) { return world_of(id) < given; });
  const auto last =
      std::upper_bound(first, by_world.end(), world,
                       [&](std::int32_t given, std::int32_t id) { return given < world_of(id); });
  // By numbers: emscripten's library makes no span of two iterators.
  return std::span(by_world).subspan(static_cast<std::size_t>(first - by_world.begin()),
                                     static_cast<std::size_t>(last - first));
}

SceneColumns<3, double> Environment::State::shapes_of(std::int32_t world) const {
  SceneColumns<3, double> all = shapes;
  std::size_t first = 0;
  for_each_table(all, [&](auto& table) {
    const std::size_t rows = row_count(table);
    const auto set = [&](auto& column, auto value) {
      if (!column.empty()) return;
      column.resize(rows, value);
    };
    table.world.clear();
    set(table.world, -1);
    if (world_count > 1) {
      set(table.category, std::uint32_t{1});
      set(table.mask, ~std::uint32_t{0});
      for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t own = obstacles[first + row].world;
        if (own != -1 && own != world) table.category[row] = table.mask[row] = 0;
      }
    }
    first += rows;
  });
  return all;
}

std::shared_ptr<const StaticScene<3, double>> Environment::State::kept(std::int32_t world,
                                                                       double margin) const {
  const std::lock_guard lock(mutex_);
  if (kept_ != nullptr && (world == world_ || world_count == 1) && margin <= margin_) return kept_;
  auto made = std::make_shared<StaticScene<3, double>>();
  Workspace<3, double> workspace;
  CollideOptions options;
  options.margin = std::max(margin, kept_ == nullptr ? 0.0 : margin_);
  build_static_scene<3, double>(shapes_of(world), *made, workspace, options);
  kept_ = made;
  world_ = world;
  margin_ = options.margin;
  return kept_;
}

std::shared_ptr<const NearObstacles> Environment::State::near(const GridPlace& place, double size,
                                                              double asked) const {
  const std::lock_guard lock(near_mutex_);
  if (place != place_ || size != size_) {
    near_ = nullptr;
    place_ = place;
    size_ = size;
    asked_ = 0;
  }
  if (near_ != nullptr) return near_;
  asked_ += asked;
  if (asked_ < ObstacleGrid::kCost) return nullptr;
  std::vector<std::int32_t> ids;
  for (const std::int32_t world : {-1, place.world}) {
    const auto more = obstacles_of(world);
    if (world != -1 || ids.empty()) ids.insert(ids.end(), more.begin(), more.end());
  }
  near_ = std::make_shared<const NearObstacles>(
      NearObstacles{ObstacleGrid(place, size, obstacles, ids), ObstacleTree(size, obstacles, ids)});
  return near_;
}

Environment::Environment() : Environment(SceneSpan<3, double>()) {}
Environment::Environment(const SceneSpan<3, float>& scene) : state_(state_of(scene)) {}
Environment::Environment(const SceneSpan<3, double>& scene) : state_(state_of(scene)) {}
Environment::Environment(const SceneSpan<3, Mixed>& scene) : state_(state_of(scene)) {}

std::size_t Environment::size() const {
  return static_cast<std::size_t>(layout_of(state_->shapes).shape_count());
}
const SceneColumns<3, double>& Environment::shapes() const { return state_->shapes; }
std::int32_t Environment::world_count() const { return state_->world_count; }

}  // namespace widephase
