#pragma once

// A pair of any two kinds: B moves, A stands. All are in the scene's axes.

#include "kernels/cast_table.hpp"
#include "kernels/casts/box_box_cast.hpp"
#include "kernels/casts/outline_cast.hpp"
#include "kernels/casts/plane_cast.hpp"
#include "kernels/rays/ray_packet.hpp"

namespace widephase {
namespace {

struct PairCast {
  ConvexMeet meet;
  std::int32_t part = -1, feature = -1;
};

WIDEPHASE_INLINE bool is_convex(Kind kind) { return !is_plane(kind) && !is_surface(kind); }

/// A surface stands, a convex shape moves.
template <int D, class T>
PairCast cast_to_surface(const RayShapes<D, T>& shapes, Kind kind, std::int32_t id,
                         const CastCore<SizeOf<T>>& shape, const CastWay& way) {
  using S = SizeOf<T>;
  const SurfacePlace<D> place(cast_row(shapes, kind, id));
  const Vector anchor = cast_center(shapes, kind, id);
  CastCore<S> local = shape;
  local.middle = place.to_surface(shape.middle - anchor);
  for (int k = 0; k < 3; ++k) local.axis[k] = place.to_surface(shape.axis[k]);
  CastWay way_there = way;
  way_there.along = place.to_surface(way.along);
  SurfaceCast cast;
  if constexpr (D == 2) {
    // Outlines of boxes are made of these.
    for (int k = 0; k < 2 && shape.form == CastForm::box; ++k) {
      local.turn[k] = place.to_surface(shape.turn[k]);
    }
    cast = ChainCaster<S>(shapes.chains[place.geometry], local, way_there, place.radius).cast();
  } else {
    SurfaceCaster<S> caster(local, way_there, place.radius);
    cast = traits_of(kind).is_sheet ? caster.cast_mesh(shapes.meshes[place.geometry])
                                    : caster.cast_field(shapes.fields[place.geometry]);
  }
  PairCast answer{cast.meet, cast.part, cast.feature};
  ConvexMeet& meet = answer.meet;
  meet.normal = place.to_scene(meet.normal);
  meet.on_a = anchor + place.to_scene(meet.on_a);
  meet.on_b = anchor + place.to_scene(meet.on_b);
  return answer;
}

/// Whether two cores are cast as boxes.
template <int D, class S>
WIDEPHASE_INLINE bool are_boxes(const CastCore<S>& a, const CastCore<S>& b, const CastWay& way) {
  return is_sharp_box<D>(a) && is_sharp_box<D>(b) && way.margin == 0 && way.tolerance == 0;
}
template <int D, class S>
ConvexMeet cast_cores(const CastCore<S>& a, const CastCore<S>& b, const CastWay& way) {
  if constexpr (D == 2) {
    return cast_outlines(a, b, way);
  } else {
    if (!are_boxes<D>(a, b, way)) return cast_convex(a, b, way);
    BoxLanesOfCasts boxes;
    boxes.put(0, a, b, way);
    for (int lane = 1; lane < BoxLanesOfCasts::lanes; ++lane) boxes.repeat(0, lane);
    cast_boxes(boxes);
    return boxes_meet(boxes, 0, way);
  }
}

/// The shape that is asked about all others: its core is made once.
template <int D, class T>
struct CastMover {
  Kind kind;
  std::int32_t id;
  CastCore<SizeOf<T>> core;  ///< only of convex shapes

