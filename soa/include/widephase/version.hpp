#pragma once

#include <string_view>

#include <widephase/version.h>

namespace widephase {

/// The version of the library that is linked: `WIDEPHASE_VERSION` of its own headers.
std::string_view version();

}  // namespace widephase
