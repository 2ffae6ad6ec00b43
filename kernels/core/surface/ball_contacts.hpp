#pragma once

// What balls on fields and on meshes share: contacts of one ball and how they become patches.

#include "kernels/core/surface/surface_patches.hpp"

namespace widephase {
namespace {

/// In place of a number of contacts: the search must tell.
inline constexpr int kBallLeft = -1;

/// A place that is nearest on all triangles that have it. Each triangle finds it alike, so the
/// first one's stays.
struct BallContact {
  std::int32_t triangle;
  int feature;
  std::int64_t key;  ///< of an edge or vertex; below 0 for faces
  Vector away;
  double depth;
  double name;
};

template <class T>
struct BallContacts {
  static constexpr int most = 8;

  explicit BallContacts(const SurfaceRun<T>& of) : run(of) {}

  /// The contact of a key; `count` if there is none.
  int find(std::int64_t key) const {
    int c = 0;
    while (c < count && contact[c].key != key) ++c;
    return c;
  }
  /// Patches of one place each, ascending by their part. False if several places are one patch.
  bool sort() {
    for (int c = 1; c < count; ++c) {
      for (int d = 0; d < c; ++d) {
        if (dot(contact[c].away, contact[d].away) >= run.patch_cosine) return false;
      }
    }
    if (run.most_patches > 0 && run.most_patches < count) return false;
    const auto comes_before = [](const BallContact& a, const BallContact& b) {
      const auto x = static_cast<std::int32_t>(a.name / kTriangleStep);
      const auto y = static_cast<std::int32_t>(b.name / kTriangleStep);
      if (x != y) return x < y;
      return a.depth != b.depth ? a.depth > b.depth : a.triangle < b.triangle;
    };
    for (int c = 1; c < count; ++c) {
      for (int d = c; d > 0 && comes_before(contact[d], contact[d - 1]); --d) {
        const BallContact other = contact[d];
        contact[d] = contact[d - 1];
        contact[d - 1] = other;
      }
    }
    return true;
  }
  /// Writes a patch as `SurfaceSearch` does. `normal` leads to the ball, in the scene's axes;
  /// `radii` are the ball's and the surface's.
  void write(const BallContact& from, const Vector& normal, double radius, double radii,
             const Vector& rest, SurfacePatch<T>& patch) const {
    for (int k = 0; k < 3; ++k) patch.normal[k] = static_cast<T>(0 - normal[k]);
    patch.depth = static_cast<T>(radii + from.depth);
    patch.status = from.depth == 0 ? 1 : 0;
    patch.point_count = run.pairs.question == Question::points ? 1 : 0;
    SurfacePoint<T>& point = patch.points[0];
    const Vector offset = scaled(normal, 0 - radius) + rest;
    for (int k = 0; k < 3; ++k) point.offset[k] = offset[k];
    point.depth = patch.depth;
    point.part = static_cast<std::int32_t>(from.name / kTriangleStep);
    point.feature = static_cast<std::uint32_t>(from.name - double(point.part) * kTriangleStep);
  }

  const SurfaceRun<T>& run;
  BallContact contact[most];
  int count = 0;
};

/// Finds the patches of pairs from `begin` on, until one is left to the search or the room is full.
template <class T, class Balls>
SurfaceAnswer<T> find_ball_patches(Balls& balls, const SurfaceRun<T>& run, std::int64_t begin,
                                   const SurfaceRoom& room) {
  constexpr int kMostPatches = 64;
  SurfaceAnswer<T> answer{nullptr, 0, 0, 0, 0};
  Arena arena(room);
  SurfacePatch<T>* const patches = arena.template take<SurfacePatch<T>>(kMostPatches);
  std::int32_t* const pairs = arena.template take<std::int32_t>(kMostPatches);
  if (patches == nullptr || pairs == nullptr) return {nullptr, 0, 0, 0, arena.used()};
  answer.patches = patches;
  answer.pair = pairs;
  answer.begin = answer.end = begin;
  bool is_left = false;
  while (!is_left && answer.end < run.pairs.count) {
    answer.end = balls.list_balls(answer.end, is_left);
    for (int b = 0; b < balls.ball_count(); ++b) {
      const std::int64_t pair = balls.pair_of(b);
      if (answer.count + BallContacts<T>::most > kMostPatches) {
        answer.end = pair;
        return answer;
      }
      const int found = balls.find_contacts(b);
      if (found == kBallLeft) {
        answer.end = pair;
        return answer;
      }
      for (int c = 0; c < found; ++c) {
        balls.write(b, c, patches[answer.count]);
        pairs[answer.count++] = static_cast<std::int32_t>(pair - begin);
      }
    }
  }
  return answer;
}

}  // namespace
}  // namespace widephase
