// widephase in 3D beside Bullet, FCL, libccd, ODE and MuJoCo (Debian's packages), Jolt, coal and
// Box3D, each where it was found: the same 65,536 pairs, one thread. Peers are called for one pair
// at a time, with shapes and transforms made outside the timed loop; so are widephase's rows.
//
// Names: peers3/<pair kind>/<list>/<who>. Pair kinds: hulls are 64 geometries of 16 vertices, or of
// as many as the name says. Lists: as in pairs_bench; of `sorted` and `shallow` contacts are asked,
// of `apart` distances. Who: `widephase` is `find_contacts`, on `apart` with a margin beyond all
// distances; the head of each peers3_*.cpp says what a peer's rows call. Precision is float but
// where that head says otherwise.
//
// Counters: ns_pair; hits, the share of pairs in contact (of `apart`: with a distance);
// to_widephase, the time over ours where our row ran before. Against our answers: differs, the
// share of pairs of which one says yes and the other no; of those of which both say yes, error, the
// largest difference of depths, and off, the share where it is above 0.001. Peers round, and some
// of them answer a looser question: their heads say so.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <map>

#include "ours.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 65536;
constexpr double kOffDepth = 0.001;  // of shapes of a size of about 1

using Clock = std::chrono::steady_clock;

/// What is compared: a set's pairs and our answers to one list of them.
struct Row {
  Kind a;
  Kind b;
  Variant variant;
  List list;

  Question question() const { return list == List::apart ? Question::distance : Question::contact; }
  double margin() const { return list == List::apart ? kApartMargin : 0; }
  std::string name() const {
    return "peers3/" + set_name(a, b, variant, 3) + "/" + list_name(list);
  }
};

/// The sets are made once: they are the same for every list and peer.
const PairSet<3, float>& pair_set(const Row& row) {
  static std::map<std::string, PairSet<3, float>> sets;
  const std::string key = set_name(row.a, row.b, row.variant, 3);
  auto found = sets.find(key);
  if (found == sets.end()) {
    sets.clear();
    auto set = PairSetMaker<3, float>().make(row.a, row.b, kPairs, row.variant);
    found = sets.emplace(key, std::move(set)).first;
  }
  return found->second;
}

void compare(benchmark::State& state, std::span<const Answer> theirs,
             std::span<const Answer> ours) {
  std::size_t differ = 0, both = 0, off = 0;
  double error = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    differ += theirs[i].is_hit != ours[i].is_hit;
    if (!theirs[i].is_hit || !ours[i].is_hit) continue;
    const double difference = std::abs(theirs[i].depth - ours[i].depth);
    // Written so that a depth that is not a number counts.
    off += !(difference <= kOffDepth);
    if (!(difference <= error)) error = difference;
    ++both;
  }
  state.counters["differs"] = static_cast<double>(differ) / static_cast<double>(theirs.size());
  state.counters["error"] = error;
  state.counters["off"] =
      static_cast<double>(off) / static_cast<double>(std::max<std::size_t>(both, 1));
}

/// Nanoseconds a pair of our rows, by `Row::name`.
std::map<std::string, double>& ours_measured() {
  static std::map<std::string, double> measured;
  return measured;
}

/// The fastest pass over so many pairs, as nanoseconds a pair.
template <class Pass>
double measure(benchmark::State& state, std::size_t pair_count, const Pass& pass) {
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    pass();
    benchmark::ClobberMemory();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  const double nanoseconds = best / static_cast<double>(pair_count) * 1e9;
  state.counters["ns_pair"] = nanoseconds;
  return nanoseconds;
}

double share_of_hits(std::span<const Answer> answers) {
  const auto hits = std::count_if(answers.begin(), answers.end(),
                                  [](const Answer& answer) { return answer.is_hit; });
  return static_cast<double>(hits) / static_cast<double>(answers.size());
}

void run_ours(benchmark::State& state, const Row& row) {
  if (!has_kernel(3, row.a, row.b)) {
    state.SkipWithError("widephase has no kernel for this pair yet");
    return;
  }
  const PairSet<3, float>& set = pair_set(row);
  const std::vector<Pair>& pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  Ours<3, float> ours(set.scene, row.margin());
  ours_measured()[row.name()] = measure(state, pairs.size(), [&] { ours.answer(pairs); });
  std::vector<Answer> answers(pairs.size());
  ours.write_answers(answers);
  state.counters["hits"] = share_of_hits(answers);
}

void run_peer(benchmark::State& state, const Row& row, const PeerMaker& maker) {
  const PairSet<3, float>& set = pair_set(row);
  const std::vector<Pair>& pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  const auto peer = maker.make(set.scene, row.question());
  std::vector<Answer> answers(pairs.size());
  const double nanoseconds = measure(state, pairs.size(), [&] { peer->answer(pairs, answers); });
  state.counters["hits"] = share_of_hits(answers);
  const auto measured = ours_measured().find(row.name());
  if (measured != ours_measured().end()) {
    state.counters["to_widephase"] = nanoseconds / measured->second;
  }
  if (!has_kernel(3, row.a, row.b)) return;
  Ours<3, float> ours(set.scene, row.margin());
  std::vector<Answer> expected(pairs.size());
  ours.answer(pairs);
  ours.write_answers(expected);
  compare(state, answers, expected);
}

void add_rows(Kind a, Kind b, Variant variant, List list, const std::vector<PeerMaker>& makers) {
  const Row row{a, b, variant, list};
  benchmark::RegisterBenchmark((row.name() + "/widephase").c_str(), [=](benchmark::State& state) {
    run_ours(state, row);
  })->Unit(benchmark::kMillisecond);
  for (const PeerMaker& maker : makers) {
    if (!maker.has(a, b, variant, row.question())) continue;
    benchmark::RegisterBenchmark((row.name() + "/" + maker.who).c_str(),
                                 [=](benchmark::State& state) { run_peer(state, row, maker); })
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const std::vector<PeerMaker> makers = peers3();
  const auto add = [&](Kind a, Kind b, Variant variant, bool with_distance) {
    add_rows(a, b, variant, List::sorted, makers);
    add_rows(a, b, variant, List::shallow, makers);
    if (with_distance) add_rows(a, b, variant, List::apart, makers);
  };
  add(Kind::sphere, Kind::box, Variant::plain, false);
  add(Kind::capsule, Kind::box, Variant::plain, false);
  add(Kind::box, Kind::box, Variant::plain, true);
  add(Kind::sphere, Kind::hull, Variant::plain, false);
  add(Kind::capsule, Kind::hull, Variant::plain, false);
  add(Kind::box, Kind::hull, Variant::plain, false);
  for (const Variant variant : {Variant::hull8, Variant::plain, Variant::hull32, Variant::hull64}) {
    add(Kind::hull, Kind::hull, variant, true);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
