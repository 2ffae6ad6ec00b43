#pragma once

// The deepest point of two cores as a search has found it: whether it is unique, and how the faces
// that meet make it more accurate.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/hull/hull_faces3.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

template <class T>
bool is_on_rim(const ConvexFace<T>& cap, const Vec<T, 3>& point, T near) {
  if (!(cap.radius > 0)) return false;
  const Vec<T, 3> from = point - cap.middle;
  const T over = dot(from, cap.normal);
  const Vec<T, 3> across = from - over * cap.normal;
  return magnitude(over) <= near && magnitude(root(dot(across, across)) - cap.radius) <= near;
}
/// A core's support point along `direction` if it is unique: a point of a rim, or a face that is a
/// single point. Otherwise null.
template <class T>
const Vec<T, 3>* only_point(const ConvexShape<T>& shape, const ConvexFace<T>& face,
                            const Vec<T, 3>& direction, T slack) {
  if (face.count == 1) return face.corner;
  // Whether a line of the side is level can be told only to the square root of rounding.
  const bool is_rim = face.radius > 0 && level_count(shape, direction, slack) == 1;
  return is_rim ? &face.foremost : nullptr;
}

/// If a single point of a core meets the other core, the witness is exactly that point. On an arc
/// of nearly equally deep points, a search may end at another one. On a cylinder, the witness is
/// straight across from the other core's, since a mix of points on an arc does not lie on it.
template <class T>
void refine_witness(const ShapePair<T>& pair, const ConvexFace<T>& face_a,
                   const ConvexFace<T>& face_b, T size, const CoreContact<T>& contact,
                   Witness<T>& witness) {
  const Vec<T, 3> out = contact.depth * contact.normal;
  const auto on_other_b = [&] { return (witness.on_a - out) - pair.apart; };
  const auto on_other_a = [&] { return (pair.apart + witness.on_b) + out; };
  const T slack = flush_slack(size), near = T(0.25) * root(kRounding<T>) * size;
  const Vec<T, 3>* only_a = only_point(pair.a, face_a, contact.normal, slack);
  const Vec<T, 3>* only_b = only_point(pair.b, face_b, -contact.normal, slack);
  // A rim point from a normal is known only to the square root of rounding. If the other core's
  // edge or vertex lies on the rim, its point is known better.
  const bool is_round_a = !has_vertices(pair.a.form), is_round_b = !has_vertices(pair.b.form);
  if (only_a != nullptr && !is_round_b && level_count(pair.b, -contact.normal, slack) <= 2 &&
      is_on_rim(face_a, on_other_a(), near)) {
    only_a = nullptr;
  }
  if (only_b != nullptr && !is_round_a && level_count(pair.a, contact.normal, slack) <= 2 &&
      is_on_rim(face_b, on_other_b(), near)) {
    only_b = nullptr;
  }
  // So is a vertex that alone meets the rim.
  Vec<T, 3> vertex;
  if (only_b != nullptr && is_round_b && !is_round_a && witness.is_one(witness.a)) {
    vertex = vertex_of(pair.a, witness.a[0]);
    only_a = &vertex;
  } else if (only_a != nullptr && is_round_a && !is_round_b && witness.is_one(witness.b)) {
    vertex = vertex_of(pair.b, witness.b[0]);
    only_b = &vertex;
    only_a = nullptr;
  }
  if (only_a != nullptr) {
    witness.on_a = *only_a;
  } else if (only_b != nullptr) {
    witness.on_b = *only_b;
  }
  if (only_a != nullptr || (only_b == nullptr && is_round_b)) {
    witness.on_b = on_other_b();
  } else if (only_b != nullptr || is_round_a) {
    witness.on_a = on_other_a();
  }
}

