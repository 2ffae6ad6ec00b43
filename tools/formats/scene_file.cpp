#include "tools/formats/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

#include "soa/kind_traits.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/scene_names.hpp"
#include "tools/formats/wide_texts.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

SceneFile::SceneFile(std::string path, std::vector<NamedArray> arrays, bool has_repeats)
    : path_(std::move(path)), arrays_(std::move(arrays)) {
  find_dimension();
  check_names();
  if (has_repeats) repeat_single_numbers();
  find_precision();
  check_columns();
  check_others();
  check_names_of_shapes();
  check_frames();
}

void SceneFile::add(NamedArray entry) {
  arrays_.push_back(std::move(entry));
  check_names();
  check_columns();
  check_others();
  check_names_of_shapes();
  check_frames();
}

const Array* SceneFile::find(std::string_view name) const {
  for (const NamedArray& entry : arrays_) {
    if (entry.name == name) return &entry.array;
  }
  return nullptr;
}

void SceneFile::find_dimension() {
  const auto given = std::find_if(arrays_.begin(), arrays_.end(), [](const NamedArray& entry) {
    return entry.name == "dimension";
  });
  if (given != arrays_.end()) {
    if (given->array.count() != 1) {
      throw FileError(path_, fmt::format("dimension has the shape {}; expected one number, 2 or 3",
                                         shape_text(given->array.shape())));
    }
    const Array value = cast(std::move(given->array), Type::int64, path_, "dimension");
    const std::int64_t number = value.values<std::int64_t>()[0];
    if (number != 2 && number != 3) {
      throw FileError(path_, fmt::format("dimension is {}; expected 2 or 3", number));
    }
    dimension_ = static_cast<int>(number);
    arrays_.erase(given);
    return;
  }
  std::string_view first;
  for (const NamedArray& entry : arrays_) {
    const int implied = implied_dimension(entry.name, entry.array.shape());
    if (implied == 0) continue;
    if (dimension_ != 0 && implied != dimension_) {
      throw FileError(path_, fmt::format("{} says that the scene has {} dimensions and {} that it "
                                         "has {}; a scene has one of both",
                                         first, dimension_, entry.name, implied));
    }
    if (dimension_ == 0) first = entry.name;
    dimension_ = implied;
  }
  if (dimension_ != 0) return;
  // A misspelt name is more likely than a forgotten dimension, so report it first.
  for (const NamedArray& entry : arrays_) {
    if (!is_column_name(entry.name) && find_other(entry.name, 2) == nullptr &&
        find_other(entry.name, 3) == nullptr) {
      throw FileError(path_, fmt::format("{} {}", entry.name, unknown_name_text(entry.name, 2)));
    }
  }
  throw FileError(path_, "dimension is missing and no column tells it; expected 2 or 3");
}

void SceneFile::check_names() const {
  for (const NamedArray& entry : arrays_) {
    if (find_column(entry.name, dimension_) == nullptr &&
        find_other(entry.name, dimension_) == nullptr) {
      throw FileError(path_,
                      fmt::format("{} {}", entry.name, unknown_name_text(entry.name, dimension_)));
    }
  }
}

std::size_t SceneFile::count(Kind kind) const {
  for (const NamedArray& entry : arrays_) {
    const ColumnName* column = find_column(entry.name, dimension_);
    if (column != nullptr && column->kind == kind && !column->is_optional) {
      return entry.array.rows();
    }
  }
  return 0;
}

std::size_t SceneFile::shape_count() const {
  std::size_t total = 0;
  for (int kind = 0; kind < kKindCount; ++kind) total += count(static_cast<Kind>(kind));
  return total;
}

void SceneFile::repeat_single_numbers() {
  for (NamedArray& entry : arrays_) {
    const ColumnName* column = find_column(entry.name, dimension_);
    if (column == nullptr || column->width != 1 || !entry.array.shape().empty()) continue;
    const auto is_full = [&](const NamedArray& other) {
      const ColumnName* name = find_column(other.name, dimension_);
      return name != nullptr && name->kind == column->kind && !other.array.shape().empty();
    };
    const auto full = std::find_if(arrays_.begin(), arrays_.end(), is_full);
    if (full == arrays_.end()) {
      throw FileError(path_, fmt::format("{} is one number for all, and no other column of the "
                                         "kind says for how many shapes",
                                         entry.name));
    }
    entry.array = entry.array.repeated(full->array.rows());
  }
}

