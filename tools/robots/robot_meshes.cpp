#include "tools/robots/robot_meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <widephase/hulls.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/hull_groups.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

std::string lower_ending(const std::string& path) {
  const std::string name = name_of(path);
  const std::size_t dot = name.rfind('.');
  std::string word = dot == name.npos ? "" : name.substr(dot + 1);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return word;
}

/// What the program assimp converts to OBJ.
constexpr std::array<std::string_view, 10> kConvertible{"dae", "gltf", "glb", "fbx", "3ds",
                                                        "off", "wrl",  "x3d", "3mf", "blend"};

[[noreturn]] void refuse_type(const std::string& path, const std::string& type) {
  if (std::ranges::find(kConvertible, type) == kConvertible.end()) {
    throw FileError(path, "is not a mesh that is read; expected .obj, .stl or .ply");
  }
  const std::string stem = path.substr(0, path.rfind('.'));
  const bool has_blank = path.find(' ') != path.npos;
  const char* const quote = has_blank ? "'" : "";
  throw FileError(path, fmt::format("is of the format {0}, which is not read; convert it to OBJ or "
                                    "STL and name that: assimp export {1}{2}{1} {1}{3}.obj{1}",
                                    type, quote, path, stem));
}

std::array<double, 10> numbers_of(const MeshPlace& place) {
  std::array<double, 10> numbers{};
  std::ranges::copy(place.reference.position, numbers.begin());
  std::ranges::copy(place.reference.orientation, numbers.begin() + 3);
  std::ranges::copy(place.scale, numbers.begin() + 7);
  return numbers;
}

}  // namespace

RobotMeshes::RobotMeshes(const ReadOptions& options, RobotScene& scene)
    : scene_(scene),
      folders_(options.allow_files),
      max_vertices_(options.max_vertices == 0 ? kMostHullVertices : options.max_vertices),
      is_surface_(options.surface),
      weld_(options.weld),
      bytes_left_(kMostFileBytes) {
  folders_.insert(folders_.end(), options.package_path.begin(), options.package_path.end());
}

std::int32_t RobotMeshes::add_file(const MeshFile& file, const MeshPlace& place) {
  const auto key = std::pair{file.path, numbers_of(place)};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const std::string type = file.type.empty() ? lower_ending(file.path) : file.type;
  if (type != "obj" && type != "stl" && type != "ply") refuse_type(file.path, type);
  const MeshUse use = is_surface_ ? MeshUse::surface : MeshUse::hull_of_all_vertices_without_faces;
  MeshGroup all;
  {
    const std::string bytes = type == "obj"
                                  ? read_named_text(file.path, file.naming, folders_, bytes_left_)
                                  : read_named_file(file.path, file.naming, folders_, bytes_left_);
    bytes_left_ -= bytes.size();
    auto groups = type == "obj"   ? read_obj(file.path, bytes, use)
                  : type == "stl" ? read_stl(file.path, bytes, use)
                                  : read_ply(file.path, bytes, use);
    for (MeshGroup& group : groups) {
      const auto first = static_cast<std::int32_t>(all.points.size());
      all.points.insert(all.points.end(), group.points.begin(), group.points.end());
      for (const auto& [a, b, c] : group.triangles) {
        all.triangles.push_back({first + a, first + b, first + c});
      }
      group = {};
    }
  }
  if (all.points.empty()) {
    throw FileError(file.path, is_surface_ ? "has no faces; expected a mesh"
                                           : "has no vertices; expected a mesh");
  }
  const std::int32_t geometry = add_group(std::move(all), file.path, place);
  known_.emplace(key, geometry);
  return geometry;
}

std::int32_t RobotMeshes::add_group(MeshGroup group, const std::string& name,
                                    const MeshPlace& place) {
  auto [x, y, z, w] = place.reference.orientation;
  const Quaternion back{-x, -y, -z, w};
  for (Vector3& point : group.points) {
    point = turned(back, difference(point, place.reference.position));
    for (std::size_t k = 0; k < 3; ++k) point[k] *= place.scale[k];
  }
  // A mirror turns fronts into backs.
  if (place.scale[0] * place.scale[1] * place.scale[2] < 0) {
    for (auto& triangle : group.triangles) std::swap(triangle[1], triangle[2]);
  }
  try {
    if (!is_surface_) return add_hull(group, name);
    add_surface(scene_.meshes(), group, weld_, welded_);
    return static_cast<std::int32_t>(scene_.meshes().triangle_offsets.size()) - 2;
  } catch (const Error& error) {
    if (!error.finding()) throw FileError(name, error.what());
    const Finding& finding = *error.finding();
    const bool is_flattened = std::ranges::count(place.scale, 0.0) > 0;
    throw FileError(name, (finding.row < 0 ? finding.message
                                           : fmt::format("has a vertex that, when placed, {}",
                                                         finding.message)) +
                              (is_flattened ? "; its scale has a 0" : ""));
  }
}

std::int32_t RobotMeshes::add_hull(const MeshGroup& group, const std::string& name) {
  Column<double, 3> points;
  for (const Vector3& point : group.points) points.push_back(point);
  auto& hulls = scene_.hulls();
  const double excess = add_hull_within(hulls, points, max_vertices_);
  if (excess > 0) ++simplified_;
  if (excess > most_excess_) {
    most_excess_ = excess;
    most_exceeding_ = name;
  }
  return static_cast<std::int32_t>(hulls.offsets.size()) - 2;
}

std::size_t RobotMeshes::add_shape(const Frame3& frame, std::int32_t geometry,
                                   const ShapeTags& tags) {
  return is_surface_ ? scene_.add_mesh(frame, geometry, tags)
                     : scene_.add_hull(frame, geometry, tags);
}

void RobotMeshes::write_notes(const std::string& robot, std::vector<std::string>& notes) const {
  const auto& offsets = is_surface_ ? scene_.meshes().triangle_offsets : scene_.hulls().offsets;
  if (offsets.empty()) return;
  const auto count = static_cast<std::int64_t>(offsets.size()) - 1;
  if (is_surface_) {
    notes.push_back(fmt::format(
        "{}: {}", robot,
        count == 1 ? "1 mesh became a surface" : counted(count, "mesh") + " became surfaces"));
    if (weld_) notes.push_back(welded_text(robot, *weld_, welded_));
    return;
  }
  notes.push_back(fmt::format("{}: {}", robot,
                              count == 1 ? "1 mesh became a convex hull"
                                         : counted(count, "mesh") + " became convex hulls"));
  if (simplified_ == 0) return;
  notes.push_back(fmt::format(
      "{}: {} more than {} vertices; simpler hulls that enclose them "
      "exceed them by at most {:.3g} ({})",
      robot,
      simplified_ == 1 ? "1 of these hulls would have"
                       : fmt::format("{} of these hulls would have", grouped(simplified_)),
      max_vertices_, most_excess_, most_exceeding_));
}

}  // namespace widephase::tools
