#include "pipeline/broad/flush_search3.hpp"

#include <algorithm>
#include <cmath>

namespace widephase {

namespace {

using Vec3 = FlushSearch<3>::Vec3;

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// What neighbours leave of a face is kept in up to so many pieces; of more, the face counts as
/// open.
constexpr std::size_t kMostPieces = 64;
using Point2 = std::array<double, 2>;
using Polygon = std::vector<Point2>;

double cross2(const Point2& o, const Point2& a, const Point2& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/// Leaves the part of a convex polygon where n . p is at most, or at least, `offset`.
void clip(const Polygon& polygon, const Point2& n, double offset, bool keeps_low, Polygon& kept) {
  kept.clear();
  const double sign = keeps_low ? 1 : -1;
  const auto over = [&](const Point2& p) { return sign * (n[0] * p[0] + n[1] * p[1] - offset); };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = over(p), at_q = over(q);
    if (at_p <= 0) kept.push_back(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
      const double t = at_p / (at_p - at_q);
      kept.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
    }
  }
}

double area_of(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    sum += cross2(polygon[0], polygon[i], polygon[i + 1]);
  }
  return sum / 2;
}

/// Andrew's monotone chain (1979): counter-clockwise.
void make_convex(Polygon& points, Polygon& hull) {
  std::sort(points.begin(), points.end());
  hull.clear();
  for (const bool is_upper : {false, true}) {
    const std::size_t base = hull.size();
    const auto add = [&](const Point2& p) {
      while (hull.size() >= base + 2 && cross2(hull[hull.size() - 2], hull.back(), p) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    };
    if (is_upper) {
      std::for_each(points.rbegin(), points.rend(), add);
    } else {
      std::for_each(points.begin(), points.end(), add);
    }
    hull.pop_back();
  }
}

}  // namespace

FlushSearch<3>::Surface FlushSearch<3>::box_surface() {
  Surface box;
  for (int v = 0; v < 8; ++v) {
    box.vertices.push_back({v % 2 * 2.0 - 1, v / 2 % 2 * 2.0 - 1, v / 4 * 2.0 - 1});
  }
  box.face_offsets = {0};
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, up = face % 2;
    constexpr int kRing[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int c = 0; c < 4; ++c) {
      const int(&at)[2] = kRing[up != 0 ? c : 3 - c];
      box.face_vertices.push_back((up << axis) | (at[0] << u) | (at[1] << v));
    }
    box.face_offsets.push_back(4 * (face + 1));
  }
  for (int edge = 0; edge < 12; ++edge) {
    const int axis = edge / 4, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const int up_u = edge % 2, up_v = edge / 2 % 2, low = (up_u << u) | (up_v << v);
    box.edges.push_back({low, low | (1 << axis), 2 * u + up_u, 2 * v + up_v});
  }
  return box;
}

Vec3 FlushSearch<3>::Solid::to_own(const Vec3& v) const {
  const Vec3 off = v - at;
  return {dot(axis[0], off), dot(axis[1], off), dot(axis[2], off)};
}

void FlushSearch<3>::Solid::move(const Vec3& by) {
  at = at + by;
  for (Vec3& vertex : vertices) vertex = vertex + by;
  for (std::size_t face = 0; face < normals.size(); ++face) offsets[face] += dot(normals[face], by);
}

