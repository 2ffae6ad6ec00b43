// Motions of robots: by samples, or proven free for all times.
//
// A proof divides a motion into parts. A part is free if, in the configuration at its middle, no
// pair is nearer than the two can move toward one another within the part (motion_tree.hpp). Most
// pairs are apart by balls around the robot's shapes (motion_pairs.hpp). For the others, and for
// robots without such balls, the distances of all pairs within the largest of these lengths are
// compared with the pairs' own lengths. What is then neither free nor touches is halved, and its
// halves ask only the pairs that were not apart. What float can decide in lanes (lane_prover.hpp)
// is not asked in double.

#include <widephase/robot_motions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "pipeline/robots/expect_placed.hpp"
#include "pipeline/robots/lane_prover.hpp"
#include "pipeline/robots/motion_pairs.hpp"
#include "pipeline/robots/motion_samples.hpp"
#include "pipeline/robots/motion_tree.hpp"
#include "pipeline/robots/named_contacts.hpp"

namespace widephase {

namespace {

/// Motions that are asked together.
constexpr std::size_t kMotions = 1024;
constexpr double kMostSamplesOfMotion = 1e7;
/// The parts of a motion at the start of a proof; of all motions that are proven together, except
/// that one alone may have more; and those that a motion asks together, or a share of its own.
constexpr std::size_t kParts = 16, kMostParts = 1 << 20, kPartsAtOnce = 64;
/// What rounding may take from distances in double, as a share of lengths moved and of the robot's
/// and its surroundings' size.
constexpr double kShare = 1e-6, kSlack = 1e-9;
/// In lanes the parts at the start are at most this long.
constexpr double kFirstLength = 0.25;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Motions in double, row by row, of one world of the environment.
struct Motions {
  std::size_t width = 0;
  std::vector<double> from, to;
  std::vector<double> length;     ///< of each in values
  std::vector<std::int64_t> row;  ///< of each in the caller's arrays

