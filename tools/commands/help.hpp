#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace widephase::tools {

inline constexpr std::size_t kHelpWidth = 100;

/// The text in lines of at most `kHelpWidth` characters. The first line begins at column `first`,
/// the others are indented by `indent`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t first);

/// Help within `kHelpWidth` columns: what a command does, the first example of its footer, options,
/// and the rest of the footer.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace widephase::tools
