// Periodic domains against a test of every image.
// Labels: threads long dated

#include <gtest/gtest.h>

#include <map>

#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// Shapes with centres in the domain; one in ten is several periods outside.
template <int D, class T>
void add_periodic(SceneColumns<D, T>& scene, const Domain<D, T>& domain, std::size_t count,
                  std::uint64_t seed) {
  Random random(seed);
  scene.domain = domain;
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> center;
    for (int k = 0; k < D; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      const double period = static_cast<double>(domain.max[axis] - domain.min[axis]);
      center[k] = static_cast<double>(domain.min[axis]) + period * random.uniform(0, 1);
      if (domain.periodic[axis] && random.chance(0.1)) center[k] += period * random.integer(-3, 3);
    }
    const Kind kind = bounded_kind(random, D);
    Solid<D> solid = random_solid<D>(random, kind, center, random.uniform(0.2, 1));
    if (random.chance(0.5)) solid = snapped(solid);
    append(scene, solid);
  }
}

/// The centre of a shape's bounds; any point for a halfspace.
template <int D>
Point<D> middle_of(const Solid<D>& solid) {
  const bool has_own_frame = has_vertices(solid);
  if (solid.kind != Kind::capsule && solid.kind != Kind::aabb && !has_own_frame) return solid.p;
  Point<D> middle;
  if (has_own_frame) {
    for (int k = 0; k < D; ++k) {
      Vec<D> axis{};
      axis[k] = 1;
      const Real high = core_support(solid, axis);
      const Real low = -core_support(solid, times(axis, -1));
      middle[k] = static_cast<double>((low + high) / 2);
    }
    return middle;
  }
  for (int k = 0; k < D; ++k) middle[k] = (solid.p[k] + solid.q[k]) / 2;
  return middle;
}

/// The image of B whose centre is nearest to A's.
template <int D, class T>
Solid<D> nearest_image(const Solid<D>& a, const Solid<D>& b, const Domain<D, T>& domain) {
  Point<D> shift{};
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) return b;
  const Point<D> from = middle_of(b);
  const Point<D> to = middle_of(a);
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    if (!domain.periodic[axis]) continue;
    const double period =
        static_cast<double>(domain.max[axis]) - static_cast<double>(domain.min[axis]);
    shift[k] = std::round((to[k] - from[k]) / period) * period;
  }
  return moved(b, shift);
}

template <int D>
Reference<D> image_reference(const Solid<D>& a, const Solid<D>& image) {
  Reference<D> reference = reference_of(a, image);
  // Wrapping rounds relative to positions.
  for (const Solid<D>& solid : {a, image}) {
    if (solid.kind != Kind::halfspace) reference.size += length(widened(middle_of(solid)));
  }
  return reference;
}

template <int D, class T>
void expect_periodic_contacts(const SceneColumns<D, T>& scene, double margin,
                              std::size_t least_count) {
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.margin = margin;
  collide<D, T>(scene, contacts, workspace, options);
  ASSERT_TRUE(is_consistent(contacts));
  EXPECT_GE(contacts.size(), least_count);
  const auto places = places_by_pair(contacts);
  const std::int32_t count = layout_of(scene).shape_count();
  std::size_t wrapped_count = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const Solid<D> a = solid_of(scene, i);
    for (std::int32_t j = i + 1; j < count; ++j) {
      const Solid<D> b = solid_of(scene, j);
      if (a.kind == Kind::halfspace && b.kind == Kind::halfspace) continue;
      const Solid<D> image = nearest_image(a, b, scene.domain);
      const Reference<D> reference = image_reference(a, image);
      const Expected expected = expected_contact<D, T>(reference, margin);
      const auto found = places.find({i, j});
      const auto text = [&] { return describe(a) + "\n" + describe(b) + "\n" + describe(image); };
      if (expected == Expected::yes) {
        ASSERT_NE(found, places.end()) << "missing\n" << text();
      }
      if (found == places.end()) continue;
      ASSERT_NE(expected, Expected::no) << "too many\n" << text();
      ASSERT_EQ(
          (contact_problem<D, T>(a, image, reference, margin, contact_at(contacts, found->second))),
          "")
          << text() << "\n"
          << describe(contacts, found->second);
      for (int k = 0; k < D; ++k) {
        if (b.kind != Kind::halfspace && image.p[k] != b.p[k]) {
          ++wrapped_count;
          break;
        }
      }
    }
  }
  EXPECT_GE(wrapped_count, least_count / 20);
}

template <class Parameters>
class collide_periodic : public ::testing::Test {};

template <int Dimension, class Scalar>
struct In {
  static constexpr int D = Dimension;
  using T = Scalar;
};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(collide_periodic, Every);

template <int D, class T>
Domain<D, T> cube(double min, double max) {
  Domain<D, T> domain;
  domain.min.fill(static_cast<T>(min));
  domain.max.fill(static_cast<T>(max));
  domain.periodic.fill(true);
  return domain;
}

