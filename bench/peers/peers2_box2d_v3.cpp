// Box2D 3.1 in 2D: the calls of 2.4 in C, for shapes without a skin, and also for capsules. Its
// manifolds are in the scene's frame. It also returns them for pairs nearer than four of its slops
// (0.02), which count as apart here. Distances by b2ShapeDistance without a cache. It has no call
// for overlaps, so they use this too, as its sensors do. It has no polygons of more than 8
// vertices. Linked and run with 3.1.1, whose distance omits the radii if cores are nearer than
// 0.0005, so it misses a few overlaps in 10,000. 3.0 and 3.2 have other calls.

#include <box2d/collision.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "peer_flags.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// The shapes of a scene as Box2D objects, without aabbs and halfspaces. Ids count circles,
/// capsules, boxes, then polygons.
struct Box2dShapes {
  std::vector<b2Transform> places;    ///< by id
  std::vector<b2ShapeProxy> proxies;  ///< by id; empty for polygons that are too large
  std::vector<b2Circle> circles;
  std::vector<b2Capsule> capsules;
  std::vector<b2Polygon> polygons;  ///< boxes first; without polygons that are too large

  explicit Box2dShapes(const SceneColumns<2, float>& scene) {
    const auto& geometries = scene.geometries;
    for (std::size_t i = 0; i < scene.circles.radius.size(); ++i) {
      const float radius = scene.circles.radius[i];
      circles.push_back({{0, 0}, radius});
      add(&circles.back().center, 1, radius, scene.circles.center(i, 0), scene.circles.center(i, 1),
          0);
    }
    for (std::size_t i = 0; i < scene.capsules.radius.size(); ++i) {
      const auto &from = scene.capsules.a, &to = scene.capsules.b;
      const float x = (from(i, 0) + to(i, 0)) / 2, y = (from(i, 1) + to(i, 1)) / 2;
      const b2Vec2 ends[] = {{from(i, 0) - x, from(i, 1) - y}, {to(i, 0) - x, to(i, 1) - y}};
      capsules.push_back({ends[0], ends[1], scene.capsules.radius[i]});
      add(ends, 2, scene.capsules.radius[i], x, y, 0);
    }
    for (std::size_t i = 0; i < scene.boxes.turn.size(); ++i) {
      polygons.push_back(b2MakeBox(scene.boxes.half_extents(i, 0), scene.boxes.half_extents(i, 1)));
      add(polygons.back().vertices, 4, 0, scene.boxes.center(i, 0), scene.boxes.center(i, 1),
          scene.boxes.turn[i]);
    }
    for (std::size_t i = 0; i < scene.polygons.turn.size(); ++i) {
      const auto g = static_cast<std::size_t>(scene.polygons.geometry[i]);
      std::vector<b2Vec2> vertices;
      for (auto v = geometries.offsets[g]; v < geometries.offsets[g + 1]; ++v) {
        const auto row = static_cast<std::size_t>(v);
        vertices.push_back({geometries.vertices(row, 0), geometries.vertices(row, 1)});
      }
      if (vertices.size() > B2_MAX_POLYGON_VERTICES) continue;
      const b2Hull hull = b2ComputeHull(vertices.data(), static_cast<int>(vertices.size()));
      polygons.push_back(b2MakePolygon(&hull, 0));
      add(vertices.data(), static_cast<int>(vertices.size()), 0, scene.polygons.center(i, 0),
          scene.polygons.center(i, 1), scene.polygons.turn[i]);
    }
  }

 private:
  void add(const b2Vec2* points, int count, float radius, float x, float y, float angle) {
    // b2MakeRot is not used: its sine and cosine are off by up to 0.0017 rad.
    places.push_back({{x, y}, {std::cos(angle), std::sin(angle)}});
    proxies.push_back(b2MakeProxy(points, count, radius));
  }
};

