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

std::vector<std::string> names_of(const std::vector<JointValue>& values) {
  std::vector<std::string> names;
  for (const JointValue& value : values) names.push_back(value.name);
  return names;
}

std::string names_text(const std::vector<JointValue>& values) {
  return fmt::format("{} values ({})", values.size(), fmt::join(names_of(values), ", "));
}

/// Parses all words as finite numbers.
bool parse_row(const std::vector<std::string_view>& words, std::vector<double>& row) {
  row.assign(words.size(), 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!parse_number(words[i], row[i]) || !std::isfinite(row[i])) return false;
  }
  return true;
}

/// A column of a file, and the value that it names.
struct NamedColumn {
  std::size_t column;
  std::size_t value;
};

/// The columns that name values; empty unless the words are names, each of another value. If
/// `ignores_columns`, one name suffices, and the other columns are left out.
std::vector<NamedColumn> named_columns(const std::vector<std::string_view>& words,
                                       const std::vector<JointValue>& values,
                                       bool ignores_columns) {
  std::vector<NamedColumn> columns;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto found = std::ranges::find(values, words[i], &JointValue::name);
    const auto value = static_cast<std::size_t>(found - values.begin());
    if (found == values.end()) {
      if (ignores_columns) continue;
      return {};
    }
    if (std::ranges::find(columns, value, &NamedColumn::value) != columns.end()) return {};
    columns.push_back({i, value});
  }
  return columns;
}

/// The words of those columns; false if the line has too few or too many words.
bool keep_columns(const std::vector<NamedColumn>& columns, std::size_t width,
                  std::vector<std::string_view>& words) {
  if (words.size() != width) return false;
  for (std::size_t i = 0; i < columns.size(); ++i) words[i] = words[columns[i].column];
  words.resize(columns.size());
  return true;
}

/// The first word of a header that does not name a value, or names one again.
std::string header_fault(const std::vector<std::string_view>& words,
                         const std::vector<JointValue>& values) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto before = words.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(words.begin(), before, words[i]) != before) {
      return fmt::format("names {} twice", in_quotes(words[i]));
    }
    if (std::ranges::find(values, words[i], &JointValue::name) == values.end()) {
      return fmt::format("names {}, which the robot does not have ({} leaves such columns out)",
                         in_quotes(words[i]), option("ignore_columns"));
    }
  }
  return {};
}

std::vector<std::vector<double>> read_csv_rows(const std::string& path,
                                               const std::vector<JointValue>& values,
                                               bool ignores_columns) {
  const std::string text = read_text(path);
  std::vector<std::vector<double>> rows;
  std::vector<NamedColumn> columns;
  std::size_t width = values.size();
  std::vector<std::string_view> words;
  std::vector<double> row, start;
  for (const JointValue& value : values) start.push_back(value.start);
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (trim(line).empty() || trim(line).front() == '#') continue;
    split_commas(line, words);
    if (rows.empty() && columns.empty()) {
      columns = named_columns(words, values, ignores_columns);
      if (!columns.empty()) {
        width = words.size();
        continue;
      }
      // One name among the words makes the line a header with a fault.
      const bool names_one = std::ranges::any_of(words, [&](std::string_view word) {
        return std::ranges::find(values, word, &JointValue::name) != values.end();
      });
      if (names_one) {
        throw FileError(path, lines.number(),
                        fmt::format("{}; expected some of {}", header_fault(words, values),
                                    names_text(values)));
      }
    }
    const bool has_all =
        columns.empty() ? words.size() == width : keep_columns(columns, width, words);
    if (!has_all || !parse_row(words, row)) {
      throw FileError(path, lines.number(),
                      fmt::format("is {}; expected {}", in_quotes(line),
                                  columns.empty() || width == values.size()
                                      ? names_text(values)
                                      : fmt::format("{} values, as its header", width)));
    }
    if (columns.empty()) {
      rows.push_back(row);
      continue;
    }
    std::vector<double>& all = rows.emplace_back(start);
    for (std::size_t i = 0; i < columns.size(); ++i) all[columns[i].value] = row[i];
  }
  if (rows.empty() && !columns.empty()) {
    throw FileError(path, "has no line of values below the header");
  }
  return rows;
}

