#pragma once

// Height fields of many forms, and convex shapes near them.

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "reference/surface_contacts.hpp"
#include "support/generate.hpp"

namespace widephase::test {

enum class Ground {
  flat,      ///< all heights 0
  raised,    ///< flat at a height, so that cells far below are none
  tilted,    ///< a plane that leans by 1e-6 to 1e-2
  steep,     ///< a plane of up to 60 degrees
  stairs,    ///< steps of 0.2 to 1, each as long as two to four cells
  saddle,    ///< up along one diagonal, down along the other
  valley,    ///< two slopes that meet along a line of samples
  ridge,     ///< the same upside down
  hills,     ///< smooth
  bumpy,     ///< heights at random, about half a cell
  slight,    ///< bumps of 1e-6 to 1e-3
  holes,     ///< bumps, and one sample in eight is missing
  one_cell,  ///< 2 by 2 samples
  needles,   ///< cells 30 times as long as wide
  far,       ///< bumps, 1e3 to 1e4 from the origin
  units,     ///< bumps in a unit of 1e-3 or 1e3
};
inline constexpr std::array kGrounds{
    Ground::flat,     Ground::raised,  Ground::tilted, Ground::steep,
    Ground::stairs,   Ground::saddle,  Ground::valley, Ground::ridge,
    Ground::hills,    Ground::bumpy,   Ground::slight, Ground::holes,
    Ground::one_cell, Ground::needles, Ground::far,    Ground::units};
std::string name_of(Ground ground);
inline void PrintTo(Ground ground, std::ostream* out) { *out << name_of(ground); }

/// A height field in the world.
struct PlacedField {
  HeightSamples samples;
  Point<3> center{};                   ///< of sample (0, 0)
  Quaternion orientation{0, 0, 0, 1};  ///< about it
  double unit = 1;                     ///< about the length of a cell

  std::array<Vec<3>, 3> axes() const { return axes_of(orientation); }
  /// A point of the field's frame in the world.
  Point<3> placed(const Point<3>& local) const;
  /// A point of the world in the field's frame.
  Vec<3> local(const Vec<3>& point) const;
};
std::string describe(const PlacedField& field);

/// At any yaw; half of those that are neither flat nor tilted are turned any way.
PlacedField random_field(Random& random, Ground ground);

/// The field with its numbers rounded to `T`.
template <class T>
PlacedField stored(PlacedField field);

/// A shape of about the size of a cell, or up to four times as large, at rest on the surface, deep
/// in it, or above. One in eight is anywhere near the field.
Solid<3> solid_near(Random& random, const PlacedField& field, Kind kind);

/// The shape rotated about its position, then moved so that its position is at `p`. An aabb stays
/// along the axes.
Solid<3> turned_to(Solid<3> solid, const Quaternion& turn, const Point<3>& p);

}  // namespace widephase::test
