#include "tools/robots/robot_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "soa/optional_default.hpp"
#include "tools/formats/file_error.hpp"

namespace widephase::tools {

template <class Table>
std::size_t RobotScene::add_tags(Table& table, const ShapeTags& tags) {
  table.body.push_back({tags.body});
  table.owner.push_back({tags.owner});
  table.fixed.push_back({tags.fixed});
  table.category.push_back({tags.category});
  table.mask.push_back({tags.mask});
  names_.shapes[static_cast<std::size_t>(Table::kind)].push_back(index_of(tags.name));
  kinds_.push_back({Table::kind, static_cast<std::int32_t>(row_count(table)) - 1});
  return kinds_.size() - 1;
}

std::size_t RobotScene::add_sphere(const Vector3& center, double radius, const ShapeTags& tags) {
  scene_.spheres.center.push_back(center);
  scene_.spheres.radius.push_back({radius});
  return add_tags(scene_.spheres, tags);
}

std::size_t RobotScene::add_capsule(const Vector3& a, const Vector3& b, double radius,
                                    const ShapeTags& tags) {
  scene_.capsules.a.push_back(a);
  scene_.capsules.b.push_back(b);
  scene_.capsules.radius.push_back({radius});
  return add_tags(scene_.capsules, tags);
}

std::size_t RobotScene::add_box(const Frame3& frame, const Vector3& half_extents,
                                const ShapeTags& tags) {
  scene_.boxes.center.push_back(frame.position);
  scene_.boxes.turn.push_back(frame.orientation);
  scene_.boxes.half_extents.push_back(half_extents);
  return add_tags(scene_.boxes, tags);
}

template <class Table>
std::size_t RobotScene::add_round(Table& table, const Frame3& frame, double half_height,
                                  double radius, const ShapeTags& tags) {
  table.center.push_back(frame.position);
  table.turn.push_back(frame.orientation);
  table.half_height.push_back({half_height});
  table.radius.push_back({radius});
  return add_tags(table, tags);
}

std::size_t RobotScene::add_cylinder(const Frame3& frame, double half_height, double radius,
                                     const ShapeTags& tags) {
  return add_round(scene_.cylinders, frame, half_height, radius, tags);
}

std::size_t RobotScene::add_cone(const Frame3& frame, double half_height, double radius,
                                 const ShapeTags& tags) {
  return add_round(scene_.cones, frame, half_height, radius, tags);
}

std::size_t RobotScene::add_ellipsoid(const Frame3& frame, const Vector3& half_extents,
                                      const ShapeTags& tags) {
  scene_.ellipsoids.center.push_back(frame.position);
  scene_.ellipsoids.turn.push_back(frame.orientation);
  scene_.ellipsoids.half_extents.push_back(half_extents);
  return add_tags(scene_.ellipsoids, tags);
}

template <class Table>
std::size_t RobotScene::add_instance(Table& table, const Frame3& frame, std::int32_t geometry,
                                     const ShapeTags& tags) {
  table.center.push_back(frame.position);
  table.turn.push_back(frame.orientation);
  table.geometry.push_back({geometry});
  return add_tags(table, tags);
}

std::size_t RobotScene::add_hull(const Frame3& frame, std::int32_t geometry,
                                 const ShapeTags& tags) {
  return add_instance(scene_.hulls, frame, geometry, tags);
}

std::size_t RobotScene::add_heightfield(const Frame3& frame, std::int32_t geometry,
                                        const ShapeTags& tags) {
  return add_instance(scene_.heightfields, frame, geometry, tags);
}

std::size_t RobotScene::add_mesh(const Frame3& frame, std::int32_t geometry,
                                 const ShapeTags& tags) {
  return add_instance(scene_.meshes, frame, geometry, tags);
}

std::size_t RobotScene::add_halfspace(const Frame3& frame, const ShapeTags& tags) {
  const Vector3 normal = turned(frame.orientation, {0, 0, 1});
  scene_.halfspaces.normal.push_back(normal);
  scene_.halfspaces.offset.push_back({dot(normal, frame.position)});
  return add_tags(scene_.halfspaces, tags);
}

std::int32_t RobotScene::index_of(const std::string& name) {
  const auto next = static_cast<std::int32_t>(names_.distinct->size());
  const auto [known, is_new] = known_names_.emplace(name, next);
  if (is_new) names_.distinct->push_back(name);
  return known->second;
}

std::int32_t RobotScene::add_body(const Frame3& frame, const std::string& name) {
  names_.bodies.push_back(index_of(name));
  scene_.bodies.position.push_back(frame.position);
  scene_.bodies.turn.push_back(frame.orientation);
  return static_cast<std::int32_t>(scene_.bodies.position.size()) - 1;
}

bool RobotScene::exclude(const std::vector<std::size_t>& some,
                         const std::vector<std::size_t>& others) {
  if (some.empty()) return true;
  if (others.size() > (kMostExcluded - excluded_.size()) / some.size()) return false;
  for (const std::size_t a : some) {
    for (const std::size_t b : others) {
      excluded_.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
  }
  return true;
}

void RobotScene::allow(const std::vector<std::array<std::size_t, 2>>& pairs) {
  std::set<std::array<std::uint32_t, 2>> allowed;
  for (const auto& pair : pairs) {
    const auto a = static_cast<std::uint32_t>(pair[0]), b = static_cast<std::uint32_t>(pair[1]);
    allowed.insert({a, b});
    allowed.insert({b, a});
  }
  if (!allowed.empty()) {
    std::erase_if(excluded_, [&](const auto& pair) { return allowed.contains(pair); });
  }
}

void RobotNames::repeat(const SceneColumns<3, double>& scene, std::size_t count) {
  const auto add_copies = [&](const std::vector<std::int32_t>& each,
                              std::vector<std::int32_t>& all) {
    for (std::size_t copy = 0; copy < count; ++copy) {
      all.insert(all.end(), each.begin(), each.end());
    }
  };
  for_each_table(scene, [&](const auto& table) {
    std::vector<std::int32_t>& rows =
        shapes[static_cast<std::size_t>(std::remove_cvref_t<decltype(table)>::kind)];
    std::vector<std::int32_t> once, repeated;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const bool is_once = !table.world.empty() && table.world(row) == -1;
      (is_once ? once : repeated).push_back(rows[row]);
    }
    rows = std::move(once);
    add_copies(repeated, rows);
  });
  const std::vector<std::int32_t> each = std::move(bodies);
  bodies.clear();
  add_copies(each, bodies);
}

SceneColumns<3, double> RobotScene::take() {
  const SceneLayout layout = layout_of(scene_);
  const auto id = [&](std::size_t shape) {
    return layout.id(kinds_[shape].kind, kinds_[shape].row);
  };
  for (const auto& [a, b] : excluded_) scene_.excluded.push_back({id(a), id(b)});
  return std::move(scene_);
}

namespace {

/// Whether an optional column only has default values, so that it can be left out.
template <class C>
bool is_default(std::string_view field, const C& column) {
  using T = typename C::value_type;
  const T value = optional_default<T>(field);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (field == "key" || column(row) != value) return false;
  }
  return true;
}

/// Adds an array of names, unless there are none.
void add_names(std::string array, const std::vector<std::int32_t>& indices, const RobotNames& names,
               SceneFile& file) {
  if (std::ranges::all_of(indices, [](std::int32_t index) { return index == 0; })) return;
  file.add({std::move(array), Array::of_texts(indices, names.distinct, {indices.size()})});
}

}  // namespace

