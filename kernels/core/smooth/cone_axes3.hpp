#pragma once

// The minimum translation of a cone that overlaps a box or a hull, over a complete list of the
// directions in which it can lie.
//
// Frame: the other core's, with its middle as the origin. A direction n leads from that core to the
// cone, whose axis there, from base to apex, is u and whose base's middle is m. Along n the cores
// overlap by
//   f(n) = max n.v - n.m + max(radius |n - (n.u) u|, -height n.u)   for the vertices v.
// Any n gives an upper bound. A minimum above 0 is
//   - a face's normal, or the base's;
//   - where a vertex is below the cone's side: n is on the circle n.u = -level of the side's
//     normals. There f(n) = max n.(v - apex). If each vertex could choose its own direction on the
//     circle, that would be level (apex - v).u - wide |v - axis|: so only the vertex for which this
//     is largest can be the exit;
//   - where an edge crosses a line of the side, or the rim (core/smooth/cone_edges.hpp).
// Between the rim or the apex and a vertex, or the apex and an edge, one of the two has no radius
// of curvature there, and f falls.
//
// Faces, the base and that vertex are evaluated one pair at a time, with faces and vertices in
// lanes. Edges are ruled out by points of the difference as in core/cylinder/cylinder_axes3.hpp;
// those that are left, from all pairs of a batch, go through lanes together.
//
// Left to EPA are ties: directions within rounding of the least, or about which the depth hardly
// changes; cones that are flat or thin; boxes without an extent.

#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/smooth/cone_edges.hpp"
#include "kernels/core/smooth/cone_exits.hpp"

namespace widephase {
namespace {

template <class F>
class ConeAxes {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  /// B is the cone.
  ConeAxes(const CorePair<F>& pair, const ConvexShapeLanes<F>& others, const Simplex3<F>& simplex,
           FacesRoom<T>* faces)
      : form_(others.form), others_(others), faces_(*faces) {
    const ConvexLanes<F>&other = pair.a.shape, &cone = pair.b.shape;
    const auto into = [&](const Vec<F, 3>& v) { return rotate_back(other.turn, v); };
    const Vec<F, 3> u = into(cone.turn.column[2]), middle = into(pair.apart);
    const F radius = cone.half[0], half = cone.half[2], height = half + half;
    const Vec<F, 3> base = middle - half * u;
    constexpr int kRow = CylindersInFrames<F>::row_size;
    const F numbers[kRow] = {u[0], u[1], u[2], base[0], base[1], base[2], radius, height};
    for (int k = 0; k < kRow; ++k) {
      const Lanes<F> number(numbers[k]);
      for (int i = 0; i < lanes; ++i) frames_.row[i * kRow + k] = number[i];
    }
    for (int w = 0; w < CylindersInFrames<F>::witness_count; ++w) {
      const Vec<F, 3> local = into(simplex.v[w].point);
      for (int k = 0; k < 3; ++k) frames_.witness[w][k] = Lanes<F>(local[k]);
    }
    // At other scales fourth powers of lengths vanish or overflow.
    constexpr T kMostExtent = static_cast<T>(sizeof(T) == 4 ? 1e8 : 1e70);
    const F thin = F(T(0x1p-5)), side = sqrt(radius * radius + height * height);
    const F size = (radius + height) + coordinate_size(middle);
    is_even_ = mask_bits((radius > thin * side) & (height > thin * side) & (size < F(kMostExtent)) &
                         (side > F(T(1) / kMostExtent)));
  }

