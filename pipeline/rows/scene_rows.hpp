#pragma once

#include <widephase/bodies.hpp>
#include <widephase/bounds.hpp>
#include <widephase/executor.hpp>
#include <widephase/isa.hpp>
#include <widephase/pairs.hpp>
#include <widephase/scene.hpp>

#include "geometry/chain_library.hpp"
#include "geometry/heightfield_library.hpp"
#include "geometry/hull_library.hpp"
#include "geometry/mesh_library.hpp"
#include "geometry/polygon_library.hpp"
#include "kernels/kind_rows.hpp"

namespace widephase {

/// Which worlds of a scene are wanted (`CollideOptions::world_mask`), and where to write their
/// status (`world_status`); with it, worlds with an invalid shape are left out.
struct WorldChoice {
  std::span<const std::uint8_t> mask;
  std::span<std::uint8_t> status;
  std::int32_t worlds = 0;  ///< in other scenes
  std::int64_t shapes = 0;  ///< in other scenes

  bool is_any() const { return !mask.empty() || !status.empty(); }
};

/// Whether a call needs its shapes' bounds beside their packed rows.
enum class Bounds : bool { unwanted, wanted };

/// A scene as the stages read it: bounds by id, packed rows by kind (kernels/core/basis/rows.hpp
/// has their form), margins and filters by id.
template <int D, class T>
struct SceneRows {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  SceneLayout layout;
  /// Whether the last `update` completed; if not, the other members are undefined.
  bool is_read = false;
  /// By id; grown by half the call's margin and the shape's own, rounded outwards. Empty if they
  /// were not wanted.
  BoundsBuffer<D, Position> bounds;
  std::array<Column<Size>, kKindCount> rows;
  /// Unused rows before the first one of each kind; the anchors have the same.
  std::array<std::int32_t, kKindCount> rows_before{};
  /// The owner of the libraries that the rows point into; null: this one.
  const SceneRows* geometry_of = nullptr;
  /// In mixed precision, by kind: the point of a shape to which its packed row is relative, in four
  /// numbers. Capsules and aabbs have two points; halfspaces have the unit normal and [3] = offset.
  /// Otherwise empty.
  std::array<Column<Position>, kKindCount> anchors;
  /// For polygons or hulls, four numbers per row: the rounding errors of the places of their
  /// middles (middle.hpp). Empty if each set's middle is its origin, and in mixed precision.
  Column<Size> rests;
  /// What the rows of polygons and outlines point into.
  PolygonLibrary<Size> polygons;
  /// What the rows of hulls point into.
  HullLibrary<Size> hulls;
  /// What the rows of height fields name.
  HeightfieldLibrary<Size> heightfields;
  /// What the rows of meshes name.
  MeshLibrary<Size> meshes;
  /// What the rows of chains name.
  ChainLibrary<Size> chains;
  /// Circles, capsules, aabbs and boxes as instances of their own outlines, in rows like those of
  /// polygons (2D); empty until `require_outlines`.
  std::array<Column<Size>, kKindCount> outlines;
  /// Unit normals and offsets of the halfspaces, the offsets raised by their margins.
  Column<Position, D> halfspace_normal;
  Column<Position> halfspace_offset;
  /// By id; empty if no shape has its own margin.
  Column<Size> margin;
  Column<std::int32_t> world;
  Column<std::int32_t> owner;
  Column<std::int32_t> body;
  Column<std::uint32_t> category;
  Column<std::uint32_t> mask;
  Column<std::uint8_t> fixed;
  /// By world: 0 if it is left out. Its shapes' bounds are then NaN, which meet nothing, and their
  /// packed rows must not be read. Empty if none is left out.
  Column<std::uint8_t> world_mask;

  /// Reads the scene after placing its shapes, and its libraries unless they are those of
  /// `geometries`. Throws `Error` with the first finding of an invalid scene.
  void update(const SceneSpan<D, T>& scene, double call_margin, Isa isa, const Threads& threads,
              const WorldChoice& choice = {}, const SceneRows* geometries = nullptr,
              Bounds wanted = Bounds::wanted);

  const PolygonLibrary<Size>& polygon_library() const {
    return geometry_of == nullptr || has_own_polygons_ ? polygons : geometry_of->polygons;
  }
  const HullLibrary<Size>& hull_library() const {
    return geometry_of == nullptr ? hulls : geometry_of->hulls;
  }
  const HeightfieldLibrary<Size>& heightfield_library() const {
    return geometry_of == nullptr ? heightfields : geometry_of->heightfields;
  }
  const MeshLibrary<Size>& mesh_library() const {
    return geometry_of == nullptr ? meshes : geometry_of->meshes;
  }
  const ChainLibrary<Size>& chain_library() const {
    return geometry_of == nullptr ? chains : geometry_of->chains;
  }
  bool has_middles() const {
    return D == 2 ? polygon_library().has_middles : hull_library().has_middles;
  }
  /// Makes `outlines` of the rows, once after each update. Rows with another's libraries get a copy
  /// of its polygons.
  void require_outlines();
  void forget_outlines() { has_outlines_ = has_own_polygons_ = false; }

  /// The scene that was read last, with its shapes placed.
  const SceneSpan<D, T>& placed_scene(const SceneSpan<D, T>& scene) const {
    return scene.bodies.empty() ? scene : placed_.scene();
  }

  std::int32_t world_of(std::int32_t id) const {
    return world.empty() ? 0 : world[static_cast<std::size_t>(id)];
  }
  /// The world of two shapes that may meet; -1 if both are in every world.
  std::int32_t world_of(Pair pair) const {
    const std::int32_t a = world_of(pair.a), b = world_of(pair.b);
    return a > b ? a : b;
  }
  /// As `widephase::world_count` of the scene.
  std::int32_t world_count() const;
  /// Throws `Error`, naming the first shape of the largest world, if there are too many worlds for
  /// `what`, which takes room for each, given the number of shapes elsewhere.
  void require_few_worlds(std::string_view what, std::int64_t shapes_elsewhere = 0) const;
  /// Whether neither shape is in a world that is left out.
  bool is_answered(Pair pair) const {
    return is_world_answered(world_of(pair.a)) && is_world_answered(world_of(pair.b));
  }
  bool is_world_answered(std::int32_t of) const {
    return of < 0 || world_mask.empty() || world_mask[static_cast<std::size_t>(of)] != 0;
  }

  /// The columns above together with the scene's excluded pairs.
  FilterSpan filters(const SceneSpan<D, T>& scene) const;

  std::size_t bytes() const;

 private:
  /// Packs `scene`, whose shapes are placed; `given` is the scene before that.
  void pack_scene(const SceneSpan<D, T>& scene, const SceneSpan<D, T>& given, double call_margin,
                  Isa isa, const Threads& threads, const WorldChoice& choice, Bounds wanted);
  void pack_placed(const SceneSpan<D, T>& scene, double call_margin, Isa isa,
                   const Threads& threads, const WorldChoice& choice, Bounds wanted);
  void mark_invalid_tags(const SceneSpan<D, T>& scene);
  void leave_worlds_out(const SceneSpan<D, T>& scene, double call_margin, const Threads& threads,
                        const WorldChoice& choice);

  PlacedScene<D, T> placed_;
  bool has_outlines_ = false;
  bool has_own_polygons_ = false;  ///< a copy of another's, with the outlines
  Column<std::uint8_t> is_invalid_;  ///< by id, if worlds may be left out; else empty
};

/// Throws `Error` if a span of the caller has fewer entries than the scene has worlds.
void require_entry_a_world(const char* column, std::size_t entries, std::size_t worlds);

}  // namespace widephase
