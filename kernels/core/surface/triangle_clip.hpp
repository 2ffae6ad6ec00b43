#pragma once

// The corners of a core's face over triangles, seen along a patch's normal, for several triangles
// in lanes, in double: as `FaceClipper` finds them one by one, with a triangle as the reference
// face.

#include "kernels/core/faces/face_clipper.hpp"
#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

class TriangleClip {
  using F = Batch<double>;
  static constexpr int kLanes = LaneTraits<F>::count;

 public:
  static constexpr int kMost = 8;  ///< triangles at once
  static_assert(kMost % kLanes == 0);

  /// A triangle, and whether its normal agrees with that of its patch.
  struct Triangle {
    TrianglePlace place;
    bool is_flipped, agrees;
    std::int32_t patch;
    int face;  ///< its number here
  };
  /// A corner: over which feature of the triangle, and where on the core.
  struct Corner {
    int feature;
    double core_feature;
    Vector at;
    double height;
  };

  /// Whether a face is one of those that this clips. Caps reach beyond their corners.
  static bool takes(const ConvexFace<double>& face) {
    return face.count <= kMostCorners && !(face.radius > 0);
  }
  /// Corners above `most_height` are left out.
  TriangleClip(double rounding, double most_height)
      : rounding_(rounding), most_height_(most_height) {}

