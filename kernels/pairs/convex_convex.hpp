#pragma once

#include "kernels/core/cylinder/coaxial.hpp"
#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/cylinder/cylinder_point.hpp"
#include "kernels/core/cylinder/rim_contact.hpp"
#include "kernels/core/epa/epa3.hpp"
#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/gjk/gjk3.hpp"

namespace widephase {
namespace {

// sphere_cylinder, cylinder_cylinder, and by gjk_epa any two in 3D but halfspaces: by support
// points alone, GJK on the cores, EPA where they overlap, then the manifold of the faces that meet.
// Frame: the scene's axes, from A's anchor on. Normal: A to B. Points: 1 to 4, on A.
// Ties: the face of the Minkowski difference that EPA asks first, status 1.
// Cost: GJK with pairs in lanes; EPA and manifolds a pair at a time.
template <class F>
struct ConvexConvex {
  using A = ConvexLanes<F>;
  using B = ConvexLanes<F>;
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int max_points = 4;
  static constexpr bool is_warm_when_steady = false;

  struct Room {
    RoomFor<WaySearch<T>> search;
    FacesRoom<T> faces;
  };

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStarts<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const CorePair<F> pair(a, b);
    const F limit = least_core_depth(margin, reach);
    const auto all = counter.live_lanes();
    Simplex3<F> simplex;
    const bool is_searched = !find_nearest_of_cylinder(pair, simplex);
    if (is_searched) find_nearest(pair, all, limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    const ConvexShapes<F> shapes_a(a), shapes_b(b);
    answer_found(pair, shapes_a, shapes_b, all, limit, answers, counter, room);
    if (warm.is_given && is_searched) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, reach);
  }

 protected:
  /// The answers of a batch, lane by lane.
  struct Answers {
    const Simplex3<F>* simplex;
    Lanes<F> normal[3], depth, status;
    Lanes<F> vertex_a[3], vertex_b[3], size;
    Lanes<F> of_a[3], of_b[3];  ///< the nearest points of cores that are apart, from their middles
    PointTable<F> points;
    bool wants_points = false;  ///< all of them, not the deepest alone
    T steadiness = 0;
    PointNames last[lanes] = {};  ///< points of the last step, with steadiness

    Answers() = default;
    WIDEPHASE_INLINE explicit Answers(const Simplex3<F>& found) { set(found); }

    WIDEPHASE_INLINE void ask(Question question, const WarmStarts<F>& warm) {
      wants_points = question == Question::points;
      steadiness = wants_points ? warm.steadiness : T(0);
      for (int i = 0; steadiness > 0 && i < lanes; ++i) last[i] = warm.last_points(i);
    }

    /// What GJK has found, without points.
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

    /// Its vertices of one side, the first one again in the place of those that it has not.
    WIDEPHASE_INLINE ThreeVertices<F> vertices(const Lanes<F> (&side)[3]) const {
      const F count = load(size.number), first = load(side[0].number);
      return {first, select(count > F(1), load(side[1].number), first),
              select(count > F(2), load(side[2].number), first)};
    }

    /// The nearest points of cores that are apart or touch.
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

    /// Where the next search of these lanes is to begin.
    void keep(const CorePair<F>& pair, unsigned searched, WarmStarts<F>& warm) const {
      const bool is_smooth =
          pair.a.shape.form == CoreForm::cylinder || pair.b.shape.form == CoreForm::cylinder;
      for (unsigned left = searched; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const Witness<T> found = witness(i);
        warm.pair[i].simplex = is_smooth
                                   ? direction_word<T>({{normal[0][i], normal[1][i], normal[2][i]}})
                                   : simplex_word(found.count, found.a, found.b);
      }
    }

    /// From cores to surfaces.
    WIDEPHASE_INLINE Manifold<F, 3, 4> manifold(const A& a, const F& reach) const {
      Manifold<F, 3, 4> result;
      // A zero of a normal has no sign: 0 - 0 is 0, so that it mirrors to the bit.
      for (int k = 0; k < 3; ++k) result.normal[k] = F(0) + load(normal[k].number);
      result.depth = load(depth.number) + reach;
      result.is_tie = load(status.number);
      points.read((a.anchor + a.middle) + a.radius * result.normal, reach, result);
      return result;
    }
  };

