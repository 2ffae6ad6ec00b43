#pragma once

// A ray against a height field: the solid below its triangles, endless downwards. Holes are not
// there; at them and at borders the solid has walls straight down.
//
// The lines of samples and diagonals cut a ray into pieces over one triangle each. The height of
// the surface over the ray is linear within a piece, and its ends are computed from the edge that
// both neighbours share. So no ray passes between two triangles, and one that starts inside stays
// there until it crosses the surface or a wall.
// Normal: of the triangle, or of the wall. Feature: face 0 of the triangle, or the edge or
// vertex over the wall. Where a ray touches several triangles at once, the lowest is named, a face before a wall.
// Cost: 3 divisions and 4 heights per triangle.
//
// A cast ball meets the triangles and walls near the ray, one by one: faces, edges and vertices at
// its radius.

#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/rays/surface_ray.hpp"

namespace widephase {
namespace {

template <class T>
class FieldRay {
 public:
  FieldRay(const HeightfieldView<T>& field, const SurfaceRay& ray) : field_(field), ray_(ray) {
    for (int k = 0; k < 2; ++k) {
      cell_[k] = double(field.cell[k]);
      from_[k] = ray.origin[k] / cell_[k];
      speed_[k] = ray.direction[k] / cell_[k];
    }
    cells_[0] = field.columns - 1;
    cells_[1] = field.rows - 1;
    const double low = magnitude(double(field.low)), high = magnitude(double(field.high));
    size_ = low > high ? low : high;
  }

  SurfaceMeet enter() const {
    if (field_.high < field_.low) return {};
    const Over below = over(from_[0], from_[1]);
    SurfaceMeet meet;
    meet.is_inside = (below.is_there && below.height >= ray_.origin[2]) ||
                     (ray_.reach > 0 && is_near(0));
    meet.is_met = meet.is_inside;
    if (meet.is_inside) return meet;
    if (ray_.reach > 0) return enter_ball();
    if (speed_[0] != 0 || speed_[1] != 0) return enter_point();
    if (!below.is_there || !(ray_.direction[2] < 0)) return meet;
    return face(below.at, (below.height - ray_.origin[2]) / ray_.direction[2]);
  }
  /// Where a ray that starts inside leaves.
  SurfaceMeet leave() const { return ray_.reach > 0 ? leave_ball() : leave_point(); }

 private:
  /// A piece of the ray over one triangle, or over a hole.
  struct Piece {
    double from, to;
    double gap_from, gap_to;  ///< the surface above the ray
    TrianglePlace at;
    int from_edge;  ///< of the triangle, -1 in its middle
    bool is_there;
    bool is_shared = false;  ///< the ray runs along an edge
  };
  /// The surface at a place.
  struct Over {
    bool is_there = false;
    TrianglePlace at{0, 0, 0};
    double height = 0;
  };

  // --- Samples and triangles ---

