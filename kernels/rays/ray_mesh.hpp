#pragma once

// A ray against a mesh: its triangles, through the tree of their bounds (soa/mesh_view.hpp).
//
// The triangle is sheared so that the ray becomes an axis (Woop, Benthin and Wald, Watertight
// Ray/Triangle Intersection, 2013). Which side of an edge the axis passes is the sign of a
// difference of two products: rounding is monotone, so it is never wrong, only 0, and then both
// triangles of the edge are met. So no ray passes between triangles that share edge or vertex. Nor
// where a vertex lies on another's edge: border edges are met up to the width of seams beside them.
// One-sided triangles let rays from behind pass, and none is met by a ray in its plane. Without
// thickness a mesh has no inside.
// Normal: of the triangle, to the ray's side. Of equal t the lowest triangle is named.
// Cost: 1 division per triangle that is met.
//
// A cast ball, or one against a mesh with thickness, meets faces, edges and vertices at its radius,
// of one-sided triangles only while its centre is in front.

#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/rays/sheet_ray.hpp"

namespace widephase {
namespace {

template <class T>
class MeshRay : public SheetRay<MeshRay<T>> {
  friend class SheetRay<MeshRay<T>>;
  using SheetRay<MeshRay<T>>::ray_;

 public:
  MeshRay(const MeshView<T>& mesh, const SurfaceRay& ray) : SheetRay<MeshRay<T>>(ray), mesh_(mesh) {
    for (int k = 0; k < 3; ++k) inverse_[k] = 1 / ray.direction[k];
    z_ = 0;
    for (int k = 1; k < 3; ++k) {
      if (magnitude(ray.direction[k]) > magnitude(ray.direction[z_])) z_ = k;
    }
    x_ = (z_ + 1) % 3;
    y_ = (x_ + 1) % 3;
    if (ray.direction[z_] < 0) {  // keeps the sense of rotation
      const int other = x_;
      x_ = y_;
      y_ = other;
    }
    shear_x_ = ray.direction[x_] / ray.direction[z_];
    shear_y_ = ray.direction[y_] / ray.direction[z_];
  }

 private:
  void vertices(std::int32_t number, Vector (&vertex)[3]) const {
    for (int k = 0; k < 3; ++k) {
      const T* const at =
          mesh_.positions + 3 * std::ptrdiff_t{mesh_.corners[3 * std::ptrdiff_t{number} + k]};
      vertex[k] = {{double(at[0]), double(at[1]), double(at[2])}};
    }
  }

  /// All but the normal.
  SurfaceMeet meet(std::int32_t number) const {
    Vector vertex[3];
    vertices(number, vertex);
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; ++k) {
      const Vector apart = vertex[k] - ray_.origin;
      z[k] = apart[z_];
      x[k] = apart[x_] - shear_x_ * z[k];
      y[k] = apart[y_] - shear_y_ * z[k];
    }
    double part[3];  // of each vertex, by the edge across
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      part[k] = x[a] * y[b] - y[a] * x[b];
    }
    const bool is_front = part[0] >= 0 && part[1] >= 0 && part[2] >= 0;
    const bool is_back = part[0] <= 0 && part[1] <= 0 && part[2] <= 0;
    SurfaceMeet found;
    const double whole = part[0] + part[1] + part[2];
    if (whole == 0) return found;
    // From the front the axis sees it clockwise.
    const bool is_in = is_back || (mesh_.is_two_sided && is_front);
    if (!is_in && !(whole < 0 || mesh_.is_two_sided)) return found;
    if (!is_in && !is_near_border(number, part, whole)) return found;
    const double height = part[0] * z[0] + part[1] * z[1] + part[2] * z[2];
    const double t = height / (whole * ray_.direction[z_]);
    if (!(t >= 0)) return found;
    if (!is_in) {
      const Vector at = ray_.origin + scaled(ray_.direction, t);
      if (!is_at_triangle(vertex, at, width_of_seams(mesh_))) return found;
    }
    found.is_met = true;
    found.t = t;
    found.part = number;
    found.feature = surface_face();
    return found;
  }
  /// Whether the axis passes a triangle a little beside its border edges alone: where a vertex lies
  /// on another triangle's edge, rounding leaves a gap.
  bool is_near_border(std::int32_t number, const double (&part)[3], double whole) const {
    constexpr double kNear = 1e-3;  // more than the width of seams is of all but slivers
    const double turn = whole > 0 ? -1 : 1;
    for (const double own : part) {
      if (turn * own > kNear * magnitude(whole)) return false;
    }
    for (int k = 0; k < 3; ++k) {
      const TrianglePlace at{number, 0, 0, &mesh_};
      if (turn * part[k] > 0 && !is_border_edge(at, (k + 1) % 3)) return false;
    }
    return true;
  }
  /// To the ray's side.
  Vector normal_of(std::int32_t number) const {
    Vector vertex[3], normal;
    vertices(number, vertex);
    if (!triangle_normal(vertex, normal)) normal = -unit_of(ray_.direction);
    return dot(normal, ray_.direction) > 0 ? -normal : normal;
  }

  /// All within reach of a triangle, in front of it if it has one side.
  Stretch body_of(std::int32_t number) const {
    Vector vertex[3], normal;
    vertices(number, vertex);
    if (!triangle_normal(vertex, normal)) return {};
    bool is_turned[3];
    const std::int32_t* const corner = mesh_.corners + 3 * std::ptrdiff_t{number};
    for (int k = 0; k < 3; ++k) is_turned[k] = corner[k] > corner[(k + 1) % 3];
    Stretch body = triangle_stretch(ray_, vertex, normal, is_turned);
    if (mesh_.is_two_sided || body.is_empty()) return body;
    return in_front(ray_, vertex[0], normal, surface_face(), body);
  }

