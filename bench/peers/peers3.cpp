#include "peers3.hpp"

namespace widephase::bench {

std::vector<PeerMaker> peers3() {
  std::vector<PeerMaker> all;
  [[maybe_unused]] const auto add = [&](std::vector<PeerMaker> makers) {
    all.insert(all.end(), makers.begin(), makers.end());
  };
#ifdef WIDEPHASE_BENCH_BULLET
  add(bullet_peers());
#endif
#ifdef WIDEPHASE_BENCH_FCL
  add(fcl_peers());
#endif
#ifdef WIDEPHASE_BENCH_CCD
  add(ccd_peers());
#endif
#ifdef WIDEPHASE_BENCH_ODE
  add(ode_peers());
#endif
#ifdef WIDEPHASE_BENCH_MUJOCO
  add(mujoco_peers());
#endif
#ifdef WIDEPHASE_BENCH_JOLT
  add(jolt_peers());
#endif
#ifdef WIDEPHASE_BENCH_COAL
  add(coal_peers());
#endif
#ifdef WIDEPHASE_BENCH_BOX3D
  add(box3d_peers());
#endif
  return all;
}

}  // namespace widephase::bench
