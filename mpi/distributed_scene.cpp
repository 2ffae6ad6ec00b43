// What a rank owns: taking a world's rows and moving them.

#include <widephase/distributed_scene.hpp>

#include <numeric>
#include <string>

#include <widephase/version.hpp>

#include "mpi/scene_state.hpp"
#include "soa/copy_column.hpp"
#include "soa/instantiate.hpp"
#include "soa/optional_default.hpp"

namespace widephase {

namespace {

/// The rank that has a row in its block.
int block_of(std::size_t row, std::size_t count, int ranks) {
  int rank = static_cast<int>(static_cast<double>(row) / static_cast<double>(count) * ranks);
  rank = std::clamp(rank, 0, ranks - 1);
  while (row < Communicator::block_of(count, rank, ranks).first) --rank;
  while (row >= Communicator::block_of(count, rank, ranks).second) ++rank;
  return rank;
}

/// A number that looks random, another one for each row (Stafford's mix 13).
std::uint64_t scattered(std::uint64_t row) {
  std::uint64_t x = row + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

template <int D, class T>
DistributedScene<D, T>::State::State(MPI_Comm given, const DistributedOptions& options_wanted)
    : communicator(given), options(options_wanted), partition(options.partition) {
  require_one_version(communicator, version());
  if (!(options.most_imbalance >= 1)) throw Error("most_imbalance must be a number >= 1");
  if (partition == nullptr && options.division != Division::worlds) {
    zoltan = make_zoltan_partition(communicator.get(), D);
    partition = zoltan.get();
  }
  lists_.resize(static_cast<std::size_t>(communicator.size()));
}

template <int D, class T>
void DistributedScene<D, T>::State::agree_on_columns(const SceneSpan<D, T>& part) {
  present = columns_of(part);
  communicator.join_bits(present.columns.data(), kKindCount);
  communicator.join_bits(&present.body_columns, 1);
  has_bodies = present.body_columns != 0;
}

template <int D, class T>
void DistributedScene<D, T>::State::fill_defaults() {
  for_each_table(own.scene, [&](auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    const std::size_t count = own.row[kKind].size();
    int bit = 0;
    for_each_field(table, [&](const Field& field, auto& column) {
      const bool is_there = (present.columns[kKind] >> bit++ & 1) != 0;
      if (!is_there || column.size() == count) return;
      using C = std::remove_cvref_t<decltype(column)>;
      column.clear();
      column.resize(count, optional_default<typename C::value_type>(field.name));
      if constexpr (C::width == 1 && std::is_same_v<typename C::value_type, std::int64_t>) {
        if (field.name != "key") return;
        for (std::size_t i = 0; i < count; ++i) {
          column[i] = std::int64_t{layout.first[kKind]} + own.row[kKind][i];
        }
      }
    });
  });
  auto& turn = own.scene.bodies.turn;
  const std::size_t bodies = own.body.size();
  if ((present.body_columns & 2) != 0 && turn.size() != bodies) {
    turn.clear();
    turn.resize(bodies);
    for (std::size_t i = 0; D == 3 && i < bodies; ++i) turn(i, D == 3 ? 3 : 0) = 1;
  }
}

template <int D, class T>
SceneLayout DistributedScene<D, T>::State::checked_layout(
    const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
    const ColumnSpan<std::int32_t>& bodies) const {
  constexpr std::size_t kTables = kKindCount + 1;  // the last is that of bodies
  const auto rows_of = [&](std::size_t table) -> const ColumnSpan<std::int32_t>& {
    return table < kKindCount ? rows[table] : bodies;
  };
  std::array<std::int64_t, kTables> counts{}, least_below_0{};
  std::array<std::uint64_t, kTables> sums{};
  for (std::size_t t = 0; t < kTables; ++t) {
    const ColumnSpan<std::int32_t>& here = rows_of(t);
    for (std::size_t i = 0; i < here.size(); ++i) {
      counts[t] = std::max(counts[t], std::int64_t{here[i]} + 1);
      least_below_0[t] = std::max(least_below_0[t], -std::int64_t{here[i]});
    }
    sums[t] = here.size();
  }
  communicator.take_largest(counts);
  communicator.take_largest(least_below_0);
  communicator.add_up(sums);
  const auto check = [&](std::size_t table, bool is_right) {
    if (is_right) return;
    throw Error(
        "the ranks together must have each " +
        (table < kKindCount
             ? "row of the " + std::string(kind_name(static_cast<Kind>(table), D)) + " table"
             : std::string("body")) +
        " once, from 0 on");
  };
  SceneLayout all;
  std::int64_t total = 0;
  for (std::size_t t = 0; t < kTables; ++t) {
    const auto count = static_cast<std::uint64_t>(counts[t]);
    check(t, least_below_0[t] == 0 && sums[t] == count);
    if (t == kKindCount) break;
    total += counts[t];
    if (total > std::numeric_limits<std::int32_t>::max()) {
      throw Error("the world holds more than 2147483647 shapes");
    }
    all.first[t + 1] = static_cast<std::int32_t>(total);
  }
  // As many as there should be are each there once if what they scatter to has the right sum.
  for (std::size_t t = 0; t < kTables; ++t) {
    sums[t] = 0;
    const ColumnSpan<std::int32_t>& here = rows_of(t);
    for (std::size_t i = 0; i < here.size(); ++i) {
      sums[t] += scattered(static_cast<std::uint64_t>(here[i]));
    }
    const auto [begin, end] = communicator.block(static_cast<std::size_t>(counts[t]));
    for (std::size_t row = begin; row < end; ++row) sums[t] -= scattered(row);
  }
  communicator.add_up(sums);
  for (std::size_t t = 0; t < kTables; ++t) check(t, sums[t] == 0);
  return all;
}

template <int D, class T>
void DistributedScene<D, T>::State::take(
    const SceneSpan<D, T>& part, const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
    const ColumnSpan<std::int32_t>& bodies) {
  const SceneLayout all_rows = checked_layout(rows, bodies);
  std::int64_t is_wrong = 0;
  for_each_table(part, [&](const auto& table) {
    const std::size_t count = rows[kind_index<decltype(table)>()].size();
    for_each_field(table, [&](const Field& field, const auto& column) {
      if (column.size() != count && !(column.empty() && field.is_optional)) is_wrong = 1;
    });
  });
  const std::size_t poses = part.bodies.position.size();
  if (bodies.size() != poses || (!part.bodies.turn.empty() && part.bodies.turn.size() != poses)) {
    is_wrong = 1;
  }
  if (communicator.largest(is_wrong) != 0) {
    throw Error("a rank's part has columns of unequal length, or other rows than it names");
  }
  PointSets<D, T> all_sets;
  all_sets.begin(part, communicator);
  layout = all_rows;
  agree_on_columns(part);
  has_work_ = false;
  cost_ = {};
  is_divided_ = false;
  stats = DistributedStats{};
  const auto take_rows = [&] {
    common = SceneColumns<D, T>{};
    copy_column(part.excluded, common.excluded);
    copy_column(part.excluded_owners, common.excluded_owners);
    copy_column(part.excluded_bodies, common.excluded_bodies);
    common.domain = part.domain;
    kept = part.kept;
    boxes_.set(common.domain);

    own.clear();
    RowLists all;
    const Present here = columns_of(part);
    for_each_table(part, [&](const auto& table) {
      constexpr std::size_t kKind = kind_index<decltype(table)>();
      all.shapes[kKind].resize(row_count(table));
      std::iota(all.shapes[kKind].begin(), all.shapes[kKind].end(), 0u);
    });
    all.bodies.resize(part.bodies.position.size());
    std::iota(all.bodies.begin(), all.bodies.end(), 0u);
    append<D, T>({part, rows, bodies}, all, here, own);
    fill_defaults();
    sort_rows(own);
    sets = std::move(all_sets);
    if (kept == nullptr) {
      SetNumbers named;
      add_named_sets(own, {}, named);
      sets.hold(part, named);
    } else {
      sets.hold_all(part);  // shapes name those of the kept scene, and a step says so
    }
  };
  try {
    run_together(communicator, take_rows);
    division = options.division;
    if (division == Division::automatic) {
      division = can_deal_out_worlds() ? Division::worlds : Division::space;
    }
    stats.division = division;
  } catch (const Error&) {  // no half of a world
    own.clear();
    common = SceneColumns<D, T>{};
    sets = PointSets<D, T>{};
    layout = SceneLayout{};
    present = Present{};
    has_bodies = false;
    kept = nullptr;
    throw;
  }
}

template <int D, class T>
std::int32_t DistributedScene<D, T>::State::place_of_body(std::int32_t body) const {
  const auto* const found = std::lower_bound(own.body.begin(), own.body.end(), body);
  return found != own.body.end() && *found == body
             ? static_cast<std::int32_t>(found - own.body.begin())
             : -1;
}

/// Callers write what `own()` holds, and could take rows away.
template <int D, class T>
void DistributedScene<D, T>::State::check_own() const {
  const auto check = [](const auto& name, std::size_t size, std::size_t expected) {
    if (size == expected) return;
    throw Error(Finding{name(), -1,
                        "has " + std::to_string(size) + " rows on a rank; it must have " +
                            std::to_string(expected) +
                            ", since rows and columns may not come or go between steps"});
  };
  for_each_table(own.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    int bit = 0;
    for_each_field(table, [&](const Field& field, const auto& column) {
      const bool is_there = (present.columns[kKind] >> bit++ & 1) != 0;
      const auto name = [&] { return column_name(static_cast<Kind>(kKind), D, field.name); };
      check(name, column.size(), is_there ? own.row[kKind].size() : 0);
    });
  });
  // Before shapes move, since a rank sends the point sets of its own.
  for_each_naming_table(own.scene, [&](std::size_t library, const auto& table) {
    for (std::size_t row = 0; kept == nullptr && row < table.geometry.size(); ++row) {
      place_of_set(library, std::remove_cvref_t<decltype(table)>::kind, table.geometry[row], row);
    }
  });
  const std::size_t bodies = own.body.size();
  check([] { return std::string("bodies.position"); }, own.scene.bodies.position.size(), bodies);
  check([] { return std::string("bodies.turn"); }, own.scene.bodies.turn.size(),
        (present.body_columns & 2) != 0 ? bodies : 0);
}

/// Sends shapes and bodies to their owners.
template <int D, class T>
void DistributedScene<D, T>::State::migrate() {
  const RowsSpan<D, T> span = span_of(own);
  std::vector<std::vector<std::byte>> outgoing(lists_.size());
  stats.moved_bytes = stats.moved_rows = 0;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank()) continue;
    const RowLists& lists = lists_[static_cast<std::size_t>(rank)];
    std::vector<std::byte>& message = outgoing[static_cast<std::size_t>(rank)];
    message = packed<D, T>(span, lists, present);
    stats.moved_bytes += static_cast<std::int64_t>(message.size());
    stats.moved_rows += static_cast<std::int64_t>(lists.bodies.size());
    for (const auto& rows : lists.shapes) {
      stats.moved_rows += static_cast<std::int64_t>(rows.size());
    }
  }
  const std::vector<Message> messages = exchange_messages(communicator, outgoing);
  std::vector<NamedSets> named;
  if (stats.moved_rows != 0 || !messages.empty()) {
    moved.clear();
    const RowLists& kept_here = lists_[static_cast<std::size_t>(communicator.rank())];
    append<D, T>(span, kept_here, present, moved);
    for (const Message& message : messages) unpack_message(message, present, moved, named);
    std::swap(own, moved);
    sort_rows(own);
  }
  if (kept == nullptr) stats.moved_bytes += sets.fetch(communicator, named);
}

