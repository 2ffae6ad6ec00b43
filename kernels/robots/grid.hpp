#pragma once

// A grid whose cells know how far what is around is at least, and so bounds that distance for every
// place by the triangle inequality: one look for any number of obstacles.
// Cost: some 30 operations per place, and a number of the grid.

#include "kernels/lanes/vec.hpp"
#include "kernels/robot_table.hpp"

namespace widephase {
namespace {

/// A relative margin for the few roundings of a squared distance.
inline constexpr float kSquareSlack = 0x1p-18f;

/// What squares may lose to numbers that have lost digits.
inline constexpr float kSquareFloor = 1e-36f;

/// A squared length that no smaller distance reaches.
WIDEPHASE_INLINE float above(float length) {
  return length * length * (1 + kSquareSlack) + kSquareFloor;
}
/// A squared length that no larger distance is within; below 0 for lengths that are not positive,
/// or whose squares have lost digits.
WIDEPHASE_INLINE float below(float length) {
  return length > 1e-18f ? length * length * (1 - kSquareSlack) : -1.0f;
}

template <class F>
class GridSearch {
 public:
  explicit GridSearch(const CheckGrid& grid) : grid_(grid) {}

  /// The cell of a place. Numbers are read for many places at once, so that none waits for memory:
  /// `look` puts what the grid knows in the place of the cells.
  WIDEPHASE_INLINE F cell_of(const Vec<F, 3>& p) const {
    const Vec<F, 3> cell = cells_of(inside(p));
    return (cell[2] * F(static_cast<float>(grid_.size[1])) + cell[1]) *
               F(static_cast<float>(grid_.size[0])) +
           cell[0];
  }
  void look(float* cells, std::size_t count) const {
    const std::uint16_t* const apart = grid_.apart;
    const float unit = grid_.unit;
    for (std::size_t i = 0; i < count; ++i) {
      cells[i] = static_cast<float>(apart[static_cast<std::int32_t>(cells[i])]) * unit;
    }
  }

  /// Lanes of `asked` of which something may be within `most` by what the grid knows.
  WIDEPHASE_INLINE unsigned near(const Vec<F, 3>& p, const F& known, float most,
                                 unsigned asked) const {
    // Wherever in its cell; this suffices for most.
    const unsigned left = asked & mask_bits(known <= F(most + grid_.reach));
    if (left == 0) return 0;
    // Nothing outside of the box counts, so a place outside is not nearer than the box's nearest
    // one, nor nearer than that is to what it is near to.
    const Vec<F, 3> nearest = inside(p), beyond = p - nearest, way = nearest - middle_of(nearest);
    const F room = known - F(most);
    const unsigned is_apart =
        mask_bits(((room > F(0)) & (dot(way, way) <= room * room * F(1 - kSquareSlack))) |
                  (dot(beyond, beyond) > F(above(most))));
    return left & ~is_apart;
  }
  /// Also of lanes that nobody asks, whose places may be no numbers.
  WIDEPHASE_INLINE Vec<F, 3> inside(const Vec<F, 3>& p) const {
    return each_axis<F, 3>(
        [&](int k) { return lesser(greater(F(grid_.low[k]), p[k]), F(grid_.high[k])); });
  }
  /// Along each axis the cell whose middle is nearest, or about so.
  WIDEPHASE_INLINE Vec<F, 3> cells_of(const Vec<F, 3>& p) const {
    return each_axis<F, 3>([&](int k) {
      const F cells = (p[k] - F(grid_.first[k])) * F(grid_.inverse);
      const F in_grid = clamp(cells, F(0), F(static_cast<float>(grid_.size[k] - 1)));
      return (in_grid + F(kRounder)) - F(kRounder);
    });
  }
  WIDEPHASE_INLINE Vec<F, 3> middle_of(const Vec<F, 3>& p) const {
    const Vec<F, 3> cell = cells_of(p);
    return each_axis<F, 3>([&](int k) { return F(grid_.first[k]) + cell[k] * F(grid_.step); });
  }

 private:
  /// Added to a number below 2^22 and taken away, it leaves the nearest whole number.
  static constexpr float kRounder = 0x1p23f;

  const CheckGrid& grid_;
};

}  // namespace
}  // namespace widephase
