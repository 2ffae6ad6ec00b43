// A call whose n-th allocation fails, for every n: it throws std::bad_alloc, its output is valid,
// and the same objects then answer the next call as usual.
// Labels: long host

#include <gtest/gtest.h>

#include <widephase/bounds_tree.hpp>
#include <widephase/decompose.hpp>
#include <widephase/widephase.hpp>

#include "support/survival.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
struct Objects {
  Workspace<D, T> workspace;
  PairWorkspace<D, T> pair_workspace;
  ContactBuffer<D, T> contacts;
  DistanceBuffer<D, T> distances;
  WorldDistanceBuffer<D, T> nearest;
  Tracker<D, T> tracker;
  StaticScene<D, T> kept;
  BoundsTree<D, T> tree;
  Column<Pair> pairs;
  std::vector<std::uint8_t> bytes;
};

template <int D, class T>
struct Scenes {
  SceneColumns<D, T> scene;   ///< of the call
  SceneColumns<D, T> before;  ///< a smaller one, which the workspace served before
  std::vector<Pair> pairs;
  BoundsBuffer<D, T> bounds;

  Scenes() {
    add_mixed(scene, {30, 301, 0.5, 2});
    use_boxes(scene);
    add_tags(scene, 3, 302);
    add_mixed(before, {8, 303, 0.6, 1});
    use_boxes(before);
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    collide<D, T>(scene, contacts, workspace);
    pairs.assign(workspace.pairs().begin(), workspace.pairs().end());
    bounds = workspace.bounds();
  }
};

template <int D, class T>
void expect_calls_survive(const CollideOptions& options) {
  using Own = Objects<D, T>;
  const Scenes<D, T> scenes;
  const SceneSpan<D, T> scene(scenes.scene);
  const SceneSpan<D, T> before(scenes.before);
  const auto fresh = [](Own&) {};
  const auto used = [&](Own& own) {
    collide<D, T>(before, own.contacts, own.workspace, options);
    own.contacts.clear();
  };
  const auto contacts = [](const Own& own) { return Answer().add(own.contacts); };
  const auto has_none = [](const Own& own) {
    return own.contacts.size() == 0 && own.contacts.point_count() == 0;
  };
  for (const Order order : {Order::kind, Order::world, Order::id}) {
    SCOPED_TRACE(testing::Message() << "collide in order " << static_cast<int>(order));
    CollideOptions ordered = options;
    ordered.order = order;
    const auto call = [&](Own& own) { collide<D, T>(scene, own.contacts, own.workspace, ordered); };
    if (order == Order::kind) expect_survival<Own>(fresh, call, contacts, has_none);
    expect_survival<Own>(used, call, contacts, has_none);
  }
  {
    SCOPED_TRACE("collide_pairs");
    expect_survival<Own>(
        used,
        [&](Own& own) {
          collide_pairs<D, T>(scene, scenes.pairs, own.contacts, own.workspace, options);
        },
        contacts, has_none);
  }
  {
    SCOPED_TRACE("test_pairs");
    expect_survival<Own>(
        [&](Own& own) {
          used(own);
          own.bytes.resize(scenes.pairs.size());
        },
        [&](Own& own) { test_pairs<D, T>(scene, scenes.pairs, own.bytes, own.workspace, options); },
        [](const Own& own) {
          Column<std::uint8_t> bytes;
          for (const std::uint8_t byte : own.bytes) bytes.push_back({byte});
          return Answer().add(bytes);
        });
  }
  {
    SCOPED_TRACE("distances");
    Own untouched;
    used(untouched);
    const Answer former = Answer().add(untouched.distances);
    expect_survival<Own>(
        used,
        [&](Own& own) {
          distances<D, T>(scene, scenes.pairs, own.distances, own.workspace, options);
        },
        [](const Own& own) { return Answer().add(own.distances); },
        [&](const Own& own) {
          return own.distances.distance.size() == 0 || Answer().add(own.distances) == former;
        });
  }
  {
    SCOPED_TRACE("any_contact");
    expect_survival<Own>(
        [&](Own& own) {
          used(own);
          own.bytes.resize(static_cast<std::size_t>(world_count(scene)));
        },
        [&](Own& own) { any_contact<D, T>(scene, own.bytes, own.workspace, options); },
        [](const Own& own) {
          Column<std::uint8_t> bytes;
          for (const std::uint8_t byte : own.bytes) bytes.push_back({byte});
          return Answer().add(bytes);
        });
  }
  {
    SCOPED_TRACE("min_distance");
    expect_survival<Own>(
        used, [&](Own& own) { min_distance<D, T>(scene, own.nearest, own.workspace, options); },
        [](const Own& own) { return Answer().add(own.nearest).add(own.nearest.pair); },
        [](const Own& own) { return own.nearest.distance.empty() && own.nearest.pair.empty(); });
  }
  {
    SCOPED_TRACE("stream_collide");
    expect_survival<Own>(
        used,
        [&](Own& own) {
          own.pairs.clear();
          const auto sink = [&](const ContactBuffer<D, T>& chunk) {
            for (const Pair pair : chunk.pair) own.pairs.push_back({pair});
          };
          stream_collide<D, T>(scene, sink, own.workspace, options);
        },
        [](const Own& own) { return Answer().add(own.pairs); });
  }
  {
    SCOPED_TRACE("a tracker's step");
    // The contacts of the failing step continue from those of the step before.
    expect_survival<Own>(
        [&](Own& own) {
          collide<D, T>(before, own.contacts, own.workspace, own.tracker, options);
          own.contacts.clear();
        },
        [&](Own& own) { collide<D, T>(scene, own.contacts, own.workspace, own.tracker, options); },
        [](const Own& own) {
          return Answer()
              .add(own.contacts)
              .add(own.tracker.last_contact())
              .add(own.tracker.last_point())
              .add(own.tracker.ended().pair)
              .add(own.tracker.ended().contact);
        },
        [&](const Own& own) { return has_none(own) && own.tracker.last_contact().empty(); });
  }
}

