#pragma once

// How far the triangles near a shape are from its core: far, apart, or hit.

#include "kernels/core/surface/below_corners.hpp"
#include "kernels/core/surface/smooth_nearest.hpp"
#include "kernels/core/surface/surface_patches.hpp"

namespace widephase {
namespace {

template <class T>
class NearTriangles {
 public:
  NearTriangles(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room)
      : run_(run),
        own_(ascending_pair(run.pairs.pairs[i])),
        placed_(place_shape(run.pairs, own_)),
        core_(placed_.core),
        surface_(place_surface(run)),
        columns_(core_),
        arena_(room),
        margin_(margin_of(run.pairs, own_)) {}

 protected:
  FieldTriangles<T> place_surface(const SurfaceRun<T>& run) const {
    if (!traits_of(run.pairs.kind_b).is_sheet) return {run.fields, placed_.field, placed_.middle};
    const MeshView<T>& mesh = run.meshes[placed_.field];
    // Distances are to both sides.
    const bool is_two_sided = mesh.is_two_sided || run.pairs.question == Question::deepest;
    return {mesh, placed_.middle, placed_.inner, is_two_sided};
  }

  SurfaceAnswer<T> needs_more() const {
    return {nullptr, 0, 0, 0, arena_.used() + 64 * sizeof(SurfaceContact)};
  }

  /// Opens a window about the listed triangles' cells and those beside them. False if the arena is
  /// too small.
  bool open_window() {
    if (!surface_.is_solid() || core_.form == CoreForm::point) return true;
    window_.row = list_.cells.row - 1;
    window_.column = list_.cells.column - 1;
    window_.rows = list_.cells.end_row - window_.row + 2;
    window_.columns = list_.cells.end_column - window_.column + 2;
    if (std::int64_t{window_.rows} * window_.columns > FieldWindow::kMostCells) return true;
    double* const memory =
        arena_.take<double>(FieldWindow::numbers_of(window_.rows, window_.columns));
    if (memory == nullptr) return false;
    window_.set_memory(memory);
    surface_.fill(window_);
    window_.find_normals();
    window_.find_rises();
    surface_.set_window(&window_);
    return true;
  }

  /// How far a ball's centre is below the surface, a neighbour's too; 0 above it, over holes,
  /// beside the field, and for other cores.
  void find_side() {
    below_ = 0;
    if (!surface_.is_solid() || core_.form != CoreForm::point) return;
    const auto& field = surface_.field();
    const Vector& o = placed_.middle;
    const double x = o[0] / double(field.cell[0]), y = o[1] / double(field.cell[1]);
    if (!(x >= surface_.first_column() && x <= surface_.end_column())) return;
    if (!(y >= surface_.first_row() && y <= surface_.end_row())) return;
    const auto cell_at = [](double place, std::int32_t end) {
      const auto cell = static_cast<std::int32_t>(place);
      const std::int32_t floor = double(cell) > place ? cell - 1 : cell;
      return floor < end ? floor : end - 1;
    };
    TrianglePlace at{cell_at(y, surface_.end_row()), cell_at(x, surface_.end_column()), 0};
    below_side_ = surface_.side_of(at);
    at.half = x - at.col >= y - at.row ? 0 : 1;
    Vector vertex[3], normal;
    if (!surface_.vertices(at, vertex) || !triangle_normal(vertex, normal)) return;
    const double below = dot(normal, vertex[0]);
    if (below > 0) below_ = below;
  }

