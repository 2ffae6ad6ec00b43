#pragma once

// Whether two convex shapes touch, in float: GJK (Gilbert, Johnson and Keerthi 1988) for one
// configuration at a time, with the vertices of a hull in lanes. Few configurations of a block are
// near the same pair, so that the vertices fill the lanes better than the configurations do.
//
// Nothing here is trusted but two witnesses, which hold whatever the steps before them did:
// - a direction along which the two are farther apart than `most` shows that they do not touch;
// - weights of points of the difference of the two, of which the first is the middle of a ball
//   inside it. Their sum w is a point of it, and so is all within (first weight) * (radius of the
//   ball) of w. If the origin is in that ball by more than `-least`, the two touch.
// The radii allow for the rounding of all that is computed on the way to a witness
// (pipeline/robots/check_plan.cpp derives it). Numbers that overflow make no comparison true.
//
// Cost: one support point of each per step, of which 2 or 3 are usual; some 100 operations per step
// for the simplex.

#include "kernels/lanes/vec.hpp"
#include "kernels/robot_table.hpp"

namespace widephase {
namespace {

using Point = Vec<float, 3>;

WIDEPHASE_INLINE Point point_of(const float* numbers) {
  return {{numbers[0], numbers[1], numbers[2]}};
}

enum class ConvexAnswer : unsigned char {
  apart,  ///< also by the way that the two may come nearer
  near,   ///< only without that way
  touches,
  unsure
};

/// A core in a frame.
template <class F>
class PlacedCore {
 public:
  /// In the world.
  PlacedCore(const CheckObstacle& core, const float* vertices)
      : core_(core), vertices_(vertices), is_turned_(false) {}
  PlacedCore(const CheckObstacle& core, const float* vertices, const Point (&columns)[3],
             const Point& position)
      : core_(core), vertices_(vertices), is_turned_(true), position_(position) {
    for (int k = 0; k < 3; ++k) column_[k] = columns[k];
  }

  const CheckObstacle& core() const { return core_; }
  Point inside() const { return placed(point_of(core_.inside)); }
  /// The point that is farthest in a direction.
  Point farthest(const Point& direction) const {
    if (!is_turned_) return farthest_of_core(direction);
    const Point own{
        {dot(column_[0], direction), dot(column_[1], direction), dot(column_[2], direction)}};
    return placed(farthest_of_core(own));
  }

 private:
  static constexpr int kLanes = LaneTraits<F>::count;

  Point placed(const Point& p) const {
    if (!is_turned_) return p;
    return position_ + ((p[0] * column_[0] + p[1] * column_[1]) + p[2] * column_[2]);
  }
  Point farthest_of_core(const Point& d) const {
    const Point center = point_of(core_.center);
    switch (core_.core) {
      case CheckCore::point:
      case CheckCore::halfspace:
        return center;
      case CheckCore::segment: {
        const Point along = point_of(core_.axis[0]);
        return dot(along, d) > 0 ? center + along : center;
      }
      case CheckCore::box: {
        Point corner = center;
        for (int k = 0; k < 3; ++k) {
          const Point axis = point_of(core_.axis[k]);
          corner = corner + (dot(axis, d) > 0 ? core_.size[k] : -core_.size[k]) * axis;
        }
        return corner;
      }
      case CheckCore::cylinder: {
        // By two axes across: what is left of the direction without its part along the axis may be
        // rounding noise along the axis.
        const Point first = point_of(core_.axis[0]), second = point_of(core_.axis[1]);
        const Point axis = point_of(core_.axis[2]);
        float x = dot(first, d), y = dot(second, d);
        // By the larger one, so that the squares have digits.
        const float across = __builtin_fabsf(x), beside = __builtin_fabsf(y);
        const float most = across > beside ? across : beside;
        const Point end = center + (dot(axis, d) > 0 ? core_.size[2] : -core_.size[2]) * axis;
        if (!(most > 0)) return end;
        x /= most;
        y /= most;
        const float share = core_.size[0] / __builtin_sqrtf(x * x + y * y);
        return end + (share * x) * first + (share * y) * second;
      }
      case CheckCore::hull:
        return center + farthest_vertex(d);
    }
    return center;
  }
  Point farthest_vertex(const Point& d) const {
    const float* const x = vertices_ + core_.first_vertex;
    const float* const y = x + core_.vertex_count;
    const float* const z = y + core_.vertex_count;
    const F dx(d[0]), dy(d[1]), dz(d[2]);
    F highest = load(x) * dx + load(y) * dy + load(z) * dz, place(0.0f);
    for (int i = kLanes; i < core_.vertex_count; i += kLanes) {
      const F height = load(x + i) * dx + load(y + i) * dy + load(z + i) * dz;
      place = select(height > highest, F(static_cast<float>(i)), place);
      highest = greater(highest, height);
    }
    alignas(64) float heights[kLanes], places[kLanes];
    store(heights, highest);
    store(places, place);
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) {
        heights[lane] = heights[lane] > heights[lane + half] ? heights[lane] : heights[lane + half];
      }
    }
    // The first lane of those that are as high; numbers that overflow leave the last one.
    const unsigned is_best = mask_bits(highest >= F(heights[0])) | 1u << (kLanes - 1);
    const int best = __builtin_ctz(is_best);
    const int at = static_cast<int>(places[best]) + best;
    return {{x[at], y[at], z[at]}};
  }