  /// A function of its own, so that later steps can use its stack.
  __attribute__((noinline)) void find(unsigned overlapping, LaneCounter<F>& counter) {
    for (int i = 0; i < lanes; ++i) found_[i].feature = CylinderFeature::none;
    CylinderEdges<F> edges;
    BoxHull<T> box;
    for (overlapping &= is_even_; overlapping != 0; overlapping &= overlapping - 1) {
      const int i = __builtin_ctz(overlapping);
      counter.add_alone(1);
      HullView<T> hull;
      if (form_ == CoreForm::hull) {
        hull = HullView<T>(others_.library, others_.indices, integer_in(others_.place()[i]));
      } else {
        const T half[3] = {others_.half[0][i], others_.half[1][i], others_.half[2][i]};
        box.set(half);
        hull = box.view();
      }
      if (hull.face_count == 0) continue;
      ask_faces(hull, i);
      // A box without an extent has faces that are edges: EPA finds its points.
      if (form_ == CoreForm::box && !(least_half(i) > slack_[i])) {
        found_[i].feature = CylinderFeature::none;
      }
      if (found_[i].feature != CylinderFeature::none && !found_[i].is_tie) {
        add_edges(hull, i, edges, counter);
      }
    }
    flush(edges, counter);
  }

  /// The exit of a lane, with its witness.
  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) const {
    DirectExit<T> direct;
    const CylinderAxis<T>& axis = found_[lane];
    if (axis.feature == CylinderFeature::none || axis.is_tie) return direct;
    direct.is_found = direct.is_settled = find_exit(axis, pair, size, direct.exit);
    return direct;
  }

 private:
  struct Cone {
    Vec<T, 3> axis, base;
    T radius, height;
    T level, wide;  ///< the side's normal, along the axis and across

    /// How far against n the cone reaches.
    WIDEPHASE_INLINE T reach(const Vec<T, 3>& n) const {
      const T along = dot(n, axis);
      const Vec<T, 3> across = n - along * axis;
      return greater_of(radius * root(dot(across, across)), -(height * along)) - dot(n, base);
    }
    /// A point of the cone, about there.
    WIDEPHASE_INLINE Vec<T, 3> foremost(const Vec<T, 3>& n) const {
      // A short direction across the axis is inaccurate. Then the middle of the base will do.
      constexpr T kShortest = T(1) / 32;
      const T along = dot(n, axis);
      const Vec<T, 3> across = n - along * axis;
      const T sine = root(dot(across, across));
      if (-(height * along) > radius * sine) return base + height * axis;
      return sine > kShortest ? base - (radius / sine) * across : base;
    }
  };
  Cone cone(int i) const {
    const T* const row = frames_.row + i * CylindersInFrames<F>::row_size;
    const T radius = row[6], height = row[7], side = root(radius * radius + height * height);
    return {{{row[0], row[1], row[2]}},
            {{row[3], row[4], row[5]}},
            radius,
            height,
            radius / side,
            height / side};
  }
  T least_half(int i) const {
    return lesser_of(lesser_of(others_.half[0][i], others_.half[1][i]), others_.half[2][i]);
  }
  static WIDEPHASE_INLINE Vec<T, 3> farthest_vertex(const HullView<T>& hull, const Vec<T, 3>& n) {
    return hull.vertex(farthest_of(hull.vertex_blocks(), hull.vertex_block_count(), n));
  }

  /// Evaluates faces, the base, and the vertex that is deepest below the side.
  __attribute__((noinline)) void ask_faces(const HullView<T>& hull, int i) {
    const Cone c = cone(i);
    const Vec<T, 3>&u = c.axis, &m = c.base;
    const Eight<T> ux = eight_of(u[0]), uy = eight_of(u[1]), uz = eight_of(u[2]),
                   none = eight_of(T(0));
    CylinderAxis<T>& best = found_[i];
    best = {kInfinite<T>, {{0, 0, 0}}, CylinderFeature::face, false, {0, 0}};
    const T size = (c.radius + c.height) + ((magnitude(m[0]) + magnitude(m[1])) + magnitude(m[2]));
    const T slack = slack_[i] = 4 * kRounding<T> * size;
    const T* const blocks = hull.face_blocks();
    const Eight<T> radius = eight_of(c.radius), height = eight_of(c.height);
    LeastOf<T> least;
    T overlaps[8 * kMostFaceBlocks];
    for (int b = 0; b < hull.face_block_count(); ++b) {
      const T* const block = blocks + b * HullLayout::face_block;
      const Eight<T> x = load_eight(block), y = load_eight(block + 8), z = load_eight(block + 16);
      const Eight<T> along = (x * ux + y * uy) + z * uz;
      const Eight<T> ax = x - along * ux, ay = y - along * uy, az = z - along * uz;
      const Eight<T> across = sqrt((ax * ax + ay * ay) + az * az);
      const Eight<T> reach = greater(radius * across, none - height * along);
      const Eight<T> overlap = face_heights(block, m) + reach;
      store(overlaps + 8 * b, overlap);
      least.add(overlap);
    }
    int face;
    least.read(best.overlap, face);
    best.number[0] = best.number[1] = face;
    best.normal = hull.face_normal(face);
    for (int b = 0; b < hull.face_block_count(); ++b) {
      unsigned level = bits_at_least(eight_of(best.overlap + slack), load_eight(overlaps + 8 * b));
      if (b == face >> 3) level &= ~(1u << (face & 7));
      for (; level != 0; level &= level - 1) {
        const int other = 8 * b + __builtin_ctz(level);
        best.is_tie |= dot(hull.face_normal(other), best.normal) < T(0.999);
      }
    }
    ask_vertices(hull, i, c);
  }

