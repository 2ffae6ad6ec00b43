#pragma once

// The minimum translation of a cylinder that overlaps a box or a hull, in closed form, over all the
// directions in which it can lie (core/cylinder/cylinder_exits.hpp).
//
// Frame: the other core's, with its middle as the origin. A direction n leads from that core to the
// cylinder, whose axis there is u and whose middle is m. Along n the cores overlap by
//   h(n) = max n.v - n.m + radius |n - (n.u) u| + half |n.u|      for the vertices v.
// Faces, caps and the vertex nearest to the axis are evaluated one pair at a time, with faces and
// vertices in lanes. Edges are compared with the least of these. Between the normals of an edge's
// two faces, the overlaps along n against any one point of the difference mix with weights whose
// sum is at least 1. So a point rules the edge out if both overlaps are no less than that least one
// (as in core/hull/hull_axes3.hpp). The edges that are left, from all pairs of a batch, go through
// lanes together (core/cylinder/cylinder_edges.hpp).

#include "kernels/core/cylinder/cylinder_edges.hpp"
#include "kernels/core/cylinder/cylinder_exits.hpp"
#include "kernels/core/gjk/gjk3.hpp"
#include "kernels/core/hull/box_hull.hpp"
#include "kernels/core/hull/hull_faces3.hpp"

namespace widephase {
namespace {

/// An exit as a search in closed form has found it.
template <class T>
struct DirectExit {
  bool is_found = false;
  CylinderFeature feature = CylinderFeature::none;  ///< the other core's feature that it belongs to
  bool is_settled = false;  ///< the exit's witness is exact
  LeastExit<T> exit;
};

/// Finds the minimum translations in the lanes of `overlapping`.
template <class F>
class CylinderAxes {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  /// B is the cylinder.
  CylinderAxes(const CorePair<F>& pair, const ConvexShapeLanes<F>& others,
               const Simplex3<F>& simplex)
      : form_(others.form), others_(others) {
    const ConvexLanes<F>&other = pair.a.shape, &cylinder = pair.b.shape;
    const auto into = [&](const Vec<F, 3>& v) { return rotate_back(other.turn, v); };
    const Vec<F, 3> u = into(cylinder.turn.column[2]);
    const Vec<F, 3> middle = into(pair.apart);
    constexpr int kRow = CylindersInFrames<F>::row_size;
    const F numbers[kRow] = {
        u[0], u[1], u[2], middle[0], middle[1], middle[2], cylinder.half[0], cylinder.half[2]};
    for (int k = 0; k < kRow; ++k) {
      const Lanes<F> number(numbers[k]);
      for (int i = 0; i < lanes; ++i) frames_.row[i * kRow + k] = number[i];
    }
    for (int w = 0; w < CylindersInFrames<F>::witness_count; ++w) {
      const Vec<F, 3> local = into(simplex.v[w].point);
      for (int k = 0; k < 3; ++k) frames_.witness[w][k] = Lanes<F>(local[k]);
    }
  }

  /// A function of its own, so that later steps can use its stack.
  __attribute__((noinline)) void find(unsigned overlapping, LaneCounter<F>& counter) {
    CylinderEdges<F> edges;
    BoxHull<T> box;
    for (; overlapping != 0; overlapping &= overlapping - 1) {
      const int i = __builtin_ctz(overlapping);
      counter.add_alone(1);
      HullView<T> hull;
      if (form_ == CoreForm::hull) {
        hull = HullView<T>(others_.library, others_.indices, integer_in(others_.place()[i]));
      } else {
        const T half[3] = {others_.half[0][i], others_.half[1][i], others_.half[2][i]};
        box.set(half);
        hull = box.view();
      }
      ask_faces(hull, i);
      // A box without an extent has faces that are edges: EPA finds its points.
      if (is_box() && !(least_half(i) > rounding(size_[i]))) {
        found_[i].feature = CylinderFeature::none;
        continue;
      }
      add_edges(hull, i, edges, counter);
    }
    flush(edges, counter);
  }

  DirectExit<T> exit(int lane, const ShapePair<T>& pair, T size) const;

 private:
  struct Cylinder {
    Vec<T, 3> axis, middle;
    T radius, half;

    WIDEPHASE_INLINE T reach(const Vec<T, 3>& n) const {
      const T along = dot(n, axis);
      const Vec<T, 3> across = n - along * axis;
      return (radius * root(dot(across, across)) + half * magnitude(along)) - dot(n, middle);
    }
  };
  Cylinder cylinder(int i) const {
    const T* const row = frames_.row + i * CylindersInFrames<F>::row_size;
    return {{{row[0], row[1], row[2]}}, {{row[3], row[4], row[5]}}, row[6], row[7]};
  }
  bool is_box() const { return form_ == CoreForm::box; }
  T least_half(int i) const {
    return lesser_of(lesser_of(others_.half[0][i], others_.half[1][i]), others_.half[2][i]);
  }
  static constexpr T rounding(T size) { return 2 * kRounding<T> * size; }

