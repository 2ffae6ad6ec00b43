#pragma once

// What a widephase.Environment holds.

#include <widephase/environment.hpp>

namespace widephase::python {

struct EnvironmentObject {
  Environment environment;
};

}  // namespace widephase::python
