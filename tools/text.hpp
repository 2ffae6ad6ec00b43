#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widephase::tools {

/// The whole file; a `FileError` says why it can't be read.
std::string read_file(const std::string& path);

/// The first bytes of a file, to tell its format.
std::string read_start(const std::string& path, std::size_t size);

/// Opens for reading; a `FileError` says why not. The caller closes.
int open_for_reading(const std::string& path);

/// Lines of a text one after the other, LF or CRLF.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  /// Of the line that `next` gave last, from 1.
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
std::string quoted(std::string_view line);

}  // namespace widephase::tools
