#include "pipeline/robots/lane_prover.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "pipeline/robots/gather.hpp"
#include "pipeline/robots/robot_plan.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Parts of a chunk of a thread.
constexpr std::size_t kChunk = 64 * kRobotBlock;
/// The most open pairs that a part lists; its halves ask all those of it instead.
constexpr std::size_t kMostListed = 1024;
/// Ways beyond it are longer than all that is near.
constexpr double kLongest = 1e30;

/// Not below x.
float rounded_up(double x) {
  return static_cast<float>(std::min(x, kLongest) * (1 + 0x1p-22) + 1e-36);
}

}  // namespace

LaneProver::LaneProver(const Robot& robot, const ProofScene& scene, const MotionEnds& motions,
                       const CollideOptions& options)
    : robot_(robot), scene_(scene), motions_(motions), options_(options) {
  const RobotPlan& plan = robot.plan();
  sources_.resize(plan.slot_count);
  const bool is_first = robot.columns().quaternions == QuaternionOrder::wxyz;
  for (const RobotSlots& slots : plan.slots) {
    const bool has_turn =
        slots.motion == JointMotion::ball || slots.motion == JointMotion::floating;
    const auto count = static_cast<std::size_t>(number_count(slots.motion));
    const std::size_t plain = count - (has_turn ? 4 : 0);
    for (std::size_t k = 0; k < count; ++k) {
      Source& source = sources_[static_cast<std::size_t>(slots.slot) + k];
      const auto first = static_cast<std::size_t>(slots.value);
      source = k < plain
                   ? Source{first + k, slots.multiplier, slots.offset}
                   : Source{first + plain + (is_first ? (k - plain + 1) % 4 : k - plain), 1, 0};
    }
  }
  for (std::size_t n = 0; n < plan.check.nodes.size(); ++n) {
    const CheckNode& node = plan.check.nodes[n];
    if (node.motion == NodeMotion::fixed) continue;
    movers_.push_back({n, static_cast<std::size_t>(node.slot),
                       node.motion == NodeMotion::ball ? std::size_t{4} : 1,
                       node.motion == NodeMotion::turn});
  }
  for (std::size_t m = 0; m < motions.count; ++m) {
    for (const Source& source : sources_) {
      const std::size_t at = m * motions.width + source.value;
      const double from = source.multiplier * motions.from[at] + source.offset;
      const double to = source.multiplier * motions.to[at] + source.offset;
      const double difference = std::abs(to - from);
      const double size = std::max(std::abs(from), std::abs(to)) + 2 * std::abs(source.offset);
      changes_.push_back({difference, difference == 0 ? 0 : kNumberRoundings * size});
    }
  }
}

/// What a block of parts needs.
class LaneProver::Block {
 public:
  explicit Block(const LaneProver& prover)
      : prover_(prover),
        room_(prover.scene_.job().check, prover.sources_.size()),
        job_(prover.scene_.job()),
        table_(robot_table(chosen_isa(prover.options_.isa))),
        lanes_of_(prover.scene_.pair_count()),
        words_((prover.scene_.pair_count() + 63) / 64) {
    CheckJob& check = job_.check;
    check = room_.job();
    moved_.resize_uninitialized(check.node_count * kRobotBlock);
    reaches_.resize_uninitialized(prover.scene_.reach_count() * kRobotBlock);
    is_placed_ = std::make_unique<bool[]>(2 * check.unit_count);
    check.is_placed = is_placed_.get();
    job_.moved = moved_.plane();
    job_.reaches = reaches_.plane();
    asked_.reserve(lanes_of_.size());
    open_.reserve(lanes_of_.size());
  }

  void ask(std::span<const Interval> parts, PartAnswer* answers, OpenPairs* listed) {
    parts_ = parts;
    job_.check.wanted = 0;
    for (std::size_t i = 0; i < kRobotBlock; ++i) gather(i);
    collect();
    job_.asked = asked_.data();
    job_.asked_count = asked_.size();
    job_.open = open_.data();
    table_.prove(job_);
    answer(answers, listed);
  }

 private:
  const Interval& part(std::size_t lane) const { return parts_[std::min(lane, parts_.size() - 1)]; }

