#include <algorithm>
#include <string>

#include "pipeline/narrow/workspace.hpp"
#include "pipeline/rows/static_scene_state.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/right_lengths.hpp"

namespace widephase {

namespace {

/// The rows of each table that are replaced, ascending.
using RowsOfKinds = std::array<std::vector<std::size_t>, kKindCount>;

RowsOfKinds rows_of_ids(const SceneLayout& layout, std::span<const std::int32_t> ids) {
  RowsOfKinds rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= layout.shape_count()) {
      throw Error(Finding{"ids", static_cast<std::int64_t>(i),
                          "is " + number(ids[i]) + "; the static scene has " +
                              number(layout.shape_count()) + " shapes, whose ids begin at 0"});
    }
    rows[static_cast<std::size_t>(layout.kind_of(ids[i]))].push_back(
        static_cast<std::size_t>(layout.row(ids[i])));
  }
  for (std::vector<std::size_t>& of_kind : rows) {
    std::sort(of_kind.begin(), of_kind.end());
    of_kind.erase(std::unique(of_kind.begin(), of_kind.end()), of_kind.end());
  }
  return rows;
}

/// Throws `Error` unless the scene is like the one that was read, except for the numbers of rows.
template <int D, class T>
void require_alike(const SceneSpan<D, T>& scene, const typename StaticScene<D, T>::State& kept,
                   double margin) {
  if (scene.kept != nullptr) {
    throw Error(
        Finding{"kept", -1, "is given; a static scene keeps no other one, so join the two"});
  }
  if (kept.stamp == 0) {
    throw Error("the static scene is empty; call build_static_scene before its rows change");
  }
  if (!has_right_lengths(scene)) {
    for (const Finding& finding :
         validate(scene, margin, std::numeric_limits<std::size_t>::max())) {
      if (finding.row < 0) throw Error(finding);
    }
  }
  const SceneLayout layout = layout_of(scene);
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (layout.count(kind) == kept.rows.layout.count(kind)) continue;
    throw Error(Finding{std::string(kind_name(kind, D)), -1,
                        "has " + number(layout.count(kind)) + " rows; the static scene was built " +
                            "with " + number(kept.rows.layout.count(kind)) +
                            ", so build it anew where their number changes"});
  }
  scene.for_each_geometry_column(
      [](std::string_view library, std::string_view name, const auto& given, const auto& built) {
        if (given.size() == built.size()) return;
        throw Error(Finding{std::string(library) + "." + std::string(name), -1,
                            "has " + number(given.size()) +
                                " rows; the static scene was built with " + number(built.size()) +
                                ", so build it anew where " + library_words(library) + " change"});
      },
      scene, kept.libraries);
  const Domain<D, PositionOf<T>>&a = scene.domain, &b = kept.domain;
  if (a.periodic != b.periodic || (a.is_periodic() && (a.min != b.min || a.max != b.max))) {
    throw Error(Finding{"domain", -1, "is another than the static scene's; build it anew"});
  }
}

/// One function for all columns of a type.
template <class V, int W>
[[gnu::noinline]] void gather(const ColumnSpan<V, W>& from, const std::vector<std::size_t>& rows,
                              Column<V, W>& to) {
  to.resize_uninitialized(rows.size());
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < rows.size(); ++i) to(i, w) = from(rows[i], w);
  }
}

/// Whether any table of the scene has the column.
template <int D, class T, class Member>
bool has_any(const SceneSpan<D, T>& scene, const Member& column_of) {
  bool has = false;
  for_each_table(scene, [&](const auto& table) { has |= !column_of(table).empty(); });
  return has;
}

/// Puts the rows that were read in place of the old ones.
template <int D, class T>
class Replacement {
 public:
  using State = typename StaticScene<D, T>::State;

  Replacement(const SceneSpan<D, T>& scene, const RowsOfKinds& rows, State& kept)
      : scene_(scene), rows_(rows), kept_(kept) {
    for_each_table_pair(scene, part_, [&](const auto& from, auto& to) {
      const auto& of_kind = rows_of<std::remove_cvref_t<decltype(from)>>();
      for_each_field_pair(from, to, [&](const auto&, const auto& column, auto& gathered) {
        if (!column.empty()) gather(column, of_kind, gathered);
      });
    });
  }

