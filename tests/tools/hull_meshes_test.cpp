// Meshes as OBJ and STL: one hull per group of faces, what is refused, and the messages.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <widephase/hulls.hpp>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

using Points = std::vector<std::array<double, 3>>;

const Points kCube{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
const Points kTetrahedron{{3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}};

class hull_meshes : public widephase::test::OwnFolder {
 protected:
  static SceneFile load(const std::string& path, int max_vertices = 0) {
    ReadOptions options;
    options.max_vertices = max_vertices;
    std::vector<std::string> notes;
    return read_scene(path, detect_format(path), options, notes);
  }
  /// The vertices of each hull in a file.
  static std::vector<Points> hulls(const std::string& path, const std::string& text) {
    write(path, text);
    const SceneFile scene = load(path);
    const auto vertices = scene.find("hulls.vertices")->values<double>();
    const auto offsets = scene.find("hulls.offsets")->values<std::int64_t>();
    std::vector<Points> found(offsets.size() - 1);
    for (std::size_t g = 0; g < found.size(); ++g) {
      for (std::int64_t row = offsets[g]; row < offsets[g + 1]; ++row) {
        const double* p = vertices.data() + 3 * row;
        found[g].push_back({p[0], p[1], p[2]});
      }
    }
    return found;
  }
  static std::string error_of(const std::string& path, const std::string& text) {
    write(path, text);
    try {
      load(path);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }

  /// Triangles as a binary STL file whose header starts with some text.
  static std::string binary_stl(const std::string& header, const Points& corners) {
    std::string bytes = header;
    bytes.resize(80, ' ');
    const auto count = static_cast<std::uint32_t>(corners.size() / 3);
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (i % 3 == 0) bytes.append(12, '\0');
      for (const double coordinate : corners[i]) {
        const auto number = static_cast<float>(coordinate);
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
      if (i % 3 == 2) bytes.append(2, '\0');
    }
    return bytes;
  }
  static std::string text_stl(const std::string& name, const Points& corners) {
    std::string text = "solid " + name + "\n";
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (i % 3 == 0) text += "  facet normal nan nan nan\n    outer loop\n";
      text += "      vertex";
      for (const double coordinate : corners[i]) text += " " + std::to_string(coordinate);
      text += "\n";
      if (i % 3 == 2) text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid " + name + "\n";
  }
  /// The four triangles of the tetrahedron, corner after corner.
  static Points soup(const Points& t = kTetrahedron) {
    return {t[0], t[2], t[1], t[0], t[1], t[3], t[1], t[2], t[3], t[0], t[3], t[2]};
  }
};

/// The corners of the unit cube in OBJ syntax.
const std::string kCubeVertices =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const std::string kCubeQuads = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\n";
const std::string kTetrahedronVertices = "v 3 0 0\nv 4 0 0\nv 3 1 0\nv 3 0 1\n";
const std::string kTetrahedronFaces = "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n";

TEST_F(hull_meshes, an_obj_without_groups_is_one_hull) {
  EXPECT_EQ(hulls("a.obj", kCubeVertices + kCubeQuads), (std::vector<Points>{kCube}));
}

TEST_F(hull_meshes, every_g_and_every_o_of_an_obj_begins_a_hull) {
  // Faces before the first group form a group too.
  const std::string text = kCubeVertices + kCubeQuads + kTetrahedronVertices + "g a b\n" +
                           kTetrahedronFaces + "o c\n" + kCubeQuads + "g\n" + kTetrahedronFaces;
  EXPECT_EQ(hulls("a.obj", text), (std::vector<Points>{kCube, kTetrahedron, kCube, kTetrahedron}));
}

TEST_F(hull_meshes, obj_groups_without_faces_are_left_out) {
  // "default" has the vertices, "wire" a line; a change of material does not start a group.
  EXPECT_EQ(hulls("a.obj", "g default\n" + kCubeVertices + "g wire\nl 1 2\no box\nf 1 4 3 2\n" +
                               "usemtl red\nf 5 6 7 8\n"),
            (std::vector<Points>{kCube}));
}

TEST_F(hull_meshes, obj_vertices_that_no_face_of_the_group_names_do_not_count) {
  // A ninth vertex far out that no face names, and a tetrahedron of the cube's corners.
  EXPECT_EQ(hulls("a.obj", kCubeVertices + "v 9 9 9\nf 1 2 4\nf 1 2 5\n"),
            (std::vector<Points>{{kCube[0], kCube[1], kCube[3], kCube[4]}}));
}

TEST_F(hull_meshes, obj_lines_as_programs_write_them) {
  // CRLF, comments, blanks before and after, materials, texture coordinates and normals, colours
  // and weights behind a vertex, words that do not matter, and faces before their vertices.
  EXPECT_EQ(hulls("A.OBJ",
                  "# a part\r\nmtllib none.mtl\r\n  o part # the first\r\nv 3 0 0 1 # weight\r\n"
                  "\tv\t4 0 0 0.5 0.5 0.5 \r\nvt 0 1\r\nvn 0 0 1\r\ns off\r\nvw x\r\n\r\n"
                  "f 1/1 2/1 3/1\r\nf 1//1 2//1 4//1\r\nf 1/1/1 3/1/1 4/1/1#\r\nv 3 1 0\r\n"
                  "v 3 0 1\r\nf -1 -2 -3"),
            (std::vector<Points>{kTetrahedron}));
}

TEST_F(hull_meshes, obj_numbers_are_the_nearest_doubles) {
  // 0.3 is not 3 times the double 0.1.
  const auto found =
      hulls("a.obj", "v 0.3 0 0\nv 1.1e1 0 -0\nv 0 +.7 0\nv 0 0 123456.789\nf 1 2 3 4\n");
  EXPECT_EQ(found,
            (std::vector<Points>{{{0.3, 0, 0}, {11, 0, 0}, {0, 0.7, 0}, {0, 0, 123456.789}}}));
}

TEST_F(hull_meshes, a_scene_of_hulls_at_the_origin) {
  write("a.obj", kCubeVertices + kCubeQuads + kTetrahedronVertices + "o t\n" + kTetrahedronFaces);
  const SceneFile file = load("a.obj");
  EXPECT_EQ(file.dimension(), 3);
  EXPECT_EQ(file.precision(), Precision::twofold);
  SceneColumns<3, double> scene;
  file.to_columns(scene);
  ASSERT_EQ(scene.hulls.center.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.hulls.center.row(i), (std::array<double, 3>{0, 0, 0}));
    EXPECT_EQ(scene.hulls.turn.row(i), (std::array<double, 4>{0, 0, 0, 1}));
    EXPECT_EQ(scene.hulls.geometry[i], static_cast<std::int32_t>(i));
  }
  EXPECT_TRUE((validate<3, double>(scene).empty()));
  EXPECT_DOUBLE_EQ(properties(scene.geometries, 0).volume, 1);
  EXPECT_DOUBLE_EQ(properties(scene.geometries, 1).volume, 1.0 / 6);
}

TEST_F(hull_meshes, broken_obj_files_are_refused_by_line_or_group) {
  EXPECT_EQ(error_of("a.obj", "v 0 0\n"),
            "a.obj: line 1 has a vertex of 2 numbers; expected v x y z");
  EXPECT_EQ(error_of("a.obj", "\nv 0 zero 0\n"),
            "a.obj: line 2 has \"zero\" where a finite number is expected");
  EXPECT_EQ(error_of("a.obj", "v 0 0 nan\n"),
            "a.obj: line 1 has \"nan\" where a finite number is expected");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f 1 2 x\n"),
            "a.obj: line 9 has \"x\" where the number of a vertex is expected: from 1, or from -1 "
            "backwards");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f 0 1 2\n"),
            "a.obj: line 9 has \"0\" where the number of a vertex is expected: from 1, or from -1 "
            "backwards");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f 1 2\n"),
            "a.obj: line 9 has a face of 2 vertices; expected 3 or more");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + kCubeQuads + "f 1 2 9\nf 1 2 3\n"),
            "a.obj: line 13 names vertex 9; the file has 8");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f -1 -2 -9\n" + kTetrahedronVertices),
            "a.obj: line 9 names vertex -9; the file has 8 before it");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f 1 2 4294967297\n"),
            "a.obj: line 9 names vertex 4294967297; the file has 8");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "g empty\n"),
            "a.obj: has no faces; expected a group of them for each hull");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + kCubeQuads + "g lid\nf 5 6 7 8\n"),
            "a.obj: group 1 \"lid\" has its points in a plane, within 16 epsilons of its extent; a "
            "hull needs 4 that span a volume");
  EXPECT_EQ(error_of("a.obj", kCubeVertices + "f 5 6 7\n"),
            "a.obj: group 0 has fewer than 4 distinct points; a hull needs 4 that span a volume");
}

