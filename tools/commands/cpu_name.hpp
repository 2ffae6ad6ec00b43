#pragma once

#include <string>

namespace widephase::tools {

/// What the system calls this machine's CPU, or "unknown".
std::string cpu_name();

}  // namespace widephase::tools
