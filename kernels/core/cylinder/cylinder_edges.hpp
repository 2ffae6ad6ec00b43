#pragma once

// Edges of a box or a hull against a cylinder, in lanes: the least overlap between each edge and
// the cylinder's side or rims (core/cylinder/cylinder_axes3.hpp, where the frame is).
//
// Across an edge e the rim is an ellipse. Its half axes are radius |u.e| along x, the part of u
// perpendicular to e, and radius along y. As seen from its middle the origin is at z. The feet of
// the normals through the origin are where n = (z.x / t, z.y / (t + d)), with d the difference of
// the squared half axes and t a zero of
//   (radius |u.e| z.x / t)^2 + (radius z.y / (t + d))^2 = 1.
// The zero above 0 gives the nearest foot, the greatest zero below 0 the nearest foot on the other
// side. Newton steps find both from below and do not pass them: Eberly, Distance from a Point to an
// Ellipse, 2013; More and Sorensen, Computing a Trust Region Step, 1983.

#include "kernels/core/hull/hull_faces3.hpp"
#include "kernels/core/round/segment.hpp"
#include "kernels/lanes/codes.hpp"

namespace widephase {
namespace {

/// The feature of the other core that an exit of a cylinder is made of.
enum class CylinderFeature : std::uint8_t { none, face, cap, vertex, side_edge, rim_edge };

/// The minimum translation of one pair, in the other core's frame.
template <class T>
struct CylinderAxis {
  T overlap;
  Vec<T, 3> normal;  ///< to the cylinder
  CylinderFeature feature = CylinderFeature::none;
  bool is_tie;
  int number[2];  ///< of the face (twice), of the vertex (twice), or of the edge's two

  /// Takes another axis in its place if that overlaps less by more than `rounding`.
  WIDEPHASE_INLINE void take(const CylinderAxis& other, T rounding) {
    if (other.overlap < overlap - rounding) {
      *this = other;
    } else if (other.overlap == overlap && dot(other.normal, normal) < T(0.999)) {
      is_tie = true;
    }
  }
};

/// A batch of cylinders in the frames of the other cores.
template <class F>
struct CylindersInFrames {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int row_size = 8;  ///< axis, middle, radius, half height
  static constexpr int witness_count = 4;
  T row[lanes * row_size];
  Lanes<F> witness[witness_count][3];  ///< points of the difference
};

/// The edges between two faces that no point of the difference rules out: along neither normal is
/// it as far as `most`.
template <class T, int N>
int edges_beyond(const HullView<T>& hull, const Vec<T, 3> (&witness)[N], T most,
                 std::int16_t* remaining) {
  std::int16_t codes[8 * kMostFaceBlocks];
  const Eight<T> least = eight_of(most);
  const T* const blocks = hull.face_blocks();
  for (int b = 0; b < hull.face_block_count(); ++b) {
    const T* const block = blocks + b * HullLayout::face_block;
    const Eight<T> x = load_eight(block), y = load_eight(block + 8), z = load_eight(block + 16);
    CodeRow<T, 8> code;
    for (const Vec<T, 3>& w : witness) {
      const Eight<T> along = (x * eight_of(w[0]) + y * eight_of(w[1])) + z * eight_of(w[2]);
      code.set_unless_greater(least, along);
    }
    code.store(codes + 8 * b);
  }
  return find_pairs_apart(codes, 8 * hull.face_block_count(), hull.edge_faces(), hull.edge_count,
                          remaining);
}

/// Edges that are evaluated together: their records, and the rows of their pairs' cylinders.
template <class F>
struct CylinderEdges {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  int count = 0;
  int pair[lanes] = {};
  T edge[lanes * HullLayout::edge] = {};
  T cylinder[lanes * CylindersInFrames<F>::row_size] = {};

  /// Adds an edge of pair `i`. Answers whether no more fits.
  WIDEPHASE_INLINE bool add(const HullView<T>& hull, int number, const CylindersInFrames<F>& frames,
                            int i) {
    constexpr int kRow = CylindersInFrames<F>::row_size;
    pair[count] = i;
    __builtin_memcpy(edge + count * HullLayout::edge, hull.edges() + number * HullLayout::edge,
                     HullLayout::edge * sizeof(T));
    __builtin_memcpy(cylinder + count * kRow, frames.row + i * kRow, kRow * sizeof(T));
    return ++count == lanes;
  }
};

/// Which directions across an edge, in the plane of x and y, lie between the normals of its faces.
template <class F>
struct BetweenNormals {
  F lx, ly, rx, ry, sign, opening, slack;

