// LAMMPS text dumps (dump custom in the LAMMPS manual): a few ITEM sections per step. Each step
// becomes a world and keeps its number.

#include <fmt/format.h>

#include <array>
#include <optional>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

struct Box {
  std::array<double, 3> min{};
  std::array<double, 3> max{};
  std::array<std::uint8_t, 3> periodic{};
  bool is_tilted = false;
  friend bool operator==(const Box&, const Box&) = default;
};

/// The column of a coordinate, and how it is stored.
struct Place {
  int column = -1;
  bool is_scaled = false;  ///< as a fraction of the box
};

struct AtomColumns {
  int id = -1;
  int radius = -1;
  bool is_diameter = false;
  std::array<Place, 3> position;
  std::size_t count = 0;
};

class DumpReader {
 public:
  DumpReader(const std::string& path, const std::string& text, const ReadOptions& options)
      : path_(path), lines_(text), options_(options) {}

  SceneFile read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (trim(line).empty()) continue;
      if (!line.starts_with("ITEM:")) {
        fail(fmt::format("is {}; expected a line that begins with ITEM:", in_quotes(line)));
      }
      read_item(trim(line.substr(5)));
    }
    if (step_count_ == 0) throw FileError(path_, "has no ITEM: ATOMS; expected a LAMMPS dump");
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  std::string_view next_line(const char* expected) {
    std::string_view line;
    if (!lines_.next(line))
      throw FileError(path_, fmt::format("ends where {} is expected", expected));
    return line;
  }

  double number(std::size_t word) const {
    double value;
    if (!parse_number(words_[word], value)) {
      fail(fmt::format("has {} where a number is expected", in_quotes(words_[word])));
    }
    return value;
  }

  void read_item(std::string_view item) {
    if (item.starts_with("NUMBER OF ATOMS")) {
      const std::string_view line = trim(next_line("the number of atoms"));
      if (!parse_number(line, atom_count_) || atom_count_ < 0) {
        fail(fmt::format("is {}; expected the number of atoms", in_quotes(line)));
      }
    } else if (item == "TIMESTEP") {
      const std::string_view line = trim(next_line("the number of a step"));
      if (!parse_number(line, timestep_.emplace())) {
        fail(fmt::format("is {}; expected the number of a step", in_quotes(line)));
      }
    } else if (item.starts_with("BOX BOUNDS")) {
      read_box(item.substr(10));
    } else if (item.starts_with("ATOMS")) {
      read_atoms(item.substr(5));
    } else {
      next_line("the value of an ITEM");  // UNITS, TIME
    }
  }

  void read_box(std::string_view words) {
    Box box;
    split_blanks(words, words_);
    std::size_t axis = 0;
    for (const std::string_view word : words_) {
      const bool is_boundary = word.size() == 2 && word != "xy" && word != "xz" && word != "yz";
      if (is_boundary && axis < 3) box.periodic[axis++] = word == "pp";
    }
    for (axis = 0; axis < 3; ++axis) {
      split_blanks(next_line("a side of the box"), words_);
      if (words_.size() != 2 && words_.size() != 3) {
        fail(fmt::format("has {} values; expected the low and the high end of the box",
                         words_.size()));
      }
      box.min[axis] = number(0);
      box.max[axis] = number(1);
      box.is_tilted |= words_.size() == 3 && number(2) != 0;
    }
    has_one_box_ &= step_count_ == 0 || box == box_;
    box_ = box;
  }

  AtomColumns find_columns(std::string_view words) {
    split_blanks(words, words_);
    AtomColumns columns;
    columns.count = words_.size();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view word = words_[i];
      const int column = static_cast<int>(i);
      if (word == "id") columns.id = column;
      if (word == "radius" || (word == "diameter" && columns.radius < 0)) {
        columns.radius = column;
        columns.is_diameter = word == "diameter";
      }
      const bool is_axis = !word.empty() && word[0] >= 'x' && word[0] <= 'z';
      if (!is_axis) continue;
      const std::string_view suffix = word.substr(1);
      if (suffix != "" && suffix != "s" && suffix != "u" && suffix != "su") continue;
      columns.position[static_cast<std::size_t>(word[0] - 'x')] = {column, suffix.starts_with('s')};
    }
    if (columns.position[0].column < 0 || columns.position[1].column < 0) {
      fail("names no x and y; expected ITEM: ATOMS id type x y z radius");
    }
    if (columns.radius < 0 && !options_.radius) {
      fail("names no radius or diameter; give one with " + option("radius"));
    }
    if (columns.radius >= 0 && options_.radius) {
      throw UsageError(
          fmt::format("{} has radii of its own; leave {} out", path_, option("radius")));
    }
    return columns;
  }

  void read_atoms(std::string_view words) {
    const AtomColumns columns = find_columns(words);
    has_z_ |= columns.position[2].column >= 0;
    has_keys_ &= columns.id >= 0;
    if (atom_count_ < 0) fail("comes before ITEM: NUMBER OF ATOMS");
    for (std::int64_t i = 0; i < atom_count_; ++i) {
      split_blanks(next_line("an atom"), words_);
      if (words_.size() != columns.count) {
        fail(fmt::format("has {} values; ITEM: ATOMS names {}", words_.size(), columns.count));
      }
      read_atom(columns);
    }
    ++step_count_;
    if (timestep_) particles_.frames.push_back(*timestep_);
    timestep_.reset();
  }

  void read_atom(const AtomColumns& columns) {
    std::int64_t id = 0;
    if (columns.id >= 0 && !parse_number(words_[static_cast<std::size_t>(columns.id)], id)) {
      fail(fmt::format("has {} where the id of an atom is expected",
                       in_quotes(words_[static_cast<std::size_t>(columns.id)])));
    }
    particles_.keys.push_back(id);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Place place = columns.position[axis];
      double value = place.column < 0 ? 0 : number(static_cast<std::size_t>(place.column));
      if (place.is_scaled && box_.is_tilted) {
        fail("is in a tilted box with scaled coordinates; dump x y z instead");
      }
      if (place.is_scaled) value = box_.min[axis] + value * (box_.max[axis] - box_.min[axis]);
      particles_.positions.push_back(value);
    }
    double radius = options_.radius.value_or(0);
    if (columns.radius >= 0) radius = number(static_cast<std::size_t>(columns.radius));
    particles_.radii.push_back(columns.is_diameter ? radius / 2 : radius);
    particles_.worlds.push_back(step_count_);
  }

  SceneFile finish() {
    const bool is_periodic = options_.periodic.empty()
                                 ? box_.periodic != std::array<std::uint8_t, 3>{}
                                 : options_.periodic != "none";
    const bool is_usable = has_one_box_ && !box_.is_tilted;
    if (is_periodic && !is_usable) {
      throw FileError(
          path_, fmt::format("has {}, which cannot be periodic here; use {}",
                             has_one_box_ ? "a tilted box" : "a box that changes between steps",
                             option("periodic", "none")));
    }
    particles_.domain.assign(box_.min.begin(), box_.min.end());
    particles_.domain.insert(particles_.domain.end(), box_.max.begin(), box_.max.end());
    particles_.periodic.assign(box_.periodic.begin(), box_.periodic.end());
    const bool is_2d =
        options_.dimension == 2 || (options_.dimension == 0 && (!has_z_ || is_flat(particles_)));
    if (!is_usable) particles_.domain.clear();
    if (particles_.frames.size() != static_cast<std::size_t>(step_count_)) {
      particles_.frames.clear();  // a step without a number: those of the others would mislead
    }
    if (step_count_ == 1) particles_.worlds.clear();
    if (!has_keys_) particles_.keys.clear();
    return scene_of(path_, particles_, is_2d ? 2 : 3);
  }

  const std::string& path_;
  Lines lines_;
  const ReadOptions& options_;
  std::vector<std::string_view> words_;
  std::int64_t atom_count_ = -1;
  std::optional<std::int64_t> timestep_;
  std::int32_t step_count_ = 0;
  bool has_one_box_ = true;
  bool has_z_ = false;
  bool has_keys_ = true;
  Box box_;
  Particles particles_;
};

}  // namespace

SceneFile read_lammps_dump(const std::string& path, const ReadOptions& options) {
  const std::string text = read_text(path);
  return DumpReader(path, text, options).read();
}

}  // namespace widephase::tools
