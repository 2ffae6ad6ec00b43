#pragma once

// EPA in the plane: the edge of the Minkowski difference nearest to the origin within it, grown
// from GJK's simplex. The polytope is a closed list of edges in no order, each with its ends; a new
// vertex makes two of one. A segment through the origin is a polytope of two edges, there and back,
// so that touching and flat differences are no special case; a point on the origin first looks for
// a second vertex in four directions.
// Source: van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game Objects,
// 2001.

#include "core/gjk2.hpp"

namespace widephase {
namespace {

/// The polytopes of a batch of lanes; what a lane has not of an edge lies beyond all others.
template <class F>
struct PolytopeLanes {
  using T = RealOf<F>;
  static constexpr int most_edges = kMostEpaSteps + 3;
  static constexpr int lanes = LaneTraits<F>::count;
  /// Ends p and q, eight numbers each (`DifferenceVertex`), then the unit outward normal.
  static constexpr int p = 0, q = 8, normal = 16, fields = 18;
  T edge[most_edges][fields][lanes];
  T distance[most_edges][lanes];
  std::int32_t count[lanes];
  int most;  ///< edges of the largest polytope so far, at least those of a triangle
};

/// A direction's line at the origin's side: unit normal and distance.
template <class F>
struct EdgeLine {
  Vec<F, 2> normal;
  F distance;
};
/// The outward side of an edge that is run through counter-clockwise.
template <class F>
WIDEPHASE_INLINE EdgeLine<F> line_of(const DifferenceVertex<F>& from,
                                     const DifferenceVertex<F>& to) {
  const Vec<F, 2> across = -perpendicular(way(from, to));
  const F size = length(across);
  const Vec<F, 2> normal = across / select(size == F(0), F(1), size);
  return {normal, dot(normal, from.point)};
}

template <class F>
struct EpaLanes {
  using T = RealOf<F>;
  static constexpr T kBeyond = static_cast<T>(sizeof(T) == 4 ? __FLT_MAX__ : __DBL_MAX__);
  SearchLanes<F> lanes;
  PolytopeLanes<F> polytope;
  // The nearest edge known to be one of the difference; distance kBeyond while there is none.
  T final_distance[LaneTraits<F>::count];
  T final_x[LaneTraits<F>::count], final_y[LaneTraits<F>::count];
  T steps[LaneTraits<F>::count];  ///< that added a vertex

  void put_edge(int lane, int place, const OverlapSimplex<T>& simplex, int from, int to) {
    const T along[2] = {simplex.way(from, to, 0), simplex.way(from, to, 1)};
    const int ends[2] = {from, to};
    for (int e = 0; e < 2; ++e) {
      const int v = ends[e];
      const T numbers[8] = {simplex.x[v],
                            simplex.y[v],
                            simplex.of_a[v][0],
                            simplex.of_a[v][1],
                            simplex.of_b[v][0],
                            simplex.of_b[v][1],
                            static_cast<T>(simplex.a[v]),
                            static_cast<T>(simplex.b[v])};
      for (int f = 0; f < 8; ++f) polytope.edge[place][8 * e + f][lane] = numbers[f];
    }
    const T size2 = along[0] * along[0] + along[1] * along[1];
    const Lanes<F> size(sqrt(F(size2)));
    const T divisor = size2 > 0 ? size[0] : T(1);
    const T normal[2] = {along[1] / divisor, (T(0) - along[0]) / divisor};
    polytope.edge[place][PolytopeLanes<F>::normal][lane] = normal[0];
    polytope.edge[place][PolytopeLanes<F>::normal + 1][lane] = normal[1];
    polytope.distance[place][lane] = normal[0] * simplex.x[from] + normal[1] * simplex.y[from];
  }

  void clear_edge(int place, int lane) {
    polytope.distance[place][lane] = kBeyond;
    polytope.edge[place][PolytopeLanes<F>::p + 6][lane] = -1;
    polytope.edge[place][PolytopeLanes<F>::p + 7][lane] = -1;
  }

