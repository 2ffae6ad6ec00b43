#pragma once

#include "kernels/core/epa/epa2.hpp"
#include "kernels/core/polygon/outline_features.hpp"

namespace widephase {
namespace {

// With gjk_epa, any two shapes in 2D except halfspaces, as outlines: GJK and EPA find the nearest
// features, then comes the manifold of the edges or, between vertices, a single point. If only
// distances are asked for, outlines that are apart need no more than GJK's nearest points.
// Frame: A's. Normal: A to B. Points: 1 or 2, on A. Features: those of the kinds.
// Ties go to the edge that EPA meets first, status 1; concentric points separate along the first
// axis. A limit of steps that was met gives status 2.
// Cost: per pair about 4 support points of each outline, one more per edge that EPA adds.
template <class F>
struct OutlineOutline {
  using A = OutlineLanes<F>;
  using B = OutlineLanes<F>;
  static constexpr int max_points = 2;

  using Room = typename Polytope<F>::Room;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin,
                                                    LaneCounter<F>& counter, Room& room) {
    const PolygonPlaces<F> places_a(a), places_b(b);
    const Placement<F> b_in_a{between(a.rotation, b.rotation),
                              rotate_back(a.rotation, b.center - a.center)};
    const OutlinePair<F> pair{OutlineVertices<F>(places_a), OutlineVertices<F>(places_b), b_in_a};
    Simplex<F> simplex;
    gjk(pair, simplex, counter);
    if (a.question != Question::deepest) {
      return manifold_of(a, b, pair, simplex, margin, counter, room);
    }
    Manifold<F, 2, 2> nearest;
    const auto is_found = find_nearest_points(a, b, pair, simplex, nearest);
    if ((LaneTraits<F>::all & ~mask_bits(is_found)) == 0) return nearest;
    return select(is_found, nearest, manifold_of(a, b, pair, simplex, margin, counter, room));
  }

 private:
  /// If the outlines are apart, GJK's last simplex has the nearest points: it ended where no vertex
  /// lies farther along the gap between them than coordinates round. This fails if the simplex's
  /// ends are not neighbours in their outline, because other vertices coincide with them or are
  /// level with them.
  static WIDEPHASE_INLINE MaskOf<F> find_nearest_points(const A& a, const B& b,
                                                        const OutlinePair<F>& pair,
                                                        const Simplex<F>& simplex,
                                                        Manifold<F, 2, 2>& manifold) {
    const F zero = F(0), one = F(1);
    const DifferenceVertex<F>& p = simplex.p;
    const auto has_two = simplex.size == F(2);
    const DifferenceVertex<F> q = select(has_two, simplex.q, p);
    const Vec<F, 2> along = from_to(p, q);
    const F share =
        clamp(divide_or_zero(negate(dot(p.point, along)), dot(along, along)), zero, one);
    const F distance = length(simplex.nearest);
    manifold.normal = direction_or(-simplex.nearest, distance, first_axis<F, 2>());
    manifold.depth = (a.radius + b.radius) - distance;
    manifold.is_tie = zero;
    auto is_named_a = has_two, is_named_b = has_two;
    const FeaturePair<F> features{feature_between(pair.a.places, a.kind, p.a, q.a, is_named_a),
                                  feature_between(pair.b.places, b.kind, p.b, q.b, is_named_b)};
    const Vec<F, 2> on_a = (p.of_a + share * (q.of_a - p.of_a)) + a.radius * manifold.normal;
    manifold.points[0] = {on_a, manifold.depth, features, one};
    manifold.points[1] = {on_a, manifold.depth, features, zero};
    turn_manifold(a.rotation, manifold);
    return (simplex.is_overlap == zero) & (simplex.is_capped == zero) & is_named_a & is_named_b;
  }

