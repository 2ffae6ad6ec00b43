// Box2D 2.4 in 2D: b2CollideCircles, b2CollidePolygonAndCircle or b2CollidePolygons, then
// b2WorldManifold for pairs in contact, which gives depths and points in the scene's frame. The
// skin around its polygons is set to 0, so that its shapes equal ours. Overlaps by b2TestOverlap.
// Distances by b2Distance without a cache; for shapes that overlap it only returns 0. It has no
// capsules, and polygons of more than 8 vertices only for distances.
//
// Its pipeline is a b2World of circles.

#include <box2d/b2_distance.h>
#include <box2d/box2d.h>

#include <algorithm>
#include <limits>

#include "peer_flags.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// The shapes of a scene as Box2D objects, without aabbs and halfspaces. Ids count circles,
/// capsules, boxes, then polygons.
struct Box2dShapes {
  std::vector<b2Transform> places;       ///< by id
  std::vector<b2DistanceProxy> proxies;  ///< by id
  std::vector<b2CircleShape> circles;
  std::vector<b2PolygonShape> polygons;  ///< boxes first; empty if the polygons are too large

  /// A circle, a box or a polygon, for a scene without capsules.
  const b2Shape& shape(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    if (i < circles.size()) return circles[i];
    return polygons[i - circles.size()];
  }

  explicit Box2dShapes(const SceneColumns<2, float>& scene) {
    const auto& geometries = scene.geometries;
    // Proxies point into it, so it must not grow beyond this.
    vertices_.reserve(scene.circles.radius.size() + 2 * scene.capsules.radius.size() +
                      4 * scene.boxes.turn.size() + geometries.vertices.size());
    for (std::size_t i = 0; i < scene.circles.radius.size(); ++i) {
      b2CircleShape circle;
      circle.m_radius = scene.circles.radius[i];
      circles.push_back(circle);
      const b2Vec2* const center = keep({b2Vec2(0, 0)});
      add(center, 1, circle.m_radius, {scene.circles.center(i, 0), scene.circles.center(i, 1)}, 0);
    }
    for (std::size_t i = 0; i < scene.capsules.radius.size(); ++i) {
      const b2Vec2 a(scene.capsules.a(i, 0), scene.capsules.a(i, 1));
      const b2Vec2 b(scene.capsules.b(i, 0), scene.capsules.b(i, 1));
      const b2Vec2 center = 0.5f * (a + b);
      add(keep({a - center, b - center}), 2, scene.capsules.radius[i], center, 0);
    }
    for (std::size_t i = 0; i < scene.boxes.turn.size(); ++i) {
      const float x = scene.boxes.half_extents(i, 0), y = scene.boxes.half_extents(i, 1);
      const b2Vec2* const corners = keep({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
      add(corners, 4, 0, {scene.boxes.center(i, 0), scene.boxes.center(i, 1)}, scene.boxes.turn[i]);
      b2PolygonShape box;
      box.SetAsBox(x, y);
      box.m_radius = 0;
      polygons.push_back(box);
    }
    const auto* const shared = vertices_.data() + vertices_.size();
    for (std::size_t i = 0; i < geometries.vertices.size(); ++i) {
      keep({{geometries.vertices(i, 0), geometries.vertices(i, 1)}});
    }
    for (std::size_t i = 0; i < scene.polygons.turn.size(); ++i) {
      const auto g = static_cast<std::size_t>(scene.polygons.geometry[i]);
      const b2Vec2* const first = shared + geometries.offsets[g];
      const auto count = static_cast<int32>(geometries.offsets[g + 1] - geometries.offsets[g]);
      add(first, count, 0, {scene.polygons.center(i, 0), scene.polygons.center(i, 1)},
          scene.polygons.turn[i]);
      if (count > b2_maxPolygonVertices) continue;
      b2PolygonShape polygon;
      polygon.Set(first, count);
      polygon.m_radius = 0;
      polygons.push_back(polygon);
    }
  }

 private:
  const b2Vec2* keep(std::initializer_list<b2Vec2> points) {
    vertices_.insert(vertices_.end(), points);
    return vertices_.data() + vertices_.size() - points.size();
  }

  void add(const b2Vec2* vertices, int32 count, float radius, const b2Vec2& center, float angle) {
    places.emplace_back(center, b2Rot(angle));
    b2DistanceProxy proxy;
    proxy.Set(vertices, count, radius);
    proxies.push_back(proxy);
  }

  std::vector<b2Vec2> vertices_;
};

/// The transforms of both shapes of a pair.
struct Places {
  const b2Transform& a;
  const b2Transform& b;
};

/// A peer that calls `collide(manifold, in_scene, pair, places)`, which fills Box2D's manifold. If
/// that has points, it also fills the manifold in the scene's frame, whose normal times `sign`
/// points from A to B.
template <class Collide>
std::unique_ptr<Peer> by_manifolds(std::shared_ptr<const Box2dShapes> shapes, double sign,
                                   Collide collide) {
  return one_by_one([shapes, sign, collide](const Pair pair) {
    const Places places{shapes->places[static_cast<std::size_t>(pair.a)],
                        shapes->places[static_cast<std::size_t>(pair.b)]};
    b2Manifold manifold;
    b2WorldManifold in_scene;
    collide(manifold, in_scene, pair, places);
    if (manifold.pointCount == 0) return Answer{};
    Answer answer{true,
                  -std::numeric_limits<double>::max(),
                  {sign * in_scene.normal.x, sign * in_scene.normal.y, 0}};
    for (int p = 0; p < manifold.pointCount; ++p) {
      answer.depth = std::max(answer.depth, -double{in_scene.separations[p]});
    }
    return answer;
  });
}

std::unique_ptr<Peer> make_contacts(std::shared_ptr<const Box2dShapes> shapes, Kind a, Kind b) {
  const auto circle = [all = shapes.get()](std::int32_t id) -> const b2CircleShape& {
    return all->circles[static_cast<std::size_t>(id)];
  };
  const auto polygon = [all = shapes.get()](std::int32_t id) -> const b2PolygonShape& {
    return all->polygons[static_cast<std::size_t>(id) - all->circles.size()];
  };
  if (b == Kind::circle) {
    return by_manifolds(shapes, 1,
                        [circle](b2Manifold& manifold, b2WorldManifold& in_scene, const Pair pair,
                                 const Places& at) {
                          const b2CircleShape &first = circle(pair.a), &second = circle(pair.b);
                          b2CollideCircles(&manifold, &first, at.a, &second, at.b);
                          if (manifold.pointCount == 0) return;
                          in_scene.Initialize(&manifold, at.a, first.m_radius, at.b,
                                              second.m_radius);
                        });
  }
  if (a == Kind::circle) {
    // The polygon comes first, so the normal is from B to A.
    return by_manifolds(shapes, -1,
                        [circle, polygon](b2Manifold& manifold, b2WorldManifold& in_scene,
                                          const Pair pair, const Places& at) {
                          const b2CircleShape& round = circle(pair.a);
                          b2CollidePolygonAndCircle(&manifold, &polygon(pair.b), at.b, &round,
                                                    at.a);
                          if (manifold.pointCount == 0) return;
                          in_scene.Initialize(&manifold, at.b, 0, at.a, round.m_radius);
                        });
  }
  return by_manifolds(shapes, 1,
                      [polygon](b2Manifold& manifold, b2WorldManifold& in_scene, const Pair pair,
                                const Places& at) {
                        b2CollidePolygons(&manifold, &polygon(pair.a), at.a, &polygon(pair.b),
                                          at.b);
                        if (manifold.pointCount == 0) return;
                        in_scene.Initialize(&manifold, at.a, 0, at.b, 0);
                      });
}

/// A world of circles. A step of length 0 finds new pairs and updates all contacts, which keep
/// their manifolds. It solves nothing, and no body sleeps.
class Box2dPipeline : public Pipeline<2> {
 public:
  explicit Box2dPipeline(const SceneColumns<2, float>& scene) {
    world_.SetAllowSleeping(false);
    for (std::size_t i = 0; i < scene.circles.radius.size(); ++i) {
      b2BodyDef at;
      at.type = b2_dynamicBody;
      at.position.Set(scene.circles.center(i, 0), scene.circles.center(i, 1));
      b2CircleShape circle;
      circle.m_radius = scene.circles.radius[i];
      bodies_.push_back(world_.CreateBody(&at));
      bodies_.back()->CreateFixture(&circle, 1);
    }
  }
  std::size_t step(const Centers<2>& centers) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i]->SetTransform({centers(i, 0), centers(i, 1)}, 0);
    }
    world_.Step(0, 0, 0);
    std::size_t touching = 0;
    for (b2Contact* contact = world_.GetContactList(); contact != nullptr;
         contact = contact->GetNext()) {
      if (!contact->IsTouching()) continue;
      b2WorldManifold in_scene;
      contact->GetWorldManifold(&in_scene);
      ++touching;
    }
    return touching;
  }

 private:
  b2World world_{b2Vec2(0, 0)};
  std::vector<b2Body*> bodies_;
};

