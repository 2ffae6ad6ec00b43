#pragma once

// halfspace_chain: the vertices nearest to the line or below it. Normal: A to B, out of the solid.
// Points: 1 or 2, on the line, each under its vertex. Features: whole; the vertex, named by the
// lowest segment that has it. Cost: 1 to 2 ns per vertex.

#include "kernels/core/chain/chain_points.hpp"

namespace widephase {
namespace {

template <class T>
class ChainPlane {
 public:
  ChainPlane(const SurfaceRun<T, 2>& run, std::int64_t i, const SurfaceRoom& room)
      : run_(run), own_(shape_and_chain(run.pairs.pairs[i])), arena_(room) {
    place_ = place_chain(run.pairs, own_);
    chain_ = run.chains + place_.chain;
  }

  SurfaceAnswer<T, 2> find() {
    SurfaceAnswer<T, 2> answer{};
    find_line();
    SurfacePatch<T, 2>* const patch = arena_.template take<SurfacePatch<T, 2>>(1);
    if (patch == nullptr) {
      answer.bytes_needed = arena_.used();
      return answer;
    }
    double least = kInfinite<double>, size = 0;
    for_each_vertex([&](std::int32_t, const Vector2& at) {
      const double here = height_of(at), far = length_of(at);
      least = here < least ? here : least;
      size = far > size ? far : size;
    });
    const double margin = margin_with_chain(run_.pairs, own_);
    const bool is_nearest = run_.pairs.question == Question::deepest;
    if (!(least < kInfinite<double>) || !(least <= margin || is_nearest)) return answer;
    const double rounding = 8 * double(kRounding<T>) * size;
    const Vector2 across = right_of(normal_);
    TwoPoints points;
    for_each_vertex([&](std::int32_t vertex, const Vector2& at) {
      const double height = height_of(at);
      if (!(height <= (is_nearest ? least : margin))) return;
      points.add({dot(across, at), -height, at, vertex, 0}, rounding);
    });
    ChainPoint chosen[2];
    int count = points.choose(rounding, 4 * rounding, chosen);
    if (run_.pairs.question != Question::points) count = 1;
    for (int k = 0; k < 2; ++k) patch->normal[k] = static_cast<T>(scene_normal_[k]);
    patch->depth = static_cast<T>(0 - least);
    patch->status = 0;
    patch->point_count = count;
    for (int n = 0; n < count; ++n) set_point(chosen[n], least, rounding, patch->points[n]);
    if (count == 2 && patch->points[1].part < patch->points[0].part) {
      const SurfacePoint<T, 2> first = patch->points[0];
      patch->points[0] = patch->points[1];
      patch->points[1] = first;
    }
    answer.patches = patch;
    answer.count = 1;
    return answer;
  }

 private:
  void find_line() {
    const PairRun<2, T>& run = run_.pairs;
    const T* const row = run.rows_a + std::ptrdiff_t{own_.a} * 8;
    const T* const chain = chain_row(run, own_);
    double offset = double(row[3]) + double(row[7]);
    for (int k = 0; k < 2; ++k) {
      scene_normal_[k] = double(row[k]) + double(row[4 + k]);
      center_[k] = double(chain[k]);
    }
    if constexpr (sizeof(T) == 4) {
      if (run.anchors_a != nullptr) {
        const double* const line = run.anchors_a + std::ptrdiff_t{own_.a} * run.anchor_width_a;
        const double* const at = run.anchors_b + std::ptrdiff_t{own_.b} * run.anchor_width_b;
        for (int k = 0; k < 2; ++k) {
          scene_normal_[k] = line[k];
          center_[k] = at[k];
        }
        offset = line[3];
      }
    }
    normal_ = place_.to_chain(scene_normal_);
    offset_ = offset - dot(scene_normal_, center_);
  }

  double height_of(const Vector2& at) const {
    return dot(normal_, at) - offset_ - place_.thickness;
  }

  /// Calls `op(vertex, position)` for the ends of the own segments.
  template <class Op>
  void for_each_vertex(const Op& op) const {
    for (std::int32_t v = chain_->own_begin; v <= chain_->own_end; ++v) {
      const T* const at = chain_->positions + 2 * std::ptrdiff_t{v};
      if (v == chain_->segment_count && chain_->is_loop) continue;  // the first again
      op(v, Vector2{{double(at[0]), double(at[1])}});
    }
  }

  void set_point(const ChainPoint& from, double least, double rounding,
                 SurfacePoint<T, 2>& point) const {
    const double height = -from.depth <= least + rounding ? least : -from.depth;
    // On the line: the place as seen along the normal, and the offset along it.
    const Vector2 across = right_of(normal_);
    const Vector2 on_line =
        place_.to_scene(scaled(across, dot(across, from.on_core)) + scaled(normal_, offset_));
    for (int k = 0; k < 2; ++k) point.offset[k] = center_[k] + on_line[k];
    point.depth = static_cast<T>(0 - height);
    // A vertex is the end of the segment before it, if that is own and has the lower number.
    const std::int32_t vertex = from.part;
    const bool is_start = vertex == chain_->own_begin;
    point.part = chain_->number[is_start ? vertex : vertex - 1];
    point.feature = static_cast<std::uint32_t>(vertex_feature(is_start ? 0.0 : 1.0));
  }

  const SurfaceRun<T, 2>& run_;
  Pair own_;
  ChainPlace place_;
  const ChainView<T>* chain_;
  Arena arena_;
  Vector2 scene_normal_, normal_, center_;
  double offset_ = 0;  ///< of the line from the chain's origin
};

}  // namespace
}  // namespace widephase
