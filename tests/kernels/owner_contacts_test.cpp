// One cut outline against another: they touch where the outlines do, and no contact has a direction
// or depth that only an edge between parts has.
// Labels: dated

#include <gtest/gtest.h>

#include <numeric>

#include "reference/scaled.hpp"
#include "support/owner_pairs.hpp"

namespace widephase::test {
namespace {

using Ring = std::vector<Point2>;

Rings scaled_rings(Rings rings, double factor) {
  for (Ring& ring : rings) {
    for (Point2& point : ring) point = {factor * point.x, factor * point.y};
  }
  return rings;
}

Ring star(int spikes, double least, double most) {
  Ring ring;
  for (int i = 0; i < 2 * spikes; ++i) {
    const double angle = 3.141592653589793 * i / spikes;
    const double radius = i % 2 == 0 ? most : least;
    ring.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return ring;
}

Ring spiral(int turns) {
  Ring outer, inner;
  for (int i = 0; i <= 12 * turns; ++i) {
    const double angle = i * 0.5235987755982988;
    const double radius = 1 + angle / 6;
    outer.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    inner.push_back({(radius - 0.4) * std::cos(angle), (radius - 0.4) * std::sin(angle)});
  }
  outer.insert(outer.end(), inner.rbegin(), inner.rend());
  return outer;
}

/// A disc of 40 sides without a wedge, whose parts have more than eight vertices.
Ring disc_with_a_wedge() {
  Ring ring{{0, 0}};
  for (int i = 0; i <= 40; ++i) {
    const double angle = 0.6 + i * (6.283185307179586 - 1.2) / 40;
    ring.push_back({3 * std::cos(angle), 3 * std::sin(angle)});
  }
  return ring;
}

/// Slanted teeth, no two alike.
Ring comb() {
  Ring ring{{0, 0}, {8, 0}};
  for (int i = 8; i >= 0; --i) ring.push_back({1.0 * i, i % 2 == 0 ? 4 + 0.17 * i : 1.0});
  return ring;
}

const Ring kSquare{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
const Ring kL{{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}};
const Ring kU{{0, 0}, {4, 0}, {4, 4}, {3, 4}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
const Ring kCross{{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                  {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
const Ring kTeeth{{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                  {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
const Rings kFrame{kSquare, {{1, 1}, {3, 1}, {3, 3}, {1, 3}}};

std::vector<CutOutline> outlines_of_all_forms() {
  std::vector<CutOutline> list;
  const auto add = [&](const char* name, const Rings& rings) {
    list.push_back(cut_in_float(name, rings));
  };
  add("square", {kSquare});
  add("triangle", {{{0, 0}, {3, 1}, {1, 3}}});
  add("L", {kL});
  add("U", {kU});
  add("cross", {kCross});
  add("frame", kFrame);
  add("frame of two holes", {{{0, 0}, {6, 0}, {6, 4}, {0, 4}},
                             {{1, 1}, {2.5, 1.5}, {1.5, 3}},
                             {{3, 1}, {5, 1}, {4, 3.5}}});
  add("frame whose hole touches its rim", {kSquare, {{2, 0}, {3, 2}, {1, 2}}});
  add("star", {star(5, 1, 3)});
  add("star of twelve", {star(12, 2, 3)});
  add("arrow", {{{0, 0}, {4, 2}, {0, 4}, {1, 2}}});
  add("comb", {comb()});
  add("teeth", {kTeeth});
  add("spiral", {spiral(2)});
  add("disc with a wedge", {disc_with_a_wedge()});
  add("small L", scaled_rings({kL}, 0.25));
  add("small star", scaled_rings({star(5, 1, 3)}, 0.125));
  add("small frame", scaled_rings(kFrame, 0.375));
  return list;
}

template <class T>
void expect_contacts_of_outlines() {
  const std::vector<CutOutline> outlines = outlines_of_all_forms();
  OwnerTally tally;
  Random random(41);
  std::size_t count = 0;
  const std::size_t each = kWayCount * scaled(12);
  std::vector<std::size_t> all(outlines.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t a = 0; a < outlines.size(); ++a) {
    EXPECT_EQ(parts_problem(outlines[a].rings, outlines[a].parts, outlines[a].report), "");
    const std::vector<OwnerPair> pairs = put_together<T>(outlines, a, all, each, random);
    count += pairs.size();
    ASSERT_EQ(owner_contacts_problem<T>(outlines, pairs, 0.25, tally), "");
  }
  // All cases occur, and open ones are rare.
  EXPECT_GT(20 * tally.of(Meeting::apart), count);
  EXPECT_GT(2 * tally.of(Meeting::together), count);
  EXPECT_LT(20 * tally.of(Meeting::unclear), count);
  EXPECT_GT(tally.together, count);
  EXPECT_GT(4 * tally.over_inner, tally.together);
  EXPECT_GT(2 * tally.apart, count);
  EXPECT_GT(500 * tally.corner, count);
  EXPECT_GT(100 * tally.inner_only, count);
  EXPECT_GT(100 * tally.ties, count);
}

TEST(owner_contacts, outlines_of_all_forms_in_float) { expect_contacts_of_outlines<float>(); }
TEST(owner_contacts, outlines_of_all_forms_in_double) { expect_contacts_of_outlines<double>(); }

TEST(owner_contacts, an_outline_in_a_hole_touches_its_rim_alone) {
  // The frame's hole is from 1 to 3; an L of sides 1 in it ends 0.25 before the hole's right side.
  // Moved right by a quarter it touches, by a half it is 0.25 deep.
  const std::vector<CutOutline> outlines{cut_in_float("frame", kFrame),
                                         cut_in_float("small L", scaled_rings({kL}, 0.25))};
  for (const double right : {0.0, 0.25, 0.5}) {
    const std::vector<OwnerPair> pairs{{{0, {0, 0}, 0}, {1, {1.75 + right, 1.5}, 0}}};
    const OwnerScene<double> input(outlines, pairs);
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    collide<2, double>(input.scene, contacts, workspace, options);
    EXPECT_EQ(contacts.size() > 0, right > 0);
    options.margin = 0.375;
    collide<2, double>(input.scene, contacts, workspace, options);
    ASSERT_GT(contacts.size(), 0u);
    std::size_t deepest = 0;
    for (std::size_t i = 1; i < contacts.size(); ++i) {
      if (contacts.depth[i] > contacts.depth[deepest]) deepest = i;
    }
    EXPECT_EQ(contacts.depth[deepest], right - 0.25);
    EXPECT_EQ(contacts.normal(deepest, 0), -1);  // from the frame into its hole
  }
}

/// How near the nearest fields of two sets are.
enum class Fields { shared, side_by_side, at_a_corner, apart };

Fields nearest_fields(const std::vector<std::pair<int, int>>& a,
                      const std::vector<std::pair<int, int>>& b, int x, int y) {
  Fields nearest = Fields::apart;
  for (const auto& [xa, ya] : a) {
    for (const auto& [xb, yb] : b) {
      const int dx = std::abs(xb + x - xa), dy = std::abs(yb + y - ya);
      if (dx <= 1 && dy <= 1) nearest = std::min(nearest, static_cast<Fields>(dx + dy));
    }
  }
  return nearest;
}

TEST(owner_contacts, touching_along_a_side_counts) {
  // Outlines of whole numbers at whole places are fields of a chessboard: they touch where they
  // share one or have two side by side. All numbers are exact, and so is the depth 0. Where they
  // touch at corners alone either may be said, since edges between parts run aslant.
  const std::vector<CutOutline> outlines{
      cut_in_float("L", {kL}), cut_in_float("U", {kU}), cut_in_float("cross", {kCross}),
      cut_in_float("frame", kFrame), cut_in_float("teeth", {kTeeth})};
  std::vector<std::vector<std::pair<int, int>>> fields(outlines.size());
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const PlacedOutline outline(outlines[i], {i, {0, 0}, 0}, {0, 0});
    for (int x = 0; x < 6; ++x) {
      for (int y = 0; y < 6; ++y) {
        if (is_in_rings(outline, {x + 0.5L, y + 0.5L})) fields[i].push_back({x, y});
      }
    }
  }
  std::vector<OwnerPair> pairs;
  std::vector<Fields> nearest;
  for (std::size_t a = 0; a < outlines.size(); ++a) {
    for (std::size_t b = 0; b < outlines.size(); ++b) {
      for (int x = -6; x <= 6; ++x) {
        for (int y = -6; y <= 6; ++y) {
          pairs.push_back({{a, {0, 0}, 0}, {b, {1.0 * x, 1.0 * y}, 0}});
          nearest.push_back(nearest_fields(fields[a], fields[b], x, y));
        }
      }
    }
  }
  const auto check = [&]<class T>(T) {
    const OwnerScene<T> input(outlines, pairs);
    ContactBuffer<2, T> contacts;
    Workspace<2, T> workspace;
    collide<2, T>(input.scene, contacts, workspace);
    std::vector<bool> has_contact(pairs.size(), false), has_touch(pairs.size(), false);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const std::size_t pair = input.rows[static_cast<std::size_t>(contacts.pair[i].a)].pair;
      has_contact[pair] = true;
      if (contacts.depth[i] == 0) has_touch[pair] = true;
    }
    std::size_t touches = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      SCOPED_TRACE(outlines[pairs[i].a.outline].name + " and " + outlines[pairs[i].b.outline].name +
                   " at " + std::to_string(pairs[i].b.center[0]) + ", " +
                   std::to_string(pairs[i].b.center[1]));
      if (nearest[i] != Fields::at_a_corner) {
        EXPECT_EQ(has_contact[i], nearest[i] != Fields::apart);
      }
      if (nearest[i] == Fields::side_by_side) {
        ++touches;
        EXPECT_TRUE(has_touch[i]);
      }
    }
    EXPECT_GT(touches, 300u);
  };
  check(float{});
  check(double{});
}

TEST(owner_contacts, parts_of_one_owner_never_meet) {
  // All outlines in one world, each an owner, over one another. Of shapes without owners, parts of
  // the same outline touch.
  const std::vector<CutOutline> outlines = outlines_of_all_forms();
  Random random(43);
  std::vector<OutlineAt> places;
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    places.push_back({i, random.point<2>(-6, 6), random.uniform(-3, 3)});
  }
  ASSERT_EQ(places.size() % 2, 0u);
  std::vector<OwnerPair> pairs;
  for (std::size_t i = 0; i < places.size(); i += 2) pairs.push_back({places[i], places[i + 1]});
  OwnerScene<double> input(outlines, pairs);
  Column<std::int32_t> owners;
  for (const auto& row : input.rows) {
    owners.push_back({static_cast<std::int32_t>(2 * row.pair) + (row.is_b ? 1 : 0)});
  }
  input.scene.polygons.world = {};
  for (const bool has_owners : {true, false}) {
    input.scene.polygons.owner = has_owners ? owners : Column<std::int32_t>{};
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    collide<2, double>(input.scene, contacts, workspace);
    std::vector<std::vector<bool>> meets(outlines.size(), std::vector<bool>(outlines.size()));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto a = static_cast<std::size_t>(owners[static_cast<std::size_t>(contacts.pair[i].a)]);
      const auto b = static_cast<std::size_t>(owners[static_cast<std::size_t>(contacts.pair[i].b)]);
      meets[std::max(a, b)][std::min(a, b)] = true;
    }
    std::size_t meetings = 0;
    for (std::size_t a = 0; a < outlines.size(); ++a) {
      EXPECT_EQ(meets[a][a], !has_owners && outlines[a].report.part_count > 1) << outlines[a].name;
      const PlacedOutline outline(outlines[a], places[a], places[a].center);
      for (std::size_t b = 0; b < a; ++b) {
        const Meeting meeting =
            meeting_of(outline, PlacedOutline(outlines[b], places[b], places[a].center), 1e-14L);
        EXPECT_NE(meeting, Meeting::unclear);
        EXPECT_EQ(meets[a][b], meeting == Meeting::together)
            << outlines[a].name << " and " << outlines[b].name;
        meetings += meets[a][b];
      }
    }
    EXPECT_GT(meetings, outlines.size());
  }
}

}  // namespace
}  // namespace widephase::test
