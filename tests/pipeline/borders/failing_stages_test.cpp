// Like failing_allocations_test, for separate stages, trackers, bodies, support and closest points,
// changes of whole scenes, more options and numbers, and more shapes than one thread takes.
// Labels: host

#include <thread>

#include <widephase/bodies.hpp>
#include <widephase/chains.hpp>
#include <widephase/meshes.hpp>
#include <widephase/transforms.hpp>

#include "support/survival.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
struct Objects {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  Tracker<D, T> tracker;
  SupportBuffer<D, T> support;
  PlacedScene<D, T> placed;
  SceneColumns<D, T> copy;
  Column<std::int32_t, 2> bodies;
  Column<Pair> pairs;
};

template <int D, class T>
SceneColumns<D, T> some_scene(std::size_t count = 30) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, 306, 0.5, 2});
  use_boxes(scene);
  add_tags(scene, 3, 307);
  return scene;
}

/// Bodies carry every third shape, except aabbs, which must not rotate.
template <int D, class T>
SceneColumns<D, T> carried_scene() {
  SceneColumns<D, T> scene = some_scene<D, T>();
  scene.excluded_bodies = {{1, 2}, {3, 0}};
  Random random(308);
  for (int b = 0; b < 4; ++b) {
    scene.bodies.position.push_back(as_row<D, PositionOf<T>>(random.point<D>(-1, 1)));
    if constexpr (D == 2) {
      scene.bodies.turn.push_back({static_cast<SizeOf<T>>(b)});
    } else {
      scene.bodies.turn.push_back({0, 0, SizeOf<T>(0.6), SizeOf<T>(0.8)});
    }
  }
  for_each_table(scene, [](auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    for (std::size_t i = 0; i < table.body.size(); ++i) {
      const bool is_carried = Table::kind != Kind::aabb && i % 3 == 0;
      table.body[i] = is_carried ? static_cast<std::int32_t>(i % 4) : -1;
    }
  });
  return scene;
}

template <int D, class T>
std::vector<Pair> pairs_of(const SceneColumns<D, T>& scene, const CollideOptions& options = {}) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide<D, T>(scene, contacts, workspace, options);
  return {workspace.pairs().begin(), workspace.pairs().end()};
}

/// Bits of all columns of a scene.
template <class Scene>
Answer columns_of(const Scene& scene) {
  Answer answer;
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto&, const auto& column) { answer.add(column); });
  });
  return answer;
}
template <int D, class T>
Answer whole_of(const SceneColumns<D, T>& scene) {
  Answer answer = columns_of(scene);
  return answer.add(scene.bodies.position)
      .add(scene.excluded)
      .add(scene.geometries.vertices)
      .add(scene.geometries.offsets);
}

