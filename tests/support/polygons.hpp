#pragma once

// Tables of polygons as plain points.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <widephase/polygons.hpp>

#include "support/error_of.hpp"

namespace widephase::test {

template <class T>
using PolygonTable = GeometryTable<Owned<2, T>>;
using Vertex = std::array<double, 2>;

template <class T>
Column<T, 2> column_of(const std::vector<Vertex>& points);

template <class T>
std::vector<Vertex> rows_of(const Column<T, 2>& column, std::size_t begin, std::size_t end);

template <class T>
std::vector<Vertex> vertices_of(const PolygonTable<T>& table, std::int32_t index) {
  const auto row = static_cast<std::size_t>(index);
  return rows_of(table.vertices, static_cast<std::size_t>(table.offsets[row]),
                 static_cast<std::size_t>(table.offsets[row + 1]));
}

template <class T>
std::vector<Vertex> hull_of(const std::vector<Vertex>& points) {
  PolygonTable<T> table;
  EXPECT_EQ(add_polygon(table, column_of<T>(points)), 0);
  return vertices_of(table, 0);
}

template <class T>
GeometryTable<Borrowed<2, T>> borrow(const PolygonTable<T>& table) {
  return {table.vertices, table.offsets, table.inner};
}

}  // namespace widephase::test
