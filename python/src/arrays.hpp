#pragma once

// NumPy arrays as columns: input is read in place; an output array owns its memory.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <widephase/columns.hpp>
#include <widephase/types.hpp>

namespace widephase::python {

namespace py = pybind11;

[[noreturn]] inline void refuse(std::string_view array, std::string message,
                                std::int64_t row = -1) {
  throw Error(Finding{std::string(array), row, std::move(message)});
}

/// Joins several functions into one, chosen by the argument type. (clang++ 19 omits virtual
/// functions of a class that is first named under `if constexpr` in a generic lambda.)
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

enum class Number : std::uint8_t { uint8, int32, uint32, int64, float32, float64 };

template <class T>
constexpr Number number_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Number::uint8;
  if constexpr (std::is_same_v<T, std::int32_t>) return Number::int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Number::uint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Number::int64;
  if constexpr (std::is_same_v<T, float>) return Number::float32;
  if constexpr (std::is_same_v<T, double>) return Number::float64;
}

/// "float32": the type's name in NumPy.
std::string_view name_of(Number type);

/// Quaternions stored as w x y z, read in place.
struct Wxyz {
  py::array rows;
};

/// An array as a caller gave it: of any type of numbers that the column can hold, any strides, any
/// alignment.
struct Given {
  py::object object;       ///< what the attribute returns: the array, or a `wxyz` of it
  py::array array;         ///< its numbers, (n, width) or (n,)
  bool is_listed = false;  ///< made from lists or numbers, so it is nobody else's and has no type
  bool is_single = false;  ///< one row, from a list or a number, that may be repeated
  bool is_wxyz = false;    ///< the scalar part of quaternions comes first
};

/// Takes a caller's array of `width` numbers per row. Lists and scalars become arrays, of the type
/// if it is one of integers. So do objects with `__dlpack__` or `__array__`, without a copy where
/// they allow it. Throws `Error` with `name` for other types and shapes, and for numbers of lists
/// that the type cannot hold.
Given take(py::handle given, std::string_view name, Number type, int width);

/// Memory for numbers of another type than the column's.
using Buffer = std::vector<std::byte>;

/// Rows of numbers in the memory of an array or a buffer.
struct Rows {
  std::array<const std::byte*, 4> planes{};
  py::ssize_t count = 0;
  py::ssize_t stride = 0;
  bool is_single = false;          ///< one row, from a list or scalar, that may be repeated
  py::object given;                ///< keeps the memory alive; lists become arrays
  std::shared_ptr<Buffer> buffer;  ///< likewise, if numbers had to be converted
};

/// The rows of an array as numbers of the type: in place, or converted into `buffer` (made if it is
/// null) if the array has another type or its numbers lie at odd addresses. Throws `Error` with the
/// row for numbers that the type cannot hold; only rounding to float32 may change a number.
Rows read(const Given& given, std::string_view name, Number type, int width,
          std::shared_ptr<Buffer> buffer = nullptr);

/// `take` and `read`, for arrays that a call reads once.
Rows borrow(py::handle given, std::string_view name, Number type, int width);

/// Makes an array of the type from another one, as `take` does for lists.
py::array converted(py::handle given, std::string_view name, Number type);

/// A row, or one number for a whole row of `width`, as `count` equal rows.
py::array repeated(const py::array& row, py::ssize_t count, int width);

/// Whether NumPy's type is the column's; bool is for uint8.
bool is_type(const py::dtype& type, Number wanted);

/// Repeats the single row of `rows` `count` times.
void repeat(Rows& rows, py::ssize_t count, int width);

template <class T, int W>
ColumnSpan<T, W> span_of(const Rows& rows) {
  if (rows.count == 0) return {};
  std::array<const T*, W> planes;
  for (int w = 0; w < W; ++w) {
    planes[static_cast<std::size_t>(w)] =
        reinterpret_cast<const T*>(rows.planes[static_cast<std::size_t>(w)]);
  }
  return ColumnSpan<T, W>::planes(planes, static_cast<std::size_t>(rows.count), rows.stride);
}

/// Rows one behind the other, for calls that take no strides: in place, or copied into an array,
/// which is `given` then.
Rows packed(py::handle given, std::string_view name, Number type, int width);

/// Contiguous numbers of a caller's array, and the object that keeps them alive.
template <class T>
struct HeldValues {
  std::span<const T> values;
  py::object holder;
};

template <class T>
HeldValues<T> borrow_values(py::handle given, std::string_view name) {
  constexpr int kWidth = std::is_same_v<T, Pair> ? 2 : 1;
  using Component = std::conditional_t<kWidth == 2, std::int32_t, T>;
  const Rows rows = packed(given, name, number_of<Component>(), kWidth);
  return {{reinterpret_cast<const T*>(rows.planes[0]), static_cast<std::size_t>(rows.count)},
          rows.given};
}

/// A byte of 0 or 1 for each world: truth values, or integers that are these. Throws `Error` for
/// others, such as the numbers of worlds.
HeldValues<std::uint8_t> borrow_mask(py::handle given, std::string_view name);

/// Whether an array, list or scalar is of this type.
bool are_of(py::handle given, std::string_view name, const char* type);

/// Whether an argument was given and is not None.
inline bool is_given(py::handle object) { return object && !object.is_none(); }

/// An array over memory that `owner` keeps alive as long as any array refers to it.
py::array array_over(Number type, const void* data, py::ssize_t rows, py::ssize_t row_stride,
                     int width, py::ssize_t plane_stride, std::shared_ptr<const void> owner);

template <class T, int W>
py::array exposed(const ColumnSpan<T, W>& column, std::shared_ptr<const void> owner) {
  py::ssize_t plane_stride = 0;
  if constexpr (W > 1) {
    plane_stride = reinterpret_cast<const std::byte*>(column.plane(1)) -
                   reinterpret_cast<const std::byte*>(column.plane(0));
  }
  return array_over(number_of<T>(), column.plane(), static_cast<py::ssize_t>(column.size()),
                    column.stride(), W, plane_stride, std::move(owner));
}

template <class T, int W>
py::array exposed(const Column<T, W>& column, std::shared_ptr<const void> owner) {
  return exposed(column.span(), std::move(owner));
}

inline py::array exposed(const Column<Pair>& pairs, std::shared_ptr<const void> owner) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t));
  return array_over(Number::int32, pairs.plane(), static_cast<py::ssize_t>(pairs.size()),
                    sizeof(Pair), 2, sizeof(std::int32_t), std::move(owner));
}

/// Copies a column that later calls overwrite.
template <class AnyColumn>
py::array copied(const AnyColumn& column) {
  auto owner = std::make_shared<AnyColumn>(column);
  return exposed(*owner, owner);
}

}  // namespace widephase::python
