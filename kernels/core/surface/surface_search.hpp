#pragma once

// hull_heightfield, cylinder_heightfield, ellipsoid_heightfield, cone_heightfield, capsule_mesh,
// aabb_mesh, box_mesh, hull_mesh, cylinder_mesh, ellipsoid_mesh, cone_mesh, and the pairs of a
// surface with other convex kinds where their own files end: the contacts, one pair at a time.
//
// Frame: the surface's axes, from the middle of the shape's core, in double; only support points
// are in T. The normal leads from the shape into the surface. A field is solid: all that is below
// it.
//
// Passes over the triangles near the shape (listed_triangles.hpp):
// 1. each is far, apart (nearest points by GJK), or hit: part of the core is below it; for segments
//    and boxes in lanes (segment_look.hpp, box_look.hpp), which list only what is not far;
// 2. of apart ones count those at whose nearest point no other triangle there is nearer, strictly:
//    these are the local minima of the distance, with no tolerance and no angle;
// 3. of hit ones the least ways out over felt directions (felt_ways.hpp), the shortest first: one
//    that clears others stands for them;
// 4. patches with up to four points (surface_patches.hpp).
//
// Ties and degenerate input: a ball's centre on a face has the face's normal, status 1. A ball
// whose centre is below the surface leaves it by the nearest face alone, beside a seam by that of
// both fields. Triangles without area and holes do not exist. Borders are felt from above and from
// beside. Cost: 0.1 to 1 microsecond per triangle; most balls do not come here (ball_run.hpp).

#include "kernels/core/surface/box_look.hpp"
#include "kernels/core/surface/plane_search.hpp"
#include "kernels/core/surface/segment_look.hpp"
#include "kernels/core/surface/surface_contacts.hpp"

namespace widephase {
namespace {

/// Triangles whose normal has less than this along a patch's have no points of it: their edges do.
inline constexpr double kLeastRise = 0.1;
/// Triangles whose normals have this cosine, 1e-5 rad, are in one plane or parallel ones.
inline constexpr double kSamePlane = 1 - 5e-11;

template <class T>
class SurfaceSearch : SurfaceContacts<T> {
  using Near = NearTriangles<T>;
  using Felt = FeltWays<T>;
  using Contacts = SurfaceContacts<T>;
  using Contacts::contact_count_;
  using Contacts::contacts_;
  using Felt::ways_;
  using Near::arena_;
  using Near::below_;
  using Near::bounds_;
  using Near::core_;
  using Near::limit_;
  using Near::list_;
  using Near::margin_;
  using Near::placed_;
  using Near::room_;
  using Near::run_;
  using Near::surface_;
  using Near::touching_;

 public:
  using Contacts::Contacts;

  SurfaceAnswer<T> find() {
    SurfaceAnswer<T> answer{nullptr, 0, 0, 0, 0};
    room_ = arena_.template take<PatchRoom<T>>(1);
    bounds_ = core_bounds(core_);
    const Vector& o = placed_.middle;
    if (!bounds_.is_finite() || !(dot(o, o) - dot(o, o) == 0)) return answer;
    if (!(double(core_.reach) < kInfinite<double>)) return answer;  // its square overflows
    touching_ = 8 * double(kRounding<T>) * double(core_.reach);
    if (run_.pairs.question != Question::deepest) {
      if (!find_contacts(false, answer)) return this->needs_more();
      return contact_count_ > 0 ? patches(answer) : answer;
    }
    // Neighbours tell which contacts there are. Without one the distance is the field's alone.
    if (surface_.has_neighbours()) {
      margin_ = 0;
      if (!find_contacts(false, answer)) return this->needs_more();
      if (contact_count_ > 0 && deepest().depth >= -placed_.radii()) return nearest_answer(answer);
      surface_.leave_neighbours();
    }
    if (!find_contacts(true, answer)) return this->needs_more();
    return contact_count_ > 0 ? nearest_answer(answer) : answer;
  }

