#pragma once

// What tests on several ranks share. A program starts on as many ranks as it wants at most, and every test divides
// them into worlds of fewer. All ranks run the same tests; what only one of them knows, it alone expects.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include <widephase/distributed_scene.hpp>
#include <widephase/widephase.hpp>

namespace widephase::test {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Runs `work` on the first `count` ranks, while the others wait.
inline void on_ranks(int count, const std::function<void(MPI_Comm)>& work) {
  ASSERT_LE(count, world_size());
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() < count ? 0 : MPI_UNDEFINED, 0, &some);
  if (some != MPI_COMM_NULL) {
    work(some);
    MPI_Comm_free(&some);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

inline std::size_t scaled_count(std::size_t count) {
  const char* const scale = std::getenv("WIDEPHASE_TEST_SCALE");
  const double factor = scale == nullptr ? 1 : std::atof(scale);
  const auto scaled = static_cast<std::size_t>(static_cast<double>(count) * factor);
  return std::max(std::min<std::size_t>(count, 500), scaled);
}

/// Hashes of all contacts of a world: of the arrays, and of what they hold.
struct Hashes {
  std::uint64_t ordered = 0;
  std::uint64_t content = 0;
  std::size_t contacts = 0;
  friend bool operator==(const Hashes&, const Hashes&) = default;
};

/// Those of one machine: of its pairs in contact, ascending.
template <int D, class T>
Hashes single_hashes(const SceneSpan<D, T>& scene, const CollideOptions& options) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> found, contacts;
  CollideOptions in_order = options;
  in_order.order = Order::id;
  collide<D, T>(scene, found, workspace, in_order);
  std::vector<Pair> pairs;
  for (const Pair& pair : found.pair) {
    if (pairs.empty() || !(pairs.back() == pair)) pairs.push_back(pair);
  }
  collide_pairs<D, T>(scene, pairs, contacts, workspace, in_order);
  return {hash(contacts), content_hash(found), found.size()};
}

/// Those of all ranks' contacts, on rank 0.
template <int D, class T>
Hashes gathered_hashes(MPI_Comm ranks, const ContactBuffer<D, T>& contacts) {
  ContactBuffer<D, T> all;
  gather<D, T>(ranks, contacts, all);
  return {hash(all), content_hash<D, T>(ranks, contacts), all.size()};
}

}  // namespace widephase::test
