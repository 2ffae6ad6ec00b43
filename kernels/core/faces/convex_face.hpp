#pragma once

// The face, edge or vertex of a convex core that faces a direction, with the numbers of its
// features, for manifolds.
//
// A cylinder's rims are polygons of sixteen of their points, which are its vertices: 0 ... 15 on
// the lower rim, 16 ... 31 on the upper one. The first is half a sixteenth of a turn after the
// first axis, towards the second, so that a point along an axis is in the middle of a stretch.
// Edges 0 ... 31 are the stretches of rim that begin at these vertices. Edge 32 is a straight line
// of the side with ends 32 (low) and 33 (high). Where the lower rim is crossed, that is edge 33 on
// the way in or on the left, and 34 on the way out or on the right; 35 and 36 are the same for the
// upper rim. Face 0 is the lower cap, 1 the upper cap, 2 the side. A cone has the numbers of a
// cylinder whose upper cap is a point: its apex is vertex 33. An ellipsoid is one feature.

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

inline constexpr int kRimPoints = 16;
inline constexpr int kSideLine = 2 * kRimPoints;
inline constexpr int kSideFace = 2;
inline constexpr int kRimCrossing = kSideLine + 1;

/// Faces whose normals lean farther from the contact's normal say nothing about depths along it.
template <class T>
inline constexpr T kLeastSlope = T(1e-3);

/// An edge of a face is too short to use if its squared length is below this share of the next
/// one's.
template <class T>
inline constexpr T kNoEdge = T(1e-8);

/// Cosines of 0.5, 1.5 ... 15.5 sixteenths of a turn. The sine is the cosine four places before.
template <class T>
inline constexpr T kRimCosines[kRimPoints] = {
    T(0.98078528040323044),  T(0.83146961230254524),  T(0.55557023301960222),
    T(0.19509032201612827),  -T(0.19509032201612827), -T(0.55557023301960222),
    -T(0.83146961230254524), -T(0.98078528040323044), -T(0.98078528040323044),
    -T(0.83146961230254524), -T(0.55557023301960222), -T(0.19509032201612827),
    T(0.19509032201612827),  T(0.55557023301960222),  T(0.83146961230254524),
    T(0.98078528040323044)};
template <class T>
WIDEPHASE_INLINE T rim_cosine(int part) {
  return kRimCosines<T>[part & (kRimPoints - 1)];
}
template <class T>
WIDEPHASE_INLINE T rim_sine(int part) {
  return rim_cosine<T>(part + 12);
}

/// The points of a cap's rim, counter-clockwise seen from outside, with the numbers of the vertices
/// and of the edges to the next. As a table, so that all are computed together.
template <class T>
struct RimOfCap {
  T cosine[kRimPoints], sine[kRimPoints], vertex[kRimPoints], edge[kRimPoints];

  constexpr explicit RimOfCap(bool is_upper) : cosine{}, sine{}, vertex{}, edge{} {
    constexpr int kLast = kRimPoints - 1;
    const int first = is_upper ? kRimPoints : 0;
    for (int n = 0; n < kRimPoints; ++n) {
      const int k = is_upper ? n : kLast - n;
      cosine[n] = kRimCosines<T>[k];
      sine[n] = kRimCosines<T>[(k + 12) & kLast];
      vertex[n] = static_cast<T>(first + k);
      edge[n] = static_cast<T>(first + (is_upper ? k : (k + kLast) & kLast));
    }
  }
};
/// The lower cap's, then the upper one's.
template <class T>
inline constexpr RimOfCap<T> kRimOfCaps[2] = {RimOfCap<T>(false), RimOfCap<T>(true)};

/// How far a direction x, y across the axis lies left of the direction to a rim's point.
template <class T>
WIDEPHASE_INLINE T left_of_rim_point(int part, T x, T y) {
  return rim_cosine<T>(part) * y - rim_sine<T>(part) * x;
}
/// The last of the sixteen rim points before a direction across the axis.
template <class T>
WIDEPHASE_INLINE int rim_part(T x, T y) {
  const int quarter = y >= 0 && x > 0 ? 0 : x <= 0 && y > 0 ? 4 : y <= 0 && x < 0 ? 8 : 12;
  int part = 0;
  for (int k = quarter - 1; k < quarter + 4; ++k) {
    if (left_of_rim_point(k, x, y) >= 0 && left_of_rim_point(k + 1, x, y) < 0) part = k;
  }
  return part & (kRimPoints - 1);
}

