#pragma once

// The triangles of a surface near a shape: the list on which contacts are decided.

#include "kernels/core/surface/arena.hpp"
#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/core/surface/heap_sort.hpp"
#include "kernels/core/surface/mesh_walk.hpp"
#include "kernels/core/surface/placed_shape.hpp"

namespace widephase {
namespace {

/// A bit that some ways share, and that of a triangle whose contact is of the patch that is asked.
WIDEPHASE_INLINE std::uint64_t mark_of_way(std::int32_t number) {
  return std::uint64_t{1} << (static_cast<std::uint32_t>(number) % 63);
}
inline constexpr std::uint64_t kMarkOfContact = std::uint64_t{1} << 63;

/// An answer that may still be unknown.
enum class Told : std::uint8_t { no, yes, unclear };

/// What a search found of a triangle. `hit`: part of the shape's core is on it or straight below.
enum class TriangleState : std::uint8_t { far, apart, hit };

/// Features of a triangle: 0 its face, 1 + k edge k, 4 + k vertex k.
inline constexpr int kOfFace = 0, kOfEdge = 1, kOfVertex = 4;
inline constexpr std::int32_t kNotAsked = -2;
/// How far rounding moves a triangle's distance, by its largest coordinate about the core's middle.
inline constexpr double kDistanceRounding = 32 * kRounding<double>;

/// How near the triangles at a vertex or a border edge of a mesh are.
struct NearPlace {
  double least = -1;      ///< the least distance; below 0 not asked
  bool is_whole = false;  ///< it is of all that are there, not of those alone that have the feature
};

struct ListedTriangle {
  TrianglePlace place;
  bool is_own;      ///< not a neighbour's, and not seen from behind
  bool is_behind;   ///< the shape is behind a one-sided triangle and does not meet it
  bool is_flipped;  ///< the normal looks to the shape from the back of a two-sided triangle
  TriangleState state;
  bool is_beside;  ///< the core does not cross it, but its plane (hit_planes.hpp)
  int feature;     ///< where an apart core is nearest
  Vector vertex[3];
  Vector normal;
  /// How far the core reaches below the plane; negative above it.
  double below;
  CoreSupport lowest;  ///< the core's point that does
  // Where an apart core is nearest.
  double distance;  ///< from the core; once ways are found, a hit one's depth along its least
  Vector on_core, on_triangle;
  Vector away;  ///< unit, from the triangle towards the core
  int core_vertex[4];
  int core_vertices;
  // For a hit one: numbers of ways out (felt_ways.hpp); -1 none.
  std::int32_t edge_way[3], vertex_way[3];
  /// Where in the list the triangle across edge k is, -1 nowhere, and the edge's number there.
  std::int32_t beside[3];
  int edge_there[3];
  std::int32_t seam[3];  ///< of a mesh: its border edge k's seam begins here (border_seams.hpp)
  std::uint64_t marks;   ///< of these ways, and of its contact (`mark_of_way`)
  std::int32_t cleared_from;  ///< the triangle whose way out cleared this one last; -1 none
  bool is_cleared;
  // For a hit one of a mesh: the first of its area (hit_planes.hpp), the next one in turn, and the
  // triangle whose way out does not clear the area, as `cleared_from`. -1 none.
  std::int32_t area, next_in_area, kept_from;
  std::int32_t cut;  ///< the last one of the area, if this is its first (area_cuts.hpp); -1 none
  bool has_cut;      ///< its way out is one
  /// Whether the core reaches below edge k of a hit triangle; of a mesh along the normal.
  Told reaches_edge[3];
  std::int32_t contact;  ///< whose triangle it is; -1 none
  NearPlace around[3];   ///< of a mesh's vertex k, if this is its first triangle
  NearPlace along[3];    ///< the same of border edge k
  std::int32_t
      passed_from[3];  ///< as `cleared_from`, of border edge k; set where very many have it
};

/// Nothing is known of a triangle but where it is.
WIDEPHASE_INLINE void begin_search(ListedTriangle& triangle) {
  triangle.state = TriangleState::far;
  triangle.core_vertices = 0;
  triangle.contact = triangle.cleared_from = triangle.kept_from = -1;
  triangle.area = triangle.next_in_area = triangle.cut = -1;
  triangle.is_cleared = triangle.is_beside = triangle.has_cut = false;
  triangle.marks = 0;
  for (int k = 0; k < 3; ++k) {
    triangle.edge_way[k] = -1;
    triangle.around[k] = triangle.along[k] = NearPlace();
    triangle.passed_from[k] = -1;
    triangle.vertex_way[k] = kNotAsked;
    triangle.reaches_edge[k] = Told::unclear;
  }
}
WIDEPHASE_INLINE void set_hit(ListedTriangle& triangle) {
  triangle.state = triangle.is_behind ? TriangleState::apart : TriangleState::hit;
  triangle.distance = 0;
  triangle.feature = kOfFace;
}

/// The bounds of a placed core about its middle.
struct CoreBounds {
  double low[3], high[3];
  bool is_finite() const {
    bool is = true;
    for (int k = 0; k < 3; ++k) is &= low[k] - low[k] == 0 && high[k] - high[k] == 0;
    return is;
  }
};
template <class T>
CoreBounds core_bounds(const ConvexShape<T>& core) {
  CoreBounds bounds;
  for (int k = 0; k < 3; ++k) {
    if (core.form == CoreForm::box || core.form == CoreForm::segment) {
      T reach = magnitude(core.axis[0][k]);
      if (core.form == CoreForm::box) {
        reach = (reach + magnitude(core.axis[1][k])) + magnitude(core.axis[2][k]);
      }
      bounds.high[k] = double(reach);
      bounds.low[k] = -bounds.high[k];
      continue;
    }
    Vector up{{0, 0, 0}};
    up[k] = 1;
    bounds.high[k] = support_of(core, up).point[k];
    bounds.low[k] = support_of(core, -up).point[k];
  }
  return bounds;
}

/// The first and the end of the cells along an axis that meet [low, high], of those from `first` to
/// `end`. Bounds may be beyond all integers.
WIDEPHASE_INLINE void cells_along(double low, double high, double size, std::int32_t first,
                                  std::int32_t end, std::int32_t& from, std::int32_t& to) {
  const double a = low / size, b = high / size;
  const auto floor_of = [](double x) {  // cells of neighbours are below 0
    const auto whole = static_cast<std::int32_t>(x);
    return double(whole) > x ? whole - 1 : whole;
  };
  from = to = first;
  if (!(b >= double(first)) || !(a <= double(end))) return;
  if (a > double(first)) {
    from = floor_of(a);
    if (double(from) == a && from > first) --from;  // touches the cell before
  }
  to = b < double(end) ? floor_of(b) + 1 : end;
}

/// The cells that meet bounds about a core's middle, neighbours' too.
template <class T>
CellRange cells_in(const FieldTriangles<T>& surface, const double (&low)[3],
                   const double (&high)[3], double reach) {
  const Vector& o = surface.origin();
  CellRange cells;
  cells_along(o[1] + low[1] - reach, o[1] + high[1] + reach, double(surface.field().cell[1]),
              surface.first_row(), surface.end_row(), cells.row, cells.end_row);
  cells_along(o[0] + low[0] - reach, o[0] + high[0] + reach, double(surface.field().cell[0]),
              surface.first_column(), surface.end_column(), cells.column, cells.end_column);
  return cells;
}

/// Room for numbers of a mesh's triangles.
struct NumberRoom {
  std::int32_t* number = nullptr;
  std::size_t count = 0;
};

/// Writes the numbers of the triangles of a mesh that may meet bounds about the core's middle, with
/// `asks_beyond` neighbours' too, ascending if there is room. Returns how many there are.
template <class T>
std::size_t numbers_within(const FieldTriangles<T>& surface, const double (&bounds_low)[3],
                           const double (&bounds_high)[3], double reach, bool asks_beyond,
                           const NumberRoom& room) {
  const Vector& o = surface.origin();
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = o[k] + bounds_low[k] - reach;
    high[k] = o[k] + bounds_high[k] + reach;
  }
  std::size_t count = 0;
  const auto add = [&](std::int32_t found) {
    if (count < room.count) room.number[count] = found;
    ++count;
    return true;
  };
  const MeshView<T>& mesh = *surface.mesh();
  asks_beyond ? walk_with_beyond(mesh, low, high, add) : walk_mesh(mesh, low, high, add);
  if (count <= room.count) {
    heap_sort(room.number, static_cast<std::int32_t>(count),
              [](std::int32_t a, std::int32_t b) { return a < b; });
  }
  return count;
}

/// Calls `op` for the places of the triangles that may meet bounds (of a field in the plane),
/// ascending, until it answers false. False too if a mesh has more than there is room for.
template <class T, class Op>
bool for_each_within(const FieldTriangles<T>& surface, const double (&low)[3],
                     const double (&high)[3], double reach, const NumberRoom& room, const Op& op) {
  if (surface.mesh() != nullptr) {
    const std::size_t count = numbers_within(surface, low, high, reach, false, room);
    bool goes_on = count <= room.count;
    for (std::size_t n = 0; goes_on && n < count; ++n) {
      goes_on = op(surface.place_of(room.number[n]));
    }
    return goes_on;
  }
  const CellRange cells = cells_in(surface, low, high, reach);
  for (std::int32_t row = cells.row; row < cells.end_row; ++row) {
    for (std::int32_t col = cells.column; col < cells.end_column; ++col) {
      for (int half = 0; half < 2; ++half) {
        if (!op(TrianglePlace{row, col, half})) return false;
      }
    }
  }
  return true;
}

/// Where in a list a triangle of a number is; -1: nowhere.
struct NumberSlot {
  std::int32_t number, index;
};

/// The triangles near a core, ascending, and where in the list they are.
struct TriangleList {
  CellRange cells;
  ListedTriangle* triangle;
  std::int32_t count;
  std::int32_t* place_of;  ///< by cell and half; -1 where none is listed, and at the end
  NumberSlot* slot;        ///< of a mesh: where a number is sought, from `first_slot` on
  std::uint32_t slot_mask;

