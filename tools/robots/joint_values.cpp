#include "tools/robots/joint_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "tools/formats/array.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/npy.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

std::string names_text(const std::vector<std::string>& names) {
  return fmt::format("{} values ({})", names.size(), fmt::join(names, ", "));
}

/// Parses all words as finite numbers.
bool parse_row(const std::vector<std::string_view>& words, std::vector<double>& row) {
  row.assign(words.size(), 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!parse_number(words[i], row[i]) || !std::isfinite(row[i])) return false;
  }
  return true;
}

/// The column of each joint; empty unless the words name every joint once.
std::vector<std::size_t> columns_of(const std::vector<std::string_view>& words,
                                    const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found == words.end() || words.size() != names.size()) return {};
    columns.push_back(static_cast<std::size_t>(found - words.begin()));
  }
  return columns;
}

std::vector<std::vector<double>> read_csv_rows(const std::string& path,
                                               const std::vector<std::string>& names) {
  const std::string text = read_text(path);
  std::vector<std::vector<double>> rows;
  std::vector<std::size_t> columns;
  std::vector<std::string_view> words;
  std::vector<double> row;
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (trim(line).empty() || trim(line).front() == '#') continue;
    split_commas(line, words);
    if (rows.empty() && columns.empty()) {
      columns = columns_of(words, names);
      if (!columns.empty()) continue;
    }
    if (!parse_row(words, row) || row.size() != names.size()) {
      throw FileError(path, lines.number(),
                      fmt::format("is {}; expected {}", in_quotes(line), names_text(names)));
    }
    std::vector<double>& values = rows.emplace_back(row);
    for (std::size_t joint = 0; joint < columns.size(); ++joint)
      values[joint] = row[columns[joint]];
  }
  if (rows.empty() && !columns.empty()) {
    throw FileError(path, "has no line of values below the header");
  }
  return rows;
}

std::vector<std::vector<double>> read_npy_rows(const std::string& path,
                                               const std::vector<std::string>& names) {
  const std::string bytes = read_file(path);
  const std::string_view view(bytes);
  const std::size_t header_size = npy_header_size(view.substr(0, kNpyStart), path, "the array");
  if (bytes.size() < header_size) throw FileError(path, "is cut off");
  const NpyHeader header = parse_npy_header(view.substr(0, header_size), path, "the array");
  if (bytes.size() - header_size < header.data_bytes) throw FileError(path, "is cut off");
  const std::vector<std::size_t>& shape = header.shape;
  if (header.type == Type::text) throw FileError(path, "holds texts; expected numbers");
  const std::size_t width = names.size();
  if (shape.empty() || shape.size() > 2 || shape.back() != width) {
    throw FileError(path, fmt::format("has the shape {}; expected (n, {}): {}", shape_text(shape),
                                      width, names_text(names)));
  }
  Array array(header.type, shape);
  std::memcpy(array.bytes().data(), bytes.data() + header_size, header.data_bytes);
  std::vector<std::vector<double>> rows(shape.size() == 1 ? 1 : shape[0]);
  visit_values(array, [&](auto numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      rows[i / width].push_back(static_cast<double>(numbers[i]));
      if (std::isfinite(rows[i / width].back())) continue;
      throw FileError(path, fmt::format("has {} in row {}; expected finite numbers",
                                        rows[i / width].back(), i / width));
    }
  });
  return rows;
}

}  // namespace

std::vector<std::vector<double>> read_joint_values(const std::string& text,
                                                   const std::vector<std::string>& names) {
  if (text.empty()) return {std::vector<double>(names.size(), 0)};
  if (names.empty()) {
    throw UsageError(
        fmt::format("{0} is for robots with joints that move, and this one has none; leave {0} out",
                    option("joints")));
  }
  std::vector<std::string_view> words;
  split_commas(text, words);
  std::vector<double> row;
  if (parse_row(words, row)) {
    if (row.size() != names.size()) {
      throw UsageError(fmt::format("{} has {} values; expected {}", option("joints"), row.size(),
                                   names_text(names)));
    }
    return {row};
  }
  // A text that looks like a file name is one, so that a missing file is reported as missing.
  std::error_code ignored;
  if (!text.ends_with(".npy") && !text.ends_with(".csv") &&
      !std::filesystem::exists(text, ignored)) {
    throw UsageError(
        fmt::format("{} is neither {} finite {} between commas nor a file; the joints are {}",
                    option("joints", text), names.size(), names.size() == 1 ? "number" : "numbers",
                    fmt::join(names, ", ")));
  }
  const auto rows =
      text.ends_with(".npy") ? read_npy_rows(text, names) : read_csv_rows(text, names);
  if (rows.empty()) throw FileError(text, "has no configurations; expected a line for each");
  return rows;
}

}  // namespace widephase::tools
