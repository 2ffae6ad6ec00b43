#pragma once

// The surface of a polytope inside the Minkowski difference of two cores, for EPA: triangles, each
// with its neighbours. A new vertex removes the faces that see it, found from the nearest face
// across edges. Then it is joined to the rim of the hole.

#include "kernels/core/round/segment.hpp"
#include "kernels/core/support/convex_shape.hpp"
#include "kernels/lanes/eight_rows.hpp"

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

/// `across_both` of one pair.
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

/// Side k of a face, as its neighbours name it: the edge from its vertex k to the next.
constexpr std::int16_t face_side(int at, int k) { return static_cast<std::int16_t>(4 * at + k); }

/// The first faces of a polytope, from their vertices. Sides that have a neighbour name it.
template <int N>
struct FirstTriangles {
  std::int16_t vertex[N][3], beside[N][3] = {};
  constexpr explicit FirstTriangles(const int (&corners)[N][3]) {
    for (int side = 0; side < 3 * N; ++side) {
      const int at = side / 3, k = side % 3, from = corners[at][k], to = corners[at][(k + 1) % 3];
      vertex[at][k] = static_cast<std::int16_t>(from);
      for (int other = 0; other < 3 * N; ++other) {
        const int face = other / 3, m = other % 3;
        if (corners[face][m] == to && corners[face][(m + 1) % 3] == from) {
          beside[at][k] = face_side(face, m);
        }
      }
    }
  }
};

/// A closed surface of triangles, counter-clockwise when seen from outside.
///
/// The planes of the faces are columns, eight places in a block, and each step over the faces takes
/// a block at a time. New faces are made together. Their planes begin a new block, whatever the
/// numbers of the faces, because a load of several numbers stored one by one would have to wait.
template <class T>
class Polytope3 {
 public:
  static constexpr int most_vertices = 512;
  static constexpr int most_faces = 2 * most_vertices;

  struct Face {
    std::int16_t vertex[3];
    std::int16_t place;      ///< of its plane
    std::int16_t beside[4];  ///< side k is across the edge from vertex k to the next; see `face_side`
    Vec<T, 3> normal;        ///< unit, outwards; zero if the face is flat
  };

  PolytopeVertex<T> vertex[most_vertices];
  Face face[most_faces];
  int vertex_count = 0;
  int face_count = 0;

  static constexpr T none = kInfinite<T>;

  /// `apart` is the pair's.
  explicit Polytope3(const Vec<T, 3>& apart) : apart_(apart) { clear_places(); }

