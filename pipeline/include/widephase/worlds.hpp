#pragma once

#include <widephase/export.h>
#include <widephase/distance.hpp>

namespace widephase {

/// Yes or no for each world of a scene. `is_contact[w]` is 1 exactly when `collide` would report a
/// contact of a shape of world w, with that world's own or with one of world -1. Caps on contacts
/// do not matter. Each world ends at its first contact, so this costs less than all contacts.
/// Worlds that `options` leaves out, or that are left out as invalid, are 0, and so are those
/// without shapes. `is_contact` has at least `world_count` entries; `options.order` is not used.
/// Throws `Error` as `collide` does, and for more worlds than `most_worlds`.
template <int D, class T>
WIDEPHASE_API void any_contact(SceneArgument<D, T> scene, std::span<std::uint8_t> is_contact,
                               Workspace<D, T>& workspace, const CollideOptions& options = {});

/// The least distance in each world, one row per world.
template <int D, class T>
struct WorldDistanceBuffer : DistanceBuffer<D, T> {
  /// Its two shapes, the lower id first. {-1, -1} in a world without a pair: the distance is then
  /// the largest finite number, above any clearance that is asked for, and the other columns are 0.
  Column<Pair> pair;
};

/// The pair of each world with the least distance of all that pass the filters: of two shapes of
/// the world, or one of it and one of world -1. Overlapping shapes have the distance -depth, so in
/// a world with overlaps it is the deepest pair. Each row is, bit for bit, what `distances` gives
/// for the pair. Of equally near pairs the lowest (a, b) is taken. There are `world_count` rows;
/// worlds that `options` leaves out, or that are left out as invalid, have no pair. Margins and
/// order are not used. Throws `Error` for an invalid scene, for a periodic domain and for more
/// worlds than `most_worlds`.
template <int D, class T>
WIDEPHASE_API void min_distance(SceneArgument<D, T> scene, WorldDistanceBuffer<D, T>& distances,
                                Workspace<D, T>& workspace, const CollideOptions& options = {});

}  // namespace widephase
