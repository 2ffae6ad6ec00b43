#pragma once

#include <memory>

#include "scene.hpp"

namespace widephase::python {

/// The library of chains of a scene; throws AttributeError in 3D.
py::object chains_of(const std::shared_ptr<SceneObject>& scene);

void bind_chains(py::module_& module);

}  // namespace widephase::python