  WIDEPHASE_INLINE BetweenNormals(const Vec<F, 3>& left, const Vec<F, 3>& right, const Vec<F, 3>& x,
                                  const Vec<F, 3>& y)
      : lx(dot(left, x)), ly(dot(left, y)), rx(dot(right, x)), ry(dot(right, y)) {
    const F turn = lx * ry - ly * rx;
    sign = select(turn < F(0), F(-1), F(1));
    opening = lx * rx + ly * ry;
    slack = roundings<F>(32);
  }
  WIDEPHASE_INLINE MaskOf<F> has(const F& nx, const F& ny) const {
    const F from_left = sign * (lx * ny - ly * nx), to_right = sign * (nx * ry - ny * rx);
    return (from_left >= negate(slack)) & (to_right >= negate(slack)) &
           (lx * nx + ly * ny >= opening - slack) & (rx * nx + ry * ny >= opening - slack);
  }
  /// Whether some of these are in a quadrant, whose signs are given.
  WIDEPHASE_INLINE MaskOf<F> has_quadrant(const F& side, const F& up) const {
    const auto is_in = [&](const F& nx, const F& ny) {
      return (nx * side >= negate(slack)) & (ny * up >= negate(slack));
    };
    return is_in(lx, ly) | is_in(rx, ry) | has(side, F(0)) | has(F(0), up);
  }
};

/// A direction in the plane perpendicular to an edge, and the overlap along it.
template <class F>
struct PlaneExit {
  F x, y;
  F overlap;
  MaskOf<F> exists;
};

/// An ellipse around `x`, `y` with half axes `a` along y and `b` <= `a` along x.
template <class F>
struct Ellipse {
  F x, y;
  F a, b;
  F flat;  ///< a^2 - b^2

  WIDEPHASE_INLINE F overlap(const F& nx, const F& ny) const {
    return (x * nx + y * ny) + reach(nx, ny);
  }
  WIDEPHASE_INLINE F reach(const F& nx, const F& ny) const {
    const F at_b = b * nx, at_a = a * ny;
    return sqrt(at_b * at_b + at_a * at_a);
  }
  /// Moves a direction that is almost that of a least overlap to that direction, of unit length.
  WIDEPHASE_INLINE PlaneExit<F> settle(F nx, F ny, const MaskOf<F>& exists) const {
    constexpr int kSteps = sizeof(RealOf<F>) == 4 ? 2 : 3;
    const F zero = F(0), most = F(0.25f);
    const auto to_unit = [&] {
      const F size = sqrt(nx * nx + ny * ny);
      nx = divide_or_zero(nx, size);
      ny = divide_or_zero(ny, size);
    };
    to_unit();
    for (int step = 0; step < kSteps; ++step) {
      const F out = reach(nx, ny);
      const F slope = (y * nx - x * ny) + divide_or_zero(flat * (nx * ny), out);
      const F ab = a * b;
      const F bend = divide_or_zero(ab * ab, out * (out * out)) - overlap(nx, ny);
      const F by = select(bend > zero, divide_or_zero(negate(slope), bend), zero);
      const F turn = clamp(by, negate(most), most);
      const F to_x = nx - turn * ny, to_y = ny + turn * nx;
      nx = to_x;
      ny = to_y;
      to_unit();
    }
    return {nx, ny, overlap(nx, ny), exists};
  }
  /// The foot nearest to the origin, in the lanes of `asked`. Inside the ellipse, about the end of
  /// its long half axis, steps may grow by half for a while: such lanes go on until `settle` will
  /// do. A lane that is done stays as it is.
  WIDEPHASE_INLINE PlaneExit<F> find_nearest(const MaskOf<F>& asked) const {
    const F one = F(1);
    const Offset from(*this);
    F t = greater(from.across_x, from.across_y - flat);
    auto is_open = asked;
    for (int step = 1; step <= kMostSteps && any<F>(is_open); ++step) {
      const F beyond = t + flat;
      const F at_x = divide(from.across_x, t), at_y = divide(from.across_y, beyond);
      const F xx = at_x * at_x, yy = at_y * at_y;
      const F sum = xx + yy;
      const F by = divide(sum * (sqrt(sum) - one), divide(xx, t) + divide(yy, beyond));
      t = select(is_open, t + by, t);
      if (step >= kLeastSteps) is_open = is_open & (by > F(kDone) * t);
    }
    return settle(divide(from.side_x, t), divide(from.side_y, t + flat), asked);
  }
  /// The nearest foot beyond the long half axis, in the lanes of `asked` that have one.
  WIDEPHASE_INLINE PlaneExit<F> find_beyond(const MaskOf<F>& asked) const {
    const F zero = F(0), one = F(1);
    const Offset from(*this);
    const auto may_be = asked & (from.across_y < flat);
    const F share = divide_or_zero(from.across_y, flat);
    const F rest = sqrt(greater((one - share) * (one + share), least_share() * least_share()));
    F s = divide(from.across_x, rest);
    auto exists = may_be & (s < flat);
    if (!any<F>(exists)) return {one, zero, zero, exists};
    auto is_open = exists;
    for (int step = 1; step <= kMostSteps && any<F>(is_open); ++step) {
      const F beyond = flat - s;
      const F at_x = divide_or_zero(from.across_x, s), at_y = divide_or_zero(from.across_y, beyond);
      const F xx = at_x * at_x, yy = at_y * at_y;
      const F slope = divide_or_zero(xx, s) - divide_or_zero(yy, beyond);
      const F by = divide_or_zero((xx + yy) - one, slope + slope);
      exists = exists & ((!is_open) | ((slope > zero) & (s + by < flat)));
      is_open = is_open & exists;
      s = select(is_open, s + by, s);
      if (step >= kLeastSteps) is_open = is_open & (by > F(kDone) * s);
    }
    s = select(exists, s, greater(flat * F(0.5f), from.least * from.least));
    return settle(negate(divide_or_zero(from.side_x, s)), divide_or_zero(from.side_y, flat - s),
                  exists);
  }

