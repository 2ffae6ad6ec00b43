#pragma once

// What both calls with casts share: how kernels see the shapes, what is measured of the answers,
// and their rows.

#include <algorithm>
#include <array>
#include <optional>

#include <widephase/casts.hpp>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/asked_shapes.hpp"
#include "pipeline/questions/way_checks.hpp"

namespace widephase {

template <int D, class T>
CastWays<D, T> ways_of(const RayShapes<D, T>& shapes, const ColumnSpan<SizeOf<T>, D>& direction,
                       const ColumnSpan<SizeOf<T>>& max_t, const ShapeCastOptions& options) {
  CastWays<D, T> ways{};
  ways.shapes = &shapes;
  for (int k = 0; k < D; ++k) ways.direction[k] = {direction.plane(k), direction.stride()};
  if (!max_t.empty()) ways.max_t = {max_t.plane(), max_t.stride()};
  ways.margin = static_cast<SizeOf<T>>(options.margin);
  ways.tolerance = options.tolerance;
  return ways;
}

template <class T>
T max_t_of(const ColumnSpan<T>& max_t, std::size_t row) {
  return max_t.empty() ? T{1} : max_t[row];
}

/// What is wrong with a row.
template <int D, class S>
std::optional<Finding> wrong_way(const ColumnSpan<S, D>& direction, const ColumnSpan<S>& max_t,
                                 std::size_t row) {
  S square = 0;
  for (int k = 0; k < D; ++k) square += direction(row, k) * direction(row, k);
  if (!(square <= std::numeric_limits<S>::max())) {
    return Finding{"direction", static_cast<std::int64_t>(row),
                   "must be finite and of a length whose square does not overflow"};
  }
  return wrong_end(max_t_of(max_t, row), row);
}

template <int D, class T>
void check_ways(const ColumnSpan<SizeOf<T>, D>& direction, const ColumnSpan<SizeOf<T>>& max_t,
                std::size_t count, const char* each) {
  require_layout("direction", direction);
  require_layout("max_t", max_t);
  require_rows("direction", direction.size(), count, each, false);
  require_rows("max_t", max_t.size(), count, each, true);
}

/// Makes rows for both shapes of each pair, the second moved to where it touches.
template <int D, class T>
class HitPlacer {
 public:
  using S = SizeOf<T>;

  HitPlacer(const SceneRows<D, T>& rows, SceneRows<D, T>& placed) : rows_(rows), placed_(placed) {}

  /// Replaces `pairs` by those of the placed rows. `by(i, k)` is how far B of pair i moves.
  template <class By>
  void place(Column<Pair>& pairs, const By& by) {
    std::array<std::int32_t, kKindCount> count{};
    const auto kind_of = [&](std::int32_t id) {
      return static_cast<std::size_t>(rows_.layout.kind_of(id));
    };
    for (const Pair& pair : span_of(pairs)) {
      ++count[kind_of(pair.a)];
      ++count[kind_of(pair.b)];
    }
    for (std::size_t k = 0; k < kKindCount; ++k) {
      const Kind kind = static_cast<Kind>(k);
      placed_.layout.first[k + 1] = placed_.layout.first[k] + count[k];
      const auto rows = static_cast<std::size_t>(count[k]);
      placed_.rows[k].resize_uninitialized(rows * static_cast<std::size_t>(row_width(kind, D)));
      placed_.rows_before[k] = 0;
      if constexpr (is_mixed<T>) {
        placed_.anchors[k].resize_uninitialized(rows *
                                                static_cast<std::size_t>(anchor_width(kind)));
      }
      count[k] = 0;
    }
    const auto of_sets = static_cast<std::size_t>(instance_kind(D));
    placed_.rests.resize_uninitialized(
        rows_.rests.empty()
            ? 0
            : static_cast<std::size_t>(placed_.layout.count(instance_kind(D))) * kAnchorNumbers);
    placed_.geometry_of = rows_.geometry_of == nullptr ? &rows_ : rows_.geometry_of;
    placed_.forget_outlines();
    placed_.is_read = true;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      Pair& pair = pairs[i];
      const auto copy = [&](std::int32_t id) {
        const std::size_t kind = kind_of(id);
        const std::int32_t row = count[kind]++;
        copy_row(id, static_cast<Kind>(kind), row, kind == of_sets);
        return placed_.layout.first[kind] + row;
      };
      // In the order of ids: kernels of one kind tell by them which shape is first.
      const bool is_ascending = pair.a < pair.b;
      const std::int32_t low = copy(is_ascending ? pair.a : pair.b);
      const std::int32_t high = copy(is_ascending ? pair.b : pair.a);
      pair = is_ascending ? Pair{low, high} : Pair{high, low};
      move(pair.b, [&](int k) { return by(i, k); });
    }
  }

