#pragma once

// The results for a batch of convex cores, lane by lane. They start with what GJK found: direction,
// depth and nearest points. EPA and closed forms may replace these, and the contact points follow.

#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/gjk/gjk3.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// The results of a batch, lane by lane.
template <class F>
struct ConvexAnswers {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  const Simplex3<F>* simplex;
  Lanes<F> normal[3], depth, status;
  Lanes<F> vertex_a[3], vertex_b[3], size;
  Lanes<F> of_a[3], of_b[3];  ///< nearest points of cores that are apart, relative to their middles
  PointTable<F> points;
  bool wants_points = false;  ///< all points, not only the deepest
  T steadiness = 0;
  PointNames last[lanes] = {};  ///< the last step's points, if there is steadiness

  ConvexAnswers() = default;
  WIDEPHASE_INLINE explicit ConvexAnswers(const Simplex3<F>& found) { set(found); }

  WIDEPHASE_INLINE void ask(Question question, const WarmStartLanes<F>& warm) {
    wants_points = question == Question::points;
    steadiness = wants_points ? warm.steadiness : T(0);
    for (int i = 0; steadiness > 0 && i < lanes; ++i) last[i] = warm.last_points(i);
  }

  /// Takes GJK's result, without points.
  WIDEPHASE_INLINE void set(const Simplex3<F>& found) {
    simplex = &found;
    depth = Lanes<F>(negate(found.distance));
    status = Lanes<F>(select(found.is_capped > F(0), F(2), F(0)));
    size = Lanes<F>(found.size);
    const F length = sqrt(dot(found.nearest, found.nearest));
    Vec<F, 3> on_a = zero_vec<F, 3>(), on_b = on_a;
    for (int k = 0; k < 3; ++k) {
      normal[k] = Lanes<F>(negate(divide_or_zero(found.nearest[k], length)));
      const auto has = found.size > F(k);
      const F part = select(has, found.share[k], F(0));
      on_a = on_a + part * found.v[k].of_a;
      on_b = on_b + part * found.v[k].of_b;
      vertex_a[k] = Lanes<F>(found.v[k].a);
      vertex_b[k] = Lanes<F>(found.v[k].b);
    }
    for (int k = 0; k < 3; ++k) {
      of_a[k] = Lanes<F>(on_a[k]);
      of_b[k] = Lanes<F>(on_b[k]);
    }
    points.clear();
  }

  /// The simplex's vertices on one side; missing ones repeat the first.
  WIDEPHASE_INLINE ThreeVertices<F> vertices(const Lanes<F> (&side)[3]) const {
    const F count = load(size.number), first = load(side[0].number);
    return {first, select(count > F(1), load(side[1].number), first),
            select(count > F(2), load(side[2].number), first)};
  }

  /// The nearest points, for cores that are apart or touch.
  Witness<T> witness(int lane) const {
    Witness<T> found;
    found.count = static_cast<int>(size[lane]);
    if (found.count > 3) found.count = 3;
    for (int k = 0; k < 3; ++k) {
      found.on_a[k] = of_a[k][lane];
      found.on_b[k] = of_b[k][lane];
      found.a[k] = static_cast<int>(vertex_a[k][lane]);
      found.b[k] = static_cast<int>(vertex_b[k][lane]);
    }
    return found;
  }

  WIDEPHASE_INLINE void put_direction(int lane, const Vec<T, 3>& direction, T deep) {
    for (int k = 0; k < 3; ++k) normal[k].number[lane] = direction[k];
    depth.number[lane] = deep;
  }
  WIDEPHASE_INLINE void put_vertices(int lane, const Witness<T>& found) {
    for (int k = 0; k < 3; ++k) {
      vertex_a[k].number[lane] = static_cast<T>(k < found.count ? found.a[k] : 0);
      vertex_b[k].number[lane] = static_cast<T>(k < found.count ? found.b[k] : 0);
    }
    size.number[lane] = static_cast<T>(found.count);
  }
  /// Takes a lane's answer from another batch.
  void take(int lane, const ConvexAnswers& other) {
    put_direction(lane, {{other.normal[0][lane], other.normal[1][lane], other.normal[2][lane]}},
                  other.depth[lane]);
    status.number[lane] = other.status[lane];
    points.put(lane, other.points, lane);
  }

  /// Stores where the next search of these lanes starts.
  void keep(const CorePair<F>& pair, unsigned searched, WarmStartLanes<F>& warm) const {
    const bool is_smooth = !has_vertices(pair.a.shape.form) || !has_vertices(pair.b.shape.form);
    for (unsigned left = searched; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const Witness<T> found = witness(i);
      warm.pair[i].simplex = is_smooth
                                 ? direction_word<T>({{normal[0][i], normal[1][i], normal[2][i]}})
                                 : simplex_word(found.count, found.a, found.b);
    }
  }

  /// Converts the result from cores to surfaces.
  WIDEPHASE_INLINE Manifold<F, 3, 4> manifold(const ConvexLanes<F>& a, const F& reach) const {
    Manifold<F, 3, 4> result;
    // A zero in a normal has no sign: 0 - 0 is 0. So the result mirrors to the bit.
    for (int k = 0; k < 3; ++k) result.normal[k] = F(0) + load(normal[k].number);
    result.depth = load(depth.number) + reach;
    result.is_tie = load(status.number);
    points.read((a.anchor + a.middle) + a.radius * result.normal, reach, result);
    return result;
  }
};

/// One vertex of a lane's last simplex.
template <class F>
PolytopeVertex<RealOf<F>> simplex_vertex(const Simplex3<F>& simplex, int v, int lane) {
  using T = RealOf<F>;
  const DifferenceVertex3<F>& at = simplex.v[v];
  // Reads single numbers: storing a batch for each would take longer than the rest.
  const auto lane_of = [&](const F& batch) {
    T number;
    __builtin_memcpy(&number, reinterpret_cast<const char*>(&batch) + lane * sizeof(T),
                     sizeof number);
    return number;
  };
  const auto in_lane = [&](const Vec<F, 3>& of) {
    return Vec<T, 3>{{lane_of(of[0]), lane_of(of[1]), lane_of(of[2])}};
  };
  return {in_lane(at.point), in_lane(at.of_a), in_lane(at.of_b), static_cast<int>(lane_of(at.a)),
          static_cast<int>(lane_of(at.b))};
}

}  // namespace
}  // namespace widephase
