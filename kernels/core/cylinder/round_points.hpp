#pragma once

// The points of two cylinders, or of a capsule's core and a cylinder, whose exit or gap is known,
// with pairs in lanes. core/faces/convex_manifold.hpp does the same one pair at a time. Here are
// only plain pairs, to the same bits: two sides that cross, a side that meets a rim, and a line of
// a side over a cap, whose ends are the points, or that meets it in one point. All others are left
// to it.

#include "kernels/core/cylinder/cylinder_frame.hpp"
#include "kernels/core/cylinder/cylinder_lanes.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/faces/face_clipper_lanes.hpp"

namespace widephase {
namespace {

/// A core about an axis, with what its face along a direction has.
template <class F>
struct RoundFaces {
  using T = RealOf<F>;
  bool is_segment;
  Vec<F, 3> turn[3], across[2];  ///< unit axes; half axes across a cylinder's axis
  Vec<F, 3> up, axis;            ///< from the middle to the upper end; that of unit length
  F reach, half, radius;
  Vec<F, 3> out;  ///< from the axis to the rim's point along the direction, or to the side's line
  Vec<F, 3> foremost;
  F is_up;  ///< 1 if that is a point of the upper end
  MaskOf<F> is_cap, is_upper;

  WIDEPHASE_INLINE RoundFaces(const ConvexLanes<F>& core, const Vec<F, 3>& direction)
      : is_segment(core.form == CoreForm::segment) {
    const F zero = F(0), one = F(1);
    const auto axis_at = [&](int k) { return core.half[k] * core.turn.column[k]; };
    for (int k = 0; k < 3; ++k) turn[k] = core.turn.column[k];
    up = axis_at(is_segment ? 0 : 2);
    F square = zero;
    for (int k = 0; k < 3; ++k) square = square + dot(axis_at(k), axis_at(k));
    reach = sqrt(square);
    half = sqrt(dot(up, up));
    axis = up / select(half > zero, half, one);
    is_up = one_where<F>(dot(up, direction) > zero);
    radius = zero;
    is_cap = is_upper = zero > zero;
    out = across[0] = across[1] = zero_vec<F, 3>();
    for (int k = 0; !is_segment && k < 2; ++k) across[k] = axis_at(k);
    foremost = foremost_along(direction);
    if (is_segment) return;
    radius = sqrt(dot(across[0], across[0]));
    F size;
    out = rim_along(turn[0], turn[1], direction, size);
    const F slope = dot(turn[2], direction);
    is_cap = abs(slope) > size;
    is_upper = slope > zero;
  }
  /// The farthest point along a direction.
  WIDEPHASE_INLINE Vec<F, 3> foremost_along(const Vec<F, 3>& direction) const {
    const Vec<F, 3> end = select(dot(up, direction) > F(0), up, -up);
    F size;
    return is_segment ? end : rim_along(across[0], across[1], direction, size) + end;
  }
  /// How far a point is over an end or off the side, whichever is more.
  WIDEPHASE_INLINE F beyond(const Vec<F, 3>& point) const {
    const F height = dot(point, axis);
    const Vec<F, 3> aside = point - height * axis;
    return greater(abs(height) - half, sqrt(dot(aside, aside)) - radius);
  }
  /// Whether both ends of its line are as far out, within `slack`.
  WIDEPHASE_INLINE MaskOf<F> is_line_level(const Vec<F, 3>& direction, const F& slack) const {
    const F low = dot(direction, out - up), high = dot(direction, out + up);
    const F highest = greater(low, high);
    return !((highest - low > slack) | (highest - high > slack));
  }
  /// Where a cap is level with the direction, or a line, as in `level_count`.
  WIDEPHASE_INLINE MaskOf<F> is_cap_level(const Vec<F, 3>& direction, const F& slack) const {
    if (is_segment) return F(0) > F(0);
    const Vec<F, 3> aside = cross(turn[2], direction);
    const F most = F(32) * slack;
    return dot(across[0], across[0]) * dot(aside, aside) <= most * most;
  }
  WIDEPHASE_INLINE MaskOf<F> is_axis_level(const Vec<F, 3>& direction, const F& slack) const {
    return F(2) * abs(dot(up, direction)) <= slack;
  }
  WIDEPHASE_INLINE F end_feature(int end) const {
    return vertex_feature(F(static_cast<T>(end + (is_segment ? 0 : kSideLine))));
  }
  WIDEPHASE_INLINE F line_feature() const {
    return edge_feature(F(static_cast<T>(is_segment ? 0 : kSideLine)));
  }
  /// The feature at a point (`feature_between`). A segment's is its line if `is_line`.
  WIDEPHASE_INLINE F feature_at(const Vec<F, 3>& point, const MaskOf<F>& is_line,
                                const F& rounding) const {
    if (is_segment) return select(is_line, line_feature(), vertex_feature(is_up));
    const F near = sqrt(F(kRounding<T>)) * reach + rounding;
    const F x = dot(turn[0], point), y = dot(turn[1], point), z = dot(turn[2], point);
    const F upper = one_where<F>(z > F(0));
    const auto is_at_end = half - abs(z) <= near;
    const auto is_at_side = radius - sqrt(x * x + y * y) <= near;
    const F rim = edge_feature(F(kRimPoints) * upper + rim_parts(x, y));
    return select(is_at_end, select(is_at_side, rim, face_feature(upper)),
                  face_feature(F(kSideFace)));
  }