/// One corner, the two ends of an edge, or a polygon, counter-clockwise seen from outside.
/// Positions are relative to the core's middle, in the scene's axes.
template <class T>
struct ConvexFace {
  static constexpr int most_corners = 256;
  int count;
  Vec<T, 3> corner[most_corners];
  /// From a polygon's corner to the next, with all its digits however short it is; unused for caps.
  Vec<T, 3> along[most_corners];
  T corner_feature[most_corners];
  T edge_feature[most_corners];  ///< of the edge from a corner to the next
  T face_feature;
  Vec<T, 3> normal;      ///< of a polygon, outwards
  Vec<T, 3> first_axis;  ///< in a polygon's plane, fixed to the core
  /// For a cap, whose corners are points of its rim; `radius` is 0 for all else.
  Vec<T, 3> middle;
  T radius;
  T lag;               ///< how far its rim's last point is behind the first along the direction
  Vec<T, 3> foremost;  ///< the rim's first point along the direction
  T foremost_feature;

  void add(const Vec<T, 3>& at, T feature, T edge) {
    corner[count] = at;
    corner_feature[count] = feature;
    edge_feature[count++] = edge;
  }
};

/// The corners of a box's face, counter-clockwise about its outward normal: the upper sides along
/// the next two axes, the vertex, and the edge to the next corner.
struct BoxFaceCorner {
  bool is_up[2];
  int vertex, edge;
};
struct BoxFaceCorners {
  BoxFaceCorner corner[6][4];

  constexpr BoxFaceCorners() : corner{} {
    constexpr bool kUp[4][2] = {{false, false}, {true, false}, {true, true}, {false, true}};
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      const bool is_up = face % 2 != 0;
      for (int c = 0; c < 4; ++c) {
        BoxFaceCorner& here = corner[face][c];
        const bool(&at)[2] = kUp[is_up ? c : (4 - c) % 4];
        const bool(&next)[2] = kUp[is_up ? (c + 1) % 4 : 3 - c];
        here.is_up[0] = at[0];
        here.is_up[1] = at[1];
        here.vertex = ((is_up ? 1 : 0) << axis) | ((at[0] ? 1 : 0) << u) | ((at[1] ? 1 : 0) << v);
        here.edge = edge_of(here.vertex, at[0] != next[0] ? u : v);
      }
    }
  }
  /// Bits of the two other axes, the lower one first.
  static constexpr int edge_of(int vertex, int axis) {
    const int bits = vertex & ~(1 << axis);
    return 4 * axis + ((bits & ((1 << axis) - 1)) | (bits >> (axis + 1) << axis));
  }
};
inline constexpr BoxFaceCorners kBoxFaceCorners{};

/// The side of a box that faces a direction.
struct BoxSide {
  int axis;
  bool is_up;
};
template <class T>
WIDEPHASE_INLINE BoxSide facing_side(const ConvexShape<T>& shape, const Vec<T, 3>& direction) {
  int axis = 0;
  T slope[3];
  for (int k = 0; k < 3; ++k) {
    slope[k] = dot(shape.turn.column[k], direction);
    if (magnitude(slope[k]) > magnitude(slope[axis])) axis = k;
  }
  return {axis, slope[axis] > 0};
}

template <class T>
void find_box_face(const ConvexShape<T>& shape, const Vec<T, 3>& direction, ConvexFace<T>& face) {
  const auto [axis, is_up] = facing_side(shape, direction);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3, number = 2 * axis + (is_up ? 1 : 0);
  const Vec<T, 3> middle = is_up ? shape.axis[axis] : -shape.axis[axis];
  // A box without an extent has coinciding corners: its faces are edges or points.
  const bool is_wide_u = dot(shape.axis[u], shape.axis[u]) > 0;
  const bool is_wide_v = dot(shape.axis[v], shape.axis[v]) > 0;
  const BoxFaceCorner(&corners)[4] = kBoxFaceCorners.corner[number];
  const auto side = [](bool is_upper) { return is_upper ? T(1) : T(-1); };
  for (int c = 0; c < 4; ++c) {
    const BoxFaceCorner &at = corners[c], &next = corners[(c + 1) % 4];
    if ((at.is_up[0] && !is_wide_u) || (at.is_up[1] && !is_wide_v)) continue;
    int edge = at.edge;
    if (!is_wide_u || !is_wide_v) edge = BoxFaceCorners::edge_of(at.vertex, is_wide_v ? v : u);
    const T along_u = side(next.is_up[0]) - side(at.is_up[0]);
    const T along_v = side(next.is_up[1]) - side(at.is_up[1]);
    face.along[face.count] = along_u * shape.axis[u] + along_v * shape.axis[v];
    face.add(middle + (side(at.is_up[0]) * shape.axis[u] + side(at.is_up[1]) * shape.axis[v]),
             vertex_feature(T(at.vertex)), edge_feature(T(edge)));
  }
  face.face_feature = face_feature(T(number));
  face.normal = is_up ? shape.turn.column[axis] : -shape.turn.column[axis];
  face.first_axis = shape.turn.column[u];
}

