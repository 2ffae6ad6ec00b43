#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace widephase::tools {

/// The maximal size in bytes of files that are read at once.
inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 32;
/// The limit for JSON, XML and YAML: their trees take many times the memory of the text.
inline constexpr std::size_t kMostTreeBytes = std::size_t{1} << 30;

/// What messages call the standard streams. If `has_streams` is set, a path of this name is the
/// stream and no file. Only the command line sets it; there users write "-".
inline constexpr std::string_view kStandardInput = "standard input";
inline constexpr std::string_view kStandardOutput = "standard output";
inline bool has_streams = false;

/// Reads the whole file. A `FileError` says why it cannot be read, or that it exceeds `most` bytes.
std::string read_file(const std::string& path, std::size_t most = kMostFileBytes);

/// Reads a text file, without a byte order mark at its start. Refuses UTF-16.
std::string read_text(const std::string& path, std::size_t most = kMostFileBytes);

/// A text without a byte order mark at its start.
std::string_view without_mark(std::string_view text);

/// The path of a file that another file names: `file` itself if it is absolute, else beside the
/// naming file.
std::string path_beside(const std::string& naming_path, const std::string& file);

/// Reads a file that another file names. After links are resolved, it must be a regular file below
/// the folder of the naming file or below a folder in `allowed`. A `FileError` says why it is not
/// read.
std::string read_named_file(const std::string& path, const std::string& naming_path,
                            const std::vector<std::string>& allowed, std::size_t most);
/// The same for a text, as `read_text` has it.
std::string read_named_text(const std::string& path, const std::string& naming_path,
                            const std::vector<std::string>& allowed, std::size_t most);

/// The first bytes of a file, to detect its format. A pipe can be read once only, so its start is
/// kept: the next reading of this path begins with it.
std::string read_start(const std::string& path, std::size_t size);

/// Opens a file, a pipe or a terminal for reading; a `FileError` says why not. The caller closes
/// it.
int open_for_reading(const std::string& path);

/// Whether a path is a pipe, a terminal or standard input, which can be read once only.
bool is_read_once(const std::string& path);

/// Prints a line on standard error. If that fails, there is nowhere to report it.
void print_error(std::string_view line);

/// Iterates over the lines of a text, ended by LF or CRLF.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  /// The number of the line that `next` returned last, from 1.
  long number() const { return number_; }

 private:
  std::string_view rest_;
  long number_ = 0;
};

std::string_view trim(std::string_view text);

/// Splits at blanks and tabs; reuses `words`.
void split_blanks(std::string_view line, std::vector<std::string_view>& words);
/// Splits at commas and trims the words.
void split_commas(std::string_view line, std::vector<std::string_view>& words);

/// Parses the whole word as a number, in any locale; "nan" and "inf" are numbers.
bool parse_number(std::string_view word, double& value);
bool parse_number(std::string_view word, std::int64_t& value);

/// The text in lower case; letters outside ASCII stay.
std::string lower_case(std::string_view text);

/// The one of the known words that a mistyped word is nearest to; empty if none is near. Words in
/// another case, and words that begin like it, are near.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

/// A text for messages; characters that a terminal does not show become hexadecimal ("\\x1b").
std::string printable(std::string_view text);

/// A line for messages: quoted, shortened and printable.
std::string in_quotes(std::string_view line);

}  // namespace widephase::tools
