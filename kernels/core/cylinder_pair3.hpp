#pragma once

// The least way out of two cylinders that overlap, a pair at a time, directions in lanes.
//
// Caps, side on side and side on rim are ways in closed form; where two rims meet Newton's steps
// lead from a direction nearby to the least one. What is found is then proven: the directions are
// divided into cells, squares on the sides of a cube, and a point w of the difference rules a cell
// out where it is as far out as the least way along the cell's four corners, since what lies
// between them is a sum of them with weights of at least 1. Each cell is asked for the support
// point of its middle; what that does not rule out is divided into four. A cell that shows a
// shorter way begins the search anew from there.
//
// About the least way n itself no cell ends: there curvature proves it. Turned from n by an angle t
// towards v, the overlap is no less than
//   depth cos t + radius (1 - cos t) + margin sin t
// where `radius` bounds the curvature of the rims along v from below, and `margin` is how far
// inside a cap's or a side's flat part the deepest point is. (A support function's h + h'' is the
// radius of its outline.) Cells within the widest cone in which that is no less than the depth are
// done.

#include "core/cylinder_axes3.hpp"

namespace widephase {
namespace {

/// B as seen from A's middle; the difference A - B.
template <class T>
struct CylinderPair {
  struct Side {
    Vec<T, 3> axis;
    T radius, half;
  };
  Side side[2];
  Vec<T, 3> apart;
  T size;  ///< by which coordinates round
};

/// What of a cylinder is outermost along a direction.
template <class T>
struct CylinderEnd {
  T along;           ///< of the direction along the axis
  T sine;            ///< across it
  Vec<T, 3> across;  ///< unit vector, 0 along the axis
};

/// A direction along which the pair may leave each other soonest.
template <class T>
struct CylinderPairWay {
  Vec<T, 3> normal;
  T depth;
  Vec<T, 3> on_a, on_b;  ///< the deepest points
  bool is_flat[2];       ///< along the axis's line of the side
  bool is_cap[2];
  T cone;  ///< the half angle within which no other is less
};

template <class T>
class CylinderPairSearch {
 public:
  static constexpr T rounding_share = 8 * kRounding<T>;

  explicit CylinderPairSearch(const CylinderPair<T>& pair) : pair_(pair) {}

  /// The support point of the difference.
  Vec<T, 3> farthest(const Vec<T, 3>& n) const {
    Vec<T, 3> point = -pair_.apart;
    for (const auto& side : pair_.side) {
      const CylinderEnd<T> end = end_of(side, n);
      point =
          point + (side.radius * end.across + (end.along < 0 ? -side.half : side.half) * side.axis);
    }
    return point;
  }
  T overlap(const Vec<T, 3>& n) const { return dot(n, farthest(n)); }

  /// Proves or betters the least of what `take` was given; answers whether that came out.
  template <class F>
  bool find(LaneCounter<F>& counter, CylinderPairWay<T>& way) {
    constexpr int kMostSearches = 6;
    for (int search = 0; search < kMostSearches; ++search) {
      // What is no least way stands before one that is less.
      const bool is_placed = place(way);
      if (!(way.depth > least_depth())) return false;
      Vec<T, 3> better;
      const Proof proof = prove<F>(way, counter, better);
      if (proof != Proof::is_wrong) return proof == Proof::is_least && is_placed;
      const T before = best_;
      take(descend(better));
      if (!(best_ < before)) return false;
    }
    return false;
  }
  void take(const Vec<T, 3>& n) {
    const T height = overlap(n);
    if (height < best_ - rounding_share * pair_.size / 4) {
      best_ = height;
      normal_ = n;
    }
  }
  void begin() {
    best_ = kInfinite<T>;
    normal_ = {{0, 0, 0}};
    for (const auto& side : pair_.side) {
      take(side.axis);
      take(-side.axis);
    }
  }
  /// By Newton's steps between the rims that are outermost.
  Vec<T, 3> descend(Vec<T, 3> n) const {
    constexpr int kSteps = 16;
    constexpr T kMostStep = T(0.3);
    T height = overlap(n);
    for (int step = 0; step < kSteps; ++step) {
      const Vec<T, 3> point = farthest(n);
      const Vec<T, 3> x = across_of(n), y = cross(n, x);
      T xx = -height, xy = 0, yy = -height;
      for (const auto& side : pair_.side) {
        const CylinderEnd<T> end = end_of(side, n);
        if (!(end.sine > 0)) continue;
        const Vec<T, 3> along = (1 / end.sine) * cross(side.axis, n);
        const T radius = side.radius / end.sine, of_x = dot(along, x), of_y = dot(along, y);
        xx += radius * of_x * of_x;
        xy += radius * of_x * of_y;
        yy += radius * of_y * of_y;
      }
      const T gx = dot(point, x), gy = dot(point, y);
      const T area = xx * yy - xy * xy;
      T by_x, by_y;
      if (xx > 0 && area > T(1e-3) * xx * yy) {
        by_x = (xy * gy - yy * gx) / area;
        by_y = (xy * gx - xx * gy) / area;
      } else {
        const T size = magnitude(xx) + magnitude(yy) + pair_.size * T(0.01);
        by_x = -gx / size;
        by_y = -gy / size;
      }
      T length = root(by_x * by_x + by_y * by_y);
      if (!(length > 0)) break;
      T share = length > kMostStep ? kMostStep / length : T(1);
      bool is_lower = false;
      for (int halving = 0; halving < 4 && !is_lower; ++halving, share *= T(0.25)) {
        const Vec<T, 3> to = unit_of(n + (share * by_x) * x + (share * by_y) * y);
        const T here = overlap(to);
        is_lower = here < height;
        // Close to the end the height stands still while the direction still turns.
        if (!is_lower && !(length < T(1e-2) && here <= height + rounding_share * pair_.size / 4)) {
          continue;
        }
        n = to;
        height = here;
        break;
      }
      if (length < 4 * kRounding<T> || (!is_lower && !(length < T(1e-2)))) break;
    }
    return n;
  }

