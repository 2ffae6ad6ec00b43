#pragma once

// Pairs are searched in rounds: copies of both shapes of each pair are placed where they are at
// the pair's own t, all their distances are found in bulk, and each pair that is not decided goes
// on from there. Decided pairs make room for new ones, so rounds stay full. New ones of boxes and
// polygons first go as far as they come without distances (impact_stride.hpp).

#include <algorithm>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/impact_reach.hpp"
#include "pipeline/questions/impact_step.hpp"
#include "pipeline/questions/impact_stride.hpp"
#include "pipeline/questions/motions.hpp"

namespace widephase {

/// Pairs of a round.
constexpr std::size_t kPairsARound = 65536;
/// What a thread takes at a time.
constexpr std::size_t kSearchesAChunk = 2048;

template <int D, class T>
class ImpactRounds {
 public:
  using Scratch = ImpactScratch<D, T>;

  /// The scene was read into `rows`, with bounds. `has_parts`: triangles are asked for.
  ImpactRounds(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
               const ShapeCastOptions& options, bool is_turning, bool has_parts, Scratch& scratch)
      : scene_(scene),
        rows_(rows),
        is_turning_(is_turning),
        has_parts_(has_parts),
        scratch_(scratch),
        libraries_(scene) {
    if (scene.kept != nullptr) {
      libraries_.for_each_geometry_column(
          [](auto, auto, auto& span, const auto& column) { span = column; }, libraries_,
          scene.kept->state().libraries);
    }
    plain_.method = options.method;
    plain_.threads = options.threads;
    plain_.isa = options.isa;
    constexpr bool kIsFloat = sizeof(SizeOf<T>) == 4;
    rules_ = {options.margin, options.tolerance, options.start_overlap, kIsFloat ? 2e-6 : 1e-9,
              8 * static_cast<double>(std::numeric_limits<PositionOf<T>>::epsilon())};
    if (scratch.stages == nullptr) scratch.stages = std::make_unique<ImpactStages<D, T>>();
  }

  /// Decides `count` pairs, `pair_of(row)`. Calls `end(search, verdict, i)` for each, where
  /// row i of the scratch's distances is that of its last step; and leaves out those of which
  /// `is_late(search)` says that their answer does not matter any more.
  template <class PairOf, class IsLate, class End>
  void run(std::size_t count, const PairOf& pair_of, const IsLate& is_late, const End& end) {
    std::vector<ImpactSearch>& searches = scratch_.searches;
    searches.clear();
    for (std::size_t next = 0;;) {
      while (searches.size() < kPairsARound && next < count) {
        const std::size_t first = searches.size();
        while (searches.size() < kPairsARound && next < count) {
          searches.push_back({static_cast<std::int64_t>(next), pair_of(next), 0, 0});
          ++next;
        }
        stride_from(first, is_late, end);
      }
      if (searches.empty()) return;
      ask();
      scratch_.verdicts.resize(searches.size());
      for_chunks(plain_.threads, (searches.size() + kSearchesAChunk - 1) / kSearchesAChunk,
                 [&](std::size_t chunk) {
                   const std::size_t last =
                       std::min(searches.size(), (chunk + 1) * kSearchesAChunk);
                   for (std::size_t i = chunk * kSearchesAChunk; i < last; ++i) advance_pair(i);
                 });
      std::size_t left = 0;
      for (std::size_t i = 0; i < searches.size(); ++i) {
        const auto verdict = static_cast<Verdict>(scratch_.verdicts[i]);
        if (verdict != Verdict::goes_on) {
          end(searches[i], verdict, i);
        } else if (!is_late(searches[i])) {
          searches[left++] = searches[i];
        }
      }
      searches.resize(left);
    }
  }

  /// The body of a shape, by its reported id; -1 if it stands.
  std::int32_t body_of(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    return i < scratch_.shapes.size() ? scratch_.shapes[i].body : -1;
  }

  /// The kind of a shape, by its reported id.
  Kind kind_of(std::int32_t id) const {
    const std::int32_t moving = rows_.layout.shape_count();
    return id < moving ? rows_.layout.kind_of(id)
                       : scene_.kept->state().rows.layout.kind_of(id - moving);
  }

 private:
  /// Takes the searches from one on as far as they come without distances, and drops the decided.
  template <class IsLate, class End>
  void stride_from(std::size_t first, const IsLate& is_late, const End& end) {
    std::vector<ImpactSearch>& searches = scratch_.searches;
    scratch_.verdicts.resize(searches.size());
    const std::size_t count = searches.size() - first;
    for_chunks(
        plain_.threads, (count + kSearchesAChunk - 1) / kSearchesAChunk, [&](std::size_t chunk) {
          const std::size_t last = std::min(searches.size(), first + (chunk + 1) * kSearchesAChunk);
          for (std::size_t i = first + chunk * kSearchesAChunk; i < last; ++i) {
            scratch_.verdicts[i] = static_cast<std::uint8_t>(stride_of(searches[i]));
          }
        });
    std::size_t left = first;
    for (std::size_t i = first; i < searches.size(); ++i) {
      if (static_cast<Verdict>(scratch_.verdicts[i]) == Verdict::never) {
        end(searches[i], Verdict::never, i);
      } else if (searches[i].t == 0 || !is_late(searches[i])) {
        searches[left++] = searches[i];
      }
    }
    searches.resize(left);
  }

