#pragma once

// The points of two cylinders, or of a capsule's core and a cylinder, whose exit or gap is known,
// with pairs in lanes. core/faces/convex_manifold.hpp does the same one pair at a time. Here are
// only plain pairs, to the same bits: two sides that cross, one point of a side or of rims beside
// any cap, and a line over a cap. Where rims meet, Newton steps find the direction first, as in
// core/cylinder/rim_contact.hpp. Two caps, and all other pairs, are left to it.

#include "kernels/core/cylinder/cylinder_frame.hpp"
#include "kernels/core/cylinder/line_over_face.hpp"

namespace widephase {
namespace {

/// Finds the points of pairs that overlap by `depth` along `normal`, or are apart by as much below
/// 0, where the feature of that direction is `feature` (a `RoundFeature`).
template <class F>
class RoundPoints {
 public:
  using T = RealOf<F>;

  RoundPoints(const ConvexLanes<F>& core_a, const ConvexLanes<F>& core_b, const Vec<F, 3>& middles,
              const Vec<F, 3>& direction, const F& overlap, const F& limit, const F& exit)
      : a(core_a, direction),
        b(core_b, -direction),
        apart(middles),
        normal(direction),
        depth(overlap),
        most_height(negate(limit)),
        feature(exit),
        size((a.reach + b.reach) + coordinate_size(middles)),
        rounding(roundings<F>(32) * size),
        slack(flush_slack_lanes(size)),
        is_settled(F(0) > F(0)) {}

  /// Over the base of a cone B, the lower cap of a cylinder of its numbers, where `is_base`. The
  /// exit's points are given, and exact.
  RoundPoints(const ConvexLanes<F>& core_a, const ConvexLanes<F>& cone, const MaskOf<F>& is_base,
              const Vec<F, 3>& middles, const Vec<F, 3>& direction, const F& overlap,
              const F& limit, const F& exit, const Vec<F, 3>& own_a, const Vec<F, 3>& own_b)
      : RoundPoints(core_a, cone, middles, direction, overlap, limit, exit) {
    b.is_cap = is_base;
    b.is_upper = F(1) < F(0);
    on_a = own_a;
    on_b = own_b;
    is_settled = !is(RoundFeature::cap_b);
  }

  /// Moves those exits of `asked` at rims that closed forms know less well than their depths, to
  /// rounding (`settle_on_rim`).
  __attribute__((noinline)) void settle(const ConvexLanes<F>& core_a, const ConvexLanes<F>& core_b,
                                        unsigned asked) {
    const F zero = F(0);
    const auto is_line = a.is_segment ? is(RoundFeature::side_rim) & (depth > zero) : zero > zero;
    const auto is_rims = is(RoundFeature::rims);
    const auto is_open = lanes_of<F>(asked) & (is_line | is_rims) & (a.half > zero) &
                         (b.half > zero) & (b.radius > zero);
    if (!any<F>(is_open)) return;
    const Vec<F, 3> way = depth * normal;
    on_b = b.foremost;
    on_a = select(is_line, (apart + on_b) + way, a.foremost);
    auto is_found = is_open & (greater(a.beyond(on_a), b.beyond(on_b)) <= F(T(1e-5)) * size) &
                    (is_rims | is_on_lines());
    if (a.is_segment) is_found = is_found & (is_line | is_nearest_end());
    is_found = find_rim(is_line, is_found);
    if (!any<F>(is_found)) return;
    a = RoundFaces<F>(core_a, normal);
    b = RoundFaces<F>(core_b, -normal);
    is_settled = is_found;
  }

