#include "support/steps_flaw.hpp"

#include <array>
#include <cstdint>

namespace widephase::test {

namespace {

__extension__ using Wide = __int128;

struct Steps {
  std::int64_t x;
  std::int64_t y;
};
Steps minus(const Steps& a, const Steps& b) { return {a.x - b.x, a.y - b.y}; }
std::int64_t cross(const Steps& a, const Steps& b) { return a.x * b.y - a.y * b.x; }
std::int64_t dot(const Steps& a, const Steps& b) { return a.x * b.x + a.y * b.y; }

struct Edge {
  Steps from;
  Steps to;
  bool is_point() const { return from.x == to.x && from.y == to.y; }
};

/// A position along an edge, as a fraction of its length.
struct Share {
  std::int64_t part;
  std::int64_t whole;  ///< above 0
  bool is_within() const { return 0 < part && part < whole; }
};
bool operator<(const Share& a, const Share& b) {
  return Wide{a.part} * b.whole < Wide{b.part} * a.whole;
}

/// The edges of the outer ring counter-clockwise, those of holes clockwise.
std::vector<Edge> turned_edges(const Rings& rings) {
  std::vector<Edge> edges;
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    const std::size_t first = edges.size(), count = rings[ring].size();
    const auto steps = [&](std::size_t i) {
      const Point2 point = rings[ring][i % count];
      return Steps{static_cast<std::int64_t>(point.x), static_cast<std::int64_t>(point.y)};
    };
    std::int64_t doubled_area = 0;
    for (std::size_t i = 0; i < count; ++i) {
      edges.push_back({steps(i), steps(i + 1)});
      doubled_area += cross(steps(i), steps(i + 1));
    }
    if ((doubled_area < 0) != (ring == 0)) continue;
    for (std::size_t i = first; i < edges.size(); ++i) std::swap(edges[i].from, edges[i].to);
  }
  return edges;
}

bool may_meet(const Edge& a, const Edge& b) {
  const auto are_apart = [](std::int64_t a0, std::int64_t a1, std::int64_t b0, std::int64_t b1) {
    return std::max(a0, a1) < std::min(b0, b1) || std::max(b0, b1) < std::min(a0, a1);
  };
  return !are_apart(a.from.x, a.to.x, b.from.x, b.to.x) &&
         !are_apart(a.from.y, a.to.y, b.from.y, b.to.y);
}

/// The positions where other edges cross, touch or leave an edge, in order, with both ends.
std::vector<Share> cuts_of(const Edge& edge, const std::vector<Edge>& edges) {
  const Steps along = minus(edge.to, edge.from);
  std::vector<Share> cuts{{0, 1}, {1, 1}};
  const auto add = [&](Share share) {
    if (share.whole < 0) share = {-share.part, -share.whole};
    if (share.is_within()) cuts.push_back(share);
  };
  for (const Edge& other : edges) {
    if (!may_meet(edge, other)) continue;
    const Steps from = minus(other.from, edge.from), to = minus(other.to, edge.from);
    const std::int64_t from_side = cross(along, from), to_side = cross(along, to);
    if (from_side == 0) add({dot(from, along), dot(along, along)});
    if (to_side == 0) add({dot(to, along), dot(along, along)});
    if ((from_side < 0) != (to_side < 0) && from_side != 0 && to_side != 0) {
      const Steps across = minus(other.to, other.from);
      add({cross(from, across), cross(along, across)});
    }
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

/// The winding numbers on either side of `edge` at the point midway between two positions, where no
/// other edge crosses it. They count the edges that a ray from the point along x meets (along y if
/// the edge is level), without and with those that run through the point.
std::array<int, 2> windings_beside(const Edge& edge, const Share& low, const Share& high,
                                   const std::vector<Edge>& edges) {
  const Steps along = minus(edge.to, edge.from);
  const bool is_level = along.y == 0;
  const Wide part = Wide{low.part} * high.whole + Wide{high.part} * low.whole;
  const Wide whole = 2 * (Wide{low.whole} * high.whole);
  const auto ray_axis = [&](const Steps& p) { return is_level ? p.y : p.x; };
  const auto other_axis = [&](const Steps& p) { return is_level ? p.x : p.y; };
  // The point multiplied by `whole`.
  const Wide at_ray = ray_axis(edge.from) * whole + ray_axis(along) * part;
  const Wide at_other = other_axis(edge.from) * whole + other_axis(along) * part;
  int beside = 0, through = 0;
  for (const Edge& other : edges) {
    const bool begins_below = other_axis(other.from) * whole <= at_other;
    if (begins_below == (other_axis(other.to) * whole <= at_other)) continue;
    const Steps across = minus(other.to, other.from);
    const Wide side = ray_axis(across) * (at_other - other_axis(other.from) * whole) -
                      other_axis(across) * (at_ray - ray_axis(other.from) * whole);
    const int direction = begins_below ? 1 : -1;
    if (side == 0) through += direction;
    if (side != 0 && (side > 0) == begins_below) beside += direction;
  }
  // Exchanging the axes mirrors the plane.
  const int sign = is_level ? -1 : 1;
  return {sign * beside, sign * (beside + through)};
}

}  // namespace

StepsFlaw steps_flaw(const Rings& rings, std::size_t ring, std::size_t vertex) {
  const std::vector<Edge> edges = turned_edges(rings);
  std::size_t hint = vertex;
  for (std::size_t i = 0; i < ring; ++i) hint += rings[i].size();
  bool has_area = false;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    // Order: hint, hint + 1, hint - 1, hint + 2, ...
    const std::size_t step = (i + 1) / 2;
    const Edge& edge = edges[(hint + (i % 2 == 1 ? step : edges.size() - step)) % edges.size()];
    if (edge.is_point()) continue;
    const std::vector<Share> cuts = cuts_of(edge, edges);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      if (!(cuts[k] < cuts[k + 1])) continue;
      for (const int winding : windings_beside(edge, cuts[k], cuts[k + 1], edges)) {
        if (winding < 0 || winding > 1) return StepsFlaw::winding;
        has_area = has_area || winding == 1;
      }
    }
  }
  return has_area ? StepsFlaw::none : StepsFlaw::no_area;
}

}  // namespace widephase::test
