// Outlines cut into convex parts: what is cut, what is repaired, what is refused and how it is
// said.
// Labels: plain

#include <gtest/gtest.h>

#include <limits>

#include <widephase/decompose.hpp>

#include "reference/scaled.hpp"
#include "support/outline_contacts.hpp"

namespace widephase::test {
namespace {

using Ring = std::vector<Point2>;

DecomposeReport cut(const Rings& rings, Parts& parts) {
  const OutlineColumns columns(rings);
  return decompose(columns.span(), parts);
}

/// Cuts an outline, checks all properties of the parts and returns the report.
DecomposeReport expect_parts(const Rings& rings) {
  Parts parts;
  DecomposeReport report;
  EXPECT_NO_THROW(report = cut(rings, parts));
  EXPECT_EQ(parts_problem(rings, parts, report), "");
  Random random(7);
  EXPECT_EQ(points_problem(rings, parts, 100, random), "");
  EXPECT_EQ(contacts_problem(rings, parts, 100, random), "");
  return report;
}

std::string error_of(const Rings& rings) {
  Parts parts;
  try {
    cut(rings, parts);
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding().has_value());
    EXPECT_TRUE(parts.vertices.empty());
    return error.what();
  }
  return "no error";
}

Ring reversed(Ring ring) {
  std::reverse(ring.begin(), ring.end());
  return ring;
}

const Ring kSquare{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
/// A square of side 4 with a square of side 2 missing at its upper right corner: one reflex vertex.
const Ring kL{{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}};

TEST(decompose, convex_outlines_stay_one_part) {
  const DecomposeReport report = expect_parts({kSquare});
  EXPECT_EQ(report.part_count, 1);
  EXPECT_EQ(report.vertex_count, 4);
  EXPECT_EQ(report.area, 16);
  EXPECT_FALSE(report.is_repaired());
  Parts parts;
  cut({kSquare}, parts);
  for (const std::uint8_t is_inner : parts.inner) EXPECT_EQ(is_inner, 0);
}

TEST(decompose, an_l_is_two_parts) {
  for (const Ring& ring : {kL, reversed(kL)}) {
    const DecomposeReport report = expect_parts({ring});
    EXPECT_EQ(report.part_count, 2);
    EXPECT_EQ(report.area, 12);
    EXPECT_EQ(report.turned_rings, ring == kL ? 0 : 1);
  }
}

TEST(decompose, parts_are_appended_to_what_is_there) {
  Parts parts;
  parts.vertices = {{9, 9}, {10, 9}, {9, 10}};
  parts.offsets = {0, 3};
  cut({kSquare}, parts);
  cut({kL}, parts);
  ASSERT_EQ(parts.offsets.size(), 5u);
  EXPECT_EQ(parts.offsets[1], 3);
  EXPECT_EQ(parts.offsets[2], 7);
  EXPECT_EQ(parts.inner.size(), parts.vertices.size());
  EXPECT_EQ(parts.inner[0], 0);
  EXPECT_EQ(parts.vertices(0, 0), 9);
}

TEST(decompose, a_frame_has_four_parts_round_its_hole) {
  // The hole's four corners are reflex, and each side of the frame can be one part.
  const Ring hole{{1, 1}, {3, 1}, {3, 3}, {1, 3}};
  for (const Ring& ring : {hole, reversed(hole)}) {
    const DecomposeReport report = expect_parts({kSquare, ring});
    EXPECT_EQ(report.part_count, 4);
    EXPECT_EQ(report.area, 12);
  }
}

TEST(decompose, round_outlines_are_divided_at_64_vertices) {
  Ring circle;
  for (int i = 0; i < 200; ++i) {
    circle.push_back({std::cos(i * 0.031415926535897934), std::sin(i * 0.031415926535897934)});
  }
  const DecomposeReport report = expect_parts({circle});
  EXPECT_GE(report.part_count, 4);
  EXPECT_LE(report.part_count, 8);
}

// What is repaired.

TEST(decompose, a_closing_vertex_makes_no_difference) {
  Ring closed = kL;
  closed.push_back(closed.front());
  const DecomposeReport report = expect_parts({closed});
  EXPECT_EQ(report.closing_points, 1);
  EXPECT_EQ(report.part_count, 2);
  EXPECT_FALSE(report.is_repaired());
}

TEST(decompose, repeated_vertices_are_left_out) {
  const DecomposeReport report =
      expect_parts({{{0, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 4}, {0, 0}, {0, 0}}});
  EXPECT_EQ(report.duplicate_points, 4);
  EXPECT_EQ(report.closing_points, 1);
  EXPECT_EQ(report.part_count, 1);
  EXPECT_TRUE(report.is_repaired());
}

TEST(decompose, vertices_of_straight_sides_are_left_out) {
  const DecomposeReport report =
      expect_parts({{{0, 0}, {1, 0}, {3, 0}, {4, 0}, {4, 4}, {2, 4}, {0, 4}}});
  EXPECT_EQ(report.straight_points, 3);
  EXPECT_EQ(report.vertex_count, 4);
  EXPECT_FALSE(report.is_repaired());
}

TEST(decompose, spikes_are_left_out) {
  // From the middle of the right side to (9, 2) and back.
  EXPECT_EQ(expect_parts({{{0, 0}, {4, 0}, {4, 2}, {9, 2}, {4, 2}, {4, 4}, {0, 4}}}).vertex_count,
            4);
  // Along the upper side beyond its end and back: from (0, 4) to (6, 4), then to (4, 4).
  const DecomposeReport report = expect_parts({{{4, 4}, {6, 4}, {0, 4}, {0, 0}, {4, 0}}});
  EXPECT_EQ(report.vertex_count, 4);
  EXPECT_EQ(report.cancelled_edges, 1);
  EXPECT_TRUE(report.is_repaired());
  // A spike inwards.
  EXPECT_EQ(expect_parts({{{0, 0}, {4, 0}, {4, 2}, {1, 2}, {4, 2}, {4, 4}, {0, 4}}}).part_count, 1);
}

TEST(decompose, thousands_of_edges_on_top_of_one_another) {
  // To (1, 0), (2, 0), ... and back to the corner each time, then round a triangle.
  const int count = static_cast<int>(scaled(20000, 100));
  Ring ring;
  for (int i = 1; i <= count; ++i) {
    ring.push_back({0, 0});
    ring.push_back({static_cast<double>(i), 0});
  }
  ring.push_back({count + 1.0, 0});
  ring.push_back({0, 100});
  Parts parts;
  const DecomposeReport report = cut({ring}, parts);
  EXPECT_EQ(report.part_count, 1);
  EXPECT_EQ(report.area, 50 * (count + 1.0));
}

TEST(decompose, a_spike_may_cross_anything) {
  // A hole's spike from (3, 2) to (3, 5) and back crosses the other hole's lower side.
  expect_parts({{{0, 0}, {5, 0}, {5, 5}, {0, 5}},
                {{2, 4}, {5, 3}, {3, 4}, {5, 4}},
                {{5, 0}, {3, 0}, {3, 5}, {3, 2}}});
  // Two edges that run through (2, 1) and cancel beyond it.
  expect_parts({{{0, 1}, {2, 3}, {3, 1}, {1, 0}, {3, 2}, {2, 1}, {3, 1}}});
}

TEST(decompose, holes_without_area_are_left_out) {
  const DecomposeReport report =
      expect_parts({kSquare, {{1, 1}}, {{2, 2}, {3, 3}}, {{1, 2}, {2, 3}, {1, 2}, {1, 2}}, {}});
  EXPECT_EQ(report.dropped_rings, 4);
  EXPECT_EQ(report.part_count, 1);
}

TEST(decompose, a_corridor_to_a_hole_is_cancelled) {
  // One ring that runs in along y = 2, round the hole clockwise and back the same way.
  const DecomposeReport report = expect_parts({{{0, 0},
                                                {4, 0},
                                                {4, 4},
                                                {0, 4},
                                                {0, 2},
                                                {1, 2},
                                                {1, 3},
                                                {3, 3},
                                                {3, 1},
                                                {1, 1},
                                                {1, 2},
                                                {0, 2}}});
  EXPECT_EQ(report.area, 12);
  EXPECT_EQ(report.cancelled_edges, 1);
}

// What may touch.

TEST(decompose, a_hole_that_touches_the_outer_ring_at_a_vertex) {
  EXPECT_EQ(expect_parts({kSquare, {{0, 0}, {2, 1}, {1, 2}}}).area, 14.5);
}

TEST(decompose, a_hole_that_touches_the_middle_of_a_side) {
  const DecomposeReport report = expect_parts({kSquare, {{2, 0}, {3, 2}, {1, 2}}});
  EXPECT_EQ(report.touching_points, 1);
  EXPECT_EQ(report.area, 14);
}

TEST(decompose, a_hole_that_divides_the_outline) {
  // It touches left and right; above and below remain.
  const DecomposeReport report = expect_parts({kSquare, {{0, 2}, {2, 1}, {4, 2}, {2, 3}}});
  EXPECT_EQ(report.area, 12);
}

TEST(decompose, holes_that_share_an_edge_or_part_of_it) {
  const Rings rings{{{0, 0}, {6, 0}, {6, 6}, {0, 6}},
                    {{1, 1}, {3, 1}, {3, 3}, {1, 3}},
                    {{3, 2}, {5, 2}, {5, 5}, {3, 5}}};
  const DecomposeReport report = expect_parts(rings);
  EXPECT_EQ(report.area, 26);
  EXPECT_EQ(report.cancelled_edges, 1);
}

TEST(decompose, a_hole_along_the_outer_side_is_a_notch) {
  EXPECT_EQ(expect_parts({kSquare, {{1, 0}, {3, 0}, {3, 1}, {1, 1}}}).area, 14);
}

TEST(decompose, a_ring_that_touches_itself) {
  // Two triangles that meet in (2, 2), drawn as one ring: it touches itself but does not cross.
  EXPECT_EQ(expect_parts({{{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}}}).area, 8);
  // A vertex that touches the opposite side from inside.
  EXPECT_EQ(expect_parts({{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}}).area, 8);
}

// What is refused.

TEST(decompose, crossing_edges_are_named) {
  // The figure eight of a square's corners: its diagonals cross.
  EXPECT_EQ(error_of({{{0, 0}, {4, 4}, {4, 0}, {0, 3}}}),
            "outline.rings[0][0] is where the ring crosses or overlaps itself or another ring; "
            "rings may touch, no more");
  // A hole whose tip reaches through the outer ring's right side.
  EXPECT_EQ(error_of({kSquare, {{1, 1}, {5, 2}, {1, 3}}}),
            "outline.rings[0][1] begins an edge that crosses the edge from vertex 0 of ring 1; the "
            "edges of an outline must not cross");
}

TEST(decompose, a_figure_eight_through_a_vertex_is_a_crossing) {
  EXPECT_NE(error_of({{{0, 0}, {2, 2}, {4, 4}, {4, 0}, {2, 2}, {0, 4}}}).find("crosses"),
            std::string::npos);
  EXPECT_NE(error_of({{{0, 0}, {2, 2}, {4, 3}, {4, 1}, {2, 2}, {0, 4}}}).find("crosses"),
            std::string::npos);
}

TEST(decompose, rings_that_overlap_are_refused) {
  // The same square twice around.
  EXPECT_EQ(error_of({{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {4, 0}, {4, 4}, {0, 4}}}),
            "outline.rings[0][0] is where the ring crosses or overlaps itself or another ring; "
            "rings may touch, no more");
  // The same hole twice, and a hole in a hole.
  const Ring hole{{1, 1}, {3, 1}, {3, 3}, {1, 3}};
  EXPECT_NE(error_of({kSquare, hole, hole}).find("outside the outer ring or inside another hole"),
            std::string::npos);
  EXPECT_TRUE(error_of({{{0, 0}, {9, 0}, {9, 9}, {0, 9}},
                        {{1, 1}, {8, 1}, {8, 8}, {1, 8}},
                        {{3, 3}, {4, 3}, {3, 4}}})
                  .starts_with("outline.rings[2]["));
}

TEST(decompose, a_hole_outside_is_refused) {
  EXPECT_EQ(error_of({kSquare, {{5, 1}, {6, 1}, {6, 2}}}),
            "outline.rings[1][0] is where a hole lies outside the outer ring or inside another "
            "hole; holes must lie inside the outer ring and beside each other");
  // Around the outer ring.
  EXPECT_TRUE(error_of({kSquare, {{-1, -1}, {5, -1}, {5, 5}, {-1, 5}}})
                  .starts_with("outline.rings[1][0] is where a hole lies outside"));
  // Touching it from outside, along an edge.
  EXPECT_TRUE(error_of({kSquare, {{4, 1}, {6, 1}, {4, 3}}}).starts_with("outline.rings[1]["));
}

TEST(decompose, outlines_without_area_are_refused) {
  const std::string no_area = "outline.rings[0] encloses no area; an outline needs an inside";
  EXPECT_EQ(error_of({{{0, 0}, {4, 4}, {2, 2}}}), no_area);
  EXPECT_EQ(error_of({{{0, 0}, {4, 0}, {4, 4}, {4, 0}}}), no_area);
  EXPECT_EQ(error_of({kSquare, kSquare}), no_area);
}

TEST(decompose, fewer_than_three_points_are_refused) {
  EXPECT_EQ(error_of({Ring{}}), "outline.rings[0] has 0 points that differ; a ring needs three");
  EXPECT_EQ(error_of({{{1, 2}, {1, 2}, {1, 2}}}),
            "outline.rings[0] has 1 points that differ; a ring needs three");
  EXPECT_EQ(error_of({{{1, 2}, {3, 2}, {1, 2}}}),
            "outline.rings[0] has 2 points that differ; a ring needs three");
}

TEST(decompose, numbers_that_are_none_are_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of({{{0, 0}, {nan, 1}, {0, 1}}}),
            "outline.rings[0][1] has the coordinate nan; coordinates must be finite and at most "
            "1e75 in size");
  EXPECT_TRUE(error_of({kSquare, {{1, 1}, {2, 1}, {1, infinity}}})
                  .starts_with("outline.rings[1][2] has the coordinate inf; "));
  EXPECT_TRUE(error_of({{{0, 0}, {1e80, 1}, {0, 1}}}).starts_with("outline.rings[0][1] has the "));
}

TEST(decompose, offsets_that_do_not_fit_are_refused) {
  const Column<double, 2> vertices{{0, 0}, {1, 0}, {0, 1}};
  for (const std::vector<std::int64_t>& offsets :
       {std::vector<std::int64_t>{}, {0}, {0, 2}, {1, 3}, {0, 4}, {0, 2, 1, 3}, {0, 7, 3}}) {
    Parts parts;
    EXPECT_THROW(decompose({vertices, offsets}, parts), Error);
  }
}

// Sizes and families.

TEST(decompose, all_magnitudes_have_the_same_parts) {
  for (const double unit : {0x1p-240, 0x1p-100, 0x1p100, 0x1p240}) {
    Ring ring = kL;
    for (Point2& point : ring) point = {point.x * unit, point.y * unit};
    Parts parts;
    const DecomposeReport report = cut({ring}, parts);
    EXPECT_EQ(report.part_count, 2);
    EXPECT_EQ(report.area, 12 * unit * unit);
  }
}

TEST(decompose, a_sliver_far_from_the_origin) {
  // One unit in the last place high and a million long, so the area is noise if it is rounded.
  const double y = 0x1p30;
  const double step = 0x1p-22;
  const DecomposeReport report =
      expect_parts({{{0, y}, {5e5, y + step}, {1e6, y}, {5e5, y + 2 * step}}});
  EXPECT_EQ(report.part_count, 2);
}

Ring star(Random& random, int count, Point2 center, double least, double most) {
  Ring ring;
  for (int i = 0; i < count; ++i) {
    const double angle = 6.283185307179586 * i / count;
    const double radius = random.uniform(least, most);
    ring.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
  return random.chance(0.5) ? reversed(ring) : ring;
}

TEST(decompose, stars_with_star_shaped_holes) {
  Random random(11);
  for (std::size_t i = 0; i < scaled(200, 10); ++i) {
    Rings rings{star(random, random.integer(60, 120), {0, 0}, 8, 20)};
    // Holes in the cells of a grid inside of the circle of radius 6.
    for (int x = -3; x < 3; ++x) {
      for (int y = -3; y < 3; ++y) {
        if (random.chance(0.4)) {
          rings.push_back(star(random, random.integer(3, 12), {x + 0.5, y + 0.5}, 0.1, 0.45));
        }
      }
    }
    expect_parts(rings);
    if (HasFailure()) return;
  }
}

TEST(decompose, spirals) {
  for (const int turns : {1, 3, 10}) {
    Ring outer;
    Ring inner;
    for (int i = 0; i <= 40 * turns; ++i) {
      const double angle = i * 0.15707963267948966;
      const double radius = 1 + angle / 6;
      outer.push_back({radius * std::cos(angle), radius * std::sin(angle)});
      inner.push_back({(radius - 0.4) * std::cos(angle), (radius - 0.4) * std::sin(angle)});
    }
    outer.insert(outer.end(), inner.rbegin(), inner.rend());
    expect_parts({outer});
    expect_parts({reversed(outer)});
  }
}

TEST(decompose, combs) {
  Random random(13);
  for (const int teeth : {2, 10, 100}) {
    for (const bool is_upright : {false, true}) {
      Ring ring{{0, 0}, {2.0 * teeth, 0}};
      for (int i = 2 * teeth; i >= 0; --i) {
        ring.push_back({static_cast<double>(i), i % 2 == 0 ? random.uniform(5, 9) : 1.0});
      }
      if (is_upright) {
        for (Point2& point : ring) std::swap(point.x, point.y);
      }
      const DecomposeReport report = expect_parts({ring});
      EXPECT_LE(report.part_count, 2 * teeth);
    }
  }
}

TEST(decompose, staircases_and_grids_of_touching_holes) {
  // A chessboard: the black fields of 8 x 8 are holes that touch at their corners.
  Rings rings{{{-1, -1}, {9, -1}, {9, 9}, {-1, 9}}};
  for (int x = 0; x < 8; ++x) {
    for (int y = x % 2; y < 8; y += 2) {
      const double a = x;
      const double b = y;
      rings.push_back({{a, b}, {a + 1, b}, {a + 1, b + 1}, {a, b + 1}});
    }
  }
  EXPECT_EQ(expect_parts(rings).area, 100 - 32);
}

/// The smallest and largest winding number of the rings. Checks both sides of each piece of an edge
/// between its meetings with other edges.
std::pair<int, int> winding_range(const Rings& rings) {
  Rings turned = rings;
  for (std::size_t r = 0; r < turned.size(); ++r) {
    const long double area = area_of(turned[r]);
    if (area != 0 && (area < 0) == (r == 0)) turned[r] = reversed(turned[r]);
  }
  std::vector<std::pair<Point2, Point2>> edges;
  for (const Ring& ring : turned) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      if (!(ring[i] == ring[(i + 1) % ring.size()])) {
        edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
      }
    }
  }
  const auto winding = [&](Point2 p) {
    int count = 0;
    for (const auto& [a, b] : edges) {
      if ((a.y > p.y) == (b.y > p.y)) continue;
      if (orientation(a, b, p) == (b.y > a.y ? 1 : -1)) count += b.y > a.y ? 1 : -1;
    }
    return count;
  };
  int least = 0;
  int most = 0;
  for (const auto& [a, b] : edges) {
    const Point2 d{b.x - a.x, b.y - a.y};
    std::vector<double> shares{0, 1};
    for (const auto& [p, q] : edges) {
      const Point2 e{q.x - p.x, q.y - p.y};
      const double cross = d.x * e.y - d.y * e.x;
      if (cross != 0) {
        shares.push_back(((p.x - a.x) * e.y - (p.y - a.y) * e.x) / cross);
      } else {
        for (const Point2 end : {p, q}) {
          shares.push_back(((end.x - a.x) * d.x + (end.y - a.y) * d.y) / (d.x * d.x + d.y * d.y));
        }
      }
    }
    std::sort(shares.begin(), shares.end());
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
      const double middle = (shares[i] + shares[i + 1]) / 2;
      if (middle < 0 || middle > 1 || shares[i + 1] - shares[i] < 1e-9) continue;
      for (const double side : {-1e-7, 1e-7}) {
        const int count =
            winding({a.x + middle * d.x - side * d.y, a.y + middle * d.y + side * d.x});
        least = std::min(least, count);
        most = std::max(most, count);
      }
    }
  }
  return {least, most};
}

