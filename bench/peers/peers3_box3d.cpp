// Box3D (0.1) in 3D: its functions for two kinds of shape, called with an empty cache, as for a new
// pair. Boxes are its box hulls. The functions also answer pairs nearer than four of its slops
// (0.02), which count as apart here. It has no call that answers less than a manifold, so only
// pairs with a sphere have the deepest point. Distances by its GJK without a cache. Overlaps by it
// too: its own tests do the same after a change of frame, and count shapes nearer than a tenth of a
// slop (0.0005) as overlapping. Its hulls use bytes to number half-edges, so those of 64 vertices
// are left out. It has no cylinders, ellipsoids or cones. Capsules whose axes cross have no
// manifold. Linked and run with the tag v0.1.0 and with 30c67b5, which also calls itself 0.1.0 and
// makes manifolds of hulls of 16 vertices in 0.3 times the time.

#include <box3d/collision.h>
#include <box3d/constants.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

constexpr int kPointCapacity = 32;

b3Vec3 vector_of(const std::array<double, 3>& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

struct Shape {
  Kind kind{};  ///< sphere, capsule or hull
  b3Transform place{};
  b3Sphere sphere{};
  b3Capsule capsule{};
  const b3HullData* hull = nullptr;
  b3ShapeProxy proxy{};  ///< points into the shape or the hull
};

class Shapes {
 public:
  explicit Shapes(const SceneColumns<3, float>& scene) {
    for (std::size_t g = 0; g < geometry_count(scene); ++g) {
      std::vector<b3Vec3> points;
      for (const auto& v : geometry_vertices(scene, g)) points.push_back({v[0], v[1], v[2]});
      const auto count = static_cast<int>(points.size());
      hulls_.emplace_back(b3CreateHull(points.data(), count, count), b3DestroyHull);
      if (!hulls_.back() || hulls_.back()->vertexCount != count) {
        throw std::runtime_error("Box3D made no hull of a geometry, or one of fewer vertices");
      }
    }
    const std::vector<PeerShape> given = peer_shapes(scene);
    // Shapes and proxies point into these, so neither may grow beyond this.
    boxes_.reserve(given.size());
    shapes_.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) make(given[i], shapes_[i]);
  }
  const Shape& operator[](std::int32_t id) const { return shapes_[static_cast<std::size_t>(id)]; }

 private:
  void make(const PeerShape& from, Shape& to) {
    const auto size = [&](std::size_t k) { return static_cast<float>(from.size[k]); };
    to.place.p = vector_of(from.center);
    to.place.q = {vector_of({from.turn[0], from.turn[1], from.turn[2]}),
                  static_cast<float>(from.turn[3])};
    to.kind = from.kind;
    if (from.kind == Kind::sphere) {
      to.sphere = {{0, 0, 0}, size(0)};
      to.proxy = {&to.sphere.center, 1, size(0)};
      return;
    }
    if (from.kind == Kind::capsule) {
      to.capsule = {{0, 0, -size(1)}, {0, 0, size(1)}, size(0)};
      ends_of_.push_back(std::make_unique<std::array<b3Vec3, 2>>(
          std::array{to.capsule.center1, to.capsule.center2}));
      to.proxy = {ends_of_.back()->data(), 2, size(0)};
      return;
    }
    to.kind = Kind::hull;
    if (from.kind == Kind::box) {
      boxes_.push_back(b3MakeBoxHull(size(0), size(1), size(2)));
      to.hull = &boxes_.back().base;
    } else {
      to.hull = hulls_[from.geometry].get();
    }
    to.proxy = {b3GetHullPoints(to.hull), to.hull->vertexCount, 0};
  }

  std::vector<std::unique_ptr<b3HullData, void (*)(b3HullData*)>> hulls_;
  std::vector<b3BoxHull> boxes_;
  std::vector<std::unique_ptr<std::array<b3Vec3, 2>>> ends_of_;
  std::vector<Shape> shapes_;
};

