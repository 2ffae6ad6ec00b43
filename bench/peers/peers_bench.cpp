// widephase against each 3D peer that was found (peers.hpp): the same pairs and scenes, one thread.
//
// Names: peers/<what>/<who>/<count>; they show from which count on a call of ours pays. `contacts`
// must agree, except for the errors of a peer.
//
// sphere_sphere, capsule_capsule: from pairs to contacts with normal, depth and point; shapes are
// made outside the timed loop. Few pairs repeat in the same order, so a core learns their branches;
// peers3_bench has the real time per pair.
//
// scene, boxes: a whole pipeline, step after step (peer_steps.hpp says what moves and what is
// timed), for the `uniform` balls, or for boxes with any orientation in their places.

#include <benchmark/benchmark.h>

#include <algorithm>

#include "load_peers.hpp"
#include "peer_steps.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

using Maker = PairSetMaker<3, float>;

void count_contacts(benchmark::State& state, std::size_t contacts, std::size_t units) {
  state.counters["contacts"] = static_cast<double>(contacts);
  state.counters["ns_unit"] = benchmark::Counter(
      static_cast<double>(units) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void ours_pairs(benchmark::State& state, Kind kind) {
  const auto set = Maker().make(kind, kind, static_cast<std::size_t>(state.range(0)));
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) collide_pairs(set.scene, set.sorted, contacts, workspace, options);
  count_contacts(state, contacts.size(), set.sorted.size());
}

void peer_pairs(benchmark::State& state, const Asked& asked, const PeerMaker<3>& maker) {
  const auto set = Maker().make(asked.a, asked.b, static_cast<std::size_t>(state.range(0)));
  const std::unique_ptr<Peer> peer = maker.make(set.scene, asked);
  std::vector<Answer> answers(set.sorted.size());
  for (auto _ : state) peer->answer(set.sorted, answers);
  const auto contacts = std::ranges::count_if(answers, &Answer::is_hit);
  count_contacts(state, static_cast<std::size_t>(contacts), set.sorted.size());
}

void add_pairs(Kind kind, const std::vector<PeerMaker<3>>& makers) {
  const auto add = [&](const std::string& who, const auto& run) {
    const std::string name = "peers/" + pair_kind_name(pair_kind(kind, kind), 3) + "/" + who;
    auto* row = benchmark::RegisterBenchmark(name.c_str(), run);
    for (const int count : {1, 16, 256, 4096, 65536}) row->Arg(count);
  };
  add("widephase", [=](benchmark::State& state) { ours_pairs(state, kind); });
  const Asked asked{kind, kind, Variant::plain, Question::deepest};
  for (const PeerMaker<3>& maker : makers) {
    if (!maker.has(asked)) continue;
    add(maker.who, [=](benchmark::State& state) { peer_pairs(state, asked, maker); });
  }
}

/// Boxes with any orientation; the corners of each are about as far out as the ball that it
/// replaces.
SceneColumns<3, float> turned_boxes(std::size_t count) {
  const auto uniform = balls<3>(count);
  Random random(3);
  SceneColumns<3, float> scene;
  for (std::size_t i = 0; i < count; ++i) {
    scene.boxes.center.push_back(uniform.spheres.center.row(i));
    std::array<float, 3> half;
    for (float& h : half) {
      h = static_cast<float>(random.uniform(0.4, 0.8)) * uniform.spheres.radius[i];
    }
    scene.boxes.half_extents.push_back(half);
    std::array<float, 4> turn;
    std::ranges::copy(random.orientation(), turn.begin());
    scene.boxes.turn.push_back(turn);
  }
  return scene;
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const auto peers = load_peers<Peers<3>>(WIDEPHASE_PEERS3);
  const auto makers = joined(peers, &Peers<3>::pairs);
  const auto pipelines = joined(peers, &Peers<3>::pipelines);
  add_pairs(Kind::sphere, makers);
  add_pairs(Kind::capsule, makers);
  add_pipelines<3>("peers/scene", balls<3>, pipelines);
  add_pipelines<3>("peers/boxes", turned_boxes, pipelines);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
