#pragma once

#include <chrono>

#include <widephase/collide.hpp>

#include "narrow_phase.hpp"
#include "world_rounds.hpp"

namespace widephase {

template <int D, class T>
struct Workspace<D, T>::State {
  SceneRows<D, T> rows;
  PairWorkspace<D, PositionOf<T>> pair_workspace;
  Column<Pair> pairs;
  NarrowPhase<D, T> narrow;
  ContactSorter<D, T> sorter;
  ContactBuffer<D, T> contacts;  // of distances
  Column<SizeOf<T>, D> points;   // of `Mixed` support points, from their anchors on
  AnyContactScratch any_contact;
  MinDistanceScratch<D, T> min_distance;
  CollideStats stats;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <int D, class T>
void require_same_scene(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows) {
  if (layout_of(scene).first != rows.layout.first) {
    throw Error("the workspace was updated for another scene; call update_bounds first");
  }
}

}  // namespace widephase
