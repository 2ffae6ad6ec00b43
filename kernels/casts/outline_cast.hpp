#pragma once

// Any two convex shapes in the plane, in closed form: outlines of edges, grown by the radii and the
// margin. Beside each edge of either the other's nearest corner gives a gap that is linear in t;
// they meet at the last time that a gap closes, if none opens before (the separating axes of
// box_box_cast.hpp). If that edge and corner pass one another at an end, two corners meet there as
// circles, or nothing does: the way leaves the space between the edge's line and the next one only
// through their arc or for good. Points, segments and boxes have four edges, some without length.
// Normal: A to B, of that edge, of corners along the line between them. Of equal entries the first
// counts: A's edges, then B's. Cost: a dot product per edge and corner of the other, one root per
// edge of a polygon.

#include "kernels/casts/convex_cast.hpp"

namespace widephase {
namespace {

/// Corners counterclockwise and the unit normals of the edges that begin there, in blocks of eight.
struct CastOutline {
  static constexpr int most = 64;
  int count;  ///< with those that fill the last block: the first one again
  double x[most], y[most], normal_x[most], normal_y[most];

  template <class S>
  CastOutline(const CastCore<S>& core, const Vector& middle) {
    const int corners = core.form == CastForm::blocks ? core.corner_count : 4;
    count = (corners + 7) & ~7;
    if (core.form == CastForm::blocks) {
      put_polygon(core, middle, corners);
    } else {
      put_box(core, middle);
    }
    for (int k = corners; k < count; ++k) {
      x[k] = x[0];
      y[k] = y[0];
      normal_x[k] = normal_x[0];
      normal_y[k] = normal_y[0];
    }
  }

 private:
  template <class S>
  void put_polygon(const CastCore<S>& core, const Vector& middle, int corners) {
    for (int k = 0; k < count; ++k) {
      const S* const from = core.blocks + std::ptrdiff_t{k >> 3} * core.block_numbers + (k & 7);
      const double along_x = double(from[0]), along_y = double(from[8]);
      x[k] = middle[0] + (core.axis[0][0] * along_x + core.axis[1][0] * along_y);
      y[k] = middle[1] + (core.axis[0][1] * along_x + core.axis[1][1] * along_y);
    }
    for (int k = 0; k < corners; ++k) {
      const int next = k + 1 < corners ? k + 1 : 0;
      normal_x[k] = y[next] - y[k];
      normal_y[k] = x[k] - x[next];
    }
    for (int k = 0; k < corners; ++k) {
      const double size = root(normal_x[k] * normal_x[k] + normal_y[k] * normal_y[k]);
      normal_x[k] = normal_x[k] / size;
      normal_y[k] = normal_y[k] / size;
    }
  }
  template <class S>
  void put_box(const CastCore<S>& core, const Vector& middle) {
    Vector turn[2] = {{{1, 0, 0}}, {{0, 1, 0}}}, half[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
    if (core.form == CastForm::box) {
      for (int k = 0; k < 2; ++k) {
        turn[k] = unit_of(core.turn[k]);
        half[k] = core.axis[k];
      }
    } else if (core.form == CastForm::segment) {
      half[0] = core.axis[0];
      if (dot(half[0], half[0]) > 0) {
        turn[0] = unit_of(half[0]);
        turn[1] = {{-turn[0][1], turn[0][0], 0}};
      }
    }
    for (int k = 0; k < 4; ++k) {
      // From the corner that is last along both axes: the edge that looks along the second one.
      const double along = k == 0 || k == 3 ? 1 : -1, across = k < 2 ? 1 : -1;
      x[k] = middle[0] + (along * half[0][0] + across * half[1][0]);
      y[k] = middle[1] + (along * half[0][1] + across * half[1][1]);
      const Vector outwards = scaled(turn[1 - (k & 1)], along);
      normal_x[k] = outwards[0];
      normal_y[k] = outwards[1];
    }
  }
};

/// Corners of an outline that lie the same way along an edge's normal, and the outermost two.
struct CastSide {
  double low = __builtin_inf(), high = -__builtin_inf();  ///< along the edge
  int first = 0, last = 0;

  void take(const CastOutline& outline, int corner, double x, double y) {
    const double along = outline.x[corner] * x + outline.y[corner] * y;
    if (along < low) {
      low = along;
      first = corner;
    }
    if (along > high) {
      high = along;
      last = corner;
    }
  }
};

class OutlineCaster {
 public:
  template <class S>
  OutlineCaster(const CastCore<S>& a, const CastCore<S>& b, const CastWay& way)
      : way_(way),
        a_(a, Vector{{0, 0, 0}}),
        b_(b, b.middle - a.middle),
        reach_(a.radius + b.radius + way.margin) {
    size_ = a.reach + b.reach + reach_;
    rounding_ = kCastEnd * size_ + kCastRounding * size_of(b.middle - a.middle);
  }

