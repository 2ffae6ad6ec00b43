// What a caller hands over is looked at before it is read: arrays without an address, or with
// strides that no row has, worlds without bound, threads below none. Each is refused by name, as C
// refuses it.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <widephase/bodies.hpp>
#include <widephase/bounds_tree.hpp>
#include <widephase/closest.hpp>
#include <widephase/decompose.hpp>
#include <widephase/distance.hpp>
#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "support/error_of.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kRows = 2;

/// As many numbers as any column below reads, and an address within that is no multiple of 2.
alignas(64) std::byte numbers[1024];

/// What is wrong with a column of `kRows` rows, and what is said of it.
struct Fault {
  const char* name;
  bool is_null;
  std::ptrdiff_t shift;                                ///< of the address, in bytes
  std::ptrdiff_t (*stride)(int width, int size);       ///< 0 repeats a row, which is no fault
  std::string (*text)(int width, int size);
};

std::string multiple_text(std::ptrdiff_t stride, int size) {
  return "is given with addresses or a stride (" + std::to_string(stride) +
         " bytes) that are not a multiple of " + std::to_string(size);
}

const Fault kFaults[] = {
    {"null", true, 0, [](int width, int size) { return std::ptrdiff_t{width} * size; },
     [](int, int) { return std::string("is given with 2 rows and is NULL"); }},
    {"odd stride", false, 0, [](int width, int size) { return std::ptrdiff_t{width} * size + 1; },
     [](int width, int size) { return multiple_text(width * size + 1, size); }},
    {"odd stride backwards", false, 512, [](int width, int size) {
       return -std::ptrdiff_t{width} * size - 1;
     }, [](int width, int size) { return multiple_text(-width * size - 1, size); }},
    {"odd address", false, 1, [](int width, int size) { return std::ptrdiff_t{width} * size; },
     [](int width, int size) { return multiple_text(width * size, size); }},
    // A number is no row of several: row 1 would begin within row 0.
    {"short stride", false, 0, [](int, int size) { return std::ptrdiff_t{size}; },
     [](int width, int size) {
       return "is given with a stride of " + std::to_string(size) + " bytes, but a row has " +
              std::to_string(width * size) +
              "; rows must not overlap (a stride of 0 repeats one)";
     }},
};

/// Whether columns of this width and size have the fault at all.
bool has_fault(const Fault& fault, int width, int size) {
  if (std::string_view(fault.name) == "short stride") return width > 1;
  return fault.is_null || size > 1;
}

template <class T, int W>
ColumnSpan<T, W> faulty(const Fault& fault) {
  const auto* rows = reinterpret_cast<const T*>(numbers + fault.shift);
  return ColumnSpan<T, W>::interleaved(fault.is_null ? nullptr : rows, kRows,
                                       fault.stride(W, sizeof(T)));
}

/// `check(array, column)` spoils a column, asks, and puts it back.
template <class Check, class T, int W>
void with_faults(const std::string& array, ColumnSpan<T, W>& column, const Check& check) {
  const ColumnSpan<T, W> right = column;
  for (const Fault& fault : kFaults) {
    if (!has_fault(fault, W, sizeof(T))) continue;
    SCOPED_TRACE(array + ", " + fault.name);
    column = faulty<T, W>(fault);
    check(array + " " + fault.text(W, sizeof(T)));
  }
  column = right;
}

/// Two shapes of every kind with every column, two bodies, lists of two rows, two geometries.
template <int D, class T>
SceneColumns<D, T> full_scene() {
  SceneColumns<D, T> scene;
  for (int i = 0; i < 2; ++i) {
    if constexpr (D == 2) {
      add_box_polygon(scene.geometries, 1, 1);
    } else {
      add_box_hull(scene.geometries, 1, 1, 1);
    }
  }
  for_each_table(scene, [](auto& table) {
    for_each_field(table, [](const Field& field, auto& column) {
      using C = std::remove_cvref_t<decltype(column)>;
      const bool is_none = field.name == "body" || field.name == "owner";
      for (std::size_t row = 0; row < kRows; ++row) {
        std::array<typename C::value_type, C::width> numbers_of_row{};
        if (is_none) numbers_of_row[0] = static_cast<typename C::value_type>(-1);
        // Unit normals and quaternions, boxes of a size, and categories that meet.
        if (field.rule == Rule::unit || field.name == "category" || field.name == "mask") {
          numbers_of_row.back() = 1;
        }
        if (field.name == "max" || field.name == "radius") numbers_of_row.fill(1);
        column.push_back(numbers_of_row);
      }
    });
  });
  scene.excluded = {{0, 1}, {0, 2}};
  scene.excluded_owners = {{0, 1}, {0, 2}};
  for (int i = 0; i < 2; ++i) {
    scene.bodies.position.push_back({});
    if constexpr (D == 2) scene.bodies.turn.push_back({0});
    if constexpr (D == 3) scene.bodies.turn.push_back({0, 0, 0, 1});
  }
  if constexpr (D == 2) scene.geometries.inner.resize(scene.geometries.vertices.size());
  return scene;
}

