#pragma once

// The results of `widephase demo`, and how they are shown.

#include <cstdint>
#include <string>
#include <vector>

#include <widephase/isa.hpp>

namespace widephase::tools {

/// The calls with one instruction set and number of threads.
struct DemoRun {
  Isa isa;
  int threads;
  double seconds;      ///< of the fastest call
  std::uint64_t hash;  ///< of the contacts
};

struct DemoScene {
  std::string name;
  int dimension;
  std::int64_t worlds;
  std::int64_t bodies;
  std::int64_t pairs;
  std::int64_t contacts;
  std::vector<DemoRun> runs;
  std::string picture;  ///< an SVG of one world
};

/// The errors of float answers for pairs of two kinds. The reference computes in extended precision
/// and shares no code with the kernels.
struct DemoErrors {
  std::string kinds;
  int dimension;
  std::int64_t pairs;
  std::int64_t contacts;
  /// Wrong by more than rounding explains, or a depth or normal off by more than 1e-5 of the size.
  std::int64_t wrong;
  double depth;   ///< largest error, as a fraction of the pair's size
  double normal;  ///< extra distance to separate along the normal, likewise
};

struct DemoReport {
  std::string version;
  std::string cpu;
  std::string date;
  int threads;  ///< of the machine
  double seconds;
  std::vector<DemoScene> scenes;
  std::vector<DemoErrors> errors;
};

/// Whether all calls of a scene returned the same contacts.
bool is_alike(const DemoScene& scene);

/// Whether all calls agree and no answer is wrong.
bool is_right(const DemoReport& report);

double million_bodies_a_second(const DemoScene& scene, const DemoRun& run);
/// "box_hull, 3D".
std::string kinds_text(const DemoErrors& errors);
/// "3.1e-08", or "0" if it is not above 0.
std::string share_text(double share);

/// The report as lines of text.
std::string demo_text(const DemoReport& report);
/// The report as a JSON object.
std::string demo_json(const DemoReport& report);
/// The report as a single page with pictures, which needs no other files.
std::string demo_page(const DemoReport& report);

}  // namespace widephase::tools
