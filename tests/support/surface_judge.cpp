#include "support/surface_judge.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <widephase/heightfields.hpp>

namespace widephase::test {

template <class T>
std::vector<PatchAnswer<T>> patches_of(const ContactBuffer<3, T>& contacts, std::int64_t source) {
  std::vector<PatchAnswer<T>> patches;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts.source[i] != source) continue;
    PatchAnswer<T> patch;
    static_cast<Contact<3, T>&>(patch) = contact_at(contacts, i);
    for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
      patch.parts.push_back(contacts.part(static_cast<std::size_t>(j), 1));
    }
    patches.push_back(patch);
  }
  return patches;
}

template <class T>
std::string describe(const PatchAnswer<T>& patch) {
  std::string text = describe(static_cast<const Contact<3, T>&>(patch)) + "\n    parts";
  for (const std::int32_t part : patch.parts) text += " " + std::to_string(part);
  return text;
}

namespace {

constexpr Real kPi = 3.14159265358979323846L;
/// How far the normals of a patch may be apart that merged.
constexpr Real kMergedTurn = 5 * kPi / 180;

/// Whether the shape's position is below the surface.
bool is_below(const PlacedField& field, const Solid<3>& solid) {
  const Vec<3> local = field.local(widened(solid.p));
  return height_at(field.samples, static_cast<double>(local[0]), static_cast<double>(local[1])) >
         static_cast<double>(local[2]);
}

/// The triangles of the field near a shape, relative to its position, with what is over them.
Surface surface_near(const PlacedField& field, const Solid<3>& solid, Real reach) {
  const auto axes = field.axes();
  if (is_below(field, solid)) {
    // Deep below, the nearest face need not be over the shape.
    return surface_of(field.samples).placed(minus(widened(field.center), widened(solid.p)), axes);
  }
  Vec<3> low, high;
  for (int k = 0; k < 3; ++k) {
    const Vec<3>& axis = axes[static_cast<std::size_t>(k)];
    const Real origin = dot(axis, widened(field.center));
    high[k] = core_support(solid, axis) - origin + reach;
    low[k] = -core_support(solid, times(axis, -1)) - origin - reach;
  }
  high[2] = std::numeric_limits<Real>::infinity();
  const Surface own = surface_of(field.samples).near(low, high);
  return own.placed(minus(widened(field.center), widened(solid.p)), axes);
}

/// How far a point is from a feature of a triangle.
Real distance_to_feature(const Surface& surface, std::size_t t, Feature feature, std::size_t k,
                         const Vec<3>& point) {
  const Polytope core = surface.core(t, {});
  switch (feature) {
    case Feature::vertex:
      return length(minus(point, core.corners[k]));
    case Feature::edge:
      return length(minus(point, nearest_on_edge(core, core.edges[k], point)));
    case Feature::face:
    case Feature::whole:
      break;
  }
  return distance_to_surface(core, point);
}

template <class T>
class PairJudge {
 public:
  PairJudge(const PlacedField& field, const Solid<3>& solid, const SurfaceRules& rules,
            const std::vector<PatchAnswer<T>>& patches, std::shared_ptr<KnownWays> known)
      : field_(field),
        solid_(solid),
        rules_(rules),
        patches_(patches),
        radius_(radius_of(solid)),
        surface_(surface_near(field, solid, reach())),
        pair_(solid, surface_, std::move(known)) {
    Real cell = 0;
    for (const double side : field.samples.cell) cell = std::max(cell, Real{side});
    size_ = 2 * pair_.size() + cell + Real{rules.margin};
    tolerance_ = kDepthTolerance<T> * size_;
    for (int k = 0; k < 3; ++k) world_ = std::max(world_, std::abs(Real{solid.p[k]}));
    const Vec<3> local = field.local(widened(solid.p));
    is_below_ = is_below(field, solid);
    // The field's numbers are in its own frame.
    tolerance_ += (sizeof(SizeOf<T>) == 4 ? 2.4e-7L : 4.5e-16L) * length(local);
    place_rounding_ = (sizeof(PositionOf<T>) == 4 ? 2.4e-7L : 4.5e-16L) * (world_ + size_);
  }

