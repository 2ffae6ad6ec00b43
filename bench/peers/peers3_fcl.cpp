// FCL in 3D: up to four contacts for two boxes, one for other pairs and for the deepest point, none
// for yes or no. `fcl`: its default, libccd. Contacts use portal refinement, whose depth is an
// upper bound; overlaps and distances use GJK, which gives a few distances that are too large.
// `fcl_indep`: its own GJK and EPA. Their depths have a minus sign and are mostly too small. Their
// normals are in the frame of A (and are rotated to the scene's here). They miss some pairs. Both
// have closed forms for a sphere with a sphere, capsule, cylinder and box, and the routine of ODE
// for two boxes.
//
// Its pipeline: setTranslation and computeAABB, then update and collide of a
// DynamicAABBTreeCollisionManager, which keeps its tree. Contacts (up to 4 per pair of boxes) are
// appended to one vector, through one result that is cleared for every pair.

#include <fcl/fcl.h>

#include <memory>

#include <widephase/hulls.hpp>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// FCL's objects for the shapes of a scene, by id.
std::vector<std::unique_ptr<fcl::CollisionObjectf>> fcl_objects(
    const SceneColumns<3, float>& scene) {
  std::vector<std::shared_ptr<fcl::CollisionGeometryf>> hulls;
  for (std::size_t g = 0; g < geometry_count(scene); ++g) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3f>>();
    for (const auto& vertex : geometry_vertices(scene, g)) {
      vertices->emplace_back(vertex[0], vertex[1], vertex[2]);
    }
    // A face is its number of vertices, then the vertices.
    const auto topology = hull_topology(scene.geometries, static_cast<std::int32_t>(g));
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t f = 0; f + 1 < topology.face_offsets.size(); ++f) {
      const auto first = topology.face_vertices.begin() + topology.face_offsets[f];
      const auto last = topology.face_vertices.begin() + topology.face_offsets[f + 1];
      faces->push_back(static_cast<int>(last - first));
      faces->insert(faces->end(), first, last);
    }
    hulls.push_back(std::make_shared<fcl::Convexf>(vertices, topology.face_count(), faces));
  }
  std::vector<std::unique_ptr<fcl::CollisionObjectf>> objects;
  for (const PeerShape& shape : peer_shapes(scene)) {
    const auto size = [&](int k) { return static_cast<float>(shape.size[k]); };
    std::shared_ptr<fcl::CollisionGeometryf> made;
    switch (shape.kind) {
      case Kind::sphere:
        made = std::make_shared<fcl::Spheref>(size(0));
        break;
      case Kind::capsule:
        made = std::make_shared<fcl::Capsulef>(size(0), 2 * size(1));
        break;
      case Kind::box:
        made = std::make_shared<fcl::Boxf>(2 * size(0), 2 * size(1), 2 * size(2));
        break;
      case Kind::cylinder:
        made = std::make_shared<fcl::Cylinderf>(size(0), 2 * size(1));
        break;
      case Kind::ellipsoid:
        made = std::make_shared<fcl::Ellipsoidf>(size(0), size(1), size(2));
        break;
      case Kind::cone:
        made = std::make_shared<fcl::Conef>(size(0), 2 * size(1));
        break;
      case Kind::hull:
        made = hulls[shape.geometry];
        break;
      case Kind::aabb:
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;  // `peer_shapes` returns none
    }
    fcl::Transform3f place = fcl::Transform3f::Identity();
    place.translation() = Eigen::Vector3d(shape.center.data()).cast<float>();
    place.linear() = Eigen::Quaterniond(shape.turn.data()).cast<float>().toRotationMatrix();
    objects.push_back(std::make_unique<fcl::CollisionObjectf>(made, place));
  }
  return objects;
}

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

auto make_with(fcl::GJKSolverType solver) {
  return [=](const SceneColumns<3, float>& scene, const Asked& asked) {
    return make(scene, asked.question, solver);
  };
}

bool has(const Asked& asked) {
  return asked.question != Question::manifold || (asked.a == Kind::box && asked.b == Kind::box);
}

class FclPipeline : public Pipeline<3> {
 public:
  explicit FclPipeline(const SceneColumns<3, float>& scene)
      : objects_(fcl_objects(scene)), request_(row_count(scene.boxes) > 0 ? 4 : 1, true) {
    std::vector<fcl::CollisionObjectf*> all;
    for (const auto& object : objects_) all.push_back(object.get());
    manager_.registerObjects(all);
    manager_.setup();
  }
  std::size_t step(const Centers<3>& centers) override {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      objects_[i]->setTranslation({centers(i, 0), centers(i, 1), centers(i, 2)});
      objects_[i]->computeAABB();
    }
    manager_.update();
    contacts_.clear();
    touching_ = 0;
    manager_.collide(this, [](fcl::CollisionObjectf* a, fcl::CollisionObjectf* b, void* self) {
      static_cast<FclPipeline*>(self)->collide_pair(a, b);
      return false;
    });
    return touching_;
  }

 private:
  void collide_pair(fcl::CollisionObjectf* a, fcl::CollisionObjectf* b) {
    result_.clear();
    fcl::collide(a, b, request_, result_);
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      contacts_.push_back(result_.getContact(i));
    }
    touching_ += result_.isCollision();
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectf>> objects_;
  fcl::CollisionRequestf request_;
  fcl::CollisionResultf result_;
  fcl::DynamicAABBTreeCollisionManagerf manager_;
  std::vector<fcl::Contactf> contacts_;
  std::size_t touching_ = 0;
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  peers = {
      {"fcl", FCL_VERSION, WIDEPHASE_PEER_FLAGS},
      {{"fcl", has, make_with(fcl::GST_LIBCCD)}, {"fcl_indep", has, make_with(fcl::GST_INDEP)}},
      {pipeline_maker<FclPipeline, 3>("fcl")}};
}

}  // namespace widephase::bench