  double sample(std::int32_t row, std::int32_t col) const {
    return double(field_.heights[std::ptrdiff_t{row} * field_.columns + col]);
  }
  bool is_in(const TrianglePlace& at) const {
    return at.row >= 0 && at.col >= 0 && at.row < cells_[1] && at.col < cells_[0];
  }
  bool is_there(const TrianglePlace& at) const {
    if (!is_in(at)) return false;
    const double sum = sample(at.row, at.col) + sample(at.row + 1, at.col + 1) +
                       (at.half == 0 ? sample(at.row, at.col + 1) : sample(at.row + 1, at.col));
    return sum == sum;
  }
  std::int32_t number_of(const TrianglePlace& at) const {
    return 2 * (at.row * field_.columns + at.col) + at.half;
  }
  Vector vertex_of(const TrianglePlace& at, int k) const {
    const SamplePlace s = sample_of(at, k);
    return {{double(s.col) * cell_[0], double(s.row) * cell_[1], sample(s.row, s.col)}};
  }
  /// How steep a triangle is along both axes, by cells.
  void slopes(const TrianglePlace& at, double& x, double& y) const {
    const double low = sample(at.row, at.col), high = sample(at.row + 1, at.col + 1);
    const double side =
        at.half == 0 ? sample(at.row, at.col + 1) : sample(at.row + 1, at.col);
    x = at.half == 0 ? side - low : high - side;
    y = at.half == 0 ? high - side : side - low;
  }
  Vector normal_of(const TrianglePlace& at) const {
    double x, y;
    slopes(at, x, y);
    return unit_of(Vector{{-x / cell_[0], -y / cell_[1], 1}});
  }
  double height_at(const TrianglePlace& at, double x, double y) const {
    double along_x, along_y;
    slopes(at, along_x, along_y);
    return sample(at.row, at.col) + (along_x * (x - at.col) + along_y * (y - at.row));
  }
  /// The outward normal of a wall under an edge.
  Vector wall_normal(const TrianglePlace& at, int edge) const {
    const Vector along = vertex_of(at, (edge + 1) % 3) - vertex_of(at, edge);
    return unit_of(Vector{{along[1], -along[0], 0}});
  }
  /// Whether a neighbour goes on behind a border, which has no wall then.
  bool goes_on(const TrianglePlace& at, int edge) const {
    const TrianglePlace other = across_edge(at, edge).place;
    const int side = other.col < 0             ? 0
                     : other.col >= cells_[0]  ? 1
                     : other.row < 0           ? 2
                     : other.row >= cells_[1]  ? 3
                                               : -1;
    return side >= 0 && field_.neighbours[side] >= 0;
  }
  /// The triangle over a place, borders included; of several the lowest that is there.
  Over over(double x, double y) const {
    Over found;
    if (!(x >= 0 && x <= cells_[0] && y >= 0 && y <= cells_[1])) return found;
    const auto last_row = static_cast<std::int32_t>(y), last_col = static_cast<std::int32_t>(x);
    for (std::int32_t row = last_row - (y == last_row ? 1 : 0); row <= last_row; ++row) {
      for (std::int32_t col = last_col - (x == last_col ? 1 : 0); col <= last_col; ++col) {
        const double right = x - col, up = y - row;
        for (int half = 0; half < 2; ++half) {
          if (half == 0 ? up > right : up < right) continue;
          const TrianglePlace at{row, col, half};
          if (!is_there(at)) continue;
          return {true, at, height_at(at, x, y)};
        }
      }
    }
    return found;
  }

  SurfaceMeet face(const TrianglePlace& at, double t) const {
    return {true, false, t > 0 ? t : 0, normal_of(at), number_of(at), surface_face()};
  }
  /// A wall; a seam to a neighbour counts as the face beside it.
  SurfaceMeet wall(const TrianglePlace& at, int edge, double t) const {
    SurfaceMeet meet = face(at, t);
    if (edge < 0 || goes_on(at, edge)) return meet;
    meet.normal = wall_normal(at, edge);
    meet.feature = surface_edge(edge);
    return meet;
  }

  // --- Points that move ---

