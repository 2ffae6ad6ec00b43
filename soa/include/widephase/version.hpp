#pragma once

#include <string_view>

#define WIDEPHASE_VERSION "0.1.0"

namespace widephase {

/// The version of the library that is linked: `WIDEPHASE_VERSION` of its own headers.
std::string_view version();

}  // namespace widephase
