#include "support/mesh_judge.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <widephase/meshes.hpp>

namespace widephase::test {

namespace {

/// A number rounded to `T`, through memory: see `stored` in reference/solid.cpp.
template <class T>
double in_memory_of(double value) {
  const volatile T narrow = static_cast<T>(value);
  return static_cast<double>(narrow);
}

/// The triangles that may meet something, by the conventions: with an area, and the first of those
/// that are equal. Vertices at one place are one.
Surface surface_of(const PlacedMesh& mesh) {
  Surface surface;
  std::map<std::array<double, 3>, std::size_t> vertex_at;
  std::vector<std::size_t> number_of;
  for (const Point<3>& vertex : mesh.vertices) {
    const auto [found, is_new] = vertex_at.try_emplace(
        {vertex[0] + 0., vertex[1] + 0., vertex[2] + 0.}, surface.vertices.size());
    if (is_new) surface.vertices.push_back(widened(vertex));
    number_of.push_back(found->second);
  }
  std::set<Surface::Triangle> known;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Surface::Triangle corners;
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = number_of[static_cast<std::size_t>(mesh.triangles[t][k])];
    }
    const auto edge = [&](std::size_t k) {
      return minus(surface.vertices[corners[k]], surface.vertices[corners[0]]);
    };
    if (!(length(cross(edge(1), edge(2))) > 0)) continue;
    Surface::Triangle turned = corners;
    std::ranges::rotate(turned, std::ranges::min_element(turned));
    if (!known.insert(turned).second) continue;
    surface.triangles.push_back(corners);
    surface.numbers.push_back(static_cast<std::int32_t>(t));
  }
  surface.connect();
  return surface;
}

/// The same triangles, seen from the back.
Surface reversed(Surface surface) {
  for (Surface::Triangle& triangle : surface.triangles) std::swap(triangle[1], triangle[2]);
  surface.connect();
  return surface;
}

/// Where a shape is seen from: its middle, a hull's centre of mass.
Vec<3> inner_point(const Solid<3>& solid) {
  if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) {
    return times(minus(widened(solid.q), widened(solid.p)), 0.5L);
  }
  if (solid.kind != Kind::hull) return {};
  const Polytope hull = polytope_of(solid, widened(solid.p));
  const Vec<3> apex = hull.corners[0];
  Vec<3> sum{};
  Real volume = 0;
  for (const PolytopeFace& face : hull.faces) {
    const Vec<3> a = minus(hull.corners[face.corners[0]], apex);
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      const Vec<3> b = minus(hull.corners[face.corners[k - 1]], apex);
      const Vec<3> c = minus(hull.corners[face.corners[k]], apex);
      const Real part = dot(a, cross(b, c));
      volume += part;
      sum = plus(sum, plus(plus(a, b), c), part / 4);
    }
  }
  return plus(apex, sum, 1 / volume);
}

template <class T>
class MeshJudge {
 public:
  MeshJudge(const PlacedMesh& mesh, const Solid<3>& solid, Real margin,
            const std::vector<PatchAnswer<T>>& patches, const std::shared_ptr<KnownWays>& known)
      : solid_(solid),
        margin_(margin),
        patches_(patches),
        thickness_(mesh.radius),
        named_(near_part(mesh, solid, margin)),
        front_(named_.cut_at_vertices(width_of_seams(mesh))),
        back_(reversed(front_)),
        from_front_(solid, front_, known),
        from_back_(solid, back_, known),
        size_(2 * from_front_.size() + margin + thickness_) {
    Real far = length(minus(widened(mesh.center), widened(solid.p)));
    tolerance_ =
        kDepthTolerance<T> * size_ + (sizeof(SizeOf<T>) == 4 ? 2.4e-7L : 4.5e-16L) * (far + size_);
    Real world = 0;
    for (int k = 0; k < 3; ++k) world = std::max(world, std::abs(Real{solid.p[k]}));
    place_rounding_ = (sizeof(PositionOf<T>) == 4 ? 2.4e-7L : 4.5e-16L) * (world + size_);
    tolerance_ += place_rounding_;
    turn_ = sizeof(SizeOf<T>) == 4 ? 1e-3L : 1e-6L;
    const Vec<3> inner = inner_point(solid);
    for (std::size_t t = 0; t < front_.triangles.size(); ++t) {
      const Real height = dot(minus(inner, front_.corner(t, 0)), front_.normals[t]);
      Sight sight;
      sight.is_unsure = std::abs(height) <= 8 * tolerance_;
      sight.is_flipped = mesh.is_two_sided && height < 0;
      sight.is_behind = !mesh.is_two_sided && height < 0 && !sight.is_unsure;
      sights_.push_back(sight);
    }
  }

