#pragma once

// Lists of pairs that the benchmarks share. They are seeded, so every run has the same.

#include <limits>
#include <numbers>

#include "scenes.hpp"
#include "scenes/geometries.hpp"

namespace widephase::bench {

/// The kinds of a dimension, in the order of their numbers, but for surfaces, whose pairs are
/// many triangles.
inline std::vector<Kind> kinds_in(int dimension) {
  std::vector<Kind> kinds;
  const auto add = [&](const auto& table) {
    const Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    if (kind != Kind::heightfield && kind != Kind::mesh && kind != Kind::chain) {
      kinds.push_back(kind);
    }
  };
  const SceneColumns<2, float> of_2d;
  const SceneColumns<3, float> of_3d;
  dimension == 2 ? for_each_table(of_2d, add) : for_each_table(of_3d, add);
  return kinds;
}

/// A direction of length 1, all alike likely.
template <int D>
std::array<double, D> direction_of(Random& random) {
  for (;;) {
    std::array<double, D> at;
    double square = 0;
    for (double& x : at) {
      x = random.uniform(-1, 1);
      square += x * x;
    }
    if (square > 1 || square < 0.01) continue;
    for (double& x : at) x /= std::sqrt(square);
    return at;
  }
}

/// Halfspaces have neither distances nor support points.
inline bool has_halfspace(Kind a, Kind b) { return a == Kind::halfspace || b == Kind::halfspace; }

/// The form of the shapes in a set. Only polygons can be large.
enum class Variant {
  plain,    ///< no rounding; polygons of 3 to 8 vertices, hulls of 16
  rounded,  ///< the same as plain, rounded
  large,    ///< polygons of 64 vertices, no radius
  hull8,    ///< hulls of 8 vertices, and so on
  hull32,
  hull64,
};

inline int hull_vertices(Variant variant) {
  switch (variant) {
    case Variant::hull8:
      return 8;
    case Variant::hull32:
      return 32;
    case Variant::hull64:
      return 64;
    default:
      return 16;
  }
}

/// The name of a set: "hull_hull"; for other variants "polygon64_polygon64", "hull8_hull8" or
/// "rounded_box_rounded_box".
inline std::string set_name(Kind a, Kind b, Variant variant, int dimension) {
  const auto word = [&](Kind kind) {
    std::string name(kind_name(kind, dimension));
    if (variant == Variant::rounded) return "rounded_" + name;
    if (variant == Variant::large && kind == Kind::polygon) return name + "64";
    if (variant >= Variant::hull8 && kind == Kind::hull) {
      return name + std::to_string(hull_vertices(variant));
    }
    return name;
  };
  return word(a) + "_" + word(b);
}

/// The order of a set's pairs, or how they were selected.
enum class List { sorted, shuffled, shallow, apart, overlapping };

inline const char* list_name(List list) {
  constexpr const char* names[] = {"sorted", "shuffled", "shallow", "apart", "overlapping"};
  return names[static_cast<int>(list)];
}

/// More than the distance of any two shapes of a set: with this margin, the contact of a pair that
/// is apart gives its distance.
inline constexpr double kApartMargin = 2;

/// Random pairs of two kinds. There are half as many shapes as pairs, so each body has 4
/// neighbours. All shapes are in one place, so that about half of the pairs overlap, most of them
/// deeply.
template <int D, class T>
struct PairSet {
  SceneColumns<D, T> scene;
  std::vector<Pair> sorted;    ///< ascending by A, with B anywhere
  std::vector<Pair> shuffled;  ///< the same pairs in random order
  /// Up to as many pairs with a depth in [-0.05, 0.05], ascending by A. Empty if we have no kernel.
  std::vector<Pair> shallow;
  std::vector<Pair> apart;        ///< like `shallow`, with a depth below 0; empty for halfspaces
  std::vector<Pair> overlapping;  ///< like `shallow`, with a depth above 0; empty for halfspaces