 private:
  /// Finds the contacts within the margin, or the nearest place. False if the arena is too small.
  bool find_contacts(bool is_nearest, SurfaceAnswer<T>& answer) {
    contact_count_ = 0;
    surface_.set_window(nullptr);
    limit_ = margin_ + placed_.radii();
    limit_ += 4 * double(kRounding<T>) * limit_;
    this->find_side();
    if (is_nearest) {
      limit_ = this->bound_nearest();
      if (!(limit_ < kInfinite<double>)) return true;
    }
    double reach = limit_ > 0 ? limit_ : 0;
    if (core_.form == CoreForm::point && below_ > reach) reach = below_;
    // Cells are found from the field's origin, which may be far.
    reach += touching_ + 8 * kRounding<double> * root(dot(placed_.middle, placed_.middle));
    bool is_looked_at = false;
    const auto look = [&](double low, TriangleList& list) {
      if (is_nearest) return false;
      if (core_.form == CoreForm::segment) {
        SegmentLook<T>(surface_, core_, limit_, touching_).list(low, list);
      } else if (core_.form == CoreForm::box) {
        BoxLook<T>(surface_, core_, limit_, touching_).list(low, list);
      } else {
        return false;
      }
      is_looked_at = true;
      return true;
    };
    const bool is_listed = surface_.is_solid()
                               ? list_triangles(surface_, bounds_, reach, arena_, list_, look)
                               : list_mesh(surface_, bounds_, reach, arena_, list_);
    if (!is_listed) return false;
    answer.triangles += list_.count;
    if (list_.count == 0) return true;
    if (room_ == nullptr || !this->open_window()) return false;
    if (!is_looked_at) this->measure(is_nearest);
    for (std::int32_t t = 0; is_looked_at && t < list_.count; ++t) {
      ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state == TriangleState::far) this->find_apart(triangle);
    }
    // A triangle has at most one contact, and ways out at three edges and three vertices.
    const auto room_for = static_cast<std::size_t>(list_.count);
    contacts_ = arena_.template take<SurfaceContact>(room_for);
    order_ = arena_.template take<std::int32_t>(2 * room_for);
    FeatureWay* const ways = arena_.template take<FeatureWay>(6 * room_for);
    const bool has_room = this->take_cone_room();
    if (!has_room || contacts_ == nullptr || order_ == nullptr || ways == nullptr) return false;
    this->add_apart();
    this->add_hits(ways, order_);
    if (is_nearest && contact_count_ == 0) this->add_nearest();
    return true;
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
  void set_normal(const SurfaceContact& contact, SurfacePatch<T>& patch) const {
    const Vector normal = placed_.to_scene(contact.away);
    for (int k = 0; k < 3; ++k) patch.normal[k] = static_cast<T>(0 - normal[k]);
    patch.depth = static_cast<T>(placed_.radii() + contact.depth);
    patch.status = contact.status;
  }

  const SurfaceContact& deepest() const {
    std::int32_t best = 0;
    for (std::int32_t c = 1; c < contact_count_; ++c) {
      if (begins_before(contacts_[c], contacts_[best])) best = c;
    }
    return contacts_[best];
  }
  SurfaceAnswer<T> nearest_answer(SurfaceAnswer<T>& answer) {
    SurfacePatch<T>* const patch = arena_.template take<SurfacePatch<T>>(1);
    if (patch == nullptr) return this->needs_more();
    const SurfaceContact& contact = deepest();
    set_normal(contact, *patch);
    patch->point_count = 1;
    FaceCorner<double> corner = corner_of(contact);
    corner.reference_feature = lasting_name(corner.reference_feature);
    set_point(contact, contact.on_core, corner, patch->points[0]);
    if (!surface_.is_solid() && patch->depth > 0) patch->depth = patch->points[0].depth = 0;
    answer.patches = patch;
    answer.count = 1;
    return answer;
  }

  void sort_contacts() {
    for (std::int32_t c = 0; c < contact_count_; ++c) order_[c] = c;
    heap_sort(order_, contact_count_, [&](std::int32_t a, std::int32_t b) {
      return begins_before(contacts_[a], contacts_[b]);
    });
  }

  /// Whether a direction begins a patch before another one that is as deep but for rounding: by the
  /// shape's own axes, then by the scene's, so neither triangles nor the field's axes decide.
  bool begins(const Vector& a, const Vector& b) const {
    if (goes_before(core_, a, b)) return true;
    if (goes_before(core_, b, a)) return false;
    const Vector ahead = placed_.to_scene(a - b);
    for (const int k : {2, 0, 1}) {
      if (magnitude(ahead[k]) > 1e-6) return ahead[k] > 0;
    }
    return false;
  }

