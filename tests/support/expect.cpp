#include "support/expect.hpp"

namespace widephase::test {

template <int D>
void expect_apart(const Solid<D>& a, const Solid<D>& b, double margin, Methods methods) {
  const bool never_meets = a.kind == Kind::halfspace && b.kind == Kind::halfspace;
  if (!never_meets) {
    EXPECT_LT(static_cast<double>(reference_of(a, b).depth), -margin);
  }
  ask(
      a, b, margin,
      [](const auto& contacts, const auto&, const auto&) {
        EXPECT_EQ(contacts.size(), 0u);
        EXPECT_EQ(contacts.point_count(), 0u);
      },
      methods);
}

template <int D>
void expect_tie(const Solid<D>& a, const Solid<D>& b, double depth, std::size_t point_count,
                Methods methods) {
  expect_derived(a, b, depth);
  EXPECT_TRUE(has_tie(a, b, reference_of(a, b), 1e-13L));
  ask(
      a, b, 0,
      [&]<class T>(const ContactBuffer<D, T>& contacts, const Solid<D>& sa, const Solid<D>& sb) {
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<D, T> contact = contact_at(contacts, 0);
        EXPECT_EQ((contact_problem<D, T>(sa, sb, reference_of(sa, sb), 0, contact)), "")
            << describe(contact);
        EXPECT_NEAR(static_cast<double>(contact.depth), depth, sizeof(T) == 4 ? 2e-6 : 1e-13);
        EXPECT_EQ(contact.status, 1) << describe(contact);
        if (point_count != 0) {
          EXPECT_EQ(contact.points.size(), point_count) << describe(contact);
        }
      },
      methods);
}

namespace {

/// Checks that an answer derived by hand is possible: the direction takes the depth, the points are
/// on both surfaces, and there are as many as the shapes share.
template <int D>
void expect_possible(const Solid<D>& a, const Solid<D>& b, const Answer<D>& answer, double margin) {
  const Vec<D> n = widened(answer.normal);
  EXPECT_NEAR(static_cast<double>(length(n)), 1, 1e-14);
  if (a.kind != Kind::halfspace && b.kind != Kind::halfspace && answer.depth > 0) {
    EXPECT_NEAR(static_cast<double>(depth_along(a, b, n)), answer.depth, 1e-13);
  }
  EXPECT_GE(answer.points.size(), least_point_count(a, b, n, static_cast<Real>(margin), 1e-9L));
  for (std::size_t i = 0; i < answer.points.size(); ++i) {
    const double depth = answer.point_depths.empty() ? answer.depth : answer.point_depths[i];
    const Vec<D> point = widened(answer.points[i]);
    const Vec<D> core_a = plus(point, n, -radius_of(a));
    const Vec<D> core_b = plus(point, n, radius_of(b) - depth);
    EXPECT_NEAR(static_cast<double>(distance_to_core_surface(a, core_a)), 0, 1e-13) << i;
    EXPECT_NEAR(static_cast<double>(distance_to_core_surface(b, core_b)), 0, 1e-13) << i;
  }
}

}  // namespace

template <int D>
void expect_contact(const Solid<D>& a, const Solid<D>& b, const Answer<D>& answer, double margin,
                    Methods methods) {
  expect_derived(a, b, answer.depth);
  expect_possible(a, b, answer, margin);
  ask(
      a, b, margin,
      [&]<class T>(const ContactBuffer<D, T>& contacts, const Solid<D>& sa, const Solid<D>& sb) {
        const double tolerance = sizeof(T) == 4 ? 4e-6 : 1e-13;
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<D, T> contact = contact_at(contacts, 0);
        SCOPED_TRACE(describe(contact));
        EXPECT_EQ((contact_problem<D, T>(sa, sb, reference_of(sa, sb), margin, contact)), "");
        for (int k = 0; k < D; ++k) {
          EXPECT_NEAR(static_cast<double>(contact.normal[k]), answer.normal[k], tolerance);
        }
        EXPECT_NEAR(static_cast<double>(contact.depth), answer.depth, tolerance);
        EXPECT_EQ(contact.status, answer.status);
        ASSERT_EQ(contact.points.size(), answer.points.size());
        std::vector<bool> was_found(answer.points.size(), false);
        for (std::size_t i = 0; i < contact.points.size(); ++i) {
          bool is_known = false;
          for (std::size_t j = 0; j < answer.points.size() && !is_known; ++j) {
            const double depth =
                answer.point_depths.empty() ? answer.depth : answer.point_depths[j];
            const Vec<D> error = minus(contact.points[i], widened(answer.points[j]));
            if (was_found[j] || length(error) > tolerance ||
                std::abs(contact.point_depths[i] - depth) > tolerance) {
              continue;
            }
            is_known = true;
            was_found[j] = true;
          }
          EXPECT_TRUE(is_known) << "point " << i << " was not expected";
        }
      },
      methods);
}

#define WIDEPHASE_INSTANTIATE(D)                                                                 \
  template void expect_apart<D>(const Solid<D>& a, const Solid<D>& b, double margin,             \
                                Methods methods);                                                \
  template void expect_tie<D>(const Solid<D>& a, const Solid<D>& b, double depth,                \
                              std::size_t point_count, Methods methods);                         \
  template void expect_contact<D>(const Solid<D>& a, const Solid<D>& b, const Answer<D>& answer, \
                                  double margin, Methods methods)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
