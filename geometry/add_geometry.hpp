#pragma once

// Shared by the makers of polygons and hulls: reading points, growing a table, refusing.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <widephase/shapes.hpp>

#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

/// Why points are not a geometry; row -1 means all of them.
struct Refusal {
  std::int64_t row = -1;
  std::string message;
};

/// The words for a kind of geometry.
struct GeometryWords {
  const char* vertices;  ///< the arrays of a scene
  const char* offsets;
  const char* count;  ///< how many numbers a point has
};

template <int D>
constexpr GeometryWords geometry_words() {
  if (D == 2) return {"polygons.vertices", "polygons.offsets", "two"};
  return {"hulls.vertices", "hulls.offsets", "three"};
}

template <std::size_t D>
std::optional<Refusal> refuse_numbers(const std::vector<std::array<double, D>>& points) {
  for (std::size_t row = 0; row < points.size(); ++row) {
    for (const double value : points[row]) {
      if (std::isfinite(value)) continue;
      return Refusal{static_cast<std::int64_t>(row), "is " + number(value)};
    }
  }
  return std::nullopt;
}

/// The `Error` for a point set that was given by hand.
template <int D>
Error refused_points(const Refusal& refusal) {
  if (refusal.row < 0) return Error(Finding{"points", -1, refusal.message});
  return Error(Finding{
      "points", refusal.row,
      refusal.message + "; a point must be " + geometry_words<D>().count + " finite numbers"});
}

/// The `Error` for geometry `g` of a table, whose vertices begin at row `begin`.
template <int D>
Error refused_geometry(const Refusal& refusal, std::size_t g, std::size_t begin) {
  constexpr GeometryWords kWords = geometry_words<D>();
  if (refusal.row >= 0) {
    return Error(Finding{kWords.vertices, static_cast<std::int64_t>(begin) + refusal.row,
                         refusal.message + " in geometry " + number(g) + "; a vertex must be " +
                             kWords.count + " finite numbers"});
  }
  return Error(Finding{kWords.offsets, static_cast<std::int64_t>(g),
                       "begins geometry " + number(g) + ", which " + refusal.message});
}

template <class T, int D>
std::vector<std::array<double, D>> points_of(const ColumnSpan<T, D>& column, std::size_t begin,
                                             std::size_t end) {
  std::vector<std::array<double, D>> points(end - begin);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < D; ++k) points[i][k] = static_cast<double>(column(begin + i, k));
  }
  return points;
}

/// The vertices of geometry `index`; throws `Error` for an index out of range.
template <class Storage>
auto vertices_of(const GeometryTable<Storage>& table, std::int32_t index) {
  if constexpr (!Storage::owns) {
    constexpr GeometryWords kWords = geometry_words<Storage::dimension>();
    require_layout(kWords.offsets, table.offsets);
    require_layout(kWords.vertices, table.vertices);
  }
  const auto count = static_cast<std::int64_t>(table.offsets.size()) - 1;
  if (index < 0 || index >= count) {
    throw Error(Finding{"index", -1,
                        "is " + number(index) + "; the table has " +
                            number(std::max<std::int64_t>(count, 0)) +
                            " geometries, counted from 0"});
  }
  const auto row = static_cast<std::size_t>(index);
  return points_of<typename Storage::Real, Storage::dimension>(
      table.vertices, static_cast<std::size_t>(table.offsets(row)),
      static_cast<std::size_t>(table.offsets(row + 1)));
}

/// Appends some rows of points, numbers of type T, as a geometry.
template <int D, class T>
std::int32_t append_geometry(GeometryTable<Owned<D, T>>& table,
                             const std::type_identity_t<std::vector<std::array<double, D>>>& points,
                             const std::vector<std::size_t>& rows) {
  const std::size_t vertices = table.vertices.size();
  const std::size_t geometries = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  if (geometries >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("the table holds 2147483647 geometries already; share them between shapes");
  }
  // Reserve room first: what follows cannot fail half way.
  make_room(table.vertices, vertices + rows.size());
  make_room(table.offsets, geometries + 2);
  if (!table.inner.empty()) table.inner.resize(vertices + rows.size());
  if (table.offsets.empty()) table.offsets.push_back({0});
  for (const std::size_t row : rows) {
    std::array<T, D> vertex;
    for (int k = 0; k < D; ++k) vertex[k] = static_cast<T>(points[row][k]);
    table.vertices.push_back(vertex);
  }
  table.offsets.push_back({static_cast<std::int64_t>(vertices + rows.size())});
  return static_cast<std::int32_t>(geometries);
}

/// The table with the hull of every point set, by `find(points, rows)`, which returns a refusal or
/// the rows that are vertices. A refusal is thrown, or, with `refused`, is stored there and the
/// geometry has no vertices.
template <int D, class T, class Find>
GeometryTable<Owned<D, T>> convex_table(const GeometryTable<Owned<D, T>>& given, Find find,
                                        std::vector<Finding>* refused) {
  GeometryTable<Owned<D, T>> convex;
  if (!given.offsets.empty()) convex.offsets.push_back({0});
  std::vector<std::size_t> rows;
  for (std::size_t g = 0; g + 1 < given.offsets.size(); ++g) {
    const auto begin = static_cast<std::size_t>(given.offsets[g]);
    const auto points =
        points_of<T, D>(given.vertices, begin, static_cast<std::size_t>(given.offsets[g + 1]));
    const std::optional<Refusal> refusal = find(points, rows);
    if (refusal) {
      const Error error = refused_geometry<D>(*refusal, g, begin);
      if (refused == nullptr) throw error;
      refused->push_back(*error.finding());
      rows.clear();
    }
    append_geometry(convex, points, rows);
  }
  return convex;
}

template <class T>
void expect_length(const char* name, T length, bool may_be_zero = false) {
  if (std::isfinite(length) && (length > 0 || (may_be_zero && length == 0))) return;
  throw Error(Finding{name, -1,
                      "is " + number(length) + "; it must be a finite number " +
                          (may_be_zero ? ">= 0" : "above 0")});
}

inline void expect_count(const char* name, int count, int fewest, int most) {
  if (count >= fewest && count <= most) return;
  throw Error(Finding{
      name, -1, "is " + number(count) + "; it must be " + number(fewest) + " to " + number(most)});
}

}  // namespace widephase
