#pragma once

// Configurations of the caller, a block at a time, as numbers of joints in lanes; and what is wrong
// with them.

#include <atomic>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "pipeline/robots/robot_plan.hpp"
#include "soa/number_text.hpp"
#include "soa/right_lengths.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// Squared lengths of quaternions.
inline constexpr double kLeastSquare = 1e-150, kMostSquare = 1e150;

template <class T>
double value_at(const Configurations<T>& q, std::size_t row, std::size_t value) {
  T number;
  std::memcpy(&number,
              reinterpret_cast<const std::byte*>(q.first) +
                  static_cast<std::ptrdiff_t>(row) * q.row_stride +
                  static_cast<std::ptrdiff_t>(value) * q.value_stride,
              sizeof(T));
  return static_cast<double>(number);
}

/// The values of some rows, behind others.
template <class T>
void append_values(const Configurations<T>& q, std::span<const std::int64_t> rows,
                   std::vector<double>& values) {
  for (const std::int64_t row : rows) {
    for (std::size_t v = 0; v < q.width; ++v) {
      values.push_back(value_at(q, static_cast<std::size_t>(row), v));
    }
  }
}

/// Whether a joint moves by another one's value.
inline bool mimics(const Robot& robot, const RobotSlots& slots) {
  return robot.values()[static_cast<std::size_t>(slots.value)].joint != slots.joint;
}

/// The numbers of a block of configurations, and what is wrong with them.
template <class T>
class Gatherer {
 public:
  Gatherer(const Robot& robot, const Configurations<T>& q, bool checks_limits)
      : robot_(robot), q_(q), checks_limits_(checks_limits) {
    values_.resize_uninitialized(robot.values().size() * kRobotBlock);
  }

  /// Reads up to `kRobotBlock` configurations; lanes beyond `count` repeat the last. Numbers that
  /// have no meaning become those of no motion.
  void gather(std::size_t first, std::size_t count, double* numbers) {
    for (ConfigurationStatus& status : status_) status = ConfigurationStatus::placed;
    const std::vector<RobotValue>& values = robot_.values();
    for (std::size_t v = 0; v < values.size(); ++v) {
      double* const lanes = values_.plane() + v * kRobotBlock;
      for (std::size_t i = 0; i < kRobotBlock; ++i) {
        lanes[i] = value_at(q_, first + (i < count ? i : count - 1), v);
      }
      if (checks_limits_) check_limits(values[v], lanes);
    }
    for (const RobotSlots& slots : robot_.plan().slots) fill(slots, numbers);
  }
  ConfigurationStatus status(std::size_t lane) const { return status_[lane]; }

 private:
  void check_limits(const RobotValue& value, const double* lanes) {
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      if (lanes[i] < value.lower || lanes[i] > value.upper) {
        status_[i] = ConfigurationStatus::beyond_limits;
      }
    }
  }

  double* lanes_of(std::int32_t slot, double* numbers) const {
    return numbers + static_cast<std::size_t>(slot) * kRobotBlock;
  }
  const double* values_of(std::int32_t value) const {
    return values_.plane() + static_cast<std::size_t>(value) * kRobotBlock;
  }

  void fill(const RobotSlots& slots, double* numbers) {
    const JointMotion motion = slots.motion;
    std::int32_t lengths = 0;
    if (motion == JointMotion::slide) lengths = 1;
    if (motion == JointMotion::plane) lengths = 2;
    if (motion == JointMotion::floating) lengths = 3;
    for (std::int32_t k = 0; k < lengths; ++k) fill_number(slots, k, kMostLength, numbers);
    if (motion == JointMotion::turn || motion == JointMotion::plane) {
      fill_number(slots, lengths, kMostAngle, numbers);
    }
    if (motion == JointMotion::ball || motion == JointMotion::floating) {
      fill_turn(slots.value + lengths, lanes_of(slots.slot + lengths, numbers));
    }
  }

  void fill_number(const RobotSlots& slots, std::int32_t k, double most, double* numbers) {
    const double* const from = values_of(slots.value + k);
    double* const to = lanes_of(slots.slot + k, numbers);
    // A mimic may have another unit than its value, which the joint that has it checks.
    const bool is_mimic = mimics(robot_, slots);
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      const double moved = slots.multiplier * from[i] + slots.offset;
      const bool is_right = (is_mimic || std::abs(from[i]) <= most) && std::abs(moved) <= most;
      to[i] = is_right ? moved : 0;
      if (!is_right) status_[i] = ConfigurationStatus::invalid;
    }
  }

  void fill_turn(std::int32_t value, double* to) {
    const bool is_first = robot_.columns().quaternions == QuaternionOrder::wxyz;
    const double* const from = values_of(value);
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      double square = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const double part = from[(is_first ? (k + 1) % 4 : k) * kRobotBlock + i];
        to[k * kRobotBlock + i] = part;
        square += part * part;
      }
      if (square >= kLeastSquare && square <= kMostSquare) continue;
      status_[i] = ConfigurationStatus::invalid;
      for (std::size_t k = 0; k < 4; ++k) to[k * kRobotBlock + i] = k == 3 ? 1 : 0;
    }
  }

  const Robot& robot_;
  const Configurations<T>& q_;
  bool checks_limits_;
  Column<double> values_;
  ConfigurationStatus status_[kRobotBlock];
};

