#pragma once

// The points of a box and a cylinder that overlap, where a line of the cylinder's side lies over
// the box, with pairs in lanes: the exit is across a face of the box, or leads out of the side at a
// vertex or an edge. core/faces/convex_manifold.hpp does the same one pair at a time (`put_line`).
// Here are only plain pairs, to the same bits. All others are left to it.

#include "kernels/core/cylinder/cylinder_box_axes3.hpp"
#include "kernels/core/cylinder/round_points.hpp"
#include "kernels/core/faces/convex_features.hpp"

namespace widephase {
namespace {

/// A face of a box per lane, with its corners and edges as in `find_box_face`.
template <class F>
struct BoxFaceLanes {
  using T = RealOf<F>;
  Vec<F, 3> normal, corner[4];
  Vec<F, 3> first, second;  ///< half axes along the first edge and the next
  F number, corner_feature[4], edge_feature[4];

  /// The face that faces a direction.
  WIDEPHASE_INLINE BoxFaceLanes(const Rotation3<F>& turn, const Vec<F, 3> (&axis)[3],
                                const Vec<F, 3>& direction) {
    const F zero = F(0), one = F(1), two = F(2);
    F slope[3];
    for (int k = 0; k < 3; ++k) slope[k] = dot(turn.column[k], direction);
    const auto is_beyond_0 = abs(slope[1]) > abs(slope[0]);
    const F most = select(is_beyond_0, abs(slope[1]), abs(slope[0]));
    const auto is_2 = abs(slope[2]) > most;
    const auto is_1 = is_beyond_0 & !is_2;
    const auto of = [&](const auto& at_0, const auto& at_1, const auto& at_2) {
      return select(is_2, at_2, select(is_1, at_1, at_0));
    };
    const auto is_up = of(slope[0], slope[1], slope[2]) > zero;
    const F upper = one_where<F>(is_up);
    const Vec<F, 3> along = of(axis[0], axis[1], axis[2]), u = of(axis[1], axis[2], axis[0]),
                    v = of(axis[2], axis[0], axis[1]),
                    outward = of(turn.column[0], turn.column[1], turn.column[2]);
    const F k = of(zero, one, two), of_u = of(one, two, zero), of_v = of(two, zero, one);
    normal = select(is_up, outward, -outward);
    number = two * k + upper;
    first = select(is_up, u, v);
    second = select(is_up, v, u);
    // Edges and vertices have a bit for each other axis.
    const F bit_u = of(two, F(4), one), bit_v = of(F(4), one, two);
    const F lowest = upper * of(one, two, F(4));
    const F bit_first = select(is_up, bit_u, bit_v), bit_second = select(is_up, bit_v, bit_u);
    const F v_on_u = of(two, one, one), u_on_v = of(two, two, one), three = F(3);
    const F on_u = F(4) * of_u + upper * (three - v_on_u);
    const F on_v = F(4) * of_v + upper * (three - u_on_v);
    const F edge_first = select(is_up, on_u, on_v), step_first = select(is_up, v_on_u, u_on_v);
    const F edge_second = select(is_up, on_v, on_u), step_second = select(is_up, u_on_v, v_on_u);
    const Vec<F, 3> middle = select(is_up, along, -along);
    corner[0] = middle + (-first - second);
    corner[1] = middle + (first - second);
    corner[2] = middle + (first + second);
    corner[3] = middle + (second - first);
    corner_feature[0] = vertex_feature(lowest);
    corner_feature[1] = vertex_feature(lowest + bit_first);
    corner_feature[2] = vertex_feature((lowest + bit_first) + bit_second);
    corner_feature[3] = vertex_feature(lowest + bit_second);
    edge_feature[0] = widephase::edge_feature(edge_first);
    edge_feature[1] = widephase::edge_feature(edge_second + step_second);
    edge_feature[2] = widephase::edge_feature(edge_first + step_first);
    edge_feature[3] = widephase::edge_feature(edge_second);
  }
};

/// Finds the points of pairs of a box and a cylinder that overlap.
template <class F>
class BoxLinePoints {
 public:
  using T = RealOf<F>;

