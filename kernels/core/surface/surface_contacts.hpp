#pragma once

// Which places of the triangles near a shape are contacts: for triangles apart from it the local
// minima of the distance, for those that it hits the least ways out.

#include "kernels/core/surface/area_cuts.hpp"
#include "kernels/core/surface/felt_ways.hpp"
#include "kernels/core/surface/heap_sort.hpp"
#include "kernels/core/surface/hit_planes.hpp"
#include "kernels/core/surface/surface_patches.hpp"

namespace widephase {
namespace {

template <class T>
class SurfaceContacts : protected FeltWays<T> {
 protected:
  using Felt = FeltWays<T>;
  using Near = NearTriangles<T>;
  using Felt::Felt;
  using Near::core_;
  using Near::limit_;
  using Near::list_;
  using Near::surface_;
  using Near::touching_;

  /// Whether another listed triangle is nearer to the core than `than`.
  bool is_nearer(const TrianglePlace& at, double than) const {
    const std::int32_t other = list_.find(at);
    if (other < 0) return false;
    const ListedTriangle& triangle = list_.triangle[other];
    return triangle.state == TriangleState::hit ||
           (triangle.state == TriangleState::apart && rival_distance(triangle) < than);
  }
  /// How far a triangle is that keeps others at the same edge or vertex from being felt. One that
  /// the shape is behind has no contact in their place, and one beyond a mesh's border has it in
  /// another mesh, which rounds otherwise: so these must be nearer than by rounding. One behind may
  /// be at a seam, and then its vertices round as well, so the same is asked of all.
  double rival_distance(const ListedTriangle& triangle) const {
    if (triangle.is_own || surface_.is_solid()) return triangle.distance;
    const double rounding = 4 * touching_ + Near::distance_rounding(triangle.vertex);
    if (triangle.is_behind) return triangle.distance + rounding + width_of_seams(*surface_.mesh());
    return triangle.distance + rounding + 4 * surface_.height_rounding();
  }

  /// Whether no triangle at a vertex of a mesh is nearer than `than`. How near those are that have
  /// the vertex is asked once, however many they are; others that are there only if these are not
  /// nearer.
  bool is_least_around(const SamplePlace& vertex, double than) const {
    const TriangleAround first = around_sample(vertex, 0);
    const std::int32_t keeper = list_.find(first.place);
    NearPlace own, &known = keeper < 0 ? own : list_.triangle[keeper].around[first.vertex];
    if (!(known.least >= 0)) {
      known.least = kInfinite<double>;
      for (int k = 0; k < triangles_around(vertex); ++k) {
        const std::int32_t other = list_.find(around_sample(vertex, k).place);
        if (other < 0 || list_.triangle[other].state == TriangleState::far) continue;
        const double here = rival_distance(list_.triangle[other]);
        known.least = here < known.least ? here : known.least;
      }
    }
    return is_least(known, surface_.position(vertex), than, first.place, -1);
  }
  /// Whether what is known of a place, and then what else is there, is not nearer than `than`.
  bool is_least(NearPlace& known, const Vector& point, double than, const TrianglePlace& own,
                int edge) const {
    if (!(known.least >= than)) return false;
    if (!known.is_whole) known.least = least_at(point, known.least, own, edge);
    known.is_whole = true;
    return known.least >= than;
  }

  /// Whether another triangle is at a point of an edge only because it has an end of it.
  bool has_near_end(const TrianglePlace& own, int edge, const ListedTriangle& other,
                    const Vector& point) const {
    const double width = width_of_seams(*surface_.mesh());
    for (const int end : {edge, (edge + 1) % 3}) {
      const std::int32_t vertex = mesh_corner(own, end);
      bool has = false;
      for (int k = 0; k < 3; ++k) has |= mesh_corner(other.place, k) == vertex;
      const Vector at = surface_.position(sample_of(own, end)), apart = point - at;
      if (!has || !(dot(apart, apart) <= 4 * width * width)) continue;
      const Vector to = surface_.position(sample_of(own, end == edge ? (edge + 1) % 3 : edge));
      return !goes_along(other.vertex, at, to, width);
    }
    return false;
  }

