#include "scene_rows.hpp"

#include <limits>

#include "large_pages.hpp"
#include "pack_rows.hpp"
#include "threads.hpp"
#include "validate_polygons.hpp"

namespace widephase {

namespace {

constexpr std::size_t kShapesAChunk = 16384;

template <int D, class T>
[[noreturn]] void throw_first_finding(const SceneSpan<D, T>& scene, double margin) {
  const std::vector<Finding> findings = validate(scene, margin);
  if (!findings.empty()) throw Error(findings.front());
  throw Error("the scene is not valid");  // the quick check is stricter than validate: a bug
}

/// Lengths that the packing relies on; rows themselves are checked while they are read.
template <int D, class T>
bool has_valid_lengths(const SceneSpan<D, T>& scene) {
  bool is_valid = true;
  for_each_table(scene, [&](const auto& table) {
    const std::size_t rows = row_count(table);
    for_each_field(table, [&](const auto& field, const auto& column) {
      if (column.size() != rows && !(field.is_optional && column.empty())) is_valid = false;
    });
  });
  return is_valid;
}

/// Brings an optional column of all tables into one by id, or empties it when no table has it.
template <int D, class T, class N, class Member>
void join_column(const SceneSpan<D, T>& scene, const SceneLayout& layout, const Threads& threads,
                 const Member& column_of, N default_value, Column<N>& joined) {
  bool is_present = false;
  for_each_table(scene, [&](const auto& table) { is_present |= !column_of(table).empty(); });
  joined.clear();
  if (!is_present) return;
  joined.resize_uninitialized(static_cast<std::size_t>(layout.shape_count()));
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    const std::size_t rows = row_count(table);
    N* const to = joined.plane() + layout.first[static_cast<int>(Table::kind)];
    const auto& column = column_of(table);
    for_chunks(threads, (rows + kShapesAChunk - 1) / kShapesAChunk, [&](std::size_t chunk) {
      const std::size_t begin = chunk * kShapesAChunk;
      const std::size_t end = begin + kShapesAChunk < rows ? begin + kShapesAChunk : rows;
      for (std::size_t i = begin; i < end; ++i) to[i] = value_or(column, i, default_value);
    });
  });
}

}  // namespace

template <int D, class T>
void SceneRows<D, T>::update(const SceneSpan<D, T>& scene, double call_margin,
                             const Threads& threads) {
  layout = layout_of(scene);
  if (!(call_margin >= 0) || !is_finite(call_margin) || !has_valid_lengths(scene)) {
    throw_first_finding(scene, call_margin);
  }
  const auto count = static_cast<std::size_t>(layout.shape_count());
  resize_scratch(bounds.min, count);
  resize_scratch(bounds.max, count);
  // Half the margin is exact unless it underflows; the margin itself is rounded upwards.
  T margin_up = static_cast<T>(call_margin);
  if (static_cast<double>(margin_up) < call_margin) {
    margin_up = std::nextafter(margin_up, std::numeric_limits<T>::infinity());
  }

  if constexpr (D == 2) {
    if (!are_valid_polygons(scene.geometries)) throw_first_finding(scene, call_margin);
    polygons.update(scene.geometries, threads);
  } else {
    if (!hulls.update(scene.geometries, threads)) throw_first_finding(scene, call_margin);
  }

  bool is_valid = true;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    const std::size_t rows_here = row_count(table);
    const int kind = static_cast<int>(Table::kind);
    rows[kind].clear();
    if (rows_here == 0) return;
    resize_scratch(rows[kind], rows_here * row_width(Table::kind, D));
    Packing<D, T> to{};
    to.rows = rows[kind].plane();
    for (int k = 0; k < D; ++k) {
      to.low[k] = bounds.min.plane(k) + layout.first[kind];
      to.high[k] = bounds.max.plane(k) + layout.first[kind];
    }
    to.half_margin = margin_up / 2;
    to.margin = &table.margin;
    to.polygons = &polygons;
    to.hulls = &hulls;
    const std::size_t chunks = (rows_here + kShapesAChunk - 1) / kShapesAChunk;
    std::uint8_t one_chunk_valid = 1;
    if (chunks == 1) {
      one_chunk_valid = pack(table, 0, rows_here, to);
      is_valid &= one_chunk_valid != 0;
    } else {
      // A flag that is only ever cleared: who clears it first does not matter.
      bool is_table_valid = true;
      bool* const flag = &is_table_valid;
      for_chunks(threads, chunks, [&, flag](std::size_t chunk) {
        const std::size_t begin = chunk * kShapesAChunk;
        const std::size_t end =
            begin + kShapesAChunk < rows_here ? begin + kShapesAChunk : rows_here;
        if (!pack(table, begin, end, to)) __atomic_store_n(flag, false, __ATOMIC_RELAXED);
      });
      is_valid &= is_table_valid;
    }
  });
  if (!is_valid) throw_first_finding(scene, call_margin);
  has_outlines_ = false;

  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.margin; }, T{0},
      margin);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.world; },
      std::int32_t{0}, world);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.owner; },
      std::int32_t{-1}, owner);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.body; },
      std::int32_t{-1}, body);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.category; },
      std::uint32_t{1}, category);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.mask; },
      ~std::uint32_t{0}, mask);
  join_column(
      scene, layout, threads, [](const auto& table) -> const auto& { return table.fixed; },
      std::uint8_t{0}, fixed);

  const auto is_tag_valid = [](const auto& column) {
    for (const auto value : column) {
      if (value < -1 || value == std::numeric_limits<std::int32_t>::max()) return false;
    }
    return true;
  };
  const auto is_margin_valid = [&] {
    for (const T value : margin) {
      if (!is_size(value)) return false;
    }
    return true;
  };
  const auto is_fixed_valid = [&] {
    for (const std::uint8_t value : fixed) {
      if (value > 1) return false;
    }
    return true;
  };
  if (!is_fixed_valid() || !is_tag_valid(world) || !is_tag_valid(owner) || !is_tag_valid(body) ||
      !is_margin_valid()) {
    throw_first_finding(scene, call_margin);
  }
  if (!scene.excluded.empty() || scene.domain.is_periodic()) {
    SceneSpan<D, T> rest;  // what the packing has not seen, without the tables' rows
    rest.domain = scene.domain;
    rest.halfspaces.normal = scene.halfspaces.normal;
    rest.halfspaces.offset = scene.halfspaces.offset;
    if (!validate(rest, call_margin).empty()) throw_first_finding(scene, call_margin);
    for (std::size_t row = 0; row < scene.excluded.size(); ++row) {
      for (int w = 0; w < 2; ++w) {
        const std::int32_t id = scene.excluded(row, w);
        if (id < 0 || id >= layout.shape_count()) throw_first_finding(scene, call_margin);
      }
    }
  }

  // A halfspace's plane for the broad phase: both shapes' margins and the call's above it. The
  // other shape's half of the margin is in its bounds, so only this one's is added here.
  const std::size_t halfspaces = row_count(scene.halfspaces);
  halfspace_normal.resize_uninitialized(halfspaces);
  halfspace_offset.resize_uninitialized(halfspaces);
  for (std::size_t i = 0; i < halfspaces; ++i) {
    const T* row = rows[static_cast<int>(Kind::halfspace)].plane() + i * 4;
    for (int k = 0; k < D; ++k) halfspace_normal(i, k) = row[k];
    const T raise = margin_up / 2 + value_or(scene.halfspaces.margin, i, T{0});
    const T offset = row[3] + raise;
    halfspace_offset[i] =
        raise == 0 ? offset
                   : std::nextafter(offset + std::abs(offset) * std::numeric_limits<T>::epsilon(),
                                    std::numeric_limits<T>::infinity());
  }
}