  SurfaceAnswer<T> patches(SurfaceAnswer<T>& answer) {
    PatchRoom<T>& room = *room_;
    std::int32_t* const order = order_;
    sort_contacts();
    const double least = -margin_ - placed_.radii();
    std::int32_t count = 0;
    for (std::int32_t c = 0; c < contact_count_; ++c) {
      if (contacts_[c].depth >= least) ++count;
    }
    SurfacePatch<T>* const found =
        arena_.template take<SurfacePatch<T>>(static_cast<std::size_t>(count));
    std::int32_t* const first = arena_.template take<std::int32_t>(static_cast<std::size_t>(count));
    SurfacePatch<T>* const ascending =
        arena_.template take<SurfacePatch<T>>(static_cast<std::size_t>(count));
    if (found == nullptr || first == nullptr || ascending == nullptr) return this->needs_more();
    std::int32_t patch_count = 0;
    const auto patch_of = [&](const SurfaceContact& contact) {
      std::int32_t p = 0;
      while (p < patch_count && !(dot(contacts_[first[p]].away, contact.away) >= run_.patch_cosine))
        ++p;
      return p < patch_count ? p : -1;
    };
    const double rounding = double(kRounding<T>) * 32 * (double(core_.reach) + placed_.radius);
    for (std::int32_t n = 0; n < contact_count_; ++n) {
      SurfaceContact& contact = contacts_[order[n]];
      if (!(contact.depth >= least)) continue;
      while ((contact.patch = patch_of(contact)) < 0) {
        std::int32_t best = order[n];
        for (std::int32_t m = n + 1; m < contact_count_; ++m) {
          const SurfaceContact& other = contacts_[order[m]];
          if (!(other.depth >= least && other.depth >= contact.depth - rounding)) break;
          if (patch_of(other) < 0 && begins(other.away, contacts_[best].away)) best = order[m];
        }
        first[patch_count++] = best;
        if (best == order[n]) {
          contact.patch = patch_count - 1;
          break;
        }
      }
    }
    answer.patches = found;
    answer.count = patch_count;
    const bool is_cut = run_.most_patches > 0 && run_.most_patches < patch_count;
    if (run_.pairs.question == Question::contact) {
      for (std::int32_t p = 0; p < patch_count; ++p) {
        set_normal(contacts_[first[p]], found[p]);
        found[p].point_count = 0;
      }
      return answer;
    }
    Vector* const steep = arena_.template take<Vector>(static_cast<std::size_t>(list_.count));
    if (steep == nullptr) return this->needs_more();
    if (!surface_.is_solid()) {
      within_.count = arena_.left() / 64;
      within_.number = arena_.template take<std::int32_t>(within_.count);
    }
    const std::size_t corner_bytes = sizeof(FaceCorner<double>) + sizeof(Vector);
    const std::size_t most_corners = arena_.left() > 256 ? (arena_.left() - 256) / corner_bytes : 0;
    FaceCorner<double>* const corners = arena_.template take<FaceCorner<double>>(most_corners);
    Vector* const places = arena_.template take<Vector>(most_corners);
    for (std::int32_t p = 0; p < patch_count; ++p) {
      set_normal(contacts_[first[p]], found[p]);
      if (!find_points(p, contacts_[first[p]], room, steep, corners, places,
                       static_cast<std::int64_t>(most_corners), found[p])) {
        return {nullptr, 0, 0, 0, 2 * arena_.used() + 64 * corner_bytes};
      }
    }
    for (std::int32_t p = 0; p < patch_count; ++p) order[p] = p;
    if (is_cut) {
      heap_sort(order, patch_count, [&](std::int32_t a, std::int32_t b) {
        if (found[a].depth != found[b].depth) return found[a].depth > found[b].depth;
        const std::int32_t x = lowest_part(found[a]), y = lowest_part(found[b]);
        return x != y ? x < y : a < b;
      });
      answer.left_out = patch_count - run_.most_patches;
      patch_count = static_cast<std::int32_t>(run_.most_patches);
      answer.count = patch_count;
    }
    heap_sort(order, patch_count, [&](std::int32_t a, std::int32_t b) {
      const std::int32_t x = lowest_part(found[a]), y = lowest_part(found[b]);
      return x != y ? x < y : a < b;
    });
    for (std::int32_t p = 0; p < patch_count; ++p) ascending[p] = found[order[p]];
    answer.patches = ascending;
    return answer;
  }

