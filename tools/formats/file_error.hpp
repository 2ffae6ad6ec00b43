#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <widephase/types.hpp>

namespace widephase::tools {

/// "--max-vertices 8", or without a value "--max-vertices". A format is said to one subcommand
/// alone.
inline std::string command_line_option(std::string_view name, std::string_view value) {
  if (name == "format") return "widephase convert --from";
  std::string text = "--" + std::string(name);
  for (char& letter : text) letter = letter == '_' ? '-' : letter;
  return value.empty() ? text : text + " " + std::string(value);
}

/// What the library's messages call what the command line has under another name.
inline constexpr Rewording kCommandLineWords[] = {
    {"and add_hull with max_vertices makes a simpler one",
     "and widephase convert --max-vertices makes simpler ones of meshes"},
};

/// How messages name an option of `ReadOptions` to whoever asks: as the command line does, unless
/// another one, such as the Python module, says here how its callers write it.
inline std::string (*option_writer)(std::string_view name,
                                    std::string_view value) = &command_line_option;

/// The words of the caller in place of the library's, likewise.
inline std::span<const Rewording> caller_words = kCommandLineWords;

/// A message of the library in the caller's words.
inline std::string said(const Finding& finding) { return finding.text_in(caller_words); }
inline std::string said(const Error& error) {
  return error.finding() ? said(*error.finding()) : std::string(error.what());
}

/// An option as the caller writes it.
inline std::string option(std::string_view name, std::string_view value = {}) {
  return option_writer(name, value);
}

/// A problem in a file: "scene.npz: sphere.radius is missing".
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& path, const std::string& message)
      : std::runtime_error(path + ": " + message) {}
  /// `line` counts from 1.
  FileError(const std::string& path, long line, const std::string& message)
      : std::runtime_error(path + ": line " + std::to_string(line) + " " + message) {}
};

/// Options that do not go together or with the input; the message says what to do.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace widephase::tools
