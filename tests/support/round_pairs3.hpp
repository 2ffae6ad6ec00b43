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
    this->far_margin_ = family == RoundFamily::units ? 100 * kUnits.back() : 1e5;
  }

  void make(std::size_t count) override {
    auto& scene = this->scene_;
    scene = {};
    std::vector<std::array<std::int32_t, 2>> rows;
    for (std::size_t i = 0; i < count; ++i) {
      SolidPair<3> pair = round_pair(this->random_, family_, this->kinds_.a, this->kinds_.b);
      // Where float alone would round positions by a twentieth.
      if (is_mixed) pair = {moved<3>(pair.a, kFar), moved<3>(pair.b, kFar)};
      if (family_ == RoundFamily::units) {
        const int last = static_cast<int>(kUnits.size()) - 1;
        const double unit = kUnits[static_cast<std::size_t>(this->random_.integer(0, last))];
        pair = {in_unit(unit, pair.a), in_unit(unit, pair.b)};
      }
      rows.push_back({add(pair.a), add(pair.b)});
    }
    scene.geometries = hulls_.table;
    this->name_pairs(rows);
  }

 private:
  static constexpr bool is_mixed = std::is_same_v<T, Mixed>;
  static constexpr Point<3> kFar{1e6, -1e6, 1e6};
  /// Lengths of a tenth of a unit to a few units are from 1e-6 to 1e9, or from 1e-60 to 1e75.
  static constexpr std::array<double, 5> kUnits = sizeof(SizeOf<T>) == 4
                                                      ? std::array{1e-5, 1e-3, 1e3, 1e6, 2e8}
                                                      : std::array{1e-59, 1e-30, 1e9, 1e40, 2e74};

  std::int32_t add(const Solid<3>& solid) {
    if (solid.kind != Kind::hull) return append(this->scene_, solid);
    auto& hulls = this->scene_.hulls;
    const auto cast = [](double value) { return static_cast<SizeOf<T>>(value); };
    hulls.center.push_back(as_row<3, PositionOf<T>>(solid.p));
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