void SceneFile::check_column(NamedArray& entry, const ColumnName& column) {
  const std::vector<std::size_t>& shape = entry.array.shape();
  const auto width = static_cast<std::size_t>(column.width);
  const bool is_empty = shape.size() == 1 && shape[0] == 0;
  const bool fits = width == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == width;
  if (!fits && !is_empty) {
    throw FileError(path_,
                    fmt::format("{} has the shape {}; expected {}", entry.name, shape_text(shape),
                                width == 1 ? "(n,)" : fmt::format("(n, {})", width)));
  }
  if (is_empty && width > 1) entry.array.reshape({0, width});
  if (!column.is_real) {
    entry.array = cast(std::move(entry.array), column.type, path_, entry.name);
  } else if (!is_floating(entry.array.type())) {
    entry.array = cast(std::move(entry.array), real_type(column), path_, entry.name);
  }
}

Type SceneFile::real_type(const ColumnName& column) const {
  const bool is_narrow =
      precision_ == Precision::single || (precision_ == Precision::mixed && !column.is_position);
  return is_narrow ? Type::float32 : Type::float64;
}

namespace {

std::string counted_rows(const NamedArray& entry) {
  const std::size_t rows = entry.array.rows();
  return fmt::format("{} {}", rows, rows == 1 ? "row" : "rows");
}

}  // namespace

void SceneFile::check_columns() {
  // The first column of each kind in the file; other columns must have the same length.
  const NamedArray* first[kKindCount] = {};
  for (NamedArray& entry : arrays_) {
    const ColumnName* column = find_column(entry.name, dimension_);
    if (column == nullptr) continue;
    check_column(entry, *column);
    const NamedArray*& counted = first[static_cast<int>(column->kind)];
    if (counted == nullptr) counted = &entry;
    if (counted->array.rows() != entry.array.rows()) {
      throw FileError(
          path_, fmt::format("{} has {} and {} has {}; the columns of a kind are equally long{}",
                             entry.name, counted_rows(entry), counted->name, counted->array.rows(),
                             entry.array.rows() == 1 && column->width == 1
                                 ? ", or one number without brackets for all"
                                 : ""));
    }
  }
  for (const ColumnName& column : column_names(dimension_)) {
    const bool is_used = first[static_cast<int>(column.kind)] != nullptr;
    if (is_used && !column.is_optional && find(column.name) == nullptr) {
      throw FileError(path_, fmt::format("{} is missing; {} needs {}", column.name,
                                         with_article(kind_name(column.kind, dimension_)),
                                         required_fields_text(column.kind, dimension_)));
    }
  }
}

