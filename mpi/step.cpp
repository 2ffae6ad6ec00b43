// What a rank answers: copies of the shapes near its borders, and the pairs that are its own.

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <string>

#include "mpi/scene_state.hpp"
#include "soa/instantiate.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

/// In what order a failure stands among others, and its sentence with the row of the whole world.
template <int D, class T>
Failure DistributedScene<D, T>::State::failure_of(const Rows<D, T>& rows,
                                                  const std::exception& error) const {
  Failure failure{std::int64_t{1} << 60, text_of_failure(communicator, error)};
  const auto* const ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr || !ours->finding() || ours->finding()->row < 0) return failure;
  Finding finding = *ours->finding();
  const auto row = static_cast<std::size_t>(finding.row);
  const auto translate = [&](const Column<std::int32_t>& names, std::int64_t kind) {
    if (row >= names.size()) return;
    finding.row = names[row];
    failure = {kind << 32 | finding.row, finding.text()};
  };
  for (int k = 0; k < kKindCount; ++k) {
    const std::string prefix = std::string(kind_name(static_cast<Kind>(k), D)) + ".";
    if (finding.array.starts_with(prefix)) translate(rows.row[static_cast<std::size_t>(k)], k);
  }
  if (finding.array.starts_with("bodies.")) translate(rows.body, kKindCount);
  return failure;
}

template <int D, class T>
void DistributedScene<D, T>::State::together(const Rows<D, T>& rows,
                                             const std::function<void()>& work) const {
  run_together(communicator, work, [&] {
    try {
      throw;
    } catch (const std::exception& error) {
      return failure_of(rows, error);
    } catch (...) {
      return Failure{std::int64_t{1} << 60, "a rank failed"};
    }
  });
}

/// Where the point set of a shape is on this rank.
template <int D, class T>
std::int32_t DistributedScene<D, T>::State::place_of_set(std::size_t library, Kind kind,
                                                         std::int32_t number,
                                                         std::size_t row) const {
  const std::int32_t place = sets.whole_place_of(library, number);
  if (place >= 0) return place;
  const std::int32_t count = sets.world_count(library);
  throw Error(Finding{
      column_name(kind, D, "geometry"), static_cast<std::int64_t>(row),
      "is " + std::to_string(number) +
          (number < 0 || number >= count
               ? "; the scene has " + std::to_string(count) + " geometries, counted from 0"
               : ", which this rank does not hold; between steps a shape may be given that of "
                 "another shape that the rank owns")});
}

/// Adds the numbers of the sets that shapes name from the given rows on.
template <int D, class T>
void DistributedScene<D, T>::State::add_named_sets(const Rows<D, T>& rows,
                                                   const std::array<std::size_t, kKindCount>& first,
                                                   SetNumbers& named) {
  for_each_naming_table(rows.scene, [&](std::size_t library, const auto& table) {
    const auto begin = table.geometry.begin();
    named[library].insert(named[library].end(), begin + first[kind_index<decltype(table)>()],
                          begin + table.geometry.size());
  });
}

/// Appends what a rank sent; `named` gets the sets that its shapes name.
template <int D, class T>
void DistributedScene<D, T>::State::unpack_message(const Message& message, const Present& columns,
                                                   Rows<D, T>& to, std::vector<NamedSets>& named) {
  std::array<std::size_t, kKindCount> before{};
  for (std::size_t k = 0; k < kKindCount; ++k) before[k] = to.row[k].size();
  unpack<D, T>(message.bytes, columns, to);
  for (std::size_t k = 0; k < kKindCount; ++k) {
    for (std::size_t row = before[k]; row < to.own[k].size(); ++row) to.own[k][row] = ~message.rank;
  }
  named.push_back({message.rank, {}});
  add_named_sets(to, before, named.back().numbers);
}

