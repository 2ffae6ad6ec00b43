#pragma once

// The two surfaces of a pair as sources of pieces (triangles, in 2D segments) under a tree of
// bounds: of a mesh and a chain their own, of a height field that over its cells. A place of level
// 0 is a piece, of a field a cell with two; a place of the next level is a tile of sixteen.
// Frame: the surface's own.

#include "kernels/core/chain/chain_walk.hpp"
#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/core/surface/surface_patches.hpp"

namespace widephase {
namespace {

inline constexpr int kPlaces = 16;  ///< of a tile

template <class T, int D>
class ConcaveSide;

template <class T>
class ConcaveSide<T, 3> {
 public:
  using Point = Vector;
  static constexpr int kBoundNumbers = 6 * kPlaces;

  ConcaveSide(const SurfaceRun<T>& run, Kind kind, const T* row)
      : mesh_(traits_of(kind).is_sheet ? run.meshes + integer_in(row[7]) : nullptr),
        triangles_(mesh_ != nullptr
                       ? FieldTriangles<T>(*mesh_, {{0, 0, 0}}, {{0, 0, 0}}, false)
                       : FieldTriangles<T>(run.fields, integer_in(row[7]), {{0, 0, 0}})),
        thickness_(double(row[3])) {
    find_axes(row, axis_);
    if (mesh_ != nullptr) width_ = width_of_seams(*mesh_);
  }

  double thickness() const { return thickness_; }
  bool is_solid() const { return mesh_ == nullptr; }
  /// Whether it is met from one side alone.
  bool has_front() const { return mesh_ != nullptr && !mesh_->is_two_sided; }
  bool has_neighbours() const {
    return mesh_ != nullptr ? mesh_->beyond != nullptr : triangles_.has_neighbours();
  }
  /// Distances by which rounding moves places of its own.
  double width() const { return width_; }
  Point to_scene(const Point& v) const {
    return scaled(axis_[0], v[0]) + scaled(axis_[1], v[1]) + scaled(axis_[2], v[2]);
  }
  Point from_scene(const Point& v) const {
    return {{dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}};
  }
  const Point& axis(int k) const { return axis_[k]; }