  /// Throws `Error` for an invalid row, which it names as the caller does.
  void read(const CollideOptions& options) {
    view_ = part_;
    view_.bodies = scene_.bodies;
    view_.domain = scene_.domain;
    view_.excluded_owners = scene_.excluded_owners;
    view_.for_each_geometry_column(
        [](auto, auto, auto& span, const auto& column) { span = column; }, view_, kept_.libraries);
    try {
      if (kept_.margin > 0) {
        read_.update(view_, 0, chosen_isa(options.isa), options.threads, {}, &kept_.rows);
        std::swap(own_bounds_, read_.bounds);
      }
      read_.update(view_, kept_.margin, chosen_isa(options.isa), options.threads, {}, &kept_.rows);
    } catch (const Error& error) {
      if (!error.finding()) throw;
      Finding finding = *error.finding();
      for (int k = 0; k < kKindCount; ++k) {
        const std::string table = std::string(kind_name(static_cast<Kind>(k), D)) + ".";
        if (finding.row < 0 || !finding.array.starts_with(table)) continue;
        finding.row = static_cast<std::int64_t>(
            rows_[static_cast<std::size_t>(k)].at(static_cast<std::size_t>(finding.row)));
        break;
      }
      throw Error(finding);
    }
    name(options.threads);
  }

  /// Makes columns that were not there, of what they stand for: nothing changes yet.
  void make_room() {
    SceneRows<D, T>& rows = kept_.rows;
    const auto fill = [&](const auto& part, auto& column, auto otherwise) {
      if (part.empty() || !column.empty()) return;
      column.resize(static_cast<std::size_t>(rows.layout.shape_count()), otherwise);
    };
    fill(read_.margin, rows.margin, SizeOf<T>{0});
    fill(read_.world, rows.world, std::int32_t{0});
    fill(read_.owner, rows.owner, std::int32_t{-1});
    fill(read_.body, rows.body, std::int32_t{-1});
    fill(read_.category, rows.category, std::uint32_t{1});
    fill(read_.mask, rows.mask, ~std::uint32_t{0});
    excluded_owners_.resize_uninitialized(scene_.excluded_owners.size());
    for (std::size_t i = 0; i < excluded_owners_.size(); ++i) {
      for (int w = 0; w < 2; ++w) excluded_owners_(i, w) = scene_.excluded_owners(i, w);
    }
  }

  void put() {
    SceneRows<D, T>& rows = kept_.rows;
    for (int k = 0; k < kKindCount; ++k) {
      const Kind kind = static_cast<Kind>(k);
      put_rows(kind, read_.rows[k], row_width(kind, D), rows.rows[k]);
      if constexpr (is_mixed<T>) {
        put_rows(kind, read_.anchors[k], anchor_width(kind), rows.anchors[k]);
      }
    }
    put_rows(instance_kind(D), read_.rests, kAnchorNumbers, rows.rests);
    for (std::size_t i = 0; i < of_kind(Kind::halfspace).size(); ++i) {
      const std::size_t row = of_kind(Kind::halfspace)[i];
      for (int d = 0; d < D; ++d) rows.halfspace_normal(row, d) = read_.halfspace_normal(i, d);
      rows.halfspace_offset[row] = read_.halfspace_offset[i];
    }
    for_each_id([&](std::size_t part, std::size_t id) {
      for (int d = 0; d < D; ++d) {
        rows.bounds.min(id, d) = read_.bounds.min(part, d);
        rows.bounds.max(id, d) = read_.bounds.max(part, d);
        if (kept_.margin == 0) continue;
        kept_.own_bounds.min(id, d) = own_bounds_.min(part, d);
        kept_.own_bounds.max(id, d) = own_bounds_.max(part, d);
      }
      const auto put_tag = [&](const auto& from, auto& to, auto otherwise) {
        if (!to.empty()) to[id] = from.empty() ? otherwise : from[part];
      };
      put_tag(read_.margin, rows.margin, SizeOf<T>{0});
      put_tag(read_.world, rows.world, std::int32_t{0});
      put_tag(read_.owner, rows.owner, std::int32_t{-1});
      put_tag(read_.category, rows.category, std::uint32_t{1});
      put_tag(read_.mask, rows.mask, ~std::uint32_t{0});
      if (!rows.body.empty()) rows.body[id] = read_.body.empty() ? -1 : kept_body(read_.body[part]);
    });
    rows.forget_outlines();
    kept_.excluded_owners.swap(excluded_owners_);
    kept_.world_count = rows.world_count();
    kept_.body_count = scene_.bodies.position.size();
    kept_.named = std::move(named_);
  }

