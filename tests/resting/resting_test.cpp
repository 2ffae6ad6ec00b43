// Contacts that a body can rest on. A body that rests is never exactly level, and a solver that
// holds it needs three or four points under it, the same ones in the next step. Bodies of one size
// are put on one another, nearly level, and the tables say how many have too few points and how
// many points have no past. The bodies and poses are in support/generate_resting.hpp.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include <widephase/tracker.hpp>

#include "support/compare.hpp"
#include "support/generate_resting.hpp"
#include "support/methods.hpp"
#include "support/resting_points.hpp"

namespace widephase::test {
namespace {

constexpr double kMargin = 0.02;        // of the size
constexpr double kSteadiness = 0.001;   // of the size
constexpr double kMostFew = 0.001;      // share of pairs with fewer than three points
constexpr double kMostUnknown = 0.01;   // share of points without a past
constexpr double kAllOverlap = 0.02;    // of two bodies that are placed once
constexpr double kStepOverlap = 0.002;  // of bodies that tremble

struct Row {
  std::string lower, upper;
  std::string name() const { return lower + "/" + upper; }
};

template <class T>
const char* name_of_real() {
  if (std::is_same_v<T, Mixed>) return "mixed";
  return sizeof(PositionOf<T>) == 4 ? "float" : "double";
}

template <class Check>
void in_each_precision(Check&& check) {
  check.template operator()<float>();
  check.template operator()<double>();
  check.template operator()<Mixed>();
}

CollideOptions options_for(double size, Method method = Method::automatic) {
  CollideOptions options;
  options.order = Order::source;
  options.method = method;
  options.margin = kMargin * size;
  options.threads.count = 1;
  return options;
}

template <class T>
ContactBuffer<3, T> contacts_of(const std::vector<SolidPair<3>>& solids,
                                const CollideOptions& options) {
  const PairScene<3, T> input = shared_scene<T>(solids);
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

/// Pairs that have no contact, or one of fewer than `least` points, as a share of `count`.
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

const std::vector<Row>& faces_on_faces() {
  static const std::vector<Row> kRows{
      {"aabb", "box"},    {"box", "box"},       {"box", "hull"},
      {"hull", "hull"},   {"box", "cylinder"},  {"box", "prism8"},
      {"box", "prism32"}, {"prism6", "prism8"}, {"cylinder", "cylinder"},
  };
  return kRows;
}

/// `gjk_epa` is asked where `auto` has separating axes.
std::vector<Method> methods_of(const Row& row) {
  if (row.name() == "box/box" || row.name() == "hull/hull") {
    return {Method::automatic, Method::gjk_epa};
  }
  return {Method::automatic};
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
  struct Body {
    std::string name;
    int least;
  };
  const Body bodies[] = {{"box", 3},      {"hull", 3},   {"prism8", 3}, {"prism100", 3},
                         {"cylinder", 3}, {"lying0", 2}, {"lying5", 2}, {"capsule", 2}};
  const std::size_t count = scaled(200, 50);
  for (const auto& [name, least] : bodies) {
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
  // A capsule's core ends over the side: an end beside a corner, by less than its lean moves it, is
  // one vertex over another.
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

/// What goes wrong in a list of contacts, by its text; the first of each with its pair.
struct Flaws {
  std::size_t contacts = 0, wrong = 0;
  std::string text;

  void add(const std::string& flaw, const SolidPair<3>& pair, const std::string& contact) {
    ++contacts;
    if (flaw.empty() || ++wrong > 2) return;
    text +=
        "\n" + flaw + "\n  A " + describe(pair.a) + "\n  B " + describe(pair.b) + "\n  " + contact;
  }
};

TEST(resting, points_lie_on_both_bodies_and_none_twice) {
  std::vector<Row> rows = faces_on_faces();
  for (const char* name : {"box", "prism8", "prism32", "cylinder", "lying0", "lying5"}) {
    rows.push_back({"plane", name});
  }
  rows.push_back({"box", "lying5"});
  rows.push_back({"hull", "lying5"});
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
              flaws.add(points_flaw(pair.a, pair.b, contact, kMargin, 0, 1), pair,
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

/// Counts contacts on faces whose points do not hold the middle, or are too small a part.
struct Shares {
  std::size_t faces = 0, aside = 0, small = 0;
  double least_area = 1;
  std::string text;

  template <class T>
  void add(const SolidPair<3>& pair, const Contact<3, T>& contact) {
    const FaceShare share = face_share(pair.a, pair.b, contact.normal, contact.points);
    if (!share.is_face) return;
    ++faces;
    // The circle of a cap is a polygon for the test, and another one for the kernels.
    const bool is_round = has_cylinder(pair.a, pair.b);
    const double allowed = is_round ? 1e-3 : sizeof(SizeOf<T>) == 4 ? 1e-5 : 1e-9;
    const bool is_aside = share.center_above > allowed;
    const bool is_small = share.area < (share.is_quad ? 0.9 : 0.7);
    least_area = std::min(least_area, share.area);
    aside += is_aside ? 1 : 0;
    small += is_small ? 1 : 0;
    if (!(is_aside || is_small) || aside + small > 2) return;
    std::ostringstream out;
    out << "\n  area " << share.area << ", the middle is " << share.center_above << " outside\n  A "
        << describe(pair.a) << "\n  B " << describe(pair.b) << "\n  " << describe(contact);
    text += out.str();
  }
  void expect_good(const std::string& what) const {
    EXPECT_GT(faces, 0u) << what;
    EXPECT_EQ(aside, 0u) << what << ": of " << faces << " the middle is outside" << text;
    EXPECT_EQ(small, 0u) << what << ": of " << faces << " as small as " << least_area << text;
  }
};

TEST(resting, four_points_hold_the_middle_and_most_of_the_area) {
  std::vector<Row> rows = faces_on_faces();
  for (const char* name : {"box", "prism8", "prism32", "cylinder"}) rows.push_back({"plane", name});
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
  for (const char* name : {"prism32", "cylinder", "lying5"}) rows.push_back({"plane", name});
  rows.push_back({"box", "lying5"});
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

/// Where each name is, of contacts whose upper body leans by `tilt` this way and that.
template <class T>
std::string names_flaw(const std::string& lower, const std::string& upper, double share,
                       RestingPose pose, double tilt, Method method, bool is_one_set) {
  std::map<std::uint32_t, Vec<3>> places;
  std::set<std::uint32_t> names;
  for (int way = 0; way < 5; ++way) {
    pose.tilt = way == 0 ? 0 : tilt;
    pose.direction = way * std::numbers::pi / 2 + 0.3;
    SolidPair<3> pair = resting_pair(lower, upper, pose, 1);
    // A smaller upper body, which stands where it stood.
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
      // The lower face goes sideways by half the tilt, and a crossing of edges by more of it.
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
        // Half a cube's face reaches 0.36 from its middle: it stays on the lower one.
        const RestingPose pose = random_pose(random, 0, 0.1, kAllOverlap);
        // Cubes of one size have up to eight corners in common, of which four are chosen; one of
        // half the size stands on its own four, whatever it leans to.
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

/// Bodies that tremble: each step tilts each one anew about any level axis.
struct Trembling {
  Row row;
  double offset = 0.03;  ///< in x and y
  bool has_yaw = false;  ///< each body one of its own
  double size = 1;
  Point<3> place{};  ///< in sizes
};

/// A share of no points is 1.
struct PastTally {
  std::size_t points = 0;
  std::size_t unknown = 0;  ///< those that the tracker does not know
  std::size_t renamed = 0;  ///< those with a name that their pair did not have
  double unknown_share() const { return share_of(unknown); }
  double renamed_share() const { return share_of(renamed); }
  double share() const { return std::max(unknown_share(), renamed_share()); }

 private:
  double share_of(std::size_t count) const {
    return points == 0 ? 1 : static_cast<double>(count) / static_cast<double>(points);
  }
};

/// The names of a contact's points, by the source of its pair.
template <class T>
std::vector<std::set<std::uint32_t>> names_by_source(const ContactBuffer<3, T>& contacts,
                                                     std::size_t count) {
  std::vector<std::set<std::uint32_t>> names(count);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      names[static_cast<std::size_t>(contacts.source[i])].insert(
          contacts.feature[static_cast<std::size_t>(p)]);
    }
  }
  return names;
}

/// Names that their pair did not have in the last step.
std::size_t renamed_since(const std::vector<std::set<std::uint32_t>>& last_names,
                          const std::vector<std::set<std::uint32_t>>& names) {
  std::size_t renamed = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::uint32_t name : names[i]) renamed += 1 - last_names[i].count(name);
  }
  return renamed;
}

/// Tilts a body anew about any level axis, as trembling does.
void tilt_anew(RestingPose& pose, double noise, Random& random) {
  pose.tilt = std::abs(normal_number(random)) * noise;
  pose.direction = random.uniform(0, 2 * std::numbers::pi);
}

/// Also checks the points of the last step, as far as steadiness lets them be what they were.
template <class T>
PastTally tremble(const Trembling& trembling, double noise, std::size_t count, int steps,
                  Method method = Method::automatic) {
  const auto& [row, offset, has_yaw, size, place] = trembling;
  Random random(7);
  std::vector<double> yaws;
  for (std::size_t i = 0; i < count; ++i) {
    yaws.push_back(has_yaw ? random.uniform(0, 2 * std::numbers::pi) : 0);
  }
  CollideOptions options = options_for(size, method);
  options.steadiness = kSteadiness * size;
  Tracker<3, T> tracker;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  PastTally tally;
  std::vector<std::set<std::uint32_t>> names;
  std::vector<SolidPair<3>> pairs;
  for (int step = 0; step < steps; ++step) {
    pairs.clear();
    for (std::size_t i = 0; i < count; ++i) {
      RestingPose pose;
      tilt_anew(pose, noise, random);
      pose.yaw = yaws[i];
      pose.offset = {offset, offset};
      pose.overlap = kStepOverlap;
      pairs.push_back(resting_pair(row.lower, row.upper, pose, size,
                                   {place[0] * size, place[1] * size, place[2] * size}));
    }
    const PairScene<3, T> input = shared_scene<T>(pairs);
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, tracker, options);
    const auto last_names = std::exchange(names, names_by_source(contacts, count));
    if (step == 0) continue;
    tally.points += contacts.point_count();
    tally.renamed += renamed_since(last_names, names);
    for (const std::int64_t last : tracker.last_point()) tally.unknown += last < 0 ? 1 : 0;
  }
  EXPECT_EQ(contacts.size(), count) << row.name();
  Flaws flaws;
  Shares shares;
  for (std::size_t i = 0; i < contacts.size(); i += std::max<std::size_t>(1, count / 20)) {
    const SolidPair<3>& pair = pairs[static_cast<std::size_t>(contacts.source[i])];
    const Contact<3, T> contact = contact_at(contacts, i);
    flaws.add(points_flaw(pair.a, pair.b, contact, options.margin, options.steadiness, size), pair,
              describe(contact));
    if (size == 1) shares.add(pair, contact);
    const bool is_lying = row.upper.starts_with("lying");
    EXPECT_GE(contact.points.size(), is_lying ? 2u : 3u) << row.name() << describe(contact);
  }
  EXPECT_EQ(flaws.wrong, 0u) << row.name() << " noise " << noise << flaws.text;
  if (shares.faces > 0) shares.expect_good(row.name() + " noise " + std::to_string(noise));
  return tally;
}

std::vector<Trembling> trembling_rows() {
  std::vector<Trembling> rows{{{"plane", "cylinder"}},
                              {{"box", "cylinder"}},
                              {{"cylinder", "cylinder"}},
                              {{"cylinder", "cylinder"}, 0}};
  for (const char* lower : {"plane", "box"}) {
    for (const char* prism : {"prism8", "prism32", "prism100"}) rows.push_back({{lower, prism}});
  }
  rows.push_back({{"prism8", "prism8"}, 0});
  rows.push_back({{"box", "box"}, 0});
  rows.push_back({{"box", "box"}});
  rows.push_back({{"box", "box"}, 0.03, true});
  rows.push_back({{"hull", "hull"}, 0.03, true});
  for (const char* lower : {"plane", "box"}) {
    for (const char* lying : {"lying0", "lying5"}) rows.push_back({{lower, lying}});
  }
  return rows;
}

std::string name_of(const Trembling& row) {
  std::string name = row.row.name();
  if (row.offset == 0) name += " coaxial";
  if (row.has_yaw) name += " any yaw";
  return name;
}

constexpr std::array<double, 3> kNoises{1e-4, 1e-5, 1e-6};

TEST(resting, at_most_one_point_in_a_hundred_has_no_past) {
  std::printf("%% of points without a past, and with a new name, by noise\n%-34s", "");
  for (const double noise : kNoises) std::printf(" %13g", noise);
  std::printf("\n");
  const std::size_t count = scaled(400, 20);
  for (const Trembling& row : trembling_rows()) {
    double most = 0;
    std::array<PastTally, kNoises.size()> tallies;
    for (std::size_t i = 0; i < kNoises.size(); ++i) {
      tallies[i] = tremble<float>(row, kNoises[i], count, 40);
      most = std::max(most, tallies[i].share());
    }
    // Not before: what fails meanwhile writes lines of its own.
    std::printf("%-26s %-7s", name_of(row).c_str(), "float");
    for (const PastTally& tally : tallies) {
      std::printf(" %6.2f %6.2f", 100 * tally.unknown_share(), 100 * tally.renamed_share());
    }
    std::printf("\n");
    EXPECT_LE(most, kMostUnknown) << name_of(row);
    for (const double noise : kNoises) {
      EXPECT_LE(tremble<double>(row, noise, count / 10, 20).share(), kMostUnknown)
          << name_of(row) << " double " << noise;
      EXPECT_LE(tremble<Mixed>(row, noise, count / 10, 20).share(), kMostUnknown)
          << name_of(row) << " mixed " << noise;
    }
  }
}

TEST(resting, points_have_a_past_at_other_sizes_offsets_and_turns) {
  const std::size_t count = scaled(30, 10);
  for (Trembling row : trembling_rows()) {
    for (const double noise : {1e-4, 1e-6}) {
      for (const double size : {1e-3, 20.0, 1e3}) {
        row.size = size;
        EXPECT_LE(tremble<float>(row, noise, count, 20).share(), kMostUnknown)
            << name_of(row) << " size " << size << " noise " << noise;
      }
    }
    row.size = 1;
    row.has_yaw = true;
    row.offset = 0.11;
    EXPECT_LE(tremble<float>(row, 1e-4, count, 20).share(), kMostUnknown)
        << name_of(row) << " offset 0.11";
    // Far from the origin, where mixed precision keeps what float would round away.
    row.place = {1000, -300, 500};
    EXPECT_LE(tremble<Mixed>(row, 1e-4, count, 20).share(), kMostUnknown)
        << name_of(row) << " far from the origin";
  }
}

/// Each step named the other way round, with words of the caller's own.
template <class T>
void expect_names_stay_by_hand(const Row& row, double overlap, Method method) {
  const std::size_t count = scaled(100, 20);
  Random random(11);
  CollideOptions options = options_for(1, method);
  options.steadiness = kSteadiness;
  std::vector<WarmStart> words(count);
  options.warm_starts = words;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  std::vector<std::set<std::uint32_t>> names;
  PastTally tally;
  for (int step = 0; step < 20; ++step) {
    std::vector<SolidPair<3>> pairs;
    for (std::size_t i = 0; i < count; ++i) {
      RestingPose pose;
      tilt_anew(pose, 1e-4, random);
      pose.overlap = overlap;
      pairs.push_back(resting_pair(row.lower, row.upper, pose, 1));
    }
    const PairScene<3, T> input = shared_scene<T>(pairs);
    std::vector<Pair> list = input.pairs;
    if (step % 2 == 1) {
      for (Pair& pair : list) std::swap(pair.a, pair.b);
    }
    collide_pairs<3, T>(input.scene, list, contacts, workspace, options);
    if (step % 2 == 1) {
      for (std::uint32_t& name : std::span(contacts.feature.plane(), contacts.point_count())) {
        name = name << 16 | name >> 16;
      }
    }
    const auto last_names = std::exchange(names, names_by_source(contacts, count));
    if (step == 0) continue;
    tally.points += contacts.point_count();
    tally.renamed += renamed_since(last_names, names);
  }
  EXPECT_GE(tally.points, 3 * 19 * count);
  EXPECT_LE(tally.renamed_share(), kMostUnknown)
      << row.name() << " " << name_of_real<T>() << " " << name_of_method(method) << " overlap "
      << overlap;
}

TEST(resting, equal_faces_one_on_the_other_keep_their_names_by_warm_starts_alone) {
  for (const auto& [lower, upper] :
       std::initializer_list<std::pair<const char*, const char*>>{{"box", "box"},
                                                                  {"aabb", "box"},
                                                                  {"hull", "hull"},
                                                                  {"box", "hull"},
                                                                  {"prism8", "prism8"},
                                                                  {"prism32", "prism32"},
                                                                  {"cylinder", "cylinder"}}) {
    for (const Method method : kMethods) {
      in_each_precision([&]<class T>() {
        expect_names_stay_by_hand<T>({lower, upper}, kStepOverlap, method);
        // Apart, within the margin.
        expect_names_stay_by_hand<T>({lower, upper}, -0.005, method);
      });
    }
  }
}

/// Bodies that go about, so that last step's corners are those of another overlap: what stays of
/// them must be as good as a new choice.
template <class T>
void expect_good_points_on_the_move(const Row& row, double pace, Method method) {
  const std::size_t count = scaled(60, 12);
  Random random(12);
  CollideOptions options = options_for(1, method);
  options.steadiness = kSteadiness;
  std::vector<WarmStart> words(count);
  options.warm_starts = words;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  std::vector<RestingPose> poses(count);
  for (RestingPose& pose : poses) pose = random_pose(random, 0, 0.3, kStepOverlap);
  Flaws flaws;
  Shares shares;
  for (int step = 0; step < 12; ++step) {
    std::vector<SolidPair<3>> pairs;
    for (RestingPose& pose : poses) {
      tilt_anew(pose, 1e-4, random);
      pose.yaw += random.uniform(-pace, pace);
      for (double& offset : pose.offset) offset += random.uniform(-pace, pace);
      pairs.push_back(resting_pair(row.lower, row.upper, pose, 1));
    }
    const PairScene<3, T> input = shared_scene<T>(pairs);
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    EXPECT_EQ(contacts.size(), count);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const SolidPair<3>& pair = pairs[static_cast<std::size_t>(contacts.source[i])];
      const Contact<3, T> contact = contact_at(contacts, i);
      flaws.add(points_flaw(pair.a, pair.b, contact, kMargin, kSteadiness, 1), pair,
                describe(contact));
      shares.add(pair, contact);
    }
  }
  const std::string what = row.name() + " " + name_of_real<T>() + " " + name_of_method(method) +
                           " pace " + std::to_string(pace);
  EXPECT_EQ(flaws.wrong, 0u) << what << ": of " << flaws.contacts << flaws.text;
  shares.expect_good(what);
}

TEST(resting, points_that_stay_are_as_good_as_new_ones) {
  std::vector<Row> rows = faces_on_faces();
  rows.push_back({"prism8", "prism8"});
  for (const char* name : {"box", "prism8", "prism32", "cylinder"}) rows.push_back({"plane", name});
  for (const Row& row : rows) {
    for (const double pace : {5e-4, 5e-3, 0.05}) {
      for (const Method method : methods_of(row)) {
        in_each_precision([&]<class T>() { expect_good_points_on_the_move<T>(row, pace, method); });
      }
    }
  }
}

}  // namespace
}  // namespace widephase::test