 private:
  /// From the axis to the rim, by the direction's parts along these two.
  WIDEPHASE_INLINE Vec<F, 3> rim_along(const Vec<F, 3>& first, const Vec<F, 3>& second,
                                       const Vec<F, 3>& direction, F& size) const {
    const F x = dot(first, direction), y = dot(second, direction);
    size = sqrt(x * x + y * y);
    const F divisor = select(size > F(0), size, F(1));
    return divide(x, divisor) * across[0] + divide(y, divisor) * across[1];
  }
};

/// A point of a pair in each lane.
template <class F>
struct RoundPoint {
  Vec<F, 3> on_a;
  F depth, feature_a, feature_b;

  WIDEPHASE_INLINE void put(const MaskOf<F>& where, int number, PointTable<F>& table) const {
    for (int k = 0; k < 3; ++k) store_where(where, table.position[number][k], on_a[k]);
    store_where(where, table.depth[number], depth);
    store_where(where, table.feature_a[number], feature_a);
    store_where(where, table.feature_b[number], feature_b);
    store_where(where, table.exists[number], F(1));
  }
};

/// A line of a side over another core's face, seen along the normal in the face's plane, with the
/// part of it that the face is under (`put_line` and `FaceClipper`).
template <class F>
struct LineOverFace {
  using T = RealOf<F>;
  struct Seen {
    F x, y, height;
  };
  Vec<F, 3> origin, facing, outward;
  PlaneAxes<F> axes;
  F by_rise;
  Seen ends[2];
  Vec<F, 3> along;  ///< its direction across the normal
  F length;
  MaskOf<F> stands;       ///< along the normal
  F at[2];                ///< where the part begins and ends, as shares of the line
  MaskOf<F> is_cut[2];    ///< that is where the face ends
  F cut_feature[2];       ///< the face's there
  MaskOf<F> is_over;      ///< there is such a part
  MaskOf<F> is_there[2];  ///< and its end is near enough
  RoundPoint<F> points[2];

