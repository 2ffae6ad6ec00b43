#pragma once

// Which pairs of a robot may be its nearest ones: the frames and balls of check.hpp, a
// configuration per lane.
//
// A ball within a shape bounds its distance from above, balls around it bound it from below; both
// allow for all rounding as the check does. A pair is near if its lower bound is not above the
// least upper bound of all. Where shapes overlap, balls around parts of them bound no depth: such
// pairs are near whatever their bounds are, and a depth is no upper bound, except of balls and of
// cores that a centre is outside of.
//
// Units are bounded first, all of them, so that few balls are asked.
// Cost: some 40 operations per joint, 25 per unit and obstacle or two units, and 25 per ball that
// is asked.

#include "kernels/robots/core_distance.hpp"
#include "kernels/robots/frames.hpp"

namespace widephase {
namespace {

/// The lanes of a block from one on.
template <class F>
class DistanceLanes {
 public:
  DistanceLanes(DistanceJob& job, std::size_t lane)
      : job_(job),
        check_(job.check),
        lane_(lane),
        frames_(job.check, lane),
        bounds_(frames_.end()),
        balls_(bounds_ + kCheckPoint * job.check.unit_count * kLanes),
        wanted_((job.check.wanted >> lane) & LaneTraits<F>::all),
        first_(job.count),
        best_(job.limit) {}

  void find() {
    if (wanted_ == 0) return;
    frames_.place();
    for (std::size_t u = 0; u < check_.unit_count; ++u) {
      const CheckUnit& unit = check_.units[u];
      put_point<F>(bounds_, u, frames_.placed(unit.node, unit.bound.center));
      check_.is_placed[u] = false;
    }
    bound_units();
    for (std::size_t u = 0; u < check_.unit_count && !is_full_; ++u) ask_obstacles(u);
    for (std::size_t p = 0; p < check_.pair_count && !is_full_; ++p) ask_pair(p);
    filter();
    if (!is_full_) return;
    job_.count = first_;
    job_.too_many |= wanted_ << lane_;
  }

 private:
  static constexpr std::size_t kLanes = LaneTraits<F>::count;
  /// What rounding may take from a distance and a difference, as a share of their terms.
  static constexpr float kSlack = 0x1p-19f;
  /// Below all bounds.
  static constexpr float kOpen = -1e30f;

  static WIDEPHASE_INLINE float size_of(float x) { return x < 0 ? -x : x; }
  static WIDEPHASE_INLINE F upper(const F& distance, float radii) {
    return (distance - F(radii)) + F(kSlack) * (distance + F(size_of(radii)));
  }
  static WIDEPHASE_INLINE F lower(const F& distance, float radii) {
    return (distance - F(radii)) - F(kSlack) * (distance + F(size_of(radii)));
  }
  static WIDEPHASE_INLINE F between(const Vec<F, 3>& a, const Vec<F, 3>& b) {
    const Vec<F, 3> d = a - b;
    return sqrt(dot(d, d));
  }
  WIDEPHASE_INLINE void improve(const F& bound) { best_ = lesser(best_, bound); }
  /// Lanes where what is not nearer than `bound` may be the nearest, or overlap.
  WIDEPHASE_INLINE unsigned may_be_nearest(const F& bound) const {
    return mask_bits(bound <= greater(best_, F(0))) & wanted_;
  }

  void bound_units() {
    float* gap = job_.gaps;
    for (std::size_t u = 0; u < check_.unit_count; ++u) {
      const CheckUnit& unit = check_.units[u];
      const Vec<F, 3> bound = get_point<F>(bounds_, u);
      for (std::int32_t o = unit.first_obstacle; o < unit.last_obstacle; ++o, gap += kLanes) {
        const CheckObstacle& obstacle = check_.obstacles[check_.obstacle_list[o]];
        const F distance = sqrt(CoreDistance<F>(check_, obstacle).square(bound));
        store(gap, distance);
        improve(greater(upper(distance, obstacle.least - job_.inner[u]), F(0)));
      }
    }
    for (std::size_t p = 0; p < check_.pair_count; ++p, gap += kLanes) {
      const auto a = static_cast<std::size_t>(check_.pairs[p].a);
      const auto b = static_cast<std::size_t>(check_.pairs[p].b);
      const F distance = between(get_point<F>(bounds_, a), get_point<F>(bounds_, b));
      store(gap, distance);
      improve(greater(upper(distance, -(job_.inner[a] + job_.inner[b])), F(0)));
    }
    gap_ = job_.gaps;
  }

  void place_balls(std::size_t u) const {
    if (check_.is_placed[u]) return;
    check_.is_placed[u] = true;
    const CheckUnit& unit = check_.units[u];
    const auto at = frames_.frame(unit.node);
    for (std::int32_t b = unit.first_ball; b < unit.last_ball; ++b) {
      put_point<F>(balls_, static_cast<std::size_t>(b),
                   at.position + frames_.turned(at, check_.balls[b].center));
    }
  }