 private:
  const std::vector<std::size_t>& of_kind(Kind kind) const {
    return rows_[static_cast<std::size_t>(kind)];
  }
  template <class Table>
  const std::vector<std::size_t>& rows_of() const {
    return of_kind(Table::kind);
  }
  /// `op(id in the part, id)` for every shape that is replaced.
  template <class Op>
  void for_each_id(const Op& op) const {
    std::size_t part = 0;
    for (std::size_t k = 0; k < kKindCount; ++k) {
      const auto first = static_cast<std::size_t>(kept_.rows.layout.first[k]);
      for (const std::size_t row : rows_[k]) op(part++, first + row);
    }
  }
  template <class N>
  void put_rows(Kind kind, const Column<N>& from, int numbers, Column<N>& to) const {
    if (from.empty()) return;
    const auto width = static_cast<std::size_t>(numbers);
    for (std::size_t i = 0; i < of_kind(kind).size(); ++i) {
      std::copy_n(from.plane() + i * width, width, to.plane() + of_kind(kind)[i] * width);
    }
  }

  /// Names and frames, in a copy: a tracker's last step may still hold the old ones.
  void name(const Threads& threads) {
    auto named = std::make_shared<NamedShapes<D, T>>(*kept_.named);
    ShapeFrames<D, T> frames;
    frames.read(read_.placed_scene(view_), read_.layout, threads);
    ShapeNames& names = named->names;
    const auto count = static_cast<std::size_t>(kept_.rows.layout.shape_count());
    if (names.key.empty() && has_any(scene_, [](const auto& table) { return table.key; })) {
      names.key.resize_uninitialized(count);
      for (std::size_t id = 0; id < count; ++id) names.key[id] = static_cast<std::int64_t>(id);
    }
    if (names.world.empty() && !read_.world.empty()) names.world.resize(count, 0);
    for_each_table(scene_, [&](const auto& table) {
      using Table = std::remove_cvref_t<decltype(table)>;
      const auto first =
          static_cast<std::size_t>(kept_.rows.layout.first[static_cast<int>(Table::kind)]);
      for (const std::size_t row : rows_of<Table>()) {
        const std::size_t id = first + row;
        if (!names.key.empty()) {
          names.key[id] = table.key.empty() ? static_cast<std::int64_t>(id) : table.key[row];
        }
        if (!names.world.empty()) names.world[id] = value_or(table.world, row, std::int32_t{0});
      }
    });
    for_each_id([&](std::size_t part, std::size_t id) {
      named->frames.frame[id] = frames[static_cast<std::int32_t>(part)];
    });
    named_ = std::move(named);
  }

  const SceneSpan<D, T>& scene_;
  const RowsOfKinds& rows_;
  State& kept_;
  SceneColumns<D, T> part_;  ///< the rows to read
  SceneSpan<D, T> view_;
  SceneRows<D, T> read_;
  BoundsBuffer<D, PositionOf<T>> own_bounds_;  ///< of these, without the margin
  Column<std::int32_t, 2> excluded_owners_;
  std::shared_ptr<const NamedShapes<D, T>> named_;
};

}  // namespace

template <int D, class T>
void update_static_scene(SceneArgument<D, T> scene, std::span<const std::int32_t> ids,
                         StaticScene<D, T>& kept, Workspace<D, T>& workspace,
                         const CollideOptions& options) {
  auto& state = kept.state();
  refuse_warm_starts(options, "update_static_scene");
  refuse_steadiness(options, "update_static_scene");
  refuse_world_choice(options, "update_static_scene");
  require_alike<D, T>(scene, state, options.margin);
  require_address("ids", ids);
  const RowsOfKinds rows = rows_of_ids(state.rows.layout, ids);
  Replacement<D, T> replacement(scene, rows, state);
  replacement.read(options);
  replacement.make_room();
  try {
    replacement.put();
    CollideOptions flush = options;
    flush.flush_tolerance = state.flush.tolerance;
    find_flush_parts<D, T>(scene, flush, state.rows, state.flush);
    finish_static_scene<D, T>(state, workspace.state().pair_workspace, options);
  } catch (...) {
    kept = StaticScene<D, T>();
    throw;
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                     \
  template void update_static_scene(SceneArgument<D, T>, std::span<const std::int32_t>, \
                                    StaticScene<D, T>&, Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
