// Height fields: made, refused, read by the library that kernels see.
// Labels: plain threads

#include <widephase/heightfields.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include <widephase/scene.hpp>

#include "geometry/heightfield_library.hpp"
#include "geometry/validate_heightfields.hpp"
#include "support/error_of.hpp"

namespace widephase::test {
namespace {

template <class T>
using Table = HeightfieldTable<Owned<3, T>>;
template <class T>
using Span = HeightfieldTable<Borrowed<3, T>>;

template <class T>
Span<T> span_of(const Table<T>& table) {
  Span<T> span;
  Table<T>::for_each_column([](auto, const auto& column, auto& view) { view = column; }, table,
                            span);
  return span;
}

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Two rows of three samples and three rows of two, the first with a hole.
template <class T>
Table<T> two_fields() {
  Table<T> table;
  add_heightfield(table, Column<T>{0, 1, 2, 3, T(kHole), 5}, 3, T(0.5), T(2));
  add_heightfield(table, Column<T>{-1, -2, -3, -4, -5, -6}, 2, T(1), T(0.25));
  return table;
}

template <class T>
class heightfields : public ::testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(heightfields, Reals);

TYPED_TEST(heightfields, lie_one_behind_the_other) {
  using T = TypeParam;
  const Table<T> table = two_fields<T>();
  ASSERT_EQ(table.offsets.size(), 3u);
  EXPECT_EQ(table.offsets[1], 6);
  EXPECT_EQ(table.offsets[2], 12);
  EXPECT_EQ(table.columns[0], 3);
  EXPECT_EQ(table.columns[1], 2);
  EXPECT_EQ(table.cell.row(0), (std::array<T, 2>{T(0.5), T(2)}));
  EXPECT_TRUE(std::isnan(table.heights[4]));
  EXPECT_EQ(table.heights[11], -6);
  EXPECT_TRUE(table.neighbours.empty());
}

TYPED_TEST(heightfields, may_be_added_from_the_table_itself) {
  using T = TypeParam;
  Table<T> table = two_fields<T>();
  for (int i = 0; i < 20; ++i) {
    const ColumnSpan<T> second(std::span<const T>(table.heights.plane() + 6, 6));
    EXPECT_EQ(add_heightfield(table, second, 3, T(1), T(1)), i + 2);
  }
  EXPECT_EQ(table.heights[table.heights.size() - 6], -1);
  EXPECT_EQ(table.heights[table.heights.size() - 1], -6);
}

TYPED_TEST(heightfields, have_triangles_that_run_counter_clockwise) {
  using T = TypeParam;
  const Table<T> table = two_fields<T>();
  // Field 1 has cells of 1 by 1/4. The cell of row 1 begins at sample 2, of height -3: its
  // triangles are 2 * (1 * 2 + 0) = 4, and 5.
  const HeightfieldTriangle<T> low = heightfield_triangle(table, 1, 4);
  const T expected_low[3][3] = {{0, T(0.25), -3}, {1, T(0.25), -4}, {1, T(0.5), -6}};
  EXPECT_EQ(std::memcmp(low.vertices, expected_low, sizeof expected_low), 0);
  const HeightfieldTriangle<T> high = heightfield_triangle(table, 1, 5);
  const T expected_high[3][3] = {{0, T(0.25), -3}, {1, T(0.5), -6}, {0, T(0.5), -5}};
  EXPECT_EQ(std::memcmp(high.vertices, expected_high, sizeof expected_high), 0);
  EXPECT_FALSE(low.is_hole);
  // Field 0 has its hole at row 1, column 1: of four triangles only the last has another place.
  EXPECT_TRUE(heightfield_triangle(table, 0, 0).is_hole);
  EXPECT_TRUE(heightfield_triangle(table, 0, 1).is_hole);
  EXPECT_FALSE(heightfield_triangle(table, 0, 2).is_hole);
  EXPECT_TRUE(heightfield_triangle(table, 0, 3).is_hole);
  for (const std::int32_t none : {-1, 4, 5, 6}) {
    EXPECT_EQ(error_of([&] { (void)heightfield_triangle(table, 0, none); }).substr(0, 11),
              "triangle is");
  }
  EXPECT_EQ(error_of([&] { (void)heightfield_triangle(table, 2, 0); }),
            "index is 2; the table has 2 height fields, counted from 0");
}

TYPED_TEST(heightfields, are_refused_and_leave_the_table_as_it_was) {
  using T = TypeParam;
  Table<T> table = two_fields<T>();
  const auto error = [&](const Column<T>& heights, std::int32_t columns, double x, double y) {
    return error_of([&] { add_heightfield(table, heights, columns, T(x), T(y)); });
  };
  const Column<T> four{0, 0, 0, 0};
  EXPECT_EQ(error(four, 1, 1, 1), "columns is 1; a field has 2 columns or more");
  EXPECT_EQ(error(four, 4, 1, 1).substr(0, 22), "heights has 4 samples;");
  EXPECT_EQ(error(four, 3, 1, 1).substr(0, 22), "heights has 4 samples;");
  EXPECT_EQ(error({}, 2, 1, 1).substr(0, 22), "heights has 0 samples;");
  EXPECT_EQ(error(four, 2, 0, 1), "cell_x is 0; it must be a finite number above 0");
  EXPECT_EQ(error(four, 2, 1, -1), "cell_y is -1; it must be a finite number above 0");
  EXPECT_EQ(error(four, 2, 1, kHole).substr(0, 9), "cell_y is");
  EXPECT_EQ(error({0, 0, T(kInfinity), 0}, 2, 1, 1),
            "heights[2] is inf; a height must be a finite number, or NaN for a hole");
  const T most = std::numeric_limits<T>::max();
  EXPECT_NE(error({0, 0, 0, 0, 0, 0}, 3, most, 1).find("no finite length"), std::string::npos);
  EXPECT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.heights.size(), 12u);
}

TYPED_TEST(heightfields, are_read_into_views) {
  using T = TypeParam;
  const Table<T> table = two_fields<T>();
  HeightfieldLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  ASSERT_EQ(library.fields.size(), 2u);
  const HeightfieldView<T>& first = library.fields[0];
  EXPECT_EQ(first.rows, 2);
  EXPECT_EQ(first.columns, 3);
  EXPECT_EQ(first.cell[1], 2);
  EXPECT_EQ(first.low, 0);
  EXPECT_EQ(first.high, 5);
  EXPECT_EQ(first.neighbours[3], -1);
  EXPECT_EQ(library.fields[1].heights, library.heights.plane() + 6);
  EXPECT_EQ(library.fields[1].low, -6);
  EXPECT_EQ(library.fields[1].high, -1);
  EXPECT_GE(library.bytes(), 12 * sizeof(T));
}

TYPED_TEST(heightfields, of_holes_alone_have_no_range) {
  using T = TypeParam;
  Table<T> table;
  const T hole = T(kHole);
  add_heightfield(table, Column<T>{hole, hole, hole, hole}, 2, T(1), T(1));
  HeightfieldLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_GT(library.fields[0].low, library.fields[0].high);
}

TYPED_TEST(heightfields, are_read_anew_where_they_change) {
  using T = TypeParam;
  Table<T> table = two_fields<T>();
  HeightfieldLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  const T* const known = library.fields[1].heights;
  table.heights[11] = 7;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.fields[1].heights, known) << "the same memory";
  EXPECT_EQ(library.fields[1].high, 7);
  EXPECT_EQ(known[5], 7);
  table.heights[4] = 9;  // the hole is filled
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.fields[0].high, 9);
  table.columns[0] = 2;
  table.cell(1, 0) = 3;
  table.neighbours = {{-1, -1, -1, 1}, {-1, -1, 0, -1}};
  EXPECT_FALSE(library.update(span_of(table), {})) << "cells of another width along the border";
  EXPECT_TRUE(library.fields.empty());
  table.cell(0, 0) = 3;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.fields[0].rows, 3);
  EXPECT_EQ(library.fields[0].neighbours[3], 1);
  EXPECT_EQ(library.fields[1].neighbours[2], 0);
  table.heights[2] = T(kInfinity);
  EXPECT_FALSE(library.update(span_of(table), {}));
  EXPECT_TRUE(library.fields.empty());
  table.heights[2] = 2;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.fields[0].low, 0);
}