  /// Calls `visit(piece)` along the ray until it answers false. From `first` on, or where the ray
  /// comes over the field; up to `last`.
  template <class Visit>
  void walk(double first, double last, const Visit& visit) const {
    double start = first, end = last;
    int side = -1;  // 0 to 3: the ray comes over the border at -x, +x, -y, +y
    for (int k = 0; k < 2; ++k) {
      if (speed_[k] == 0) {
        if (!(from_[k] >= 0 && from_[k] <= cells_[k])) return;
        continue;
      }
      const double to_low = (0 - from_[k]) / speed_[k];
      const double to_high = (double(cells_[k]) - from_[k]) / speed_[k];
      const double in = speed_[k] > 0 ? to_low : to_high, out = speed_[k] > 0 ? to_high : to_low;
      if (in > start) {
        start = in;
        side = 2 * k + (speed_[k] > 0 ? 0 : 1);
      }
      end = out < end ? out : end;
    }
    if (!(start <= end)) return;

    std::int32_t cell[2];
    double place[2];
    for (int k = 0; k < 2; ++k) {
      const double at = from_[k] + start * speed_[k], most = double(cells_[k]);
      place[k] = at > 0 ? (at < most ? at : most) : 0;
      if (side == 2 * k) place[k] = 0;
      if (side == 2 * k + 1) place[k] = most;
      cell[k] = static_cast<std::int32_t>(place[k]);
      const bool is_back = speed_[k] < 0 && place[k] == cell[k] && cell[k] > 0;
      if (is_back || cell[k] == cells_[k]) --cell[k];
    }
    // A ray along a line of samples or a diagonal is over the triangles on both sides of it.
    const double turn = speed_[1] - speed_[0], shift = from_[1] - from_[0];
    int level = -1;
    for (int k = 0; k < 2; ++k) {
      if (speed_[k] == 0 && from_[k] == cell[k]) level = k;
    }
    Lines lines;
    lines.level = level;
    lines.is_diagonal = turn == 0 && shift == static_cast<double>(cell[1]) - cell[0];
    lines.diagonal = cell[1] - cell[0];

    double rest = (place[1] - cell[1]) - (place[0] - cell[0]);  // above the diagonal
    int half = rest > 0 || (rest == 0 && turn > 0) ? 1 : 0;
    if (side >= 0) half = side == 0 || side == 3 ? 1 : 0;
    int edge = side < 0 ? -1 : entry_edge(side);
    TrianglePlace at{cell[1], cell[0], half};
    double gap = height_at(at, place[0], place[1]) - z_at(start);
    if (side >= 0) gap = side_height(at, side, start) - z_at(start);
    double from = start;
    for (;;) {
      double to = __builtin_inf();
      int leaves = -1;
      for (int k = 0; k < 2; ++k) {
        if (speed_[k] == 0) continue;
        const auto line = static_cast<double>(k == 0 ? at.col : at.row) + (speed_[k] > 0 ? 1 : 0);
        const double t = (line - from_[k]) / speed_[k];
        if (t < to) {
          to = t;
          leaves = 2 * k + (speed_[k] > 0 ? 1 : 0);
        }
      }
      if (leaves < 0) return;  // straight down
      to = to > from ? to : from;
      const int last_half = leaves == 0 || leaves == 3 ? 1 : 0;
      if (last_half != at.half) {
        double t = from;
        if (turn != 0) t = ((static_cast<double>(at.row) - at.col) - shift) / turn;
        t = t > from ? (t < to ? t : to) : from;
        const double gap_to = diagonal_height(at, t) - z_at(t);
        if (!give(visit, {from, t, gap, gap_to, at, edge, false}, lines)) return;
        from = t;
        gap = gap_to;
        at.half = last_half;
        edge = last_half == 0 ? 2 : 0;
      }
      const double gap_to = side_height(at, leaves, to) - z_at(to);
      if (!give(visit, {from, to, gap, gap_to, at, edge, false}, lines)) return;
      if (leaves < 2) {
        at.col += leaves == 1 ? 1 : -1;
      } else {
        at.row += leaves == 3 ? 1 : -1;
      }
      if (to > end || !is_in(at)) return;
      from = to;
      gap = gap_to;
      // It comes in at the opposite side.
      const int in = leaves ^ 1;
      at.half = in == 0 || in == 3 ? 1 : 0;
      edge = entry_edge(in);
    }
  }
  /// The edge of the triangle that a ray enters first at a side of a cell.
  static int entry_edge(int side) {
    constexpr int kEdges[4] = {2, 1, 0, 1};
    return kEdges[side];
  }
  double z_at(double t) const { return ray_.origin[2] + t * ray_.direction[2]; }
  static double between(double low, double high, double share) {
    if (!(share > 0)) return low;  // `high` may be a hole
    return share < 1 ? low + share * (high - low) : high;
  }
  /// The height at a side of a cell, from its two samples.
  double side_height(const TrianglePlace& at, int side, double t) const {
    if (side < 2) {
      const std::int32_t col = at.col + side;
      return between(sample(at.row, col), sample(at.row + 1, col),
                     from_[1] + t * speed_[1] - at.row);
    }
    const std::int32_t row = at.row + side - 2;
    return between(sample(row, at.col), sample(row, at.col + 1),
                   from_[0] + t * speed_[0] - at.col);
  }
  double diagonal_height(const TrianglePlace& at, double t) const {
    return between(sample(at.row, at.col), sample(at.row + 1, at.col + 1),
                   from_[0] + t * speed_[0] - at.col);
  }
  /// The lines that a ray runs along.
  struct Lines {
    int level;  ///< 0: of samples of one column, 1: of one row, -1: neither
    bool is_diagonal;
    std::int32_t diagonal;  ///< row - column of its cells
  };
  /// Gives a piece, of the triangle on the other side if the ray runs along an edge of a hole.
  template <class Visit>
  bool give(const Visit& visit, Piece piece, const Lines& lines) const {
    piece.is_there = is_there(piece.at);
    TrianglePlace other = piece.at;
    if (lines.is_diagonal && piece.at.row - piece.at.col == lines.diagonal) {
      other.half = 1 - other.half;
    } else if (lines.level == 0 && piece.at.half == 1) {
      other = {piece.at.row, piece.at.col - 1, 0};
    } else if (lines.level == 1 && piece.at.half == 0) {
      other = {piece.at.row - 1, piece.at.col, 1};
    } else {
      return visit(piece);
    }
    piece.is_shared = true;
    if (piece.is_there || !is_there(other)) return visit(piece);
    const auto gap = [&](double t) {
      return height_at(other, from_[0] + t * speed_[0], from_[1] + t * speed_[1]) - z_at(t);
    };
    return visit({piece.from, piece.to, gap(piece.from), gap(piece.to), other, -1, true, true});
  }

