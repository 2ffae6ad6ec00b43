#include "polygon_library.hpp"

#include <algorithm>
#include <cmath>

#include "threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kPolygonsAChunk = 1024;
constexpr int kLanes = 8;

/// Marks the corners that are so flat that a shape far enough away cannot tell their edges apart,
/// and be wrong by more than rounding; whether there are some. Edges inside their owner and others
/// stay apart.
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

/// Fills the blocks and records of one polygon and answers its reach.
template <class T>
T write_polygon(const GeometryTable<Borrowed<2, T>>& polygons, std::size_t first, int count,
                T* blocks) {
  using Library = PolygonLibrary<T>;
  const int block_count = (count + kLanes - 1) / kLanes;
  T* records = blocks + block_count * Library::kBlock;
  T reach2 = 0;
  for (int face = 0; face < block_count * kLanes; ++face) {
    T* const in_block = blocks + face / kLanes * Library::kBlock + face % kLanes;
    const bool is_filler = face >= count;
    const std::size_t p = first + static_cast<std::size_t>(is_filler ? count - 1 : face);
    const std::size_t q = is_filler || face + 1 == count ? first : p + 1;
    const T px = polygons.vertices(p, 0), py = polygons.vertices(p, 1);
    const T qx = polygons.vertices(q, 0), qy = polygons.vertices(q, 1);
    // In double, so that the normals of float polygons have no error but their last rounding.
    const double ex = double(qx) - double(px), ey = double(qy) - double(py);
    const double size = std::sqrt(ex * ex + ey * ey);
    const double nx = ey / size, ny = -ex / size;
    in_block[0] = static_cast<T>(nx);
    in_block[8] = static_cast<T>(ny);
    in_block[16] = is_filler ? Library::kFiller : static_cast<T>(nx * double(px) + ny * double(py));
    in_block[24] = px;
    in_block[32] = py;
    const bool is_inner = !polygons.inner.empty() && polygons.inner(p) != 0;
    in_block[40] = is_inner && !is_filler ? Library::kNoFace : in_block[16];
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
    end += (vertices + kLanes - 1) / kLanes * (kBlock / kRecord) + vertices;
    if (end > std::numeric_limits<std::int32_t>::max()) {
      throw Error("the scene's polygons have too many vertices; split it into several calls");
    }
  }
  numbers.resize_uninitialized(static_cast<std::size_t>(end) * kRecord);
  geometry_numbers_ = numbers.size();
  for_chunks(threads, (count + kPolygonsAChunk - 1) / kPolygonsAChunk, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kPolygonsAChunk;
    const std::size_t stop = begin + kPolygonsAChunk < count ? begin + kPolygonsAChunk : count;
    for (std::size_t g = begin; g < stop; ++g) {
      const int vertices = vertex_count[g];
      T* const blocks = numbers.plane() + std::ptrdiff_t{kRecord} * place[g];
      reach[g] =
          write_polygon(polygons, static_cast<std::size_t>(polygons.offsets(g)), vertices, blocks);
      T* const records = blocks + (vertices + kLanes - 1) / kLanes * kBlock;
      has_flat[g] = mark_flat_corners(vertices, records) ? 1 : 0;
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
  for (int v = 0; v < kLanes; ++v) {
    const int from = v < vertices ? v : vertices - 1;
    const auto& p = corners[static_cast<std::size_t>(from)];
    const auto& q = corners[static_cast<std::size_t>(from + 1 == vertices ? 0 : from + 1)];
    const double ex = double(q[0]) - double(p[0]), ey = double(q[1]) - double(p[1]);
    const double size = std::sqrt(ex * ex + ey * ey);
    T normal[2] = {0, 0};
    if (vertices == 4) {
      normal[0] = kSides[from][0];
      normal[1] = kSides[from][1];
    } else if (size > 0) {
      normal[0] = static_cast<T>(ey / size);
      normal[1] = static_cast<T>(-ex / size);
    }
    block[v] = normal[0];
    block[v + 8] = normal[1];
    block[v + 16] = v < vertices ? normal[0] * p[0] + normal[1] * p[1] : kFiller;
    block[v + 24] = p[0];
    block[v + 32] = p[1];
    block[v + 40] = block[v + 16];
    if (v >= vertices) continue;
    const T record[kRecord] = {p[0], p[1], q[0], q[1], normal[0], normal[1], 0, 0};
    std::copy_n(record, kRecord, block + kBlock + v * kRecord);
  }
}

template struct PolygonLibrary<float>;
template struct PolygonLibrary<double>;

}  // namespace widephase