/// Every third number of an array, and on several threads.
TYPED_TEST(heightfields, are_read_with_strides_and_threads) {
  using T = TypeParam;
  std::vector<T> numbers;
  Table<T> table;
  for (int f = 0; f < 50; ++f) {
    Column<T> heights;
    for (int i = 0; i < 6; ++i) {
      heights.push_back(f == 7 && i == 1 ? T(kHole) : static_cast<T>(10 * f + i));
      numbers.insert(numbers.end(), {heights[static_cast<std::size_t>(i)], 99, 99});
    }
    add_heightfield(table, heights, 3, T(1), T(1));
  }
  Span<T> strided = span_of(table);
  strided.heights = ColumnSpan<T>({numbers.data()}, table.heights.size(), 3 * sizeof(T));
  Threads threads;
  threads.count = 3;
  HeightfieldLibrary<T> library;
  for (int call = 0; call < 2; ++call) {
    ASSERT_TRUE(library.update(strided, threads));
    EXPECT_EQ(std::memcmp(library.heights.plane(), table.heights.plane(),
                          table.heights.size() * sizeof(T)),
              0);
    EXPECT_EQ(library.fields[49].high, 495);
  }
  numbers[3 * 299] = 1000;
  ASSERT_TRUE(library.update(strided, threads));
  EXPECT_EQ(library.fields[49].high, 1000);
}

