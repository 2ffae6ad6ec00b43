#pragma once

// The clouds of a game's convex hulls.

#include <filesystem>
#include <vector>

#include "support/hulls.hpp"

namespace widephase::test {

/// Repeated: a count, then as many times three floats.
std::vector<Vertices3> read_clouds(const std::filesystem::path& path);

}  // namespace widephase::test
