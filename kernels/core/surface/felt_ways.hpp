#pragma once

// The least ways out of the triangles that a core reaches below: over the directions that are felt
// at those of their features which it reaches below as well. So finer cells in the same planes
// change nothing. A face feels its normal; an edge the arc between the normals of its two faces, if
// it is convex; a vertex all directions along which no edge that leaves it rises. None leads down.
// At a border the surface goes on straight down, as if there were a wall.
//
// The sides of a vertex's cone of directions are arcs of edges, and within it only the core's own
// faces are left by least ways. So each least one is found exactly.

#include "kernels/core/surface/border_seams.hpp"
#include "kernels/core/surface/felt_directions.hpp"
#include "kernels/core/surface/vertex_cone.hpp"

namespace widephase {
namespace {

template <class T>
class FeltWays : protected BorderSeams<T> {
 protected:
  static constexpr double kSineRounding = 1e-9;
  static constexpr int kNoWays = 2;
  using Near = NearTriangles<T>;
  using Seams = BorderSeams<T>;
  using Near::core_;
  using Near::list_;
  using Near::placed_;
  using Near::surface_;
  using Seams::guest_;
  using Seams::guest_count_;
  using Seams::has_seams_;
  using Seams::Seams;

  /// The ways out of the hit triangles' edges and vertices; their faces' are known.
  void find_ways(FeatureWay* ways) {
    // Numbers below 0 are none.
    ways_ = ways + kNoWays;
    for (int k = 1; k <= kNoWays; ++k) ways_[-k].least_depth = kInfinite<double>;
    way_count_ = 0;
    this->forget_seams();
    level_rise_ = 8 * surface_.height_rounding();
    leaves_borders_ = false;
    const auto for_each_feature = [&](const auto& op) {
      for (std::int32_t t = 0; t < list_.count; ++t) {
        if (list_.triangle[t].state != TriangleState::hit) continue;
        for (int k = 0; k < 3; ++k) op(t, k);
      }
    };
    for_each_feature([&](std::int32_t t, int k) {
      ListedTriangle& triangle = list_.triangle[t];
      const TriangleAcross across = across_edge(triangle.place, k);
      triangle.beside[k] = list_.find(across.place);
      triangle.edge_there[k] = across.edge;
      triangle.seam[k] = -1;
    });
    if (core_.form == CoreForm::point) return;
    if (surface_.window() != nullptr) this->window_.forget_asked();
    for_each_feature([&](std::int32_t t, int k) {
      if (k == 0 && !leaves_borders_) leaves_borders_ = is_crossed(list_.triangle[t]);
    });
    for_each_feature([&](std::int32_t t, int k) { add_edge(t, k); });
    for_each_feature([&](std::int32_t t, int k) { add_vertex(t, k); });
  }