template <int D, class T>
void expect_stages_survive() {
  using Own = Objects<D, T>;
  const SceneColumns<D, T> columns = some_scene<D, T>();
  const SceneSpan<D, T> scene(columns);
  CollideOptions options;
  options.threads.count = 1;
  const std::vector<Pair> pairs = pairs_of(columns);
  const auto fresh = [](Own&) {};
  const auto contacts = [](const Own& own) { return Answer().add(own.contacts); };
  const auto has_none = [](const Own& own) { return own.contacts.size() == 0; };
  {
    // After a failed call the next stage refuses: neither a crash nor an answer.
    SCOPED_TRACE("the stages apart");
    const auto stages = [&](Own& own) {
      update_bounds<D, T>(scene, own.workspace, options);
      find_pairs<D, T>(scene, own.workspace, options);
      const Column<Pair>& found = own.workspace.pairs();
      find_contacts<D, T>(scene, {found.plane(), found.size()}, own.contacts, own.workspace,
                          options);
    };
    expect_survival<Own>(fresh, stages, contacts, [&](Own& own) {
      try {
        find_pairs<D, T>(scene, own.workspace, options);
        find_contacts<D, T>(scene, pairs, own.contacts, own.workspace, options);
        const bool is_right = contacts(own) == [&] {
          Own other;
          stages(other);
          return contacts(other);
        }();
        own.contacts.clear();
        return is_right;
      } catch (const Error&) {
        return has_none(own);
      }
    });
  }
  {
    SCOPED_TRACE("stream_contacts");
    expect_survival<Own>([&](Own& own) { update_bounds<D, T>(scene, own.workspace, options); },
                         [&](Own& own) {
                           own.pairs.clear();
                           const auto sink = [&](const ContactBuffer<D, T>& chunk) {
                             for (const Pair pair : chunk.pair) own.pairs.push_back({pair});
                           };
                           stream_contacts<D, T>(scene, pairs, sink, own.workspace, options);
                         },
                         [](const Own& own) { return Answer().add(own.pairs); });
  }
  {
    SCOPED_TRACE("a tracker's step by stages");
    const auto step = [&](Own& own) {
      own.contacts.clear();
      update_bounds<D, T>(scene, own.workspace, options);
      CollideOptions warm = options;
      warm.warm_starts = begin_step<D, T>(scene, pairs, own.tracker, options);
      find_contacts<D, T>(scene, pairs, own.contacts, own.workspace, warm);
      end_step<D, T>(own.contacts, own.tracker);
    };
    const auto of_tracker = [](const Own& own) {
      return Answer().add(own.contacts).add(own.tracker.last_contact());
    };
    expect_survival<Own>(step, step, of_tracker);
    expect_survival<Own>(
        step,
        [&](Own& own) {
          collide_pairs<D, T>(scene, pairs, own.contacts, own.workspace, own.tracker, options);
        },
        of_tracker);
  }
  {
    SCOPED_TRACE("support_points");
    std::vector<std::int32_t> ids;
    Column<SizeOf<T>, D> directions;
    Random random(309);
    for (const std::int32_t id : bounded_ids(layout_of(scene))) {
      ids.push_back(id);
      directions.push_back(as_row<D, SizeOf<T>>(random.point<D>(0.25, 1)));
    }
    expect_survival<Own>(
        fresh,
        [&](Own& own) {
          support_points<D, T>(scene, ids, directions, own.support, own.workspace, options);
        },
        [](const Own& own) { return Answer().add(own.support.point).add(own.support.feature); },
        [](const Own& own) { return own.support.point.empty() && own.support.feature.empty(); });
  }
}

template <int D, class T>
void expect_options_survive() {
  using Own = Objects<D, T>;
  const SceneColumns<D, T> scene = some_scene<D, T>();
  const auto expect = [&](const char* what, const SceneColumns<D, T>& columns,
                          const CollideOptions& options) {
    SCOPED_TRACE(what);
    expect_survival<Own>(
        [](Own&) {},
        [&](Own& own) { collide<D, T>(columns, own.contacts, own.workspace, options); },
        [](const Own& own) { return Answer().add(own.contacts); },
        [](const Own& own) { return own.contacts.size() == 0; });
  };
  CollideOptions plain;
  plain.threads.count = 1;
  CollideOptions options = plain;
  options.method = Method::gjk_epa;
  expect("gjk_epa", scene, options);
  options = plain;
  options.order = Order::source;
  expect("order source", scene, options);
  options = plain;
  options.max_contacts = options.max_points = 100000;
  expect("caps", scene, options);
  options = plain;
  const std::vector<std::uint8_t> mask{1, 0, 1};
  std::vector<std::uint8_t> status(3);
  options.world_mask = mask;
  options.world_status = status;
  expect("a choice of worlds", scene, options);
  expect("bodies", carried_scene<D, T>(), plain);
  SceneColumns<D, T> periodic = scene;
  periodic.halfspaces = {};
  for (int k = 0; k < D; ++k) {
    periodic.domain.min[k] = -100;
    periodic.domain.max[k] = 100;
    periodic.domain.periodic[k] = true;
  }
  periodic.excluded = {};
  expect("a periodic domain", periodic, plain);
  if constexpr (D == 2) {
    SceneColumns<2, T> lined = scene;
    const Column<SizeOf<T>, 2> line{{9, 0}, {1, 0}, {-1, 1}, {-9, 0}};
    add_chain(lined.chain_geometries, line.span());
    lined.chains.center.push_back({});
    lined.chains.turn.push_back({0});
    lined.chains.geometry.push_back({0});
    lined.chains.world.push_back({0});
    lined.chains.owner.push_back({-1});
    expect("a chain", lined, plain);
  }
}

/// What is added to a library is there whole or not at all.
template <class Table, class Add>
void expect_library_survives(const char* what, const Table& before, const Add& add) {
  SCOPED_TRACE(what);
  const auto read = [](const Table& table) {
    Answer answer;
    Table::for_each_column([&](auto, const auto& column) { answer.add(column); }, table);
    return answer;
  };
  expect_survival<Table>([&](Table& table) { table = before; }, add, read,
                         [&](const Table& table) { return read(table) == read(before); });
}