template <int D, class T>
void check_columns_of_scenes() {
  const SceneColumns<D, T> owner = full_scene<D, T>();
  SceneSpan<D, T> scene(owner);
  ASSERT_TRUE((validate<D, T>(scene).empty())) << validate<D, T>(scene)[0].text();
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  Tracker<D, T> tracker;
  StaticScene<D, T> kept;
  PlacedScene<D, T> placed;
  DistanceBuffer<D, T> distances_found;
  SceneColumns<D, T> copy;
  Column<std::int32_t, 2> bodies;
  const std::vector<Pair> pairs{{0, 2}};
  std::vector<std::uint8_t> is_contact(1), status(1);
  CollideOptions by_world;
  by_world.world_status = status;
  const auto check = [&](const std::string& text) {
    const std::vector<Finding> findings = validate<D, T>(scene);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].text(), text);
    EXPECT_EQ(findings[0].row, -1);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace); }), text);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, by_world); }), text);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, tracker); }), text);
    EXPECT_EQ(error_of([&] { begin_step<D, T>(scene, pairs, tracker); }), text);
    EXPECT_EQ(error_of([&] { test_pairs<D, T>(scene, pairs, is_contact, workspace); }), text);
    EXPECT_EQ(error_of([&] { distances<D, T>(scene, pairs, distances_found, workspace); }), text);
    EXPECT_EQ(error_of([&] { build_static_scene<D, T>(scene, kept, workspace); }), text);
    EXPECT_EQ(error_of([&] { place<D, T>(scene, scene.bodies, placed); }), text);
    EXPECT_EQ(error_of([&] { replicate<D, T>(scene, 2, copy); }), text);
    EXPECT_EQ(error_of([&] { contact_bodies<D, T>(scene, contacts, bodies); }), text);
  };
  for_each_table(scene, [&](auto& table) {
    const std::string kind(kind_name(std::remove_cvref_t<decltype(table)>::kind, D));
    for_each_field(table, [&](const Field& field, auto& column) {
      const bool is_turn = field.name == turn_field(D).name;
      const std::string array = kind + "." + (is_turn ? "turn" : std::string(field.name));
      with_faults(array, column, check);
      if (field.name != "world") return;
      with_faults(array, column, [&](const std::string& text) {
        EXPECT_EQ(error_of([&] { world_count<D, T>(scene); }), text);
      });
    });
  });
  with_faults("excluded", scene.excluded, check);
  with_faults("excluded_owners", scene.excluded_owners, check);
  with_faults("bodies.position", scene.bodies.position, check);
  with_faults("bodies.turn", scene.bodies.turn, check);
}

TEST(borders, columns_of_scenes_in_2d) {
  check_columns_of_scenes<2, float>();
  check_columns_of_scenes<2, Mixed>();
}
TEST(borders, columns_of_scenes_in_3d) {
  check_columns_of_scenes<3, double>();
  check_columns_of_scenes<3, Mixed>();
}

TEST(borders, what_crashed) {
  // Two spheres at a null pointer.
  SceneSpan<3, float> scene;
  const std::vector<float> radius{1, 1};
  scene.spheres.center = ColumnSpan<float, 3>::interleaved(nullptr, 2);
  scene.spheres.radius = radius;
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace); }),
            "sphere.center is given with 2 rows and is NULL");
  // A quaternion array that is not there is none of no turns.
  EXPECT_EQ(quaternions<float>(nullptr, 5, QuaternionOrder::wxyz).size(), 5u);
  EXPECT_EQ(quaternions<float>(nullptr, 0, QuaternionOrder::wxyz).size(), 0u);
}

