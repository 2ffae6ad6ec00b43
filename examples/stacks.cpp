// Stacks of ten bodies stay standing: thousands of worlds with one stack each, in one call per
// step. Every body starts slightly tilted and rotated about the vertical by any angle, like real
// bodies at rest. A small solver (impulses at soft contacts in substeps, with friction) starts
// every step with the impulses of the last step, which a `Tracker` carries from point to point.
//
//   stacks [--body box] [--height 10] [--worlds 4096] [--seconds 10] [--substeps 0] [--threads 0]
//
// Bodies are cubes (box), hulls of eight sides (prism) or cylinders, all 1 wide and 1 high. 0
// substeps means 6, and one more for every two bodies above twelve. A tower of thirty gets 15 and
// needs 8.
//
// Exits with 1 and says why if a stack falls, or if fewer than 99.9% of the points existed in the
// previous step.
//
// Sources of the solver: Catto, Iterative Dynamics with Temporal Coherence, GDC 2005; Soft
// Constraints, GDC 2011; Solver2D, 2024 (soft steps).

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

using widephase::Column;
using widephase::ColumnSpan;

constexpr float kHalf = 0.5f;    // half of a body's width and height
constexpr int kSides = 8;        // of a prism
constexpr float kTilt = 0.001f;  // of every body at the start, about a horizontal axis
constexpr float kTimeStep = 1.f / 60;
constexpr float kGravity = 9.81f;
constexpr float kFriction = 0.6f;
// The frequency of the contacts' springs, in cycles per substep. They must be stiff, or a tower
// buckles under its own weight, however well its contacts are held. With 30 Hz, the usual limit in
// games, a tower of bodies 1 wide buckles from about twenty bodies on. A column of bending
// stiffness E holds up to h = (7.8 E / weight per height)^(1/3). Four springs of stiffness k at
// half a width from the middle have E = k here.
constexpr float kFrequency = 0.25f;
constexpr float kMostPush = 3;    // the highest speed at which overlaps are pushed apart
constexpr float kMargin = 0.02f;  // points up to this distance apart are reported
constexpr double kSteadiness = 0.01;

// Limits at the end; lengths are in widths of a body.
constexpr double kLeastMatched = 0.999;
constexpr double kMostSlide = 0.15;  // sideways from the starting position
constexpr double kMostSink = 0.15;
constexpr double kMostDepth = 0.02;

struct Vec {
  float x, y, z;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec vec(const std::array<float, 3>& row) { return {row[0], row[1], row[2]}; }

// The motion of a body, and how far it moved in this step. Each body has the same inertia about all
// axes perpendicular to its own z axis. The inverse inertia about z is `across` + `more_along`. The
// ground is the last body; its inverse mass and inertia are 0, so nothing moves it.
struct Body {
  Vec velocity, spin;
  Vec shift, turn;
  Vec axis;  // its own z axis, in the world
  float inverse_mass, across, more_along;
};
Vec spin_by(const Body& body, Vec angular_impulse) {
  return body.across * angular_impulse +
         (body.more_along * dot(body.axis, angular_impulse)) * body.axis;
}

enum class Form { box, prism, cylinder };

// The inverse inertia of a right prism of mass 1 and height 1 over a regular polygon with `corners`
// corners at distance `radius`. The squared radius of gyration about its axis is radius^2 (2 +
// cos(2 pi / corners)) / 6. About a perpendicular axis it is half of that plus height^2 / 12. A
// cylinder is the limit of many corners.
void set_inertia(Form form, Body& body) {
  constexpr float kPi = 3.14159265f;
  const float square = form == Form::box ? 2 * kHalf * kHalf : kHalf * kHalf;
  const float cosine = form == Form::cylinder ? 1
                       : form == Form::prism  ? std::cos(2 * kPi / kSides)
                                              : 0;  // for a square
  const float about_axis = square * (2 + cosine) / 6;
  const float height = 2 * kHalf;
  body.across = 1 / (about_axis / 2 + height * height / 12);
  body.more_along = 1 / about_axis - body.across;
}

// A point of a contact during solving.
struct Point {
  Vec arm_a, arm_b;
  float mass[3];     // the effective mass along each direction
  float separation;  // at the start of the step
};
using Impulse = std::array<float, 3>;  // along the normal and two tangents

// A contact as a spring with so much damping that it does not swing.
struct Softness {
  float rate;  // the part of an overlap removed per second
  float mass_share;
  float impulse_share;  // the part of the impulse that it gives back
};
Softness softness_of(float hertz, float substep) {
  constexpr float kDamping = 10;
  const float omega = 2 * 3.14159265f * hertz;
  const float damped = 2 * kDamping + substep * omega;
  const float stiff = substep * omega * damped;
  return {omega / damped, stiff / (1 + stiff), 1 / (1 + stiff)};
}

struct Setup {
  Form form = Form::box;
  int height = 10;  // bodies per stack
  int world_count = 4096;
  int substeps = 0;  // per step, which is one call of collide