  /// GJK in the lanes of `live`, from where the last search of each ended.
  static WIDEPHASE_INLINE void find_nearest(const CorePair<F>& pair, const MaskOf<F>& live,
                                            const F& limit, const WarmStarts<F>& warm,
                                            Simplex3<F>& simplex, LaneCounter<F>& counter) {
    GjkStart<F> start(pair);
    if (warm.is_given) start.read(pair, warm);
    gjk(pair, live, start, negate(limit), simplex, counter);
  }

  /// Cores that overlap by more than rounding, whatever EPA would say.
  static WIDEPHASE_INLINE MaskOf<F> is_surely_deep(const Simplex3<F>& simplex) {
    return least_depth(simplex) > roundings<F>(256) * sqrt(simplex.reach2);
  }

  /// Answers the lanes in which GJK has searched, where cores are as deep as `limit`.
  static WIDEPHASE_INLINE void answer_found(const CorePair<F>& pair,
                                            const ConvexShapes<F>& shapes_a,
                                            const ConvexShapes<F>& shapes_b,
                                            const MaskOf<F>& is_searched, const F& limit,
                                            Answers& answers, LaneCounter<F>& counter, Room& room,
                                            CylinderAxes<F>* ways = nullptr) {
    const Simplex3<F>& simplex = *answers.simplex;
    auto is_overlap = is_searched & (simplex.is_overlap > F(0));
    auto is_near = is_overlap | (is_searched & (negate(simplex.distance) >= limit));
    if (pair.a.shape.question == Question::contact && any<F>(is_near)) {
      // How far cores are apart is known, and how deep at least; EPA tells the shallow ones.
      const auto is_deep = is_overlap & is_surely_deep(simplex);
      store(answers.depth.number,
            select(is_deep, least_depth(simplex), load(answers.depth.number)));
      is_overlap = is_overlap & !is_deep;
      is_near = is_overlap | (is_near & !is_deep & (simplex.is_capped > F(0)));
    }
    if (pair.a.shape.question == Question::deepest && has_vertices(pair.a) &&
        has_vertices(pair.b)) {
      put_nearest_points(pair, shapes_a, shapes_b, is_near & !is_overlap, answers);
      is_near = is_overlap;
    }
    const unsigned near = mask_bits(is_near), overlapping = mask_bits(is_overlap);
    if (near == 0) return;
    if (ways != nullptr) ways->find(overlapping, counter);
    const Lanes<F> limits(limit), x(pair.apart[0]), y(pair.apart[1]), z(pair.apart[2]);
    for (unsigned left = near; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const bool overlaps = (overlapping >> i & 1) != 0;
      const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
      const Vec<T, 3> apart{{x[i], y[i], z[i]}};
      DirectWay<T> direct;
      if (overlaps && ways != nullptr) {
        direct = ways->way(i, {shape_a, shape_b, apart}, size_of(shape_a, shape_b, apart));
      }
      answer(shape_a, shape_b, apart, limits[i], i, overlaps, direct, answers, counter, room);
    }
  }

  /// That by which a pair's coordinates round.
  static T size_of(const ConvexShape<T>& a, const ConvexShape<T>& b, const Vec<T, 3>& apart) {
    return (a.reach + b.reach) +
           ((magnitude(apart[0]) + magnitude(apart[1])) + magnitude(apart[2]));
  }

  static bool has_vertices(const ConvexCore<F>& core) {
    return core.shape.form != CoreForm::cylinder;
  }

