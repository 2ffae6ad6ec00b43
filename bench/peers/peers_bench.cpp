// widephase beside Bullet, FCL and ODE (Debian's packages): the same pairs and scenes, one thread.
//
// Names: peers/<what>/<who>/<count>, so that the count from which a call of ours pays can be read
// off. `contacts` must agree but for what a peer gets wrong.
//
// sphere_sphere, capsule_capsule: pairs to contacts with normal, depth and point; shapes made
// outside the timed loop.
//
// scene, boxes: a whole pipeline step after step (peer_steps.hpp says what moves and what is
// timed), of the `uniform` balls, or of boxes at any angle in the place of each.
//   bullet: setOrigin, then btCollisionWorld's performDiscreteCollisionDetection with a
//     btDbvtBroadphase, which keeps trees, pairs and manifolds from step to step; its pools are
//     made for three pairs a body. Manifolds are its contacts.
//   fcl: setTranslation and computeAABB, then update and collide of a manager,
//     DynamicAABBTreeCollisionManager, which keeps its tree; contacts (of boxes up to 4 a pair) are
//     appended to one vector, by way of one result that is cleared for every pair.
//   ode, where the build names WIDEPHASE_BENCH_ODE: dGeomSetPosition, then dSpaceCollide of a
//     dSweepAndPruneSpace (a dHashSpace took longer) with dCollide (of boxes up to 4 points);
//     contacts are appended to one vector.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "peer_bullet.hpp"
#include "peer_fcl.hpp"
#include "peer_steps.hpp"

#ifdef WIDEPHASE_BENCH_ODE
#include <ode/ode.h>
#endif

namespace widephase::bench {
namespace {

using Maker = PairSetMaker<3, float>;

void count_contacts(benchmark::State& state, std::size_t contacts, std::size_t units) {
  state.counters["contacts"] = static_cast<double>(contacts);
  state.counters["ns_unit"] = benchmark::Counter(
      static_cast<double>(units) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void ours_pairs(benchmark::State& state, Kind kind) {
  const auto set = Maker().make(kind, kind, static_cast<std::size_t>(state.range(0)));
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) collide_pairs(set.scene, set.sorted, contacts, workspace, options);
  count_contacts(state, contacts.size(), set.sorted.size());
}

void bullet_pairs(benchmark::State& state, Kind kind) {
  const auto set = Maker().make(kind, kind, static_cast<std::size_t>(state.range(0)));
  BulletObjects bullet(set.scene);
  std::size_t contacts = 0;
  for (auto _ : state) {
    contacts = 0;
    for (const Pair pair : set.sorted) {
      bullet.collide(pair, [&](const btPersistentManifold& manifold) {
        bool is_touching = false;
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
          is_touching |= manifold.getContactPoint(i).getDistance() <= 0;
        }
        contacts += is_touching;
      });
    }
  }
  count_contacts(state, contacts, set.sorted.size());
}

void fcl_pairs(benchmark::State& state, Kind kind) {
  const auto set = Maker().make(kind, kind, static_cast<std::size_t>(state.range(0)));
  const auto objects = fcl_objects(set.scene);
  std::size_t contacts = 0;
  for (auto _ : state) {
    contacts = 0;
    for (const Pair pair : set.sorted) {
      const fcl::CollisionRequestf request(1, true);
      fcl::CollisionResultf result;
      fcl::collide(objects[static_cast<std::size_t>(pair.a)].get(),
                   objects[static_cast<std::size_t>(pair.b)].get(), request, result);
      contacts += result.isCollision();
    }
  }
  count_contacts(state, contacts, set.sorted.size());
}

// Whole pipelines.

/// Boxes at any angle, each with its corners about as far out as the ball that it replaces.
SceneColumns<3, float> turned_boxes(std::size_t count) {
  const auto uniform = balls<3>(count);
  Random random(3);
  SceneColumns<3, float> scene;
  for (std::size_t i = 0; i < count; ++i) {
    scene.boxes.center.push_back(uniform.spheres.center.row(i));
    std::array<float, 3> half;
    for (float& h : half) {
      h = static_cast<float>(random.uniform(0.4, 0.8)) * uniform.spheres.radius[i];
    }
    scene.boxes.half_extents.push_back(half);
    std::array<float, 4> turn;
    std::ranges::copy(random.orientation(), turn.begin());
    scene.boxes.turn.push_back(turn);
  }
  return scene;
}

class BulletPipeline : public Pipeline<3> {
 public:
  explicit BulletPipeline(const SceneColumns<3, float>& scene)
      : bodies_(scene), configuration_(sized_for(bodies_.objects.size())) {
    for (auto& object : bodies_.objects) world_.addCollisionObject(object.get());
  }
  ~BulletPipeline() override {
    // Else each object would look through all pairs for its own.
    struct Everything : btOverlapCallback {
      bool processOverlap(btBroadphasePair&) override { return true; }
    } everything;
    broad_phase_.getOverlappingPairCache()->processAllOverlappingPairs(&everything, &dispatcher_);
    for (auto& object : bodies_.objects) world_.removeCollisionObject(object.get());
  }
  std::size_t step(const Centers<3>& centers) override {
    for (std::size_t i = 0; i < bodies_.objects.size(); ++i) {
      bodies_.objects[i]->getWorldTransform().setOrigin(
          {centers(i, 0), centers(i, 1), centers(i, 2)});
    }
    world_.performDiscreteCollisionDetection();
    std::size_t contacts = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
      bool is_touching = false;
      for (int p = 0; p < manifold->getNumContacts(); ++p) {
        is_touching |= manifold->getContactPoint(p).getDistance() <= 0;
      }
      contacts += is_touching;
    }
    return contacts;
  }