  const std::vector<Pair>& list(List which) const {
    const std::vector<Pair>* const lists[] = {&sorted, &shuffled, &shallow, &apart, &overlapping};
    return *lists[static_cast<int>(which)];
  }
};

/// The scene with centres moved by up to `share` along each axis, where sizes are about 1. Shapes
/// with an orientation rotate by as much; sizes stay the same.
template <class T>
SceneColumns<3, T> moved_by_share(const SceneColumns<3, T>& scene, double share) {
  SceneColumns<3, T> moved = scene;
  Random random(13);
  const auto some = [&] { return static_cast<T>(random.uniform(-share, share)); };
  const auto turn = [&](auto& table) {
    for (std::size_t i = 0; i < table.turn.size(); ++i) {
      // Adds half the angle about each axis, then scales to unit length.
      const T x = some() / 2, y = some() / 2, z = some() / 2;
      const T q[4] = {table.turn(i, 0), table.turn(i, 1), table.turn(i, 2), table.turn(i, 3)};
      T turned[4] = {q[0] + x * q[3] + y * q[2] - z * q[1], q[1] + y * q[3] + z * q[0] - x * q[2],
                     q[2] + z * q[3] + x * q[1] - y * q[0], q[3] - x * q[0] - y * q[1] - z * q[2]};
      T square = 0;
      for (const T part : turned) square += part * part;
      for (int k = 0; k < 4; ++k) table.turn(i, k) = turned[k] / std::sqrt(square);
      for (int k = 0; k < 3; ++k) table.center(i, k) += some();
    }
  };
  const auto move = [&](auto& first, auto& second) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const T step = some();
        first(i, k) += step;
        second(i, k) += step;
      }
    }
  };
  for_each_table(moved, [&](auto& table) {
    if constexpr (requires { table.turn; }) turn(table);
  });
  for_each_table(moved, [&](auto& table) {
    if constexpr (requires { table.turn; }) {
    } else if constexpr (requires { table.a; }) {
      move(table.a, table.b);
    } else if constexpr (requires { table.min; }) {
      move(table.min, table.max);
    } else if constexpr (requires { table.center; }) {
      for (std::size_t i = 0; i < table.center.size(); ++i) {
        for (int k = 0; k < 3; ++k) table.center(i, k) += some();
      }
    }
  });
  return moved;
}
/// 2D has no searches that could start where earlier ones ended.
template <class T>
SceneColumns<2, T> moved_by_share(const SceneColumns<2, T>& scene, double) {
  return scene;
}

template <int D, class T>
class PairSetMaker {
 public:
  PairSet<D, T> make(Kind a, Kind b, std::size_t count, Variant variant = Variant::plain) {
    PairSet<D, T> set;
    variant_ = variant;
    const std::size_t each = count < 4 ? 1 : count / 4;
    if constexpr (D == 2) {
      if (a == Kind::polygon || b == Kind::polygon) add_geometries(set.scene);
    } else {
      if (a == Kind::hull || b == Kind::hull) add_geometries(set.scene);
    }
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
    if (!has_kernel(D, a, b)) return set;
    const auto draw = [&](double least_depth, double most_depth) {
      return draw_pairs(
          set.scene, layout.first[static_cast<int>(a)],
          layout.first[static_cast<int>(b)] + static_cast<std::int32_t>(a == b ? each : 0), each,
          count, least_depth, most_depth);
    };
    set.shallow = draw(-0.05, 0.05);
    if (!has_halfspace(a, b)) {
      constexpr double tiny = std::numeric_limits<float>::min();
      set.apart = draw(-kApartMargin, -tiny);
      set.overlapping = draw(tiny, std::numeric_limits<float>::max());
    }
    return set;
  }