  /// The level of the place that has all; below 0 for an empty surface.
  int top() const {
    if (mesh_ != nullptr) return mesh_->level_count == 0 ? -1 : mesh_->level_count;
    return field().high < field().low ? -1 : field().level_count;
  }
  /// The bounds of all pieces.
  void root(T (&low)[3], T (&high)[3]) const {
    if (mesh_ != nullptr) {
      for (int k = 0; k < 3; ++k) {
        low[k] = mesh_->low[k];
        high[k] = mesh_->high[k];
      }
      return;
    }
    for (int k = 0; k < 2; ++k) {
      low[k] = 0;
      high[k] = coordinate(cells(k), k);
      high[k] = high[k] + 2 * kRounding<T> * high[k];
    }
    low[2] = field().low - floor_;
    high[2] = field().high;
  }
  /// A field's bounds reach this much farther down from now on: what is below it belongs to it.
  void set_floor(double depth) { floor_ = is_solid() ? static_cast<T>(depth) : T(0); }
  std::int32_t child(int level, std::int32_t place, int i) const {
    if (mesh_ != nullptr) return place * kPlaces + i;
    const std::int32_t above = places_along(0, level), below = places_along(0, level - 1);
    const std::int32_t row = place / above, column = place % above;
    return (4 * row + i / 4) * below + 4 * column + i % 4;
  }
  /// The bounds of the places of a tile of a level above 0: the least numbers by axis, then the
  /// greatest; infinite ones for a place that is not there. They are in `scratch` or elsewhere.
  const T* bounds(int level, std::int32_t place, T (&scratch)[kBoundNumbers]) const {
    if (mesh_ != nullptr) return mesh_tile(*mesh_, level - 1, place);
    const int below = level - 1;
    const std::int32_t columns = places_along(0, below), rows = places_along(1, below);
    const std::int32_t row = 4 * (place / places_along(0, level));
    const std::int32_t column = 4 * (place % places_along(0, level));
    for (int i = 0; i < kPlaces; ++i) {
      const std::int32_t r = row + i / 4, c = column + i % 4;
      T low = kInfinite<T>, high = -kInfinite<T>;
      const bool is_there = r < rows && c < columns;
      if (is_there && below == 0) {
        cell_range(r, c, low, high);
      } else if (is_there) {
        const T* const range =
            field().tiles + 2 * (field().level_begin[below] + std::ptrdiff_t{r} * columns + c);
        low = range[0];
        high = range[1];
      }
      const bool is_empty = !(low <= high);
      const std::int32_t at[2] = {c, r};
      for (int k = 0; k < 2; ++k) {
        const std::int64_t first = std::int64_t{at[k]} << (2 * below);
        const std::int64_t last = std::int64_t{at[k] + 1} << (2 * below);
        const T from = coordinate(first, k);
        const T to = coordinate(last < cells(k) ? last : cells(k), k);
        scratch[k * kPlaces + i] = is_empty ? kInfinite<T> : from - 2 * kRounding<T> * from;
        scratch[(3 + k) * kPlaces + i] = is_empty ? -kInfinite<T> : to + 2 * kRounding<T> * to;
      }
      scratch[2 * kPlaces + i] = is_empty ? low : low - floor_;
      scratch[5 * kPlaces + i] = high;
    }
    return scratch;
  }
  /// Calls `op(number)` for the pieces of a place of level 0.
  template <class Op>
  void for_each_piece(std::int32_t place, const Op& op) const {
    if (mesh_ != nullptr) {
      op(mesh_->order[place]);
      return;
    }
    const std::int32_t columns = places_along(0, 0);
    for (int half = 0; half < 2; ++half) {
      const TrianglePlace at{place / columns, place % columns, half};
      if (triangles_.exists(at)) op(triangles_.number_of(at));
    }
  }
  bool has_piece(std::int64_t number) const {
    if (number < 0) return false;
    if (mesh_ == nullptr) {
      if (number >= 2 * std::int64_t{field().rows} * field().columns) return false;
      const TrianglePlace at = triangles_.place_of(static_cast<std::int32_t>(number));
      return at.row < field().rows - 1 && at.col < field().columns - 1 && triangles_.exists(at);
    }
    return number < mesh_->own_count && mesh_->across[3 * number] > kWithoutArea;
  }
  void corners(std::int32_t number, Point (&vertex)[3]) const {
    triangles_.vertices(triangles_.place_of(number), vertex);
  }
  static bool front(const Point (&vertex)[3], Point& normal) {
    return lasting_normal(vertex, normal);
  }
  /// Calls `op(corners)` for the pieces at the point where a piece has a feature, neighbours' too,
  /// until it answers false.
  template <class Op>
  void for_each_at(std::int32_t, int, const Point& point, double width, const Op& op) const {
    int asked = 0;
    const auto ask = [&](const TrianglePlace& at) {
      Point vertex[3];
      if (triangles_.vertices(at, vertex) && is_at_triangle(vertex, point, width) && !op(vertex)) {
        return false;
      }
      return ++asked < kMostAtSeam;
    };
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = point[k] - width;
      high[k] = point[k] + width;
    }
    if (mesh_ != nullptr) {
      walk_with_beyond(*mesh_, low, high,
                       [&](std::int32_t number) { return ask(triangles_.place_of(number)); });
    } else {
      for_each_within(triangles_, low, high, 0, NumberRoom{}, ask);
    }
  }
  /// The lowest piece that has a feature of a piece, and what it is called there.
  double name(std::int32_t number, int feature) const {
    return lowest_name(triangles_, triangles_.place_of(number), feature);
  }

 private:
  const HeightfieldView<T>& field() const { return triangles_.field(); }
  std::int32_t cells(int axis) const { return (axis == 0 ? field().columns : field().rows) - 1; }
  std::int32_t places_along(int axis, int level) const {
    return ((cells(axis) - 1) >> (2 * level)) + 1;
  }
  T coordinate(std::int64_t sample, int axis) const {
    return static_cast<T>(sample) * field().cell[axis];
  }
  void cell_range(std::int32_t row, std::int32_t column, T& low, T& high) const {
    const T* const near = field().heights + std::ptrdiff_t{row} * field().columns + column;
    const T* const far = near + field().columns;
    for (const T height : {near[0], near[1], far[0], far[1]}) {
      low = height < low ? height : low;
      high = height > high ? height : high;
    }
  }
  const MeshView<T>* mesh_;
  FieldTriangles<T> triangles_;
  double thickness_, width_ = 0;
  T floor_ = 0;
  Vector axis_[3];
};

template <class T>
class ConcaveSide<T, 2> {
 public:
  using Point = Vector2;
  static constexpr int kBoundNumbers = 4 * kPlaces;

