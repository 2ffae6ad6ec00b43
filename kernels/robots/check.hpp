#pragma once

// Whether configurations of a robot touch themselves or their surroundings: kinematics, bounds and
// balls in float, a configuration per lane, and poses that are never written.
//
// Nothing here decides what is close. Every ball has two radii and every obstacle two, which allow
// for all rounding on the way to them (pipeline/robots/check_plan.cpp derives it). Within the
// smaller ones a lane surely touches, beyond the larger ones it surely does not, and in between it
// is unsure: the caller then asks the pair kernels in double. So answers are theirs to the bit, on
// every instruction set, and bounds only save time.
//
// Shapes that are no balls have some around them and inside. Those that balls leave open are asked
// as convexes after all balls (convex.hpp, convex_lanes.hpp).
//
// A unit's bound is asked before its balls. A lane that touches is asked no more, and a block ends
// when all of its lanes do.
// Cost: some 40 operations per joint, 10 per unit and obstacle, 10 per ball that is near one; for
// points see points.hpp. Where a walk through a tree of obstacles is cheaper than their list, each
// lane walks by itself.

#include "kernels/robots/convex_lanes.hpp"
#include "kernels/robots/core_distance.hpp"
#include "kernels/robots/frames.hpp"
#include "kernels/robots/points.hpp"

namespace widephase {
namespace {

/// The lanes of a block from one on.
template <class F>
class CheckLanes {
 public:
  CheckLanes(CheckJob& job, std::size_t lane)
      : job_(job),
        lane_(lane),
        frames_(job, lane),
        bounds_(frames_.end()),
        balls_(bounds_ + kCheckPoint * job.unit_count * kLanes),
        looks_(balls_ + kCheckPoint * job.ball_count * kLanes),
        open_((job.wanted >> lane) & LaneTraits<F>::all) {}

  void ask() {
    if (open_ == 0) return;
    frames_.place();
    for (std::size_t u = 0; u < job_.unit_count; ++u) {
      const CheckUnit& unit = job_.units[u];
      put_point<F>(bounds_, u, frames_.placed(unit.node, unit.bound.center));
      job_.is_placed[u] = false;
    }
    if (job_.near_obstacles != nullptr) look_for_obstacles();
    for (std::size_t u = 0; u < job_.unit_count && open_ != 0; ++u) ask_obstacles(u);
    if (job_.points != nullptr && open_ != 0) bound_points();
    for (std::size_t p = 0; p < job_.pair_count && open_ != 0; ++p) ask_pair(job_.pairs[p]);
    ask_candidates();
    if (job_.points != nullptr && open_ != 0) search_points();
  }
  unsigned touching() const { return touching_ << lane_; }
  unsigned unsure() const { return (unsure_ & ~touching_) << lane_; }

 private:
  static constexpr std::size_t kLanes = LaneTraits<F>::count;
  static constexpr float kNoRadius = -1e30f;
  void place_balls(std::size_t u) const {
    if (job_.is_placed[u]) return;
    job_.is_placed[u] = true;
    const CheckUnit& unit = job_.units[u];
    const auto at = frames_.frame(unit.node);
    for (std::int32_t b = unit.first_ball; b < unit.last_ball; ++b) {
      put_point<F>(balls_, static_cast<std::size_t>(b),
                   at.position + frames_.turned(at, job_.balls[b].center));
    }
  }

  /// Lanes of `asked` whose distance is at most a sum of radii and the margin.
  WIDEPHASE_INLINE unsigned within(const F& square, float radii, unsigned asked) const {
    return mask_bits(square <= F(above(radii + job_.margin))) & asked;
  }
  /// Marks those of the lanes `near` that surely touch, and all of them as unsure.
  WIDEPHASE_INLINE void decide(const F& square, float radii, unsigned near) {
    unsure_ |= near;
    mark_touching(square, radii, near);
  }
  /// Ends what is asked of lanes that surely touch.
  void close(unsigned touching) {
    touching_ |= touching;
    open_ &= ~touching;
    if (job_.later == nullptr) return;
    for (; touching != 0; touching &= touching - 1) {
      const unsigned later = job_.later[lane_ + static_cast<unsigned>(__builtin_ctz(touching))];
      job_.wanted &= ~later;
      open_ &= ~(later >> lane_);
    }
  }

