#pragma once

// What the questions about contacts of a robot share.

#include <algorithm>
#include <optional>
#include <vector>

#include <widephase/robot_distances.hpp>
#include <widephase/robot_motions.hpp>
#include <widephase/worlds.hpp>

#include "pipeline/robots/gather.hpp"
#include "soa/threads.hpp"

namespace widephase {

/// How much of the check in float is used; it changes no answer.
enum class CheckUse : std::uint8_t { all, without_culls, none };

/// What calls ask about, in one world of an environment.
struct RobotQuestion {
  const Robot& robot;
  const Environment& environment;
  std::int32_t world;
  Workspace<3, double>& workspace;
  const CollideOptions& options;
};

/// `any_contact` in one world of an environment, after the checks of `for_each_world`.
template <class T>
void find_contacts_of(const Robot& robot, const Configurations<T>& q,
                      const Environment& environment, std::int32_t world,
                      std::span<std::uint8_t> is_contact, Workspace<3, double>& workspace,
                      const CollideOptions& options, CheckUse use = CheckUse::all);

/// `min_distance`, likewise.
template <class T>
void find_least_distances(const Robot& robot, const Configurations<T>& q,
                          const Environment& environment, RobotDistances& distances,
                          Workspace<3, double>& workspace, const RobotDistanceOptions& wanted,
                          const CollideOptions& options, std::span<const std::int32_t> worlds,
                          CheckUse use);

/// `check_motions`; which of times that touch is given, and what stays undecided, may differ with
/// the use.
template <class T>
void check_motions_with(const Robot& robot, const Configurations<T>& from,
                        const Configurations<T>& to, const Environment& environment,
                        MotionChecks& checks, Workspace<3, double>& workspace,
                        const MotionOptions& wanted, const CollideOptions& options,
                        std::span<const std::int32_t> worlds, CheckUse use);

inline void require_configuration_worlds(const Environment& environment,
                                         std::span<const std::int32_t> worlds, std::size_t count) {
  if (worlds.empty()) {
    if (environment.world_count() == 1 || count == 0) return;
    throw Error(Finding{"worlds", -1,
                        "is empty, and the environment has " + number(environment.world_count()) +
                            " worlds; give the world of each configuration"});
  }
  if (worlds.size() != count) {
    throw Error(Finding{"worlds", -1,
                        "has " + number(worlds.size()) + " entries; expected " + number(count)});
  }
  for (std::size_t row = 0; row < worlds.size(); ++row) {
    if (worlds[row] >= 0) continue;
    throw Error(Finding{"worlds", static_cast<std::int64_t>(row),
                        "is " + number(worlds[row]) + "; expected the number of a world"});
  }
}

/// Calls `ask(q, world, rows)` for the configurations of each world, after all checks of arguments.
/// Without `worlds` once, for all of them, with null rows. Errors name the caller's rows.
template <class T, class Ask>
void for_each_world(const Robot& robot, const Configurations<T>& q, const Environment& environment,
                    std::span<const std::int32_t> worlds, const CollideOptions& options,
                    const Ask& ask) {
  require_threads(options.threads);
  expect_width(robot, q);
  if (!options.world_mask.empty() || !options.world_status.empty()) {
    throw Error("configurations have neither a world mask nor a status; leave both out");
  }
  require_configuration_worlds(environment, worlds, q.count);
  // A scene without shapes checks the options. The caller's workspace keeps what it knows of hulls,
  // which would be found anew.
  Workspace<3, double> own;
  any_contact<3, double>(SceneSpan<3, double>(), {}, own, options);
  if (worlds.empty() || environment.world_count() == 1) return ask(q, -1, nullptr);
  std::vector<std::size_t> rows(q.count);
  for (std::size_t i = 0; i < q.count; ++i) rows[i] = i;
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return worlds[a] != worlds[b] ? worlds[a] < worlds[b] : a < b;
  });
  std::vector<double> values;
  std::optional<Error> first;
  for (std::size_t begin = 0; begin < q.count;) {
    std::size_t end = begin;
    values.clear();
    for (; end < q.count && worlds[rows[end]] == worlds[rows[begin]]; ++end) {
      for (std::size_t v = 0; v < q.width; ++v) values.push_back(value_at(q, rows[end], v));
    }
    Configurations<double> part(values, q.width);
    part.count = end - begin;  // of a robot without joints too
    try {
      ask(part, worlds[rows[begin]], rows.data() + begin);
    } catch (const Error& error) {
      // Other arrays are not the caller's: their rows stay.
      if (!error.finding() || error.finding()->array != "q" || error.finding()->row < 0) throw;
      Finding finding = *error.finding();
      finding.row = static_cast<std::int64_t>(rows[begin + static_cast<std::size_t>(finding.row)]);
      if (!first || finding.row < first->finding()->row) first.emplace(finding);
    }
    begin = end;
  }
  if (first) throw *first;
}

}  // namespace widephase
