// Contacts that a body can rest on. A body at rest is never exactly level, and a solver needs three
// or four points under it, on both bodies and well apart. Bodies of equal size are put on one
// another, nearly level, and the table says how many have too few points.
// support/generate_resting.hpp has the bodies and poses; resting_steps_test.cpp continues from step
// to step.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>

#include "support/resting_rows.hpp"

namespace widephase::test {
namespace {

constexpr double kMostFew = 0.001;    // share of pairs with fewer than three points
constexpr double kAllOverlap = 0.02;  // of two bodies that are placed once

template <class T>
ContactBuffer<3, T> contacts_of(const std::vector<SolidPair<3>>& solids,
                                const CollideOptions& options) {
  const PairScene<3, T> input = shared_scene<T>(solids);
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

/// The share of `count` pairs that have no contact, or one of fewer than `least` points.
template <int D, class T>
double share_of_few(const ContactBuffer<D, T>& contacts, std::size_t count, int least) {
  std::size_t enough = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    enough += contacts.offset[i + 1] - contacts.offset[i] >= least ? 1 : 0;
  }
  return static_cast<double>(count - enough) / static_cast<double>(count);
}

std::vector<SolidPair<3>> resting_pairs(const Row& row, std::size_t count, double tilt,
                                        double farthest, double size, const Point<3>& place,
                                        std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back(resting_pair(row.lower, row.upper,
                                 random_pose(random, tilt, farthest, kAllOverlap), size, place));
  }
  return pairs;
}

constexpr std::array<double, 8> kTilts{0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

TEST(resting, at_most_one_pair_in_a_thousand_has_fewer_than_three_points) {
  std::printf("%% of pairs with fewer than 3 points, by tilt\n%-34s", "");
  for (const double tilt : kTilts) std::printf(" %6g", tilt);
  std::printf("\n");
  const std::size_t count = scaled(2000, 100);
  for (const Row& row : faces_on_faces()) {
    in_each_precision([&]<class T>() {
      for (const Method method : methods_of(row)) {
        std::printf("%-18s %-7s %-7s", row.name().c_str(), name_of_real<T>(),
                    name_of_method(method).c_str());
        double most = 0;
        for (const double tilt : kTilts) {
          const auto pairs = resting_pairs(row, count, tilt, 0.15, 1, {}, 4711);
          const double few = share_of_few(contacts_of<T>(pairs, options_for(1, method)), count, 3);
          std::printf(" %6.2f", 100 * few);
          most = std::max(most, few);
        }
        std::printf("\n");
        EXPECT_LE(most, kMostFew) << row.name() << " " << name_of_real<T>() << " "
                                  << name_of_method(method);
      }
    });
  }
}

TEST(resting, other_sizes_offsets_and_places_have_three_points_too) {
  // A size of 1e-3 to 1e3; up to 0.45 beside the middle; at 1,000 sizes from the origin, where
  // float's heights are off by 6e-5 of the size, a third of a hundredth of the overlap.
  struct Setting {
    double size, farthest, place;
  };
  constexpr Setting kSettings[] = {
      {1e-3, 0.15, 0}, {1e3, 0.15, 0}, {37, 0.45, 0}, {1, 0.45, 1000}, {0.02, 0.3, 100}};
  const std::size_t count = scaled(200, 50);
  for (const Row& row : faces_on_faces()) {
    in_each_precision([&]<class T>() {
      for (const Method method : methods_of(row)) {
        double most = 0;
        for (const auto& [size, farthest, place] : kSettings) {
          for (const double tilt : {1e-7, 1e-5, 1e-4, 1e-3, 1e-2}) {
            const Point<3> at{size * place, -size * place, size * place / 2};
            const auto pairs = resting_pairs(row, count, tilt, farthest, size, at, 4712);
            most = std::max(
                most, share_of_few(contacts_of<T>(pairs, options_for(size, method)), count, 3));
          }
        }
        EXPECT_LE(most, kMostFew) << row.name() << " " << name_of_real<T>() << " "
                                  << name_of_method(method);
      }
    });
  }
}

TEST(resting, on_a_halfspace_at_every_tilt) {
  const std::string bodies[] = {"box",  "hull",   "prism8", "prism100",   "cylinder", "rounded",
                                "cone", "lying0", "lying5", "lying_cone", "capsule",  "ellipsoid"};
  const std::size_t count = scaled(200, 50);
  for (const std::string& name : bodies) {
    const auto least = static_cast<int>(least_points(name));
    in_each_precision([&]<class T>() {
      for (const double tilt : kTilts) {
        const auto pairs = resting_pairs({"plane", name}, count, tilt, 0.15, 1, {}, 4713);
        for (const Method method : kMethods) {
          EXPECT_EQ(share_of_few(contacts_of<T>(pairs, options_for(1, method)), count, least), 0)
              << name << " " << name_of_real<T>() << " tilt " << tilt;
        }
      }
    });
  }
}

TEST(resting, in_2d_has_two_points_at_every_tilt) {
  const std::vector<Point<2>> square{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  // Eight corners, one side below: its lowest corners are 0.38 apart.
  const double apothem = 0.5 / std::cos(std::numbers::pi / 8);
  const std::vector<Point<2>> octagon = regular(8, apothem, std::numbers::pi / 8);
  // If the core of a capsule ends over the side, an end may be beside a corner by less than its
  // tilt moves it: one vertex over another.
  constexpr double kReach = 0.3;
  const Solid<2> lower[] = {halfspace<2>({0, 1}, 0.5), aabb<2>({-0.5, -0.5}, {0.5, 0.5}),
                            box({0, 0}, 0, {0.5, 0.5}), polygon({0, 0}, 0, square)};
  const Solid<2> upper[] = {box({0, 0}, 0, {0.5, 0.5}), polygon({0, 0}, 0, square),
                            polygon({0, 0}, 0, octagon),
                            capsule<2>({-kReach, 0}, {kReach, 0}, 0.5)};
  const std::size_t count = scaled(200, 50);
  in_each_precision([&]<class T>() {
    for (const Solid<2>& a : lower) {
      for (const Solid<2>& b : upper) {
        for (const double tilt : kTilts) {
          Random random(4714);
          std::vector<SolidPair<2>> pairs;
          for (std::size_t i = 0; i < count; ++i) {
            Solid<2> leaning = b;
            const double angle = i % 2 == 0 ? tilt : -tilt;
            leaning.angle = angle;
            if (b.kind == Kind::capsule) {
              leaning.p = {-kReach * std::cos(angle), -kReach * std::sin(angle)};
              leaning.q = {kReach * std::cos(angle), kReach * std::sin(angle)};
            }
            const double aside = random.uniform(-0.15, 0.15);
            pairs.push_back({a, moved<2>(leaning, {aside, 1 - kAllOverlap})});
          }
          const PairScene<2, T> input(pairs);
          ContactBuffer<2, T> contacts;
          Workspace<2, T> workspace;
          collide_pairs<2, T>(input.scene, input.pairs, contacts, workspace, options_for(1));
          EXPECT_EQ(share_of_few(contacts, count, 2), 0)
              << describe(a) << describe(b) << name_of_real<T>() << " tilt " << tilt;
        }
      }
    }
  });
}

TEST(resting, points_lie_on_both_bodies_and_none_twice) {
  std::vector<Row> rows = faces_on_faces();
  for (const char* name : {"box", "prism8", "prism32", "cylinder", "rounded", "cone", "lying0",
                           "lying5", "lying_cone", "ellipsoid"}) {
    rows.push_back({"plane", name});
  }
  for (const char* name : {"lying5", "lying_cone", "ellipsoid"}) {
    rows.push_back({"box", name});
    rows.push_back({"hull", name});
  }
  const std::size_t count = scaled(60, 15);
  for (const Row& row : rows) {
    in_each_precision([&]<class T>() {
      for (const Method method : methods_of(row)) {
        Flaws flaws;
        for (const double tilt : kTilts) {
          for (const double farthest : {0.15, 0.45}) {
            const auto pairs = resting_pairs(row, count, tilt, farthest, 1, {}, 4715);
            const auto contacts = contacts_of<T>(pairs, options_for(1, method));
            for (std::size_t i = 0; i < contacts.size(); ++i) {
              const SolidPair<3>& pair = pairs[static_cast<std::size_t>(contacts.source[i])];
              const Contact<3, T> contact = contact_at(contacts, i);
              const double inside = inside_if_leaning(pair, tilt);
              flaws.add(points_flaw(pair.a, pair.b, contact, kMargin, 0, 1, inside), pair,
                        describe(contact));
            }
          }
        }
        EXPECT_EQ(flaws.wrong, 0u)
            << row.name() << " " << name_of_real<T>() << " " << name_of_method(method) << ": "
            << flaws.wrong << " of " << flaws.contacts << flaws.text;
      }
    });
  }
}

TEST(resting, four_points_hold_the_middle_and_most_of_the_area) {
  std::vector<Row> rows = faces_on_faces();
  for (const char* name : {"box", "prism8", "prism32", "cylinder", "cone"}) {
    rows.push_back({"plane", name});
  }
  const std::size_t count = scaled(100, 25);
  for (const Row& row : rows) {
    in_each_precision([&]<class T>() {
      for (const Method method : methods_of(row)) {
        Shares shares;
        for (const double tilt : {0.0, 1e-6, 1e-4, 1e-3}) {
          for (const double farthest : {0.15, 0.4}) {
            const auto pairs = resting_pairs(row, count, tilt, farthest, 1, {}, 4716);
            const auto contacts = contacts_of<T>(pairs, options_for(1, method));
            for (std::size_t i = 0; i < contacts.size(); ++i) {
              shares.add(pairs[static_cast<std::size_t>(contacts.source[i])],
                         contact_at(contacts, i));
            }
          }
        }
        shares.expect_good(row.name() + " " + name_of_real<T>() + " " + name_of_method(method));
      }
    });
  }
}

TEST(resting, named_the_other_way_round_the_points_are_the_partners) {
  std::vector<Row> rows = faces_on_faces();
  for (const char* name : {"prism32", "cylinder", "cone", "lying5", "lying_cone", "ellipsoid"}) {
    rows.push_back({"plane", name});
  }
  for (const char* name : {"lying5", "lying_cone", "ellipsoid"}) rows.push_back({"box", name});
  const std::size_t count = scaled(50, 15);
  const auto check = [&]<class T>(const Row& row, Method method) {
    std::size_t wrong = 0;
    for (const double tilt : kTilts) {
      const auto pairs = resting_pairs(row, count, tilt, 0.3, 1, {}, 4717);
      const PairScene<3, T> input = shared_scene<T>(pairs);
      std::vector<Pair> natural, swapped;
      for (const Pair& pair : input.pairs) {
        natural.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
        swapped.push_back({natural.back().b, natural.back().a});
      }
      ContactBuffer<3, T> first, second;
      Workspace<3, T> workspace;
      collide_pairs<3, T>(input.scene, natural, first, workspace, options_for(1, method));
      collide_pairs<3, T>(input.scene, swapped, second, workspace, options_for(1, method));
      ASSERT_EQ(first.size(), second.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        bool is_mirror = bits_of(first.depth[i]) == bits_of(second.depth[i]) &&
                         first.status[i] == second.status[i] &&
                         first.offset[i + 1] == second.offset[i + 1];
        std::map<std::uint32_t, std::size_t> places;
        const auto begin = static_cast<std::size_t>(first.offset[i]);
        const auto end = static_cast<std::size_t>(first.offset[i + 1]);
        for (std::size_t p = begin; p < end && is_mirror; ++p) {
          places[second.feature[p] << 16 | second.feature[p] >> 16] = p;
        }
        for (std::size_t p = begin; p < end && is_mirror; ++p) {
          const auto place = places.find(first.feature[p]);
          is_mirror = place != places.end() &&
                      bits_of(first.point_depth[p]) == bits_of(second.point_depth[place->second]);
          for (int k = 0; k < 3 && is_mirror; ++k) {
            const T step = first.point_depth[p] * first.normal(i, k);
            is_mirror =
                bits_of(T(first.point(p, k) - step)) == bits_of(second.point(place->second, k));
          }
        }
        wrong += is_mirror ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0u) << row.name() << " " << name_of_real<T>() << " " << name_of_method(method);
  };
  for (const Row& row : rows) {
    for (const Method method : methods_of(row)) {
      check.operator()<float>(row, method);
      check.operator()<double>(row, method);
    }
  }
}

/// The position of each name, in contacts whose upper body is tilted by `tilt` in various
/// directions.
template <class T>
std::string names_flaw(const std::string& lower, const std::string& upper, double share,
                       RestingPose pose, double tilt, Method method, bool is_one_set) {
  std::map<std::uint32_t, Vec<3>> places;
  std::set<std::uint32_t> names;
  for (int way = 0; way < 5; ++way) {
    pose.tilt = way == 0 ? 0 : tilt;
    pose.direction = way * std::numbers::pi / 2 + 0.3;
    SolidPair<3> pair = resting_pair(lower, upper, pose, 1);
    // A smaller upper body, standing in the same place.
    for (Point<3>& vertex : pair.b.vertices) {
      for (double& value : vertex) value *= share;
    }
    if (pair.b.kind == Kind::box) {
      for (double& value : pair.b.q) value *= share;
    }
    pair.b.p[2] = (pair.b.p[2] + kAllOverlap) * share - kAllOverlap;
    const auto contacts = contacts_of<T>({pair}, options_for(1, method));
    if (contacts.size() != 1) return "no contact";
    const Contact<3, T> contact = contact_at(contacts, 0);
    std::set<std::uint32_t> own;
    for (std::size_t p = 0; p < contact.points.size(); ++p) {
      const std::uint32_t name = contact.features[p];
      own.insert(name);
      const auto [known, is_new] = places.emplace(name, contact.points[p]);
      // The lower face moves sideways by half the tilt, a crossing of edges by more.
      if (!is_new && length(minus(known->second, contact.points[p])) > 1e-4L + 100 * tilt) {
        return describe_feature(name >> 16) + " and " + describe_feature(name & 0xffff) +
               " are in two places";
      }
    }
    if (way == 0) names = own;
    if (is_one_set && own != names) {
      return "other names when it leans; " + std::to_string(own.size()) + " and " +
             std::to_string(names.size()) + " points";
    }
  }
  // Two squares have at most eight corners in common.
  return places.size() > 8 ? std::to_string(places.size()) + " names" : "";
}

TEST(resting, a_name_is_one_place_whichever_axis_wins_by_a_hair) {
  const std::size_t count = scaled(50, 10);
  const std::vector<Row> rows{{"aabb", "box"}, {"box", "box"}, {"box", "hull"}, {"hull", "hull"}};
  const auto check = [&]<class T>(const Row& row, Method method) {
    for (const double tilt : {1e-9, 1e-6, 1e-4}) {
      Random random(4718);
      std::size_t wrong = 0;
      std::string text;
      for (std::size_t i = 0; i < count; ++i) {
        // Half of a cube's face reaches 0.36 from its centre, so it stays on the lower one.
        const RestingPose pose = random_pose(random, 0, 0.1, kAllOverlap);
        // Two cubes of one size share up to eight corners, of which four are chosen. A cube of half
        // the size stands on its own four, whatever its tilt.
        for (const double share : {1.0, 0.5}) {
          const std::string flaw =
              names_flaw<T>(row.lower, row.upper, share, pose, tilt, method, share < 1);
          if (flaw.empty()) continue;
          if (++wrong <= 2) text += "\n  " + flaw;
        }
      }
      EXPECT_EQ(wrong, 0u) << row.name() << " " << name_of_real<T>() << " "
                           << name_of_method(method) << " tilt " << tilt << text;
    }
  };
  for (const Row& row : rows) {
    for (const Method method : methods_of(row)) {
      check.operator()<float>(row, method);
      check.operator()<double>(row, method);
    }
  }
}

}  // namespace
}  // namespace widephase::test
