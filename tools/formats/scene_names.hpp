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
  int width;     ///< numbers per row
  bool is_real;  ///< float32 or float64; else `type`
  bool is_position;
  Type type;  ///< of columns that are not real
  bool is_optional;
};

/// The longest name of a shape or body, in characters: a file stores all names as wide as the
/// longest.
inline constexpr std::size_t kMostNameCharacters = 255;

/// All columns, by kind and then in the order of the kind's fields.
const std::vector<ColumnName>& column_names(int dimension);

/// Null if the dimension has no such column.
const ColumnName* find_column(std::string_view name, int dimension);

/// Arrays of a scene that are not columns of shapes: "excluded", "domain.min", "hulls.offsets", ...
struct OtherName {
  std::string name;
  bool is_real;
  Type type;
  /// The shape: -1 for any length, -2 for the dimension.
  std::vector<int> shape;
};
const std::vector<OtherName>& other_names(int dimension);
const OtherName* find_other(std::string_view name, int dimension);

/// Says that a scene has no such name, and suggests a similar one: "is not an array of a 2D scene;
/// did you mean circle.center?"
std::string unknown_name_text(std::string_view name, int dimension);

/// The dimension that follows from an array's name and shape; 0 if they do not tell.
int implied_dimension(std::string_view name, const std::vector<std::size_t>& shape);

/// Whether a 2D or a 3D scene may have an array of this name.
bool is_scene_name(std::string_view name);

/// Whether the first axis of the array counts shapes: a name like "sphere.radius", known or not.
bool is_column_name(std::string_view name);

/// "center and radius", "a, b and radius": the fields that every shape of the kind needs.
std::string required_fields_text(Kind kind, int dimension);

}  // namespace widephase::tools
