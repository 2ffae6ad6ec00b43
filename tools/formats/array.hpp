#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace widephase::tools {

/// The type of an array in a file. Truth values are read as uint8.
enum class Type : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  text,  ///< names: the numbers are indices (int32) of the distinct texts, since names repeat
};

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return Type::int8;
  if constexpr (std::is_same_v<T, std::int16_t>) return Type::int16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Type::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Type::int64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Type::uint8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Type::uint16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Type::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Type::uint64;
  if constexpr (std::is_same_v<T, float>) return Type::float32;
  if constexpr (std::is_same_v<T, double>) return Type::float64;
}

std::size_t size_of(Type type);
constexpr bool is_floating(Type type) { return type == Type::float32 || type == Type::float64; }

/// An array as a file holds it: any type, in C order. Can be moved, not copied.
class Array {
 public:
  Array() = default;
  /// Uninitialized. The caller has checked that the size in bytes does not overflow.
  Array(Type type, std::vector<std::size_t> shape);

  template <class T>
  static Array of(const std::vector<T>& values, std::vector<std::size_t> shape) {
    Array array(type_of<T>(), std::move(shape));
    for (std::size_t i = 0; i < values.size(); ++i) array.values<T>()[i] = values[i];
    return array;
  }
  template <class T>
  static Array of(const std::vector<T>& values) {
    return of(values, {values.size()});
  }

  Type type() const { return type_; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  /// The length of the first axis; 1 for a single number.
  std::size_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  /// The count of all numbers.
  std::size_t count() const { return count_; }
  std::span<std::byte> bytes() { return {bytes_.get(), count_ * size_of(type_)}; }
  std::span<const std::byte> bytes() const { return {bytes_.get(), count_ * size_of(type_)}; }

  template <class T>
  std::span<T> values() {
    return {reinterpret_cast<T*>(bytes_.get()), count_};
  }
  template <class T>
  std::span<const T> values() const {
    return {reinterpret_cast<const T*>(bytes_.get()), count_};
  }

  void reshape(std::vector<std::size_t> shape) { shape_ = std::move(shape); }

  /// An array of type text: one text (UTF-8) per element.
  static Array of_texts(const std::vector<std::string>& texts, std::vector<std::size_t> shape);
  /// The same from indices into distinct texts.
  static Array of_texts(const std::vector<std::int32_t>& indices,
                        std::shared_ptr<const std::vector<std::string>> distinct,
                        std::vector<std::size_t> shape);
  /// The text of an element of an array of type text.
  const std::string& text(std::size_t i) const {
    return (*distinct_)[static_cast<std::size_t>(values<std::int32_t>()[i])];
  }
  /// The distinct texts of an array of type text, in no order.
  const std::vector<std::string>& distinct_texts() const { return *distinct_; }
  /// An array of `rows` times this single element.
  Array repeated(std::size_t rows) const;
  Array copied() const;

 private:
  Type type_ = Type::float64;
  std::vector<std::size_t> shape_{0};
  std::size_t count_ = 0;
  std::unique_ptr<std::byte[]> bytes_;
  std::shared_ptr<const std::vector<std::string>> distinct_;  ///< of type text
};

struct NamedArray {
  std::string name;
  Array array;
};

/// Calls `visit(std::span<const T>)` with the array's numbers in their own type; with the indices
/// of texts.
template <class Visit>
decltype(auto) visit_values(const Array& array, Visit&& visit) {
  switch (array.type()) {
    case Type::int8:
      return visit(array.values<std::int8_t>());
    case Type::int16:
      return visit(array.values<std::int16_t>());
    case Type::int32:
    case Type::text:
      return visit(array.values<std::int32_t>());
    case Type::int64:
      return visit(array.values<std::int64_t>());
    case Type::uint8:
      return visit(array.values<std::uint8_t>());
    case Type::uint16:
      return visit(array.values<std::uint16_t>());
    case Type::uint32:
      return visit(array.values<std::uint32_t>());
    case Type::uint64:
      return visit(array.values<std::uint64_t>());
    case Type::float32:
      return visit(array.values<float>());
    case Type::float64:
      break;
  }
  return visit(array.values<double>());
}

/// "(3, 2)", "(3,)", "()": a shape in NumPy's notation.
std::string shape_text(const std::vector<std::size_t>& shape);

/// Converts the array to another type. Throws a `FileError` with `path`, `name` and the row for
/// integers that do not fit, for fractions in a column of integers, for doubles beyond the range of
/// float, and for texts where numbers are expected and the reverse.
Array cast(Array array, Type type, const std::string& path, std::string_view name);

}  // namespace widephase::tools
