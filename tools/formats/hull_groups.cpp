#include "tools/formats/hull_groups.hpp"

#include <fmt/format.h>

#include <widephase/hulls.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using Hulls = GeometryTable<Owned<3, double>>;

/// Whether a limit of vertices would give these points a hull. They have none with all vertices.
bool has_simpler_hull(const Column<double, 3>& points) {
  try {
    Hulls scratch;
    add_hull(scratch, points.span(), kMostHullVertices);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Adds the hull of a group. Returns how far it extends beyond the hull of the points.
double add_group(const std::string& path, const MeshGroup& group, std::size_t number,
                 int max_vertices, Hulls& hulls) {
  Column<double, 3> points;
  for (const auto& point : group.points) points.push_back(point);
  try {
    if (max_vertices != 0) return add_hull_within(hulls, points, max_vertices);
    add_hull(hulls, points.span());
    return 0;
  } catch (const Error& error) {
    if (max_vertices != 0 || !has_simpler_hull(points)) {
      throw refused_group(path, group, number, error);
    }
    throw FileError(path, fmt::format("{} has a hull of more than {} vertices; {} or fewer takes a "
                                      "simpler one that encloses it",
                                      group_text(group, number), kMostHullVertices,
                                      option("max_vertices", std::to_string(kMostHullVertices))));
  }
}

}  // namespace

std::string group_text(const MeshGroup& group, std::size_t number) {
  return group.name.empty() ? fmt::format("group {}", number)
                            : fmt::format("group {} {}", number, in_quotes(group.name));
}

FileError refused_group(const std::string& path, const MeshGroup& group, std::size_t number,
                        const Error& error) {
  const std::string name = group_text(group, number);
  return {path, error.finding() ? said(Finding{name, -1, error.finding()->message})
                                : name + " " + error.what()};
}

double add_hull_within(Hulls& hulls, const Column<double, 3>& points, int max_vertices) {
  const std::size_t vertices = hulls.vertices.size();
  try {
    add_hull(hulls, points.span());
    if (hulls.vertices.size() - vertices <= static_cast<std::size_t>(max_vertices)) return 0;
    hulls.vertices.resize_uninitialized(vertices);
    hulls.offsets.resize_uninitialized(hulls.offsets.size() - 1);
  } catch (const Error&) {
    // A hull of more than 255 vertices; or there is none, which the next call says.
  }
  return add_hull(hulls, points.span(), max_vertices).excess;
}

SceneFile scene_of_hulls(const std::string& path, const std::vector<MeshGroup>& groups,
                         int max_vertices, std::vector<std::string>& notes) {
  if (groups.empty()) throw FileError(path, "has no faces; expected a group of them for each hull");
  Hulls hulls;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double excess = add_group(path, groups[i], i, max_vertices, hulls);
    if (excess > 0) {
      notes.push_back(fmt::format(
          "{}: {} is enclosed by a hull of {} vertices, which exceeds "
          "its own by at most {:.3g}",
          path, group_text(groups[i], i), hulls.offsets[i + 1] - hulls.offsets[i], excess));
    }
  }
  const std::size_t count = groups.size();
  Array vertices(Type::float64, {hulls.vertices.size(), 3});
  for (std::size_t i = 0; i < vertices.count(); ++i) {
    vertices.values<double>()[i] = hulls.vertices(i / 3, static_cast<int>(i % 3));
  }
  Array offsets(Type::int64, {count + 1});
  Array geometries(Type::int32, {count});
  Array orientations(Type::float64, {count, 4});
  for (std::size_t i = 0; i < count; ++i) {
    offsets.values<std::int64_t>()[i] = hulls.offsets[i];
    geometries.values<std::int32_t>()[i] = static_cast<std::int32_t>(i);
    for (std::size_t w = 0; w < 4; ++w) {
      orientations.values<double>()[4 * i + w] = w == 3 ? 1 : 0;
    }
  }
  offsets.values<std::int64_t>()[count] = hulls.offsets[count];
  std::vector<NamedArray> arrays;
  arrays.push_back({"dimension", Array::of(std::vector<std::int32_t>{3}, {})});
  arrays.push_back({"hull.center", Array::of(std::vector<double>(3 * count, 0.0), {count, 3})});
  arrays.push_back({"hull.orientation", std::move(orientations)});
  arrays.push_back({"hull.geometry", std::move(geometries)});
  arrays.push_back({"hulls.vertices", std::move(vertices)});
  arrays.push_back({"hulls.offsets", std::move(offsets)});
  return SceneFile(path, std::move(arrays));
}

}  // namespace widephase::tools
