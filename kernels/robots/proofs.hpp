#pragma once

// Parts of motions of a robot, one per lane: which pairs cannot come together within them.
//
// In the configuration at the middle of a part, a pair is apart for all of it if it is farther
// apart than the two can move toward one another. From the tip to the base, with rho the distance
// of a unit's middle from the axis of a joint and r the radius of its bound, a turn by at most an
// angle moves a point of the unit, which the joints before moved by g, by angle * (rho + r + g). A
// slide moves it by its length. Two units are moved against one another only by joints up to the
// node where their ways to the base meet: a part of the same sums.
//
// All in float: `most` of balls allows for the rounding of their centres, `lever_error` for that of
// rho (check_plan.cpp), `share` for that of the sums, of which all terms are at least 0. Whatever
// is no number counts as open. In passing, balls tell which configurations touch, as in check.hpp.
//
// Units that are no balls are apart by balls around them, or else by their convexes, lane by lane:
// by a direction along which the two are farther apart than they move.
// Cost: some 25 operations per unit and joint that moves it, 12 per unit and obstacle and per ball
// that is near one.

#include "kernels/lanes/vec.hpp"
#include "kernels/robots/convex_lanes.hpp"
#include "kernels/robots/core_distance.hpp"
#include "kernels/robots/frames.hpp"
#include "kernels/robots/points.hpp"

namespace widephase {
namespace {

/// The lanes of a block from one on.
template <class F>
class ProofLanes {
 public:
  ProofLanes(const ProofJob& job, std::size_t lane)
      : job_(job),
        check_(job.check),
        lane_(lane),
        frames_(job.check, lane),
        bounds_(frames_.end()),
        balls_(bounds_ + kCheckPoint * job.check.unit_count * kLanes),
        alive_((job.check.wanted >> lane) & LaneTraits<F>::all) {}

  void ask() {
    if (alive_ == 0) return;
    frames_.place();
    for (std::size_t u = 0; u < check_.unit_count; ++u) {
      check_.is_placed[u] = has_balls(u) = false;
    }
    for (std::size_t k = 0; k < job_.asked_count; ++k) {
      const unsigned asked = job_.open[k] >> lane_ & alive_;
      const ProofPair& pair = job_.pairs[job_.asked[k]];
      const unsigned open = asked == 0   ? 0
                            : pair.b < 0 ? ask_obstacle(pair, asked)
                                         : ask_units(pair, asked);
      job_.open[k] = static_cast<std::uint16_t>((job_.open[k] & ~(LaneTraits<F>::all << lane_)) |
                                                open << lane_);
    }
  }
  unsigned touching() const { return touching_ << lane_; }
  unsigned unsure() const { return (unsure_ & ~touching_) << lane_; }

 private:
  static constexpr std::size_t kLanes = LaneTraits<F>::count;

  bool& has_balls(std::size_t u) const { return check_.is_placed[check_.unit_count + u]; }

  /// A unit's bound, and how far the unit moves by each of its joints and those before.
  void place(std::size_t u) const {
    if (check_.is_placed[u]) return;
    check_.is_placed[u] = true;
    const CheckUnit& unit = check_.units[u];
    const Vec<F, 3> center = frames_.placed(unit.node, unit.bound.center);
    put_point<F>(bounds_, u, center);
    const F radius = F(unit.bound.most + job_.lever_error);
    F reach = F(0);
    for (std::int32_t j = job_.first_joint[u]; j < job_.first_joint[u + 1]; ++j) {
      const std::int32_t node = job_.joints[j];
      const F moved = load(job_.moved + static_cast<std::size_t>(node) * kRobotBlock + lane_);
      const NodeMotion motion = check_.nodes[node].motion;
      if (motion == NodeMotion::slide) {
        reach = reach + moved;
      } else {
        const auto frame = frames_.frame(node);
        const Vec<F, 3> away = center - frame.position;
        const Vec<F, 3> lever = motion == NodeMotion::turn ? cross(frame.column[2], away) : away;
        reach = reach + moved * ((sqrt(dot(lever, lever)) + radius) + reach);
      }
      store(job_.reaches + static_cast<std::size_t>(j) * kLanes, reach * F(job_.share));
    }
  }
  void place_balls(std::size_t u) const {
    if (has_balls(u)) return;
    has_balls(u) = true;
    const CheckUnit& unit = check_.units[u];
    const auto at = frames_.frame(unit.node);
    for (std::int32_t b = unit.first_ball; b < unit.last_ball; ++b) {
      put_point<F>(balls_, static_cast<std::size_t>(b),
                   at.position + frames_.turned(at, check_.balls[b].center));
    }
  }
  WIDEPHASE_INLINE F reach_of(std::int32_t place) const {
    return place < 0 ? F(0) : load(job_.reaches + static_cast<std::size_t>(place) * kLanes);
  }
  WIDEPHASE_INLINE Vec<F, 3> bound(std::size_t u) const { return get_point<F>(bounds_, u); }
  WIDEPHASE_INLINE Vec<F, 3> ball(std::int32_t b) const {
    return get_point<F>(balls_, static_cast<std::size_t>(b));
  }