  /// The numbers at the middle of a part, and how far nodes move within it.
  void gather(std::size_t lane) {
    const Interval& asked = part(lane);
    const std::size_t slots = prover_.sources_.size(), width = prover_.motions_.width;
    const double* const from = prover_.motions_.from + asked.motion * width;
    const double* const to = prover_.motions_.to + asked.motion * width;
    double* const numbers = room_.numbers() + lane;
    for (std::size_t s = 0; s < slots; ++s) {
      const Source& source = prover_.sources_[s];
      const double a = from[source.value];
      const double value = a + asked.t * (to[source.value] - a);
      numbers[s * kRobotBlock] = source.multiplier * value + source.offset;
    }
    const Change* const changes = prover_.changes_.data() + asked.motion * slots;
    bool is_plain = lane < parts_.size();
    for (const Mover& mover : prover_.movers_) {
      double moved = way(changes[mover.slot], asked.width);
      if (mover.count == 4) {
        moved = half_sine(mover.slot, changes, asked.width, lane);
        is_plain &= moved >= 0;
        moved = 2 * std::min(moved, 1.0);
      } else if (mover.is_turn) {
        moved = std::min(moved, 2.0);
      }
      moved_.plane()[mover.node * kRobotBlock + lane] = moved == 0 ? 0 : rounded_up(moved);
    }
    // Beyond its limits, at any time of the part, float does not know what is near.
    for (const CheckLimit& limit : prover_.robot_.plan().check.limits) {
      const auto slot = static_cast<std::size_t>(limit.slot);
      const double most = std::abs(numbers[slot * kRobotBlock]) + way(changes[slot], asked.width);
      is_plain &= most <= limit.most;
    }
    if (is_plain) {
      job_.check.wanted |= 1u << lane;
    } else {
      for (std::size_t s = 0; s < slots; ++s) numbers[s * kRobotBlock] = 1;
    }
  }
  static double way(const Change& change, double width) {
    return change.difference * width + change.rounding;
  }
  /// The largest sine of half the angle by which a quaternion turns; below 0 without one.
  double half_sine(std::size_t slot, const Change* changes, double width, std::size_t lane) const {
    double square = 0, length = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double moved = way(changes[slot + k], width);
      const double number = job_.check.numbers[(slot + k) * kRobotBlock + lane];
      square += moved * moved;
      length += number * number;
    }
    if (!(length >= kLeastSquare && length <= kMostSquare)) return -1;
    return std::sqrt(square / length) * (1 + 1e-12);
  }

  /// The pairs that lanes ask.
  void collect() {
    const unsigned wanted = job_.check.wanted;
    unsigned all = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].listed == nullptr) all |= 1u << i;
    }
    all &= wanted;
    asked_.clear();
    open_.clear();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto bit = static_cast<std::uint16_t>(1u << i & wanted & ~all);
      if (bit == 0) continue;
      for (const std::int32_t pair : *parts_[i].listed) {
        const auto p = static_cast<std::size_t>(pair);
        words_[p / 64] |= std::uint64_t{1} << p % 64;
        lanes_of_[p] |= bit;
      }
    }
    if (all != 0) {
      for (std::size_t p = 0; p < lanes_of_.size(); ++p) {
        asked_.push_back(static_cast<std::int32_t>(p));
        open_.push_back(static_cast<std::uint16_t>(lanes_of_[p] | all));
        lanes_of_[p] = 0;
      }
      std::fill(words_.begin(), words_.end(), std::uint64_t{0});
      return;
    }
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        const std::size_t p = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        asked_.push_back(static_cast<std::int32_t>(p));
        open_.push_back(lanes_of_[p]);
        lanes_of_[p] = 0;
      }
      words_[w] = 0;
    }
  }

  void answer(PartAnswer* answers, OpenPairs* listed) {
    const CheckJob& check = job_.check;
    for (std::vector<std::int32_t>& list : lists_) list.clear();
    unsigned is_open = 0, is_inexact = 0;
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      const unsigned open = open_[k] & ~check.touching;
      if (open == 0) continue;
      is_open |= open;
      if (!prover_.scene_.is_exact(asked_[k])) is_inexact |= open;
      for (unsigned left = open; left != 0; left &= left - 1) {
        lists_[static_cast<std::size_t>(std::countr_zero(left))].push_back(asked_[k]);
      }
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto is = [&](unsigned bits) { return (bits >> i & 1) != 0; };
      if (is(check.touching)) {
        answers[i] = PartAnswer::hit;
        continue;
      }
      const bool is_known = is(check.wanted & ~(check.unsure | is_inexact));
      answers[i] = !is_known     ? PartAnswer::unknown
                   : is(is_open) ? PartAnswer::open
                                 : PartAnswer::free;
      const OpenPairs& own = parts_[i].listed;
      listed[i] = own;
      const std::size_t before = own == nullptr ? lanes_of_.size() : own->size();
      if (!is(is_open) || lists_[i].size() == before || lists_[i].size() > kMostListed) continue;
      listed[i] = std::make_shared<const std::vector<std::int32_t>>(lists_[i]);
    }
  }

  const LaneProver& prover_;
  CheckRoom room_;
  ProofJob job_;
  const RobotTable& table_;
  std::span<const Interval> parts_;
  Column<float> moved_, reaches_;
  std::unique_ptr<bool[]> is_placed_;
  std::vector<std::uint16_t> lanes_of_;  ///< that ask a pair; 0 between blocks
  std::vector<std::uint64_t> words_;     ///< a bit per pair that is asked; likewise
  std::vector<std::int32_t> asked_;
  std::vector<std::uint16_t> open_;
  std::vector<std::int32_t> lists_[kRobotBlock];
};

void LaneProver::ask(std::span<const Interval> parts, std::span<PartAnswer> answers,
                     std::span<OpenPairs> listed) const {
  for_chunks(options_.threads, (parts.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    Block block(*this);
    const std::size_t end = std::min(parts.size(), (chunk + 1) * kChunk);
    for (std::size_t first = chunk * kChunk; first < end; first += kRobotBlock) {
      block.ask(parts.subspan(first, std::min(kRobotBlock, end - first)), answers.data() + first,
                listed.data() + first);
    }
  });
}

}  // namespace widephase
