#pragma once

// Cases derived by hand: the answer that a pair must give on every instruction set, in float and
// double.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {

template <int D>
struct Answer {
  Point<D> normal{};
  double depth = 0;
  std::vector<Point<D>> points;      ///< on A, in any order
  std::vector<double> point_depths;  ///< in the order of `points`; empty: all the pair's
  int status = 0;
};

using Methods = std::span<const Method>;
inline constexpr Method kAutomatic[] = {Method::automatic};

/// Calls `check(contacts, a, b)` with the contacts of one pair and the pair as stored, for every
/// instruction set and each method, in float and in double.
template <int D, class Check>
void ask(const Solid<D>& a, const Solid<D>& b, double margin, Check&& check,
         Methods methods = kAutomatic) {
  const auto in = [&]<class T>(T) {
    for (const Isa isa : usable_isas()) {
      SCOPED_TRACE(std::string(isa_name(isa)) + (sizeof(T) == 4 ? " float" : " double"));
      const PairScene<D, T> input({{a, b}});
      ContactBuffer<D, T> contacts;
      Workspace<D, T> workspace;
      CollideOptions options;
      options.margin = margin;
      options.isa = isa;
      for (const Method method : methods) {
        SCOPED_TRACE(name_of_method(method));
        options.method = method;
        collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
        std::uint8_t is_contact = 2;
        test_pairs<D, T>(input.scene, input.pairs, {&is_contact, 1}, workspace, options);
        EXPECT_EQ(is_contact, contacts.size());
        check(contacts, stored<T>(a), stored<T>(b));
      }
    }
  };
  in(float{});
  in(double{});
}

/// Checks that the depth derived by hand is that of the reference.
template <int D>
void expect_derived(const Solid<D>& a, const Solid<D>& b, double depth) {
  const Reference<D> reference = reference_of(a, b);
  const double tolerance = 1e-13 * static_cast<double>(1 + reference.size);
  EXPECT_NEAR(static_cast<double>(reference.depth), depth, tolerance);
}

template <int D>
void expect_apart(const Solid<D>& a, const Solid<D>& b, double margin = 0,
                  Methods methods = kAutomatic);

/// Checks that the contact is valid and has `depth`, and that the status says that its direction is
/// not unique.
template <int D>
void expect_tie(const Solid<D>& a, const Solid<D>& b, double depth, std::size_t point_count = 0,
                Methods methods = kAutomatic);

template <int D>
void expect_contact(const Solid<D>& a, const Solid<D>& b, const Answer<D>& answer,
                    double margin = 0, Methods methods = kAutomatic);

}  // namespace widephase::test