  ConcaveSide(const SurfaceRun<T, 2>& run, Kind, const T* row)
      : chain_(run.chains + integer_in(row[5])),
        thickness_(double(row[4])),
        axis_(unit_along({{double(row[2]), double(row[3])}})) {}

  double thickness() const { return thickness_; }
  static constexpr bool is_solid() { return false; }
  bool has_front() const { return !chain_->is_two_sided; }
  bool has_neighbours() const {
    return chain_->own_begin > 0 || chain_->own_end < chain_->segment_count;
  }
  static constexpr double width() { return 0; }
  Point to_scene(const Point& v) const {
    return {{axis_[0] * v[0] - axis_[1] * v[1], axis_[1] * v[0] + axis_[0] * v[1]}};
  }
  Point from_scene(const Point& v) const {
    return {{axis_[0] * v[0] + axis_[1] * v[1], axis_[0] * v[1] - axis_[1] * v[0]}};
  }
  Point axis(int k) const { return k == 0 ? axis_ : Point{{0 - axis_[1], axis_[0]}}; }

  int top() const {
    if (chain_->own_begin >= chain_->own_end) return -1;
    int level = 0;
    while (places_of(*chain_, level) > 1) ++level;
    return level;
  }
  void root(T (&low)[2], T (&high)[2]) const {
    for (int k = 0; k < 2; ++k) {
      low[k] = chain_->low[k];
      high[k] = chain_->high[k];
    }
  }
  void set_floor(double) {}
  static std::int32_t child(int, std::int32_t place, int i) { return place * kPlaces + i; }
  const T* bounds(int level, std::int32_t place, T (&scratch)[kBoundNumbers]) const {
    const T* const tile = chain_tile(*chain_, level - 1, place);
    if (level > 1 || !has_neighbours()) return tile;
    for (int i = 0; i < kPlaces; ++i) {
      const bool is_own = has_piece(std::int64_t{place} * kPlaces + i);
      for (int k = 0; k < 4; ++k) {
        const T none = k < 2 ? kInfinite<T> : -kInfinite<T>;
        scratch[k * kPlaces + i] = is_own ? tile[k * kPlaces + i] : none;
      }
    }
    return scratch;
  }
  template <class Op>
  void for_each_piece(std::int32_t place, const Op& op) const {
    op(place);
  }
  bool has_piece(std::int64_t number) const {
    return number >= chain_->own_begin && number < chain_->own_end;
  }
  void corners(std::int32_t segment, Point (&vertex)[2]) const {
    const T* const at = chain_->positions + 2 * std::ptrdiff_t{segment};
    for (int v = 0; v < 2; ++v) vertex[v] = {{double(at[2 * v]), double(at[2 * v + 1])}};
  }
  static bool front(const Point (&vertex)[2], Point& normal) {
    normal = right_of(unit_along(vertex[1] - vertex[0]));
    return true;
  }
  template <class Op>
  void for_each_at(std::int32_t segment, int feature, const Point&, double, const Op& op) const {
    const std::int32_t other = beyond(segment, feature - kOfVertex);
    Point vertex[2];
    if (other < 0) return;
    corners(other, vertex);
    op(vertex);
  }
  /// The lowest own segment that has an end, and what it is called there.
  double name(std::int32_t segment, int feature) const {
    const auto called = [&](std::int32_t of, int as) {
      const double own = as == kOfFace ? edge_feature(0.0) : vertex_feature(double(as - kOfVertex));
      return double(chain_->number[of]) * kTriangleStep + own;
    };
    if (feature == kOfFace) return called(segment, feature);
    const int end = feature - kOfVertex;
    const std::int32_t other = beyond(segment, end);
    const bool is_lower = has_piece(other) && chain_->number[other] < chain_->number[segment];
    return is_lower ? called(other, kOfVertex + 1 - end) : called(segment, feature);
  }

 private:
  std::int32_t beyond(std::int32_t segment, int end) const {
    const std::int32_t other = end == 0 ? segment - 1 : segment + 1;
    if (other >= 0 && other < chain_->segment_count) return other;
    if (!chain_->is_loop) return -1;
    return other < 0 ? chain_->segment_count - 1 : 0;
  }

  const ChainView<T>* chain_;
  double thickness_;
  Vector2 axis_;
};

}  // namespace
}  // namespace widephase
