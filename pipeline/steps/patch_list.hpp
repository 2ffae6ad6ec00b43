#pragma once

// Matches the patches that a pair with a surface has: contacts one after the other of one pair of
// the list. The first one is in the chains and finds that of the last step; then the points of all
// are matched by part and feature, whatever patch they are in, and the patches by their points.

#include <algorithm>
#include <numeric>
#include <tuple>

#include "pipeline/steps/contact_lists.hpp"

namespace widephase {

/// The names of points: part and feature of A and B.
class PartNames {
 public:
  struct Name {
    std::int32_t part_a, part_b;
    std::uint32_t feature;

    auto numbers() const { return std::tie(part_a, part_b, feature); }
    friend bool operator==(const Name& a, const Name& b) { return a.numbers() == b.numbers(); }
    friend bool operator<(const Name& a, const Name& b) { return a.numbers() < b.numbers(); }
  };

  /// Without parts, these are -1.
  PartNames(const Column<std::uint32_t>& feature, const Column<std::int32_t, 2>& part)
      : feature_(feature.plane()),
        part_a_(part.empty() ? nullptr : part.plane(0)),
        part_b_(part.empty() ? nullptr : part.plane(1)) {}

  /// `is_swapped`: with A and B the other way round.
  Name at(std::size_t point, bool is_swapped) const {
    const std::int32_t a = part_a_ == nullptr ? -1 : part_a_[point];
    const std::int32_t b = part_b_ == nullptr ? -1 : part_b_[point];
    return is_swapped ? Name{b, a, mirrored_feature(feature_[point])} : Name{a, b, feature_[point]};
  }
  /// Writes the points [begin, end) in the order of their names to places[begin] and on.
  void sort(std::size_t begin, std::size_t end, bool is_swapped, std::uint32_t* places) const {
    std::iota(places + begin, places + end, static_cast<std::uint32_t>(begin));
    std::sort(places + begin, places + end, [&](std::uint32_t p, std::uint32_t q) {
      const Name a = at(p, is_swapped), b = at(q, is_swapped);
      return a == b ? p < q : a < b;
    });
  }

 private:
  const std::uint32_t* feature_;
  const std::int32_t *part_a_, *part_b_;
};

/// What matching patches keeps beside the steps.
struct PatchScratch {
  bool are_asked = false;           ///< points of this step or the last one have parts
  bool was_found_twice = false;     ///< by two pairs: a pair of the last step
  Column<std::uint8_t> is_found;    ///< by contact of the last step: its pair was found
  Column<std::uint8_t> is_matched;  ///< by point of the last step

  void begin(std::size_t last_contacts, std::size_t last_points) {
    was_found_twice = false;
    resize_scratch(is_found, last_contacts);
    resize_scratch(is_matched, last_points);
    std::fill_n(is_found.plane(), last_contacts, std::uint8_t{0});
    std::fill_n(is_matched.plane(), last_points, std::uint8_t{0});
  }
  std::size_t bytes() const { return is_found.bytes() + is_matched.bytes(); }
};

/// A list of contacts whose pairs may have several patches each. Flags need no order: two threads
/// meet at one only if two pairs found the same of the last step, and then all are matched again.
template <class List>
struct PatchList : List {
  AnyPlaceMatch by_place;
  std::size_t contact_count;
  const std::int64_t* sources;
  PatchScratch& scratch;
  PartNames names, last_names;
  const std::uint32_t* last_by_name;
  std::uint32_t* by_name;
  const Column<std::int32_t, 2>& part;
  Column<std::int32_t, 2>& kept_part;

  /// Only the first contact of a pair is in a chain.
  bool enter(std::size_t i) const { return List::enter(i) && !continues(i); }
  Pair skipped(std::size_t i) const { return continues(i) ? this->pair[i] : kNoIds; }
  void leave(std::size_t begin, std::size_t end) const {
    List::leave(begin, end);
    for (int side = 0; !part.empty() && side < 2; ++side) {
      const std::int32_t* const from = part.plane(side);
      std::copy(from + this->offset[begin], from + this->offset[end],
                kept_part.plane(side) + this->offset[begin]);
    }
  }
  void take(std::size_t i, std::uint32_t before) const {
    const Patches now = patches_from(i);
    std::fill(this->last_contact + now.begin, this->last_contact + now.end, std::int64_t{-1});
    std::fill(this->last_point + now.first_point, this->last_point + now.end_point,
              std::int64_t{-1});
    if (before == kNoPair) return names.sort(now.first_point, now.end_point, false, by_name);
    if (std::atomic_ref(scratch.is_found[before]).exchange(1, std::memory_order_relaxed) != 0) {
      std::atomic_ref(scratch.was_found_twice).store(true, std::memory_order_relaxed);
    }
    const bool is_swapped = this->asked(this->pair[i]).a != this->last_links[before].pair.a;
    const Patches last = last_patches_from(before);
    names.sort(now.first_point, now.end_point, is_swapped, by_name);
    match_points_by_name(now, last, is_swapped);
    match_patches(now, last);
    if (by_place.is_wanted()) match_points_by_place(now, is_swapped);
    if (is_swapped) names.sort(now.first_point, now.end_point, false, by_name);
  }

