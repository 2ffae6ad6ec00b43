// LAMMPS data files (read_data and write_data in the LAMMPS manual), atom styles sphere and atomic.
// A header of `VALUES keyword` lines comes first, then sections that start with their name.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

constexpr const char* kAtomStyle = "the atom style sphere: id type diameter density x y z";
constexpr const char* kAtomic = "the atom style atomic: id type x y z";

/// Sections and counts of particles that are not spheres.
constexpr std::string_view kOtherSections[] = {"Bonds",      "Angles", "Dihedrals", "Impropers",
                                               "Ellipsoids", "Lines",  "Triangles", "Bodies"};
constexpr std::string_view kOtherCounts[] = {"bonds",      "angles", "dihedrals", "impropers",
                                             "ellipsoids", "lines",  "triangles", "bodies"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::ranges::find(words, word) != std::end(words);
}

class DataReader {
 public:
  DataReader(const std::string& path, const std::string& text, const ReadOptions& options)
      : path_(path), lines_(text), options_(options) {}

  Particles read() {
    std::string_view line;
    bool has_atoms = false;
    lines_.next(line);  // the title, which may be any text
    while (lines_.next(line)) {
      const std::size_t comment = line.find('#');
      const std::string_view remark =
          comment == line.npos ? std::string_view{} : trim(line.substr(comment + 1));
      split_blanks(line.substr(0, comment), words_);
      if (words_.empty()) continue;
      if (words_.size() == 1 && is_one_of(words_[0], kOtherSections)) {
        fail(fmt::format("begins the section {}; expected a LAMMPS data file of {}", words_[0],
                         kAtomStyle));
      }
      if (words_.size() == 1 && words_[0] == "Atoms") {
        if (has_atoms) fail("begins a second section Atoms");
        read_atoms(remark);
        has_atoms = true;
      } else if (!has_atoms) {
        read_header_line();
      }
    }
    if (has_atoms) return std::move(particles_);
    throw FileError(
        path_, fmt::format("has no section Atoms; expected a LAMMPS data file of {}", kAtomStyle));
  }

  bool is_tilted() const { return is_tilted_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  double number(std::size_t word) const {
    double value;
    if (!parse_number(words_[word], value)) {
      fail(fmt::format("has {} where a number is expected", in_quotes(words_[word])));
    }
    return value;
  }

  void read_header_line() {
    const std::string_view last = words_.back();
    if (words_.size() == 2 && last == "atoms") {
      if (!parse_number(words_[0], atom_count_) || atom_count_ < 0) {
        fail(fmt::format("has {} where the number of atoms is expected", in_quotes(words_[0])));
      }
    } else if (words_.size() == 2 && is_one_of(last, kOtherCounts)) {
      if (number(0) == 0) return;
      fail(fmt::format("says that there are {} {}; expected a LAMMPS data file of {}", words_[0],
                       last, kAtomStyle));
    } else if (words_.size() == 3 && words_[1] == "atom" && last == "types") {
      type_count_ = number(0);
    } else if (words_.size() == 4 && (last == "xhi" || last == "yhi" || last == "zhi")) {
      if (particles_.domain.empty()) particles_.domain = {-0.5, -0.5, -0.5, 0.5, 0.5, 0.5};
      const auto axis = static_cast<std::size_t>(last[0] - 'x');
      particles_.domain[axis] = number(0);
      particles_.domain[3 + axis] = number(1);
    } else if (words_.size() == 6 && last == "yz") {
      for (std::size_t i = 0; i < 3; ++i) is_tilted_ |= number(i) != 0;
    }
  }

  /// The style that the file says, or else the caller; empty if neither.
  std::string_view checked_style(std::string_view style) const {
    if (!style.empty() && style != "sphere" && style != "atomic") {
      fail(fmt::format("says that the atom style is {}; expected {}; or {}", style, kAtomStyle,
                       kAtomic));
    }
    return style.empty() ? std::string_view(options_.style) : style;
  }

  /// Atoms without sizes have the radius that the caller gives; others must not get one.
  void check_radius(bool is_atomic) const {
    if (is_atomic && !options_.radius) {
      throw UsageError(
          fmt::format("{} has atoms of {}, which have no sizes; give the radius of all with {}",
                      path_, kAtomic, option("radius", "0.5")));
    }
    if (!is_atomic && options_.radius) {
      throw UsageError(
          fmt::format("{} has diameters of its own; leave {} out", path_, option("radius")));
    }
  }

  std::int64_t id_of_atom() const {
    std::int64_t id;
    if (parse_number(words_[0], id)) return id;
    fail(fmt::format("has {} where the id of an atom is expected", in_quotes(words_[0])));
  }

  void add_atom(std::int64_t id, std::size_t first_coordinate, double radius) {
    particles_.keys.push_back(id);
    particles_.radii.push_back(radius);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      particles_.positions.push_back(number(first_coordinate + axis));
    }
  }