  BoxLinePoints(const CorePair<F>& pair, const BoxExits<F>& exits, const F& limit)
      : exits_(exits),
        turn_(pair.a.shape.turn),
        apart_(pair.apart),
        normal(unit(rotate(turn_, exits.normal))),
        side_(pair.b.shape, -normal),
        most_height_(negate(limit)) {
    F square = F(0);
    for (int k = 0; k < 3; ++k) {
      axis_[k] = pair.a.shape.half[k] * turn_.column[k];
      square = square + dot(axis_[k], axis_[k]);
    }
    size_ = (sqrt(square) + side_.reach) + coordinate_size(apart_);
    rounding_ = roundings<F>(32) * size_;
    slack_ = flush_slack_lanes(size_);
    depth = overlap_along(normal);
    const F near = roundings<F>(16) * size_;
    is_exit_ = (depth > near) & (depth <= exits.overlap + near);
  }

  /// Puts the points of the plain pairs of `asked`. Answers which these are.
  __attribute__((noinline)) unsigned put(unsigned asked, PointTable<F>& table) {
    auto is_plain =
        lanes_of<F>(asked) & is_exit_ & !side_.is_cap & (side_.half > F(0)) & (side_.radius > F(0));
    if (!any<F>(is_plain)) return 0;
    is_plain = is_plain & find_witness();
    if (!any<F>(is_plain)) return 0;
    start_ = side_.out - side_.up;
    const Vec<F, 3> end = side_.out + side_.up, stretch = end - start_;
    end_ = end;
    const Vec<F, 3> once = stretch - dot(stretch, normal) * normal;
    const Vec<F, 3> across = once - dot(once, normal) * normal;
    const F across2 = dot(across, across), line = sqrt(dot(stretch, stretch));
    const F least_across = roundings<F>(16) * line;
    const auto lies = across2 > least_across * least_across;
    along_ = across / select(lies, sqrt(across2), F(1));
    is_plain = is_plain & lies;

    const BoxFaceLanes<F> face(turn_, axis_, normal);
    has_any_ = F(0) > F(0);
    low_ = high_ = most_ = {deepest_, F(0)};
    const auto goes_on = clip(face, F(0) == F(0)) & is_plain;
    if (any<F>(goes_on)) {
      const F slope = dot(face.normal, normal);
      const BoxFaceLanes<F> beside(turn_, axis_, (F(2) * slope) * normal - face.normal);
      auto is_beside =
          (!(beside.number == face.number)) & (dot(beside.normal, normal) > F(kLeastSlope<T>));
      auto is_corner = deepest_.feature_a >= edge_feature(F(0));
      for (int c = 0; c < 4; ++c) {
        is_corner = is_corner | (beside.corner_feature[c] == deepest_.feature_a);
      }
      is_beside = is_beside & is_corner & goes_on;
      if (any<F>(is_beside)) clip(beside, is_beside);
    }
    return choose(is_plain, face, line, stretch, table);
  }

  /// Whether turned about the cylinder's axis the exit is as short (`has_turned_tie`).
  WIDEPHASE_INLINE MaskOf<F> has_tie() const {
    const F by = F(T(0.05)), most = depth + roundings<F>(2) * size_;
    const Vec<F, 3> round = cross(side_.turn[2], normal);
    auto is_tie = exits_.is_tie > F(0);
    for (const F& turn_by : {negate(by), by}) {
      const Vec<F, 3> other = unit(normal + turn_by * round), off = other - normal;
      is_tie = is_tie | ((dot(off, off) >= F(T(0.5)) * (by * by)) & (overlap_along(other) <= most));
    }
    return is_tie;
  }

 private:
  static WIDEPHASE_INLINE Vec<F, 3> unit(const Vec<F, 3>& v) { return v / sqrt(dot(v, v)); }
  WIDEPHASE_INLINE MaskOf<F> is(CylinderFeature which) const {
    return exits_.feature == F(static_cast<T>(which));
  }
  WIDEPHASE_INLINE F overlap_along(const Vec<F, 3>& n) const {
    const auto on = [&](int k) { return select(dot(axis_[k], n) > F(0), axis_[k], -axis_[k]); };
    return dot(n, ((on(0) + on(1)) + on(2)) - (apart_ + side_.foremost_along(-n)));
  }
  WIDEPHASE_INLINE Vec<F, 3> vertex_at(const F& number) const {
    const F four = F(4), two = F(2);
    const auto is_2 = number >= four;
    const F rest = select(is_2, number - four, number);
    const auto is_1 = rest >= two;
    const auto is_0 = select(is_1, rest - two, rest) >= F(1);
    return (select(is_0, axis_[0], -axis_[0]) + select(is_1, axis_[1], -axis_[1])) +
           select(is_2, axis_[2], -axis_[2]);
  }

