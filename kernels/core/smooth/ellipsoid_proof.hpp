#pragma once

// The proof that no direction outside of a cap of directions has an overlap below a bound, for a
// box, a cylinder or a hull A and an ellipsoid B (core/smooth/ellipsoid_descent.hpp).
//
// A point p of the difference, from which the origin is measured, bounds the overlap along n from
// below by n.p. Over a triangle of directions n.p is least at a corner. So a triangle is done if
// one p is high enough along all three corners, or if all three are in the cap. For hulls points
// between two such p are tried too. Each octant of A's
// axes has six triangles, whose corners are a face's, an edge's and the vertex's normal; there
// pairs are in lanes, and the corners' own support points are tried. The triangles that are left,
// of all pairs, go through lanes together and are split into four, with the support point of each
// one's middle, until none is left. This is a branch and bound over the sphere.

#include "kernels/core/smooth/ellipsoid_descent.hpp"

namespace widephase {
namespace {

/// The support points of A and B along the 26 directions with components -1, 0 and 1, A's only of
/// hulls.
template <class F>
struct EllipsoidStar {
  using T = RealOf<F>;
  Vec<F, 3> point[27], own[27];
  Vec<F, 3> n;  ///< the one of them along which the overlap is least, not of hulls
  F overlap;

  static constexpr int place(int x, int y, int z) { return (x + 1) + 3 * (y + 1) + 9 * (z + 1); }
  static constexpr T scale(int count) {
    return count == 1 ? T(1) : count == 2 ? T(0.70710678118654752) : T(0.57735026918962576);
  }

  __attribute__((noinline)) EllipsoidStar(const ConvexOverEllipsoid<F>& pair, CoreForm form,
                                          const HullVertices<F>& hulls, unsigned live) {
    overlap = F(kInfinite<T>);
    n = first_axis<F, 3>();
    for (int z = 0; z < 2; ++z) {
      for (int y = z == 0 ? 0 : -1; y < 2; ++y) {
        for (int x = z == 0 && y == 0 ? 1 : -1; x < 2; ++x) {
          const F by = F(scale(x * x + y * y + z * z));
          const auto part = [&](int c) { return c == 0 ? F(0) : c < 0 ? negate(by) : by; };
          const Vec<F, 3> to = {{part(x), part(y), part(z)}};
          F height;
          const Vec<F, 3> at = pair.other(to, height);
          point[place(x, y, z)] = at;
          point[place(-x, -y, -z)] = -at;
          if (form == CoreForm::hull) {
            own[place(x, y, z)] = pair.own(to, form, hulls, live);
            own[place(-x, -y, -z)] = pair.own(-to, form, hulls, live);
            continue;
          }
          const F both = height + dot(to, pair.own(to, form, hulls, live));
          const F along = dot(to, pair.middle);
          const F up = both - along, down = both + along;
          n = select(up < overlap, to, n);
          overlap = lesser(up, overlap);
          n = select(down < overlap, -to, n);
          overlap = lesser(down, overlap);
        }
      }
    }
  }
};

/// Whether a point between two others is high enough along three directions; `u` and `w` say how
/// far these are above the bound along them.
template <class F>
WIDEPHASE_INLINE MaskOf<F> has_high_between(const Vec<F, 3>& u, const Vec<F, 3>& w) {
  const F zero = F(0);
  auto is_out = zero > zero;
  for (int k = 0; k < 3; ++k) {
    const int j = (k + 1) % 3;
    const F x = u[k] * w[j], y = u[j] * w[k];
    const auto is_low_u = u[k] < zero, is_low_w = w[k] < zero;
    is_out = is_out | (is_low_u & is_low_w) | (is_low_u & (w[j] < zero) & (x > y)) |
             ((u[j] < zero) & is_low_w & (y > x));
  }
  return !is_out;
}

/// Triangles of directions that are still open, and the pairs that they belong to.
template <class F>
class DirectionTriangles {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  /// Asks for the lanes of `asked`. Answers those that are proven.
  __attribute__((noinline)) unsigned prove(const ConvexOverEllipsoid<F>& pairs, CoreForm form,
                                           const HullVertices<F>& hulls,
                                           const EllipsoidStar<F>& star, unsigned asked,
                                           LaneCounter<F>& counter) {
    form_ = form;
    hulls_ = hulls;
    __builtin_memcpy(rows_, &pairs, sizeof rows_);
    open_ = asked;
    count_ = 0;
    for (int i = 0; i < lanes; ++i) splits_[i] = 0;
    for (int octant = 0; octant < 8 && open_ != 0; ++octant) {
      ask_octant(pairs, star, octant);
      while (count_ >= lanes) split(counter);
    }
    while (count_ > 0) split(counter);
    return open_;
  }

