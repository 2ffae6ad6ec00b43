#include <widephase/impact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/impact_rounds.hpp"
#include "pipeline/questions/shape_cast_checks.hpp"
#include "pipeline/questions/swept_bounds.hpp"
#include "soa/hasher.hpp"
#include "soa/instantiate.hpp"
#include "soa/mirrored_feature.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

namespace {

template <int D, class T>
void put_nothing(ImpactHits<D, T>& hits, std::size_t row) {
  hits.pair[row] = {-1, -1};
  hits.t[row] = 1;
  hits.status[row] = static_cast<std::uint8_t>(CastStatus::none);
  if (hits.normal.empty()) return;
  for (int k = 0; k < D; ++k) {
    hits.normal(row, k) = 0;
    hits.point(row, k) = 0;
  }
  hits.depth[row] = 0;
  hits.feature[row] = 0;
  if (hits.part.empty()) return;
  for (const int side : {0, 1}) hits.part(row, side) = -1;
}

/// Rounded to the answer's type, never up.
template <class S>
S early(double t) {
  const S rounded = static_cast<S>(t);
  return static_cast<double>(rounded) > t ? std::nextafter(rounded, S{0}) : rounded;
}

CastStatus status_of(Verdict verdict) {
  if (verdict == Verdict::starts_inside) return CastStatus::started_inside;
  return verdict == Verdict::gives_up ? CastStatus::bound : CastStatus::hit;
}

/// Pairs are searched in this order, since roundings go by it.
Pair lower_first(Pair pair) { return {std::min(pair.a, pair.b), std::max(pair.a, pair.b)}; }

/// A pair's answer, with its shapes exchanged if `is_swapped`.
template <int D, class T>
void put_impact(const ImpactSearch& search, Verdict verdict, const ImpactScratch<D, T>& found,
                std::size_t i, bool is_swapped, ImpactHits<D, T>& hits, std::size_t row) {
  const DistanceBuffer<D, T>& distances = found.distances;
  hits.pair[row] = is_swapped ? Pair{search.pair.b, search.pair.a} : search.pair;
  hits.t[row] = early<SizeOf<T>>(search.t);
  hits.status[row] = static_cast<std::uint8_t>(status_of(verdict));
  if (hits.normal.empty()) return;
  for (int k = 0; k < D; ++k) {
    hits.normal(row, k) = is_swapped ? -distances.normal(i, k) : distances.normal(i, k);
    hits.point(row, k) = is_swapped ? distances.point_b(i, k) : distances.point_a(i, k);
  }
  hits.depth[row] = verdict == Verdict::starts_inside ? -distances.distance[i] : SizeOf<T>{0};
  const std::uint32_t feature = distances.feature[i];
  hits.feature[row] = is_swapped ? mirrored_feature(feature) : feature;
  if (hits.part.empty()) return;
  const Column<std::int32_t, 2>& parts = found.stages->parts;
  for (const int side : {0, 1}) hits.part(row, side) = parts(i, is_swapped ? 1 - side : side);
}

template <int D, class T>
void resize_hits(ImpactHits<D, T>& hits, std::size_t rows, bool wants_normals, bool has_parts) {
  resize_together(rows, hits.pair, hits.t, hits.status);
  if (wants_normals) resize_together(rows, hits.normal, hits.point, hits.depth, hits.feature);
  if (has_parts) hits.part.resize_uninitialized(rows);
}

/// Whether answers name triangles or segments.
template <int D, class T>
bool wants_parts(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                 const ShapeCastOptions& options) {
  return options.wants_normals &&
         (has_surfaces(rows.layout) ||
          (scene.kept != nullptr && has_surfaces(scene.kept->state().rows.layout)));
}

/// Throws `Error` for an aabb of a body that turns.
template <int D, class T>
void require_unturned_aabbs(const SceneSpan<D, T>& scene,
                            const std::vector<BodyMotion<D>>& bodies) {
  if (scene.aabbs.body.empty() || bodies.empty()) return;
  for (std::size_t row = 0; row < row_count(scene.aabbs); ++row) {
    const std::int32_t body = scene.aabbs.body(row);
    if (body < 0 || static_cast<std::size_t>(body) >= bodies.size()) continue;
    if (!(bodies[static_cast<std::size_t>(body)].rate > 0)) continue;
    throw Error(Finding{
        "aabb.body", static_cast<std::int64_t>(row),
        "is " + number(body) + ", which turns meanwhile; an aabb can't turn, so make it a box"});
  }
}

/// Takes a pair as the answer of one of its bodies, unless that has an earlier one.
template <int D, class T>
void put_first(const ImpactSearch& search, Verdict verdict, const ImpactScratch<D, T>& found,
               std::size_t i, bool is_swapped, ImpactHits<D, T>& hits, std::size_t row) {
  const Pair pair = is_swapped ? Pair{search.pair.b, search.pair.a} : search.pair;
  const Pair before = hits.pair[row];
  const SizeOf<T> t = early<SizeOf<T>>(search.t);
  if (before.a >= 0) {
    if (t != hits.t[row] ? t > hits.t[row]
                         : (pair.a != before.a ? pair.a > before.a : pair.b > before.b)) {
      return;
    }
  }
  put_impact<D, T>(search, verdict, found, i, is_swapped, hits, row);
}

}  // namespace