  void begin(int lane, const OutlinePairs<T>& pairs, const OverlapSimplex<T>& simplex) {
    lanes.set(lane, pairs, simplex.slot);
    for (int e = 0; e < polytope.most; ++e) clear_edge(e, lane);
    final_distance[lane] = kBeyond;
    final_x[lane] = final_y[lane] = steps[lane] = 0;
    // The vertices of a simplex are vertices of the difference, in the order of its boundary if
    // their orientation is sure. Where it is not, the longest edge alone, there and back.
    constexpr int kEnds[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    T along[3][2], length2[3];
    for (int e = 0; e < 3; ++e) {
      for (int k = 0; k < 2; ++k) along[e][k] = simplex.way(kEnds[e][0], kEnds[e][1], k);
      length2[e] = along[e][0] * along[e][0] + along[e][1] * along[e][1];
    }
    int longest = 0;
    if (simplex.size == 3) {
      for (int e = 1; e < 3; ++e) longest = length2[e] > length2[longest] ? e : longest;
      const T area = along[0][0] * along[1][1] - along[0][1] * along[1][0];
      if (area > T(0.001) * length2[longest] || area < T(-0.001) * length2[longest]) {
        const int second = area > 0 ? 1 : 2, third = 3 - second;
        put_edge(lane, 0, simplex, 0, second);
        put_edge(lane, 1, simplex, second, third);
        put_edge(lane, 2, simplex, third, 0);
        polytope.count[lane] = 3;
        return;
      }
    }
    put_edge(lane, 0, simplex, kEnds[longest][0], kEnds[longest][1]);
    put_edge(lane, 1, simplex, kEnds[longest][1], kEnds[longest][0]);
    polytope.count[lane] = 2;
  }
};

/// What a step of EPA looked at: each lane's nearest edge.
template <class F>
struct EpaStep {
  DifferenceVertex<F> p, q;
  Vec<F, 2> normal;
  F is_final;  ///< it is an edge of the difference
  F is_tie;    ///< and another one is as near
  unsigned is_done;
};

template <class F>
WIDEPHASE_INLINE EpaStep<F> epa_step(EpaLanes<F>& state) {
  using T = RealOf<F>;
  using Polytope = PolytopeLanes<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const F one = F(1);
  Polytope& polytope = state.polytope;
  // The nearest edge, the first of equals, and the distance of the next.
  F nearest = load(polytope.distance[0]), second = F(EpaLanes<F>::kBeyond), number = F(0);
  for (int e = 1; e < polytope.most; ++e) {
    const F distance = load(polytope.distance[e]);
    const auto is_nearer = distance < nearest;
    second = select(is_nearer, nearest, lesser(second, distance));
    number = select(is_nearer, F(static_cast<T>(e)), number);
    nearest = select(is_nearer, distance, nearest);
  }
  const Lanes<F> places(number);
  T chosen[Polytope::fields][kLanes];
  for (int i = 0; i < kLanes; ++i) {
    for (int f = 0; f < Polytope::fields; ++f) {
      chosen[f][i] = polytope.edge[static_cast<int>(places[i])][f][i];
    }
  }
  EpaStep<F> step;
  const auto vertex_at = [&](int field) {
    const auto vec = [&](int at) { return Vec<F, 2>{{load(chosen[at]), load(chosen[at + 1])}}; };
    return DifferenceVertex<F>{vec(field), vec(field + 2), vec(field + 4), load(chosen[field + 6]),
                               load(chosen[field + 7])};
  };
  step.p = vertex_at(Polytope::p);
  step.q = vertex_at(Polytope::q);
  step.normal = {{load(chosen[Polytope::normal]), load(chosen[Polytope::normal + 1])}};
  F reach2 = F(0);
  const DifferenceVertex<F> w = farthest(state.lanes, step.normal, reach2);
  const Vec<F, 2> to_w = way(step.p, w);
  const F gain = dot(step.normal, to_w);
  // A vertex of the polytope is beyond an edge of it by rounding alone.
  F is_known = F(0);
  for (int e = 0; e < polytope.most; ++e) {
    const auto is_same_vertex = (load(polytope.edge[e][Polytope::p + 6]) == w.a) &
                                (load(polytope.edge[e][Polytope::p + 7]) == w.b);
    is_known = select(is_same_vertex, one, is_known);
  }
  // Nor is one that the turn of B's outline may have put beside an end of the edge.
  const Vec<F, 2> from_q = way(step.q, w);
  const F beside2 = touching2<F>() * dot(w.of_b, w.of_b);
  const auto is_beside = (dot(to_w, to_w) <= beside2) | (dot(from_q, from_q) <= beside2);
  const F rounding = roundings<F>(4);
  const auto is_final = (is_known > F(0)) | is_beside | (gain <= F(0)) |
                        (gain * gain <= (rounding * rounding) * dot(to_w, to_w));
  // Looking at a final edge adds no vertex, and happens once an edge.
  const F steps = load(state.steps) + select(is_final, F(0), one);
  store(state.steps, steps);
  const auto is_capped = steps >= F(kMostEpaSteps);
  const F known_distance = load(state.final_distance);
  const auto has_known = known_distance < F(EpaLanes<F>::kBeyond);
  // An edge as near as the known one, in another direction.
  const Vec<F, 2> known_normal{{load(state.final_x), load(state.final_y)}};
  const Vec<F, 2> between = step.normal - known_normal;
  const auto is_other = dot(between, between) > roundings<F>(64) * roundings<F>(64);
  const auto is_tie = has_known & is_final & (nearest <= known_distance) & is_other;
  const auto is_done = is_capped | is_tie | (has_known & (nearest > known_distance)) |
                       (is_final & (second > nearest));
  step.is_tie = one_where<F>(is_tie);
  step.is_final = one_where<F>(is_final & (!has_known));
  step.is_done = mask_bits(is_done);

  const unsigned final_bits = mask_bits(is_final);
  const EdgeLine<F> first = line_of(step.p, w), other = line_of(w, step.q);
  const VertexLanes<F> vertex(w), end(step.q);
  const Lanes<F> first_x(first.normal[0]), first_y(first.normal[1]), first_d(first.distance);
  const Lanes<F> other_x(other.normal[0]), other_y(other.normal[1]), other_d(other.distance);
  const Lanes<F> distance(nearest), normal_x(step.normal[0]), normal_y(step.normal[1]);
  const unsigned known_bits = mask_bits(has_known);
  for (int i = 0; i < kLanes; ++i) {
    if (step.is_done >> i & 1) continue;
    const int at = static_cast<int>(places[i]);
    if (final_bits >> i & 1) {
      // Kept, and out of the way of others that may be as near.
      polytope.distance[at][i] = EpaLanes<F>::kBeyond;
      if (known_bits >> i & 1) continue;
      state.final_distance[i] = distance[i];
      state.final_x[i] = normal_x[i];
      state.final_y[i] = normal_y[i];
      continue;
    }
    const int more = polytope.count[i]++;
    polytope.most = polytope.most > more + 1 ? polytope.most : more + 1;
    const auto numbers_of = [i](const VertexLanes<F>& v, T(&numbers)[8]) {
      const T all[8] = {v.x[i], v.y[i], v.ax[i], v.ay[i], v.bx[i], v.by[i], v.a[i], v.b[i]};
      for (int f = 0; f < 8; ++f) numbers[f] = all[f];
    };
    T at_w[8], at_q[8];
    numbers_of(vertex, at_w);
    numbers_of(end, at_q);
    for (int f = 0; f < 8; ++f) {
      polytope.edge[at][Polytope::q + f][i] = at_w[f];
      polytope.edge[more][Polytope::p + f][i] = at_w[f];
      polytope.edge[more][Polytope::q + f][i] = at_q[f];
    }
    polytope.edge[at][Polytope::normal][i] = first_x[i];
    polytope.edge[at][Polytope::normal + 1][i] = first_y[i];
    polytope.distance[at][i] = first_d[i];
    polytope.edge[more][Polytope::normal][i] = other_x[i];
    polytope.edge[more][Polytope::normal + 1][i] = other_y[i];
    polytope.distance[more][i] = other_d[i];
  }
  return step;
}

/// A second vertex of the difference for a simplex of one: false where there is none.
template <class F>
__attribute__((noinline)) bool add_second_vertex(const OutlinePairs<RealOf<F>>& pairs,
                                                 bool has_blocks,
                                                 OverlapSimplex<RealOf<F>>& simplex) {
  using T = RealOf<F>;
  SearchLanes<F> lanes;
  lanes.has_blocks = has_blocks;
  for (int i = 0; i < LaneTraits<F>::count; ++i) lanes.set(i, pairs, simplex.slot);
  constexpr T kDirections[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (const auto& direction : kDirections) {
    F reach2 = F(0);
    const VertexLanes<F> w(farthest(lanes, Vec<F, 2>{{F(direction[0]), F(direction[1])}}, reach2));
    if (w.x[0] == simplex.x[0] && w.y[0] == simplex.y[0]) continue;
    simplex.put(1, w, 0);
    simplex.size = 2;
    return true;
  }
  return false;
}

/// EPA for the pairs whose simplices GJK has found.
template <class F>
__attribute__((noinline)) void epa(const OutlinePairs<RealOf<F>>& pairs, bool has_blocks,
                                   OverlapSimplex<RealOf<F>>* simplices, int count,
                                   NearestFeatures<RealOf<F>>& found) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  // Simplices of one vertex are rare: touching vertices, or cores without an extent.
  int ready = 0;
  for (int i = 0; i < count; ++i) {
    OverlapSimplex<T> simplex = simplices[i];
    if (simplex.size == 1 && !add_second_vertex<F>(pairs, has_blocks, simplex)) {
      found.kind[simplex.slot] = Nearest::vertices;
      found.is_tie[simplex.slot] = true;
      found.normal_x[simplex.slot] = found.normal_y[simplex.slot] = 0;
      found.vertex_a[simplex.slot][0] = simplex.a[0];
      found.vertex_b[simplex.slot][0] = simplex.b[0];
      continue;
    }
    simplices[ready++] = simplex;
  }
  if (ready == 0) return;
  EpaLanes<F> state;
  state.lanes.has_blocks = has_blocks;
  state.polytope.most = 3;
  int next = 0, live = 0;
  for (int i = 0; i < kLanes; ++i) {
    // Lanes without a pair repeat the first one's.
    const bool has_pair = next < ready;
    live += has_pair;
    state.begin(i, pairs, simplices[has_pair ? next++ : 0]);
    if (!has_pair) state.lanes.slot[i] = -1;
  }
  while (live > 0) {
    const int most_before = state.polytope.most;
    const EpaStep<F> step = epa_step(state);
    // A list that has grown longer has lanes that have not.
    for (int e = most_before; e < state.polytope.most; ++e) {
      for (int i = 0; i < kLanes; ++i) {
        if (state.polytope.count[i] <= e) state.clear_edge(e, i);
      }
    }
    const VertexLanes<F> p(step.p), q(step.q);
    const Lanes<F> x(step.normal[0]), y(step.normal[1]), is_final(step.is_final),
        is_tie(step.is_tie);
    for (int i = 0; i < kLanes; ++i) {
      const std::int32_t slot = state.lanes.slot[i];
      const bool is_done = step.is_done >> i & 1;
      if (slot < 0) {
        if (is_done) {
          state.begin(i, pairs, simplices[0]);
          state.lanes.slot[i] = -1;
        }
        continue;
      }
      // The first edge known to be final is the answer; one that a cap leaves unknown, too.
      if (is_final[i] != 0 || (is_done && state.final_distance[i] == EpaLanes<F>::kBeyond)) {
        found.kind[slot] = Nearest::edge;
        found.normal_x[slot] = x[i];
        found.normal_y[slot] = y[i];
        found.vertex_a[slot][0] = static_cast<std::int16_t>(p.a[i]);
        found.vertex_b[slot][0] = static_cast<std::int16_t>(p.b[i]);
        found.vertex_a[slot][1] = static_cast<std::int16_t>(q.a[i]);
        found.vertex_b[slot][1] = static_cast<std::int16_t>(q.b[i]);
      }
      if (!is_done) continue;
      if (is_tie[i] != 0) found.is_tie[slot] = true;
      if (state.steps[i] >= static_cast<T>(kMostEpaSteps)) found.is_capped[slot] = true;
      live -= next >= ready;
      if (next < ready) {
        state.begin(i, pairs, simplices[next++]);
      } else {
        state.begin(i, pairs, simplices[0]);
        state.lanes.slot[i] = -1;
      }
    }
  }
}

}  // namespace
}  // namespace widephase
