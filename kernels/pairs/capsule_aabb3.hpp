#pragma once

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/round/ball.hpp"
#include "kernels/core/round/segment_box3.hpp"

namespace widephase {
namespace {

// capsule_aabb in 3D: the box's point nearest to the core. If the core enters the box: the minimum
// translation over the box's faces and the cross products of its edges with the core. These are all
// the faces that the Minkowski difference of a box and a segment can have.
// Normal: A to B. Points: 1 or 2, the ends of the interval over the face that faces the core, seen
// along the normal, or over the two faces that do, with their own depths. If neither end is as deep
// as the pair, within the steadiness: the point found and the end farther from it.
// Features: the capsule's ends and side; the box's faces, edges, vertices.
// Ties go to faces first, lower axes, B leaving upwards first, status 1. A core without length has
// one point, at its first end.
// Cost: 3 divisions for all pairs; for those that the first look leaves 3 sqrt, about 20 divisions;
// the exits only where a core of the batch enters its box.
template <class F>
struct CapsuleAabb3 {
  static constexpr int D = 3;
  using A = CapsuleLanes<F, D>;
  using B = AabbLanes<F, D>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  /// The core's point nearest to the box. If it is farther away than the capsule reaches, there is
  /// no contact.
  struct FirstLook {
    F t;
  };
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook& nearest) {
    const Vec<F, D> u = a.b - a.a;
    const Planes planes(a, b, u);
    nearest.t = nearest_to_box(a.a, a.b, u, b.min, b.max, planes.at_min, planes.at_max);
    const Vec<F, D> core = point_at(a.a, a.b, nearest.t);
    const Vec<F, D> apart =
        each_axis<F, D>([&](int k) { return core[k] - clamp(core[k], b.min[k], b.max[k]); });
    // More than `contact` may take from a distance as rounding.
    const F reach = greater(a.radius + margin, F(0)) + roundings<F>(1024) * size_of(a, b, u);
    return !(dot(apart, apart) > reach * reach);
  }

