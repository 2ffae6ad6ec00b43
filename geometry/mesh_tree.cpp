#include "geometry/mesh_tree.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "geometry/mesh_links.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::int32_t kTilesAChunk = 512;
constexpr int kTileNumbers = 6 * kMeshTile;

/// A triangle by the middle of its bounds.
struct Middle {
  float at[3];
  std::int32_t triangle;
};

/// Places that are to become tiles of `unit` places each.
struct Range {
  std::int32_t begin, end, unit;
};

/// Puts the least of [begin, end) along an axis, of equal ones the lowest triangles, before
/// `middle`. `scratch` has room for twice as many.
///
/// Counts them in equal steps from `low` to `high`, moves those before and beyond the step that has
/// the middle, without branches that depend on them, and parts that step alone.
void part_at(Middle* begin, Middle* middle, Middle* end, int axis, float low, float high,
             Middle* scratch) {
  constexpr std::int32_t kSteps = 256;
  const auto part = [axis](Middle* from, Middle* at, Middle* to) {
    std::nth_element(from, at, to, [axis](const Middle& a, const Middle& b) {
      const float x = a.at[axis], y = b.at[axis];
      return x != y ? x < y : a.triangle < b.triangle;
    });
  };
  const std::ptrdiff_t count = end - begin;
  const float scale = static_cast<float>(kSteps) / (high - low);
  if (count < kSteps || !(scale > 0) || !(scale - scale == 0)) {
    part(begin, middle, end);
    return;
  }
  const auto step_of = [&](const Middle& from) {
    return std::min(static_cast<std::int32_t>((from.at[axis] - low) * scale), kSteps - 1);
  };
  std::ptrdiff_t sizes[kSteps] = {};
  for (const Middle* at = begin; at != end; ++at) ++sizes[step_of(*at)];
  std::ptrdiff_t before = 0;
  std::int32_t step = 0;
  while (before + sizes[step] <= middle - begin) before += sizes[step++];
  Middle* const out[3] = {begin, scratch, scratch + count};
  std::ptrdiff_t written[3] = {0, 0, 0};
  for (const Middle* at = begin; at != end; ++at) {
    const Middle here = *at;
    const std::int32_t own = step_of(here);
    const int to = (own >= step ? 1 : 0) + (own > step ? 1 : 0);
    out[to][written[to]++] = here;
  }
  Middle* const inside = begin + before;
  Middle* const beyond = std::copy_n(out[1], written[1], inside);
  std::copy_n(out[2], written[2], beyond);
  if (middle != inside) part(inside, middle, beyond);
}

/// Parts a range along its longest side at a multiple of the unit, or makes the unit smaller.
void part_range(Middle* middles, const Range& range, Middle* scratch, std::vector<Range>& parts) {
  const std::int32_t count = range.end - range.begin;
  std::int32_t unit = range.unit;
  while (unit >= count && unit > kMeshTile) unit /= kMeshTile;
  if (count <= kMeshTile) {
    std::sort(middles + range.begin, middles + range.end,
              [](const Middle& a, const Middle& b) { return a.triangle < b.triangle; });
    return;
  }
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = middles[range.begin].at[k];
  for (std::int32_t i = range.begin; i < range.end; ++i) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], middles[i].at[k]);
      high[k] = std::max(high[k], middles[i].at[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  }
  const std::int32_t units = (count + unit - 1) / unit;
  const std::int32_t middle = range.begin + (units + 1) / 2 * unit;
  part_at(middles + range.begin, middles + middle, middles + range.end, axis, low[axis], high[axis],
          scratch);
  parts.push_back({range.begin, middle, unit});
  parts.push_back({middle, range.end, unit});
}

/// Bounds of four lanes, for the vector unit; the last one is not used.
template <class T>
struct Bounds {
  T low[4], high[4];
  Bounds() {
    std::fill_n(low, 4, std::numeric_limits<T>::infinity());
    std::fill_n(high, 4, -std::numeric_limits<T>::infinity());
  }
  double half_surface() const {
    double side[3];
    for (int k = 0; k < 3; ++k)
      side[k] = static_cast<double>(high[k]) - static_cast<double>(low[k]);
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
  }
};

