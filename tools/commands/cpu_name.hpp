#pragma once

#include <string>

namespace widephase::tools {

/// The system's name for the CPU of this machine, or "unknown".
std::string cpu_name();

}  // namespace widephase::tools
