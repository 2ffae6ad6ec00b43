#pragma once

// A segment, box or hull A and a cone or ellipsoid B that are apart, in lanes: the nearest points,
// from the vertices of A that GJK has ended with.
//
// An edge's place nearest to a cone is found first (core/smooth/cone_beside.hpp). The direction
// there follows from the features that face each other, with all digits however near they are:
//   - a side's line and an edge: where the circles of their normals cross;
//   - the rim and an edge: Newton's steps on the edge's circle;
//   - the apex and an edge, a vertex and anything: the gap, or the base's or the side's normal.
// Beside an ellipsoid both directions are roots of one equation (core/smooth/ellipsoid_beside.hpp).
// A face's own normal comes before, if the point that B shows to it is over that face. A segment
// has one edge, so it needs no search.
//
// Each direction's separation, by support points, is a lower bound of the distance, and the gap
// between two points of the cores is an upper bound. Where the two differ by no more than rounding,
// the distance is proven. What is not proven, and cores that are level with one another, is left to
// the search one pair at a time.

#include "kernels/core/convex/nearest_points3.hpp"
#include "kernels/core/smooth/cone_beside.hpp"
#include "kernels/core/smooth/cone_points.hpp"
#include "kernels/core/smooth/ellipsoid_beside.hpp"
#include "kernels/core/smooth/proven_gaps.hpp"

namespace widephase {
namespace {

/// Distances of cores with vertices from cones and ellipsoids, in the lanes where they are proven.
template <class F>
class PolytopeGaps {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  static bool is_for(CoreForm a, CoreForm b) {
    return has_vertices(a) && a != CoreForm::point && is_smooth(b);
  }

  /// From where GJK has ended; a segment needs no search.
  PolytopeGaps(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
               const Simplex3<F>& simplex)
      : pair_(pair), shapes_a_(shapes_a), beside_(pair.b.shape) {
    if (pair.a.shape.form == CoreForm::segment) {
      set_segment();
    } else {
      set_vertices(simplex);
    }
    const Vec<F, 3>& toward = simplex.nearest;
    const F size = length(toward);
    for (int k = 0; k < 3; ++k) found_.normal[k] = negate(divide_or_zero(toward[k], size));
    set_sizes();
  }

