#pragma once

// halfspace_heightfield, halfspace_mesh: the samples or vertices nearest to the plane or below it,
// as the vertices of a hull. Normal: A to B, out of the solid. Points: 1 to 4, on the plane, each
// under its sample. Features: whole; the vertex, named by the lowest triangle that has it. Cost: 1
// to 2 ns per sample.

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
    double least = kInfinite<double>;
    for_each_sample([&](const SamplePlace& at, double height) {
      if (height < least && name_of(at) >= 0) least = height;
    });
    if (!(least < kInfinite<double>) || !(least <= margin || is_nearest)) return answer;
    const double most = is_nearest ? least : margin;
    std::int64_t count = 0;
    for_each_sample([&](const SamplePlace& at, double height) {
      count += height <= most && name_of(at) >= 0 ? 1 : 0;
    });
    SurfacePatch<T>* const patch = arena_.template take<SurfacePatch<T>>(1);
    FaceCorner<double>* const corners =
        arena_.template take<FaceCorner<double>>(static_cast<std::size_t>(count));
    if (patch == nullptr || corners == nullptr) return {nullptr, 0, 0, 0, arena_.used()};
    const Vector x_axis = across_of(normal_), y_axis = cross(normal_, x_axis);
    double low[2] = {0, 0}, high[2] = {0, 0}, rounding = 0;
    count = 0;
    for_each_sample([&](const SamplePlace& at, double height) {
      if (!(height <= most) || !(name_of(at) >= 0)) return;
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

  /// `op(sample, height over the plane)`. Few are near it, so `op` asks whether they are part of a
  /// triangle.
  template <class Op>
  void for_each_sample(const Op& op) const {
    if (const MeshView<T>* const mesh = surface_.mesh()) {
      for (std::int32_t v = 0; v < mesh->vertex_count; ++v) {
        const SamplePlace vertex{v, 0, mesh};
        const double height = dot(normal_, surface_.position(vertex)) - offset_;
        if (triangles_around(vertex) > 0) op(vertex, height - double(field_row_[3]));
      }
      return;
    }
    const auto& field = surface_.field();
    for (std::int32_t row = 0; row < field.rows; ++row) {
      for (std::int32_t col = 0; col < field.columns; ++col) {
        const Vector at = surface_.position({row, col});
        const double height = dot(normal_, at) - offset_;
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
};

}  // namespace
}  // namespace widephase
