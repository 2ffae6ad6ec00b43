#pragma once

// Frames in 3D as robot files describe them.

#include <array>

namespace widephase::tools {

using Vector3 = std::array<double, 3>;
/// x y z w
using Quaternion = std::array<double, 4>;

/// A frame within another: the position of its origin, and its orientation (a unit quaternion).
struct Frame3 {
  Vector3 position{};
  Quaternion orientation{0, 0, 0, 1};
};

Vector3 sum(const Vector3& a, const Vector3& b);
Vector3 difference(const Vector3& a, const Vector3& b);
Vector3 scaled(const Vector3& vector, double factor);
Vector3 cross(const Vector3& a, const Vector3& b);
double dot(const Vector3& a, const Vector3& b);
/// The length of any finite vector. Scales first if squares would overflow or underflow.
double length(const Vector3& vector);
/// The vector scaled to unit length; a zero vector stays as it is.
Vector3 normalized(const Vector3& vector);

/// The rotation `b` followed by `a`.
Quaternion product(const Quaternion& a, const Quaternion& b);
/// The quaternion scaled to unit length; a zero quaternion stays as it is.
Quaternion normalized(const Quaternion& quaternion);
Vector3 turned(const Quaternion& turn, const Vector3& vector);

/// Converts a frame given in `outer` to the frame in which `outer` is given.
Frame3 product(const Frame3& outer, const Frame3& inner);
Vector3 moved(const Frame3& frame, const Vector3& point);

/// Whether an angle in radians still determines a direction. Beyond 2^50 it does not, and no
/// rotation is computed from it.
bool has_direction(double angle);
/// Rotates by `angle` radians about an axis of any length above 0. Uses our own sine and cosine, so
/// that a converted file has the same bits on every machine.
Quaternion turn_about(const Vector3& axis, double angle);
/// Rotates about the fixed axes x, y and z, in this order (roll, pitch, yaw).
Quaternion turn_of_rpy(const Vector3& angles);
/// Rotates z to `direction` (not 0) by the smallest angle; straight down, about x.
Quaternion turn_of_z(const Vector3& direction);
/// Rotates x to the direction of `x`, and y to the part of `y` perpendicular to it.
Quaternion turn_of_axes(const Vector3& x, const Vector3& y);

}  // namespace widephase::tools
