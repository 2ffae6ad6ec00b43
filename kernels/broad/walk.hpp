#pragma once

// The walk: from pairs of tiles of one level to the pairs of lanes that meet. These are pairs of
// tiles of the level below or, at the leaves, the result. No branch depends on a hit.
//
// Between two different tiles, only lanes that meet the other tile's box matter. The tile with
// fewer of them provides singles; each is tested against the other tile. The singles are queued
// first and then tested in one loop, so neither loop's length depends on the last pair.

#include "kernels/broad/tiles.hpp"

namespace widephase {
namespace {

// How many pairs ahead the second tile is prefetched.
inline constexpr std::size_t kPairsAhead = 12;

// Notes those of a single's hits, which begin at `found`, that overlap by no more than the slack.
template <int D>
WIDEPHASE_INLINE void note_unsure(const TileLanes<D>& others, const float* box, std::uint32_t bits,
                                  std::size_t found, UnsurePairs& unsure) {
  if (unsure.count > kMostUnsure) return;
  float inner[kTileFloats<D>];
  for (int d = 0; d < D; ++d) {
    inner[d * kTileLanes] = box[d * kTileLanes] + unsure.slack;
    inner[(D + d) * kTileLanes] = box[(D + d) * kTileLanes] - unsure.slack;
  }
  for (std::uint32_t left = bits & ~meets<D>(others, inner); left != 0; left &= left - 1) {
    const std::uint32_t before = bits & ((left & (0 - left)) - 1);
    if (unsure.count < kMostUnsure) {
      unsure.at[unsure.count] =
          static_cast<std::uint32_t>(found) + static_cast<std::uint32_t>(bit_count(before));
    }
    ++unsure.count;
  }
}

template <int D, bool kWithIds, bool kNotesUnsure>
WIDEPHASE_INLINE std::size_t walk_block(const WalkLevel& level, const Pair* list, std::size_t count,
                                        Pair* out, UnsurePairs* unsure) {
  alignas(64) std::int32_t singles[kBlockPairs * kTileLanes + kTileLanes];
  alignas(64) std::uint32_t metas[kBlockPairs * kTileLanes + kTileLanes];
  std::size_t queued = 0;
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t a = list[k].a;
    const std::int32_t b = list[k].b;
    // If the list is in spatial order, the other side is already in a cache.
    const std::size_t ahead = k + kPairsAhead < count ? k + kPairsAhead : k;
    const float* const next = tile_at<D>(level.tiles[1], list[ahead].b);
    for (int line = 0; line < 2 * D; ++line) __builtin_prefetch(next + line * kTileLanes);
    if constexpr (kWithIds) {
      __builtin_prefetch(level.ids[1] + static_cast<std::size_t>(list[ahead].b) * kTileLanes);
    }
    const TileLanes<D> tile_b(tile_at<D>(level.tiles[1], b));
    if (level.is_self && a == b) {
      const float* const boxes = tile_at<D>(level.tiles[1], b);
      const std::uint32_t above = level.with_itself ? 0xFFFFu : 0xFFFEu;
      for (int i = 0; i < kTileLanes; ++i) {
        const std::uint32_t bits = meets<D>(tile_b, boxes + i) & above << i;
        if constexpr (kNotesUnsure) note_unsure<D>(tile_b, boxes + i, bits, found, *unsure);
        if constexpr (kWithIds) {
          const std::int32_t* const ids = level.ids[1] + static_cast<std::size_t>(b) * kTileLanes;
          found += static_cast<std::size_t>(emit_ids(out + found, bits, ids[i], ids));
        } else {
          found += static_cast<std::size_t>(
              emit_lanes(out + found, bits, true, b * kTileLanes + i, b * kTileLanes));
        }
      }
      continue;
    }
    const TileLanes<D> tile_a(tile_at<D>(level.tiles[0], a));
    const std::uint32_t lanes_a = meets<D>(tile_a, lane_box<D>(level.parents[1], b));
    const std::uint32_t lanes_b = meets<D>(tile_b, lane_box<D>(level.parents[0], a));
    // If one side has no such lane, it is the side with fewer, and nothing is queued.
    const bool is_from_a = bit_count(lanes_a) <= bit_count(lanes_b);
    const std::uint32_t side = is_from_a ? 0u : 1u;
    const std::uint32_t meta =
        static_cast<std::uint32_t>(k) | side << 6 | (is_from_a ? lanes_b : lanes_a) << 16;
    queued += static_cast<std::size_t>(queue_lanes(singles + queued, metas + queued,
                                                   is_from_a ? lanes_a : lanes_b,
                                                   (is_from_a ? a : b) * kTileLanes, meta));
  }
  for (std::size_t q = 0; q < queued; ++q) {
    const std::uint32_t meta = metas[q];
    const std::uint32_t side = meta >> 6 & 1;
    const Pair& pair = list[meta & 63];
    const std::int32_t tile = side == 0 ? pair.b : pair.a;
    const std::int32_t single = singles[q];
    const TileLanes<D> others(tile_at<D>(level.tiles[1 - side], tile));
    const float* const box = lane_box<D>(level.tiles[side], single);
    const std::uint32_t bits = meets<D>(others, box) & meta >> 16;
    if constexpr (kNotesUnsure) note_unsure<D>(others, box, bits, found, *unsure);
    if constexpr (kWithIds) {
      found += static_cast<std::size_t>(
          emit_ids(out + found, bits, level.ids[side][static_cast<std::uint32_t>(single)],
                   level.ids[1 - side] +
                       static_cast<std::size_t>(static_cast<std::uint32_t>(tile)) * kTileLanes));
    } else {
      found += static_cast<std::size_t>(
          emit_lanes(out + found, bits, side == 0, single, tile * kTileLanes));
    }
  }
  return found;
}

template <int D>
std::size_t walk(const WalkLevel& level, const Pair* list, std::size_t count, Pair* out,
                 UnsurePairs* unsure) {
  if (unsure != nullptr) return walk_block<D, true, true>(level, list, count, out, unsure);
  return level.ids[0] != nullptr ? walk_block<D, true, false>(level, list, count, out, nullptr)
                                 : walk_block<D, false, false>(level, list, count, out, nullptr);
}

// For trees of different height: opens the taller one until the heights are equal.
template <int D>
std::size_t descend(const WalkLevel& level, int side, const Pair* list, std::size_t count,
                    Pair* out) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t opened = side == 0 ? list[k].a : list[k].b;
    const std::int32_t kept = side == 0 ? list[k].b : list[k].a;
    const Pair& ahead = list[k + kPairsAhead < count ? k + kPairsAhead : k];
    const float* const next = tile_at<D>(level.tiles[side], side == 0 ? ahead.a : ahead.b);
    for (int line = 0; line < 2 * D; ++line) __builtin_prefetch(next + line * kTileLanes);
    const TileLanes<D> lanes(tile_at<D>(level.tiles[side], opened));
    const std::uint32_t bits = meets<D>(lanes, lane_box<D>(level.parents[1 - side], kept));
    found += static_cast<std::size_t>(
        emit_lanes(out + found, bits, side == 1, kept, opened * kTileLanes));
  }
  return found;
}