template <int D, class T>
void time_of_impact(SceneArgument<D, T> scene, const std::type_identity_t<Motion<D, T>>& motion,
                    std::span<const Pair> pairs, ImpactHits<D, T>& hits, Workspace<D, T>& workspace,
                    const ShapeCastOptions& options) {
  hits.clear();
  check_shape_cast(options, scene.domain.is_periodic(), "time_of_impact");
  refuse_world_choice(options, "time_of_impact");
  require_address("pairs", pairs);
  CollideOptions plain = options;
  // As `first_impacts` reads the scene; pairs may ask for more than what is kept was built for.
  if (scene.kept != nullptr) plain.margin = std::min(plain.margin, scene.kept->state().margin);
  auto& state = workspace.state();
  update_rows<D, T>(scene, plain, Bounds::wanted, state);
  const std::vector<Finding> findings = validate_pairs(reported_layout<D, T>(scene), pairs);
  if (!findings.empty()) throw Error(findings.front());
  const std::span<const Pair> by_rows = row_pairs<D, T>(scene, pairs, state, plain);
  require_answers(state.asked_rows().layout, by_rows, D, &can_be_cast, "time of impact");
  ImpactScratch<D, T>& scratch = state.impact;
  const bool is_turning = read_motion<D, T>(scene.bodies, motion, scratch.bodies);
  require_unturned_aabbs<D, T>(scene, scratch.bodies);
  read_reaches<D, T>(scene, state.rows, scratch, options.threads);
  try {
    const bool has_parts = wants_parts<D, T>(scene, state.rows, options);
    resize_hits(hits, pairs.size(), options.wants_normals, has_parts);
    ImpactRounds<D, T> rounds(scene, state.rows, options, is_turning, has_parts, scratch);
    const auto is_swapped = [&](std::size_t row) { return pairs[row].a > pairs[row].b; };
    const auto end = [&](const ImpactSearch& search, Verdict verdict, std::size_t i) {
      const auto row = static_cast<std::size_t>(search.row);
      if (verdict == Verdict::never) return put_nothing(hits, row);
      put_impact<D, T>(search, verdict, scratch, i, is_swapped(row), hits, row);
    };
    const auto never_late = [](const ImpactSearch&) { return false; };
    rounds.run(
        pairs.size(), [&](std::size_t row) { return lower_first(pairs[row]); }, never_late, end);
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
void first_impacts(SceneArgument<D, T> scene, const std::type_identity_t<Motion<D, T>>& motion,
                   ImpactHits<D, T>& hits, Workspace<D, T>& workspace,
                   const ShapeCastOptions& options) {
  hits.clear();
  check_shape_cast(options, scene.domain.is_periodic(), "first_impacts");
  auto& state = workspace.state();
  update_rows<D, T>(scene, options, Bounds::wanted, state);
  ImpactScratch<D, T>& scratch = state.impact;
  const bool is_turning = read_motion<D, T>(scene.bodies, motion, scratch.bodies);
  require_unturned_aabbs<D, T>(scene, scratch.bodies);
  read_reaches<D, T>(scene, state.rows, scratch, options.threads);
  CollideOptions of_pairs = options;
  // These bounds are of motions, not of places that shapes are in step after step.
  of_pairs.keeps_order = false;
  try {
    sweep_bounds<D, T>(scene, motion, options, state.rows, scratch);
    find_pairs<D, T>(scene, state, of_pairs, PairSequence::decided);
  } catch (...) {
    state.rows.is_read = false;
    throw;
  }
  state.rows.is_read = false;  // its bounds are those of motions
  try {
    const std::size_t bodies = scratch.bodies.size();
    const bool has_parts = wants_parts<D, T>(scene, state.rows, options);
    resize_hits(hits, bodies, options.wants_normals, has_parts);
    for (std::size_t body = 0; body < bodies; ++body) put_nothing(hits, body);
    ImpactRounds<D, T> rounds(scene, state.rows, options, is_turning, has_parts, scratch);
    const Column<Pair>& found = state.pairs;
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Pair pair = found[i];
      const bool is_asked = rounds.body_of(pair.a) >= 0 || rounds.body_of(pair.b) >= 0;
      if (!is_asked || !can_be_cast(rounds.kind_of(pair.a), rounds.kind_of(pair.b), D)) continue;
      state.pairs[count++] = lower_first(pair);
    }
    state.pairs.resize_uninitialized(count);
    const auto has_earlier = [&](std::int32_t id, SizeOf<T> t) {
      const std::int32_t body = rounds.body_of(id);
      if (body < 0) return true;
      const auto row = static_cast<std::size_t>(body);
      return hits.pair[row].a >= 0 && hits.t[row] < t;
    };
    const auto is_late = [&](const ImpactSearch& search) {
      const SizeOf<T> t = early<SizeOf<T>>(search.t);
      return has_earlier(search.pair.a, t) && has_earlier(search.pair.b, t);
    };
    const auto end = [&](const ImpactSearch& search, Verdict verdict, std::size_t i) {
      if (verdict == Verdict::never) return;
      const std::int32_t a = rounds.body_of(search.pair.a), b = rounds.body_of(search.pair.b);
      if (a >= 0) {
        put_first<D, T>(search, verdict, scratch, i, true, hits, static_cast<std::size_t>(a));
      }
      if (b >= 0) {
        put_first<D, T>(search, verdict, scratch, i, false, hits, static_cast<std::size_t>(b));
      }
    };
    rounds.run(
        count, [&](std::size_t row) { return found[row]; }, is_late, end);
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
std::uint64_t hash(const ImpactHits<D, T>& hits) {
  Hasher hasher;
  hasher.add_column(hits.pair);
  hasher.add_column(hits.t);
  hasher.add_column(hits.normal);
  hasher.add_column(hits.point);
  hasher.add_column(hits.depth);
  hasher.add_column(hits.feature);
  hasher.add_column(hits.status);
  if (!hits.part.empty()) hasher.add_column(hits.part);
  return hasher.value();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                            \
  template void time_of_impact(SceneArgument<D, T>, const std::type_identity_t<Motion<D, T>>&, \
                               std::span<const Pair>, ImpactHits<D, T>&, Workspace<D, T>&,     \
                               const ShapeCastOptions&);                                       \
  template void first_impacts(SceneArgument<D, T>, const std::type_identity_t<Motion<D, T>>&,  \
                              ImpactHits<D, T>&, Workspace<D, T>&, const ShapeCastOptions&);   \
  template std::uint64_t hash(const ImpactHits<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
