#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <widephase/types.hpp>

#include "tools/formats/array.hpp"

namespace widephase::tools {

/// A column that a scene of one dimension may have, as the library's tables describe it.
struct ColumnName {
  std::string name;   ///< "sphere.center"
  std::string field;  ///< "center"
  Kind kind;
  int width;     ///< numbers a row
  bool is_real;  ///< float32 or float64; else `type`
  bool is_position;
  Type type;  ///< of a column that is not real
  bool is_optional;
};

/// All columns in the order of the kinds, and within a kind of its fields.
const std::vector<ColumnName>& column_names(int dimension);

/// Null when the dimension has no such column.
const ColumnName* find_column(std::string_view name, int dimension);

/// Arrays of a scene that are no columns: "excluded", "domain.min", "hulls.offsets", ...
struct OtherName {
  std::string name;
  bool is_real;
  Type type;
  /// The shape: -1 any length, -2 the dimension.
  std::vector<int> shape;
};
const std::vector<OtherName>& other_names(int dimension);
const OtherName* find_other(std::string_view name, int dimension);

/// Why a name is none of a scene's, and what is near it: "is not an array of a 2D scene; did you
/// mean circle.center?"
std::string unknown_name_text(std::string_view name, int dimension);

/// The dimension that the name and shape of an array imply; 0 when they do not.
int implied_dimension(std::string_view name, const std::vector<std::size_t>& shape);

/// Whether a scene of two or of three dimensions may have an array of this name.
bool is_scene_name(std::string_view name);

/// Whether the first axis of the array counts shapes: "sphere.radius", known or not.
bool is_column_name(std::string_view name);

/// "center and radius", "a, b and radius": what every shape of the kind needs.
std::string required_fields_text(Kind kind, int dimension);

}  // namespace widephase::tools