  /// Puts the points of the plain pairs of `asked`, or unless `wants_all` only the deepest where it
  /// is one alone. Answers which these are.
  __attribute__((noinline)) unsigned put(unsigned asked, bool wants_all, PointTable<F>& table) {
    const F zero = F(0);
    auto is_plain = lanes_of<F>(asked) & (a.half > zero) & (b.half > zero) & (b.radius > zero) &
                    (is_settled | !is(RoundFeature::rims));
    if (a.is_segment) {
      is_plain = is_plain & (is_settled | !(is(RoundFeature::side_rim) & (depth > zero)));
    } else {
      is_plain = is_plain & (a.radius > zero);
    }
    is_plain = is_plain & find_witness();
    is_plain = is_plain & !(is_settled & is_several);
    // Singly, a deepest point that is the only one and lies on both cores is not refined.
    auto is_known = (!is(RoundFeature::rims)) & (is_exact | (depth > zero));
    if (a.is_segment) is_known = is_known & !((depth > zero) & is(RoundFeature::cap_b));
    is_single = (is_settled | is_known) & !is_several;
    unsigned done = 0;
    if (!wants_all) {
      if (a.is_segment) {
        is_plain = is_plain & (is_settled | (depth <= zero) | is(RoundFeature::rim_side));
      }
      const auto is_alone = is_plain & !is_several;
      deepest().put(is_alone, 0, table);
      done = mask_bits(is_alone);
      if (a.is_segment) is_plain = is_plain & (depth <= zero);
      is_plain = is_plain & is_several;
    }
    const auto is_line = is_plain & !a.is_cap & !b.is_cap;
    if (any<F>(is_line)) done |= put_crossing(is_line, table) | put_deepest(is_line, table);
    const auto is_over = is_plain & select_mask<F>(a.is_cap, !b.is_cap, b.is_cap);
    if (any<F>(is_over)) done |= put_line(is_over, table);
    return done;
  }

 private:
  WIDEPHASE_INLINE MaskOf<F> is(RoundFeature which) const {
    return feature == F(static_cast<T>(which));
  }
  WIDEPHASE_INLINE MaskOf<F> is_on_lines() const {
    return (abs(dot(on_a, a.axis)) <= a.half + rounding) &
           (abs(dot(on_b, b.axis)) <= b.half + rounding);
  }
  static WIDEPHASE_INLINE Vec<F, 3> unit(const Vec<F, 3>& v) {
    const F length = sqrt(dot(v, v)), one = F(1), zero = F(0);
    const auto is_known = length > zero;
    return select(is_known, v / select(is_known, length, one), {{one, zero, zero}});
  }
  /// `across_of` in lanes.
  static WIDEPHASE_INLINE Vec<F, 3> across_of_lanes(const Vec<F, 3>& v) {
    const F x = abs(v[0]), y = abs(v[1]), z = abs(v[2]), zero = F(0), one = F(1);
    const auto is_y = y < x;
    const auto is_z = z < select(is_y, y, x);
    return unit(cross(v, {{select(is_y | is_z, zero, one), select(is_y & !is_z, one, zero),
                           select(is_z, one, zero)}}));
  }

  /// Whether the direction is that of a segment's nearest end (`meet_at_end`).
  WIDEPHASE_INLINE MaskOf<F> is_nearest_end() const {
    const F zero = F(0);
    const Vec<F, 3> end = on_a - apart;
    const F along = dot(end, b.turn[2]);
    const Vec<F, 3> across = end - along * b.turn[2];
    const F distance = sqrt(dot(across, across));
    const auto is_out = distance > b.radius;
    const F beside =
        select(is_out, divide(distance - b.radius, select(is_out, distance, F(1))), zero);
    const F over = select(along > b.half, along - b.half,
                          select(along < negate(b.half), along + b.half, zero));
    const Vec<F, 3> aside = (over * b.turn[2] + beside * across) - depth * normal;
    return dot(aside, aside) <= rounding * rounding;
  }

