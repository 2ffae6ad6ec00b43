#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// What does not move of a simulation, read once and asked in every step: packed rows, point sets
/// and a tree. Asking changes nothing in it, so that threads may share it, each with its own
/// workspace.
template <int D, class T>
class WIDEPHASE_API StaticScene {
 public:
  /// An empty one.
  StaticScene();
  ~StaticScene();
  ///@{
  /// Takes another one's shapes. Not copied; what was moved from may only be assigned to or end.
  StaticScene(StaticScene&&) noexcept;
  StaticScene& operator=(StaticScene&&) noexcept;
  ///@}

  /// Shapes.
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

/// Makes `kept` one of the given scene, whatever it was before; nothing of the scene is borrowed.
/// All of its shapes count as `fixed`. Its point sets (`geometries`) are those of the moving shapes
/// too. `options.margin` is the largest that it will be asked with.
///
/// Throws `Error` with the first offender of an invalid scene, and for a world mask or status,
/// which are given when it is asked. It is then empty.
template <int D, class T>
WIDEPHASE_API void build_static_scene(SceneArgument<D, T> scene, StaticScene<D, T>& kept,
                                      Workspace<D, T>& workspace,
                                      const CollideOptions& options = {});

/// The contacts of moving shapes with those that are kept, and (unless `options.moving_pairs` is
/// false) with one another: those of `collide` over one scene that has in each table the rows of
/// `moving` and then the kept ones, these `fixed`, to the bit. The order is that of
/// `options.order`; pairs come in one that the two scenes alone decide.
///
/// A moving shape keeps its id, and kept shape i is `moving` shapes + i: in the contacts, in
/// `workspace.pairs()`, in `moving.excluded`. A is the shape of the lower kind, of one kind the
/// moving one, so that a kept one may be A. Columns `owner`, `world`, `category` and `mask` and the
/// lists `excluded_owners` of both hold across; bodies of the two are others, whatever their
/// numbers. `workspace.bounds()` is then empty, and the stages begin anew with `update_bounds`. The
/// workspace keeps a copy of the kept rows, which it makes when it meets another
/// `StaticScene`. A step costs what moves and its pairs do, and what kept shapes have as `margin`
/// of their own, or with order `world`, a pass over those columns.
///
/// Throws `Error` for an invalid moving scene; for one with point sets of its own, with halfspaces
/// (they do not move), with another domain than the kept one's; for a margin beyond that which the
/// kept one was built for; for `warm_starts`, `steadiness` and `max_pairs`, and for
/// `Method::gjk_epa` in 2D.
template <int D, class T>
WIDEPHASE_API void collide(SceneArgument<D, T> moving, const StaticScene<D, T>& kept,
                           ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                           const CollideOptions& options = {});

}  // namespace widephase
