#pragma once

#include <optional>
#include <string>
#include <vector>

#include <widephase/contacts.hpp>

#include "tools/page/view_contacts.hpp"
#include "tools/page/view_rays.hpp"
#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

template <int D, class T>
ViewContacts view_contacts_of(const ContactBuffer<D, T>& contacts);

/// Names of shapes and bodies. Many may have the same, so each text is there once.
struct ViewNames {
  std::vector<std::string> texts;
  std::vector<std::int32_t> of_shape;  ///< by id: the place in `texts`, or -1; empty: no names
  std::vector<std::int32_t> of_body;   ///< likewise
};

struct ViewScene {
  int dimension = 2;
  std::int32_t worlds = 1;
  std::optional<std::int32_t> world;  ///< show only this one; otherwise all, one at a time
  bool has_steps = false;             ///< worlds are steps in time
  std::vector<std::int64_t> frames;   ///< what the file calls each world; empty: by its number
  SceneLayout layout;
  std::vector<DrawnShape> shapes;
  std::vector<std::int32_t> body;   ///< of each shape, or -1; empty: no shape has one
  std::vector<std::int32_t> owner;  ///< likewise
  std::vector<std::int64_t> key;    ///< of each shape; empty: the scene has none
  ViewNames names;
  Point domain_min{};  ///< used for periodic axes
  Point domain_max{};
  std::array<bool, 3> periodic{};
  std::optional<ViewRays> rays;  ///< a page of rays has no contacts
  std::string title;
};

/// Fills in `body`, `owner` and `key` from the columns that the scene has.
template <int D, class T>
void add_filters(const SceneColumns<D, T>& scene, ViewScene& view);

/// A page that shows the scene and needs no other files.
std::string view_page(const ViewScene& scene, const ViewContacts& contacts);

}  // namespace widephase::tools
