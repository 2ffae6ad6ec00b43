#pragma once

// The points of hulls that overlap along a known axis, with pairs in lanes.
// core/faces/convex_manifold.hpp does the same one pair at a time. Here are only plain pairs, whose
// faces and edges are told apart by more than rounding. All others are left to it.
//
// Points over faces are found by core/hull/face_queue3.hpp. This file finds the deepest point, if
// only that is asked for and it is one vertex, and the point where edges cross.

#include "kernels/core/hull/face_queue3.hpp"

namespace widephase {
namespace {

/// For pairs of `found`, whose exit is across a face: puts the deepest point if it is one vertex
/// over the face. Answers these pairs.
template <class F>
__attribute__((noinline)) unsigned put_vertex_points(const HullSearch<F>& search,
                                                     const Rotation3<F>& turn_a, unsigned found,
                                                     PointTable<F>& table) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const HullAxes<F>& axis = search.axis;
  const BoundedHulls<F>* const sides = search.side;
  const Lanes<F> slacks(flush_slack_lanes(load(search.size.number)));
  T of_normal[3][kLanes] = {}, of_vertex[3][kLanes] = {};
  for (unsigned left = found; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int which = axis.side[i] > 0 ? 1 : 0, face = static_cast<int>(axis.face[i]);
    const Vec<T, 3> normal = sides[which].hull[i].face_normal(face);
    const Vec<T, 3> vertex = sides[1 - which].hull[i].vertex(static_cast<int>(axis.vertex[i]));
    for (int k = 0; k < 3; ++k) {
      of_normal[k][i] = normal[k];
      of_vertex[k][i] = vertex[k];
    }
  }
  const auto by_b = load(axis.side.number) > F(0);
  const F depth = load(axis.overlap.number);
  const Rotation3<F> turn = select(by_b, sides[1].other.turns(), sides[0].other.turns());
  const Vec<F, 3> normal{{load(of_normal[0]), load(of_normal[1]), load(of_normal[2])}};
  const Vec<F, 3> vertex{{load(of_vertex[0]), load(of_vertex[1]), load(of_vertex[2])}};
  const Vec<F, 3> at =
      (select(by_b, sides[1].other.origins(), sides[0].other.origins()) + rotate(turn, vertex)) +
      depth * normal;
  const Vec<F, 3> facing = -rotate_back(turn, normal);
  const Lanes<F> x(at[0]), y(at[1]), z(at[2]);
  const Lanes<F> inwards[3] = {Lanes<F>(facing[0]), Lanes<F>(facing[1]), Lanes<F>(facing[2])};
  unsigned done = 0;
  for (unsigned left = found; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int which = axis.side[i] > 0 ? 1 : 0, face = static_cast<int>(axis.face[i]);
    const HullView<T>& hull = sides[which].hull[i];
    if (face >= hull.face_count) continue;
    const LevelVertices<T> level(sides[1 - which].hull[i],
                                 {{inwards[0][i], inwards[1][i], inwards[2][i]}}, slacks[i]);
    if (level.count != 1 || !(inside_of_face(hull, face, {{x[i], y[i], z[i]}}) >= 0)) continue;
    done |= 1u << i;
  }
  if (done == 0) return 0;
  const auto is_done = lanes_of<F>(done);
  const Vec<F, 3> on_a = rotate(turn_a, select(by_b, vertex, at));
  const F of_face = face_feature(load(axis.face.number));
  const F of_other = vertex_feature(load(axis.vertex.number));
  const auto put = [&](T(&to)[kLanes], const F& value) { store_where(is_done, to, value); };
  for (int k = 0; k < 3; ++k) put(table.position[0][k], on_a[k]);
  put(table.depth[0], depth);
  put(table.feature_a[0], select(by_b, of_other, of_face));
  put(table.feature_b[0], select(by_b, of_face, of_other));
  return done;
}

/// Does the same for pairs whose exit is across an edge of each hull.
template <class F>
__attribute__((noinline)) unsigned put_edge_points(const HullSearch<F>& search,
                                                   const Rotation3<F>& turn_a, unsigned found,
                                                   PointTable<F>& table) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const HullAxes<F>& axis = search.axis;
  const BoundedHulls<F>(&sides)[2] = search.side;
  const F size = load(search.size.number);
  const F slack = flush_slack_lanes(size);
  const Vec<F, 3> normal = axis_of(axis);
  const Rotation3<F> turn = sides[0].other.turns();

  std::int32_t record[2][kLanes] = {};
  const unsigned plain = found & mask_bits(load(axis.is_alone.number) > F(0));
  if (plain == 0) return 0;
  for (unsigned left = plain; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    record[0][i] = edge_record(sides[0], i, static_cast<int>(axis.edge_a[i]));
    record[1][i] = edge_record(sides[1], i, static_cast<int>(axis.edge_b[i]));
  }
  const HullEdgeLines<F> a(sides[0].base, record[0]), in_b(sides[1].base, record[1]);
  const Vec<F, 3> along = rotate(turn, in_b.along);
  const Vec<F, 3> to_b = (sides[0].other.origins() + rotate(turn, in_b.from)) - a.from;
  const F along2 = dot(a.along, a.along), other2 = dot(along, along);
  const Vec<F, 3> n = cross(a.along, along);
  // As in `put_edges`: B's share from the point itself.
  const F t = divide(dot(cross(to_b, along), normal), dot(n, normal));
  const F u = divide(dot(t * a.along - to_b, along), other2);
  const F end_a = divide(slack, sqrt(along2)), end_b = divide(slack, sqrt(other2));
  const F one = F(1);
  const auto is_plain = (dot(n, n) > (slack * slack) * along2) & (t > end_a) & (t < one - end_a) &
                        (u > end_b) & (u < one - end_b);
  const unsigned done = plain & mask_bits(is_plain);
  if (done == 0) return 0;
  const auto is_done = lanes_of<F>(done);
  const Vec<F, 3> at = rotate(turn_a, a.from + t * a.along);
  const auto put = [&](T(&to)[kLanes], const F& value) { store_where(is_done, to, value); };
  for (int k = 0; k < 3; ++k) put(table.position[0][k], at[k]);
  put(table.depth[0], load(axis.overlap.number));
  put(table.feature_a[0], edge_feature(load(axis.edge_a.number)));
  put(table.feature_b[0], edge_feature(load(axis.edge_b.number)));
  return done;
}

}  // namespace
}  // namespace widephase
