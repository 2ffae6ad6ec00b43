// widephase.h returns the same bits as the C++ library in every dimension and precision, and a
// failing allocation becomes a result.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <widephase/widephase.h>
#include <widephase/bodies.hpp>
#include <widephase/hulls.hpp>
#include <widephase/widephase.hpp>

#include "support/allocations.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// Owns a handle of the C interface and destroys it at the end of the scope.
template <class Handle, void (*destroy)(Handle**)>
struct Owner {
  Handle* handle = nullptr;
  Owner() = default;
  ~Owner() { destroy(&handle); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
};

/// Expects that the call is refused with this array, row and message.
void expect_refused(widephase_result result, const char* array, std::int64_t row,
                    const std::string& message) {
  EXPECT_EQ(result, WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), array);
  EXPECT_EQ(widephase_error_row(), row);
  EXPECT_EQ(widephase_error_message(), message);
}

/// One handle of each type.
struct Handles {
  Owner<widephase_workspace, widephase_workspace_destroy> workspace;
  Owner<widephase_contacts, widephase_contacts_destroy> contacts;
  Owner<widephase_distances, widephase_distances_destroy> distances;
  Owner<widephase_support, widephase_support_destroy> support;
  Owner<widephase_tracker, widephase_tracker_destroy> tracker;
  Owner<widephase_static_scene, widephase_static_scene_destroy> kept;
  Owner<widephase_findings, widephase_findings_destroy> findings;

  Handles() {
    EXPECT_OK(widephase_workspace_create(&workspace.handle));
    EXPECT_OK(widephase_contacts_create(&contacts.handle));
    EXPECT_OK(widephase_distances_create(&distances.handle));
    EXPECT_OK(widephase_support_create(&support.handle));
    EXPECT_OK(widephase_tracker_create(&tracker.handle));
    EXPECT_OK(widephase_static_scene_create(&kept.handle));
    EXPECT_OK(widephase_findings_create(&findings.handle));
  }
};

template <int D, class T>
auto& balls_of(SceneColumns<D, T>& scene) {
  if constexpr (D == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

template <class T>
constexpr widephase_type type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return WIDEPHASE_UINT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return WIDEPHASE_INT32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return WIDEPHASE_UINT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return WIDEPHASE_INT64;
  if constexpr (std::is_same_v<T, float>) return WIDEPHASE_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return WIDEPHASE_FLOAT64;
}

template <class T>
constexpr widephase_precision precision_of() {
  if constexpr (std::is_same_v<T, float>) return WIDEPHASE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return WIDEPHASE_DOUBLE;
  if constexpr (std::is_same_v<T, Mixed>) return WIDEPHASE_MIXED;
}

template <class T, int W>
widephase_array array_of(const Column<T, W>& column) {
  widephase_array array{};
  for (int w = 0; w < W; ++w) array.planes[w] = column.plane(w);
  array.rows = static_cast<std::int64_t>(column.size());
  array.stride_bytes = sizeof(T);
  array.width = W;
  array.type = type_of<T>();
  return array;
}

/// A scene of the C interface that borrows the columns of a C++ scene.
template <int D, class T>
struct CScene : Owner<widephase_scene, widephase_scene_destroy> {
  explicit CScene(const SceneColumns<D, T>& scene) {
    EXPECT_OK(widephase_scene_create(D, precision_of<T>(), &handle));
    for_each_table(scene, [&]<class Table>(const Table& table) {
      for_each_field(table, [&](const auto& field, const auto& column) {
        set(std::string(kind_name(Table::kind, D)) + "." + std::string(field.name), column);
      });
    });
    set("excluded", scene.excluded);
    set("excluded_owners", scene.excluded_owners);
    set("excluded_bodies", scene.excluded_bodies);
    set("bodies.position", scene.bodies.position);
    set(D == 2 ? "bodies.angle" : "bodies.orientation", scene.bodies.turn);
    const std::string geometries = D == 2 ? "polygons." : "hulls.";
    set(geometries + "vertices", scene.geometries.vertices);
    set(geometries + "offsets", scene.geometries.offsets);
    if (D == 2) set(geometries + "inner", scene.geometries.inner);
  }

  template <class U, int W>
  void set(const std::string& name, const Column<U, W>& column) {
    const widephase_array array = array_of(column);
    EXPECT_OK(widephase_scene_set_array(handle, name.c_str(), &array));
  }
};

/// Expects that the C interface shows the same bits as the C++ library.
template <class T, int W, class Handle, class Get>
void expect_same(const Get& get, const Handle* handle, const char* name,
                 const Column<T, W>& expected) {
  SCOPED_TRACE(name);
  widephase_array array;
  if constexpr (std::is_same_v<T, Pair>) {
    ASSERT_EQ(get(handle, name, WIDEPHASE_INT32, &array), WIDEPHASE_OK);
    ASSERT_EQ(array.width, 2);
    ASSERT_EQ(array.rows, static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto number = [&](int k) {
        return *reinterpret_cast<const std::int32_t*>(static_cast<const char*>(array.planes[k]) +
                                                      array.stride_bytes *
                                                          static_cast<std::int64_t>(i));
      };
      ASSERT_EQ((Pair{number(0), number(1)}), expected[i]);
    }
  } else {
    ASSERT_EQ(get(handle, name, type_of<T>(), &array), WIDEPHASE_OK) << widephase_error_message();
    ASSERT_EQ(array.width, W);
    ASSERT_EQ(array.type, type_of<T>());
    ASSERT_EQ(array.stride_bytes, static_cast<std::int64_t>(sizeof(T)));
    ASSERT_EQ(array.rows, static_cast<std::int64_t>(expected.size()));
    for (int w = 0; w < W && !expected.empty(); ++w) {
      ASSERT_EQ(std::memcmp(array.planes[w], expected.plane(w), expected.size() * sizeof(T)), 0);
    }
  }
}

template <int D, class T>
void expect_same_contacts(const widephase_contacts* answer, const ContactBuffer<D, T>& expected) {
  const auto same = [&](const char* name, const auto& column) {
    expect_same(widephase_contacts_get, answer, name, column);
  };
  same("pair", expected.pair);
  same("source", expected.source);
  same("normal", expected.normal);
  same("depth", expected.depth);
  same("status", expected.status);
  same("offset", expected.offset);
  same("point", expected.point);
  same("point_depth", expected.point_depth);
  same("feature", expected.feature);
  same("part", expected.part);
  same("world_offset", expected.world_offset);
  std::uint64_t c_hash = 0;
  EXPECT_OK(widephase_contacts_hash(answer, &c_hash));
  EXPECT_EQ(c_hash, hash(expected));
}

template <int D, class T>
void expect_same_distances(const widephase_distances* answer,
                           const DistanceBuffer<D, T>& expected) {
  const auto same = [&](const char* name, const auto& column) {
    expect_same(widephase_distances_get, answer, name, column);
  };
  same("distance", expected.distance);
  same("normal", expected.normal);
  same("point_a", expected.point_a);
  same("point_b", expected.point_b);
  same("feature", expected.feature);
  same("status", expected.status);
}

template <int D, class T>
SceneColumns<D, T> test_scene() {
  SceneColumns<D, T> scene;
  SceneRecipe recipe;
  recipe.count = 250;
  recipe.spacing = 0.7;
  recipe.seed = 71;
  add_mixed(scene, recipe);
  add_tags(scene, 3, 72);
  scene.excluded = {{0, 1}, {2, 5}};
  scene.excluded_owners = {{0, 1}};
  scene.excluded_bodies = {{1, 2}};
  return scene;
}

/// Pairs of bounded shapes that are neighbours in the list of ids.
template <int D, class T>
std::vector<Pair> some_pairs(const SceneColumns<D, T>& scene) {
  std::vector<Pair> pairs;
  const SceneLayout layout = layout_of(scene);
  const auto is_bounded = [&](std::int32_t id) { return layout.kind_of(id) != Kind::halfspace; };
  for (std::int32_t i = 0; i + 7 < layout.shape_count(); ++i) {
    if (is_bounded(i) && is_bounded(i + 7)) pairs.push_back({i + 7, i});
  }
  return pairs;
}

const std::int32_t* numbers(const std::vector<Pair>& pairs) { return &pairs[0].a; }

TEST(c_api, every_call_answers_the_bits_of_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const SceneColumns<D, T> scene = test_scene<D, T>();
    const CScene<D, T> c(scene);
    const Handles h;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    const std::vector<Pair> pairs = some_pairs(scene);
    const auto pair_count = static_cast<std::int64_t>(pairs.size());

    collide(scene, contacts, workspace);
    ASSERT_GT(contacts.size(), 20u);
    EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, nullptr));
    expect_same_contacts(h.contacts.handle, contacts);
    expect_same(widephase_workspace_get, h.workspace.handle, "pairs", workspace.pairs());
    expect_same(widephase_workspace_get, h.workspace.handle, "bounds.min", workspace.bounds().min);
    expect_same(widephase_workspace_get, h.workspace.handle, "bounds.max", workspace.bounds().max);

    collide_pairs(scene, pairs, contacts, workspace);
    EXPECT_OK(widephase_collide_pairs(c.handle, numbers(pairs), pair_count, h.contacts.handle,
                                      h.workspace.handle, nullptr));
    expect_same_contacts(h.contacts.handle, contacts);

    std::vector<std::uint8_t> is_contact(pairs.size()), c_is_contact(pairs.size(), 2);
    test_pairs(scene, pairs, is_contact, workspace);
    EXPECT_OK(widephase_test_pairs(c.handle, numbers(pairs), pair_count, c_is_contact.data(),
                                   h.workspace.handle, nullptr));
    EXPECT_EQ(c_is_contact, is_contact);

    update_bounds(scene, workspace);
    find_pairs(scene, workspace);
    find_contacts(scene, pairs, contacts, workspace);
    EXPECT_OK(widephase_update_bounds(c.handle, h.workspace.handle, nullptr));
    EXPECT_OK(widephase_find_pairs(c.handle, h.workspace.handle, nullptr));
    expect_same(widephase_workspace_get, h.workspace.handle, "pairs", workspace.pairs());
    EXPECT_OK(widephase_find_contacts(c.handle, numbers(pairs), pair_count, h.contacts.handle,
                                      h.workspace.handle, nullptr));
    expect_same_contacts(h.contacts.handle, contacts);

    WorldDistanceBuffer<D, T> rows;
    distances(scene, pairs, static_cast<DistanceBuffer<D, T>&>(rows), workspace);
    EXPECT_OK(widephase_pair_distances(c.handle, numbers(pairs), pair_count, h.distances.handle,
                                       h.workspace.handle, nullptr));
    expect_same_distances<D, T>(h.distances.handle, rows);
    min_distance(scene, rows, workspace);
    EXPECT_OK(widephase_min_distance(c.handle, h.distances.handle, h.workspace.handle, nullptr));
    expect_same_distances<D, T>(h.distances.handle, rows);
    expect_same(widephase_distances_get, h.distances.handle, "pair", rows.pair);

    std::int32_t worlds = 0;
    EXPECT_OK(widephase_scene_world_count(c.handle, &worlds));
    ASSERT_EQ(worlds, (world_count<D, T>(scene)));
    std::vector<std::uint8_t> hit(static_cast<std::size_t>(worlds)), c_hit(hit.size(), 2);
    any_contact(scene, hit, workspace);
    EXPECT_OK(widephase_any_contact(c.handle, c_hit.data(), worlds, h.workspace.handle, nullptr));
    EXPECT_EQ(c_hit, hit);

    Random random(73);
    Column<SizeOf<T>, D> directions;
    std::vector<std::int32_t> ids;
    for (const Pair& pair : pairs) {
      std::array<SizeOf<T>, D> row;
      for (auto& number : row) number = static_cast<SizeOf<T>>(random.uniform(-1, 1));
      directions.push_back(row);
      ids.push_back(pair.a);
    }
    SupportBuffer<D, T> support;
    support_points(scene, ids, directions.span(), support, workspace);
    const widephase_array direction_array = array_of(directions);
    EXPECT_OK(widephase_support_points(c.handle, ids.data(), &direction_array, h.support.handle,
                                       h.workspace.handle, nullptr));
    expect_same(widephase_support_get, h.support.handle, "point", support.point);
    expect_same(widephase_support_get, h.support.handle, "feature", support.feature);
  });
}

