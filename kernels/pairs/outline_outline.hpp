#pragma once

#include "core/epa2.hpp"
#include "core/outline_features.hpp"
#include "core/run.hpp"

namespace widephase {
namespace {

// Any two of circle, capsule, aabb, box and polygon as outlines, by GJK and EPA: the nearest
// features, then the manifold of the edges or, between vertices, their point.
// Frame: A's. Normal: A to B. Points: 1 or 2, on A. Features: those of the kinds.
// Ties of the way out go to the edge that EPA meets first, status 1; concentric points part along
// the first axis. A limit of steps that was met gives status 2.
// Cost: about 4 supports of each outline a pair, one more an edge that EPA adds.
template <class F>
struct OutlineOutline {
  using A = PolygonLanes<F>;
  using B = PolygonLanes<F>;
  using T = RealOf<F>;
  static constexpr int max_points = 2;
  static constexpr int block = kSearchPairs;
  static constexpr int lanes = LaneTraits<F>::count;

  /// Finds the nearest features of pairs first ... first + count - 1, up to `block` of them.
  void search(const PairRun<2, T>& run, std::int64_t first, int count) {
    kind_a_ = run.kind_a;
    kind_b_ = run.kind_b;
    count_ = count;
    OutlinePairs<T> pairs;
    bool has_large = false;
    TailCopy<F> tail;
    for (int at = 0; at < count; at += lanes) {
      const auto batch = fetch_batch<F, OutlineOutline>(run, first + at, tail);
      EmitContext<F, 2> context;
      A a = batch.a;
      B b = batch.b;
      move_to_origin(run, a, b, context);
      const Rotation<F> turn = between(a.rotation, b.rotation);
      const Vec<F, 2> center = rotate_back(a.rotation, b.center - a.center);
      const PolygonPlaces<F> places_a(a), places_b(b);
      const Lanes<F> cosine(turn.cosine), sine(turn.sine), x(center[0]), y(center[1]);
      for (int i = 0; i < lanes && at + i < count; ++i) {
        const int slot = at + i;
        pairs.cosine[slot] = cosine[i];
        pairs.sine[slot] = sine[i];
        pairs.x[slot] = x[i];
        pairs.y[slot] = y[i];
        pairs.vertices_a[slot] = places_a.blocks(i) + PolygonLayout::vertex_x;
        pairs.vertices_b[slot] = places_b.blocks(i) + PolygonLayout::vertex_x;
        pairs.blocks_a[slot] = places_a.block_count(i);
        pairs.blocks_b[slot] = places_b.block_count(i);
        has_large = has_large || pairs.blocks_a[slot] > 1 || pairs.blocks_b[slot] > 1;
      }
    }
    OverlapSimplex<T> overlaps[kSearchPairs];
    const int overlap_count = gjk<F>(pairs, count, has_large, found_, overlaps);
    epa<F>(pairs, has_large, overlaps, overlap_count, found_);
  }