  /// The manifold of the edges that face each other, or the point between vertices.
  static WIDEPHASE_INLINE Manifold<F, 2, 2> manifold_of(const A& a, const B& b,
                                                        const OutlinePair<F>& pair,
                                                        Simplex<F>& simplex, const F& margin,
                                                        LaneCounter<F>& counter, Room& room) {
    const F zero = F(0);
    const PolygonPlaces<F>&places_a = pair.a.places, &places_b = pair.b.places;
    const Placement<F>& b_in_a = pair.b_in_a;
    const NearestFeatures<F> nearest = nearest_features(pair, simplex, counter, room);
    const Vec<F, 2> direction =
        direction_or(nearest.separation, length(nearest.separation), first_axis<F, 2>());
    const auto is_edge = nearest.is_edge > zero;
    const Candidate of_a(places_a, a.kind, not_moved<F>(), direction, is_edge, nearest.a);
    const Candidate of_b(places_b, b.kind, b_in_a, -direction, is_edge, nearest.b);
    // If only one outline moves along the difference's edge, that edge is the outline's own.
    // Otherwise the edge whose normal points more exactly along the direction counts, by the sine,
    // which tells nearly equal directions apart.
    const auto has_a = is_edge & (!(nearest.a[0] == nearest.a[1]));
    const auto has_b = is_edge & (!(nearest.b[0] == nearest.b[1]));
    const Vec<F, 2>&normal_a = of_a.edge.normal, &normal_b = of_b.edge.normal;
    const auto looks_a = dot(normal_a, direction) > zero;
    const auto looks_b = dot(normal_b, direction) < zero;
    const auto is_nearer_a = abs(cross(normal_a, direction)) <= abs(cross(normal_b, direction));
    const auto by_a = looks_a & ((!looks_b) | (has_a & !has_b) | (is_nearer_a & (has_a | !has_b)));

    // The other outline's edge is the one most opposed to the reference edge.
    EdgeLanes<F> reference = select(by_a, of_a.edge, of_b.edge);
    const F reference_number = select(by_a, of_a.number, of_b.number);
    const PolygonPlaces<F> of_reference = selected_places<F>(by_a, a, b);
    const PolygonPlaces<F> of_incident = selected_places<F>(by_a, b, a);
    const FacingOutlines<F> facing{of_reference, of_incident, select(by_a, not_moved<F>(), b_in_a),
                                   select(by_a, b_in_a, not_moved<F>())};
    const F incident_number =
        edge_along_apart(facing.incident, -rotate_back(facing.incident_at.turn, reference.normal),
                         has_blocks(facing.incident));
    EdgeLanes<F> own_reference = reference;  // unused where no edges are joined
    if (facing.reference.has_flat || facing.incident.has_flat) {
      own_reference = polygon_edge_apart(facing.reference, reference_number);
    }
    EdgeLanes<F> own_incident = polygon_edge_apart(facing.incident, incident_number);
    const auto ranges =
        facing.join_level(reference_number, incident_number, own_reference, own_incident);
    const auto placed_edge = [&](const EdgeLanes<F>& edge, const MaskOf<F>& is_of_a,
                                 const Placement<F>& at) {
      return placed(select(is_of_a, named(edge, a.kind), named(edge, b.kind)), at);
    };
    if (facing.reference.has_flat) {
      reference = placed_edge(own_reference, by_a, facing.reference_at);
    }
    const EdgeLanes<F> incident = placed_edge(own_incident, !by_a, facing.incident_at);

    // Vertices that are level with an edge, up to rounding, belong to the edge.
    const F rounding =
        roundings<F>(8) * ((coordinate_size(reference.p) + coordinate_size(reference.q)) +
                           (coordinate_size(incident.p) + coordinate_size(incident.q)));
    const Vec<F, 2>& separation = nearest.separation;
    // So does a vertex over the edge; if the edge is no longer than rounding, GJK does not see
    // that.
    const Vec<F, 2> other = select(by_a, of_b.corner.point(), of_a.corner.point());
    const auto is_beside =
        (!is_edge) & (!lies_over(reference, other)) &
        ((abs(cross(reference.normal, separation)) > rounding) |
         (dot(reference.normal, reference.normal) == zero) | (dot(separation, separation) == zero));
    // Between vertices, the vertices are the features.
    const auto neighbors = [&](const MaskOf<F>& is_next) {
      const NeighborNormals<F> next = facing.neighbors(ranges, is_next);
      return NeighborNormals<F>{next.reference, next.incident};
    };
    const FacingEdges<F> edges{reference, incident, one_where<F>(by_a), nearest.is_tie};
    Manifold<F, 2, 2> manifold = edge_manifold(edges, a.radius, b.radius, margin, neighbors);
    facing.name_level_edges(ranges, edges, a.radius, b.radius, manifold);
    // If an edge is as far away as the vertices, it is the right one of two level edges.
    const F reach = a.radius + b.radius;
    const auto is_corner =
        is_beside | ((!is_edge) & (abs((reach - manifold.depth) - length(separation)) >
                                   rounding + roundings<F>(8) * reach));
    if (any<F>(is_corner)) {
      corner_manifold(is_corner, of_a.corner, of_b.corner, a, b, manifold);
    }
    manifold.is_tie = select(nearest.is_capped > zero, F(2), manifold.is_tie);
    turn_manifold(a.rotation, manifold);
    return manifold;
  }

