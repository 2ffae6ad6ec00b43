#pragma once

// What kinds of shape are, in one place: all that asks goes by this table. A kind that is added has
// no line in it until its `switch` has one, which the compiler wants (-Werror=switch).

#include <widephase/types.hpp>

namespace widephase {

struct KindTraits {
  bool is_in_2d, is_in_3d;
  bool is_unbounded;  ///< has no box, and is asked about apart from the tree
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
      return {false, true, false};
    case Kind::halfspace:
      return {true, true, true};
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

/// The first kind without bounds, kKindCount where there is none.
constexpr int first_unbounded_kind() {
  int kind = 0;
  while (kind < kKindCount && !traits_of(static_cast<Kind>(kind)).is_unbounded) ++kind;
  return kind;
}
constexpr bool has_unbounded_kinds_last() {
  for (int kind = first_unbounded_kind(); kind < kKindCount; ++kind) {
    if (!traits_of(static_cast<Kind>(kind)).is_unbounded) return false;
  }
  return true;
}
// Broad phase, worlds and kept scenes split ids there. A bounded kind that is appended behind must
// split them otherwise first.
static_assert(has_unbounded_kinds_last());

}  // namespace widephase
