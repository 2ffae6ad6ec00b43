// coal (3.0 or newer) in 3D, in double. It uses its defaults, with two exceptions: GJK starts
// between the centres of the shapes' boxes, and it stops when it is sure that shapes are apart,
// which makes yes or no take 0.4 to 0.7 times as long. Contacts are the signed distance of the
// pair; a manifold also has the patch of points around it. Yes or no is computed without a contact,
// distances without the depth of shapes that overlap. Functions of its tables are called with
// solvers that are kept, as its ComputeCollision does for one pair; `coal::collide` makes a solver
// per call. Nesterov's acceleration was tried: it is slower for such small shapes. Linked and run
// with 3.0.0.

#include <coal/collision.h>
#include <coal/collision_func_matrix.h>
#include <coal/contact_patch.h>
#include <coal/contact_patch_func_matrix.h>
#include <coal/distance.h>
#include <coal/distance_func_matrix.h>
#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <widephase/hulls.hpp>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

std::shared_ptr<coal::CollisionGeometry> hull_of(const SceneColumns<3, float>& scene,
                                                 std::size_t geometry) {
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  for (const auto& v : geometry_vertices(scene, geometry)) points->emplace_back(v[0], v[1], v[2]);
  const auto topology = hull_topology(scene.geometries, static_cast<std::int32_t>(geometry));
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (std::size_t f = 0; f + 1 < topology.face_offsets.size(); ++f) {
    const auto first = static_cast<std::size_t>(topology.face_offsets[f]);
    const auto last = static_cast<std::size_t>(topology.face_offsets[f + 1]);
    const auto vertex = [&](std::size_t i) {
      return static_cast<unsigned>(topology.face_vertices[i]);
    };
    for (std::size_t i = first + 2; i < last; ++i) {
      triangles->emplace_back(vertex(first), vertex(i - 1), vertex(i));
    }
  }
  const auto point_count = static_cast<unsigned>(points->size());
  const auto triangle_count = static_cast<unsigned>(triangles->size());
  return std::make_shared<coal::Convex<coal::Triangle>>(points, point_count, triangles,
                                                        triangle_count);
}

struct CoalShapes {
  std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;  ///< by id
  std::vector<coal::Transform3s> places;

  explicit CoalShapes(const SceneColumns<3, float>& scene) {
    std::vector<std::shared_ptr<coal::CollisionGeometry>> hulls;
    for (std::size_t g = 0; g < geometry_count(scene); ++g) hulls.push_back(hull_of(scene, g));
    for (const PeerShape& shape : peer_shapes(scene)) {
      const auto& [x, y, z] = shape.size;
      switch (shape.kind) {
        case Kind::sphere:
          shapes.push_back(std::make_shared<coal::Sphere>(x));
          break;
        case Kind::capsule:
          shapes.push_back(std::make_shared<coal::Capsule>(x, 2 * y));
          break;
        case Kind::box:
          shapes.push_back(std::make_shared<coal::Box>(2 * x, 2 * y, 2 * z));
          break;
        case Kind::cylinder:
          shapes.push_back(std::make_shared<coal::Cylinder>(x, 2 * y));
          break;
        case Kind::ellipsoid:
          shapes.push_back(std::make_shared<coal::Ellipsoid>(x, y, z));
          break;
        case Kind::cone:
          shapes.push_back(std::make_shared<coal::Cone>(x, 2 * y));
          break;
        case Kind::hull:
          shapes.push_back(hulls[shape.geometry]);
          break;
        case Kind::aabb:
        case Kind::polygon:
        case Kind::halfspace:
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          break;  // `peer_shapes` returns none
      }
      static_cast<coal::ShapeBase&>(*shapes.back()).setSweptSphereRadius(shape.rounding);
      shapes.back()->computeLocalAABB();  // where GJK starts
      // Coal calls it Quatf in 3.0 and Quats in later versions.
      const Eigen::Quaterniond turn(shape.turn[3], shape.turn[0], shape.turn[1], shape.turn[2]);
      places.emplace_back(turn, coal::Vec3s(shape.center[0], shape.center[1], shape.center[2]));
    }
  }
};