  void ask_vertices(const HullView<T>& hull, int i, const Cone& c) {
    const Vec<T, 3>& u = c.axis;
    const Eight<T> ux = eight_of(u[0]), uy = eight_of(u[1]), uz = eight_of(u[2]),
                   none = eight_of(T(0));
    const Vec<T, 3> apex = c.base + c.height * u;
    const Eight<T> px = eight_of(apex[0]), py = eight_of(apex[1]), pz = eight_of(apex[2]);
    const Eight<T> level = eight_of(c.level), wide = eight_of(c.wide);
    CylinderAxis<T>& best = found_[i];
    const T slack = slack_[i];
    const T* const vertices = hull.vertex_blocks();
    GreatestOf<T> high(none), low(none), deep(none);
    for (int b = 0; b < hull.vertex_block_count(); ++b) {
      const T* const block = vertices + b * HullLayout::vertex_block;
      const Eight<T> x = load_eight(block) - px, y = load_eight(block + 8) - py,
                     z = load_eight(block + 16) - pz;
      const Eight<T> along = (x * ux + y * uy) + z * uz;
      const Eight<T> ax = x - along * ux, ay = y - along * uy, az = z - along * uz;
      const Eight<T> down = none - along;
      const Eight<T> depth = level * down - wide * sqrt((ax * ax + ay * ay) + az * az);
      if (b == 0) {
        high = GreatestOf<T>(along);
        low = GreatestOf<T>(down);
        deep = GreatestOf<T>(depth);
      } else {
        high.add(along);
        low.add(down);
        deep.add(depth);
      }
    }
    const int top = high.number_of(high.greatest()), bottom = low.number_of(low.greatest());
    const Vec<T, 3> top_vertex = hull.vertex(top);
    witness_[i][0] = top_vertex - c.base;
    witness_[i][1] = hull.vertex(bottom) - apex;
    take_exit({dot(u, top_vertex - c.base), u, CylinderFeature::cap, false, {top, top}}, slack,
              best);
    const T deepest = deep.greatest();
    if (!(deepest <= best.overlap + slack)) return;
    const int v = deep.number_of(deepest);
    const Vec<T, 3> to = apex - hull.vertex(v);
    const Vec<T, 3> once = to - dot(to, u) * u, aside = once - dot(once, u) * u;
    // About the axis the depth bends by this.
    const T distance = root(dot(aside, aside));
    if (!(kTurnedShare<T> * (c.wide * distance) > slack)) {
      best.is_tie = true;
      return;
    }
    const Vec<T, 3> n = unit_of((c.wide / distance) * aside - c.level * u);
    take_exit(
        {dot(n, farthest_vertex(hull, n)) + c.reach(n), n, CylinderFeature::vertex, false, {v, v}},
        slack, best);
  }

