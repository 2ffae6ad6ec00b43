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
// 4. where the shape is a flush part, another direction for those that its solid does not feel
//    (core/flush/flush_surface3.hpp);
// 5. patches with up to four points (surface_patches.hpp).
//
// Ties and degenerate input: a ball's centre on a face has the face's normal, status 1. A ball
// whose centre is below the surface leaves it by the nearest face alone, beside a seam by that of
// both fields. Triangles without area and holes do not exist. Borders are felt from above and from
// beside. Cost: 0.1 to 1 microsecond per triangle; most balls do not come here (ball_run.hpp).

#include "kernels/core/surface/box_look.hpp"
#include "kernels/core/surface/patch_points.hpp"
#include "kernels/core/surface/plane_search.hpp"
#include "kernels/core/surface/segment_look.hpp"

namespace widephase {
namespace {

/// What a search has found before it makes patches.
template <class T>
struct FoundContacts {
  const SurfaceRun<T>& run;
  const Pair& own;  ///< the shape, then the surface
  const PlacedShape<T>& placed;
  const FieldTriangles<T>& surface;
  const TriangleList& list;
  SurfaceContact* contacts;
  std::int32_t count;
  double touching;
  Arena& arena;
};

/// `Settle`: where shapes may be flush parts, `settle(found)` may change contacts. It answers false
/// if the arena is too small.
template <class T, class Settle>
class SurfaceSearch : PatchPoints<T> {
  using Near = NearTriangles<T>;
  using Felt = FeltWays<T>;
  using Contacts = SurfaceContacts<T>;
  using Points = PatchPoints<T>;
  using Contacts::contact_count_;
  using Contacts::contacts_;
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
  using Points::within_;

 public:
  SurfaceSearch(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room,
                const Settle& settle)
      : Points(run, i, room), settle_(settle) {}

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
    std::byte* const list_memory = arena_.template take<std::byte>(0);
    const bool is_listed = surface_.is_solid()
                               ? list_triangles(surface_, bounds_, reach, arena_, list_, look)
                               : list_mesh(surface_, bounds_, reach, !is_nearest, arena_, list_);
    if (!is_listed) return false;
    answer.triangles += list_.count;
    if (list_.count == 0) return true;
    if (room_ == nullptr || !this->open_window()) return false;
    if (!is_looked_at) this->measure(is_nearest);
    for (std::int32_t t = 0; is_looked_at && t < list_.count; ++t) {
      ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state == TriangleState::far) this->find_apart(triangle);
    }
    if (!surface_.is_solid() && !is_nearest) {
      const HitPlanes<T> planes(surface_, core_, bounds_, list_, limit_, touching_);
      if (const double depth = planes.depth_beyond(reach); depth > 0) {
        arena_.keep(list_memory, 0);
        if (!list_mesh(surface_, bounds_, depth + reach, true, arena_, list_)) return false;
        this->measure(false);
      }
    }
    // A triangle has at most one contact, and ways out at three edges and three vertices.
    const auto room_for = static_cast<std::size_t>(list_.count);
    contacts_ = arena_.template take<SurfaceContact>(room_for);
    order_ = arena_.template take<std::int32_t>(2 * room_for);
    FeatureWay* const ways = arena_.template take<FeatureWay>(6 * room_for + Felt::kNoWays);
    const std::size_t cut_room = surface_.is_solid() ? 0 : room_for;
    AreaCut* const cuts = arena_.template take<AreaCut>(cut_room);
    std::int32_t* const waiting = arena_.template take<std::int32_t>(cut_room);
    const bool has_room =
        this->take_cone_room() && this->take_seam_room() && cuts != nullptr && waiting != nullptr;
    if (!has_room || contacts_ == nullptr || order_ == nullptr || ways == nullptr) return false;
    if (!surface_.is_solid() && !is_nearest &&
        HitPlanes<T>(surface_, core_, bounds_, list_, limit_, touching_).may_end()) {
      const auto is_near = [&](const ListedTriangle& triangle, double most) {
        if (triangle.state == TriangleState::apart) return triangle.distance <= most;
        const Vector* const v = triangle.vertex;
        return nearest_of(core_, v, 3, -v[0], touching_, most + touching_).distance <= most;
      };
      hit_planes(surface_, double(core_.reach), is_near, list_, order_, order_ + list_.count);
    }
    this->add_apart();
    this->cuts_.begin(cuts, waiting);
    this->add_hits(ways, order_);
    if (is_nearest && contact_count_ == 0) this->add_nearest();
    const FoundContacts<T> found{run_,      this->own_,     placed_,   surface_, list_,
                                 contacts_, contact_count_, touching_, arena_};
    return is_nearest || run_.flush == nullptr || settle_(found);
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
    FaceCorner<double> corner = this->corner_of(contact);
    corner.reference_feature = this->lasting_name(corner.reference_feature);
    this->set_point(contact, contact.on_core, corner, patch->points[0]);
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
    auto* const views =
        arena_.template take<typename Points::PatchView>(static_cast<std::size_t>(patch_count));
    if (steep == nullptr || views == nullptr) return this->needs_more();
    if (!surface_.is_solid()) {
      within_.count = arena_.left() / 64;
      within_.number = arena_.template take<std::int32_t>(within_.count);
    }
    const std::size_t corner_bytes = sizeof(FaceCorner<double>) + sizeof(Vector);
    const std::size_t most_corners = arena_.left() > 256 ? (arena_.left() - 256) / corner_bytes : 0;
    FaceCorner<double>* const corners = arena_.template take<FaceCorner<double>>(most_corners);
    Vector* const places = arena_.template take<Vector>(most_corners);
    for (std::int32_t p = 0; p < patch_count; ++p) views[p].deepest = contacts_ + first[p];
    typename Points::CornerRoom all{corners, places, static_cast<std::int64_t>(most_corners), 0};
    bool has_room = this->find_corners(views, patch_count, room, steep, all);
    // Each takes its own to the end, where it may add others.
    const typename Points::CornerRoom rest{corners + all.count, places + all.count,
                                           all.most - all.count, 0};
    std::int64_t begin = 0;
    for (std::int32_t p = 0; has_room && p < patch_count; ++p) {
      set_normal(contacts_[first[p]], found[p]);
      typename Points::CornerRoom own = rest;
      own.count = views[p].count;
      has_room = own.count <= own.most;
      if (!has_room) break;
      for (std::int64_t n = 0; n < own.count; ++n) {
        own.corners[n] = corners[begin + n];
        own.places[n] = places[begin + n];
      }
      begin += own.count;
      has_room = this->find_points(p, views[p], room, own, found[p]);
    }
    if (!has_room) return {nullptr, 0, 0, 0, 2 * arena_.used() + 64 * corner_bytes};
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

  const Settle& settle_;
  std::int32_t* order_ = nullptr;  // of contacts
};

template <class T, class Settle>
SurfaceAnswer<T> find_patches(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room,
                              const Settle& settle) {
  if (traits_of(run.pairs.kind_a).is_unbounded) return PlaneSearch<T>(run, i, room).find();
  return SurfaceSearch<T, Settle>(run, i, room, settle).find();
}

}  // namespace
}  // namespace widephase
