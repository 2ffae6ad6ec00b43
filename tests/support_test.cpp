// Support points against every point of the cores, the vertices that they name, and what must not
// change a bit of them.

#include <gtest/gtest.h>

#include <limits>

#include <widephase/support.hpp>

#include "support/compare.hpp"
#include "support/generate.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

/// Shapes and a direction for each.
template <class T>
struct Questions {
  SceneColumns<2, T> scene;
  std::vector<Solid<2>> solids;  ///< as stored in `T`
  std::vector<std::int32_t> ids;
  Column<T, 2> direction;

  Questions() = default;
  explicit Questions(const std::vector<std::pair<Solid<2>, Point<2>>>& questions) {
    std::vector<std::int32_t> rows;
    for (const auto& [solid, along] : questions) {
      solids.push_back(stored<T>(solid));
      rows.push_back(append(scene, solids.back()));
      direction.push_back({static_cast<T>(along[0]), static_cast<T>(along[1])});
    }
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ids.push_back(layout.id(solids[i].kind, rows[i]));
    }
  }
};

template <class T>
ColumnSpan<T, 2> as_span(const Column<T, 2>& column) {
  return ColumnSpan<T, 2>::planes({column.plane(0), column.plane(1)}, column.size());
}

template <class T>
SupportBuffer<2, T> ask_support(const SceneColumns<2, T>& scene, std::span<const std::int32_t> ids,
                                const ColumnSpan<T, 2>& direction, Isa isa = Isa::widest) {
  SupportBuffer<2, T> answers;
  Workspace<2, T> workspace;
  CollideOptions options;
  options.isa = isa;
  support_points<T>(scene, ids, direction, answers, workspace, options);
  return answers;
}

template <class T>
std::vector<std::uint64_t> row_bits(const SupportBuffer<2, T>& support, std::size_t i) {
  return {bits_of(support.point(i, 0)), bits_of(support.point(i, 1)), support.feature[i]};
}

template <class T>
::testing::AssertionResult same_rows(const SupportBuffer<2, T>& left,
                                     const SupportBuffer<2, T>& right) {
  if (left.point.size() != right.point.size() || left.feature.size() != right.feature.size()) {
    return ::testing::AssertionFailure() << "the counts differ";
  }
  for (std::size_t i = 0; i < left.point.size(); ++i) {
    if (row_bits(left, i) != row_bits(right, i)) {
      return ::testing::AssertionFailure() << "row " << i << " differs";
    }
  }
  return ::testing::AssertionSuccess();
}

Real place_of(const Solid<2>& solid) {
  Real place = 0;
  for (const double value : solid.p) place = std::max<Real>(place, std::abs(value));
  for (const double value : solid.q) place = std::max<Real>(place, std::abs(value));
  return place;
}

/// The vertices under the numbers of the features.
std::vector<Vec<2>> numbered_vertices(const Solid<2>& solid) {
  switch (solid.kind) {
    case Kind::circle:
      return {widened(solid.p)};
    case Kind::capsule:
      return {widened(solid.p), widened(solid.q)};
    case Kind::polygon:
      return outline_of(solid, {});
    default:
      break;
  }
  std::vector<Vec<2>> vertices;
  for (int i = 0; i < 4; ++i) {
    if (solid.kind == Kind::aabb) {
      vertices.push_back(
          {(i & 1) != 0 ? solid.q[0] : solid.p[0], (i & 2) != 0 ? solid.q[1] : solid.p[1]});
      continue;
    }
    const Vec<2> local{(i & 1) != 0 ? solid.q[0] : -solid.q[0],
                       (i & 2) != 0 ? solid.q[1] : -solid.q[1]};
    vertices.push_back(plus(widened(solid.p), turned_by(solid.angle, local)));
  }
  return vertices;
}

