// Natural Earth's countries, from the npm package world-atlas: half a million vertices, with the
// crossings, touching holes and slits that simplified maps have.

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

std::optional<fs::path> atlas_folder() {
  const char* given = std::getenv("WIDEPHASE_WORLD_ATLAS");
  for (const fs::path& folder :
       {fs::path(given == nullptr ? "" : given), fs::path(WIDEPHASE_SOURCE) / "build/world-atlas",
        fs::path(WIDEPHASE_SOURCE) / "node_modules/world-atlas"}) {
    if (fs::exists(folder / "countries-110m.json")) return folder;
  }
  return std::nullopt;
}

void expect_countries(const char* name) {
  const auto folder = atlas_folder();
  if (!folder) GTEST_SKIP() << "no world-atlas: neither in $WIDEPHASE_WORLD_ATLAS nor fetched";
  if (!fs::exists(*folder / name)) GTEST_SKIP() << "no " << name;
  const tools::Outlines outlines = tools::read_outlines(*folder / name, "countries");
  EXPECT_GT(outlines.owner_count, 170);
  std::size_t refused = 0;
  std::int64_t vertices = 0;
  std::int64_t parts_count = 0;
  Random random(3);
  for (const tools::Outline& outline : outlines.list) {
    Parts parts;
    try {
      const DecomposeReport report = cut_outline(outline, parts);
      const Rings rings = rings_of(outline);
      ASSERT_EQ(parts_problem(rings, parts, report), "") << outline.place;
      ASSERT_EQ(points_problem(rings, parts, 3, random), "") << outline.place;
      ASSERT_EQ(contacts_problem(rings, parts, 20, random), "") << outline.place;
      vertices += static_cast<std::int64_t>(outline.vertices.size());
      parts_count += report.part_count;
    } catch (const OutlineError& error) {
      ++refused;
    }
  }
  EXPECT_GT(vertices, 0);
  EXPECT_LT(3 * parts_count, vertices);
  // Crossings at the antimeridian and where the map was simplified, and islands of one point.
  EXPECT_LT(40 * refused, outlines.list.size());
}

TEST(world_atlas, countries_110m) { expect_countries("countries-110m.json"); }
TEST(world_atlas, countries_50m) { expect_countries("countries-50m.json"); }
TEST(world_atlas, countries_10m) { expect_countries("countries-10m.json"); }

}  // namespace
}  // namespace widephase::test
