// Contacts from step to step: what is kept of a pair goes to the rank that answers the pair now.
//
// Most pairs stay where they are. A pair whose shapes' bounds reach other ranks may have moved: the
// rank that had it offers it, one that misses it asks, both at a third rank that their names
// choose.

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include "mpi/rows.hpp"
#include "mpi/tracker_state.hpp"
#include "pipeline/rows/static_scene_state.hpp"
#include "soa/ascending.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// Finds shapes of one list in another: `found[i]` is the place of shape i, -1 for none. Most have
/// the same number in both, by which the lists ascend; the others are sorted by name.
template <class NumberOf, class OtherNumber, class NameOf, class OtherName>
void find_shapes(std::size_t count, std::size_t other_count, const NumberOf& number_of,
                 const OtherNumber& other_number, const NameOf& name_of,
                 const OtherName& other_name, std::vector<std::int32_t>& found) {
  found.assign(count, -1);
  std::vector<std::uint32_t> left, others_left;
  std::size_t other = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (; other < other_count && other_number(other) < number_of(i); ++other) {
      others_left.push_back(static_cast<std::uint32_t>(other));
    }
    const bool is_there = other < other_count && other_number(other) == number_of(i);
    if (is_there && name_of(i) == other_name(other)) {
      found[i] = static_cast<std::int32_t>(other++);
    } else {
      left.push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (; other < other_count; ++other) others_left.push_back(static_cast<std::uint32_t>(other));
  const auto sort = [](std::vector<std::uint32_t>& places, const auto& name) {
    std::sort(places.begin(), places.end(),
              [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); });
  };
  sort(left, name_of);
  sort(others_left, other_name);
  std::size_t at = 0;
  for (const std::uint32_t i : left) {
    while (at < others_left.size() && other_name(others_left[at]) < name_of(i)) ++at;
    if (at == others_left.size()) return;
    if (other_name(others_left[at]) == name_of(i)) {
      found[i] = static_cast<std::int32_t>(others_left[at++]);
    }
  }
}

/// The same by all ids of two steps, kept shapes too.
template <int D, class T>
void find_shapes(const StepShapes<D, T>& from, const Column<std::int32_t>& from_numbers,
                 const StepShapes<D, T>& to, const Column<std::int32_t>& to_numbers,
                 std::vector<std::int32_t>& found) {
  const auto names_of = [](const ShapeNames& names) {
    return [&names](std::size_t id) { return std::pair(names.world_of(id), names.key_of(id)); };
  };
  const auto numbers_of = [](const Column<std::int32_t>& numbers) {
    return [&numbers](std::size_t id) { return numbers[id]; };
  };
  find_shapes(from.names.count, to.names.count, numbers_of(from_numbers), numbers_of(to_numbers),
              names_of(from.names), names_of(to.names), found);
  if (from.kept == nullptr) return;
  std::vector<std::int32_t> rows(from.kept->names.count, -1);
  if (to.kept != nullptr) {
    const auto row = [](std::size_t id) { return id; };
    find_shapes(rows.size(), to.kept->names.count, row, row, names_of(from.kept->names),
                names_of(to.kept->names), rows);
  }
  for (const std::int32_t place : rows) {
    found.push_back(place < 0 ? -1 : place + static_cast<std::int32_t>(to.names.count));
  }
}

/// A rank that a pair's name chooses, whoever asks.
std::size_t meeting_place(const PairName& name, std::size_t ranks) {
  std::uint64_t x = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    x ^= static_cast<std::uint64_t>(name.key[side]) + static_cast<std::uint32_t>(name.world[side]);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
  }
  return static_cast<std::size_t>(x % ranks);
}

template <class C>
void add_column(Packer& packer, const C& column) {
  packer.add(column.size());
  packer.add_all(column);
}
template <class C>
void take_column(Unpacker& unpacker, C& column) {
  unpacker.take(unpacker.count(), column);
}

}  // namespace

template <int D, class T>
PairName DistributedTracker<D, T>::State::name_of(const StepShapes<D, T>& shapes, Pair pair) const {
  const auto side = [&](std::int32_t id) {
    const auto place = static_cast<std::size_t>(id);
    const std::int32_t world = shapes.world_of(place);
    return std::pair(place < shapes.moving_count() ? world : -3 - world, shapes.key_of(place));
  };
  const auto a = side(pair.a), b = side(pair.b);
  const auto& [first, second] = std::minmax(a, b);
  return {{first.second, second.second}, {first.first, second.first}};
}

template <int D, class T>
void DistributedTracker<D, T>::State::begin(const Communicator& ranks) {
  if (communicator == nullptr) {
    communicator = std::make_unique<Communicator>(ranks.get());
  } else if (communicator->size() != ranks.size()) {
    throw Error("a tracker's steps are all on as many ranks; this one began on " +
                std::to_string(communicator->size()));
  }
  last_contact.clear();
  last_point.clear();
  ended = EndedContacts{};
  sent_pairs = sent_bytes = 0;
  records_.clear();
  leaves_.clear();
  arrived_.clear();
}

