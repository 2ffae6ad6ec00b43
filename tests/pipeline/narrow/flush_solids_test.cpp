// Blocks of one owner that lie flush have the contacts of the solid that they make: its corners and
// edges, the local minima of a ball's distance by brute force over all blocks, and nothing between.
// Labels: dated own-sets threads

#include <gtest/gtest.h>

#include <map>

#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/floor_tiles.hpp"

namespace widephase::test {
namespace {

/// Contacts of one scene, its blocks owned by 1.
template <class T>
struct Asked {
  SceneColumns<3, T> scene;
  ContactBuffer<3, T> contacts;
  std::vector<std::int32_t> ids;  ///< of the shapes in the order given

  Asked(const std::vector<Solid<3>>& blocks, const std::vector<Solid<3>>& bodies,
        CollideOptions options = {}, bool is_flush = true) {
    std::vector<std::pair<Kind, std::int32_t>> rows;
    for (const auto* list : {&blocks, &bodies}) {
      for (const Solid<3>& solid : *list) {
        const std::int32_t row = append<3, T>(scene, stored<T>(solid));
        rows.push_back({solid.kind, row});
        const std::int32_t owner = list == &blocks ? 1 : 2 + static_cast<std::int32_t>(rows.size());
        with_table(scene, solid.kind, [&](auto& table) {
          table.owner.resize(static_cast<std::size_t>(row) + 1, owner);
        });
      }
    }
    const SceneLayout layout = layout_of(scene);
    for (const auto& [kind, row] : rows) ids.push_back(layout.id(kind, row));
    if (is_flush) options.flush_tolerance = kTolerance;
    options.threads.count = 1;
    Workspace<3, T> workspace;
    collide<3, T>(scene, contacts, workspace, options);
  }
  /// From the first shape's point of view.
  struct Found {
    Point<3> normal;
    double depth;
    std::size_t points;
  };
  std::vector<Found> between(std::size_t first, std::size_t second) const {
    std::vector<Found> found;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Pair pair = contacts.pair[c];
      const bool is_it = pair.a == ids[first] && pair.b == ids[second];
      if (!is_it && !(pair.b == ids[first] && pair.a == ids[second])) continue;
      Found one{{},
                static_cast<double>(contacts.depth[c]),
                static_cast<std::size_t>(contacts.offset[c + 1] - contacts.offset[c])};
      for (int k = 0; k < 3; ++k) {
        one.normal[k] = static_cast<double>(contacts.normal(c, k)) * (is_it ? 1 : -1);
      }
      found.push_back(one);
    }
    return found;
  }
};

double between(const Point<3>& a, const Point<3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// A row of two blocks along x, their tops at z = 0, and a wall of two blocks at y = 1.
std::vector<Solid<3>> corner_blocks() {
  return {aabb<3>({-1, 0, -1}, {0, 1, 0}), aabb<3>({0, 0, -1}, {1, 1, 0}),
          aabb<3>({-1, 1, -1}, {0, 2, 2}), aabb<3>({0, 1, -1}, {1, 2, 2})};
}

TEST(flush, a_concave_corner_has_the_normals_of_both_sides) {
  // 0.01 deep in floor and wall, across the joint of each.
  const Asked<float> ball_there(corner_blocks(), {ball<3>({0.01, 0.51, 0.49}, 0.5)});
  const std::vector<Solid<3>> crates{box({0.05, 0.76, 0.24}, kUpright, {0.25, 0.25, 0.25})};
  const Asked<float> crate(corner_blocks(), crates);
  for (const Asked<float>* asked : {&ball_there, &crate}) {
    for (const std::size_t block : {0, 1, 2, 3}) {
      const auto found = asked->between(block, 4);
      ASSERT_EQ(found.size(), 1u) << block;
      const Point<3> normal = block < 2 ? Point<3>{0, 0, 1} : Point<3>{0, -1, 0};
      EXPECT_LT(between(found[0].normal, normal), 1e-4) << block;
      EXPECT_NEAR(found[0].depth, 0.01, 1e-5) << block;
    }
  }
}

TEST(flush, outer_edges_and_corners_are_felt) {
  // Beside the outer edge y = 0, z = 0 and over the joint: 45 degrees off, from both blocks.
  const double off = 0.49 / std::sqrt(2);
  const Asked<double> edge(corner_blocks(), {ball<3>({0.1, -off, off}, 0.5)});
  for (const std::size_t block : {0, 1}) {
    const auto found = edge.between(block, 4);
    ASSERT_EQ(found.size(), block == 1 ? 1u : found.size());
    if (found.empty()) continue;
    EXPECT_LT(between(found[0].normal, {0, -std::sqrt(0.5), std::sqrt(0.5)}), 1e-9);
    EXPECT_NEAR(found[0].depth, 0.01, 1e-12);
  }
  // Deep enough to be in both.
  const double deep = 0.45 / std::sqrt(2);
  const Asked<double> both(corner_blocks(), {ball<3>({0.1, -deep, deep}, 0.5)});
  for (const std::size_t block : {0, 1}) {
    const auto found = both.between(block, 4);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(between(found[0].normal, {0, -std::sqrt(0.5), std::sqrt(0.5)}), 1e-9) << block;
    EXPECT_NEAR(found[0].depth, 0.05, 1e-12) << block;
  }
  // Off the corner at x = 1.
  const double third = 0.49 / std::sqrt(3);
  const Asked<double> corner(corner_blocks(), {ball<3>({1 + third, -third, third}, 0.5)});
  const auto found = corner.between(1, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(between(found[0].normal, {std::sqrt(1 / 3.0), -std::sqrt(1 / 3.0), std::sqrt(1 / 3.0)}),
            1e-9);
}

TEST(flush, without_the_tolerance_a_joint_is_felt) {
  const std::vector<Solid<3>> balls{ball<3>({0.1, 0.45, 0.45}, 0.5)};
  const Asked<float> plain(corner_blocks(), balls, {}, false);
  const Asked<float> flush(corner_blocks(), balls);
  ASSERT_EQ(plain.contacts.size(), 2u);
  ASSERT_EQ(flush.contacts.size(), 2u);
  EXPECT_GT(between(plain.between(0, 4)[0].normal, {0, 0, 1}), 0.1);
  EXPECT_LT(between(flush.between(0, 4)[0].normal, {0, 0, 1}), 1e-6);
}

/// Blocks of a random solid of cubes, joined at random along x, y or z.
struct Cubes {
  std::array<int, 3> size{4, 4, 3};
  std::vector<int> filled;
  bool has(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) return false;
    return filled[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] != 0;
  }
};
Cubes random_cubes(Random& random, double share) {
  Cubes cubes;
  for (int i = 0; i < 48; ++i) cubes.filled.push_back(random.chance(share) ? 1 : 0);
  return cubes;
}
std::vector<std::array<Point<3>, 2>> blocks_of(Random& random, const Cubes& cubes) {
  std::vector<int> taken(cubes.filled.size());
  std::vector<std::array<Point<3>, 2>> blocks;
  const auto place = [&](const std::array<int, 3>& at) {
    return static_cast<std::size_t>((at[2] * 4 + at[1]) * 4 + at[0]);
  };
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        if (!cubes.has(x, y, z) || taken[place({x, y, z})] != 0) continue;
        const int axis = random.integer(0, 2), most = random.integer(1, 4);
        std::array<int, 3> at{x, y, z};
        int length = 0;
        while (length < most && cubes.has(at[0], at[1], at[2]) && taken[place(at)] == 0) {
          taken[place(at)] = 1;
          ++at[static_cast<std::size_t>(axis)];
          ++length;
        }
        Point<3> high{x + 1.0, y + 1.0, z + 1.0};
        high[axis] += length - 1;
        blocks.push_back({Point<3>{double(x), double(y), double(z)}, high});
      }
    }
  }
  return blocks;
}
Point<3> nearest_in(const std::array<Point<3>, 2>& block, const Point<3>& p) {
  Point<3> q;
  for (int k = 0; k < 3; ++k) q[k] = std::clamp(p[k], block[0][k], block[1][k]);
  return q;
}

