#pragma once

// A step's contacts as lists for `PairMatch`, which find their contacts and points of the step
// before.

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>

#include "pipeline/steps/pair_chains.hpp"
#include "pipeline/steps/place_match.hpp"
#include "soa/mirrored_feature.hpp"

namespace widephase {

/// Features are told apart within a manifold; were one there twice, each would be named once.
inline void match_points(const std::uint32_t* own, std::int64_t count, const std::uint32_t* others,
                         std::uint32_t other_first, std::uint32_t other_count, bool is_swapped,
                         std::int64_t* to) {
  std::uint32_t is_left = (1u << other_count) - 1;
  for (std::int64_t p = 0; p < count; ++p) {
    const std::uint32_t feature = is_swapped ? mirrored_feature(own[p]) : own[p];
    std::uint32_t alike = 0;
    for (std::uint32_t other = 0; other < other_count; ++other) {
      alike |= (others[other_first + other] == feature ? 1u : 0u) << other;
    }
    alike &= is_left;
    is_left &= ~(alike & (0 - alike));
    to[p] = alike == 0 ? -1 : std::int64_t{other_first} + std::countr_zero(alike);
  }
}

/// A pair by last step's ids, -1 for both if it did not have both shapes.
inline Pair by_last_ids(const StepMatch& last_of_now, Pair pair) {
  if (last_of_now.is_identity()) return pair;
  const Pair ids{last_of_now(pair.a), last_of_now(pair.b)};
  return ids.a < 0 || ids.b < 0 ? Pair{-1, -1} : ids;
}

/// Contacts, for `PairMatch`, of pairs that each occur once.
struct OwnContactList {
  static constexpr bool kIsUnique = true;
  const StepMatch& last_of_now;
  const Pair* pair;
  const std::int64_t* offset;
  const std::uint32_t* feature;
  const PairLink* last_links;
  const std::uint32_t* last_source;
  const std::uint32_t* last_feature;
  std::uint32_t* kept_feature;
  std::uint8_t* has_gone_on;
  std::int64_t* last_contact;
  std::int64_t* last_point;

  bool enter(std::size_t) const { return true; }
  Pair skipped(std::size_t) const { return kNoIds; }
  void leave(std::size_t begin, std::size_t end) const {
    std::copy(feature + offset[begin], feature + offset[end], kept_feature + offset[begin]);
  }
  Pair pair_at(std::size_t i) const { return pair[i]; }
  std::uint32_t tag_at(std::size_t i) const { return static_cast<std::uint32_t>(offset[i]); }
  Pair asked(Pair of_now) const { return by_last_ids(last_of_now, of_now); }
  std::uint32_t source_at(std::uint32_t i) const { return i; }
  std::uint32_t last_source_at(std::uint32_t i) const {
    return last_source == nullptr ? i : last_source[i];
  }
  void take(std::size_t i, std::uint32_t before) const {
    const std::int64_t begin = offset[i], count = offset[i + 1] - begin;
    std::int64_t* const to = last_point + begin;
    if (before == kNoPair) {
      last_contact[i] = -1;
      std::fill_n(to, count, std::int64_t{-1});
      return;
    }
    const PairLink link = last_links[before];
    const std::uint32_t last_count = last_links[before + 1].tag - link.tag;
    const bool is_swapped = asked(pair[i]).a != link.pair.a;
    last_contact[i] = std::int64_t{before};
    std::atomic_ref(has_gone_on[before]).store(1, std::memory_order_relaxed);
    if (count == 1 && last_count == 1) {
      const std::uint32_t own = is_swapped ? mirrored_feature(feature[begin]) : feature[begin];
      *to = last_feature[link.tag] == own ? std::int64_t{link.tag} : -1;
    } else {
      match_points(feature + begin, count, last_feature, link.tag, last_count, is_swapped, to);
    }
  }
};

/// The same for any pairs.
struct ContactList : OwnContactList {
  static constexpr bool kIsUnique = false;
  std::span<const Pair> pairs;
  const std::int64_t* source;
  std::uint32_t* kept_source;
  bool* is_right;

  bool enter(std::size_t i) const {
    const auto place = static_cast<std::size_t>(source[i]);
    if (place >= pairs.size() || pairs[place] != pair[i]) {
      std::atomic_ref(*is_right).store(false, std::memory_order_relaxed);
      return false;
    }
    kept_source[i] = static_cast<std::uint32_t>(place);
    return true;
  }
  std::uint32_t source_at(std::uint32_t i) const { return static_cast<std::uint32_t>(source[i]); }
};

/// Borrows a `PlaceMatch`, whose type matters to no loop, or none.
class AnyPlaceMatch {
 public:
  AnyPlaceMatch() = default;
  template <int D, class T>
  explicit AnyPlaceMatch(const PlaceMatch<D, T>& match)
      : match_(&match),
        call_([](const void* self, std::size_t contact, PairLink link, bool is_swapped,
                 PointsLeft left, std::int64_t* to) {
          (*static_cast<const PlaceMatch<D, T>*>(self))(contact, link, is_swapped, left, to);
        }) {}

  bool is_wanted() const { return match_ != nullptr; }
  void operator()(std::size_t contact, PairLink link, bool is_swapped, PointsLeft left,
                  std::int64_t* to) const {
    if (left.now != 0 && left.last != 0) call_(match_, contact, link, is_swapped, left, to);
  }

 private:
  const void* match_ = nullptr;
  void (*call_)(const void* match, std::size_t contact, PairLink link, bool is_swapped,
                PointsLeft left, std::int64_t* to) = nullptr;
};

/// Either of these, with points matched by place after features. A separate type, so that the loop
/// without it stays as fast.
template <class List>
struct PlacedList : List {
  AnyPlaceMatch by_place;

  void take(std::size_t i, std::uint32_t before) const {
    List::take(i, before);
    if (before == kNoPair) return;
    const PairLink link = this->last_links[before];
    const std::uint32_t last_count = this->last_links[before + 1].tag - link.tag;
    std::int64_t* const to = this->last_point + this->offset[i];
    const auto count = static_cast<std::uint32_t>(this->offset[i + 1] - this->offset[i]);
    PointsLeft left{0, (1u << last_count) - 1};
    for (std::uint32_t p = 0; p < count; ++p) {
      left.now |= (to[p] < 0 ? 1u : 0u) << p;
      left.last &= ~(to[p] < 0 ? 0u : 1u << (to[p] - std::int64_t{link.tag}));
    }
    by_place(i, link, this->asked(this->pair[i]).a != link.pair.a, left, to);
  }
};

}  // namespace widephase