/// From the nearest point of a core to a point; 0 within. Before a hull, to the farthest of the
/// faces' planes that it is before.
template <class T>
Vec<T, 3> beyond_core(const ConvexShape<T>& shape, const Vec<T, 3>& point) {
  const auto beyond_line = [&](const Vec<T, 3>& from, const Vec<T, 3>& along) {
    const Vec<T, 3> to = point - from;
    const T at = dot(to, along), all = dot(along, along);
    return at <= 0 ? to : at >= all ? to - along : to - (at / all) * along;
  };
  const auto beyond = [](T at, T half) {
    return at > half ? at - half : at < -half ? at + half : T(0);
  };
  switch (shape.form) {
    case CoreForm::segment:
      return beyond_line(-shape.axis[0], T(2) * shape.axis[0]);
    case CoreForm::box: {
      const Vec<T, 3> local = rotate_back(shape.turn, point);
      Vec<T, 3> to;
      for (int k = 0; k < 3; ++k) to[k] = beyond(local[k], root(dot(shape.axis[k], shape.axis[k])));
      return rotate(shape.turn, to);
    }
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      const Vec<T, 3> local = rotate_back(shape.turn, point);
      if (hull.face_count == 0) {
        const Vec<T, 3> from = vertex_of(shape, 0);
        return beyond_line(from, vertex_of(shape, hull.vertex_count - 1) - from);
      }
      const T* const blocks = hull.face_blocks();
      LeastOf<T> least;
      for (int b = 0; b < hull.face_block_count(); ++b) {
        least.add(face_heights(blocks + b * HullLayout::face_block, local));
      }
      T inside;
      int face;
      least.read(inside, face);
      if (!(inside < 0)) return {{0, 0, 0}};
      return -inside * rotate(shape.turn, hull.face_normal(face));
    }
    case CoreForm::cylinder: {
      const Vec<T, 3>& u = shape.turn.column[2];
      const T along = dot(point, u), half = root(dot(shape.axis[2], shape.axis[2]));
      const Vec<T, 3> across = point - along * u;
      const T distance = root(dot(across, across));
      const T radius = root(dot(shape.axis[0], shape.axis[0]));
      const T beside = distance > radius ? (distance - radius) / distance : T(0);
      return beyond(along, half) * u + beside * across;
    }
    case CoreForm::point:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  return {{0, 0, 0}};
}

/// Beside a cylinder the refined witness may be the root of rounding off a core: where the cores
/// touch, where a rim is nearly level, or where an edge lies nearly along a cap. `found` is the
/// search's own. Each of its points with the one opposite may be nearer, but beside a sliver its
/// weights are wrong, and it has two points apart from one another. Then A's is sought along the
/// edges that it names, where the cylinder is nearest: by halves, as the distance has one minimum.
template <class T>
__attribute__((noinline)) void keep_on_cores(const ShapePair<T>& pair, const Witness<T>& found,
                                             T rounding, const CoreContact<T>& contact,
                                             Witness<T>& witness) {
  constexpr int kMostSteps = 8 * sizeof(T);
  const Vec<T, 3> out = contact.depth * contact.normal;
  const auto square_beyond = [&](const Witness<T>& at) {
    const Vec<T, 3> a = beyond_core(pair.a, at.on_a), b = beyond_core(pair.b, at.on_b);
    const T of_a = dot(a, a), of_b = dot(b, b);
    return of_a > of_b ? of_a : of_b;
  };
  T least = square_beyond(witness);
  const auto is_on_both = [&] { return least <= rounding * rounding; };
  if (is_on_both()) return;
  const auto take = [&](const Witness<T>& at) {
    const T beyond = square_beyond(at);
    if (!(beyond < least)) return;
    least = beyond;
    witness = at;
  };
  Witness<T> at = found;
  at.on_b = (found.on_a - out) - pair.apart;
  take(at);
  at.on_b = found.on_b;
  at.on_a = (pair.apart + found.on_b) + out;
  take(at);
  if (pair.a.form == CoreForm::cylinder) return;
  for (int k = 0; k < found.count && !is_on_both(); ++k) {
    const int next = found.a[k + 1 < found.count ? k + 1 : 0];
    if (found.a[k] == next) continue;
    const Vec<T, 3> from = vertex_of(pair.a, found.a[k]), along = vertex_of(pair.a, next) - from;
    const auto slope_at = [&](T share) {
      at.on_a = from + share * along;
      at.on_b = (at.on_a - out) - pair.apart;
      take(at);
      return dot(beyond_core(pair.b, at.on_b), along);
    };
    if (!(slope_at(0) < 0) || !(slope_at(1) > 0)) continue;
    T low = 0, high = 1;
    for (int step = 0; step < kMostSteps && !is_on_both(); ++step) {
      const T middle = T(0.5) * (low + high);
      (slope_at(middle) < 0 ? low : high) = middle;
    }
  }
}

/// Whether the deepest points may be several: a face, or an edge of each core, may be level.
template <class T>
bool may_be_several(const ConvexShape<T>& a, const ConvexShape<T>& b, const Vec<T, 3>& normal,
                    T size) {
  if (a.form == CoreForm::ellipsoid || b.form == CoreForm::ellipsoid) return false;
  // Faces are found in other frames, and so round differently.
  const T slack = T(1.25) * flush_slack(size);
  const int level_b = level_count(b, -normal, slack);
  return level_b > 2 || level_count(a, normal, slack) > (level_b == 2 ? 1 : 2);
}

}  // namespace
}  // namespace widephase
