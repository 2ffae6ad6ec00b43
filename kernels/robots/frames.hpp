#pragma once

// The frames of a robot's nodes in float, a configuration per lane.

#include "kernels/lanes/vec.hpp"
#include "kernels/robot_table.hpp"
#include "soa/turn.hpp"

namespace widephase {
namespace {

template <class F>
WIDEPHASE_INLINE Vec<F, 3> broadcast(const float* numbers) {
  return each_axis<F, 3>([&](int k) { return F(numbers[k]); });
}

template <class F>
WIDEPHASE_INLINE Vec<F, 3> get_point(const float* from, std::size_t index) {
  return each_axis<F, 3>([&](int k) {
    return load(from + (kCheckPoint * index + static_cast<std::size_t>(k)) * LaneTraits<F>::count);
  });
}
template <class F>
WIDEPHASE_INLINE void put_point(float* to, std::size_t index, const Vec<F, 3>& v) {
  for (std::size_t k = 0; k < 3; ++k) {
    store(to + (kCheckPoint * index + k) * LaneTraits<F>::count, v[static_cast<int>(k)]);
  }
}

/// Where the nodes of a job are, in the lanes of a block from one on. Motions lie first in the
/// scratch of the job, frames after them.
template <class F>
class LaneFrames {
 public:
  struct Frame {
    Vec<F, 3> column[3];
    Vec<F, 3> position;
  };

  LaneFrames(const CheckJob& job, std::size_t lane)
      : job_(job),
        lane_(lane),
        motions_(job.scratch),
        frames_(motions_ + 4 * job.node_count * kRobotBlock) {}

  WIDEPHASE_INLINE void place() const {
    for (std::size_t n = 0; n < job_.node_count; ++n) {
      const CheckNode& node = job_.nodes[n];
      Frame moved = start_of(node);
      if (node.motion == NodeMotion::turn) {
        const F cosine = number(n, 0), sine = number(n, 1);
        const Vec<F, 3> x = moved.column[0], y = moved.column[1];
        moved.column[0] = cosine * x + sine * y;
        moved.column[1] = cosine * y - sine * x;
      } else if (node.motion == NodeMotion::slide) {
        moved.position = moved.position + number(n, 0) * moved.column[2];
      } else if (node.motion == NodeMotion::ball) {
        turn_by(moved, n);
      }
      for (std::size_t k = 0; k < 3; ++k) put_point<F>(frames_, 4 * n + k, moved.column[k]);
      put_point<F>(frames_, 4 * n + 3, moved.position);
    }
  }

  WIDEPHASE_INLINE Frame frame(std::int32_t node) const {
    const std::size_t first = 4 * static_cast<std::size_t>(node);
    return {{get_point<F>(frames_, first), get_point<F>(frames_, first + 1),
             get_point<F>(frames_, first + 2)},
            get_point<F>(frames_, first + 3)};
  }
  /// The numbers of a node's frame, each of all lanes: three columns, then the position.
  const float* numbers(std::int32_t node) const {
    return frames_ + kCheckFrame * static_cast<std::size_t>(node) * LaneTraits<F>::count;
  }
  static WIDEPHASE_INLINE Vec<F, 3> turned(const Frame& frame, const float* v) {
    return (F(v[0]) * frame.column[0] + F(v[1]) * frame.column[1]) + F(v[2]) * frame.column[2];
  }
  static WIDEPHASE_INLINE Vec<F, 3> turned(const Frame& frame, const Vec<F, 3>& v) {
    return (v[0] * frame.column[0] + v[1] * frame.column[1]) + v[2] * frame.column[2];
  }
  WIDEPHASE_INLINE Vec<F, 3> placed(std::int32_t node, const float* point) const {
    const Frame at = frame(node);
    return at.position + turned(at, point);
  }

  /// The scratch after the frames.
  float* end() const { return frames_ + kCheckFrame * job_.node_count * LaneTraits<F>::count; }

