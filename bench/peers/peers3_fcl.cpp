// FCL in 3D: up to four contacts of two boxes, one of other pairs and where the deepest is asked,
// none where yes or no is. `fcl`: its default, by libccd: portal refinement for contacts, whose
// depth is an upper bound, GJK for overlaps and distances, a few of which are too large;
// `fcl_indep`: GJK and EPA of its own, whose depths come with a minus and are mostly too small,
// whose normals come in the frame of A (here they are turned into that of the scene), and which
// misses some pairs. Either has closed forms for a sphere with a sphere, capsule, cylinder and box,
// and for two boxes the routine of ODE.

#include "peer_fcl.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, Question question,
                           fcl::GJKSolverType solver) {
  using Objects = std::vector<std::unique_ptr<fcl::CollisionObjectf>>;
  auto objects = std::make_shared<Objects>(fcl_objects(scene));
  const auto at = [objects](std::int32_t id) {
    return (*objects)[static_cast<std::size_t>(id)].get();
  };
  if (question != Question::distance) {
    const bool with_contact = question != Question::overlap;
    fcl::CollisionRequestf request(question == Question::manifold ? 4 : 1, with_contact);
    request.gjk_solver_type = solver;
    return one_by_one([at, request, result = fcl::CollisionResultf()](const Pair pair) mutable {
      result.clear();
      fcl::collide(at(pair.a), at(pair.b), request, result);
      if (!request.enable_contact) return Answer{result.isCollision(), 0, {}};
      Answer answer{result.isCollision(), -std::numeric_limits<double>::max(), {}};
      for (std::size_t i = 0; i < result.numContacts(); ++i) {
        const fcl::Contactf& contact = result.getContact(i);
        const double depth = std::abs(contact.penetration_depth);
        if (!(depth > answer.depth)) continue;
        answer.depth = depth;
        Eigen::Vector3f normal = contact.normal;
        if (contact.penetration_depth < 0) normal = at(pair.a)->getRotation() * normal;
        answer.normal = {normal[0], normal[1], normal[2]};
      }
      return answer;
    });
  }
  fcl::DistanceRequestf request(true);
  request.gjk_solver_type = solver;
  return one_by_one([at, request, result = fcl::DistanceResultf()](const Pair pair) mutable {
    result.clear();
    fcl::distance(at(pair.a), at(pair.b), request, result);
    return Answer{result.min_distance > 0, -result.min_distance, {}};
  });
}

}  // namespace

std::vector<PeerMaker> fcl_peers() {
  const auto has = [](Kind a, Kind b, Variant, Question question) {
    return question != Question::manifold || (a == Kind::box && b == Kind::box);
  };
  const auto make_with = [](fcl::GJKSolverType solver) {
    return [=](const SceneColumns<3, float>& scene, Question question) {
      return make(scene, question, solver);
    };
  };
  return {{"fcl", has, make_with(fcl::GST_LIBCCD)}, {"fcl_indep", has, make_with(fcl::GST_INDEP)}};
}

}  // namespace widephase::bench
