// Configurations of an arm of 59 spheres beside points with a radius, as a depth camera sees a
// shelf; random within its limits, in double.
//
// Names: points/<points>/<configurations>. Counters, of one thread's CPU time: ns_each, per
// configuration that is answered; alone_ns, of the same without surroundings; boxes_ns, beside the
// boxes that the points are on; build_ms, of the environment; hits, in percent; hash of answers.
// Up to 10,000 points also spheres_ns, of 256 configurations beside a scene of as many spheres.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "robot_arm.hpp"

namespace widephase::bench {
namespace {

constexpr double kRadius = 0.005;

/// Points on the faces of the shelf's boxes, evenly.
Column<double, 3> points_on(const SceneColumns<3, float>& shelf, std::size_t count) {
  const auto& boxes = shelf.boxes;
  const auto area = [](const std::array<float, 3>& half, std::size_t k) {
    return half[(k + 1) % 3] * half[(k + 2) % 3];
  };
  std::vector<double> sums;
  for (std::size_t box = 0; box < row_count(boxes); ++box) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double more = area(boxes.half_extents.row(box), k);
      sums.push_back((sums.empty() ? 0 : sums.back()) + more);
    }
  }
  Random random(2);
  Column<double, 3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = random.uniform(0, sums.back());
    const auto face =
        static_cast<std::size_t>(std::ranges::lower_bound(sums, wanted) - sums.begin());
    const std::size_t box = face / 3;
    std::array<double, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      const double half = boxes.half_extents(box, static_cast<int>(k));
      at[k] = random.uniform(-half, half);
      if (k == face % 3) at[k] = at[k] < 0 ? -half : half;
    }
    ArmFrame frame;
    for (std::size_t k = 0; k < 3; ++k) frame.at[k] = boxes.center(box, static_cast<int>(k));
    for (std::size_t k = 0; k < 4; ++k) frame.turn[k] = boxes.turn(box, static_cast<int>(k));
    points.push_back(frame.point(at));
  }
  return points;
}

struct Asker {
  const Robot& robot;
  const std::vector<double>& values;
  CollideOptions options;
  Workspace<3, double> workspace;
  std::vector<std::uint8_t> answers;

  /// Seconds per configuration for the first `count`.
  double ask(const Environment& environment, std::size_t count) {
    const Configurations<double> q(std::span<const double>(values).first(kArmJoints * count), kArmJoints);
    answers.resize(count);
    const double start = thread_seconds();
    any_contact(robot, q, environment, std::span<std::uint8_t>(answers), workspace, options);
    return (thread_seconds() - start) / static_cast<double>(count);
  }
  double best(const Environment& environment, std::size_t count) {
    double least = 1e9;
    for (int repeat = 0; repeat < 4; ++repeat) least = std::min(least, ask(environment, count));
    return least;
  }
};

void run(benchmark::State& state, std::size_t point_count, std::size_t count) {
  const Robot robot(arm_of_balls());
  const std::vector<double> values = random_values(robot, count, 3);
  const auto shelf = shelf_before_arm();
  const Column<double, 3> points = points_on(shelf, point_count);
  Threads one;
  one.count = 1;
  double start = thread_seconds();
  const Environment cloud = Environment::points(points, kRadius, one);
  state.counters["build_ms"] = (thread_seconds() - start) * 1e3;
  Asker asker{robot, values, {}, {}, {}};
  asker.options.threads.count = 1;
  state.counters["alone_ns"] = asker.best({}, count) * 1e9;
  state.counters["boxes_ns"] = asker.best(Environment{SceneSpan<3, float>(shelf)}, count) * 1e9;
  if (point_count <= 10000) {
    SceneColumns<3, double> spheres;
    spheres.spheres.center = points;
    spheres.spheres.radius.resize(point_count, kRadius);
    state.counters["spheres_ns"] =
        asker.best(Environment{SceneSpan<3, double>(spheres)}, std::min<std::size_t>(256, count)) *
        1e9;
  }
  double least = 1e9;
  for (auto _ : state) least = std::min(least, asker.best(cloud, count));
  state.counters["ns_each"] = least * 1e9;
  std::uint64_t hash = 14695981039346656037u, hits = 0;
  for (const std::uint8_t answer : asker.answers) {
    hash = (hash ^ answer) * 1099511628211u;
    hits += answer;
  }
  state.counters["hits"] = 100 * static_cast<double>(hits) / static_cast<double>(count);
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  state.SetLabel(text);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  for (const std::size_t points : {std::size_t{10000}, std::size_t{100000}, std::size_t{1000000}}) {
    const std::string name = "points/" + std::to_string(points) + "/65536";
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      run(state, points, 65536);
    })->Iterations(3);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