  FeatureWay way_of_face(std::int32_t t) const {
    const ListedTriangle& face = list_.triangle[t];
    return {{face.normal, face.below, face.lowest}, t, kOfFace, false, false};
  }
  /// A hit triangle's shortest one: its face's, if others are not shorter but for rounding, or else
  /// an edge's.
  FeatureWay least_of(std::int32_t t) const {
    const ListedTriangle& triangle = list_.triangle[t];
    const FeatureWay least = way_of_face(t);
    if (!surface_.is_solid()) {
      return least_of_mesh(t, least, false,
                           [](const ListedTriangle&, int, const Vector&) { return true; });
    }
    std::int32_t best = -1;
    double depth = triangle.below;
    const auto add = [&](std::int32_t number) {
      const bool is_less = ways_[number].least_depth < depth;
      best = is_less ? number : best;
      depth = ways_[is_less ? number : best].way.depth;
      depth = best < 0 ? triangle.below : depth;
    };
    for (const std::int32_t way : triangle.edge_way) add(way);
    for (const std::int32_t way : triangle.vertex_way) add(way);
    return best < 0 ? least : ways_[best];
  }
  /// The same of a mesh, whichever vertex of the triangle is the first: the shortest of its edges',
  /// if the face's is longer, and then the shortest of its vertices', if that one is longer. With
  /// `is_area` of its area's triangles from it on; ways that are not `is_counted` do not count.
  template <class IsCounted>
  FeatureWay least_of_mesh(std::int32_t t, FeatureWay found, bool is_area,
                           const IsCounted& is_counted) const {
    for (const int first : {kOfEdge, kOfVertex}) {
      std::int32_t best = -1, owner = -1;
      int feature = kOfFace;
      for (std::int32_t n = t; n >= 0; n = is_area ? list_.triangle[n].next_in_area : -1) {
        const ListedTriangle& triangle = list_.triangle[n];
        for (int k = 0; k < 3; ++k) {
          const std::int32_t way = (first == kOfEdge ? triangle.edge_way : triangle.vertex_way)[k];
          if (way < 0 || !(best < 0 || is_shorter(ways_[way].way, ways_[best].way))) continue;
          if (!is_counted(triangle, first + k, ways_[way].way.direction)) continue;
          best = way;
          owner = n;
          feature = first + k;
        }
      }
      if (best < 0 || !(ways_[best].least_depth < found.way.depth)) continue;
      found = ways_[best];
      found.triangle = owner;
      found.feature = feature;
    }
    return found;
  }
  static bool is_shorter(const WayOut& a, const WayOut& b) {
    return a.depth != b.depth ? a.depth < b.depth : is_lower_place(a.direction, b.direction);
  }

  /// Whether part of the core is above a hit triangle's plane. What is wholly below is pushed up,
  /// not out beside the field.
  bool is_crossed(const ListedTriangle& triangle) const {
    return way_out_along(core_, -triangle.normal, triangle.vertex[0]).depth > 0;
  }

  /// Where the vertices of a triangle are, and its normal, of a mesh the one that its vertices run
  /// about counter-clockwise. False if it does not exist.
  bool find_triangle(const TrianglePlace& at, Vector (&vertex)[3], Vector& normal) const {
    const std::int32_t listed = at.mesh == nullptr ? -1 : list_.find(at);
    if (listed < 0) return surface_.triangle(at, vertex, normal);
    const ListedTriangle& triangle = list_.triangle[listed];
    for (int k = 0; k < 3; ++k) vertex[k] = triangle.vertex[k];
    normal = triangle.is_flipped ? -triangle.normal : triangle.normal;
    return true;
  }

  /// The other end of the arc of directions that are felt at an edge, which begins at the normal of
  /// its triangle. False if none are: the edge is level or concave. At a border the surface goes on
  /// straight down.
  bool end_of_arc(const Vector (&vertex)[3], const Vector& normal, int edge,
                  const TriangleAcross& across, std::int32_t other, bool& is_border,
                  Vector& end) const {
    is_border = false;
    if (other >= 0 && surface_.is_solid()) {
      const ListedTriangle& listed = list_.triangle[other];
      end = listed.normal;
      return dot(normal, listed.vertex[(across.edge + 2) % 3] - vertex[edge]) < -level_rise_;
    }
    if (surface_.is_solid() && surface_.has_normal(across.place, end) && end[2] - end[2] == 0) {
      const Vector third = surface_.position(sample_of(across.place, (across.edge + 2) % 3));
      return dot(normal, third - vertex[edge]) < -level_rise_;
    }
    Vector beside[3];
    Vector own;
    const bool is_flipped =
        !surface_.is_solid() && triangle_normal(vertex, own) && dot(own, normal) < 0;
    if (!find_triangle(across.place, beside, end)) {
      is_border = true;
      const Vector along = vertex[(edge + 1) % 3] - vertex[edge];
      const Vector down = surface_.is_solid() ? Vector{{0, 0, -1}} : -normal;
      end = unit_or(is_flipped ? cross(along, down) : cross(down, along), normal);
      return leaves_borders_;
    }
    if (is_flipped) end = -end;
    const Vector& third = beside[(across.edge + 2) % 3];
    return dot(normal, third - vertex[edge]) < -level_rise_;
  }

