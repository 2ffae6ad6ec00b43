// widephase beside Box2D 2.4 (Debian's package, built for SSE2) in 2D: the same 65,536 pairs, one
// thread. Box2D is called for one pair at a time, with its shapes and transforms made outside the
// timed loop; so are widephase's rows. Compiled a second time, as peers2_v3_bench, for Box2D 3.1
// where that is found: rows peers2_v3/..., with capsules.
//
// Names: peers2/<pair kind>/<list>/<question>. Lists: as in pairs_bench. Questions: `manifold`, by
// b2CollideCircles, b2CollidePolygonAndCircle or b2CollidePolygons, then b2WorldManifold for pairs
// in contact, against `find_contacts`: normal, depth and points in the scene's frame. Box2D's skin
// about polygons is set to 0, so that both answer alike. `overlap`, yes or no, by b2TestOverlap (of
// 3.1, which has none, by b2ShapeDistance as its sensors do) against `test_pairs`. `distance`, by
// b2Distance without a cache, against `distances`: pairs that are apart, since b2Distance says no
// more of others than 0. Box2D 2.4 has no capsules but for distances, and no polygons of more than
// 8 vertices. `test_pairs` and `distances` make bounds and rows anew in every call; of `manifold`
// they are made outside, and widephase_call_ns has them too.
//
// peers2/scene/<who>/<count>: a whole pipeline step after step of the `uniform` balls in 2D
// (peer_steps.hpp says what moves and what is timed), beside a b2World of 2.4: SetTransform of
// every body, then a step of no time, then b2WorldManifold of contacts that touch.
//
// Time of pairs: the least of at least 5 passes over all pairs, for 0.1 s or more, after one that
// is not timed; either side's alike.
//
// Counters: ns_pair and hits (the share of pairs in contact; of `distance` apart), Box2D's;
// widephase_ns and widephase_hits; widephase_call_ns, of `manifold`, by `collide_pairs`;
// to_widephase, Box2D's time over widephase_ns; differs, the share of pairs of which one says yes
// and the other no; of those of which both say yes, error, the largest difference of depths or
// distances, and off, the share where it is above 0.001.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "compare_answers.hpp"
#include "ours.hpp"
#ifdef WIDEPHASE_BENCH_BOX2D3
#include "peer_box2d3.hpp"
#else
#include "peer_box2d.hpp"
#endif

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 65536;

/// Seconds of the fastest pass.
template <class Pass>
double best_of(const Pass& pass) {
  pass();
  double best = 1e9, all = 0;
  for (int i = 0; i < 5 || all < 0.1; ++i) {
    const double seconds = seconds_of(pass);
    best = std::min(best, seconds);
    all += seconds;
  }
  return best;
}

struct Row {
  Kind a;
  Kind b;
  Variant variant;
  List list;
  Question question;
};

/// Of one side. A distance is a depth below 0.
struct Side {
  double seconds = 0;
  std::vector<Answer> answers;  ///< without normals
};

