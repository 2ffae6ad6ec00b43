#pragma once

// halfspace_heightfield, halfspace_mesh: the samples or vertices nearest to the plane or below it,
// as the vertices of a hull. Normal: A to B, out of the solid. Points: 1 to 4, on the plane, each
// under its sample. Features: whole; the vertex, named by the lowest triangle that has it. Cost: 1
// to 2 ns per sample of a field; of a mesh, the walk to its vertices below the plane.

#include "kernels/core/surface/heap_sort.hpp"
#include "kernels/core/surface/mesh_walk.hpp"
#include "kernels/core/surface/surface_patches.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {
namespace {

template <class T>
class PlaneSearch {
 public:
  PlaneSearch(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room)
      : run_(run),
        own_(ascending_pair(run.pairs.pairs[i])),
        field_row_(run.pairs.rows_b + std::ptrdiff_t{own_.b} * 16),
        surface_(traits_of(run.pairs.kind_b).is_sheet
                     ? FieldTriangles<T>(run.meshes[integer_in(field_row_[7])], {{0, 0, 0}},
                                         {{0, 0, 0}}, false)
                     : FieldTriangles<T>(run.fields, integer_in(field_row_[7]), {{0, 0, 0}})),
        arena_(room) {}

  SurfaceAnswer<T> find() {
    place();
    SurfaceAnswer<T> answer{nullptr, 0, 0, 0, 0};
    const double margin = margin_of(run_.pairs, own_);
    const bool is_nearest = run_.pairs.question == Question::deepest;
    const double least = least_height();
    if (!(least < kInfinite<double>) || !(least <= margin || is_nearest)) return answer;
    const double most = is_nearest ? least : margin;
    if (!list_vertices(most)) return {nullptr, 0, 0, 0, arena_.used()};
    std::int64_t count = 0;
    for_each_sample(most, [&](const SamplePlace&, double) { ++count; });
    SurfacePatch<T>* const patch = arena_.template take<SurfacePatch<T>>(1);
    FaceCorner<double>* const corners =
        arena_.template take<FaceCorner<double>>(static_cast<std::size_t>(count));
    if (patch == nullptr || corners == nullptr) return {nullptr, 0, 0, 0, arena_.used()};
    const Vector x_axis = across_of(normal_), y_axis = cross(normal_, x_axis);
    double low[2] = {0, 0}, high[2] = {0, 0}, rounding = 0;
    count = 0;
    for_each_sample(most, [&](const SamplePlace& at, double height) {
      const Vector from = surface_.position(at);
      const double seen[2] = {dot(from, x_axis), dot(from, y_axis)};
      for (int k = 0; k < 2; ++k) {
        low[k] = count == 0 || seen[k] < low[k] ? seen[k] : low[k];
        high[k] = count == 0 || seen[k] > high[k] ? seen[k] : high[k];
      }
      corners[count++] = {seen[0], seen[1], height, name_of(at), 0};
    });
    rounding = 8 * double(kRounding<T>) * ((high[0] - low[0]) + (high[1] - low[1]));
    FaceCorner<double> kept[4] = {corners[0]};
    int kept_count = 1;
    if (count > 1 && run_.pairs.question == Question::points) {
      const double span = high[0] - low[0] > high[1] - low[1] ? high[0] - low[0] : high[1] - low[1];
      // A diagonal of the field's own axes, turned a little (four_corners.hpp).
      const Vec<double, 2> first{
          {kDiagonalCosine<double> * x_axis[0] + kDiagonalSine<double> * x_axis[1],
           kDiagonalCosine<double> * y_axis[0] + kDiagonalSine<double> * y_axis[1]}};
      const Vec<double, 2> second{{-first[1], first[0]}};
      FourCorners<double> four(corners, static_cast<int>(count), {first, second},
                               kOneCornerShare<double> * span);
      kept_count = four.choose(rounding, true, kept);
    }
    for (int k = 0; k < 3; ++k) patch->normal[k] = static_cast<T>(scene_normal_[k]);
    patch->depth = static_cast<T>(0 - least);
    patch->status = 0;
    patch->point_count = kept_count;
    for (int n = 0; n < kept_count; ++n)
      set_point(kept[n], x_axis, y_axis, least, rounding, patch->points[n]);
    answer.patches = patch;
    answer.count = 1;
    return answer;
  }

 private:
  void place() {
    find_axes(field_row_, axis_);
    const PairRun<3, T>& run = run_.pairs;
    const T* const row = run.rows_a + std::ptrdiff_t{own_.a} * 8;
    double offset = double(row[3]) + double(row[7]);
    for (int k = 0; k < 3; ++k) {
      scene_normal_[k] = double(row[k]) + double(row[4 + k]);
      center_[k] = double(field_row_[k]);
    }
    if constexpr (sizeof(T) == 4) {
      if (run.anchors_a != nullptr) {
        const double* const plane = run.anchors_a + std::ptrdiff_t{own_.a} * run.anchor_width_a;
        const double* const field = run.anchors_b + std::ptrdiff_t{own_.b} * run.anchor_width_b;
        for (int k = 0; k < 3; ++k) {
          scene_normal_[k] = plane[k];
          center_[k] = field[k];
        }
        offset = plane[3];
      }
    }
    for (int k = 0; k < 3; ++k) normal_[k] = dot(axis_[k], scene_normal_);
    offset_ = offset - dot(scene_normal_, center_);
  }

  double height_of(const Vector& at) const { return dot(normal_, at) - offset_; }
  double thickness() const { return surface_.is_solid() ? 0 : double(field_row_[3]); }