  /// The least way out over an arc; one that is at least as deep as `most` stands for any that is.
  /// Near the least on a round surface, ways out differ by less than T rounds over directions that
  /// differ by the root of that.
  WayOut least_along(const Vector& from, const Vector& to, const Vector& at, double most) const {
    // From the side that does not depend on which triangle asks.
    const bool turns = !surface_.is_solid() && is_lower_place(to, from);
    const Vector &first = turns ? to : from, &last = turns ? from : to;
    return has_vertices(core_.form) ? least_on_arc(core_, first, last, at, most)
                                    : least_on_arc(placed_.exact, first, last, at, most);
  }

  /// How much shorter a way out must be for an edge or a vertex to have it, not what is beside it.
  double shorter_by(const Vector& at) const {
    // The core's points are rounded in T, the surface's, which may be far, in double.
    return 64 *
           (double(kRounding<T>) * double(core_.reach) + kRounding<double> * root(dot(at, at)));
  }

  /// Whether part of the core is below an edge, or behind a mesh's, seen along the triangle's
  /// normal.
  bool reaches_edge(ListedTriangle& triangle, int edge) {
    Told& told = triangle.reaches_edge[edge];
    if (told != Told::unclear) return told == Told::yes;
    const Vector ends[2] = {triangle.vertex[edge], triangle.vertex[(edge + 1) % 3]};
    const bool reaches = surface_.is_solid() ? this->reaches_below(ends, 2)
                                             : this->reaches_behind(ends, 2, triangle.normal);
    told = reaches ? Told::yes : Told::no;
    if (!surface_.is_solid()) return reaches;
    const std::int32_t other = triangle.beside[edge];
    if (other >= 0) list_.triangle[other].reaches_edge[triangle.edge_there[edge]] = told;
    return reaches;
  }
  /// The same of an edge between two hit triangles, the other one's vertex `third` not on it:
  /// always, if it is level.
  bool is_edge_reached(ListedTriangle& triangle, int edge, ListedTriangle& other, int third) {
    const double rise = dot(triangle.normal, other.vertex[third] - triangle.vertex[edge]);
    return magnitude(rise) <= level_rise_ || reaches_edge(triangle, edge) ||
           (!surface_.is_solid() && reaches_edge(other, (third + 1) % 3));
  }

  /// Whether a triangle's lowest point bounds all ways out at `at`, a place of its plane, by
  /// `most`, from its normal to another direction: between two directions a bound that is above 0
  /// is not less than at both.
  bool is_bound(const ListedTriangle& triangle, const Vector& at, const Vector& end,
                double most) const {
    return most > 0 && has_vertices(core_.form) && triangle.below >= most &&
           dot(end, at - triangle.lowest.point) >= most;
  }

  /// What is across an edge, or part of one.
  struct EdgePart {
    TriangleAcross across;
    std::int32_t other;  ///< in the list
    Vector ends[2];
    bool is_seam;  ///< each triangle asks for itself
  };
  void add_edge(std::int32_t t, int edge) {
    const ListedTriangle& triangle = list_.triangle[t];
    const std::int32_t before = surface_.is_solid() ? triangle.beside[edge] : -1;
    if (before >= 0 && before < t && list_.triangle[before].state == TriangleState::hit) return;
    // The window has all cells beside those of the list.
    if (const FieldWindow* const window = surface_.window()) {
      const TrianglePlace& at = triangle.place;
      if (window->rise[at.half][edge][window->index_of(at.row, at.col)] >= -level_rise_) return;
    }
    EdgePart part{across_edge(triangle.place, edge), triangle.beside[edge], {}, false};
    part.ends[0] = triangle.vertex[edge];
    part.ends[1] = triangle.vertex[(edge + 1) % 3];
    SeamParts parts;
    if (!surface_.is_solid() && part.across.place.row < 0 &&
        is_alone_at_edge(triangle.place, edge, kManyAround)) {
      // No way out that counts is as long as this.
      const double reach = 4 * double(core_.reach) + triangle.below;
      find_seam(surface_, triangle.place, triangle.vertex, edge, reach, parts);
    }
    if (parts.count == 0) return add_edge_part(t, edge, part);
    const SeamEdge seam(triangle.place, triangle.vertex, edge, width_of_seams(*surface_.mesh()));
    part.is_seam = true;
    const TriangleAcross border = part.across;
    parts.for_each_piece(seam.least_share(), [&](double from, double to, const SeamPart* beside) {
      part.across = beside != nullptr ? beside->across : border;
      part.other = list_.find(part.across.place);
      part.ends[0] = seam.at(from);
      part.ends[1] = seam.at(to);
      add_edge_part(t, edge, part);
      this->link_seam(t, edge, part.other, part.across.edge);
    });
  }