  /// Takes Newton steps to the direction between rims, or between a rim and a segment's end or,
  /// where `is_line`, its line. Moves the exit where they succeed, and answers where.
  WIDEPHASE_INLINE MaskOf<F> find_rim(const MaskOf<F>& is_line, MaskOf<F> is_found) {
    constexpr int kMostSteps = 8;
    constexpr T kMostStep = T(0.1);
    const F zero = F(0), half = F(T(0.5));
    const Vec<F, 3> edge = unit(a.up);
    Vec<F, 3> n = normal, gap;
    typename RoundFaces<F>::Outermost rim_a, rim_b;
    auto is_moving = is_found;
    for (int step = 0;; ++step) {
      rim_a = a.outermost(n, is_line);
      rim_b = b.outermost(-n, zero > zero);
      is_found = is_found & rim_a.is_known & rim_b.is_known;
      is_moving = is_moving & is_found;
      gap = (rim_a.point - rim_b.point) - apart;
      if (step == kMostSteps || !any<F>(is_moving)) break;
      const F height = dot(n, gap);
      const Vec<F, 3> on_edge = unit(n - dot(n, edge) * edge);
      const Vec<F, 3> from = select(is_line, on_edge, n);
      const Vec<F, 3> first = select(is_line, unit(cross(on_edge, edge)), across_of_lanes(n));
      const Vec<F, 3> second = cross(from, first);
      const F slope = dot(first, gap), across = dot(second, gap);
      F bend = negate(height), bend_across = bend, mixed = zero, mixed_across = zero;
      const auto add = [&](const typename RoundFaces<F>::Outermost& rim) {
        const F u = dot(rim.turn, first), v = dot(rim.turn, second);
        bend = bend + (rim.curvature * u) * u;
        mixed = mixed + (rim.curvature * u) * v;
        mixed_across = mixed_across + (rim.curvature * v) * u;
        bend_across = bend_across + (rim.curvature * v) * v;
      };
      if (!a.is_segment) add(rim_a);
      add(rim_b);
      const F area = bend * bend_across - mixed * mixed_across;
      is_found = is_found & ((!is_moving) | ((bend > zero) & (is_line | (area > zero))));
      is_moving = is_moving & is_found;
      const Vec<F, 3> along = divide_or_zero(negate(slope), bend) * first;
      const Vec<F, 3> aside = divide_or_zero(mixed * across - bend_across * slope, area) * first +
                              divide_or_zero(mixed_across * slope - bend * across, area) * second;
      const Vec<F, 3> by = select(is_line, along, aside);
      const F size2 = dot(by, by);
      is_found = is_found & ((!is_moving) | (size2 <= F(kMostStep * kMostStep)));
      is_moving = is_moving & is_found;
      n = select(is_moving, unit(from + by), n);
      if (step > 0) is_moving = is_moving & !(size2 <= F(16 * kRounding<T> * kRounding<T>));
    }
    const F height = dot(n, a.foremost_along(n) - (apart + b.foremost_along(-n)));
    const F settled = select(height < depth - rounding, height, depth);
    Vec<F, 3> aside = gap - settled * n;
    const F ahead = dot(aside, edge), half_a = abs(dot(a.up, edge)), to_b = zero - ahead;
    const F low = select(negate(half_a) > to_b, negate(half_a), to_b);
    const F high = select(half_a < to_b, half_a, to_b), middle = half * (low + high);
    aside = select(is_line, aside - ahead * edge, aside);
    is_found = is_found & (height <= depth + rounding) & ((!is_line) | (low <= high)) &
               (dot(aside, aside) <= rounding * rounding) & a.keeps_end(n) & b.keeps_end(-n);
    on_a = select(is_line, rim_a.point + middle * edge, rim_a.point);
    on_b = select(is_line, rim_b.point + (middle + ahead) * edge, rim_b.point);
    normal = select(is_found, n, normal);
    depth = select(is_found, settled, depth);
    return is_found;
  }

  /// The points that meet along the exit. Answers where they are on both cores.
  WIDEPHASE_INLINE MaskOf<F> find_witness() {
    const F one = F(1);
    const Vec<F, 3> way = depth * normal;
    const auto by_b = is(RoundFeature::cap_a) | is(RoundFeature::side_rim);
    const auto is_cap = is(RoundFeature::cap_a) | is(RoundFeature::cap_b);
    const auto is_sides = is(RoundFeature::sides);
    const Vec<F, 3> across = cross(a.axis, b.axis);
    const F area = dot(across, across), least = F(64 * kRounding<T> * kRounding<T>);
    const auto has_area = area > least;
    const F at = divide(dot(cross(apart, b.axis), across), select(has_area, area, one));
    const Vec<F, 3> on_line = (a.foremost - dot(a.foremost, a.axis) * a.axis) + at * a.axis;
    const Vec<F, 3> found_a =
        select(by_b, (apart + b.foremost) + way, select(is_sides, on_line, a.foremost));
    const Vec<F, 3> found_b = select(by_b, b.foremost, (found_a - way) - apart);
    on_a = select(is_settled, on_a, found_a);
    on_b = select(is_settled, on_b, found_b);
    const F off = greater(a.beyond(on_a), b.beyond(on_b));
    is_exact = is_settled | (off <= F(0.5f) * rounding);
    const F wide = F(T(1.25)) * slack;
    has_flat = a.is_cap_level(normal, wide) | b.is_cap_level(normal, wide);
    is_several = has_flat | (a.is_axis_level(normal, wide) & b.is_axis_level(normal, wide));
    const auto is_on_both = is_exact | ((depth > F(0)) & (off <= F(T(1e-5)) * size));
    return is_settled | ((is_cap | is_on_lines()) & (has_area | !is_sides) & is_on_both);
  }

