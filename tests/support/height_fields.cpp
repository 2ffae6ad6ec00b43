#include "support/height_fields.hpp"

#include <cmath>
#include <sstream>

#include "reference/reference.hpp"

namespace widephase::test {

namespace {

/// A number rounded to `T`, through memory: see `stored` in reference/solid.cpp.
template <class T>
double rounded(double value) {
  const volatile T narrow = static_cast<T>(value);
  return static_cast<double>(narrow);
}

Point<3> narrowed(const Vec<3>& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

double magnitude(Random& random, double low, double high) {
  return std::pow(10, random.uniform(std::log10(low), std::log10(high)));
}

/// A rotation about z by any angle, or one of the grid's.
Quaternion any_yaw(Random& random) {
  return about({0, 0, 1},
               random.chance(0.2) ? kEighthTurn * random.integer(0, 7) : random.uniform(-3.2, 3.2));
}

HeightSamples random_samples(Random& random, Ground ground) {
  const auto rows = static_cast<std::size_t>(random.integer(6, 10));
  const auto columns = static_cast<std::size_t>(random.integer(6, 10));
  const std::array<double, 2> cell{random.uniform(0.6, 1.5), random.uniform(0.6, 1.5)};
  const auto of = [&](auto&& height) { return height_samples(rows, columns, cell, height); };
  const double middle = cell[0] * static_cast<double>((columns - 1) / 2);
  const auto bumps = [&](double height) {
    return of([&](double, double) { return random.uniform(-height, height); });
  };
  switch (ground) {
    case Ground::flat:
      return of([](double, double) { return 0.; });
    case Ground::raised: {
      const double height = random.uniform(-2, 2);
      return of([&](double, double) { return height; });
    }
    case Ground::tilted:
    case Ground::steep: {
      const double lean =
          ground == Ground::tilted ? magnitude(random, 1e-6, 1e-2) : random.uniform(0.1, 1.7);
      const double turn = random.uniform(-3.2, 3.2);
      return of(
          [&](double x, double y) { return lean * (std::cos(turn) * x + std::sin(turn) * y); });
    }
    case Ground::stairs: {
      const double rise = random.uniform(0.2, 1);
      const int length = random.integer(2, 4);
      return of(
          [&](double x, double) { return rise * std::floor(std::round(x / cell[0]) / length); });
    }
    case Ground::saddle: {
      const double bend = random.uniform(0.02, 0.2);
      return of([&](double x, double y) { return bend * (x - 3) * (y - 3); });
    }
    case Ground::valley:
    case Ground::ridge: {
      const double slope = (ground == Ground::valley ? 1 : -1) * random.uniform(0.1, 1.5);
      return of([&](double x, double) { return slope * std::abs(x - middle); });
    }
    case Ground::hills: {
      const double height = random.uniform(0.2, 1), wave = random.uniform(0.5, 1.2);
      return of([&](double x, double y) {
        return height * (std::sin(wave * x) + std::cos(1.3 * wave * y + 0.4 * x));
      });
    }
    case Ground::bumpy:
    case Ground::far:
    case Ground::units:
      return bumps(random.uniform(0.1, 0.6));
    case Ground::slight:
      return bumps(magnitude(random, 1e-6, 1e-3));
    case Ground::holes: {
      HeightSamples samples = bumps(random.uniform(0, 0.4));
      for (double& height : samples.heights) {
        if (random.chance(0.125)) height = std::nan("");
      }
      return samples;
    }
    case Ground::one_cell:
      return height_samples(2, 2, {3 * cell[0], 3 * cell[1]}, [&](double, double) {
        return random.chance(0.5) ? 0 : random.uniform(-1, 1);
      });
    case Ground::needles:
      return height_samples(rows, 40, {0.05, 1.5}, [&](double, double y) {
        return 0.3 * std::sin(y) + random.uniform(-0.02, 0.02);
      });
  }
  return {};
}

}  // namespace

std::string name_of(Ground ground) {
  constexpr std::array<const char*, kGrounds.size()> kNames{
      "flat",  "raised", "tilted", "steep", "stairs",   "saddle",  "valley", "ridge",
      "hills", "bumpy",  "slight", "holes", "one_cell", "needles", "far",    "units"};
  return kNames[static_cast<std::size_t>(ground)];
}

Point<3> PlacedField::placed(const Point<3>& v) const {
  const auto u = axes();
  return narrowed(plus(plus(plus(widened(center), u[0], v[0]), u[1], v[1]), u[2], v[2]));
}

Vec<3> PlacedField::local(const Vec<3>& point) const {
  return along_axes(axes(), minus(point, widened(center)));
}

std::string describe(const PlacedField& field) {
  std::ostringstream text;
  text.precision(17);
  text << "field center (" << field.center[0] << ", " << field.center[1] << ", " << field.center[2]
       << ") orientation (";
  for (const double& value : field.orientation) {
    text << (&value == field.orientation.begin() ? "" : ", ") << value;
  }
  text << ") columns " << field.samples.columns << " cell (" << field.samples.cell[0] << ", "
       << field.samples.cell[1] << ") heights {";
  for (const double height : field.samples.heights) text << height << ", ";
  text << '}';
  return text.str();
}

PlacedField random_field(Random& random, Ground ground) {
  PlacedField field{random_samples(random, ground), random.point<3>(-3, 3), {0, 0, 0, 1}, 1};
  const bool is_level = ground == Ground::flat || ground == Ground::raised ||
                        ground == Ground::tilted || random.chance(0.5);
  field.orientation = is_level ? any_yaw(random) : random_orientation(random);
  if (ground == Ground::far) {
    const Point<3> direction = random.direction<3>();
    const double distance = magnitude(random, 1e3, 1e4);
    for (int k = 0; k < 3; ++k) field.center[k] += distance * direction[k];
  }
  if (ground == Ground::units) {
    field.unit = random.chance(0.5) ? 1e-3 : 1e3;
    for (double& value : field.center) value *= field.unit;
    for (double& value : field.samples.cell) value *= field.unit;
    for (double& value : field.samples.heights) value *= field.unit;
  }
  return field;
}

template <class T>
PlacedField stored(PlacedField field) {
  for (double& value : field.samples.heights) value = rounded<SizeOf<T>>(value);
  for (double& value : field.samples.cell) value = rounded<SizeOf<T>>(value);
  for (double& value : field.center) value = rounded<PositionOf<T>>(value);
  for (double& value : field.orientation) value = rounded<SizeOf<T>>(value);
  return field;
}

Solid<3> turned_to(Solid<3> solid, const Quaternion& turn, const Point<3>& p) {
  const Point<3> from = solid.p;
  if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) {
    Point<3> along;
    for (int k = 0; k < 3; ++k) along[k] = solid.q[k] - from[k];
    if (solid.kind == Kind::capsule) along = rotated(turn, along);
    for (int k = 0; k < 3; ++k) solid.q[k] = p[k] + along[k];
  } else {
    // Both may be as far from unit length as is allowed.
    const Quaternion unit = scaled_by(turn, 1 / std::sqrt(square_of(turn)));
    solid.orientation = product(unit, solid.orientation);
  }
  solid.p = p;
  return solid;
}

Solid<3> solid_near(Random& random, const PlacedField& field, Kind kind) {
  const HeightSamples& samples = field.samples;
  const double size =
      field.unit * (random.chance(0.7) ? random.uniform(0.3, 1) : random.uniform(1, 3));
  Solid<3> solid = random_solid<3>(random, kind, {0, 0, 0}, size);
  const double width = samples.cell[0] * static_cast<double>(samples.columns - 1);
  const double height = samples.cell[1] * static_cast<double>(samples.rows - 1);
  if (random.chance(0.125)) {
    const Point<3> at{random.uniform(-0.3, 1.3) * width, random.uniform(-0.3, 1.3) * height,
                      random.uniform(-1, 2) * size};
    return turned_to(solid, {0, 0, 0, 1}, field.placed(at));
  }
  // Over a point of the surface, often one of a sample, an edge or a diagonal.
  double x = random.uniform(0, 1) * width, y = random.uniform(0, 1) * height;
  const auto snap = [&](double value, double cell) { return std::round(value / cell) * cell; };
  if (random.chance(0.2)) x = snap(x, samples.cell[0]);
  if (random.chance(0.2)) y = snap(y, samples.cell[1]);
  double ground = height_at(samples, x, y);
  if (std::isnan(ground)) ground = 0;
  // Half of them upright, or as good as upright, in the field's frame, as what rests is.
  if (random.chance(0.5)) {
    Quaternion turn = product(field.orientation, any_yaw(random));
    solid.orientation = kind == Kind::capsule ? solid.orientation : Quaternion{0, 0, 0, 1};
    if (kind == Kind::hull) solid.orientation = random_orientation(random);
    if (random.chance(0.5)) {
      turn = product(turn, about(random.direction<3>(), magnitude(random, 1e-6, 1e-1)));
    }
    solid = turned_to(solid, turn, {0, 0, 0});
  }
  const Vec<3> down = times(field.axes()[2], -1);
  const double low = static_cast<double>(core_support(solid, down) + radius_of(solid));
  double depth =
      random.chance(0.5) ? magnitude(random, 1e-4, 1e-1) * size : random.uniform(-0.3, 0.6) * size;
  if (random.chance(0.1)) depth = random.uniform(0, 2.5) * size;
  // `core_support` counts from the world's origin, where the shape is.
  const Point<3> at = field.placed({x, y, ground + low - depth});
  Point<3> shift;
  for (int k = 0; k < 3; ++k) shift[k] = at[k];
  return moved(solid, shift);
}

template PlacedField stored<float>(PlacedField field);
template PlacedField stored<double>(PlacedField field);
template PlacedField stored<Mixed>(PlacedField field);

}  // namespace widephase::test
