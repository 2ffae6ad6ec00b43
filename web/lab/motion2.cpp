#include "motion2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "soa/turn.hpp"

namespace widephase::lab {

namespace {

using Point = std::array<double, 2>;

/// Ends a search whose steps have become too small to be seen.
constexpr int kMostSteps = 60;
/// The gap at which shapes count as touching, as a share of both sizes.
constexpr double kGap = 1e-4;

Point plus(const Point& p, const Point& q, double factor = 1) {
  return {p[0] + factor * q[0], p[1] + factor * q[1]};
}
double dot(const Point& p, const Point& q) { return p[0] * q[0] + p[1] * q[1]; }
double cross(const Point& p, const Point& q) { return p[0] * q[1] - p[1] * q[0]; }
double length(const Point& p) { return std::sqrt(dot(p, p)); }
/// Zero stays zero.
Point unit(const Point& p) {
  const double size = length(p);
  return size > 0 ? Point{p[0] / size, p[1] / size} : Point{};
}

std::size_t farthest(const Outline& shape, const Point& direction) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < shape.corners.size(); ++i) {
    if (dot(shape.corners[i], direction) > dot(shape.corners[best], direction)) best = i;
  }
  return best;
}

double size_of(const Outline& shape) {
  double most = 0;
  for (const Point& p : shape.corners) most = std::max(most, length(plus(p, shape.corners[0], -1)));
  return most + shape.radius;
}

Point nearest_on_segment(const Point& p, const Point& q, const Point& to) {
  const Point along = plus(q, p, -1);
  const double square = dot(along, along);
  const double at = square > 0 ? std::clamp(dot(plus(to, p, -1), along) / square, 0.0, 1.0) : 0;
  return plus(p, along, at);
}

// --- GJK ray cast ---

/// A vertex of A - B.
struct Vertex {
  Point at;
  std::size_t a, b;
};

/// Up to three vertices; the nearest feature of their triangle to a place.
struct Simplex {
  std::vector<Vertex> vertices;
  Point nearest{};
  bool is_inside = false;

  /// The vertices stay, for the place moves: only those off the nearest edge may go later.
  void find_nearest(const Point& to) {
    is_inside = false;
    const std::size_t count = vertices.size();
    if (count == 1) {
      nearest = vertices[0].at;
      return;
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t first = 0, second = 1;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const Point at = nearest_on_segment(vertices[i].at, vertices[j].at, to);
        const Point away = plus(to, at, -1);
        if (dot(away, away) >= least) continue;
        least = dot(away, away);
        nearest = at;
        first = i;
        second = j;
      }
    }
    if (count < 3) return;
    const Point &p = vertices[0].at, &q = vertices[1].at, &r = vertices[2].at;
    const double area = cross(plus(q, p, -1), plus(r, p, -1));
    const auto side = [&](const Point& from, const Point& end) {
      return cross(plus(end, from, -1), plus(to, from, -1)) * area;
    };
    if (area != 0 && side(p, q) >= 0 && side(q, r) >= 0 && side(r, p) >= 0) {
      nearest = to;
      is_inside = true;
      return;
    }
    vertices = {vertices[first], vertices[second]};
  }
};

void write_vertex(const Vertex& vertex, Json& json) {
  json.object([&] {
    json.key("at").numbers(vertex.at);
    json.key("a").number(static_cast<double>(vertex.a));
    json.key("b").number(static_cast<double>(vertex.b));
  });
}