  int substep_count() const { return substeps > 0 ? substeps : 6 + std::max(0, height - 12) / 2; }
  float substep() const { return kTimeStep / static_cast<float>(substep_count()); }
};

struct Stacks {
  Setup setup;
  int body_count = 0;
  Column<float, 3> position, start;
  Column<float, 4> orientation;
  Column<std::int32_t> world;
  std::vector<Body> bodies;                   // by id
  widephase::SceneColumns<3, float> library;  // the prism's hull
  // Kept from step to step, so that only the first few steps allocate memory.
  widephase::ContactBuffer<3, float> contacts;
  widephase::Workspace<3, float> workspace;
  widephase::Tracker<3, float> tracker;
  std::vector<Point> points;
  std::vector<Impulse> impulses, last_impulses;
};

Stacks make_stacks(const Setup& setup) {
  Stacks stacks;
  stacks.setup = setup;
  stacks.body_count = setup.world_count * setup.height;
  add_cylinder_hull(stacks.library.geometries, kSides, kHalf, kHalf);
  std::mt19937 bits(1);
  const auto uniform = [&](float most) {
    return most * (static_cast<float>(bits()) * 0x1p-31f - 1);
  };
  constexpr float kHalfTurn = 3.14159265f / 2;  // half of the yaw, as a quaternion needs it
  for (int id = 0; id < stacks.body_count; ++id) {
    const float height = kHalf + static_cast<float>(id % setup.height) * 2 * kHalf;
    stacks.position.push_back({uniform(0.02f), uniform(0.02f), height});
    // A rotation about the vertical, then a tilt about a horizontal axis.
    const float yaw = uniform(kHalfTurn), direction = uniform(2 * kHalfTurn);
    const float tilted = std::sin(kTilt / 2), upright = std::cos(kTilt / 2);
    stacks.orientation.push_back({tilted * std::cos(direction - yaw),
                                  tilted * std::sin(direction - yaw), upright * std::sin(yaw),
                                  upright * std::cos(yaw)});
    stacks.world.push_back({id / setup.height});
    stacks.bodies.push_back({});
    stacks.bodies.back().inverse_mass = 1;
    set_inertia(setup.form, stacks.bodies.back());
  }
  stacks.bodies.push_back({});
  stacks.start = stacks.position;
  return stacks;
}

// The scene as it is now, borrowed; all worlds share one ground.
widephase::SceneSpan<3, float> lend(const Stacks& stacks) {
  static constexpr float half_extents[3] = {kHalf, kHalf, kHalf}, up[3] = {0, 0, 1}, level = 0;
  static constexpr std::int32_t every_world = -1, prism = 0;
  widephase::SceneSpan<3, float> scene;
  const auto count = static_cast<std::size_t>(stacks.body_count);
  const auto place = [&](auto& table) {
    table.center = stacks.position;
    table.turn = stacks.orientation;
    table.world = stacks.world;
  };
  if (stacks.setup.form == Form::box) {
    place(scene.boxes);
    scene.boxes.half_extents = ColumnSpan<float, 3>::repeated(half_extents, count);
  } else if (stacks.setup.form == Form::prism) {
    place(scene.hulls);
    scene.hulls.geometry = ColumnSpan<std::int32_t>::repeated(&prism, count);
    scene.geometries.vertices = stacks.library.geometries.vertices;
    scene.geometries.offsets = stacks.library.geometries.offsets;
  } else {
    place(scene.cylinders);
    scene.cylinders.half_height = ColumnSpan<float>::repeated(&kHalf, count);
    scene.cylinders.radius = ColumnSpan<float>::repeated(&kHalf, count);
  }
  scene.halfspaces.normal = ColumnSpan<float, 3>::repeated(up, 1);
  scene.halfspaces.offset = ColumnSpan<float>::repeated(&level, 1);
  scene.halfspaces.world = ColumnSpan<std::int32_t>::repeated(&every_world, 1);
  return scene;
}

// The normal and two perpendicular directions.
std::array<Vec, 3> directions_of(Vec normal) {
  const Vec aside = std::fabs(normal.z) > 0.7f ? Vec{1, 0, 0} : Vec{0, 0, 1};
  const Vec across = cross(normal, aside);
  const Vec first = (1 / std::sqrt(dot(across, across))) * across;
  return {normal, first, cross(normal, first)};
}

void push(Body& a, Body& b, const Point& point, Vec impulse) {
  a.velocity = a.velocity - a.inverse_mass * impulse;
  a.spin = a.spin - spin_by(a, cross(point.arm_a, impulse));
  b.velocity = b.velocity + b.inverse_mass * impulse;
  b.spin = b.spin + spin_by(b, cross(point.arm_b, impulse));
}

// Computes the axes of all bodies and the arms and masses of all points, and takes over the
// impulses of points that existed before.
void begin_solving(Stacks& stacks) {
  const auto& contacts = stacks.contacts;
  const auto& last_point = stacks.tracker.last_point();
  stacks.points.resize(contacts.point_count());
  stacks.impulses.swap(stacks.last_impulses);
  stacks.impulses.resize(contacts.point_count());
  for (int id = 0; id < stacks.body_count; ++id) {
    const auto [x, y, z, w] = stacks.orientation.row(id);
    stacks.bodies[id].axis = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [id_a, id_b] = contacts.pair[i];
    const Body &a = stacks.bodies[id_a], &b = stacks.bodies[id_b];
    const auto directions = directions_of(vec(contacts.normal.row(i)));
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      const Vec at = vec(contacts.point.row(p));
      const float depth = contacts.point_depth[p];
      Point& point = stacks.points[p];
      point.arm_a = at - vec(stacks.position.row(id_a));
      point.arm_b = {0, 0, 0};  // for the ground, which does not rotate
      if (id_b < stacks.body_count) {
        point.arm_b = at - depth * directions[0] - vec(stacks.position.row(id_b));
      }
      for (int d = 0; d < 3; ++d) {
        const Vec turn_a = cross(point.arm_a, directions[d]);
        const Vec turn_b = cross(point.arm_b, directions[d]);
        point.mass[d] = 1 / (a.inverse_mass + b.inverse_mass + dot(turn_a, spin_by(a, turn_a)) +
                             dot(turn_b, spin_by(b, turn_b)));
      }
      point.separation = -depth;
      const std::int64_t last = last_point[p];
      stacks.impulses[p] = last < 0 ? Impulse{0, 0, 0} : stacks.last_impulses[last];
    }
  }
}