 private:
  using T = RealOf<F>;
  static constexpr int kLeastSteps = sizeof(T) == 4 ? 4 : 6, kMostSteps = sizeof(T) == 4 ? 16 : 40;
  static constexpr T kDone = T(0.05);
  static WIDEPHASE_INLINE F least_share() { return roundings<F>(4); }

  /// From the middle to the origin. No half axis, and no offset, may be zero. So small a change
  /// does not alter the answer.
  struct Offset {
    F least, across_x, across_y;  ///< these two times the half axes
    F side_x, side_y;

    WIDEPHASE_INLINE explicit Offset(const Ellipse& e) : least(least_share() * e.a) {
      const F zero = F(0);
      const F to_x = greater(abs(e.x), least), to_y = greater(abs(e.y), least);
      across_x = greater(e.b, least) * to_x;
      across_y = e.a * to_y;
      side_x = select(e.x > zero, negate(to_x), to_x);
      side_y = select(e.y > zero, negate(to_y), to_y);
    }
  };
};

/// Evaluates the edges; puts the least exit of each in `found`.
template <class F>
__attribute__((noinline)) void ask_cylinder_edges(const CylinderEdges<F>& edges,
                                                  CylinderAxis<RealOf<F>>* found) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  constexpr RowsInOrder<kLanes> kRows;
  const F zero = F(0), one = F(1);
  F record[16], row[8];
  load_quads<4, 1>(edges.edge, kRows.index, record);
  load_quads<2, 1>(edges.cylinder, kRows.index, row);
  const Vec<F, 3> from{{record[0], record[1], record[2]}};
  const Vec<F, 3> along = Vec<F, 3>{{record[3], record[4], record[5]}} - from;
  const Vec<F, 3> left{{record[6], record[7], record[8]}};
  const Vec<F, 3> right{{record[9], record[10], record[11]}};
  const Vec<F, 3> u{{row[0], row[1], row[2]}}, middle{{row[3], row[4], row[5]}};
  const F radius = row[6], half = row[7];

  const F inverse = divide_or_zero(one, length(along));
  const Vec<F, 3> e = inverse * along;
  const F cosine = dot(u, e);
  const Vec<F, 3> once = u - cosine * e;
  const Vec<F, 3> across = once - dot(once, e) * e;
  const F sine = length(across);
  // An edge along the axis is seen as a vertex. If it is nearly so, x is inaccurate but counts
  // little.
  const auto is_astray = sine > roundings<F>(16);
  const F inverse_sine = divide_or_zero(one, sine);
  const Vec<F, 3> x = inverse_sine * across;
  const Vec<F, 3> y = cross(e, x);
  const Vec<F, 3> q = from - middle;
  const F qx = dot(q, x), qy = dot(q, y);

  // An exit lies between the normals of both faces.
  const BetweenNormals<F> normals(left, right, x, y);