TEST_F(hull_meshes, every_solid_of_an_stl_text_is_a_hull) {
  const Points other{{0, 0, 0}, {-1, 0, 0}, {0, -2, 0}, {0, 0, -3}};
  // Corners repeat in the file; the hull has each once, in the order of first use.
  EXPECT_EQ(
      hulls("a.stl",
            text_stl("one part", soup()) + text_stl("empty", {}) + text_stl("", soup(other))),
      (std::vector<Points>{{kTetrahedron[0], kTetrahedron[2], kTetrahedron[1], kTetrahedron[3]},
                           {other[0], other[2], other[1], other[3]}}));
}

TEST_F(hull_meshes, stl_texts_may_be_in_capitals_and_end_lines_by_crlf) {
  std::string text = text_stl("part", soup());
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) {
    text.replace(at, 1, "\r\n");
  }
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  EXPECT_EQ(hulls("a.STL", "\r\n" + text).at(0).size(), 4u);
}

TEST_F(hull_meshes, a_binary_stl_is_one_hull_whatever_its_header_says) {
  const Points expected{kTetrahedron[0], kTetrahedron[2], kTetrahedron[1], kTetrahedron[3]};
  for (const char* header : {"", "made by hand", "solid part", "solid\nfacet normal 0 0 1\n"}) {
    EXPECT_EQ(hulls("a.stl", binary_stl(header, soup())), (std::vector<Points>{expected}))
        << header;
  }
}

