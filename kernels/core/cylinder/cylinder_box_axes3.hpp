#pragma once

// A cylinder and a box in lanes: whether their cores overlap, and the minimum translation, over the
// directions of core/cylinder/cylinder_axes3.hpp (frame, h, and edges: there).
//
// Cores that are apart are so along a face's normal, the cylinder's axis, or a direction across
// that axis or across an edge: this is the theorem of separating axes for prisms that have the
// cylinder as their limit. Faces, caps, and the vertex nearest to the axis are evaluated for all
// pairs. Then an edge is ruled out by points w of the difference: between the normals f and g of
// its faces the overlap is at least the least of w.f and w.g, if that is not below 0. For each edge
// w goes from the cylinder's last point against f, g, and f + g. So what is left of the edges
// decides whether the cores overlap, without a search.
//
// Up to rounding, answers are left open: GJK has the word there.

#include "kernels/core/cylinder/cylinder_axes3.hpp"

namespace widephase {
namespace {

/// The least overlaps of boxes and cylinders, with pairs in lanes.
template <class F>
struct BoxExits {
  Vec<F, 3> normal;  ///< in the box's axes
  F overlap;
  F feature;    ///< a `CylinderFeature`
  F number[2];  ///< of the face, or of the vertex or edge's vertices
  F is_tie;
};

/// A is the box, B the cylinder.
template <class F>
class CylinderBoxAxes {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  explicit CylinderBoxAxes(const CorePair<F>& pair)
      : turn_(pair.a.shape.turn),
        box_(pair.a.shape.half),
        u_(rotate_back(turn_, pair.b.shape.turn.column[2])),
        m_(rotate_back(turn_, pair.apart)),
        radius_(pair.b.shape.half[0]),
        half_(pair.b.shape.half[2]),
        size_((radius_ + half_) + coordinate_size(m_)),
        extent_(size_ + ((box_[0] + box_[1]) + box_[2])),
        rounding_(roundings<F>(64) * extent_) {}

  /// Finds the least overlap in the lanes of `asked`. With `is_test` only whether it is above
  /// rounding.
  __attribute__((noinline)) void find(unsigned asked, bool is_test, LaneCounter<F>& counter) {
    ask_faces();
    ask_vertices();
    put_found();
    // A box without an extent has faces that are edges. At other scales fourth powers of lengths
    // vanish or overflow, and the steps that settle a rim's direction fail.
    constexpr T kMostExtent = static_cast<T>(sizeof(T) == 4 ? 1e8 : 1e70);
    const auto is_plain = (lesser(lesser(box_[0], box_[1]), box_[2]) > rounding_) &
                          (extent_ < F(kMostExtent)) & (extent_ > F(T(1) / kMostExtent));
    const unsigned open = asked & mask_bits(is_plain & (overlap_ > rounding_));
    if (open != 0) ask_edges(open, is_test, counter);
    for (int i = 0; i < lanes; ++i) overlaps_.number[i] = found_[i].overlap;
    const F least = load(overlaps_.number);
    overlapping_ = open & mask_bits(least > rounding_);
    apart_ = asked & mask_bits(least < negate(rounding_));
  }

  /// The lanes whose cores overlap by more than rounding, and those that are apart by more.
  unsigned overlapping() const { return overlapping_; }
  unsigned apart_by(const F& limit) const {
    return apart_ & mask_bits(load(overlaps_.number) < limit - rounding_);
  }
  BoxExits<F> exits() const {
    Lanes<F> n[3], feature, number[2], is_tie;
    for (int i = 0; i < lanes; ++i) {
      const CylinderAxis<T>& found = found_[i];
      for (int k = 0; k < 3; ++k) n[k].number[i] = found.normal[k];
      for (int k = 0; k < 2; ++k) number[k].number[i] = static_cast<T>(found.number[k]);
      feature.number[i] = static_cast<T>(found.feature);
      is_tie.number[i] = found.is_tie ? T(1) : T(0);
    }
    return {{{load(n[0].number), load(n[1].number), load(n[2].number)}},
            load(overlaps_.number),
            load(feature.number),
            {load(number[0].number), load(number[1].number)},
            load(is_tie.number)};
  }
  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) const {
    return direct_exit(found_[lane], pair, size);
  }

 private:
  static WIDEPHASE_INLINE F number_of(CylinderFeature feature) {
    return F(static_cast<T>(feature));
  }

