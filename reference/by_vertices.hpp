#pragma once

// Caches results computed from a hull's vertices: tests use the same hull in many poses.

#include <map>
#include <utility>
#include <vector>

#include "reference/solid.hpp"

namespace widephase::test {

/// Returns `make()` for these vertices, or its earlier result. Each call site has its own cache,
/// which keeps some thousands of results.
template <class Make>
const auto& by_vertices(const std::vector<Point<3>>& vertices, Make&& make) {
  static std::map<std::vector<double>, decltype(make())> cache;
  std::vector<double> key;
  for (const Point<3>& vertex : vertices) key.insert(key.end(), vertex.begin(), vertex.end());
  const auto known = cache.find(key);
  if (known != cache.end()) return known->second;
  if (cache.size() > 4000) cache.clear();
  return cache.emplace(std::move(key), make()).first->second;
}

}  // namespace widephase::test