/// What a row says wrongly; empty when nothing.
template <class T>
std::string support_problem(const Solid<2>& solid, const Vec<2>& direction, const Vec<2>& point,
                            std::uint32_t feature) {
  std::ostringstream text;
  text.precision(12);
  const Vec<2> n = times(direction, 1 / length(direction));
  const Real radius = radius_of(solid);
  const Real size = core_reach(solid) + radius;
  const Real tolerance = kDepthTolerance<T> * size + 4 * kUnitTolerance<T> * place_of(solid);
  // No point of the core within its rounding is farther, and the point is no farther than those.
  Real farthest = -std::numeric_limits<Real>::infinity();
  for (const Vec<2>& corner : outline_of(solid, {})) {
    farthest = std::max(farthest, dot(n, corner) + radius);
  }
  const Real reached = dot(n, point);
  if (!(std::abs(reached - farthest) <= tolerance)) {
    text << "reaches " << reached << ", the farthest is " << farthest << "; ";
  }
  const Vec<2> core = plus(point, n, -radius);
  const Real off = distance_to_core_surface(solid, core);
  if (!(off <= tolerance)) text << "is off the surface by " << off << "; ";
  if (solid.kind == Kind::circle) {
    if (feature != 0) text << "the feature is not whole 0; ";
    return text.str();
  }
  const std::vector<Vec<2>> vertices = numbered_vertices(solid);
  const auto number = static_cast<std::size_t>(feature & 0x3fff);
  if (feature >> 14 != static_cast<std::uint32_t>(Feature::vertex) || number >= vertices.size()) {
    text << "the feature is no vertex: " << describe_feature(feature) << "; ";
  } else if (!(length(minus(core, vertices[number])) <= tolerance)) {
    text << "the feature is another vertex: " << describe_feature(feature) << "; ";
  }
  return text.str();
}

/// Every instruction set's answers against all points of the shapes.
template <class T>
void check_support(const std::vector<std::pair<Solid<2>, Point<2>>>& list) {
  const Questions<T> questions(list);
  for (const Isa isa : usable_isas()) {
    const auto answers =
        ask_support<T>(questions.scene, questions.ids, as_span(questions.direction), isa);
    ASSERT_EQ(answers.point.size(), list.size());
    ASSERT_EQ(answers.feature.size(), list.size());
    int wrong_count = 0;
    for (std::size_t i = 0; i < list.size() && wrong_count < 5; ++i) {
      const Vec<2> direction{questions.direction(i, 0), questions.direction(i, 1)};
      const Vec<2> point{answers.point(i, 0), answers.point(i, 1)};
      const std::string problem =
          support_problem<T>(questions.solids[i], direction, point, answers.feature[i]);
      if (problem.empty()) continue;
      ++wrong_count;
      ADD_FAILURE() << isa_name(isa) << ", question " << i << ": (" << point[0] << ", " << point[1]
                    << ") along (" << direction[0] << ", " << direction[1] << ") " << problem
                    << "\n  " << describe(questions.solids[i]);
    }
  }
}

std::span<const Kind> bounded_kinds() { return kinds(2).first(kinds(2).size() - 1); }

/// Shapes of a kind from every family, each with a direction of length 1e-3 to 1e3.
std::vector<std::pair<Solid<2>, Point<2>>> random_questions(Kind kind, std::size_t count,
                                                            std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<Solid<2>, Point<2>>> list;
  for (const auto& family :
       {random_pairs<2>(kind, kind, count, seed), grid_pairs<2>(kind, kind, count, seed + 1),
        near_grid_pairs<2>(kind, kind, count, seed + 2),
        sized_pairs<2>(kind, kind, count, seed + 3),
        far_pairs<2>(random_pairs<2>(kind, kind, count, seed + 4), seed + 5)}) {
    for (const SolidPair<2>& pair : family) {
      for (const Solid<2>& solid : {pair.a, pair.b}) {
        Point<2> along = random.direction<2>();
        // Now and then along an axis or a diagonal.
        if (random.chance(0.3)) along = {random.integer(-1, 1) * 1.0, 1};
        const double size = std::pow(10, random.uniform(-3, 3));
        list.push_back({solid, {along[0] * size, along[1] * size}});
      }
    }
  }
  return list;
}