/// A pair with words and contacts is one record.
template <int D, class T>
void DistributedTracker<D, T>::State::list_records() {
  const Step<D, T>& last = last_step(tracker);
  for (std::size_t i = 0; i < last.warm_pairs.size(); ++i) {
    const Pair pair = last.warm_pairs[i].pair;
    if (pair.a < 0) continue;
    records_.push_back({word_of(pair), pair, static_cast<std::uint32_t>(i), kNowhere});
  }
  for (std::size_t i = 0; i < last.contacts.size(); ++i) {
    const Pair pair = last.contacts[i].pair;
    if (pair.a < 0 || (i > 0 && pair == last.contacts[i - 1].pair)) continue;
    records_.push_back({word_of(pair), pair, kNowhere, static_cast<std::uint32_t>(i)});
  }
  std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
    return std::tie(a.ids, a.warm) < std::tie(b.ids, b.warm);
  });
  std::size_t count = 0;
  for (const Record& record : records_) {
    if (count > 0 && records_[count - 1].ids == record.ids) {
      records_[count - 1].contact = record.contact;
    } else {
      records_[count++] = record;
    }
  }
  records_.resize(count);
}

template <int D, class T>
void DistributedTracker<D, T>::State::find_movers(const StepPairs<D, T>& step) {
  const auto ranks = static_cast<std::size_t>(communicator->size());
  offered_.assign(ranks, {});
  offers_.assign(ranks, {});
  asks_.assign(ranks, {});
  if (!has_last_ || ranks == 1) return;
  list_records();
  leaves_.assign(records_.size(), 0);
  const StepShapes<D, T>& last = last_step(tracker).shapes;
  StepShapes<D, T> now;
  now.layout = layout_of(step.scene);
  now.names.count = step.world_id.size();
  for_each_table(step.scene, [&](const auto& table) {
    for (std::size_t row = 0; row < row_count(table); ++row) {
      now.names.key.push_back({table.key[row]});
      now.names.world.push_back({value_or(table.world, row, 0)});
    }
  });
  if (step.scene.kept != nullptr) now.kept = step.scene.kept->state().named;
  std::vector<std::int32_t> to_now, to_last;
  find_shapes(last, world_id_, now, step.world_id, to_now);
  find_shapes(now, step.world_id, last, world_id_, to_last);
  const auto at = [](const std::vector<std::int32_t>& places, std::int32_t id) {
    return places[static_cast<std::size_t>(id)];
  };
  // A pair of a shape that lies on this rank alone is, or was, answered here.
  const auto is_inner = [](const Column<std::uint8_t>& flags, std::int32_t id) {
    return id >= 0 && static_cast<std::size_t>(id) < flags.size() &&
           flags[static_cast<std::size_t>(id)] != 0;
  };
  std::vector<std::uint64_t> words(step.pairs.size());
  std::transform(step.pairs.begin(), step.pairs.end(), words.begin(), word_of);
  std::sort(words.begin(), words.end());
  std::vector<std::uint8_t> was_here(words.size(), 0);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Pair pair = records_[i].pair;
    const Pair ids{at(to_now, pair.a), at(to_now, pair.b)};
    if (ids.a >= 0 && ids.b >= 0) {
      const auto found = std::lower_bound(words.begin(), words.end(), word_of(ids));
      if (found != words.end() && *found == word_of(ids)) {
        was_here[static_cast<std::size_t>(found - words.begin())] = 1;
        continue;
      }
    }
    if (is_inner(step.is_inner, ids.a) || is_inner(step.is_inner, ids.b)) continue;  // it has ended
    const PairName name = name_of(last, pair);
    const std::size_t rank = meeting_place(name, ranks);
    offers_[rank].push_back(name);
    offered_[rank].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (was_here[i] != 0) continue;
    const Pair pair{static_cast<std::int32_t>(words[i] >> 32), static_cast<std::int32_t>(words[i])};
    if (is_inner(was_inner_, at(to_last, pair.a)) || is_inner(was_inner_, at(to_last, pair.b))) {
      continue;  // it begins
    }
    const PairName name = name_of(now, pair);
    asks_[meeting_place(name, ranks)].push_back(name);
  }
}