 private:
  WIDEPHASE_INLINE F number(std::size_t node, std::size_t which) const {
    return load(motions_ + (4 * node + which) * kRobotBlock + lane_);
  }
  WIDEPHASE_INLINE Frame start_of(const CheckNode& node) const {
    if (node.parent < 0) {
      return {{broadcast<F>(node.turn[0]), broadcast<F>(node.turn[1]), broadcast<F>(node.turn[2])},
              broadcast<F>(node.position)};
    }
    const Frame parent = frame(node.parent);
    const Vec<F, 3> position = parent.position + turned(parent, node.position);
    if (!node.has_turn) return {{parent.column[0], parent.column[1], parent.column[2]}, position};
    return {
        {turned(parent, node.turn[0]), turned(parent, node.turn[1]), turned(parent, node.turn[2])},
        position};
  }
  /// By a unit quaternion in the frame.
  WIDEPHASE_INLINE void turn_by(Frame& moved, std::size_t n) const {
    const F x = number(n, 0), y = number(n, 1), z = number(n, 2), w = number(n, 3);
    const F x2 = x + x, y2 = y + y, z2 = z + z, one = F(1);
    const Vec<F, 3> first{{one - (y2 * y + z2 * z), x2 * y + z2 * w, x2 * z - y2 * w}};
    const Vec<F, 3> second{{x2 * y - z2 * w, one - (x2 * x + z2 * z), y2 * z + x2 * w}};
    const Vec<F, 3> third{{x2 * z + y2 * w, y2 * z - x2 * w, one - (x2 * x + y2 * y)}};
    const Vec<F, 3> columns[3] = {turned(moved, first), turned(moved, second),
                                  turned(moved, third)};
    for (int k = 0; k < 3; ++k) moved.column[k] = columns[k];
  }

  const CheckJob& job_;
  std::size_t lane_;
  float* motions_;  ///< four numbers per node, of the whole block
  float* frames_;
};

/// Cosines and sines of angles of up to 2^20 quarters, within 2^-23. The remainder is found in
/// double and rounded once. The polynomials interpolate those of `turn_parts::eighth` at three
/// nodes of Chebyshev.
void find_float_turns(const double* angles, float* cosines, float* sines) {
  float rest[kRobotBlock];
  std::uint32_t quarters[kRobotBlock];
  for (std::size_t i = 0; i < kRobotBlock; ++i) {
    const double rounded = angles[i] * turn_parts::kQuartersPerRadian + turn_parts::kRounder;
    const double count = rounded - turn_parts::kRounder;
    rest[i] = static_cast<float>((angles[i] - count * turn_parts::kQuarter[0]) -
                                 count * turn_parts::kQuarter[1]);
    quarters[i] = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, rounded));
  }
  for (std::size_t i = 0; i < kRobotBlock; ++i) {
    const float x = rest[i], z = x * x;
    const float s = ((-0x1.9ac9bp-13f * z + 0x1.110c28p-7f) * z - 0x1.555552p-3f) * z * x + x;
    const float c =
        ((0x1.9bd89cp-16f * z - 0x1.6c12d2p-10f) * z + 0x1.555554p-5f) * z * z - 0.5f * z + 1;
    std::uint32_t sine = __builtin_bit_cast(std::uint32_t, s);
    std::uint32_t cosine = __builtin_bit_cast(std::uint32_t, c);
    const std::uint32_t swapped = (sine ^ cosine) & (0 - (quarters[i] & 1));
    sine ^= swapped ^ (quarters[i] & 2) << 30;
    cosine ^= swapped ^ ((quarters[i] + 1) & 2) << 30;
    sines[i] = __builtin_bit_cast(float, sine);
    cosines[i] = __builtin_bit_cast(float, cosine);
  }
}

/// Four numbers of each node: cosine and sine, a length, or a unit quaternion.
void find_motions(const CheckJob& job) {
  for (std::size_t n = 0; n < job.node_count; ++n) {
    const CheckNode& node = job.nodes[n];
    if (node.motion == NodeMotion::fixed) continue;
    const double* const numbers = job.numbers + static_cast<std::size_t>(node.slot) * kRobotBlock;
    float* const to = job.scratch + 4 * n * kRobotBlock;
    if (node.motion == NodeMotion::turn) {
      find_float_turns(numbers, to, to + kRobotBlock);
    } else if (node.motion == NodeMotion::slide) {
      for (std::size_t i = 0; i < kRobotBlock; ++i) to[i] = static_cast<float>(numbers[i]);
    } else {
      for (std::size_t i = 0; i < kRobotBlock; ++i) {
        double square = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          square += numbers[k * kRobotBlock + i] * numbers[k * kRobotBlock + i];
        }
        const double length = __builtin_sqrt(square);
        for (std::size_t k = 0; k < 4; ++k) {
          to[k * kRobotBlock + i] = static_cast<float>(numbers[k * kRobotBlock + i] / length);
        }
      }
    }
  }
}

}  // namespace
}  // namespace widephase
