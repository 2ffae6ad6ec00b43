#include "tools/formats/cut_face.hpp"

#include <algorithm>
#include <cmath>

namespace widephase::tools {

namespace {

using Flat = std::array<double, 2>;

/// Twice the area of a triangle, positive if it is counter-clockwise.
double turn(const Flat& a, const Flat& b, const Flat& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The corners seen from the front, along the axis that is nearest to the normal. The normal is
/// Newell's, the sum of all edges' parts.
std::vector<Flat> seen_from_front(const std::vector<std::array<double, 3>>& points,
                                  std::span<const std::int32_t> corners) {
  const auto at = [&](std::size_t i) { return points[static_cast<std::size_t>(corners[i])]; };
  std::array<double, 3> normal{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto p = at(i), q = at((i + 1) % corners.size()), base = at(0);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
      normal[k] += (p[u] - base[u]) * (q[v] - base[v]) - (p[v] - base[v]) * (q[u] - base[u]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::fabs(normal[k]) > std::fabs(normal[axis])) axis = k;
  }
  const double side = normal[axis] < 0 ? -1 : 1;
  std::vector<Flat> flat;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    flat.push_back({at(i)[(axis + 1) % 3], side * at(i)[(axis + 2) % 3]});
  }
  return flat;
}

/// Cuts ears: corners whose triangle with both neighbours has no other corner in it (Meisters,
/// Polygons Have Ears, 1975).
class EarCutter {
 public:
  explicit EarCutter(std::vector<Flat> corners) : corners_(std::move(corners)) {
    for (std::size_t i = 0; i < corners_.size(); ++i) left_.push_back(i);
    for (std::size_t place = 0; place < left_.size(); ++place) is_ear_.push_back(test(place));
  }

  /// Calls visit(before, corner, after) for each triangle.
  template <class Visit>
  void cut(const Visit& visit) {
    while (left_.size() > 3) {
      // Without an ear the face crosses itself or has no area; then any corner does.
      const auto ear = std::ranges::find(is_ear_, true);
      const auto place =
          ear == is_ear_.end() ? std::size_t{0} : static_cast<std::size_t>(ear - is_ear_.begin());
      visit(left_[before(place)], left_[place], left_[after(place)]);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
      is_ear_.erase(is_ear_.begin() + static_cast<std::ptrdiff_t>(place));
      // Only the neighbours' triangles change: a face takes a number of tests that is linear.
      const std::size_t next = place % left_.size();
      is_ear_[before(next)] = test(before(next));
      is_ear_[next] = test(next);
    }
    visit(left_[0], left_[1], left_[2]);
  }

 private:
  std::size_t before(std::size_t place) const { return (place + left_.size() - 1) % left_.size(); }
  std::size_t after(std::size_t place) const { return (place + 1) % left_.size(); }

  bool test(std::size_t place) const {
    const Flat &a = corners_[left_[before(place)]], &b = corners_[left_[place]],
               &c = corners_[left_[after(place)]];
    if (!(turn(a, b, c) > 0)) return false;
    return std::ranges::none_of(left_, [&](std::size_t other) {
      const Flat& p = corners_[other];
      if (p == a || p == b || p == c) return false;
      return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
    });
  }

  std::vector<Flat> corners_;
  std::vector<std::size_t> left_;
  std::vector<bool> is_ear_;  ///< for each of `left_`
};

}  // namespace

void cut_face(const std::vector<std::array<double, 3>>& points,
              std::span<const std::int32_t> corners,
              std::vector<std::array<std::int32_t, 3>>& triangles) {
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    triangles.push_back({corners[a], corners[b], corners[c]});
  };
  if (corners.size() == 3) return add(0, 1, 2);
  EarCutter(seen_from_front(points, corners)).cut(add);
}

}  // namespace widephase::tools
