#include <fmt/format.h>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/xml_values.hpp"
#include "tools/robots/link_pairs.hpp"
#include "tools/robots/read_allowed.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

class SrdfReader {
 public:
  SrdfReader(const std::string& path, const std::vector<std::string>& links)
      : path_(path), pairs_(path, links) {}

  Column<std::int32_t, 2> read() {
    const auto document = parse_xml(path_, read_text(path_, kMostTreeBytes), "robot");
    const XMLElement& robot = *document->FirstChildElement("robot");
    if (robot.FirstChildElement("link") != nullptr) {
      throw FileError(path_, "has <link>, as URDF has; expected the SRDF of a robot");
    }
    for_each(robot, "disable_default_collisions", [&](const XMLElement& e) {
      const std::int32_t link = link_of(e, "link");
      for (std::int32_t other = 0; other < pairs_.link_count(); ++other) {
        pairs_.disable(link, other);
      }
    });
    for_each(robot, "enable_collisions",
             [&](const XMLElement& e) { pairs_.enable(link_of(e, "link1"), link_of(e, "link2")); });
    for_each(robot, "disable_collisions", [&](const XMLElement& e) {
      pairs_.disable(link_of(e, "link1"), link_of(e, "link2"));
    });
    return pairs_.columns();
  }

 private:
  template <class Visit>
  static void for_each(const XMLElement& robot, const char* name, const Visit& visit) {
    for (const XMLElement* e = robot.FirstChildElement(name); e != nullptr;
         e = e->NextSiblingElement(name)) {
      visit(*e);
    }
  }

  std::int32_t link_of(const XMLElement& e, const char* name) const {
    const std::string link = required_attribute(path_, e, name);
    const std::int32_t found = pairs_.find(link);
    if (found >= 0) return found;
    throw error_at(
        path_, e, fmt::format("names the link {}, which the robot does not have", in_quotes(link)));
  }

  const std::string& path_;
  LinkPairs pairs_;
};

}  // namespace

Column<std::int32_t, 2> read_srdf(const std::string& path, const std::vector<std::string>& links) {
  return SrdfReader(path, links).read();
}

}  // namespace widephase::tools