/// A ball whose centre is outside of a solid of blocks: the deepest contact is that of the solid's
/// nearest point; every local minimum of the distance has a contact, none is deeper than the
/// deepest minimum, and its direction is one of those that the solid has.
template <class T>
void expect_solids(std::size_t solids, std::uint64_t seed, double tolerance) {
  Random random(seed);
  std::size_t asked_balls = 0;
  for (std::size_t s = 0; s < solids; ++s) {
    const Cubes cubes = random_cubes(random, random.uniform(0.3, 0.9));
    const auto blocks = blocks_of(random, cubes);
    if (blocks.size() < 2) continue;
    std::vector<Solid<3>> parts, balls;
    for (const auto& block : blocks) parts.push_back(aabb<3>(block[0], block[1]));
    for (int n = 0; n < 60; ++n) {
      const Point<3> at{random.uniform(-0.5, 4.5), random.uniform(-0.5, 4.5),
                        random.uniform(-0.5, 3.5)};
      double least = 1e9;
      for (const auto& block : blocks) least = std::min(least, between(at, nearest_in(block, at)));
      if (least < 0.02) continue;
      balls.push_back(ball<3>(at, least + random.uniform(0.001, 0.3)));
    }
    const Asked<T> asked(parts, balls);
    for (std::size_t n = 0; n < balls.size(); ++n) {
      const Solid<3> own = stored<T>(balls[n]);
      ++asked_balls;
      std::vector<std::pair<Point<3>, double>> minima;
      double nearest = 1e9;
      for (const auto& block : blocks) {
        const Point<3> place = nearest_in(block, own.p);
        const double distance = between(place, own.p);
        nearest = std::min(nearest, distance);
        bool is_least = distance < own.size;
        for (const auto& other : blocks) {
          const bool has = between(nearest_in(other, place), place) < 1e-9;
          if (has && between(nearest_in(other, own.p), own.p) < distance - 1e-9) is_least = false;
        }
        if (!is_least) continue;
        Point<3> way;
        for (int k = 0; k < 3; ++k) way[k] = (own.p[k] - place[k]) / distance;
        minima.push_back({way, own.size - distance});
      }
      double deepest = 0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const auto& found : asked.between(b, blocks.size() + n)) {
          deepest = std::max(deepest, found.depth);
        }
      }
      EXPECT_NEAR(deepest, own.size - nearest, tolerance) << describe(own);
      for (const auto& [way, depth] : minima) {
        bool is_there = false;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
          for (const auto& found : asked.between(b, blocks.size() + n)) {
            is_there |= between(found.normal, way) < 100 * tolerance &&
                        std::abs(found.depth - depth) < tolerance;
          }
        }
        EXPECT_TRUE(is_there) << describe(own) << " depth " << depth;
      }
    }
  }
  EXPECT_GT(asked_balls, 10 * solids);
}

