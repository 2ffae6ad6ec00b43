#pragma once

#include <widephase/scene.hpp>

#include "soa/kind_traits.hpp"

namespace widephase {

/// The ids of the shapes without bounds: [begin, end), anywhere among the others.
struct UnboundedIds {
  std::int32_t begin = 0;
  std::int32_t end = 0;

  std::int32_t count() const { return end - begin; }
  bool has(std::int32_t id) const { return id >= begin && id < end; }
  /// The same of a row number or a place.
  bool has(std::size_t id) const {
    return id >= static_cast<std::size_t>(begin) && id < static_cast<std::size_t>(end);
  }
};

/// One stretch, since their kinds are neighbours.
inline UnboundedIds unbounded_ids(const SceneLayout& layout) {
  constexpr KindRange kKinds = unbounded_kinds();
  return {layout.first[kKinds.begin], layout.first[kKinds.end]};
}

/// All ids with the unbounded ones behind the others, either ascending: a world's boxes then lie
/// together, whatever the order of kinds.
class BoundedFirst {
 public:
  BoundedFirst(UnboundedIds unbounded, std::size_t count)
      : begin_(static_cast<std::size_t>(unbounded.begin)),
        unbounded_(static_cast<std::size_t>(unbounded.count())),
        bounded_(count - unbounded_) {}

  std::size_t bounded_count() const { return bounded_; }
  /// Whether each id is at its own place.
  bool is_identity() const { return unbounded_ == 0 || begin_ == bounded_; }
  std::size_t id_at(std::size_t place) const {
    if (place >= bounded_) return begin_ + (place - bounded_);
    return place < begin_ ? place : place + unbounded_;
  }

 private:
  std::size_t begin_, unbounded_, bounded_;
};

}  // namespace widephase