  std::string problem() {
    for (std::size_t t = 0; t < surface_.triangles.size() && !crosses_any_; ++t) {
      crosses_any_ = pair_.least_core_way_out(t) > tolerance_;
    }
    for (std::size_t i = 0; i < patches_.size(); ++i) {
      const std::string text = patch_problem(patches_[i]);
      if (!text.empty()) return "patch " + std::to_string(i) + ": " + text;
    }
    for (std::size_t i = 0; i < patches_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Real together = dot(patches_[i].normal, patches_[j].normal);
        const Real most = rules_.merges ? std::cos(kMergedTurn) : 1 - 1e-9L;
        if (together > most + 1e-6L) return "two patches have the same normal";
      }
    }
    return missing_problem();
  }

 private:
  /// How far beyond the core a triangle may be that it meets: also aside of it, where a depth
  /// leads.
  Real reach() const {
    Real aside = 0;
    for (const PatchAnswer<T>& patch : patches_) {
      aside = std::max(aside, length(cross(patch.normal, field_.axes()[2])) * patch.depth * 1.01L);
    }
    aside += kDepthTolerance<T> * core_reach(solid_);
    return radius_of(solid_) + Real{rules_.margin} * 1.01L + aside;
  }

  std::size_t index_of(std::int32_t number) const {
    const auto found = std::ranges::find(surface_.numbers, number);
    return static_cast<std::size_t>(found - surface_.numbers.begin());
  }

  /// Why a triangle does not have a normal and a depth; empty if it has.
  std::string not_of(std::size_t t, const PatchAnswer<T>& patch) const {
    const Vec<3> n = times(patch.normal, -1 / length(patch.normal));
    const Real way = pair_.way_out(t, n);
    if (!(std::abs(way - patch.depth) <= tolerance_)) {
      return "leaving along the normal takes " + std::to_string(static_cast<double>(way));
    }
    const Real core_way = pair_.least_core_way_out(t);
    // A length that rounding may turn a direction by.
    const Real turn = (sizeof(SizeOf<T>) == 4 ? 1e-3L : 1e-6L);
    std::string reason;
    if (core_way < tolerance_) {
      const SurfacePlace place = pair_.place(t);
      if (!place.crosses) {
        const Real distance = pair_.radius() - place.depth;
        // A core that is below all of the surface may be nearest to a face from behind.
        const bool is_behind = dot(place.normal, surface_.normals[t]) < -1 + 1e-9L && is_below_ &&
                               length(minus(n, surface_.normals[t])) <= turn;
        if (is_behind) return "";
        if (way > place.depth + tolerance_) {
          reason = "another direction takes " + std::to_string(static_cast<double>(place.depth));
        } else if (!is_over_face(t, n, turn) &&
                   place.least_slack > turn + 4 * tolerance_ / std::max(distance, tolerance_)) {
          reason = "the surface goes on nearer to the shape: slack " +
                   std::to_string(static_cast<double>(place.least_slack));
        } else {
          return "";
        }
      }
    }
    if (core_way < -tolerance_ && !pair_.reaches_below(t, tolerance_)) return reason;
    const Real angle = pair_.angle_to_felt(t, n, tolerance_);
    if (angle > turn) {
      return reason + " no such direction is felt: " + std::to_string(static_cast<double>(angle));
    }
    // Below all of the surface there is no shortest way to compare with: the field over the shape
    // is what it leaves.
    if (!crosses_any_) return "";
    const auto [gain, there] = pair_.gain_nearby(t, n, tolerance_);
    if (gain > 2 * tolerance_ + 2 * turn * turn * size_) {
      std::ostringstream text;
      text << " a felt direction beside it, -(" << there[0] << ", " << there[1] << ", " << there[2]
           << "), takes less by " << gain;
      return reason + text.str();
    }
    return "";
  }

  /// Whether `n`, along which the distance is least, is the face's normal, to rounding. Where the
  /// plane is as near as the triangle, a nearest point of the core is over the triangle, to
  /// rounding too, though another one, exactly, may be nearest at an edge.
  bool is_over_face(std::size_t t, const Vec<3>& n, Real turn) const {
    return length(minus(n, surface_.normals[t])) <= turn;
  }