  static WIDEPHASE_INLINE MaskOf<F> lies_over(const EdgeLanes<F>& edge, const Vec<F, 2>& point) {
    const Vec<F, 2> along = perpendicular(edge.normal);
    return (dot(along, point - edge.p) > F(0)) & (dot(along, point - edge.q) < F(0)) &
           (dot(edge.normal, point - edge.p) > F(0));
  }
  static WIDEPHASE_INLINE EdgeLanes<F> named(EdgeLanes<F> edge, Kind kind) {
    name_features(kind, edge);
    return edge;
  }

  /// A vertex of an outline and the edges that end (begin) there.
  struct Corner {
    const PolygonPlaces<F>* places;
    Kind kind;
    Placement<F> at;
    F number;
    EdgeLanes<F> before;
    EdgeLanes<F> after;
    // From end to end, in the outline's own coordinates: placed far away, a small outline loses
    // this difference.
    Vec<F, 2> along_before;
    Vec<F, 2> along_after;

    WIDEPHASE_INLINE Corner(const PolygonPlaces<F>& outlines, Kind of_kind,
                            const Placement<F>& in_a, const F& vertex)
        : places(&outlines), kind(of_kind), at(in_a) {
      go_to(vertex);
    }
    WIDEPHASE_INLINE void go_to(const F& vertex) {
      number = vertex;
      after = edge_at(number, along_after);
      before = edge_at(neighbor(number, false), along_before);
    }
    WIDEPHASE_INLINE F neighbor(const F& vertex, bool is_next) const {
      return neighbor_number(*places, vertex, F(is_next ? 1 : 0) > F(0));
    }
    WIDEPHASE_INLINE EdgeLanes<F> edge_at(const F& edge, Vec<F, 2>& along) const {
      const EdgeLanes<F> own = polygon_edge_apart(*places, edge);
      along = rotate(at.turn, own.q - own.p);
      return placed(named(own, kind), at);
    }
    WIDEPHASE_INLINE const Vec<F, 2>& point() const { return after.p; }

    /// Moves on to a neighbour if `goal` lies beyond the edge's end there. This happens if an edge
    /// is so short that heights along the direction do not tell its ends apart. Answers whether a
    /// lane moved.
    WIDEPHASE_INLINE bool approach(const MaskOf<F>& is_corner, const Vec<F, 2>& goal) {
      const Vec<F, 2> to_goal = goal - point();
      const auto is_past = [&](const Vec<F, 2>& along) {
        const F length2 = dot(along, along);
        return is_corner & (length2 > F(0)) & (dot(to_goal, along) >= length2);
      };
      const auto is_next = is_past(along_after), is_previous = is_past(-along_before);
      if (!any<F>(is_next | is_previous)) return false;
      go_to(select(is_previous, neighbor(number, false),
                   select(is_next, neighbor(number, true), number)));
      return true;
    }
    /// The normal of the edge that begins (ends) here. If that edge is shorter than rounding: the
    /// normal of the first edge that is not, and 0 if all are.
    WIDEPHASE_INLINE Vec<F, 2> normal(bool is_after, const F& rounding2) const {
      Vec<F, 2> along = is_after ? along_after : along_before;
      Vec<F, 2> outward = is_after ? after.normal : before.normal;
      F edge = is_after ? number : neighbor(number, false);
      for (int i = 0; i < 2 && any<F>(dot(along, along) <= rounding2); ++i) {
        edge = select(dot(along, along) > rounding2, edge, neighbor(edge, is_after));
        outward = edge_at(edge, along).normal;
      }
      return select(dot(along, along) > rounding2, outward, zero_vec<F, 2>());
    }
  };

  /// An outline's part in the nearest features: its edge between the ends found. For a vertex: the
  /// edge there whose normal points more along the direction. If the ends are not neighbours,
  /// because others coincide with them: the outline's edge whose normal points most along it.
  struct Candidate {
    Corner corner;
    EdgeLanes<F> edge;
    F number;

    WIDEPHASE_INLINE Candidate(const PolygonPlaces<F>& places, Kind kind, const Placement<F>& at,
                               const Vec<F, 2>& toward, const MaskOf<F>& is_edge,
                               const F (&ends)[2])
        : corner(places, kind, at, first_end(places, is_edge, ends)) {
      // The edge between the ends found comes before the edge that points best along the direction:
      // the coordinates of a short edge give its direction less exactly than its normal does.
      const auto is_found = is_edge &
                            (corner.neighbor(corner.number, true) ==
                             select(corner.number == ends[0], ends[1], ends[0])) &
                            (dot(corner.after.normal, toward) > F(0));
      const Beside after = beside(true, is_edge), before = beside(false, is_edge);
      const auto is_after =
          is_found | (closeness(after.edge, toward) >= closeness(before.edge, toward));
      edge = select(is_after, after.edge, before.edge);
      number = select(is_after, after.number, before.number);
      const auto is_lost = is_edge & (!(ends[0] == ends[1])) & (!is_found);
      if (any<F>(is_lost)) {
        const F best = edge_along_apart(places, rotate_back(at.turn, toward), has_blocks(places));
        number = select(is_lost, best, number);
        Vec<F, 2> along;
        edge = select(is_lost, corner.edge_at(number, along), edge);
      }
    }

