#pragma once

// Embree's rtcCollide between a kept tree of bounds and boxes whose tree is built anew, as user
// geometry and on one thread, with its default builder. It reports some pairs that do not overlap,
// so the callback compares the bounds, as a user's would.

#include <embree3/rtcore.h>

#include <vector>

#include <widephase/bounds.hpp>
#include <widephase/pairs.hpp>

namespace widephase::bench {

class NearEmbree {
 public:
  explicit NearEmbree(const BoundsBuffer<3, float>& kept) : kept_(kept), tree_(tree_of(kept)) {}
  NearEmbree(const NearEmbree&) = delete;
  NearEmbree& operator=(const NearEmbree&) = delete;
  ~NearEmbree() {
    rtcReleaseScene(tree_);
    rtcReleaseDevice(device_);
  }

  void find(const BoundsBuffer<3, float>& boxes) {
    boxes_ = &boxes;
    pairs_.clear();
    const RTCScene asked = tree_of(boxes);
    rtcCollide(
        tree_, asked,
        [](void* self, RTCCollision* found, unsigned count) {
          for (unsigned i = 0; i < count; ++i) {
            static_cast<NearEmbree*>(self)->keep(found[i].primID0, found[i].primID1);
          }
        },
        this);
    rtcReleaseScene(asked);
  }
  std::size_t pair_count() const { return pairs_.size(); }

 private:
  RTCScene tree_of(const BoundsBuffer<3, float>& bounds) const {
    const RTCScene scene = rtcNewScene(device_);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(bounds.size()));
    rtcSetGeometryUserData(geometry, const_cast<BoundsBuffer<3, float>*>(&bounds));
    rtcSetGeometryBoundsFunction(
        geometry,
        [](const RTCBoundsFunctionArguments* box) {
          const auto& all = *static_cast<const BoundsBuffer<3, float>*>(box->geometryUserPtr);
          const std::size_t i = box->primID;
          RTCBounds& out = *box->bounds_o;
          out.lower_x = all.min(i, 0);
          out.lower_y = all.min(i, 1);
          out.lower_z = all.min(i, 2);
          out.upper_x = all.max(i, 0);
          out.upper_y = all.max(i, 1);
          out.upper_z = all.max(i, 2);
        },
        nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
  }
  void keep(unsigned a, unsigned b) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (kept_.min(a, k) > boxes_->max(b, k) || boxes_->min(b, k) > kept_.max(a, k)) return;
    }
    pairs_.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
  }

  const BoundsBuffer<3, float>& kept_;
  const BoundsBuffer<3, float>* boxes_ = nullptr;
  std::vector<Pair> pairs_;
  RTCDevice device_ = rtcNewDevice("threads=1,set_affinity=0");
  RTCScene tree_;
};

}  // namespace widephase::bench
