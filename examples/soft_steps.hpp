#pragma once

// A small solver for examples: impulses at soft contacts in substeps, with friction. A `Tracker`
// carries impulses from point to point, so every step starts with those of the last one.
//
// Sources: Catto, Iterative Dynamics with Temporal Coherence, GDC 2005; Soft Constraints, GDC 2011;
// Solver2D, 2024 (soft steps).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <widephase/widephase.hpp>

constexpr float kTimeStep = 1.f / 60;
constexpr float kGravity = 9.81f;
constexpr float kFriction = 0.6f;
// The frequency of the contacts' springs, in cycles per substep. They must be stiff, or a tower
// buckles under its own weight, however well its contacts are held. With 30 Hz, the usual limit in
// games, a tower of bodies 1 wide buckles from about twenty bodies on. A column of bending
// stiffness E holds up to h = (7.8 E / weight per height)^(1/3). Four springs of stiffness k at
// half a width from the middle have E = k here.
constexpr float kFrequency = 0.25f;
constexpr float kMostPush = 3;  // the highest speed at which overlaps are pushed apart

struct Vec {
  float x, y, z;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec vec(const std::array<float, 3>& row) { return {row[0], row[1], row[2]}; }

// The motion of a body, and how far it moved in this step. Each body has the same inertia about all
// axes perpendicular to its own z axis. The inverse inertia about z is `across` + `more_along`. The
// ground is the last body; its inverse mass and inertia are 0, so nothing moves it.
struct Body {
  Vec velocity, spin;
  Vec shift, turn;
  Vec axis;  // its own z axis, in the world
  float inverse_mass, across, more_along;
};
inline Vec spin_by(const Body& body, Vec angular_impulse) {
  return body.across * angular_impulse +
         (body.more_along * dot(body.axis, angular_impulse)) * body.axis;
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
inline Softness softness_of(float hertz, float substep) {
  constexpr float kDamping = 10;
  const float omega = 2 * 3.14159265f * hertz;
  const float damped = 2 * kDamping + substep * omega;
  const float stiff = substep * omega * damped;
  return {omega / damped, stiff / (1 + stiff), 1 / (1 + stiff)};
}

// Bodies that move, and their contacts. Their ids come first in the scene; all other shapes stay.
struct Motion {
  int body_count = 0;
  int substep_count = 6;  // per step, which is one call of collide
  float friction = kFriction;
  widephase::Column<float, 3> position;
  widephase::Column<float, 4> orientation;
  std::vector<Body> bodies;  // by id, then one that stays for all others
  // Kept from step to step, so that only the first few steps allocate memory.
  widephase::ContactBuffer<3, float> contacts;
  widephase::Workspace<3, float> workspace;
  widephase::Tracker<3, float> tracker;
  std::vector<Point> points;
  std::vector<Impulse> impulses, last_impulses;

  float substep() const { return kTimeStep / static_cast<float>(substep_count); }
  Body& body(std::int32_t id) { return bodies[std::min(id, body_count)]; }
};

// The normal and two perpendicular directions.
inline std::array<Vec, 3> directions_of(Vec normal) {
  const Vec aside = std::fabs(normal.z) > 0.7f ? Vec{1, 0, 0} : Vec{0, 0, 1};
  const Vec across = cross(normal, aside);
  const Vec first = (1 / std::sqrt(dot(across, across))) * across;
  return {normal, first, cross(normal, first)};
}

inline void push(Body& a, Body& b, const Point& point, Vec impulse) {
  a.velocity = a.velocity - a.inverse_mass * impulse;
  a.spin = a.spin - spin_by(a, cross(point.arm_a, impulse));
  b.velocity = b.velocity + b.inverse_mass * impulse;
  b.spin = b.spin + spin_by(b, cross(point.arm_b, impulse));
}

// Computes the axes of all bodies and the arms and masses of all points, and takes over the
// impulses of points that existed before.
inline void begin_solving(Motion& motion) {
  const auto& contacts = motion.contacts;
  const auto& last_point = motion.tracker.last_point();
  motion.points.resize(contacts.point_count());
  motion.impulses.swap(motion.last_impulses);
  motion.impulses.resize(contacts.point_count());
  for (int id = 0; id < motion.body_count; ++id) {
    const auto [x, y, z, w] = motion.orientation.row(id);
    motion.bodies[id].axis = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [id_a, id_b] = contacts.pair[i];
    const Body &a = motion.body(id_a), &b = motion.body(id_b);
    const auto directions = directions_of(vec(contacts.normal.row(i)));
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      const Vec at = vec(contacts.point.row(p));
      const float depth = contacts.point_depth[p];
      Point& point = motion.points[p];
      point.arm_a = at - vec(motion.position.row(id_a));
      point.arm_b = {0, 0, 0};  // for the ground, which does not rotate
      if (id_b < motion.body_count) {
        point.arm_b = at - depth * directions[0] - vec(motion.position.row(id_b));
      }
      for (int d = 0; d < 3; ++d) {
        const Vec turn_a = cross(point.arm_a, directions[d]);
        const Vec turn_b = cross(point.arm_b, directions[d]);
        point.mass[d] = 1 / (a.inverse_mass + b.inverse_mass + dot(turn_a, spin_by(a, turn_a)) +
                             dot(turn_b, spin_by(b, turn_b)));
      }
      point.separation = -depth;
      const std::int64_t last = last_point[p];
      motion.impulses[p] = last < 0 ? Impulse{0, 0, 0} : motion.last_impulses[last];
    }
  }
}

// Calls visit(a, b, directions, point, impulse) for the points of contacts `begin` to `end` - 1.
template <class Visit>
void for_each_point(Motion& motion, std::int64_t begin, std::int64_t end, const Visit& visit) {
  const auto& contacts = motion.contacts;
  for (auto i = begin; i < end; ++i) {
    const auto [id_a, id_b] = contacts.pair[i];
    const auto directions = directions_of(vec(contacts.normal.row(i)));
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      visit(motion.body(id_a), motion.body(id_b), directions, motion.points[p], motion.impulses[p]);
    }
  }
}

