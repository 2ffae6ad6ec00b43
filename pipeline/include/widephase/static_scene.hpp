#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// The static shapes of a simulation, read once and asked in every step: packed rows, point sets
/// and a tree. Asking does not change it, so threads may share it, each with its own workspace.
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

  /// The number of shapes.
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

/// Makes `kept` the static scene of the given one, whatever it was before; nothing of the scene is
/// borrowed. All of its shapes count as `fixed`. Its point sets (`geometries`) are those of the
/// moving shapes too. `options.margin` is the largest that it will be asked with.
///
/// Throws `Error` with the first offender of an invalid scene, and for a world mask or status,
/// which are given when it is asked. It is then empty.
template <int D, class T>
WIDEPHASE_API void build_static_scene(SceneArgument<D, T> scene, StaticScene<D, T>& kept,
                                      Workspace<D, T>& workspace,
                                      const CollideOptions& options = {});

/// The contacts of moving shapes with those that are kept, and (unless `options.moving_pairs` is
/// false) with one another. They have the bits of `collide` over one scene whose tables hold the
/// rows of `moving` and then the kept ones as `fixed`. The order is that of `options.order`; the
/// two scenes alone decide the order of pairs.
///
/// A moving shape keeps its id, and kept shape i is `moving` shapes + i: in the contacts, in
/// `workspace.pairs()`, in `moving.excluded`. A is the shape of the lower kind, within one kind the
/// moving one, so a kept shape may be A. Columns `owner`, `world`, `category` and `mask` and the
/// lists `excluded_owners` of both hold across. Bodies of the two differ, whatever their numbers.
///
/// `workspace.bounds()` is then empty, and the stages begin anew with `update_bounds`. The
/// workspace keeps a copy of the kept rows, which it makes when it meets another `StaticScene`. A
/// step costs the moving shapes and their pairs. If kept shapes have a `margin` of their own, or
/// with order `world`, it also costs a pass over those columns.
///
/// Throws `Error` for an invalid moving scene, and for one with point sets of its own, with
/// halfspaces (they do not move) or with another domain than the kept one's. It also does for a
/// margin beyond the one that the kept scene was built for, for `warm_starts`, `steadiness` and
/// `max_pairs`, and for `Method::gjk_epa` in 2D.
template <int D, class T>
WIDEPHASE_API void collide(SceneArgument<D, T> moving, const StaticScene<D, T>& kept,
                           ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                           const CollideOptions& options = {});

}  // namespace widephase
