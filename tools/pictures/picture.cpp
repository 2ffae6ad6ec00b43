#include "tools/pictures/picture.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <widephase/hulls.hpp>

#include "soa/instantiate.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/wording.hpp"
#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

namespace {

/// More shapes do not make a better picture, only a larger file.
constexpr std::size_t kMostShapes = 20000;
constexpr std::size_t kMostContacts = 30000;

/// Scrambles a number (splitmix64), so that subsets chosen by it are fair.
std::uint64_t scrambled(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// Positions and sizes beyond this are drawn at it, so that their squares stay finite.
constexpr double kFarthest = 1e100;

template <class T>
double within_reach(T value) {
  return std::clamp(static_cast<double>(value), -kFarthest, kFarthest);
}

template <int D, class T>
Point point_of(const Column<T, D>& column, std::size_t row) {
  Point point{};
  for (int axis = 0; axis < D; ++axis) {
    point[static_cast<std::size_t>(axis)] = within_reach(column(row, axis));
  }
  return point;
}

/// The corners of a box or polygon in its own frame, counter-clockwise.
template <class T>
std::vector<std::array<double, 2>> core_of(const Boxes<Owned<2, T>>& boxes, std::size_t row,
                                           const GeometryTable<Owned<2, SizeOf<T>>>&) {
  const double x = within_reach(boxes.half_extents(row, 0));
  const double y = within_reach(boxes.half_extents(row, 1));
  return {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}
template <class T>
std::vector<std::array<double, 2>> core_of(const Instances<Owned<2, T>, Kind::polygon>& polygons,
                                           std::size_t row,
                                           const GeometryTable<Owned<2, SizeOf<T>>>& geometries) {
  const auto geometry = static_cast<std::size_t>(polygons.geometry[row]);
  std::vector<std::array<double, 2>> corners;
  for (auto v = geometries.offsets[geometry]; v < geometries.offsets[geometry + 1]; ++v) {
    const auto [x, y] = geometries.vertices.row(static_cast<std::size_t>(v));
    corners.push_back({within_reach(x), within_reach(y)});
  }
  return corners;
}

/// The vertices of a chain's own segments, one after the other; the first one again for a loop.
template <class T>
std::vector<std::array<double, 2>> core_of(const Chains<Owned<2, T>>& chains, std::size_t row,
                                           const ChainTable<Owned<2, SizeOf<T>>>& geometries) {
  const auto c = static_cast<std::size_t>(chains.geometry[row]);
  const bool is_loop = !geometries.loop.empty() && geometries.loop[c] != 0;
  const std::int64_t before = geometries.before.empty() ? 0 : geometries.before[c];
  const std::int64_t after = geometries.after.empty() ? 0 : geometries.after[c];
  const std::int64_t begin = geometries.offsets[c] + before;
  std::vector<std::array<double, 2>> corners;
  for (std::int64_t v = begin; v < geometries.offsets[c + 1] - after; ++v) {
    const auto [x, y] = geometries.vertices.row(static_cast<std::size_t>(v));
    corners.push_back({within_reach(x), within_reach(y)});
  }
  if (is_loop) corners.push_back(corners.front());
  return corners;
}

/// What chains name, in 2D.
template <int D, class T>
const auto& lines_of(const SceneColumns<D, T>& scene) {
  if constexpr (D == 2) return scene.chain_geometries;
  if constexpr (D == 3) return scene.geometries;
}

/// A box, polygon or chain of a 2D scene: its corners in the scene, and their bounds.
template <class Table, class Geometries>
DrawnShape drawn_outline(const Table& table, std::size_t row, const Geometries& geometries) {
  DrawnShape shape;
  shape.kind = Table::kind;
  shape.radius = within_reach(value_or(table.radius, row, 0));
  const Point center = point_of(table.center, row);
  const auto angle = static_cast<double>(table.turn[row]);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  Extent bounds;
  for (const auto& [x, y] : core_of(table, row, geometries)) {
    const Point corner{center[0] + cosine * x - sine * y, center[1] + sine * x + cosine * y};
    shape.corners.push_back({corner[0], corner[1]});
    bounds.add(corner);
  }
  shape.a = bounds.min;
  shape.b = bounds.max;
  return shape;
}

/// Rotates an axis by the quaternion x y z w.
Point turned_axis(const std::array<double, 4>& quaternion, std::size_t axis) {
  const auto [x, y, z, w] = quaternion;
  const double twice = 2 / (x * x + y * y + z * z + w * w);
  if (axis == 0) {
    return {1 - twice * (y * y + z * z), twice * (x * y + z * w), twice * (x * z - y * w)};
  }
  if (axis == 1) {
    return {twice * (x * y - z * w), 1 - twice * (x * x + z * z), twice * (y * z + x * w)};
  }
  return {twice * (x * z + y * w), twice * (y * z - x * w), 1 - twice * (x * x + y * y)};
}

/// The orientation of a shape.
template <class Table>
std::array<double, 4> quaternion_of(const Table& table, std::size_t row) {
  std::array<double, 4> quaternion;
  for (int w = 0; w < 4; ++w) {
    quaternion[static_cast<std::size_t>(w)] = static_cast<double>(table.turn(row, w));
  }
  return quaternion;
}

/// A box of a 3D scene, with sharp edges even if it is rounded: its bounds, and half its edges.
template <class T>
DrawnShape drawn_box(const Boxes<Owned<3, T>>& boxes, std::size_t row) {
  DrawnShape shape;
  shape.kind = Kind::box;
  const double radius = within_reach(value_or(boxes.radius, row, SizeOf<T>{0}));
  shape.rounding = radius;
  const std::array<double, 4> quaternion = quaternion_of(boxes, row);
  shape.a = shape.b = point_of(boxes.center, row);
  const Point half = point_of(boxes.half_extents, row);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Point direction = turned_axis(quaternion, axis);
    for (std::size_t k = 0; k < 3; ++k) {
      shape.axes[axis][k] = (half[axis] + radius) * direction[k];
      shape.a[k] -= std::abs(shape.axes[axis][k]);
      shape.b[k] += std::abs(shape.axes[axis][k]);
    }
  }
  return shape;
}

/// The surface of a hull, which shapes share.
template <class T>
std::shared_ptr<const DrawnSurface> drawn_surface(const GeometryTable<Owned<3, T>>& hulls,
                                                  std::int32_t geometry) {
  const HullTopology<T> topology = hull_topology(hulls, geometry);
  const auto g = static_cast<std::size_t>(geometry);
  auto surface = std::make_shared<DrawnSurface>();
  for (auto v = hulls.offsets[g]; v < hulls.offsets[g + 1]; ++v) {
    surface->vertices.push_back(point_of(hulls.vertices, static_cast<std::size_t>(v)));
  }
  for (std::size_t f = 0; f + 1 < topology.face_offsets.size(); ++f) {
    const auto begin = topology.face_vertices.begin();
    surface->faces.emplace_back(begin + topology.face_offsets[f],
                                begin + topology.face_offsets[f + 1]);
    const Point normal = point_of(topology.normals, f);
    const double highest = within_reach(topology.offsets[f]);
    double deepest = highest;
    for (const Point& p : surface->vertices) {
      deepest = std::min(deepest, normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]);
    }
    const double half_width = (highest - deepest) / 2;
    if (f == 0 || half_width < surface->half_width) surface->half_width = half_width;
    surface->normals.push_back(normal);
  }
  return surface;
}

/// A shape whose points are in a frame of its own.
template <class Table>
DrawnShape posed(const Table& table, std::size_t row) {
  DrawnShape shape;
  shape.kind = Table::kind;
  shape.center = point_of(table.center, row);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape.axes[axis] = turned_axis(quaternion_of(table, row), axis);
  }
  return shape;
}

