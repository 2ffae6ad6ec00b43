// Contacts with edges that a surface does not have: none on ground that is level, tilted by a hair
// or by much, and over curved ground exactly the local minima of a ball's distance. The scenes are
// those of the table of ghosts in docs/benchmarks.md.
// Labels: optimized dated

#include <gtest/gtest.h>

#include "support/surface_answers.hpp"

namespace widephase::test {
namespace {

struct Ghosts {
  std::size_t contacts = 0, wrong = 0, several = 0, none = 0, few_points = 0;
};

/// Shapes at rest on a plane of cells of 0.1, 0.001 to 0.01 deep, at any yaw; capsules and boxes
/// lean by up to 0.03 from it.
template <class T>
Ghosts ghosts_on_plane(Kind kind, double slope, double most_lean, std::size_t count) {
  Random random(900);
  PlacedField field =
      level_field(height_samples(65, 65, {0.1, 0.1}, [&](double x, double) { return slope * x; }));
  field = stored<T>(field);
  const double angle = std::atan(slope);
  const Quaternion ground = about({0, 1, 0}, -angle);
  const Vec<3> up{static_cast<Real>(-std::sin(angle)), 0, static_cast<Real>(std::cos(angle))};
  std::vector<Solid<3>> solids;
  for (std::size_t i = 0; i < count; ++i) {
    const Quaternion yaw = about({0, 0, 1}, random.uniform(-3.2, 3.2));
    const Quaternion lean = about({0, 1, 0}, random.uniform(-1, 1) * most_lean);
    const Quaternion turn = product(ground, product(yaw, lean));
    Solid<3> solid = ball<3>({0, 0, 0}, random.uniform(0.05, 0.1));
    if (kind == Kind::capsule) {
      const Point<3> end = rotated(turn, {0.1, 0, 0});
      solid = capsule<3>({-end[0], -end[1], -end[2]}, end, random.uniform(0.04, 0.06));
    } else if (kind == Kind::box) {
      solid = box({0, 0, 0}, turn, random.point<3>(0.05, 0.15));
    }
    const double x = random.uniform(1, 5), y = random.uniform(1, 5);
    const double low = static_cast<double>(core_support(solid, times(up, -1)) + radius_of(solid));
    const double height = low - random.uniform(0.001, 0.01);
    solid = moved(solid, {x + static_cast<double>(up[0]) * height, y,
                          slope * x + static_cast<double>(up[2]) * height});
    solids.push_back(stored<T>(solid));
  }
  Ghosts ghosts;
  for (const auto& patches : ask_all<T>(field, solids)) {
    ghosts.contacts += patches.size();
    ghosts.several += patches.size() > 1 ? 1u : 0u;
    ghosts.none += patches.empty() ? 1u : 0u;
    for (const auto& patch : patches) {
      // By more than 2.6 degrees.
      ghosts.wrong += -dot(patch.normal, up) < 0.999L ? 1u : 0u;
      ghosts.few_points += patch.points.size() < 3 ? 1u : 0u;
    }
  }
  return ghosts;
}

constexpr std::array kKinds{Kind::sphere, Kind::capsule, Kind::box};

TEST(ghost_contacts, a_plane_of_triangles_has_the_normal_of_the_plane) {
  for (const Kind kind : kKinds) {
    for (const double slope : {0.0, 1e-6, 1e-4, 1e-2, 0.3, 1.5}) {
      SCOPED_TRACE(std::string(kind_name(kind, 3)) + " slope " + std::to_string(slope));
      const std::size_t count = scaled(2000, 100);
      const Ghosts ghosts = ghosts_on_plane<float>(kind, slope, 0.03, count);
      EXPECT_EQ(ghosts.wrong, 0u);
      EXPECT_EQ(ghosts.several, 0u);
      EXPECT_EQ(ghosts.none, 0u);
      EXPECT_EQ(ghosts.contacts, count);
      EXPECT_EQ(ghosts_on_plane<double>(kind, slope, 0.03, count / 4).wrong, 0u);
    }
  }
}

TEST(ghost_contacts, boxes_at_rest_have_three_points_or_four) {
  // Tilted by 1e-6 to 1e-2 against the ground or with it: at most one in a thousand has fewer.
  const std::size_t count = scaled(2000, 100);
  for (const double slope : {0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double lean : {0.0, 1e-6, 1e-4, 1e-2}) {
      SCOPED_TRACE(std::to_string(slope) + " " + std::to_string(lean));
      EXPECT_LE(ghosts_on_plane<float>(Kind::box, slope, lean, count).few_points, count / 1000);
      EXPECT_EQ(ghosts_on_plane<double>(Kind::box, slope, lean, count / 4).few_points, 0u);
    }
  }
}

/// Over curved ground: every local minimum of the distance has a patch, and every patch one.
template <class T>
void expect_local_minima(Ground ground, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const PlacedField field = stored<T>(random_field(random, ground));
  const HeightSamples& samples = field.samples;
  const Surface surface = surface_of(samples);
  std::vector<Solid<3>> solids;
  while (solids.size() < count) {
    const double x = random.uniform(0, 1) * samples.cell[0] * double(samples.columns - 1);
    const double y = random.uniform(0, 1) * samples.cell[1] * double(samples.rows - 1);
    const double height = height_at(samples, x, y);
    if (std::isnan(height)) continue;
    const double radius = field.unit * random.uniform(0.3, 2);
    const Point<3> at = field.placed({x, y, height + radius * random.uniform(0.5, 1.2)});
    solids.push_back(stored<T>(ball<3>(at, radius)));
  }
  CollideOptions options;
  options.patch_angle = 0;
  const auto answers = ask_all<T>(field, solids, options);
  const Real turn = sizeof(SizeOf<T>) == 4 ? 2e-3L : 1e-6L;
  std::size_t places = 0, missed = 0, extra = 0;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const Vec<3> center = field.local(widened(solids[i].p));
    const Real radius = solids[i].size;
    const Real length_tolerance =
        (sizeof(SizeOf<T>) == 4 ? 3e-6L : 1e-11L) * (radius + length(center));
    const auto found = ball_places(surface, center, turn);
    const auto is_of = [&](const PatchAnswer<T>& patch, const BallPlace& place) {
      const Vec<3> way = times(minus(place.point, center), 1 / place.distance);
      const Vec<3> normal = along_axes(field.axes(), patch.normal);
      return length(minus(way, normal)) <= turn &&
             std::abs(radius - place.distance - patch.depth) <= length_tolerance;
    };
    for (const BallPlace& place : found) {
      if (place.slack > 0 || place.distance > radius - length_tolerance) continue;
      ++places;
      missed += std::ranges::none_of(answers[i], [&](const auto& p) { return is_of(p, place); });
    }
    for (const PatchAnswer<T>& patch : answers[i]) {
      extra += std::ranges::none_of(found, [&](const auto& place) { return is_of(patch, place); });
    }
  }
  EXPECT_GT(places, count / 2);
  EXPECT_EQ(missed, 0u) << "of " << places;
  EXPECT_EQ(extra, 0u) << "of " << places;
}

TEST(ghost_contacts, balls_meet_exactly_the_local_minima_of_the_distance) {
  for (const Ground ground : {Ground::hills, Ground::bumpy, Ground::saddle, Ground::valley,
                              Ground::ridge, Ground::stairs, Ground::slight, Ground::holes}) {
    SCOPED_TRACE(name_of(ground));
    for (std::uint64_t seed = 910; seed < 914; ++seed) {
      expect_local_minima<float>(ground, scaled(300, 40), seed);
      expect_local_minima<double>(ground, scaled(100, 20), seed);
    }
  }
}

}  // namespace
}  // namespace widephase::test
