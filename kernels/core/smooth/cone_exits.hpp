#pragma once

// The minimum translations of cones that overlap cones or cylinders: the least direction, with
// pairs in lanes (core/smooth/cone_frame.hpp, cylinder_cone_frame.hpp), then where features meet
// about it. Mostly their points along the direction are opposite one another and not at ends
// (core/smooth/cone_points.hpp). Else it is moved one pair at a time
// (core/smooth/smooth_contact.hpp).

#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/cylinder/rim_search.hpp"
#include "kernels/core/smooth/cone_points.hpp"
#include "kernels/core/smooth/smooth_contact.hpp"
#include "kernels/core/smooth/smooth_ties.hpp"

namespace widephase {
namespace {

/// Moves a contact's normal, depth and witness to where features of these forms meet about them.
/// Answers whether they surely do.
template <class T>
__attribute__((noinline)) bool settle_between(const ShapePair<T>& pair, T size, T rounding,
                                              SmoothForm form_a, SmoothForm form_b,
                                              Vec<T, 3>& normal, T& depth, Witness<T>& witness,
                                              FacesRoom<T>& room) {
  SmoothChoice<T> of_a, of_b;
  find_smooth_features(pair.a, normal, witness.a, witness.count, false, of_a);
  find_smooth_features(pair.b, -normal, witness.b, witness.count, false, of_b);
  const auto find = [](const SmoothChoice<T>& choice, SmoothForm form) -> const SmoothFeature<T>* {
    for (int i = 0; i < choice.count; ++i) {
      if (choice.feature[i].form == form) return &choice.feature[i];
    }
    return nullptr;
  };
  const SmoothFeature<T>*const a = find(of_a, form_a), *const b = find(of_b, form_b);
  if (a == nullptr || b == nullptr) return false;
  SmoothMeeting<T> at{*a, *b, normal, depth, witness};
  if (!meet(pair, size, rounding, at, room) || !is_sure(at, size)) return false;
  take_meeting(at, normal, depth, witness);
  return true;
}

template <class F, class Pair = ConePair<F>>
class ConeExits {
 public:
  using T = RealOf<F>;
  using Rims = RimSearch<F, typename Pair::Frame>;

  ConeExits(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
            const ConvexShapeLanes<F>& shapes_b, Rims& rims, FacesRoom<T>& faces)
      : pair_(pair), shapes_a_(shapes_a), shapes_b_(shapes_b), rims_(rims), faces_(faces) {}

  /// Ties, and what rounding leaves open, are not found.
  void find(unsigned overlapping, LaneCounter<F>& counter) {
    found_ = 0;
    if (overlapping == 0) return;
    find_directions(overlapping, counter);
    settle_all();
    if (found_ != 0) drop_ties(counter);
  }

  /// The exit of a lane, with its witness.
  DirectExit<T> exit(int lane, const ShapePair<T>&, T) const {
    DirectExit<T> direct;
    if ((found_ >> lane & 1) == 0) return direct;
    direct.exit.is_tie = direct.exit.is_capped = false;
    for (int k = 0; k < 3; ++k) direct.exit.direction[k] = direction_[k][lane];
    direct.exit.depth = depth_[lane];
    direct.exit.witness = witness_[lane];
    direct.is_found = direct.is_settled = true;
    return direct;
  }

 private:
  // Functions of their own, so that later steps can use their stack.
  __attribute__((noinline)) void find_directions(unsigned overlapping, LaneCounter<F>& counter) {
    counter.add_step_of(overlapping);
    const Pair cones(pair_.a.shape, pair_.b.shape, pair_.apart);
    auto is_known = lanes_of<F>(overlapping);
    LeastOverlap<F> least = cones.find_least(is_known);
    found_ = mask_bits(is_known);
    if (found_ != 0) found_ &= ~rims_.find(cones.frame, found_, least, counter);
    found_ &= mask_bits(!((least.is_tie > F(0)) | has_mirrored_tie<F>(cones, least.n)));
    is_settled_ = 0;
    if (found_ != 0) put_directions(cones, least);
  }

  /// Puts the directions, and settles those whose points are surely opposite one another.
  __attribute__((noinline)) void put_directions(const Pair& cones, const LeastOverlap<F>& least) {
    const auto is = [&](RoundFeature feature) {
      return least.feature == F(static_cast<T>(feature));
    };
    Vec<F, 3> n = select(is(RoundFeature::side_rim), cones.along_side_a(least.n), least.n);
    n = select(is(RoundFeature::rim_side), cones.along_side_b(least.n), n);
    const OppositePoints<F, Pair> points(cones, {n, least.feature}, pair_.a.shape, pair_.b.shape,
                                         pair_.apart);
    const F least_inside = F(T(1e-3)) * points.size;
    const auto is_settled = (points.depth > points.rounding) & (points.off <= points.rounding) &
                            !points.is_several & (points.to_end() > least_inside);
    is_settled_ = found_ & mask_bits(is_settled);
    depth_ = Lanes<F>(points.depth);
    for (int k = 0; k < 3; ++k) {
      direction_[k] = Lanes<F>(points.normal[k]);
      on_a_[k] = Lanes<F>(points.on_a[k]);
      on_b_[k] = Lanes<F>(points.on_b[k]);
    }
    vertex_a_ = Lanes<F>(select(points.a.is_end(), F(1), F(0)));
    vertex_b_ = Lanes<F>(select(points.b.is_end(), F(1), F(0)));
    feature_ = Lanes<F>(least.feature);
    is_swapped_ = mask_bits(cones.is_swapped);
    is_line_a_ = mask_bits(points.is_line_a);
    is_line_b_ = mask_bits(points.is_line_b);
    slack_ = Lanes<F>(roundings<F>(2) * points.size);
  }

