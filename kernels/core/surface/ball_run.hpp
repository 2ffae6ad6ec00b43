#pragma once

// sphere_heightfield: balls one after another, the triangles near several of them in lanes, in
// double. Normal, depth, point and features: as surface_search.hpp finds them, to rounding.
// Left to that search: balls that several places of one patch touch, that are deeper than their
// radius, beside a neighbour or near many triangles.
// Cost: about 30 ns for a ball above the ground, 200 for one near it.

#include "kernels/core/surface/ball_contacts.hpp"
#include "kernels/core/surface/field_run.hpp"
#include "kernels/core/surface/surface_search.hpp"
#include "kernels/core/surface/triangle_lanes.hpp"

namespace widephase {
namespace {

template <class T>
class BallRun {
 public:
  explicit BallRun(const SurfaceRun<T>& run) : run_(run), field_(run), contacts_(run) {}

  /// Pairs from `begin` on, until one is left to the search or the room is full.
  SurfaceAnswer<T> find(std::int64_t begin, const SurfaceRoom& room) {
    return find_ball_patches(*this, run_, begin, room);
  }

  /// Lists balls from pair `i` on. Returns the first that is not, and whether the search must tell
  /// about it.
  std::int64_t list_balls(std::int64_t i, bool& is_left) {
    ball_count_ = 0;
    triangles_.count = 0;
    for (; i < run_.pairs.count && ball_count_ < kMostBalls; ++i) {
      const Listed listed = list(i);
      is_left = listed == Listed::left;
      if (listed == Listed::left || listed == Listed::full) break;
    }
    measure();
    return i;
  }
  int ball_count() const { return ball_count_; }
  std::int64_t pair_of(int ball) const { return balls_[ball].pair; }
  /// Sets the contacts of a ball. Returns their number, or `kBallLeft`.
  int find_contacts(int number) {
    const Ball& ball = balls_[number];
    contacts_.count = 0;
    double below = -1;
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      if (feature_[t] == kUnclear) return kBallLeft;
      if (feature_[t] == kHit && below_of_[t] > below) below = below_of_[t];
    }
    if (below == 0 || below > ball.limit) return kBallLeft;
    if (!(below > 0 ? add_nearest_face(ball) : add_felt(ball))) return kBallLeft;
    return contacts_.sort() ? contacts_.count : kBallLeft;
  }
  void write(int ball, int contact, SurfacePatch<T>& patch) const {
    const Ball& from = balls_[ball];
    const BallContact& found = contacts_.contact[contact];
    contacts_.write(found, field_.to_scene(found.away), from.radius, from.radius, from.rest, patch);
  }

 private:
  static constexpr int kMostBalls = 16;
  static constexpr int kMostCells = 32;
  static constexpr double kFar = -1, kHit = 16;  // beside features

  struct Ball {
    std::int64_t pair;
    Vector centre;  ///< in the field's frame
    Vector rest;    ///< what rounding removed from it, in the scene's axes
    double radius, margin, limit;
    CellRange cells;
    std::int32_t first, end;  ///< its triangles
  };
  /// `none`: it does not touch; `full`: no room for its triangles, or another field; `left`: to the
  /// search.
  enum class Listed : std::uint8_t { none, some, full, left };

