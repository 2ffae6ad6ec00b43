#include "support/data_path.hpp"

#include <cstdlib>

namespace widephase::test {

std::optional<std::filesystem::path> data_path(const std::filesystem::path& name) {
  namespace fs = std::filesystem;
  if (const char* folder = std::getenv("WIDEPHASE_DATA")) return fs::path(folder) / name;
  const fs::path fallback = fs::path(WIDEPHASE_DATA_FALLBACK) / name;
  if (fs::exists(fallback)) return fallback;
  return std::nullopt;
}

}  // namespace widephase::test