  struct OpenRayTile {
    int level;
    std::int32_t number;
    T entry;
  };
  /// A number of T that is finite.
  static T finite(double x) {
    constexpr double most = double(kLargest<T>);
    return static_cast<T>(x < most ? (x > -most ? x : -most) : most);
  }
  /// Calls `op(number)` for triangles whose bounds, grown by the reach, the ray enters from `first`
  /// to `last`, and to `best` once there `is_best`.
  ///
  /// Bounds are compared in T, from where the ray comes into those of the mesh: so rounding is that
  /// of the mesh's size, and bounds are wider than that.
  template <class Op>
  void walk(double first, double last, const double& best, const bool& is_best,
            const Op& op) const {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    static_assert(kMeshTile % lanes == 0);
    if (mesh_.level_count == 0) return;
    double size[3], grown[3], start = first, end = last;
    for (int k = 0; k < 3; ++k) {
      const double low = magnitude(double(mesh_.low[k])), high = magnitude(double(mesh_.high[k]));
      size[k] = low > high ? low : high;
      grown[k] = ray_.reach + 1e-13 * (magnitude(ray_.origin[k]) + size[k] + ray_.reach);
      const bool is_down = inverse_[k] < 0;
      const double to_low = double(mesh_.low[k]) - grown[k] - ray_.origin[k];
      const double to_high = double(mesh_.high[k]) + grown[k] - ray_.origin[k];
      const double in = (is_down ? to_high : to_low) * inverse_[k];
      const double out = (is_down ? to_low : to_high) * inverse_[k];
      start = in > start ? in : start;
      end = out < end ? out : end;
    }
    if (!(start <= end)) return;
    constexpr T kRaise = 8 * kRounding<T>;
    T before[3], behind[3], inverse[3];
    int near[3], far[3];
    for (int k = 0; k < 3; ++k) {
      const bool is_down = inverse_[k] < 0;
      const double at = ray_.origin[k] + start * ray_.direction[k];
      const double slack = grown[k] + double(kRaise) * (magnitude(at) + size[k] + grown[k]) +
                           double(kLeastNormal<T>);
      before[k] = finite(is_down ? slack - at : -slack - at);
      behind[k] = finite(is_down ? -slack - at : slack - at);
      inverse[k] = finite(inverse_[k]);
      near[k] = (is_down ? 3 + k : k) * kMeshTile;
      far[k] = (is_down ? k : 3 + k) * kMeshTile;
    }
    OpenRayTile open[kMostOpenTiles];
    int count = 1;
    open[0] = {mesh_.level_count - 1, 0, T(0)};
    alignas(64) T entry[kMeshTile];
    while (count > 0) {
      const OpenRayTile at = open[--count];
      const double limit = is_best && best < last ? best : last;
      const T within =
          finite((limit - start + 1e-13 * (magnitude(limit) + start)) * (1 + double(kRaise)));
      if (at.entry > within) continue;
      const T* const tile = mesh_tile(mesh_, at.level, at.number);
      unsigned bits = 0;
      for (int lane = 0; lane < kMeshTile; lane += lanes) {
        F from = F(T(0)), to = F(within);
        for (int k = 0; k < 3; ++k) {
          from = greater(from, (load(tile + near[k] + lane) + F(before[k])) * F(inverse[k]));
          to = lesser(to,
                      (load(tile + far[k] + lane) + F(behind[k])) * F(inverse[k]) * F(1 + kRaise));
        }
        store(entry + lane, from);
        bits |= mask_bits((from <= to) & (load(tile + lane) < F(kInfinite<T>))) << lane;
      }
      const std::int32_t place = at.number * kMeshTile;
      if (at.level == 0) {
        visit_places(place, bits, op);
        continue;
      }
      const int bottom = count;  // the tile's own, the nearest last
      for (; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        int to = count++;
        for (; to > bottom && open[to - 1].entry < entry[i]; --to) open[to] = open[to - 1];
        open[to] = {at.level - 1, place + i, entry[i]};
      }
      if (at.level == 1 && count != bottom) {
        __builtin_prefetch(mesh_.order + open[count - 1].number * kMeshTile);
      }
      for (int next = count; next > 0 && next > count - 2; --next) {
        const char* const line = reinterpret_cast<const char*>(
            mesh_tile(mesh_, open[next - 1].level, open[next - 1].number));
        for (std::size_t n = 0; n < kMeshTileNumbers * sizeof(T); n += 64) {
          __builtin_prefetch(line + n);
        }
      }
    }
  }
  /// The triangles in some places of a tile. Memory is asked for all of them before the first is
  /// looked at.
  template <class Op>
  void visit_places(std::int32_t place, unsigned bits, const Op& op) const {
    std::int32_t numbers[kMeshTile];
    int count = 0;
    for (; bits != 0; bits &= bits - 1) {
      numbers[count] = mesh_.order[place + __builtin_ctz(bits)];
      __builtin_prefetch(mesh_.corners + 3 * std::ptrdiff_t{numbers[count++]});
    }
    for (int n = 0; n < count && count > 1; ++n) {
      for (int k = 0; k < 3; ++k) {
        __builtin_prefetch(mesh_.positions +
                           3 * std::ptrdiff_t{mesh_.corners[3 * std::ptrdiff_t{numbers[n]} + k]});
      }
    }
    for (int n = 0; n < count; ++n) op(numbers[n]);
  }

  const MeshView<T>& mesh_;
  Vector inverse_;
  int x_, y_, z_;
  double shear_x_, shear_y_;
};

}  // namespace
}  // namespace widephase
