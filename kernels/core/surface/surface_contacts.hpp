#pragma once

// Which places of the triangles near a shape are contacts: of apart ones the local minima of the
// distance, of hit ones the least ways out.

#include "kernels/core/surface/felt_cone.hpp"
#include "kernels/core/surface/near_triangles.hpp"
#include "kernels/core/surface/surface_patches.hpp"

namespace widephase {
namespace {

template <class T>
class SurfaceContacts : protected NearTriangles<T> {
 protected:
  static constexpr double kSineRounding = 1e-9;
  using Near = NearTriangles<T>;
  using Near::bounds_;
  using Near::core_;
  using Near::limit_;
  using Near::list_;
  using Near::Near;
  using Near::surface_;

  /// Whether another listed triangle is nearer to the core than `than`.
  bool is_nearer(const TrianglePlace& at, double than) const {
    const std::int32_t other = list_.find(at);
    if (other < 0) return false;
    const ListedTriangle& triangle = list_.triangle[other];
    return triangle.state == TriangleState::hit ||
           (triangle.state == TriangleState::apart && triangle.distance < than);
  }
  bool exists(const TrianglePlace& at) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += surface_.height(sample_of(at, k));
    return sum - sum == 0;
  }

  /// Whether an apart triangle's nearest point is nearest on all triangles that have it.
  bool is_felt(const ListedTriangle& triangle) const {
    // The surface's upper side looks up; behind it other triangles are nearer.
    if (triangle.feature == kOfFace) return triangle.below <= 0;
    const bool is_above = !surface_.is_solid() || triangle.on_core[2] >= triangle.on_triangle[2];
    bool is_border = false;
    const auto ask = [&](const TrianglePlace& at) {
      if (is_nearer(at, triangle.distance)) return false;
      if (!is_above && !is_border) is_border = !exists(at);
      return true;
    };
    if (triangle.feature >= kOfVertex) {
      const SamplePlace sample = sample_of(triangle.place, triangle.feature - kOfVertex);
      for (int k = 0; k < triangles_around(sample); ++k) {
        if (!ask(around_sample(sample, k).place)) return false;
      }
    } else if (!ask(across_edge(triangle.place, triangle.feature - kOfEdge).place)) {
      return false;
    }
    return is_above || is_border;
  }