  void read_atoms(std::string_view said_style) {
    const std::string_view style = checked_style(said_style);
    if (atom_count_ < 0) throw FileError(path_, "does not say how many atoms it has");
    const long first_line = lines_.number();
    bool is_atomic = style == "atomic";
    if (!style.empty()) check_radius(is_atomic);
    bool may_be_full = style.empty() && atom_count_ > 0;
    std::string_view line;
    std::int64_t count = 0;
    while (count < atom_count_) {
      if (!lines_.next(line)) {
        throw FileError(path_, fmt::format("ends after {} of {} atoms", count, atom_count_));
      }
      split_blanks(line.substr(0, line.find('#')), words_);
      if (words_.empty()) continue;
      // No other style has 5 values, or 8 with those that count images.
      const bool has_atomic_width = words_.size() == 5 || words_.size() == 8;
      if (count == 0 && style.empty()) {
        is_atomic = has_atomic_width;
        check_radius(is_atomic);
      }
      if (is_atomic) {
        if (!has_atomic_width) {
          fail(fmt::format("has {} values; expected 5 or 8, {}", words_.size(), kAtomic));
        }
        may_be_full = false;
        add_atom(id_of_atom(), 2, *options_.radius);
        ++count;
        continue;
      }
      if (words_.size() != 7 && words_.size() != 10) {
        fail(fmt::format("has {} values; expected 7 or 10, {}", words_.size(), kAtomStyle));
      }
      const std::int64_t id = id_of_atom();
      const double diameter = number(2), density = number(3);
      if (!(diameter >= 0 && std::isfinite(diameter))) {
        fail(fmt::format("has the diameter {}; expected a finite number >= 0, {}", diameter,
                         kAtomStyle));
      }
      if (!(density > 0 && std::isfinite(density))) {
        fail(fmt::format("has the density {}; expected a finite number above 0, {}", density,
                         kAtomStyle));
      }
      may_be_full &= diameter >= 1 && diameter <= type_count_ && diameter == std::floor(diameter);
      add_atom(id, 4, diameter / 2);
      ++count;
    }
    // All diameters are whole numbers that could also be atom types, so the columns do not show the
    // style.
    if (may_be_full) {
      throw FileError(path_, first_line,
                      fmt::format("does not say the atom style, and its columns may be those of "
                                  "full (id molecule type charge x y z); if it is {}, say so with "
                                  "{}",
                                  kAtomStyle, option("style", "sphere")));
    }
  }

  const std::string& path_;
  Lines lines_;
  const ReadOptions& options_;
  std::vector<std::string_view> words_;
  std::int64_t atom_count_ = -1;
  double type_count_ = std::numeric_limits<double>::infinity();  ///< from the header
  bool is_tilted_ = false;
  Particles particles_;
};

}  // namespace

SceneFile read_lammps_data(const std::string& path, const ReadOptions& options,
                           std::vector<std::string>& notes) {
  if (!options.style.empty() && options.style != "sphere" && options.style != "atomic") {
    throw UsageError(
        fmt::format("{} is not read; expected sphere or atomic", option("style", options.style)));
  }
  const std::string text = read_text(path);
  DataReader reader(path, text, options);
  Particles particles = reader.read();
  particles.periodic = {0, 0, 0};
  const bool is_2d = options.dimension == 2 || (options.dimension == 0 && is_flat(particles));
  if (reader.is_tilted()) {
    if (!options.periodic.empty() && options.periodic != "none") {
      throw FileError(path, "has a tilted box, which cannot be periodic here; use " +
                                option("periodic", "none"));
    }
    particles.domain.clear();
  }
  if (!particles.domain.empty() && options.periodic.empty()) {
    notes.push_back(
        fmt::format("{} has a box and does not say whether it wraps; {} makes it so, {} "
                    "says that it does not",
                    path, option("periodic", is_2d ? "xy" : "xyz"), option("periodic", "none")));
  }
  return scene_of(path, particles, is_2d ? 2 : 3);
}

}  // namespace widephase::tools
