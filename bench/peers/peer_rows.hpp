#pragma once

// widephase against each peer that was found, in 2D or 3D (peers.hpp): the same 65,536 pairs, one
// thread. Peers are called for one pair at a time, with shapes and transforms made outside the
// timed loop. Those of widephase's contact rows are also made before.
//
// Names: peers<dimension>/<pair kind>/<list>/<question>/<who>. Lists: as in pairs_bench. Questions:
//   manifold  normal, depth and all points, for peers that make more than one point for the pair
//   deepest   normal and depth at one point
//   overlap   yes or no
//   distance  for the list `apart`; the other questions use `sorted` and `shallow`
// Who: for the first two questions, `widephase` is `find_contacts`, since there is no cheaper call
// for the second. For the others it is `test_pairs` and `distances`, which read the scene within
// the timed part. The head of each adapter says what a peer's rows call. Precision is float unless
// that head says otherwise.
//
// A row is the fastest of five passes or more, after one that is not timed. A peer is timed and
// compared on all 65,536 pairs of the list if it takes at most 0.05 s for them, or else on the
// first 8,192. Fewer pairs would not do: in passes over 1,024 pairs in the same order, a core
// learns their branches. All answers are stored, ours with their points, a peer's as normal and
// depth.
//
// Counters: pairs, the number that was timed; ns_pair; hits, the share of pairs in contact (for
// `apart`, with a distance); to_widephase, the time over ours for all pairs, if our row ran before;
// for our manifolds call_ns_pair, the time of `collide_pairs`, which reads the scene within the
// timed part. Compared with our answers: differs, the share of pairs where one says yes and the
// other no. For pairs where both say yes: error, the largest difference of depths, and off, the
// share of differences above 0.001. Peers round, and some answer a less exact question, as their
// heads say.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

#include "compare_answers.hpp"
#include "ours.hpp"
#include "peers.hpp"

namespace widephase::bench {

inline constexpr std::size_t kPairs = 65536;
inline constexpr std::size_t kFewerPairs = 8192;
inline constexpr double kLongPass = 0.05;  // in seconds
inline constexpr benchmark::IterationCount kLeastPasses = 5;

/// What is compared: the pairs of a set and our answers to one question about one list of them.
template <int D>
struct Row {
  Asked asked;
  List list;