  /// The least of a distance and how near the triangles are that have a place of a mesh: others
  /// than those of its edge or vertex too, as where vertices lie on edges of others.
  /// At an edge, those that are there for one of its ends alone do not count.
  double least_at(const Vector& point, double least, const TrianglePlace& own, int edge) const {
    const double width = width_of_seams(*surface_.mesh());
    double here = 0;
    const auto is_nearer = [&](const ListedTriangle& triangle) {
      if (triangle.state == TriangleState::far) return false;
      here = rival_distance(triangle);
      return here < least && !(edge >= 0 && has_near_end(own, edge, triangle, point));
    };
    constexpr std::int32_t kFew = 64;
    if (list_.count <= kFew) {
      for (std::int32_t t = 0; t < list_.count; ++t) {
        const ListedTriangle& triangle = list_.triangle[t];
        if (is_nearer(triangle) && is_at_triangle(triangle.vertex, point, width)) least = here;
      }
      return least;
    }
    const auto is_wanted = [&](const TrianglePlace& at) {
      const std::int32_t other = list_.find(at);
      return other >= 0 && is_nearer(list_.triangle[other]);
    };
    for_each_at_point(surface_, point, is_wanted, [&](const TrianglePlace&) {
      least = here;
      return true;
    });
    return least;
  }

  /// The same at a border edge, of which a point is the nearest place.
  bool is_least_along(const TrianglePlace& place, int edge, const Vector& point,
                      double than) const {
    NearPlace own;
    own.least = kInfinite<double>;
    NearPlace* known = nullptr;
    for_each_at_edge(place, edge, [&](const TrianglePlace& at, int there) {
      const std::int32_t other = list_.find(at);
      if (other < 0) return true;
      ListedTriangle& triangle = list_.triangle[other];
      if (known == nullptr) known = triangle.along + there;
      if (known->least >= 0) return false;
      const double here = rival_distance(triangle);
      if (triangle.state != TriangleState::far && here < own.least) own.least = here;
      return true;
    });
    if (known == nullptr) known = &own;
    if (!(known->least >= 0)) known->least = own.least;
    return is_least(*known, point, than, place, edge);
  }

  /// Gives each triangle that the shape is behind the least distance of its area, those that are in
  /// one plane and hang together: what it is nearer by than rounding must not depend on its cuts.
  void join_behind() {
    const auto is_behind = [](const ListedTriangle& triangle) {
      return triangle.is_behind && triangle.state == TriangleState::apart;
    };
    const double rounding = width_of_seams(*surface_.mesh());
    for (std::int32_t t = 0; t < list_.count; ++t) {
      ListedTriangle& first = list_.triangle[t];
      if (!is_behind(first) || first.area >= 0) continue;
      first.area = t;
      double least = first.distance;
      std::int32_t last = t;
      for (std::int32_t n = t; n >= 0; n = list_.triangle[n].next_in_area) {
        least = list_.triangle[n].distance < least ? list_.triangle[n].distance : least;
        const auto add = [&](const TrianglePlace& at) {
          const std::int32_t other = list_.find(at);
          if (other < 0) return;
          ListedTriangle& beside = list_.triangle[other];
          if (!is_behind(beside) || beside.area >= 0) return;
          if (!are_in_one_plane(first, beside, rounding)) return;
          beside.area = t;
          list_.triangle[last].next_in_area = other;
          last = other;
        };
        for_each_beside(surface_, list_.triangle[n], double(core_.reach) + limit_, add);
      }
      for (std::int32_t n = t; n >= 0; n = list_.triangle[n].next_in_area) {
        list_.triangle[n].distance = least;
      }
    }
    are_behind_joined_ = true;
  }

  /// Whether an apart triangle's nearest point is nearest on all triangles that have it.
  bool is_felt(const ListedTriangle& triangle) {
    // The surface's upper side looks up; behind it other triangles are nearer.
    if (triangle.feature == kOfFace) return triangle.below <= 0;
    if (!surface_.is_solid() && !are_behind_joined_) join_behind();
    const bool is_above = !surface_.is_solid() || triangle.on_core[2] >= triangle.on_triangle[2];
    bool is_border = false;
    const auto ask = [&](const TrianglePlace& at) {
      if (is_nearer(at, triangle.distance)) return false;
      if (!is_above && !is_border) is_border = !surface_.exists(at);
      return true;
    };
    if (triangle.feature >= kOfVertex) {
      const SamplePlace sample = sample_of(triangle.place, triangle.feature - kOfVertex);
      if (sample.mesh != nullptr) return is_least_around(sample, triangle.distance);
      for (int k = 0; k < triangles_around(sample); ++k) {
        if (!ask(around_sample(sample, k).place)) return false;
      }
    } else {
      const int edge = triangle.feature - kOfEdge;
      const TrianglePlace across = across_edge(triangle.place, edge).place;
      if (across.mesh != nullptr && across.row < 0) {
        return is_least_along(triangle.place, edge, triangle.on_triangle, triangle.distance);
      }
      if (!ask(across)) return false;
      if (across.mesh != nullptr) {
        return least_at(triangle.on_triangle, triangle.distance, triangle.place, edge) >=
               triangle.distance;
      }
    }
    return is_above || is_border;
  }