 private:
  static constexpr int kMostSplits = 64;  ///< of one pair's triangles
  static constexpr int kMostLevel = 8;
  static constexpr int kRow = static_cast<int>(sizeof(ConvexOverEllipsoid<F>) / sizeof(F));
  // What is left when an octant begins, its triangles, and all that a pair may add by splits.
  static constexpr int kRoom = (1 + 6 + kMostSplits) * lanes;

  static constexpr T kTwo = T(1.41421356237309505), kThree = T(1.73205080756887729);
  static constexpr T kTwoLess = T(0.70710678118654752), kThreeLess = T(0.57735026918962576);
  /// The corners of an octant's triangles: its vertex, this face and the edge beside that other
  /// one.
  static constexpr int kFace[6] = {0, 0, 1, 1, 2, 2}, kEdge[6] = {1, 2, 2, 0, 0, 1};

  /// Support points along an octant's seven directions, which the bits of their places name, with
  /// the octant's signs taken away. Place 0 has the direction that is proven.
  struct Octant {
    Vec<F, 3> p[8];
    F cosine, least;

    /// Tells of each triangle where one point, or the cap, is enough.
    WIDEPHASE_INLINE void ask(unsigned (&done)[6]) const {
      auto is_done = F(0) > F(1);
      MaskOf<F> is[6] = {is_done, is_done, is_done, is_done, is_done, is_done};
      for (int at = 0; at < 8; ++at) {
        const Vec<F, 3>& v = p[at];
        const F& level = at == 0 ? cosine : least;
        const F of_two = F(kTwo) * level;
        const auto c = (v[0] + v[1]) + v[2] >= F(kThree) * level;
        const auto f0 = (v[0] >= level) & c, f1 = (v[1] >= level) & c, f2 = (v[2] >= level) & c;
        const auto e01 = v[0] + v[1] >= of_two, e12 = v[1] + v[2] >= of_two,
                   e20 = v[2] + v[0] >= of_two;
        is[0] = is[0] | (f0 & e01);
        is[1] = is[1] | (f0 & e20);
        is[2] = is[2] | (f1 & e12);
        is[3] = is[3] | (f1 & e01);
        is[4] = is[4] | (f2 & e20);
        is[5] = is[5] | (f2 & e12);
      }
      for (int n = 0; n < 6; ++n) done[n] = mask_bits(is[n]);
    }

