// Bad input is refused with a sentence that names array and row, and nothing is half done.
// Labels: plain

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include <widephase/bodies.hpp>
#include <widephase/static_scene.hpp>

#include "support/error_of.hpp"
#include "support/polygons.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Three shapes of each kind that has kernels, all valid.
template <int D>
void add_valid(SceneColumns<D, float>& scene) {
  for (int i = 0; i < 3; ++i) {
    append(scene, ball<D>({1.0 * i}, 1));
    append(scene, capsule<D>({1.0 * i}, {1.0 * i + 1, 1}, 0.5));
    append(scene, aabb<D>({1.0 * i}, {1.0 * i + 1, 1}));
    append(scene, halfspace<D>({1}, -5.0 - i));
  }
}

template <int D>
struct BadInput {
  const char* name;
  std::string array;  ///< what the finding names, or how its name begins ("aabb.")
  std::int64_t row;
  std::function<void(SceneColumns<D, float>&)> spoil;
};

template <int D>
void expect_refused(const BadInput<D>& bad) {
  SCOPED_TRACE(bad.name);
  SceneColumns<D, float> good;
  add_valid(good);
  ContactBuffer<D, float> contacts;
  Workspace<D, float> workspace;
  collide<D, float>(good, contacts, workspace);
  const std::size_t good_count = contacts.size();
  ASSERT_GT(good_count, 0u);
  ASSERT_TRUE((validate<D, float>(good).empty()));

  SceneColumns<D, float> scene;
  add_valid(scene);
  bad.spoil(scene);
  const auto check = [&](const std::function<void()>& call, const char* function) {
    SCOPED_TRACE(function);
    try {
      call();
      FAIL() << "no error";
    } catch (const Error& error) {
      ASSERT_TRUE(error.finding().has_value()) << error.what();
      const Finding& finding = *error.finding();
      EXPECT_EQ(finding.array.substr(0, bad.array.size()), bad.array) << error.what();
      if (bad.array.back() != '.') {
        EXPECT_EQ(finding.array, bad.array) << error.what();
      }
      EXPECT_EQ(finding.row, bad.row) << error.what();
      EXPECT_EQ(std::string(error.what()), finding.text());
      EXPECT_GT(finding.message.size(), 10u) << error.what();
      EXPECT_EQ(contacts.size(), 0u);
      EXPECT_EQ(contacts.point_count(), 0u);
    }
  };
  check([&] { collide<D, float>(scene, contacts, workspace); }, "collide");
  const std::vector<Pair> pairs{{0, 1}};
  collide<D, float>(good, contacts, workspace);
  EXPECT_EQ(contacts.size(), good_count);
  if (bad.array != "excluded") {
    check([&] { collide_pairs<D, float>(scene, pairs, contacts, workspace); }, "collide_pairs");
  }
  const std::vector<Finding> findings = validate<D, float>(scene, 0, 10);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].row, bad.row);

  // The workspace may be used in the next call.
  collide<D, float>(good, contacts, workspace);
  EXPECT_EQ(contacts.size(), good_count);
}