  WIDEPHASE_INLINE RoundPoint<F> deepest() const {
    return {on_a, depth, a.feature_at(on_a, is(RoundFeature::side_rim), rounding),
            b.feature_at(on_b, F(0) > F(0), rounding)};
  }

  /// A side and a rim, neither of them over a cap: the deepest point alone.
  WIDEPHASE_INLINE unsigned put_deepest(const MaskOf<F>& is_line, PointTable<F>& table) const {
    const auto is_along = a.is_line_level(normal, slack) & b.is_line_level(-normal, slack);
    const auto is_plain = is_line & !(is_several | is_along) &
                          (is_settled | is(RoundFeature::side_rim) | is(RoundFeature::rim_side));
    deepest().put(is_plain, 0, table);
    return mask_bits(is_plain);
  }

  /// Two sides: where their lines cross (`put_edges`).
  WIDEPHASE_INLINE unsigned put_crossing(const MaskOf<F>& is_line, PointTable<F>& table) const {
    const F zero = F(0), one = F(1);
    const Vec<F, 3> from_a = a.out - a.up, along_a = (a.out + a.up) - from_a;
    const Vec<F, 3> from_b = b.out - b.up, along_b = (b.out + b.up) - from_b;
    const F length2_a = dot(along_a, along_a), length2_b = dot(along_b, along_b);
    const Vec<F, 3> to_b = (apart + from_b) - from_a, across = cross(along_a, along_b);
    const F area = dot(across, normal);
    const auto has_area = !(area == zero);
    const F t = divide(dot(cross(to_b, along_b), normal), select(has_area, area, one));
    const F u = divide_or_zero(dot(t * along_a - to_b, along_b), length2_b);
    const auto is_beside = [&](const F& at, const F& length2) {
      const F beyond = select(at < zero, negate(at), at - one);
      return (beyond > zero) & ((beyond * beyond) * length2 > slack * slack);
    };
    const auto is_plain = is_line & is(RoundFeature::sides) & a.is_line_level(normal, slack) &
                          b.is_line_level(-normal, slack) & (length2_a > zero) &
                          (length2_b > zero) & has_area &
                          (dot(across, across) > (slack * slack) * length2_a) &
                          !(is_beside(t, length2_a) | is_beside(u, length2_b));
    const auto feature_at = [&](const RoundFaces<F>& face, const F& at, const F& length2) {
      const F from_end = divide_or_zero(slack, sqrt(length2));
      return select(at <= from_end, face.end_feature(0),
                    select(at >= one - from_end, face.end_feature(1), face.line_feature()));
    };
    const F within = select(t < zero, zero, select(t > one, one, t));
    RoundPoint<F>{from_a + within * along_a, depth, feature_at(a, t, length2_a),
                  feature_at(b, u, length2_b)}
        .put(is_plain, 0, table);
    return mask_bits(is_plain);
  }

