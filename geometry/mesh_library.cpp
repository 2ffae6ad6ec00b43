#include "geometry/mesh_library.hpp"

#include <algorithm>
#include <atomic>

#include "geometry/mesh_links.hpp"
#include "geometry/validate_meshes.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kMeshesAChunk = 16, kRowsAChunk = 16384;
/// Meshes of so many triangles are read one after the other, each by all threads.
constexpr std::int64_t kManyTriangles = 16384;
/// A tree is built anew when its lowest tiles have become this much larger than they were, as
/// compared with the triangles.
constexpr double kMostGrowth = 1.5;

/// Where arrays begin in a piece of memory, each at a cache line.
class Layout {
 public:
  template <class Number>
  std::size_t add(std::size_t count) {
    const std::size_t begin = bytes_;
    bytes_ = (bytes_ + count * sizeof(Number) + 63) / 64 * 64;
    return begin;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// How many triangles of a mesh are not beyond its borders.
template <class T>
std::int32_t own_triangles(const MeshTable<Borrowed<3, T>>& table, std::size_t m) {
  const std::int32_t beyond = table.beyond.empty() ? 0 : table.beyond(m);
  return static_cast<std::int32_t>(table.triangle_offsets(m + 1) - table.triangle_offsets(m) -
                                   beyond);
}

/// `op(row)` for each row of a few thousand at a time; false once one is false.
template <class Op>
bool holds_for_all(std::size_t count, const Threads& threads, const Op& op) {
  bool holds = true;
  bool* const flag = &holds;
  for_chunks(threads, (count + kRowsAChunk - 1) / kRowsAChunk, [&, flag](std::size_t chunk) {
    if (!std::atomic_ref(*flag).load(std::memory_order_relaxed)) return;
    const std::size_t end = std::min(count, (chunk + 1) * kRowsAChunk);
    bool all = true;
    for (std::size_t row = chunk * kRowsAChunk; row < end; ++row) all &= op(row);
    if (!all) std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
  });
  return holds;
}

}  // namespace

template <class T>
auto MeshLibrary<T>::change_of(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                               const Threads& threads) const -> Change {
  const MeshView<T>& view = views_[m];
  const auto first_vertex = static_cast<std::size_t>(table.vertex_offsets(m));
  const auto first_triangle = static_cast<std::size_t>(table.triangle_offsets(m));
  const std::int64_t vertices = table.vertex_offsets(m + 1) - table.vertex_offsets(m);
  const std::int64_t triangles = table.triangle_offsets(m + 1) - table.triangle_offsets(m);
  if (meshes_[m].memory.empty() || vertices != meshes_[m].given_vertices ||
      triangles != view.triangle_count || view.own_count != own_triangles(table, m)) {
    return Change::all;
  }
  const auto are_finite = [&] {
    return holds_for_all(static_cast<std::size_t>(vertices), threads, [&](std::size_t v) {
      bool is_finite = true;
      for (int k = 0; k < 3; ++k) {
        const T at = table.vertices(first_vertex + v, k);
        is_finite &= at - at == 0;
      }
      return is_finite;
    });
  };
  if (has_its_corners(table, m, threads)) {
    return meshes_[m].uses_all_vertices || are_finite() ? Change::none : Change::all;
  }
  const bool are_in =
      holds_for_all(static_cast<std::size_t>(triangles), threads, [&](std::size_t t) {
        bool is_in = true;
        for (int c = 0; c < 3; ++c) {
          const std::int32_t vertex = table.indices(first_triangle + t, c);
          is_in &= vertex >= 0 && vertex < vertices;
        }
        return is_in;
      });
  return are_in && are_finite() ? Change::vertices : Change::all;
}

template <class T>
bool MeshLibrary<T>::has_its_corners(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                                     const Threads& threads) const {
  const MeshView<T>& view = views_[m];
  const auto first_vertex = static_cast<std::size_t>(table.vertex_offsets(m));
  const auto first_triangle = static_cast<std::size_t>(table.triangle_offsets(m));
  const std::int64_t vertices = table.vertex_offsets(m + 1) - table.vertex_offsets(m);
  return holds_for_all(static_cast<std::size_t>(view.triangle_count), threads, [&](std::size_t t) {
    bool is_same = true;
    for (int c = 0; c < 3; ++c) {
      const T* const at = view.positions + 3 * std::ptrdiff_t{view.corners[3 * t + c]};
      const std::int32_t vertex = table.indices(first_triangle + t, c);
      if (vertex < 0 || vertex >= vertices) return false;
      const std::size_t row = first_vertex + static_cast<std::size_t>(vertex);
      for (int k = 0; k < 3; ++k) is_same &= table.vertices(row, k) == at[k];
    }
    return is_same;
  });
}

template <class T>
bool MeshLibrary<T>::move_vertices(const MeshTable<Borrowed<3, T>>& table, std::size_t m) {
  const MeshView<T>& view = views_[m];
  const auto first_vertex = static_cast<std::size_t>(table.vertex_offsets(m));
  const auto first_triangle = static_cast<std::size_t>(table.triangle_offsets(m));
  T* const positions = const_cast<T*>(view.positions);
  // Corners that were at one place still are, and no others are: so the links are the same,
  // whatever the vertices' numbers.
  std::vector<std::uint8_t> is_written(static_cast<std::size_t>(view.vertex_count), 0);
  bool are_together = true;
  for (std::size_t t = 0; t < static_cast<std::size_t>(view.triangle_count); ++t) {
    for (int c = 0; c < 3; ++c) {
      const std::int32_t place = view.corners[3 * t + c];
      T* const at = positions + 3 * std::ptrdiff_t{place};
      const auto v = first_vertex + static_cast<std::size_t>(table.indices(first_triangle + t, c));
      if (is_written[static_cast<std::size_t>(place)] == 0) {
        is_written[static_cast<std::size_t>(place)] = 1;
        for (int k = 0; k < 3; ++k) at[k] = table.vertices(v, k) + T(0);
      } else {
        for (int k = 0; k < 3; ++k) are_together &= table.vertices(v, k) == at[k];
      }
    }
  }
  if (!are_together || !are_apart(positions, view.vertex_count)) return false;
  // Those that meet nothing still do: the others' areas are looked at with their bounds.
  for (std::size_t t = 0; t < static_cast<std::size_t>(view.triangle_count); ++t) {
    if (view.across[3 * t] != kWithoutArea) continue;
    const auto at = [&](int c) { return positions + 3 * std::ptrdiff_t{view.corners[3 * t + c]}; };
    if (has_area(at(0), at(1), at(2))) return false;
  }
  return true;
}

template <class T>
bool MeshLibrary<T>::refit(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                           const Threads& threads) {
  if (!move_vertices(table, m)) return false;
  bool have_area = true;
  MeshView<T>& beyond = meshes_[m].beyond;
  fit_tiles(beyond, const_cast<T*>(beyond.tiles), threads, &have_area);
  if (!have_area) return false;
  const TileSizes now = fit_tiles(views_[m], const_cast<T*>(views_[m].tiles), threads, &have_area);
  if (!have_area) return false;
  const TileSizes& built = meshes_[m].built;
  if (now.tiles * built.triangles > kMostGrowth * built.tiles * now.triangles) {
    build_trees(m, threads);
  }
  return true;
}

template <class T>
void MeshLibrary<T>::build(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                           const Threads& threads) {
  const auto first_vertex = static_cast<std::size_t>(table.vertex_offsets(m));
  const auto vertices = static_cast<std::size_t>(table.vertex_offsets(m + 1)) - first_vertex;
  const auto first_triangle = static_cast<std::size_t>(table.triangle_offsets(m));
  const auto triangles = static_cast<std::size_t>(table.triangle_offsets(m + 1)) - first_triangle;
  std::vector<std::int32_t> number_of(vertices);
  const std::int32_t places =
      weld_vertices(table.vertices, first_vertex, vertices, number_of.data());

  MeshView<T> view;
  view.vertex_count = places;
  view.triangle_count = static_cast<std::int32_t>(triangles);
  view.own_count = own_triangles(table, m);
  const auto tiles = static_cast<std::size_t>(
      count_tiles(view.triangle_count - view.own_count, view) + count_tiles(view.own_count, view));
  Layout layout;
  const std::size_t positions_at = layout.add<T>(3 * static_cast<std::size_t>(places));
  const std::size_t corners_at = layout.add<std::int32_t>(3 * triangles);
  const std::size_t across_at = layout.add<std::int32_t>(3 * triangles);
  const std::size_t ring_begin_at = layout.add<std::int32_t>(static_cast<std::size_t>(places) + 1);
  const std::size_t ring_at = layout.add<std::int32_t>(3 * triangles);
  const std::size_t order_at = layout.add<std::int32_t>(triangles);
  const std::size_t tiles_at = layout.add<T>(tiles * 6 * kMeshTile);
  Mesh& mesh = meshes_[m];
  views_[m] = {};  // of what is let go
  mesh.memory = Column<std::byte>();
  mesh.memory.reserve(layout.bytes());
  mesh.memory.resize_uninitialized(layout.bytes());
  const auto numbers_at = [&](std::size_t at) {
    return reinterpret_cast<std::int32_t*>(mesh.memory.plane() + at);
  };
  T* const positions = reinterpret_cast<T*>(mesh.memory.plane() + positions_at);
  std::int32_t* const corners = numbers_at(corners_at);
  mesh.given_vertices = static_cast<std::int64_t>(vertices);
  std::vector<bool> is_used(vertices, false);
  std::size_t used = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    for (int k = 0; k < 3; ++k) {
      positions[3 * std::ptrdiff_t{number_of[v]} + k] = table.vertices(first_vertex + v, k) + T(0);
    }
  }
  for (std::size_t t = 0; t < triangles; ++t) {
    for (int c = 0; c < 3; ++c) {
      const auto vertex = static_cast<std::size_t>(table.indices(first_triangle + t, c));
      corners[3 * t + c] = number_of[vertex];
      used += is_used[vertex] ? 0 : 1;
      is_used[vertex] = true;
    }
  }
  mesh.uses_all_vertices = used == vertices;
  view.positions = positions;
  view.corners = corners;
  view.across = numbers_at(across_at);
  view.ring_begin = numbers_at(ring_begin_at);
  view.ring = numbers_at(ring_at);
  view.order = numbers_at(order_at);
  view.tiles = reinterpret_cast<const T*>(mesh.memory.plane() + tiles_at);
  link_triangles(positions,
                 MeshLinks{corners, view.triangle_count, places, numbers_at(across_at),
                           numbers_at(ring_begin_at), numbers_at(ring_at)},
                 threads);
  views_[m] = view;
  build_trees(m, threads);
}

