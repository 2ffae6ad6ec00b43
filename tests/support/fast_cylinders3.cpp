#include "support/fast_cylinders3.hpp"

namespace widephase::test {

namespace {

/// A unit vector perpendicular to `n`.
Vec3d any_across(Vec3d n) {
  const Vec3d v = cross(n, std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  return 1 / length(v) * v;
}

}  // namespace

CircleArc circle_across(Vec3d direction, Vec3d axis) {
  const Vec3d across = cross(axis, direction);
  const double size = length(across);
  const Vec3d u = size > 1e-9 ? 1 / size * across : any_across(direction);
  return {u, cross(direction, u), 0, 4 * kQuarterTurn};
}

namespace {

/// Descends from `n` to a minimum near it. Each step uses the quadratic through six directions, as
/// long as values decrease. Gives up if the value is not soon below `limit`.
template <class Value>
Vec3d downhill(Vec3d n, double limit, Value&& value) {
  double least = value(n);
  double step = 0.1;
  for (int round = 0; round < 40 && step > 1e-6 && (round < 4 || least < limit); ++round) {
    const Vec3d u = any_across(n), w = cross(n, u);
    const auto at = [&](double x, double y) {
      const Vec3d v = n + step * (x * u + y * w);
      return 1 / length(v) * v;
    };
    const double right = value(at(1, 0)), left = value(at(-1, 0));
    const double up = value(at(0, 1)), down = value(at(0, -1)), corner = value(at(1, 1));
    const double slope_x = (right - left) / 2, slope_y = (up - down) / 2;
    const double bend_xx = right + left - 2 * least, bend_yy = up + down - 2 * least;
    const double bend_xy = corner - right - up + least;
    const double det = bend_xx * bend_yy - bend_xy * bend_xy;
    const bool is_bowl = bend_xx > 0 && det > 0;
    const double x = is_bowl ? (bend_xy * slope_y - bend_yy * slope_x) / det : -slope_x;
    const double y = is_bowl ? (bend_xy * slope_x - bend_xx * slope_y) / det : -slope_y;
    const double size = std::sqrt(x * x + y * y);
    if (!(size > 0)) break;
    const double share = is_bowl ? std::min(1.0, 2 / size) : 1 / size;
    const Vec3d tried = at(share * x, share * y);
    const double there = value(tried);
    if (there < least) {
      n = tried;
      least = there;
      step *= std::clamp(2 * share * size, 0.1, 2.0);
    } else {
      step /= 4;
    }
  }
  return n;
}

}  // namespace

void try_cylinders(const FastShape& a, const FastShape& b, LeastDepth& best) {
  const Vec3d apart = b.center - a.center;
  const auto both = [&](Vec3d n) {
    best.consider(n);
    best.consider(-n);
  };
  const Vec3d axis_a = a.axes[2], axis_b = b.axes[2];
  both(axis_a);
  both(axis_b);
  const Vec3d across = cross(axis_a, axis_b);
  if (length(across) > 0) both(1 / length(across) * across);
  const auto value = [&](Vec3d n) { return a.around(n) + b.around(n) - dot(n, apart); };
  for (const auto& [axis, other] : {std::pair(axis_a, axis_b), std::pair(axis_b, axis_a)}) {
    search_quarters(circle_across(axis, other), value, [&](Vec3d n) { best.consider(n); });
  }
  // Rims: descend from the best of 26 directions, and from the best direction so far.
  struct Start {
    double depth;
    Vec3d n;
  };
  std::array<Start, 27> starts;
  std::size_t count = 0;
  starts[count++] = {best.least(), best.normal()};
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3d v = turned(a.axes, {double(x), double(y), double(z)});
        const Vec3d n = 1 / length(v) * v;
        starts[count++] = {value(n), n};
      }
    }
  }
  std::partial_sort(starts.begin(), starts.begin() + 4, starts.end(),
                    [](const Start& s, const Start& t) { return s.depth < t.depth; });
  for (std::size_t i = 0; i < 4; ++i) {
    best.consider(downhill(starts[i].n, best.least() + 0.1 * (a.reach + b.reach), value));
  }
}

}  // namespace widephase::test