    struct Beside {
      EdgeLanes<F> edge;
      F number;
    };
    /// The edge that begins (ends) at the corner. For a vertex, if that edge has no length: the
    /// next edge, which begins at the same place.
    WIDEPHASE_INLINE Beside beside(bool is_after, const MaskOf<F>& is_edge) const {
      const F number = is_after ? corner.number : corner.neighbor(corner.number, false);
      const EdgeLanes<F>& own = is_after ? corner.after : corner.before;
      Vec<F, 2> along = is_after ? corner.along_after : corner.along_before;
      const auto is_none = (!is_edge) & (dot(along, along) == F(0));
      if (!any<F>(is_none)) return {own, number};
      const F next = corner.neighbor(number, is_after);
      return {select(is_none, corner.edge_at(next, along), own), select(is_none, next, number)};
    }
    /// The first of two neighbours, counter-clockwise.
    static WIDEPHASE_INLINE F first_end(const PolygonPlaces<F>& places, const MaskOf<F>& is_edge,
                                        const F (&ends)[2]) {
      const auto is_second = is_edge & (neighbor_number(places, ends[1], F(1) > F(0)) == ends[0]) &
                             (!(neighbor_number(places, ends[0], F(1) > F(0)) == ends[1]));
      return select(is_second, ends[1], ends[0]);
    }
    /// Larger for an edge whose normal points more along a direction. Near the direction the cosine
    /// no longer tells edges apart; there the sine does.
    static WIDEPHASE_INLINE F closeness(const EdgeLanes<F>& edge, const Vec<F, 2>& toward) {
      const F cosine = dot(edge.normal, toward);
      const F sine = abs(cross(edge.normal, toward));
      return select(cosine > F(static_cast<RealOf<F>>(0.7)), F(2) - sine, cosine);
    }
  };

  static __attribute__((noinline)) void corner_manifold(const MaskOf<F>& is_corner, Corner corner_a,
                                                        Corner corner_b, const A& a, const B& b,
                                                        Manifold<F, 2, 2>& manifold) {
    const F zero = F(0), one = F(1);
    for (int i = 0; i < kMostMoves; ++i) {
      const bool moves_a = corner_a.approach(is_corner, corner_b.point());
      const bool moves_b = corner_b.approach(is_corner, corner_a.point());
      if (!moves_a && !moves_b) break;
    }
    const Vec<F, 2> apart = corner_b.point() - corner_a.point();
    F distance = length(apart);
    Vec<F, 2> normal = direction_or(apart, distance, rotate_back(a.rotation, first_axis<F, 2>()));
    // Keeps the direction within the cones of normals of both vertices. Rounding may lead out of
    // them if the vertices nearly touch, or if an edge is short compared with the shapes, but no
    // farther than it moves a vertex.
    const F rounding2 = touching2<F>() * (dot(corner_a.point(), corner_a.point()) +
                                          dot(corner_b.point(), corner_b.point()));
    const F most2 = F(16) * rounding2;
    const auto keep_left_of = [&](const Vec<F, 2>& side, const F& turn) {
      const F aside = cross(side, apart);
      const auto is_past = is_corner & (turn * cross(side, normal) < zero) &
                           (dot(side, normal) > zero) & (aside * aside <= most2);
      normal = select(is_past, side, normal);
      distance = select(is_past, dot(side, apart), distance);
    };
    keep_left_of(corner_a.normal(false, rounding2), one);
    keep_left_of(corner_a.normal(true, rounding2), F(-1));
    keep_left_of(-corner_b.normal(false, rounding2), one);
    keep_left_of(-corner_b.normal(true, rounding2), F(-1));
    manifold.normal = select(is_corner, normal, manifold.normal);
    manifold.depth = select(is_corner, (a.radius + b.radius) - distance, manifold.depth);
    manifold.is_tie = select(is_corner, one_where<F>(distance == zero), manifold.is_tie);
    const ManifoldPoint<F, 2> point{corner_a.point() + a.radius * normal,
                                    manifold.depth,
                                    {corner_a.after.feature_p, corner_b.after.feature_p},
                                    one};
    manifold.points[0] = select(is_corner, point, manifold.points[0]);
    manifold.points[1].exists = select(is_corner, zero, manifold.points[1].exists);
  }

  static constexpr int kMostMoves = 4;
};

}  // namespace
}  // namespace widephase