  /// Where the ray is no higher than the highest sample; false if it never is.
  bool find_low_part(double& from, double& to) const {
    const double top = double(field_.high) + ray_.reach, rise = ray_.direction[2];
    const double above = ray_.origin[2] - top;
    const double slack = 1e-12 * (size_ + ray_.reach + magnitude(ray_.origin[2]));
    if (rise == 0) return above <= slack;
    const double t = (slack - above) / rise;
    if (rise < 0) {
      from = t > from ? t : from;
    } else {
      to = t < to ? t : to;
    }
    return from <= to;
  }

  SurfaceMeet enter_point() const {
    SurfaceMeet meet;
    double from = 0, to = ray_.most;
    if (!find_low_part(from, to)) return meet;
    bool was_there = false;
    walk(from, to, [&](const Piece& piece) {
      const bool is_first = !was_there;
      was_there = piece.is_there;
      if (!piece.is_there) return touch_corner(piece, meet);
      if (piece.gap_from >= 0) {
        // From a hole or over a border: the wall, or the surface where it is touched.
        const bool is_wall = is_first && piece.gap_from > 0;
        meet = is_wall ? wall_before(piece) : face(piece.at, piece.from);
        if (!is_wall) name_lowest(meet);
        return false;
      }
      if (!(piece.gap_to >= 0)) return true;
      const double way = piece.to - piece.from, fall = piece.gap_to - piece.gap_from;
      const double t = piece.from + way * (-piece.gap_from / fall);
      meet = face(piece.at, t < piece.to ? t : piece.to);
      if (piece.gap_to == 0 || piece.is_shared) name_lowest(meet);
      return false;
    });
    return meet;
  }
  /// A ray that passes a hole may touch the corner of a triangle at a sample.
  bool touch_corner(const Piece& piece, SurfaceMeet& meet) const {
    for (const double t : {piece.from, piece.to}) {
      const double x = from_[0] + t * speed_[0], y = from_[1] + t * speed_[1];
      if (x != floor_of(x) || y != floor_of(y)) continue;
      const Over corner = over(x, y);
      if (!corner.is_there || !(corner.height >= z_at(t))) continue;
      meet = corner.height > z_at(t) ? wall_near(corner.at, t, -1) : face(corner.at, t);
      return false;
    }
    return true;
  }
  /// Names the lowest triangle that is there at a place on an edge.
  void name_lowest(SurfaceMeet& meet) const {
    const Over lowest = over(from_[0] + meet.t * speed_[0], from_[1] + meet.t * speed_[1]);
    if (lowest.is_there && number_of(lowest.at) < meet.part) meet = face(lowest.at, meet.t);
  }

