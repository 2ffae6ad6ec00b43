#include "parse_json.hpp"

#include <fmt/format.h>

#include "file_error.hpp"
#include "text.hpp"

namespace widephase::tools {

namespace {

/// Scenes nest three deep, a feature's coordinates eight. What is much deeper would end the stack
/// of whoever walks it.
constexpr int kMostNested = 64;

void check_depth(const std::string& text, const std::string& path) {
  int depth = 0;
  long line = 1;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) {
      if (c == '\\') ++i;  // of a quotation mark among others
    } else if (c == ']' || c == '}') {
      --depth;
    } else if ((c == '[' || c == '{') && ++depth > kMostNested) {
      throw FileError(path, line,
                      fmt::format("opens a bracket within {0} others; expected at most {0} within "
                                  "one another",
                                  kMostNested));
    }
  }
}

}  // namespace

Json parse_json(const std::string& path) {
  const std::string text = read_file(path);
  check_depth(text, path);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 2, column 5: ..."
    std::string reason = error.what();
    if (const std::size_t end = reason.find("] "); end != std::string::npos) {
      reason = reason.substr(end + 2);
    }
    throw FileError(path, "is no JSON: " + reason);
  }
}

}  // namespace widephase::tools
