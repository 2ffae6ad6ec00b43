#pragma once

// The words of `WarmStart`: how they encode where a search ended.

#include <widephase/warm_start.hpp>

#include "soa/mirrored_feature.hpp"

namespace widephase {
namespace {

/// A face of one of two shapes, in `axis`: a hull's face by its number, a face of two boxes by its
/// axis.
struct FaceGuess {
  bool is_given;
  int side;  ///< 0 is A's
  int face;

  static FaceGuess of(std::uint64_t word) {
    return {(word & 1) != 0, static_cast<int>(word >> 1 & 1), static_cast<int>(word >> 8 & 0xffff)};
  }
  std::uint64_t word() const {
    return is_given
               ? 1 | static_cast<std::uint64_t>(side) << 1 | static_cast<std::uint64_t>(face) << 8
               : 0;
  }
};

/// For each of two hulls, two of its vertices that lay deep in the other hull; stored in `axis`
/// beside the face. Each has one byte, so a larger number wraps to another vertex.
struct VertexGuess {
  int vertex[2][2];  ///< [0]: B's, which bound A's faces; [1]: A's

  static VertexGuess of(std::uint64_t word) {
    const auto at = [&](int n) { return static_cast<int>(word >> (kFirstBit + 8 * n) & 0xff); };
    return {{{at(0), at(1)}, {at(2), at(3)}}};
  }
  std::uint64_t word() const {
    std::uint64_t word = 0;
    for (int n = 0; n < 4; ++n) {
      word |= static_cast<std::uint64_t>(vertex[n >> 1][n & 1] & 0xff) << (kFirstBit + 8 * n);
    }
    return word;
  }
  VertexGuess mirrored() const {
    return {{{vertex[1][0], vertex[1][1]}, {vertex[0][0], vertex[0][1]}}};
  }

 private:
  static constexpr int kFirstBit = 24;
};

/// A contact's points, named by their features as in contacts, in `points`; 0 means no point.
struct PointNames {
  std::uint32_t name[4];

  static PointNames of(const WarmStart& word) {
    return {{word.points[0], word.points[1], word.points[2], word.points[3]}};
  }
  static std::uint32_t name_of(int feature_a, int feature_b) {
    return static_cast<std::uint32_t>(feature_a) << 16 | static_cast<std::uint32_t>(feature_b);
  }
  bool is_empty() const { return (name[0] | name[1] | name[2] | name[3]) == 0; }
  /// Whether every name in `other` is also in this list.
  bool has_all_of(const PointNames& other) const {
    int has_all = 1;
    for (const std::uint32_t asked : other.name) {
      int has = asked == 0 ? 1 : 0;
      for (const std::uint32_t own : name) has |= asked == own ? 1 : 0;
      has_all &= has;
    }
    return has_all != 0;
  }
};

/// The words of GJK, in `simplex`: the number of vertices, then for each vertex one byte for A's
/// number and one for B's. Or `kDirectionForm`, then 20 bits for each component of a direction, in
/// units of 2^-18; 2^19 stands for zero.
inline constexpr int kDirectionForm = 4;

/// The word for the same pair with A and B swapped.
inline WarmStart mirrored(const WarmStart& word) {
  FaceGuess face = FaceGuess::of(word.axis);
  face.side = 1 - face.side;
  WarmStart mirror{face.word() | VertexGuess::of(word.axis).mirrored().word(), word.simplex & 0xff};
  for (int n = 0; n < 4; ++n) mirror.points[n] = mirrored_feature(word.points[n]);
  if ((word.simplex & 15) == kDirectionForm) {
    mirror.simplex = kDirectionForm;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t share = word.simplex >> (4 + 20 * k) & 0xfffff;
      const std::uint64_t back = (std::uint64_t{1} << 20) - (share == 0 ? 1 : share);
      mirror.simplex |= back << (4 + 20 * k);
    }
    return mirror;
  }
  for (int k = 0; k < 3; ++k) {
    const std::uint64_t both = word.simplex >> (8 + 16 * k) & 0xffff;
    mirror.simplex |= (both >> 8 | (both & 0xff) << 8) << (8 + 16 * k);
  }
  return mirror;
}

}  // namespace
}  // namespace widephase