TEST(borders, layouts_that_are_right) {
  // One row has no next one to overlap; one row for all; backwards; component by
  // component, where rows lie a number apart; two columns of overlapping rows (a polyline).
  const float rows[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const std::vector<float> radius(3, 0.75f);
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  const auto contacts_of = [&](const ColumnSpan<float, 3>& center) {
    SceneSpan<3, float> scene;
    scene.spheres.center = center;
    scene.spheres.radius = ColumnSpan<float>(std::span(radius.data(), center.size()));
    collide<3, float>(scene, contacts, workspace);
    return contacts.size();
  };
  using Span = ColumnSpan<float, 3>;
  EXPECT_EQ(contacts_of(Span::interleaved(rows, 1, 4)), 0u);
  EXPECT_EQ(contacts_of(Span::planes({rows, rows + 1, rows + 2}, 1)), 0u);
  EXPECT_EQ(contacts_of(Span::repeated(rows, 3)), 3u);
  EXPECT_EQ(contacts_of(Span::interleaved(rows + 6, 3, -12)), 2u);
  // (2, 1, 0) and twice the origin.
  EXPECT_EQ(contacts_of(Span::planes({rows + 6, rows + 3, rows}, 3)), 1u);
  SceneSpan<3, float> polyline;
  polyline.capsules.a = Span::interleaved(rows, 3);
  polyline.capsules.b = Span::interleaved(rows + 3, 3);
  polyline.capsules.radius = radius;
  collide<3, float>(polyline, contacts, workspace);
  EXPECT_EQ(contacts.size(), 3u);
}

TEST(borders, geometries) {
  const SceneColumns<2, float> flat = full_scene<2, float>();
  const SceneColumns<3, double> solid = full_scene<3, double>();
  const auto check = [](auto& scene, auto& column, const std::string& array) {
    using Span = std::remove_cvref_t<decltype(column)>;
    constexpr int D = std::remove_cvref_t<decltype(scene)>::dimension;
    using T = typename std::remove_cvref_t<decltype(scene)>::Real;
    const Span right = column;
    column = Span::interleaved(nullptr, right.size());
    const std::string text =
        array + " is given with " + std::to_string(right.size()) + " rows and is NULL";
    ContactBuffer<D, T> contacts;
    Workspace<D, T> workspace;
    SceneColumns<D, T> copy;
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace); }), text);
    EXPECT_EQ(error_of([&] { replicate<D, T>(scene, 2, copy); }), text);
    EXPECT_EQ((validate<D, T>(scene).at(0).text()), text);
    if (!array.ends_with("inner")) {
      EXPECT_EQ(error_of([&] { properties(scene.geometries, 0); }), text);
    }
    column = right;
  };
  SceneSpan<2, float> scene2(flat);
  check(scene2, scene2.geometries.vertices, "geometries.vertices");
  check(scene2, scene2.geometries.offsets, "geometries.offsets");
  check(scene2, scene2.geometries.inner, "geometries.inner");
  SceneSpan<3, double> scene3(solid);
  check(scene3, scene3.geometries.vertices, "geometries.vertices");
  check(scene3, scene3.geometries.offsets, "geometries.offsets");
}

TEST(borders, points_and_outlines) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    GeometryTable<Owned<2, float>> polygons;
    GeometryTable<Owned<3, float>> hulls;
    GeometryTable<Owned<2, double>> parts;
    EXPECT_EQ(error_of([&] { add_polygon(polygons, faulty<float, 2>(fault)); }),
              "points " + fault.text(2, 4));
    EXPECT_EQ(error_of([&] { add_hull(hulls, faulty<float, 3>(fault)); }),
              "points " + fault.text(3, 4));
    EXPECT_EQ(error_of([&] { add_hull(hulls, faulty<float, 3>(fault), 8); }),
              "points " + fault.text(3, 4));
    const std::vector<std::int64_t> offsets{0, 2};
    EXPECT_EQ(error_of([&] { decompose({faulty<double, 2>(fault), offsets}, parts); }),
              "outline.vertices " + fault.text(2, 8));
  }
  GeometryTable<Owned<2, double>> parts;
  const std::int64_t* const nothing = nullptr;
  EXPECT_EQ(error_of([&] { decompose({{}, std::span(nothing, 2)}, parts); }),
            "outline.ring_offsets is given with 2 entries and is NULL");
}

