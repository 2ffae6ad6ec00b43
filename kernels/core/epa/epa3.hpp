#pragma once

// The minimum translation that separates two overlapping convex cores in 3D, from support points:
// EPA on their Minkowski difference. It starts from GJK's simplex and takes one pair at a time,
// with faces in lanes.
//
// Along any direction, support points say how far to move the cores to separate them: an upper
// bound of the least exit. The nearest face of a polytope inside the difference gives a lower
// bound. The result is the direction of the least upper bound, and is exact to rounding where the
// two bounds meet. So nothing depends on how well a polytope of slivers is shaped. Even if the room
// for faces runs out, moving by the depth still separates the cores.
//
// A flat simplex, or one of fewer than four vertices, is completed by vertices on either side of
// it. If there are none, the difference is flat there, and that direction is the result.
// Source: van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game Objects,
// 2001.

#include "kernels/core/cylinder/cylinder_exits.hpp"
#include "kernels/core/cylinder/rim_exits.hpp"
#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// The default observer of a search's steps; it does nothing.
struct NoObserver {
  template <class... State>
  WIDEPHASE_INLINE void note(const State&...) const {}
};

/// For smooth cores, whose exits core/smooth settles: these do for valleys of equal exits.
inline constexpr int kMostSmoothVertices = 160;

/// EPA over one pair; keeps the best direction tried so far. Too large for a stack.
template <class T, class Observer = NoObserver>
class ExitSearch {
 public:
  ExitSearch(const ShapePair<T>& pair, T size, const Observer& observer = {})
      : observer_(observer),
        pair_(pair),
        size_(size),
        is_round_(!has_vertices(pair.a.form) || !has_vertices(pair.b.form)),
        tolerance_(4 * kRounding<T> * size),
        closest_((sizeof(T) == 4 ? 8 : 128) * kRounding<T> * size),
        coarse_(is_smooth(pair) ? T(1) : T(0)),
        most_vertices_(is_smooth(pair) ? kMostSmoothVertices : Polytope3<T>::most_vertices),
        polytope_(pair.apart) {
    best_.depth = kInfinite<T>;
    best_.direction = {{1, 0, 0}};  // if no depth is a number
    best_.is_tie = best_.is_capped = false;
    skipped_ = kInfinite<T>;
    skipped_count_ = 0;
  }

  /// The support point along a unit direction. Remembers the direction if it is a shorter exit.
  WIDEPHASE_INLINE PolytopeVertex<T> ask(const Vec<T, 3>& direction) {
    ++asked_;
    const PolytopeVertex<T> w = farthest(pair_, direction);
    const T height = dot(direction, w.point);
    if (height < best_.depth && (!is_settled() || height < settled_ - tolerance_)) {
      best_.depth = height;
      best_.direction = direction;
      settled_ = kInfinite<T>;
    }
    return w;
  }

  /// `touching` is where the cores meet if they only touch.
  LeastExit<T> find(const PolytopeVertex<T>* simplex, int count, const Witness<T>& touching) {
    constexpr int kMostGrowths = 3;
    best_.witness = touching;
    for (int i = 0; i < count; ++i) polytope_.vertex[i] = simplex[i];
    polytope_.vertex_count = count;
    is_solid_ = make_solid();
    if (!is_solid_) {
      best_.is_tie = true;
      return best_;
    }
    const T most = kOpenShare<T> * size_;
    if (is_smooth(pair_)) leave_at_vertex();
    int nearest = grow();
    if (nearest >= 0 && !is_smooth(pair_)) best_.is_tie = has_tie(nearest);
    T low = bound_at(nearest);
    if (best_.depth - low > most && leaves_by_features(most)) return best_;
    // A bound above the depth is none: the nearest face is flat.
    const auto is_wrong = [&] { return is_smooth(pair_) && low - best_.depth > most; };
    // If rounding has left a dent, another polytope may have none.
    for (int growths = 1; growths < kMostGrowths; ++growths) {
      if (!is_wrong() && !(best_.depth - low > most)) break;
      if (is_smooth(pair_) && !is_broken_ && !is_wrong()) break;
      if (!start_again(growths)) break;
      const LeastExit<T> before = best_;
      nearest = grow();
      if (!is_known_ && !(best_.depth < before.depth)) best_.witness = before.witness;
      if (nearest >= 0 && !is_smooth(pair_)) best_.is_tie = has_tie(nearest);
      low = is_wrong() ? bound_at(nearest) : greater_of(low, bound_at(nearest));
    }
    if (is_wrong()) low = -kInfinite<T>;
    // Two cases need the exits of cylinders. Along arcs of nearly equal exits, the polytope runs
    // out of vertices before it can tell them apart. Or its last face is a sliver beside the exit,
    // too inaccurate for a witness.
    if (has_cylinder(pair_) && (best_.depth - low > most || is_witness_astray()) &&
        take_cylinder_exit(pair_, tolerance_ / 2, best_) && pair_.a.form != pair_.b.form) {
      low = best_.depth;
    }
    best_.is_capped = best_.depth - low > most;
    low_ = low;
    return best_;
  }

