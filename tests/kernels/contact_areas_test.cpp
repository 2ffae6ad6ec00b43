// Contacts across a face keep its area: compares their points with the whole polygon that the faces
// share (support/contact_area.hpp), for every two kinds with faces and by every method.

#include <gtest/gtest.h>

#include "support/contact_area.hpp"
#include "support/generate.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

struct AreaTally {
  std::size_t polygons = 0, segments = 0, wrong = 0;
  std::size_t dropped = 0, seen = 0;  ///< points left out on purpose, and those that were missed
};

template <class T>
void check_areas(std::vector<SolidPair<3>> solids, double margin, Method method, AreaTally& tally) {
  for (SolidPair<3>& pair : solids) pair = {stored<T>(pair.a), stored<T>(pair.b)};
  const PairScene<3, T> input(solids);
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  CollideOptions options;
  options.order = Order::source;
  options.method = method;
  options.margin = margin;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto& [a, b] = solids[static_cast<std::size_t>(contacts.source[i])];
    const Contact<3, T> contact = contact_at(contacts, i);
    const AreaVerdict verdict = area_verdict<T>(a, b, margin, contact);
    if (verdict.what == AreaVerdict::What::other) continue;
    ++(verdict.what == AreaVerdict::What::polygon ? tally.polygons : tally.segments);
    if (!verdict.problem.empty() && ++tally.wrong <= 3) {
      ADD_FAILURE() << name_of_method(method) << ", margin " << margin << ", pair "
                    << contacts.source[i] << ": " << verdict.problem << "\n  A " << describe(a)
                    << "\n  B " << describe(b) << "\n  " << describe(contact);
    }
    // Tests the judge itself: leaves out one of the points.
    if (i % 8 != 0 || contact.points.size() < 2) continue;
    Contact<3, T> less = contact;
    less.points.pop_back();
    less.point_depths.pop_back();
    ++tally.dropped;
    tally.seen += area_verdict<T>(a, b, margin, less).problem.empty() ? 0 : 1;
  }
}

template <class T>
void check_all(const std::vector<SolidPair<3>>& pairs, std::initializer_list<double> margins,
               AreaTally& tally) {
  for (const double margin : margins) {
    for (const Method method : kMethods) check_areas<T>(pairs, margin, method, tally);
  }
}

/// Stacks whose upper body leans by 1e-5 to a third, about a horizontal axis.
std::vector<SolidPair<3>> leaning_stacks(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<3>> pairs = stacked_solids(a, b, count, seed);
  Random random(seed + 1);
  for (SolidPair<3>& pair : pairs) {
    Solid<3>& solid = pair.b.kind == Kind::aabb ? pair.a : pair.b;
    const Point<3> at = solid.p;
    const Quaternion turn = about(random.direction<3>(), std::pow(10, random.uniform(-5, -0.5)));
    solid = moved<3>(turned_by(turn, moved<3>(solid, {-at[0], -at[1], -at[2]})), at);
  }
  return pairs;
}

/// Capsules that lie where boxes would: as long as the boxes and, with the radius, as high.
std::vector<SolidPair<3>> lying_capsules(Kind b, std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<3>> pairs = stacked_solids(Kind::box, b, count, seed);
  for (SolidPair<3>& pair : pairs) {
    Solid<3>& solid = pair.a.kind == Kind::box ? pair.a : pair.b;
    const Point<3> half = rotated(solid.orientation, {solid.q[0], 0, 0});
    const Point<3> middle = solid.p;
    solid = capsule<3>(moved<3>(ball<3>(middle, 0), {-half[0], -half[1], -half[2]}).p,
                       moved<3>(ball<3>(middle, 0), half).p, solid.q[2] + solid.size);
  }
  return pairs;
}

class contact_areas : public ::testing::TestWithParam<std::pair<Kind, Kind>> {};

TEST_P(contact_areas, keep_the_deepest_and_the_area) {
  const auto [a, b] = GetParam();
  AreaTally tally;
  const auto check = [&]<class T>(T) {
    check_all<T>(random_pairs<3>(a, b, scaled(100, 20), 201), {0, 0.5}, tally);
    check_all<T>(grid_pairs<3>(a, b, scaled(50, 15), 202), {0, 0.5}, tally);
    if (b == Kind::halfspace) return;
    if (a == Kind::capsule) {
      check_all<T>(lying_capsules(b, scaled(60, 15), 203), {0, 0.5}, tally);
      return;
    }
    check_all<T>(stacked_solids(a, b, scaled(60, 15), 203), {0, 0.5}, tally);
    if (a == Kind::aabb && b == Kind::aabb) return;
    check_all<T>(leaning_stacks(a, b, scaled(60, 15), 204), {0, 0.05}, tally);
  };
  check(float{});
  check(double{});
  EXPECT_GT(tally.polygons + tally.segments, scaled(40, 10));
  EXPECT_EQ(tally.polygons == 0, a == Kind::capsule);
  // In a needle, a point that is left out makes no difference.
  EXPECT_GE(tally.seen + 2, tally.dropped * 3 / 4);
}

std::vector<std::pair<Kind, Kind>> faced_pairs() {
  std::vector<std::pair<Kind, Kind>> pairs;
  for (const Kind a : kinds(3)) {
    for (const Kind b : kinds(3)) {
      if (has_one_point(a) || has_one_point(b)) continue;
      if (b < a || b == Kind::capsule || !has_kernel(3, a, b)) continue;
      pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(kinds, contact_areas, ::testing::ValuesIn(faced_pairs()),
                         [](const auto& info) {
                           return std::string(kind_name(info.param.first, 3)) + "_" +
                                  std::string(kind_name(info.param.second, 3));
                         });

}  // namespace
}  // namespace widephase::test