  /// Up to four points of a patch. Returns false if there is no room for the corners.
  bool find_points(std::int32_t p, const SurfaceContact& deepest, PatchRoom<T>& room, Vector* steep,
                   FaceCorner<double>* corners, Vector* places, std::int64_t most,
                   SurfacePatch<T>& patch) {
    const Vector& u = deepest.away;
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    const double most_height = margin_ + placed_.radii();
    std::int64_t count = 0;
    const Vector x_axis = across_of(u), y_axis = cross(u, x_axis);
    const auto put = [&](const Vector& at, double height, double name, double feature) {
      if (count == most) return false;
      // Triangles that lean are deeper along the normal than the contact; none says so.
      const double own = height > -deepest.depth ? height : -deepest.depth;
      corners[count] = {dot(at, x_axis), dot(at, y_axis), own, name, feature};
      places[count++] = at;
      return true;
    };
    Vec<double, 2> first{{1, 0}}, second{{0, 1}};
    if (core_.form != CoreForm::point) {
      find_face<T>(core_, narrowed<T>(-u), T(rounding), nullptr, room.found);
      widen(room.found, room.faces.a);
      find_lasting(room.faces.a, x_axis, y_axis, first, second);
      if (!put_faces(p, deepest, {x_axis, y_axis}, room, steep, put)) return false;
    }
    for (std::int32_t t = 0; core_.form != CoreForm::point && t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::hit || !(dot(triangle.normal, u) <= kLeastRise))
        continue;
      for (int edge = 0; edge < 3; ++edge) {
        if (triangle.edge_way[edge] < 0) continue;
        const FeatureWay& found = ways_[triangle.edge_way[edge]];
        if (found.triangle != t || !triangle.is_own || found.is_faces) continue;
        if (!(dot(found.way.direction, u) >= run_.patch_cosine)) continue;
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
        corner.incident_feature = room.faces.a.count > 2   ? room.faces.a.face_feature
                                  : room.faces.a.count > 1 ? room.faces.a.edge_feature[0]
                                                           : room.faces.a.corner_feature[0];
      }
      const Vector at =
          core_.form == CoreForm::point
              ? contact.on_core - scaled(contact.away, placed_.radius) + scaled(u, placed_.radius)
              : contact.on_core;
      if (!put(at, -contact.depth, lasting_name(corner.reference_feature),
               corner.incident_feature)) {
        return false;
      }
    }
    if (count == 0) return true;
    FaceCorner<double> kept[4];
    int kept_count = 1;
    if (count == 1) {
      kept[0] = corners[0];
    } else {
      double span = 0;
      for (std::int64_t n = 1; n < count; ++n) {
        const double x = magnitude(corners[n].x - corners[0].x);
        const double y = magnitude(corners[n].y - corners[0].y);
        span = x > span ? x : span;
        span = y > span ? y : span;
      }
      FourCorners<double> four(corners, static_cast<int>(count), {first, second},
                               kOneCornerShare<double> * span + 4 * rounding);
      kept_count = four.choose(rounding, true, kept);
    }
    lowest = kept[0].height;
    for (int n = 1; n < kept_count; ++n) lowest = kept[n].height < lowest ? kept[n].height : lowest;
    patch.point_count = 0;
    for (int n = 0; n < kept_count; ++n) {
      const Vector* at = nullptr;
      for (std::int64_t c = 0; c < count && at == nullptr; ++c) {
        const FaceCorner<double>& corner = corners[c];
        if (corner.x == kept[n].x && corner.y == kept[n].y && corner.height == kept[n].height) {
          at = &places[c];
        }
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

  /// The corners of the core's face over triangles, seen along the patch's normal: those whose
  /// normals agree with it, and those at whose edges or vertices it is felt, with all others in
  /// their planes. Such a triangle need not be near the core: it is where the face leads to along
  /// the normal.
  template <class Put>
  bool put_faces(std::int32_t p, const SurfaceContact& deepest, const SeenAxes& axes,
                 PatchRoom<T>& room, Vector* steep, const Put& put) const {
    const Vector& u = deepest.away;
    const ConvexFace<double>& face = room.faces.a;
    room.seen.set(face, axes);
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    const double most_height = margin_ + placed_.radii();
    const double least_slope = run_.patch_cosine > kLeastRise ? run_.patch_cosine : kLeastRise;
    std::int32_t steep_count = 0;
    const auto is_steep = [&](const Vector& normal) {
      bool is = false;
      for (std::int32_t k = 0; k < steep_count; ++k) is |= dot(steep[k], normal) >= kSamePlane;
      return is;
    };
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const Vector& normal = list_.triangle[t].normal;
      const double slope = dot(normal, u);
      if (!(slope > kLeastRise && slope < least_slope) || is_steep(normal)) continue;
      if (meets_along(p, t, u)) steep[steep_count++] = normal;
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
    const auto put_at = [&](const TrianglePlace& at) {
      return put_face(at, deepest, least_slope, steep_count > 0, is_steep, room, put);
    };
    if (const FieldWindow* const window = surface_.window()) {
      const CellRange cells = cells_in(surface_, bounds.low, bounds.high, beyond);
      if (cells.count() == 0) return true;
      if (window->has_cell(cells.row, cells.column) &&
          window->has_cell(cells.end_row - 1, cells.end_column - 1)) {
        return window->for_each_facing(cells.row, cells.end_row, cells.column, cells.end_column, u,
                                       steep_count > 0 ? kLeastRise : least_slope,
                                       [&](std::int32_t row, std::int32_t col, int half) {
                                         return put_at({row, col, half});
                                       });
      }
    }
    return for_each_within(surface_, bounds.low, bounds.high, beyond, within_, put_at);
  }

  /// Whether a triangle's normal leans from a direction, by more than a cosine and its rounding. To
  /// say so of most triangles costs no root.
  static bool leans(const Vector (&vertex)[3], const Vector& u, double cosine) {
    const Vector across = cross(vertex[1] - vertex[0], vertex[2] - vertex[0]);
    const double along = dot(across, u), square = dot(across, across);
    return !(along > 0) || along * along < cosine * cosine * (1 - 1e-9) * square;
  }

  template <class IsSteep, class Put>
  bool put_face(const TrianglePlace& at, const SurfaceContact& deepest, double least_slope,
                bool has_steep, const IsSteep& is_steep, PatchRoom<T>& room, const Put& put) const {
    const Vector& u = deepest.away;
    Vector vertex[3], normal;
    bool is_flipped = false;
    if (!surface_.is_own(at)) return true;
    const bool is_known = surface_.has_normal(at, normal);
    if (is_known && !(dot(normal, u) >= (has_steep ? kLeastRise : least_slope))) return true;
    if (!surface_.vertices(at, vertex)) return true;
    if (!is_known) {
      if (surface_.is_solid() && !has_steep && leans(vertex, u, least_slope)) return true;
      if (!surface_.front(vertex, normal, is_flipped) || surface_.is_behind(vertex, normal))
        return true;
    }
    const double slope = dot(normal, u);
    const bool agrees = slope >= least_slope;
    if (!agrees && !(slope > kLeastRise && is_steep(normal))) return true;
    const double rounding = double(kRounding<T>) * 32 * double(core_.reach);
    if (room.seen.is_beside(vertex, 8 * rounding)) return true;
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

  /// Whether a steep triangle has an edge or a vertex that meets the core along a patch's normal.
  bool meets_along(std::int32_t p, std::int32_t t, const Vector& u) const {
    const ListedTriangle& triangle = list_.triangle[t];
    if (triangle.contact >= 0 && contacts_[triangle.contact].patch == p) return true;
    if (triangle.state != TriangleState::hit) return false;
    const auto is_along = [&](std::int32_t number) {
      return number >= 0 && !ways_[number].is_faces &&
             dot(ways_[number].way.direction, u) >= run_.patch_cosine;
    };
    for (int k = 0; k < 3; ++k) {
      if (is_along(triangle.edge_way[k]) || is_along(triangle.vertex_way[k])) return true;
    }
    return false;
  }

  std::int32_t* order_ = nullptr;  // of contacts
  NumberRoom within_;
};

template <class T>
SurfaceAnswer<T> find_patches(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room) {
  if (traits_of(run.pairs.kind_a).is_unbounded) return PlaneSearch<T>(run, i, room).find();
  return SurfaceSearch<T>(run, i, room).find();
}

}  // namespace
}  // namespace widephase
