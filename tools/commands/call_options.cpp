#include "tools/commands/call_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <limits>
#include <type_traits>
#include <vector>

#include "tools/commands/common_options.hpp"
#include "tools/commands/option_values.hpp"

namespace widephase::tools {

namespace {

/// Adds a command line option for an option of calls, by the type of its member.
struct AddOption {
  CLI::App& command;

  void operator()(const Option& option, double& value) const {
    if (option.name == "margin") return add_margin(command, value, text_of(option, "0"));
    if (option.name == "flush_tolerance") {
      return add_length(command, name_of(option), "tolerance", value, text_of(option, "0"));
    }
    const auto check = [](const std::string& text) -> std::string {
      double degrees = 0;
      const bool is_number = CLI::detail::lexical_cast(text, degrees);
      if (is_number && degrees >= 0 && degrees <= 90) return {};
      return fmt::format("{} is not such an angle; expected 0 to 90", text);
    };
    command.add_option(name_of(option), value, text_of(option, fmt::format("{}", value)))
        ->type_name("DEGREES")
        ->check(CLI::Validator(check, ""));
  }
  void operator()(const Option& option, int& count) const {
    command.add_option(name_of(option), count, text_of(option, fmt::format("{}", count)))
        ->type_name("N")
        ->transform(whole_number(0, std::numeric_limits<int>::max()));
  }
  void operator()(const Option& option, Threads& threads) const {
    command.add_option(name_of(option), threads.count, text_of(option, "0"))
        ->type_name("N")
        ->transform(whole_number(0, 4096));
  }
  void operator()(const Option& option, Isa& isa) const {
    command
        .add_option_function<std::string>(
            name_of(option), [&isa](const std::string& word) { isa = isa_from_name(word); },
            text_of(option, isa_name(isa), ": " + list_of(option.words)))
        ->type_name("NAME")
        ->transform(one_of(words_of(option)));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const Option& option, Enum& value) const {
    command
        .add_option_function<std::string>(
            name_of(option),
            [&value, words = option.words](const std::string& word) {
              value = static_cast<Enum>(place_of(word, words));
            },
            text_of(option, option.words[static_cast<std::size_t>(value)],
                    ": " + list_of(option.words)))
        ->type_name("WORD")
        ->transform(one_of(words_of(option)));
  }
  void operator()(const Option& option, std::size_t& cap) const {
    command
        .add_option_function<std::int64_t>(
            name_of(option), [&cap](std::int64_t count) { cap = static_cast<std::size_t>(count); },
            text_of(option, "no limit"))
        ->type_name("N")
        ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()));
  }
  void operator()(const Option& option, bool& flag) const {
    command
        .add_option_function<std::string>(
            name_of(option), [&flag](const std::string& word) { flag = word == "true"; },
            text_of(option, flag ? "true" : "false", ": true, false"))
        ->type_name("WORD")
        ->transform(one_of({"true", "false"}));
  }
  /// Arrays cannot be given on a command line.
  template <class T>
  void operator()(const Option&, std::span<T>&) const {}

 private:
  static std::vector<std::string> words_of(const Option& option) {
    return {option.words.begin(), option.words.end()};
  }
  static std::string name_of(const Option& option) {
    std::string name = "--" + std::string(option.name);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
  }
  static std::string text_of(const Option& option, std::string_view default_value,
                             std::string_view words = {}) {
    std::string text(option.text);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return fmt::format("{}{} (default: {})", text, words, default_value);
  }
};

}  // namespace

void add_call_options(CLI::App& command, Calls calls, CollideOptions& options) {
  for_each_option(
      [&](const Option& option, auto& member) {
        if (option.calls.has_any(calls) && why_not_on_command_line(option.name).empty()) {
          AddOption{command}(option, member);
        }
      },
      options);
}

}  // namespace widephase::tools