  void add_edge_part(std::int32_t t, int edge, const EdgePart& part) {
    ListedTriangle& triangle = list_.triangle[t];
    const std::int32_t other = part.other;
    const TriangleAcross& across = part.across;
    const bool is_hit = other >= 0 && list_.triangle[other].state == TriangleState::hit &&
                        list_.triangle[other].is_flipped == triangle.is_flipped;
    if (is_hit && other < t && !part.is_seam) return;  // asked there
    Vector end;
    bool is_border;
    if (!end_of_arc(triangle.vertex, triangle.normal, edge, across, other, is_border, end)) {
      return;
    }
    const Vector& at = triangle.vertex[edge];
    const double shorter = shorter_by(at);
    double most = triangle.below;
    if (is_hit && list_.triangle[other].below > most) most = list_.triangle[other].below;
    most -= shorter;
    if (is_bound(triangle, at, end, most)) return;
    if (is_hit && is_bound(list_.triangle[other], at, triangle.normal, most)) return;
    const Vector& next = triangle.vertex[(edge + 1) % 3];
    const bool is_lower = !surface_.is_solid() && is_lower_place(next, at);
    const WayOut least = least_along(triangle.normal, end, is_lower ? next : at, most);
    // Shorter than one face alone it is the other face's, at the arc's end: it comes after that.
    const double depth = least.depth + shorter;
    const bool is_shorter = depth < triangle.below;
    const bool is_shorter_there = is_hit && depth < list_.triangle[other].below;
    if (!is_shorter && (!is_shorter_there || part.is_seam)) return;
    if (surface_.is_solid() ? !reaches_edge(triangle, edge)
                            : !this->reaches_behind(part.ends, 2, least.direction)) {
      return;
    }
    const bool is_faces = is_hit && is_shorter != is_shorter_there;
    const bool is_own = triangle.is_own || !is_hit;
    FeatureWay found{least, is_own ? t : other, kOfEdge + (is_own ? edge : across.edge), false,
                     is_faces};
    const std::int32_t known = part.is_seam ? triangle.edge_way[edge] : -1;
    if (known >= 0) {
      found.least_depth = depth;
      if (least.depth < ways_[known].way.depth) ways_[known] = found;
      return;
    }
    const std::int32_t way = add_way(found);
    const auto set_way = [&](ListedTriangle& of, int of_edge) {
      of.edge_way[of_edge] = way;
      of.marks |= mark_of_way(way);
    };
    if (is_shorter) set_way(triangle, edge);
    if (is_shorter_there && !part.is_seam) set_way(list_.triangle[other], across.edge);
  }

  /// Takes room for the vertices of a mesh that have very many triangles; false if there is none.
  bool take_cone_room() {
    std::int32_t most = 0;
    for (std::int32_t t = 0; !surface_.is_solid() && t < list_.count; ++t) {
      for (int k = 0; k < 3; ++k) {
        const std::int32_t here = triangles_around(sample_of(list_.triangle[t].place, k));
        most = here > most ? here : most;
      }
    }
    return most <= kManyAround || cone_.take_room(most, this->arena_);
  }