// The error of n . p as a share of the sum of |terms|: D products and sums, a normal rounded to
// float, and a reserve.
inline constexpr float kPlaneRounding = 0x1p-21f;

// Bit i: the corner of box i that is lowest along the normal is in the solid, or may be.
template <int D>
WIDEPHASE_INLINE std::uint32_t reaches(const float* tile, const HalfspaceRow<D>& halfspace) {
  std::uint32_t bits = 0;
  for (int i = 0; i < kTileLanes; ++i) {
    float dot = 0;
    float size = 0;
    for (int d = 0; d < D; ++d) {
      const float normal = halfspace.normal[d];
      const float corner = tile[(normal < 0 ? D + d : d) * kTileLanes + i];
      // 0 * inf is NaN, so skip axes with normal component 0: the box may be infinite along them.
      const float term = normal == 0 ? 0.0f : normal * corner;
      dot += term;
      size += term < 0 ? -term : term;
    }
    // An infinite box may lie entirely at +inf. NaN, from a box with both signs, counts as
    // reaching.
    const bool is_apart =
        (dot - size * kPlaneRounding > halfspace.offset) | (dot == kInfinite<float>);
    const bool is_box = tile[i] <= tile[D * kTileLanes + i];
    bits |= static_cast<std::uint32_t>(!is_apart & is_box) << i;
  }
  return bits;
}

template <int D>
std::size_t halfspaces(const WalkLevel& level, const HalfspaceRow<D>* halfspaces, const Pair* list,
                       std::size_t count, Pair* out) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t tile = list[k].a;
    const std::uint32_t bits = reaches<D>(tile_at<D>(level.tiles[0], tile), halfspaces[list[k].b]);
    if (level.ids[0] != nullptr) {
      const std::int32_t* const ids =
          level.ids[0] + static_cast<std::size_t>(static_cast<std::uint32_t>(tile)) * kTileLanes;
      found += static_cast<std::size_t>(emit_ids(out + found, bits, halfspaces[list[k].b].id, ids));
    } else {
      found += static_cast<std::size_t>(
          emit_lanes(out + found, bits, false, list[k].b, tile * kTileLanes));
    }
  }
  return found;
}

}  // namespace
}  // namespace widephase