  void look_for_obstacles() {
    const GridSearch<F> search(*job_.near_obstacles);
    for (std::size_t u = 0; u < job_.unit_count; ++u) {
      store(looks_ + u * kLanes, search.cell_of(get_point<F>(bounds_, u)));
    }
    search.look(looks_, job_.unit_count * kLanes);
  }
  /// Lanes of which a unit may be near an obstacle.
  WIDEPHASE_INLINE unsigned near_obstacles(std::size_t u, const Vec<F, 3>& bound) const {
    if (job_.near_obstacles == nullptr) return open_;
    const float radii = job_.units[u].bound.most + job_.margin;
    const float more = (radii < 0 ? -radii : radii) * kSquareSlack;
    return GridSearch<F>(*job_.near_obstacles)
        .near(bound, load(looks_ + u * kLanes), radii + more, open_);
  }

  void ask_obstacles(std::size_t u) {
    const CheckUnit& unit = job_.units[u];
    if (unit.first_obstacle == unit.last_obstacle) return;
    const Vec<F, 3> bound = get_point<F>(bounds_, u);
    const unsigned near_any = near_obstacles(u, bound);
    if (near_any == 0) return;
    if (pays_to_walk(unit, near_any)) return walk_to_obstacles(u, near_any);
    for (std::int32_t o = unit.first_obstacle; o < unit.last_obstacle && open_ != 0; ++o) {
      ask_obstacle(u, job_.obstacle_list[o], near_any);
    }
  }
  /// A walk of one lane costs as much as so many obstacles of a list.
  static constexpr int kObstaclesAWalk = 16;
  bool pays_to_walk(const CheckUnit& unit, unsigned near_any) const {
    return job_.obstacle_tree != nullptr && unit.last_obstacle - unit.first_obstacle >
                                                kObstaclesAWalk * __builtin_popcount(near_any);
  }
  /// Asks the obstacles whose boxes a unit's bound meets, lane by lane.
  void walk_to_obstacles(std::size_t u, unsigned near_any) {
    const CheckUnit& unit = job_.units[u];
    const TileTree<F> tree(*job_.obstacle_tree);
    const F near = F(above(unit.bound.most + job_.margin));
    for (unsigned lanes = near_any & open_; lanes != 0; lanes &= open_ & (lanes - 1)) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(lanes));
      const unsigned asked = 1u << lane;
      const auto place = each_axis<F, 3>([&](int k) {
        return F(bounds_[(kCheckPoint * u + static_cast<std::size_t>(k)) * kLanes + lane]);
      });
      tree.walk(place, near, [&](std::int32_t tile) {
        for (unsigned found = tree.near_boxes(0, tile, place, near); found != 0;
             found &= found - 1) {
          const std::int32_t o =
              job_.obstacle_tree->obstacle[kMeshTile * tile + __builtin_ctz(found)];
          if (o < 0 || (job_.obstacles[o].category & unit.mask) == 0 ||
              (job_.obstacles[o].mask & unit.category) == 0) {
            continue;
          }
          ask_obstacle(u, o, asked);
          if ((open_ & asked) == 0) return true;
        }
        return false;
      });
    }
  }
  void ask_obstacle(std::size_t u, std::int32_t o, unsigned asked) {
    const CheckUnit& unit = job_.units[u];
    const CheckObstacle& obstacle = job_.obstacles[o];
    const CoreDistance<F> to_core(job_, obstacle);
    unsigned near = open_ & asked;
    if (job_.has_culls) {
      const F square = to_core.square(get_point<F>(bounds_, u));
      near = within(square, unit.bound.most + obstacle.most, near);
      if (near == 0) return;
    }
    place_balls(u);
    if (!unit.is_exact) return ask_convexes(unit, o, to_core, near);
    for (std::int32_t b = unit.first_ball; b < unit.last_ball; ++b) {
      const CheckBall& ball = job_.balls[b];
      const F square = to_core.square(get_point<F>(balls_, static_cast<std::size_t>(b)));
      const unsigned at_it = within(square, ball.most + obstacle.most, near);
      if (at_it == 0) continue;
      decide(square, ball.least + obstacle.least, at_it);
      near &= open_;
      if (near == 0) return;
    }
  }