  void remove_faces() {
    face_count = 0;
    clear_places();
  }
  /// Begins with these faces, from face 0 on.
  template <int N>
  void begin(const FirstTriangles<N>& first) {
    static_assert(N <= block);
    clear_places();
    face_count = N;
    std::int16_t numbers[block];
    std::int32_t vertices[3][block] = {};
    for (int at = 0; at < N; ++at) {
      numbers[at] = static_cast<std::int16_t>(at);
      for (int k = 0; k < 3; ++k) {
        face[at].vertex[k] = first.vertex[at][k];
        face[at].beside[k] = first.beside[at][k];
        vertices[k][at] = first.vertex[at][k];
      }
    }
    for (int v = 0; v < vertex_count; ++v) put_row(v);
    put_block(numbers, N, vertices);
  }
  /// The distance of a face's plane from the origin; `none` if there is no face.
  T distance(int at) const { return distance_[face[at].place]; }
  /// Treats a face as farther than all others.
  void leave_out(int at) { distance_[face[at].place] = none; }
  /// Whether a face has too little area to have a normal.
  bool is_flat(int at) const {
    const int place = face[at].place;
    return (flat_[place >> 3] >> (place & 7) & 1) != 0;
  }
  bool sees(int at, const PolytopeVertex<T>& w, T slack) const {
    const Face& f = face[at];
    return dot(f.normal, from_to(vertex[f.vertex[0]], w)) > slack;
  }
  bool has(const PolytopeVertex<T>& w) const {
    const Eight<T> wanted = eight_of(w.point[0]);
    const auto has_in = [&](int first) {
      const Eight<T> here = load_eight(first_axis_ + first);
      const int left = greater_of(lesser_of(vertex_count - first, block), 0);
      unsigned bits = (bits_at_least(wanted, here) & bits_at_least(here, wanted)) &
                      ((1u << left) - 1u);
      for (; bits != 0; bits &= bits - 1) {
        const Vec<T, 3>& p = vertex[first + __builtin_ctz(bits)].point;
        if (p[1] == w.point[1] && p[2] == w.point[2]) return true;
      }
      return false;
    };
    // The number of rounds is the same for most polytopes, so that it is foreseen.
    for (int first = 0; first < kFewVertices || first < vertex_count; first += block) {
      if (has_in(first)) return true;
    }
    return false;
  }
  /// The first of the nearest faces, or a negative number if there is none.
  int nearest() const {
    // As above. There is no face at places from `place_count_` on.
    int first = most_faces;
    if (place_count_ <= kFewPlaces / 2) {
      first = nearest_of(0, kFewPlaces / 2, least_distance(kFewPlaces / 2));
    } else if (place_count_ <= kFewPlaces) {
      first = nearest_of(0, kFewPlaces, least_distance(kFewPlaces));
    } else {
      const T least = least_distance(place_count_);
      for (int from = 0; from < place_count_; from += kFewPlaces) {
        first =
            lesser_of(first, nearest_of(from, lesser_of(place_count_ - from, kFewPlaces), least));
      }
    }
    return first < most_faces ? first : -1;
  }
  /// Calls `visit(at)` in order for faces whose normals lean from a direction by at most a cosine.
  template <class Visit>
  WIDEPHASE_INLINE void for_each_about(const Vec<T, 3>& direction, T least, Visit&& visit) const {
    const Eight<T> x = eight_of(direction[0]), y = eight_of(direction[1]),
                   z = eight_of(direction[2]), least_slope = eight_of(least);
    std::uint64_t faces[most_faces / 64];
    for (int n = 0; 64 * n < face_count; ++n) faces[n] = 0;
    for (int at = 0; at < place_count_; at += block) {
      const Eight<T> slope = (load_eight(normal_[0] + at) * x + load_eight(normal_[1] + at) * y) +
                             load_eight(normal_[2] + at) * z;
      for (unsigned bits = bits_at_least(slope, least_slope); bits != 0; bits &= bits - 1) {
        const int place = at + __builtin_ctz(bits), number = face_at_[place];
        if (distance_[place] < none) faces[number >> 6] |= std::uint64_t{1} << (number & 63);
      }
    }
    for (int n = 0; 64 * n < face_count; ++n) {
      for (std::uint64_t left = faces[n]; left != 0; left &= left - 1) {
        visit(64 * n + __builtin_ctzll(left));
      }
    }
  }
  /// Whether the normal of any face at this distance is one that is asked for.
  template <class IsOne>
  WIDEPHASE_INLINE bool any_at(T at_distance, const IsOne& is_one) const {
    const Eight<T> wanted = eight_of(at_distance);
    for (int first = 0; first < place_count_; first += block) {
      const Eight<T> here = load_eight(distance_ + first);
      unsigned bits = bits_at_least(wanted, here) & bits_at_least(here, wanted);
      for (; bits != 0; bits &= bits - 1) {
        const int place = first + __builtin_ctz(bits);
        if (is_one({{normal_[0][place], normal_[1][place], normal_[2][place]}})) return true;
      }
    }
    return false;
  }
  /// Removes the faces around `start` that see w, the last vertex, and joins w to the rim of the
  /// hole. Returns false if rounding left no single rim, or if there is no room.
  bool expand(int start, const PolytopeVertex<T>& w, T slack) {
    const int last = vertex_count - 1;
    put_row(last);
    // Few places or vertices are the bits of one register.
    constexpr int kAllPlaces = most_places / 64 + 1, kAllVertices = most_vertices / 64;
    if (place_count_ <= kFewPlaces) {
      find_hole<1>(start, w, slack);
    } else {
      find_hole<kAllPlaces>(start, w, slack);
    }
    if (!(vertex_count <= 64 ? order_rim<1>() : order_rim<kAllVertices>())) return false;
    const int grown = rim_count_ - hole_count_;
    if (grown > most_faces - face_count) return false;
    if (place_count_ + rim_count_ + block > most_places) pack();
    for (int i = 0; i < hole_count_; ++i) leave_out(hole_[i]);
    // Freed numbers without a new face stay empty. Nothing reaches them, because no face is beside
    // them.
    const int end = face_count;
    face_count += grown > 0 ? grown : 0;
    const auto number_of = [&](int i) {
      return i < hole_count_ ? int{hole_[i]} : end + (i - hole_count_);
    };
    int before = number_of(order_[rim_count_ - 1]), at = number_of(order_[0]);
    for (int first = 0; first < rim_count_; first += block) {
      const int count = lesser_of(rim_count_ - first, int{block});
      std::int16_t numbers[block];
      std::int32_t vertices[2][block] = {};
      for (int n = 0; n < count; ++n) {
        const RimEdge& edge = rim_[order_[first + n]];
        const int next = first + n + 1;
        const int after = number_of(order_[next == rim_count_ ? 0 : next]);
        Face& f = face[at];
        vertices[0][n] = f.vertex[0] = edge.from;
        vertices[1][n] = f.vertex[1] = edge.to;
        f.vertex[2] = static_cast<std::int16_t>(last);
        f.beside[0] = edge.outer;
        f.beside[1] = face_side(after, 2);
        f.beside[2] = face_side(before, 1);
        face[edge.outer >> 2].beside[edge.outer & 3] = face_side(at, 0);
        numbers[n] = static_cast<std::int16_t>(at);
        before = at;
        at = after;
      }
      put_block(numbers, count, vertices, &w);
    }
    return true;
  }