template <int D, class T>
void DistributedTracker<D, T>::State::exchange() {
  const auto ranks = static_cast<std::size_t>(communicator->size());
  if (!has_last_ || ranks == 1) return;
  std::vector<std::vector<std::byte>> outgoing(ranks);
  const auto send = [&] {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const bool is_here = static_cast<int>(rank) == communicator->rank();
      sent_bytes += is_here ? 0 : static_cast<std::int64_t>(outgoing[rank].size());
    }
    std::vector<Message> messages = exchange_messages(*communicator, outgoing);
    outgoing.assign(ranks, {});
    return messages;
  };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (offers_[rank].size() + asks_[rank].size() == 0) continue;
    Packer packer;
    for (const PairNames* names : {&offers_[rank], &asks_[rank]}) {
      add_column(packer, names->key);
      add_column(packer, names->world);
    }
    outgoing[rank] = packer.take();
  }
  // Here offers and asks of others meet: equal names in the order of ranks.
  struct Entry {
    PairName name;
    std::int32_t rank;
    std::uint32_t place;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> offers, asks;
  for (const Message& message : send()) {
    Unpacker unpacker(message.bytes);
    for (std::vector<Entry>* list : {&offers, &asks}) {
      PairNames names;
      take_column(unpacker, names.key);
      take_column(unpacker, names.world);
      for (std::size_t i = 0; i < names.size(); ++i) {
        list->push_back({names[i], message.rank, static_cast<std::uint32_t>(i)});
      }
    }
  }
  std::sort(offers.begin(), offers.end());
  std::sort(asks.begin(), asks.end());
  std::vector<Column<std::uint32_t>> taken(ranks);
  std::vector<Column<std::int32_t>> taker(ranks);
  std::size_t at = 0;
  for (const Entry& ask : asks) {
    while (at < offers.size() && offers[at].name < ask.name) ++at;
    if (at == offers.size()) break;
    if (offers[at].name != ask.name) continue;
    const auto from = static_cast<std::size_t>(offers[at].rank);
    taken[from].push_back({offers[at++].place});
    taker[from].push_back({ask.rank});
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (taken[rank].empty()) continue;
    Packer packer;
    add_column(packer, taken[rank]);
    add_column(packer, taker[rank]);
    outgoing[rank] = packer.take();
  }
  std::vector<std::vector<std::uint32_t>> leaving(ranks);
  for (const Message& message : send()) {
    Unpacker unpacker(message.bytes);
    Column<std::uint32_t> places;
    Column<std::int32_t> to;
    take_column(unpacker, places);
    take_column(unpacker, to);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint32_t record = offered_[static_cast<std::size_t>(message.rank)][places[i]];
      leaving[static_cast<std::size_t>(to[i])].push_back(record);
      leaves_[record] = 1;
      ++sent_pairs;
    }
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (leaving[rank].empty()) continue;
    Packer packer;
    const Parcel<D, T> parcel = parcel_of(leaving[rank]);
    for_each_parcel_column([&](const auto& column) { add_column(packer, column); }, parcel);
    outgoing[rank] = packer.take();
  }
  for (const Message& message : send()) {
    Unpacker unpacker(message.bytes);
    for_each_parcel_column([&](auto& column) { take_column(unpacker, column); },
                           arrived_.emplace_back());
  }
}

/// What the step's tracker says, by the numbers of all ranks.
template <int D, class T>
void DistributedTracker<D, T>::State::number_answers() {
  const auto number = [](const Column<std::int64_t>& places, const auto& number_at,
                         Column<std::int64_t>& to) {
    to.resize_uninitialized(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      to[i] = places[i] < 0 ? -1 : number_at(static_cast<std::size_t>(places[i]));
    }
  };
  number(
      tracker.last_contact(), [&](std::size_t i) { return number_of(i); }, last_contact);
  number(
      tracker.last_point(), [&](std::size_t i) { return number_of_point(i); }, last_point);
  ended = tracker.ended();
  const auto moving = static_cast<std::int32_t>(world_id_.size());
  const auto id_of = [&](std::int32_t id) {
    return id < moving ? world_id_[static_cast<std::size_t>(id)]
                       : world_layout_.shape_count() + (id - moving);
  };
  for (std::size_t i = 0; i < ended.size(); ++i) {
    ended.pair[i] = {id_of(ended.pair[i].a), id_of(ended.pair[i].b)};
    ended.contact[i] = number_of(static_cast<std::size_t>(ended.contact[i]));
  }
}

template <int D, class T>
void DistributedTracker<D, T>::State::end(const StepPairs<D, T>& step,
                                          const ContactBuffer<D, T>& contacts) {
  const auto ranks = static_cast<std::size_t>(communicator->size());
  const std::int64_t own[2] = {static_cast<std::int64_t>(contacts.size()),
                               static_cast<std::int64_t>(contacts.point_count())};
  std::vector<std::int64_t> all(2 * ranks);
  MPI_Allgather(own, 2, MPI_INT64_T, all.data(), 2, MPI_INT64_T, communicator->get());
  before = std::move(last_);
  last_ = Firsts{std::vector<std::int64_t>(ranks + 1, 0), std::vector<std::int64_t>(ranks + 1, 0)};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    last_.contact[rank + 1] = last_.contact[rank] + all[2 * rank];
    last_.point[rank + 1] = last_.point[rank] + all[2 * rank + 1];
  }
  number_.clear();
  point_number_.clear();
  world_id_ = step.world_id;
  was_inner_ = step.is_inner;
  world_layout_ = step.layout;
  has_last_ = true;
  arrived_.clear();
}

#define WIDEPHASE_INSTANTIATE(D, T) template struct DistributedTracker<D, T>::State;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
