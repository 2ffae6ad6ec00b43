#pragma once

// Scenes of all kinds that have kernels, and the rules of the filters written out.

#include <vector>

#include "support/generate.hpp"

namespace widephase::test {

struct SceneRecipe {
  std::size_t count = 500;
  std::uint64_t seed = 1;
  double spacing = 1.2;  ///< mean distance of neighbours; sizes are 0.1 to 1, and 3 for a few
  int halfspace_count = 3;
  bool has_ties = true;  ///< half of the shapes have numbers in quarters
};

/// Appends a mixed scene; shapes near the walls reach through them.
template <int D, class T>
void add_mixed(SceneColumns<D, T>& scene, const SceneRecipe& recipe);

/// Fills every optional column of every table, with `worlds` worlds and -1.
template <int D, class T>
void add_tags(SceneColumns<D, T>& scene, int worlds, std::uint64_t seed);

/// Moves point sets that are far from the origin of their frame to it, without rounding. It does so
/// along axes where all their coordinates are within a factor of 2 of their middle.
template <int D, class T>
void center_point_sets(SceneColumns<D, T>& scene);

/// The columns of a shape that filters use.
struct ShapeTags {
  std::int32_t world = 0;
  std::uint32_t category = 1;
  std::uint32_t mask = 0xffffffffu;
  std::int32_t owner = -1;
  std::uint8_t fixed = 0;
  std::int32_t body = -1;
  double margin = 0;
};

/// The tags of all shapes, by id.
template <int D, class T>
std::vector<ShapeTags> tags_of(const SceneColumns<D, T>& scene);

inline bool is_bounded(const SceneLayout& layout, std::int32_t id) {
  return layout.kind_of(id) != Kind::halfspace;
}
inline std::vector<std::int32_t> bounded_ids(const SceneLayout& layout) {
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
    if (is_bounded(layout, id)) ids.push_back(id);
  }
  return ids;
}

/// Every pair of ids a < b that the filters allow.
template <int D, class T>
std::vector<Pair> allowed_pairs(const SceneColumns<D, T>& scene);

}  // namespace widephase::test
