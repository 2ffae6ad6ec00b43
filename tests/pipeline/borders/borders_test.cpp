// Arrays of a caller are checked before they are read: without an address, or with strides that no
// row can have. Each is refused by its name, as C does.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <widephase/bodies.hpp>
#include <widephase/bounds_tree.hpp>
#include <widephase/chains.hpp>
#include <widephase/closest.hpp>
#include <widephase/decompose.hpp>
#include <widephase/distance.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>
#include <widephase/meshes.hpp>
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

/// As many numbers as any column below reads; an address in it that is not a multiple of 2.
alignas(64) std::byte numbers[1024];

/// A fault of a column of `kRows` rows, and its message.
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
    // A number is too short for a row of several: row 1 would start inside row 0.
    {"short stride", false, 0, [](int, int size) { return std::ptrdiff_t{size}; },
     [](int width, int size) {
       return "is given with a stride of " + std::to_string(size) + " bytes, but a row has " +
              std::to_string(width * size) +
              "; rows must not overlap (a stride of 0 repeats one)";
     }},
};

/// Whether columns of this width and size can have the fault.
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

/// For each column: spoils it, calls `check(array, column)`, and restores it.
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

/// Two shapes of every kind with every column, two bodies, lists of two rows, two geometries, in 3D
/// a height field and a mesh, in 2D a chain.
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
  if constexpr (D == 2) {
    const Column<SizeOf<T>, 2> line{{1, 0}, {0, 0}};
    add_chain(scene.chain_geometries, line.span());
  }
  if constexpr (D == 3) {
    const std::vector<SizeOf<T>> level(4, 0);
    add_heightfield(scene.heightfield_geometries, ColumnSpan<SizeOf<T>>(level), 2, 1, 1);
    const Column<SizeOf<T>, 3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const Column<std::int32_t, 3> triangle{{0, 1, 2}};
    add_mesh(scene.mesh_geometries, corners.span(), triangle.span());
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
  // A quaternion array of length 0 needs no address.
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
  // An empty list without an address is valid.
  collide_pairs<3, float>(scene, nowhere<const Pair>(0), contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

}  // namespace
}  // namespace widephase::test