  std::string patch_problem(const PatchAnswer<T>& patch) const {
    const Real norm = length(patch.normal);
    if (!(std::abs(norm - 1) <= 4 * kUnitTolerance<T>)) return "the normal is not of unit length";
    if (!(patch.depth >= -Real{rules_.margin} - tolerance_)) return "it is beyond the margin";
    if (patch.points.empty() || patch.points.size() > 4) return "it has no points, or too many";
    const Real deepest = *std::ranges::max_element(patch.point_depths);
    if (deepest != patch.depth) return "no point has its depth, or one is deeper";
    std::string reasons;
    bool is_right = false;
    for (std::size_t i = 0; i < patch.parts.size() && !is_right; ++i) {
      const std::size_t t = index_of(patch.parts[i]);
      if (t == surface_.numbers.size()) return "there is no triangle of the part's number here";
      const std::string reason = not_of(t, patch);
      is_right = reason.empty();
      reasons += std::to_string(patch.parts[i]) + ": " + reason + "; ";
    }
    // The deepest of a patch may be another triangle than that of any of its four points.
    for (std::size_t t = 0; t < surface_.triangles.size() && !is_right; ++t) {
      const std::string reason = not_of(t, patch);
      is_right = reason.empty();
      // The face whose normal it is may not have any of its points.
      if (length(plus(surface_.normals[t], patch.normal)) < 1e-4L) {
        reasons += "face " + std::to_string(surface_.numbers[t]) + ": " + reason + "; ";
      }
    }
    if (!is_right) return "its normal and depth are of no triangle: " + reasons;
    for (std::size_t i = 0; i < patch.points.size(); ++i) {
      const std::string text = point_problem(patch, i);
      if (!text.empty()) return "point " + std::to_string(i) + ": " + text;
    }
    return "";
  }

  std::string point_problem(const PatchAnswer<T>& patch, std::size_t i) const {
    const Real depth = patch.point_depths[i];
    if (!(depth >= -Real{rules_.margin})) return "it is beyond the margin";
    const Vec<3> n = times(patch.normal, 1 / length(patch.normal));
    const Vec<3> point = minus(patch.points[i], widened(solid_.p));
    const std::uint32_t half = patch.features[i] & 0xffff;
    const auto feature = static_cast<Feature>(half >> 14);
    const std::size_t k = half & 0x3fff;
    const std::size_t t = index_of(patch.parts[i]);
    if (t == surface_.numbers.size()) return "there is no such part here";
    if (feature == Feature::whole || k > 2 || (feature == Feature::face && k != 0)) {
      return "B's feature is none of a triangle's";
    }
    // On a smooth core a depth that is larger by rounding may be the root of that away.
    const Real aside = is_searched(solid_.kind) ? std::sqrt(tolerance_ * size_) : 0;
    const Real allowed = aside + 16 * tolerance_ + place_rounding_;
    const bool is_deepest = depth == patch.depth;
    // A ball touches along its own directions, which a patch may have merged.
    const bool is_ball = solid_.kind == Kind::sphere;
    const Vec<3> along = is_ball && radius_ > 0 ? times(point, 1 / length(point)) : n;
    const Real turn = std::acos(std::min(Real{1}, dot(along, n)));
    if (turn > (rules_.merges ? kMergedTurn : 0) + 1e-3L + place_rounding_ / radius_) {
      return "a ball's direction is not the patch's";
    }
    Real off = 0;
    if (is_ball && radius_ == 0) {
      off = std::abs(distance_to_feature(surface_, t, feature, k, point) - std::abs(depth));
    } else {
      // The lowest triangle names an edge or a vertex, another one may have given the point.
      std::vector<std::size_t> givers{t};
      if (feature == Feature::edge) givers = surface_.at_edge.at(surface_.edge_of(t, k));
      if (feature == Feature::vertex) givers = surface_.at_vertex[surface_.triangles[t][k]];
      Vec<3> on_b = plus(point, along, -depth);
      if (std::abs(dot(n, surface_.up)) < 1e-3L) on_b = raised(t, feature, k, on_b);
      off = distance_to_feature(surface_, t, feature, k, on_b);
      for (std::size_t giver : givers) {
        if (is_ball) break;
        const Vec<3> there = plus(point, n, -own_depth(patch, giver, point, n, depth));
        off = std::min(off, distance_to_feature(surface_, t, feature, k, there));
      }
      // Directions that are not felt may be shorter ways out of a triangle that the core crosses.
      // So what is foremost on the core along the normal need not be over the feature that is
      // foremost on the surface, but only as far from it along the normal as the depth says.
      const bool is_crossed = is_deepest && depth > pair_.radius();
      if (is_crossed) off = std::min(off, std::abs(dot(minus(on_b, surface_.corner(t, k)), n)));
    }
    const Real turned =
        is_ball ? std::abs(depth) * place_rounding_ / std::max(radius_, place_rounding_) : 0;
    if (!(off <= allowed + turned)) {
      return "its partner is " + std::to_string(static_cast<double>(off)) + " off " +
             describe_feature(half) + " of triangle " + std::to_string(patch.parts[i]);
    }
    if (feature == Feature::edge &&
        surface_.lowest_at_edge(surface_.edge_of(t, k)) != patch.parts[i]) {
      return "a lower triangle has the edge";
    }
    if (feature == Feature::vertex &&
        surface_.lowest_at_vertex(surface_.triangles[t][k]) != patch.parts[i]) {
      return "a lower triangle has the vertex";
    }
    const Vec<3> core_point = plus(patch.points[i], along, -radius_);
    const Real away = distance_to_core_surface(solid_, core_point);
    if (!(away <= allowed)) return "it is " + std::to_string(static_cast<double>(away)) + " off A";
    const std::string text =
        feature_problem<T>(solid_, patch.features[i] >> 16, core_point, 4 * allowed);
    if (!text.empty()) return "A's feature " + text;
    return "";
  }

