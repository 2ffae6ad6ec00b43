// Yes or no per configuration. The check in float decides most. Of the others the pairs that may
// be nearest are asked in double; where these are not known, configurations are worlds of one
// scene.

#include <algorithm>
#include <optional>

#include <widephase/worlds.hpp>

#include "pipeline/robots/check_scene.hpp"
#include "pipeline/robots/contact_worlds.hpp"
#include "pipeline/robots/near_pairs.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Configurations that are worlds of one scene.
constexpr std::size_t kWorlds = 4096;
/// Configurations of a chunk of a thread.
constexpr std::size_t kChunk = 64 * kRobotBlock;
/// In place of an answer, until the configuration is asked in double.
constexpr std::uint8_t kUndecided = 2;

/// The configurations of `rows`, one block after the other.
template <class T>
class BlockChecker {
 public:
  BlockChecker(const Robot& robot, const Configurations<T>& q, const RobotTable& table,
               const CheckScene* scene)
      : robot_(robot), table_(table), gatherer_(robot, q, false) {
    if (scene != nullptr) {
      room_.emplace(scene->job(), robot.plan().slot_count);
    } else {
      numbers_.resize_uninitialized(robot.plan().slot_count * kRobotBlock);
    }
  }

  /// Writes what is known of the answers of configurations from `first` on.
  void check(std::size_t first, std::size_t count, FirstFault& faults, std::uint8_t* answers) {
    gatherer_.gather(first, count, room_ ? room_->numbers() : numbers_.plane());
    for (std::size_t i = 0; i < count; ++i) {
      if (gatherer_.status(i) != ConfigurationStatus::placed) faults.add(first + i);
    }
    if (!room_) {
      std::fill_n(answers, count, kUndecided);
      return;
    }
    CheckJob& job = room_->job();
    const unsigned all = (1u << count) - 1;
    job.wanted = all & plain_lanes(robot_.plan().check, job.numbers);
    table_.check(job);
    const unsigned undecided = job.unsure | (all & ~job.wanted);
    for (std::size_t i = 0; i < count; ++i) {
      answers[i] =
          static_cast<std::uint8_t>((job.touching >> i & 1) + kUndecided * (undecided >> i & 1));
    }
  }

 private:
  const Robot& robot_;
  const RobotTable& table_;
  Gatherer<T> gatherer_;
  std::optional<CheckRoom> room_;
  Column<double> numbers_;  ///< without a scene
};

/// Whether lists of pairs have the answers of scenes; these alone count pairs for a cap, and refuse
/// a method that cannot answer.
bool can_list(const RobotQuestion& question) {
  const CollideOptions& options = question.options;
  return question.robot.plan().check.takes(options.margin) && options.max_pairs == kNoCap &&
         options.method == Method::automatic &&
         can_list_near_pairs(question.robot, question.environment);
}

/// Decides `rows` by pairs that may be nearest, and leaves those of which these are not known.
/// Their lower bounds count the margins of shapes, and upper bounds are above by more than kernels
/// in double miss: a pair that touches is among them, or a nearer one that touches too.
template <class T>
void decide_by_pairs(const RobotQuestion& question, const Configurations<T>& q,
                     std::vector<std::int64_t>& rows, std::span<std::uint8_t> is_contact) {
  const CollideOptions& options = question.options;
  const NearPairs near(question.robot, question.environment, question.world, options.margin,
                       options);
  const ListedPairs list(question.robot, question.environment, question.workspace, options);
  std::vector<double> values;
  std::vector<std::int64_t> unknown;
  std::vector<std::uint8_t> is_touching;
  for (std::size_t first = 0; first < rows.size(); first += kWorlds) {
    const std::size_t count = std::min(kWorlds, rows.size() - first);
    values.clear();
    append_values(q, std::span(rows).subspan(first, count), values);
    Configurations<double> part(values, q.width);
    part.count = count;  // of a robot without joints too
    const NearPairList found = near.find(part);
    is_touching.resize(found.pairs.size());
    list.find_touching(part, found.pairs, std::span<std::uint8_t>(is_touching));
    const auto answer = [&](std::size_t i) -> std::uint8_t& {
      return is_contact[static_cast<std::size_t>(rows[first + i])];
    };
    for (std::size_t i = 0; i < count; ++i) answer(i) = 0;
    for (std::size_t i = 0; i < is_touching.size(); ++i) {
      if (is_touching[i] != 0) answer(found.pairs[i].configuration) = 1;
    }
    for (const std::int64_t i : found.unknown) {
      unknown.push_back(rows[first + static_cast<std::size_t>(i)]);
    }
  }
  rows.swap(unknown);
}

