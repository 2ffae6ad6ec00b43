// Pairs in 2D against Box2D 2.4 (Debian's package, built for SSE2) and Box2D 3.1, which also has
// capsules. peer_rows.hpp explains rows and counters. Polygons have 3 to 8 vertices, or 64 if the
// name says so.
//
// peers2/scene/<who>/<count>: a whole pipeline, step after step, for the `uniform` balls in 2D
// (peer_steps.hpp says what moves and what is timed), against a b2World of 2.4.

#include "load_peers.hpp"
#include "peer_rows.hpp"
#include "peer_steps.hpp"

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const auto peers = load_peers<Peers<2>>(WIDEPHASE_PEERS2);
  const auto makers = joined(peers, &Peers<2>::pairs);
  const Kind kinds[] = {Kind::circle, Kind::capsule, Kind::box, Kind::polygon};
  for (const Kind a : kinds) {
    for (const Kind b : kinds) {
      if (a <= b) add_questions<2>(a, b, Variant::plain, makers);
    }
  }
  add_questions<2>(Kind::polygon, Kind::polygon, Variant::large, makers);
  add_pipelines<2>("peers2/scene", balls<2>, joined(peers, &Peers<2>::pipelines));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
