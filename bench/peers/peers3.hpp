#pragma once

// What is asked of a peer in 3D. Each peer has a file of its own, peers3_*.cpp.

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pair_sets.hpp"
#include "peer_answer.hpp"

namespace widephase::bench {

/// Of boxes and hulls; other kinds are round.
inline bool are_polyhedra(Kind a, Kind b) {
  const auto is_polyhedron = [](Kind kind) { return kind == Kind::box || kind == Kind::hull; };
  return is_polyhedron(a) && is_polyhedron(b);
}

/// Whether a manifold of these kinds may have more points than one: of a sphere it has one, so of
/// such pairs the deepest point alone is asked.
inline bool has_many_points(Kind a, Kind b) { return a != Kind::sphere && b != Kind::sphere; }

/// A peer with its own copy of a scene's shapes.
class Peer {
 public:
  virtual ~Peer() = default;
  /// The answer to each pair: what is timed.
  virtual void answer(std::span<const Pair> pairs, std::span<Answer> answers) = 0;
};

struct PeerMaker {
  std::string who;
  std::function<bool(Kind a, Kind b, Variant variant, Question question)> has;
  std::function<std::unique_ptr<Peer>(const SceneColumns<3, float>& scene, Question question)> make;
};

/// A peer that answers pairs one by one by `one(pair)`.
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

/// Those that were found when the build was configured.
std::vector<PeerMaker> peers3();

// What `peers3` is made of: each is linked, and named by a macro, where it was found.
std::vector<PeerMaker> bullet_peers();
std::vector<PeerMaker> fcl_peers();
std::vector<PeerMaker> ccd_peers();
std::vector<PeerMaker> ode_peers();
std::vector<PeerMaker> jolt_peers();
std::vector<PeerMaker> mujoco_peers();
std::vector<PeerMaker> coal_peers();
std::vector<PeerMaker> box3d_peers();

}  // namespace widephase::bench
