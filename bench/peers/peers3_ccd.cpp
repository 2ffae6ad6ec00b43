// libccd in 3D, in the precision of its build (Debian's: double). `ccd_gjk`: GJK and EPA. Its depth
// is wrong now and then, because it only replaces the face nearest to the origin, where EPA
// replaces all faces that the new point sees. `ccd_mpr`: Minkowski portal refinement, whose depth
// is measured along its last portal and is an upper bound. Both give one point per pair. For yes or
// no, each runs only its first half. The support functions are ours, a plain loop over the vertices
// of a hull. It has no distances.
//
// EPA does not use libccd's own tolerance, 1e-4, which is compared with squared lengths. With it a
// depth of 0.01 is never improved, and most shallow depths are off by more than 0.001. With 1e-6
// one of 150 is for round shapes, and almost none for boxes and hulls. With 1e-8 round shapes that
// share a centre take so long that the accuracy report did not end in ten minutes. MPR keeps its
// 1e-4: with 1e-6, which FCL uses, twice as many depths of shallow round shapes are off. GJK and
// MPR stop after 100 rounds; EPA has no such limit and stops by its tolerance.

#include <ccd/ccd.h>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

using Vector = std::array<double, 3>;

/// A shape with its rotation as rows.
struct CcdShape {
  PeerShape shape;
  std::array<Vector, 3> rows;
  const std::vector<Vector>* vertices;

  Vector to_frame(const ccd_vec3_t& v) const {
    Vector out{};
    for (int k = 0; k < 3; ++k) {
      out[k] = rows[0][k] * v.v[0] + rows[1][k] * v.v[1] + rows[2][k] * v.v[2];
    }
    return out;
  }
  void to_scene(const Vector& p, ccd_vec3_t* out) const {
    for (int k = 0; k < 3; ++k) {
      out->v[k] = rows[k][0] * p[0] + rows[k][1] * p[1] + rows[k][2] * p[2] + shape.center[k];
    }
  }
};

CcdShape placed(const PeerShape& shape) {
  double x = shape.turn[0], y = shape.turn[1], z = shape.turn[2], w = shape.turn[3];
  const double norm = std::sqrt(x * x + y * y + z * z + w * w);
  x /= norm, y /= norm, z /= norm, w /= norm;
  return {shape,
          {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}},
          nullptr};
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto& placed = *static_cast<const CcdShape*>(object);
  const PeerShape& shape = placed.shape;
  const Vector along = placed.to_frame(*direction);
  Vector farthest{};
  const auto add_ball = [&](double radius) {
    const double length =
        std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int k = 0; k < 3; ++k) farthest[k] += radius * along[k] / length;
  };
  switch (shape.kind) {
    case Kind::sphere:
      add_ball(shape.size[0]);
      break;
    case Kind::capsule:
      farthest[2] = along[2] < 0 ? -shape.size[1] : shape.size[1];
      add_ball(shape.size[0]);
      break;
    case Kind::box:
      for (int k = 0; k < 3; ++k) farthest[k] = along[k] < 0 ? -shape.size[k] : shape.size[k];
      break;
    case Kind::cylinder: {
      farthest[2] = along[2] < 0 ? -shape.size[1] : shape.size[1];
      const double length = std::hypot(along[0], along[1]);
      if (length == 0) break;
      for (int k = 0; k < 2; ++k) farthest[k] = shape.size[0] * along[k] / length;
      break;
    }
    case Kind::ellipsoid: {
      const Vector scaled{shape.size[0] * along[0], shape.size[1] * along[1],
                          shape.size[2] * along[2]};
      const double length = std::hypot(scaled[0], scaled[1], scaled[2]);
      for (int k = 0; k < 3; ++k) farthest[k] = shape.size[k] * scaled[k] / length;
      break;
    }
    case Kind::cone: {
      // The apex, unless the rim is farther.
      const double length = std::hypot(along[0], along[1]);
      farthest[2] = shape.size[1];
      if (2 * shape.size[1] * along[2] >= shape.size[0] * length) break;
      farthest[2] = -shape.size[1];
      if (length == 0) break;
      for (int k = 0; k < 2; ++k) farthest[k] = shape.size[0] * along[k] / length;
      break;
    }
    case Kind::hull: {
      double most = -std::numeric_limits<double>::max();
      for (const Vector& vertex : *placed.vertices) {
        const double reach = vertex[0] * along[0] + vertex[1] * along[1] + vertex[2] * along[2];
        if (reach <= most) continue;
        most = reach;
        farthest = vertex;
      }
      break;
    }
    case Kind::aabb:
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;  // `peer_shapes` returns none
  }
  placed.to_scene(farthest, point);
}

/// MPR needs a point inside; for our shapes it is the origin of their frame.
void center(const void* object, ccd_vec3_t* point) {
  static_cast<const CcdShape*>(object)->to_scene({}, point);
}

struct CcdShapes {
  std::vector<std::vector<Vector>> hulls;
  std::vector<CcdShape> shapes;

  explicit CcdShapes(const SceneColumns<3, float>& scene) {
    for (std::size_t g = 0; g < geometry_count(scene); ++g) {
      hulls.emplace_back();
      for (const auto& v : geometry_vertices(scene, g)) hulls.back().push_back({v[0], v[1], v[2]});
    }
    for (const PeerShape& shape : peer_shapes(scene)) {
      shapes.push_back(placed(shape));
      if (shape.kind == Kind::hull) shapes.back().vertices = &hulls[shape.geometry];
    }
  }
};

using Penetration = decltype(ccdGJKPenetration);
using Intersect = decltype(ccdGJKIntersect);

auto make_with(Penetration* penetration, Intersect* intersect) {
  return [=](const SceneColumns<3, float>& scene, const Asked& asked) -> std::unique_ptr<Peer> {
    auto shapes = std::make_shared<CcdShapes>(scene);
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = center;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-6;
    if (asked.question == Question::overlap) {
      return one_by_one([shapes, ccd, intersect](const Pair pair) {
        const int touches = intersect(&shapes->shapes[static_cast<std::size_t>(pair.a)],
                                      &shapes->shapes[static_cast<std::size_t>(pair.b)], &ccd);
        return Answer{touches != 0, 0, {}};
      });
    }
    return one_by_one([shapes, ccd, penetration](const Pair pair) {
      ccd_real_t depth = 0;
      ccd_vec3_t direction, position;
      const int refused = penetration(&shapes->shapes[static_cast<std::size_t>(pair.a)],
                                      &shapes->shapes[static_cast<std::size_t>(pair.b)], &ccd,
                                      &depth, &direction, &position);
      return Answer{refused == 0, depth, {direction.v[0], direction.v[1], direction.v[2]}};
    });
  };
}

bool has(const Asked& asked) {
  return asked.question == Question::deepest || asked.question == Question::overlap;
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  // The headers do not contain the version.
  peers = {{"ccd", WIDEPHASE_PEER_VERSION, WIDEPHASE_PEER_FLAGS},
           {{"ccd_gjk", has, make_with(ccdGJKPenetration, ccdGJKIntersect)},
            {"ccd_mpr", has, make_with(ccdMPRPenetration, ccdMPRIntersect)}},
           {}};
}

}  // namespace widephase::bench