TEST(borders, columns_of_questions) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  const std::vector<std::int32_t> ids{0, 0};
  std::vector<float> right(6, 1.0f);
  const auto points = ColumnSpan<float, 3>::interleaved(right.data(), 2);
  Workspace<3, float> workspace;
  SupportBuffer<3, float> support;
  PointSegmentBuffer<3, float> of_points;
  SegmentSegmentBuffer<3, float> of_segments;
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    const auto wrong = faulty<float, 3>(fault);
    const std::string text = fault.text(3, 4);
    EXPECT_EQ(error_of([&] { support_points<3, float>(scene, ids, wrong, support, workspace); }),
              "direction " + text);
    EXPECT_EQ(error_of([&] { closest_points(wrong, points, points, of_points); }), "point " + text);
    EXPECT_EQ(error_of([&] { closest_points(points, points, wrong, of_points); }), "b " + text);
    EXPECT_EQ(error_of([&] { closest_points(wrong, points, points, points, of_segments); }),
              "a " + text);
    EXPECT_EQ(error_of([&] { closest_points(points, points, points, wrong, of_segments); }),
              "d " + text);
  }
}

TEST(borders, bounds_and_filters) {
  std::vector<float> low(6, 0.0f), high(6, 1.0f);
  const auto corners = [](const std::vector<float>& rows) {
    return ColumnSpan<float, 3>::interleaved(rows.data(), 2);
  };
  const BoundsSpan<3, float> right(corners(low), corners(high));
  PairWorkspace<3, float> workspace;
  BoundsTree<3, float> empty, tree;
  Column<Pair> pairs;
  const auto check = [&](const BoundsSpan<3, float>& bounds, const FilterSpan& filters,
                         const std::string& text, bool are_lists) {
    EXPECT_EQ(error_of([&] { find_pairs<3, float>(bounds, filters, {}, pairs, workspace); }), text);
    if (!are_lists) {
      EXPECT_EQ(error_of([&] { build_tree<3, float>(bounds, filters, {}, empty, workspace); }),
                text);
    }
    build_tree<3, float>(right, {}, {}, tree, workspace);
    EXPECT_EQ(error_of([&] { find_pairs<3, float>(tree, bounds, filters, pairs, workspace); }),
              text);
  };
  for (const Fault& fault : kFaults) {
    const auto wrong = faulty<float, 3>(fault);
    check({wrong, right.max}, {}, "min " + fault.text(3, 4), false);
    check({right.min, wrong}, {}, "max " + fault.text(3, 4), false);
  }
  FilterSpan filters;
  const auto spoil = [&](const char* array, auto& column, bool is_list = false) {
    with_faults(array, column,
                [&](const std::string& text) { check(right, filters, text, is_list); });
  };
  spoil("world", filters.world);
  spoil("category", filters.category);
  spoil("mask", filters.mask);
  spoil("owner", filters.owner);
  spoil("fixed", filters.fixed);
  spoil("body", filters.body);
  spoil("excluded", filters.excluded, true);
  spoil("excluded_owners", filters.excluded_owners, true);
  filters.world_mask = std::span(static_cast<const std::uint8_t*>(nullptr), 1);
  check(right, filters, "world_mask is given with 1 entries and is NULL", true);
}

template <class T>
std::span<T> nowhere(std::size_t count) {
  return std::span<T>(static_cast<T*>(nullptr), count);
}