  /// `offset` leads from the middle of the face's core to that of the line's, `start` and `end`
  /// from there.
  WIDEPHASE_INLINE LineOverFace(const Vec<F, 3>& corner, const Vec<F, 3>& face_normal,
                                const Vec<F, 3>& out, const Vec<F, 3>& offset,
                                const Vec<F, 3>& start, const Vec<F, 3>& end,
                                const Vec<F, 3>& normal)
      : origin(corner),
        facing(face_normal),
        outward(out),
        axes(face_normal),
        by_rise(divide(F(1), dot(out, face_normal))) {
    const Vec<F, 3> stretch = end - start;
    const Vec<F, 3> once = stretch - dot(stretch, normal) * normal;
    const Vec<F, 3> across = once - dot(once, normal) * normal;
    length = sqrt(dot(stretch, stretch));
    const F across2 = dot(across, across), least = roundings<F>(16) * length;
    stands = !(across2 > least * least);
    along = across / select(stands, F(1), sqrt(across2));
    ends[0] = seen(offset + start);
    ends[1] = seen(offset + end);
  }
  WIDEPHASE_INLINE Seen seen(const Vec<F, 3>& position) const {
    const Vec<F, 3> from = position - origin;
    const F height = dot(from, facing) * by_rise;
    const Vec<F, 3> foot = from - height * outward;
    return {dot(foot, axes.x), dot(foot, axes.y), height};
  }

  /// Finds the points at the part's ends. The face is A's if `by_a`; corners higher than
  /// `most_height` are left out.
  WIDEPHASE_INLINE void find_points(const MaskOf<F>& by_a, const Vec<F, 3>& apart,
                                    const F& most_height, const F& rounding, const F& face,
                                    const F& line, const F (&line_end)[2]) {
    const Seen &p = ends[0], &q = ends[1];
    const auto own = [&](const auto& of_a, const auto& of_b) { return select(by_a, of_a, of_b); };
    const auto is_high = [&](const F& height) { return !(height <= most_height + rounding); };
    is_over = is_over & !stands & !(is_high(p.height) & is_high(q.height));
    for (int end = 0; end < 2; ++end) {
      const auto between = [&](const F& first, const F& second) {
        return select(is_cut[end], first + at[end] * (second - first), end == 0 ? first : second);
      };
      const F height = between(p.height, q.height);
      is_there[end] = !is_high(height);
      const F low = select(height < most_height, height, most_height);
      const Vec<F, 3> on_face = origin + (between(p.x, q.x) * axes.x + between(p.y, q.y) * axes.y);
      const F of_face = select(is_cut[end], cut_feature[end], face);
      const F of_line = select(is_cut[end], line, line_end[end]);
      points[end] = {own(on_face, (apart + on_face) + low * outward), negate(low),
                     own(of_face, of_line), own(of_line, of_face)};
    }
  }
  /// Whether no end is deeper than the pair.
  WIDEPHASE_INLINE MaskOf<F> is_sound(const F& depth, const F& slack) const {
    const F most = depth + slack;
    return !((is_there[0] & (points[0].depth > most)) | (is_there[1] & (points[1].depth > most)));
  }
  /// Whether both ends are points of the contact.
  WIDEPHASE_INLINE MaskOf<F> is_two(const F& depth, const F& rounding) const {
    const F first = dot(points[0].on_a, along), last = dot(points[1].on_a, along);
    return is_over & is_there[0] & is_there[1] &
           (greater(points[0].depth, points[1].depth) >= depth - rounding) &
           (abs(last - first) > F(T(1e-4)) * length);
  }
  WIDEPHASE_INLINE void put(const MaskOf<F>& where, const F& depth, const F& rounding,
                            PointTable<F>& table) {
    const F most = greater(points[0].depth, points[1].depth);
    for (int end = 0; end < 2; ++end) {
      F& own = points[end].depth;
      own = select((own >= most) | !(own < depth - rounding), depth, own);
      points[end].put(where, end, table);
    }
  }
};

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
        slack(flush_slack_lanes(size)) {}

