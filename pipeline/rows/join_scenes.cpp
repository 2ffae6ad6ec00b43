#include "pipeline/rows/static_scene.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/large_pages.hpp"
#include "soa/number_text.hpp"
#include "soa/threads.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

namespace {

constexpr std::size_t kPairsAChunk = 16384;
constexpr std::size_t kBytesACopy = std::size_t{1} << 18;

template <class T>
void copy_numbers(const Threads& threads, const T* from, std::size_t count, T* to) {
  constexpr std::size_t kNumbers = kBytesACopy / sizeof(T);
  for_chunks(threads, (count + kNumbers - 1) / kNumbers, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kNumbers;
    std::memcpy(to + begin, from + begin, std::min(kNumbers, count - begin) * sizeof(T));
  });
}

template <int D, class T>
void require_matching(const SceneSpan<D, T>& moving, const typename StaticScene<D, T>::State& kept,
                      const CollideOptions& options) {
  moving.for_each_geometry_column(
      [](std::string_view library, std::string_view name, const auto& column) {
        if (column.empty()) return;
        throw Error(Finding{std::string(library) + "." + std::string(name), -1,
                            "has " + number(column.size()) + " rows; moving shapes name the " +
                                library_words(library) +
                                " of the static scene, so give all of them to "
                                "build_static_scene"});
      },
      moving);
  if (row_count(moving.halfspaces) != 0) {
    throw Error(Finding{"halfspace.normal", -1,
                        "has " + number(row_count(moving.halfspaces)) +
                            " rows; halfspaces do not move, give them to build_static_scene"});
  }
  const Domain<D, PositionOf<T>>&a = moving.domain, &b = kept.domain;
  if (a.periodic != b.periodic || (a.is_periodic() && (a.min != b.min || a.max != b.max))) {
    throw Error(
        Finding{"domain", -1, "is another than the static scene's; give both the same one"});
  }
  if (options.margin > kept.margin) {
    throw Error("the margin is " + number(options.margin) +
                "; the static scene was built for margins up to " + number(kept.margin) +
                ", so build it with the largest one");
  }
}

}  // namespace

template <int D, class T>
void JoinedScenes<D, T>::read(const SceneSpan<D, T>& scene, const Kept& kept,
                              const CollideOptions& options, Bounds wanted,
                              SceneRows<D, T>& moving) {
  is_in_use_ = false;
  require_matching<D, T>(scene, kept, options);
  SceneSpan<D, T> own = scene;
  own.for_each_geometry_column([](auto, auto, auto& span, const auto& column) { span = column; },
                               own, kept.libraries);
  own.excluded = {};  // it names kept shapes too
  moving_ = layout_of(own);
  kept_ = kept.rows.layout;
  const WorldChoice choice{options.world_mask, options.world_status, kept.world_count,
                           kept_.shape_count()};
  if (choice.is_any() &&
      kept.world_count > most_worlds(moving_.shape_count() + std::int64_t{kept_.shape_count()})) {
    kept.rows.require_few_worlds(choice.mask.empty() ? "world_status" : "world_mask",
                                 moving_.shape_count());
  }
  moving.update(own, options.margin, chosen_isa(options.isa), options.threads, choice, &kept.rows,
                wanted);
  split_excluded(scene);
  join_excluded_names(scene, kept);
  join_rows(moving, kept, options.threads);
  join_column(moving.margin, kept.rows.margin, SizeOf<T>{0}, joined.margin);
  joined.world.clear();
  joined.bounds.min.clear();
  joined.bounds.max.clear();
  joined.world_mask = moving.world_mask;
  joined.forget_outlines();
  joined.is_read = true;
  is_in_use_ = true;
}