template <int D, class T>
void expect_same_step(const widephase_tracker* c, const Tracker<D, T>& tracker) {
  const auto same = [&](const char* name, const auto& column) {
    expect_same(widephase_tracker_get, c, name, column);
  };
  same("last_contact", tracker.last_contact());
  same("last_point", tracker.last_point());
  same("ended.pair", tracker.ended().pair);
  same("ended.key", tracker.ended().key);
  same("ended.world", tracker.ended().world);
  same("ended.contact", tracker.ended().contact);
  same("ended.kept", tracker.ended().kept);
}

TEST(c_api, a_tracker_goes_on_as_in_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene = test_scene<D, T>();
    const CScene<D, T> c(scene);  // borrows: what moves below moves there
    const Handles h;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    Tracker<D, T> tracker;
    auto& balls = balls_of(scene);
    std::int64_t ended = 0;
    for (int step = 0; step < 4; ++step) {
      for (std::size_t i = 0; i < balls.center.size(); i += 3) {
        balls.center(i, 0) += PositionOf<T>(0.75);
      }
      if (step == 2) {
        const std::uint8_t forgotten[] = {0, 1, 0};
        tracker.forget(forgotten);
        EXPECT_OK(widephase_tracker_forget(h.tracker.handle, forgotten, 3));
      }
      collide(scene, contacts, workspace, tracker);
      EXPECT_OK(widephase_tracker_collide(h.tracker.handle, c.handle, h.contacts.handle,
                                          h.workspace.handle, nullptr));
      expect_same_contacts(h.contacts.handle, contacts);
      expect_same_step(h.tracker.handle, tracker);
      ended += static_cast<std::int64_t>(tracker.ended().size());
    }
    EXPECT_GT(ended, 0);

    tracker.forget();
    EXPECT_OK(widephase_tracker_forget(h.tracker.handle, nullptr, 0));
    const std::vector<Pair> pairs = some_pairs(scene);
    collide_pairs(scene, pairs, contacts, workspace, tracker);
    EXPECT_OK(widephase_tracker_collide_pairs(h.tracker.handle, c.handle, numbers(pairs),
                                              static_cast<std::int64_t>(pairs.size()),
                                              h.contacts.handle, h.workspace.handle, nullptr));
    expect_same_contacts(h.contacts.handle, contacts);
    expect_same_step(h.tracker.handle, tracker);
  });
}

/// The stages of a tracker's step in both libraries: warm starts are the same words before and
/// after the contacts, and the step reports what `collide` with a tracker reports.
TEST(c_api, a_tracker_goes_on_by_stages_as_in_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene = test_scene<D, T>();
    const CScene<D, T> c(scene);  // borrows: what moves below moves there
    const Handles h;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts, at_once;
    Tracker<D, T> tracker, tracker_at_once;
    CollideOptions options;
    options.steadiness = 0.01;
    widephase_options c_options;
    widephase_options_init(&c_options, sizeof(c_options));
    c_options.steadiness = 0.01;
    auto& balls = balls_of(scene);
    std::int64_t ended = 0;
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < balls.center.size(); i += 3) {
        balls.center(i, 0) += PositionOf<T>(0.75);
      }
      collide(scene, at_once, workspace, tracker_at_once, options);
      update_bounds(scene, workspace, options);
      find_pairs(scene, workspace, options);
      const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
      CollideOptions warm = options;
      warm.warm_starts = begin_step(scene, pairs, tracker, options);
      ASSERT_EQ(warm.warm_starts.size(), pairs.size());

      EXPECT_OK(widephase_update_bounds(c.handle, h.workspace.handle, &c_options));
      EXPECT_OK(widephase_find_pairs(c.handle, h.workspace.handle, &c_options));
      widephase_array own;
      EXPECT_OK(widephase_workspace_get(h.workspace.handle, "pairs", WIDEPHASE_INT32, &own));
      const auto* const c_pairs = static_cast<const std::int32_t*>(own.planes[0]);
      widephase_options c_warm = c_options;
      EXPECT_OK(widephase_tracker_begin_step(h.tracker.handle, c.handle, c_pairs, own.rows,
                                             &c_warm.warm_starts, &c_warm.warm_start_count,
                                             &c_options));
      ASSERT_EQ(c_warm.warm_start_count, own.rows);
      const auto expect_same_words = [&] {
        ASSERT_EQ(std::memcmp(c_warm.warm_starts, warm.warm_starts.data(),
                              pairs.size() * sizeof(WarmStart)),
                  0);
      };
      expect_same_words();

      find_contacts(scene, pairs, contacts, workspace, warm);
      EXPECT_OK(widephase_find_contacts(c.handle, c_pairs, own.rows, h.contacts.handle,
                                        h.workspace.handle, &c_warm));
      expect_same_words();
      end_step(contacts, tracker, options);
      EXPECT_OK(widephase_tracker_end_step(h.tracker.handle, h.contacts.handle, &c_options));
      expect_same_contacts(h.contacts.handle, contacts);
      expect_same_step(h.tracker.handle, tracker);
      expect_same_contacts(h.contacts.handle, at_once);
      expect_same_step(h.tracker.handle, tracker_at_once);
      ended += static_cast<std::int64_t>(tracker.ended().size());
    }
    EXPECT_GT(ended, 0);
  });
}