Side box2d_side(const SceneColumns<2, float>& scene, const std::vector<Pair>& pairs,
                const Row& row) {
  const Box2dShapes shapes(scene);
  Side side;
  side.answers.resize(pairs.size());
  if (row.question == Question::manifold) {
    side.seconds =
        best_of([&] { benchmark::DoNotOptimize(box2d_manifolds(shapes, pairs, row.a, row.b)); });
    answer_by_box2d(shapes, pairs, row.a, row.b, side.answers);
  } else if (row.question == Question::overlap) {
    std::vector<std::uint8_t> is_overlap(pairs.size());
    side.seconds = best_of([&] {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        is_overlap[i] = box2d_overlaps(shapes, pairs[i]);
      }
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) side.answers[i].is_hit = is_overlap[i] != 0;
  } else {
    std::vector<float> lengths(pairs.size());
    side.seconds = best_of([&] {
      for (std::size_t i = 0; i < pairs.size(); ++i) lengths[i] = box2d_distance(shapes, pairs[i]);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      side.answers[i] = {lengths[i] > 0, -lengths[i], {}};
    }
  }
  return side;
}

Side our_side(const SceneColumns<2, float>& scene, const std::vector<Pair>& pairs, const Row& row) {
  Ours<2, float> ours(scene, row.question);
  Side side;
  side.seconds = best_of([&] { ours.answer(pairs); });
  side.answers.resize(pairs.size());
  ours.write_answers(side.answers);
  return side;
}

/// Of `find_contacts` with the rows made anew.
double call_seconds(const SceneColumns<2, float>& scene, const std::vector<Pair>& pairs) {
  CollideOptions options;
  options.threads.count = 1;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  return best_of([&] { collide_pairs<2, float>(scene, pairs, contacts, workspace, options); });
}

void run(benchmark::State& state, const Row& row) {
  const auto set = PairSetMaker<2, float>().make(row.a, row.b, kPairs, row.variant);
  const std::vector<Pair>& pairs = set.list(row.list);
  Side theirs, ours;
  double call = 0;
  for (auto _ : state) {
    theirs = box2d_side(set.scene, pairs, row);
    ours = our_side(set.scene, pairs, row);
    if (row.question == Question::manifold) call = call_seconds(set.scene, pairs);
  }
  const double to_nanoseconds = 1e9 / static_cast<double>(pairs.size());
  state.counters["ns_pair"] = theirs.seconds * to_nanoseconds;
  state.counters["hits"] = share_of_hits(theirs.answers);
  state.counters["widephase_ns"] = ours.seconds * to_nanoseconds;
  state.counters["widephase_hits"] = share_of_hits(ours.answers);
  if (row.question == Question::manifold) {
    state.counters["widephase_call_ns"] = call * to_nanoseconds;
  }
  state.counters["to_widephase"] = theirs.seconds / ours.seconds;
  compare(state, theirs.answers, ours.answers);
}

void add_row(const Row& row) {
  const std::string kinds = row.variant == Variant::large
                                ? "polygon64_polygon64"
                                : pair_kind_name(pair_kind(row.a, row.b), 2) + "2";
  benchmark::RegisterBenchmark(
      (kBox2dRows + kinds + "/" + list_name(row.list) + "/" + question_name(row.question)).c_str(),
      [=](benchmark::State& state) { run(state, row); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const std::pair<Kind, Kind> with_contacts[] = {
      {Kind::circle, Kind::circle}, {Kind::circle, Kind::box},  {Kind::circle, Kind::polygon},
      {Kind::box, Kind::box},       {Kind::box, Kind::polygon}, {Kind::polygon, Kind::polygon},
  };
  const auto add_contacts = [](Kind a, Kind b) {
    for (const List list : {List::sorted, List::shallow}) {
      for (const Question question : {Question::manifold, Question::overlap}) {
        add_row({a, b, Variant::plain, list, question});
      }
    }
  };
  for (const auto& [a, b] : with_contacts) add_contacts(a, b);
  const Kind kinds[] = {Kind::circle, Kind::capsule, Kind::box, Kind::polygon};
  if (kBox2dHasCapsules) {
    for (const Kind kind : kinds) {
      add_contacts(std::min(kind, Kind::capsule), std::max(kind, Kind::capsule));
    }
  }
  for (const Kind a : kinds) {
    for (const Kind b : kinds) {
      if (a <= b) add_row({a, b, Variant::plain, List::apart, Question::distance});
    }
  }
  if (!kBox2dHasCapsules) {
    // Points of 2.4's distances may be as many as one likes.
    add_row({Kind::polygon, Kind::polygon, Variant::large, List::apart, Question::distance});
  }
#ifndef WIDEPHASE_BENCH_BOX2D3
  for (const int count : kBodyCounts) {
    add_ours<2>("peers2/scene", balls<2>, count);
    add_steps<2>("peers2/scene/box2d", balls<2>, make_pipeline<Box2dPipeline>, count);
  }
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