  std::string problem() const {
    for (std::size_t i = 0; i < patches_.size(); ++i) {
      const std::string text = patch_problem(patches_[i]);
      if (!text.empty()) return "patch " + std::to_string(i) + ": " + text;
      for (std::size_t j = 0; j < i; ++j) {
        if (dot(patches_[i].normal, patches_[j].normal) > 1 + 1e-6L - 1e-9L) {
          return "two patches have the same normal";
        }
      }
    }
    return missing_problem();
  }

 private:
  /// How a shape sees a triangle. `is_unsure`: its middle is in the plane, to rounding.
  struct Sight {
    bool is_flipped = false, is_behind = false, is_unsure = false;
  };

  static Surface near_part(const PlacedMesh& mesh, const Solid<3>& solid, Real margin) {
    const auto axes = axes_of(mesh.orientation);
    const Real reach = (radius_of(solid) + Real{mesh.radius} + margin + core_reach(solid)) * 1.01L;
    Vec<3> low, high;
    for (int k = 0; k < 3; ++k) {
      const Vec<3>& axis = axes[static_cast<std::size_t>(k)];
      const Real origin = dot(axis, widened(mesh.center));
      high[k] = core_support(solid, axis) - origin + reach;
      low[k] = -core_support(solid, times(axis, -1)) - origin - reach;
    }
    return surface_of(mesh).near(low, high).placed(minus(widened(mesh.center), widened(solid.p)),
                                                   axes);
  }

  /// How far a vertex may be from an edge that it is on.
  static Real width_of_seams(const PlacedMesh& mesh) {
    Real farthest = 0;
    for (const Point<3>& vertex : mesh.vertices) {
      for (const double x : vertex) farthest = std::max(farthest, std::abs(Real{x}));
    }
    return 8 * (sizeof(SizeOf<T>) == 4 ? 0x1p-24L : 0x1p-53L) * farthest;
  }

  const SurfacePair& pair(bool is_flipped) const { return is_flipped ? from_back_ : from_front_; }
  const Surface& surface(bool is_flipped) const { return is_flipped ? back_ : front_; }
  Real radii() const { return from_front_.radius() + thickness_; }

  std::size_t index_of(std::int32_t number) const {
    const auto found = std::ranges::find(named_.numbers, number);
    return static_cast<std::size_t>(found - named_.numbers.begin());
  }

