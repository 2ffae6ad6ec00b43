#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <widephase/types.hpp>

namespace widephase::tools {

/// "--max-vertices 8", or "--max-vertices" without a value. Only the subcommand convert has an
/// option for the format.
inline std::string command_line_option(std::string_view name, std::string_view value) {
  if (name == "format") return "widephase convert --from";
  std::string text = "--" + std::string(name);
  for (char& letter : text) letter = letter == '_' ? '-' : letter;
  return value.empty() ? text : text + " " + std::string(value);
}

/// The library's phrases and those that the command line uses instead.
inline constexpr Rewording kCommandLineWords[] = {
    {"and add_hull with max_vertices makes a simpler one",
     "and widephase convert --max-vertices makes simpler ones of meshes"},
};

/// How messages write an option of `ReadOptions`. The default is the syntax of the command line;
/// another caller, such as the Python module, sets its own function.
inline std::string (*option_writer)(std::string_view name,
                                    std::string_view value) = &command_line_option;

/// The phrases of the caller that replace the library's; another caller sets its own.
inline std::span<const Rewording> caller_words = kCommandLineWords;

/// A message of the library with the caller's phrases.
inline std::string said(const Finding& finding) { return finding.text_in(caller_words); }
inline std::string said(const Error& error) {
  return error.finding() ? said(*error.finding()) : std::string(error.what());
}

/// An option in the caller's syntax.
inline std::string option(std::string_view name, std::string_view value = {}) {
  return option_writer(name, value);
}

/// A problem in a file: "scene.npz: sphere.radius is missing".
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& path, const std::string& message)
      : std::runtime_error(path + ": " + message) {}
  /// `line` is counted from 1.
  FileError(const std::string& path, long line, const std::string& message)
      : std::runtime_error(path + ": line " + std::to_string(line) + " " + message) {}
};

/// Options that contradict each other or the input. The message says what to do.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace widephase::tools
