#include "tools/page/view_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "tools/page/page_data.hpp"
#include "tools/page/page_frame.hpp"
#include "tools/page/view_page_parts.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

namespace {

using Json = nlohmann::ordered_json;

/// Shapes that are drawn as instances of one geometry.
struct Instances {
  std::vector<std::int32_t> ids;
  std::vector<float> frames;     ///< three axes and a position each; balls: position and radius
  std::vector<float> roundings;  ///< a length each, or none at all

  void add(std::size_t id, const std::array<Point, 3>& axes, const Point& place) {
    ids.push_back(static_cast<std::int32_t>(id));
    for (const Point& axis : axes) {
      for (const double value : axis) frames.push_back(static_cast<float>(value));
    }
    for (const double value : place) frames.push_back(static_cast<float>(value));
  }
};

bool is_wanted(const ViewScene& scene, std::int32_t world) {
  return !scene.world || world == -1 || world == *scene.world;
}

/// A contact is shown in the worlds of both its shapes. A shape of world -1 adds no world; two of
/// them show the contact everywhere.
bool is_wanted(const ViewScene& scene, std::int32_t world_a, std::int32_t world_b) {
  return !scene.world || world_a == *scene.world || world_b == *scene.world ||
         (world_a == -1 && world_b == -1);
}

/// The axes of a cylinder drawn around a segment; `half` is half the segment.
std::array<Point, 3> along(const Point& half, double radius) {
  const double reach = length(half);
  const Point z = reach > 0 ? scaled(half, 1 / reach) : Point{0, 0, 1};
  const Point other = std::abs(z[2]) < 0.9 ? Point{0, 0, 1} : Point{1, 0, 0};
  Point x = cross(other, z);
  x = scaled(x, 1 / length(x));
  return {scaled(x, radius), scaled(cross(z, x), radius), half};
}

/// Everything that the page draws.
class Drawing {
 public:
  Drawing(const ViewScene& scene, const PageFrame& frame) : scene_(scene), frame_(frame) {
    for (std::size_t id = 0; id < scene.shapes.size(); ++id) {
      if (is_wanted(scene, scene.shapes[id].world)) add(id, scene.shapes[id]);
    }
  }

  void tell(Json& about, PageData& data) const {
    about["groups"] = Json::array();
    const auto tell_group = [&](const Json& mesh, const Instances& instances) {
      if (instances.ids.empty()) return;
      const std::string index = std::to_string(about["groups"].size());
      about["groups"].push_back({{"mesh", mesh}});
      data.add("ids" + index, instances.ids);
      data.add("frames" + index, instances.frames);
      if (!instances.roundings.empty()) data.add("rounding" + index, instances.roundings);
    };
    tell_group("ball", balls_);
    tell_group("box", boxes_);
    tell_group("cylinder", cylinders_);
    tell_group("cone", cones_);
    tell_group("ellipsoid", ellipsoids_);
    tell_group("rounded cylinder", rounded_cylinders_);
    tell_group("rounded cone", rounded_cones_);
    tell_group("rounded ellipsoid", rounded_ellipsoids_);
    about["surfaces"] = Json::array();
    for (const Hulls& hulls : hulls_) {
      tell_group(about["surfaces"].size(), hulls.instances);
      about["surfaces"].push_back(faces_of(*hulls.surface, hulls.radius));
    }
    about["fields"] = Json::array();
    for (const Fields& fields : fields_) {
      const std::size_t number = about["fields"].size();
      tell_group({{"field", number}}, fields.instances);
      if (fields.mesh != nullptr) {
        about["fields"].push_back({{"is_mesh", true}});
        data.add("field" + std::to_string(number), fields.mesh->vertices);
        data.add("corners" + std::to_string(number), fields.mesh->corners);
        continue;
      }
      about["fields"].push_back({{"rows", fields.field->rows},
                                 {"columns", fields.field->columns},
                                 {"cell", fields.field->cell}});
      data.add("field" + std::to_string(number), fields.field->heights);
    }
    data.add("outline_ids", outline_ids_);
    data.add("outline_offset", outline_offset_);
    data.add("outline_corners", outline_corners_);
    data.add("outline_radius", outline_radius_);
    data.add("plane_ids", plane_ids_);
    data.add("planes", planes_);
  }