/// Gives a scene the point sets of this rank, by their places.
template <int D, class T>
void DistributedScene<D, T>::State::name_sets_here(SceneSpan<D, T>& scene) {
  sets.look_at(scene);
  if (kept != nullptr) return;  // shapes name the kept scene's
  for_each_naming_table(scene, [&](std::size_t library, auto& table) {
    Column<std::int32_t>& places = set_place_[kind_index<decltype(table)>()];
    places.resize_uninitialized(table.geometry.size());
    for (std::size_t row = 0; row < places.size(); ++row) {
      places[row] = place_of_set(library, std::remove_cvref_t<decltype(table)>::kind,
                                 table.geometry[row], row);
    }
    table.geometry = places;
  });
}

template <int D, class T>
SceneSpan<D, T> DistributedScene<D, T>::State::own_scene() {
  SceneSpan<D, T> scene(own.scene);
  name_sets_here(scene);
  scene.domain = common.domain;
  if (!has_bodies) return scene;
  for_each_table(scene, [&](auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    Column<std::int32_t>& places = body_place_[kKind];
    places.resize_uninitialized(table.body.size());
    for (std::size_t row = 0; row < places.size(); ++row) {
      places[row] = table.body[row] < 0 ? table.body[row] : place_of_body(table.body[row]);
      if (table.body[row] < 0 || places[row] >= 0) continue;
      throw Error(Finding{column_name(static_cast<Kind>(kKind), D, "body"),
                          static_cast<std::int64_t>(row),
                          "is " + std::to_string(table.body[row]) +
                              ", a body of another rank or of none; give a shape's body to the "
                              "rank that has the shape"});
    }
    table.body = places;
  });
  return scene;
}

template <int D, class T>
void DistributedScene<D, T>::State::check_options(const CollideOptions& call_options) {
  if (!call_options.world_mask.empty() || !call_options.world_status.empty()) {
    throw Error("a distributed scene answers all worlds; leave world_mask and world_status empty");
  }
  if (call_options.flush_tolerance > 0) {
    throw Error(
        "flush_tolerance is not for many machines: each has a part of the shapes; leave it 0");
  }
  if (!call_options.warm_starts.empty()) {
    throw Error("a distributed scene finds its own pairs; leave warm_starts empty");
  }
}

/// Places of this rank's shapes in the world, and their bounds there: those by which a rank that
/// has copies sees whose a pair is.
template <int D, class T>
void DistributedScene<D, T>::State::read_own(const CollideOptions& call_options) {
  check_options(call_options);
  const SceneSpan<D, T> scene = own_scene();
  placed_view_ = scene;
  try {
    if (has_bodies) {
      place<D, T>(scene, scene.bodies, placed_, call_options.threads);
      placed_view_ = placed_.scene();
    }
    update_bounds<D, T>(placed_view_, workspace_, call_options);
  } catch (const Error&) {
    update_bounds<D, T>(scene, workspace_, call_options);  // throws with the caller's numbers
    throw;
  }
  // From here on names of bodies are filters. Those of point sets are the world's.
  for_each_table_pair(placed_view_, own.scene, [](auto& table, const auto& given) {
    table.body = given.body;
    if constexpr (requires { table.geometry; }) table.geometry = given.geometry;
  });
}

/// Into `ranks_`: who needs a shape.
template <int D, class T>
void DistributedScene<D, T>::State::find_ranks(std::size_t id, std::int32_t world,
                                               bool is_unbounded,
                                               const BoundsBuffer<D, PositionOf<T>>& bounds) {
  const auto is_everywhere = [&] {
    ranks_.resize(lists_.size());
    for (std::size_t r = 0; r < ranks_.size(); ++r) ranks_[r] = static_cast<int>(r);
  };
  if (division == Division::worlds) {
    if (world < 0) return is_everywhere();
    ranks_.assign(1, owner_of_world(world));
    return;
  }
  if (is_unbounded) return is_everywhere();
  ranks_.clear();
  std::vector<int>& all = ranks_;
  std::vector<int>& some = image_ranks_;
  boxes_.for_each_image(boxes_.box(bounds, id), [&](const double* min, const double* max) {
    partition->ranks_of(min, max, some);
    for (const int rank : some) {
      if (std::find(all.begin(), all.end(), rank) == all.end()) all.push_back(rank);
    }
  });
}