template <int D, class T>
DistributedScene<D, T>::DistributedScene(MPI_Comm communicator, const DistributedOptions& options)
    : state_(std::make_unique<State>(communicator, options)) {}
template <int D, class T>
DistributedScene<D, T>::~DistributedScene() = default;
template <int D, class T>
DistributedScene<D, T>::DistributedScene(DistributedScene&&) noexcept = default;
template <int D, class T>
DistributedScene<D, T>& DistributedScene<D, T>::operator=(DistributedScene&&) noexcept = default;

template <int D, class T>
void DistributedScene<D, T>::take_whole(const SceneSpan<D, T>& scene) {
  const Communicator& communicator = state_->communicator;
  SceneSpan<D, T> part = scene;
  Rows<D, T> rows;
  run_together(communicator, [&] {
    RowLists lists;
    const std::size_t bodies = scene.bodies.position.size();
    const Present here = columns_of(scene);
    for_each_table(scene, [&](const auto& table) {
      constexpr std::size_t kKind = kind_index<decltype(table)>();
      const std::size_t count = row_count(table);
      for_each_field(table, [&](const Field& field, const auto& column) {
        if (column.size() == count || (column.empty() && field.is_optional)) return;
        throw Error(Finding{column_name(static_cast<Kind>(kKind), D, field.name), -1,
                            "has " + std::to_string(column.size()) + " rows; the table has " +
                                std::to_string(count)});
      });
      const auto [begin, end] = communicator.block(count);
      for (std::size_t row = 0; row < count; ++row) {
        const std::int32_t body = bodies == 0 ? -1 : value_or(table.body, row, -1);
        if (body >= 0 && static_cast<std::size_t>(body) >= bodies) {
          throw Error(Finding{column_name(static_cast<Kind>(kKind), D, "body"),
                              static_cast<std::int64_t>(row),
                              "is " + std::to_string(body) + "; the scene has " +
                                  std::to_string(bodies) + " bodies, counted from 0"});
        }
        const bool is_ours = body < 0 ? row >= begin && row < end
                                      : block_of(static_cast<std::size_t>(body), bodies,
                                                 communicator.size()) == communicator.rank();
        if (is_ours) lists.shapes[kKind].push_back(static_cast<std::uint32_t>(row));
      }
    });
    const auto [begin, end] = communicator.block(bodies);
    for (std::size_t row = begin; row < end; ++row) {
      lists.bodies.push_back(static_cast<std::uint32_t>(row));
    }
    RowsSpan<D, T> whole{scene, {}, {}};
    std::array<Column<std::int32_t>, kKindCount> numbers;
    Column<std::int32_t> body_numbers;
    const auto number = [](std::size_t count, Column<std::int32_t>& column) {
      column.resize_uninitialized(count);
      std::iota(column.plane(), column.plane() + count, 0);
    };
    for_each_table(scene, [&](const auto& table) {
      constexpr std::size_t kKind = kind_index<decltype(table)>();
      number(row_count(table), numbers[kKind]);
      whole.row[kKind] = numbers[kKind];
    });
    number(bodies, body_numbers);
    whole.body = body_numbers;
    append<D, T>(whole, lists, here, rows);
  });
  const RowsSpan<D, T> own = span_of(rows);
  for_each_table_pair(part, own.scene, [](auto& to, const auto& from) { to = from; });
  part.bodies = own.scene.bodies;
  state_->take(part, own.row, own.body);
}