 private:
  /// Hulls with the same surface and radius.
  struct Hulls {
    const DrawnSurface* surface;
    double radius;
    Instances instances;
  };

  /// Height fields with the same samples, or meshes of the same triangles.
  struct Fields {
    const DrawnField* field;
    const DrawnMesh* mesh;
    Instances instances;
  };

  /// The corners of the faces, moved outward by the radius.
  static Json faces_of(const DrawnSurface& surface, double radius) {
    Json faces = Json::array();
    for (std::size_t f = 0; f < surface.faces.size(); ++f) {
      Json corners = Json::array();
      for (const std::size_t v : surface.faces[f]) {
        corners.push_back(sum(surface.vertices[v], scaled(surface.normals[f], radius)));
      }
      faces.push_back(std::move(corners));
    }
    return faces;
  }

  void add(Instances& instances, std::size_t id, const std::array<Point, 3>& axes,
           const Point& place) const {
    const double share = 1 / frame_.unit;
    instances.add(id, {scaled(axes[0], share), scaled(axes[1], share), scaled(axes[2], share)},
                  frame_.placed(place));
  }

  void add(std::size_t id, const DrawnShape& shape) {
    switch (shape.kind) {
      case Kind::sphere:
        return add_ball(id, shape.a, shape.radius);
      case Kind::capsule:
        return add_capsule(id, shape);
      case Kind::aabb:
        if (scene_.dimension == 3) return add_box(id, shape);
        return add_outline(id,
                           {{shape.a[0], shape.a[1]},
                            {shape.b[0], shape.a[1]},
                            {shape.b[0], shape.b[1]},
                            {shape.a[0], shape.b[1]}},
                           0);
      case Kind::box:
        if (scene_.dimension == 3) return add_box(id, shape);
        [[fallthrough]];
      case Kind::polygon:
        return add_outline(id, shape.corners, shape.radius);
      case Kind::hull:
        return add_hull(id, shape);
      case Kind::cylinder:
        return add_smooth(cylinders_, rounded_cylinders_, id, shape, half_of_round(shape));
      case Kind::cone:
        return add_smooth(cones_, rounded_cones_, id, shape, half_of_round(shape));
      case Kind::ellipsoid:
        return add_smooth(ellipsoids_, rounded_ellipsoids_, id, shape, shape.half);
      case Kind::heightfield:
      case Kind::mesh:
        return add_field(id, shape);
      case Kind::chain:
        return add_line(id, shape);
      case Kind::halfspace:
        break;
    }
    plane_ids_.push_back(static_cast<std::int32_t>(id));
    double offset = shape.radius;
    for (std::size_t k = 0; k < 3; ++k) {
      planes_.push_back(static_cast<float>(shape.a[k]));
      offset -= shape.a[k] * frame_.origin[k];
    }
    planes_.push_back(static_cast<float>(offset / frame_.unit));
  }

  static Point middle_of(const DrawnShape& shape) { return scaled(sum(shape.a, shape.b), 0.5); }

  /// Half a cylinder or a cone along its axes.
  static Point half_of_round(const DrawnShape& shape) {
    return {shape.radius, shape.radius, length(difference(shape.b, shape.a)) / 2};
  }

  /// A shape whose mesh is stretched along its axes. The page then moves the mesh outwards along
  /// its normals, by the rounding. No length is 0, since normals are divided by it.
  void add_smooth(Instances& sharp, Instances& rounded, std::size_t id, const DrawnShape& shape,
                  const Point& half) {
    constexpr double kThinnest = 1e-5;
    const double least =
        kThinnest * std::max({half[0], half[1], half[2], shape.rounding, 1e-30 * frame_.unit});
    const bool is_rounded = shape.rounding > 0;
    std::array<Point, 3> axes = shape.axes;
    for (std::size_t k = 0; k < 3; ++k) axes[k] = scaled(axes[k], std::max(half[k], least));
    add(is_rounded ? rounded : sharp, id, axes, middle_of(shape));
    if (is_rounded) rounded.roundings.push_back(static_cast<float>(shape.rounding / frame_.unit));
  }