  /// If the cores are apart, GJK's nearest points are on both.
  static WIDEPHASE_INLINE void put_nearest_points(const CorePair<F>& pair,
                                                  const ConvexShapes<F>& shapes_a,
                                                  const ConvexShapes<F>& shapes_b,
                                                  const MaskOf<F>& is_apart, Answers& answers) {
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
  /// As `feature_between`, of a core with vertices. `point` is on it, from its middle.
  static WIDEPHASE_INLINE F nearest_features(const CorePair<F>& pair, bool is_a,
                                             const ConvexShapes<F>& shapes_a,
                                             const ConvexShapes<F>& shapes_b, unsigned asked,
                                             const Vec<F, 3>& direction, const Vec<F, 3>& point,
                                             const ThreeVertices<F>& vertices) {
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
      case CoreForm::cylinder:  // is never asked: it has no vertices
        break;
    }
    Lanes<F> features(vertex);
    const Lanes<F> places(shape.half[0]);
    const F(&numbers)[3] = vertices.number;
    const Lanes<F> of[3] = {Lanes<F>(numbers[0]), Lanes<F>(numbers[1]), Lanes<F>(numbers[2])};
    const Lanes<F> second(select(numbers[1] == numbers[0], numbers[2], numbers[1]));
    const auto hull = [&](int i) {
      return HullView<T>(shape.library, shape.indices, integer_in(places[i]));
    };
    // Faces of all first, then edges: branches that vertices decide cost more.
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
      const T size = size_of(shapes_a[i], shapes_b[i], {{apart[0][i], apart[1][i], apart[2][i]}});
      features.number[i] = face_feature(
          static_cast<T>(sliver_face(hull(i), {{x[i], y[i], z[i]}}, 32 * kRounding<T> * size)));
    }
    return load(features.number);
  }

  static PolytopeVertex<T> simplex_vertex(const Simplex3<F>& simplex, int v, int lane) {
    const DifferenceVertex3<F>& at = simplex.v[v];
    const auto in_lane = [&](const Vec<F, 3>& of) {
      return Vec<T, 3>{{Lanes<F>(of[0])[lane], Lanes<F>(of[1])[lane], Lanes<F>(of[2])[lane]}};
    };
    return {in_lane(at.point), in_lane(at.of_a), in_lane(at.of_b),
            static_cast<int>(Lanes<F>(at.a)[lane]), static_cast<int>(Lanes<F>(at.b)[lane])};
  }

  /// A core that is a point where it meets the other: that is the witness, exactly. A search may
  /// end on another one among those of an arc that are nearly as deep. On a cylinder it is straight
  /// across from the other core's, since what lies between points of an arc is not on it.
  static void place_witness(const ShapePair<T>& pair, const ConvexFace<T>& face_a,
                            const ConvexFace<T>& face_b, T size, const CoreContact<T>& contact,
                            Witness<T>& witness) {
    const Vec<T, 3> out = contact.depth * contact.normal;
    const auto on_other_b = [&] { return (witness.on_a - out) - pair.apart; };
    const auto on_other_a = [&] { return (pair.apart + witness.on_b) + out; };
    const T slack = flush_slack(size), near = T(0.25) * root(kRounding<T>) * size;
    const Vec<T, 3>* only_a = only_point(pair.a, face_a, contact.normal, slack);
    const Vec<T, 3>* only_b = only_point(pair.b, face_b, -contact.normal, slack);
    // A normal to a rim is known to the root of rounding: what an edge or a vertex has there, if it
    // is on the rim, is known better.
    const bool is_round_a = pair.a.form == CoreForm::cylinder,
               is_round_b = pair.b.form == CoreForm::cylinder;
    if (only_a != nullptr && !is_round_b && level_count(pair.b, -contact.normal, slack) <= 2 &&
        is_on_rim(face_a, on_other_a(), near)) {
      only_a = nullptr;
    }
    if (only_b != nullptr && !is_round_a && level_count(pair.a, contact.normal, slack) <= 2 &&
        is_on_rim(face_b, on_other_b(), near)) {
      only_b = nullptr;
    }
    if (only_a != nullptr) {
      witness.on_a = *only_a;
    } else if (only_b != nullptr) {
      witness.on_b = *only_b;
    }
    if (only_a != nullptr || (only_b == nullptr && is_round_b)) {
      witness.on_b = on_other_b();
    } else if (only_b != nullptr || is_round_a) {
      witness.on_a = on_other_a();
    }
  }
  static bool is_on_rim(const ConvexFace<T>& cap, const Vec<T, 3>& point, T near) {
    if (!(cap.radius > 0)) return false;
    const Vec<T, 3> from = point - cap.middle;
    const T over = dot(from, cap.normal);
    const Vec<T, 3> across = from - over * cap.normal;
    return magnitude(over) <= near && magnitude(root(dot(across, across)) - cap.radius) <= near;
  }
  /// The point of a core that is farthest along `direction`, if one alone is: a point of a rim, or
  /// what is a point; else none.
  static const Vec<T, 3>* only_point(const ConvexShape<T>& shape, const ConvexFace<T>& face,
                                     const Vec<T, 3>& direction, T slack) {
    if (face.count == 1) return face.corner;
    // Whether a line of a side leans is known to the root of rounding.
    const bool is_rim = face.radius > 0 && level_count(shape, direction, slack) == 1;
    return is_rim ? &face.foremost : nullptr;
  }

