// Readers and writers of every file format: what they accept, what they refuse, and their messages.
// Labels: plain

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/npz_bytes.hpp"
#include "support/own_folder.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/npz.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/page/view_contacts.hpp"
#include "tools/robots/joint_values.hpp"

namespace {

namespace fs = std::filesystem;
using namespace widephase;
using namespace widephase::test;
using namespace widephase::tools;

class files : public widephase::test::OwnFolder {
 protected:
  static SceneFile load(const std::string& path, const ReadOptions& options = {}) {
    return read_scene(path, detect_format(path), options);
  }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  static std::string load_error(const std::string& path, const ReadOptions& options = {}) {
    return error_of([&] { load(path, options); });
  }
  static void save(const SceneFile& scene, const std::string& path) {
    OutputFile file(path);
    write_scene(scene, output_format(path), file);
    file.commit();
  }
  static std::size_t files_in_folder() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator("."), fs::directory_iterator()));
  }

 private:
};

const std::vector<double> kTwoCentres{0, 0, 3, 0};
const std::vector<double> kTwoRadii{1, 2};

ZipEntry centres() { return {"circle.center.npy", npy("<f8", "(2, 2)", bytes_of(kTwoCentres))}; }
ZipEntry radii() { return {"circle.radius.npy", npy("<f8", "(2,)", bytes_of(kTwoRadii))}; }

template <class T>
std::vector<T> numbers(const SceneFile& scene, const std::string& name) {
  const Array* array = scene.find(name);
  if (array == nullptr || array->type() != type_of<T>()) return {};
  const auto values = array->values<T>();
  return {values.begin(), values.end()};
}

// Archives.

TEST_F(files, npz_stored_is_read_in_every_npy_version) {
  for (const int version : {1, 2, 3}) {
    write("scene.npz",
          stored_zip({{"circle.center.npy", npy("<f8", "(2, 2)", bytes_of(kTwoCentres), version)},
                      radii()}));
    const SceneFile scene = load("scene.npz");
    EXPECT_EQ(scene.dimension(), 2);
    EXPECT_EQ(numbers<double>(scene, "circle.center"), kTwoCentres);
    SceneColumns<2, double> columns;
    scene.to_columns(columns);
    EXPECT_EQ(columns.circles.center(1, 0), 3);
    EXPECT_EQ(columns.circles.radius[1], 2);
  }
}

TEST_F(files, npz_integers_of_any_width_become_tags_and_numbers) {
  const auto scene_with = [&](const std::string& type, const std::string& data) {
    write("scene.npz", stored_zip({centres(),
                                   radii(),
                                   {"circle.world.npy", npy(type, "(2,)", data)},
                                   {"circle.key.npy", npy(type, "(2,)", data)}}));
    const SceneFile scene = load("scene.npz");
    EXPECT_EQ(numbers<std::int32_t>(scene, "circle.world"), (std::vector<std::int32_t>{0, 7}));
    EXPECT_EQ(numbers<std::int64_t>(scene, "circle.key"), (std::vector<std::int64_t>{0, 7}));
  };
  scene_with("|i1", bytes_of<std::int8_t>({0, 7}));
  scene_with("<i2", bytes_of<std::int16_t>({0, 7}));
  scene_with("<i4", bytes_of<std::int32_t>({0, 7}));
  scene_with("<i8", bytes_of<std::int64_t>({0, 7}));
  scene_with("|u1", bytes_of<std::uint8_t>({0, 7}));
  scene_with("<u2", bytes_of<std::uint16_t>({0, 7}));
  scene_with("<u4", bytes_of<std::uint32_t>({0, 7}));
  scene_with("<u8", bytes_of<std::uint64_t>({0, 7}));
  scene_with("<f4", bytes_of<float>({0, 7}));
}

TEST_F(files, npz_truth_values_are_flags) {
  write(
      "scene.npz",
      stored_zip(
          {centres(), radii(), {"circle.fixed.npy", npy("|b1", "(2,)", std::string("\1\0", 2))}}));
  EXPECT_EQ(numbers<std::uint8_t>(load("scene.npz"), "circle.fixed"),
            (std::vector<std::uint8_t>{1, 0}));
}