  /// A line of one side over the cap of the other (`put_line` and `FaceClipper`).
  __attribute__((noinline)) unsigned put_line(const MaskOf<F>& is_over, PointTable<F>& table) {
    const F zero = F(0), one = F(1);
    const auto by_a = a.is_cap;
    const auto own = [&](const auto& of_a, const auto& of_b) { return select(by_a, of_a, of_b); };
    const Vec<F, 3> outward = own(normal, -normal), offset = own(apart, -apart);
    const F upper = one_where<F>(select_mask<F>(by_a, a.is_upper, b.is_upper));
    const auto is_upper = upper > zero;
    const auto upright = [&](const Vec<F, 3>& v) { return select(is_upper, v, -v); };
    // The cap.
    const Vec<F, 3> middle = upright(own(a.up, b.up)), facing = upright(own(a.turn[2], b.turn[2]));
    const F cosine = F(rim_cosine<T>(0));
    const F sine = select(is_upper, F(rim_sine<T>(0)), F(rim_sine<T>(kRimPoints - 1)));
    const Vec<F, 3> origin =
        middle + (cosine * own(a.across[0], b.across[0]) + sine * own(a.across[1], b.across[1]));
    const Vec<F, 3> out = own(b.out, a.out), up = own(b.up, a.up);
    LineOverFace<F> line(origin, facing, outward, offset, out - up, out + up, normal);

    const auto center = line.seen(middle), p = line.ends[0], q = line.ends[1];
    const F x = q.x - p.x, y = q.y - p.y, from_x = p.x - center.x, from_y = p.y - center.y;
    const F reach = own(a.radius, b.radius) + rounding;
    const F length2 = x * x + y * y, toward = negate(from_x * x + from_y * y);
    const F aside = from_x * y - from_y * x;
    const F square = (reach * reach) * length2 - aside * aside;
    const auto meets = (length2 > zero) & (square >= zero);
    const F half = sqrt(select(meets, square, zero)), divisor = select(meets, length2, one);
    const F enter = divide(toward - half, divisor), leave = divide(toward + half, divisor);
    line.is_cut[0] = enter > zero;
    line.is_cut[1] = leave < one;
    line.at[0] = select(line.is_cut[0], enter, zero);
    line.at[1] = select(line.is_cut[1], leave, one);
    for (int end = 0; end < 2; ++end) {
      line.cut_feature[end] = edge_feature(F(static_cast<T>(kRimCrossing + end)) + (upper + upper));
    }
    line.is_over = is_over & meets & !(leave < zero) & !(enter > one) & (line.at[1] > line.at[0]);
    line.find_points(
        by_a, apart, most_height, rounding, face_feature(upper),
        own(b.line_feature(), a.line_feature()),
        {own(b.end_feature(0), a.end_feature(0)), own(b.end_feature(1), a.end_feature(1))});
    RoundPoint<F>&first = line.points[0], &last = line.points[1];
    const auto is_sound = line.is_sound(depth, rounding + slack);
    const auto is_two = is_sound & line.is_two(depth, rounding);
    const auto is_none = select_mask<F>(line.is_over, !(line.is_there[0] | line.is_there[1]),
                                        !(meets & (line.at[0] == line.at[1])));
    const auto is_one = is_sound & line.is_over & one_of_two(line.is_there[0], line.is_there[1]);
    const unsigned single = put_meeting(is_one, select(line.is_there[0], first.on_a, last.on_a),
                                        select(line.is_there[0], first.depth, last.depth), table) |
                            put_beside(is_over & !line.stands & is_none, table) |
                            put_added(line, is_over & is_sound, table);
    if (a.is_segment && any<F>(is_two & (depth < zero))) name_as_found(first, last);
    line.put(is_two, depth, rounding, table);
    return single | mask_bits(is_two);
  }
  /// Names one of the two points of a segment apart from a cap: the one at the nearest point gets
  /// that one's name, unless one has it.
  WIDEPHASE_INLINE void name_as_found(RoundPoint<F>& first, RoundPoint<F>& last) const {
    const RoundPoint<F> found = deepest();
    const F near = slack + rounding;
    const auto is_named = [&](const RoundPoint<F>& point) {
      return (point.feature_a == found.feature_a) & (point.feature_b == found.feature_b);
    };
    const auto is_at_found = [&](const RoundPoint<F>& point) {
      const Vec<F, 3> off = point.on_a - found.on_a;
      return dot(off, off) <= near * near;
    };
    const auto is_nameless = (depth < F(0)) & !(is_named(first) | is_named(last));
    const auto is_first = is_at_found(first), is_last = is_at_found(last);
    const auto name = [&](const MaskOf<F>& where, RoundPoint<F>& point) {
      point.feature_a = select(where, found.feature_a, point.feature_a);
      point.feature_b = select(where, found.feature_b, point.feature_b);
    };
    name(is_nameless & is_first & !is_last, first);
    name(is_nameless & is_last & !is_first, last);
  }
  static WIDEPHASE_INLINE MaskOf<F> one_of_two(const MaskOf<F>& x, const MaskOf<F>& y) {
    return (x & !y) | (y & !x);
  }