TEST(c_api, a_step_by_stages_that_fails_is_none) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  from.spheres.radius = {1, 1};
  const CScene<3, float> c(from);
  const SceneColumns<2, double> other;
  const CScene<2, double> c_other(other);
  const Handles h;
  widephase_tracker* const tracker = h.tracker.handle;
  widephase_contacts* const contacts = h.contacts.handle;
  const std::int32_t pair[2] = {0, 1}, mirrored[2] = {1, 0}, outside[2] = {0, 2}, twice[2] = {1, 1};
  widephase_warm_start word;
  widephase_warm_start* words = &word;
  std::int64_t count = 9;
  const auto begin = [&](const widephase_scene* scene, const std::int32_t* pairs,
                         std::int64_t pair_count, const widephase_options* options = nullptr) {
    words = &word;
    count = 9;
    return widephase_tracker_begin_step(tracker, scene, pairs, pair_count, &words, &count, options);
  };
  const auto expect_no_words = [&] {
    EXPECT_EQ(words, nullptr);
    EXPECT_EQ(count, 0);
  };
  const auto find = [&](const std::int32_t* pairs) {
    EXPECT_OK(widephase_collide_pairs(c.handle, pairs, 1, contacts, h.workspace.handle, nullptr));
  };
  const std::string none_begun = "contacts have no begin_step before them; call it once for each";

  find(pair);
  expect_refused(widephase_tracker_end_step(tracker, contacts, nullptr), "contacts", -1,
                 none_begun);
  // The tracker may still be used with any scene.
  EXPECT_OK(begin(c.handle, pair, 1));
  expect_no_words();  // two spheres need no search
  EXPECT_OK(widephase_tracker_end_step(tracker, contacts, nullptr));
  expect_refused(widephase_tracker_end_step(tracker, contacts, nullptr), "contacts", -1,
                 none_begun);

  expect_refused(begin(c.handle, outside, 1), "pairs", 0,
                 "pairs[0] names shape 2; the scene's ids are 0 to 1");
  expect_no_words();
  expect_refused(begin(c.handle, twice, 1), "pairs", 0,
                 "pairs[0] names shape 1 twice; a shape does not meet itself");
  expect_refused(begin(c.handle, nullptr, 1), "pairs", -1, "pairs is NULL");
  expect_refused(begin(c.handle, pair, -1), "pairs", -1, "pairs has -1 rows; a count is 0 or more");
  expect_refused(begin(nullptr, pair, 1), "scene", -1, "scene is NULL");
  expect_no_words();
  widephase_options wrong;
  widephase_options_init(&wrong, sizeof(wrong));
  wrong.threads = -1;
  expect_refused(begin(c.handle, pair, 1, &wrong), "options.threads", -1,
                 "options.threads is -1; expected 0 or more");
  const char* const others =
      "tracker follows scenes of another dimension or precision; make another tracker";
  expect_refused(begin(c_other.handle, nullptr, 0), "tracker", -1, others);
  expect_refused(widephase_tracker_begin_step(nullptr, c.handle, pair, 1, &words, &count, nullptr),
                 "tracker", -1, "tracker is NULL");
  expect_refused(widephase_tracker_begin_step(tracker, c.handle, pair, 1, nullptr, &count, nullptr),
                 "warm_starts", -1, "warm_starts is NULL");
  expect_refused(widephase_tracker_begin_step(tracker, c.handle, pair, 1, &words, nullptr, nullptr),
                 "warm_start_count", -1, "warm_start_count is NULL");

  EXPECT_OK(begin(c.handle, pair, 1));
  expect_refused(widephase_tracker_end_step(nullptr, contacts, nullptr), "tracker", -1,
                 "tracker is NULL");
  expect_refused(widephase_tracker_end_step(tracker, nullptr, nullptr), "contacts", -1,
                 "contacts is NULL");
  const Handles fresh;
  expect_refused(widephase_tracker_end_step(tracker, fresh.contacts.handle, nullptr), "contacts",
                 -1, "contacts holds nothing yet; a call must write it first");
  EXPECT_OK(
      widephase_collide(c_other.handle, fresh.contacts.handle, fresh.workspace.handle, nullptr));
  expect_refused(widephase_tracker_end_step(tracker, fresh.contacts.handle, nullptr), "tracker", -1,
                 others);
  find(mirrored);
  expect_refused(widephase_tracker_end_step(tracker, contacts, nullptr), "contacts", -1,
                 "contacts are not of the pairs that begin_step was given");

  // The next step continues from the step that ended.
  find(pair);
  EXPECT_OK(begin(c.handle, pair, 1));
  EXPECT_OK(widephase_tracker_end_step(tracker, contacts, nullptr));
  widephase_array last;
  EXPECT_OK(widephase_tracker_get(tracker, "last_contact", WIDEPHASE_INT64, &last));
  ASSERT_EQ(last.rows, 1);
  EXPECT_EQ(*static_cast<const std::int64_t*>(last.planes[0]), 0);
}

TEST(c_api, static_scenes_answer_the_bits_of_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const SceneColumns<D, T> ground = test_scene<D, T>();
    SceneColumns<D, T> moving;
    auto& balls = balls_of(moving);
    Random random(74);
    for (int i = 0; i < 40; ++i) {
      std::array<PositionOf<T>, D> center;
      for (auto& number : center) number = static_cast<PositionOf<T>>(random.uniform(-4, 4));
      balls.center.push_back(center);
      balls.radius.push_back({SizeOf<T>(0.5)});
    }
    const CScene<D, T> c_ground(ground);
    const CScene<D, T> c_moving(moving);
    const Handles h;
    Workspace<D, T> workspace;
    StaticScene<D, T> kept;
    build_static_scene(ground, kept, workspace);
    EXPECT_OK(
        widephase_static_scene_build(h.kept.handle, c_ground.handle, h.workspace.handle, nullptr));
    for (const bool moving_pairs : {true, false}) {
      CollideOptions options;
      options.moving_pairs = moving_pairs;
      widephase_options c_options;
      widephase_options_init(&c_options, sizeof(c_options));
      c_options.moving_pairs = moving_pairs ? 1 : 0;
      ContactBuffer<D, T> contacts;
      collide(moving, kept, contacts, workspace, options);
      EXPECT_GT(contacts.size(), 0u);
      EXPECT_OK(widephase_static_scene_collide(h.kept.handle, c_moving.handle, h.contacts.handle,
                                               h.workspace.handle, &c_options));
      expect_same_contacts(h.contacts.handle, contacts);
    }
    // The scene keeps it: a tracker's steps, bodies and questions of worlds are for both.
    moving.kept = &kept;
    EXPECT_OK(widephase_scene_set_kept(c_moving.handle, h.kept.handle));
    Tracker<D, T> tracker;
    ContactBuffer<D, T> contacts;
    for (int step = 0; step < 2; ++step) {
      collide(moving, contacts, workspace, tracker);
      EXPECT_OK(widephase_tracker_collide(h.tracker.handle, c_moving.handle, h.contacts.handle,
                                          h.workspace.handle, nullptr));
      expect_same_contacts(h.contacts.handle, contacts);
    }
    widephase_array last{};
    EXPECT_OK(widephase_tracker_get(h.tracker.handle, "last_contact", WIDEPHASE_INT64, &last));
    ASSERT_EQ(last.rows, static_cast<std::int64_t>(contacts.size()));
    for (std::int64_t i = 0; i < last.rows; ++i) {
      EXPECT_EQ(static_cast<const std::int64_t*>(last.planes[0])[i], i);
    }
    std::int32_t worlds = 0;
    EXPECT_OK(widephase_scene_world_count(c_moving.handle, &worlds));
    const auto count = static_cast<std::size_t>(worlds);
    std::vector<std::uint8_t> hits(count, 7), c_hits(count, 9);
    any_contact(moving, hits, workspace);
    EXPECT_OK(
        widephase_any_contact(c_moving.handle, c_hits.data(), worlds, h.workspace.handle, nullptr));
    EXPECT_EQ(hits, c_hits);
    std::vector<std::int32_t> bodies(2 * contacts.size(), 9);
    EXPECT_OK(widephase_contact_bodies(c_moving.handle, h.contacts.handle, bodies.data(),
                                       static_cast<std::int64_t>(contacts.size())));
    Column<std::int32_t, 2> of_cpp;
    contact_bodies<D, T>(moving, contacts, of_cpp);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_EQ(bodies[2 * i], of_cpp(i, 0));
      EXPECT_EQ(bodies[2 * i + 1], of_cpp(i, 1));
    }
  });
}

TEST(c_api, notes_are_listed_as_findings) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}};
  scene.spheres.radius = {1};
  scene.spheres.world = {1};
  scene.halfspaces.normal = {{0, 0, 1}};
  scene.halfspaces.offset = {0};
  const CScene<3, float> c(scene);
  const Handles h;
  EXPECT_OK(widephase_scene_notes(c.handle, h.findings.handle));
  std::int64_t count = 0, row = 0;
  const char *array = nullptr, *message = nullptr;
  EXPECT_OK(widephase_findings_count(h.findings.handle, &count));
  ASSERT_EQ(count, 1);
  EXPECT_OK(widephase_findings_get(h.findings.handle, 0, &array, &row, &message));
  EXPECT_STREQ(array, "halfspace.world");
  EXPECT_EQ(row, -1);
}

TEST(c_api, a_hash_is_asked_of_contacts_that_a_call_has_written) {
  const Handles h;
  std::uint64_t number = 7;
  expect_refused(widephase_contacts_hash(h.contacts.handle, &number), "contacts", -1,
                 "contacts holds nothing yet; a call must write it first");
  EXPECT_EQ(number, 0u);
  expect_refused(widephase_contacts_hash(nullptr, &number), "contacts", -1, "contacts is NULL");
  expect_refused(widephase_contacts_hash(h.contacts.handle, nullptr), "hash", -1, "hash is NULL");
}

