#pragma once

// The surroundings of robots, kept for many calls.

#include <memory>

#include <widephase/export.h>
#include <widephase/collide.hpp>
#include <widephase/static_scene.hpp>

namespace widephase {

/// Obstacles that stay where they are, read once for many calls: shapes of all kinds in 3D, in
/// double. Threads may share it; a copy shares what it has.
class WIDEPHASE_API Environment {
 public:
  /// Nothing at all.
  Environment();
  ///@{
  /// The shapes of a scene, which is copied. Bodies place them, what it has `kept` must be null.
  /// Their ids are those of the scene. Obstacles never meet one another, so owners, bodies and
  /// excluded pairs count for nothing; categories, masks and margins do.
  ///
  /// Without worlds every obstacle meets every configuration. If a shape is of a world above 0, the
  /// calls also need the world of each configuration, which then meets that one and -1.
  ///
  /// Throws `Error` with the first offender of an invalid scene, and for a periodic domain.
  explicit Environment(const SceneSpan<3, float>& scene);
  explicit Environment(const SceneSpan<3, double>& scene);
  explicit Environment(const SceneSpan<3, Mixed>& scene);
  ///@}

  ///@{
  /// Spheres of one radius around points, such as a depth camera sees; obstacle i is point i. All
  /// answers are those of a scene of these spheres, but made for 10^5 to 10^6 of them. Only the
  /// time `at` that a proof found to touch may be another. A tree and a grid decide most
  /// configurations of a robot. They take 26 bytes per point and at most 1 MB, the spheres 36 bytes
  /// per point. Questions in double also keep a static scene, from the first one on. Equal points
  /// are fine, and so are none.
  ///
  /// Throws `Error` with the first point that is not finite, and for a radius that is not a finite
  /// number >= 0. It also does for 2^31 points or more, and for a number of `threads` below 0. That
  /// number changes no bit.
  static Environment points(const ColumnSpan<float, 3>& points, double radius,
                            const Threads& threads = {});
  static Environment points(const ColumnSpan<double, 3>& points, double radius,
                            const Threads& threads = {});
  ///@}

  /// The number of obstacles.
  std::size_t size() const;
  /// The obstacles in the world.
  const SceneColumns<3, double>& shapes() const;
  /// The number of worlds: 1 if every obstacle meets every configuration.
  std::int32_t world_count() const;

  /// \cond  The library's own.
  struct State;
  const State& state() const { return *state_; }
  /// \endcond

 private:
  template <class T>
  static Environment of_points(const ColumnSpan<T, 3>& points, double radius,
                               const Threads& threads);

  std::shared_ptr<const State> state_;
};

}  // namespace widephase
