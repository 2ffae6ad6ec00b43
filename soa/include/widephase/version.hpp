#pragma once

#include <string_view>

#define WIDEPHASE_VERSION_MAJOR 0
#define WIDEPHASE_VERSION_MINOR 1
#define WIDEPHASE_VERSION_PATCH 0

namespace widephase {

/// The library's version, "0.1.0".
std::string_view version();

}  // namespace widephase