 private:
  using Side = typename CylinderPair<T>::Side;
  enum class Proof { is_least, is_open, is_wrong };

  static CylinderEnd<T> end_of(const Side& side, const Vec<T, 3>& n) {
    CylinderEnd<T> end;
    end.along = dot(n, side.axis);
    // Again, since a short one rounds by the long one's digits.
    const Vec<T, 3> once = n - end.along * side.axis;
    const Vec<T, 3> across = once - dot(once, side.axis) * side.axis;
    end.sine = root(dot(across, across));
    end.across = end.sine > 0 ? (1 / end.sine) * across : Vec<T, 3>{{0, 0, 0}};
    return end;
  }

  /// Sets the deepest points of the best way and the cone about it. Answers false where they do not
  /// come out.
  bool place(CylinderPairWay<T>& way) const {
    const Vec<T, 3>& n = normal_;
    const T flat = 64 * kRounding<T>, slack = least_depth();
    way.normal = n;
    way.depth = best_;
    way.cone = 0;
    CylinderEnd<T> ends[2];
    Vec<T, 3> own[2];
    Vec<T, 3> rest = best_ * n + pair_.apart;
    int flats = 0, caps = 0;
    for (int k = 0; k < 2; ++k) {
      const Side& side = pair_.side[k];
      ends[k] = end_of(side, n);
      way.is_flat[k] = magnitude(ends[k].along) <= flat;
      way.is_cap[k] = ends[k].sine <= flat;
      flats += way.is_flat[k] ? 1 : 0;
      caps += way.is_cap[k] ? 1 : 0;
      own[k] = {{0, 0, 0}};
      if (!way.is_cap[k]) own[k] = side.radius * ends[k].across;
      if (!way.is_flat[k]) {
        own[k] = own[k] + (ends[k].along < 0 ? -side.half : side.half) * side.axis;
      }
      rest = rest - own[k];
    }
    if (caps > 1 || (caps == 1 && flats == 1)) return false;
    // How far the deepest point is inside what is flat there.
    T margin[2] = {0, 0};
    const Vec<T, 3>&u = pair_.side[0].axis, &v = pair_.side[1].axis;
    if (flats == 2) {
      const T cosine = dot(u, v), sine2 = 1 - cosine * cosine;
      if (!(sine2 > T(1e-4))) return false;
      const T of_u = dot(rest, u), of_v = dot(rest, v);
      const T at[2] = {(of_u - cosine * of_v) / sine2, (of_v - cosine * of_u) / sine2};
      for (int k = 0; k < 2; ++k) {
        margin[k] = pair_.side[k].half - magnitude(at[k]);
        own[k] = own[k] + at[k] * pair_.side[k].axis;
      }
      rest = rest - (at[0] * u + at[1] * v);
    } else {
      for (int k = 0; k < 2; ++k) {
        const Side& side = pair_.side[k];
        if (way.is_flat[k]) {
          const T at = dot(rest, side.axis);
          margin[k] = side.half - magnitude(at);
          own[k] = own[k] + at * side.axis;
          rest = rest - at * side.axis;
        } else if (way.is_cap[k]) {
          const Vec<T, 3> aside = rest - dot(rest, side.axis) * side.axis;
          margin[k] = side.radius - root(dot(aside, aside));
          own[k] = own[k] + aside;
          rest = rest - aside;
        }
      }
    }
    if (!(dot(rest, rest) <= slack * slack) || margin[0] < 0 || margin[1] < 0) return false;
    way.on_a = own[0];
    way.on_b = -own[1];
    way.cone = cone_about(way, ends, margin);
    return way.cone > 0;
  }

