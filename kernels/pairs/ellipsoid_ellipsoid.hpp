#pragma once

#include "kernels/core/smooth/ellipsoid_exit.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// sphere_ellipsoid, ellipsoid_ellipsoid: the least of all directions, overlapping or apart, with
// pairs in lanes (core/smooth/ellipsoid_exit.hpp). What its proof leaves open goes to GJK and EPA
// (kernels/pairs/convex_convex.hpp): flat ellipsoids, middles that nearly coincide, ties.
// Frame: the scene's axes, with A's anchor as the origin. Normal: A to B. One point, on A.
template <class F>
struct EllipsoidEllipsoid : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::ellipsoid;
  static constexpr bool is_warm_when_steady = true;

  struct Room : Base::Room {
    Answers answers;
  };

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    const CorePair<F> pair(a, b);
    const EllipsoidExit<F> exit(pair, counter.live_lanes(), limit, counter);
    Answers& answers = room.answers;
    answers.ask(a.question, warm);
    answers.points.clear();
    answers.depth = Lanes<F>(exit.depth);
    answers.status = Lanes<F>(F(0));
    for (int k = 0; k < 3; ++k) answers.normal[k] = Lanes<F>(exit.n[k]);
    const Vec<F, 3> by_b = (pair.apart + exit.on_b) + exit.depth * exit.n;
    const Vec<F, 3> point = select(exit.is_on_a, exit.on_a, by_b);
    for (int k = 0; k < 3; ++k) store(answers.points.position[0][k], point[k]);
    store(answers.points.depth[0], exit.depth);
    const unsigned open = counter.live & ~mask_bits(exit.is_found | exit.is_beyond);
    if (open != 0) Base::answer_by_search(a, b, limit, open, answers, counter, room);
    return answers.manifold(a, reach);
  }
};

}  // namespace
}  // namespace widephase