  static WIDEPHASE_INLINE Manifold<F, D, 2> contact(const A& a, const B& b, const F& margin,
                                                    const FirstLook& nearest,
                                                    const WarmStartLanes<F>& warm) {
    const F zero = F(0), one = F(1);
    const Vec<F, D> u = a.b - a.a;
    const F uu = dot(u, u);
    const auto [at_min, at_max] = Planes(a, b, u);
    // The core's interval inside the box, from the box's slabs. With the distance, rounding would
    // decide whether a core meets a thin box.
    F enter = zero, leave = one;
    auto is_inside = zero == zero;
    for (int k = 0; k < D; ++k) {
      const auto is_level = u[k] == zero;
      const auto is_between = (a.a[k] >= b.min[k]) & (a.a[k] <= b.max[k]);
      enter = select(is_level, enter, greater(enter, lesser(at_min[k], at_max[k])));
      leave = select(is_level, leave, lesser(leave, greater(at_min[k], at_max[k])));
      is_inside = is_inside & (is_between | (!is_level));
    }
    is_inside = is_inside & (enter <= leave);
    const F t = select(is_inside, F(0.5f) * (enter + leave), nearest.t);
    const Vec<F, D> core = point_at(a.a, a.b, t);
    const auto to_box = [&] {
      return each_axis<F, D>([&](int k) { return clamp(core[k], b.min[k], b.max[k]) - core[k]; });
    };
    Vec<F, D> apart = to_box();
    const F nearest2 = dot(apart, apart);
    const F size = size_of(a, b, u);
    const F rounding = roundings<F>(8) * size;
    // Points that are apart by no more than rounding have no gap of their own.
    is_inside = is_inside | (nearest2 <= rounding * rounding);
    // Beside the core, or at an end from which the gap would lead back along the core.
    const F onward = dot(apart, u);
    const auto is_beside = ((t > zero) | (onward > zero)) & ((t < one) | (onward < zero));
    const auto is_near = is_beside & (!is_inside) & (nearest2 <= near2<F>() * uu);
    if (any<F>(is_near)) apart = select(is_near, over_corner(b, u, core, apart), apart);
    // Clears only as much as rounding can add. Without this limit, a core that is almost parallel
    // to a face would lose the whole gap beyond an edge.
    const Vec<F, D> clear = cleared(u, is_beside, apart), by = clear - apart;
    const F most = F(2) * rounding;
    apart = select(dot(by, by) <= most * most, clear, apart);
    apart = without_rounding(u, apart, rounding);
    F distance = length(apart);
    // The parts removed or added above are rounding only if the core and the box are as far apart
    // along the gap as the points are.
    const F share = F(0.02f);  // of the size: above it the points' gap is accurate to 50 roundings
    const F close = share * size;
    const auto is_close = (!is_inside) & (nearest2 <= close * close);
    auto is_unsure = !(zero == zero);
    if (any<F>(is_close)) {
      const auto is_other = abs(distance * distance - nearest2) > (rounding + rounding) * distance;
      const auto is_short = projected_gap(a, b, apart) < distance * (distance - rounding);
      is_unsure = is_close & (is_other | is_short);
    }
    Exit exit{zero, zero, first_axis<F, D>(), zero, F(-1)};
    if (any<F>(is_inside | is_unsure)) exit = least_exit(a, b, u, uu, flush_share<F>() * size);
    if (any<F>(is_unsure)) {
      const F nearest = sqrt(nearest2);
      const Vec<F, D> gap = farthest_gap(a, b, u, apart, to_box(), exit.normal, rounding);
      apart = select(is_unsure, divide_or_zero(nearest, length(gap)) * gap, apart);
      distance = select(is_unsure, nearest, distance);
    }

    // Counts the axes outside the box: the core's point sees a face, an edge or a vertex.
    F outer_axes = zero;
    F face_axis = zero;  // for a face contact
    for (int k = 0; k < D; ++k) {
      const auto is_outer = !(apart[k] == zero);
      outer_axes = outer_axes + one_where<F>(is_outer);
      face_axis = select(is_outer, F(k), face_axis);
    }
    face_axis = select(is_inside, exit.face_axis, face_axis);
    const auto is_face = select_mask<F>(is_inside, face_axis >= zero, outer_axes == one);

    Manifold<F, D, 2> manifold;
    manifold.normal = select(is_inside, exit.normal, direction_or(apart, distance, exit.normal));
    manifold.depth = select(is_inside, a.radius + exit.distance, a.radius - distance);
    manifold.is_tie = select(is_inside, exit.is_tie, zero);
    const Vec<F, D>& normal = manifold.normal;

    // The box's sides that face the core.
    const Vec<F, D> sides =
        each_axis<F, D>([&](int k) { return select(normal[k] > zero, zero, one); });
    F t_point = t;
    F feature_b = outer_feature(apart);
    // Exit across an edge: the core's point over the edge.
    const auto is_edge_exit = is_inside & !is_face;
    if (any<F>(is_edge_exit)) {
      F along = zero, across2 = zero, edge_vertex = zero;
      F first_over = zero, last_over = one;  // where the core passes the edge's ends
      for (int k = 0; k < D; ++k) {
        const auto is_cross_axis = (exit.cross_axis == F(k));
        const F corner = select(sides[k] > zero, b.max[k], b.min[k]);
        along = along + select(is_cross_axis, zero, (corner - a.a[k]) * u[k]);
        across2 = across2 + select(is_cross_axis, zero, u[k] * u[k]);
        edge_vertex = edge_vertex + select(is_cross_axis, zero, sides[k] * F(1 << k));
        const auto is_cut = is_cross_axis & !(u[k] == zero);
        first_over = select(is_cut, lesser(at_min[k], at_max[k]), first_over);
        last_over = select(is_cut, greater(at_min[k], at_max[k]), last_over);
      }
      // If the core is nearly parallel to the edge, the crossing point is known only to rounding
      // divided by the angle. It must lie over the edge, so it is clamped there. If the core hardly
      // enters the box, the axis may belong to another edge that is equally near up to rounding.
      // Then the nearest point stays.
      const F over_edge = clamp(divide_or_zero(along, across2), first_over, last_over);
      const auto is_deep = is_edge_exit & (exit.distance > rounding);
      t_point = select(is_deep, clamp(over_edge, zero, one), t);
      feature_b =
          select(is_edge_exit, box_feature<F, D>(edge_vertex, F(2), exit.cross_axis), feature_b);
    }
    ManifoldPoint<F, D>& first = manifold.points[0];
    ManifoldPoint<F, D>& second = manifold.points[1];
    first = {point_at(a.a, a.b, t_point) + a.radius * normal,
             manifold.depth,
             {capsule_feature(t_point), feature_b},
             one};
    second = first;
    second.exists = zero;

    face_points(a, b, u, at_min, at_max, t, face_axis, sides, is_face, margin, manifold);
    const auto is_by_edge = (!is_face) & (manifold.depth >= negate(margin)) & (uu > zero);
    if (any<F>(is_by_edge)) {
      edge_points(a, b, u, sides, is_by_edge, margin, rounding, F(warm.steadiness), manifold);
    }
    sort_points(manifold.points);
    return manifold;
  }