/// All kinds, mixed.
std::vector<std::pair<Solid<2>, Point<2>>> mixed_questions(std::size_t count, std::uint64_t seed) {
  std::vector<std::pair<Solid<2>, Point<2>>> all;
  for (const Kind kind : bounded_kinds()) {
    const auto some = random_questions(kind, count, seed);
    all.insert(all.end(), some.begin(), some.end());
  }
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1],
              all[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return all;
}

class support_kind : public ::testing::TestWithParam<Kind> {};

TEST_P(support_kind, is_farther_than_any_point_of_the_shape) {
  const auto list = random_questions(GetParam(), scaled(100, 10), 61);
  check_support<float>(list);
  check_support<double>(list);
}

INSTANTIATE_TEST_SUITE_P(kinds, support_kind,
                         ::testing::Values(Kind::circle, Kind::capsule, Kind::aabb, Kind::box,
                                           Kind::polygon),
                         [](const ::testing::TestParamInfo<Kind>& info) {
                           return std::string(kind_name(info.param, 2));
                         });

TEST(support, special_shapes_along_axes_and_diagonals) {
  std::vector<std::pair<Solid<2>, Point<2>>> list;
  for (const Kind kind : bounded_kinds()) {
    for (const Solid<2>& solid : special_solids<2>(kind)) {
      for (const double x : {-1.0, 0.0, 1.0}) {
        for (const double y : {-1.0, 0.0, 1.0}) {
          if (x != 0 || y != 0) list.push_back({solid, {x, y}});
        }
      }
    }
  }
  check_support<float>(list);
  check_support<double>(list);
}

TEST(support, kinds_mixed) {
  const auto list = mixed_questions(scaled(30, 4), 62);
  check_support<float>(list);
  check_support<double>(list);
}

/// What one question must answer, on every instruction set, in float and double.
struct Answer {
  Solid<2> solid;
  Point<2> direction;
  Point<2> point;
  std::uint32_t feature;
};

void check_answers(const std::vector<Answer>& expected) {
  const auto check = [&]<class T>(T) {
    std::vector<std::pair<Solid<2>, Point<2>>> list;
    for (const Answer& answer : expected) list.push_back({answer.solid, answer.direction});
    const Questions<T> questions(list);
    for (const Isa isa : usable_isas()) {
      const auto answers =
          ask_support<T>(questions.scene, questions.ids, as_span(questions.direction), isa);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;
        SCOPED_TRACE(std::string(isa_name(isa)) + (sizeof(T) == 4 ? " float, " : " double, ") +
                     describe(expected[i].solid) + " along " +
                     std::to_string(expected[i].direction[0]) + ", " +
                     std::to_string(expected[i].direction[1]));
        EXPECT_NEAR(answers.point(i, 0), expected[i].point[0], tolerance);
        EXPECT_NEAR(answers.point(i, 1), expected[i].point[1], tolerance);
        EXPECT_EQ(answers.feature[i], expected[i].feature)
            << describe_feature(answers.feature[i]) << " instead of "
            << describe_feature(expected[i].feature);
      }
    }
  };
  check(float{});
  check(double{});
}

constexpr std::uint32_t vertex(int number) { return feature_half(Feature::vertex, number); }

TEST(support, of_a_circle_is_whole) {
  check_answers({{ball<2>({1, 2}, 0.5), {3, 0}, {1.5, 2}, 0},
                 {ball<2>({1, 2}, 0.5), {-3, 4}, {0.7, 2.4}, 0},
                 {ball<2>({1, 2}, 0), {0, -1}, {1, 2}, 0}});
}

TEST(support, of_a_capsule_names_the_end) {
  const Solid<2> rod = capsule<2>({-1, 0}, {1, 0}, 0.5);
  check_answers({{rod, {1, 0}, {1.5, 0}, vertex(1)},
                 {rod, {-2, 0}, {-1.5, 0}, vertex(0)},
                 {rod, {6, 8}, {1.3, 0.4}, vertex(1)},
                 // Both ends are as far.
                 {rod, {0, 1}, {-1, 0.5}, vertex(0)},
                 {rod, {0, -7}, {-1, -0.5}, vertex(0)},
                 {capsule<2>({2, 1}, {0, 1}, 0), {0, 1}, {2, 1}, vertex(0)},
                 {capsule<2>({2, 1}, {2, 1}, 1), {1, 0}, {3, 1}, vertex(0)}});
}

