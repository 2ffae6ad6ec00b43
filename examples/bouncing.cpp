// Circles, boxes and convex polygons bounce in a box, elastically and without friction. A hot disc
// of bodies in the middle drives a wave through the others, which are nearly at rest.
//
//   bouncing [--bodies 2000] [--steps 1000] [-o frames.svg]
//
// Exits with 1 and says why if the result is not physical: if momentum or energy drift by more than
// rounding, or if bodies sink into one another or leave the box.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <widephase/polygons.hpp>
#include <widephase/widephase.hpp>

#include "svg_frames.hpp"

namespace {

using widephase::Column;
using widephase::ColumnSpan;
using Geometries = widephase::GeometryTable<widephase::Owned<2, double>>;

constexpr double kPi = 3.14159265358979;
constexpr double kTimeStep = 0.01;
constexpr double kPitch = 1.15;      // of the grid of starting positions
constexpr double kHotSpeed = 3;      // the speed of cold bodies is a hundredth of this
constexpr double kNear = 0.1;        // farther than a step pushes any body
constexpr double kTouching = 0.002;  // bodies that overlap by less than this only touch
constexpr int kGeometryCount = 16;   // polygons that the bodies share
constexpr int kSweeps = 16;          // at most so many passes over the contacts of a step
constexpr int kFrames = 6;

// Limits for the whole run. Every impulse rounds the energy and momentum of its two bodies by about
// 1e-16. The drift of hundreds of thousands of impulses is still far below 1e-12.
constexpr double kMostEnergyDrift = 1e-12;    // of the energy
constexpr double kMostMomentumDrift = 1e-12;  // of the sum of all bodies' |momentum|
constexpr double kMostDepth = 0.01;  // after pushing apart: 1/60 of the smallest circle's width

// The rows are circles, boxes, polygons and four walls, in the order of ids, so shape i is row i.
// The columns are the state of the simulation; the scene borrows parts of them.
struct World {
  int circle_count = 0, box_count = 0, body_count = 0;
  double half_size = 0, wall_offset = 0;
  Column<double, 2> position;
  Column<double> angle;
  Column<double> circle_radius;    // circles only
  Column<double, 2> half_extents;  // boxes only
  Column<std::int32_t> geometry;   // polygons only
  Geometries geometries;
  Column<double, 2> velocity;
  Column<double> spin;
  Column<double> inverse_mass, inverse_inertia;  // 0 for walls, so nothing moves them
  double wall_momentum[2] = {0, 0};              // what the walls gave to the bodies
  // Kept from step to step, so that only the first few steps allocate memory.
  Column<double, 2> shift;
  widephase::ContactBuffer<2, double> contacts;
  widephase::Workspace<2, double> workspace;
};

// Uniform numbers that are the same with every standard library.
struct Random {
  std::mt19937 bits{1};
  double operator()(double low, double high) {
    return low + (high - low) * (bits() / 4294967296.0);
  }
};

// Hulls of random points on ellipses. A body rotates about its centre of mass, so the points are
// shifted to put it at the origin of the geometry's frame.
void add_geometries(Geometries& geometries, Random& random) {
  for (int i = 0; i < kGeometryCount; ++i) {
    const int count = 3 + i % 6;
    const double size = random(0.4, 0.48), slimness = random(0.6, 1);
    Column<double, 2> points;
    for (int v = 0; v < count; ++v) {
      const double turn = 2 * kPi * (v + random(-0.3, 0.3)) / count;
      points.push_back({size * std::cos(turn), size * slimness * std::sin(turn)});
    }
    Geometries draft;
    add_polygon(draft, points);
    const auto centroid = properties(draft, 0).centroid;
    for (int v = 0; v < count; ++v) {
      for (int k = 0; k < 2; ++k) points(v, k) -= centroid[k];
    }
    add_polygon(geometries, points);
  }
}

// The size, mass and moment of inertia of a body with density 1.
void add_body(World& world, int id, Random& random) {
  double mass, inertia;
  if (id < world.circle_count) {
    const double radius = random(0.3, 0.5);
    world.circle_radius.push_back({radius});
    mass = kPi * radius * radius;
    inertia = mass * radius * radius / 2;
  } else if (id < world.circle_count + world.box_count) {
    const double x = random(0.3, 0.45), y = random(0.2, 0.3);
    world.half_extents.push_back({x, y});
    mass = 4 * x * y;
    inertia = mass * (x * x + y * y) / 3;
  } else {
    const std::int32_t geometry = id % kGeometryCount;
    world.geometry.push_back({geometry});
    const auto measures = properties(world.geometries, geometry);
    mass = measures.area;
    inertia = measures.second_moment;
  }
  world.inverse_mass.push_back({1 / mass});
  world.inverse_inertia.push_back({1 / inertia});
}

World make_world(int body_count) {
  World world;
  world.circle_count = world.box_count = body_count / 3;
  world.body_count = body_count;
  const int columns = static_cast<int>(std::ceil(std::sqrt(body_count)));
  world.half_size = kPitch * columns / 2;
  world.wall_offset = -world.half_size;
  Random random;
  add_geometries(world.geometries, random);
  std::vector<int> places(body_count);  // grid positions, shuffled to mix the kinds
  for (int i = 0; i < body_count; ++i) {
    const int other = static_cast<int>(random(0, i + 1));
    places[i] = places[other];
    places[other] = i;
  }
  for (int id = 0; id < body_count; ++id) {
    add_body(world, id, random);
    const double x = (places[id] % columns + 0.5) * kPitch - world.half_size;
    const double y = (places[id] / columns + 0.5) * kPitch - world.half_size;
    const double speed = kHotSpeed * (std::hypot(x, y) < 0.4 * world.half_size ? 1 : 0.01);
    const double direction = random(0, 2 * kPi);
    world.position.push_back({x, y});
    world.angle.push_back({random(0, 2 * kPi)});
    world.velocity.push_back({speed * std::cos(direction), speed * std::sin(direction)});
  }
  for (auto* column : {&world.position, &world.velocity, &world.shift}) {
    column->resize(body_count + 4);
  }
  for (auto* column : {&world.spin, &world.inverse_mass, &world.inverse_inertia}) {
    column->resize(body_count + 4);
  }
  return world;
}

// The scene as it is now. Nothing is copied: a column is an address, a count and a stride.
widephase::SceneSpan<2, double> lend(const World& world) {
  static constexpr double normals[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const auto positions = [&](int first, int count) {
    const auto& all = world.position;
    return ColumnSpan<double, 2>::planes({all.plane(0) + first, all.plane(1) + first}, count);
  };
  const std::span<const double> angles(world.angle.begin(), world.angle.end());
  const int first_polygon = world.circle_count + world.box_count;

  widephase::SceneSpan<2, double> scene;
  scene.circles.center = positions(0, world.circle_count);
  scene.circles.radius = world.circle_radius;
  scene.boxes.center = positions(world.circle_count, world.box_count);
  scene.boxes.turn = angles.subspan(world.circle_count, world.box_count);
  scene.boxes.half_extents = world.half_extents;
  scene.polygons.center = positions(first_polygon, world.body_count - first_polygon);
  scene.polygons.turn = angles.subspan(first_polygon);
  scene.polygons.geometry = world.geometry;
  scene.geometries.vertices = world.geometries.vertices;
  scene.geometries.offsets = world.geometries.offsets;
  scene.halfspaces.normal = ColumnSpan<double, 2>::interleaved(normals[0], 4);
  scene.halfspaces.offset = ColumnSpan<double>::repeated(&world.wall_offset, 4);
  return scene;
}

// Finds the contacts of all shapes that are at most `margin` apart.
void find_contacts(World& world, double margin) {
  widephase::CollideOptions options;
  options.margin = margin;
  collide(lend(world), world.contacts, world.workspace, options);
}

void advance(World& world) {
  for (int id = 0; id < world.body_count; ++id) {
    for (int k = 0; k < 2; ++k) world.position(id, k) += kTimeStep * world.velocity(id, k);
    world.angle[id] += kTimeStep * world.spin[id];
  }
}

// Moves bodies until none overlap; lighter bodies move farther. Velocities do not change, so no
// energy is added. When B has moved by s relative to A, the overlap along the normal is depth -
// dot(s, normal). This is exact, so the contacts of one call serve many sweeps. With the margin
// they include nearby bodies, so that no body is pushed into a neighbour.
void push_apart(World& world) {
  const auto& contacts = world.contacts;
  auto& shift = world.shift;
  for (int k = 0; k < 2; ++k) std::fill_n(shift.plane(k), shift.size(), 0.0);
  bool is_apart = false;
  for (int sweep = 0; sweep < kSweeps && !is_apart; ++sweep) {
    is_apart = true;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto [a, b] = contacts.pair[i];
      const auto [x, y] = contacts.normal.row(i);
      const double moved = (shift(b, 0) - shift(a, 0)) * x + (shift(b, 1) - shift(a, 1)) * y;
      const double overlap = contacts.depth[i] - moved;
      if (overlap <= 0) continue;
      is_apart = is_apart && overlap < kTouching;
      const double share = overlap / (world.inverse_mass[a] + world.inverse_mass[b]);
      const double a_moves = share * world.inverse_mass[a], b_moves = share * world.inverse_mass[b];
      shift.set(a, {shift(a, 0) - a_moves * x, shift(a, 1) - a_moves * y});
      shift.set(b, {shift(b, 0) + b_moves * x, shift(b, 1) + b_moves * y});
    }
  }
  for (int id = 0; id < world.body_count; ++id) {
    for (int k = 0; k < 2; ++k) world.position(id, k) += shift(id, k);
  }
}

// If two bodies approach each other at `point`, makes them separate at the same speed. The impulse
// is along the normal and does not change their total momentum or energy. Returns whether there was
// one.
bool bounce(World& world, int a, int b, const std::array<double, 2>& point,
            const std::array<double, 2>& normal) {
  const auto arm = [&](int id) {  // cross(point - centre, normal), for any point on the normal
    return (point[0] - world.position(id, 0)) * normal[1] -
           (point[1] - world.position(id, 1)) * normal[0];
  };
  const double arm_a = arm(a), arm_b = arm(b);
  auto& velocity = world.velocity;
  double speed = world.spin[b] * arm_b - world.spin[a] * arm_a;
  for (int k = 0; k < 2; ++k) speed += (velocity(b, k) - velocity(a, k)) * normal[k];
  if (speed >= 0) return false;
  const double inverse = world.inverse_mass[a] + world.inverse_mass[b] +
                         world.inverse_inertia[a] * arm_a * arm_a +
                         world.inverse_inertia[b] * arm_b * arm_b;
  const double impulse = -2 * speed / inverse;
  for (int k = 0; k < 2; ++k) {
    velocity(a, k) -= impulse * normal[k] * world.inverse_mass[a];
    velocity(b, k) += impulse * normal[k] * world.inverse_mass[b];
    if (b >= world.body_count) world.wall_momentum[k] -= impulse * normal[k];
  }
  world.spin[a] -= impulse * arm_a * world.inverse_inertia[a];
  world.spin[b] += impulse * arm_b * world.inverse_inertia[b];
  return true;
}

// Goes over the points several times, since an impulse at one point may make two other bodies
// approach. If any still do after the last sweep, the next step handles them.
void bounce_all(World& world) {
  const auto& contacts = world.contacts;
  bool is_parting = false;
  for (int sweep = 0; sweep < kSweeps && !is_parting; ++sweep) {
    is_parting = true;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto [a, b] = contacts.pair[i];
      for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
        const bool was_hit = bounce(world, a, b, contacts.point.row(p), contacts.normal.row(i));
        is_parting = is_parting && !was_hit;
      }
    }
  }
}

