#pragma once

// How peers answer panda_bench: whether the Panda arm touches itself or what is around it.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "peer_build.hpp"

namespace widephase::bench {

inline constexpr std::size_t kPandaJoints = 7;

/// Boxes, or points of one radius.
struct PandaSurroundings {
  SceneColumns<3, float> boxes = {};
  std::vector<std::array<float, 3>> points = {};
  float radius = 0;
};

/// A peer with its own copy of the surroundings. Configurations are rows of joints.
class PandaPeer {
 public:
  virtual ~PandaPeer() = default;
  /// One byte per configuration, each asked by itself.
  virtual void ask_each(std::span<const float> rows, std::span<std::uint8_t> touches) = 0;
  /// One byte per block of eight, for blocks that are all free.
  virtual void ask_blocks(std::span<const float> rows, std::span<std::uint8_t> touches) = 0;
  /// One byte per motion, at 32 samples in a radian.
  virtual void ask_motions(std::span<const float> from, std::span<const float> to,
                           std::span<std::uint8_t> touches) = 0;
};

struct PandaPeerMaker {
  std::string who;
  std::unique_ptr<PandaPeer> (*make)(const PandaSurroundings& around);
};

/// Everything that an adapter offers.
struct PandaPeers {
  PeerBuild build;
  std::vector<PandaPeerMaker> makers;
};

}  // namespace widephase::bench
