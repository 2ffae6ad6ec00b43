#pragma once

// The triangles of a surface, seen from a shape: positions are in the surface's own axes and
// relative to the middle of the shape's core, in double. A cell of a height field has two
// triangles, counter-clockwise from above:
//
//   half 0: (row, col), (row, col + 1), (row + 1, col + 1)      2 --- 1      half 1 over the
//   half 1: (row, col), (row + 1, col + 1), (row + 1, col)      |  1 / |     diagonal, half 0
//                                                               | / 0  |     under it
//   Edge k leads from vertex k to the next.                     0 -----
//
// Cells beyond a border are those of the neighbour there, if it has as many samples along the
// border and cells of the same size. They serve only to tell what is felt at the seam: a
// neighbour's contacts are found by its own pair. Beyond a corner is the field that both
// neighbours there have for their neighbour, or there is nothing.
//
// A mesh (soa/mesh_view.hpp) has numbers in place of cells, and says what is across and around.

#include "kernels/core/surface/field_window.hpp"
#include "kernels/surface_table.hpp"

namespace widephase {
namespace {

using Vector = Vec<double, 3>;

/// A triangle by its cell, which may be beyond a border. One of a mesh has its number for the row,
/// -1 beyond a border.
struct TrianglePlace {
  std::int32_t row, col;
  int half;
  const MeshTopology* mesh = nullptr;
};

/// A triangle across an edge, and the number that the edge has there.
struct TriangleAcross {
  TrianglePlace place;
  int edge;
};

/// A sample of a field, or a vertex of a mesh by its number for the row.
struct SamplePlace {
  std::int32_t row, col;
  const MeshTopology* mesh = nullptr;
};

/// One of the triangles around a sample, and the number that the sample has there.
struct TriangleAround {
  TrianglePlace place;
  int vertex;
};

WIDEPHASE_INLINE std::int32_t mesh_corner(const TrianglePlace& at, int vertex) {
  return at.mesh->corners[3 * std::ptrdiff_t{at.row} + vertex];
}

/// From a triangle or a sample of a field to one beside it, and the number that an edge or vertex
/// has there. Tables, because which one is asked is as good as random.
struct FieldStep {
  std::int32_t row, col;
  int half, number;
};
inline constexpr FieldStep kAcross[2][3] = {  // by half and edge
    {{-1, 0, 1, 1}, {0, 1, 1, 2}, {0, 0, 1, 0}},
    {{0, 0, 0, 2}, {1, 0, 0, 0}, {0, -1, 0, 1}}};
inline constexpr FieldStep kCorners[2][3] = {  // by half and vertex
    {{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}},
    {{0, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 0, 0}}};
inline constexpr FieldStep kAround[6] = {{-1, -1, 0, 2}, {-1, -1, 1, 1}, {-1, 0, 1, 2},
                                         {0, -1, 0, 1},  {0, 0, 0, 0},   {0, 0, 1, 0}};

WIDEPHASE_INLINE TriangleAcross across_edge(const TrianglePlace& at, int edge) {
  if (at.mesh != nullptr) {
    const std::int32_t other = at.row < 0 ? -1 : at.mesh->across[3 * std::ptrdiff_t{at.row} + edge];
    const TrianglePlace place{other < 0 ? -1 : other, 0, 0, at.mesh};
    if (other < 0) return {place, 0};
    const std::int32_t end = mesh_corner(at, (edge + 1) % 3);  // where it begins over there
    return {place, mesh_corner(place, 0) == end ? 0 : mesh_corner(place, 1) == end ? 1 : 2};
  }
  const FieldStep& step = kAcross[at.half][edge];
  return {{at.row + step.row, at.col + step.col, step.half}, step.number};
}

WIDEPHASE_INLINE SamplePlace sample_of(const TrianglePlace& at, int vertex) {
  if (at.mesh != nullptr) return {at.row < 0 ? -1 : mesh_corner(at, vertex), 0, at.mesh};
  const FieldStep& step = kCorners[at.half][vertex];
  return {at.row + step.row, at.col + step.col};
}

/// How many triangles are around a sample; those of a field may be beyond its borders.
WIDEPHASE_INLINE int triangles_around(const SamplePlace& at) {
  if (at.mesh == nullptr) return 6;
  return at.row < 0 ? 0 : at.mesh->ring_begin[at.row + 1] - at.mesh->ring_begin[at.row];
}

/// The triangles around a sample, in ascending order of their numbers.
WIDEPHASE_INLINE TriangleAround around_sample(const SamplePlace& at, int k) {
  if (at.mesh != nullptr) {
    const TrianglePlace place{at.mesh->ring[at.mesh->ring_begin[at.row] + k], 0, 0, at.mesh};
    return {place, mesh_corner(place, 0) == at.row ? 0 : mesh_corner(place, 1) == at.row ? 1 : 2};
  }
  const FieldStep& step = kAround[k];
  return {{at.row + step.row, at.col + step.col, step.half}, step.number};
}

/// Calls `op(place, edge)` for all triangles of a mesh that have an edge, ascending, until it
/// answers false: there may be any number.
template <class Op>
bool for_each_at_edge(const TrianglePlace& at, int edge, const Op& op) {
  // Around the end that has fewer.
  SamplePlace from = sample_of(at, edge), to = sample_of(at, (edge + 1) % 3);
  if (triangles_around(to) < triangles_around(from)) {
    const SamplePlace other = from;
    from = to;
    to = other;
  }
  for (int k = 0; k < triangles_around(from); ++k) {
    const TriangleAround around = around_sample(from, k);
    const int next = (around.vertex + 1) % 3, before = (around.vertex + 2) % 3;
    const bool is_next = mesh_corner(around.place, next) == to.row;
    if (!is_next && mesh_corner(around.place, before) != to.row) continue;
    if (!op(around.place, is_next ? around.vertex : before)) return false;
  }
  return true;
}

/// A field with the fields beyond its borders, or a mesh.
template <class T>
class FieldTriangles {
 public:
  /// `origin` is the middle of the shape's core in the mesh's frame, `inner` a point of the core
  /// about it: from there a two-sided triangle is seen from its front.
  FieldTriangles(const MeshView<T>& mesh, const Vector& origin, const Vector& inner,
                 bool is_two_sided)
      : field_{}, mesh_(&mesh), origin_(origin), inner_(inner), is_two_sided_(is_two_sided) {
    double farthest = 0;
    for (int k = 0; k < 3; ++k) {
      beyond_[k] = beyond_[3] = nullptr;
      const double low = double(mesh.low[k]), high = double(mesh.high[k]);
      farthest = magnitude(low) > farthest ? magnitude(low) : farthest;
      farthest = magnitude(high) > farthest ? magnitude(high) : farthest;
    }
    field_.high = T(farthest);
  }

