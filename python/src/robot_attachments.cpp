// widephase.Robot: what its links carry.

#include <pybind11/stl.h>

#include "files.hpp"
#include "robots.hpp"

namespace widephase::python {

namespace {

/// Names of the shapes of a robot with attachments, which have theirs.
tools::RobotNames names_with_attachments(const Robot& robot, tools::RobotNames names) {
  names.distinct = std::make_shared<std::vector<std::string>>(*names.distinct);
  const SceneLayout all = layout_of(robot.shapes());
  std::array<std::int32_t, kKindCount> own{};
  for (int k = 0; k < kKindCount; ++k)
    own[static_cast<std::size_t>(k)] = all.count(static_cast<Kind>(k));
  for (const Attachment& one : robot.attachments()) {
    const SceneLayout layout = layout_of(one.shapes);
    for (int k = 0; k < kKindCount; ++k) {
      own[static_cast<std::size_t>(k)] -= layout.count(static_cast<Kind>(k));
    }
  }
  for (std::size_t k = 0; k < own.size(); ++k) {
    names.shapes[k].resize(static_cast<std::size_t>(own[k]));
  }
  for (const Attachment& one : robot.attachments()) {
    names.distinct->push_back(one.name);
    const SceneLayout layout = layout_of(one.shapes);
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::int32_t count = layout.count(static_cast<Kind>(k));
      names.shapes[k].insert(names.shapes[k].end(), static_cast<std::size_t>(count),
                             static_cast<std::int32_t>(names.distinct->size()) - 1);
    }
  }
  return names;
}

std::shared_ptr<RobotObject> object_of(const RobotObject& from, Robot robot) {
  const tools::SceneFile shapes =
      tools::scene_file_of(from.path, robot.shapes(), names_with_attachments(robot, from.names));
  return std::make_shared<RobotObject>(RobotObject{std::move(robot),
                                                   scene_of(shapes, from.precision), from.path,
                                                   from.name, from.names, from.precision});
}

}  // namespace

std::int32_t link_named(const RobotLinks& links, const std::string& path, const std::string& array,
                        const std::string& name, std::int64_t row) {
  const auto found = std::find(links.name.begin(), links.name.end(), name);
  if (found == links.name.end() || name.empty()) {
    refuse(array, "names the link '" + name + "', which " + path + " does not have", row);
  }
  return static_cast<std::int32_t>(found - links.name.begin());
}

std::shared_ptr<RobotObject> attached_to(const RobotObject& self, const std::string& name,
                                         const std::string& link, const SceneObject& scene,
                                         const std::array<double, 3>& position,
                                         const std::array<double, 4>& orientation,
                                         const std::vector<std::string>& allowed) {
  const RobotLinks& links = self.robot.columns().links;
  Attachment attachment;
  attachment.name = name;
  attachment.link = link_named(links, self.path, "link", link);
  attachment.position = position;
  attachment.turn = orientation;
  for (std::size_t row = 0; row < allowed.size(); ++row) {
    attachment.allowed.push_back(
        link_named(links, self.path, "allowed", allowed[row], static_cast<std::int64_t>(row)));
  }
  with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    if constexpr (D == 3) {
      // An environment has a scene's shapes in the world, in double.
      attachment.shapes = Environment(span).shapes();
    } else {
      refuse("scene", "is in 2D; robots are in 3D");
    }
    return 0;
  });
  return object_of(self, self.robot.attached(attachment));
}

std::shared_ptr<RobotObject> detached_from(const RobotObject& self, const std::string& name) {
  return object_of(self, self.robot.detached(name));
}

std::vector<std::string> attachment_names(const RobotObject& self) {
  std::vector<std::string> names;
  for (const Attachment& one : self.robot.attachments()) names.push_back(one.name);
  return names;
}

}  // namespace widephase::python
