// Debris falls on a scan: 2,000 hulls in a bin, with a scanned mesh that stands on its floor,
// settle in ten seconds, and none is inside of the scan. The scan is one mesh that all worlds
// share.
//
//   debris SCAN.obj [--worlds 1] [--seconds 10] [--threads 0]
//
// scripts/setup fetches build/bunny/bunny.obj, a scan of 3,674 triangles that encloses a volume.
// The solver is in soft_steps.hpp. The last line has the time that all threads together
// spent in `collide` in the last step.
//
// Exits with 1 and says why if a piece is inside of the scan or outside of the bin, or if more than
// one in a hundred still moves. Exits with 77 if there is no such file.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <widephase/widephase.hpp>

#include "soft_steps.hpp"

namespace {

using widephase::Column;
using widephase::ColumnSpan;
using Scene = widephase::SceneColumns<3, float>;

constexpr int kPieces = 2000;   // per world
constexpr int kForms = 20;      // different hulls
constexpr float kRadius = 0.5;  // of the ball that a piece's vertices are near
constexpr float kPlace = 1.3f;  // between pieces at the start
constexpr float kBin = 10;      // half of its width
constexpr float kScanHeight = 16;
// A piece that slides off the scan falls at up to 17 units per second, 0.3 per step. From its
// middle to its surface it is at least 0.3, and contacts are reported this far ahead.
constexpr float kMargin = 0.1f;
constexpr float kSlow = 0.5f;
constexpr double kMostMoving = 0.01;

struct Triangle {
  Vec a, b, c;
};

// The vertices and triangles of an OBJ file of triangles, as tall as asked and above the origin.
// Its y axis becomes z.
struct Scan {
  Column<float, 3> vertices;
  Column<std::int32_t, 3> indices;
  std::vector<Triangle> triangles;
};

Scan read_scan(const std::string& path) {
  Scan scan;
  std::ifstream file(path);
  std::vector<Vec> places;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    words >> word;
    if (word == "v") {
      float x = 0, y = 0, z = 0;
      words >> x >> y >> z;
      places.push_back({x, -z, y});
    } else if (word == "f") {
      std::int32_t a = 1, b = 1, c = 1;
      words >> a >> b >> c;
      scan.indices.push_back({a - 1, b - 1, c - 1});
    }
  }
  Vec low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};
  for (const Vec& p : places) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const float scale = kScanHeight / (high.z - low.z);
  for (Vec& p : places) {
    p = scale * Vec{p.x - (low.x + high.x) / 2, p.y - (low.y + high.y) / 2, p.z - low.z};
    scan.vertices.push_back({p.x, p.y, p.z});
  }
  for (std::size_t t = 0; t < scan.indices.size(); ++t) {
    const auto [a, b, c] = scan.indices.row(t);
    scan.triangles.push_back({places.at(a), places.at(b), places.at(c)});
  }
  return scan;
}

// How many triangles are above a point, and how high the highest one below or above it is.
struct Above {
  int count = 0;
  float top = 0;
};
Above above(const Scan& scan, const Vec& p) {
  Above found;
  const auto side = [&](const Vec& from, const Vec& to) {
    return double{to.x - from.x} * double{p.y - from.y} -
           double{to.y - from.y} * double{p.x - from.x};
  };
  for (const auto& [a, b, c] : scan.triangles) {
    const double of_c = side(a, b), of_a = side(b, c), of_b = side(c, a);
    const bool is_left = of_a >= 0 && of_b >= 0 && of_c >= 0;
    const bool is_right = of_a < 0 && of_b < 0 && of_c < 0;
    if (!is_left && !is_right) continue;
    const double sum = of_a + of_b + of_c;
    if (sum == 0) continue;
    const double z = (of_a * double{a.z} + of_b * double{b.z} + of_c * double{c.z}) / sum;
    found.top = std::max(found.top, static_cast<float>(z));
    if (z > double{p.z}) ++found.count;
  }
  return found;
}

