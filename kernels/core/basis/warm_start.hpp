#pragma once

// Where searches ended, packed into the words of `WarmStart`. The caller owns the words, so the
// vertices and faces they name are checked to exist, and even then are only a guess. GJK starts
// from them in core/gjk/gjk_start.hpp.

#include "kernels/core/basis/lane_array.hpp"
#include "kernels/core/basis/manifold.hpp"
#include "kernels/core/basis/warm_words.hpp"

namespace widephase {
namespace {

/// The words of a batch's pairs.
template <class F>
struct WarmStartLanes {
  bool is_given = false;  ///< otherwise all words are zero, and none is written
  /// Last step's face stays the exit while its overlap exceeds the least overlap by no more than
  /// this.
  RealOf<F> steadiness = 0;
  WarmStart pair[LaneTraits<F>::count];

  /// The points of the last step that may persist in this lane; none if there is no steadiness.
  PointNames last_points(int lane) const {
    return is_given && steadiness > 0 ? PointNames::of(pair[lane]) : PointNames{};
  }
};

/// Last step's faces: A's faces keep their numbers, B's start at `per_side`. -1 where a word names
/// no face in this range.
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
/// Stores the faces, numbered as above, for the next step. Numbers from 2 * `per_side` on mean no
/// face.
template <class F>
__attribute__((noinline)) void note_faces(const F& face, int per_side, WarmStartLanes<F>& warm) {
  const Lanes<F> faces(face);
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const int number = static_cast<int>(faces[i]);
    const FaceGuess guess{number < 2 * per_side, number < per_side ? 0 : 1, number % per_side};
    warm.pair[i].axis = guess.word();
  }
}

/// Stores the contact points of the lanes in `hits` for the next step.
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
      // Skip the holes between points: where they are depends on the batch.
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