  /// The points that meet along the exit (`find_exit_along`). Answers where they are on both cores.
  WIDEPHASE_INLINE MaskOf<F> find_witness() {
    const F zero = F(0), one = F(1);
    const Vec<F, 3>& n = normal;
    const Vec<F, 3>& u = side_.turn[2];
    const Vec<F, 3> out = depth * n;
    const auto is_face = is(CylinderFeature::face), is_edge = is(CylinderFeature::side_edge);
    const Vec<F, 3> vertex = vertex_at(exits_.number[0]), other = vertex_at(exits_.number[1]);
    const Vec<F, 3> from = apart_ - vertex, along = (apart_ - other) - from;
    const F run = dot(along, cross(n, u)), gap = negate(dot(from, cross(n, u)));
    const auto has_run = !(run == zero);
    F share = select(has_run, divide(gap, select(has_run, run, one)), F(T(0.5)));
    share = select(share > zero, select(share < one, share, one), zero);
    share = select(is_edge, share, zero);
    const Vec<F, 3> on_box = from + share * along, on_side = on_box + out;
    const auto is_on = abs(dot(on_side, u)) <= side_.half + roundings<F>(16) * size_;
    deepest_.on_a = select(is_face, (apart_ + side_.foremost) + out, apart_ - on_box);
    deepest_.depth = depth;
    const Vec<F, 3> on_b = select(is_face, side_.foremost, -on_side);
    const F number_a = select(share == one, exits_.number[1], exits_.number[0]);
    const F number_b = select(share == zero, exits_.number[0], exits_.number[1]);
    deepest_.feature_a =
        select(is_face, face_feature(exits_.number[0]),
               box_feature_between(ThreeVertices<F>{{number_a, number_b, number_b}}, turn_, n));
    const auto crosses = is_edge & crosses_side(select(share == one, other, vertex),
                                                select(share == zero, vertex, other), on_b);
    deepest_.feature_b = select(crosses, edge_feature(F(static_cast<T>(kSideLine))),
                                side_.feature_at(on_b, zero > zero, rounding_));
    return is_face | ((is_edge | is(CylinderFeature::vertex)) & is_on);
  }
  /// `crosses_side`, for the edge between these places.
  WIDEPHASE_INLINE MaskOf<F> crosses_side(const Vec<F, 3>& from, const Vec<F, 3>& to,
                                          const Vec<F, 3>& on_b) const {
    const F wide = F(T(1.25)) * slack_, zero = F(0), one = F(1);
    F level = zero;
    for (int k = 0; k < 3; ++k) {
      level = level + one_where<F>(F(2) * abs(dot(axis_[k], normal)) <= wide);
    }
    const Vec<F, 3> along = to - from;
    const F along2 = dot(along, along);
    const Vec<F, 3> across = cross(along, side_.up);
    const F at = dot(deepest_.on_a - from, along), end = wide * sqrt(along2);
    return (level == one) & (F(4) * dot(across, across) > (wide * wide) * along2) & (at > end) &
           (along2 - at > end) & (side_.half - abs(dot(on_b, side_.turn[2])) > wide);
  }

