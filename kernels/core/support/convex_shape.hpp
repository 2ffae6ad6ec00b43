#pragma once

// One convex core as scalars, for the parts that take one pair at a time: EPA and manifolds. Its
// support points match those of core/support/convex.hpp; a hull's vertices are in lanes.

#include "kernels/core/support/convex.hpp"
#include "kernels/lanes/tile.hpp"

namespace widephase {
namespace {

/// The largest relative error of one rounded operation.
template <class T>
inline constexpr T kRounding = static_cast<T>(sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);

WIDEPHASE_INLINE float root(float x) { return __builtin_sqrtf(x); }
WIDEPHASE_INLINE double root(double x) { return __builtin_sqrt(x); }
WIDEPHASE_INLINE float magnitude(float x) { return __builtin_fabsf(x); }
WIDEPHASE_INLINE double magnitude(double x) { return __builtin_fabs(x); }

/// v / |v|, or the first axis if v is zero.
template <class T>
WIDEPHASE_INLINE Vec<T, 3> unit_of(const Vec<T, 3>& v) {
  const T size = root(dot(v, v));
  if (!(size > 0)) return {{1, 0, 0}};
  return {{v[0] / size, v[1] / size, v[2] / size}};
}

/// A unit vector perpendicular to a unit vector.
template <class T>
WIDEPHASE_INLINE Vec<T, 3> across_of(const Vec<T, 3>& v) {
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (magnitude(v[k]) < magnitude(v[least])) least = k;
  }
  Vec<T, 3> axis{{0, 0, 0}};
  axis[least] = 1;
  return unit_of(cross(v, axis));
}

template <class T>
struct ConvexShape {
  CoreForm form;
  Rotation3<T> turn;
  Vec<T, 3> axis[3];  ///< half axes; unset for hulls
  EllipsoidCore<SingleNumbers<T>> ellipsoid;  ///< only for ellipsoids
  T reach;            ///< upper bound on the distance of the core's points from its middle
  const T* library;
  const std::int16_t* indices;
  std::int32_t place;  ///< of a hull

  HullView<T> hull() const { return HullView<T>(library, indices, place); }
};

/// The cores of a batch in memory, to read them one at a time.
template <class F>
struct ConvexShapeLanes {
  using T = RealOf<F>;
  CoreForm form;
  const T* library;
  const std::int16_t* indices;
  Lanes<F> turn[3][3];
  Lanes<F> half[3];

  explicit ConvexShapeLanes(const ConvexLanes<F>& shape)
      : form(shape.form), library(shape.library), indices(shape.indices) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) turn[k][j] = Lanes<F>(shape.turn.column[k][j]);
      half[k] = Lanes<F>(shape.half[k]);
    }
  }
  /// A hull's place in the library, as in `ConvexLanes::place`.
  WIDEPHASE_INLINE const Lanes<F>& place() const { return half[0]; }
  ConvexShape<T> operator[](int i) const {
    ConvexShape<T> shape;
    shape.form = form;
    shape.library = library;
    shape.indices = indices;
    T square = 0;
    for (int k = 0; k < 3; ++k) {
      shape.turn.column[k] = {{turn[k][0][i], turn[k][1][i], turn[k][2][i]}};
      if (form != CoreForm::hull) {
        shape.axis[k] = half[k][i] * shape.turn.column[k];
        square += dot(shape.axis[k], shape.axis[k]);
      }
    }
    shape.place = 0;
    shape.reach = root(square);
    if (form == CoreForm::ellipsoid) {
      shape.ellipsoid =
          EllipsoidCore<SingleNumbers<T>>(Vec<T, 3>{{half[0][i], half[1][i], half[2][i]}});
    }
    if (form == CoreForm::hull) {
      shape.place = integer_in(place()[i]);
      shape.reach = shape.hull().numbers[HullLayout::reach];
    }
    return shape;
  }
};

template <class T>
struct ShapePoint {
  Vec<T, 3> point;  ///< relative to the core's middle
  int number;
};

/// A hull's vertices within `slack` of the farthest along `local`.
template <class T>
struct LevelVertices {
  static constexpr int most_blocks = 32;
  int number;  ///< of the farthest; among equal ones the lowest
  int count;
  std::uint8_t bits[most_blocks];
  std::uint64_t first_bits = 0;  ///< those of the first eight blocks, if there are no more

