#pragma once

// What `widephase demo` finds out, and how it is shown.

#include <cstdint>
#include <string>
#include <vector>

#include <widephase/isa.hpp>

namespace widephase::tools {

/// Calls with one instruction set and number of threads.
struct DemoRun {
  Isa isa;
  int threads;
  double seconds;      ///< the fastest call
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
  std::string picture;  ///< of one world, SVG
};

/// Answers in float to pairs of two kinds, judged by a reference in extended precision that
/// shares no code with the kernels.
struct DemoErrors {
  std::string kinds;
  int dimension;
  std::int64_t pairs;
  std::int64_t contacts;
  /// Yes or no wrong beyond rounding, or a depth or normal off by more than 1e-5 of the size.
  std::int64_t wrong;
  double depth;   ///< largest error, as a share of the pair's size
  double normal;  ///< what leaving along the normal takes beyond the least, likewise
};

struct DemoReport {
  std::string version;
  std::string cpu;
  std::string date;
  int threads;  ///< that the machine has
  double seconds;
  std::vector<DemoScene> scenes;
  std::vector<DemoErrors> errors;
};

/// Whether all calls of a scene gave the same contacts.
bool is_alike(const DemoScene& scene);

/// Alike everywhere, and no answer wrong.
bool is_right(const DemoReport& report);

double million_bodies_a_second(const DemoScene& scene, const DemoRun& run);
/// "box_hull, 3D".
std::string kinds_text(const DemoErrors& errors);
/// "3.1e-08", or "0" for what is not above 0.
std::string share_text(double share);

/// The numbers as lines of text.
std::string demo_text(const DemoReport& report);
/// The same as one JSON object.
std::string demo_json(const DemoReport& report);
/// The same as a page with pictures, which needs nothing beside itself.
std::string demo_page(const DemoReport& report);

}  // namespace widephase::tools
