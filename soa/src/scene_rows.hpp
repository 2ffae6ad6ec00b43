#pragma once

#include <widephase/bounds.hpp>
#include <widephase/executor.hpp>
#include <widephase/pairs.hpp>
#include <widephase/scene.hpp>

namespace widephase {

/// A scene as the stages read it: bounds by id, packed rows by kind (kernels/core/rows.hpp has
/// their form), margins and filters by id.
template <int D, class T>
struct SceneRows {
  SceneLayout layout;
  /// By id; inflated by half the call's margin and the shape's own, rounded outwards.
  BoundsBuffer<D, T> bounds;
  std::array<Column<T>, kKindCount> rows;
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

  /// The columns above beside the scene's excluded pairs.
  FilterSpan filters(const SceneSpan<D, T>& scene) const;

  std::size_t bytes() const;
};

/// Numbers of a packed row of a kind.
constexpr int row_width(Kind kind, int dimension) {
  const bool is_two_quads = kind == Kind::capsule || (kind == Kind::aabb && dimension == 3);
  return is_two_quads ? 8 : 4;
}

}  // namespace widephase