  /// For smooth cores: goes on from an exit until the bounds meet or, if it `is_settled`, until
  /// there is a shorter one, to a `coarse` share of the first search's bounds.
  /// `is_tried(face)` says which faces hide none. Answers whether `exit` has changed.
  template <class IsTried>
  bool go_on(LeastExit<T>& exit, bool is_settled, T coarse, const IsTried& is_tried) {
    constexpr int kMostGrowths = 3;
    best_ = exit;
    settled_ = is_settled ? exit.depth : kInfinite<T>;
    coarse_ = coarse;
    low_ = bound_at(grow(is_tried));
    for (int growths = 1; growths < kMostGrowths && is_broken_ && !is_near(low_); ++growths) {
      if (!start_again(growths)) break;
      low_ = greater_of(low_, bound_at(grow(is_tried)));
    }
    if (this->is_settled()) return false;
    exit = best_;
    return true;
  }

  /// For smooth cores: whether a face of another direction is as near as an exit.
  /// Cores that only touch at a vertex have many directions.
  bool is_tie(const LeastExit<T>& exit) const {
    const Polytope3<T>& p = polytope_;
    if (!(exit.depth > 2 * closest_)) return false;
    for (int at = 0; at < p.face_count; ++at) {
      const Vec<T, 3>& normal = p.face[at].normal;
      if (magnitude(p.distance(at) - exit.depth) <= closest_ &&
          dot(normal, exit.direction) < T(0.999) &&
          dot(normal, farthest(pair_, normal).point) <= exit.depth + closest_) {
        return true;
      }
    }
    return false;
  }
  /// Whether the cores' difference is not flat.
  bool is_solid() const { return is_solid_; }
  /// The number of directions tried so far.
  int asked() const { return asked_; }

  /// The last lower bound of the depth.
  T lowest() const { return low_; }
  using Face = typename Polytope3<T>::Face;
  /// Calls `visit(face)` with each face that is nearer than `depth`, whether it was skipped or not.
  template <class Visit>
  void for_each_open(T depth, Visit&& visit) const {
    for (int n = 0; n < skipped_count_; ++n) visit(skipped_face_[n]);
    for (int at = 0; at < polytope_.face_count; ++at) {
      if (polytope_.distance(at) < depth) visit(polytope_.face[at]);
    }
  }
  Witness<T> witness_on(const Face& face) const { return witness_of(face, shares_of(face)); }
  /// Whether the vertices of a face are among these.
  bool lies_between(const Face& face, const int* a, const int* b, int count) const {
    const auto has = [&](const int* numbers, int number) {
      for (int k = 0; k < count; ++k) {
        if (numbers[k] == number) return true;
      }
      return false;
    };
    for (const int v : face.vertex) {
      if (!has(a, polytope_.vertex[v].a) || !has(b, polytope_.vertex[v].b)) return false;
    }
    return true;
  }