  /// Lanes of `asked` that may be within a sum of radii, the margin and the way that they move.
  WIDEPHASE_INLINE unsigned near(const F& square, float radii, const F& moved,
                                 unsigned asked) const {
    const F least = F(radii + check_.margin) + moved;
    return asked & ~mask_bits(square > least * least * F(1 + kSquareSlack) + F(kSquareFloor));
  }
  /// Marks those of the lanes that touch in the configuration, or may.
  WIDEPHASE_INLINE void decide(const F& square, float least, float most, unsigned asked) {
    const unsigned touch = mask_bits(square <= F(above(most + check_.margin))) & asked;
    if (touch == 0) return;
    unsure_ |= touch;
    mark_touching(square, least, touch);
  }
  WIDEPHASE_INLINE void mark_touching(const F& square, float least, unsigned asked) {
    if (!(least + check_.margin > 0)) return;
    close(mask_bits(square <= F(below(least + check_.margin))) & asked);
  }
  WIDEPHASE_INLINE void close(unsigned touching) {
    touching_ |= touching;
    alive_ &= ~touching;
  }
  /// What is asked of a unit and what it may meet.
  struct Candidate {
    unsigned left, may_touch;  ///< lanes in which bounds are near, at all or without a way
    unsigned open;             ///< lanes in which the two may come together
    F moved;
    bool is_exact;  ///< whether balls say all
  };
  /// Lanes of which the next ball or convex may tell something new, besides what is open.
  WIDEPHASE_INLINE unsigned wanted_of(const Candidate& candidate, unsigned open) const {
    return ((candidate.left & ~(candidate.open | open)) | candidate.may_touch) & alive_;
  }
  WIDEPHASE_INLINE void decide(const F& square, float least, float most, unsigned near,
                               const Candidate& candidate) {
    if (candidate.is_exact) return decide(square, least, most, near);
    mark_touching(square, least, near);
  }

  unsigned ask_obstacle(const ProofPair& pair, unsigned asked) {
    const auto u = static_cast<std::size_t>(pair.a);
    place(u);
    const CheckUnit& unit = check_.units[u];
    const CheckObstacle& obstacle = check_.obstacles[pair.obstacle];
    const CoreDistance<F> to_core(check_, obstacle);
    const F moved = reach_of(pair.reach_a);
    const F from_bound = to_core.square(bound(u));
    const float radii = unit.bound.most + obstacle.most;
    const unsigned left = near(from_bound, radii, moved, asked);
    if (left == 0) return 0;
    Candidate candidate{left, near(from_bound, radii, F(0), left), 0, moved, unit.is_exact};
    place_balls(u);
    if (unit.is_exact) {
      return near_obstacle(unit.first_ball, unit.last_ball, obstacle, to_core, candidate) & alive_;
    }
    for (std::int32_t c = unit.first_convex; c < unit.last_convex; ++c) {
      const CheckConvex& convex = check_.convexes[c];
      const unsigned lanes =
          near_obstacle(convex.first_ball, convex.last_ball, obstacle, to_core, candidate);
      ask_convexes({c, pair.obstacle, true}, lanes, candidate);
    }
    return candidate.open & alive_;
  }
  /// Lanes of which balls leave open whether they and an obstacle may come together.
  unsigned near_obstacle(std::int32_t first, std::int32_t last, const CheckObstacle& obstacle,
                         const CoreDistance<F>& to_core, const Candidate& candidate) {
    unsigned open = 0;
    for (std::int32_t b = first; b < last; ++b) {
      const CheckBall& own = check_.balls[b];
      const unsigned wanted = wanted_of(candidate, open);
      if (wanted == 0) break;
      const F square = to_core.square(ball(b));
      const float most = own.most + obstacle.most;
      const unsigned is_near = near(square, most, candidate.moved, wanted);
      if (is_near == 0) continue;
      open |= is_near;
      decide(square, own.least + obstacle.least, most, is_near, candidate);
    }
    return open;
  }

