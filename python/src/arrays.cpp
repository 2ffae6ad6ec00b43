#include "arrays.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace widephase::python {

namespace {

struct NumberType {
  const char* name;
  char kind;
  py::ssize_t size;
};

constexpr NumberType kNumbers[] = {{"uint8", 'u', 1}, {"int32", 'i', 4},   {"uint32", 'u', 4},
                                   {"int64", 'i', 8}, {"float32", 'f', 4}, {"float64", 'f', 8}};

const NumberType& type_of(Number type) { return kNumbers[static_cast<int>(type)]; }

bool is_real(Number type) { return type_of(type).kind == 'f'; }

py::module_ numpy() { return py::module_::import("numpy"); }

std::string text_of(py::handle object) { return py::cast<std::string>(py::str(object)); }

/// "(n, 3)", or "(n,)" for width 1.
std::string shape_wanted(int width) {
  return width == 1 ? "(n,)" : "(n, " + std::to_string(width) + ")";
}

/// The first row of an array in which `is_wrong` is true; -1 if there is none.
py::ssize_t first_row(const py::object& is_wrong) {
  const py::array places = py::cast<py::array>(numpy().attr("argwhere")(is_wrong));
  if (places.shape(0) == 0) return -1;
  if (places.shape(1) == 0) return 0;
  return py::cast<py::ssize_t>(places.attr("item")(0, 0));
}

/// Marks the numbers of an array that are finite but too large for a floating type.
py::object beyond(const py::array& array, const std::string& type) {
  const py::object size = numpy().attr("abs")(array.attr("astype")("float64"));
  const py::object largest = numpy().attr("finfo")(type).attr("max");
  return size.attr("__gt__")(largest) & numpy().attr("isfinite")(array);
}

/// Whether a list of this shape is a single row.
bool is_row(const py::array& array, int width) {
  if (array.ndim() == 0) return true;
  if (width == 1) return array.ndim() == 1 && array.shape(0) == 1;
  return (array.ndim() == 1 && array.shape(0) == width) ||
         (array.ndim() == 2 && array.shape(0) == 1 && array.shape(1) == width);
}

/// The table of numbers has the shape that a column of `width` needs.
bool has_shape(const py::array& array, int width) {
  if (width == 1) return array.ndim() == 1;
  return array.ndim() == 2 && array.shape(1) == width;
}

/// Numbers that compilers have and this CPU stores so.
bool is_native(const py::dtype& type) {
  const bool is_known = type.kind() != 'f' || type.itemsize() == 4 || type.itemsize() == 8;
  return is_known && py::cast<bool>(type.attr("isnative"));
}

/// The type to convert others to first: halves, quadruples and bytes in the other order.
std::string native_name(const py::dtype& type) {
  if (type.kind() == 'f') return type.itemsize() <= 4 ? "f4" : "f8";
  return std::string(1, type.kind()) + std::to_string(type.itemsize());
}

/// All types that arrays of numbers may have.
enum class AnyNumber : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

AnyNumber type_number(const py::dtype& type) {
  if (type.kind() == 'f') return type.itemsize() == 4 ? AnyNumber::f32 : AnyNumber::f64;
  const int wide = type.itemsize() == 1   ? 0
                   : type.itemsize() == 2 ? 1
                   : type.itemsize() == 4 ? 2
                                          : 3;
  return static_cast<AnyNumber>(2 * wide + (type.kind() == 'i' ? 0 : 1));
}

/// Whether `To` holds the number, apart from rounding.
template <class To, class From>
bool holds(From number) {
  if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>) {
    return !std::isfinite(number) || std::isfinite(static_cast<float>(number));
  } else if constexpr (std::is_floating_point_v<To>) {
    return true;
  } else {
    return std::in_range<To>(number);
  }
}

/// Writes rows one behind the other. Returns the first row with a number that `To` cannot hold, or
/// -1. Numbers may lie at any address.
template <class From, class To>
py::ssize_t convert_numbers(const Rows& rows, int width, std::byte* out) {
  for (py::ssize_t row = 0; row < rows.count; ++row) {
    for (int w = 0; w < width; ++w) {
      From number;
      std::memcpy(&number, rows.planes[static_cast<std::size_t>(w)] + row * rows.stride,
                  sizeof(From));
      if (!holds<To>(number)) return row;
      const To converted = static_cast<To>(number);
      std::memcpy(out, &converted, sizeof(To));
      out += sizeof(To);
    }
  }
  return -1;
}