struct Debris : Motion {
  int world_count = 1;
  Column<std::int32_t> world, form;
  Scene rest;  // the forms, the scan and the bin
};

// Hulls of 16 vertices near a ball: eight places and their mirror images, so that the middle of
// each is its centre of mass.
void add_forms(Scene& scene, std::mt19937& bits) {
  const auto uniform = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(bits()) * 0x1p-32f;
  };
  for (int form = 0; form < kForms; ++form) {
    Column<float, 3> points;
    for (int i = 0; i < 8; ++i) {
      // Evenly along a spiral from the pole to the equator, and nearer or farther at random.
      const float z = (static_cast<float>(i) + 0.5f) / 8, turn = 2.4f * static_cast<float>(i);
      const float across = std::sqrt(1 - z * z), size = kRadius * uniform(0.8f, 1);
      const Vec p = size * Vec{across * std::cos(turn), across * std::sin(turn), z};
      points.push_back({p.x, p.y, p.z});
      points.push_back({-p.x, -p.y, -p.z});
    }
    add_hull(scene.geometries, points.span());
  }
}

// What stays, in all worlds.
void add_bin(Scene& scene, const Scan& scan) {
  add_mesh(scene.mesh_geometries, scan.vertices.span(), scan.indices.span());
  scene.meshes.center.push_back({0, 0, 0});
  scene.meshes.turn.push_back({0, 0, 0, 1});
  scene.meshes.geometry.push_back({0});
  scene.meshes.world.push_back({-1});
  scene.halfspaces.normal = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  scene.halfspaces.offset = {0, -kBin, -kBin, -kBin, -kBin};
  scene.halfspaces.world = {-1, -1, -1, -1, -1};
}

Debris make_debris(const Scan& scan, int world_count) {
  Debris debris;
  debris.world_count = world_count;
  debris.body_count = world_count * kPieces;
  std::mt19937 bits(1);
  add_forms(debris.rest, bits);
  add_bin(debris.rest, scan);
  const int side = static_cast<int>(2 * (kBin - kRadius) / kPlace) + 1;
  std::vector<float> top;
  for (int i = 0; i < side * side; ++i) {
    const auto at = [&](int n) { return kRadius - kBin + kPlace * static_cast<float>(n); };
    float highest = 0;
    for (const Vec offset :
         {Vec{0, 0, 0}, {0.5f, 0, 0}, {-0.5f, 0, 0}, {0, 0.5f, 0}, {0, -0.5f, 0}}) {
      highest = std::max(highest, above(scan, Vec{at(i % side), at(i / side), 0} + offset).top);
    }
    top.push_back(highest);
  }
  const Body piece{
      {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}, 1, 1 / (0.4f * kRadius * kRadius),
      0};  // of a ball
  for (int id = 0; id < debris.body_count; ++id) {
    const int number = id % kPieces, place = number % (side * side), layer = number / (side * side);
    debris.position.push_back({kRadius - kBin + kPlace * static_cast<float>(place % side),
                               kRadius - kBin + kPlace * static_cast<float>(place / side),
                               top[place] + kPlace * (static_cast<float>(layer) + 1)});
    const float half = static_cast<float>(bits()) * 0x1p-32f * 3.14159265f;
    debris.orientation.push_back({std::sin(half), 0, 0, std::cos(half)});
    debris.world.push_back({id / kPieces});
    debris.form.push_back({static_cast<std::int32_t>(bits() % kForms)});
    debris.bodies.push_back(piece);
  }
  debris.bodies.push_back({});
  return debris;
}

// The scene as it is now, borrowed.
widephase::SceneSpan<3, float> lend(const Debris& debris) {
  widephase::SceneSpan<3, float> scene = debris.rest;
  scene.hulls.center = debris.position;
  scene.hulls.turn = debris.orientation;
  scene.hulls.geometry = debris.form;
  scene.hulls.world = debris.world;
  return scene;
}

