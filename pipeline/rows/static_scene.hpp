#pragma once

#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// A moving and a kept scene as one, for the kernels: in each kind the moving rows, then the kept
/// ones, which stay in place from step to step. Ids come in three forms: those of each scene, the
/// reported ones (moving, then kept) and the joined ones of this layout.
template <int D, class T>
class JoinedScenes {
 public:
  SceneRows<D, T> moving;
  SceneRows<D, T> joined;                   ///< layout, rows, margins; worlds by reported ids
  Column<std::int32_t, 2> excluded;         ///< among moving shapes and kept halfspaces
  Column<std::int32_t, 2> excluded_across;  ///< (kept box, moving shape)
  Column<std::int32_t, 2> excluded_owners;
  Column<Pair> found;
  Column<Pair> pairs;  ///< of joined ids, A the lower one

  /// Puts the rows of both together. `stamp` identifies the kept scene. Takes over the rows of
  /// `moving`.
  void join_rows(const SceneRows<D, T>& kept, std::uint64_t stamp, const Threads& threads);
  void join_margins(const SceneRows<D, T>& kept);
  /// Worlds, by reported ids.
  void join_worlds(const SceneRows<D, T>& kept);

  std::int32_t of_moving(std::int32_t id) const {
    return id + shift_moving_[static_cast<std::size_t>(moving.layout.kind_of(id))];
  }
  std::int32_t of_kept(const SceneLayout& kept, std::int32_t id) const {
    return id + shift_kept_[static_cast<std::size_t>(kept.kind_of(id))];
  }

  std::size_t bytes() const;

 private:
  std::uint64_t stamp_ = 0;
  std::array<std::int32_t, kKindCount> room_{};  ///< of moving rows before the kept ones
  std::array<std::int32_t, kKindCount> shift_moving_{};
  std::array<std::int32_t, kKindCount> shift_kept_{};
};

}  // namespace widephase
