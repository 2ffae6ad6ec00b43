#pragma once

#include <type_traits>

#include <widephase/export.h>
#include <widephase/pairs.hpp>

namespace widephase {

/// Boxes are converted to it, with dimension and precision taken from the tree.
template <int D, class T>
using BoundsArgument = const std::type_identity_t<BoundsSpan<D, T>>&;

/// Boxes that stay where they are, sorted once to be asked many times. They are the static part of
/// a scene, or the boxes of a step that many regions are tested against. Holds copies of the boxes.
/// Asking does not change it, so threads may share it, each with its own workspace.
///
/// With a periodic domain the centres of its boxes are wrapped into it, as are those of the boxes
/// asked about.
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

  /// The number of boxes; row i of the given boxes is box i.
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

/// Makes `tree` a tree of the given boxes, whatever it was before; its memory is reused.
/// `filters.excluded`, `excluded_owners`, `excluded_bodies` and `world_mask` must be empty: they
/// are given with each question.
///
/// Throws `Error` if columns differ in length, a world is below -1, one of those is not empty or a
/// periodic axis has no finite length. The tree is then empty.
template <int D, class T>
WIDEPHASE_API void build_tree(BoundsArgument<D, T> bounds, const FilterSpan& filters,
                              const Domain<D, T>& domain, BoundsTree<D, T>& tree,
                              PairWorkspace<D, T>& workspace, const PairOptions& options = {});

/// All pairs {a: row of the tree, b: row of `boxes`} that overlap (closed intervals) and pass the
/// filters, each once. Boxes and filters of both alone decide the order. Pairs of two boxes of the
/// tree, or of two of `boxes`, are not included.
///
/// The filters are those of `find_pairs` over one set, the tree's columns against those of `boxes`.
/// `excluded` has rows (row of the tree, row of `boxes`), and `world_mask` an entry for every world
/// of either. Boxes without filters are regions: they meet all that has no world, or 0 or -1.
///
/// The cost depends on the boxes asked about, on the pairs and on the height of the tree. Throws
/// `Error` if columns differ in length, a world is below -1 or an excluded row does not exist.
/// Along a periodic axis the tree's domain must be longer than the widest box of the tree and the
/// widest of `boxes` together, else `Error`. Throws `CapacityError` as `find_pairs` of one set
/// does.
template <int D, class T>
WIDEPHASE_API void find_pairs(const BoundsTree<D, T>& tree, BoundsArgument<D, T> boxes,
                              const FilterSpan& filters, Column<Pair>& pairs,
                              PairWorkspace<D, T>& workspace, const PairOptions& options = {});

}  // namespace widephase