template <int D>
std::vector<BadInput<D>> bad_inputs() {
  const std::string ball_name(kind_name(Kind::sphere, D));
  using Scene = SceneColumns<D, float>;
  return {
      {"NaN in a centre", ball_name + ".center", 1, [](Scene& s) { balls(s).center(1, 1) = kNan; }},
      {"infinite centre", ball_name + ".center", 2,
       [](Scene& s) { balls(s).center(2, 0) = -kInfinity; }},
      {"negative radius", ball_name + ".radius", 2, [](Scene& s) { balls(s).radius[2] = -0.5f; }},
      {"NaN radius", ball_name + ".radius", 0, [](Scene& s) { balls(s).radius[0] = kNan; }},
      {"infinite radius", ball_name + ".radius", 0,
       [](Scene& s) { balls(s).radius[0] = kInfinity; }},
      {"radius too few", ball_name + ".radius", -1, [](Scene& s) { balls(s).radius.resize(2); }},
      {"radius too many", ball_name + ".radius", -1, [](Scene& s) { balls(s).radius.resize(4); }},
      {"radius missing", ball_name + ".radius", -1, [](Scene& s) { balls(s).radius.clear(); }},
      {"worlds too few", ball_name + ".world", -1,
       [](Scene& s) {
         balls(s).world = {0, 0};
       }},
      {"world below -1", ball_name + ".world", 1,
       [](Scene& s) {
         balls(s).world = {-1, -2, 0};
       }},
      {"owner below -1", "aabb.owner", 2,
       [](Scene& s) {
         s.aabbs.owner = {-1, 0, -7};
       }},
      {"fixed neither 0 nor 1", "capsule.fixed", 0,
       [](Scene& s) {
         s.capsules.fixed = {2, 0, 1};
       }},
      {"negative margin", "capsule.margin", 1,
       [](Scene& s) {
         s.capsules.margin = {0, -0.25f, 0};
       }},
      {"NaN margin", "halfspace.margin", 2,
       [](Scene& s) {
         s.halfspaces.margin = {0, 0, kNan};
       }},
      {"NaN end", "capsule.b", 0, [](Scene& s) { s.capsules.b(0, D - 1) = kNan; }},
      {"infinite end", "capsule.a", 2, [](Scene& s) { s.capsules.a(2, 0) = kInfinity; }},
      {"negative capsule radius", "capsule.radius", 1,
       [](Scene& s) { s.capsules.radius[1] = -1e-30f; }},
      {"ends of other lengths", "capsule.b", -1, [](Scene& s) { s.capsules.b.resize(2); }},
      {"min beyond max", "aabb.", 1, [](Scene& s) { s.aabbs.min(1, 1) = 1.5f; }},
      {"NaN in an aabb", "aabb.max", 2, [](Scene& s) { s.aabbs.max(2, 0) = kNan; }},
      {"infinite aabb", "aabb.min", 0, [](Scene& s) { s.aabbs.min(0, 0) = -kInfinity; }},
      {"normal too long", "halfspace.normal", 1,
       [](Scene& s) { s.halfspaces.normal(1, 0) = 1.0002f; }},
      {"normal of no length", "halfspace.normal", 0,
       [](Scene& s) { s.halfspaces.normal(0, 0) = 0; }},
      {"NaN normal", "halfspace.normal", 2, [](Scene& s) { s.halfspaces.normal(2, 1) = kNan; }},
      {"NaN offset", "halfspace.offset", 0, [](Scene& s) { s.halfspaces.offset[0] = kNan; }},
      {"excluded id out of range", "excluded", 1,
       [](Scene& s) {
         s.excluded = {{0, 1}, {0, 12}};
       }},
      {"negative excluded id", "excluded", 0,
       [](Scene& s) {
         s.excluded = {{-1, 1}};
       }},
      {"no body excluded", "excluded_bodies", 1,
       [](Scene& s) {
         s.excluded_bodies = {{0, 7}, {-1, 1}};
       }},
      {"no owner excluded", "excluded_owners", 1,
       [](Scene& s) {
         s.excluded_owners = {{0, 7}, {-1, 1}};
       }},
  };
}

TEST(validate, names_array_and_row_in_2d) {
  for (const auto& bad : bad_inputs<2>()) expect_refused(bad);
}
TEST(validate, names_array_and_row_in_3d) {
  for (const auto& bad : bad_inputs<3>()) expect_refused(bad);
}

