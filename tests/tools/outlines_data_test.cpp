// Outlines that broke other programs: touching holes, spikes, self-tangent rings, crossings.
// Labels: plain real-data

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "support/data_path.hpp"
#include "support/outline_contacts.hpp"
#include "support/outline_files.hpp"
#include "support/outlines.hpp"
#include "support/owner_pairs.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::test {
namespace {

namespace fs = std::filesystem;

/// Why an outline is refused; empty if it is cut.
const std::map<std::string, std::string> kRefusals{
    {"degenerate", "rings[0] encloses no area"},
    {"empty-square", "rings[0] encloses no area"},
    {"issue107", "rings[0] has 2 points that differ"},
    {"issue142", "rings[1][5] is where a hole lies outside"},  // by 1e-16
    {"simplified-us-border", "rings[0][55] begins an edge that crosses the edge from vertex 52"},
    {"water", "rings[0][3] is where the ring crosses or overlaps itself"},
    {"water-huge", "rings[0][4391] begins an edge that crosses the edge from vertex 4389"}};

TEST(outlines_data, every_outline_is_cut_or_refused_for_its_reason) {
  const auto folder = data_path("outlines");
  if (!folder) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  std::size_t refused = 0;
  std::size_t cut = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder)) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const tools::Outlines outlines = tools::read_outlines(entry.path());
    ASSERT_EQ(outlines.list.size(), 1u);
    const Rings rings = rings_of(outlines.list[0]);
    const auto refusal = kRefusals.find(entry.path().stem());
    Parts parts;
    try {
      const DecomposeReport report = tools::cut_outline(outlines.list[0], parts);
      EXPECT_EQ(refusal, kRefusals.end());
      EXPECT_EQ(parts_problem(rings, parts, report), "");
      Random random(cut++);
      EXPECT_EQ(points_problem(rings, parts, static_cast<int>(scaled(200, 20)), random), "");
      EXPECT_EQ(contacts_problem(rings, parts, static_cast<int>(scaled(500, 50)), random), "");
    } catch (const OutlineError& error) {
      ++refused;
      ASSERT_NE(refusal, kRefusals.end()) << error.what();
      EXPECT_TRUE(std::string(error.what()).starts_with("outline." + refusal->second))
          << error.what();
    }
  }
  EXPECT_EQ(refused, kRefusals.size());
  EXPECT_EQ(cut + refused, 34u);
}

/// Outlines of the folder that can also be cut in `float`, at a size between 2 and 4. Outlines with
/// edges that cancel are left out: their rings are not their borders.
std::vector<CutOutline> outlines_in_float(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CutOutline> list;
  for (const fs::path& path : paths) {
    Rings rings = rings_of(tools::read_outlines(path).list[0]);
    const double unit = std::exp2(1 - std::floor(std::log2(extents_of(rings).half)));
    for (auto& ring : rings) {
      for (Point2& point : ring) point = {unit * point.x, unit * point.y};
    }
    try {
      CutOutline cut = cut_in_float(path.stem(), std::move(rings));
      if (cut.report.cancelled_edges == 0) list.push_back(std::move(cut));
    } catch (const OutlineError&) {
    }
  }
  return list;
}

template <class T>
void expect_contacts_of_owners(const fs::path& folder) {
  const std::vector<CutOutline> outlines = outlines_in_float(folder);
  EXPECT_GE(outlines.size(), 15u);
  OwnerTally tally;
  Random random(47);
  std::size_t count = 0;
  for (std::size_t a = 0; a < outlines.size(); ++a) {
    const std::size_t last = outlines.size() - 1;
    const std::size_t next = a < last ? a + 1 : 0, second = next < last ? next + 1 : 0;
    const std::vector<OwnerPair> pairs =
        put_together<T>(outlines, a, {a, next, second}, kWayCount * scaled(1), random);
    count += pairs.size();
    ASSERT_EQ(owner_contacts_problem<T>(outlines, pairs, 0.05, tally), "");
  }
  // All cases occur, and open ones are rare.
  EXPECT_GT(10 * tally.of(Meeting::apart), count);
  EXPECT_GT(2 * tally.of(Meeting::together), count);
  EXPECT_LE(20 * tally.of(Meeting::unclear), count);
  EXPECT_GT(4 * tally.over_inner, tally.together);
  EXPECT_GT(4 * tally.apart, tally.together);
  EXPECT_GT(tally.corner, 0u);
}

