#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/formats/array.hpp"

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

/// Those of a file that `widephase collide -o` wrote. A `FileError` where it is none, or not of a
/// scene of so many shapes.
ViewContacts read_view_contacts(const std::string& path, int dimension, std::size_t shape_count);

/// Those of a file's arrays; errors name the file.
ViewContacts view_contacts_of(const std::string& path, const std::vector<NamedArray>& arrays,
                              int dimension, std::size_t shape_count);

}  // namespace widephase::tools
