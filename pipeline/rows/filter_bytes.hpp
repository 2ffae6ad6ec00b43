#pragma once

// One byte per shape in place of the columns that filters go by. Pairs are anywhere in a large
// scene, so what costs is to fetch from memory what a pair is tested by: of a million shapes, bytes
// stay in the cache, columns do not.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <widephase/columns.hpp>

#include "soa/crew.hpp"
#include "soa/large_pages.hpp"

namespace widephase {

/// Numbers the different categories with masks: most scenes have few.
class CategoryClasses {
 public:
  void clear() { is_set_ = false; }
  /// Not set if there are more than 256 classes. An empty column has its default.
  void set(const Crew& crew, const ColumnSpan<std::uint32_t>& category,
           const ColumnSpan<std::uint32_t>& mask, std::size_t count) {
    constexpr std::size_t kSample = 1024;
    class_count_ = 0;
    key_.resize_uninitialized(kMostClasses);
    slot_key_.resize_uninitialized(kSlots);
    slot_class_.resize_uninitialized(kSlots);
    std::fill_n(slot_class_.plane(), kSlots, kNoClass);
    resize_scratch(class_of_, count);
    const auto key_of = [&](std::size_t row) {
      return std::uint64_t{category.empty() ? 1u : category[row]} << 32 |
             (mask.empty() ? ~0u : mask[row]);
    };
    // Those of the first shapes are mostly all. So chunks need not wait for each other's.
    is_set_ = number(0, std::min(count, kSample), key_of, true);
    const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
    is_numbered_.resize_uninitialized(chunks);
    if (!is_set_) return;
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      is_numbered_[chunk] = number(begin, end, key_of, false) ? 1 : 0;
    });
    for (std::size_t chunk = 0; chunk < chunks && is_set_; ++chunk) {
      if (is_numbered_[chunk] != 0) continue;
      is_set_ = number(Crew::boundary(count, chunks, 1, chunk),
                       Crew::boundary(count, chunks, 1, chunk + 1), key_of, true);
    }
  }
  bool is_set() const { return is_set_; }

  bool may_meet(std::size_t a, std::size_t b) const {
    const std::uint64_t shared = key_[class_of_[a]] & std::rotr(key_[class_of_[b]], 32);
    return (static_cast<std::uint32_t>(shared) != 0) & (shared >> 32 != 0);
  }

  std::size_t bytes() const {
    return key_.bytes() + slot_key_.bytes() + slot_class_.bytes() + class_of_.bytes() +
           is_numbered_.bytes();
  }

 private:
  /// False if a class has no number yet that gets none.
  template <class KeyOf>
  bool number(std::size_t begin, std::size_t end, const KeyOf& key_of, bool may_add) {
    std::uint64_t* const slot_key = slot_key_.plane();
    std::int16_t* const slot_class = slot_class_.plane();
    std::uint8_t* const to = class_of_.plane();
    for (std::size_t row = begin; row < end; ++row) {
      const std::uint64_t key = key_of(row);
      std::size_t slot = (key * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits);
      while (slot_class[slot] != kNoClass && slot_key[slot] != key) slot = (slot + 1) % kSlots;
      if (slot_class[slot] == kNoClass) {
        if (!may_add || class_count_ == kMostClasses) return false;
        key_[class_count_] = slot_key[slot] = key;
        slot_class[slot] = static_cast<std::int16_t>(class_count_++);
      }
      to[row] = static_cast<std::uint8_t>(slot_class[slot]);
    }
    return true;
  }

  static constexpr std::size_t kMostClasses = 256;
  static constexpr int kSlotBits = 10;
  static constexpr std::size_t kSlots = 1 << kSlotBits;
  static constexpr std::int16_t kNoClass = -1;

  bool is_set_ = false;
  std::size_t class_count_ = 0;
  Column<std::uint64_t> key_;  ///< by class: category << 32 | mask
  /// Open addressing.
  Column<std::uint64_t> slot_key_;
  Column<std::int16_t> slot_class_;
  Column<std::uint8_t> class_of_;
  Column<std::uint8_t> is_numbered_;  ///< by chunk
};

/// Eight bits of each owner or body.
class NameBytes {
 public:
  void clear() { is_set_ = false; }
  void set(const Crew& crew, const ColumnSpan<std::int32_t>& names) {
    const std::size_t count = names.size();
    is_set_ = true;
    resize_scratch(byte_of_, count);
    std::uint8_t* const to = byte_of_.plane();
    crew.run_ranges(count, crew.chunk_count(count, kBoxGrain), 1,
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row) {
                        const auto name = static_cast<std::uint32_t>(names[row]);
                        const std::uint32_t high = (name * 0x9E3779B9u) >> 24;
                        const std::uint32_t some = high == kNone ? 0 : high;
                        to[row] = static_cast<std::uint8_t>(names[row] == -1 ? kNone : some);
                      }
                    });
  }
  bool is_set() const { return is_set_; }

  /// Whether two names are known to differ, or the first is -1. Of different names 1 in 255 is not.
  bool surely_differ(std::size_t a, std::size_t b) const {
    const std::uint32_t byte_a = byte_of_[a], byte_b = byte_of_[b];
    return (byte_a != byte_b) | (byte_a == kNone);
  }

  std::size_t bytes() const { return byte_of_.bytes(); }

 private:
  static constexpr std::uint32_t kNone = 255;

  bool is_set_ = false;
  Column<std::uint8_t> byte_of_;
};

}  // namespace widephase
