#pragma once

#include "core/hull_faces3.hpp"
#include "pairs/convex_convex.hpp"

namespace widephase {
namespace {

// sphere_hull: the centre against all faces, in lanes, a pair at a time. Within the hull, or where
// the nearest face lies straight below, that face answers; GJK the rest.
// Frame: the scene's axes, from A's centre on. Normal: A to B. Points: 1, on A.
// Ties: a centre in the middle leaves through the lowest face, status 1.
template <class F>
struct SphereHull : ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using typename Base::Answers;
  static constexpr int lanes = LaneTraits<F>::count;

  static Manifold<F, 3, 4> contact(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                   const F& margin, LaneCounter<F>& counter) {
    const F reach = a.radius + b.radius;
    const F limit = negate(margin) - reach;  // of the cores' depth
    const CorePair<F> pair(a, b);
    const ConvexShapes<F> shapes_a(a), shapes_b(b);
    const Vec<F, 3> local = -rotate_back(b.turn, pair.apart);
    const Lanes<F> at[3] = {Lanes<F>(local[0]), Lanes<F>(local[1]), Lanes<F>(local[2])};
    const Lanes<F> limits(limit);
    NearestFace faces[lanes];
    T is_open[lanes], depths[lanes];
    for (int i = 0; i < lanes; ++i) {
      const ConvexShape<T> hull = shapes_b[i];
      faces[i] = nearest_face(hull.hull(), {{at[0][i], at[1][i], at[2][i]}}, limits[i]);
      is_open[i] = faces[i].is_open ? T(1) : T(0);
      depths[i] = faces[i].depth;
    }
    const auto by_gjk = counter.live_lanes() & (load(is_open) > F(0));
    Simplex3<F> simplex;
    gjk(pair, by_gjk, GjkStart<F>(pair), negate(limit), simplex, counter);
    Answers answers(simplex);
    store(answers.depth.number, select(by_gjk, load(answers.depth.number), load(depths)));
    Base::answer_found(pair, shapes_a, shapes_b, by_gjk, limit, answers, counter);
    unsigned left = counter.live & mask_bits((!by_gjk) & (load(depths) >= limit));
    counter.add_alone(bit_count(left));
    for (; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      put(shapes_b[i], faces[i], i, answers);
    }
    return answers.manifold(a, reach);
  }

 private:
  /// The face with the greatest height of a point over it.
  struct NearestFace {
    int face;
    T depth;  ///< of the point below it
    bool is_tie;
    bool is_open;  ///< the point is outside and not straight above it, and may be near
  };

  static WIDEPHASE_INLINE NearestFace nearest_face(const HullView<T>& hull, const Vec<T, 3>& point,
                                                   T limit) {
    const T* const blocks = hull.face_blocks();
    LeastOf<T> least;
    for (int b = 0; b < hull.face_block_count(); ++b) {
      least.add(face_heights(blocks + b * HullLayout::face_block, point), b);
    }
    NearestFace found{};
    least.read(found.depth, found.face);
    if (found.depth < limit) return found;
    if (found.depth >= 0) {
      for (int b = 0; b < hull.face_block_count(); ++b) {
        unsigned level = bits_at_least(eight_of(found.depth),
                                       face_heights(blocks + b * HullLayout::face_block, point));
        if (b == found.face >> 3) level &= ~(1u << (found.face & 7));
        found.is_tie |= level != 0;
      }
      return found;
    }
    found.is_open = inside_of_face(hull, found.face, point) < 0;
    return found;
  }

  static void put(const ConvexShape<T>& hull, const NearestFace& nearest, int lane,
                  Answers& answers) {
    const Vec<T, 3> normal = -rotate(hull.turn, hull.hull().face_normal(nearest.face));
    for (int k = 0; k < 3; ++k) answers.normal[k].number[lane] = normal[k];
    answers.status.number[lane] = nearest.is_tie ? T(1) : T(0);
    CoreManifold<T> points;
    points.count = 1;
    points.points[0] = {{{0, 0, 0}}, nearest.depth, 0, face_feature(T(nearest.face))};
    answers.points.put(lane, points);
  }
};

}  // namespace
}  // namespace widephase
