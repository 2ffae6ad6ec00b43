#pragma once

#include <string_view>

#include <widephase/options.hpp>

namespace CLI {
class App;
}

namespace widephase::tools {

/// Why the command line does not offer an option of calls; empty if it does.
constexpr std::string_view why_not_on_command_line(std::string_view option) {
  if (option == "warm_starts" || option == "steadiness" || option == "keeps_order") {
    return "one call has no step before it";
  }
  if (option == "world_mask" || option == "world_status") return "it is an array";
  if (option == "max_points") return "a contact has at most four: --max-contacts bounds them";
  return {};
}

/// Adds the options of calls to a subcommand, which parses them into `options`. "max_pairs" becomes
/// --max-pairs. Options with a reason in `why_not_on_command_line` are left out.
void add_call_options(CLI::App& command, Calls calls, CollideOptions& options);

}  // namespace widephase::tools
