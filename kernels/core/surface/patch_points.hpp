#pragma once

// The points of a patch: the corners of the core's face over triangles, seen along the patch's
// normal, and those of edges whose triangles stand along it.

#include "kernels/core/surface/hit_planes.hpp"
#include "kernels/core/surface/surface_contacts.hpp"
#include "kernels/core/surface/triangle_clip.hpp"

namespace widephase {
namespace {

/// Triangles whose normal has less than this along a patch's have no points of it: their edges do.
inline constexpr double kLeastRise = 0.1;

template <class T>
class PatchPoints : protected SurfaceContacts<T> {
 protected:
  using Near = NearTriangles<T>;
  using Felt = FeltWays<T>;
  using Contacts = SurfaceContacts<T>;
  using Contacts::contact_count_;
  using Contacts::Contacts;
  using Contacts::contacts_;
  using Felt::way_count_;
  using Felt::ways_;
  using Near::core_;
  using Near::list_;
  using Near::margin_;
  using Near::placed_;
  using Near::run_;
  using Near::surface_;

  /// A patch that is asked for its points: how they are seen, and which corners of the core's face
  /// are over its triangles.
  struct PatchView {
    const SurfaceContact* deepest;
    Vector x_axis, y_axis;
    Vec<double, 2> first, second;  ///< by which corners are chosen
    std::int64_t count;            ///< of corners, which follow those of the patch before
  };
  /// Corners, and where on the core they are.
  struct CornerRoom {
    FaceCorner<double>* corners;
    Vector* places;
    std::int64_t most, count;
  };

  /// Finds the corners over the triangles of all patches, so that triangles of several share lanes.
  /// `views` have their `deepest`. False if there is no room for the corners.
  bool find_corners(PatchView* views, std::int32_t patch_count, PatchRoom<T>& room, Vector* steep,
                    CornerRoom& found) {
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    TriangleClip clip(rounding, margin_ + placed_.radii());
    const LowestNames lowest_names;
    const auto put = [&](std::int32_t p, const Vector& at, double height, double name,
                         double feature) {
      ++views[p].count;
      return put_corner(views[p], at, height, name, feature, found);
    };
    const auto put_clipped = [&](const TriangleClip::Triangle& triangle,
                                 const TriangleClip::Corner& corner) {
      return put(triangle.patch, corner.at, corner.height,
                 lowest_names(surface_, triangle.place, corner.feature), corner.core_feature);
    };
    for (std::int32_t p = 0; p < patch_count; ++p) {
      PatchView& view = views[p];
      const Vector& u = view.deepest->away;
      view.x_axis = across_of(u);
      view.y_axis = cross(u, view.x_axis);
      view.first = {{1, 0}};
      view.second = {{0, 1}};
      view.count = 0;
      if (core_.form == CoreForm::point) continue;
      const ConvexFace<double>& face = find_own_face(u, room);
      find_lasting(face, view.x_axis, view.y_axis, view.first, view.second);
      if ((!TriangleClip::takes(face) || !clip.fits(face)) && !clip.clip(put_clipped)) return false;
      clip.set_face(face, p, u, view.deepest->depth + rounding);
      if (!put_faces(p, *view.deepest, room, steep, clip, put_clipped, put)) return false;
    }
    return clip.clip(put_clipped);
  }

