#include "tools/commands/outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

bool is_stream(const std::string& path) {
  return path == kStandardInput || path == kStandardOutput;
}

/// ".npz", ".npz or .csv", ".npz, .json or .csv".
std::string endings_text(std::initializer_list<Format> formats) {
  std::string text;
  std::size_t i = 0;
  for (const Format format : formats) {
    text += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
    text += fmt::format(".{}", format_name(format));
    ++i;
  }
  return text;
}

}  // namespace

void check_streams(std::initializer_list<Output> outputs, bool has_json) {
  std::vector<std::string_view> streams;
  for (const Output& output : outputs) {
    if (output.path == kStandardOutput) streams.push_back(output.option);
  }
  if (has_json) streams.push_back("--json");
  if (streams.size() < 2) return;
  throw UsageError(
      fmt::format("{} and {} would both write to standard output; name a file, or "
                  "leave one out",
                  streams[0], streams[1]));
}

Format format_to_write(const std::string& path, const std::string& to,
                       std::initializer_list<Format> formats) {
  Format format = to.empty() ? *formats.begin() : format_from_name(to);
  if (to.empty() && !has_no_ending(path)) {
    const std::string lower = lower_case(path);
    const auto found = std::ranges::find_if(formats, [&](Format known) {
      return lower.ends_with(fmt::format(".{}", format_name(known)));
    });
    if (found == formats.end()) {
      throw UsageError(
          fmt::format("--out {} does not end in {}; rename it or say the format with "
                      "--to",
                      path, endings_text(formats)));
    }
    format = *found;
  }
  if (format == Format::npz && path == kStandardOutput && isatty(STDOUT_FILENO) != 0) {
    throw UsageError(
        fmt::format("standard output is a terminal, and npz is not a text; name a "
                    "file, send it into a pipe, or take --to {}",
                    format_name(*(formats.end() - 1))));
  }
  return format;
}

bool is_same_file(const std::string& path, const std::string& other) {
  if (path.empty() || other.empty() || is_stream(path) || is_stream(other)) return false;
  std::error_code is_missing;
  return std::filesystem::equivalent(path, other, is_missing);
}

void print_text(std::string_view text, std::initializer_list<Output> outputs) {
  const bool is_taken = std::ranges::any_of(
      outputs, [](const Output& output) { return output.path == kStandardOutput; });
  if (is_taken) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    print_error(text);
  } else {
    fmt::print("{}", text);
  }
}

std::string wrote_text(std::initializer_list<Output> outputs) {
  std::string text;
  for (const Output& output : outputs) {
    if (output.path.empty() || output.path == kStandardOutput) continue;
    text += fmt::format("  wrote {}\n", output.path);
  }
  return text;
}

}  // namespace widephase::tools