  /// Whether faces, or edges of both, may be level where cores meet.
  static bool may_be_several(const ConvexShape<T>& a, const ConvexShape<T>& b,
                             const Vec<T, 3>& normal, T size) {
    // Faces are found in other frames, and round otherwise.
    const T slack = T(1.25) * flush_slack(size);
    const int level_b = level_count(b, -normal, slack);
    return level_b > 2 || level_count(a, normal, slack) > (level_b == 2 ? 1 : 2);
  }

  /// Turns the witness of a way along the axis of a cylinder, of cores that are apart, into the
  /// other core's nearest vertex and the point of the cap under it; answers whether it is there.
  static bool place_on_cap(const ShapePair<T>& pair, bool is_a, T rounding, LeastWay<T>& way) {
    const ConvexShape<T>& cylinder = is_a ? pair.a : pair.b;
    const ConvexShape<T>& other = is_a ? pair.b : pair.a;
    if (cylinder.form != CoreForm::cylinder) return false;
    const Vec<T, 3>& u = cylinder.turn.column[2];
    const Vec<T, 3> out = is_a ? way.direction : -way.direction;
    const T cosine = dot(out, u);
    if (!(magnitude(cosine) >= 1 - 16 * kRounding<T>)) return false;
    const ShapePoint<T> first = farthest(other, -out);
    const Vec<T, 3> from = is_a ? pair.apart + first.point : first.point - pair.apart;
    const Vec<T, 3> on_cap = from + way.depth * out;
    const T height = dot(on_cap, u);
    const Vec<T, 3> across = on_cap - height * u;
    const T radius = root(dot(cylinder.axis[0], cylinder.axis[0])) + rounding;
    const bool is_in_cap =
        magnitude(height) <= root(dot(cylinder.axis[2], cylinder.axis[2])) + rounding &&
        dot(across, across) <= radius * radius;
    if (!is_in_cap) return false;
    const int end = cosine > 0 ? 1 : 0;
    way.witness.on_a = is_a ? on_cap : first.point;
    way.witness.on_b = is_a ? first.point : on_cap;
    way.witness.count = 1;
    way.witness.a[0] = is_a ? end : first.number;
    way.witness.b[0] = is_a ? first.number : end;
    return true;
  }

  /// Turns the witness of a way into points of faces or edges that meet along it; answers whether
  /// there are such.
  static __attribute__((noinline)) bool place_on_faces(const ShapePair<T>& pair, T size,
                                                       LeastWay<T>& way, FacesRoom<T>& room) {
    const Vec<T, 3>& n = way.direction;
    ConvexFace<T>&face_a = room.a, &face_b = room.b;
    find_face(pair.a, n, flush_slack(size), &way.witness.on_a, face_a);
    find_face(pair.b, -n, flush_slack(size), &way.witness.on_b, face_b);
    const CoreContact<T> contact{
        n, way.depth, -kInfinite<T>, 0, {way.witness.on_a, way.depth, 0, 0}, {}};
    CoreManifold<T> points;
    if (!find_points(face_a, face_b, pair.apart, size, contact, points, room)) return false;
    way.witness.on_a = points.points[0].on_a;
    way.witness.on_b = (way.witness.on_a - way.depth * n) - pair.apart;
    return true;
  }