inline double most_of(bool is_angle) { return is_angle ? kMostAngle : kMostLength; }
inline std::string limit_text(bool is_angle) { return is_angle ? "2^50 radians" : "1e75"; }
inline std::string range_text(const RobotValue& value) {
  return "[" + number(value.lower) + ", " + number(value.upper) + "]";
}

/// Why a configuration is not placed; its first fault.
template <class T>
[[noreturn]] void refuse_configuration(const Robot& robot, const Configurations<T>& q,
                                       std::size_t row, bool checks_limits) {
  const auto fail = [&](std::size_t value, const std::string& expected) {
    throw Error(Finding{"q", static_cast<std::int64_t>(row),
                        "has " + number(value_at(q, row, value)) + " as " +
                            robot.values()[value].name + "; expected " + expected});
  };
  const RobotJoints& joints = robot.columns().joints;
  for (const RobotSlots& slots : robot.plan().slots) {
    const auto first = static_cast<std::size_t>(slots.value);
    const auto numbers = static_cast<std::size_t>(number_count(slots.motion));
    const bool has_turn =
        slots.motion == JointMotion::ball || slots.motion == JointMotion::floating;
    for (std::size_t k = 0; k + (has_turn ? 4 : 0) < numbers; ++k) {
      const double value = value_at(q, row, first + k);
      const bool is_angle = robot.values()[first + k].is_angle;
      if (!(std::abs(value) <= most_of(is_angle))) {
        fail(first + k, "a finite number up to " + limit_text(is_angle));
      }
      const bool turns =
          slots.motion == JointMotion::turn || (slots.motion == JointMotion::plane && k == 2);
      if (!(std::abs(slots.multiplier * value + slots.offset) <= most_of(turns))) {
        fail(first + k, "that " + joints.name[static_cast<std::size_t>(slots.joint)] +
                            (mimics(robot, slots) ? ", which mimics it," : "") +
                            " moves by up to " + limit_text(turns));
      }
    }
    if (!has_turn) continue;
    double square = 0;
    for (std::size_t k = numbers - 4; k < numbers; ++k) {
      const double part = value_at(q, row, first + k);
      square += part * part;
    }
    if (!(square >= kLeastSquare && square <= kMostSquare)) {
      fail(first + numbers - 4, "a quaternion of a length from 1e-75 to 1e75");
    }
  }
  for (std::size_t v = 0; checks_limits && v < robot.values().size(); ++v) {
    const RobotValue& value = robot.values()[v];
    const double given = value_at(q, row, v);
    if (given < value.lower || given > value.upper) fail(v, "a value in " + range_text(value));
  }
  throw Error("the configurations are not valid");  // the checks in lanes are stricter: a bug
}

template <class T>
void expect_width(const Robot& robot, const Configurations<T>& q, const char* array = "q") {
  const std::size_t expected = robot.values().size();
  if (q.width == expected) {
    if (q.first != nullptr || q.count == 0 || expected == 0) return;
    throw Error(Finding{array, -1, "has no address"});
  }
  std::string names;
  for (std::size_t i = 0; i < expected && i < 8; ++i) {
    names += (i == 0 ? " (" : ", ") + robot.values()[i].name;
  }
  if (expected > 8) names += ", ...";
  throw Error(Finding{array, -1,
                      "has " + number(q.width) + " values in each; expected " + number(expected) +
                          (names.empty() ? "" : names + ")")});
}

/// The least row that threads find at fault.
class FirstFault {
 public:
  explicit FirstFault(std::size_t count) : row_(count), count_(count) {}
  void add(std::size_t row) {
    std::size_t least = row_.load(std::memory_order_relaxed);
    while (row < least && !row_.compare_exchange_weak(least, row)) {
    }
  }
  bool has_any() const { return row_ < count_; }
  std::size_t row() const { return row_; }

 private:
  std::atomic<std::size_t> row_;
  std::size_t count_;
};

}  // namespace widephase
