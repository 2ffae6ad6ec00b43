#include "tools/robots/mjcf_geoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr std::string_view kGeoms =
    "plane, sphere, capsule, cylinder, box, ellipsoid, mesh or hfield";

/// What content_type says; empty if it does not.
std::string_view mesh_type(const XMLElement& asset) {
  const std::string_view type = attribute(asset, "content_type");
  return type.substr(type.find('/') == type.npos ? 0 : type.find('/') + 1);
}

/// The rows of three numbers that an attribute of an asset has.
std::vector<std::array<double, 3>> read_rows(const MjcfModel& model, const XMLElement& asset,
                                             const char* name, std::size_t least) {
  const auto numbers = attribute_numbers(model.path(), asset, name, least, kMostFileBytes);
  if (numbers.size() % 3 != 0) {
    model.fail(asset, fmt::format("has {} numbers in {} of {}; expected three for each",
                                  numbers.size(), name, element_text(asset)));
  }
  std::vector<std::array<double, 3>> rows;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    rows.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  }
  return rows;
}

}  // namespace

/// The vertices of an asset, and if it is a surface its faces.
MeshGroup MjcfGeoms::read_arrays(const MjcfModel& model, const XMLElement& asset) const {
  MeshGroup group;
  group.points = read_rows(model, asset, "vertex", meshes_.makes_surfaces() ? 9 : 12);
  if (!meshes_.makes_surfaces()) return group;
  if (asset.Attribute("face") == nullptr) {
    model.fail(asset,
               fmt::format("has {} without face, which a surface needs", element_text(asset)));
  }
  for (const auto& row : read_rows(model, asset, "face", 3)) {
    std::array<std::int32_t, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(row[c] >= 0 && row[c] < static_cast<double>(group.points.size())) ||
          row[c] != std::floor(row[c])) {
        model.fail(asset, fmt::format("has {} in face of {}; expected the number of a vertex, "
                                      "from 0 to {}",
                                      row[c], element_text(asset), group.points.size() - 1));
      }
      corners[c] = static_cast<std::int32_t>(row[c]);
    }
    group.triangles.push_back(corners);
  }
  return group;
}

std::size_t MjcfGeoms::add_shape(MjcfModel& model, const XMLElement& e, const Frame3& around,
                                 const ShapeTags& tags) {
  const std::string_view given = attribute(e, "type");
  const std::string_view type = given.empty() ? "sphere" : given;
  if (type != "hfield" && e.Attribute("hfield") != nullptr) {
    model.fail(e, fmt::format("has {} of type {} with a hfield; expected type hfield",
                              element_text(e), type));
  }
  Frame3 frame = model.frame_of(e);
  if (type == "hfield") return fields_.add_shape(model, e, product(around, frame), tags);
  if (type == "mesh") {
    return meshes_.add_shape(product(around, frame), geometry_of(model, e), tags);
  }
  const bool is_fitted = is_one_of(type, {"sphere", "capsule", "cylinder", "box", "ellipsoid"});
  if (is_fitted && e.Attribute("mesh") != nullptr) {
    model.fail(e, fmt::format("has {} of type {} fitted to a mesh, which is not read; expected "
                              "type mesh, or sizes",
                              element_text(e), type));
  }
  auto size = attribute_numbers(model.path(), e, "size", 1, 3);
  size.resize(3, 0);
  const auto ends = attribute_numbers(model.path(), e, "fromto", 6, 6);
  if (!ends.empty()) {
    if (!is_one_of(type, {"capsule", "cylinder", "box", "ellipsoid"})) {
      model.fail(e, fmt::format("has fromto in {} of type {}", element_text(e), type));
    }
    const Vector3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
    const Vector3 axis = difference(from, to);
    if (!(length(axis) > 0)) model.fail(e, fmt::format("has no length in {}", element_text(e)));
    frame = {scaled(sum(from, to), 0.5), turn_of_z(axis)};
    const bool has_three = is_one_of(type, {"box", "ellipsoid"});
    size = has_three ? std::vector<double>{size[0], size[0], length(axis) / 2}
                     : std::vector<double>{size[0], length(axis) / 2, 0};
  }
  // The scene's own rules report a negative size, but not a missing one.
  const auto need = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (size[i] > 0) continue;
      model.fail(e, fmt::format("has {} of type {} without {} above 0 in size", element_text(e),
                                type, count == 1 ? "a number" : fmt::format("{} numbers", count)));
    }
  };
  frame = product(around, frame);
  if (type == "plane") return scene_.add_halfspace(frame, tags);
  if (type == "sphere") {
    need(1);
    return scene_.add_sphere(frame.position, size[0], tags);
  }
  if (type == "capsule") {
    need(2);
    const Vector3 end{0, 0, size[1]};
    return scene_.add_capsule(moved(frame, end), moved(frame, scaled(end, -1)), size[0], tags);
  }
  if (type == "cylinder") {
    need(2);
    return scene_.add_cylinder(frame, size[1], size[0], tags);
  }
  if (is_one_of(type, {"box", "ellipsoid"})) {
    need(3);
    const Vector3 half{size[0], size[1], size[2]};
    return type == "box" ? scene_.add_box(frame, half, tags)
                         : scene_.add_ellipsoid(frame, half, tags);
  }
  model.fail(e, fmt::format("has {} of type {}; expected {} (or contype and conaffinity 0, if it "
                            "is there to be seen)",
                            element_text(e), in_quotes(type), kGeoms));
}

