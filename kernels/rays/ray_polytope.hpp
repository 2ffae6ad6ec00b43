#pragma once

// Rays against polygons and hulls: one pair at a time, its faces in lanes. The interval of t in all
// faces' halfspaces is the answer, and the face that is entered last the one that is hit; among
// equal ones the lowest.
//
// With a radius, the faces move outwards by it. Where the ray then enters beside the face, the
// edges and vertices decide, each edge as a capsule: the surface of a rounded polytope is that of
// its faces and of these.

#include "kernels/core/basis/eights.hpp"
#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/support/convex.hpp"
#include "kernels/rays/ray_round.hpp"

namespace widephase {
namespace {

/// Where a line is inside the planes of a polytope.
template <class T>
struct PlanesMet {
  T low, high;  ///< the interval of t
  int low_face, high_face;
  T least_depth;  ///< of the origin below the planes; the face that it is nearest to
  int least_face;
};

/// Blocks of eight planes: normals at `normal`, 8 numbers apart for each axis, offsets at `offset`.
template <int D, class T>
__attribute__((noinline)) PlanesMet<T> meet_planes(const T* blocks, int block_count,
                                                   int block_numbers, int normal, int offset,
                                                   T reach, const Vec<T, D>& origin,
                                                   const Vec<T, D>& direction) {
  const Eight<T> zero = eight_of(T(0)), one = eight_of(T(1));
  const Eight<T> far = eight_of(kInfinite<T>), before = eight_of(-kInfinite<T>);
  Eight<T> low = before, high = far, least = far;
  Eight<T> number = count_up<T>(), low_number = zero, high_number = zero, least_number = zero;
  for (int b = 0; b < block_count; ++b) {
    const T* const block = blocks + b * block_numbers;
    Eight<T> height = load_eight(block + normal) * eight_of(origin[0]);
    Eight<T> rise = load_eight(block + normal) * eight_of(direction[0]);
    for (int k = 1; k < D; ++k) {
      const Eight<T> of_axis = load_eight(block + normal + 8 * k);
      height = height + of_axis * eight_of(origin[k]);
      rise = rise + of_axis * eight_of(direction[k]);
    }
    const Eight<T> depth = (load_eight(block + offset) + eight_of(reach)) - height;
    const Eight<T> is_rising = select_greater(rise, zero, one, zero);
    const Eight<T> is_falling = select_greater(zero, rise, one, zero);
    const Eight<T> divisor = select_greater(is_rising + is_falling, zero, rise, one);
    const Eight<T> at =
        each_part<T, 8>([&](int i) { return divide(depth.part[i], divisor.part[i]); });
    // Along a plane: never inside if the origin is outside.
    const Eight<T> level = select_greater(zero, depth, far, before);
    const Eight<T> from =
        select_greater(is_falling, zero, at, select_greater(is_rising, zero, before, level));
    const Eight<T> to = select_greater(is_rising, zero, at, far);
    low_number = select_greater(from, low, number, low_number);
    low = greater(low, from);
    high_number = select_greater(high, to, number, high_number);
    high = lesser(high, to);
    least_number = select_greater(least, depth, number, least_number);
    least = lesser(least, depth);
    number = number + eight_of(T(8));
  }
  PlanesMet<T> met;
  const auto negative = [&](const Eight<T>& x) { return zero - x; };
  met.low = reduce_eight(low, [](T a, T b) { return greater_of(a, b); });
  met.high = reduce_eight(high, [](T a, T b) { return lesser_of(a, b); });
  met.least_depth = reduce_eight(least, [](T a, T b) { return lesser_of(a, b); });
  met.low_face = lowest_number(low_number, bits_at_least(low, eight_of(met.low)));
  met.high_face = lowest_number(high_number, bits_at_least(negative(high), eight_of(-met.high)));
  met.least_face =
      lowest_number(least_number, bits_at_least(negative(least), eight_of(-met.least_depth)));
  return met;
}

/// What one pair of a ray and a polytope answers.
template <int D, class T>
struct PolytopeMeet {
  bool is_met, is_inside;
  T t;
  Vec<T, D> normal;  ///< in the polytope's frame
  Vec<T, D> point;   ///< on the sharp polytope
  T feature;
};

/// An edge that a ray meets.
template <int D, class T>
struct EdgeMeet {
  bool is_met, is_inside;
  T t;
  int edge;
  int end;  ///< 0 or 1: at that vertex; 2: between
  Vec<T, D> normal, point;
};

/// The edge that the ray enters first or leaves last. Each has `quads` rows of four numbers from
/// `edges` on, of which the first are both ends.
template <Side S, class F, int D, int Quads>
__attribute__((noinline)) EdgeMeet<D, RealOf<F>> meet_edges(const RealOf<F>* edges, int count,
                                                            RealOf<F> reach,
                                                            const Vec<RealOf<F>, D>& origin,
                                                            const Vec<RealOf<F>, D>& direction) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const RayLanes<F, D> ray(each_axis<F, D>([&](int k) { return F(direction[k]); }), F(0));
  EdgeMeet<D, T> best{false, false, 0, 0, 0, {}, {}};
  for (int first = 0; first < count; first += kLanes) {
    std::int32_t index[kLanes];
    for (int i = 0; i < kLanes; ++i) index[i] = first + i < count ? first + i : count - 1;
    F row[4 * Quads];
    load_quads<Quads, 1>(edges, index, row);
    const Vec<F, D> p = each_axis<F, D>([&](int k) { return row[k]; });
    const Vec<F, D> q = each_axis<F, D>([&](int k) { return row[D + k]; });
    const Vec<F, D> from = each_axis<F, D>([&](int k) { return F(origin[k]); });
    const SegmentLanes<F, D> core{p - from, q - from, q - p};
    const RayMeet<F, D> meet = ray_segment<S>(core, F(reach), ray);
    best.is_inside = best.is_inside || any<F>(meet.is_inside);
    unsigned bits = mask_bits(meet.is_met);
    if (bits == 0) continue;
    const Lanes<F> t(meet.t), feature(meet.feature);
    for (; bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctz(bits);
      const bool is_better = S == Side::enter ? t[i] < best.t : t[i] > best.t;
      if (best.is_met && !is_better) continue;
      best.is_met = true;
      best.t = t[i];
      best.edge = index[i];
      best.end = feature[i] == vertex_feature(T(0))   ? 0
                 : feature[i] == vertex_feature(T(1)) ? 1
                                                      : 2;
      for (int k = 0; k < D; ++k) {
        best.normal[k] = Lanes<F>(meet.normal[k])[i];
        best.point[k] = Lanes<F>(p[k] + meet.point[k])[i];
      }
    }
  }
  return best;
}

/// The highest of the faces that a point outside lies over; -1 if there is none.
template <class T, int D, class Shape>
int face_below(const Shape& shape, const Vec<T, D>& point) {
  int face = -1;
  T highest = 0;
  for (int f = 0; f < shape.face_count(); ++f) {
    const T height = dot(shape.normal(f), point) - shape.offset(f);
    if (!(height > highest) || !shape.is_over(f, point)) continue;
    face = f;
    highest = height;
  }
  return face;
}

/// `Shape` describes one polytope: its planes, a face's normal and offset, its edges and the names
/// of features.
template <Side S, class F, int D, class Shape>
WIDEPHASE_INLINE PolytopeMeet<D, RealOf<F>> meet_polytope(const Shape& shape, RealOf<F> reach,
                                                          const Vec<RealOf<F>, D>& origin,
                                                          const Vec<RealOf<F>, D>& direction) {
  using T = RealOf<F>;
  const PlanesMet<T> planes = shape.meet(reach, origin, direction);
  PolytopeMeet<D, T> meet{};
  meet.is_inside = planes.least_depth >= 0;
  meet.is_met = meet.is_inside || (planes.low <= planes.high && planes.high >= 0);
  if (!meet.is_met) return meet;
  const T at = S == Side::enter ? planes.low : planes.high;
  const bool has_side = at - at == 0;
  meet.t = has_side && at > 0 ? at : 0;
  const Vec<T, D> there = origin + meet.t * direction;
  const auto put_face = [&](int face) {
    meet.normal = shape.normal(face);
    meet.feature = shape.face(face);
    meet.point = there - (dot(meet.normal, there) - shape.offset(face)) * meet.normal;
  };
  const int first = S == Side::enter ? planes.low_face : planes.high_face;
  put_face(first);
  if (!(reach > 0)) return meet;
  const bool is_at_side = (S == Side::leave || !meet.is_inside) && has_side;
  bool is_on_face = is_at_side && shape.is_over(first, meet.point);
  if (is_at_side && !is_on_face) {
    // Faces nearly in one plane, of which one may be joined of several, are met within rounding of
    // one another. What is over any face is within reach of it, so it is met here.
    const int face = face_below(shape, there);
    is_on_face = face >= 0;
    if (is_on_face) put_face(face);
  }
  const EdgeMeet<D, T> edge = is_on_face && S == Side::leave
                                  ? EdgeMeet<D, T>{}
                                  : shape.template edge<S, F>(reach, origin, direction);
  const bool is_inside_sharp = planes.least_depth >= reach;
  if (meet.is_inside && !is_inside_sharp) {
    // Between the faces and those moved outwards: over a face, or within reach of an edge.
    meet.is_inside =
        shape.is_over(planes.least_face, origin) ||
        (S == Side::enter
             ? edge.is_inside
             : shape.template edge<Side::enter, F>(reach, origin, direction).is_inside);
  }
  if (is_on_face) return meet;
  meet.is_met = meet.is_inside || edge.is_met;
  if (!edge.is_met) return meet;
  meet.t = edge.t;
  meet.normal = edge.normal;
  meet.point = edge.point;
  meet.feature =
      edge.end == 2 ? shape.edge_name(edge.edge) : shape.vertex_name(edge.edge, edge.end);
  return meet;
}

template <class T>
struct RayPolygon {
  const T* blocks;  ///< its place in the library
  int count;

