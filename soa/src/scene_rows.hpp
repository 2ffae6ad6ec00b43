#pragma once

#include <widephase/bounds.hpp>
#include <widephase/executor.hpp>
#include <widephase/pairs.hpp>
#include <widephase/scene.hpp>

#include "hull_library.hpp"
#include "polygon_library.hpp"

namespace widephase {

/// A scene as the stages read it: bounds by id, packed rows by kind (kernels/core/rows.hpp has
/// their form), margins and filters by id.
template <int D, class T>
struct SceneRows {
  SceneLayout layout;
  /// By id; inflated by half the call's margin and the shape's own, rounded outwards.
  BoundsBuffer<D, T> bounds;
  std::array<Column<T>, kKindCount> rows;
  /// What the rows of polygons and outlines point into.
  PolygonLibrary<T> polygons;
  /// What the rows of hulls point into.
  HullLibrary<T> hulls;
  /// Circles, capsules, aabbs and boxes as instances of outlines of their own, in rows like those
  /// of polygons (2D); empty until `require_outlines`.
  std::array<Column<T>, kKindCount> outlines;
  /// Unit normals and offsets of the halfspaces, the offsets raised by their margins.
  Column<T, D> halfspace_normal;
  Column<T> halfspace_offset;
  /// By id; empty where no shape has one of its own.
  Column<T> margin;
  Column<std::int32_t> world;
  Column<std::int32_t> owner;
  Column<std::int32_t> body;
  Column<std::uint32_t> category;
  Column<std::uint32_t> mask;
  Column<std::uint8_t> fixed;

  /// Reads the scene. Throws `Error` with the first offender of an invalid one.
  void update(const SceneSpan<D, T>& scene, double call_margin, const Threads& threads);
  /// Makes `outlines` of the rows, once after each update.
  void require_outlines();

  /// The columns above beside the scene's excluded pairs.
  FilterSpan filters(const SceneSpan<D, T>& scene) const;

  std::size_t bytes() const;

 private:
  bool has_outlines_ = false;
};

/// Numbers of a packed row of a kind.
constexpr int row_width(Kind kind, int dimension) {
  if (kind == Kind::hull || kind == Kind::cylinder || (kind == Kind::box && dimension == 3)) {
    return 16;
  }
  const bool is_two_quads = kind == Kind::capsule || kind == Kind::box || kind == Kind::polygon ||
                            (kind == Kind::aabb && dimension == 3);
  return is_two_quads ? 8 : 4;
}

}  // namespace widephase
