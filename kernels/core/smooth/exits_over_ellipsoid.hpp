#pragma once

// The minimum translations of boxes, cylinders and hulls A that ellipsoids B overlap: a descent
// from the best of 26 directions (core/smooth/ellipsoid_descent.hpp), for hulls from a face
// (core/smooth/hull_descent.hpp), then the proof that no other direction is as short
// (core/smooth/ellipsoid_proof.hpp), with pairs in lanes. Mostly the points along the direction are
// opposite one another. Else where features meet about it is found one pair at a time
// (core/smooth/smooth_contact.hpp).

#include "kernels/core/smooth/cone_exits.hpp"
#include "kernels/core/smooth/ellipsoid_proof.hpp"
#include "kernels/core/smooth/hull_descent.hpp"
#include "kernels/core/smooth/points_over_ellipsoid.hpp"

namespace widephase {
namespace {

template <class F>
class EllipsoidExits {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  EllipsoidExits(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a, const F& limit,
                 DirectionTriangles<F>* triangles, FacesRoom<T>* faces)
      : pair_(pair),
        shapes_a_(shapes_a),
        limit_(limit),
        triangles_(*triangles),
        faces_(*faces),
        form_(pair.a.shape.form) {}

  /// Ties, and what rounding leaves open, are not found. A function of its own, so that later steps
  /// can use its stack.
  __attribute__((noinline)) void find(unsigned overlapping, LaneCounter<F>& counter) {
    found_ = apart_ = 0;
    if (overlapping == 0) return;
    const ConvexLanes<F>&own = pair_.a.shape, &other = pair_.b.shape;
    const bool is_hull = form_ == CoreForm::hull;
    const F most = greater(greater(other.half[0], other.half[1]), other.half[2]);
    const F least = lesser(lesser(other.half[0], other.half[1]), other.half[2]);
    F longest, shortest;
    if (is_hull) {
      Lanes<F> far, near;
      for (int i = 0; i < lanes; ++i) {
        const HullView<T> hull(own.library, own.indices, integer_in(shapes_a_.place()[i]));
        far.number[i] = hull.numbers[HullLayout::reach];
        near.number[i] = hull.face_count > 0 ? hull.numbers[HullLayout::inner_radius] : T(-1);
      }
      longest = load(far.number);
      shortest = load(near.number);
    } else {
      longest = greater(greater(own.half[0], own.half[1]), own.half[2]);
      shortest = lesser(lesser(own.half[0], own.half[1]), own.half[2]);
    }
    const F reach = greater(greater(longest, most), coordinate_size(pair_.apart));
    const UnitScale<F> unit(reach);
    // Flatter ones, and those of very different sizes, would lose digits.
    const F small = F(T(0x1p-8)) * reach;
    const auto is_fit = lanes_of<F>(overlapping) & (least >= F(T(0x1p-5)) * most) &
                        (most >= small) & (shortest >= small);
    unsigned fit = mask_bits(is_fit);
    if (fit == 0) return;
    ConvexOverEllipsoid<F> of;
    of.set(own, other, pair_.apart, unit.into);
    const F size = (unit.into * (longest + most)) + coordinate_size(of.middle);
    if (is_hull) {
      // The core is the ellipsoid less the ball that rolls in it.
      const F ball = divide_or_zero(least, most) * least;
      reach_ = longest;
      prove_hulls(of, fit, unit.into * most, size,
                  unit.into * (limit_ + ball) - roundings<F>(256) * size, counter);
    } else {
      prove(of, fit, unit.into * most, size, counter);
    }
  }

  /// The lanes whose exit is proven.
  unsigned found() const { return found_; }
  /// The lanes where cores are less deep than the limit, and a direction and depth that tell.
  unsigned apart() const { return apart_; }
  Vec<T, 3> direction(int lane) const {
    return {{direction_[0][lane], direction_[1][lane], direction_[2][lane]}};
  }
  T depth(int lane) const { return depth_[lane]; }
  void drop(int lane) { found_ &= ~(1u << lane); }

  /// The exit of a lane, with its witness.
  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) const {
    DirectExit<T> direct;
    if ((found_ >> lane & 1) == 0) return direct;
    const T rounding = 32 * kRounding<T> * size;
    LeastExit<T>& exit = direct.exit;
    exit.is_tie = exit.is_capped = false;
    direct.is_settled = true;
    exit.direction = direction(lane);
    exit.depth = depth_[lane];
    const SmoothForm form = name(lane, exit.witness);
    if ((settled_ >> lane & 1) != 0) {
      for (int k = 0; k < 3; ++k) {
        exit.witness.on_a[k] = on_a_[k][lane];
        exit.witness.on_b[k] = on_b_[k][lane];
      }
      direct.is_found = true;
      return direct;
    }
    const T most = exit.depth + rounding;
    direct.is_found = (settle_between(pair, size, rounding, form, SmoothForm::surface,
                                      exit.direction, exit.depth, exit.witness, faces_) ||
                       settle_smooth(pair, size, rounding, false, exit.direction, exit.depth,
                                     exit.witness, faces_)) &&
                      exit.depth <= most;
    return direct;
  }

