#include <widephase/contacts.hpp>

#include "soa/hasher.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

template <int D, class T>
void ContactBuffer<D, T>::clear() {
  const auto clear_column = [](auto& column) { column.clear(); };
  for_each_contact_column(clear_column, *this);
  for_each_point_column(clear_column, *this);
  offset.clear();
  offset.push_back({0});
  world_offset.clear();
}

template <int D, class T>
std::size_t ContactBuffer<D, T>::bytes() const {
  std::size_t sum = offset.bytes() + world_offset.bytes();
  const auto add_column = [&](const auto& column) { sum += column.bytes(); };
  for_each_contact_column(add_column, *this);
  for_each_point_column(add_column, *this);
  if (part.empty()) add_column(part);  // it may hold memory all the same
  return sum;
}

template <int D, class T>
std::uint64_t hash(const ContactBuffer<D, T>& contacts) {
  Hasher hasher;
  const auto add_column = [&](const auto& column) { hasher.add_column(column); };
  for_each_contact_column(add_column, contacts);
  add_column(contacts.offset);
  for_each_point_column(add_column, contacts);
  add_column(contacts.world_offset);
  return hasher.value();
}

template <int D, class T>
std::uint64_t content_hash(const ContactBuffer<D, T>& contacts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Hasher hasher;
    const auto add = [&](const auto& column, std::size_t row) {
      for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
        hasher.add_plane(&column(row, w), 1);
      }
    };
    add(contacts.pair, i);
    add(contacts.normal, i);
    add(contacts.depth, i);
    add(contacts.status, i);
    for (auto p = static_cast<std::size_t>(contacts.offset[i]);
         p < static_cast<std::size_t>(contacts.offset[i + 1]); ++p) {
      add(contacts.point, p);
      add(contacts.point_depth, p);
      add(contacts.feature, p);
      for (int side = 0; side < 2; ++side) {
        const std::int32_t part = contacts.part.empty() ? -1 : contacts.part(p, side);
        hasher.add_plane(&part, 1);
      }
    }
    sum += hasher.value();
  }
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T)                        \
  template struct ContactBuffer<D, T>;                     \
  template std::uint64_t hash(const ContactBuffer<D, T>&); \
  template std::uint64_t content_hash(const ContactBuffer<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