  /// Up to four points of a patch; of the corners that `find_corners` found its own are the first.
  /// Returns false if there is no room for the others.
  bool find_points(std::int32_t p, const PatchView& view, PatchRoom<T>& room,
                   const CornerRoom& found, SurfacePatch<T>& patch) {
    const SurfaceContact& deepest = *view.deepest;
    const Vector &u = deepest.away, &x_axis = view.x_axis, &y_axis = view.y_axis;
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    // A mesh's own coordinates may be far.
    const double place_rounding =
        rounding + (surface_.is_solid()
                        ? 0
                        : Near::distance_rounding(list_.triangle[deepest.triangle].vertex));
    const double most_height = margin_ + placed_.radii();
    CornerRoom own = found;
    std::int64_t& count = own.count;
    FaceCorner<double>* const corners = own.corners;
    Vector* const places = own.places;
    bool has_face = false;
    const auto face = [&]() -> const ConvexFace<double>& {
      if (!has_face) find_own_face(u, room);
      has_face = true;
      return room.faces.a;
    };
    const auto put = [&](const Vector& at, double height, double name, double feature) {
      return put_corner(view, at, height, name, feature, own);
    };
    for (std::int32_t t = 0; core_.form != CoreForm::point && t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (!stands_along(triangle, u)) continue;
      for (int edge = 0; edge < 3; ++edge) {
        if (triangle.edge_way[edge] < 0) continue;
        const FeatureWay& found = ways_[triangle.edge_way[edge]];
        if (!triangle.is_own || found.is_faces) continue;
        // Once, whichever of its two triangles has the way.
        if (found.triangle != t && stands_along(list_.triangle[found.triangle], u)) continue;
        if (!(dot(found.way.direction, u) >= run_.patch_cosine)) continue;
        face();
        if (!put_edge(t, edge, deepest, dot(found.way.direction, u), room, put)) return false;
      }
    }
    double lowest = kInfinite<double>;
    for (std::int64_t n = 0; n < count; ++n) {
      lowest = corners[n].height < lowest ? corners[n].height : lowest;
    }
    // Balls touch in single points; other cores have the searched point only if no corner is as
    // deep.
    for (std::int32_t c = 0; c < contact_count_; ++c) {
      const SurfaceContact& contact = contacts_[c];
      const bool is_wanted = core_.form == CoreForm::point
                                 ? contact.patch == p
                                 : &contact == &deepest && !(lowest + deepest.depth <= rounding);
      if (!is_wanted) continue;
      FaceCorner<double> corner = corner_of(contact);
      if (core_.form != CoreForm::point && contact.feature >= kOfVertex && contact.depth > 0) {
        corner.incident_feature = face().count > 2   ? face().face_feature
                                  : face().count > 1 ? face().edge_feature[0]
                                                     : face().corner_feature[0];
      }
      const Vector at =
          core_.form == CoreForm::point
              ? contact.on_core - scaled(contact.away, placed_.radius) + scaled(u, placed_.radius)
              : contact.on_core;
      // It stands for what is less deep at its place, whichever of them would be chosen.
      if (core_.form != CoreForm::point && !surface_.is_solid()) {
        const double x = dot(at, x_axis), y = dot(at, y_axis);
        std::int64_t kept = 0;
        for (std::int64_t n = 0; n < count; ++n) {
          const double off_x = corners[n].x - x, off_y = corners[n].y - y;
          if (off_x * off_x + off_y * off_y <= 16 * place_rounding * place_rounding) continue;
          corners[kept] = corners[n];
          places[kept++] = places[n];
        }
        count = kept;
      }
      const double name = lasting_name(corner.reference_feature);
      if (core_.form != CoreForm::point && contact.feature < kOfVertex &&
          contact.feature != kOfFace) {
        name_seam(name, 4 * place_rounding, corners, count);
      }
      if (!put(at, -contact.depth, name, corner.incident_feature)) {
        return false;
      }
    }
    if (count == 0) return true;
    FaceCorner<double> kept[4];
    int kept_count = 1;
    if (count == 1) {
      kept[0] = corners[0];
    } else {
      // Whichever corner is the first.
      double low[2] = {corners[0].x, corners[0].y}, high[2] = {corners[0].x, corners[0].y};
      for (std::int64_t n = 1; n < count; ++n) {
        const double seen[2] = {corners[n].x, corners[n].y};
        for (int k = 0; k < 2; ++k) {
          low[k] = seen[k] < low[k] ? seen[k] : low[k];
          high[k] = seen[k] > high[k] ? seen[k] : high[k];
        }
      }
      const double wide = high[0] - low[0], deep = high[1] - low[1];
      const double span = wide > deep ? wide : deep;
      FourCorners<double> four(corners, static_cast<int>(count), {view.first, view.second},
                               kOneCornerShare<double> * span + 4 * place_rounding);
      kept_count = four.choose(rounding, true, kept);
    }
    lowest = kept[0].height;
    for (int n = 1; n < kept_count; ++n) lowest = kept[n].height < lowest ? kept[n].height : lowest;
    patch.point_count = 0;
    for (int n = 0; n < kept_count; ++n) {
      const Vector* at = nullptr;
      for (std::int64_t c = count; c-- > 0;) {  // the first; without a branch
        const FaceCorner<double>& corner = corners[c];
        const bool is =
            (corner.x == kept[n].x) & (corner.y == kept[n].y) & (corner.height == kept[n].height);
        at = is ? places + c : at;
      }
      if (at == nullptr) continue;
      // The deepest has the pair's depth.
      FaceCorner<double> corner = kept[n];
      const bool is_deepest = corner.height <= lowest;
      if (is_deepest || -corner.height >= deepest.depth - rounding) corner.height = -deepest.depth;
      if (!(-corner.height >= -most_height)) corner.height = most_height;
      set_point(deepest, *at, corner, patch.points[patch.point_count++]);
    }
    sort_points(patch);
    return true;
  }