TYPED_TEST(collide_periodic, along_every_axis) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  const std::size_t count = scaled(200, 80);
  add_periodic(scene, cube<D, T>(0, 8), count, 81);
  expect_periodic_contacts(scene, 0, 60 * count * count / 40000);
  expect_periodic_contacts(scene, 0.25, 60 * count * count / 40000);
}

TYPED_TEST(collide_periodic, bounds_that_are_no_round_numbers) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  const std::size_t count = scaled(200, 80);
  add_periodic(scene, cube<D, T>(-3.3, 5.1), count, 82);
  expect_periodic_contacts(scene, 0.125, 60 * count * count / 40000);
}

TYPED_TEST(collide_periodic, along_one_axis_between_two_walls) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  Domain<D, T> domain = cube<D, T>(-4, 6);
  domain.periodic[D - 1] = false;
  const std::size_t count = scaled(150, 80);
  add_periodic(scene, domain, count, 83);
  Point<D> up{};
  up[D - 1] = 1;
  append(scene, halfspace<D>(up, -3.5));
  Point<D> down{};
  down[D - 1] = -1;
  append(scene, halfspace<D>(down, -5.5));
  expect_periodic_contacts(scene, 0, 40 * count * count / 22500);
}

TYPED_TEST(collide_periodic, callers_pairs_use_the_nearest_image_in_either_order) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_periodic(scene, cube<D, T>(0, 8), 120, 84);
  std::vector<Pair> pairs;
  const std::int32_t count = layout_of(scene).shape_count();
  for (std::int32_t a = 0; a < count; ++a) {
    for (std::int32_t b = 0; b < count; ++b) {
      if (a != b) pairs.push_back({a, b});
    }
  }
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide_pairs<D, T>(scene, pairs, contacts, workspace);
  EXPECT_GT(contacts.size(), 60u);
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<D, T>(scene, pairs, is_contact, workspace);
  EXPECT_EQ(contacts.size(), static_cast<std::size_t>(std::count(
                                 is_contact.begin(), is_contact.end(), std::uint8_t{1})));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_EQ(is_contact[static_cast<std::size_t>(contacts.source[i])], 1);
    const Solid<D> a = solid_of(scene, contacts.pair[i].a);
    const Solid<D> image = nearest_image(a, solid_of(scene, contacts.pair[i].b), scene.domain);
    ASSERT_EQ(
        (contact_problem<D, T>(a, image, image_reference(a, image), 0, contact_at(contacts, i))),
        "")
        << describe(a) << "\n"
        << describe(image) << "\n"
        << describe(contacts, i);
  }
  // collide finds the same contacts.
  ContactBuffer<D, T> found;
  collide<D, T>(scene, found, workspace);
  EXPECT_EQ(2 * found.size(), contacts.size());
}

TYPED_TEST(collide_periodic, across_the_side_by_hand) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // Domain 0 to 16; centres 0.5 and 15.25 are 1.25 apart across the side; radii 0.75: 0.25 deep.
  // A stands at 0.5 and is left by its left side, at -0.25.
  SceneColumns<D, T> scene;
  scene.domain = cube<D, T>(0, 16);
  append(scene, ball<D>({0.5, 3}, 0.75));
  append(scene, ball<D>({15.25, 3}, 0.75));
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.normal(0, 0), -1);
  EXPECT_EQ(contacts.depth[0], T(0.25));
  EXPECT_EQ(contacts.point(0, 0), T(-0.25));
  // With the pair in the other order, the contact is at the other shape's right side, at 16.
  const std::vector<Pair> pairs{{1, 0}};
  collide_pairs<D, T>(scene, pairs, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.normal(0, 0), 1);
  EXPECT_EQ(contacts.point(0, 0), T(16));
}

TYPED_TEST(collide_periodic, a_domain_too_thin_is_an_error) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  scene.domain = cube<D, T>(0, 16);
  scene.domain.max[1] = T(3.5);
  append(scene, ball<D>({0.5, 3}, 1));
  append(scene, ball<D>({8, 3}, 0.5));
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  // Widths 2 and 1 along y and the period 3.5: room for a margin below 0.25.
  collide<D, T>(scene, contacts, workspace);
  CollideOptions options;
  options.margin = 0.375;
  try {
    collide<D, T>(scene, contacts, workspace, options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("domain"), std::string::npos) << error.what();
    EXPECT_EQ(contacts.size(), 0u);
  }
  scene.domain.max[1] = T(2.75);
  EXPECT_THROW((collide<D, T>(scene, contacts, workspace)), Error);
  scene.domain.periodic[1] = false;
  collide<D, T>(scene, contacts, workspace);
}

TYPED_TEST(collide_periodic, a_halfspace_leaning_along_a_periodic_axis_is_an_error) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  scene.domain = cube<D, T>(0, 16);
  append(scene, ball<D>({0.5, 3}, 1));
  append(scene, halfspace<D>({0.6, 0.8}, 0));
  scene.domain.periodic[1] = false;
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  try {
    collide<D, T>(scene, contacts, workspace);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("halfspace.normal[0]"), std::string::npos)
        << error.what();
  }
  scene.domain.periodic[0] = false;
  collide<D, T>(scene, contacts, workspace);
}

}  // namespace
}  // namespace widephase::test