template <int D, class T>
void expect_trees_survive(const Threads& threads) {
  using Own = Objects<D, T>;
  const Scenes<D, T> scenes;
  PairOptions options;
  options.threads = threads;
  const auto fresh = [](Own&) {};
  const auto ask = [&](Own& own) {
    find_pairs<D, T>(own.tree, scenes.bounds, {}, own.pairs, own.pair_workspace, options);
  };
  const auto build = [&](Own& own) {
    build_tree<D, T>(scenes.bounds, {}, {}, own.tree, own.pair_workspace, options);
  };
  const auto pairs = [](const Own& own) { return Answer().add(own.pairs); };
  {
    SCOPED_TRACE("find_pairs");
    expect_survival<Own>(
        fresh,
        [&](Own& own) {
          find_pairs<D, T>(scenes.bounds, {}, {}, own.pairs, own.pair_workspace, options);
        },
        pairs);
  }
  {
    SCOPED_TRACE("build_tree");
    expect_survival<Own>(
        fresh, build,
        [&](Own& own) {
          ask(own);
          return pairs(own);
        },
        [&](const Own& own) {
          Column<Pair> found;
          PairWorkspace<D, T> workspace;
          find_pairs<D, T>(own.tree, scenes.bounds, {}, found, workspace, options);
          return own.tree.size() == 0 && found.empty();
        });
  }
  {
    SCOPED_TRACE("find_pairs of a tree");
    expect_survival<Own>(build, ask, pairs);
  }
}