  MotionRows rows() const { return {from.data(), to.data(), width}; }
  double value(std::size_t motion, double t, std::size_t v) const {
    return rows().value(motion, t, v);
  }
  void append(std::size_t motion, double t, std::vector<double>& values) const {
    for (std::size_t v = 0; v < width; ++v) values.push_back(value(motion, t, v));
  }
};

struct Answer {
  MotionStatus status = MotionStatus::free;
  double at = kNotANumber;
  void hit(double t) {
    if (status == MotionStatus::hit && at <= t) return;
    status = MotionStatus::hit;
    at = t;
  }
};

/// What all steps ask.
struct Question : RobotQuestion {
  /// `motion_of(i)` is the motion of a configuration, for errors.
  template <class MotionOf>
  std::vector<std::uint8_t> any(const Motions& motions, const std::vector<double>& values,
                                std::size_t count, const MotionOf& motion_of,
                                double more_margin = 0) const {
    CollideOptions wanted = options;
    wanted.margin += more_margin;
    Configurations<double> q(values, robot.values().size());
    q.count = count;
    std::vector<std::uint8_t> answers(count);
    try {
      find_contacts_of(robot, q, environment, world, std::span<std::uint8_t>(answers), workspace,
                       wanted);
    } catch (const Error& error) {
      // The rows of `q` are nobody's but ours.
      if (!error.finding() || error.finding()->array != "q" || error.finding()->row < 0) throw;
      const std::size_t motion = motion_of(static_cast<std::size_t>(error.finding()->row));
      throw Error(Finding{"to", motions.row[motion],
                          "has a configuration on its way that " + error.finding()->message});
    }
    return answers;
  }
};

void check_samples(const Question& question, const Motions& motions, double resolution,
                   std::vector<Answer>& answers) {
  std::vector<SampledMotion> open;
  double count = 0;
  for (std::size_t m = 0; m < answers.size(); ++m) {
    const double steps = std::max(1.0, std::ceil(motions.length[m] / resolution));
    open.push_back({.motion = m, .steps = steps});
    count += steps + 1;
  }
  const MotionSampler sampler(question.robot, question.environment, question.world,
                              question.options, count);
  std::vector<double> values;
  std::vector<std::pair<std::size_t, double>> samples;  // that are unsure
  while (!open.empty()) {
    sampler.ask(motions.rows(), open);
    values.clear();
    samples.clear();
    for (const SampledMotion& one : open) {
      for (const double k : one.unsure) {
        samples.emplace_back(one.motion, k / one.steps);
        motions.append(one.motion, k / one.steps, values);
      }
    }
    if (!samples.empty()) {
      const auto hits = question.any(motions, values, samples.size(),
                                     [&](std::size_t i) { return samples[i].first; });
      for (std::size_t i = 0; i < samples.size(); ++i) {
        if (hits[i] != 0) answers[samples[i].first].hit(samples[i].second);
      }
    }
    std::erase_if(open, [&](const SampledMotion& one) {
      if (one.touching) answers[one.motion].hit(*one.touching / one.steps);
      return answers[one.motion].status == MotionStatus::hit || one.next > one.steps;
    });
  }
}

/// The margins of shapes, 0 where there is no column.
Column<double> margins_of(const SceneSpan<3, double>& shapes) {
  Column<double> margin;
  join_column<double>(
      column_of_kinds<double>(shapes, [](const auto& table) { return table.margin; }),
      layout_of(shapes), {1, {}}, 0.0, margin);
  return margin;
}

class Prover {
 public:
  Prover(const Question& question, const Motions& motions, double least_width,
         std::vector<Answer>& answers, CheckUse use)
      : question_(question),
        motions_(motions),
        least_width_(least_width),
        answers_(answers),
        tree_(question.robot),
        offset_(question.robot.plan().slot_count),
        of_robot_(margins_of(question.robot.shapes())),
        of_obstacles_(margins_of(question.environment.shapes())) {
    for (const RobotSlots& slots : question.robot.plan().slots) {
      for (std::int32_t k = 0; k < number_count(slots.motion); ++k) {
        offset_[static_cast<std::size_t>(slots.slot + k)] = 2 * std::abs(slots.offset);
      }
    }
    const Environment::State& around = question.environment.state();
    if (!around.points.empty()) size_ = around.points.extent() + around.points.radius();
    for (const Obstacle& obstacle : around.obstacles) {
      if (std::isfinite(obstacle.extent)) size_ = std::max(size_, obstacle.extent);
    }
    if (use != CheckUse::none) make_lanes(use);
    // Where all that surrounds the robot is listed, and the pairs are not too many to go through.
    const CheckPlan& plan = question.robot.plan().check;
    const std::size_t listed = question.environment.state().obstacles.size();
    if (!plan.takes(question.options.margin) || listed != question.environment.size()) return;
    if (listed * plan.units.size() > kMostPairs) return;
    pairs_.emplace(question.robot, tree_, question.environment, question.world,
                   question.options.margin, question.options.moving_pairs);
    if (pairs_->size() > kMostPairs) {
      pairs_.reset();
      return;
    }
    for (std::size_t pair = 0; pair < pairs_->size(); ++pair) {
      all_.push_back(static_cast<std::int32_t>(pair));
    }
  }

  void prove() {
    // Float finds most motions free without them.
    if (!lanes_) ask_ends();
    // Parts that are left, the earliest last. In each round a motion asks some of its own, so that
    // what it asks does not depend on others, and few are left however often they are halved.
    std::vector<std::vector<Interval>> left(answers_.size());
    for (std::size_t m = 0; m < answers_.size(); ++m) {
      if (answers_[m].status == MotionStatus::hit || motions_.length[m] == 0) continue;
      std::size_t parts = parts_of(motions_.length[m]);
      // What is apart for long is not asked again. Parts that would not be halved stay.
      const double twice = 2 * motions_.length[m], longest = lanes_ ? kFirstLength : 1;
      while (parts > 1 && twice <= longest * static_cast<double>(parts) &&
             twice > least_width_ * static_cast<double>(parts)) {
        parts /= 2;
      }
      const double width = 0.5 / static_cast<double>(parts);
      for (std::size_t i = parts; i-- > 0;) {
        left[m].push_back({m, static_cast<double>(2 * i + 1) * width, width, {}, {}});
      }
    }
    std::vector<Interval> now, next;
    do {
      now.clear();
      next.clear();
      for (std::size_t m = 0; m < left.size(); ++m) {
        const std::size_t at_once = std::max(kPartsAtOnce, parts_of(motions_.length[m]) / 16);
        for (std::size_t i = 0; i < at_once && !left[m].empty(); ++i) {
          now.push_back(std::move(left[m].back()));
          left[m].pop_back();
        }
      }
      for (std::size_t first = 0; first < now.size(); first += kIntervals) {
        ask(std::span(now).subspan(first, std::min(kIntervals, now.size() - first)), next);
      }
      for (auto one = next.rbegin(); one != next.rend(); ++one) {
        left[one->motion].push_back(std::move(*one));
      }
      // A motion that touches needs no more.
      for (std::size_t m = 0; m < left.size(); ++m) {
        if (answers_[m].status == MotionStatus::hit) left[m] = {};
      }
    } while (!now.empty());
    if (lanes_) ask_ends();
  }