  /// The contacts of a batch whose first pair is pair `slot` of the block searched.
  Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin, int slot) const {
    const F zero = F(0), one = F(1);
    const Rotation<F> upright{one, zero};
    const Rotation<F> turn = between(a.rotation, b.rotation);
    const Vec<F, 2> center = rotate_back(a.rotation, b.center - a.center);
    const PolygonPlaces<F> places_a(a), places_b(b);
    const bool is_large = has_blocks(places_a) || has_blocks(places_b);

    T normal_x[lanes], normal_y[lanes], is_vertex[lanes], is_tie[lanes], is_capped[lanes];
    T edge_a[lanes], edge_b[lanes], moves_a[lanes], moves_b[lanes];
    T vertex_a[lanes], vertex_b[lanes];
    for (int i = 0; i < lanes; ++i) {
      // Lanes past the end of the list repeat its last pair.
      const int at = slot + i < count_ ? slot + i : count_ - 1;
      normal_x[i] = found_.normal_x[at];
      normal_y[i] = found_.normal_y[at];
      is_vertex[i] = found_.kind[at] == Nearest::vertices ? T(1) : T(0);
      is_tie[i] = found_.is_tie[at] ? T(1) : T(0);
      is_capped[i] = found_.is_capped[at] ? T(1) : T(0);
      vertex_a[i] = found_.vertex_a[at][0];
      vertex_b[i] = found_.vertex_b[at][0];
      const bool is_edge = found_.kind[at] == Nearest::edge;
      const auto& ends_a = found_.vertex_a[at];
      const auto& ends_b = found_.vertex_b[at];
      moves_a[i] = is_edge && ends_a[0] != ends_a[1] ? T(1) : T(0);
      moves_b[i] = is_edge && ends_b[0] != ends_b[1] ? T(1) : T(0);
      edge_a[i] = static_cast<T>(is_edge ? edge_between(ends_a, places_a.count(i)) : -1);
      edge_b[i] = static_cast<T>(is_edge ? edge_between(ends_b, places_b.count(i)) : -1);
    }
    const Vec<F, 2> separation{{load(normal_x), load(normal_y)}};
    const Vec<F, 2> direction = direction_or(separation, length(separation), first_axis<F, 2>());
    const Vec<F, 2> origin = zero_vec<F, 2>();
    const auto edge_of_a = [&](const F& number) {
      EdgeLanes<F> edge = polygon_edge_apart(places_a, number);
      name_features(kind_a_, edge);
      return edge;
    };
    const auto edge_of_b = [&](const F& number) {
      EdgeLanes<F> edge = polygon_edge_apart(places_b, number);
      name_features(kind_b_, edge);
      return placed(edge, turn, center);
    };
    // The edges that look most along the direction; where the ends found are neighbours, their own
    // edge: a short edge says less exactly where it looks than its normal does.
    const auto number_or = [&](const F& found, const F& along, const Vec<F, 2>& normal_found,
                               const Vec<F, 2>& toward) {
      return select((found >= zero) & (dot(normal_found, toward) > zero), found, along);
    };
    const auto valid = [&](const F& number) { return select(number < zero, zero, number); };
    const F found_a = load(edge_a), found_b = load(edge_b);
    const Vec<F, 2> toward_a = -direction;
    F number_a = number_or(found_a, edge_along_apart(places_a, direction, is_large),
                           edge_of_a(valid(found_a)).normal, direction);
    F number_b =
        number_or(found_b, edge_along_apart(places_b, rotate_back(turn, toward_a), is_large),
                  edge_of_b(valid(found_b)).normal, toward_a);
    EdgeLanes<F> of_a = edge_of_a(number_a), of_b = edge_of_b(number_b);
    // Where one outline alone moves along the difference's edge, it is that outline's edge; else
    // the one that looks more exactly that way: by the sine, which tells nearly equal ways apart.
    const auto has_a = load(moves_a) > zero, has_b = load(moves_b) > zero;
    const auto looks_a = dot(of_a.normal, direction) > zero;
    const auto looks_b = dot(of_b.normal, toward_a) > zero;
    const auto is_nearer_a =
        abs(cross(of_a.normal, direction)) <= abs(cross(of_b.normal, direction));
    const auto is_reference_a =
        looks_a & ((!looks_b) | (has_a & !has_b) | (is_nearer_a & (has_a | !has_b)));
    // The other outline's edge is the one most opposed to the reference edge.
    const auto has_edge = has_a | has_b;
    if (any<F>(has_edge)) {
      const F most_opposed_b =
          edge_along_apart(places_b, rotate_back(turn, -of_a.normal), is_large);
      const F most_opposed_a = edge_along_apart(places_a, -of_b.normal, is_large);
      number_b = select(has_edge & is_reference_a, most_opposed_b, number_b);
      number_a = select(has_edge & (!is_reference_a), most_opposed_a, number_a);
      of_a = edge_of_a(number_a);
      of_b = edge_of_b(number_b);
    }
    const F is_by_a = one_where<F>(is_reference_a);
    const FacingEdges<F> edges{select(is_reference_a, of_a, of_b),
                               select(is_reference_a, of_b, of_a), is_by_a, load(is_tie)};
    // Vertices that lie level with an edge but for rounding are the edge's.
    const auto extent = [](const Vec<F, 2>& v) { return abs(v[0]) + abs(v[1]); };
    const F rounding =
        roundings<F>(8) * ((extent(of_a.p) + extent(of_a.q)) + (extent(of_b.p) + extent(of_b.q)));
    const auto is_corner =
        (load(is_vertex) > zero) & ((abs(cross(edges.reference.normal, separation)) > rounding) |
                                    (dot(edges.reference.normal, edges.reference.normal) == zero) |
                                    (dot(separation, separation) == zero));
    const auto neighbors = [&](const MaskOf<F>& is_next) {
      const Vec<F, 2> next_a =
          polygon_edge_apart(places_a, neighbor_number(places_a, number_a, is_next)).normal;
      const Vec<F, 2> next_b = rotate(
          turn, polygon_edge_apart(places_b, neighbor_number(places_b, number_b, is_next)).normal);
      return NeighborNormals<F>{select(is_reference_a, next_a, next_b),
                                select(is_reference_a, next_b, next_a)};
    };
    Manifold<F, 2, 2> manifold = edge_manifold(edges, a.radius, b.radius, margin, neighbors);
    if (any<F>(is_corner)) {
      Corner<F> corner_a(places_a, load(vertex_a), kind_a_, upright, origin);
      Corner<F> corner_b(places_b, load(vertex_b), kind_b_, turn, center);
      corner_manifold(is_corner, corner_a, corner_b, a, b, manifold);
    }
    manifold.is_tie = select(load(is_capped) > zero, F(2), manifold.is_tie);
    turn_manifold(a.rotation, manifold);
    for (ManifoldPoint<F, 2>& point : manifold.points) point.position = point.position + a.center;
    return manifold;
  }