TEST_F(files, npz_integers_that_do_not_fit_are_named_by_row) {
  write("scene.npz",
        stored_zip({centres(),
                    radii(),
                    {"circle.world.npy",
                     npy("<i8", "(2,)", bytes_of<std::int64_t>({0, std::int64_t{1} << 40}))}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: circle.world[1] is 1099511627776; expected an integer from -2147483648 to "
            "2147483647");
  write("scene.npz",
        stored_zip({centres(),
                    radii(),
                    {"circle.world.npy", npy("<f8", "(2,)", bytes_of<double>({0, .5}))}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: circle.world[1] is 0.5; expected an integer from -2147483648 to "
            "2147483647");
}

TEST_F(files, npz_arrays_of_other_kinds_are_refused) {
  const auto error_with = [&](const std::string& array) {
    write("scene.npz", stored_zip({{"circle.radius.npy", array}}));
    return load_error("scene.npz");
  };
  const std::string data = bytes_of(kTwoRadii);
  EXPECT_EQ(error_with(npy(">f8", "(2,)", data)),
            "scene.npz: circle.radius is big-endian (>f8); expected float32, float64, bool or "
            "integers, little-endian");
  EXPECT_EQ(error_with(npy("|O", "(2,)", data)),
            "scene.npz: circle.radius holds Python objects; expected float32, float64, bool or "
            "integers, little-endian");
  EXPECT_EQ(error_with(npy("<f2", "(2,)", data)),
            "scene.npz: circle.radius has the type \"<f2\"; expected float32, float64, bool or "
            "integers, little-endian");
  EXPECT_EQ(error_with(npy("<f8", "(3,)", data)),
            "scene.npz: circle.radius has the shape (3,), which takes 24 bytes; the archive holds "
            "16");
  EXPECT_EQ(error_with(npy("<f8", "(4611686018427387904, 4)", data)),
            "scene.npz: circle.radius has the shape (4611686018427387904, 4), more than memory can "
            "hold");
  EXPECT_EQ(error_with(npy("<f8", "(x,)", data)),
            "scene.npz: circle.radius has a malformed shape in its NPY header");
  EXPECT_EQ(error_with(npy("<f8", "(2,)", data, 9)),
            "scene.npz: circle.radius has NPY version 9; expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(error_with("no array at all"), "scene.npz: circle.radius is not an NPY array");
  EXPECT_EQ(error_with(""), "scene.npz: circle.radius is not an NPY array");
  EXPECT_EQ(error_with(npy("<f8", "(2,)", data).substr(0, 30)),
            "scene.npz: circle.radius ends within its NPY header");
}

TEST_F(files, npz_damage_is_one_sentence) {
  const std::string whole = stored_zip({centres(), radii()});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write("scene.npz", whole.substr(0, size));
    const std::string error = load_error("scene.npz");
    EXPECT_TRUE(error.starts_with("scene.npz: is not a complete zip archive ("))
        << size << " " << error;
  }
  // Changes every byte in turn: the result is an error that names the file, or no effect (a date, a
  // comment).
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write("scene.npz", damaged);
    const std::string error = load_error("scene.npz");
    EXPECT_TRUE(error == "no error" || error.starts_with("scene.npz: ")) << at << " " << error;
    EXPECT_EQ(error.find('\n'), error.npos);
  }
  std::string wrong_sum = whole;
  wrong_sum[whole.find("PK\x01\x02") - 1] ^= 1;  // the last byte of the last number
  write("scene.npz", wrong_sum);
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: circle.radius is corrupt in the archive (CRC error)");
}

TEST_F(files, npz_foreign_and_repeated_entries_are_refused) {
  write("scene.npz", stored_zip({centres(), radii(), {"readme.txt", "hello"}}));
  EXPECT_EQ(load_error("scene.npz"), "scene.npz: holds \"readme.txt\", which is not an .npy array");
  write("scene.npz", stored_zip({centres(), radii(), radii()}));
  EXPECT_EQ(load_error("scene.npz"), "scene.npz: circle.radius is there twice");
}

TEST_F(files, npz_entries_of_unknown_names_are_told_by_name_and_not_read) {
  // Arrays that are not wanted are not read, so their content does not matter.
  write("scene.npz", stored_zip({centres(), radii(), {"circle.colour.npy", "no array"}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: circle.colour is not an array of a 2D scene; did you mean circle.center?");
  write("scene.npz", stored_zip({{"gravity.npy", "no array"}, centres(), radii()}));
  EXPECT_TRUE(
      load_error("scene.npz").starts_with("scene.npz: gravity is not an array of a 2D scene"));
  // A contacts file has arrays that the page does not show.
  write("contacts.npz", stored_zip({{"pair.npy", npy("<i4", "(0, 2)", "")},
                                    {"source.npy", "no array"},
                                    {"normal.npy", npy("<f8", "(0, 2)", "")},
                                    {"depth.npy", npy("<f8", "(0,)", "")},
                                    {"offset.npy", npy("<i8", "(1,)", bytes_of<std::int64_t>({0}))},
                                    {"point.npy", npy("<f8", "(0, 2)", "")},
                                    {"point_depth.npy", npy("<f8", "(0,)", "")},
                                    {"feature.npy", npy("<u4", "(0,)", "")}}));
  EXPECT_EQ(read_view_contacts("contacts.npz", 2, 0).offset, std::vector<std::int32_t>{0});
}

// Names and shapes, whatever the format. JSON is the shortest way to write them down.

class scene_names : public files {
 protected:
  static std::string error_with(const std::string& json) {
    write("scene.json", json);
    return load_error("scene.json");
  }
};

TEST_F(scene_names, unknown_names_say_what_is_near) {
  EXPECT_EQ(error_with(R"({"circle": {"centre": [[0, 0]], "radius": [1]}})"),
            "scene.json: circle.centre is not an array of a 2D scene; did you mean circle.center?");
  EXPECT_EQ(
      error_with(R"({"dimension": 2, "sphere": {"center": [[0, 0]], "radius": [1]}})"),
      "scene.json: sphere.center is not an array of a 2D scene, whose kinds are circle, capsule, "
      "aabb, box, polygon, halfspace and chain");
  EXPECT_EQ(
      error_with(R"({"dimension": 3, "aabb": {"colour": [1]}})"),
      "scene.json: aabb.colour is not an array of a 3D scene; the columns of aabb are min, max, "
      "world, category, mask, owner, fixed, margin, key, body and name");
  EXPECT_EQ(error_with(R"({"dimension": 3, "gravity": [1]})"),
            "scene.json: gravity is not an array of a 3D scene; it has columns KIND.FIELD (kinds "
            "sphere, capsule, aabb, box, hull, cylinder, halfspace, ellipsoid, cone, "
            "heightfield and mesh), dimension, excluded, "
            "excluded_owners, excluded_bodies, pairs, domain.min, domain.max, domain.periodic, "
            "hulls.vertices, hulls.offsets, world.frame, bodies.name, bodies.position, "
            "bodies.orientation, heightfields.heights, heightfields.offsets, "
            "heightfields.columns, heightfields.cell, heightfields.neighbours, meshes.vertices, "
            "meshes.vertex_offsets, meshes.indices, meshes.triangle_offsets, "
            "meshes.two_sided and meshes.beyond");
}

TEST_F(scene_names, missing_columns_and_lengths) {
  EXPECT_EQ(error_with(R"({"capsule": {"a": [[0, 0]], "radius": [1]}})"),
            "scene.json: capsule.b is missing; a capsule needs a, b and radius");
  EXPECT_EQ(error_with(R"({"circle": {"center": [[0, 0], [1, 0]], "radius": [1, 1, 1]}})"),
            "scene.json: circle.radius has 3 rows and circle.center has 2; the columns of a kind "
            "are equally long");
  EXPECT_EQ(error_with(R"({"dimension": 2, "circle": {"center": [[0, 0, 0]], "radius": [1]}})"),
            "scene.json: circle.center has the shape (1, 3); expected (n, 2)");
  EXPECT_EQ(error_with(R"({"circle": {"center": [[0, 0]], "radius": [[1]]}})"),
            "scene.json: circle.radius has the shape (1, 1); expected (n,)");
  EXPECT_EQ(error_with(R"({"dimension": 2, "pairs": [[0, 1, 2]]})"),
            "scene.json: pairs has the shape (1, 3); expected (n, 2)");
  EXPECT_EQ(error_with(R"({"dimension": 2, "domain": {"min": [0, 0]}})"),
            "scene.json: domain.max is missing; domain.min needs it");
  EXPECT_EQ(error_with(R"({"dimension": 2, "domain": {"min": [0, 0, 0], "max": [1, 1]}})"),
            "scene.json: domain.min has the shape (3,); expected (2,)");
}

TEST_F(scene_names, dimension) {
  EXPECT_EQ(error_with("{}"),
            "scene.json: dimension is missing and no column tells it; expected 2 or 3");
  EXPECT_EQ(error_with(R"({"dimension": 4})"), "scene.json: dimension is 4; expected 2 or 3");
  EXPECT_EQ(error_with(R"({"dimension": [2, 2]})"),
            "scene.json: dimension has the shape (2,); expected one number, 2 or 3");
  EXPECT_EQ(
      error_with(R"({"circle": {"center": [[0, 0]], "radius": [1]}, "sphere": {"radius": [1]}})"),
      "scene.json: circle.center says that the scene has 2 dimensions and sphere.radius that "
      "it has 3; a scene has one of both");
  EXPECT_EQ(error_with(R"({"dimension": 3})"), "no error");  // an empty scene is valid
}

TEST_F(scene_names, geometries_and_domain_reach_the_scene) {
  write("scene.json", R"({"polygons": {"vertices": [[0, 0], [1, 0], [0, 1]], "offsets": [0, 3],
    "inner": [0, 1, 0]}, "polygon": {"center": [[5, 5]], "angle": [0.5], "geometry": [0]},
    "domain": {"min": [0, 0], "max": [10, 20], "periodic": [true, false]},
    "excluded": [[0, 0]], "excluded_owners": [[3, 4], [4, 5]], "excluded_bodies": [[6, 7]]})");
  SceneColumns<2, float> scene;
  load("scene.json").to_columns(scene);
  EXPECT_EQ(scene.geometries.vertices(1, 0), 1);
  EXPECT_EQ(scene.geometries.offsets[1], 3);
  EXPECT_EQ(scene.geometries.inner[1], 1);
  EXPECT_EQ(scene.polygons.turn[0], 0.5f);
  EXPECT_EQ(scene.domain.max[1], 20);
  EXPECT_TRUE(scene.domain.periodic[0]);
  EXPECT_FALSE(scene.domain.periodic[1]);
  EXPECT_EQ(scene.excluded.size(), 1u);
  ASSERT_EQ(scene.excluded_owners.size(), 2u);
  EXPECT_EQ(scene.excluded_owners.row(1), (std::array<std::int32_t, 2>{4, 5}));
  ASSERT_EQ(scene.excluded_bodies.size(), 1u);
  EXPECT_EQ(scene.excluded_bodies.row(0), (std::array<std::int32_t, 2>{6, 7}));
}

TEST_F(scene_names, precision_is_that_of_the_widest_column) {
  const std::vector<float> floats{0, 0, 1, 0};
  const ZipEntry narrow{"circle.center.npy", npy("<f4", "(2, 2)", bytes_of(floats))};
  const ZipEntry integers{"circle.radius.npy", npy("<i4", "(2,)", bytes_of<int>({1, 1}))};
  write("narrow.npz", stored_zip({narrow, integers}));
  EXPECT_EQ(load("narrow.npz").precision(), Precision::single);
  const std::int64_t beyond = (std::int64_t{1} << 24) + 1;  // the first that float lacks
  write(
      "large.npz",
      stored_zip({narrow,
                  {"circle.radius.npy", npy("<i8", "(2,)", bytes_of<std::int64_t>({1, beyond}))}}));
  EXPECT_EQ(load("large.npz").precision(), Precision::twofold);
  write("mixed.npz", stored_zip({narrow, radii()}));
  EXPECT_EQ(load("mixed.npz").precision(), Precision::twofold);
  write("scene.json", R"({"circle": {"center": [[0, 0]], "radius": 1}})");
  EXPECT_EQ(load("scene.json").precision(), Precision::twofold);
}

TEST_F(scene_names, positions_alone_in_double_are_mixed_precision) {
  const double far = 1e6 + 0x1p-20;
  const ZipEntry wide{"box.center.npy", npy("<f8", "(2, 2)", bytes_of<double>({far, 0, 3, 4}))};
  const ZipEntry wide_bodies{"bodies.position.npy", npy("<f8", "(1, 2)", bytes_of<double>({0, 0}))};
  const ZipEntry extents{"box.half_extents.npy",
                         npy("<f4", "(2, 2)", bytes_of<float>({1, 1, 1, 1}))};
  const ZipEntry angle{"box.angle.npy", npy("<i4", "(2,)", bytes_of<int>({0, 1}))};
  const ZipEntry wide_angle{"box.angle.npy", npy("<f8", "(2,)", bytes_of<double>({0, 1}))};
  const auto precision_of = [&](const std::vector<ZipEntry>& entries) {
    write("scene.npz", stored_zip(entries));
    return load("scene.npz").precision();
  };
  EXPECT_EQ(precision_of({wide, extents, angle}), Precision::mixed);
  EXPECT_EQ(precision_of({wide, extents, wide_angle}), Precision::twofold);
  const ZipEntry center{"box.center.npy", npy("<f4", "(2, 2)", bytes_of<float>({1, 0, 3, 4}))};
  EXPECT_EQ(precision_of({center, extents, angle}), Precision::single);
  EXPECT_EQ(precision_of({center, extents, angle, wide_bodies}), Precision::mixed);
  // Vertices are sizes: if they are double, all sizes are double.
  const ZipEntry offsets{"polygons.offsets.npy",
                         npy("<i8", "(2,)", bytes_of<std::int64_t>({0, 3}))};
  const auto vertices = [](const char* type, const auto& numbers) {
    return ZipEntry{"polygons.vertices.npy", npy(type, "(3, 2)", bytes_of(numbers))};
  };
  const std::vector<float> triangle{0, 0, 1, 0, 0, 1};
  const std::vector<double> wide_triangle(triangle.begin(), triangle.end());
  EXPECT_EQ(precision_of({wide, extents, angle, offsets, vertices("<f4", triangle)}),
            Precision::mixed);
  EXPECT_EQ(precision_of({wide, extents, angle, offsets, vertices("<f8", wide_triangle)}),
            Precision::twofold);

  write("scene.npz", stored_zip({wide, extents, angle}));
  SceneColumns<2, Mixed> scene;
  load("scene.npz").to_columns(scene);
  EXPECT_EQ(scene.boxes.center(0, 0), far);
  EXPECT_EQ(scene.boxes.turn[1], 1.0f);
  const SceneFile again = SceneFile::of("again.npz", scene);
  EXPECT_EQ(again.precision(), Precision::mixed);
  EXPECT_EQ(again.find("box.center")->type(), Type::float64);
  EXPECT_EQ(again.find("box.half_extents")->type(), Type::float32);
}

TEST_F(scene_names, a_scene_comes_back_with_all_that_it_has) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
  scene.spheres.radius = {1, 0.5f, 0.25f};
  scene.spheres.body = {0, 1, -1};
  scene.spheres.owner = {4, 5, 6};
  scene.bodies.position = {{1, 2, 3}, {4, 5, 6}};
  scene.bodies.turn = {{0, 0, 0, 1}, {1, 0, 0, 0}};
  scene.excluded.push_back({0, 2});
  scene.excluded_owners.push_back({4, 5});
  scene.excluded_bodies.push_back({6, 7});
  scene.domain.min = {-1, -2, -3};
  scene.domain.max = {10, 20, 30};
  scene.domain.periodic = {true, false, true};
  SceneColumns<3, float> again;
  SceneFile::of("again.npz", scene).to_columns(again);
  const auto arrays = arrays_of<3, float>(scene), arrays_again = arrays_of<3, float>(again);
  // dimension; center, radius, body, owner; bodies' two; the excluded; the domain's three.
  ASSERT_EQ(arrays.size(), 13u);
  ASSERT_EQ(arrays_again.size(), arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(arrays_again[i].name, arrays[i].name);
    EXPECT_TRUE(std::ranges::equal(arrays_again[i].array.bytes(), arrays[i].array.bytes()))
        << arrays[i].name;
  }
  EXPECT_EQ(again.bodies.turn.row(1), (std::array<float, 4>{1, 0, 0, 0}));
  EXPECT_EQ(again.excluded_owners.row(0), (std::array<std::int32_t, 2>{4, 5}));
  EXPECT_EQ(again.excluded_bodies.row(0), (std::array<std::int32_t, 2>{6, 7}));
}

TEST_F(scene_names, ellipsoids_cones_and_rounded_cylinders_come_back) {
  // A column of one number per kind, in JSON, is one for all shapes of the kind.
  write("scene.json", R"({
    "ellipsoid": {"center": [[1, 2, 3], [4, 5, 6]], "orientation": [[0, 0, 0, 1], [0, 1, 0, 0]],
                  "half_extents": [[1, 2, 3], [0.5, 0, 0.25]], "rounding": [0, 0.5]},
    "cone": {"center": [[7, 8, 9]], "orientation": [[0.6, 0, 0, 0.8]], "half_height": 2,
             "radius": 1},
    "cylinder": {"center": [[0, 0, 0]], "orientation": [[0, 0, 0, 1]], "half_height": 1,
                 "radius": 2, "rounding": 0.125}})");
  for (const char* name : {"a.npz", "b.json"}) {
    save(load("scene.json"), name);
    SceneColumns<3, double> scene;
    load(name).to_columns(scene);
    const SceneLayout layout = layout_of(scene);
    EXPECT_EQ(layout.id(Kind::cylinder, 0), 0);
    EXPECT_EQ(layout.id(Kind::ellipsoid, 0), 1);
    EXPECT_EQ(layout.id(Kind::cone, 0), 3);
    EXPECT_EQ(scene.ellipsoids.center.row(1), (std::array<double, 3>{4, 5, 6}));
    EXPECT_EQ(scene.ellipsoids.turn.row(1), (std::array<double, 4>{0, 1, 0, 0}));
    EXPECT_EQ(scene.ellipsoids.half_extents.row(1), (std::array<double, 3>{0.5, 0, 0.25}));
    EXPECT_EQ(scene.ellipsoids.rounding[0], 0);
    EXPECT_EQ(scene.ellipsoids.rounding[1], 0.5);
    EXPECT_EQ(scene.cones.center.row(0), (std::array<double, 3>{7, 8, 9}));
    EXPECT_EQ(scene.cones.turn.row(0), (std::array<double, 4>{0.6, 0, 0, 0.8}));
    EXPECT_EQ(scene.cones.half_height[0], 2);
    EXPECT_EQ(scene.cones.radius[0], 1);
    EXPECT_TRUE(scene.cones.rounding.empty());
    EXPECT_EQ(scene.cylinders.rounding[0], 0.125);
  }
  EXPECT_EQ(error_with(R"({"ellipsoid": {"center": [[0, 0, 0]], "orientation": [[0, 0, 0, 1]]}})"),
            "scene.json: ellipsoid.half_extents is missing; an ellipsoid needs center, orientation "
            "and half_extents");
  EXPECT_EQ(error_with(R"({"dimension": 2, "ellipsoid": {"center": [[0, 0]]}})"),
            "scene.json: ellipsoid.center is not an array of a 2D scene, whose kinds are circle, "
            "capsule, aabb, box, polygon, halfspace and chain");
}

TEST_F(scene_names, a_double_beyond_float_is_named_when_float_is_forced) {
  write("scene.json", R"({"circle": {"center": [[0, 0], [0, 1e300]], "radius": 1}})");
  SceneColumns<2, float> scene;
  EXPECT_EQ(
      error_of([&] { load("scene.json").to_columns(scene); }),
      "scene.json: circle.center[1] is 1e+300, which is beyond float; use --precision double");
}

// JSON.

TEST_F(files, json_one_number_stands_for_all) {
  write("scene.json",
        R"({"sphere": {"center": [[0, 0, 0], [1, 0, 0]], "radius": 0.5, "world": 3}})");
  const SceneFile scene = load("scene.json");
  EXPECT_EQ(numbers<double>(scene, "sphere.radius"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(numbers<std::int32_t>(scene, "sphere.world"), (std::vector<std::int32_t>{3, 3}));
  write("scene.json", R"({"dimension": 3, "sphere": {"radius": 1}})");
  EXPECT_EQ(load_error("scene.json"),
            "scene.json: sphere.radius is one number for all, and no other column of the kind says "
            "for how many shapes");
}

TEST_F(files, json_rows_are_checked) {
  const auto error_with = [&](const std::string& centers) {
    write("scene.json", R"({"circle": {"center": )" + centers + R"(, "radius": 1}})");
    return load_error("scene.json");
  };
  EXPECT_EQ(error_with("[[0, 0], [1]]"),
            "scene.json: circle.center[1] has 1 numbers and the rows before have 2");
  EXPECT_EQ(error_with("[[0, 0], 5]"),
            "scene.json: circle.center[1] is 5; expected 2 numbers in brackets");
  EXPECT_EQ(error_with("[[0, 0], [0, \"a\"]]"),
            "scene.json: circle.center[1] is \"a\"; expected a number");
  EXPECT_EQ(error_with("[[0, 0], [0, null]]"),
            "scene.json: circle.center[1] is null; expected a number");
  EXPECT_EQ(error_with("[[[0]]]"),
            "scene.json: circle.center is nested too deeply; expected rows of numbers");
  EXPECT_TRUE(error_with("[[0, 0], [0, 1e999]]").starts_with("scene.json: is not JSON: "));
  write("scene.json", "[1, 2]");
  EXPECT_TRUE(
      load_error("scene.json").starts_with("scene.json: is not a scene; expected an object"));
  write("scene.json", "{\"circle\": ");
  EXPECT_TRUE(
      load_error("scene.json").starts_with("scene.json: is not JSON: parse error at line 1"));
}

TEST_F(files, json_integers_above_the_signed_ones_keep_their_neighbours) {
  write("scene.json",
        R"({"circle": {"center": [[-1, 18446744073709551615], [true, 0]], "radius": 1}})");
  EXPECT_EQ(numbers<double>(load("scene.json"), "circle.center"),
            (std::vector<double>{-1, 18446744073709551616.0, 1, 0}));
  write("scene.json", R"({"circle": {"center": [[true, 18446744073709551615]], "radius": 1}})");
  EXPECT_EQ(numbers<double>(load("scene.json"), "circle.center"),
            (std::vector<double>{1, 18446744073709551616.0}));
  write("scene.json",
        R"({"circle": {"center": [[0, 0]], "radius": 1, "key": [18446744073709551615]}})");
  EXPECT_EQ(load_error("scene.json"),
            "scene.json: circle.key[0] is 18446744073709551615; expected an integer from "
            "-9223372036854775808 to 9223372036854775807");
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST_F(files, json_of_many_brackets_within_one_another_does_not_end_the_stack) {
  const std::string told =
      "scene.json: line 1 opens a bracket within 64 others; expected at most 64 within one another";
  for (const int depth : {70, 100'000}) {
    write("scene.json", repeated("{\"\":", depth) + "1" + repeated("}", depth));
    EXPECT_EQ(load_error("scene.json"), told);
    write("scene.json",
          R"({"circle": {"radius": [0, )" + repeated("[", depth) + repeated("]", depth) + "]}}");
    EXPECT_EQ(load_error("scene.json"), told);
  }
  // Brackets inside quotation marks are text; those after a closing one are not inside.
  write("scene.json", R"({"a\"{": )" + repeated("[", 63) + repeated("]", 63) + "}");
  EXPECT_EQ(load_error("scene.json"),
            "scene.json: a\"{ is nested too deeply; expected rows of numbers");
  write("scene.json",
        R"({"circle": {"center": [)" + repeated("[0, 0],", 100) + R"([0, 0]], "radius": 1}})");
  EXPECT_EQ(load("scene.json").shape_count(), 101u);
}

// CSV.

TEST_F(files, csv_circles_and_spheres) {
  write("a.csv", "x,y,radius\r\n0,0,1\r\n\r\n 3 , -4.5e1 , +2 \r\n");
  const SceneFile circles = load("a.csv");
  EXPECT_EQ(circles.dimension(), 2);
  EXPECT_EQ(numbers<double>(circles, "circle.center"), (std::vector<double>{0, 0, 3, -45}));
  write("b.csv", "world,radius,z,y,x\n-1,1,2,3,4\n7,1,0,0,0");
  const SceneFile spheres = load("b.csv");
  EXPECT_EQ(spheres.dimension(), 3);
  EXPECT_EQ(numbers<double>(spheres, "sphere.center"), (std::vector<double>{4, 3, 2, 0, 0, 0}));
  EXPECT_EQ(numbers<std::int32_t>(spheres, "sphere.world"), (std::vector<std::int32_t>{-1, 7}));
  write("c.csv", "x,y,radius\n");
  EXPECT_EQ(load("c.csv").shape_count(), 0u);
}

TEST_F(files, csv_errors_name_the_line) {
  const auto error_with = [&](const std::string& text) {
    write("a.csv", text);
    return load_error("a.csv");
  };
  EXPECT_EQ(error_with("x,y,radius\n0,0,1\n\n0,abc,1\n"),
            "a.csv: line 4 has \"abc\" where a number is expected");
  EXPECT_EQ(error_with("x,y,radius\n0,0\n"), "a.csv: line 2 has 2 values; the header names 3");
  EXPECT_EQ(error_with("x,y,radius\n0,,1\n"), "a.csv: line 2 has \"\" where a number is expected");
  EXPECT_EQ(error_with("0,0,1\n"),
            "a.csv: line 1 is \"0,0,1\"; expected the header x,y[,z],radius[,world]");
  EXPECT_EQ(error_with("1,0,0.5,0.5\n"),
            "a.csv: line 1 is \"1,0,0.5,0.5\"; expected the header x,y[,z],radius[,world], or "
            "id,frame,x,y for a trajectory");
  EXPECT_EQ(error_with("x,y,x,radius\n"),
            "a.csv: line 1 is \"x,y,x,radius\"; expected the header x,y[,z],radius[,world]");
  EXPECT_EQ(error_with("x,y,radius,world\n0,0,1,0.5\n"),
            "a.csv: line 2 has the world 0.5; expected an integer >= -1");
  for (const std::string odd : {"nan", "inf", "-inf", "1e+300"}) {
    EXPECT_EQ(error_with("x,y,radius,world\n0,0,1," + odd + "\n"),
              "a.csv: line 2 has the world " + odd + "; expected an integer >= -1");
  }
  EXPECT_EQ(error_with(""), "a.csv: is empty; expected the header x,y[,z],radius[,world]");
}

// LAMMPS.

const char* const kDataFile =
    "LAMMPS data file\n\n2 atoms\n1 atom types\n\n0 10 xlo xhi\n0 20 ylo yhi\n0 1 zlo zhi\n"
    "0 0 0 xy xz yz\n\nAtoms # sphere\n\n"
    "16 1 2.5 1 1 2 0 0 0 0\n7 1 1.5 1 3 4 0 1 0 0\n\nVelocities\n\n16 0 0 0 0 0 0\n";

TEST_F(files, lammps_discs_become_a_2d_scene_in_the_order_of_the_file) {
  write("data.discs", kDataFile);
  const SceneFile scene = load("data.discs");
  EXPECT_EQ(scene.dimension(), 2);
  EXPECT_EQ(numbers<double>(scene, "circle.center"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(numbers<double>(scene, "circle.radius"), (std::vector<double>{1.25, 0.75}));
  EXPECT_EQ(numbers<std::int64_t>(scene, "circle.key"), (std::vector<std::int64_t>{16, 7}));
  EXPECT_EQ(numbers<double>(scene, "domain.max"), (std::vector<double>{10, 20}));
  EXPECT_EQ(numbers<std::uint8_t>(scene, "domain.periodic"), (std::vector<std::uint8_t>{0, 0}));

  ReadOptions options;
  options.periodic = "xy";
  EXPECT_EQ(numbers<std::uint8_t>(load("data.discs", options), "domain.periodic"),
            (std::vector<std::uint8_t>{1, 1}));
  options.dimension = 3;
  const SceneFile solid = load("data.discs", options);
  EXPECT_EQ(numbers<double>(solid, "sphere.center"), (std::vector<double>{1, 2, 0, 3, 4, 0}));
  EXPECT_EQ(numbers<std::uint8_t>(solid, "domain.periodic"), (std::vector<std::uint8_t>{1, 1, 0}));
  options.dimension = 0;
  options.periodic = "xyz";
  EXPECT_EQ(load_error("data.discs", options),
            "data.discs is a 2D scene and has no z axis; expected --periodic none, x, y or xy");
}

TEST_F(files, lammps_boxes_that_do_not_say_whether_they_wrap_are_told) {
  const auto notes_with = [](const std::string& text, const std::string& periodic) {
    write("data.discs", text);
    ReadOptions options;
    options.periodic = periodic;
    std::vector<std::string> notes;
    read_scene("data.discs", Format::lammps_data, options, notes);
    return notes;
  };
  const std::string text =
      "data.discs has a box and does not say whether it wraps; --periodic xy "
      "makes it so, --periodic none says that it does not";
  EXPECT_EQ(notes_with(kDataFile, ""), std::vector<std::string>{text});
  for (const char* axes : {"none", "x", "xy"}) EXPECT_TRUE(notes_with(kDataFile, axes).empty());
  // A tilted box never wraps here, and without a box there is nothing to say.
  std::string tilted = kDataFile;
  tilted.replace(tilted.find("0 0 0 xy"), 5, "1 0 0");
  EXPECT_TRUE(notes_with(tilted, "").empty());
  std::string open = kDataFile;
  open.erase(open.find("0 10 xlo"), open.find("\nAtoms") - open.find("0 10 xlo"));
  EXPECT_TRUE(notes_with(open, "").empty());
}

TEST_F(files, lammps_errors_name_the_line) {
  const auto error_with = [&](const std::string& what, const std::string& by) {
    std::string text = kDataFile;
    text.replace(text.find(what), what.size(), by);
    write("data.discs", text);
    return load_error("data.discs");
  };
  EXPECT_EQ(error_with("# sphere", "# atomic"),
            "data.discs has atoms of the atom style atomic: id type x y z, which have no sizes; "
            "give the radius of all with --radius 0.5");
  EXPECT_EQ(error_with("# sphere", "# charge"),
            "data.discs: line 11 says that the atom style is charge; expected the atom style "
            "sphere: id type diameter density x y z; or the atom style atomic: id type x y z");
  EXPECT_EQ(error_with("16 1 2.5 1 1", "16 1 2.5 one 1"),
            "data.discs: line 13 has \"one\" where a number is expected");
  EXPECT_EQ(error_with("16 1 2.5 1 1", "16 1 big 1 1"),
            "data.discs: line 13 has \"big\" where a number is expected");
  EXPECT_EQ(error_with("7 1 1.5 1 3 4 0 1 0 0", "7 1 1.5 1 3"),
            "data.discs: line 14 has 5 values; expected 7 or 10, the atom style sphere: id type "
            "diameter density x y z");
  EXPECT_EQ(error_with("2 atoms", "9 atoms"),
            "data.discs: line 16 has 1 values; expected 7 or 10, "
            "the atom style sphere: id type diameter density x y "
            "z");
  write("data.discs", std::string(kDataFile).substr(0, std::string(kDataFile).find("7 1 1.5")));
  EXPECT_EQ(load_error("data.discs"), "data.discs: ends after 1 of 2 atoms");
}

TEST_F(files, lammps_data_of_another_atom_style_is_not_read_as_spheres) {
  // Water in the style full (id molecule type charge x y z) has as many columns as a sphere. The
  // charge of its oxygen is -0.27; its bonds come after the atoms.
  const std::string header =
      "water\n\n3 atoms\n2 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\n";
  const std::string sphere = "the atom style sphere: id type diameter density x y z";
  const auto said = [&](const std::string& text, const std::string& style = "") {
    write("data.water", text);
    ReadOptions options;
    options.style = style;
    return load_error("data.water", options);
  };
  const std::string charged = "\n\n1 1 1 -0.27 1 1 1\n2 1 2 0.135 2 1 1\n3 1 2 0.135 1 2 1\n";
  const std::string positive = "\n\n1 1 1 0.27 1 1 1\n2 1 2 0.135 2 1 1\n3 1 2 0.135 1 2 1\n";
  const std::string unclear =
      "data.water: line 9 does not say the atom style, and its columns may be those of full (id "
      "molecule type charge x y z); if it is " +
      sphere + ", say so with --style sphere";
  EXPECT_EQ(
      said(header + "Atoms" + charged),
      "data.water: line 11 has the density -0.27; expected a finite number above 0, " + sphere);
  EXPECT_EQ(said(header + "Atoms" + positive), unclear);
  EXPECT_EQ(said(header + "Atoms" + positive, "sphere"), "no error");
  EXPECT_EQ(said(header + "Atoms # sphere" + positive), "no error");
  EXPECT_EQ(said(header + "Atoms # full" + positive, "sphere"),
            "data.water: line 9 says that the atom style is full; expected " + sphere +
                "; or the atom style atomic: id type x y z");
  EXPECT_EQ(said(header + "Atoms" + positive, "full"),
            "--style full is not read; expected sphere or atomic");
  EXPECT_EQ(
      said(header + "Atoms # sphere" + positive + "\nBonds\n\n1 1 1 2\n"),
      "data.water: line 15 begins the section Bonds; expected a LAMMPS data file of " + sphere);
  EXPECT_EQ(
      said("water\n\n2 bonds\n" + header.substr(7) + "Atoms # sphere" + positive),
      "data.water: line 3 says that there are 2 bonds; expected a LAMMPS data file of " + sphere);
  // A diameter that cannot be a type decides it: here 2.5, below one above the count of types.
  const std::string others = " 1 1 1\n2 1 2 1 2 1 1\n3 1 2 1 1 2 1\n";
  EXPECT_EQ(said(header + "Atoms\n\n1 1 1 1" + others), unclear);
  EXPECT_EQ(said(header + "Atoms\n\n1 1 2.5 1" + others), "no error");
  EXPECT_EQ(said(header + "Atoms\n\n1 1 3 1" + others), "no error");
  EXPECT_EQ(said(header + "Atoms\n\n1 1 2.5 0" + others),
            "data.water: line 11 has the density 0; expected a finite number above 0, " + sphere);
  ReadOptions options;
  options.style = "sphere";
  write("a.csv", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(load_error("a.csv", options),
            "--style is for lammps-data, and a.csv is of the format csv; leave --style out");
}

TEST_F(files, dump_steps_are_worlds_and_bounds_tell_periodic_axes) {
  write("dump.txt",
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n-1 1\n0 4\n0 9\n"
        "ITEM: ATOMS id type x y z radius\n1 1 0 0 0 0.5\n2 1 1 1 8 0.5\n"
        "ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n-1 1\n0 4\n0 9\n"
        "ITEM: ATOMS id xs ys zs diameter\n2 0.5 0.25 0 3\n");
  const SceneFile scene = load("dump.txt");
  EXPECT_EQ(scene.dimension(), 3);
  // The scaled position: -1 + 0.5 * 2, 0 + 0.25 * 4, 0.
  EXPECT_EQ(numbers<double>(scene, "sphere.center"),
            (std::vector<double>{0, 0, 0, 1, 1, 8, 0, 1, 0}));
  EXPECT_EQ(numbers<double>(scene, "sphere.radius"), (std::vector<double>{0.5, 0.5, 1.5}));
  EXPECT_EQ(numbers<std::int32_t>(scene, "sphere.world"), (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(numbers<std::int64_t>(scene, "sphere.key"), (std::vector<std::int64_t>{1, 2, 2}));
  EXPECT_EQ(numbers<std::uint8_t>(scene, "domain.periodic"), (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST_F(files, dump_errors) {
  const std::string start = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n";
  const std::string box = "ITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n";
  write("dump.txt", start + box + "ITEM: ATOMS id x y z\n1 0 0 0\n");
  EXPECT_EQ(load_error("dump.txt"),
            "dump.txt: line 9 names no radius or diameter; give one with --radius");
  ReadOptions options;
  options.radius = 0.1;
  EXPECT_EQ(numbers<double>(load("dump.txt", options), "sphere.radius"), std::vector<double>{0.1});
  write("dump.txt", start + box + "ITEM: ATOMS id x y z radius\n1 0 0\n");
  EXPECT_EQ(load_error("dump.txt"), "dump.txt: line 10 has 3 values; ITEM: ATOMS names 5");
  write("dump.txt", start + box + "ITEM: ATOMS id x y z radius\n");
  EXPECT_EQ(load_error("dump.txt"), "dump.txt: ends where an atom is expected");
  const std::string atoms = "ITEM: ATOMS id x y z radius\n1 0 0 0 1\n";
  write("dump.txt",
        start + box + atoms + start + "ITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 2\n" + atoms);
  EXPECT_EQ(load_error("dump.txt"),
            "dump.txt: has a box that changes between steps, which cannot be periodic here; use "
            "--periodic none");
}

// Trajectories.

TEST_F(files, trajectory_frames_are_worlds_by_rank) {
  write("crowd.txt",
        "# PeTrack\n# id frame x/cm y/cm z/cm\n1\t20\t100\t200\t170\n1 25 150 200 170\n"
        "4 20 0 0 0\n4 1000 1 1 1\n");
  ReadOptions options;
  EXPECT_EQ(
      load_error("crowd.txt"),
      "crowd.txt is a trajectory and has no sizes; give the radius of a person in metres, for "
      "example --radius 0.2");
  options.radius = 0.2;
  const SceneFile scene = load("crowd.txt", options);
  EXPECT_EQ(numbers<double>(scene, "circle.center"),
            (std::vector<double>{1, 2, 1.5, 2, 0, 0, 0.01, 0.01}));
  EXPECT_EQ(numbers<double>(scene, "circle.radius"), (std::vector<double>{0.2, 0.2, 0.2, 0.2}));
  EXPECT_EQ(numbers<std::int32_t>(scene, "circle.world"), (std::vector<std::int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(numbers<std::int64_t>(scene, "circle.key"), (std::vector<std::int64_t>{1, 1, 4, 4}));
  options.unit = "m";
  EXPECT_EQ(numbers<double>(load("crowd.txt", options), "circle.center")[0], 100);
}

TEST_F(files, trajectory_errors_name_the_line) {
  ReadOptions options;
  options.radius = 0.2;
  write("crowd.txt", "1 0 0 0\n1 1 zero 0\n");
  EXPECT_EQ(load_error("crowd.txt", options),
            "crowd.txt: line 2 has \"zero\" where a number is expected (id frame x y [z])");
  for (const std::string odd : {"nan", "inf", "1e300", "1.5"}) {
    write("crowd.txt", odd + " 0 0 0\n");
    EXPECT_EQ(load_error("crowd.txt", options), "crowd.txt: line 1 has \"" + odd +
                                                    "\" where an integer is expected (id frame x y "
                                                    "[z])");
  }
  write("crowd.txt", "1 0 0 0\n1 1 0\n");
  EXPECT_EQ(load_error("crowd.txt", options),
            "crowd.txt: line 2 has 3 values; expected id frame x y [z]");
  write("crowd.txt", "1 0 0 0\n2 0 0 0\n1 0 1 1\n");
  EXPECT_EQ(load_error("crowd.txt", options),
            "crowd.txt: line 3 repeats pedestrian 1 in frame 0, which line 1 has");
  write("crowd.txt", "# x/ft\n1 0 0 0\n");
  EXPECT_EQ(load_error("crowd.txt", options),
            "crowd.txt: says that its unit is ft; expected m, cm or mm, or say which with --unit");
}

// VTK.

std::string vtu(const std::string& points, const std::string& data) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>\n"
         "<Piece NumberOfPoints=\"2\" NumberOfCells=\"0\"><Points>\n" +
         points + "\n</Points><PointData>\n" + data +
         "\n</PointData></Piece></UnstructuredGrid></VTKFile>\n";
}

TEST_F(files, vtu_decimals_are_read_as_double) {
  const std::string points =
      "<DataArray NumberOfComponents=\"3\" format=\"ascii\" "
      "type=\"Float32\">\n0.1 0 0 1\n1 1\n</DataArray>";
  const std::string radius =
      "<DataArray Name=\"mass\">9 9</DataArray>"
      "<DataArray Name=\"radius\" format=\"ascii\">0.3 0.4</DataArray>";
  write("pile.vtu", vtu(points, radius));
  const SceneFile scene = load("pile.vtu");
  EXPECT_EQ(numbers<double>(scene, "sphere.center"), (std::vector<double>{0.1, 0, 0, 1, 1, 1}));
  EXPECT_EQ(numbers<double>(scene, "sphere.radius"), (std::vector<double>{0.3, 0.4}));
  ReadOptions options;
  options.radius = 1;
  EXPECT_EQ(error_of([&] { load("pile.vtu", options); }),
            "pile.vtu has radii of its own; leave --radius out");
  write("pile.vtu", vtu(points, "<DataArray Name=\"mass\">9 9</DataArray>"));
  EXPECT_EQ(numbers<double>(load("pile.vtu", options), "sphere.radius"),
            (std::vector<double>{1, 1}));
  EXPECT_EQ(load_error("pile.vtu"),
            "pile.vtu: has no point data radius (it has mass); give one with --radius");
  write("pile.vtu", vtu(points, "<DataArray Name=\"radius\">1</DataArray>"));
  EXPECT_EQ(load_error("pile.vtu"),
            "pile.vtu: line 9 has 1 radii; expected one for each of 2 points");
  write("pile.vtu", vtu("<DataArray NumberOfComponents=\"3\" format=\"binary\">x</DataArray>", ""));
  EXPECT_EQ(load_error("pile.vtu"),
            "pile.vtu: line 4 has Points in the format binary; save the file as ASCII");
  write("pile.vtu", "<VTKFile><UnstructuredGrid>");
  EXPECT_TRUE(load_error("pile.vtu").find("is not XML") != std::string::npos);
}

TEST_F(files, json_with_a_key_twice_is_refused_by_name) {
  const auto said = [](const std::string& text) {
    write("a.json", text);
    return load_error("a.json");
  };
  EXPECT_EQ(said("{\"circle\": {\"center\": [[0, 0]], \"radius\": 1,\n \"radius\": 2}}"),
            "a.json: line 2 has circle.radius again, after line 1; an object has a key once");
  EXPECT_EQ(said(R"({"dimension": 2, "circle": {"center": [], "radius": []}, "dimension": 3})"),
            "a.json: line 1 has dimension again, after line 1; an object has a key once");
  // An escape equals the letter that it stands for, a string among values is not a key, and sibling
  // objects may have the same keys.
  EXPECT_EQ(said(R"({"circle": {"center": [[0, 0]], "radius": 1, "rad\u0069us": 2}})"),
            "a.json: line 1 has circle.radius again, after line 1; an object has a key once");
  EXPECT_EQ(said(R"({"circle": {"center": [[0, 0]], "radius": 1}, "circle.radius": [2]})"),
            "a.json: circle.radius is there twice");
  EXPECT_EQ(said(R"({"circle": {"center": [[0, 0]], "radius": 1},
                     "aabb": {"min": [[0, 0]], "max": [[1, 1]]}})"),
            "no error");
  EXPECT_TRUE(said(R"({"circle": {"center": [[0, 0]], "radius": 1, "radius)").find("is not JSON") !=
              std::string::npos);
  // A key might hide a ring of an outline.
  write("rings.json",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"geometry\":\n"
        "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [1, 0], [0, 1]]],\n"
        "\"coordinates\": [[[\"a\", \"a\"]]]}}]}");
  EXPECT_EQ(error_of([] { read_outlines("rings.json"); }),
            "rings.json: line 3 has features.geometry.coordinates again, after line 2; an object "
            "has a key once");
}

/// The values of joints of these names.
std::vector<std::vector<double>> joints_of(const std::string& text,
                                           const std::vector<std::string>& names,
                                           bool ignores_columns = false) {
  std::vector<JointValue> values;
  for (const std::string& name : names) values.emplace_back().name = name;
  std::vector<std::string> notes;
  return read_joint_values(text, values, ignores_columns, notes);
}

TEST_F(files, columns_that_name_no_joint_are_left_out_where_asked) {
  write("joints.csv", "time,push,label,turn\n0.5,1,home,2\n0.75,3,,4\n");
  EXPECT_EQ(joints_of("joints.csv", {"turn", "push", "lift"}, true),
            (std::vector<std::vector<double>>{{2, 1, 0}, {4, 3, 0}}));
  const auto said = [](bool ignores_columns) {
    return error_of([&] { joints_of("joints.csv", {"turn", "push"}, ignores_columns); });
  };
  EXPECT_NE(
      said(false).find("names \"time\", which the robot does not have (--ignore-columns leaves "
                       "such columns out)"),
      std::string::npos)
      << said(false);
  write("joints.csv", "time,push\n0.5,1,2\n");
  EXPECT_NE(said(true).find("line 2 is \"0.5,1,2\"; expected"), std::string::npos) << said(true);
  // Without any name it is no header, and a joint twice is an error all the same.
  write("joints.csv", "time,label\n1,2\n");
  EXPECT_NE(said(true), "no error");
  write("joints.csv", "push,push\n1,2\n");
  EXPECT_NE(said(true).find("names \"push\" twice"), std::string::npos) << said(true);
}

TEST_F(files, an_srdf_is_not_a_urdf_without_links) {
  write("arm.srdf", R"(<robot name="arm"><group name="all"><chain base_link="a" tip_link="b"/>
    </group><disable_collisions link1="a" link2="b"/></robot>)");
  EXPECT_EQ(load_error("arm.srdf"),
            "arm.srdf: has no <link> but <disable_collisions>, as SRDF has, which is not read; "
            "convert the URDF, and give pairs of links that never meet as excluded_owners");
  write("bare.urdf", "<robot name=\"arm\"/>");
  EXPECT_EQ(load_error("bare.urdf"), "bare.urdf: has no <link>");
}

TEST_F(files, a_byte_order_mark_hides_nothing) {
  // Every text format with the byte order mark that some editors add: the same scene.
  const std::string points =
      "<DataArray NumberOfComponents=\"3\" format=\"ascii\">0.1 0 0 1 1 1</DataArray>";
  const std::string corner[4] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
  std::string stl = "solid a\n";
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const int i : {a, b, c}) stl += "vertex " + corner[i] + "\n";
    stl += "endloop\nendfacet\n";
  }
  const std::vector<std::pair<std::string, std::string>> texts{
      {"a.csv", "x,y,radius\n0,0,1\n"},
      {"a.json", R"({"circle": {"center": [[0, 0]], "radius": 1}})"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\nf 1 2 3\nf 1 2 4\n"},
      {"a.stl", stl + "endsolid a\n"},
      {"a.lammps", kDataFile},
      {"a.dump",
       "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n-1 1\n0 4\n0 9\n"
       "ITEM: ATOMS id x y zs radius\n1 0 0 0 0.5\n"},
      {"a.txt", "1 0 0.5 1\n1 1 0.5 1\n"},
      {"b.txt", "# id frame x/cm y/cm\n1 0 50 100\n"},
      {"a.vtu", vtu(points, "<DataArray Name=\"radius\">0.3 0.4</DataArray>")},
      {"a.urdf", R"(<robot name="a"><link name="a"><collision><geometry><sphere radius="1"/>
                 </geometry></collision></link></robot>)"},
      {"a.xml", R"(<mujoco><worldbody><geom size="1"/></worldbody></mujoco>)"},
      {"a.yaml",
       "world:\n  collision_objects:\n    - primitives: [{type: sphere, dimensions: [1]}]\n"
       "      primitive_poses: [{position: [1, 2, 3], orientation: [0, 0, 0, 1]}]\n"}};
  for (const auto& [path, text] : texts) {
    ReadOptions options;
    if (path.ends_with(".txt")) options.radius = 0.2;
    const auto saved = [&](const std::string& start) {
      write(path, start + text);
      save(load(path, options), "out.json");
      return read("out.json");
    };
    std::string plain, marked;
    EXPECT_EQ(error_of([&] { plain = saved(""); }), "no error") << path;
    EXPECT_EQ(error_of([&] { marked = saved("\xef\xbb\xbf"); }), "no error") << path;
    EXPECT_EQ(plain, marked) << path;
    if (path == "a.yaml" || path == "a.stl") continue;
    write(path, "\xff\xfe" + text);
    EXPECT_EQ(
        error_of([&] { read_scene(path, path.ends_with(".csv") ? Format::csv : Format::json); }),
        path + ": is a text in UTF-16; save it as UTF-8");
  }
  write("joints.csv", "\xef\xbb\xbfturn,push\n1,2\n");
  EXPECT_EQ(joints_of("joints.csv", {"turn", "push"}), (std::vector<std::vector<double>>{{1, 2}}));
  // Two files concatenated: the second one's mark is not a word of the format.
  write("a.obj", "v 0 0 0\n\xef\xbb\xbfv 1 0 0\n");
  EXPECT_EQ(
      load_error("a.obj"),
      "a.obj: line 2 begins with \"\\xef\\xbb\\xbfv\"; expected a word of the format such as v "
      "or f");
}

TEST_F(files, damaged_text_is_read_or_refused_in_one_sentence) {
  const std::string points =
      "<DataArray NumberOfComponents=\"3\" format=\"ascii\">0.1 0 0 1 1 1</DataArray>";
  const std::vector<std::pair<std::string, std::string>> originals{
      {"a.lammps", kDataFile},
      {"a.dump",
       "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n-1 1\n0 4\n0 9\n"
       "ITEM: ATOMS id x y zs radius\n1 0 0 0 0.5\n"},
      {"a.txt", "# id frame x/m\n1 0 0.5 1\n1 1 0.5 1\n"},
      {"a.csv", "x,y,radius,world\n0,0,1,0\n1,2,3,-1\n"},
      {"a.vtu", vtu(points, "<DataArray Name=\"radius\">0.3 0.4</DataArray>")},
      {"a.json", R"({"circle": {"center": [[0, 0], [1, 2]], "radius": 1, "world": [0, 1]}})"}};
  ReadOptions with_radius;
  with_radius.radius = 0.2;
  for (const auto& [path, original] : originals) {
    const ReadOptions options = path == "a.txt" ? with_radius : ReadOptions{};
    for (std::size_t at = 0; at < original.size(); ++at) {
      for (const char by : {'\0', '-', '9', 'e', '\n', '<', '"', '\xff'}) {
        std::string damaged = original;
        damaged[at] = by;
        write(path, damaged);
        const std::string error = load_error(path, options);
        EXPECT_TRUE(error == "no error" || error.starts_with(path)) << at << " " << error;
      }
      write(path, original.substr(0, at));
      const std::string error = load_error(path, options);
      EXPECT_TRUE(error == "no error" || error.starts_with(path)) << at << " " << error;
    }
  }
}

// Writing.

TEST_F(files, scenes_survive_every_format) {
  write("a.csv", "x,y,z,radius,world\n0.1,0.2,0.3,1e-7,0\n1,2,3,4,-1\n");
  save(load("a.csv"), "b.npz");
  save(load("b.npz"), "c.json");
  save(load("c.json"), "d.csv");
  EXPECT_EQ(read("d.csv"), "x,y,z,radius,world\n0.1,0.2,0.3,1e-07,0\n1,2,3,4,-1\n");
  save(load("b.npz"), "e.npz");
  EXPECT_EQ(read("b.npz"), read("e.npz"));  // equal scenes, equal bytes
}

TEST_F(files, float32_survives_npz_and_json_exactly) {
  const std::vector<float> radius{0.1f, 0.7f};
  write("a.npz",
        stored_zip({{"circle.center.npy", npy("<f4", "(2, 2)", bytes_of<float>({0, 0, 1, 1}))},
                    {"circle.radius.npy", npy("<f4", "(2,)", bytes_of(radius))}}));
  save(load("a.npz"), "b.npz");
  EXPECT_EQ(numbers<float>(load("b.npz"), "circle.radius"), radius);
  save(load("a.npz"), "c.json");
  EXPECT_EQ(numbers<double>(load("c.json"), "circle.radius"),
            (std::vector<double>{static_cast<double>(0.1f), static_cast<double>(0.7f)}));
}

TEST_F(files, zeros_keep_their_sign_in_every_format) {
  write("a.csv", "x,y,radius\n-0,0,1\n");
  save(load("a.csv"), "b.json");
  save(load("b.json"), "c.npz");
  save(load("c.npz"), "d.csv");
  EXPECT_EQ(read("d.csv"), "x,y,radius\n-0,0,1\n");
}

TEST_F(files, csv_refuses_what_it_has_no_place_for) {
  write("a.json", R"({"aabb": {"min": [[0, 0]], "max": [[1, 1]]}})");
  EXPECT_EQ(error_of([&] { save(load("a.json"), "a.csv"); }),
            "a.json: aabb.min has no place in CSV, which holds x,y[,z],radius[,world]; write .npz "
            "or .json");
  EXPECT_FALSE(fs::exists("a.csv"));
  EXPECT_EQ(files_in_folder(), 1u);  // no incomplete file remains
}

TEST_F(files, contacts_as_npz_and_csv) {
  // A contact with two points on A's side x = 1; B is in direction +x.
  ContactBuffer<2, double> contacts;
  contacts.pair.push_back({Pair{3, 9}});
  contacts.source.push_back({5});
  contacts.normal.push_back({1, 0});
  contacts.depth.push_back({0.25});
  contacts.status.push_back({0});
  contacts.offset = {0, 2};
  contacts.point = {{1, 0}, {1, 0.5}};
  contacts.point_depth = {0.25, 0.125};
  contacts.feature = {65538u, 65539u};
  OutputFile csv("contacts.csv");
  write_contacts_csv(contacts, csv);
  csv.commit();
  EXPECT_EQ(read("contacts.csv"),
            "a,b,nx,ny,px,py,point_depth,feature\n"
            "3,9,1,0,1,0,0.25,65538\n3,9,1,0,1,0.5,0.125,65539\n");
  const auto names_of = [&] {
    OutputFile npz("contacts.npz");
    write_contacts_npz(contacts, npz);
    npz.commit();
    std::string names;
    for (const NamedArray& entry : read_npz("contacts.npz")) {
      names += entry.name + shape_text(entry.array.shape()) + " ";
    }
    return names;
  };
  EXPECT_EQ(names_of(),
            "pair(1, 2) source(1,) normal(1, 2) depth(1,) status(1,) offset(2,) "
            "point(2, 2) point_depth(2,) feature(2,) ");
  contacts.world_offset = {0, 1};
  EXPECT_TRUE(names_of().ends_with("world_offset(2,) "));
}

TEST_F(files, contacts_with_parts) {
  // A ball above vertex 2 of triangle 41 of shape 9.
  ContactBuffer<3, float> contacts;
  contacts.pair.push_back({Pair{3, 9}});
  contacts.source.push_back({0});
  contacts.normal.push_back({0, 0, -1});
  contacts.depth.push_back({0.25f});
  contacts.status.push_back({0});
  contacts.offset = {0, 1};
  contacts.point.push_back({1, 2, -1});
  contacts.point_depth.push_back({0.25f});
  contacts.feature.push_back({16386u});
  contacts.part.push_back({-1, 41});
  OutputFile csv("contacts.csv");
  write_contacts_csv(contacts, csv);
  csv.commit();
  EXPECT_EQ(read("contacts.csv"),
            "a,b,nx,ny,nz,px,py,pz,point_depth,feature,part_a,part_b\n"
            "3,9,0,0,-1,1,2,-1,0.25,16386,-1,41\n");
  OutputFile npz("contacts.npz");
  write_contacts_npz(contacts, npz);
  npz.commit();
  EXPECT_EQ(read_npz("contacts.npz").back().name, "part");
  ContactBuffer<3, float> again;
  ContactSides none;
  ContactArrays("contacts.npz").fill(again, none);
  EXPECT_EQ(hash(again), hash(contacts));
  EXPECT_EQ(again.part(0, 1), 41);
  EXPECT_EQ(read_view_contacts("contacts.npz", 3, 10).part, (std::vector<std::int32_t>{-1, 41}));
  // A row for each point, no more and no less.
  contacts.part.push_back({-1, 42});
  OutputFile wrong("contacts.npz");
  write_contacts_npz(contacts, wrong);
  wrong.commit();
  try {
    ContactArrays("contacts.npz");
    FAIL() << "must not be read";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "contacts.npz: part has the shape (2, 2); expected (1, 2)");
  }
}

TEST_F(files, no_contacts_still_have_every_array) {
  OutputFile npz("contacts.npz");
  write_contacts_npz(ContactBuffer<3, float>{}, npz);
  npz.commit();
  const auto arrays = read_npz("contacts.npz");
  ASSERT_EQ(arrays.size(), 9u);
  EXPECT_EQ(shape_text(arrays[2].array.shape()), "(0, 3)");
  EXPECT_EQ(shape_text(arrays[5].array.shape()), "(1,)");
  EXPECT_EQ(arrays[5].array.values<std::int64_t>()[0], 0);
}

TEST_F(files, output_appears_whole_or_not_at_all) {
  write("old.csv", "old");
  {
    OutputFile file("old.csv");
    file.write("new");
    EXPECT_EQ(read("old.csv"), "old");
  }
  EXPECT_EQ(read("old.csv"), "old");
  EXPECT_EQ(files_in_folder(), 1u);
  OutputFile file("old.csv");
  file.write("new");
  file.commit();
  EXPECT_EQ(read("old.csv"), "new");
  EXPECT_EQ(files_in_folder(), 1u);
  EXPECT_EQ(error_of([] { OutputFile("nowhere/new.csv"); }),
            "nowhere/new.csv: cannot be written: No such file or directory");
}

TEST_F(files, a_file_that_may_not_be_written_stays) {
  // The mode decides, so root keeps the file too, also through a link.
  write("old.csv", "old");
  fs::create_symlink("old.csv", "link.csv");
  fs::permissions("old.csv", fs::perms::owner_read | fs::perms::group_read);
  for (const char* path : {"old.csv", "link.csv"}) {
    EXPECT_EQ(error_of([&] { OutputFile file(path); }),
              std::string(path) +
                  ": may not be written (its mode is 440); name another file, or allow it with "
                  "chmod u+w");
  }
  EXPECT_EQ(read("old.csv"), "old");
  EXPECT_EQ(files_in_folder(), 2u);
  fs::permissions("old.csv", fs::perms::owner_write, fs::perm_options::add);
  OutputFile file("old.csv");
  file.write("new");
  file.commit();
  EXPECT_EQ(read("old.csv"), "new");
}

TEST_F(files, output_through_a_link_and_to_a_full_device) {
  write("real.csv", "old");
  fs::create_symlink("real.csv", "link.csv");
  OutputFile file("link.csv");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink("link.csv"));
  EXPECT_EQ(read("real.csv"), "new");
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(error_of([] { OutputFile("/dev/full").write("x"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(files, messages_show_characters_and_name_other_bytes) {
  // Limits of the ranges of two, three and four bytes, and values beyond them.
  for (const char* text : {" ~", "\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(printable(text), text);
  }
  EXPECT_EQ(printable("a\tb\x7f\x1b"), "a b\\x7f\\x1b");
  EXPECT_EQ(printable("\xc2\x9f"), "\\xc2\\x9f");           // a control
  EXPECT_EQ(printable("\xc1\xbf"), "\\xc1\\xbf");           // longer than needed
  EXPECT_EQ(printable("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");  // likewise
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");  // cut off
  EXPECT_EQ(tools::in_quotes(std::string(59, 'a') + "\xc3\xb6"),
            "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(tools::in_quotes(std::string(58, 'a') + "\xc3\xb6"),
            "\"" + std::string(58, 'a') + "\xc3\xb6\"");
}

TEST_F(files, input_without_an_end_is_refused) {
  for (const Format format : {Format::csv, Format::npz, Format::stl, Format::planning}) {
    EXPECT_EQ(error_of([&] { read_scene("/dev/zero", format); }),
              "/dev/zero: is a device; expected a file or a pipe");
  }
  EXPECT_EQ(error_of([] { detect_format("/dev/zero"); }),
            "/dev/zero: is a device; expected a file or a pipe");
  // The size of a file is known before it is read; these have no bytes on the disk.
  write("a.csv", "");
  fs::resize_file("a.csv", (std::uintmax_t{1} << 32) + 1);
  EXPECT_EQ(load_error("a.csv"), "a.csv: has more than 4294967296 bytes, the most that are read");
  for (const char* path : {"a.json", "a.urdf", "a.vtu", "a.yaml"}) {
    fs::resize_file("a.csv", (std::uintmax_t{1} << 30) + 1);
    fs::rename("a.csv", path);
    EXPECT_EQ(load_error(path),
              std::string(path) + ": has more than 1073741824 bytes, the most that are read");
    fs::rename(path, "a.csv");
  }
  // The size of a pipe is not known: it is read up to the limit, and only once.
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const auto from_pipe = [](std::size_t size, std::size_t most) {
    std::thread writer([&] { write("pipe", std::string(size, 'a')); });
    std::string text;
    const std::string error = error_of([&] { text = read_file("pipe", most); });
    writer.join();
    return error == "no error" ? std::to_string(text.size()) : error;
  };
  EXPECT_EQ(from_pipe(1000, 1000), "1000");
  EXPECT_EQ(from_pipe(1001, 1000), "pipe: has more than 1000 bytes, the most that are read");
}

TEST_F(files, a_pipe_is_looked_at_and_then_read_from_its_start) {
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const auto from_pipe = [](const std::string& bytes) {
    std::thread writer([&] { write("pipe", bytes); });
    SceneFile scene = load("pipe");
    writer.join();
    return scene;
  };
  // More than the start that tells the format.
  std::string rows = "x,y,radius\n";
  for (int i = 0; i < 5000; ++i) rows += "0,0,1\n";
  EXPECT_EQ(from_pipe(rows).shape_count(), 5000u);
  EXPECT_EQ(from_pipe(R"({"circle": {"center": [[0, 0]], "radius": 1}})").shape_count(), 1u);
  EXPECT_EQ(from_pipe(stored_zip({centres(), radii()})).shape_count(), 2u);
}

TEST_F(files, npz_in_fortran_order_has_its_numbers_where_they_belong) {
  // Row i of NumPy's array is (i, 10 + i, 20 + i): Fortran's order has all x first.
  const std::vector<double> by_columns{0, 1, 10, 11, 20, 21};
  write("scene.npz",
        stored_zip({{"sphere.center.npy", npy("<f8", "(2, 3)", bytes_of(by_columns), 1, "True")},
                    {"sphere.radius.npy", npy("<f8", "(2,)", bytes_of(kTwoRadii), 1, "True")}}));
  const SceneFile scene = load("scene.npz");
  EXPECT_EQ(numbers<double>(scene, "sphere.center"), (std::vector<double>{0, 10, 20, 1, 11, 21}));
  EXPECT_EQ(numbers<double>(scene, "sphere.radius"), kTwoRadii);
  // Arrays with more axes are told by their shape, as in C's order.
  write("scene.npz", stored_zip({{"sphere.center.npy",
                                  npy("<f8", "(1, 2, 3)", bytes_of(by_columns), 1, "True")}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: sphere.center has the shape (1, 2, 3); expected (n, 3)");
}

TEST_F(files, npz_one_number_stands_for_all) {
  write("scene.npz",
        stored_zip({centres(), {"circle.radius.npy", npy("<f8", "()", bytes_of<double>({0.5}))}}));
  EXPECT_EQ(numbers<double>(load("scene.npz"), "circle.radius"), (std::vector<double>{0.5, 0.5}));
  write(
      "scene.npz",
      stored_zip({centres(), {"circle.radius.npy", npy("<f8", "(1,)", bytes_of<double>({0.5}))}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: circle.radius has 1 row and circle.center has 2; the columns of a kind are "
            "equally long, or one number without brackets for all");
  write("scene.npz", stored_zip({{"sphere.radius.npy", npy("<f8", "()", bytes_of<double>({1}))}}));
  EXPECT_EQ(load_error("scene.npz"),
            "scene.npz: sphere.radius is one number for all, and no other column of the kind says "
            "for how many shapes");
}

TEST_F(files, joint_values_in_fortran_order) {
  // Configurations (0, 10) and (1, 11).
  write("joints.npy", npy("<f8", "(2, 2)", bytes_of<double>({0, 1, 10, 11}), 1, "True"));
  EXPECT_EQ(joints_of("joints.npy", {"hip", "knee"}),
            (std::vector<std::vector<double>>{{0, 10}, {1, 11}}));
}

TEST_F(files, lammps_atoms_without_sizes_have_the_given_radius) {
  const std::string header =
      "argon\n\n2 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms";
  const std::string atoms = "\n\n7 1 1 2 3\n4 1 4 5 6\n";
  ReadOptions options;
  options.radius = 0.5;
  // A style that no remark tells has 5 values per line in this style alone, or 8 with images.
  for (const std::string& text : {header + " # atomic" + atoms, header + atoms,
                                  header + "\n\n7 1 1 2 3 0 0 1\n4 1 4 5 6 0 0 0\n"}) {
    write("data.argon", text);
    const SceneFile scene = load("data.argon", options);
    EXPECT_EQ(numbers<double>(scene, "sphere.center"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(numbers<double>(scene, "sphere.radius"), (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(numbers<std::int64_t>(scene, "sphere.key"), (std::vector<std::int64_t>{7, 4}));
    EXPECT_EQ(load_error("data.argon"),
              "data.argon has atoms of the atom style atomic: id type x y z, which have no sizes; "
              "give the radius of all with --radius 0.5");
  }
  write("data.argon", header + " # atomic\n\n7 1 1 2 3\n4 1 4 5\n");
  EXPECT_EQ(load_error("data.argon", options),
            "data.argon: line 12 has 4 values; expected 5 or 8, the atom style atomic: id type x y "
            "z");
  write("data.argon", header + " # full\n\n1 1 1 0.5 1 2 3\n2 1 1 0.5 4 5 6\n");
  EXPECT_TRUE(load_error("data.argon", options)
                  .starts_with("data.argon: line 9 says that the atom style is full; expected "));
  write("data.discs", kDataFile);
  EXPECT_EQ(load_error("data.discs", options),
            "data.discs has diameters of its own; leave --radius out");
}

TEST_F(files, csv_without_radii_has_the_given_radius) {
  write("points.csv", "X,Y\n0,0\n3,4\n");
  EXPECT_EQ(load_error("points.csv"),
            "points.csv: line 1 names no radius; add that column, or give all one radius with "
            "--radius 0.5");
  EXPECT_EQ(error_of([] { read_complete_scene("points.csv"); }),
            "points.csv: names no radius; convert it first: widephase convert points.csv --radius "
            "0.5 -o scene.npz");
  ReadOptions options;
  options.radius = 2;
  const SceneFile scene = load("points.csv", options);
  EXPECT_EQ(numbers<double>(scene, "circle.center"), (std::vector<double>{0, 0, 3, 4}));
  EXPECT_EQ(numbers<double>(scene, "circle.radius"), (std::vector<double>{2, 2}));
  write("balls.csv", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(load_error("balls.csv", options), "balls.csv has radii of its own; leave --radius out");
}

TEST_F(files, a_header_of_a_trajectory_names_its_columns) {
  ReadOptions options;
  options.radius = 0.2;
  const std::vector<double> centres_in_metres{1, 2, 3, 4};
  // With blanks, tabs or commas; with a unit; in another order, and with columns that are not read.
  for (const std::string text :
       {"id frame x y\n7 0 1 2\n8 5 3 4\n", "# crowd\nid\tframe\tx\ty\n7\t0\t1\t2\n8\t5\t3\t4\n",
        "ID,Frame,X,Y\n7,0,1,2\n8,5,3,4\n", "id frame x/cm y/cm\n7 0 100 200\n8 5 300 400\n",
        "id frame x/mm y/mm\n7 0 1000 2000\n8 5 3000 4000\n",
        "\"frame\", \"id\", \"y\", \"vx\", \"x\"\n0,7,2,9,1\n5,8,4,9,3\n"}) {
    for (const char* path : {"crowd.txt", "crowd.csv"}) {
      write(path, text);
      const SceneFile scene = load(path, options);
      EXPECT_EQ(numbers<double>(scene, "circle.center"), centres_in_metres) << text;
      EXPECT_EQ(numbers<std::int32_t>(scene, "circle.world"), (std::vector<std::int32_t>{0, 1}));
      EXPECT_EQ(numbers<std::int64_t>(scene, "circle.key"), (std::vector<std::int64_t>{7, 8}));
      // No sizes: the message asks for them and does not say that there are some.
      EXPECT_EQ(load_error(path), std::string(path) +
                                      " is a trajectory and has no sizes; give the radius of a "
                                      "person in metres, for example --radius 0.2");
    }
  }
  write("crowd.csv", "id,frame,x,y,radius\n7,0,1,2,0.25\n");
  EXPECT_EQ(numbers<double>(load("crowd.csv"), "circle.radius"), std::vector<double>{0.25});
  EXPECT_EQ(load_error("crowd.csv", options), "crowd.csv has radii of its own; leave --radius out");
  const auto error_with = [&](const std::string& text) {
    write("crowd.csv", text);
    return load_error("crowd.csv", options);
  };
  EXPECT_EQ(error_with("ped,frame,x,y\n1,0,0,0\n"),
            "crowd.csv: line 1 names no id; expected id frame x y [z]");
  EXPECT_EQ(error_with("id,frame,x,x\n1,0,0,0\n"), "crowd.csv: line 1 names x twice");
  EXPECT_EQ(error_with("id,frame,x,y\n1,0,0\n"),
            "crowd.csv: line 2 has 3 values; the header names 4");
  options.dimension = 3;
  EXPECT_EQ(error_with("id,frame,x,y\n1,0,0,0\n"),
            "crowd.csv: line 1 names no z; expected id frame x y z");
}

TEST_F(files, meshes_and_trajectories_in_millimetres_become_metres) {
  ReadOptions options;
  options.unit = "mm";
  write("part.obj", "v 0 0 0\nv 2000 0 0\nv 0 2000 0\nv 0 0 500\nf 1 2 3\nf 1 2 4\n");
  EXPECT_EQ(numbers<double>(load("part.obj", options), "hulls.vertices"),
            (std::vector<double>{0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0.5}));
  write("row.csv", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(load_error("row.csv", options),
            "--unit is for trajectories and meshes, and row.csv is of the format csv; leave --unit "
            "out");
  options.radius = 0.2;
  write("crowd.txt", "1 0 1500 250\n");
  EXPECT_EQ(numbers<double>(load("crowd.txt", options), "circle.center"),
            (std::vector<double>{1.5, 0.25}));
  options.unit = "ft";
  EXPECT_EQ(load_error("crowd.txt", options),
            "--unit ft is not a unit that is known; expected m, cm or mm");
}

TEST_F(files, what_is_not_a_scene_is_told_by_what_it_is) {
  write("centers.npy", npy("<f8", "(2, 2)", bytes_of(kTwoCentres)));
  EXPECT_TRUE(
      load_error("centers.npy").starts_with("centers.npy: is a single NumPy array; a scene "))
      << load_error("centers.npy");
  write("empty.txt", "\n");
  EXPECT_EQ(load_error("empty.txt"), "empty.txt: is empty");
  write("nameless.npz", stored_zip({{"radius.npy", npy("<f8", "(2,)", bytes_of(kTwoRadii))}}));
  EXPECT_EQ(load_error("nameless.npz"),
            "nameless.npz: radius is not an array of a scene; a kind stands before it, as in "
            "circle.radius or sphere.radius");
  write("blanks.csv", "x y radius\n0 0 1\n");
  EXPECT_EQ(
      load_error("blanks.csv"),
      "blanks.csv: line 1 is \"x y radius\"; expected the header x,y[,z],radius[,world], with "
      "commas between");
  write("scene.npz", stored_zip({centres(), radii()}));
  EXPECT_EQ(error_of([] { read_outlines("scene.npz", ""); }),
            "scene.npz: is an archive, such as .npz; expected JSON");
  write("crowd.txt.gz", "\x1f\x8b\b");
  EXPECT_EQ(load_error("crowd.txt.gz"), "crowd.txt.gz: is compressed; unpack it first");
  write("part.off", "OFF\n");
  EXPECT_EQ(load_error("part.off"),
            "part.off: is of the format off, which is not read; save the mesh as OBJ, STL or PLY");
  write("rooms.geojson", R"({"type": "FeatureCollection", "features": []})");
  EXPECT_EQ(load_error("rooms.geojson"),
            "rooms.geojson: holds no lines; outlines become convex parts by: widephase decompose "
            "rooms.geojson -o scene.npz");
  write("rooms.json", R"({"type": "FeatureCollection", "features": []})");
  EXPECT_EQ(load_error("rooms.json"),
            "rooms.json: is GeoJSON, which holds outlines and not shapes; cut them first: "
            "widephase decompose rooms.json -o scene.npz");
  write("contacts.npz", stored_zip({{"pair.npy", npy("<i4", "(0, 2)", "")},
                                    {"normal.npy", npy("<f8", "(0, 2)", "")},
                                    {"depth.npy", npy("<f8", "(0,)", "")}}));
  EXPECT_EQ(load_error("contacts.npz"),
            "contacts.npz: holds contacts, which a scene was collided to; expected that scene");
}

TEST_F(files, input_that_cannot_be_opened) {
  EXPECT_EQ(load_error("none.npz"), "none.npz: cannot be opened: No such file or directory");
  fs::create_directory("folder.npz");
  EXPECT_EQ(load_error("folder.npz"), "folder.npz: is a directory; expected a file");
  write("strange.bin", "\1\2\3");
  EXPECT_EQ(
      load_error("strange.bin"),
      "strange.bin: is of no known format; say which with widephase convert --from: npz, "
      "json, csv, "
      "lammps-data, lammps-dump, trajectory, vtu, obj, stl, ply, urdf, mjcf, planning, esri-grid, "
      "geotiff, geojson");
}

}  // namespace
