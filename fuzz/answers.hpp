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

/// The error of distances beyond the largest number, which contacts have none of.
inline bool is_overflow(const Error& error) {
  return std::string_view(error.what()).find("overflows") != std::string_view::npos;
}

}  // namespace widephase::fuzz
