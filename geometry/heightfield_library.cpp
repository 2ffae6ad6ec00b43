#include "geometry/heightfield_library.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "geometry/validate_heightfields.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kFieldsAChunk = 16;

template <class T>
bool is_same(const ColumnSpan<T>& given, std::size_t begin, std::size_t count, const T* known) {
  if (given.stride() == sizeof(T)) {
    return std::memcmp(given.plane() + begin, known, count * sizeof(T)) == 0;
  }
  // By bits: a hole is the same as itself.
  for (std::size_t i = 0; i < count; ++i) {
    const T value = given(begin + i);
    if (std::memcmp(&value, known + i, sizeof(T)) != 0) return false;
  }
  return true;
}

/// Copies the heights of a field and finds its range; false if one is infinite.
template <class T>
bool read_heights(const ColumnSpan<T>& given, std::size_t begin, std::size_t count, T* to,
                  HeightfieldView<T>& field) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  T low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < count; ++i) {
    const T height = given(begin + i);
    to[i] = height;
    low = height < low ? height : low;
    high = height > high ? height : high;
  }
  field.low = low;
  field.high = high;
  return low > -kInfinity && high < kInfinity;
}

/// Places of a level along a side of so many cells.
std::int64_t places_along(std::int32_t cells, int level) {
  return ((cells - 1) >> (2 * level)) + 1;
}

/// Sets the levels of a field's tree and answers how many numbers they have.
template <class T>
std::size_t set_levels(HeightfieldView<T>& field) {
  std::int64_t count = 0;
  int level = 0;
  const std::int32_t rows = field.rows - 1, columns = field.columns - 1;
  while (places_along(rows, level) * places_along(columns, level) > 1) {
    field.level_begin[++level] = static_cast<std::int32_t>(count);
    count += places_along(rows, level) * places_along(columns, level);
  }
  field.level_count = level;
  return 2 * static_cast<std::size_t>(count);
}

/// Writes the bounds of all places of a field's tree to `tiles`.
template <class T>
void find_tiles(const HeightfieldView<T>& field, T* tiles) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const std::int32_t rows = field.rows - 1, columns = field.columns - 1;
  for (int level = 1; level <= field.level_count; ++level) {
    const std::int64_t across = places_along(columns, level), along = places_along(rows, level);
    T* const to = tiles + 2 * std::ptrdiff_t{field.level_begin[level]};
    std::fill_n(to, 2 * across * along, kInfinity);
    for (std::int64_t place = 0; place < across * along; ++place) to[2 * place + 1] = -kInfinity;
    const auto add = [&](std::int64_t row, std::int64_t column, T low, T high) {
      T* const range = to + 2 * (row * across + column);
      range[0] = low < range[0] ? low : range[0];
      range[1] = high > range[1] ? high : range[1];
    };
    if (level == 1) {
      // A sample on the side of a place is the next one's too.
      for (std::int32_t row = 0; row <= rows; ++row) {
        const T* const heights = field.heights + std::ptrdiff_t{row} * field.columns;
        for (std::int32_t tile = 0; tile < across; ++tile) {
          T low = kInfinity, high = -kInfinity;
          for (std::int32_t c = 4 * tile; c <= std::min(columns, 4 * tile + 4); ++c) {
            low = heights[c] < low ? heights[c] : low;
            high = heights[c] > high ? heights[c] : high;
          }
          if (row < rows) add(row / 4, tile, low, high);
          if (row > 0 && row % 4 == 0) add(row / 4 - 1, tile, low, high);
          if (row == rows && row % 4 != 0) add(row / 4, tile, low, high);
        }
      }
      continue;
    }
    const std::int64_t below_across = places_along(columns, level - 1);
    const T* const below = tiles + 2 * std::ptrdiff_t{field.level_begin[level - 1]};
    for (std::int64_t row = 0; row < places_along(rows, level - 1); ++row) {
      for (std::int64_t column = 0; column < below_across; ++column) {
        const T* const range = below + 2 * (row * below_across + column);
        add(row / 4, column / 4, range[0], range[1]);
      }
    }
  }
}