  /// The core's face that looks into the surface, in the room.
  const ConvexFace<double>& find_own_face(const Vector& u, PatchRoom<T>& room) const {
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    find_face<T>(core_, narrowed<T>(-u), T(rounding), nullptr, room.found);
    widen(room.found, room.faces.a);
    return room.faces.a;
  }
  static bool put_corner(const PatchView& view, const Vector& at, double height, double name,
                         double feature, CornerRoom& to) {
    if (to.count == to.most) return false;
    // Triangles that lean are deeper along the normal than the contact; none says so.
    const double own = height > -view.deepest->depth ? height : -view.deepest->depth;
    to.corners[to.count] = {dot(at, view.x_axis), dot(at, view.y_axis), own, name, feature};
    to.places[to.count++] = at;
    return true;
  }

  /// The corners of the core's face over triangles, seen along the patch's normal: those whose
  /// normals agree with it, and those at whose edges or vertices it is felt, with all others in
  /// their planes. Such a triangle need not be near the core: it is where the face leads to along
  /// the normal.
  template <class PutClipped, class Put>
  bool put_faces(std::int32_t p, const SurfaceContact& deepest, PatchRoom<T>& room, Vector* steep,
                 TriangleClip& clip, const PutClipped& put_clipped, const Put& put) const {
    const Vector& u = deepest.away;
    const ConvexFace<double>& face = room.faces.a;
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    const double most_height = margin_ + placed_.radii();
    const double least_slope = run_.patch_cosine > kLeastRise ? run_.patch_cosine : kLeastRise;
    std::uint64_t marks = kMarkOfContact;
    for (std::int32_t w = 0; w < way_count_; ++w) {
      FeatureWay& way = ways_[w];
      way.is_along = !way.is_faces & (dot(way.way.direction, u) >= run_.patch_cosine);
      marks |= way.is_along ? mark_of_way(w) : 0;
    }
    for (std::int32_t t = 0; !surface_.is_solid() && t < list_.count; ++t) {
      list_.triangle[t].marks &= ~kMarkOfContact;
    }
    for (std::int32_t c = 0; c < contact_count_; ++c) {
      std::uint64_t& of = list_.triangle[contacts_[c].triangle].marks;
      if (!surface_.is_solid()) {
        if (contacts_[c].patch == p) mark_around(contacts_[c]);
        continue;
      }
      of = (of & ~kMarkOfContact) | (contacts_[c].patch == p ? kMarkOfContact : 0);
    }
    std::int32_t steep_count = 0;
    const auto is_steep = [&](const Vector& normal) {
      bool is = false;
      for (std::int32_t k = 0; k < steep_count; ++k) is |= dot(steep[k], normal) >= kSamePlane;
      return is;
    };
    for (std::int32_t t = 0; t < list_.count; ++t) {
      if ((list_.triangle[t].marks & marks) == 0 || !meets_along(t)) continue;
      const Vector& normal = list_.triangle[t].normal;
      const double slope = dot(normal, u);
      if (slope > kLeastRise && slope < least_slope && !is_steep(normal)) {
        steep[steep_count++] = normal;
      }
    }
    // From where the face is along the normal to where it is as deep as it may be.
    const double deepest_there = deepest.depth > 0 ? deepest.depth / least_slope : 0;
    CoreBounds bounds;
    for (int k = 0; k < 3; ++k) {
      double low = face.corner[0][k], high = low;
      for (int c = 1; c < face.count; ++c) {
        low = face.corner[c][k] < low ? face.corner[c][k] : low;
        high = face.corner[c][k] > high ? face.corner[c][k] : high;
      }
      const double up = deepest_there * u[k], down = -most_height * u[k];
      bounds.low[k] = low + (up < down ? up : down);
      bounds.high[k] = high + (up < down ? down : up);
    }
    // A cap goes beyond its corners by 1 - cos(pi / 16).
    const double beyond = rounding + 0.02 * face.radius;
    const bool is_clipped_alone = !TriangleClip::takes(face);
    const auto put_own = [&](const Vector& at, double height, double name, double feature) {
      return put(p, at, height, name, feature);
    };
    const auto put_at = [&](const TrianglePlace& at) {
      Vector vertex[3], normal;
      bool is_flipped = false, agrees = false;
      if (!has_points(at, u, least_slope, steep_count > 0, is_steep, vertex, normal, is_flipped,
                      agrees)) {
        return true;
      }
      if (is_clipped_alone) {
        return put_face(at, vertex, normal, is_flipped, agrees, deepest, room, put_own);
      }
      clip.add(at, vertex, normal, is_flipped, agrees);
      return !clip.is_full() || clip.clip(put_clipped);
    };
    if (const FieldWindow* const window = surface_.window()) {
      const CellRange cells = cells_in(surface_, bounds.low, bounds.high, beyond);
      if (cells.count() == 0) return true;
      if (window->has_cell(cells.row, cells.column) &&
          window->has_cell(cells.end_row - 1, cells.end_column - 1)) {
        using F = Batch<double>;
        const auto spread = [](const Vector& v) { return Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}; };
        const Vec<F, 3> along = spread(u);
        const auto is_wanted = [&](const Vec<F, 3>& normal) {
          const F slope = dot(normal, along);
          auto is = slope >= F(least_slope);
          for (std::int32_t k = 0; k < steep_count; ++k) {
            is = is | ((slope > F(kLeastRise)) & (dot(spread(steep[k]), normal) >= F(kSamePlane)));
          }
          return is;
        };
        const auto put_cell = [&](std::int32_t row, std::int32_t col, int half) {
          return put_at({row, col, half});
        };
        return window->for_each_wanted(cells, is_wanted, put_cell);
      }
    }
    return for_each_within(surface_, bounds.low, bounds.high, beyond, within_, put_at);
  }

