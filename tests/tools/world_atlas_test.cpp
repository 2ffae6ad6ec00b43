// The countries of Natural Earth, from the npm package world-atlas: half a million vertices, with
// the crossings, touching holes and slits of simplified maps.
// Labels: plain real-data long

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "support/outline_contacts.hpp"
#include "support/outline_files.hpp"
#include "support/outlines.hpp"
#include "support/owner_pairs.hpp"
#include "support/steps_flaw.hpp"

namespace widephase::test {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> atlas_folder() {
  const char* given = std::getenv("WIDEPHASE_WORLD_ATLAS");
  for (const fs::path& folder :
       {fs::path(given == nullptr ? "" : given), fs::path(WIDEPHASE_SOURCE) / "build/world-atlas",
        fs::path(WIDEPHASE_SOURCE) / "node_modules/world-atlas"}) {
    if (fs::exists(folder / "countries-110m.json")) return folder;
  }
  return std::nullopt;
}

std::optional<tools::Outlines> countries(const char* name) {
  const auto folder = atlas_folder();
  if (!folder || !fs::exists(*folder / name)) return std::nullopt;
  return tools::read_outlines(*folder / name, "countries");
}

constexpr const char* kMissing = "no world-atlas: neither in $WIDEPHASE_WORLD_ATLAS nor fetched";

/// What is wrong with an outline's parts. In steps of the map's grid they must be exactly right; in
/// place they must be the same parts with the same area.
std::string placed_parts_problem(const tools::Outline& outline, const Parts& parts,
                                 const DecomposeReport& report) {
  const Rings rings = rings_in_steps(outline);
  Parts steps;
  const DecomposeReport steps_report = decompose({outline.vertices, outline.ring_offsets}, steps);
  const std::string problem = parts_problem(rings, steps, steps_report);
  if (!problem.empty()) return problem;
  const tools::Grid& grid = *outline.grid;
  if (parts.vertices.size() != steps.vertices.size()) return "scaling changed the vertices";
  for (std::size_t row = 0; row < steps.vertices.size(); ++row) {
    const auto [x, y] = grid.place({steps.vertices(row, 0), steps.vertices(row, 1)});
    if (parts.vertices(row, 0) != x || parts.vertices(row, 1) != y) return "a vertex is elsewhere";
    if (parts.inner[row] != steps.inner[row]) return "scaling changed the inner edges";
  }
  for (std::size_t part = 0; part < steps.offsets.size(); ++part) {
    if (parts.offsets[part] != steps.offsets[part]) return "scaling changed the parts";
  }
  const long double expected =
      area_of(rings) * static_cast<long double>(grid.scale[0]) * grid.scale[1];
  long double area = 0;
  for (const auto& polygon : polygons_of(parts)) area += area_of(polygon);
  if (!(std::abs(area - expected) <= 1e-9L * expected)) return "the parts' area is another";
  if (!(std::abs(report.area - expected) <= 1e-9L * expected)) return "the area told is another";
  return "";
}

/// Whether the map really has the problem for which an outline is refused.
bool is_rightly_refused(const tools::Outline& outline, const OutlineError& error) {
  const auto vertex = static_cast<std::size_t>(std::max<std::int64_t>(error.finding()->row, 0));
  const std::string message = error.what();
  const bool is_empty = message.find("encloses no area") != message.npos ||
                        message.find("points that differ") != message.npos;
  return steps_flaw(rings_in_steps(outline), static_cast<std::size_t>(error.ring()), vertex) ==
         (is_empty ? StepsFlaw::no_area : StepsFlaw::winding);
}

/// All outlines of a map, or every `stride`-th.
void expect_countries(const char* name, std::size_t stride = 1) {
  const auto outlines = countries(name);
  if (!outlines) GTEST_SKIP() << kMissing;
  EXPECT_GT(outlines->owner_count, 170);
  std::int64_t vertices = 0;
  std::int64_t parts_count = 0;
  Random random(3);
  for (std::size_t i = 0; i < outlines->list.size(); i += stride) {
    const tools::Outline& outline = outlines->list[i];
    Parts parts;
    try {
      const DecomposeReport report = tools::cut_outline(outline, parts);
      ASSERT_EQ(placed_parts_problem(outline, parts, report), "") << outline.place;
      const Rings rings = rings_of(outline);
      ASSERT_EQ(points_problem(rings, parts, 3, random), "") << outline.place;
      ASSERT_EQ(contacts_problem(rings, parts, 20, random), "") << outline.place;
      if (outline.vertices.size() < 100) {
        ASSERT_EQ(steps_flaw(rings_in_steps(outline), 0, 0), StepsFlaw::none) << outline.place;
      }
      vertices += static_cast<std::int64_t>(outline.vertices.size());
      parts_count += report.part_count;
    } catch (const OutlineError& error) {
      // Crossings at the antimeridian and where the map was simplified, and islands of one point.
      ASSERT_TRUE(is_rightly_refused(outline, error)) << outline.place << ": " << error.what();
    }
  }
  EXPECT_GT(vertices, 0);
  EXPECT_LT(3 * parts_count, vertices);
}

TEST(world_atlas, countries_110m) { expect_countries("countries-110m.json"); }
TEST(world_atlas, countries_50m) { expect_countries("countries-50m.json"); }
TEST(world_atlas, countries_10m) {
  // Ten times as many vertices as the next map: scaled runs use a fifth of the outlines.
  expect_countries("countries-10m.json", scaled(5) == 5 ? 1 : 5);
}

// Country against country.

struct Before {
  bool operator()(Point2 a, Point2 b) const { return a.x != b.x ? a.x < b.x : a.y < b.y; }
};

/// Neighbours share a border to the bit. Runs each pair as it lies, where it touches, and moved by
/// up to a tenth of the smaller one's size. Only in double: in float, the edges of a moved border
/// are parallel to rounding, and nobody can say whether that is a single direction.
TEST(world_atlas, neighbours_touch_along_their_borders) {
  const auto map = countries("countries-110m.json");
  if (!map) GTEST_SKIP() << kMissing;
  std::vector<CutOutline> list;
  std::vector<std::set<Point2, Before>> points;
  for (const tools::Outline& outline : map->list) {
    CutOutline cut{outline.place, rings_of(outline), {}, {}};
    try {
      cut.report = tools::cut_outline(outline, cut.parts);
    } catch (const OutlineError&) {
      continue;
    }
    // If edges cancel, rings are not borders.
    if (cut.report.cancelled_edges > 0) continue;
    auto& own = points.emplace_back();
    for (const auto& ring : cut.rings) own.insert(ring.begin(), ring.end());
    list.push_back(std::move(cut));
  }
  EXPECT_GT(10 * list.size(), 9 * map->list.size());
  std::vector<OwnerPair> pairs;
  std::size_t neighbours = 0;
  Random random(29);
  for (std::size_t a = 0; a < list.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto is_shared = [&](Point2 point) { return points[b].contains(point); };
      if (std::count_if(points[a].begin(), points[a].end(), is_shared) < 2) continue;
      ++neighbours;
      pairs.push_back({{a, {0, 0}, 0}, {b, {0, 0}, 0}});
      const double way =
          0.1 * std::min(extents_of(list[a].rings).half, extents_of(list[b].rings).half);
      for (std::size_t i = 0; i < scaled(4); ++i) {
        pairs.push_back({{a, {0, 0}, 0}, {b, random.point<2>(-way, way), 0}});
      }
    }
  }
  EXPECT_GT(neighbours, 250u);
  OwnerTally tally;
  ASSERT_EQ(owner_contacts_problem<double>(list, pairs, 0.05, tally), "");
  EXPECT_GT(10 * tally.of(Meeting::unclear), 9 * neighbours);
  EXPECT_GT(20 * tally.of(Meeting::apart), neighbours);
  EXPECT_GT(2 * tally.of(Meeting::together), neighbours);
  EXPECT_GT(8 * tally.over_inner, tally.together);
}

}  // namespace
}  // namespace widephase::test