  void add_ball(std::size_t id, const Point& center, double radius) {
    balls_.ids.push_back(static_cast<std::int32_t>(id));
    for (const double value : frame_.placed(center)) {
      balls_.frames.push_back(static_cast<float>(value));
    }
    balls_.frames.push_back(static_cast<float>(radius / frame_.unit));
  }

  void add_rod(std::size_t id, const Point& from, const Point& to, double radius) {
    const Point half = scaled(difference(to, from), 0.5);
    if (length(half) > 0) add(cylinders_, id, along(half, radius), scaled(sum(from, to), 0.5));
  }

  void add_capsule(std::size_t id, const DrawnShape& shape) {
    if (scene_.dimension == 2) {
      return add_outline(id, {{shape.a[0], shape.a[1]}, {shape.b[0], shape.b[1]}}, shape.radius);
    }
    for (const Point& end : {shape.a, shape.b}) add_ball(id, end, shape.radius);
    add_rod(id, shape.a, shape.b, shape.radius);
  }

  /// A rounded box is drawn as three crossing boxes, twelve rods and eight balls.
  void add_box(std::size_t id, const DrawnShape& shape) {
    const Point middle = middle_of(shape);
    if (!(shape.rounding > 0)) return add(boxes_, id, shape.axes, middle);
    std::array<Point, 3> core = shape.axes;
    for (Point& axis : core) axis = scaled(axis, 1 - shape.rounding / length(axis));
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<Point, 3> slab = core;
      slab[k] = shape.axes[k];
      add(boxes_, id, slab, middle);
    }
    const auto corner = [&](std::size_t sides) {
      Point place = middle;
      for (std::size_t k = 0; k < 3; ++k)
        place = sides >> k & 1 ? sum(place, core[k]) : difference(place, core[k]);
      return place;
    };
    for (std::size_t sides = 0; sides < 8; ++sides) {
      add_ball(id, corner(sides), shape.rounding);
      for (std::size_t k = 0; k < 3; ++k) {
        if ((sides >> k & 1) == 0) {
          add_rod(id, corner(sides), corner(sides | std::size_t{1} << k), shape.rounding);
        }
      }
    }
  }

  /// A rounded hull is drawn as its faces moved outward, one rod per edge and one ball per vertex.
  void add_hull(std::size_t id, const DrawnShape& shape) {
    const DrawnSurface* const surface = shape.surface.get();
    const auto [at, is_new] = hull_rows_.try_emplace({surface, shape.radius}, hulls_.size());
    if (is_new) hulls_.push_back({surface, shape.radius, {}});
    add(hulls_[at->second].instances, id, shape.axes, shape.center);
    if (!(shape.radius > 0)) return;
    for (const Point& vertex : surface->vertices) {
      add_ball(id, tools::placed(shape, vertex), shape.radius);
    }
    for (const std::vector<std::size_t>& face : surface->faces) {
      for (std::size_t i = 0; i < face.size(); ++i) {
        const std::size_t from = face[i], to = face[(i + 1) % face.size()];
        // The neighbouring face has this edge in the other direction, so draw it once.
        if (from < to) {
          add_rod(id, tools::placed(shape, surface->vertices[from]),
                  tools::placed(shape, surface->vertices[to]), shape.radius);
        }
      }
    }
  }

  void add_field(std::size_t id, const DrawnShape& shape) {
    const DrawnField* const field = shape.field.get();
    const DrawnMesh* const mesh = shape.mesh.get();
    const void* const surface = mesh != nullptr ? static_cast<const void*>(mesh) : field;
    const auto [at, is_new] = field_rows_.try_emplace(surface, fields_.size());
    if (is_new) fields_.push_back({field, mesh, {}});
    add(fields_[at->second].instances, id, shape.axes, shape.center);
  }