 private:
  static constexpr int kMostMoves = 4;

  /// The edge between two neighbouring vertices; -1 where they are not, or are so both ways.
  static int edge_between(const std::int16_t (&ends)[2], int count) {
    if (count < 3) return -1;
    if (ends[1] == (ends[0] + 1 == count ? 0 : ends[0] + 1)) return ends[0];
    if (ends[0] == (ends[1] + 1 == count ? 0 : ends[1] + 1)) return ends[1];
    return -1;
  }

  /// A vertex of an outline, by number.
  template <class G>
  struct Corner {
    const PolygonPlaces<G>& places;
    G number;
    Kind kind;
    Rotation<G> turn;
    Vec<G, 2> center;
    Vec<G, 2> point;
    G feature;

    Corner(const PolygonPlaces<G>& outline, const G& vertex, Kind of_kind,
           const Rotation<G>& rotation, const Vec<G, 2>& origin)
        : places(outline), kind(of_kind), turn(rotation), center(origin) {
      go_to(vertex);
    }
    void go_to(const G& vertex) {
      number = vertex;
      EdgeLanes<G> edge = polygon_edge_apart(places, number);
      name_features(kind, edge);
      point = center + rotate(turn, edge.p);
      feature = edge.feature_p;
    }
    /// Moves on to a neighbour where `goal` lies beyond the edge's end there: where an edge is so
    /// short that heights along the direction do not tell its ends apart. Whether a lane moved.
    MaskOf<G> approach(const MaskOf<G>& is_corner, const Vec<G, 2>& goal) {
      const Vec<G, 2> to_goal = rotate_back(turn, goal - point);
      G moved = number;
      for (const bool is_after : {true, false}) {
        const MaskOf<G> is_next = G(is_after ? 1 : 0) > G(0);
        const G neighbor = neighbor_number(places, number, is_next);
        const EdgeLanes<G> edge = polygon_edge_apart(places, is_after ? number : neighbor);
        const Vec<G, 2> along = is_after ? edge.q - edge.p : edge.p - edge.q;
        const G length2 = dot(along, along);
        const auto is_past = is_corner & (length2 > G(0)) & (dot(to_goal, along) >= length2);
        moved = select(is_past, neighbor, moved);
      }
      const MaskOf<G> moves = !(moved == number);
      if (any<G>(moves)) go_to(moved);
      return moves;
    }
    /// The normal of the edge that begins (ends) here; where that is shorter than rounding, of the
    /// first one that is not, and 0 where all are.
    Vec<G, 2> normal(bool is_after, const G& rounding2) const {
      const MaskOf<G> is_next = G(is_after ? 1 : 0) > G(0);
      const auto has_length = [&](const EdgeLanes<G>& edge) {
        const Vec<G, 2> along = edge.q - edge.p;
        return dot(along, along) > rounding2;
      };
      G at = is_after ? number : neighbor_number(places, number, is_next);
      EdgeLanes<G> edge = polygon_edge_apart(places, at);
      for (int i = 0; i < 2 && any<G>(!has_length(edge)); ++i) {
        at = select(has_length(edge), at, neighbor_number(places, at, is_next));
        edge = polygon_edge_apart(places, at);
      }
      return select(has_length(edge), rotate(turn, edge.normal), zero_vec<G, 2>());
    }
  };