 private:
  static std::span<const Pair> span_of(const Column<Pair>& pairs) {
    return {pairs.plane(), pairs.size()};
  }
  std::ptrdiff_t row_of(std::int32_t id, Kind kind) const {
    return std::ptrdiff_t{id} - rows_.layout.first[static_cast<std::size_t>(kind)] +
           rows_.rows_before[static_cast<std::size_t>(kind)];
  }
  void copy_row(std::int32_t id, Kind kind, std::int32_t row, bool may_have_rest) {
    const auto k = static_cast<std::size_t>(kind);
    const int width = row_width(kind, D);
    const std::ptrdiff_t from = row_of(id, kind);
    std::copy_n(rows_.rows[k].plane() + from * width, width,
                placed_.rows[k].plane() + std::ptrdiff_t{row} * width);
    if constexpr (is_mixed<T>) {
      const int anchors = anchor_width(kind);
      std::copy_n(rows_.anchors[k].plane() + from * anchors, anchors,
                  placed_.anchors[k].plane() + std::ptrdiff_t{row} * anchors);
    }
    if (!may_have_rest || rows_.rests.empty()) return;
    std::copy_n(rows_.rests.plane() + from * kAnchorNumbers, kAnchorNumbers,
                placed_.rests.plane() + std::ptrdiff_t{row} * kAnchorNumbers);
  }
  /// Moves a placed row.
  template <class By>
  void move(std::int32_t id, const By& by) {
    const Kind kind = placed_.layout.kind_of(id);
    const auto k = static_cast<std::size_t>(kind);
    const std::ptrdiff_t at = placed_.layout.row(id);
    const int width = row_width(kind, D);
    S* const row = placed_.rows[k].plane() + at * width;
    const auto add = [](auto& to, double change) {
      to = static_cast<std::remove_reference_t<decltype(to)>>(static_cast<double>(to) + change);
    };
    if constexpr (is_mixed<T>) {
      double* const anchors = placed_.anchors[k].plane() + at * anchor_width(kind);
      if (traits_of(kind).is_unbounded) {
        for (int axis = 0; axis < D; ++axis) add(anchors[3], anchors[axis] * by(axis));
        return;
      }
      for (int point = 0; point < anchor_width(kind); point += kAnchorNumbers) {
        for (int axis = 0; axis < D; ++axis) add(anchors[point + axis], by(axis));
      }
    } else if (traits_of(kind).is_unbounded) {
      double offset = static_cast<double>(row[3]) + static_cast<double>(row[7]);
      for (int axis = 0; axis < D; ++axis) {
        offset += (static_cast<double>(row[axis]) + static_cast<double>(row[4 + axis])) * by(axis);
      }
      row[3] = static_cast<S>(offset);
      row[7] = static_cast<S>(offset - static_cast<double>(row[3]));
    } else {
      for (int axis = 0; axis < D; ++axis) add(row[axis], by(axis));
      if (rows_of(kind).anchors == 1) return;
      S* const second = row + width / 2;
      for (int axis = 0; axis < D; ++axis) add(second[axis], by(axis));
    }
  }

  const SceneRows<D, T>& rows_;
  SceneRows<D, T>& placed_;
};

template <int D, class T>
struct CastOutputs {
  const ColumnSpan<SizeOf<T>, D>& direction;
  const ColumnSpan<SizeOf<T>>& max_t;
  const ShapeCastOptions& options;
  CastHits<D, T>& hits;
};

inline void put_nothing(CastFound& found) {
  found = {-1, -1, -1, CastStatus::none, true, 0, {0, 0, 0}, {0, 0, 0}};
}

/// Whether a motion does not deepen an overlap that was measured.
template <int D, class T>
bool is_apart(const DistanceBuffer<D, T>& distances, std::size_t of,
              const ColumnSpan<SizeOf<T>, D>& direction, std::size_t row) {
  double sum = 0;
  for (int k = 0; k < D; ++k) {
    sum += static_cast<double>(distances.normal(of, k)) * static_cast<double>(direction(row, k));
  }
  return sum >= 0;
}

/// Makes room for the answers; `has_parts`: the scene has surfaces.
template <int D, class T>
void resize_hits(CastHits<D, T>& hits, std::size_t count, bool wants_normals, bool has_parts) {
  resize_together(count, hits.shape, hits.t, hits.status);
  if (!wants_normals) return;
  resize_together(count, hits.normal, hits.point, hits.feature, hits.depth);
  if (has_parts) hits.part.resize_uninitialized(count);
}

