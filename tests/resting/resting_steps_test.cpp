// The points that a body rests on, from step to step: a solver needs the same points in the next
// step. Bodies of equal size tremble on one another, and the table says how many points are new.
// support/generate_resting.hpp has the bodies and poses.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <utility>

#include <widephase/tracker.hpp>

#include "support/resting_rows.hpp"

namespace widephase::test {
namespace {

constexpr double kSteadiness = 0.001;   // relative to the size
constexpr double kMostUnknown = 0.01;   // share of points without a match
constexpr double kStepOverlap = 0.002;  // of trembling bodies

/// Trembling bodies: each step tilts each body anew about any horizontal axis.
struct Trembling {
  Row row;
  double offset = 0.03;  ///< in x and y
  bool has_yaw = false;  ///< each body one of its own
  double size = 1;
  Point<3> place{};  ///< in sizes
};

/// If there are no points, the share is 1.
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

/// The number of names that their pair did not have in the last step.
std::size_t renamed_since(const std::vector<std::set<std::uint32_t>>& last_names,
                          const std::vector<std::set<std::uint32_t>>& names) {
  std::size_t renamed = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::uint32_t name : names[i]) renamed += 1 - last_names[i].count(name);
  }
  return renamed;
}

/// Tilts a body anew about any horizontal axis.
void tilt_anew(RestingPose& pose, double noise, Random& random) {
  pose.tilt = std::abs(normal_number(random)) * noise;
  pose.direction = random.uniform(0, 2 * std::numbers::pi);
}

/// Also checks the points of the last step, as far as steadiness allows them to stay.
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
    // Tilts are normal numbers, rarely above 4.
    flaws.add(points_flaw(pair.a, pair.b, contact, options.margin, options.steadiness, size,
                          inside_if_leaning(pair, 4 * noise)),
              pair, describe(contact));
    if (size == 1) shares.add(pair, contact);
    EXPECT_GE(contact.points.size(), least_points(row.upper)) << row.name() << describe(contact);
  }
  EXPECT_EQ(flaws.wrong, 0u) << row.name() << " noise " << noise << flaws.text;
  if (shares.faces > 0) shares.expect_good(row.name() + " noise " + std::to_string(noise));
  return tally;
}

std::vector<Trembling> trembling_rows() {
  std::vector<Trembling> rows{
      {{"plane", "cylinder"}},       {{"box", "cylinder"}},     {{"cylinder", "cylinder"}},
      {{"cylinder", "cylinder"}, 0}, {{"plane", "cone"}},       {{"box", "cone"}},
      {{"upturned", "cone"}},        {{"upturned", "cone"}, 0}, {{"box", "rounded"}}};
  for (const char* lower : {"plane", "box"}) {
    for (const char* prism : {"prism8", "prism32", "prism100"}) rows.push_back({{lower, prism}});
  }
  rows.push_back({{"prism8", "prism8"}, 0});
  rows.push_back({{"box", "box"}, 0});
  rows.push_back({{"box", "box"}});
  rows.push_back({{"box", "box"}, 0.03, true});
  rows.push_back({{"hull", "hull"}, 0.03, true});
  for (const char* lower : {"plane", "box"}) {
    for (const char* lying : {"lying0", "lying5", "lying_cone"}) rows.push_back({{lower, lying}});
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
    // Printed only now, because failures print their own lines in between.
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
    // Far from the origin, where mixed precision keeps what float would round off.
    row.place = {1000, -300, 500};
    EXPECT_LE(tremble<Mixed>(row, 1e-4, count, 20).share(), kMostUnknown)
        << name_of(row) << " far from the origin";
  }
}

TEST(resting, an_ellipsoid_keeps_the_one_point_it_rests_on) {
  const std::size_t count = scaled(40, 10);
  for (const char* lower : {"plane", "aabb", "box", "hull", "prism32", "cylinder", "rounded",
                            "lying0", "capsule", "upturned", "ellipsoid"}) {
    in_each_precision([&]<class T>() {
      for (const Method method : kMethods) {
        const PastTally tally = tremble<T>({{lower, "ellipsoid"}}, 1e-4, count, 10, method);
        EXPECT_EQ(tally.points, 9 * count) << lower;
        EXPECT_EQ(tally.share(), 0) << lower << " " << name_of_real<T>();
      }
    });
  }
}

/// Steps of `count` pairs with steadiness and the caller's own words, without a tracker.
template <class T>
class StepsByHand {
 public:
  StepsByHand(std::size_t count, Method method) : words_(count), options_(options_for(1, method)) {
    options_.steadiness = kSteadiness;
    options_.warm_starts = words_;
  }
  void collide(const SceneColumns<3, T>& scene, const std::vector<Pair>& pairs) {
    collide_pairs<3, T>(scene, pairs, contacts, workspace_, options_);
  }

  ContactBuffer<3, T> contacts;

 private:
  std::vector<WarmStart> words_;
  CollideOptions options_;
  Workspace<3, T> workspace_;
};

/// Each step with the pairs in the other order, with the caller's own words.
template <class T>
void expect_names_stay_by_hand(const Row& row, double overlap, Method method) {
  const std::size_t count = scaled(100, 20);
  Random random(11);
  StepsByHand<T> steps(count, method);
  ContactBuffer<3, T>& contacts = steps.contacts;
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
    steps.collide(input.scene, list);
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
                                                                  {"cylinder", "cylinder"},
                                                                  {"rounded", "rounded"},
                                                                  {"upturned", "cone"}}) {
    for (const Method method : kMethods) {
      in_each_precision([&]<class T>() {
        expect_names_stay_by_hand<T>({lower, upper}, kStepOverlap, method);
        // Apart, within the margin.
        expect_names_stay_by_hand<T>({lower, upper}, -0.005, method);
      });
    }
  }
}

/// Bodies that move around, so that the corners of the last step belong to another overlap: the
/// ones that are kept must be as good as a new choice.
template <class T>
void expect_good_points_on_the_move(const Row& row, double pace, Method method) {
  const std::size_t count = scaled(60, 12);
  Random random(12);
  StepsByHand<T> steps(count, method);
  ContactBuffer<3, T>& contacts = steps.contacts;
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
    steps.collide(input.scene, input.pairs);
    EXPECT_EQ(contacts.size(), count);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const SolidPair<3>& pair = pairs[static_cast<std::size_t>(contacts.source[i])];
      const Contact<3, T> contact = contact_at(contacts, i);
      flaws.add(points_flaw(pair.a, pair.b, contact, kMargin, kSteadiness, 1,
                            inside_if_leaning(pair, 4e-4)),
                pair, describe(contact));
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
  for (const char* name : {"box", "prism8", "prism32", "cylinder", "cone"}) {
    rows.push_back({"plane", name});
  }
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
