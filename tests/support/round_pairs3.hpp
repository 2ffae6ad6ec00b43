#pragma once

// Judges very many pairs with an ellipsoid, a cone or a rounded cylinder, of one family.

#include "support/many_pairs3.hpp"

namespace widephase::test {

template <class T>
class RoundPairsRun : public ManyPairsRun<T> {
 public:
  RoundPairsRun(const ManyPairs& kinds, RoundFamily family, double margin, std::uint64_t seed,
                Method method = Method::automatic)
      : ManyPairsRun<T>({kinds.a, kinds.b}, margin, seed, method), family_(family) {
    this->library_ = &hulls_;
    this->far_margin_ = 1e5;
  }

  void make(std::size_t count) override {
    auto& scene = this->scene_;
    scene = {};
    std::vector<std::array<std::int32_t, 2>> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const SolidPair<3> pair =
          round_pair(this->random_, family_, this->kinds_.a, this->kinds_.b);
      rows.push_back({add(pair.a), add(pair.b)});
    }
    scene.geometries = hulls_.table;
    this->name_pairs(rows);
  }

 private:
  std::int32_t add(const Solid<3>& solid) {
    if (solid.kind != Kind::hull) return append(this->scene_, solid);
    auto& hulls = this->scene_.hulls;
    const auto cast = [](double value) { return static_cast<T>(value); };
    hulls.center.push_back(as_row<3, T>(solid.p));
    const Quaternion& q = solid.orientation;
    hulls.turn.push_back({cast(q[0]), cast(q[1]), cast(q[2]), cast(q[3])});
    hulls.geometry.push_back({hulls_.row_of(solid.vertices)});
    hulls.radius.push_back({cast(solid.size)});
    return static_cast<std::int32_t>(hulls.radius.size() - 1);
  }

  RoundFamily family_;
  HullLibrary<T> hulls_;
};

}  // namespace widephase::test
