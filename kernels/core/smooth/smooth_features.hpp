#pragma once

// What a core shows to a direction, as a feature with a smooth support function: a vertex, a line,
// a rim, an ellipsoid's surface, or a face, whose direction is fixed.
//
// A line keeps the contact's normal on a circle, n.u = level: about an edge or along a cylinder's
// side with level 0, around a cone with the sine of its slope.

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

enum class SmoothForm : std::uint8_t { vertex, line, rim, surface, face };

/// A feature of a core, the same for all directions about one.
template <class T>
struct SmoothFeature {
  SmoothForm form;
  int number[3];  ///< vertices that the feature has, for `Witness`; a rim's or apex's end
  int count;
  Vec<T, 3> axis;   ///< of a line's circle, a unit vector; a face's outward normal
  T level, radius;  ///< of a line's circle
};

/// The features of a core that may be the one about a direction, in the order of trying.
template <class T>
struct SmoothChoice {
  static constexpr int most = 12;
  int count = 0;
  SmoothFeature<T> feature[most];

  void add(const SmoothFeature<T>& one) {
    if (count < most) feature[count++] = one;
  }
};

/// Features of cores without vertices whose normals are farther from a direction than this, as a
/// sine, are not tried.
template <class T>
inline constexpr T kSmoothReach = T(0.1);

/// The unit vector from the base's rim to the apex above it, in the directions across and along the
/// axis, and its length.
template <class T>
struct ConeSide {
  T across, along;  ///< the side's unit normal
  T length;
  explicit ConeSide(const ConvexShape<T>& cone) {
    const T radius = root(dot(cone.axis[0], cone.axis[0]));
    const T height = 2 * root(dot(cone.axis[2], cone.axis[2]));
    // Divided by the longer one first, so that no square overflows or vanishes.
    const T longer = greater_of(radius, height);
    length = longer;
    across = 1;
    along = 0;
    if (!(longer > 0)) return;
    const T r = radius / longer, h = height / longer, size = root(r * r + h * h);
    length = longer * size;
    across = h / size;
    along = r / size;
  }
};

/// All features about `direction` of a core with vertices: the edges of its farthest vertex that
/// are nearly level, that vertex, and the face that faces the direction most.
template <class T>
__attribute__((noinline)) void find_features_around(const ConvexShape<T>& shape,
                                                    const Vec<T, 3>& direction,
                                                    SmoothChoice<T>& choice) {
  const Vec<T, 3> none{{0, 0, 0}};
  const int vertex = farthest(shape, direction).number;
  const auto add_line = [&](int p, int q) {
    const Vec<T, 3> along = vertex_of(shape, q) - vertex_of(shape, p);
    const T slope = dot(along, direction), reach = kSmoothReach<T>;
    const T length2 = dot(along, along);
    if (!(length2 > 0) || slope * slope > (reach * reach) * length2) return;
    choice.add({SmoothForm::line, {p, q, q}, 2, unit_of(along), 0, 1});
  };
  switch (shape.form) {
    case CoreForm::segment:
      add_line(0, 1);
      break;
    case CoreForm::box:
      for (int k = 0; k < 3; ++k) add_line(vertex, vertex ^ 1 << k);
      break;
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      for (int e = 0; e < hull.edge_count; ++e) {
        const int p = hull.edge_vertex(e, 0), q = hull.edge_vertex(e, 1);
        if (p == vertex || q == vertex) add_line(p, q);
      }
      break;
    }
    case CoreForm::point:
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  choice.add({SmoothForm::vertex, {vertex, vertex, vertex}, 1, none, 0, 0});
  choice.add({SmoothForm::face, {vertex, vertex, vertex}, 3, none, 0, 0});
}