  /// How far a direction is from one along which the distance has a local minimum at an apart
  /// triangle, over every triangle at the feature.
  Real slack(std::size_t t, const Vec<3>& n, Real near) const {
    Real high = -std::numeric_limits<Real>::infinity();
    for (std::size_t k = 0; k < 3; ++k) high = std::max(high, dot(front_.corner(t, k), n));
    std::array<bool, 3> is_foremost{};
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      is_foremost[k] = dot(front_.corner(t, k), n) >= high - near;
      count += is_foremost[k] ? 1u : 0u;
    }
    Real least = count == 3 ? -1 : 2;
    for (std::size_t k = 0; k < 3; ++k) {
      if (is_foremost[k]) {
        least = std::min(least, front_.slack_at_vertex(front_.triangles[t][k], n));
      }
      if (!is_foremost[k] || !is_foremost[(k + 1) % 3]) continue;
      Real most = -2;
      const Surface::Edge edge = front_.edge_of(t, k);
      for (const std::size_t at : front_.at_edge.at(edge)) {
        most = std::max(most, dot(n, front_.inward(at, edge)));
      }
      least = std::min(least, most);
    }
    return least;
  }

  /// Whether the shape's core crosses a triangle in the same plane: an area may be cut in any way,
  /// so what is beside that triangle is left as it is.
  bool is_in_crossed_plane(std::size_t t, bool is_flipped) const {
    const Surface& side = surface(is_flipped);
    for (std::size_t other = 0; other < side.triangles.size(); ++other) {
      if (sights_[other].is_behind || sights_[other].is_flipped != is_flipped) continue;
      if (length(minus(side.normals[other], side.normals[t])) > turn_) continue;
      Real off = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec<3> apart = minus(side.corner(t, k), side.corner(other, 0));
        off = std::max(off, std::abs(dot(apart, side.normals[other])));
      }
      if (off <= 2 * tolerance_ && pair(is_flipped).least_core_way_out(other) >= -tolerance_) {
        return true;
      }
    }
    return false;
  }

  /// Why a contact is not one of a triangle; empty if it is.
  std::string not_of(std::size_t t, const PatchAnswer<T>& patch) const {
    const Sight& sight = sights_[t];
    if (sight.is_behind) return "the shape is behind it";
    std::string reason = not_seen(t, patch, sight.is_flipped);
    if (!reason.empty() && sight.is_unsure) reason = not_seen(t, patch, !sight.is_flipped);
    return reason;
  }
  std::string not_seen(std::size_t t, const PatchAnswer<T>& patch, bool is_flipped) const {
    const SurfacePair& own = pair(is_flipped);
    const Vec<3> n = times(patch.normal, -1 / length(patch.normal));
    const Real way = own.way_out(t, n) + thickness_;
    if (!(std::abs(way - patch.depth) <= tolerance_)) {
      return "leaving along the normal takes " + std::to_string(static_cast<double>(way));
    }
    const Real core_way = own.least_core_way_out(t);
    std::string reason;
    if (core_way < tolerance_) {
      const Real distance = std::max(-core_way, tolerance_);
      if (way - radii() > core_way + tolerance_) {
        reason = "another direction takes " + std::to_string(static_cast<double>(core_way));
      } else if (slack(t, n, 4 * tolerance_) > turn_ + 4 * tolerance_ / distance &&
                 !(length(minus(n, surface(is_flipped).normals[t])) <= turn_)) {
        reason = "the surface goes on nearer to the shape";
      } else {
        return "";
      }
      if (core_way < -tolerance_ && !is_in_crossed_plane(t, is_flipped)) return reason;
    }
    const Real angle = own.angle_to_felt(t, n, tolerance_);
    if (angle > turn_) {
      return reason + " no such direction is felt: " + std::to_string(static_cast<double>(angle));
    }
    const auto [gain, there] = own.gain_nearby(t, n, tolerance_);
    if (gain > 2 * tolerance_ + 2 * turn_ * turn_ * size_) {
      std::ostringstream text;
      text << " a felt direction beside it, -(" << there[0] << ", " << there[1] << ", " << there[2]
           << "), takes less by " << gain;
      return reason + text.str();
    }
    return "";
  }

  std::string patch_problem(const PatchAnswer<T>& patch) const {
    const Real norm = length(patch.normal);
    if (!(std::abs(norm - 1) <= 4 * kUnitTolerance<T>)) return "the normal is not of unit length";
    if (!(patch.depth >= -margin_ - tolerance_)) return "it is beyond the margin";
    if (patch.points.empty() || patch.points.size() > 4) return "it has no points, or too many";
    if (*std::ranges::max_element(patch.point_depths) != patch.depth) {
      return "no point has its depth, or one is deeper";
    }
    std::string reasons;
    bool is_right = false;
    // The deepest of a patch may be of another triangle than its points.
    for (std::size_t t = 0; t < front_.triangles.size() && !is_right; ++t) {
      const std::string reason = not_of(t, patch);
      is_right = reason.empty();
      if (std::ranges::find(patch.parts, front_.numbers[t]) != patch.parts.end()) {
        reasons += std::to_string(front_.numbers[t]) + ": " + reason + "; ";
      }
    }
    if (!is_right) return "its normal and depth are of no triangle: " + reasons;
    for (std::size_t i = 0; i < patch.points.size(); ++i) {
      const std::string text = point_problem(patch, i);
      if (!text.empty()) return "point " + std::to_string(i) + ": " + text;
    }
    return "";
  }

  std::string point_problem(const PatchAnswer<T>& patch, std::size_t i) const {
    const Real depth = patch.point_depths[i];
    if (!(depth >= -margin_)) return "it is beyond the margin";
    const std::uint32_t half = patch.features[i] & 0xffff;
    const auto feature = static_cast<Feature>(half >> 14);
    const std::size_t k = half & 0x3fff;
    const std::size_t t = index_of(patch.parts[i]);
    if (t == named_.numbers.size()) return "there is no such part here";
    if (feature == Feature::whole || k > 2 || (feature == Feature::face && k != 0)) {
      return "B's feature is none of a triangle's";
    }
    if (feature == Feature::edge && named_.lowest_at_edge(named_.edge_of(t, k)) != patch.parts[i]) {
      return "a lower triangle has the edge";
    }
    if (feature == Feature::vertex &&
        named_.lowest_at_vertex(named_.triangles[t][k]) != patch.parts[i]) {
      return "a lower triangle has the vertex";
    }
    // On a smooth core a depth that is larger by rounding may be the root of that away.
    const Real aside = is_searched(solid_.kind) ? std::sqrt(tolerance_ * size_) : 0;
    const Real allowed = aside + 16 * tolerance_;
    const Vec<3> n = times(patch.normal, 1 / length(patch.normal));
    const Vec<3> point = minus(patch.points[i], widened(solid_.p));
    const Vec<3> on_b = plus(point, n, thickness_ - depth);
    Real off = distance_to_feature(t, feature, k, on_b);
    // As in surface_judge.cpp: where the core crosses the triangle, what is foremost on both need
    // not be over each other.
    if (depth == patch.depth && depth > radii()) {
      off = std::min(off, std::abs(dot(minus(on_b, named_.corner(t, k)), n)));
    }
    if (!(off <= allowed)) {
      return "its partner is " + std::to_string(static_cast<double>(off)) + " off " +
             describe_feature(half) + " of triangle " + std::to_string(patch.parts[i]);
    }
    const Vec<3> core_point = plus(patch.points[i], n, -radius_of(solid_));
    const Real away = distance_to_core_surface(solid_, core_point);
    if (!(away <= allowed)) return "it is " + std::to_string(static_cast<double>(away)) + " off A";
    const std::string text =
        feature_problem<T>(solid_, patch.features[i] >> 16, core_point, 4 * allowed);
    return text.empty() ? text : "A's feature " + text;
  }

  Real distance_to_feature(std::size_t t, Feature feature, std::size_t k,
                           const Vec<3>& point) const {
    const Polytope core = named_.core(t, {});
    if (feature == Feature::vertex) return length(minus(point, core.corners[k]));
    if (feature == Feature::edge) {
      return length(minus(point, nearest_on_edge(core, core.edges[k], point)));
    }
    return distance_to_surface(core, point);
  }

  bool clears(const PatchAnswer<T>& patch, std::size_t t) const {
    const Vec<3> n = times(patch.normal, -1 / length(patch.normal));
    // Normals that differ by less than this are one.
    constexpr Real kEqual = 5e-5L;
    const Real most =
        patch.depth - thickness_ + 2 * tolerance_ + kEqual * size_ - from_front_.way_out(t, n);
    if (most >= 0) return true;
    // The core may not reach the part of the triangle that is farther.
    return !from_front_.reaches_top(t, n, -most, 2 * tolerance_);
  }

  std::string missing_problem() const {
    for (std::size_t t = 0; t < front_.triangles.size(); ++t) {
      const Sight& sight = sights_[t];
      if (sight.is_behind || sight.is_unsure) continue;
      const SurfacePair& own = pair(sight.is_flipped);
      const Real least = own.least_core_way_out(t);
      if (least + radii() < -margin_ + 2 * tolerance_) continue;
      if (std::abs(least) <= 2 * tolerance_) continue;
      const auto is_clear = [&](const PatchAnswer<T>& patch) { return clears(patch, t); };
      if (std::ranges::any_of(patches_, is_clear)) continue;
      const SurfacePlace place = own.place(t);
      if (!place.crosses && slack(t, place.normal, 0) > -1e-9L) continue;
      std::ostringstream text;
      text << "no contact clears triangle " << front_.numbers[t] << ", normal (" << -place.normal[0]
           << ", " << -place.normal[1] << ", " << -place.normal[2] << ") depth "
           << place.depth + thickness_ << (place.crosses ? " crossing" : " apart");
      return text.str();
    }
    return "";
  }

  const Solid<3>& solid_;
  Real margin_;
  const std::vector<PatchAnswer<T>>& patches_;
  Real thickness_;
  Surface named_;  ///< its triangles, edges and vertices have the names of answers
  /// The same cut where vertices are on edges: so the rule holds by edges and vertices alone.
  Surface front_, back_;
  SurfacePair from_front_, from_back_;
  std::vector<Sight> sights_;
  Real size_ = 0, tolerance_ = 0, place_rounding_ = 0, turn_ = 0;
};

}  // namespace

