// CGAL's box_self_intersection_d for peers_broad_bench: a recursion over segments, without a tree.
// This part of CGAL is under the GPL, and so is this program if CGAL was found.
//
// Its manual recommends trying two things. Boxes by value or by pointer: our boxes have 28 bytes,
// and values were as fast or faster. The cutoff, below which it tries all pairs: the best of
// kCutoffs for the scene is found outside the timed passes; its default, 10, takes up to 3 times as
// long. It sorts the list that it is given, so each call fills the list anew.

#include <CGAL/box_intersection_d.h>

#include <chrono>
#include <limits>

#include "peer_flags.hpp"
#include "peers_broad.hpp"

namespace widephase::bench {
namespace {

class CgalBoxes : public BroadPeer {
 public:
  explicit CgalBoxes(const BoundsBuffer<3, float>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      float low[3], high[3];
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = boxes.min(i, d);
        high[d] = boxes.max(i, d);
      }
      boxes_.emplace_back(low, high, static_cast<std::int32_t>(i));
    }
    tune();
  }

  std::span<const Pair> find() override {
    pairs_.clear();
    ordered_ = boxes_;
    CGAL::box_self_intersection_d(
        ordered_.begin(), ordered_.end(),
        [&](const Box& a, const Box& b) { pairs_.push_back({a.info(), b.info()}); }, cutoff_);
    return pairs_;
  }

 private:
  using Box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, std::int32_t>;
  static constexpr std::ptrdiff_t kCutoffs[] = {300, 1000, 3000};

  void tune() {
    double best = std::numeric_limits<double>::infinity();
    std::ptrdiff_t fastest = 0;
    for (const std::ptrdiff_t cutoff : kCutoffs) {
      cutoff_ = cutoff;
      const auto start = std::chrono::steady_clock::now();
      find();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      if (taken.count() >= best) continue;
      best = taken.count();
      fastest = cutoff;
    }
    cutoff_ = fastest;
  }

  std::vector<Box> boxes_, ordered_;
  std::ptrdiff_t cutoff_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(BroadPeers& peers) {
  peers = {{"broad_cgal", CGAL_VERSION_STR, WIDEPHASE_PEER_FLAGS},
           {{"cgal", make_broad<CgalBoxes>}}};
}

}  // namespace widephase::bench