TEST_F(hull_meshes, stl_files_that_are_cut_off_are_refused) {
  const std::string text = text_stl("part", soup());
  EXPECT_EQ(error_of("a.stl", text.substr(0, text.find("endsolid"))),
            "a.stl: ends before endsolid; the file is not whole");
  EXPECT_EQ(error_of("a.stl", text.substr(0, text.find("    endloop"))),
            "a.stl: ends where endloop after three vertices is expected; the file is not whole");
  // 84 bytes and 4 triangles of 50 are 284.
  const std::string size_text =
      " bytes and says that it has 4 triangles, which take 284; a binary STL file has 84 bytes and "
      "50 for each triangle, one in text begins with solid";
  for (const char* header : {"part", "solid part"}) {
    const std::string bytes = binary_stl(header, soup());
    ASSERT_EQ(bytes.size(), 284u);
    EXPECT_EQ(error_of("a.stl", bytes.substr(0, 283)), "a.stl: has 283" + size_text);
    EXPECT_EQ(error_of("a.stl", bytes + "more"), "a.stl: has 288" + size_text);
  }
  EXPECT_EQ(error_of("a.stl", std::string(83, '\0')),
            "a.stl: has 83 bytes; a binary STL file has 84 bytes and 50 for each triangle, one in "
            "text begins with solid");
}

TEST_F(hull_meshes, broken_stl_files_are_refused_by_line_or_group) {
  const std::string begin = "solid part\nfacet normal 0 0 1\nouter loop\n";
  EXPECT_EQ(error_of("a.stl", "part\n"),
            "a.stl: line 1 is \"part\"; expected solid, as an STL file in text begins");
  EXPECT_EQ(error_of("a.stl", begin + "vertex 0 0 0\nvertex 1 0 0\nendloop\n"),
            "a.stl: line 6 is \"endloop\"; expected vertex x y z");
  EXPECT_EQ(error_of("a.stl", begin + "vertex 0 0\n"),
            "a.stl: line 4 has a vertex of 2 numbers; expected vertex x y z");
  EXPECT_EQ(error_of("a.stl", begin + "vertex 0 0 1..5\n"),
            "a.stl: line 4 has \"1..5\" where a finite number is expected");
  EXPECT_EQ(error_of("a.stl", "solid part\nvertex 0 0 0\n"),
            "a.stl: line 2 is \"vertex 0 0 0\"; expected facet or endsolid");
  EXPECT_EQ(error_of("a.stl", ""), "a.stl: has no faces; expected a group of them for each hull");
  EXPECT_EQ(error_of("a.stl", binary_stl("", {})),
            "a.stl: has no faces; expected a group of them for each hull");
  const Points triangle{kCube[0], kCube[1], kCube[2]};
  EXPECT_EQ(
      error_of("a.stl", text_stl("a leaf", triangle)),
      "a.stl: group 0 \"a leaf\" has fewer than 4 distinct points; a hull needs 4 that span a "
      "volume");
  // In the second of two triangles.
  const Points wrong{kCube[0], kCube[1], kCube[2], kCube[4], {0, std::nan(""), 0}, kCube[6]};
  EXPECT_EQ(error_of("a.stl", binary_stl("", wrong)),
            "a.stl: has nan in triangle 1, counted from 0; a vertex must be three finite numbers");
}