  /// A point straight below an edge or a vertex of a border, on the wall that has its name, raised
  /// to it.
  Vec<3> raised(std::size_t t, Feature feature, std::size_t k, const Vec<3>& point) const {
    const Vec<3>& up = surface_.up;
    Vec<3> at = surface_.corner(t, k);
    if (feature == Feature::face) return point;
    if (feature == Feature::edge) {
      if (!surface_.is_border(t, k)) return point;
      const Vec<3> edge = minus(surface_.corner(t, (k + 1) % 3), at);
      const Vec<3> level = plus(edge, up, -dot(edge, up));
      at = plus(at, edge, dot(minus(point, at), level) / dot(level, level));
    }
    return plus(point, up, std::max(Real{0}, dot(minus(at, point), up)));
  }

  /// How deep a point is in its own triangle along the normal. In a patch that merged, triangles
  /// that lean are deeper than the contact, whose depth their points have.
  Real own_depth(const PatchAnswer<T>& patch, std::size_t t, const Vec<3>& point, const Vec<3>& n,
                 Real depth) const {
    const Real rise = -dot(surface_.normals[t], n);
    if (!rules_.merges || depth != patch.depth || rise < std::cos(kMergedTurn + 1e-3L))
      return depth;
    const Real own = dot(surface_.normals[t], minus(surface_.corner(t, 0), point)) / rise;
    return own > depth && own * rise <= depth + tolerance_ ? own : depth;
  }

  bool clears(const PatchAnswer<T>& patch, std::size_t t) const {
    const Vec<3> n = times(patch.normal, -1 / length(patch.normal));
    // Normals that differ by less than this are one also where only those that are equal are to be.
    constexpr Real kEqual = 5e-5L;
    const Real most = patch.depth + 2 * tolerance_ + kEqual * size_ - pair_.way_out(t, n);
    if (most >= 0) return true;
    // The part of the triangle that is farther may not be over the shape.
    return !pair_.reaches_top(t, n, -most, 2 * tolerance_);
  }
  bool clears_merged(const PatchAnswer<T>& patch, std::size_t t, const SurfacePlace& place) const {
    const Real together = -dot(place.normal, patch.normal);
    if (together > std::cos(11 * kPi / 180) && patch.depth >= place.depth - 2 * tolerance_) {
      return true;
    }
    const Vec<3> n = times(patch.normal, -1 / length(patch.normal));
    return pair_.least_within(t, n, 5 * kPi / 180) <= patch.depth + 2 * tolerance_;
  }

  /// Every triangle that the shape crosses, or which has a local minimum of the distance within the
  /// margin, is cleared by one of the contacts. Merged patches may need more, in proportion to the
  /// size: there must be one with a normal like its own.
  std::string missing_problem() const {
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
      Real least = pair_.least_core_way_out(t);
      if (least + pair_.radius() < -Real{rules_.margin} + 2 * tolerance_) continue;
      if (std::abs(least) <= 2 * tolerance_) continue;
      const auto is_clear = [&](const PatchAnswer<T>& patch) { return clears(patch, t); };
      if (std::ranges::any_of(patches_, is_clear)) continue;
      const SurfacePlace place = pair_.place(t);
      if (!place.crosses && place.most_slack > 1e-9L) continue;
      // From below, the surface is left by a face; what is near from there need not be.
      if (!place.crosses && is_below_) continue;
      if (place.depth < -Real{rules_.margin} + 2 * tolerance_) continue;
      const bool is_cleared = std::ranges::any_of(patches_, [&](const PatchAnswer<T>& patch) {
        return rules_.merges && clears_merged(patch, t, place);
      });
      if (!is_cleared) {
        std::ostringstream text;
        text << "no contact clears triangle " << surface_.numbers[t] << ", normal ("
             << -place.normal[0] << ", " << -place.normal[1] << ", " << -place.normal[2]
             << ") depth " << place.depth << (place.crosses ? " crossing" : " apart");
        return text.str();
      }
    }
    return "";
  }

  const PlacedField& field_;
  const Solid<3>& solid_;
  const SurfaceRules& rules_;
  const std::vector<PatchAnswer<T>>& patches_;
  Real radius_;
  Surface surface_;
  SurfacePair pair_;
  bool crosses_any_ = false;
  bool is_below_ = false;
  Real size_ = 0, tolerance_ = 0, world_ = 0, place_rounding_ = 0;
};