/// A box's corners by the bits of their numbers, and of the two ends of a side the lower.
std::vector<Answer> corners_of(const Solid<2>& solid, Point<2> low, Point<2> high) {
  return {{solid, {-1, -2}, low, vertex(0)},
          {solid, {2, -1}, {high[0], low[1]}, vertex(1)},
          {solid, {-1, 2}, {low[0], high[1]}, vertex(2)},
          {solid, {3, 1}, high, vertex(3)},
          {solid, {0, -1}, low, vertex(0)},
          {solid, {-1, 0}, low, vertex(0)},
          {solid, {5, 0}, {high[0], low[1]}, vertex(1)},
          {solid, {0, 1}, {low[0], high[1]}, vertex(2)}};
}

TEST(support, of_an_aabb_names_its_sides_and_the_lowest_of_two) {
  check_answers(corners_of(aabb<2>({1, -1}, {4, 2}), {1, -1}, {4, 2}));
}

TEST(support, of_a_box_names_its_sides_and_the_lowest_of_two) {
  check_answers(corners_of(box({2, 1}, 0, {1, 3}), {1, -2}, {3, 4}));
  // Rounded by 0.5: the direction (0.6, 0.8) leaves the corner by (0.3, 0.4).
  check_answers({{box({0, 0}, 0, {1, 1}, 0.5), {0.6, 0.8}, {1.3, 1.4}, vertex(3)},
                 {box({0, 0}, 0, {1, 1}, 0.5), {0, 2}, {-1, 1.5}, vertex(2)},
                 {box({0, 0}, 0, {1, 1}, 0.5), {0, -2}, {-1, -1.5}, vertex(0)}});
}

TEST(support, of_a_flat_box_is_the_lowest_of_the_corners_that_coincide) {
  check_answers({{box({0, 0}, 0, {2, 0}), {1, 0}, {2, 0}, vertex(1)},
                 {box({0, 0}, 0, {2, 0}), {-1, 1}, {-2, 0}, vertex(0)},
                 {box({0, 0}, 0, {2, 0}), {0, 1}, {-2, 0}, vertex(0)},
                 {box({0, 0}, 0, {0, 2}), {1, 1}, {0, 2}, vertex(2)},
                 {box({0, 0}, 0, {0, 2}), {1, 0}, {0, -2}, vertex(0)},
                 {aabb<2>({0, 0}, {0, 3}), {0, 1}, {0, 3}, vertex(2)},
                 {aabb<2>({1, 1}, {1, 1}), {1, 1}, {1, 1}, vertex(0)}});
}

TEST(support, of_a_turned_box_turns_the_numbers_along) {
  // By 45 degrees the upper corner (1, 1) comes to the top.
  const double root = std::sqrt(2.0);
  check_answers({{box({3, 0}, kEighthTurn, {1, 1}), {0, 1}, {3, root}, vertex(3)},
                 {box({3, 0}, kEighthTurn, {1, 1}), {1, 0}, {3 + root, 0}, vertex(1)},
                 {box({3, 0}, kEighthTurn, {1, 1}), {-1, 0}, {3 - root, 0}, vertex(2)},
                 {box({3, 0}, kEighthTurn, {1, 1}), {0, -4}, {3, -root}, vertex(0)}});
}

