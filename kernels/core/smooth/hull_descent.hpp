#pragma once

// A hull A that an ellipsoid B overlaps, and the direction from which no small turn leads to a
// shorter exit, with pairs in lanes: as core/smooth/ellipsoid_descent.hpp, in its frame, but A's
// kinks are where its edges and faces are across n.
//
// It begins on the face along whose normal the overlap is least. While a vertex, an edge or a face
// of A holds n, the overlap is smooth: Newton's steps turn n freely, across the edge, or not at
// all. A step ends where another vertex of A becomes as far out: from there an edge holds n, or a
// face. Each lets n go where the ellipsoid's deepest point is beyond its ends.

#include "kernels/core/hull/hull_faces3.hpp"
#include "kernels/core/smooth/ellipsoid_descent.hpp"

namespace widephase {
namespace {

template <class F>
class HullDescent {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  Vec<F, 3> n;
  F overlap;         ///< along n
  Vec<F, 3> vertex;  ///< a vertex of the feature
  Vec<F, 3> axis;    ///< along the edge; zeros if none holds n
  F along;           ///< how far the ellipsoid's point lies from the vertex along the edge
  F to_end;          ///< how far from the nearer end of the edge; 0 for vertices and faces
  F inside;          ///< how far it lies inside the face; 0 for vertices and edges
  MaskOf<F> is_steady;
  unsigned apart;  ///< the lanes in which an overlap along a direction was below the bound

  /// Searches in the lanes of `live`. Where an overlap is below `least` the search ends.
  __attribute__((noinline))
  HullDescent(const ConvexOverEllipsoid<F>& of, const HullView<T> (&hulls)[lanes],
              const HullVertices<F>& vertices, const F& least, unsigned live,
              LaneCounter<F>& counter)
      : apart(0), pair_(of), hulls_(hulls), vertices_(vertices) {
    const F zero = F(0), done = F(sizeof(T) == 4 ? T(0x1p-14) : T(0x1p-28));
    start(live);
    open_ = live;
    for (int step = 0; step < kMostSteps && open_ != 0; ++step) {
      counter.add_step_of(open_);
      const unsigned asked = open_;
      ask();
      if ((open_ & faces_) != 0) leave_faces();
      read_feature();
      const unsigned beyond = asked & mask_bits(overlap < least);
      apart |= beyond;
      open_ &= ~mask_bits(!(overlap > zero)) & ~beyond;
      if (open_ == 0) break;
      leave_edges();
      const F size = turn();
      const unsigned held = cross_all();
      const auto is_open = lanes_of<F>(open_);
      const F share = load(share_);
      Vec<F, 3> to = n + share * (to_ - n);
      to =
          select(lanes_of<F>(faces_), {{load(normal_[0]), load(normal_[1]), load(normal_[2])}}, to);
      n = select(is_open, to / length(to), n);
      open_ &= held | ~mask_bits(size <= done);
    }
    ask();
    read_feature();
    const auto is_edge = lanes_of<F>(edges_);
    to_end = select(is_edge, lesser(along, length_ - along), zero);
    inside = load(inside_);
    is_steady = lanes_of<F>(live & ~open_ & ~apart & ~lost_) & (to_end >= zero) & (overlap > zero);
  }

  unsigned edges() const { return edges_; }
  unsigned faces() const { return faces_; }
  int first_vertex(int lane) const { return static_cast<int>(first_[lane]); }
  int second_vertex(int lane) const { return static_cast<int>(second_[lane]); }
  int face(int lane) const { return face_[lane]; }

 private:
  static constexpr int kMostSteps = 24;