 private:
  static constexpr int block = 8;
  static constexpr int kFewPlaces = 64;    ///< the bits of one register
  static constexpr int kFewVertices = 16;  ///< more than most polytopes have
  static constexpr int most_places = most_faces + most_vertices + 2 * block;
  using F = EightPart<T>;
  static constexpr int lanes = LaneTraits<F>::count;

  /// Vertices in lanes.
  struct Corners {
    Vec<F, 3> of_a, of_b;
  };
  static WIDEPHASE_INLINE Vec<F, 3> between(const Corners& from, const Corners& to) {
    return (to.of_a - from.of_a) - (to.of_b - from.of_b);
  }
  static WIDEPHASE_INLINE Vec<F, 3> spread(const Vec<T, 3>& v) {
    return {{F(v[0]), F(v[1]), F(v[2])}};
  }
  static WIDEPHASE_INLINE Corners spread(const PolytopeVertex<T>& v) {
    return {spread(v.of_a), spread(v.of_b)};
  }

  void clear_places() {
    place_count_ = 0;
    for (int at = 0; at < kFewPlaces; at += block) store(distance_ + at, eight_of(none));
  }
  /// The least distance at the first places, whole blocks of them.
  WIDEPHASE_INLINE T least_distance(int count) const {
    Eight<T> least = eight_of(none);
    for (int at = 0; at < count; at += block) least = lesser(least, load_eight(distance_ + at));
    return reduce_eight(least, [](T a, T b) { return lesser_of(a, b); });
  }
  /// The first face at this distance among those at up to `kFewPlaces` places; `most_faces` if
  /// there is none. Takes the bits of all places together: a branch for each block would be seldom
  /// foreseen.
  WIDEPHASE_INLINE int nearest_of(int from, int count, T distance) const {
    int first = most_faces;
    if (!(distance < none)) return first;
    const Eight<T> wanted = eight_of(distance);
    std::uint64_t bits = 0;
    for (int at = 0; at < count; at += block) {
      bits |= std::uint64_t{bits_at_least(wanted, load_eight(distance_ + from + at))} << at;
    }
    for (; bits != 0; bits &= bits - 1) {
      first = lesser_of(first, int{face_at_[from + __builtin_ctzll(bits)]});
    }
    return first;
  }
  void put_row(int v) {
    first_axis_[v] = vertex[v].point[0];
    for (int k = 0; k < 3; ++k) {
      row_[v][k] = vertex[v].of_a[k];
      row_[v][3 + k] = vertex[v].of_b[k];
    }
    row_[v][6] = row_[v][7] = 0;
  }
  WIDEPHASE_INLINE Corners corners_at(const std::int32_t* vertices) const {
    F column[8];
    load_columns(row_[0], vertices, column);
    return {{{column[0], column[1], column[2]}}, {{column[3], column[4], column[5]}}};
  }