  std::int64_t index_of(const TrianglePlace& at) const {
    const std::int64_t row = at.row - cells.row, column = at.col - cells.column;
    return (row * (cells.end_column - cells.column) + column) * 2 + at.half;
  }
  std::int32_t find(const TrianglePlace& at) const {
    if (at.mesh != nullptr) return find_number(at.row);
    const bool is_in = (at.row >= cells.row) & (at.row < cells.end_row) & (at.col >= cells.column) &
                       (at.col < cells.end_column);
    return place_of[is_in ? index_of(at) : 2 * cells.count()];
  }

  /// The same for a triangle of a mesh.
  std::int32_t find_number(std::int32_t number) const {
    if (count == 0) return -1;
    std::uint32_t at = first_slot(number);
    while (slot[at].index >= 0 && slot[at].number != number) at = (at + 1) & slot_mask;
    return slot[at].index;
  }
  std::uint32_t first_slot(std::int32_t number) const {
    return (static_cast<std::uint32_t>(number) * 0x9e3779b1u >> 8) & slot_mask;
  }
};

/// Makes a mesh's list ready to find numbers in it. There are more slots than triangles, a power of
/// two.
WIDEPHASE_INLINE void set_slots(TriangleList& list, NumberSlot* slots, std::uint32_t count) {
  list.slot = slots;
  list.slot_mask = count - 1;
  for (std::uint32_t k = 0; k < count; ++k) slots[k] = {-1, -1};
  for (std::int32_t t = 0; t < list.count; ++t) {
    const std::int32_t number = list.triangle[t].place.row;
    std::uint32_t at = list.first_slot(number);
    while (slots[at].index >= 0) at = (at + 1) & list.slot_mask;
    slots[at] = {number, t};
  }
}

/// `list_triangles` for a mesh, with `asks_beyond` neighbours' too.
template <class T>
bool list_mesh(const FieldTriangles<T>& surface, const CoreBounds& bounds, double reach,
               bool asks_beyond, Arena& arena, TriangleList& list) {
  list.cells = {0, 0, 0, 0};
  list.count = 0;
  list.triangle = nullptr;
  list.place_of = nullptr;
  const std::size_t room = arena.left() / (sizeof(ListedTriangle) + sizeof(std::int32_t) + 1);
  std::int32_t* const number = arena.take<std::int32_t>(room);
  const std::size_t count = numbers_within(surface, bounds.low, bounds.high, reach, asks_beyond,
                                           {number, number == nullptr ? 0 : room});
  if (number != nullptr && count <= room) arena.keep(number, count);
  list.triangle = arena.take<ListedTriangle>(count);
  std::uint32_t slots = 2;
  while (slots < 2 * count) slots *= 2;
  NumberSlot* const slot = arena.take<NumberSlot>(slots);
  if (count > room || number == nullptr || slot == nullptr) return false;
  for (std::size_t n = 0; n < count; ++n) {
    ListedTriangle& triangle = list.triangle[list.count];
    triangle.place = surface.place_of(number[n]);
    surface.vertices(triangle.place, triangle.vertex);
    if (!surface.front(triangle.vertex, triangle.normal, triangle.is_flipped)) continue;
    triangle.is_behind = surface.is_behind(triangle.vertex, triangle.normal);
    triangle.is_own = !triangle.is_behind && surface.is_own(triangle.place);
    ++list.count;
  }
  set_slots(list, slot, slots);
  return true;
}

/// Lists the triangles that meet the core's bounds grown by `reach`; what is above the bounds
/// belongs to them, since fields are solid. Those of many cells must be as near to the bounds:
/// level ground far below would be listed whole. `list_own(low, list)` may list what rises to
/// `low` of few cells that are all the field's own, and then returns true. Returns false if the
/// arena is too small, which has counted what is needed.
template <class T, class ListOwn>
bool list_triangles(const FieldTriangles<T>& surface, const CoreBounds& bounds, double reach,
                    Arena& arena, TriangleList& list, const ListOwn& list_own) {
  const auto& field = surface.field();
  const Vector& o = surface.origin();
  CellRange& cells = list.cells;
  cells = cells_in(surface, bounds.low, bounds.high, reach);
  list.count = 0;
  list.triangle = nullptr;
  list.place_of = nullptr;
  const double low = bounds.low[2] - reach;
  const bool is_above = o[2] + low > double(field.high) && surface.first_row() == 0 &&
                        surface.first_column() == 0 && surface.end_row() == field.rows - 1 &&
                        surface.end_column() == field.columns - 1;
  if (cells.count() == 0 || is_above) {
    cells.end_row = cells.row;
    return true;
  }
  // Few cells get room for all their triangles; those of many are counted first.
  constexpr std::int64_t kFewCells = 512;
  const bool are_few = cells.count() <= kFewCells;
  const double most2 = are_few ? kInfinite<double> : reach * reach;
  const auto gap2 = [&](std::int32_t cell, int axis) {
    const double size = double(field.cell[axis]), at = double(cell) * size - o[axis];
    const double before = bounds.low[axis] - (at + size), beyond = at - bounds.high[axis];
    const double gap = before > beyond ? before : beyond;
    return gap > 0 ? gap * gap : 0;
  };
  // A cell's two triangles share the heights of its diagonal.
  const auto for_each = [&](const auto& op) {
    for (std::int32_t row = cells.row; row < cells.end_row; ++row) {
      const double row_gap2 = gap2(row, 1);
      for (std::int32_t col = cells.column; col < cells.end_column; ++col) {
        const double cell_gap2 = row_gap2 + gap2(col, 0);
        const double from = surface.height({row, col}) - o[2];
        const double to = surface.height({row + 1, col + 1}) - o[2];
        if (!(from - from == 0 && to - to == 0)) continue;
        const bool is_diagonal_near = from >= low || to >= low;
        for (int half = 0; half < 2; ++half) {
          const double beside =
              surface.height(half == 0 ? SamplePlace{row, col + 1} : SamplePlace{row + 1, col}) -
              o[2];
          if (!(beside - beside == 0) || !(is_diagonal_near || beside >= low)) continue;
          double high = from > to ? from : to;
          high = beside > high ? beside : high;
          const double below = bounds.low[2] > high ? bounds.low[2] - high : 0;
          if (cell_gap2 + below * below > most2) continue;
          op(TrianglePlace{row, col, half});
        }
      }
    }
  };
  std::int64_t count = 2 * cells.count();
  if (!are_few) {
    count = 0;
    for_each([&](const TrianglePlace&) { ++count; });
  }
  list.place_of = arena.take<std::int32_t>(static_cast<std::size_t>(2 * cells.count() + 1));
  list.triangle = arena.take<ListedTriangle>(static_cast<std::size_t>(count));
  if (list.triangle == nullptr || list.place_of == nullptr) return false;
  for (std::int64_t k = 0; k <= 2 * cells.count(); ++k) list.place_of[k] = -1;
  const bool is_own = cells.row >= 0 && cells.end_row < field.rows && cells.column >= 0 &&
                      cells.end_column < field.columns;
  if (is_own && are_few && list_own(low, list)) return true;
  for_each([&](const TrianglePlace& at) {
    ListedTriangle& triangle = list.triangle[list.count];
    surface.vertices(at, triangle.vertex);
    if (!triangle_normal(triangle.vertex, triangle.normal)) return;
    triangle.place = at;
    triangle.is_own = surface.is_own(at);
    triangle.is_behind = triangle.is_flipped = false;
    list.place_of[list.index_of(at)] = list.count++;
  });
  return true;
}

}  // namespace
}  // namespace widephase
