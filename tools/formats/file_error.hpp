#pragma once

#include <stdexcept>
#include <string>

namespace widephase::tools {

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