 private:
  /// Whether the witness points are not opposite each other along the exit: off by more than the
  /// depth's last step would rotate an exit as long as the size.
  bool is_witness_astray() const {
    const Witness<T>& witness = best_.witness;
    const Vec<T, 3> gap = (pair_.apart + witness.on_b) - witness.on_a;
    const Vec<T, 3> beside = gap + best_.depth * best_.direction;
    return dot(beside, beside) > 16 * (closest_ * size_);
  }
  /// If the origin is at a vertex, to rounding, any direction that supports the difference there is
  /// an exit. Leans away from what lies beyond until there is none, unless it takes too long.
  /// Source: Rosenblatt, The Perceptron, 1958.
  void leave_at_vertex() {
    constexpr int kMostSteps = 48;
    const Polytope3<T>& p = polytope_;
    for (int at = 0; at < p.vertex_count; ++at) {
      const PolytopeVertex<T> v = p.vertex[at];
      if (!(dot(v.point, v.point) <= 4 * tolerance_ * tolerance_)) continue;
      Vec<T, 3> lean{{0, 0, 0}};
      for (int n = 0; n < p.vertex_count; ++n) {
        if (n != at) lean = lean + unit_of(from_to(p.vertex[n], v));
      }
      for (int step = 0; step < kMostSteps && dot(lean, lean) > 0; ++step) {
        const Vec<T, 3> direction = unit_of(lean);
        const Vec<T, 3> beyond = from_to(v, ask(direction));
        if (!(dot(beyond, direction) > tolerance_)) {
          best_.witness = {v.of_a, v.of_b, 1, {v.a, v.a, v.a}, {v.b, v.b, v.b}};
          return;
        }
        lean = lean - unit_of(beyond);
      }
      return;
    }
  }
  bool is_settled() const { return settled_ < kInfinite<T>; }
  /// Whether the search may end with this lower bound. For smooth cores a coarse one will do at
  /// first.
  bool is_near(T low) const {
    constexpr T kShare = T(1e-3), kOfDepth = T(0.02);
    const T coarse =
        is_settled() ? T(0) : coarse_ * lesser_of(kShare * size_, kOfDepth * best_.depth);
    return best_.depth - low <= greater_of(closest_, coarse);
  }
  /// Adds vertices until no face of the polytope is nearer than the best exit. Returns the nearest
  /// face, or a negative number if there is none.
  int grow() {
    return grow([](const Face&) { return false; });
  }
  template <class IsTried>
  int grow(const IsTried& is_tried) {
    Polytope3<T>& p = polytope_;
    is_known_ = true;
    is_broken_ = false;
    for (;;) {
      const int at = p.nearest();
      if (at < 0) break;
      const T low = p.distance(at);
      if (is_near(low)) break;
      const Vec<T, 3> normal = p.face[at].normal;
      if (is_tried(p.face[at])) {
        p.leave_out(at);
        continue;
      }
      const PolytopeVertex<T> w = ask(normal);
      observer_.note(p, at, w, best_.depth);
      const T gain = dot(normal, from_to(p.vertex[p.face[at].vertex[0]], w));
      if (is_near(low)) break;
      if (gain <= tolerance_ / 2 || p.has(w)) {
        // A face of the difference itself, or a sliver whose normal is too inaccurate to tell.
        if (best_.depth - low <= kOpenShare<T> * size_) break;
        if (is_smooth(pair_)) {
          skip(p.face[at], low);
        } else {
          is_known_ = false;
        }
        p.leave_out(at);
        continue;
      }
      if (p.vertex_count == most_vertices_) break;
      p.vertex[p.vertex_count++] = w;
      if (!expand(at, w)) {
        is_broken_ = true;
        if (is_smooth(pair_)) {
          skipped_ = lesser_of(skipped_, low);
        } else {
          is_known_ = false;
        }
        break;
      }
    }
    const int at = p.nearest();
    if (at >= 0) note_witness();
    take_own_face(pair_.a, 1);
    take_own_face(pair_.b, -1);
    return at;
  }
  /// For two cylinders. Along an arc of equal exits the polytope runs out of vertices. Then the
  /// least exit that is not between two rims is the result, if none between rims is shorter.
  /// Returns false if that is open.
  bool leaves_by_features(T most) {
    if (pair_.a.form != CoreForm::cylinder || pair_.b.form != CoreForm::cylinder) return false;
    LeastExit<T> found = best_;
    if (!take_cylinder_exit(pair_, tolerance_ / 2, found)) return false;
    const RimExits<T> rims(pair_, found.depth - most / 2, tolerance_ / 2);
    if (!rims.are_none()) return false;
    best_ = found;
    best_.is_capped = false;
    return true;
  }
  /// The lower bound of the depth that the nearest face gives. For cores with vertices, only
  /// slivers are skipped, so the bound still holds.
  T bound_at(int nearest) const {
    if (is_round_ && !(nearest >= 0 && is_known_)) return -kInfinite<T>;
    return lesser_of(skipped_, nearest >= 0 ? polytope_.distance(nearest) : best_.depth);
  }
  /// Notes a face that rounding does not let grow.
  void skip(const Face& face, T distance) {
    skipped_ = lesser_of(skipped_, distance);
    if (skipped_count_ < kMostSkipped) skipped_face_[skipped_count_++] = face;
  }
  /// Begins another polytope. Answers whether there is one.
  bool start_again(int growths) {
    polytope_.remove_faces();
    skipped_ = kInfinite<T>;
    skipped_count_ = 0;
    polytope_.vertex[0] = ask(growths == 1 ? best_.direction : -best_.direction);
    polytope_.vertex_count = 1;
    return make_solid();
  }
  /// Faces that are level with the new vertex, except for rounding, may or may not see it. Tries
  /// slacks until one leaves a hole with a single rim.
  WIDEPHASE_INLINE bool expand(int at, const PolytopeVertex<T>& w) {
    for (const T slack : {tolerance_ / 8, tolerance_, T(0), -tolerance_, 4 * tolerance_}) {
      if (polytope_.expand(at, w, slack)) return true;
    }
    return false;
  }
  bool is_flat_beyond(const PolytopeVertex<T>& w, const PolytopeVertex<T>& from,
                      const Vec<T, 3>& direction) const {
    return !(dot(direction, from_to(from, w)) > tolerance_);
  }
  /// Completes the vertices to a solid with the origin inside: at least four, not coplanar. Returns
  /// false if the difference is flat; then the exit is across it, and already known.
  bool make_solid() {
    Polytope3<T>& p = polytope_;
    int& count = p.vertex_count;
    if (count == 4) {
      const T volume =
          dot(cross(from_to(p.vertex[0], p.vertex[1]), from_to(p.vertex[0], p.vertex[2])),
              from_to(p.vertex[0], p.vertex[3]));
      if (volume != 0 && has_heights()) {
        close(volume < 0);
        return true;
      }
      keep_face_about_origin();
    }
    // Find a second vertex.
    for (int k = 0; count == 1 && k < 6; ++k) {
      Vec<T, 3> direction{{0, 0, 0}};
      direction[k / 2] = k % 2 == 0 ? T(1) : T(-1);
      const PolytopeVertex<T> w = ask(direction);
      const Vec<T, 3> to = from_to(p.vertex[0], w);
      if (dot(to, to) > tolerance_ * tolerance_) p.vertex[count++] = w;
    }
    if (count == 1) return false;
    // Find a third one, off the line of the two.
    if (count == 3) {
      const Vec<T, 3> u = from_to(p.vertex[0], p.vertex[1]), v = from_to(p.vertex[0], p.vertex[2]);
      const Vec<T, 3> n = cross(u, v);
      const T longest2 = dot(u, u) > dot(v, v) ? dot(u, u) : dot(v, v);
      if (!(dot(n, n) > (tolerance_ * tolerance_) * longest2)) {
        // All on one line: keep its two ends.
        const Vec<T, 3> to = from_to(p.vertex[1], p.vertex[2]);
        if (dot(v, v) >= dot(u, u) && dot(v, v) >= dot(to, to)) p.vertex[1] = p.vertex[2];
        if (dot(to, to) > dot(u, u) && dot(to, to) > dot(v, v)) p.vertex[0] = p.vertex[2];
        count = 2;
      }
    }
    if (count == 2) {
      const Vec<T, 3> along = unit_of(from_to(p.vertex[0], p.vertex[1]));
      const Vec<T, 3> x = across_of(along), y = cross(along, x);
      const Vec<T, 3> around[4] = {x, y, -x, -y};
      for (int k = 0; count == 2 && k < 4; ++k) {
        const PolytopeVertex<T> w = ask(around[k]);
        if (!is_flat_beyond(w, p.vertex[0], around[k])) p.vertex[count++] = w;
      }
      if (count == 2) return false;
    }
    // Find a vertex on each side of the three.
    const Vec<T, 3> n =
        unit_of(cross(from_to(p.vertex[0], p.vertex[1]), from_to(p.vertex[0], p.vertex[2])));
    const PolytopeVertex<T> above = ask(n), below = ask(-n);
    const bool is_above = !is_flat_beyond(above, p.vertex[0], n);
    const bool is_below = !is_flat_beyond(below, p.vertex[0], -n);
    if (!is_above && !is_below) return false;
    if (is_above && is_below) {
      p.vertex[count++] = above;
      p.vertex[count++] = below;
      constexpr FirstTriangles<6> kBoth(
          {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}});
      p.begin(kBoth);
      // If the line between both passes beside the triangle, two of these faces make a dent.
      if (!(p.sees(0, below, tolerance_) || p.sees(1, below, tolerance_) ||
            p.sees(2, below, tolerance_))) {
        return true;
      }
      count = 4;
      close(false);
      p.vertex[count++] = below;
      if (!expand(0, below)) --count;
      return true;
    }
    p.vertex[count++] = is_above ? above : below;
    close(is_below);
    return true;
  }
  /// Reduces four coplanar vertices to the three whose triangle contains the origin.
  void keep_face_about_origin() {
    Polytope3<T>& p = polytope_;
    constexpr FirstTriangles<4> kFaces({{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
    int best = 0;
    T least = -kInfinite<T>;
    p.begin(kFaces);
    for (int f = 0; f < 4; ++f) {
      if (p.is_flat(f)) continue;
      const Shares shares = shares_of(p.face[f]);
      if (!(shares.least > least)) continue;
      best = f;
      least = shares.least;
    }
    PolytopeVertex<T> kept[3];
    for (int k = 0; k < 3; ++k) kept[k] = p.vertex[kFaces.vertex[best][k]];
    for (int k = 0; k < 3; ++k) p.vertex[k] = kept[k];
    p.vertex_count = 3;
    if (!p.is_flat(best)) {
      constexpr FirstTriangles<1> kFace({{0, 1, 2}});
      p.begin(kFace);
      set_witness(0, shares_of(p.face[0]));
    }
    p.remove_faces();
  }
  /// Whether each of four vertices is off the plane of the others by more than rounding.
  bool has_heights() const {
    const auto* const v = polytope_.vertex;
    for (int k = 0; k < 4; ++k) {
      const auto &p = v[(k + 1) % 4], &q = v[(k + 2) % 4], &r = v[(k + 3) % 4];
      const Vec<T, 3> n = cross(from_to(p, q), from_to(p, r));
      const T size = root(dot(n, n));
      if (!(magnitude(dot(n, from_to(p, v[k]))) > (4 * tolerance_) * size)) return false;
    }
    return true;
  }
  /// Makes the four faces of four vertices. `is_left_handed` means that 0, 1, 2 run clockwise when
  /// seen from the far side of 3.
  void close(bool is_left_handed) {
    Polytope3<T>& p = polytope_;
    constexpr FirstTriangles<4> kFaces({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
    constexpr FirstTriangles<4> kMirrored({{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
    p.begin(is_left_handed ? kMirrored : kFaces);
  }
  /// The barycentric weights of the origin's projection onto a face.
  struct Shares {
    T of[3];
    T least;
  };
  Shares shares_of(const Face& f) const {
    const PolytopeVertex<T>& u = polytope_.vertex[f.vertex[0]];
    const Vec<T, 3> to_v = from_to(u, polytope_.vertex[f.vertex[1]]);
    const Vec<T, 3> to_w = from_to(u, polytope_.vertex[f.vertex[2]]);
    const Vec<T, 3> n = cross(to_v, to_w);
    const T n2 = dot(n, n);
    Shares shares;
    shares.of[1] = dot(cross(to_w, u.point), n) / n2;
    shares.of[2] = dot(cross(u.point, to_v), n) / n2;
    shares.of[0] = (1 - shares.of[1]) - shares.of[2];
    shares.least = shares.of[0];
    for (int k = 1; k < 3; ++k) {
      shares.least = shares.of[k] < shares.least ? shares.of[k] : shares.least;
    }
    return shares;
  }
  /// Sets the witness to the origin's projection onto a face that contains it. Among faces whose
  /// normal is about the best direction, it takes the nearest normal.
  void note_witness() {
    const Polytope3<T>& p = polytope_;
    const T beside = -64 * kRounding<T>;
    int best = -1;
    T most = 0;
    Shares shares{};
    p.for_each_about(best_.direction, 1 - T(1e-3), [&](int at) {
      const T slope = dot(p.face[at].normal, best_.direction);
      const Shares here = shares_of(p.face[at]);
      const bool has_foot = here.least >= beside, had_foot = best >= 0 && shares.least >= beside;
      const bool is_better = best < 0 || (has_foot != had_foot ? has_foot
                                          : has_foot           ? slope > most
                                                               : here.least > shares.least);
      if (!is_better) return;
      best = at;
      most = slope;
      shares = here;
    });
    if (best < 0) return;
    set_witness(best, shares);
    if (!is_round_) take_direction(p.face[best].normal);
  }
  /// Takes a direction if its depth is larger by no more than the rounding of support points. The
  /// face under the witness says more than a direction of the search with the same depth.
  void take_direction(const Vec<T, 3>& direction) {
    const T height = dot(direction, farthest(pair_, direction).point);
    if (!(height <= best_.depth + tolerance_ / 2)) return;
    best_.depth = height;
    best_.direction = direction;
  }
  void set_witness(int face, const Shares& shares) {
    best_.witness = witness_of(polytope_.face[face], shares);
  }
  Witness<T> witness_of(const Face& face, Shares shares) const {
    T sum = 0;
    Witness<T> witness{};
    for (T& share : shares.of) {
      share = share > 0 ? share : T(0);
      sum += share;
    }
    witness.count = 0;
    witness.on_a = witness.on_b = {{0, 0, 0}};
    for (int k = 0; k < 3; ++k) {
      if (!(shares.of[k] > 0)) continue;
      const PolytopeVertex<T>& v = polytope_.vertex[face.vertex[k]];
      const T share = shares.of[k] / sum;
      witness.on_a = witness.on_a + share * v.of_a;
      witness.on_b = witness.on_b + share * v.of_b;
      witness.a[witness.count] = v.a;
      witness.b[witness.count++] = v.b;
    }
    return witness;
  }
  /// If the normal of a core's own face is nearly along the exit, it becomes the exit. It is exact,
  /// and the normal of a sliver of the polytope is not. `side` is 1 for A's.
  void take_own_face(const ConvexShape<T>& shape, int side) {
    const Vec<T, 3> outward = side > 0 ? best_.direction : -best_.direction;
    Vec<T, 3> normal;
    if (!find_normal(shape, outward, tolerance_, normal, own_face_)) return;
    if (!(dot(normal, outward) > 1 - T(1e-4))) return;
    take_direction(side > 0 ? normal : -normal);
  }
  /// Whether the cores separate after the same depth in another direction.
  bool has_tie(int nearest) const {
    return polytope_.any_at(polytope_.distance(nearest), [&](const Vec<T, 3>& normal) {
      return dot(normal, best_.direction) < T(0.999) &&
             dot(normal, farthest(pair_, normal).point) == best_.depth;
    });
  }

  [[no_unique_address]] Observer observer_;
  ShapePair<T> pair_;
  T size_;
  bool is_round_;             ///< whether one has no vertices
  T tolerance_;               ///< the rounding of support points
  T settled_ = kInfinite<T>;  ///< the depth of `best_` if it is settled
  T closest_;                 ///< a search ends when the bounds are this close
  T coarse_;  ///< until it is settled, the bounds of smooth cores may be so far apart
  bool is_solid_ = false;
  bool is_known_ = true;  ///< no skipped face could be nearer, and all faces are joined
  bool is_broken_;        ///< rounding left no way to join the last vertex
  static constexpr int kMostSkipped = 32;
  int skipped_count_;
  Face skipped_face_[kMostSkipped];
  T skipped_;  ///< the least distance of faces that are skipped, for smooth cores
  int most_vertices_;
  T low_ = -kInfinite<T>;  ///< a lower bound of the depth
  int asked_ = 0;
  LeastExit<T> best_;
  Polytope3<T> polytope_;
  ConvexFace<T> own_face_;
};

}  // namespace
}  // namespace widephase
