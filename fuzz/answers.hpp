#pragma once

// Properties that every answer must have.

#include <string_view>

#include <widephase/widephase.hpp>

#include "drawn.hpp"

namespace widephase::fuzz {

template <int D, class T>
void check_contacts(const ContactBuffer<D, T>& contacts) {
  require(is_finite(contacts.normal) && is_finite(contacts.depth), "contacts are numbers");
  // Points may be infinite, because shapes may reach beyond the largest number.
  require(!has_nan(contacts.point) && !has_nan(contacts.point_depth), "points are no NaN");
  require(contacts.size() == 0 || contacts.offset.size() == contacts.size() + 1,
          "contacts have places of points");
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::int64_t points = contacts.offset[i + 1] - contacts.offset[i];
    require(points >= 1 && points <= (D == 2 ? 2 : 4), "a contact has some points");
    require(contacts.status[i] <= 3, "a status is one of four");
    require(contacts.status[i] != 3 || contacts.depth[i] == 0, "what crosses has no depth");
  }
}

template <int D, class T>
void check_distances(const DistanceBuffer<D, T>& distances) {
  require(is_finite(distances.distance) && is_finite(distances.normal), "distances are numbers");
  require(!has_nan(distances.point_a) && !has_nan(distances.point_b), "points are no NaN");
}

/// Whether all numbers are small and large enough for products of them (docs/conventions.md).
template <int D, class T>
bool is_within_range(const SceneColumns<D, T>& scene) {
  constexpr bool kIsFloat = sizeof(SizeOf<T>) == 4;
  constexpr double kMost = kIsFloat ? 1e9 : 1e75, kLeast = kIsFloat ? 1e-6 : 1e-60;
  bool is_within = true;
  const auto check = [&](const auto& column, bool may_have_holes = false) {
    using C = std::remove_cvref_t<decltype(column)>;
    if constexpr (std::is_floating_point_v<typename C::value_type>) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        for (int w = 0; w < C::width; ++w) {
          const double size = std::abs(static_cast<double>(column(i, w)));
          if (may_have_holes && std::isnan(size)) continue;
          is_within &= size <= kMost && (size == 0 || size >= kLeast);
        }
      }
    }
  };
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto&, const auto& column) { check(column); });
  });
  scene.for_each_geometry_column(
      [&](auto, std::string_view name, const auto& column) { check(column, name == "heights"); },
      scene);
  return is_within;
}

/// Whether a distance is beyond the largest number. Contacts have no such error.
inline bool is_overflow(const Error& error) {
  return std::string_view(error.what()).find("overflows") != std::string_view::npos;
}

}  // namespace widephase::fuzz