 private:
  /// The core's parameters at the box's planes.
  struct Planes {
    Vec<F, D> at_min, at_max;

    WIDEPHASE_INLINE Planes(const A& a, const B& b, const Vec<F, D>& u) {
      for (int k = 0; k < D; ++k) {
        const F inverse = divide_or_zero(F(1), u[k]);
        at_min[k] = (b.min[k] - a.a[k]) * inverse;
        at_max[k] = (b.max[k] - a.a[k]) * inverse;
      }
    }
  };

  /// The minimum translation of the box for a core that enters it.
  struct Exit {
    F distance;
    F is_tie;
    Vec<F, D> normal;
    F face_axis;   ///< -1 if the exit is not a face
    F cross_axis;  ///< the box's edge direction in a cross product, -1 if it is not one
  };

  /// The size of the coordinates; their rounding is a share of it.
  static WIDEPHASE_INLINE F size_of(const A& a, const B& b, const Vec<F, D>& u) {
    F size = F(0);
    for (int k = 0; k < D; ++k) {
      size = size + (abs(a.a[k]) + (abs(u[k]) + (abs(b.min[k]) + (b.max[k] - b.min[k]))));
    }
    return size;
  }

  /// The separation of core and box along a direction from A to B, times the direction's length.
  static WIDEPHASE_INLINE F projected_gap(const A& a, const B& b, const Vec<F, D>& gap) {
    F nearest_of_box = F(0);
    for (int k = 0; k < D; ++k) {
      nearest_of_box = nearest_of_box + gap[k] * select(gap[k] > F(0), b.min[k], b.max[k]);
    }
    return nearest_of_box - greater(dot(gap, a.a), dot(gap, a.b));
  }

  /// The separation along any direction is at most the distance, and along the nearest points' gap
  /// it is exactly that. So this compares the gaps of the features near these points and takes the
  /// one with the greatest separation.
  static __attribute__((noinline)) Vec<F, D> farthest_gap(const A& a, const B& b,
                                                          const Vec<F, D>& u, const Vec<F, D>& gap,
                                                          const Vec<F, D>& between,
                                                          const Vec<F, D>& exit_normal,
                                                          const F& rounding) {
    Vec<F, D> best = gap;
    const auto separation = [&](const Vec<F, D>& direction) __attribute__((always_inline)) {
      return divide_or_zero(projected_gap(a, b, direction), length(direction));
    };
    F greatest = separation(gap);
    const auto consider = [&](const Vec<F, D>& other) __attribute__((always_inline)) {
      const F found = separation(other);
      const auto is_better = found > greatest;
      best = select(is_better, other, best);
      greatest = select(is_better, found, greatest);
    };
    consider(exit_normal);
    consider(between);
    consider(cleared_of(between, u));
    // A part that adds less than rounding to the length may come from an end that rounding chose.
    const F least2 = (rounding + rounding) * length(between);
    consider(each_axis<F, D>(
        [&](int k) { return select(between[k] * between[k] <= least2, F(0), between[k]); }));
    return best;
  }

