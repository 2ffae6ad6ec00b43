#include "tools/formats/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

namespace {

bool is_standard_input(const std::string& path) { return has_streams && path == kStandardInput; }

/// A descriptor of its own for standard input, so that closing it leaves the stream alone.
int open_standard_input(const std::string& path) {
  static std::atomic<bool> was_opened = false;
  if (was_opened.exchange(true)) {
    throw FileError(path, "is read already; only one input can come from there");
  }
  return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
}

}  // namespace

int open_for_reading(const std::string& path) {
  const int file = is_standard_input(path) ? open_standard_input(path)
                                           : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw FileError(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status;
  if (fstat(file, &status) != 0) return file;
  // Reading a device such as /dev/zero would never end.
  const bool is_device = (S_ISCHR(status.st_mode) && isatty(file) == 0) || S_ISBLK(status.st_mode);
  if (is_device || S_ISDIR(status.st_mode)) {
    close(file);
    throw FileError(path, is_device ? "is a device; expected a file or a pipe"
                                    : "is a directory; expected a file");
  }
  return file;
}

bool is_read_once(const std::string& path) {
  if (is_standard_input(path)) return true;
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

namespace {

/// Pipes whose start was read to tell the format. What follows it comes from the same descriptor.
struct Looked {
  int file = -1;
  std::string start;
};
std::mutex looked_mutex;
std::map<std::string, Looked> looked;

/// The pipe of this path with the start that was read of it, or the file from its beginning.
Looked open_from_start(const std::string& path) {
  {
    const std::lock_guard lock(looked_mutex);
    if (auto found = looked.extract(path); !found.empty()) return std::move(found.mapped());
  }
  return {open_for_reading(path), {}};
}

void keep_for_later(const std::string& path, Looked pipe) {
  const std::lock_guard lock(looked_mutex);
  looked.insert_or_assign(path, std::move(pipe));
}

/// Goes on after `text` until the end or the limit. Closes the file if reading fails.
std::string read_up_to(int file, const std::string& path, std::size_t limit,
                       std::string text = {}) {
  struct stat status;
  const bool has_size = fstat(file, &status) == 0 && status.st_size > 0;
  std::size_t room = has_size ? static_cast<std::size_t>(status.st_size) + 1 : 65536;
  while (text.size() < limit) {
    const std::size_t size = text.size();
    text.resize(size + std::min(room, limit - size));
    const ssize_t got = read(file, text.data() + size, text.size() - size);
    const int error = errno;
    text.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && error == EINTR) continue;
    if (got < 0) {
      close(file);
      throw FileError(path, std::string("cannot be read: ") + std::strerror(error));
    }
    if (got == 0) break;
    room = 1 << 20;
  }
  return text;
}

/// Closes the file after reading. If the size is known, a file that is too large is reported first.
std::string read_whole(int file, const std::string& path, std::size_t most,
                       std::string start = {}) {
  struct stat status;
  const bool has_size = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  std::string text;
  if (has_size && static_cast<std::uint64_t>(status.st_size) > most) {
    close(file);
  } else {
    text = read_up_to(file, path, most + 1, std::move(start));
    close(file);
    if (text.size() <= most) return text;
  }
  throw FileError(path, fmt::format("has more than {} bytes, the most that are read", most));
}

std::string text_of(std::string bytes, const std::string& path) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    throw FileError(path, "is a text in UTF-16; save it as UTF-8");
  }
  bytes.erase(0, bytes.size() - without_mark(bytes).size());
  return bytes;
}

/// A path with links resolved; nothing if the file does not exist.
std::optional<std::string> resolved(const std::string& path) {
  char* const found = realpath(path.c_str(), nullptr);
  if (found == nullptr) return std::nullopt;
  std::string result = found;
  free(found);
  return result;
}

/// Whether a resolved path is below a folder.
bool is_below(const std::string& path, const std::string& folder) {
  const std::optional<std::string> base = resolved(folder);
  if (!base) return false;
  return path.starts_with(base->ends_with('/') ? *base : *base + '/');
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  Looked file = open_from_start(path);
  return read_whole(file.file, path, most, std::move(file.start));
}

