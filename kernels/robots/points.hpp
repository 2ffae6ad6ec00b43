#pragma once

// Balls of a robot against points of one radius, a configuration per lane.
//
// A cell of a grid knows how far its middle is from the nearest point, and so, by the triangle
// inequality, bounds that distance from both sides for every place: most balls are decided by one
// look. What is left goes through a tree of the points, one ball of one lane at a time: first the
// tile of the point that is nearest to the cell's middle, then from the root.
//
// All bounds are of the points in float. Their own rounding is in the two radii (CheckPoints), and
// the errors of distances in float are shares of these: a sum of three squares misses by 5 * 2^-24,
// far less than `kSquareSlack`. Differences, squares and sums round monotonically, so a box is
// never farther than a point in it, and no point is missed.
// Cost: some 60 operations per ball for the grid; a walk asks some 10 to 20 tiles.

#include "kernels/robots/grid.hpp"
#include "kernels/robots/tile_tree.hpp"

namespace widephase {
namespace {

/// What one ball of one lane meets.
enum class PointAnswer : std::uint8_t { apart, near, touches };

template <class F>
class PointSearch : public GridSearch<F> {
 public:
  explicit PointSearch(const CheckPoints& points)
      : GridSearch<F>(points), tree_(points), points_(points) {}

  /// Lanes of which something is surely within `least`.
  WIDEPHASE_INLINE unsigned within(const Vec<F, 3>& p, const F& known, float least) const {
    const Vec<F, 3> way = p - this->middle_of(this->inside(p));
    const F rest = F(least) - (known + F(points_.unit)) * F(1 + kApartSlack);
    return mask_bits((rest > F(0)) & (dot(way, way) <= rest * rest * F(1 - kSquareSlack)));
  }

  /// By the points. Without `has_culls` it looks at all of them.
  PointAnswer ask(const float (&p)[3], float most, float least, bool has_culls) const {
    const Vec<F, 3> place = each_axis<F, 3>([&](int k) { return F(p[k]); });
    // If nothing touches for sure, the first point that is near ends the search.
    const bool can_touch = least > 0;
    const F near = F(above(most)), last = can_touch ? F(below(least)) : near;
    bool is_near = false;
    if (!has_culls) {
      for (std::int32_t tile = 0; kMeshTile * tile < points_.count; ++tile) {
        if (!ask_tile(tile, place, near, last, is_near)) continue;
        return can_touch ? PointAnswer::touches : PointAnswer::near;
      }
    } else if (ask_tile(nearest_tile(p), place, near, last, is_near) ||
               tree_.walk(place, near, [&](std::int32_t tile) {
                 return ask_tile(tile, place, near, last, is_near);
               })) {
      return can_touch ? PointAnswer::touches : PointAnswer::near;
    }
    return is_near ? PointAnswer::near : PointAnswer::apart;
  }

 private:
  static constexpr int kLanes = LaneTraits<F>::count;
  /// More than the rounding of what the grid knows, as a share.
  static constexpr float kApartSlack = 0x1p-18f;
  std::int32_t nearest_tile(const float (&p)[3]) const {
    std::int32_t index = 0;
    for (int k = 2; k >= 0; --k) {
      const float last = static_cast<float>(points_.size[k] - 1);
      float cell = (p[k] - points_.first[k]) * points_.inverse;
      cell = cell > 0 ? cell : 0;
      cell = cell < last ? cell : last;
      index = index * points_.size[k] + static_cast<std::int32_t>(cell + 0.5f);
    }
    return points_.nearest[index];
  }

  /// Whether a point of a tile ends the search. Notes if one is near.
  WIDEPHASE_INLINE bool ask_tile(std::int32_t tile, const Vec<F, 3>& p, const F& near,
                                 const F& last, bool& is_near) const {
    const float* const at = tree_.tile_of(0, tile);
    unsigned near_ones = 0, last_ones = 0;
    for (int i = 0; i < kMeshTile; i += kLanes) {
      const Vec<F, 3> d =
          each_axis<F, 3>([&](int k) { return load(at + k * kMeshTile + i) - p[k]; });
      const F square = dot(d, d);
      near_ones |= mask_bits(square <= near);
      last_ones |= mask_bits(square <= last);
    }
    is_near |= near_ones != 0;
    return last_ones != 0;
  }
  TileTree<F> tree_;
  const CheckPoints& points_;
};

}  // namespace
}  // namespace widephase
