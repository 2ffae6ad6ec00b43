#pragma once

// Pairs of pieces on their way into lanes: sixteen at a time on every set, so that what one batch
// says to the next is the same.

#include "kernels/core/concave/dual_walk.hpp"
#include "kernels/core/concave/segment_pairs.hpp"

namespace widephase {
namespace {

/// Sixteen pairs of pieces in A's frame.
template <int D>
struct PieceBatch {
  static constexpr int most = 16;
  alignas(64) double a[D * D][most], b[D * D][most];  ///< corner by corner
  alignas(64) double distance2[most], place[most];
  std::int32_t number_a[most], number_b[most];
  int count = 0;

  void add(std::int32_t of_a, const Vec<double, D> (&corners_a)[D], std::int32_t of_b,
           const Vec<double, D> (&corners_b)[D]) {
    for (int v = 0; v < D; ++v) {
      for (int k = 0; k < D; ++k) {
        a[v * D + k][count] = corners_a[v][k];
        b[v * D + k][count] = corners_b[v][k];
      }
    }
    number_a[count] = of_a;
    number_b[count++] = of_b;
  }
  static void corners_of(const double (&from)[D * D][most], int i, Vec<double, D> (&corners)[D]) {
    for (int v = 0; v < D; ++v) {
      for (int k = 0; k < D; ++k) corners[v][k] = from[v * D + k][i];
    }
  }

  /// Finds the squares of the distances, and at which candidates they are.
  void find_nearest(double far2) {
    using F = Batch<double>;
    for_lanes([&](int first, const auto& corners_a, const auto& corners_b) {
      const NearestPieces<F> nearest = nearest_pieces(corners_a, corners_b, F(far2));
      store(distance2 + first, nearest.distance2);
      store(place + first, nearest.candidate);
    });
  }
  /// Finds where triangles of one are below those of the other, the top.
  void find_below(bool is_a_top, const Vector& up, double touching) {
    using F = Batch<double>;
    const Vec<F, 3> along{{F(up[0]), F(up[1]), F(up[2])}};
    for_lanes([&](int first, const auto& corners_a, const auto& corners_b) {
      store(place + first, is_a_top ? place_below(corners_a, corners_b, along, F(touching))
                                    : place_below(corners_b, corners_a, along, F(touching)));
    });
  }

 private:
  /// The last batch is filled with the last pair.
  template <class Op>
  void for_lanes(const Op& op) {
    using F = Batch<double>;
    constexpr int lanes = LaneTraits<F>::count;
    static_assert(most % lanes == 0);
    for (int i = count; i % lanes != 0; ++i) {
      for (int n = 0; n < D * D; ++n) {
        a[n][i] = a[n][count - 1];
        b[n][i] = b[n][count - 1];
      }
    }
    for (int first = 0; first < count; first += lanes) {
      Vec<F, D> corners_a[D], corners_b[D];
      for (int v = 0; v < D; ++v) {
        for (int k = 0; k < D; ++k) {
          corners_a[v][k] = load(a[v * D + k] + first);
          corners_b[v][k] = load(b[v * D + k] + first);
        }
      }
      op(first, corners_a, corners_b);
    }
  }
};

}  // namespace
}  // namespace widephase