  /// Calls `op(triangle)` for those of a mesh with bounds that are lower over the plane than
  /// `best`, the low ones first. The bounds' lowest corner is not above a vertex, with all
  /// rounding.
  template <class Op>
  void walk_low(const double& best, const Op& op) const {
    const auto lowest = [&](const double(&low)[3], const double(&high)[3]) {
      Vector corner;
      for (int k = 0; k < 3; ++k) corner[k] = normal_[k] >= 0 ? low[k] : high[k];
      return height_of(corner) - thickness();
    };
    walk_nearest(*surface_.mesh(), lowest, best, op);
  }
  /// Calls `op(vertex, height)` for the vertices of a mesh's triangle.
  template <class Op>
  void for_each_vertex(std::int32_t triangle, const Op& op) const {
    for (int k = 0; k < 3; ++k) {
      const SamplePlace vertex = sample_of(surface_.place_of(triangle), k);
      op(vertex, height_of(surface_.position(vertex)) - thickness());
    }
  }

  /// The height of the lowest sample that is part of a triangle; infinite if there is none.
  double least_height() const {
    double least = kInfinite<double>;
    if (!surface_.is_solid()) {
      walk_low(least, [&](std::int32_t triangle) {
        for_each_vertex(triangle, [&](const SamplePlace&, double height) {
          least = height < least ? height : least;
        });
      });
      return least;
    }
    for_each_of_field([&](const SamplePlace& at, double height) {
      if (height < least && name_of(at) >= 0) least = height;
    });
    return least;
  }
  /// Lists the vertices of a mesh up to a height, ascending. False if the arena is too small.
  bool list_vertices(double most) {
    if (surface_.is_solid()) return true;
    const double beyond = most + (magnitude(most) * 1e-15 + 1e-300);
    const auto for_each = [&](const auto& op) {
      walk_low(beyond, [&](std::int32_t triangle) {
        for_each_vertex(triangle, [&](const SamplePlace& vertex, double height) {
          // Once: from the lowest triangle that has it.
          if (height <= most && around_sample(vertex, 0).place.row == triangle) op(vertex.row);
        });
      });
    };
    vertex_count_ = 0;
    for_each([&](std::int32_t) { ++vertex_count_; });
    vertices_ = arena_.template take<std::int32_t>(static_cast<std::size_t>(vertex_count_));
    if (vertices_ == nullptr) {
      arena_.template take<FaceCorner<double>>(static_cast<std::size_t>(vertex_count_) + 8);
      return false;
    }
    std::int32_t count = 0;
    for_each([&](std::int32_t vertex) { vertices_[count++] = vertex; });
    heap_sort(vertices_, count, [](std::int32_t a, std::int32_t b) { return a < b; });
    return true;
  }

  /// `op(sample, height over the plane)` for those that are part of a triangle, up to a height.
  template <class Op>
  void for_each_sample(double most, const Op& op) const {
    for (std::int32_t n = 0; n < vertex_count_; ++n) {
      const SamplePlace vertex{vertices_[n], 0, surface_.mesh()};
      op(vertex, height_of(surface_.position(vertex)) - thickness());
    }
    if (!surface_.is_solid()) return;
    for_each_of_field([&](const SamplePlace& at, double height) {
      if (height <= most && name_of(at) >= 0) op(at, height);
    });
  }
  /// Few are near the plane, so `op` asks whether they are part of a triangle.
  template <class Op>
  void for_each_of_field(const Op& op) const {
    const auto& field = surface_.field();
    for (std::int32_t row = 0; row < field.rows; ++row) {
      for (std::int32_t col = 0; col < field.columns; ++col) {
        const double height = height_of(surface_.position({row, col}));
        if (height - height == 0) op(SamplePlace{row, col}, height);
      }
    }
  }
  /// -1 for a sample between holes.
  double name_of(const SamplePlace& sample) const {
    for (int k = 0; k < triangles_around(sample); ++k) {
      const TriangleAround around = around_sample(sample, k);
      if (!surface_.is_own(around.place) || !surface_.exists(around.place)) continue;
      return surface_name(surface_.number_of(around.place), kOfVertex + around.vertex);
    }
    return -1;
  }
  void set_point(const FaceCorner<double>& corner, const Vector& x_axis, const Vector& y_axis,
                 double least, double rounding, SurfacePoint<T>& point) const {
    const double height = corner.height <= least + rounding ? least : corner.height;
    // On the plane: the place as seen along the normal, and the offset along it.
    const Vector local =
        (scaled(x_axis, corner.x) + scaled(y_axis, corner.y)) + scaled(normal_, offset_);
    const Vector turned =
        scaled(axis_[0], local[0]) + scaled(axis_[1], local[1]) + scaled(axis_[2], local[2]);
    for (int k = 0; k < 3; ++k) point.offset[k] = center_[k] + turned[k];
    point.depth = static_cast<T>(0 - height);
    point.part = static_cast<std::int32_t>(corner.reference_feature / kTriangleStep);
    point.feature =
        static_cast<std::uint32_t>(corner.reference_feature - double(point.part) * kTriangleStep);
  }

  const SurfaceRun<T>& run_;
  Pair own_;
  const T* field_row_;
  FieldTriangles<T> surface_;
  Arena arena_;
  Vector axis_[3], scene_normal_, normal_, center_;
  double offset_;  ///< of the plane from the field's origin
  std::int32_t* vertices_ = nullptr;  ///< of a mesh: those that are low
  std::int32_t vertex_count_ = 0;
};

}  // namespace
}  // namespace widephase