TEST(c_api, ids_are_located_as_in_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const SceneColumns<D, T> scene = test_scene<D, T>();
    const CScene<D, T> c(scene);
    const SceneLayout layout = layout_of(scene);
    std::vector<std::int32_t> ids;
    for (std::int32_t id = layout.shape_count() - 1; id >= 0; --id) ids.push_back(id);
    std::vector<Kind> kinds(ids.size());
    std::vector<std::int32_t> rows(ids.size()), c_rows(ids.size(), -1);
    std::vector<std::uint8_t> c_kinds(ids.size(), 99);
    locate(layout, ids, kinds, rows);
    const auto count = static_cast<std::int64_t>(ids.size());
    EXPECT_OK(widephase_scene_locate(c.handle, ids.data(), count, c_kinds.data(), c_rows.data()));
    EXPECT_EQ(c_rows, rows);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ASSERT_EQ(c_kinds[i], static_cast<std::uint8_t>(kinds[i]));
      // From kind to word and back.
      std::int32_t first = -1;
      EXPECT_OK(widephase_scene_first_id(c.handle, widephase_scene_kind_name(c.handle, c_kinds[i]),
                                         &first));
      ASSERT_EQ(first + c_rows[i], ids[i]);
    }
    EXPECT_OK(widephase_scene_locate(c.handle, nullptr, 0, nullptr, nullptr));

    const std::string ids_are = "; the scene's ids are 0 to " + std::to_string(ids.size() - 1);
    for (const std::int32_t wrong : {-1, layout.shape_count()}) {
      const std::int32_t asked[] = {1, wrong};
      expect_refused(widephase_scene_locate(c.handle, asked, 2, c_kinds.data(), c_rows.data()),
                     "ids", 1, "ids[1] is " + std::to_string(wrong) + ids_are);
    }
    std::uint8_t* const no_kinds = nullptr;
    expect_refused(widephase_scene_locate(nullptr, ids.data(), 1, c_kinds.data(), c_rows.data()),
                   "scene", -1, "scene is NULL");
    expect_refused(widephase_scene_locate(c.handle, nullptr, 1, c_kinds.data(), c_rows.data()),
                   "ids", -1, "ids is NULL");
    expect_refused(widephase_scene_locate(c.handle, ids.data(), 1, no_kinds, c_rows.data()),
                   "kinds", -1, "kinds is NULL");
    expect_refused(widephase_scene_locate(c.handle, ids.data(), 1, c_kinds.data(), nullptr), "rows",
                   -1, "rows is NULL");
    expect_refused(widephase_scene_locate(c.handle, ids.data(), -1, c_kinds.data(), c_rows.data()),
                   "ids", -1, "ids has -1 rows; a count is 0 or more");
  });
}

TEST(c_api, kinds_have_the_numbers_and_words_of_cpp) {
  EXPECT_EQ(WIDEPHASE_KIND_SPHERE, static_cast<int>(Kind::sphere));
  EXPECT_EQ(WIDEPHASE_KIND_CIRCLE, static_cast<int>(Kind::circle));
  EXPECT_EQ(WIDEPHASE_KIND_CAPSULE, static_cast<int>(Kind::capsule));
  EXPECT_EQ(WIDEPHASE_KIND_AABB, static_cast<int>(Kind::aabb));
  EXPECT_EQ(WIDEPHASE_KIND_BOX, static_cast<int>(Kind::box));
  EXPECT_EQ(WIDEPHASE_KIND_POLYGON, static_cast<int>(Kind::polygon));
  EXPECT_EQ(WIDEPHASE_KIND_HULL, static_cast<int>(Kind::hull));
  EXPECT_EQ(WIDEPHASE_KIND_CYLINDER, static_cast<int>(Kind::cylinder));
  EXPECT_EQ(WIDEPHASE_KIND_HALFSPACE, static_cast<int>(Kind::halfspace));
  EXPECT_EQ(WIDEPHASE_KIND_ELLIPSOID, static_cast<int>(Kind::ellipsoid));
  EXPECT_EQ(WIDEPHASE_KIND_CONE, static_cast<int>(Kind::cone));
  EXPECT_EQ(WIDEPHASE_KIND_HEIGHTFIELD, static_cast<int>(Kind::heightfield));
  EXPECT_EQ(WIDEPHASE_KIND_MESH, static_cast<int>(Kind::mesh));
  EXPECT_EQ(WIDEPHASE_KIND_CHAIN, static_cast<int>(Kind::chain));
  in_every_dimension_and_precision([]<int D, class T>() {
    const SceneColumns<D, T> scene;
    const CScene<D, T> c(scene);
    for (int kind = -1; kind <= kKindCount; ++kind) {
      const char* const name = widephase_scene_kind_name(c.handle, kind);
      const bool is_surface = D == 2 ? kind == static_cast<int>(Kind::chain)
                                     : kind == static_cast<int>(Kind::heightfield) ||
                                           kind == static_cast<int>(Kind::mesh);
      if (!has_kind(D, static_cast<Kind>(kind)) && !is_surface) {
        EXPECT_EQ(name, nullptr) << kind;
      } else {
        EXPECT_EQ(std::string(name), kind_name(static_cast<Kind>(kind), D));
      }
    }
  });
  EXPECT_EQ(widephase_scene_kind_name(nullptr, 0), nullptr);
}

void expect_same_findings(const widephase_findings* c, const std::vector<Finding>& expected) {
  std::int64_t count = -1;
  EXPECT_OK(widephase_findings_count(c, &count));
  ASSERT_EQ(count, static_cast<std::int64_t>(expected.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    const Finding& finding = expected[static_cast<std::size_t>(i)];
    const char* array = nullptr;
    const char* message = nullptr;
    std::int64_t row = -2;
    EXPECT_OK(widephase_findings_get(c, i, &array, &row, &message));
    EXPECT_STREQ(array, finding.array.c_str());
    EXPECT_EQ(row, finding.row);
    EXPECT_STREQ(message, finding.text().c_str());
  }
}

TEST(c_api, findings_are_those_of_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene = test_scene<D, T>();
    const Handles h;
    const auto expect_alike = [&](const CScene<D, T>& c, double margin, std::int64_t limit,
                                  std::size_t count) {
      const std::vector<Finding> expected =
          validate<D, T>(scene, margin, limit < 0 ? kNoCap : static_cast<std::size_t>(limit));
      EXPECT_EQ(expected.size(), count);
      EXPECT_OK(widephase_scene_validate(c.handle, margin, limit, h.findings.handle));
      expect_same_findings(h.findings.handle, expected);
    };
    expect_alike(CScene<D, T>(scene), 0, -1, 0);
    // A radius, a centre, an excluded id and the margin.
    auto& balls = balls_of(scene);
    balls.radius[3] = -1;
    balls.center(5, 0) = std::numeric_limits<PositionOf<T>>::quiet_NaN();
    scene.excluded.push_back({0, -7});
    const CScene<D, T> c(scene);
    expect_alike(c, 0, -1, 3);
    expect_alike(c, -1, -1, 4);
    expect_alike(c, 0, 2, 2);
    expect_alike(c, 0, 0, 0);
    // A call with the same scene reports the first problem.
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, nullptr),
              WIDEPHASE_INVALID);
    EXPECT_EQ(widephase_error_message(), (validate<D, T>(scene).front().text()));

    const SceneLayout layout = layout_of(scene);
    const std::vector<Pair> pairs{{0, 1}, {2, 2}, {layout.shape_count(), 0}, {-1, -1}};
    for (const std::int64_t limit : {-1, 0, 1, 2, 9}) {
      EXPECT_OK(
          widephase_scene_validate_pairs(c.handle, numbers(pairs), 4, limit, h.findings.handle));
      const std::vector<Finding> expected =
          validate_pairs(layout, pairs, limit < 0 ? kNoCap : static_cast<std::size_t>(limit));
      EXPECT_EQ(expected.size(),
                limit < 0 ? 4u : std::min(static_cast<std::size_t>(limit), std::size_t{4}));
      expect_same_findings(h.findings.handle, expected);
    }
    EXPECT_OK(widephase_scene_validate_pairs(c.handle, numbers(pairs), 1, -1, h.findings.handle));
    expect_same_findings(h.findings.handle, {});
    EXPECT_OK(widephase_scene_validate_pairs(c.handle, nullptr, 0, -1, h.findings.handle));
    expect_same_findings(h.findings.handle, {});
  });
}