  /// `origin` is the middle of the shape's core in the field's frame.
  FieldTriangles(const HeightfieldView<T>* fields, std::int32_t number, const Vector& origin)
      : field_(fields[number]), origin_(origin) {
    for (int side = 0; side < 4; ++side) {
      beyond_[side] = nullptr;
      const std::int32_t other = field_.neighbours[side];
      if (other < 0) continue;
      const HeightfieldView<T>& view = fields[other];
      const bool fits = side < 2 ? view.rows == field_.rows : view.columns == field_.columns;
      if (fits && view.cell[0] == field_.cell[0] && view.cell[1] == field_.cell[1]) {
        beyond_[side] = &view;
      }
    }
    for (int corner = 0; corner < 4; ++corner) {
      const int x_side = corner % 2, y_side = 2 + corner / 2;
      beyond_corner_[corner] = nullptr;
      if (beyond_[x_side] == nullptr || beyond_[y_side] == nullptr) continue;
      const std::int32_t other = beyond_[x_side]->neighbours[y_side];
      if (other < 0 || other != beyond_[y_side]->neighbours[x_side]) continue;
      const HeightfieldView<T>& view = fields[other];
      const bool fits =
          view.rows == beyond_[y_side]->rows && view.columns == beyond_[x_side]->columns;
      if (fits && view.cell[0] == field_.cell[0] && view.cell[1] == field_.cell[1]) {
        beyond_corner_[corner] = &view;
      }
    }
  }