TEST(borders, lists_without_an_address) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  const std::vector<Pair> right{{0, 1}};
  const auto pairs = nowhere<const Pair>(3);
  std::vector<std::uint8_t> is_contact(3), one(1);
  ContactBuffer<3, float> contacts;
  DistanceBuffer<3, float> found;
  Workspace<3, float> workspace;
  Tracker<3, float> tracker;
  SupportBuffer<3, float> support;
  const std::string text = "pairs is given with 3 entries and is NULL";
  const auto sink = [](const ContactBuffer<3, float>&) {};
  EXPECT_EQ(error_of([&] { collide_pairs<3, float>(scene, pairs, contacts, workspace); }), text);
  EXPECT_EQ(error_of([&] { collide_pairs<3, float>(scene, pairs, contacts, workspace, tracker); }),
            text);
  EXPECT_EQ(error_of([&] { begin_step<3, float>(scene, pairs, tracker); }), text);
  EXPECT_EQ(error_of([&] { test_pairs<3, float>(scene, pairs, is_contact, workspace); }), text);
  EXPECT_EQ(error_of([&] { distances<3, float>(scene, pairs, found, workspace); }), text);
  update_bounds<3, float>(scene, workspace);
  EXPECT_EQ(error_of([&] { find_contacts<3, float>(scene, pairs, contacts, workspace); }), text);
  EXPECT_EQ(error_of([&] { stream_contacts<3, float>(scene, pairs, sink, workspace); }), text);
  EXPECT_EQ(validate_pairs(layout_of(scene), pairs).at(0).text(), text);

  EXPECT_EQ(error_of([&] {
              test_pairs<3, float>(scene, right, nowhere<std::uint8_t>(1), workspace);
            }),
            "is_contact is given with 1 entries and is NULL");
  EXPECT_EQ(error_of([&] { any_contact<3, float>(scene, nowhere<std::uint8_t>(1), workspace); }),
            "is_contact is given with 1 entries and is NULL");
  EXPECT_EQ(error_of([&] { tracker.forget(nowhere<const std::uint8_t>(2)); }),
            "worlds is given with 2 entries and is NULL");
  const auto refused = [&](const CollideOptions& options) {
    return error_of(
        [&] { collide_pairs<3, float>(scene, right, contacts, workspace, options); });
  };
  CollideOptions options;
  options.warm_starts = nowhere<WarmStart>(1);
  EXPECT_EQ(refused(options), "warm_starts is given with 1 entries and is NULL");
  options = {};
  options.world_mask = nowhere<const std::uint8_t>(1);
  EXPECT_EQ(refused(options), "world_mask is given with 1 entries and is NULL");
  options = {};
  options.world_status = nowhere<std::uint8_t>(1);
  EXPECT_EQ(refused(options), "world_status is given with 1 entries and is NULL");

  const auto direction = ColumnSpan<float, 3>::repeated(reinterpret_cast<const float*>(numbers), 2);
  EXPECT_EQ(error_of([&] {
              support_points<3, float>(scene, nowhere<const std::int32_t>(2), direction, support,
                                       workspace);
            }),
            "ids is given with 2 entries and is NULL");
  std::vector<Kind> kinds(2);
  std::vector<std::int32_t> rows(2);
  const SceneLayout layout = layout_of(scene);
  EXPECT_EQ(error_of([&] { locate(layout, nowhere<const std::int32_t>(2), kinds, rows); }),
            "ids is given with 2 entries and is NULL");
  EXPECT_EQ(error_of([&] { locate(layout, rows, nowhere<Kind>(2), rows); }),
            "kinds is given with 2 entries and is NULL");
  // None of them is no error.
  collide_pairs<3, float>(scene, nowhere<const Pair>(0), contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

TEST(borders, threads_below_none) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  CollideOptions options;
  options.threads.count = -1;
  PairOptions pair_options;
  pair_options.threads.count = -1;
  const std::string text =
      "threads.count is -1; it must be 0, for all of the arena's threads, or more";
  const std::vector<Pair> list{{0, 1}};
  std::vector<std::uint8_t> one(1);
  ContactBuffer<3, float> contacts;
  DistanceBuffer<3, float> found;
  WorldDistanceBuffer<3, float> by_world;
  SupportBuffer<3, float> support;
  Workspace<3, float> workspace;
  Tracker<3, float> tracker;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(scene, kept, workspace);
  PlacedScene<3, float> placed;
  const std::vector<std::int32_t> ids{0};
  const float up[3] = {0, 0, 1};
  const auto direction = ColumnSpan<float, 3>::interleaved(up, 1);
  const auto sink = [](const ContactBuffer<3, float>&) {};
  PairWorkspace<3, float> pair_workspace;
  BoundsTree<3, float> tree;
  BoundsBuffer<3, float> boxes;
  Column<Pair> pairs;
  const auto refuses = [&](const char* call, const auto& action) {
    EXPECT_EQ(error_of(action), text) << call;
  };
  refuses("collide", [&] { collide<3, float>(scene, contacts, workspace, options); });
  refuses("static", [&] { collide<3, float>(scene, kept, contacts, workspace, options); });
  refuses("build", [&] { build_static_scene<3, float>(scene, kept, workspace, options); });
  refuses("tracker", [&] { collide<3, float>(scene, contacts, workspace, tracker, options); });
  refuses("pairs", [&] { collide_pairs<3, float>(scene, list, contacts, workspace, options); });
  refuses("test", [&] { test_pairs<3, float>(scene, list, one, workspace, options); });
  refuses("distances", [&] { distances<3, float>(scene, list, found, workspace, options); });
  refuses("stream", [&] { stream_collide<3, float>(scene, sink, workspace, options); });
  refuses("any", [&] { any_contact<3, float>(scene, one, workspace, options); });
  refuses("min", [&] { min_distance<3, float>(scene, by_world, workspace, options); });
  refuses("support", [&] {
    support_points<3, float>(scene, ids, direction, support, workspace, options);
  });
  refuses("begin_step", [&] { begin_step<3, float>(scene, list, tracker, options); });
  begin_step<3, float>(scene, list, tracker);
  refuses("end_step", [&] { end_step<3, float>(contacts, tracker, options); });
  refuses("place", [&] { place<3, float>(scene, {}, placed, options.threads); });
  update_bounds<3, float>(scene, workspace);
  refuses("update_bounds", [&] { update_bounds<3, float>(scene, workspace, options); });
  update_bounds<3, float>(scene, workspace);
  refuses("find_pairs", [&] { find_pairs<3, float>(scene, workspace, options); });
  refuses("find_contacts",
          [&] { find_contacts<3, float>(scene, list, contacts, workspace, options); });
  refuses("boxes", [&] {
    find_pairs<3, float>(boxes, {}, {}, pairs, pair_workspace, pair_options);
  });
  refuses("build_tree", [&] {
    build_tree<3, float>(boxes, {}, {}, tree, pair_workspace, pair_options);
  });
  refuses("tree", [&] {
    find_pairs<3, float>(tree, boxes, {}, pairs, pair_workspace, pair_options);
  });
}

