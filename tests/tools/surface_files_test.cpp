// Meshes of OBJ, STL and PLY files as surfaces: their triangles, welding, what is refused, and
// those that robots name. PLY as hulls too.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <widephase/meshes.hpp>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

using Vertex = std::array<double, 3>;
using Triangle = std::array<Vertex, 3>;

/// The area of a triangle as a vector along its front.
Vertex area_of(const Triangle& t) {
  Vertex u, v, area;
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = t[1][k] - t[0][k];
    v[k] = t[2][k] - t[0][k];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    area[k] = (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) / 2;
  }
  return area;
}

std::string bytes_of(auto value, bool is_big) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (is_big != (std::endian::native == std::endian::big)) std::ranges::reverse(bytes);
  return bytes;
}

/// A square and a triangle above its middle, in text: faces before vertices, and properties and
/// elements that are not read.
constexpr const char* kText =
    "ply\n"
    "format ascii 1.0\n"
    "comment made by hand\n"
    "element face 2\n"
    "property list uchar float texcoord\n"
    "property list uchar int vertex_indices\n"
    "property uchar red\n"
    "element vertex 7\n"
    "property float nx\n"
    "property float x\n"
    "property float y\n"
    "property double z\n"
    "element edge 1\n"
    "property int vertex1\n"
    "end_header\n"
    "2 0.5 0.5 4 0 1 2 3 255\n"
    "0 3 4 5 6 0\n"
    "\n"
    "9 0 0 0\n9 2 0 0\n9 2 2 0\n9 0 2 0\n9 0 0 1\n9 1 0 1\n9 0 1 1.5\n"
    "7\n";

/// The same in binary, with 16-bit numbers of vertices.
std::string binary(bool is_big) {
  std::string text =
      std::string("ply\nformat ") + (is_big ? "binary_big_endian" : "binary_little_endian") +
      " 1.0\nelement vertex 7\nproperty float x\nproperty float y\nproperty double z\n"
      "property uchar red\nelement face 2\nproperty list uchar ushort vertex_index\n"
      "end_header\n";
  const std::array<Vertex, 7> vertices{
      {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1.5}}};
  for (const auto& [x, y, z] : vertices) {
    text += bytes_of(static_cast<float>(x), is_big) + bytes_of(static_cast<float>(y), is_big) +
            bytes_of(z, is_big) + '\n';
  }
  const auto add_face = [&](const std::vector<std::uint16_t>& corners) {
    text += static_cast<char>(corners.size());
    for (const std::uint16_t corner : corners) text += bytes_of(corner, is_big);
  };
  add_face({0, 1, 2, 3});
  add_face({4, 5, 6});
  return text;
}