  /// How many parts a motion has at first.
  static std::size_t parts_of(double length) {
    std::size_t parts = kParts;
    while (parts < kMostParts && length / static_cast<double>(parts) > 0.25) parts *= 2;
    return parts;
  }

 private:
  static constexpr std::size_t kIntervals = 1 << 14;

  void make_lanes(CheckUse use) {
    const Environment::State& around = question_.environment.state();
    if (around.obstacles.size() != question_.environment.size()) return;
    const CollideOptions& options = question_.options;
    scene_.emplace(question_.robot, around,
                   CheckQuestion{options.margin, question_.world, options.moving_pairs,
                                 use != CheckUse::without_culls});
    if (!scene_->is_there()) return;
    lanes_.emplace(
        question_.robot, *scene_,
        MotionEnds{motions_.from.data(), motions_.to.data(), motions_.width, answers_.size()},
        options);
  }

  /// The middles of parts are never at the ends, which may touch alone. What float found free is so
  /// at its ends.
  void ask_ends() {
    std::vector<double> values;
    std::vector<std::size_t> asked;
    for (std::size_t m = 0; m < answers_.size(); ++m) {
      if (lanes_ && answers_[m].status == MotionStatus::free && motions_.length[m] != 0) continue;
      asked.push_back(m);
      for (const double t : {0.0, 1.0}) motions_.append(m, t, values);
    }
    const auto hits = question_.any(motions_, values, 2 * asked.size(),
                                    [&](std::size_t i) { return asked[i / 2]; });
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (hits[i] != 0) answers_[asked[i / 2]].hit(static_cast<double>(i % 2));
    }
  }

  void place(const Interval& interval) {
    const std::size_t slots = question_.robot.plan().slot_count;
    std::vector<double> rows;
    for (const double t : {interval.t, 0.0, 1.0}) motions_.append(interval.motion, t, rows);
    Configurations<double> q(rows, motions_.width);
    q.count = 3;
    Gatherer<double> gatherer(question_.robot, q, false);
    numbers_.resize_uninitialized(slots * kRobotBlock);
    gatherer.gather(0, 3, numbers_.plane());
    if (gatherer.status(0) != ConfigurationStatus::placed) {
      // Says why.
      question_.any(motions_, rows, 1, [&](std::size_t) { return interval.motion; });
    }
    tree_.place(numbers_.plane(), kRobotBlock);
    for (std::size_t s = 0; s < slots; ++s) {
      double* const lanes = numbers_.plane() + s * kRobotBlock;
      lanes[3] = std::abs(lanes[2] - lanes[1]);
      // The numbers on the way are rounded, unless they stay what they are.
      const double size = std::max(std::abs(lanes[1]), std::abs(lanes[2])) + offset_[s];
      if (lanes[3] != 0) lanes[3] += kNumberRoundings * size / interval.width;
    }
    tree_.set_speeds(numbers_.plane() + 3);
  }

  /// The least of few margins that is not below a length, so that many parts share one.
  static double rounded_up(double length) {
    int exponent = 0;
    const double part = std::frexp(length, &exponent);
    return std::ldexp(std::ceil(8 * part) / 8, exponent);
  }

  bool can_divide(const Interval& interval) const {
    return 2 * interval.width * motions_.length[interval.motion] > least_width_;
  }