  /// Marks a contact's triangle of a mesh. If it is apart, so are those that share its edge or
  /// vertex, or are at its seam: which of them have the contact, rounding decides. Not where they
  /// are very many.
  void mark_around(const SurfaceContact& contact) const {
    if (contact.is_faces) return;  // the face's own points; which triangle has it, numbers decide
    const ListedTriangle& triangle = list_.triangle[contact.triangle];
    list_.triangle[contact.triangle].marks |= kMarkOfContact;
    if (triangle.state != TriangleState::apart || contact.feature == kOfFace) return;
    const auto mark = [&](const TrianglePlace& at, int) {
      const std::int32_t other = list_.find(at);
      if (other < 0 || !list_.triangle[other].is_own) return true;
      if (list_.triangle[other].state != TriangleState::far)
        list_.triangle[other].marks |= kMarkOfContact;
      return true;
    };
    const bool is_edge = contact.feature < kOfVertex;
    const SamplePlace vertex =
        sample_of(triangle.place, contact.feature - (is_edge ? kOfEdge : kOfVertex));
    if (triangles_around(vertex) > kManyAround) return;
    const bool is_seam = is_edge ? is_border_edge(triangle.place, contact.feature - kOfEdge)
                                 : is_border_vertex(vertex);
    if (is_seam) {
      const auto is_wanted = [&](const TrianglePlace& at) { return list_.find(at) >= 0; };
      const auto mark_there = [&](const TrianglePlace& at) { return mark(at, 0); };
      for_each_at_point(surface_, triangle.on_triangle, is_wanted, mark_there);
    }
    if (is_edge) {
      for_each_at_edge(triangle.place, contact.feature - kOfEdge, mark);
      return;
    }
    for (int k = 0; k < triangles_around(vertex); ++k) mark(around_sample(vertex, k).place, k);
  }

  /// Whether a triangle's normal leans from a direction, by more than a cosine and its rounding. To
  /// say so of most triangles costs no root.
  static bool leans(const Vector (&vertex)[3], const Vector& u, double cosine) {
    const Vector across = cross(vertex[1] - vertex[0], vertex[2] - vertex[0]);
    const double along = dot(across, u), square = dot(across, across);
    return !(along > 0) || along * along < cosine * cosine * (1 - 1e-9) * square;
  }

