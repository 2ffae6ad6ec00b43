// Trajectories of pedestrians, as PeTrack and PedPy write them: comments after `#`, then one line
// per person and frame, `id frame x y [z]`. Each frame becomes a world and keeps its number.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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
  const std::size_t end = rest.find_first_of(" \t,;");
  return rest.substr(0, end);
}

struct Trajectory {
  Particles particles;
  std::vector<std::int64_t> frames;
  std::vector<std::int32_t> lines;
  std::string unit;
};

class TrajectoryReader {
 public:
  TrajectoryReader(const std::string& path, const std::string& text, int dimension)
      : path_(path), lines_(text), dimension_(dimension) {}

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
      split_blanks(content, words_);
      read_row();
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

  void read_row() {
    if (words_.size() < 4) {
      fail(fmt::format("has {} values; expected {}", words_.size(), kExpected));
    }
    if (dimension_ == 3 && words_.size() < 5) fail("has no z; expected id frame x y z");
    trajectory_.particles.keys.push_back(integer(0));
    trajectory_.frames.push_back(integer(1));
    trajectory_.particles.positions.push_back(number(2));
    trajectory_.particles.positions.push_back(number(3));
    trajectory_.particles.positions.push_back(dimension_ == 3 ? number(4) : 0);
    trajectory_.lines.push_back(static_cast<std::int32_t>(lines_.number()));
  }

  static constexpr const char* kExpected = "id frame x y [z]";
  const std::string& path_;
  Lines lines_;
  int dimension_;
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

SceneFile read_trajectory(const std::string& path, const ReadOptions& options) {
  if (!options.radius) {
    throw UsageError(
        fmt::format("{} is a trajectory and has no sizes; give the radius of a person "
                    "in metres, for example {}",
                    path, option("radius", "0.2")));
  }
  const int dimension = options.dimension == 0 ? 2 : options.dimension;
  const std::string text = read_text(path);
  Trajectory trajectory = TrajectoryReader(path, text, dimension).read();
  if (trajectory.frames.empty()) {
    throw FileError(path, "has no line of numbers; expected id frame x y [z]");
  }
  const std::string unit = !options.unit.empty()     ? options.unit
                           : trajectory.unit.empty() ? "m"
                                                     : trajectory.unit;
  if (unit != "m" && unit != "cm") {
    throw FileError(path, fmt::format("says that its unit is {}; expected m or cm, or say which "
                                      "with {}",
                                      unit, option("unit")));
  }
  if (unit == "cm") {
    for (double& value : trajectory.particles.positions) value /= 100;
  }
  trajectory.particles.radii.assign(trajectory.frames.size(), *options.radius);
  number_worlds(trajectory, path);
  return scene_of(path, trajectory.particles, dimension);
}

}  // namespace widephase::tools
