#pragma once

// The minimum translations of boxes, cylinders and hulls A that ellipsoids B overlap: a descent
// from the best of 26 directions (core/smooth/ellipsoid_descent.hpp), then the proof that no other
// direction is as short (core/smooth/ellipsoid_proof.hpp), with pairs in lanes. Where features meet
// about the direction is found one pair at a time (core/smooth/smooth_contact.hpp). For a hull this
// comes first, with the features of the face of the least overlap in the descent's place.

#include "kernels/core/smooth/cone_exits.hpp"
#include "kernels/core/smooth/ellipsoid_proof.hpp"
#include "kernels/core/smooth/points_over_ellipsoid.hpp"

namespace widephase {
namespace {

template <class F>
class EllipsoidExits {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  EllipsoidExits(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
                 const ConvexShapeLanes<F>& shapes_b, DirectionTriangles<F>* triangles,
                 FacesRoom<T>* faces)
      : pair_(pair),
        shapes_a_(shapes_a),
        shapes_b_(shapes_b),
        triangles_(*triangles),
        faces_(*faces),
        form_(pair.a.shape.form) {}

  /// Ties, and what rounding leaves open, are not found. A function of its own, so that later steps
  /// can use its stack.
  __attribute__((noinline)) void find(unsigned overlapping, LaneCounter<F>& counter) {
    found_ = 0;
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
        near.number[i] = hull.face_count > 0 ? hull.numbers[HullLayout::inner_radius] : T(0);
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
      fit = find_meetings(of, fit, counter);
      if (fit == 0) return;
    }
    const EllipsoidStar<F>& star = star_.make(of, form_, pair_.a.vertices, fit);
    if (!is_hull) fit &= mask_bits(star.overlap > F(0));
    if (fit == 0) return;
    prove(of, star, fit, unit.into * most, size, unit.into, counter);
  }

  /// The lanes whose exit is proven.
  unsigned found() const { return found_; }
  void drop(int lane) { found_ &= ~(1u << lane); }

