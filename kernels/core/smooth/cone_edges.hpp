#pragma once

// Edges of a box or a hull against a cone, in lanes: the least overlap between each edge and the
// cone's side or rim (core/smooth/cone_axes3.hpp, where the frame is).
//
// A direction n across an edge is that of a line of the side where n.u = -level, with the axis u to
// the apex and the level of the side's normals: two directions. Where n.u is greater, the rim is
// foremost, which is an ellipse as seen along the edge (core/cylinder/cylinder_edges.hpp). Both its
// nearest feet may be the exit: there is but one rim.

#include "kernels/core/cylinder/cylinder_edges.hpp"

namespace widephase {
namespace {

/// What turns a direction by 0.05 about a cone's axis adds at least this share of its bend.
template <class T>
inline constexpr T kTurnedShare = T(1.2e-3);

/// Evaluates the edges. Puts the least exit of each in `found`; one that another of the same edge
/// reaches within the lanes' `slack`, or that hardly bends, is a tie.
template <class F>
__attribute__((noinline)) void ask_cone_edges(const CylinderEdges<F>& edges, const F& slack,
                                              CylinderAxis<RealOf<F>>* found) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  constexpr RowsInOrder<kLanes> kRows;
  const F zero = F(0), one = F(1);
  F record[16], row[8];
  load_quads<4, 1>(edges.edge, kRows.index, record);
  load_quads<2, 1>(edges.cylinder, kRows.index, row);
  const Vec<F, 3> from{{record[0], record[1], record[2]}};
  const Vec<F, 3> along = Vec<F, 3>{{record[3], record[4], record[5]}} - from;
  const Vec<F, 3> left{{record[6], record[7], record[8]}};
  const Vec<F, 3> right{{record[9], record[10], record[11]}};
  const Vec<F, 3> u{{row[0], row[1], row[2]}}, base{{row[3], row[4], row[5]}};
  const F radius = row[6], height = row[7];
  const F level = divide_or_zero(radius, sqrt(radius * radius + height * height));

  // x is the part of u across the edge; for an edge along the axis any direction across will do.
  const F inverse = divide_or_zero(one, length(along));
  const Vec<F, 3> e = inverse * along;
  const F cosine = dot(u, e);
  const Vec<F, 3> once = u - cosine * e;
  const Vec<F, 3> across = once - dot(once, e) * e, aside = left - dot(left, e) * e;
  const F sine = length(across);
  const auto is_astray = sine > roundings<F>(16);
  const Vec<F, 3> beside = select(is_astray, across, aside);
  const Vec<F, 3> x = divide_or_zero(one, length(beside)) * beside;
  const Vec<F, 3> y = cross(e, x);
  const Vec<F, 3> q = from - base;
  const F qx = dot(q, x), qy = dot(q, y);
  const F of_apex = qx - height * sine;

  // An exit lies between the normals of both faces.
  const BetweenNormals<F> normals(left, right, x, y);
  const F& near = normals.slack;

  F best = F(kInfinite<T>), best_x = one, best_y = zero, is_rim = zero, is_tie = zero;
  const auto take = [&](const MaskOf<F>& exists, const F& nx, const F& ny, const F& by_rim,
                        const F& rim, const MaskOf<F>& is_flat) {
    // Whatever is foremost counts, so that no answer is too low.
    const F overlap = greater(by_rim, of_apex * nx + qy * ny);
    const auto is_known = exists & normals.has(nx, ny);
    const auto is_better = is_known & (overlap < best);
    const auto is_near =
        is_known & (abs(overlap - best) <= slack) & (best_x * nx + best_y * ny < F(T(0.999)));
    const auto is_lower = is_known & (overlap < best - slack);
    is_tie = select(is_near | (is_better & is_flat), one, select(is_lower, zero, is_tie));
    best = select(is_better, overlap, best);
    best_x = select(is_better, nx, best_x);
    best_y = select(is_better, ny, best_y);
    is_rim = select(is_better, rim, is_rim);
  };
  const F flat = (radius * sine) * (radius * sine);
  const Ellipse<F> rim{qx, qy, radius, radius * abs(cosine), flat};
  const F crossing = negate(divide_or_zero(level, sine));
  const auto crosses = crossing >= F(-1);
  const F rest = sqrt(greater((one - crossing) * (one + crossing), zero));
  for (const F& ny : {rest, negate(rest)}) {
    take(is_astray & crosses, crossing, ny, rim.overlap(crossing, ny), zero, zero > zero);
  }

  // Either foot is in a quadrant that is known: it counts where that has directions between the
  // normals.
  const F up = select(qy > zero, F(-1), one), side = select(qx > zero, F(-1), one);
  const auto is_middle = abs(qx) <= roundings<F>(64) * (radius + abs(qy));
  const auto take_foot = [&](const PlaneExit<F>& at) {
    const F out = rim.reach(at.x, at.y), ab = rim.a * rim.b;
    const F bend = divide_or_zero(ab * ab, out * (out * out)) - at.overlap;
    const auto is_flat = F(kTurnedShare<T>) * bend <= slack;
    take(at.exists & (at.x * sine >= negate(level + near)), at.x, at.y, at.overlap, one, is_flat);
  };
  const auto of_nearest = is_middle | normals.has_quadrant(side, up);
  const auto of_beyond = is_middle | normals.has_quadrant(negate(side), up);
  if (any<F>(of_nearest)) take_foot(rim.find_nearest(of_nearest));
  if (any<F>(of_beyond)) take_foot(rim.find_beyond(of_beyond));
  const Vec<F, 3> normal = best_x * x + best_y * y;
  const Lanes<F> overlap(best), nx(normal[0]), ny(normal[1]), nz(normal[2]), by_rim(is_rim);
  const Lanes<F> tie(is_tie);
  for (int i = 0; i < edges.count; ++i) {
    const T* const vertices = edges.edge + i * HullLayout::edge + HullLayout::edge_vertices;
    found[i] = {overlap[i],
                {{nx[i], ny[i], nz[i]}},
                by_rim[i] > 0 ? CylinderFeature::rim_edge : CylinderFeature::side_edge,
                tie[i] > 0,
                {integer_in(vertices[0]), integer_in(vertices[1])}};
  }
}

/// Takes another exit of a cone in the place of the least so far. Others within `slack` are ties.
template <class T>
WIDEPHASE_INLINE void take_exit(const CylinderAxis<T>& other, T slack, CylinderAxis<T>& least) {
  if (other.overlap < least.overlap - slack) {
    least = other;
  } else if (other.overlap <= least.overlap + slack && dot(other.normal, least.normal) < T(0.999)) {
    least.is_tie = true;
  }
}

/// Evaluates queued edges for their pairs, whose least axes are `found`, and empties the queue.
template <class F>
WIDEPHASE_INLINE void flush_cone_edges(CylinderEdges<F>& edges, const RealOf<F>* slacks,
                                       CylinderAxis<RealOf<F>>* found) {
  CylinderAxis<RealOf<F>> exits[CylinderEdges<F>::lanes];
  Lanes<F> slack;
  for (int n = 0; n < CylinderEdges<F>::lanes; ++n) {
    slack.number[n] = slacks[edges.pair[n < edges.count ? n : 0]];
  }
  ask_cone_edges(edges, load(slack.number), exits);
  for (int n = 0; n < edges.count; ++n) {
    const int i = edges.pair[n];
    take_exit(exits[n], slacks[i], found[i]);
  }
  edges.count = 0;
}

}  // namespace
}  // namespace widephase