TEST(validate, bodies_that_are_excluded_are_there) {
  // Circles of bodies 0 and 1. Without poses of bodies the numbers are those of a filter.
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {1, 0}};
  scene.circles.radius = {1, 1};
  scene.circles.body = {0, 1};
  scene.excluded_bodies = {{0, 1}, {1, 9999}};
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  collide<2, float>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
  scene.bodies.position = {{0, 0}, {0, 0}};
  const std::string text =
      "excluded_bodies[1] names body 9999; the scene has 2 bodies, counted from 0";
  ASSERT_EQ((validate<2, float>(scene).size()), 1u);
  EXPECT_EQ((validate<2, float>(scene)[0].text()), text);
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace); }), text);
  // No mask of worlds cures it.
  const std::vector<std::uint8_t> mask{1};
  CollideOptions options;
  options.world_mask = mask;
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace, options); }), text);
  SceneColumns<2, float> farm;
  EXPECT_EQ(error_of([&] { replicate(scene, 2, farm); }), text);
  // Behind them are the bodies of a static scene.
  SceneColumns<2, float> level = scene;
  level.excluded_bodies.clear();
  StaticScene<2, float> kept;
  build_static_scene<2, float>(level, kept, workspace);
  SceneSpan<2, float> both(scene);
  both.kept = &kept;
  EXPECT_EQ(
      error_of([&] { collide<2, float>(both, contacts, workspace); }),
      "excluded_bodies[1] names body 9999; the scene has 2 bodies and the static one 2 behind "
      "them, counted from 0");
  scene.excluded_bodies = {{0, 1}, {1, 3}};
  both = scene;
  both.kept = &kept;
  // Left are 0 with both static ones, and 1 with the first of these.
  collide<2, float>(both, contacts, workspace);
  EXPECT_EQ(contacts.size(), 3u);
}

TEST(validate, says_what_is_there_and_what_was_expected) {
  SceneColumns<3, float> scene;
  for (int i = 0; i < 20; ++i) append(scene, ball<3>({}, 1));
  scene.spheres.radius[17] = -0.5f;
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  try {
    collide<3, float>(scene, contacts, workspace);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("sphere.radius[17] is -0.5"), 0u) << text;
    EXPECT_NE(text.find("radius must be"), std::string::npos) << text;
  }
}

TEST(validate, the_first_offender_comes_first_and_all_are_found) {
  SceneColumns<2, float> scene;
  add_valid(scene);
  scene.aabbs.max(0, 0) = kNan;
  scene.circles.radius[2] = -1;
  scene.circles.radius[1] = -1;
  scene.capsules.radius[0] = kInfinity;
  const auto findings = validate<2, float>(scene, 0, 100);
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].text().find("circle.radius[1]"), 0u) << findings[0].text();
  EXPECT_EQ(findings[1].text().find("circle.radius[2]"), 0u) << findings[1].text();
  EXPECT_EQ(findings[2].text().find("capsule.radius[0]"), 0u) << findings[2].text();
  EXPECT_EQ(findings[3].text().find("aabb.max[0]"), 0u) << findings[3].text();
  EXPECT_EQ((validate<2, float>(scene, 0, 2).size()), 2u);
  EXPECT_EQ((validate<2, float>(scene).size()), 1u);
}

TEST(validate, margins_are_finite_and_not_negative) {
  SceneColumns<2, float> scene;
  add_valid(scene);
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  for (const double margin : {-0.5, -1e-300, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
    CollideOptions options;
    options.margin = margin;
    try {
      collide<2, float>(scene, contacts, workspace, options);
      FAIL() << "no error for " << margin;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("margin"), std::string::npos) << error.what();
      EXPECT_EQ(contacts.size(), 0u);
    }
  }
}

