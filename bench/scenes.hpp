#pragma once

// Scenes and lists of pairs that the benchmarks share. Seeded: every run has the same.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <widephase/collide.hpp>

namespace widephase::bench {

/// What a row set out to reach, in the row's unit.
struct Aim {
  const char* row;
  double value;
};

/// Adds the counter `to_aim`, measured over aimed at, where the row has an aim.
template <class State, std::size_t N>
void report_aim(State& state, const Aim (&aims)[N], const std::string& row, double measured) {
  for (const Aim& aim : aims) {
    if (row == aim.row) state.counters["to_aim"] = measured / aim.value;
  }
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double normal() { return normal_(engine_); }
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[engine_() % i]);
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

/// The side of a domain in which `count` shapes of radii uniform in [0.3, 1] have 4 neighbours
/// each: 2 pairs of overlapping bounds a shape.
template <int D>
double uniform_side(std::size_t count) {
  // The bounds of two radii r, s overlap within a volume of (2 (r + s))^D, on average:
  const double volume = D == 3 ? 20.12 : 7.09;
  return std::pow(static_cast<double>(count) * volume / 4, 1.0 / D);
}

/// Random points of [0, side]^D and radii in [0.3, 1], stored in random order.
template <int D, class T>
SceneColumns<D, T> uniform_balls(std::size_t count, std::uint64_t seed = 1) {
  const double side = uniform_side<D>(count);
  Random random(seed);
  SceneColumns<D, T> scene;
  auto& balls = [&]() -> auto& {
    if constexpr (D == 2)
      return scene.circles;
    else
      return scene.spheres;
  }();
  balls.center.resize_uninitialized(count);
  balls.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < D; ++k) balls.center(i, k) = static_cast<T>(random.uniform(0, side));
    balls.radius[i] = static_cast<T>(random.uniform(0.3, 1));
  }
  return scene;
}

/// Radii by a power law over 1:1000 (density ~ r^-3.5), about 0.4 pairs a body.
template <int D, class T>
SceneColumns<D, T> power_law_balls(std::size_t count) {
  const double side = 0.01254 * std::cbrt(static_cast<double>(count));
  Random random(2);
  SceneColumns<D, T> scene;
  scene.spheres.center.resize_uninitialized(count);
  scene.spheres.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < D; ++k)
      scene.spheres.center(i, k) = static_cast<T>(random.uniform(0, side));
    const double exponent = -2.5;
    const double low = std::pow(0.001, exponent), high = std::pow(1.0, exponent);
    scene.spheres.radius[i] = static_cast<T>(std::pow(random.uniform(high, low), 1 / exponent));
  }
  return scene;
}

/// The same shapes in the order of a coarse curve through space.
template <class T>
void sort_in_space(SceneColumns<3, T>& scene) {
  const std::size_t count = scene.spheres.radius.size();
  T most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) most = std::max(most, scene.spheres.center(i, k));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t key = 0;
    for (int bit = 9; bit >= 0; --bit) {
      for (int k = 0; k < 3; ++k) {
        const auto cell = static_cast<std::uint32_t>(scene.spheres.center(i, k) / most * 1023);
        key = key << 1 | (cell >> bit & 1);
      }
    }
    order[i] = {key, static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  SceneColumns<3, T> sorted;
  sorted.spheres.center.resize_uninitialized(count);
  sorted.spheres.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    sorted.spheres.center.set(i, scene.spheres.center.row(order[i].second));
    sorted.spheres.radius[i] = scene.spheres.radius[order[i].second];
  }
  scene = std::move(sorted);
}

/// Random pairs of two kinds: half as many shapes as pairs, as where each body has 4 neighbours,
/// all in one place, so that about half of the pairs overlap, most of them deeply.
template <int D, class T>
struct PairSet {
  SceneColumns<D, T> scene;
  std::vector<Pair> sorted;    ///< ascending by A, B anywhere
  std::vector<Pair> shuffled;  ///< the same pairs in random order
  std::vector<Pair> shallow;   ///< up to as many, ascending by A, of a depth in [-0.05, 0.05]
};

