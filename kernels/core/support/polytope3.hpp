#pragma once

// The surface of a polytope inside the Minkowski difference of two cores, for EPA: triangles, each
// with its neighbours. A new vertex removes the faces that see it, found from the nearest face
// across edges. Then it is joined to the rim of the hole.

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

/// Two cores; `apart` leads from A's middle to B's.
template <class T>
struct ShapePair {
  const ConvexShape<T>& a;
  const ConvexShape<T>& b;
  Vec<T, 3> apart;
};

/// Whether a core is an ellipsoid or a cone: then core/smooth solves the pair.
template <class T>
bool is_smooth(const ShapePair<T>& pair) {
  return is_smooth(pair.a.form) || is_smooth(pair.b.form);
}
/// Whether a core is a cylinder and the other one a cylinder or a polytope: then core/cylinder
/// does.
template <class T>
bool has_cylinder(const ShapePair<T>& pair) {
  return (pair.a.form == CoreForm::cylinder || pair.b.form == CoreForm::cylinder) &&
         !is_smooth(pair);
}

/// The size that the rounding of a pair's coordinates scales with.
template <class T>
T size_of(const ShapePair<T>& pair) {
  const Vec<T, 3>& apart = pair.apart;
  return (pair.a.reach + pair.b.reach) +
         ((magnitude(apart[0]) + magnitude(apart[1])) + magnitude(apart[2]));
}

/// The deepest point of an overlap, or the point where cores touch.
template <class T>
struct Witness {
  Vec<T, 3> on_a, on_b;  ///< relative to the middles of the cores
  int count;             ///< number of vertices whose hull contains it
  int a[3], b[3];        ///< their numbers

  /// Whether all are the same vertex of A, or of B.
  bool is_one(const int (&numbers)[3]) const {
    for (int k = 1; k < count; ++k) {
      if (numbers[k] != numbers[0]) return false;
    }
    return count > 0;
  }
};

/// EPA's result for one pair.
template <class T>
struct LeastExit {
  Vec<T, 3> direction;  ///< unit, from A to B
  T depth;              ///< along it
  bool is_tie;
  bool is_capped;  ///< the depth is an upper bound, open by more than rounding
  Witness<T> witness;
};

/// A vertex of the Minkowski difference.
template <class T>
struct PolytopeVertex {
  Vec<T, 3> point;
  Vec<T, 3> of_a;
  Vec<T, 3> of_b;
  int a;
  int b;
};
template <class T>
WIDEPHASE_INLINE Vec<T, 3> from_to(const PolytopeVertex<T>& from, const PolytopeVertex<T>& to) {
  return (to.of_a - from.of_a) - (to.of_b - from.of_b);
}
template <class T>
WIDEPHASE_INLINE PolytopeVertex<T> farthest(const ShapePair<T>& pair, const Vec<T, 3>& direction) {
  const ShapePoint<T> a = farthest(pair.a, direction);
  const ShapePoint<T> b = farthest(pair.b, -direction);
  return {a.point - (pair.apart + b.point), a.point, b.point, a.number, b.number};
}

/// u x v, perpendicular to both within the rounding of a unit vector, however small their angle.
/// The rounding error of the cross product lies mostly along the longer vector; that part is
/// removed.
template <class T>
WIDEPHASE_INLINE Vec<T, 3> across_edges(const Vec<T, 3>& u, const Vec<T, 3>& v) {
  const Vec<T, 3> n = cross(u, v);
  const T u2 = dot(u, u), v2 = dot(v, v);
  const bool is_u = u2 >= v2;
  const Vec<T, 3>& longer = is_u ? u : v;
  const T longer2 = is_u ? u2 : v2;
  if (!(longer2 > 0)) return n;
  return n - (dot(n, longer) / longer2) * longer;
}

/// A closed surface of triangles, counter-clockwise when seen from outside.
template <class T>
class Polytope3 {
 public:
  static constexpr int most_vertices = 512;
  static constexpr int most_faces = 2 * most_vertices;

  struct Face {
    std::int16_t vertex[3];
    std::int16_t beside[3];  ///< the face across the edge from vertex k to the next
    Vec<T, 3> normal;        ///< unit, outwards
    bool is_flat;            ///< too little area to have a normal
  };

  PolytopeVertex<T> vertex[most_vertices];
  Face face[most_faces];
  T distance[most_faces];  ///< of a face's plane from the origin; `none` if there is no face
  int vertex_count = 0;
  int face_count = 0;

  static constexpr T none = kInfinite<T>;