  bool has_neighbours() const {
    bool has = false;
    for (const HeightfieldView<T>* other : beyond_) has |= other != nullptr;
    return has;
  }
  void leave_neighbours() {
    for (const HeightfieldView<T>*& other : beyond_) other = nullptr;
    for (const HeightfieldView<T>*& other : beyond_corner_) other = nullptr;
  }

  /// What is in a window is taken from there from now on; null: no window.
  void set_window(const FieldWindow* window) { window_ = window; }
  const FieldWindow* window() const { return window_; }
  /// Sets the samples of a window, whose extents and memory are set.
  void fill(FieldWindow& window) const {
    const double nothing = __builtin_nan("");
    const bool is_inside = window.row >= 0 && window.row + window.rows <= field_.rows &&
                           window.column >= 0 && window.column + window.columns <= field_.columns;
    double nothing_sum = 0;  // or NaN
    for (std::int32_t r = 0; r < window.rows; ++r) {
      double* const z = window.z + std::ptrdiff_t{r} * window.stride;
      const SamplePlace first{window.row + r, window.column};
      for (std::int32_t c = 0; c < window.columns; ++c) {
        z[c] = (is_inside ? in(field_, first.row, first.col + c)
                          : height({first.row, first.col + c})) -
               origin_[2];
        nothing_sum += z[c] - z[c];
      }
      for (std::int32_t c = window.columns; c < window.stride; ++c) z[c] = nothing;
      window.y[r] = double(first.row) * double(field_.cell[1]) - origin_[1];
    }
    window.is_whole = is_inside && nothing_sum == 0;
    for (std::int32_t c = 0; c < window.stride; ++c) {
      window.x[c] = double(window.column + c) * double(field_.cell[0]) - origin_[0];
    }
  }

  const HeightfieldView<T>& field() const { return field_; }
  const MeshView<T>* mesh() const { return mesh_; }
  /// Whether all that is below the surface belongs to it: true for fields.
  bool is_solid() const { return mesh_ == nullptr; }
  const Vector& origin() const { return origin_; }
  /// The first cell along an axis, and one beyond the last, with those of neighbours.
  std::int32_t first_row() const { return beyond_[2] != nullptr ? 1 - beyond_[2]->rows : 0; }
  std::int32_t end_row() const {
    return field_.rows - 1 + (beyond_[3] != nullptr ? beyond_[3]->rows - 1 : 0);
  }
  std::int32_t first_column() const { return beyond_[0] != nullptr ? 1 - beyond_[0]->columns : 0; }
  std::int32_t end_column() const {
    return field_.columns - 1 + (beyond_[1] != nullptr ? beyond_[1]->columns - 1 : 0);
  }

  /// Beyond which border a triangle is, as `neighbours`; -1 for the surface's own.
  int side_of(const TrianglePlace& at) const {
    if (mesh_ != nullptr) return at.row >= 0 && at.row < mesh_->own_count ? -1 : 0;
    if (at.col < 0) return 0;
    if (at.col >= field_.columns - 1) return 1;
    if (at.row < 0) return 2;
    return at.row >= field_.rows - 1 ? 3 : -1;
  }
  bool is_own(const TrianglePlace& at) const { return side_of(at) < 0; }
  std::int32_t number_of(const TrianglePlace& at) const {
    if (mesh_ != nullptr) return at.row;
    return 2 * (at.row * field_.columns + at.col) + at.half;
  }
  TrianglePlace place_of(std::int32_t number) const {
    if (mesh_ != nullptr) return {number, 0, 0, mesh_};
    const std::int32_t cell = number / 2;
    return {cell / field_.columns, cell % field_.columns, number % 2};
  }

