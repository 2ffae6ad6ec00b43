#pragma once

// Declares what the code in README and docs/ assumes, page by page; it is compiled but not run.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>
#include <widephase/widephase.hpp>

namespace quick_start {
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
}  // namespace quick_start

namespace data_layout {
struct Body {
  double mass;
  float position[3];
  float rotation[4];
};
extern Body bodies[1000];
extern std::vector<float> x, y, z, radii;
extern float ends[3000], half_extents[3], positions[3000], rotations[4000];
extern std::size_t count, body_count;
extern widephase::SceneColumns<3, float> shapes;
extern widephase::SceneSpan<3, float> view;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern std::vector<std::int32_t> ids;
}  // namespace data_layout

namespace methods {
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern widephase::Column<float, 3> points;
std::vector<widephase::Pair> my_pairs(const widephase::BoundsBuffer<3, float>& bounds);
}  // namespace methods

namespace determinism {
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern int step;
}  // namespace determinism

namespace performance {
struct Pool {
  template <class Task>
  void run(std::size_t count, const Task& task) {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
  int size() const;
};
extern Pool pool;
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
}  // namespace performance

namespace conventions {
using widephase::collide;
extern widephase::BoundsBuffer<3, float> fixed_bounds, moving_bounds;
extern widephase::SceneColumns<3, float> terrain, moving, scene;
extern widephase::Tracker<3, float> tracker;
extern widephase::Column<widephase::Pair> pairs;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern widephase::CollideOptions options;
}  // namespace conventions

namespace memory {
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern widephase::CollideOptions options;
extern std::size_t my_contacts;
extern std::vector<float> load;
void grow(std::int64_t contacts, std::int64_t points);
}  // namespace memory

namespace porting {
struct Impulse {
  float along_normal;
  float across[2];
};
extern widephase::SceneColumns<3, float> scene;
extern widephase::Workspace<3, float> workspace;
extern widephase::ContactBuffer<3, float> contacts;
extern std::vector<Impulse> impulses;
struct Body2 {
  float position[2];
  struct {
    float c, s;
  } rotation;
};
extern Body2 body2[1000];
extern std::vector<float> angle;
extern widephase::SceneSpan<2, float> scene2;
extern const widephase::Column<float, 3> rock_points;
extern float positions[3000], radii[1000];
extern std::size_t count;
extern std::ptrdiff_t stride_in_bytes;
void resolve(const widephase::ContactBuffer<3, float>& contacts, std::size_t i);
}  // namespace porting