TEST_F(hull_meshes, a_hull_of_too_many_vertices_wants_a_limit) {
  // A prism over a polygon of 128 sides: 256 vertices, one more than a hull has.
  std::string text;
  for (int i = 0; i < 128; ++i) {
    const double angle = 2 * std::acos(-1.0) * i / 128;
    for (const char* z : {" 0", " 1"}) {
      text +=
          "v " + std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle)) + z + "\n";
    }
  }
  text += "o prism\nf";
  for (int i = 1; i <= 256; ++i) text += " " + std::to_string(i);
  EXPECT_EQ(error_of("a.obj", text + "\n"),
            "a.obj: group 0 \"prism\" has a hull of more than 255 vertices; --max-vertices 255 or "
            "fewer takes a simpler one that encloses it");
}

TEST_F(hull_meshes, a_limit_of_vertices_encloses_and_tells_by_how_much) {
  write("a.obj", "o cube\n" + kCubeVertices + kCubeQuads + kTetrahedronVertices + "o t\n" +
                     kTetrahedronFaces);
  ReadOptions options;
  options.max_vertices = 4;
  std::vector<std::string> notes;
  const SceneFile file = read_scene("a.obj", Format::obj, options, notes);
  SceneColumns<3, double> scene;
  file.to_columns(scene);
  EXPECT_EQ(scene.geometries.offsets[1], 4);
  ASSERT_EQ(scene.geometries.offsets[2], 8);
  // The tetrahedron only has four vertices, so it keeps them and there is no note about it.
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(scene.geometries.vertices.row(4 + i), kTetrahedron[i]);
  }
  // Every corner of the cube is behind every face of the enclosing hull.
  const auto surface = hull_topology(scene.geometries, 0);
  for (std::size_t f = 0; f < surface.normals.size(); ++f) {
    for (const auto& corner : kCube) {
      double along = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        along += surface.normals(f, static_cast<int>(k)) * corner[k];
      }
      EXPECT_LE(along, surface.offsets[f] + 1e-15);
    }
  }
  ASSERT_EQ(notes.size(), 1u);
  const std::string beginning =
      "a.obj: group 0 \"cube\" is enclosed by a hull of 4 vertices, which exceeds its own by at "
      "most ";
  ASSERT_TRUE(notes[0].starts_with(beginning)) << notes[0];
  // Measured at the hull's vertex that is farthest from the cube.
  double excess = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double square = 0;
    for (const double x : scene.geometries.vertices.row(i)) {
      const double beyond = std::max({-x, x - 1, 0.0});
      square += beyond * beyond;
    }
    excess = std::max(excess, std::sqrt(square));
  }
  EXPECT_NEAR(std::stod(notes[0].substr(beginning.size())), excess, 0.005 * excess);
}

TEST_F(hull_meshes, options_that_do_not_go_together) {
  write("a.obj", kCubeVertices + kCubeQuads);
  write("a.json", R"({"dimension": 3})");
  const auto usage_error = [](const std::string& path, const ReadOptions& options) -> std::string {
    try {
      read_scene(path, detect_format(path), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  ReadOptions options;
  options.radius = 1;
  EXPECT_EQ(usage_error("a.obj", options),
            "--radius is for particles, and a.obj becomes hulls or surfaces; leave --radius out");
  options = {};
  options.max_vertices = 8;
  EXPECT_EQ(
      usage_error("a.json", options),
      "--max-vertices is for meshes (obj, stl, ply, and those of urdf and mjcf), and a.json is of "
      "the format json; leave "
      "--max-vertices out");
  options = {};
  options.dimension = 2;
  EXPECT_EQ(usage_error("a.obj", options), "a.obj is a 3D scene; expected --dimension 3");
}

}  // namespace
}  // namespace widephase::tools