coal::CollisionRequest collision_request(Question question) {
  coal::CollisionRequest request(
      question == Question::overlap ? coal::NO_REQUEST : coal::CONTACT, 1);
  request.distance_upper_bound = 0;
  request.gjk_initial_guess = coal::GJKInitialGuess::BoundingVolumeGuess;
  return request;
}

coal::DistanceRequest distance_request() {
  coal::DistanceRequest request(true, false);
  request.gjk_initial_guess = coal::GJKInitialGuess::BoundingVolumeGuess;
  return request;
}

class Coal : public Peer {
 public:
  Coal(const SceneColumns<3, float>& scene, Question question)
      : scene_(scene),
        question_(question),
        collision_request_(collision_request(question)),
        distance_request_(distance_request()) {}

  void answer(std::span<const Pair> pairs, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto a = static_cast<std::size_t>(pairs[i].a), b = static_cast<std::size_t>(pairs[i].b);
      answers[i] = question_ == Question::distance ? distance(a, b) : contact(a, b);
    }
  }

 private:
  template <class Table>
  auto function_of(const Table& table, std::size_t a, std::size_t b) const {
    return table[scene_.shapes[a]->getNodeType()][scene_.shapes[b]->getNodeType()];
  }

  Answer contact(std::size_t a, std::size_t b) {
    const auto *shape_a = scene_.shapes[a].get(), *shape_b = scene_.shapes[b].get();
    const auto &place_a = scene_.places[a], &place_b = scene_.places[b];
    collision_.clear();
    function_of(collisions_.collision_matrix, a, b)(
        shape_a, place_a, shape_b, place_b, &collision_solver_, collision_request_, collision_);
    if (!collision_.isCollision()) return {};
    if (question_ == Question::overlap) return {true, 0, {}};
    if (question_ == Question::manifold) {
      patches_.set(patch_request_);
      function_of(patch_table_.contact_patch_matrix, a, b)(
          shape_a, place_a, shape_b, place_b, collision_, &patch_solver_, patch_request_, patches_);
    }
    const coal::Contact& contact = collision_.getContact(0);
    // What it calls a depth is the signed distance.
    return {true,
            -contact.penetration_depth,
            {contact.normal[0], contact.normal[1], contact.normal[2]}};
  }

  Answer distance(std::size_t a, std::size_t b) {
    distance_.clear();
    function_of(distances_.distance_matrix, a, b)(scene_.shapes[a].get(), scene_.places[a],
                                                  scene_.shapes[b].get(), scene_.places[b],
                                                  &distance_solver_, distance_request_, distance_);
    return {distance_.min_distance > 0, -distance_.min_distance, {}};
  }

  CoalShapes scene_;
  Question question_;
  coal::CollisionFunctionMatrix collisions_;
  coal::ContactPatchFunctionMatrix patch_table_;
  coal::DistanceFunctionMatrix distances_;
  coal::CollisionRequest collision_request_;
  coal::ContactPatchRequest patch_request_;
  coal::DistanceRequest distance_request_;
  // Kept from pair to pair, so that calls do not allocate.
  coal::GJKSolver collision_solver_{collision_request_};
  coal::ContactPatchSolver patch_solver_{patch_request_};
  coal::GJKSolver distance_solver_{distance_request_};
  coal::CollisionResult collision_;
  coal::ContactPatchResult patches_{patch_request_};
  coal::DistanceResult distance_;
};

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked& asked) {
  return std::make_unique<Coal>(scene, asked.question);
}

bool has(const Asked& asked) {
  return asked.question != Question::manifold || has_many_points(asked.a, asked.b);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  peers = {{"coal", WIDEPHASE_PEER_VERSION, WIDEPHASE_PEER_FLAGS}, {{"coal", has, make, true}}, {}};
}

}  // namespace widephase::bench