  /// Below it what rounds is not parted from what touches.
  T least_depth() const { return 16 * rounding_share * pair_.size; }

  T cone_about(const CylinderPairWay<T>& way, const CylinderEnd<T> (&ends)[2],
               const T (&margin)[2]) const {
    constexpr int kTurns = 16;
    const Vec<T, 3> x = across_of(way.normal), y = cross(way.normal, x);
    constexpr T kBetween = T(0.1);  // of a direction to the nearest of the sixteen, half a turn
    for (const T cone : {T(0.6), T(0.3), T(0.1), T(0.03), T(0.01)}) {
      bool holds = true;
      for (int turn = 0; holds && turn < kTurns; ++turn) {
        const Vec<T, 3> toward = half_turn_cosine(turn) * x + half_turn_sine(turn) * y;
        T radius = 0, flat = 0;
        for (int k = 0; k < 2; ++k) {
          const Side& side = pair_.side[k];
          if (way.is_cap[k]) {
            flat += margin[k];
            continue;
          }
          // The rim's radius there is that of a circle over the cube of its sine, times the square
          // of what stays the same along the turn.
          const T wide = lesser_of(T(1), ends[k].sine + cone);
          const T share =
              magnitude(dot(cross(side.axis, way.normal), toward)) - kBetween * ends[k].sine;
          if (share > 0) radius += side.radius * (share * share) / (wide * wide * wide);
          if (way.is_flat[k]) {
            flat += margin[k] * greater_of(magnitude(dot(side.axis, toward)) - kBetween, T(0));
          }
        }
        holds = flat >= (way.depth - radius) * (cone * T(0.52));
      }
      if (holds) return cone;
    }
    return 0;
  }
  static T half_turn_cosine(int part) {
    constexpr T kCosines[9] = {1,
                               T(0.98078528040323043),
                               T(0.92387953251128674),
                               T(0.83146961230254524),
                               T(0.70710678118654752),
                               T(0.55557023301960218),
                               T(0.38268343236508977),
                               T(0.19509032201612825),
                               0};
    return part <= 8 ? kCosines[part] : -kCosines[16 - part];
  }
  static T half_turn_sine(int part) {
    return part <= 8 ? half_turn_cosine(8 - part) : half_turn_cosine(part - 8);
  }

  /// A square on a side of the cube.
  struct Cells {
    static constexpr int most = 512;
    int count = 0;
    T x[most + 64], y[most + 64];
    std::uint8_t side[most + 64];

    void add(int on, T at_x, T at_y) {
      x[count] = at_x;
      y[count] = at_y;
      side[count++] = static_cast<std::uint8_t>(on);
    }
  };

  template <class F>
  Proof prove(const CylinderPairWay<T>& way, LaneCounter<F>& counter, Vec<T, 3>& better) const {
    constexpr int kLanes = LaneTraits<F>::count, kLevels = 10;
    Cells lists[2];
    Cells* cells = &lists[0];
    Cells* next = &lists[1];
    T half = T(0.5);
    for (int side = 0; side < 6; ++side) {
      for (int at = 0; at < 4; ++at)
        cells->add(side, at % 2 != 0 ? half : -half, at > 1 ? half : -half);
    }
    const T slack = rounding_share * pair_.size;
    const T reach = T(0.98) * way.cone;
    for (int level = 0; level < kLevels; ++level, half *= T(0.5)) {
      next->count = 0;
      T least = way.depth - slack;
      int found = -1;
      // Beyond the end the last cells stand again.
      for (int k = 0; k < kLanes; ++k) {
        cells->x[cells->count + k] = cells->x[0];
        cells->y[cells->count + k] = cells->y[0];
        cells->side[cells->count + k] = cells->side[0];
      }
      for (int first = 0; first < cells->count; first += kLanes) {
        const int count = cells->count - first < kLanes ? cells->count - first : kLanes;
        counter.add_queue(count);
        Lanes<F> height;
        unsigned open = ask<F>(*cells, first, half, way, reach, height);
        for (int k = 0; k < count; ++k) {
          if (!(height[k] < least)) continue;
          least = height[k];
          found = first + k;
        }
        if (count < kLanes) open &= (1u << count) - 1;
        if (next->count + 4 * bit_count(open) > Cells::most) return Proof::is_open;
        for (; open != 0; open &= open - 1) {
          const int at = first + __builtin_ctz(open);
          const T by = half / 2;
          for (int part = 0; part < 4; ++part) {
            next->add(cells->side[at], cells->x[at] + (part % 2 != 0 ? by : -by),
                      cells->y[at] + (part > 1 ? by : -by));
          }
        }
      }
      if (found >= 0) {
        better = direction_of(*cells, found);
        return Proof::is_wrong;
      }
      if (next->count == 0) return Proof::is_least;
      Cells* const done = cells;
      cells = next;
      next = done;
    }
    return Proof::is_open;
  }
  static Vec<T, 3> direction_of(const Cells& cells, int at) {
    const int axis = cells.side[at] / 2;
    Vec<T, 3> n;
    n[axis] = cells.side[at] % 2 != 0 ? T(1) : T(-1);
    n[(axis + 1) % 3] = cells.x[at];
    n[(axis + 2) % 3] = cells.y[at];
    return unit_of(n);
  }

