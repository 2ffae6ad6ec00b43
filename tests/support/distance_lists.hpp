#pragma once

// Distances of lists of pairs, by any method and on any threads: the rows that are returned,
// compared and described.

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <widephase/distance.hpp>

#include "support/distance_rows.hpp"
#include "support/mixed_pairs.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// A row, copied out of the columns.
template <int D>
struct DistanceRow {
  Real distance = 0;
  Vec<D> normal{};
  Vec<D> point_a{};
  Vec<D> point_b{};
  std::uint32_t feature = 0;
  int status = 0;
};

template <int D, class T>
DistanceRow<D> row_of(const DistanceBuffer<D, T>& distances, std::size_t i) {
  DistanceRow<D> row;
  row.distance = distances.distance[i];
  for (int k = 0; k < D; ++k) {
    row.normal[k] = distances.normal(i, k);
    row.point_a[k] = distances.point_a(i, k);
    row.point_b[k] = distances.point_b(i, k);
  }
  row.feature = distances.feature[i];
  row.status = distances.status[i];
  return row;
}

template <int D, class T>
std::string describe_row(const DistanceBuffer<D, T>& distances, std::size_t i) {
  const DistanceRow<D> row = row_of(distances, i);
  std::ostringstream text;
  text.precision(sizeof(PositionOf<T>) == 4 ? 9 : 17);
  const auto write = [&](const char* name, const Vec<D>& v) {
    text << name << " (";
    for (int k = 0; k < D; ++k) text << (k == 0 ? "" : ", ") << v[k];
    text << ") ";
  };
  text << "distance " << row.distance << " status " << row.status << ' ';
  write("normal", row.normal);
  write("point_a", row.point_a);
  write("point_b", row.point_b);
  text << "A " << describe_feature(row.feature >> 16) << ", B "
       << describe_feature(row.feature & 0xffff);
  return text.str();
}

template <int D, class T>
::testing::AssertionResult same_rows(const DistanceBuffer<D, T>& left,
                                     const DistanceBuffer<D, T>& right) {
  if (left.distance.size() != right.distance.size()) {
    return ::testing::AssertionFailure() << "the counts differ";
  }
  for (std::size_t i = 0; i < left.distance.size(); ++i) {
    if (row_bits(left, i) == row_bits(right, i)) continue;
    return ::testing::AssertionFailure() << "row " << i << " differs:\n  " << describe_row(left, i)
                                         << "\n  " << describe_row(right, i);
  }
  return ::testing::AssertionSuccess();
}

template <int D, class T>
DistanceBuffer<D, T> ask_distances(const SceneColumns<D, T>& scene, std::span<const Pair> pairs,
                                   Isa isa, Method method, Workspace<D, T>& workspace,
                                   int threads = 1) {
  DistanceBuffer<D, T> answers;
  CollideOptions options;
  options.isa = isa;
  options.method = method;
  options.threads.count = threads;
  distances<D, T>(scene, pairs, answers, workspace, options);
  return answers;
}

template <int D, class T>
DistanceBuffer<D, T> ask_distances(const SceneColumns<D, T>& scene, std::span<const Pair> pairs,
                                   Isa isa, Method method, int threads = 1) {
  Workspace<D, T> workspace;
  return ask_distances<D, T>(scene, pairs, isa, method, workspace, threads);
}

/// Without pairs of two halfspaces, which have no distance.
template <int D>
std::vector<SolidPair<D>> mixed_pairs_with_distance(std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<D>> pairs = mixed_pairs<D>(count, seed);
  std::erase_if(pairs, [](const SolidPair<D>& pair) {
    return pair.a.kind == Kind::halfspace && pair.b.kind == Kind::halfspace;
  });
  return pairs;
}

}  // namespace widephase::test