// --- worlds ---

/// Three balls that touch one another, one of them in another world.
template <int D, class T>
SceneColumns<D, T> with_world(std::int32_t world) {
  SceneColumns<D, T> scene;
  for (int i = 0; i < 3; ++i) append(scene, ball<D>({0.5 * i}, 1));
  for_each_table(scene, [&](auto& table) {
    if (std::remove_cvref_t<decltype(table)>::kind != Kind::sphere) return;
    for (const std::int32_t of : {0, world, 0}) table.world.push_back({of});
  });
  return scene;
}

template <int D, class T>
void check_worlds_without_bound() {
  constexpr std::int32_t kFew = 1 << 24;  // 64 * 3 is less
  const std::string name = D == 2 ? "circle" : "sphere";
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  Tracker<D, T> tracker;
  WorldDistanceBuffer<D, T> least;
  StaticScene<D, T> kept;
  for (const std::int32_t world : {kFew, 2147483646}) {
    const SceneColumns<D, T> scene = with_world<D, T>(world);
    const SceneColumns<D, T> near = with_world<D, T>(1);
    const auto text = [&](const std::string& what, int shapes = 3) {
      return name + ".world[1] is " + std::to_string(world) + "; " + what +
             " takes room for every world up to the largest, of " + std::to_string(shapes) +
             " shapes for worlds below 16777216; number the worlds from 0 on without large gaps";
    };
    std::vector<std::uint8_t> one(1);
    CollideOptions by_world, masked, told;
    by_world.order = Order::world;
    masked.world_mask = one;
    told.world_status = one;
    EXPECT_EQ(error_of([&] { any_contact<D, T>(scene, one, workspace); }), text("any_contact"));
    EXPECT_EQ(error_of([&] { min_distance<D, T>(scene, least, workspace); }),
              text("min_distance"));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, by_world); }),
              text("order world"));
    EXPECT_EQ(contacts.size(), 0u);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, masked); }),
              text("world_mask"));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, told); }),
              text("world_status"));
    // Either a static scene or what moves over it may have it.
    build_static_scene<D, T>(near, kept, workspace);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, kept, contacts, workspace, by_world); }),
              text("order world", 6));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, kept, contacts, workspace, masked); }),
              text("world_mask", 6));
    build_static_scene<D, T>(scene, kept, workspace);
    EXPECT_EQ(error_of([&] { collide<D, T>(near, kept, contacts, workspace, by_world); }),
              text("order world", 6));
    EXPECT_EQ(error_of([&] { collide<D, T>(near, kept, contacts, workspace, told); }),
              text("world_status", 6));
    // The others take no room by it: ball 1 is alone, 0 and 2 are at distance 1 with radii of 1.
    for (const Order order : {Order::kind, Order::source, Order::id}) {
      CollideOptions options;
      options.order = order;
      collide<D, T>(scene, contacts, workspace, options);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_EQ(contacts.depth[0], 1);
      collide<D, T>(scene, contacts, workspace, tracker, options);
      EXPECT_EQ(contacts.size(), 1u);
      collide<D, T>(near, kept, contacts, workspace, options);
      EXPECT_GT(contacts.size(), 1u);
    }
    EXPECT_LT(workspace.bytes() + tracker.bytes() + kept.bytes(), std::size_t{1} << 22);
  }
  // The largest world that is answered.
  const SceneColumns<D, T> scene = with_world<D, T>(kFew - 1);
  CollideOptions options;
  options.order = Order::world;
  collide<D, T>(scene, contacts, workspace, options);
  EXPECT_EQ(contacts.world_offset.size(), static_cast<std::size_t>(kFew) + 1);
  std::vector<std::uint8_t> is_contact(kFew);
  any_contact<D, T>(scene, is_contact, workspace);
  EXPECT_EQ(is_contact[0], 1);
  EXPECT_EQ(is_contact[kFew - 1], 0);
}

