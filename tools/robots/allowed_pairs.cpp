#include "tools/robots/allowed_pairs.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/text.hpp"
#include "tools/robots/link_pairs.hpp"

namespace widephase::tools {

namespace {

std::set<std::int32_t> links_with_shapes(const Robot& robot) {
  std::set<std::int32_t> links;
  for_each_table(robot.shapes(), [&](const auto& table) {
    for (const std::int32_t owner : table.owner) {
      if (owner >= 0) links.insert(owner);
    }
  });
  return links;
}

bool are_neighbours(const Robot& robot, std::int32_t a, std::int32_t b) {
  const auto body_of = [&](std::int32_t link) {
    return robot.columns().links.body[static_cast<std::size_t>(link)];
  };
  const auto is_parent_of = [&](std::int32_t parent, std::int32_t child) {
    return child >= 0 && robot.columns().bodies.parent[static_cast<std::size_t>(child)] == parent;
  };
  const std::int32_t x = body_of(a), y = body_of(b);
  return x == y || is_parent_of(x, y) || is_parent_of(y, x);
}

}  // namespace

AllowedPairs allowed_pairs_of(const Robot& robot, const LearnedPairs& learned) {
  AllowedPairs pairs;
  std::set<AllowedPairs::Links> asked;
  for (std::size_t i = 0; i < learned.links.size(); ++i) {
    const AllowedPairs::Links links = learned.links.row(i);
    asked.insert(links);
    if (learned.contacts[i] == 0) pairs.never.push_back(links);
    if (learned.contacts[i] == learned.samples) pairs.always.push_back(links);
  }
  const std::set<std::int32_t> links = links_with_shapes(robot);
  for (const std::int32_t a : links) {
    for (auto b = links.upper_bound(a); b != links.end(); ++b) {
      if (asked.contains({a, *b})) continue;
      (are_neighbours(robot, a, *b) ? pairs.neighbours : pairs.others).push_back({a, *b});
    }
  }
  return pairs;
}

void write_srdf(const std::string& path, const std::string& robot_name, const Robot& robot,
                const LearnedPairs& learned) {
  const std::vector<std::string>& names = robot.columns().links.name;
  const auto own = static_cast<std::int32_t>(names.size() - robot.attachments().size());
  const AllowedPairs pairs = allowed_pairs_of(robot, learned);
  // The words of MoveIt's setup.
  std::map<AllowedPairs::Links, const char*> reasons;
  const auto add = [&](const std::vector<AllowedPairs::Links>& some, const char* reason) {
    for (const AllowedPairs::Links& links : some) {
      if (links[1] < own) reasons.emplace(links, reason);
    }
  };
  add(pairs.neighbours, "Adjacent");
  add(pairs.others, "User");
  add(pairs.always, "Always");
  add(pairs.never, "Never");
  if (reasons.size() > kMostLinkPairs) {
    throw FileError(path, fmt::format("cannot be written: {} pairs of links never meet, and {} can "
                                      "be read again",
                                      reasons.size(), kMostLinkPairs));
  }
  tinyxml2::XMLPrinter printer;
  printer.PushHeader(false, true);
  printer.OpenElement("robot");
  printer.PushAttribute("name", robot_name.c_str());
  printer.PushComment(
      fmt::format(" Never: in none of {} random configurations, a sample ", learned.samples)
          .c_str());
  for (const auto& [links, reason] : reasons) {
    printer.OpenElement("disable_collisions");
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& name = names[static_cast<std::size_t>(links[k])];
      if (name.empty()) {
        throw FileError(path, fmt::format("cannot be written: link {} of the robot has no name, by "
                                          "which SRDF knows it",
                                          links[k]));
      }
      printer.PushAttribute(k == 0 ? "link1" : "link2", name.c_str());
    }
    printer.PushAttribute("reason", reason);
    printer.CloseElement();
  }
  printer.CloseElement();
  OutputFile file(path);
  file.write(printer.CStr());
  file.commit();
}

}  // namespace widephase::tools