  static WIDEPHASE_INLINE int farthest_vertex_of(const HullView<T>& hull, const Vec<T, 3>& n) {
    return farthest_of(hull.vertex_blocks(), hull.vertex_block_count(), n);
  }

  /// Evaluates faces, caps, and the vertex nearest to the axis.
  void ask_faces(const HullView<T>& hull, int i) {
    const Cylinder c = cylinder(i);
    const Vec<T, 3>&u = c.axis, &m = c.middle;
    const Eight<T> ux = eight_of(u[0]), uy = eight_of(u[1]), uz = eight_of(u[2]);
    const Eight<T> mx = eight_of(m[0]), my = eight_of(m[1]), mz = eight_of(m[2]);
    CylinderAxis<T>& best = found_[i];
    best = {kInfinite<T>, {{0, 0, 0}}, CylinderFeature::none, false, {0, 0}};
    size_[i] = (c.radius + c.half) + ((magnitude(m[0]) + magnitude(m[1])) + magnitude(m[2]));
    if (hull.face_count > 0) {
      const T* const blocks = hull.face_blocks();
      const Eight<T> radius = eight_of(c.radius), half = eight_of(c.half);
      LeastOf<T> least;
      T overlaps[8 * kMostFaceBlocks];
      for (int b = 0; b < hull.face_block_count(); ++b) {
        const T* const block = blocks + b * HullLayout::face_block;
        const Eight<T> x = load_eight(block), y = load_eight(block + 8), z = load_eight(block + 16);
        const Eight<T> along = (x * ux + y * uy) + z * uz;
        const Eight<T> ax = x - along * ux, ay = y - along * uy, az = z - along * uz;
        const Eight<T> across = sqrt((ax * ax + ay * ay) + az * az);
        const Eight<T> overlap = face_heights(block, m) + (radius * across + half * abs(along));
        store(overlaps + 8 * b, overlap);
        least.add(overlap);
      }
      int face;
      least.read(best.overlap, face);
      best.feature = CylinderFeature::face;
      best.number[0] = best.number[1] = face;
      best.normal = hull.face_normal(face);
      for (int b = 0; b < hull.face_block_count(); ++b) {
        unsigned level = bits_at_least(eight_of(best.overlap), load_eight(overlaps + 8 * b));
        if (b == face >> 3) level &= ~(1u << (face & 7));
        for (; level != 0; level &= level - 1) {
          const int other = 8 * b + __builtin_ctz(level);
          best.is_tie |= dot(hull.face_normal(other), best.normal) < T(0.999);
        }
      }
    }
    // The highest and lowest vertices along the axis, and the one nearest to it.
    const T* const vertices = hull.vertex_blocks();
    const auto heights = [&](const T* block) {
      return (load_eight(block) * ux + load_eight(block + 8) * uy) + load_eight(block + 16) * uz;
    };
    const auto nearness = [&](const T* block) {
      const Eight<T> x = load_eight(block) - mx, y = load_eight(block + 8) - my,
                     z = load_eight(block + 16) - mz;
      const Eight<T> along = (x * ux + y * uy) + z * uz;
      const Eight<T> ax = x - along * ux, ay = y - along * uy, az = z - along * uz;
      return eight_of(T(0)) - ((ax * ax + ay * ay) + az * az);
    };
    const Eight<T> first = heights(vertices);
    GreatestOf<T> high(first), low(eight_of(T(0)) - first), near(nearness(vertices));
    for (int b = 1; b < hull.vertex_block_count(); ++b) {
      const T* const block = vertices + b * HullLayout::vertex_block;
      const Eight<T> here = heights(block);
      high.add(here);
      low.add(eight_of(T(0)) - here);
      near.add(nearness(block));
    }
    const T highest = high.greatest(), lowest = low.greatest(), nearest = near.greatest();
    const T height = dot(u, m), slack = rounding(size_[i]);
    const int top = high.number_of(highest), bottom = low.number_of(lowest);
    cap_vertex_[i][0] = top;
    cap_vertex_[i][1] = bottom;
    best.take({(highest - height) + c.half, u, CylinderFeature::cap, false, {top, top}}, slack);
    best.take({(lowest + height) + c.half, -u, CylinderFeature::cap, false, {bottom, bottom}},
              slack);
    if (c.radius - root(-nearest) < best.overlap) {
      const int v = near.number_of(nearest);
      const Vec<T, 3> to = m - hull.vertex(v);
      const Vec<T, 3> once = to - dot(to, u) * u;
      const Vec<T, 3> n = unit_of(once - dot(once, u) * u);
      const Vec<T, 3> farthest = hull.vertex(farthest_vertex_of(hull, n));
      best.take({dot(n, farthest) + c.reach(n), n, CylinderFeature::vertex, false, {v, v}}, slack);
    }
  }