  Verdict stride_of(ImpactSearch& search) const {
    Strider<D> a, b;
    const bool is_read = read_strider(search.pair.a, a) && read_strider(search.pair.b, b);
    return is_read ? stride<D>(search, a, b, rules_) : Verdict::goes_on;
  }
  bool read_strider(std::int32_t id, Strider<D>& to) const {
    if (!is_moving(id)) return false;
    to.reach = scratch_.shapes[static_cast<std::size_t>(id)];
    if (to.reach.body >= 0) {
      to.motion = &scratch_.bodies[static_cast<std::size_t>(to.reach.body)];
    }
    return read_core<D, T>(libraries_, rows_.layout.kind_of(id),
                           static_cast<std::size_t>(rows_.layout.row(id)), to.reach.body, to.core);
  }

  /// Finds the distances of all pairs that are searched, at their times.
  void ask() {
    const std::vector<ImpactSearch>& searches = scratch_.searches;
    for (auto& of_kind : scratch_.rows) of_kind.clear();
    scratch_.carriers.clear();
    scratch_.times.clear();
    scratch_.pairs.resize_uninitialized(searches.size());
    for (std::size_t i = 0; i < searches.size(); ++i) {
      scratch_.pairs[i] = {take_copy(searches[i].pair.a, searches[i].t),
                           take_copy(searches[i].pair.b, searches[i].t)};
    }
    copy_shapes();
    place_bodies();
    SceneSpan<D, T> copies = scratch_.copies;
    if (scene_.kept == nullptr) {
      copies.for_each_geometry_column(
          [](auto, auto, auto& span, const auto& given) { span = given; }, copies, scene_);
    }
    copies.kept = scene_.kept;
    const SceneLayout layout = layout_of(copies);
    for (std::size_t i = 0; i < searches.size(); ++i) {
      Pair& pair = scratch_.pairs[i];
      pair = {id_of_copy(searches[i].pair.a, pair.a, layout),
              id_of_copy(searches[i].pair.b, pair.b, layout)};
    }
    find_distances(copies);
  }

  /// As `distances`, but point sets are not read anew.
  void find_distances(const SceneSpan<D, T>& copies) {
    auto& state = scratch_.stages->workspace.state();
    Column<std::int32_t, 2>& parts = scratch_.stages->parts;
    const std::span<const Pair> pairs(scratch_.pairs.plane(), scratch_.pairs.size());
    const Isa isa = chosen_isa(plain_.isa);
    if (copies.kept != nullptr) {
      update_rows<D, T>(copies, plain_, Bounds::unwanted, state);
    } else {
      state.joined_scenes.leave();
      state.rows.update(copies, 0, isa, plain_.threads, {}, &rows_, Bounds::unwanted);
    }
    SceneRows<D, T>& rows = state.asked_rows();
    const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(isa);
    if (plain_.method == Method::gjk_epa) rows.require_outlines();
    state.narrow.bucket(rows, row_pairs<D, T>(copies, pairs, state, plain_), false, table,
                        plain_.threads);
    resize_uninitialized(scratch_.distances, pairs.size());
    parts.resize_uninitialized(has_parts_ ? pairs.size() : 0);
    const std::size_t answers = state.narrow.find_distances(
        distance_inputs<D, T>(copies, plain_, table, rows), plain_.threads, scratch_.distances,
        state.stats, has_parts_ ? &parts : nullptr);
    require_all_distances(answers, pairs.size());
  }

  bool is_moving(std::int32_t id) const { return id < rows_.layout.shape_count(); }

  /// Lists a shape for copying; answers its place among the copies of its kind.
  std::int32_t take_copy(std::int32_t id, double t) {
    if (!is_moving(id)) return -1;
    std::vector<CopiedRow>& rows = scratch_.rows[static_cast<int>(rows_.layout.kind_of(id))];
    const std::int32_t body = scratch_.shapes[static_cast<std::size_t>(id)].body;
    std::int32_t carrier = -1;
    if (body >= 0) {
      carrier = static_cast<std::int32_t>(scratch_.carriers.size());
      scratch_.carriers.push_back(body);
      scratch_.times.push_back(t);
    }
    rows.push_back({rows_.layout.row(id), carrier});
    return static_cast<std::int32_t>(rows.size() - 1);
  }
  std::int32_t id_of_copy(std::int32_t id, std::int32_t place, const SceneLayout& layout) const {
    if (!is_moving(id)) return id - rows_.layout.shape_count() + layout.shape_count();
    return layout.id(rows_.layout.kind_of(id), place);
  }