  /// Adds the edges that the witnesses do not rule out.
  void add_edges(const HullView<T>& hull, int i, CylinderEdges<F>& edges, LaneCounter<F>& counter) {
    std::int16_t remaining[kMostEdges + kCodesBeyond];
    const int count = remaining_edges_of(hull, i, remaining);
    for (int n = 0; n < count; ++n) {
      if (edges.add(hull, remaining[n], frames_, i)) flush(edges, counter);
    }
  }
  __attribute__((noinline)) int remaining_edges_of(const HullView<T>& hull, int i,
                                                   std::int16_t* remaining) const {
    constexpr int kGiven = CylindersInFrames<F>::witness_count;
    const Cone c = cone(i);
    const CylinderAxis<T>& best = found_[i];
    Vec<T, 3> witness[kGiven + 3];
    for (int w = 0; w < kGiven; ++w) {
      witness[w] = {{frames_.witness[w][0][i], frames_.witness[w][1][i], frames_.witness[w][2][i]}};
    }
    witness[kGiven] = witness_[i][0];
    witness[kGiven + 1] = witness_[i][1];
    witness[kGiven + 2] = farthest_vertex(hull, best.normal) - c.foremost(best.normal);
    return edges_beyond(hull, witness, best.overlap + slack_[i], remaining);
  }
  void flush(CylinderEdges<F>& edges, LaneCounter<F>& counter) {
    if (edges.count == 0) return;
    counter.add_queue(edges.count);
    flush_cone_edges(edges, slack_, found_);
  }

  /// Finds the exit along an axis, with its witness. Answers false if that fails: the cores hardly
  /// overlap, or rounding has mistaken a feature.
  bool find_exit(const CylinderAxis<T>& axis, const ShapePair<T>& pair, T size,
                 LeastExit<T>& exit) const;

  CoreForm form_;
  const ConvexShapeLanes<F>& others_;
  FacesRoom<T>& faces_;
  CylindersInFrames<F> frames_;  ///< with the middle of the base, and the height
  unsigned is_even_;
  Vec<T, 3> witness_[lanes][2];
  T slack_[lanes];
  CylinderAxis<T> found_[lanes];
};

/// What a cone B may show to a direction.
template <class T>
struct ConeFeatures {
  SmoothFeature<T> line, base, rim, apex;

