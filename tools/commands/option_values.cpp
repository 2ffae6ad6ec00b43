#include "tools/commands/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

bool are_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The digits of a number that is written as 1000, 1e3 or 1.5e3; nothing if it is not a whole one.
/// No digit is rounded.
std::optional<std::string> whole_digits(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  const std::size_t e = text.find_first_of("eE");
  if (e != text.npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with("+-") || !parse_number(power, exponent)) return std::nullopt;
    text = text.substr(0, e);
  }
  const std::size_t dot = text.find('.');
  std::string digits(text.substr(0, dot));
  if (dot != text.npos) {
    const std::string_view fraction = text.substr(dot + 1);
    if (fraction.empty() || digits.empty()) return std::nullopt;
    digits += fraction;
    exponent -= static_cast<std::int64_t>(fraction.size());
  }
  if (digits.empty() || !are_digits(digits)) return std::nullopt;
  for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
  const bool is_zero = digits.find_first_not_of('0') == digits.npos;
  if (exponent < 0 && !is_zero) return std::nullopt;
  constexpr std::int64_t kMostZeros = 20;  // beyond every limit
  if (!is_zero) digits.append(static_cast<std::size_t>(std::min(exponent, kMostZeros)), '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return "0";
  return (is_negative ? "-" : "") + digits;
}

CLI::Validator stream(std::initializer_list<const char*> names, std::string_view stream_name) {
  const std::vector<std::string> words(names.begin(), names.end());
  const std::string name(stream_name);
  const auto rewrite = [words, name](std::string& path) {
    if (std::ranges::find(words, path) != words.end()) {
      path = name;
    } else if (path == name) {
      path = "./" + name;  // a file that is called so
    }
    return std::string{};
  };
  return CLI::Validator(rewrite, "");
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

CLI::Validator one_of(std::vector<std::string> words) {
  const auto choose = [words = std::move(words)](std::string& text) -> std::string {
    for (const std::string& word : words) {
      if (lower_case(text) != lower_case(word)) continue;
      text = word;
      return {};
    }
    const std::string hint = did_you_mean(text, words);
    return fmt::format("{} is not among {}{}", text, fmt::join(words, ", "), hint);
  };
  return CLI::Validator(choose, "");
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](std::string& text) -> std::string {
    const std::optional<std::string> digits = whole_digits(text);
    std::int64_t value = 0;
    if (digits && parse_number(*digits, value) && value >= least && value <= most) {
      text = *digits;
      return {};
    }
    const std::string range = fmt::format("expected an integer from {} to {}", least, most);
    if (digits) return fmt::format("{} is not in the range; {}", text, range);
    return fmt::format("{} is not a whole number; {}{}", text, range,
                       most >= 1000000 ? ", such as 1000 or 1e6" : "");
  };
  return CLI::Validator(check, "");
}

CLI::Validator input_file() {
  return stream({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, kStandardInput);
}

CLI::Validator output_file() {
  return stream({"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, kStandardOutput);
}

}  // namespace widephase::tools