void SceneFile::check_others() {
  for (NamedArray& entry : arrays_) {
    const OtherName* other = find_other(entry.name, dimension_);
    if (other == nullptr) continue;
    const std::vector<std::size_t>& shape = entry.array.shape();
    bool fits = shape.size() == other->shape.size();
    for (std::size_t axis = 0; fits && axis < shape.size(); ++axis) {
      const int expected = other->shape[axis];
      fits = expected < 0 || shape[axis] == static_cast<std::size_t>(expected);
    }
    const bool is_empty = shape.size() == 1 && shape[0] == 0 && other->shape.size() == 2;
    if (!fits && !is_empty) {
      std::string expected = "(n,)";
      if (other->shape.size() == 2) expected = fmt::format("(n, {})", other->shape[1]);
      if (other->shape[0] >= 0) expected = fmt::format("({},)", other->shape[0]);
      throw FileError(path_, fmt::format("{} has the shape {}; expected {}", entry.name,
                                         shape_text(shape), expected));
    }
    if (is_empty) entry.array.reshape({0, static_cast<std::size_t>(other->shape[1])});
    if (!other->is_real || !is_floating(entry.array.type())) {
      entry.array = cast(std::move(entry.array), other->type, path_, entry.name);
    }
  }
  const auto expect_both = [&](const std::string& one, const std::string& other) {
    if (find(one) != nullptr && find(other) == nullptr) {
      throw FileError(path_, fmt::format("{} is missing; {} needs it", other, one));
    }
  };
  expect_both("domain.min", "domain.max");
  expect_both("domain.max", "domain.min");
  expect_both("domain.periodic", "domain.min");
  const std::string geometries = dimension_ == 2 ? "polygons" : "hulls";
  expect_both(geometries + ".vertices", geometries + ".offsets");
  expect_both(geometries + ".offsets", geometries + ".vertices");
  expect_both(geometries + ".inner", geometries + ".vertices");
  for (const char* field : {"offsets", "columns", "cell"}) {
    expect_both("heightfields.heights", fmt::format("heightfields.{}", field));
  }
  for (const char* field : {"offsets", "columns", "cell", "neighbours"}) {
    expect_both(fmt::format("heightfields.{}", field), "heightfields.heights");
  }
  for (const char* field : {"vertex_offsets", "indices", "triangle_offsets"}) {
    expect_both("meshes.vertices", fmt::format("meshes.{}", field));
  }
  for (const char* field :
       {"vertex_offsets", "indices", "triangle_offsets", "two_sided", "beyond"}) {
    expect_both(fmt::format("meshes.{}", field), "meshes.vertices");
  }
  expect_both("chains.vertices", "chains.offsets");
  for (const char* field : {"offsets", "loop", "two_sided", "before", "after"}) {
    expect_both(fmt::format("chains.{}", field), "chains.vertices");
  }
  expect_both(dimension_ == 2 ? "bodies.angle" : "bodies.orientation", "bodies.position");
  expect_both("bodies.name", "bodies.position");
}

void SceneFile::check_names_of_shapes() const {
  for (const NamedArray& entry : arrays_) {
    if (entry.array.type() != Type::text || entry.array.count() == 0) continue;
    const std::vector<std::string>& distinct = entry.array.distinct_texts();
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      if (distinct[i].size() <= kMostNameCharacters) continue;
      const std::size_t length = character_count(distinct[i]);
      if (length <= kMostNameCharacters) continue;
      const auto indices = entry.array.values<std::int32_t>();
      const auto row = std::ranges::find(indices, static_cast<std::int32_t>(i));
      throw FileError(path_,
                      fmt::format("{}[{}] has {} characters; expected at most {}", entry.name,
                                  row - indices.begin(), length, kMostNameCharacters));
    }
  }
  const Array* names = find("bodies.name");
  const Array* position = find("bodies.position");
  if (names != nullptr && position != nullptr && names->rows() != position->rows()) {
    throw FileError(path_, fmt::format("bodies.name has {} rows and bodies.position has {}",
                                       names->rows(), position->rows()));
  }
}

void SceneFile::check_frames() const {
  const Array* frames = find("world.frame");
  if (frames == nullptr) return;
  const std::int32_t worlds = world_count();
  if (frames->rows() >= static_cast<std::size_t>(worlds)) return;
  throw FileError(path_, fmt::format("world.frame has {} numbers; the scene has {} worlds, each "
                                     "with a frame",
                                     frames->rows(), worlds));
}

std::int32_t SceneFile::world_count() const {
  std::int32_t worlds = shape_count() > 0 ? 1 : 0;
  for (const NamedArray& entry : arrays_) {
    if (!entry.name.ends_with(".world")) continue;
    for (const std::int32_t world : entry.array.values<std::int32_t>()) {
      worlds = std::max(worlds, world == INT32_MAX ? world : world + 1);
    }
  }
  return worlds;
}

std::span<const std::int64_t> SceneFile::frames() const {
  const Array* frames = find("world.frame");
  if (frames == nullptr) return {};
  return frames->values<std::int64_t>();
}

namespace {

/// Whether all numbers are integers that float can represent.
bool fits_float(const Array& array) {
  constexpr double kLargest = 16777216;  // 2^24
  return visit_values(array, [&](auto numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto number) {
      return std::abs(static_cast<double>(number)) <= kLargest;
    });
  });
}

}  // namespace