  /// Makes the planes of `count` faces, at most `block`, with these numbers, between vertices. The
  /// last vertex of all is `apex` if it is given.
  template <int N>
  WIDEPHASE_INLINE void put_block(const std::int16_t* numbers, int count,
                                  const std::int32_t (&vertices)[N][block],
                                  const PolytopeVertex<T>* apex = nullptr) {
    const int end = place_count_;
    place_count_ += block;
    unsigned wide = 0;
    for (int n = 0; n < block; n += lanes) {
      if (n < count) {
        const Corners third = N == 2 ? spread(*apex) : corners_at(vertices[N - 1] + n);
        const Corners corners[3] = {corners_at(vertices[0] + n), corners_at(vertices[1] + n),
                                    third};
        wide |= put_planes(corners, end + n, count - n) << n;
        continue;
      }
      for (int axis = 0; axis < 3; ++axis) {
        for (T* const column : {normal_[axis], from_a_[axis], from_b_[axis]}) {
          store_part(column + end + n, F(0));
        }
      }
      store_part(distance_ + end + n, F(none));
    }
    flat_[end >> 3] = static_cast<std::uint8_t>(~wide);
    for (int n = 0; n < count; ++n) {
      Face& f = face[numbers[n]];
      f.place = static_cast<std::int16_t>(end + n);
      face_at_[end + n] = numbers[n];
      for (int axis = 0; axis < 3; ++axis) f.normal[axis] = normal_[axis][end + n];
    }
  }
  /// Makes the planes of `count` of the faces between three vertices each. Returns which have an
  /// area.
  WIDEPHASE_INLINE unsigned put_planes(const Corners (&corners)[3], int place, int count) {
    const F zero(0), one(1);
    const Vec<F, 3> u = between(corners[0], corners[1]), v = between(corners[0], corners[2]);
    const F u2 = dot(u, u), v2 = dot(v, v);
    const Vec<F, 3> n = across_both(u, v);
    const F n2 = dot(n, n);
    // Below this the edges are parallel within rounding.
    const T rounding = 8 * kRounding<T>;
    const auto has_area = n2 > F(rounding * rounding) * (u2 * v2);
    const F size = sqrt(select(has_area, n2, one));
    const Vec<F, 3> nowhere{{zero, zero, zero}};
    const Vec<F, 3> normal = select(has_area, n / size, nowhere);
    // Use the vertex nearest to the origin: its dot product has the least rounding.
    const Vec<F, 3> apart = spread(apart_);
    F least(kInfinite<T>), height(0);
    for (const Corners& corner : corners) {
      const Vec<F, 3> p = corner.of_a - (apart + corner.of_b);
      const F square = dot(p, p);
      const auto is_nearer = square < least;
      least = select(is_nearer, square, least);
      height = select(is_nearer, dot(normal, p), height);
    }
    // A sliver's points also lie on its neighbours' edges, so leaving it out misses none.
    height = select(has_area, height, F(none));
    constexpr T kLane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    height = select(F(static_cast<T>(count)) > load_part<F>(kLane), height, F(none));
    for (int axis = 0; axis < 3; ++axis) {
      store_part(normal_[axis] + place, normal[axis]);
      store_part(from_a_[axis] + place, corners[0].of_a[axis]);
      store_part(from_b_[axis] + place, corners[0].of_b[axis]);
    }
    store_part(distance_ + place, height);
    return mask_bits(has_area);
  }
  /// Makes all planes anew, at the first places.
  __attribute__((noinline)) void pack() {
    std::uint64_t left_out[most_faces / 64] = {};
    for (int at = 0; at < face_count; ++at) {
      if (!(distance(at) < none)) left_out[at >> 6] |= std::uint64_t{1} << (at & 63);
    }
    clear_places();
    for (int first = 0; first < face_count; first += block) {
      const int count = lesser_of(face_count - first, int{block});
      std::int16_t numbers[block];
      std::int32_t vertices[3][block] = {};
      for (int n = 0; n < count; ++n) {
        numbers[n] = static_cast<std::int16_t>(first + n);
        for (int k = 0; k < 3; ++k) vertices[k][n] = face[first + n].vertex[k];
      }
      put_block(numbers, count, vertices);
    }
    for (int at = 0; at < face_count; ++at) {
      if ((left_out[at >> 6] >> (at & 63) & 1) != 0) leave_out(at);
    }
  }