  /// Marks those of the lanes `near` that surely touch.
  WIDEPHASE_INLINE void mark_touching(const F& square, float radii, unsigned near) {
    const float least = radii + job_.margin;
    if (!(least > 0)) return;
    const unsigned is_sure = mask_bits(square <= F(below(least))) & near;
    if (is_sure != 0) close(is_sure);
  }
  void ask_convexes(const CheckUnit& unit, std::int32_t o, const CoreDistance<F>& to_core,
                    unsigned near) {
    const CheckObstacle& obstacle = job_.obstacles[o];
    for (std::int32_t c = unit.first_convex; c < unit.last_convex; ++c) {
      const CheckConvex& convex = job_.convexes[c];
      unsigned at_it = 0;
      for (std::int32_t b = convex.first_ball; b < convex.last_ball; ++b) {
        const CheckBall& ball = job_.balls[b];
        const F square = to_core.square(get_point<F>(balls_, static_cast<std::size_t>(b)));
        const unsigned is_near = within(square, ball.most + obstacle.most, near);
        if (is_near == 0) continue;
        at_it |= is_near;
        mark_touching(square, ball.least + obstacle.least, is_near);
      }
      near &= open_;
      add_candidate({{c, o, true}, at_it & near});
    }
  }
  void ask_convexes(const CheckUnit& of_a, const CheckUnit& of_b, unsigned near) {
    for (std::int32_t a = of_a.first_convex; a < of_a.last_convex; ++a) {
      for (std::int32_t b = of_b.first_convex; b < of_b.last_convex; ++b) {
        unsigned at_it = 0;
        for_near_balls(of_a, job_.convexes[a], of_b, job_.convexes[b], near,
                       [&](const F& square, float least, unsigned is_near) {
                         at_it |= is_near;
                         mark_touching(square, least, is_near);
                       });
        add_candidate({{a, b, false}, at_it & near});
      }
    }
  }
  /// Near in some lanes.
  struct Candidate {
    ConvexPair pair;
    unsigned lanes;
  };
  WIDEPHASE_INLINE void add_candidate(const Candidate& candidate) {
    if (candidate.lanes == 0) return;
    if (candidate_count_ == kMostCandidates) ask_candidates();
    candidates_[candidate_count_++] = candidate;
  }
  void ask_candidates() {
    const ConvexLanes<F> convexes(job_, frames_);
    for (std::size_t i = 0; i < candidate_count_ && open_ != 0; ++i) {
      const Candidate& candidate = candidates_[i];
      for (unsigned lanes = candidate.lanes & open_; lanes != 0; lanes &= lanes - 1) {
        const ConvexAnswer answer =
            convexes.ask(candidate.pair, static_cast<std::size_t>(__builtin_ctz(lanes)), 0);
        if (answer == ConvexAnswer::apart) continue;
        const unsigned lane = lanes & (0 - lanes);
        unsure_ |= lane;
        if (answer != ConvexAnswer::touches) continue;
        close(lane);
        lanes &= open_ | lane;
      }
    }
    candidate_count_ = 0;
  }
  /// What the grid says of units and balls. Balls of which it does not know enough stay open for
  /// the tree, which is asked last: fewer lanes need it then.
  void bound_points() {
    const PointSearch<F> search(*job_.points);
    for (std::size_t b = 0; b < job_.ball_count; ++b) job_.open_balls[b] = 0;
    for (std::size_t u = 0; u < job_.unit_count; ++u) {
      store(looks_ + u * kLanes, search.cell_of(get_point<F>(bounds_, u)));
    }
    search.look(looks_, job_.unit_count * kLanes);
    for (std::size_t u = 0; u < job_.unit_count && open_ != 0; ++u) {
      const CheckUnit& unit = job_.units[u];
      if (!unit.meets_points) continue;
      unsigned near = open_;
      if (job_.has_culls) {
        near = search.near(get_point<F>(bounds_, u), load(looks_ + u * kLanes),
                           unit.bound.most + job_.points->most + job_.margin, near);
      }
      if (near != 0) bound_balls(search, unit, u, near);
    }
  }
  void bound_balls(const PointSearch<F>& search, const CheckUnit& unit, std::size_t u,
                   unsigned near) {
    const auto first = static_cast<std::size_t>(unit.first_ball);
    const auto last = static_cast<std::size_t>(unit.last_ball);
    place_balls(u);
    if (!job_.has_culls) {
      for (std::size_t b = first; b < last; ++b) job_.open_balls[b] = near;
      return;
    }
    float* const looks = looks_ + job_.unit_count * kLanes;
    for (std::size_t b = first; b < last; ++b) {
      store(looks + b * kLanes, search.cell_of(get_point<F>(balls_, b)));
    }
    search.look(looks + first * kLanes, (last - first) * kLanes);
    for (std::size_t b = first; b < last; ++b) {
      const CheckBall& ball = job_.balls[b];
      const F known = load(looks + b * kLanes);
      const Vec<F, 3> place = get_point<F>(balls_, b);
      const float most = ball.most + job_.points->most + job_.margin;
      const float least = ball.least + job_.points->least + job_.margin;
      unsigned open = search.near(place, known, most, near);
      if (open == 0) continue;
      const unsigned is_within = open & search.within(place, known, least > 0 ? least : most);
      open &= ~is_within;
      job_.open_balls[b] = open;
      if (!(least > 0)) {
        unsure_ |= is_within;
        continue;
      }
      if (is_within != 0) close(is_within);
      near &= open_;
      if (near == 0) return;
    }
  }

