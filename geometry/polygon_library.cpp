#include "geometry/polygon_library.hpp"

#include <widephase/polygons.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "geometry/edge_normal.hpp"
#include "geometry/middle.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kPolygonsAChunk = 1024;
constexpr int kLanes = 8;

/// Marks corners so flat that a distant shape cannot tell their edges apart, and choosing the wrong
/// one is off by more than rounding. Returns whether there are some. Edges inside their owner and
/// others stay separate.
template <class T>
bool mark_flat_corners(int count, T* records) {
  constexpr int kRecord = PolygonLibrary<T>::kRecord;
  const T flat = 4 * std::sqrt(std::numeric_limits<T>::epsilon());
  bool has_flat = false;
  for (int edge = 0; edge < count; ++edge) {
    T* const record = records + edge * kRecord;
    const T* const next = records + (edge + 1 == count ? 0 : edge + 1) * kRecord;
    const T turn = record[4] * next[5] - record[5] * next[4];
    const bool is_flat =
        turn <= flat && record[4] * next[4] + record[5] * next[5] > 0 && record[6] == next[6];
    record[7] = is_flat ? T{1} : T{0};
    has_flat |= is_flat;
  }
  return has_flat;
}

template <class T>
std::array<T, 2> middle_of(const GeometryTable<Borrowed<2, T>>& polygons, std::size_t first,
                           int count) {
  std::array<T, 2> middle;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto at = [&](std::size_t v) {
      return polygons.vertices(first + v, static_cast<int>(k));
    };
    T low = at(0), high = at(0);
    for (std::size_t v = 1; v < static_cast<std::size_t>(count); ++v) {
      low = std::min(low, at(v));
      high = std::max(high, at(v));
    }
    middle[k] = middle_of_span(low, high);
  }
  return middle;
}

/// Fills the blocks and records of one polygon and returns its reach.
template <class T>
T write_polygon(const GeometryTable<Borrowed<2, T>>& polygons, std::size_t first, int count,
                const std::array<T, 2>& middle, T* blocks) {
  using Library = PolygonLibrary<T>;
  const int block_count = Library::blocks_of(count);
  T* records = blocks + block_count * Library::kBlock;
  T reach2 = 0;
  std::array<double, 2> normal{};
  for (int face = 0; face < block_count * kLanes; ++face) {
    T* const in_block = blocks + face / kLanes * Library::kBlock + face % kLanes;
    const bool is_filler = face >= count;
    const std::size_t p = first + static_cast<std::size_t>(is_filler ? count - 1 : face);
    const std::size_t q = is_filler || face + 1 == count ? first : p + 1;
    const T px = polygons.vertices(p, 0) - middle[0], py = polygons.vertices(p, 1) - middle[1];
    const T qx = polygons.vertices(q, 0) - middle[0], qy = polygons.vertices(q, 1) - middle[1];
    // In double, so that the normals of float polygons have no error but their last rounding.
    // Fillers have the last edge's.
    if (!is_filler) normal = edge_normal({px, py}, {qx, qy});
    const auto [nx, ny] = normal;
    in_block[0] = px;
    in_block[8] = py;
    in_block[16] = static_cast<T>(nx);
    in_block[24] = static_cast<T>(ny);
    in_block[32] = is_filler ? Library::kFiller : static_cast<T>(nx * double(px) + ny * double(py));
    const bool is_inner = !polygons.inner.empty() && polygons.inner(p) != 0;
    in_block[40] = is_inner && !is_filler ? Library::kNoFace : in_block[32];
    if (is_filler) continue;
    T* const record = records + face * Library::kRecord;
    record[0] = px;
    record[1] = py;
    record[2] = qx;
    record[3] = qy;
    record[4] = static_cast<T>(nx);
    record[5] = static_cast<T>(ny);
    record[6] = is_inner ? T{1} : T{0};
    const T distance2 = px * px + py * py;
    reach2 = distance2 > reach2 ? distance2 : reach2;
  }
  return std::sqrt(reach2);
}