/// A hull placed in the scene, with the bounds of its vertices.
template <class T>
DrawnShape drawn_hull(const Instances<Owned<3, T>, Kind::hull>& hulls, std::size_t row,
                      std::shared_ptr<const DrawnSurface> surface) {
  DrawnShape shape = posed(hulls, row);
  shape.radius = within_reach(value_or(hulls.radius, row, SizeOf<T>{0}));
  Extent bounds;
  for (const Point& vertex : surface->vertices) bounds.add(placed(shape, vertex));
  shape.a = bounds.min;
  shape.b = bounds.max;
  shape.surface = std::move(surface);
  return shape;
}

/// A cylinder or a cone.
template <class Table>
DrawnShape drawn_round(const Table& table, std::size_t row) {
  DrawnShape shape;
  shape.kind = Table::kind;
  shape.radius = within_reach(table.radius[row]);
  shape.rounding = within_reach(value_or(table.rounding, row, typename Table::Real{0}));
  shape.a = shape.b = point_of(table.center, row);
  const double half_height = within_reach(table.half_height[row]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape.axes[axis] = turned_axis(quaternion_of(table, row), axis);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    shape.a[k] -= half_height * shape.axes[2][k];
    shape.b[k] += half_height * shape.axes[2][k];
  }
  return shape;
}

