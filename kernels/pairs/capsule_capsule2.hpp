#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// capsule_capsule in 2D: if the cores are apart, their nearest points; if they cross, the minimum
// translation, from their Minkowski parallelogram.
// Normal: A to B. Points: 1; 2 where a side faces the other core: that core's ends, clipped to the
// side.
// Features: ends and sides.
// Ties of a crossing go to A's side before B's, status 1. Collinear cores that overlap: across A's
// core (B's if A has no length, the first axis if neither has), status 1.
// Cost: 3 sqrt and 12 divisions per lane.
template <class F>
struct CapsuleCapsule2 {
  static constexpr int D = 2;
  using A = CapsuleLanes<F, 2>;
  using B = CapsuleLanes<F, 2>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin) {
    const F zero = F(0), one = F(1);
    const SegmentPair<F, 2> pair(a.a, a.b, b.a, b.b);
    const Vec<F, 2>&u = pair.u, &v = pair.v;
    const F &uu = pair.uu, &vv = pair.vv;
    const F length_u = sqrt(uu), length_v = sqrt(vv);
    const Vec<F, 2> side_a = perpendicular(u) / select(uu > zero, length_u, one);
    const Vec<F, 2> side_b = perpendicular(v) / select(vv > zero, length_v, one);
    // Heights of each core's ends over the other's line.
    const F height_c = dot(side_a, b.a - a.a), height_d = dot(side_a, b.b - a.a);
    const F height_a = dot(side_b, a.a - b.a), height_b = dot(side_b, a.b - b.a);

    const auto is_parallel = are_parallel(squared_area(u, v), uu, vv);
    const auto straddles_a =
        ((height_c <= zero) & (height_d >= zero)) | ((height_c >= zero) & (height_d <= zero));
    const auto straddles_b =
        ((height_a <= zero) & (height_b >= zero)) | ((height_a >= zero) & (height_b <= zero));
    const SegmentParameters<F> ends = nearest_parameters(pair, is_parallel);
    // Nearest points inside both cores mean a crossing too, one that the heights' rounding has
    // hidden.
    const auto is_crossing = (straddles_a & straddles_b & (!is_parallel)) | ends.is_crossing;

    // Parallel cores side by side: an end of one lies over the side of the other.
    const F start = pair.uw * pair.inverse_uu, end = (pair.uw + pair.uv) * pair.inverse_uu;
    const auto is_stretch = is_parallel & (vv > zero) &
                            (lesser(greater(start, end), one) > greater(lesser(start, end), zero));
    const F is_c_over_a = one_where<F>((start >= zero) & (start <= one));
    const F is_d_over_a = one_where<F>((end >= zero) & (end <= one));

    // The exit of a crossing moves an end of one core to the other's line.
    F exit = abs(height_c);
    F leaving_end = zero;
    F is_by_a = one;  // 1 where A's side is the reference
    F is_tie = zero;
    const auto consider = [&](const F& candidate, bool by_a,
                              const F& end_of_core) __attribute__((always_inline)) {
      const auto is_better = candidate < exit;
      is_tie = select(is_better, zero, select(candidate == exit, one, is_tie));
      exit = select(is_better, candidate, exit);
      is_by_a = select(is_better, by_a ? one : zero, is_by_a);
      leaving_end = select(is_better, end_of_core, leaving_end);
    };
    consider(abs(height_d), true, one);
    consider(abs(height_a), false, zero);
    consider(abs(height_b), false, one);

    // The reference side and the end nearest to it (or deepest behind it).
    const auto is_side_a = (ends.s > zero) & (ends.s < one);
    const auto is_side_b = (ends.t > zero) & (ends.t < one);
    // Numbers, not masks: clang 19 does not terminate when it combines these masks for AVX-512.
    const F reference_a =
        select(is_crossing, is_by_a,
               select(is_stretch, greater(is_c_over_a, is_d_over_a), one_where<F>(is_side_a)));
    const F reference_b =
        select(is_crossing | is_stretch, one - reference_a, one_where<F>(is_side_b)) - reference_a;
    const auto by_a = reference_a > zero;
    const auto by_b = reference_b > zero;
    const auto has_side = by_a | by_b;
    const F incident_end = select(is_crossing, leaving_end,
                                  select(is_stretch, select(is_c_over_a > zero, zero, is_d_over_a),
                                         select(is_side_a, ends.t, ends.s)));
    const auto is_first_end = incident_end == zero;
    const F height_near = select(by_a, select(is_first_end, height_c, height_d),
                                 select(is_first_end, height_a, height_b));
    const F height_far = select(by_a, select(is_first_end, height_d, height_c),
                                select(is_first_end, height_b, height_a));

    // "Above" is the side of the line where the near end lies. For a crossing, and for an end on
    // the line up to rounding, it is the side where the rest of that core lies.
    const auto is_on_line = height_near * height_near <= pair.touching2();
    const auto is_above =
        select_mask<F>(is_crossing | is_on_line, height_far >= zero, height_near > zero);
    const F toward_near = select(is_above, height_near, negate(height_near));
    const F toward_far = select(is_above, height_far, negate(height_far));
    const Vec<F, 2> side = select(by_a, side_a, side_b);
    const Vec<F, 2> outward = select(is_above, side, -side);  // away from the reference core
    const Vec<F, 2> side_normal = select(by_a, outward, -outward);

    const Vec<F, 2> on_a = point_at(a.a, a.b, ends.s), on_b = point_at(b.a, b.b, ends.t);
    const Vec<F, 2> apart = on_b - on_a;
    const F distance = length(apart);
    // Ends that touch: perpendicular to A's core, towards B's body. Also used if rounding makes the
    // gap between two near ends point into one of their bodies.
    const Vec<F, 2> across =
        select(uu > zero, side_a, select(vv > zero, side_b, first_axis<F, 2>()));
    const Vec<F, 2> body_a = select(ends.s <= zero, u, -u);
    const Vec<F, 2> body_b = select(ends.t <= zero, v, -v);
    const Vec<F, 2> touch_normal = select(dot(across, body_b) < zero, -across, across);
    const auto leads_into_body = (dot(apart, body_a) > zero) | (dot(apart, body_b) < zero);
    const auto is_near = dot(apart, apart) <= near2<F>() * (uu + vv);
    const Vec<F, 2> end_normal = select(is_near & leads_into_body, touch_normal,
                                        direction_or(apart, distance, touch_normal));

    const F separation =
        select(is_crossing, toward_near, select(has_side, abs(height_near), distance));
    const F reach = a.radius + b.radius;
    Manifold<F, 2, 2> manifold;
    manifold.normal = select(has_side, side_normal, end_normal);
    manifold.depth = reach - separation;
    // Overlapping parallel cores, or an end on a side whose owner has no length.
    manifold.is_tie =
        select(is_crossing, is_tie, one_where<F>((separation == zero) & (is_parallel | !has_side)));

    ManifoldPoint<F, 2>& first = manifold.points[0];
    ManifoldPoint<F, 2>& second = manifold.points[1];
    // The incident core from its near end to its far end, and where these lie along the side's
    // line.
    const Vec<F, 2> from =
        select(by_a, select(is_first_end, b.a, b.b), select(is_first_end, a.a, a.b));
    const Vec<F, 2> to =
        select(by_a, select(is_first_end, b.b, b.a), select(is_first_end, a.b, a.a));
    const Vec<F, 2> base = select(by_a, a.a, b.a), along = select(by_a, u, v);
    const F along2 = select(by_a, uu, vv);
    const F near = divide_or_zero(dot(from - base, along), along2);
    const F near_clipped = clamp(near, zero, one);
    const F s_point = select(has_side, select(by_a, near_clipped, incident_end), ends.s);
    const F t_point = select(has_side, select(by_a, incident_end, near_clipped), ends.t);
    const Vec<F, 2> core_a = point_at(a.a, a.b, s_point);
    const Vec<F, 2> core_b = point_at(b.a, b.b, t_point);
    // At the incident core's point, moved along the normal to A's surface.
    const Vec<F, 2> position = select(by_a, core_b - (separation - a.radius) * manifold.normal,
                                      core_a + a.radius * manifold.normal);
    first = {position,
             manifold.depth,
             {select(by_a, edge_feature(zero), capsule_feature(s_point)),
              select(by_b, edge_feature(zero), capsule_feature(t_point))},
             one};
    second = first;
    second.exists = zero;

    // The far end of the incident core, clipped to the side. The parameters on the side's line
    // decide whether there is a second point, not the angle.
    const F far = divide_or_zero(dot(to - base, along), along2);
    const F far_clipped = clamp(far, zero, one);
    const auto is_two = has_side & (abs(far_clipped - near_clipped) > least_stretch<F>());
    if (any<F>(is_two)) {
      // The clipped end's place along the incident core: 0 is the near end, 1 is the far end.
      const F share = select(far_clipped == far, one,
                             clamp(divide_or_zero(far_clipped - near, far - near), zero, one));
      const F far_separation = toward_near + share * (toward_far - toward_near);
      const F depth = lesser(reach - far_separation, manifold.depth);
      const Vec<F, 2> incident = point_at(from, to, share);
      const auto is_clipped = share < one;
      const F end_of_side = vertex_feature(far_clipped);
      const F other_end = vertex_feature(one - incident_end);
      const F reference_feature = select(is_clipped, end_of_side, edge_feature(zero));
      const F incident_feature = select(is_clipped, edge_feature(zero), other_end);
      const ManifoldPoint<F, 2> clipped{
          select(by_a, incident - (far_separation - a.radius) * manifold.normal,
                 incident + a.radius * manifold.normal),
          depth,
          {select(by_a, reference_feature, incident_feature),
           select(by_a, incident_feature, reference_feature)},
          one_where<F>(depth >= negate(margin))};
      second = select(is_two, clipped, second);
      sort_points(manifold.points);
    }
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