  std::string set() const { return set_name(asked.a, asked.b, asked.variant, D); }
  std::string name() const {
    return "peers" + std::to_string(D) + "/" + set() + "/" + list_name(list) + "/" +
           question_name(asked.question);
  }
};

/// Sets are made once: every list and peer uses the same.
template <int D>
const PairSet<D, float>& pair_set(const Row<D>& row) {
  static std::map<std::string, PairSet<D, float>> sets;
  auto found = sets.find(row.set());
  if (found == sets.end()) {
    sets.clear();
    const Asked& asked = row.asked;
    auto set = PairSetMaker<D, float>().make(asked.a, asked.b, kPairs, asked.variant);
    found = sets.emplace(row.set(), std::move(set)).first;
  }
  return found->second;
}

/// Nanoseconds per pair of our rows, by `Row::name`.
inline std::map<std::string, double>& ours_measured() {
  static std::map<std::string, double> measured;
  return measured;
}

/// Nanoseconds per pair in the fastest pass over `pair_count` pairs.
template <class Pass>
double measure(benchmark::State& state, std::size_t pair_count, const Pass& pass) {
  pass();
  double best = 1e9;
  for (auto _ : state) best = std::min(best, seconds_of(pass));
  for (auto passes = state.iterations(); passes < kLeastPasses; ++passes) {
    best = std::min(best, seconds_of(pass));
  }
  const double nanoseconds = best / static_cast<double>(pair_count) * 1e9;
  state.counters["pairs"] = static_cast<double>(pair_count);
  state.counters["ns_pair"] = nanoseconds;
  return nanoseconds;
}

/// Nanoseconds per pair of `collide_pairs`, which computes bounds and rows anew.
template <int D>
double call_time(const SceneColumns<D, float>& scene, const std::vector<Pair>& pairs) {
  CollideOptions options;
  options.threads.count = 1;
  Workspace<D, float> workspace;
  ContactBuffer<D, float> contacts;
  const auto pass = [&] { collide_pairs<D, float>(scene, pairs, contacts, workspace, options); };
  pass();
  double best = 1e9;
  for (int i = 0; i < kLeastPasses; ++i) best = std::min(best, seconds_of(pass));
  return best / static_cast<double>(pairs.size()) * 1e9;
}

/// The number of pairs that a peer is timed on.
inline std::size_t timed_pairs(Peer& peer, std::span<const Pair> pairs, std::span<Answer> answers) {
  const std::size_t fewer = std::min(kFewerPairs, pairs.size());
  const double seconds = seconds_of([&] { peer.answer(pairs.first(fewer), answers); });
  const double of_all = seconds * static_cast<double>(pairs.size()) / static_cast<double>(fewer);
  return of_all <= kLongPass ? pairs.size() : fewer;
}

template <int D>
void run_ours(benchmark::State& state, const Row<D>& row) {
  const PairSet<D, float>& set = pair_set(row);
  const std::vector<Pair>& pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  Ours<D, float> ours(set.scene, row.asked.question);
  ours_measured()[row.name()] = measure(state, pairs.size(), [&] { ours.answer(pairs); });
  if (row.asked.question == Question::manifold) {
    state.counters["call_ns_pair"] = call_time<D>(set.scene, pairs);
  }
  std::vector<Answer> answers(pairs.size());
  ours.write_answers(answers);
  state.counters["hits"] = share_of_hits(answers);
}

/// The library runs a row several times to find its number of passes, so the last peer is kept.
template <int D>
Peer& peer_of(const Row<D>& row, const PeerMaker<D>& maker) {
  static std::string made_for;
  static std::unique_ptr<Peer> peer;
  const std::string key = row.set() + question_name(row.asked.question) + maker.who;
  if (made_for != key) {
    peer = maker.make(pair_set(row).scene, row.asked);
    made_for = key;
  }
  return *peer;
}

template <int D>
void run_peer(benchmark::State& state, const Row<D>& row, const PeerMaker<D>& maker) {
  const PairSet<D, float>& set = pair_set(row);
  std::span<const Pair> pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  Peer& peer = peer_of(row, maker);
  std::vector<Answer> answers(pairs.size());
  pairs = pairs.first(timed_pairs(peer, pairs, answers));
  answers.resize(pairs.size());
  const double nanoseconds = measure(state, pairs.size(), [&] { peer.answer(pairs, answers); });
  state.counters["hits"] = share_of_hits(answers);
  const auto measured = ours_measured().find(row.name());
  if (measured != ours_measured().end()) {
    state.counters["to_widephase"] = nanoseconds / measured->second;
  }
  Ours<D, float> ours(set.scene, row.asked.question);
  std::vector<Answer> expected(pairs.size());
  ours.answer(pairs);
  ours.write_answers(expected);
  compare(state, answers, expected);
}

/// Adds our row and those of the peers that answer the question; no row if no peer does.
template <int D>
void add_rows(const Row<D>& row, const std::vector<PeerMaker<D>>& makers) {
  const auto has = [&](const PeerMaker<D>& maker) {
    return maker.has(row.asked) && (maker.has_rounding || row.asked.variant != Variant::rounded);
  };
  if (std::ranges::none_of(makers, has)) return;
  benchmark::RegisterBenchmark((row.name() + "/widephase").c_str(), [=](benchmark::State& state) {
    run_ours<D>(state, row);
  })->Unit(benchmark::kMillisecond);
  for (const PeerMaker<D>& maker : makers) {
    if (!has(maker)) continue;
    benchmark::RegisterBenchmark((row.name() + "/" + maker.who).c_str(),
                                 [=](benchmark::State& state) { run_peer<D>(state, row, maker); })
        ->Unit(benchmark::kMillisecond);
  }
}

/// Adds all questions about pairs of two kinds.
template <int D>
void add_questions(Kind a, Kind b, Variant variant, const std::vector<PeerMaker<D>>& makers) {
  const auto add = [&](Question question, List list) {
    add_rows<D>({{a, b, variant, question}, list}, makers);
  };
  for (const List list : {List::sorted, List::shallow}) {
    if (has_many_points(a, b)) add(Question::manifold, list);
    add(Question::deepest, list);
    add(Question::overlap, list);
  }
  add(Question::distance, List::apart);
}

}  // namespace widephase::bench
