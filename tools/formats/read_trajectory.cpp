// Trajectories of pedestrians, as PeTrack and PedPy write them: comments after `#`, then one line
// per person and frame, `id frame x y [z]`, with blanks or commas between. Each frame becomes a
// world and keeps its number. A header may name the columns, which then come in any order, a radius
// among them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

/// The unit in a comment such as `# id frame x/cm y/cm z/cm`; empty if there is none.
std::string_view unit_of_comment(std::string_view line) {
  const std::size_t at = line.find("x/");
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + 2);
  const std::size_t end = rest.find_first_of(" \t,;\"");
  return rest.substr(0, end);
}

/// The places of the columns in a line; -1 if it has none.
struct TrajectoryColumns {
  int id = 0;
  int frame = 1;
  int x = 2;
  int y = 3;
  int z = 4;
  int radius = -1;

  /// The place for the name of a column; null for others, such as velocities.
  int* place_of(std::string_view name) {
    if (name == "id") return &id;
    if (name == "frame") return &frame;
    if (name == "x") return &x;
    if (name == "y") return &y;
    if (name == "z") return &z;
    return name == "radius" ? &radius : nullptr;
  }
};

/// Splits at commas if there are any, else at blanks.
void split_row(std::string_view line, std::vector<std::string_view>& words) {
  line.find(',') == line.npos ? split_blanks(line, words) : split_commas(line, words);
}

/// The name of a column without quotes and unit: "x" of "x/cm".
std::string column_of_word(std::string_view word) {
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
    word = word.substr(1, word.size() - 2);
  }
  return lower_case(word.substr(0, word.find('/')));
}

struct Trajectory {
  Particles particles;
  std::vector<std::int64_t> frames;
  std::vector<std::int32_t> lines;
  std::string unit;
};

class TrajectoryReader {
 public:
  TrajectoryReader(const std::string& path, const std::string& text, int dimension,
                   std::optional<double> radius)
      : path_(path), lines_(text), dimension_(dimension), radius_(radius) {}

  Trajectory read() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view content = trim(line);
      if (content.empty()) continue;
      if (content.front() == '#') {
        const std::string_view unit = unit_of_comment(content);
        if (!unit.empty()) trajectory_.unit = unit;
        continue;
      }
      split_row(content, words_);
      if (!has_header_ && trajectory_.frames.empty() && is_trajectory_header(content)) {
        read_header(content);
      } else {
        read_row();
      }
    }
    return std::move(trajectory_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  std::int64_t integer(std::size_t word) const {
    std::int64_t value;
    if (parse_number(words_[word], value)) return value;
    // Some programs write whole numbers as "12.000".
    double real;
    if (parse_number(words_[word], real) && std::abs(real) <= 1e15 && real == std::trunc(real)) {
      return static_cast<std::int64_t>(real);
    }
    fail(fmt::format("has {} where an integer is expected ({})", in_quotes(words_[word]),
                     kExpected));
  }

  double number(std::size_t word) const {
    double value;
    if (!parse_number(words_[word], value)) {
      fail(fmt::format("has {} where a number is expected ({})", in_quotes(words_[word]),
                       kExpected));
    }
    return value;
  }

  void read_header(std::string_view line) {
    has_header_ = true;
    width_ = words_.size();
    columns_ = {-1, -1, -1, -1, -1, -1};
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string name = column_of_word(words_[i]);
      int* const place = columns_.place_of(name);
      if (place == nullptr) continue;
      if (*place >= 0) fail(fmt::format("names {} twice", name));
      *place = static_cast<int>(i);
    }
    for (const char* name : {"id", "frame", "x", "y"}) {
      if (*columns_.place_of(name) < 0) {
        fail(fmt::format("names no {}; expected {}", name, kExpected));
      }
    }
    if (dimension_ == 3 && columns_.z < 0) fail("names no z; expected id frame x y z");
    const std::string lower = lower_case(line);
    const std::string_view unit = unit_of_comment(lower);
    if (!unit.empty()) trajectory_.unit = unit;
  }

  void read_row() {
    if (trajectory_.frames.empty()) check_radius();
    if (has_header_ ? words_.size() != width_ : words_.size() < 4) {
      fail(has_header_ ? fmt::format("has {} values; the header names {}", words_.size(), width_)
                       : fmt::format("has {} values; expected {}", words_.size(), kExpected));
    }
    if (dimension_ == 3 && !has_header_ && words_.size() < 5) {
      fail("has no z; expected id frame x y z");
    }
    const auto at = [](int column) { return static_cast<std::size_t>(column); };
    trajectory_.particles.keys.push_back(integer(at(columns_.id)));
    trajectory_.frames.push_back(integer(at(columns_.frame)));
    trajectory_.particles.positions.push_back(number(at(columns_.x)));
    trajectory_.particles.positions.push_back(number(at(columns_.y)));
    trajectory_.particles.positions.push_back(dimension_ == 3 ? number(at(columns_.z)) : 0);
    trajectory_.particles.radii.push_back(columns_.radius < 0 ? radius_.value_or(0)
                                                              : number(at(columns_.radius)));
    trajectory_.lines.push_back(static_cast<std::int32_t>(lines_.number()));
  }

  void check_radius() const {
    if (columns_.radius < 0 && !radius_) {
      throw UsageError(
          fmt::format("{} is a trajectory and has no sizes; give the radius of a person "
                      "in metres, for example {}",
                      path_, option("radius", "0.2")));
    }
    if (columns_.radius >= 0 && radius_) {
      throw UsageError(
          fmt::format("{} has radii of its own; leave {} out", path_, option("radius")));
    }
  }

  static constexpr const char* kExpected = "id frame x y [z]";
  const std::string& path_;
  Lines lines_;
  int dimension_;
  std::optional<double> radius_;
  TrajectoryColumns columns_;
  bool has_header_ = false;
  std::size_t width_ = 0;  ///< the count of columns that the header names
  std::vector<std::string_view> words_;
  Trajectory trajectory_;
};