TEST(c_api, what_fails_leaves_findings_as_they_were) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}};
  from.spheres.radius = {-1};
  const CScene<3, float> c(from);
  const Handles h;
  const std::int32_t pair[2] = {0, 0};
  widephase_findings* const findings = h.findings.handle;
  std::int64_t number = 7;
  EXPECT_OK(widephase_findings_count(findings, &number));
  EXPECT_EQ(number, 0);
  EXPECT_OK(widephase_scene_validate(c.handle, 0, 1, findings));
  expect_refused(widephase_scene_validate(nullptr, 0, 1, findings), "scene", -1, "scene is NULL");
  expect_refused(widephase_scene_validate(c.handle, 0, -2, findings), "limit", -1,
                 "limit is -2; expected -1 or a count");
  expect_refused(widephase_scene_validate(c.handle, 0, 1, nullptr), "findings", -1,
                 "findings is NULL");
  expect_refused(widephase_scene_validate_pairs(nullptr, pair, 1, 1, findings), "scene", -1,
                 "scene is NULL");
  expect_refused(widephase_scene_validate_pairs(c.handle, nullptr, 1, 1, findings), "pairs", -1,
                 "pairs is NULL");
  expect_refused(widephase_scene_validate_pairs(c.handle, pair, -1, 1, findings), "pairs", -1,
                 "pairs has -1 rows; a count is 0 or more");
  expect_refused(widephase_scene_validate_pairs(c.handle, pair, 1, -2, findings), "limit", -1,
                 "limit is -2; expected -1 or a count");
  expect_refused(widephase_scene_validate_pairs(c.handle, pair, 1, 1, nullptr), "findings", -1,
                 "findings is NULL");
  expect_same_findings(findings, validate<3, float>(from));
  for (const std::int64_t index : {-1, 1}) {
    expect_refused(widephase_findings_get(findings, index, nullptr, &number, nullptr), "index", -1,
                   "index is " + std::to_string(index) + "; there are 1 findings, counted from 0");
  }
  EXPECT_OK(widephase_findings_get(findings, 0, nullptr, nullptr, nullptr));
  expect_refused(widephase_findings_get(nullptr, 0, nullptr, nullptr, nullptr), "findings", -1,
                 "findings is NULL");
  expect_refused(widephase_findings_count(findings, nullptr), "count", -1, "count is NULL");
  expect_refused(widephase_findings_count(nullptr, &number), "findings", -1, "findings is NULL");
  expect_refused(widephase_findings_create(nullptr), "findings", -1, "findings is NULL");
}

/// The test scene; bodies carry most of its shapes, except aabbs, which must not rotate.
template <int D, class T>
SceneColumns<D, T> carried_scene() {
  SceneColumns<D, T> scene = test_scene<D, T>();
  constexpr std::int32_t kBodies = 20;
  Random random(79);
  for_each_table(scene, [&]<class Table>(Table& table) {
    table.body = {};
    for (std::size_t row = 0; row < row_count(table); ++row) {
      table.body.push_back({Table::kind == Kind::aabb ? -1 : random.integer(-1, kBodies - 1)});
    }
  });
  for (std::int32_t body = 0; body < kBodies; ++body) {
    std::array<PositionOf<T>, D> position;
    for (auto& number : position) number = static_cast<PositionOf<T>>(random.uniform(-1, 1));
    scene.bodies.position.push_back(position);
    const double half = random.uniform(-3, 3);
    if constexpr (D == 2) {
      scene.bodies.turn.push_back({static_cast<SizeOf<T>>(half)});
    } else {
      const auto axis = random.direction<3>();
      scene.bodies.turn.push_back({static_cast<SizeOf<T>>(axis[0] * std::sin(half)),
                                   static_cast<SizeOf<T>>(axis[1] * std::sin(half)),
                                   static_cast<SizeOf<T>>(axis[2] * std::sin(half)),
                                   static_cast<SizeOf<T>>(std::cos(half))});
    }
  }
  return scene;
}

/// Column by column, bit for bit.
template <int D, class T>
void expect_same_scene(const widephase_scene* c, const SceneSpan<D, T>& expected) {
  for_each_table(expected, [&]<class Table>(const Table& table) {
    for_each_field(table, [&]<class U, int W>(const auto& field, const ColumnSpan<U, W>& column) {
      const std::string name =
          std::string(kind_name(Table::kind, D)) + "." + std::string(field.name);
      SCOPED_TRACE(name);
      widephase_array array;
      EXPECT_OK(widephase_scene_get(c, name.c_str(), &array));
      ASSERT_EQ(array.type, type_of<U>());
      ASSERT_EQ(array.rows, static_cast<std::int64_t>(column.size()));
      for (std::size_t i = 0; i < column.size(); ++i) {
        for (int w = 0; w < W; ++w) {
          const U number = column(i, w);
          const char* const found = static_cast<const char*>(array.planes[w]) +
                                    array.stride_bytes * static_cast<std::int64_t>(i);
          ASSERT_EQ(std::memcmp(found, &number, sizeof(U)), 0) << "row " << i;
        }
      }
    });
  });
  widephase_array bodies;
  EXPECT_OK(widephase_scene_get(c, "bodies.position", &bodies));
  EXPECT_EQ(bodies.rows, 0);
}

TEST(c_api, bodies_place_shapes_and_name_contacts_as_in_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene = carried_scene<D, T>();
    const CScene<D, T> c(scene);  // borrows: what moves below moves there
    Owner<widephase_scene, widephase_scene_destroy> c_placed;
    ASSERT_EQ(widephase_scene_create(D, precision_of<T>(), &c_placed.handle), WIDEPHASE_OK);
    const Handles h;
    PlacedScene<D, T> placed;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    widephase_options options;
    widephase_options_init(&options, sizeof(options));
    for (int step = 0; step < 2; ++step) {
      options.threads = 1 + step;
      for (std::size_t body = 0; body < scene.bodies.position.size(); ++body) {
        scene.bodies.position(body, 0) += PositionOf<T>(0.25);
      }
      place(scene, SceneSpan<D, T>(scene).bodies, placed);
      EXPECT_OK(widephase_place(c.handle, c_placed.handle, &options));
      expect_same_scene<D, T>(c_placed.handle, placed.scene());

      // The placed scene may be used in calls. Ids stay the same, and so do the bodies.
      collide(placed.scene(), contacts, workspace);
      EXPECT_OK(widephase_collide(c_placed.handle, h.contacts.handle, h.workspace.handle, nullptr));
      ASSERT_GT(contacts.size(), 20u);
      expect_same_contacts(h.contacts.handle, contacts);
      Column<std::int32_t, 2> bodies;
      contact_bodies(scene, contacts, bodies);
      std::vector<std::int32_t> c_bodies(2 * contacts.size() + 2, -9);
      EXPECT_OK(widephase_contact_bodies(c.handle, h.contacts.handle, c_bodies.data(),
                                         static_cast<std::int64_t>(contacts.size()) + 1));
      bool is_any_carried = false;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        ASSERT_EQ(c_bodies[2 * i], bodies(i, 0));
        ASSERT_EQ(c_bodies[2 * i + 1], bodies(i, 1));
        is_any_carried |= bodies(i, 0) >= 0 && bodies(i, 1) >= 0;
      }
      EXPECT_TRUE(is_any_carried);
      EXPECT_EQ(c_bodies[2 * contacts.size()], -9) << "rows beyond the contacts are not written";
    }
    // Without bodies nothing moves, and the placed scene owns nothing.
    scene.bodies = {};
    const CScene<D, T> c_still(scene);
    EXPECT_OK(widephase_place(c_still.handle, c_placed.handle, nullptr));
    expect_same_scene<D, T>(c_placed.handle, scene);
    widephase_array center;
    EXPECT_OK(
        widephase_scene_get(c_placed.handle, D == 2 ? "circle.center" : "sphere.center", &center));
    EXPECT_EQ(center.planes[0], balls_of(scene).center.plane());
  });
}

/// Polygons and hulls of a placed scene live as long as the scene, even after their handle ends.
TEST(c_api, a_placed_scene_keeps_the_geometries) {
  const float tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float center[3] = {}, position[3] = {0, 0, -0.25f}, orientation[4] = {0, 0, 0, 1};
  const float up[3] = {0, 0, 1}, zero = 0;
  const std::int32_t body = 0;
  std::int32_t index = -1;
  Owner<widephase_geometries, widephase_geometries_destroy> geometries;
  Owner<widephase_scene, widephase_scene_destroy> scene, placed;
  const Handles h;
  EXPECT_OK(widephase_geometries_create(3, WIDEPHASE_FLOAT, &geometries.handle));
  EXPECT_OK(
      widephase_geometries_add(geometries.handle, WIDEPHASE_FLOAT32, tetrahedron, 4, 12, &index));
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene.handle));
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &placed.handle));
  EXPECT_OK(widephase_scene_set_geometries(scene.handle, geometries.handle));
  const auto set = [&](const char* name, widephase_type type, const void* data,
                       std::int64_t stride) {
    EXPECT_OK(widephase_scene_set(scene.handle, name, type, data, 1, stride));
  };
  set("hull.center", WIDEPHASE_FLOAT32, center, 12);
  set("hull.orientation", WIDEPHASE_FLOAT32, orientation, 16);
  set("hull.geometry", WIDEPHASE_INT32, &index, 4);
  set("hull.body", WIDEPHASE_INT32, &body, 4);
  set("halfspace.normal", WIDEPHASE_FLOAT32, up, 12);
  set("halfspace.offset", WIDEPHASE_FLOAT32, &zero, 4);
  set("bodies.position", WIDEPHASE_FLOAT32, position, 12);
  EXPECT_OK(widephase_place(scene.handle, placed.handle, nullptr));
  widephase_geometries_destroy(&geometries.handle);
  widephase_scene_destroy(&scene.handle);
  EXPECT_OK(widephase_collide(placed.handle, h.contacts.handle, h.workspace.handle, nullptr));
  widephase_array depth;
  EXPECT_OK(widephase_contacts_get(h.contacts.handle, "depth", WIDEPHASE_FLOAT32, &depth));
  ASSERT_EQ(depth.rows, 1);
  EXPECT_EQ(*static_cast<const float*>(depth.planes[0]), 0.25f);
}