void SceneFile::find_precision() {
  struct Widths {
    bool has_float = false;
    bool has_wider = false;
  };
  Widths sizes, positions;
  for (const NamedArray& entry : arrays_) {
    const ColumnName* column = find_column(entry.name, dimension_);
    const bool is_pose = entry.name.starts_with("bodies.");
    if (!is_pose && (column == nullptr || !column->is_real)) continue;
    const bool is_position = is_pose ? entry.name == "bodies.position" : column->is_position;
    Widths& widths = is_position ? positions : sizes;
    widths.has_float |= entry.array.type() == Type::float32;
    widths.has_wider |= entry.array.type() == Type::float64 ||
                        (!is_floating(entry.array.type()) && !fits_float(entry.array));
  }
  const bool has_wider = sizes.has_wider || positions.has_wider;
  if ((sizes.has_float || positions.has_float) && !has_wider) {
    precision_ = Precision::single;
    return;
  }
  // Vertices and heights in float64 would lose digits in a mixed scene.
  const auto is_wide = [&](std::string_view name) {
    const Array* array = find(name);
    return array != nullptr && array->type() == Type::float64;
  };
  const bool has_wide_geometries =
      is_wide(dimension_ == 2 ? "polygons.vertices" : "hulls.vertices") ||
      is_wide("heightfields.heights") || is_wide("meshes.vertices");
  const bool is_mixed = sizes.has_float && !sizes.has_wider && !has_wide_geometries;
  precision_ = is_mixed ? Precision::mixed : Precision::twofold;
}

void SceneFile::set_periodic(std::string_view axes) {
  if (find("domain.min") == nullptr) {
    if (axes == "none") return;
    throw UsageError(fmt::format("{} has no box, so nothing can be periodic; leave {} out", path_,
                                 option("periodic")));
  }
  std::vector<std::uint8_t> periodic(static_cast<std::size_t>(dimension_), 0);
  for (const char axis : axes == "none" ? std::string_view{} : axes) {
    if (axis - 'x' >= dimension_) {
      throw UsageError(fmt::format("{} is a 2D scene and has no z axis; expected {}, x, y or xy",
                                   path_, option("periodic", "none")));
    }
    periodic[static_cast<std::size_t>(axis - 'x')] = 1;
  }
  std::erase_if(arrays_, [](const NamedArray& entry) { return entry.name == "domain.periodic"; });
  arrays_.push_back({"domain.periodic", Array::of(periodic)});
}

void SceneFile::set_world(std::int32_t world) {
  for (const NamedArray& entry : arrays_) {
    if (!entry.name.ends_with(".world")) continue;
    throw UsageError(fmt::format("{} names worlds of its own ({}); leave {} out", path_, entry.name,
                                 option("world")));
  }
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const std::size_t rows = is_in(kind, dimension_) ? count(kind) : 0;
    if (rows == 0) continue;
    arrays_.push_back({fmt::format("{}.world", kind_name(kind, dimension_)),
                       Array::of(std::vector<std::int32_t>(rows, world))});
  }
}

std::optional<std::vector<Pair>> SceneFile::pairs() const {
  const Array* array = find("pairs");
  if (array == nullptr) return std::nullopt;
  const auto ids = array->values<std::int32_t>();
  std::vector<Pair> pairs(array->rows());
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {ids[2 * i], ids[2 * i + 1]};
  return pairs;
}