  const T* records() const {
    return blocks + PolygonLayout::block_count(count) * PolygonLayout::block;
  }
  WIDEPHASE_INLINE PlanesMet<T> meet(T reach, const Vec<T, 2>& origin,
                                     const Vec<T, 2>& direction) const {
    return meet_planes<2, T>(blocks, PolygonLayout::block_count(count), PolygonLayout::block,
                             PolygonLayout::normal_x, PolygonLayout::offset, reach, origin,
                             direction);
  }
  template <Side S, class F>
  EdgeMeet<2, T> edge(T reach, const Vec<T, 2>& origin, const Vec<T, 2>& direction) const {
    return meet_edges<S, F, 2, PolygonLayout::record / 4>(records(), count, reach, origin,
                                                          direction);
  }
  int face_count() const { return count; }
  Vec<T, 2> normal(int face) const {
    const T* const at = records() + face * PolygonLayout::record;
    return {{at[4], at[5]}};
  }
  T offset(int face) const {
    return blocks[face / 8 * PolygonLayout::block + face % 8 + PolygonLayout::offset];
  }
  /// Whether a point lies between the ends of an edge.
  bool is_over(int face, const Vec<T, 2>& point) const {
    const T* const at = records() + face * PolygonLayout::record;
    const Vec<T, 2> p{{at[0], at[1]}}, q{{at[2], at[3]}}, along = q - p;
    return dot(along, point - p) >= 0 && dot(along, point - q) <= 0;
  }
  T face(int face) const { return edge_feature(T(face)); }
  T edge_name(int edge) const { return edge_feature(T(edge)); }
  T vertex_name(int edge, int end) const {
    return vertex_feature(T(edge + end == count ? 0 : edge + end));
  }
};

template <class T>
struct RayHull {
  HullView<T> hull;