    /// The same, or where a point between those of two corners is: near an edge or a face of a hull
    /// the points of its vertices are too low on its other side.
    __attribute__((noinline)) void ask_pairs(unsigned open, unsigned (&done)[6]) const {
      F above[8][8];  // how far each point is above the bound along each direction
      for (int at = 0; at < 8; ++at) {
        const F& level = at == 0 ? cosine : least;
        for (int j = 1; j < 8; ++j) {
          F sum = F(0);
          for (int k = 0; k < 3; ++k) {
            if ((j >> k & 1) != 0) sum = sum + p[at][k];
          }
          const int count = (j & 1) + (j >> 1 & 1) + (j >> 2 & 1);
          const T by = count == 1 ? T(1) : count == 2 ? kTwoLess : kThreeLess;
          above[at][j] = F(by) * sum - level;
        }
      }
      for (int n = 0; n < 6; ++n) {
        const int corner[3] = {7, 1 << kFace[n], 1 << kFace[n] | 1 << kEdge[n]};
        auto is_done = F(0) > F(1);
        for (int at = 0; at < 8; ++at) {
          const Vec<F, 3> u = of(above[at], corner);
          is_done = is_done | (lesser(lesser(u[0], u[1]), u[2]) >= F(0));
        }
        done[n] = mask_bits(is_done);
        if ((open & ~done[n]) == 0) continue;
        for (int i = 0; i < 3; ++i) {
          is_done = is_done | has_high_between<F>(of(above[corner[i]], corner),
                                                  of(above[corner[(i + 1) % 3]], corner));
        }
        done[n] = mask_bits(is_done);
      }
    }
    static WIDEPHASE_INLINE Vec<F, 3> of(const F (&row)[8], const int (&corner)[3]) {
      return {{row[corner[0]], row[corner[1]], row[corner[2]]}};
    }
  };

  /// Puts an octant's triangles that are not done.
  __attribute__((noinline)) void ask_octant(const ConvexOverEllipsoid<F>& pair,
                                            const EllipsoidStar<F>& star, int octant) {
    const int sign[3] = {(octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1,
                         (octant & 4) != 0 ? -1 : 1};
    const F side[3] = {F(static_cast<T>(sign[0])), F(static_cast<T>(sign[1])),
                       F(static_cast<T>(sign[2]))};
    F base[3];
    for (int k = 0; k < 3; ++k) base[k] = negate(side[k] * pair.middle[k]);
    Octant points;
    points.cosine = pair.cosine;
    points.least = pair.least;
    for (int k = 0; k < 3; ++k) points.p[0][k] = side[k] * pair.n[k];
    for (int at = 1; at < 8; ++at) {
      const int to[3] = {at & 1, at >> 1 & 1, at >> 2 & 1};
      const int place = EllipsoidStar<F>::place(sign[0] * to[0], sign[1] * to[1], sign[2] * to[2]);
      const Vec<F, 3>& e = star.point[place];
      for (int k = 0; k < 3; ++k) {
        F own = pair.half[k];
        // On the axis any point of the rim is a support point.
        if (form_ == CoreForm::hull) own = side[k] * star.own[place][k];
        if (form_ == CoreForm::cylinder && k < 2) {
          const T share = to[0] == to[1] ? kTwoLess : to[k] == 1 ? T(1) : T(0);
          own = F(share) * own;
        }
        points.p[at][k] = (own + base[k]) + side[k] * e[k];
      }
    }
    unsigned done[6];
    if (form_ == CoreForm::hull) {
      points.ask_pairs(open_, done);
    } else {
      points.ask(done);
    }
    for (int n = 0; n < 6; ++n) {
      for (unsigned left = open_ & ~done[n]; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left), slot = count_++;
        for (int k = 0; k < 3; ++k) {
          const T one = static_cast<T>(sign[k]);
          corner_[k][slot] = kThreeLess * one;
          corner_[3 + k][slot] = k == kFace[n] ? one : T(0);
          corner_[6 + k][slot] = k == kFace[n] || k == kEdge[n] ? kTwoLess * one : T(0);
        }
        pair_[slot] = i;
        level_[slot] = 0;
      }
    }
  }