template <int D, class T>
void JoinedScenes<D, T>::join_rows(SceneRows<D, T>& moving, const Kept& kept_scene,
                                   const Threads& threads) {
  const SceneRows<D, T>& kept = kept_scene.rows;
  const bool is_other = kept_scene.stamp != stamp_;
  stamp_ = 0;  // until all rows are in place
  std::int64_t total = 0;
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const std::int32_t moving_count = moving.layout.count(kind),
                       kept_count = kept.layout.count(kind);
    joined.layout.first[k] = static_cast<std::int32_t>(total);
    shift_moving_[k] = joined.layout.first[k] - moving.layout.first[k];
    total += moving_count;
    shift_kept_[k] = static_cast<std::int32_t>(total) - kept.layout.first[k];
    total += kept_count;
    if (total > std::numeric_limits<std::int32_t>::max()) {
      throw Error("both scenes hold more than 2147483647 shapes; split them into several calls");
    }
    const bool is_laid_anew = is_other || room_[k] < moving_count;
    if (kept_count == 0) {
      room_[k] = moving_count;
    } else if (is_laid_anew) {
      room_[k] = is_other ? moving_count : std::max(moving_count, 2 * room_[k]);
    }
    joined.rows_before[k] = room_[k] - moving_count;
    const auto join = [&](const auto& of_kept, auto& of_moving, auto& rows, int numbers) {
      if (kept_count == 0) {
        rows.swap(of_moving);
        return;
      }
      const auto width = static_cast<std::size_t>(numbers);
      if (is_laid_anew) {
        const std::size_t before = static_cast<std::size_t>(room_[k]) * width;
        rows.clear();
        resize_scratch(rows, before + static_cast<std::size_t>(kept_count) * width);
        copy_numbers(threads, of_kept.plane(), static_cast<std::size_t>(kept_count) * width,
                     rows.plane() + before);
      }
      copy_numbers(threads, of_moving.plane(), static_cast<std::size_t>(moving_count) * width,
                   rows.plane() + static_cast<std::size_t>(joined.rows_before[k]) * width);
    };
    join(kept.rows[k], moving.rows[k], joined.rows[k], row_width(kind, D));
    if constexpr (is_mixed<T>) {
      join(kept.anchors[k], moving.anchors[k], joined.anchors[k], anchor_width(kind));
    }
    if (kind == instance_kind(D)) {
      if (kept.has_middles() && !is_mixed<T>) {
        join(kept.rests, moving.rests, joined.rests, kAnchorNumbers);
      } else {
        joined.rests.clear();
      }
    }
  }
  joined.layout.first[kKindCount] = static_cast<std::int32_t>(total);
  joined.geometry_of = &kept;
  stamp_ = kept_scene.stamp;
}

template <int D, class T>
template <class N, int W>
void JoinedScenes<D, T>::join_column(const Column<N, W>& of_moving, const Column<N, W>& of_kept,
                                     N otherwise, Column<N, W>& to) const {
  to.clear();
  if (of_moving.empty() && of_kept.empty()) return;
  to.resize_uninitialized(static_cast<std::size_t>(joined.layout.shape_count()));
  const auto put = [&](const SceneLayout& layout, const auto& shifts, const Column<N, W>& from) {
    for (std::size_t k = 0; k < kKindCount; ++k) {
      const auto first = static_cast<std::size_t>(layout.first[k]);
      const auto count = static_cast<std::size_t>(layout.first[k + 1]) - first;
      const auto at = static_cast<std::size_t>(layout.first[k] + shifts[k]);
      for (int w = 0; w < W && count != 0; ++w) {
        if (from.empty()) {
          std::fill_n(to.plane(w) + at, count, otherwise);
        } else {
          std::copy_n(from.plane(w) + first, count, to.plane(w) + at);
        }
      }
    }
  };
  put(moving_, shift_moving_, of_moving);
  put(kept_, shift_kept_, of_kept);
}

template <int D, class T>
void JoinedScenes<D, T>::require_worlds(const SceneRows<D, T>& moving, const Kept& kept) {
  join_column(moving.world, kept.rows.world, std::int32_t{0}, joined.world);
}

template <int D, class T>
void JoinedScenes<D, T>::require_bounds(const SceneRows<D, T>& moving, const Kept& kept) {
  const auto join = [&](const auto& of_moving, const auto& of_kept, auto& to) {
    join_column(of_moving, of_kept, PositionOf<T>{0}, to);
  };
  join(moving.bounds.min, kept.rows.bounds.min, joined.bounds.min);
  join(moving.bounds.max, kept.rows.bounds.max, joined.bounds.max);
}

template <int D, class T>
FilterSpan JoinedScenes<D, T>::require_filters(const SceneSpan<D, T>& scene,
                                               const SceneRows<D, T>& moving, const Kept& kept,
                                               bool moving_pairs) {
  require_worlds(moving, kept);
  require_bounds(moving, kept);
  join_column(moving.owner, kept.rows.owner, std::int32_t{-1}, joined.owner);
  // As if all moving shapes were of one body, they meet kept ones alone.
  one_body_.resize(moving_pairs ? 0 : static_cast<std::size_t>(moving_.shape_count()));
  join_column(moving_pairs ? moving.body : one_body_, kept.rows.body, std::int32_t{-1},
              joined.body);
  join_column(moving.category, kept.rows.category, std::uint32_t{1}, joined.category);
  join_column(moving.mask, kept.rows.mask, ~std::uint32_t{0}, joined.mask);
  Column<std::uint8_t>& fixed = joined.fixed;
  fixed.resize_uninitialized(static_cast<std::size_t>(shape_count()));
  for (std::int32_t id = 0; id < shape_count(); ++id) {
    const std::int32_t reported = reported_id(id);
    const bool is_kept = reported >= moving_.shape_count();
    fixed[static_cast<std::size_t>(id)] = is_kept ? 1
                                          : moving.fixed.empty()
                                              ? 0
                                              : moving.fixed[static_cast<std::size_t>(reported)];
  }
  joined.halfspace_normal = kept.rows.halfspace_normal;
  joined.halfspace_offset = kept.rows.halfspace_offset;
  excluded_joined_.clear();
  for (std::size_t i = 0; i < scene.excluded.size(); ++i) {
    excluded_joined_.push_back({joined_id(scene.excluded(i, 0)), joined_id(scene.excluded(i, 1))});
  }
  FilterSpan filters = joined.filters({});
  filters.excluded = excluded_joined_;
  filters.excluded_owners = excluded_owners_;
  filters.excluded_bodies = excluded_bodies_;
  return filters;
}

