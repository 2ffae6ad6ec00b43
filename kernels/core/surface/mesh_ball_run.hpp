#pragma once

// sphere_mesh: balls one after another, the triangles near several of them in lanes, in double.
// Normal, depth, point and features: as surface_search.hpp finds them, to rounding. Left to that
// search: balls that several places of one patch touch or that are near many triangles,
// or a neighbour's.

#include "kernels/core/surface/ball_contacts.hpp"
#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/core/surface/triangle_lanes.hpp"

namespace widephase {
namespace {

/// Triangles of a mesh in memory, each seen from a point of its own.
struct MeshTriangles {
  static constexpr int most = 384;
  alignas(64) double vertex[3][3][most];  ///< by corner and axis
  alignas(64) double limit[most];         ///< no distance beyond this counts
  std::int32_t number[most], corner[3][most];
  std::int32_t count = 0;

  Vector vertex_of(std::int32_t t, int k) const {
    return {{vertex[k][0][t], vertex[k][1][t], vertex[k][2][t]}};
  }
  /// Fills the last batch with the last triangle.
  void pad() {
    constexpr int lanes = LaneTraits<Batch<double>>::count;
    for (std::int32_t t = count; t % lanes != 0; ++t) {
      for (auto& corner_planes : vertex) {
        for (auto& plane : corner_planes) plane[t] = plane[count - 1];
      }
      limit[t] = limit[count - 1];
    }
  }
};

template <class T>
class MeshBallRun {
 public:
  explicit MeshBallRun(const SurfaceRun<T>& run) : run_(run), contacts_(run) {}

  /// Pairs from `begin` on, until one is left to the search or the room is full.
  SurfaceAnswer<T> find(std::int64_t begin, const SurfaceRoom& room) {
    return find_ball_patches(*this, run_, begin, room);
  }

  /// Lists balls from pair `i` on. Returns the first that is not, and whether the search must tell
  /// about it.
  std::int64_t list_balls(std::int64_t i, bool& is_left) {
    int asked = 0;
    for (; i < run_.pairs.count && asked < kMostAsked; ++i, ++asked) {
      const Placed placed = place(i, asked > 0, balls_[asked]);
      is_left = placed == Placed::left;
      if (placed != Placed::asked) break;
    }
    const int listed = walk(asked, is_left);
    if (listed < asked) i = balls_[listed].pair;
    ball_count_ = 0;
    for (int b = 0; b < listed; ++b) {
      if (balls_[b].end > balls_[b].first) balls_[ball_count_++] = balls_[b];
    }
    read_triangles();
    measure();
    return i;
  }
  int ball_count() const { return ball_count_; }
  std::int64_t pair_of(int ball) const { return balls_[ball].pair; }
  /// Sets the contacts of a ball. Returns their number, or `kBallLeft`.
  int find_contacts(int number) {
    const Ball& ball = balls_[number];
    contacts_.count = 0;
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      if (feature_[t] == kUnclear) return kBallLeft;
    }
    near_count_ = 0;
    for (std::int32_t t = ball.first; t < ball.end; ++t) {
      if (!(near_distance_[t] < kInfinite<double>)) continue;
      for (int k = 0; k < 3; ++k) near_corner_[k][near_count_] = triangles_.corner[k][t];
      distance_[near_count_] = near_distance_[t];
      near_[near_count_++] = t;
    }
    for (int n = 0; n < near_count_; ++n) {
      const std::int32_t t = near_[n];
      if (!(0 - distance_[n] >= 0 - ball.margin - ball.radii) || !(below_of_[t] <= 0)) continue;
      const auto feature = static_cast<int>(feature_[t]);
      const std::int64_t key = feature == kOfFace ? -1 : key_of(t, feature);
      int to = contacts_.count;
      if (feature != kOfFace) {
        // If several triangles are as near there, the lowest counts, wherever the tree has it.
        const int known = contacts_.find(key);
        if (known < to &&
            triangles_.number[t] > triangles_.number[contacts_.contact[known].triangle])
          continue;
        if (!is_felt(t, feature) || goes_on(t, feature)) continue;
        to = known;
      }
      if (to == BallContacts<T>::most) return kBallLeft;
      contacts_.count += to == contacts_.count ? 1 : 0;
      contacts_.contact[to] = contact_of(t, feature, key);
    }
    return contacts_.sort() ? contacts_.count : kBallLeft;
  }
  void write(int ball, int contact, SurfacePatch<T>& patch) const {
    const Ball& from = balls_[ball];
    const BallContact& found = contacts_.contact[contact];
    const Vector& away = found.away;
    const Vector normal =
        scaled(axis_[0], away[0]) + scaled(axis_[1], away[1]) + scaled(axis_[2], away[2]);
    contacts_.write(found, normal, from.radius, from.radii, from.rest, patch);
  }

