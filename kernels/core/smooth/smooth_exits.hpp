#pragma once

// The exit of two overlapping cores of which one is smooth, from the polytope of EPA to rounding.
//
// The polytope need not resolve round surfaces to rounding. Once its bounds are close, its faces
// that may still hide a shorter exit are starts of Newton steps between features
// (smooth_contact.hpp): the depth along a surface is smooth, with few minima, and the starts lie
// close together. Cores that are round about nearly the same axis can leave one another nearly
// equally far all around. There the polytope runs out of vertices, but its faces will do as starts.

#include "kernels/core/epa/epa3.hpp"
#include "kernels/core/smooth/smooth_contact.hpp"

namespace widephase {
namespace {

/// How far below the best exit the polytope may lie, as a share of the size, for its faces to
/// resolve a valley. It is a tenth of a right angle's sagitta in a full circle.
template <class T>
inline constexpr T kValleyShare = T(4e-3);

/// Settles the exit of a search, and then shorter ones that its faces may hide.
template <class T>
class ExitSettler {
 public:
  using Face = typename Polytope3<T>::Face;

  ExitSettler(const ShapePair<T>& pair, T size, T rounding, FacesRoom<T>* room)
      : pair_(pair), size_(size), rounding_(rounding), room_(*room) {}

  /// Answers whether features meet about `exit`, and moves it there.
  bool settle(LeastExit<T>& exit, bool is_every) {
    T reach = 0;
    const bool is_settled = settle_smooth(pair_, size_, rounding_, is_every, exit.direction,
                                          exit.depth, exit.witness, room_, &reach);
    if (is_settled) note(exit.direction, exit.witness, reach);
    return is_settled;
  }
  /// Settles along the caps of cylinders and cones, the sides of flat ellipsoids and the faces of
  /// slivers: their exits are kinks, or nearly, beside those of rims and edges. Answers whether
  /// that finds a shorter exit.
  bool settle_caps(LeastExit<T>& exit) {
    bool is_found = false;
    const auto settle_along = [&](const Vec<T, 3>& direction) {
      LeastExit<T> found = exit;
      found.direction = direction;
      found.depth = dot(direction, farthest(pair_, direction).point);
      const bool is_lower = found.depth < exit.depth - rounding_;
      if (!is_lower || !settle(found, true) || !(found.depth < exit.depth)) return;
      is_found = true;
      exit = found;
    };
    for (const bool is_a : {true, false}) {
      const ConvexShape<T>& shape = is_a ? pair_.a : pair_.b;
      for (int k = 0; k < 3; ++k) {
        if (!has_cap(shape, k)) continue;
        for (const T side : {T(1), T(-1)}) settle_along(side * shape.turn.column[k]);
      }
      if (!is_sliver(shape)) continue;
      const HullView<T> hull = shape.hull();
      for (int face = 0; face < hull.face_count; ++face) {
        const Vec<T, 3> out = rotate(shape.turn, hull.face_normal(face));
        settle_along(is_a ? out : -out);
      }
    }
    return is_found;
  }
  /// Settles from the axes of both cores. Answers whether that finds a shorter exit.
  bool settle_axes(LeastExit<T>& exit) {
    bool is_found = false;
    for (const ConvexShape<T>* shape : {&pair_.a, &pair_.b}) {
      for (int k = 0; k < 6; ++k) {
        LeastExit<T> found = exit;
        const Vec<T, 3>& axis = shape->turn.column[k / 2];
        found.direction = k % 2 == 0 ? axis : -axis;
        if (!settle(found, true) || !(found.depth < exit.depth)) continue;
        is_found = true;
        exit = found;
      }
    }
    return is_found;
  }
  /// Settles from the faces that may hide a shorter exit, the one farthest from all tries first, so
  /// that a ring of equal exits does not use them up. Answers whether one does.
  bool settle_faces(const ExitSearch<T>& search, LeastExit<T>& exit) {
    OpenFaces open{};
    search.for_each_open(exit.depth - rounding_, [&](const Face& face) {
      if (open.count == kMostOpen) return;
      open.closeness[open.count] = -1;
      open.face[open.count++] = &face;
    });
    bool is_found = false;
    for (int compared = 0; count_ < kMostTried;) {
      for (; compared < count_; ++compared) open.compare(tried_[compared].direction);
      const int next = open.take_farthest();
      if (next < 0) break;
      const Face& face = *open.face[next];
      if (is_tried(search, face)) continue;
      LeastExit<T> found = exit;
      found.direction = face.normal;
      found.witness = search.witness_on(face);
      const Witness<T> from = found.witness;
      const bool is_settled = settle(found, true);
      // What lies between here and there leads there too. If no features meet about here, lines
      // that were too far to be tried may.
      const Vec<T, 3> moved = found.direction - face.normal;
      note(face.normal, from, is_settled ? root(dot(moved, moved)) : T(0.5) * kSmoothReach<T>);
      if (!is_settled || !(found.depth < exit.depth)) continue;
      is_found = true;
      exit = found;
    }
    return is_found;
  }

