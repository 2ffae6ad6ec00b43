#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <widephase/export.h>

namespace widephase {

/// Float sizes beside double positions, as the precision of a scene: `SceneColumns<3, Mixed>`.
///
/// A shape 1e6 units away then keeps the digits of its size: positions are subtracted in double,
/// and all else is computed in float, relative to A. Positions are `center`, `a`, `b`, `min`,
/// `max`, `offset`, those of bodies, the domain's box, and the points of contacts and distances.
struct WIDEPHASE_API Mixed;

/// The types of numbers of a precision, which is `float`, `double` or `Mixed`.
template <class T>
struct PrecisionTypes {
  using Size = T;      ///< of lengths that stay within a pair: radii, normals, depths
  using Position = T;  ///< of places, which may be far from the origin
};
/// In mixed precision: sizes in float, positions in double.
template <>
struct PrecisionTypes<Mixed> {
  using Size = float;       ///< of radii, half extents, vertices, margins, turns, normals, depths
  using Position = double;  ///< of what `Mixed` lists
};
/// `float` for `float` and `Mixed`, `double` for `double`.
template <class T>
using SizeOf = typename PrecisionTypes<T>::Size;
/// `float` for `float`, `double` for `double` and `Mixed`.
template <class T>
using PositionOf = typename PrecisionTypes<T>::Position;

/// Whether a precision is `Mixed`.
template <class T>
inline constexpr bool is_mixed = false;
/// True for it alone.
template <>
inline constexpr bool is_mixed<Mixed> = true;

/// Kinds of shape, in the order of the scene's tables, which is also the order within a pair.
/// `circle` and `sphere` are one kind with one name per dimension.
enum class Kind : std::uint8_t {
  sphere = 0,   ///< a ball, 3D (`Spheres`)
  circle = 0,   ///< a disc, 2D (`Spheres`)
  capsule,      ///< within a radius of a segment (`Capsules`)
  aabb,         ///< a box along the axes (`Aabbs`)
  box,          ///< an oriented box, rounded if you like (`Boxes`)
  polygon,      ///< a convex polygon, 2D, rounded if you like (`Instances`)
  hull,         ///< a convex hull, 3D, rounded if you like (`Instances`)
  cylinder,     ///< a cylinder about its own z, 3D, rounded if you like (`Cylinders`)
  halfspace,    ///< all on one side of a line or plane (`Halfspaces`)
  ellipsoid,    ///< an ellipsoid, 3D, rounded if you like (`Ellipsoids`)
  cone,         ///< a circular cone about its own z, 3D, rounded if you like (`Cones`)
  heightfield,  ///< all below a surface of height samples, 3D (`Heightfields`)
  mesh,         ///< a surface of triangles, 3D, thick if you like (`Meshes`)
  chain,        ///< a line of segments, 2D, thick if you like (`Chains`)
};

/// The number of kinds, of both dimensions together: `Kind` has the values 0 to kKindCount - 1.
inline constexpr int kKindCount = 13;

/// The word for a kind in files, messages and names of pairs: "circle" in 2D, "sphere" in 3D.
constexpr std::string_view kind_name(Kind kind, int dimension) {
  constexpr std::array<std::string_view, kKindCount> names{
      "sphere",   "capsule",   "aabb",      "box",  "polygon",     "hull",
      "cylinder", "halfspace", "ellipsoid", "cone", "heightfield", "mesh",
      "chain"};
  return dimension == 2 && kind == Kind::circle ? "circle" : names[static_cast<int>(kind)];
}

/// Two shape ids (see `SceneLayout`); A is the first named.
struct Pair {
  std::int32_t a = 0;  ///< id of A
  std::int32_t b = 0;  ///< id of B
  /// Whether both ids are the same: {1, 2} and {2, 1} differ.
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

/// The number of unordered pairs of kinds, 91. Some never occur, as a polygon and a hull.
inline constexpr int kPairKindCount = kKindCount * (kKindCount + 1) / 2;

/// The index of a pair of kinds, whichever comes first: 0 to kPairKindCount - 1, row by row through
/// the order of `Kind`: (0,0), (0,1), ... (0,12), (1,1), ...
constexpr int pair_kind(Kind first, Kind second) {
  const int a = static_cast<int>(first < second ? first : second);
  const int b = static_cast<int>(first < second ? second : first);
  return a * kKindCount - a * (a - 1) / 2 + (b - a);
}

/// The two kinds of a pair, in the order of `Kind`.
struct KindsOfPair {
  Kind a;  ///< the lower one, or both
  Kind b;  ///< the higher one, or both
};

/// The kinds of an index, 0 to kPairKindCount - 1: the inverse of `pair_kind`.
constexpr KindsOfPair kinds_of(int pair_kind_index) {
  int a = 0;
  while (pair_kind_index >= kKindCount - a) pair_kind_index -= kKindCount - a++;
  return {static_cast<Kind>(a), static_cast<Kind>(a + pair_kind_index)};
}

/// The word for a pair of kinds in `--json`, tests and benchmarks: "circle_capsule" in 2D,
/// "sphere_halfspace" in 3D. The index is that of `pair_kind`.
inline std::string pair_kind_name(int pair_kind_index, int dimension) {
  const KindsOfPair kinds = kinds_of(pair_kind_index);
  return std::string(kind_name(kinds.a, dimension)) + "_" +
         std::string(kind_name(kinds.b, dimension));
}

/// What a contact's 16-bit feature half says: kind in the 2 high bits, index in the 14 low ones.
/// docs/conventions.md has the numbers of every kind of shape.
enum class Feature : std::uint8_t {
  whole = 0,  ///< the shape itself: circles, spheres, halfspaces
  vertex,     ///< a corner, or an end of a capsule
  edge,       ///< a side in 2D, an edge in 3D
  face        ///< 3D alone
};

/// A half of a contact's feature, 0 to 2^16 - 1; `index` is below 2^14. A's is shifted up by 16.
constexpr std::uint32_t feature_half(Feature kind, int index) {
  return static_cast<std::uint32_t>(kind) << 14 | static_cast<std::uint32_t>(index);
}

/// How sure a contact's answer is (`ContactBuffer::status`).
enum class Status : std::uint8_t {
  exact = 0,       ///< exact to rounding
  tie = 1,         ///< the direction is not unique; the documented choice was made
  iterations = 2,  ///< an iteration cap was met; the depth is an upper bound
  crossing = 3     ///< two surfaces cross: no depth is told, it is 0
};

/// Words of a message that another language has others for.
struct Rewording {
  std::string_view words;    ///< as the library says it
  std::string_view instead;  ///< as the caller says it
};

/// The first thing wrong with an input. It names columns as files, C and Python do: "orientation"
/// is the member `turn`, and "hulls.vertices" is `geometries.vertices`.
struct Finding {
  std::string array;      ///< "sphere.radius", "pairs", "domain.max"
  std::int64_t row = -1;  ///< the row of `array`, -1 for the array as a whole
  std::string message;    ///< what is there and what was expected

  /// "sphere.radius[17] is -0.5; radius must be a finite number >= 0", with the members of C++ for
  /// the names of columns.
  WIDEPHASE_API std::string text() const;
  /// The same with the caller's words instead.
  WIDEPHASE_API std::string text_in(std::span<const Rewording> rewordings) const;
};

/// Thrown by calls for input that they cannot answer.
class WIDEPHASE_API Error : public std::runtime_error {
 public:
  /// A sentence alone, where no single array is at fault.
  explicit Error(const std::string& text) : std::runtime_error(text) {}
  /// From a finding; `what()` is its `text()`.
  explicit Error(Finding finding)
      : std::runtime_error(finding.text()), finding_(std::move(finding)) {}
  /// The finding, if a single one was made.
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  std::optional<Finding> finding_;
};

}  // namespace widephase