  /// Turns a way between two cylinders that are apart, known to within `most`, into the one between
  /// two of their rims that Newton's steps find from it: no closed form has these. Answers whether
  /// that is the way.
  static bool settle_between_rims(const ShapePair<T>& pair, T most, T rounding, LeastWay<T>& way) {
    if (pair.a.form != CoreForm::cylinder || pair.b.form != CoreForm::cylinder) return false;
    for (int rims = 0; rims < 4; ++rims) {
      LeastWay<T> found = way;
      Witness<T>& points = found.witness;
      points.count = 1;
      points.a[0] = rims & 1;
      points.b[0] = rims >> 1;
      if (!settle_on_rim(pair, found.depth, most, found.direction, points)) continue;
      found.depth = dot(found.direction, (points.on_a - points.on_b) - pair.apart);
      if (!settle_on_rim(pair, found.depth, rounding, found.direction, points)) continue;
      way = found;
      return true;
    }
    return false;
  }

  /// Where rounding ended GJK before it was done: between features of a cylinder the distance is
  /// known in closed form, and proven where its two points are no farther apart. Answers whether
  /// the normal is a cap's, or that of two along one another.
  static bool settle_apart(const ShapePair<T>& pair, T size, T rounding, int lane,
                           CoreContact<T>& contact, Witness<T>& witness, Answers& answers,
                           FacesRoom<T>& room) {
    const T most = kOpenShare<T> * size;
    LeastWay<T> way{contact.normal, contact.depth, false, true, witness};
    const bool is_coaxial = find_coaxial_way(pair, true, way);
    bool is_cap = false;
    if (is_coaxial || take_cylinder_way(pair, rounding, way)) {
      is_cap = is_coaxial || place_on_cap(pair, true, rounding, way) ||
               place_on_cap(pair, false, rounding, way);
      if (!is_cap && !settle_on_rim(pair, way.depth, rounding, way.direction, way.witness)) {
        const Vec<T, 3> gap = (pair.apart + way.witness.on_b) - way.witness.on_a;
        const Vec<T, 3> beside = gap + way.depth * way.direction;
        if (!(dot(beside, beside) <= most * most) && !place_on_faces(pair, size, way, room)) {
          return false;
        }
      }
    } else if (!settle_between_rims(pair, most, rounding, way)) {
      return false;
    }
    contact.normal = way.direction;
    contact.depth = way.depth;
    witness = way.witness;
    for (int k = 0; k < 3; ++k) answers.normal[k].number[lane] = way.direction[k];
    answers.depth.number[lane] = way.depth;
    answers.status.number[lane] = 0;
    return is_cap;
  }

  /// Whether an edge of A crosses a line of a cylinder B's side, well within both.
  static bool crosses_side(const ConvexShape<T>& a, const ConvexShape<T>& b,
                           const Vec<T, 3>& normal, const Witness<T>& witness, T size) {
    const T slack = T(1.25) * flush_slack(size);
    if (level_count(a, normal, slack) != 2) return false;
    const Vec<T, 3>&up = b.axis[2], &u = b.turn.column[2];
    const Vec<T, 3> from = vertex_of(a, witness.a[0]), along = vertex_of(a, witness.a[1]) - from;
    const T along2 = dot(along, along);
    const Vec<T, 3> across = cross(along, up);
    if (!(4 * dot(across, across) > (slack * slack) * along2)) return false;
    const T at = dot(witness.on_a - from, along), end = slack * root(along2);
    const T half = root(dot(up, up));
    return at > end && along2 - at > end && half - magnitude(dot(witness.on_b, u)) > slack;
  }