template <int D, class T>
class PairSetMaker {
 public:
  PairSet<D, T> make(Kind a, Kind b, std::size_t count) {
    PairSet<D, T> set;
    const std::size_t each = count < 4 ? 1 : count / 4;
    const auto add_shapes = [&](Kind kind) {
      for (std::size_t i = 0; i < each; ++i) {
        std::array<double, D> center;
        for (double& x : center) x = random_.uniform(0, 1.4);
        add(set.scene, kind, center);
      }
    };
    add_shapes(a);
    add_shapes(b);
    const SceneLayout layout = layout_of(SceneSpan<D, T>(set.scene));
    const auto limit = static_cast<double>(each);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row_a = static_cast<std::int32_t>(i * each / count);
      const auto row_b = static_cast<std::int32_t>(random_.uniform(0, limit)) +
                         (a == b ? static_cast<std::int32_t>(each) : 0);
      set.sorted.push_back({layout.id(a, row_a), layout.id(b, row_b)});
    }
    set.shuffled = set.sorted;
    random_.shuffle(set.shuffled);
    set.shallow = draw_shallow(
        set.scene, layout.first[static_cast<int>(a)],
        layout.first[static_cast<int>(b)] + static_cast<std::int32_t>(a == b ? each : 0), each,
        count);
    return set;
  }

 private:
  /// A simulation's pairs touch or nearly do: such ones out of random draws.
  std::vector<Pair> draw_shallow(const SceneColumns<D, T>& scene, std::int32_t first_a,
                                 std::int32_t first_b, std::size_t each, std::size_t count) {
    CollideOptions options;
    options.margin = 0.05;
    options.threads.count = 1;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    std::vector<Pair> shallow, draws(std::max(count, std::size_t{4096}));
    for (int round = 0; round < 1000 && shallow.size() < count; ++round) {
      for (Pair& draw : draws) {
        draw = {first_a + random_.below(static_cast<int>(each)),
                first_b + random_.below(static_cast<int>(each))};
      }
      collide_pairs(scene, draws, contacts, workspace, options);
      for (std::size_t i = 0; i < contacts.size() && shallow.size() < count; ++i) {
        if (contacts.depth[i] <= T(0.05)) shallow.push_back(contacts.pair[i]);
      }
    }
    std::sort(shallow.begin(), shallow.end(),
              [](const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return shallow;
  }

  void add(SceneColumns<D, T>& scene, Kind kind, const std::array<double, D>& center) {
    std::array<T, D> first{}, second{};
    const auto size = [&] { return static_cast<T>(random_.uniform(0.3, 0.8)); };
    switch (kind) {
      case Kind::sphere: {
        for (int k = 0; k < D; ++k) first[k] = static_cast<T>(center[k]);
        if constexpr (D == 2) {
          scene.circles.center.push_back(first);
          scene.circles.radius.push_back({size()});
        } else {
          scene.spheres.center.push_back(first);
          scene.spheres.radius.push_back({size()});
        }
        break;
      }
      case Kind::capsule:
        for (int k = 0; k < D; ++k) {
          const double half = random_.uniform(-0.5, 0.5);
          first[k] = static_cast<T>(center[k] - half);
          second[k] = static_cast<T>(center[k] + half);
        }
        scene.capsules.a.push_back(first);
        scene.capsules.b.push_back(second);
        scene.capsules.radius.push_back({static_cast<T>(random_.uniform(0.1, 0.5))});
        break;
      case Kind::aabb:
        for (int k = 0; k < D; ++k) {
          const double half = random_.uniform(0.2, 0.6);
          first[k] = static_cast<T>(center[k] - half);
          second[k] = static_cast<T>(center[k] + half);
        }
        scene.aabbs.min.push_back(first);
        scene.aabbs.max.push_back(second);
        break;
      default: {
        double square = 0;
        std::array<double, D> direction;
        for (double& x : direction) {
          x = random_.uniform(-1, 1);
          square += x * x;
        }
        double offset = 0;
        for (int k = 0; k < D; ++k) {
          first[k] = static_cast<T>(direction[k] / std::sqrt(square));
          offset += direction[k] / std::sqrt(square) * center[k];
        }
        scene.halfspaces.normal.push_back(first);
        scene.halfspaces.offset.push_back({static_cast<T>(offset)});
      }
    }
  }

  Random random_{7};
};

}  // namespace widephase::bench
