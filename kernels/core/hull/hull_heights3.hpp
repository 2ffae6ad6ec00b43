#pragma once

// The faces of small hulls as separating axes, without bounds (core/hull/hull_axes3.hpp): how deep
// each vertex of one hull is below each face of the other.

#include "kernels/core/hull/hull_edges3.hpp"

namespace widephase {
namespace {

/// A small hull has at most this many vertices.
inline constexpr int kMostSmallVertices = 16;

/// The lanes in which both hulls are small. All of their faces are evaluated, which takes less time
/// than finding out which may be left out.
template <class F>
WIDEPHASE_INLINE unsigned small_hulls(const HullSearch<F>& search) {
  using T = RealOf<F>;
  constexpr int kMostHeights = 256;
  const auto has_few = [](const HullView<T>& faces, const HullView<T>& vertices) {
    return (vertices.vertex_count <= kMostSmallVertices) &
           (8 * faces.face_block_count() * vertices.vertex_count <= kMostHeights);
  };
  unsigned small = 0;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const HullView<T>&a = search.side[0].hull[i], &b = search.side[1].hull[i];
    small |= static_cast<unsigned>(has_few(a, b) & has_few(b, a)) << i;
  }
  return small;
}

/// The vertices of a hull in another one's frame.
template <class T>
struct PlacedVertices {
  T at[3][kMostSmallVertices];