  /// The face of the next triangles, and the number and the normal of their patch. Corners deeper
  /// in a triangle than `most_depth` are left out. Triangles that wait have faces of as many
  /// corners.
  void set_face(const ConvexFace<double>& face, std::int32_t patch, const Vector& along,
                double most_depth) {
    face_ = &face;
    patch_ = patch;
    along_ = along;
    most_depth_ = most_depth;
    own_face_ = -1;
    const double slope = dot(face.normal, along);
    has_slope_ = magnitude(slope) > kLeastSlope<double>;
    by_slope_ = -1 / slope;
  }
  bool fits(const ConvexFace<double>& face) const {
    return count_ == 0 || face.count == corner_count_;
  }
  bool is_full() const { return count_ == kMost; }
  void add(const TrianglePlace& place, const Vector (&vertex)[3], const Vector& normal,
           bool is_flipped, bool agrees) {
    if (count_ == 0) face_count_ = 0;
    if (own_face_ < 0 || count_ == 0) keep_face();
    for (int n = 0; n < 3; ++n) {
      for (int k = 0; k < 3; ++k) vertex_[n][k][count_] = vertex[is_flipped ? 2 - n : n][k];
      normal_[n][count_] = normal[n];
      face_normal_[n][count_] = face_->normal[n];
      along_of_[n][count_] = along_[n];
    }
    for (int c = 0; c < corner_count_; ++c) {
      for (int k = 0; k < 3; ++k) face_corner_[c][k][count_] = face_->corner[c][k];
    }
    agrees_[count_] = agrees ? 1 : 0;
    most_depth_of_[count_] = most_depth_;
    by_slope_of_[count_] = by_slope_;
    has_slope_of_[count_] = has_slope_ ? 1 : 0;
    triangle_[count_++] = {place, is_flipped, agrees, patch_, own_face_};
  }
  /// Calls `op(triangle, corner)` for the corners, triangle by triangle, until it answers false;
  /// then the triangles are gone.
  template <class Op>
  bool clip(const Op& op) {
    const int count = count_;
    count_ = 0;
    for (int first = 0; first < count; first += kLanes) {
      for (int t = count; t < first + kLanes; ++t) {
        const auto pad = [&](double* row) { row[t] = row[count - 1]; };
        for (int n = 0; n < 3; ++n) {
          for (int k = 0; k < 3; ++k) pad(vertex_[n][k]);
          pad(normal_[n]);
          pad(face_normal_[n]);
          pad(along_of_[n]);
        }
        for (int c = 0; c < corner_count_; ++c) {
          for (int k = 0; k < 3; ++k) pad(face_corner_[c][k]);
        }
        for (double* const row : {agrees_, most_depth_of_, by_slope_of_, has_slope_of_}) pad(row);
      }
      clip_batch(first);
      for (int lane = 0; lane < kLanes && first + lane < count; ++lane) {
        if (!call(triangle_[first + lane], lane, op)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr int kMostCorners = 8;
  static constexpr int kMostSlots = 3 * kMostCorners + 3;
  static_assert(kMostSlots <= 32);
  /// A face's corners, its edges and itself, as `core_feature_` has them.
  static constexpr int kOfCorner = 0, kOfCoreEdge = kMostCorners, kOfCoreFace = 2 * kMostCorners;
  struct Seen {
    F x, y, height;
  };
  struct Side {
    F x, y, length;
  };
  /// An edge and a side that has a slack: how far the edge's ends are within it, times its length;
  /// whether they are on the side itself, to rounding, or the side's ends on the edge's line; and
  /// where on the edge these are.
  struct Within {
    F of_p, of_q, slack;
    MaskOf<F> p_on, q_on, from_on, to_on;
    F from_at, to_at;
  };
  /// The part of an edge over the triangles, as `FaceClipper` has it. By the slack an edge crosses
  /// a side far from where they meet, if the angle is small. So where a corner of one is on the
  /// other they cross there.
  struct Stretch {
    F enter = F(0), leave = F(1), enter_feature = F(0), leave_feature = F(0);
    /// Slack moves the ends by the first as a share of the second.
    F enter_moves[2] = {F(0), F(1)}, leave_moves[2] = {F(0), F(1)};
    MaskOf<F> is_entering, is_leaving, is_there;

    void cut(const MaskOf<F>& counts, const Within& side, const F& feature) {
      const F zero(0);
      const auto p_out = counts & (side.of_p < zero) & !side.p_on;
      const auto q_out = counts & (side.of_q < zero) & !side.q_on;
      const F span = side.of_p - side.of_q;
      F t = divide(side.of_p, span);
      t = select(side.to_on, side.to_at, select(side.from_on, side.from_at, t));
      t = select(side.p_on, zero, select(side.q_on, F(1), t));
      is_there = is_there & !(p_out & q_out);
      const auto enters = p_out & (t > enter), leaves = q_out & (t < leave);
      set(enters, t, feature, side.slack, span, enter, enter_feature, enter_moves);
      is_entering = is_entering | enters;
      set(leaves, t, feature, side.slack, span, leave, leave_feature, leave_moves);
      is_leaving = is_leaving | leaves;
    }

   private:
    static void set(const MaskOf<F>& is, const F& t, const F& feature, const F& slack,
                    const F& span, F& end, F& end_feature, F (&moves)[2]) {
      end = select(is, t, end);
      end_feature = select(is, feature, end_feature);
      moves[0] = select(is, slack, moves[0]);
      moves[1] = select(is, span, moves[1]);
    }
  };

  /// What names the corners of a face.
  struct Names {
    double corner[kMostCorners], edge[kMostCorners], face;
  };
  void keep_face() {
    own_face_ = face_count_++;
    corner_count_ = face_->count;
    Names& names = names_[own_face_];
    for (int c = 0; c < corner_count_; ++c) {
      names.corner[c] = face_->corner_feature[c];
      names.edge[c] = face_->edge_feature[c];
    }
    names.face = face_->face_feature;
  }

  static Vec<F, 3> load_vector(const double (&rows)[3][kMost], int first) {
    return {{load(rows[0] + first), load(rows[1] + first), load(rows[2] + first)}};
  }

  void clip_batch(int first) {
    const F zero(0), one(1);
    for (int n = 0; n < 3; ++n) corner_[n] = load_vector(vertex_[n], first);
    lane_normal_ = load_vector(normal_, first);
    lane_along_ = load_vector(along_of_, first);
    agrees_lanes_ = load(agrees_ + first) > zero;
    most_depth_lanes_ = load(most_depth_of_ + first);
    const Vec<F, 3>&normal = lane_normal_, &along = lane_along_;
    // As `across_of`.
    const auto is_second = abs(normal[1]) < abs(normal[0]);
    const F less = select(is_second, abs(normal[1]), abs(normal[0]));
    const auto is_third = abs(normal[2]) < less;
    const Vec<F, 3> axis{{select(is_second | is_third, zero, one),
                          select(is_second & !is_third, one, zero), select(is_third, one, zero)}};
    const Vec<F, 3> across = cross(normal, axis);
    x_axis_ = across / sqrt(dot(across, across));
    y_axis_ = cross(normal, x_axis_);
    slope_ = dot(normal, along);
    const F by_rise = divide(one, slope_);
    for (int n = 0; n < 3; ++n) {
      const Vec<F, 3> from = corner_[n] - corner_[0];
      rim_[n] = {dot(from, x_axis_), dot(from, y_axis_), zero};
      const Vec<F, 3> to = corner_[(n + 1) % 3] - corner_[n];
      const F x = dot(to, x_axis_), y = dot(to, y_axis_);
      side_[n] = {x, y, sqrt(x * x + y * y)};
    }
    // The triangles' own coordinates may be far.
    F farthest(0);
    for (const Vec<F, 3>& vertex : corner_) {
      for (int k = 0; k < 3; ++k) farthest = greater(farthest, abs(vertex[k]));
    }
    beside_ = F(16 * kRounding<double>) * farthest;
    find_ends();
    Seen seen[kMostCorners];
    for (int c = 0; c < corner_count_; ++c) {
      const Vec<F, 3> from = load_vector(face_corner_[c], first) - corner_[0];
      const F height = dot(from, normal) * by_rise;
      const Vec<F, 3> foot = from - height * along;
      seen[c] = {dot(foot, x_axis_), dot(foot, y_axis_), height};
    }
    slots_ = 0;
    const int edges = corner_count_ < 3 ? 1 : corner_count_;
    for (int e = 0; e < edges; ++e) clip_edge(seen, e, e + 1 < corner_count_ ? e + 1 : 0);
    if (corner_count_ > 2) add_rim_corners(seen, first);
  }

  void find_ends() {
    const F zero(0);
    length_ = {zero, zero, zero};
    for (const Side& side : side_) {
      const auto is_longer = side.length > length_.length;
      length_ = {select(is_longer, side.x, length_.x), select(is_longer, side.y, length_.y),
                 select(is_longer, side.length, length_.length)};
    }
    low_ = high_ = along_length(rim_[0]);
    low_feature_ = high_feature_ = F(kOfVertex);
    for (int n = 1; n < 3; ++n) {
      const F here = along_length(rim_[n]);
      const auto is_lower = here<low_, is_higher = here> high_;
      low_ = select(is_lower, here, low_);
      low_feature_ = select(is_lower, F(kOfVertex + n), low_feature_);
      high_ = select(is_higher, here, high_);
      high_feature_ = select(is_higher, F(kOfVertex + n), high_feature_);
    }
  }
  F along_length(const Seen& at) const { return length_.x * at.x + length_.y * at.y; }

  MaskOf<F> is_low(const F& height) const { return height <= F(most_height_ + rounding_); }

  void clip_edge(const Seen* seen, int from, int to) {
    const F zero(0), rounding(rounding_);
    const Seen &p = seen[from], &q = seen[to];
    Stretch stretch;
    stretch.is_there = is_low(p.height) | is_low(q.height);
    if (!any<F>(stretch.is_there)) return;
    stretch.is_entering = stretch.is_leaving = zero < zero;
    const auto none = zero < zero;
    const F along[2] = {q.x - p.x, q.y - p.y};
    const F length2 = along[0] * along[0] + along[1] * along[1], length = sqrt(length2);
    MaskOf<F> is_on[3] = {none, none, none};  // the triangles' corners are on the edge's line
    F at[3] = {zero, zero, zero};
    for (int n = 0; n < 3; ++n) {
      const F x = rim_[n].x - p.x, y = rim_[n].y - p.y;
      is_on[n] =
          (abs(along[0] * y - along[1] * x) <= (rounding + beside_) * length) & (length > zero);
      if (any<F>(is_on[n])) at[n] = divide(along[0] * x + along[1] * y, length2);
    }
    for (int n = 0; n < 3; ++n) {
      const Seen& a = rim_[n];
      const F &x = side_[n].x, &y = side_[n].y;
      const F slack = rounding * side_[n].length, beside = slack + beside_ * side_[n].length;
      const F p_in = x * (p.y - a.y) - y * (p.x - a.x), q_in = x * (q.y - a.y) - y * (q.x - a.x);
      const int next = (n + 1) % 3;
      const auto is_along = is_on[n] & is_on[next];
      const Within side{p_in + slack,
                        q_in + slack,
                        slack,
                        abs(p_in) <= beside,
                        abs(q_in) <= beside,
                        is_on[n] & !is_along,
                        is_on[next] & !is_along,
                        at[n],
                        at[next]};
      stretch.cut(side_[n].length > zero, side, F(kOfEdge + n));
    }
    const auto has_length = length_.length > zero;
    const F slack = F(2 * rounding_) * length_.length;
    const F low = low_ - slack, high = high_ + slack;
    const F of_p = along_length(p), of_q = along_length(q);
    const auto cut_end = [&](const F& p_in, const F& q_in, const F& feature) {
      stretch.cut(has_length, {p_in, q_in, zero, none, none, none, none, zero, zero}, feature);
    };
    cut_end(of_p - low, of_q - low, low_feature_);
    cut_end(high - of_p, high - of_q, high_feature_);
    const auto is_there = stretch.is_there & !(stretch.enter > stretch.leave);
    if (!any<F>(is_there)) return;
    const auto between = [&](const F& t) {
      return Seen{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y),
                  p.height + t * (q.height - p.height)};
    };
    const auto moved = [&](const F(&by)[2]) {
      return abs((q.height - p.height) * divide(by[0], by[1]));
    };
    const auto enters = is_there & stretch.is_entering, leaves = is_there & stretch.is_leaving;
    const int corner = kOfCorner + from, edge = kOfCoreEdge + from;
    add(is_there & !enters, p, zero, zero, corner);
    const auto is_entered = enters & (stretch.enter < F(1));
    if (any<F>(is_entered)) {
      add(is_entered, between(stretch.enter), moved(stretch.enter_moves), stretch.enter_feature,
          edge);
    }
    const auto is_left = leaves & (stretch.leave > stretch.enter);
    if (any<F>(is_left)) {
      add(is_left, between(stretch.leave), moved(stretch.leave_moves), stretch.leave_feature, edge);
    }
    if (corner_count_ == 2) add(is_there & !leaves, q, zero, zero, kOfCorner + to);
  }

  void add_rim_corners(const Seen* seen, int first) {
    const F zero(0);
    const auto has_slope = load(has_slope_of_ + first) > zero;
    const F by_slope = load(by_slope_of_ + first);
    F area(0);
    for (int c = 0; c < corner_count_; ++c) {
      const Seen &a = seen[c], &b = seen[c + 1 == corner_count_ ? 0 : c + 1];
      area = area + (a.x * b.y - a.y * b.x);
    }
    const F turn = select(area > zero, F(1), select(area < zero, F(-1), zero));
    const Vec<F, 3> normal = load_vector(face_normal_, first);
    const Vec<F, 3> corner = load_vector(face_corner_[0], first);
    for (int n = 0; n < 3; ++n) {
      const F height = dot(normal, corner_[n] - corner) * by_slope;
      auto is_in = is_low(height) & has_slope;
      for (int c = 0; c < corner_count_; ++c) {
        const Seen &a = seen[c], &b = seen[c + 1 == corner_count_ ? 0 : c + 1];
        const F side = (b.x - a.x) * (rim_[n].y - a.y) - (b.y - a.y) * (rim_[n].x - a.x);
        is_in = is_in & (turn * side > zero);
      }
      add(is_in, {rim_[n].x, rim_[n].y, height}, zero, F(kOfVertex + n), kOfCoreFace);
    }
  }

  /// `moved`: by how much slack moves the height.
  void add(const MaskOf<F>& counts, const Seen& at, const F& moved, const F& feature,
           int core_feature) {
    const F height = select(at.height < F(most_height_), at.height, F(most_height_));
    // What is deeper in a triangle than the patch is another one's.
    const F depth = negate(height) * select(agrees_lanes_, slope_, F(1));
    const unsigned bits =
        mask_bits(counts & is_low(at.height) & !(depth > most_depth_lanes_ + moved));
    if (bits == 0) return;
    const Vec<F, 3> on_core =
        (corner_[0] + (at.x * x_axis_ + at.y * y_axis_)) + height * lane_along_;
    for (int k = 0; k < 3; ++k) store(at_[slots_][k], on_core[k]);
    store(height_[slots_], height);
    store(feature_[slots_], feature);
    core_feature_[slots_] = core_feature;
    bits_[slots_++] = bits;
  }

  template <class Op>
  bool call(const Triangle& triangle, int lane, const Op& op) const {
    unsigned slots = 0;
    for (int s = 0; s < slots_; ++s) slots |= (bits_[s] >> lane & 1) << s;
    for (; slots != 0; slots &= slots - 1) {
      const int s = __builtin_ctz(slots);
      int feature = static_cast<int>(feature_[s][lane]);
      if (triangle.is_flipped && feature >= kOfVertex) feature = 2 * kOfVertex + 2 - feature;
      if (triangle.is_flipped && feature < kOfVertex && feature >= kOfEdge) {
        feature = kOfEdge + (kOfEdge + 4 - feature) % 3;
      }
      const Names& names = names_[triangle.face];
      const int core = core_feature_[s];
      const Corner corner{feature,
                          core < kOfCoreEdge   ? names.corner[core]
                          : core < kOfCoreFace ? names.edge[core - kOfCoreEdge]
                                               : names.face,
                          {{at_[s][0][lane], at_[s][1][lane], at_[s][2][lane]}},
                          height_[s][lane]};
      if (!op(triangle, corner)) return false;
    }
    return true;
  }

  double rounding_, most_height_;
  // For the triangles that come:
  const ConvexFace<double>* face_ = nullptr;
  std::int32_t patch_ = 0;
  Vector along_;
  double most_depth_ = 0, by_slope_ = 0;
  bool has_slope_ = false;
  int own_face_ = -1;  ///< the face's number; -1 not kept yet
  // The triangles that wait:
  int count_ = 0, face_count_ = 0, corner_count_ = 0;
  Triangle triangle_[kMost];
  Names names_[kMost];
  alignas(64) double vertex_[3][3][kMost], normal_[3][kMost], agrees_[kMost];
  alignas(64) double face_corner_[kMostCorners][3][kMost], face_normal_[3][kMost];
  alignas(64) double along_of_[3][kMost], most_depth_of_[kMost];
  alignas(64) double by_slope_of_[kMost], has_slope_of_[kMost];
  // One batch:
  Vec<F, 3> corner_[3], lane_normal_, lane_along_, x_axis_, y_axis_;
  F slope_, most_depth_lanes_;
  MaskOf<F> agrees_lanes_;
  Seen rim_[3];
  Side side_[3], length_;
  F low_, high_, low_feature_, high_feature_;
  F beside_;  ///< how far from a side rounding may move what is on it
  // Its corners:
  int slots_ = 0;
  unsigned bits_[kMostSlots];
  int core_feature_[kMostSlots];
  alignas(64) double at_[kMostSlots][3][kLanes], height_[kMostSlots][kLanes],
      feature_[kMostSlots][kLanes];
};

}  // namespace
}  // namespace widephase
