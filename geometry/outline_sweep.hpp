#pragma once

// Triangles of an outline by one sweep from left to right, after Hertel and Mehlhorn, "Fast
// triangulation of simple polygons" (1983), extended to rings that touch:
//
// - Points are visited in lexicographic order; coordinates that repeat are one point.
// - `status_` holds the edges that the sweep line cuts, from bottom to top. Edges that pass through
//   a visited point are divided there; edges that coincide become one, whose winding is their sum,
//   and vanish where that is 0. So every edge ends at points of the input, and all tests are
//   orientations of such points: exact.
// - Each edge knows how often the outline winds round what lies above it; 0 and 1 are allowed.
// - Where that is 1, the edge carries the chain of points to the left that is not triangulated yet,
//   from its own left end to that of the next edge above. Seen from the right, a chain has no
//   corner that could be cut off.
// - Edges that become neighbours are tested for a crossing. Up to the first crossing the order of
//   the status is right, and the two edges are neighbours before it.

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <widephase/decompose.hpp>

#include "geometry/orientation.hpp"
#include "geometry/triangle_mesh.hpp"

namespace widephase {

/// Where an edge begins in the caller's rings.
struct EdgeSource {
  std::int32_t ring = 0;
  std::int64_t vertex = 0;  ///< in its ring
};

/// The input of the sweep: points in lexicographic order, each once, and edges between them.
struct SweepInput {
  struct Edge {
    std::int32_t left;     ///< point; left < right
    std::int32_t right;    ///< point
    std::int32_t winding;  ///< 1 if the ring runs from left to right, else -1
    EdgeSource source;
  };
  std::vector<Point2> points;
  std::vector<Edge> edges;
};

class OutlineSweep {
 public:
  OutlineSweep(SweepInput input, DecomposeReport& report);
  /// Throws `OutlineError` for rings that cross or overlap.
  void run();
  const std::vector<Point2>& points() const { return points_; }
  TriangleMesh take_mesh() { return std::move(mesh_); }

 private:
  static constexpr std::int32_t kNone = -1;
  using EdgeId = std::int32_t;
  using PointId = std::int32_t;
  using NodeId = std::int32_t;

  struct Chain {
    NodeId bottom = kNone;
    NodeId top = kNone;
    NodeId latest = kNone;  ///< its rightmost point: the last one added
  };
  struct Edge : SweepInput::Edge {
    std::int32_t above = 0;       ///< the winding around the region above
    EdgeId next_pending = kNone;  ///< in the list of edges that begin at the same point
    Chain chain;                  ///< where `above` is 1
  };
  struct Node {
    PointId point;
    NodeId below;
    NodeId above;
    std::int32_t side;  ///< the mesh's side between this node and the one above
  };

  struct ByHeight {
    using is_transparent = void;
    const OutlineSweep* sweep;
    bool operator()(EdgeId a, EdgeId b) const { return sweep->is_below(a, b); }
    bool operator()(EdgeId a, Point2 p) const { return sweep->turn(a, p) > 0; }
  };
  using Status = std::set<EdgeId, ByHeight>;

  int turn(EdgeId edge, Point2 point) const;
  int turn(PointId a, PointId b, PointId c) const;
  bool is_below(EdgeId a, EdgeId b) const;

  void visit(PointId point);
  void find_incoming(PointId point);
  void find_outgoing(PointId point);
  void divide_incoming(PointId point);
  void add_pending(EdgeId edge);
  void join_coinciding(std::size_t first, std::size_t last);
  bool extend_straight(PointId point);
  void set_windings();
  void check_neighbours();
  bool is_crossing(const Edge& a, const Edge& b) const;
  void check_crossing(EdgeId below, EdgeId above);
  bool meet_at_point(EdgeId a, EdgeId b) const;
  bool shorten_overlapped(EdgeId edge, EdgeId other);
  void replace_edges();
  [[noreturn]] void refuse_winding(EdgeId edge) const;

  void move_chains(PointId point);
  NodeId new_node(PointId point);
  std::int32_t new_side();
  void link(NodeId below, NodeId above, std::int32_t side);
  Chain single(PointId point);
  void split(const Chain& chain, PointId point, Chain& lower, Chain& upper);
  void add_top(Chain& chain, PointId point, std::int32_t side);
  void add_bottom(Chain& chain, PointId point, std::int32_t side);
  void close(Chain& chain, PointId point);
  Chain joined(const Chain& lower, const Chain& upper);
  void add_triangle(const std::array<PointId, 3>& corners,
                    const std::array<std::int32_t, 3>& sides);

  std::vector<Point2> points_;
  std::vector<Edge> edges_;
  std::vector<EdgeId> pending_;  ///< by point: the first edge that begins there
  std::vector<Node> nodes_;
  std::vector<std::int32_t> half_edge_of_side_;  ///< the first of a side; -1 before
  Status status_;
  TriangleMesh mesh_;
  DecomposeReport& report_;

  // The current point.
  PointId visited_ = kNone;
  std::vector<EdgeId> incoming_;  ///< edges of the status through it, from bottom to top
  std::vector<EdgeId> outgoing_;  ///< edges that begin at it, from bottom to top
  EdgeId below_ = kNone;          ///< next to it in the status
  EdgeId above_ = kNone;
  Status::iterator after_;  ///< the edge above, where new ones are inserted
};

}  // namespace widephase