/// Among faces that are level with one another, up to rounding, finds the one that a point is over
/// or comes nearest to being over: `best` before others, then the lowest.
template <class T>
__attribute__((noinline)) int level_face_at(const HullView<T>& hull,
                                            const LevelVertices<T>& level_vertices,
                                            const Vec<T, 3>& point, int best) {
  T most = inside_of_face(hull, best, point);
  for (int face = 0; face < hull.face_count && most < 0; ++face) {
    int level = 0;
    for (int at = hull.face_start(face); at < hull.face_start(face + 1); ++at) {
      level += level_vertices.has(hull.face_vertices()[at]);
    }
    const T inside = level >= 3 ? inside_of_face(hull, face, point) : -kInfinite<T>;
    if (!(inside > most)) continue;
    most = inside;
    best = face;
  }
  return best;
}

/// A face that faces a direction, and how many of its vertices are level, if several vertices of
/// the hull are.
struct FacingFace {
  int face;
  int level;
};
/// Among the faces at the support vertex, prefers those with most vertices as far out, within the
/// slack (the edge or the face that lies in the plane). Among these it prefers the one that faces
/// the direction most, then the lowest.
template <class T>
WIDEPHASE_INLINE FacingFace facing_face(const HullView<T>& hull,
                                        const LevelVertices<T>& level_vertices,
                                        const Vec<T, 3>& local) {
  const int vertex = level_vertices.number;
  const std::int16_t* const ring = hull.face_vertices();
  const std::int16_t* const faces = hull.vertex_faces();
  FacingFace best{0, -1};
  T most = 0;
  for (int i = hull.vertex_starts()[vertex]; i < hull.vertex_starts()[vertex + 1]; ++i) {
    const int here = faces[i];
    const T slope = dot(hull.face_normal(here), local);
    int level = 0;
    if (level_vertices.count > 1) {
      for (int at = hull.face_start(here); at < hull.face_start(here + 1); ++at) {
        level += level_vertices.has(ring[at]);
      }
    }
    const bool is_better = level > best.level || (level == best.level && slope > most);
    best = is_better ? FacingFace{here, level} : best;
    most = is_better ? slope : most;
  }
  return best;
}

/// The two faces that have both of two vertices, the lower one first; -1 in place of those that do
/// not exist.
template <class T>
WIDEPHASE_INLINE void find_faces_between(const HullView<T>& hull, int vertex, int other,
                                         int (&faces)[2]) {
  faces[0] = faces[1] = -1;
  for (int word = 0; word < hull.face_words(); ++word) {
    const std::uint64_t common = hull.faces_of(vertex, word) & hull.faces_of(other, word);
    if (common == 0) continue;
    faces[faces[0] < 0 ? 0 : 1] = 64 * word + __builtin_ctzll(common);
    const std::uint64_t rest = common & (common - 1);
    if (rest != 0) faces[1] = 64 * word + __builtin_ctzll(rest);
  }
}

