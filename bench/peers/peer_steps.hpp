#pragma once

// Whole pipelines with moving bodies, step after step.
//
// Between two steps every body moves by up to 0.01 along each axis (`uniform` balls have radii of
// 0.3 to 1). The motion is the same for every library: it goes through kFrames frames forwards and
// backwards. A step writes the new centres into the library's own data, updates the broad phase,
// and ends when all contacts are stored and counted, with normals, depths and points. Making the
// bodies and a first walk through all frames are not timed.
//
// ns_unit is the least time of a step per body, over at least one walk and at least 0.1 s. For few
// bodies it is a mean over consecutive steps that have 4,096 bodies together. contacts: the number
// of pairs in contact in the first frame.
//
// Peers: the heads of their adapters say what a step calls and what a peer keeps between steps.
// widephase: centres are copied into the scene's columns, then `collide` sorts all shapes anew each
// time; widephase_order_kept is the same with `keeps_order`.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "peers.hpp"
#include "scenes.hpp"

namespace widephase::bench {

inline constexpr int kBodyCounts[] = {2, 16, 64, 1000, 100'000};

template <int D>
SceneColumns<D, float> balls(std::size_t count) {
  return generate<D, float>("uniform", {count});
}

/// For a scene of balls or of boxes.
template <int D>
Centers<D>& centers_of(SceneColumns<D, float>& scene) {
  if constexpr (D == 2) {
    return scene.circles.center;
  } else {
    return scene.spheres.center.size() > 0 ? scene.spheres.center : scene.boxes.center;
  }
}

/// The motion of all bodies, forwards and backwards.
template <int D>
class Motion {
 public:
  static constexpr std::size_t kFrames = 4;
  static constexpr std::size_t kWalk = 2 * kFrames - 2;  ///< steps until the first frame returns

  explicit Motion(const Centers<D>& first) : frames_(kFrames, first) {
    Random random(1);
    for (std::size_t f = 1; f < kFrames; ++f) {
      frames_[f] = frames_[f - 1];
      for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t k = 0; k < D; ++k) {
          frames_[f](i, k) += static_cast<float>(random.uniform(-0.01, 0.01));
        }
      }
    }
  }

  const Centers<D>& next() {
    const std::size_t place = steps_++ % kWalk;
    return frames_[place < kFrames ? place : kWalk - place];
  }

 private:
  std::vector<Centers<D>> frames_;
  std::size_t steps_ = 0;
};

template <int D>
class OurPipeline : public Pipeline<D> {
 public:
  OurPipeline(const SceneColumns<D, float>& scene, bool keeps_order) : scene_(scene) {
    options_.threads.count = 1;
    options_.keeps_order = keeps_order;
  }
  std::size_t step(const Centers<D>& centers) override {
    centers_of<D>(scene_) = centers;
    collide<D, float>(scene_, contacts_, workspace_, options_);
    return contacts_.size();
  }

 private:
  SceneColumns<D, float> scene_;
  CollideOptions options_;
  Workspace<D, float> workspace_;
  ContactBuffer<D, float> contacts_;
};

template <int D>
using MakeScene = SceneColumns<D, float> (*)(std::size_t count);

template <int D>
void take_steps(benchmark::State& state, MakeScene<D> make_scene, const PipelineMaker<D>& maker) {
  using Clock = std::chrono::steady_clock;
  const auto count = static_cast<std::size_t>(state.range(0));
  SceneColumns<D, float> scene = make_scene(count);
  Motion<D> motion(centers_of<D>(scene));
  const std::unique_ptr<Pipeline<D>> pipeline = maker.make(scene);
  const std::size_t steps_a_pass = std::max<std::size_t>(4096 / count, 1);
  const auto take = [&](std::size_t steps) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < steps; ++i) {
      benchmark::DoNotOptimize(pipeline->step(motion.next()));
    }
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double best = 1e9, all = 0;
  for (auto _ : state) {
    take(Motion<D>::kWalk);
    for (std::size_t pass = 0; pass < Motion<D>::kWalk || all < 0.1; ++pass) {
      const double seconds = take(steps_a_pass);
      best = std::min(best, seconds);
      all += seconds;
    }
  }
  state.counters["ns_unit"] = best * 1e9 / static_cast<double>(steps_a_pass * count);
  state.counters["contacts"] = static_cast<double>(pipeline->step(centers_of<D>(scene)));
}

template <int D>
std::vector<PipelineMaker<D>> our_pipelines() {
  const auto make_with = [](bool keeps_order) {
    return [=](const SceneColumns<D, float>& scene) {
      return std::make_unique<OurPipeline<D>>(scene, keeps_order);
    };
  };
  return {{"widephase", make_with(false)}, {"widephase_order_kept", make_with(true)}};
}

/// Adds the rows <row>/<who>/<bodies>: ours, then those of the peers.
template <int D>
void add_pipelines(const std::string& row, MakeScene<D> make_scene,
                   const std::vector<PipelineMaker<D>>& peers) {
  std::vector<PipelineMaker<D>> makers = our_pipelines<D>();
  makers.insert(makers.end(), peers.begin(), peers.end());
  for (const int count : kBodyCounts) {
    for (const PipelineMaker<D>& maker : makers) {
      benchmark::RegisterBenchmark(
          (row + "/" + maker.who).c_str(),
          [=](benchmark::State& state) { take_steps<D>(state, make_scene, maker); })
          ->Arg(count)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace widephase::bench