  WIDEPHASE_INLINE LevelVertices(const HullView<T>& hull, const Vec<T, 3>& local, T slack) {
    const VertexHeights<T> heights(local);
    const T* const blocks = hull.vertex_blocks();
    const int block_count = hull.vertex_block_count();
    T height[8 * most_blocks];
    const Eight<T> first = heights(blocks);
    store(height, first);
    GreatestOf<T> best(first);
    for (int b = 1; b < block_count; ++b) {
      const Eight<T> here = heights(blocks + b * HullLayout::vertex_block);
      store(height + 8 * b, here);
      best.add(here);
    }
    const T most = best.greatest();
    number = best.number_of(most);
    const Eight<T> least = eight_of(most - slack);
    count = 0;
    for (int b = 0; b < block_count; ++b) {
      unsigned level = bits_at_least(load_eight(height + 8 * b), least);
      // Vertex 0 pads the last block.
      if (8 * b + 8 > hull.vertex_count) level &= (1u << (hull.vertex_count - 8 * b)) - 1;
      bits[b] = static_cast<std::uint8_t>(level);
      first_bits |= std::uint64_t{level} << (8 * b & 63);
      count += bit_count(level);
    }
  }
  /// The lowest of the first 64 vertices that is level beside `number`, if there is one.
  WIDEPHASE_INLINE int other() const {
    return __builtin_ctzll(first_bits & ~(std::uint64_t{1} << (number & 63)));
  }
  WIDEPHASE_INLINE int has(int vertex) const { return bits[vertex >> 3] >> (vertex & 7) & 1; }
  WIDEPHASE_INLINE bool has_edge(const HullView<T>& hull, int edge) const {
    return (has(hull.edge_vertex(edge, 0)) & has(hull.edge_vertex(edge, 1))) != 0;
  }
};

/// How far a point, projected onto a face's plane, lies inside the nearest edge; negative outside.
template <class T>
WIDEPHASE_INLINE T inside_of_face(const HullView<T>& hull, int face, const Vec<T, 3>& point) {
  const Vec<T, 3> normal = hull.face_normal(face);
  const int start = hull.face_start(face), end = hull.face_start(face + 1);
  const std::int16_t* const ring = hull.face_vertices();
  Vec<T, 3> from = hull.vertex(ring[end - 1]);
  T inside = kLargest<T>;
  for (int at = start; at < end; ++at) {
    const Vec<T, 3> to = hull.vertex(ring[at]), along = to - from;
    inside = lesser_of(inside, dot(cross(along, point - from), normal) / root(dot(along, along)));
    from = to;
  }
  return inside;
}

template <class T>
WIDEPHASE_INLINE ShapePoint<T> farthest(const ConvexShape<T>& shape, const Vec<T, 3>& direction) {
  const auto side = [&](int k, bool is_up) { return is_up ? shape.axis[k] : -shape.axis[k]; };
  const auto is_up = [&](int k) { return dot(shape.axis[k], direction) > 0; };
  switch (shape.form) {
    case CoreForm::point:
      return {{{0, 0, 0}}, 0};
    case CoreForm::segment: {
      const bool up = is_up(0);
      return {side(0, up), up ? 1 : 0};
    }
    case CoreForm::box: {
      // Sides are chosen by address: branches would be as good as random.
      const Vec<T, 3>* const axis = shape.axis;
      const Vec<T, 3> sides[3][2] = {
          {-axis[0], axis[0]}, {-axis[1], axis[1]}, {-axis[2], axis[2]}};
      const int up[3] = {is_up(0) ? 1 : 0, is_up(1) ? 1 : 0, is_up(2) ? 1 : 0};
      return {(sides[0][up[0]] + sides[1][up[1]]) + sides[2][up[2]], up[0] + 2 * up[1] + 4 * up[2]};
    }
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      const int number = farthest_of(hull.vertex_blocks(), hull.vertex_block_count(),
                                     rotate_back(shape.turn, direction));
      return {rotate(shape.turn, hull.vertex(number)), number};
    }
    case CoreForm::cylinder: {
      const T x = dot(shape.axis[0], direction), y = dot(shape.axis[1], direction);
      const T size = root(x * x + y * y);
      const bool up = is_up(2);
      Vec<T, 3> point = side(2, up);
      if (size > 0) point = ((x / size) * shape.axis[0] + (y / size) * shape.axis[1]) + point;
      return {point, up ? 1 : 0};
    }
    case CoreForm::ellipsoid:
      return {rotate(shape.turn, shape.ellipsoid.farthest(rotate_back(shape.turn, direction))), 0};
    case CoreForm::cone: {
      const T x = dot(shape.axis[0], direction), y = dot(shape.axis[1], direction);
      const T size = root(x * x + y * y), height = dot(shape.axis[2], direction);
      if (height + height > size) return {shape.axis[2], 1};
      Vec<T, 3> point = -shape.axis[2];
      if (size > 0) point = ((x / size) * shape.axis[0] + (y / size) * shape.axis[1]) + point;
      return {point, 0};
    }
  }
  __builtin_unreachable();
}

/// The vertex of a number, relative to the middle, for cores that have vertices.
template <class T>
Vec<T, 3> vertex_of(const ConvexShape<T>& shape, int number) {
  const auto side = [&](int k) { return (number >> k & 1) != 0 ? shape.axis[k] : -shape.axis[k]; };
  switch (shape.form) {
    case CoreForm::point:
      return {{0, 0, 0}};
    case CoreForm::segment:
      return side(0);
    case CoreForm::box:
      return (side(0) + side(1)) + side(2);
    case CoreForm::hull:
      return rotate(shape.turn, shape.hull().vertex(number));
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  __builtin_unreachable();
}

}  // namespace
}  // namespace widephase