TEST(support, of_a_polygon_names_the_vertex_and_the_lowest_of_two) {
  const std::vector<Point<2>> square{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  const Solid<2> solid = polygon({2, 0}, 0, square, 0.5);
  check_answers({{solid, {0.8, -0.6}, {3.4, -1.3}, vertex(0)},
                 {solid, {0.8, 0.6}, {3.4, 1.3}, vertex(1)},
                 {solid, {-0.8, 0.6}, {0.6, 1.3}, vertex(2)},
                 {solid, {-0.8, -0.6}, {0.6, -1.3}, vertex(3)},
                 {solid, {1, 0}, {3.5, -1}, vertex(0)},
                 {solid, {0, 1}, {3, 1.5}, vertex(1)},
                 {solid, {-1, 0}, {0.5, 1}, vertex(2)},
                 // The last side ends at the first vertex.
                 {solid, {0, -1}, {3, -1.5}, vertex(0)}});
}

TEST(support, ties_among_more_than_eight_vertices) {
  // Vertices 9 and 10 of twelve bound the side at the top; 11 and 0 that on the left.
  const std::vector<Point<2>> vertices{{-4, -1}, {-3, -3}, {-1, -4},   {1, -4}, {3, -3}, {4, -1},
                                       {4, 1},   {3, 3},   {2, 3.625}, {1, 4},  {-1, 4}, {-4, 1}};
  ASSERT_EQ(strictly_convex(vertices).size(), vertices.size());
  const Solid<2> solid = polygon({0, 0}, 0, vertices);
  check_answers({{solid, {0, 1}, {1, 4}, vertex(9)},
                 {solid, {-1, 0}, {-4, -1}, vertex(0)},
                 {solid, {1, 0}, {4, -1}, vertex(5)},
                 {solid, {0, -1}, {-1, -4}, vertex(2)},
                 {solid, {-1, 4}, {-1, 4}, vertex(10)},
                 {solid, {-4, 1.5}, {-4, 1}, vertex(11)}});
}

TEST(support, directions_of_any_length) {
  const auto check = []<class T>(T) {
    const int most = sizeof(T) == 4 ? 18 : 150;
    for (const Kind kind : bounded_kinds()) {
      auto list = random_questions(kind, 3, 63);
      for (std::size_t i = 0; i < list.size(); ++i) {
        Random random(i);
        const Point<2> unit = random.direction<2>();
        const double size = std::pow(10, random.integer(-most, most));
        list[i].second = {unit[0] * size, unit[1] * size};
      }
      check_support<T>(list);
    }
  };
  check(float{});
  check(double{});
}

TEST(support, directions_of_any_stride) {
  const auto check = []<class T>(T) {
    const Questions<T> questions(mixed_questions(3, 64));
    const std::size_t count = questions.ids.size();
    const auto expected =
        ask_support<T>(questions.scene, questions.ids, as_span(questions.direction), Isa::scalar);
    std::vector<T> rows;
    struct Record {
      char before;
      T direction[2];
      char after[3];
    };
    std::vector<Record> records;
    std::vector<T> backwards_x(count), backwards_y(count);
    for (std::size_t i = 0; i < count; ++i) {
      const T x = questions.direction(i, 0), y = questions.direction(i, 1);
      rows.insert(rows.end(), {x, y});
      records.push_back({'a', {x, y}, {'b', 'c', 'd'}});
      backwards_x[count - 1 - i] = x;
      backwards_y[count - 1 - i] = y;
    }
    const auto step = static_cast<std::ptrdiff_t>(sizeof(T));
    using Span = ColumnSpan<T, 2>;
    for (const Isa isa : usable_isas()) {
      for (const Span& direction :
           {Span::interleaved(rows.data(), count),
            Span::interleaved(records[0].direction, count, sizeof(Record)),
            Span::planes({&backwards_x[count - 1], &backwards_y[count - 1]}, count, -step)}) {
        EXPECT_TRUE(
            same_rows(ask_support<T>(questions.scene, questions.ids, direction, isa), expected))
            << isa_name(isa);
      }
      // One direction for all.
      const T one[2] = {T(0.6), T(-0.8)};
      Column<T, 2> repeated;
      for (std::size_t i = 0; i < count; ++i) repeated.push_back({one[0], one[1]});
      EXPECT_TRUE(
          same_rows(ask_support<T>(questions.scene, questions.ids, Span::repeated(one, count), isa),
                    ask_support<T>(questions.scene, questions.ids, as_span(repeated), isa)))
          << isa_name(isa);
    }
  };
  check(float{});
  check(double{});
}

TEST(support, lists_of_any_length_agree) {
  const auto check = []<class T>(T) {
    // Runs of one kind and kinds mixed.
    auto list = mixed_questions(1, 65);
    for (const Kind kind : bounded_kinds()) {
      const auto run = random_questions(kind, 4, 66);
      list.insert(list.end(), run.begin(), run.end());
    }
    const Questions<T> questions(list);
    const auto expected =
        ask_support<T>(questions.scene, questions.ids, as_span(questions.direction), Isa::scalar);
    for (const Isa isa : usable_isas()) {
      for (std::size_t count = 0; count <= 40; ++count) {
        for (const std::size_t begin :
             {std::size_t{0}, std::size_t{17}, list.size() / 2, list.size() - count}) {
          std::vector<T> rows;
          for (std::size_t i = 0; i < count; ++i) {
            rows.push_back(questions.direction(begin + i, 0));
            rows.push_back(questions.direction(begin + i, 1));
          }
          const auto some =
              ask_support<T>(questions.scene, std::span(questions.ids).subspan(begin, count),
                             ColumnSpan<T, 2>::interleaved(rows.data(), count), isa);
          ASSERT_EQ(some.point.size(), count);
          ASSERT_EQ(some.feature.size(), count);
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(row_bits(some, i), row_bits(expected, begin + i))
                << isa_name(isa) << ", " << count << " questions from " << begin;
          }
        }
      }
    }
  };
  check(float{});
  check(double{});
}