  SurfaceMeet leave_point() const {
    SurfaceMeet meet;
    if (speed_[0] == 0 && speed_[1] == 0) {
      const Over below = over(from_[0], from_[1]);
      if (!below.is_there || !(ray_.direction[2] > 0)) return meet;
      return face(below.at, (below.height - ray_.origin[2]) / ray_.direction[2]);
    }
    Piece before{};
    bool is_in_field = false;
    walk(0, ray_.most, [&](const Piece& piece) {
      if (!piece.is_there && is_in_field && !(piece.to > piece.from)) return true;
      if (!piece.is_there) {
        if (is_in_field) {
          meet = wall_near(before.at, before.to, 1);
        } else {
          // It starts on an edge that only triangles behind it have.
          const Over behind = over(from_[0], from_[1]);
          if (behind.is_there) meet = face(behind.at, 0);
        }
        return false;
      }
      is_in_field = true;
      before = piece;
      if (piece.gap_to >= 0) return true;
      const double fall = piece.gap_from - piece.gap_to;
      double t = piece.from;
      if (piece.gap_from > 0) t += (piece.to - piece.from) * (piece.gap_from / fall);
      meet = face(piece.at, t < piece.to ? t : piece.to);
      return false;
    });
    if (meet.is_met || !is_in_field || before.gap_to < 0) return meet;
    // The border, unless the ray ends before.
    return before.to <= ray_.most ? wall_near(before.at, before.to, 1) : meet;
  }
  SurfaceMeet wall_before(const Piece& piece) const {
    if (piece.from_edge >= 0) return wall(piece.at, piece.from_edge, piece.from);
    return wall_near(piece.at, piece.from, -1);
  }
  /// The wall of a triangle that a ray goes through at t: out of it if `way` is 1, into it if -1.
  SurfaceMeet wall_near(const TrianglePlace& at, double t, int way) const {
    int chosen = -1;
    double steepest = -1;
    const Vector place = ray_.at(t);
    for (int edge = 0; edge < 3; ++edge) {
      if (is_there(across_edge(at, edge).place)) continue;
      const Vector a = vertex_of(at, edge), b = vertex_of(at, (edge + 1) % 3);
      const Vector out = wall_normal(at, edge);
      const double rise = way * dot(out, ray_.direction), apart = magnitude(dot(out, place - a));
      const double near = 1e-9 * (magnitude(b[0] - a[0]) + magnitude(b[1] - a[1]));
      if (!(rise >= 0) || apart > near || rise <= steepest) continue;
      steepest = rise;
      chosen = edge;
    }
    if (chosen >= 0) return wall(at, chosen, t);
    // The line below a corner.
    SurfaceMeet meet = face(at, t);
    meet.normal = unit_or(scaled({{ray_.direction[0], ray_.direction[1], 0}}, way), meet.normal);
    double nearest = __builtin_inf();
    for (int k = 0; k < 3; ++k) {
      const Vector apart = vertex_of(at, k) - place;
      const double away = apart[0] * apart[0] + apart[1] * apart[1];
      if (!(away < nearest)) continue;
      nearest = away;
      meet.feature = surface_vertex(k);
    }
    return meet;
  }

  // --- Balls that move ---