  /// Stores a face between three vertices at index `at`.
  void put_face(int at, int i, int j, int k) {
    Face& f = face[at];
    f.vertex[0] = static_cast<std::int16_t>(i);
    f.vertex[1] = static_cast<std::int16_t>(j);
    f.vertex[2] = static_cast<std::int16_t>(k);
    const Vec<T, 3> u = from_to(vertex[i], vertex[j]), v = from_to(vertex[i], vertex[k]);
    const Vec<T, 3> n = across_edges(u, v);
    const T n2 = dot(n, n);
    // Below this the edges are parallel within rounding.
    const T rounding = 8 * kRounding<T>;
    f.is_flat = !(n2 > (rounding * rounding) * (dot(u, u) * dot(v, v)));
    const T size = root(n2);
    f.normal =
        f.is_flat ? Vec<T, 3>{{0, 0, 0}} : Vec<T, 3>{{n[0] / size, n[1] / size, n[2] / size}};
    // A sliver's points also lie on its neighbours' edges, so leaving it out misses none.
    distance[at] = f.is_flat ? none : height_of_origin(f);
  }
  bool sees(int at, const PolytopeVertex<T>& w, T slack) const {
    const Face& f = face[at];
    return dot(f.normal, from_to(vertex[f.vertex[0]], w)) > slack;
  }
  bool has(const PolytopeVertex<T>& w) const {
    for (int v = 0; v < vertex_count; ++v) {
      const Vec<T, 3>& p = vertex[v].point;
      if (p[0] == w.point[0] && p[1] == w.point[1] && p[2] == w.point[2]) return true;
    }
    return false;
  }
  int nearest() const {
    int best = -1;
    T least = none;
    for (int at = 0; at < face_count; ++at) {
      if (distance[at] < least) {
        least = distance[at];
        best = at;
      }
    }
    return best;
  }
  /// Links the neighbours among the first `face_count` faces, which form a closed surface.
  void join_all() {
    for (int at = 0; at < face_count; ++at) {
      for (int k = 0; k < 3; ++k) {
        const int from = face[at].vertex[k], to = face[at].vertex[(k + 1) % 3];
        for (int other = 0; other < face_count; ++other) {
          for (int m = 0; m < 3; ++m) {
            if (face[other].vertex[m] == to && face[other].vertex[(m + 1) % 3] == from) {
              face[at].beside[k] = static_cast<std::int16_t>(other);
            }
          }
        }
      }
    }
  }
  /// Removes the faces around `start` that see the last vertex, w, and joins w to the rim of the
  /// hole. Returns false if rounding left no single rim, or if there is no room; the polytope is
  /// then invalid.
  bool expand(int start, T slack) {
    std::int16_t *const stack = stack_, *const rim_from = rim_from_, *const rim_to = rim_to_;
    std::int16_t *const rim_face = rim_face_, *const free_list = free_list_, *const slot = slot_;
    int depth = 0, rim_count = 0, free_count = 0;
    const PolytopeVertex<T>& w = vertex[vertex_count - 1];
    bool* const seen = seen_;
    for (int at = 0; at < face_count; ++at) seen[at] = false;
    seen[start] = true;
    stack[depth++] = static_cast<std::int16_t>(start);
    while (depth > 0) {
      const int at = stack[--depth];
      free_list[free_count++] = static_cast<std::int16_t>(at);
      for (int k = 0; k < 3; ++k) {
        const int other = face[at].beside[k];
        if (seen[other]) continue;
        if (face[other].is_flat || sees(other, w, slack)) {
          seen[other] = true;
          stack[depth++] = static_cast<std::int16_t>(other);
        }
      }
    }
    for (int i = 0; i < free_count; ++i) {
      const Face& f = face[free_list[i]];
      for (int k = 0; k < 3; ++k) {
        const int other = f.beside[k];
        if (seen[other]) continue;
        if (rim_count == most_faces) return false;
        rim_from[rim_count] = f.vertex[k];
        rim_to[rim_count] = f.vertex[(k + 1) % 3];
        rim_face[rim_count++] = static_cast<std::int16_t>(other);
      }
    }
    if (rim_count < 3) return false;
    // The rim must be one ring: each vertex is once a start and once an end.
    for (int v = 0; v < vertex_count; ++v) next_[v] = -1;
    for (int i = 0; i < rim_count; ++i) {
      if (next_[rim_from[i]] >= 0) return false;
      next_[rim_from[i]] = static_cast<std::int16_t>(i);
    }
    int count = 0;
    for (int i = 0; count <= rim_count; ++count) {
      i = next_[rim_to[i]];
      if (i < 0) return false;
      if (i == 0) break;
    }
    if (count + 1 != rim_count) return false;

    const int last = vertex_count - 1;
    int next_free = 0;
    for (int i = 0; i < free_count; ++i) distance[free_list[i]] = none;
    for (int i = 0; i < rim_count; ++i) {
      int at;
      if (next_free < free_count) {
        at = free_list[next_free++];
      } else if (face_count < most_faces) {
        at = face_count++;
      } else {
        return false;
      }
      slot[i] = static_cast<std::int16_t>(at);
      put_face(at, rim_from[i], rim_to[i], last);
    }
    // Freed places without a new face stay empty. Nothing reaches them, because no face is beside
    // them.
    for (int i = 0; i < rim_count; ++i) {
      Face& f = face[slot[i]];
      const int after = slot[next_[rim_to[i]]];
      f.beside[0] = rim_face[i];
      f.beside[1] = static_cast<std::int16_t>(after);
      face[after].beside[2] = slot[i];
      Face& outer = face[rim_face[i]];
      for (int k = 0; k < 3; ++k) {
        if (outer.vertex[k] == rim_to[i] && outer.vertex[(k + 1) % 3] == rim_from[i]) {
          outer.beside[k] = slot[i];
        }
      }
    }
    return true;
  }

 private:
  T height_of_origin(const Face& f) const {
    // Use the vertex nearest to the origin: its dot product has the least rounding.
    T least = kInfinite<T>, height = 0;
    for (const std::int16_t v : f.vertex) {
      const Vec<T, 3>& p = vertex[v].point;
      const T square = dot(p, p);
      if (square < least) {
        least = square;
        height = dot(f.normal, p);
      }
    }
    return height;
  }
  // Scratch of `expand`.
  bool seen_[most_faces];
  std::int16_t next_[most_vertices];
  std::int16_t stack_[most_faces], rim_from_[most_faces], rim_to_[most_faces];
  std::int16_t rim_face_[most_faces], free_list_[most_faces], slot_[most_faces];
};

}  // namespace
}  // namespace widephase