namespace {

template <class T, int W>
void fill(Column<T, W>& column, const Array* array, const std::string& path,
          std::string_view name) {
  if (array == nullptr) return;
  if (array->type() != type_of<T>()) {
    Array same(array->type(), array->shape());
    std::memcpy(same.bytes().data(), array->bytes().data(), array->bytes().size());
    const Array converted = cast(std::move(same), type_of<T>(), path, name);
    return fill(column, &converted, path, name);
  }
  column.resize_uninitialized(array->rows());
  const auto numbers = array->values<T>();
  for (int w = 0; w < W; ++w) {
    T* plane = column.plane(w);
    for (std::size_t i = 0; i < column.size(); ++i) {
      plane[i] = numbers[i * W + static_cast<std::size_t>(w)];
    }
  }
}

std::string field_name(Kind kind, int dimension, const Field& field) {
  return fmt::format("{}.{}", kind_name(kind, dimension), field.name);
}

// One function per type of column: a walk visits hundreds of columns, and what its lambda does is
// compiled for each.
template <class T, int W>
void fill_field(Column<T, W>& column, const SceneFile& file, Kind kind, const Field& field) {
  const std::string name = field_name(kind, file.dimension(), field);
  fill(column, file.find(name), file.path(), name);
}
template <class T, int W>
void add_field(const ColumnSpan<T, W>& column, Kind kind, int dimension, const Field& field,
               std::vector<NamedArray>& arrays) {
  if (!column.empty()) arrays.push_back({field_name(kind, dimension, field), array_of(column)});
}

template <int D, class T>
void fill_domain(Domain<D, T>& domain, const SceneFile& file) {
  Column<T> min;
  Column<T> max;
  Column<std::uint8_t> periodic;
  fill(min, file.find("domain.min"), file.path(), "domain.min");
  fill(max, file.find("domain.max"), file.path(), "domain.max");
  fill(periodic, file.find("domain.periodic"), file.path(), "domain.periodic");
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
    if (!min.empty()) domain.min[axis] = min[axis];
    if (!max.empty()) domain.max[axis] = max[axis];
    if (!periodic.empty()) domain.periodic[axis] = periodic[axis] != 0;
  }
}

/// Replaces point sets by their hulls; flags must be 0 or 1.
template <int D, class T>
void build_geometries(GeometryTable<Owned<D, T>>& geometries, const std::string& path,
                      std::vector<Finding>* refused) {
  for (std::size_t row = 0; row < geometries.inner.size(); ++row) {
    geometries.inner[row] = geometries.inner[row] != 0 ? 1 : 0;
  }
  try {
    if (refused == nullptr) {
      make_convex(geometries);
    } else {
      make_convex(geometries, *refused);
    }
  } catch (const Error& error) {
    throw FileError(path, said(error));
  }
}

template <int D, class T>
void fill_geometries(GeometryTable<Owned<D, T>>& table, const SceneFile& file,
                     std::vector<Finding>* refused) {
  const std::string word = D == 2 ? "polygons" : "hulls";
  const Array* vertices = file.find(word + ".vertices");
  const Array* inner = file.find(word + ".inner");
  if constexpr (D == 2 && std::is_same_v<T, float>) {
    // Parts of an outline are convex as the file has them; rounding to float can break that.
    if (inner != nullptr && vertices != nullptr && vertices->type() == Type::float64) {
      GeometryTable<Owned<2, double>> exact;
      fill_geometries(exact, file, refused);
      try {
        table = rounded_polygons({exact.vertices, exact.offsets, exact.inner});
      } catch (const Error& error) {
        throw FileError(file.path(), said(error));
      }
      return;
    }
  }
  fill(table.vertices, vertices, file.path(), word + ".vertices");
  fill(table.offsets, file.find(word + ".offsets"), file.path(), word + ".offsets");
  fill(table.inner, inner, file.path(), word + ".inner");
  build_geometries(table, file.path(), refused);
}

}  // namespace

template <int D, class T>
void SceneFile::to_columns(SceneColumns<D, T>& scene, std::vector<Finding>* refused) const {
  if (D != dimension_) throw std::logic_error("the scene is of the other dimension");
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    for_each_field(
        table, [&](const Field& field, auto& column) { fill_field(column, *this, kind, field); });
  });
  fill(scene.excluded, find("excluded"), path_, "excluded");
  fill(scene.excluded_owners, find("excluded_owners"), path_, "excluded_owners");
  fill(scene.excluded_bodies, find("excluded_bodies"), path_, "excluded_bodies");
  fill_domain(scene.domain, *this);
  const std::string turn = D == 2 ? "bodies.angle" : "bodies.orientation";
  fill(scene.bodies.position, find("bodies.position"), path_, "bodies.position");
  fill(scene.bodies.turn, find(turn), path_, turn);
  fill_geometries(scene.geometries, *this, refused);
  if constexpr (D == 2) {
    ChainTable<Owned<D, SizeOf<T>>>::for_each_column(
        [&](std::string_view field, auto& column) {
          const std::string name = fmt::format("chains.{}", field);
          fill(column, find(name), path_, name);
        },
        scene.chain_geometries);
  } else {
    HeightfieldTable<Owned<D, SizeOf<T>>>::for_each_column(
        [&](std::string_view field, auto& column) {
          const std::string name = fmt::format("heightfields.{}", field);
          fill(column, find(name), path_, name);
        },
        scene.heightfield_geometries);
    MeshTable<Owned<D, SizeOf<T>>>::for_each_column(
        [&](std::string_view field, auto& column) {
          const std::string name = fmt::format("meshes.{}", field);
          fill(column, find(name), path_, name);
        },
        scene.mesh_geometries);
  }
}