  WIDEPHASE_INLINE PlanesMet<T> meet(T reach, const Vec<T, 3>& origin,
                                     const Vec<T, 3>& direction) const {
    return meet_planes<3, T>(hull.face_blocks(), hull.face_block_count(), HullLayout::face_block, 0,
                             HullLayout::offset, reach, origin, direction);
  }
  template <Side S, class F>
  EdgeMeet<3, T> edge(T reach, const Vec<T, 3>& origin, const Vec<T, 3>& direction) const {
    return meet_edges<S, F, 3, HullLayout::edge / 4>(hull.edges(), hull.edge_count, reach, origin,
                                                     direction);
  }
  int face_count() const { return hull.face_count; }
  Vec<T, 3> normal(int face) const { return hull.face_normal(face); }
  T offset(int face) const { return hull.face_offset(face); }
  /// Whether a point lies over a face, seen along its normal.
  bool is_over(int face, const Vec<T, 3>& point) const {
    const Vec<T, 3> up = hull.face_normal(face);
    const std::int16_t* const ring = hull.face_vertices();
    const int begin = hull.face_start(face), end = hull.face_start(face + 1);
    for (int at = begin, before = end - 1; at < end; before = at++) {
      const Vec<T, 3> p = hull.vertex(ring[before]), q = hull.vertex(ring[at]);
      if (dot(cross(q - p, point - p), up) < 0) return false;
    }
    return true;
  }
  T face(int face) const { return face_feature(T(face)); }
  T edge_name(int edge) const { return edge_feature(T(edge)); }
  T vertex_name(int edge, int end) const { return vertex_feature(T(hull.edge_vertex(edge, end))); }
};

/// The lanes one after the other; `shape_of(lane)` is the polytope, in whose frame the rays are.
template <Side S, class F, int D, class ShapeOf>
WIDEPHASE_INLINE RayMeet<F, D> ray_polytopes(const Vec<F, D>& origin, const Vec<F, D>& direction,
                                             const F& reach, unsigned live,
                                             const ShapeOf& shape_of) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  T from[D][kLanes], along[D][kLanes], normal[D][kLanes] = {}, point[D][kLanes] = {};
  T t[kLanes] = {}, feature[kLanes] = {};
  for (int k = 0; k < D; ++k) {
    store(from[k], origin[k]);
    store(along[k], direction[k]);
  }
  const Lanes<F> reaches(reach);
  unsigned met = 0, inside = 0;
  for (unsigned left = live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const Vec<T, D> o = each_axis<T, D>([&](int k) { return from[k][i]; });
    const Vec<T, D> d = each_axis<T, D>([&](int k) { return along[k][i]; });
    const PolytopeMeet<D, T> meet = meet_polytope<S, F, D>(shape_of(i), reaches[i], o, d);
    met |= meet.is_met ? 1u << i : 0u;
    inside |= meet.is_inside ? 1u << i : 0u;
    t[i] = meet.t;
    feature[i] = meet.feature;
    for (int k = 0; k < D; ++k) {
      normal[k][i] = meet.normal[k];
      point[k][i] = meet.point[k];
    }
  }
  RayMeet<F, D> meet;
  meet.is_met = lanes_of<F>(met);
  meet.is_inside = lanes_of<F>(inside);
  meet.t = load(t);
  meet.open = F(0);
  meet.normal = each_axis<F, D>([&](int k) { return load(normal[k]); });
  meet.point = each_axis<F, D>([&](int k) { return load(point[k]); });
  meet.feature = load(feature);
  return meet;
}