  static void corner_manifold(const MaskOf<F>& is_corner, Corner<F>& corner_a, Corner<F>& corner_b,
                              const A& a, const B& b, Manifold<F, 2, 2>& manifold) {
    const F zero = F(0), one = F(1);
    for (int i = 0; i < kMostMoves; ++i) {
      const auto moves_a = corner_a.approach(is_corner, corner_b.point);
      const auto moves_b = corner_b.approach(is_corner, corner_a.point);
      if (!any<F>(moves_a | moves_b)) break;
    }
    const Vec<F, 2> apart = corner_b.point - corner_a.point;
    F distance = length(apart);
    Vec<F, 2> normal = direction_or(apart, distance, rotate_back(a.rotation, first_axis<F, 2>()));
    // The way is kept within the cones of normals of both vertices: rounding may lead out of them
    // where the vertices nearly touch, or where an edge is short beside the shapes.
    const auto keep_left_of = [&](const Vec<F, 2>& side, const F& turn) {
      const auto is_past =
          is_corner & (turn * cross(side, normal) < zero) & (dot(side, normal) > zero);
      normal = select(is_past, side, normal);
      distance = select(is_past, dot(side, apart), distance);
    };
    const F rounding2 = touching2<F>() *
                        (dot(corner_a.point, corner_a.point) + dot(corner_b.point, corner_b.point));
    keep_left_of(corner_a.normal(false, rounding2), one);
    keep_left_of(corner_a.normal(true, rounding2), F(-1));
    keep_left_of(-corner_b.normal(false, rounding2), one);
    keep_left_of(-corner_b.normal(true, rounding2), F(-1));
    manifold.normal = select(is_corner, normal, manifold.normal);
    manifold.depth = select(is_corner, (a.radius + b.radius) - distance, manifold.depth);
    manifold.is_tie = select(is_corner, one_where<F>(distance == zero), manifold.is_tie);
    const ManifoldPoint<F, 2> point{corner_a.point + a.radius * normal,
                                    manifold.depth,
                                    {corner_a.feature, corner_b.feature},
                                    one};
    manifold.points[0] = select(is_corner, point, manifold.points[0]);
    manifold.points[1].exists = select(is_corner, zero, manifold.points[1].exists);
  }

  NearestFeatures<T> found_;
  int count_ = 0;
  Kind kind_a_ = Kind::circle;
  Kind kind_b_ = Kind::circle;
};

}  // namespace
}  // namespace widephase