  /// Whether the line that is over a cap may be level, and the cap's rim beside it.
  WIDEPHASE_INLINE MaskOf<F> may_have_level_edges() const {
    return select_mask<F>(a.is_cap,
                          b.is_line_level(-normal, slack) & a.may_have_level_edge(normal, slack),
                          a.is_line_level(normal, slack) & b.may_have_level_edge(normal, slack));
  }
  /// A cap with no part of the line over it: the deepest point alone.
  WIDEPHASE_INLINE unsigned put_beside(const MaskOf<F>& is_none, PointTable<F>& table) const {
    const auto is_plain = is_none & is_single & !may_have_level_edges();
    deepest().put(is_plain, 0, table);
    return mask_bits(is_plain);
  }
  /// A line over a cap, no end of which is as deep as the deepest point: that one is added.
  WIDEPHASE_INLINE unsigned put_added(const LineOverFace<F>& line, const MaskOf<F>& is_sound,
                                      PointTable<F>& table) const {
    const auto is_there = [&](int end) { return line.is_over & line.is_there[end]; };
    const auto is_met = [&](int end) {
      return is_there(end) & (line.points[end].depth >= depth - (rounding + slack));
    };
    const auto is_asked =
        is_sound & is_single & (is_there(0) | is_there(1)) & !(is_met(0) | is_met(1));
    if (!any<F>(is_asked)) return 0;
    struct Found {
      RoundPoint<F> point;
      F at;
    };
    const auto found_at = [&](const RoundPoint<F>& point) {
      return Found{point, dot(point.on_a, line.along)};
    };
    const auto move = [](const MaskOf<F>& where, const Found& from, Found& to) {
      to.point.on_a = select(where, from.point.on_a, to.point.on_a);
      to.point.depth = select(where, from.point.depth, to.point.depth);
      to.point.feature_a = select(where, from.point.feature_a, to.point.feature_a);
      to.point.feature_b = select(where, from.point.feature_b, to.point.feature_b);
      to.at = select(where, from.at, to.at);
    };
    const auto have_one_name = [](const Found& x, const Found& y) {
      return (x.point.feature_a == y.point.feature_a) & (x.point.feature_b == y.point.feature_b);
    };
    const Found last = found_at(line.points[1]), most = found_at(deepest());
    Found low = found_at(line.points[0]);
    move(!is_there(0), last, low);
    Found high = low;
    const auto add = [&](const MaskOf<F>& exists, const Found& other) {
      const auto is_lower = exists & (other.at < low.at);
      const auto is_higher = exists & (other.at > high.at);
      move(is_lower, other, low);
      move(is_higher, other, high);
    };
    add(is_there(0) & is_there(1), last);
    add(is_asked, most);
    const auto is_one = have_one_name(low, high) | !(high.at - low.at > F(T(1e-4)) * line.length);
    const auto is_alone = is_asked & is_one & !may_have_level_edges(), is_two = is_asked & !is_one;
    const F least = depth - rounding;
    const auto is_deep = (low.point.depth >= least) | (high.point.depth >= least);
    const auto is_near_low = most.at - low.at < high.at - most.at;
    const auto is_low = have_one_name(low, most) | (is_near_low & !have_one_name(high, most));
    move((!is_deep) & is_low, most, low);
    move((!is_deep) & !is_low, most, high);
    most.point.put(is_alone, 0, table);
    low.point.put(is_two, 0, table);
    high.point.put(is_two, 1, table);
    return mask_bits(is_alone | is_two);
  }

  /// A cap that a line meets in one point, `at`, which the search knows better (`match_found`).
  WIDEPHASE_INLINE unsigned put_meeting(const MaskOf<F>& is_one, const Vec<F, 3>& at,
                                        const F& height, PointTable<F>& table) {
    const auto by_a = a.is_cap;
    const auto is_own = select_mask<F>(by_a, is(RoundFeature::cap_a), is(RoundFeature::cap_b));
    const auto is_level = may_have_level_edges();
    const Vec<F, 3> off = at - on_a;
    const F near = sqrt(F(4) * select(by_a, a.radius, b.radius) * rounding);
    const auto is_plain = is_one & (is_single | (is_own & has_flat & is_exact)) & !is_level &
                          (height >= depth - (rounding + slack)) & (dot(off, off) <= near * near);
    if (!any<F>(is_plain)) return 0;
    on_b = select(is_plain & !is_single, (on_a - depth * normal) - apart, on_b);
    deepest().put(is_plain, 0, table);
    return mask_bits(is_plain);
  }

  RoundFaces<F> a, b;  ///< along the normal, and against it
  Vec<F, 3> apart;

 public:
  Vec<F, 3> normal;
  F depth;

 private:
  F most_height, feature, size, rounding, slack;

 public:
  MaskOf<F> is_settled;  ///< where `settle` has moved the exit

 private:
  Vec<F, 3> on_a, on_b;            ///< the deepest or nearest points
  MaskOf<F> is_exact;              ///< they lie on both cores
  MaskOf<F> has_flat, is_several;  ///< a cap is level, or two lines are
  MaskOf<F> is_single;             ///< the deepest point is the only one, and known
};

}  // namespace
}  // namespace widephase
