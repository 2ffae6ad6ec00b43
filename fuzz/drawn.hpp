#pragma once

// Draws numbers and scenes from a fuzzer's bytes. Missing bytes count as 0.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <widephase/chains.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>
#include <widephase/meshes.hpp>
#include <widephase/polygons.hpp>
#include <widephase/scene.hpp>

namespace widephase::fuzz {

/// Ends the run if a promise is broken; the fuzzer then keeps the input.
inline void require(bool holds, const char* promise, const char* detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n%s\n", promise, detail);
  std::abort();
}

template <class T, int W>
bool is_finite(const Column<T, W>& column) {
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isfinite(column(i, w))) return false;
    }
  }
  return true;
}

template <class T, int W>
bool has_nan(const Column<T, W>& column) {
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (std::isnan(column(i, w))) return true;
    }
  }
  return false;
}

class Drawn {
 public:
  Drawn(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool is_empty() const { return size_ == 0; }
  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::uint64_t bits(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  /// An integer from 0 to count - 1.
  int below(int count) { return byte() % count; }
  bool flag() { return (byte() & 1) != 0; }

  /// Draws the scale of most numbers of a scene from here on.
  void draw_unit() {
    constexpr double kUnits[] = {1, 1, 1, 1, 1e-3, 1e3, 1e-6, 1e6, 1e-15, 1e15, 1e-30, 1e30};
    unit_ = kUnits[below(static_cast<int>(std::size(kUnits)))];
  }

  /// Any number: from a grid, from a small range, near an earlier number, a special one, or any
  /// bits.
  template <class T>
  T real() {
    const T value = draw_real<T>();
    last_[next_++ % last_.size()] = static_cast<double>(value);
    return value;
  }
  template <class T>
  T finite() {
    const T value = real<T>();
    return std::isfinite(value) ? value : T(0);
  }
  /// A margin or the like: 0, or any number >= 0 of float.
  double length() { return flag() ? std::abs(static_cast<double>(finite<float>())) : 0; }

 private:
  template <class T>
  T draw_real() {
    using Limits = std::numeric_limits<T>;
    const int way = byte();
    if (way < 120) return static_cast<T>(static_cast<double>(way - 60) / 4 * unit_);
    if (way < 170) {
      return static_cast<T>((static_cast<double>(bits(3)) * 0x1p-21 - 4) * unit_);
    }
    if (way < 215) {
      // An earlier number or its negative, 0 to 2 roundings above or below.
      T value = static_cast<T>(last_[static_cast<std::size_t>(way) % last_.size()]);
      const int steps = below(6);
      for (int i = 0; i < steps % 3; ++i) {
        value = std::nextafter(value, steps < 3 ? Limits::infinity() : -Limits::infinity());
      }
      return way % 5 == 0 ? -value : value;
    }
    if (way < 245) {
      const T special[] = {T(-0.0),
                           Limits::denorm_min(),
                           Limits::min(),
                           Limits::epsilon(),
                           T(1) + Limits::epsilon(),
                           std::sqrt(Limits::max()),
                           std::sqrt(Limits::min()),
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
      const T value = special[way % 10];
      return way % 3 == 0 ? -value : value;
    }
    T value;
    const std::uint64_t any = bits(sizeof(T));
    std::memcpy(&value, &any, sizeof(T));
    return value;
  }

  const std::uint8_t* data_;
  std::size_t size_;
  double unit_ = 1;
  std::array<double, 8> last_{};
  std::size_t next_ = 0;
};

template <int D, class T>
Column<T, D> draw_points(Drawn& drawn, int most, bool only_finite) {
  Column<T, D> points;
  const int count = drawn.below(most + 1);
  for (int i = 0; i < count; ++i) {
    std::array<T, D> point;
    for (T& x : point) x = only_finite ? drawn.finite<T>() : drawn.real<T>();
    points.push_back(point);
  }
  return points;
}

/// At least one geometry.
template <int D, class T>
void draw_geometries(Drawn& drawn, GeometryTable<Owned<D, T>>& table) {
  const int count = 1 + drawn.below(3);
  for (int i = 0; i < count; ++i) {
    try {
      if constexpr (D == 2) {
        switch (drawn.below(4)) {
          case 0:
            add_regular_polygon(table, 3 + drawn.below(62), std::abs(drawn.finite<T>()));
            break;
          case 1:
            add_box_polygon(table, std::abs(drawn.finite<T>()), std::abs(drawn.finite<T>()));
            break;
          default:
            add_polygon(table, draw_points<2, T>(drawn, 20, true));
        }
      } else {
        switch (drawn.below(6)) {
          case 0:
            add_box_hull(table, std::abs(drawn.finite<T>()), std::abs(drawn.finite<T>()),
                         std::abs(drawn.finite<T>()));
            break;
          case 1:
            add_cylinder_hull(table, 3 + drawn.below(16), std::abs(drawn.finite<T>()),
                              std::abs(drawn.finite<T>()));
            break;
          case 2:
            add_icosphere_hull(table, drawn.below(2), std::abs(drawn.finite<T>()));
            break;
          default:
            add_hull(table, draw_points<3, T>(drawn, 20, true));
        }
      }
    } catch (const Error&) {
      if constexpr (D == 2) {
        add_box_polygon(table, T(1), T(2));
      } else {
        add_tetrahedron_hull(table, T(1));
      }
    }
  }
}

constexpr int kFieldCount = 2;

/// Fields that are valid, or nearly so.
template <class T>
void draw_heightfields(Drawn& drawn, bool is_valid, HeightfieldTable<Owned<3, T>>& table) {
  for (int f = 0; f < kFieldCount; ++f) {
    const int columns = 2 + drawn.below(4), rows = 2 + drawn.below(4);
    Column<T> heights;
    for (int i = 0; i < rows * columns; ++i) {
      const bool is_hole = drawn.byte() % 16 == 15;
      heights.push_back(is_hole ? std::numeric_limits<T>::quiet_NaN() : drawn.finite<T>());
    }
    const T x = std::abs(drawn.finite<T>()), y = std::abs(drawn.finite<T>());
    try {
      add_heightfield(table, heights, columns, x, y);
    } catch (const Error&) {
      add_heightfield(table, heights, columns, T(1), T(0.5));
    }
    if (is_valid || drawn.byte() != 255) continue;
    switch (drawn.below(4)) {
      case 0:
        table.columns[static_cast<std::size_t>(f)] = static_cast<std::int32_t>(drawn.bits(4));
        break;
      case 1:
        table.offsets[static_cast<std::size_t>(f)] = static_cast<std::int64_t>(drawn.bits(8));
        break;
      case 2:
        table.cell(static_cast<std::size_t>(f), 0) = drawn.real<T>();
        break;
      default:
        table.heights[table.heights.size() - 1] = drawn.real<T>();
    }
  }
  if (!drawn.flag()) return;
  for (int f = 0; f < kFieldCount; ++f) {
    std::array<std::int32_t, 4> others{};
    for (std::int32_t& other : others) other = drawn.below(kFieldCount + 1) - 1;
    table.neighbours.push_back(others);
  }
}

constexpr int kMeshCount = 2;

/// Meshes that are valid, or nearly so: any triangles, of which the first has an area.
template <class T>
void draw_meshes(Drawn& drawn, bool is_valid, MeshTable<Owned<3, T>>& table) {
  for (int m = 0; m < kMeshCount; ++m) {
    const int vertices = 3 + drawn.below(6);
    Column<T, 3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    while (static_cast<int>(points.size()) < vertices) {
      points.push_back({drawn.finite<T>(), drawn.finite<T>(), drawn.finite<T>()});
    }
    Column<std::int32_t, 3> triangles{{0, 1, 2}};
    for (int t = drawn.below(12); t > 0; --t) {
      triangles.push_back({drawn.below(vertices), drawn.below(vertices), drawn.below(vertices)});
    }
    const bool two_sided = drawn.flag();
    const int beyond = drawn.flag() ? drawn.below(static_cast<int>(triangles.size())) : 0;
    add_mesh(table, points.span(), triangles.span(), two_sided, beyond);
    if (is_valid || drawn.byte() != 255) continue;
    switch (drawn.below(5)) {
      case 4:
        table.beyond.resize(static_cast<std::size_t>(m) + 1);
        table.beyond[static_cast<std::size_t>(m)] = static_cast<std::int32_t>(drawn.bits(4));
        break;
      case 0:
        table.indices(table.indices.size() - 1, 1) = static_cast<std::int32_t>(drawn.bits(4));
        break;
      case 1:
        table.triangle_offsets[static_cast<std::size_t>(m)] =
            static_cast<std::int64_t>(drawn.bits(8));
        break;
      case 2:
        table.vertex_offsets[static_cast<std::size_t>(m)] =
            static_cast<std::int64_t>(drawn.bits(8));
        break;
      default:
        table.vertices(table.vertices.size() - 1, 2) = drawn.real<T>();
    }
  }
}

/// A row of a column. It obeys the column's rule if `is_valid`, and in most cases otherwise too.
template <class T, int W>
std::array<T, W> draw_row(Drawn& drawn, Rule rule, bool is_valid, int geometry_count) {
  std::array<T, W> row{};
  if (!is_valid && drawn.byte() == 255) {
    for (T& value : row) {
      if constexpr (std::is_floating_point_v<T>) {
        value = drawn.real<T>();
      } else {
        value = static_cast<T>(drawn.bits(sizeof(T)));
      }
    }
    return row;
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (T& value : row) value = drawn.finite<T>();
    if (rule == Rule::non_negative) {
      for (T& value : row) value = std::abs(value);
    }
    if (rule == Rule::unit) {
      double largest = 0, square = 0;
      for (const T value : row) largest = std::max(largest, std::abs(static_cast<double>(value)));
      std::array<double, W> scaled{};
      for (std::size_t w = 0; largest > 0 && w < W; ++w) {
        scaled[w] = static_cast<double>(row[w]) / largest;
        square += scaled[w] * scaled[w];
      }
      for (std::size_t w = 0; w < W; ++w) {
        row[w] = static_cast<T>(square > 0 ? scaled[w] / std::sqrt(square) : w + 1 == W ? 1 : 0);
      }
    }
  } else {
    const int drawn_value = drawn.byte();
    for (T& value : row) {
      switch (rule) {
        case Rule::geometry:
          value = static_cast<T>(drawn_value % geometry_count);
          break;
        case Rule::at_least_minus_1:
          value = static_cast<T>(drawn_value % 5 - 1);
          break;
        case Rule::flag:
          value = static_cast<T>(drawn_value % 2);
          break;
        default:
          value = static_cast<T>(drawn_value);
      }
    }
  }
  return row;
}

constexpr int kChainCount = 2;

/// Chains that are valid, or nearly so: any vertices, of which the first two are apart.
template <class T>
void draw_chains(Drawn& drawn, bool is_valid, ChainTable<Owned<2, T>>& table) {
  for (int c = 0; c < kChainCount; ++c) {
    const int vertices = 2 + drawn.below(12);
    Column<T, 2> points{{0, 0}, {1, 0}};
    while (static_cast<int>(points.size()) < vertices) {
      points.push_back({drawn.finite<T>(), drawn.finite<T>()});
    }
    ChainOptions options;
    options.two_sided = drawn.flag();
    options.loop = drawn.flag();
    if (!options.loop && drawn.flag()) options.after = drawn.below(vertices - 1);
    add_chain(table, points.span(), options);
    // No chain is added to a table that is wrong.
    if (is_valid || c + 1 < kChainCount || drawn.byte() != 255) continue;
    const auto row = static_cast<std::size_t>(c);
    switch (drawn.below(4)) {
      case 0:
        table.offsets[row] = static_cast<std::int64_t>(drawn.bits(8));
        break;
      case 1:
        table.before.resize(row + 1);
        table.before[row] = static_cast<std::int32_t>(drawn.bits(4));
        break;
      case 2:
        table.loop.resize(row + 2);
        break;
      default:
        table.vertices(table.vertices.size() - 1, 0) = drawn.real<T>();
    }
  }
}

/// The place of a drawn kind among a scene's tables. Ellipsoids and cones only have the bytes from
/// 200 on, height fields those from 240 on, meshes and chains those from 248 on: others draw the
/// same kinds as when the corpus was made.
template <int D>
int draw_table(Drawn& drawn) {
  static_assert(kKindCount == 13, "a kind that is added needs bytes");
  constexpr int kFirstKinds = D == 2 ? 6 : 7;
  const int byte = drawn.byte();
  if (D == 3 && byte >= 240) return kFirstKinds + (byte >= 248 ? 3 : 2);
  if (D == 2 && byte >= 248) return kFirstKinds;
  return D == 3 && byte >= 200 ? kFirstKinds + byte % 2 : byte % kFirstKinds;
}

struct SceneDraw {
  int most_shapes = 8;
  bool is_valid = true;
  bool has_tags = false;
};

template <int D, class T>
SceneColumns<D, T> draw_scene(Drawn& drawn, const SceneDraw& how) {
  SceneColumns<D, T> scene;
  drawn.draw_unit();
  draw_geometries<D, SizeOf<T>>(drawn, scene.geometries);
  const int geometry_count = static_cast<int>(scene.geometries.offsets.size()) - 1;
  // Bits of the eight optional columns that every table has.
  const unsigned tags = how.has_tags ? drawn.byte() : 0u;
  const int shape_count = drawn.below(how.most_shapes + 1);
  for (int i = 0; i < shape_count; ++i) {
    int kind = draw_table<D>(drawn);
    for_each_table(scene, [&](auto& table) {
      if (kind-- != 0) return;
      using Table = std::remove_cvref_t<decltype(table)>;
      const int geometries = Table::kind == Kind::heightfield ? kFieldCount
                             : Table::kind == Kind::mesh      ? kMeshCount
                             : Table::kind == Kind::chain     ? kChainCount
                                                              : geometry_count;
      const auto append = [&](const Field& field, auto& column) {
        using C = std::remove_cvref_t<decltype(column)>;
        column.push_back(draw_row<typename C::value_type, C::width>(drawn, field.rule, how.is_valid,
                                                                    geometries));
      };
      Table::for_each_own(append, table);
      unsigned bit = 1;
      Table::for_each_tag(
          [&](const Field& field, auto& column) {
            if ((tags & bit) != 0) append(field, column);
            bit <<= 1;
          },
          table);
      if constexpr (Table::kind == Kind::aabb) {
        const std::size_t row = row_count(table) - 1;
        for (int k = 0; k < D && how.is_valid; ++k) {
          if (table.max(row, k) < table.min(row, k))
            std::swap(table.max(row, k), table.min(row, k));
        }
      }
    });
  }
  if constexpr (D == 2) {
    if (row_count(scene.chains) != 0) draw_chains(drawn, how.is_valid, scene.chain_geometries);
  } else {
    if (row_count(scene.meshes) != 0) {
      draw_meshes(drawn, how.is_valid, scene.mesh_geometries);
    }
    if (row_count(scene.heightfields) != 0) {
      draw_heightfields(drawn, how.is_valid, scene.heightfield_geometries);
      SceneColumns<3, T> alone;
      alone.heightfield_geometries = scene.heightfield_geometries;
      // Most fields do not fit beside one another.
      if (how.is_valid && !validate<3, T>(alone).empty()) {
        scene.heightfield_geometries.neighbours.clear();
      }
    }
  }
  return scene;
}

/// Calls `run<D, T>()` for a drawn dimension and precision.
template <class Run>
void in_a_dimension_and_precision(Drawn& drawn, const Run& run) {
  switch (drawn.below(6)) {
    case 0:
      return run.template operator()<2, float>();
    case 1:
      return run.template operator()<3, float>();
    case 2:
      return run.template operator()<2, double>();
    case 3:
      return run.template operator()<3, double>();
    case 4:
      return run.template operator()<2, Mixed>();
    default:
      return run.template operator()<3, Mixed>();
  }
}

}  // namespace widephase::fuzz