struct Totals {
  double energy = 0, turning_energy = 0;
  double momentum[2] = {0, 0};  // without what the walls gave
  double momenta = 0;           // the sum of the bodies' |momentum|
  double deepest = 0;
  bool is_inside = true;
};

Totals totals_of(const World& world) {
  Totals totals;
  for (int id = 0; id < world.body_count; ++id) {
    const auto [x, y] = world.velocity.row(id);
    const double mass = 1 / world.inverse_mass[id];
    const double turning = world.spin[id] * world.spin[id] / world.inverse_inertia[id] / 2;
    totals.turning_energy += turning;
    totals.energy += mass * (x * x + y * y) / 2 + turning;
    totals.momentum[0] += mass * x;
    totals.momentum[1] += mass * y;
    totals.momenta += mass * std::hypot(x, y);
    for (int k = 0; k < 2; ++k) {
      totals.is_inside = totals.is_inside && std::fabs(world.position(id, k)) < world.half_size;
    }
  }
  for (int k = 0; k < 2; ++k) totals.momentum[k] -= world.wall_momentum[k];
  for (const double depth : world.contacts.depth) totals.deepest = std::max(totals.deepest, depth);
  return totals;
}

// Whether `value` is within its limit; prints a message if it is not.
bool holds(const char* what, double value, double limit) {
  if (value <= limit) return true;
  std::fprintf(stderr, "bouncing: %s is %g, expected at most %g\n", what, value, limit);
  return false;
}

