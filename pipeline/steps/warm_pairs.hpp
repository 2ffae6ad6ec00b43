#pragma once

// Which pairs have words of warm starts that kernels read.

#include <array>

#include <widephase/collide.hpp>

#include "kernels/table.hpp"

namespace widephase {

/// The words of a kind's pairs: of `always` with any kind, of `steady` with such and one another.
/// A pair that has words and no reader costs time; the test `warm_pairs` finds a reader without.
constexpr Words words_of(Kind kind, int dimension) {
  switch (kind) {
    case Kind::sphere:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return Words::none;
    case Kind::capsule:
      return dimension == 2 ? Words::steady : Words::none;
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
      return Words::steady;
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
      return Words::always;
  }
  return Words::none;
}

/// Stretches of ids: of a few kinds, so that one is enough where these are neighbours.
class IdStretches {
 public:
  /// Ascending.
  void add(std::int32_t begin, std::int32_t end) {
    if (begin == end) return;
    if (count_ > 0 && stretches_[count_ - 1].end == begin) {
      stretches_[count_ - 1].end = end;
    } else {
      stretches_[count_++] = {begin, end};
    }
  }
  bool is_empty() const { return count_ == 0; }
  bool has(std::int32_t id) const {
    bool is_in = false;
    for (std::size_t i = 0; i < count_; ++i) {
      is_in |= id >= stretches_[i].begin && id < stretches_[i].end;
    }
    return is_in;
  }

 private:
  struct Stretch {
    std::int32_t begin, end;
  };
  std::size_t count_ = 0;
  std::array<Stretch, 2 * kKindCount> stretches_;  ///< of moving and of kept shapes
};

class WarmPairs {
 public:
  /// `kept`: null, or the layout of the shapes whose ids follow.
  WarmPairs(const SceneLayout& layout, const SceneLayout* kept, int dimension,
            const CollideOptions& options)
      : are_asked_(options.steadiness > 0) {
    add(layout, 0, dimension, options);
    if (kept != nullptr) add(*kept, layout.shape_count(), dimension, options);
    are_asked_ |= !one_.is_empty();
  }
  /// Whether the step takes words: with steadiness also where no pair has some.
  bool are_asked() const { return are_asked_; }
  bool has(Pair pair) const {
    return one_.has(pair.a) || one_.has(pair.b) || (both_.has(pair.a) && both_.has(pair.b));
  }

 private:
  void add(const SceneLayout& layout, std::int32_t before, int dimension,
           const CollideOptions& options) {
    const bool are_searched = dimension == 3 && options.method == Method::gjk_epa;
    for (int kind = 0; kind < kKindCount; ++kind) {
      const Words words = words_of(static_cast<Kind>(kind), dimension);
      const std::int32_t begin = before + layout.first[kind], end = before + layout.first[kind + 1];
      if (are_searched || words == Words::always) {
        one_.add(begin, end);
      } else if (options.steadiness > 0 && words == Words::steady) {
        both_.add(begin, end);
      }
    }
  }

  IdStretches one_, both_;  ///< where one or both of its ids are
  bool are_asked_;
};

}  // namespace widephase