/// The hull or surface of the mesh that a geom names.
std::int32_t MjcfGeoms::geometry_of(MjcfModel& model, const XMLElement& geom) {
  const std::string name = required_attribute(model.path(), geom, "mesh");
  XMLElement* const asset = model.find_asset("mesh", name);
  if (asset == nullptr) {
    model.fail(geom, fmt::format("has {} with the mesh {}, which is not a <mesh> of <asset>",
                                 element_text(geom), in_quotes(name)));
  }
  const auto [known, is_new] = geometries_.emplace(asset, -1);
  if (is_new) known->second = add_mesh(model, *asset, name);
  return known->second;
}

std::int32_t MjcfGeoms::add_mesh(MjcfModel& model, XMLElement& asset, const std::string& name) {
  model.inherit(asset, "");
  MeshPlace place;
  place.scale = attribute_vector(model.path(), asset, "scale", place.scale);
  place.reference.position = attribute_vector(model.path(), asset, "refpos", {});
  if (const auto q = attribute_numbers(model.path(), asset, "refquat", 4, 4); !q.empty()) {
    place.reference.orientation = normalized(Quaternion{q[1], q[2], q[3], q[0]});
    if (place.reference.orientation == Quaternion{}) {
      model.fail(asset, fmt::format("has a refquat of no length in {}", element_text(asset)));
    }
  }
  const bool is_file = !attribute(asset, "file").empty();
  const bool has_arrays = !is_file && asset.Attribute("vertex") != nullptr;
  MeshGroup arrays = has_arrays ? read_arrays(model, asset) : MeshGroup{};
  try {
    if (is_file) {
      return meshes_.add_file({model.path_of_asset(std::string(attribute(asset, "file"))),
                               model.path(), std::string(mesh_type(asset))},
                              place);
    }
    if (has_arrays) return meshes_.add_group(std::move(arrays), name, place);
  } catch (const FileError& error) {
    model.fail(asset, fmt::format("has a mesh: {}", error.what()));
  }
  if (asset.Attribute("builtin") != nullptr) {
    model.fail(asset, fmt::format("has {} made by builtin, which is not read; expected file or "
                                  "vertex",
                                  element_text(asset)));
  }
  model.fail(asset, fmt::format("has {} without file or vertex", element_text(asset)));
}

}  // namespace widephase::tools
