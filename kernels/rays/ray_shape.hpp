#pragma once

// One shape of any kind per lane against one ray per lane. A kind that is added does not compile
// before it has a case here.

#include <type_traits>

#include "kernels/kind_rows.hpp"
#include "kernels/ray_table.hpp"
#include "kernels/rays/ray_polytope.hpp"
#include "kernels/rays/ray_solids.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {
namespace {

/// The most numbers of a packed row and of a shape's anchors.
inline constexpr int kMostRowNumbers = 16;
inline constexpr int kMostAnchorNumbers = 8;

/// The sizes of kernels/kind_rows.hpp as numbers: this object must not share a function with
/// others.
template <int D>
struct KindSizes {
  int row[kKindCount] = {}, anchors[kKindCount] = {};
  bool is_plane[kKindCount] = {}, is_surface[kKindCount] = {};
  constexpr KindSizes() {
    for (int k = 0; k < kKindCount; ++k) {
      row[k] = row_width(static_cast<Kind>(k), D);
      anchors[k] = anchor_width(static_cast<Kind>(k));
      is_plane[k] = traits_of(static_cast<Kind>(k)).is_unbounded;
      is_surface[k] = traits_of(static_cast<Kind>(k)).is_surface;
      if (row[k] > kMostRowNumbers || anchors[k] > kMostAnchorNumbers) __builtin_trap();
    }
  }
};
template <int D>
inline constexpr KindSizes<D> kKindSizes;
template <int D>
WIDEPHASE_INLINE int row_numbers(Kind kind) {
  return kKindSizes<D>.row[static_cast<int>(kind)];
}
WIDEPHASE_INLINE int anchor_numbers(Kind kind) {
  return kKindSizes<3>.anchors[static_cast<int>(kind)];
}

WIDEPHASE_INLINE bool is_plane(Kind kind) { return kKindSizes<3>.is_plane[static_cast<int>(kind)]; }
WIDEPHASE_INLINE bool is_surface(Kind kind) {
  return kKindSizes<3>.is_surface[static_cast<int>(kind)];
}

/// What lanes read of their shapes, all of one kind.
template <class F, int D>
struct ShapeLanes {
  F row[kMostRowNumbers];
  F apart[kMostAnchorNumbers];  ///< in mixed precision: the anchors relative to the rays' origins
  Vec<F, D> rest;               ///< what rounding removed from the centre
};

template <int Numbers, class F>
struct FirstNumbers {
  F number[Numbers];
  template <int Most>
  WIDEPHASE_INLINE explicit FirstNumbers(const F (&all)[Most]) {
    for (int i = 0; i < Numbers; ++i) number[i] = all[i];
  }
};

/// Moves a shape so that the ray's origin is the origin.
template <bool IsMixed, class F, int D, class Shape>
WIDEPHASE_INLINE void move_to_ray(const ShapeLanes<F, D>& lanes, const Vec<F, D>& origin,
                                  Shape& shape) {
  if constexpr (IsMixed) {
    shape.move_to(FirstNumbers<4 * Shape::anchors, F>(lanes.apart).number);
  } else {
    shape.move_back(origin);
  }
}

template <Side S, bool IsMixed, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> meet_shape(Kind kind, const ShapeLanes<F, D>& lanes,
                                          const Vec<F, D>& origin, const RayLanes<F, D>& ray,
                                          const RealOf<F>* library, const std::int16_t* indices,
                                          unsigned live) {
  const auto moved = [&](auto shape) {
    move_to_ray<IsMixed>(lanes, origin, shape);
    return shape;
  };
  const auto row = [&]<int Quads>(std::integral_constant<int, Quads>) {
    return FirstNumbers<4 * Quads, F>(lanes.row);
  };
  const auto make = [&]<class Shape>(std::type_identity<Shape>) {
    return moved(Shape(row(std::integral_constant<int, Shape::quads>()).number));
  };
  switch (kind) {
    case Kind::sphere:
      return ray_sphere<S>(make(std::type_identity<SphereLanes<F, D>>()), ray);
    case Kind::capsule:
      return ray_capsule<S>(make(std::type_identity<CapsuleLanes<F, D>>()), ray);
    case Kind::aabb:
      return ray_aabb<S>(make(std::type_identity<AabbLanes<F, D>>()), ray);
    case Kind::box:
      return ray_box<S>(make(std::type_identity<BoxLanes<F, D>>()), ray);
    case Kind::halfspace:
      return ray_halfspace<S>(make(std::type_identity<HalfspaceLanes<F, D>>()), ray);
    case Kind::polygon:
      if constexpr (D == 2) {
        PolygonLanes<F> shape = moved(PolygonLanes<F>(
            row(std::integral_constant<int, PolygonLanes<F>::quads>()).number, library));
        shape.center = shape.center + lanes.rest;
        RayMeet<F, 2> meet = ray_polygon<S>(shape, ray, live);
        meet.point = meet.point + lanes.rest;
        return meet;
      }
      break;
    case Kind::hull:
      if constexpr (D == 3) {
        BoxLanes<F, 3> shape = make(std::type_identity<BoxLanes<F, 3>>());
        shape.center = shape.center + lanes.rest;
        RayMeet<F, 3> meet = ray_hull<S>(shape, library, indices, ray, live);
        meet.point = meet.point + lanes.rest;
        return meet;
      }
      break;
    case Kind::cylinder:
      if constexpr (D == 3) {
        return ray_cylinder<S>(make(std::type_identity<BoxLanes<F, 3>>()), ray);
      }
      break;
    case Kind::ellipsoid:
      if constexpr (D == 3) {
        return ray_ellipsoid<S>(make(std::type_identity<BoxLanes<F, 3>>()), ray);
      }
      break;
    case Kind::cone:
      if constexpr (D == 3) {
        return ray_cone<S>(make(std::type_identity<BoxLanes<F, 3>>()), ray);
      }
      break;
    case Kind::heightfield:  // walked by a ray alone (ray_surface.hpp)
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  __builtin_unreachable();
}

/// The answer that counts, by what a shape is to a ray that starts in it.
template <class F>
struct RayAnswer {
  MaskOf<F> is_met;
  MaskOf<F> is_inside;
  F t;
  F open;
};

/// What counts of where rays enter.
template <class F, int D>
WIDEPHASE_INLINE RayAnswer<F> entering(const RayMeet<F, D>& in, Inside inside) {
  RayAnswer<F> answer{in.is_met, in.is_inside, select(in.is_inside, F(0), in.t),
                      select(in.is_inside, F(0), in.open)};
  if (inside == Inside::leave) answer.is_met = answer.is_met & !in.is_inside;
  return answer;
}

/// One batch of lanes. Not inlined: it is large.
template <bool IsMixed, class F, int D>
__attribute__((noinline)) RayAnswer<F> answer_shape(
    Kind kind, const ShapeLanes<F, D>& lanes, const Vec<F, D>& origin, const RayLanes<F, D>& ray,
    const RealOf<F>* library, const std::int16_t* indices, unsigned live, Inside inside) {
  const RayMeet<F, D> in =
      meet_shape<Side::enter, IsMixed>(kind, lanes, origin, ray, library, indices, live);
  RayAnswer<F> answer = entering(in, inside);
  if (inside == Inside::exit && (mask_bits(in.is_inside) & live) != 0) {
    const RayMeet<F, D> out =
        meet_shape<Side::leave, IsMixed>(kind, lanes, origin, ray, library, indices, live);
    answer.is_met = select_mask<F>(in.is_inside, out.is_met, in.is_met);
    answer.t = select(in.is_inside, out.t, in.t);
    answer.open = select(in.is_inside, out.open, in.open);
  }
  return answer;
}

/// Normal, point and feature of what was hit.
template <class F, int D>
struct RaySurface {
  Vec<F, D> normal;
  Vec<F, D> point;  ///< relative to the shape's anchor; a halfspace's to the ray's origin
  F feature;
  MaskOf<F> is_start;  ///< the point is the ray's origin
};

template <bool IsMixed, class F, int D>
__attribute__((noinline)) RaySurface<F, D> surface_of_shape(
    Kind kind, const ShapeLanes<F, D>& lanes, const Vec<F, D>& origin, const RayLanes<F, D>& ray,
    const RealOf<F>* library, const std::int16_t* indices, unsigned live, Inside inside) {
  const RayMeet<F, D> in =
      meet_shape<Side::enter, IsMixed>(kind, lanes, origin, ray, library, indices, live);
  RaySurface<F, D> surface{in.normal, in.point, in.feature, no_lane<F>()};
  if ((mask_bits(in.is_inside) & live) == 0) return surface;
  if (inside == Inside::exit) {
    const RayMeet<F, D> out =
        meet_shape<Side::leave, IsMixed>(kind, lanes, origin, ray, library, indices, live);
    surface.normal = select(in.is_inside, out.normal, in.normal);
    surface.point = select(in.is_inside, out.point, in.point);
    surface.feature = select(in.is_inside, out.feature, in.feature);
  } else {
    surface.normal =
        select(in.is_inside, usable_normal<Side::enter>(zero_vec<F, D>(), ray), in.normal);
    surface.feature = select(in.is_inside, F(0), in.feature);
    surface.is_start = in.is_inside;
  }
  return surface;
}

}  // namespace
}  // namespace widephase
