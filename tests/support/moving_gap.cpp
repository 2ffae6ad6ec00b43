#include "support/moving_gap.hpp"

#include <cmath>
#include <memory>

namespace widephase::test {

namespace {

using Number = double;

/// Core vertices of a polygon or box in its body's frame, counter-clockwise.
std::vector<Point<2>> outline_of(const Solid<2>& solid) {
  std::vector<Point<2>> own = solid.vertices;
  if (solid.kind == Kind::box) {
    const Number x = solid.q[0], y = solid.q[1];
    own = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  }
  const Number c = std::cos(solid.angle), s = std::sin(solid.angle);
  for (Point<2>& v : own) {
    v = {solid.p[0] + c * v[0] - s * v[1], solid.p[1] + s * v[0] + c * v[1]};
  }
  return own;
}

/// Where a shape's vertices are at t, from the place of A's body at its start.
class MovingOutline {
 public:
  MovingOutline(const Solid<2>& solid, const BodyWay<2>& way, const Point<2>& from)
      : own_(outline_of(solid)), at_(own_) {
    for (int k = 0; k < 2; ++k) {
      start_[k] = way.start[k] - from[k];
      end_[k] = way.end[k] - from[k];
    }
    ends_ = {std::cos(way.angle_start), std::sin(way.angle_start), std::cos(way.angle_end),
             std::sin(way.angle_end)};
  }

  const std::vector<Point<2>>& at(Number t) {
    Number c = (1 - t) * ends_[0] + t * ends_[2], s = (1 - t) * ends_[1] + t * ends_[3];
    const Number length = std::sqrt(c * c + s * s);
    c /= length;
    s /= length;
    const Number x = (1 - t) * start_[0] + t * end_[0], y = (1 - t) * start_[1] + t * end_[1];
    for (std::size_t i = 0; i < own_.size(); ++i) {
      at_[i] = {x + c * own_[i][0] - s * own_[i][1], y + s * own_[i][0] + c * own_[i][1]};
    }
    return at_;
  }

 private:
  std::vector<Point<2>> own_, at_;
  Point<2> start_{}, end_{};
  std::array<Number, 4> ends_{};
};

/// The widest gap beyond a side of the first.
Number gap_beyond_sides(const std::vector<Point<2>>& a, const std::vector<Point<2>>& b) {
  Number widest = -std::numeric_limits<Number>::infinity();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Point<2>& from = a[i];
    const Point<2>& to = a[(i + 1) % a.size()];
    const Number x = to[1] - from[1], y = from[0] - to[0], length = std::sqrt(x * x + y * y);
    if (!(length > 0)) continue;
    Number least = std::numeric_limits<Number>::infinity();
    for (const Point<2>& v : b) {
      least = std::min(least, x * (v[0] - from[0]) + y * (v[1] - from[1]));
    }
    widest = std::max(widest, least / length);
  }
  return widest;
}

using Axes = std::array<std::array<Number, 3>, 3>;

/// The columns of a rotation.
Axes axes_of_turn(Number x, Number y, Number z, Number w) {
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
           {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
           {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
}

struct PlacedBox {
  std::array<Number, 3> center{};
  Axes axes{};
};

PlacedBox placed_box(const Solid<3>& solid, const BodyWay<3>& way, const Point<3>& from, Number t) {
  Quaternion a = way.turn_start, b = way.turn_end;
  const auto normalize = [](Quaternion& q) {
    const Number length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (Number& x : q) x /= length;
  };
  normalize(a);
  normalize(b);
  const Number sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  Quaternion q;
  for (int w = 0; w < 4; ++w) q[w] = (1 - t) * a[w] + t * sign * b[w];
  normalize(q);
  Quaternion o = solid.orientation;
  normalize(o);
  const Axes body = axes_of_turn(q[0], q[1], q[2], q[3]);
  const Axes own = axes_of_turn(o[0], o[1], o[2], o[3]);
  PlacedBox box;
  for (int k = 0; k < 3; ++k) {
    box.center[k] = (1 - t) * (way.start[k] - from[k]) + t * (way.end[k] - from[k]);
    for (int i = 0; i < 3; ++i) box.center[k] += body[i][k] * solid.p[i];
    for (int axis = 0; axis < 3; ++axis) {
      box.axes[axis][k] = 0;
      for (int i = 0; i < 3; ++i) box.axes[axis][k] += body[i][k] * own[axis][i];
    }
  }
  return box;
}

Number gap_of_boxes(const PlacedBox& a, const Point<3>& half_a, const PlacedBox& b,
                    const Point<3>& half_b) {
  Number widest = -std::numeric_limits<Number>::infinity();
  const auto dot3 = [](const auto& u, const auto& v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  };
  const std::array<Number, 3> apart{b.center[0] - a.center[0], b.center[1] - a.center[1],
                                    b.center[2] - a.center[2]};
  const auto along = [&](const std::array<Number, 3>& n) {
    const Number length = std::sqrt(dot3(n, n));
    if (length < 1e-6) return;
    Number reach = 0;
    for (int i = 0; i < 3; ++i) {
      reach += half_a[i] * std::abs(dot3(n, a.axes[i])) + half_b[i] * std::abs(dot3(n, b.axes[i]));
    }
    widest = std::max(widest, (std::abs(dot3(n, apart)) - reach) / length);
  };
  for (int i = 0; i < 3; ++i) {
    along(a.axes[i]);
    along(b.axes[i]);
    for (int j = 0; j < 3; ++j) {
      const auto &u = a.axes[i], &v = b.axes[j];
      along({u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]});
    }
  }
  return widest;
}

}  // namespace

std::function<Real(Real)> quick_gap(const MovingPair<2>& pair) {
  const auto is_outline = [](Kind kind) { return kind == Kind::polygon || kind == Kind::box; };
  if (!is_outline(pair.a.kind) || !is_outline(pair.b.kind)) return {};
  const auto a = std::make_shared<MovingOutline>(pair.a, pair.way_a, pair.way_a.start);
  const auto b = std::make_shared<MovingOutline>(pair.b, pair.way_b, pair.way_a.start);
  const Number round = pair.a.size + pair.b.size;
  return [=](Real t) {
    const auto& p = a->at(static_cast<Number>(t));
    const auto& q = b->at(static_cast<Number>(t));
    return Real{std::max(gap_beyond_sides(p, q), gap_beyond_sides(q, p)) - round};
  };
}

std::function<Real(Real)> quick_gap(const MovingPair<3>& pair) {
  if (pair.a.kind != Kind::box || pair.b.kind != Kind::box) return {};
  return [&pair](Real time) {
    const auto t = static_cast<Number>(time);
    const Number gap = gap_of_boxes(placed_box(pair.a, pair.way_a, pair.way_a.start, t), pair.a.q,
                                    placed_box(pair.b, pair.way_b, pair.way_a.start, t), pair.b.q);
    return Real{gap - pair.a.size - pair.b.size};
  };
}

}  // namespace widephase::test