  explicit ConeFeatures(const ConvexShape<T>& cone) {
    const Vec<T, 3>&u = cone.turn.column[2], none{{0, 0, 0}};
    const ConeSide<T> side(cone);
    line = {SmoothForm::line, {0, 1, 1}, 2, u, side.along, side.across};
    base = {SmoothForm::face, {0, 0, 0}, 1, -u, 0, 0};
    rim = {SmoothForm::rim, {0, 0, 0}, 1, none, 0, 0};
    apex = {SmoothForm::vertex, {1, 1, 1}, 1, none, 0, 0};
  }
};

/// The meeting of a face of A with the cone, whose foremost point is in the witness. Answers
/// whether that is over the face.
template <class T>
bool meet_below_face(const ShapePair<T>& pair, int face, const ConeFeatures<T>& features, T size,
                     T rounding, SmoothMeeting<T>& at, FacesRoom<T>& room) {
  const ConvexShape<T>& other = pair.a;
  int* const corner = at.a.number;
  at.a.form = SmoothForm::face;
  at.a.count = 3;
  if (other.form == CoreForm::hull) {
    const HullView<T> hull = other.hull();
    for (int k = 0; k < 3; ++k) corner[k] = hull.face_vertices()[hull.face_start(face) + k];
  } else {
    const int along = face / 2;
    corner[0] = (face % 2) << along;
    for (int k = 1; k < 3; ++k) corner[k] = corner[0] | 1 << (along + k) % 3;
  }
  const int level = level_count(pair.b, -at.normal, T(1.25) * flush_slack(size));
  if (level > 1) {
    at.b = level == 2 ? features.line : features.base;
    return meet_on_face(pair, true, size, rounding, at, room);
  }
  at.witness.on_a = (pair.apart + at.witness.on_b) + at.depth * at.normal;
  const Vec<T, 3> local = rotate_back(other.turn, at.witness.on_a);
  T inside = kInfinite<T>;
  if (other.form == CoreForm::hull) {
    inside = inside_of_face(other.hull(), face, local);
  } else {
    for (int k = 0; k < 3; ++k) {
      const T half = root(dot(other.axis[k], other.axis[k]));
      if (k != face / 2) inside = lesser_of(inside, half - magnitude(local[k]));
    }
  }
  return inside >= -rounding;
}

/// The meeting of a vertex of A with the cone's base. Answers whether it is over the base.
template <class T>
bool meet_over_base(const ShapePair<T>& pair, int vertex, T size, T rounding, SmoothMeeting<T>& at,
                    FacesRoom<T>& room) {
  const ConvexShape<T>&other = pair.a, &cone = pair.b;
  const int level = level_count(other, at.normal, T(1.25) * flush_slack(size));
  if (level > 2) {
    at.a.form = SmoothForm::face;
    at.a.count = 3;
    return meet_on_face(pair, false, size, rounding, at, room);
  }
  at.witness.on_a = vertex_of(other, vertex);
  at.witness.on_b = (at.witness.on_a - at.depth * at.normal) - pair.apart;
  const Vec<T, 3> beside = at.witness.on_b + cone.axis[2];
  const T radius = root(dot(cone.axis[0], cone.axis[0]));
  return level == 1 && root(dot(beside, beside)) <= radius + rounding;
}

template <class F>
bool ConeAxes<F>::find_exit(const CylinderAxis<T>& axis, const ShapePair<T>& pair, T size,
                            LeastExit<T>& exit) const {
  const ConvexShape<T>& other = pair.a;
  const T rounding = 32 * kRounding<T> * size;
  const Vec<T, 3> n = unit_of(rotate(other.turn, axis.normal)), none{{0, 0, 0}};
  const PolytopeVertex<T> foremost = farthest(pair, n);
  exit.direction = n;
  exit.depth = dot(n, foremost.point);
  exit.is_tie = exit.is_capped = false;
  const T most = axis.overlap + rounding;
  if (!(exit.depth > rounding && exit.depth <= most)) return false;
  const int first = axis.number[0], second = axis.number[1];
  const ConeFeatures<T> features(pair.b);
  SmoothMeeting<T> at{{SmoothForm::vertex, {first, first, first}, 1, none, 0, 0},
                      foremost.b == 1 ? features.apex : features.rim,
                      n,
                      exit.depth,
                      {}};
  at.witness.on_b = foremost.of_b;
  bool is_met = false, is_flat = true;
  switch (axis.feature) {
    case CylinderFeature::none:
      return false;
    case CylinderFeature::face:
      is_met = meet_below_face(pair, first, features, size, rounding, at, faces_);
      break;
    case CylinderFeature::cap:
      at.b = features.base;
      is_met = meet_over_base(pair, first, size, rounding, at, faces_);
      break;
    case CylinderFeature::vertex:
    case CylinderFeature::side_edge:
    case CylinderFeature::rim_edge: {
      is_flat = false;
      at.b = axis.feature == CylinderFeature::rim_edge ? features.rim : features.line;
      if (axis.feature != CylinderFeature::vertex) {
        const Vec<T, 3> along = vertex_of(other, second) - vertex_of(other, first);
        at.a = {SmoothForm::line, {first, second, second}, 2, unit_of(along), 0, 1};
      }
      is_met = put_opposite(pair, rounding, at);
      break;
    }
  }
  if (is_met && at.depth <= most) {
    take_meeting(at, exit.direction, exit.depth, exit.witness);
    return true;
  }
  exit.witness.count = greater_of(at.a.count, at.b.count);
  for (int k = 0; k < 3; ++k) {
    exit.witness.a[k] = at.a.number[k];
    exit.witness.b[k] = at.b.number[k];
  }
  if (is_flat || !settle_between(pair, size, rounding, at.a.form, at.b.form, exit.direction,
                                 exit.depth, exit.witness, faces_)) {
    if (!settle_smooth(pair, size, rounding, false, exit.direction, exit.depth, exit.witness,
                       faces_)) {
      return false;
    }
  }
  return exit.depth <= most;
}

}  // namespace
}  // namespace widephase
