#pragma once

#include <algorithm>
#include <limits>

#include "pipeline/rows/static_scene_state.hpp"

namespace widephase {

enum class PairSequence;

/// A moving and a kept scene as one, for the kernels: in each kind the moving rows, then the kept
/// ones, which stay in place from step to step. Ids come in three forms: those of each scene, the
/// reported ones (moving, then kept) and the joined ones of this layout.
template <int D, class T>
class JoinedScenes {
 public:
  using Kept = typename StaticScene<D, T>::State;

  SceneRows<D, T> joined;  ///< by joined ids
  Column<Pair> pairs;      ///< that `find` found, by joined ids, A the lower one

  /// Whether the last call asked for a kept scene too.
  bool is_in_use() const { return is_in_use_; }
  void leave() { is_in_use_ = false; }
  /// Whether these are the rows of that scene.
  bool is_of(const Kept& kept) const { return is_in_use_ && stamp_ == kept.stamp; }

  /// Reads the scene into `moving`, and joins its rows, which it takes over, with those of `kept`.
  void read(const SceneSpan<D, T>& scene, const Kept& kept, const CollideOptions& options,
            Bounds wanted, SceneRows<D, T>& moving);
  /// Joins the worlds too.
  void require_worlds(const SceneRows<D, T>& moving, const Kept& kept);
  /// Joins bounds too.
  void require_bounds(const SceneRows<D, T>& moving, const Kept& kept);
  /// Joins all that filters read, excluded ids and owners too; answers them.
  FilterSpan require_filters(const SceneSpan<D, T>& scene, const SceneRows<D, T>& moving,
                             const Kept& kept, bool moving_pairs);

  /// Finds the pairs that pass the filters: into `reported`, and by joined ids into `pairs`.
  void find(const SceneSpan<D, T>& scene, const Kept& kept, const CollideOptions& options,
            SceneRows<D, T>& moving, Column<Pair>& reported, PairSequence sequence,
            PairWorkspace<D, PositionOf<T>>& workspace);

  /// The reported pairs by joined ids, A the one that is named first. Throws `Error` for a pair
  /// that is not of these scenes.
  std::span<const Pair> joined_pairs(std::span<const Pair> reported, const Threads& threads);
  std::int32_t shape_count() const { return joined.layout.shape_count(); }
  std::int32_t joined_id(std::int32_t reported) const {
    const std::int32_t count = moving_.shape_count();
    return reported < count ? of_moving(reported) : of_kept(reported - count);
  }
  /// From the ids of each scene.
  std::int32_t of_moving(std::int32_t id) const {
    return id + shift_moving_[static_cast<std::size_t>(moving_.kind_of(id))];
  }
  std::int32_t of_kept(std::int32_t id) const {
    return id + shift_kept_[static_cast<std::size_t>(kept_.kind_of(id))];
  }
  std::int32_t reported_id(std::int32_t id) const {
    const auto kind = static_cast<std::size_t>(joined.layout.kind_of(id));
    const std::int32_t moving = id - shift_moving_[kind];
    return moving < moving_.first[kind + 1] ? moving
                                            : id - shift_kept_[kind] + moving_.shape_count();
  }

  /// From the ids of each scene to these, by kind.
  const std::array<std::int32_t, kKindCount>& shift_moving() const { return shift_moving_; }
  const std::array<std::int32_t, kKindCount>& shift_kept() const { return shift_kept_; }

  std::size_t bytes() const;

 private:
  void join_rows(SceneRows<D, T>& moving, const Kept& kept, const Threads& threads);
  /// A column by joined ids; empty if neither scene has it.
  template <class N, int W>
  void join_column(const Column<N, W>& of_moving, const Column<N, W>& of_kept, N otherwise,
                   Column<N, W>& to) const;
  /// Owners and bodies.
  void join_excluded_names(const SceneSpan<D, T>& scene, const Kept& kept);
  void split_excluded(const SceneSpan<D, T>& scene);
  void find_moving(const SceneSpan<D, T>& scene, const Kept& kept, const CollideOptions& options,
                   SceneRows<D, T>& moving, Column<Pair>& reported, PairSequence sequence,
                   PairWorkspace<D, PositionOf<T>>& workspace);
  void find_across(const SceneSpan<D, T>& scene, const Kept& kept, const CollideOptions& options,
                   const SceneRows<D, T>& moving, Column<Pair>& reported, PairSequence sequence,
                   PairWorkspace<D, PositionOf<T>>& workspace);

  bool is_in_use_ = false;
  std::uint64_t stamp_ = 0;  ///< of the kept scene whose rows are in place
  SceneLayout moving_, kept_;
  std::array<std::int32_t, kKindCount> room_{};  ///< of moving rows before the kept ones
  std::array<std::int32_t, kKindCount> shift_moving_{};
  std::array<std::int32_t, kKindCount> shift_kept_{};
  Column<std::int32_t, 2> excluded_;         ///< among moving shapes and kept halfspaces
  Column<std::int32_t, 2> excluded_across_;  ///< (kept box, moving shape)
  Column<std::int32_t, 2> excluded_joined_;
  Column<std::int32_t, 2> excluded_owners_;
  Column<std::int32_t, 2> excluded_bodies_;  ///< those of the kept scene are `kept_body`
  Column<std::int32_t> one_body_;            ///< where moving shapes are not to meet
  Column<Pair> found_;
  Column<Pair> named_;  ///< the caller's pairs by joined ids
};

/// A layout that knows only how many reported ids there are.
template <int D, class T>
SceneLayout reported_layout(const SceneSpan<D, T>& scene) {
  SceneLayout layout = layout_of(scene);
  if (scene.kept == nullptr) return layout;
  const std::int64_t count =
      layout.shape_count() + std::int64_t{scene.kept->state().rows.layout.shape_count()};
  layout.first[kKindCount] = static_cast<std::int32_t>(
      std::min<std::int64_t>(count, std::numeric_limits<std::int32_t>::max()));
  return layout;
}

}  // namespace widephase
