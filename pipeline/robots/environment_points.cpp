// Environments of points with a radius.

#include <cmath>
#include <limits>

#include "pipeline/robots/environment_state.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

template <class T>
SceneColumns<3, double> spheres_of(const ColumnSpan<T, 3>& points, double radius) {
  if (!(radius >= 0 && std::isfinite(radius))) {
    throw Error(
        Finding{"radius", -1, "is " + number(radius) + "; it must be a finite number >= 0"});
  }
  if (points.size() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(Finding{"points", -1,
                        "has " + number(points.size()) + " rows; there must be fewer than 2^31"});
  }
  SceneColumns<3, double> shapes;
  auto& spheres = shapes.spheres;
  spheres.center.resize_uninitialized(points.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<double>(points(row, k));
      if (!std::isfinite(at)) {
        throw Error(
            Finding{"points", static_cast<std::int64_t>(row),
                    "is " + number(at) + " along axis " + number(k) + "; it must be finite"});
      }
      spheres.center(row, k) = at;
    }
  }
  spheres.radius.resize(points.size(), radius);
  // Robots may have shapes of several categories.
  spheres.category.resize(points.size(), ~std::uint32_t{0});
  return shapes;
}

}  // namespace

template <class T>
Environment Environment::of_points(const ColumnSpan<T, 3>& points, double radius,
                                   const Threads& threads) {
  require_threads(threads);
  require_layout("points", points);
  SceneColumns<3, double> shapes = spheres_of(points, radius);
  PointGrid grid(shapes.spheres.center, radius, threads);
  // Float has no numbers for them, so they are asked as other shapes are.
  if (!grid.fits_floats()) return Environment(SceneSpan<3, double>(shapes));
  const auto state = std::make_shared<State>();
  state->shapes = std::move(shapes);
  state->points = std::move(grid);
  Environment environment;
  environment.state_ = state;
  return environment;
}

Environment Environment::points(const ColumnSpan<float, 3>& points, double radius,
                                const Threads& threads) {
  return of_points(points, radius, threads);
}
Environment Environment::points(const ColumnSpan<double, 3>& points, double radius,
                                const Threads& threads) {
  return of_points(points, radius, threads);
}

}  // namespace widephase