  ConvexMeet cast() {
    ask(a_, b_, 1, 0);
    ask(b_, a_, -1, a_.count);
    ConvexMeet meet;
    const bool starts_near = first_gap_ <= rounding_;
    if (!starts_near && (is_beside_ || !(enter_ <= leave_) || !(leave_ >= 0))) return meet;
    const int edge = starts_near ? first_edge_ : edge_;
    double t = starts_near || !(enter_ > 0) ? 0 : enter_;
    Vector normal = normal_of(edge);
    // What is left where the way ends: less than its rounding counts as none.
    double left = (t - way_.most) * magnitude(dot(normal, way_.along));
    int corner_a, corner_b;
    meet.is_start = starts_near;
    if (reach_ > 0 && is_at_corners(normal, t, corner_a, corner_b)) {
      const Vector apart{{b_.x[corner_b] - a_.x[corner_a], b_.y[corner_b] - a_.y[corner_a], 0}};
      meet.is_start = starts_near && dot(apart, apart) <= square(reach_ + rounding_);
      if (!meet.is_start && !meet_of_circles(apart, t)) return {};
      const Vector there = apart + scaled(way_.along, t < way_.most ? t : way_.most);
      const double distance = root(dot(there, there));
      left = distance - reach_;
      if (reach_ > 1e-6 * size_ && distance > 0) normal = scaled(there, 1 / distance);
    }
    if (t > way_.most) {
      if (!(left <= rounding_)) return {};
      t = way_.most;
    }
    if (!(t <= way_.enough)) return {};
    meet.is_met = true;
    meet.t = t;
    meet.normal = normal;
    meet.has_points = false;
    return meet;
  }

 private:
  static double square(double x) { return x * x; }
  Vector normal_of(int edge) const {
    const bool is_a = edge < a_.count;
    const CastOutline& own = is_a ? a_ : b_;
    const int at = is_a ? edge : edge - a_.count;
    const double sign = is_a ? 1 : -1;
    return {{sign * own.normal_x[at], sign * own.normal_y[at], 0}};
  }
  /// Asks the edges of one outline. `sign` is 1 if it is A, which stands.
  void ask(const CastOutline& own, const CastOutline& other, double sign, int first) {
    for (int block = 0; block < own.count; block += 8) {
      const double* const normal_x = own.normal_x + block;
      const double* const normal_y = own.normal_y + block;
      double gap[8], rise[8];
      for (int k = 0; k < 8; ++k) gap[k] = normal_x[k] * other.x[0] + normal_y[k] * other.y[0];
      for (int v = 1; v < other.count; ++v) {
        for (int k = 0; k < 8; ++k) {
          const double height = normal_x[k] * other.x[v] + normal_y[k] * other.y[v];
          gap[k] = height < gap[k] ? height : gap[k];
        }
      }
      for (int k = 0; k < 8; ++k) {
        const double own_height = normal_x[k] * own.x[block + k] + normal_y[k] * own.y[block + k];
        gap[k] = gap[k] - own_height - reach_;
        rise[k] = sign * (normal_x[k] * way_.along[0] + normal_y[k] * way_.along[1]);
      }
      for (int k = 0; k < 8; ++k) {
        if (gap[k] > first_gap_) {
          first_gap_ = gap[k];
          first_edge_ = first + block + k;
        }
        if (rise[k] < 0) {
          const double in = gap[k] / -rise[k];
          if (!(in > enter_)) continue;
          enter_ = in;
          edge_ = first + block + k;
        } else if (gap[k] > rounding_) {
          is_beside_ = true;
        } else if (rise[k] > 0) {
          const double out = (rounding_ - gap[k]) / rise[k];
          leave_ = out < leave_ ? out : leave_;
        }
      }
    }
  }
  /// Whether at t what meets along an edge's normal lies beside one another, and the corners that
  /// are then next to each other.
  bool is_at_corners(const Vector& normal, double t, int& corner_a, int& corner_b) const {
    const double x = -normal[1], y = normal[0];
    CastSide side_a, side_b;
    const auto take = [&](const CastOutline& outline, double sign, CastSide& side) {
      double top = -__builtin_inf();
      for (int v = 0; v < outline.count; ++v) {
        const double height = sign * (normal[0] * outline.x[v] + normal[1] * outline.y[v]);
        top = height > top ? height : top;
      }
      for (int v = 0; v < outline.count; ++v) {
        const double height = sign * (normal[0] * outline.x[v] + normal[1] * outline.y[v]);
        if (height >= top - rounding_) side.take(outline, v, x, y);
      }
    };
    take(a_, 1, side_a);
    take(b_, -1, side_b);
    const double by = t * (x * way_.along[0] + y * way_.along[1]);
    if (side_a.high < side_b.low + by) {
      corner_a = side_a.last;
      corner_b = side_b.first;
      return true;
    }
    corner_a = side_a.first;
    corner_b = side_b.last;
    return side_b.high + by < side_a.low;
  }
  /// When a point that starts `apart` from another comes within reach. False if it does not.
  bool meet_of_circles(const Vector& apart, double& t) const {
    const double whole = dot(way_.along, way_.along);
    if (!(whole > 0)) return false;
    const double nearest = -dot(apart, way_.along) / whole;
    const Vector beside = apart + scaled(way_.along, nearest);
    const double least = dot(beside, beside);
    if (!(least <= square(reach_ + rounding_))) return false;
    const double deep = square(reach_) - least;
    const double at = nearest - (deep > 0 ? root(deep / whole) : 0);
    if (!(at >= 0)) return false;
    t = at > t ? at : t;
    return true;
  }

  const CastWay& way_;
  const CastOutline a_, b_;  ///< relative to A's middle, B at t = 0
  double reach_, size_, rounding_;
  double enter_ = -__builtin_inf(), leave_ = __builtin_inf(), first_gap_ = -__builtin_inf();
  int edge_ = 0, first_edge_ = 0;
  bool is_beside_ = false;
};

template <class S>
ConvexMeet cast_outlines(const CastCore<S>& a, const CastCore<S>& b, const CastWay& way) {
  return OutlineCaster(a, b, way).cast();
}

}  // namespace
}  // namespace widephase
