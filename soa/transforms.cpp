#include <widephase/transforms.hpp>

#include <cmath>

#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

template <class T, std::size_t D>
void expect_finite(const char* name, const std::array<T, D>& values) {
  for (std::size_t k = 0; k < D; ++k) {
    if (std::isfinite(values[k])) continue;
    throw Error(Finding{name, static_cast<std::int64_t>(k),
                        "is " + number(values[k]) + "; it must be a finite number"});
  }
}

/// A shape on a body has its numbers in the body's frame, so it is refused.
template <int D, class T>
void expect_no_bodies(const SceneColumns<D, T>& scene) {
  if (scene.bodies.empty()) return;
  throw Error(Finding{"bodies", -1,
                      "carry shapes in frames of their own; place the scene first, or change the "
                      "poses"});
}

/// value * factor + offset for every number of a plane.
template <class T>
void map_plane(T* plane, std::size_t count, double factor, double offset) {
  for (std::size_t i = 0; i < count; ++i) {
    plane[i] = static_cast<T>(static_cast<double>(plane[i]) * factor + offset);
  }
}

/// Adds the products of a plane with `factor` to `sums`.
template <class T>
void add_products(const T* plane, std::size_t count, double factor, double* sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<double>(plane[i]) * factor;
}

/// The rows that both columns of the halfspaces have.
template <int D, class T>
std::size_t halfspace_count(const SceneColumns<D, T>& scene) {
  const std::size_t normals = scene.halfspaces.normal.size();
  const std::size_t offsets = scene.halfspaces.offset.size();
  return normals < offsets ? normals : offsets;
}

/// Adds dot(normal, point) of every halfspace to `sums`.
template <int D, class T>
void add_dots(const SceneColumns<D, T>& scene,
              const std::type_identity_t<std::array<PositionOf<T>, D>>& point,
              Column<double>& sums) {
  for (int k = 0; k < D; ++k) {
    add_products(scene.halfspaces.normal.plane(k), sums.size(), static_cast<double>(point[k]),
                 sums.plane());
  }
}
template <int D, class T>
Column<double> dots(const SceneColumns<D, T>& scene,
                    const std::type_identity_t<std::array<PositionOf<T>, D>>& point) {
  Column<double> sums;
  sums.resize(halfspace_count(scene));
  add_dots<D, T>(scene, point, sums);
  return sums;
}

/// Calls `visit(field, column)` for each column of numbers of every table.
template <int D, class T, class Visit>
void for_each_real(SceneColumns<D, T>& scene, Visit&& visit) {
  for_each_table(scene, [&](auto& table) {
    for_each_field(table, [&](const auto& field, auto& column) {
      using Number = typename std::remove_cvref_t<decltype(column)>::value_type;
      if constexpr (std::is_floating_point_v<Number>) visit(field, column);
    });
  });
}

/// Calls `visit(column)` for each column of points that move with their shapes.
template <int D, class T, class Visit>
void for_each_point(SceneColumns<D, T>& scene, Visit&& visit) {
  for_each_real(scene, [&](const auto& field, auto& column) {
    if constexpr (std::remove_cvref_t<decltype(column)>::width == D) {
      if (field.is_position) visit(column);
    }
  });
}

/// A domain that was never set has neither size nor place.
template <int D, class T>
bool has_domain(const Domain<D, T>& domain) {
  return domain.min != domain.max;
}

template <class T, class P>
void turn_points(T* x, T* y, std::size_t count, const Turn2<double>& turn,
                 const std::array<P, 2>& about) {
  const auto about_x = static_cast<double>(about[0]), about_y = static_cast<double>(about[1]);
  for (std::size_t i = 0; i < count; ++i) {
    const double dx = static_cast<double>(x[i]) - about_x;
    const double dy = static_cast<double>(y[i]) - about_y;
    x[i] = static_cast<T>(about_x + (turn.cosine * dx - turn.sine * dy));
    y[i] = static_cast<T>(about_y + (turn.sine * dx + turn.cosine * dy));
  }
}

/// about + factor * (value - about), which leaves `about` itself where it is.
template <class T>
void scale_plane(T* plane, std::size_t count, double factor, double about) {
  for (std::size_t i = 0; i < count; ++i) {
    plane[i] = static_cast<T>(about + factor * (static_cast<double>(plane[i]) - about));
  }
}

}  // namespace

template <int D, class T>
void translate(SceneColumns<D, T>& scene,
               const std::type_identity_t<std::array<PositionOf<T>, D>>& offset) {
  expect_no_bodies(scene);
  expect_finite("offset", offset);
  const Column<double> shifts = dots<D, T>(scene, offset);
  for_each_point(scene, [&](auto& column) {
    for (int k = 0; k < D; ++k) {
      map_plane(column.plane(k), column.size(), 1, static_cast<double>(offset[k]));
    }
  });
  PositionOf<T>* const offsets = scene.halfspaces.offset.plane();
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    offsets[i] = static_cast<PositionOf<T>>(static_cast<double>(offsets[i]) + shifts[i]);
  }
  if (!has_domain(scene.domain)) return;
  for (int k = 0; k < D; ++k) {
    scene.domain.min[k] += offset[k];
    scene.domain.max[k] += offset[k];
  }
}