TEST(outlines_data, outlines_touch_one_another_where_their_rings_do) {
  const auto folder = data_path("outlines");
  if (!folder) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  expect_contacts_of_owners<float>(*folder);
  expect_contacts_of_owners<double>(*folder);
}

/// Whether a point is within `most` of an inner edge of a part other than `own`.
bool is_on_inner_edge(const GeometryTable<Owned<2, float>>& parts, std::size_t own, Point2 point,
                      double most) {
  for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
    const auto begin = static_cast<std::size_t>(parts.offsets[part]);
    const auto end = static_cast<std::size_t>(parts.offsets[part + 1]);
    for (std::size_t row = begin; part != own && row < end; ++row) {
      if (parts.inner[row] == 0) continue;
      const std::size_t next = row + 1 == end ? begin : row + 1;
      const double ax = parts.vertices(row, 0), ay = parts.vertices(row, 1);
      const double x = parts.vertices(next, 0) - ax, y = parts.vertices(next, 1) - ay;
      const double along = ((point.x - ax) * x + (point.y - ay) * y) / (x * x + y * y);
      const double t = std::clamp(along, 0.0, 1.0);
      if (std::hypot(ax + t * x - point.x, ay + t * y - point.y) <= most) return true;
    }
  }
  return false;
}

TEST(outlines_data, parts_are_read_in_float_as_in_double) {
  // collide reads what decompose writes, with any --precision: here, and 10^5 away, where floats
  // are 1/128 apart and many parts lose corners or all of their area.
  const auto folder = data_path("outlines");
  if (!folder) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  std::size_t mended = 0, mended_here = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder)) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const tools::Outlines outlines = tools::read_outlines(entry.path());
    for (const double away : {0.0, 1e5}) {
      tools::Outline outline = outlines.list[0];
      for (std::size_t row = 0; row < outline.vertices.size(); ++row) {
        outline.vertices(row, 0) += away;
      }
      SceneColumns<2, double> scene;
      try {
        tools::cut_outline(outline, scene.geometries);
      } catch (const OutlineError&) {
        continue;
      }
      const tools::SceneFile file = tools::SceneFile::of("parts.npz", scene);
      SceneColumns<2, float> single;
      file.to_columns(single);
      SceneColumns<2, Mixed> mixed;
      file.to_columns(mixed);
      EXPECT_TRUE((validate<2, float>(single).empty()));
      EXPECT_TRUE((validate<2, Mixed>(mixed).empty()));
      const auto& parts = single.geometries;
      ASSERT_EQ(parts.offsets.size(), scene.geometries.offsets.size());
      double largest = 0;
      for (std::size_t row = 0; row < parts.vertices.size(); ++row) {
        for (const int axis : {0, 1}) {
          largest = std::max<double>(largest, std::abs(parts.vertices(row, axis)));
        }
      }
      // Inner edges still have another part's edges behind them, at points along them.
      for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
        const auto begin = static_cast<std::size_t>(parts.offsets[part]);
        const auto end = static_cast<std::size_t>(parts.offsets[part + 1]);
        const bool is_mended =
            end - begin != static_cast<std::size_t>(scene.geometries.offsets[part + 1] -
                                                    scene.geometries.offsets[part]);
        mended += is_mended ? 1 : 0;
        mended_here += is_mended && away == 0 ? 1 : 0;
        for (std::size_t row = begin; is_mended && away == 0 && row < end; ++row) {
          if (parts.inner[row] == 0) continue;
          const std::size_t next = row + 1 == end ? begin : row + 1;
          for (const double t : {0.1, 0.5, 0.9}) {
            const Point2 at{(1 - t) * parts.vertices(row, 0) + t * parts.vertices(next, 0),
                            (1 - t) * parts.vertices(row, 1) + t * parts.vertices(next, 1)};
            EXPECT_TRUE(is_on_inner_edge(parts, part, at, 8 * 0x1p-23 * largest));
          }
        }
      }
    }
  }
  EXPECT_EQ(mended_here, 1u);  // eberly-6
  EXPECT_GT(mended, 50u);
}

}  // namespace
}  // namespace widephase::test
