// widephase in 3D beside Bullet, FCL, libccd, ODE and MuJoCo (Debian's packages), Jolt, coal and
// Box3D, each where it was found: the same 65,536 pairs, one thread. Peers are called for one pair
// at a time, with shapes and transforms made outside the timed loop; so are widephase's contacts.
//
// Names: peers3/<pair kind>/<list>/<question>/<who>. Pair kinds: hulls are 64 geometries of 16
// vertices, or of as many as the name says. Lists: as in pairs_bench. Questions:
//   manifold  normal, depth and all points, of peers that make more than one of such a pair
//   deepest   normal and depth at one point
//   overlap   yes or no
//   distance  of the list `apart`, as the others are of `sorted` and `shallow`
// Who: `widephase` is `find_contacts` for the first two questions (there is no cheaper call for the
// second), `test_pairs` and `distances`, which read the scene within the time, for the others; the
// head of each peers3_*.cpp says what a peer's rows call. Precision is float but where that head
// says otherwise.
//
// A row is the least of five passes or more, after one without a clock. A peer is timed, and
// compared, on all 65,536 pairs of the list if it does them within 0.05 s, else on the first 8,192.
// Fewer would not do: passes over 1,024 pairs in the same order let a core learn their branches.
//
// Counters: pairs, those that were timed; ns_pair; hits, the share of pairs in contact (of `apart`:
// with a distance); to_widephase, the time over ours, of all pairs, where our row ran before.
// Against our answers: differs, the share of pairs of which one says yes and the other no; of those
// of which both say yes, error, the largest difference of depths, and off, the share where it is
// above 0.001. Peers round, and some of them answer a looser question: their heads say so.

#include <benchmark/benchmark.h>

#include <map>

#include "compare_answers.hpp"
#include "ours.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 65536;
constexpr std::size_t kFewerPairs = 8192;
constexpr double kLongPass = 0.05;  // seconds
constexpr benchmark::IterationCount kLeastPasses = 5;

/// What is compared: a set's pairs and our answers to a question about one list of them.
struct Row {
  Kind a;
  Kind b;
  Variant variant;
  List list;
  Question question;

  std::string name() const {
    return "peers3/" + set_name(a, b, variant, 3) + "/" + list_name(list) + "/" +
           question_name(question);
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

/// Nanoseconds a pair of our rows, by `Row::name`.
std::map<std::string, double>& ours_measured() {
  static std::map<std::string, double> measured;
  return measured;
}

/// The fastest of the passes over so many pairs, as nanoseconds a pair.
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

/// How many of the pairs a peer is timed on.
std::size_t timed_pairs(Peer& peer, std::span<const Pair> pairs, std::span<Answer> answers) {
  const std::size_t fewer = std::min(kFewerPairs, pairs.size());
  const double seconds = seconds_of([&] { peer.answer(pairs.first(fewer), answers); });
  const double of_all = seconds * static_cast<double>(pairs.size()) / static_cast<double>(fewer);
  return of_all <= kLongPass ? pairs.size() : fewer;
}

void run_ours(benchmark::State& state, const Row& row) {
  const PairSet<3, float>& set = pair_set(row);
  const std::vector<Pair>& pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  Ours<3, float> ours(set.scene, row.question);
  ours_measured()[row.name()] = measure(state, pairs.size(), [&] { ours.answer(pairs); });
  std::vector<Answer> answers(pairs.size());
  ours.write_answers(answers);
  state.counters["hits"] = share_of_hits(answers);
}

/// A row is run more than once for its number of passes: the last peer is kept.
Peer& peer_of(const Row& row, const PeerMaker& maker) {
  static std::string made_for;
  static std::unique_ptr<Peer> peer;
  const std::string key =
      set_name(row.a, row.b, row.variant, 3) + question_name(row.question) + maker.who;
  if (made_for != key) {
    peer = maker.make(pair_set(row).scene, row.question);
    made_for = key;
  }
  return *peer;
}

void run_peer(benchmark::State& state, const Row& row, const PeerMaker& maker) {
  const PairSet<3, float>& set = pair_set(row);
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
  Ours<3, float> ours(set.scene, row.question);
  std::vector<Answer> expected(pairs.size());
  ours.answer(pairs);
  ours.write_answers(expected);
  compare(state, answers, expected);
}

/// None where no peer has the question.
void add_rows(const Row& row, const std::vector<PeerMaker>& makers) {
  const auto has = [&](const PeerMaker& maker) {
    return maker.has(row.a, row.b, row.variant, row.question);
  };
  if (std::ranges::none_of(makers, has)) return;
  benchmark::RegisterBenchmark((row.name() + "/widephase").c_str(), [=](benchmark::State& state) {
    run_ours(state, row);
  })->Unit(benchmark::kMillisecond);
  for (const PeerMaker& maker : makers) {
    if (!has(maker)) continue;
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
  const auto add = [&](Kind a, Kind b, Variant variant = Variant::plain) {
    for (const List list : {List::sorted, List::shallow}) {
      if (has_many_points(a, b)) add_rows({a, b, variant, list, Question::manifold}, makers);
      add_rows({a, b, variant, list, Question::deepest}, makers);
      add_rows({a, b, variant, list, Question::overlap}, makers);
    }
    add_rows({a, b, variant, List::apart, Question::distance}, makers);
  };
  for (const Kind b : {Kind::sphere, Kind::capsule, Kind::box, Kind::hull, Kind::cylinder}) {
    add(Kind::sphere, b);
  }
  for (const Kind b : {Kind::capsule, Kind::box, Kind::hull, Kind::cylinder}) {
    add(Kind::capsule, b);
  }
  for (const Kind b : {Kind::box, Kind::hull, Kind::cylinder}) add(Kind::box, b);
  for (const Variant variant : {Variant::hull8, Variant::plain, Variant::hull32, Variant::hull64}) {
    add(Kind::hull, Kind::hull, variant);
  }
  add(Kind::cylinder, Kind::cylinder);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
