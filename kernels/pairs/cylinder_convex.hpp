#pragma once

#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// aabb_cylinder, box_cylinder, hull_cylinder: GJK on the cores. If they overlap,
// the minimum translation over all pairs of features; EPA where rounding leaves that open.
// Frame: the scene's axes, with A's anchor as the origin. Normal: A to B. Points: 1 to 4, on A.
// Ties: faces before caps before vertices before edges, the lowest first, status 1.
//
// The steps, and where they are:
//   1. The distance, with pairs in lanes: GJK, core/gjk/gjk3.hpp.
//   2. If the cores overlap, the minimum translation in closed form:
//      core/cylinder/cylinder_axes3.hpp. It reads a box as a hull (core/hull/box_hull.hpp). If that
//      fails, EPA, core/epa/epa3.hpp.
//   3. One pair at a time, `answer` of kernels/pairs/convex_convex.hpp. Distances that GJK has left
//      open and other special cases of cylinders: core/cylinder/cylinder_contact.hpp. The faces
//      that meet: core/faces/convex_face.hpp. The deepest point: core/convex/one_pair3.hpp.
//   4. The points: core/faces/convex_manifold.hpp clips a box's face, edge or vertex and the
//      cylinder's cap or side against each other, with core/faces/face_clipper.hpp.
template <class F>
struct CylinderConvex : private ConvexConvex<F> {
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cylinder;
  using typename Base::Room;

  static Manifold<F, 3, 4> contact(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                   const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    const CorePair<F> pair(a, b);
    const auto all = counter.live_lanes();
    Simplex3<F> simplex;
    Base::find_nearest(pair, all, limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    CylinderAxes<F> axes(pair, shapes_a, simplex);
    Base::answer_found(pair, shapes_a, shapes_b, all, limit, answers, counter, room, &axes);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, reach);
  }
};

}  // namespace
}  // namespace widephase
