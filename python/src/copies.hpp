#pragma once

// What makes objects of Python's pickle and copy modules.

#include "calls.hpp"

namespace widephase::python {

void bind_copies(py::class_<SceneObject, std::shared_ptr<SceneObject>>& scene);
void bind_copies(py::class_<ContactsObject>& contacts);

}  // namespace widephase::python