/// The features of a core about `direction`. `numbers` are vertices that a search has found there;
/// `is_every` asks for all, whatever it has found.
template <class T>
void find_smooth_features(const ConvexShape<T>& shape, const Vec<T, 3>& direction,
                          const int* numbers, int count, bool is_every, SmoothChoice<T>& choice) {
  const Vec<T, 3> none{{0, 0, 0}};
  if (has_vertices(shape.form)) {
    if (is_every) return find_features_around(shape, direction, choice);
    int own[3], own_count = 0;
    for (int k = 0; k < count; ++k) {
      bool is_new = true;
      for (int j = 0; j < own_count; ++j) is_new = is_new && own[j] != numbers[k];
      if (is_new) own[own_count++] = numbers[k];
    }
    const auto add_line = [&](int p, int q) {
      const Vec<T, 3> along = vertex_of(shape, q) - vertex_of(shape, p);
      if (!(dot(along, along) > 0)) return;
      choice.add({SmoothForm::line, {p, q, q}, 2, unit_of(along), 0, 1});
    };
    if (own_count == 3) {
      choice.add({SmoothForm::face, {own[0], own[1], own[2]}, 3, none, 0, 0});
      for (int k = 0; k < 3; ++k) add_line(own[k], own[(k + 1) % 3]);
      return;
    }
    if (own_count == 2) add_line(own[0], own[1]);
    for (int k = 0; k < own_count; ++k) {
      choice.add({SmoothForm::vertex, {own[k], own[k], own[k]}, 1, none, 0, 0});
    }
    return;
  }
  if (shape.form == CoreForm::ellipsoid) {
    // One without an extent is a disc; without two it is a segment.
    int flat = 0, wide = 0, flat_count = 0;
    for (int k = 0; k < 3; ++k) {
      const bool is_flat = shape.ellipsoid.share[k] == 0;
      (is_flat ? flat : wide) = k;
      flat_count += is_flat ? 1 : 0;
    }
    const Vec<T, 3>& u = shape.turn.column[flat_count == 2 ? wide : flat];
    const T slope = dot(u, direction);
    if (flat_count == 2 && magnitude(slope) <= kSmoothReach<T>) {
      choice.add({SmoothForm::line, {0, 0, 0}, 1, u, 0, 1});
    }
    if (flat_count == 1 && magnitude(slope) >= 1 - kSmoothReach<T> * kSmoothReach<T>) {
      choice.add({SmoothForm::face, {0, 0, 0}, 1, slope > 0 ? u : -u, 0, 0});
    }
    choice.add({SmoothForm::surface, {0, 0, 0}, 1, none, 0, 0});
    return;
  }
  const Vec<T, 3>& u = shape.turn.column[2];
  const T slope = dot(u, direction);
  const Vec<T, 3> across = direction - slope * u;
  const T sine = root(dot(across, across));
  const bool is_wide = dot(shape.axis[0], shape.axis[0]) > 0;
  const bool is_high = dot(shape.axis[2], shape.axis[2]) > 0;
  if (shape.form == CoreForm::cylinder) {
    const int end = slope > 0 ? 1 : 0;
    if (is_high && magnitude(slope) <= kSmoothReach<T>) {
      choice.add({SmoothForm::line, {0, 1, 1}, 2, u, 0, 1});
    }
    if (is_wide && sine <= kSmoothReach<T>) {
      choice.add({SmoothForm::face, {end, end, end}, 1, slope > 0 ? u : -u, 0, 0});
    }
    choice.add({is_wide ? SmoothForm::rim : SmoothForm::vertex, {end, end, end}, 1, none, 0, 0});
    if (is_high && magnitude(slope) <= kSmoothReach<T>) {
      const int other = 1 - end;
      choice.add(
          {is_wide ? SmoothForm::rim : SmoothForm::vertex, {other, other, other}, 1, none, 0, 0});
    }
    return;
  }
  const ConeSide<T> side(shape);
  // Where the direction is beyond the side's normal, the apex is outermost.
  const T beyond = slope * side.across - sine * side.along;
  if (is_high && magnitude(beyond) <= kSmoothReach<T>) {
    choice.add({SmoothForm::line, {0, 1, 1}, 2, u, side.along, side.across});
  }
  if (is_wide && (slope < 0 || !is_high) && sine <= kSmoothReach<T>) {
    choice.add({SmoothForm::face, {0, 0, 0}, 1, slope < 0 ? -u : u, 0, 0});
  }
  if (is_high && beyond >= -kSmoothReach<T>) {
    choice.add({SmoothForm::vertex, {1, 1, 1}, 1, none, 0, 0});
  }
  if (!is_high || beyond <= kSmoothReach<T>) {
    choice.add({is_wide ? SmoothForm::rim : SmoothForm::vertex, {0, 0, 0}, 1, none, 0, 0});
  }
}

