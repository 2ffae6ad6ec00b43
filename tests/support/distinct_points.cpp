#include "support/distinct_points.hpp"

#include "support/features3.hpp"

namespace widephase::test {

namespace {

/// The corners of a box's feature, as bits for the upper sides, without the bits of axes along
/// which the box has no extent.
template <int D>
std::set<int> different_corners(Feature kind, int index, int wide_axes) {
  std::set<int> corners;
  for (int corner = 0; corner < 1 << D; ++corner) {
    bool is_own = corner == index;
    if (kind == Feature::face) is_own = (corner >> index / 2 & 1) == index % 2;
    if (kind == Feature::edge) {
      const int below = (1 << index / 4) - 1;  // axes before the edge's axis
      is_own = ((corner & below) | (corner >> 1 & ~below)) == index % 4;
    }
    if (is_own) corners.insert(corner & wide_axes);
  }
  return corners;
}

/// Numbers that differ unless two features of a cylinder or cone are in the same place: first and
/// last end, then, if the radius is not 0, the feature without its end.
std::array<int, 4> cylinder_place(const Solid<3>& solid, Feature kind, int index) {
  std::array<int, 4> place{0, 1, static_cast<int>(kind), 0};  // the side, or a line on it
  const auto put = [&](int end, int number) { place = {end, end, static_cast<int>(kind), number}; };
  if (kind == Feature::face && index < 2) put(index, 1);
  if (kind == Feature::vertex && index >= kSideEnds) put(index - kSideEnds, kRimPoints);
  if (kind == Feature::edge && index >= kRimCrossings) {
    put((index - kRimCrossings) / 2, kRimPoints + (index - kRimCrossings) % 2);
  }
  if ((kind == Feature::vertex || kind == Feature::edge) && index < 2 * kRimPoints) {
    put(index / kRimPoints, index % kRimPoints);
  }
  // A cone's apex is one point.
  if (solid.kind == Kind::cone && place[0] == 1 && place[1] == 1) place[2] = place[3] = 0;
  if (!(solid.q[2] > 0)) place[0] = place[1] = 0;
  if (!(solid.size > 0)) place[2] = place[3] = 0;
  return place;
}

}  // namespace

template <int D>
bool is_one_place(const Solid<D>& solid, std::uint32_t first, std::uint32_t second) {
  if (first == second) return true;
  const auto kind = [](std::uint32_t half) { return static_cast<Feature>(half >> 14); };
  const auto index = [](std::uint32_t half) { return static_cast<int>(half & 0x3fff); };
  if (solid.kind == Kind::capsule) {
    for (int k = 0; k < D; ++k) {
      if (solid.p[k] != solid.q[k]) return false;
    }
    return true;
  }
  if (solid.kind == Kind::aabb || solid.kind == Kind::box) {
    int wide_axes = 0;
    for (int k = 0; k < D; ++k) {
      const double low = solid.kind == Kind::aabb ? solid.p[k] : -solid.q[k];
      if (solid.q[k] > low) wide_axes |= 1 << k;
    }
    return different_corners<D>(kind(first), index(first), wide_axes) ==
           different_corners<D>(kind(second), index(second), wide_axes);
  }
  if constexpr (D == 3) {
    if (solid.kind == Kind::cylinder || solid.kind == Kind::cone) {
      return cylinder_place(solid, kind(first), index(first)) ==
             cylinder_place(solid, kind(second), index(second));
    }
  }
  return false;
}

#define WIDEPHASE_INSTANTIATE(D) \
  template bool is_one_place<D>(const Solid<D>& solid, std::uint32_t first, std::uint32_t second)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