  __attribute__((noinline)) void settle_all() {
    const Lanes<F> x(pair_.apart[0]), y(pair_.apart[1]), z(pair_.apart[2]);
    for (unsigned left = is_settled_; left != 0; left &= left - 1) put_witness(__builtin_ctz(left));
    for (unsigned left = found_ & ~is_settled_; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const ConvexShape<T> shape_a = shapes_a_[i], shape_b = shapes_b_[i];
      const ShapePair<T> pair{shape_a, shape_b, {{x[i], y[i], z[i]}}};
      const T size = size_of(pair), rounding = 32 * kRounding<T> * size;
      Vec<T, 3> direction{{direction_[0][i], direction_[1][i], direction_[2][i]}};
      Witness<T>& witness = witness_[i];
      witness.count = 1;
      witness.a[0] = static_cast<int>(vertex_a_[i]);
      witness.b[0] = static_cast<int>(vertex_b_[i]);
      if (!(depth_[i] > rounding) ||
          !settle(i, pair, size, rounding, direction, depth_.number[i], witness)) {
        found_ &= ~(1u << i);
      }
      for (int k = 0; k < 3; ++k) direction_[k].number[i] = direction[k];
    }
  }

  /// As `take_meeting`.
  WIDEPHASE_INLINE void put_witness(int i) {
    Witness<T>& witness = witness_[i];
    const bool is_line_a = (is_line_a_ >> i & 1) != 0, is_line_b = (is_line_b_ >> i & 1) != 0;
    witness.count = is_line_a || is_line_b ? 2 : 1;
    for (int k = 0; k < 3; ++k) {
      witness.on_a[k] = on_a_[k][i];
      witness.on_b[k] = on_b_[k][i];
      witness.a[k] = is_line_a ? (k > 0 ? 1 : 0) : static_cast<int>(vertex_a_[i]);
      witness.b[k] = is_line_b ? (k > 0 ? 1 : 0) : static_cast<int>(vertex_b_[i]);
    }
  }

  /// As `has_smooth_tie`, with pairs in lanes.
  __attribute__((noinline)) void drop_ties(LaneCounter<F>& counter) {
    counter.add_step_of(found_);
    Vec<F, 3> n;
    for (int k = 0; k < 3; ++k) n[k] = load(direction_[k].number);
    const F least = F(kSmoothTurn<T> * kSmoothTurn<T> / 2);
    const F most = load(depth_.number) + load(slack_.number);
    const auto live = lanes_of<F>(found_);
    auto is_tie = F(1) < F(0);
    const auto ask = [&](const Vec<F, 3>& other) {
      const Vec<F, 3> turn = other - n;
      is_tie = is_tie | ((dot(turn, turn) >= least) &
                         (dot(other, farthest(pair_, other, live).point) <= most));
      return false;
    };
    const auto is_round = [](int k) { return k == 2; };
    const auto unit = [](const Vec<F, 3>& v) { return v / length(v); };
    for (const ConvexCore<F>* core : {&pair_.a, &pair_.b}) {
      ask_turned<T>(core->shape.turn, n, is_round, unit, ask);
    }
    ask(-n);
    found_ &= ~mask_bits(is_tie);
  }

  bool settle(int lane, const ShapePair<T>& pair, T size, T rounding, Vec<T, 3>& direction,
              T& depth, Witness<T>& at) {
    const auto feature = static_cast<RoundFeature>(static_cast<int>(feature_[lane]));
    const bool is_cap = feature == RoundFeature::cap_a || feature == RoundFeature::cap_b;
    const bool is_swapped = (is_swapped_ >> lane & 1) != 0;
    const auto has_line = [&](RoundFeature of) {
      return feature == of || feature == RoundFeature::sides;
    };
    const bool is_line_a = has_line(is_swapped ? RoundFeature::rim_side : RoundFeature::side_rim);
    const bool is_line_b = has_line(is_swapped ? RoundFeature::side_rim : RoundFeature::rim_side);
    const auto form = [](const ConvexShape<T>& shape, bool is_line, int end) {
      const bool is_apex = end == 1 && shape.form == CoreForm::cone;
      return is_line ? SmoothForm::line : is_apex ? SmoothForm::vertex : SmoothForm::rim;
    };
    const SmoothForm form_a = form(pair.a, is_line_a, at.a[0]);
    const SmoothForm form_b = form(pair.b, is_line_b, at.b[0]);
    return (!is_cap &&
            settle_between(pair, size, rounding, form_a, form_b, direction, depth, at, faces_)) ||
           settle_smooth(pair, size, rounding, false, direction, depth, at, faces_);
  }

  const CorePair<F>& pair_;
  const ConvexShapeLanes<F>&shapes_a_, &shapes_b_;
  Rims& rims_;
  FacesRoom<T>& faces_;
  unsigned found_ = 0, is_swapped_ = 0, is_settled_ = 0, is_line_a_ = 0, is_line_b_ = 0;
  Lanes<F> direction_[3], on_a_[3], on_b_[3], depth_, vertex_a_, vertex_b_, feature_, slack_;
  Witness<T> witness_[LaneTraits<F>::count];
};

}  // namespace
}  // namespace widephase