// Takes all steps, and prints lines and draws frames in between. Returns whether the limits were
// kept.
bool simulate(World& world, int step_count, std::optional<SvgFrames>& frames) {
  const auto draw = [&](int step) {
    char caption[32];
    std::snprintf(caption, sizeof(caption), "%.1f s", step * kTimeStep);
    if (frames) {
      frames->add(lend(world), caption, [&](int id) {
        return std::hypot(world.velocity(id, 0), world.velocity(id, 1)) / kHotSpeed;
      });
    }
  };
  const Totals start = totals_of(world);
  double energy_drift = 0, momentum_drift = 0, deepest = 0;
  bool is_inside = true;
  std::printf(
      "  step  contacts  energy drift  momentum drift  deepest  share of energy that turns\n");
  draw(0);
  for (int step = 1; step <= step_count; ++step) {
    advance(world);
    find_contacts(world, kNear);
    push_apart(world);
    find_contacts(world, kTouching);
    bounce_all(world);

    const Totals now = totals_of(world);
    const double lost_x = now.momentum[0] - start.momentum[0];
    const double lost_y = now.momentum[1] - start.momentum[1];
    energy_drift = std::max(energy_drift, std::fabs(now.energy / start.energy - 1));
    momentum_drift = std::max(momentum_drift, std::hypot(lost_x, lost_y) / now.momenta);
    deepest = std::max(deepest, now.deepest);
    is_inside = is_inside && now.is_inside;
    const auto is_time_for = [&](int count) {  // spreads `count` times evenly over the run
      return step * count / step_count > (step - 1) * count / step_count;
    };
    if (is_time_for(kFrames - 1)) draw(step);
    if (is_time_for(10)) {
      std::printf("%6d  %8zu  %12.1e  %14.1e  %7.5f  %26.3f\n", step, world.contacts.size(),
                  energy_drift, momentum_drift, deepest, now.turning_energy / now.energy);
    }
  }
  if (!is_inside) std::fprintf(stderr, "bouncing: a body has left the box\n");
  bool is_good = holds("the drift of energy, as a share of it,", energy_drift, kMostEnergyDrift);
  is_good &= holds("the drift of momentum, as a share of all,", momentum_drift, kMostMomentumDrift);
  is_good &= holds("the deepest overlap", deepest, kMostDepth);
  return is_good && is_inside;
}

}  // namespace