 private:
  /// Random pairs with a depth in [least, most], ascending by A. In a simulation, pairs touch or
  /// nearly touch.
  std::vector<Pair> draw_pairs(const SceneColumns<D, T>& scene, std::int32_t first_a,
                               std::int32_t first_b, std::size_t each, std::size_t count,
                               double least, double most) {
    CollideOptions options;
    options.margin = std::max(-least, 0.0);
    options.threads.count = 1;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    std::vector<Pair> drawn, draws(std::max(count, std::size_t{4096}));
    for (int round = 0; round < 1000 && drawn.size() < count; ++round) {
      for (Pair& draw : draws) {
        draw = {first_a + random_.below(static_cast<int>(each)),
                first_b + random_.below(static_cast<int>(each))};
      }
      collide_pairs(scene, draws, contacts, workspace, options);
      for (std::size_t i = 0; i < contacts.size() && drawn.size() < count; ++i) {
        const T depth = contacts.depth[i];
        if (depth >= static_cast<T>(least) && depth <= static_cast<T>(most)) {
          drawn.push_back(contacts.pair[i]);
        }
      }
    }
    std::sort(drawn.begin(), drawn.end(),
              [](const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return drawn;
  }

  /// Adds the geometries that the polygons share.
  void add_geometries(SceneColumns<2, T>& scene) {
    Random random(11);
    if (variant_ == Variant::large) {
      scenes::add_large_polygons(scene, 16, 0.3, 0.8, random);
    } else {
      scenes::add_small_polygons(scene, 512, 0.3, 0.8, random);
    }
  }

  void add_geometries(SceneColumns<3, T>& scene) {
    Random random(11);
    scenes::add_hulls(scene, 64, hull_vertices(variant_), 0.3, 0.8, random);
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
      case Kind::box:
      case Kind::polygon:
      case Kind::hull:
      case Kind::cylinder:
      case Kind::ellipsoid:
      case Kind::cone:
        add_turned(scene, kind, center);
        break;
      case Kind::halfspace: {
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
        break;
      }
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;
    }
  }

  T half_extent() { return static_cast<T>(random_.uniform(0.15, 0.6)); }
  template <class Table>
  void add_rounding(Table& table) {
    if (variant_ != Variant::rounded) return;
    const auto rounding = static_cast<T>(random_.uniform(0.05, 0.2));
    if constexpr (requires { table.rounding; }) {
      table.rounding.push_back({rounding});
    } else {
      table.radius.push_back({rounding});
    }
  }

  void add_turned(SceneColumns<2, T>& scene, Kind kind, const std::array<double, 2>& center) {
    const auto add_place = [&](auto& table) {
      table.center.push_back({static_cast<T>(center[0]), static_cast<T>(center[1])});
      table.turn.push_back({static_cast<T>(random_.uniform(0, 2 * std::numbers::pi))});
      add_rounding(table);
    };
    if (kind == Kind::box) {
      add_place(scene.boxes);
      const T half_x = half_extent(), half_y = half_extent();
      scene.boxes.half_extents.push_back({half_x, half_y});
    }
    if (kind == Kind::polygon) {
      add_place(scene.polygons);
      const auto geometries = static_cast<int>(scene.geometries.offsets.size()) - 1;
      scene.polygons.geometry.push_back({random_.below(geometries)});
    }
  }

  /// A uniformly distributed orientation.
  std::array<T, 4> any_turn() {
    std::array<double, 4> quaternion;
    double square = 0;
    do {
      square = 0;
      for (double& x : quaternion) {
        x = random_.uniform(-1, 1);
        square += x * x;
      }
    } while (square > 1 || square < 0.01);
    std::array<T, 4> unit;
    for (std::size_t k = 0; k < 4; ++k) unit[k] = static_cast<T>(quaternion[k] / std::sqrt(square));
    return unit;
  }

  void add_turned(SceneColumns<3, T>& scene, Kind kind, const std::array<double, 3>& center) {
    const auto add_place = [&](auto& table) {
      table.center.push_back(
          {static_cast<T>(center[0]), static_cast<T>(center[1]), static_cast<T>(center[2])});
      table.turn.push_back(any_turn());
    };
    const auto half_extents = [&] {
      std::array<T, 3> half;
      for (T& extent : half) extent = half_extent();
      return half;
    };
    const auto add_about_axis = [&](auto& table) {
      add_place(table);
      table.half_height.push_back({half_extent()});
      table.radius.push_back({half_extent()});
      add_rounding(table);
    };
    if (kind == Kind::box) {
      add_place(scene.boxes);
      scene.boxes.half_extents.push_back(half_extents());
      add_rounding(scene.boxes);
    }
    if (kind == Kind::hull) {
      add_place(scene.hulls);
      const auto geometries = static_cast<int>(scene.geometries.offsets.size()) - 1;
      scene.hulls.geometry.push_back({random_.below(geometries)});
      add_rounding(scene.hulls);
    }
    if (kind == Kind::cylinder) add_about_axis(scene.cylinders);
    if (kind == Kind::cone) add_about_axis(scene.cones);
    if (kind == Kind::ellipsoid) {
      add_place(scene.ellipsoids);
      scene.ellipsoids.half_extents.push_back(half_extents());
      add_rounding(scene.ellipsoids);
    }
  }

  Random random_{7};
  Variant variant_ = Variant::plain;
};

}  // namespace widephase::bench
