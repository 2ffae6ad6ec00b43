#pragma once

// The directions that are felt at a vertex: those u with u . a <= 0 for a few vectors a, which lead
// along the edges that leave the vertex, down, and behind the triangles that are hit. Where no
// direction inside is a least way out, one of a side is: u . a = 0 for one of them.

#include "kernels/core/surface/felt_directions.hpp"

namespace widephase {
namespace {

class FeltCone {
 public:
  /// One that is thinner than `flat` (a sine) between opposite vectors has no sides.
  explicit FeltCone(double flat) : flat_(flat) {}

  void add(const Vector& behind) {
    const double size = root(dot(behind, behind));
    if (count_ < kMost && size > 0) behind_[count_++] = scaled(behind, 1 / size);
  }

  /// Calls `op(from, to)` for the arcs of directions that are its sides. `rounding` is of sines.
  template <class Op>
  void for_each_side(double rounding, const Op& op) const {
    for (int side = 0; side < count_; ++side) {
      Vector from, to;
      if (find_side(behind_[side], rounding, from, to)) op(from, to);
    }
  }

 private:
  static constexpr int kMost = 16;
  static constexpr double kOpposite = -0.999999;

  /// A side lies in a plane: half of it, which another of the vectors leaves, cut by the rest.
  bool find_side(const Vector& pole, double rounding, Vector& from, Vector& to) const {
    Vector inner{{0, 0, 0}};
    bool is_begun = false;
    for (int k = 0; k < count_; ++k) {
      const Vector& behind = behind_[k];
      Vector border = cross(pole, behind);
      const double size = root(dot(border, border));
      if (!(size > flat_) && dot(pole, behind) < 0) return false;  // only an edge's arc
      if (!(size > 1e-9)) continue;
      border = scaled(border, 1 / size);
      if (!is_begun) {
        is_begun = true;
        from = border;
        to = -border;
        inner = scaled(pole, dot(pole, behind)) - behind;
        continue;
      }
      const double at_from = dot(behind, from), at_to = dot(behind, to);
      const bool keeps_from = at_from <= rounding, keeps_to = at_to <= rounding;
      const bool is_half = dot(from, to) < kOpposite;
      if (keeps_from && keeps_to) {
        if (is_half && dot(behind, inner) > rounding) return false;
        continue;
      }
      if (!keeps_from && !keeps_to) return false;
      const Vector between =
          is_half ? inner : scaled(from, magnitude(at_to)) + scaled(to, magnitude(at_from));
      if (dot(border, between) < 0) border = -border;
      (keeps_from ? to : from) = border;
    }
    return is_begun && dot(from, to) > kOpposite;
  }

  double flat_;
  Vector behind_[kMost];
  int count_ = 0;
};

}  // namespace
}  // namespace widephase
