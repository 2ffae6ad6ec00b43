#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <widephase/scene.hpp>

#include "tools/formats/array.hpp"

namespace widephase::tools {

struct ColumnName;

/// A column as an array of rows.
template <class T, int W>
Array array_of(const ColumnSpan<T, W>& column) {
  constexpr std::size_t kWidth = W;
  std::vector<std::size_t> shape{column.size()};
  if (W > 1) shape.push_back(kWidth);
  Array array(type_of<T>(), std::move(shape));
  const std::span<T> values = array.values<T>();
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (std::size_t w = 0; w < kWidth; ++w) {
      values[i * kWidth + w] = column(i, static_cast<int>(w));
    }
  }
  return array;
}

/// The arrays of a file that holds the scene, without empty columns.
template <int D, class T>
std::vector<NamedArray> arrays_of(const SceneSpan<D, T>& scene);

/// `mixed`: positions in float64 beside sizes in float32 (`Mixed`).
enum class Precision { single, twofold, mixed };

/// A scene as a file holds it. Names, shapes and types are checked, but not yet the numbers.
///
/// Real arrays are float32 or float64; other arrays have the type of their column in the library.
class SceneFile {
 public:
  /// Checks the arrays that a reader found; they may have any integer type and any order. `path` is
  /// for messages. `has_repeats`: one number may stand for a whole column (JSON).
  SceneFile(std::string path, std::vector<NamedArray> arrays, bool has_repeats = false);

  /// The scene as a file named `path` would hold it.
  template <int D, class T>
  static SceneFile of(std::string path, const SceneColumns<D, T>& scene) {
    return SceneFile(std::move(path), arrays_of<D, T>(scene));
  }

  const std::string& path() const { return path_; }
  int dimension() const { return dimension_; }
  /// The precision of the widest floating column, or double if there is none. Mixed if only
  /// positions are that wide and some size is float32. Integers count as the narrowest type that
  /// holds them exactly.
  Precision precision() const { return precision_; }
  const std::vector<NamedArray>& arrays() const { return arrays_; }
  /// Null if the file has no array of this name.
  const Array* find(std::string_view name) const;
  /// The number of shapes of a kind; 0 if the file has none.
  std::size_t count(Kind kind) const;
  std::size_t shape_count() const;

  /// Makes the domain periodic along `axes` ("none", "x", "xy", "xyz", ...).
  void set_periodic(std::string_view axes);

  /// Puts all shapes in one world, or in all (-1). The file must not name worlds of its own.
  void set_world(std::int32_t world);

  /// Fills the library's tables, which must be empty. Point sets of polygons and hulls become their
  /// convex hulls, built in the scene's precision. Throws a `FileError` for doubles beyond float
  /// and for point sets without a hull. If `refused` is given, it gets the point sets without a
  /// hull instead, and their geometries stay empty.
  template <int D, class T>
  void to_columns(SceneColumns<D, T>& scene, std::vector<Finding>* refused = nullptr) const;
  /// The caller's own pairs, if the file has them.
  std::optional<std::vector<Pair>> pairs() const;
  /// The largest world + 1; 0 if there are no shapes.
  std::int32_t world_count() const;
  /// The frame of each world, as many as worlds or more; empty if the file does not say.
  std::span<const std::int64_t> frames() const;
  /// Adds an array that the scene does not have, with the checks of a file's.
  void add(NamedArray entry);

 private:
  void find_dimension();
  void check_names() const;
  void repeat_single_numbers();
  void find_precision();
  void check_columns();
  void check_column(NamedArray& entry, const ColumnName& column);
  /// The type for a real column that the file stores as integers.
  Type real_type(const ColumnName& column) const;
  void check_others();
  void check_names_of_shapes() const;
  void check_frames() const;

  std::string path_;
  int dimension_ = 0;
  Precision precision_ = Precision::twofold;
  std::vector<NamedArray> arrays_;
};

/// Calls `call.operator()<D, T>()` for a dimension and precision.
template <class Call>
auto in_numbers(int dimension, Precision precision, Call call) {
  const auto in = [&]<class T>() {
    return dimension == 2 ? call.template operator()<2, T>() : call.template operator()<3, T>();
  };
  if (precision == Precision::mixed) return in.template operator()<Mixed>();
  return precision == Precision::single ? in.template operator()<float>()
                                        : in.template operator()<double>();
}

extern template void SceneFile::to_columns(SceneColumns<2, float>&, std::vector<Finding>*) const;
extern template void SceneFile::to_columns(SceneColumns<3, float>&, std::vector<Finding>*) const;
extern template void SceneFile::to_columns(SceneColumns<2, double>&, std::vector<Finding>*) const;
extern template void SceneFile::to_columns(SceneColumns<3, double>&, std::vector<Finding>*) const;
extern template void SceneFile::to_columns(SceneColumns<2, Mixed>&, std::vector<Finding>*) const;
extern template void SceneFile::to_columns(SceneColumns<3, Mixed>&, std::vector<Finding>*) const;
extern template std::vector<NamedArray> arrays_of(const SceneSpan<2, float>&);
extern template std::vector<NamedArray> arrays_of(const SceneSpan<3, float>&);
extern template std::vector<NamedArray> arrays_of(const SceneSpan<2, double>&);
extern template std::vector<NamedArray> arrays_of(const SceneSpan<3, double>&);
extern template std::vector<NamedArray> arrays_of(const SceneSpan<2, Mixed>&);
extern template std::vector<NamedArray> arrays_of(const SceneSpan<3, Mixed>&);

}  // namespace widephase::tools