  WIDEPHASE_INLINE void ask_faces() {
    const F zero = F(0), one = F(1);
    overlap_ = F(kInfinite<T>);
    feature_ = number_of(CylinderFeature::face);
    normal_ = zero_vec<F, 3>();
    number_ = is_tie_ = zero;
    for (int k = 0; k < 3; ++k) {
      const Vec<F, 3> across = each_axis<F, 3>(
          [&](int j) { return j == k ? one - u_[k] * u_[k] : negate(u_[k] * u_[j]); });
      across_[k] = length(across);
      reach_[k] = radius_ * across_[k] + half_ * abs(u_[k]);
      for (const int side : {0, 1}) {
        const F overlap = (side == 0 ? box_[k] + m_[k] : box_[k] - m_[k]) + reach_[k];
        const auto is_less = overlap < overlap_;
        is_tie_ = select(is_less, zero, select(overlap == overlap_, one, is_tie_));
        overlap_ = select(is_less, overlap, overlap_);
        number_ = select(is_less, F(static_cast<T>(2 * k + side)), number_);
        for (int j = 0; j < 3; ++j) {
          const F here = j != k ? zero : side == 0 ? negate(one) : one;
          normal_[j] = select(is_less, here, normal_[j]);
        }
      }
    }
  }

  /// Takes another axis in the place of the least so far, as `CylinderAxis::take` does.
  WIDEPHASE_INLINE void take(const MaskOf<F>& exists, const F& overlap, const Vec<F, 3>& normal,
                             CylinderFeature feature, const F& number) {
    const auto is_less = exists & (overlap < overlap_ - roundings<F>(2) * size_);
    const auto is_tie = exists & (overlap == overlap_) & (dot(normal, normal_) < F(T(0.999)));
    is_tie_ = select(is_less, F(0), select(is_tie, F(1), is_tie_));
    overlap_ = select(is_less, overlap, overlap_);
    normal_ = select(is_less, normal, normal_);
    feature_ = select(is_less, number_of(feature), feature_);
    number_ = select(is_less, number, number_);
  }

  /// Caps over the vertices highest and lowest along the axis; the vertex nearest to the axis.
  WIDEPHASE_INLINE void ask_vertices() {
    const F zero = F(0);
    F highest = zero, lowest = zero, nearest2 = zero, top = zero, bottom = zero, near = zero;
    for (int v = 0; v < 8; ++v) {
      const Vec<F, 3> at =
          each_axis<F, 3>([&](int k) { return (v >> k & 1) != 0 ? box_[k] : negate(box_[k]); });
      const F height = dot(at, u_), number = F(static_cast<T>(v));
      const Vec<F, 3> from = at - m_;
      const Vec<F, 3> aside = from - dot(from, u_) * u_;
      const F distance2 = dot(aside, aside);
      const auto all = zero == zero;
      const auto is_higher = v == 0 ? all : height > highest;
      const auto is_lower = v == 0 ? all : height < lowest;
      const auto is_nearer = v == 0 ? all : distance2 < nearest2;
      highest = select(is_higher, height, highest);
      top = select(is_higher, number, top);
      lowest = select(is_lower, height, lowest);
      bottom = select(is_lower, number, bottom);
      nearest2 = select(is_nearer, distance2, nearest2);
      near = select(is_nearer, number, near);
    }
    const auto all = zero == zero;
    const F height = dot(u_, m_);
    take(all, (highest - height) + half_, u_, CylinderFeature::cap, top);
    take(all, (height - lowest) + half_, -u_, CylinderFeature::cap, bottom);
    const auto may_be_vertex = radius_ - sqrt(nearest2) < overlap_;
    if (!any<F>(may_be_vertex)) return;
    Vec<F, 3> vertex;
    F rest = near;
    for (int k = 2; k >= 0; --k) {
      const F bit = F(static_cast<T>(1 << k));
      const auto is_up = rest >= bit;
      vertex[k] = select(is_up, box_[k], negate(box_[k]));
      rest = select(is_up, rest - bit, rest);
    }
    const Vec<F, 3> to = m_ - vertex, once = to - dot(to, u_) * u_;
    const Vec<F, 3> out = once - dot(once, u_) * u_;
    const F size = length(out);
    const auto has_size = size > zero;
    const F divisor = select(has_size, size, F(1));
    const Vec<F, 3> n = each_axis<F, 3>(
        [&](int k) { return select(has_size, divide(out[k], divisor), k == 0 ? F(1) : zero); });
    const F along = dot(n, u_);
    const Vec<F, 3> across = n - along * u_;
    const F reach = (radius_ * length(across) + half_ * abs(along)) - dot(n, m_);
    const F farthest = (box_[0] * abs(n[0]) + box_[1] * abs(n[1])) + box_[2] * abs(n[2]);
    take(may_be_vertex, farthest + reach, n, CylinderFeature::vertex, near);
  }

  WIDEPHASE_INLINE void put_found() {
    const Lanes<F> overlap(overlap_), x(normal_[0]), y(normal_[1]), z(normal_[2]);
    const Lanes<F> feature(feature_), number(number_), is_tie(is_tie_);
    for (int i = 0; i < lanes; ++i) {
      const int own = static_cast<int>(number[i]);
      found_[i] = {overlap[i],
                   {{x[i], y[i], z[i]}},
                   static_cast<CylinderFeature>(static_cast<int>(feature[i])),
                   is_tie[i] > 0,
                   {own, own}};
    }
  }