int main(int argc, char** argv) try {
  std::string out;
  int body_count = 2000;
  int step_count = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "-o") out = argv[i + 1];
    if (option == "--bodies") body_count = std::atoi(argv[i + 1]);
    if (option == "--steps") step_count = std::atoi(argv[i + 1]);
  }
  if (body_count < 1 || step_count < 1 || (!out.empty() && !out.ends_with(".svg"))) {
    std::fprintf(stderr, "usage: bouncing [--bodies 2000] [--steps 1000] [-o frames.svg]\n");
    return 2;
  }
  World world = make_world(body_count);
  std::optional<SvgFrames> frames;
  if (!out.empty()) frames.emplace(out, 3, kFrames / 3, world.half_size);

  const auto begin = std::chrono::steady_clock::now();
  const bool is_good = simulate(world, step_count, frames);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // In the long run every degree of freedom has the same energy. A body has two, and a third if its
  // rotation can change; a circle without friction cannot change it.
  const int turning_count = body_count - world.circle_count;
  std::printf("%d bodies, %.2f ms a step; in the long run %.3f of the energy turns\n", body_count,
              1e3 * seconds.count() / step_count,
              turning_count / (2.0 * body_count + turning_count));
  if (frames && !frames->finish()) {
    std::perror(out.c_str());
    return 1;
  }
  return is_good ? 0 : 1;
} catch (const widephase::Error& error) {  // if a position or an angle is not finite
  std::fprintf(stderr, "bouncing: %s\n", error.what());
  return 1;
}