template <int D, class T>
void expect_static_scenes_survive(const CollideOptions& options) {
  using Own = Objects<D, T>;
  const Scenes<D, T> scenes;
  SceneColumns<D, T> moving;
  add_mixed(moving, {50, 304, 0.6, 0});
  moving.geometries = {};
  if constexpr (D == 2) {
    moving.polygons = {};
  } else {
    moving.hulls = {};
  }
  const auto build = [&](Own& own) {
    build_static_scene<D, T>(scenes.scene, own.kept, own.workspace, options);
  };
  CollideOptions keeping = options;
  keeping.keeps_order = true;
  const auto build_in_order = [&](Own& own) {
    build_static_scene<D, T>(scenes.scene, own.kept, own.workspace, keeping);
  };
  const auto ask = [&](Own& own) {
    collide<D, T>(moving, own.kept, own.contacts, own.workspace, options);
  };
  const auto asked = [&](Own& own) {
    ask(own);
    return Answer().add(own.contacts);
  };
  const auto is_empty = [](const Own& own) { return own.kept.size() == 0; };
  {
    SCOPED_TRACE("build_static_scene");
    expect_survival<Own>([](Own&) {}, build, asked, is_empty);
  }
  {
    SCOPED_TRACE("build_static_scene in an order that is kept");
    expect_survival<Own>([](Own&) {}, build_in_order, asked, is_empty);
  }
  {
    SCOPED_TRACE("collide with a static scene");
    expect_survival<Own>(
        build, ask, [](const Own& own) { return Answer().add(own.contacts); },
        [](const Own& own) { return own.contacts.size() == 0; });
  }
}

template <int D, class T>
void expect_survival_of_all(int threads) {
  CollideOptions options;
  options.threads.count = threads;
  options.margin = 0.0625;
  expect_calls_survive<D, T>(options);
  expect_trees_survive<D, T>(options.threads);
  expect_static_scenes_survive<D, T>(options);
}

TEST(failing_allocations, leave_calls_in_2d_as_they_were) { expect_survival_of_all<2, double>(1); }
TEST(failing_allocations, leave_calls_in_3d_as_they_were) { expect_survival_of_all<3, float>(1); }
TEST(failing_allocations, leave_calls_in_2d_on_two_threads_as_they_were) {
  expect_survival_of_all<2, double>(2);
}
TEST(failing_allocations, leave_calls_in_3d_on_two_threads_as_they_were) {
  expect_survival_of_all<3, float>(2);
}

// --- geometries ---

template <int D, class T>
Answer vertices_of(const GeometryTable<Owned<D, T>>& table) {
  return Answer().add(table.vertices).add(table.offsets).add(table.inner);
}

TEST(failing_allocations, leave_tables_of_polygons_as_they_were) {
  using Table = GeometryTable<Owned<2, float>>;
  const Column<float, 2> points{{0, 0}, {3, 0}, {1, 1}, {3, 2}, {0, 2}, {1, 0}};
  Table before;
  add_box_polygon(before, 1, 2);
  const auto prepare = [&](Table& table) { table = before; };
  expect_survival<Table>(
      prepare, [&](Table& table) { add_polygon(table, points); }, vertices_of<2, float>,
      [&](const Table& table) { return vertices_of(table) == vertices_of(before); });
  expect_survival<Table>(
      [&](Table& table) {
        table.vertices = points;
        table.offsets = {0, 3, 6};
      },
      [&](Table& table) { make_convex(table); }, vertices_of<2, float>);
}

TEST(failing_allocations, leave_tables_of_hulls_as_they_were) {
  using Table = GeometryTable<Owned<3, float>>;
  Column<float, 3> points;
  Random random(305);
  for (int i = 0; i < 16; ++i) points.push_back(as_row<3, float>(random.point<3>(-1, 1)));
  Table before;
  add_box_hull(before, 1, 2, 3);
  const auto prepare = [&](Table& table) { table = before; };
  const auto is_before = [&](const Table& table) {
    return vertices_of(table) == vertices_of(before);
  };
  expect_survival<Table>(
      prepare, [&](Table& table) { add_hull(table, points); }, vertices_of<3, float>, is_before);
  expect_survival<Table>(
      prepare, [&](Table& table) { add_hull(table, points, 8); }, vertices_of<3, float>, is_before);
  expect_survival<Table>(
      [&](Table& table) {
        table.vertices = points;
        table.offsets = {0, 8, 16};
      },
      [&](Table& table) { make_convex(table); }, vertices_of<3, float>);
}