TEST(borders, worlds_without_bound) {
  static_assert(most_worlds(3) == 1 << 24 && most_worlds(1 << 18) == 1 << 24);
  static_assert(most_worlds(1 << 20) == 1 << 26);
  check_worlds_without_bound<2, double>();
  check_worlds_without_bound<3, float>();
}

// --- numbers in messages ---

TEST(borders, numbers_have_the_digits_that_tell_them_apart) {
  // A margin of 1e-8 beside one of 2e-8; with six decimals both would be 0.
  SceneColumns<3, double> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  StaticScene<3, double> kept;
  Workspace<3, double> workspace;
  ContactBuffer<3, double> contacts;
  CollideOptions options;
  options.margin = 1e-8;
  build_static_scene<3, double>(scene, kept, workspace, options);
  options.margin = 2e-8;
  std::string text;
  try {
    collide<3, double>(scene, kept, contacts, workspace, options);
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_EQ(text,
            "the margin is 2e-08; the static scene was built for margins up to 1e-08, so build it "
            "with the largest one");
  // A periodic axis 1e-9 long, and boxes of twice that.
  BoundsBuffer<2, double> boxes;
  for (int i = 0; i < 2; ++i) {
    boxes.min.push_back({0, 0});
    boxes.max.push_back({2e-9, 1});
  }
  Domain<2, double> domain;
  domain.max = {1e-9, 1};
  domain.periodic = {true, false};
  Column<Pair> pairs;
  PairWorkspace<2, double> scratch;
  EXPECT_EQ(error_of([&] { find_pairs<2, double>(boxes, {}, domain, pairs, scratch); }),
            "domain.max[0] is 1e-09, which makes the axis 1e-09 long; a periodic axis must be "
            "longer than the two largest widths of bounds along it together, 2e-09 and 2e-09");
  domain.min = {3e-9, 0};
  EXPECT_EQ(error_of([&] { find_pairs<2, double>(boxes, {}, domain, pairs, scratch); }),
            "domain.max[0] is 1e-09 with domain.min 3e-09; a periodic axis must be finite and "
            "longer than 0");
}

}  // namespace
}  // namespace widephase::test