/// Into `lists_`: the shapes that each rank is sent.
template <int D, class T>
void DistributedScene<D, T>::State::choose_copies() {
  for (RowLists& lists : lists_) lists.clear();
  const BoundsBuffer<D, PositionOf<T>>& bounds = workspace_.bounds();
  const int rank_here = communicator.rank();
  RowLists& here = lists_[static_cast<std::size_t>(rank_here)];
  std::size_t id = 0;
  stats.own_shapes = 0;
  const SceneLayout own_layout = layout_of(own.scene);
  const UnboundedIds unbounded = unbounded_ids(own_layout);
  for_each_table(own.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    const std::size_t count = own.row[kKind].size();
    stats.own_shapes += static_cast<std::int64_t>(count);
    is_inner_[kKind].assign(count, 0);
    for (std::size_t row = 0; row < count; ++row, ++id) {
      find_ranks(id, value_or(table.world, row, 0), unbounded.has(id), bounds);
      is_inner_[kKind][row] = ranks_.size() == 1 && ranks_[0] == rank_here ? 1 : 0;
      here.shapes[kKind].push_back(static_cast<std::uint32_t>(row));
      for (const int rank : ranks_) {
        if (rank == rank_here) continue;
        RowLists& lists = lists_[static_cast<std::size_t>(checked(rank))];
        lists.shapes[kKind].push_back(static_cast<std::uint32_t>(row));
      }
    }
  });
}

template <int D, class T>
void DistributedScene<D, T>::State::copy_to_neighbours() {
  const int rank_here = communicator.rank();
  const RowLists& here = lists_[static_cast<std::size_t>(rank_here)];
  const RowsSpan<D, T> span{placed_view_, span_of(own).row, {}};
  Present shapes = present;
  shapes.body_columns = 0;
  std::vector<std::vector<std::byte>> outgoing(lists_.size());
  stats.copied_bytes = 0;
  stats.neighbours = 0;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == rank_here) continue;
    std::vector<std::byte>& message = outgoing[static_cast<std::size_t>(rank)];
    message = packed<D, T>(span, lists_[static_cast<std::size_t>(rank)], shapes);
    stats.copied_bytes += static_cast<std::int64_t>(message.size());
    stats.neighbours += message.empty() ? 0 : 1;
  }
  const std::vector<Message> messages = exchange_messages(communicator, outgoing);
  local.clear();
  append<D, T>(span, here, shapes, local);
  std::vector<NamedSets> named;
  for (const Message& message : messages) unpack_message(message, shapes, local, named);
  sort_rows(local);
  if (kept == nullptr) stats.copied_bytes += sets.fetch(communicator, named);
}