/// The vertices of a polygon that may be the farthest along a direction of each sector, if they are
/// at most eight.
///
/// As a direction rotates, its farthest vertex moves around the polygon with it. So within a sector
/// it lies between the farthest along one side of the sector and the farthest along the other.
/// Vertices as far up to rounding along either side are included: whichever the kernels' rounding
/// picks is among them. This fails only if all of a polygon is as far up to rounding.
template <class T>
void write_sectors(int count, T reach, const T* blocks, T* sectors) {
  using Library = PolygonLibrary<T>;
  constexpr int kSectors = Library::kSectors;
  // cos and sin of 0, 22.5, 45, 67.5 and 90 degrees.
  constexpr double kCosines[] = {1, 0x1.d906bcf328d46p-1, 0x1.6a09e667f3bcdp-1,
                                 0x1.87de2a6aea963p-2, 0};
  const T* const records = blocks + Library::blocks_of(count) * Library::kBlock;
  const auto along = [&](int v, T x, T y) {
    const T* const at = blocks + v / kLanes * Library::kBlock + v % kLanes;
    return at[0] * x + at[8] * y;
  };
  const T rounding = reach * (16 * std::numeric_limits<T>::epsilon());
  // Per side of a sector, counter-clockwise: the first farthest vertex, and all equally far ones.
  int farthest[kSectors] = {};
  std::uint64_t as_far[kSectors];
  for (int side = 0; side < kSectors; ++side) {
    const int quadrant = side / 4, step = side % 4;
    const T c = static_cast<T>(kCosines[step]), s = static_cast<T>(kCosines[4 - step]);
    const T x = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
    const T y = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
    T heights[kMostPolygonVertices];
    T most = std::numeric_limits<T>::lowest();
    for (int v = 0; v < count; ++v) {
      heights[v] = along(v, x, y);
      if (heights[v] > most) {
        most = heights[v];
        farthest[side] = v;
      }
    }
    as_far[side] = std::uint64_t{1} << farthest[side];
    for (int v = 0; v < count; ++v) {
      if (heights[v] >= most - rounding) as_far[side] |= std::uint64_t{1} << v;
    }
  }
  T area = 0;  // twice as much, and more of a polygon that is not a sliver than its rounding
  for (int v = 0; v < count; ++v) {
    const T* const record = records + v * Library::kRecord;
    area += record[0] * record[3] - record[1] * record[2];
  }
  const bool is_sliver = !(area > 8 * rounding * reach);
  for (int sector = 0; sector < kSectors; ++sector) {
    const int next = (sector + 1) % kSectors;
    std::uint64_t candidates = as_far[sector] | as_far[next];
    for (int v = farthest[sector]; v != farthest[next]; v = v + 1 == count ? 0 : v + 1) {
      candidates |= std::uint64_t{1} << v;
    }
    const bool are_few = !is_sliver && std::popcount(candidates) <= kLanes;
    const int quadrant = sector / 4, step = quadrant % 2 == 0 ? sector % 4 : 3 - sector % 4;
    const int number = (quadrant >= 2 ? 8 : 0) + (quadrant == 1 || quadrant == 2 ? 4 : 0) +
                       (step >= 2 ? 2 : 0) + (step == 1 || step == 2 ? 1 : 0);
    T* const to = sectors + number * Library::kSector;
    for (int k = 0; k < kLanes; ++k) {
      const int v = std::countr_zero(candidates);
      const T* const at = blocks + v / kLanes * Library::kBlock + v % kLanes;
      to[k] = at[0];
      to[k + 8] = at[8];
      to[k + 16] = are_few ? static_cast<T>(v) : T{-1};
      // Repeat the last one.
      if ((candidates & (candidates - 1)) != 0) candidates &= candidates - 1;
    }
  }
}

}  // namespace

