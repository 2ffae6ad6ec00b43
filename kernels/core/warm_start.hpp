#pragma once

// Where searches ended, in the words of `WarmStart`, and where the next ones begin by them. Words
// are the caller's memory: what they name is asked for being there, and then is a guess.

#include "core/difference3.hpp"
#include "core/manifold.hpp"
#include "core/warm_words.hpp"

namespace widephase {
namespace {

/// The words of a batch's pairs.
template <class F>
struct WarmStarts {
  bool is_given = false;  ///< else all are zero, and none is kept
  /// By how much more than the least overlap last step's face may overlap and stay the way out.
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
__attribute__((noinline)) F last_faces(const WarmStarts<F>& warm, int per_side) {
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
__attribute__((noinline)) void note_faces(const F& face, int per_side, WarmStarts<F>& warm) {
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
                                           WarmStarts<F>& warm) {
  for (int p = 0; p < 4; ++p) {
    const ManifoldPoint<F, 3>& point = manifold.points[p];
    const Lanes<F> a(point.feature.a), b(point.feature.b), exists(point.exists);
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      const bool is_there = exists[i] > 0 && (hits >> i & 1) != 0;
      warm.pair[i].points[p] =
          is_there ? PointNames::name_of(static_cast<int>(a[i]), static_cast<int>(b[i])) : 0;
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

/// Where GJK begins: the farthest vertex along a direction, or vertices that are already known.
template <class F>
struct GjkStart {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  Vec<F, 3> direction;
  int count = 0;              ///< of the vertices of any lane
  F own_count;                ///< of a lane's own
  DifferenceVertex3<F> v[3];  ///< beyond a lane's own of no meaning

  WIDEPHASE_INLINE explicit GjkStart(const CorePair<F>& pair) : own_count(F(0)) {
    const auto is_concentric = is_same(pair.apart, zero_vec<F, 3>());
    direction = select(is_concentric, -first_axis<F, 3>(), pair.apart);
  }

  __attribute__((noinline)) void read(const CorePair<F>& pair, const WarmStarts<F>& warm) {
    T way[3][lanes] = {}, is_way[lanes] = {};
    T of_a[3][lanes] = {}, of_b[3][lanes] = {}, counts[lanes] = {};
    const Lanes<F> places_a(pair.a.shape.half[0]), places_b(pair.b.shape.half[0]);
    for (int i = 0; i < lanes; ++i) {
      const std::uint64_t word = warm.pair[i].simplex;
      const int form = static_cast<int>(word & 15);
      if (form == kDirectionForm) {
        for (int k = 0; k < 3; ++k) {
          const int share = static_cast<int>(word >> (4 + 20 * k) & 0xfffff) - (1 << 19);
          way[k][i] = static_cast<T>(share) * T(0x1p-18);
          if (share != 0) is_way[i] = 1;
        }
        continue;
      }
      if (form < 1 || form > 3) continue;
      const int count_a = vertex_count(pair.a.shape, places_a[i]);
      const int count_b = vertex_count(pair.b.shape, places_b[i]);
      bool is_there = true;
      for (int k = 0; k < form; ++k) {
        const auto both = static_cast<int>(word >> (8 + 16 * k) & 0xffff);
        const int a = both & 0xff, b = both >> 8;
        is_there = is_there && a < count_a && b < count_b;
        of_a[k][i] = static_cast<T>(a);
        of_b[k][i] = static_cast<T>(b);
      }
      if (!is_there) {
        for (int k = 0; k < 3; ++k) of_a[k][i] = of_b[k][i] = 0;
        continue;
      }
      counts[i] = static_cast<T>(form);
      count = form > count ? form : count;
    }
    direction =
        select(load(is_way) > F(0), {{load(way[0]), load(way[1]), load(way[2])}}, direction);
    if (count == 0) return;
    own_count = load(counts);
    for (int k = 0; k < count; ++k) {
      v[k] =
          difference_of(pair, vertex_at(pair.a, load(of_a[k])), vertex_at(pair.b, load(of_b[k])));
    }
  }

 private:
  /// Of a cylinder none has a number of its own.
  static int vertex_count(const ConvexLanes<F>& shape, const T& place) {
    switch (shape.kind) {
      case Kind::sphere:
        return 1;
      case Kind::capsule:
        return 2;
      case Kind::cylinder:
        return 0;
      case Kind::hull:
        return HullView<T>(shape.library, shape.indices, integer_in(place)).vertex_count;
      default:
        return 8;
    }
  }
};

}  // namespace
}  // namespace widephase