std::vector<std::vector<double>> read_npy_rows(const std::string& path,
                                               const std::vector<JointValue>& values) {
  const std::string bytes = read_file(path);
  const std::string_view view(bytes);
  const std::size_t header_size = npy_header_size(view.substr(0, kNpyStart), path, "the array");
  if (bytes.size() < header_size) throw FileError(path, "is cut off");
  const NpyHeader header = parse_npy_header(view.substr(0, header_size), path, "the array");
  if (bytes.size() - header_size < header.data_bytes) throw FileError(path, "is cut off");
  const std::vector<std::size_t>& shape = header.shape;
  if (header.type == Type::text) throw FileError(path, "holds texts; expected numbers");
  const std::size_t width = values.size();
  if (shape.empty() || shape.size() > 2 || shape.back() != width) {
    throw FileError(path, fmt::format("has the shape {}; expected (n, {}): {}", shape_text(shape),
                                      width, names_text(values)));
  }
  Array array(header.type, shape);
  std::memcpy(array.bytes().data(), bytes.data() + header_size, header.data_bytes);
  if (header.is_fortran) put_into_c_order(array);
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

/// Limits that a file states in decimals or float32 hold to this.
constexpr double kLimitTolerance = 1e-6;
constexpr double kTurn = 6.283185307179586;

bool is_beyond(const JointValue& value, double number) {
  const auto slack = [](double limit) { return kLimitTolerance * std::max(1.0, std::abs(limit)); };
  return (value.lower && number < *value.lower - slack(*value.lower)) ||
         (value.upper && number > *value.upper + slack(*value.upper));
}

/// More than a turn that the limits do not allow, or more than two where there are none.
bool looks_like_degrees(const JointValue& value, double number) {
  const bool has_limits = value.lower || value.upper;
  return value.is_angle && (has_limits ? is_beyond(value, number) && std::abs(number) > kTurn
                                       : std::abs(number) > 2 * kTurn);
}

/// One line per value, with the first configuration that has it wrong.
void note_limits(const std::string& source, const std::vector<std::vector<double>>& rows,
                 const std::vector<JointValue>& values, std::vector<std::string>& notes) {
  constexpr int kMostLines = 10;
  int lines = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const JointValue& value = values[i];
    const auto is_odd = [&](const std::vector<double>& row) {
      return is_beyond(value, row[i]) || looks_like_degrees(value, row[i]);
    };
    const auto first = std::ranges::find_if(rows, is_odd);
    if (first == rows.end() || ++lines > kMostLines) continue;
    std::string text = fmt::format("{}: warning: configuration {} has {} at {}", source,
                                   first - rows.begin(), value.name, (*first)[i]);
    if (is_beyond(value, (*first)[i])) {
      text += fmt::format(", beyond its limits {} to {}",
                          value.lower ? fmt::format("{}", *value.lower) : "-inf",
                          value.upper ? fmt::format("{}", *value.upper) : "inf");
    }
    const auto others = std::ranges::count_if(rows, is_odd) - 1;
    if (others > 0) text += fmt::format(" (as in {} more)", others);
    if (looks_like_degrees(value, (*first)[i])) {
      text += "; angles are in radians, and this looks like degrees";
    }
    notes.push_back(std::move(text));
  }
  if (lines > kMostLines) {
    notes.push_back(
        fmt::format("{}: warning: {} more joints are beyond their limits or look like "
                    "degrees",
                    source, lines - kMostLines));
  }
}

std::vector<std::vector<double>> read_rows(const std::string& text,
                                           const std::vector<JointValue>& values,
                                           bool ignores_columns) {
  if (values.empty()) {
    throw UsageError(
        fmt::format("{0} is for robots with joints that move, and this one has none; leave {0} out",
                    option("joints")));
  }
  std::vector<std::string_view> words;
  split_commas(text, words);
  std::vector<double> row;
  if (parse_row(words, row)) {
    if (row.size() != values.size()) {
      throw UsageError(fmt::format("{} has {} values; expected {}", option("joints"), row.size(),
                                   names_text(values)));
    }
    return {row};
  }
  // A text that looks like a file name is one, so that a missing file is reported as missing.
  std::error_code ignored;
  if (!text.ends_with(".npy") && !text.ends_with(".csv") &&
      !std::filesystem::exists(text, ignored)) {
    throw UsageError(
        fmt::format("{} is neither {} finite {} between commas nor a file; the joints are {}",
                    option("joints", text), values.size(),
                    values.size() == 1 ? "number" : "numbers", fmt::join(names_of(values), ", ")));
  }
  const auto rows = text.ends_with(".npy") ? read_npy_rows(text, values)
                                           : read_csv_rows(text, values, ignores_columns);
  if (rows.empty()) throw FileError(text, "has no configurations; expected a line for each");
  return rows;
}

}  // namespace

std::vector<JointValue> joint_values_of(const Robot& robot) {
  const auto limit = [](double given) {
    return std::isfinite(given) ? std::optional(given) : std::nullopt;
  };
  std::vector<JointValue> values;
  for (const RobotValue& value : robot.values()) {
    values.push_back(
        {value.name, value.start, value.is_angle, limit(value.lower), limit(value.upper)});
  }
  return values;
}

std::vector<std::vector<double>> read_joint_values(const std::string& text,
                                                   const std::vector<JointValue>& values,
                                                   bool ignores_columns,
                                                   std::vector<std::string>& notes) {
  if (text.empty()) {
    std::vector<double> row;
    for (const JointValue& value : values) row.push_back(value.start);
    return {row};
  }
  auto rows = read_rows(text, values, ignores_columns);
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(text, ignored);
  note_limits(is_file ? text : option("joints"), rows, values, notes);
  return rows;
}

}  // namespace widephase::tools