  /// Whether the points over a triangle belong to a patch: its normal agrees with the patch's, or
  /// is steep.
  template <class IsSteep>
  bool has_points(const TrianglePlace& at, const Vector& u, double least_slope, bool has_steep,
                  const IsSteep& is_steep, Vector (&vertex)[3], Vector& normal, bool& is_flipped,
                  bool& agrees) const {
    if (!surface_.is_own(at)) return false;
    const bool is_known = surface_.has_normal(at, normal);
    if (is_known && !(dot(normal, u) >= (has_steep ? kLeastRise : least_slope))) return false;
    if (!surface_.vertices(at, vertex)) return false;
    if (!is_known) {
      if (surface_.is_solid() && !has_steep && leans(vertex, u, least_slope)) return false;
      if (!surface_.front(vertex, normal, is_flipped) || surface_.is_behind(vertex, normal))
        return false;
    }
    const double slope = dot(normal, u);
    agrees = slope >= least_slope;
    return agrees || (slope > kLeastRise && is_steep(normal));
  }

  template <class Put>
  bool put_face(const TrianglePlace& at, const Vector (&vertex)[3], const Vector& normal,
                bool is_flipped, bool agrees, const SurfaceContact& deepest, PatchRoom<T>& room,
                const Put& put) const {
    const Vector& u = deepest.away;
    const double slope = dot(normal, u);
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    set_triangle(surface_.number_of(at), vertex, normal, is_flipped, room.faces.b);
    double lasting[kOfVertex + 3];
    for (double& name : lasting) name = -1;
    FaceClipper<double>& clipper = room.faces.clipper.make(
        room.faces.b, room.faces.a, Vector{{0, 0, 0}}, u, rounding, margin_ + placed_.radii());
    clipper.clip();
    for (int n = 0; n < clipper.count(); ++n) {
      const FaceCorner<double>& corner = clipper.corner(n);
      // What is deeper in a triangle than the patch is another one's.
      if (-corner.height * (agrees ? slope : 1) > deepest.depth + rounding) continue;
      const Vector on_core = clipper.position_of(corner) + scaled(u, corner.height);
      int feature = kOfFace;
      while (feature < kOfVertex + 2 &&
             surface_name(surface_.number_of(at), feature) != corner.reference_feature)
        ++feature;
      if (lasting[feature] < 0) lasting[feature] = lowest_name(surface_, at, feature);
      if (!put(on_core, corner.height, lasting[feature], corner.incident_feature)) return false;
    }
    return true;
  }

  /// The points of an edge whose triangles stand along the patch's normal, or nearly: seen along
  /// it, the edge is clipped to the core's face, or crosses its edge.
  template <class Put>
  bool put_edge(std::int32_t t, int edge, const SurfaceContact& deepest, double slope,
                PatchRoom<T>& room, const Put& put) const {
    const ListedTriangle& triangle = list_.triangle[t];
    const Vector& u = deepest.away;
    const int next = (edge + 1) % 3;
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    const ConvexFace<double>& face = room.faces.a;
    const double name = lasting_name_of(t, kOfEdge + edge);
    if (face.count < 3) {
      // Two edges, seen along the normal: where they cross, or come nearest.
      const Vector from = triangle.vertex[edge], along = triangle.vertex[next] - from;
      const Vector own = face.count < 2 ? Vector{{0, 0, 0}} : face.corner[1] - face.corner[0];
      const Vector apart = from - face.corner[0];
      const double across = dot(cross(own, along), u);
      const double at = across * across > 0 ? dot(cross(apart, along), u) / across : 0;
      const double share = at > 0 ? (at < 1 ? at : 1) : 0;
      const Vector on_core = face.corner[0] + scaled(own, share);
      // The edge's point at the same place, seen along the normal.
      const Vector seen = along - scaled(u, dot(along, u));
      const double there = dot(on_core - from, seen), length2 = dot(seen, seen);
      const Vector beside = on_core - from - scaled(seen, length2 > 0 ? there / length2 : 0);
      const double off2 = dot(beside, beside) - dot(beside, u) * dot(beside, u);
      if (!(there >= 0 && there <= length2) || off2 > rounding * rounding) return true;
      const double height = dot(on_core - from, u) - dot(along, u) * (there / length2);
      if (-height > deepest.depth + rounding) return true;  // another triangle's
      if (!(height <= margin_ + placed_.radii() + rounding)) return true;
      const double feature =
          share > 0 && share < 1 ? face.edge_feature[0] : face.corner_feature[share > 0 ? 1 : 0];
      return put(on_core, height, name, feature);
    }
    ConvexFace<double>& incident = room.faces.b;
    incident.count = 0;
    incident.radius = 0;
    incident.add(triangle.vertex[edge], lasting_name_of(t, kOfVertex + edge), name);
    incident.add(triangle.vertex[next], lasting_name_of(t, kOfVertex + next), name);
    incident.face_feature = name;
    incident.normal = incident.first_axis = u;
    FaceClipper<double>& clipper = room.faces.clipper.make(face, incident, Vector{{0, 0, 0}}, -u,
                                                           rounding, margin_ + placed_.radii());
    clipper.clip();
    for (int n = 0; n < clipper.count(); ++n) {
      const FaceCorner<double>& corner = clipper.corner(n);
      if (-corner.height * slope > deepest.depth + rounding) continue;  // another edge's
      if (!put(clipper.position_of(corner), corner.height, corner.incident_feature,
               corner.reference_feature)) {
        return false;
      }
    }
    return true;
  }