TEST(validate, no_column_has_more_rows_than_there_are_integers) {
  const auto expect = [](const SceneSpan<3, float>& scene, const std::string& text) {
    const std::vector<Finding> findings = validate(scene, 0, 1);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings.front().text(), text);
    Workspace<3, float> workspace;
    ContactBuffer<3, float> contacts;
    EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace); }), text);
    SceneColumns<3, float> copy;
    EXPECT_EQ(error_of([&] { replicate<3, float>(scene, 1, copy); }), text);
  };
  const float zeros[3] = {};
  const std::int32_t ids[2] = {0, 1};
  for (const std::size_t rows : {std::size_t{1} << 31, std::size_t{1} << 59, ~std::size_t{0} / 2}) {
    const std::string text = " has " + std::to_string(rows) + " rows; it may have up to 2147483647";
    SceneColumns<3, float> columns;
    add_valid(columns);
    SceneSpan<3, float> scene(columns);
    scene.bodies.position = ColumnSpan<float, 3>::repeated(zeros, rows);
    expect(scene, "bodies.position" + text);
    scene = columns;
    scene.excluded = ColumnSpan<std::int32_t, 2>::repeated(ids, rows);
    expect(scene, "excluded" + text);
    scene = columns;
    scene.excluded_owners = ColumnSpan<std::int32_t, 2>::repeated(ids, rows);
    expect(scene, "excluded_owners" + text);
    scene = columns;
    scene.spheres.center = ColumnSpan<float, 3>::repeated(zeros, 2 * rows + 1);
    Workspace<3, float> workspace;
    ContactBuffer<3, float> contacts;
    EXPECT_THROW((collide<3, float>(scene, contacts, workspace)), Error);
  }
}

TEST(validate, counts_of_worlds_stay_within_integers) {
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}};
  scene.circles.radius = {1};
  scene.circles.world = {2147483646};
  EXPECT_EQ((world_count<2, float>(scene)), 2147483647);
  EXPECT_TRUE((validate<2, float>(scene).empty()));
  scene.circles.world = {2147483647};
  EXPECT_EQ((world_count<2, float>(scene)), 2147483647);
  EXPECT_FALSE((validate<2, float>(scene).empty()));
}

TEST(validate, pairs_name_two_shapes_of_the_scene) {
  SceneColumns<3, float> scene;
  add_valid(scene);
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  struct Case {
    std::vector<Pair> pairs;
    std::int64_t row;
  };
  const std::vector<Case> cases{{{{0, 1}, {0, 12}}, 1},
                                {{{0, 1}, {1, 2}, {-1, 3}}, 2},
                                {{{4, 4}}, 0},
                                {{{2147483647, 0}}, 0}};
  for (const auto& [pairs, row] : cases) {
    const auto check = [&, row = row](const std::function<void()>& call) {
      try {
        call();
        FAIL() << "no error";
      } catch (const Error& error) {
        ASSERT_TRUE(error.finding().has_value()) << error.what();
        EXPECT_EQ(error.finding()->array, "pairs") << error.what();
        EXPECT_EQ(error.finding()->row, row) << error.what();
      }
    };
    const std::vector<Pair> list = pairs;
    collide<3, float>(scene, contacts, workspace);
    check([&] { collide_pairs<3, float>(scene, list, contacts, workspace); });
    EXPECT_EQ(contacts.size(), 0u);
    std::vector<std::uint8_t> is_contact(list.size());
    check([&] { test_pairs<3, float>(scene, list, is_contact, workspace); });
    update_bounds<3, float>(scene, workspace);
    check([&] { find_contacts<3, float>(scene, list, contacts, workspace); });
    const auto findings = validate_pairs(layout_of(scene), list, 10);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].row, row);
  }
}

TEST(validate, test_pairs_wants_an_answer_a_pair) {
  SceneColumns<3, float> scene;
  add_valid(scene);
  Workspace<3, float> workspace;
  const std::vector<Pair> pairs{{0, 1}, {1, 2}};
  std::vector<std::uint8_t> is_contact(1);
  EXPECT_THROW((test_pairs<3, float>(scene, pairs, is_contact, workspace)), Error);
}

TEST(validate, every_kind_has_kernels) {
  // A ball, a corner of a hull and a cylinder about the origin: each meets both others.
  SceneColumns<3, float> scene;
  append(scene, ball<3>({}, 1));
  append(scene, hull({}, {0, 0, 0, 1}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0));
  append(scene, cylinder({}, {0, 0, 0, 1}, 1, 1));
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  collide<3, float>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 3u);
}