  void add_apart() {
    are_behind_joined_ = false;
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
    contact.rank = contact.depth;
    contact.is_faces = false;
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

  /// Finds the ways out that count, the shortest first. One that clears other triangles as well
  /// stands for those that it reaches over such triangles.
  void add_hits(FeatureWay* ways, std::int32_t* order) {
    this->find_ways(ways);
    if (!surface_.is_solid()) join_areas(order);
    std::int32_t count = 0;
    for (std::int32_t t = 0; t < list_.count; ++t) {
      ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::hit) continue;
      order[count++] = t;
      triangle.distance = rank_of(triangle, this->least_of(t));
    }
    heap_sort(order, count, [&](std::int32_t a, std::int32_t b) {
      const double x = list_.triangle[a].distance, y = list_.triangle[b].distance;
      return x != y ? x < y : a < b;
    });
    std::int32_t* const end = order + count;
    for (std::int32_t* next = order;;) {
      while (next != end && (list_.triangle[*next].is_cleared || AreaCuts::is_cut(list_, *next)))
        ++next;
      const bool is_of_area = next == end ? cuts_.is_any_waiting()
                                          : cuts_.has_before(list_.triangle[*next].distance, *next);
      if (is_of_area) {
        const std::int32_t t = cuts_.take_first();
        // If another area's way cleared it, it cleared all that was left.
        if (!list_.triangle[t].is_cleared) leave_rest(t, order, end);
      } else if (next != end) {
        leave(this->least_of(*next), *next, next, end);
      } else {
        return;
      }
    }
  }

  /// Leaves a hit triangle by a way out, whose contact is its own, or that of one of the listed
  /// from `begin` to `end`, behind which there is room for all.
  void leave(const FeatureWay& found, std::int32_t own, const std::int32_t* begin,
             std::int32_t* end) {
    const double most = place_cleared(found.way);
    const std::int32_t rest = clear_by(found.way.direction, most, own, end);
    if (list_.triangle[found.triangle].is_own) {
      add_hit(found);
    } else {
      add_own_hit(found.way.direction, own, begin, end);
    }
    if (rest < 0) return;
    cuts_.add(list_, own, found.way.direction, most);
    const ListedTriangle& triangle = list_.triangle[rest];
    cuts_.wait(list_.triangle[triangle.area].cut, rest, rank_of(triangle, least_of_rest(rest)));
  }
  /// The same for what ways out before leave of the area of a triangle.
  void leave_rest(std::int32_t t, const std::int32_t* begin, std::int32_t* end) {
    const bool is_last = cuts_.is_full(list_, list_.triangle[t].area);
    const FeatureWay found = is_last ? this->way_of_face(t) : least_of_rest(t);
    const std::int32_t before = contact_count_;
    leave(found, found.triangle, begin, end);
    if (is_last && contact_count_ > before) contacts_[before].status = 2;
  }

  /// Says when a hit triangle's way out comes.
  double rank_of(const ListedTriangle& triangle, const FeatureWay& least) const {
    double rank = least.way.depth;
    // A mesh's triangles may begin with any vertex; one way meets the core at one place.
    const double shorter =
        this->shorter_by(surface_.is_solid() ? triangle.vertex[0] : least.way.lowest.point);
    if (least.is_faces) rank += 2 * shorter;
    if (least.is_edges) rank += shorter;
    // A face is left where the core crosses it.
    if (triangle.is_beside && least.feature == kOfFace) rank += shorter;
    return rank;
  }

  /// The least way out of what ways out before leave of the area of a triangle, the same however it
  /// is cut: of its edges and vertices those count that the core reaches there.
  FeatureWay least_of_rest(std::int32_t t) const {
    const std::int32_t area = list_.triangle[t].area;
    const auto is_of_rest = [&](const ListedTriangle& triangle, int feature, const Vector& u) {
      if (triangle.contact >= 0 || triangle.has_cut) return false;
      const bool is_edge = feature < kOfVertex;
      const int first = feature - (is_edge ? kOfEdge : kOfVertex);
      AreaPart part;
      part.add(triangle.vertex[first]);
      if (is_edge) part.add(triangle.vertex[(first + 1) % 3]);
      cuts_.apply(list_, area, part);
      return part.count > 0 && (!is_edge || this->reaches_behind(part.corner, part.count, u));
    };
    return this->least_of_mesh(area, this->way_of_face(t), true, is_of_rest);
  }

