// Embree's rtcCollide for peers_broad_bench: boxes as user geometry, and a tree that is built anew
// on one thread and collided with itself. `embree` uses its fastest builder; `embree_medium` uses
// its default, which builds better trees. It reports pairs within a leaf even if their boxes do not
// overlap, and every pair in both orders. The callback checks both, as a user's would.

#include <embree3/rtcore.h>

#include "peer_flags.hpp"
#include "peers_broad.hpp"

namespace widephase::bench {
namespace {

class EmbreeTree : public BroadPeer {
 public:
  EmbreeTree(const BoundsBuffer<3, float>& boxes, RTCBuildQuality quality)
      : boxes_(boxes), quality_(quality) {}
  ~EmbreeTree() override { rtcReleaseDevice(device_); }

  std::span<const Pair> find() override {
    pairs_.clear();
    const RTCScene scene = rtcNewScene(device_);
    rtcSetSceneBuildQuality(scene, quality_);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes_.size()));
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(
        geometry,
        [](const RTCBoundsFunctionArguments* box) {
          const auto& self = *static_cast<const EmbreeTree*>(box->geometryUserPtr);
          const std::size_t i = box->primID;
          RTCBounds& out = *box->bounds_o;
          out.lower_x = self.boxes_.min(i, 0);
          out.lower_y = self.boxes_.min(i, 1);
          out.lower_z = self.boxes_.min(i, 2);
          out.upper_x = self.boxes_.max(i, 0);
          out.upper_y = self.boxes_.max(i, 1);
          out.upper_z = self.boxes_.max(i, 2);
        },
        nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    rtcCollide(
        scene, scene,
        [](void* self, RTCCollision* found, unsigned count) {
          for (unsigned i = 0; i < count; ++i) {
            static_cast<EmbreeTree*>(self)->keep(found[i].primID0, found[i].primID1);
          }
        },
        this);
    rtcReleaseScene(scene);
    return pairs_;
  }

 private:
  void keep(unsigned a, unsigned b) {
    if (a >= b) return;
    for (std::size_t d = 0; d < 3; ++d) {
      if (boxes_.min(a, d) > boxes_.max(b, d) || boxes_.min(b, d) > boxes_.max(a, d)) return;
    }
    pairs_.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
  }

  const BoundsBuffer<3, float>& boxes_;
  RTCBuildQuality quality_;
  std::vector<Pair> pairs_;
  RTCDevice device_ = rtcNewDevice("threads=1,set_affinity=0");
};

template <RTCBuildQuality Quality>
std::unique_ptr<BroadPeer> make_with(const BoundsBuffer<3, float>& boxes) {
  return std::make_unique<EmbreeTree>(boxes, Quality);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(BroadPeers& peers) {
  peers = {{"broad_embree", RTC_VERSION_STRING, WIDEPHASE_PEER_FLAGS},
           {{"embree", make_with<RTC_BUILD_QUALITY_LOW>},
            {"embree_medium", make_with<RTC_BUILD_QUALITY_MEDIUM>}}};
}

}  // namespace widephase::bench
