// MuJoCo in 3D, in double except for the vertices of meshes: the functions of its collision table,
// called for one pair at a time, as a step of its simulation does. Two boxes have their own
// function, which gives half the depth if the direction of least depth is a face normal. Spheres
// and capsules with boxes have closed forms, which give the radius of a sphere as the depth if its
// centre is inside the box. Hulls are meshes. They, cylinders and ellipsoids use libccd's portal
// refinement, whose depth is measured along its last portal and is an upper bound. Only boxes with
// boxes and capsules get manifolds; other pairs get one point. It has no call that answers less, no
// distances and no cones.

#include "peer_flags.hpp"
#include "peer_mujoco.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// For other pairs it makes one point, and two for parallel capsules.
bool makes_manifolds(Kind a, Kind b) {
  return b == Kind::box && (a == Kind::capsule || a == Kind::box);
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked&) {
  return one_by_one([mujoco = std::make_shared<MujocoGeoms>(scene)](const Pair pair) {
    const mjModel* const model = mujoco->model;
    mjContact contacts[mjMAXCONPAIR];
    // It takes types in ascending order, and a cylinder comes before a box.
    const bool is_swapped = model->geom_type[pair.a] > model->geom_type[pair.b];
    const int a = is_swapped ? pair.b : pair.a, b = is_swapped ? pair.a : pair.b;
    const auto collide = mjCOLLISIONFUNC[model->geom_type[a]][model->geom_type[b]];
    const int count = collide(model, mujoco->data, contacts, a, b, 0);
    Answer answer{count > 0, -std::numeric_limits<double>::max(), {}};
    for (int i = 0; i < count; ++i) {
      if (!(-contacts[i].dist > answer.depth)) continue;
      answer.depth = -contacts[i].dist;
      for (std::size_t k = 0; k < 3; ++k) {
        answer.normal[k] = is_swapped ? -contacts[i].frame[k] : contacts[i].frame[k];
      }
    }
    return answer;
  });
}

bool has(const Asked& asked) {
  if (is_of(asked, Kind::cone)) return false;
  const bool is_manifold = makes_manifolds(asked.a, asked.b);
  return asked.question == (is_manifold ? Question::manifold : Question::deepest);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  peers = {{"mujoco", mj_versionString(), WIDEPHASE_PEER_FLAGS}, {{"mujoco", has, make}}, {}};
}

}  // namespace widephase::bench