template <int D, class T>
void SceneRows<D, T>::require_outlines() {
  if (has_outlines_) return;
  if constexpr (D == 2) {
    using Corners = std::array<std::array<T, 2>, 4>;
    const auto outline = [&](Kind kind, int vertices, const auto& corners_of) {
      const int k = static_cast<int>(kind);
      const int width = row_width(kind, D);
      const auto count = static_cast<std::size_t>(layout.count(kind));
      if (count == 0) return;
      constexpr int kRow = row_width(Kind::polygon, 2);
      const int records = PolygonLibrary<T>::outline_records(vertices);
      std::int32_t place = polygons.add_records(static_cast<std::int64_t>(count) * records);
      outlines[k].resize_uninitialized(count * kRow);
      for (std::size_t i = 0; i < count; ++i, place += records) {
        const T* const row = rows[k].plane() + i * static_cast<std::size_t>(width);
        T* const to = outlines[k].plane() + i * kRow;
        to[2] = 1;
        to[3] = to[7] = 0;
        polygons.write_outline(place, vertices, corners_of(row, to));
        to[5] = number_of_bits<T>(place);
        to[6] = number_of_bits<T>(vertices);
      }
    };
    const auto put = [](T* to, T x, T y, T radius) {
      to[0] = x;
      to[1] = y;
      to[4] = radius;
    };
    outline(Kind::circle, 1, [&](const T* row, T* to) {
      put(to, row[0], row[1], row[3]);
      return Corners{};
    });
    outline(Kind::capsule, 2, [&](const T* row, T* to) {
      put(to, row[0], row[1], row[3]);
      return Corners{{{0, 0}, {row[4] - row[0], row[5] - row[1]}}};
    });
    outline(Kind::aabb, 4, [&](const T* row, T* to) {
      put(to, row[0], row[1], 0);
      const T x = row[2] - row[0], y = row[3] - row[1];
      return Corners{{{0, 0}, {x, 0}, {x, y}, {0, y}}};
    });
    outline(Kind::box, 4, [&](const T* row, T* to) {
      put(to, row[0], row[1], row[6]);
      to[2] = row[2];
      to[3] = row[3];
      const T x = row[4], y = row[5];
      return Corners{{{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
    });
  }
  has_outlines_ = true;
}

template <int D, class T>
FilterSpan SceneRows<D, T>::filters(const SceneSpan<D, T>& scene) const {
  FilterSpan span;
  span.world = world;
  span.category = category;
  span.mask = mask;
  span.owner = owner;
  span.fixed = fixed;
  span.body = body;
  span.excluded = scene.excluded;
  return span;
}

template <int D, class T>
std::size_t SceneRows<D, T>::bytes() const {
  std::size_t sum = bounds.min.bytes() + bounds.max.bytes() + polygons.bytes() + hulls.bytes() +
                    halfspace_normal.bytes() + halfspace_offset.bytes() + margin.bytes() +
                    world.bytes() + owner.bytes() + body.bytes() + category.bytes() + mask.bytes() +
                    fixed.bytes();
  for (const Column<T>& column : rows) sum += column.bytes();
  for (const Column<T>& column : outlines) sum += column.bytes();
  return sum;
}

template struct SceneRows<2, float>;
template struct SceneRows<2, double>;
template struct SceneRows<3, float>;
template struct SceneRows<3, double>;

}  // namespace widephase