// Calls visit(a, b, directions, point, impulse) for the points of contacts `begin` to `end` - 1.
template <class Visit>
void for_each_point(Stacks& stacks, std::int64_t begin, std::int64_t end, const Visit& visit) {
  const auto& contacts = stacks.contacts;
  for (auto i = begin; i < end; ++i) {
    const auto [id_a, id_b] = contacts.pair[i];
    const auto directions = directions_of(vec(contacts.normal.row(i)));
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      visit(stacks.bodies[id_a], stacks.bodies[id_b], directions, stacks.points[p],
            stacks.impulses[p]);
    }
  }
}

// One pass over the contacts of a world. Bodies that are apart may approach until they touch. With
// `is_soft`, bodies that overlap are pushed apart softly. Without it they are only stopped, which
// removes the speed that the push added.
void solve(Stacks& stacks, std::int64_t begin, std::int64_t end, bool is_soft) {
  const float substep = stacks.setup.substep();
  const Softness softness = softness_of(kFrequency / substep, substep);
  for_each_point(
      stacks, begin, end,
      [&](Body& a, Body& b, const auto& directions, const Point& point, Impulse& impulse) {
        const Vec came =
            (b.shift + cross(b.turn, point.arm_b)) - (a.shift + cross(a.turn, point.arm_a));
        const float separation = point.separation + dot(came, directions[0]);
        float wanted = 0;  // speed of separation
        Softness soft{0, 1, 0};
        if (separation > 0) {
          wanted = -separation / substep;
        } else if (is_soft) {
          soft = softness;
          wanted = std::min(-soft.rate * separation, kMostPush);
        }
        for (int d = 0; d < 3; ++d) {
          const Vec apart =
              (b.velocity + cross(b.spin, point.arm_b)) - (a.velocity + cross(a.spin, point.arm_a));
          const float speed = dot(apart, directions[d]);
          float sum;
          if (d == 0) {
            const float more = soft.mass_share * point.mass[0] * (wanted - speed) -
                               soft.impulse_share * impulse[0];
            sum = std::max(impulse[0] + more, 0.f);
          } else {
            const float most = kFriction * impulse[0];
            sum = std::clamp(impulse[d] - point.mass[d] * speed, -most, most);
          }
          push(a, b, point, (sum - impulse[d]) * directions[d]);
          impulse[d] = sum;
        }
      });
}