template <class T>
Bounds<T> triangle_bounds(const MeshView<T>& mesh, std::int32_t triangle) {
  Bounds<T> bounds;
  for (int c = 0; c < 3; ++c) {
    const T* const at =
        mesh.positions + 3 * std::ptrdiff_t{mesh.corners[3 * std::ptrdiff_t{triangle} + c]};
    for (int k = 0; k < 4; ++k) {
      bounds.low[k] = at[k] < bounds.low[k] ? at[k] : bounds.low[k];
      bounds.high[k] = at[k] > bounds.high[k] ? at[k] : bounds.high[k];
    }
  }
  return bounds;
}

template <class T>
bool has_area_at(const MeshView<T>& mesh, std::int32_t triangle) {
  const std::int32_t* const corner = mesh.corners + 3 * std::ptrdiff_t{triangle};
  const auto at = [&](int c) { return mesh.positions + 3 * std::ptrdiff_t{corner[c]}; };
  return has_area(at(0), at(1), at(2));
}

template <class T>
Bounds<T> tile_bounds(const T* tile) {
  Bounds<T> bounds;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kMeshTile; ++i) {
      bounds.low[k] = std::min(bounds.low[k], tile[k * kMeshTile + i]);
      bounds.high[k] = std::max(bounds.high[k], tile[(3 + k) * kMeshTile + i]);
    }
  }
  return bounds;
}

std::int32_t tiles_of(std::int32_t places) { return (places + kMeshTile - 1) / kMeshTile; }

}  // namespace

template <class T>
std::int32_t count_tiles(std::int32_t places, MeshView<T>& mesh) {
  mesh.place_count = places;
  mesh.level_count = 0;
  std::int32_t tiles = 0;
  for (std::int32_t count = tiles_of(places); count > 0; count = count > 1 ? tiles_of(count) : 0) {
    mesh.level_begin[mesh.level_count++] = tiles;
    tiles += count;
  }
  return tiles;
}

template <class T>
void order_triangles(const MeshView<T>& mesh, std::int32_t* order, const Threads& threads) {
  const std::int32_t count = mesh.place_count;
  if (count <= kMeshTile) return;
  std::vector<Middle> middles(static_cast<std::size_t>(count));
  // From the first corner on, so that large coordinates keep their digits.
  const T* const origin = mesh.positions + 3 * std::ptrdiff_t{mesh.corners[3 * order[0]]};
  const std::int32_t chunk_size = kTilesAChunk * kMeshTile;
  for_chunks(threads, static_cast<std::size_t>((count + chunk_size - 1) / chunk_size),
             [&](std::size_t chunk) {
               const auto begin = static_cast<std::int32_t>(chunk) * chunk_size;
               for (std::int32_t i = begin; i < std::min(count, begin + chunk_size); ++i) {
                 const Bounds<T> bounds = triangle_bounds(mesh, order[i]);
                 for (int k = 0; k < 3; ++k) {
                   const T low = bounds.low[k] - origin[k], high = bounds.high[k] - origin[k];
                   const auto middle = static_cast<float>(low + (high - low) / 2);
                   middles[i].at[k] = middle - middle == 0 ? middle : 0;  // overflow has no order
                 }
                 middles[i].triangle = order[i];
               }
             });
  std::int32_t unit = kMeshTile;
  while (unit < tiles_of(count)) unit *= kMeshTile;  // the largest below the count
  std::vector<Range> ranges{{0, count, unit}};
  while (!ranges.empty()) {
    std::vector<std::vector<Range>> parts(ranges.size());
    for_chunks(threads, ranges.size(), [&](std::size_t r) {
      // Small ranges are one task to the end.
      constexpr std::int32_t kOneTask = 4096;
      const std::int32_t size = ranges[r].end - ranges[r].begin;
      const auto scratch =
          std::make_unique_for_overwrite<Middle[]>(2 * static_cast<std::size_t>(size));
      if (size > kOneTask) {
        part_range(middles.data(), ranges[r], scratch.get(), parts[r]);
        return;
      }
      std::vector<Range> open{ranges[r]};
      while (!open.empty()) {
        const Range range = open.back();
        open.pop_back();
        part_range(middles.data(), range, scratch.get(), open);
      }
    });
    ranges.clear();
    for (const std::vector<Range>& part : parts)
      ranges.insert(ranges.end(), part.begin(), part.end());
  }
  for (std::int32_t i = 0; i < count; ++i) order[i] = middles[i].triangle;
}