  /// A triangle with its walls, at the ball's radius: calls `visit(stretch, number)` for each.
  template <class Visit>
  void visit_bodies(const TrianglePlace& at, const Visit& visit) const {
    if (!is_there(at)) return;
    const Vector vertex[3] = {vertex_of(at, 0), vertex_of(at, 1), vertex_of(at, 2)};
    // Edges lead from the sample that comes first.
    const bool is_turned[3] = {false, at.half == 1, true};
    visit(triangle_stretch(ray_, vertex, normal_of(at), is_turned), number_of(at));
    for (int k = 0; k < 3; ++k) {
      if (is_there(across_edge(at, k).place)) continue;
      visit(wall_stretch(at, vertex, k), number_of(at));
    }
  }
  Stretch wall_stretch(const TrianglePlace& at, const Vector (&vertex)[3], int k) const {
    Stretch body;
    const Vector &a = vertex[k], &b = vertex[(k + 1) % 3];
    const Vector out = wall_normal(at, k), along = b - a, apart = ray_.origin - a;
    const Vector level{{along[0], along[1], 0}};
    const double height = dot(out, apart), rise = dot(out, ray_.direction);
    double from = -__builtin_inf(), to = __builtin_inf();
    cut_half(height + ray_.reach, rise, from, to);
    cut_half(ray_.reach - height, -rise, from, to);
    const double length2 = dot(level, level);
    const double place = dot(apart, level) / length2, speed = dot(ray_.direction, level) / length2;
    cut_half(place, speed, from, to);
    cut_half(1 - place, -speed, from, to);
    // Below the edge.
    cut_half(place * along[2] - apart[2], speed * along[2] - ray_.direction[2], from, to);
    const Vector down{{0, 0, -1}};
    if (from <= to) {
      const auto side = [&](double t) { return height + t * rise < 0 ? -out : out; };
      body.add(from, to, surface_edge(k), side(from < -1e300 ? 0 : from),
               side(to > 1e300 ? 0 : to));
    }
    add_cylinder(ray_, a, along, false, surface_edge(k), body);
    add_cylinder(ray_, a, down, true, surface_vertex(k), body);
    add_cylinder(ray_, b, down, true, surface_vertex((k + 1) % 3), body);
    add_ball(ray_, a, surface_vertex(k), body);
    add_ball(ray_, b, surface_vertex((k + 1) % 3), body);
    return body;
  }
  /// Cells within the ball's reach of a range of places along an axis, and a little more.
  void cells_near(int k, double low, double high, std::int32_t& begin, std::int32_t& end) const {
    const double reach = ray_.reach / cell_[k];
    const double slack = 1e-9 * (1 + magnitude(low) + magnitude(high) + reach);
    const double first = floor_of(low - reach - slack);
    const double last = floor_of(high + reach + slack);
    const double most = double(cells_[k]);
    begin = first > 0 ? static_cast<std::int32_t>(first < most ? first : most) : 0;
    end = last + 1 < most ? static_cast<std::int32_t>(last + 1 > 0 ? last + 1 : 0) : cells_[k];
  }
  template <class Visit>
  void visit_near(double t, const Visit& visit) const {
    const double x = from_[0] + t * speed_[0], y = from_[1] + t * speed_[1];
    std::int32_t begin[2], end[2];
    cells_near(0, x, x, begin[0], end[0]);
    cells_near(1, y, y, begin[1], end[1]);
    for (std::int32_t row = begin[1]; row < end[1]; ++row) {
      for (std::int32_t col = begin[0]; col < end[0]; ++col) {
        for (int half = 0; half < 2; ++half) visit_bodies({row, col, half}, visit);
      }
    }
  }
  bool is_near(double t) const {
    bool found = false;
    visit_near(t, [&](const Stretch& body, std::int32_t) {
      found |= body.low <= t && t <= body.high;
    });
    return found;
  }