/// A ball whose centre is straight below a border is under the field or beside it as the field's
/// axes round, and the two have other answers. Moved by less than that to either side, it may have
/// that one's.
template <class T>
bool is_right_beside(const PlacedField& field, const Solid<3>& solid, const SurfaceRules& rules,
                     const std::vector<PatchAnswer<T>>& patches) {
  const Real rounding = (sizeof(SizeOf<T>) == 4 ? 1.2e-7L : 2.3e-16L) *
                        (length(field.local(widened(solid.p))) + length(widened(solid.p)));
  bool is_right = false, is_under = false, is_beside = false;
  for (const Real x : {-1.L, 1.L}) {
    for (const Real y : {-1.L, 1.L}) {
      Solid<3> there = solid;
      for (std::size_t k = 0; k < 3; ++k) {
        const Real shift = rounding * (x * field.axes()[0][k] + y * field.axes()[1][k]);
        there.p[k] += static_cast<double>(shift);
      }
      (is_below(field, there) ? is_under : is_beside) = true;
      const auto known = std::make_shared<KnownWays>();
      is_right |= PairJudge<T>(field, there, rules, patches, known).problem().empty();
    }
  }
  return is_right && is_under && is_beside;
}

}  // namespace

template <class T>
std::string surface_problem(const PlacedField& field, const Solid<3>& solid,
                            const SurfaceRules& rules, const std::vector<PatchAnswer<T>>& patches,
                            std::shared_ptr<KnownWays> known) {
  const std::string problem =
      PairJudge<T>(field, solid, rules, patches, std::move(known)).problem();
  const bool is_ball = solid.kind == Kind::sphere && !problem.empty();
  return is_ball && is_right_beside(field, solid, rules, patches) ? "" : problem;
}

template <class T>
std::int32_t SurfaceScene<T>::add(const PlacedField& field) {
  using Size = SizeOf<T>;
  const HeightSamples& samples = field.samples;
  Column<Size> heights;
  for (const double height : samples.heights) heights.push_back({static_cast<Size>(height)});
  auto& table = scene.heightfields;
  table.geometry.push_back({add_heightfield(
      scene.heightfield_geometries, heights.span(), static_cast<std::int32_t>(samples.columns),
      static_cast<Size>(samples.cell[0]), static_cast<Size>(samples.cell[1]))});
  table.center.push_back(as_row<3, PositionOf<T>>(field.center));
  std::array<Size, 4> turn;
  for (int k = 0; k < 4; ++k) {
    turn[static_cast<std::size_t>(k)] = static_cast<Size>(field.orientation[k]);
  }
  table.turn.push_back(turn);
  return static_cast<std::int32_t>(table.turn.size() - 1);
}

template <class T>
void SurfaceScene<T>::add_pair(const Solid<3>& solid, std::int32_t field_row) {
  rows_.push_back({solid.kind, append(scene, solid), field_row});
}

template <class T>
void SurfaceScene<T>::name_pairs() {
  const SceneLayout layout = layout_of(scene);
  pairs.clear();
  for (const Rows& rows : rows_) {
    pairs.push_back({layout.id(rows.kind, rows.row), layout.id(Kind::heightfield, rows.field_row)});
  }
}

#define WIDEPHASE_INSTANTIATE(T)                                                          \
  template std::vector<PatchAnswer<T>> patches_of<T>(const ContactBuffer<3, T>& contacts, \
                                                     std::int64_t source);                \
  template std::string describe<T>(const PatchAnswer<T>& patch);                          \
  template std::string surface_problem<T>(                                                \
      const PlacedField& field, const Solid<3>& solid, const SurfaceRules& rules,         \
      const std::vector<PatchAnswer<T>>& patches, std::shared_ptr<KnownWays> known);      \
  template struct SurfaceScene<T>
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
WIDEPHASE_INSTANTIATE(Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