  /// Takes the face of the least overlap.
  __attribute__((noinline)) void start(unsigned live) {
    Lanes<F> axis_of_b[9], middle[3];
    const Lanes<F> unit(pair_.unit);
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) axis_of_b[3 * k + j] = Lanes<F>(pair_.axis[k][j]);
      middle[k] = Lanes<F>(pair_.middle[k]);
    }
    edges_ = lost_ = 0;
    faces_ = live;
    for (int i = 0; i < lanes; ++i) {
      first_[i] = second_[i] = inside_[i] = 0;
      normal_[0][i] = 1;
      normal_[1][i] = normal_[2][i] = 0;
      if ((live >> i & 1) == 0) continue;
      const HullView<T>& hull = hulls_[i];
      LeastOf<T> least;
      for (int b = 0; b < hull.face_block_count(); ++b) {
        const T* const block = hull.face_blocks() + b * HullLayout::face_block;
        const Eight<T> x = load_eight(block), y = load_eight(block + 8), z = load_eight(block + 16);
        const auto along = [&](const Lanes<F>& of_x, const Lanes<F>& of_y, const Lanes<F>& of_z) {
          return (x * eight_of(of_x[i]) + y * eight_of(of_y[i])) + z * eight_of(of_z[i]);
        };
        Eight<T> square = eight_of(T(0));
        for (int k = 0; k < 3; ++k) {
          const Eight<T> part = along(axis_of_b[3 * k], axis_of_b[3 * k + 1], axis_of_b[3 * k + 2]);
          square = square + part * part;
        }
        const Eight<T> offset = eight_of(unit[i]) * load_eight(block + HullLayout::offset);
        least.add((offset - along(middle[0], middle[1], middle[2])) + sqrt(square));
      }
      T overlap_of_face;
      int face;
      least.read(overlap_of_face, face);
      put_face(i, face);
    }
    n = {{load(normal_[0]), load(normal_[1]), load(normal_[2])}};
  }
  WIDEPHASE_INLINE void put_face(int lane, int face) {
    const HullView<T>& hull = hulls_[lane];
    const Vec<T, 3> normal = hull.face_normal(face);
    for (int k = 0; k < 3; ++k) normal_[k][lane] = normal[k];
    face_[lane] = face;
    first_[lane] = second_[lane] = static_cast<T>(hull.face_vertices()[hull.face_start(face)]);
  }

  WIDEPHASE_INLINE void ask() { point_ = pair_.other(n, height_); }

  /// Ends the search in faces that the ellipsoid's point is over, and takes the edge that it is
  /// farthest beyond of the others.
  __attribute__((noinline)) void leave_faces() {
    Lanes<F> at[3];
    for (int k = 0; k < 3; ++k) at[k] = Lanes<F>(pair_.middle[k] - point_[k]);
    const Lanes<F> unit(pair_.unit);
    for (unsigned left = open_ & faces_; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const HullView<T>& hull = hulls_[i];
      const Vec<T, 3> normal = hull.face_normal(face_[i]), q{{at[0][i], at[1][i], at[2][i]}};
      const std::int16_t* const ring = hull.face_vertices();
      const int end = hull.face_start(face_[i] + 1);
      int before = ring[end - 1], first = 0, second = 0;
      Vec<T, 3> from = unit[i] * hull.vertex(before);
      T least = kInfinite<T>;
      for (int c = hull.face_start(face_[i]); c < end; ++c) {
        const Vec<T, 3> to = unit[i] * hull.vertex(ring[c]), side = to - from;
        const T inside_of_it = dot(cross(side, q - from), normal) / root(dot(side, side));
        if (inside_of_it < least) {
          least = inside_of_it;
          first = before;
          second = ring[c];
        }
        before = ring[c];
        from = to;
      }
      const unsigned bit = 1u << i;
      if (!(least < 0)) {
        open_ &= ~bit;
        if (!(least < kInfinite<T>)) lost_ |= bit;  // its sides are too short to tell
        inside_[i] = least;
        continue;
      }
      faces_ &= ~bit;
      edges_ |= bit;
      first_[i] = static_cast<T>(first);
      second_[i] = static_cast<T>(second);
    }
  }

  WIDEPHASE_INLINE void read_feature() {
    vertex = pair_.unit * vertices_at(vertices_, load(first_));
    const Vec<F, 3> side = pair_.unit * vertices_at(vertices_, load(second_)) - vertex;
    length_ = length(side);
    axis = select(lanes_of<F>(edges_), divide_or_zero(F(1), length_), F(0)) * side;
    gap_ = vertex + (point_ - pair_.middle);
    overlap = dot(n, gap_);
    along = negate(dot(axis, gap_));
  }

  /// Lets n go from edges where the ellipsoid's point is beyond an end.
  WIDEPHASE_INLINE void leave_edges() {
    const auto is_edge = lanes_of<F>(open_ & edges_);
    const auto is_after = is_edge & (along > length_);
    const F by = select(is_after, length_, F(0));
    vertex = vertex + by * axis;
    gap_ = gap_ + by * axis;
    store(first_, select(is_after, load(second_), load(first_)));
    edges_ &= ~mask_bits(is_after | (is_edge & (along < F(0))));
  }

