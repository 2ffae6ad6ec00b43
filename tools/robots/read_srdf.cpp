#include "tools/robots/read_srdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/xml_values.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

/// All pairs of 700 links are fewer.
constexpr std::size_t kMostPairs = 250'000;

class SrdfReader {
 public:
  SrdfReader(const std::string& path, const std::vector<std::string>& links) : path_(path) {
    for (const std::string& link : links) {
      index_of_.emplace(link, static_cast<std::int32_t>(index_of_.size()));
    }
  }

  Column<std::int32_t, 2> read() {
    const auto document = parse_xml(path_, read_text(path_, kMostTreeBytes), "robot");
    const XMLElement& robot = *document->FirstChildElement("robot");
    if (robot.FirstChildElement("link") != nullptr) {
      throw FileError(path_, "has <link>, as URDF has; expected the SRDF of a robot");
    }
    for_each(robot, "disable_default_collisions", [&](const XMLElement& e) {
      const std::int32_t link = link_of(e, "link");
      for (const auto& [name, other] : index_of_) disable(link, other);
    });
    for_each(robot, "enable_collisions", [&](const XMLElement& e) {
      pairs_.erase(std::minmax(link_of(e, "link1"), link_of(e, "link2")));
    });
    for_each(robot, "disable_collisions",
             [&](const XMLElement& e) { disable(link_of(e, "link1"), link_of(e, "link2")); });
    Column<std::int32_t, 2> pairs;
    for (const auto& [a, b] : pairs_) pairs.push_back({a, b});
    return pairs;
  }

 private:
  template <class Visit>
  static void for_each(const XMLElement& robot, const char* name, const Visit& visit) {
    for (const XMLElement* e = robot.FirstChildElement(name); e != nullptr;
         e = e->NextSiblingElement(name)) {
      visit(*e);
    }
  }

  void disable(std::int32_t a, std::int32_t b) {
    if (a != b) pairs_.insert(std::minmax(a, b));
    if (pairs_.size() <= kMostPairs) return;
    throw FileError(path_, fmt::format("disables more than {} pairs of links", kMostPairs));
  }

  std::int32_t link_of(const XMLElement& e, const char* name) const {
    const std::string link = required_attribute(path_, e, name);
    const auto found = index_of_.find(link);
    if (found != index_of_.end()) return found->second;
    throw error_at(
        path_, e, fmt::format("names the link {}, which the robot does not have", in_quotes(link)));
  }

  const std::string& path_;
  std::map<std::string, std::int32_t, std::less<>> index_of_;
  std::set<std::pair<std::int32_t, std::int32_t>> pairs_;
};

}  // namespace

Column<std::int32_t, 2> read_srdf(const std::string& path, const std::vector<std::string>& links) {
  return SrdfReader(path, links).read();
}

}  // namespace widephase::tools