/// A feature's support point along a direction, how it moves as the direction turns, and for a line
/// the half of it that leads from there to either end.
template <class T>
struct SmoothPoint {
  Vec<T, 3> point;
  Vec<T, 3> half;  ///< of a line, whose middle is `point`
  /// The point of a rim, or of a line of a side, moves along `turn` by `curvature` per radian.
  Vec<T, 3> turn;
  T curvature;
};

template <class T>
SmoothPoint<T> smooth_point(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
                            const Vec<T, 3>& direction) {
  const Vec<T, 3> none{{0, 0, 0}};
  SmoothPoint<T> at{none, none, none, 0};
  if (has_vertices(shape.form)) {
    const Vec<T, 3> from = vertex_of(shape, feature.number[0]);
    const Vec<T, 3> to = vertex_of(shape, feature.number[1]);
    at.point = T(0.5) * (from + to);
    at.half = T(0.5) * (to - from);
    return at;
  }
  if (shape.form == CoreForm::ellipsoid) {
    if (feature.form == SmoothForm::line) {
      at.half = (shape.axis[0] + shape.axis[1]) + shape.axis[2];
    } else {
      at.point = farthest(shape, direction).point;
    }
    return at;
  }
  const Vec<T, 3>& up = shape.axis[2];
  const T x = dot(shape.turn.column[0], direction), y = dot(shape.turn.column[1], direction);
  const T sine = root(x * x + y * y);
  // Along the axis any point of the rim will do.
  const T cosine_x = sine > 0 ? x / sine : T(1), cosine_y = sine > 0 ? y / sine : T(0);
  const Vec<T, 3> out = cosine_x * shape.axis[0] + cosine_y * shape.axis[1];
  const bool is_upper = feature.number[0] == 1, is_cone = shape.form == CoreForm::cone;
  const bool is_line = feature.form == SmoothForm::line;
  T share = 1;  // of the radius, at which the point is
  if (is_line) {
    share = is_cone ? T(0.5) : T(1);
    at.half = up - (1 - share) * out;
  } else {
    at.point = is_upper ? up : -up;
    if (is_cone && is_upper) return at;
  }
  at.point = at.point + share * out;
  if (!is_line && feature.form != SmoothForm::rim) return at;
  at.turn = cosine_x * shape.turn.column[1] - cosine_y * shape.turn.column[0];
  at.curvature = sine > 0 ? share * root(dot(shape.axis[0], shape.axis[0])) / sine : kInfinite<T>;
  return at;
}

/// The second derivative of a feature's support function along two tangents of a direction.
template <class T>
T smooth_bend(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
              const SmoothPoint<T>& at, const Vec<T, 3>& direction, const Vec<T, 3>& s,
              const Vec<T, 3>& t) {
  if (at.curvature != 0) return at.curvature * dot(at.turn, s) * dot(at.turn, t);
  if (feature.form != SmoothForm::surface) return 0;
  const EllipsoidCore<SingleNumbers<T>>& core = shape.ellipsoid;
  const Vec<T, 3> n = rotate_back(shape.turn, direction), u = rotate_back(shape.turn, s),
                  v = rotate_back(shape.turn, t);
  T height = 0, both = 0, of_u = 0, of_v = 0;
  for (int k = 0; k < 3; ++k) {
    const T square = core.share[k] * core.share[k];
    height += square * n[k] * n[k];
    both += square * u[k] * v[k];
    of_u += square * n[k] * u[k];
    of_v += square * n[k] * v[k];
  }
  height = root(height);
  if (!(height > 0)) return 0;
  const T bend = (both - (of_u / height) * (of_v / height)) / height - core.ball * dot(u, v);
  return core.most * bend;
}

}  // namespace
}  // namespace widephase