  F best = F(kInfinite<T>), best_x = one, best_y = zero, is_rim = zero;
  const auto take = [&](const PlaneExit<F>& at, const F& rim) {
    const auto is_better = is_astray & at.exists & normals.has(at.x, at.y) & (at.overlap < best);
    best = select(is_better, at.overlap, best);
    best_x = select(is_better, at.x, best_x);
    best_y = select(is_better, at.y, best_y);
    is_rim = select(is_better, rim, is_rim);
  };
  const auto all = zero == zero;
  take({zero, one, radius + qy, all}, zero);
  take({zero, F(-1), radius - qy, all}, zero);
  const F short_half = radius * abs(cosine), lift = half * sine;
  const F flat = (radius * sine) * (radius * sine);
  // An exit points to the end of the cylinder that its rim is at. The nearest foot lies on the
  // origin's side of the ellipse, the other one beyond the long half axis. So each rim has one of
  // the two, in a quadrant that is known: it counts where that has directions between the normals.
  const F up = select(qy > zero, F(-1), one);
  const F near_zero = roundings<F>(64) * (radius + abs(qy));
  const auto rim_at = [&](const F& by) {
    return Ellipse<F>{qx + by, qy, radius, short_half, flat};
  };
  const auto upper = is_astray & normals.has_quadrant(one, up),
             lower = is_astray & normals.has_quadrant(F(-1), up);
  PlaneExit<F> exits[2][2];  // of the upper rim, and of the lower one
  const auto find = [&](int which, const MaskOf<F>& of_upper, const MaskOf<F>& of_lower,
                        const auto& find_in) {
    PlaneExit<F>&first = exits[0][which], &second = exits[1][which];
    first = second = {one, zero, zero, zero > zero};
    const auto are_asked = of_upper | of_lower;
    if (!any<F>(are_asked)) return;
    const PlaneExit<F> found = find_in(rim_at(select(of_upper, lift, negate(lift))), are_asked);
    first = second = found;
    first.exists = found.exists & of_upper;
    second.exists = found.exists & of_lower & !of_upper;
    const auto are_both = of_upper & of_lower;
    if (!any<F>(are_both)) return;
    const PlaneExit<F> other = find_in(rim_at(negate(lift)), are_both);
    second.x = select(are_both, other.x, second.x);
    second.y = select(are_both, other.y, second.y);
    second.overlap = select(are_both, other.overlap, second.overlap);
    second.exists = second.exists | other.exists;
  };
  find(0, upper & (qx + lift <= near_zero), lower & (qx - lift >= negate(near_zero)),
       [](const Ellipse<F>& rim, const MaskOf<F>& asked) { return rim.find_nearest(asked); });
  find(1, upper & (qx + lift >= negate(near_zero)), lower & (qx - lift <= near_zero),
       [](const Ellipse<F>& rim, const MaskOf<F>& asked) { return rim.find_beyond(asked); });
  for (const int end : {0, 1}) {
    const F by = end == 0 ? lift : negate(lift);
    for (const PlaneExit<F>& at : exits[end]) {
      take({at.x, at.y, at.overlap, at.exists & (at.x * by >= zero)}, one);
    }
  }
  const Vec<F, 3> normal = best_x * x + best_y * y;
  const Lanes<F> overlap(best), nx(normal[0]), ny(normal[1]), nz(normal[2]), rim(is_rim);
  for (int i = 0; i < edges.count; ++i) {
    const T* const vertices = edges.edge + i * HullLayout::edge + HullLayout::edge_vertices;
    found[i] = {overlap[i],
                {{nx[i], ny[i], nz[i]}},
                rim[i] > 0 ? CylinderFeature::rim_edge : CylinderFeature::side_edge,
                false,
                {integer_in(vertices[0]), integer_in(vertices[1])}};
  }
}

/// Evaluates queued edges for their pairs, whose least axes are `found`, and empties the queue.
template <class F>
WIDEPHASE_INLINE void flush_cylinder_edges(CylinderEdges<F>& edges, const RealOf<F>* sizes,
                                           CylinderAxis<RealOf<F>>* found) {
  CylinderAxis<RealOf<F>> exits[CylinderEdges<F>::lanes];
  ask_cylinder_edges(edges, exits);
  for (int n = 0; n < edges.count; ++n) {
    const int i = edges.pair[n];
    found[i].take(exits[n], 2 * kRounding<RealOf<F>> * sizes[i]);
  }
  edges.count = 0;
}

}  // namespace
}  // namespace widephase
