#pragma once

// What the benchmarks against MuJoCo share.

#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "peer_shapes.hpp"

namespace widephase::bench {

/// MuJoCo's model of a scene as XML: its shapes become geoms of the world, by id. `asset` and
/// `geom` are added after its own.
inline std::string model_xml(const SceneColumns<3, float>& scene, const std::string& asset,
                             const std::string& geom) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<mujoco><size njmax='1' nconmax='1'/><asset>";
  for (std::size_t g = 0; g < geometry_count(scene); ++g) {
    xml << "<mesh name='" << g << "' vertex='";
    for (const auto& v : geometry_vertices(scene, g)) {
      xml << v[0] << ' ' << v[1] << ' ' << v[2] << ' ';
    }
    xml << "'/>";
  }
  xml << asset << "</asset><worldbody>";
  for (const PeerShape& shape : peer_shapes(scene)) {
    const auto& [x, y, z] = shape.center;
    const auto& size = shape.size;
    xml << "<geom pos='" << x << ' ' << y << ' ' << z << "' quat='" << shape.turn[3] << ' '
        << shape.turn[0] << ' ' << shape.turn[1] << ' ' << shape.turn[2] << "' ";
    switch (shape.kind) {
      case Kind::sphere:
        xml << "type='sphere' size='" << size[0] << "'/>";
        break;
      case Kind::capsule:
        xml << "type='capsule' size='" << size[0] << ' ' << size[1] << "'/>";
        break;
      case Kind::box:
        xml << "type='box' size='" << size[0] << ' ' << size[1] << ' ' << size[2] << "'/>";
        break;
      case Kind::cylinder:
        xml << "type='cylinder' size='" << size[0] << ' ' << size[1] << "'/>";
        break;
      case Kind::ellipsoid:
        xml << "type='ellipsoid' size='" << size[0] << ' ' << size[1] << ' ' << size[2] << "'/>";
        break;
      case Kind::hull:
        xml << "type='mesh' mesh='" << shape.geometry << "'/>";
        break;
      case Kind::cone:
        throw std::runtime_error("MuJoCo has no cones");
      case Kind::aabb:
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;  // `peer_shapes` returns none
    }
  }
  xml << geom << "</worldbody></mujoco>";
  return xml.str();
}

/// The model, compiled.
struct MujocoGeoms {
  mjModel* model = nullptr;
  mjData* data = nullptr;

  explicit MujocoGeoms(const SceneColumns<3, float>& scene, const std::string& asset = {},
                       const std::string& geom = {}) {
    const std::string xml = model_xml(scene, asset, geom);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char error[1000] = "";
    model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data = mj_makeData(model);
    mj_kinematics(model, data);
  }
  MujocoGeoms(const MujocoGeoms&) = delete;
  ~MujocoGeoms() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
};

}  // namespace widephase::bench