  void ask(std::span<const Interval> intervals, std::vector<Interval>& next) {
    std::map<double, std::vector<std::size_t>> by_margin;
    std::vector<PartAnswer> known(intervals.size(), PartAnswer::unknown);
    std::vector<OpenPairs> open(intervals.size()), listed(intervals.size());
    if (lanes_) lanes_->ask(intervals, known, listed);
    std::vector<std::uint8_t> is_free(intervals.size());
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      // In double less is lost to rounding.
      if (known[i] == PartAnswer::open && !can_divide(intervals[i])) known[i] = PartAnswer::unknown;
      is_free[i] = known[i] == PartAnswer::free ? 1 : 0;
      open[i] = intervals[i].open;
      if (known[i] != PartAnswer::unknown) continue;
      place(intervals[i]);
      if (pairs_) {
        const Nearness nearness = find_open(intervals[i], open[i]);
        is_free[i] = nearness == Nearness::apart ? 1 : 0;
        if (nearness != Nearness::unknown) continue;
      }
      const double most = tree_.most_reach(intervals[i].width) * (1 + kShare) + slack();
      by_margin[most < kMostMargin ? rounded_up(most) : kMostMargin].push_back(i);
    }
    for (const auto& [margin, rows] : by_margin) {
      std::vector<double> values;
      for (const std::size_t i : rows) motions_.append(intervals[i].motion, intervals[i].t, values);
      const auto near = question_.any(
          motions_, values, rows.size(), [&](std::size_t k) { return intervals[rows[k]].motion; },
          margin);
      std::vector<std::int64_t> left;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        // With shapes that have no end nothing is free at a distance.
        is_free[rows[k]] = near[k] == 0 && margin < kMostMargin ? 1 : 0;
        if (near[k] != 0) left.push_back(static_cast<std::int64_t>(k));
      }
      if (margin < kMostMargin) compare(intervals, rows, values, left, margin, is_free);
    }
    settle(intervals, known, is_free, open, listed, next);
  }

  enum class Nearness { apart, near, unknown };

  /// Finds the pairs that may come together within a part.
  Nearness find_open(const Interval& interval, OpenPairs& open) {
    pairs_->placed(tree_);
    const bool is_long =
        2 * interval.width * motions_.length[interval.motion] > std::max(0.5, least_width_);
    const double more = slack();
    const std::vector<std::int32_t>& asked = interval.open == nullptr ? all_ : *interval.open;
    std::vector<std::int32_t> near;
    bool is_exact = false;
    for (const std::int32_t pair : asked) {
      if (pairs_->is_apart(pair, interval.width, kShare, more, is_long)) continue;
      near.push_back(pair);
      is_exact |= pairs_->is_exact(pair);
    }
    if (near.empty()) return Nearness::apart;
    open = near.size() == asked.size()
               ? interval.open
               : std::make_shared<const std::vector<std::int32_t>>(std::move(near));
    return is_long || is_exact ? Nearness::near : Nearness::unknown;
  }

  /// Frees those whose pairs are all farther apart than they move.
  void compare(std::span<const Interval> intervals, const std::vector<std::size_t>& rows,
               const std::vector<double>& values, const std::vector<std::int64_t>& left,
               double margin, std::vector<std::uint8_t>& is_free) {
    CollideOptions options = question_.options;
    options.margin += margin;
    Configurations<double> q(values, motions_.width);
    q.count = rows.size();
    for (const std::int64_t k : left) is_free[rows[static_cast<std::size_t>(k)]] = 1;
    std::size_t placed = rows.size();
    for_each_contact(
        question_.robot, q, question_.environment, question_.world, left, question_.workspace,
        options, [&](std::size_t k, const NamedPair& named, const auto& contacts, std::size_t i) {
          const Interval& interval = intervals[rows[k]];
          if (is_free[rows[k]] == 0) return;
          if (placed != k) place(interval);
          placed = k;
          const double gap = -contacts.depth[i] - question_.options.margin - margin_of(named.pair);
          const double moved = reach(named.pair, interval.width);
          if (!(gap > moved * (1 + kShare) + slack())) is_free[rows[k]] = 0;
        });
  }

  double margin_of(const RobotPair& pair) const {
    const auto of = [](const Column<double>& margins, std::int32_t id) {
      return id < 0 || margins.empty() ? 0 : margins[static_cast<std::size_t>(id)];
    };
    return of(of_robot_, pair.shape) + of(of_robot_, pair.other) + of(of_obstacles_, pair.obstacle);
  }

  double reach(const RobotPair& pair, double width) const {
    const std::int32_t part = tree_.part_of(pair.shape);
    return pair.other < 0 ? tree_.reach(part, width)
                          : tree_.reach(part, tree_.part_of(pair.other), width);
  }

  /// What is not free touches, or is halved.
  void settle(std::span<const Interval> intervals, const std::vector<PartAnswer>& known,
              const std::vector<std::uint8_t>& is_free, const std::vector<OpenPairs>& open,
              const std::vector<OpenPairs>& listed, std::vector<Interval>& next) {
    std::vector<double> values;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if (is_free[i] != 0 || known[i] != PartAnswer::unknown) continue;
      left.push_back(i);
      motions_.append(intervals[i].motion, intervals[i].t, values);
    }
    const auto hits = question_.any(motions_, values, left.size(),
                                    [&](std::size_t k) { return intervals[left[k]].motion; });
    for (std::size_t i = 0, k = 0; i < intervals.size(); ++i) {
      if (is_free[i] != 0) continue;
      const Interval& interval = intervals[i];
      Answer& answer = answers_[interval.motion];
      if (known[i] == PartAnswer::unknown ? hits[k++] != 0 : known[i] == PartAnswer::hit) {
        answer.hit(interval.t);
      } else if (can_divide(interval)) {
        const double half = 0.5 * interval.width;
        next.push_back({interval.motion, interval.t - half, half, open[i], listed[i]});
        next.push_back({interval.motion, interval.t + half, half, open[i], listed[i]});
      } else if (answer.status == MotionStatus::free) {
        answer.status = MotionStatus::undecided;
      }
    }
  }

  double slack() const { return kSlack * std::max({1.0, tree_.size(), size_}); }

  static constexpr double kMostMargin = 1e6;
  /// Parts that are asked together each have a list of those that are open.
  static constexpr std::size_t kMostPairs = 1 << 12;

  const Question& question_;
  const Motions& motions_;
  double least_width_;
  std::vector<Answer>& answers_;
  MotionTree tree_;
  std::optional<ProofScene> scene_;
  std::optional<LaneProver> lanes_;
  std::optional<MotionPairs> pairs_;
  std::vector<std::int32_t> all_;  ///< of them
  std::vector<double> offset_;     ///< twice that of each number of a joint
  double size_ = 0;                ///< no coordinate of an obstacle that has an end is beyond
  Column<double> of_robot_, of_obstacles_;
  Column<double> numbers_;
};