// Takes a step of one world, whose contacts are `begin` to `end` - 1.
void step_world(Stacks& stacks, int world, std::int64_t begin, std::int64_t end) {
  const int first = world * stacks.setup.height, end_id = first + stacks.setup.height;
  const float substep = stacks.setup.substep();
  for (int n = 0; n < stacks.setup.substep_count(); ++n) {
    for (int id = first; id < end_id; ++id) {
      stacks.bodies[id].velocity.z -= substep * kGravity;
    }
    for_each_point(
        stacks, begin, end,
        [](Body& a, Body& b, const auto& directions, const Point& point, const Impulse& impulse) {
          push(
              a, b, point,
              impulse[0] * directions[0] + impulse[1] * directions[1] + impulse[2] * directions[2]);
        });
    solve(stacks, begin, end, true);
    for (int id = first; id < end_id; ++id) {
      Body& body = stacks.bodies[id];
      body.shift = body.shift + substep * body.velocity;
      body.turn = body.turn + substep * body.spin;
    }
    solve(stacks, begin, end, false);
  }
  for (int id = first; id < end_id; ++id) {
    Body& body = stacks.bodies[id];
    const Vec to = vec(stacks.position.row(id)) + body.shift;
    stacks.position.set(id, {to.x, to.y, to.z});
    const auto [x, y, z, w] = stacks.orientation.row(id);
    const Vec axis{x, y, z}, half = 0.5f * body.turn;
    const Vec next = axis + (w * half + cross(half, axis));
    const float next_w = w - dot(half, axis);
    const float scale = 1 / std::sqrt(dot(next, next) + next_w * next_w);
    stacks.orientation.set(id, {scale * next.x, scale * next.y, scale * next.z, scale * next_w});
    body.shift = body.turn = {0, 0, 0};
  }
}

// Totals of a run: the seconds spent in `collide`, the number of points in all steps but the first,
// and how many of these existed in the previous step.
struct Totals {
  double collide_seconds = 0;
  std::int64_t points = 0, matched = 0;
};

void step(Stacks& stacks, const widephase::CollideOptions& options, Totals& totals, bool is_first) {
  const auto start = std::chrono::steady_clock::now();
  collide(lend(stacks), stacks.contacts, stacks.workspace, stacks.tracker, options);
  totals.collide_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!is_first) {
    for (const std::int64_t last : stacks.tracker.last_point()) totals.matched += last < 0 ? 0 : 1;
    totals.points += static_cast<std::int64_t>(stacks.contacts.point_count());
  }
  begin_solving(stacks);
  const auto& first = stacks.contacts.world_offset;
  for (int w = 0; w < stacks.setup.world_count; ++w) step_world(stacks, w, first[w], first[w + 1]);
}