TEST(flush, balls_touch_solids_of_blocks_at_the_local_minima_of_the_distance) {
  expect_solids<float>(scaled(60, 10), 11, 3e-6);
  expect_solids<double>(scaled(60, 10), 12, 1e-12);
}

/// What a contact says, by the numbers of the shapes and whoever is named first.
using Said = std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>;
template <class T>
Said said_by(const Asked<T>& asked, const std::vector<std::size_t>& numbers) {
  Said said;
  for (std::size_t c = 0; c < asked.contacts.size(); ++c) {
    const auto number_of = [&](std::int32_t id) {
      return numbers[static_cast<std::size_t>(std::ranges::find(asked.ids, id) -
                                              asked.ids.begin())];
    };
    const std::size_t a = number_of(asked.contacts.pair[c].a);
    const std::size_t b = number_of(asked.contacts.pair[c].b);
    std::vector<double>& row = said[{std::min(a, b), std::max(a, b)}];
    row.push_back(static_cast<double>(asked.contacts.depth[c]));
    for (int k = 0; k < 3; ++k) {
      row.push_back(static_cast<double>(asked.contacts.normal(c, k)) * (a < b ? 1 : -1));
    }
  }
  return said;
}

TEST(flush, the_order_of_shapes_does_not_matter) {
  Random random(20);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::mixed, Kind::box, {});
  std::vector<Solid<3>> bodies;
  for (int n = 0; n < 60; ++n) {
    Solid<3> solid = body_of(random, kBodies[static_cast<std::size_t>(n) % kBodies.size()],
                             about(random.direction<3>(), 0.01));
    const Point<3> place{random.uniform(-4.2, 4.2), random.uniform(-4.2, 4.2), 0};
    const double low = depth_below(solid, {0, 0, 0}, {0, 0, 1});
    solid = moved(solid, {place[0], place[1], low - random.uniform(0, 0.01)});
    bodies.push_back(solid);
  }
  std::vector<std::size_t> numbers(blocks.size() + bodies.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  const Said said = said_by(Asked<double>(blocks, bodies), numbers);
  EXPECT_GT(said.size(), 60u);
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<Solid<3>> others;
    for (std::size_t i = blocks.size(); i-- > 1;) {
      std::swap(numbers[i],
                numbers[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) others.push_back(blocks[numbers[i]]);
    const Said again = said_by(Asked<double>(others, bodies), numbers);
    ASSERT_EQ(again.size(), said.size());
    for (const auto& [names, numbers_said] : said) {
      const auto found = again.find(names);
      ASSERT_NE(found, again.end());
      ASSERT_EQ(found->second.size(), numbers_said.size());
      for (std::size_t k = 0; k < numbers_said.size(); ++k) {
        EXPECT_NEAR(found->second[k], numbers_said[k], 1e-12) << names.first << " " << names.second;
      }
    }
  }
}

/// Every contact of a scene that is asked in another way.
template <class T>
void expect_mirrored(const SceneColumns<3, T>& scene, const ContactBuffer<3, T>& contacts) {
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    pairs.push_back({contacts.pair[c].b, contacts.pair[c].a});
  }
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  options.order = Order::source;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> mirrored;
  collide_pairs<3, T>(scene, pairs, mirrored, workspace, options);
  ASSERT_EQ(mirrored.size(), contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_EQ(mirrored.depth[c], contacts.depth[c]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(mirrored.normal(c, k), 0 - contacts.normal(c, k));
    ASSERT_EQ(mirrored.offset[c + 1] - mirrored.offset[c],
              contacts.offset[c + 1] - contacts.offset[c]);
  }
}

TEST(flush, sets_and_threads_and_whose_name_is_first_change_no_bit) {
  Random random(21);
  std::vector<Solid<3>> bodies;
  for (int n = 0; n < 300; ++n) {
    Solid<3> solid = body_of(random, kBodies[static_cast<std::size_t>(n) % kBodies.size()],
                             about(random.direction<3>(), random.uniform(0, 0.1)));
    const double low = depth_below(solid, {0, 0, 0}, {0, 0, 1});
    bodies.push_back(moved(solid, {random.uniform(-4.2, 4.2), random.uniform(-4.2, 4.2),
                                   low - random.uniform(0, 0.05)}));
  }
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::bricks, Kind::box, {});
  const Asked<float> asked(blocks, bodies);
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    EXPECT_EQ(hash(Asked<float>(blocks, bodies, options).contacts), hash(asked.contacts));
  }
  expect_mirrored(asked.scene, asked.contacts);
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  options.threads.count = 4;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (int step = 0; step < 2; ++step) {  // the second one keeps what it found
    collide<3, float>(asked.scene, contacts, workspace, options);
    EXPECT_EQ(hash(contacts), hash(asked.contacts));
  }
  std::vector<std::uint8_t> is_contact(contacts.size());
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c) pairs.push_back(contacts.pair[c]);
  test_pairs<3, float>(asked.scene, pairs, is_contact, workspace);
  EXPECT_EQ(std::ranges::count(is_contact, 1), static_cast<std::ptrdiff_t>(contacts.size()));
}