template <class From>
py::ssize_t convert_from(const Rows& rows, int width, Number to, std::byte* out) {
  if (to == Number::float32) return convert_numbers<From, float>(rows, width, out);
  if (to == Number::float64) return convert_numbers<From, double>(rows, width, out);
  // `take` refuses real numbers where integers are wanted.
  if constexpr (std::is_integral_v<From>) {
    if (to == Number::uint8) return convert_numbers<From, std::uint8_t>(rows, width, out);
    if (to == Number::int32) return convert_numbers<From, std::int32_t>(rows, width, out);
    if (to == Number::uint32) return convert_numbers<From, std::uint32_t>(rows, width, out);
    if (to == Number::int64) return convert_numbers<From, std::int64_t>(rows, width, out);
  }
  return 0;
}

py::ssize_t convert(const Rows& rows, int width, AnyNumber from, Number to, std::byte* out) {
  switch (from) {
    case AnyNumber::i8:
      return convert_from<std::int8_t>(rows, width, to, out);
    case AnyNumber::u8:
      return convert_from<std::uint8_t>(rows, width, to, out);
    case AnyNumber::i16:
      return convert_from<std::int16_t>(rows, width, to, out);
    case AnyNumber::u16:
      return convert_from<std::uint16_t>(rows, width, to, out);
    case AnyNumber::i32:
      return convert_from<std::int32_t>(rows, width, to, out);
    case AnyNumber::u32:
      return convert_from<std::uint32_t>(rows, width, to, out);
    case AnyNumber::i64:
      return convert_from<std::int64_t>(rows, width, to, out);
    case AnyNumber::u64:
      return convert_from<std::uint64_t>(rows, width, to, out);
    case AnyNumber::f32:
      return convert_from<float>(rows, width, to, out);
    case AnyNumber::f64:
      return convert_from<double>(rows, width, to, out);
  }
  return -1;
}

[[noreturn]] void refuse_number(const py::array& array, py::ssize_t row, std::string_view name,
                                Number type) {
  const py::object number = array.attr("__getitem__")(row);
  refuse(name, "is " + text_of(number) + ", which " + type_of(type).name + " does not hold",
         array.ndim() == 0 ? -1 : row);
}

/// Tensors and tables of other libraries: what shares memory by DLPack or makes an array of itself.
bool is_foreign(py::handle object) {
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) return false;
  if (py::isinstance(object, numpy().attr("generic"))) return false;
  return py::hasattr(object, "__dlpack__") || py::hasattr(object, "__array__");
}

py::array array_of_foreign(py::handle object, std::string_view name) {
  std::string why;
  for (const char* const way : {"from_dlpack", "asarray"}) {
    const bool has_way = py::hasattr(object, way[0] == 'f' ? "__dlpack__" : "__array__");
    if (!has_way) continue;
    try {
      return py::cast<py::array>(numpy().attr(way)(object));
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_Exception)) throw;
      why = text_of(error.value());
    }
  }
  refuse(name, "does not share its memory: " + why + "; a tensor must be on the CPU (.cpu())");
}

/// Two columns of ids, as `numpy.triu_indices` gives them, in place of rows.
bool is_two_columns(py::handle object) {
  if (!py::isinstance<py::tuple>(object) || py::len(object) != 2) return false;
  const auto pair = py::reinterpret_borrow<py::tuple>(object);
  const auto is_column = [](py::handle part) {
    return py::isinstance<py::array>(part) && py::reinterpret_borrow<py::array>(part).ndim() == 1;
  };
  return is_column(pair[0]) && is_column(pair[1]);
}

py::array joined_columns(py::handle columns, std::string_view name) {
  const auto pair = py::reinterpret_borrow<py::tuple>(columns);
  if (py::len(pair[0]) != py::len(pair[1])) {
    refuse(name, "has columns of " + std::to_string(py::len(pair[0])) + " and " +
                     std::to_string(py::len(pair[1])) + " rows");
  }
  return py::cast<py::array>(numpy().attr("stack")(columns, py::arg("axis") = 1));
}

/// NumPy's array of whatever it takes.
py::array array_of(py::handle given, std::string_view name) {
  try {
    return py::cast<py::array>(numpy().attr("asarray")(given));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_OverflowError)) throw;
    refuse(name, "is not an array of numbers: " + text_of(error.value()));
  }
}