  /// Asks the edges that may have a lower overlap in the lanes of `open`.
  WIDEPHASE_INLINE void ask_edges(unsigned open, bool is_test, LaneCounter<F>& counter) {
    constexpr int kRow = CylindersInFrames<F>::row_size;
    T rows[lanes * kRow];
    const F numbers[kRow] = {u_[0], u_[1], u_[2], m_[0], m_[1], m_[2], radius_, half_};
    for (int k = 0; k < kRow; ++k) {
      const Lanes<F> number(numbers[k]);
      for (int i = 0; i < lanes; ++i) rows[i * kRow + k] = number[i];
    }
    const Lanes<F> sizes(size_), x(box_[0]), y(box_[1]), z(box_[2]);
    const F least = is_test ? lesser(overlap_, rounding_ + rounding_) : overlap_;
    CylinderEdges<F> edges;
    const auto flush = [&] {
      counter.add_queue(edges.count);
      flush_cylinder_edges(edges, sizes.number, found_);
    };
    for (int axis = 0; axis < 3; ++axis) {
      const EdgeBounds bounds[2] = {bounds_of(axis, F(-1)), bounds_of(axis, F(1))};
      for (int edge = 4 * axis; edge < 4 * axis + 4; ++edge) {
        const EdgeBounds& at = bounds[edge % 4 == 0 || edge % 4 == 3 ? 1 : 0];
        unsigned left = open & mask_bits(may_be_less(axis, edge % 4, at, least));
        for (; left != 0; left &= left - 1) {
          const int i = __builtin_ctz(left);
          edges.pair[edges.count] = i;
          const T* const unit =
              kUnitBoxHull<T>.numbers + BoxHullLayout::edges + edge * HullLayout::edge;
          T* const record = edges.edge + edges.count * HullLayout::edge;
          for (int k = 0; k < HullLayout::edge; ++k) record[k] = unit[k];
          const T half[3] = {x[i], y[i], z[i]};
          for (int k = 0; k < 6; ++k) record[k] = unit[k] * half[k % 3];
          __builtin_memcpy(edges.cylinder + edges.count * kRow, rows + i * kRow, kRow * sizeof(T));
          if (++edges.count == lanes) flush();
        }
      }
    }
    if (edges.count > 0) flush();
  }

  /// How far points of the difference are along the normals f and g of an edge's faces, apart from
  /// the faces' own part: from the point for f + g, and from those for the other normal.
  struct EdgeBounds {
    F f, g;  ///< of the point for f + g
    F f_by_other, g_by_other;
  };
  /// For the edges along `axis` where f and g point to equal sides (`same` is 1) or not (-1).
  WIDEPHASE_INLINE EdgeBounds bounds_of(int axis, const F& same) const {
    const F zero = F(0), one = F(1);
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const F uf = u_[first], ug = same * u_[second];
    const auto sign_of = [&](const F& x) { return select(x < zero, F(-1), one); };
    // A short direction across is inaccurate. Then the middle of the cap will do for f + g; for a
    // face, whose own overlap must be reached, there is no point.
    const F shortest = F(T(1) / 32), none = F(-kLargest<T>);
    const auto over = [&](const F& x, const F& size) {
      const auto is_long = size > shortest;
      return select(is_long, divide(x, select(is_long, size, one)), zero);
    };
    const F along = uf + ug, af = one - along * uf, ag = one - along * ug;
    const F rest = along * u_[axis];
    const F size = sqrt((af * af + ag * ag) + rest * rest);
    const F up = half_ * sign_of(along);
    const F product = negate(uf * ug);
    const F by_g = radius_ * over(product, across_[second]) + (half_ * sign_of(ug)) * uf;
    const F by_f = radius_ * over(product, across_[first]) + (half_ * sign_of(uf)) * ug;
    return {radius_ * over(af, size) + up * uf, radius_ * over(ag, size) + up * ug,
            select(across_[second] > shortest, by_g, none),
            select(across_[first] > shortest, by_f, none)};
  }
  WIDEPHASE_INLINE MaskOf<F> may_be_less(int axis, int sides, const EdgeBounds& at,
                                         const F& least) const {
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const F f = (sides & 1) != 0 ? box_[first] - m_[first] : box_[first] + m_[first];
    const F g = (sides & 2) != 0 ? box_[second] - m_[second] : box_[second] + m_[second];
    // The other normal's own overlap is no lower than the least.
    const F level = least + rounding_;
    const auto is_out = ((f + at.f >= level) & (g + at.g >= level)) | (f + at.f_by_other >= level) |
                        (g + at.g_by_other >= level);
    return !is_out;
  }

  Rotation3<F> turn_;
  Vec<F, 3> box_, u_, m_;
  F radius_, half_, size_;
  F extent_;    ///< with which rounding scales
  F rounding_;  ///< below it, whether the cores overlap is open
  F across_[3], reach_[3];
  F overlap_, feature_, number_, is_tie_;
  Vec<F, 3> normal_;
  CylinderAxis<T> found_[lanes];
  Lanes<F> overlaps_;
  unsigned overlapping_ = 0, apart_ = 0;
};

}  // namespace
}  // namespace widephase
