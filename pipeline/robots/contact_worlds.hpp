#pragma once

// Configurations as worlds of one scene, some thousand at a time, in double: for those that the
// check in float leaves undecided, and for robots that have none.

#include <algorithm>
#include <span>
#include <vector>

#include "pipeline/robots/environment_state.hpp"
#include "pipeline/robots/gather.hpp"

namespace widephase {

/// Whether the shapes of a robot can be moved beside a static scene (static_scene.hpp).
bool can_move_beside(const SceneColumns<3, double>& shapes);

/// How many geometries a library has.
inline std::int32_t geometry_count(const Column<std::int64_t>& offsets) {
  return offsets.empty() ? 0 : static_cast<std::int32_t>(offsets.size()) - 1;
}

/// Libraries of more shapes behind those of a robot.
void append_libraries(SceneColumns<3, double>& to, const SceneColumns<3, double>& obstacles);

/// The robot's shapes, then more, kind by kind, without keys.
SceneColumns<3, double> with_shapes(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& more);

/// The robot's shapes, then the environment's as fixed ones of world -1, kind by kind.
SceneColumns<3, double> joined_with(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& obstacles);

/// Keeps the robot's shapes from meeting one another, for options that only count beside what is
/// kept.
void make_one_owner(const SceneColumns<3, double>& shapes, SceneColumns<3, double>& joined);

/// Calls `ask(scene, first, count)` for worlds of configurations, which are those of `rows` from
/// `first` on. All of them are valid.
template <class T>
class ContactWorlds {
 public:
  /// `world` is that of all the configurations.
  ContactWorlds(const Robot& robot, const Environment& environment, std::int32_t world,
                const CollideOptions& options)
      : robot_(robot), is_beside_(can_move_beside(robot.shapes())) {
    placing_.threads = options.threads;
    placing_.isa = options.isa;
    const bool is_alone = environment.size() == 0;
    is_beside_ = options.moving_pairs ? is_beside_ || is_alone : is_beside_ && !is_alone;
    if (!is_beside_) {
      joined_ = joined_with(robot.shapes(), environment.state().shapes_of(world));
      if (!options.moving_pairs) make_one_owner(robot.shapes(), joined_);
    } else if (!is_alone) {
      kept_ = environment.state().kept(world, options.margin);
    }
  }
  /// Whether obstacles have ids of a kept scene, which follow those of the worlds.
  bool is_beside() const { return is_beside_; }
  const SceneColumns<3, double>& shapes() const { return is_beside_ ? robot_.shapes() : joined_; }

  template <class Ask>
  void ask(const Configurations<T>& q, std::span<const std::int64_t> rows, std::size_t at_once,
           const Ask& ask) {
    std::vector<double> values;
    for (std::size_t first = 0; first < rows.size(); first += at_once) {
      const std::size_t count = std::min(at_once, rows.size() - first);
      values.clear();
      append_values(q, rows.subspan(first, count), values);
      if (count != made_) {
        replicate<3, double>(shapes(), static_cast<std::int32_t>(count), worlds_);
        made_ = count;
      }
      Configurations<double> part(values, q.width);
      part.count = count;  // of a robot without joints too
      place(robot_, part, worlds_.bodies, placing_);
      SceneSpan<3, double> scene = worlds_;
      scene.kept = is_beside_ ? kept_.get() : nullptr;
      ask(scene, first, count);
    }
  }

 private:
  const Robot& robot_;
  bool is_beside_;
  RobotOptions placing_;
  SceneColumns<3, double> joined_, worlds_;
  std::shared_ptr<const StaticScene<3, double>> kept_;
  std::size_t made_ = 0;
};

}  // namespace widephase