/// Asks and returns the finding of the error thrown.
template <class T>
Finding finding_of(const SceneColumns<2, T>& scene, const std::vector<std::int32_t>& ids,
                   const std::vector<T>& rows) {
  try {
    ask_support<T>(scene, ids, ColumnSpan<T, 2>::interleaved(rows.data(), rows.size() / 2));
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding().has_value()) << error.what();
    return error.finding().value_or(Finding{});
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(support, wrong_questions_are_named) {
  const auto check = []<class T>(T) {
    SceneColumns<2, T> scene;
    append(scene, ball<2>({0, 0}, 1));
    append(scene, capsule<2>({0, 0}, {1, 0}, 1));
    append(scene, halfspace<2>({1, 0}, 0));
    const std::vector<T> good{1, 0, 0, 1, 1, 1};
    const auto expect = [&](const std::vector<std::int32_t>& ids, const std::vector<T>& rows,
                            const char* array, std::int64_t row) {
      const Finding finding = finding_of<T>(scene, ids, rows);
      EXPECT_EQ(finding.array, array);
      EXPECT_EQ(finding.row, row);
      EXPECT_FALSE(finding.message.empty());
    };
    expect({0, 1, 3}, good, "ids", 2);
    expect({0, -1, 3}, good, "ids", 1);
    expect({2, 1, 0}, good, "ids", 0);
    expect({1, 0, 2}, good, "ids", 2);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T infinity = std::numeric_limits<T>::infinity();
    // A length whose square has lost its digits is none: the rounding would leave the surface.
    const T tiny = std::sqrt(std::numeric_limits<T>::min()) / 16;
    expect({0, 1, 0}, {1, 0, 0, 0, 1, 1}, "direction", 1);
    expect({0, 1, 0}, {1, 0, 0, 1, nan, 1}, "direction", 2);
    expect({0, 1, 0}, {0, nan, 0, 1, 1, 1}, "direction", 0);
    expect({0, 1, 0}, {1, 0, infinity, 1, 1, 1}, "direction", 1);
    expect({0, 1, 0}, {1, 0, 1, 1, 0, -infinity}, "direction", 2);
    expect({0, 1, 0}, {1, 0, tiny, 0, 1, 1}, "direction", 1);
    expect({0, 1}, good, "direction", -1);
    const auto answers = ask_support<T>(scene, std::vector<std::int32_t>{0, 1, 0},
                                        ColumnSpan<T, 2>::interleaved(good.data(), 3));
    EXPECT_EQ(answers.point.size(), 3u);
  };
  check(float{});
  check(double{});
}

}  // namespace
}  // namespace widephase::test
