#pragma once

#include <type_traits>

#include <widephase/export.h>
#include <widephase/pairs.hpp>

namespace widephase {

/// Boxes are converted to it, with dimension and precision taken from the tree.
template <int D, class T>
using BoundsArgument = const std::type_identity_t<BoundsSpan<D, T>>&;

/// Boxes that stay where they are, sorted once to be asked many times: what does not move of a
/// scene, or the boxes of a step that many regions are asked of. Holds copies of what it was built
/// of. Asking changes nothing in it, so that threads may share it, each with its own workspace.
///
/// With a periodic domain the boxes' centres are wrapped into it, as are those that it is asked
/// about.
template <int D, class T>
class WIDEPHASE_API BoundsTree {
 public:
  /// An empty one.
  BoundsTree();
  ~BoundsTree();
  ///@{
  /// Takes another one's boxes. Not copied; what was moved from may only be assigned to or end.
  BoundsTree(BoundsTree&&) noexcept;
  BoundsTree& operator=(BoundsTree&&) noexcept;
  ///@}

  /// Boxes; row i of those that it was built of is box i.
  std::size_t size() const;
  /// Bytes held.
  std::size_t bytes() const;

  /// \cond  The library's own.
  struct State;
  State& state() { return *state_; }
  const State& state() const { return *state_; }
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

/// Makes `tree` one of the given boxes, whatever it was before; its memory is reused.
/// `filters.excluded`, `excluded_owners` and `world_mask` must be empty: they are given when the
/// tree is asked.
///
/// Throws `Error` when columns differ in length, a world is below -1, one of those is not empty or
/// a periodic axis has no finite length. The tree is then empty.
template <int D, class T>
WIDEPHASE_API void build_tree(BoundsArgument<D, T> bounds, const FilterSpan& filters,
                              const Domain<D, T>& domain, BoundsTree<D, T>& tree,
                              PairWorkspace<D, T>& workspace, const PairOptions& options = {});

/// All pairs {a: row of the tree, b: row of `boxes`} that overlap (closed intervals) and pass the
/// filters, each once, in an order that boxes and filters of both alone decide. Pairs of two boxes
/// of the tree, or of two of `boxes`, are not among them. The filters are those of `find_pairs`
/// over one set, the tree's columns against those of `boxes`; `excluded` has rows (row of the tree,
/// row of `boxes`), and `world_mask` an entry for every world of either. Boxes without filters are
/// regions: they meet all that has no world, or 0 or -1.
///
/// The cost is that of the boxes asked about and of the pairs; that of the tree's size is its
/// height. Throws `Error` when columns differ in length, a world is below -1, an excluded row does
/// not exist, or the tree's domain is no longer along a periodic axis than the widest box of the
/// tree and the widest of `boxes` together, and `CapacityError` as `find_pairs` of one set does.
template <int D, class T>
WIDEPHASE_API void find_pairs(const BoundsTree<D, T>& tree, BoundsArgument<D, T> boxes,
                              const FilterSpan& filters, Column<Pair>& pairs,
                              PairWorkspace<D, T>& workspace, const PairOptions& options = {});

}  // namespace widephase