  /// Which cells are left open by the support points of their middles, whose heights it sets.
  template <class F>
  unsigned ask(const Cells& cells, int first, T half_size, const CylinderPairWay<T>& way, T reach,
               Lanes<F>& height) const {
    constexpr int kLanes = LaneTraits<F>::count;
    const F zero = F(0), one = F(1);
    const F x = load(cells.x + first), y = load(cells.y + first);
    T axes[kLanes], signs[kLanes];
    for (int k = 0; k < kLanes; ++k) {
      axes[k] = static_cast<T>(cells.side[first + k] / 2);
      signs[k] = cells.side[first + k] % 2 != 0 ? T(1) : T(-1);
    }
    const F axis = load(axes), sign = load(signs);
    const auto is_0 = axis == zero, is_1 = axis == one;
    const Vec<F, 3> c{{select(is_0, sign, select(is_1, y, x)),
                       select(is_0, x, select(is_1, sign, y)),
                       select(is_0, y, select(is_1, x, sign))}};
    const Vec<F, 3> n = divide(one, length(c)) * c;
    const auto wide = [](const Vec<T, 3>& v) { return Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}; };
    Vec<F, 3> w = -wide(pair_.apart);
    for (const Side& side : pair_.side) {
      const Vec<F, 3> u = wide(side.axis);
      const F along = dot(n, u);
      const Vec<F, 3> once = n - along * u;
      const Vec<F, 3> across = once - dot(once, u) * u;
      const F inverse = divide_or_zero(F(side.radius), length(across));
      w = w + inverse * across + select(along < zero, F(-side.half), F(side.half)) * u;
    }
    height = Lanes<F>(dot(n, w));
    const F half = F(half_size);
    const F wx = select(is_0, w[1], select(is_1, w[2], w[0]));
    const F wy = select(is_0, w[2], select(is_1, w[0], w[1]));
    const F lowest = dot(c, w) - half * (abs(wx) + abs(wy));
    const F out_x = abs(x) + half, out_y = abs(y) + half;
    const F longest = sqrt((out_x * out_x + out_y * out_y) + one);
    const F least = F(way.depth - rounding_share * pair_.size);
    const auto is_out = lowest >= least * longest;
    // No corner is farther from the middle of its cell.
    const Vec<F, 3> beside = n - wide(way.normal);
    const F from_way = length(beside) + F(T(1.4143) * half_size);
    const auto is_within = from_way <= F(reach);
    return mask_bits((!is_out) & (!is_within));
  }

  const CylinderPair<T>& pair_;
  T best_ = kInfinite<T>;
  Vec<T, 3> normal_{};
};

/// The ways of a batch's overlapping cylinders.
template <class F>
class CylinderPairs {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  explicit CylinderPairs(const CorePair<F>& pair) {
    const ConvexLanes<F>&a = pair.a.shape, &b = pair.b.shape;
    for (int k = 0; k < 3; ++k) {
      axis_[0][k] = Lanes<F>(a.turn.column[2][k]);
      axis_[1][k] = Lanes<F>(b.turn.column[2][k]);
      apart_[k] = Lanes<F>(pair.apart[k]);
    }
    radius_[0] = Lanes<F>(a.half[0]);
    radius_[1] = Lanes<F>(b.half[0]);
    half_[0] = Lanes<F>(a.half[2]);
    half_[1] = Lanes<F>(b.half[2]);
  }