/// Three boxes that overlap one another.
SceneColumns<3, float> three_boxes() {
  SceneColumns<3, float> scene;
  for (int i = 0; i < 3; ++i) {
    append(scene, box({1.0 * i, 0, 0}, {0, 0, 0.6, 0.8}, {1, 1, 1}, 0.25));
  }
  return scene;
}

TEST(validate, boxes_in_space_are_refused_by_array_and_row) {
  struct Case {
    std::string text;  ///< how the sentence begins
    std::function<void(Boxes<Owned<3, float>>&)> spoil;
  };
  const std::vector<Case> cases{
      // 0.6 squared and 0.8 squared are 1; half a unit more adds a quarter.
      {"box.turn[2] has squared length 1.25", [](auto& boxes) { boxes.turn(2, 0) = 0.5f; }},
      {"box.turn[2] has squared length 0.64", [](auto& boxes) { boxes.turn(2, 2) = 0; }},
      {"box.turn[1] has squared length 0;",
       [](auto& boxes) { boxes.turn(1, 2) = boxes.turn(1, 3) = 0; }},
      {"box.turn[0]", [](auto& boxes) { boxes.turn(0, 3) = kNan; }},
      {"box.turn[0]", [](auto& boxes) { boxes.turn(0, 1) = kInfinity; }},
      {"box.half_extents[1]", [](auto& boxes) { boxes.half_extents(1, 2) = -0.5f; }},
      {"box.half_extents[0]", [](auto& boxes) { boxes.half_extents(0, 0) = kInfinity; }},
      {"box.radius[2] is -0.25", [](auto& boxes) { boxes.radius[2] = -0.25f; }},
      {"box.center[1]", [](auto& boxes) { boxes.center(1, 1) = kNan; }},
  };
  for (const auto& [text, spoil] : cases) {
    SceneColumns<3, float> scene = three_boxes();
    spoil(scene.boxes);
    EXPECT_EQ(error_of([&scene = scene] {
                ContactBuffer<3, float> contacts;
                Workspace<3, float> workspace;
                collide<3, float>(scene, contacts, workspace);
              }).substr(0, text.size()),
              text);
    const auto findings = validate<3, float>(scene, 0, 10);
    ASSERT_EQ(findings.size(), 1u) << text;
    EXPECT_EQ(findings[0].text().substr(0, text.size()), text);
  }
}