  /// A set of numbers below 64 * Words.
  template <int Words>
  struct Bits {
    std::uint64_t word[Words];
    static WIDEPHASE_INLINE int word_of(int at) { return Words == 1 ? 0 : at >> 6; }
    WIDEPHASE_INLINE void clear(int count) {
      for (int n = 0; n < Words && 64 * n < count; ++n) word[n] = 0;
    }
    WIDEPHASE_INLINE unsigned has(int at) const {
      return static_cast<unsigned>(word[word_of(at)] >> (at & 63)) & 1u;
    }
    WIDEPHASE_INLINE void add(int at, unsigned bits) {
      word[word_of(at)] |= std::uint64_t{bits} << (at & 63);
    }
  };
  /// Finds the faces around `start` that see w, and the edges around them.
  template <int Words>
  WIDEPHASE_INLINE void find_hole(int start, const PolytopeVertex<T>& w, T slack) {
    Bits<Words> visible, seen;
    visible.clear(place_count_);
    seen.clear(place_count_);
    find_visible(w, slack, visible);
    visible.add(face[start].place, 1);
    seen.add(face[start].place, 1);
    int depth = 0, hole_count = 0, rim_count = 0;
    stack_[depth++] = static_cast<std::int16_t>(start);
    // More edges than vertices are not a ring.
    while (depth > 0 && rim_count <= vertex_count) {
      const int at = stack_[--depth];
      hole_[hole_count++] = static_cast<std::int16_t>(at);
      const Face& f = face[at];
      // Without branches, which would be as good as random.
#pragma GCC unroll 3
      for (int k = 0; k < 3; ++k) {
        const std::int16_t outer = f.beside[k];
        const int other = outer >> 2, place = face[other].place;
        const unsigned is_visible = visible.has(place), was_seen = seen.has(place);
        stack_[depth] = static_cast<std::int16_t>(other);
        depth += static_cast<int>(is_visible & ~was_seen);
        seen.add(place, is_visible);
        rim_[rim_count] = {f.vertex[k], f.vertex[k == 2 ? 0 : k + 1], outer};
        rim_count += static_cast<int>(1 - is_visible);
      }
    }
    hole_count_ = hole_count;
    rim_count_ = rim_count;
  }
  /// Flat faces see every vertex.
  template <int Words>
  WIDEPHASE_INLINE void find_visible(const PolytopeVertex<T>& w, T slack, Bits<Words>& visible) {
    const auto three = [](const T(&column)[3][most_places], int at) {
      return each_axis<F, 3>([&](int axis) { return load_part<F>(column[axis] + at); });
    };
    const Corners to = spread(w);
    for (int first = 0; first < place_count_; first += block) {
      unsigned bits = flat_[first >> 3];
      for (int n = 0; n < block; n += lanes) {
        const int at = first + n;
        const Corners from{three(from_a_, at), three(from_b_, at)};
        bits |= mask_bits(dot(three(normal_, at), between(from, to)) > F(slack)) << n;
      }
      visible.add(first, bits);
    }
  }
  /// Finds the order in which the rim's edges follow one another. Returns false if they are not one
  /// ring: each vertex is once a start and once an end.
  template <int Words>
  WIDEPHASE_INLINE bool order_rim() {
    const int count = rim_count_;
    if (count < 3 || count > vertex_count) return false;
    Bits<Words> starts;
    starts.clear(vertex_count);
    unsigned is_twice = 0;
    for (int i = 0; i < count; ++i) {
      const int from = rim_[i].from;
      is_twice |= starts.has(from);
      starts.add(from, 1);
      next_[from] = static_cast<std::int16_t>(i);
    }
    if (is_twice != 0) return false;
    int ordered = 0;
    for (int i = 0; ordered < count;) {
      order_[ordered++] = static_cast<std::int16_t>(i);
      const int to = rim_[i].to;
      if (starts.has(to) == 0) return false;
      i = next_[to];
      if (i == 0) return ordered == count;
    }
    return false;
  }

  struct RimEdge {
    std::int16_t from, to;
    std::int16_t outer;  ///< the side beyond it
  };

  Vec<T, 3> apart_;
  int place_count_ = 0;                      ///< whole blocks
  alignas(64) T row_[most_vertices][8];      ///< of_a and of_b of each vertex
  alignas(64) T first_axis_[most_vertices];  ///< of the vertices' points
  alignas(64) T distance_[most_places];
  alignas(64) T normal_[3][most_places];
  alignas(64) T from_a_[3][most_places];  ///< of the faces' first vertices
  alignas(64) T from_b_[3][most_places];
  std::int16_t face_at_[most_places];  ///< the face of a place with a distance
  std::uint8_t flat_[most_places / block];
  // Scratch of `expand`.
  int hole_count_, rim_count_;
  std::int16_t stack_[most_faces + 1], hole_[most_faces];
  RimEdge rim_[most_vertices + 4];
  std::int16_t next_[most_vertices], order_[most_vertices];
};

}  // namespace
}  // namespace widephase
