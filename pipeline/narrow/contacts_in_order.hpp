#pragma once

#include <span>

#include <widephase/contacts.hpp>

namespace widephase {

/// Appends the contacts of `from` named by `order`, in its order, to `to`, which has room.
template <int D, class T>
void append_in_order(const ContactBuffer<D, T>& from, std::span<const std::uint32_t> order,
                     ContactBuffer<D, T>& to) {
  const std::size_t first = to.size();
  for_each_contact_column(
      [&](const auto& column, auto& copy) {
        copy.resize_uninitialized(first + order.size());
        for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
          for (std::size_t i = 0; i < order.size(); ++i) copy(first + i, w) = column(order[i], w);
        }
      },
      from, to);
  std::int64_t at = static_cast<std::int64_t>(to.point_count());
  const std::size_t first_point = to.point_count();
  to.offset.resize_uninitialized(first + order.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    to.offset[first + i] = at;
    at += from.offset[order[i] + 1] - from.offset[order[i]];
  }
  to.offset[first + order.size()] = at;
  // Rows of points move with their contact.
  for_each_point_column(
      [&](const auto& column, auto& copy) {
        copy.resize_uninitialized(static_cast<std::size_t>(at));
        for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
          std::size_t next = first_point;
          for (const std::uint32_t contact : order) {
            for (std::int64_t p = from.offset[contact]; p < from.offset[contact + 1]; ++p) {
              copy(next++, w) = column(static_cast<std::size_t>(p), w);
            }
          }
        }
      },
      from, to);
}

}  // namespace widephase