  /// Joins the hit triangles of a mesh that are in one plane and hang together to areas. `next` has
  /// room for all.
  void join_areas(std::int32_t* next) {
    const double rounding = width_of_seams(*surface_.mesh());
    for (std::int32_t t = 0; t < list_.count; ++t) {
      ListedTriangle& first = list_.triangle[t];
      if (first.state != TriangleState::hit || first.area >= 0) continue;
      first.area = t;
      std::int32_t count = 0, last = t;
      next[count++] = t;
      while (count > 0) {
        const ListedTriangle& triangle = list_.triangle[next[--count]];
        const auto add = [&](std::int32_t other, int) {
          if (other < 0) return;
          ListedTriangle& beside = list_.triangle[other];
          if (beside.state != TriangleState::hit || beside.area >= 0) return;
          if (!are_in_one_plane(first, beside, rounding)) return;
          beside.area = t;
          list_.triangle[last].next_in_area = other;
          last = other;
          next[count++] = other;
        };
        for (int edge = 0; edge < 3; ++edge) {
          add(triangle.beside[edge], 0);
          this->for_each_in_seam(triangle, edge, add);
        }
      }
    }
  }

  /// A neighbour's way out stands for own triangles as well: of those with nearly its direction the
  /// shortest one is this surface's part of the patch.
  void add_own_hit(const Vector& direction, std::int32_t cleared_from, const std::int32_t* begin,
                   const std::int32_t* end) {
    for (const std::int32_t* t = begin; t != end; ++t) {
      const ListedTriangle& triangle = list_.triangle[*t];
      if (triangle.cleared_from != cleared_from || !triangle.is_own) continue;
      const FeatureWay own = this->least_of(*t);
      if (!list_.triangle[own.triangle].is_own || list_.triangle[own.triangle].contact >= 0)
        continue;
      if (dot(own.way.direction, direction) >= this->run_.patch_cosine) return add_hit(own);
    }
  }

  /// The end of what a way out clears, along its direction.
  double place_cleared(const WayOut& way) const {
    // Samples round, so normals of level ground differ, and over the core's size its depths.
    const double extent = double(core_.reach), height_rounding = surface_.height_rounding();
    // A mesh's triangles may be cut to any size, which must not show.
    const auto& cell = surface_.field().cell;
    const double cells =
        surface_.is_solid() ? extent / double(cell[0] < cell[1] ? cell[0] : cell[1]) : 1;
    const double level = 64 * double(kRounding<T>) * extent + 16 * height_rounding * (1 + cells);
    return dot(way.direction, way.lowest.point) + way.depth + level;
  }

  /// Whether the core reaches what is left of a triangle farther along a direction than `most`.
  bool is_kept(const ListedTriangle& triangle, const Vector& u, double most) const {
    int beyond = 0;
    for (const Vector& vertex : triangle.vertex) beyond += dot(u, vertex) - most > 0 ? 1 : 0;
    if (beyond == 0) return false;
    if (triangle.area < 0 && beyond == 3) return this->reaches_below(triangle.vertex, 3);
    AreaPart part;
    for (const Vector& vertex : triangle.vertex) part.add(vertex);
    part.cut(u, most);
    cuts_.apply(list_, triangle.area, part);
    return part.count > 0 && this->reaches_below(part.corner, part.count);
  }