  /// At least the core's distance from the nearest triangle: rings of cells around the one nearest
  /// to the middle, until the next ring is farther than the best.
  double bound_nearest() {
    if (!surface_.is_solid()) return bound_nearest_of_mesh();
    const auto& field = surface_.field();
    const Vector& o = placed_.middle;
    const auto clamped = [](double x, std::int32_t cells) {
      if (!(x > 0)) return std::int32_t{0};
      return x < double(cells) ? static_cast<std::int32_t>(x) : cells - 1;
    };
    const std::int32_t rows = field.rows - 1, columns = field.columns - 1;
    const std::int32_t row0 = clamped(o[1] / double(field.cell[1]), rows);
    const std::int32_t col0 = clamped(o[0] / double(field.cell[0]), columns);
    double best = kInfinite<double>;
    Vector nearest[3] = {{{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}};
    const auto ask = [&](std::int32_t row, std::int32_t col) {
      for (int half = 0; half < 2; ++half) {
        Vector vertex[3], normal;
        if (!surface_.vertices({row, col, half}, vertex)) continue;
        if (!triangle_normal(vertex, normal)) continue;
        const double distance2 = nearest::on_triangle(vertex[0], vertex[1], vertex[2]).distance2;
        if (!(distance2 < best)) continue;
        best = distance2;
        for (int k = 0; k < 3; ++k) nearest[k] = vertex[k];
      }
    };
    const double cell = double(field.cell[0] < field.cell[1] ? field.cell[0] : field.cell[1]);
    const std::int32_t most = rows > columns ? rows : columns;
    for (std::int32_t ring = 0; ring <= most; ++ring) {
      const double apart = (ring - 1) * cell;
      if (apart > 0 && apart * apart > best) break;
      // Rings are cut to the field first: one of few rows or columns may have a million of the
      // other.
      const std::int32_t row = row0 - ring, end_row = row0 + ring;
      const std::int32_t col = col0 - ring, end_col = col0 + ring;
      const std::int32_t first_row = row > 0 ? row : 0,
                         last_row = end_row < rows ? end_row : rows - 1;
      const std::int32_t first_col = col > 0 ? col : 0;
      const std::int32_t last_col = end_col < columns ? end_col : columns - 1;
      for (std::int32_t r = first_row; r <= last_row; ++r) {
        const bool is_whole = r == row || r == end_row;
        if (is_whole) {
          for (std::int32_t c = first_col; c <= last_col; ++c) ask(r, c);
          continue;
        }
        if (col < 0 && end_col >= columns) {  // only the ring's last row is left
          if (end_row > last_row) break;
          r = last_row - 1;
          continue;
        }
        if (col >= 0) ask(r, col);
        if (end_col < columns) ask(r, end_col);
      }
    }
    return best < kInfinite<double> ? distance_bound(nearest) : best;
  }
  double bound_nearest_of_mesh() const {
    Vector nearest[3];
    const double origin[3] = {placed_.middle[0], placed_.middle[1], placed_.middle[2]};
    double best = kInfinite<double>;
    walk_to_nearest(*surface_.mesh(), origin, best, [&](std::int32_t number) {
      Vector vertex[3];
      surface_.vertices(surface_.place_of(number), vertex);
      const double distance2 = nearest::on_triangle(vertex[0], vertex[1], vertex[2]).distance2;
      if (!(distance2 < best)) return;
      best = distance2;
      for (int k = 0; k < 3; ++k) nearest[k] = vertex[k];
    });
    return best < kInfinite<double> ? distance_bound(nearest) : best;
  }
  double distance_bound(const Vector (&triangle)[3]) const {
    const NearestPair pair =
        nearest_of(core_, triangle, 3, -triangle[0], touching_, kInfinite<double>);
    // Another way to the same distance may round otherwise, by the coordinates' digits.
    return pair.distance + (double(kRounding<T>) * 16 * pair.distance + 4 * touching_ +
                            distance_rounding(triangle));
  }
  static double distance_rounding(const Vector (&triangle)[3]) {
    double size = 0;
    for (const Vector& vertex : triangle) {
      for (int k = 0; k < 3; ++k) size = magnitude(vertex[k]) > size ? magnitude(vertex[k]) : size;
    }
    return kDistanceRounding * size;
  }

  /// Whether a point is over or under a triangle; on its edges too.
  static bool is_over(const ListedTriangle& triangle, const Vector& point) {
    for (int k = 0; k < 3; ++k) {
      const Vector &a = triangle.vertex[k], &b = triangle.vertex[(k + 1) % 3];
      const double x = b[0] - a[0], y = b[1] - a[1];
      const double from_x = point[0] - a[0], from_y = point[1] - a[1];
      const double side = x * from_y - y * from_x;
      const double size = (magnitude(x) + magnitude(y)) * (magnitude(from_x) + magnitude(from_y));
      if (!(side >= -1e-14 * size)) return false;
    }
    return true;
  }

  /// Whether part of the core is below a triangle.
  bool is_hit(const ListedTriangle& triangle) const {
    if (!surface_.is_solid()) return false;  // unless nothing is between: `find_apart`
    if (core_.form == CoreForm::point) {
      return triangle.below >= 0 && is_over(triangle, {{0, 0, 0}});
    }
    if (!(triangle.below > -touching_)) return false;
    if (is_over(triangle, triangle.lowest.point)) return true;
    for (int k = 0; k < 2; ++k) {
      double low = triangle.vertex[0][k], high = low;
      for (int v = 1; v < 3; ++v) {
        low = triangle.vertex[v][k] < low ? triangle.vertex[v][k] : low;
        high = triangle.vertex[v][k] > high ? triangle.vertex[v][k] : high;
      }
      if (low > bounds_.high[k] + touching_ || high < bounds_.low[k] - touching_) return false;
    }
    if (core_.form == CoreForm::box) {
      for (const Vector& v : triangle.vertex) {
        if (is_over_box(v)) return true;
      }
    }
    return reaches_below(triangle.vertex, 3);
  }

  /// Whether part of the core is straight below a vertex, an edge or a polygon of up to 4 corners;
  /// of a mesh, whether it meets it.
  bool reaches_below(const Vector* corners, int count) const {
    if (!surface_.is_solid()) {
      return nearest_of(core_, corners, count, -corners[0], touching_, touching_).distance == 0;
    }
    Told told = Told::unclear;
    if (core_.form == CoreForm::box) {
      told = box_is_below(columns_, corners, count, touching_);
    } else if (core_.form == CoreForm::segment && count < 3) {
      told = segment_is_below(widened(core_.axis[0]), corners, count, touching_);
    }
    if (told != Told::unclear) return told == Told::yes;
    Vector prism[8];
    double floor = bounds_.low[2];
    for (int k = 0; k < count; ++k) floor = corners[k][2] < floor ? corners[k][2] : floor;
    floor -= double(core_.reach);
    for (int k = 0; k < count; ++k) {
      prism[k] = prism[count + k] = corners[k];
      prism[count + k][2] = floor;
    }
    const Vector start = scaled(prism[0] + prism[2 * count - 1], -0.5);
    return nearest_of(core_, prism, 2 * count, start, touching_, touching_).distance == 0;
  }

  /// Whether part of the core is behind a vertex or an edge of a mesh, seen along a direction. Thin
  /// cores that cross a triangle near its edge need not meet the edge.
  bool reaches_behind(const Vector* corners, int count, const Vector& u) const {
    const double far = 2 * double(core_.reach) + root(dot(corners[0], corners[0]));
    Vector strip[4];
    for (int k = 0; k < count; ++k) {
      strip[k] = corners[k];
      strip[count + k] = corners[k] - scaled(u, far);
    }
    return nearest_of(core_, strip, 2 * count, -corners[0], touching_, touching_).distance == 0;
  }

  /// Whether part of a box is straight below a point.
  bool is_over_box(const Vector& point) const {
    double low = -kInfinite<double>, high = kInfinite<double>;  // heights on the line through it
    for (int k = 0; k < 3; ++k) {
      const Vector axis = widened(core_.turn.column[k]);
      const double half = root(dot(widened(core_.axis[k]), widened(core_.axis[k])));
      const double from = axis[0] * point[0] + axis[1] * point[1];
      if (!(magnitude(axis[2]) > 1e-12)) {
        if (magnitude(from) > half) return false;
        continue;
      }
      const double a = (-half - from) / axis[2], b = (half - from) / axis[2];
      low = (a < b ? a : b) > low ? (a < b ? a : b) : low;
      high = (a < b ? b : a) < high ? (a < b ? b : a) : high;
    }
    return low <= high && low <= point[2];
  }

  void measure(bool is_nearest) {
    for (std::int32_t t = 0; t < list_.count; ++t) {
      ListedTriangle& triangle = list_.triangle[t];
      begin_search(triangle);
      const WayOut out = way_out_along(core_, triangle.normal, triangle.vertex[0]);
      triangle.below = out.depth;
      triangle.lowest = out.lowest;
      if (!(triangle.below >= -(limit_ + touching_))) continue;
      if (is_hit(triangle)) {
        set_hit(triangle);
        continue;
      }
      // Nothing apart is near.
      if (!is_nearest && !(limit_ > touching_) && surface_.is_solid()) continue;
      find_apart(triangle);
      if (is_nearest && triangle.is_own && triangle.state == TriangleState::apart &&
          triangle.distance < limit_) {
        limit_ = triangle.distance + 4 * touching_;
      }
    }
    if (core_.form == CoreForm::point && below_ > 0) keep_nearest_face();
  }

  void find_apart(ListedTriangle& triangle) {
    const Vector* const v = triangle.vertex;
    NearestPair pair;
    if (core_.form == CoreForm::point) {
      const nearest::OnFace at = nearest::on_triangle(v[0], v[1], v[2]);
      pair.count = 0;
      pair.on_core = {{0, 0, 0}};
      for (int k = 0; k < 3; ++k) {
        if (!(at.share[k] > 0)) continue;
        pair.vertex[pair.count].other = k;
        pair.vertex[pair.count].core_number = 0;
        pair.share[pair.count++] = at.share[k];
      }
      pair.on_other =
          (scaled(v[0], at.share[0]) + scaled(v[1], at.share[1])) + scaled(v[2], at.share[2]);
      pair.distance = root(at.distance2);
    } else {
      pair = nearest_of(core_, v, 3, -v[0], touching_, limit_ + touching_);
      if (pair.distance == 0) {
        set_hit(triangle);
        return;
      }
      if (!(pair.distance <= limit_ + touching_)) return;  // the search may have ended early
    }
    unsigned used = 0;
    for (int k = 0; k < pair.count; ++k) {
      if (pair.share[k] > 1e-12) used |= 1u << pair.vertex[k].other;
    }
    constexpr int kFeature[8] = {kOfFace,       kOfVertex,   kOfVertex + 1, kOfEdge,
                                 kOfVertex + 2, kOfEdge + 2, kOfEdge + 1,   kOfFace};
    triangle.feature = kFeature[used];
    triangle.distance = pair.distance;
    triangle.on_core = pair.on_core;
    triangle.on_triangle = pair.on_other;
    triangle.away = unit_or(pair.on_core - pair.on_other, triangle.normal);
    if (!has_vertices(core_.form)) {
      SmoothNearest(placed_.exact, touching_, room_->faces).settle(triangle);
    }
    // As near as the plane: then the face is nearest too, and rounding has named its edge.
    if (triangle.below < 0 && triangle.distance <= touching_ - triangle.below) {
      triangle.feature = kOfFace;
    }
    if (triangle.feature == kOfFace) {
      // Behind a face, as beside a border that it rises from, the core is on its other side.
      triangle.away = triangle.below > 0 ? -triangle.normal : triangle.normal;
      if (triangle.below < 0) triangle.distance = -triangle.below;
    }
    triangle.core_vertices = 0;
    for (int k = 0; k < pair.count; ++k) {
      triangle.core_vertex[triangle.core_vertices++] = pair.vertex[k].core_number;
    }
    const double most = core_.form == CoreForm::point && below_ > limit_ ? below_ : limit_;
    if (triangle.distance <= most) triangle.state = TriangleState::apart;
  }

  /// A ball whose centre is below the surface is nearest to one face from behind, or to the one
  /// over it. Beside a seam it is one field's alone.
  void keep_nearest_face() {
    std::int32_t best[2] = {-1, -1};  // own, neighbours'
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      const bool is_behind = triangle.state == TriangleState::apart &&
                             triangle.feature == kOfFace && triangle.below > 0;
      const bool is_over = triangle.state == TriangleState::hit;
      // The field below which the ball is always meets it, another one only if it touches it.
      const bool is_met =
          triangle.below <= limit_ || surface_.side_of(triangle.place) == below_side_;
      if (!is_over && !(is_behind && is_met)) continue;
      std::int32_t& nearest = best[triangle.is_own ? 0 : 1];
      if (nearest < 0 || triangle.below < list_.triangle[nearest].below) nearest = t;
    }
    if (best[0] < 0 && best[1] < 0) return;
    for (std::int32_t t = 0; t < list_.count; ++t) list_.triangle[t].state = TriangleState::far;
    const bool is_own = best[1] < 0 || (best[0] >= 0 && is_before(best[0], best[1]));
    set_hit(list_.triangle[best[is_own ? 0 : 1]]);
  }
  /// Whether an own face is nearer than a neighbour's. Each field rounds where the other one is, so
  /// of equal ones the lower side's counts.
  bool is_before(std::int32_t own, std::int32_t other) const {
    const Vector& o = placed_.middle;
    const double rounding = 4 * double(kRounding<T>) * root(dot(o, o));
    const double nearer = list_.triangle[other].below - list_.triangle[own].below;
    if (magnitude(nearer) > rounding) return nearer > 0;
    return surface_.side_of(list_.triangle[other].place) % 2 == 1;
  }

  const SurfaceRun<T>& run_;
  Pair own_;
  PlacedShape<T> placed_;
  const ConvexShape<T>& core_;
  FieldTriangles<T> surface_;
  BoxColumns columns_;  ///< of a box
  FieldWindow window_;
  Arena arena_;
  PatchRoom<T>* room_ = nullptr;
  CoreBounds bounds_;
  TriangleList list_;
  double margin_, limit_, touching_;
  double below_;         ///< the surface, of a ball's centre
  int below_side_ = -1;  ///< the field's below which it is, as `side_of`
};

}  // namespace
}  // namespace widephase