  /// If a core that is not parallel to a face passes over it, its nearest point is over the face's
  /// end. The gap to the box leans as little as the core does: too little to show in the difference
  /// of the points. The end's axis gets the part that makes the gap perpendicular to the core.
  static WIDEPHASE_INLINE Vec<F, D> over_corner(const B& b, const Vec<F, D>& u,
                                                const Vec<F, D>& core, const Vec<F, D>& apart) {
    const F zero = F(0);
    F outer_axes = zero, rise = zero;
    for (int k = 0; k < D; ++k) {
      outer_axes = outer_axes + one_where<F>(!(apart[k] == zero));
      rise = rise + apart[k] * u[k];
    }
    // A bound on the rounding of the core's point.
    F reach = zero;
    for (int k = 0; k < D; ++k) reach = greater(reach, greater(abs(u[k]), abs(core[k])));
    const F rounding = roundings<F>(34) * reach;
    // The end nearest to the core's point, among the axes along which the core runs.
    F nearest = F(0), end_axis = F(-1), lean = zero;
    for (int k = 0; k < D; ++k) {
      const F to_min = abs(core[k] - b.min[k]), to_max = abs(core[k] - b.max[k]);
      const F distance = lesser(to_min, to_max);
      const F part = negate(divide_or_zero(rise, u[k]));
      // Beyond the low end the gap to the box leads up, beyond the high end down.
      const auto leads_back = select_mask<F>(to_min<to_max, part> zero, part < zero);
      // A part larger than rounding would show in the difference.
      const auto is_candidate = (apart[k] == zero) & leads_back & (abs(part) <= rounding);
      const auto is_better = is_candidate & ((end_axis < zero) | (distance < nearest));
      nearest = select(is_better, distance, nearest);
      end_axis = select(is_better, F(k), end_axis);
      lean = select(is_better, part, lean);
    }
    const auto is_due = (outer_axes == F(1)) & (end_axis >= zero) & (nearest <= rounding);
    return each_axis<F, D>(
        [&](int k) { return select(is_due & (end_axis == F(k)), lean, apart[k]); });
  }

  /// The gap to the box from a core that passes by, without the part along the core that rounding
  /// added. Changes only the axes outside the box. A part that would lead away from the box's side
  /// goes too.
  static WIDEPHASE_INLINE Vec<F, D> cleared(const Vec<F, D>& u, const MaskOf<F>& is_beside,
                                            const Vec<F, D>& apart) {
    const F zero = F(0);
    Vec<F, D> gap = apart;
    auto is_due = is_beside;
    for (int pass = 0; pass < D - 1 && any<F>(is_due); ++pass) {
      F outer_axes = zero;
      for (int k = 0; k < D; ++k) outer_axes = outer_axes + one_where<F>(!(gap[k] == zero));
      is_due = is_due & (outer_axes > F(1));
      const Vec<F, D> along =
          each_axis<F, D>([&](int k) { return select(gap[k] == zero, zero, u[k]); });
      const Vec<F, D> across = without(gap, along);
      F fewer_axes = zero;
      for (int k = 0; k < D; ++k) {
        const auto leads_away =
            ((across[k] < zero) & (apart[k] > zero)) | ((across[k] > zero) & (apart[k] < zero));
        gap[k] = select(is_due, select(leads_away, zero, across[k]), gap[k]);
        fewer_axes = fewer_axes + one_where<F>(leads_away);
      }
      is_due = is_due & (fewer_axes > zero);
    }
    const auto is_lost = dot(gap, gap) == zero;
    return select(is_lost, apart, gap);
  }

  /// In an oriented box's frame, a core that is parallel to a face and over its rim can be beyond
  /// the rim by rounding. Removes such a part of the gap if the rest still keeps the core outside.
  static WIDEPHASE_INLINE Vec<F, D> without_rounding(const Vec<F, D>& u, const Vec<F, D>& apart,
                                                     const F& rounding) {
    F most = F(0);
    for (int k = 0; k < D; ++k) most = greater(most, abs(apart[k]));
    return each_axis<F, D>([&](int k) {
      const F part = abs(apart[k]);
      const auto is_rounding =
          (part <= rounding) & (part < most) & (part * abs(u[k]) <= rounding * most);
      return select(is_rounding, F(0), apart[k]);
    });
  }