  void add_vertex(std::int32_t t, int vertex) {
    const ListedTriangle& triangle = list_.triangle[t];
    if (triangle.vertex_way[vertex] != kNotAsked) return;
    const SamplePlace sample = sample_of(triangle.place, vertex);
    const Vector& at = triangle.vertex[vertex];
    const FieldWindow* const window = surface_.window();
    const bool is_noted = window != nullptr && window->has_sample(sample.row, sample.col);
    if (is_noted) {
      std::uint8_t& was_asked = window->was_asked[window->index_of(sample.row, sample.col)];
      if (was_asked != 0) return;
      was_asked = 1;
      if (!this->reaches_below(&at, 1)) return;
    }
    has_many_edges_ = triangles_around(sample) > kManyAround;
    if (has_many_edges_) {
      cone_.begin(level_rise_, kSineRounding);
      for_each_neighbour(sample, [&](const Vector& neighbour) { cone_.add(neighbour - at); });
      cone_.build();
    }
    this->find_guests(sample, at, !has_many_edges_);
    const auto settle = [&](std::int32_t number) {
      for_each_hit(sample, [&](ListedTriangle& beside, int there) {
        if (beside.is_flipped != triangle.is_flipped) return;
        beside.vertex_way[there] = number;
        if (number >= 0) beside.marks |= mark_of_way(number);
      });
    };
    if (!is_noted) {
      settle(-1);
      if (surface_.is_solid() && !this->reaches_below(&at, 1)) return;
    }
    const SampleRing ring = ring_around(sample, at);
    // The least way out of the cone: on its sides, which are arcs of edges, or within.
    WayOut least;
    bool has_any = false, is_straight = false;
    const auto add = [&](const WayOut& way) {
      // The same one of equal ones, whichever comes first.
      const bool is_first = !surface_.is_solid() && way.depth == least.depth &&
                            is_lower_place(way.direction, least.direction);
      if (has_any && !(way.depth < least.depth) && !is_first) return false;
      least = way;
      return has_any = true;
    };
    Vector wall[2];
    int walls = 0;
    bool has_border = false;
    const auto add_arc = [&](const Vector& from, const Vector& to, bool is_border) {
      double low, high;
      if (!find_felt(ring, from, to, low, high)) return;
      if (is_border && high == 1 && walls < 2) wall[walls++] = to;
      const auto between = [&](double share) {
        return unit_or(scaled(from, 1 - share) + scaled(to, share), from);
      };
      add(least_along(between(low), between(high), at, has_any ? least.depth : kInfinite<double>));
    };
    Vector around[kAroundSample];
    if (find_normals_around(sample, ring, around)) {
      for (const int k : kOrderAround) {
        const int before = (k + kAroundSample - 1) % kAroundSample;
        if (!(dot(around[k], ring.edge(before)) < -level_rise_)) continue;
        add_arc(around[k], around[before], false);
      }
    } else {
      for_each_edge(sample, [&](const TrianglePlace& place, const Vector(&corner)[3],
                                const Vector& front, int edge) {
        const Vector from = triangle.is_flipped ? -front : front;
        TriangleAcross across = across_edge(place, edge);
        if (has_seams_ && across.place.row < 0)
          across = this->across_seam(sample, place, corner, edge);
        Vector to;
        bool is_border;
        const bool is_convex =
            end_of_arc(corner, from, edge, across, list_.find(across.place), is_border, to);
        has_border |= is_border;
        if (is_convex) add_arc(from, to, is_border);
      });
    }
    if (!has_any) return;
    if (walls == 2) add(least_along(wall[0], wall[1], at, least.depth));
    const auto add_exits = [&](const auto& core) {
      for_each_exit(core, at, [&](const Vector& u) {
        // All of a cone around a whole ring is in front if an arc of its is; at a border it goes
        // on behind.
        if ((surface_.is_solid() || has_border) && !is_in_front(sample, u)) return;
        if (is_in_cone(ring, u) && add(way_out_along(core, u, at))) is_straight = true;
      });
    };
    has_vertices(core_.form) ? add_exits(core_) : add_exits(placed_.exact);
    if (!surface_.is_solid() && !this->reaches_behind(&at, 1, least.direction)) return;
    // As of an edge: what is equal to rounding is a face's.
    bool is_of_face = false;
    for_each_hit(sample, [&](const ListedTriangle& beside, int) {
      is_of_face |=
          !(least.depth + shorter_by(at) < beside.below) && is_in_cone(ring, beside.normal);
    });
    for (int n = 0; n < guest_count_; ++n) {
      const std::int32_t other = list_.find(guest_[n]);
      if (other < 0 || list_.triangle[other].state != TriangleState::hit) continue;
      is_of_face |= !(least.depth + shorter_by(at) < list_.triangle[other].below);
    }
    bool is_of_edge = false;
    for_each_hit(sample, [&](const ListedTriangle& beside, int there) {
      if (surface_.is_solid() || beside.is_flipped != triangle.is_flipped) return;
      for (const int edge : {there, (there + 2) % 3}) {
        const std::int32_t number = beside.edge_way[edge];
        if (number < 0) continue;
        is_of_edge |= !(least.depth + shorter_by(at) < ways_[number].way.depth);
      }
    });
    std::int32_t own = t;
    int own_vertex = vertex;
    for_each_hit(sample, [&](const ListedTriangle& beside, int there) {
      if (list_.triangle[own].is_own || !beside.is_own) return;
      own = list_.find(beside.place);
      own_vertex = there;
    });
    settle(add_way({least, own, kOfVertex + own_vertex, is_straight, is_of_face, is_of_edge}));
  }

