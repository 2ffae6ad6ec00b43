#pragma once

// Which rank owns which part of space: what a `DistributedScene` asks.

#include <mpi.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <widephase/export.h>

namespace widephase {

/// A division of space among the ranks of a communicator. Every rank answers the same for the same
/// point and box. A rank that owns a point of a box is among the ranks of that box, to the bit.
/// Derive from it to give a partition of your own, such as a simulation's bricks.
class WIDEPHASE_API Partition {
 public:
  virtual ~Partition();

  /// Divides space anew so that the weights of the ranks' points are alike; collective. `points`
  /// are this rank's, 2 or 3 numbers each, one after the other; one weight >= 0 per point. A
  /// partition that is fixed does nothing. Throws `Error` if it cannot.
  virtual void divide(std::span<const double> points, std::span<const double> weights) = 0;
  /// The rank that owns a point, which may lie anywhere.
  virtual int owner_of(const double* point) const = 0;
  /// Replaces `ranks` by those that own a point of the closed box, in any order.
  virtual void ranks_of(const double* min, const double* max, std::vector<int>& ranks) const = 0;
};

/// Recursive bisection of Zoltan (RCB, with kept cuts that the next division reuses) over the ranks
/// of `communicator`, which it duplicates; collective. `dimension` is 2 or 3. Everything is rank
/// 0's before the first division, and while there is no point anywhere.
WIDEPHASE_API std::unique_ptr<Partition> make_zoltan_partition(MPI_Comm communicator,
                                                               int dimension);

/// A grid of bricks that the caller chooses: brick (i, j, k) has number i + nx * (j + ny * k) and
/// belongs to that rank, or to rank `ranks[number]`. So regions of any form, such as countries, are
/// ranks' if the bricks are small. `cuts[axis]` are the ascending planes between the bricks of that axis, one fewer than bricks;
/// the outer bricks go on without end. A plane belongs to the brick above it.
class WIDEPHASE_API Bricks final : public Partition {
 public:
  /// Throws `Error` for planes that do not ascend, for `dimension` other than 2 or 3, and for
  /// `ranks` below 0 or not as many as bricks.
  Bricks(int dimension, std::array<std::vector<double>, 3> cuts, std::vector<int> ranks = {});
  /// Equal bricks of the box from `min` to `max`, `counts[axis]` (1 or more) along each axis.
  Bricks(int dimension, std::span<const double> min, std::span<const double> max,
         std::span<const int> counts, std::vector<int> ranks = {});

  /// The number of ranks that a communicator must have.
  int size() const;
  void divide(std::span<const double> points, std::span<const double> weights) override;
  int owner_of(const double* point) const override;
  void ranks_of(const double* min, const double* max, std::vector<int>& ranks) const override;

 private:
  void check() const;

  std::size_t count() const;

  int dimension_;
  std::array<std::vector<double>, 3> cuts_;
  std::vector<int> ranks_;  ///< by brick; empty: the brick's number
};

}  // namespace widephase