/// The scene of this step on this rank: placed shapes, without bodies to place again.
template <int D, class T>
SceneSpan<D, T> DistributedScene<D, T>::State::local_scene() {
  SceneSpan<D, T> scene(local.scene);
  scene.bodies = {};
  name_sets_here(scene);
  scene.domain = common.domain;
  scene.kept = kept;
  scene.excluded_owners = common.excluded_owners;
  scene.excluded_bodies = common.excluded_bodies;
  const SceneLayout here = layout_of(scene);
  const auto count = static_cast<std::size_t>(here.shape_count());
  world_id_.resize_uninitialized(count);
  local_world_.resize_uninitialized(count);
  local_owner_.resize_uninitialized(count);
  local_inner_.resize_uninitialized(count);
  std::size_t id = 0;
  for_each_table(local.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    for (std::size_t row = 0; row < local.row[kKind].size(); ++row, ++id) {
      world_id_[id] = layout.first[kKind] + local.row[kKind][row];
      const std::int32_t place = local.own[kKind][row];
      local_owner_[id] = place < 0 ? ~place : communicator.rank();
      local_inner_[id] = place < 0 ? 0 : is_inner_[kKind][static_cast<std::size_t>(place)];
      local_world_[id] = value_or(table.world, row, 0);
    }
  });
  // Excluded pairs of which this rank has both.
  excluded_here_.excluded.clear();
  const auto local_id = [&](std::int32_t wanted) -> std::int32_t {
    if (wanted >= layout.shape_count()) {  // of the kept scene
      return wanted - layout.shape_count() + static_cast<std::int32_t>(count);
    }
    const auto* const found = std::lower_bound(world_id_.begin(), world_id_.end(), wanted);
    return found != world_id_.end() && *found == wanted
               ? static_cast<std::int32_t>(found - world_id_.begin())
               : -1;
  };
  for (std::size_t i = 0; i < common.excluded.size(); ++i) {
    if (common.excluded(i, 0) < 0 || common.excluded(i, 1) < 0) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "must name shapes of the world, whose ids begin at 0"});
    }
    const std::int32_t a = local_id(common.excluded(i, 0)), b = local_id(common.excluded(i, 1));
    if (a >= 0 && b >= 0) excluded_here_.excluded.push_back({a, b});
  }
  scene.excluded = excluded_here_.excluded;
  return scene;
}

template <int D, class T>
bool DistributedScene<D, T>::State::is_ours(const Pair& pair) const {
  if (communicator.size() == 1) return true;
  const std::int32_t count = here_layout_.shape_count();
  const auto is_inner = [&](std::int32_t id) {
    return id < count && local_inner_[static_cast<std::size_t>(id)] != 0;
  };
  if (is_inner(pair.a) || is_inner(pair.b)) return true;
  if (division == Division::worlds) {
    const auto world_of = [&](std::int32_t id) {
      return id >= count ? -1 : local_world_[static_cast<std::size_t>(id)];
    };
    const std::int32_t world = std::max(world_of(pair.a), world_of(pair.b));
    // Kept shapes are on every rank, as those of world -1 are: with these, it depends on nothing.
    return (world < 0 ? 0 : owner_of_world(world)) == communicator.rank();
  }
  const UnboundedIds unbounded = unbounded_ids(here_layout_);
  const auto has_box = [&](std::int32_t id) { return id < count && !unbounded.has(id); };
  const BoundsBuffer<D, PositionOf<T>>& bounds = workspace_.bounds();
  const std::int32_t first = has_box(pair.a) ? pair.a : pair.b;
  const std::int32_t second = has_box(pair.b) ? pair.b : pair.a;
  // Two shapes without bounds are on every rank, and have no contact.
  if (!has_box(first) || !has_box(second)) return communicator.rank() == 0;
  double corner[3] = {};
  boxes_.corner(boxes_.box(bounds, static_cast<std::size_t>(first)),
                boxes_.box(bounds, static_cast<std::size_t>(second)), corner);
  return checked(partition->owner_of(corner)) == communicator.rank();
}

template <int D, class T>
void DistributedScene<D, T>::State::find_own_pairs(const CollideOptions& call_options) {
  here_ = local_scene();
  here_layout_ = layout_of(here_);
  update_bounds<D, T>(here_, workspace_, call_options);
  find_pairs<D, T>(here_, workspace_, call_options);
  pairs_.clear();
  for (const Pair& pair : workspace_.pairs()) {
    if (is_ours(pair)) pairs_.push_back(pair);
  }
  stats.candidates = static_cast<std::int64_t>(workspace_.pairs().size());
  stats.pairs = static_cast<std::int64_t>(pairs_.size());
  stats.copied_shapes = here_layout_.shape_count() - stats.own_shapes;
}