template <int D, class T>
std::vector<NamedArray> arrays_of(const SceneSpan<D, T>& scene) {
  std::vector<NamedArray> arrays;
  arrays.push_back({"dimension", Array::of(std::vector<std::int32_t>{D}, {})});
  const auto add = [&](std::string name, const auto& column) {
    if (!column.empty()) arrays.push_back({std::move(name), array_of(column)});
  };
  for_each_table(scene, [&](const auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    for_each_field(table, [&](const Field& field, const auto& column) {
      add_field(column, kind, D, field, arrays);
    });
  });
  add("excluded", scene.excluded);
  add("excluded_owners", scene.excluded_owners);
  add("excluded_bodies", scene.excluded_bodies);
  if (scene.domain.is_periodic()) {
    const auto add_axes = [&]<class U>(const char* name, const U& values) {
      using Value = std::conditional_t<std::is_same_v<typename U::value_type, bool>, std::uint8_t,
                                       typename U::value_type>;
      arrays.push_back({name, Array::of(std::vector<Value>(values.begin(), values.end()))});
    };
    add_axes("domain.min", scene.domain.min);
    add_axes("domain.max", scene.domain.max);
    add_axes("domain.periodic", scene.domain.periodic);
  }
  add("bodies.position", scene.bodies.position);
  add(D == 2 ? "bodies.angle" : "bodies.orientation", scene.bodies.turn);
  // A table without vertices may have offsets, which need both.
  const std::string geometries = D == 2 ? "polygons" : "hulls";
  if (!scene.geometries.offsets.empty() && scene.geometries.vertices.empty()) {
    arrays.push_back({geometries + ".vertices", array_of(scene.geometries.vertices)});
  }
  if constexpr (D == 2) {
    if (!scene.chain_geometries.offsets.empty() && scene.chain_geometries.vertices.empty()) {
      arrays.push_back({"chains.vertices", array_of(scene.chain_geometries.vertices)});
    }
  }
  scene.for_each_geometry_column(
      [&](std::string_view library, std::string_view field, const auto& column) {
        add(fmt::format("{}.{}", library, field), column);
      },
      scene);
  return arrays;
}

template std::vector<NamedArray> arrays_of(const SceneSpan<2, float>&);
template std::vector<NamedArray> arrays_of(const SceneSpan<3, float>&);
template std::vector<NamedArray> arrays_of(const SceneSpan<2, double>&);
template std::vector<NamedArray> arrays_of(const SceneSpan<3, double>&);
template std::vector<NamedArray> arrays_of(const SceneSpan<2, Mixed>&);
template std::vector<NamedArray> arrays_of(const SceneSpan<3, Mixed>&);

template void SceneFile::to_columns(SceneColumns<2, float>&, std::vector<Finding>*) const;
template void SceneFile::to_columns(SceneColumns<3, float>&, std::vector<Finding>*) const;
template void SceneFile::to_columns(SceneColumns<2, double>&, std::vector<Finding>*) const;
template void SceneFile::to_columns(SceneColumns<3, double>&, std::vector<Finding>*) const;
template void SceneFile::to_columns(SceneColumns<2, Mixed>&, std::vector<Finding>*) const;
template void SceneFile::to_columns(SceneColumns<3, Mixed>&, std::vector<Finding>*) const;

}  // namespace widephase::tools