  /// NaN for a hole and beyond all fields.
  double height(const SamplePlace& at) const {
    if (mesh_ != nullptr) return position(at)[2] + origin_[2];
    const bool is_row_in = at.row >= 0 && at.row < field_.rows;
    const bool is_column_in = at.col >= 0 && at.col < field_.columns;
    if (is_row_in && is_column_in) return in(field_, at.row, at.col);
    // A neighbour's samples at the border are the field's.
    const int x_side = at.col < 0 ? 0 : 1, y_side = at.row < 0 ? 2 : 3;
    const HeightfieldView<T>* other = beyond_corner_[x_side + 2 * (y_side - 2)];
    if (is_row_in || is_column_in) other = beyond_[is_row_in ? x_side : y_side];
    if (other == nullptr) return __builtin_nan("");
    const auto beyond = [](std::int32_t place, bool is_in, bool is_before, std::int32_t own,
                           std::int32_t others) {
      if (is_in) return place;
      return is_before ? place + others - 1 : place - own + 1;
    };
    const std::int32_t row = beyond(at.row, is_row_in, at.row < 0, field_.rows, other->rows);
    const std::int32_t col =
        beyond(at.col, is_column_in, at.col < 0, field_.columns, other->columns);
    if (row >= 0 && row < other->rows && col >= 0 && col < other->columns) {
      return in(*other, row, col);
    }
    return __builtin_nan("");
  }
  Vector position(const SamplePlace& at) const {
    if (mesh_ != nullptr) {
      if (at.row < 0) return {{0, 0, __builtin_nan("")}};
      const T* const vertex = mesh_->positions + 3 * std::ptrdiff_t{at.row};
      return {{double(vertex[0]) - origin_[0], double(vertex[1]) - origin_[1],
               double(vertex[2]) - origin_[2]}};
    }
    if (window_ != nullptr && window_->has_sample(at.row, at.col)) {
      return {{window_->x[at.col - window_->column], window_->y[at.row - window_->row],
               window_->z[window_->index_of(at.row, at.col)]}};
    }
    return {{double(at.col) * double(field_.cell[0]) - origin_[0],
             double(at.row) * double(field_.cell[1]) - origin_[1], height(at) - origin_[2]}};
  }
  /// False for holes and beyond all fields.
  bool exists(const TrianglePlace& at) const {
    if (is_in_window(at)) {
      const std::ptrdiff_t near = window_->index_of(at.row, at.col), far = near + window_->stride;
      const double sum =
          (window_->z[near] + window_->z[far + 1]) + window_->z[at.half == 0 ? near + 1 : far];
      return sum - sum == 0;
    }
    bool is_there = true;
    for (int k = 0; k < 3; ++k) {
      const double here = height(sample_of(at, k));
      is_there &= here - here == 0;
    }
    return is_there;
  }
  /// The same, and where its vertices are.
  bool vertices(const TrianglePlace& at, Vector (&vertex)[3]) const {
    if (is_in_window(at)) {
      const FieldWindow& w = *window_;
      const std::ptrdiff_t near = w.index_of(at.row, at.col), far = near + w.stride;
      const std::int32_t col = at.col - w.column, row = at.row - w.row;
      vertex[0] = {{w.x[col], w.y[row], w.z[near]}};
      const Vector opposite{{w.x[col + 1], w.y[row + 1], w.z[far + 1]}};
      vertex[1] = at.half == 0 ? Vector{{w.x[col + 1], w.y[row], w.z[near + 1]}} : opposite;
      vertex[2] = at.half == 0 ? opposite : Vector{{w.x[col], w.y[row + 1], w.z[far]}};
      const double sum = (vertex[0][2] + vertex[1][2]) + vertex[2][2];
      return sum - sum == 0;
    }
    bool is_there = true;
    for (int k = 0; k < 3; ++k) {
      vertex[k] = position(sample_of(at, k));
      is_there &= vertex[k][2] - vertex[k][2] == 0;
    }
    return is_there;
  }
  /// Where the vertices of a triangle are, and its unit normal, upward for a field's. False for
  /// holes, beyond all fields and without area.
  bool triangle(const TrianglePlace& at, Vector (&vertex)[3], Vector& normal) const;
  /// Whether the window has a triangle, and then its normal, which is not a number if the triangle
  /// does not exist.
  bool has_normal(const TrianglePlace& at, Vector& normal) const {
    if (!is_in_window(at)) return false;
    const std::ptrdiff_t cell = window_->index_of(at.row, at.col);
    const double size = window_->size[at.half][cell];
    for (int k = 0; k < 3; ++k) normal[k] = window_->normal[at.half][k][cell];
    if (!(size > 0) || !(size - size == 0)) normal[2] = __builtin_nan("");
    return true;
  }
  /// The normal of a triangle's front, and whether its vertices are clockwise there. False without
  /// area.
  bool front(const Vector (&vertex)[3], Vector& normal, bool& is_flipped) const;
  /// Whether the shape is behind a triangle of one side.
  bool is_behind(const Vector (&vertex)[3], const Vector& normal) const {
    return mesh_ != nullptr && dot(normal, vertex[0] - inner_) > 0;
  }
  /// How far rounding of the samples may move a height.
  double height_rounding() const {
    const double low = magnitude(double(field_.low)), high = magnitude(double(field_.high));
    return double(kRounding<T>) * (low > high ? low : high);
  }