/// Whether three edges cross in one point. The winding numbers around it may then alternate between
/// 0 and 1.
bool has_triple_crossing(const Rings& rings) {
  std::vector<std::pair<Point2, Point2>> edges;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
    }
  }
  for (const auto& [a, b] : edges) {
    for (const auto& [p, q] : edges) {
      if (orientation(a, b, p) * orientation(a, b, q) >= 0) continue;
      if (orientation(p, q, a) * orientation(p, q, b) >= 0) continue;
      const Point2 d{b.x - a.x, b.y - a.y};
      const Point2 e{q.x - p.x, q.y - p.y};
      const double share = ((p.x - a.x) * e.y - (p.y - a.y) * e.x) / (d.x * e.y - d.y * e.x);
      const Point2 meeting{a.x + share * d.x, a.y + share * d.y};
      int count = 0;
      for (const auto& [r, s] : edges) {
        const Point2 f{s.x - r.x, s.y - r.y};
        const double length2 = f.x * f.x + f.y * f.y;
        const Point2 g{meeting.x - r.x, meeting.y - r.y};
        const double along = g.x * f.x + g.y * f.y;
        count +=
            length2 > 0 && std::abs(f.x * g.y - f.y * g.x) < 1e-9 && along > 0 && along < length2;
      }
      if (count >= 3) return true;
    }
  }
  return false;
}

