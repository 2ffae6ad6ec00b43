#pragma once

// The clouds of a game's convex hulls, if the data are there.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "support/hulls.hpp"

namespace widephase::test {

/// In $WIDEPHASE_DATA, else in the folder beside the checkout; nothing when neither exists.
inline std::optional<std::filesystem::path> hull_clouds_file() {
  namespace fs = std::filesystem;
  const fs::path name = fs::path("hulls") / "convex_hulls.bin";
  if (const char* folder = std::getenv("WIDEPHASE_DATA")) {
    if (fs::exists(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  const fs::path fallback = fs::path(WIDEPHASE_DATA_FALLBACK) / name;
  if (fs::exists(fallback)) return fallback;
  return std::nullopt;
}

/// Repeated: a count, then as many times three floats.
inline std::vector<Vertices3> read_clouds(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Vertices3> clouds;
  std::uint32_t count = 0;
  while (file.read(reinterpret_cast<char*>(&count), sizeof count)) {
    Vertices3 cloud(count);
    for (Vertex3& p : cloud) {
      float numbers[3];
      file.read(reinterpret_cast<char*>(numbers), sizeof numbers);
      p = {numbers[0], numbers[1], numbers[2]};
    }
    clouds.push_back(std::move(cloud));
  }
  return clouds;
}

}  // namespace widephase::test