/// Throws for a quaternion that is nearly 0 on the way.
void expect_turns(const Robot& robot, const Motions& motions, std::size_t motion) {
  for (const RobotSlots& slots : robot.plan().slots) {
    if (slots.motion != JointMotion::ball && slots.motion != JointMotion::floating) continue;
    const auto first = static_cast<std::size_t>(slots.value + number_count(slots.motion) - 4) +
                       motion * motions.width;
    double start = 0, end = 0, along = 0, way = 0;
    for (std::size_t k = first; k < first + 4; ++k) {
      const double d = motions.to[k] - motions.from[k];
      start += motions.from[k] * motions.from[k];
      end += motions.to[k] * motions.to[k];
      along += motions.from[k] * d;
      way += d * d;
    }
    if (way == 0) continue;
    const double t = std::clamp(-along / way, 0.0, 1.0);
    double least = 0;
    for (std::size_t k = first; k < first + 4; ++k) {
      const double part = motions.value(motion, t, k - motion * motions.width);
      least += part * part;
    }
    if (least > 1e-12 * std::min(start, end)) continue;
    throw Error(
        Finding{"to", motions.row[motion],
                "has the opposite of the first quaternion as " +
                    robot.values()[first - motion * motions.width].name +
                    "; the way between them goes through 0, so give a configuration in between"});
  }
}

/// What a proof asks at first.
std::size_t first_parts(const MotionOptions& wanted, double length) {
  return wanted.proof ? Prover::parts_of(length) : 0;
}

