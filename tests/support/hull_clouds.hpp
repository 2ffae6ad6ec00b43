#pragma once

// Point clouds of the convex hulls of a game.

#include <filesystem>
#include <vector>

#include "support/hulls.hpp"

namespace widephase::test {

/// The file repeats a count and three floats per point.
std::vector<Vertices3> read_clouds(const std::filesystem::path& path);

}  // namespace widephase::test