  /// With steadiness a face or cap comes before other ways out that are shorter by no more than
  /// that, A's first, if what lies over it is as deep but for that. Answers whether one does.
  static __attribute__((noinline)) bool answer_by_face(const ShapePair<T>& pair, T size, int lane,
                                                       const CoreContact<T>& found,
                                                       Answers& answers, FacesRoom<T>& room) {
    ConvexFace<T>* const faces[2] = {&room.a, &room.b};
    const ConvexShape<T>* const shapes[2] = {&pair.a, &pair.b};
    const T slack = flush_slack(size);
    for (int s = 0; s < 2; ++s) {
      const Vec<T, 3> out = s == 0 ? found.normal : -found.normal;
      find_face<T>(*shapes[s], out, slack, nullptr, *faces[s]);
      // What leans farther is another way, not the same but for trembling.
      if (faces[s]->count < 3 || !(dot(faces[s]->normal, out) > T(0.9))) continue;
      CoreContact<T> contact = found;
      contact.normal = s == 0 ? faces[s]->normal : -faces[s]->normal;
      const PolytopeVertex<T> deepest = farthest(pair, contact.normal);
      contact.depth = dot(contact.normal, deepest.point);
      if (!(contact.depth <= found.depth + found.steadiness)) continue;
      const Vec<T, 3> on_face = (pair.apart + deepest.of_b) + contact.depth * contact.normal;
      contact.deepest = {s == 0 ? on_face : deepest.of_a, contact.depth, faces[s]->face_feature,
                         faces[s]->face_feature};
      if (s == 0) {
        contact.deepest.feature_b = feature_between(pair.b, &deepest.b, 1, -contact.normal,
                                                    deepest.of_b, 32 * kRounding<T> * size);
      } else {
        contact.deepest.feature_a = feature_between(pair.a, &deepest.a, 1, contact.normal,
                                                    deepest.of_a, 32 * kRounding<T> * size);
      }
      const Vec<T, 3> other = s == 0 ? -contact.normal : contact.normal;
      find_face<T>(*shapes[1 - s], other, slack, nullptr, *faces[1 - s]);
      CoreManifold<T> points;
      if (!find_points(room.a, room.b, pair.apart, size, contact, points, room)) continue;
      for (int k = 0; k < 3; ++k) answers.normal[k].number[lane] = contact.normal[k];
      answers.depth.number[lane] = contact.depth;
      // What was a tie is none across the face that is chosen, if that is another direction.
      if (dot(contact.normal, found.normal) < T(0.999)) answers.status.number[lane] = 0;
      answers.points.put(lane, points);
      return true;
    }
    return false;
  }

