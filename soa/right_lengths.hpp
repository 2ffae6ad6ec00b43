#pragma once

#include <limits>

#include <widephase/scene.hpp>

namespace widephase {

/// The most rows of bodies, lists of pairs and shapes, since their numbers are int32.
inline constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();

/// Checks that all poses of bodies have equally many rows, not too many, and can be read.
template <int D, class T>
bool has_right_lengths(const BodyTable<Borrowed<D, T>>& bodies);

/// Checks that every column of each table has one row per shape, or is optional and empty, that
/// none has too many, and that all can be read.
template <int D, class T>
bool has_right_lengths(const Scene<Borrowed<D, T>>& scene);

}  // namespace widephase