std::string text_of(const Rings& rings) {
  std::string text;
  for (const Ring& ring : rings) {
    text += "[";
    for (const Point2 p : ring) {
      text += "(" + std::to_string(static_cast<int>(p.x)) + "," +
              std::to_string(static_cast<int>(p.y)) + ")";
    }
    text += "] ";
  }
  return text;
}

TEST(decompose, any_rings_on_a_small_grid_are_cut_or_refused_as_they_wind) {
  // Few positions, so that vertices, edges and rings touch, overlap and cross in all ways.
  Random random(17);
  int cut_count = 0;
  const std::size_t cases = scaled(60000, 500);
  for (std::size_t i = 0; i < cases; ++i) {
    const int side = random.integer(2, 5);
    Rings rings;
    const int ring_count = random.integer(1, 3);
    for (int r = 0; r < ring_count; ++r) {
      Ring& ring = rings.emplace_back();
      const int count = random.integer(3, r == 0 ? 9 : 4);
      for (int k = 0; k < count; ++k) {
        ring.push_back({static_cast<double>(random.integer(0, side)),
                        static_cast<double>(random.integer(0, side))});
      }
    }
    // Often a large ring around the others, so that there are valid holes.
    if (ring_count > 1 && random.chance(0.7)) {
      const double s = side;
      rings[0] = {{0, 0}, {s, 0}, {s, s}, {0, s}};
    }
    const auto [least, most] = winding_range(rings);
    Parts parts;
    try {
      const DecomposeReport report = cut(rings, parts);
      ++cut_count;
      ASSERT_TRUE(least >= 0 && most == 1) << text_of(rings);
      ASSERT_EQ(parts_problem(rings, parts, report), "") << text_of(rings);
      ASSERT_EQ(points_problem(rings, parts, 3, random), "") << text_of(rings);
    } catch (const OutlineError& error) {
      ASSERT_TRUE(least < 0 || most != 1 || has_triple_crossing(rings))
          << text_of(rings) << error.what();
      ASSERT_LT(error.ring(), static_cast<std::int64_t>(rings.size()));
    }
  }
  EXPECT_GT(cut_count, static_cast<int>(cases / 20));
}

TEST(decompose, many_vertices_and_many_holes) {
  // 100 x 100 holes of four corners each in a square: 40,000 vertices.
  Rings rings{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}};
  Random random(19);
  const int side = static_cast<int>(scaled(100, 10));
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      rings.push_back(star(random, 4, {x + 0.5, y + 0.5}, 0.1, 0.5));
    }
  }
  Parts parts;
  const DecomposeReport report = cut(rings, parts);
  EXPECT_EQ(parts_problem(rings, parts, report), "");
}

}  // namespace
}  // namespace widephase::test
