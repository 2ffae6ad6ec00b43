#include "geometry/mesh_links.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "soa/instantiate.hpp"
#include "soa/mesh_view.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kRowsAChunk = 16384;

template <class T>
struct Place {
  T at[3];
  friend bool operator==(const Place&, const Place&) = default;
};

template <class T>
std::uint64_t hash_of(const Place<T>& place) {
  std::uint64_t hash = 0;
  for (const T value : place.at) {
    std::uint64_t bits = 0;
    const T even = value + T(0);  // -0 is 0
    std::memcpy(&bits, &even, sizeof even);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  hash *= 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 32;
}

/// Finds equal places among those that were given before.
template <class T>
class PlaceSet {
 public:
  explicit PlaceSet(std::size_t count)
      : mask_(std::bit_ceil(std::max<std::size_t>(2 * count, 16)) - 1), slots_(mask_ + 1, -1) {}

  /// The first of the equal places, by `place_of(number)`; -1 if there was none, and this one is
  /// remembered.
  template <class PlaceOf>
  std::int32_t find_or_add(std::int32_t number, const PlaceOf& place_of) {
    const Place<T> place = place_of(number);
    for (std::size_t slot = hash_of(place) & mask_;; slot = (slot + 1) & mask_) {
      if (slots_[slot] < 0) {
        slots_[slot] = number;
        return -1;
      }
      if (place_of(slots_[slot]) == place) return slots_[slot];
    }
  }

 private:
  std::size_t mask_;
  std::vector<std::int32_t> slots_;
};

/// A triangle at an edge. `third` is its other vertex, inverted if it runs from the higher vertex
/// to the lower one.
struct EdgeUse {
  std::int32_t high, third, half_edge;
  friend bool operator<(const EdgeUse& a, const EdgeUse& b) {
    if (a.high != b.high) return a.high < b.high;
    return a.third != b.third ? a.third < b.third : a.half_edge < b.half_edge;
  }
  std::int32_t triangle() const { return half_edge / 3; }
  std::int32_t other() const { return third < 0 ? ~third : third; }
};

/// The triangles at each edge, sorted: by the edge's lower vertex, then as `EdgeUse`.
class EdgeUses {
 public:
  EdgeUses(const MeshLinks& links, const std::uint8_t* is_out, const Threads& threads)
      : begin_(static_cast<std::size_t>(links.vertex_count) + 1, 0) {
    const auto for_each_edge = [&](const auto& op) {
      for (std::int32_t t = 0; t < links.triangle_count; ++t) {
        if (is_out[t] != 0) continue;
        const std::int32_t* const corner = links.corners + 3 * std::ptrdiff_t{t};
        for (int k = 0; k < 3; ++k) {
          const std::int32_t from = corner[k], to = corner[(k + 1) % 3],
                             third = corner[(k + 2) % 3];
          op(std::min(from, to),
             EdgeUse{std::max(from, to), from < to ? third : ~third, 3 * t + k});
        }
      }
    };
    for_each_edge([&](std::int32_t low, const EdgeUse&) { ++begin_[low]; });
    std::size_t sum = 0;
    for (std::size_t& begin : begin_) begin = sum += begin;
    uses_.resize(sum);
    for_each_edge([&](std::int32_t low, const EdgeUse& use) { uses_[--begin_[low]] = use; });
    for_each_vertex(threads, [&](std::int32_t low) {
      std::sort(uses_.begin() + begin_of(low), uses_.begin() + begin_of(low + 1));
    });
  }

  /// `op(first, end)` for the uses of each edge of a lower vertex.
  template <class Op>
  void for_each_edge_of(std::int32_t low, const Op& op) const {
    const EdgeUse* at = uses_.data() + begin_of(low);
    const EdgeUse* const end = uses_.data() + begin_of(low + 1);
    while (at != end) {
      const EdgeUse* next = at + 1;
      while (next != end && next->high == at->high) ++next;
      op(at, next);
      at = next;
    }
  }

  template <class Op>
  void for_each_vertex(const Threads& threads, const Op& op) const {
    const std::size_t vertices = begin_.size() - 1;
    for_chunks(threads, (vertices + kRowsAChunk - 1) / kRowsAChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(vertices, (chunk + 1) * kRowsAChunk);
      for (std::size_t v = chunk * kRowsAChunk; v < end; ++v) op(static_cast<std::int32_t>(v));
    });
  }

 private:
  std::ptrdiff_t begin_of(std::int32_t vertex) const {
    return static_cast<std::ptrdiff_t>(begin_[static_cast<std::size_t>(vertex)]);
  }

  std::vector<std::size_t> begin_;
  std::vector<EdgeUse> uses_;
};

