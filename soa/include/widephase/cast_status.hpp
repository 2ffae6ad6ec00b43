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

}  // namespace widephase
