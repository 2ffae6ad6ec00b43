#pragma once

// The point sets that a rank's shapes name: polygons, hulls, height fields, meshes, chains. They
// keep their numbers of the whole world, and come after the shapes that need them.

#include <array>
#include <span>
#include <utility>
#include <vector>

#include <widephase/scene.hpp>

#include "mpi/messages.hpp"

namespace widephase {

/// Libraries of point sets in a scene, at most.
inline constexpr std::size_t kLibraryCount = 3;

/// Calls `op(library, tables...)` for each library of scenes.
template <class Op, class First, class... Others>
void for_each_library(const Op& op, First& first, Others&... others) {
  op(std::size_t{0}, first.geometries, others.geometries...);
  if constexpr (requires { first.chain_geometries; }) {
    op(std::size_t{1}, first.chain_geometries, others.chain_geometries...);
  } else {
    op(std::size_t{1}, first.heightfield_geometries, others.heightfield_geometries...);
    op(std::size_t{2}, first.mesh_geometries, others.mesh_geometries...);
  }
}

/// Calls `op(library, table)` for the tables whose shapes name sets of a library: they have the
/// order of the libraries.
template <class Op, class Scene>
void for_each_naming_table(Scene& scene, const Op& op) {
  std::size_t library = 0;
  for_each_table(scene, [&](auto& table) {
    if constexpr (requires { table.geometry; }) op(library++, table);
  });
}

/// Numbers of point sets, by library.
using SetNumbers = std::array<std::vector<std::int32_t>, kLibraryCount>;

/// Sets named by shapes that a rank has sent, which has these sets.
struct NamedSets {
  int rank;
  SetNumbers numbers;
};

template <int D, class T>
class PointSets {
 public:
  /// Forgets all sets, and knows how many those of a new world are. Throws what `validate` says of
  /// the libraries; collective, since each rank checks some of the sets.
  void begin(const SceneSpan<D, T>& world, const Communicator& communicator);
  /// Holds sets of a world's libraries, and the height fields around them. Numbers of none are
  /// left out.
  void hold(const SceneSpan<D, T>& world, const SetNumbers& named);
  void hold_all(const SceneSpan<D, T>& world);

  /// Gets what this rank lacks of the sets that others' shapes name, from these ranks; collective.
  /// Returns the bytes that this rank sent.
  std::int64_t fetch(const Communicator& communicator, const std::vector<NamedSets>& named);
  /// Gives up sets other than these and the height fields around them, when they are many.
  void keep(const SetNumbers& named);

  /// How many sets the world has.
  std::int32_t world_count(std::size_t library) const { return world_count_[library]; }
  /// Where a set is in `look_at`'s libraries; -1 if it is not here.
  std::int32_t place_of(std::size_t library, std::int32_t number) const;
  /// The same, but -1 too for a height field that is here only as one around others.
  std::int32_t whole_place_of(std::size_t library, std::int32_t number) const;
  /// Makes the libraries of `scene` those that are here.
  void look_at(SceneSpan<D, T>& scene) const;
  bool has_any() const;
  /// How many sets are here.
  std::int64_t count() const;
  std::size_t bytes() const;

 private:
  struct Names {
    std::vector<std::int32_t> number;                          ///< of the set at a place
    std::vector<std::uint8_t> is_whole;                        ///< with all around it
    std::vector<std::pair<std::int32_t, std::int32_t>> place;  ///< of a number, ascending
  };
  using Libraries = SceneGeometries<Owned<D, T>>;

  void clear();
  std::vector<std::byte> reply_to(std::span<const std::byte> request) const;
  void append_reply(std::span<const std::byte> reply);
  void find_places();
  void mark_whole(const SetNumbers& named);

  std::array<std::int32_t, kLibraryCount> world_count_{};
  Libraries libraries_;  ///< with numbers of the world for neighbours
  std::array<Names, kLibraryCount> names_;
  Column<std::int32_t, 4> neighbour_places_;
};

}  // namespace widephase