// One pass over contacts `begin` to `end` - 1. Bodies that are apart may approach until they touch.
// With `is_soft`, bodies that overlap are pushed apart softly. Without it they are only stopped,
// which removes the speed that the push added.
inline void solve(Motion& motion, std::int64_t begin, std::int64_t end, bool is_soft) {
  const float substep = motion.substep();
  const Softness softness = softness_of(kFrequency / substep, substep);
  for_each_point(
      motion, begin, end,
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
            const float most = motion.friction * impulse[0];
            sum = std::clamp(impulse[d] - point.mass[d] * speed, -most, most);
          }
          push(a, b, point, (sum - impulse[d]) * directions[d]);
          impulse[d] = sum;
        }
      });
}

// Takes a step of bodies `first` to `end_id` - 1, which no others meet. Their contacts are `begin`
// to `end` - 1.
inline void step_bodies(Motion& motion, int first, int end_id, std::int64_t begin,
                        std::int64_t end) {
  const float substep = motion.substep();
  for (int n = 0; n < motion.substep_count; ++n) {
    for (int id = first; id < end_id; ++id) {
      motion.bodies[id].velocity.z -= substep * kGravity;
    }
    for_each_point(
        motion, begin, end,
        [](Body& a, Body& b, const auto& directions, const Point& point, const Impulse& impulse) {
          push(
              a, b, point,
              impulse[0] * directions[0] + impulse[1] * directions[1] + impulse[2] * directions[2]);
        });
    solve(motion, begin, end, true);
    for (int id = first; id < end_id; ++id) {
      Body& body = motion.bodies[id];
      body.shift = body.shift + substep * body.velocity;
      body.turn = body.turn + substep * body.spin;
    }
    solve(motion, begin, end, false);
  }
  for (int id = first; id < end_id; ++id) {
    Body& body = motion.bodies[id];
    const Vec to = vec(motion.position.row(id)) + body.shift;
    motion.position.set(id, {to.x, to.y, to.z});
    const auto [x, y, z, w] = motion.orientation.row(id);
    const Vec axis{x, y, z}, half = 0.5f * body.turn;
    const Vec next = axis + (w * half + cross(half, axis));
    const float next_w = w - dot(half, axis);
    const float scale = 1 / std::sqrt(dot(next, next) + next_w * next_w);
    motion.orientation.set(id, {scale * next.x, scale * next.y, scale * next.z, scale * next_w});
    body.shift = body.turn = {0, 0, 0};
  }
}
