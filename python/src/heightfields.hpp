#pragma once

#include <memory>

#include "scene.hpp"

namespace widephase::python {

/// The library of height fields of a scene; throws AttributeError in 2D.
py::object heightfields_of(const std::shared_ptr<SceneObject>& scene);

void bind_heightfields(py::module_& module);

}  // namespace widephase::python
