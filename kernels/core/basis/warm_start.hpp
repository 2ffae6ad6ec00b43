#pragma once

// Where searches ended, in the words of `WarmStart`. Words are the caller's memory: what they name
// is asked for being there, and then is a guess. GJK begins by them in core/gjk/gjk_start.hpp.

#include "kernels/core/basis/lane_array.hpp"
#include "kernels/core/basis/manifold.hpp"
#include "kernels/core/basis/warm_words.hpp"

namespace widephase {
namespace {

/// The words of a batch's pairs.
template <class F>
struct WarmStartLanes {
  bool is_given = false;  ///< else all are zero, and none is kept
  /// By how much more than the least overlap last step's face may overlap and stay the exit.
  RealOf<F> steadiness = 0;
  WarmStart pair[LaneTraits<F>::count];

  /// Last step's points of a lane that may stay, none without steadiness.
  PointNames last_points(int lane) const {
    return is_given && steadiness > 0 ? PointNames::of(pair[lane]) : PointNames{};
  }
};

/// Last step's faces: A's by their numbers, B's from `per_side` on; -1 where a word has none of
/// these.
template <class F>
__attribute__((noinline)) F last_faces(const WarmStartLanes<F>& warm, int per_side) {
  using T = RealOf<F>;
  T faces[LaneTraits<F>::count];
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const FaceGuess guess = FaceGuess::of(warm.pair[i].axis);
    const bool is_there = guess.is_given && guess.face < per_side;
    faces[i] = is_there ? static_cast<T>(per_side * guess.side + guess.face) : T(-1);
  }
  return load(faces);
}
/// The faces, numbered so, for the next step; beyond those of both sides there is none.
template <class F>
__attribute__((noinline)) void note_faces(const F& face, int per_side, WarmStartLanes<F>& warm) {
  const Lanes<F> faces(face);
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const int number = static_cast<int>(faces[i]);
    const FaceGuess guess{number < 2 * per_side, number < per_side ? 0 : 1, number % per_side};
    warm.pair[i].axis = guess.word();
  }
}

/// The points of a batch, those of the lanes of `hits`, for the next step.
template <class F>
__attribute__((noinline)) void note_points(const Manifold<F, 3, 4>& manifold, unsigned hits,
                                           WarmStartLanes<F>& warm) {
  int counts[LaneTraits<F>::count] = {};
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    for (std::uint32_t& name : warm.pair[i].points) name = 0;
  }
  for (int p = 0; p < 4; ++p) {
    const ManifoldPoint<F, 3>& point = manifold.points[p];
    const Lanes<F> a(point.feature.a), b(point.feature.b), exists(point.exists);
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      // Without the holes, which depend on the batch.
      if (!(exists[i] > 0) || (hits >> i & 1) == 0) continue;
      warm.pair[i].points[counts[i]++] =
          PointNames::name_of(static_cast<int>(a[i]), static_cast<int>(b[i]));
    }
  }
}

inline std::uint64_t simplex_word(int count, const int (&a)[3], const int (&b)[3]) {
  auto word = static_cast<std::uint64_t>(count);
  for (int k = 0; k < count; ++k) {
    const int both = (a[k] & 0xff) | (b[k] & 0xff) << 8;
    word |= static_cast<std::uint64_t>(both) << (8 + 16 * k);
  }
  return word;
}
template <class T>
std::uint64_t direction_word(const Vec<T, 3>& direction) {
  std::uint64_t word = kDirectionForm;
  for (int k = 0; k < 3; ++k) {
    const T share = direction[k] * T(1 << 18);
    if (!(share >= T(-(1 << 19)) && share < T(1 << 19))) return 0;
    word |= static_cast<std::uint64_t>(static_cast<int>(share) + (1 << 19)) << (4 + 20 * k);
  }
  return word;
}

}  // namespace
}  // namespace widephase
