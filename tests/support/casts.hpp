#pragma once

// Shape casts, and what the reference says of answers to them: how far apart two shapes are,
// negative where they overlap, is convex in t, so that a search finds its least value.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <widephase/casts.hpp>

#include "reference/reference.hpp"
#include "support/generate.hpp"

namespace widephase::test {

template <int D>
struct CastCase {
  Solid<D> a;  ///< stands
  Solid<D> b;  ///< moves
  Point<D> direction{};
  double max_t = 1;
};

/// The columns of casts, as their owner.
template <int D, class T>
struct CastColumns {
  Column<SizeOf<T>, D> direction;
  Column<SizeOf<T>> max_t;

  void add(const Point<D>& along, double most = 1) {
    direction.push_back(as_row<D, SizeOf<T>>(along));
    max_t.push_back(static_cast<SizeOf<T>>(most));
  }
};

/// Answers to cases as pairs of one scene.
template <int D, class T>
struct AskedCasts {
  CastColumns<D, T> ways;
  Workspace<D, T> workspace;
  CastHits<D, T> hits;
  PairScene<D, T> input;

  AskedCasts(const std::vector<CastCase<D>>& cases, const ShapeCastOptions& options)
      : input(solids(cases)) {
    for (const CastCase<D>& one : cases) ways.add(one.direction, one.max_t);
    cast_pairs(input.scene, input.pairs, ways.direction, ways.max_t, hits, workspace, options);
  }
  static std::vector<SolidPair<D>> solids(const std::vector<CastCase<D>>& cases) {
    std::vector<SolidPair<D>> pairs;
    for (const CastCase<D>& one : cases) pairs.push_back({one.a, one.b});
    return pairs;
  }
};

/// How far from the reference an answer may be, as a share of the size.
template <class T>
constexpr double cast_tolerance(bool is_searched) {
  return sizeof(SizeOf<T>) == 4 ? 1e-5 : is_searched ? 1e-7 : 1e-10;
}

/// What is wrong with the answer to one case; empty if nothing is.
template <int D, class T>
std::string cast_fault(const CastCase<D>& asked, const CastHits<D, T>& hits, std::size_t row,
                       const ShapeCastOptions& options) {
  using S = SizeOf<T>;
  const Solid<D> a = stored<T>(asked.a), b = stored<T>(asked.b);
  Point<D> along;
  for (int k = 0; k < D; ++k) along[k] = static_cast<S>(asked.direction[k]);
  const Real margin = static_cast<S>(options.margin);
  const double most = static_cast<S>(asked.max_t);
  const auto gap = [&](double t) {
    Point<D> by;
    for (int k = 0; k < D; ++k) by[k] = t * along[k];
    return -reference_of<D>(a, moved(b, by)).depth - margin;
  };
  double way = 0;
  for (const double x : along) way += std::abs(x);
  const Reference<D> at_start = reference_of<D>(a, b);
  const Real start = -at_start.depth - margin;
  const bool is_slow = is_searched(a) || is_searched(b);
  const Real tolerance = static_cast<Real>(cast_tolerance<T>(is_slow)) *
                         (at_start.size + margin + static_cast<Real>(most * way));
  const double t = hits.t[row];
  const auto status = static_cast<CastStatus>(hits.status[row]);
  const auto say = [&](const std::string& what) {
    std::ostringstream text;
    text.precision(17);
    text << what << ": t " << t << ", status " << int{hits.status[row]} << ", gap at the start "
         << static_cast<double>(start) << ", at t " << static_cast<double>(gap(t)) << ", size "
         << static_cast<double>(at_start.size) << "\n  A " << describe(a) << "\n  B " << describe(b)
         << "\n  direction";
    for (int k = 0; k < D; ++k) text << ' ' << along[k];
    text << ", max_t " << most << ", normal";
    for (int k = 0; k < D; ++k) text << ' ' << hits.normal(row, k);
    return text.str();
  };
  if (!(t >= 0 && t <= most)) return say("t is not from 0 to max_t");
  if (status == CastStatus::bound) return say("a limit of steps was met");
  if (status == CastStatus::started_inside) {
    if (t != 0) return say("t of a start is not 0");
    return start > tolerance ? say("it does not overlap at the start") : std::string();
  }
  if (status == CastStatus::none) {
    if (t != most) return say("t of a miss is not max_t");
    if (start < -tolerance) return say("it overlaps at the start");
    double low = 0, high = most;
    for (int step = 0; step < (is_slow ? 25 : 40); ++step) {
      const double left = low + 0.382 * (high - low), right = low + 0.618 * (high - low);
      const Real of_left = gap(left), of_right = gap(right);
      if (std::min(of_left, of_right) < -tolerance) return say("it is missed");
      (of_left < of_right ? high : low) = of_left < of_right ? right : left;
    }
    return gap(most) < -tolerance ? say("it is missed at the end") : std::string();
  }
  if (start < -tolerance) return say("it overlaps at the start");
  if (std::abs(gap(t)) > tolerance) return say("it does not touch at t");
  // Convex: if it were the way out, it would be inside before.
  if (gap(0.5 * t) < -tolerance || gap(0.98 * t) < -tolerance) return say("it is late");
  Real square = 0, rise = 0;
  Vec<D> normal;
  for (int k = 0; k < D; ++k) {
    normal[k] = hits.normal(row, k);
    square += normal[k] * normal[k];
    rise += normal[k] * along[k];
  }
  if (std::abs(square - 1) > 1e-5L) return say("the normal is not a unit vector");
  // Moving on by the normal separates by as much.
  Point<D> there;
  for (int k = 0; k < D; ++k) there[k] = t * along[k];
  const Real share = sizeof(S) == 4 ? 1e-4L : 1e-6L;
  const Real apart = -depth_along<D>(a, moved(b, there), normal) - margin;
  if (apart < -tolerance - share * at_start.size) return say("the normal does not separate");
  if (rise > share * static_cast<Real>(way)) return say("the normal is along the motion");
  return {};
}

/// Shapes that overlap or nearly do, taken back along a direction.
template <int D>
std::vector<CastCase<D>> cast_cases(const std::vector<SolidPair<D>>& pairs, std::uint64_t seed) {
  Random random(seed);
  std::vector<CastCase<D>> cases;
  for (const SolidPair<D>& pair : pairs) {
    const double size = static_cast<double>(reference_of<D>(pair.a, pair.b).size);
    CastCase<D> one{pair.a, pair.b, random.direction<D>(), 1};
    const double length = size * random.uniform(0.3, 4);
    const double back = random.uniform(-0.1, 0.9);
    const Point<D> beside = random.direction<D>();
    const double by = random.chance(0.4) ? random.uniform(0, 0.5) * size : 0;
    Point<D> from;
    for (int k = 0; k < D; ++k) {
      from[k] = beside[k] * by - back * length * one.direction[k];
      one.direction[k] *= length;
    }
    one.b = moved(one.b, from);
    cases.push_back(one);
  }
  return cases;
}

}  // namespace widephase::test