  std::int32_t add_way(const FeatureWay& found) {
    const Vector& at = list_.triangle[found.triangle].vertex[(found.feature - 1) % 3];
    ways_[way_count_] = found;
    ways_[way_count_].least_depth = found.way.depth + shorter_by(at);
    return way_count_++;
  }

  /// Calls `op(place, vertices, normal, edge)` once for each edge that leaves a sample,
  /// with one of its triangles and its number there.
  template <class Op>
  void for_each_edge(const SamplePlace& sample, const Op& op) const {
    for (int k = 0; k < triangles_around(sample); ++k) {
      const TriangleAround around = around_sample(sample, k);
      Vector corner[3], normal;
      if (!find_triangle(around.place, corner, normal)) continue;
      op(around.place, corner, normal, around.vertex);
      const int before = (around.vertex + 2) % 3;
      Vector beside[3], other;
      const TrianglePlace across = across_edge(around.place, before).place;
      if (find_triangle(across, beside, other)) continue;
      op(around.place, corner, normal, before);
    }
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

  /// Whether a direction does not lead down, or behind a hit triangle of a mesh.
  bool is_in_front(const SamplePlace& sample, const Vector& u) {
    if (surface_.is_solid()) return u[2] >= 0;
    bool is_in = true;
    for_each_hit(sample, [&](const ListedTriangle& triangle, int) {
      is_in &= dot(u, triangle.normal) >= 0;
    });
    return is_in;
  }

  /// Calls `op` for the other ends of the edges that leave a sample.
  template <class Op>
  void for_each_neighbour(const SamplePlace& sample, const Op& op) const {
    if (!surface_.is_solid()) {
      for (int k = 0; k < triangles_around(sample); ++k) {
        const TriangleAround around = around_sample(sample, k);
        for (const int other : {(around.vertex + 1) % 3, (around.vertex + 2) % 3}) {
          op(surface_.position(sample_of(around.place, other)));
        }
      }
      return;
    }
    // Around it: two that follow each other have a triangle with it.
    constexpr int kCount = kAroundSample;
    constexpr int kSteps[kCount][2] = {{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}};
    Vector to[kCount];
    bool is_there[kCount];
    for (int k = 0; k < kCount; ++k) {
      to[k] = surface_.position({sample.row + kSteps[k][0], sample.col + kSteps[k][1]});
      is_there[k] = to[k][2] - to[k][2] == 0;
    }
    for (int k = 0; k < kCount; ++k) {
      const bool has_triangle = is_there[(k + 1) % kCount] || is_there[(k + 5) % kCount];
      if (is_there[k] && has_triangle) op(to[k]);
    }
  }

  SampleRing ring_around(const SamplePlace& sample, const Vector& at) const {
    SampleRing ring;
    if (has_many_edges_) return ring;
    for_each_neighbour(sample, [&](const Vector& neighbour) {
      const Vector along = neighbour - at;
      ring.add(along, level_rise_ + kSineRounding * root(dot(along, along)));
    });
    for (int n = 0; n < 3 * guest_count_; ++n) {
      const Vector along = surface_.position(sample_of(guest_[n / 3], n % 3)) - at;
      ring.add(along, level_rise_ + kSineRounding * root(dot(along, along)));
    }
    ring.pad();
    return ring;
  }

  /// The triangles around a field's sample: number k is between edges k and k + 1 of its ring, and
  /// `around_sample` has them in this order.
  static constexpr int kAroundSample = 6;
  static constexpr int kOrderAround[kAroundSample] = {0, 5, 1, 4, 2, 3};
  /// Their normals. False if one does not exist or is not in the window.
  bool find_normals_around(const SamplePlace& sample, const SampleRing& ring,
                           Vector (&normal)[kAroundSample]) const {
    if (!surface_.is_solid() || ring.count != kAroundSample) return false;
    for (int n = 0; n < kAroundSample; ++n) {
      Vector& here = normal[kOrderAround[n]];
      if (!surface_.has_normal(around_sample(sample, n).place, here)) return false;
      if (!(here[2] - here[2] == 0)) return false;
    }
    return true;
  }

  /// Whether a direction is felt at a sample: no edge that leaves it rises along the direction.
  bool is_in_cone(const SampleRing& ring, const Vector& u) const {
    if (has_many_edges_) return cone_.is_felt(u);
    double low, high;
    return find_felt(ring, u, u, low, high);
  }
  /// Which of the directions from one to another are felt at a sample, as shares of the way. A
  /// single one is none: at a concave place of a straight border it is the wall's.
  bool find_felt(const SampleRing& ring, const Vector& from, const Vector& to, double& low,
                 double& high) const {
    low = 0;
    high = 1;
    if (has_many_edges_) return cone_.find_felt(from, to, low, high);
    using F = Batch<double>;
    constexpr int lanes = LaneTraits<F>::count;
    const F zero(0);
    F least(0), most(1);
    for (int first = 0; first < ring.count; first += lanes) {
      const Vec<F, 3> along{
          {load(ring.along[0] + first), load(ring.along[1] + first), load(ring.along[2] + first)}};
      const F rounding = load(ring.rounding + first);
      const auto rise = [&](const Vector& u) {
        return dot(Vec<F, 3>{{F(u[0]), F(u[1]), F(u[2])}}, along);
      };
      const F at_from = rise(from), at_to = rise(to);
      const auto rises = !((at_from <= rounding) & (at_to <= rounding));
      const auto falls = (at_from < negate(rounding)) | (at_to < negate(rounding));
      if (any<F>(rises & !falls)) return false;
      const F share = divide(at_from, at_from - at_to);
      least = select(rises & (at_from > zero) & (share > least), share, least);
      most = select(rises & !(at_from > zero) & (share < most), share, most);
    }
    alignas(64) double lows[lanes], highs[lanes];
    store(lows, least);
    store(highs, most);
    for (int k = 0; k < lanes; ++k) {
      low = lows[k] > low ? lows[k] : low;
      high = highs[k] < high ? highs[k] : high;
    }
    return low + kSineRounding < high;
  }

  FeatureWay* ways_ = nullptr;
  std::int32_t way_count_ = 0;
  double level_rise_ = 0;        ///< a length: how far rounding moves what is level
  bool leaves_borders_ = false;  ///< else the core is wholly below
  bool has_many_edges_ = false;  ///< the vertex that is asked: then `cone_` is its
  VertexCone cone_;
};

}  // namespace
}  // namespace widephase
