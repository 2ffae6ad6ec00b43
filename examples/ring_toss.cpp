// A ring is lowered over a post onto rough ground: two meshes and a height field, none of which is
// convex. Every step asks how far the ring is from the post and from the ground; the search begins
// where it ended in the step before (`warm_starts`). The last step asks for contacts.
//
// The ring comes down leaning and turning. Upright around the post it has 0.25 of room, which the
// numbers reach; if it had met the post, its status would be 3, without a depth. Exits with 1 if it
// does, or if the ring ends without contacts with the ground.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <widephase/distance.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/meshes.hpp>
#include <widephase/widephase.hpp>

namespace {

using Scene = widephase::SceneColumns<3, float>;
constexpr float kTurn = 6.2831853f;

/// A closed grid of rows around an axis; `point(u, v)` has the period 1 in u, and in v if it wraps.
template <class Point>
std::int32_t add_sheet(Scene& scene, int rows, int columns, bool wraps, const Point& point) {
  widephase::Column<float, 3> vertices;
  widephase::Column<std::int32_t, 3> triangles;
  const int lines = wraps ? rows : rows + 1;
  for (int row = 0; row < lines; ++row) {
    for (int column = 0; column < columns; ++column) {
      vertices.push_back(point(static_cast<float>(column) / static_cast<float>(columns),
                               static_cast<float>(row) / static_cast<float>(rows)));
    }
  }
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int next = (column + 1) % columns, above = (row + 1) % lines;
      const std::int32_t a = row * columns + column, b = row * columns + next;
      const std::int32_t c = above * columns + next, d = above * columns + column;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }
  return widephase::add_mesh<float>(scene.mesh_geometries, vertices.span(), triangles.span(), true);
}

}  // namespace

int main() {
  Scene scene;
  widephase::Column<float> heights;
  for (int row = 0; row < 41; ++row) {
    for (int column = 0; column < 41; ++column) {
      heights.push_back({0.02f * std::sin(0.9f * static_cast<float>(row)) *
                         std::cos(0.7f * static_cast<float>(column))});
    }
  }
  widephase::add_heightfield<float>(scene.heightfield_geometries, heights, 41, 0.1f, 0.1f);
  scene.heightfields.center = {{-2, -2, 0}};
  scene.heightfields.turn = {{0, 0, 0, 1}};
  scene.heightfields.geometry = {0};
  scene.heightfields.fixed = {1};

  add_sheet(scene, 48, 96, true, [](float u, float v) {  // a torus of radii 1 and 0.25
    const float out = 1 + 0.25f * std::cos(kTurn * v);
    return std::array<float, 3>{out * std::cos(kTurn * u), out * std::sin(kTurn * u),
                                0.25f * std::sin(kTurn * v)};
  });
  add_sheet(scene, 20, 64, false, [](float u, float v) {  // a post of radius 0.5, 2 high
    return std::array<float, 3>{0.5f * std::cos(kTurn * u), 0.5f * std::sin(kTurn * u), 2 * v};
  });
  scene.meshes.center = {{0, 0, 3}, {0, 0, 0}};
  scene.meshes.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.meshes.geometry = {0, 1};
  scene.meshes.fixed = {0, 1};

  // Ids: 0 the ground, 1 the ring, 2 the post.
  const std::vector<widephase::Pair> pairs{{1, 2}, {0, 1}};
  std::vector<widephase::WarmStart> words(pairs.size());
  widephase::Workspace<3, float> workspace;
  widephase::DistanceBuffer<3, float> found;
  widephase::CollideOptions options;
  options.warm_starts = words;
  constexpr int kSteps = 60;
  bool has_met = false;
  for (int step = 0; step <= kSteps; ++step) {
    const float share = static_cast<float>(step) / kSteps;
    const float lean = 0.15f * (1 - share) * std::cos(9 * share), height = 3 - 2.71f * share;
    scene.meshes.center.set(0, {0, 0, height});
    scene.meshes.turn.set(0, {std::sin(lean / 2), 0, 0, std::cos(lean / 2)});
    widephase::distances<3, float>(scene, pairs, found, workspace, options);
    has_met |= found.status[0] == static_cast<std::uint8_t>(widephase::Status::crossing);
    if (step % 10 == 0) {
      std::printf("height %.2f: %.3f from the post, %.3f from the ground\n", height,
                  found.distance[0], found.distance[1]);
    }
  }
  widephase::ContactBuffer<3, float> contacts;
  options.warm_starts = {};
  options.margin = 0.03f;
  widephase::collide<3, float>(scene, contacts, workspace, options);
  std::size_t on_ground = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) on_ground += contacts.pair[i].a == 0 ? 1 : 0;
  std::printf("at rest %zu places of the ground touch the ring\n", on_ground);
  if (has_met || on_ground == 0) {
    std::printf(has_met ? "the ring met the post\n" : "the ring touches nothing\n");
    return 1;
  }
  return 0;
}
