// The face of the largest separation by cutting planes, against a test of all faces: the same
// value, number and tie to the bit. Only one lane; other tests compare the instruction sets.
// Labels: emulated-arm own-sets

#define WIDEPHASE_ISA_scalar 1
#include "kernels/core/polygon/cutting_planes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <widephase/polygons.hpp>

#include "geometry/polygon_library.hpp"
#include "reference/generate_turned.hpp"
#include "reference/scaled.hpp"

namespace widephase::test {
namespace {

using Outline = std::vector<Point<2>>;

template <class T>
T number_of_bits(std::int32_t bits) {
  T number = 0;
  std::memcpy(&number, &bits, sizeof bits);
  return number;
}

/// Outlines as kernels read them. Every third has some inner edges, and one has only inner edges.
template <class T>
class Outlines {
 public:
  explicit Outlines(const std::vector<Outline>& outlines) {
    for (const Outline& outline : outlines) {
      Column<T, 2> points;
      for (const Point<2>& v : outline) {
        points.push_back({static_cast<T>(v[0]), static_cast<T>(v[1])});
      }
      add_polygon(table_, points);
    }
    table_.inner.resize(table_.vertices.size());
    for (std::size_t g = 0; g + 1 < table_.offsets.size(); g += 3) {
      for (std::int64_t v = table_.offsets(g); v < table_.offsets(g + 1); ++v) {
        table_.inner[static_cast<std::size_t>(v)] = g == 3 || v % 5 < 3 ? 1 : 0;
      }
    }
    library_.update({table_.vertices, table_.offsets, table_.inner}, Threads{});
  }
  int count() const { return static_cast<int>(library_.place.size()); }
  PolygonPlaces<Batch<T>> operator[](int row) const {
    const auto at = static_cast<std::size_t>(row);
    return {library_.numbers.plane(), number_of_bits<T>(library_.place[at]),
            number_of_bits<T>(library_.vertex_count[at])};
  }

 private:
  GeometryTable<Owned<2, T>> table_;
  PolygonLibrary<T> library_;
};

/// Outlines of 3 to 64 corners: round, uneven, flattened, regular, far from the frame's origin, and
/// with all corners but three in a short arc.
std::vector<Outline> outlines(Random& random) {
  std::vector<Outline> all;
  for (const int count : {3, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 64, 64}) {
    all.push_back(regular(count, random.uniform(0.5, 2), random.uniform(0, 1)));
    all.push_back(regular(count, 1));
    all.push_back(random_vertices(random, count, random.uniform(0.5, 2), 0.97));
    for (const double flat : {0.3, 1e-2, 1e-4}) {
      Outline scaled;
      for (const Point<2>& v : regular(count, 1)) scaled.push_back(scaled_by(v, 1, flat));
      all.push_back(usable(scaled, all.back()));
    }
    Outline far;
    for (const Point<2>& v : regular(count, 1)) far.push_back({v[0] + 30, v[1] - 20});
    all.push_back(usable(far, all.back()));
    Outline arc{{-1, -1}, {1, -1}};
    for (int i = 2; i < count; ++i) {
      const double angle = 0.5 + 0.01 * i;
      arc.push_back({std::cos(angle), std::sin(angle)});
    }
    all.push_back(usable(arc, all.back()));
  }
  return all;
}

template <class T>
struct Pose {
  T cosine, sine, x, y;
};

template <class T>
struct BestFace {
  T value;
  int number;
  int is_tie;
};

/// Tests every face against every vertex.
template <class T>
BestFace<T> best_of_all(const PolygonPlaces<Batch<T>>& own, const PolygonPlaces<Batch<T>>& other,
                        const Pose<T>& pose, int offset) {
  BestFace<T> best{-std::numeric_limits<T>::infinity(), 0, 0};
  for (int face = 0; face < own.count(0); ++face) {
    const T* const at = own.blocks(0) + face / 8 * PolygonLayout::block + face % 8;
    const T nx = at[PolygonLayout::normal_x], ny = at[PolygonLayout::normal_y];
    const T ox = nx * pose.cosine + ny * pose.sine, oy = ny * pose.cosine - nx * pose.sine;
    T least = std::numeric_limits<T>::infinity();
    for (int vertex = 0; vertex < other.count(0); ++vertex) {
      const T* const v = other.blocks(0) + vertex / 8 * PolygonLayout::block + vertex % 8;
      least = std::min(least, ox * v[PolygonLayout::vertex_x] + oy * v[PolygonLayout::vertex_y]);
    }
    const T value = least + ((nx * pose.x + ny * pose.y) - at[offset]);
    if (value == best.value) best.is_tie = 1;
    if (value > best.value) best = {value, face, 0};
  }
  return best;
}

template <class T>
class Checker {
 public:
  void check(const PolygonPlaces<Batch<T>>& own, const PolygonPlaces<Batch<T>>& other,
             const Pose<T>& pose, int offset, Random& random) {
    const BestFace<T> expected = best_of_all<T>(own, other, pose, offset);
    const bool has_face = expected.value > -std::numeric_limits<T>::max() / 8;
    using F = Batch<T>;
    CuttingPlanes<F> planes(own, other, {{pose.cosine, pose.sine}, {{pose.x, pose.y}}}, offset);
    expect(planes.search(planes.nearest_vertex(), F(CuttingPlanes<F>::kLowest)), expected,
           has_face);
    const auto search_anywhere = [&](T floor) {
      CuttingPlanes<F> again(own, other, {{pose.cosine, pose.sine}, {{pose.x, pose.y}}}, offset);
      return again.search(F(static_cast<T>(random.integer(0, other.count(0) - 1))), F(floor));
    };
    expect(search_anywhere(expected.value), expected, has_face);
    // No face reaches a floor above the largest value.
    const T above = std::nextafter(expected.value, std::numeric_limits<T>::max());
    EXPECT_LT(search_anywhere(above).value.value, above);
    tie_count += expected.is_tie;
  }
  int tie_count = 0;

