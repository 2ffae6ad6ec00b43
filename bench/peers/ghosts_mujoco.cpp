// MuJoCo's height field, as a step of its simulation asks it: for every prism under a shape portal
// refinement of libccd, up to 50 points. Its heights are scaled to lie between 0 and 1, and level
// ground stays at 0; below is a base of 1. Its points are in double.

#include "ghosts.hpp"
#include "peer_flags.hpp"
#include "peer_mujoco.hpp"

namespace widephase::bench {
namespace {

std::string asset_of(const Floor& floor) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<hfield name='floor' nrow='" << floor.cells + 1 << "' ncol='" << floor.cells + 1
      << "' size='" << floor.side() / 2 << ' ' << floor.side() / 2 << ' '
      << floor.range()[1] - floor.range()[0] << " 1'/>";
  return xml.str();
}

std::string geom_of(const Floor& floor) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<geom type='hfield' hfield='floor' pos='" << floor.side() / 2 << ' ' << floor.side() / 2
      << ' ' << floor.range()[0] << "'/>";
  return xml.str();
}

class MujocoFloor : public FloorPeer {
 public:
  MujocoFloor(const Floor& floor, const SceneColumns<3, float>& shapes)
      : geoms_(shapes, asset_of(floor), geom_of(floor)) {
    const auto [low, high] = floor.range();
    for (std::size_t c = 0; c < floor.corners(); ++c) {
      geoms_.model->hfield_data[c] = (floor.height(c) - low) / (high - low);
    }
  }
  void find(std::size_t id, std::vector<FloorPoint>& points) override {
    const mjModel* const model = geoms_.model;
    const int floor = static_cast<int>(model->ngeom) - 1, geom = static_cast<int>(id);
    mjContact contacts[mjMAXCONPAIR];
    const auto collide = mjCOLLISIONFUNC[mjGEOM_HFIELD][model->geom_type[geom]];
    const int count = collide(model, geoms_.data, contacts, floor, geom, 0);
    for (int i = 0; i < count; ++i) {
      // The normal leads from the field to the shape.
      points.push_back({contacts[i].frame[2], -contacts[i].dist});
    }
  }

 private:
  MujocoGeoms geoms_;
};

std::unique_ptr<FloorPeer> make(const Floor& floor, const SceneColumns<3, float>& shapes) {
  return std::make_unique<MujocoFloor>(floor, shapes);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(FloorPeers& peers) {
  peers = {{"mujoco", mj_versionString(), WIDEPHASE_PEER_FLAGS}, {{"mujoco", make}}};
}

}  // namespace widephase::bench