  static WIDEPHASE_INLINE F square_between(const Vec<F, 3>& a, const Vec<F, 3>& b) {
    const Vec<F, 3> d = a - b;
    return dot(d, d);
  }
  unsigned ask_units(const ProofPair& pair, unsigned asked) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    place(a);
    place(b);
    const CheckUnit &of_a = check_.units[a], &of_b = check_.units[b];
    const F moved = reach_of(pair.reach_a) + reach_of(pair.reach_b);
    const F between = square_between(bound(a), bound(b));
    const float radii = of_a.bound.most + of_b.bound.most;
    const unsigned left = near(between, radii, moved, asked);
    if (left == 0) return 0;
    Candidate candidate{left, near(between, radii, F(0), left), 0, moved,
                        of_a.is_exact && of_b.is_exact};
    place_balls(a);
    place_balls(b);
    if (candidate.is_exact) return near_balls(of_a, b, of_b, candidate) & alive_;
    for (std::int32_t i = of_a.first_convex; i < of_a.last_convex; ++i) {
      for (std::int32_t j = of_b.first_convex; j < of_b.last_convex; ++j) {
        const unsigned lanes = near_balls(check_.convexes[i], b, check_.convexes[j], candidate);
        ask_convexes({i, j, false}, lanes, candidate);
      }
    }
    return candidate.open & alive_;
  }
  /// Likewise balls of two units or convexes, of which the second is of the unit `b`.
  template <class Balls>
  unsigned near_balls(const Balls& of_a, std::size_t b, const Balls& of_b,
                      const Candidate& candidate) {
    const Vec<F, 3> other = bound(b);
    const float most_of_b = check_.units[b].bound.most;
    unsigned open = 0;
    for (std::int32_t i = of_a.first_ball; i < of_a.last_ball; ++i) {
      const CheckBall& first = check_.balls[i];
      const Vec<F, 3> center = ball(i);
      const unsigned at_it = near(square_between(center, other), first.most + most_of_b,
                                  candidate.moved, wanted_of(candidate, open));
      if (at_it == 0) continue;
      for (std::int32_t j = of_b.first_ball; j < of_b.last_ball; ++j) {
        const CheckBall& second = check_.balls[j];
        const unsigned wanted = at_it & wanted_of(candidate, open);
        if (wanted == 0) break;
        const F square = square_between(center, ball(j));
        const float most = first.most + second.most;
        const unsigned is_near = near(square, most, candidate.moved, wanted);
        if (is_near == 0) continue;
        open |= is_near;
        decide(square, first.least + second.least, most, is_near, candidate);
      }
    }
    return open;
  }
  /// Asks two convexes in some lanes, and adds those in which they may come together.
  void ask_convexes(const ConvexPair& pair, unsigned lanes, Candidate& candidate) {
    lanes &= wanted_of(candidate, 0);
    if (lanes == 0) return;
    const ConvexLanes<F> convexes(check_, frames_);
    alignas(64) float ways[kLanes];
    store(ways, candidate.moved);
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto at = static_cast<std::size_t>(__builtin_ctz(lanes));
      const unsigned lane = lanes & (0 - lanes);
      const ConvexAnswer answer = convexes.ask(pair, at, ways[at]);
      if (answer == ConvexAnswer::apart) continue;
      candidate.open |= lane;
      if (answer == ConvexAnswer::unsure) unsure_ |= lane;
      if (answer == ConvexAnswer::touches) close(lane);
    }
  }

  const ProofJob& job_;
  const CheckJob& check_;
  std::size_t lane_;
  LaneFrames<F> frames_;
  float* bounds_;
  float* balls_;
  unsigned alive_;  ///< lanes that are asked and do not touch yet
  unsigned touching_ = 0;
  unsigned unsure_ = 0;
};

void prove_robot(ProofJob& job) {
  using F = Batch<float>;
  constexpr std::size_t kLanes = LaneTraits<F>::count;
  static_assert(kRobotBlock % kLanes == 0);
  find_motions(job.check);
  job.check.touching = job.check.unsure = 0;
  for (std::size_t lane = 0; lane < kRobotBlock; lane += kLanes) {
    ProofLanes<F> lanes(job, lane);
    lanes.ask();
    job.check.touching |= lanes.touching();
    job.check.unsure |= lanes.unsure();
  }
}

}  // namespace
}  // namespace widephase
