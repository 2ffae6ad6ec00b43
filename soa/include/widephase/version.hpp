#pragma once

#include <string_view>

#include <widephase/export.h>
#include <widephase/version.h>

namespace widephase {

/// The version of the library that is linked: `WIDEPHASE_VERSION` of its own headers.
WIDEPHASE_API std::string_view version();

}  // namespace widephase
