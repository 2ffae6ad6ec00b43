#pragma once

// A ray or a cast ball against a height field. The ball meets the triangles and walls near the ray,
// one by one: faces, edges and vertices at its radius. From inside it goes from one of these, or
// from the solid, to the next as far as they reach.

#include "kernels/rays/ray_field.hpp"

namespace widephase {
namespace {

template <class T>
class FieldRay : private FieldPoint<T> {
 public:
  FieldRay(const HeightfieldView<T>& field, const FieldTops<T>* tops, const SurfaceRay& ray)
      : FieldPoint<T>(field, tops, ray) {}

  SurfaceMeet enter() const {
    if (field_.high < field_.low) return {};
    const Over below = over(from_[0], from_[1]);
    SurfaceMeet meet;
    meet.is_inside =
        (below.is_there && below.height >= ray_.origin[2]) || (ray_.reach > 0 && is_near(0));
    meet.is_met = meet.is_inside;
    if (meet.is_inside) return meet;
    if (ray_.reach > 0) return enter_ball();
    if (speed_[0] != 0 || speed_[1] != 0) return this->enter_point();
    if (!below.is_there || !(ray_.direction[2] < 0)) return meet;
    return face(below.at, (below.height - ray_.origin[2]) / ray_.direction[2]);
  }
  /// Where a ray that starts inside leaves.
  SurfaceMeet leave() const { return ray_.reach > 0 ? leave_ball() : this->leave_point(); }

 private:
  using Ground = FieldGround<T>;
  using Ground::cell_;
  using Ground::cells_;
  using Ground::face;
  using Ground::field_;
  using Ground::find_low_part;
  using Ground::from_;
  using Ground::is_there;
  using Ground::normal_of;
  using Ground::number_of;
  using Ground::over;
  using Ground::ray_;
  using Ground::sample;
  using Ground::size_;
  using Ground::speed_;
  using Ground::vertex_of;
  using Ground::wall_normal;
  using Ground::z_at;
  using typename Ground::Over;

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
    visit_near(
        t, [&](const Stretch& body, std::int32_t) { found |= body.low <= t && t <= body.high; });
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
        SurfaceMeet out = FieldPoint<T>(field_, nullptr, rest).leave_point();
        if (!out.is_met) return {};
        out.t += t;
        if (!next.is_met || out.t > next.t) next = out;
      }
      meet = next;
    } while (meet.t > t && meet.t <= ray_.most);
    return meet.t < __builtin_inf() ? meet : SurfaceMeet();
  }
};

}  // namespace
}  // namespace widephase