TEST(c_api, what_cannot_be_placed_is_refused_as_in_cpp) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  from.spheres.radius = {1, 1};
  from.spheres.body = {0, 1};
  from.bodies.position = {{0, 0, 0}, {0, 0, 1}};
  from.bodies.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  const SceneColumns<3, float> good = from;
  const CScene<3, float> c(good);
  Owner<widephase_scene, widephase_scene_destroy> placed, other;
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &placed.handle));
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_MIXED, &other.handle));
  const auto shape_count = [&] {
    std::int32_t count = -1;
    EXPECT_OK(widephase_scene_shape_count(placed.handle, &count));
    return count;
  };
  EXPECT_OK(widephase_place(c.handle, placed.handle, nullptr));
  EXPECT_EQ(shape_count(), 2);

  expect_refused(widephase_place(nullptr, placed.handle, nullptr), "scene", -1, "scene is NULL");
  expect_refused(widephase_place(c.handle, nullptr, nullptr), "placed", -1, "placed is NULL");
  expect_refused(widephase_place(c.handle, c.handle, nullptr), "placed", -1,
                 "placed is the scene itself; make another one for what is placed");
  expect_refused(widephase_place(c.handle, other.handle, nullptr), "placed", -1,
                 "placed is of another dimension or precision than the scene");
  widephase_options wrong;
  widephase_options_init(&wrong, sizeof(wrong));
  wrong.threads = -1;
  expect_refused(widephase_place(c.handle, placed.handle, &wrong), "options.threads", -1,
                 "options.threads is -1; expected 0 or more");
  EXPECT_EQ(shape_count(), 2) << "as it was";

  const auto expect_refusal = [&](const char* array, std::int64_t row) {
    PlacedScene<3, float> in_cpp;
    std::string text;
    try {
      place(from, SceneSpan<3, float>(from).bodies, in_cpp);
    } catch (const Error& error) {
      text = error.finding()->text_in({});
    }
    const CScene<3, float> spoilt(from);
    EXPECT_OK(widephase_place(c.handle, placed.handle, nullptr));
    expect_refused(widephase_place(spoilt.handle, placed.handle, nullptr), array, row, text);
    EXPECT_EQ(shape_count(), 0);
  };
  from.spheres.body[1] = 2;
  expect_refusal("sphere.body", 1);
  from.spheres.body[1] = 1;
  from.bodies.turn(1, 3) = 2;
  expect_refusal("bodies.orientation", 1);
  from.bodies.turn(1, 3) = 1;
  from.bodies.position(0, 2) = std::numeric_limits<float>::infinity();
  expect_refusal("bodies.position", 0);
  from.bodies.position = {{0, 0, 0}};
  expect_refusal("bodies.orientation", -1);
}

TEST(c_api, contacts_that_have_no_bodies_are_refused) {
  SceneColumns<2, double> from;
  from.circles.center = {{0, 0}, {1, 0}};
  from.circles.radius = {1, 1};
  const CScene<2, double> c(from);
  const SceneColumns<2, double> nothing;
  const CScene<2, double> c_nothing(nothing);
  const SceneColumns<2, float> other;
  const CScene<2, float> c_other(other);
  const Handles h;
  widephase_contacts* const contacts = h.contacts.handle;
  std::int32_t bodies[2] = {7, 7};
  expect_refused(widephase_contact_bodies(c.handle, contacts, bodies, 1), "contacts", -1,
                 "contacts holds nothing yet; a call must write it first");
  EXPECT_OK(widephase_collide(c.handle, contacts, h.workspace.handle, nullptr));
  expect_refused(widephase_contact_bodies(nullptr, contacts, bodies, 1), "scene", -1,
                 "scene is NULL");
  expect_refused(widephase_contact_bodies(c.handle, nullptr, bodies, 1), "contacts", -1,
                 "contacts is NULL");
  expect_refused(widephase_contact_bodies(c.handle, contacts, nullptr, 1), "bodies", -1,
                 "bodies is NULL");
  expect_refused(widephase_contact_bodies(c.handle, contacts, bodies, -1), "bodies", -1,
                 "bodies has -1 rows; a count is 0 or more");
  expect_refused(widephase_contact_bodies(c.handle, contacts, nullptr, 0), "bodies", -1,
                 "bodies has 0 rows; there are 1 contacts, so give it as many or more");
  expect_refused(widephase_contact_bodies(c_other.handle, contacts, bodies, 1), "contacts", -1,
                 "contacts are of another dimension or precision than the scene");
  expect_refused(
      widephase_contact_bodies(c_nothing.handle, contacts, bodies, 1), "pair", 0,
      "pair[0] names shape 0; the scene's ids are 0 to -1, and those of kept shapes need kept");
  EXPECT_EQ(bodies[0], 7);
  EXPECT_OK(widephase_contact_bodies(c.handle, contacts, bodies, 1));
  EXPECT_EQ(bodies[0], -1);
  EXPECT_OK(widephase_collide(c_nothing.handle, contacts, h.workspace.handle, nullptr));
  EXPECT_OK(widephase_contact_bodies(c_nothing.handle, contacts, nullptr, 0));
}

/// Each option has the same effect as in C++.
TEST(c_api, options_are_those_of_cpp) {
  using T = float;
  SceneColumns<3, T> scene = test_scene<3, T>();
  scene.spheres.world[0] = 2;
  const CScene<3, T> c(scene);
  const Handles h;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> plain, contacts;
  collide(scene, plain, workspace);
  const auto expect_alike = [&](const CollideOptions& options, const widephase_options& c_options) {
    collide(scene, contacts, workspace, options);
    EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options));
    expect_same_contacts(h.contacts.handle, contacts);
  };
  const auto defaults = [] {
    widephase_options options;
    widephase_options_init(&options, sizeof(options));
    return options;
  };

  for (int order = 0; order < 4; ++order) {
    CollideOptions options;
    widephase_options c_options = defaults();
    options.order = static_cast<Order>(order);
    c_options.order = order;
    options.margin = c_options.margin = 0.125;
    expect_alike(options, c_options);
    EXPECT_GT(contacts.size(), plain.size());
  }
  for (int method = 0; method < 3; ++method) {
    CollideOptions options;
    widephase_options c_options = defaults();
    options.method = static_cast<Method>(method);
    c_options.method = method;
    options.isa = usable_isas().front();
    c_options.isa = static_cast<widephase_isa>(options.isa);
    options.threads.count = c_options.threads = method;
    expect_alike(options, c_options);
  }
  {
    // The instruction set and executor of a call do not change its answer.
    widephase_options c_options = defaults();
    c_options.isa = WIDEPHASE_ISA_NEON64 - (cpu_has(Isa::neon64) ? 1 : 0);
    if (!cpu_has(static_cast<Isa>(c_options.isa))) {
      EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options),
                WIDEPHASE_INVALID);
    }
    static int calls = 0;
    calls = 0;
    c_options = defaults();
    c_options.for_each = [](void* self, std::size_t count, void (*function)(std::size_t, void*),
                            void* context) {
      ++*static_cast<int*>(self);
      for (std::size_t i = 0; i < count; ++i) function(i, context);
    };
    c_options.for_each_self = &calls;
    c_options.for_each_threads = 2;
    EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options));
    expect_same_contacts(h.contacts.handle, plain);
  }
  {
    const std::vector<std::uint8_t> mask{1, 0, 1};
    std::vector<std::uint8_t> status(3, 9), c_status(3, 9);
    CollideOptions options;
    widephase_options c_options = defaults();
    options.world_mask = mask;
    options.world_status = status;
    c_options.world_mask = mask.data();
    c_options.world_mask_count = 3;
    c_options.world_status = c_status.data();
    c_options.world_status_count = 3;
    expect_alike(options, c_options);
    EXPECT_EQ(c_status, status);
    EXPECT_EQ(c_status[1], WIDEPHASE_WORLD_LEFT_OUT);
    EXPECT_LT(contacts.size(), plain.size());
  }
  {
    const std::vector<Pair> pairs = some_pairs(scene);
    std::vector<WarmStart> words(pairs.size());
    std::vector<widephase_warm_start> c_words(pairs.size());
    CollideOptions options;
    widephase_options c_options = defaults();
    options.warm_starts = words;
    c_options.warm_starts = c_words.data();
    c_options.warm_start_count = static_cast<std::int64_t>(c_words.size());
    options.steadiness = c_options.steadiness = 0.01;
    for (int step = 0; step < 2; ++step) {
      collide_pairs(scene, pairs, contacts, workspace, options);
      EXPECT_OK(widephase_collide_pairs(c.handle, numbers(pairs),
                                        static_cast<std::int64_t>(pairs.size()), h.contacts.handle,
                                        h.workspace.handle, &c_options));
      expect_same_contacts(h.contacts.handle, contacts);
    }
    ASSERT_EQ(std::memcmp(words.data(), c_words.data(), words.size() * sizeof(WarmStart)), 0);
    EXPECT_NE(words, std::vector<WarmStart>(pairs.size()));
  }
  {
    widephase_options c_options = defaults();
    c_options.max_contacts = 3;
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options),
              WIDEPHASE_OVER_CAP);
    std::int64_t pair_count = 0, contact_count = 0, point_count = 0;
    widephase_error_needed(&pair_count, &contact_count, &point_count);
    collide(scene, plain, workspace);
    EXPECT_EQ(pair_count, static_cast<std::int64_t>(workspace.pairs().size()));
    EXPECT_EQ(contact_count, static_cast<std::int64_t>(plain.size()));
    EXPECT_EQ(point_count, static_cast<std::int64_t>(plain.point_count()));
    EXPECT_EQ(widephase_error_exact(), 1);
    // Pairs beyond 64 times a cap of 1 are not counted.
    ASSERT_GT(pair_count, 64);
    const std::int64_t all_pairs = pair_count, all_contacts = contact_count, all_points = point_count;
    c_options.max_pairs = 1;
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options),
              WIDEPHASE_OVER_CAP);
    EXPECT_STREQ(widephase_error_message(), "max_pairs is 1; the answer needs at least 64");
    widephase_error_needed(&pair_count, &contact_count, &point_count);
    EXPECT_EQ(pair_count, 64);
    EXPECT_EQ(contact_count, -1);
    EXPECT_EQ(widephase_error_exact(), 0);
    widephase_array array;
    EXPECT_OK(widephase_contacts_get(h.contacts.handle, "depth", WIDEPHASE_FLOAT32, &array));
    EXPECT_EQ(array.rows, 0);
    c_options.max_pairs = all_pairs;
    c_options.max_contacts = all_contacts;
    c_options.max_points = all_points;
    EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options));
    expect_same_contacts(h.contacts.handle, plain);
    c_options.max_points = all_points - 1;
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options),
              WIDEPHASE_OVER_CAP);
    c_options.max_points = -1;
    c_options.max_pairs = 0;
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options),
              WIDEPHASE_OVER_CAP);
  }
}