/// An ellipsoid, with its bounds. How far it reaches along a direction is the root of
/// the sum of squares of how far its half axes reach.
template <class T>
DrawnShape drawn_ellipsoid(const Ellipsoids<Owned<3, T>>& ellipsoids, std::size_t row) {
  DrawnShape shape;
  shape.kind = Kind::ellipsoid;
  shape.rounding = within_reach(value_or(ellipsoids.rounding, row, SizeOf<T>{0}));
  shape.a = shape.b = point_of(ellipsoids.center, row);
  const std::array<double, 4> quaternion = quaternion_of(ellipsoids, row);
  shape.half = point_of(ellipsoids.half_extents, row);
  for (std::size_t axis = 0; axis < 3; ++axis) shape.axes[axis] = turned_axis(quaternion, axis);
  for (std::size_t k = 0; k < 3; ++k) {
    const double reach = shape.rounding + std::hypot(shape.half[0] * shape.axes[0][k],
                                                     shape.half[1] * shape.axes[1][k],
                                                     shape.half[2] * shape.axes[2][k]);
    shape.a[k] -= reach;
    shape.b[k] += reach;
  }
  return shape;
}

/// The samples of a field, which shapes share.
template <class T>
std::shared_ptr<const DrawnField> drawn_samples(const HeightfieldTable<Owned<3, T>>& table,
                                                std::size_t f) {
  auto field = std::make_shared<DrawnField>();
  field->columns = table.columns[f];
  field->rows =
      static_cast<std::int32_t>((table.offsets[f + 1] - table.offsets[f]) / table.columns[f]);
  for (std::size_t k = 0; k < 2; ++k) {
    field->cell[k] = within_reach(table.cell(f, static_cast<int>(k)));
  }
  for (auto i = table.offsets[f]; i < table.offsets[f + 1]; ++i) {
    field->heights.push_back(static_cast<float>(table.heights[static_cast<std::size_t>(i)]));
  }
  return field;
}

/// A height field with the bounds of its samples.
template <class T>
DrawnShape drawn_field(const Heightfields<Owned<3, T>>& table, std::size_t row,
                       std::shared_ptr<const DrawnField> field) {
  DrawnShape shape = posed(table, row);
  Extent bounds;
  for (std::int32_t r = 0; r < field->rows; ++r) {
    for (std::int32_t c = 0; c < field->columns; ++c) {
      const Point sample = field->sample(r, c);
      if (std::isfinite(sample[2])) bounds.add(placed(shape, sample));
    }
  }
  if (bounds.is_empty()) bounds.add(shape.center);
  shape.a = bounds.min;
  shape.b = bounds.max;
  shape.field = std::move(field);
  return shape;
}

/// The triangles of a mesh, which shapes share.
template <class T>
std::shared_ptr<const DrawnMesh> drawn_triangles(const MeshTable<Owned<3, T>>& table,
                                                 std::size_t m) {
  auto mesh = std::make_shared<DrawnMesh>();
  for (auto v = table.vertex_offsets[m]; v < table.vertex_offsets[m + 1]; ++v) {
    for (int k = 0; k < 3; ++k) {
      mesh->vertices.push_back(
          static_cast<float>(within_reach(table.vertices(static_cast<std::size_t>(v), k))));
    }
  }
  const std::int32_t beyond = table.beyond.empty() ? 0 : table.beyond[m];
  for (auto t = table.triangle_offsets[m]; t < table.triangle_offsets[m + 1] - beyond; ++t) {
    for (int k = 0; k < 3; ++k) {
      mesh->corners.push_back(table.indices(static_cast<std::size_t>(t), k));
    }
  }
  return mesh;
}

