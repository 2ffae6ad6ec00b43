#pragma once

// Checks contacts against docs/conventions.md, by the reference.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "reference/reference.hpp"

namespace widephase::test {

/// Allowed errors, relative to the pair's size (`Reference::size`).
template <class T>
inline constexpr Real kDepthTolerance = sizeof(SizeOf<T>) == 4 ? 1e-5L : 1e-12L;
template <class T>
inline constexpr Real kUnitTolerance = sizeof(SizeOf<T>) == 4 ? 1e-6L : 1e-15L;

/// How far beyond its tolerance a depth of `status` 2 may be above the least.
inline constexpr Real kOpenTolerance = 1e-6L;

/// A contact, copied out of the arrays.
template <int D, class T>
struct Contact {
  Pair pair;
  Vec<D> normal{};
  Real depth = 0;
  int status = 0;
  std::vector<Vec<D>> points;
  std::vector<Real> point_depths;
  std::vector<std::uint32_t> features;
};

template <int D, class T>
Contact<D, T> contact_at(const ContactBuffer<D, T>& contacts, std::size_t i);

inline std::string describe_feature(std::uint32_t half) {
  constexpr std::array<const char*, 4> kNames{"whole", "vertex", "edge", "face"};
  return std::string(kNames[half >> 14 & 3]) + " " + std::to_string(half & 0x3fff);
}

template <int D, class T>
std::string describe(const Contact<D, T>& contact);

/// What is wrong with half of a feature, if the contact point of the shape's core is at
/// `core_point`; empty if nothing is. `T` is the precision of the scene.
template <class T, int D>
std::string feature_problem(const Solid<D>& solid, std::uint32_t half, const Vec<D>& core_point,
                            Real tolerance);

/// `least_point_count` if one shape is a box or polygon: 2 if a side faces a side and they share an
/// interval, whichever of the sides that are outermost to rounding are used.
std::size_t facing_point_count(const Solid<2>& a, const Solid<2>& b, const Vec<2>& n, Real margin,
                               Real tolerance);

/// The least number of points that the geometry requires along `n`: every corner of the shared
/// face, or both ends of the shared interval; 1 if the answer is open.
template <int D>
std::size_t least_point_count(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n, Real margin,
                              Real tolerance);

template <int D>
bool has_round(const Solid<D>& a, const Solid<D>& b) {
  return is_round(a.kind) || is_round(b.kind);
}

/// Whether an upper bound may be all that a method finds, with `status` 2.
template <int D>
bool may_be_open(const Solid<D>& a, const Solid<D>& b) {
  return (is_cylinder(a) && is_cylinder(b)) || is_searched(a) || is_searched(b);
}

/// How many of `count` contacts may have `status` 2: one in a thousand, but two in any list.
inline std::size_t most_open(std::size_t count) { return 2 + count / 1000; }

/// What is wrong with `contact` for A and B, as stored in `T`; empty if nothing is.
template <int D, class T>
std::string contact_problem(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference,
                            double margin, const Contact<D, T>& contact);

/// Whether the rules require a contact, or rounding decides.
enum class Expected { no, either, yes };

template <int D, class T>
Expected expected_contact(const Reference<D>& reference, double margin);

/// Runs a list of pairs on `isa` and checks every answer. Reports at most five wrong pairs. If
/// there are `warm_starts`, searches start there, and afterwards these are what the call left.
template <int D, class T>
void check_pairs(const std::vector<SolidPair<D>>& solids,
                 const std::vector<Reference<D>>& references, double margin, Isa isa,
                 Method method = Method::automatic, std::span<WarmStart> warm_starts = {});

/// The same for every method and margin on one instruction set; all others must give the same bits.
template <int D, class T>
void check_pairs_everywhere(std::vector<SolidPair<D>> solids,
                            std::initializer_list<double> margins);

}  // namespace widephase::test
