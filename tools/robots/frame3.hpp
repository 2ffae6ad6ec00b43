#pragma once

// Frames in space as files of robots write them.

#include <array>

namespace widephase::tools {

using Vector3 = std::array<double, 3>;
/// x y z w
using Quaternion = std::array<double, 4>;

/// A frame in another: where its origin is, and how it is turned (a unit quaternion).
struct Frame3 {
  Vector3 position{};
  Quaternion orientation{0, 0, 0, 1};
};

Vector3 sum(const Vector3& a, const Vector3& b);
Vector3 difference(const Vector3& a, const Vector3& b);
Vector3 scaled(const Vector3& vector, double factor);
Vector3 cross(const Vector3& a, const Vector3& b);
double dot(const Vector3& a, const Vector3& b);
/// The length of any finite vector: squares that overflow or underflow are scaled before.
double length(const Vector3& vector);
/// The vector with unit length; a vector of no length stays as it is.
Vector3 normalized(const Vector3& vector);

/// `b` first, then `a`.
Quaternion product(const Quaternion& a, const Quaternion& b);
/// The quaternion with unit length; a quaternion of no length stays as it is.
Quaternion normalized(const Quaternion& quaternion);
Vector3 turned(const Quaternion& turn, const Vector3& vector);

/// A frame that is given in `outer`, in the frame that `outer` is given in.
Frame3 product(const Frame3& outer, const Frame3& inner);
Vector3 moved(const Frame3& frame, const Vector3& point);

/// Whether an angle in radians says a direction. Beyond 2^50 it says none, and no turn is made of
/// it.
bool has_direction(double angle);
/// By `angle` radians about an axis of any length above 0. Sine and cosine are our own, so that a
/// converted file has the same bits on every machine.
Quaternion turn_about(const Vector3& axis, double angle);
/// About the fixed axes x, y and z, in this order (roll, pitch, yaw).
Quaternion turn_of_rpy(const Vector3& angles);
/// Takes z to `direction` (not 0) by the least turn; straight down about x.
Quaternion turn_of_z(const Vector3& direction);
/// Takes x to the direction of `x`, y to that of what is left of `y` across it.
Quaternion turn_of_axes(const Vector3& x, const Vector3& y);

}  // namespace widephase::tools