/// A mesh with the bounds of its vertices.
template <class T>
DrawnShape drawn_mesh(const Meshes<Owned<3, T>>& table, std::size_t row,
                      std::shared_ptr<const DrawnMesh> mesh) {
  DrawnShape shape = posed(table, row);
  Extent bounds;
  for (std::size_t v = 0; v < mesh->vertices.size(); v += 3) {
    bounds.add(placed(shape, {mesh->vertices[v], mesh->vertices[v + 1], mesh->vertices[v + 2]}));
  }
  if (bounds.is_empty()) bounds.add(shape.center);
  shape.a = bounds.min;
  shape.b = bounds.max;
  shape.radius = within_reach(value_or(table.radius, row, SizeOf<T>{0}));
  shape.mesh = std::move(mesh);
  return shape;
}

/// A shape that is described by one or two points and a radius.
template <class Table>
DrawnShape drawn_plain(const Table& table, std::size_t row) {
  DrawnShape shape;
  shape.kind = Table::kind;
  if constexpr (Table::kind == Kind::capsule) {
    shape.a = point_of(table.a, row);
    shape.b = point_of(table.b, row);
  } else if constexpr (Table::kind == Kind::aabb) {
    shape.a = point_of(table.min, row);
    shape.b = point_of(table.max, row);
    for (std::size_t k = 0; k < 3; ++k) shape.axes[k][k] = (shape.b[k] - shape.a[k]) / 2;
  } else if constexpr (Table::kind == Kind::halfspace) {
    shape.a = point_of(table.normal, row);
    shape.radius = within_reach(table.offset[row]);
  } else {
    shape.a = shape.b = point_of(table.center, row);
  }
  if constexpr (requires { table.radius; }) {
    shape.radius = within_reach(table.radius[row]);
  }
  return shape;
}

/// How a kind of shapes is drawn.
enum class DrawnAs : std::uint8_t { plain, outline, line, box, hull, round, ellipsoid, field, mesh };

constexpr DrawnAs drawn_as(Kind kind, int dimension) {
  switch (kind) {
    case Kind::sphere:
    case Kind::capsule:
    case Kind::aabb:
    case Kind::halfspace:
      return DrawnAs::plain;
    case Kind::box:
      return dimension == 2 ? DrawnAs::outline : DrawnAs::box;
    case Kind::polygon:
      return DrawnAs::outline;
    case Kind::hull:
      return DrawnAs::hull;
    case Kind::cylinder:
    case Kind::cone:
      return DrawnAs::round;
    case Kind::ellipsoid:
      return DrawnAs::ellipsoid;
    case Kind::heightfield:
      return DrawnAs::field;
    case Kind::mesh:
      return DrawnAs::mesh;
    case Kind::chain:
      return DrawnAs::line;
  }
  return DrawnAs::plain;
}

/// Which shapes are drawn, by id, and a note about those that are not.
struct Selection {
  std::vector<bool> is_drawn;
  std::string note;
};

/// If there are too many worlds, draws every k-th, with all its shapes, so that contacts stay
/// complete. If one world has too many shapes, draws a subset by scrambled ids, so that every
/// region keeps the same share.
Selection select(const std::vector<std::int32_t>& worlds, std::int32_t world_total,
                 std::optional<std::int32_t> world) {
  Selection selection;
  selection.is_drawn.assign(worlds.size(), true);
  std::size_t count = worlds.size();
  const auto keep_if = [&](auto&& condition) {
    count = 0;
    for (std::size_t id = 0; id < worlds.size(); ++id) {
      selection.is_drawn[id] = selection.is_drawn[id] && condition(id);
      count += selection.is_drawn[id];
    }
  };
  if (world) {
    keep_if([&](std::size_t id) { return worlds[id] == *world || worlds[id] < 0; });
  } else if (count > kMostShapes && world_total > 1) {
    const auto total = static_cast<std::uint64_t>(world_total);
    const std::uint64_t kept = std::max<std::uint64_t>(1, total * kMostShapes / count);
    keep_if([&](std::size_t id) {
      const auto index = static_cast<std::uint64_t>(std::max(worlds[id], 0));
      return worlds[id] < 0 || (index * kept) % total < kept;
    });
    selection.note = fmt::format("{} of {} worlds drawn, evenly spread",
                                 grouped(static_cast<std::int64_t>(kept)), grouped(world_total));
  }
  if (count > kMostShapes + kMostShapes / 10) {
    const double share = static_cast<double>(kMostShapes) / static_cast<double>(count);
    const auto limit = static_cast<std::uint64_t>(share * 18446744073709549568.0);
    const std::size_t all = count;
    keep_if([&](std::size_t id) { return scrambled(id) < limit; });
    if (!selection.note.empty()) selection.note += ", of them ";
    selection.note += fmt::format("{} of {} shapes drawn, the same share everywhere",
                                  grouped(static_cast<std::int64_t>(count)),
                                  grouped(static_cast<std::int64_t>(all)));
  }
  return selection;
}