  const CheckObstacle& core_;
  const float* vertices_;
  bool is_turned_;
  Point column_[3];
  Point position_;
};

/// Up to four points, and the weights of the one of their hull that is nearest to the origin.
class Simplex {
 public:
  explicit Simplex(const Point& inside) : inside_(inside) {
    points_[0] = inside;
    weights_[0] = 1;
    is_inside_[0] = true;
  }

  bool is_full() const { return count_ == 4; }
  /// Adds a point and leaves those that the nearest one is between.
  void add(const Point& point) {
    points_[count_] = point;
    is_inside_[count_++] = false;
    if (count_ == 2) {
      find_on_segment(0, 1);
    } else if (count_ == 3) {
      find_on_triangle(0, 1, 2);
    } else {
      find_in_tetrahedron();
    }
    if (count_ < 4) normalize();
  }
  Point nearest() const {
    Point sum = weights_[0] * points_[0];
    for (int i = 1; i < count_; ++i) sum = sum + weights_[i] * points_[i];
    return sum;
  }
  /// The weight of the point inside.
  float weight() const {
    for (int i = 0; i < count_; ++i) {
      if (is_inside_[i]) return weights_[i];
    }
    return 0;
  }
  /// A point of a full one that is near the origin, with the weight of the point inside: its own if
  /// it is one of the four, else the given one.
  Point nearest_with(float& weight) {
    for (int i = 0; i < 4; ++i) {
      if (!is_inside_[i]) continue;
      normalize();
      weight = weights_[i];
      return nearest();
    }
    // The place that balances the point inside is between the four.
    weigh((-weight / (1 - weight)) * inside_);
    normalize();
    return weight * inside_ + (1 - weight) * nearest();
  }

