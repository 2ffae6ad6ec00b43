#include "tools/commands/cpu_name.hpp"

#include <fstream>

namespace widephase::tools {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    // x86 kernels write "model name", some arm64 kernels "Model" or "Hardware".
    for (const char* key : {"model name", "Model", "Hardware"}) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "unknown";
}

}  // namespace widephase::tools