  void add_apart() {
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::apart || !triangle.is_own) continue;
      if (!(triangle.distance <= limit_) || !is_felt(triangle)) continue;
      add_apart(t);
    }
  }

  /// Where no direction is felt, as from below beside a hole, the nearest place of all is the
  /// answer to how far apart they are.
  void add_nearest() {
    std::int32_t best = -1;
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::apart || !triangle.is_own) continue;
      if (best < 0 || triangle.distance < list_.triangle[best].distance) best = t;
    }
    if (best >= 0) add_apart(best);
  }

  void add_apart(std::int32_t t) {
    ListedTriangle& triangle = list_.triangle[t];
    triangle.contact = contact_count_;
    SurfaceContact& contact = contacts_[contact_count_++];
    contact.away = triangle.away;
    contact.depth = -triangle.distance;
    if (!has_vertices(core_.form)) {  // the search ends near the nearest points
      const CoreSupport lowest = support_of(core_, -contact.away);
      double highest = dot(contact.away, triangle.vertex[0]);
      for (int k = 1; k < 3; ++k) {
        const double here = dot(contact.away, triangle.vertex[k]);
        highest = here > highest ? here : highest;
      }
      contact.depth = highest - dot(contact.away, lowest.point);
    }
    contact.on_core = triangle.on_core;
    contact.core_vertices = triangle.core_vertices;
    for (int k = 0; k < triangle.core_vertices; ++k) {
      contact.core_vertex[k] = triangle.core_vertex[k];
    }
    contact.triangle = t;
    contact.feature = triangle.feature;
    contact.status = triangle.distance == 0 ? 1 : 0;
    contact.patch = -1;
  }

  /// The nodes of the hit triangles: their faces, and what is shorter at convex edges and vertices.
  void add_hits(Node* nodes, std::int32_t* order) {
    nodes_ = nodes;
    Basins basins(nodes, order);
    const double height_rounding = surface_.height_rounding();
    double extent = double(core_.reach);
    bool has_any = false;
    for (std::int32_t t = 0; t < list_.count; ++t) {
      ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::hit) continue;
      has_any = true;
      triangle.face_node =
          basins.add({triangle.normal, triangle.below, triangle.lowest}, t, kOfFace);
    }
    if (!has_any) return;
    const double cell =
        double(surface_.field().cell[0] < surface_.field().cell[1] ? surface_.field().cell[0]
                                                                   : surface_.field().cell[1]);
    for (std::int32_t t = 0; core_.form != CoreForm::point && t < list_.count; ++t) {
      if (list_.triangle[t].state != TriangleState::hit) continue;
      for (int k = 0; k < 3; ++k) add_edge(t, k, height_rounding, basins);
    }
    for (std::int32_t t = 0; core_.form != CoreForm::point && t < list_.count; ++t) {
      if (list_.triangle[t].state != TriangleState::hit) continue;
      for (int k = 0; k < 3; ++k) add_vertex(t, k, height_rounding, basins);
    }
    // Samples round, so normals of level ground differ, and over the core's size its depths.
    const double level =
        64 * double(kRounding<T>) * extent + 16 * height_rounding * (1 + extent / cell);
    basins.grow(level, [&](std::int32_t n, const auto& op) {
      const Node& node = basins.node(n);
      const ListedTriangle& triangle = list_.triangle[node.triangle];
      const auto beside_edge = [&](int edge) {
        const std::int32_t other = list_.find(across_edge(triangle.place, edge).place);
        return other < 0 ? nullptr : &list_.triangle[other];
      };
      // The directions that are felt at a vertex are one cone: what shares some of them is
      // connected.
      const auto around_vertex = [&](int vertex) {
        for_each_hit(sample_of(triangle.place, vertex),
                     [&](const ListedTriangle& beside, int there) {
                       const int felt = beside.felt_at[there];
                       op(beside.vertex_node[there]);
                       if ((felt & 1) != 0) op(beside.face_node);
                       if ((felt & 2) != 0) op(beside.edge_node[there]);
                       if ((felt & 4) != 0) op(beside.edge_node[(there + 2) % 3]);
                     });
      };
      if (node.feature == kOfFace) {
        for (int k = 0; k < 3; ++k) {
          if ((triangle.felt_at[k] & 1) != 0) around_vertex(k);
          op(triangle.edge_node[k]);
          const ListedTriangle* const other = beside_edge(k);
          if (other == nullptr || other->face_node < 0) continue;
          if (rise_across(triangle, k, other->vertex) <= 8 * height_rounding) op(other->face_node);
        }
      } else if (node.feature < kOfVertex) {
        const int edge = node.feature - kOfEdge, next = (edge + 1) % 3;
        if ((triangle.felt_at[edge] & 2) != 0) around_vertex(edge);
        if ((triangle.felt_at[next] & 4) != 0) around_vertex(next);
        op(triangle.face_node);
        const ListedTriangle* const other = beside_edge(edge);
        if (other != nullptr) op(other->face_node);
      } else {
        around_vertex(node.feature - kOfVertex);
        if (!node.is_straight) along_edges(node, op);
      }
    });
    for (std::int32_t n = 0; n < basins.count(); ++n) {
      const Node& node = basins.node(n);
      if (!basins.is_least(n) || !list_.triangle[node.triangle].is_own) continue;
      list_.triangle[node.triangle].contact = contact_count_;
      SurfaceContact& contact = contacts_[contact_count_++];
      contact.away = node.way.direction;
      contact.depth = node.way.depth;
      // The core's point is straight behind the vertex, or it is a corner of the core.
      contact.on_core = node.is_straight
                            ? list_.triangle[node.triangle].vertex[node.feature - kOfVertex] -
                                  scaled(node.way.direction, node.way.depth)
                            : node.way.lowest.point;
      contact.core_vertex[0] = node.way.lowest.number;
      contact.core_vertices = 1;
      contact.triangle = node.triangle;
      contact.feature = node.feature;
      contact.status = core_.form == CoreForm::point && node.way.depth == 0 ? 1 : 0;
      contact.patch = -1;
    }
  }

  /// Calls `op` for what a way out at a vertex turns to along the arc of an edge that has it.
  template <class Op>
  void along_edges(const Node& node, const Op& op) {
    const int vertex = node.feature - kOfVertex;
    const ListedTriangle& triangle = list_.triangle[node.triangle];
    const Vector& at = triangle.vertex[vertex];
    for_each_hit(sample_of(triangle.place, vertex), [&](const ListedTriangle& beside, int there) {
      for (const int edge : {there, (there + 2) % 3}) {
        const Vector along = beside.vertex[edge == there ? (there + 1) % 3 : edge] - at;
        const double off = magnitude(dot(node.way.direction, along));
        if (!(off <= 4 * kSineRounding * root(dot(along, along)))) continue;
        op(beside.edge_node[edge] >= 0 ? beside.edge_node[edge] : beside.face_node);
      }
    });
  }

  /// How high the third vertex of the triangle across an edge is over a triangle's plane.
  double rise_across(const ListedTriangle& triangle, int edge, const Vector (&beside)[3]) const {
    const int there = across_edge(triangle.place, edge).edge;
    return dot(triangle.normal, beside[(there + 2) % 3] - triangle.vertex[edge]);
  }

  /// Whether part of the core is above a hit triangle's plane. What is wholly below is pushed up,
  /// not out beside the field.
  bool is_crossed(const ListedTriangle& triangle) const {
    return way_out_along(core_, -triangle.normal, triangle.vertex[0]).depth > 0;
  }

  void add_edge(std::int32_t t, int edge, double height_rounding, Basins& basins) {
    ListedTriangle& triangle = list_.triangle[t];
    if (triangle.edge_node[edge] >= 0) return;
    const TriangleAcross across = across_edge(triangle.place, edge);
    const std::int32_t other = list_.find(across.place);
    const bool is_hit = other >= 0 && list_.triangle[other].state == TriangleState::hit;
    if (is_hit && other < t) return;  // asked there
    Vector beside[3], normal;
    ArcEnds ends = ArcEnds::none;
    bool is_there = other >= 0;
    if (is_there) {
      for (int k = 0; k < 3; ++k) beside[k] = list_.triangle[other].vertex[k];
      normal = list_.triangle[other].normal;
    } else {
      is_there = surface_.vertices(across.place, beside) && triangle_normal(beside, normal);
    }
    if (is_there) {
      if (rise_across(triangle, edge, beside) >= -8 * height_rounding) return;
    } else {
      if (!is_crossed(triangle)) return;
      // Out of the border, no farther than a right angle, and not down: below, the field goes on.
      const Vector along = triangle.vertex[(edge + 1) % 3] - triangle.vertex[edge];
      normal = cross(along, triangle.normal);
      if (triangle.is_flipped) normal = -normal;
      if (surface_.is_solid() && normal[2] < 0) normal = {{along[1], -along[0], 0}};
      normal = unit_or(normal, triangle.normal);
      ends = ArcEnds::last;
    }
    WayOut least;
    if (!least_on_arc(core_, triangle.normal, normal, triangle.vertex[edge], ends, least)) return;
    const bool is_own = triangle.is_own || !is_hit;
    triangle.edge_node[edge] =
        basins.add(least, is_own ? t : other, kOfEdge + (is_own ? edge : across.edge));
    if (is_hit) list_.triangle[other].edge_node[across.edge] = triangle.edge_node[edge];
  }

  void add_vertex(std::int32_t t, int vertex, double height_rounding, Basins& basins) {
    ListedTriangle& triangle = list_.triangle[t];
    if (triangle.felt_at[vertex] >= 0) return;
    const SamplePlace sample = sample_of(triangle.place, vertex);
    const Vector& at = triangle.vertex[vertex];
    for_each_hit(sample, [&](ListedTriangle& beside, int there) {
      const double rounding = 8 * height_rounding;
      int felt = is_in_cone(sample, at, beside.normal, rounding) ? 1 : 0;
      const auto is_edge_in = [&](int edge) {
        const std::int32_t node = beside.edge_node[edge];
        return node >= 0 && is_in_cone(sample, at, basins.node(node).way.direction, rounding);
      };
      if (is_edge_in(there)) felt |= 2;
      if (is_edge_in((there + 2) % 3)) felt |= 4;
      beside.felt_at[there] = static_cast<std::int8_t>(felt);
    });
    WayOut least;
    bool has_any = false;
    bool is_within = true;  // else no direction between the normals around it is a least one
    for (int k = 0; k < 3; ++k) is_within &= at[k] >= bounds_.low[k] && at[k] <= bounds_.high[k];
    if (is_within)
      for_each_exit(core_, at, [&](const Vector& u) {
        if (!is_in_front(sample, u) || !is_in_cone(sample, at, u, 2 * height_rounding)) return;
        const WayOut way = way_out_along(core_, u, at);
        if (!(way.depth > 0) || (has_any && !(way.depth < least.depth))) return;
        least = way;
        has_any = true;
      });
    bool is_straight = has_any;
    if (is_border(sample)) {
      WayOut side;
      if (least_on_sides(sample, at, height_rounding, side) &&
          (!has_any || side.depth < least.depth) &&
          is_shorter_there(sample, at, side.depth, basins)) {
        least = side;
        has_any = true;
        is_straight = false;
      }
    }
    if (!has_any) return;
    std::int32_t own = t;
    int own_vertex = vertex;
    for_each_hit(sample, [&](const ListedTriangle& beside, int there) {
      if (list_.triangle[own].is_own || !beside.is_own) return;
      own = list_.find(beside.place);
      own_vertex = there;
    });
    const std::int32_t node = basins.add(least, own, kOfVertex + own_vertex, is_straight);
    for_each_hit(sample,
                 [&](ListedTriangle& beside, int there) { beside.vertex_node[there] = node; });
  }

  /// Calls `op(triangle, vertex)` for the hit triangles at a sample, and which of theirs it is.
  template <class Op>
  void for_each_hit(const SamplePlace& sample, const Op& op) {
    for (int k = 0; k < triangles_around(sample); ++k) {
      const TriangleAround around = around_sample(sample, k);
      const std::int32_t other = list_.find(around.place);
      if (other < 0 || list_.triangle[other].state != TriangleState::hit) continue;
      op(list_.triangle[other], around.vertex);
    }
  }

  bool is_border(const SamplePlace& sample) const {
    for (int k = 0; k < triangles_around(sample); ++k) {
      if (!exists(around_sample(sample, k).place)) return true;
    }
    return false;
  }

  /// The least way out over the sides of the directions that are felt at a border's vertex, in
  /// front of the hit triangles and not down.
  bool least_on_sides(const SamplePlace& sample, const Vector& at, double height_rounding,
                      WayOut& least) {
    const auto& field = surface_.field();
    const double cell = double(field.cell[0] < field.cell[1] ? field.cell[0] : field.cell[1]);
    FeltCone cone(kSineRounding + 8 * height_rounding / cell);
    if (surface_.is_solid()) cone.add({{0, 0, -1}});
    for_each_neighbour(sample, [&](const Vector& to) { cone.add(to - at); });
    bool is_crossed_any = false;
    for_each_hit(sample, [&](const ListedTriangle& triangle, int) {
      cone.add(-triangle.normal);
      is_crossed_any |= is_crossed(triangle);
    });
    if (!is_crossed_any) return false;
    bool has_any = false;
    cone.for_each_side(kSineRounding, [&](const Vector& from, const Vector& to) {
      WayOut way;
      if (!least_on_arc(core_, from, to, at, ArcEnds::both, way)) return;
      if (!(way.depth > 0) || (has_any && !(way.depth < least.depth))) return;
      least = way;
      has_any = true;
    });
    return has_any;
  }

  /// Whether a way out at a vertex is shorter than those of the faces and edges that share its
  /// directions: else these have it.
  bool is_shorter_there(const SamplePlace& sample, const Vector& at, double depth,
                        const Basins& basins) {
    const double rounding = 64 * double(kRounding<T>) * (double(core_.reach) + root(dot(at, at)));
    bool is_shorter = true;
    for_each_hit(sample, [&](const ListedTriangle& beside, int there) {
      const int felt = beside.felt_at[there];
      if ((felt & 1) != 0) is_shorter &= beside.below > depth + rounding;
      for (const int edge : {there, (there + 2) % 3}) {
        const std::int32_t node = beside.edge_node[edge];
        if (node < 0 || (felt & (edge == there ? 2 : 4)) == 0) continue;
        is_shorter &= basins.node(node).way.depth > depth + rounding;
      }
    });
    return is_shorter;
  }

  /// Whether a direction does not lead down, or behind a hit triangle of a mesh.
  bool is_in_front(const SamplePlace& sample, const Vector& u) {
    if (surface_.is_solid()) return u[2] >= -1e-6;
    bool is_in = true;
    for_each_hit(sample, [&](const ListedTriangle& triangle, int) {
      is_in &= dot(u, triangle.normal) >= -1e-6;
    });
    return is_in;
  }

  template <class Op>
  void for_each_neighbour(const SamplePlace& sample, const Op& op) const {
    for (int k = 0; !surface_.is_solid() && k < triangles_around(sample); ++k) {
      const TriangleAround around = around_sample(sample, k);
      const int before = (around.vertex + 2) % 3;
      op(surface_.position(sample_of(around.place, (around.vertex + 1) % 3)));
      if (exists(across_edge(around.place, before).place)) continue;
      op(surface_.position(sample_of(around.place, before)));
    }
    if (!surface_.is_solid()) return;
    constexpr int kSteps[6][2] = {{-1, -1}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {1, 1}};
    for (const auto& step : kSteps) {
      const Vector to = surface_.position({sample.row + step[0], sample.col + step[1]});
      if (to[2] - to[2] == 0) op(to);
    }
  }

  /// Whether a direction is felt at a sample: no edge that leaves it rises along the direction.
  bool is_in_cone(const SamplePlace& sample, const Vector& at, const Vector& u,
                  double rounding) const {
    bool is_in = true;
    for_each_neighbour(sample, [&](const Vector& to) {
      const Vector along = to - at;
      is_in &= dot(u, along) <= rounding + 1e-9 * root(dot(along, along));
    });
    return is_in;
  }

  SurfaceContact* contacts_ = nullptr;
  const Node* nodes_ = nullptr;
  std::int32_t contact_count_ = 0;
};

}  // namespace
}  // namespace widephase