 private:
  /// The contacts of a pair, and their points.
  struct Patches {
    std::size_t begin, end, first_point, end_point;
  };

  bool continues(std::size_t i) const {
    return i > 0 && this->pair[i] == this->pair[i - 1] && sources[i] == sources[i - 1];
  }
  Patches patches_from(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < contact_count && continues(end)) ++end;
    return {begin, end, static_cast<std::size_t>(this->offset[begin]),
            static_cast<std::size_t>(this->offset[end])};
  }
  /// The link behind the last contact has no pair.
  Patches last_patches_from(std::uint32_t begin) const {
    const PairLink* const links = this->last_links;
    const auto source_of = [&](std::uint32_t i) {
      return this->last_source == nullptr ? 0 : this->last_source[i];
    };
    std::uint32_t end = begin + 1;
    while (links[end].pair == links[begin].pair && source_of(end) == source_of(begin)) ++end;
    return {begin, end, links[begin].tag, links[end].tag};
  }

  /// The k-th point of a name is the k-th of the last step.
  void match_points_by_name(const Patches& now, const Patches& last, bool is_swapped) const {
    std::size_t q = last.first_point;
    for (std::size_t p = now.first_point; p < now.end_point; ++p) {
      const PartNames::Name name = names.at(by_name[p], is_swapped);
      while (q < last.end_point && last_names.at(last_by_name[q], false) < name) ++q;
      if (q == last.end_point) return;
      if (last_names.at(last_by_name[q], false) != name) continue;
      this->last_point[by_name[p]] = last_by_name[q];
      set(scratch.is_matched[last_by_name[q++]]);
    }
  }

  /// Patches with the most common points first, ties to the lower ones, each once; then those that
  /// are left, in their order.
  void match_patches(const Patches& now, const Patches& last) const {
    std::int64_t most = 0;
    for (std::size_t i = now.begin; i < now.end; ++i) {
      most = std::max(most, this->offset[i + 1] - this->offset[i]);
    }
    for (std::int64_t common = most; common > 0; --common) {
      for (std::size_t i = now.begin; i < now.end; ++i) {
        if (this->last_contact[i] < 0) match_patch(i, common, last);
      }
    }
    std::size_t next = last.begin;
    for (std::size_t i = now.begin; i < now.end; ++i) {
      if (this->last_contact[i] >= 0) continue;
      while (next < last.end && is_set(this->has_gone_on[next])) ++next;
      if (next == last.end) return;
      go_on(i, next);
    }
  }
  /// Matches a patch with the lowest free one that had as many of its points.
  void match_patch(std::size_t i, std::int64_t common, const Patches& last) const {
    const std::int64_t* const points = this->last_point + this->offset[i];
    const std::int64_t count = this->offset[i + 1] - this->offset[i];
    std::size_t lowest = last.end;
    for (std::int64_t p = 0; p < count; ++p) {
      if (points[p] < 0) continue;
      // The last one that begins at the point or before it.
      const PairLink* const links = this->last_links;
      const auto point = static_cast<std::uint32_t>(points[p]);
      const PairLink* const behind =
          std::upper_bound(links + last.begin, links + last.end, point,
                           [](std::uint32_t at, const PairLink& link) { return at < link.tag; });
      const auto patch = static_cast<std::size_t>(behind - links) - 1;
      const auto has = std::count_if(points, points + count, [&](std::int64_t other) {
        return other >= std::int64_t{links[patch].tag} && other < std::int64_t{behind->tag};
      });
      if (has == common && !is_set(this->has_gone_on[patch])) lowest = std::min(lowest, patch);
    }
    if (lowest != last.end) go_on(i, lowest);
  }
  void go_on(std::size_t i, std::size_t before) const {
    this->last_contact[i] = static_cast<std::int64_t>(before);
    set(this->has_gone_on[before]);
  }

  /// Within patches that were matched.
  void match_points_by_place(const Patches& now, bool is_swapped) const {
    for (std::size_t i = now.begin; i < now.end; ++i) {
      if (this->last_contact[i] < 0) continue;
      const PairLink* const link = this->last_links + this->last_contact[i];
      std::int64_t* const to = this->last_point + this->offset[i];
      const auto count = static_cast<std::uint32_t>(this->offset[i + 1] - this->offset[i]);
      PointsLeft left;
      for (std::uint32_t p = 0; p < count; ++p) left.now |= (to[p] < 0 ? 1u : 0u) << p;
      for (std::uint32_t p = 0; p < link[1].tag - link->tag; ++p) {
        left.last |= (is_set(scratch.is_matched[link->tag + p]) ? 0u : 1u) << p;
      }
      by_place(i, *link, is_swapped, left, to);
    }
  }

  static void set(std::uint8_t& flag) { std::atomic_ref(flag).store(1, std::memory_order_relaxed); }
  static bool is_set(std::uint8_t& flag) {
    return std::atomic_ref(flag).load(std::memory_order_relaxed) != 0;
  }
};

}  // namespace widephase
