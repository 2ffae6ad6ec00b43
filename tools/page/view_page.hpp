#pragma once

#include <optional>
#include <string>
#include <vector>

#include <widephase/contacts.hpp>

#include "tools/page/view_contacts.hpp"
#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

template <int D, class T>
ViewContacts view_contacts_of(const ContactBuffer<D, T>& contacts);

struct ViewScene {
  int dimension = 2;
  std::int32_t worlds = 1;
  std::optional<std::int32_t> world;  ///< show only this one; otherwise all, one at a time
  bool has_steps = false;             ///< worlds are steps in time
  SceneLayout layout;
  std::vector<DrawnShape> shapes;
  Point domain_min{};  ///< used for periodic axes
  Point domain_max{};
  std::array<bool, 3> periodic{};
  std::string title;
};

/// A page that shows the scene and needs no other files.
std::string view_page(const ViewScene& scene, const ViewContacts& contacts);

}  // namespace widephase::tools
