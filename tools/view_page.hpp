#pragma once

#include <optional>
#include <string>
#include <vector>

#include <widephase/contacts.hpp>

#include "picture_parts.hpp"

namespace widephase::tools {

/// Contacts as the page shows them; rows of three numbers, z 0 in 2D.
struct ViewContacts {
  std::vector<std::int32_t> pair;    ///< two ids a contact
  std::vector<double> normal;        ///< three a contact
  std::vector<double> depth;         ///< one a contact
  std::vector<std::int32_t> offset;  ///< where its points begin, and the end
  std::vector<double> point;         ///< three a point
  std::vector<double> point_depth;
  std::vector<std::uint32_t> feature;
};

template <int D, class T>
ViewContacts view_contacts_of(const ContactBuffer<D, T>& contacts);

/// Those of a file that `widephase collide -o` wrote. A `FileError` where it is none, or not of a
/// scene of so many shapes.
ViewContacts read_view_contacts(const std::string& path, int dimension, std::size_t shape_count);

struct ViewScene {
  int dimension = 2;
  std::int32_t worlds = 1;
  std::optional<std::int32_t> world;  ///< only this one; else all, one at a time
  bool has_steps = false;             ///< worlds are steps in time
  SceneLayout layout;
  std::vector<DrawnShape> shapes;
  Point domain_min{};  ///< used along periodic axes
  Point domain_max{};
  std::array<bool, 3> periodic{};
  std::string title;
};

/// A page that shows it and needs nothing beside itself.
std::string view_page(const ViewScene& scene, const ViewContacts& contacts);

}  // namespace widephase::tools
