#pragma once

// The minimum translations of pairs of cones that overlap: the least direction, with pairs in lanes
// (core/smooth/cone_frame.hpp), then where features meet about it, one pair at a time
// (core/smooth/smooth_contact.hpp).

#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/cylinder/rim_search.hpp"
#include "kernels/core/smooth/cone_frame.hpp"
#include "kernels/core/smooth/smooth_contact.hpp"

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

template <class F>
class ConeExits {
 public:
  using T = RealOf<F>;
  using Rims = RimSearch<F, ConeFrame<F>>;

  ConeExits(const CorePair<F>& pair, Rims& rims, FacesRoom<RealOf<F>>& faces)
      : pair_(pair), rims_(rims), faces_(faces) {}

  /// A function of its own, so that later steps can use its stack.
  __attribute__((noinline)) void find(unsigned overlapping, LaneCounter<F>& counter) {
    found_ = 0;
    if (overlapping == 0) return;
    counter.add_step_of(overlapping);
    const ConePair<F> cones(pair_.a.shape, pair_.b.shape, pair_.apart);
    auto is_known = lanes_of<F>(overlapping);
    LeastOverlap<F> least = cones.find_least(is_known);
    found_ = mask_bits(is_known);
    if (found_ != 0) found_ &= ~rims_.find(cones.frame, found_, least, counter);
    found_ &= mask_bits(!(least.is_tie > F(0)));
    Vec<F, 3> n = cones.to_scene(least.n);
    n = n / length(n);
    const DifferenceVertex3<F> at = farthest(pair_, n, is_known);
    depth_ = Lanes<F>(dot(n, at.point));
    for (int k = 0; k < 3; ++k) direction_[k] = Lanes<F>(n[k]);
    vertex_a_ = Lanes<F>(at.a);
    vertex_b_ = Lanes<F>(at.b);
    feature_ = Lanes<F>(least.feature);
    is_swapped_ = mask_bits(cones.is_swapped);
  }

  /// The exit of a lane, with its witness. Ties, and what rounding leaves open, are not found.
  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) {
    DirectExit<T> direct;
    if ((found_ >> lane & 1) == 0) return direct;
    LeastExit<T>& exit = direct.exit;
    for (int k = 0; k < 3; ++k) exit.direction[k] = direction_[k][lane];
    exit.depth = depth_[lane];
    exit.is_tie = exit.is_capped = false;
    exit.witness.count = 1;
    exit.witness.a[0] = static_cast<int>(vertex_a_[lane]);
    exit.witness.b[0] = static_cast<int>(vertex_b_[lane]);
    const T rounding = 32 * kRounding<T> * size;
    if (!(exit.depth > rounding) || !settle(lane, pair, size, rounding, exit) ||
        has_smooth_tie(pair, exit.direction, exit.depth, 2 * kRounding<T> * size)) {
      return direct;
    }
    direct.is_found = direct.is_settled = true;
    return direct;
  }

 private:
  bool settle(int lane, const ShapePair<T>& pair, T size, T rounding, LeastExit<T>& exit) {
    const auto feature = static_cast<RoundFeature>(static_cast<int>(feature_[lane]));
    const bool is_cap = feature == RoundFeature::cap_a || feature == RoundFeature::cap_b;
    const bool is_swapped = (is_swapped_ >> lane & 1) != 0;
    const auto has_line = [&](RoundFeature of) {
      return feature == of || feature == RoundFeature::sides;
    };
    const bool is_line_a = has_line(is_swapped ? RoundFeature::rim_side : RoundFeature::side_rim);
    const bool is_line_b = has_line(is_swapped ? RoundFeature::side_rim : RoundFeature::rim_side);
    const auto form = [](bool is_line, int vertex) {
      return is_line ? SmoothForm::line : vertex == 1 ? SmoothForm::vertex : SmoothForm::rim;
    };
    const Witness<T>& at = exit.witness;
    return (!is_cap &&
            settle_between(pair, size, rounding, form(is_line_a, at.a[0]), form(is_line_b, at.b[0]),
                           exit.direction, exit.depth, exit.witness, faces_)) ||
           settle_smooth(pair, size, rounding, false, exit.direction, exit.depth, exit.witness,
                         faces_);
  }

  const CorePair<F>& pair_;
  Rims& rims_;
  FacesRoom<T>& faces_;
  unsigned found_ = 0, is_swapped_ = 0;
  Lanes<F> direction_[3], depth_, vertex_a_, vertex_b_, feature_;
};

}  // namespace
}  // namespace widephase