void FlushSearch<3>::place(std::size_t part, Solid& solid) const {
  const KnownPart& known = parts_[part];
  const Surface& surface = *surface_of_[part];
  const auto& [x, y, z, w] = known.turn;
  solid.axis = {Vec3{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                Vec3{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                Vec3{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
  solid.surface = &surface;
  solid.at = known.at;
  for (std::size_t k = 0; k < 3; ++k) {
    solid.at = solid.at + surface.middle[k] * solid.axis[k];
  }
  solid.size = 0;
  solid.vertices.clear();
  for (const Vec3& own : surface.vertices) {
    Vec3 off{};
    for (std::size_t k = 0; k < 3; ++k) {
      off = off + own[k] * (known.geometry < 0 ? known.half[k] : 1) * solid.axis[k];
    }
    solid.size = std::max(solid.size, std::sqrt(dot(off, off)));
    solid.vertices.push_back(solid.at + off);
  }
  solid.normals.clear();
  solid.offsets.clear();
  for (std::size_t face = 0; face + 1 < surface.face_offsets.size(); ++face) {
    // Newell's normal: that of a face with nearly straight corners too.
    Vec3 normal{};
    const auto first = static_cast<std::size_t>(surface.face_offsets[face]);
    const auto end = static_cast<std::size_t>(surface.face_offsets[face + 1]);
    const Vec3& origin = vertex(solid, surface.face_vertices[first]);
    for (std::size_t i = first + 1; i + 1 < end; ++i) {
      normal = normal + cross(vertex(solid, surface.face_vertices[i]) - origin,
                              vertex(solid, surface.face_vertices[i + 1]) - origin);
    }
    const double length = std::sqrt(dot(normal, normal));
    normal = 1 / length * normal;
    double offset = dot(normal, origin);
    for (std::size_t i = first; i < end; ++i) {
      offset = std::max(offset, dot(normal, vertex(solid, surface.face_vertices[i])));
    }
    solid.normals.push_back(normal);
    solid.offsets.push_back(offset);
  }
}

bool FlushSearch<3>::are_neighbours(const Solid& a, const Solid& b) const {
  const auto parts = [&](const Solid& of, const Solid& other) {
    for (std::size_t f = 0; f < of.normals.size(); ++f) {
      double least = std::numeric_limits<double>::infinity();
      for (const Vec3& v : other.vertices) least = std::min(least, dot(of.normals[f], v));
      if (least - of.offsets[f] > slack(a, b)) return true;
    }
    return false;
  };
  return !parts(a, b) && !parts(b, a);
}

void FlushSearch<3>::add(const Solid& part, const std::vector<Solid>& neighbours) {
  for (std::int32_t face = 0; face < part.face_count(); ++face) {
    add_face(part, neighbours, face);
  }
  for (const HullEdge& edge : part.surface->edges) {
    found_.edges.push_back(is_edge_felt(part, neighbours, edge) ? 1 : 0);
  }
}

/// A neighbour covers what of its inside is just beyond a face: the plane is moved out by twice
/// the tolerance, and what is covered reaches the tolerance farther to all sides.
void FlushSearch<3>::add_face(const Solid& part, const std::vector<Solid>& neighbours,
                              std::int32_t face) {
  const auto f = static_cast<std::size_t>(face);
  const Vec3& normal = part.normals[f];
  const auto first = static_cast<std::size_t>(part.surface->face_offsets[f]);
  const auto end = static_cast<std::size_t>(part.surface->face_offsets[f + 1]);
  const Vec3 origin = vertex(part, part.surface->face_vertices[first]);
  // The longest side gives the axes.
  Vec3 u{};
  for (std::size_t i = first; i < end; ++i) {
    const Vec3 along = vertex(part, part.surface->face_vertices[i]) - origin;
    if (dot(along, along) > dot(u, u)) u = along;
  }
  u = u - dot(u, normal) * normal;
  u = 1 / std::sqrt(dot(u, u)) * u;
  const Vec3 v = cross(normal, u);
  const auto seen = [&](const Vec3& p) { return Point2{dot(p - origin, u), dot(p - origin, v)}; };
  Polygon ring;
  for (std::size_t i = first; i < end; ++i) {
    ring.push_back(seen(vertex(part, part.surface->face_vertices[i])));
  }
  const double least_area = 1e-9 * area_of(ring);
  std::vector<Polygon> left{ring};
  bool is_cut = false;
  for (const Solid& beside : neighbours) {
    const double allowed = slack(part, beside), level = 2 * allowed;
    points_.clear();
    const auto height = [&](std::int32_t n) {
      return dot(normal, vertex(beside, n)) - part.offsets[f];
    };
    double low = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < beside.vertices.size(); ++n) {
      low = std::min(low, height(static_cast<std::int32_t>(n)));
    }
    if (low > allowed) continue;
    for (const HullEdge& edge : beside.surface->edges) {
      const double a = height(edge.a) - level, b = height(edge.b) - level;
      if (!((a <= 0 && b > 0) || (a > 0 && b <= 0))) continue;
      points_.push_back(seen(vertex(beside, edge.a) +
                             a / (a - b) * (vertex(beside, edge.b) - vertex(beside, edge.a))));
    }
    if (points_.size() < 3) continue;
    make_convex(points_, cover_);
    if (cover_.size() < 3) continue;
    is_cut |= subtract(cover_, allowed, least_area, left);
    if (left.empty() || left.size() > kMostPieces) break;
  }
  if (left.empty()) {
    found_.faces.push_back(kCoveredFace);
    return;
  }
  if (!is_cut || left.size() > kMostPieces) {
    found_.faces.push_back(kOpenFace);
    return;
  }
  found_.faces.push_back(static_cast<std::int32_t>(found_.pieces.size()));
  for (std::size_t p = 0; p < left.size(); ++p) {
    const auto next = static_cast<std::int32_t>(found_.pieces.size()) + 1;
    found_.pieces.push_back({static_cast<std::int32_t>(found_.corners.size() / 3),
                             static_cast<std::int32_t>(left[p].size()),
                             p + 1 < left.size() ? next : -1});
    for (const Point2& corner : left[p]) {
      const Vec3 own = part.to_own(origin + corner[0] * u + corner[1] * v);
      found_.corners.insert(found_.corners.end(), own.begin(), own.end());
    }
  }
}

/// Takes a convex polygon, wider by `wider`, from pieces. Answers whether any has changed.
bool FlushSearch<3>::subtract(const Polygon& cover, double wider, double least_area,
                              std::vector<Polygon>& left) {
  bool is_cut = false;
  result_.clear();
  for (Polygon& piece : left) {
    pending_.clear();
    rest_ = piece;
    for (std::size_t i = 0; i < cover.size() && !rest_.empty(); ++i) {
      const Point2 &p = cover[i], &q = cover[(i + 1) % cover.size()];
      const double length = std::hypot(q[0] - p[0], q[1] - p[1]);
      const Point2 n{(q[1] - p[1]) / length, (p[0] - q[0]) / length};
      const double offset = n[0] * p[0] + n[1] * p[1] + wider;
      clip(rest_, n, offset, false, outside_);
      if (area_of(outside_) > least_area) pending_.push_back(outside_);
      clip(rest_, n, offset, true, inside_);
      rest_.swap(inside_);
      if (area_of(rest_) <= least_area) rest_.clear();
    }
    if (rest_.empty()) {  // they do not meet
      result_.push_back(piece);
      continue;
    }
    is_cut = true;
    result_.insert(result_.end(), pending_.begin(), pending_.end());
  }
  left.swap(result_);
  return is_cut;
}

/// Whether somewhere along an edge directions between the normals of its faces are felt: no
/// neighbour there reaches beyond.
bool FlushSearch<3>::is_edge_felt(const Solid& part, const std::vector<Solid>& neighbours,
                                  const HullEdge& edge) const {
  const Vec3 &a = vertex(part, edge.a), &b = vertex(part, edge.b);
  const Vec3& left = part.normals[static_cast<std::size_t>(edge.left)];
  const Vec3& right = part.normals[static_cast<std::size_t>(edge.right)];
  const double length = std::sqrt(dot(b - a, b - a));
  std::vector<std::array<double, 2>> shut;
  for (const Solid& beside : neighbours) {
    const double allowed = slack(part, beside);
    double from = 0, to = 1;
    for (std::size_t f = 0; f < beside.normals.size() && from < to; ++f) {
      const double at_a = dot(beside.normals[f], a) - beside.offsets[f] - allowed;
      const double at_b = dot(beside.normals[f], b) - beside.offsets[f] - allowed;
      if (at_a > 0 && at_b > 0) to = from;
      if (at_a > 0 && at_b <= 0) from = std::max(from, at_a / (at_a - at_b));
      if (at_b > 0 && at_a <= 0) to = std::min(to, at_a / (at_a - at_b));
    }
    if (!(from < to)) continue;
    double low = 0, high = 1;
    for (const Vec3& v : beside.vertices) {
      const double first = dot(left, v - a) - allowed, last = dot(right, v - a) - allowed;
      if (first > 0 && last > 0) high = -1;
      if (first > 0 && last <= 0) low = std::max(low, first / (first - last));
      if (last > 0 && first <= 0) high = std::min(high, first / (first - last));
    }
    if (high - low > kLeastArc) continue;
    shut.push_back({from, to});
  }
  std::sort(shut.begin(), shut.end());
  double open = 0, end = 0;
  for (const auto& [from, to] : shut) {
    open += std::max(0.0, from - end);
    end = std::max(end, to);
  }
  open += 1 - end;
  return open * length > 2 * slack(part, part);
}

}  // namespace widephase