  /// Where an edge is cut off, as a share of it, and by which feature.
  struct Cut {
    F at, feature;
    MaskOf<F> is_cut;
  };
  /// Clips the line to a face, and takes its ends (`FaceClipper`). Answers where a part of it that
  /// is deep enough may go on beside the face.
  __attribute__((noinline)) MaskOf<F> clip(const BoxFaceLanes<F>& face, const MaskOf<F>& asked) {
    const F zero = F(0), one = F(1);
    const PlaneAxes<F> axes(face.normal);
    const F by_rise = divide(one, dot(normal, face.normal));
    struct Seen {
      F x, y, height;
    };
    const auto seen = [&](const Vec<F, 3>& position) {
      const Vec<F, 3> from = position - face.corner[0];
      const F height = dot(from, face.normal) * by_rise;
      const Vec<F, 3> foot = from - height * normal;
      return Seen{dot(foot, axes.x), dot(foot, axes.y), height};
    };
    const Seen p = seen(apart_ + start_), q = seen(apart_ + end_);
    Cut enter{zero, zero, zero > zero}, leave{one, zero, zero > zero};
    auto is_within = asked;
    const auto cut = [&](const F& of_p, const F& of_q, const F& feature) {
      const auto p_out = of_p < zero, q_out = of_q < zero;
      is_within = is_within & !(p_out & q_out);
      const F t = divide(of_p, of_p - of_q);
      const auto take = [&](const MaskOf<F>& is_taken, Cut& to) {
        to.at = select(is_taken, t, to.at);
        to.feature = select(is_taken, feature, to.feature);
        to.is_cut = to.is_cut | is_taken;
      };
      take(p_out & (t > enter.at), enter);
      take(q_out & (t < leave.at), leave);
    };
    F rim_x[4], rim_y[4], side_x[4], side_y[4];
    for (int c = 0; c < 4; ++c) {
      const Vec<F, 3> from = face.corner[c] - face.corner[0];
      rim_x[c] = dot(from, axes.x);
      rim_y[c] = dot(from, axes.y);
    }
    for (int c = 0; c < 2; ++c) {
      const Vec<F, 3> along = F(2) * (c == 0 ? face.first : face.second);
      side_x[c] = dot(along, axes.x);
      side_y[c] = dot(along, axes.y);
      side_x[c + 2] = negate(side_x[c]);
      side_y[c + 2] = negate(side_y[c]);
    }
    const auto length_of = [&](int c) {
      return sqrt(side_x[c] * side_x[c] + side_y[c] * side_y[c]);
    };
    const F length[2] = {length_of(0), length_of(1)};
    for (int c = 0; c < 4; ++c) {
      const F beyond = rounding_ * length[c % 2];
      const auto height_of = [&](const Seen& at) {
        return (side_x[c] * (at.y - rim_y[c]) - side_y[c] * (at.x - rim_x[c])) + beyond;
      };
      cut(height_of(p), height_of(q), face.edge_feature[c]);
    }
    const auto is_second = length[1] > length[0];
    const F long_x = select(is_second, side_x[1], side_x[0]);
    const F long_y = select(is_second, side_y[1], side_y[0]);
    const auto along_longest = [&](const F& x, const F& y) { return long_x * x + long_y * y; };
    F low = along_longest(rim_x[0], rim_y[0]), high = low;
    F low_feature = face.corner_feature[0], high_feature = low_feature;
    for (int c = 1; c < 4; ++c) {
      const F here = along_longest(rim_x[c], rim_y[c]);
      const auto is_low = here < low;
      const auto is_high = here > high;
      low = select(is_low, here, low);
      low_feature = select(is_low, face.corner_feature[c], low_feature);
      high = select(is_high, here, high);
      high_feature = select(is_high, face.corner_feature[c], high_feature);
    }
    const F beyond = (F(2) * rounding_) * select(is_second, length[1], length[0]);
    const F of_p = along_longest(p.x, p.y), of_q = along_longest(q.x, q.y);
    low = low - beyond;
    high = high + beyond;
    cut(of_p - low, of_q - low, low_feature);
    cut(high - of_p, high - of_q, high_feature);

    const auto is_high = [&](const F& height) { return !(height <= most_height_ + rounding_); };
    is_within = is_within & !(enter.at > leave.at) & !(is_high(p.height) & is_high(q.height));
    auto goes_on = zero == zero, has_cut = zero > zero;
    for (int end = 0; end < 2; ++end) {
      const Cut& at = end == 0 ? enter : leave;
      const auto between = [&](const F& first, const F& last) {
        return select(at.is_cut, first + at.at * (last - first), end == 0 ? first : last);
      };
      const F height = between(p.height, q.height);
      auto exists = is_within & !is_high(height);
      if (end == 1) exists = exists & ((!leave.is_cut) | (leave.at > enter.at));
      goes_on = goes_on & !exists;
      has_cut = has_cut | (exists & at.is_cut);
      const F lowest = select(height < most_height_, height, most_height_);
      const Vec<F, 3> on_face =
          face.corner[0] + (between(p.x, q.x) * axes.x + between(p.y, q.y) * axes.y);
      const RoundPoint<F> point{on_face, negate(lowest),
                                select(at.is_cut, at.feature, face_feature(face.number)),
                                select(at.is_cut, side_.line_feature(), side_.end_feature(end))};
      take(point, exists & !(point.depth > depth + (rounding_ + slack_)));
    }
    return goes_on | has_cut;
  }