template <int D, class T>
void DistributedScene<D, T>::State::find_own_contacts(ContactBuffer<D, T>& contacts,
                                                      const CollideOptions& call_options) {
  CollideOptions in_order = call_options;
  in_order.order = Order::id;
  find_contacts<D, T>(here_, pairs_, contacts, workspace_, in_order);
  stats.contacts = static_cast<std::int64_t>(contacts.size());
  has_work_ = true;
  own_work_ = kShapeCost * static_cast<double>(stats.own_shapes) +
              kPairCost * static_cast<double>(pairs_.size());
}

/// Contacts of shapes here become those of the world's.
template <int D, class T>
void DistributedScene<D, T>::State::give_world_ids(ContactBuffer<D, T>& contacts) const {
  const std::int32_t count = here_layout_.shape_count();
  const auto world_id = [&](std::int32_t id) {
    return id < count ? world_id_[static_cast<std::size_t>(id)]
                      : layout.shape_count() + (id - count);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts.pair[i] = {world_id(contacts.pair[i].a), world_id(contacts.pair[i].b)};
  }
  number_sources(contacts);
}

/// A shape without a key is named by its id in the world.
template <int D, class T>
void DistributedScene<D, T>::State::name_shapes() {
  std::size_t first = 0;
  for_each_table(here_, [&](auto& table) {
    Column<std::int64_t>& keys = keys_[kind_index<decltype(table)>()];
    const std::size_t count = row_count(table);
    if (table.key.empty()) {
      keys.resize_uninitialized(count);
      for (std::size_t row = 0; row < count; ++row) keys[row] = world_id_[first + row];
      table.key = keys;
    }
    first += count;
  });
}

template <int D, class T>
void DistributedScene<D, T>::State::collide_tracked(
    ContactBuffer<D, T>& contacts, typename DistributedTracker<D, T>::State& tracker,
    const CollideOptions& call_options) {
  tracker.begin(communicator);
  const auto now = [&] { return StepPairs<D, T>{here_, pairs_, world_id_, local_inner_, layout}; };
  together(local, [&] {
    find_own_pairs(call_options);
    name_shapes();
    tracker.find_movers(now());
  });
  tracker.exchange();
  stats.moved_pairs = tracker.sent_pairs;
  stats.tracker_bytes = tracker.sent_bytes;
  together(local, [&] {
    tracker.settle();
    CollideOptions warm = call_options;
    warm.warm_starts = begin_step<D, T>(here_, pairs_, tracker.tracker, call_options);
    find_own_contacts(contacts, warm);
  });
  try {
    together(local, [&] {
      end_step<D, T>(contacts, tracker.tracker, call_options);
      tracker.number_answers();
      give_world_ids(contacts);
    });
  } catch (...) {  // some ranks have ended it, others not
    tracker.forget();
    throw;
  }
  tracker.end(now(), contacts);
}