  /// Adds a ball and the triangles near it.
  Listed list(std::int64_t i) {
    const Pair own = ascending_pair(run_.pairs.pairs[i]);
    if (!field_.is_of(own.b)) {
      if (ball_count_ > 0) return Listed::full;
      field_.set_field(own.b);
    }
    Ball& ball = balls_[ball_count_];
    ball.pair = i;
    const T* const row = run_.pairs.rows_a + std::ptrdiff_t{own.a} * 4;
    ball.centre = field_.to_field(field_.from_origin(own, row, ball.rest));
    const double square = dot(ball.centre, ball.centre);
    ball.radius = double(row[3]);
    ball.margin = margin_of(run_.pairs, own);
    ball.limit = ball.margin + ball.radius;
    ball.limit += 4 * double(kRounding<T>) * ball.limit;
    if (!(square - square == 0) || !(ball.limit > 0)) return Listed::left;
    const double low = ball.centre[2] - ball.limit;
    if (field_.is_above(low)) return Listed::none;
    const auto cells =
        field_.find_cells(ball.centre, {{ball.limit, ball.limit, ball.limit}}, ball.cells);
    if (cells == FieldRun<T>::Cells::beyond) return Listed::left;
    if (cells == FieldRun<T>::Cells::none) return Listed::none;
    if (!field_.has_sample(ball.cells, low)) return Listed::none;
    const std::int64_t count = ball.cells.count();
    if (count > kMostCells) return Listed::left;
    if (triangles_.count + 2 * count > CellTriangles::most) return Listed::full;
    ball.first = triangles_.count;
    list_triangles(ball);
    ball.end = triangles_.count;
    if (ball.end > ball.first) ++ball_count_;
    return Listed::some;
  }

  void list_triangles(const Ball& ball) {
    for (std::int32_t row = ball.cells.row; row < ball.cells.end_row; ++row) {
      for (std::int32_t col = ball.cells.column; col < ball.cells.end_column; ++col) {
        add_cell(field_.field(), ball.centre, 0 - ball.limit, row, col, triangles_, place_);
      }
    }
    for (std::int32_t t = ball.first; t < triangles_.count; ++t) triangles_.limit[t] = ball.limit;
  }

  void measure() {
    using F = Batch<double>;
    const F zero(0);
    triangles_.pad();
    for (std::int32_t first = 0; first < triangles_.count; first += CellTriangles::lanes) {
      const TriangleLanes<F> triangle(triangles_, first);
      const F limit = load(triangles_.limit + first);
      const Vec<F, 3>* const v = triangle.vertex;
      const Vec<F, 3> across = cross(v[1] - v[0], v[2] - v[0]);
      const F size = sqrt(dot(across, across));
      const F below = divide(dot(across, v[0]), size);
      const auto is_flat = !(size > zero);
      auto is_near = (below >= negate(limit)) | is_flat;
      F feature(kFar), distance(0);
      Vec<F, 3> point = v[0];
      if (any<F>(is_near)) {
        const NearestLanes<F> nearest = nearest_to_origin(triangle, across);
        const F apart = sqrt(nearest.distance2), above = negate(below);
        const auto is_plane = (below < zero) & (apart <= above);
        feature = select(is_plane, F(kOfFace), nearest.feature);
        distance = select(feature == F(kOfFace), abs(below), apart);
        point = nearest.point;
        is_near = is_near & ((distance <= limit) | is_flat);
        const auto is_under = below >= zero;
        if (any<F>(is_under)) {
          const auto is_hit = is_under & is_over(triangle, Vec<F, 3>{{zero, zero, zero}});
          feature = select(is_hit, F(kHit), feature);
          is_near = is_near | is_hit;
        }
        const auto is_unclear = is_flat | (nearest.is_unclear & (feature < F(kHit)));
        feature = select(is_near, select(is_unclear, F(kUnclear), feature), F(kFar));
      }
      store(feature_ + first, feature);
      store(distance_ + first, distance);
      store(below_of_ + first, below);
      for (int k = 0; k < 3; ++k) store(point_[k] + first, point[k]);
    }
  }
  /// A ball whose centre is below leaves by the nearest face.
  bool add_nearest_face(const Ball& ball) {
    std::int32_t best = -1;
    double least = kInfinite<double>;
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      const bool is_behind = feature_[t] == kOfFace && below_of_[t] > 0;
      if (!(is_behind || feature_[t] == kHit) || !(below_of_[t] < least)) continue;
      least = below_of_[t];
      best = t;
    }
    if (best < 0 || !(least > 0)) return false;
    add(ball, best, kOfFace, -1, least);
    return true;
  }

