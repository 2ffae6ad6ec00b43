#pragma once

// Bounds in a domain that may wrap round, in double, for the question who owns what. The corner of
// an overlap is rounded here otherwise than where pairs are found; boxes are asked with some
// roundings to spare, so that the owner of a corner has both shapes.

#include <algorithm>
#include <cmath>
#include <limits>

#include <widephase/bounds.hpp>

namespace widephase {

template <int D>
struct BoxOf {
  double min[D];
  double max[D];
};

template <int D>
class WrappedBoxes {
 public:
  template <class T>
  void set(const Domain<D, T>& domain) {
    for (int k = 0; k < D; ++k) {
      period_[k] = domain.periodic[k]
                       ? static_cast<double>(domain.max[k]) - static_cast<double>(domain.min[k])
                       : 0;
      if (!std::isfinite(period_[k]) || period_[k] < 0) period_[k] = 0;
      low_[k] = static_cast<double>(domain.min[k]);
      slack_[k] = 64 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                  (std::abs(low_[k]) + period_[k]);
    }
  }

  /// A coordinate moved by whole periods to where the domain is.
  double wrapped(double at, int k) const {
    if (period_[k] == 0) return at;
    const double turns = std::floor((at - low_[k]) / period_[k]);
    return std::isfinite(turns) ? at - turns * period_[k] : at;
  }

  template <class T>
  BoxOf<D> box(const BoundsBuffer<D, T>& bounds, std::size_t id) const {
    BoxOf<D> box;
    for (int k = 0; k < D; ++k) {
      box.min[k] = static_cast<double>(bounds.min(id, k));
      box.max[k] = static_cast<double>(bounds.max(id, k));
      if (period_[k] == 0) continue;
      const double middle = 0.5 * box.min[k] + 0.5 * box.max[k];
      const double move = wrapped(middle, k) - middle;
      box.min[k] += move;
      box.max[k] += move;
    }
    return box;
  }

  /// The lower corner of the overlap of two boxes, of the images that are nearest to one another.
  void corner(const BoxOf<D>& a, const BoxOf<D>& b, double* at) const {
    for (int k = 0; k < D; ++k) {
      double low = b.min[k];
      if (period_[k] != 0) {
        const double apart = (0.5 * b.min[k] + 0.5 * b.max[k]) - (0.5 * a.min[k] + 0.5 * a.max[k]);
        low -= period_[k] * std::nearbyint(apart / period_[k]);
      }
      at[k] = wrapped(std::max(a.min[k], low), k);
    }
  }

  /// Calls `op(min, max)` for every image of a box that reaches into the domain.
  template <class Op>
  void for_each_image(const BoxOf<D>& box, const Op& op) const {
    BoxOf<D> image = box;
    images(box, 0, image, op);
  }

 private:
  template <class Op>
  void images(const BoxOf<D>& box, int k, BoxOf<D>& image, const Op& op) const {
    if (k == D) return op(image.min, image.max);
    if (period_[k] == 0) return images(box, k + 1, image, op);
    for (int turn = -1; turn <= 1; ++turn) {
      image.min[k] = box.min[k] + turn * period_[k] - slack_[k];
      image.max[k] = box.max[k] + turn * period_[k] + slack_[k];
      if (image.min[k] <= low_[k] + period_[k] && image.max[k] >= low_[k]) {
        images(box, k + 1, image, op);
      }
    }
  }

  double period_[D] = {};
  double low_[D] = {};
  double slack_[D] = {};
};

}  // namespace widephase