  /// Adds the edges that the witnesses do not rule out.
  void add_edges(const HullView<T>& hull, int i, CylinderEdges<F>& edges, LaneCounter<F>& counter) {
    std::int16_t remaining[kMostEdges + kCodesBeyond];
    int count = 1;
    remaining[0] = 0;
    if (hull.face_count > 0) count = remaining_edges_of(hull, i, remaining);
    for (int n = 0; n < count; ++n) {
      if (edges.add(hull, remaining[n], frames_, i)) flush(edges, counter);
    }
  }
  int remaining_edges_of(const HullView<T>& hull, int i, std::int16_t* remaining) const {
    constexpr int kGiven = CylindersInFrames<F>::witness_count;
    const Cylinder c = cylinder(i);
    Vec<T, 3> witness[kGiven + 2];
    for (int w = 0; w < kGiven; ++w) {
      witness[w] = {{frames_.witness[w][0][i], frames_.witness[w][1][i], frames_.witness[w][2][i]}};
    }
    const Vec<T, 3> up = c.half * c.axis;
    witness[kGiven] = hull.vertex(cap_vertex_[i][0]) - (c.middle - up);
    witness[kGiven + 1] = hull.vertex(cap_vertex_[i][1]) - (c.middle + up);
    return edges_beyond(hull, witness, found_[i].overlap, remaining);
  }
  void flush(CylinderEdges<F>& edges, LaneCounter<F>& counter) {
    if (edges.count == 0) return;
    counter.add_queue(edges.count);
    flush_cylinder_edges(edges, size_, found_);
  }

  CoreForm form_;
  const ConvexShapeLanes<F>& others_;
  CylindersInFrames<F> frames_;
  int cap_vertex_[lanes][2];
  T size_[lanes];
  CylinderAxis<T> found_[lanes];
};

/// Finds the exit along a pair's axis, with its witness. Answers false if that fails: the cores
/// hardly overlap, or rounding has mistaken a feature.
template <class T>
bool find_exit_along(const CylinderAxis<T>& axis, const ShapePair<T>& pair, T size,
                     LeastExit<T>& exit) {
  const ConvexShape<T>&other = pair.a, &cylinder = pair.b;
  const T rounding = 16 * kRounding<T> * size;
  const Vec<T, 3> n = unit_of(rotate(other.turn, axis.normal));
  exit.direction = n;
  exit.depth = dot(n, farthest(pair, n).point);
  exit.is_tie = axis.is_tie;
  exit.is_capped = false;
  if (!(exit.depth > rounding && exit.depth <= axis.overlap + rounding)) return false;
  Witness<T>& witness = exit.witness;
  const auto put_numbers = [&](int count, const int(&vertices)[3], int end) {
    witness.count = count;
    for (int k = 0; k < 3; ++k) {
      witness.a[k] = vertices[k];
      witness.b[k] = end;
    }
  };
  const ShapePoint<T> rim = farthest(cylinder, -n);
  const int first = axis.number[0], second = axis.number[1];
  switch (axis.feature) {
    case CylinderFeature::face: {
      if (other.form == CoreForm::hull) {
        const HullView<T> hull = other.hull();
        const std::int16_t* const ring = hull.face_vertices() + hull.face_start(first);
        put_numbers(3, {ring[0], ring[1], ring[2]}, rim.number);
      } else {
        const int along = first / 2, corner = (first % 2) << along;
        put_numbers(3, {corner, corner | 1 << (along + 1) % 3, corner | 1 << (along + 2) % 3},
                    rim.number);
      }
      witness.on_b = rim.point;
      witness.on_a = (pair.apart + rim.point) + exit.depth * n;
      return true;
    }
    case CylinderFeature::cap:
      put_numbers(1, {first, first, first}, rim.number);
      witness.on_a = vertex_of(other, first);
      witness.on_b = (witness.on_a - exit.depth * n) - pair.apart;
      return true;
    case CylinderFeature::none:
      return false;
    case CylinderFeature::vertex:
    case CylinderFeature::side_edge:
    case CylinderFeature::rim_edge: {
      const bool is_side = axis.feature != CylinderFeature::rim_edge;
      const int count = axis.feature == CylinderFeature::vertex ? 1 : 2;
      return CylinderExitSearch<T>(pair, false, rounding)
          .find_witness({n, is_side, count, {first, second}}, exit.depth, witness);
    }
  }
  __builtin_unreachable();
}

template <class T>
DirectExit<T> direct_exit(const CylinderAxis<T>& axis, const ShapePair<T>& pair, T size) {
  DirectExit<T> direct;
  direct.feature = axis.feature;
  direct.is_found = find_exit_along<T>(axis, pair, size, direct.exit);
  return direct;
}

template <class F>
DirectExit<RealOf<F>> CylinderAxes<F>::exit(int lane, const ShapePair<T>& pair, T size) const {
  return direct_exit(found_[lane], pair, size);
}

}  // namespace
}  // namespace widephase