// Whether `value` is within its limit; prints a message if it is not.
bool holds(const char* what, double value, double limit) {
  if (value <= limit) return true;
  std::fprintf(stderr, "stacks: %s is %g, expected at most %g\n", what, value, limit);
  return false;
}

// Whether all stacks stand.
bool do_stand(const Stacks& stacks) {
  double slide = 0, sink = 0, lean = 0, depth = 0;
  for (int id = 0; id < stacks.body_count; ++id) {
    const Vec moved = vec(stacks.position.row(id)) - vec(stacks.start.row(id));
    slide = std::max(slide, std::hypot(double{moved.x}, double{moved.y}));
    sink = std::max(sink, std::fabs(double{moved.z}));
    const auto [x, y, z, w] = stacks.orientation.row(id);
    lean = std::max(lean, 2 * std::hypot(double{x}, double{y}));  // about the sine of the angle
  }
  for (const float of_contact : stacks.contacts.depth) depth = std::max(depth, double{of_contact});
  std::printf(
      "bodies have slid by %.4f, sunk by %.4f and lean by %.4f rad, contacts are %.4f deep, at "
      "most\n",
      slide, sink, lean, depth);
  bool is_good = holds("the farthest that a body slid", slide, kMostSlide);
  is_good &= holds("the farthest that a body sank", sink, kMostSink);
  is_good &= holds("the deepest contact", depth, kMostDepth);
  return is_good;
}

}  // namespace

int main(int argc, char** argv) try {
  Setup setup;
  double seconds = 10;
  widephase::CollideOptions options;
  options.margin = kMargin;
  options.order = widephase::Order::world;
  options.steadiness = kSteadiness;
  bool is_understood = argc % 2 == 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], word = argv[i + 1];
    if (option == "--body") {
      setup.form = word == "box" ? Form::box : word == "prism" ? Form::prism : Form::cylinder;
      is_understood &= word == "box" || word == "prism" || word == "cylinder";
      continue;
    }
    char* end = argv[i + 1];
    const double value = std::strtod(argv[i + 1], &end);
    is_understood &= end != argv[i + 1] && *end == '\0';
    if (option == "--height" && value >= 1 && value <= 1000) {
      setup.height = static_cast<int>(value);
    } else if (option == "--worlds" && value >= 1 && value <= 1e6) {
      setup.world_count = static_cast<int>(value);
    } else if (option == "--seconds" && value >= 2 * kTimeStep && value <= 1e6) {
      seconds = value;
    } else if (option == "--substeps" && value >= 0 && value <= 1000) {
      setup.substeps = static_cast<int>(value);
    } else if (option == "--threads" && value >= 0 && value <= 4096) {
      options.threads.count = static_cast<int>(value);
    } else {
      is_understood = false;
    }
  }
  if (!is_understood) {
    std::fprintf(stderr,
                 "usage: stacks [--body box|prism|cylinder] [--height 10] [--worlds 4096] "
                 "[--seconds 10] [--substeps 0] [--threads 0]\n");
    return 2;
  }
  const int step_count = static_cast<int>(std::lround(seconds / kTimeStep));
  Stacks stacks = make_stacks(setup);
  Totals totals;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < step_count; ++i) step(stacks, options, totals, i == 0);
  const std::chrono::duration<double> run = std::chrono::steady_clock::now() - begin;
  const double matched = static_cast<double>(totals.matched) / static_cast<double>(totals.points);
  std::printf(
      "%d stacks of %d, %d steps of %d substeps: %.0f steps of a stack a second, %.0f%% of the "
      "time in collide\n",
      setup.world_count, setup.height, step_count, setup.substep_count(),
      static_cast<double>(setup.world_count) * step_count / run.count(),
      100 * totals.collide_seconds / run.count());
  std::printf("%.4f%% of %lld points were there in the step before\n", 100 * matched,
              static_cast<long long>(totals.points));
  bool is_good = do_stand(stacks);
  is_good &=
      holds("the share of points that were not there before", 1 - matched, 1 - kLeastMatched);
  return is_good ? 0 : 1;
} catch (const widephase::Error& error) {  // if a position is not finite
  std::fprintf(stderr, "stacks: %s\n", error.what());
  return 1;
}