/// `is_wanted(i)`: whether contact i is of the worlds that are shown.
template <int D, class T, class IsWanted>
void add_contacts(const ContactBuffer<D, T>& contacts, const std::vector<DrawnShape>& shapes,
                  const std::vector<bool>& is_drawn, const IsWanted& is_wanted,
                  PictureScene& picture) {
  std::size_t wanted = 0;
  const auto id_of = [](std::int32_t id) { return static_cast<std::size_t>(id); };
  const auto is_shown = [&](std::size_t i) {
    return is_wanted(i) &&
           (is_drawn[id_of(contacts.pair[i].a)] || is_drawn[id_of(contacts.pair[i].b)]);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) wanted += is_shown(i);
  if (wanted > kMostContacts) {
    add_note(picture.note, fmt::format("points of about {} of {} contacts",
                                       grouped(static_cast<std::int64_t>(kMostContacts)),
                                       grouped(static_cast<std::int64_t>(wanted))));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_shown(i) || !is_in_sample(i, kMostContacts, wanted)) continue;
    double size = 0;
    for (const std::int32_t id : {contacts.pair[i].a, contacts.pair[i].b}) {
      const double width = half_width(shapes[id_of(id)]);
      if (width > 0) size = size > 0 ? std::min(size, width) : width;
    }
    for (std::int64_t p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      picture.contacts.push_back({point_of(contacts.point, static_cast<std::size_t>(p)),
                                  point_of(contacts.normal, i), size});
    }
  }
}

}  // namespace

template <int D, class T>
std::vector<DrawnShape> drawn_shapes(const SceneColumns<D, T>& scene) {
  std::vector<DrawnShape> shapes;
  std::vector<std::shared_ptr<const DrawnSurface>> surfaces;
  std::vector<std::shared_ptr<const DrawnField>> fields;
  std::vector<std::shared_ptr<const DrawnMesh>> meshes;
  if constexpr (D == 3) {
    for (std::size_t g = 0; g + 1 < scene.geometries.offsets.size(); ++g) {
      surfaces.push_back(drawn_surface(scene.geometries, static_cast<std::int32_t>(g)));
    }
    for (std::size_t f = 0; f < scene.heightfield_geometries.columns.size(); ++f) {
      fields.push_back(drawn_samples(scene.heightfield_geometries, f));
    }
    for (std::size_t m = 0; m + 1 < scene.mesh_geometries.vertex_offsets.size(); ++m) {
      meshes.push_back(drawn_triangles(scene.mesh_geometries, m));
    }
  }
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    constexpr DrawnAs kAs = drawn_as(Table::kind, D);
    for (std::size_t row = 0; row < row_count(table); ++row) {
      if constexpr (kAs == DrawnAs::outline) {
        shapes.push_back(drawn_outline(table, row, scene.geometries));
      } else if constexpr (kAs == DrawnAs::line) {
        shapes.push_back(drawn_outline(table, row, lines_of(scene)));
      } else if constexpr (kAs == DrawnAs::box) {
        shapes.push_back(drawn_box(table, row));
      } else if constexpr (kAs == DrawnAs::hull) {
        const auto geometry = static_cast<std::size_t>(table.geometry[row]);
        shapes.push_back(drawn_hull(table, row, surfaces[geometry]));
      } else if constexpr (kAs == DrawnAs::field) {
        const auto geometry = static_cast<std::size_t>(table.geometry[row]);
        shapes.push_back(drawn_field(table, row, fields[geometry]));
      } else if constexpr (kAs == DrawnAs::mesh) {
        const auto geometry = static_cast<std::size_t>(table.geometry[row]);
        shapes.push_back(drawn_mesh(table, row, meshes[geometry]));
      } else if constexpr (kAs == DrawnAs::round) {
        shapes.push_back(drawn_round(table, row));
      } else if constexpr (kAs == DrawnAs::ellipsoid) {
        shapes.push_back(drawn_ellipsoid(table, row));
      } else {
        shapes.push_back(drawn_plain(table, row));
      }
      shapes.back().world = value_or(table.world, row, 0);
    }
  });
  return shapes;
}