TEST(validate, ellipsoids_cones_and_roundings_are_refused_by_array_and_row) {
  using Scene = SceneColumns<3, float>;
  const auto good = [] {
    Scene scene;
    scene.ellipsoids.center = scene.cones.center = scene.cylinders.center = {{0, 0, 0}, {9, 0, 0}};
    scene.ellipsoids.turn = scene.cones.turn =
        scene.cylinders.turn = {{0, 0, 0.6f, 0.8f}, {0, 0, 0.6f, 0.8f}};
    scene.ellipsoids.half_extents = {{1, 2, 3}, {1, 2, 0}};
    scene.cones.half_height = scene.cylinders.half_height = {1, 0};
    scene.cones.radius = scene.cylinders.radius = {1, 0};
    scene.ellipsoids.rounding = scene.cones.rounding = scene.cylinders.rounding = {0.5f, 0};
    return scene;
  };
  ASSERT_TRUE((validate<3, float>(good()).empty()));
  struct Case {
    std::string text;  ///< how the sentence begins
    std::function<void(Scene&)> spoil;
  };
  const std::vector<Case> cases{
      {"ellipsoid.rounding[1] is -0.25; rounding must be a finite number >= 0",
       [](Scene& s) { s.ellipsoids.rounding[1] = -0.25f; }},
      {"cone.rounding[0] is -0.25; rounding", [](Scene& s) { s.cones.rounding[0] = -0.25f; }},
      {"cylinder.rounding[1]", [](Scene& s) { s.cylinders.rounding[1] = kNan; }},
      {"cylinder.rounding[0]", [](Scene& s) { s.cylinders.rounding[0] = kInfinity; }},
      {"ellipsoid.half_extents[1]", [](Scene& s) { s.ellipsoids.half_extents(1, 2) = -1; }},
      {"ellipsoid.half_extents[0]", [](Scene& s) { s.ellipsoids.half_extents(0, 0) = kNan; }},
      {"ellipsoid.turn[1] has squared length 0.64", [](Scene& s) { s.ellipsoids.turn(1, 2) = 0; }},
      {"ellipsoid.center[0]", [](Scene& s) { s.ellipsoids.center(0, 1) = kInfinity; }},
      {"cone.turn[0] has squared length 1.25", [](Scene& s) { s.cones.turn(0, 0) = 0.5f; }},
      {"cone.half_height[0] is -1", [](Scene& s) { s.cones.half_height[0] = -1; }},
      {"cone.radius[1]", [](Scene& s) { s.cones.radius[1] = kNan; }},
      {"cone.center[1]", [](Scene& s) { s.cones.center(1, 0) = kNan; }},
      {"ellipsoid.half_extents", [](Scene& s) { s.ellipsoids.half_extents.clear(); }},
      {"cone.radius", [](Scene& s) { s.cones.radius.clear(); }},
      {"cylinder.rounding", [](Scene& s) { s.cylinders.rounding = {1}; }},
  };
  for (const auto& [text, spoil] : cases) {
    Scene scene = good();
    spoil(scene);
    const std::string error = error_of([&scene] {
      ContactBuffer<3, float> contacts;
      Workspace<3, float> workspace;
      collide<3, float>(scene, contacts, workspace);
    });
    EXPECT_EQ(error.substr(0, text.size()), text);
    const auto findings = validate<3, float>(scene, 0, 10);
    ASSERT_EQ(findings.size(), 1u) << text;
    EXPECT_EQ(findings[0].text().substr(0, text.size()), text);
  }
}

/// Every number of a row of every kind, one after the other, is NaN or infinite.
template <int D, class T>
void expect_numbers_that_are_none_found() {
  SceneColumns<D, T> scene;
  add_mixed(scene, {100, 91});
  add_tags(scene, 3, 92);
  std::vector<std::uint8_t> world_status(3);
  CollideOptions options;
  options.world_status = world_status;
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  std::size_t spoilt = 0;
  for_each_table(scene, [&](auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    if (!has_kind(D, Table::kind)) return;
    // A row of a world of its own.
    std::size_t row = 0;
    while (row < table.world.size() && table.world[row] < 0) ++row;
    ASSERT_LT(row, table.world.size());
    const auto world = static_cast<std::size_t>(table.world[row]);
    for_each_field(table, [&](const Field& field, auto& column) {
      using C = std::remove_cvref_t<decltype(column)>;
      using Number = typename C::value_type;
      if constexpr (std::is_floating_point_v<Number>) {
        const std::string array =
            std::string(kind_name(Table::kind, D)) + "." + std::string(field.name);
        ASSERT_LT(row, column.size()) << array;
        for (int k = 0; k < C::width; ++k) {
          Number& number = column.plane(k)[row];
          const Number before = number;
          for (const Number wrong :
               {std::numeric_limits<Number>::quiet_NaN(), std::numeric_limits<Number>::infinity(),
                -std::numeric_limits<Number>::infinity()}) {
            number = wrong;
            const auto findings = validate<D, T>(scene, 0, 2);
            ASSERT_EQ(findings.size(), 1u) << array;
            EXPECT_EQ(findings[0].array, array);
            EXPECT_EQ(findings[0].row, static_cast<std::int64_t>(row)) << array;
            EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace); }),
                      findings[0].text());
            collide<D, T>(scene, contacts, workspace, options);
            for (std::size_t w = 0; w < world_status.size(); ++w) {
              EXPECT_EQ(world_status[w], w == world ? 1 : 0) << array << " in world " << world;
            }
            ++spoilt;
          }
          number = before;
        }
      }
    });
  });
  EXPECT_TRUE((validate<D, T>(scene).empty()));
  // Each kind has at least a place and a size.
  EXPECT_GE(spoilt, 3 * (D + 1) * kinds(D).size());
}

