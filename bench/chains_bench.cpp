// Shapes along chains: 65,536 on a rolling line of 4,096 segments, each a little deep in it or a
// little above, beside Box2D's edges with their neighbours (b2CollideEdgeAndCircle,
// b2CollideEdgeAndPolygon) where it is found.
//
// Names: chains/<kind>/<list>; `ordered` lists the shapes along the line, `shuffled` anyhow.
//
// Counters, of the thread's CPU time on one thread: ns_pair for `find_contacts` per shape and
// chain; segments, those whose bounds meet a shape's, per shape; ns_segment, ns_pair over that;
// to_aim, ns_segment over the aim; contacts per shape; ns_box2d per shape and edge for the same
// ones, and ratio, that over ns_segment; hash of the contacts.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>

#ifdef WIDEPHASE_BOX2D
#include <box2d/b2_circle_shape.h>
#include <box2d/b2_collision.h>
#include <box2d/b2_edge_shape.h>
#include <box2d/b2_polygon_shape.h>
#endif

#include "scenes.hpp"

namespace widephase::bench {
namespace {

constexpr int kSegments = 4096;
constexpr std::size_t kShapes = 65536;
constexpr double kLength = 0.5;  // of a segment, along x

constexpr Aim kAims[] = {{"chains/circle/ordered", 1.5}, {"chains/box/ordered", 3.5}};

struct Line {
  std::vector<float> x, y;
  double height(double at) const {
    const auto s = static_cast<std::size_t>(at / kLength);
    const double share = at / kLength - static_cast<double>(s);
    return (1 - share) * y[s] + share * y[s + 1];
  }
};
Line rolling_line() {
  Random random(8);
  Line line;
  double height = 0;
  for (int v = 0; v <= kSegments; ++v) {
    line.x.push_back(static_cast<float>(v * kLength));
    line.y.push_back(static_cast<float>(height));
    height += random.uniform(-0.15, 0.15);
  }
  return line;
}

/// Shapes about as large as a segment, in any order along the line, with the chain behind them.
SceneColumns<2, float> scene_on(const Line& line, Kind kind, bool is_shuffled) {
  Random random(9);
  SceneColumns<2, float> scene;
  std::vector<double> places(kShapes);
  for (double& at : places) at = random.uniform(2, kSegments * kLength - 2);
  if (!is_shuffled) std::sort(places.begin(), places.end());
  const auto real = [](double value) { return static_cast<float>(value); };
  for (const double x : places) {
    const double size = random.uniform(0.2, 0.4), over = random.uniform(-0.01, 0.02);
    if (kind == Kind::circle) {
      scene.circles.center.push_back({real(x), real(line.height(x) + size + over)});
      scene.circles.radius.push_back(real(size));
    } else {
      const double lean = std::atan((line.height(x + size) - line.height(x - size)) / (2 * size));
      scene.boxes.center.push_back({real(x), real(line.height(x) + 0.7 * size + over)});
      scene.boxes.turn.push_back({real(lean)});
      scene.boxes.half_extents.push_back({real(size), real(0.7 * size)});
    }
  }
  auto& chains = scene.chain_geometries;
  // The free side is to the right of a chain's direction, so it goes towards -x.
  for (std::size_t v = line.x.size(); v-- > 0;) chains.vertices.push_back({line.x[v], line.y[v]});
  chains.offsets.push_back(static_cast<std::int32_t>(0));
  chains.offsets.push_back(static_cast<std::int32_t>(line.x.size()));
  scene.chains.center.push_back({0, 0});
  scene.chains.turn.push_back({0});
  scene.chains.geometry.push_back({0});
  scene.chains.radius.push_back({0});
  return scene;
}

/// The first and the last segment whose bounds meet those of a shape.
struct Near {
  std::size_t first, last;
};
std::vector<Near> near_segments(const Line& line, const BoundsSpan<2, float>& bounds) {
  std::vector<Near> near(kShapes);
  for (std::size_t i = 0; i < kShapes; ++i) {
    const auto segment = [](double x) { return static_cast<std::size_t>(x / kLength); };
    std::size_t first = segment(bounds.min(i, 0)), last = segment(bounds.max(i, 0));
    const auto is_under = [&](std::size_t s) {
      return std::max(line.y[s], line.y[s + 1]) < bounds.min(i, 1);
    };
    while (first < last && is_under(first)) ++first;
    while (last > first && is_under(last)) --last;
    near[i] = {first, last};
  }
  return near;
}

#ifdef WIDEPHASE_BOX2D
/// The least time of a pass over all shapes and the edges near them; the skins are 0.
double box2d_seconds(const SceneColumns<2, float>& scene, const Line& line,
                     const std::vector<Near>& near, bool is_circle) {
  std::vector<b2EdgeShape> edges(kSegments);
  const auto vertex = [&](std::size_t v) { return b2Vec2(line.x[v], line.y[v]); };
  for (std::size_t s = 0; s < kSegments; ++s) {
    const b2Vec2 before = s == 0 ? vertex(0) : vertex(s - 1);
    const b2Vec2 beyond = s + 2 < line.x.size() ? vertex(s + 2) : vertex(s + 1);
    edges[s].SetOneSided(beyond, vertex(s + 1), vertex(s), before);
    edges[s].m_radius = 0;
  }
  std::vector<b2CircleShape> circles(is_circle ? kShapes : 0);
  std::vector<b2PolygonShape> boxes(is_circle ? 0 : kShapes);
  std::vector<b2Transform> places(kShapes);
  for (std::size_t i = 0; i < kShapes; ++i) {
    if (is_circle) {
      circles[i].m_radius = scene.circles.radius[i];
      places[i].Set({scene.circles.center(i, 0), scene.circles.center(i, 1)}, 0);
    } else {
      boxes[i].SetAsBox(scene.boxes.half_extents(i, 0), scene.boxes.half_extents(i, 1));
      boxes[i].m_radius = 0;
      places[i].Set({scene.boxes.center(i, 0), scene.boxes.center(i, 1)}, scene.boxes.turn[i]);
    }
  }
  b2Transform none;
  none.SetIdentity();
  double best = 1e9;
  for (int pass = 0; pass < 20; ++pass) {
    const double start = thread_seconds();
    int points = 0;
    for (std::size_t i = 0; i < kShapes; ++i) {
      for (std::size_t s = near[i].first; s <= near[i].last; ++s) {
        b2Manifold manifold;
        if (is_circle) {
          b2CollideEdgeAndCircle(&manifold, &edges[s], none, &circles[i], places[i]);
        } else {
          b2CollideEdgeAndPolygon(&manifold, &edges[s], none, &boxes[i], places[i]);
        }
        points += manifold.pointCount;
      }
    }
    benchmark::DoNotOptimize(points);
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}
#endif

void on_chain(benchmark::State& state, Kind kind, bool is_shuffled) {
  const Line line = rolling_line();
  const SceneColumns<2, float> scene = scene_on(line, kind, is_shuffled);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < kShapes; ++i) {
    pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(kShapes)});
  }
  CollideOptions options;
  options.threads.count = 1;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  update_bounds<2, float>(scene, workspace, options);
  const std::vector<Near> near = near_segments(line, workspace.bounds());
  double segments = 0;
  for (const Near& of : near) segments += static_cast<double>(of.last - of.first + 1);
  const double best = least_seconds(
      state, [&] { find_contacts<2, float>(scene, pairs, contacts, workspace, options); });
  const double ns_segment = best / segments * 1e9;
  state.counters["ns_pair"] = best / kShapes * 1e9;
  state.counters["segments"] = segments / kShapes;
  state.counters["ns_segment"] = ns_segment;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / kShapes;
  report_aim(state, kAims,
             "chains/" + std::string(kind_name(kind, 2)) + (is_shuffled ? "/shuffled" : "/ordered"),
             ns_segment);
#ifdef WIDEPHASE_BOX2D
  const double theirs = box2d_seconds(scene, line, near, kind == Kind::circle) / segments * 1e9;
  state.counters["ns_box2d"] = theirs;
  state.counters["ratio"] = theirs / ns_segment;
#endif
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

BENCHMARK_CAPTURE(on_chain, circle, Kind::circle, false)->Name("chains/circle/ordered");
BENCHMARK_CAPTURE(on_chain, circle_shuffled, Kind::circle, true)->Name("chains/circle/shuffled");
BENCHMARK_CAPTURE(on_chain, box, Kind::box, false)->Name("chains/box/ordered");
BENCHMARK_CAPTURE(on_chain, box_shuffled, Kind::box, true)->Name("chains/box/shuffled");

}  // namespace
}  // namespace widephase::bench

BENCHMARK_MAIN();
