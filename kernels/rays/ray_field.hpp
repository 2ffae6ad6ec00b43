#pragma once

// A ray against a height field: the solid below its triangles, endless downwards. Holes are not
// there; at them and at borders the solid has walls straight down.
//
// The lines of samples and diagonals cut a ray into pieces over one triangle each. The height of
// the surface over the ray is linear within a piece, and its ends are computed from the edge that
// both neighbours share. So no ray passes between two triangles, and one that starts inside stays
// there until it crosses the surface or a wall. Blocks of cells whose tops are known, and below the
// ray, are passed at once.
// Normal: of the triangle, or of the wall. Feature: face 0 of the triangle, or the edge or
// vertex over the wall. Where a ray touches several triangles at once, the lowest is named, a face
// before a wall. Cost: 3 divisions and 4 heights per triangle.

#include "kernels/ray_table.hpp"
#include "kernels/rays/field_ground.hpp"

namespace widephase {
namespace {

template <class T>
class FieldPoint : protected FieldGround<T> {
 public:
  FieldPoint(const HeightfieldView<T>& field, const FieldTops<T>* tops, const SurfaceRay& ray)
      : FieldGround<T>(field, ray), tops_(tops) {}

  SurfaceMeet enter_point() const {
    SurfaceMeet meet;
    double from = 0, to = ray_.most;
    if (!find_low_part(from, to)) return meet;
    bool was_there = false;
    walk(from, to, tops_ != nullptr, [&](const Piece& piece) {
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
  SurfaceMeet leave_point() const {
    SurfaceMeet meet;
    if (speed_[0] == 0 && speed_[1] == 0) {
      const Over below = over(from_[0], from_[1]);
      if (!below.is_there || !(ray_.direction[2] > 0)) return meet;
      return face(below.at, (below.height - ray_.origin[2]) / ray_.direction[2]);
    }
    Piece before{};
    bool is_in_field = false;
    walk(0, ray_.most, false, [&](const Piece& piece) {
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

 protected:
  using Ground = FieldGround<T>;
  using Ground::cells_;
  using Ground::face;
  using Ground::find_low_part;
  using Ground::from_;
  using Ground::height_at;
  using Ground::is_in;
  using Ground::is_there;
  using Ground::number_of;
  using Ground::over;
  using Ground::ray_;
  using Ground::sample;
  using Ground::size_;
  using Ground::speed_;
  using Ground::vertex_of;
  using Ground::wall;
  using Ground::wall_normal;
  using Ground::z_at;
  using typename Ground::Over;

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

  /// Calls `visit(piece)` along the ray until it answers false. From `first` on, or where the ray
  /// comes over the field; up to `last`. Blocks of cells that lie below the ray are left out if it
  /// `may_skip` them.
  template <class Visit>
  void walk(double first, double last, bool may_skip, const Visit& visit) const {
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
    double next[2] = {time_out(0, at.col), time_out(1, at.row)};
    bool is_new_block = may_skip;
    for (;;) {
      double to = next[0];
      int leaves = speed_[0] > 0 ? 1 : 0;
      if (next[1] < to) {
        to = next[1];
        leaves = speed_[1] > 0 ? 3 : 2;
      }
      if (!(to < __builtin_inf())) return;  // straight down
      to = to > from ? to : from;
      if (is_new_block && skip_block(from, at, to, leaves)) {
        gap = side_height(at, leaves, to) - z_at(to);
        if (!step(at, leaves, next) || to > end) return;
        next[0] = time_out(0, at.col);
        next[1] = time_out(1, at.row);
        from = to;
        edge = entry_edge(leaves ^ 1);
        continue;
      }
      is_new_block = false;
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
      if (!step(at, leaves, next) || to > end) return;
      const int into = leaves < 2 ? at.col : at.row;
      is_new_block =
          may_skip && (into + (leaves & 1 ? 0 : 1)) % kFieldBlock == 0;  // over a block's border
      from = to;
      gap = gap_to;
      edge = entry_edge(leaves ^ 1);
    }
  }
  /// When a ray leaves the column (k = 0) or row (k = 1) of a cell; infinite if never.
  double time_out(int k, std::int32_t cell) const {
    if (speed_[k] == 0) return __builtin_inf();
    return (static_cast<double>(cell) + (speed_[k] > 0 ? 1 : 0) - from_[k]) / speed_[k];
  }
  /// Over a side into the next cell, at the opposite side; false if it is out of the field.
  bool step(TrianglePlace& at, int side, double (&next)[2]) const {
    if (side < 2) {
      at.col += side == 1 ? 1 : -1;
      next[0] = time_out(0, at.col);
    } else {
      at.row += side == 3 ? 1 : -1;
      next[1] = time_out(1, at.row);
    }
    at.half = side == 1 || side == 2 ? 1 : 0;
    return is_in(at);
  }
  /// Whether the block of a cell lies below the ray on its way through it. Then the cell, time and
  /// side become those by which cell after cell would have left the block.
  bool skip_block(double from, TrianglePlace& at, double& to, int& leaves) const {
    const std::int32_t cell[2] = {at.col, at.row};
    std::int32_t last[2];  // cells of the block along the way
    double out[2];
    for (int k = 0; k < 2; ++k) {
      const std::int32_t begin = cell[k] / kFieldBlock * kFieldBlock;
      const std::int32_t behind = begin + kFieldBlock - 1;
      last[k] = speed_[k] > 0 ? (behind < cells_[k] ? behind : cells_[k] - 1) : begin;
      out[k] = time_out(k, last[k]);
    }
    // At a corner x comes first.
    const int k = out[1] < out[0] ? 1 : 0, other = 1 - k;
    const double end = out[k] > from ? out[k] : from;
    const double top = double(tops_->tops[std::ptrdiff_t{cell[1] / kFieldBlock} * tops_->columns +
                                          cell[0] / kFieldBlock]);
    const double slack = 1e-12 * (size_ + magnitude(ray_.origin[2]));
    const double z0 = z_at(from), z1 = z_at(end);
    if (!((z0 < z1 ? z0 : z1) > top + slack)) return false;
    std::int32_t across = cell[other];
    if (speed_[other] != 0) {
      const bool is_up = speed_[other] > 0;
      const std::int32_t way = is_up ? 1 : -1;
      const double place = floor_of(from_[other] + end * speed_[other]);
      const double least = is_up ? cell[other] : last[other];
      const double most = is_up ? last[other] : cell[other];
      across = static_cast<std::int32_t>(place > least ? (place < most ? place : most) : least);
      const auto is_left = [&](std::int32_t line) {
        const double t = time_out(other, line);
        return k == 0 ? t < out[0] : t <= out[1];
      };
      while (across != last[other] && is_left(across)) across += way;
      while (across != cell[other] && !is_left(across - way)) across -= way;
    }
    at.col = k == 0 ? last[0] : across;
    at.row = k == 0 ? across : last[1];
    to = end;
    leaves = 2 * k + (speed_[k] > 0 ? 1 : 0);
    return true;
  }
  /// The edge of the triangle that a ray enters first at a side of a cell.
  static int entry_edge(int side) {
    constexpr int kEdges[4] = {2, 1, 0, 1};
    return kEdges[side];
  }
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
    return between(sample(row, at.col), sample(row, at.col + 1), from_[0] + t * speed_[0] - at.col);
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

  const FieldTops<T>* tops_;
};

}  // namespace
}  // namespace widephase
