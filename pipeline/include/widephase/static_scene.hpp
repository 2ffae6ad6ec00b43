#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// The static shapes of a simulation, read once and asked in every step: packed rows, point sets
/// and a tree. Threads may share it and ask at the same time, each with its own workspace. Trees
/// that only some questions need (`min_distance`, small worlds) are made by the first of these.
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
  bool has_state() const { return state_ != nullptr; }
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

/// Makes `kept` the static scene of the given one, whatever it was before; nothing of the scene is
/// borrowed. All of its shapes count as `fixed`. Its point sets (`geometries`) are those of the
/// moving shapes too. `options.margin` is the largest that it will be asked with.
///
/// For a scene that moves, built into the same `kept` in each step: its memory is used again. With
/// `options.keeps_order` trees keep their order too, in worlds that have as many shapes as before:
/// small worlds sort theirs in every 16th step, large ones as in `PairOptions::keeps_order`. Rays
/// and nearest shapes have the same answers. Pairs with moving shapes come in an order that also
/// depends on the steps before.
///
/// Throws `Error` with the first offender of an invalid scene, for one that keeps another, and for
/// a world mask or status, which are given when it is asked. It is then empty.
template <int D, class T>
WIDEPHASE_API void build_static_scene(SceneArgument<D, T> scene, StaticScene<D, T>& kept,
                                      Workspace<D, T>& workspace,
                                      const CollideOptions& options = {});

/// Reads the rows of `ids` again, those of the static shapes that have changed: `kept` is then the
/// static scene of `scene`, to the bit. All other rows of `scene` must be as they were read, and
/// are not read, but for those of owners where `flush_tolerance` was given. A tracker goes on: a
/// contact persists while the world and the key of its shapes do. It sorts the bounds of large
/// worlds anew. No thread may ask meanwhile.
///
/// The margin stays that of `build_static_scene`; `options` has only threads and instruction set.
/// Throws `Error`, and leaves `kept` as it was, for an invalid row of `ids` and an id out of range.
/// It does so too for other numbers of rows or point sets, for another domain, and for an empty
/// `kept`: then build it anew.
template <int D, class T>
WIDEPHASE_API void update_static_scene(SceneArgument<D, T> scene, std::span<const std::int32_t> ids,
                                       StaticScene<D, T>& kept, Workspace<D, T>& workspace,
                                       const CollideOptions& options = {});

/// The contacts of moving shapes with those that are kept, and (unless `options.moving_pairs` is
/// false) with one another: `collide` of `moving` with its member `kept` set. Every other call that
/// takes a scene takes one with `kept` set too, and a `Tracker` follows both.
///
/// Each contact has the bits of one scene whose tables hold the rows of `moving` and then the kept
/// ones as `fixed`. The order is that of `options.order`; the two scenes alone decide the order of
/// pairs. Caps, masks and `world_status` count for both.
///
/// A moving shape keeps its id, and kept shape i is `moving` shapes + i: in all answers, in a
/// caller's own pairs and ids, in `moving.excluded`. Likewise kept body b is bodies of `moving` + b
/// in `contact_bodies`. A is the shape of the lower kind, within one kind the moving one, so a kept
/// shape may be A. Columns `owner`, `world`, `category` and `mask` and the lists `excluded_owners`
/// of both hold across. Bodies of the two differ, whatever their numbers. A tracker tells a moving
/// and a kept shape apart even if world and key are the same. The key of a kept shape is its own
/// column's, else i. So contacts persist while the moving shapes' number changes, and while the
/// static scene is built anew, or another takes its place, with the same keys.
///
/// `workspace.bounds()` are those of the moving shapes. The workspace keeps a copy of the kept
/// rows, which it makes when it meets another `StaticScene`. A step costs the moving shapes and
/// their pairs. A pass over the kept shapes' columns is added if these have a `margin` of their
/// own, with order `world`, for `any_contact` and `min_distance`, and for `Method::gjk_epa` in 2D.
///
/// Throws `Error` for an invalid moving scene, and for one with point sets of its own, with
/// halfspaces (they do not move) or with another domain than the kept one's. It also does for a
/// margin beyond the one that the kept scene was built for.
template <int D, class T>
void collide(SceneArgument<D, T> moving, const StaticScene<D, T>& kept,
             ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
             const CollideOptions& options = {}) {
  SceneSpan<D, T> both = moving;
  both.kept = &kept;
  collide<D, T>(both, contacts, workspace, options);
}

/// Kinds and rows of many ids of a scene and of what it has `kept`. From the scene's number of
/// shapes on, ids are those of kept shapes, with their rows in the tables of the kept scene.
/// `kinds` and `rows` have the length of `ids`. Throws `Error` for an id out of range.
template <int D, class T>
WIDEPHASE_API void locate(const SceneSpan<D, T>& scene, std::span<const std::int32_t> ids,
                          std::span<Kind> kinds, std::span<std::int32_t> rows);

}  // namespace widephase
