#pragma once

// Two cones that are apart, in lanes: the least of all directions again, with f below 0 (frame and
// f: core/smooth/cone_frame.hpp), and the nearest points along it.
//
// Apart, f has a single minimum, and what is nearest tells its direction:
//   - a base, or a side's line: as for cones that overlap;
//   - an apex and another one or a rim: from the one to the nearest point of the other;
//   - two rims: Newton steps on the sphere, where their f is convex.
// Each direction's -f is a lower bound of the distance, and the distance between two points of the
// cones is an upper bound. Where the two differ by no more than rounding, the distance is proven,
// however its direction was found: Newton's steps need not have converged, and rounding may hide
// which features are nearest. What is not proven is tried again with the features beside, and then
// left to GJK. So are cones with faces or lines that are level with one another.

#include "kernels/core/cylinder/rim_search.hpp"
#include "kernels/core/smooth/cone_points.hpp"
#include "kernels/core/smooth/proven_gaps.hpp"

namespace widephase {
namespace {

/// The end of each cone that a direction is about, else its rim.
template <class F>
struct ConeEnds {
  MaskOf<F> is_apex_a, is_apex_b;
};

/// Finds the direction along which cones are farthest apart. `Pair` is `ConePair` or
/// `CylinderConePair`, whose ends beside the cone's are always rims.
template <class F, class Pair>
class ConeGapSearch {
 public:
  using T = RealOf<F>;
  using Frame = typename Pair::Frame;
  explicit ConeGapSearch(const Pair& cones) : cones_(cones), f_(cones.frame) {}

  ConeDirection<F> find() const {
    const auto all = F(0) == F(0), none = F(1) < F(0);
    auto is_known = all;
    LeastOverlap<F> least = cones_.find_least(is_known);
    take_apexes(least);
    const Vec<F, 3> n = between_ends(beside_bases({least.n, least.feature}), {none, none});
    least.take(all, f_.overlap(n), n, RoundFeature::rims);
    return {least.n, least.feature};
  }
  /// A direction beside another one: along the side of one, or from end to end.
  ConeDirection<F> find_beside(const ConeDirection<F>& at, const ConeEnds<F>& ends,
                               RoundFeature feature) const {
    const Vec<F, 3> from = beside_bases(at);
    const F code = F(static_cast<T>(feature));
    if (feature == RoundFeature::side_rim) return {cones_.along_side_a(from), code};
    if (feature == RoundFeature::rim_side) return {cones_.along_side_b(from), code};
    return {between_ends(from, ends), code};
  }

 private:
  static constexpr int kRimSteps = 8;

  WIDEPHASE_INLINE Vec<F, 3> axis_a() const { return f_.axis_a(); }
  WIDEPHASE_INLINE Vec<F, 3> axis_b() const { return f_.axis_b(); }
  /// From a rim about the origin, across the axis u, to a point.
  static WIDEPHASE_INLINE Vec<F, 3> from_rim(const F& radius, const Vec<F, 3>& u,
                                             const Vec<F, 3>& point) {
    const Vec<F, 3> across = point - dot(point, u) * u;
    return point - divide_or_zero(radius, length(across)) * across;
  }

  WIDEPHASE_INLINE void take_apexes(LeastOverlap<F>& least) const {
    const Vec<F, 3> apex_b = f_.d + f_.height_b * axis_b();
    const auto take = [&](const Vec<F, 3>& gap) {
      const F size = length(gap);
      const auto is_apart = size > F(0);
      const Vec<F, 3> n = gap / select(is_apart, size, F(1));
      least.take(is_apart, f_.overlap(n), n, RoundFeature::rims);
    };
    const auto none = F(1) < F(0);
    const Vec<F, 3> to_apex = apex_b - f_.end_a(none, apex_b);
    if constexpr (Frame::ends_a == 1) {
      const Vec<F, 3> apex_a = f_.height_a * axis_a();
      take(apex_b - apex_a);
      take(from_rim(f_.radius_a, axis_a(), to_apex));
      take(-from_rim(f_.radius_b, axis_b(), apex_a - f_.d));
    } else {
      take(from_rim(f_.radius_a, axis_a(), to_apex));
    }
  }

  /// The direction itself, but in place of a base's normal, where its rim has any point, that from
  /// the rim to the other cone's.
  WIDEPHASE_INLINE Vec<F, 3> beside_bases(const ConeDirection<F>& at) const {
    const F zero = F(0), one = F(1);
    const auto is_cap = [&](RoundFeature cap) { return at.feature == F(static_cast<T>(cap)); };
    const auto is_cap_a = is_cap(RoundFeature::cap_a), is_cap_b = is_cap(RoundFeature::cap_b);
    const Vec<F, 3>& n = at.n;
    const Vec<F, 3> across_b = n - dot(n, axis_b()) * axis_b();
    const F rim_a = divide_or_zero(f_.radius_a, sqrt(n[1] * n[1] + n[2] * n[2]));
    const F rim_b = divide_or_zero(f_.radius_b, length(across_b));
    const Vec<F, 3> on_rim_a{{zero, rim_a * n[1], rim_a * n[2]}};
    const Vec<F, 3> to_b = f_.d - f_.end_a(one < zero, n), on_rim_b = to_b - rim_b * across_b;
    const Vec<F, 3> gap = select(is_cap_a, from_rim(f_.radius_a, axis_a(), on_rim_b),
                                 -from_rim(f_.radius_b, axis_b(), on_rim_a - to_b));
    const F size = length(gap);
    const auto is_apart = size > zero;
    return select((is_cap_a | is_cap_b) & is_apart, gap / select(is_apart, size, one), n);
  }

