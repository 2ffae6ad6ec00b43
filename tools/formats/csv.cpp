#include "tools/formats/csv.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

constexpr const char* kHeader = "x,y[,z],radius[,world]";

/// The index of each column in a line; -1 if the header does not have it.
struct CsvHeader {
  int x = -1;
  int y = -1;
  int z = -1;
  int radius = -1;
  int world = -1;
  std::size_t width = 0;
  int dimension() const { return z < 0 ? 2 : 3; }
};

std::string_view unquoted(std::string_view word) {
  const bool is_quoted = word.size() >= 2 && word.front() == '"' && word.back() == '"';
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

CsvHeader parse_header(std::string_view line, long number, const std::string& path,
                       bool needs_radius) {
  std::vector<std::string_view> words;
  split_commas(line, words);
  double number_of_word = 0;
  const bool is_headerless = words.size() >= 4 && parse_number(words[0], number_of_word);
  const auto fail = [&] {
    throw FileError(path, number,
                    fmt::format("is {}; expected the header {}{}", in_quotes(line), kHeader,
                                words.size() == 1 ? ", with commas between"
                                : is_headerless   ? ", or id,frame,x,y for a trajectory"
                                                  : ""));
  };
  CsvHeader header;
  header.width = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = lower_case(unquoted(words[i]));
    int* place = word == "x"        ? &header.x
                 : word == "y"      ? &header.y
                 : word == "z"      ? &header.z
                 : word == "radius" ? &header.radius
                 : word == "world"  ? &header.world
                                    : nullptr;
    if (place == nullptr || *place >= 0) fail();
    *place = static_cast<int>(i);
  }
  if (header.x < 0 || header.y < 0) fail();
  if (needs_radius && header.radius < 0) {
    throw NoRadius(path, number,
                   fmt::format("names no radius; add that column, or give all one radius with {}",
                               option("radius", "0.5")));
  }
  if (!needs_radius && header.radius >= 0) {
    throw UsageError(fmt::format("{} has radii of its own; leave {} out", path, option("radius")));
  }
  return header;
}

}  // namespace

SceneFile read_csv(const std::string& path, std::optional<double> radius) {
  const std::string text = read_text(path);
  Lines lines(text);
  std::string_view line;
  do {
    if (!lines.next(line)) {
      throw FileError(path, fmt::format("is empty; expected the header {}", kHeader));
    }
  } while (trim(line).empty());
  const CsvHeader header = parse_header(line, lines.number(), path, !radius);

  std::vector<double> centers;
  std::vector<double> radii;
  std::vector<double> worlds;
  std::vector<double> row(header.width);
  std::vector<std::string_view> words;
  while (lines.next(line)) {
    if (trim(line).empty()) continue;
    split_commas(line, words);
    if (words.size() != header.width) {
      throw FileError(
          path, lines.number(),
          fmt::format("has {} values; the header names {}", words.size(), header.width));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!parse_number(words[i], row[i])) {
        throw FileError(path, lines.number(),
                        fmt::format("has {} where a number is expected", in_quotes(words[i])));
      }
    }
    const auto value = [&](int place) { return row[static_cast<std::size_t>(place)]; };
    centers.push_back(value(header.x));
    centers.push_back(value(header.y));
    if (header.z >= 0) centers.push_back(value(header.z));
    radii.push_back(radius ? *radius : value(header.radius));
    if (header.world >= 0) {
      const double world = value(header.world);
      // The library checks the range of worlds. That a world is an integer is checked here, where
      // the line is known.
      if (!(std::abs(world) <= 2147483647.0 && world == std::trunc(world))) {
        throw FileError(path, lines.number(),
                        fmt::format("has the world {}; expected an integer >= -1", world));
      }
      worlds.push_back(world);
    }
  }
  const std::string kind = header.dimension() == 2 ? "circle" : "sphere";
  const std::size_t count = radii.size();
  std::vector<NamedArray> arrays;
  arrays.push_back({kind + ".center",
                    Array::of(centers, {count, static_cast<std::size_t>(header.dimension())})});
  arrays.push_back({kind + ".radius", Array::of(radii)});
  if (header.world >= 0) arrays.push_back({kind + ".world", Array::of(worlds)});
  return SceneFile(path, std::move(arrays));
}

namespace {

double number_at(const Array& array, std::size_t i) {
  return visit_values(array, [&](auto numbers) { return static_cast<double>(numbers[i]); });
}

/// Names of columns that CSV cannot hold. Throws if a column that would change the contacts is
/// lost.
std::vector<std::string> left_out(const SceneFile& scene, const std::string& kind) {
  std::vector<std::string> names;
  for (const NamedArray& entry : scene.arrays()) {
    const std::string& name = entry.name;
    if (name == kind + ".center" || name == kind + ".radius" || name == kind + ".world") continue;
    bool is_harmless = name == kind + ".key" || name == kind + ".name" || name == "world.frame" ||
                       entry.array.count() == 0;
    if (name.starts_with("domain.")) {
      const Array* periodic = scene.find("domain.periodic");
      is_harmless =
          periodic == nullptr || std::ranges::all_of(periodic->values<std::uint8_t>(),
                                                     [](std::uint8_t flag) { return flag == 0; });
    }
    if (!is_harmless) {
      throw FileError(scene.path(),
                      fmt::format("{} has no place in CSV, which holds {}; write .npz or .json",
                                  name, kHeader));
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> write_csv(const SceneFile& scene, OutputFile& file) {
  const std::string kind = scene.dimension() == 2 ? "circle" : "sphere";
  const auto names = left_out(scene, kind);
  const Array* centers = scene.find(kind + ".center");
  const Array* radii = scene.find(kind + ".radius");
  const Array* worlds = scene.find(kind + ".world");
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  fmt::format_to(end, "x,y{},radius{}\n", scene.dimension() == 3 ? ",z" : "",
                 worlds != nullptr ? ",world" : "");
  const auto width = static_cast<std::size_t>(scene.dimension());
  const std::size_t count = centers == nullptr ? 0 : centers->rows();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t w = 0; w < width; ++w) {
      fmt::format_to(end, FMT_COMPILE("{},"), number_at(*centers, i * width + w));
    }
    fmt::format_to(end, FMT_COMPILE("{}"), number_at(*radii, i));
    if (worlds != nullptr) {
      fmt::format_to(end, FMT_COMPILE(",{}"), worlds->values<std::int32_t>()[i]);
    }
    text.push_back('\n');
  }
  file.write({text.data(), text.size()});
  return names;
}

}  // namespace widephase::tools
