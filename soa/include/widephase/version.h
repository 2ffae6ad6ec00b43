#pragma once

/// \file
/// The version, for C too.

/// "MAJOR.MINOR.PATCH" of these headers, by Semantic Versioning; `version` has the library's.
#define WIDEPHASE_VERSION "0.1.0"