TEST(validate, nan_and_infinity_are_found_in_every_number_of_every_kind) {
  expect_numbers_that_are_none_found<2, float>();
  expect_numbers_that_are_none_found<2, Mixed>();
  expect_numbers_that_are_none_found<3, float>();
  expect_numbers_that_are_none_found<3, double>();
  expect_numbers_that_are_none_found<3, Mixed>();
}

TEST(validate, messages_name_members_and_findings_columns) {
  // A quaternion with squared length 2: the member is boxes.turn, the column in files
  // box.orientation.
  SceneColumns<3, float> scene = three_boxes();
  scene.boxes.turn.set(1, {0, 0, 1, 1});
  const Finding turn = validate<3, float>(scene).front();
  EXPECT_EQ(turn.array, "box.orientation");
  EXPECT_EQ(turn.text(), "box.turn[1] has squared length 2; it must be 1 within 1e-4");
  EXPECT_EQ(turn.text_in({}), "box.orientation[1] has squared length 2; it must be 1 within 1e-4");
  EXPECT_EQ(Error(turn).what(), turn.text());
  // In 2D: a NaN among the angles, and a single point set whose end is before its begin.
  SceneColumns<2, float> flat;
  flat.boxes.center = {{0, 0}};
  flat.boxes.half_extents = {{1, 1}};
  flat.boxes.turn = {kNan};
  EXPECT_EQ((validate<2, float>(flat).front().text()),
            "box.turn[0] is nan; turn must be a finite number");
  flat.boxes.turn = {0};
  flat.geometries.offsets = {1, 1};
  const Finding offsets = validate<2, float>(flat).front();
  EXPECT_EQ(offsets.array, "polygons.offsets");
  EXPECT_EQ(offsets.text(), "geometries.offsets[0] is 1; the first geometry begins at 0");
}

TEST(validate, orientations_near_unit_length_are_normalized) {
  // The squared length is too large by 5e-5, the length by half of that. Without normalization the
  // boxes would reach 5e-5 of their extents farther.
  SceneColumns<3, double> exact, near;
  for (const double length : {1.0, 1.000025}) {
    SceneColumns<3, double>& scene = length == 1 ? exact : near;
    append(scene, box({0, 0, 0}, {0, 0, 0, length}, {1, 1, 1}));
    append(scene, box({0, 0, 1.75}, {0, 0, 0.6 * length, 0.8 * length}, {1, 1, 1}));
  }
  for (const SceneColumns<3, double>* scene : {&exact, &near}) {
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide<3, double>(*scene, contacts, workspace);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts.depth[0], 0.25, 1e-14);
    EXPECT_EQ(contacts.point_count(), 4u);
  }
  near.boxes.turn(1, 0) = 0.0101;  // its square alone is 1.02e-4
  EXPECT_EQ(validate<3>(SceneSpan<3, double>(near)).size(), 1u);
}

TEST(validate, what_is_on_the_edge_of_the_rules_is_accepted) {
  SceneColumns<2, float> scene;
  append(scene, ball<2>({0, 0}, 0));
  append(scene, ball<2>({1e30, -1e30}, 0));
  append(scene, capsule<2>({1, 1}, {1, 1}, 0));
  append(scene, aabb<2>({2, 2}, {2, 2}));
  append(scene, halfspace<2>({0, 1.00004}, -3));
  scene.circles.world = {-1, 5000000};
  scene.circles.mask = {0, 0};
  EXPECT_TRUE((validate<2, float>(scene).empty()));
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  collide<2, float>(scene, contacts, workspace);
}

}  // namespace
}  // namespace widephase::test