bool is_in_sample(std::size_t i, std::size_t most, std::size_t count) {
  if (count <= most) return true;
  const double share = static_cast<double>(most) / static_cast<double>(count);
  return scrambled(i) <= static_cast<std::uint64_t>(share * 18446744073709549568.0);
}

void add_note(std::string& note, const std::string& text) {
  note += (note.empty() ? "" : "; ") + text;
}

template <int D, class T>
PictureScene picture_without_marks(const SceneColumns<D, T>& scene,
                                   const std::vector<DrawnShape>& shapes,
                                   const PictureOptions& options, std::vector<bool>& is_drawn) {
  std::vector<std::int32_t> worlds;
  for (const DrawnShape& shape : shapes) worlds.push_back(shape.world);
  const std::int32_t world_total = world_count(SceneSpan<D, T>(scene));
  Selection selection = select(worlds, world_total, options.world);
  is_drawn = std::move(selection.is_drawn);

  PictureScene picture;
  picture.dimension = D;
  picture.note = selection.note;
  picture.is_overlay = !options.world && world_total > 1;
  for (std::size_t id = 0; id < shapes.size(); ++id) {
    if (is_drawn[id]) picture.shapes.push_back(shapes[id]);
  }
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
    picture.domain_min[axis] = within_reach(scene.domain.min[axis]);
    picture.domain_max[axis] = within_reach(scene.domain.max[axis]);
    picture.periodic[axis] = scene.domain.periodic[axis];
    picture.has_domain |= scene.domain.min[axis] < scene.domain.max[axis];
  }
  picture.title = options.title;
  const auto shape_count = std::ranges::count_if(worlds, [&](std::int32_t world) {
    return !options.world || world == *options.world || world < 0;
  });
  if (options.world) picture.title += ", " + world_text(*options.world, options.frame);
  picture.caption = counted(shape_count, "shape");
  if (picture.is_overlay) {
    picture.caption += fmt::format(" of {} on top of one another", counted(world_total, "world"));
  }
  return picture;
}

template <int D, class T>
std::string picture_of(const SceneColumns<D, T>& scene, const ContactBuffer<D, T>& contacts,
                       const PictureOptions& options, const SceneColumns<D, T>* kept) {
  std::vector<DrawnShape> shapes = drawn_shapes(scene);
  if (kept != nullptr) {
    const std::vector<DrawnShape> others = drawn_shapes(*kept);
    shapes.insert(shapes.end(), others.begin(), others.end());
  }
  // A shape of world -1 has contacts of all worlds.
  const auto is_wanted = [&](std::size_t i) {
    const std::int32_t world = std::max(shapes[static_cast<std::size_t>(contacts.pair[i].a)].world,
                                        shapes[static_cast<std::size_t>(contacts.pair[i].b)].world);
    return !options.world || world < 0 || world == *options.world;
  };
  std::int64_t contact_count = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_wanted(i)) continue;
    ++contact_count;
    ++shapes[static_cast<std::size_t>(contacts.pair[i].a)].contacts;
    ++shapes[static_cast<std::size_t>(contacts.pair[i].b)].contacts;
  }
  std::vector<bool> is_drawn;
  PictureScene picture = picture_without_marks(scene, shapes, options, is_drawn);
  add_contacts(contacts, shapes, is_drawn, is_wanted, picture);
  picture.caption += ", " + counted(contact_count, "contact");
  return D == 2 ? draw2(picture) : draw3(picture);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                       \
  template std::vector<DrawnShape> drawn_shapes(const SceneColumns<D, T>&);               \
  template PictureScene picture_without_marks(const SceneColumns<D, T>&,                  \
                                              const std::vector<DrawnShape>&,             \
                                              const PictureOptions&, std::vector<bool>&); \
  template std::string picture_of(const SceneColumns<D, T>&, const ContactBuffer<D, T>&,  \
                                  const PictureOptions&, const SceneColumns<D, T>*);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
