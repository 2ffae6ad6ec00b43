#pragma once

// Contact points of lists of pairs of solids, compared with those that a search by support points
// finds (`gjk_epa`), which knows nothing of lists of directions.

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <sstream>
#include <vector>

#include "support/mixed_pairs.hpp"
#include "support/verify.hpp"

namespace widephase::test {

template <class T>
ContactBuffer<3, T> contacts_of(const SceneColumns<3, T>& scene, std::span<const Pair> pairs,
                                Method method, double margin) {
  CollideOptions options;
  options.method = method;
  options.margin = margin;
  options.order = Order::source;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(scene, pairs, contacts, workspace, options);
  return contacts;
}

/// As many points as a search finds, at the same places and mostly with the same names, where both
/// have the same direction. A sliver may show either of two edges that lie together.
template <class T>
void expect_points_of_search_in(const std::vector<SolidPair<3>>& pairs, double margin) {
  const PairScene<3, T> input(pairs);
  const auto listed = contacts_of<T>(input.scene, input.pairs, Method::automatic, margin);
  const auto searched = contacts_of<T>(input.scene, input.pairs, Method::gjk_epa, margin);
  ASSERT_EQ(listed.size(), searched.size());
  EXPECT_GT(listed.size(), pairs.size() / 8);
  const Real near = sizeof(T) == 4 ? 2e-4L : 1e-9L, level = sizeof(T) == 4 ? 1e-9L : 1e-18L;
  std::size_t wrong = 0, renamed = 0, compared = 0;
  std::ostringstream text;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Contact<3, T> own = contact_at<3, T>(listed, i), other = contact_at<3, T>(searched, i);
    if (!(1 - dot(own.normal, other.normal) <= level)) continue;
    ++compared;
    const auto is_found = [&](const Vec<3>& point) {
      bool is_any = false;
      for (const Vec<3>& of_other : other.points) {
        bool is_there = true;
        for (int k = 0; k < 3; ++k) {
          is_there = is_there && std::abs(point[k] - of_other[k]) <= near;
        }
        is_any = is_any || is_there;
      }
      return is_any;
    };
    bool is_right = own.points.size() == other.points.size();
    for (const Vec<3>& point : own.points) is_right = is_right && is_found(point);
    renamed += own.features == other.features ? 0 : 1;
    if (is_right || ++wrong > 2) continue;
    const auto at = static_cast<std::size_t>(listed.source[i]);
    text << describe(pairs[at].a) << "\n"
         << describe(pairs[at].b) << "\n"
         << describe(own) << "\n"
         << describe(other) << "\n";
  }
  EXPECT_LE(wrong, compared / 400) << "of " << compared << " in " << sizeof(T) << " bytes\n"
                                   << text.str();
  EXPECT_LE(renamed, 2 + compared / 40) << "of " << compared;
  EXPECT_GT(compared, listed.size() / 2);
}
inline void expect_points_of_search(const std::vector<SolidPair<3>>& pairs, double margin) {
  expect_points_of_search_in<float>(pairs, margin);
  expect_points_of_search_in<double>(pairs, margin);
}

}  // namespace widephase::test