  /// A chain, a capsule for each segment: as thick as it is, and at least as can be seen.
  void add_line(std::size_t id, const DrawnShape& line) {
    DrawnShape segment;
    segment.kind = Kind::capsule;
    segment.radius = std::max(line.radius, 0.002 * frame_.unit);
    for (std::size_t v = 0; v + 1 < line.corners.size(); ++v) {
      segment.a = {line.corners[v][0], line.corners[v][1], 0};
      segment.b = {line.corners[v + 1][0], line.corners[v + 1][1], 0};
      add_capsule(id, segment);
    }
  }

  void add_outline(std::size_t id, const std::vector<std::array<double, 2>>& corners,
                   double radius) {
    outline_ids_.push_back(static_cast<std::int32_t>(id));
    for (const auto& [x, y] : corners) {
      const Point place = frame_.placed({x, y, 0});
      outline_corners_.push_back(static_cast<float>(place[0]));
      outline_corners_.push_back(static_cast<float>(place[1]));
    }
    outline_offset_.push_back(outline_offset_.back() + static_cast<std::int32_t>(corners.size()));
    outline_radius_.push_back(static_cast<float>(radius / frame_.unit));
  }

  const ViewScene& scene_;
  PageFrame frame_;
  Instances balls_, boxes_, cylinders_, cones_, ellipsoids_;
  Instances rounded_cylinders_, rounded_cones_, rounded_ellipsoids_;
  std::vector<Hulls> hulls_;  ///< in the order of first use
  std::map<std::pair<const DrawnSurface*, double>, std::size_t> hull_rows_;
  std::vector<Fields> fields_;  ///< likewise
  std::map<const void*, std::size_t> field_rows_;
  std::vector<std::int32_t> outline_ids_, outline_offset_{0}, plane_ids_;
  std::vector<float> outline_corners_, outline_radius_, planes_;
};

/// Encloses all bounded shapes, where rays begin and hit, and the domain along its periodic axes. A
/// scene of halfspaces only is enclosed around the points of their planes nearest to the origin.
Extent extent_of(const ViewScene& scene) {
  Extent extent;
  for (const DrawnShape& shape : scene.shapes) {
    if (traits_of(shape.kind).is_unbounded || !is_wanted(scene, shape.world)) continue;
    extent.add(shape.a, reach(shape));
    extent.add(shape.b, reach(shape));
  }
  if (extent.is_empty()) {
    for (const DrawnShape& shape : scene.shapes) {
      if (is_wanted(scene, shape.world)) extent.add(scaled(shape.a, shape.radius), 1);
    }
  }
  for (std::size_t i = 0; scene.rays && i < scene.rays->size(); ++i) {
    if (!is_wanted(scene, scene.rays->world[i])) continue;
    extent.add(ray_row(scene.rays->from, i));
    if (scene.rays->shape[i] >= 0) extent.add(ray_row(scene.rays->point, i));
  }
  if (extent.is_empty()) extent.add({0, 0, 0}, 1);
  if (scene.dimension == 2) extent.min[2] = extent.max[2] = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!scene.periodic[axis]) continue;
    extent.min[axis] = std::min(extent.min[axis], scene.domain_min[axis]);
    extent.max[axis] = std::max(extent.max[axis], scene.domain_max[axis]);
  }
  return extent;
}

PageFrame frame_of(const Extent& extent) {
  const double size = length(difference(extent.max, extent.min));
  return {sum(scaled(extent.min, 0.5), scaled(extent.max, 0.5)), size > 0 ? size : 1};
}

/// The domain; along axes that are not periodic it is as wide as the scene.
Json domain_of(const ViewScene& scene, const Extent& extent, const PageFrame& frame) {
  if (scene.periodic == std::array<bool, 3>{}) return nullptr;
  Point min = extent.min, max = extent.max;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (scene.periodic[axis]) min[axis] = scene.domain_min[axis];
    if (scene.periodic[axis]) max[axis] = scene.domain_max[axis];
  }
  return {frame.placed(min), frame.placed(max)};
}

/// The radius of a contact mark: a fraction of the median half width, so that marks suit most
/// shapes.
double mark_of(const ViewScene& scene) {
  std::vector<double> widths;
  for (const DrawnShape& shape : scene.shapes) {
    const double width = half_width(shape);
    if (width > 0) widths.push_back(width);
  }
  if (widths.empty()) return 0;
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  return 0.1 * *middle;
}