class surface_files : public widephase::test::OwnFolder {
 protected:
  static SceneColumns<3, double> load(const std::string& path, ReadOptions options) {
    SceneColumns<3, double> scene;
    notes.clear();
    read_scene(path, detect_format(path), options, notes).to_columns(scene);
    return scene;
  }
  static SceneColumns<3, double> surface(const std::string& path, const std::string& text,
                                         std::optional<double> weld = {}) {
    write(path, text);
    ReadOptions options;
    options.surface = true;
    options.weld = weld;
    return load(path, options);
  }
  /// The triangles of mesh `m`.
  static std::vector<Triangle> triangles(const SceneColumns<3, double>& scene, std::size_t m) {
    const auto& meshes = scene.mesh_geometries;
    std::vector<Triangle> all;
    for (auto t = meshes.triangle_offsets[m]; t < meshes.triangle_offsets[m + 1]; ++t) {
      Triangle& triangle = all.emplace_back();
      for (int c = 0; c < 3; ++c) {
        const auto row = meshes.vertex_offsets[m] + meshes.indices(static_cast<std::size_t>(t), c);
        triangle[static_cast<std::size_t>(c)] = meshes.vertices.row(static_cast<std::size_t>(row));
      }
    }
    return all;
  }
  static Vertex total_area(const std::vector<Triangle>& all) {
    Vertex total{};
    for (const Triangle& triangle : all) {
      for (std::size_t k = 0; k < 3; ++k) total[k] += area_of(triangle)[k];
    }
    return total;
  }
  static std::string error_of(const std::string& path, const std::string& text,
                              std::optional<double> weld = {}) {
    try {
      surface(path, text, weld);
    } catch (const FileError& error) {
      return error.what();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }

  static std::vector<std::string> notes;
};
std::vector<std::string> surface_files::notes;

TEST_F(surface_files, obj_groups_become_meshes_at_their_place) {
  const auto scene = surface("two.obj",
                             "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 1\nv 1 0 1\nv 0 1 1.5\n"
                             "g floor\nf 1/1 2/1 3/1 4/1\ng roof\nf 5 6 7\n");
  ASSERT_EQ(row_count(scene.meshes), 2u);
  EXPECT_EQ(row_count(scene.hulls), 0u);
  EXPECT_EQ(scene.meshes.geometry[1], 1);
  EXPECT_EQ(scene.meshes.center.row(1), (Vertex{0, 0, 0}));
  EXPECT_EQ(total_area(triangles(scene, 0)), (Vertex{0, 0, 4}));
  EXPECT_EQ(triangles(scene, 1), (std::vector<Triangle>{{{{0, 0, 1}, {1, 0, 1}, {0, 1, 1.5}}}}));
  EXPECT_TRUE((validate<3, double>(scene).empty()));
  EXPECT_TRUE(notes.empty());
}

TEST_F(surface_files, stl_corners_at_one_place_become_one_vertex) {
  const char* const text =
      "solid square\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 -0\nvertex 1 1 0\n"
      "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 -0 0\nvertex 1 1 0\nvertex 0 1 "
      "0\nendloop\nendfacet\nendsolid\n";
  const auto scene = surface("square.stl", text);
  EXPECT_EQ(scene.mesh_geometries.vertices.size(), 4u);
  EXPECT_EQ(total_area(triangles(scene, 0)), (Vertex{0, 0, 1}));
  const MeshSummary summary = mesh_summary(scene.mesh_geometries, 0);
  EXPECT_EQ(summary.borders, 4);
  EXPECT_EQ(summary.flips, 0);
}

TEST_F(surface_files, ply_in_text_and_in_both_binary_orders_says_the_same) {
  const auto text = triangles(surface("a.ply", kText), 0);
  ASSERT_EQ(text.size(), 3u);
  EXPECT_EQ(total_area({text[0], text[1]}), (Vertex{0, 0, 4}));
  EXPECT_EQ(text[2], (Triangle{{{0, 0, 1}, {1, 0, 1}, {0, 1, 1.5}}}));
  EXPECT_EQ(triangles(surface("little.ply", binary(false)), 0), text);
  EXPECT_EQ(triangles(surface("big.ply", binary(true)), 0), text);
  // Found by its beginning, and with line ends of other systems: the first byte after a header that
  // ends in CR may be that of LF.
  std::string other = kText;
  for (std::size_t at = 0; (at = other.find('\n', at)) != std::string::npos; at += 2) {
    other.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(triangles(surface("scan", other), 0), text);
  std::string carriage = binary(false);
  const std::size_t body = carriage.find("end_header\n") + 11;
  std::ranges::replace(carriage.begin(), carriage.begin() + static_cast<std::ptrdiff_t>(body), '\n',
                       '\r');
  EXPECT_EQ(triangles(surface("scan", carriage), 0), text);
}

TEST_F(surface_files, ply_becomes_a_hull_of_the_vertices_that_faces_name) {
  write("a.ply", kText);
  const auto scene = load("a.ply", {});
  EXPECT_EQ(row_count(scene.hulls), 1u);
  EXPECT_EQ(row_count(scene.meshes), 0u);
  EXPECT_EQ(scene.geometries.vertices.size(), 7u);
  write("cloud.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
  try {
    load("cloud.ply", {});
    ADD_FAILURE();
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "cloud.ply: has no faces; expected a group of them for each hull");
  }
}

TEST_F(surface_files, faces_of_many_corners_are_cut_within_them) {
  // An L of area 3: corners 1 to 6, the inner one 4. Its triangles all face up, so none is outside.
  const auto bent = triangles(
      surface("l.obj", "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\nf 1 2 3 4 5 6\n"), 0);
  ASSERT_EQ(bent.size(), 4u);
  for (const Triangle& triangle : bent) EXPECT_GT(area_of(triangle)[2], 0);
  EXPECT_EQ(total_area(bent), (Vertex{0, 0, 3}));
  // The same seen from below, begun at every corner.
  for (int first = 0; first < 6; ++first) {
    std::string face = "f";
    for (int i = 0; i < 6; ++i) face += " " + std::to_string((first - i + 12) % 6 + 1);
    const auto turned = triangles(
        surface("l.obj", "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n" + face + "\n"),
        0);
    for (const Triangle& triangle : turned) EXPECT_LT(area_of(triangle)[2], 0);
    EXPECT_EQ(total_area(turned), (Vertex{0, 0, -3}));
  }
  // A face that crosses itself still becomes triangles.
  EXPECT_EQ(
      triangles(surface("x.obj", "v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 3 0\nf 1 2 3 4\n"), 0).size(), 2u);
  std::string long_face = "f";
  for (int i = 0; i < 256; ++i) long_face += " " + std::to_string(i % 3 + 1);
  EXPECT_EQ(error_of("long.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + long_face + "\n"),
            "long.obj: line 4 has a face of 256 vertices; a surface has faces of 3 to 255");
}

TEST_F(surface_files, welding_unites_vertices_and_says_how_much) {
  // Two triangles with a gap of 0.001 between them, and a sliver along it that collapses.
  const char* const text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1.001 0 0\nv 1 1 0\nv 0 1.0005 0\nf 1 2 3\nf 4 5 6\nf 2 4 3\n";
  const auto open = surface("gap.obj", text);
  EXPECT_EQ(mesh_summary(open.mesh_geometries, 0).vertices, 6);
  const auto closed = surface("gap.obj", text, 0.002);
  const MeshSummary summary = mesh_summary(closed.mesh_geometries, 0);
  EXPECT_EQ(summary.vertices, 4);
  EXPECT_EQ(summary.triangles, 2);
  EXPECT_EQ(summary.borders, 4);
  EXPECT_EQ(notes, std::vector<std::string>{
                       "gap.obj: welding within 0.002 united 2 of 6 vertices, which moved by at "
                       "most 0.001, and left out 1 triangle"});
  // The first of the vertices stays where it is, also across cells of the search.
  EXPECT_EQ(triangles(closed, 0)[1][0], (Vertex{1, 0, 0}));
  EXPECT_EQ(error_of("gap.obj", text, 1e-300),
            "--weld 1e-300 is too small for a vertex at 1; leave it out");
  EXPECT_EQ(error_of("gap.obj", text, 9),
            "gap.obj: group 0 has 0 triangles; a mesh must have a triangle with an area");
}

TEST_F(surface_files, thousands_of_vertices_within_the_distance_are_welded_in_order) {
  // A strip of 20,000 triangles whose corners are 0.001 apart: within 0.0105 every eleventh stays.
  std::string text;
  for (int i = 0; i < 10000; ++i) {
    text += "v " + std::to_string(i) + "e-3 0 0\nv " + std::to_string(i) + "e-3 1 0\n";
  }
  for (int i = 1; i < 10000; ++i) {
    const int at = 2 * i;
    text += "f " + std::to_string(at - 1) + " " + std::to_string(at + 1) + " " +
            std::to_string(at + 2) + " " + std::to_string(at) + "\n";
  }
  const auto scene = surface("strip.obj", text, 0.0105);
  EXPECT_EQ(scene.mesh_geometries.vertices.size(), 2u * 910);  // of 0, 11, 22, ... 9999
  EXPECT_EQ(scene.mesh_geometries.indices.size(), 2u * 909);
}

TEST_F(surface_files, what_is_wrong_with_a_ply_is_one_sentence) {
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string little = binary(false);
  const std::pair<std::string, std::string> kCases[] = {
      {replaced(kText, "ascii 1.0", "ascii 2.0"),
       "line 2 is \"format ascii 2.0\"; expected format and ascii, binary_little_endian or "
       "binary_big_endian, and 1.0"},
      {replaced(kText, "end_header\n", ""),
       "line 15 is \"2 0.5 0.5 4 0 1 2 3 255\"; expected element, property, comment or end_header"},
      {"ply\nformat ascii 1.0\n", "ends before end_header; the file is not whole"},
      {replaced(kText, "property float y", "property real y"),
       "line 11 is \"property real y\"; expected property, a type and a name, or property list, a "
       "type of whole numbers, a type and a name"},
      {replaced(kText, "property float y", "property float w"),
       "has no element vertex with one property y"},
      {replaced(kText, "element face 2", "element face -2"),
       "line 4 is \"element face -2\"; expected element, a name and a number of rows"},
      {replaced(kText, "element edge 1", "element face 1"),
       "line 13 has a second element \"face\""},
      {replaced(kText, "int vertex_indices", "int corners"),
       "has no list vertex_indices of whole numbers in its element face"},
      {replaced(kText, "element vertex 7", "element vertex 4000000000"),
       "says that it has 4000000000 rows of \"vertex\", which take 8 bytes or more each; after the "
       "header it has 97 bytes"},
      {replaced(little, "element face 2", "element face 99999999999"),
       "says that it has 99999999999 rows of \"face\", which take 1 bytes or more each; after the "
       "header it has 135 bytes"},
      {replaced(kText, "4 0 1 2 3 255", "4 0 1 2 9 255"),
       "line 16 names vertex 9, counted from 0; the file has 7"},
      {replaced(kText, "4 0 1 2 3 255", "9 0 1 2 3 255"),
       "line 16 has a list \"vertex_indices\" of 9 numbers; expected as many as the list says"},
      {replaced(kText, "4 0 1 2 3 255", "2 0 1 255"),
       "line 16 has a face of 2 vertices; expected 3 to 255"},
      {replaced(kText, "4 0 1 2 3 255", "4 0 1 2 3.5 255"),
       "line 16 has \"3.5\" where a whole number is expected"},
      {replaced(kText, "4 0 1 2 3 255", "4 0 1 2 3"),
       "line 16 ends before all properties of its element"},
      {replaced(kText, "4 0 1 2 3 255", "4 0 1 2 3 255 255"),
       "line 16 has 10 numbers; expected the 9 of its element's properties"},
      {replaced(kText, "9 2 2 0", "9 2 inf 0"), "line 21 has inf for y; expected a finite number"},
      {replaced(kText, "\n7\n", "\n"), "ends before edge 0, counted from 0; the file is not whole"},
      {std::string(kText) + "8\n",
       "line 27 follows the last element; expected the end of the file"},
      {little.substr(0, little.size() - 3),
       "has face 1, counted from 0, which has a list \"vertex_index\" of 3 numbers; expected as "
       "many as the list says"},
      {little + "abc", "has 3 bytes after its last element; expected the end of the file"},
      {replaced(little, "element face 2", "element face 0").substr(0, little.size() - 16),
       "has no faces; expected a group of them for each mesh"},
      {"ply\nformat ascii 1.0\nelement thing 9000000000000000000\nend_header\n",
       "has rows of the element \"thing\" without properties"}};
  for (const auto& [text, message] : kCases) {
    EXPECT_EQ(error_of("a.ply", text), "a.ply: " + message);
  }
}

TEST_F(surface_files, options_of_surfaces_are_for_meshes) {
  write("a.ply", kText);
  const auto said = [](const std::string& path, ReadOptions options) -> std::string {
    try {
      load(path, options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  ReadOptions options;
  options.weld = 0.1;
  EXPECT_EQ(said("a.ply", options), "--weld is for surfaces; add --surface or leave it out");
  options.surface = true;
  EXPECT_EQ(said("a.ply", options), "no error");
  options.max_vertices = 8;
  EXPECT_EQ(said("a.ply", options),
            "--max-vertices is for hulls, and --surface makes none of meshes; leave one out");
  options = {};
  options.weld = std::nan("");
  options.surface = true;
  EXPECT_EQ(said("a.ply", options),
            "--weld nan is not a distance; expected a finite number above 0");
  write("a.json", R"({"circle": {"center": [[0, 0]], "radius": 1}})");
  options.weld.reset();
  EXPECT_EQ(said("a.json", options),
            "--surface is for meshes (obj, stl, ply, and those of urdf and mjcf), and a.json is of "
            "the format json; leave --surface out");
}

/// A tetrahedron whose faces look outwards.
constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// The volume within closed triangles: positive if they look outwards.
double volume_of(const std::vector<Triangle>& all) {
  double volume = 0;
  for (const Triangle& triangle : all) {
    const Vertex area = area_of(triangle);
    for (std::size_t k = 0; k < 3; ++k) volume += triangle[0][k] * area[k] / 3;
  }
  return volume;
}

TEST_F(surface_files, robots_meshes_become_surfaces_that_look_outwards_if_mirrored_too) {
  write("t.obj", kTetrahedron);
  const auto scene = surface("a.urdf", R"(<robot name="a"><link name="hand">
    <collision><geometry><mesh filename="t.obj" scale="2 -1 0.5"/></geometry></collision>
    <collision><geometry><mesh filename="t.obj"/></geometry></collision>
    <collision><geometry><mesh filename="t.obj"/></geometry></collision></link></robot>)");
  ASSERT_EQ(row_count(scene.meshes), 3u);
  EXPECT_EQ(row_count(scene.hulls), 0u);
  EXPECT_EQ(scene.mesh_geometries.triangle_offsets.size(), 3u) << "the second is read once";
  EXPECT_DOUBLE_EQ(volume_of(triangles(scene, 0)), 1.0 / 6);
  EXPECT_DOUBLE_EQ(volume_of(triangles(scene, 1)), 1.0 / 6);
  EXPECT_EQ(notes, std::vector<std::string>{"a.urdf: 2 meshes became surfaces"});
}

TEST_F(surface_files, models_meshes_are_hulls_or_surfaces_of_files_and_faces) {
  write("t.obj", kTetrahedron);
  const std::string model = R"(<mujoco><asset><mesh name="a" file="t.obj" scale="1 1 -2"/>
    <mesh name="b" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 0 3 2"/></asset>
    <worldbody><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></worldbody></mujoco>)";
  const auto scene = surface("m.xml", model);
  ASSERT_EQ(row_count(scene.meshes), 2u);
  EXPECT_DOUBLE_EQ(volume_of(triangles(scene, 0)), 2.0 / 6);
  EXPECT_DOUBLE_EQ(volume_of(triangles(scene, 1)), 1.0 / 6);
  EXPECT_EQ(row_count(load("m.xml", {}).hulls), 2u);
  EXPECT_EQ(notes, std::vector<std::string>{"m.xml: 2 meshes became convex hulls"});
  const auto with_asset = [&](const std::string& asset) {
    return error_of("m.xml", "<mujoco><asset><mesh name=\"b\" vertex=\"0 0 0 1 0 0 0 1 0\" " +
                                 asset +
                                 "/></asset><worldbody><geom type=\"mesh\" mesh=\"b\"/></worldbody>"
                                 "</mujoco>");
  };
  EXPECT_EQ(with_asset("face=\"0 1 2\""), "no error");
  EXPECT_EQ(with_asset(""),
            "m.xml: line 1 has <mesh name=\"b\"> without face, which a surface needs");
  EXPECT_EQ(with_asset("face=\"0 1 3\""),
            "m.xml: line 1 has 3 in face of <mesh name=\"b\">; expected the number of a vertex, "
            "from 0 to 2");
  EXPECT_EQ(with_asset("face=\"0 1 2 0\""),
            "m.xml: line 1 has 4 numbers in face of <mesh name=\"b\">; expected three for each");
  EXPECT_EQ(
      with_asset("face=\"0 0 1\""),
      "m.xml: line 1 has a mesh: b: has 1 triangle; a mesh must have a triangle with an area");
}

}  // namespace
}  // namespace widephase::tools
