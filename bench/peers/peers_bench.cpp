// widephase beside Bullet and FCL (Debian's packages): the same pairs and scenes, one thread.
//
// Names: peers/<what>/<who>/<count>. What: sphere_sphere, capsule_capsule (pairs to contacts with
// normal, depth and point; shapes made outside the timed loop), scene (spheres, whole pipeline),
// so that the count from which a call of ours pays can be read off. `contacts` must agree but for
// what a peer gets wrong.

#include <benchmark/benchmark.h>

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

void ours_scene(benchmark::State& state) {
  const auto scene = generate<3, float>("uniform", {static_cast<std::size_t>(state.range(0))});
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) collide(scene, contacts, workspace, options);
  count_contacts(state, contacts.size(), scene.spheres.radius.size());
}

void bullet_scene(benchmark::State& state) {
  const auto scene = generate<3, float>("uniform", {static_cast<std::size_t>(state.range(0))});
  BulletObjects bullet(scene);
  btDbvtBroadphase broad_phase;
  btCollisionWorld world(&bullet.dispatcher, &broad_phase, &bullet.configuration);
  for (auto& object : bullet.objects) world.addCollisionObject(object.get());
  std::size_t contacts = 0;
  for (auto _ : state) {
    world.performDiscreteCollisionDetection();
    contacts = 0;
    for (int i = 0; i < bullet.dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = bullet.dispatcher.getManifoldByIndexInternal(i);
      bool is_touching = false;
      for (int p = 0; p < manifold->getNumContacts(); ++p) {
        is_touching |= manifold->getContactPoint(p).getDistance() <= 0;
      }
      contacts += is_touching;
    }
  }
  count_contacts(state, contacts, bullet.objects.size());
  for (auto& object : bullet.objects) world.removeCollisionObject(object.get());
}

void fcl_scene(benchmark::State& state) {
  const auto scene = generate<3, float>("uniform", {static_cast<std::size_t>(state.range(0))});
  const auto objects = fcl_objects(scene);
  std::size_t contacts = 0;
  for (auto _ : state) {
    fcl::DynamicAABBTreeCollisionManagerf manager;
    std::vector<fcl::CollisionObjectf*> all;
    for (const auto& object : objects) all.push_back(object.get());
    manager.registerObjects(all);
    manager.setup();
    contacts = 0;
    manager.collide(&contacts, [](fcl::CollisionObjectf* a, fcl::CollisionObjectf* b, void* sum) {
      const fcl::CollisionRequestf request(1, true);
      fcl::CollisionResultf result;
      fcl::collide(a, b, request, result);
      *static_cast<std::size_t*>(sum) += result.isCollision();
      return false;
    });
  }
  count_contacts(state, contacts, objects.size());
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
  for (const int count : {2, 16, 64, 1000, 100'000}) {
    benchmark::RegisterBenchmark("peers/scene/widephase", ours_scene)->Arg(count);
    benchmark::RegisterBenchmark("peers/scene/bullet", bullet_scene)->Arg(count);
    benchmark::RegisterBenchmark("peers/scene/fcl", fcl_scene)->Arg(count);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