template <class T>
void MeshLibrary<T>::build_trees(std::size_t m, const Threads& threads) {
  const auto build_of = [&](std::int32_t first, std::int32_t end, MeshView<T>& view) {
    std::int32_t* const order = const_cast<std::int32_t*>(view.order);
    std::int32_t places = 0;
    for (std::int32_t t = first; t < end; ++t) {
      if (view.across[3 * std::ptrdiff_t{t}] >= kNoTriangle) order[places++] = t;
    }
    count_tiles(places, view);
    order_triangles(view, order, threads);
    return fit_tiles(view, const_cast<T*>(view.tiles), threads);
  };
  // What is beyond comes behind what is the mesh's own.
  MeshView<T> view = views_[m];
  views_[m] = {};  // if an allocation fails, the mesh is built anew
  MeshView<T> beyond = view;
  beyond.beyond = nullptr;
  meshes_[m].built = build_of(0, view.own_count, view);
  beyond.order += view.own_count;
  beyond.tiles += std::ptrdiff_t{count_tiles(view.place_count, view)} * 6 * kMeshTile;
  build_of(view.own_count, view.triangle_count, beyond);
  meshes_[m].beyond = beyond;
  views_[m] = view;
}

template <class T>
bool MeshLibrary<T>::update(const MeshTable<Borrowed<3, T>>& table, const Threads& threads) {
  const std::size_t offsets = table.vertex_offsets.size();
  if (offsets == 0 && meshes_.empty() && table.vertices.empty() && table.indices.empty() &&
      table.triangle_offsets.empty() && table.two_sided.empty() && table.beyond.empty()) {
    return true;
  }
  const auto refuse = [&] {
    meshes_.clear();
    views_.clear();
    return false;
  };
  if (wrong_mesh_layout(table)) return refuse();
  const std::size_t count = offsets == 0 ? 0 : offsets - 1;
  meshes_.resize(count);
  views_.resize(count);
  bool is_valid = true;
  bool* const flag = &is_valid;
  std::atomic<std::int64_t> builds{0}, refits{0};
  const auto read = [&, flag](std::size_t m, const Threads& own) {
    const Change change = change_of(table, m, own);
    if (change == Change::none || (change == Change::vertices && refit(table, m, own))) {
      if (change == Change::vertices) refits.fetch_add(1, std::memory_order_relaxed);
    } else if (wrong_mesh(table, m)) {
      std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
      return;
    } else {
      builds.fetch_add(1, std::memory_order_relaxed);
      build(table, m, own);
    }
    views_[m].is_two_sided = !table.two_sided.empty() && table.two_sided(m) != 0;
  };
  const auto is_large = [&](std::size_t m) {
    return table.triangle_offsets(m + 1) - table.triangle_offsets(m) >= kManyTriangles;
  };
  for_chunks(threads, (count + kMeshesAChunk - 1) / kMeshesAChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kMeshesAChunk);
    for (std::size_t m = chunk * kMeshesAChunk; m < end; ++m) {
      if (!is_large(m)) read(m, Threads{1, {}});
    }
  });
  for (std::size_t m = 0; m < count; ++m) {
    if (is_large(m)) read(m, threads);
  }
  for (std::size_t m = 0; m < count; ++m) {
    const bool has_any = is_valid && meshes_[m].beyond.place_count > 0;
    views_[m].beyond = has_any ? &meshes_[m].beyond : nullptr;
  }
  builds_ += builds;
  refits_ += refits;
  return is_valid || refuse();
}

template <class T>
std::size_t MeshLibrary<T>::bytes() const {
  std::size_t sum = meshes_.capacity() * sizeof(Mesh) + views_.capacity() * sizeof(MeshView<T>);
  for (const Mesh& mesh : meshes_) sum += mesh.memory.bytes();
  return sum;
}

#define WIDEPHASE_INSTANTIATE(T) template class MeshLibrary<T>;
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
