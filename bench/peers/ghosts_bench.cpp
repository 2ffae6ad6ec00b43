// Ghosts: contacts with inner edges of a level floor that is cut into triangles, by widephase and
// by each peer that was found. The only right normal is the floor's.
//
// Names: ghosts/<kind>/<who>/<shapes>. The floor has cells of 0.1. Spheres have radii of 0.05 to
// 0.1; capsules lie, 0.2 long between their ends, with radii of 0.04 to 0.06; boxes stand, with
// half extents of 0.05 to 0.15. Capsules and boxes are tilted by up to 0.03 rad. All have any
// direction about the vertical, and overlap the floor by 0.001 to 0.01. widephase has a height
// field, and so has `bullet_field` and `mujoco`.
//
// Counters: wrong, the share of points whose normal is off by more than 2.6 degrees (a cosine of
// 0.999); points and contacts per shape, where a contact has one normal (a peer's point has its
// own); lost, shapes without a point; depth_most, the most by which the deepest point of a shape is
// off.
//
// ground/<kind>/<who>/<shapes>: shapes on rough ground (ground_scene.hpp). ns_shape is the thread's
// CPU time per shape: ours for a whole step of a scene in 200 worlds, a peer's for its contacts of
// each shape with the ground alone. points per shape.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include <widephase/heightfields.hpp>
#include <widephase/widephase.hpp>

#include "ghosts.hpp"
#include "ground_scene.hpp"
#include "load_peers.hpp"
#include "scenes/random.hpp"

namespace widephase::bench {
namespace {

constexpr Floor kFloor;
constexpr double kRightCosine = 0.999;

struct Resting {
  SceneColumns<3, float> shapes;
  std::vector<double> depth;  ///< below the floor, of each
};

/// As given, or as rounded to float: the depth is that of the numbers that all get.
Resting resting(Kind kind, std::size_t count) {
  Resting made;
  scenes::Random random(5);
  SceneColumns<3, float>& scene = made.shapes;
  for (std::size_t i = 0; i < count; ++i) {
    const double yaw = random.uniform(-3.14159, 3.14159), tilt = random.uniform(-0.03, 0.03);
    const double x = random.uniform(1, 5), y = random.uniform(1, 5);
    const double depth = random.uniform(0.001, 0.01);
    const auto at = [&](double below) {
      return std::array<float, 3>{static_cast<float>(x), static_cast<float>(y),
                                  static_cast<float>(below - depth)};
    };
    if (kind == Kind::sphere) {
      const auto radius = static_cast<float>(random.uniform(0.05, 0.1));
      const auto center = at(radius);
      scene.spheres.center.push_back(center);
      scene.spheres.radius.push_back({radius});
      made.depth.push_back(double{radius} - center[2]);
    } else if (kind == Kind::capsule) {
      const auto radius = static_cast<float>(random.uniform(0.04, 0.06));
      const double half[3] = {0.1 * std::cos(yaw) * std::cos(tilt),
                              0.1 * std::sin(yaw) * std::cos(tilt), 0.1 * std::sin(tilt)};
      std::array<float, 3> ends[2] = {at(radius + std::abs(half[2])), {}};
      ends[1] = ends[0];
      for (std::size_t k = 0; k < 3; ++k) {
        ends[0][k] -= static_cast<float>(half[k]);
        ends[1][k] += static_cast<float>(half[k]);
      }
      scene.capsules.a.push_back(ends[0]);
      scene.capsules.b.push_back(ends[1]);
      scene.capsules.radius.push_back({radius});
      made.depth.push_back(radius - std::min<double>(ends[0][2], ends[1][2]));
    } else {
      // About the vertical after a tilt about y.
      const double c = std::cos(yaw / 2), s = std::sin(yaw / 2);
      const double d = std::cos(tilt / 2), t = std::sin(tilt / 2);
      const std::array<double, 4> turn{-s * t, c * t, s * d, c * d};
      std::array<float, 3> half;
      for (float& extent : half) extent = static_cast<float>(random.uniform(0.05, 0.15));
      const double below = std::abs(std::sin(tilt)) * half[0] + std::cos(tilt) * half[2];
      const auto center = at(below);
      scene.boxes.center.push_back(center);
      scene.boxes.turn.push_back({static_cast<float>(turn[0]), static_cast<float>(turn[1]),
                                  static_cast<float>(turn[2]), static_cast<float>(turn[3])});
      scene.boxes.half_extents.push_back(half);
      made.depth.push_back(below - center[2]);
    }
  }
  return made;
}

/// All shapes in one call; `find` gives them out.
class OurFloor : public FloorPeer {
 public:
  OurFloor(const Floor& floor, const SceneColumns<3, float>& shapes) {
    SceneColumns<3, float> scene = shapes;
    const auto samples = static_cast<std::size_t>(floor.cells) + 1;
    Column<float> heights;
    heights.resize(samples * samples, 0.0f);
    add_heightfield(scene.heightfield_geometries, heights, floor.cells + 1, floor.cell, floor.cell);
    scene.heightfields.center.push_back({0, 0, 0});
    scene.heightfields.turn.push_back({0, 0, 0, 1});
    scene.heightfields.geometry.push_back({0});
    const auto count = static_cast<std::int32_t>(layout_of(shapes).shape_count());
    std::vector<Pair> pairs;
    for (std::int32_t i = 0; i < count; ++i) pairs.push_back({i, count});
    Workspace<3, float> workspace;
    CollideOptions options;
    options.threads.count = 1;
    collide_pairs<3, float>(scene, pairs, contacts_, workspace, options);
  }
  std::size_t contact_count() const { return contacts_.size(); }
  void find(std::size_t id, std::vector<FloorPoint>& points) override {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (static_cast<std::size_t>(contacts_.source[i]) != id) continue;
      for (std::int32_t p = contacts_.offset[i]; p < contacts_.offset[i + 1]; ++p) {
        // Our normal leads from the shape into the floor.
        points.push_back(
            {-double{contacts_.normal(i, 2)}, contacts_.point_depth[static_cast<std::size_t>(p)]});
      }
    }
  }