 private:
  __attribute__((noinline)) void prove(ConvexOverEllipsoid<F>& of, unsigned fit, const F& most,
                                       const F& size, LaneCounter<F>& counter) {
    const EllipsoidStar<F>& star = star_.make(of, form_, pair_.a.vertices, fit);
    fit &= mask_bits(star.overlap > F(0));
    if (fit == 0) return;
    const EllipsoidDescent<F> descent(of, form_, most, star.n, lanes_of<F>(fit), counter);
    prove_from(descent, of, star, size, counter);
    if (found_ != 0) put(descent);
  }
  /// The same for hulls. Cores whose overlap along a direction is below `least` are apart.
  __attribute__((noinline)) void prove_hulls(ConvexOverEllipsoid<F>& of, unsigned fit,
                                             const F& most, const F& size, const F& least,
                                             LaneCounter<F>& counter) {
    HullView<T> hulls[lanes];
    for (int i = 0; i < lanes; ++i) {
      hulls[i] = HullView<T>(pair_.a.shape.library, pair_.a.shape.indices,
                             integer_in(shapes_a_.place()[i]));
    }
    const HullDescent<F> descent(of, hulls, pair_.a.vertices, least, fit, counter);
    apart_ = descent.apart;
    const EllipsoidDescent<F> end(of, most, descent.n, descent.vertex, descent.axis, descent.to_end,
                                  descent.inside, descent.is_steady);
    fit = mask_bits(descent.is_steady & (descent.overlap > roundings<F>(256) * size));
    if (fit != 0) {
      const EllipsoidStar<F>& star = star_.make(of, form_, pair_.a.vertices, fit);
      prove_from(end, of, star, size, counter);
    }
    if ((found_ | apart_) != 0) put(descent, of.unit);
  }
  WIDEPHASE_INLINE void prove_from(const EllipsoidDescent<F>& descent, ConvexOverEllipsoid<F>& of,
                                   const EllipsoidStar<F>& star, const F& size,
                                   LaneCounter<F>& counter) {
    of.n = descent.n;
    of.cosine = descent.proven();
    of.least = descent.overlap + roundings<F>(64) * size;
    const unsigned asked = mask_bits(descent.is_steady & (of.cosine < F(1)) &
                                     (descent.overlap > roundings<F>(256) * size));
    if (asked != 0) found_ = triangles_.prove(of, form_, pair_.a.vertices, star, asked, counter);
  }

  /// Puts the directions, and the points where they are opposite one another and far from ends.
  __attribute__((noinline)) void put(const EllipsoidDescent<F>& descent) {
    const ConvexLanes<F>&own = pair_.a.shape, &other = pair_.b.shape;
    const F size = (length(own.half) + length(other.half)) + coordinate_size(pair_.apart);
    const F rounding = F(32 * kRounding<T>) * size;
    const PointsOverEllipsoid<F> points(descent, pair_.a, pair_.b, pair_.apart, size,
                                        lanes_of<F>(found_));
    // Where a rim is nearly level both points move far, and off by little they are both inexact.
    const F near = form_ == CoreForm::cylinder ? F(T(0.25)) * rounding : rounding;
    settled_ = found_ & mask_bits((points.off <= near) & (points.to_end > F(T(0.02)) * size));
    depth_ = Lanes<F>(points.depth);
    for (int k = 0; k < 3; ++k) {
      direction_[k] = Lanes<F>(points.normal[k]);
      on_a_[k] = Lanes<F>(points.on_own[k]);
      on_b_[k] = Lanes<F>(points.on_other[k]);
      side_[k] = mask_bits(descent.side[k] > F(0));
      level_[k] = mask_bits(descent.is_level[k] > F(0));
    }
    pole_ = mask_bits(descent.is_pole > F(0));
  }