/// Its functions take the shape with more corners first.
void collide(b3LocalManifold& manifold, const Shape& a, const Shape& b, const b3Transform& b_to_a) {
  b3SimplexCache simplex{};
  b3SATCache axes{};
  if (a.kind == Kind::hull && b.kind == Kind::hull) {
    b3CollideHulls(&manifold, kPointCapacity, a.hull, b.hull, b_to_a, &axes);
  } else if (a.kind == Kind::hull && b.kind == Kind::capsule) {
    b3CollideHullAndCapsule(&manifold, kPointCapacity, a.hull, &b.capsule, b_to_a, &simplex);
  } else if (a.kind == Kind::hull) {
    b3CollideHullAndSphere(&manifold, kPointCapacity, a.hull, &b.sphere, b_to_a, &simplex);
  } else if (b.kind == Kind::capsule) {
    b3CollideCapsules(&manifold, kPointCapacity, &a.capsule, &b.capsule, b_to_a);
  } else if (a.kind == Kind::capsule) {
    b3CollideCapsuleAndSphere(&manifold, kPointCapacity, &a.capsule, &b.sphere, b_to_a);
  } else {
    b3CollideSpheres(&manifold, kPointCapacity, &a.sphere, &b.sphere, b_to_a);
  }
}

int corners(Kind kind) { return kind == Kind::hull ? 2 : kind == Kind::capsule ? 1 : 0; }

Answer contact(const Shape* a, const Shape* b) {
  const bool is_swapped = corners(a->kind) < corners(b->kind);
  if (is_swapped) std::swap(a, b);
  b3LocalManifoldPoint points[kPointCapacity];
  b3LocalManifold manifold{};
  manifold.points = points;
  collide(manifold, *a, *b, b3InvMulTransforms(a->place, b->place));
  Answer answer{false, -std::numeric_limits<double>::max(), {}};
  for (int p = 0; p < manifold.pointCount; ++p) {
    answer.depth = std::max(answer.depth, -double{points[p].separation});
  }
  answer.is_hit = answer.depth >= 0;
  b3Vec3 normal = b3RotateVector(a->place.q, manifold.normal);
  if (is_swapped) normal = b3Neg(normal);
  answer.normal = {normal.x, normal.y, normal.z};
  return answer;
}

Answer distance(const Shape& a, const Shape& b) {
  b3DistanceInput input{};
  input.proxyA = a.proxy;
  input.proxyB = b.proxy;
  input.transform = b3InvMulTransforms(a.place, b.place);
  input.useRadii = true;
  b3SimplexCache cache{};
  const b3DistanceOutput output = b3ShapeDistance(&input, &cache, nullptr, 0);
  return {output.distance > 0, -output.distance, {}};
}

Answer overlap(const Shape& a, const Shape& b) {
  return {distance(a, b).depth > -0.1 * B3_LINEAR_SLOP, 0, {}};
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked& asked) {
  const Question question = asked.question;
  return one_by_one([shapes = std::make_shared<Shapes>(scene), question](const Pair pair) {
    const Shape &a = (*shapes)[pair.a], &b = (*shapes)[pair.b];
    if (question == Question::overlap) return overlap(a, b);
    return question == Question::distance ? distance(a, b) : contact(&a, &b);
  });
}

bool has(const Asked& asked) {
  if (asked.variant == Variant::hull64 || is_of(asked, Kind::cylinder)) return false;
  if (is_of(asked, Kind::ellipsoid) || is_of(asked, Kind::cone)) return false;
  const bool is_manifold = has_many_points(asked.a, asked.b);
  return asked.question != (is_manifold ? Question::deepest : Question::manifold);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  const b3Version version = b3GetVersion();
  peers = {
      {"box3d", version_of(version.major, version.minor, version.revision), WIDEPHASE_PEER_FLAGS},
      {{"box3d", has, make}},
      {}};
}

}  // namespace widephase::bench
