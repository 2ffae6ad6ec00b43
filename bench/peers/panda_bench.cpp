// The Panda arm of 59 spheres in a shelf, among many small boxes and among points: ours beside
// planners' libraries. Reads the arm in ../shared/data/robots, or in the folder WIDEPHASE_DATA.
//
// Names: panda/<around>/<question>/<who>/<rows>. each: configurations within the limits; free:
// those of them that touch nothing, which a peer is asked in blocks of eight; motions: of length 1
// from free ones, at 32 samples in a radian; proof: the same, which only we prove. Counters, of one
// thread's CPU time: ns_each, per row; hits, in percent; differ, rows whose answers are not ours
// (free: blocks).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <widephase/robot_motions.hpp>

#include "load_peers.hpp"
#include "panda.hpp"
#include "robot_arm.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kBlock = 8;

std::filesystem::path data_folder() {
  const char* const given = std::getenv("WIDEPHASE_DATA");
  return std::filesystem::path(given != nullptr ? given : "../shared/data") / "robots";
}
const Robot& panda() {
  static const Robot robot = [] {
    std::vector<std::string> notes;
    return Robot(tools::read_robot(data_folder() / "panda_spherized.urdf", tools::Format::urdf,
                                   data_folder() / "panda.srdf", {}, notes)
                     .columns);
  }();
  return robot;
}

class OurPanda : public PandaPeer {
 public:
  OurPanda(const PandaSurroundings& around, bool has_proof)
      : around_(around.points.empty() ? Environment(SceneSpan<3, float>(around.boxes))
                                      : points(around)) {
    options_.threads.count = 1;
    wanted_.proof = has_proof;
  }
  void ask_each(std::span<const float> rows, std::span<std::uint8_t> touches) override {
    any_contact(panda(), Configurations<float>(rows, kPandaJoints), around_, touches, workspace_,
                options_);
  }
  void ask_blocks(std::span<const float> rows, std::span<std::uint8_t> touches) override {
    each_.resize(rows.size() / kPandaJoints);
    ask_each(rows, each_);
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const auto first = each_.begin() + static_cast<std::ptrdiff_t>(i * kBlock);
      touches[i] = std::any_of(first, first + kBlock, [](std::uint8_t one) { return one != 0; });
    }
  }
  void ask_motions(std::span<const float> from, std::span<const float> to,
                   std::span<std::uint8_t> touches) override {
    check_motions(panda(), Configurations<float>(from, kPandaJoints),
                  Configurations<float>(to, kPandaJoints), around_, checks_, workspace_, wanted_,
                  options_);
    for (std::size_t i = 0; i < touches.size(); ++i) {
      touches[i] = checks_.status[i] == MotionStatus::hit;
    }
  }

 private:
  static Environment points(const PandaSurroundings& around) {
    Column<float, 3> places;
    for (const auto& point : around.points) places.push_back(point);
    return Environment::points(ColumnSpan<float, 3>(places), static_cast<double>(around.radius));
  }

  Environment around_;
  CollideOptions options_;
  MotionOptions wanted_;
  Workspace<3, double> workspace_;
  MotionChecks checks_;
  std::vector<std::uint8_t> each_;
};

std::unique_ptr<PandaPeer> make_ours(const PandaSurroundings& around) {
  return std::make_unique<OurPanda>(around, false);
}
std::unique_ptr<PandaPeer> make_proof(const PandaSurroundings& around) {
  return std::make_unique<OurPanda>(around, true);
}

PandaSurroundings shelf() { return {shelf_before_arm()}; }
template <std::size_t Count>
PandaSurroundings boxes() {
  return {small_boxes(Count)};
}
/// Such as a depth camera sees, on the faces of the shelf.
PandaSurroundings points() {
  constexpr std::size_t kCount = 100000;
  const SceneColumns<3, float> scene = shelf_before_arm();
  const auto& boxes = scene.boxes;
  Random random(8);
  PandaSurroundings around;
  around.radius = 0.005f;
  while (around.points.size() < kCount) {
    const auto box = static_cast<std::size_t>(random.below(static_cast<int>(row_count(boxes))));
    const auto half = boxes.half_extents.row(box), center = boxes.center.row(box);
    // Thin boards: their two largest faces.
    const auto thin = static_cast<std::size_t>(std::ranges::min_element(half) - half.begin());
    std::array<float, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = half[k] * static_cast<float>(random.uniform(-1, 1));
    }
    at[thin] = random.below(2) == 0 ? half[thin] : -half[thin];
    const auto [x, y, z, w] = boxes.turn.row(box);  // about z
    static_cast<void>(x + y);
    const float cosine = 1 - 2 * z * z, sine = 2 * w * z;
    around.points.push_back({center[0] + cosine * at[0] - sine * at[1],
                             center[1] + sine * at[0] + cosine * at[1], center[2] + at[2]});
  }
  return around;
}