/// The same face. If there are one or two support vertices, this takes no loop over the first one's
/// faces, whose number is hard to predict: the slopes of all faces count that have the vertex, or
/// of the two faces of the edge.
template <class T>
WIDEPHASE_INLINE FacingFace facing_face_of_few(const HullView<T>& hull,
                                               const LevelVertices<T>& level_vertices,
                                               const Vec<T, 3>& local) {
  if (level_vertices.count == 2 && hull.vertex_count <= 64) {
    int faces[2];
    find_faces_between(hull, level_vertices.number, level_vertices.other(), faces);
    if (faces[1] >= 0) {
      const T first = dot(hull.face_normal(faces[0]), local);
      const T second = dot(hull.face_normal(faces[1]), local);
      return {second > first ? faces[1] : faces[0], 2};
    }
  }
  if (level_vertices.count != 1 || hull.face_words() != 1) {
    return facing_face(hull, level_vertices, local);
  }
  const Eight<T> x = eight_of(local[0]), y = eight_of(local[1]), z = eight_of(local[2]);
  std::uint64_t faces = hull.faces_of(level_vertices.number, 0);
  const T* block = hull.face_blocks();
  const auto next_slopes = [&] {
    const Eight<T> slope =
        (load_eight(block) * x + load_eight(block + 8) * y) + load_eight(block + 16) * z;
    const auto bits = static_cast<unsigned>(faces & 0xff);
    block += HullLayout::face_block;
    faces >>= 8;
    return select_bits(bits, slope, eight_of(-kInfinite<T>));
  };
  GreatestOf<T> best(next_slopes());
  for (int b = 1; b < hull.face_block_count(); ++b) best.add(next_slopes());
  return {best.number_of(best.greatest()), 0};
}

template <class T>
void set_hull_face(const ConvexShape<T>& shape, const HullView<T>& hull, int number,
                   ConvexFace<T>& face) {
  const std::int16_t* const ring = hull.face_vertices();
  face.count = 0;
  face.radius = 0;
  face.face_feature = face_feature(T(number));
  face.normal = rotate(shape.turn, hull.face_normal(number));
  const int start = hull.face_start(number), end = hull.face_start(number + 1);
  for (int i = start; i < end; ++i) {
    const int v = ring[i];
    const int next = ring[i + 1 == end ? start : i + 1];
    face.along[face.count] = rotate(shape.turn, hull.vertex(next) - hull.vertex(v));
    face.add(rotate(shape.turn, hull.vertex(v)), vertex_feature(T(v)),
             edge_feature(T(hull.face_edges()[i])));
  }
  face.first_axis = face.along[0];
  // An edge that is too short has no direction.
  const T first2 = dot(face.along[0], face.along[0]), second2 = dot(face.along[1], face.along[1]);
  if (first2 < kNoEdge<T> * second2) face.first_axis = face.along[1];
}

/// The face that faces the direction. If several are level, the one at `near`.
template <class T>
WIDEPHASE_INLINE int facing_hull_face(const Rotation3<T>& turn, const HullView<T>& hull,
                                      const Vec<T, 3>& direction, T slack, const Vec<T, 3>* near) {
  const Vec<T, 3> local = rotate_back(turn, direction);
  const LevelVertices<T> level_vertices(hull, local, slack);
  const FacingFace facing = facing_face_of_few(hull, level_vertices, local);
  if (near == nullptr || facing.level < 3 || level_vertices.count <= facing.level) {
    return facing.face;
  }
  return level_face_at(hull, level_vertices, rotate_back(turn, *near), facing.face);
}

/// The cap if the direction is nearer to the axis than to the side's normal, else the side's line.
template <class T>
void find_cylinder_face(const ConvexShape<T>& shape, const Vec<T, 3>& direction,
                        ConvexFace<T>& face) {
  const Vec<T, 3>& up = shape.axis[2];
  const T slope = dot(shape.turn.column[2], direction);
  T x = dot(shape.turn.column[0], direction), y = dot(shape.turn.column[1], direction);
  const T size = root(x * x + y * y);
  const bool has_side = size > 0;
  if (has_side) {
    x = x / size;
    y = y / size;
  }
  const Vec<T, 3> out = x * shape.axis[0] + y * shape.axis[1];
  const bool is_wide = dot(shape.axis[0], shape.axis[0]) > 0, is_high = dot(up, up) > 0;
  const bool is_cap = magnitude(slope) > size;
  if (is_cap && is_wide) {
    const bool is_upper = slope > 0;
    const Vec<T, 3> middle = is_upper ? up : -up;
    const int first = is_upper ? kRimPoints : 0;
    const RimOfCap<T>& rim = is_upper ? kRimOfCaps<T>[1] : kRimOfCaps<T>[0];
    face.count = kRimPoints;
    for (int n = 0; n < kRimPoints; ++n) {
      for (int k = 0; k < 3; ++k) {
        face.corner[n][k] =
            middle[k] + (rim.cosine[n] * shape.axis[0][k] + rim.sine[n] * shape.axis[1][k]);
      }
      face.corner_feature[n] = vertex_feature(rim.vertex[n]);
      face.edge_feature[n] = edge_feature(rim.edge[n]);
    }
    face.middle = middle;
    face.radius = root(dot(shape.axis[0], shape.axis[0]));
    face.lag = 2 * face.radius * size;
    face.face_feature = face_feature(T(is_upper ? 1 : 0));
    face.normal = is_upper ? shape.turn.column[2] : -shape.turn.column[2];
    face.first_axis = shape.turn.column[0];
    face.foremost = middle + out;
    face.foremost_feature = edge_feature(T(first + rim_part(x, y)));
    return;
  }
  face.face_feature = face_feature(T(kSideFace));
  const Vec<T, 3> foot = is_wide ? out : Vec<T, 3>{{0, 0, 0}};
  if (is_cap && is_high) {
    const bool is_upper = slope > 0;
    face.add(is_upper ? up : -up, vertex_feature(T(kSideLine + (is_upper ? 1 : 0))),
             edge_feature(T(kSideLine)));
    return;
  }
  face.add(foot - up, vertex_feature(T(kSideLine)), edge_feature(T(kSideLine)));
  if (is_high) face.add(foot + up, vertex_feature(T(kSideLine + 1)), edge_feature(T(kSideLine)));
}