  /// Candidates are numbered in order of preference: 2 k and 2 k + 1 for B leaving up and down axis
  /// k, then the same for the cross products. The search keeps only distance and number.
  static WIDEPHASE_INLINE Exit least_exit(const A& a, const B& b, const Vec<F, D>& u, const F& uu,
                                          const F& flush) {
    const F zero = F(0), one = F(1);
    F distance = greater(a.a[0], a.b[0]) - b.min[0];
    F number = zero;
    F is_tie = zero;
    const auto consider = [&](const F& candidate, int candidate_number)
        __attribute__((always_inline)) {
      const auto is_better = candidate < distance;
      is_tie = select(is_better, zero, select(candidate == distance, one, is_tie));
      distance = lesser(distance, candidate);
      number = select(is_better, F(candidate_number), number);
    };
    for (int k = 0; k < D; ++k) {
      if (k != 0) consider(greater(a.a[k], a.b[k]) - b.min[k], 2 * k);
      consider(b.max[k] - lesser(a.a[k], a.b[k]), 2 * k + 1);
    }

    Exit exit;
    const F number_of_face = number;
    // Directions perpendicular to the core and to a box's edge: n[i] = -u[j], n[j] = u[i].
    constexpr int kCrossAxes = 3;
    F inverse_size[kCrossAxes];
    for (int c = 0; c < kCrossAxes; ++c) {
      const int i = (c + 1) % 3, j = (c + 2) % 3;
      const F size2 = u[i] * u[i] + u[j] * u[j];
      // If one of its two components is zero, it is one of the faces' directions.
      const auto is_usable =
          (!(u[i] == zero)) & !(u[j] == zero) & (size2 > parallel_sin2<F>() * uu);
      inverse_size[c] = divide(one, sqrt(select(is_usable, size2, one)));
      // Relative to the core's start, so that no digits cancel for large boxes far along the core.
      const F low_i = negate((b.max[i] - a.a[i]) * u[j]),
              high_i = negate((b.min[i] - a.a[i]) * u[j]);
      const F low_j = (b.min[j] - a.a[j]) * u[i], high_j = (b.max[j] - a.a[j]) * u[i];
      const F low = lesser(low_i, high_i) + lesser(low_j, high_j);
      const F high = greater(low_i, high_i) + greater(low_j, high_j);
      // If a direction beats a face by no more than the tolerance for flush faces, it is that
      // face's direction, and its edge need not be where the core is.
      const F never = distance + one;
      consider(select(is_usable, flush - low * inverse_size[c], never), 2 * D + 2 * c);
      consider(select(is_usable, high * inverse_size[c] + flush, never), 2 * D + 2 * c + 1);
    }

    exit.distance = select(number == number_of_face, distance, distance - flush);
    exit.is_tie = is_tie;
    exit.face_axis = exit.cross_axis = F(-1);
    exit.normal = zero_vec<F, D>();
    for (int k = 0; k < D; ++k) {
      const auto is_up = number == F(2 * k), is_down = number == F(2 * k + 1);
      exit.normal[k] = select(is_up, one, select(is_down, F(-1), zero));
      exit.face_axis = select(is_up | is_down, F(k), exit.face_axis);
    }
    if (any<F>(!(number == number_of_face))) {
      for (int c = 0; c < kCrossAxes; ++c) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        const auto is_up = number == F(2 * D + 2 * c), is_down = number == F(2 * D + 2 * c + 1);
        const F scale =
            select(is_up, inverse_size[c], select(is_down, negate(inverse_size[c]), zero));
        exit.normal[i] = exit.normal[i] - u[j] * scale;
        exit.normal[j] = exit.normal[j] + u[i] * scale;
        exit.cross_axis = select(is_up | is_down, F(c), exit.cross_axis);
      }
    }
    return exit;
  }

