#pragma once

// How a box's features are numbered.
// Vertex: bit k is set on the upper side of axis k.
// Face: 2 * axis, plus 1 for the upper side.
// Edge (3D): 4 * its axis, plus one bit for the side of each other axis, the lower axis first.

#include "kernels/core/basis/manifold.hpp"

namespace widephase {
namespace {

/// What a corner of a face or of a range has along an axis that its bits number, bit 0 the first
/// such axis: the value at the lower end or the upper one.
template <class F>
WIDEPHASE_INLINE F at_corner(int corner, const MaskOf<F>& is_first_axis, const F& at_low,
                             const F& at_high) {
  const bool is_first_high = corner & 1, is_second_high = corner >> 1 & 1;
  if (is_first_high == is_second_high) return is_first_high ? at_high : at_low;
  return is_first_high ? select(is_first_axis, at_high, at_low)
                       : select(is_first_axis, at_low, at_high);
}

/// The box's feature nearest to a point outside. `toward` points from that point to the nearest
/// point of the box. Its component is 0 along each axis where the point lies within the box's
/// range. At least one component must not be 0.
template <class F>
WIDEPHASE_INLINE F outer_feature(const Vec<F, 2>& toward) {
  const F zero = F(0), one = F(1);
  // Above the upper side the direction to the box points down.
  const F side0 = select(toward[0] < zero, one, zero);
  const F side1 = select(toward[1] < zero, one, zero);
  const F vertex = vertex_feature(side0 + (side1 + side1));
  const F face0 = face_feature(side0);
  const F face1 = face_feature(F(2) + side1);
  return select(toward[1] == zero, face0, select(toward[0] == zero, face1, vertex));
}
template <class F>
WIDEPHASE_INLINE F outer_feature(const Vec<F, 3>& toward) {
  const F zero = F(0), one = F(1);
  const F side0 = select(toward[0] < zero, one, zero);
  const F side1 = select(toward[1] < zero, one, zero);
  const F side2 = select(toward[2] < zero, one, zero);
  const auto in0 = toward[0] == zero, in1 = toward[1] == zero, in2 = toward[2] == zero;
  const F vertex = vertex_feature(side0 + F(2) * side1 + F(4) * side2);
  const F edge =
      edge_feature(select(in0, side1 + F(2) * side2,
                          select(in1, F(4) + side0 + F(2) * side2, F(8) + side0 + F(2) * side1)));
  const F face = face_feature(select(!in0, side0, select(!in1, F(2) + side1, F(4) + side2)));
  const auto is_face = (in0 & in1) | (in0 & in2) | (in1 & in2);
  const auto is_edge = in0 | in1 | in2;
  return select(is_face, face, select(is_edge, edge, vertex));
}

/// The feature that fixes some axes at the sides of `vertex`: all of them give a vertex, one a
/// face, two of three an edge. `free_axis` is the sum of the numbers of the other axes.
template <class F, int D>
WIDEPHASE_INLINE F box_feature(const F& vertex, const F& fixed_count, const F& free_axis) {
  const F zero = F(0);
  if constexpr (D == 2) {
    // The fixed axis is the one of 0 and 1 that is not free.
    const F face = select(free_axis == zero, F(2) + select(vertex > zero, F(1), zero),
                          select(vertex > zero, F(1), zero));
    return select(fixed_count == F(2), vertex_feature(vertex), face_feature(face));
  } else {
    const F face_axis = F(3) - free_axis;
    const F face = face_axis + face_axis + select(vertex > zero, F(1), zero);
    // Bits of the two fixed axes, the lower one first.
    const F sides =
        select(free_axis == zero, F(0.5f) * vertex,
               select(free_axis == F(1), select(vertex >= F(4), vertex - F(2), vertex), vertex));
    const F edge = F(4) * free_axis + sides;
    return select(fixed_count == F(3), vertex_feature(vertex),
                  select(fixed_count == F(2), edge_feature(edge), face_feature(face)));
  }
}

}  // namespace
}  // namespace widephase
