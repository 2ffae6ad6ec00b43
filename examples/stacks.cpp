// Stacks of ten bodies stay standing: thousands of worlds with one stack each, in one call per
// step. Every body starts slightly tilted and rotated about the vertical by any angle, like real
// bodies at rest. A small solver (impulses at soft contacts in substeps, with friction) starts
// every step with the impulses of the last step, which a `Tracker` carries from point to point.
//
//   stacks [--body box] [--height 10] [--worlds 4096] [--seconds 10] [--substeps 0] [--threads 0]
//
// Bodies are cubes (box), hulls of eight sides (prism) or cylinders, all 1 wide and 1 high. 0
// substeps means 6, and one more for every two bodies above twelve. A tower of thirty gets 15 and
// needs 8.
//
// Exits with 1 and says why if a stack falls, or if fewer than 99.9% of the points existed in the
// previous step.
//
// The solver is in soft_steps.hpp.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <widephase/widephase.hpp>

#include "soft_steps.hpp"

namespace {

using widephase::Column;
using widephase::ColumnSpan;

constexpr float kHalf = 0.5f;    // half of a body's width and height
constexpr int kSides = 8;        // of a prism
constexpr float kTilt = 0.001f;  // of every body at the start, about a horizontal axis
constexpr float kMargin = 0.02f;  // points up to this distance apart are reported
constexpr double kSteadiness = 0.01;

// Limits at the end; lengths are in widths of a body.
constexpr double kLeastMatched = 0.999;
constexpr double kMostSlide = 0.15;  // sideways from the starting position
constexpr double kMostSink = 0.15;
constexpr double kMostDepth = 0.02;

enum class Form { box, prism, cylinder };

// The inverse inertia of a right prism of mass 1 and height 1 over a regular polygon with `corners`
// corners at distance `radius`. The squared radius of gyration about its axis is radius^2 (2 +
// cos(2 pi / corners)) / 6. About a perpendicular axis it is half of that plus height^2 / 12. A
// cylinder is the limit of many corners.
void set_inertia(Form form, Body& body) {
  constexpr float kPi = 3.14159265f;
  const float square = form == Form::box ? 2 * kHalf * kHalf : kHalf * kHalf;
  const float cosine = form == Form::cylinder ? 1
                       : form == Form::prism  ? std::cos(2 * kPi / kSides)
                                              : 0;  // for a square
  const float about_axis = square * (2 + cosine) / 6;
  const float height = 2 * kHalf;
  body.across = 1 / (about_axis / 2 + height * height / 12);
  body.more_along = 1 / about_axis - body.across;
}

struct Setup {
  Form form = Form::box;
  int height = 10;  // bodies per stack
  int world_count = 4096;
  int substeps = 0;  // per step, which is one call of collide

  int substep_count() const { return substeps > 0 ? substeps : 6 + std::max(0, height - 12) / 2; }
};

struct Stacks : Motion {
  Setup setup;
  Column<float, 3> start;
  Column<std::int32_t> world;
  widephase::SceneColumns<3, float> library;  // the prism's hull
};

Stacks make_stacks(const Setup& setup) {
  Stacks stacks;
  stacks.setup = setup;
  stacks.substep_count = setup.substep_count();
  stacks.body_count = setup.world_count * setup.height;
  add_cylinder_hull(stacks.library.geometries, kSides, kHalf, kHalf);
  std::mt19937 bits(1);
  const auto uniform = [&](float most) {
    return most * (static_cast<float>(bits()) * 0x1p-31f - 1);
  };
  constexpr float kHalfTurn = 3.14159265f / 2;  // half of the yaw, as a quaternion needs it
  for (int id = 0; id < stacks.body_count; ++id) {
    const float height = kHalf + static_cast<float>(id % setup.height) * 2 * kHalf;
    stacks.position.push_back({uniform(0.02f), uniform(0.02f), height});
    // A rotation about the vertical, then a tilt about a horizontal axis.
    const float yaw = uniform(kHalfTurn), direction = uniform(2 * kHalfTurn);
    const float tilted = std::sin(kTilt / 2), upright = std::cos(kTilt / 2);
    stacks.orientation.push_back({tilted * std::cos(direction - yaw),
                                  tilted * std::sin(direction - yaw), upright * std::sin(yaw),
                                  upright * std::cos(yaw)});
    stacks.world.push_back({id / setup.height});
    stacks.bodies.push_back({});
    stacks.bodies.back().inverse_mass = 1;
    set_inertia(setup.form, stacks.bodies.back());
  }
  stacks.bodies.push_back({});
  stacks.start = stacks.position;
  return stacks;
}

// The scene as it is now, borrowed; all worlds share one ground.
widephase::SceneSpan<3, float> lend(const Stacks& stacks) {
  static constexpr float half_extents[3] = {kHalf, kHalf, kHalf}, up[3] = {0, 0, 1}, level = 0;
  static constexpr std::int32_t every_world = -1, prism = 0;
  widephase::SceneSpan<3, float> scene;
  const auto count = static_cast<std::size_t>(stacks.body_count);
  const auto place = [&](auto& table) {
    table.center = stacks.position;
    table.turn = stacks.orientation;
    table.world = stacks.world;
  };
  if (stacks.setup.form == Form::box) {
    place(scene.boxes);
    scene.boxes.half_extents = ColumnSpan<float, 3>::repeated(half_extents, count);
  } else if (stacks.setup.form == Form::prism) {
    place(scene.hulls);
    scene.hulls.geometry = ColumnSpan<std::int32_t>::repeated(&prism, count);
    scene.geometries.vertices = stacks.library.geometries.vertices;
    scene.geometries.offsets = stacks.library.geometries.offsets;
  } else {
    place(scene.cylinders);
    scene.cylinders.half_height = ColumnSpan<float>::repeated(&kHalf, count);
    scene.cylinders.radius = ColumnSpan<float>::repeated(&kHalf, count);
  }
  scene.halfspaces.normal = ColumnSpan<float, 3>::repeated(up, 1);
  scene.halfspaces.offset = ColumnSpan<float>::repeated(&level, 1);
  scene.halfspaces.world = ColumnSpan<std::int32_t>::repeated(&every_world, 1);
  return scene;
}

// Totals of a run: the seconds spent in `collide`, the number of points in all steps but the first,
// and how many of these existed in the previous step.
struct Totals {
  double collide_seconds = 0;
  std::int64_t points = 0, matched = 0;
};

void step(Stacks& stacks, const widephase::CollideOptions& options, Totals& totals, bool is_first) {
  const auto start = std::chrono::steady_clock::now();
  collide(lend(stacks), stacks.contacts, stacks.workspace, stacks.tracker, options);
  totals.collide_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!is_first) {
    for (const std::int64_t last : stacks.tracker.last_point()) totals.matched += last < 0 ? 0 : 1;
    totals.points += static_cast<std::int64_t>(stacks.contacts.point_count());
  }
  begin_solving(stacks);
  const auto& first = stacks.contacts.world_offset;
  const int height = stacks.setup.height;
  for (int w = 0; w < stacks.setup.world_count; ++w) {
    step_bodies(stacks, w * height, (w + 1) * height, first[w], first[w + 1]);
  }
}