/// Asks for the distances of `pairs`; those without an answer keep feature 0.
template <int D, class T>
std::size_t measure(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                    const Column<Pair>& pairs, const CollideOptions& options,
                    typename Workspace<D, T>::State& state, DistanceBuffer<D, T>& distances) {
  const KernelTable<D, SizeOf<T>>& kernels = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  CollideOptions plain = options;
  plain.method = Method::automatic;
  resize_uninitialized(distances, pairs.size());
  std::fill_n(distances.feature.plane(), pairs.size(), 0u);
  if (pairs.empty()) return 0;
  state.narrow.bucket(rows, {pairs.plane(), pairs.size()}, false, kernels, options.threads);
  return state.narrow.find_distances(distance_inputs<D, T>(scene, plain, kernels, rows),
                                     options.threads, distances, state.stats);
}

/// Writes the rows of all answers. `pair_of(row)` is the pair by the ids of `rows`, A standing.
template <int D, class T, class PairOf>
void write_hits(const CastOutputs<D, T>& to, const SceneSpan<D, T>& scene,
                const SceneRows<D, T>& rows, const PairOf& pair_of,
                typename Workspace<D, T>::State& state) {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  CastScratch<D, T>& scratch = state.casts;
  CastHits<D, T>& hits = to.hits;
  const std::size_t count = hits.size();
  const bool has_parts = !hits.part.empty();
  const auto is_start = [&](std::size_t row) {
    return scratch.found[row].status == CastStatus::started_inside;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const CastFound& found = scratch.found[i];
    const S most = max_t_of(to.max_t, i);
    hits.shape[i] = found.shape;
    // Those of worlds that are left out may be any numbers.
    const S end = most >= 0 ? std::min(most, std::numeric_limits<S>::max()) : S{0};
    hits.t[i] = found.shape >= 0 ? static_cast<S>(found.t) : end;
    hits.status[i] = static_cast<std::uint8_t>(found.status);
    if (!to.options.wants_normals) continue;
    const bool is_placed = found.shape >= 0 && !is_start(i);
    for (int k = 0; k < D; ++k) {
      hits.normal(i, k) = is_placed ? static_cast<S>(found.normal[k]) + S{0} : S{0};
      hits.point(i, k) = is_placed ? static_cast<P>(found.point[k]) : P{0};
    }
    const bool has_feature = is_placed && found.feature >= 0;
    hits.feature[i] = has_feature ? static_cast<std::uint32_t>(found.feature) : 0;
    hits.depth[i] = 0;
    if (has_parts) hits.part[i] = is_placed ? found.part : -1;
  }
  if (!to.options.wants_normals) return;
  DistanceBuffer<D, T>& measured = scratch.distances;
  const auto list = [&](bool of_starts) {
    scratch.rows.clear();
    scratch.pairs.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const CastFound& found = scratch.found[i];
      if (found.shape < 0 || is_start(i) != of_starts) continue;
      if (!of_starts && found.feature >= 0) continue;
      scratch.rows.push_back(static_cast<std::int32_t>(i));
      scratch.pairs.push_back(pair_of(i));
    }
  };
  list(true);
  const std::size_t answers =
      measure<D, T>(scene, rows, scratch.pairs, to.options, state, measured);
  require_all_distances(answers, scratch.pairs.size());
  for (std::size_t n = 0; n < scratch.rows.size(); ++n) {
    const auto row = static_cast<std::size_t>(scratch.rows[n]);
    for (int k = 0; k < D; ++k) {
      hits.normal(row, k) = measured.normal(n, k);
      hits.point(row, k) = measured.point_a(n, k);
    }
    hits.feature[row] = measured.feature[n] >> 16;
    hits.depth[row] = -measured.distance[n];
  }
  list(false);
  HitPlacer<D, T>(rows, scratch.placed).place(scratch.pairs, [&](std::size_t n, int k) {
    const auto row = static_cast<std::size_t>(scratch.rows[n]);
    return scratch.found[row].t * static_cast<double>(to.direction(row, k));
  });
  measure<D, T>(scene, scratch.placed, scratch.pairs, to.options, state, measured);
  for (std::size_t n = 0; n < scratch.rows.size(); ++n) {
    const auto row = static_cast<std::size_t>(scratch.rows[n]);
    hits.feature[row] = measured.feature[n] >> 16;
    for (int k = 0; k < D && !scratch.found[row].has_point; ++k) {
      hits.point(row, k) = measured.point_a(n, k);
    }
  }
}

}  // namespace widephase
