#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <widephase/types.hpp>

namespace widephase::tools {

/// How the numbers of a scene change.
struct Renumbering {
  std::array<std::int32_t, kKindCount> row{};  ///< added to rows
  std::int64_t key = 0;
  std::int32_t owner = 0;
  std::int32_t body = 0;
  std::map<std::int32_t, std::int32_t> bodies;  ///< instead of `body`, for a mere filter
  std::int32_t geometry = 0;
  std::int64_t vertices = 0;
  std::int32_t field = 0;
  std::int64_t heights = 0;
  std::int32_t mesh = 0;
  std::int64_t mesh_vertices = 0, mesh_triangles = 0;
  std::int32_t chain = 0;
  std::int64_t chain_vertices = 0;
  std::int32_t default_world = 0;
  std::map<std::string, std::string, std::less<>> names;  ///< those that change
};

}  // namespace widephase::tools