/// Fills in the page: replaces each name by its value. The names occur in this order.
std::string filled_page(const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string page;
  std::string_view rest = kViewPage;
  for (const auto& [name, value] : values) {
    const std::size_t at = rest.find(name);
    page += rest.substr(0, at);
    page += value;
    rest.remove_prefix(at + name.size());
  }
  page += rest;
  return page;
}

}  // namespace

template <int D, class T>
ViewContacts view_contacts_of(const ContactBuffer<D, T>& contacts) {
  ViewContacts view;
  const auto add_row = [](std::vector<double>& rows, const auto& column, std::size_t row) {
    for (int k = 0; k < 3; ++k) {
      rows.push_back(k < D ? static_cast<double>(column(row, k < D ? k : 0)) : 0);
    }
  };
  view.offset.push_back(0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    view.pair.insert(view.pair.end(), {contacts.pair[i].a, contacts.pair[i].b});
    add_row(view.normal, contacts.normal, i);
    view.depth.push_back(static_cast<double>(contacts.depth[i]));
    view.offset.push_back(static_cast<std::int32_t>(contacts.offset[i + 1]));
  }
  for (std::size_t p = 0; p < contacts.point_count(); ++p) {
    add_row(view.point, contacts.point, p);
    view.point_depth.push_back(static_cast<double>(contacts.point_depth[p]));
    view.feature.push_back(contacts.feature[p]);
    for (int side = 0; !contacts.part.empty() && side < 2; ++side) {
      view.part.push_back(contacts.part(p, side));
    }
  }
  return view;
}

namespace {

/// The rows of the contacts that the page shows.
std::vector<std::int32_t> wanted_rows(const ViewScene& scene, const ViewContacts& contacts) {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < contacts.depth.size(); ++i) {
    const auto world_of = [&](std::size_t k) {
      return scene.shapes[static_cast<std::size_t>(contacts.pair[2 * i + k])].world;
    };
    if (is_wanted(scene, world_of(0), world_of(1))) {
      rows.push_back(static_cast<std::int32_t>(i));
    }
  }
  return rows;
}

/// Only these rows of the contacts.
ViewContacts take(const ViewContacts& contacts, const std::vector<std::int32_t>& rows) {
  ViewContacts taken;
  const auto add = [](auto& to, const auto& from, std::size_t row, std::size_t width) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * width);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  };
  taken.offset.push_back(0);
  for (const std::int32_t number : rows) {
    const auto row = static_cast<std::size_t>(number);
    add(taken.pair, contacts.pair, row, 2);
    add(taken.normal, contacts.normal, row, 3);
    add(taken.depth, contacts.depth, row, 1);
    for (std::int32_t p = contacts.offset[row]; p < contacts.offset[row + 1]; ++p) {
      add(taken.point, contacts.point, static_cast<std::size_t>(p), 3);
      add(taken.point_depth, contacts.point_depth, static_cast<std::size_t>(p), 1);
      add(taken.feature, contacts.feature, static_cast<std::size_t>(p), 1);
      if (!contacts.part.empty()) add(taken.part, contacts.part, static_cast<std::size_t>(p), 2);
    }
    taken.offset.push_back(static_cast<std::int32_t>(taken.feature.size()));
  }
  return taken;
}