/// Links two triangles if they alone have the edge and run it in opposite directions.
void link_edge(const EdgeUse* first, const EdgeUse* end, const std::uint8_t* is_out,
               std::int32_t* across, std::atomic<std::int64_t>& borders,
               std::atomic<std::int64_t>& flips) {
  const EdgeUse* use[2] = {nullptr, nullptr};
  int count = 0, forward = 0;
  for (const EdgeUse* at = first; at != end; ++at) {
    if (is_out[at->triangle()] != 0) continue;
    if (count < 2) use[count] = at;
    forward += at->third >= 0 ? 1 : 0;
    ++count;
  }
  if (count == 0) return;
  if (count == 2 && forward == 1) {
    across[use[0]->half_edge] = use[1]->triangle();
    across[use[1]->half_edge] = use[0]->triangle();
    return;
  }
  borders.fetch_add(1, std::memory_order_relaxed);
  if (count == 2) flips.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

template <class T>
std::int32_t weld_vertices(const ColumnSpan<T, 3>& vertices, std::size_t begin, std::size_t count,
                           std::int32_t* number_of) {
  PlaceSet<T> known(count);
  const auto place_of = [&](std::int32_t v) {
    const std::size_t row = begin + static_cast<std::size_t>(v);
    return Place<T>{{vertices(row, 0), vertices(row, 1), vertices(row, 2)}};
  };
  std::int32_t numbers = 0;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(count); ++v) {
    const std::int32_t same = known.find_or_add(v, place_of);
    number_of[v] = same < 0 ? numbers++ : number_of[same];
  }
  return numbers;
}

template <class T>
bool are_apart(const T* positions, std::int32_t count) {
  // Equal places have equal hashes. Those of a few bits at a time fit the nearest cache.
  constexpr int kBits = 8;
  constexpr std::size_t kParts = std::size_t{1} << kBits;
  const auto place_of = [&](std::int32_t v) {
    const T* const at = positions + 3 * std::ptrdiff_t{v};
    return Place<T>{{at[0], at[1], at[2]}};
  };
  struct Hashed {
    std::uint32_t hash;
    std::int32_t vertex;
  };
  std::vector<std::uint32_t> hash(static_cast<std::size_t>(count));
  std::array<std::size_t, kParts + 1> begin{};
  for (std::int32_t v = 0; v < count; ++v) {
    const std::uint64_t all = hash_of(place_of(v));
    hash[v] = static_cast<std::uint32_t>(all >> 32);
    ++begin[(hash[v] >> (32 - kBits)) + 1];
  }
  for (std::size_t part = 0; part < kParts; ++part) begin[part + 1] += begin[part];
  std::vector<Hashed> sorted(hash.size());
  std::array<std::size_t, kParts> next;
  std::copy_n(begin.begin(), kParts, next.begin());
  for (std::int32_t v = 0; v < count; ++v) {
    sorted[next[hash[v] >> (32 - kBits)]++] = {hash[v], v};
  }
  std::vector<std::int32_t> slots;
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t mask = std::bit_ceil(2 * (begin[part + 1] - begin[part]) + 1) - 1;
    slots.assign(mask + 1, -1);
    for (std::size_t i = begin[part]; i < begin[part + 1]; ++i) {
      for (std::size_t slot = sorted[i].hash & mask;; slot = (slot + 1) & mask) {
        if (slots[slot] < 0) {
          slots[slot] = static_cast<std::int32_t>(i);
          break;
        }
        const Hashed& other = sorted[static_cast<std::size_t>(slots[slot])];
        if (other.hash != sorted[i].hash) continue;
        if (place_of(other.vertex) == place_of(sorted[i].vertex)) return false;
      }
    }
  }
  return true;
}

