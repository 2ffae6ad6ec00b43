// A simulation backend with 256 worlds in one array. In each world, spheres and capsules fall into
// a bin. Every step lends the backend's own particles to widephase and reads the contacts by world.
//
// Exits with 1 if the result is not physical: a body outside its bin, or one that never comes to
// rest.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

constexpr int kWorldCount = 256;
constexpr int kBodiesAWorld = 64;
constexpr int kSpheresAWorld = 48;
constexpr int kSphereCount = kWorldCount * kSpheresAWorld;
constexpr int kBodyCount = kWorldCount * kBodiesAWorld;
constexpr float kRadius = 0.1f;
constexpr float kRod = 0.3f;  // between the ends of a capsule
constexpr float kBin = 1;     // the bin reaches from -kBin to kBin in x and y
constexpr float kTimeStep = 1.0f / 120;

struct Particle {
  float position[3];
  float previous[3];
};

struct Backend {
  // A sphere is one particle; a capsule is two particles joined by a rod. Spheres come first.
  std::vector<Particle> particles;
  std::vector<std::int32_t> world;  // of each body
  // Kept from step to step, so that only the first few steps allocate memory.
  widephase::ContactBuffer<3, float> contacts;
  widephase::Workspace<3, float> workspace;

  Particle* capsule(int body) { return &particles[kSphereCount + 2 * (body - kSphereCount)]; }
};

// Each world has four layers of 4 x 4 bodies, each shifted a little from the one below. The top
// layer is capsules.
void fill(Backend& backend) {
  for (int body = 0; body < kBodyCount; ++body) {
    const bool is_sphere = body < kSphereCount;
    const int capsules_a_world = kBodiesAWorld - kSpheresAWorld;
    const int i = is_sphere ? body % kSpheresAWorld
                            : kSpheresAWorld + (body - kSphereCount) % capsules_a_world;
    backend.world.push_back(is_sphere ? body / kSpheresAWorld
                                      : (body - kSphereCount) / capsules_a_world);
    const float x = 0.45f * (i % 4) - 0.8f + 0.01f * (i / 16);
    const float y = 0.45f * (i / 4 % 4) - 0.7f + 0.02f * (i / 16) + 0.0005f * backend.world[body];
    const float z = 0.3f + 0.3f * (i / 16);
    backend.particles.push_back({{x, y, z}, {x, y, z}});
    if (!is_sphere) backend.particles.push_back({{x + kRod, y, z}, {x + kRod, y, z}});
  }
}

// Position based dynamics: the velocity is how far a particle moved in the last step, slightly
// damped.
void advance(Backend& backend) {
  for (Particle& particle : backend.particles) {
    for (int k = 0; k < 3; ++k) {
      const float moved = 0.98f * (particle.position[k] - particle.previous[k]);
      const float fallen = k == 2 ? 9.81f * kTimeStep * kTimeStep : 0;
      particle.previous[k] = particle.position[k];
      particle.position[k] += moved - fallen;
    }
  }
}

