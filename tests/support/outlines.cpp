#include "support/outlines.hpp"

namespace widephase::test {

long double area_of(const std::vector<Point2>& ring) {
  long double doubled = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point2 a = ring[i];
    const Point2 b = ring[(i + 1) % ring.size()];
    const auto x = [&](Point2 p) { return static_cast<long double>(p.x) - ring[0].x; };
    const auto y = [&](Point2 p) { return static_cast<long double>(p.y) - ring[0].y; };
    doubled += x(a) * y(b) - y(a) * x(b);
  }
  return doubled / 2;
}

long double area_of(const Rings& rings) {
  long double area = 0;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    area += (i == 0 ? 1 : -1) * std::abs(area_of(rings[i]));
  }
  return area;
}

namespace {

/// The possible rounding error of `area_of`; slivers with less area are only compared to that
/// accuracy.
long double rounding_of(const std::vector<Point2>& ring) {
  long double size = 0;
  for (const Point2 p : ring) {
    size = std::max({size, std::abs(static_cast<long double>(p.x) - ring[0].x),
                     std::abs(static_cast<long double>(p.y) - ring[0].y)});
  }
  return 1e-18L * size * size * static_cast<long double>(ring.size());
}

}  // namespace

std::vector<std::vector<Point2>> polygons_of(const Parts& parts) {
  std::vector<std::vector<Point2>> polygons;
  for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
    auto& polygon = polygons.emplace_back();
    for (std::int64_t i = parts.offsets[part]; i < parts.offsets[part + 1]; ++i) {
      const auto row = static_cast<std::size_t>(i);
      polygon.push_back({parts.vertices(row, 0), parts.vertices(row, 1)});
    }
  }
  return polygons;
}

namespace {

bool is_before(Point2 a, Point2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

struct Before {
  bool operator()(Point2 a, Point2 b) const { return is_before(a, b); }
  bool operator()(const std::pair<Point2, Point2>& a, const std::pair<Point2, Point2>& b) const {
    return a.first == b.first ? is_before(a.second, b.second) : is_before(a.first, b.first);
  }
};

/// Divides edges at every point that lies on them, so that edges along the same line consist of the
/// same pieces.
class Divider {
 public:
  explicit Divider(const Rings& rings) {
    for (const auto& ring : rings) points_.insert(points_.end(), ring.begin(), ring.end());
    std::sort(points_.begin(), points_.end(), is_before);
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
  }

  /// Calls `visit(from, to)` for each piece, in order.
  template <class Visit>
  void divide(Point2 from, Point2 to, Visit&& visit) const {
    if (from == to) return;
    const bool is_forward = is_before(from, to);
    const Point2 left = is_forward ? from : to;
    const Point2 right = is_forward ? to : from;
    std::vector<Point2> on_edge;
    for (auto at = std::lower_bound(points_.begin(), points_.end(), left, is_before);
         at != points_.end() && !is_before(right, *at); ++at) {
      if (orientation(left, right, *at) == 0) on_edge.push_back(*at);
    }
    if (!is_forward) std::reverse(on_edge.begin(), on_edge.end());
    for (std::size_t i = 0; i + 1 < on_edge.size(); ++i) visit(on_edge[i], on_edge[i + 1]);
  }

 private:
  std::vector<Point2> points_;
};

using Pieces = std::map<std::pair<Point2, Point2>, int, Before>;

/// How often the outline runs along each piece with its inside on the left: forwards minus
/// backwards.
Pieces outline_pieces(const Rings& rings, const Divider& divider) {
  Pieces pieces;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    std::vector<Point2> ring = rings[r];
    const long double area = area_of(ring);
    if (area != 0 && (area < 0) == (r == 0)) std::reverse(ring.begin(), ring.end());
    for (std::size_t i = 0; i < ring.size(); ++i) {
      divider.divide(ring[i], ring[(i + 1) % ring.size()], [&](Point2 a, Point2 b) {
        ++pieces[{a, b}];
        --pieces[{b, a}];
      });
    }
  }
  return pieces;
}

bool is_convex(const std::vector<Point2>& polygon) {
  const std::size_t count = polygon.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 2; k < count; ++k) {
      const std::size_t next = (i + 1) % count;
      if (orientation(polygon[i], polygon[next], polygon[(i + k) % count]) <= 0) return false;
    }
  }
  return true;
}

