#pragma once

// Point sets far from the origin of their frame. The library keeps each relative to its own middle
// m, and an instance's packed row begins where that is: at c + R m. The vectors that kernels then
// rotate and add are as long as the set itself, not as its distance to the origin. Rounding c + R m
// would move the set by half a step of the world's digits, so the rounding error is kept beside the
// row (`rests`).

#include <widephase/scene.hpp>

#include "geometry/long_vector.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// The middle of an interval of coordinates, or 0 if the frame's origin is so near (within half the
/// interval) that nothing is gained. Either way x - middle has no rounding: it is x, or both are
/// within a factor of 2 of one another (Sterbenz).
template <class T>
T middle_of_span(T low, T high) {
  const T middle = low / 2 + high / 2;
  const T near = middle < 0 ? -high : low, far = middle < 0 ? -low : high;
  const T size = std::abs(middle);
  const bool is_far = near >= size / 2 && far / 2 <= size && middle - middle == 0;
  return is_far ? middle : T{0};
}

// Sums and products in double for scenes in float, and in twice its digits for scenes in double.
inline double sum_of(double a, double b) { return a + b; }
inline double product_of(double a, double b) { return a * b; }
inline double negative(double a) { return -a; }
inline double high_of(double a) { return a; }
inline double high_of(TwoTerms a) { return a.high; }

template <class N>
N number_from(double value) {
  if constexpr (std::is_same_v<N, double>) {
    return value;
  } else {
    return {value, 0};
  }
}
inline double quotient_of(double a, double b) { return a / b; }
inline TwoTerms quotient_of(double a, TwoTerms b) {
  const double first = a / b.high;
  const TwoTerms left = sum_of({a, 0}, negative(product_of(b, {first, 0})));
  return two_sum(first, left.high / b.high);
}
inline double root_of(double square) { return std::sqrt(square); }
inline TwoTerms root_of(TwoTerms square) {
  const double first = std::sqrt(square.high);
  const TwoTerms left = sum_of(square, negative(two_product(first, first)));
  return two_sum(first, left.high / (2 * first));
}

template <class N>
std::array<N, 3> cross_of(const std::array<N, 3>& u, const std::array<N, 3>& v) {
  const auto entry = [&](std::size_t i, std::size_t j) {
    return sum_of(product_of(u[i], v[j]), negative(product_of(u[j], v[i])));
  };
  return {entry(1, 2), entry(2, 0), entry(0, 1)};
}

/// v rotated by a quaternion (u, w) that counts as normalized: v + 2 (w u x v + u x (u x v)) / (u u
/// + w w).
template <class N>
std::array<N, 3> turned(const std::array<double, 4>& quaternion, const std::array<N, 3>& v) {
  const std::array<N, 3> u{number_from<N>(quaternion[0]), number_from<N>(quaternion[1]),
                           number_from<N>(quaternion[2])};
  const N w = number_from<N>(quaternion[3]);
  N square = product_of(w, w);
  for (const N& axis : u) square = sum_of(square, product_of(axis, axis));
  const N twice = quotient_of(2, square);
  const std::array<N, 3> once = cross_of(u, v), again = cross_of(u, once);
  std::array<N, 3> result;
  for (std::size_t k = 0; k < 3; ++k) {
    result[k] = sum_of(v[k], product_of(twice, sum_of(product_of(w, once[k]), again[k])));
  }
  return result;
}
/// v rotated by an angle, whose cosine and sine are those of rows.
template <class N>
std::array<N, 2> turned(double angle, const std::array<N, 2>& v) {
  const Turn2<double> turn = turn_of(angle);
  const N cosine = number_from<N>(turn.cosine), sine = number_from<N>(turn.sine);
  return {sum_of(product_of(cosine, v[0]), negative(product_of(sine, v[1]))),
          sum_of(product_of(sine, v[0]), product_of(cosine, v[1]))};
}

/// A number of a column of orientations.
template <class T>
double turn_at(const ColumnSpan<T>& turns, std::size_t row) {
  return turns(row);
}
template <class T>
std::array<double, 4> turn_at(const ColumnSpan<T, 4>& turns, std::size_t row) {
  return {turns(row, 0), turns(row, 1), turns(row, 2), turns(row, 3)};
}

/// p rotated and moved by row i of a table of poses.
template <class N, std::size_t D, class Positions, class Turns>
std::array<N, D> moved(const Positions& positions, const Turns& turns, std::size_t i,
                       std::array<N, D> p) {
  if (!turns.empty()) p = turned<N>(turn_at(turns, i), p);
  for (std::size_t k = 0; k < D; ++k) {
    p[k] = sum_of(p[k], number_from<N>(positions(i, static_cast<int>(k))));
  }
  return p;
}

/// Where instance i of a scene has a point of its frame: in the world, after its body's pose.
template <class N, int D, class T, class Table>
std::array<N, std::size_t{D}> place_in_world(const Table& table,
                                             const BodyTable<Borrowed<D, T>>& bodies, std::size_t i,
                                             std::array<N, std::size_t{D}> p) {
  p = moved<N>(table.center, table.turn, i, p);
  const std::int32_t body = bodies.empty() || table.body.empty() ? -1 : table.body(i);
  if (body < 0 || static_cast<std::size_t>(body) >= bodies.position.size()) return p;
  return moved<N>(bodies.position, bodies.turn, static_cast<std::size_t>(body), p);
}

}  // namespace widephase