 private:
  static btDefaultCollisionConstructionInfo sized_for(std::size_t bodies) {
    btDefaultCollisionConstructionInfo info;
    const int pairs = std::max(3 * static_cast<int>(bodies), 64);
    info.m_defaultMaxPersistentManifoldPoolSize = pairs;
    info.m_defaultMaxCollisionAlgorithmPoolSize = pairs;
    return info;
  }

  BulletObjects bodies_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_{&dispatcher_, &broad_phase_, &configuration_};
};

class FclPipeline : public Pipeline<3> {
 public:
  explicit FclPipeline(const SceneColumns<3, float>& scene)
      : objects_(fcl_objects(scene)), request_(row_count(scene.boxes) > 0 ? 4 : 1, true) {
    std::vector<fcl::CollisionObjectf*> all;
    for (const auto& object : objects_) all.push_back(object.get());
    manager_.registerObjects(all);
    manager_.setup();
  }
  std::size_t step(const Centers<3>& centers) override {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      objects_[i]->setTranslation({centers(i, 0), centers(i, 1), centers(i, 2)});
      objects_[i]->computeAABB();
    }
    manager_.update();
    contacts_.clear();
    touching_ = 0;
    manager_.collide(this, [](fcl::CollisionObjectf* a, fcl::CollisionObjectf* b, void* self) {
      static_cast<FclPipeline*>(self)->collide_pair(a, b);
      return false;
    });
    return touching_;
  }

 private:
  void collide_pair(fcl::CollisionObjectf* a, fcl::CollisionObjectf* b) {
    result_.clear();
    fcl::collide(a, b, request_, result_);
    for (std::size_t i = 0; i < result_.numContacts(); ++i) {
      contacts_.push_back(result_.getContact(i));
    }
    touching_ += result_.isCollision();
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectf>> objects_;
  fcl::CollisionRequestf request_;
  fcl::CollisionResultf result_;
  fcl::DynamicAABBTreeCollisionManagerf manager_;
  std::vector<fcl::Contactf> contacts_;
  std::size_t touching_ = 0;
};

#ifdef WIDEPHASE_BENCH_ODE
class OdePipeline : public Pipeline<3> {
 public:
  explicit OdePipeline(const SceneColumns<3, float>& scene) {
    dInitODE2(0);
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
  ~OdePipeline() override {
    dSpaceDestroy(space_);
    dCloseODE();
  }
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
#endif

void add_pipelines(const std::string& what, MakeScene<3> make_scene) {
  for (const int count : kBodyCounts) {
    add_ours<3>("peers/" + what, make_scene, count);
    add_steps<3>("peers/" + what + "/bullet", make_scene, make_pipeline<BulletPipeline>, count);
    add_steps<3>("peers/" + what + "/fcl", make_scene, make_pipeline<FclPipeline>, count);
#ifdef WIDEPHASE_BENCH_ODE
    add_steps<3>("peers/" + what + "/ode", make_scene, make_pipeline<OdePipeline>, count);
#endif
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  const auto add_pairs = [](const char* what, Kind kind) {
    const auto add = [&](const char* who, void (*run)(benchmark::State&, Kind)) {
      auto* row = benchmark::RegisterBenchmark((std::string("peers/") + what + "/" + who).c_str(),
                                               [=](benchmark::State& state) { run(state, kind); });
      for (const int count : {1, 16, 256, 4096, 65536}) row->Arg(count);
    };
    add("widephase", ours_pairs);
    add("bullet", bullet_pairs);
    add("fcl", fcl_pairs);
  };
  add_pairs("sphere_sphere", Kind::sphere);
  add_pairs("capsule_capsule", Kind::capsule);
  add_pipelines("scene", balls<3>);
  add_pipelines("boxes", turned_boxes);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
