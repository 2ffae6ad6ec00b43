#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/cylinder/cylinder_lanes.hpp"
#include "kernels/core/cylinder/rim_search.hpp"
#include "kernels/core/cylinder/round_points.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// capsule_cylinder, cylinder_cylinder: the least of all directions, overlapping or apart, with
// pairs in lanes. A capsule's core is a cylinder without a radius. Frame: the scene's axes, with
// A's anchor as the origin. Normal: A to B. Points: 1 to 4, on A. Ties: the caps of the wider
// cylinder, then of the other, before the sides, before a side along a rim, before rims; status 1.
//
// The steps, and where they are:
//   0. A first look leaves out pairs that are apart along the line between their middles:
//      core/cylinder/cores_on_line.hpp.
//   1. Caps, sides, sides along rims: core/cylinder/cylinder_frame.hpp.
//   2. Two rims, where these overlap enough to be a contact: core/cylinder/rim_search.hpp. What
//      that leaves open goes to GJK and EPA (kernels/pairs/convex_convex.hpp).
//   3. The points: core/cylinder/round_points.hpp. Those of two caps and other special cases are
//      found one pair at a time, as in steps 3 to 5 of kernels/pairs/convex_convex.hpp.
template <class F>
struct RoundCylinder : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cylinder;
  static constexpr bool is_warm_when_steady = true;

  struct Room {
    typename Base::Room by_support;
    RimSearch<F> rims;
  };

  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> first = about_axis(a, b.turn.column[2]);
    const AboutAxis<F> second = about_axis(b, b.turn.column[2]);
    return line.may_meet(line.reach_of(first) + line.reach_of(second),
                         (first.half + first.radius) + (second.half + second.radius));
  }

  static Manifold<F, 3, 4> contact(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                   const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    const Vec<F, 3> apart = (b.anchor + b.middle) - (a.anchor + a.middle);
    const CylinderPair<F> pair(about_axis(a, b.turn.column[2]), about_axis(b, b.turn.column[2]),
                               apart);
    LeastOverlap<F> least = pair.find_least();
    // Parallel axes have no other directions, and a rim without a radius is a corner.
    const auto has_rims = (!pair.is_parallel) & (pair.frame.radius_b > F(0));
    const unsigned asked =
        counter.live & mask_bits(has_rims & (least.overlap * pair.back >= limit));
    unsigned open = 0;
    if (asked != 0) open = room.rims.find(pair.frame, asked, least, counter);
    const F depth = least.overlap * pair.back;
    unsigned near = counter.live & mask_bits(depth >= limit) & ~open;

    Answers answers;
    answers.ask(a.question, warm);
    answers.points.clear();
    answers.depth = Lanes<F>(depth);
    Vec<F, 3> normal = pair.to_scene(least.n);
    normal = normal / length(normal);
    for (int k = 0; k < 3; ++k) answers.normal[k] = Lanes<F>(normal[k]);
    // From equal middles the way back is as short.
    const auto is_tie = has_turned_tie(pair.frame, least, roundings<F>(2) * pair.extent) |
                        (least.is_tie > F(0)) | (coordinate_size(apart) == F(0));
    answers.status = Lanes<F>(one_where<F>((depth > F(0)) & is_tie));
    A asked_a = a;
    if (a.question == Question::contact) {
      // Only those that rounding may move over the limit are answered, as contacts find them.
      const F slack = roundings<F>(256) * (pair.extent * pair.back);
      near &= mask_bits(depth - limit <= slack);
      answers.wants_points = true;
      asked_a.question = Question::points;
    }
    const F feature = own_features(least.feature, pair.is_swapped);
    if (near != 0 && !(answers.steadiness > 0)) {
      // Not where the axes are nearly parallel (core/cylinder/coaxial.hpp).
      const unsigned crossed = mask_bits(pair.frame.s > F(4 * flush_slack(T(0.5))));
      RoundPoints<F> points(a, b, apart, normal, depth, limit, feature);
      points.settle(a, b, near & crossed);
      const unsigned found = points.put(near & crossed, answers.wants_points, answers.points);
      const auto is_moved = lanes_of<F>(found) & points.is_settled;
      for (int k = 0; k < 3; ++k) store_where(is_moved, answers.normal[k].number, points.normal[k]);
      store_where(is_moved, answers.depth.number, points.depth);
      counter.add_step_of(near & crossed);
      near &= ~found;
    }
    if (near != 0) {
      const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
      const Lanes<F> limits(limit), x(apart[0]), y(apart[1]), z(apart[2]);
      const Lanes<F> features(feature);
      for (unsigned left = near; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
        const ShapePair<T> pair_of_lane{shape_a, shape_b, {{x[i], y[i], z[i]}}};
        const auto own = static_cast<RoundFeature>(static_cast<int>(features[i]));
        if (!answer_one(pair_of_lane, limits[i], i, own, answers, counter, room.by_support)) {
          open |= 1u << i;
        }
      }
    }
    if (open != 0) {
      Base::answer_by_search(asked_a, b, limit, open, answers, counter, room.by_support);
    }
    return answers.manifold(a, reach);
  }

 private:
  /// A core without a length has any axis.
  static WIDEPHASE_INLINE AboutAxis<F> about_axis(const ConvexLanes<F>& core,
                                                  const Vec<F, 3>& any) {
    if (core.form == CoreForm::cylinder) return {core.turn.column[2], core.half[2], core.half[0]};
    const F half = length(core.turn.column[0]);
    return {select(half > F(0), core.turn.column[0] / select(half > F(0), half, F(1)), any), half,
            F(0)};
  }

  /// The features, with A and B as the caller has them.
  static WIDEPHASE_INLINE F own_features(const F& feature, const MaskOf<F>& is_swapped) {
    const auto number_of = [](RoundFeature of) { return F(static_cast<T>(of)); };
    F own = feature;
    const auto exchange = [&](RoundFeature one, RoundFeature other) {
      own = select(is_swapped & (feature == number_of(one)), number_of(other), own);
      own = select(is_swapped & (feature == number_of(other)), number_of(one), own);
    };
    exchange(RoundFeature::cap_a, RoundFeature::cap_b);
    exchange(RoundFeature::side_rim, RoundFeature::rim_side);
    return own;
  }

  /// Finds the points of one pair along its direction. Answers false if its cap is the least only
  /// by rounding, as the deepest point lies beside it.
  static __attribute__((noinline)) bool answer_one(const ShapePair<T>& pair, T limit, int lane,
                                                   RoundFeature feature, Answers& answers,
                                                   LaneCounter<F>& counter,
                                                   typename Base::Room& room) {
    LeastExit<T> exit;
    exit.depth = answers.depth[lane];
    for (int k = 0; k < 3; ++k) exit.direction[k] = answers.normal[k][lane];
    const bool is_overlap = exit.depth > 0;
    const bool is_coaxial = is_overlap && find_coaxial_exit(pair, false, exit);
    const T size = size_of(pair), rounding = 32 * kRounding<T> * size;
    bool is_met = true;
    if (is_coaxial) {
      answers.put_direction(lane, exit.direction, exit.depth);
      answers.status.number[lane] = exit.is_tie ? T(1) : T(0);
    } else {
      put_witness(pair, feature, exit);
      const T off =
          greater_of(beyond(pair.a, exit.witness.on_a), beyond(pair.b, exit.witness.on_b));
      if (!(off <= T(1e-5) * size)) return false;
      is_met = is_overlap || off <= rounding || meets_at_ends(pair, rounding, exit);
    }
    CoreContact<T> contact;
    contact.normal = exit.direction;
    contact.depth = exit.depth;
    contact.least_depth = limit;
    contact.steadiness = answers.steadiness;
    contact.last = answers.last[lane];
    // Between rims the place is known less well than the direction, where that is along an axis.
    OnePair<T> one{.pair = pair,
                   .lane = lane,
                   .is_overlap = is_overlap,
                   .simplex_size = 0,
                   .size = size,
                   .rounding = rounding,
                   .contact = contact,
                   .witness = exit.witness};
    if (is_overlap && !is_coaxial && pair.a.form == CoreForm::segment) {
      one.feature = feature_of_capsule(feature);
    }
    one.is_settled = !is_coaxial && is_met && feature != RoundFeature::rims &&
                     one.feature != CylinderFeature::rim_edge &&
                     one.feature != CylinderFeature::cap;
    counter.add_alone(1);
    if (is_overlap && answers.steadiness > 0 && Base::answer_by_face(one, answers, room.faces)) {
      return true;
    }
    return Base::answer_points(one, answers, room.faces);
  }

  /// The capsule's core has no cap, side or rim of its own.
  static CylinderFeature feature_of_capsule(RoundFeature feature) {
    switch (feature) {
      case RoundFeature::cap_a:
      case RoundFeature::rim_side:
        return CylinderFeature::vertex;
      case RoundFeature::cap_b:
        return CylinderFeature::cap;
      case RoundFeature::sides:
        return CylinderFeature::side_edge;
      case RoundFeature::side_rim:
        return CylinderFeature::rim_edge;
      case RoundFeature::rims:
        break;
    }
    return CylinderFeature::none;
  }

  /// How far a point is over an end of a core or off its side, whichever is more; 0 or less within.
  static T beyond(const ConvexShape<T>& shape, const Vec<T, 3>& point) {
    const Vec<T, 3> u = axis_of(shape);
    const T height = dot(point, u);
    const Vec<T, 3> across = point - height * u;
    const T radius = shape.form == CoreForm::cylinder ? root(dot(shape.axis[0], shape.axis[0])) : 0;
    return greater_of(magnitude(height) - half_of(shape), root(dot(across, across)) - radius);
  }

  /// Where nearly parallel cylinders end beside one another, the distance hides whether their rims
  /// or sides are nearest. Finds the exit between the rims of these ends, if it is one.
  static bool meets_at_ends(const ShapePair<T>& pair, T rounding, LeastExit<T>& exit) {
    if (pair.a.form != CoreForm::cylinder) return false;
    Witness<T> rims = exit.witness;
    rims.count = 1;
    rims.a[0] = dot(rims.on_a, pair.a.axis[2]) > 0 ? 1 : 0;
    rims.b[0] = dot(rims.on_b, pair.b.axis[2]) > 0 ? 1 : 0;
    if (!settle_on_rim(pair, exit.depth, rounding, exit.direction, rims)) return false;
    exit.witness = rims;
    return true;
  }

  /// A core's axis, of unit length, and half its length. A disc has an axis too.
  static Vec<T, 3> axis_of(const ConvexShape<T>& shape) {
    const Vec<T, 3>& up = half_axis(shape);
    const bool is_disc = shape.form == CoreForm::cylinder && !(dot(up, up) > 0);
    return is_disc ? shape.turn.column[2] : unit_of(up);
  }
  static T half_of(const ConvexShape<T>& shape) {
    const Vec<T, 3>& up = half_axis(shape);
    return root(dot(up, up));
  }
  static const Vec<T, 3>& half_axis(const ConvexShape<T>& shape) {
    return shape.axis[shape.form == CoreForm::cylinder ? 2 : 0];
  }

  /// The points that meet along the exit's direction.
  static void put_witness(const ShapePair<T>& pair, RoundFeature feature, LeastExit<T>& exit) {
    const Vec<T, 3>& n = exit.direction;
    Witness<T>& witness = exit.witness;
    const Vec<T, 3> out = exit.depth * n;
    const ShapePoint<T> rim_a = farthest(pair.a, n), rim_b = farthest(pair.b, -n);
    witness.on_a = rim_a.point;
    witness.on_b = rim_b.point;
    witness.count = 1;
    witness.a[0] = rim_a.number;
    witness.b[0] = rim_b.number;
    const auto lines = [&](bool is_line_a, bool is_line_b) {
      witness.count = 2;
      for (int k = 0; k < 2; ++k) {
        witness.a[k] = is_line_a ? k : rim_a.number;
        witness.b[k] = is_line_b ? k : rim_b.number;
      }
    };
    switch (feature) {
      case RoundFeature::cap_a:
      case RoundFeature::side_rim:
        witness.on_a = (pair.apart + rim_b.point) + out;
        if (feature == RoundFeature::side_rim) lines(true, false);
        break;
      case RoundFeature::cap_b:
      case RoundFeature::rim_side:
        witness.on_b = (rim_a.point - out) - pair.apart;
        if (feature == RoundFeature::rim_side) lines(false, true);
        break;
      case RoundFeature::sides: {
        // Where the two lines cross, seen along the direction.
        const Vec<T, 3> u = axis_of(pair.a), v = axis_of(pair.b);
        const Vec<T, 3> across = cross(u, v);
        const T area = dot(across, across), least = 64 * kRounding<T> * kRounding<T>;
        const T at = area > least ? dot(cross(pair.apart, v), across) / area : kInfinite<T>;
        witness.on_a = (rim_a.point - dot(rim_a.point, u) * u) + at * u;
        witness.on_b = (witness.on_a - out) - pair.apart;
        lines(true, true);
        break;
      }
      case RoundFeature::rims:
        if (pair.a.form == CoreForm::segment) meet_at_end(pair, exit);
        return;
    }
    if (feature == RoundFeature::cap_a || feature == RoundFeature::cap_b) return;
    // Beside nearly parallel lines rounding decides which is met: the middle of what they share.
    const T half_a = half_of(pair.a), half_b = half_of(pair.b);
    const Vec<T, 3> u = axis_of(pair.a);
    const T rounding = 32 * kRounding<T> * size_of(pair);
    if (magnitude(dot(witness.on_a, u)) <= half_a + rounding &&
        magnitude(dot(witness.on_b, axis_of(pair.b))) <= half_b + rounding) {
      return;
    }
    const T along = dot(pair.apart, u);
    const T middle =
        T(0.5) * (greater_of(-half_a, along - half_b) + lesser_of(half_a, along + half_b));
    witness.on_a = (rim_a.point - dot(rim_a.point, u) * u) + middle * u;
    witness.on_b = (witness.on_a - out) - pair.apart;
    lines(true, true);
  }

  /// Both ends of a capsule's core may be about as far from a rim, along directions of their own.
  /// If this is not the direction of the end that is farthest along it, takes that one's.
  static void meet_at_end(const ShapePair<T>& pair, LeastExit<T>& exit) {
    const Vec<T, 3> end = exit.witness.on_a - pair.apart;
    const Vec<T, 3> gap = beyond_core(pair.b, end), aside = gap - exit.depth * exit.direction;
    const T rounding = 32 * kRounding<T> * size_of(pair);
    if (dot(aside, aside) <= rounding * rounding) return;
    exit.direction = -unit_of(gap);
    exit.witness.on_b = end - gap;
  }
};

}  // namespace
}  // namespace widephase
