#pragma once

// Motions of robots: whether they touch anything on the way.

#include <widephase/robot.hpp>

namespace widephase {

/// What is known of a motion.
enum class MotionStatus : std::uint8_t {
  free,      ///< 0: no sample touches; with a proof, nothing touches at any time
  hit,       ///< 1: something touches at the time `at`
  undecided  ///< 2: only with a proof: neither was shown
};

/// How motions are checked.
struct MotionOptions {
  /// Without a proof: at most this far apart are two samples, as a length of values (radians and
  /// lengths together). Above 0.
  double resolution = 1.0 / 32;
  /// Proves motions free for all times between start and end, by how far each shape can move
  /// between two times. For solids and two-sided meshes alone: what is behind a one-sided mesh or a
  /// height field has no contact with it, so nothing could be shown.
  bool proof = false;
  /// With a proof: parts of a motion below this length of values are not divided, and stay
  /// undecided if it fails for them. Above 0.
  double least_width = 1e-3;
};

/// One row per motion.
struct MotionChecks {
  Column<MotionStatus> status;  ///< what is known
  Column<double> at;  ///< of a hit, from 0 at the start to 1 at the end; NaN otherwise
};

/// Checks motions from row i of `from` to row i of `to`. At the time t a motion is in the
/// configuration `from + t * (to - from)`, computed in double, and exactly in `to` at t = 1.
/// Angles of continuous joints are not wrapped: 3 to -3 goes through 0. Quaternions move on a
/// straight line too, and are normalized.
///
/// Without `proof` samples at k / n are asked, for k = 0 ... n, and `at` is the first that touches.
/// With it, a motion is free only if that is shown for all times, with `options.margin` likewise.
/// A hit is a configuration in which `any_contact` says yes. The answers depend neither on threads
/// nor on the instruction set, nor on other motions.
///
/// Throws `Error` as `any_contact` does, and for `from` and `to` of different counts. It also does
/// if the length in use (`resolution` or `least_width`) is not above 0, or a motion has more than
/// 10^7 of it. So it does for a motion through a quaternion of length 0, and for a proof with height
/// fields or one-sided meshes. `checks` then stay as they were.
template <class T>
WIDEPHASE_API void check_motions(const Robot& robot, const Configurations<T>& from,
                                 const Configurations<T>& to, const Environment& environment,
                                 MotionChecks& checks, Workspace<3, double>& workspace,
                                 const MotionOptions& motions = {},
                                 const CollideOptions& options = {},
                                 std::span<const std::int32_t> worlds = {});

}  // namespace widephase