  void copy_shapes() {
    for_each_table_pair(scene_, scratch_.copies, [&](const auto& from, auto& to) {
      using Table = std::remove_cvref_t<decltype(from)>;
      const std::vector<CopiedRow>& rows = scratch_.rows[static_cast<int>(Table::kind)];
      const std::size_t count = rows.size();
      const auto for_rows = [&](const auto& copy) {
        for_chunks(plain_.threads, (count + kSearchesAChunk - 1) / kSearchesAChunk,
                   [&](std::size_t chunk) {
                     const std::size_t last = std::min(count, (chunk + 1) * kSearchesAChunk);
                     for (std::size_t i = chunk * kSearchesAChunk; i < last; ++i) copy(i);
                   });
      };
      Table::for_each_own(
          [&](const Field&, const auto& given, auto& column) {
            using Span = std::remove_cvref_t<decltype(given)>;
            column.resize_uninitialized(given.empty() ? 0 : count);
            if (given.empty()) return;
            for_rows([&](std::size_t i) {
              const auto row = static_cast<std::size_t>(rows[i].row);
              for (int w = 0; w < Span::width; ++w) column(i, w) = given(row, w);
            });
          },
          from, to);
      to.body.resize_uninitialized(count);
      for_rows([&](std::size_t i) { to.body(i) = rows[i].body; });
    });
  }

  void place_bodies() {
    const Poses<D, T>& poses = scene_.bodies;
    BodyTable<Owned<D, T>>& bodies = scratch_.copies.bodies;
    const std::size_t count = scratch_.carriers.size();
    const bool has_turn = is_turning_ || !poses.turn.empty();
    bodies.position.resize_uninitialized(count);
    bodies.turn.resize_uninitialized(has_turn ? count : 0);
    for_chunks(
        plain_.threads, (count + kSearchesAChunk - 1) / kSearchesAChunk, [&](std::size_t chunk) {
          const std::size_t last = std::min(count, (chunk + 1) * kSearchesAChunk);
          for (std::size_t i = chunk * kSearchesAChunk; i < last; ++i) {
            const auto body = static_cast<std::size_t>(scratch_.carriers[i]);
            const BodyMotion<D>& motion = scratch_.bodies[body];
            for (int k = 0; k < D; ++k) {
              bodies.position(i, k) = static_cast<PositionOf<T>>(motion.at(k, scratch_.times[i]));
            }
            if (has_turn) put_turn<T>(poses, body, motion, scratch_.times[i], bodies.turn, i);
          }
        });
  }

  ImpactSide<D> side_of(std::int32_t id, double t) const {
    ImpactSide<D> side;
    const KindTraits traits = traits_of(kind_of(id));
    side.is_surface = traits.is_surface;
    side.is_unbounded = traits.is_unbounded;
    const bool is_ours = is_moving(id);
    const auto row = static_cast<std::size_t>(is_ours ? id : id - rows_.layout.shape_count());
    const SceneRows<D, T>& rows = is_ours ? rows_ : scene_.kept->state().rows;
    if (is_ours) {
      side.reach = scratch_.shapes[row];
    } else {
      const double grown = scene_.kept->state().margin / 2;
      if (!rows.margin.empty()) side.reach.margin = static_cast<double>(rows.margin[row]);
      side.reach.size = traits.is_unbounded
                            ? std::numeric_limits<double>::infinity()
                            : size_of_bounds(rows.bounds, row, grown + side.reach.margin);
    }
    if (side.reach.body >= 0) {
      side.motion = &scratch_.bodies[static_cast<std::size_t>(side.reach.body)];
      for (int k = 0; k < D; ++k) {
        side.centre[k] = side.motion->at(k, t);
        side.centre_end[k] = side.motion->at(k, 1);
      }
      return side;
    }
    double square = 0;
    for (int k = 0; k < D && !traits.is_unbounded; ++k) {
      const auto low = static_cast<double>(rows.bounds.min(row, k));
      const auto high = static_cast<double>(rows.bounds.max(row, k));
      side.centre[k] = side.centre_end[k] = low / 2 + high / 2;
      square += (high - low) * (high - low);
    }
    side.reach.core =
        traits.is_unbounded ? std::numeric_limits<double>::infinity() : std::sqrt(square) / 2;
    return side;
  }

  void advance_pair(std::size_t i) {
    ImpactSearch& search = scratch_.searches[i];
    const DistanceBuffer<D, T>& found = scratch_.distances;
    ImpactGap<D> gap;
    gap.distance = static_cast<double>(found.distance[i]);
    for (int k = 0; k < D; ++k) {
      gap.normal[k] = static_cast<double>(found.normal(i, k));
      gap.point_a[k] = static_cast<double>(found.point_a(i, k));
      gap.point_b[k] = static_cast<double>(found.point_b(i, k));
    }
    const ImpactSide<D> a = side_of(search.pair.a, search.t), b = side_of(search.pair.b, search.t);
    scratch_.verdicts[i] = static_cast<std::uint8_t>(advance(search, a, b, gap, rules_));
  }

  const SceneSpan<D, T>& scene_;
  const SceneRows<D, T>& rows_;
  bool is_turning_;
  bool has_parts_;
  Scratch& scratch_;
  SceneSpan<D, T> libraries_;  ///< the scene, with the point sets that its shapes name
  CollideOptions plain_;
  ImpactRules rules_{};
};

}  // namespace widephase
