#include <widephase/partition.hpp>

#include <algorithm>
#include <string>

#include <widephase/types.hpp>

namespace widephase {

Partition::~Partition() = default;

namespace {

std::array<std::vector<double>, 3> equal_cuts(int dimension, std::span<const double> min,
                                              std::span<const double> max,
                                              std::span<const int> counts) {
  std::array<std::vector<double>, 3> cuts;
  const auto axes = static_cast<std::size_t>(std::clamp(dimension, 0, 3));
  if (min.size() < axes || max.size() < axes || counts.size() < axes) {
    throw Error("bricks need a lower side, an upper side and a count along each axis");
  }
  for (std::size_t k = 0; k < axes; ++k) {
    if (counts[k] < 1) throw Error("there must be 1 or more bricks along each axis");
    for (int i = 1; i < counts[k]; ++i) {
      cuts[k].push_back(min[k] + (max[k] - min[k]) * i / counts[k]);
    }
  }
  return cuts;
}

}  // namespace

Bricks::Bricks(int dimension, std::array<std::vector<double>, 3> cuts)
    : dimension_(dimension), cuts_(std::move(cuts)) {
  check();
}

Bricks::Bricks(int dimension, std::span<const double> min, std::span<const double> max,
               std::span<const int> counts)
    : Bricks(dimension, equal_cuts(dimension, min, max, counts)) {}

void Bricks::check() const {
  if (dimension_ != 2 && dimension_ != 3) throw Error("bricks are of dimension 2 or 3");
  for (int k = 0; k < 3; ++k) {
    const std::vector<double>& cuts = cuts_[static_cast<std::size_t>(k)];
    if (k >= dimension_ && !cuts.empty()) throw Error("bricks in 2D have no planes along z");
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (!(i == 0 ? cuts[i] == cuts[i] : cuts[i - 1] < cuts[i])) {
        throw Error("the planes between bricks must ascend; plane " + std::to_string(i) +
                    " of axis " + std::to_string(k) + " does not");
      }
    }
  }
}

int Bricks::size() const {
  std::size_t size = 1;
  for (const std::vector<double>& cuts : cuts_) size *= cuts.size() + 1;
  return static_cast<int>(size);
}

void Bricks::divide(std::span<const double>, std::span<const double>) {}

namespace {

int brick_of(const std::vector<double>& cuts, double at) {
  return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), at) - cuts.begin());
}

}  // namespace

int Bricks::owner_of(const double* point) const {
  int rank = 0;
  for (int k = dimension_; k-- > 0;) {
    const std::vector<double>& cuts = cuts_[static_cast<std::size_t>(k)];
    rank = rank * static_cast<int>(cuts.size() + 1) + brick_of(cuts, point[k]);
  }
  return rank;
}

void Bricks::ranks_of(const double* min, const double* max, std::vector<int>& ranks) const {
  ranks.assign(1, 0);
  std::vector<int> wider;
  for (int k = dimension_; k-- > 0;) {
    const std::vector<double>& cuts = cuts_[static_cast<std::size_t>(k)];
    const int bricks = static_cast<int>(cuts.size() + 1);
    wider.clear();
    for (const int rank : ranks) {
      for (int i = brick_of(cuts, min[k]); i <= brick_of(cuts, max[k]); ++i) {
        wider.push_back(rank * bricks + i);
      }
    }
    ranks.swap(wider);
  }
}

}  // namespace widephase