std::string read_text(const std::string& path, std::size_t most) {
  return text_of(read_file(path, most), path);
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::string path_beside(const std::string& naming_path, const std::string& file) {
  const std::size_t slash = naming_path.rfind('/');
  if (slash == std::string::npos || file.starts_with('/')) return file;
  return naming_path.substr(0, slash + 1) + file;
}

std::string read_named_file(const std::string& path, const std::string& naming_path,
                            const std::vector<std::string>& allowed, std::size_t most) {
  const auto cannot_be_opened = [&]() {
    return FileError(path, std::string("cannot be opened: ") + std::strerror(errno));
  };
  const std::optional<std::string> target = resolved(path);
  if (!target) throw cannot_be_opened();
  if (!is_below(*target, folder_of(naming_path)) &&
      std::ranges::none_of(allowed,
                           [&](const auto& folder) { return is_below(*target, folder); })) {
    throw FileError(path,
                    fmt::format("is not below the folder of {}, which names it; {} reads files "
                                "below DIR too",
                                naming_path, option("allow_files", "DIR")));
  }
  // Checked before opening, since opening a pipe would wait for its other end. Checked again after,
  // since another file may have taken its place.
  struct stat status;
  const auto is_file = [&](bool is_known) { return is_known && S_ISREG(status.st_mode); };
  const char* const kNoFile = "is not a regular file, which a file that another one names must be";
  if (!is_file(stat(target->c_str(), &status) == 0)) throw FileError(path, kNoFile);
  const int file = open(target->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (file < 0) throw cannot_be_opened();
  if (!is_file(fstat(file, &status) == 0)) {
    close(file);
    throw FileError(path, kNoFile);
  }
  return read_whole(file, path, most);
}

std::string read_named_text(const std::string& path, const std::string& naming_path,
                            const std::vector<std::string>& allowed, std::size_t most) {
  return text_of(read_named_file(path, naming_path, allowed, most), path);
}

std::string read_start(const std::string& path, std::size_t size) {
  Looked file = open_from_start(path);
  std::string start = read_up_to(file.file, path, size, std::move(file.start));
  struct stat status;
  const bool is_file = fstat(file.file, &status) == 0 && S_ISREG(status.st_mode);
  if (is_file && !is_standard_input(path)) {
    close(file.file);
  } else {
    keep_for_later(path, {file.file, start});
  }
  return start;
}

void print_error(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void split_blanks(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  std::size_t i = 0;
  while (true) {
    while (i < line.size() && is_blank(line[i])) ++i;
    if (i == line.size()) return;
    const std::size_t begin = i;
    while (i < line.size() && !is_blank(line[i])) ++i;
    words.push_back(line.substr(begin, i - begin));
  }
}

void split_commas(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  while (true) {
    const std::size_t end = line.find(',');
    words.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

bool parse_number(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (stop != end || word.empty()) return false;
  if (error == std::errc::result_out_of_range) {
    // A number that is too small becomes 0, which is harmless. One that is too large is an error.
    const bool is_tiny = word.find("e-") != word.npos || word.find("E-") != word.npos;
    if (is_tiny) value = 0;
    return is_tiny;
  }
  return error == std::errc{};
}

bool parse_number(std::string_view word, std::int64_t& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return stop == end && error == std::errc{} && !word.empty();
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

namespace {

/// How many letters must be inserted, left out, replaced or swapped with their neighbour
/// (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  const std::string lower = lower_case(word);
  std::string nearest;
  int least = static_cast<int>(word.size()) / 3;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(lower, lower_case(candidate));
    if (distance > least || (distance == least && !nearest.empty())) continue;
    least = distance;
    nearest = candidate;
  }
  for (const std::string& candidate : known) {
    if (!nearest.empty() || lower.size() < 2) break;
    if (lower_case(candidate).starts_with(lower)) nearest = candidate;
  }
  return nearest;
}

namespace {

/// The size in bytes of the first UTF-8 character ("Well-Formed UTF-8 Byte Sequences" in the
/// Unicode standard, chapter 3). 0 if it is not a character, or is a control character.
std::size_t printable_size(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto goes_on = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xbf; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first < 0xc2 || first > 0xf4 || !goes_on(1)) return 0;
  if (first < 0xe0) return first == 0xc2 && second < 0xa0 ? 0 : 2;
  if (!goes_on(2)) return 0;
  if (first < 0xf0) {
    const bool is_overlong = first == 0xe0 && second < 0xa0;
    const bool is_surrogate = first == 0xed && second > 0x9f;
    const bool is_mark = first == 0xef && second == 0xbb && byte(2) == 0xbf;  // byte order mark
    return is_overlong || is_surrogate || is_mark ? 0 : 3;
  }
  const bool is_out_of_range = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return goes_on(3) && !is_out_of_range ? 4 : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = printable_size(text);
    if (size > 0) {
      result += text.substr(0, size);
    } else if (text[0] == '\t') {
      result += ' ';
    } else {
      constexpr const char* kDigits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[0]);
      result += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::string in_quotes(std::string_view line) {
  constexpr std::size_t kLongest = 60;
  std::size_t size = std::min(line.size(), kLongest);
  // Do not cut inside a character.
  while (size < line.size() && size > kLongest - 4 && (line[size] & 0xc0) == 0x80) --size;
  return "\"" + printable(line.substr(0, size)) + (size < line.size() ? "...\"" : "\"");
}

}  // namespace widephase::tools