struct BadField {
  const char* text;  ///< the finding
  std::function<void(Table<float>&)> spoil;
};

TEST(validate_heightfields, says_which_array_and_row) {
  const std::vector<BadField> cases{
      {"heightfields.columns[0] is 1; a field has 2 columns or more",
       [](Table<float>& t) { t.columns[0] = 1; }},
      {"heightfields.columns[1] is -3; a field has 2 columns or more",
       [](Table<float>& t) { t.columns[1] = -3; }},
      {"heightfields.offsets[0] begins field 0, which has 1 row; a field has 2 rows or more",
       [](Table<float>& t) { t.columns[0] = 6; }},
      {"heightfields.offsets[1] begins field 1, which has 6 samples, but rows of 4; it must have "
       "whole rows",
       [](Table<float>& t) { t.columns[1] = 4; }},
      {"heightfields.offsets[0] is 1; the first geometry begins at 0",
       [](Table<float>& t) { t.offsets[0] = 1; }},
      {"heightfields.offsets[2] is 11; the last offset must be the count of heights, 12",
       [](Table<float>& t) { t.offsets[2] = 11; }},
      {"heightfields.offsets[2] is 5, below the 6 before it; geometries lie one after the other",
       [](Table<float>& t) { t.offsets[2] = 5; }},
      {"heightfields.offsets is empty, but heightfields.heights has 12 rows; it must begin with 0 "
       "and end with their count",
       [](Table<float>& t) { t.offsets.clear(); }},
      {"heightfields.columns has 1 rows, but heightfields.offsets has 2 fields",
       [](Table<float>& t) { t.columns = {3}; }},
      {"heightfields.cell has 3 rows, but heightfields.offsets has 2 fields",
       [](Table<float>& t) {
         t.cell.push_back({1, 1});
       }},
      {"heightfields.neighbours has 1 rows, but heightfields.offsets has 2 fields",
       [](Table<float>& t) {
         t.neighbours = {{-1, -1, -1, -1}};
       }},
      {"heightfields.cell[1] is 0 along y; a cell's sizes must be finite numbers > 0",
       [](Table<float>& t) { t.cell(1, 1) = 0; }},
      {"heightfields.cell[0] is nan along x; a cell's sizes must be finite numbers > 0",
       [](Table<float>& t) { t.cell(0, 0) = float(kHole); }},
      {"heightfields.heights[8] is -inf; a height must be a finite number, or NaN for a hole",
       [](Table<float>& t) { t.heights[8] = -float(kInfinity); }},
      {"heightfields.neighbours[1] names field 2 at +x; the scene has 2 fields, counted from 0, "
       "and -1 means none",
       [](Table<float>& t) {
         t.neighbours = {{-1, -1, -1, -1}, {-1, 2, -1, -1}};
       }},
      {"heightfields.neighbours[0] names field 1 at -x, whose border has 3 samples where this "
       "one's has 2; neighbours share the samples of a border",
       [](Table<float>& t) {
         t.neighbours = {{1, -1, -1, -1}, {-1, -1, -1, -1}};
       }},
      {"heightfields.neighbours[0] names field 1 at +y, whose border has 2 samples where this "
       "one's has 3; neighbours share the samples of a border",
       [](Table<float>& t) {
         t.neighbours = {{-1, -1, -1, 1}, {-1, -1, -1, -1}};
       }},
  };
  for (const BadField& bad : cases) {
    SceneColumns<3, float> scene;
    scene.heightfield_geometries = two_fields<float>();
    ASSERT_TRUE((validate<3, float>(scene).empty()));
    bad.spoil(scene.heightfield_geometries);
    const auto findings = validate<3, float>(scene, 0, 10);
    ASSERT_GE(findings.size(), 1u) << bad.text;
    EXPECT_EQ(findings[0].array +
                  (findings[0].row < 0 ? "" : "[" + std::to_string(findings[0].row) + "]") + " " +
                  findings[0].message,
              bad.text);
    // What `validate` says is what the library refuses.
    HeightfieldLibrary<float> library;
    EXPECT_FALSE(library.update(span_of(scene.heightfield_geometries), {})) << bad.text;
  }
}

TEST(validate_heightfields, finds_one_fault_per_field) {
  SceneColumns<3, float> scene;
  scene.heightfield_geometries = two_fields<float>();
  scene.heightfield_geometries.columns = {5, 5};
  const auto all = validate<3, float>(scene, 0, 10);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].row, 1);
  EXPECT_EQ((validate<3, float>(scene, 0, 1).size()), 1u);
}

}  // namespace
}  // namespace widephase::test