/// What the direction is nearest to: the base, the side's line from the base to the apex, or
/// straight up the apex. With a height of at most `slack` a cone is a disc: its base looks both
/// ways, and from above it is the side.
template <class T>
void find_cone_face(const ConvexShape<T>& shape, const Vec<T, 3>& direction, T slack,
                    ConvexFace<T>& face) {
  const Vec<T, 3>& up = shape.axis[2];
  const T slope = dot(shape.turn.column[2], direction);
  T x = dot(shape.turn.column[0], direction), y = dot(shape.turn.column[1], direction);
  const T size = root(x * x + y * y);
  x = size > 0 ? x / size : T(1);
  y = size > 0 ? y / size : T(0);
  const Vec<T, 3> out = x * shape.axis[0] + y * shape.axis[1];
  const T radius = root(dot(shape.axis[0], shape.axis[0])), height = 2 * root(dot(up, up));
  const T side = root(radius * radius + height * height);
  const bool is_disc = height <= slack, is_above = is_disc && slope > 0;
  const bool is_below = -slope * side > height * size + radius * slope;
  if (radius > 0 && (is_disc ? magnitude(slope) > size : is_below)) {
    for (int n = 0; n < kRimPoints; ++n) {
      const int k = is_above ? n : kRimPoints - 1 - n;
      face.add((rim_cosine<T>(k) * shape.axis[0] + rim_sine<T>(k) * shape.axis[1]) - up,
               vertex_feature(T(k)),
               edge_feature(T(is_above ? k : (k + kRimPoints - 1) % kRimPoints)));
    }
    face.middle = -up;
    face.radius = radius;
    face.lag = 2 * radius * size;
    face.face_feature = face_feature(T(is_above ? kSideFace : 0));
    face.normal = is_above ? shape.turn.column[2] : -shape.turn.column[2];
    face.first_axis = shape.turn.column[0];
    face.foremost = out - up;
    face.foremost_feature = edge_feature(T(rim_part(x, y)));
    return;
  }
  face.face_feature = face_feature(T(kSideFace));
  // Between the axis and the side's normal lies (radius + side, height), across and along.
  const bool is_apex = !is_disc && radius > 0 && (radius + side) * size < height * slope;
  if (!is_apex) {
    face.add(radius > 0 ? out - up : -up, vertex_feature(T(kSideLine)), edge_feature(T(kSideLine)));
  }
  if (is_apex || height > 0) {
    face.add(up, vertex_feature(T(kSideLine + 1)), edge_feature(T(kSideLine)));
  }
}

/// The feature where the rim of a cap is crossed.
template <class T>
T rim_crossing(const ConvexFace<T>& cap, bool is_second) {
  const int upper = cap.face_feature == face_feature(T(1)) ? 2 : 0;
  return edge_feature(T(kRimCrossing + upper + (is_second ? 1 : 0)));
}

