// What other engines were seen to get wrong with lines of segments, by the threads that tell it.

#include <gtest/gtest.h>

#include "support/lines.hpp"

namespace widephase::test {
namespace {

/// The tangent of how far contacts look away from the line that is under a place.
template <class T>
double wrong_way(const ContactBuffer<2, T>& contacts, const std::vector<Point2d>& ways) {
  double worst = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    double best = 2;
    for (const Point2d& way : ways) {
      const double x = static_cast<double>(contacts.normal(c, 0)) + way[0];
      const double y = static_cast<double>(contacts.normal(c, 1)) + way[1];
      best = std::min(best, std::hypot(x, y));
    }
    worst = std::max(worst, best);
  }
  return worst;
}

TEST(published_failures_chains, box2d_341_a_polygon_slides_over_a_crest_wherever_the_line_goes_on) {
  // From level ground over vertex B to a slope down and on to D: the polygon was jerked back at B,
  // depending on where D was.
  for (const double d : {-3.0, -1.5, -0.5, 0.5}) {
    for (int step = 0; step <= 80; ++step) {
      Lines<float> lines;
      lines.place(lines.add({{6, d}, {3, -1}, {0, 0}, {-4, 0}}));
      const double x = -2 + 0.05 * step;
      lines.add_shape(Kind::polygon, {x, 0.3}, {0.5, 0.32}, 0.3);
      const Point2d up{0, 1}, slope{std::sin(std::atan(1.0 / 3)), std::cos(std::atan(1.0 / 3))};
      // Normals of the level part, the slope, and at B what is between them.
      const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        EXPECT_GE(-contacts.normal(c, 0), up[0] - 1e-5) << x;
        EXPECT_LE(-contacts.normal(c, 0), slope[0] + 1e-5) << x;
      }
    }
  }
}

TEST(published_failures_chains, box2d_553_wheels_roll_over_sharp_edges_without_jumps) {
  // Teeth of 90 degrees: along them a wheel's normal turns steadily, and its depth has no jump.
  Lines<double> lines;
  const std::int32_t teeth = lines.add({{4, 0}, {3, 1}, {2, 0}, {1, 1}, {0, 0}, {-1, 1}, {-2, 0}});
  double last = 0;
  for (int step = 0; step <= 400; ++step) {
    Lines<double> at = lines;
    at.place(teeth);
    // Over the tooth at (1, 1), 0.3 inside: between the places where the next teeth are met.
    const double x = 0.8 + 0.001 * step, height = 1.7;
    at.add_circle({x, height}, 1.0);
    const ContactBuffer<2, double> contacts = contacts_of(at.scene);
    ASSERT_EQ(contacts.size(), 1u) << x;
    const double expected = 1 - std::hypot(x - 1, 0.7);
    EXPECT_NEAR(contacts.depth[0], expected, 1e-12);
    EXPECT_NEAR(contacts.normal(0, 0), (1 - x) / std::hypot(x - 1, 0.7), 1e-12);
    if (step > 0) {
      EXPECT_LT(std::abs(contacts.normal(0, 0) - last), 0.002);
    }
    last = contacts.normal(0, 0);
  }
}

TEST(published_failures_chains, box2d_607_two_sided_lines_are_smooth_as_well) {
  // There only one-sided edges that are connected at both ends are smooth.
  for (const bool two_sided : {false, true}) {
    for (int step = 0; step <= 100; ++step) {
      Lines<float> lines;
      lines.place(lines.add(line_of({-5, -2, -1, 0, 0.5, 1, 5}, [](double) { return 0.0; }),
                            {.two_sided = two_sided}));
      lines.add_box({-2 + 0.037 * step, 0.199}, {0.3, 0.2});
      const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_LT(wrong_way(contacts, {{0, 1}}), 1e-5);
    }
  }
}

TEST(published_failures_chains, box2d_1016_segments_of_their_own_know_what_is_beyond_their_ends) {
  // Each segment is a chain of its own, which knows one segment on either side.
  for (int step = 0; step <= 100; ++step) {
    Lines<float> lines;
    for (int s = -4; s < 4; ++s) {
      const double x = 0.5 * s;
      lines.place(
          lines.add({{x + 1, 0}, {x + 0.5, 0}, {x, 0}, {x - 0.5, 0}}, {.before = 1, .after = 1}));
    }
    lines.add_circle({-1 + 0.02 * step, 0.29}, 0.3);
    lines.add_box({-1 + 0.02 * step, 0.199}, {0.1, 0.2}, 0.01);
    lines.scene.circles.owner = lines.scene.boxes.owner = {0};  // they do not meet
    const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
    EXPECT_LT(wrong_way(contacts, {{0, 1}}), 0.0101) << step;
    int of_circle = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (contacts.pair[c].a == 0 && contacts.pair[c].b >= lines.chain_id()) ++of_circle;
    }
    // Over a joint both segments may say the same.
    EXPECT_GE(of_circle, 1) << step;
    EXPECT_LE(of_circle, 2) << step;
  }
}

TEST(published_failures_chains, avian_612_a_floor_of_chains_has_no_seams) {
  // Flush colliders of one body trip what slides over them: as loops with what is beside them.
  for (int step = 0; step <= 60; ++step) {
    Lines<float> lines;
    lines.place(lines.add({{-3, -1}, {0, -1}, {3, -1}, {3, 0}, {1, 0}, {0, 0}, {-1, 0}, {-3, 0}},
                          {.loop = true}));
    lines.add_box({-1.5 + 0.05 * step, 0.195}, {0.4, 0.2});
    const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_LT(wrong_way(contacts, {{0, 1}}), 1e-5);
    EXPECT_NEAR(contacts.depth[0], 0.005f, 1e-6f);
  }
}

}  // namespace
}  // namespace widephase::test