/// Enough shapes in one world to keep their order. Both libraries take the same steps and end with
/// pairs in an order that also depends on the earlier steps.
TEST(c_api, an_order_is_kept_as_in_cpp) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene;
    SceneRecipe recipe;
    recipe.count = 1500;
    recipe.seed = 77;
    add_mixed(scene, recipe);
    const CScene<D, T> c(scene);  // borrows: what moves below moves there
    const Handles h;
    Workspace<D, T> workspace, fresh;
    ContactBuffer<D, T> contacts, sorted_anew;
    CollideOptions options;
    options.keeps_order = true;
    widephase_options c_options;
    widephase_options_init(&c_options, sizeof(c_options));
    c_options.keeps_order = 1;
    Random random(78);
    auto& balls = balls_of(scene);
    for (int step = 0; step < 3; ++step) {
      collide(scene, contacts, workspace, options);
      EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options));
      expect_same(widephase_workspace_get, h.workspace.handle, "pairs", workspace.pairs());
      expect_same_contacts(h.contacts.handle, contacts);
      if (step == 2) break;
      for (std::size_t i = 0; i < balls.center.size(); ++i) {
        balls.center(i, 0) += static_cast<PositionOf<T>>(random.uniform(-0.2, 0.2));
      }
    }
    collide(scene, sorted_anew, fresh);
    EXPECT_EQ(sorted_anew.size(), contacts.size());
    EXPECT_NE(hash(sorted_anew), hash(contacts));
    c_options.keeps_order = 0;
    EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &c_options));
    expect_same_contacts(h.contacts.handle, sorted_anew);
  });
}

template <int D, class T>
void geometries_are_alike() {
  Random random(75);
  GeometryTable<Owned<D, T>> table;
  Owner<widephase_geometries, widephase_geometries_destroy> c;
  ASSERT_EQ(widephase_geometries_create(D, precision_of<T>(), &c.handle), WIDEPHASE_OK);
  for (int g = 0; g < 3; ++g) {
    std::vector<T> points;
    for (int i = 0; i < 12 * D; ++i) points.push_back(static_cast<T>(random.uniform(-1, 1)));
    const auto span = ColumnSpan<T, D>::interleaved(points.data(), 12);
    std::int32_t index = -1, expected = -2;
    if constexpr (D == 2) {
      expected = add_polygon(table, span);
    } else if (g < 2) {
      expected = add_hull(table, span);
    } else {
      const SimplerHull<T> hull = add_hull(table, span, 5);
      double excess = -1;
      EXPECT_OK(widephase_geometries_add_enclosing(c.handle, type_of<T>(), points.data(), 12,
                                                   D * sizeof(T), 5, &index, &excess));
      EXPECT_EQ(index, hull.index);
      EXPECT_EQ(excess, static_cast<double>(hull.excess));
      continue;
    }
    EXPECT_OK(
        widephase_geometries_add(c.handle, type_of<T>(), points.data(), 12, D * sizeof(T), &index));
    EXPECT_EQ(index, expected);
  }
  expect_same(widephase_geometries_get, c.handle, "vertices", table.vertices);
  expect_same(widephase_geometries_get, c.handle, "offsets", table.offsets);
  expect_same(widephase_geometries_get, c.handle, "inner", table.inner);
}

TEST(c_api, geometries_are_built_as_in_cpp) {
  geometries_are_alike<2, float>();
  geometries_are_alike<2, double>();
  geometries_are_alike<3, float>();
  geometries_are_alike<3, double>();
}

/// A program compiled with a later header has a longer structure.
TEST(c_api, options_of_a_later_version_are_refused_only_where_they_say_something) {
  struct Later {
    widephase_options options;
    double unknown;
  } later;
  const SceneColumns<2, float> scene;
  const CScene<2, float> c(scene);
  const Handles h;
  std::memset(&later, 0xff, sizeof(later));
  widephase_options_init(&later.options, sizeof(later));
  EXPECT_EQ(later.unknown, 0);
  EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &later.options));
  later.unknown = 1;
  EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &later.options),
            WIDEPHASE_INVALID);
  EXPECT_NE(std::strstr(widephase_error_message(), "options has a field set"), nullptr);
}

/// A program compiled with the first header has a structure that ends with the caps. Memory behind
/// it is not read.
TEST(c_api, options_of_an_earlier_version_have_the_defaults_of_what_they_lack) {
  const SceneColumns<2, float> scene;
  const CScene<2, float> c(scene);
  const Handles h;
  widephase_options options;
  std::memset(&options, 0xff, sizeof(options));
  const std::size_t first_size = offsetof(widephase_options, keeps_order);
  widephase_options_init(&options, first_size);
  EXPECT_EQ(options.keeps_order, -1);
  EXPECT_EQ(options.most_patches, -1);
  EXPECT_EQ(options.inside, -1);
  EXPECT_EQ(options.start_overlap, -1);
  EXPECT_OK(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &options));
  widephase_options_init(&options, first_size - 1);
  EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, &options),
            WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), "options.struct_size");
}

/// All steps of a C program; each fails if one of its allocations does.
widephase_result whole_program(Handles& h, widephase_scene** scene,
                               widephase_geometries** geometries,
                               const SceneColumns<3, float>& from) {
  const float tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float center[] = {0.25f, 0.25f, 0.25f};
  const float orientation[] = {0, 0, 0, 1};
  std::int32_t index = 0;
  widephase_result result = widephase_geometries_create(3, WIDEPHASE_FLOAT, geometries);
  const auto then = [&](const auto& call) {
    if (result == WIDEPHASE_OK) result = call();
  };
  then([&] {
    return widephase_geometries_add(*geometries, WIDEPHASE_FLOAT32, tetrahedron, 4, 12, &index);
  });
  then([&] { return widephase_scene_create(3, WIDEPHASE_FLOAT, scene); });
  then([&] { return widephase_scene_set_geometries(*scene, *geometries); });
  const auto set = [&](const char* name, widephase_type type, const void* data, std::int64_t rows,
                       std::int64_t stride) {
    then([&] { return widephase_scene_set(*scene, name, type, data, rows, stride); });
  };
  set("hull.center", WIDEPHASE_FLOAT32, center, 1, 12);
  set("hull.orientation", WIDEPHASE_FLOAT32, orientation, 1, 16);
  set("hull.geometry", WIDEPHASE_INT32, &index, 1, 4);
  set("sphere.radius", WIDEPHASE_FLOAT32, from.spheres.radius.plane(),
      static_cast<std::int64_t>(from.spheres.radius.size()), 4);
  const widephase_array centers = array_of(from.spheres.center);
  then([&] { return widephase_scene_set_array(*scene, "sphere.center", &centers); });
  const std::int32_t body[] = {0, 1, 2};
  const float position[9] = {};
  set("sphere.body", WIDEPHASE_INT32, body, 3, 4);
  set("bodies.position", WIDEPHASE_FLOAT32, position, 3, 12);
  Owner<widephase_scene, widephase_scene_destroy> placed;
  then([&] { return widephase_scene_create(3, WIDEPHASE_FLOAT, &placed.handle); });
  then([&] { return widephase_place(*scene, placed.handle, nullptr); });
  // A step in stages, with a sphere and the hull.
  const std::int32_t pair[] = {0, 3};
  widephase_options options;
  widephase_options_init(&options, sizeof(options));
  then([&] { return widephase_update_bounds(*scene, h.workspace.handle, nullptr); });
  then([&] {
    return widephase_tracker_begin_step(h.tracker.handle, *scene, pair, 1, &options.warm_starts,
                                        &options.warm_start_count, nullptr);
  });
  then([&] {
    return widephase_find_contacts(*scene, pair, 1, h.contacts.handle, h.workspace.handle,
                                   &options);
  });
  then([&] { return widephase_tracker_end_step(h.tracker.handle, h.contacts.handle, nullptr); });
  then([&] {
    std::int32_t bodies[2];
    return widephase_contact_bodies(*scene, h.contacts.handle, bodies, 1);
  });
  then([&] {
    return widephase_tracker_collide(h.tracker.handle, *scene, h.contacts.handle,
                                     h.workspace.handle, nullptr);
  });
  then([&] { return widephase_scene_validate(*scene, -1, -1, h.findings.handle); });
  then([&] {
    return widephase_min_distance(*scene, h.distances.handle, h.workspace.handle, nullptr);
  });
  return result;
}

