#pragma once

// FCL's meshes under trees of OBBRSS, its fastest: yes or no, and distances. Its `distance` of
// meshes that cross is not below 0 by contract (issue 491), so it counts as 0.

#include <fcl/fcl.h>

#include <memory>

#include <widephase/widephase.hpp>

namespace widephase::bench {

class TwoMeshesFcl {
 public:
  explicit TwoMeshesFcl(const MeshTable<Owned<3, float>>& mesh)
      : mesh_(std::make_shared<fcl::BVHModel<fcl::OBBRSSf>>()) {
    std::vector<fcl::Vector3f> vertices;
    std::vector<fcl::Triangle> triangles;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      vertices.emplace_back(mesh.vertices(v, 0), mesh.vertices(v, 1), mesh.vertices(v, 2));
    }
    for (std::size_t t = 0; t < mesh.indices.size(); ++t) {
      triangles.emplace_back(mesh.indices(t, 0), mesh.indices(t, 1), mesh.indices(t, 2));
    }
    mesh_->beginModel();
    mesh_->addSubModel(vertices, triangles);
    mesh_->endModel();
  }
  bool meets(const SceneColumns<3, float>& scene, std::size_t row) const {
    const fcl::CollisionRequestf request;
    fcl::CollisionResultf result;
    return fcl::collide(mesh_.get(), pose_of(scene, 0), mesh_.get(), pose_of(scene, row), request,
                        result) > 0;
  }
  float distance(const SceneColumns<3, float>& scene, std::size_t row) const {
    const fcl::DistanceRequestf request;
    fcl::DistanceResultf result;
    const float found = fcl::distance(mesh_.get(), pose_of(scene, 0), mesh_.get(),
                                      pose_of(scene, row), request, result);
    return found > 0 ? found : 0;
  }

 private:
  static fcl::Transform3f pose_of(const SceneColumns<3, float>& scene, std::size_t row) {
    const auto& turn = scene.meshes.turn;
    fcl::Transform3f pose = fcl::Transform3f::Identity();
    pose.linear() =
        fcl::Quaternionf(turn(row, 3), turn(row, 0), turn(row, 1), turn(row, 2)).toRotationMatrix();
    for (int k = 0; k < 3; ++k) pose.translation()[k] = scene.meshes.center(row, k);
    return pose;
  }

  std::shared_ptr<fcl::BVHModel<fcl::OBBRSSf>> mesh_;
};

}  // namespace widephase::bench