  CastMover(const RayShapes<D, T>& shapes, std::int32_t shape)
      : kind(kind_of(shapes.first, shape)), id(shape) {
    if (is_convex(kind)) make_core(shapes, kind, id, core);
  }
};

template <int D, class T>
PairCast cast_pair(const RayShapes<D, T>& shapes, std::int32_t a, const CastMover<D, T>& mover,
                   const CastWay& way) {
  const Kind kind = kind_of(shapes.first, a);
  if (is_convex(kind) && is_convex(mover.kind)) {
    CastCore<SizeOf<T>> core;
    make_core(shapes, kind, a, core);
    return {cast_cores<D>(core, mover.core, way)};
  }
  // The one that is not convex stands, whichever moves; beside a surface the plane does.
  const bool is_swapped = is_convex(kind) || (is_surface(kind) && is_plane(mover.kind));
  CastWay back = way;
  if (is_swapped) back.along = -way.along;
  const Kind standing_kind = is_swapped ? mover.kind : kind;
  const Kind moving_kind = is_swapped ? kind : mover.kind;
  const std::int32_t standing = is_swapped ? mover.id : a, moving = is_swapped ? a : mover.id;
  PairCast answer;
  if (is_convex(moving_kind)) {
    CastCore<SizeOf<T>> core;
    if (is_swapped) make_core(shapes, kind, a, core);
    const CastCore<SizeOf<T>>& shape = is_swapped ? core : mover.core;
    if (is_plane(standing_kind)) {
      answer.meet = cast_to_plane(plane_of(shapes, standing), shape, back);
    } else {
      answer = cast_to_surface(shapes, standing_kind, standing, shape, back);
    }
  } else {
    if (!is_plane(standing_kind) || !is_surface(moving_kind)) return {};
    const SurfaceCast cast =
        cast_surface_to_plane(shapes, plane_of(shapes, standing), moving_kind, moving, back);
    answer = {cast.meet, cast.part, cast.feature};
  }
  // They are told of A alone.
  if (!is_surface(kind)) answer.part = answer.feature = -1;
  if (!is_swapped) return answer;
  ConvexMeet& meet = answer.meet;
  meet.normal = -meet.normal;
  const Vector on_a = meet.on_a;
  meet.on_a = meet.on_b;
  meet.on_b = on_a;
  return answer;
}

template <int D, class T>
double margin_of_cast(const CastWays<D, T>& ways, std::int32_t a, std::int32_t b) {
  double margin = double(ways.margin);
  const auto* const margins = ways.shapes->margins;
  if (margins != nullptr) margin += double(margins[a]) + double(margins[b]);
  return margin;
}

template <int D, class T>
CastWay way_of_row(const CastWays<D, T>& ways, std::int64_t row) {
  CastWay way;
  way.along = {{0, 0, 0}};
  for (int k = 0; k < D; ++k) way.along[k] = double(at_row(ways.direction[k], row));
  way.most = ways.max_t.data == nullptr ? 1.0 : double(at_row(ways.max_t, row));
  way.enough = __builtin_inf();
  way.margin = 0;
  way.tolerance = ways.tolerance;
  return way;
}

/// t as the answer has it: within [0, max_t].
template <class S>
WIDEPHASE_INLINE double rounded_t(double t, double most) {
  const double as = double(static_cast<S>(t));
  return as < most ? as : most;
}

inline constexpr CastFound kNothingFound{-1,   -1, -1,        CastStatus::none,
                                         true, 0,  {0, 0, 0}, {0, 0, 0}};

WIDEPHASE_INLINE void put_found(const PairCast& cast, std::int32_t shape, double t,
                                CastFound& found) {
  const ConvexMeet& meet = cast.meet;
  found.shape = shape;
  found.part = cast.part;
  found.feature = cast.feature;
  found.status = meet.is_start  ? CastStatus::started_inside
                 : meet.is_open ? CastStatus::bound
                                : CastStatus::hit;
  found.has_point = meet.has_points;
  found.t = t;
  for (int k = 0; k < 3; ++k) {
    found.normal[k] = meet.normal[k];
    found.point[k] = meet.on_a[k];
  }
}

/// Boxes of pairs, cast when all lanes are taken.
template <int D, class T>
class BoxPairs {
 public:
  explicit BoxPairs(const CastPairJob<D, T>& job) : job_(job) {}
  void add(std::int64_t row, const CastCore<SizeOf<T>>& a, const CastCore<SizeOf<T>>& b,
           const CastWay& way) {
    boxes_.put(count_, a, b, way);
    row_[count_] = row;
    way_[count_] = way;
    if (++count_ == BoxLanesOfCasts::lanes) flush();
  }
  void flush() {
    if (count_ == 0) return;
    for (int lane = count_; lane < BoxLanesOfCasts::lanes; ++lane) boxes_.repeat(0, lane);
    cast_boxes(boxes_);
    for (int lane = 0; lane < count_; ++lane) {
      const PairCast cast{boxes_meet(boxes_, lane, way_[lane])};
      if (!cast.meet.is_met) continue;
      put_found(cast, job_.pairs[row_[lane]].a, rounded_t<SizeOf<T>>(cast.meet.t, way_[lane].most),
                job_.found[row_[lane]]);
    }
    count_ = 0;
  }

 private:
  const CastPairJob<D, T>& job_;
  BoxLanesOfCasts boxes_;
  std::int64_t row_[BoxLanesOfCasts::lanes];
  CastWay way_[BoxLanesOfCasts::lanes];
  int count_ = 0;
};

template <int D, class T>
void cast_pairs(const CastPairJob<D, T>& job) {
  const CastWays<D, T>& ways = job.ways;
  const RayShapes<D, T>& shapes = *ways.shapes;
  BoxPairs<D, T> boxes(job);
  for (std::int64_t i = job.first; i < job.first + job.count; ++i) {
    CastFound& found = job.found[i];
    found = kNothingFound;
    const Pair pair = job.pairs[i];
    CastWay way = way_of_row(ways, i);
    way.margin = margin_of_cast(ways, pair.a, pair.b);
    const CastMover<D, T> mover(shapes, pair.b);
    const Kind kind = kind_of(shapes.first, pair.a);
    if (is_convex(kind) && is_convex(mover.kind) && is_sharp_box<D>(mover.core)) {
      CastCore<SizeOf<T>> core;
      make_core(shapes, kind, pair.a, core);
      if (are_boxes<D>(core, mover.core, way)) {
        boxes.add(i, core, mover.core, way);
        continue;
      }
    }
    const PairCast cast = cast_pair(shapes, pair.a, mover, way);
    if (!cast.meet.is_met) continue;
    put_found(cast, pair.a, rounded_t<SizeOf<T>>(cast.meet.t, way.most), found);
  }
  boxes.flush();
}

}  // namespace
}  // namespace widephase