  /// Marks the triangles that a way out clears, from its own on: over edges below which the core
  /// reaches. Of an area of a mesh it clears all or none, but of its own what is not round a corner
  /// of the area: returns a triangle that has a part of the rest, -1 if none has. `next` has room
  /// for all.
  std::int32_t clear_by(const Vector& u, double most, std::int32_t own, std::int32_t* next) {
    const std::int32_t own_area = list_.triangle[own].area;
    std::int32_t count = 0, rest = -1;
    const auto reach = [&](std::int32_t t) {
      list_.triangle[t].is_cleared = true;
      list_.triangle[t].cleared_from = own;
      next[count++] = t;
    };
    const auto reach_area = [&](std::int32_t t) {
      const std::int32_t area = list_.triangle[t].area;
      if (area < 0) {
        if (!is_kept(list_.triangle[t], u, most)) reach(t);
        return;
      }
      std::int32_t& kept_from = list_.triangle[area].kept_from;
      if (kept_from == own) return;
      for (std::int32_t n = area; n >= 0; n = list_.triangle[n].next_in_area) {
        if (!is_kept(list_.triangle[n], u, most)) continue;
        kept_from = own;
        return;
      }
      for (std::int32_t n = area; n >= 0; n = list_.triangle[n].next_in_area) reach(n);
    };
    reach(own);
    if (own_area >= 0) {
      list_.triangle[own_area].kept_from = own;
      const bool is_last = cuts_.is_full(list_, own_area);
      for (std::int32_t n = own_area; n >= 0; n = list_.triangle[n].next_in_area) {
        if (n == own) continue;
        const ListedTriangle& triangle = list_.triangle[n];
        if (is_last || triangle.is_cleared || !is_kept(triangle, u, most)) {
          reach(n);
          continue;
        }
        // The core crosses it, if any.
        if (rest < 0 || (list_.triangle[rest].is_beside && !triangle.is_beside)) rest = n;
        next[count++] = n;  // the part that is cleared goes on
      }
    }
    while (count > 0) {
      ListedTriangle& triangle = list_.triangle[next[--count]];
      for (int edge = 0; edge < 3; ++edge) {
        const auto pass = [&](std::int32_t other, int there) {
          if (other < 0 || list_.triangle[other].state != TriangleState::hit) return;
          ListedTriangle& beside = list_.triangle[other];
          if (beside.cleared_from == own) return;
          if (!this->is_edge_reached(triangle, edge, beside, (there + 2) % 3)) return;
          if (rest >= 0 && triangle.area == own_area) {
            AreaPart part;
            part.add(triangle.vertex[edge]);
            part.add(triangle.vertex[(edge + 1) % 3]);
            if (part.cut(-u, -most) && !reaches_part(part, triangle, beside)) return;
          }
          reach_area(other);
        };
        const bool is_border = triangle.place.mesh != nullptr && triangle.beside[edge] < 0;
        if (is_border && across_edge(triangle.place, edge).place.row < 0) {
          pass_border(triangle.place, edge, own, pass);
          this->for_each_in_seam(triangle, edge, pass);
        } else {
          pass(triangle.beside[edge], triangle.edge_there[edge]);
        }
      }
    }
    return rest;
  }
  bool reaches_part(const AreaPart& part, const ListedTriangle& a, const ListedTriangle& b) const {
    return part.count > 0 && (this->reaches_behind(part.corner, part.count, a.normal) ||
                              this->reaches_behind(part.corner, part.count, b.normal));
  }

  /// Calls `pass(triangle, edge)` for the listed ones at a border edge of a mesh; where there are
  /// very many, once for a way out from `own`.
  template <class Pass>
  void pass_border(const TrianglePlace& place, int edge, std::int32_t own, const Pass& pass) {
    constexpr std::int32_t kManyAtEdge = 16;
    std::int32_t* keeper = nullptr;
    std::int32_t count = 0;
    for_each_at_edge(place, edge, [&](const TrianglePlace& at, int there) {
      const std::int32_t other = list_.find(at);
      if (other < 0) return true;
      if (keeper == nullptr) keeper = list_.triangle[other].passed_from + there;
      if (*keeper == own) return false;
      pass(other, there);
      ++count;
      return true;
    });
    if (count > kManyAtEdge) *keeper = own;
  }

  void add_hit(const FeatureWay& found) {
    list_.triangle[found.triangle].contact = contact_count_;
    SurfaceContact& contact = contacts_[contact_count_++];
    contact.away = found.way.direction;
    contact.depth = found.way.depth;
    // The core's point is straight behind the vertex, or it is a corner of the core.
    contact.on_core = found.is_straight
                          ? list_.triangle[found.triangle].vertex[found.feature - kOfVertex] -
                                scaled(found.way.direction, found.way.depth)
                          : found.way.lowest.point;
    contact.core_vertex[0] = found.way.lowest.number;
    contact.core_vertices = 1;
    contact.triangle = found.triangle;
    contact.feature = found.feature;
    contact.is_faces = found.is_faces;
    // The face's own comes first, whichever is the deeper by rounding.
    const bool is_late = found.is_faces && !surface_.is_solid();
    contact.rank = contact.depth - (is_late ? 64 * kRounding<double> * double(core_.reach) : 0);
    contact.status = core_.form == CoreForm::point && found.way.depth == 0 ? 1 : 0;
    contact.patch = -1;
  }

  SurfaceContact* contacts_ = nullptr;
  std::int32_t contact_count_ = 0;
  AreaCuts cuts_;
  bool are_behind_joined_ = false;
};

}  // namespace
}  // namespace widephase
