#pragma once

// What a pair kernel may have beside `A`, `B`, `max_points` and `contact`: the loops of
// core/run/run.hpp ask whether it is there.

#include "kernels/core/basis/manifold.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// Whether shapes are read out of a library of outlines or hulls.
template <class Shape>
constexpr bool has_library = requires(Shape shape) { shape.library; };
/// Kernels of such shapes are long.
template <class Kernel>
constexpr bool is_long = has_library<typename Kernel::A> || has_library<typename Kernel::B>;

/// Whether batches of a kernel are begun some at a time, and then answered.
template <class Kernel>
constexpr bool is_in_steps = requires { typename Kernel::Batches; };

/// Whether all rows of a kernel's shapes are as long as one another, whatever kinds a run is of.
template <class Kernel>
constexpr bool has_fixed_rows = requires {
  Kernel::A::quads;
  Kernel::B::quads;
};

/// Whether a kernel's numbers and the rows of a second batch have room in the registers.
template <class Kernel>
constexpr bool is_small = requires {
  requires !is_long<Kernel> && Kernel::max_points == 1 && Kernel::A::quads + Kernel::B::quads <= 3;
};

/// Whether a kernel looks at its pairs twice: a first look at all of them says of each whether it
/// may be in contact, and what it found is handed on for those that may.
template <class Kernel>
constexpr bool looks_twice = requires { typename Kernel::FirstLook; };

template <class Kernel>
struct FirstLookOf {
  struct Type {};
};
template <class Kernel>
  requires looks_twice<Kernel>
struct FirstLookOf<Kernel> {
  using Type = typename Kernel::FirstLook;
};

}  // namespace
}  // namespace widephase
