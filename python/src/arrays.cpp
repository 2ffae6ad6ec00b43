#include "arrays.hpp"

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

/// Accepts bool for uint8: NumPy stores truth values as bytes of 0 and 1.
bool is_type(const py::dtype& type, Number wanted) {
  const NumberType& number = type_of(wanted);
  const bool is_truth = wanted == Number::uint8 && type.kind() == 'b';
  return (type.kind() == number.kind || is_truth) && type.itemsize() == number.size &&
         py::cast<bool>(type.attr("isnative"));
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

/// Makes an array of the type from lists and scalars. Only rounding to float may change a number.
py::array converted(py::handle given, std::string_view name, Number type) {
  const std::string wanted = type_of(type).name;
  py::array array;
  try {
    array = py::cast<py::array>(numpy().attr("asarray")(given));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_OverflowError)) throw;
    refuse(name, "is not an array of numbers: " + text_of(error.value()));
  }
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

/// Whether a list of this shape is a single row.
bool is_row(const py::array& array, int width) {
  if (array.ndim() == 0) return true;
  if (width == 1) return array.ndim() == 1 && array.shape(0) == 1;
  return (array.ndim() == 1 && array.shape(0) == width) ||
         (array.ndim() == 2 && array.shape(0) == 1 && array.shape(1) == width);
}

}  // namespace

std::string_view name_of(Number type) { return type_of(type).name; }

Rows borrow(py::handle given, std::string_view name, Number type, int width) {
  Rows rows;
  rows.given = py::reinterpret_borrow<py::object>(given);
  std::array<int, 4> order{0, 1, 2, 3};
  py::handle source = given;
  if (py::isinstance<Wxyz>(given)) {
    if (width != 4) refuse(name, "is not a quaternion; wxyz is for those");
    source = given.cast<const Wxyz&>().rows;
    order = {1, 2, 3, 0};
  }
  py::array array;
  if (py::isinstance<py::array>(source)) {
    array = py::reinterpret_borrow<py::array>(source);
    if (!is_type(array.dtype(), type)) {
      refuse(name, "is an array of " + text_of(array.dtype()) + "; it must be " +
                       type_of(type).name + " (astype makes it so)");
    }
  } else {
    array = converted(source, name, type);
    rows.given = array;
    rows.is_single = is_row(array, width);
    if (array.size() == 0) return rows;
  }
  const bool is_wide = width == 1 ? array.ndim() == 1 : array.ndim() == 2;
  const bool fits = is_wide && (width == 1 || array.shape(1) == width);
  if (!fits && !rows.is_single) {
    refuse(name,
           "has the shape " + text_of(array.attr("shape")) + "; it must be " + shape_wanted(width));
  }
  rows.count = fits ? array.shape(0) : 1;
  // A single row may have any stride in NumPy, so it is not used.
  rows.stride = fits && rows.count > 1 ? array.strides(0) : 0;
  const py::ssize_t component = array.ndim() == 0 ? 0 : array.strides(array.ndim() - 1);
  const auto* data = static_cast<const std::byte*>(array.data());
  if (rows.count == 0) return rows;
  if (!py::cast<bool>(array.attr("flags").attr("aligned"))) {
    refuse(name,
           "is an array whose numbers lie at odd addresses; numpy.array(..., copy=True) "
           "makes an aligned one");
  }
  for (int w = 0; w < width; ++w) {
    rows.planes[static_cast<std::size_t>(w)] =
        data + order[static_cast<std::size_t>(w)] * component;
  }
  return rows;
}

void repeat(Rows& rows, py::ssize_t count) {
  const py::array array = py::cast<py::array>(rows.given);
  const py::ssize_t width = array.ndim() == 0 ? 1 : array.shape(array.ndim() - 1);
  py::object shape = py::make_tuple(count);
  // `given` is a row, or one number that stands for every component of a row.
  int planes = 0;
  while (planes < 4 && rows.planes[static_cast<std::size_t>(planes)] != nullptr) ++planes;
  if (planes > 1) shape = py::make_tuple(count, planes);
  rows.given = numpy().attr("broadcast_to")(
      planes == 1 && array.ndim() > 0 ? py::object(array.attr("reshape")(width)) : rows.given,
      shape);
  rows.count = count;
  rows.stride = 0;
}

void require_packed(const Rows& rows, std::string_view name, Number type, int width) {
  const py::ssize_t size = type_of(type).size;
  const bool are_packed = rows.count <= 1 || rows.stride == width * size;
  const bool is_row_packed =
      rows.count == 0 || width == 1 || rows.planes[1] - rows.planes[0] == size;
  if (are_packed && is_row_packed) return;
  refuse(name,
         "is an array with gaps, which is read only where rows lie one behind the other; "
         "numpy.ascontiguousarray makes it so");
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
