// Forward kinematics of many configurations: blocks of them are gathered into lanes, checked,
// placed by the kernel and written row by row.

#include <limits>

#include "pipeline/robots/gather.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Configurations of a chunk of a thread.
constexpr std::size_t kChunk = 32 * kRobotBlock;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Which frames of the kernel are written.
struct Written {
  std::size_t first;
  std::size_t count;
};

template <class P>
void write_poses(const double* frames, const Written& written, std::size_t first, std::size_t count,
                 const ConfigurationStatus* status, BodyTable<Owned<3, P>>& poses) {
  P* to[kFrameNumbers];
  for (int w = 0; w < 3; ++w) to[w] = poses.position.plane(w);
  for (int w = 0; w < 4; ++w) to[3 + w] = poses.turn.plane(w);
  for (std::size_t k = 0; k < kFrameNumbers; ++k) {
    const double* const from = frames + (written.first * kFrameNumbers + k) * kRobotBlock;
    P* next = to[k] + first * written.count;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_invalid = status[i] == ConfigurationStatus::invalid;
      for (std::size_t f = 0; f < written.count; ++f) {
        const double number = from[f * kFrameNumbers * kRobotBlock + i];
        *next++ = static_cast<P>(is_invalid ? kNotANumber : number);
      }
    }
  }
}

}  // namespace

template <class T, class P>
void place(const Robot& robot, const Configurations<T>& q, BodyTable<Owned<3, P>>& poses,
           const RobotOptions& options) {
  require_threads(options.threads);
  expect_width(robot, q);
  const RobotTable& table = robot_table(chosen_isa(options.isa));
  const RobotPlan& plan = robot.plan();
  const bool has_links = options.frames == RobotFrames::links;
  const Written written =
      has_links ? Written{plan.body_count, plan.link_count} : Written{0, plan.body_count};
  const std::size_t count = q.count;
  if (written.count != 0 && count > kMostRows / written.count) {
    throw Error(Finding{"q", -1,
                        "has " + number(count) + " rows of " + number(written.count) +
                            " frames each; expected at most 2147483647 frames in all"});
  }
  poses.position.resize_uninitialized(count * written.count);
  poses.turn.resize_uninitialized(count * written.count);
  if (options.status != nullptr) options.status->resize_uninitialized(count);
  const std::size_t frames = plan.body_count + (has_links ? plan.link_count : 0);
  FirstFault first_fault(count);
  for_chunks(options.threads, (count + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    Gatherer<T> gatherer(robot, q, options.checks_limits);
    Column<double> numbers, turns, placed;
    numbers.resize_uninitialized(plan.slot_count * kRobotBlock);
    turns.resize_uninitialized(2 * plan.joints.size() * kRobotBlock);
    placed.resize_uninitialized(frames * kFrameNumbers * kRobotBlock);
    const RobotJob job{plan.steps.data(),
                       frames,
                       plan.joints.data(),
                       plan.joints.size(),
                       numbers.plane(),
                       turns.plane(),
                       turns.plane() + plan.joints.size() * kRobotBlock,
                       placed.plane()};
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    for (std::size_t first = chunk * kChunk; first < end; first += kRobotBlock) {
      const std::size_t lanes = std::min(kRobotBlock, end - first);
      gatherer.gather(first, lanes, numbers.plane());
      table.place(job);
      ConfigurationStatus status[kRobotBlock];
      for (std::size_t i = 0; i < lanes; ++i) {
        status[i] = gatherer.status(i);
        if (options.status != nullptr) {
          (*options.status)[first + i] = status[i];
        } else if (status[i] != ConfigurationStatus::placed) {
          first_fault.add(first + i);
        }
      }
      write_poses(placed.plane(), written, first, lanes, status, poses);
    }
  });
  if (first_fault.has_any()) {
    refuse_configuration(robot, q, first_fault.row(), options.checks_limits);
  }
}

#define WIDEPHASE_INSTANTIATE(T, P)                                               \
  template WIDEPHASE_API void place<T, P>(const Robot&, const Configurations<T>&, \
                                          BodyTable<Owned<3, P>>&, const RobotOptions&);
WIDEPHASE_INSTANTIATE(float, float)
WIDEPHASE_INSTANTIATE(float, double)
WIDEPHASE_INSTANTIATE(double, float)
WIDEPHASE_INSTANTIATE(double, double)

}  // namespace widephase
