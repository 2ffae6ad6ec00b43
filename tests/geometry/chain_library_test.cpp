// The chains that shapes share: how they are added, what is refused by array and row, and what is
// kept from call to call.

#include "geometry/chain_library.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <widephase/chains.hpp>

#include "geometry/validate_chains.hpp"
#include "support/error_of.hpp"

namespace widephase::test {
namespace {

using Table = ChainTable<Owned<2, float>>;
using Vertices = Column<float, 2>;

ChainTable<Borrowed<2, float>> view_of(const Table& table) {
  ChainTable<Borrowed<2, float>> view;
  Table::for_each_column([](auto, const auto& column, auto& span) { span = column; }, table, view);
  return view;
}
std::string first_finding(const Table& table) {
  const auto findings = chain_findings(view_of(table), 1);
  return findings.empty() ? "" : findings.front().text();
}
Vertices square() { return {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; }

TEST(chain_library, tells_what_is_wrong_by_array_and_row) {
  Table table;
  add_chain(table, square().span());
  add_chain(table, square().span(), {.loop = true});
  EXPECT_EQ(first_finding(table), "");
  Table wrong = table;
  wrong.vertices.set(5, {1, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.vertices[5] is inf; a vertex must be two finite numbers");
  wrong = table;
  wrong.offsets[1] = 9;
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.offsets[2] is 8, below the 9 before it; geometries lie one after the "
            "other");
  wrong = table;
  wrong.offsets = {};
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.offsets is empty, but chain_geometries.vertices has 8 rows; it must "
            "begin with 0 and end with their count");
  wrong = table;
  wrong.two_sided = {1};
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.two_sided has 1 rows, but chain_geometries.offsets has 2 chains");
  wrong = table;
  wrong.before = {4, 0};
  EXPECT_EQ(first_finding(wrong), "chain_geometries.before[0] is 4; chain 0 has 3 segments");
  wrong.before = {0, 1};
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.before[1] is 1; chain 1 is a loop, which has no end");
  wrong = table;
  wrong.after = {3, 0};
  EXPECT_EQ(first_finding(wrong),
            "chain_geometries.offsets[0] begins chain 0, which has 4 vertices; a chain must have a "
            "segment with a length that is not beyond its ends");
}

TEST(chain_library, a_chain_that_is_refused_changes_nothing) {
  Table table;
  add_chain(table, square().span());
  const auto error = [&](const Vertices& vertices, const ChainOptions& options) {
    return error_of([&] { add_chain(table, vertices.span(), options); });
  };
  EXPECT_EQ(error({{2, 2}}, {}),
            "vertices has 1 vertex; a chain must have a segment with a length");
  EXPECT_EQ(error({{2, 2}, {2, 2}}, {}),
            "vertices has 2 vertices; a chain must have a segment with a length");
  EXPECT_EQ(error({{0, 0}, {std::numeric_limits<float>::quiet_NaN(), 0}}, {}),
            "vertices[1] is nan; a vertex must be two finite numbers");
  EXPECT_EQ(error(square(), {.before = -1}), "before is -1; the chain has 3 segments");
  EXPECT_EQ(error(square(), {.loop = true, .after = 1}),
            "after is 1; the chain is a loop, which has no end");
  EXPECT_EQ(table.vertices.size(), 4u);
  EXPECT_EQ(table.offsets.size(), 2u);
  EXPECT_TRUE(table.loop.empty());
  add_chain(table, square().span(), {.two_sided = true, .before = 1});
  EXPECT_EQ(table.two_sided[0], 0);
  EXPECT_EQ(table.two_sided[1], 1);
  EXPECT_EQ(table.before[1], 1);
}

TEST(chain_library, keeps_chains_that_are_as_before) {
  Table table;
  add_chain(table, square().span(), {.loop = true});
  add_chain(table, Vertices{{0, 0}, {0, 0}, {1, 0}, {1, 0}, {2, 0}}.span(), {.after = 1});
  ChainLibrary<float> library;
  const Threads threads{1, {}};
  ASSERT_TRUE(library.update(view_of(table), threads));
  ASSERT_TRUE(library.update(view_of(table), threads));
  EXPECT_EQ(library.builds(), 2);
  const ChainView<float>& loop = library.views()[0];
  EXPECT_EQ(loop.segment_count, 4);
  EXPECT_TRUE(loop.is_loop);
  // Segments 0 and 2 of the other one have no length; the last is a neighbour's.
  const ChainView<float>& open = library.views()[1];
  ASSERT_EQ(open.segment_count, 2);
  EXPECT_EQ(open.number[0], 1);
  EXPECT_EQ(open.number[1], 3);
  EXPECT_EQ(open.own_end, 1);
  EXPECT_EQ(open.high[0], 1);
  table.vertices(1, 0) = 3;
  ASSERT_TRUE(library.update(view_of(table), threads));
  EXPECT_EQ(library.builds(), 3) << "only the first one has changed";
  table.vertices(1, 0) = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(library.update(view_of(table), threads));
  EXPECT_EQ(library.size(), 0u);
}

}  // namespace
}  // namespace widephase::test
