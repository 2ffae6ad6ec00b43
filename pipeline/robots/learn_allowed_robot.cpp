// How often pairs of links touch in random configurations.

#include <widephase/learn_allowed.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "soa/number_text.hpp"

namespace widephase {

namespace {

/// Configurations that are asked together.
constexpr std::size_t kAtOnce = 4096;
constexpr double kPi = 3.14159265358979323846;
constexpr double kEverything = 1e9;

/// Numbers that are the same on all machines: splitmix64 (Steele, Lea and Flood 2014).
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  /// From 0 to below 1.
  double next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// Whether a value is a part of a quaternion: joints of these types end with one.
bool is_of_turn(const Robot& robot, std::size_t value) {
  const std::vector<RobotValue>& values = robot.values();
  const JointType type = robot.columns().joints.type[static_cast<std::size_t>(values[value].joint)];
  if (type == JointType::ball) return true;
  if (type != JointType::floating) return false;
  std::size_t first = value;
  while (first > 0 && values[first - 1].joint == values[value].joint) --first;
  return value - first >= 3;
}

double value_of(const RobotValue& value, bool is_turn, Numbers& numbers) {
  const double share = numbers.next();
  // Rotations are those of points in a ball of 4 dimensions; see below.
  if (is_turn) return 2 * share - 1;
  // Beyond one turn an angle repeats; limits may be far apart that mean none.
  const double range = value.upper - value.lower;
  if (std::isfinite(range) && !(value.is_angle && range > 2 * kPi)) {
    return value.lower + share * (value.upper - value.lower);
  }
  return value.is_angle ? (2 * share - 1) * kPi : value.start;
}

void append_configuration(const Robot& robot, const std::vector<std::uint8_t>& is_turn,
                          Numbers& numbers, std::vector<double>& q) {
  for (std::size_t v = 0; v < is_turn.size(); ++v) {
    if (is_turn[v] == 0) {
      q.push_back(value_of(robot.values()[v], false, numbers));
      continue;
    }
    // Four parts, again until they are in the ball: then their direction is uniform.
    std::array<double, 4> parts{};
    double square = 2;
    while (!(square <= 1 && square > 1e-6)) {
      square = 0;
      for (double& part : parts) {
        part = value_of(robot.values()[v], true, numbers);
        square += part * part;
      }
    }
    q.insert(q.end(), parts.begin(), parts.end());
    v += 3;
  }
}

}  // namespace

void learn_allowed(const Robot& robot, std::size_t count, std::uint64_t seed, LearnedPairs& learned,
                   Workspace<3, double>& workspace, const CollideOptions& options) {
  if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error(Finding{"count", -1,
                        "is " + number(count) + "; expected at most 2147483647 configurations"});
  }
  const std::size_t width = robot.values().size();
  RobotContacts found;
  const auto ask = [&](const std::vector<double>& values, std::size_t configurations,
                       double margin) {
    CollideOptions wanted = options;
    wanted.margin = margin;
    Configurations<double> q(values, width);
    q.count = configurations;  // of a robot without joints too
    contacts(robot, q, Environment(), found, workspace, wanted);
  };
  const auto links_of = [&](std::size_t i) {
    return std::array{std::min(found.link[i], found.other_link[i]),
                      std::max(found.link[i], found.other_link[i])};
  };
  // All pairs that may meet are within a margin that is far larger than any robot.
  std::vector<double> values;
  for (const RobotValue& value : robot.values()) values.push_back(value.start);
  ask(values, 1, kEverything);
  std::map<std::array<std::int32_t, 2>, std::int64_t> counts;
  for (std::size_t i = 0; i < found.depth.size(); ++i) {
    if (links_of(i)[0] >= 0) counts[links_of(i)] = 0;
  }
  std::vector<std::uint8_t> is_turn;
  for (std::size_t v = 0; v < width; ++v) is_turn.push_back(is_of_turn(robot, v) ? 1 : 0);
  Numbers numbers(seed);
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t configurations = std::min(kAtOnce, count - first);
    values.clear();
    for (std::size_t i = 0; i < configurations; ++i) {
      append_configuration(robot, is_turn, numbers, values);
    }
    ask(values, configurations, options.margin);
    std::set<std::array<std::int32_t, 2>> touching;
    for (std::size_t i = 0; i < found.depth.size(); ++i) {
      if (links_of(i)[0] >= 0) touching.insert(links_of(i));
      const bool is_last =
          i + 1 == found.depth.size() || found.configuration[i + 1] != found.configuration[i];
      if (!is_last) continue;
      for (const auto& pair : touching) ++counts[pair];
      touching.clear();
    }
  }
  learned = {};
  learned.samples = static_cast<std::int64_t>(count);
  for (const auto& [links, touching] : counts) {
    learned.links.push_back(links);
    learned.contacts.push_back(touching);
  }
}

}  // namespace widephase
