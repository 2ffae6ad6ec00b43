// ODE in 3D, in its build's precision (Debian's: double), up to four contacts a pair. Two
// boxes come apart along a pair of edges only where that is shorter by a twentieth than along a
// face, so their depth may be too large by as much, in Bullet and FCL too, which have this routine
// from ODE. It has no distances; what it has no collider for, it has no row for.

#include <ode/ode.h>

#include <widephase/hulls.hpp>

#include "peer_shapes.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

/// ODE borrows the arrays of its convex geoms.
struct OdeHull {
  std::vector<dReal> planes;
  std::vector<dReal> points;
  std::vector<unsigned> polygons;  ///< a face is its count, then its vertices
};

struct OdeGeoms {
  std::vector<OdeHull> hulls;
  std::vector<dGeomID> geoms;  ///< by id

  explicit OdeGeoms(const SceneColumns<3, float>& scene) {
    for (std::size_t g = 0; g < geometry_count(scene); ++g) {
      hulls.push_back(hull(scene, g));
    }
    for (const PeerShape& shape : peer_shapes(scene)) {
      const auto& size = shape.size;
      dGeomID geom = nullptr;
      switch (shape.kind) {
        case Kind::sphere:
          geom = dCreateSphere(nullptr, size[0]);
          break;
        case Kind::capsule:
          geom = dCreateCapsule(nullptr, size[0], 2 * size[1]);
          break;
        case Kind::box:
          geom = dCreateBox(nullptr, 2 * size[0], 2 * size[1], 2 * size[2]);
          break;
        default: {
          OdeHull& hull = hulls[shape.geometry];
          geom = dCreateConvex(nullptr, hull.planes.data(),
                               static_cast<unsigned>(hull.planes.size() / 4), hull.points.data(),
                               static_cast<unsigned>(hull.points.size() / 3), hull.polygons.data());
        }
      }
      dGeomSetPosition(geom, shape.center[0], shape.center[1], shape.center[2]);
      const dQuaternion turn{shape.turn[3], shape.turn[0], shape.turn[1], shape.turn[2]};
      dGeomSetQuaternion(geom, turn);
      geoms.push_back(geom);
    }
  }
  OdeGeoms(const OdeGeoms&) = delete;
  ~OdeGeoms() {
    for (const dGeomID geom : geoms) dGeomDestroy(geom);
  }

 private:
  static OdeHull hull(const SceneColumns<3, float>& scene, std::size_t g) {
    OdeHull hull;
    for (const auto& vertex : geometry_vertices(scene, g)) {
      hull.points.insert(hull.points.end(), vertex.begin(), vertex.end());
    }
    const auto topology = hull_topology(scene.geometries, static_cast<std::int32_t>(g));
    for (std::size_t f = 0; f + 1 < topology.face_offsets.size(); ++f) {
      for (int k = 0; k < 3; ++k) hull.planes.push_back(topology.normals(f, k));
      hull.planes.push_back(topology.offsets[f]);
      const auto first = topology.face_vertices.begin() + topology.face_offsets[f];
      const auto last = topology.face_vertices.begin() + topology.face_offsets[f + 1];
      hull.polygons.push_back(static_cast<unsigned>(last - first));
      hull.polygons.insert(hull.polygons.end(), first, last);
    }
    return hull;
  }
};

/// ODE is set up once for the whole program.
void start_ode() {
  static const bool started = dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
  if (!started) throw std::runtime_error("ODE did not start");
}

/// Whether two such shapes with one centre touch by ODE: where it has no collider they never do.
bool has_collider(Kind a, Kind b) {
  start_ode();
  SceneColumns<3, float> scene;
  Random random(1);
  scenes::add_hulls(scene, 1, 16, 0.5, 0.5, random);
  scene.spheres.center = {{0, 0, 0}};
  scene.spheres.radius = {0.5f};
  scene.capsules.a = {{0, 0, -0.5f}};
  scene.capsules.b = {{0, 0, 0.5f}};
  scene.capsules.radius = {0.5f};
  scene.boxes.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.boxes.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.boxes.half_extents = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}};
  scene.hulls.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.hulls.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.hulls.geometry = {0, 0};
  const SceneLayout layout = layout_of(SceneSpan<3, float>(scene));
  const OdeGeoms ode(scene);
  dContactGeom contacts[4];
  return dCollide(ode.geoms[static_cast<std::size_t>(layout.id(a, 0))],
                  ode.geoms[static_cast<std::size_t>(layout.id(b, a == b ? 1 : 0))], 4, contacts,
                  sizeof(dContactGeom)) > 0;
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, Question) {
  start_ode();
  return one_by_one([ode = std::make_shared<OdeGeoms>(scene)](const Pair pair) {
    dContactGeom contacts[4];
    const int count =
        dCollide(ode->geoms[static_cast<std::size_t>(pair.a)],
                 ode->geoms[static_cast<std::size_t>(pair.b)], 4, contacts, sizeof(dContactGeom));
    Answer answer{count > 0, -std::numeric_limits<double>::max(), {}};
    for (int i = 0; i < count; ++i) {
      if (!(contacts[i].depth > answer.depth)) continue;
      answer.depth = contacts[i].depth;
      // ODE's is from B to A.
      for (std::size_t k = 0; k < 3; ++k) answer.normal[k] = -contacts[i].normal[k];
    }
    return answer;
  });
}

}  // namespace

std::vector<PeerMaker> ode_peers() {
  return {{"ode",
           [](Kind a, Kind b, Variant, Question question) {
             return question == Question::contact && has_collider(a, b);
           },
           make}};
}

}  // namespace widephase::bench