  void find(unsigned overlapping, LaneCounter<F>& counter) {
    CylinderEdges<F> edges;
    for (unsigned left = overlapping; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      for (int side = 0; side < 2; ++side) {
        add_axis(i, side, edges);
        if (edges.count == lanes) flush(edges, counter);
      }
    }
    flush(edges, counter);
    for (; overlapping != 0; overlapping &= overlapping - 1) {
      const int i = __builtin_ctz(overlapping);
      counter.add_alone(1);
      search(i, counter);
    }
  }

  DirectWay<T> way(int lane, const ShapePair<T>&, T) const { return found_[lane]; }

 private:
  Vec<T, 3> axis(int i, int side) const {
    return {{axis_[side][0][i], axis_[side][1][i], axis_[side][2][i]}};
  }
  Vec<T, 3> apart(int i) const { return {{apart_[0][i], apart_[1][i], apart_[2][i]}}; }

  /// The axis of a cylinder as an edge before the other.
  void add_axis(int i, int side, CylinderEdges<F>& edges) const {
    T* const edge = edges.edge + edges.count * HullLayout::edge;
    T* const row = edges.cylinder + edges.count * CylindersInFrames<F>::row_size;
    // As long as the cylinder is large, so that rounding goes by the scale of the pair.
    const Vec<T, 3> along = (half_[side][i] + radius_[side][i]) * axis(i, side);
    const Vec<T, 3> of_other = axis(i, 1 - side), to = apart(i);
    for (int k = 0; k < HullLayout::edge; ++k) edge[k] = 0;
    for (int k = 0; k < 3; ++k) {
      edge[k] = -along[k];
      edge[3 + k] = along[k];
      row[k] = of_other[k];
      row[3 + k] = side == 0 ? to[k] : -to[k];
    }
    row[6] = radius_[1 - side][i];
    row[7] = half_[1 - side][i];
    row[8] = radius_[side][i];
    edges.pair[edges.count++] = 2 * i + side;
  }
  void flush(CylinderEdges<F>& edges, LaneCounter<F>& counter) {
    if (edges.count == 0) return;
    counter.add_queue(edges.count);
    CylinderAxis<T> ways[lanes];
    ask_cylinder_edges(edges, ways);
    for (int n = 0; n < edges.count; ++n) {
      const int side = edges.pair[n] % 2;
      across_[edges.pair[n] / 2][side] = side == 0 ? ways[n].normal : -ways[n].normal;
    }
    edges.count = 0;
  }

  void search(int i, LaneCounter<F>& counter) {
    DirectWay<T>& direct = found_[i];
    direct.is_found = false;
    const CylinderPair<T> pair{
        {{axis(i, 0), radius_[0][i], half_[0][i]}, {axis(i, 1), radius_[1][i], half_[1][i]}},
        apart(i),
        sizes(i)};
    const Vec<T, 3> astray = cross(pair.side[0].axis, pair.side[1].axis);
    if (!(dot(astray, astray) > T(1e-4))) return;
    CylinderPairSearch<T> search(pair);
    search.begin();
    for (const Vec<T, 3>& n : across_[i]) search.take(unit_of(n));
    CylinderPairWay<T> found;
    if (!search.template find<F>(counter, found)) return;
    direct.is_found = true;
    LeastWay<T>& way = direct.way;
    way.direction = found.normal;
    way.depth = found.depth;
    way.is_tie = way.is_capped = false;
    way.witness.on_a = found.on_a;
    way.witness.on_b = found.on_b;
    way.witness.count = found.is_flat[0] || found.is_flat[1] ? 2 : 1;
    for (int k = 0; k < 3; ++k) {
      const T up_a = dot(pair.side[0].axis, found.normal);
      const T up_b = dot(pair.side[1].axis, found.normal);
      way.witness.a[k] = found.is_flat[0] ? k % 2 : up_a > 0 ? 1 : 0;
      way.witness.b[k] = found.is_flat[1] ? k % 2 : up_b < 0 ? 1 : 0;
    }
  }
  T sizes(int i) const {
    T size = 0;
    for (int side = 0; side < 2; ++side) {
      size += root(2 * radius_[side][i] * radius_[side][i] + half_[side][i] * half_[side][i]);
    }
    for (int k = 0; k < 3; ++k) size += magnitude(apart_[k][i]);
    return size;
  }

  Lanes<F> axis_[2][3], apart_[3], radius_[2], half_[2];
  Vec<T, 3> across_[lanes][2];
  DirectWay<T> found_[lanes];
};

}  // namespace
}  // namespace widephase
