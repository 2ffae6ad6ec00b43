#pragma once

// Box2D 2.4's side of the benchmarks beside it.

#include <box2d/b2_distance.h>
#include <box2d/box2d.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <span>

#include "pair_sets.hpp"
#include "peer_answer.hpp"
#include "peer_steps.hpp"

namespace widephase::bench {

inline constexpr const char* kBox2dName = "box2d";
inline constexpr const char* kBox2dRows = "peers2/";
inline constexpr bool kBox2dHasCapsules = false;  // but for distances

/// A scene without aabbs and halfspaces as Box2D has it. Ids count circles, capsules, boxes, then
/// polygons.
struct Box2dShapes {
  std::vector<b2Transform> places;       ///< by id
  std::vector<b2DistanceProxy> proxies;  ///< by id
  std::vector<b2CircleShape> circles;
  std::vector<b2PolygonShape> polygons;  ///< boxes first; none where polygons are too large

  /// A circle, a box or a polygon, in a scene without capsules.
  const b2Shape& shape(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    if (i < circles.size()) return circles[i];
    return polygons[i - circles.size()];
  }

  explicit Box2dShapes(const SceneColumns<2, float>& scene) {
    const auto& geometries = scene.geometries;
    // The proxies point here: it must not grow beyond this.
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

/// Calls `use(i, manifold, in_scene)` for each pair: Box2D's manifold and, where that has points,
/// the same carried into the scene's frame, from A to B but for a circle and a polygon: from the
/// polygon. `collide` fills both.
template <class Collide, class Use>
void for_each_manifold(const Box2dShapes& shapes, const std::vector<Pair>& pairs,
                       const Collide& collide, Use&& use) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair pair = pairs[i];
    b2Manifold manifold;
    b2WorldManifold in_scene;
    collide(manifold, in_scene, pair, shapes.places[static_cast<std::size_t>(pair.a)],
            shapes.places[static_cast<std::size_t>(pair.b)]);
    use(i, manifold, in_scene);
  }
}

/// The same, by the kinds of the pairs.
template <class Use>
void for_each_manifold(const Box2dShapes& shapes, const std::vector<Pair>& pairs, Kind a, Kind b,
                       Use&& use) {
  const auto circle = [&](std::int32_t id) -> const b2CircleShape& {
    return shapes.circles[static_cast<std::size_t>(id)];
  };
  const auto polygon = [&](std::int32_t id) -> const b2PolygonShape& {
    return shapes.polygons[static_cast<std::size_t>(id) - shapes.circles.size()];
  };
  const auto of_circles = [&](b2Manifold& manifold, b2WorldManifold& in_scene, Pair pair,
                              const b2Transform& at_a, const b2Transform& at_b) {
    const b2CircleShape &first = circle(pair.a), &second = circle(pair.b);
    b2CollideCircles(&manifold, &first, at_a, &second, at_b);
    if (manifold.pointCount == 0) return;
    in_scene.Initialize(&manifold, at_a, first.m_radius, at_b, second.m_radius);
  };
  const auto of_circle_and_polygon = [&](b2Manifold& manifold, b2WorldManifold& in_scene, Pair pair,
                                         const b2Transform& at_a, const b2Transform& at_b) {
    const b2CircleShape& round = circle(pair.a);
    b2CollidePolygonAndCircle(&manifold, &polygon(pair.b), at_b, &round, at_a);
    if (manifold.pointCount == 0) return;
    in_scene.Initialize(&manifold, at_b, 0, at_a, round.m_radius);
  };
  const auto of_polygons = [&](b2Manifold& manifold, b2WorldManifold& in_scene, Pair pair,
                               const b2Transform& at_a, const b2Transform& at_b) {
    b2CollidePolygons(&manifold, &polygon(pair.a), at_a, &polygon(pair.b), at_b);
    if (manifold.pointCount == 0) return;
    in_scene.Initialize(&manifold, at_a, 0, at_b, 0);
  };
  if (b == Kind::circle) {
    for_each_manifold(shapes, pairs, of_circles, use);
  } else if (a == Kind::circle) {
    for_each_manifold(shapes, pairs, of_circle_and_polygon, use);
  } else {
    for_each_manifold(shapes, pairs, of_polygons, use);
  }
}

/// Counts the pairs in contact.
inline std::size_t box2d_manifolds(const Box2dShapes& shapes, const std::vector<Pair>& pairs,
                                   Kind a, Kind b) {
  std::size_t contacts = 0;
  for_each_manifold(shapes, pairs, a, b,
                    [&](std::size_t, const b2Manifold& manifold, const b2WorldManifold& in_scene) {
                      benchmark::DoNotOptimize(in_scene);
                      contacts += manifold.pointCount > 0;
                    });
  return contacts;
}

/// Contacts, as answers.
inline void answer_by_box2d(const Box2dShapes& shapes, const std::vector<Pair>& pairs, Kind a,
                            Kind b, std::span<Answer> answers) {
  const bool is_from_b = a == Kind::circle && b != Kind::circle;
  for_each_manifold(
      shapes, pairs, a, b,
      [&](std::size_t i, const b2Manifold& manifold, const b2WorldManifold& in_scene) {
        Answer& answer = answers[i];
        answer = {manifold.pointCount > 0, -std::numeric_limits<double>::max(), {}};
        for (int p = 0; p < manifold.pointCount; ++p) {
          answer.depth = std::max(answer.depth, -double{in_scene.separations[p]});
        }
        const b2Vec2 normal = is_from_b ? -in_scene.normal : in_scene.normal;
        answer.normal = {normal.x, normal.y, 0};
      });
}

/// A world of circles. A step of no time finds new pairs and updates all contacts, which keep their
/// manifolds, and solves nothing; no body sleeps.
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
      benchmark::DoNotOptimize(in_scene);
      ++touching;
    }
    return touching;
  }

 private:
  b2World world_{b2Vec2(0, 0)};
  std::vector<b2Body*> bodies_;
};

inline bool box2d_overlaps(const Box2dShapes& shapes, Pair pair) {
  return b2TestOverlap(&shapes.shape(pair.a), 0, &shapes.shape(pair.b), 0,
                       shapes.places[static_cast<std::size_t>(pair.a)],
                       shapes.places[static_cast<std::size_t>(pair.b)]);
}

inline float box2d_distance(const Box2dShapes& shapes, Pair pair) {
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
  return output.distance;
}

}  // namespace widephase::bench
