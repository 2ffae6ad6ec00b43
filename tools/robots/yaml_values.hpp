#pragma once

// Reads and checks the YAML of MoveIt.

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <string>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

/// An empty node has no position in the file.
[[noreturn]] inline void fail_at(const std::string& path, const YAML::Mark& mark,
                                 const std::string& message) {
  if (mark.is_null()) throw FileError(path, message);
  throw FileError(path, mark.line + 1, message);
}

/// If a map repeats a key, the parser would return the first value and hide the second.
inline void expect_single_keys(const std::string& path, const YAML::Node& map) {
  if (!map.IsMap()) return;
  std::set<std::string> keys;
  for (const auto& entry : map) {
    if (!entry.first.IsScalar() || keys.insert(entry.first.Scalar()).second) continue;
    fail_at(path, entry.first.Mark(),
            fmt::format("has {} again; a map has a key once", in_quotes(entry.first.Scalar())));
  }
}

/// A value of a map; undefined if there is no map or no such key.
inline YAML::Node value_at(const YAML::Node& map, const char* key) {
  return map && map.IsMap() ? map[key] : YAML::Node(YAML::NodeType::Undefined);
}

/// What `read(root)` makes of a file; a `FileError` says why that is not YAML.
template <class Read>
auto read_yaml(const std::string& path, const Read& read) {
  try {
    return read(YAML::Load(read_file(path, kMostTreeBytes)));
  } catch (const YAML::Exception& error) {
    fail_at(path, error.mark, fmt::format("is not YAML ({})", error.msg));
  }
}

}  // namespace widephase::tools