// ray_polygon: the origin moves into the polygon's frame. Cost: as many divisions as edges.
template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 2> ray_polygon(const PolygonLanes<F>& shape, const RayLanes<F, 2>& ray,
                                           unsigned live) {
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  const Lanes<F> places(shape.place), counts(shape.counts);
  RayMeet<F, 2> meet =
      ray_polytopes<S>(local.origin, local.direction, shape.radius + ray.grow, live, [&](int i) {
        return RayPolygon<RealOf<F>>{
            shape.library + std::ptrdiff_t{PolygonLayout::record} * integer_in(places[i]),
            PolygonLayout::vertex_count(integer_in(counts[i]))};
      });
  meet.normal = usable_normal<S>(rotate(shape.rotation, meet.normal), ray);
  meet.point = rotate(shape.rotation, meet.point) + shape.radius * meet.normal;
  return meet;
}

// ray_hull: likewise. Cost: as many divisions as faces.
template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_hull(const BoxLanes<F, 3>& shape, const RealOf<F>* library,
                                        const std::int16_t* indices, const RayLanes<F, 3>& ray,
                                        unsigned live) {
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  const Lanes<F> places(shape.half_extents[0]);
  RayMeet<F, 3> meet =
      ray_polytopes<S>(local.origin, local.direction, shape.radius + ray.grow, live, [&](int i) {
        return RayHull<RealOf<F>>{HullView<RealOf<F>>(library, indices, integer_in(places[i]))};
      });
  meet.normal = usable_normal<S>(rotate(shape.rotation, meet.normal), ray);
  meet.point = rotate(shape.rotation, meet.point) + shape.radius * meet.normal;
  return meet;
}

}  // namespace
}  // namespace widephase