/// Numbers the worlds: a frame's world is its rank among the frames that occur. Worlds keep the
/// numbers of their frames.
void number_worlds(Trajectory& trajectory, const std::string& path) {
  const std::size_t count = trajectory.frames.size();
  const auto& keys = trajectory.particles.keys;
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (trajectory.frames[a] != trajectory.frames[b]) {
      return trajectory.frames[a] < trajectory.frames[b];
    }
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  trajectory.particles.worlds.resize(count);
  std::int32_t world = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && trajectory.frames[order[i]] != trajectory.frames[order[i - 1]]) {
      ++world;
    } else if (i > 0 && keys[order[i]] == keys[order[i - 1]]) {
      throw FileError(
          path, trajectory.lines[order[i]],
          fmt::format("repeats pedestrian {} in frame {}, which line {} has", keys[order[i]],
                      trajectory.frames[order[i]], trajectory.lines[order[i - 1]]));
    }
    if (i == 0 || world != trajectory.particles.worlds[order[i - 1]]) {
      trajectory.particles.frames.push_back(trajectory.frames[order[i]]);
    }
    trajectory.particles.worlds[order[i]] = world;
  }
}

}  // namespace

bool is_trajectory_header(std::string_view line) {
  std::vector<std::string_view> words;
  split_row(trim(line), words);
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(words, [&](auto word) { return column_of_word(word) == name; });
  };
  return has("frame") && (has("id") || has("x"));
}

SceneFile read_trajectory(const std::string& path, const ReadOptions& options) {
  const int dimension = options.dimension == 0 ? 2 : options.dimension;
  const std::string text = read_text(path);
  Trajectory trajectory = TrajectoryReader(path, text, dimension, options.radius).read();
  if (trajectory.frames.empty()) {
    throw FileError(path, "has no line of numbers; expected id frame x y [z]");
  }
  const std::string unit = !options.unit.empty()     ? options.unit
                           : trajectory.unit.empty() ? "m"
                                                     : trajectory.unit;
  const double per_metre = units_per_metre(unit);
  if (per_metre == 0) {
    throw FileError(path, fmt::format("says that its unit is {}; expected m, cm or mm, or say "
                                      "which with {}",
                                      unit, option("unit")));
  }
  for (double& value : trajectory.particles.positions) value /= per_metre;
  if (!options.radius) {
    for (double& value : trajectory.particles.radii) value /= per_metre;
  }
  number_worlds(trajectory, path);
  return scene_of(path, trajectory.particles, dimension);
}

}  // namespace widephase::tools
