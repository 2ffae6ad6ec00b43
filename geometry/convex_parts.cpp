#include "geometry/convex_parts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
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
  for (HalfEdge h = 0; h < half_edge_count(); ++h) {
    next_[h] = TriangleMesh::next(h);
    previous_[h] = TriangleMesh::previous(h);
  }
  std::iota(parent_.begin(), parent_.end(), 0);
}

/// The orientation of the points where three half-edges begin.
int ConvexParts::turn(HalfEdge a, HalfEdge b, HalfEdge c) const {
  return orientation(points_[origin_[a]], points_[origin_[b]], points_[origin_[c]]);
}

void ConvexParts::join() {
  const std::vector<HalfEdge> order = removal_order();
  for (const HalfEdge half_edge : order) join_across(half_edge, false);
  for (const HalfEdge half_edge : order) {
    if (!is_removed_[half_edge]) join_across(half_edge, true);
  }
}

/// For each half-edge of the triangles: whether the inside of the outline, as far as it is
/// connected around the origin of the half-edge, has more than 180 degrees there.
std::vector<bool> ConvexParts::reflex_origins() const {
  std::vector<bool> is_reflex(origin_.size(), false);
  for (HalfEdge first = 0; first < half_edge_count(); ++first) {
    if (is_inner(first)) continue;
    HalfEdge last = previous_[first];
    while (is_inner(last)) last = previous_[twin_[last]];
    if (turn(last, first, end(first)) >= 0) continue;
    is_reflex[first] = true;
    for (HalfEdge h = previous_[first]; is_inner(h); h = previous_[twin_[h]]) {
      is_reflex[twin_[h]] = true;
    }
  }
  return is_reflex;
}

/// Short sides before long ones, so that long parts are left and not fans.
std::vector<ConvexParts::HalfEdge> ConvexParts::removal_order() const {
  const std::vector<bool> is_reflex = reflex_origins();
  struct Side {
    int reflex_ends;
    double square;
    HalfEdge half_edge;
  };
  std::vector<Side> sides;
  for (HalfEdge h = 0; h < half_edge_count(); ++h) {
    if (twin_[h] < h) continue;
    const double dx = points_[origin_[end(h)]].x - points_[origin_[h]].x;
    const double dy = points_[origin_[end(h)]].y - points_[origin_[h]].y;
    sides.push_back({is_reflex[h] + is_reflex[twin_[h]], dx * dx + dy * dy, h});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.reflex_ends, a.square, a.half_edge) <
           std::tie(b.reflex_ends, b.square, b.half_edge);
  });
  std::vector<HalfEdge> order;
  order.reserve(sides.size());
  for (const Side& side : sides) order.push_back(side.half_edge);
  return order;
}

std::int32_t ConvexParts::part_of(HalfEdge half_edge) {
  std::int32_t part = half_edge / 3;
  while (parent_[part] != part) part = parent_[part] = parent_[parent_[part]];
  return part;
}

ConvexParts::Bend ConvexParts::bend_without(HalfEdge before, HalfEdge after) const {
  const int side = turn(before, after, end(after));
  if (side != 0) return side > 0 ? Bend::corner : Bend::reflex;
  // A straight side is one edge of the part, so it lies inside the owner as a whole or not at all.
  if (is_inner(before) != is_inner(after)) return Bend::reflex;
  return is_inner(before) ? Bend::straight_inside : Bend::straight_outside;
}

void ConvexParts::join_across(HalfEdge half_edge, bool may_straighten) {
  const HalfEdge other = twin_[half_edge];
  int new_corners = 0;
  for (const Bend bend : {bend_without(previous_[half_edge], next_[other]),
                          bend_without(previous_[other], next_[half_edge])}) {
    if (bend == Bend::reflex || (bend == Bend::straight_inside && !may_straighten)) return;
    new_corners += bend == Bend::corner;
  }
  const std::int32_t part = part_of(half_edge);
  const std::int32_t other_part = part_of(other);
  // Both ends are corners of both parts: an angle of 180 degrees leaves no room for another.
  const std::int32_t corners = corners_[part] + corners_[other_part] - 4 + new_corners;
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
  const std::size_t vertices = parts.vertices.size(), offsets = parts.offsets.size(),
                    inner = parts.inner.size();
  std::vector<bool> is_done(is_removed_);
  try {
    if (parts.offsets.empty()) parts.offsets.push_back({0});
    parts.inner.resize(vertices);
    for (HalfEdge first = 0; first < half_edge_count(); ++first) {
      if (is_done[first] || !is_corner(first)) continue;
      append_part(first, parts);
      ++report.part_count;
      HalfEdge h = first;
      do {
        is_done[h] = true;
        h = next_[h];
      } while (h != first);
    }
  } catch (...) {
    // No room: the table stays as it was.
    parts.vertices.resize_uninitialized(vertices);
    parts.offsets.resize_uninitialized(offsets);
    parts.inner.resize_uninitialized(inner);
    throw;
  }
  report.vertex_count = static_cast<std::int64_t>(parts.vertices.size() - vertices);
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
