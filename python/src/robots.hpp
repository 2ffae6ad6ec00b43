#pragma once

// widephase.Robot, for the files that bind it.

#include <widephase/robot.hpp>

#include "calls.hpp"
#include "tools/robots/allowed_pairs.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::python {

struct RobotObject {
  Robot robot;
  std::shared_ptr<SceneObject> shapes;  ///< in the start configuration
  std::string path;                     ///< of its file
  std::string name;                     ///< that the file gives it
  tools::RobotNames names;              ///< of its own shapes, without attachments
  std::optional<Precision> precision;   ///< of `shapes`
};

/// Options of calls on robots; refuses wrong ones.
CollideOptions options_in(double margin, int threads, const std::string& isa);

/// A link of the robot of a file by its name; `array` is the argument that names it.
std::int32_t link_named(const RobotLinks& links, const std::string& path, const std::string& array,
                        const std::string& name, std::int64_t row = -1);

std::shared_ptr<RobotObject> attached_to(const RobotObject& self, const std::string& name,
                                         const std::string& link, const SceneObject& scene,
                                         const std::array<double, 3>& position,
                                         const std::array<double, 4>& orientation,
                                         const std::vector<std::string>& allowed);
std::shared_ptr<RobotObject> detached_from(const RobotObject& self, const std::string& name);
std::vector<std::string> attachment_names(const RobotObject& self);

/// Which links touched in random configurations, and the robot of these.
struct LearnedObject {
  LearnedPairs pairs;
  tools::AllowedPairs allowed;
  Robot robot;
  std::string robot_name;
};

LearnedObject learn_allowed_of(const RobotObject& self, std::int64_t n, std::int64_t seed,
                               double margin, int threads, const std::string& isa);
void bind_learned_pairs(py::module_& module);

}  // namespace widephase::python
