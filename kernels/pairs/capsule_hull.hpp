#pragma once

#include "pairs/hull_hull.hpp"

namespace widephase {
namespace {

// capsule_hull: GJK on the cores; where they overlap, the separating axes of the capsule's core as
// a hull of one edge; then the manifold of the features that meet.
//
// Frame: the scene's axes, from A's anchor on. Normal: A to B. Points: 1 or 2, on A.
//
// Ties of the way out go to the hull's faces before its edges, the lowest first, status 1.
//
// Cost: GJK, and for cores that overlap 2 or 3 support points and passes over all faces.
template <class F>
struct CapsuleHull : HullHull<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Axes = HullHull<F>;
  using typename Base::Answers;

  static Manifold<F, 3, 4> contact(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                   const F& margin, WarmStarts<F>& warm, LaneCounter<F>& counter) {
    const F reach = a.radius + b.radius;
    const F limit = negate(margin) - reach;  // of the cores' depth
    const CorePair<F> pair(a, b);
    const ConvexShapes<F> shapes_a(a), shapes_b(b);
    const auto all = counter.live_lanes();
    Simplex3<F> simplex;
    Base::find_nearest(pair, all, limit, warm, simplex, counter);
    Answers answers(simplex);
    auto is_asked = simplex.is_overlap > F(0);
    if (a.question == Question::contact) is_asked = is_asked & !Base::is_surely_deep(simplex);
    auto by_axis = F(0) != F(0);
    HullSearch<F> search;
    typename Axes::MadeHulls made;
    if (any<F>(is_asked)) {
      Axes::set_frames(a, b, pair.apart, shapes_a, shapes_b, made, search);
      find_hull_axes(search, is_asked, warm, counter);
      // Rounding may say that they touch, and that they don't.
      const F overlap = load(search.axis.overlap.number);
      by_axis = is_asked & (overlap >= F(0));
      store(answers.depth.number, select(by_axis, overlap, load(answers.depth.number)));
    }
    Base::answer_found(pair, shapes_a, shapes_b, all & !by_axis, limit, answers, counter);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    Axes::answer_by_axes(pair, shapes_a, shapes_b, mask_bits(by_axis), limit, search, answers,
                         counter);
    return answers.manifold(a, reach);
  }
};

}  // namespace
}  // namespace widephase