/// A call that adds nothing to a table: it throws, and has the same answer after.
template <class Table, class Made, class Call, class Read>
void expect_answers_survive(const Table& table, const Call& call, const Read& read) {
  expect_survival<Made>([](Made&) {}, [&](Made& made) { made = call(table); }, read);
}

TEST(failing_allocations, leave_makers_and_measures_as_they_were) {
  using Hulls = GeometryTable<Owned<3, double>>;
  using Polygons = GeometryTable<Owned<2, double>>;
  const auto expect_made = [](const auto& before, const auto& add) {
    using Table = std::remove_cvref_t<decltype(before)>;
    const auto read = [](const Table& table) {
      return Answer().add(table.vertices).add(table.offsets);
    };
    expect_survival<Table>([&](Table& table) { table = before; }, [&](Table& table) { add(table); },
                           read, [&](const Table& table) { return read(table) == read(before); });
  };
  Hulls hulls;
  add_box_hull(hulls, 1, 2, 3);
  expect_made(hulls, [](Hulls& table) { add_box_hull(table, 1, 2, 3); });
  expect_made(hulls, [](Hulls& table) { add_tetrahedron_hull(table, 1); });
  expect_made(hulls, [](Hulls& table) { add_cylinder_hull(table, 5, 1, 2); });
  expect_made(hulls, [](Hulls& table) { add_cone_hull(table, 5, 1, 2); });
  expect_made(hulls, [](Hulls& table) { add_icosphere_hull(table, 0, 1); });
  Polygons polygons;
  add_regular_polygon(polygons, 5, 1);
  expect_made(polygons, [](Polygons& table) { add_box_polygon(table, 1, 2); });
  expect_made(polygons, [](Polygons& table) { add_regular_polygon(table, 5, 1); });
  expect_made(polygons, [](Polygons& table) { add_capsule_polygon(table, 1, 1, 3); });

  using Topology = HullTopology<double>;
  expect_answers_survive<Hulls, Topology>(
      hulls, [](const Hulls& table) { return hull_topology(table, 0); },
      [](const Topology& made) { return Answer().add(made.normals).add(made.offsets); });
  using Normals = Column<double, 2>;
  expect_answers_survive<Polygons, Normals>(
      polygons, [](const Polygons& table) { return edge_normals(table, 0); },
      [](const Normals& made) { return Answer().add(made); });
  Hulls points;
  points.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                     {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}};
  points.offsets = {0, 4, 8};
  using Refused = std::pair<Hulls, std::vector<Finding>>;
  expect_survival<Refused>([&](Refused& own) { own.first = points; },
                           [](Refused& own) { make_convex(own.first, own.second); },
                           [](const Refused& own) {
                             Column<std::int64_t> rows;
                             for (const Finding& finding : own.second)
                               rows.push_back({finding.row});
                             return Answer().add(own.first.vertices).add(rows);
                           });
}

TEST(failing_allocations, leave_parts_of_outlines_as_they_were) {
  using Table = GeometryTable<Owned<2, double>>;
  // An L with a square hole.
  const Column<double, 2> rings{{0, 0}, {8, 0}, {8, 4}, {4, 4}, {4, 8},
                                {0, 8}, {1, 1}, {1, 3}, {3, 3}, {3, 1}};
  const std::vector<std::int64_t> offsets{0, 6, 10};
  Table before;
  decompose({ColumnSpan<double, 2>::planes({rings.plane(0), rings.plane(1)}, 6),
             std::span(offsets).first(2)},
            before);
  expect_survival<Table>(
      [&](Table& table) { table = before; },
      [&](Table& table) { decompose({rings, offsets}, table); }, vertices_of<2, double>,
      [&](const Table& table) { return vertices_of(table) == vertices_of(before); });
}

}  // namespace
}  // namespace widephase::test