 private:
  static constexpr int kMostAsked = 32, kMostOfBall = 128, kMostOpen = 512;
  static constexpr double kFar = -1, kUnclear = 17;  // beside features

  struct Ball {
    std::int64_t pair;
    Vector centre;  ///< in the mesh's frame
    Vector rest;    ///< what rounding removed from it, in the scene's axes
    double radius, radii, margin, limit;
    std::int32_t first, end;  ///< its triangles
  };
  /// `other`: of another mesh; `left`: to the search.
  enum class Placed : std::uint8_t { asked, other, left };
  /// A tile that a ball may meet.
  struct Open {
    std::int32_t ball, tile;
  };

  void set_mesh(std::int32_t id) {
    id_ = id;
    row_ = run_.pairs.rows_b + std::ptrdiff_t{id} * 16;
    find_axes(row_, axis_);
    mesh_ = &run_.meshes[integer_in(row_[7])];
  }

  Placed place(std::int64_t i, bool has_others, Ball& ball) {
    const Pair own = ascending_pair(run_.pairs.pairs[i]);
    if (own.b != id_) {
      if (has_others) return Placed::other;
      set_mesh(own.b);
    }
    ball.pair = i;
    const T* const row = run_.pairs.rows_a + std::ptrdiff_t{own.a} * 4;
    const Vector apart = from_field(run_.pairs, own, row, row_, ball.rest);
    ball.centre = {{dot(axis_[0], apart), dot(axis_[1], apart), dot(axis_[2], apart)}};
    ball.radius = double(row[3]);
    ball.radii = ball.radius + double(row_[3]);
    ball.margin = margin_of(run_.pairs, own);
    ball.limit = ball.margin + ball.radii;
    ball.limit += 4 * double(kRounding<T>) * ball.limit;
    ball.first = ball.end = 0;
    const bool is_near = ball.limit > 0 && has_squares<T>(ball.centre.axis, ball.limit);
    return is_near && !is_near_beyond(ball) ? Placed::asked : Placed::left;
  }

  /// Whether a ball is near a neighbour's triangle.
  bool is_near_beyond(const Ball& ball) const {
    bool is_near = false;
    if (mesh_->beyond == nullptr) return is_near;
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = ball.centre[k] - ball.limit;
      high[k] = ball.centre[k] + ball.limit;
    }
    walk_mesh(*mesh_->beyond, low, high, [&](std::int32_t) {
      is_near = true;
      return false;
    });
    return is_near;
  }

  /// Finds the numbers of the triangles near balls, level by level of the tree, so that no ball
  /// waits for another's memory. Returns how many balls have theirs. If these are not all, tells
  /// whether the search must answer the next one.
  int walk(int asked, bool& is_left) {
    triangles_.count = 0;
    if (asked == 0) return 0;
    Open* from = open_[0];
    Open* to = open_[1];
    int count = 0, end = asked;
    const auto cut = [&](int ball, bool leaves_it) {
      end = ball;
      is_left = leaves_it;
    };
    for (; mesh_->level_count > 0 && count < asked; ++count) from[count] = {count, 0};
    for (int level = mesh_->level_count; level-- > 0;) {
      int next = 0;
      for (int n = 0; n < count && from[n].ball < end; ++n) {
        const int number = from[n].ball;
        Ball& ball = balls_[number];
        const auto add = [&](std::int32_t place) {
          if (number >= end) return;
          if (level == 0) {
            if (ball.end == ball.first) ball.first = ball.end = triangles_.count;
            if (ball.end - ball.first == kMostOfBall) return cut(number, true);
            if (triangles_.count == MeshTriangles::most) return cut(number, false);
            const std::int32_t triangle = mesh_->order[place];
            __builtin_prefetch(mesh_->corners + 3 * std::ptrdiff_t{triangle});
            triangles_.number[triangles_.count++] = triangle;
            ball.end = triangles_.count;
            return;
          }
          if (next == kMostOpen) return cut(number, number == 0);
          to[next++] = {number, place};
          const T* const tile = mesh_tile(*mesh_, level - 1, place);
          for (int k = 0; k < 6; ++k) __builtin_prefetch(tile + k * kMeshTile);
          if (level == 1) __builtin_prefetch(mesh_->order + std::ptrdiff_t{place} * kMeshTile);
        };
        for_each_near_point(*mesh_, level, from[n].tile, ball.centre.axis, ball.limit, add);
      }
      Open* const other = from;
      from = to;
      to = other;
      count = next;
    }
    if (end < asked) {
      const Ball& last = balls_[end];
      if (last.end > last.first) triangles_.count = last.first;
    }
    return end;
  }

