#pragma once

// Checks reported contacts against formats.md, by the reference.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "reference/reference.hpp"

namespace widephase::test {

/// Errors allowed, as shares of the pair's size (`Reference::size`).
template <class T>
inline constexpr Real kDepthTolerance = sizeof(SizeOf<T>) == 4 ? 1e-5L : 1e-12L;
template <class T>
inline constexpr Real kUnitTolerance = sizeof(SizeOf<T>) == 4 ? 1e-6L : 1e-15L;

/// One contact, copied out of the arrays.
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

/// What is wrong with half a feature, given where the shape's core has the contact point; empty
/// when nothing is. `T` is the precision of the scene.
template <class T, int D>
std::string feature_problem(const Solid<D>& solid, std::uint32_t half, const Vec<D>& core_point,
                            Real tolerance);

/// `least_point_count` where one shape is a box or polygon: 2 where a side faces a side and they
/// share a stretch, whichever of the sides that are outermost to rounding are taken.
std::size_t facing_point_count(const Solid<2>& a, const Solid<2>& b, const Vec<2>& n, Real margin,
                               Real tolerance);

/// The least count of points that the geometry calls for along `n`: every corner of the shared
/// face, both ends of the shared stretch; 1 where the question is open.
template <int D>
std::size_t least_point_count(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n, Real margin,
                              Real tolerance);

template <int D>
bool has_cylinder(const Solid<D>& a, const Solid<D>& b) {
  return a.kind == Kind::cylinder || b.kind == Kind::cylinder;
}

/// What `contact` says wrongly about A and B (shapes as stored in `T`); empty when nothing.
template <int D, class T>
std::string contact_problem(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference,
                            double margin, const Contact<D, T>& contact);

/// Whether the rules call for a contact, or rounding decides.
enum class Expected { no, either, yes };

template <int D, class T>
Expected expected_contact(const Reference<D>& reference, double margin);

/// Runs a list of pairs on `isa` and checks every answer; reports at most five wrong pairs.
/// Searches begin at `warm_starts`, where there are some, which then are those that the call has
/// left.
template <int D, class T>
void check_pairs(const std::vector<SolidPair<D>>& solids,
                 const std::vector<Reference<D>>& references, double margin, Isa isa,
                 Method method = Method::automatic, std::span<WarmStart> warm_starts = {});

/// The same by every method, at each margin, on one instruction set; the others' bits must be its.
template <int D, class T>
void check_pairs_everywhere(std::vector<SolidPair<D>> solids,
                            std::initializer_list<double> margins);

}  // namespace widephase::test