/// Motions from `first` on, until they are enough to be asked together.
template <class T>
Motions motions_of(const Robot& robot, const Configurations<T>& from, const Configurations<T>& to,
                   const std::size_t* rows, std::size_t first, std::size_t end,
                   const MotionOptions& wanted) {
  const double least = wanted.proof ? wanted.least_width : wanted.resolution;
  Motions motions;
  motions.width = robot.values().size();
  std::size_t parts = 0;
  for (std::size_t i = first; i < end && motions.row.size() < kMotions; ++i) {
    if (parts >= kMostParts) break;
    const std::size_t row = rows == nullptr ? i : rows[i];
    double square = 0;
    for (std::size_t v = 0; v < motions.width; ++v) {
      motions.from.push_back(value_at(from, row, v));
      motions.to.push_back(value_at(to, row, v));
      const double d = motions.to.back() - motions.from.back();
      square += d * d;
    }
    motions.length.push_back(std::sqrt(square));
    motions.row.push_back(static_cast<std::int64_t>(row));
    if (!(motions.length.back() / least <= kMostSamplesOfMotion)) {
      throw Error(Finding{
          "to", motions.row.back(),
          wanted.proof ? "is so far away that it has more than 10^7 parts of least_width; give a "
                         "larger least_width"
                       : "is so far away that it takes more than 10^7 samples; give a coarser "
                         "resolution"});
    }
    expect_turns(robot, motions, motions.row.size() - 1);
    parts += first_parts(wanted, motions.length.back());
  }
  return motions;
}

}  // namespace

template <class T>
void check_motions_with(const Robot& robot, const Configurations<T>& from,
                        const Configurations<T>& to, const Environment& environment,
                        MotionChecks& checks, Workspace<3, double>& workspace,
                        const MotionOptions& wanted, const CollideOptions& options,
                        std::span<const std::int32_t> worlds, CheckUse use) {
  if (wanted.proof) {
    expect_above_0("least_width", wanted.least_width);
    expect_provable(robot.shapes(), "robot");
    expect_provable(environment.shapes(), "environment");
  } else {
    expect_above_0("resolution", wanted.resolution);
  }
  expect_width(robot, from, "from");
  expect_width(robot, to, "to");
  if (to.count != from.count) {
    throw Error(Finding{"to", -1,
                        "has " + number(to.count) + " rows; expected " + number(from.count) +
                            ", one for the start of each motion"});
  }
  expect_placed(robot, from, "from");
  expect_placed(robot, to, "to");
  std::vector<Answer> all(from.count);
  for_each_world(robot, from, environment, worlds, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   const Question question{{robot, environment, world, workspace, options}};
                   for (std::size_t first = 0; first < part.count;) {
                     const Motions motions =
                         motions_of(robot, from, to, rows, first, part.count, wanted);
                     const std::size_t count = motions.row.size();
                     std::vector<Answer> answers(count);
                     if (wanted.proof) {
                       Prover(question, motions, wanted.least_width, answers, use).prove();
                     } else {
                       check_samples(question, motions, wanted.resolution, answers);
                     }
                     for (std::size_t i = 0; i < count; ++i) {
                       all[static_cast<std::size_t>(motions.row[i])] = answers[i];
                     }
                     first += count;
                   }
                 });
  checks.status.resize_uninitialized(all.size());
  checks.at.resize_uninitialized(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    checks.status[i] = all[i].status;
    checks.at[i] = all[i].at;
  }
}

template <class T>
void check_motions(const Robot& robot, const Configurations<T>& from, const Configurations<T>& to,
                   const Environment& environment, MotionChecks& checks,
                   Workspace<3, double>& workspace, const MotionOptions& wanted,
                   const CollideOptions& options, std::span<const std::int32_t> worlds) {
  check_motions_with(robot, from, to, environment, checks, workspace, wanted, options, worlds,
                     CheckUse::all);
}

#define WIDEPHASE_INSTANTIATE(T)                                                            \
  template WIDEPHASE_API void check_motions<T>(                                             \
      const Robot&, const Configurations<T>&, const Configurations<T>&, const Environment&, \
      MotionChecks&, Workspace<3, double>&, const MotionOptions&, const CollideOptions&,    \
      std::span<const std::int32_t>);                                                       \
  template void check_motions_with<T>(                                                      \
      const Robot&, const Configurations<T>&, const Configurations<T>&, const Environment&, \
      MotionChecks&, Workspace<3, double>&, const MotionOptions&, const CollideOptions&,    \
      std::span<const std::int32_t>, CheckUse);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