template <int D, class T>
void JoinedScenes<D, T>::join_excluded_names(const SceneSpan<D, T>& scene, const Kept& kept) {
  excluded_owners_.clear();
  const auto append = [&](const auto& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      excluded_owners_.push_back({from(i, 0), from(i, 1)});
    }
  };
  append(scene.excluded_owners);
  append(kept.excluded_owners);
  excluded_bodies_.clear();
  const auto bodies = static_cast<std::int32_t>(scene.bodies.position.size());
  const auto joined_body = [&](std::int32_t body) {
    return bodies == 0 || body < bodies ? body : kept_body(body - bodies);
  };
  for (std::size_t i = 0; i < scene.excluded_bodies.size(); ++i) {
    excluded_bodies_.push_back(
        {joined_body(scene.excluded_bodies(i, 0)), joined_body(scene.excluded_bodies(i, 1))});
  }
}

/// `excluded` of the moving scene, from reported ids to rows of what is searched.
template <int D, class T>
void JoinedScenes<D, T>::split_excluded(const SceneSpan<D, T>& scene) {
  excluded_.clear();
  excluded_across_.clear();
  const std::int32_t count = moving_.shape_count();
  const std::int64_t total = std::int64_t{count} + kept_.shape_count();
  const UnboundedIds unbounded = unbounded_ids(kept_);
  for (std::size_t i = 0; i < scene.excluded.size(); ++i) {
    const std::int32_t ids[2] = {scene.excluded(i, 0), scene.excluded(i, 1)};
    if (std::min(ids[0], ids[1]) < 0 || std::max(ids[0], ids[1]) >= total) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "is (" + number(ids[0]) + ", " + number(ids[1]) + "); there are " +
                              number(count) + " moving shapes and " + number(kept_.shape_count()) +
                              " static ones behind them, whose ids begin at 0"});
    }
    const std::int32_t low = std::min(ids[0], ids[1]), high = std::max(ids[0], ids[1]) - count;
    if (low >= count) continue;  // two static ones
    if (high < 0) {
      excluded_.push_back({low, high + count});
    } else if (unbounded.has(high)) {
      excluded_.push_back({low, count + (high - unbounded.begin)});
    } else {
      excluded_across_.push_back({high, low});
    }
  }
}

template <int D, class T>
std::span<const Pair> JoinedScenes<D, T>::joined_pairs(std::span<const Pair> reported,
                                                       const Threads& threads) {
  SceneLayout all;
  all.first[kKindCount] = shape_count();
  const std::vector<Finding> findings = validate_pairs(all, reported);
  if (!findings.empty()) throw Error(findings.front());
  resize_scratch(named_, reported.size());
  for_chunks(threads, (reported.size() + kPairsAChunk - 1) / kPairsAChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(reported.size(), (chunk + 1) * kPairsAChunk);
    for (std::size_t i = chunk * kPairsAChunk; i < end; ++i) {
      named_[i] = {joined_id(reported[i].a), joined_id(reported[i].b)};
    }
  });
  return {named_.plane(), named_.size()};
}

template <int D, class T>
std::size_t JoinedScenes<D, T>::bytes() const {
  return joined.bytes() + pairs.bytes() + excluded_.bytes() + excluded_across_.bytes() +
         excluded_joined_.bytes() + excluded_owners_.bytes() + excluded_bodies_.bytes() +
         one_body_.bytes() + found_.bytes() + named_.bytes();
}

template <int D, class T>
std::int32_t world_count(const SceneSpan<D, T>& scene) {
  std::int32_t largest = 0;
  std::size_t shapes = 0;
  for_each_table(scene, [&](const auto& table) {
    shapes += row_count(table);
    if (const std::string wrong = wrong_layout(table.world); !wrong.empty()) {
      using Table = std::remove_cvref_t<decltype(table)>;
      throw Error(Finding{std::string(kind_name(Table::kind, D)) + ".world", -1, wrong});
    }
    for (std::size_t i = 0; i < table.world.size(); ++i) {
      largest = table.world(i) > largest ? table.world(i) : largest;
    }
  });
  // The largest number is not a valid world.
  const std::int32_t moving = shapes == 0                                           ? 0
                              : largest == std::numeric_limits<std::int32_t>::max() ? largest
                                                                                    : largest + 1;
  return scene.kept == nullptr ? moving : std::max(moving, scene.kept->state().world_count);
}

#define WIDEPHASE_INSTANTIATE(D, T)  \
  template class JoinedScenes<D, T>; \
  template std::int32_t world_count(const SceneSpan<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
