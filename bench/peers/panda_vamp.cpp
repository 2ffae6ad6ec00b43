// VAMP's Panda, whose code is generated: a configuration in all lanes, as its `validate` asks;
// eight at once; and motions as its planners ask them. Points are its tree, CAPT.

#include <vamp/collision/factory.hh>
#include <vamp/planning/validate.hh>
#include <vamp/robots/panda.hh>

#include "panda.hpp"
#include "peer_flags.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kRake = vamp::FloatVectorWidth;
using Lanes = vamp::FloatVector<kRake>;
using Panda = vamp::robots::Panda;

class VampPanda : public PandaPeer {
 public:
  explicit VampPanda(const PandaSurroundings& around) : around_(of(around)) {}

  void ask_each(std::span<const float> rows, std::span<std::uint8_t> touches) override {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      Panda::ConfigurationBlock<kRake> block;
      for (std::size_t k = 0; k < kPandaJoints; ++k) {
        block[k] = Lanes::fill(rows[i * kPandaJoints + k]);
      }
      touches[i] = !Panda::fkcc<kRake>(around_, block);
    }
  }
  void ask_blocks(std::span<const float> rows, std::span<std::uint8_t> touches) override {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      Panda::ConfigurationBlock<kRake> block;
      for (std::size_t k = 0; k < kPandaJoints; ++k) {
        alignas(64) std::array<float, kRake> lanes;
        for (std::size_t j = 0; j < kRake; ++j) {
          lanes[j] = rows[(i * kRake + j) * kPandaJoints + k];
        }
        block[k] = Lanes(lanes);
      }
      touches[i] = !Panda::fkcc<kRake>(around_, block);
    }
  }
  void ask_motions(std::span<const float> from, std::span<const float> to,
                   std::span<std::uint8_t> touches) override {
    for (std::size_t i = 0; i < touches.size(); ++i) {
      touches[i] = !vamp::planning::validate_motion<Panda, kRake, Panda::resolution>(
          configuration(from, i), configuration(to, i), around_);
    }
  }

 private:
  static Panda::Configuration configuration(std::span<const float> rows, std::size_t i) {
    alignas(64) std::array<float, Panda::Configuration::num_scalars_rounded> numbers{};
    for (std::size_t k = 0; k < kPandaJoints; ++k) numbers[k] = rows[i * kPandaJoints + k];
    return Panda::Configuration(numbers.data());
  }
  static vamp::collision::Environment<float> of(const PandaSurroundings& around) {
    vamp::collision::Environment<float> scene;
    const auto& boxes = around.boxes.boxes;
    for (std::size_t i = 0; i < row_count(boxes); ++i) {
      const auto c = boxes.center.row(i), h = boxes.half_extents.row(i);
      const auto [x, y, z, w] = boxes.turn.row(i);
      scene.cuboids.emplace_back(c[0], c[1], c[2], 1 - 2 * (y * y + z * z), 2 * (x * y + w * z),
                                 2 * (x * z - w * y), 2 * (x * y - w * z), 1 - 2 * (x * x + z * z),
                                 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x),
                                 1 - 2 * (x * x + y * y), h[0], h[1], h[2]);
    }
    scene.sort();
    if (!around.points.empty()) {
      scene.pointclouds.emplace_back(around.points, Panda::min_radius, Panda::max_radius,
                                     around.radius);
    }
    return scene;
  }

  vamp::collision::Environment<Lanes> around_;
};

std::unique_ptr<PandaPeer> make(const PandaSurroundings& around) {
  return std::make_unique<VampPanda>(around);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(PandaPeers& peers) {
  peers = {{"vamp", WIDEPHASE_PEER_VERSION, WIDEPHASE_PEER_FLAGS}, {{"vamp", make}}};
}

}  // namespace widephase::bench