  /// Whether the steps from a face would lead where others have led: it lies between the vertices
  /// of features that have been tried, and faces about the same direction.
  bool is_tried(const ExitSearch<T>& search, const Face& face) const {
    for (int n = 0; n < count_; ++n) {
      const Tried& tried = tried_[n];
      if (dot(tried.direction, face.normal) > tried.least_slope &&
          search.lies_between(face, tried.a, tried.b, tried.count)) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr T kFlat = T(1) / 64;  ///< of the longest extent

  static bool has_cap(const ConvexShape<T>& shape, int axis) {
    if (shape.form == CoreForm::ellipsoid) return shape.ellipsoid.share[axis] < kFlat;
    return (shape.form == CoreForm::cylinder || shape.form == CoreForm::cone) && axis == 2;
  }
  /// Whether the faces of a hull lie closer together than the search's polytope resolves.
  static bool is_sliver(const ConvexShape<T>& shape) {
    return shape.form == CoreForm::hull &&
           shape.hull().numbers[HullLayout::inner_radius] < kFlat * shape.reach;
  }

  static constexpr T kReach = T(0.15);  ///< the farthest that one minimum is taken for the nearest
  static constexpr int kMostTried = 192;
  static constexpr int kMostOpen = 2 * kMostSmoothVertices;

  /// Faces, and the cosine of the angle to the nearest direction that has been tried.
  struct OpenFaces {
    int count;
    const Face* face[kMostOpen];
    T closeness[kMostOpen];

    void compare(const Vec<T, 3>& direction) {
      for (int i = 0; i < count; ++i) {
        closeness[i] = greater_of(closeness[i], dot(direction, face[i]->normal));
      }
    }
    /// Takes the farthest one off the list. Answers its place, or -1 if none is left.
    int take_farthest() {
      int best = -1;
      T least = kInfinite<T>;
      for (int i = 0; i < count; ++i) {
        if (!(closeness[i] < least)) continue;
        best = i;
        least = closeness[i];
      }
      if (best >= 0) closeness[best] = kInfinite<T>;
      return best;
    }
  };

  /// A direction from which Newton steps have led to the nearest minimum, and the vertices of the
  /// features there.
  struct Tried {
    Vec<T, 3> direction;
    T least_slope;  ///< of directions that are as near
    int count, a[3], b[3];
  };
  void note(const Vec<T, 3>& direction, const Witness<T>& at, T reach) {
    if (count_ == kMostTried) return;
    reach = lesser_of(reach, kReach);
    Tried& tried = tried_[count_++];
    tried.direction = direction;
    tried.least_slope = 1 - T(0.5) * reach * reach;
    tried.count = at.count;
    for (int k = 0; k < at.count; ++k) {
      tried.a[k] = at.a[k];
      tried.b[k] = at.b[k];
    }
  }

  const ShapePair<T>& pair_;
  T size_, rounding_;
  FacesRoom<T>& room_;
  int count_ = 0;
  Tried tried_[kMostTried];
};

/// The gap of cores that are apart, where GJK has not found the features: from axes of the cores
/// and directions across two of them that separate the cores. Only one direction of all has
/// features that meet. Answers whether one of these leads there.
template <class T>
__attribute__((noinline)) bool settle_gap(const ShapePair<T>& pair, T size, T rounding,
                                          LeastExit<T>& gap, FacesRoom<T>& room) {
  const auto settles_from = [&](const Vec<T, 3>& axis) {
    if (!(dot(axis, axis) > T(1e-4))) return false;
    for (const T side : {T(1), T(-1)}) {
      LeastExit<T> found = gap;
      found.direction = unit_of(side * axis);
      found.depth = dot(found.direction, farthest(pair, found.direction).point);
      if (!(found.depth < 0) || !settle_smooth(pair, size, rounding, true, found.direction,
                                               found.depth, found.witness, room)) {
        continue;
      }
      gap = found;
      return true;
    }
    return false;
  };
  for (const Vec<T, 3>& a : pair.a.turn.column) {
    if (settles_from(a)) return true;
    for (const Vec<T, 3>& b : pair.b.turn.column) {
      if (settles_from(cross(a, b))) return true;
    }
  }
  for (const Vec<T, 3>& b : pair.b.turn.column) {
    if (settles_from(b)) return true;
  }
  return false;
}

/// Takes the exit that a search has found to rounding. Answers whether features meet there.
template <class T>
__attribute__((noinline)) bool settle_exit(ExitSearch<T>& search, ExitSettler<T>& settler, T size,
                                           T rounding, LeastExit<T>& exit) {
  constexpr int kMostRounds = 6;
  const auto is_tried = [&](const auto& face) { return settler.is_tried(search, face); };
  const T low = search.lowest();
  bool is_settled = settler.settle(exit, false);
  is_settled |= settler.settle_caps(exit);
  exit.is_capped = false;
  if (!search.is_solid()) return is_settled;
  T coarse = 1;
  for (int round = 0; round < kMostRounds; ++round) {
    const bool was_settled = is_settled;
    coarse = was_settled && round + 2 < kMostRounds ? T(0.0625) * coarse : T(0);
    if (!search.go_on(exit, was_settled, coarse, is_tried)) break;
    is_settled = settler.settle(exit, false);
    if (!is_settled && !was_settled) break;
  }
  // What is open now, the polytope has no room to resolve.
  if (exit.depth - search.lowest() > rounding) is_settled |= settler.settle_faces(search, exit);
  // Where the nearest face is flat, there is no bound.
  const bool is_bound = low > -kInfinite<T> && low - exit.depth <= kOpenShare<T> * size;
  if (!is_bound) is_settled |= settler.settle_axes(exit);
  exit.is_capped = !(is_bound && exit.depth - search.lowest() <= kValleyShare<T> * size);
  exit.is_tie = search.is_tie(exit);
  return is_settled;
}

}  // namespace
}  // namespace widephase