  /// Puts where a step leads to. Answers its length.
  WIDEPHASE_INLINE F turn() {
    const F zero = F(0), one = F(1), half = F(T(0.5)), share = F(T(0.05)), longest = F(T(0.7));
    const auto is_edge = lanes_of<F>(edges_);
    const AcrossUnit<F> across(n);
    const Vec<F, 3> s = select(is_edge, axis, across.s), t = cross(n, s);
    F ss = zero, tt = zero, st = zero;
    for (int k = 0; k < 3; ++k) {
      const F u = dot(pair_.axis[k], s), v = dot(pair_.axis[k], t);
      ss = ss + u * u;
      tt = tt + v * v;
      st = st + u * v;
    }
    const F of_s = dot(point_, s), of_t = dot(point_, t);
    const F by_height = divide_or_zero(one, height_);
    ss = by_height * (ss - of_s * of_s) - overlap;
    tt = by_height * (tt - of_t * of_t) - overlap;
    st = by_height * (st - of_s * of_t);
    const F middle = half * (ss + tt), aside = half * (ss - tt);
    const F spread = sqrt(aside * aside + st * st);
    const F more = greater(share * (abs(middle) + spread) - (middle - spread), zero);
    const F alone = abs(tt);
    ss = ss + more;
    tt = tt + more;
    const F slope_s = dot(gap_, s), slope_t = dot(gap_, t);
    const F inverse = divide_or_zero(F(-1), ss * tt - st * st);
    F by_s = inverse * (tt * slope_s - st * slope_t),
      by_t = inverse * (ss * slope_t - st * slope_s);
    by_s = select(is_edge, zero, by_s);
    by_t = select(is_edge, negate(divide_or_zero(slope_t, alone)), by_t);
    const F size = sqrt(by_s * by_s + by_t * by_t);
    const F less = select(size > longest, divide_or_zero(longest, size), one);
    to_ = n + ((less * by_s) * s + (less * by_t) * t);
    to_ = to_ / length(to_);
    // In rounding it would leave the edge's circle.
    const F off = select(is_edge, dot(to_, axis), zero);
    to_ = to_ - off * axis;
    return size;
  }

  /// Finds how far steps lead until another vertex is as far out. Answers the lanes where one is.
  __attribute__((noinline)) unsigned cross_all() {
    Lanes<F> from[3], to[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = Lanes<F>(n[k]);
      to[k] = Lanes<F>(to_[k]);
    }
    store(share_, F(1));
    unsigned held = 0;
    for (unsigned left = open_; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const unsigned bit = 1u << i;
      const HullView<T>& hull = hulls_[i];
      const Vec<T, 3> was{{from[0][i], from[1][i], from[2][i]}}, is{{to[0][i], to[1][i], to[2][i]}};
      const int first = static_cast<int>(first_[i]), second = static_cast<int>(second_[i]);
      const Vec<T, 3> own = hull.vertex(first);
      const VertexHeights<T> before(was), after(is);
      const Eight<T> own_before = eight_of(dot(own, was)), own_after = eight_of(dot(own, is));
      const Eight<T> noise = eight_of(8 * kRounding<T> * hull.numbers[HullLayout::reach]);
      LeastOf<T> soonest;
      for (int b = 0; b < hull.vertex_block_count(); ++b) {
        const T* const block = hull.vertex_blocks() + b * HullLayout::vertex_block;
        const Eight<T> room = greater(own_before - before(block), eight_of(T(0)));
        const Eight<T> rise = after(block) - own_after;
        const Eight<T> ratio =
            each_part<T, 8>([&](int k) { return divide(room.part[k], rise.part[k]); });
        soonest.add(select_greater(rise, noise, ratio, eight_of(kInfinite<T>)));
      }
      T least;
      int other;
      soonest.read(least, other);
      if (!(least < kInfinite<T>)) continue;
      share_[i] = least / (1 + least);
      held |= bit;
      if ((edges_ & bit) == 0) {
        edges_ |= bit;
        second_[i] = static_cast<T>(other);
        continue;
      }
      edges_ &= ~bit;
      const int face = hull.face_of(first, second, other);
      if (face < 0) {
        lost_ |= bit;
        open_ &= ~bit;
        continue;
      }
      faces_ |= bit;
      put_face(i, face);
    }
    return held;
  }

  const ConvexOverEllipsoid<F>& pair_;
  const HullView<T> (&hulls_)[lanes];
  const HullVertices<F>& vertices_;
  unsigned open_, edges_, faces_, lost_;  ///< lanes
  T first_[lanes], second_[lanes];        ///< the feature's vertices
  T normal_[3][lanes];                    ///< of the face
  T inside_[lanes], share_[lanes];
  int face_[lanes];
  Vec<F, 3> point_, gap_, to_;
  F height_, length_;
};

}  // namespace
}  // namespace widephase
