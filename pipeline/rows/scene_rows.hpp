#pragma once

#include <widephase/bodies.hpp>
#include <widephase/bounds.hpp>
#include <widephase/executor.hpp>
#include <widephase/isa.hpp>
#include <widephase/pairs.hpp>
#include <widephase/scene.hpp>

#include "geometry/hull_library.hpp"
#include "geometry/polygon_library.hpp"

namespace widephase {

/// Which worlds of a scene are wanted (`CollideOptions::world_mask`), and where to tell what
/// became of them (`world_status`): then those with an invalid shape are left out.
struct WorldChoice {
  std::span<const std::uint8_t> mask;
  std::span<std::uint8_t> status;
  std::int32_t worlds = 0;  ///< that there are elsewhere
  std::int64_t shapes = 0;  ///< likewise

  bool is_any() const { return !mask.empty() || !status.empty(); }
};

/// Whether a call asks for its shapes' bounds beside their packed rows.
enum class Bounds : bool { unwanted, wanted };

/// Numbers of a point among the anchors.
inline constexpr int kAnchorNumbers = 4;

/// A scene as the stages read it: bounds by id, packed rows by kind (kernels/core/basis/rows.hpp
/// has their form), margins and filters by id.
template <int D, class T>
struct SceneRows {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  SceneLayout layout;
  /// Whether the last `update` came to its end: the rest holds anything where it did not.
  bool is_read = false;
  /// By id; inflated by half the call's margin and the shape's own, rounded outwards. Empty where
  /// they were not wanted.
  BoundsBuffer<D, Position> bounds;
  std::array<Column<Size>, kKindCount> rows;
  /// Rows that are none, before the first one of each kind; so it is with the anchors.
  std::array<std::int32_t, kKindCount> rows_before{};
  /// Whose libraries the rows point into; null: its own.
  const SceneRows* geometry_of = nullptr;
  /// In mixed precision, by kind: where a shape's point is from which its packed row counts its
  /// positions, in four numbers; of capsules and aabbs both points; of halfspaces unit normal and
  /// [3] = offset. Else empty.
  std::array<Column<Position>, kKindCount> anchors;
  /// For polygons or hulls, four numbers per row: what rounding took off the places of their
  /// middles (middle.hpp). Empty where each set's middle is its origin, and of mixed precision.
  Column<Size> rests;
  /// What the rows of polygons and outlines point into.
  PolygonLibrary<Size> polygons;
  /// What the rows of hulls point into.
  HullLibrary<Size> hulls;
  /// Circles, capsules, aabbs and boxes as instances of outlines of their own, in rows like those
  /// of polygons (2D); empty until `require_outlines`.
  std::array<Column<Size>, kKindCount> outlines;
  /// Unit normals and offsets of the halfspaces, the offsets raised by their margins.
  Column<Position, D> halfspace_normal;
  Column<Position> halfspace_offset;
  /// By id; empty where no shape has one of its own.
  Column<Size> margin;
  Column<std::int32_t> world;
  Column<std::int32_t> owner;
  Column<std::int32_t> body;
  Column<std::uint32_t> category;
  Column<std::uint32_t> mask;
  Column<std::uint8_t> fixed;
  /// By world: 0 where it is left out; its shapes' bounds are then NaN, which meet nothing, and
  /// their packed rows are not to be read. Empty where none is.
  Column<std::uint8_t> world_mask;

  /// Reads the scene, after its bodies have placed what they carry; its point sets only where they
  /// are not those of `geometries`. Throws `Error` with the first offender of an invalid one.
  void update(const SceneSpan<D, T>& scene, double call_margin, Isa isa, const Threads& threads,
              const WorldChoice& choice = {}, const SceneRows* geometries = nullptr,
              Bounds wanted = Bounds::wanted);

  const PolygonLibrary<Size>& polygon_library() const {
    return geometry_of == nullptr ? polygons : geometry_of->polygons;
  }
  const HullLibrary<Size>& hull_library() const {
    return geometry_of == nullptr ? hulls : geometry_of->hulls;
  }
  bool has_middles() const {
    return D == 2 ? polygon_library().has_middles : hull_library().has_middles;
  }
  /// Makes `outlines` of the rows, once after each update.
  void require_outlines();

  /// The scene that was read last, after its bodies have placed what they carry.
  const SceneSpan<D, T>& placed_scene(const SceneSpan<D, T>& scene) const {
    return scene.bodies.empty() ? scene : placed_.scene();
  }

  std::int32_t world_of(std::int32_t id) const {
    return world.empty() ? 0 : world[static_cast<std::size_t>(id)];
  }
  /// The one world of two shapes that may meet; -1 where both are in every world.
  std::int32_t world_of(Pair pair) const {
    const std::int32_t a = world_of(pair.a), b = world_of(pair.b);
    return a > b ? a : b;
  }
  /// As `widephase::world_count` of the scene.
  std::int32_t world_count() const;
  /// Throws `Error`, with the first shape of the largest world, where there are too many worlds for
  /// `what`, which takes room for each, beside so many shapes elsewhere.
  void require_few_worlds(std::string_view what, std::int64_t shapes_elsewhere = 0) const;
  /// Whether neither shape is in a world that is left out.
  bool is_answered(Pair pair) const {
    return is_world_answered(world_of(pair.a)) && is_world_answered(world_of(pair.b));
  }
  bool is_world_answered(std::int32_t of) const {
    return of < 0 || world_mask.empty() || world_mask[static_cast<std::size_t>(of)] != 0;
  }

  /// The columns above beside the scene's excluded pairs.
  FilterSpan filters(const SceneSpan<D, T>& scene) const;

  std::size_t bytes() const;

 private:
  /// Packs `scene`, whose bodies have placed their shapes; `given` is the scene before.
  void pack_scene(const SceneSpan<D, T>& scene, const SceneSpan<D, T>& given, double call_margin,
                  Isa isa, const Threads& threads, const WorldChoice& choice, Bounds wanted);
  void pack_placed(const SceneSpan<D, T>& scene, double call_margin, Isa isa,
                   const Threads& threads, const WorldChoice& choice, Bounds wanted);
  void mark_invalid_tags(const SceneSpan<D, T>& scene);
  void leave_worlds_out(const SceneSpan<D, T>& scene, double call_margin, const Threads& threads,
                        const WorldChoice& choice);

  PlacedScene<D, T> placed_;
  bool has_outlines_ = false;
  Column<std::uint8_t> is_invalid_;  ///< by id, where worlds may be left out; else empty
};

/// Throws `Error` where a span of the caller's has fewer entries than the scene has worlds.
void require_entry_a_world(const char* column, std::size_t entries, std::size_t worlds);

/// Numbers of a shape's anchors.
constexpr int anchor_width(Kind kind) {
  return kAnchorNumbers * (kind == Kind::capsule || kind == Kind::aabb ? 2 : 1);
}

/// The kind of shapes that name point sets.
constexpr Kind instance_kind(int dimension) { return dimension == 2 ? Kind::polygon : Kind::hull; }

/// Numbers of a packed row of a kind.
constexpr int row_width(Kind kind, int dimension) {
  if (kind == Kind::hull || kind == Kind::cylinder || (kind == Kind::box && dimension == 3)) {
    return 16;
  }
  const bool is_two_quads = kind == Kind::capsule || kind == Kind::box || kind == Kind::polygon ||
                            kind == Kind::halfspace || (kind == Kind::aabb && dimension == 3);
  return is_two_quads ? 8 : 4;
}

}  // namespace widephase