TEST(failing_stages, leave_chains_and_meshes_as_they_were) {
  const Column<float, 2> line{{1, 0}, {0, 0}, {-1, 0}};
  ChainTable<Owned<2, float>> chains;
  add_chain(chains, line.span());
  expect_library_survives("a chain", chains, [&](ChainTable<Owned<2, float>>& table) {
    add_chain(table, line.span(), {.two_sided = true, .before = 1});
  });
  const Column<float, 3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Column<std::int32_t, 3> triangles{{0, 1, 2}, {2, 1, 0}};
  MeshTable<Owned<3, float>> meshes;
  add_mesh(meshes, corners.span(), triangles.span(), false);
  expect_library_survives("a mesh", meshes, [&](MeshTable<Owned<3, float>>& table) {
    add_mesh(table, corners.span(), triangles.span(), true, 1);
  });
}

template <int D, class T>
void expect_scenes_survive() {
  using Own = Objects<D, T>;
  const SceneColumns<D, T> carried = carried_scene<D, T>();
  const SceneSpan<D, T> scene(carried);
  const Threads one{1, {}};
  const auto fresh = [](Own&) {};
  {
    SCOPED_TRACE("place");
    expect_survival<Own>(
        fresh, [&](Own& own) { place<D, T>(scene, scene.bodies, own.placed, one); },
        [](const Own& own) { return columns_of(own.placed.scene()); },
        [](const Own& own) { return layout_of(own.placed.scene()).shape_count() == 0; });
  }
  {
    SCOPED_TRACE("replicate");
    SceneColumns<D, T> of_one_world = carried;
    for_each_table(of_one_world, [](auto& table) { table.world = {}; });
    expect_survival<Own>(
        fresh, [&](Own& own) { replicate<D, T>(of_one_world, 3, own.copy); },
        [](const Own& own) { return whole_of(own.copy); },
        [](const Own& own) { return whole_of(own.copy) == whole_of(SceneColumns<D, T>()); });
  }
  {
    SCOPED_TRACE("contact_bodies");
    expect_survival<Own>(
        [&](Own& own) {
          CollideOptions options;
          options.threads.count = 1;
          collide<D, T>(scene, own.contacts, own.workspace, options);
        },
        [&](Own& own) { contact_bodies<D, T>(scene, own.contacts, own.bodies); },
        [](const Own& own) { return Answer().add(own.bodies); },
        [](const Own& own) { return own.bodies.empty(); });
  }
  const SceneColumns<D, T> resting = some_scene<D, T>();
  const auto rest = [&](Own& own) { own.copy = resting; };
  const auto is_resting = [&](const Own& own) { return whole_of(own.copy) == whole_of(resting); };
  const auto columns = [](const Own& own) { return whole_of(own.copy); };
  std::array<PositionOf<T>, D> point{};
  for (int k = 0; k < D; ++k) point[k] = PositionOf<T>(k + 1);
  {
    SCOPED_TRACE("translate");
    expect_survival<Own>(rest, [&](Own& own) { translate(own.copy, point); }, columns, is_resting);
  }
  {
    SCOPED_TRACE("scale");
    expect_survival<Own>(
        rest, [&](Own& own) { scale(own.copy, SizeOf<T>(2), point); }, columns, is_resting);
  }
  if constexpr (D == 2) {
    SCOPED_TRACE("rotate");
    SceneColumns<2, T> turnable = resting;
    turnable.aabbs = {};
    turnable.excluded = {};
    expect_survival<Own>([&](Own& own) { own.copy = turnable; },
                         [&](Own& own) { rotate(own.copy, SizeOf<T>(1), point); }, columns,
                         [&](const Own& own) { return whole_of(own.copy) == whole_of(turnable); });
  }
}

TEST(failing_stages, leave_stages_as_they_were) {
  expect_stages_survive<2, float>();
  expect_stages_survive<3, double>();
  expect_stages_survive<2, Mixed>();
  expect_stages_survive<3, Mixed>();
}
TEST(failing_stages, leave_calls_with_more_options_as_they_were) {
  expect_options_survive<2, float>();
  expect_options_survive<3, double>();
  expect_options_survive<2, Mixed>();
  expect_options_survive<3, Mixed>();
}
TEST(failing_stages, leave_scenes_as_they_were) {
  expect_scenes_survive<2, float>();
  expect_scenes_survive<3, double>();
  expect_scenes_survive<2, Mixed>();
  expect_scenes_survive<3, Mixed>();
}