  void search_points() {
    const PointSearch<F> search(*job_.points);
    for (std::size_t b = 0; b < job_.ball_count && open_ != 0; ++b) {
      if ((job_.open_balls[b] & open_) == 0) continue;
      const CheckBall& ball = job_.balls[b];
      const float least = ball.least + job_.points->least + job_.margin;
      // What cannot touch for sure tells nothing new of lanes that are unsure already.
      const unsigned asked = least > 0 ? open_ : open_ & ~unsure_;
      for (unsigned open = job_.open_balls[b] & asked; open != 0; open &= open - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(open));
        float place[3];
        for (std::size_t k = 0; k < 3; ++k) {
          place[k] = balls_[(kCheckPoint * b + k) * kLanes + lane];
        }
        const PointAnswer answer =
            search.ask(place, ball.most + job_.points->most + job_.margin, least, job_.has_culls);
        if (answer == PointAnswer::apart) continue;
        unsure_ |= 1u << lane;
        if (answer != PointAnswer::touches) continue;
        close(1u << lane);
      }
    }
  }

  static WIDEPHASE_INLINE F square_between(const Vec<F, 3>& a, const Vec<F, 3>& b) {
    const Vec<F, 3> d = a - b;
    return dot(d, d);
  }
  void ask_pair(const CheckPair& pair) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const CheckUnit &of_a = job_.units[a], &of_b = job_.units[b];
    const Vec<F, 3> bound = get_point<F>(bounds_, b);
    unsigned near = open_;
    if (job_.has_culls) {
      near = within(square_between(get_point<F>(bounds_, a), bound),
                    of_a.bound.most + of_b.bound.most, near);
      if (near == 0) return;
    }
    place_balls(a);
    place_balls(b);
    if (!of_a.is_exact || !of_b.is_exact) return ask_convexes(of_a, of_b, near);
    for_near_balls(
        of_a, of_a, of_b, of_b, near,
        [&](const F& square, float least, unsigned is_near) { decide(square, least, is_near); });
  }

  /// Calls `found(square, least, lanes)` for balls of two units, or of convexes in them, that may
  /// touch. Takes lanes that touch from `near`.
  template <class Balls, class Found>
  WIDEPHASE_INLINE void for_near_balls(const CheckUnit& unit_of_a, const Balls& of_a,
                                       const CheckUnit& unit_of_b, const Balls& of_b,
                                       unsigned& near, const Found& found) {
    for (std::int32_t first = of_b.first_ball; first < of_b.last_ball && near != 0;
         first += kListed) {
      const std::int32_t more = of_b.last_ball - first;
      const BallList listed = balls_near(unit_of_a, first, more < kListed ? more : kListed, near);
      if (listed.count != 0) ask_balls(of_a, unit_of_b, listed, near, found);
    }
  }
  WIDEPHASE_INLINE Vec<F, 3> bound_of(const CheckUnit& unit) const {
    return get_point<F>(bounds_, static_cast<std::size_t>(&unit - job_.units));
  }

  /// Some balls of a unit, and the largest of their radii.
  static constexpr std::int32_t kListed = 32;
  struct BallList {
    std::int32_t count;
    float most;
    std::int32_t ball[kListed];
  };
  /// Those of `count` balls that may be near a unit in a lane.
  BallList balls_near(const CheckUnit& unit, std::int32_t first, std::int32_t count,
                      unsigned near) const {
    const Vec<F, 3> bound = bound_of(unit);
    BallList listed;
    listed.count = 0;
    listed.most = kNoRadius;
    for (std::int32_t j = first; j < first + count; ++j) {
      const float most = job_.balls[j].most;
      if (job_.has_culls) {
        const F square = square_between(get_point<F>(balls_, static_cast<std::size_t>(j)), bound);
        if (within(square, most + unit.bound.most, near) == 0) continue;
      }
      listed.ball[listed.count++] = j;
      listed.most = most > listed.most ? most : listed.most;
    }
    return listed;
  }
  /// Asks balls against some of a unit.
  template <class Balls, class Found>
  WIDEPHASE_INLINE void ask_balls(const Balls& of_a, const CheckUnit& of_b, const BallList& listed,
                                  unsigned& near, const Found& found) {
    const Vec<F, 3> bound = bound_of(of_b);
    for (std::int32_t i = of_a.first_ball; i < of_a.last_ball; ++i) {
      const CheckBall& ball = job_.balls[i];
      const Vec<F, 3> center = get_point<F>(balls_, static_cast<std::size_t>(i));
      unsigned at_it = near;
      if (job_.has_culls) {
        at_it = within(square_between(center, bound), ball.most + of_b.bound.most, near);
        if (at_it == 0) continue;
        // The nearest of them first, without a branch for each.
        F least = F(1e30f);
        for (std::int32_t j = 0; j < listed.count; ++j) {
          const auto other = static_cast<std::size_t>(listed.ball[j]);
          least = lesser(least, square_between(center, get_point<F>(balls_, other)));
        }
        at_it = within(least, ball.most + listed.most, at_it);
        if (at_it == 0) continue;
      }
      for (std::int32_t j = 0; j < listed.count; ++j) {
        const CheckBall& other = job_.balls[listed.ball[j]];
        const F square =
            square_between(center, get_point<F>(balls_, static_cast<std::size_t>(listed.ball[j])));
        const unsigned is_near = within(square, ball.most + other.most, at_it);
        if (is_near == 0) continue;
        found(square, ball.least + other.least, is_near);
        at_it &= open_;
        if (at_it == 0) break;
      }
      near &= open_;
      if (near == 0) return;
    }
  }

  CheckJob& job_;
  std::size_t lane_;
  LaneFrames<F> frames_;
  float* bounds_;
  float* balls_;
  float* looks_;   ///< what grids know, per unit and ball
  unsigned open_;  ///< lanes that are asked and do not touch yet
  unsigned touching_ = 0;
  unsigned unsure_ = 0;
  static constexpr std::size_t kMostCandidates = 64;
  Candidate candidates_[kMostCandidates];
  std::size_t candidate_count_ = 0;
};

void check_robot(CheckJob& job) {
  using F = Batch<float>;
  constexpr std::size_t kLanes = LaneTraits<F>::count;
  static_assert(kRobotBlock % kLanes == 0);
  find_motions(job);
  job.touching = job.unsure = 0;
  for (std::size_t lane = 0; lane < kRobotBlock; lane += kLanes) {
    CheckLanes<F> lanes(job, lane);
    lanes.ask();
    job.touching |= lanes.touching();
    job.unsure |= lanes.unsure();
  }
}

}  // namespace
}  // namespace widephase