/// What the page tells of shapes, without columns that would say nothing: a missing `world` is 0, a
/// missing `row` the contact's place, a missing `told` every id.
void tell_columns(const ViewScene& scene, const std::vector<std::int32_t>& rows, std::size_t all,
                  Json& about, PageData& data) {
  std::vector<std::int32_t> worlds, told;
  for (std::size_t id = 0; id < scene.shapes.size(); ++id) {
    worlds.push_back(scene.shapes[id].world);
    if (is_wanted(scene, worlds.back())) told.push_back(static_cast<std::int32_t>(id));
  }
  if (std::ranges::any_of(worlds, [](std::int32_t world) { return world != 0; })) {
    data.add("world", worlds);
  }
  if (rows.size() != all) data.add("row", rows);
  if (told.size() != scene.shapes.size()) data.add("told", told);
  const auto tell = [&](const std::string& name, const auto& column) {
    if (column.empty()) return;
    std::remove_cvref_t<decltype(column)> values;
    for (const std::int32_t id : told) values.push_back(column[static_cast<std::size_t>(id)]);
    data.add(name, values);
  };
  tell("body", scene.body);
  tell("owner", scene.owner);
  tell("key", scene.key);
  tell("name", scene.names.of_shape);
  if (!scene.names.of_body.empty()) data.add("body_name", scene.names.of_body);
  if (!scene.names.texts.empty()) about["names"] = scene.names.texts;
  if (!scene.frames.empty()) about["frames"] = scene.frames;
}

}  // namespace

template <int D, class T>
void add_filters(const SceneColumns<D, T>& scene, ViewScene& view) {
  bool has_keys = false, has_bodies = false, has_owners = false;
  std::int64_t id = 0;
  for_each_table(scene, [&](const auto& table) {
    has_keys |= !table.key.empty();
    for (std::size_t row = 0; row < row_count(table); ++row, ++id) {
      view.key.push_back(table.key.empty() ? id : table.key[row]);
      view.body.push_back(table.body.empty() ? -1 : table.body[row]);
      view.owner.push_back(table.owner.empty() ? -1 : table.owner[row]);
      has_bodies |= view.body.back() != -1;
      has_owners |= view.owner.back() != -1;
    }
  });
  if (!has_keys) view.key = {};
  if (!has_bodies) view.body = {};
  if (!has_owners) view.owner = {};
}

std::string view_page(const ViewScene& scene, const ViewContacts& all) {
  const std::vector<std::int32_t> rows = wanted_rows(scene, all);
  const ViewContacts contacts = take(all, rows);
  const Extent extent = extent_of(scene);
  const PageFrame frame = frame_of(extent);
  PageData data;
  Json about;
  tell_columns(scene, rows, all.depth.size(), about, data);
  data.add("pair", contacts.pair);
  data.add("normal", narrow(contacts.normal));
  data.add("depth", narrow(contacts.depth));
  data.add("offset", contacts.offset);
  data.add("point", narrow(contacts.point, frame));
  data.add("point_depth", narrow(contacts.point_depth));
  data.add("feature", contacts.feature);
  if (!contacts.part.empty()) data.add("part", contacts.part);

  about["title"] = scene.title;
  about["dimension"] = scene.dimension;
  about["worlds"] = scene.worlds;
  about["world"] = scene.world ? Json(*scene.world) : Json();
  about["word"] = scene.has_steps ? "step" : scene.frames.empty() ? "world" : "frame";
  about["first"] = scene.layout.first;
  about["kinds"] = Json::array();
  for (int kind = 0; kind < kKindCount; ++kind) {
    about["kinds"].push_back(kind_name(static_cast<Kind>(kind), scene.dimension));
  }
  about["origin"] = frame.origin;
  about["unit"] = frame.unit;
  about["low"] = frame.placed(extent.min);
  about["high"] = frame.placed(extent.max);
  about["mark"] = mark_of(scene) / frame.unit;
  about["domain"] = domain_of(scene, extent, frame);
  about["periodic"] = scene.periodic;
  if (scene.rays) tell_rays(*scene.rays, scene.world, extent, frame, data);
  Drawing(scene, frame).tell(about, data);
  about["arrays"] = data.about();

  std::string json = about.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Only "<" could end the script element.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 1)) {
    json.replace(at, 1, "\\u003c");
  }
  return filled_page({{"@TITLE@", escaped(scene.title)},
                      {"@ABOUT@", json},
                      {"@DATA@", data.base64()},
                      {"@SCRIPT@", kViewScript}});
}

#define WIDEPHASE_INSTANTIATE(D, T)                                   \
  template ViewContacts view_contacts_of(const ContactBuffer<D, T>&); \
  template void add_filters(const SceneColumns<D, T>&, ViewScene&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
