#pragma once

// What kinds of shape are, in one place: all that asks goes by this table. A kind that is added has
// no line in it until its `switch` has one, which the compiler wants (-Werror=switch).

#include <widephase/types.hpp>

namespace widephase {

struct KindTraits {
  bool is_in_2d, is_in_3d;
  bool is_unbounded;  ///< has no box, and is asked about apart from the tree
  /// Made of triangles, or in 2D of segments, each of which may give contacts: it is B of its
  /// pairs, whose points have a `part`.
  bool is_surface = false;
  bool is_sheet = false;  ///< a surface without an inside
};

constexpr KindTraits traits_of(Kind kind) {
  switch (kind) {
    case Kind::sphere:
    case Kind::capsule:
    case Kind::aabb:
    case Kind::box:
      return {true, true, false};
    case Kind::polygon:
      return {true, false, false};
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
      return {false, true, false};
    case Kind::halfspace:
      return {true, true, true};
    case Kind::heightfield:
      return {false, true, false, true};
    case Kind::mesh:
      return {false, true, false, true, true};
    case Kind::chain:
      return {true, false, false, true, true};
  }
  return {};
}

constexpr bool is_in(Kind kind, int dimension) {
  return dimension == 2 ? traits_of(kind).is_in_2d : traits_of(kind).is_in_3d;
}

/// Two kinds of which some pair may meet.
constexpr bool can_meet(Kind a, Kind b, int dimension) {
  return is_in(a, dimension) && is_in(b, dimension) &&
         !(traits_of(a).is_unbounded && traits_of(b).is_unbounded);
}
/// Two kinds of which one may be cast at the other: two surfaces may not.
constexpr bool can_be_cast(Kind a, Kind b, int dimension) {
  return can_meet(a, b, dimension) && !(traits_of(a).is_surface && traits_of(b).is_surface);
}

/// Whether an unbounded shape is in pairs of two kinds.
constexpr bool has_unbounded(KindsOfPair kinds) {
  return traits_of(kinds.a).is_unbounded || traits_of(kinds.b).is_unbounded;
}

/// Whether a surface is in pairs of two kinds.
constexpr bool has_surface(KindsOfPair kinds) {
  return traits_of(kinds.a).is_surface || traits_of(kinds.b).is_surface;
}

/// Whether a scene, by its `SceneLayout`, has surfaces: the points of its contacts then have parts.
template <class Layout>
constexpr bool has_surfaces(const Layout& layout) {
  for (int kind = 0; kind < kKindCount; ++kind) {
    const Kind surface = static_cast<Kind>(kind);
    if (traits_of(surface).is_surface && layout.count(surface) > 0) return true;
  }
  return false;
}

/// Whether shapes of the kind, of one owner, may lie flush: all that have flat sides
/// alone.
constexpr bool may_be_flush(Kind kind) {
  switch (kind) {
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
      return true;
    case Kind::sphere:
    case Kind::capsule:
    case Kind::cylinder:
    case Kind::halfspace:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return false;
}

/// The kind of shapes that name point sets.
constexpr Kind instance_kind(int dimension) { return dimension == 2 ? Kind::polygon : Kind::hull; }
constexpr bool has_instances(KindsOfPair kinds, int dimension) {
  return kinds.a == instance_kind(dimension) || kinds.b == instance_kind(dimension);
}

/// Kinds [begin, end).
struct KindRange {
  std::size_t begin, end;
};
/// The kinds without bounds.
constexpr KindRange unbounded_kinds() {
  std::size_t begin = 0;
  while (begin < kKindCount && !traits_of(static_cast<Kind>(begin)).is_unbounded) ++begin;
  std::size_t end = begin;
  while (end < kKindCount && traits_of(static_cast<Kind>(end)).is_unbounded) ++end;
  return {begin, end};
}
constexpr bool are_unbounded_kinds_neighbours() {
  for (std::size_t kind = unbounded_kinds().end; kind < kKindCount; ++kind) {
    if (traits_of(static_cast<Kind>(kind)).is_unbounded) return false;
  }
  return true;
}
// Their ids are one stretch (soa/unbounded_ids.hpp).
static_assert(are_unbounded_kinds_neighbours());

}  // namespace widephase