Answer overlap(const Box2dShapes& shapes, const Pair pair) {
  const bool is_hit = b2TestOverlap(&shapes.shape(pair.a), 0, &shapes.shape(pair.b), 0,
                                    shapes.places[static_cast<std::size_t>(pair.a)],
                                    shapes.places[static_cast<std::size_t>(pair.b)]);
  return {is_hit, 0, {}};
}

Answer distance(const Box2dShapes& shapes, const Pair pair) {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  b2DistanceInput input;
  input.proxyA = shapes.proxies[a];
  input.proxyB = shapes.proxies[b];
  input.transformA = shapes.places[a];
  input.transformB = shapes.places[b];
  input.useRadii = true;
  b2SimplexCache cache;
  cache.count = 0;
  b2DistanceOutput output;
  b2Distance(&output, &cache, &input);
  return {output.distance > 0, -output.distance, {}};
}

std::unique_ptr<Peer> make(const SceneColumns<2, float>& scene, const Asked& asked) {
  const auto shapes = std::make_shared<const Box2dShapes>(scene);
  if (asked.question == Question::overlap) {
    return one_by_one([shapes](const Pair pair) { return overlap(*shapes, pair); });
  }
  if (asked.question == Question::distance) {
    return one_by_one([shapes](const Pair pair) { return distance(*shapes, pair); });
  }
  return make_contacts(shapes, asked.a, asked.b);
}

bool has(const Asked& asked) {
  if (asked.question == Question::distance) return true;
  if (asked.a == Kind::capsule || asked.b == Kind::capsule) return false;
  if (asked.variant == Variant::large) return false;
  const bool is_manifold = has_many_points(asked.a, asked.b);
  return asked.question == Question::overlap ||
         asked.question == (is_manifold ? Question::manifold : Question::deepest);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<2>& peers) {
  peers = {{"box2d", version_of(b2_version.major, b2_version.minor, b2_version.revision),
            WIDEPHASE_PEER_FLAGS},
           {{"box2d", has, make}},
           {pipeline_maker<Box2dPipeline, 2>("box2d")}};
}

}  // namespace widephase::bench
