#pragma once

// What contacts of cylinders need in addition to those of other cores, one pair at a time:
// distances that GJK has left open, in closed form; ties with directions turned about the axis;
// rims that a search knows only to the root of rounding; a side that an edge crosses.

#include "kernels/core/cylinder/coaxial.hpp"
#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/cylinder/rim_contact.hpp"
#include "kernels/core/cylinder/rim_exits.hpp"
#include "kernels/core/faces/convex_manifold.hpp"

namespace widephase {
namespace {

/// Whether the exit has a tie: turned about the axis of a cylinder that it is perpendicular to, or
/// mirrored in the plane of both axes, it is equally short. An arc of equally short exits does not
/// end where a face is.
template <class T>
bool has_turned_tie(const ShapePair<T>& pair, const LeastExit<T>& exit, T rounding) {
  constexpr T kTurn = T(0.05);
  const Vec<T, 3>& n = exit.direction;
  const auto is_tie = [&](const Vec<T, 3>& other) {
    const Vec<T, 3> turn = other - n;
    return dot(turn, turn) >= kTurn * kTurn / 2 &&
           dot(other, farthest(pair, other).point) <= exit.depth + rounding;
  };
  const bool is_round_a = pair.a.form == CoreForm::cylinder,
             is_round_b = pair.b.form == CoreForm::cylinder;
  for (const ConvexShape<T>* shape : {&pair.a, &pair.b}) {
    if (shape->form != CoreForm::cylinder) continue;
    const Vec<T, 3> round = cross(shape->turn.column[2], n);
    for (const T turn : {-kTurn, kTurn}) {
      if (is_tie(unit_of(n + turn * round))) return true;
    }
  }
  if (!is_round_a || !is_round_b || !has_axes_in_plane(pair, rounding)) return false;
  const Vec<T, 3> w = cross(pair.a.turn.column[2], pair.b.turn.column[2]);
  return dot(w, w) > 0 && is_tie(unit_of(n - (2 * dot(n, w) / dot(w, w)) * w));
}

/// For cores that are apart along the axis of a cylinder: moves the witness to the other core's
/// nearest vertex and the point of the cap under it. Answers whether that point is on the cap.
template <class T>
bool witness_on_cap(const ShapePair<T>& pair, bool is_a, T rounding, LeastExit<T>& exit) {
  const ConvexShape<T>& cylinder = is_a ? pair.a : pair.b;
  const ConvexShape<T>& other = is_a ? pair.b : pair.a;
  if (cylinder.form != CoreForm::cylinder) return false;
  const Vec<T, 3>& u = cylinder.turn.column[2];
  const Vec<T, 3> out = is_a ? exit.direction : -exit.direction;
  const T cosine = dot(out, u);
  if (!(magnitude(cosine) >= 1 - 16 * kRounding<T>)) return false;
  const ShapePoint<T> first = farthest(other, -out);
  const Vec<T, 3> from = is_a ? pair.apart + first.point : first.point - pair.apart;
  const Vec<T, 3> on_cap = from + exit.depth * out;
  const T height = dot(on_cap, u);
  const Vec<T, 3> across = on_cap - height * u;
  const T radius = root(dot(cylinder.axis[0], cylinder.axis[0])) + rounding;
  const bool is_in_cap =
      magnitude(height) <= root(dot(cylinder.axis[2], cylinder.axis[2])) + rounding &&
      dot(across, across) <= radius * radius;
  if (!is_in_cap) return false;
  const int end = cosine > 0 ? 1 : 0;
  exit.witness.on_a = is_a ? on_cap : first.point;
  exit.witness.on_b = is_a ? first.point : on_cap;
  exit.witness.count = 1;
  exit.witness.a[0] = is_a ? end : first.number;
  exit.witness.b[0] = is_a ? first.number : end;
  return true;
}

/// Moves the witness of a direction to points of faces or edges that meet along it. Answers whether
/// there are any.
template <class T>
__attribute__((noinline)) bool witness_on_faces(const ShapePair<T>& pair, T size,
                                                LeastExit<T>& exit, FacesRoom<T>& room) {
  const Vec<T, 3>& n = exit.direction;
  ConvexFace<T>&face_a = room.a, &face_b = room.b;
  find_face(pair.a, n, flush_slack(size), &exit.witness.on_a, face_a);
  find_face(pair.b, -n, flush_slack(size), &exit.witness.on_b, face_b);
  const CoreContact<T> contact{
      n, exit.depth, -kInfinite<T>, 0, {exit.witness.on_a, exit.depth, 0, 0}, {}};
  CoreManifold<T> points;
  if (!find_points(face_a, face_b, pair.apart, size, contact, points, room)) return false;
  exit.witness.on_a = points.points[0].on_a;
  exit.witness.on_b = (exit.witness.on_a - exit.depth * n) - pair.apart;
  return true;
}

/// Turns a direction between two cylinders that are apart, known to within `most`, into the
/// direction between two of their rims. Newton steps find it, because there is no closed form for
/// it. Answers whether that is the direction.
template <class T>
bool settle_between_rims(const ShapePair<T>& pair, T most, T rounding, LeastExit<T>& exit) {
  if (pair.a.form != CoreForm::cylinder || pair.b.form != CoreForm::cylinder) return false;
  for (int rims = 0; rims < 4; ++rims) {
    LeastExit<T> found = exit;
    Witness<T>& points = found.witness;
    points.count = 1;
    points.a[0] = rims & 1;
    points.b[0] = rims >> 1;
    if (!settle_on_rim(pair, found.depth, most, found.direction, points)) continue;
    found.depth = dot(found.direction, (points.on_a - points.on_b) - pair.apart);
    if (!settle_on_rim(pair, found.depth, rounding, found.direction, points)) continue;
    exit = found;
    return true;
  }
  return false;
}

/// How well a distance that GJK has left open is known.
enum class Settled : std::uint8_t { no, by_features, on_cap };

/// For distances where rounding ended GJK before it was done. Between features of a cylinder the
/// distance is known in closed form, and proven if its two points are no farther apart. `on_cap`:
/// the normal is a cap's, or that of two cores along one another, and the witness is exact.
template <class T>
Settled settle_distance(const ShapePair<T>& pair, T size, T rounding, CoreContact<T>& contact,
                        Witness<T>& witness, FacesRoom<T>& room) {
  const T most = kOpenShare<T> * size;
  LeastExit<T> exit{contact.normal, contact.depth, false, true, witness};
  const bool is_coaxial = find_coaxial_exit(pair, true, exit);
  bool is_cap = false;
  if (is_coaxial || take_cylinder_exit(pair, rounding, exit)) {
    is_cap = is_coaxial || witness_on_cap(pair, true, rounding, exit) ||
             witness_on_cap(pair, false, rounding, exit);
    if (!is_cap && !settle_on_rim(pair, exit.depth, rounding, exit.direction, exit.witness)) {
      const Vec<T, 3> gap = (pair.apart + exit.witness.on_b) - exit.witness.on_a;
      const Vec<T, 3> beside = gap + exit.depth * exit.direction;
      if (!(dot(beside, beside) <= most * most) && !witness_on_faces(pair, size, exit, room)) {
        return Settled::no;
      }
    }
  } else if (!settle_between_rims(pair, most, rounding, exit)) {
    return Settled::no;
  }
  contact.normal = exit.direction;
  contact.depth = exit.depth;
  witness = exit.witness;
  return is_cap ? Settled::on_cap : Settled::by_features;
}

/// Whether an edge of A crosses a line of a cylinder B's side, well within both.
template <class T>
bool crosses_side(const ConvexShape<T>& a, const ConvexShape<T>& b, const Vec<T, 3>& normal,
                  const Witness<T>& witness, T size) {
  const T slack = T(1.25) * flush_slack(size);
  if (level_count(a, normal, slack) != 2) return false;
  const Vec<T, 3>&up = b.axis[2], &u = b.turn.column[2];
  const Vec<T, 3> from = vertex_of(a, witness.a[0]), along = vertex_of(a, witness.a[1]) - from;
  const T along2 = dot(along, along);
  const Vec<T, 3> across = cross(along, up);
  if (!(4 * dot(across, across) > (slack * slack) * along2)) return false;
  const T at = dot(witness.on_a - from, along), end = slack * root(along2);
  const T half = root(dot(up, up));
  return at > end && along2 - at > end && half - magnitude(dot(witness.on_b, u)) > slack;
}

/// If the cores are apart or a search has found the exit, finds the rim, the line of a side or the
/// cap that the witness names more exactly; if A is a point, both points. Answers whether the
/// witness is exact. `feature` is the one by which a closed form has found the exit.
template <class T>
bool settle_on_cylinder(const ShapePair<T>& pair, CylinderFeature feature, T rounding,
                        CoreContact<T>& contact, Witness<T>& witness) {
  const bool is_round_a = pair.a.form == CoreForm::cylinder;
  const bool is_round_b = pair.b.form == CoreForm::cylinder;
  if (pair.a.form == CoreForm::point) {
    // A point's direction to a cylinder is exact, and may lead to the side or to a cap.
    if (!is_round_b) return false;
    witness.on_a = {{0, 0, 0}};
    witness.on_b = -(pair.apart + contact.depth * contact.normal);
    return true;
  }
  const bool is_by_search = feature == CylinderFeature::none;
  if (!(is_round_a || is_round_b)) return false;
  if (!is_by_search && feature != CylinderFeature::rim_edge) return false;
  Vec<T, 3>& normal = contact.normal;
  T& depth = contact.depth;
  return settle_on_rim<T>(pair, depth, rounding, normal, witness) ||
         (is_by_search && (settle_across_line(pair, depth, rounding, normal, witness) ||
                           settle_over_cap(pair, true, depth, rounding, normal, witness) ||
                           settle_over_cap(pair, false, depth, rounding, normal, witness)));
}

}  // namespace
}  // namespace widephase
