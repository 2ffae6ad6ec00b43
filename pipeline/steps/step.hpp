#pragma once

#include <widephase/warm_start.hpp>

#include "pipeline/rows/shape_names.hpp"
#include "pipeline/steps/pair_chains.hpp"

namespace widephase {

/// The data kept of a step.
template <int D, class T>
struct Step {
  StepShapes<D, T> shapes;
  PairChains warm_pairs;         ///< the pairs with words
  Column<WarmStart> words;       ///< by pair; empty: none were kept
  PairChains contacts;           ///< each with its first point
  Column<std::uint32_t> source;  ///< by contact; empty: no pair occurs twice
  Column<std::uint32_t> feature;
  Column<std::int32_t, 2> part;    ///< if the points have parts
  Column<std::uint32_t> by_name;   ///< with patches: each pair's points by part and feature
  Column<PositionOf<T>, D> point;  ///< if `shapes` has frames

  void clear() {
    shapes.clear();
    warm_pairs.clear();
    words.clear();
    contacts.clear();
    source.clear();
    feature.clear();
    part.clear();
    by_name.clear();
    point.clear();
  }
  /// Steps are swapped: each must have the other's room, so that only growth allocates.
  void make_room_of(const Step& other) {
    warm_pairs.make_room_of(other.warm_pairs);
    words.reserve(other.words.capacity());
    contacts.make_room_of(other.contacts);
    source.reserve(other.source.capacity());
    feature.reserve(other.feature.capacity());
    part.reserve(other.part.capacity());
    by_name.reserve(other.by_name.capacity());
    shapes.frames.frame.reserve(other.shapes.frames.frame.capacity());
    point.reserve(other.point.capacity());
  }
  std::size_t bytes() const {
    return shapes.bytes() + warm_pairs.bytes() + words.bytes() + contacts.bytes() + source.bytes() +
           feature.bytes() + part.bytes() + by_name.bytes() + point.bytes();
  }
};

}  // namespace widephase