template <class T>
void PolygonLibrary<T>::update(const GeometryTable<Borrowed<2, T>>& polygons,
                               const Threads& threads) {
  const std::size_t count = polygons.offsets.empty() ? 0 : polygons.offsets.size() - 1;
  place.resize_uninitialized(count);
  vertex_count.resize_uninitialized(count);
  has_flat.resize_uninitialized(count);
  has_inner.resize_uninitialized(count);
  reach.resize_uninitialized(count);
  middle.resize_uninitialized(count);
  has_any_inner = has_any_large = false;
  std::int64_t end = 0;
  for (std::size_t geometry = 0; geometry < count; ++geometry) {
    const auto vertices =
        static_cast<int>(polygons.offsets(geometry + 1) - polygons.offsets(geometry));
    place[geometry] = static_cast<std::int32_t>(end);
    vertex_count[geometry] = vertices;
    has_inner[geometry] = 0;
    for (std::int64_t v = polygons.offsets(geometry);
         !polygons.inner.empty() && v < polygons.offsets(geometry + 1); ++v) {
      has_inner[geometry] |= polygons.inner(static_cast<std::size_t>(v));
    }
    has_any_inner |= has_inner[geometry] != 0;
    has_any_large |= vertices > kBlockVertices;
    end += blocks_of(vertices) * (kBlock / kRecord) + vertices;
    if (vertices >= kLeastWithSectors) end += kSectors * kSector / kRecord;
    if (end > std::numeric_limits<std::int32_t>::max()) {
      throw Error("the scene's polygons have too many vertices; split it into several calls");
    }
  }
  numbers.resize_uninitialized(static_cast<std::size_t>(end) * kRecord);
  geometry_numbers_ = numbers.size();
  has_middles = false;
  bool* const flag = &has_middles;
  for_chunks(threads, (count + kPolygonsAChunk - 1) / kPolygonsAChunk, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kPolygonsAChunk;
    const std::size_t stop = begin + kPolygonsAChunk < count ? begin + kPolygonsAChunk : count;
    for (std::size_t g = begin; g < stop; ++g) {
      const int vertices = vertex_count[g];
      T* const blocks = numbers.plane() + std::ptrdiff_t{kRecord} * place[g];
      const auto first = static_cast<std::size_t>(polygons.offsets(g));
      const std::array<T, 2> own = middle_of(polygons, first, vertices);
      for (int k = 0; k < 2; ++k) middle(g, k) = own[static_cast<std::size_t>(k)];
      if (own[0] != 0 || own[1] != 0) std::atomic_ref(*flag).store(true, std::memory_order_relaxed);
      reach[g] = write_polygon(polygons, first, vertices, own, blocks);
      T* const records = blocks + blocks_of(vertices) * kBlock;
      has_flat[g] = mark_flat_corners(vertices, records) ? 1 : 0;
      if (vertices >= kLeastWithSectors) {
        write_sectors(vertices, reach[g], blocks, records + vertices * kRecord);
      }
    }
  });
}

template <class T>
std::int32_t PolygonLibrary<T>::add_records(std::int64_t records) {
  const auto begin = static_cast<std::int64_t>(numbers.size()) / kRecord;
  if (begin + records > std::numeric_limits<std::int32_t>::max()) {
    throw Error("the scene has too many outlines; split it into several calls");
  }
  numbers.resize_uninitialized(static_cast<std::size_t>(begin + records) * kRecord);
  return static_cast<std::int32_t>(begin);
}

template <class T>
void PolygonLibrary<T>::write_outline(std::int32_t at, int vertices,
                                      const std::array<std::array<T, 2>, 4>& corners) {
  constexpr T kSides[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  T* const block = numbers.plane() + std::ptrdiff_t{kRecord} * at;
  for (int v = 0; v < vertices; ++v) {
    const auto& p = corners[static_cast<std::size_t>(v)];
    const auto& q = corners[static_cast<std::size_t>(v + 1 == vertices ? 0 : v + 1)];
    T normal[2] = {0, 0};
    if (vertices == 4) {
      normal[0] = kSides[v][0];
      normal[1] = kSides[v][1];
    } else if (vertices == 2) {
      const double ex = double(q[0]) - double(p[0]), ey = double(q[1]) - double(p[1]);
      const double size = std::sqrt(ex * ex + ey * ey);
      if (size > 0) {
        normal[0] = static_cast<T>(ey / size);
        normal[1] = static_cast<T>(-ex / size);
      }
    }
    const T record[kRecord] = {p[0], p[1], q[0], q[1], normal[0], normal[1], 0, 0};
    std::copy_n(record, kRecord, block + kBlock + v * kRecord);
  }
  for (int v = 0; v < kLanes; ++v) {
    const T* const record = block + kBlock + (v < vertices ? v : vertices - 1) * kRecord;
    block[v] = record[0];
    block[v + 8] = record[1];
    block[v + 16] = record[4];
    block[v + 24] = record[5];
    block[v + 32] = v < vertices ? record[4] * record[0] + record[5] * record[1] : kFiller;
    block[v + 40] = block[v + 32];
  }
}

#define WIDEPHASE_INSTANTIATE(T) template struct PolygonLibrary<T>;
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