  /// One ball and another or an obstacle; `is_whole` says whether both are their shapes, of which a
  /// depth is a bound too where `outside` is above 0.
  WIDEPHASE_INLINE void ask(const F& distance, float most, float least, bool is_whole,
                            const F& outside, std::int32_t ball, std::int32_t other) {
    F bound = lower(distance, most);
    F above = upper(distance, least);
    if (is_whole) {
      bound = select(outside > F(0), bound, F(kOpen));
    } else {
      bound = select(bound >= F(0), bound, F(kOpen));
      above = greater(above, F(0));
    }
    improve(above);
    const unsigned lanes = mask_bits(bound <= best_) & wanted_;
    if (lanes == 0) return;
    if (job_.count == job_.most) {
      filter();
      // With little room left it would be filtered for every few pairs.
      is_full_ = job_.most - job_.count < job_.most / 8;
      if (is_full_) return;
    }
    job_.near[job_.count] = {ball, other, lanes};
    store(job_.bounds + (job_.count - first_) * kLanes, bound);
    ++job_.count;
  }

  /// Leaves the pairs that are near by the best bound so far.
  void filter() {
    std::size_t kept = first_;
    for (std::size_t i = first_; i < job_.count; ++i) {
      const F bound = load(job_.bounds + (i - first_) * kLanes);
      const unsigned lanes = mask_bits(bound <= best_) & wanted_;
      if (lanes == 0) continue;
      store(job_.bounds + (kept - first_) * kLanes, bound);
      job_.near[kept] = {job_.near[i].ball, job_.near[i].other, lanes << lane_};
      ++kept;
    }
    job_.count = kept;
  }

  void ask_obstacles(std::size_t u) {
    const CheckUnit& unit = check_.units[u];
    for (std::int32_t o = unit.first_obstacle; o < unit.last_obstacle; ++o) {
      const std::int32_t id = check_.obstacle_list[o];
      const CheckObstacle& obstacle = check_.obstacles[id];
      const F to_bound = load(gap_);
      gap_ += kLanes;
      if (may_be_nearest(lower(to_bound, unit.bound.most + obstacle.most)) == 0) continue;
      const CoreDistance<F> to_core(check_, obstacle);
      const bool is_exact = obstacle.least > kOpen / 2;
      place_balls(u);
      for (std::int32_t b = unit.first_ball; b < unit.last_ball; ++b) {
        const CheckBall& ball = check_.balls[b];
        const F distance = sqrt(to_core.square(get_point<F>(balls_, static_cast<std::size_t>(b))));
        ask(distance, ball.most + obstacle.most, ball.least + obstacle.least,
            is_exact && job_.is_whole[b] != 0, distance, b, id);
        if (is_full_) return;
      }
    }
  }

  void ask_pair(std::size_t p) {
    const auto a = static_cast<std::size_t>(check_.pairs[p].a);
    const auto b = static_cast<std::size_t>(check_.pairs[p].b);
    const CheckUnit &of_a = check_.units[a], &of_b = check_.units[b];
    const F to_bound = load(gap_);
    gap_ += kLanes;
    if (may_be_nearest(lower(to_bound, of_a.bound.most + of_b.bound.most)) == 0) return;
    const Vec<F, 3> bound = get_point<F>(bounds_, b);
    place_balls(a);
    place_balls(b);
    for (std::int32_t i = of_a.first_ball; i < of_a.last_ball; ++i) {
      const CheckBall& ball = check_.balls[i];
      const Vec<F, 3> center = get_point<F>(balls_, static_cast<std::size_t>(i));
      if (may_be_nearest(lower(between(center, bound), ball.most + of_b.bound.most)) == 0) continue;
      for (std::int32_t j = of_b.first_ball; j < of_b.last_ball; ++j) {
        const CheckBall& other = check_.balls[j];
        ask(between(center, get_point<F>(balls_, static_cast<std::size_t>(j))),
            ball.most + other.most, ball.least + other.least,
            job_.is_whole[i] != 0 && job_.is_whole[j] != 0, F(1), i, ~j);
        if (is_full_) return;
      }
    }
  }

  DistanceJob& job_;
  const CheckJob& check_;
  std::size_t lane_;
  LaneFrames<F> frames_;
  float* bounds_;
  float* balls_;
  unsigned wanted_;
  std::size_t first_;  ///< of the pairs of these lanes
  F best_;             ///< no least distance is above
  const float* gap_ = nullptr;
  bool is_full_ = false;
};

void find_near_pairs(DistanceJob& job) {
  using F = Batch<float>;
  constexpr std::size_t kLanes = LaneTraits<F>::count;
  static_assert(kRobotBlock % kLanes == 0);
  find_motions(job.check);
  job.count = 0;
  job.too_many = 0;
  for (std::size_t lane = 0; lane < kRobotBlock; lane += kLanes) {
    DistanceLanes<F> lanes(job, lane);
    lanes.find();
  }
}

}  // namespace
}  // namespace widephase
