// A tracker on many ranks: what its steps say, and what follows contacts and points.

#include <algorithm>
#include <cstring>
#include <string>

#include "mpi/rows.hpp"
#include "mpi/tracker_state.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

template <int D, class T>
std::int64_t DistributedTracker<D, T>::State::number_of(std::size_t contact) const {
  const auto rank = static_cast<std::size_t>(communicator->rank());
  return number_.empty() ? last_.contact[rank] + static_cast<std::int64_t>(contact)
                         : number_[contact];
}
template <int D, class T>
std::int64_t DistributedTracker<D, T>::State::number_of_point(std::size_t point) const {
  const auto rank = static_cast<std::size_t>(communicator->rank());
  return point_number_.empty() ? last_.point[rank] + static_cast<std::int64_t>(point)
                               : point_number_[point];
}

template <int D, class T>
void DistributedTracker<D, T>::State::carry(const Column<std::int64_t>& numbers,
                                            const std::vector<std::int64_t>& firsts,
                                            std::span<const std::byte> last, std::size_t size,
                                            std::span<std::byte> now) const {
  if (communicator == nullptr) throw Error("there is nothing to carry before the first step");
  const auto rank = static_cast<std::size_t>(communicator->rank());
  const std::size_t before =
      firsts.empty() ? 0 : static_cast<std::size_t>(firsts[rank + 1] - firsts[rank]);
  run_together(*communicator, [&] {
    if (last.size() == before * size && now.size() == numbers.size() * size) return;
    throw Error("rank " + std::to_string(rank) + " carries " + std::to_string(last.size() / size) +
                " rows to " + std::to_string(now.size() / size) + "; it had " +
                std::to_string(before) + " and has " + std::to_string(numbers.size()));
  });
  const auto ranks = static_cast<std::size_t>(communicator->size());
  std::vector<Column<std::int64_t>> asked(ranks);
  std::vector<std::vector<std::size_t>> rows(ranks);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::byte* const to = now.data() + i * size;
    if (numbers[i] < 0) {
      std::memset(to, 0, size);
      continue;
    }
    const auto behind = std::upper_bound(firsts.begin(), firsts.end(), numbers[i]);
    const auto owner = static_cast<std::size_t>(behind - firsts.begin()) - 1;
    const auto place = static_cast<std::size_t>(numbers[i] - firsts[owner]);
    if (owner == rank) {
      std::memcpy(to, last.data() + place * size, size);
    } else {
      asked[owner].push_back({static_cast<std::int64_t>(place)});
      rows[owner].push_back(i);
    }
  }
  std::vector<std::vector<std::byte>> outgoing(ranks);
  for (std::size_t other = 0; other < ranks; ++other) {
    Packer packer;
    packer.add_all(asked[other]);
    outgoing[other] = packer.take();
  }
  std::vector<std::vector<std::byte>> answers(ranks);
  for (const Message& message : exchange_messages(*communicator, outgoing)) {
    std::vector<std::byte>& answer = answers[static_cast<std::size_t>(message.rank)];
    for (std::size_t at = 0; at < message.bytes.size(); at += sizeof(std::int64_t)) {
      std::int64_t place;
      std::memcpy(&place, message.bytes.data() + at, sizeof place);
      const std::byte* const row = last.data() + static_cast<std::size_t>(place) * size;
      answer.insert(answer.end(), row, row + size);
    }
  }
  for (const Message& message : exchange_messages(*communicator, answers)) {
    const std::vector<std::size_t>& to = rows[static_cast<std::size_t>(message.rank)];
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::memcpy(now.data() + to[i] * size, message.bytes.data() + i * size, size);
    }
  }
}

template <int D, class T>
void DistributedTracker<D, T>::State::forget() {
  tracker.forget();
  has_last_ = false;
  world_id_.clear();
  was_inner_.clear();
  number_.clear();
  point_number_.clear();
}

template <int D, class T>
void DistributedTracker<D, T>::State::forget(std::span<const std::uint8_t> worlds) {
  if (!has_last_) return;
  const auto own = static_cast<std::int64_t>(last_step(tracker).shapes.world_count());
  const auto most = static_cast<std::size_t>(communicator->largest(own));
  if (worlds.size() < most) {
    throw Error(Finding{"worlds", -1,
                        "has " + std::to_string(worlds.size()) + " entries; the last step had " +
                            std::to_string(most) + " worlds"});
  }
  tracker.forget(worlds);
}

template <int D, class T>
std::size_t DistributedTracker<D, T>::State::bytes() const {
  return tracker.bytes() + last_contact.bytes() + last_point.bytes() + world_id_.bytes() +
         was_inner_.bytes() + number_.bytes() + point_number_.bytes() +
         records_.capacity() * sizeof(Record);
}

template <int D, class T>
DistributedTracker<D, T>::DistributedTracker() : state_(std::make_unique<State>()) {}
template <int D, class T>
DistributedTracker<D, T>::~DistributedTracker() = default;
template <int D, class T>
DistributedTracker<D, T>::DistributedTracker(DistributedTracker&&) noexcept = default;
template <int D, class T>
DistributedTracker<D, T>& DistributedTracker<D, T>::operator=(DistributedTracker&&) noexcept =
    default;

template <int D, class T>
const Column<std::int64_t>& DistributedTracker<D, T>::last_contact() const {
  return state_->last_contact;
}
template <int D, class T>
const Column<std::int64_t>& DistributedTracker<D, T>::last_point() const {
  return state_->last_point;
}
template <int D, class T>
const EndedContacts& DistributedTracker<D, T>::ended() const {
  return state_->ended;
}
template <int D, class T>
void DistributedTracker<D, T>::carry_contact_bytes(std::span<const std::byte> last,
                                                   std::size_t size,
                                                   std::span<std::byte> now) const {
  state_->carry(state_->last_contact, state_->before.contact, last, size, now);
}
template <int D, class T>
void DistributedTracker<D, T>::carry_point_bytes(std::span<const std::byte> last, std::size_t size,
                                                 std::span<std::byte> now) const {
  state_->carry(state_->last_point, state_->before.point, last, size, now);
}
template <int D, class T>
void DistributedTracker<D, T>::forget() {
  state_->forget();
}
template <int D, class T>
void DistributedTracker<D, T>::forget(std::span<const std::uint8_t> worlds) {
  state_->forget(worlds);
}
template <int D, class T>
std::size_t DistributedTracker<D, T>::bytes() const {
  return state_->bytes();
}

#define WIDEPHASE_INSTANTIATE(D, T) template class DistributedTracker<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
