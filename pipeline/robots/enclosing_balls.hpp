#pragma once

// Balls around the shapes of a robot.

#include <array>
#include <cmath>
#include <vector>

namespace widephase {

inline double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const std::array<double, 3>& a) { return std::sqrt(dot(a, a)); }
inline std::array<double, 3> plus(const std::array<double, 3>& a, double factor,
                                  const std::array<double, 3>& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// A ball in the frame of a body: whatever touches the one of radius `least` touches the shape,
/// which is in those of radius `most`.
struct Ball {
  std::array<double, 3> center;
  double least, most;
};

/// A small ball around others: the centre goes toward the farthest one by shorter and shorter
/// steps (Badoiu and Clarkson 2003).
Ball enclosing(const std::vector<Ball>& balls);

/// At most `most` balls around the slices of a hull across its longest way, with those inside of
/// the hull that have the same centres.
std::vector<Ball> balls_of_hull(const std::vector<std::array<double, 3>>& vertices, int most);

}  // namespace widephase