/// A way is a ray from 0 against A - B.
void write_cast(const Outline& a, const Outline& b, const Point& way, Json& json) {
  const double rounding = a.radius + b.radius;
  const double gap = kGap * (size_of(a) + size_of(b));
  double t = 0;
  Point x{}, normal{};
  bool is_hit = false, is_bound = true;
  Simplex simplex;
  const auto support = [&](const Point& direction) {
    const std::size_t i = farthest(a, direction);
    const std::size_t k = farthest(b, {-direction[0], -direction[1]});
    return Vertex{plus(a.corners[i], b.corners[k], -1), i, k};
  };
  simplex.vertices = {support(way)};
  json.key("cast").object([&] {
    json.key("steps").array([&] {
      for (int step = 0; step < kMostSteps; ++step) {
        simplex.find_nearest(x);
        const Point v = plus(x, simplex.nearest, -1);
        const double away = length(v);
        if (simplex.is_inside || away - rounding <= gap) {
          is_hit = true;
          is_bound = false;
          return;
        }
        const Point direction = unit(v);
        const Vertex w = support(direction);
        // How far x is beyond the line through w, grown by the radii.
        const double beyond = dot(direction, plus(x, w.at, -1)) - rounding;
        const double closing = -dot(direction, way);
        double next = t;
        if (beyond > 0)
          next = closing > 0 ? t + beyond / closing : std::numeric_limits<double>::infinity();
        json.object([&] {
          json.key("t").number(t);
          json.key("at").numbers(x);
          json.key("simplex").array([&] {
            for (const Vertex& vertex : simplex.vertices) write_vertex(vertex, json);
          });
          json.key("nearest").numbers(simplex.nearest);
          json.key("direction").numbers(direction);
          json.key("support");
          write_vertex(w, json);
          json.key("beyond").number(beyond);
          json.key("next").number(next);
        });
        if (!(next <= 1)) {
          is_bound = false;
          return;
        }
        const bool is_known = std::any_of(
            simplex.vertices.begin(), simplex.vertices.end(),
            [&](const Vertex& vertex) { return vertex.a == w.a && vertex.b == w.b; });
        if (next > t) {
          t = next;
          x = {t * way[0], t * way[1]};
          normal = direction;
        } else if (is_known) {
          // Neither a farther vertex nor a way on: rounding's last word.
          is_hit = true;
          is_bound = false;
          return;
        }
        if (!is_known) {
          if (simplex.vertices.size() == 3) simplex.vertices.erase(simplex.vertices.begin());
          simplex.vertices.push_back(w);
        }
      }
    });
    json.key("found").string(is_hit ? "hit" : is_bound ? "bound" : "none");
    json.key("t").number(is_hit || is_bound ? t : 1);
    json.key("at").numbers(x);
    json.key("simplex").array([&] {
      for (const Vertex& vertex : simplex.vertices) write_vertex(vertex, json);
    });
    // From 0 along the way to B: where B comes from.
    json.key("normal").numbers(normal);
  });
}

// --- Conservative advancement ---

struct Axis {
  Point direction;  ///< from A to B
  const char* of;
  std::size_t edge;
  double room;  ///< between both shapes along it
};

/// All edges' normals, and the way between the nearest points where it is none of them.
std::vector<Axis> axes_of(const Outline& a, const Outline& b) {
  std::vector<Axis> axes;
  const auto add = [&](const Point& direction, const char* of, std::size_t edge) {
    const Point back{-direction[0], -direction[1]};
    const double room = dot(b.corners[farthest(b, back)], direction) -
                        dot(a.corners[farthest(a, direction)], direction) - a.radius - b.radius;
    axes.push_back({direction, of, edge, room});
  };
  const auto add_edges = [&](const Outline& shape, const char* of, double sign) {
    const std::size_t count = shape.corners.size();
    for (std::size_t e = 0; e < count && count > 1; ++e) {
      const Point along = unit(plus(shape.corners[(e + 1) % count], shape.corners[e], -1));
      if (along != Point{}) add({sign * along[1], -sign * along[0]}, of, e);
    }
  };
  add_edges(a, "a", 1);
  add_edges(b, "b", -1);
  Point best{};
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Point& from, const Point& to) {
    const Point way = plus(to, from, -1);
    if (dot(way, way) < least) {
      least = dot(way, way);
      best = way;
    }
  };
  const auto ends = [](const Outline& shape, std::size_t e) {
    return std::array<Point, 2>{shape.corners[e], shape.corners[(e + 1) % shape.corners.size()]};
  };
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    for (std::size_t k = 0; k < b.corners.size(); ++k) {
      const auto [p, q] = ends(a, i);
      const auto [u, v] = ends(b, k);
      consider(nearest_on_segment(p, q, u), u);
      consider(p, nearest_on_segment(u, v, p));
    }
  }
  if (const Point direction = unit(best); direction != Point{}) add(direction, "nearest", 0);
  return axes;
}