TEST(failing_stages, leave_closest_points_as_they_were) {
  using Points = Column<float, 3>;
  const Points a{{0, 0, 0}, {1, 2, 3}}, b{{1, 0, 0}, {3, 2, 1}}, c{{0, 1, 0}, {0, 0, 1}};
  using ToSegment = PointSegmentBuffer<3, float>;
  expect_survival<ToSegment>(
      [](ToSegment&) {}, [&](ToSegment& own) { closest_points<3, float>(a, b, c, own); },
      [](const ToSegment& own) {
        return Answer().add(own.point).add(own.parameter).add(own.distance);
      },
      [](const ToSegment& own) { return own.point.empty() && own.distance.empty(); });
  using OfSegments = SegmentSegmentBuffer<3, float>;
  expect_survival<OfSegments>(
      [](OfSegments&) {}, [&](OfSegments& own) { closest_points<3, float>(a, b, c, a, own); },
      [](const OfSegments& own) { return Answer().add(own.first).add(own.distance); },
      [](const OfSegments& own) { return own.first.empty() && own.distance.empty(); });
}

// --- threads ---

/// The caller's own threads, which no exception may reach.
void run_on_own_threads(void*, std::size_t count, void (*function)(std::size_t, void*),
                        void* context) {
  const auto half = [=](std::size_t first) noexcept {
    for (std::size_t i = first; i < count; i += 2) function(i, context);
  };
  std::thread other(half, 1);
  half(0);
  other.join();
}

/// Enough rows and geometries for more than one chunk of every pass.
SceneColumns<3, float> large_scene() {
  SceneColumns<3, float> scene;
  Random random(310);
  for (int i = 0; i < 20; ++i) {
    add_box_hull(scene.geometries, 0.25f + 0.01f * static_cast<float>(i), 0.5f, 0.5f);
  }
  for (int i = 0; i < 20000; ++i) {
    scene.spheres.center.push_back(as_row<3, float>(random.point<3>(-25, 25)));
    scene.spheres.radius.push_back({0.5f});
    scene.spheres.body.push_back({i});
    scene.bodies.position.push_back(as_row<3, float>(random.point<3>(-1, 1)));
  }
  for (int i = 0; i < 2000; ++i) {
    scene.hulls.center.push_back(as_row<3, float>(random.point<3>(-25, 25)));
    scene.hulls.turn.push_back({0, 0, 0, 1});
    scene.hulls.geometry.push_back({i % 20});
  }
  return scene;
}

/// Some allocations of a call of many chunks fail, the first ones and others over the whole call.
void expect_large_calls_survive(const Threads& threads) {
  const SceneColumns<3, float> scene = large_scene();
  CollideOptions options;
  options.threads = threads;
  Workspace<3, float> untroubled;
  ContactBuffer<3, float> expected;
  const long allocations =
      count_allocations([&] { collide<3, float>(scene, expected, untroubled, options); });
  ASSERT_GT(expected.size(), 1000u);
  int failed = 0;
  const long share = scaled(8, 2);
  for (long failing = 1; failing < allocations; failing += 1 + failing / share) {
    SCOPED_TRACE(testing::Message() << "allocation " << failing);
    Workspace<3, float> workspace;
    ContactBuffer<3, float> contacts;
    bool is_done = false;
    fail_allocation(failing, [&] {
      collide<3, float>(scene, contacts, workspace, options);
      is_done = true;
    });
    if (!is_done) {
      ++failed;
      ASSERT_EQ(contacts.size(), 0u);
      collide<3, float>(scene, contacts, workspace, options);
    }
    ASSERT_EQ(hash(contacts), hash(expected));
  }
  EXPECT_GT(failed, 5);
  // No thread waits for a chunk that another one could not find.
  for (long failing = 1; failing < allocations; failing += 1 + 2 * failing / share) {
    Workspace<3, float> workspace;
    std::size_t contacts = 0;
    const auto sink = [&](const ContactBuffer<3, float>& chunk) { contacts += chunk.size(); };
    const bool has_failed = fail_allocation(
        failing, [&] { stream_collide<3, float>(scene, sink, workspace, options); });
    if (has_failed) {
      contacts = 0;
      stream_collide<3, float>(scene, sink, workspace, options);
    }
    ASSERT_EQ(contacts, expected.size());
  }
}

TEST(failing_stages, leave_large_calls_on_threads_as_they_were) {
  expect_large_calls_survive({2, {}});
}
TEST(failing_stages, meet_no_thread_of_the_callers) {
  expect_large_calls_survive({0, {run_on_own_threads, nullptr, 2}});
}

}  // namespace
}  // namespace widephase::test
