#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <widephase/export.h>

namespace widephase {

/// Float sizes beside double positions, as the precision of a scene: `SceneColumns<3, Mixed>`.
///
/// What is 1e6 units away then keeps the digits of its size: positions are subtracted in double,
/// and all else is computed in float, from A on. Positions are `center`, `a`, `b`, `min`, `max`,
/// `offset`, those of bodies, the domain's box, and the points of contacts and distances.
struct WIDEPHASE_API Mixed;

/// The types of numbers of a precision, which is `float`, `double` or `Mixed`.
template <class T>
struct PrecisionTypes {
  using Size = T;
  using Position = T;
};
template <>
struct PrecisionTypes<Mixed> {
  using Size = float;
  using Position = double;
};
template <class T>
using SizeOf = typename PrecisionTypes<T>::Size;
template <class T>
using PositionOf = typename PrecisionTypes<T>::Position;

template <class T>
inline constexpr bool is_mixed = false;
template <>
inline constexpr bool is_mixed<Mixed> = true;

/// Kinds of shape, in the order of the scene's tables; a pair's kinds are taken in this order.
/// `circle` and `sphere` are one kind with a name a dimension.
enum class Kind : std::uint8_t {
  sphere = 0,
  circle = 0,
  capsule,
  aabb,
  box,
  polygon,
  hull,
  cylinder,
  halfspace,
};

inline constexpr int kKindCount = 8;

/// The word for a kind in files, messages and names of pairs: "circle" in 2D, "sphere" in 3D.
constexpr std::string_view kind_name(Kind kind, int dimension) {
  constexpr std::array<std::string_view, kKindCount> names{
      "sphere", "capsule", "aabb", "box", "polygon", "hull", "cylinder", "halfspace"};
  return dimension == 2 && kind == Kind::circle ? "circle" : names[static_cast<int>(kind)];
}

/// Two shape ids (see `SceneLayout`); A is the first named.
struct Pair {
  std::int32_t a = 0;
  std::int32_t b = 0;
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

/// The kinds of a pair in the order of `Kind`; index 0 ... kPairKindCount - 1 counts the
/// unordered pairs of kinds row by row: (0,0), (0,1), ... (0,7), (1,1), ...
inline constexpr int kPairKindCount = kKindCount * (kKindCount + 1) / 2;

constexpr int pair_kind(Kind first, Kind second) {
  const int a = static_cast<int>(first < second ? first : second);
  const int b = static_cast<int>(first < second ? second : first);
  return a * kKindCount - a * (a - 1) / 2 + (b - a);
}

struct KindsOfPair {
  Kind a;
  Kind b;
};

constexpr KindsOfPair kinds_of(int pair_kind_index) {
  int a = 0;
  while (pair_kind_index >= kKindCount - a) pair_kind_index -= kKindCount - a++;
  return {static_cast<Kind>(a), static_cast<Kind>(a + pair_kind_index)};
}

/// "circle_capsule", "sphere_halfspace", ...
inline std::string pair_kind_name(int pair_kind_index, int dimension) {
  const KindsOfPair kinds = kinds_of(pair_kind_index);
  return std::string(kind_name(kinds.a, dimension)) + "_" +
         std::string(kind_name(kinds.b, dimension));
}

/// What a contact's 16-bit feature half says: kind in the 2 high bits, index in the 14 low ones.
enum class Feature : std::uint8_t { whole = 0, vertex, edge, face };

constexpr std::uint32_t feature_half(Feature kind, int index) {
  return static_cast<std::uint32_t>(kind) << 14 | static_cast<std::uint32_t>(index);
}

/// How sure a contact's answer is (`ContactBuffer::status`).
enum class Status : std::uint8_t {
  exact = 0,      ///< exact to rounding
  tie = 1,        ///< the direction is not unique; the documented choice was made
  iterations = 2  ///< an iteration cap was met; the depth is an upper bound
};

/// The first thing wrong with an input.
struct Finding {
  std::string array;      ///< "sphere.radius", "pairs", "domain.max"
  std::int64_t row = -1;  ///< the row of `array`, -1 when the array as a whole is meant
  std::string message;    ///< what is there and what was expected

  /// "sphere.radius[17] is -0.5; a radius must be a finite number >= 0"
  std::string text() const {
    return row < 0 ? array + " " + message : array + "[" + std::to_string(row) + "] " + message;
  }
};

/// Thrown at the library's border for input that it can't answer.
class WIDEPHASE_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text) : std::runtime_error(text) {}
  explicit Error(Finding finding)
      : std::runtime_error(finding.text()), finding_(std::move(finding)) {}
  /// The offender, when a single one was found.
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  std::optional<Finding> finding_;
};

}  // namespace widephase