  /// Places that no triangle of theirs is nearer than. False if the search must tell.
  bool add_felt(const Ball& ball) {
    const auto places = static_cast<std::int32_t>(2 * ball.cells.count());
    for (std::int32_t p = 0; p < places; ++p) nearest_at_[p] = kInfinite<double>;
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      if (feature_[t] != kFar) nearest_at_[index_of(ball.cells, place_[t])] = distance_[t];
    }
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      if (feature_[t] == kFar || !(0 - distance_[t] >= 0 - ball.margin - ball.radius)) continue;
      const auto feature = static_cast<int>(feature_[t]);
      std::int64_t key = -1;
      if (feature != kOfFace) {
        if (!is_felt(ball.cells, t)) continue;
        if (!(point_[2][t] <= 0)) return false;  // from below only borders are felt
        key = key_of(place_[t], feature);
        if (contacts_.find(key) < contacts_.count) continue;
      } else if (!(below_of_[t] <= 0)) {
        continue;
      }
      if (contacts_.count == BallContacts<T>::most) return false;
      add(ball, t, feature, key, 0 - distance_[t]);
    }
    return true;
  }
  void add(const Ball& ball, std::int32_t t, int feature, std::int64_t key, double depth) {
    Vector away{{0 - point_[0][t], 0 - point_[1][t], 0 - point_[2][t]}};
    const bool is_apart = dot(away, away) > 0;
    if (feature == kOfFace || !is_apart) {
      const Vector vertex[3] = {triangles_.vertex(t, 0), triangles_.vertex(t, 1),
                                triangles_.vertex(t, 2)};
      triangle_normal(vertex, away);
    } else {
      away = unit_of(away);
    }
    const FieldTriangles<T> surface = field_.triangles(ball.centre);
    contacts_.contact[contacts_.count++] = {
        t, feature, key, away, depth, lowest_name(surface, place_[t], feature)};
  }

  /// The edge or vertex, whichever triangle names it.
  std::int64_t key_of(const TrianglePlace& at, int feature) const {
    SamplePlace sample{at.row, at.col};
    int type = 3;
    if (feature >= kOfVertex) {
      sample = sample_of(at, feature - kOfVertex);
    } else if (feature == kOfEdge + 1) {  // along y in half 0, along x in half 1
      type = at.half == 0 ? 1 : 0;
      ++(at.half == 0 ? sample.col : sample.row);
    } else {
      const bool is_diagonal = (feature == kOfEdge) == (at.half == 1);
      type = is_diagonal ? 2 : at.half;
    }
    return (std::int64_t{sample.row} * (field_.field().columns + 1) + sample.col) * 4 + type;
  }
  bool is_felt(const CellRange& cells, std::int32_t t) const {
    const auto feature = static_cast<int>(feature_[t]);
    if (feature < kOfVertex) {
      return !is_nearer(cells, across_edge(place_[t], feature - kOfEdge).place, distance_[t]);
    }
    const SamplePlace sample = sample_of(place_[t], feature - kOfVertex);
    for (int k = 0; k < triangles_around(sample); ++k) {
      if (is_nearer(cells, around_sample(sample, k).place, distance_[t])) return false;
    }
    return true;
  }
  bool is_nearer(const CellRange& cells, const TrianglePlace& at, double than) const {
    if (at.row < cells.row || at.row >= cells.end_row) return false;
    if (at.col < cells.column || at.col >= cells.end_column) return false;
    return nearest_at_[index_of(cells, at)] < than;
  }
  static std::int32_t index_of(const CellRange& cells, const TrianglePlace& at) {
    const std::int32_t columns = cells.end_column - cells.column;
    return ((at.row - cells.row) * columns + (at.col - cells.column)) * 2 + at.half;
  }

  static constexpr double kUnclear = 17;  // beside features, for the search

  const SurfaceRun<T>& run_;
  FieldRun<T> field_;
  // Several balls:
  Ball balls_[kMostBalls];
  int ball_count_ = 0;
  CellTriangles triangles_;
  TrianglePlace place_[CellTriangles::most];
  alignas(64) double feature_[CellTriangles::most], distance_[CellTriangles::most];
  alignas(64) double below_of_[CellTriangles::most], point_[3][CellTriangles::most];
  // One ball:
  double nearest_at_[2 * kMostCells];  ///< by its cells and halves
  BallContacts<T> contacts_;
};

}  // namespace
}  // namespace widephase
