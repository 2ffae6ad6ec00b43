// Which rank owns which shapes: worlds dealt out whole, or space by a partition.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "mpi/scene_state.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// The first position of a row: a shape's own point for the question where it is.
template <class Table>
bool point_of(const Table& table, std::size_t row, double* point) {
  bool is_found = false;
  Table::for_each_own(
      [&](const Field& field, const auto& column) {
        using C = std::remove_cvref_t<decltype(column)>;
        if constexpr (C::width == Table::D) {
          if (is_found || !field.is_position) return;
          for (int k = 0; k < Table::D; ++k) point[k] = static_cast<double>(column(row, k));
          is_found = true;
        }
      },
      table);
  return is_found;
}

}  // namespace

/// op(kind or -1 for a body, row, point or null, world, cost) for each shape without a body of its
/// own and each body; shapes of bodies come as op.shape(kind, row, place of the body).
template <int D, class T>
template <class Op>
void DistributedScene<D, T>::State::for_each_item(const Op& op) const {
  std::vector<double> body_cost(own.body.size(), kShapeCost);
  std::vector<std::int32_t> body_world(own.body.size(), -1);
  std::array<double, 3> point{};
  const auto make_right = [&] {
    for (int k = 0; k < D; ++k) {
      double& at = point[static_cast<std::size_t>(k)];
      at = std::isfinite(at) ? boxes_.wrapped(at, k) : 0;
    }
  };
  for_each_table(own.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    for (std::size_t row = 0; row < own.row[kKind].size(); ++row) {
      const double cost = cost_[kKind].empty() ? kShapeCost : cost_[kKind][row];
      const std::int32_t world = value_or(table.world, row, 0);
      const std::int32_t body = has_bodies ? value_or(table.body, row, -1) : -1;
      const std::int32_t place = body < 0 ? -1 : place_of_body(body);
      if (place >= 0) {
        body_cost[static_cast<std::size_t>(place)] += cost;
        body_world[static_cast<std::size_t>(place)] = world;
        continue;
      }
      const bool has_point = point_of(table, row, point.data());
      make_right();
      op(static_cast<int>(kKind), row, has_point ? point.data() : nullptr, world, cost);
    }
  });
  for (std::size_t row = 0; row < own.body.size(); ++row) {
    for (int k = 0; k < D; ++k) {
      point[static_cast<std::size_t>(k)] = static_cast<double>(own.scene.bodies.position(row, k));
    }
    make_right();
    op(-1, row, point.data(), body_world[row], body_cost[row]);
  }
}

template <int D, class T>
int DistributedScene<D, T>::State::owner_of_world(std::int32_t world) const {
  // A world above those of the last division is rank 0's until the next.
  const auto place = static_cast<std::size_t>(world);
  return place < world_owner_.size() ? world_owner_[place] : 0;
}

/// One more than the greatest number of a world on any rank.
template <int D, class T>
std::int64_t DistributedScene<D, T>::State::world_count() const {
  std::int64_t worlds = 1;
  for_each_table(own.scene, [&](const auto& table) {
    for (const std::int32_t world : table.world) {
      worlds = std::max(worlds, std::int64_t{world} + 1);
    }
  });
  return communicator.largest(worlds);
}

/// The work of all ranks, that of world -1 first.
template <int D, class T>
std::vector<double> DistributedScene<D, T>::State::work_of_worlds(std::int64_t worlds) const {
  std::vector<double> work(static_cast<std::size_t>(worlds) + 1, 0);
  for_each_item([&](int, std::size_t, const double*, std::int32_t world, double cost) {
    work[static_cast<std::size_t>(std::max(world, -1) + 1)] += cost;
  });
  MPI_Allreduce(MPI_IN_PLACE, work.data(), static_cast<int>(work.size()), MPI_DOUBLE, MPI_SUM,
                communicator.get());
  return work;
}

