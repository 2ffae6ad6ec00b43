#include "pipeline/broad/flush_search2.hpp"

#include <algorithm>
#include <cmath>

namespace widephase {

namespace {

using Vec2 = FlushSearch<2>::Vec2;

Vec2 operator-(const Vec2& a, const Vec2& b) { return {a[0] - b[0], a[1] - b[1]}; }
double dot(const Vec2& a, const Vec2& b) { return a[0] * b[0] + a[1] * b[1]; }

/// Shorter rests of a side, as shares of it, are rounding.
constexpr double kLeastRest = 1e-9;

}  // namespace

FlushSearch<2>::Outline FlushSearch<2>::box_outline() {
  return {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {0, 0, 0, 0}, {0, 1, 3, 2}, {2, 1, 3, 0}};
}

void FlushSearch<2>::Solid::move(const Vec2& by) {
  for (Vec2& vertex : vertices) vertex = {vertex[0] + by[0], vertex[1] + by[1]};
}

void FlushSearch<2>::place(std::size_t part, Solid& solid) const {
  const KnownPart& known = parts_[part];
  const Outline& outline = *outline_of_[part];
  const double cosine = known.turn[0], sine = known.turn[1];
  solid.outline = &outline;
  solid.size = 0;
  solid.vertices.clear();
  for (const Vec2& own : outline.vertices) {
    const double x = own[0] * (known.geometry < 0 ? known.half[0] : 1);
    const double y = own[1] * (known.geometry < 0 ? known.half[1] : 1);
    solid.size = std::max(solid.size, std::sqrt(x * x + y * y));
    solid.vertices.push_back(
        {known.at[0] + (cosine * x - sine * y), known.at[1] + (sine * x + cosine * y)});
  }
  solid.normals.clear();
  for (std::size_t v = 0; v < solid.count(); ++v) {
    const Vec2 along = solid.vertices[solid.next(v)] - solid.vertices[v];
    const double length = std::sqrt(dot(along, along));
    solid.normals.push_back({along[1] / length, -along[0] / length});
  }
}

bool FlushSearch<2>::are_neighbours(const Solid& a, const Solid& b) const {
  const auto parts = [&](const Solid& of, const Solid& other) {
    for (std::size_t e = 0; e < of.count(); ++e) {
      double least = std::numeric_limits<double>::infinity();
      for (const Vec2& v : other.vertices) {
        least = std::min(least, dot(of.normals[e], v - of.vertices[e]));
      }
      if (least > slack(a, b)) return true;
    }
    return false;
  };
  return !parts(a, b) && !parts(b, a);
}

void FlushSearch<2>::add(const Solid& part, const std::vector<Solid>& neighbours) {
  const std::size_t first_side = found_.faces.size(), first_vertex = found_.edges.size();
  found_.faces.resize(first_side + part.count());
  found_.edges.resize(first_vertex + part.count());
  for (std::size_t e = 0; e < part.count(); ++e) {
    const auto number = static_cast<std::size_t>(part.outline->side_numbers[e]);
    found_.faces[first_side + number] = left_of_side(part, neighbours, e);
  }
  for (std::size_t v = 0; v < part.count(); ++v) {
    const auto number = static_cast<std::size_t>(part.outline->vertex_numbers[v]);
    found_.edges[first_vertex + number] = is_vertex_felt(part, neighbours, v) ? 1 : 0;
  }
}

/// A neighbour that reaches more than twice the tolerance beyond a side covers of it what it has at
/// up to that height, not deeper than the tolerance, and the tolerance farther to both ends.
std::int32_t FlushSearch<2>::left_of_side(const Solid& part, const std::vector<Solid>& neighbours,
                                          std::size_t e) {
  if (part.outline->is_inner[e] != 0) return kCoveredFace;
  const Vec2 &normal = part.normals[e], &start = part.vertices[e];
  const Vec2 along{-normal[1], normal[0]};
  const double length = dot(along, part.vertices[part.next(e)] - start);
  covered_.clear();
  for (const Solid& beside : neighbours) {
    const double allowed = slack(part, beside), level = 2 * allowed;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    double from = lowest, to = -lowest;
    const auto cover = [&](double at) {
      from = std::min(from, at);
      to = std::max(to, at);
    };
    for (std::size_t v = 0; v < beside.count(); ++v) {
      const Vec2 p = beside.vertices[v] - start, q = beside.vertices[beside.next(v)] - start;
      const double height = dot(normal, p);
      lowest = std::min(lowest, height);
      highest = std::max(highest, height);
      if (height >= -allowed && height <= level) cover(dot(along, p));
      for (const double cut : {-allowed, level}) {
        const double a = height - cut, b = dot(normal, q) - cut;
        if ((a <= 0) != (b <= 0)) cover(dot(along, p) + a / (a - b) * dot(along, q - p));
      }
    }
    if (lowest > allowed || highest <= level || !(from <= to)) continue;
    from = std::max(from - allowed, 0.0);
    to = std::min(to + allowed, length);
    if (from < to) covered_.push_back({from, to});
  }
  if (covered_.empty()) return kOpenFace;
  std::sort(covered_.begin(), covered_.end(),
            [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
  const auto first = static_cast<std::int32_t>(found_.pieces.size());
  double end = 0;
  covered_.push_back({length, length});
  for (const Stretch& stretch : covered_) {
    if (stretch.from - end > kLeastRest * length) {
      const auto next = static_cast<std::int32_t>(found_.pieces.size()) + 1;
      found_.pieces.push_back({static_cast<std::int32_t>(found_.corners.size()), 2, next});
      found_.corners.push_back(end);
      found_.corners.push_back(stretch.from);
    }
    end = std::max(end, stretch.to);
  }
  if (static_cast<std::int32_t>(found_.pieces.size()) == first) return kCoveredFace;
  found_.pieces.back().next = -1;
  return first;
}

/// Whether neighbours that have a vertex leave something of the directions between the normals of
/// its sides. At a side that lies inside the owner there must be one: else the owner is not known.
bool FlushSearch<2>::is_vertex_felt(const Solid& part, const std::vector<Solid>& neighbours,
                                    std::size_t v) const {
  const Vec2 &at = part.vertices[v], &from = part.normals[part.before(v)], &to = part.normals[v];
  double low = 0, high = 1;
  bool has_neighbour = false;
  for (const Solid& beside : neighbours) {
    const double allowed = slack(part, beside);
    bool has_it = true;
    for (std::size_t e = 0; e < beside.count() && has_it; ++e) {
      has_it = dot(beside.normals[e], at - beside.vertices[e]) <= allowed;
    }
    if (!has_it) continue;
    has_neighbour = true;
    for (const Vec2& place : beside.vertices) {
      const double first = dot(from, place - at) - allowed, last = dot(to, place - at) - allowed;
      if (first > 0 && last > 0) return false;
      if (first > 0) low = std::max(low, first / (first - last));
      if (last > 0) high = std::min(high, first / (first - last));
    }
  }
  const bool is_inside =
      part.outline->is_inner[v] != 0 || part.outline->is_inner[part.before(v)] != 0;
  return high - low > kLeastArc && (has_neighbour || !is_inside);
}

}  // namespace widephase
