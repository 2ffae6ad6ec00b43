#pragma once

#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// A box that wraps round along its periodic axes.
template <int D, class T>
struct Domain {
  std::array<T, D> min{};          ///< the lower corner; used along periodic axes
  std::array<T, D> max{};          ///< the upper corner, above `min` there
  std::array<bool, D> periodic{};  ///< which axes wrap round; none by default

  /// Whether an axis wraps round.
  bool is_periodic() const {
    for (const bool is_wrapped : periodic) {
      if (is_wrapped) return true;
    }
    return false;
  }
};

/// Frames that carry shapes, one row per body.
template <class Storage>
struct BodyTable {
  /// Where the origin of a body's frame is.
  typename Storage::template Column<typename Storage::Position, Storage::dimension> position;
  /// Angles in 2D, unit quaternions x y z w in 3D; empty: no body is rotated.
  Turn<Storage> turn;

  /// Whether there are no bodies: the scene's column `body` is then only a filter.
  bool empty() const { return position.empty() && turn.empty(); }
};

/// Calls `visit(table)` for each table of a scene in the order of `Kind`.
template <class AnyScene, class Visit>
void for_each_table(AnyScene& scene, Visit&& visit) {
  std::remove_const_t<AnyScene>::for_each(visit, scene);
}

/// Calls `visit(table, other_table)` for the tables of two scenes, in the order of `Kind`.
template <class AnyScene, class OtherScene, class Visit>
void for_each_table_pair(AnyScene& scene, OtherScene& other, Visit&& visit) {
  std::remove_const_t<AnyScene>::for_each(visit, scene, other);
}

template <class Storage>
struct Scene;
template <int D, class T>
class StaticScene;

/// Makes `view` a view of `owner`, as its constructor does. It is compiled in the library, since it
/// would take a second in every source that makes one.
template <int D, class T>
WIDEPHASE_API void look_at(const Scene<Owned<D, T>>& owner, Scene<Borrowed<D, T>>& view);

/// Everything that a call collides: tables of shapes, filters by pair, the domain.
/// `SceneColumns` owns its numbers, `SceneSpan` borrows them.
template <class Storage>
struct Scene : ShapeTables<Storage>, SceneGeometries<Storage> {
  static constexpr int dimension = Storage::dimension;  ///< 2 or 3
  using Real = typename Storage::Real;                  ///< of sizes

  /// Ids that never meet, one row per pair; order and repeats do not matter.
  typename Storage::template Column<std::int32_t, 2> excluded;
  /// Owners (0 or more) that never meet, in every world, likewise. An owner without shapes, and one
  /// with itself, change nothing.
  typename Storage::template Column<std::int32_t, 2> excluded_owners;
  /// Bodies (0 or more) that never meet, likewise: those of `bodies`, then those of the scene that
  /// is `kept`. Without `bodies`, numbers of the column `body`.
  typename Storage::template Column<std::int32_t, 2> excluded_bodies;
  /// A box that wraps round; without periodic axes, the default, space is unbounded.
  Domain<dimension, typename Storage::Position> domain;
  /// If there are bodies, the columns of a shape that names a `body` are in that body's frame, and
  /// every call places them first (bodies.hpp). Without them `body` is only a filter.
  BodyTable<Storage> bodies;
  /// What does not move, and is not copied (static_scene.hpp): every call then answers for both. It
  /// must outlive the calls; null: nothing.
  const StaticScene<dimension, typename Storage::Precision>* kept = nullptr;

  /// No shapes: a valid scene without contacts.
  Scene() = default;

  /// A view of an owning scene, which must outlive it.
  template <class Owner>
    requires(!Storage::owns && std::is_same_v<Owner, Scene<typename Storage::Owner>>)
  Scene(const Owner& owner) {
    look_at(owner, *this);
  }
};

/// A scene that owns its columns: of dimension 2 or 3, of `float`, `double` or `Mixed`.
template <int D, class T>
using SceneColumns = Scene<Owned<D, T>>;
/// A scene whose columns are the caller's arrays, of any stride, which must outlive it. Calls take
/// a span; a `SceneColumns` converts to one.
template <int D, class T>
using SceneSpan = Scene<Borrowed<D, T>>;

