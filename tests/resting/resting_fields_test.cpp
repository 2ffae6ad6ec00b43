// Boxes at rest on a height field that leans a little, step after step with a little noise: each
// stands on three points or more, and its points last.
// Labels: dated

#include <gtest/gtest.h>

#include <widephase/tracker.hpp>

#include "reference/scaled.hpp"
#include "support/ground.hpp"

namespace widephase::test {
namespace {

constexpr int kSteps = 5;

struct Tally {
  std::size_t contacts = 0;
  std::size_t few = 0;      ///< contacts with fewer than three points
  std::size_t others = 0;   ///< boxes with other than one contact
  std::size_t points = 0;   ///< of all steps after the first
  std::size_t unknown = 0;  ///< points without a past
};

Quat times(const Quat& a, const Quat& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
/// A small turn about an axis in the plane, or about any.
Quat small_turn(double x, double y, double z) {
  return {x / 2, y / 2, z / 2, std::sqrt(1 - (x * x + y * y + z * z) / 4)};
}

/// `count` boxes 0.002 deep in a field that rises by `lean` along x and half of it along y.
template <class T>
Tally step(double lean, double cell, std::size_t count, double noise, double steadiness) {
  Random random(77);
  const double angle = std::atan(lean);
  const Quat upright = times(small_turn(0, -angle, 0), small_turn(angle / 2, 0, 0));
  struct Place {
    double x, y, yaw;
    std::array<double, 3> half;
  };
  std::vector<Place> places(count);
  for (Place& place : places) {
    place = {random.uniform(2, 30), random.uniform(2, 30), random.uniform(0, 6), {}};
    for (double& half : place.half) half = random.uniform(0.2, 1);
  }
  const int samples = static_cast<int>(32 / cell) + 1;
  Tracker<3, T> tracker;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  Tally tally;
  for (int s = 0; s < kSteps; ++s) {
    Ground<T> ground;
    for (const Place& place : places) {
      const auto shake = [&] { return random.uniform(-noise, noise); };
      const Quat yaw{0, 0, std::sin(place.yaw / 2), std::cos(place.yaw / 2)};
      const Quat turn = times(small_turn(shake(), shake(), shake()), times(upright, yaw));
      const std::array<double, 3> up = turned(turn, {0, 0, place.half[2]});
      const double height = lean * (place.x + 0.5 * place.y) - 0.002;
      ground.add_box(
          {place.x + up[0] + shake(), place.y + up[1] + shake(), height + up[2] + shake()},
          place.half, turn);
    }
    ground.place_field(ground.add_field(samples, samples, cell, [&](int row, int column) {
      return lean * cell * (column + 0.5 * row);
    }));
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i) {
      pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(count)});
    }
    CollideOptions options;
    options.margin = 0.02;
    options.steadiness = steadiness;
    collide_pairs<3, T>(ground.scene, pairs, contacts, workspace, tracker, options);
    tally.contacts += contacts.size();
    std::vector<int> of_box(count);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      ++of_box[static_cast<std::size_t>(contacts.source[c])];
      if (contacts.offset[c + 1] - contacts.offset[c] < 3) ++tally.few;
    }
    for (const int n : of_box) tally.others += n != 1 ? 1u : 0u;
    if (s == 0) continue;
    tally.points += contacts.point_count();
    for (const std::int64_t last : tracker.last_point()) tally.unknown += last < 0 ? 1u : 0u;
  }
  return tally;
}

template <class T>
void expect_rest(double steadiness) {
  for (const double lean : {0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double cell : {1.0, 0.25}) {
      SCOPED_TRACE(testing::Message() << "lean " << lean << " cell " << cell);
      const Tally tally = step<T>(lean, cell, scaled(400, 60), 1e-4, steadiness);
      EXPECT_EQ(tally.others, 0u);
      EXPECT_LE(double(tally.few), 0.001 * double(tally.contacts)) << "of " << tally.contacts;
      EXPECT_LE(double(tally.unknown), 0.01 * double(tally.points)) << "of " << tally.points;
    }
  }
}

TEST(resting_fields, boxes_stand_on_three_points_that_last) {
  expect_rest<float>(0);
  expect_rest<double>(0);
  expect_rest<Mixed>(0);
}
TEST(resting_fields, boxes_stand_so_with_steadiness) {
  expect_rest<float>(0.001);
  expect_rest<double>(0.001);
}

}  // namespace
}  // namespace widephase::test
