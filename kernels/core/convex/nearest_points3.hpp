#pragma once

// GJK's nearest points and their features, for cores with vertices that are apart. One pair per
// lane; for queries that want only the deepest point.

#include "kernels/core/convex/convex_answers.hpp"
#include "kernels/core/faces/convex_features.hpp"

namespace widephase {
namespace {

/// Like `feature_between`, for a core with vertices. `point` is on it, relative to its middle.
template <class F>
WIDEPHASE_INLINE F nearest_features(const CorePair<F>& pair, bool is_a,
                                    const ConvexShapeLanes<F>& shapes_a,
                                    const ConvexShapeLanes<F>& shapes_b, unsigned asked,
                                    const Vec<F, 3>& direction, const Vec<F, 3>& point,
                                    const ThreeVertices<F>& vertices) {
  using T = RealOf<F>;
  const ConvexLanes<F>& shape = is_a ? pair.a.shape : pair.b.shape;
  const F vertex = vertex_feature(vertices.number[0]);
  switch (shape.form) {
    case CoreForm::point:
      return F(0);
    case CoreForm::segment:
      return select(vertices.are_one(), vertex, edge_feature(F(0)));
    case CoreForm::box:
      return box_feature_between(vertices, shape.turn, direction);
    case CoreForm::hull:
    case CoreForm::cylinder:  // not called for cores without vertices
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  Lanes<F> features(vertex);
  const Lanes<F> places(shape.place());
  const F(&numbers)[3] = vertices.number;
  const Lanes<F> of[3] = {Lanes<F>(numbers[0]), Lanes<F>(numbers[1]), Lanes<F>(numbers[2])};
  const Lanes<F> second(select(numbers[1] == numbers[0], numbers[2], numbers[1]));
  const auto hull = [&](int i) {
    return HullView<T>(shape.library, shape.indices, integer_in(places[i]));
  };
  // All faces first, then the edges: branches on the vertices would cost more.
  const unsigned beyond_one = asked & ~mask_bits(vertices.are_one());
  int face[LaneTraits<F>::count] = {};
  unsigned slivers = 0;
  for (unsigned left = beyond_one; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    face[i] = hull(i).face_of(static_cast<int>(of[0][i]), static_cast<int>(of[1][i]),
                              static_cast<int>(of[2][i]));
    features.number[i] = face_feature(static_cast<T>(face[i]));
    slivers |= (face[i] < 0 ? 1u : 0u) << i;
  }
  for (unsigned left = beyond_one & mask_bits(vertices.are_two()) & ~slivers; left != 0;
       left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int edge =
        hull(i).edge_between(face[i], static_cast<int>(of[0][i]), static_cast<int>(second[i]));
    if (edge >= 0) features.number[i] = edge_feature(static_cast<T>(edge));
  }
  if (slivers == 0) return load(features.number);
  const Vec<F, 3> local = rotate_back(shape.turn, point);
  const Lanes<F> x(local[0]), y(local[1]), z(local[2]);
  const Lanes<F> apart[3] = {Lanes<F>(pair.apart[0]), Lanes<F>(pair.apart[1]),
                             Lanes<F>(pair.apart[2])};
  for (; slivers != 0; slivers &= slivers - 1) {
    const int i = __builtin_ctz(slivers);
    const ConvexShape<T> a = shapes_a[i], b = shapes_b[i];
    const T size = size_of<T>({a, b, {{apart[0][i], apart[1][i], apart[2][i]}}});
    features.number[i] = face_feature(
        static_cast<T>(sliver_face(hull(i), {{x[i], y[i], z[i]}}, 32 * kRounding<T> * size)));
  }
  return load(features.number);
}

/// Stores GJK's nearest points as contact points, where the cores are apart.
template <class F>
WIDEPHASE_INLINE void put_nearest_points(const CorePair<F>& pair,
                                         const ConvexShapeLanes<F>& shapes_a,
                                         const ConvexShapeLanes<F>& shapes_b,
                                         const MaskOf<F>& is_apart, ConvexAnswers<F>& answers) {
  const auto in_lanes = [](const Lanes<F>(&v)[3]) {
    return Vec<F, 3>{{load(v[0].number), load(v[1].number), load(v[2].number)}};
  };
  const Vec<F, 3> normal = in_lanes(answers.normal);
  const auto features = [&](bool is_a) {
    return nearest_features(pair, is_a, shapes_a, shapes_b, mask_bits(is_apart),
                            is_a ? normal : -normal, in_lanes(is_a ? answers.of_a : answers.of_b),
                            answers.vertices(is_a ? answers.vertex_a : answers.vertex_b));
  };
  PointTable<F>& points = answers.points;
  for (int k = 0; k < 3; ++k) {
    store_where(is_apart, points.position[0][k], load(answers.of_a[k].number));
  }
  store_where(is_apart, points.depth[0], load(answers.depth.number));
  store_where(is_apart, points.feature_a[0], features(true));
  store_where(is_apart, points.feature_b[0], features(false));
}

}  // namespace
}  // namespace widephase