 private:
  ContactBuffer<3, float> contacts_;
};

std::unique_ptr<FloorPeer> make_ours(const Floor& floor, const SceneColumns<3, float>& shapes) {
  return std::make_unique<OurFloor>(floor, shapes);
}

void run(benchmark::State& state, Kind kind, std::size_t count, const FloorPeerMaker& maker) {
  const Resting made = resting(kind, count);
  std::size_t points = 0, wrong = 0, lost = 0;
  double depth_most = 0;
  std::unique_ptr<FloorPeer> peer;
  for (auto _ : state) {
    peer = maker.make(kFloor, made.shapes);
    std::vector<FloorPoint> found;
    for (std::size_t id = 0; id < count; ++id) {
      found.clear();
      peer->find(id, found);
      points += found.size();
      double depth = -1;
      for (const FloorPoint& point : found) {
        wrong += point.up < kRightCosine ? 1 : 0;
        depth = std::max(depth, point.depth);
      }
      if (found.empty()) {
        ++lost;
      } else {
        depth_most = std::max(depth_most, std::abs(depth - made.depth[id]));
      }
    }
  }
  const auto each = [&](std::size_t number) {
    return static_cast<double>(number) / static_cast<double>(count);
  };
  state.counters["wrong"] =
      points == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(points);
  state.counters["points"] = each(points);
  const auto* const ours = dynamic_cast<const OurFloor*>(peer.get());
  state.counters["contacts"] = each(ours != nullptr ? ours->contact_count() : points);
  state.counters["lost"] = static_cast<double>(lost);
  state.counters["depth_most"] = depth_most;
}

constexpr int kOnGround = 4000;

void report(benchmark::State& state, double seconds, std::size_t points) {
  state.counters["ns_shape"] = seconds / kOnGround * 1e9;
  state.counters["points"] = static_cast<double>(points) / kOnGround;
}

void run_ours_on_ground(benchmark::State& state, Kind kind) {
  Random random(5);
  const Column<float> heights = ground_heights(random);
  SceneColumns<3, float> scene =
      shapes_on_ground(kind, kOnGround, true, heights, kGroundSamples, random);
  add_ground(scene, heights, kGroundSamples, false);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  CollideOptions options;
  options.threads.count = 1;
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    collide<3, float>(scene, contacts, workspace, options);
    best = std::min(best, thread_seconds() - start);
  }
  report(state, best, contacts.point_count());
}

void run_on_ground(benchmark::State& state, Kind kind, const FloorPeerMaker& maker) {
  Random random(5);
  const Column<float> heights = ground_heights(random);
  const SceneColumns<3, float> scene =
      shapes_on_ground(kind, kOnGround, true, heights, kGroundSamples, random);
  const Floor floor{kGroundSamples - 1, kGroundCell, {heights.begin(), heights.end()}};
  const std::unique_ptr<FloorPeer> peer = maker.make(floor, scene);
  std::vector<FloorPoint> found;
  double best = 1e9;
  for (auto _ : state) {
    found.clear();
    const double start = thread_seconds();
    for (std::size_t id = 0; id < kOnGround; ++id) peer->find(id, found);
    best = std::min(best, thread_seconds() - start);
  }
  report(state, best, found.size());
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  std::vector<FloorPeerMaker> makers =
      joined(load_peers<FloorPeers>(WIDEPHASE_GHOSTS), &FloorPeers::makers);
  makers.insert(makers.begin(), {"widephase", make_ours});
  for (const Kind kind : {Kind::sphere, Kind::capsule, Kind::box}) {
    for (const FloorPeerMaker& maker : makers) {
      const std::string row =
          "ghosts/" + std::string(kind_name(kind, 3)) + "/" + maker.who + "/2000";
      benchmark::RegisterBenchmark(row.c_str(),
                                   [=](benchmark::State& state) { run(state, kind, 2000, maker); })
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
      const bool is_ours = maker.make == make_ours;
      const std::string ground =
          "ground/" + std::string(kind_name(kind, 3)) + "/" + maker.who + "/4000";
      benchmark::RegisterBenchmark(ground.c_str(),
                                   [=](benchmark::State& state) {
                                     is_ours ? run_ours_on_ground(state, kind)
                                             : run_on_ground(state, kind, maker);
                                   })
          ->Iterations(5)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
