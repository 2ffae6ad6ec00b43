#include <algorithm>

#include "pipeline/narrow/contacts_in_order.hpp"
#include "pipeline/narrow/narrow_phase.hpp"
#include "soa/instantiate.hpp"
#include "soa/radix_sort.hpp"

namespace widephase {

template <int D, class T>
void ContactSorter<D, T>::sort(Order order_wanted, const SceneRows<D, T>& rows,
                               const Pair* row_pairs, ContactBuffer<D, T>& contacts) {
  const std::size_t count = contacts.size();
  if (order_wanted == Order::kind) return;
  if (count > 0xffffffffu) {
    throw Error("more than 4294967295 contacts come in order `kind` alone");
  }
  // As much room as the contacts have: steps whose contacts come and go allocate nothing.
  const std::size_t room = contacts.pair.capacity();
  order.reserve(room);
  records.reserve(room);
  swap.reserve(room);
  counters.reserve(std::size_t{kMostPasses} << widest_digit(room));
  order.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto place_of_world = [&](std::size_t i) {
    const Pair pair = row_pairs == nullptr
                          ? contacts.pair[i]
                          : row_pairs[static_cast<std::size_t>(contacts.source[i])];
    return rows.world_of(pair) + 1;
  };
  // Sorts stably by a 32-bit key on top of the order so far; the least significant key comes first.
  const auto sort_by = [&](const auto& key_of) {
    sort_places(Crew(), key_of, records, swap, counters, order);
  };
  switch (order_wanted) {
    case Order::kind:
      break;
    case Order::source:
      sort_by([&](std::uint32_t i) { return static_cast<std::uint32_t>(contacts.source[i]); });
      sort_by(
          [&](std::uint32_t i) { return static_cast<std::uint32_t>(contacts.source[i] >> 32); });
      break;
    case Order::id:
      sort_by([&](std::uint32_t i) { return static_cast<std::uint32_t>(contacts.pair[i].b); });
      sort_by([&](std::uint32_t i) { return static_cast<std::uint32_t>(contacts.pair[i].a); });
      break;
    case Order::world:
      sort_by([&](std::uint32_t i) { return static_cast<std::uint32_t>(place_of_world(i)); });
      break;
  }
  // Buffers are swapped with the caller's: each must have the other's room, so that the next call
  // of the same size allocates nothing.
  const auto reserve = [](const auto& from, auto& to) { to.reserve(from.capacity()); };
  sorted.clear();
  for_each_contact_column(reserve, contacts, sorted);
  for_each_point_column(reserve, contacts, sorted);
  if (contacts.part.empty()) reserve(contacts.part, sorted.part);  // it had rows in a call before
  sorted.offset.reserve(contacts.offset.capacity());
  append_in_order(contacts, {order.plane(), order.size()}, sorted);
  contacts.world_offset.swap(sorted.world_offset);  // stays with the caller
  std::swap(contacts, sorted);

  contacts.world_offset.clear();
  if (order_wanted != Order::world) return;
  std::int32_t largest = rows.layout.shape_count() == 0 ? -1 : 0;
  for (const std::int32_t world : rows.world) largest = std::max(largest, world);
  contacts.world_offset.resize(static_cast<std::size_t>(largest) + 2);
  // Counts of the contacts below each world, then their running sum.
  for (std::size_t i = 0; i < count; ++i) {
    ++contacts.world_offset[static_cast<std::size_t>(place_of_world(i))];
  }
  std::int64_t sum = 0;
  for (std::size_t w = 0; w < contacts.world_offset.size(); ++w) {
    sum += contacts.world_offset[w];
    contacts.world_offset[w] = sum;
  }
}

#define WIDEPHASE_INSTANTIATE(D, T) template struct ContactSorter<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