  /// Takes as many triangles as there are lanes, and puts those of their quarters that are not
  /// done.
  __attribute__((noinline)) void split(LaneCounter<F>& counter) {
    const int used = count_ < lanes ? count_ : lanes, first = count_ - used;
    int pair[lanes], level[lanes];
    for (int i = 0; i < lanes; ++i) {
      const int slot = first + (i < used ? i : used - 1);
      pair[i] = pair_[slot];
      level[i] = level_[slot];
    }
    count_ = first;
    T numbers[kRow * lanes];
    for (int k = 0; k < kRow; ++k) {
      for (int i = 0; i < lanes; ++i) numbers[k * lanes + i] = rows_[k * lanes + pair[i]];
    }
    ConvexOverEllipsoid<F> of;
    __builtin_memcpy(&of, numbers, sizeof numbers);
    Vec<F, 3> at[6];
    T dense[9][lanes];
    for (int k = 0; k < 9; ++k) {
      for (int i = 0; i < lanes; ++i) {
        dense[k][i] = corner_[k][first + (i < used ? i : used - 1)];
      }
      at[k / 3][k % 3] = load(dense[k]);
    }
    counter.add_queue(used);
    const unsigned all = used == lanes ? LaneTraits<F>::all : (1u << used) - 1u;
    HullVertices<F> hulls;
    if (form_ == CoreForm::hull) {
      for (int i = 0; i < lanes; ++i) {
        hulls.blocks[i] = hulls_.blocks[pair[i]];
        hulls.block_count[i] = hulls_.block_count[pair[i]];
      }
    }
    const auto unit = [](const Vec<F, 3>& v) { return divide(F(1), length(v)) * v; };
    for (int k = 0; k < 3; ++k) at[3 + k] = unit(at[k] + at[(k + 1) % 3]);
    constexpr int kQuarter[4][3] = {{0, 3, 5}, {1, 4, 3}, {2, 5, 4}, {3, 4, 5}};
    Vec<F, 3> point_of[4], above[4];  // how far each one is above the bound along its corners
    unsigned open[4];
    for (int q = 0; q < 4; ++q) {
      const Vec<F, 3>&a = at[kQuarter[q][0]], &b = at[kQuarter[q][1]], &c = at[kQuarter[q][2]];
      const Vec<F, 3> middle = unit((a + b) + c);
      F height;
      const Vec<F, 3> p =
          of.own(middle, form_, hulls, all) + (of.other(middle, height) - of.middle);
      const Vec<F, 3> u = {{dot(a, p) - of.least, dot(b, p) - of.least, dot(c, p) - of.least}};
      const auto is_high = lesser(lesser(u[0], u[1]), u[2]) >= F(0);
      open[q] = all & ~mask_bits(is_high | (of.is_near(a) & of.is_near(b) & of.is_near(c)));
      point_of[q] = p;
      above[q] = u;
    }
    // A point between those of neighbours.
    const auto ask_between = [&](int q, int other) {
      Vec<F, 3> w;
      for (int k = 0; k < 3; ++k) w[k] = dot(at[kQuarter[q][k]], point_of[other]) - of.least;
      open[q] &= ~mask_bits(has_high_between<F>(above[q], w));
    };
    for (int q = 0; form_ == CoreForm::hull && q < 3; ++q) {
      ask_between(q, 3);
      ask_between(3, q);
    }
    if ((open[0] | open[1] | open[2] | open[3]) == 0) return;
    T point[18][lanes];
    for (int k = 0; k < 18; ++k) store(point[k], at[k / 3][k % 3]);
    for (int q = 0; q < 4; ++q) {
      for (unsigned left = open[q]; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left), own = pair[i];
        if ((open_ >> own & 1) == 0) continue;
        if (++splits_[own] > kMostSplits || level[i] == kMostLevel) {
          open_ &= ~(1u << own);
          continue;
        }
        const int slot = count_++;
        for (int k = 0; k < 9; ++k) corner_[k][slot] = point[3 * kQuarter[q][k / 3] + k % 3][i];
        pair_[slot] = own;
        level_[slot] = level[i] + 1;
      }
    }
  }

  CoreForm form_;
  HullVertices<F> hulls_;
  unsigned open_;  ///< pairs that are proven, if none of their triangles is left
  int count_;
  T rows_[kRow * lanes];
  T corner_[9][kRoom];
  int pair_[kRoom], level_[kRoom], splits_[lanes];
};

}  // namespace
}  // namespace widephase