  static __attribute__((noinline)) void answer(const ConvexShape<T>& a, const ConvexShape<T>& b,
                                               const Vec<T, 3>& apart, T limit, int lane,
                                               bool is_overlap, const DirectWay<T>& direct,
                                               Answers& answers, LaneCounter<F>& counter,
                                               Room& room) {
    counter.add_alone(1);
    const T size = size_of(a, b, apart);
    const T rounding = 32 * kRounding<T> * size;
    CoreContact<T> contact;
    contact.least_depth = limit;
    contact.steadiness = answers.steadiness;
    contact.last = answers.last[lane];
    CylinderFeature feature = CylinderFeature::none;
    const Witness<T> nearest = answers.witness(lane);
    const T vertex_count = answers.size[lane];
    Witness<T> witness = nearest;
    if (is_overlap) {
      LeastWay<T> way;
      const bool is_coaxial = find_coaxial_way<T>({a, b, apart}, false, way);
      if (!is_coaxial && direct.is_found) {
        way = direct.way;
        feature = direct.feature;
      } else if (!is_coaxial) {
        PolytopeVertex<T> simplex[4];
        const int vertices = static_cast<int>(vertex_count);
        for (int v = 0; v < vertices; ++v) simplex[v] = simplex_vertex(*answers.simplex, v, lane);
        WaySearch<T>& search = room.search.make(ShapePair<T>{a, b, apart}, size);
        way = search.find(simplex, vertices, witness);
        counter.add_alone(search.asked());
      }
      const bool has_cylinder = a.form == CoreForm::cylinder || b.form == CoreForm::cylinder;
      if (has_cylinder && !is_coaxial && !way.is_tie && !way.is_capped) {
        way.is_tie = has_turned_tie<T>({a, b, apart}, way, 2 * kRounding<T> * size);
      }
      contact.normal = way.direction;
      contact.depth = way.depth;
      witness = way.witness;
      for (int k = 0; k < 3; ++k) {
        answers.normal[k].number[lane] = way.direction[k];
        answers.vertex_a[k].number[lane] = static_cast<T>(k < witness.count ? witness.a[k] : 0);
        answers.vertex_b[k].number[lane] = static_cast<T>(k < witness.count ? witness.b[k] : 0);
      }
      answers.size.number[lane] = static_cast<T>(witness.count);
      answers.depth.number[lane] = way.depth;
      answers.status.number[lane] = way.is_capped ? T(2) : way.is_tie ? T(1) : T(0);
      if (contact.steadiness > 0 && a.form != CoreForm::point && !way.is_capped) {
        if (answer_by_face({a, b, apart}, size, lane, contact, answers, room.faces)) return;
      }
    } else {
      contact.depth = answers.depth[lane];
      for (int k = 0; k < 3; ++k) contact.normal[k] = answers.normal[k][lane];
    }
    const bool is_on_cap =
        !is_overlap && answers.status[lane] == T(2) &&
        settle_apart({a, b, apart}, size, rounding, lane, contact, witness, answers, room.faces);
    const bool is_round_a = a.form == CoreForm::cylinder, is_round_b = b.form == CoreForm::cylinder;
    const bool is_flat = feature == CylinderFeature::face || feature == CylinderFeature::cap;
    const bool is_direct = feature != CylinderFeature::none;
    bool is_settled = (is_direct && !is_flat) || is_on_cap;
    // A point's way to a cylinder is exact, and may lead to its side or cap.
    const bool is_searched = a.form != CoreForm::point && !is_direct && !is_on_cap;
    if ((is_round_a || is_round_b) && (is_searched || feature == CylinderFeature::rim_edge) &&
        settle_on_rim<T>({a, b, apart}, contact.depth, rounding, contact.normal, witness)) {
      is_settled = true;
      for (int k = 0; k < 3; ++k) answers.normal[k].number[lane] = contact.normal[k];
      answers.depth.number[lane] = contact.depth;
    }
    if (is_round_b && a.form == CoreForm::point) {
      is_settled = true;
      witness.on_a = {{0, 0, 0}};
      witness.on_b = -(apart + contact.depth * contact.normal);
    }
    const bool crosses =
        feature == CylinderFeature::side_edge && crosses_side(a, b, contact.normal, witness, size);
    // GJK's nearest points are on both cores; EPA's are but for rounding, which faces take away.
    const bool is_apart = !is_overlap && !is_round_a && !is_round_b;
    const bool is_known = crosses || is_apart || is_settled;
    const bool is_one = is_known && (crosses || a.form == CoreForm::point ||
                                     !may_be_several(a, b, contact.normal, size));
    const bool has_witness = is_one && (a.form == CoreForm::point || !answers.wants_points);
    const T slack = flush_slack(size);
    ConvexFace<T>&face_a = room.faces.a, &face_b = room.faces.b;
    if (!has_witness) {
      find_face(a, contact.normal, slack, &witness.on_a, face_a);
      find_face(b, -contact.normal, slack, &witness.on_b, face_b);
      if (!is_direct && !is_one) {
        place_witness({a, b, apart}, face_a, face_b, size, contact, witness);
      }
    }
    contact.deepest = {
        witness.on_a, contact.depth,
        feature_between(a, witness.a, witness.count, contact.normal, witness.on_a, rounding),
        feature_between(b, witness.b, witness.count, -contact.normal, witness.on_b, rounding)};
    if (crosses) contact.deepest.feature_b = edge_feature(T(kSideLine));
    CoreManifold<T> points{1, {contact.deepest}};
    if (!has_witness &&
        !find_points(face_a, face_b, apart, size, contact, points, room.faces, &a, &b) && is_flat) {
      // A face or cap that is the way by rounding alone, and what is deepest lies beside it: EPA
      // begins where GJK ended.
      for (int k = 0; k < 3; ++k) {
        answers.vertex_a[k].number[lane] = static_cast<T>(nearest.a[k]);
        answers.vertex_b[k].number[lane] = static_cast<T>(nearest.b[k]);
      }
      answers.size.number[lane] = vertex_count;
      answer(a, b, apart, limit, lane, is_overlap, {}, answers, counter, room);
      return;
    }
    answers.points.put(lane, points);
  }
};

}  // namespace
}  // namespace widephase