TEST(flush, a_crate_of_boxes_rests_on_a_floor_of_tiles) {
  // Eight cubes on a body over the joint of four tiles, 0.001 deep, with a lean.
  for (const double lean : {0.0, 1e-7, 1e-4, 1e-2}) {
    SceneColumns<3, double> scene;
    Random random(22);
    for (const Solid<3>& tile : floor_tiles(random, Tiling::grid, Kind::box, {})) {
      append<3, double>(scene, tile);
    }
    const std::size_t tiles = row_count(scene.boxes);
    for (int v = 0; v < 8; ++v) {
      const auto at = [&](int k) { return (v >> k) % 2 != 0 ? 0.1 : -0.1; };
      append<3, double>(scene, box({at(0), at(1), at(2)}, kUpright, {0.1, 0.1, 0.1}));
    }
    const auto all = row_count(scene.boxes);
    scene.boxes.owner.resize(all, 1);
    scene.boxes.body.resize(all, -1);
    for (std::size_t row = tiles; row < all; ++row) {
      scene.boxes.owner[row] = 2;
      scene.boxes.body[row] = 0;
    }
    const Quaternion turn = product(about({0, 0, 1}, 0.3), about({1, 2, 0}, lean));
    scene.bodies.position.push_back({0.03, 0.02, 0.199});
    scene.bodies.turn.push_back({turn[0], turn[1], turn[2], turn[3]});
    CollideOptions options;
    options.flush_tolerance = kTolerance;
    Workspace<3, double> workspace;
    ContactBuffer<3, double> contacts;
    collide<3, double>(scene, contacts, workspace, options);
    EXPECT_GT(contacts.size(), 3u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_GT(contacts.normal(c, 2), 1 - 1e-6) << "lean " << lean;
      EXPECT_LT(contacts.depth[c], 0.0011 + 0.4 * lean) << "lean " << lean;
    }
  }
}

