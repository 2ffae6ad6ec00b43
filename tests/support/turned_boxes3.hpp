#pragma once

// Oriented boxes in 3D whose contacts can be derived by reading.
//
// Most boxes are rotated by half a turn about (3, 1, 2): their own axes are x' = (2, 3, 6) / 7, y'
// = (3, -6, 2) / 7 and z' = (6, 2, -3) / 7, and u x' + v y' + w z' is written [u, v, w]. Boxes that
// touch exactly stand upright or lie on a side, so that they touch in every precision.
//
// Each case is run in both orders: a point of A, moved back by its depth, is a point of B.

#include <cmath>
#include <utility>
#include <vector>

#include "support/expect.hpp"

namespace widephase::test {

/// The quaternion x, y, z, w, scaled to unit length.
inline Quaternion unit(double x, double y, double z, double w) {
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {x / length, y / length, z / length, w / length};
}

inline const double kHalfRoot = std::sqrt(0.5);
inline const Quaternion kUpright{0, 0, 0, 1};
inline const Quaternion kLean = unit(3, 1, 2, 0);
/// x' = y, y' = z, z' = x: half extents 1, 2, 3 reach 3 along x, 1 along y and 2 along z.
inline const Quaternion kOnSide{0.5, 0.5, 0.5, 0.5};

/// [u, v, w] as x, y and z.
inline Point<3> lean(double u, double v, double w) {
  return {(2 * u + 3 * v + 6 * w) / 7, (3 * u - 6 * v + 2 * w) / 7, (6 * u + 2 * v - 3 * w) / 7};
}
/// (2, 3, 6), which has length 7, as a unit vector.
inline const Point<3> kSevenths{2. / 7, 3. / 7, 6. / 7};

inline const Solid<3> kCube = aabb<3>({-1, -1, -1}, {1, 1, 1});
inline const Solid<3> kBlock = box({0, 0, 0}, kLean, {1, 2, 3});  // [-1, -2, -3] to [1, 2, 3]
inline const Point<3> kLeanDown = lean(0, 0, -1);
inline const Point<3> kLeanUp = lean(0, 0, 1);

inline Answer<3> mirrored(Answer<3> answer) {
  for (std::size_t i = 0; i < answer.points.size(); ++i) {
    const double depth = answer.point_depths.empty() ? answer.depth : answer.point_depths[i];
    for (int k = 0; k < 3; ++k) answer.points[i][k] -= depth * answer.normal[k];
  }
  for (double& value : answer.normal) value = 0 - value;
  return answer;
}

inline void expect_both_ways(const Solid<3>& a, const Solid<3>& b, const Answer<3>& answer,
                             double margin = 0) {
  expect_contact(a, b, answer, margin);
  SCOPED_TRACE("the other way round");
  expect_contact(b, a, mirrored(answer), margin);
}

inline constexpr std::uint32_t kWhole = 0;
inline std::uint32_t vertex(int index) { return feature_half(Feature::vertex, index); }
inline std::uint32_t edge(int index) { return feature_half(Feature::edge, index); }
inline std::uint32_t face(int index) { return feature_half(Feature::face, index); }

/// The features of the points, of A and of B, in ascending order.
using Features = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

inline void expect_features(const Solid<3>& a, const Solid<3>& b, const Features& features,
                            double margin = 0) {
  ask(a, b, margin,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>&, const Solid<3>&) {
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        Features found;
        for (const std::uint32_t feature : contact.features) {
          found.emplace_back(feature >> 16, feature & 0xffff);
        }
        EXPECT_EQ(found, features) << describe(contact);
      });
}

}  // namespace widephase::test