/// Checks the flags. An inner piece must have the same piece in reverse, also inner, in another
/// part; no other piece may have this. The other pieces together must be the outline. Then the
/// outlines of all parts add up to the outline, so the parts cover each point as often as the
/// outline winds around it.
std::string edges_problem(const Rings& rings, const Parts& parts) {
  const Divider divider(rings);
  const Pieces expected = outline_pieces(rings, divider);
  std::map<std::pair<Point2, Point2>, bool, Before> found;
  std::string problem;
  for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
    const auto begin = static_cast<std::size_t>(parts.offsets[part]);
    const auto end = static_cast<std::size_t>(parts.offsets[part + 1]);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t next = i + 1 == end ? begin : i + 1;
      const Point2 from{parts.vertices(i, 0), parts.vertices(i, 1)};
      const Point2 to{parts.vertices(next, 0), parts.vertices(next, 1)};
      divider.divide(from, to, [&](Point2 a, Point2 b) {
        if (!found.emplace(std::pair{a, b}, parts.inner[i] != 0).second) {
          problem = "two parts have one edge in the same direction";
        }
      });
    }
  }
  for (const auto& [piece, is_inner] : found) {
    const auto other = found.find({piece.second, piece.first});
    if (is_inner && (other == found.end() || !other->second)) {
      return "an edge marked as inner has no part behind it";
    }
    if (!is_inner && other != found.end()) return "an edge between parts is not marked as inner";
    const auto outline = expected.find(piece);
    if (!is_inner && (outline == expected.end() || outline->second != 1)) {
      return "an edge that is not inner is none of the outline's";
    }
  }
  for (const auto& [piece, count] : expected) {
    const auto at = found.find(piece);
    if (count > 0 && (at == found.end() || at->second))
      return "the outline has an edge without part";
  }
  return problem;
}

/// Counts the crossings of a ray to the right.
bool is_inside(const Rings& rings, Point2 point) {
  bool is_odd = false;
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point2 a = ring[i];
      const Point2 b = ring[(i + 1) % ring.size()];
      if ((a.y > point.y) == (b.y > point.y)) continue;
      is_odd ^= orientation(a, b, point) == (b.y > a.y ? 1 : -1);
    }
  }
  return is_odd;
}

}  // namespace

std::string points_problem(const Rings& rings, const Parts& parts, int count, Random& random) {
  const auto polygons = polygons_of(parts);
  Point2 low = rings[0][0];
  Point2 high = low;
  for (const Point2 p : rings[0]) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  for (int i = 0; i < count; ++i) {
    const Point2 point{random.uniform(low.x, high.x), random.uniform(low.y, high.y)};
    const auto holders = std::count_if(polygons.begin(), polygons.end(), [&](const auto& polygon) {
      return is_inside({polygon}, point);
    });
    if (holders != is_inside(rings, point)) {
      return "the point (" + std::to_string(point.x) + ", " + std::to_string(point.y) + ") is in " +
             std::to_string(holders) + " parts";
    }
  }
  return {};
}

std::string parts_problem(const Rings& rings, const Parts& parts, const DecomposeReport& report) {
  const auto polygons = polygons_of(parts);
  long double area = 0;
  for (const auto& polygon : polygons) {
    if (polygon.size() < 3 || polygon.size() > 64) return "a part has too few or too many vertices";
    if (!is_convex(polygon)) return "a part is not strictly convex and counter-clockwise";
    area += area_of(polygon);
  }
  if (parts.inner.size() != parts.vertices.size()) return "a vertex has no flag";
  if (report.part_count != static_cast<std::int64_t>(polygons.size())) return "miscounted parts";
  if (report.vertex_count != static_cast<std::int64_t>(parts.vertices.size())) {
    return "miscounted vertices";
  }
  const long double expected = area_of(rings);
  long double error = 1e-9L * expected;
  for (const auto& ring : rings) error += rounding_of(ring);
  if (!(std::abs(area - expected) <= error)) return "the parts' area is another";
  if (!(std::abs(report.area - expected) <= error)) return "the area told is another";
  return edges_problem(rings, parts);
}

}  // namespace widephase::test