SceneFile scene_file_of(const std::string& path, SceneColumns<3, double> scene,
                        const RobotNames& names) {
  if (const auto findings = validate<3, double>(scene); !findings.empty()) {
    throw FileError(path, fmt::format("makes a scene whose {}", said(findings[0])));
  }
  // `validate` ignores frames without shapes, but a file must not hold numbers that are not finite.
  for (std::size_t body = 0; body < scene.bodies.position.size(); ++body) {
    for (const double value : scene.bodies.position.row(body)) {
      if (std::isfinite(value)) continue;
      throw FileError(path, fmt::format("makes a scene whose bodies.position[{}] is {}; expected "
                                        "finite numbers",
                                        body, value));
    }
  }
  for_each_table(scene, [](auto& table) {
    for_each_field(table, [](const auto& field, auto& column) {
      if constexpr (std::remove_cvref_t<decltype(column)>::width == 1) {
        if (field.is_optional && is_default(field.name, column)) column.clear();
      }
    });
  });
  SceneFile file = SceneFile::of(path, scene);
  for (int k = 0; k < kKindCount; ++k) {
    const std::string kind(kind_name(static_cast<Kind>(k), 3));
    add_names(kind + ".name", names.shapes[static_cast<std::size_t>(k)], names, file);
  }
  add_names("bodies.name", names.bodies, names, file);
  return file;
}

}  // namespace widephase::tools