template <class T>
void rotate(SceneColumns<2, T>& scene, SizeOf<T> angle,
            const std::type_identity_t<std::array<PositionOf<T>, 2>>& about) {
  expect_no_bodies(scene);
  if (!std::isfinite(angle) || std::abs(static_cast<double>(angle)) > kMostAngle) {
    throw Error(Finding{"angle", -1, "is " + number(angle) + "; it must be radians, up to 2^50"});
  }
  expect_finite("about", about);
  if (row_count(scene.aabbs) != 0) {
    throw Error(
        Finding{"aabb", -1, "shapes lie along the axes and can't turn; make them boxes first"});
  }
  if (scene.domain.is_periodic()) {
    throw Error(Finding{"domain.periodic", -1,
                        "domains wrap along the axes and can't turn; leave the domain out"});
  }
  const Turn2<double> turn = turn_of(static_cast<double>(angle));
  const Column<double> before = dots<2, T>(scene, about);
  Column<double> after;
  after.resize(before.size());
  for_each_point(scene, [&](auto& column) {
    turn_points(column.plane(0), column.plane(1), column.size(), turn, about);
  });
  for (auto* angles : {&scene.boxes.turn, &scene.polygons.turn, &scene.chains.turn}) {
    map_plane(angles->plane(), angles->size(), 1, static_cast<double>(angle));
  }
  // dot(n, p) <= offset and p = about + (p' rotated back): dot(n', p') <= offset - dot(n, about) +
  // dot(n', about).
  turn_points(scene.halfspaces.normal.plane(0), scene.halfspaces.normal.plane(1),
              scene.halfspaces.normal.size(), turn, std::array<double, 2>{});
  add_dots<2, T>(scene, about, after);
  PositionOf<T>* const offsets = scene.halfspaces.offset.plane();
  for (std::size_t i = 0; i < before.size(); ++i) {
    offsets[i] =
        static_cast<PositionOf<T>>(static_cast<double>(offsets[i]) + (after[i] - before[i]));
  }
}

template <int D, class T>
void scale(SceneColumns<D, T>& scene, SizeOf<T> factor,
           const std::type_identity_t<std::array<PositionOf<T>, D>>& about) {
  expect_no_bodies(scene);
  if (!std::isfinite(factor) || !(factor > 0)) {
    throw Error(
        Finding{"factor", -1, "is " + number(factor) + "; it must be a finite number above 0"});
  }
  expect_finite("about", about);
  const auto by = static_cast<double>(factor);
  const Column<double> fixed = dots<D, T>(scene, about);
  for_each_point(scene, [&](auto& column) {
    for (int k = 0; k < D; ++k) {
      scale_plane(column.plane(k), column.size(), by, static_cast<double>(about[k]));
    }
  });
  for_each_real(scene, [&](const auto& field, auto& column) {
    if (field.rule != Rule::non_negative) return;
    for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
      map_plane(column.plane(w), column.size(), by, 0);
    }
  });
  for (int k = 0; k < D; ++k) {
    map_plane(scene.geometries.vertices.plane(k), scene.geometries.vertices.size(), by, 0);
  }
  if constexpr (D == 2) {
    auto& corners = scene.chain_geometries.vertices;
    for (int k = 0; k < D; ++k) map_plane(corners.plane(k), corners.size(), by, 0);
  } else {
    auto& fields = scene.heightfield_geometries;
    map_plane(fields.heights.plane(), fields.heights.size(), by, 0);
    for (int k = 0; k < 2; ++k) map_plane(fields.cell.plane(k), fields.cell.size(), by, 0);
    auto& corners = scene.mesh_geometries.vertices;
    for (int k = 0; k < D; ++k) map_plane(corners.plane(k), corners.size(), by, 0);
  }
  PositionOf<T>* const offsets = scene.halfspaces.offset.plane();
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    offsets[i] =
        static_cast<PositionOf<T>>(fixed[i] + by * (static_cast<double>(offsets[i]) - fixed[i]));
  }
  if (!has_domain(scene.domain)) return;
  for (int k = 0; k < D; ++k) {
    scale_plane(&scene.domain.min[k], 1, by, static_cast<double>(about[k]));
    scale_plane(&scene.domain.max[k], 1, by, static_cast<double>(about[k]));
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                  \
  template void translate(SceneColumns<D, T>&, const std::array<PositionOf<T>, D>&); \
  template void scale(SceneColumns<D, T>&, SizeOf<T>, const std::array<PositionOf<T>, D>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
template void rotate(SceneColumns<2, float>&, float, const std::array<float, 2>&);
template void rotate(SceneColumns<2, double>&, double, const std::array<double, 2>&);
template void rotate(SceneColumns<2, Mixed>&, float, const std::array<double, 2>&);

}  // namespace widephase