template <class T>
bool is_same_layout(const HeightfieldTable<Borrowed<3, T>>& table, const Column<T>& heights,
                    const std::vector<HeightfieldView<T>>& fields) {
  if (table.heights.size() != heights.size() || table.columns.size() != fields.size() ||
      table.offsets.size() != (fields.empty() ? 0 : fields.size() + 1) ||
      table.cell.size() != fields.size() ||
      (!table.neighbours.empty() && table.neighbours.size() != fields.size())) {
    return false;
  }
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const HeightfieldView<T>& field = fields[f];
    const auto end = (field.heights - heights.plane()) + std::int64_t{field.rows} * field.columns;
    bool is_same = table.offsets(f + 1) == end && table.columns(f) == field.columns;
    for (int k = 0; k < 2; ++k) is_same &= table.cell(f, k) == field.cell[k];
    for (int k = 0; k < 4; ++k) {
      is_same &= (table.neighbours.empty() ? -1 : table.neighbours(f, k)) == field.neighbours[k];
    }
    if (!is_same) return false;
  }
  return fields.empty() || table.offsets(0) == 0;
}

}  // namespace

template <class T>
bool HeightfieldLibrary<T>::update(const HeightfieldTable<Borrowed<3, T>>& table,
                                   const Threads& threads) {
  const bool is_known_layout = is_same_layout(table, heights, fields);
  if (!is_known_layout) {
    fields.clear();
    heights.clear();
    tiles.clear();
    if (wrong_heightfield_layout(table)) return false;
    for (std::size_t f = 0; f < table.columns.size(); ++f) {
      if (wrong_heightfield(table, f)) return false;
    }
    heights.resize_uninitialized(table.heights.size());
    std::vector<HeightfieldView<T>> made(table.columns.size());
    std::size_t tile_numbers = 0;
    for (std::size_t f = 0; f < made.size(); ++f) {
      HeightfieldView<T>& field = made[f];
      field.heights = heights.plane() + table.offsets(f);
      field.columns = table.columns(f);
      field.rows =
          static_cast<std::int32_t>((table.offsets(f + 1) - table.offsets(f)) / field.columns);
      for (int k = 0; k < 2; ++k) field.cell[k] = table.cell(f, k);
      for (int k = 0; k < 4; ++k) {
        field.neighbours[k] = table.neighbours.empty() ? -1 : table.neighbours(f, k);
      }
      tile_numbers += set_levels(field);
    }
    tiles.resize_uninitialized(tile_numbers);
    std::size_t first_tile = 0;
    for (HeightfieldView<T>& field : made) {
      field.tiles = tiles.plane() + first_tile;
      first_tile += set_levels(field);
    }
    fields = std::move(made);  // no allocation has failed
  }
  bool is_valid = true;
  bool* const flag = &is_valid;
  const auto read = [&, flag](std::size_t f) {
    HeightfieldView<T>& field = fields[f];
    const auto begin = static_cast<std::size_t>(table.offsets(f));
    const auto count =
        static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns);
    T* const known = heights.plane() + begin;
    if (is_known_layout && is_same(table.heights, begin, count, known)) return;
    if (!read_heights(table.heights, begin, count, known, field)) {
      std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
      return;
    }
    find_tiles(field, tiles.plane() + (field.tiles - tiles.plane()));
  };
  const std::size_t chunks = (fields.size() + kFieldsAChunk - 1) / kFieldsAChunk;
  for_chunks(threads, chunks, [&](std::size_t chunk) {
    const std::size_t end = std::min(fields.size(), (chunk + 1) * kFieldsAChunk);
    for (std::size_t f = chunk * kFieldsAChunk; f < end; ++f) read(f);
  });
  if (is_valid) return true;
  fields.clear();
  heights.clear();
  tiles.clear();
  return false;
}

#define WIDEPHASE_INSTANTIATE(T) template struct HeightfieldLibrary<T>;
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
