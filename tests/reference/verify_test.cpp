// The checker itself, in 2D with boxes and polygons. Simple answers by clipping pass on every
// family of inputs; with one wrong number they do not.
// Labels: plain reference long

#include "support/verify.hpp"

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/pair_kinds.hpp"

namespace widephase::test {
namespace {

/// A side of a core, with the features of its ends and its own feature.
struct Side {
  Vec<2> from, to;
  std::uint32_t from_feature, to_feature, feature;

  Vec<2> normal() const {
    const Vec<2> along = minus(to, from);
    const Real norm = length(along);
    return norm > 0 ? Vec<2>{along[1] / norm, -along[0] / norm} : Vec<2>{};
  }
};

std::vector<Side> sides_of(const Solid<2>& solid) {
  std::vector<Vec<2>> corners;
  std::vector<std::uint32_t> vertices;
  std::vector<std::uint32_t> sides;
  const Vec<2> p = widened(solid.p);
  const Vec<2> q = widened(solid.q);
  if (solid.kind == Kind::circle) {
    corners = {p};
    vertices = sides = {feature_half(Feature::whole, 0)};
  } else if (solid.kind == Kind::capsule) {
    corners = {p, q};
    vertices = {feature_half(Feature::vertex, 0), feature_half(Feature::vertex, 1)};
    sides = {feature_half(Feature::edge, 0), feature_half(Feature::edge, 0)};
  } else if (solid.kind == Kind::polygon) {
    for (std::size_t i = 0; i < solid.vertices.size(); ++i) {
      corners.push_back(plus(p, turned_by(solid.angle, widened(solid.vertices[i]))));
      vertices.push_back(feature_half(Feature::vertex, static_cast<int>(i)));
      sides.push_back(feature_half(Feature::edge, static_cast<int>(i)));
    }
  } else {
    const bool is_aabb = solid.kind == Kind::aabb;
    const Vec<2> center = is_aabb ? times(plus(p, q), 0.5L) : p;
    const Vec<2> half = is_aabb ? times(minus(q, p), 0.5L) : q;
    for (const int corner : {0, 1, 3, 2}) {
      const Vec<2> local{(corner & 1) != 0 ? half[0] : -half[0],
                         (corner & 2) != 0 ? half[1] : -half[1]};
      corners.push_back(plus(center, turned_by(solid.angle, local)));
      vertices.push_back(feature_half(Feature::vertex, corner));
    }
    for (const int face : {2, 1, 3, 0}) sides.push_back(feature_half(Feature::face, face));
  }
  std::vector<Side> result;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t next = (i + 1) % corners.size();
    result.push_back({corners[i], corners[next], vertices[i], vertices[next], sides[i]});
  }
  return result;
}

/// The side that faces `n` most, of those that reach farthest along it.
Side facing_side(const std::vector<Side>& sides, const Vec<2>& n, Real slack) {
  Real farthest = dot(sides[0].from, n);
  for (const Side& side : sides) farthest = std::max(farthest, dot(side.from, n));
  const Side* best = nullptr;
  for (const Side& side : sides) {
    if (std::max(dot(side.from, n), dot(side.to, n)) < farthest - slack) continue;
    if (best == nullptr || dot(side.normal(), n) > dot(best->normal(), n)) best = &side;
  }
  return *best;
}

/// An answer from clipping the facing sides.
template <class T>
Contact<2, T> plain_contact(const Solid<2>& a, const Solid<2>& b, const Reference<2>& reference,
                            Real margin) {
  Contact<2, T> contact;
  contact.normal = reference.normals[0];
  for (const Vec<2>& candidate : reference.normals) {
    const Real depth = depth_along(a, b, candidate);
    if (depth < depth_along(a, b, contact.normal)) contact.normal = candidate;
  }
  const Vec<2> n = contact.normal;
  contact.depth = reference.depth;
  struct Row {
    std::uint32_t feature;
    Vec<2> point;
    Real depth;
  };
  std::vector<Row> rows;
  // Corners that face each other have one point.
  bool has_face = b.kind == Kind::halfspace;
  const Real slack = 1e-13L * reference.size;
  if (b.kind == Kind::halfspace) {
    const Side side = facing_side(sides_of(a), n, slack);
    for (const bool is_to : {false, true}) {
      const Vec<2> corner = is_to ? side.to : side.from;
      const Real depth = plane_of(b).offset + dot(n, corner) + radius_of(a);
      rows.push_back({(is_to ? side.to_feature : side.from_feature) << 16,
                      plus(corner, n, radius_of(a)), depth});
    }
  } else {
    const Side side_a = facing_side(sides_of(a), n, slack);
    const Side side_b = facing_side(sides_of(b), times(n, -1), slack);
    const Real radius = radius_of(a) + radius_of(b);
    // Sides that face each other to rounding have two points, wherever rounding puts the nearest
    // ones.
    const Real parallel = 16 * kUnitTolerance<T>;
    has_face =
        length(minus(side_a.normal(), n)) < parallel || length(plus(side_b.normal(), n)) < parallel;
    // The ends of either side that are over the other side, and at least the nearest points.
    const auto consider = [&](const Vec<2>& on_a, const Vec<2>& on_b, std::uint32_t half_a,
                              std::uint32_t half_b) {
      rows.push_back(
          {half_a << 16 | half_b, plus(on_a, n, radius_of(a)), radius - dot(n, minus(on_b, on_a))});
    };
    const Vec<2> tangent{-n[1], n[0]};
    const auto project = [&](const Side& side, const Vec<2>& point, Vec<2>& result) {
      const Real low = dot(tangent, side.from);
      const Real high = dot(tangent, side.to);
      const Real at = dot(tangent, point);
      if (low == high) return false;
      const Real t = (at - low) / (high - low);
      result = plus(side.from, minus(side.to, side.from), t);
      return t > 0 && t < 1;
    };
    const auto consider_ends = [&](const Side& ends, const Side& other, bool is_a) {
      for (const bool is_to : {false, true}) {
        const Vec<2> corner = is_to ? ends.to : ends.from;
        const std::uint32_t half = is_to ? ends.to_feature : ends.from_feature;
        Vec<2> opposite;
        if (!project(other, corner, opposite)) continue;
        if (is_a) {
          consider(corner, opposite, half, other.feature);
        } else {
          consider(opposite, corner, other.feature, half);
        }
      }
    };
    consider_ends(side_a, side_b, true);
    consider_ends(side_b, side_a, false);
    for (const bool to_a : {false, true}) {
      for (const bool to_b : {false, true}) {
        const Vec<2> corner_a = to_a ? side_a.to : side_a.from;
        const Vec<2> corner_b = to_b ? side_b.to : side_b.from;
        const Vec<2> apart = minus(corner_b, corner_a);
        if (std::abs(dot(apart, tangent)) > 4 * slack) continue;
        consider(corner_a, corner_b, to_a ? side_a.to_feature : side_a.from_feature,
                 to_b ? side_b.to_feature : side_b.from_feature);
      }
    }
  }
  // The deepest point, which has the pair's depth, and the point farthest from it.
  std::sort(rows.begin(), rows.end(), [](const Row& u, const Row& v) { return u.depth > v.depth; });
  if (rows.empty()) return contact;
  rows[0].depth = contact.depth;
  for (Row& row : rows) row.depth = std::min(row.depth, contact.depth);
  std::size_t second = 0;
  for (std::size_t i = 1; i < rows.size() && has_face; ++i) {
    if (rows[i].depth < -margin || rows[i].feature == rows[0].feature) continue;
    const auto reach = [&](std::size_t j) { return length(minus(rows[j].point, rows[0].point)); };
    if (reach(i) > std::max(reach(second), 1e-12L)) second = i;
  }
  std::vector<Row> kept{rows[0]};
  if (second != 0) kept.push_back(rows[second]);
  std::sort(kept.begin(), kept.end(),
            [](const Row& u, const Row& v) { return u.feature < v.feature; });
  for (const Row& row : kept) {
    contact.points.push_back(row.point);
    contact.point_depths.push_back(row.depth);
    contact.features.push_back(row.feature);
  }
  return contact;
}

template <class T>
std::vector<SolidPair<2>> every_family(Kind a, Kind b) {
  std::vector<SolidPair<2>> all;
  for (const auto& family :
       {random_pairs<2>(a, b, scaled(150, 20), 51), sized_pairs<2>(a, b, scaled(150, 20), 52),
        grid_pairs<2>(a, b, scaled(300, 40), 53), near_grid_pairs<2>(a, b, scaled(300, 40), 54),
        far_pairs<2>(random_pairs<2>(a, b, scaled(50, 10), 55), 56), special_pairs<2>(a, b)}) {
    for (const SolidPair<2>& pair : family) {
      all.push_back({stored<T>(pair.a), stored<T>(pair.b)});
    }
  }
  if (a == Kind::aabb || b == Kind::aabb) return all;
  for (const SolidPair<2>& pair : turned_grid_pairs<2>(a, b, scaled(300, 40), 59)) {
    all.push_back({stored<T>(pair.a), stored<T>(pair.b)});
  }
  return all;
}

/// The pairs with a box or a polygon, in their natural order.
template <class Check>
void for_each_turned_kind(Check&& check) {
  for (const Kind a : kinds(2)) {
    for (const Kind b : kinds(2)) {
      if (b < a || (a == Kind::halfspace && b == Kind::halfspace)) continue;
      if (!has_outline(Solid<2>{a}) && !has_outline(Solid<2>{b})) continue;
      SCOPED_TRACE(name_of({2, a, b}));
      check(a, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class T>
void plain_answers_pass() {
  for_each_turned_kind([](Kind kind_a, Kind kind_b) {
    std::size_t pair_count = 0;
    std::size_t two_count = 0;
    for (const auto& [a, b] : every_family<T>(kind_a, kind_b)) {
      const Reference<2> reference = reference_of(a, b);
      for (const double margin : {0.0, 0.5}) {
        if (reference.depth < -static_cast<Real>(margin)) continue;
        const auto contact = plain_contact<T>(a, b, reference, static_cast<Real>(margin));
        ASSERT_EQ((contact_problem<2, T>(a, b, reference, margin, contact)), "")
            << describe(a) << "\n"
            << describe(b) << "\n"
            << describe(contact) << "\nmargin " << margin;
        ++pair_count;
        const Real tolerance = 1e-9L * reference.size;
        two_count +=
            least_point_count(a, b, contact.normal, static_cast<Real>(margin), tolerance) == 2;
      }
    }
    EXPECT_GT(pair_count, scaled(300, 40));
    // Families contain sides that face sides; these need a second point.
    if (kind_a != Kind::circle) {
      EXPECT_GT(two_count, pair_count / 50);
    }
  });
}

TEST(verify, plain_answers_pass_in_float) { plain_answers_pass<float>(); }
TEST(verify, plain_answers_pass_in_double) { plain_answers_pass<double>(); }

TEST(verify, spoiled_answers_do_not_pass) {
  using Answered = Contact<2, double>;
  const std::vector<std::pair<const char*, void (*)(Answered&)>> spoils{
      {"depth",
       [](Answered& c) {
         c.depth += 1e-6L;
         for (Real& depth : c.point_depths) depth += 1e-6L;
       }},
      {"normal's length", [](Answered& c) { c.normal = times(c.normal, 1 + 1e-12L); }},
      {"normal", [](Answered& c) { c.normal = turned_by(0.1, c.normal); }},
      {"sign", [](Answered& c) { c.normal = times(c.normal, -1); }},
      {"status", [](Answered& c) { c.status = 1; }},
      {"unknown status", [](Answered& c) { c.status = 2; }},
      {"no points",
       [](Answered& c) {
         c.points.clear();
         c.point_depths.clear();
         c.features.clear();
       }},
      {"point along the normal",
       [](Answered& c) { c.points[0] = plus(c.points[0], c.normal, 1e-6L); }},
      {"A's feature", [](Answered& c) { c.features[0] ^= 1u << 16; }},
      {"B's feature", [](Answered& c) { c.features[0] ^= 1u; }},
      {"A's kind of feature, whole",
       [](Answered& c) { c.features[0] = 5u << 16 | (c.features[0] & 0xffff); }},
      {"B's kind of feature, whole",
       [](Answered& c) { c.features[0] = (c.features[0] & 0xffff0000u) | 5u; }},
      {"order",
       [](Answered& c) {
         if (c.features.size() == 1) return c.points.clear();
         std::swap(c.features[0], c.features[1]);
         std::swap(c.points[0], c.points[1]);
         std::swap(c.point_depths[0], c.point_depths[1]);
       }},
  };
  for_each_turned_kind([&](Kind kind_a, Kind kind_b) {
    for (const auto& [a, b] : random_pairs<2>(kind_a, kind_b, scaled(50, 10), 57)) {
      const Reference<2> reference = reference_of(a, b);
      // If another direction has nearly the same depth, a wrong one may pass as a tie.
      if (reference.depth < -0.5L || has_tie(a, b, reference, 1e-6L)) continue;
      const Answered contact = plain_contact<double>(a, b, reference, 0.5L);
      for (const auto& [name, spoil] : spoils) {
        Answered spoiled = contact;
        spoil(spoiled);
        EXPECT_NE((contact_problem<2, double>(a, b, reference, 0.5, spoiled)), "")
            << name << "\n"
            << describe(a) << "\n"
            << describe(b) << "\n"
            << describe(spoiled);
      }
    }
  });
}

/// The checker's message for two contacts of B above a face of A, y = 1, at x = 0.5, with features
/// of B.
std::string two_points_problem(const Solid<2>& b, std::uint32_t first, std::uint32_t second) {
  const Solid<2> a = box({0, 0}, 0, {1, 1});
  const std::uint32_t face = feature_half(Feature::face, 3) << 16;
  const Contact<2, double> contact{
      {0, 1}, {0, 1}, 0, 0, {{0.5L, 1}, {0.5L, 1}}, {0, 0}, {face | first, face | second}};
  return contact_problem<2, double>(a, b, reference_of(a, b), 0, contact);
}

TEST(verify, a_point_of_a_shape_without_extent_counts_once) {
  const std::uint32_t v0 = feature_half(Feature::vertex, 0), v1 = feature_half(Feature::vertex, 1);
  EXPECT_EQ(two_points_problem(capsule<2>({0.5, 2}, {0.5, 2}, 1), v0, v1),
            "point 1 is there twice; ");
  // Shorter than the checker's tolerance, but it has two ends.
  EXPECT_EQ(two_points_problem(capsule<2>({0.5, 2}, {0.5 + 1e-15, 2}, 1), v0, v1), "");
  EXPECT_EQ(two_points_problem(box({0.5, 2}, 0, {0, 0.5}, 0.5), v0, v1),
            "point 1 is there twice; ");
  EXPECT_EQ(two_points_problem(box({0.5, 2}, 0, {1e-15, 0.5}, 0.5), v0, v1), "");
}

TEST(verify, sides_that_face_each_other_need_two_points) {
  // Quarters and rotations by 45 degrees: parallel sides are so only to rounding.
  std::size_t count = 0;
  for_each_turned_kind([&](Kind kind_a, Kind kind_b) {
    for (const auto& [a, b] : grid_pairs<2>(kind_a, kind_b, scaled(400, 40), 58)) {
      const Reference<2> reference = reference_of(a, b);
      if (reference.depth < 0) continue;
      Contact<2, double> contact = plain_contact<double>(a, b, reference, 0.25L);
      if (least_point_count(a, b, contact.normal, 0.25L, 1e-9L) < 2) continue;
      ++count;
      const std::size_t shallower = contact.point_depths[0] < contact.depth ? 0 : 1;
      contact.points.erase(contact.points.begin() + static_cast<std::ptrdiff_t>(shallower));
      contact.point_depths.erase(contact.point_depths.begin() +
                                 static_cast<std::ptrdiff_t>(shallower));
      contact.features.erase(contact.features.begin() + static_cast<std::ptrdiff_t>(shallower));
      EXPECT_NE((contact_problem<2, double>(a, b, reference, 0.25, contact)), "")
          << describe(a) << "\n"
          << describe(b) << "\n"
          << describe(contact);
    }
  });
  EXPECT_GT(count, scaled(500, 50));
}

}  // namespace
}  // namespace widephase::test
