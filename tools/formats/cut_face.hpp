#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace widephase::tools {

/// The most corners of a face that becomes triangles.
inline constexpr std::size_t kMostCorners = 255;

/// Appends the triangles of a face of 3 to `kMostCorners` corners, which are indices of `points`.
/// They have the face's order of corners. A face that crosses itself or is far from flat becomes
/// triangles too, one for each corner but two.
void cut_face(const std::vector<std::array<double, 3>>& points,
              std::span<const std::int32_t> corners,
              std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace widephase::tools
