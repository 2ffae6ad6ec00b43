#pragma once

// Matches points of a contact with those of the last step by their place on a shape.

#include <algorithm>
#include <cmath>
#include <tuple>

#include <widephase/contacts.hpp>

#include "pipeline/rows/shape_names.hpp"
#include "pipeline/steps/pair_chains.hpp"

namespace widephase {

/// Points of a contact that have not been matched, one bit each.
struct PointsLeft {
  std::uint32_t now = 0, last = 0;
};

/// Matches the points of a contact that features left over: by their places on the shape that was A
/// in the last step, in that shape's own frame.
template <int D, class T>
struct PlaceMatch {
  const StepShapes<D, T>& last;
  const StepShapes<D, T>& now;
  const Column<PositionOf<T>, D>& last_points;
  const ContactBuffer<D, T>& contacts;
  double steadiness;
  std::array<double, D> period;  ///< of the domain, 0 along axes that do not wrap around

  /// Writes to `to` the former places of the points that are left.
  void operator()(std::size_t contact, PairLink link, bool is_swapped, PointsLeft left,
                  std::int64_t* to) const {
    const Pair pair = contacts.pair[contact];
    const std::int32_t shape = is_swapped ? pair.b : pair.a;
    const Kind kind = now.kind_of(shape);
    if (kind != last.kind_of(link.pair.a)) return;
    const ShapeFrame<D, T>& from = last.frame_of(link.pair.a);
    const ShapeFrame<D, T>& in = now.frame_of(shape);
    std::array<double, D> places[kMostPoints];
    for (std::uint32_t p = 0; p < kMostPoints; ++p) {
      if ((left.now >> p & 1) == 0) continue;
      const std::size_t row = static_cast<std::size_t>(contacts.offset[contact]) + p;
      for (int k = 0; k < D; ++k) {
        places[p][k] = static_cast<double>(contacts.point(row, k)) - in.origin[k];
        // The shape is B now, so the point on it is the point's partner.
        if (is_swapped) {
          places[p][k] -= static_cast<double>(contacts.point_depth[row]) *
                          static_cast<double>(contacts.normal(contact, k));
        }
      }
    }
    Candidate candidates[kMostPoints * kMostPoints];
    int count = 0;
    for (std::uint32_t other = 0; other < kMostPoints; ++other) {
      if ((left.last >> other & 1) == 0) continue;
      std::array<double, D> place;
      for (int k = 0; k < D; ++k) {
        place[k] = static_cast<double>(last_points(link.tag + other, k)) - from.origin[k];
      }
      place = turned(place, from, in, is_axial(kind));
      for (std::uint32_t p = 0; p < kMostPoints; ++p) {
        if ((left.now >> p & 1) == 0) continue;
        const double square = square_between(places[p], place);
        if (square <= steadiness * steadiness) candidates[count++] = {square, p, other};
      }
    }
    // The nearest first; of equals the lowest point, then the lowest point of the last step.
    std::sort(candidates, candidates + count);
    for (int i = 0; i < count; ++i) {
      const auto [square, p, other] = candidates[i];
      if ((left.now >> p & left.last >> other & 1) == 0) continue;
      to[p] = std::int64_t{link.tag} + other;
      left.now &= ~(1u << p);
      left.last &= ~(1u << other);
    }
  }

 private:
  static constexpr std::uint32_t kMostPoints = D == 2 ? 2 : 4;
  struct Candidate {
    double square;
    std::uint32_t now, last;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tie(a.square, a.now, a.last) < std::tie(b.square, b.now, b.last);
    }
  };

  double square_between(const std::array<double, D>& a, const std::array<double, D>& b) const {
    double square = 0;
    for (int k = 0; k < D; ++k) {
      double apart = a[k] - b[k];
      // B's points are near A, whichever image of B it is.
      if (period[k] > 0) apart -= period[k] * std::floor(apart / period[k] + 0.5);
      square += apart * apart;
    }
    return square;
  }
};

}  // namespace widephase
