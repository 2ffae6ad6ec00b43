#pragma once

#include <cstdint>

namespace widephase {

/// What a ray or a cast met.
enum class CastStatus : std::uint8_t {
  hit,             ///< a surface
  started_inside,  ///< a shape that it starts in or touches
  bound,           ///< a surface, and a limit of steps was met: `t` is early, never late
  none,            ///< nothing
};

/// What a shape is to a ray that starts in it.
enum class Inside : std::uint8_t {
  hit,    ///< hit at t = 0
  leave,  ///< passed over
  exit,   ///< hit where the ray leaves it
};

/// What is said of shapes that overlap or touch at the start of their motion.
enum class StartOverlap : std::uint8_t {
  report,       ///< `CastStatus::started_inside` at t = 0, with depth and normal of `distances`
  leave_apart,  ///< passed over where the motion does not deepen the overlap
  pass,         ///< passed over
};

}  // namespace widephase
