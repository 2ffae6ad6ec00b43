#pragma once

#include <memory>

#include "scene.hpp"

namespace widephase::python {

/// The library of meshes of a scene; throws AttributeError in 2D.
py::object meshes_of(const std::shared_ptr<SceneObject>& scene);

void bind_meshes(py::module_& module);

}  // namespace widephase::python