  /// Newton steps to where two ends are nearest. An apex is a rim without a radius.
  WIDEPHASE_INLINE Vec<F, 3> between_ends(Vec<F, 3> n, const ConeEnds<F>& ends) const {
    const F zero = F(0), most = F(T(0.3));
    const F done = F(sizeof(T) == 4 ? T(1e-4) : T(1e-8));
    const F radius_a = f_.end_radius_a(ends.is_apex_a);
    const F radius_b = select(ends.is_apex_b, zero, f_.radius_b);
    const Vec<F, 3> to_b = f_.d + select(ends.is_apex_b, f_.height_b, zero) * axis_b();
    auto is_open = zero == zero;
    for (int step = 0; step < kRimSteps && any<F>(is_open); ++step) {
      const RimsAlong<F> rims(f_.k, f_.s, radius_a, radius_b, n);
      const F out_b = rims.rim_b * rims.beside;
      const Vec<F, 3> d = to_b - f_.end_a(ends.is_apex_a, n);
      const Vec<F, 3> gap{{negate(out_b * f_.s) - d[0], (rims.rim_a * n[1] + out_b * f_.k) - d[1],
                           (rims.rim_a * n[2] + rims.rim_b * n[2]) - d[2]}};
      const auto moved = rims.step(gap, most);
      n = select(is_open, moved.next, n);
      is_open = is_open & moved.is_bowl & (moved.du * moved.du + moved.dv * moved.dv > done * done);
    }
    return n;
  }

  const Pair& cones_;
  const Frame& f_;
};

/// The nearest points of cones that are apart, in the lanes where they are proven.
template <class F, class Pair = ConePair<F>>
class ConeGaps {
 public:
  using T = RealOf<F>;

  explicit ConeGaps(const CorePair<F>& pair) : pair_(pair) {}

  /// Looks in the lanes of `asked`.
  __attribute__((noinline)) void find(unsigned asked, LaneCounter<F>& counter) {
    const Pair cones(pair_.a.shape, pair_.b.shape, pair_.apart);
    const ConeGapSearch<F, Pair> search(cones);
    counter.add_step_of(asked);
    const ConeDirection<F> found = search.find();
    ConeEnds<F> ends, unused;
    const unsigned apart = prove(cones, found, asked, ends);
    for (const RoundFeature feature :
         {RoundFeature::rims, RoundFeature::side_rim, RoundFeature::rim_side}) {
      const unsigned open = apart & ~found_.lanes;
      if (open == 0) break;
      counter.add_step_of(open);
      prove(cones, search.find_beside(found, ends, feature), open, unused);
    }
  }

  unsigned proven() const { return found_.lanes; }
  const ProvenGaps<F>& found() const { return found_; }

  /// The proven lanes in which a core may show a face to the other one. Else they meet in one
  /// point.
  __attribute__((noinline)) unsigned faces() const {
    const ConvexLanes<F>&a = pair_.a.shape, &b = pair_.b.shape;
    const F slack = flush_slack_lanes((coordinate_size(a.half) + coordinate_size(b.half)) +
                                      coordinate_size(pair_.apart));
    return found_.lanes & mask_bits(may_show_face(a, found_.normal, slack) |
                                    may_show_base(b, -found_.normal, slack));
  }

  template <class Answers>
  void put(Answers& answers) const {
    found_.put(answers);
  }

 private:
  static WIDEPHASE_INLINE MaskOf<F> may_show_face(const ConvexLanes<F>& core,
                                                  const Vec<F, 3>& direction, const F& slack) {
    if constexpr (Pair::Frame::ends_a == 1) return may_show_base(core, direction, slack);
    const F slope = dot(core.turn.column[2], direction);
    const Vec<F, 3> aside = cross(core.turn.column[2], direction);
    return (F(T(1.01)) * abs(slope) > length(aside)) |
           !((core.half[0] > slack) & (core.half[2] > slack));
  }

  /// Takes the lanes of `asked` where the points along a direction prove it. Answers those that are
  /// surely apart.
  __attribute__((noinline)) unsigned prove(const Pair& cones, const ConeDirection<F>& at,
                                           unsigned asked, ConeEnds<F>& ends) {
    const Vec<F, 3>& apart = pair_.apart;
    const OppositePoints<F, Pair> points(cones, at, pair_.a.shape, pair_.b.shape, apart);
    const auto& a = points.a;
    const FacingCone<F>& b = points.b;
    ends.is_apex_a = select_mask<F>(cones.is_swapped, points.is_end_b, points.is_end_a);
    ends.is_apex_b = select_mask<F>(cones.is_swapped, points.is_end_a, points.is_end_b);

    const auto is_apart = lanes_of<F>(asked) & (points.depth < negate(points.rounding));
    const auto is_proven = is_apart & (points.off <= points.rounding) & !points.is_several;

    const auto feature_on = [&](const auto& cone, const F& at_line, const F& length2,
                                const Vec<F, 3>& point) {
      return select(points.is_crossing, line_feature(at_line, length2, points.slack),
                    cone.feature_at(point, points.rounding));
    };
    found_.keep(is_proven, points.normal, points.depth, points.on_a,
                feature_on(a, points.at_a, points.a2, points.on_a),
                feature_on(b, points.at_b, points.b2, points.on_b));
    return mask_bits(is_apart);
  }

  const CorePair<F>& pair_;
  ProvenGaps<F> found_;
};

}  // namespace
}  // namespace widephase