std::vector<float> in_float(const std::vector<double>& values) {
  return std::vector<float>(values.begin(), values.end());
}
/// The rows that touch nothing, as many as whole blocks hold.
std::vector<float> free_rows(PandaPeer& ours, const std::vector<float>& rows) {
  std::vector<std::uint8_t> touches(rows.size() / kPandaJoints);
  ours.ask_each(rows, touches);
  std::vector<float> free;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(i * kPandaJoints);
    if (touches[i] == 0) free.insert(free.end(), first, first + kPandaJoints);
  }
  free.resize(free.size() / (kBlock * kPandaJoints) * kBlock * kPandaJoints);
  return free;
}

enum class Asked { each, free, motions };

void run(benchmark::State& state, PandaSurroundings (*surroundings)(), Asked asked,
         std::size_t count, const PandaPeerMaker& maker) {
  const PandaSurroundings around = surroundings();
  const std::unique_ptr<PandaPeer> ours = make_ours(around), peer = maker.make(around);
  std::vector<float> rows = in_float(random_values(panda(), count, 3));
  if (asked != Asked::each) rows = free_rows(*ours, rows);
  const std::vector<float> goals = goals_from(rows);
  const std::size_t asked_rows = rows.size() / kPandaJoints;
  std::vector<std::uint8_t> touches(asked == Asked::free ? asked_rows / kBlock : asked_rows);
  const auto ask = [&](PandaPeer& who) {
    if (asked == Asked::each) return who.ask_each(rows, touches);
    if (asked == Asked::free) return who.ask_blocks(rows, touches);
    who.ask_motions(rows, goals, touches);
  };
  ask(*ours);
  const std::vector<std::uint8_t> expected = touches;
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    ask(*peer);
    best = std::min(best, thread_seconds() - start);
  }
  std::size_t hits = 0, differ = 0;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    hits += touches[i] != 0 ? 1 : 0;
    differ += touches[i] != expected[i] ? 1 : 0;
  }
  state.counters["ns_each"] = best / static_cast<double>(asked_rows) * 1e9;
  state.counters["hits"] = 100 * static_cast<double>(hits) / static_cast<double>(touches.size());
  state.counters["differ"] = static_cast<double>(differ);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  if (!std::filesystem::exists(data_folder())) {
    std::fprintf(stderr, "no %s; set WIDEPHASE_DATA\n", data_folder().c_str());
    return 1;
  }
  std::vector<PandaPeerMaker> makers =
      joined(load_peers<PandaPeers>(WIDEPHASE_PANDA), &PandaPeers::makers);
  makers.insert(makers.begin(), {"widephase", make_ours});
  struct Row {
    const char* name;
    PandaSurroundings (*surroundings)();
    Asked asked;
    std::size_t count;
  };
  const Row rows[] = {
      {"shelf/each", shelf, Asked::each, 32768},
      {"shelf/free", shelf, Asked::free, 32768},
      {"shelf/motions", shelf, Asked::motions, 4096},
      {"boxes_100/each", boxes<100>, Asked::each, 8192},
      {"boxes_1000/each", boxes<1000>, Asked::each, 8192},
      {"boxes_10000/each", boxes<10000>, Asked::each, 4096},
      {"points_100000/each", points, Asked::each, 8192},
      {"points_100000/free", points, Asked::free, 8192},
  };
  const auto add = [](const Row& row, const std::string& question, const PandaPeerMaker& maker) {
    const std::string name =
        "panda/" + question + "/" + maker.who + "/" + std::to_string(row.count);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                   run(state, row.surroundings, row.asked, row.count, maker);
                                 })
        ->Unit(benchmark::kMillisecond);
  };
  for (const Row& row : rows) {
    for (const PandaPeerMaker& maker : makers) add(row, row.name, maker);
    if (row.asked == Asked::motions) add(row, "shelf/proof", {"widephase", make_proof});
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