/// An array of lists and scalars: of the type, if it is one of integers, else of float64.
py::array listed(py::handle given, std::string_view name, Number type) {
  return converted(given, name, is_real(type) ? Number::float64 : type);
}

}  // namespace

std::string_view name_of(Number type) { return type_of(type).name; }

bool is_type(const py::dtype& type, Number wanted) {
  const NumberType& number = type_of(wanted);
  const bool is_truth = wanted == Number::uint8 && type.kind() == 'b';
  return (type.kind() == number.kind || is_truth) && type.itemsize() == number.size &&
         py::cast<bool>(type.attr("isnative"));
}

py::array converted(py::handle given, std::string_view name, Number type) {
  const std::string wanted = type_of(type).name;
  const py::array array = array_of(given, name);
  const char kind = array.dtype().kind();
  const bool is_whole = kind == 'b' || kind == 'i' || kind == 'u';
  if (array.size() > 0 && !is_whole && !(kind == 'f' && is_real(type))) {
    refuse(name, "is given as " + text_of(array.dtype()) + "; it must be " + wanted);
  }
  const py::object cast = is_real(type) ? py::none() : array.attr("astype")(wanted);
  const py::object is_lost = is_real(type) ? beyond(array, wanted) : cast.attr("__ne__")(array);
  const py::ssize_t row = first_row(is_lost);
  if (row >= 0) {
    refuse(name, "has a number that " + wanted + " does not hold", array.ndim() == 0 ? -1 : row);
  }
  return py::cast<py::array>(is_real(type) ? array.attr("astype")(wanted) : cast);
}

Given take(py::handle given, std::string_view name, Number type, int width) {
  Given taken;
  taken.object = py::reinterpret_borrow<py::object>(given);
  py::handle source = given;
  if (py::isinstance<Wxyz>(given)) {
    if (width != 4) refuse(name, "is not a quaternion; wxyz is for those");
    source = given.cast<const Wxyz&>().rows;
    taken.is_wxyz = true;
  }
  if (py::isinstance<py::array>(source)) {
    taken.array = py::reinterpret_borrow<py::array>(source);
  } else if (is_foreign(source)) {
    taken.array = array_of_foreign(source, name);
    taken.object = taken.array;
  } else if (width == 2 && !is_real(type) && is_two_columns(source)) {
    taken.array = joined_columns(source, name);
    taken.object = taken.array;
  } else {
    taken.array = listed(source, name, type);
    taken.object = taken.array;
    taken.is_listed = true;
    taken.is_single = is_row(taken.array, width);
    if (taken.array.size() == 0) return taken;
  }
  const char kind = taken.array.dtype().kind();
  const bool is_whole = kind == 'b' || kind == 'i' || kind == 'u';
  if (!is_whole && !(kind == 'f' && is_real(type))) {
    refuse(name, "is an array of " + text_of(taken.array.dtype()) + "; it must be " +
                     (is_real(type) ? "of numbers, such as " : "of integers that fit ") +
                     type_of(type).name + (kind == 'f' ? " (astype makes it so)" : ""));
  }
  if (!has_shape(taken.array, width) && !taken.is_single) {
    refuse(name, "has the shape " + text_of(taken.array.attr("shape")) + "; it must be " +
                     shape_wanted(width));
  }
  return taken;
}

Rows read(const Given& given, std::string_view name, Number type, int width,
          std::shared_ptr<Buffer> buffer) {
  Rows rows;
  rows.given = given.object;
  rows.is_single = given.is_single;
  if (given.array.size() == 0) return rows;
  py::array array = given.array;
  const bool is_copy = !is_native(array.dtype());
  if (is_copy) {
    array = py::cast<py::array>(array.attr("astype")(native_name(array.dtype())));
  }
  const std::array<int, 4> order =
      given.is_wxyz ? std::array<int, 4>{1, 2, 3, 0} : std::array<int, 4>{0, 1, 2, 3};
  const bool is_table = has_shape(array, width);
  rows.count = is_table ? array.shape(0) : 1;
  // A single row may have any stride in NumPy, so it is not used.
  rows.stride = is_table && rows.count > 1 ? array.strides(0) : 0;
  const py::ssize_t component = array.ndim() == 0 ? 0 : array.strides(array.ndim() - 1);
  const auto* data = static_cast<const std::byte*>(array.data());
  for (int w = 0; w < width; ++w) {
    rows.planes[static_cast<std::size_t>(w)] =
        data + order[static_cast<std::size_t>(w)] * (width == 1 ? 0 : component);
  }
  const bool is_aligned = py::cast<bool>(array.attr("flags").attr("aligned"));
  if (is_type(array.dtype(), type) && is_aligned && !is_copy) return rows;
  if (buffer == nullptr) buffer = std::make_shared<Buffer>();
  const py::ssize_t size = type_of(type).size;
  buffer->resize(static_cast<std::size_t>(rows.count * width * size));
  const py::ssize_t wrong = convert(rows, width, type_number(array.dtype()), type, buffer->data());
  if (wrong >= 0) refuse_number(array, wrong, name, type);
  for (int w = 0; w < width; ++w) {
    rows.planes[static_cast<std::size_t>(w)] = buffer->data() + w * size;
  }
  rows.stride = width * size;
  rows.buffer = std::move(buffer);
  return rows;
}

