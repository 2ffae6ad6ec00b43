#include "tools/commands/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/commands/option_values.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// The command that takes a file of this name.
std::string command_for(const std::string& path) {
  const std::string lower = lower_case(path);
  for (const char* ending : {".npz", ".json", ".csv"}) {
    if (lower.ends_with(ending)) return "collide";
  }
  return lower.ends_with(".geojson") || lower.ends_with(".topojson") ? "decompose" : "convert";
}

[[noreturn]] void fail_without_command(const std::string& word, const CLI::App& app) {
  const std::vector<std::string> commands = commands_of(app);
  const std::string expected = fmt::format("expected a command: {}", fmt::join(commands, ", "));
  if (word.starts_with("-")) {
    throw UsageError(fmt::format("{} belongs to no command; {}", word, expected));
  }
  if (is_file(word)) {
    throw UsageError(
        fmt::format("{0} is a file; did you mean widephase {1} {0}?", word, command_for(word)));
  }
  const std::string hint = did_you_mean(word, commands);
  throw UsageError(
      fmt::format("{} is not a command{}", word, hint.empty() ? "; " + expected : hint));
}

bool asks_for_help(const std::string& word) {
  return word == "help" || word == "--help" || word == "-h";
}

/// What a value without an option may have been meant for.
std::string meaning_of(const CLI::App& command, const std::string& value) {
  const std::string name = command.get_name();
  std::int64_t number;
  if (name == "generate" && parse_number(value, number)) return "--count " + value;
  if (name == "collide" || name == "distance") return "--kept " + value;
  if (name == "convert" || name == "generate" || name == "decompose") return "--out " + value;
  return {};
}

/// The sentence for the first word that the parser had no use for.
std::string unexpected_text(const CLI::App& command, const std::string& word) {
  if (word.size() > 1 && word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    std::string hint = did_you_mean(name, options_of(command));
    const bool asks_for_distance = name.find("nearest") != name.npos ||
                                   name.find("distance") != name.npos ||
                                   name.find("clearance") != name.npos;
    if (hint.empty() && asks_for_distance) hint = "; did you mean widephase distance?";
    return fmt::format("{} is not an option{}", name, hint);
  }
  std::vector<std::string> positionals;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) positionals.push_back(option->get_name(true));
  }
  const std::string takes =
      positionals.empty() ? "no file" : fmt::format("{} alone", fmt::join(positionals, " and "));
  const std::string meaning = meaning_of(command, word);
  return fmt::format("{} is one too many, since {} takes {}{}", word, command.get_name(), takes,
                     meaning.empty() ? "" : fmt::format("; did you mean {}?", meaning));
}

}  // namespace

std::vector<std::string> ordered_words(std::vector<std::string> words, const CLI::App& app) {
  const std::vector<std::string> commands = commands_of(app);
  const auto is_command = [&](const std::string& word) {
    return std::ranges::find(commands, word) != commands.end();
  };
  if (words.empty()) {
    throw UsageError(fmt::format("expected a command: {}", fmt::join(commands, ", ")));
  }
  if (asks_for_help(words[0])) {
    if (words.size() == 1 || asks_for_help(words[1])) return {"--help"};
    if (!is_command(words[1])) fail_without_command(words[1], app);
    return {words[1], "--help"};
  }
  const bool is_alone = words.size() == 1;
  const bool asks_for_version = words[0] == "-v" || words[0] == "-V" || words[0] == "version";
  if (words[0] == "--version" || (is_alone && asks_for_version)) return {"--version"};
  const auto command = std::ranges::find_if(words, is_command);
  const bool is_first_an_option = words[0].starts_with("-") && words[0] != "-";
  if (command == words.end() || (command != words.begin() && !is_first_an_option)) {
    fail_without_command(words[0], app);
  }
  std::rotate(words.begin(), command, command + 1);
  if (words.size() == 2 && words[1] == "help" && !is_file("help")) words[1] = "--help";
  return words;
}

std::string explained(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  // A mistyped --out is also a missing one; the first is what to say.
  if (code == CLI::ExitCodes::RequiredError || code == CLI::ExitCodes::ExtrasError) {
    const std::vector<std::string> unexpected = command.remaining();
    if (!unexpected.empty()) return unexpected_text(command, unexpected.front());
  }
  const std::string text = error.what();
  if (code == CLI::ExitCodes::ArgumentMismatch) {
    const std::string option = text.substr(0, text.find(':'));
    const bool is_repeated = text.find("received") != text.npos;
    return option + (is_repeated ? " is given more than once" : " needs a value");
  }
  if (text == "--out is required") {
    const CLI::Option* const inputs = command.get_option_no_throw("IN");
    if (inputs != nullptr && inputs->count() > 1 && !is_file(inputs->results().back())) {
      return fmt::format("{}; did you mean --out {}?", text, inputs->results().back());
    }
    return text + ", as in -o " + (command.get_name() == "view" ? "page.html" : "scene.npz");
  }
  return text;
}

}  // namespace widephase::tools
