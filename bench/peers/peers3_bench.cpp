// Pairs in 3D against Bullet, FCL, libccd, ODE and MuJoCo (Debian's packages), Jolt, coal and
// Box3D. peer_rows.hpp explains rows and counters. Hulls are 64 geometries of 16 vertices, or of as
// many as the name says. Of the peers only coal rounds shapes by a column of its own.

#include "load_peers.hpp"
#include "peer_rows.hpp"

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const auto makers = joined(load_peers<Peers<3>>(WIDEPHASE_PEERS3), &Peers<3>::pairs);
  const auto add = [&](Kind a, Kind b, Variant variant = Variant::plain) {
    add_questions<3>(a, b, variant, makers);
  };
  constexpr Kind kKinds[] = {Kind::sphere,   Kind::capsule,   Kind::box, Kind::hull,
                             Kind::cylinder, Kind::ellipsoid, Kind::cone};
  for (const Kind& a : kKinds) {
    for (const Kind& b : std::span(&a, std::end(kKinds))) add(a, b);
  }
  for (const Variant variant : {Variant::hull8, Variant::hull32, Variant::hull64}) {
    add(Kind::hull, Kind::hull, variant);
  }
  add(Kind::box, Kind::cylinder, Variant::rounded);
  for (const Kind kind : {Kind::cylinder, Kind::ellipsoid, Kind::cone}) {
    add(kind, kind, Variant::rounded);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
