// Outlines that broke other programs: touching holes, spikes, self-tangent rings, crossings.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "read_outlines.hpp"
#include "support/data_path.hpp"
#include "support/outline_contacts.hpp"
#include "support/outline_files.hpp"
#include "support/outlines.hpp"
#include "support/owner_pairs.hpp"

namespace widephase::test {
namespace {

namespace fs = std::filesystem;

/// Why an outline is refused; empty for those that are cut.
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
  EXPECT_EQ(cut + refused, 33u);
}

/// Outlines of the folder that can be cut in `float` too, at a size between 2 and 4. Those with
/// edges that cancel are left out: their rings are not their rims.
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
  // All that is told apart occurs, and what is left open is rare.
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

}  // namespace
}  // namespace widephase::test
