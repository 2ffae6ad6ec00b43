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

Bricks::Bricks(int dimension, std::array<std::vector<double>, 3> cuts, std::vector<int> ranks)
    : dimension_(dimension), cuts_(std::move(cuts)), ranks_(std::move(ranks)) {
  check();
}

Bricks::Bricks(int dimension, std::span<const double> min, std::span<const double> max,
               std::span<const int> counts, std::vector<int> ranks)
    : Bricks(dimension, equal_cuts(dimension, min, max, counts), std::move(ranks)) {}

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
  if (ranks_.empty()) return;
  if (ranks_.size() != count()) {
    throw Error("there are " + std::to_string(count()) + " bricks and " +
                std::to_string(ranks_.size()) + " ranks; give one for each");
  }
  if (*std::min_element(ranks_.begin(), ranks_.end()) < 0) {
    throw Error("the ranks of bricks count from 0");
  }
}

std::size_t Bricks::count() const {
  std::size_t count = 1;
  for (const std::vector<double>& cuts : cuts_) count *= cuts.size() + 1;
  return count;
}

int Bricks::size() const {
  return ranks_.empty() ? static_cast<int>(count())
                        : *std::max_element(ranks_.begin(), ranks_.end()) + 1;
}

void Bricks::divide(std::span<const double>, std::span<const double>) {}

namespace {

int brick_of(const std::vector<double>& cuts, double at) {
  return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), at) - cuts.begin());
}

}  // namespace

int Bricks::owner_of(const double* point) const {
  int brick = 0;
  for (int k = dimension_; k-- > 0;) {
    const std::vector<double>& cuts = cuts_[static_cast<std::size_t>(k)];
    brick = brick * static_cast<int>(cuts.size() + 1) + brick_of(cuts, point[k]);
  }
  return ranks_.empty() ? brick : ranks_[static_cast<std::size_t>(brick)];
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
  if (ranks_.empty()) return;
  for (int& rank : ranks) rank = ranks_[static_cast<std::size_t>(rank)];
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

}  // namespace widephase
