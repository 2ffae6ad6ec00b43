#pragma once

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

/// One face per lane, in the frame of its hull: its corners, then the first one again where a lane
/// has no more.
template <class F>
struct FaceRingLanes {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int most = 8;
  T corner[most + 1][3][lanes];
  T corner_feature[most][lanes], edge_feature[most][lanes];
  T face_feature[lanes], normal[3][lanes] = {};
  T count[lanes] = {};
  int most_count = 0;

  /// Whether a face has no more corners than there is room for.
  static WIDEPHASE_INLINE bool has_room(const HullView<T>& hull, int face) {
    return hull.face_start(face + 1) - hull.face_start(face) <= most;
  }
  WIDEPHASE_INLINE void clear() {
    store(count, F(0));
    most_count = 0;
  }
  WIDEPHASE_INLINE void set(int lane, const HullView<T>& hull, int face) {
    const int start = hull.face_start(face), corners = hull.face_start(face + 1) - start;
    const std::int16_t* const vertices = hull.face_vertices() + start;
    const std::int16_t* const edges = hull.face_edges() + start;
    for (int c = 0; c < corners; ++c) {
      const T* const at = hull.vertex_blocks() + HullLayout::vertex_place(vertices[c]);
      for (int k = 0; k < 3; ++k) corner[c][k][lane] = at[8 * k];
      corner_feature[c][lane] = vertex_feature(static_cast<T>(vertices[c]));
      edge_feature[c][lane] = widephase::edge_feature(static_cast<T>(edges[c]));
    }
    const Vec<T, 3> outward = hull.face_normal(face);
    for (int k = 0; k < 3; ++k) normal[k][lane] = outward[k];
    face_feature[lane] = widephase::face_feature(static_cast<T>(face));
    count[lane] = static_cast<T>(corners);
    most_count = corners > most_count ? corners : most_count;
  }
  /// Sets a segment, as a ring there and back.
  WIDEPHASE_INLINE void set_segment(int lane, const HullView<T>& segment) {
    for (int c = 0; c < 2; ++c) {
      const Vec<T, 3> end = segment.vertex(c);
      for (int k = 0; k < 3; ++k) corner[c][k][lane] = end[k];
      corner_feature[c][lane] = vertex_feature(static_cast<T>(c));
      edge_feature[c][lane] = widephase::edge_feature(T(0));
    }
    face_feature[lane] = 0;
    count[lane] = 2;
    most_count = most_count > 2 ? most_count : 2;
  }
  WIDEPHASE_INLINE void fill() {
    const F corners = load(count);
    for (int k = 0; k < 3; ++k) {
      const F first = select(corners > F(0), load(corner[0][k]), F(0));
      store(corner[0][k], first);
      for (int c = 1; c <= most_count; ++c) {
        store(corner[c][k], select(F(static_cast<T>(c)) < corners, load(corner[c][k]), first));
      }
    }
  }
  WIDEPHASE_INLINE Vec<F, 3> corner_at(int c) const {
    return {{load(corner[c][0]), load(corner[c][1]), load(corner[c][2])}};
  }
  WIDEPHASE_INLINE Vec<F, 3> normals() const {
    return {{load(normal[0]), load(normal[1]), load(normal[2])}};
  }
};

}  // namespace
}  // namespace widephase