  /// Looks in the lanes of `asked`.
  __attribute__((noinline)) void find(unsigned asked, LaneCounter<F>& counter) {
    counter.add_step_of(asked);
    if (pair_.a.shape.form != CoreForm::segment) prove_faces(asked);
    constexpr int kEdges[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const bool has_third = any<F>(lanes_of<F>(asked) & has_third_);
    for (int e = 0; e < (has_third ? 3 : 1); ++e) {
      const auto exists = e == 0 ? F(0) == F(0) : has_third_;
      const unsigned open = asked & ~proven() & mask_bits(exists);
      if (open == 0) continue;
      counter.add_step_of(open);
      if (is_cone()) {
        prove_edge(kEdges[e][0], kEdges[e][1], open);
      } else {
        prove_edge_at_ellipsoid(kEdges[e][0], kEdges[e][1], open);
      }
    }
    const unsigned unsure = proven() & ~faces_;
    if (unsure != 0 && is_cone() && pair_.a.shape.form == CoreForm::hull) leave_level_hulls(unsure);
  }

  unsigned proven() const { return found_.lanes; }
  const ProvenGaps<F>& found() const { return found_; }
  const F& vertex_of_a(int k) const { return a_[k]; }

  /// Puts the distances, with their points, into the answers of a batch (`ConvexAnswers`).
  template <class Answers>
  void put(const ConvexShapeLanes<F>& shapes_b, Answers& answers) {
    F feature = nearest_features(pair_, true, shapes_a_, shapes_b, proven(), found_.normal,
                                 found_.on_a, ThreeVertices<F>{a_[0], a_[1], a_[2]});
    if (pair_.a.shape.form == CoreForm::box) {
      feature = select(lanes_of<F>(faces_), face_, feature);
    }
    found_.feature_a = feature;
    found_.put(answers);
  }

 private:
  WIDEPHASE_INLINE bool is_cone() const { return pair_.b.shape.form == CoreForm::cone; }
  HullView<T> hull(int lane) const {
    return HullView<T>(pair_.a.shape.library, pair_.a.shape.indices,
                       integer_in(shapes_a_.place()[lane]));
  }

  WIDEPHASE_INLINE void set_segment() {
    const Vec<F, 3>& half = pair_.a.axis[0];
    for (int k = 0; k < 3; ++k) {
      vertex_[k] = k == 0 ? -half : half;
      number_[k] = F(k == 0 ? 0 : 1);
    }
    share_ = F(0.5f);
    has_third_ = F(1) < F(0);
  }
  WIDEPHASE_INLINE void set_sizes() {
    const ConvexLanes<F>&a = pair_.a.shape, &b = pair_.b.shape;
    const F reach_b = length(b.half);
    F reach_a;
    if (a.form == CoreForm::hull) {
      T reach[lanes];
      for (int i = 0; i < lanes; ++i) reach[i] = hull(i).numbers[HullLayout::reach];
      reach_a = load(reach);
    } else {
      F square = F(0);
      for (int k = 0; k < 3; ++k) square = square + dot(pair_.a.axis[k], pair_.a.axis[k]);
      reach_a = sqrt(square);
    }
    const Vec<F, 3>& apart = pair_.apart;
    size_ = (reach_a + reach_b) + ((abs(apart[0]) + abs(apart[1])) + abs(apart[2]));
    rounding_ = F(32 * kRounding<T>) * size_;
    slack_ = F(T(1.25)) * flush_slack_lanes(size_);
  }

  /// The vertices of A in GJK's last simplex, each once, those with the greatest weights first.
  WIDEPHASE_INLINE void set_vertices(const Simplex3<F>& simplex) {
    const F zero = F(0), none = F(-1);
    F weight[3];
    for (int k = 0; k < 3; ++k) {
      vertex_[k] = simplex.v[k].of_a;
      number_[k] = simplex.v[k].a;
      weight[k] = select(simplex.size > F(static_cast<T>(k)), simplex.share[k], none);
    }
    const auto unite = [&](int k, int j) {
      const auto is_same = (weight[j] > none) & (weight[k] > none) & (number_[k] == number_[j]);
      weight[k] = select(is_same, weight[k] + weight[j], weight[k]);
      weight[j] = select(is_same, none, weight[j]);
    };
    unite(0, 1);
    unite(0, 2);
    unite(1, 2);
    const auto order = [&](int k, int j) {
      const auto is_less = weight[k] < weight[j];
      const F w = weight[k], n = number_[k];
      const Vec<F, 3> v = vertex_[k];
      weight[k] = select(is_less, weight[j], w);
      weight[j] = select(is_less, w, weight[j]);
      number_[k] = select(is_less, number_[j], n);
      number_[j] = select(is_less, n, number_[j]);
      vertex_[k] = select(is_less, vertex_[j], v);
      vertex_[j] = select(is_less, v, vertex_[j]);
    };
    order(0, 1);
    order(0, 2);
    order(1, 2);
    const auto has_second = weight[1] > none;
    has_third_ = weight[2] > none;
    for (int k = 1; k < 3; ++k) {
      const auto exists = k == 1 ? has_second : has_third_;
      number_[k] = select(exists, number_[k], number_[k - 1]);
      vertex_[k] = select(exists, vertex_[k], vertex_[k - 1]);
    }
    share_ = divide_or_zero(greater(weight[1], zero),
                            greater(weight[0], zero) + greater(weight[1], zero));
  }

  /// Whether two points are as far apart as the cores are along a direction: `off` is the rest of
  /// the gap between them.
  WIDEPHASE_INLINE MaskOf<F> is_as_far(const F& distance, const F& depth, const F& off) const {
    return (off <= rounding_) & (distance + depth <= F(0.25f) * rounding_);
  }
  WIDEPHASE_INLINE void keep(const MaskOf<F>& is_proven, const Vec<F, 3>& normal, const F& depth,
                             const Vec<F, 3>& on_a, const F& feature_b, const F (&a)[3]) {
    found_.keep(is_proven, normal, depth, on_a, F(0), feature_b);
    for (int k = 0; k < 3; ++k) a_[k] = select(is_proven, a[k], a_[k]);
  }

  /// A face of A that a single point of the cone is over.
  __attribute__((noinline)) void prove_faces(unsigned asked) {
    const ConvexLanes<F>& a = pair_.a.shape;
    const bool is_box = a.form == CoreForm::box;
    MaskOf<F> is_asked = lanes_of<F>(asked);
    Vec<F, 3> normal;
    F axis = F(0);
    int face[lanes] = {};
    if (is_box) {
      const Vec<F, 3> slope = rotate_back(a.turn, found_.normal);
      const auto is_1 = abs(slope[1]) > abs(slope[0]);
      const auto is_2 = abs(slope[2]) > select(is_1, abs(slope[1]), abs(slope[0]));
      axis = select(is_2, F(2), select(is_1, F(1), F(0)));
      const F along = select(is_2, slope[2], select(is_1, slope[1], slope[0]));
      const F side = select(along > F(0), F(1), F(-1));
      normal =
          side * select(is_2, a.turn.column[2], select(is_1, a.turn.column[1], a.turn.column[0]));
      face_ = face_feature(F(2) * axis + select(along > F(0), F(1), F(0)));
    } else {
      is_asked = is_asked & has_third_;
      unsigned left = mask_bits(is_asked), found = 0;
      if (left == 0) return;
      T local[3][lanes] = {};
      const Lanes<F> u(number_[0]), v(number_[1]), w(number_[2]);
      for (; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const HullView<T> of = hull(i);
        face[i] =
            of.face_of(static_cast<int>(u[i]), static_cast<int>(v[i]), static_cast<int>(w[i]));
        if (face[i] < 0) continue;
        found |= 1u << i;
        const Vec<T, 3> out = of.face_normal(face[i]);
        for (int k = 0; k < 3; ++k) local[k][i] = out[k];
      }
      is_asked = is_asked & lanes_of<F>(found);
      if (found == 0) return;
      normal = rotate(a.turn, {{load(local[0]), load(local[1]), load(local[2])}});
    }
    const DifferenceVertex3<F> w = farthest(pair_, normal, is_asked);
    const F depth = dot(normal, w.point);
    const Vec<F, 3> on_a = (pair_.apart + w.of_b) + depth * normal;
    auto is_over = is_asked & (depth < negate(rounding_));
    F feature_b = F(0);
    if (is_cone()) {
      const FacingCone<F> cone(pair_.b.shape, -normal);
      is_over = is_over & !(cone.is_rim_level(slack_) | cone.is_line_level(slack_));
      feature_b = cone.feature_at(w.of_b, rounding_);
    }
    const Vec<F, 3> at = rotate_back(a.turn, on_a);
    if (is_box) {
      // Strictly over it: beside its border the distance may be less by more than rounding.
      for (int k = 0; k < 3; ++k) {
        is_over = is_over & ((abs(at[k]) <= a.half[k]) | (axis == F(static_cast<T>(k))));
      }
    } else {
      unsigned over = mask_bits(is_over);
      const Lanes<F> x(at[0]), y(at[1]), z(at[2]), rounding(rounding_);
      for (unsigned left = over; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const HullView<T> of = hull(i);
        const Vec<T, 3> point{{x[i], y[i], z[i]}};
        const T height = dot(of.face_normal(face[i]), point) - of.face_offset(face[i]);
        if (!(inside_of_face(of, face[i], point) >= 0) ||
            !(height <= rounding[i] && height >= -rounding[i])) {
          over &= ~(1u << i);
        }
      }
      is_over = lanes_of<F>(over);
    }
    faces_ = mask_bits(is_over);
    if (is_box) {
      // Three of the face's corners; the search may have ended with fewer vertices.
      const F zero = F(0), one = F(1), two = F(2), four = F(4);
      const auto of_axis = [&](const F& x, const F& y, const F& z) {
        return select(axis == two, z, select(axis == one, y, x));
      };
      const auto is_up = face_ - (axis + axis) > face_feature(zero);
      const F first = select(is_up, of_axis(one, two, four), zero);
      keep(is_over, normal, depth, on_a, feature_b,
           {first, first + of_axis(two, four, one), first + of_axis(four, one, two)});
    } else {
      keep(is_over, normal, depth, on_a, feature_b, number_);
    }
  }

  /// The edge between two of the vertices, or one of them.
  __attribute__((noinline)) void prove_edge(int p, int q, unsigned asked) {
    const F zero = F(0), one = F(1);
    const Rotation3<F>& turn = pair_.b.shape.turn;
    const Vec<F, 3> from = rotate_back(turn, vertex_[p] - pair_.apart);
    const Vec<F, 3> to = rotate_back(turn, vertex_[q] - pair_.apart);
    const Vec<F, 3> half_scene = F(0.5f) * (vertex_[q] - vertex_[p]);
    const Vec<F, 3> half = rotate_back(turn, half_scene);
    const Vec<F, 3> middle = F(0.5f) * (from + to);
    const auto is_asked = lanes_of<F>(asked);
    const F start = p == 0 && q == 1 ? (share_ + share_) - one : zero;
    F at = EdgeBesideCone<F>(beside_, middle, half, start, is_asked).at;
    const F length_of = length(half);
    const auto is_end = !((one - abs(at)) * length_of > rounding_);
    // A core without length is its first vertex.
    at = select(is_end, select(at > zero, one, F(-1)), at);
    const Vec<F, 3> end_scene = select(at > zero, vertex_[q], vertex_[p]);
    const Vec<F, 3> middle_scene = F(0.5f) * (vertex_[p] + vertex_[q]);
    Vec<F, 3> on_a = select(is_end, end_scene, middle_scene + at * half_scene);
    const Vec<F, 3> point = rotate_back(turn, on_a - pair_.apart);
    const BesideCone<F> beside(beside_, point);

    // The gap from the cone.
    const F inverse = divide_or_zero(one, beside.r);
    const Vec<F, 3> gap{
        {beside.gap_r * (point[0] * inverse), beside.gap_r * (point[1] * inverse), beside.gap_z}};
    const auto is_side = !(beside.is_apex | beside.is_rim | beside.is_under);
    const Vec<F, 3> at_vertex = select(is_side,
                                       {{beside_.side_r * (point[0] * inverse),
                                         beside_.side_r * (point[1] * inverse), beside_.side_z}},
                                       gap);
    const F along_inverse = divide_or_zero(one, length_of);
    const Vec<F, 3> e = along_inverse * half;
    const Vec<F, 3> by_line = crossing_of(e, gap), by_rim = across_rim(e, point, gap);
    const Vec<F, 3> to_apex = {{point[0], point[1], point[2] - beside_.half}};
    const Vec<F, 3> by_apex = cross(cross(e, to_apex), e);
    Vec<F, 3> out = select(is_end, at_vertex,
                           select(beside.is_apex, by_apex, select(beside.is_rim, by_rim, by_line)));
    const F out_length = length(out);
    out = divide_or_zero(one, out_length) * out;
    const Vec<F, 3> scene = rotate(turn, out);
    const Vec<F, 3> normal = -(divide_or_zero(one, length(scene)) * scene);

    const FacingCone<F> cone(pair_.b.shape, -normal);
    const DifferenceVertex3<F> w = farthest(pair_, normal, is_asked);
    const F depth = dot(normal, w.point);
    F off = length(gap + depth * out), distance = length(gap);
    const auto is_apart = is_asked & (depth < negate(rounding_));
    const auto is_inner = is_apart & !is_end & !is_as_far(distance, depth, off);
    if (any<F>(is_inner))
      move_on_edge(cone, depth, normal, pair_.apart, middle_scene, half_scene, is_side, is_inner,
                   at, on_a, off, distance);
    const auto is_rim_level = cone.is_rim_level(slack_), is_line_level = cone.is_line_level(slack_);
    const auto is_on_base = is_end & beside.is_under;
    auto is_proven = is_apart & is_as_far(distance, depth, off) & (is_on_base | !is_rim_level);
    // Lines that cross meet in one point, and are named as by `put_edges`.
    const Vec<F, 3> across = cross(half_scene, cone.line);
    const F length2 = dot(half_scene, half_scene), slack2 = slack_ * slack_;
    const auto is_crossing =
        (!is_end) & is_side & is_line_level & (F(4) * dot(across, across) > slack2 * length2);
    const auto is_line = (is_line_level & !is_crossing) | (is_on_base & is_rim_level);
    // As `may_be_several`; for hulls see `leave_level_hulls`.
    if (pair_.a.shape.form != CoreForm::hull) {
      F count = zero;
      for (int k = 0; k < (pair_.a.shape.form == CoreForm::segment ? 1 : 3); ++k) {
        const F height = abs(dot(pair_.a.axis[k], normal));
        count = count + one_where<F>(height + height <= slack_);
      }
      is_proven = is_proven & !((count > one) | (is_line & (count > zero)));
    } else {
      lines_ = (lines_ & ~mask_bits(is_proven)) | mask_bits(is_proven & is_line);
    }
    const auto is_vertex = is_end | (is_crossing & ((one - abs(at)) * length_of <= slack_));
    const F end_number = select(at > zero, number_[q], number_[p]);
    const F first = select(is_vertex, end_number, number_[p]);
    const F second = select(is_vertex, end_number, number_[q]);
    const Vec<F, 3> on_b = (on_a - depth * normal) - pair_.apart;
    const F feature_b =
        select(is_crossing, cone.feature_on_line(on_b, slack_), cone.feature_at(on_b, rounding_));
    keep(is_proven, normal, depth, on_a, feature_b, {first, second, second});
  }

  /// The same beside an ellipsoid. Where the nearest place on the edge's line is beyond an end,
  /// that end is nearest.
  __attribute__((noinline)) void prove_edge_at_ellipsoid(int p, int q, unsigned asked) {
    const F zero = F(0), one = F(1);
    const auto is_asked = lanes_of<F>(asked);
    const Rotation3<F>& turn = pair_.b.shape.turn;
    const auto& core = pair_.b.ellipsoid;
    const Vec<F, 3> half_scene = F(0.5f) * (vertex_[q] - vertex_[p]);
    const Vec<F, 3> middle_scene = F(0.5f) * (vertex_[p] + vertex_[q]);
    const Vec<F, 3> half = rotate_back(turn, half_scene);
    const Vec<F, 3> middle = rotate_back(turn, middle_scene - pair_.apart);
    const F length_of = length(half), inverse = divide_or_zero(one, length_of);
    const Vec<F, 3> by_line =
        out_of_ellipsoid_across(core, inverse * half, middle, is_asked & (length_of > zero));
    const Vec<F, 3> from = core.farthest(by_line);
    F at = clamp(dot(from - middle, inverse * half) * inverse, F(-1), one);
    const auto is_end = !((one - abs(at)) * length_of > rounding_);
    // A core without length is its first vertex.
    at = select(is_end, select(at > zero, one, F(-1)), at);
    const Vec<F, 3> end_scene = select(at > zero, vertex_[q], vertex_[p]);
    const Vec<F, 3> on_a = select(is_end, end_scene, middle_scene + at * half_scene);
    Vec<F, 3> out = by_line;
    const auto is_at_end = is_asked & is_end;
    if (any<F>(is_at_end)) {
      const Vec<F, 3> point = rotate_back(turn, end_scene - pair_.apart);
      out = select(is_end, out_of_ellipsoid(core, point, is_at_end), out);
    }
    const Vec<F, 3> normal = -unit_or_zero(rotate(turn, out));
    const DifferenceVertex3<F> w = farthest(pair_, normal, is_asked);
    const F depth = dot(normal, w.point);
    const Vec<F, 3> gap = (on_a - w.of_b) - pair_.apart;
    const F off = length(gap - depth * normal);
    const auto is_proven =
        is_asked & (depth < negate(rounding_)) & is_as_far(length(gap), depth, off);
    const F end_number = select(at > zero, number_[q], number_[p]);
    const F first = select(is_end, end_number, number_[p]);
    const F second = select(is_end, end_number, number_[q]);
    keep(is_proven, normal, depth, on_a, zero, {first, second, second});
  }

  /// Moves the point on an edge to where it is opposite the line or the point that the cone shows,
  /// if it is nearer to that: along a low bend the gaps' slope leaves open where it is.
  static __attribute__((noinline)) void move_on_edge(
      const FacingCone<F>& cone, const F& depth, const Vec<F, 3>& normal, const Vec<F, 3>& apart,
      const Vec<F, 3>& middle, const Vec<F, 3>& half, const MaskOf<F>& is_side,
      const MaskOf<F>& is_asked, F& at, Vec<F, 3>& on_a, F& off, F& distance) {
    const F one = F(1);
    const Vec<F, 3> line = select(is_side, cone.line, zero_vec<F, 3>());
    const Vec<F, 3> from_b = select(is_side, cone.middle, cone.foremost);
    const Vec<F, 3> gap = ((middle - from_b) - apart) - depth * normal, across = cross(half, line);
    const F a2 = dot(half, half), b2 = dot(line, line), area = dot(across, across);
    const F crossing = divide_or_zero(dot(cross(line, gap), across), area);
    const F at_b = clamp(divide_or_zero(dot(gap + crossing * half, line), b2), F(-1), one);
    const F at_a = clamp(divide_or_zero(negate(dot(gap - at_b * line, half)), a2), F(-1), one);
    const Vec<F, 3> rest = (gap + at_a * half) - at_b * line;
    const F beside = length(rest);
    const auto is_better = is_asked & (beside < off);
    at = select(is_better, at_a, at);
    on_a = select(is_better, middle + at_a * half, on_a);
    off = select(is_better, beside, off);
    distance = select(is_better, length(rest + depth * normal), distance);
  }

  /// The direction across an edge that is normal to the side, on the gap's side of the edge. Both
  /// lie on circles, m.e = 0 and m.u = side_z.
  WIDEPHASE_INLINE Vec<F, 3> crossing_of(const Vec<F, 3>& e, const Vec<F, 3>& gap) const {
    const F zero = F(0), across2 = e[0] * e[0] + e[1] * e[1];
    const F inverse = divide_or_zero(F(1), across2);
    const F along = negate(e[2] * beside_.side_z) * inverse;
    const F square = (beside_.side_r - e[2]) * (beside_.side_r + e[2]);
    const F beside = sqrt(greater(square, zero)) * inverse;
    const F side = gap[1] * e[0] - gap[0] * e[1];
    const F turned = select(side < zero, negate(beside), beside);
    return {{along * e[0] - turned * e[1], along * e[1] + turned * e[0], beside_.side_z}};
  }

  /// The direction across an edge through a point along which the rim is farthest from it.
  WIDEPHASE_INLINE Vec<F, 3> across_rim(const Vec<F, 3>& e, const Vec<F, 3>& point,
                                        const Vec<F, 3>& gap) const {
    constexpr int kSteps = 2;
    const F zero = F(0), one = F(1), most = F(T(0.1));
    const Vec<F, 3> d{{point[0], point[1], point[2] + beside_.half}};
    const auto unit = [&](const Vec<F, 3>& v) { return divide_or_zero(one, length(v)) * v; };
    Vec<F, 3> m = unit(gap - dot(gap, e) * e);
    for (int step = 0; step < kSteps; ++step) {
      const Vec<F, 3> turned = cross(e, m);
      const F up = m[2], up_turned = turned[2];
      const F sine = sqrt(m[0] * m[0] + m[1] * m[1]);
      const F inverse = divide_or_zero(one, sine), both = (up * up_turned) * inverse;
      const F slope = dot(turned, d) + beside_.radius * both;
      const F bend = dot(m, d) -
                     (beside_.radius * inverse) * ((up_turned * up_turned - up * up) + both * both);
      const F turn =
          select(bend > zero, clamp(divide_or_zero(slope, bend), negate(most), most), zero);
      m = unit(m + turn * turned);
    }
    return m;
  }

  /// As `may_be_several`, for hulls: leaves those with a level face, or a level edge on a line.
  __attribute__((noinline)) void leave_level_hulls(unsigned asked) {
    const Vec<F, 3> local = rotate_back(pair_.a.shape.turn, found_.normal);
    const Lanes<F> x(local[0]), y(local[1]), z(local[2]), slack(slack_);
    for (unsigned left = asked; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const LevelVertices<T> level(hull(i), {{x[i], y[i], z[i]}}, slack[i]);
      if (level.count > ((lines_ >> i & 1) != 0 ? 1 : 2)) found_.lanes &= ~(1u << i);
    }
  }

  const CorePair<F>& pair_;
  const ConvexShapeLanes<F>& shapes_a_;
  ConeBeside<F> beside_;
  Vec<F, 3> vertex_[3];
  F number_[3];
  F share_;  ///< of the second vertex in the edge to the first
  MaskOf<F> has_third_;
  F size_, rounding_, slack_;
  ProvenGaps<F> found_;  ///< with the direction of GJK until then
  unsigned faces_ = 0, lines_ = 0;
  F face_ = F(0);
  F a_[3] = {F(0), F(0), F(0)};
};

}  // namespace
}  // namespace widephase
