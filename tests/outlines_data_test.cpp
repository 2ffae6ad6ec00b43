// Outlines that broke other programs: touching holes, spikes, self-tangent rings, crossings.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "read_outlines.hpp"
#include "support/outline_contacts.hpp"
#include "support/outline_files.hpp"
#include "support/outlines.hpp"

namespace widephase::test {
namespace {

namespace fs = std::filesystem;

/// $WIDEPHASE_DATA, else the folder beside the checkout; nothing when neither exists.
std::optional<fs::path> data_folder() {
  if (const char* folder = std::getenv("WIDEPHASE_DATA")) {
    if (fs::is_directory(fs::path(folder) / "outlines")) return fs::path(folder) / "outlines";
  }
  const fs::path fallback = fs::path(WIDEPHASE_DATA_FALLBACK) / "outlines";
  if (fs::is_directory(fallback)) return fallback;
  return std::nullopt;
}

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
  const auto folder = data_folder();
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
      const DecomposeReport report = cut_outline(outlines.list[0], parts);
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

}  // namespace
}  // namespace widephase::test
