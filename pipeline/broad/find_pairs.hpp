#pragma once

#include <widephase/bounds_tree.hpp>
#include <widephase/pairs.hpp>

#include "soa/unbounded_ids.hpp"

namespace widephase {

/// Whether pairs come in the order that the scene alone decides, or only by world. For small worlds
/// the second saves a sort.
enum class PairSequence { decided, free };

/// `find_pairs` over a scene: the unbounded ids are halfspaces, whose rows of `bounds` are ignored.
/// One meets the boxes whose support point (the corner lowest along its unit normal)
/// it holds, dot(normal, corner) <= offset up to rounding in favour of the pair; two halfspaces
/// never meet. `halfspace_offset` already holds the margin. A world's pairs with halfspaces follow
/// its pairs of boxes.
template <int D, class T>
void find_scene_pairs(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                      const ColumnSpan<T, D>& halfspace_normal,
                      const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                      const Domain<D, T>& domain, Column<Pair>& pairs,
                      PairWorkspace<D, T>& workspace, const PairOptions& options,
                      PairSequence sequence = PairSequence::decided);

/// For an answer of several searches: `begin_pairs`, then the searches, each of which writes a list
/// of its own, then `end_pairs`. It throws `CapacityError` and empties `pairs` if all lists
/// together have more than `max_pairs`.
template <int D, class T>
void begin_pairs(PairWorkspace<D, T>& workspace, std::size_t max_pairs);
template <int D, class T>
void end_pairs(PairWorkspace<D, T>& workspace, Column<Pair>& pairs);
/// `find_scene_pairs` as such a search.
template <int D, class T>
void find_more_pairs(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                     const ColumnSpan<T, D>& halfspace_normal,
                     const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                     const Domain<D, T>& domain, Column<Pair>& pairs,
                     PairWorkspace<D, T>& workspace, const PairOptions& options,
                     PairSequence sequence = PairSequence::decided);
/// `find_pairs` with a tree as such a search.
template <int D, class T>
void find_more_pairs(const BoundsTree<D, T>& tree, const BoundsSpan<D, T>& boxes,
                     const FilterSpan& filters, Column<Pair>& pairs, PairWorkspace<D, T>& workspace,
                     const PairOptions& options, PairSequence sequence = PairSequence::decided);

/// `build_tree` over a scene: a tree of all but the unbounded ids, whose rows are ignored likewise.
template <int D, class T>
void build_scene_tree(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                      const FilterSpan& filters, const Domain<D, T>& domain, BoundsTree<D, T>& tree,
                      PairWorkspace<D, T>& workspace, const PairOptions& options);

}  // namespace widephase
