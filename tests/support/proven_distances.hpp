#pragma once

// Distances of lists of pairs of solids: the same on every instruction set, and each proven by its
// own points and direction.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/apart.hpp"
#include "support/distance_lists.hpp"
#include "support/generate.hpp"

namespace widephase::test {

/// The rows of pairs, the same on every instruction set.
template <class T>
DistanceBuffer<3, T> rows_of(const std::vector<SolidPair<3>>& pairs,
                             Method method = Method::automatic) {
  const PairScene<3, T> input(pairs);
  const auto ask = [&](Isa isa) {
    return ask_distances<3, T>(input.scene, input.pairs, isa, method);
  };
  const auto isas = usable_isas();
  const DistanceBuffer<3, T> rows = ask(isas.front());
  for (const Isa isa : isas) EXPECT_TRUE(same_rows(ask(isa), rows)) << isa_name(isa);
  return rows;
}

/// Each pair's points and direction prove its distance.
template <class T>
void expect_proven(const std::string& name, const std::vector<SolidPair<3>>& pairs) {
  const DistanceBuffer<3, T> rows = rows_of<T>(pairs);
  ASSERT_EQ(rows.distance.size(), pairs.size());
  std::size_t open = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    open += rows.status[i] == 2 && rows.distance[i] > 0 ? 1 : 0;
    const Solid<3> a = stored<T>(pairs[i].a), b = stored<T>(pairs[i].b);
    EXPECT_EQ((apart_flaw<3, T>(a, b, rows, i)), "")
        << name << " in " << sizeof(T) << " bytes: " << describe(a) << " " << describe(b) << " "
        << describe_row(rows, i);
  }
  EXPECT_LE(open, most_open(pairs.size())) << name;
}
inline void expect_both_proven(const std::string& name, const std::vector<SolidPair<3>>& pairs) {
  expect_proven<float>(name, pairs);
  expect_proven<double>(name, pairs);
}

/// Both orders have this distance and this direction from the first to the second, and nothing is
/// left open.
template <class T>
void expect_apart(const Solid<3>& a, const Solid<3>& b, double distance, const Point<3>& normal) {
  const DistanceBuffer<3, T> rows = rows_of<T>({{a, b}, {b, a}});
  const double near = sizeof(T) == 4 ? 1e-6 : 1e-14;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(static_cast<double>(rows.distance[i]), distance, near) << describe_row(rows, i);
    EXPECT_EQ(rows.status[i], 0) << describe_row(rows, i);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(static_cast<double>(rows.normal(i, k)), i == 0 ? normal[k] : -normal[k], near)
          << describe_row(rows, i);
    }
  }
}
inline void expect_both(const Solid<3>& a, const Solid<3>& b, double distance,
                        const Point<3>& normal) {
  expect_apart<float>(a, b, distance, normal);
  expect_apart<double>(a, b, distance, normal);
}

}  // namespace widephase::test
