// CGAL's box_self_intersection_d in peers_broad_bench: no tree, a recursion over segments. The part
// of CGAL that it is of is under the GPL, and so is this program where CGAL was found.

#include <CGAL/box_intersection_d.h>

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
  }

  std::span<const Pair> find() override {
    pairs_.clear();
    // It orders the boxes that it is given.
    std::vector<Box> boxes = boxes_;
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) {
      pairs_.push_back({a.info(), b.info()});
    });
    return pairs_;
  }

 private:
  using Box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, std::int32_t>;
  std::vector<Box> boxes_;
  std::vector<Pair> pairs_;
};

}  // namespace

BroadPeerMaker broad_cgal() {
  return {"cgal", [](const BoundsBuffer<3, float>& boxes) -> std::unique_ptr<BroadPeer> {
            return std::make_unique<CgalBoxes>(boxes);
          }};
}

}  // namespace widephase::bench
