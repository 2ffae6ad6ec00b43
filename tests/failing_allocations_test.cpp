// A call whose n-th allocation fails, for every n: it throws std::bad_alloc, what it wrote to is
// valid, and the same objects answer the next call as if nothing had been.

#include <gtest/gtest.h>

#include <widephase/bodies.hpp>
#include <widephase/bounds_tree.hpp>
#include <widephase/decompose.hpp>
#include <widephase/widephase.hpp>

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// Bits of an answer, put together.
class Answer {
 public:
  template <class U, int W>
  Answer& add(const Column<U, W>& column) {
    mix(column.size());
    for (int w = 0; w < W; ++w) {
      for (std::size_t i = 0; i < column.size(); ++i) mix(bits_of(column(i, w)));
    }
    return *this;
  }
  template <int D, class T>
  Answer& add(const ContactBuffer<D, T>& contacts) {
    mix(hash(contacts));
    return *this;
  }
  template <int D, class T>
  Answer& add(const DistanceBuffer<D, T>& distances) {
    return add(distances.distance).add(distances.point_a).add(distances.point_b);
  }
  friend bool operator==(const Answer&, const Answer&) = default;

 private:
  void mix(std::uint64_t bits) { value_ = (value_ ^ bits) * 0x9e3779b97f4a7c15u + (value_ >> 29); }
  std::uint64_t value_ = 0;
};

/// Of objects that `prepare` made ready. `call` is the one that fails, and `answer` reads what it
/// left. `is_valid` holds of what a failed call leaves.
template <class Objects, class Prepare, class Call, class Read, class IsValid>
void expect_survival(const Prepare& prepare, const Call& call, const Read& answer,
                     const IsValid& is_valid) {
  Objects untroubled;
  prepare(untroubled);
  call(untroubled);
  const Answer expected = answer(untroubled);
  for (long failing = 1;; ++failing) {
    SCOPED_TRACE(testing::Message() << "allocation " << failing);
    Objects objects;
    prepare(objects);
    bool is_done = false;
    const bool has_failed = fail_allocation(failing, [&] {
      call(objects);
      is_done = true;
    });
    if (!is_done) {
      ASSERT_TRUE(is_valid(objects));
      call(objects);
    }
    ASSERT_TRUE(answer(objects) == expected);
    if (!has_failed) {
      EXPECT_GT(failing, 1);
      return;
    }
  }
}
template <class Objects, class Prepare, class Call, class Read>
void expect_survival(const Prepare& prepare, const Call& call, const Read& answer) {
  expect_survival<Objects>(prepare, call, answer, [](const Objects&) { return true; });
}

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
  SupportBuffer<D, T> support;
  PlacedScene<D, T> placed;
  std::vector<std::uint8_t> bytes;
};

/// Makes all polygons or hulls of a scene boxes: to build larger ones is most of a small call's
/// time.
template <int D, class T>
void use_boxes(SceneColumns<D, T>& scene) {
  scene.geometries = {};
  if constexpr (D == 2) {
    add_box_polygon(scene.geometries, T(0.25), T(0.5));
  } else {
    add_box_hull(scene.geometries, T(0.25), T(0.5), T(0.5));
  }
  with_table(scene, D == 2 ? Kind::polygon : Kind::hull, [&](auto& instances) {
    if constexpr (requires { instances.geometry; }) {
      for (std::size_t i = 0; i < instances.geometry.size(); ++i) instances.geometry[i] = 0;
    }
  });
}

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
        [](const Own& own) { return Answer().add(own.nearest).add(own.nearest.pair); });
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
    // Contacts of the step that fails go on from the one before it.
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
  const auto ask = [&](Own& own) {
    collide<D, T>(moving, own.kept, own.contacts, own.workspace, options);
  };
  {
    SCOPED_TRACE("build_static_scene");
    expect_survival<Own>([](Own&) {}, build,
                         [&](Own& own) {
                           ask(own);
                           return Answer().add(own.contacts);
                         },
                         [](const Own& own) { return own.kept.size() == 0; });
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