  SurfaceMeet enter_ball() const {
    SurfaceMeet meet;
    double from = 0, to = ray_.most;
    if (!find_low_part(from, to)) return meet;
    const auto take = [&](const Stretch& body, std::int32_t number) {
      if (body.is_empty() || !(body.low >= 0)) return;
      meet.take({true, false, body.low, body.low_normal, number, body.low_feature});
    };
    const int main = magnitude(speed_[1]) > magnitude(speed_[0]) ? 1 : 0, other = 1 - main;
    if (speed_[main] == 0) {
      visit_near(0, take);
      return meet;
    }
    // Rows of cells across the axis along which the ray is fastest.
    const double reach = ray_.reach / cell_[main];
    const bool is_up = speed_[main] > 0;
    const double inverse = 1 / speed_[main];
    const double in = ((is_up ? -reach : cells_[main] + reach) - from_[main]) * inverse;
    const double out = ((is_up ? cells_[main] + reach : -reach) - from_[main]) * inverse;
    from = in > from ? in : from;
    to = out < to ? out : to;
    if (!(from <= to)) return meet;
    std::int32_t begin, end;
    {
      const double a = from_[main] + from * speed_[main], b = from_[main] + to * speed_[main];
      cells_near(main, a < b ? a : b, a < b ? b : a, begin, end);
    }
    for (std::int32_t n = 0; n < end - begin; ++n) {
      const std::int32_t line = is_up ? begin + n : end - 1 - n;
      // The stretch within reach of this line of cells.
      const double slack = 1e-9 * (1 + magnitude(from_[main]) + cells_[main] + reach);
      const double low = line - reach - slack, high = line + 1 + reach + slack;
      double first = ((is_up ? low : high) - from_[main]) * inverse;
      double last = ((is_up ? high : low) - from_[main]) * inverse;
      first = first > from ? first : from;
      last = last < to ? last : to;
      if (meet.is_met && first > meet.t) break;
      if (!(first <= last)) continue;
      const double a = from_[other] + first * speed_[other];
      const double b = from_[other] + last * speed_[other];
      const double z0 = z_at(first), z1 = z_at(last);
      const double lowest = (z0 < z1 ? z0 : z1) - ray_.reach - 1e-12 * (size_ + magnitude(z0));
      std::int32_t first_cell, end_cell;
      cells_near(other, a < b ? a : b, a < b ? b : a, first_cell, end_cell);
      for (std::int32_t cell = first_cell; cell < end_cell; ++cell) {
        const std::int32_t row = main == 0 ? cell : line, col = main == 0 ? line : cell;
        if (!(highest_of(row, col) >= lowest)) continue;
        for (int half = 0; half < 2; ++half) visit_bodies({row, col, half}, take);
      }
    }
    return meet;
  }
  /// The highest sample of a cell that is there.
  double highest_of(std::int32_t row, std::int32_t col) const {
    double most = -__builtin_inf();
    for (int k = 0; k < 4; ++k) {
      const double height = sample(row + k / 2, col + k % 2);
      most = height > most ? height : most;
    }
    return most;
  }

  /// From one body to the next, as far as they reach.
  SurfaceMeet leave_ball() const {
    SurfaceMeet meet;
    meet.is_inside = true;
    double t = 0;
    do {
      t = meet.t;
      SurfaceMeet next = meet;
      visit_near(t, [&](const Stretch& body, std::int32_t number) {
        if (!(body.low <= t && body.high >= t)) return;
        if (next.is_met && !(body.high > next.t)) return;
        next = {true, true, body.high, body.high_normal, number, body.high_feature};
      });
      const Over below = over(from_[0] + t * speed_[0], from_[1] + t * speed_[1]);
      if (below.is_there && below.height >= z_at(t)) {
        const SurfaceRay rest{ray_.at(t), ray_.direction, 0, __builtin_inf()};
        SurfaceMeet out = FieldRay(field_, rest).leave_point();
        if (!out.is_met) return {};
        out.t += t;
        if (!next.is_met || out.t > next.t) next = out;
      }
      meet = next;
    } while (meet.t > t && meet.t <= ray_.most);
    return meet.t < __builtin_inf() ? meet : SurfaceMeet();
  }

  const HeightfieldView<T>& field_;
  const SurfaceRay& ray_;
  double cell_[2];
  std::int32_t cells_[2];
  double from_[2], speed_[2];  // in cells
  double size_;                // of the heights
};

}  // namespace
}  // namespace widephase