Rows borrow(py::handle given, std::string_view name, Number type, int width) {
  Given taken = take(given, name, type, width);
  if (taken.is_listed && is_real(type)) {
    taken.array = converted(taken.array, name, type);
    taken.object = taken.array;
  }
  return read(taken, name, type, width);
}

py::array repeated(const py::array& row, py::ssize_t count, int width) {
  py::object shape = py::make_tuple(count);
  if (width > 1) shape = py::make_tuple(count, width);
  const bool is_number = row.ndim() == 0 || (width > 1 && row.size() == 1);
  const py::object flat =
      is_number ? row.attr("reshape")(py::make_tuple()) : row.attr("reshape")(width);
  return py::cast<py::array>(numpy().attr("broadcast_to")(flat, shape));
}

void repeat(Rows& rows, py::ssize_t count, int width) {
  rows.given = repeated(py::cast<py::array>(rows.given), count, width);
  rows.count = count;
  rows.stride = 0;
}

Rows packed(py::handle given, std::string_view name, Number type, int width) {
  const Given taken = take(given, name, type, width);
  Rows rows = read(taken, name, type, width);
  const py::ssize_t size = type_of(type).size;
  const bool are_packed = rows.count <= 1 || rows.stride == width * size;
  const bool is_row_packed =
      rows.count == 0 || width == 1 || rows.planes[1] - rows.planes[0] == size;
  if (are_packed && is_row_packed && rows.buffer == nullptr) return rows;
  const py::object array =
      numpy().attr("ascontiguousarray")(taken.array.attr("astype")(type_of(type).name));
  return read(take(array, name, type, width), name, type, width);
}

bool are_of(py::handle given, std::string_view name, const char* type) {
  const bool is_other = !py::isinstance<py::array>(given) && is_foreign(given);
  const py::array array = is_other ? array_of_foreign(given, name) : array_of(given, name);
  return array.dtype().equal(py::dtype(type));
}

HeldValues<std::uint8_t> borrow_mask(py::handle given, std::string_view name) {
  if (are_of(given, name, "bool")) return borrow_values<std::uint8_t>(given, name);
  const HeldValues<std::int64_t> numbers = borrow_values<std::int64_t>(given, name);
  for (std::size_t world = 0; world < numbers.values.size(); ++world) {
    const std::int64_t number = numbers.values[world];
    if (number == 0 || number == 1) continue;
    refuse(name,
           "is " + std::to_string(number) +
               "; a mask has True or False (1 or 0) for each of the w worlds, which "
               "numpy.isin(range(w), numbers) makes of their numbers",
           static_cast<std::int64_t>(world));
  }
  return borrow_values<std::uint8_t>(given, name);
}

py::array array_over(Number type, const void* data, py::ssize_t rows, py::ssize_t row_stride,
                     int width, py::ssize_t plane_stride, std::shared_ptr<const void> owner) {
  std::vector<py::ssize_t> shape{rows};
  std::vector<py::ssize_t> strides{row_stride};
  if (width > 1) {
    shape.push_back(width);
    strides.push_back(plane_stride);
  }
  const py::dtype dtype(type_of(type).name);
  if (rows == 0) return py::array(dtype, shape);
  const py::capsule holder(new std::shared_ptr<const void>(std::move(owner)), [](void* held) {
    delete static_cast<std::shared_ptr<const void>*>(held);
  });
  return py::array(dtype, shape, strides, data, holder);
}

}  // namespace widephase::python
