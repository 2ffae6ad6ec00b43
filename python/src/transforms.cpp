// widephase.translate, rotate, scale, and closest points of segments.

#include <pybind11/stl.h>

#include <widephase/closest.hpp>
#include <widephase/transforms.hpp>

#include "calls.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::python {

namespace {

/// A changed copy of the scene, which owns its arrays.
template <class Change>
std::shared_ptr<SceneObject> changed(const SceneObject& scene, const Change& change) {
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const auto copy = std::make_shared<SceneColumns<D, T>>();
    {
      py::gil_scoped_release released;
      tools::SceneFile("the scene", tools::arrays_of<D, T>(span)).to_columns(*copy);
      change(*copy);
    }
    auto geometries = make_geometries<D, SizeOf<T>>(std::move(copy->geometries));
    copy->geometries = {};
    const auto made = scene_over<D, T>(*copy, copy, std::move(geometries), scene.precision_given);
    made->pairs = scene.pairs;
    return made;
  });
}

template <int D, class T>
std::array<PositionOf<T>, D> place_of_numbers(const std::vector<double>& numbers,
                                              std::string_view name) {
  if (numbers.size() != static_cast<std::size_t>(D)) {
    refuse(name,
           "has " + std::to_string(numbers.size()) + " numbers; it must have " + std::to_string(D));
  }
  std::array<PositionOf<T>, D> place;
  for (std::size_t k = 0; k < D; ++k) place[k] = static_cast<PositionOf<T>>(numbers[k]);
  return place;
}

std::shared_ptr<SceneObject> translated(const SceneObject& scene,
                                        const std::vector<double>& offset) {
  return changed(scene, [&]<int D, class T>(Scene<Owned<D, T>>& copy) {
    translate<D, T>(copy, place_of_numbers<D, T>(offset, "offset"));
  });
}

std::shared_ptr<SceneObject> rotated(const SceneObject& scene, double angle,
                                     const std::vector<double>& about) {
  if (scene.dimension() == 3) {
    refuse("scene", "is of 3D; rotate is for 2D, and bodies rotate shapes in 3D");
  }
  return changed(scene, [&]<int D, class T>(Scene<Owned<D, T>>& copy) {
    if constexpr (D == 2) {
      rotate<T>(copy, static_cast<SizeOf<T>>(angle), place_of_numbers<2, T>(about, "about"));
    }
  });
}

std::shared_ptr<SceneObject> scaled(const SceneObject& scene, double factor,
                                    const std::optional<std::vector<double>>& about) {
  return changed(scene, [&]<int D, class T>(Scene<Owned<D, T>>& copy) {
    const std::vector<double> place = about.value_or(std::vector<double>(D, 0.0));
    scale<D, T>(copy, static_cast<SizeOf<T>>(factor), place_of_numbers<D, T>(place, "about"));
  });
}

constexpr std::string_view kCorners[] = {"a", "b", "c", "d"};

/// Closest points of a point and a segment, or of two segments, in the precision of the widest.
py::tuple closest(const py::args& given, const std::string& isa_word) {
  if (given.size() != 3 && given.size() != 4) {
    throw py::type_error(
        "closest_points() takes a point and the ends of a segment, or the ends of "
        "two; " +
        std::to_string(given.size()) + " columns are given");
  }
  const Isa isa = isa_from_name(isa_word);
  const py::module_ numpy = py::module_::import("numpy");
  std::vector<py::array> arrays;
  bool is_wide = false;
  for (const py::handle column : given) {
    const bool is_array = py::hasattr(column, "__array__") || py::hasattr(column, "__dlpack__");
    const Given taken = [&] {
      const int width = [&] {
        const py::tuple shape = numpy.attr("shape")(column);
        const int last = py::len(shape) == 0 ? 0 : py::cast<int>(shape[py::len(shape) - 1]);
        if (last == 2 || last == 3) return last;
        refuse(kCorners[arrays.size()], "has no rows of 2 or 3 numbers");
      }();
      return take(column, kCorners[arrays.size()], Number::float64, width);
    }();
    is_wide |= is_array && taken.array.dtype().kind() == 'f' && taken.array.dtype().itemsize() >= 8;
    py::array array = taken.array;
    if (array.ndim() == 1) array = py::cast<py::array>(array.attr("reshape")(1, -1));
    arrays.push_back(array);
  }
  const auto call = [&]<int D, class T>() -> py::tuple {
    std::vector<Rows> rows;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      Given array;
      array.object = array.array = arrays[i];
      rows.push_back(read(array, kCorners[i], number_of<T>(), D));
    }
    const auto span = [&](std::size_t i) { return span_of<T, D>(rows[i]); };
    if (rows.size() == 3) {
      const auto buffer = std::make_shared<PointSegmentBuffer<D, T>>();
      closest_points<D, T>(span(0), span(1), span(2), *buffer, isa);
      return py::make_tuple(exposed(buffer->point, buffer), exposed(buffer->parameter, buffer),
                            exposed(buffer->distance, buffer));
    }
    const auto buffer = std::make_shared<SegmentSegmentBuffer<D, T>>();
    closest_points<D, T>(span(0), span(1), span(2), span(3), *buffer, isa);
    return py::make_tuple(exposed(buffer->first, buffer), exposed(buffer->second, buffer),
                          exposed(buffer->first_parameter, buffer),
                          exposed(buffer->second_parameter, buffer),
                          exposed(buffer->distance, buffer));
  };
  if (arrays[0].shape(1) == 2) {
    return is_wide ? call.template operator()<2, double>() : call.template operator()<2, float>();
  }
  return is_wide ? call.template operator()<3, double>() : call.template operator()<3, float>();
}

}  // namespace

void bind_transforms(py::module_& module) {
  module.def("translate", &translated, py::arg("scene"), py::arg("offset"),
             "A copy of the scene with everything moved by offset (d,), the domain too.\n"
             "A scene with bodies is refused: move these.");
  module.def("rotate", &rotated, py::arg("scene"), py::arg("angle"), py::arg("about"),
             "A copy of a 2D scene, rotated by angle, in radians counter-clockwise, about a point\n"
             "(2,). Scenes with aabbs, bodies or a periodic domain are refused.");
  module.def("scale", &scaled, py::arg("scene"), py::arg("factor"), py::arg("about") = py::none(),
             "A copy of the scene, scaled by a factor above 0 about a point (d,), the origin\n"
             "without it: places, sizes, margins and geometries. A scene with bodies is refused.");
  module.def("_closest_points", &closest, py::arg("isa") = "widest");
}

}  // namespace widephase::python
