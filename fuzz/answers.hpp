#pragma once

// What holds of every answer.

#include <string_view>

#include <widephase/widephase.hpp>

#include "drawn.hpp"

namespace widephase::fuzz {

template <int D, class T>
void check_contacts(const ContactBuffer<D, T>& contacts) {
  require(is_finite(contacts.normal) && is_finite(contacts.depth), "contacts are numbers");
  // Points may lie beyond the largest number, as shapes may reach there.
  require(!has_nan(contacts.point) && !has_nan(contacts.point_depth), "points are no NaN");
  require(contacts.size() == 0 || contacts.offset.size() == contacts.size() + 1,
          "contacts have places of points");
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::int64_t points = contacts.offset[i + 1] - contacts.offset[i];
    require(points >= 1 && points <= (D == 2 ? 2 : 4), "a contact has some points");
    require(contacts.status[i] <= 2, "a status is one of three");
  }
}

template <int D, class T>
void check_distances(const DistanceBuffer<D, T>& distances) {
  require(is_finite(distances.distance) && is_finite(distances.normal), "distances are numbers");
  require(!has_nan(distances.point_a) && !has_nan(distances.point_b), "points are no NaN");
}

/// No length is too large for its products (docs/conventions.md).
template <int D, class T>
bool is_within_range(const SceneColumns<D, T>& scene) {
  bool is_within = true;
  const auto check = [&](const auto& column) {
    using Value = typename std::remove_cvref_t<decltype(column)>::value_type;
    if constexpr (std::is_floating_point_v<Value>) {
      constexpr int kWidth = std::remove_cvref_t<decltype(column)>::width;
      for (std::size_t i = 0; i < column.size(); ++i) {
        for (int w = 0; w < kWidth; ++w) {
          is_within &=
              std::abs(column(i, w)) <= (sizeof(SizeOf<T>) == 4 ? Value(1e9) : Value(1e75));
        }
      }
    }
  };
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto&, const auto& column) { check(column); });
  });
  check(scene.geometries.vertices);
  return is_within;
}

/// The error of distances beyond the largest number, which contacts have none of.
inline bool is_overflow(const Error& error) {
  return std::string_view(error.what()).find("overflows") != std::string_view::npos;
}

}  // namespace widephase::fuzz
