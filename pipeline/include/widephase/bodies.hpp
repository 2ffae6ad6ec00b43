#pragma once

// Shapes that bodies carry: placed by poses, repeated for many worlds, and contacts by body.

#include <type_traits>

#include <widephase/export.h>
#include <widephase/contacts.hpp>
#include <widephase/executor.hpp>
#include <widephase/scene.hpp>

namespace widephase {

/// Poses of bodies in the caller's arrays: `position` (m rows of 2 or 3) and `turn` (m angles or
/// quaternions; empty if no body is rotated).
template <int D, class T>
using Poses = BodyTable<Borrowed<D, T>>;

/// In which order the four numbers of a quaternion lie.
enum class QuaternionOrder {
  xyzw,  ///< the real part last: NumPy and SciPy, ROS, Bullet, and the scenes here
  wxyz   ///< the real part first: MuJoCo, Eigen's constructor
};

/// Rows of four numbers, `stride_bytes` apart, as the scene reads quaternions: nothing is copied.
template <class T>
ColumnSpan<T, 4> quaternions(const T* rows, std::size_t count, QuaternionOrder order,
                             std::ptrdiff_t stride_bytes = 4 * sizeof(T)) {
  // Without an address it has its rows all the same, so that a call can refuse them.
  if (order == QuaternionOrder::xyzw || rows == nullptr) {
    return ColumnSpan<T, 4>::interleaved(rows, count, stride_bytes);
  }
  return ColumnSpan<T, 4>::planes({rows + 1, rows + 2, rows + 3, rows}, count, stride_bytes);
}

/// What happens to the shapes of a faulty pose, of a missing body, and to an aabb of a rotated
/// body. Either that is an error, or their positions become NaN, so that they are found later,
/// shape by shape.
enum class PoseFaults {
  error,        ///< `Error` names the first one
  not_a_number  ///< the positions of the shapes that it carries become NaN
};

/// A scene whose shapes are in the world. It owns the columns that moved; every other column is
/// still that of the scene that was placed, which must outlive it.
template <int D, class T>
class WIDEPHASE_API PlacedScene {
 public:
  /// An empty one.
  PlacedScene() = default;
  ///@{
  /// Takes another one's columns; it is not copied.
  PlacedScene(PlacedScene&&) noexcept = default;
  PlacedScene& operator=(PlacedScene&&) noexcept = default;
  ///@}

  /// With the ids of the scene that was placed, and without bodies to place again.
  const SceneSpan<D, T>& scene() const { return scene_; }
  /// Bytes held.
  std::size_t bytes() const;

  /// Use `widephase::place`.
  void place(const SceneSpan<D, T>& scene, const Poses<D, T>& poses, const Threads& threads,
             PoseFaults faults = PoseFaults::error);

 private:
  SceneSpan<D, T> scene_;
  SceneColumns<D, T> moved_;  ///< the columns of tables that name bodies, and no others
  Column<double> frames_;
};

/// Moves every shape that names a body from the body's frame into the world; shapes of body -1 stay
/// as they are. Computed in double and rounded once; quaternions count as normalized, sums of
/// angles are not wrapped. The bits depend neither on threads nor on instruction sets. A second
/// call of the same size allocates nothing. Without poses nothing moves.
///
/// The poses replace the scene's own `bodies`. Throws `Error` for poses that are not finite or not
/// unit, a body that the poses do not have, and columns of unequal length. So does an aabb of a
/// rotated body (make it a box). The call that collides checks all other numbers. After an error
/// `placed` is empty.
template <int D, class T>
void place(const std::type_identity_t<SceneSpan<D, T>>& scene,
           const std::type_identity_t<Poses<D, T>>& poses, PlacedScene<D, T>& placed,
           const Threads& threads = {}) {
  placed.place(scene, poses, threads);
}

/// One template of shapes for `world_count` worlds. The template's shapes are of world 0 or -1:
/// those of -1 exist once, before the others of their kind, and meet every world. Row r of n others
/// of a kind becomes row `shared + world * n + r` of the copy. Body b of m becomes body
/// `world * m + b`, at the template's pose. Owners, keys and all else are those of the template,
/// and its excluded pairs hold in every world.
///
/// A step then writes only poses: `SceneSpan view = copy; view.bodies.position = ...`.
///
/// Throws `Error` for other worlds, a shape of world -1 that names a body, and a body that the
/// template does not have (without bodies any number is a filter). It also does for columns of
/// unequal length, excluded ids out of range, a count below 1, and more shapes or bodies than 2^31
/// - 1. `copy` is then empty; it must not be the template.
template <int D, class T>
WIDEPHASE_API void replicate(const std::type_identity_t<SceneSpan<D, T>>& scene,
                             std::int32_t world_count, SceneColumns<D, T>& copy);

/// The bodies of each contact's shapes, A's and B's; -1 where a shape has none. Throws `Error` for
/// contacts with ids that the scene does not have, and for columns of unequal length; `bodies` then
/// stays as it was.
template <int D, class T>
WIDEPHASE_API void contact_bodies(const std::type_identity_t<SceneSpan<D, T>>& scene,
                                  const ContactBuffer<D, T>& contacts,
                                  Column<std::int32_t, 2>& bodies);

}  // namespace widephase