  /// Two points where a face faces the core: the ends of the interval over the face.
  static WIDEPHASE_INLINE void face_points(const A& a, const B& b, const Vec<F, D>& u,
                                           const Vec<F, D>& at_min, const Vec<F, D>& at_max,
                                           const F& t, const F& face_axis, const Vec<F, D>& sides,
                                           const MaskOf<F>& is_face, const F& margin,
                                           Manifold<F, D, 2>& manifold) {
    const F zero = F(0), one = F(1);
    F start = zero, end = one;
    F start_axis = F(-1), end_axis = F(-1);  // the axis whose side cuts the interval
    F start_side = zero, end_side = zero;
    F plane = zero, plane_a = zero, plane_b = zero, face_side = zero;
    for (int k = 0; k < D; ++k) {
      const auto is_normal_axis = face_axis == F(k);
      const auto cuts = (!is_normal_axis) & !(u[k] == zero);
      const F enter = lesser(at_min[k], at_max[k]), leave = greater(at_min[k], at_max[k]);
      // The nearest point's parameter is over the face, whatever rounding says.
      const auto is_start = cuts & (enter > start);
      const F up = one_where<F>(u[k] > zero);
      start = select(is_start, lesser(enter, t), start);
      start_axis = select(is_start, F(k), start_axis);
      start_side = select(is_start, one - up, start_side);
      const auto is_end = cuts & (leave < end);
      end = select(is_end, greater(leave, t), end);
      end_axis = select(is_end, F(k), end_axis);
      end_side = select(is_end, up, end_side);
      plane = select(is_normal_axis, select(sides[k] > zero, b.max[k], b.min[k]), plane);
      plane_a = select(is_normal_axis, a.a[k], plane_a);
      plane_b = select(is_normal_axis, a.b[k], plane_b);
      face_side = select(is_normal_axis, sides[k], face_side);
    }
    const auto point_on = [&](const F& s, const F& cut_axis, const F& cut_side)
        __attribute__((always_inline)) {
      const F height = select(s >= one, plane_b, plane_a + s * (plane_b - plane_a));
      const F separation = select(face_side > zero, height - plane, plane - height);
      const F depth = a.radius - separation;
      const auto is_cut = cut_axis >= zero;
      return ManifoldPoint<F, D>{
          point_at(a.a, a.b, s) + a.radius * manifold.normal,
          depth,
          {capsule_feature(s), select(is_cut, cut_feature(face_axis, face_side, cut_axis, cut_side),
                                      face_feature(face_axis + face_axis + face_side))},
          one};
    };
    ManifoldPoint<F, D> first = point_on(start, start_axis, start_side);
    ManifoldPoint<F, D> second = point_on(end, end_axis, end_side);
    const auto is_first_deeper = first.depth >= second.depth;
    // If the core is parallel to the face up to rounding, the nearest point may be anywhere on the
    // interval. So the deeper end has the pair's depth.
    manifold.depth = select(is_face, greater(manifold.depth, greater(first.depth, second.depth)),
                            manifold.depth);
    const F& depth = manifold.depth;
    const auto is_stretch = (end - start > F(static_cast<RealOf<F>>(1e-4))) & (dot(u, u) > zero);
    first.depth = select(is_first_deeper, depth, lesser(first.depth, depth));
    second.depth = select(is_first_deeper, lesser(second.depth, depth), depth);
    first.exists = one_where<F>(is_first_deeper | (is_stretch & (first.depth >= negate(margin))));
    second.exists =
        one_where<F>((!is_first_deeper) | (is_stretch & (second.depth >= negate(margin))));
    manifold.points[0] = select(is_face, first, manifold.points[0]);
    manifold.points[1] = select(is_face, second, manifold.points[1]);
  }

