#include "convex_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace widephase {

ConvexParts::ConvexParts(const std::vector<Point2>& points, TriangleMesh mesh)
    : points_(points),
      origin_(std::move(mesh.origin)),
      twin_(std::move(mesh.twin)),
      next_(origin_.size()),
      previous_(origin_.size()),
      is_removed_(origin_.size(), false),
      parent_(origin_.size() / 3),
      corners_(origin_.size() / 3, 3) {
  for (HalfEdge h = 0; h < static_cast<HalfEdge>(origin_.size()); ++h) {
    next_[h] = h % 3 == 2 ? h - 2 : h + 1;
    previous_[h] = h % 3 == 0 ? h + 2 : h - 1;
  }
  std::iota(parent_.begin(), parent_.end(), 0);
}

/// Of the points where three half-edges begin.
int ConvexParts::turn(HalfEdge a, HalfEdge b, HalfEdge c) const {
  return orientation(points_[origin_[a]], points_[origin_[b]], points_[origin_[c]]);
}

void ConvexParts::join() {
  for (HalfEdge h = 0; h < static_cast<HalfEdge>(origin_.size()); ++h) {
    if (twin_[h] > h) join_across(h);
  }
}

std::int32_t ConvexParts::part_of(HalfEdge half_edge) {
  std::int32_t part = half_edge / 3;
  while (parent_[part] != part) part = parent_[part] = parent_[parent_[part]];
  return part;
}

int ConvexParts::corner_without(HalfEdge before, HalfEdge after) const {
  const int side = turn(before, after, end(after));
  // A straight side is one edge of the part, so it lies inside the owner as a whole or not at all.
  if (side == 0) return is_inner(before) == is_inner(after) ? 0 : -1;
  return side;
}

void ConvexParts::join_across(HalfEdge half_edge) {
  const HalfEdge other = twin_[half_edge];
  const int begin = corner_without(previous_[half_edge], next_[other]);
  const int end = corner_without(previous_[other], next_[half_edge]);
  if (begin < 0 || end < 0) return;
  const std::int32_t part = part_of(half_edge);
  const std::int32_t other_part = part_of(other);
  // Both ends are corners of both parts: an angle of 180 degrees leaves no room for another.
  const std::int32_t corners = corners_[part] + corners_[other_part] - 4 + begin + end;
  if (corners > kMostPartVertices) return;
  parent_[other_part] = part;
  corners_[part] = corners;
  const auto connect = [&](HalfEdge before, HalfEdge after) {
    next_[before] = after;
    previous_[after] = before;
  };
  connect(previous_[half_edge], next_[other]);
  connect(previous_[other], next_[half_edge]);
  is_removed_[half_edge] = is_removed_[other] = true;
}

/// Whether a part's boundary turns where the half-edge begins.
bool ConvexParts::is_corner(HalfEdge half_edge) const {
  return turn(previous_[half_edge], half_edge, end(half_edge)) != 0;
}

void ConvexParts::append_to(GeometryTable<Owned<2, double>>& parts, DecomposeReport& report) const {
  if (parts.offsets.empty()) parts.offsets.push_back({0});
  parts.inner.resize(parts.vertices.size());
  const std::size_t vertices = parts.vertices.size();
  const std::size_t offsets = parts.offsets.size();
  std::vector<bool> is_done(is_removed_);
  for (HalfEdge first = 0; first < static_cast<HalfEdge>(origin_.size()); ++first) {
    if (is_done[first] || !is_corner(first)) continue;
    append_part(first, parts);
    HalfEdge h = first;
    do {
      is_done[h] = true;
      h = next_[h];
    } while (h != first);
  }
  report.vertex_count = static_cast<std::int64_t>(parts.vertices.size() - vertices);
  report.part_count = static_cast<std::int64_t>(parts.offsets.size() - offsets);
}

void ConvexParts::append_part(HalfEdge first, GeometryTable<Owned<2, double>>& parts) const {
  HalfEdge h = first;
  do {
    if (is_corner(h)) {
      const Point2 point = points_[origin_[h]];
      parts.vertices.push_back({point.x, point.y});
      parts.inner.push_back({static_cast<std::uint8_t>(is_inner(h))});
    }
    h = next_[h];
  } while (h != first);
  parts.offsets.push_back({static_cast<std::int64_t>(parts.vertices.size())});
}

}  // namespace widephase