 private:
  static void expect(const Greatest<Batch<T>>& found, const BestFace<T>& expected, bool has_face) {
    if (!has_face) {
      EXPECT_LE(found.value.value, -std::numeric_limits<T>::max() / 8);
      return;
    }
    EXPECT_EQ(found.value.value, expected.value);
    EXPECT_EQ(static_cast<int>(found.number.value), expected.number);
    EXPECT_EQ(static_cast<int>(found.is_tie.value), expected.is_tie);
  }
};

template <class T>
void check_all() {
  Random random(71);
  const Outlines<T> all(outlines(random));
  Checker<T> checker;
  for (std::size_t i = 0; i < scaled(20000, 1000); ++i) {
    const auto own = all[random.integer(0, all.count() - 1)];
    const auto other = random.chance(0.2) ? own : all[random.integer(0, all.count() - 1)];
    double angle = random.uniform(-4, 4);
    if (random.chance(0.3)) angle = 8 * kEighthTurn / 64 * random.integer(0, 63);
    if (random.chance(0.1)) angle = std::pow(10, random.uniform(-16, -1));
    const Point<2> direction = random.chance(0.3) ? Point<2>{0, 1} : random.direction<2>();
    double apart = random.uniform(0, 5);
    if (random.chance(0.3)) apart = random.integer(0, 2);
    if (random.chance(0.1)) apart = std::pow(10, random.uniform(-16, 6));
    const Pose<T> pose{static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)),
                       static_cast<T>(direction[0] * apart), static_cast<T>(direction[1] * apart)};
    const bool is_outer = random.chance(0.2);
    checker.check(own, other, pose, is_outer ? PolygonLayout::outer_offset : PolygonLayout::offset,
                  random);
    if (::testing::Test::HasFailure()) FAIL() << "pair " << i;
  }
  EXPECT_GT(checker.tie_count, 0);
}

TEST(cutting_planes, the_face_of_a_test_of_all_faces) {
  check_all<float>();
  check_all<double>();
}

/// Along normals two vertices are equally far; borders of sectors belong to either side.
template <class T>
void check_farthest() {
  Random random(72);
  std::vector<Outline> shapes = outlines(random);
  // A side of many corners in a line, all but one of a polygon's.
  for (const int count : {12, 24, 64}) {
    Outline side{{0.3, 1}};
    for (int i = 1; i < count; ++i) side.push_back({i * 0.125, -0.5});
    for (int turn = 0; turn < 4; ++turn) {
      shapes.push_back(side);
      for (Point<2>& v : side) v = {-v[1], v[0]};
    }
  }
  const Outlines<T> all(shapes);
  using F = Batch<T>;
  for (std::size_t i = 0; i < scaled(200000, 5000); ++i) {
    const PolygonPlaces<F> polygon = all[random.integer(0, all.count() - 1)];
    const auto vertex = [&](int v) {
      const T* const at = polygon.blocks(0) + v / 8 * PolygonLayout::block + v % 8;
      return std::array<T, 2>{at[PolygonLayout::vertex_x], at[PolygonLayout::vertex_y]};
    };
    double angle = random.uniform(-4, 4);
    if (random.chance(0.2)) angle = kEighthTurn / 2 * random.integer(0, 15);
    if (random.chance(0.3)) {
      const auto p = vertex(random.integer(0, polygon.count(0) - 1));
      const auto q = vertex(random.integer(0, polygon.count(0) - 1));
      angle = std::atan2(double(q[1] - p[1]), double(q[0] - p[0])) + 2 * kEighthTurn;
    }
    if (random.chance(0.3)) angle += std::pow(10, random.uniform(-17, -3));
    const double size = std::pow(10, random.uniform(-3, 3));
    const T x = static_cast<T>(size * std::cos(angle)), y = static_cast<T>(size * std::sin(angle));
    int farthest = 0;
    const auto height = [&](int v) { return vertex(v)[0] * x + vertex(v)[1] * y; };
    for (int v = 1; v < polygon.count(0); ++v) {
      if (height(v) > height(farthest)) farthest = v;
    }
    const FarthestVertex<F> found = farthest_in_sectors(polygon, 1, Vec<F, 2>{{F(x), F(y)}});
    ASSERT_EQ(static_cast<int>(found.number.value), farthest) << "question " << i;
    ASSERT_EQ(found.height.value, height(farthest)) << "question " << i;
  }
}

TEST(farthest_in_sectors, the_first_of_all_vertices_that_are_the_farthest) {
  check_farthest<float>();
  check_farthest<double>();
}

}  // namespace
}  // namespace widephase::test