  /// Puts the points of the plain pairs of `asked`, or unless `wants_all` only the deepest where it
  /// is one alone. Answers which these are.
  __attribute__((noinline)) unsigned put(unsigned asked, bool wants_all, PointTable<F>& table) {
    const F zero = F(0);
    auto is_plain = lanes_of<F>(asked) & (a.half > zero) & (b.half > zero) & (b.radius > zero) &
                    !is(RoundFeature::rims);
    if (a.is_segment) {
      is_plain = is_plain & !(is(RoundFeature::side_rim) & (depth > zero));
    } else {
      is_plain = is_plain & (a.radius > zero);
    }
    is_plain = is_plain & find_witness();
    unsigned done = 0;
    if (!wants_all) {
      if (a.is_segment) is_plain = is_plain & ((depth <= zero) | is(RoundFeature::rim_side));
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
    on_a = select(by_b, (apart + b.foremost) + way, select(is_sides, on_line, a.foremost));
    on_b = select(by_b, b.foremost, (on_a - way) - apart);
    const auto is_on_lines = (abs(dot(on_a, a.axis)) <= a.half + rounding) &
                             (abs(dot(on_b, b.axis)) <= b.half + rounding);
    const F off = greater(a.beyond(on_a), b.beyond(on_b));
    is_exact = off <= F(0.5f) * rounding;
    const F wide = F(T(1.25)) * slack;
    has_flat = a.is_cap_level(normal, wide) | b.is_cap_level(normal, wide);
    is_several = has_flat | (a.is_axis_level(normal, wide) & b.is_axis_level(normal, wide));
    return (is_cap | is_on_lines) & (has_area | !is_sides) &
           (is_exact | ((depth > F(0)) & (off <= F(T(1e-5)) * size)));
  }

  WIDEPHASE_INLINE RoundPoint<F> deepest() const {
    return {on_a, depth, a.feature_at(on_a, is(RoundFeature::side_rim), rounding),
            b.feature_at(on_b, F(0) > F(0), rounding)};
  }

  /// A side and a rim, neither of them over a cap: the deepest point alone.
  WIDEPHASE_INLINE unsigned put_deepest(const MaskOf<F>& is_line, PointTable<F>& table) const {
    const auto is_along = a.is_line_level(normal, slack) & b.is_line_level(-normal, slack);
    const auto is_plain = is_line & !(is_several | is_along) &
                          (is(RoundFeature::side_rim) | is(RoundFeature::rim_side));
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
    const auto is_one = is_sound & line.is_over & one_of_two(line.is_there[0], line.is_there[1]);
    const unsigned single = put_meeting(is_one, select(line.is_there[0], first.on_a, last.on_a),
                                        select(line.is_there[0], first.depth, last.depth), table);
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

  /// A cap that a line meets in one point, `at`, which the search knows better (`match_found`).
  WIDEPHASE_INLINE unsigned put_meeting(const MaskOf<F>& is_one, const Vec<F, 3>& at,
                                        const F& height, PointTable<F>& table) {
    const auto by_a = a.is_cap;
    const auto is_own = select_mask<F>(by_a, is(RoundFeature::cap_a), is(RoundFeature::cap_b));
    const auto is_level =
        select_mask<F>(by_a, b.is_line_level(-normal, slack), a.is_line_level(normal, slack));
    const Vec<F, 3> off = at - on_a;
    const F near = sqrt(F(4) * select(by_a, a.radius, b.radius) * rounding);
    const auto is_plain = is_one & is_own & has_flat & is_exact & !is_level &
                          (height >= depth - (rounding + slack)) & (dot(off, off) <= near * near);
    if (!any<F>(is_plain)) return 0;
    on_b = select(is_plain, (on_a - depth * normal) - apart, on_b);
    deepest().put(is_plain, 0, table);
    return mask_bits(is_plain);
  }

  RoundFaces<F> a, b;  ///< along the normal, and against it
  Vec<F, 3> apart, normal;
  F depth, most_height, feature, size, rounding, slack;
  Vec<F, 3> on_a, on_b;            ///< the deepest or nearest points
  MaskOf<F> is_exact;              ///< they lie on both cores
  MaskOf<F> has_flat, is_several;  ///< a cap is level, or two lines are
};

}  // namespace
}  // namespace widephase