  /// The exit of a lane, with its witness.
  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) const {
    DirectExit<T> direct;
    if ((found_ >> lane & 1) == 0) return direct;
    const T rounding = 32 * kRounding<T> * size;
    LeastExit<T>& exit = direct.exit;
    exit.is_tie = exit.is_capped = false;
    direct.is_settled = true;
    if (form_ == CoreForm::hull) {
      exit.direction = meeting_[lane].normal;
      exit.depth = meeting_[lane].depth;
      exit.witness = meeting_[lane].witness;
      direct.is_found = true;
      return direct;
    }
    exit.direction = {{direction_[0][lane], direction_[1][lane], direction_[2][lane]}};
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
  struct Meeting {
    Vec<T, 3> normal, axis;
    T depth, line, face;
    Witness<T> witness;
  };

  __attribute__((noinline)) void prove(ConvexOverEllipsoid<F>& of, const EllipsoidStar<F>& star,
                                       unsigned fit, const F& most, const F& size, const F& into,
                                       LaneCounter<F>& counter) {
    const auto is_fit = lanes_of<F>(fit);
    if (form_ == CoreForm::hull) {
      Lanes<F> numbers[8];
      for (int i = 0; i < lanes; ++i) {
        const Meeting& at = meeting_[i];
        const bool has = (fit >> i & 1) != 0;
        for (int k = 0; k < 3; ++k) {
          numbers[k].number[i] = has ? at.normal[k] : k == 0 ? T(1) : T(0);
          numbers[3 + k].number[i] = has ? at.axis[k] : T(0);
        }
        numbers[6].number[i] = has ? at.line : T(0);
        numbers[7].number[i] = has ? at.face : T(0);
      }
      const auto vector = [&](int from) {
        return rotate_back(pair_.a.shape.turn,
                           Vec<F, 3>{{load(numbers[from].number), load(numbers[from + 1].number),
                                      load(numbers[from + 2].number)}});
      };
      const Vec<F, 3> n = vector(0);
      const EllipsoidDescent<F> descent(of, most, n, of.own(n, form_, pair_.a.vertices, fit),
                                        vector(3), into * load(numbers[6].number),
                                        into * load(numbers[7].number), is_fit);
      prove_from(descent, of, star, size, counter);
      return;
    }
    const EllipsoidDescent<F> descent(of, form_, most, star.n, is_fit, counter);
    prove_from(descent, of, star, size, counter);
    if (found_ != 0) put(descent);
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

  /// Finds where features of a hull's least face meet the ellipsoid. Answers for which pairs it
  /// does.
  __attribute__((noinline)) unsigned find_meetings(const ConvexOverEllipsoid<F>& of, unsigned asked,
                                                   LaneCounter<F>& counter) {
    Lanes<F> axis[9], middle[3];
    const Lanes<F> x(pair_.apart[0]), y(pair_.apart[1]), z(pair_.apart[2]), unit(of.unit);
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) axis[3 * k + j] = Lanes<F>(of.axis[k][j]);
      middle[k] = Lanes<F>(of.middle[k]);
    }
    unsigned found = 0;
    for (unsigned left = asked; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      counter.add_alone(1);
      T numbers[12];
      for (int k = 0; k < 9; ++k) numbers[k] = axis[k][i];
      for (int k = 0; k < 3; ++k) numbers[9 + k] = middle[k][i];
      const ConvexShape<T> shape_a = shapes_a_[i], shape_b = shapes_b_[i];
      if (find_meeting_of({shape_a, shape_b, {{x[i], y[i], z[i]}}}, numbers, unit[i],
                          meeting_[i])) {
        found |= 1u << i;
      }
    }
    return found;
  }
  bool find_meeting_of(const ShapePair<T>& pair, const T (&numbers)[12], T unit, Meeting& found) {
    const HullView<T> hull = pair.a.hull();
    LeastOf<T> least;
    const Vec<T, 3> middle{{numbers[9], numbers[10], numbers[11]}};
    for (int b = 0; b < hull.face_block_count(); ++b) {
      const T* const block = hull.face_blocks() + b * HullLayout::face_block;
      const Eight<T> x = load_eight(block), y = load_eight(block + 8), z = load_eight(block + 16);
      Eight<T> square = eight_of(T(0));
      for (int k = 0; k < 3; ++k) {
        const Eight<T> along = (x * eight_of(numbers[3 * k]) + y * eight_of(numbers[3 * k + 1])) +
                               z * eight_of(numbers[3 * k + 2]);
        square = square + along * along;
      }
      const Eight<T> offset = eight_of(unit) * load_eight(block + HullLayout::offset);
      const Eight<T> aside =
          (x * eight_of(middle[0]) + y * eight_of(middle[1])) + z * eight_of(middle[2]);
      least.add((offset - aside) + sqrt(square));
    }
    T overlap;
    int face;
    least.read(overlap, face);
    const std::int16_t* const ring = hull.face_vertices() + hull.face_start(face);
    Witness<T> witness{};
    witness.count = 3;
    for (int k = 0; k < 3; ++k) witness.a[k] = ring[k];
    const Vec<T, 3> normal = unit_of(rotate(pair.a.turn, hull.face_normal(face)));
    const T depth = dot(normal, farthest(pair, normal).point);
    const T size = size_of(pair), rounding = 32 * kRounding<T> * size;
    if (!(depth > rounding)) return false;
    witness.on_a = vertex_of(pair.a, ring[0]);
    witness.on_b = farthest(pair.b, -normal).point;
    SmoothMeeting<T> best{};
    if (!find_meeting(pair, size, rounding, normal, depth, witness, false, false, best, faces_) ||
        best.is_at_end || !(best.depth > rounding)) {
      return false;
    }
    found.normal = normal;
    found.depth = depth;
    found.witness = witness;
    take_meeting(best, found.normal, found.depth, found.witness);
    found.axis = best.a.axis;
    found.line = best.a.form == SmoothForm::line ? best.to_end : T(0);
    found.face = best.a.form == SmoothForm::face ? best.to_end : T(0);
    return true;
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

  /// Names the vertices of A's feature.
  SmoothForm name(int lane, Witness<T>& witness) const {
    const auto has = [&](unsigned bits) { return static_cast<int>(bits >> lane & 1); };
    for (int k = 0; k < 3; ++k) witness.b[k] = 0;
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
  const ConvexShapeLanes<F>&shapes_a_, &shapes_b_;
  DirectionTriangles<F>& triangles_;
  RoomFor<EllipsoidStar<F>> star_;
  FacesRoom<T>& faces_;
  CoreForm form_;
  unsigned found_ = 0, settled_ = 0, side_[3], level_[3], pole_ = 0;
  Lanes<F> direction_[3], on_a_[3], on_b_[3], depth_;
  Meeting meeting_[lanes];  ///< of hulls
};

}  // namespace
}  // namespace widephase
