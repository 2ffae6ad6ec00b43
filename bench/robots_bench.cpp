// An arm of seven joints before a shelf of seven boxes: its 59 spheres, or a hull of up to 32
// vertices around those of each link.
//
// Names: robots/<links>/<question>/<rows>. contact: `any_contact` of configurations within the
// limits, among_10000 of so many small boxes; samples, proof: `check_motions` of motions of length
// 1; distance, gradient: `min_distance`. Counters, of one thread's CPU time: ns_each, per row;
// hits, in percent. robots/hulls/make/11: the hulls of the links are made, and ns_each is per link.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <widephase/hulls.hpp>
#include <widephase/robot_distances.hpp>
#include <widephase/robot_motions.hpp>

#include "robot_arm.hpp"

namespace widephase::bench {
namespace {

/// Points on a ball, evenly enough.
void add_ball_points(Column<double, 3>& points, const std::array<double, 3>& center,
                     double radius) {
  constexpr int kCount = 48;
  for (int i = 0; i < kCount; ++i) {
    const double z = 1 - (2 * i + 1.0) / kCount, across = std::sqrt(1 - z * z);
    const double turn = 2.399963229728653 * i;
    points.push_back({center[0] + radius * across * std::cos(turn),
                      center[1] + radius * across * std::sin(turn), center[2] + radius * z});
  }
}

RobotColumns arm_of_hulls() {
  RobotColumns robot = arm_of_balls();
  const auto balls = robot.shapes.spheres;
  robot.shapes.spheres = {};
  for (std::int32_t link = 0; link < 11; ++link) {
    Column<double, 3> points;
    std::int32_t body = 0;
    for (std::size_t i = 0; i < balls.radius.size(); ++i) {
      if (balls.owner[i] != link) continue;
      add_ball_points(points, {balls.center(i, 0), balls.center(i, 1), balls.center(i, 2)},
                      balls.radius[i]);
      body = balls.body[i];
    }
    const auto hull = add_hull<double>(robot.shapes.geometries, ColumnSpan<double, 3>(points), 32);
    robot.shapes.hulls.center.push_back({0, 0, 0});
    robot.shapes.hulls.turn.push_back({0, 0, 0, 1});
    robot.shapes.hulls.geometry.push_back(hull.index);
    robot.shapes.hulls.body.push_back(body);
    robot.shapes.hulls.owner.push_back(link);
  }
  return robot;
}

class Asker {
 public:
  Asker(const RobotColumns& robot, const SceneColumns<3, float>& around, std::size_t count)
      : robot_(robot),
        from_(random_values(robot_, count, 3)),
        to_(goals_from(from_)),
        around_(SceneSpan<3, float>(around)) {
    options_.threads.count = 1;
  }

  /// The rows that touch.
  std::size_t contacts() {
    answers_.resize(starts().count);
    any_contact(robot_, starts(), around_, std::span<std::uint8_t>(answers_), workspace_, options_);
    return static_cast<std::size_t>(std::ranges::count(answers_, std::uint8_t{1}));
  }
  std::size_t motions(bool proof) {
    MotionOptions wanted;
    wanted.proof = proof;
    check_motions(robot_, starts(), Configurations<double>(to_, kArmJoints), around_, checks_,
                  workspace_, wanted, options_);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < checks_.status.size(); ++i) {
      hits += checks_.status[i] == MotionStatus::hit ? 1 : 0;
    }
    return hits;
  }
  std::size_t distances(bool has_gradient) {
    RobotDistanceOptions wanted;
    wanted.has_gradient = has_gradient;
    min_distance(robot_, starts(), around_, distances_, workspace_, wanted, options_);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < distances_.distance.size(); ++i) {
      hits += distances_.distance[i] <= 0 ? 1 : 0;
    }
    return hits;
  }

 private:
  Configurations<double> starts() const { return {from_, kArmJoints}; }

  Robot robot_;
  std::vector<double> from_, to_;
  Environment around_;
  CollideOptions options_;
  Workspace<3, double> workspace_;
  std::vector<std::uint8_t> answers_;
  MotionChecks checks_;
  RobotDistances distances_;
};

using Question = std::function<std::size_t(Asker&)>;

void run(benchmark::State& state, bool is_of_hulls, std::size_t boxes, std::size_t count,
         const Question& question) {
  Asker asker(is_of_hulls ? arm_of_hulls() : arm_of_balls(),
              boxes == 0 ? shelf_before_arm() : small_boxes(boxes), count);
  std::size_t hits = question(asker);
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    hits = question(asker);
    best = std::min(best, thread_seconds() - start);
  }
  state.counters["ns_each"] = best / static_cast<double>(count) * 1e9;
  state.counters["hits"] = 100 * static_cast<double>(hits) / static_cast<double>(count);
}

void run_make(benchmark::State& state) {
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    benchmark::DoNotOptimize(arm_of_hulls());
    best = std::min(best, thread_seconds() - start);
  }
  state.counters["ns_each"] = best / static_cast<double>(std::size(kArmLinks)) * 1e9;
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  struct Row {
    const char* name;
    std::size_t count;
    Question question;
    std::size_t boxes = 0;  // 0: the shelf
  };
  const Row rows[] = {
      {"contact", 65536, [](Asker& asker) { return asker.contacts(); }},
      {"among_10000", 8192, [](Asker& asker) { return asker.contacts(); }, 10000},
      {"samples", 8192, [](Asker& asker) { return asker.motions(false); }},
      {"proof", 4096, [](Asker& asker) { return asker.motions(true); }},
      {"distance", 8192, [](Asker& asker) { return asker.distances(false); }},
      {"gradient", 8192, [](Asker& asker) { return asker.distances(true); }},
  };
  for (const bool is_of_hulls : {false, true}) {
    for (const Row& row : rows) {
      const std::string name = std::string("robots/") + (is_of_hulls ? "hulls/" : "spheres/") +
                               row.name + "/" + std::to_string(row.count);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        run(state, is_of_hulls, row.boxes, row.count, row.question);
      })->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RegisterBenchmark(
      ("robots/hulls/make/" + std::to_string(std::size(kArmLinks))).c_str(), run_make)
      ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
