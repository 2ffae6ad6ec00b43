#pragma once

// Convex outlines of one owner that lie flush and so are one solid (docs/conventions.md, "Flush
// parts"), by brute force over all parts and many directions. It shares no code with the kernels.

#include <vector>

#include "reference/outline.hpp"

namespace widephase::test {

class FlushOutlines {
 public:
  /// All in one frame; `tolerance` is small beside every side.
  FlushOutlines(std::vector<Outline> parts, Real tolerance)
      : parts_(std::move(parts)), tolerance_(tolerance) {}

  /// A direction out of a part at a place of it.
  struct Felt {
    Real longer = 0;  ///< 0: it is felt; else a lower bound of how much longer it is for the solid
    bool is_doubtful = false;  ///< within a hundred tolerances of another answer
  };
  Felt felt(std::size_t part, const Vec<2>& u, const Vec<2>& place) const;

  /// The shortest way of a core with a radius out of a part along a direction that its solid, or
  /// that of a neighbour which reaches beyond `place` along `u`, feels. Where what is felt of the
  /// part is beside what is lowest of the core, the way is longer by how far. Over `directions`
  /// evenly spread and all that corners and sides single out.
  Real least_felt(std::size_t part, const Vec<2>& u, const Vec<2>& place, const Outline& core,
                  Real radius, int directions) const;

  /// The length along a direction, of the part alone.
  Real length_along(std::size_t part, const Vec<2>& u, const Outline& core, Real radius) const {
    return support(parts_[part], u) + support(core, times(u, -1)) + radius;
  }

  /// The length that parts the part from a core along a direction: the most that one is over the
  /// other anywhere. Not above `length_along`; minus infinity if they are beside one another.
  Real overlap_along(std::size_t part, const Vec<2>& u, const Outline& core) const;

 private:
  bool has(std::size_t part, const Vec<2>& point, Real slack) const;
  Real aside(std::size_t part, std::size_t side, Real low, Real high, bool& is_doubtful) const;
  /// How far neighbours that have a place reach beyond it.
  Real beyond(std::size_t part, const Vec<2>& u, const Vec<2>& place) const;
  int side_along(std::size_t part, const Vec<2>& u) const;
  /// What of a part is farthest along a direction: a corner, or the point of a side nearest to a
  /// place.
  Vec<2> end_along(std::size_t part, const Vec<2>& u, const Vec<2>& place) const;

  std::vector<Outline> parts_;
  Real tolerance_;
};

}  // namespace widephase::test
