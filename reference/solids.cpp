#include "reference/solids.hpp"

#include <stdexcept>

namespace widephase::test {

namespace {

template <int D>
std::vector<Kind> kinds_of_tables() {
  const SceneColumns<D, float> scene;
  std::vector<Kind> kinds;
  for_each_table(scene, [&](const auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    if (kind != Kind::heightfield && kind != Kind::mesh && kind != Kind::chain) {
      kinds.push_back(kind);
    }
  });
  return kinds;
}

}  // namespace

std::span<const Kind> kinds(int dimension) {
  static const std::vector<Kind> kKinds2 = kinds_of_tables<2>(), kKinds3 = kinds_of_tables<3>();
  return dimension == 2 ? kKinds2 : kKinds3;
}

template <class T>
std::int32_t append_turned(SceneColumns<2, T>& scene, const Solid<2>& solid) {
  using Size = SizeOf<T>;
  const auto append_to = [&](auto& table) {
    table.center.push_back(as_row<2, PositionOf<T>>(solid.p));
    table.turn.push_back({static_cast<Size>(solid.angle)});
    table.radius.push_back({static_cast<Size>(solid.size)});
    return static_cast<std::int32_t>(table.radius.size() - 1);
  };
  if (solid.kind == Kind::box) {
    scene.boxes.half_extents.push_back(as_row<2, Size>(solid.q));
    return append_to(scene.boxes);
  }
  auto& geometries = scene.geometries;
  if (geometries.offsets.empty()) geometries.offsets.push_back({0});
  for (const Point<2>& v : stored<T>(solid).vertices) {
    geometries.vertices.push_back(as_row<2, Size>(v));
  }
  geometries.offsets.push_back({static_cast<std::int64_t>(geometries.vertices.size())});
  scene.polygons.geometry.push_back({static_cast<std::int32_t>(geometries.offsets.size() - 2)});
  return append_to(scene.polygons);
}

template <class T>
std::int32_t append_turned(SceneColumns<3, T>& scene, const Solid<3>& solid) {
  using Size = SizeOf<T>;
  const auto place_in = [&](auto& table) {
    std::array<Size, 4> turn;
    for (int k = 0; k < 4; ++k) {
      turn[static_cast<std::size_t>(k)] = static_cast<Size>(solid.orientation[k]);
    }
    table.center.push_back(as_row<3, PositionOf<T>>(solid.p));
    table.turn.push_back(turn);
    return static_cast<std::int32_t>(table.turn.size() - 1);
  };
  const auto append_to = [&](auto& table) {
    table.radius.push_back({static_cast<Size>(solid.size)});
    return place_in(table);
  };
  const auto append_round = [&](auto& table) {
    table.rounding.push_back({static_cast<Size>(solid.rounding)});
    return place_in(table);
  };
  if (solid.kind == Kind::ellipsoid) {
    scene.ellipsoids.half_extents.push_back(as_row<3, Size>(solid.q));
    return append_round(scene.ellipsoids);
  }
  if (solid.kind == Kind::cone) {
    scene.cones.half_height.push_back({static_cast<Size>(solid.q[2])});
    scene.cones.radius.push_back({static_cast<Size>(solid.size)});
    return append_round(scene.cones);
  }
  if (solid.kind == Kind::box) {
    scene.boxes.half_extents.push_back(as_row<3, Size>(solid.q));
    return append_to(scene.boxes);
  }
  if (solid.kind == Kind::cylinder) {
    scene.cylinders.half_height.push_back({static_cast<Size>(solid.q[2])});
    scene.cylinders.radius.push_back({static_cast<Size>(solid.size)});
    return append_round(scene.cylinders);
  }
  const Column<Size, 3> vertices = points_column<Size>(solid.vertices);
  scene.hulls.geometry.push_back({add_hull(scene.geometries, vertices.span())});
  return append_to(scene.hulls);
}

template <int D, class T>
std::int32_t append(SceneColumns<D, T>& scene, const Solid<D>& solid) {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  if (has_orientation(solid.kind) || solid.kind == Kind::polygon) {
    return append_turned(scene, solid);
  }
  const auto size = static_cast<Size>(solid.size);
  std::size_t row = 0;
  if (solid.kind == Kind::sphere) {
    auto& table = balls(scene);
    row = table.radius.size();
    table.center.push_back(as_row<D, Position>(solid.p));
    table.radius.push_back({size});
  } else if (solid.kind == Kind::capsule) {
    row = scene.capsules.radius.size();
    scene.capsules.a.push_back(as_row<D, Position>(solid.p));
    scene.capsules.b.push_back(as_row<D, Position>(solid.q));
    scene.capsules.radius.push_back({size});
  } else if (solid.kind == Kind::aabb) {
    row = scene.aabbs.min.size();
    scene.aabbs.min.push_back(as_row<D, Position>(solid.p));
    scene.aabbs.max.push_back(as_row<D, Position>(solid.q));
  } else {
    row = scene.halfspaces.offset.size();
    scene.halfspaces.normal.push_back(as_row<D, Size>(solid.p));
    scene.halfspaces.offset.push_back({static_cast<Position>(solid.size)});
  }
  return static_cast<std::int32_t>(row);
}

template <int D, class T>
PairScene<D, T>::PairScene(const std::vector<SolidPair<D>>& solids) {
  std::vector<std::int32_t> rows;
  for (const SolidPair<D>& pair : solids) {
    rows.push_back(append(scene, pair.a));
    rows.push_back(append(scene, pair.b));
  }
  const SceneLayout layout = layout_of(scene);
  for (std::size_t i = 0; i < solids.size(); ++i) {
    pairs.push_back(
        {layout.id(solids[i].a.kind, rows[2 * i]), layout.id(solids[i].b.kind, rows[2 * i + 1])});
  }
}
namespace {

template <int D, class T>
std::vector<Point<D>> geometry_points(const SceneColumns<D, T>& scene, std::int32_t geometry) {
  const auto& [vertices, offsets, inner] = scene.geometries;
  const auto g = static_cast<std::size_t>(geometry);
  std::vector<Point<D>> points;
  for (auto i = static_cast<std::size_t>(offsets[g]); i < static_cast<std::size_t>(offsets[g + 1]);
       ++i) {
    points.emplace_back();
    for (int k = 0; k < D; ++k) points.back()[k] = static_cast<double>(vertices(i, k));
  }
  return points;
}

}  // namespace

template <int D, class T>
Solid<D> solid_of(const SceneColumns<D, T>& scene, std::int32_t id) {
  const SceneLayout layout = layout_of(scene);
  const std::size_t row = static_cast<std::size_t>(layout.row(id));
  const auto point = [row](const auto& column) {
    Point<D> values;
    for (int k = 0; k < D; ++k) values[k] = static_cast<double>(column(row, k));
    return values;
  };
  const Kind kind = layout.kind_of(id);
  if constexpr (D == 2) {
    if (kind == Kind::box) {
      return box(point(scene.boxes.center), scene.boxes.turn[row], point(scene.boxes.half_extents),
                 value_or(scene.boxes.radius, row, SizeOf<T>(0)));
    }
    if (kind == Kind::polygon) {
      return polygon(point(scene.polygons.center), scene.polygons.turn[row],
                     geometry_points(scene, scene.polygons.geometry[row]),
                     value_or(scene.polygons.radius, row, SizeOf<T>(0)));
    }
  } else {
    const auto turn = [row](const auto& column) {
      Quaternion values;
      for (int k = 0; k < 4; ++k) values[k] = static_cast<double>(column(row, k));
      return values;
    };
    if (kind == Kind::box) {
      return box(point(scene.boxes.center), turn(scene.boxes.turn), point(scene.boxes.half_extents),
                 value_or(scene.boxes.radius, row, SizeOf<T>(0)));
    }
    if (kind == Kind::cylinder) {
      return cylinder(point(scene.cylinders.center), turn(scene.cylinders.turn),
                      scene.cylinders.half_height[row], scene.cylinders.radius[row],
                      value_or(scene.cylinders.rounding, row, SizeOf<T>(0)));
    }
    if (kind == Kind::ellipsoid) {
      return ellipsoid(point(scene.ellipsoids.center), turn(scene.ellipsoids.turn),
                       point(scene.ellipsoids.half_extents),
                       value_or(scene.ellipsoids.rounding, row, SizeOf<T>(0)));
    }
    if (kind == Kind::cone) {
      return cone(point(scene.cones.center), turn(scene.cones.turn), scene.cones.half_height[row],
                  scene.cones.radius[row], value_or(scene.cones.rounding, row, SizeOf<T>(0)));
    }
    if (kind == Kind::hull) {
      return hull(point(scene.hulls.center), turn(scene.hulls.turn),
                  geometry_points(scene, scene.hulls.geometry[row]),
                  value_or(scene.hulls.radius, row, SizeOf<T>(0)));
    }
  }
  switch (kind) {
    case Kind::capsule:
      return capsule<D>(point(scene.capsules.a), point(scene.capsules.b),
                        scene.capsules.radius[row]);
    case Kind::aabb:
      return aabb<D>(point(scene.aabbs.min), point(scene.aabbs.max));
    case Kind::halfspace:
      return halfspace<D>(point(scene.halfspaces.normal), scene.halfspaces.offset[row]);
    case Kind::sphere:
      return ball<D>(point(balls(scene).center), balls(scene).radius[row]);
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;  // handled above
  }
  throw std::logic_error("a kind of the other dimension");
}

std::vector<Isa> usable_isas() {
  std::vector<Isa> isas;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) isas.push_back(isa);
  }
  return isas;
}

#define WIDEPHASE_INSTANTIATE(T)                                                             \
  template std::int32_t append_turned<T>(SceneColumns<2, T> & scene, const Solid<2>& solid); \
  template std::int32_t append_turned<T>(SceneColumns<3, T> & scene, const Solid<3>& solid)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
WIDEPHASE_INSTANTIATE(Mixed);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(D, T)                                                      \
  template struct PairScene<D, T>;                                                       \
  template std::int32_t append<D, T>(SceneColumns<D, T> & scene, const Solid<D>& solid); \
  template Solid<D> solid_of<D, T>(const SceneColumns<D, T>& scene, std::int32_t id)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
