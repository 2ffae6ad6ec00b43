#pragma once

// Finds errors in the answer to a 3D pair, by fast_reference3.hpp.

#include "reference/direction_search.hpp"
#include "support/coaxial3.hpp"
#include "support/fast_cylinders3.hpp"

namespace widephase::test {

/// A contact with its deepest point.
struct FastAnswer {
  Vec3d normal;
  double depth = 0;
  Vec3d point;
  double point_depth = 0;
};

enum class Fault {
  none,
  no_unit_normal,
  other_depth_along_normal,
  point_outside,
  points_farther,
  beaten,
  unproven
};
inline constexpr std::array<const char*, 7> kFaultNames{
    "none",
    "the normal is not of unit length",
    "leaving along the normal takes another depth",
    "the deepest point is not in both",
    "the deepest point and its partner are farther from each other",
    "another direction takes less",
    "whether another direction takes less is open"};

struct Verdict {
  Fault fault = Fault::none;
  double number = 0;  ///< length, depth along the normal, how far outside, depth of the points,
                      ///< or least depth
};

class Judge {
 public:
  /// The length that rounding of the pair is relative to.
  static double size_of(const FastShape& a, const FastShape& b) {
    if (b.kind == Kind::halfspace) {
      // Its height is computed with twice the digits.
      return std::abs(dot(b.center, a.center) - b.offset) + a.reach + a.radius;
    }
    if (a.kind == Kind::halfspace) return size_of(b, a);
    return length(b.center - a.center) + a.reach + b.reach + a.radius + b.radius;
  }

  /// `tolerance` is a length; points may be off by 4 times as much. `unit_tolerance` is the allowed
  /// error of a normal, `place_rounding` the rounding of a point's coordinates.
  Verdict operator()(const FastShape& a, const FastShape& b, const FastAnswer& answer,
                     double tolerance, double unit_tolerance, double place_rounding) {
    const double norm = length(answer.normal);
    if (!(std::abs(norm - 1) <= unit_tolerance)) return {Fault::no_unit_normal, norm};
    const Vec3d n = 1 / norm * answer.normal;
    if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
      const bool is_first = a.kind == Kind::halfspace;
      const FastShape& plane = is_first ? a : b;
      const FastShape& other = is_first ? b : a;
      const double error = length(n - (is_first ? plane.center : -plane.center));
      if (!(error <= unit_tolerance)) return {Fault::beaten, error};
      const double depth = plane.offset + other.radius + other.support(-plane.center, {});
      if (std::abs(answer.depth - depth) <= tolerance) return {};
      return {Fault::other_depth_along_normal, depth};
    }
    const double radius = a.radius + b.radius;
    const double taken = radius + a.support(n, a.center) + b.support(-n, a.center);
    if (!(std::abs(taken - answer.depth) <= tolerance)) {
      return {Fault::other_depth_along_normal, taken};
    }
    // Points and segments never overlap deeply.
    if (answer.depth <= radius || (is_thin(a.kind) && is_thin(b.kind))) {
      const Vec3d on_a = answer.point - a.radius * n;
      const Vec3d on_b = answer.point + (b.radius - answer.point_depth) * n;
      const Vec3d in_a = a.nearest(on_a), in_b = b.nearest(on_b);
      const double off = std::max(length(in_a - on_a), length(in_b - on_b));
      if (!(off <= 4 * tolerance + place_rounding) || answer.point_depth != answer.depth) {
        return {Fault::point_outside, off};
      }
      const double depth = radius - length(in_b - in_a);
      if (answer.depth <= depth + tolerance) return {};
      return {Fault::points_farther, depth};
    }
    if (is_searched(a.kind) || is_searched(b.kind)) {
      // The deepest point and its partner are on both surfaces, where each is foremost. On a round
      // one, a depth that is larger by rounding may be the root of that away.
      const double aside = std::sqrt(tolerance * size_of(a, b));
      const Vec3d on_a = answer.point - a.radius * n;
      const Vec3d on_b = answer.point + (b.radius - answer.point_depth) * n;
      const double off = std::max({length(a.nearest(on_a) - on_a), length(b.nearest(on_b) - on_b),
                                   a.support(n, on_a), b.support(-n, on_b)});
      if (!(off <= aside + 4 * tolerance + place_rounding) || answer.point_depth != answer.depth) {
        return {Fault::point_outside, off};
      }
      Verdict verdict = least_direction(a, b, answer.depth - radius, tolerance);
      verdict.number += radius;
      return verdict;
    }
    const double least = radius + least_core_depth(a, b);
    if (answer.depth <= least + tolerance) return {};
    return {Fault::beaten, least};
  }

  /// Whether some direction separates searched cores that overlap by less than `known`, which one
  /// takes, by more than the tolerance. `is_patient` looks on where there is little hope.
  Verdict least_direction(const FastShape& a, const FastShape& b, double known, double tolerance,
                          bool is_patient = false) {
    const double least = known - tolerance;
    if (least > 0 && takes_at_least(a, b, least, tolerance / 4)) return {};
    const std::size_t most = is_patient ? 200000 : 16000;
    search(a, b, known, tolerance, {.most = most, .below = true, .hopeless = !is_patient});
    if (search_.upper() < known - tolerance) return {Fault::beaten, search_.upper()};
    if (search_.is_proven()) return {};
    return {Fault::unproven, search_.lower()};
  }

  /// The depth of cores that overlap. If they do not, a direction without depth will do.
  double least_core_depth(const FastShape& a, const FastShape& b) {
    LeastDepth best(a, b);
    if (is_searched(a.kind) || is_searched(b.kind)) {
      const double size = size_of(a, b);
      search(a, b, 4 * size, 1e-13 * size, {.most = 4000});
      return search_.upper();
    }
    if (a.kind == Kind::cylinder && b.kind == Kind::cylinder) {
      try_cylinders(a, b, best);
    } else if (a.kind == Kind::cylinder || b.kind == Kind::cylinder) {
      const bool is_first = a.kind == Kind::cylinder;
      const FastShape& round = is_first ? a : b;
      core_polytope(is_first ? b : a, round.center, of_a_);
      try_cylinder_and_polytope(
          round, of_a_, [&](Vec3d n, double bound) { best.consider(is_first ? n : -n, bound); },
          [&] { return best.least(); });
    } else if (a.kind == Kind::hull || b.kind == Kind::hull) {
      core_polytope(a, a.center, of_a_);
      core_polytope(b, a.center, of_b_);
      try_polytopes(of_a_, of_b_, best);
    } else {
      try_generators(a, b, best);
    }
    return best.least();
  }

 private:
  void search(const FastShape& a, const FastShape& b, double upper, double gap,
              const DirectionSearch::Ends& ends) {
    const Vec3d apart = b.center - a.center;
    FastShape at_a = a, at_b = b;
    at_a.center = {};
    at_b.center = apart;
    search_.run([&](Vec3d n) { return at_a.farthest(n) - at_b.farthest(-n); }, upper, gap, ends);
  }

  FastPolytope of_a_, of_b_;  ///< members only to reuse their memory
  DirectionSearch search_;
};

}  // namespace widephase::test
