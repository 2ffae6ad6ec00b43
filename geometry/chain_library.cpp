#include "geometry/chain_library.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "geometry/validate_chains.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kChainsAChunk = 16;

/// The least of x and y, then the greatest.
template <class T>
struct Bounds {
  T number[4];

  /// Contains nothing.
  static Bounds none() {
    constexpr T kInfinite = std::numeric_limits<T>::infinity();
    return {{kInfinite, kInfinite, -kInfinite, -kInfinite}};
  }
  void add(const Bounds& other) {
    for (int k = 0; k < 2; ++k) {
      number[k] = std::min(number[k], other.number[k]);
      number[2 + k] = std::max(number[2 + k], other.number[2 + k]);
    }
  }
};

}  // namespace

template <class T>
bool ChainLibrary<T>::is_known(const ChainTable<Borrowed<2, T>>& table, std::size_t c) const {
  const Chain& chain = chains_[c];
  const ChainSegments segments = segments_of(table, c);
  if (!chain.is_built || static_cast<std::int64_t>(chain.given.size()) != segments.vertices ||
      chain.own_begin != segments.own_begin || chain.own_end != segments.own_end ||
      chain.is_loop != segments.is_loop) {
    return false;
  }
  bool is_same = true;
  for (std::size_t v = 0; v < chain.given.size(); ++v) {
    for (int k = 0; k < 2; ++k) {
      is_same &= chain.given(v, k) ==
                 table.vertices(static_cast<std::size_t>(segments.first_vertex) + v, k);
    }
  }
  return is_same;
}

template <class T>
void ChainLibrary<T>::build(const ChainTable<Borrowed<2, T>>& table, std::size_t c) {
  const ChainSegments segments = segments_of(table, c);
  Chain& chain = chains_[c];
  chain.is_built = false;
  chain.own_begin = segments.own_begin;
  chain.own_end = segments.own_end;
  chain.is_loop = segments.is_loop;
  const auto vertices = static_cast<std::size_t>(segments.vertices);
  chain.given.resize_uninitialized(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (int k = 0; k < 2; ++k) {
      // Without a negative zero, so that equal places have equal bits.
      chain.given(v, k) =
          table.vertices(static_cast<std::size_t>(segments.first_vertex) + v, k) + T(0);
    }
  }
  chain.positions.clear();
  chain.number.clear();
  // To the size, or they take up to twice the memory.
  const auto most = static_cast<std::size_t>(segments.segments);
  chain.positions.reserve(2 * (most + 1));
  chain.number.reserve(most);
  ChainView<T> view;
  const auto put = [&](std::size_t v) {
    for (int k = 0; k < 2; ++k) chain.positions.push_back(chain.given(v, k));
  };
  put(0);
  for (std::int64_t s = 0; s < segments.segments; ++s) {
    const auto from = static_cast<std::size_t>(s);
    const std::size_t to = from + 1 == vertices ? 0 : from + 1;
    const bool has_length =
        chain.given(from, 0) != chain.given(to, 0) || chain.given(from, 1) != chain.given(to, 1);
    if (!has_length) continue;
    const auto here = static_cast<std::int32_t>(chain.number.size());
    if (s < segments.own_begin) view.own_begin = here + 1;
    if (s < segments.own_end) view.own_end = here + 1;
    put(to);
    chain.number.push_back(static_cast<std::int32_t>(s));
  }
  const std::size_t count = chain.number.size();
  view.segment_count = static_cast<std::int32_t>(count);
  // Ends at one place are a vertex, as others.
  view.is_loop = count > 1 && chain.positions[0] == chain.positions[2 * count] &&
                 chain.positions[1] == chain.positions[2 * count + 1];
  std::vector<Bounds<T>> bounds(count);
  Bounds<T> own = Bounds<T>::none();
  for (std::size_t s = 0; s < count; ++s) {
    for (int k = 0; k < 2; ++k) {
      const T a = chain.positions[2 * s + k], b = chain.positions[2 * s + 2 + k];
      bounds[s].number[k] = std::min(a, b);
      bounds[s].number[2 + k] = std::max(a, b);
    }
    const auto number = static_cast<std::int32_t>(s);
    if (number >= view.own_begin && number < view.own_end) own.add(bounds[s]);
  }
  for (int k = 0; k < 2; ++k) {
    view.low[k] = own.number[k];
    view.high[k] = own.number[2 + k];
  }
  chain.tiles.clear();
  for (int level = 0;; ++level) {
    const std::size_t tiles = (bounds.size() + kChainTile - 1) / kChainTile;
    view.level_begin[level] = static_cast<std::int32_t>(chain.tiles.size() / kChainTileNumbers);
    view.level_count = level + 1;
    std::vector<Bounds<T>> joined(tiles, Bounds<T>::none());
    chain.tiles.resize(chain.tiles.size() + tiles * kChainTileNumbers);
    T* to = chain.tiles.data() + std::ptrdiff_t{kChainTileNumbers} * view.level_begin[level];
    for (std::size_t tile = 0; tile < tiles; ++tile, to += kChainTileNumbers) {
      for (std::size_t i = 0; i < kChainTile; ++i) {
        const std::size_t place = tile * kChainTile + i;
        const Bounds<T> of = place < bounds.size() ? bounds[place] : Bounds<T>::none();
        for (std::size_t k = 0; k < 4; ++k) to[k * kChainTile + i] = of.number[k];
        joined[tile].add(of);
      }
    }
    if (tiles <= 1) break;
    bounds.swap(joined);
  }
  view.positions = chain.positions.data();
  view.number = chain.number.data();
  view.tiles = chain.tiles.data();
  views_[c] = view;
  chain.is_built = true;
}

template <class T>
bool ChainLibrary<T>::update(const ChainTable<Borrowed<2, T>>& table, const Threads& threads) {
  const auto refuse = [&] {
    chains_.clear();
    views_.clear();
    return false;
  };
  if (wrong_chain_layout(table)) return refuse();
  const std::size_t count = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  chains_.resize(count);
  views_.resize(count);
  bool is_valid = true;
  bool* const flag = &is_valid;
  std::atomic<std::int64_t> builds{0};
  for_chunks(threads, (count + kChainsAChunk - 1) / kChainsAChunk, [&, flag](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kChainsAChunk);
    for (std::size_t c = chunk * kChainsAChunk; c < end; ++c) {
      if (!is_known(table, c)) {
        if (wrong_chain(table, c)) {
          std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
          return;
        }
        builds.fetch_add(1, std::memory_order_relaxed);
        build(table, c);
      }
      views_[c].is_two_sided = !table.two_sided.empty() && table.two_sided(c) != 0;
    }
  });
  builds_ += builds;
  return is_valid || refuse();
}

template <class T>
std::size_t ChainLibrary<T>::bytes() const {
  std::size_t sum = chains_.capacity() * sizeof(Chain) + views_.capacity() * sizeof(ChainView<T>);
  for (const Chain& chain : chains_) {
    sum += chain.given.bytes() + (chain.positions.capacity() + chain.tiles.capacity()) * sizeof(T) +
           chain.number.capacity() * sizeof(std::int32_t);
  }
  return sum;
}

#define WIDEPHASE_INSTANTIATE(T) template class ChainLibrary<T>;
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