TEST(flush, a_thin_slab_keeps_the_contacts_that_carry_it) {
  // rapier issue 524: rules for edges drop contacts that matter, and slabs fall through.
  Random random(23);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::mixed, Kind::box, {});
  for (const double yaw : {0.0, 0.3, 0.78539816339}) {
    for (const double lean : {0.0, 1e-5, 0.02}) {
      const Quaternion turn = product(about({0, 0, 1}, yaw), about({0, 1, 0}, lean));
      const Solid<3> slab = box({0.1, 0.2, 0.013}, turn, {1, 1, 0.015});
      const Asked<float> asked(blocks, {slab});
      double most = 0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const auto& found : asked.between(b, blocks.size())) {
          EXPECT_LT(between(found.normal, {0, 0, 1}), 1e-3);
          most = std::max(most, found.depth);
        }
      }
      EXPECT_NEAR(most, depth_below(slab, {0, 0, 0}, {0, 0, 1}), 1e-5);
    }
  }
}

TEST(flush, a_box_slides_over_a_wall_of_bricks_without_a_trip) {
  // avian issue 612, parry issue 442: it catches on the joints of a compound. 0.001 deep, from one
  // end to the other and over every joint by steps of 1.7 mm.
  Random random(24);
  const std::vector<Solid<3>> blocks = floor_tiles(random, Tiling::bricks, Kind::box, {});
  std::vector<Solid<3>> crates, rollers;
  const std::size_t steps = scaled(3000, 300);
  for (std::size_t step = 0; step < steps; ++step) {
    const double x = -3 + 6.0 * static_cast<double>(step) / static_cast<double>(steps);
    crates.push_back(box({x, 0.37, 0.099}, kUpright, {0.1, 0.1, 0.1}));
    rollers.push_back(capsule<3>({x, 0.9, 0.049}, {x, 1.2, 0.049}, 0.05));
  }
  for (const auto* list : {&crates, &rollers}) {
    std::vector<std::size_t> found(list->size());
    for (std::size_t first = 0; first < list->size(); first += 100) {
      // Far apart from one another: one scene each hundred, without an owner's filter between.
      const std::vector<Solid<3>> few(list->begin() + static_cast<std::ptrdiff_t>(first),
                                      list->begin() + static_cast<std::ptrdiff_t>(first + 100));
      SceneColumns<3, float> scene;
      for (const auto* shapes : {&blocks, &few}) {
        for (const Solid<3>& solid : *shapes) {
          append<3, float>(scene, stored<float>(solid));
          with_table(scene, solid.kind,
                     [&](auto& table) { table.owner.push_back({shapes == &blocks ? 1 : 2}); });
        }
      }
      CollideOptions options;
      options.flush_tolerance = kTolerance;
      Workspace<3, float> workspace;
      ContactBuffer<3, float> contacts;
      collide<3, float>(scene, contacts, workspace, options);
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        EXPECT_GT(std::abs(contacts.normal(c, 2)), 0.99999f);
        EXPECT_NEAR(contacts.depth[c], 0.001f, 2e-6f);
      }
      EXPECT_GE(contacts.size(), 100u);
    }
  }
}

