#pragma once

// A scene divided into what moves and what is kept, beside the one scene that has both: the brute
// answer for static scenes.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <widephase/static_scene.hpp>

#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {

/// The dimensions and precisions of typed tests.
template <int Dimension, class Real>
struct Precision {
  static constexpr int D = Dimension;
  using T = Real;
};
using Precisions = testing::Types<Precision<2, float>, Precision<2, double>, Precision<2, Mixed>,
                                  Precision<3, float>, Precision<3, double>, Precision<3, Mixed>>;

/// Shapes of all kinds, with tags unless there are no `worlds`.
template <int D, class T>
SceneColumns<D, T> mixed_scene(std::size_t count, std::uint64_t seed, int worlds) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, seed, worlds == 0 ? 1.2 : 0.7});
  if (worlds != 0) add_tags(scene, worlds, seed + 1);
  return scene;
}

constexpr std::int32_t kOtherBodies = 1000;

/// A scene divided into two, and these joined again: in each table the moving rows, then the kept
/// ones, which are fixed. Point sets belong to the kept scene.
template <int D, class T>
struct TwoScenes {
  SceneColumns<D, T> moving;
  SceneColumns<D, T> kept;
  SceneColumns<D, T> joined;
  std::vector<std::int32_t> reported;  ///< by joined id

  /// Every `nth` shape moves, but no halfspaces; of these `is_left_out(row)` says which are in
  /// neither.
  template <class Test>
  TwoScenes(const SceneColumns<D, T>& all, std::size_t nth, const Test& is_left_out) {
    for_each_table_pair(all, moving, [&](const auto& from, auto& to) {
      copy(from, to, [&](std::size_t row) { return moves(from, row, nth) && !is_left_out(row); });
    });
    for_each_table_pair(all, kept, [&](const auto& from, auto& to) {
      copy(from, to, [&](std::size_t row) { return !moves(from, row, nth); });
    });
    const auto everyone = [](std::size_t) { return true; };
    for_each_table_pair(moving, joined, [&](const auto& from, auto& to) {
      copy(from, to, everyone);
      to.fixed.resize(row_count(from));
    });
    for_each_table_pair(kept, joined, [&](const auto& from, auto& to) {
      const std::size_t before = row_count(to);
      copy(from, to, everyone);
      to.fixed.resize(row_count(to));
      for (std::size_t row = before; row < row_count(to); ++row) {
        to.fixed[row] = 1;
        // Bodies of one scene are different from those of the other.
        if (!to.body.empty() && to.body[row] != -1) to.body[row] += kOtherBodies;
      }
    });
    joined.geometries = kept.geometries = all.geometries;
    joined.domain = moving.domain = kept.domain = all.domain;
    joined.excluded_owners = moving.excluded_owners = all.excluded_owners;
    joined.excluded_bodies = moving.excluded_bodies = all.excluded_bodies;
    name_shapes();
    // In terms of the reported ids.
    moving.excluded = all.excluded;
    for (std::size_t i = 0; i < all.excluded.size(); ++i) {
      joined.excluded.push_back({joined_of(all.excluded(i, 0)), joined_of(all.excluded(i, 1))});
    }
  }

  TwoScenes(const SceneColumns<D, T>& all, std::size_t nth)
      : TwoScenes(all, nth, [](std::size_t) { return false; }) {}

  std::int32_t joined_of(std::int32_t id) const {
    return static_cast<std::int32_t>(std::find(reported.begin(), reported.end(), id) -
                                     reported.begin());
  }

 private:
  template <class Table>
  static bool moves(const Table&, std::size_t row, std::size_t nth) {
    return Table::kind != Kind::halfspace && row % nth == 0;
  }
  template <class From, class To, class Test>
  static void copy(const From& from, To& to, const Test& is_wanted) {
    for_each_field_pair(from, to, [&](const auto&, const auto& source, auto& target) {
      for (std::size_t row = 0; row < source.size(); ++row) {
        if (is_wanted(row)) target.push_back(source.row(row));
      }
    });
  }
  void name_shapes() {
    const SceneLayout of_moving = layout_of(moving), of_kept = layout_of(kept);
    for (int kind = 0; kind < kKindCount; ++kind) {
      for (std::int32_t id = of_moving.first[kind]; id < of_moving.first[kind + 1]; ++id) {
        reported.push_back(id);
      }
      for (std::int32_t id = of_kept.first[kind]; id < of_kept.first[kind + 1]; ++id) {
        reported.push_back(of_moving.shape_count() + id);
      }
    }
  }
};

/// The rows of a scene that `rows(table)` lists.
template <int D, class T, class Rows>
SceneColumns<D, T> rows_of(const SceneColumns<D, T>& scene, const Rows& rows) {
  SceneColumns<D, T> chosen;
  for_each_table_pair(scene, chosen, [&](const auto& from, auto& to) {
    const std::vector<std::size_t> wanted = rows(from);
    for_each_field_pair(from, to, [&](const auto&, const auto& source, auto& target) {
      for (const std::size_t row : wanted) {
        if (row < source.size()) target.push_back(source.row(row));
      }
    });
  });
  chosen.geometries = scene.geometries;
  return chosen;
}

template <int D, class T>
using Answers = std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::uint64_t>>;

/// The numbers of contacts, with ids replaced by `name`.
template <int D, class T, class Name>
Answers<D, T> answers_of(const ContactBuffer<D, T>& contacts, const Name& name) {
  Answers<D, T> answers;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    answers[{name(contacts.pair[i].a), name(contacts.pair[i].b)}] = answer_bits(contacts, i);
  }
  EXPECT_EQ(answers.size(), contacts.size());
  return answers;
}

}  // namespace widephase::test