// Whether `value` is within its limit; prints a message if it is not.
bool holds(const char* what, double value, double limit) {
  if (value <= limit) return true;
  std::fprintf(stderr, "stacks: %s is %g, expected at most %g\n", what, value, limit);
  return false;
}

// Whether all stacks stand.
bool do_stand(const Stacks& stacks) {
  double slide = 0, sink = 0, lean = 0, depth = 0;
  for (int id = 0; id < stacks.body_count; ++id) {
    const Vec moved = vec(stacks.position.row(id)) - vec(stacks.start.row(id));
    slide = std::max(slide, std::hypot(double{moved.x}, double{moved.y}));
    sink = std::max(sink, std::fabs(double{moved.z}));
    const auto [x, y, z, w] = stacks.orientation.row(id);
    lean = std::max(lean, 2 * std::hypot(double{x}, double{y}));  // about the sine of the angle
  }
  for (const float of_contact : stacks.contacts.depth) depth = std::max(depth, double{of_contact});
  std::printf(
      "bodies have slid by %.4f, sunk by %.4f and lean by %.4f rad, contacts are %.4f deep, at "
      "most\n",
      slide, sink, lean, depth);
  bool is_good = holds("the farthest that a body slid", slide, kMostSlide);
  is_good &= holds("the farthest that a body sank", sink, kMostSink);
  is_good &= holds("the deepest contact", depth, kMostDepth);
  return is_good;
}

}  // namespace

int main(int argc, char** argv) try {
  Setup setup;
  double seconds = 10;
  widephase::CollideOptions options;
  options.margin = kMargin;
  options.order = widephase::Order::world;
  options.steadiness = kSteadiness;
  bool is_understood = argc % 2 == 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], word = argv[i + 1];
    if (option == "--body") {
      setup.form = word == "box" ? Form::box : word == "prism" ? Form::prism : Form::cylinder;
      is_understood &= word == "box" || word == "prism" || word == "cylinder";
      continue;
    }
    char* end = argv[i + 1];
    const double value = std::strtod(argv[i + 1], &end);
    is_understood &= end != argv[i + 1] && *end == '\0';
    if (option == "--height" && value >= 1 && value <= 1000) {
      setup.height = static_cast<int>(value);
    } else if (option == "--worlds" && value >= 1 && value <= 1e6) {
      setup.world_count = static_cast<int>(value);
    } else if (option == "--seconds" && value >= 2 * kTimeStep && value <= 1e6) {
      seconds = value;
    } else if (option == "--substeps" && value >= 0 && value <= 1000) {
      setup.substeps = static_cast<int>(value);
    } else if (option == "--threads" && value >= 0 && value <= 4096) {
      options.threads.count = static_cast<int>(value);
    } else {
      is_understood = false;
    }
  }
  if (!is_understood) {
    std::fprintf(stderr,
                 "usage: stacks [--body box|prism|cylinder] [--height 10] [--worlds 4096] "
                 "[--seconds 10] [--substeps 0] [--threads 0]\n");
    return 2;
  }
  const int step_count = static_cast<int>(std::lround(seconds / kTimeStep));
  Stacks stacks = make_stacks(setup);
  Totals totals;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < step_count; ++i) step(stacks, options, totals, i == 0);
  const std::chrono::duration<double> run = std::chrono::steady_clock::now() - begin;
  const double matched = static_cast<double>(totals.matched) / static_cast<double>(totals.points);
  std::printf(
      "%d stacks of %d, %d steps of %d substeps: %.0f steps of a stack a second, %.0f%% of the "
      "time in collide\n",
      setup.world_count, setup.height, step_count, setup.substep_count(),
      static_cast<double>(setup.world_count) * step_count / run.count(),
      100 * totals.collide_seconds / run.count());
  std::printf("%.4f%% of %lld points were there in the step before\n", 100 * matched,
              static_cast<long long>(totals.points));
  bool is_good = do_stand(stacks);
  is_good &=
      holds("the share of points that were not there before", 1 - matched, 1 - kLeastMatched);
  return is_good ? 0 : 1;
} catch (const widephase::Error& error) {  // if a position is not finite
  std::fprintf(stderr, "stacks: %s\n", error.what());
  return 1;
}
