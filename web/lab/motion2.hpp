#pragma once

// What the lab shows of shapes that move in the plane, in double: the GJK ray cast of a way without
// a turn (van den Bergh, "Ray casting against general convex objects with application to
// continuous collision detection", 2004), and conservative advancement with one (Mirtich, "Impulse-
// based dynamic simulation of rigid body systems", 1996, section 2.3.2).

#include <array>
#include <vector>

#include "json.hpp"

namespace widephase::lab {

/// A convex outline: its corners counter-clockwise, rounded by a radius.
struct Outline {
  std::vector<std::array<double, 2>> corners;
  double radius = 0;
};

/// B moves by `way` and turns by `turn` radians about `pivot` while t goes from 0 to 1.
struct Motion {
  std::array<double, 2> way{};
  double turn = 0;
  std::array<double, 2> pivot{};
};

/// Writes "motion", "cast" and "advance".
void write_motion(const Outline& a, const Outline& b, const Motion& motion, Json& json);

}  // namespace widephase::lab
