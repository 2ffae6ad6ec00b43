#pragma once

// Room and sizes of contact arrays, which kernels write directly.

#include <algorithm>

#include <widephase/contacts.hpp>

#include "soa/large_pages.hpp"

namespace widephase {

/// `has_parts`: the points have parts.
template <int D, class T>
void reserve(ContactBuffer<D, T>& contacts, std::size_t contact_count, std::size_t point_count,
             bool has_parts) {
  const auto grow_to = [](std::size_t count) {
    return [count](auto& column) {
      if (count > column.capacity()) reserve_large(column, std::max(count, column.capacity() * 2));
    };
  };
  for_each_contact_column(grow_to(contact_count), contacts);
  grow_to(contact_count + 1)(contacts.offset);
  for_each_point_column(grow_to(point_count), contacts);
  if (has_parts) grow_to(point_count)(contacts.part);
}

template <int D, class T>
void set_sizes(ContactBuffer<D, T>& contacts, std::size_t contact_count, std::size_t point_count,
               bool has_parts) {
  const auto resize_to = [](std::size_t count) {
    return [count](auto& column) { column.resize_uninitialized(count); };
  };
  for_each_contact_column(resize_to(contact_count), contacts);
  resize_to(contact_count + 1)(contacts.offset);
  contacts.offset[contact_count] = static_cast<std::int64_t>(point_count);
  for_each_point_column(resize_to(point_count), contacts);
  if (has_parts) resize_to(point_count)(contacts.part);
}

}  // namespace widephase