/// Where each kind's ids begin. A shape's id is its position in the scene over all kinds, in
/// the order of `Kind`, then its row.
struct SceneLayout {
  /// first[k] is the first id of kind k; first[kKindCount] the count of shapes.
  std::array<std::int32_t, kKindCount + 1> first{};

  /// Shapes of all kinds.
  std::int32_t shape_count() const { return first[kKindCount]; }
  /// Shapes of a kind.
  std::int32_t count(Kind kind) const {
    return first[static_cast<int>(kind) + 1] - first[static_cast<int>(kind)];
  }
  /// The kind of an id, 0 to shape_count() - 1, which is not checked; `locate` checks many.
  Kind kind_of(std::int32_t id) const {
    int kind = 0;
    while (id >= first[kind + 1]) ++kind;
    return static_cast<Kind>(kind);
  }
  /// The id of a row of a kind's table.
  std::int32_t id(Kind kind, std::int32_t row) const { return first[static_cast<int>(kind)] + row; }
  /// The row of an id in its kind's table; the id is not checked.
  std::int32_t row(std::int32_t id) const { return id - first[static_cast<int>(kind_of(id))]; }
};

/// The layout of a scene's tables as they are now: kind by kind as many ids as its first column has
/// rows. Throws `Error` if the scene holds more shapes than ids (2^31 - 1).
template <class Storage>
SceneLayout layout_of(const Scene<Storage>& scene) {
  std::array<std::size_t, kKindCount> counts{};
  for_each_table(scene, [&](const auto& table) {
    counts[static_cast<int>(std::remove_cvref_t<decltype(table)>::kind)] = row_count(table);
  });
  SceneLayout layout;
  std::size_t total = 0;
  for (int kind = 0; kind < kKindCount; ++kind) {
    constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
    if (counts[kind] > kMost - total) {
      throw Error("the scene holds more than 2147483647 shapes; split it into several calls");
    }
    total += counts[kind];
    layout.first[kind + 1] = static_cast<std::int32_t>(total);
  }
  return layout;
}

/// Kinds and rows of many ids; `kinds` and `rows` have the length of `ids`. Throws `Error` for
/// an id out of range.
WIDEPHASE_API void locate(const SceneLayout& layout, std::span<const std::int32_t> ids,
                          std::span<Kind> kinds, std::span<std::int32_t> rows);

/// The worlds of a scene and of what it has `kept`: largest world + 1, at least 1 when there are
/// shapes.
template <int D, class T>
WIDEPHASE_API std::int32_t world_count(const SceneSpan<D, T>& scene);

/// The most worlds, including empty ones, for which calls answer world by world. `any_contact`,
/// `min_distance`, `Order::world`, `world_mask` and `world_status` take memory and time for every
/// number up to the largest, and refuse more. Other calls take any numbers of worlds.
constexpr std::int64_t most_worlds(std::int64_t shapes) {
  constexpr std::int64_t kFew = std::int64_t{1} << 24;
  return 64 * shapes > kFew ? 64 * shapes : kFew;
}

/// What a call did with a world.
enum class WorldStatus : std::uint8_t {
  answered,  ///< 0: its contacts are all there
  invalid,   ///< a shape of it does not pass `validate`, and it was left out
  left_out,  ///< the caller asked for others
};

/// All that is wrong with a scene, by array and row, in the order of the tables; at most `limit`
/// findings. An empty result means a valid scene.
template <int D, class T>
WIDEPHASE_API std::vector<Finding> validate(const SceneSpan<D, T>& scene, double margin = 0,
                                            std::size_t limit = 1);

/// The same for the caller's own pairs: ids in range, no shape with itself.
WIDEPHASE_API std::vector<Finding> validate_pairs(const SceneLayout& layout,
                                                  std::span<const Pair> pairs,
                                                  std::size_t limit = 1);

}  // namespace widephase
