#include "tools/formats/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

/// Scenes nest three levels, the coordinates of a feature eight. Much deeper nesting would overflow
/// the stack of recursive code.
constexpr std::size_t kMostNested = 64;

/// Checks brackets and keys before the parser runs. The parser accepts any depth, and if a key
/// repeats it silently keeps the last value. All other errors are left to the parser.
class BracketScan {
 public:
  BracketScan(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  void run() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\n') ++line_;
      if (c == '"') {
        const std::size_t begin = i;
        for (++i; i < text_.size() && text_[i] != '"'; ++i) i += text_[i] == '\\' ? 1 : 0;
        if (is_key_next_) add_key(std::string_view(text_).substr(begin, i + 1 - begin));
        is_key_next_ = false;
      } else if (c == '[' || c == '{') {
        open(c == '{');
      } else if (c == ']' || c == '}') {
        close();
      } else if (c == ',') {
        is_key_next_ = !open_.empty() && open_.back().is_object;
      }
    }
  }

 private:
  struct Bracket {
    bool is_object;
    std::size_t first_key;  ///< the index of its first key, among the keys of all open brackets
  };
  struct Key {
    std::string_view text;
    long line;
  };

  void open(bool is_object) {
    if (open_.size() == kMostNested) {
      throw FileError(path_, line_,
                      fmt::format("opens a bracket within {0} others; expected at most {0} within "
                                  "one another",
                                  kMostNested));
    }
    open_.push_back({is_object, keys_.size()});
    is_key_next_ = is_object;
  }

  void close() {
    is_key_next_ = false;
    if (open_.empty()) return;
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(open_.back().first_key);
    std::sort(first, keys_.end(), [](const Key& a, const Key& b) {
      return a.text != b.text ? a.text < b.text : a.line < b.line;
    });
    const auto twice = std::adjacent_find(
        first, keys_.end(), [](const Key& a, const Key& b) { return a.text == b.text; });
    if (twice != keys_.end()) {
      throw FileError(path_, twice[1].line,
                      fmt::format("has {} again, after line {}; an object has a key once",
                                  name_of(twice->text), twice->line));
    }
    keys_.erase(first, keys_.end());
    open_.pop_back();
  }

  void add_key(std::string_view quoted) {
    if (quoted.find('\\') != quoted.npos) {
      const Json word = Json::parse(quoted, nullptr, false);
      if (!word.is_string()) return;
      keys_.push_back({decoded_.emplace_back(word.get<std::string>()), line_});
    } else if (quoted.size() >= 2) {
      keys_.push_back({quoted.substr(1, quoted.size() - 2), line_});
    }
  }

  /// "circle.radius": the path to a key of the innermost bracket.
  std::string name_of(std::string_view key) const {
    std::string name;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (!open_[i].is_object || open_[i + 1].first_key == open_[i].first_key) continue;
      name.append(keys_[open_[i + 1].first_key - 1].text).append(".");
    }
    return name.append(key);
  }

  const std::string& text_;
  const std::string& path_;
  std::vector<Bracket> open_;
  std::vector<Key> keys_;
  std::deque<std::string> decoded_;  ///< the text of keys that are written with escapes
  bool is_key_next_ = false;
  long line_ = 1;
};

}  // namespace

Json parse_json(const std::string& path) {
  const std::string text = read_text(path, kMostTreeBytes);
  if (text.starts_with("PK\x03\x04")) {
    throw FileError(path, "is an archive, such as .npz; expected JSON");
  }
  BracketScan(text, path).run();
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // The message begins with "[json.exception.parse_error.101] parse error at line 2, ...".
    std::string reason = error.what();
    if (const std::size_t end = reason.find("] "); end != std::string::npos) {
      reason = reason.substr(end + 2);
    }
    throw FileError(path, "is not JSON: " + reason);
  }
}

}  // namespace widephase::tools
