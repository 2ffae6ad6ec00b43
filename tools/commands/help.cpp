#include "tools/commands/help.hpp"

#include <algorithm>

namespace widephase::tools {

namespace {

constexpr std::string_view kExamplesTitle = "Examples:\n";
constexpr std::size_t kColumn = 30;  // where descriptions begin

/// The footer's lines before the examples, the first example, and the others.
struct Footer {
  std::string notes;
  std::string example;
  std::string others;
};

Footer footer_of(const CLI::App* app) {
  const std::string text = app->get_footer();
  const std::size_t at = text.find(kExamplesTitle);
  if (at == text.npos) return {text, {}, {}};
  const std::string examples = text.substr(at + kExamplesTitle.size());
  const std::size_t end = examples.find('\n');
  return {text.substr(0, at), examples.substr(0, end),
          end == examples.npos ? "" : examples.substr(end + 1)};
}

/// A name with its description beside it, or below if the name is long.
std::string entry(std::string name, const std::string& description) {
  name = "  " + name;
  if (name.size() + 2 > kColumn) {
    name += "\n" + std::string(kColumn, ' ');
  } else {
    name.append(kColumn - name.size(), ' ');
  }
  return name + wrapped(description, kColumn, kColumn) + "\n";
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t first) {
  std::string result;
  std::size_t column = first;
  bool is_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_start && column + 1 + word.size() > kHelpWidth) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_start) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    is_start = false;
  }
  return result;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const std::string example = footer_of(app).example;
  const std::string text = wrapped(app->get_description(), 0, 0) + "\n\n";
  return example.empty() ? text : text + "Example:\n" + example + "\n\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  return wrapped(CLI::Formatter::make_usage(app, std::move(name)), 4, 0);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string name = make_option_name(option, is_positional);
  return entry(name + (is_positional ? "" : make_option_opts(option)), make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const Footer footer = footer_of(app);
  std::string text = footer.notes;
  if (!footer.others.empty()) text += "More examples:\n" + footer.others;
  return text;
}

}  // namespace widephase::tools
