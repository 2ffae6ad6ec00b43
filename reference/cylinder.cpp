#include "reference/cylinder.hpp"

namespace widephase::test {

Vec<3> from_solid_cylinder(const Vec<3>& local, Real half_height, Real radius) {
  const Real rho = std::hypot(local[0], local[1]);
  const Real scale = rho > radius ? (rho - radius) / rho : 0;
  const Real over = std::max<Real>(std::abs(local[2]) - half_height, 0);
  return {scale * local[0], scale * local[1], local[2] < 0 ? -over : over};
}

Real distance_to_cylinder(const CylinderCore& cylinder, const Vec<3>& point) {
  const Vec<3> local = cylinder.local(point);
  const Real inside = std::min(cylinder.radius - std::hypot(local[0], local[1]),
                               cylinder.half_height - std::abs(local[2]));
  if (inside > 0) return inside;
  return length(from_solid_cylinder(local, cylinder.half_height, cylinder.radius));
}

RimCircle circle_across(const CylinderCore& cylinder, const Vec<3>& direction,
                        const Vec<3>& point) {
  RimCircle circle;
  const Vec<3> axis = cylinder.axes[2];
  const Vec<3> u = cross_of_units(axis, direction);
  circle.u = length(u) > 0 ? times(u, 1 / length(u)) : cylinder.axes[0];
  const Vec<3> w = cross(direction, circle.u);
  circle.w = times(w, 1 / length(w));
  circle.w_along = std::abs(dot(circle.w, axis));
  circle.w_across = std::abs(dot(direction, axis));
  circle.radius = cylinder.radius;
  circle.half_height = cylinder.half_height;
  circle.apart = minus(point, cylinder.center);
  return circle;
}

const SphereSamples& sphere_samples() {
  static const SphereSamples kSamples = [] {
    SphereSamples samples;
    constexpr int kCount = 600;
    const Real golden_angle = std::acos(Real{-1}) * (3 - std::sqrt(Real{5}));
    for (int i = 0; i < kCount; ++i) {
      const Real z = 1 - (2 * static_cast<Real>(i) + 1) / kCount;
      const Real across = std::sqrt(1 - z * z);
      const Real turn = golden_angle * static_cast<Real>(i);
      samples.directions.push_back({across * std::cos(turn), across * std::sin(turn), z});
    }
    // Neighbours on the lattice of the spiral are about 0.15 apart.
    for (const Vec<3>& n : samples.directions) {
      samples.near.emplace_back();
      for (std::size_t i = 0; i < samples.directions.size(); ++i) {
        const Real away = length(minus(samples.directions[i], n));
        if (away > 0 && away < 0.26L) samples.near.back().push_back(i);
      }
    }
    return samples;
  }();
  return kSamples;
}

}  // namespace widephase::test
