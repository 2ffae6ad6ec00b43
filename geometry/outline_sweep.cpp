#include "geometry/outline_sweep.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <string>
#include <utility>

#include "soa/number_text.hpp"

namespace widephase {

OutlineSweep::OutlineSweep(SweepInput input, DecomposeReport& report)
    : points_(std::move(input.points)),
      pending_(points_.size(), kNone),
      status_(ByHeight{this}),
      report_(report) {
  edges_.reserve(input.edges.size() + input.edges.size() / 8);
  for (const SweepInput::Edge& edge : input.edges) {
    edges_.push_back({edge, 0, kNone, {}});
    add_pending(static_cast<EdgeId>(edges_.size()) - 1);
  }
}

int OutlineSweep::turn(EdgeId edge, Point2 point) const {
  return orientation(points_[edges_[edge].left], points_[edges_[edge].right], point);
}

int OutlineSweep::turn(PointId a, PointId b, PointId c) const {
  return orientation(points_[a], points_[b], points_[c]);
}

/// Compares two edges that the sweep line cuts and that do not cross: where the later one begins,
/// it lies above or below the other.
bool OutlineSweep::is_below(EdgeId a, EdgeId b) const {
  if (edges_[a].left == edges_[b].left) return turn(a, points_[edges_[b].right]) > 0;
  if (edges_[a].left < edges_[b].left) return turn(a, points_[edges_[b].left]) > 0;
  return turn(b, points_[edges_[a].left]) < 0;
}

void OutlineSweep::run() {
  for (PointId point = 0; point < static_cast<PointId>(points_.size()); ++point) visit(point);
}

void OutlineSweep::visit(PointId point) {
  visited_ = point;
  find_incoming(point);
  divide_incoming(point);
  find_outgoing(point);
  if (incoming_.empty() && outgoing_.empty()) return;
  if (!extend_straight(point)) {
    set_windings();
    move_chains(point);
    replace_edges();
  }
  check_neighbours();
}

void OutlineSweep::find_incoming(PointId point) {
  incoming_.clear();
  const auto first = status_.lower_bound(points_[point]);
  below_ = first == status_.begin() ? kNone : *std::prev(first);
  after_ = first;
  while (after_ != status_.end() && turn(*after_, points_[point]) == 0) {
    incoming_.push_back(*after_++);
  }
  above_ = after_ == status_.end() ? kNone : *after_;
}

void OutlineSweep::add_pending(EdgeId edge) {
  EdgeId& first = pending_[edges_[edge].left];
  edges_[edge].next_pending = first;
  first = edge;
}

void OutlineSweep::divide_incoming(PointId point) {
  bool is_touching = false;
  for (const EdgeId edge : incoming_) {
    if (edges_[edge].right == point) continue;
    is_touching = true;
    Edge rest = edges_[edge];
    rest.left = point;
    edges_.push_back(rest);
    add_pending(static_cast<EdgeId>(edges_.size()) - 1);
  }
  report_.touching_points += is_touching;
}

void OutlineSweep::find_outgoing(PointId point) {
  outgoing_.clear();
  for (EdgeId edge = pending_[point]; edge != kNone; edge = edges_[edge].next_pending) {
    outgoing_.push_back(edge);
  }
  std::sort(outgoing_.begin(), outgoing_.end(), [&](EdgeId a, EdgeId b) {
    const int side = turn(a, points_[edges_[b].right]);
    return side != 0 ? side > 0 : a < b;
  });
  std::size_t kept = 0;
  for (std::size_t first = 0; first < outgoing_.size();) {
    std::size_t last = first + 1;
    while (last < outgoing_.size() &&
           turn(outgoing_[first], points_[edges_[outgoing_[last]].right]) == 0) {
      ++last;
    }
    if (last - first > 1) join_coinciding(first, last);
    if (edges_[outgoing_[first]].winding != 0) outgoing_[kept++] = outgoing_[first];
    first = last;
  }
  outgoing_.resize(kept);
}

/// Edges that leave in one direction become one edge up to the shortest end, and from each end to
/// the next again. Then no two of them overlap.
void OutlineSweep::join_coinciding(std::size_t first, std::size_t last) {
  const auto begin = outgoing_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = outgoing_.begin() + static_cast<std::ptrdiff_t>(last);
  std::sort(begin, end, [&](EdgeId a, EdgeId b) {
    return std::pair(edges_[a].right, a) < std::pair(edges_[b].right, b);
  });
  std::int32_t winding = 0;
  for (auto at = begin; at != end; ++at) winding += edges_[*at].winding;
  PointId left = edges_[*begin].left;
  for (auto at = begin; at != end; ++at) {
    Edge& edge = edges_[*at];
    const std::int32_t rest = winding - edge.winding;
    edge.winding = winding;
    if (edge.right > left) report_.cancelled_edges += (end - at - std::abs(winding)) / 2;
    if (at != begin && edge.right > left && winding != 0) {
      edge.left = left;
      add_pending(*at);
    }
    left = edge.right;
    winding = rest;
  }
}

/// A point in the middle of a straight side, where nothing else meets, is not a corner of any part.
bool OutlineSweep::extend_straight(PointId point) {
  if (incoming_.size() != 1 || outgoing_.size() != 1) return false;
  Edge& edge = edges_[incoming_[0]];
  const Edge& rest = edges_[outgoing_[0]];
  if (turn(edge.left, point, rest.right) != 0) return false;
  report_.straight_points += edge.right == point;
  edge.right = rest.right;
  edge.source = rest.source;
  outgoing_[0] = incoming_[0];
  return true;
}

void OutlineSweep::set_windings() {
  std::int32_t winding = below_ == kNone ? 0 : edges_[below_].above;
  for (const EdgeId edge : outgoing_) {
    winding += edges_[edge].winding;
    edges_[edge].above = winding;
    if (winding < 0 || winding > 1) refuse_winding(edge);
  }
}

void OutlineSweep::refuse_winding(EdgeId edge) const {
  const EdgeSource& source = edges_[edge].source;
  const bool is_hole_outside = source.ring > 0 && edges_[edge].above < 0;
  throw OutlineError(
      source.ring, source.vertex,
      is_hole_outside
          ? "is where a hole lies outside the outer ring or inside another hole; holes must lie "
            "inside the outer ring and beside each other"
          : "is where the ring crosses or overlaps itself or another ring; rings may touch, no "
            "more");
}

void OutlineSweep::replace_edges() {
  for (auto next = after_; !incoming_.empty(); incoming_.pop_back()) {
    next = status_.erase(std::prev(next));
  }
  for (const EdgeId edge : outgoing_) status_.emplace_hint(after_, edge);
}

void OutlineSweep::check_neighbours() {
  if (outgoing_.empty()) {
    check_crossing(below_, above_);
  } else {
    check_crossing(below_, outgoing_.front());
    check_crossing(outgoing_.back(), above_);
  }
}

/// A point of one edge on the other is not a crossing: it divides the edge when it is visited.
bool OutlineSweep::is_crossing(const Edge& a, const Edge& b) const {
  return turn(a.left, a.right, b.left) * turn(a.left, a.right, b.right) < 0 &&
         turn(b.left, b.right, a.left) * turn(b.left, b.right, a.right) < 0;
}

void OutlineSweep::check_crossing(EdgeId below, EdgeId above) {
  if (below == kNone || above == kNone || !is_crossing(edges_[below], edges_[above])) return;
  if (meet_at_point(below, above)) return;
  if (shorten_overlapped(below, above) || shorten_overlapped(above, below)) return;
  const Edge& a = edges_[below];
  const Edge& b = edges_[above];
  throw OutlineError(
      a.source.ring, a.source.vertex,
      "begins an edge that crosses the edge from vertex " + number(b.source.vertex) +
          " of ring " + number(b.source.ring) + "; the edges of an outline must not cross");
}

/// Whether the crossing is a point of the outline. Both edges are then divided there, and the
/// windings show whether they cross or turn away. This is rare, so all points are searched.
bool OutlineSweep::meet_at_point(EdgeId a, EdgeId b) const {
  const PointId last = std::min(edges_[a].right, edges_[b].right);
  for (PointId point = visited_ + 1; point < last; ++point) {
    if (turn(a, points_[point]) == 0 && turn(b, points_[point]) == 0) return true;
  }
  return false;
}

/// If an edge meets the other only on a stretch that a later edge covers too, these two may cancel
/// each other first: a spike may cross anything. The edge is then divided where the later one
/// begins, and the rest of both is checked there. This is rare, so all edges are searched.
bool OutlineSweep::shorten_overlapped(EdgeId edge, EdgeId other) {
  const Edge whole = edges_[edge];
  const int side = turn(other, points_[whole.left]);
  for (const Edge& later : edges_) {
    if (later.left <= visited_ || later.left >= whole.right) continue;
    if (turn(edge, points_[later.left]) != 0 || turn(edge, points_[later.right]) != 0) continue;
    if (turn(other, points_[later.left]) != side || turn(other, points_[later.right]) == side) {
      continue;
    }
    Edge rest = whole;
    rest.left = later.left;
    edges_[edge].right = rest.left;
    edges_.push_back(rest);
    add_pending(static_cast<EdgeId>(edges_.size()) - 1);
    return true;
  }
  return false;
}

void OutlineSweep::move_chains(PointId point) {
  const bool is_below_inside = below_ != kNone && edges_[below_].above == 1;
  Chain lower;
  Chain upper;
  if (incoming_.empty()) {
    if (is_below_inside) split(edges_[below_].chain, point, lower, upper);
  } else {
    if (is_below_inside) {
      lower = edges_[below_].chain;
      add_top(lower, point, new_side());
    }
    for (std::size_t i = 0; i + 1 < incoming_.size(); ++i) {
      if (edges_[incoming_[i]].above == 1) close(edges_[incoming_[i]].chain, point);
    }
    if (edges_[incoming_.back()].above == 1) {
      upper = edges_[incoming_.back()].chain;
      add_bottom(upper, point, new_side());
    }
  }
  if (outgoing_.empty()) {
    if (is_below_inside) edges_[below_].chain = joined(lower, upper);
    return;
  }
  if (is_below_inside) edges_[below_].chain = lower;
  for (const EdgeId edge : outgoing_) {
    if (edges_[edge].above != 1) continue;
    edges_[edge].chain = edge == outgoing_.back() ? upper : single(point);
  }
}

OutlineSweep::NodeId OutlineSweep::new_node(PointId point) {
  nodes_.push_back({point, kNone, kNone, kNone});
  return static_cast<NodeId>(nodes_.size()) - 1;
}

std::int32_t OutlineSweep::new_side() {
  half_edge_of_side_.push_back(kNone);
  return static_cast<std::int32_t>(half_edge_of_side_.size()) - 1;
}

void OutlineSweep::link(NodeId below, NodeId above, std::int32_t side) {
  nodes_[below].above = above;
  nodes_[below].side = side;
  nodes_[above].below = below;
}

OutlineSweep::Chain OutlineSweep::single(PointId point) {
  const NodeId node = new_node(point);
  return {node, node, node};
}

/// The chain's rightmost point sees everything up to the sweep line, including the new point.
void OutlineSweep::split(const Chain& chain, PointId point, Chain& lower, Chain& upper) {
  const NodeId seen = chain.latest;
  lower = {chain.bottom, seen, seen};
  const NodeId copy = new_node(nodes_[seen].point);
  upper = {copy, chain.top == seen ? copy : chain.top, copy};
  if (chain.top != seen) link(copy, nodes_[seen].above, nodes_[seen].side);
  nodes_[seen].above = kNone;
  const std::int32_t side = new_side();
  add_top(lower, point, side);
  add_bottom(upper, point, side);
}

/// `side` lies between the chain's top and the point. Cuts off what the point sees.
void OutlineSweep::add_top(Chain& chain, PointId point, std::int32_t side) {
  NodeId top = chain.top;
  while (top != chain.bottom) {
    const NodeId next = nodes_[top].below;
    if (turn(nodes_[next].point, nodes_[top].point, point) >= 0) break;
    const std::int32_t cut = new_side();
    add_triangle({nodes_[top].point, nodes_[next].point, point}, {nodes_[next].side, cut, side});
    side = cut;
    top = next;
  }
  const NodeId node = new_node(point);
  link(top, node, side);
  chain.top = node;
  chain.latest = node;
}

void OutlineSweep::add_bottom(Chain& chain, PointId point, std::int32_t side) {
  NodeId bottom = chain.bottom;
  while (bottom != chain.top) {
    const NodeId next = nodes_[bottom].above;
    if (turn(nodes_[bottom].point, nodes_[next].point, point) >= 0) break;
    const std::int32_t cut = new_side();
    add_triangle({nodes_[next].point, nodes_[bottom].point, point},
                 {nodes_[bottom].side, side, cut});
    side = cut;
    bottom = next;
  }
  const NodeId node = new_node(point);
  link(node, bottom, side);
  chain.bottom = node;
  chain.latest = node;
}

/// Both edges end at the point. It sees all of the chain. The angles at the chain's inner points
/// are at least 180 degrees each, so the rest of the polygon's sum is less than 180 degrees for the
/// point and the two ends together.
void OutlineSweep::close(Chain& chain, PointId point) {
  add_bottom(chain, point, new_side());
  assert(nodes_[chain.bottom].above == chain.top);
}

OutlineSweep::Chain OutlineSweep::joined(const Chain& lower, const Chain& upper) {
  link(lower.top, nodes_[upper.bottom].above, nodes_[upper.bottom].side);
  return {lower.bottom, upper.top, lower.top};
}

void OutlineSweep::add_triangle(const std::array<PointId, 3>& corners,
                                const std::array<std::int32_t, 3>& sides) {
  for (int i = 0; i < 3; ++i) {
    const std::int32_t half_edge = mesh_.size();
    mesh_.origin.push_back(corners[i]);
    std::int32_t& first = half_edge_of_side_[sides[i]];
    mesh_.twin.push_back(first);
    if (first == kNone) {
      first = half_edge;
    } else {
      mesh_.twin[first] = half_edge;
    }
  }
}

}  // namespace widephase