  /// Where an edge or a vertex faces the core: the ends of the interval over the two faces there
  /// that face it most, seen along the normal. The plane of the face below gives each end's depth.
  /// So a core that lies along an edge has both ends.
  static __attribute__((noinline)) void edge_points(const A& a, const B& b, const Vec<F, D>& u,
                                                    const Vec<F, D>& sides, const MaskOf<F>& asked,
                                                    const F& margin, const F& rounding,
                                                    const F& steadiness,
                                                    Manifold<F, D, 2>& manifold) {
    const F zero = F(0), one = F(1);
    const Vec<F, D>& n = manifold.normal;
    // The axis along which the normal is smallest is the edge's; then the other two.
    const F along_0 = abs(n[0]), along_1 = abs(n[1]), along_2 = abs(n[2]);
    const auto is_0 = (along_0 <= along_1) & (along_0 <= along_2),
               is_1 = (!is_0) & (along_1 <= along_2);
    const auto along_edge = [&](const Vec<F, D>& v) {
      return select(is_0, v[0], select(is_1, v[1], v[2]));
    };
    const auto after = [&](const Vec<F, D>& v) {
      return select(is_0, v[1], select(is_1, v[2], v[0]));
    };
    const auto before = [&](const Vec<F, D>& v) {
      return select(is_0, v[2], select(is_1, v[0], v[1]));
    };
    const auto in_order = [&](const Vec<F, D>& v) {
      return Vec<F, D>{{after(v), before(v), along_edge(v)}};
    };
    const Vec<F, D> axis{{select(is_0, one, select(is_1, F(2), zero)),
                          select(is_0, F(2), select(is_1, zero, one)),
                          select(is_0, zero, select(is_1, one, F(2)))}};
    const Vec<F, D> slope = in_order(n), from = in_order(a.a), along = in_order(u);
    const Vec<F, D> low_side = in_order(b.min), high_side = in_order(b.max), side = in_order(sides);
    // The distance from the core along the normal to a face's plane is gap + s * widening. Leaves
    // out a face that is nearly parallel to the normal.
    struct Stretch {
      MaskOf<F> exists;
      F gap, widening;
      F end[2], cut_axis[2], cut_side[2];
    } faces[2];
    for (int m = 0; m < 2; ++m) {
      Stretch& face = faces[m];
      face.exists = asked & (abs(slope[m]) > F(static_cast<RealOf<F>>(1e-3)));
      const F by_slope = divide(one, select(face.exists, slope[m], one));
      const F plane = select(side[m] > zero, high_side[m], low_side[m]);
      face.gap = (plane - from[m]) * by_slope;
      face.widening = negate(along[m] * by_slope);
      face.end[0] = zero;
      face.end[1] = one;
      for (int e = 0; e < 2; ++e) {
        face.cut_axis[e] = F(-1);
        face.cut_side[e] = zero;
      }
      for (const int o : {1 - m, 2}) {
        const F at = from[o] + face.gap * slope[o], rise = along[o] + face.widening * slope[o];
        const F low = (low_side[o] - rounding) - at, high = (high_side[o] + rounding) - at;
        const auto is_level = abs(rise) <= rounding;
        face.exists = face.exists & ((!is_level) | ((low <= zero) & (high >= zero)));
        const F by_rise = divide(one, select(is_level, one, rise));
        const F up = one_where<F>(rise > zero);
        const F enter = select(rise > zero, low, high) * by_rise,
                leave = select(rise > zero, high, low) * by_rise;
        const auto is_start = (!is_level) & (enter > face.end[0]);
        const auto is_end = (!is_level) & (leave < face.end[1]);
        face.end[0] = select(is_start, enter, face.end[0]);
        face.cut_axis[0] = select(is_start, axis[o], face.cut_axis[0]);
        face.cut_side[0] = select(is_start, one - up, face.cut_side[0]);
        face.end[1] = select(is_end, leave, face.end[1]);
        face.cut_axis[1] = select(is_end, axis[o], face.cut_axis[1]);
        face.cut_side[1] = select(is_end, up, face.cut_side[1]);
      }
      face.exists = face.exists & (face.end[0] <= face.end[1]);
    }
    const auto is_over = faces[0].exists | faces[1].exists;
    ManifoldPoint<F, D> ends[2];
    F share[2];
    for (int e = 0; e < 2; ++e) {
      const F &first = faces[0].end[e], &second = faces[1].end[e];
      const auto is_farther = e == 0 ? second < first : second > first;
      const auto is_second = faces[1].exists & (is_farther | !faces[0].exists);
      const F& s = share[e] = select(is_second, second, first);
      const F gap = select(is_second, faces[1].gap + s * faces[1].widening,
                           faces[0].gap + s * faces[0].widening);
      const F face_axis = select(is_second, axis[1], axis[0]),
              up = select(is_second, side[1], side[0]);
      const F cut_axis = select(is_second, faces[1].cut_axis[e], faces[0].cut_axis[e]);
      const F cut_side = select(is_second, faces[1].cut_side[e], faces[0].cut_side[e]);
      ends[e] = {point_at(a.a, a.b, s) + a.radius * n,
                 lesser(a.radius - gap, manifold.depth),
                 {capsule_feature(s),
                  select(cut_axis >= zero, cut_feature(face_axis, up, cut_axis, cut_side),
                         face_feature(face_axis + face_axis + up))},
                 one};
    }
    const F &low = share[0], &high = share[1];
    const auto is_stretch = is_over & (high - low > F(static_cast<RealOf<F>>(1e-4)));
    const auto has_low = is_stretch & (ends[0].depth >= negate(margin));
    const auto has_high = is_stretch & (ends[1].depth >= negate(margin));
    const F least = manifold.depth - greater(steadiness, rounding);
    const auto has_deepest =
        (has_low & (ends[0].depth >= least)) | (has_high & (ends[1].depth >= least));
    // The point found before, and the end farther from it.
    const ManifoldPoint<F, D> found = manifold.points[0];
    const Vec<F, D> to_low = ends[0].position - found.position;
    const Vec<F, D> to_high = ends[1].position - found.position;
    const auto is_low_farther = dot(to_low, to_low) > dot(to_high, to_high);
    ends[0].exists = one_where<F>(has_low);
    ends[1].exists = one_where<F>(has_high);
    const auto takes_low = has_low & (is_low_farther | !has_high);
    const ManifoldPoint<F, D> farther = select(takes_low, ends[0], ends[1]);
    const auto is_both = has_low & has_high & has_deepest;
    manifold.points[0] = select(is_both, ends[0], found);
    manifold.points[1] = select(is_both, ends[1], select(is_stretch, farther, manifold.points[1]));
    // Two points at one place, or with the same features, are one point.
    const Vec<F, D> between = manifold.points[1].position - manifold.points[0].position;
    const F length2 = dot(between, between), least2 = F(static_cast<RealOf<F>>(1e-8)) * dot(u, u);
    const auto is_named_alike = (manifold.points[0].feature.a == manifold.points[1].feature.a) &
                                (manifold.points[0].feature.b == manifold.points[1].feature.b);
    const auto is_one = asked & ((length2 <= least2) | is_named_alike);
    manifold.points[0] = select(is_one, found, manifold.points[0]);
    manifold.points[1].exists = select(is_one, zero, manifold.points[1].exists);
    // The deeper of the two has the pair's depth, unless steadiness lets another point stand for
    // it.
    const auto is_exact = is_both & !(steadiness > zero);
    const auto is_first = manifold.points[0].depth >= manifold.points[1].depth;
    for (int p = 0; p < 2; ++p) {
      F& depth = manifold.points[p].depth;
      const auto is_deepest = p == 0 ? is_first : !is_first;
      depth = select(is_exact & is_deepest, manifold.depth, depth);
    }
  }

  /// The edge where a face meets the side that cuts the interval over it.
  static WIDEPHASE_INLINE F cut_feature(const F& face_axis, const F& face_side, const F& cut_axis,
                                        const F& cut_side) {
    const auto weight = [](const F& axis) { return select(axis == F(0), F(1), axis + axis); };
    const F vertex = weight(face_axis) * face_side + weight(cut_axis) * cut_side;
    const F free_axis = F(3) - (face_axis + cut_axis);
    return box_feature<F, D>(vertex, F(2), free_axis);
  }
};

}  // namespace
}  // namespace widephase
