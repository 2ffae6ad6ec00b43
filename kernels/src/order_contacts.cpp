#include <algorithm>

#include "narrow_phase.hpp"
#include "radix_sort.hpp"

namespace widephase {

namespace {

/// Buffers change places with the caller's: either must have the other's room, so that the next
/// call of the same size allocates nothing.
template <class C>
void permute(const C& from, const Column<std::uint32_t>& order, C& to) {
  to.reserve(from.capacity());
  to.resize_uninitialized(from.size());
  for (int w = 0; w < C::width; ++w) {
    for (std::size_t i = 0; i < order.size(); ++i) to(i, w) = from(order[i], w);
  }
}

/// Rows of points move with their contact.
template <class C>
void permute_points(const C& from, const Column<std::int64_t>& offset,
                    const Column<std::uint32_t>& order, C& to) {
  to.reserve(from.capacity());
  to.resize_uninitialized(from.size());
  for (int w = 0; w < C::width; ++w) {
    std::size_t at = 0;
    for (const std::uint32_t contact : order) {
      for (std::int64_t p = offset[contact]; p < offset[contact + 1]; ++p) {
        to(at++, w) = from(static_cast<std::size_t>(p), w);
      }
    }
  }
}

}  // namespace

template <int D, class T>
void ContactSorter<D, T>::sort(Order order_wanted, const SceneRows<D, T>& rows,
                               ContactBuffer<D, T>& contacts) {
  const std::size_t count = contacts.size();
  if (order_wanted == Order::kind) return;
  if (count > 0xffffffffu) {
    throw Error("more than 4294967295 contacts come in order `kind` alone");
  }
  order.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
  // Stable by a 32-bit key on top of the order so far; the least significant key first.
  const auto sort_by = [&](const auto& key_of) {
    records.resize_uninitialized(count);
    swap.resize_uninitialized(count);
    std::uint32_t all_bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t key = key_of(order[i]);
      all_bits |= key;
      records[i] = static_cast<std::uint64_t>(key) << 32 | order[i];
    }
    if (all_bits == 0) return;
    const Crew crew;
    const std::uint64_t* const sorted_records = radix_sort(
        crew, records.plane(), swap.plane(), count, 32, 32 - __builtin_clz(all_bits), counters);
    for (std::size_t i = 0; i < count; ++i)
      order[i] = static_cast<std::uint32_t>(sorted_records[i]);
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
      sort_by([&](std::uint32_t i) {
        return static_cast<std::uint32_t>(rows.world_of(contacts.pair[i]) + 1);
      });
      break;
  }
  for_each_contact_column([&](const auto& from, auto& to) { permute(from, order, to); }, contacts,
                          sorted);
  for_each_point_column(
      [&](const auto& from, auto& to) { permute_points(from, contacts.offset, order, to); },
      contacts, sorted);
  sorted.offset.reserve(contacts.offset.capacity());
  sorted.offset.resize_uninitialized(count + 1);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sorted.offset[i] = at;
    at += contacts.offset[order[i] + 1] - contacts.offset[order[i]];
  }
  sorted.offset[count] = at;
  contacts.world_offset.swap(sorted.world_offset);  // stays with the caller
  std::swap(contacts, sorted);

  contacts.world_offset.clear();
  if (order_wanted != Order::world) return;
  std::int32_t largest = rows.layout.shape_count() == 0 ? -1 : 0;
  for (const std::int32_t world : rows.world) largest = std::max(largest, world);
  contacts.world_offset.resize(static_cast<std::size_t>(largest + 2));
  // Counts of the contacts below each world, then their running sum.
  for (std::size_t i = 0; i < count; ++i) {
    ++contacts.world_offset[static_cast<std::size_t>(rows.world_of(contacts.pair[i]) + 1)];
  }
  std::int64_t sum = 0;
  for (std::size_t w = 0; w < contacts.world_offset.size(); ++w) {
    sum += contacts.world_offset[w];
    contacts.world_offset[w] = sum;
  }
}

template struct ContactSorter<2, float>;
template struct ContactSorter<2, double>;
template struct ContactSorter<2, Mixed>;
template struct ContactSorter<3, float>;
template struct ContactSorter<3, double>;
template struct ContactSorter<3, Mixed>;

}  // namespace widephase