template <int D, class T>
void DistributedScene<D, T>::take(const SceneSpan<D, T>& part,
                                  const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
                                  const ColumnSpan<std::int32_t>& bodies) {
  state_->take(part, rows, bodies);
}

template <int D, class T>
SceneColumns<D, T>& DistributedScene<D, T>::own() {
  return state_->own.scene;
}
template <int D, class T>
const Column<std::int32_t>& DistributedScene<D, T>::own_rows(Kind kind) const {
  return state_->own.row[static_cast<std::size_t>(kind)];
}
template <int D, class T>
const Column<std::int32_t>& DistributedScene<D, T>::own_bodies() const {
  return state_->own.body;
}
template <int D, class T>
const SceneLayout& DistributedScene<D, T>::layout() const {
  return state_->layout;
}
template <int D, class T>
const DistributedStats& DistributedScene<D, T>::stats() const {
  return state_->stats;
}
template <int D, class T>
void DistributedScene<D, T>::step(ContactBuffer<D, T>& contacts, const CollideOptions& options) {
  state_->step(contacts, nullptr, options);
}
template <int D, class T>
void DistributedScene<D, T>::step(ContactBuffer<D, T>& contacts, DistributedTracker<D, T>& tracker,
                                  const CollideOptions& options) {
  state_->step(contacts, &tracker, options);
}