  void read_triangles() {
    MeshTriangles& to = triangles_;
    for (std::int32_t t = 0; t < to.count; ++t) {
      const std::int32_t* const corner = mesh_->corners + 3 * std::ptrdiff_t{to.number[t]};
      for (int k = 0; k < 3; ++k) {
        to.corner[k][t] = corner[k];
        __builtin_prefetch(mesh_->positions + 3 * std::ptrdiff_t{corner[k]});
      }
    }
    for (int b = 0; b < ball_count_; ++b) {
      const Ball& ball = balls_[b];
      for (std::int32_t t = ball.first; t < ball.end; ++t) {
        to.limit[t] = ball.limit;
        for (int k = 0; k < 3; ++k) {
          const T* const at = mesh_->positions + 3 * std::ptrdiff_t{to.corner[k][t]};
          for (int j = 0; j < 3; ++j) to.vertex[k][j][t] = double(at[j]) - ball.centre[j];
        }
      }
    }
  }

  void measure() {
    using F = Batch<double>;
    const F zero(0), width(width_of_seams(*mesh_));
    triangles_.pad();
    for (std::int32_t first = 0; first < triangles_.count; first += LaneTraits<F>::count) {
      TriangleLanes<F> triangle;
      for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) triangle.vertex[k][j] = load(triangles_.vertex[k][j] + first);
      }
      const F limit = load(triangles_.limit + first);
      const Vec<F, 3>* const v = triangle.vertex;
      const Vec<F, 3> across = cross(v[1] - v[0], v[2] - v[0]);
      const F size = sqrt(dot(across, across));
      F below = divide(dot(across, v[0]), size);
      if (mesh_->is_two_sided) below = negate(abs(below));
      const auto is_flat = !(size > zero);
      const NearestLanes<F> nearest = nearest_to_origin(triangle, across);
      const F apart = sqrt(nearest.distance2), above = negate(below);
      const auto is_plane = (below < zero) & (apart <= above);
      F feature = select(is_plane, F(kOfFace), nearest.feature);
      const F distance = select(feature == F(kOfFace), abs(below), apart);
      const auto is_near = ((below >= negate(limit)) & (distance <= limit)) | is_flat;
      const auto is_unclear = is_flat | nearest.is_unclear;
      feature = select(is_near, select(is_unclear, F(kUnclear), feature), F(kFar));
      // As `rival_distance` of the search.
      F extent = zero;
      for (const Vec<F, 3>& vertex : triangle.vertex) {
        for (int k = 0; k < 3; ++k) extent = greater(extent, abs(vertex[k]));
      }
      const F rival =
          select(below > zero, distance + (F(kDistanceRounding) * extent + width), distance);
      store(feature_ + first, feature);
      store(near_distance_ + first, select(is_near, rival, F(kInfinite<double>)));
      store(below_of_ + first, below);
      for (int k = 0; k < 3; ++k) store(point_[k] + first, nearest.point[k]);
    }
  }

  /// The edge or vertex, whichever triangle names it.
  std::int64_t key_of(std::int32_t t, int feature) const {
    if (feature >= kOfVertex) return std::int64_t{triangles_.corner[feature - kOfVertex][t]} << 32;
    const std::int64_t a = triangles_.corner[feature - kOfEdge][t];
    const std::int64_t b = triangles_.corner[(feature - kOfEdge + 1) % 3][t];
    return a < b ? a << 32 | (b + 1) : b << 32 | (a + 1);
  }
  /// Whether no other triangle at the edge or vertex is nearer.
  bool is_felt(std::int32_t t, int feature) const {
    const bool is_edge = feature < kOfVertex;
    const std::int32_t first =
        triangles_.corner[is_edge ? feature - kOfEdge : feature - kOfVertex][t];
    const std::int32_t second = is_edge ? triangles_.corner[(feature - kOfEdge + 1) % 3][t] : first;
    // Without branches, for the vector unit.
    const std::int32_t *const a = near_corner_[0], *const b = near_corner_[1],
                              *const c = near_corner_[2];
    const double distance = near_distance_[t];
    int is_nearer = 0;
    for (int n = 0; n < near_count_; ++n) {
      const int has_first = (a[n] == first) | (b[n] == first) | (c[n] == first);
      const int has_second = (a[n] == second) | (b[n] == second) | (c[n] == second);
      is_nearer |= has_first & has_second & (distance_[n] < distance ? 1 : 0);
    }
    return is_nearer == 0;
  }

  Vector vertex_of(std::int32_t t, int k) const { return triangles_.vertex_of(t, k % 3); }
  /// Whether a near triangle is at a point of an edge only because it has an end of it.
  bool has_near_end(std::int32_t t, int feature, int n, const Vector (&vertex)[3],
                    const Vector& point, double width) const {
    if (feature >= kOfVertex) return false;
    const int edge = feature - kOfEdge;
    for (const int end : {edge, (edge + 1) % 3}) {
      const std::int32_t number = triangles_.corner[end][t];
      bool has = false;
      for (int k = 0; k < 3; ++k) has |= near_corner_[k][n] == number;
      const Vector at = vertex_of(t, end), apart = point - at;
      if (!has || !(dot(apart, apart) <= 4 * width * width)) continue;
      return !goes_along(vertex, at, vertex_of(t, end == edge ? edge + 1 : edge), width);
    }
    return false;
  }
  /// Whether a nearer triangle has the place too, as where vertices lie on edges of others.
  bool goes_on(std::int32_t t, int feature) const {
    const double width = width_of_seams(*mesh_);
    const Vector point{{point_[0][t], point_[1][t], point_[2][t]}};
    for (int n = 0; n < near_count_; ++n) {
      const std::int32_t other = near_[n];
      if (!(distance_[n] < near_distance_[t])) continue;
      const Vector vertex[3] = {vertex_of(other, 0), vertex_of(other, 1), vertex_of(other, 2)};
      if (!is_at_triangle(vertex, point, width)) continue;
      if (!has_near_end(t, feature, n, vertex, point, width)) return true;
    }
    return false;
  }

  BallContact contact_of(std::int32_t t, int feature, std::int64_t key) const {
    Vector away{{0 - point_[0][t], 0 - point_[1][t], 0 - point_[2][t]}};
    if (feature == kOfFace || !(dot(away, away) > 0)) {
      const Vector vertex[3] = {vertex_of(t, 0), vertex_of(t, 1), vertex_of(t, 2)};
      triangle_normal(vertex, away);
      if (mesh_->is_two_sided && dot(away, vertex[0]) > 0) away = -away;
    } else {
      away = unit_of(away);
    }
    const TrianglePlace place{triangles_.number[t], 0, 0, mesh_};
    const double name = lowest_name_in_mesh(place, feature);
    return {t, feature, key, away, 0 - near_distance_[t], name};
  }

  const SurfaceRun<T>& run_;
  std::int32_t id_ = -1;
  const T* row_ = nullptr;
  const MeshView<T>* mesh_ = nullptr;
  Vector axis_[3];
  // Several balls:
  Ball balls_[kMostAsked];
  int ball_count_ = 0;
  Open open_[2][kMostOpen];
  MeshTriangles triangles_;
  alignas(64) double feature_[MeshTriangles::most];
  alignas(64) double near_distance_[MeshTriangles::most];  ///< infinite for far ones
  alignas(64) double below_of_[MeshTriangles::most], point_[3][MeshTriangles::most];
  // One ball, and what is near of its triangles:
  std::int32_t near_[kMostOfBall], near_corner_[3][kMostOfBall];
  double distance_[kMostOfBall];
  int near_count_ = 0;
  BallContacts<T> contacts_;
};

}  // namespace
}  // namespace widephase