  /// The same for hulls, and for pairs that are apart.
  __attribute__((noinline)) void put(const HullDescent<F>& descent, const F& unit) {
    const auto live = lanes_of<F>(found_ | apart_);
    const F size = (reach_ + length(pair_.b.shape.half)) + coordinate_size(pair_.apart);
    const F rounding = F(32 * kRounding<T>) * size, by = divide(F(1), unit);
    const Rotation3<F>& turn = pair_.a.shape.turn;
    Vec<F, 3> n = rotate(turn, descent.n);
    n = n / length(n);
    const Vec<F, 3> on_b = farthest(pair_.b, -n, live).point;
    const F depth = dot(n, farthest(pair_.a, n, live).point - (pair_.apart + on_b));
    const Vec<F, 3> opposite = (pair_.apart + on_b) + depth * n, at = rotate_back(turn, opposite);
    const auto is_edge = lanes_of<F>(descent.edges()), is_face = lanes_of<F>(descent.faces());
    const Vec<F, 3> vertex = by * descent.vertex, from = at - vertex;
    Vec<F, 3> point = vertex + dot(descent.axis, from) * descent.axis;
    point = select(is_face, at - dot(descent.n, from) * descent.n, point);
    const F to_end = by * select(is_edge, descent.to_end, descent.inside);
    const auto is_inside = (to_end > F(T(4)) * rounding) | !(is_edge | is_face);
    settled_ = found_ & mask_bits((length(at - point) <= rounding) & is_inside);
    const Vec<F, 3> on_own = rotate(turn, point);
    const Vec<F, 3> by_own = (on_own - depth * n) - pair_.apart;
    depth_ = Lanes<F>(depth);
    for (int k = 0; k < 3; ++k) {
      direction_[k] = Lanes<F>(n[k]);
      on_a_[k] = Lanes<F>(select(is_face, opposite[k], on_own[k]));
      on_b_[k] = Lanes<F>(select(is_face, on_b[k], by_own[k]));
    }
    for (unsigned left = found_; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      int(&vertices)[3] = vertex_[i];
      vertices[0] = descent.first_vertex(i);
      vertices[1] = vertices[2] = descent.second_vertex(i);
      count_[i] = 1 + static_cast<int>(descent.edges() >> i & 1);
      if ((descent.faces() >> i & 1) != 0) {
        const HullView<T> hull(pair_.a.shape.library, pair_.a.shape.indices,
                               integer_in(shapes_a_.place()[i]));
        const std::int16_t* const ring = hull.face_vertices() + hull.face_start(descent.face(i));
        for (int k = 0; k < 3; ++k) vertices[k] = ring[k];
        count_[i] = 3;
      }
    }
  }

  /// Names the vertices of A's feature.
  SmoothForm name(int lane, Witness<T>& witness) const {
    const auto has = [&](unsigned bits) { return static_cast<int>(bits >> lane & 1); };
    for (int k = 0; k < 3; ++k) witness.b[k] = 0;
    if (form_ == CoreForm::hull) {
      witness.count = count_[lane];
      for (int k = 0; k < 3; ++k) witness.a[k] = vertex_[lane][witness.count > 1 ? k : 0];
      return witness.count == 1   ? SmoothForm::vertex
             : witness.count == 2 ? SmoothForm::line
                                  : SmoothForm::face;
    }
    if (form_ == CoreForm::cylinder) {
      const bool is_side = has(level_[2]) != 0;
      const int end = has(side_[2]);
      witness.count = is_side ? 2 : 1;
      for (int k = 0; k < 3; ++k) witness.a[k] = is_side ? (k > 0 ? 1 : 0) : end;
      return is_side ? SmoothForm::line : has(pole_) != 0 ? SmoothForm::face : SmoothForm::rim;
    }
    int corner = 0, count = 0, along[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      if (has(level_[k]) != 0) {
        along[count++] = 1 << k;
      } else {
        corner |= has(side_[k]) << k;
      }
    }
    witness.count = count + 1;
    witness.a[0] = corner;
    witness.a[1] = corner | along[0];
    witness.a[2] = corner | (count > 1 ? along[1] : along[0]);
    return count == 0 ? SmoothForm::vertex : count == 1 ? SmoothForm::line : SmoothForm::face;
  }

  const CorePair<F>& pair_;
  const ConvexShapeLanes<F>& shapes_a_;
  const F& limit_;
  DirectionTriangles<F>& triangles_;
  RoomFor<EllipsoidStar<F>> star_;
  FacesRoom<T>& faces_;
  CoreForm form_;
  unsigned found_ = 0, apart_ = 0, settled_ = 0, side_[3], level_[3], pole_ = 0;
  Lanes<F> direction_[3], on_a_[3], on_b_[3], depth_;
  F reach_;                              ///< of hulls
  int vertex_[lanes][3], count_[lanes];  ///< of the features of hulls
};

}  // namespace
}  // namespace widephase