/// How many of a core's vertices are as far out along `direction` as the farthest, within `slack`.
/// For a cylinder and a cone: 1 for a point of a rim or the apex, 2 for a line of the side, 4 for
/// more of a rim. An ellipsoid has one point.
template <class T>
int level_count(const ConvexShape<T>& shape, const Vec<T, 3>& direction, T slack) {
  const auto level_axes = [&](int axes) {
    int count = 1;
    for (int k = 0; k < axes; ++k) {
      if (2 * magnitude(dot(shape.axis[k], direction)) <= slack) count *= 2;
    }
    return count;
  };
  switch (shape.form) {
    case CoreForm::point:
      return 1;
    case CoreForm::segment:
      return level_axes(1);
    case CoreForm::box:
      return level_axes(3);
    case CoreForm::hull:
      return LevelVertices<T>(shape.hull(), rotate_back(shape.turn, direction), slack).count;
    case CoreForm::ellipsoid:
      return 1;
    case CoreForm::cylinder:
    case CoreForm::cone:
      break;
  }
  const Vec<T, 3> across = cross(shape.turn.column[2], direction);
  const T radius2 = dot(shape.axis[0], shape.axis[0]);
  if (shape.form == CoreForm::cone) {
    const T rim = root(radius2 * dot(across, across)), up = dot(shape.axis[2], direction);
    // Above a flat cone's apex the rim may be level with it all around.
    const bool is_rim_level = rim <= 32 * slack && !(2 * up > slack);
    return is_rim_level ? 4 : magnitude(2 * up - rim) <= slack ? 2 : 1;
  }
  // A sixteenth of the rim lags by a 26th of the radius times the sine.
  if (radius2 * dot(across, across) <= (32 * slack) * (32 * slack)) return 4;
  return 2 * magnitude(dot(shape.axis[2], direction)) <= slack ? 2 : 1;
}

/// Finds the feature of a core that faces `direction`, a unit vector. Points that are behind by
/// less than `slack` count as level. If several faces of a hull are level, `near` (if given) says
/// at which point of the core to choose.
template <class T>
__attribute__((noinline)) void find_face(const ConvexShape<T>& shape, const Vec<T, 3>& direction,
                                         T slack, const Vec<T, 3>* near, ConvexFace<T>& face) {
  face.count = 0;
  face.radius = 0;
  face.face_feature = 0;
  face.normal = face.first_axis = direction;
  switch (shape.form) {
    case CoreForm::hull:
      set_hull_face(shape, shape.hull(),
                    facing_hull_face(shape.turn, shape.hull(), direction, slack, near), face);
      break;
    case CoreForm::cylinder:
      find_cylinder_face(shape, direction, face);
      break;
    case CoreForm::cone:
      find_cone_face(shape, direction, slack, face);
      break;
    case CoreForm::ellipsoid:
      face.add(farthest(shape, direction).point, 0, 0);
      break;
    case CoreForm::segment:
      face.add(-shape.axis[0], vertex_feature(T(0)), edge_feature(T(0)));
      if (dot(shape.axis[0], shape.axis[0]) > 0) {
        face.add(shape.axis[0], vertex_feature(T(1)), edge_feature(T(0)));
      }
      break;
    case CoreForm::point:
      face.add({{0, 0, 0}}, 0, 0);
      break;
    case CoreForm::box:
      find_box_face(shape, direction, face);
      break;
  }
}

/// The normal of the face that `find_face` finds, without its corners. Answers false if it finds no
/// face but an edge or a vertex.
template <class T>
bool find_normal(const ConvexShape<T>& shape, const Vec<T, 3>& direction, T slack,
                 Vec<T, 3>& normal, ConvexFace<T>& face) {
  switch (shape.form) {
    case CoreForm::point:
    case CoreForm::segment:
    case CoreForm::ellipsoid:
      return false;
    case CoreForm::box: {
      const auto [axis, is_up] = facing_side(shape, direction);
      const Vec<T, 3>&u = shape.axis[(axis + 1) % 3], &v = shape.axis[(axis + 2) % 3];
      normal = is_up ? shape.turn.column[axis] : -shape.turn.column[axis];
      return dot(u, u) > 0 && dot(v, v) > 0;
    }
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      const int number = facing_hull_face<T>(shape.turn, hull, direction, slack, nullptr);
      normal = rotate(shape.turn, hull.face_normal(number));
      return hull.face_start(number + 1) - hull.face_start(number) >= 3;
    }
    case CoreForm::cylinder:
    case CoreForm::cone:
      break;
  }
  find_face<T>(shape, direction, slack, nullptr, face);
  normal = face.normal;
  return face.count >= 3;
}

}  // namespace
}  // namespace widephase