  /// At a seam of a mesh, edges of both sides have a corner at one place: there the contact's names
  /// both, as one edge would.
  void name_seam(double name, double width, FaceCorner<double>* corners, std::int64_t count) const {
    if (surface_.is_solid()) return;
    const auto is_edge = [](double of) {
      const double own = of - kTriangleStep * double(static_cast<std::int32_t>(of / kTriangleStep));
      return own >= surface_name(0, kOfEdge) && own <= surface_name(0, kOfEdge + 2);
    };
    for (std::int64_t n = 0; n < count; ++n) {
      if (corners[n].reference_feature != name) continue;
      for (std::int64_t m = 0; m < count; ++m) {
        const double x = corners[m].x - corners[n].x, y = corners[m].y - corners[n].y;
        const bool is_there = corners[m].incident_feature == corners[n].incident_feature &&
                              x * x + y * y <= width * width;
        if (is_there && is_edge(corners[m].reference_feature)) corners[m].reference_feature = name;
      }
    }
  }

  /// Whether a triangle has no points of a patch but those of its edges.
  static bool stands_along(const ListedTriangle& triangle, const Vector& u) {
    return triangle.state == TriangleState::hit && dot(triangle.normal, u) <= kLeastRise;
  }

  /// Whether a triangle has an edge or a vertex that meets the core along the normal of a patch
  /// that is asked for its points.
  bool meets_along(std::int32_t t) const {
    const ListedTriangle& triangle = list_.triangle[t];
    if ((triangle.marks & kMarkOfContact) != 0) return true;
    if (triangle.state != TriangleState::hit) return false;
    const auto is_along = [&](std::int32_t number) {
      return number >= 0 && ways_[number].is_along;
    };
    for (int k = 0; k < 3; ++k) {
      if (is_along(triangle.edge_way[k]) || is_along(triangle.vertex_way[k])) return true;
    }
    return false;
  }

  /// A name by the lowest triangle that has the edge or vertex.
  double lasting_name(double name) const {
    const auto number = static_cast<std::int32_t>(name / kTriangleStep);
    const double own = name - double(number) * kTriangleStep;
    int feature = kOfFace;
    while (feature < kOfVertex + 2 && surface_name(0, feature) != own) ++feature;
    return lowest_name(surface_, surface_.place_of(number), feature);
  }
  double name_of(std::int32_t t, int feature) const {
    return surface_name(surface_.number_of(list_.triangle[t].place), feature);
  }
  double lasting_name_of(std::int32_t t, int feature) const {
    return lowest_name(surface_, list_.triangle[t].place, feature);
  }

  /// The contact's own place.
  FaceCorner<double> corner_of(const SurfaceContact& contact) const {
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    const T feature =
        feature_between(core_, contact.core_vertex, contact.core_vertices,
                        narrowed<T>(-contact.away), narrowed<T>(contact.on_core), T(rounding));
    return {0, 0, -contact.depth, name_of(contact.triangle, contact.feature), double(feature)};
  }
  void set_point(const SurfaceContact& patch, const Vector& on_core,
                 const FaceCorner<double>& corner, SurfacePoint<T>& point) const {
    const Vector local = (on_core + placed_.from_anchor) - scaled(patch.away, placed_.radius);
    const Vector offset = placed_.to_scene(local) + placed_.rest;
    for (int k = 0; k < 3; ++k) point.offset[k] = offset[k];
    point.depth = static_cast<T>(placed_.radii() - corner.height);
    point.part = static_cast<std::int32_t>(corner.reference_feature / kTriangleStep);
    const auto of_surface =
        static_cast<std::uint32_t>(corner.reference_feature - double(point.part) * kTriangleStep);
    point.feature = static_cast<std::uint32_t>(corner.incident_feature) << 16 | of_surface;
  }

  NumberRoom within_;
};

}  // namespace
}  // namespace widephase
