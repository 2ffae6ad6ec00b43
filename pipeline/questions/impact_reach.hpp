#pragma once

// How far shapes reach from the origins of their bodies' frames, read from the scene's columns.

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/narrow/workspace.hpp"
#include "soa/threads.hpp"

namespace widephase {

template <class Column>
double length_of(const Column& column, std::size_t row) {
  double square = 0;
  for (int w = 0; w < Column::width; ++w) {
    const auto value = static_cast<double>(column(row, w));
    square += value * value;
  }
  return std::sqrt(square);
}

/// Two numbers for each point set or mesh: the farthest vertex from the origin of its
/// frame, and half the longest side of its box there.
template <class Vertices, class Offsets>
void read_widest(const Vertices& vertices, const Offsets& offsets, std::vector<double>& widest) {
  widest.clear();
  for (std::size_t set = 0; set + 1 < offsets.size(); ++set) {
    double most = 0, side = 0;
    const auto begin = static_cast<std::size_t>(offsets(set));
    const auto end = static_cast<std::size_t>(offsets(set + 1));
    for (std::size_t v = begin; v < end; ++v) most = std::max(most, length_of(vertices, v));
    for (int w = 0; w < Vertices::width; ++w) {
      double low = 0, high = 0;
      for (std::size_t v = begin; v < end; ++v) {
        const auto value = static_cast<double>(vertices(v, w));
        low = v == begin ? value : std::min(low, value);
        high = v == begin ? value : std::max(high, value);
      }
      side = std::max(side, high - low);
    }
    widest.push_back(most);
    widest.push_back(side / 2);
  }
}

/// The same of what the shapes of a table name, if they name any.
template <class Table, class Libraries>
void read_widest_of(const Libraries& libraries, std::vector<double>& widest) {
  if constexpr (Table::kind == Kind::mesh) {
    const auto& meshes = libraries.mesh_geometries;
    read_widest(meshes.vertices, meshes.vertex_offsets, widest);
  } else if constexpr (Table::kind == Kind::chain) {
    const auto& chains = libraries.chain_geometries;
    read_widest(chains.vertices, chains.offsets, widest);
  } else if constexpr (Table::kind == instance_kind(Table::D)) {
    read_widest(libraries.geometries.vertices, libraries.geometries.offsets, widest);
  }
}

/// Reach and turning of one row, and by how much the shape is rounded.
template <class Table>
ShapeReach reach_of(const Table& table, std::size_t row, const std::vector<double>& widest) {
  constexpr int D = Table::D;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  ShapeReach reach;
  double round = 0;
  if constexpr (requires { table.rounding; }) {
    round = static_cast<double>(value_or(table.rounding, row, 0));
  } else if constexpr (requires { table.radius; }) {
    round = static_cast<double>(value_or(table.radius, row, 0));
  }
  if constexpr (Table::kind == Kind::capsule) {
    reach.core = std::max(length_of(table.a, row), length_of(table.b, row));
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double side =
          static_cast<double>(table.b(row, k)) - static_cast<double>(table.a(row, k));
      square += side * side;
    }
    reach.size = std::sqrt(square) / 2 + round;
  } else if constexpr (Table::kind == Kind::aabb) {
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double far = std::max(std::abs(static_cast<double>(table.min(row, k))),
                                  std::abs(static_cast<double>(table.max(row, k))));
      square += far * far;
      const double side =
          static_cast<double>(table.max(row, k)) - static_cast<double>(table.min(row, k));
      reach.size = std::max(reach.size, side / 2);
    }
    reach.core = std::sqrt(square);
  } else if constexpr (Table::kind == Kind::halfspace || Table::kind == Kind::heightfield) {
    reach.core = kNone;  // no bounds below
    reach.size = kNone;
  } else {
    reach.core = length_of(table.center, row);
    if constexpr (requires { table.half_height; }) {
      const auto height = static_cast<double>(table.half_height(row));
      const auto radius = static_cast<double>(table.radius(row));
      reach.core += std::sqrt(height * height + radius * radius);
      reach.size = std::max(height, radius);
    } else if constexpr (requires { table.geometry; }) {
      const auto set = 2 * static_cast<std::size_t>(table.geometry(row));
      reach.core += widest[set];
      reach.size = widest[set + 1];
    } else if constexpr (Table::kind == Kind::box) {
      reach.core += length_of(table.half_extents, row);
    }
    if constexpr (requires { table.half_extents; }) {
      for (int k = 0; k < D; ++k) {
        reach.size = std::max(reach.size, static_cast<double>(table.half_extents(row, k)));
      }
    }
    reach.size += round;
  }
  reach.turning = reach.core;
  if constexpr (Table::kind == Kind::ellipsoid) {
    // Its support along n is h = |A n|, with the half axes in A. On the unit sphere h changes by up
    // to the difference of the longest and the shortest of them: |grad h|^2 = |A^2 n|^2 / h^2 -
    // h^2.
    double least = kNone, most = 0;
    for (int k = 0; k < D; ++k) {
      const auto half = static_cast<double>(table.half_extents(row, k));
      least = std::min(least, half);
      most = std::max(most, half);
    }
    reach.turning = reach.core + (most - least);
    reach.core += most;
  }
  reach.surface = reach.core + round;
  reach.margin = static_cast<double>(value_or(table.margin, row, 0));
  return reach;
}

/// Half the longest side of a shape's bounds, without the margin by which these were grown.
template <int D, class P>
double size_of_bounds(const BoundsBuffer<D, P>& bounds, std::size_t id, double grown) {
  double most = 0;
  for (int k = 0; k < D; ++k) {
    const double side =
        static_cast<double>(bounds.max(id, k)) - static_cast<double>(bounds.min(id, k));
    most = std::max(most, side);  // NaN, of a world that is left out, is passed over
  }
  return std::max(0.0, most / 2 - grown);
}

/// All shapes of a scene.
template <int D, class T>
void read_reaches(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                  ImpactScratch<D, T>& scratch, const Threads& threads) {
  constexpr std::size_t kRows = 4096;
  const bool has_bodies = !scene.bodies.position.empty();
  scratch.shapes.resize(static_cast<std::size_t>(rows.layout.shape_count()));
  SceneSpan<D, T> libraries = scene;  // those of the kept scene, if there is one
  if (scene.kept != nullptr) {
    libraries.for_each_geometry_column(
        [](auto, auto, auto& span, const auto& column) { span = column; }, libraries,
        scene.kept->state().libraries);
  }
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    read_widest_of<Table>(libraries, scratch.widest);
    const auto first = static_cast<std::size_t>(rows.layout.first[static_cast<int>(Table::kind)]);
    const std::size_t count = row_count(table);
    for_chunks(threads, (count + kRows - 1) / kRows, [&](std::size_t chunk) {
      for (std::size_t i = chunk * kRows; i < std::min(count, (chunk + 1) * kRows); ++i) {
        ShapeReach& reach = scratch.shapes[first + i];
        // Shapes of worlds that are left out may have any numbers; they are never asked.
        const bool is_read =
            rows.world_mask.empty() || rows.is_world_answered(value_or(table.world, i, 0));
        reach = is_read ? reach_of(table, i, scratch.widest) : ShapeReach{};
        if (is_read && has_bodies) reach.body = value_or(table.body, i, -1);
      }
    });
  });
}

}  // namespace widephase
