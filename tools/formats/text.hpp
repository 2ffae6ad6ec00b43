#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widephase::tools {

/// Bytes at most of what is read whole.
inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 32;
/// The limit for JSON, XML and YAML, whose trees take many times the memory of their text.
inline constexpr std::size_t kMostTreeBytes = std::size_t{1} << 30;

/// The whole file; a `FileError` says why it can't be read, or that it has more than `most` bytes.
std::string read_file(const std::string& path, std::size_t most = kMostFileBytes);

/// The same of a text, without the byte order mark that may begin it. Refuses UTF-16.
std::string read_text(const std::string& path, std::size_t most = kMostFileBytes);

/// A text without the byte order mark that may begin it.
std::string_view without_mark(std::string_view text);

/// The text of a file that another file names: a regular file that is, once links are resolved,
/// below the folder of the naming file or below one of `allowed`. A `FileError` says why it is not
/// read.
std::string read_named_text(const std::string& path, const std::string& naming_path,
                            const std::vector<std::string>& allowed, std::size_t most);

/// The first bytes of a file, to tell its format. A `FileError` for what can be read but once.
std::string read_start(const std::string& path, std::size_t size);

/// Opens a file, a pipe or a terminal for reading; a `FileError` says why not. The caller closes.
int open_for_reading(const std::string& path);

/// Prints a line on standard error. Where that is closed or full, nothing more can be said.
void print_error(std::string_view line);

/// Lines of a text one after the other, LF or CRLF.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  /// The number of the line that `next` gave last, from 1.
  long number() const { return number_; }

 private:
  std::string_view rest_;
  long number_ = 0;
};

std::string_view trim(std::string_view text);

/// The words between blanks and tabs; reuses `words`.
void split_blanks(std::string_view line, std::vector<std::string_view>& words);
/// The trimmed words between commas.
void split_commas(std::string_view line, std::vector<std::string_view>& words);

/// The whole word as a number, whatever the locale; "nan" and "inf" are numbers.
bool parse_number(std::string_view word, double& value);
bool parse_number(std::string_view word, std::int64_t& value);

/// A text for a message: what a terminal does not show as a character, in hexadecimal ("\\x1b").
std::string printable(std::string_view text);

/// A line for a message: quoted, shortened, printable.
std::string in_quotes(std::string_view line);

}  // namespace widephase::tools
