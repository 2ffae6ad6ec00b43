#include "pipeline/robots/motion_samples.hpp"

#include <algorithm>
#include <cmath>

#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Motions of a chunk of a thread.
constexpr std::size_t kChunk = 64;
/// Unsure samples of a motion that are asked together.
constexpr std::size_t kMostUnsure = 32;
/// Values, and squared lengths of quaternions, that stay in range on the way.
constexpr double kMostPlainValue = 1e9;
constexpr double kLeastPlainSquare = 1e-100, kMostPlainSquare = 1e100;

/// How the number of each slot comes from a value.
std::vector<SampleNumber> sample_numbers(const Robot& robot) {
  std::vector<SampleNumber> numbers(robot.plan().slot_count);
  const std::int32_t order = robot.columns().quaternions == QuaternionOrder::wxyz ? 1 : 0;
  for (const RobotSlots& slots : robot.plan().slots) {
    const std::int32_t count = number_count(slots.motion);
    const bool has_turn =
        slots.motion == JointMotion::ball || slots.motion == JointMotion::floating;
    const std::int32_t lengths = has_turn ? count - 4 : count;
    for (std::int32_t k = 0; k < count; ++k) {
      SampleNumber& number = numbers[static_cast<std::size_t>(slots.slot + k)];
      if (k < lengths) {
        number = {slots.value + k, slots.multiplier, slots.offset};
      } else {
        number = {slots.value + lengths + (k - lengths + order) % 4, 1, 0};
      }
    }
  }
  return numbers;
}

}  // namespace

/// Samples of some motions, a block at a time.
class MotionSampler::Blocks {
 public:
  Blocks(const MotionSampler& sampler, const MotionRows& rows, std::span<SampledMotion> motions)
      : sampler_(sampler),
        rows_(rows),
        motions_(motions),
        room_(sampler.scene_->job(), sampler.numbers_.size()) {
    room_.job().later = later_;
  }

  void ask() {
    while (fill()) {
      sampler_.table_.place_samples(
          {runs_, run_count_, sampler_.numbers_.data(), sampler_.numbers_.size(), room_.numbers()});
      sampler_.table_.check(room_.job());
      for (std::size_t r = 0; r < run_count_; ++r) settle(r);
    }
  }

 private:
  /// Takes the next samples. A motion that is done is passed over.
  bool fill() {
    run_count_ = 0;
    std::size_t lane = 0;
    while (lane < kRobotBlock && at_ < motions_.size()) {
      SampledMotion& motion = motions_[at_];
      const double left = motion.steps - motion.next + 1;
      if (!(left > 0) || motion.touching || motion.unsure.size() >= kMostUnsure) {
        ++at_;
        continue;
      }
      const std::size_t room = kRobotBlock - lane;
      const std::size_t taken =
          left < static_cast<double>(room) ? static_cast<std::size_t>(left) : room;
      runs_[run_count_] = {rows_.from + motion.motion * rows_.width,
                           rows_.to + motion.motion * rows_.width, motion.next, motion.steps,
                           static_cast<double>(lane)};
      const unsigned behind = (1u << (lane + taken)) - 1;
      for (std::size_t i = lane; i < lane + taken; ++i) later_[i] = behind & ~((2u << i) - 1);
      of_run_[run_count_++] = {at_, lane, lane + taken};
      motion.next += static_cast<double>(taken);
      lane += taken;
      if (lane < kRobotBlock) ++at_;
    }
    room_.job().wanted = (1u << lane) - 1;
    return lane != 0;
  }

  void settle(std::size_t r) {
    const Run& run = of_run_[r];
    SampledMotion& motion = motions_[run.motion];
    const CheckJob& job = room_.job();
    for (std::size_t i = run.first; i < run.last; ++i) {
      const double sample = runs_[r].first + static_cast<double>(i - run.first);
      if ((job.touching >> i & 1) != 0) {
        motion.touching = sample;
        return;
      }
      if ((job.unsure >> i & 1) != 0) motion.unsure.push_back(sample);
    }
  }

  struct Run {
    std::size_t motion, first, last;  ///< lanes
  };

  const MotionSampler& sampler_;
  const MotionRows& rows_;
  std::span<SampledMotion> motions_;
  CheckRoom room_;
  std::size_t at_ = 0;  ///< the motion that is asked
  std::size_t run_count_ = 0;
  SampleRun runs_[kRobotBlock];
  Run of_run_[kRobotBlock];
  unsigned later_[kRobotBlock]{};
};

MotionSampler::MotionSampler(const Robot& robot, const Environment& environment, std::int32_t world,
                             const CollideOptions& options, double count)
    : plan_(robot.plan().check),
      table_(robot_table(chosen_isa(options.isa))),
      threads_(options.threads),
      numbers_(sample_numbers(robot)) {
  if (!plan_.takes(options.margin)) return;
  for (const RobotSlots& slots : robot.plan().slots) {
    if (slots.motion == JointMotion::ball) turns_.push_back(slots.value);
    if (slots.motion == JointMotion::floating) turns_.push_back(slots.value + 3);
  }
  scene_.emplace(plan_, environment.state(),
                 CheckQuestion{options.margin, world, options.moving_pairs, true, count});
}

bool MotionSampler::is_plain(const MotionRows& rows, std::size_t motion) const {
  for (const double* const all : {rows.from, rows.to}) {
    const double* const values = all + motion * rows.width;
    for (std::size_t v = 0; v < rows.width; ++v) {
      if (!(std::abs(values[v]) <= kMostPlainValue)) return false;
    }
    // Between the ends rounding goes beyond them by 2^-51 at most; limits allow for far more.
    for (const CheckLimit& limit : plan_.limits) {
      const SampleNumber& number = numbers_[static_cast<std::size_t>(limit.slot)];
      const double moved = number.multiplier * values[number.value] + number.offset;
      if (!(std::abs(moved) <= limit.most)) return false;
    }
    // The way between quaternions comes no nearer to 0 than a millionth of them.
    for (const std::int32_t turn : turns_) {
      double square = 0;
      for (std::int32_t k = 0; k < 4; ++k) square += values[turn + k] * values[turn + k];
      if (!(square >= kLeastPlainSquare && square <= kMostPlainSquare)) return false;
    }
  }
  return true;
}

void MotionSampler::ask(const MotionRows& rows, std::span<SampledMotion> motions) const {
  for_chunks(threads_, (motions.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunk;
    const auto part = motions.subspan(first, std::min(kChunk, motions.size() - first));
    for (SampledMotion& motion : part) {
      motion.unsure.clear();
      if (scene_ && is_plain(rows, motion.motion)) continue;
      while (motion.unsure.size() < kMostUnsure && motion.next <= motion.steps) {
        motion.unsure.push_back(motion.next++);
      }
    }
    if (scene_) Blocks(*this, rows, part).ask();
  });
}

}  // namespace widephase