 private:
  bool is_in_window(const TrianglePlace& at) const {
    return window_ != nullptr && window_->has_cell(at.row, at.col);
  }
  static double in(const HeightfieldView<T>& view, std::int32_t row, std::int32_t col) {
    return double(view.heights[std::ptrdiff_t{row} * view.columns + col]);
  }

  HeightfieldView<T> field_;                         // of a mesh its cells and range alone
  const MeshView<T>* mesh_ = nullptr;                // null for a field
  const HeightfieldView<T>* beyond_[4];              // as `neighbours`, null where none fits
  const HeightfieldView<T>* beyond_corner_[4] = {};  // at -x -y, +x -y, -x +y, +x +y
  const FieldWindow* window_ = nullptr;
  Vector origin_, inner_{{0, 0, 0}};
  bool is_two_sided_ = false;
};

/// The unit normal of a triangle, upward for a field's; false for one without area.
WIDEPHASE_INLINE bool triangle_normal(const Vector (&vertex)[3], Vector& normal) {
  const Vector across = cross(vertex[1] - vertex[0], vertex[2] - vertex[0]);
  const double size = root(dot(across, across));
  if (!(size > 0) || !(size - size == 0)) return false;
  normal = {{across[0] / size, across[1] / size, across[2] / size}};
  return true;
}

/// Whether a point comes before another, by its numbers.
WIDEPHASE_INLINE bool is_lower_place(const Vector& a, const Vector& b) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] != b[k]) return a[k] < b[k];
  }
  return false;
}
/// The same to the bit, whichever vertex is the first.
WIDEPHASE_INLINE bool lasting_normal(const Vector (&vertex)[3], Vector& normal) {
  int first = is_lower_place(vertex[1], vertex[0]) ? 1 : 0;
  first = is_lower_place(vertex[2], vertex[first]) ? 2 : first;
  const Vector turned[3] = {vertex[first], vertex[(first + 1) % 3], vertex[(first + 2) % 3]};
  return triangle_normal(turned, normal);
}

template <class T>
bool FieldTriangles<T>::triangle(const TrianglePlace& at, Vector (&vertex)[3],
                                 Vector& normal) const {
  if (!vertices(at, vertex)) return false;
  if (mesh_ != nullptr) return lasting_normal(vertex, normal);
  return has_normal(at, normal) ? normal[2] - normal[2] == 0 : triangle_normal(vertex, normal);
}

template <class T>
bool FieldTriangles<T>::front(const Vector (&vertex)[3], Vector& normal, bool& is_flipped) const {
  is_flipped = false;
  const bool has =
      mesh_ != nullptr ? lasting_normal(vertex, normal) : triangle_normal(vertex, normal);
  if (!has) return false;
  is_flipped = is_two_sided_ && is_behind(vertex, normal);
  if (is_flipped) normal = -normal;
  return true;
}

}  // namespace
}  // namespace widephase