TEST(c_api, threads_may_share_what_calls_take_as_const) {
  const SceneColumns<3, float> scene = test_scene<3, float>();
  SceneColumns<3, float> moving;
  moving.spheres.center = {{0, 0, 0}, {1, 1, 0}, {0.5f, 0.25f, 0}};
  moving.spheres.radius = {1, 2, 0.5f};
  const CScene<3, float> c_scene(scene), c_moving(moving);
  const Handles shared;
  ASSERT_EQ(widephase_static_scene_build(shared.kept.handle, c_scene.handle,
                                         shared.workspace.handle, nullptr),
            WIDEPHASE_OK);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts, with_kept;
  collide<3, float>(scene, contacts, workspace);
  StaticScene<3, float> kept;
  build_static_scene<3, float>(scene, kept, workspace);
  collide<3, float>(moving, kept, with_kept, workspace);
  ASSERT_GT(contacts.size(), 0u);
  ASSERT_GT(with_kept.size(), 0u);
  const auto program = [&] {
    const Handles own;
    for (int round = 0; round < 4; ++round) {
      EXPECT_OK(
          widephase_collide(c_scene.handle, own.contacts.handle, own.workspace.handle, nullptr));
      expect_same_contacts(own.contacts.handle, contacts);
      EXPECT_OK(widephase_static_scene_collide(shared.kept.handle, c_moving.handle,
                                               own.contacts.handle, own.workspace.handle, nullptr));
      expect_same_contacts(own.contacts.handle, with_kept);
      // Each thread has its own last error.
      EXPECT_EQ(widephase_collide(nullptr, own.contacts.handle, own.workspace.handle, nullptr),
                WIDEPHASE_INVALID);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) threads.emplace_back(program);
  for (std::thread& thread : threads) thread.join();
}

TEST(c_api, stages_after_a_call_that_failed_are_refused) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  from.spheres.radius = {1, 1};
  const CScene<3, float> c(from);
  Handles h;
  const std::int32_t pair[2] = {0, 1};
  widephase_options wrong;
  widephase_options_init(&wrong, sizeof wrong);
  wrong.margin = -1;
  EXPECT_EQ(widephase_update_bounds(c.handle, h.workspace.handle, &wrong), WIDEPHASE_INVALID);
  EXPECT_EQ(widephase_find_pairs(c.handle, h.workspace.handle, nullptr), WIDEPHASE_INVALID);
  EXPECT_EQ(
      widephase_find_contacts(c.handle, pair, 1, h.contacts.handle, h.workspace.handle, nullptr),
      WIDEPHASE_INVALID);
  EXPECT_OK(widephase_update_bounds(c.handle, h.workspace.handle, nullptr));
  EXPECT_OK(
      widephase_find_contacts(c.handle, pair, 1, h.contacts.handle, h.workspace.handle, nullptr));
}

TEST(c_api, columns_of_too_many_rows_are_refused) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  from.spheres.radius = {1, 1};
  const float zeros[3] = {};
  const std::int32_t ids[2] = {0, 1};
  const auto expect_refusal = [&](const char* name, widephase_type type, const void* rows) {
    const CScene<3, float> c(from);
    Handles h;
    EXPECT_OK(widephase_scene_set(c.handle, name, type, rows,
                                  std::numeric_limits<std::int64_t>::max(), 0));
    EXPECT_EQ(widephase_collide(c.handle, h.contacts.handle, h.workspace.handle, nullptr),
              WIDEPHASE_INVALID);
    EXPECT_STREQ(widephase_error_array(), name);
  };
  expect_refusal("bodies.position", WIDEPHASE_FLOAT32, zeros);
  expect_refusal("excluded", WIDEPHASE_INT32, ids);
  expect_refusal("excluded_owners", WIDEPHASE_INT32, ids);
}

/// Points on a sphere, all of which are vertices of their hull.
std::vector<float> points_on_a_ball(int count) {
  std::vector<float> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, turn = 2.4 * i, r = std::sqrt(1 - z * z);
    for (const double x : {r * std::cos(turn), r * std::sin(turn), z}) {
      points.push_back(static_cast<float>(x));
    }
  }
  return points;
}

TEST(c_api, messages_name_functions_and_columns_of_c) {
  const auto says = [](const char* words) {
    return std::strstr(widephase_error_message(), words) != nullptr;
  };
  Owner<widephase_geometries, widephase_geometries_destroy> geometries;
  EXPECT_OK(widephase_geometries_create(3, WIDEPHASE_FLOAT, &geometries.handle));
  // More than 255 vertices, the limit of a hull.
  const std::vector<float> ball = points_on_a_ball(300);
  std::int32_t index = -1;
  EXPECT_EQ(
      widephase_geometries_add(geometries.handle, WIDEPHASE_FLOAT32, ball.data(), 300, 12, &index),
      WIDEPHASE_INVALID);
  EXPECT_TRUE(says("and widephase_geometries_add_enclosing makes a simpler one"))
      << widephase_error_message();

  // A moving scene with its own point sets, which must be in the static scene.
  const Handles h;
  SceneColumns<3, float> moving;
  add_tetrahedron_hull(moving.geometries, 1.0f);
  const CScene<3, float> c_moving(moving);
  const CScene<3, float> c_ground(SceneColumns<3, float>{});
  EXPECT_OK(
      widephase_static_scene_build(h.kept.handle, c_ground.handle, h.workspace.handle, nullptr));
  EXPECT_EQ(widephase_static_scene_collide(h.kept.handle, c_moving.handle, h.contacts.handle,
                                           h.workspace.handle, nullptr),
            WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), "hulls.vertices");
  EXPECT_TRUE(says("hulls.vertices has 4 rows")) << widephase_error_message();
  EXPECT_TRUE(says("to widephase_static_scene_build")) << widephase_error_message();

  // A quaternion with squared length 2: the error names the column of widephase_scene_set.
  SceneColumns<3, float> box;
  box.boxes.center = {{0, 0, 0}};
  box.boxes.turn = {{0, 0, 1, 1}};
  box.boxes.half_extents = {{1, 1, 1}};
  const CScene<3, float> c_box(box);
  expect_refused(widephase_collide(c_box.handle, h.contacts.handle, h.workspace.handle, nullptr),
                 "box.orientation", 0,
                 "box.orientation[0] has squared length 2; it must be 1 within 1e-4");
}

TEST(c_api, an_allocation_that_fails_is_a_result) {
  SceneColumns<3, float> from;
  from.spheres.center = {{0, 0, 0}, {1, 0, 0}, {0.5f, 0.25f, 0}};
  from.spheres.radius = {1, 1, 0.5f};
  int failures = 0;
  for (long n = 1;; ++n) {
    Handles h;
    Owner<widephase_scene, widephase_scene_destroy> scene;
    Owner<widephase_geometries, widephase_geometries_destroy> geometries;
    widephase_result result = WIDEPHASE_FAILED;
    const bool has_failed = fail_allocation(
        n, [&] { result = whole_program(h, &scene.handle, &geometries.handle, from); });
    if (!has_failed) {
      EXPECT_OK(result);
      break;
    }
    ++failures;
    ASSERT_EQ(result, WIDEPHASE_OUT_OF_MEMORY) << "allocation " << n;
    // All handles are still usable.
    widephase_scene_destroy(&scene.handle);
    widephase_geometries_destroy(&geometries.handle);
    ASSERT_EQ(whole_program(h, &scene.handle, &geometries.handle, from), WIDEPHASE_OK)
        << "after allocation " << n << ": " << widephase_error_message();
    widephase_array array;
    ASSERT_EQ(widephase_contacts_get(h.contacts.handle, "depth", WIDEPHASE_FLOAT32, &array),
              WIDEPHASE_OK);
    ASSERT_EQ(array.rows, 6);
  }
  EXPECT_GT(failures, 20);
}

}  // namespace
}  // namespace widephase::test
