#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/formats/array.hpp"

namespace widephase::tools {

/// Contacts as the page shows them: rows of three numbers, with z = 0 in 2D.
struct ViewContacts {
  std::vector<std::int32_t> pair;    ///< two ids per contact
  std::vector<double> normal;        ///< three numbers per contact
  std::vector<double> depth;         ///< one number per contact
  std::vector<std::int32_t> offset;  ///< where each contact's points begin, and the end
  std::vector<double> point;         ///< three numbers per point
  std::vector<double> point_depth;
  std::vector<std::uint32_t> feature;
  std::vector<std::int32_t> part;  ///< two numbers per point; empty: none
};

/// Reads a file that `widephase collide -o` wrote. Throws a `FileError` if it is another file, or
/// if its scene has another number of shapes.
ViewContacts read_view_contacts(const std::string& path, int dimension, std::size_t shape_count);

/// The contacts in the arrays of a file; error messages name the file.
ViewContacts view_contacts_of(const std::string& path, const std::vector<NamedArray>& arrays,
                              int dimension, std::size_t shape_count);

}  // namespace widephase::tools