  WIDEPHASE_INLINE PlacedVertices(const HullView<T>& hull, const Rotation3<T>& turn,
                                  const Vec<T, 3>& origin) {
    const auto all_of = [](const Vec<T, 3>& v) {
      return Vec<Eight<T>, 3>{{eight_of(v[0]), eight_of(v[1]), eight_of(v[2])}};
    };
    const Rotation3<Eight<T>> turns{
        {all_of(turn.column[0]), all_of(turn.column[1]), all_of(turn.column[2])}};
    const Vec<Eight<T>, 3> origins = all_of(origin);
    for (int b = 0; b < hull.vertex_block_count(); ++b) {
      const T* const block = hull.vertex_blocks() + b * HullLayout::vertex_block;
      const Vec<Eight<T>, 3> there =
          origins +
          rotate(turns, {{load_eight(block), load_eight(block + 8), load_eight(block + 16)}});
      for (int k = 0; k < 3; ++k) store(at[k] + 8 * b, there[k]);
    }
  }
};

/// The greatest depth of the vertices below each face from a block on. Stores the depth of each
/// vertex, one row per vertex.
template <int N, class T>
WIDEPHASE_INLINE Row<T, N> face_overlaps(const HullView<T>& hull, int first,
                                         const PlacedVertices<T>& vertices, int vertex_count,
                                         T* rows) {
  const FaceRow<T, N> faces(hull.face_blocks() + first * HullLayout::face_block);
  const int size = 8 * hull.face_block_count();
  T* to = rows + 8 * first;
  Row<T, N> most = row_of<N>(-kInfinite<T>);
  for (int v = 0; v < vertex_count; ++v, to += size) {
    const Row<T, N> height =
        faces.heights({{vertices.at[0][v], vertices.at[1][v], vertices.at[2][v]}});
    store(to, height);
    most = greater(most, height);
  }
  return most;
}

/// Evaluates the overlaps of all faces of one of the hulls of small pairs. They take the place of
/// the bounds, and the rows of all vertices that of the witnesses.
template <class F>
__attribute__((noinline)) void ask_all_faces(HullSearch<F>& search, int which, unsigned asked) {
  using T = RealOf<F>;
  BoundedHulls<F>& side = search.side[which];
  Candidates<F, false> candidates;
  for (unsigned left = asked; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const HullView<T>&hull = side.hull[i], &other = search.side[1 - which].hull[i];
    const PlacedVertices<T> vertices(other, side.other.turn_of(i), side.other.origin_of(i));
    const int block_count = hull.face_block_count(), vertex_count = other.vertex_count;
    T* const rows = side.by_witness[i];
    LeastOf<T> least;
    for_each_faces(block_count, [&]<int N>(int b) {
      const Row<T, N> overlap = face_overlaps<N>(hull, b, vertices, vertex_count, rows);
      store(side.bounds[i] + 8 * b, overlap);
      least.add(overlap);
    });
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  const auto is_asked = lanes_of<F>(asked);
  store_where(is_asked, side.least.number, negate(best.value));
  store_where(is_asked, side.least_face.number, best.number);
}

/// Whether a vertex is at least `depth` below all faces of one of the hulls.
template <class F>
WIDEPHASE_INLINE bool has_vertex_within(const HullSearch<F>& search, int which, int i,
                                        RealOf<F> depth) {
  using T = RealOf<F>;
  const BoundedHulls<F>& side = search.side[which];
  const int block_count = side.hull[i].face_block_count();
  const int vertex_count = search.side[1 - which].hull[i].vertex_count;
  const T* row = side.by_witness[i];
  bool is_within = false;
  for (int v = 0; v < vertex_count; ++v, row += 8 * block_count) {
    Eight<T> lowest = load_eight(row);
    for (int b = 1; b < block_count; ++b) lowest = lesser(lowest, load_eight(row + 8 * b));
    is_within |= bits_at_least(lowest, eight_of(depth)) == 0xff;
  }
  return is_within;
}

/// Whether another face with the least overlap is another exit than the axis.
template <class F>
__attribute__((noinline)) bool has_other_exit(const HullSearch<F>& search, int i) {
  const HullAxes<F>& axis = search.axis;
  const int side = static_cast<int>(axis.side[i]), face = static_cast<int>(axis.face[i]);
  for (int s = 0; s < 2; ++s) {
    for (int f = 0; f < search.side[s].hull[i].face_count; ++f) {
      if (search.side[s].bounds[i][f] == axis.overlap[i] &&
          !is_one_exit(search, i, s, f, side, face)) {
        return true;
      }
    }
  }
  return false;
}

/// Finds the axes of pairs of small hulls, except for the normals.
template <class F>
__attribute__((noinline)) void ask_small_hulls(HullSearch<F>& search, unsigned asked,
                                               bool is_test) {
  using T = RealOf<F>;
  if (asked == 0) return;
  // The first bit of a code is the ball's.
  constexpr int kMostOfCode = 14;
  BoundedHulls<F>(&sides)[2] = search.side;
  HullAxes<F>& axis = search.axis;
  const F zero = F(0);
  const auto is_asked = lanes_of<F>(asked);
  const auto put = [&](Lanes<F>& to, const F& value) { store_where(is_asked, to.number, value); };
  put(sides[1].least, F(kInfinite<T>));
  ask_all_faces(search, 0, asked);
  ask_all_faces(search, 1, asked & mask_bits(load(sides[0].least.number) >= zero));
  const F of_a = load(sides[0].least.number), of_b = load(sides[1].least.number);
  const auto by_b = of_b < of_a;
  const F overlap = select(by_b, of_b, of_a);
  put(axis.overlap, overlap);
  put(axis.side, select(by_b, F(1), zero));
  put(axis.face, select(by_b, load(sides[1].least_face.number), load(sides[0].least_face.number)));
  for (unsigned left = asked & mask_bits(overlap >= zero); left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    if (is_test && (has_vertex_within(search, 0, i, search.most[i]) ||
                    has_vertex_within(search, 1, i, search.most[i]))) {
      search.common |= 1u << i;
      continue;
    }
    int level = 0;
    for (int s = 0; s < 2; ++s) {
      const int vertex_count = sides[1 - s].hull[i].vertex_count;
      sides[s].witness_count[i] = vertex_count < kMostOfCode ? vertex_count : kMostOfCode;
      for (int b = 0; b < sides[s].hull[i].face_block_count(); ++b) {
        level += bit_count(
            bits_at_least(eight_of(axis.overlap[i]), load_eight(sides[s].bounds[i] + 8 * b)));
      }
    }
    const int which = static_cast<int>(axis.side[i]);
    const BoundedHulls<F>& best = sides[which];
    // The first of the deepest vertices.
    const T* const heights = best.by_witness[i] + static_cast<int>(axis.face[i]);
    int vertex = 0;
    for (int v = sides[1 - which].hull[i].vertex_count - 1; v >= 0; --v) {
      vertex = heights[8 * best.hull[i].face_block_count() * v] >= axis.overlap[i] ? v : vertex;
    }
    axis.vertex.number[i] = static_cast<T>(vertex);
    if (level > 1) axis.is_tie.number[i] = has_other_exit(search, i) ? T(1) : T(0);
  }
}

}  // namespace
}  // namespace widephase