TEST(flush, a_step_beyond_the_tolerance_is_felt) {
  // The right block is higher by ten tolerances: a crate that comes from the left meets its side.
  const std::vector<Solid<3>> blocks{aabb<3>({-1, 0, -1}, {0, 1, 0}),
                                     aabb<3>({0, 0, -1}, {1, 1, 10 * kTolerance})};
  const Asked<double> asked(blocks, {box({-0.0999, 0.5, 0.0999}, kUpright, {0.1, 0.1, 0.1})});
  const auto found = asked.between(1, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(between(found[0].normal, {-1, 0, 0}), 1e-9);
}

TEST(flush, a_static_scene_that_is_updated_finds_its_parts_again) {
  // The second block of a row is moved 0.1 away: the gap's edge is felt then, and not once it is
  // back.
  SceneColumns<3, double> blocks, moving;
  append<3, double>(blocks, aabb<3>({-1, 0, -1}, {0, 1, 0}));
  append<3, double>(blocks, aabb<3>({0, 0, -1}, {1, 1, 0}));
  blocks.aabbs.owner.resize(2, 1);
  append<3, double>(moving, ball<3>({0.1, 0.5, 0.45}, 0.5));
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  Workspace<3, double> workspace;
  StaticScene<3, double> kept;
  build_static_scene<3, double>(blocks, kept, workspace, options);
  ContactBuffer<3, double> contacts;
  const std::array<std::int32_t, 1> ids{1};
  for (const double apart : {0.0, 0.1, 0.0}) {
    blocks.aabbs.min(1, 0) = apart;
    blocks.aabbs.max(1, 0) = 1 + apart;
    update_static_scene<3, double>(blocks, ids, kept, workspace);
    collide<3, double>(moving, kept, contacts, workspace);
    ASSERT_EQ(contacts.size(), 2u);
    for (std::size_t c = 0; c < 2; ++c) {
      const bool is_up = std::abs(contacts.normal(c, 2)) > 1 - 1e-9;
      EXPECT_EQ(is_up, apart == 0 || contacts.pair[c].b == 2) << apart;
    }
  }
}

TEST(flush, a_floor_goes_on_across_periodic_sides) {
  // Tiles over -4 to 4 of a domain as long, each in any image, and bodies over the seams.
  Random random(30);
  SceneColumns<3, double> scene;
  const auto any_image = [&](const Solid<3>& solid) {
    return moved(solid, {8.0 * random.integer(-2, 2), 8.0 * random.integer(-2, 2), 0});
  };
  for (const Solid<3>& tile : floor_tiles(random, Tiling::grid, Kind::box, {})) {
    append<3, double>(scene, any_image(tile));
  }
  scene.boxes.owner.resize(row_count(scene.boxes), 1);
  scene.boxes.category.resize(row_count(scene.boxes), 1);
  scene.boxes.mask.resize(row_count(scene.boxes), 2);
  for (int n = 0; n < 120; ++n) {
    const Solid<3> solid = body_of(random, kBodies[static_cast<std::size_t>(n) % kBodies.size()],
                                   about({0, 0, 1}, random.uniform(-3, 3)));
    const double low = depth_below(solid, {0, 0, 0}, {0, 0, 1}) - random.uniform(0, 0.01);
    const double x = random.uniform(-4, 4);
    const Point<3> at = n % 2 != 0 ? Point<3>{x, 4, low} : Point<3>{-4, x, low};
    append<3, double>(scene, any_image(moved(solid, at)));
  }
  for_each_table(scene, [](auto& table) {
    table.owner.resize(row_count(table), -1);
    table.category.resize(row_count(table), 2);
    table.mask.resize(row_count(table), 1);
  });
  scene.domain = {{-4, -4, 0}, {4, 4, 0}, {true, true, false}};
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  Workspace<3, double> workspace;
  ContactBuffer<3, double> contacts;
  collide<3, double>(scene, contacts, workspace, options);
  EXPECT_GT(contacts.size(), 120u);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_GT(std::abs(contacts.normal(c, 2)), 1 - 1e-9);
    EXPECT_LT(contacts.depth[c], 0.0101);
    const Solid<3> a = solid_of<3, double>(scene, contacts.pair[c].a);
    for (auto p = static_cast<std::size_t>(contacts.offset[c]);
         p < static_cast<std::size_t>(contacts.offset[c + 1]); ++p) {
      EXPECT_LT(std::abs(contacts.point(p, 0) - a.p[0]), 1.0) << describe(a);
    }
  }
}

TEST(flush, errors_name_the_option) {
  CollideOptions options;
  SceneColumns<3, float> scene;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  options.flush_tolerance = -1;
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace, options); }),
            "flush_tolerance is -1; it must be finite and >= 0");
}

}  // namespace
}  // namespace widephase::test
