#include "tools/formats/scene_names.hpp"
#include "soa/kind_traits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <widephase/scene.hpp>

#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

template <int D>
std::vector<ColumnName> list_columns() {
  std::vector<ColumnName> names;
  SceneColumns<D, double> scene;
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    for_each_field(table, [&](const auto& field, const auto& column) {
      using Column = std::remove_cvref_t<decltype(column)>;
      using Value = typename Column::value_type;
      names.push_back({fmt::format("{}.{}", kind_name(kind, D), field.name),
                       std::string(field.name), kind, Column::width, std::is_same_v<Value, double>,
                       field.is_position, type_of<Value>(), field.is_optional});
    });
    // Only files have names of shapes.
    names.push_back({fmt::format("{}.name", kind_name(kind, D)), "name", kind, 1, false, false,
                     Type::text, true});
  });
  return names;
}

std::vector<OtherName> list_others(int dimension) {
  constexpr int kAny = -1;
  constexpr int kDimension = -2;
  const std::string geometries = dimension == 2 ? "polygons" : "hulls";
  std::vector<OtherName> names{{"excluded", false, Type::int32, {kAny, 2}},
                               {"excluded_owners", false, Type::int32, {kAny, 2}},
                               {"excluded_bodies", false, Type::int32, {kAny, 2}},
                               {"pairs", false, Type::int32, {kAny, 2}},
                               {"domain.min", true, Type::float64, {kDimension}},
                               {"domain.max", true, Type::float64, {kDimension}},
                               {"domain.periodic", false, Type::uint8, {kDimension}},
                               {geometries + ".vertices", true, Type::float64, {kAny, kDimension}},
                               {geometries + ".offsets", false, Type::int64, {kAny}}};
  names.push_back({"world.frame", false, Type::int64, {kAny}});
  names.push_back({"bodies.name", false, Type::text, {kAny}});
  names.push_back({"bodies.position", true, Type::float64, {kAny, kDimension}});
  if (dimension == 2) names.push_back({"bodies.angle", true, Type::float64, {kAny}});
  if (dimension == 3) names.push_back({"bodies.orientation", true, Type::float64, {kAny, 4}});
  if (dimension == 2) names.push_back({"polygons.inner", false, Type::uint8, {kAny}});
  if (dimension == 2) {
    names.push_back({"chains.vertices", true, Type::float64, {kAny, 2}});
    names.push_back({"chains.offsets", false, Type::int64, {kAny}});
    names.push_back({"chains.loop", false, Type::uint8, {kAny}});
    names.push_back({"chains.two_sided", false, Type::uint8, {kAny}});
    names.push_back({"chains.before", false, Type::int32, {kAny}});
    names.push_back({"chains.after", false, Type::int32, {kAny}});
  }
  if (dimension == 3) {
    names.push_back({"heightfields.heights", true, Type::float64, {kAny}});
    names.push_back({"heightfields.offsets", false, Type::int64, {kAny}});
    names.push_back({"heightfields.columns", false, Type::int32, {kAny}});
    names.push_back({"heightfields.cell", true, Type::float64, {kAny, 2}});
    names.push_back({"heightfields.neighbours", false, Type::int32, {kAny, 4}});
    names.push_back({"meshes.vertices", true, Type::float64, {kAny, 3}});
    names.push_back({"meshes.vertex_offsets", false, Type::int64, {kAny}});
    names.push_back({"meshes.indices", false, Type::int32, {kAny, 3}});
    names.push_back({"meshes.triangle_offsets", false, Type::int64, {kAny}});
    names.push_back({"meshes.two_sided", false, Type::uint8, {kAny}});
    names.push_back({"meshes.beyond", false, Type::int32, {kAny}});
  }
  for (OtherName& name : names) {
    for (int& length : name.shape) {
      if (length == kDimension) length = dimension;
    }
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> kinds_of_dimension(int dimension) {
  std::vector<std::string> kinds;
  for (const ColumnName& column : column_names(dimension)) {
    const std::string kind(kind_name(column.kind, dimension));
    if (kinds.empty() || kinds.back() != kind) kinds.push_back(kind);
  }
  return kinds;
}

/// The only dimension that has a kind of this name; 0 if both or neither have it.
int dimension_of_kind(std::string_view kind) {
  const auto is_of = [&](int dimension) {
    for (int k = 0; k < kKindCount; ++k) {
      const auto is_it = static_cast<Kind>(k);
      if (is_in(is_it, dimension) && kind_name(is_it, dimension) == kind) return true;
    }
    return false;
  };
  if (is_of(2) == is_of(3)) return 0;
  return is_of(2) ? 2 : 3;
}

bool is_kind(std::string_view word) {
  const auto has = [&](int dimension) {
    const auto kinds = kinds_of_dimension(dimension);
    return std::find(kinds.begin(), kinds.end(), word) != kinds.end();
  };
  return has(2) || has(3);
}

}  // namespace

const std::vector<ColumnName>& column_names(int dimension) {
  static const std::vector<ColumnName> names2 = list_columns<2>();
  static const std::vector<ColumnName> names3 = list_columns<3>();
  return dimension == 2 ? names2 : names3;
}

const std::vector<OtherName>& other_names(int dimension) {
  static const std::vector<OtherName> names2 = list_others(2);
  static const std::vector<OtherName> names3 = list_others(3);
  return dimension == 2 ? names2 : names3;
}

const ColumnName* find_column(std::string_view name, int dimension) {
  for (const ColumnName& column : column_names(dimension)) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

const OtherName* find_other(std::string_view name, int dimension) {
  for (const OtherName& other : other_names(dimension)) {
    if (other.name == name) return &other;
  }
  return nullptr;
}

bool is_scene_name(std::string_view name) {
  if (name == "dimension") return true;
  const auto is_known = [&](int dimension) {
    return find_column(name, dimension) != nullptr || find_other(name, dimension) != nullptr;
  };
  return is_known(2) || is_known(3);
}

bool is_column_name(std::string_view name) { return is_kind(name.substr(0, name.find('.'))); }

std::string required_fields_text(Kind kind, int dimension) {
  std::vector<std::string> fields;
  for (const ColumnName& column : column_names(dimension)) {
    if (column.kind == kind && !column.is_optional) fields.push_back(column.field);
  }
  return joined(fields);
}

namespace {

/// "circle.radius or sphere.radius" for "radius": the first columns of a field in 2D and in 3D.
std::string names_of_field(std::string_view field) {
  std::string names;
  for (const int dimension : {2, 3}) {
    const auto& columns = column_names(dimension);
    const auto found = std::ranges::find(columns, field, &ColumnName::field);
    if (found == columns.end() || names == found->name) continue;
    names += (names.empty() ? "" : " or ") + found->name;
  }
  return names;
}

}  // namespace

std::string unknown_name_text(std::string_view name, int dimension) {
  const std::string_view kind = name.substr(0, name.find('.'));
  const std::string start = fmt::format("is not an array of a {}D scene", dimension);
  const std::string kinds = joined(kinds_of_dimension(dimension));
  if (dimension_of_kind(kind) != 0 && dimension_of_kind(kind) != dimension) {
    return fmt::format("{}, whose kinds are {}", start, kinds);
  }
  std::vector<std::string> known;
  for (const ColumnName& column : column_names(dimension)) known.push_back(column.name);
  for (const OtherName& other : other_names(dimension)) known.push_back(other.name);
  known.push_back("dimension");
  const std::string nearest = nearest_word(name, known);
  if (!nearest.empty()) return fmt::format("{}; did you mean {}?", start, nearest);
  if (const std::string names = names_of_field(name); !names.empty()) {
    return fmt::format("is not an array of a scene; a kind stands before it, as in {}", names);
  }
  if (is_kind(kind)) {
    std::vector<std::string> fields;
    for (const ColumnName& column : column_names(dimension)) {
      if (kind_name(column.kind, dimension) == kind) fields.push_back(column.field);
    }
    return fmt::format("{}; the columns of {} are {}", start, kind, joined(fields));
  }
  std::vector<std::string> others;
  for (const OtherName& other : other_names(dimension)) others.push_back(other.name);
  return fmt::format("{}; it has columns KIND.FIELD (kinds {}), dimension, {}", start, kinds,
                     joined(others));
}

int implied_dimension(std::string_view name, const std::vector<std::size_t>& shape) {
  const std::size_t dot = name.find('.');
  const std::string_view kind = name.substr(0, dot);
  const std::string_view field = dot == name.npos ? std::string_view{} : name.substr(dot + 1);
  if (kind == "polygons") return 2;
  if (kind == "hulls" || kind == "heightfields" || kind == "meshes") return 3;
  if (kind == "domain")
    return shape.size() == 1 && (shape[0] == 2 || shape[0] == 3) ? static_cast<int>(shape[0]) : 0;
  if (!is_kind(kind) && kind != "bodies") return 0;
  if (dimension_of_kind(kind) != 0) return dimension_of_kind(kind);
  if (field == "angle") return 2;
  if (field == "orientation") return 3;
  const bool is_vector = shape.size() == 2 && (shape[1] == 2 || shape[1] == 3);
  return is_vector ? static_cast<int>(shape[1]) : 0;
}

}  // namespace widephase::tools