template <class T>
PlacedMesh stored(PlacedMesh mesh) {
  for (Point<3>& vertex : mesh.vertices) {
    for (double& value : vertex) value = in_memory_of<SizeOf<T>>(value);
  }
  for (double& value : mesh.center) value = in_memory_of<PositionOf<T>>(value);
  for (double& value : mesh.orientation) value = in_memory_of<SizeOf<T>>(value);
  mesh.radius = in_memory_of<SizeOf<T>>(mesh.radius);
  return mesh;
}

template <class T>
std::int32_t append(SceneColumns<3, T>& scene, const PlacedMesh& mesh) {
  using Size = SizeOf<T>;
  Column<Size, 3> vertices;
  for (const Point<3>& vertex : mesh.vertices) vertices.push_back(as_row<3, Size>(vertex));
  Column<std::int32_t, 3> indices;
  for (const auto& triangle : mesh.triangles) indices.push_back(triangle);
  auto& table = scene.meshes;
  table.geometry.push_back(
      {add_mesh(scene.mesh_geometries, vertices.span(), indices.span(), mesh.is_two_sided)});
  table.center.push_back(as_row<3, PositionOf<T>>(mesh.center));
  std::array<Size, 4> turn;
  for (int k = 0; k < 4; ++k) turn[static_cast<std::size_t>(k)] = Size(mesh.orientation[k]);
  table.turn.push_back(turn);
  table.radius.push_back({static_cast<Size>(mesh.radius)});
  return static_cast<std::int32_t>(table.turn.size() - 1);
}

template <class T>
std::string mesh_problem(const PlacedMesh& mesh, const Solid<3>& solid, double margin,
                         const std::vector<PatchAnswer<T>>& patches,
                         std::shared_ptr<KnownWays> known) {
  return MeshJudge<T>(mesh, solid, margin, patches, known).problem();
}

#define WIDEPHASE_INSTANTIATE(T)                                                                  \
  template PlacedMesh stored<T>(PlacedMesh mesh);                                                 \
  template std::int32_t append<T>(SceneColumns<3, T> & scene, const PlacedMesh& mesh);            \
  template std::string mesh_problem<T>(const PlacedMesh& mesh, const Solid<3>& solid,             \
                                       double margin, const std::vector<PatchAnswer<T>>& patches, \
                                       std::shared_ptr<KnownWays> known)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
WIDEPHASE_INSTANTIATE(Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