// Takes a step and returns the seconds that all threads together spent in `collide`.
double step(Debris& debris, const widephase::CollideOptions& options) {
  const std::clock_t start = std::clock();
  collide(lend(debris), debris.contacts, debris.workspace, debris.tracker, options);
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  begin_solving(debris);
  const auto& first = debris.contacts.world_offset;
  for (int w = 0; w < debris.world_count; ++w) {
    step_bodies(debris, w * kPieces, (w + 1) * kPieces, first[w], first[w + 1]);
  }
  return taken;
}

// Prints what there is in the end. Returns whether it is as promised.
bool is_settled(const Debris& debris, const Scan& scan) {
  int inside = 0, outside = 0, moving = 0;
  for (int id = 0; id < debris.body_count; ++id) {
    const Vec at = vec(debris.position.row(id));
    inside += above(scan, at).count % 2;
    const bool is_in_bin = at.z > 0 && std::fabs(at.x) < kBin && std::fabs(at.y) < kBin;
    outside += is_in_bin ? 0 : 1;
    const Vec velocity = debris.bodies[id].velocity;
    moving += dot(velocity, velocity) > kSlow * kSlow ? 1 : 0;
  }
  std::int64_t on_scan = 0;
  double depth = 0;
  const auto scan_id = layout_of(lend(debris)).id(widephase::Kind::mesh, 0);
  for (std::size_t i = 0; i < debris.contacts.size(); ++i) {
    if (debris.contacts.pair[i].b != scan_id) continue;
    ++on_scan;
    depth = std::max(depth, double{debris.contacts.depth[i]});
  }
  std::printf("%lld contacts with the scan, at most %.4f deep; %d of %d pieces move\n",
              static_cast<long long>(on_scan), depth, moving, debris.body_count);
  if (inside > 0) std::fprintf(stderr, "debris: %d pieces are inside of the scan\n", inside);
  if (outside > 0) std::fprintf(stderr, "debris: %d pieces are outside of the bin\n", outside);
  const bool do_move = moving > kMostMoving * debris.body_count;
  if (do_move) std::fprintf(stderr, "debris: more than one piece in a hundred moves\n");
  return inside == 0 && outside == 0 && on_scan > 0 && !do_move;
}

}  // namespace

int main(int argc, char** argv) try {
  widephase::CollideOptions options;
  options.margin = kMargin;
  options.order = widephase::Order::world;
  int world_count = 1;
  double seconds = 10;
  bool is_understood = argc >= 2 && argc % 2 == 0;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    char* end = argv[i + 1];
    const double value = std::strtod(argv[i + 1], &end);
    is_understood &= end != argv[i + 1] && *end == '\0';
    if (option == "--worlds" && value >= 1 && value <= 1e4) {
      world_count = static_cast<int>(value);
    } else if (option == "--seconds" && value >= 2 * kTimeStep && value <= 1e6) {
      seconds = value;
    } else if (option == "--threads" && value >= 0 && value <= 4096) {
      options.threads.count = static_cast<int>(value);
    } else {
      is_understood = false;
    }
  }
  if (!is_understood) {
    std::fprintf(stderr, "usage: debris SCAN.obj [--worlds 1] [--seconds 10] [--threads 0]\n");
    return 2;
  }
  const Scan scan = read_scan(argv[1]);
  if (scan.triangles.empty()) {
    std::fprintf(stderr, "debris: %s has no triangles or is not there\n", argv[1]);
    return 77;
  }
  Debris debris = make_debris(scan, world_count);
  const int step_count = static_cast<int>(std::lround(seconds / kTimeStep));
  double all = 0, last = 0;
  for (int i = 0; i < step_count; ++i) all += last = step(debris, options);
  std::printf("%d pieces, %d steps, %.1f seconds of all threads in collide\n", debris.body_count,
              step_count, all);
  const bool is_good = is_settled(debris, scan);
  std::printf("the last call of collide took %.2f ms, %.0f ns per piece\n", 1e3 * last,
              1e9 * last / debris.body_count);
  return is_good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "debris: %s\n", error.what());
  return 1;
}
