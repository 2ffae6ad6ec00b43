#pragma once

// widephase beside its peers in either dimension (peers.hpp), each where it was found: the same
// 65,536 pairs, one thread. Peers are called for one pair at a time, with shapes and transforms
// made outside the timed loop; so are widephase's rows for contacts.
//
// Names: peers<dimension>/<pair kind>/<list>/<question>/<who>. Lists: as in pairs_bench. Questions:
//   manifold  normal, depth and all points, of peers that make more than one of such a pair
//   deepest   normal and depth at one point
//   overlap   yes or no
//   distance  of the list `apart`, as the others are of `sorted` and `shallow`
// Who: `widephase` is `find_contacts` for the first two questions (there is no cheaper call for the
// second), `test_pairs` and `distances`, which read the scene within the time, for the others; the
// head of each adapter says what a peer's rows call. Precision is float but where that head says
// otherwise.
//
// A row is the least of five passes or more, after one without a clock. A peer is timed, and
// compared, on all 65,536 pairs of the list if it does them within 0.05 s, else on the first 8,192.
// Fewer would not do: passes over 1,024 pairs in the same order let a core learn their branches.
// All answers are stored, ours with their points, a peer's as normal and depth.
//
// Counters: pairs, those that were timed; ns_pair; hits, the share of pairs in contact (of `apart`:
// with a distance); to_widephase, the time over ours, of all pairs, where our row ran before; of
// our manifolds call_ns_pair, by `collide_pairs`, which reads the scene within the time.
// Against our answers: differs, the share of pairs of which one says yes and the other no; of those
// of which both say yes, error, the largest difference of depths, and off, the share where it is
// above 0.001. Peers round, and some of them answer a looser question: their heads say so.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

#include "compare_answers.hpp"
#include "ours.hpp"
#include "peers.hpp"

namespace widephase::bench {

inline constexpr std::size_t kPairs = 65536;
inline constexpr std::size_t kFewerPairs = 8192;
inline constexpr double kLongPass = 0.05;  // seconds
inline constexpr benchmark::IterationCount kLeastPasses = 5;

/// What is compared: a set's pairs and our answers to a question about one list of them.
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

/// The sets are made once: they are the same for every list and peer.
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

/// Nanoseconds a pair of our rows, by `Row::name`.
inline std::map<std::string, double>& ours_measured() {
  static std::map<std::string, double> measured;
  return measured;
}

/// Nanoseconds a pair of the fastest of the passes over so many pairs.
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

/// Nanoseconds a pair of `collide_pairs`, which makes bounds and rows anew.
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

/// How many of the pairs a peer is timed on.
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

/// A row is run more than once for its number of passes: the last peer is kept.
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

/// Our row and those of the peers that have the question; none where no peer has it.
template <int D>
void add_rows(const Row<D>& row, const std::vector<PeerMaker<D>>& makers) {
  const auto has = [&](const PeerMaker<D>& maker) { return maker.has(row.asked); };
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

/// All questions about pairs of two kinds.
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