Outline moved(const Outline& b, const Motion& motion, double t) {
  const auto turn = turn_of(t * motion.turn);
  Outline placed{{}, b.radius};
  for (const Point& corner : b.corners) {
    const Point from = plus(corner, motion.pivot, -1);
    const Point to{turn.cosine * from[0] - turn.sine * from[1],
                   turn.sine * from[0] + turn.cosine * from[1]};
    placed.corners.push_back(plus(plus(motion.pivot, motion.way, t), to));
  }
  return placed;
}

void write_advance(const Outline& a, const Outline& b, const Motion& motion, Json& json) {
  const double gap = kGap * (size_of(a) + size_of(b));
  double reach = 0;
  for (const Point& corner : b.corners) {
    reach = std::max(reach, length(plus(corner, motion.pivot, -1)));
  }
  double t = 0;
  const char* found = "bound";
  json.key("advance").object([&] {
    json.key("gap").number(gap);
    json.key("reach").number(reach);
    json.key("steps").array([&] {
      for (int step = 0; step < kMostSteps; ++step) {
        const Outline placed = moved(b, motion, t);
        const std::vector<Axis> axes = axes_of(a, placed);
        double room = -std::numeric_limits<double>::infinity(), next = t;
        std::size_t best = 0;
        bool is_apart_for_good = false;
        std::vector<double> closings;
        for (std::size_t i = 0; i < axes.size(); ++i) {
          // No corner comes nearer along the axis than by this in a unit of t.
          const double closing =
              -dot(motion.way, axes[i].direction) + std::abs(motion.turn) * reach;
          closings.push_back(closing);
          room = std::max(room, axes[i].room);
          if (!(axes[i].room > gap)) continue;
          const double to = closing > 0 ? t + (axes[i].room - gap / 2) / closing
                                        : std::numeric_limits<double>::infinity();
          if (to <= next) continue;
          next = to;
          best = i;
          is_apart_for_good = !(to <= 1);
        }
        if (!(room > gap)) {
          found = "hit";
          return;
        }
        json.object([&] {
          json.key("t").number(t);
          json.key("room").number(room);
          json.key("next").number(next);
          json.key("best").number(static_cast<double>(best));
          json.key("b").array([&] {
            for (const Point& corner : placed.corners) json.numbers(corner);
          });
          json.key("axes").array([&] {
            for (std::size_t i = 0; i < axes.size(); ++i) {
              json.object([&] {
                json.key("direction").numbers(axes[i].direction);
                json.key("of").string(axes[i].of);
                json.key("edge").number(static_cast<double>(axes[i].edge));
                json.key("room").number(axes[i].room);
                json.key("closing").number(closings[i]);
              });
            }
          });
        });
        if (is_apart_for_good) {
          found = "none";
          return;
        }
        t = next;
      }
    });
    json.key("found").string(found);
    const bool is_none = found[0] == 'n';
    json.key("t").number(is_none ? 1 : t);
    json.key("b").array([&] {
      for (const Point& corner : moved(b, motion, is_none ? 1 : t).corners) json.numbers(corner);
    });
  });
}

}  // namespace

void write_motion(const Outline& a, const Outline& b, const Motion& motion, Json& json) {
  json.key("motion").object([&] {
    json.key("way").numbers(motion.way);
    json.key("turn").number(motion.turn);
    json.key("end").array([&] {
      for (const Point& corner : moved(b, motion, 1).corners) json.numbers(corner);
    });
  });
  write_cast(a, b, motion.way, json);
  write_advance(a, b, motion, json);
}

}  // namespace widephase::lab