  struct Found {
    RoundPoint<F> point;
    F along;
  };
  static WIDEPHASE_INLINE void move(const MaskOf<F>& where, const Found& from, Found& to) {
    to.point.on_a = select(where, from.point.on_a, to.point.on_a);
    to.point.depth = select(where, from.point.depth, to.point.depth);
    to.point.feature_a = select(where, from.point.feature_a, to.point.feature_a);
    to.point.feature_b = select(where, from.point.feature_b, to.point.feature_b);
    to.along = select(where, from.along, to.along);
  }
  WIDEPHASE_INLINE void take(const RoundPoint<F>& point, const MaskOf<F>& exists) {
    const Found found{point, dot(point.on_a, along_)};
    const auto is_first = exists & !has_any_;
    move(is_first | (exists & (found.along < low_.along)), found, low_);
    move(is_first | (exists & (found.along > high_.along)), found, high_);
    move(is_first | (exists & (point.depth > most_.point.depth)), found, most_);
    has_any_ = has_any_ | exists;
  }
  static WIDEPHASE_INLINE MaskOf<F> have_one_name(const RoundPoint<F>& a, const RoundPoint<F>& b) {
    return (a.feature_a == b.feature_a) & (a.feature_b == b.feature_b);
  }

  /// The points among those that were found (`put_line`).
  WIDEPHASE_INLINE unsigned choose(MaskOf<F> is_plain, const BoxFaceLanes<F>& face, const F& line,
                                   const Vec<F, 3>& stretch, PointTable<F>& table) {
    const F lag = rounding_ + slack_;
    const auto is_met = has_any_ & (most_.point.depth >= depth - lag);
    is_plain = is_plain & (is_met | !is(CylinderFeature::face));
    take(deepest_, !is_met);
    const auto is_one =
        have_one_name(low_.point, high_.point) | !(high_.along - low_.along > F(T(1e-4)) * line);
    // Along a level edge of the box there may be two points.
    auto is_beside = F(0) == F(0);
    for (const Vec<F, 3>& half : {face.first, face.second}) {
      const Vec<F, 3> edge = half + half, across = cross(edge, stretch);
      const F edge2 = dot(edge, edge), least = F(64) * slack_;
      is_beside = is_beside & (edge2 > least * least) &
                  (dot(across, across) > (F(4) * (slack_ * slack_)) * edge2);
    }
    const auto is_single = is_plain & is_one & is_met & is_beside;
    const auto is_double = is_plain & !is_one;
    if (any<F>(is_single)) {
      RoundPoint<F> point = most_.point;
      const Vec<F, 3> off = point.on_a - deepest_.on_a;
      const auto is_at_found = dot(off, off) <= lag * lag;
      point.feature_a = select(is_at_found, deepest_.feature_a, point.feature_a);
      point.feature_b = select(is_at_found, deepest_.feature_b, point.feature_b);
      point.depth = depth;
      point.put(is_single, 0, table);
    }
    if (any<F>(is_double)) {
      const F least = depth - rounding_;
      const auto is_deep = (low_.point.depth >= least) | (high_.point.depth >= least);
      const auto is_near_low = most_.along - low_.along < high_.along - most_.along;
      const auto is_low = have_one_name(low_.point, most_.point) |
                          (is_near_low & !have_one_name(high_.point, most_.point));
      move((!is_deep) & is_low, most_, low_);
      move((!is_deep) & !is_low, most_, high_);
      const F most = greater(low_.point.depth, high_.point.depth);
      for (RoundPoint<F>* point : {&low_.point, &high_.point}) {
        const F own = point->depth;
        point->depth = select((own >= most) | !(own < least), depth, own);
      }
      low_.point.put(is_double, 0, table);
      high_.point.put(is_double, 1, table);
    }
    return mask_bits(is_single | is_double);
  }

  const BoxExits<F>& exits_;
  Rotation3<F> turn_;
  Vec<F, 3> apart_;

 public:
  Vec<F, 3> normal;  ///< from A to B, in the scene's axes
  F depth;           ///< along it

 private:
  RoundFaces<F> side_;  ///< the cylinder's
  F most_height_, size_, rounding_, slack_;
  Vec<F, 3> axis_[3];  ///< the box's half axes
  MaskOf<F> is_exit_;
  RoundPoint<F> deepest_;  ///< the point of the exit
  Vec<F, 3> start_, end_;  ///< of the side's line, from the cylinder's middle
  Vec<F, 3> along_;        ///< its direction across the normal
  MaskOf<F> has_any_;
  Found low_, high_, most_;  ///< the first and last points along the line, and the deepest
};

}  // namespace
}  // namespace widephase