 private:
  void keep(int a) {
    set(0, a, 1);
    count_ = 1;
  }
  void keep(int a, int b, float of_b) {
    set(0, a, 1 - of_b);
    set(1, b, of_b);
    count_ = 2;
  }
  /// Rows go down: `to` is at most `from`.
  void set(int to, int from, float weight) {
    points_[to] = points_[from];
    is_inside_[to] = is_inside_[from];
    weights_[to] = weight;
  }
  void normalize() {
    float sum = 0;
    for (int i = 0; i < count_; ++i) {
      weights_[i] = weights_[i] > 0 ? weights_[i] : 0;
      sum += weights_[i];
    }
    for (int i = 0; i < count_; ++i) weights_[i] /= sum;
  }
  void find_on_segment(int i, int j) {
    const Point a = points_[i], along = points_[j] - a;
    const float way = -dot(a, along), square = dot(along, along);
    if (!(way > 0)) return keep(i);
    if (!(way < square)) return keep(j);
    keep(i, j, way / square);
  }
  /// Ericson, Real-Time Collision Detection, 5.1.5.
  void find_on_triangle(int i, int j, int k) {
    const Point a = points_[i], b = points_[j], c = points_[k];
    const Point ab = b - a, ac = c - a;
    const float d1 = -dot(ab, a), d2 = -dot(ac, a);
    if (d1 <= 0 && d2 <= 0) return keep(i);
    const float d3 = -dot(ab, b), d4 = -dot(ac, b);
    if (d3 >= 0 && d4 <= d3) return keep(j);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return keep(i, j, d1 / (d1 - d3));
    const float d5 = -dot(ab, c), d6 = -dot(ac, c);
    if (d6 >= 0 && d5 <= d6) return keep(k);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return keep(i, k, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    const float to_c = d4 - d3, to_b = d5 - d6;
    if (va <= 0 && to_c >= 0 && to_b >= 0) return keep(j, k, to_c / (to_c + to_b));
    const float of_all = 1 / (va + vb + vc);
    set(0, i, va * of_all);
    set(1, j, vb * of_all);
    set(2, k, vc * of_all);
    count_ = 3;
  }
  /// The weights of a place between the four; they need not be positive.
  void weigh(const Point& place) {
    const Point a = points_[3] - place;
    const Point ba = points_[0] - points_[3], ca = points_[1] - points_[3];
    const Point da = points_[2] - points_[3];
    const Point across = cross(ca, da);
    const float volume = 1 / dot(ba, across);
    weights_[0] = -dot(a, across) * volume;
    weights_[1] = -dot(a, cross(da, ba)) * volume;
    weights_[2] = -dot(a, cross(ba, ca)) * volume;
    weights_[3] = 1 - ((weights_[0] + weights_[1]) + weights_[2]);
  }
  void find_in_tetrahedron() {
    weigh({{0, 0, 0}});
    bool is_in = true;
    for (int i = 0; i < 4; ++i) is_in = is_in && weights_[i] > 0;
    if (is_in) return;
    // The nearest face of those that the origin is outside of. The last point is on it: the origin
    // is beyond the others' plane, from where the point was searched for.
    bool is_beyond[3];
    for (int i = 0; i < 3; ++i) is_beyond[i] = !(weights_[i] > 0);
    const Simplex all = *this;
    Simplex best = *this;
    float least = 0;
    bool has_any = false;
    for (int i = 0; i < 3; ++i) {
      if (!is_beyond[i]) continue;
      Simplex face = all;
      face.find_on_triangle(i == 0 ? 1 : 0, i == 2 ? 1 : 2, 3);
      const Point near = face.nearest();
      const float square = dot(near, near);
      if (has_any && !(square < least)) continue;
      best = face;
      least = square;
      has_any = true;
    }
    if (!has_any) best.find_on_triangle(0, 1, 2);
    *this = best;
  }

  Point inside_;
  Point points_[4];
  float weights_[4];
  bool is_inside_[4];
  int count_ = 1;
};

/// How far apart two cores may be for a sure answer, and how far they may come nearer besides. None
/// but `least` is below 0.
struct ConvexRadii {
  float least, most, way;
};
constexpr float kConvexShare = 16 * 0x1p-24f;  // of comparisons

/// A halfspace and the point of the other that is farthest against its normal.
template <class F>
ConvexAnswer ask_halfspace(const PlacedCore<F>& a, const CheckObstacle& space,
                           const ConvexRadii& radii) {
  const Point normal = point_of(space.axis[2]);
  const float height = dot(normal, a.farthest(-normal)) - space.size[0];
  if (height > radii.most + radii.way * (1 + kConvexShare)) return ConvexAnswer::apart;
  if (height > radii.most) return ConvexAnswer::near;
  return height <= radii.least ? ConvexAnswer::touches : ConvexAnswer::unsure;
}

template <class F>
ConvexAnswer ask_convex(const PlacedCore<F>& a, const PlacedCore<F>& b, const ConvexRadii& radii) {
  constexpr int kMostSteps = 16;
  constexpr float kShare = kConvexShare;
  constexpr float kLeastSquare = 1e-24f;  // shorter directions have few digits
  constexpr float kProgress = 1e-5f;      // steps that gain less of the square are the last
  const float inner = a.core().inner + b.core().inner;
  const float most = radii.most + kShare * __builtin_fabsf(radii.most);
  const float far = most + radii.way * (1 + kShare);
  const float least = radii.least - kShare * (__builtin_fabsf(radii.least) + inner);
  Point x = a.inside() - b.inside();
  Simplex simplex(x);
  ConvexAnswer known = ConvexAnswer::unsure;
  for (int step = 0; step < kMostSteps; ++step) {
    const float square = dot(x, x);
    const float length = __builtin_sqrtf(square);
    if (length <= simplex.weight() * inner + least) return ConvexAnswer::touches;
    if (!(square > kLeastSquare)) return known;
    const Point point = a.farthest(-x) - b.farthest(x);
    const float along = dot(x, point);
    if (along > far * length) return ConvexAnswer::apart;
    if (along > most * length) known = ConvexAnswer::near;
    // Once it is known that they do not touch, a point that is near enough ends the search.
    if (known == ConvexAnswer::near && length < far) return known;
    if (!(square - along > kProgress * square)) return known;
    simplex.add(point);
    if (simplex.is_full()) {
      float weight = inner > 0 && least < 0 ? -2 * least / inner : 0;
      weight = weight < 0.5f ? weight : 0.5f;
      const Point w = simplex.nearest_with(weight);
      return __builtin_sqrtf(dot(w, w)) <= weight * inner + least ? ConvexAnswer::touches : known;
    }
    x = simplex.nearest();
  }
  return known;
}

}  // namespace
}  // namespace widephase
