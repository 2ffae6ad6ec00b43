#pragma once

// FCL's side of the benchmarks beside it.

#include <fcl/fcl.h>

#include <memory>

#include <widephase/hulls.hpp>

#include "peer_shapes.hpp"

namespace widephase::bench {

/// FCL's objects for the shapes of a scene, by id.
inline std::vector<std::unique_ptr<fcl::CollisionObjectf>> fcl_objects(
    const SceneColumns<3, float>& scene) {
  std::vector<std::shared_ptr<fcl::CollisionGeometryf>> hulls;
  for (std::size_t g = 0; g < geometry_count(scene); ++g) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3f>>();
    for (const auto& vertex : geometry_vertices(scene, g)) {
      vertices->emplace_back(vertex[0], vertex[1], vertex[2]);
    }
    // A face is its count, then its vertices.
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
      default:
        made = hulls[shape.geometry];
    }
    fcl::Transform3f place = fcl::Transform3f::Identity();
    place.translation() = Eigen::Vector3d(shape.center.data()).cast<float>();
    place.linear() = Eigen::Quaterniond(shape.turn.data()).cast<float>().toRotationMatrix();
    objects.push_back(std::make_unique<fcl::CollisionObjectf>(made, place));
  }
  return objects;
}

}  // namespace widephase::bench
