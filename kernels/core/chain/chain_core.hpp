#pragma once

// A convex shape in the frame of a chain: all 2D kinds but halfspaces are a core of 1 to 64
// vertices and a radius.

#include "kernels/core/basis/rows.hpp"
#include "kernels/core/chain/vector2.hpp"
#include "kernels/core/polygon/edge_manifold.hpp"
#include "kernels/surface_table.hpp"

namespace widephase {
namespace {

inline constexpr int kMostCorners = 64;

/// How a kind's rows tell its core.
enum class FlatForm : std::uint8_t { point, segment, aabb, box, polygon };
constexpr FlatForm flat_form(Kind kind) {
  switch (kind) {
    case Kind::circle:
      return FlatForm::point;
    case Kind::capsule:
      return FlatForm::segment;
    case Kind::aabb:
      return FlatForm::aabb;
    case Kind::box:
      return FlatForm::box;
    case Kind::polygon:
      return FlatForm::polygon;
    case Kind::hull:
    case Kind::cylinder:
    case Kind::halfspace:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  __builtin_unreachable();
}

/// A core in a chain's axes, about its own middle.
struct ChainCore {
  int count;
  FlatForm form;
  Vector2 vertex[kMostCorners];         ///< counter-clockwise
  Vector2 normal[kMostCorners];         ///< unit and outwards, of the edge from it to the next one
  std::uint8_t is_inner[kMostCorners];  ///< that edge lies inside the shape's owner
  Vector2 inner;                        ///< a point of the core
  double reach;                         ///< of the vertices from the middle
  double radius;

  int edge_count() const { return count < 2 ? 0 : count; }
  int next(int v) const { return v + 1 < count ? v + 1 : 0; }
  /// The vertex that is farthest against a direction.
  int lowest(const Vector2& up) const {
    int best = 0;
    double least = dot(up, vertex[0]);
    for (int v = 1; v < count; ++v) {
      const double here = dot(up, vertex[v]);
      best = here < least ? v : best;
      least = here < least ? here : least;
    }
    return best;
  }
  /// Numbers as the kind's contacts have them.
  std::uint32_t vertex_name(int v) const {
    if (form == FlatForm::point) return 0;
    constexpr int kOfBox[4] = {0, 1, 3, 2};
    const bool is_box = form == FlatForm::box || form == FlatForm::aabb;
    return static_cast<std::uint32_t>(vertex_feature(double(is_box ? kOfBox[v] : v)));
  }
  std::uint32_t edge_name(int e) const {
    if (form == FlatForm::point) return 0;
    constexpr int kOfBox[4] = {2, 1, 3, 0};
    if (form == FlatForm::box || form == FlatForm::aabb) {
      return static_cast<std::uint32_t>(face_feature(double(kOfBox[e])));
    }
    return static_cast<std::uint32_t>(edge_feature(double(form == FlatForm::segment ? 0 : e)));
  }
};

/// Where a shape and a chain are.
struct ChainPlace {
  std::int32_t chain;   ///< its number in the library
  double thickness;     ///< of the chain
  Vector2 axis;         ///< the chain's own x in the scene's axes
  Vector2 middle;       ///< of the core, in the chain's frame
  Vector2 from_anchor;  ///< the middle from the anchor of the shape's row, in the chain's axes
  Vector2 rest;         ///< what rounding removed from the anchor, in the scene's axes

  Vector2 to_scene(const Vector2& v) const {
    return {{axis[0] * v[0] - axis[1] * v[1], axis[1] * v[0] + axis[0] * v[1]}};
  }
  Vector2 to_chain(const Vector2& v) const {
    return {{axis[0] * v[0] + axis[1] * v[1], axis[0] * v[1] - axis[1] * v[0]}};
  }
};

/// The shape's id before the chain's, whose kind is the last.
WIDEPHASE_INLINE Pair shape_and_chain(const Pair& pair) {
  return pair.a < pair.b ? pair : Pair{pair.b, pair.a};
}
template <class T>
WIDEPHASE_INLINE double margin_with_chain(const PairRun<2, T>& run, const Pair& own) {
  double margin = double(run.margin);
  if (run.margins != nullptr) margin += double(run.margins[own.a]) + double(run.margins[own.b]);
  return margin;
}
template <class T>
WIDEPHASE_INLINE const T* chain_row(const PairRun<2, T>& run, const Pair& own) {
  return run.rows_b + std::ptrdiff_t{own.b} * 8;
}

/// Places the chain of a pair: all but the shape's own numbers.
template <class T>
ChainPlace place_chain(const PairRun<2, T>& run, const Pair& own) {
  const T* const row = chain_row(run, own);
  ChainPlace place{};
  place.axis = unit_along({{double(row[2]), double(row[3])}});
  place.thickness = double(row[4]);
  place.chain = integer_in(row[5]);
  return place;
}

/// Corners of a box about its middle, by its half sides.
WIDEPHASE_INLINE void set_box(const Vector2& x, const Vector2& along, const Vector2& across,
                              double half_x, double half_y, ChainCore& core) {
  const Vector2 side_x = scaled(along, half_x), side_y = scaled(across, half_y);
  core.count = 4;
  core.vertex[0] = x - side_x - side_y;
  core.vertex[1] = x + side_x - side_y;
  core.vertex[2] = x + side_x + side_y;
  core.vertex[3] = x - side_x + side_y;
  const Vector2 out_x = unit_along(along), out_y = unit_along(across);
  core.normal[0] = -out_y;
  core.normal[1] = out_x;
  core.normal[2] = out_y;
  core.normal[3] = -out_x;
}

/// Reads a shape's row: its core in the axes that `to_axes` turns to. Returns where the core's
/// middle is from the point that the row begins with, in the scene's axes.
template <class T, class ToAxes>
Vector2 read_core(Kind kind, const T* row, const T* library, const ToAxes& to_axes,
                  ChainCore& core) {
  const FlatForm form = flat_form(kind);
  const Vector2 none{{0, 0}};
  Vector2 from_anchor = none;
  core.form = form;
  core.inner = none;
  core.radius = 0;
  for (std::uint8_t& is_inner : core.is_inner) is_inner = 0;
  const auto number = [&](int k) { return double(row[k]); };
  const auto axes = [&](Vector2& along, Vector2& across) {
    along = to_axes({{number(2), number(3)}});
    across = {{0 - along[1], along[0]}};
  };
  if (form == FlatForm::point) {
    core.count = 1;
    core.vertex[0] = none;
    core.radius = number(3);
  } else if (form == FlatForm::segment) {
    from_anchor = {{0.5 * (number(4) - number(0)), 0.5 * (number(5) - number(1))}};
    const Vector2 half = to_axes(from_anchor);
    core.count = dot(half, half) > 0 ? 2 : 1;
    core.vertex[0] = -half;
    core.vertex[1] = half;
    core.normal[0] = right_of(unit_along(half));
    core.normal[1] = -core.normal[0];
    core.radius = number(3);
  } else if (form == FlatForm::aabb) {
    from_anchor = {{0.5 * (number(2) - number(0)), 0.5 * (number(3) - number(1))}};
    set_box(none, to_axes({{1, 0}}), to_axes({{0, 1}}), from_anchor[0], from_anchor[1], core);
  } else if (form == FlatForm::box) {
    Vector2 along, across;
    axes(along, across);
    set_box(none, along, across, number(4), number(5), core);
    core.radius = number(6);
  } else {
    Vector2 along, across;
    axes(along, across);
    core.radius = number(4);
    const T* const blocks = library + std::ptrdiff_t{PolygonLayout::record} * integer_in(row[5]);
    core.count = PolygonLayout::vertex_count(integer_in(row[6]));
    const T* const records = blocks + PolygonLayout::block * PolygonLayout::block_count(core.count);
    for (int v = 0; v < core.count; ++v) {
      const T* const block = blocks + v / 8 * PolygonLayout::block + v % 8;
      core.vertex[v] = scaled(along, double(block[PolygonLayout::vertex_x])) +
                       scaled(across, double(block[PolygonLayout::vertex_y]));
      core.inner = core.inner + core.vertex[v];
      core.is_inner[v] = records[v * PolygonLayout::record + PolygonLayout::inner] != T(0) ? 1 : 0;
    }
    core.inner = scaled(core.inner, 1.0 / core.count);
    for (int v = 0; v < core.count; ++v) {
      core.normal[v] = right_of(unit_along(core.vertex[core.next(v)] - core.vertex[v]));
    }
  }
  double square = 0;
  for (int v = 0; v < core.count; ++v) {
    const double here = dot(core.vertex[v], core.vertex[v]);
    square = here > square ? here : square;
  }
  core.reach = root(square);
  return from_anchor;
}

/// From the chain's origin to the point of a shape's row, in the scene's axes; `rest`: what
/// rounding removed from that.
template <class T>
WIDEPHASE_INLINE Vector2 from_chain(const PairRun<2, T>& run, const Pair& own, const T* row,
                                    Vector2& rest) {
  const T* const chain = chain_row(run, own);
  Vector2 apart;
  for (int k = 0; k < 2; ++k) {
    if constexpr (sizeof(T) == 4) {
      if (run.anchors_a != nullptr) {
        apart[k] = run.anchors_a[std::ptrdiff_t{own.a} * run.anchor_width_a + k] -
                   run.anchors_b[std::ptrdiff_t{own.b} * run.anchor_width_b + k];
        continue;
      }
    }
    apart[k] = double(row[k]) - double(chain[k]);
  }
  rest = {{0, 0}};
  if (run.rests_a != nullptr) {
    for (int k = 0; k < 2; ++k) rest[k] = double(run.rests_a[std::ptrdiff_t{own.a} * 4 + k]);
  }
  return apart + rest;
}

/// Reads a shape's row into the chain's axes.
template <class T>
void place_core(const PairRun<2, T>& run, const Pair& own, ChainPlace& place, ChainCore& core) {
  const FlatForm form = flat_form(run.kind_a);
  const int width = form == FlatForm::point || form == FlatForm::aabb ? 4 : 8;
  const T* const row = run.rows_a + std::ptrdiff_t{own.a} * width;
  const Vector2 apart = from_chain(run, own, row, place.rest);
  const auto to_chain = [&](const Vector2& v) { return place.to_chain(v); };
  const Vector2 from_anchor = read_core(run.kind_a, row, run.library, to_chain, core);
  place.from_anchor = place.to_chain(from_anchor);
  place.middle = place.to_chain(apart) + place.from_anchor;
}

}  // namespace
}  // namespace widephase
