#include "tools/robots/frame3.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "soa/turn.hpp"

namespace widephase::tools {

namespace {

/// Scales a vector by a power of two so that its largest component is from 1/2 to 1. No digit
/// changes, and squares neither overflow nor underflow. A vector that is 0 or not finite stays as
/// it is.
template <std::size_t N>
struct Scaled {
  std::array<double, N> part;
  int power = 0;

  explicit Scaled(const std::array<double, N>& vector) : part(vector) {
    double largest = 0;
    for (const double value : vector) largest = std::max(largest, std::abs(value));
    std::frexp(largest, &power);
    if (!std::isfinite(largest) || largest == 0) power = 0;
    for (double& value : part) value = std::ldexp(value, -power);
  }
};

}  // namespace

Vector3 sum(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 difference(const Vector3& a, const Vector3& b) { return sum(a, scaled(b, -1)); }
Vector3 scaled(const Vector3& vector, double factor) {
  return {vector[0] * factor, vector[1] * factor, vector[2] * factor};
}
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector3& vector) {
  const Scaled<3> near_one(vector);
  return std::ldexp(std::sqrt(dot(near_one.part, near_one.part)), near_one.power);
}
Vector3 normalized(const Vector3& vector) {
  if (vector == Vector3{}) return vector;
  const Vector3 near_one = Scaled<3>(vector).part;
  return scaled(near_one, 1 / length(near_one));
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  const auto [ax, ay, az, aw] = a;
  const auto [bx, by, bz, bw] = b;
  return {aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
          aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz};
}

Quaternion normalized(const Quaternion& quaternion) {
  Quaternion unit = Scaled<4>(quaternion).part;
  double square = 0;
  for (const double value : unit) square += value * value;
  if (square == 0) return quaternion;
  for (double& value : unit) value /= std::sqrt(square);
  return unit;
}

Vector3 turned(const Quaternion& turn, const Vector3& vector) {
  const Turn3<double> axes = turn_of<double>(turn);
  Vector3 result{};
  for (std::size_t j = 0; j < 3; ++j) result = sum(result, scaled(axes.column[j], vector[j]));
  return result;
}

Frame3 product(const Frame3& outer, const Frame3& inner) {
  return {moved(outer, inner.position), normalized(product(outer.orientation, inner.orientation))};
}

Vector3 moved(const Frame3& frame, const Vector3& point) {
  return sum(frame.position, turned(frame.orientation, point));
}

bool has_direction(double angle) { return std::abs(angle) <= kMostAngle; }

Quaternion turn_about(const Vector3& axis, double angle) {
  const Turn2<double> half = turn_of(angle / 2);
  const Vector3 near_one = Scaled<3>(axis).part;
  const Vector3 part = scaled(near_one, half.sine / length(near_one));
  return {part[0], part[1], part[2], half.cosine};
}

Quaternion turn_of_rpy(const Vector3& angles) {
  return product(turn_about({0, 0, 1}, angles[2]),
                 product(turn_about({0, 1, 0}, angles[1]), turn_about({1, 0, 0}, angles[0])));
}

Quaternion turn_of_z(const Vector3& direction) {
  // The rotation by the angle t from z to d is (z x d, 1 + z . d), normalized, because sin t = 2
  // sin(t/2) cos(t/2) and 1 + cos t = 2 cos^2(t/2).
  const Vector3 unit = normalized(direction);
  const Vector3 across = cross({0, 0, 1}, unit);
  if (across == Vector3{}) return unit[2] > 0 ? Quaternion{0, 0, 0, 1} : Quaternion{1, 0, 0, 0};
  // Near straight down, 1 + z . d has few correct digits; |z x d|^2 / (1 - z . d) has all.
  const double cosine = unit[2];
  const double raised = cosine > 0 ? 1 + cosine : dot(across, across) / (1 - cosine);
  return normalized({across[0], across[1], across[2], raised});
}

Quaternion turn_of_axes(const Vector3& x, const Vector3& y) {
  const Vector3 e0 = normalized(x);
  const Vector3 near_one = Scaled<3>(y).part;
  const Vector3 e1 = normalized(difference(near_one, scaled(e0, dot(e0, near_one))));
  const Vector3 e2 = cross(e0, e1);
  // Shepperd's method (J. Guidance and Control 1, 1978): take the root of the largest of the four.
  const double m[3][3] = {{e0[0], e1[0], e2[0]}, {e0[1], e1[1], e2[1]}, {e0[2], e1[2], e2[2]}};
  const double trace = m[0][0] + m[1][1] + m[2][2];
  std::size_t largest = 3;
  double most = trace;
  for (std::size_t k = 0; k < 3; ++k) {
    if (m[k][k] > most) most = m[largest = k][k];
  }
  Quaternion q{};
  if (largest == 3) {
    q = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace};
  } else {
    const std::size_t i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + m[i][i] - m[j][j] - m[k][k];
    q[j] = m[j][i] + m[i][j];
    q[k] = m[k][i] + m[i][k];
    q[3] = m[k][j] - m[j][k];
  }
  return normalized(q);
}

}  // namespace widephase::tools
