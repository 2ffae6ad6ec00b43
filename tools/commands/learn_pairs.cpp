#include "tools/commands/learn_pairs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/commands/outputs.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/robots/allowed_pairs.hpp"
#include "tools/robots/link_name.hpp"

namespace widephase::tools {

void learn_pairs(const LearnArguments& arguments, const RobotFile& file, const Robot& robot,
                 const CollideOptions& options, bool json) {
  const Output out{"--write-srdf", arguments.srdf};
  check_streams({out}, json);
  LearnedPairs learned;
  Workspace<3, double> workspace;
  learn_allowed(robot, static_cast<std::size_t>(arguments.count),
                static_cast<std::uint64_t>(arguments.seed), learned, workspace, options);
  const AllowedPairs pairs = allowed_pairs_of(robot, learned);
  if (!arguments.srdf.empty()) write_srdf(arguments.srdf, file.name, robot, learned);
  const auto name_of_link = [&](std::int32_t link) { return link_name(robot, link); };
  using Json = nlohmann::ordered_json;
  Json object{{"samples", learned.samples}, {"seed", arguments.seed}};
  std::string text;
  const auto tell = [&](const char* key, const std::string& what,
                        const std::vector<AllowedPairs::Links>& some) {
    object[key] = Json::array();
    text += fmt::format("{} {}\n", counted(static_cast<std::int64_t>(some.size()), "pair"), what);
    for (const auto& [a, b] : some) object[key].push_back({name_of_link(a), name_of_link(b)});
  };
  tell("neighbours", "of neighbours, which were not asked", pairs.neighbours);
  if (!pairs.others.empty()) tell("excluded", "excluded otherwise", pairs.others);
  tell("always", "that touched in all samples", pairs.always);
  tell("never", "that touched in none, which is known of the samples alone", pairs.never);
  object["sometimes"] = Json::array();
  for (std::size_t i = 0; i < learned.links.size(); ++i) {
    const std::int64_t count = learned.contacts[i];
    if (count == 0 || count == learned.samples) continue;
    object["sometimes"].push_back(
        {{"links", {name_of_link(learned.links(i, 0)), name_of_link(learned.links(i, 1))}},
         {"contacts", count}});
  }
  text += fmt::format("{} that touched in some, and stay\n",
                      counted(static_cast<std::int64_t>(object["sometimes"].size()), "pair"));
  if (json) {
    // Names from files may have bytes that are no UTF-8.
    fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  print_text(fmt::format("{}, seed {}\n", counted(learned.samples, "random configuration"),
                         arguments.seed) +
                 text + wrote_text({out}),
             {out});
}

}  // namespace widephase::tools
