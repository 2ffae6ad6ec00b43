#pragma once

// How peers are registered and called, in 2D and in 3D. Each peer has an adapter, a file
// peers2_*.cpp or peers3_*.cpp, which is built as a separate library; programs load it
// (load_peers.hpp).

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pair_sets.hpp"
#include "peer_answer.hpp"
#include "peer_build.hpp"

namespace widephase::bench {

/// A question about pairs of two kinds.
struct Asked {
  Kind a;
  Kind b;
  Variant variant;
  Question question;
};

/// Whether one of the shapes is of this kind.
inline bool is_of(const Asked& asked, Kind kind) { return asked.a == kind || asked.b == kind; }

/// Boxes and hulls are polyhedra; the other kinds are round.
inline bool are_polyhedra(Kind a, Kind b) {
  const auto is_polyhedron = [](Kind kind) { return kind == Kind::box || kind == Kind::hull; };
  return is_polyhedron(a) && is_polyhedron(b);
}

/// Whether a manifold of these kinds may have several points. With a sphere, circle or ellipsoid it
/// has one, so for these pairs only the deepest point is asked.
inline bool has_many_points(Kind kind) {
  switch (kind) {
    case Kind::sphere:
    case Kind::ellipsoid:
      return false;
    case Kind::capsule:
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
    case Kind::cylinder:
    case Kind::halfspace:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return true;
  }
  return true;
}
inline bool has_many_points(Kind a, Kind b) { return has_many_points(a) && has_many_points(b); }

/// A peer with its own copy of a scene's shapes.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Answers each pair; this call is timed.
  virtual void answer(std::span<const Pair> pairs, std::span<Answer> answers) = 0;
};

template <int D>
struct PeerMaker {
  std::string who;
  std::function<bool(const Asked& asked)> has;
  /// The scene only has shapes of these two kinds.
  std::function<std::unique_ptr<Peer>(const SceneColumns<D, float>& scene, const Asked& asked)>
      make;
  bool has_rounding = false;  ///< whether its shapes take `PeerShape::rounding`
};

/// A peer that answers one pair at a time by `one(pair)`.
template <class One>
class OneByOne : public Peer {
 public:
  explicit OneByOne(One one) : one_(std::move(one)) {}
  void answer(std::span<const Pair> pairs, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < pairs.size(); ++i) answers[i] = one_(pairs[i]);
  }

 private:
  One one_;
};

template <class One>
std::unique_ptr<Peer> one_by_one(One one) {
  return std::make_unique<OneByOne<One>>(std::move(one));
}

template <int D>
using Centers = Column<float, D>;

/// Steps with moving bodies (peer_steps.hpp).
template <int D>
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  /// From the new positions of the bodies to contacts; returns the number of pairs in contact.
  virtual std::size_t step(const Centers<D>& centers) = 0;
};

template <int D>
struct PipelineMaker {
  std::string who;
  std::function<std::unique_ptr<Pipeline<D>>(const SceneColumns<D, float>& scene)> make;
};

template <class Made, int D>
PipelineMaker<D> pipeline_maker(const char* who) {
  return {who, [](const SceneColumns<D, float>& scene) { return std::make_unique<Made>(scene); }};
}

/// Everything that an adapter offers; lists that it does not offer stay empty.
template <int D>
struct Peers {
  PeerBuild build;
  std::vector<PeerMaker<D>> pairs;
  std::vector<PipelineMaker<D>> pipelines;
};

}  // namespace widephase::bench
