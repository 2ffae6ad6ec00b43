#pragma once

// Solves one pair of convex cores: from the direction of the exit or of the gap to the contact's
// points.

#include "kernels/core/convex/convex_answers.hpp"
#include "kernels/core/convex/witness3.hpp"
#include "kernels/core/cylinder/cylinder_contact.hpp"
#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/smooth/smooth_contact.hpp"

namespace widephase {
namespace {

/// What is known about the pair so far.
template <class T>
struct OnePair {
  ShapePair<T> pair;
  int lane;
  bool is_overlap;
  int simplex_size;  ///< vertices of GJK's last simplex
  T size;            ///< the size that the rounding of coordinates scales with
  T rounding;        ///< the rounding of coordinates
  CoreContact<T> contact;
  Witness<T> witness;  ///< the deepest point, or the nearest points
  /// The feature by which a closed form has found the exit.
  CylinderFeature feature = CylinderFeature::none;
  bool is_settled = false;  ///< the witness is exact
  bool crosses = false;     ///< the witness is where an edge of A crosses the side of B
};

template <class F>
OnePair<RealOf<F>> begin_pair(const ShapePair<RealOf<F>>& pair, RealOf<F> limit, int lane,
                              bool is_overlap, const ConvexAnswers<F>& answers) {
  using T = RealOf<F>;
  const T size = size_of(pair);
  CoreContact<T> contact;
  contact.least_depth = limit;
  contact.steadiness = answers.steadiness;
  contact.last = answers.last[lane];
  return {.pair = pair,
          .lane = lane,
          .is_overlap = is_overlap,
          .simplex_size = static_cast<int>(answers.size[lane]),
          .size = size,
          .rounding = 32 * kRounding<T> * size,
          .contact = contact,
          .witness = answers.witness(lane)};
}

/// Where a search has ended between a vertex of A and a cylinder B that are apart, with a direction
/// that is not from the one to the other: takes the direction that is, if it separates the cores as
/// far. Answers whether it does.
template <class T>
bool settle_at_vertex(OnePair<T>& one) {
  const ShapePair<T>& pair = one.pair;
  CoreContact<T>& contact = one.contact;
  if (!(contact.depth < 0) || !has_vertices(pair.a.form) || !one.witness.is_one(one.witness.a)) {
    return false;
  }
  const Vec<T, 3> vertex = vertex_of(pair.a, one.witness.a[0]), from = vertex - pair.apart;
  const Vec<T, 3> gap = beyond_core(pair.b, from), aside = gap - contact.depth * contact.normal;
  if (dot(aside, aside) <= one.rounding * one.rounding) return false;
  const T size = root(dot(gap, gap));
  const Vec<T, 3> n = -unit_of(gap);
  const T height = dot(n, farthest(pair, n).point);
  if (!(magnitude(height + size) <= one.rounding)) return false;
  contact.normal = n;
  // Where the depths differ by rounding alone, whether there is a contact stays as it was found.
  if (magnitude(height - contact.depth) > one.rounding) contact.depth = height;
  one.witness.on_a = vertex;
  one.witness.on_b = from - gap;
  return true;
}

/// Makes direction and witness more accurate if a core is a cylinder.
template <class T>
void settle_cylinders(OnePair<T>& one) {
  if (!one.is_settled) {
    const bool is_on_rim =
        settle_on_cylinder(one.pair, one.feature, one.rounding, one.contact, one.witness) ||
        settle_at_vertex(one);
    // A closed form's witness is exact; on a face or cap it is one of many.
    one.is_settled = is_on_rim || one.feature == CylinderFeature::vertex ||
                     one.feature == CylinderFeature::side_edge ||
                     one.feature == CylinderFeature::rim_edge;
  }
  one.crosses = one.feature == CylinderFeature::side_edge &&
                crosses_side(one.pair.a, one.pair.b, one.contact.normal, one.witness, one.size);
}

/// The points of a pair whose direction and depth are known: all of them or, unless `wants_all`,
/// only the deepest. Returns false if a closed form found a face or cap that does not meet the
/// other core.
template <class T>
bool find_points_of(OnePair<T>& one, bool wants_all, CoreManifold<T>& points, FacesRoom<T>& room) {
  const ConvexShape<T>&a = one.pair.a, &b = one.pair.b;
  CoreContact<T>& contact = one.contact;
  Witness<T>& witness = one.witness;
  const bool is_point = a.form == CoreForm::point;
  // GJK's nearest points lie on both cores. EPA's do so within rounding, which the faces remove.
  const bool is_exact =
      one.is_settled || (!one.is_overlap && !has_cylinder(one.pair) && !is_smooth(one.pair));
  const bool is_one =
      one.crosses || (is_exact && (is_point || !may_be_several(a, b, contact.normal, one.size)));
  // An ellipsoid that is not flat meets anything in one point.
  const bool is_rounded =
      one.is_settled && b.form == CoreForm::ellipsoid && b.ellipsoid.ball >= T(0x1p-10);
  const bool needs_no_face = is_rounded || (is_one && (is_point || !wants_all));
  if (!needs_no_face) {
    const T slack = flush_slack(one.size);
    find_face(a, contact.normal, slack, &witness.on_a, room.a);
    find_face(b, -contact.normal, slack, &witness.on_b, room.b);
    // On a flat ellipsoid the direction leaves open where the point is.
    if (one.is_settled && a.form == CoreForm::ellipsoid) room.a.corner[0] = witness.on_a;
    if (one.is_settled && b.form == CoreForm::ellipsoid) room.b.corner[0] = witness.on_b;
    if (one.feature == CylinderFeature::none && !is_one && !is_smooth(one.pair)) {
      const Witness<T> found = witness;
      refine_witness(one.pair, room.a, room.b, one.size, contact, witness);
      if (has_cylinder(one.pair)) {
        keep_on_cores(one.pair, found, one.rounding, contact, witness);
      }
    }
  }
  contact.deepest = {
      witness.on_a, contact.depth,
      feature_between(a, witness.a, witness.count, contact.normal, witness.on_a, one.rounding),
      feature_between(b, witness.b, witness.count, -contact.normal, witness.on_b, one.rounding)};
  if (one.crosses) contact.deepest.feature_b = edge_feature(T(kSideLine));
  contact.is_exact = one.is_settled && is_smooth(one.pair);
  if (needs_no_face) {
    points = {1, {contact.deepest}};
    return true;
  }
  const bool is_met =
      find_points(room.a, room.b, one.pair.apart, one.size, contact, points, room, &a, &b);
  const bool is_flat = one.feature == CylinderFeature::face || one.feature == CylinderFeature::cap;
  return is_met || !is_flat;
}

}  // namespace
}  // namespace widephase
