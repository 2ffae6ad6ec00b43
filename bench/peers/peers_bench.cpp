// widephase beside Bullet and FCL (Debian's packages): the same pairs and scenes, one thread.
//
// Names: peers/<what>/<who>/<count>, so that the count from which a call of ours pays can be read
// off. `contacts` must agree but for what a peer gets wrong.
//
// sphere_sphere, capsule_capsule: pairs to contacts with normal, depth and point; shapes made
// outside the timed loop.
//
// scene, boxes: a whole pipeline step after step, of the `uniform` balls, or of boxes at any angle
// in the place of each. Between two steps every body moves by up to 0.01 along each axis (balls
// have radii of 0.3 to 1), for everybody the same: through kFrames frames forth and back. A step
// takes the new centres into what the library has of the bodies, brings the broad phase up to date,
// and ends with all contacts stored, normals, depths and points, and counted. The making of the
// bodies and a first walk through all frames are not timed. ns_unit is the least of what steps took
// a body, over at least as many steps as that walk has; of few bodies the mean of so many steps in
// turn that they have 4,096 bodies together.
//   widephase: centres copied into the scene's columns, then `collide`, sorted in space anew each
//     time; widephase_order_kept, with `keeps_order`.
//   bullet: setOrigin, then btCollisionWorld's performDiscreteCollisionDetection with a
//     btDbvtBroadphase, which keeps trees, pairs and manifolds from step to step; its pools are
//     made for three pairs a body. Manifolds are its contacts.
//   fcl: setTranslation and computeAABB, then update and collide of a
//   DynamicAABBTreeCollisionManager,
//     which keeps its tree; contacts (of boxes up to 4 a pair) are appended to one vector, by way
//     of one result that is cleared for every pair.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "peer_bullet.hpp"
#include "peer_fcl.hpp"

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

using Clock = std::chrono::steady_clock;
using Centers = Column<float, 3>;

SceneColumns<3, float> balls(std::size_t count) { return generate<3, float>("uniform", {count}); }

/// Boxes at any angle, each with its corners about as far out as the ball that it replaces.
SceneColumns<3, float> turned_boxes(std::size_t count) {
  const auto uniform = balls(count);
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

Centers& centers_of(SceneColumns<3, float>& scene) {
  return scene.spheres.center.size() > 0 ? scene.spheres.center : scene.boxes.center;
}

/// What all bodies do, forth and back.
class Motion {
 public:
  static constexpr std::size_t kFrames = 8;
  static constexpr std::size_t kWalk = 2 * kFrames - 2;  ///< steps until all is as at first

  explicit Motion(const Centers& first) : frames_(kFrames, first) {
    Random random(1);
    for (std::size_t f = 1; f < kFrames; ++f) {
      frames_[f] = frames_[f - 1];
      for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          frames_[f](i, k) += static_cast<float>(random.uniform(-0.01, 0.01));
        }
      }
    }
  }

  const Centers& next() {
    const std::size_t place = steps_++ % kWalk;
    return frames_[place < kFrames ? place : kWalk - place];
  }

 private:
  std::vector<Centers> frames_;
  std::size_t steps_ = 0;
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;
  /// From where the bodies are now to contacts; how many pairs have one.
  virtual std::size_t step(const Centers& centers) = 0;
};

class OurPipeline : public Pipeline {
 public:
  OurPipeline(const SceneColumns<3, float>& scene, bool keeps_order) : scene_(scene) {
    options_.threads.count = 1;
    options_.keeps_order = keeps_order;
  }
  std::size_t step(const Centers& centers) override {
    centers_of(scene_) = centers;
    collide<3, float>(scene_, contacts_, workspace_, options_);
    return contacts_.size();
  }

 private:
  SceneColumns<3, float> scene_;
  CollideOptions options_;
  Workspace<3, float> workspace_;
  ContactBuffer<3, float> contacts_;
};

class BulletPipeline : public Pipeline {
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
  std::size_t step(const Centers& centers) override {
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

class FclPipeline : public Pipeline {
 public:
  explicit FclPipeline(const SceneColumns<3, float>& scene)
      : objects_(fcl_objects(scene)), request_(row_count(scene.boxes) > 0 ? 4 : 1, true) {
    std::vector<fcl::CollisionObjectf*> all;
    for (const auto& object : objects_) all.push_back(object.get());
    manager_.registerObjects(all);
    manager_.setup();
  }
  std::size_t step(const Centers& centers) override {
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

using MakeScene = SceneColumns<3, float> (*)(std::size_t count);
using MakePipeline = std::unique_ptr<Pipeline> (*)(const SceneColumns<3, float>& scene);

void take_steps(benchmark::State& state, MakeScene make_scene, MakePipeline make) {
  const auto count = static_cast<std::size_t>(state.range(0));
  SceneColumns<3, float> scene = make_scene(count);
  Motion motion(centers_of(scene));
  const std::unique_ptr<Pipeline> pipeline = make(scene);
  const std::size_t steps_a_pass = std::max<std::size_t>(4096 / count, 1);
  std::size_t contacts = 0;
  const auto take = [&](std::size_t steps) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < steps; ++i) contacts = pipeline->step(motion.next());
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double best = 1e9, all = 0;
  for (auto _ : state) {
    take(Motion::kWalk);
    for (std::size_t pass = 0; pass < Motion::kWalk || all < 0.1; ++pass) {
      const double seconds = take(steps_a_pass);
      best = std::min(best, seconds);
      all += seconds;
    }
  }
  state.counters["ns_unit"] = best * 1e9 / static_cast<double>(steps_a_pass * count);
  // Of the first frame, however many steps were taken.
  contacts = pipeline->step(Motion(centers_of(scene)).next());
  state.counters["contacts"] = static_cast<double>(contacts);
}

void add_pipelines(const char* what, MakeScene make_scene) {
  const std::pair<const char*, MakePipeline> makers[] = {
      {"widephase",
       [](const SceneColumns<3, float>& scene) -> std::unique_ptr<Pipeline> {
         return std::make_unique<OurPipeline>(scene, false);
       }},
      {"widephase_order_kept",
       [](const SceneColumns<3, float>& scene) -> std::unique_ptr<Pipeline> {
         return std::make_unique<OurPipeline>(scene, true);
       }},
      {"bullet",
       [](const SceneColumns<3, float>& scene) -> std::unique_ptr<Pipeline> {
         return std::make_unique<BulletPipeline>(scene);
       }},
      {"fcl",
       [](const SceneColumns<3, float>& scene) -> std::unique_ptr<Pipeline> {
         return std::make_unique<FclPipeline>(scene);
       }},
  };
  for (const int count : {2, 16, 64, 1000, 100'000}) {
    for (const auto& [who, make] : makers) {
      benchmark::RegisterBenchmark(
          (std::string("peers/") + what + "/" + who).c_str(),
          [=, make = make](benchmark::State& state) { take_steps(state, make_scene, make); })
          ->Arg(count)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
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
  add_pipelines("scene", balls);
  add_pipelines("boxes", turned_boxes);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