template <class T>
TileSizes fit_tiles(MeshView<T>& mesh, T* tiles, const Threads& threads, bool* have_area) {
  std::fill_n(mesh.low, 3, T(0));
  std::fill_n(mesh.high, 3, T(0));
  TileSizes sizes;
  std::int32_t count = mesh.place_count;
  for (int level = 0; level < mesh.level_count; ++level) {
    const std::int32_t tile_count = tiles_of(count);
    T* const first = tiles + std::ptrdiff_t{kTileNumbers} * mesh.level_begin[level];
    const T* const below =
        level == 0 ? nullptr : tiles + std::ptrdiff_t{kTileNumbers} * mesh.level_begin[level - 1];
    const auto chunks = static_cast<std::size_t>((tile_count + kTilesAChunk - 1) / kTilesAChunk);
    std::vector<TileSizes> sums(chunks);
    std::vector<std::uint8_t> has_flat(chunks, 0);
    const bool asks = level == 0 && have_area != nullptr;
    for_chunks(threads, chunks, [&](std::size_t chunk) {
      const auto begin = static_cast<std::int32_t>(chunk) * kTilesAChunk;
      for (std::int32_t n = begin; n < std::min(tile_count, begin + kTilesAChunk); ++n) {
        T* const tile = first + std::ptrdiff_t{kTileNumbers} * n;
        for (std::int32_t i = 0; i < kMeshTile; ++i) {
          const std::int32_t place = n * kMeshTile + i;
          Bounds<T> bounds;
          if (place < count) {
            bounds = level == 0 ? triangle_bounds(mesh, mesh.order[place])
                                : tile_bounds(below + std::ptrdiff_t{kTileNumbers} * place);
            if (level == 0) sums[chunk].triangles += bounds.half_surface();
            if (asks && !has_area_at(mesh, mesh.order[place])) has_flat[chunk] = 1;
            if (level == 1) sums[chunk].tiles += bounds.half_surface();
          }
          for (int k = 0; k < 3; ++k) {
            tile[k * kMeshTile + i] = bounds.low[k];
            tile[(3 + k) * kMeshTile + i] = bounds.high[k];
          }
        }
      }
    });
    for (const TileSizes& sum : sums) {
      sizes.triangles += sum.triangles;
      sizes.tiles += sum.tiles;
    }
    if (asks) *have_area = std::find(has_flat.begin(), has_flat.end(), 1) == has_flat.end();
    count = tile_count;
  }
  if (mesh.level_count > 0) {
    const Bounds<T> all =
        tile_bounds(tiles + std::ptrdiff_t{kTileNumbers} * mesh.level_begin[mesh.level_count - 1]);
    std::copy_n(all.low, 3, mesh.low);
    std::copy_n(all.high, 3, mesh.high);
  }
  return sizes;
}

#define WIDEPHASE_INSTANTIATE(T)                                                    \
  template std::int32_t count_tiles(std::int32_t, MeshView<T>&);                    \
  template void order_triangles(const MeshView<T>&, std::int32_t*, const Threads&); \
  template TileSizes fit_tiles(MeshView<T>&, T*, const Threads&, bool*);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