/// Box2D's manifold of a pair. It takes the shape with more corners first; the normal is then from
/// B to A.
b2Manifold manifold_of(const Box2dShapes& shapes, Pair pair, Kind kind_a, Kind kind_b) {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const b2Transform at_a = shapes.places[a], at_b = shapes.places[b];
  const std::size_t first_capsule = shapes.circles.size();
  const std::size_t first_polygon = first_capsule + shapes.capsules.size();
  if (kind_b == Kind::circle) {
    return b2CollideCircles(&shapes.circles[a], at_a, &shapes.circles[b], at_b);
  }
  if (kind_b == Kind::capsule) {
    const b2Capsule& capsule = shapes.capsules[b - first_capsule];
    if (kind_a == Kind::capsule) {
      return b2CollideCapsules(&shapes.capsules[a - first_capsule], at_a, &capsule, at_b);
    }
    return b2CollideCapsuleAndCircle(&capsule, at_b, &shapes.circles[a], at_a);
  }
  const b2Polygon& polygon = shapes.polygons[b - first_polygon];
  if (kind_a == Kind::circle) {
    return b2CollidePolygonAndCircle(&polygon, at_b, &shapes.circles[a], at_a);
  }
  if (kind_a == Kind::capsule) {
    return b2CollidePolygonAndCapsule(&polygon, at_b, &shapes.capsules[a - first_capsule], at_a);
  }
  return b2CollidePolygons(&shapes.polygons[a - first_polygon], at_a, &polygon, at_b);
}

/// The depth of the deepest point; without points, less than any depth.
double depth_of(const b2Manifold& manifold) {
  double depth = -std::numeric_limits<double>::max();
  for (int p = 0; p < manifold.pointCount; ++p) {
    depth = std::max(depth, -double{manifold.points[p].separation});
  }
  return depth;
}

std::unique_ptr<Peer> make_contacts(std::shared_ptr<const Box2dShapes> shapes, Kind a, Kind b) {
  const bool b_has_more_corners =
      a == Kind::circle ? b != Kind::circle : a == Kind::capsule && b != Kind::capsule;
  const double sign = b_has_more_corners ? -1 : 1;
  return one_by_one([shapes, a, b, sign](const Pair pair) {
    const b2Manifold manifold = manifold_of(*shapes, pair, a, b);
    const double depth = depth_of(manifold);
    return Answer{depth >= 0, depth, {sign * manifold.normal.x, sign * manifold.normal.y, 0}};
  });
}

float distance(const Box2dShapes& shapes, const Pair pair) {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  b2DistanceInput input{};
  input.proxyA = shapes.proxies[a];
  input.proxyB = shapes.proxies[b];
  input.transformA = shapes.places[a];
  input.transformB = shapes.places[b];
  input.useRadii = true;
  b2SimplexCache cache{};
  return b2ShapeDistance(&input, &cache, nullptr, 0).distance;
}

std::unique_ptr<Peer> make(const SceneColumns<2, float>& scene, const Asked& asked) {
  const auto shapes = std::make_shared<const Box2dShapes>(scene);
  if (asked.question == Question::overlap) {
    return one_by_one([shapes](const Pair pair) {
      return Answer{distance(*shapes, pair) < 10 * std::numeric_limits<float>::epsilon(), 0, {}};
    });
  }
  if (asked.question == Question::distance) {
    return one_by_one([shapes](const Pair pair) {
      const float length = distance(*shapes, pair);
      return Answer{length > 0, -length, {}};
    });
  }
  return make_contacts(shapes, asked.a, asked.b);
}

bool has(const Asked& asked) {
  if (asked.variant == Variant::large) return false;
  const bool is_manifold = has_many_points(asked.a, asked.b);
  return asked.question != (is_manifold ? Question::deepest : Question::manifold);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<2>& peers) {
  const b2Version version = b2GetVersion();
  peers = {{"box2d_v3", version_of(version.major, version.minor, version.revision),
            WIDEPHASE_PEER_FLAGS},
           {{"box2d_v3", has, make}},
           {}};
}

}  // namespace widephase::bench
