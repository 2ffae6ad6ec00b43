// ODE in 3D, in the precision of its build (Debian's: double): up to four contacts for two boxes
// and for a box and a cylinder, one for other pairs and for the deepest point. For yes or no, any
// contact will do. It only separates two boxes along a pair of edges if that is shorter than a face
// direction by a twentieth. So the depth may be too large by as much, and also in Bullet and FCL,
// which took this routine from ODE. For a box and a cylinder it misses one contact of 30. It has no
// distances, ellipsoids or cones, and no row for pairs without a collider.
//
// Its pipeline: dGeomSetPosition, then dSpaceCollide of a dSweepAndPruneSpace (a dHashSpace was
// slower) with dCollide (up to 4 points for boxes). Contacts are appended to one vector.

#include <ode/ode.h>
#include <ode/version.h>

#include <widephase/hulls.hpp>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// ODE borrows the arrays of its convex geoms.
struct OdeHull {
  std::vector<dReal> planes;
  std::vector<dReal> points;
  std::vector<unsigned> polygons;  ///< a face is its number of vertices, then the vertices
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
        case Kind::cylinder:
          geom = dCreateCylinder(nullptr, size[0], 2 * size[1]);
          break;
        case Kind::hull: {
          OdeHull& hull = hulls[shape.geometry];
          geom = dCreateConvex(nullptr, hull.planes.data(),
                               static_cast<unsigned>(hull.planes.size() / 4), hull.points.data(),
                               static_cast<unsigned>(hull.points.size() / 3), hull.polygons.data());
          break;
        }
        case Kind::ellipsoid:
        case Kind::cone:
          throw std::runtime_error("ODE has neither ellipsoids nor cones");
        case Kind::aabb:
        case Kind::polygon:
        case Kind::halfspace:
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          break;  // `peer_shapes` returns none
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

/// ODE is set up once per program.
void start_ode() {
  static const bool started = dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
  if (!started) throw std::runtime_error("ODE did not start");
}

/// Whether ODE reports contact for two such shapes with the same centre; it never does without a
/// collider.
bool has_collider(Kind a, Kind b) {
  start_ode();
  SceneColumns<3, float> scene;
  Random random(1);
  scenes::add_hulls(scene, 1, 16, 0.5, 0.5, random);
  scene.spheres.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.spheres.radius = {0.5f, 0.5f};
  scene.capsules.a = {{0, 0, -0.5f}, {0.1f, 0.2f, 0.3f}};
  scene.capsules.b = {{0, 0, 0.5f}, {0.1f, 0.2f, 1.3f}};
  scene.capsules.radius = {0.5f, 0.5f};
  scene.boxes.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.boxes.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.boxes.half_extents = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}};
  scene.hulls.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.hulls.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.hulls.geometry = {0, 0};
  scene.cylinders.center = {{0, 0, 0}, {0.1f, 0.2f, 0.3f}};
  scene.cylinders.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.cylinders.half_height = {0.5f, 0.5f};
  scene.cylinders.radius = {0.5f, 0.5f};
  const SceneLayout layout = layout_of(SceneSpan<3, float>(scene));
  const OdeGeoms ode(scene);
  dContactGeom contacts[4];
  return dCollide(ode.geoms[static_cast<std::size_t>(layout.id(a, 0))],
                  ode.geoms[static_cast<std::size_t>(layout.id(b, a == b ? 1 : 0))], 4, contacts,
                  sizeof(dContactGeom)) > 0;
}

/// For other pairs it makes one point, except two for parallel capsules, and more for two hulls
/// once in 100,000 pairs.
bool makes_manifolds(Kind a, Kind b) {
  return a == Kind::box && (b == Kind::box || b == Kind::cylinder);
}

/// How many contacts are asked for; for yes or no any contact will do.
int flags_of(Question question) {
  if (question == Question::manifold) return 4;
  return question == Question::deepest ? 1 : static_cast<int>(CONTACTS_UNIMPORTANT | 1);
}

/// For two boxes it may return a contact that does not overlap, which counts as none.
bool takes_any(dGeomID a, dGeomID b) {
  return dGeomGetClass(a) != dBoxClass || dGeomGetClass(b) != dBoxClass;
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked& asked) {
  const Question question = asked.question;
  start_ode();
  return one_by_one([ode = std::make_shared<OdeGeoms>(scene), question](const Pair pair) {
    const dGeomID a = ode->geoms[static_cast<std::size_t>(pair.a)];
    const dGeomID b = ode->geoms[static_cast<std::size_t>(pair.b)];
    const bool is_overlap = question == Question::overlap;
    const int flags = flags_of(is_overlap && !takes_any(a, b) ? Question::deepest : question);
    dContactGeom contacts[4];
    const int count = dCollide(a, b, flags, contacts, sizeof(dContactGeom));
    if (is_overlap) return Answer{count > 0, 0, {}};
    Answer answer{count > 0, -std::numeric_limits<double>::max(), {}};
    for (int i = 0; i < count; ++i) {
      if (!(contacts[i].depth > answer.depth)) continue;
      answer.depth = contacts[i].depth;
      // ODE's normal is from B to A.
      for (std::size_t k = 0; k < 3; ++k) answer.normal[k] = -contacts[i].normal[k];
    }
    return answer;
  });
}

bool has(const Asked& asked) {
  if (is_of(asked, Kind::ellipsoid) || is_of(asked, Kind::cone)) return false;
  if (asked.question == Question::distance || !has_collider(asked.a, asked.b)) return false;
  return asked.question != Question::manifold || makes_manifolds(asked.a, asked.b);
}

class OdePipeline : public Pipeline<3> {
 public:
  explicit OdePipeline(const SceneColumns<3, float>& scene) {
    start_ode();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    for (const PeerShape& shape : peer_shapes(scene)) {
      const bool is_ball = shape.kind == Kind::sphere;
      const dGeomID geom =
          is_ball ? dCreateSphere(space_, shape.size[0])
                  : dCreateBox(space_, 2 * shape.size[0], 2 * shape.size[1], 2 * shape.size[2]);
      const dQuaternion turn = {shape.turn[3], shape.turn[0], shape.turn[1], shape.turn[2]};
      if (!is_ball) dGeomSetQuaternion(geom, turn);
      geoms_.push_back(geom);
      if (!is_ball) points_ = 4;
    }
  }
  ~OdePipeline() override { dSpaceDestroy(space_); }
  std::size_t step(const Centers<3>& centers) override {
    for (std::size_t i = 0; i < geoms_.size(); ++i) {
      dGeomSetPosition(geoms_[i], centers(i, 0), centers(i, 1), centers(i, 2));
    }
    contacts_.clear();
    touching_ = 0;
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
      static_cast<OdePipeline*>(self)->collide_pair(a, b);
    });
    return touching_;
  }

 private:
  void collide_pair(dGeomID a, dGeomID b) {
    dContactGeom found[4];
    const int count = dCollide(a, b, points_, found, sizeof *found);
    contacts_.insert(contacts_.end(), found, found + count);
    touching_ += count > 0;
  }

  dSpaceID space_;
  std::vector<dGeomID> geoms_;
  int points_ = 1;
  std::vector<dContactGeom> contacts_;
  std::size_t touching_ = 0;
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  peers = {{"ode", dODE_VERSION, WIDEPHASE_PEER_FLAGS},
           {{"ode", has, make}},
           {pipeline_maker<OdePipeline, 3>("ode")}};
}

}  // namespace widephase::bench
