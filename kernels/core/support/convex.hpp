#pragma once

// Any 3D kind except halfspaces as a convex core plus a radius, for kernels that need only support
// points. The core is a point, a segment, a box, a hull of the library, a cylinder, what is left of
// an ellipsoid (ellipsoid_core.hpp) or a cone. All cores but hulls are a middle and three half
// axes; a point's are 0, and a segment has one.
//
// Directions are in the scene's axes, positions are relative to a point of A.

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/basis/eights.hpp"
#include "kernels/core/support/ellipsoid_core.hpp"
#include "kernels/core/support/hull_view.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// How far apart the bounds of a search may be at its end, as a share of the pair's size. Beyond it
/// the result is open (status 2).
template <class T>
inline constexpr T kOpenShare = sizeof(T) == 4 ? T(4e-6) : T(4e-13);

/// The core of a convex 3D kind, without its radius. All code that needs a core switches on this
/// form. So a kind with a new form does not compile until every switch has a case for it.
enum class CoreForm : std::uint8_t { point, segment, box, hull, cylinder, ellipsoid, cone };
constexpr CoreForm core_form(Kind kind) {
  switch (kind) {
    case Kind::sphere:
      return CoreForm::point;
    case Kind::capsule:
      return CoreForm::segment;
    case Kind::aabb:
    case Kind::box:
      return CoreForm::box;
    case Kind::hull:
      return CoreForm::hull;
    case Kind::cylinder:
      return CoreForm::cylinder;
    case Kind::ellipsoid:
      return CoreForm::ellipsoid;
    case Kind::cone:
      return CoreForm::cone;
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  __builtin_unreachable();
}

/// Whether a core is a polytope, whose vertices are numbered. The others are smooth somewhere.
constexpr bool has_vertices(CoreForm form) {
  switch (form) {
    case CoreForm::point:
    case CoreForm::segment:
    case CoreForm::box:
    case CoreForm::hull:
      return true;
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  return false;
}

/// Whether core/smooth solves pairs with such a core.
constexpr bool is_smooth(CoreForm form) {
  return form == CoreForm::ellipsoid || form == CoreForm::cone;
}

/// The number of numbered vertices of a core; smooth ones have none. `of_hull` returns a hull's.
template <class OfHull>
WIDEPHASE_INLINE int core_vertex_count(CoreForm form, const OfHull& of_hull) {
  switch (form) {
    case CoreForm::point:
      return 1;
    case CoreForm::segment:
      return 2;
    case CoreForm::box:
      return 8;
    case CoreForm::hull:
      return of_hull();
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  return 0;
}

template <class F>
struct ConvexLanes {
  using T = RealOf<F>;
  CoreForm form;
  Vec<F, 3> anchor;  ///< a capsule's a, an aabb's min, the centre of the others
  Vec<F, 3> middle;  ///< of the core, relative to the anchor
  Rotation3<F> turn;
  /// Half extents along the columns of `turn`; for a cylinder or a cone radius, radius and half
  /// height; for an ellipsoid its own, not its core's. A capsule's column 0 is half its core, and
  /// half[0] is 1. Hulls have none: see `place`.
  Vec<F, 3> half;
  F radius;
  const T* library;
  const std::int16_t* indices;
  Question question;

  /// A hull's place in the library, as the bits of an integer. It is stored where others have an
  /// extent.
  WIDEPHASE_INLINE const F& place() const { return half[0]; }

  /// The number of quads in a row of a kind; 0 if this does not read such rows.
  static constexpr int quads_of(Kind kind) {
    switch (kind) {
      case Kind::sphere:
        return 1;
      case Kind::capsule:
      case Kind::aabb:
        return 2;
      case Kind::box:
      case Kind::hull:
      case Kind::cylinder:
      case Kind::ellipsoid:
      case Kind::cone:
        return 4;
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;
    }
    return 0;
  }
  template <class Run>
  static WIDEPHASE_INLINE ConvexLanes load(const Run& run, Kind kind, const T* rows,
                                           const std::int32_t* ids) {
    const F zero = F(0), one = F(1);
    ConvexLanes shape;
    shape.form = core_form(kind);
    shape.library = run.library;
    shape.indices = run.indices;
    shape.question = run.question;
    shape.middle = zero_vec<F, 3>();
    shape.half = zero_vec<F, 3>();
    shape.radius = zero;
    const Vec<F, 3> none = zero_vec<F, 3>();
    switch (kind) {
      case Kind::sphere: {
        F row[4 * quads_of(Kind::sphere)];
        load_quads<quads_of(Kind::sphere)>(rows, ids, row);
        shape.anchor = {{row[0], row[1], row[2]}};
        shape.radius = row[3];
        shape.turn = {{none, none, none}};
        break;
      }
      case Kind::capsule: {
        F row[4 * quads_of(Kind::capsule)];
        load_quads<quads_of(Kind::capsule)>(rows, ids, row);
        const CapsuleLanes<F, 3> capsule(row);
        shape.anchor = capsule.a;
        shape.middle = F(0.5f) * (capsule.b - capsule.a);
        shape.turn = {{shape.middle, none, none}};
        shape.half[0] = one;
        shape.radius = capsule.radius;
        break;
      }
      case Kind::aabb: {
        F row[4 * quads_of(Kind::aabb)];
        load_quads<quads_of(Kind::aabb)>(rows, ids, row);
        const AabbLanes<F, 3> box(row);
        shape.anchor = box.min;
        shape.middle = F(0.5f) * (box.max - box.min);
        shape.half = shape.middle;
        shape.turn = {{{{one, zero, zero}}, {{zero, one, zero}}, {{zero, zero, one}}}};
        break;
      }
      case Kind::box:
      case Kind::hull:
      case Kind::cylinder:
      case Kind::ellipsoid:
      case Kind::cone: {
        F row[4 * quads_of(Kind::box)];
        load_quads<quads_of(Kind::box)>(rows, ids, row);
        const BoxLanes<F, 3> posed(row);
        shape.anchor = posed.center;
        shape.turn = posed.rotation;
        shape.half = posed.half_extents;
        shape.radius = posed.radius;
        break;
      }
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        __builtin_unreachable();
    }
    return shape;
  }
  /// The middle of the bounds; only periodic domains need it.
  __attribute__((noinline)) Vec<F, 3> bounds_center() const;
  WIDEPHASE_INLINE Vec<F, 3> take_origin() {
    const Vec<F, 3> origin = anchor;
    anchor = zero_vec<F, 3>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, 3>& by) { anchor = anchor - by; }
  static constexpr int anchors = 1;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) { anchor = {{to[0], to[1], to[2]}}; }
};

/// A core's support point, relative to its middle, and its vertex number: bits of the upper sides
/// for boxes, 0 and 1 for the ends of a capsule.
template <class F>
struct SupportPoint3 {
  Vec<F, 3> point;
  F number;
};

/// The vertices of a batch's hulls.
template <class F>
struct HullVertices {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  const T* blocks[lanes];
  std::int32_t block_count[lanes];

  WIDEPHASE_INLINE void set(int lane, const HullView<T>& hull) {
    blocks[lane] = hull.vertex_blocks();
    block_count[lane] = hull.vertex_block_count();
  }
};

template <class F>
WIDEPHASE_INLINE Vec<F, 3> vertices_at(const HullVertices<F>& hulls, const F& number) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const Lanes<F> numbers(number);
  T x[kLanes], y[kLanes], z[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const int at = static_cast<int>(numbers[i]);
    const T* const vertex = hulls.blocks[i] + HullLayout::vertex_place(at);
    x[i] = vertex[0];
    y[i] = vertex[8];
    z[i] = vertex[16];
  }
  return {{load(x), load(y), load(z)}};
}

/// The heights of a block's vertices along a direction in the hull's own frame.
template <class T>
struct VertexHeights {
  Eight<T> x, y, z;
  WIDEPHASE_INLINE explicit VertexHeights(const Vec<T, 3>& local)
      : x(eight_of(local[0])), y(eight_of(local[1])), z(eight_of(local[2])) {}
  WIDEPHASE_INLINE Eight<T> operator()(const T* block) const {
    return (load_eight(block) * x + load_eight(block + 8) * y) + load_eight(block + 16) * z;
  }
};

/// The largest of all vertices' heights along `local`, with their numbers.
template <class T>
WIDEPHASE_INLINE GreatestOf<T> highest_of(const T* blocks, int block_count,
                                          const Vec<T, 3>& local) {
  const VertexHeights<T> heights(local);
  GreatestOf<T> best(heights(blocks));
  for (int b = 1; b < block_count; ++b) {
    best.add(heights(blocks + b * HullLayout::vertex_block));
  }
  return best;
}

/// The farthest vertex along `local`; among equal ones the lowest number.
template <class T>
WIDEPHASE_INLINE int farthest_of(const T* blocks, int block_count, const Vec<T, 3>& local) {
  const GreatestOf<T> best = highest_of<T>(blocks, block_count, local);
  return best.number_of(best.greatest());
}

/// Support points of a batch's hulls, in two passes. The first scans each hull's vertices, eight in
/// lanes, and leaves four candidates per hull. The second reduces the fours of all hulls together,
/// one hull per lane. Reducing each four alone would be a chain of dependent steps.
template <class F>
struct FarthestFours {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  alignas(64) T value[lanes][4];
  alignas(64) T number[lanes][4];

  /// Scans along `local`, in the hulls' own frames. Lanes that are not live get vertex 0.
  WIDEPHASE_INLINE void scan(const HullVertices<F>& hulls, const Vec<F, 3>& local, unsigned live) {
    if (live != LaneTraits<F>::all) clear();
    const Lanes<F> x(local[0]), y(local[1]), z(local[2]);
    for (unsigned left = live; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const GreatestOf<T> best =
          highest_of<T>(hulls.blocks[i], hulls.block_count[i], {{x[i], y[i], z[i]}});
      set(i, best.value, best.number);
    }
  }
  /// Reduces eight values of a lane, with their numbers, to four.
  WIDEPHASE_INLINE void set(int lane, const Eight<T>& of_eight, const Eight<T>& numbers_of_eight) {
    T values[8], numbers[8];
    store(values, of_eight);
    store(numbers, numbers_of_eight);
    for (int k = 0; k < 4; ++k) {
      const T low = values[k], high = values[k + 4];
      const T low_number = numbers[k], high_number = numbers[k + 4];
      const T lower = lesser_of(low_number, high_number);
      value[lane][k] = high > low ? high : low;
      number[lane][k] = high > low ? high_number : high == low ? lower : low_number;
    }
  }
  WIDEPHASE_INLINE void clear() {
    for (int i = 0; i < lanes; ++i) {
      for (int k = 0; k < 4; ++k) value[i][k] = number[i][k] = 0;
    }
  }
  /// The number of the largest value; among equal ones the lowest.
  WIDEPHASE_INLINE F farthest(F& greatest) const {
    constexpr RowsInOrder<lanes> kRows;
    F values[4], numbers[4];
    load_quads<1, 1>(value[0], kRows.index, values);
    load_quads<1, 1>(number[0], kRows.index, numbers);
    greatest = greater(greater(values[0], values[1]), greater(values[2], values[3]));
    // If values are NaN, none is marked; then any number will do.
    const F none = F(kLargest<T>);
    const auto at = [&](int k) { return select(values[k] >= greatest, numbers[k], none); };
    const F lowest = lesser(lesser(at(0), at(1)), lesser(at(2), at(3)));
    return select(lowest < none, lowest, numbers[0]);
  }
  WIDEPHASE_INLINE F farthest() const {
    F greatest;
    return farthest(greatest);
  }
};

/// The support points along `local` in the live lanes. Direction and result are in the hulls'
/// frames.
template <class F>
__attribute__((noinline)) SupportPoint3<F> farthest_vertex(const HullVertices<F>& hulls,
                                                           const Vec<F, 3>& local, unsigned live) {
  FarthestFours<F> fours;
  fours.scan(hulls, local, live);
  const F number = fours.farthest();
  return {vertices_at(hulls, number), number};
}
/// The same for two hulls per lane.
template <class F>
__attribute__((noinline)) void farthest_vertices(const HullVertices<F>& a, const Vec<F, 3>& local_a,
                                                 const HullVertices<F>& b, const Vec<F, 3>& local_b,
                                                 unsigned live, SupportPoint3<F>& of_a,
                                                 SupportPoint3<F>& of_b) {
  FarthestFours<F> fours_a, fours_b;
  fours_a.scan(a, local_a, live);
  fours_b.scan(b, local_b, live);
  of_a.number = fours_a.farthest();
  of_b.number = fours_b.farthest();
  of_a.point = vertices_at(a, of_a.number);
  of_b.point = vertices_at(b, of_b.number);
}

/// A core, prepared for support points.
template <class F>
struct ConvexCore {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  const ConvexLanes<F>& shape;
  Vec<F, 3> axis[3];         ///< half axes; unset for hulls
  HullVertices<F> vertices;  ///< only for hulls
  EllipsoidCore<LaneNumbers<F>> ellipsoid;  ///< only for ellipsoids

  WIDEPHASE_INLINE explicit ConvexCore(const ConvexLanes<F>& convex) : shape(convex) {
    if (shape.form != CoreForm::hull) {
      for (int k = 0; k < 3; ++k) axis[k] = shape.half[k] * shape.turn.column[k];
      if (shape.form == CoreForm::ellipsoid) {
        ellipsoid = EllipsoidCore<LaneNumbers<F>>(shape.half);
      }
      return;
    }
    const Lanes<F> places(shape.place());
    for (int i = 0; i < lanes; ++i) {
      vertices.set(i, HullView<T>(shape.library, shape.indices, integer_in(places[i])));
    }
  }
};

/// The support mapping: the farthest point along `direction`; among equal vertices the lowest. The
/// result has no meaning in lanes that are not `live`.
template <class F>
WIDEPHASE_INLINE SupportPoint3<F> farthest(const ConvexCore<F>& core, const Vec<F, 3>& direction,
                                           const MaskOf<F>& live) {
  const F zero = F(0);
  const CoreForm form = core.shape.form;
  const Vec<F, 3>* const axis = core.axis;
  const auto upper = [&](int k) { return dot(axis[k], direction) > zero; };
  const auto side = [&](const MaskOf<F>& is_up, int k) { return select(is_up, axis[k], -axis[k]); };
  switch (form) {
    case CoreForm::point:
      return {zero_vec<F, 3>(), zero};
    case CoreForm::segment: {
      const auto is_up = upper(0);
      return {side(is_up, 0), select(is_up, F(1), zero)};
    }
    case CoreForm::box: {
      const auto is_up0 = upper(0), is_up1 = upper(1), is_up2 = upper(2);
      return {
          (side(is_up0, 0) + side(is_up1, 1)) + side(is_up2, 2),
          (select(is_up0, F(1), zero) + select(is_up1, F(2), zero)) + select(is_up2, F(4), zero)};
    }
    case CoreForm::hull: {
      const Rotation3<F>& turn = core.shape.turn;
      const SupportPoint3<F> local =
          farthest_vertex(core.vertices, rotate_back(turn, direction), mask_bits(live));
      return {rotate(turn, local.point), local.number};
    }
    case CoreForm::cylinder: {
      // Both radial axes are as long as the radius, and so is their sum with these weights.
      const F x = dot(axis[0], direction), y = dot(axis[1], direction);
      const F size = sqrt(x * x + y * y);
      const auto is_up = upper(2);
      const Vec<F, 3> rim = divide_or_zero(x, size) * axis[0] + divide_or_zero(y, size) * axis[1];
      return {rim + side(is_up, 2), select(is_up, F(1), zero)};
    }
    case CoreForm::ellipsoid: {
      const Rotation3<F>& turn = core.shape.turn;
      return {rotate(turn, core.ellipsoid.farthest(rotate_back(turn, direction))), zero};
    }
    case CoreForm::cone: {
      const F x = dot(axis[0], direction), y = dot(axis[1], direction);
      const F size = sqrt(x * x + y * y), height = dot(axis[2], direction);
      const auto is_apex = height + height > size;
      const Vec<F, 3> rim = divide_or_zero(x, size) * axis[0] + divide_or_zero(y, size) * axis[1];
      return {select(is_apex, axis[2], rim - axis[2]), select(is_apex, F(1), zero)};
    }
  }
  __builtin_unreachable();
}

/// The vertex of a number that the core has, bit for bit as `farthest` gives it; for cores with
/// vertices.
template <class F>
WIDEPHASE_INLINE SupportPoint3<F> vertex_at(const ConvexCore<F>& core, const F& number) {
  const CoreForm form = core.shape.form;
  const Vec<F, 3>* const axis = core.axis;
  const auto side = [&](const MaskOf<F>& is_up, int k) { return select(is_up, axis[k], -axis[k]); };
  switch (form) {
    case CoreForm::point:
      return {zero_vec<F, 3>(), number};
    case CoreForm::segment:
      return {side(number > F(0), 0), number};
    case CoreForm::hull:
      return {rotate(core.shape.turn, vertices_at(core.vertices, number)), number};
    case CoreForm::box:
    case CoreForm::cylinder:  // never called for these: any point will do
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  const auto is_up2 = number >= F(4);
  const F rest = select(is_up2, number - F(4), number);
  const auto is_up1 = rest >= F(2);
  const auto is_up0 = select(is_up1, rest - F(2), rest) >= F(1);
  return {(side(is_up0, 0) + side(is_up1, 1)) + side(is_up2, 2), number};
}

template <class F>
Vec<F, 3> ConvexLanes<F>::bounds_center() const {
  const ConvexCore<F> core(*this);
  const Vec<F, 3> from = anchor + middle;
  return each_axis<F, 3>([&](int k) {
    Vec<F, 3> up = zero_vec<F, 3>();
    up[k] = F(1);
    const auto all = F(0) == F(0);
    const F high = farthest(core, up, all).point[k], low = farthest(core, -up, all).point[k];
    return from[k] + F(0.5f) * (low + high);
  });
}

}  // namespace
}  // namespace widephase