// The scene of this step. Nothing is copied: a column is an address, a count and a stride.
widephase::SceneSpan<3, float> lend(const Backend& backend) {
  using widephase::ColumnSpan;
  static constexpr float normals[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  static constexpr float offsets[5] = {0, -kBin, -kBin, -kBin, -kBin};
  static constexpr std::int32_t every_world = -1;
  const auto positions = [&](int particle, int count, int particles_a_body) {
    return ColumnSpan<float, 3>::interleaved(backend.particles[particle].position, count,
                                             particles_a_body * sizeof(Particle));
  };
  const std::span<const std::int32_t> world(backend.world);
  const int capsule_count = kBodyCount - kSphereCount;

  widephase::SceneSpan<3, float> scene;
  scene.spheres.center = positions(0, kSphereCount, 1);
  scene.spheres.radius = ColumnSpan<float>::repeated(&kRadius, kSphereCount);
  scene.spheres.world = world.first(kSphereCount);
  scene.capsules.a = positions(kSphereCount, capsule_count, 2);
  scene.capsules.b = positions(kSphereCount + 1, capsule_count, 2);
  scene.capsules.radius = ColumnSpan<float>::repeated(&kRadius, capsule_count);
  scene.capsules.world = world.subspan(kSphereCount);
  scene.halfspaces.normal = ColumnSpan<float, 3>::interleaved(normals[0], 5);
  scene.halfspaces.offset = ColumnSpan<float>::interleaved(offsets, 5);
  scene.halfspaces.world = ColumnSpan<std::int32_t>::repeated(&every_world, 5);
  return scene;
}

// Moves a body so that its point at `point` moves by `push` along `normal`. Ids count through
// spheres, capsules, then walls, which do not move. So an id is the index of a body here.
void move(Backend& backend, int body, const float* point, const float* normal, float push) {
  if (body >= kBodyCount) return;
  if (body < kSphereCount) {
    for (int k = 0; k < 3; ++k) backend.particles[body].position[k] += push * normal[k];
    return;
  }
  float* a = backend.capsule(body)[0].position;
  float* b = backend.capsule(body)[1].position;
  float t = 0;  // the position along the rod
  for (int k = 0; k < 3; ++k) t += (point[k] - a[k]) * (b[k] - a[k]) / (kRod * kRod);
  t = std::clamp(t, 0.0f, 1.0f);
  const float share = push / ((1 - t) * (1 - t) + t * t);
  for (int k = 0; k < 3; ++k) {
    a[k] += (1 - t) * share * normal[k];
    b[k] += t * share * normal[k];
  }
}

// Pushes the bodies of each contact apart. Contacts of a world involve only its own bodies, so
// worlds may be solved in any order and on any thread.
bool solve(Backend& backend, int world) {
  const auto& contacts = backend.contacts;
  bool is_own = true;
  for (auto i = contacts.world_offset[world]; i < contacts.world_offset[world + 1]; ++i) {
    const auto [a, b] = contacts.pair[i];
    const auto normal = contacts.normal.row(i);  // from A to B
    const auto point_count = static_cast<float>(contacts.offset[i + 1] - contacts.offset[i]);
    const float share = (b < kBodyCount ? 0.5f : 1.0f) / point_count;
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      const auto point = contacts.point.row(p);
      move(backend, a, point.data(), normal.data(), -share * contacts.point_depth[p]);
      move(backend, b, point.data(), normal.data(), share * contacts.point_depth[p]);
    }
    is_own = is_own && backend.world[a] == world;
  }
  return is_own;
}

void restore_rods(Backend& backend) {
  for (int body = kSphereCount; body < kBodyCount; ++body) {
    float* a = backend.capsule(body)[0].position;
    float* b = backend.capsule(body)[1].position;
    const float length = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    for (int k = 0; k < 3; ++k) {
      const float shift = 0.5f * (1 - kRod / length) * (b[k] - a[k]);
      a[k] += shift;
      b[k] -= shift;
    }
  }
}

}  // namespace

int main() {
  Backend backend;
  fill(backend);
  widephase::CollideOptions options;
  options.order = widephase::Order::world;  // then world_offset says where each world begins

  const int step_count = 480;
  bool is_good = true;
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < step_count; ++step) {
    advance(backend);
    collide(lend(backend), backend.contacts, backend.workspace, options);
    for (int world = 0; world < kWorldCount; ++world) is_good = solve(backend, world) && is_good;
    restore_rods(backend);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  float lowest = 1, farthest = 0, fastest = 0;
  for (const auto& [position, previous] : backend.particles) {
    lowest = std::min(lowest, position[2] - kRadius);
    farthest = std::max({farthest, std::fabs(position[0]), std::fabs(position[1])});
    for (int k = 0; k < 3; ++k) {
      fastest = std::max(fastest, std::fabs(position[k] - previous[k]) / kTimeStep);
    }
  }
  std::printf("%d worlds of %d bodies: %.0f steps a second\n", kWorldCount, kBodiesAWorld,
              step_count / seconds.count());
  std::printf("at the end %zu contacts, lowest point %.4f m, fastest body %.3f m/s\n",
              backend.contacts.size(), lowest, fastest);
  is_good = is_good && lowest > -0.01f && farthest < kBin - kRadius + 0.01f && fastest < 0.1f;
  return is_good ? 0 : 1;
}
