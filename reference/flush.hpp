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
  /// that of a neighbour which reaches beyond `place` along `u`, feels; a neighbour's must part the
  /// core from the part too. Where what is felt of the part is beside what is lowest of the core,
  /// the way is longer by how far. Over all that corners and sides single out, and `directions`
  /// evenly spread for the part itself.
  Real least_felt(std::size_t part, const Vec<2>& u, const Vec<2>& place, const Outline& core,
                  Real radius, int directions) const;

  /// The length along a direction, of the part alone.
  Real length_along(std::size_t part, const Vec<2>& u, const Outline& core, Real radius) const {
    return support(parts_[part], u) + support(core, times(u, -1)) + radius;
  }

  /// The length along a direction that parts the part, alone, from a core with a radius that
  /// overlaps it: there they begin to touch. If they do not overlap, `length_along`.
  Real parting_along(std::size_t part, const Vec<2>& u, const Outline& core, Real radius) const;

  /// The most that the part is over a core along a direction, anywhere across it. Not above
  /// `length_along`; minus infinity if they are beside one another.
  Real overlap_along(std::size_t part, const Vec<2>& u, const Outline& core) const;

  /// The length along `way`, as `least_felt` has it, also of parts anywhere that the core is over,
  /// and of the part itself if its neighbours reach beyond it: then longer by how far at least.
  Real length_felt(std::size_t part, const Vec<2>& u, const Vec<2>& place, const Vec<2>& way,
                   const Outline& core, Real radius) const;

 private:
  bool has(std::size_t part, const Vec<2>& point, Real slack) const;
  bool overlaps(std::size_t part, const Outline& core, Real radius, const Vec<2>& by) const;
  bool is_near(std::size_t of, std::size_t part, const Vec<2>& u, const Vec<2>& end) const;
  Real length_of(std::size_t of, std::size_t part, const Vec<2>& way, const Outline& core,
                 Real radius, bool is_climbed) const;
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