/// The order of a step. Whatever fails on one rank fails on all before the next message.
template <int D, class T>
void DistributedScene<D, T>::State::step(ContactBuffer<D, T>& contacts,
                                         DistributedTracker<D, T>* tracker,
                                         const CollideOptions& call_options) {
  contacts.clear();
  stats.was_divided = !is_divided_ || stats.imbalance > options.most_imbalance;
  // A division is work in common, which no rank may be missing from.
  if (stats.was_divided) together(own, [&] { check_own(); });
  together(own, [&] {
    if (stats.was_divided) {
      divide();
    } else {
      check_own();
    }
    choose_owners();
  });
  is_divided_ = true;
  has_work_ = false;
  migrate();
  together(own, [&] {
    read_own(call_options);
    choose_copies();
  });
  copy_to_neighbours();
  stats.moved_pairs = stats.tracker_bytes = 0;
  if (tracker != nullptr) {
    collide_tracked(contacts, tracker->state(), call_options);
  } else {
    together(local, [&] {
      find_own_pairs(call_options);
      find_own_contacts(contacts, call_options);
      give_world_ids(contacts);
    });
  }
  if (kept == nullptr) {
    SetNumbers named;
    add_named_sets(local, {}, named);
    sets.keep(named);
  }
  const double work = communicator.sum(own_work_);
  const double most = communicator.largest(own_work_);
  stats.imbalance = work > 0 ? most * communicator.size() / work : 1;
  stats.bytes = bytes();
  stats.point_sets = sets.count();
}

#define WIDEPHASE_INSTANTIATE(D, T) template class DistributedScene<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