template <class T>
MeshCounts link_triangles(const T* positions, const MeshLinks& links, const Threads& threads) {
  const auto triangles = static_cast<std::size_t>(links.triangle_count);
  std::vector<std::uint8_t> is_out(triangles, 0);
  std::atomic<std::int64_t> without_area{0}, duplicates{0}, borders{0}, flips{0};
  for_chunks(threads, (triangles + kRowsAChunk - 1) / kRowsAChunk, [&](std::size_t chunk) {
    std::int64_t found = 0;
    const std::size_t end = std::min(triangles, (chunk + 1) * kRowsAChunk);
    for (std::size_t t = chunk * kRowsAChunk; t < end; ++t) {
      const std::int32_t* const corner = links.corners + 3 * t;
      const auto at = [&](int k) { return positions + 3 * std::ptrdiff_t{corner[k]}; };
      if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0] &&
          has_area(at(0), at(1), at(2))) {
        continue;
      }
      is_out[t] = 1;
      ++found;
    }
    without_area.fetch_add(found, std::memory_order_relaxed);
  });
  const EdgeUses uses(links, is_out.data(), threads);
  // A repeated triangle is found at the edge of its two lowest vertices, so by one thread.
  uses.for_each_vertex(threads, [&](std::int32_t low) {
    uses.for_each_edge_of(low, [&](const EdgeUse* first, const EdgeUse* end) {
      for (const EdgeUse* at = first + 1; at < end; ++at) {
        if (at->third != at[-1].third || at->other() < at->high) continue;
        is_out[at->triangle()] = 2;
        duplicates.fetch_add(1, std::memory_order_relaxed);
      }
    });
  });
  for (std::size_t t = 0; t < triangles; ++t) {
    constexpr std::int32_t kAcross[] = {kNoTriangle, kWithoutArea, kRepeated};
    std::fill_n(links.across + 3 * t, 3, kAcross[is_out[t]]);
  }
  uses.for_each_vertex(threads, [&](std::int32_t low) {
    uses.for_each_edge_of(low, [&](const EdgeUse* first, const EdgeUse* end) {
      link_edge(first, end, is_out.data(), links.across, borders, flips);
    });
  });
  // Rings, by counting.
  std::fill_n(links.ring_begin, links.vertex_count + 1, 0);
  const auto for_each_corner = [&](const auto& op) {
    for (std::size_t t = triangles; t-- > 0;) {
      if (is_out[t] != 0) continue;
      for (int k = 0; k < 3; ++k) op(links.corners[3 * t + k], static_cast<std::int32_t>(t));
    }
  };
  for_each_corner([&](std::int32_t v, std::int32_t) { ++links.ring_begin[v]; });
  std::int32_t sum = 0;
  for (std::int32_t v = 0; v <= links.vertex_count; ++v) {
    links.ring_begin[v] = sum += links.ring_begin[v];
  }
  for_each_corner([&](std::int32_t v, std::int32_t t) { links.ring[--links.ring_begin[v]] = t; });
  return {without_area, duplicates, borders, flips};
}

#define WIDEPHASE_INSTANTIATE(T)                                                         \
  template std::int32_t weld_vertices(const ColumnSpan<T, 3>&, std::size_t, std::size_t, \
                                      std::int32_t*);                                    \
  template bool are_apart(const T*, std::int32_t);                                       \
  template MeshCounts link_triangles(const T*, const MeshLinks&, const Threads&);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