template <class T>
void decide_by_worlds(const RobotQuestion& question, const Configurations<T>& q,
                      std::span<const std::int64_t> rows, std::span<std::uint8_t> is_contact) {
  std::vector<std::uint8_t> answers(std::min(kWorlds, rows.size()));
  ContactWorlds<T> worlds(question.robot, question.environment, question.world, question.options);
  worlds.ask(q, rows, kWorlds,
             [&](const SceneSpan<3, double>& scene, std::size_t first, std::size_t count) {
               any_contact<3, double>(scene, answers, question.workspace, question.options);
               for (std::size_t i = 0; i < count; ++i) {
                 is_contact[static_cast<std::size_t>(rows[first + i])] = answers[i];
               }
             });
}

}  // namespace

template <class T>
void find_contacts_of(const Robot& robot, const Configurations<T>& q,
                      const Environment& environment, std::int32_t world,
                      std::span<std::uint8_t> is_contact, Workspace<3, double>& workspace,
                      const CollideOptions& options, CheckUse use) {
  const RobotTable& table = robot_table(chosen_isa(options.isa));
  const CheckPlan& plan = robot.plan().check;
  std::optional<CheckScene> scene;
  if (plan.takes(options.margin) && use != CheckUse::none) {
    scene.emplace(plan, environment.state(),
                  CheckQuestion{options.margin, world, options.moving_pairs,
                                use != CheckUse::without_culls, static_cast<double>(q.count)});
  }
  FirstFault faults(q.count);
  for_chunks(options.threads, (q.count + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    BlockChecker<T> checker(robot, q, table, scene ? &*scene : nullptr);
    const std::size_t end = std::min(q.count, (chunk + 1) * kChunk);
    for (std::size_t first = chunk * kChunk; first < end; first += kRobotBlock) {
      checker.check(first, std::min(kRobotBlock, end - first), faults, is_contact.data() + first);
    }
  });
  if (faults.has_any()) refuse_configuration(robot, q, faults.row(), false);
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < q.count; ++i) {
    if (is_contact[i] == kUndecided) rows.push_back(static_cast<std::int64_t>(i));
  }
  const RobotQuestion question{robot, environment, world, workspace, options};
  if (!rows.empty() && use != CheckUse::none && can_list(question)) {
    decide_by_pairs(question, q, rows, is_contact);
  }
  if (!rows.empty()) decide_by_worlds<T>(question, q, rows, is_contact);
}

template <class T>
void any_contact(const Robot& robot, const Configurations<T>& q, const Environment& environment,
                 std::span<std::uint8_t> is_contact, Workspace<3, double>& workspace,
                 const CollideOptions& options, std::span<const std::int32_t> worlds) {
  if (is_contact.size() < q.count) {
    throw Error(Finding{
        "is_contact", -1,
        "has " + number(is_contact.size()) + " entries; expected " + number(q.count) + " or more"});
  }
  // The caller's array gets them all or, after an error, none.
  std::vector<std::uint8_t> all;
  for_each_world(robot, q, environment, worlds, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   std::vector<std::uint8_t> answers(part.count);
                   find_contacts_of(robot, part, environment, world,
                                    std::span<std::uint8_t>(answers), workspace, options);
                   if (rows == nullptr) {
                     all.swap(answers);
                     return;
                   }
                   all.resize(q.count);
                   for (std::size_t i = 0; i < part.count; ++i) all[rows[i]] = answers[i];
                 });
  std::copy(all.begin(), all.end(), is_contact.begin());
}

#define WIDEPHASE_INSTANTIATE(T)                                                               \
  template void find_contacts_of(const Robot&, const Configurations<T>&, const Environment&,   \
                                 std::int32_t, std::span<std::uint8_t>, Workspace<3, double>&, \
                                 const CollideOptions&, CheckUse);                             \
  template WIDEPHASE_API void any_contact<T>(                                                  \
      const Robot&, const Configurations<T>&, const Environment&, std::span<std::uint8_t>,     \
      Workspace<3, double>&, const CollideOptions&, std::span<const std::int32_t>);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
