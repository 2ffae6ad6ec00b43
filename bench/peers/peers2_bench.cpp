// widephase beside Box2D 2.4 (Debian's package, built for SSE2) in 2D: the same 65,536 pairs, one
// thread. Box2D is called for one pair at a time, with its shapes and transforms made outside the
// timed loop; so are widephase's rows. Compiled a second time, as peers2_v3_bench, for Box2D 3.1
// where that is found: rows peers2_v3/..., with capsules.
//
// Names: peers2/<pair kind>/<list>/<what>. Lists: as in pairs_bench. What: `manifold`, by
// b2CollideCircles, b2CollidePolygonAndCircle or b2CollidePolygons, then b2WorldManifold for pairs
// in contact, against `find_contacts`: normal, depth and points in the scene's frame. Box2D's skin
// about polygons is set to 0, so that both answer alike. `distance`, by b2Distance without a cache,
// against `find_contacts` by GJK: pairs that are apart, since b2Distance says no more of others
// than 0. Box2D 2.4 has no capsules but for distances, and no polygons of more than 8 vertices.
//
// Counters: ns_pair and contacts (for `distance`, pairs above 0), Box2D's; widephase_ns and
// widephase_contacts; widephase_call_ns, with the rows made anew (`collide_pairs`); to_widephase,
// Box2D's time over widephase's `find_contacts`; error, of `distance`: the largest difference.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <string>

#ifdef WIDEPHASE_BENCH_BOX2D3
#include "peer_box2d3.hpp"
#else
#include "peer_box2d.hpp"
#endif

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 65536;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

enum class What { manifold, distance };

/// Counts the pairs apart; their distances into `distances`.
std::size_t box2d_distances(const Box2dShapes& shapes, const std::vector<Pair>& pairs,
                            std::vector<float>& distances) {
  std::size_t apart = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    distances[i] = box2d_distance(shapes, pairs[i]);
    apart += distances[i] > 0;
  }
  return apart;
}

struct Ours {
  double seconds = 1e9;       ///< of `find_contacts`
  double call_seconds = 1e9;  ///< of `collide_pairs`
  ContactBuffer<2, float> contacts;
};

/// The best of some passes.
void measure_ours(const SceneColumns<2, float>& columns, const std::vector<Pair>& pairs, What what,
                  Ours& ours) {
  const SceneSpan<2, float> scene = columns;
  CollideOptions options;
  options.threads.count = 1;
  if (what == What::distance) {
    options.method = Method::gjk_epa;
    options.margin = kApartMargin;
  }
  Workspace<2, float> workspace;
  for (int pass = 0; pass < 20; ++pass) {
    auto start = Clock::now();
    collide_pairs(scene, pairs, ours.contacts, workspace, options);
    ours.call_seconds = std::min(ours.call_seconds, seconds_since(start));
    start = Clock::now();
    find_contacts(scene, pairs, ours.contacts, workspace, options);
    ours.seconds = std::min(ours.seconds, seconds_since(start));
  }
}

void run(benchmark::State& state, Kind a, Kind b, Variant variant, List list, What what) {
  const auto set = PairSetMaker<2, float>().make(a, b, kPairs, variant);
  const std::vector<Pair>& pairs = set.list(list);
  const Box2dShapes shapes(set.scene);
  std::vector<float> distances(pairs.size());
  std::size_t contacts = 0;
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    contacts = what == What::manifold ? box2d_manifolds(shapes, pairs, a, b)
                                      : box2d_distances(shapes, pairs, distances);
    best = std::min(best, seconds_since(start));
  }
  Ours ours;
  measure_ours(set.scene, pairs, what, ours);
  const double to_nanoseconds = 1e9 / static_cast<double>(pairs.size());
  state.counters["ns_pair"] = best * to_nanoseconds;
  state.counters["contacts"] = static_cast<double>(contacts);
  state.counters["widephase_ns"] = ours.seconds * to_nanoseconds;
  state.counters["widephase_call_ns"] = ours.call_seconds * to_nanoseconds;
  state.counters["widephase_contacts"] = static_cast<double>(ours.contacts.size());
  state.counters["to_widephase"] = best / ours.seconds;
  if (what == What::manifold) return;
  double error = 0;
  for (std::size_t i = 0; i < ours.contacts.size(); ++i) {
    const auto source = static_cast<std::size_t>(ours.contacts.source[i]);
    error =
        std::max(error, static_cast<double>(std::abs(distances[source] + ours.contacts.depth[i])));
  }
  state.counters["error"] = error;
}

void add_row(Kind a, Kind b, Variant variant, List list, What what) {
  const std::string kinds =
      variant == Variant::large ? "polygon64_polygon64" : pair_kind_name(pair_kind(a, b), 2) + "2";
  benchmark::RegisterBenchmark(
      (kBox2dRows + kinds + "/" + list_name(list) +
       (what == What::manifold ? "/manifold" : "/distance"))
          .c_str(),
      [=](benchmark::State& state) { run(state, a, b, variant, list, what); })
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const std::pair<Kind, Kind> with_manifolds[] = {
      {Kind::circle, Kind::circle}, {Kind::circle, Kind::box},  {Kind::circle, Kind::polygon},
      {Kind::box, Kind::box},       {Kind::box, Kind::polygon}, {Kind::polygon, Kind::polygon},
  };
  const auto add_manifolds = [](Kind a, Kind b) {
    for (const List list : {List::sorted, List::shallow}) {
      add_row(a, b, Variant::plain, list, What::manifold);
    }
  };
  for (const auto& [a, b] : with_manifolds) add_manifolds(a, b);
  const Kind kinds[] = {Kind::circle, Kind::capsule, Kind::box, Kind::polygon};
  if (kBox2dHasCapsules) {
    for (const Kind kind : kinds) {
      add_manifolds(std::min(kind, Kind::capsule), std::max(kind, Kind::capsule));
    }
  }
  for (const Kind a : kinds) {
    for (const Kind b : kinds) {
      if (a <= b) add_row(a, b, Variant::plain, List::apart, What::distance);
    }
  }
  if (!kBox2dHasCapsules) {
    // Points of 2.4's distances may be as many as one likes.
    add_row(Kind::polygon, Kind::polygon, Variant::large, List::apart, What::distance);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