template <int D, class T>
void DistributedScene<D, T>::State::send_to_owners(std::span<const std::int32_t> ids,
                                                   std::span<const std::byte> rows,
                                                   std::size_t size,
                                                   std::vector<std::int32_t>& own_ids,
                                                   std::vector<std::byte>& own_rows) const {
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(communicator.size()));
  run_together(communicator, [&] {
    if (rows.size() != ids.size() * size) {
      throw Error("there are " + std::to_string(ids.size()) + " ids and " +
                  std::to_string(rows.size() / size) + " rows; give one for each");
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] >= layout.shape_count()) continue;  // nobody owns a kept shape
      const auto* const found = std::lower_bound(world_id_.begin(), world_id_.end(), ids[i]);
      if (found == world_id_.end() || *found != ids[i]) {
        throw Error(Finding{"ids", static_cast<std::int64_t>(i),
                            "is " + std::to_string(ids[i]) +
                                "; it must be a shape of this rank's contacts of the last step"});
      }
      const std::int32_t owner = local_owner_[static_cast<std::size_t>(found - world_id_.begin())];
      std::vector<std::byte>& message = outgoing[static_cast<std::size_t>(owner)];
      const auto id = std::as_bytes(ids.subspan(i, 1)), row = rows.subspan(i * size, size);
      message.insert(message.end(), id.begin(), id.end());
      message.insert(message.end(), row.begin(), row.end());
    }
  });
  struct Received {
    std::int32_t id;
    const std::byte* row;
  };
  const std::vector<Message> messages = exchange_messages(communicator, outgoing);
  std::vector<Received> received;
  for (const Message& message : messages) {
    for (std::size_t at = 0; at < message.bytes.size(); at += sizeof(std::int32_t) + size) {
      Received one{0, message.bytes.data() + at + sizeof(std::int32_t)};
      std::memcpy(&one.id, message.bytes.data() + at, sizeof one.id);
      received.push_back(one);
    }
  }
  std::vector<std::size_t> order(received.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(received[a].id, a) < std::pair(received[b].id, b);
  });
  own_ids.resize(order.size());
  own_rows.resize(order.size() * size);
  for (std::size_t i = 0; i < order.size(); ++i) {
    own_ids[i] = received[order[i]].id;
    std::memcpy(own_rows.data() + i * size, received[order[i]].row, size);
  }
}

/// The work of the last step by own shape, for a division.
template <int D, class T>
void DistributedScene<D, T>::State::find_cost() {
  const auto count = static_cast<std::size_t>(here_layout_.shape_count());
  std::vector<std::int32_t> pairs_of(count, 0);
  for (const Pair& pair : pairs_) {
    for (const std::int32_t id : {pair.a, pair.b}) {
      const auto place = static_cast<std::size_t>(id);
      if (place < count) ++pairs_of[place];
    }
  }
  std::size_t id = 0;
  for (std::size_t k = 0; k < kKindCount; ++k) {
    cost_[k].assign(own.row[k].size(), kShapeCost);
    for (const std::int32_t place : local.own[k]) {
      const double pairs = pairs_of[id++];
      if (place >= 0) cost_[k][static_cast<std::size_t>(place)] += kPairCost / 2 * pairs;
    }
  }
}

template <int D, class T>
std::size_t DistributedScene<D, T>::State::bytes() const {
  std::size_t sum = workspace_.bytes() + placed_.bytes() + sets.bytes() + asked_.bytes() +
                    rays_workspace_.bytes();
  for (const auto* places : {&body_place_, &set_place_}) {
    for (const Column<std::int32_t>& column : *places) sum += column.bytes();
  }
  for (const Rows<D, T>* rows : {&own, &moved, &local}) {
    for_each_table(rows->scene, [&](const auto& table) {
      for_each_field(table, [&](const Field&, const auto& column) { sum += column.bytes(); });
    });
    sum += rows->scene.bodies.position.bytes() + rows->scene.bodies.turn.bytes();
    sum += rows->body.bytes();
    for (const auto* numbers : {&rows->row, &rows->own}) {
      for (const Column<std::int32_t>& column : *numbers) sum += column.bytes();
    }
  }
  return sum;
}

template <int D, class T>
void DistributedScene<D, T>::send_bytes_to_owners(std::span<const std::int32_t> ids,
                                                  std::span<const std::byte> rows,
                                                  std::size_t size,
                                                  std::vector<std::int32_t>& own_ids,
                                                  std::vector<std::byte>& own_rows) const {
  state_->send_to_owners(ids, rows, size, own_ids, own_rows);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                           \
  template struct DistributedScene<D, T>::State;                                              \
  template void DistributedScene<D, T>::send_bytes_to_owners(                                 \
      std::span<const std::int32_t>, std::span<const std::byte>, std::size_t,                 \
      std::vector<std::int32_t>&, std::vector<std::byte>&) const;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