/// Worlds lie one after the other on the ranks, each rank's with about the same work.
template <int D, class T>
void DistributedScene<D, T>::State::place_worlds(std::span<const double> work) {
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  world_owner_.resize(work.size());
  double before = 0;
  for (std::size_t w = 0; w < work.size(); ++w) {
    const double middle = total > 0 ? (before + 0.5 * work[w]) / total : 0;
    world_owner_[w] =
        std::min(static_cast<int>(middle * communicator.size()), communicator.size() - 1);
    before += work[w];
  }
  // Sums differ in their last bits between ranks if the network adds in other orders.
  MPI_Bcast(world_owner_.data(), static_cast<int>(world_owner_.size()), MPI_INT, 0,
            communicator.get());
}

template <int D, class T>
void DistributedScene<D, T>::State::divide_worlds() {
  const std::int64_t worlds = world_count();
  if (worlds > most_worlds(layout.shape_count())) {
    throw Error("the world numbers reach up to " + std::to_string(worlds - 1) +
                "; number the worlds from 0 on without large gaps to divide by worlds");
  }
  place_worlds(std::span<const double>(work_of_worlds(worlds)).subspan(1));
}

/// Whether ranks can have whole worlds: those need no copies but of world -1.
template <int D, class T>
bool DistributedScene<D, T>::State::can_deal_out_worlds() {
  const std::int64_t worlds = world_count();
  if (options.partition != nullptr || worlds < 2 || worlds > most_worlds(layout.shape_count())) {
    return false;
  }
  const std::vector<double> work = work_of_worlds(worlds);
  place_worlds(std::span<const double>(work).subspan(1));
  std::vector<double> of_rank(static_cast<std::size_t>(communicator.size()), 0);
  for (std::size_t w = 0; w < world_owner_.size(); ++w) {
    of_rank[static_cast<std::size_t>(world_owner_[w])] += work[w + 1];
  }
  const double most = work[0] + *std::max_element(of_rank.begin(), of_rank.end());
  const double mean = std::accumulate(work.begin(), work.end(), 0.0) / communicator.size();
  return most <= options.most_imbalance * mean;
}

template <int D, class T>
void DistributedScene<D, T>::State::divide() {
  cost_ = {};
  if (has_work_) find_cost();
  if (division == Division::worlds) {
    divide_worlds();
  } else {
    std::vector<double> points, weights;
    for_each_item([&](int, std::size_t, const double* point, std::int32_t, double cost) {
      if (point == nullptr) return;
      points.insert(points.end(), point, point + D);
      weights.push_back(cost);
    });
    partition->divide(points, weights);
  }
  cost_ = {};
}

template <int D, class T>
int DistributedScene<D, T>::State::checked(int rank) const {
  if (rank >= 0 && rank < communicator.size()) return rank;
  throw Error("the partition names rank " + std::to_string(rank) + "; the communicator has " +
              std::to_string(communicator.size()) + " ranks, counted from 0");
}

/// Into `lists_`: the shapes and bodies that each rank owns now.
template <int D, class T>
void DistributedScene<D, T>::State::choose_owners() {
  for (RowLists& lists : lists_) lists.clear();
  std::vector<int> rank_of_body(own.body.size(), communicator.rank());
  const auto list_of = [&](int rank) -> RowLists& {
    return lists_[static_cast<std::size_t>(rank)];
  };
  for_each_item([&](int kind, std::size_t row, const double* point, std::int32_t world, double) {
    int rank = communicator.rank();
    if (division == Division::worlds) {
      if (world >= 0) rank = owner_of_world(world);
    } else if (point != nullptr) {
      rank = checked(partition->owner_of(point));
    }
    if (kind < 0) {
      rank_of_body[row] = rank;
      list_of(rank).bodies.push_back(static_cast<std::uint32_t>(row));
    } else {
      const auto of_kind = static_cast<std::size_t>(kind);
      list_of(rank).shapes[of_kind].push_back(static_cast<std::uint32_t>(row));
    }
  });
  for_each_table(own.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    for (std::size_t row = 0; has_bodies && row < table.body.size(); ++row) {
      const std::int32_t place = table.body[row] < 0 ? -1 : place_of_body(table.body[row]);
      if (place < 0) continue;
      list_of(rank_of_body[static_cast<std::size_t>(place)])
          .shapes[kKind]
          .push_back(static_cast<std::uint32_t>(row));
    }
  });
}

#define WIDEPHASE_INSTANTIATE(D, T) template struct DistributedScene<D, T>::State;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
