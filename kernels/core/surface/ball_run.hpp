#pragma once

// sphere_heightfield: the triangles near a ball in lanes, in double.
// Normal, depth, point and features: as surface_search.hpp finds them, to the bit.
// Left to that search: balls with several contacts, deeper than their radius, with their centre on
// the surface, beside a neighbour or near many triangles.
// Cost: about 12 ns for a ball above the ground, 100 to 200 for one that touches it.

#include "kernels/core/surface/surface_search.hpp"
#include "kernels/core/surface/triangle_lanes.hpp"

namespace widephase {
namespace {

template <class T>
class BallRun {
 public:
  explicit BallRun(const SurfaceRun<T>& run) : run_(run) {}

  /// Pairs from `begin` on, until one is left to the search or the room is full.
  SurfaceAnswer<T> find(std::int64_t begin, const SurfaceRoom& room) {
    SurfaceAnswer<T> answer{nullptr, 0, 0, 0, 0};
    Arena arena(room);
    SurfacePatch<T>* const patches = arena.template take<SurfacePatch<T>>(kMostPatches);
    std::int32_t* const pairs = arena.template take<std::int32_t>(kMostPatches);
    if (patches == nullptr || pairs == nullptr) return {nullptr, 0, 0, 0, arena.used()};
    answer.patches = patches;
    answer.pair = pairs;
    answer.end = begin;
    for (; answer.end < run_.pairs.count && answer.count + kMostContacts <= kMostPatches;
         ++answer.end) {
      const int found = find_one(run_.pairs.pairs[answer.end], patches + answer.count);
      if (found == kLeft) break;
      for (int k = 0; k < found; ++k) {
        pairs[answer.count++] = static_cast<std::int32_t>(answer.end - begin);
      }
    }
    return answer;
  }

 private:
  static constexpr int kMostPatches = 64, kMostContacts = 8;
  static constexpr int kLeft = -1;  ///< to the search
  static constexpr int kMostCells = CellTriangles::most / 2;

  /// A place that is nearest on all triangles that have it. Each triangle finds it alike, so the
  /// first one's stays.
  struct BallContact {
    std::int32_t triangle;
    int feature;
    std::int64_t key;  ///< of an edge or vertex; below 0 for faces
    Vector away;
    double depth;
    double name;
  };

  /// A field's axes and sizes stay for the pairs after it.
  void set_field(std::int32_t id) {
    field_id_ = id;
    field_row_ = run_.pairs.rows_b + std::ptrdiff_t{id} * 16;
    find_axes(field_row_, axis_);
    number_ = integer_in(field_row_[7]);
    field_ = &run_.fields[number_];
    has_neighbours_ = false;
    for (const std::int32_t other : field_->neighbours) has_neighbours_ |= other >= 0;
  }
  Vector to_scene(const Vector& v) const {
    return scaled(axis_[0], v[0]) + scaled(axis_[1], v[1]) + scaled(axis_[2], v[2]);
  }

  /// The number of patches, or `kLeft`.
  int find_one(const Pair& pair, SurfacePatch<T>* patches) {
    const bool is_ascending = pair.a < pair.b;
    const Pair own = is_ascending ? pair : Pair{pair.b, pair.a};
    if (own.b != field_id_) set_field(own.b);
    const T* const row = run_.pairs.rows_a + std::ptrdiff_t{own.a} * 4;
    const Vector apart = from_field(run_.pairs, own, row, field_row_, rest_);
    for (int k = 0; k < 3; ++k) centre_[k] = dot(axis_[k], apart);
    const double square = dot(centre_, centre_);
    radius_ = double(row[3]);
    margin_ = double(run_.pairs.margin);
    if (run_.pairs.margins != nullptr) {
      margin_ += double(run_.pairs.margins[own.a]) + double(run_.pairs.margins[own.b]);
    }
    limit_ = margin_ + radius_;
    limit_ += 4 * double(kRounding<T>) * limit_;
    if (!(square - square == 0) || !(limit_ > 0)) return kLeft;
    const double low = centre_[2] - limit_;
    if (low > double(field_->high) && !has_neighbours_) return 0;
    if (const int cells = find_cells(); cells <= 0) return cells;
    if (!is_near(low)) return 0;
    below_ = find_below();
    if (below_ > limit_ || cells_.count() > kMostCells) return kLeft;
    list_triangles();
    if (triangles_.count == 0) return below_ > 0 ? kLeft : 0;
    if (!measure()) return kLeft;
    if (!(below_ > 0 ? add_nearest_face() : add_felt())) return kLeft;
    if (contact_count_ > 1 && !sort_contacts()) return kLeft;
    for (int c = 0; c < contact_count_; ++c) write(contacts_[c], patches[c]);
    return contact_count_;
  }

  /// Cells that the ball's bounds meet, or touch to rounding. 1: some, 0: none.
  int find_cells() {
    std::int32_t* const from[2] = {&cells_.column, &cells_.row};
    std::int32_t* const to[2] = {&cells_.end_column, &cells_.end_row};
    const std::int32_t ends[2] = {field_->columns - 1, field_->rows - 1};
    for (int k = 0; k < 2; ++k) {
      const double size = double(field_->cell[k]), end = double(ends[k]);
      const double a = (centre_[k] - limit_) / size, b = (centre_[k] + limit_) / size;
      const double rounding = 1e-12 * (magnitude(a) + magnitude(b));
      const double first = a - rounding, last = b + rounding;
      if (has_neighbours_ && (!(first > 0) || !(last < end))) return kLeft;
      if (!(last >= 0) || !(first <= end)) return 0;
      const std::int32_t floor = first > 0 ? static_cast<std::int32_t>(first) : 0;
      *from[k] = floor < ends[k] ? floor : ends[k] - 1;
      *to[k] = last < end ? static_cast<std::int32_t>(last) + 1 : ends[k];
    }
    return 1;
  }

  /// Whether a sample of the cells is as high as the ball's lowest point.
  bool is_near(double low) const {
    T least = static_cast<T>(low);
    least -= 4 * kRounding<T> * magnitude(least);
    for (std::int32_t row = cells_.row; row <= cells_.end_row; ++row) {
      const T* const heights = field_->heights + std::ptrdiff_t{row} * field_->columns;
      bool is = false;
      for (std::int32_t col = cells_.column; col <= cells_.end_column; ++col) {
        is |= heights[col] >= least;
      }
      if (is) return true;
    }
    return false;
  }

  /// How far the centre is below the surface; 0 above it, over holes and beside the field.
  double find_below() const {
    const double x = centre_[0] / double(field_->cell[0]), y = centre_[1] / double(field_->cell[1]);
    if (!(x >= 0 && y >= 0 && x <= field_->columns - 1 && y <= field_->rows - 1)) return 0;
    TrianglePlace at{static_cast<std::int32_t>(y), static_cast<std::int32_t>(x), 0};
    if (at.row == field_->rows - 1) --at.row;
    if (at.col == field_->columns - 1) --at.col;
    at.half = x - at.col >= y - at.row ? 0 : 1;
    Vector vertex[3], normal;
    const FieldTriangles<T> surface(run_.fields, number_, centre_);
    if (!surface.vertices(at, vertex) || !triangle_normal(vertex, normal)) return 0;
    const double below = dot(normal, vertex[0]);
    return below > 0 ? below : 0;
  }

  void list_triangles() {
    triangles_.count = 0;
    const double low = 0 - limit_;
    std::int32_t place = 0;
    for (std::int32_t row = cells_.row; row < cells_.end_row; ++row) {
      const T* const near = field_->heights + std::ptrdiff_t{row} * field_->columns;
      const T* const far = near + field_->columns;
      const double y0 = double(row) * double(field_->cell[1]) - centre_[1];
      const double y1 = double(row + 1) * double(field_->cell[1]) - centre_[1];
      for (std::int32_t col = cells_.column; col < cells_.end_column; ++col) {
        const double from = double(near[col]) - centre_[2];
        const double to = double(far[col + 1]) - centre_[2];
        const double x0 = double(col) * double(field_->cell[0]) - centre_[0];
        const double x1 = double(col + 1) * double(field_->cell[0]) - centre_[0];
        const bool is_diagonal_near = from >= low || to >= low;
        for (int half = 0; half < 2; ++half, ++place) {
          nearest_at_[place] = kInfinite<double>;
          const double beside = double(half == 0 ? near[col + 1] : far[col]) - centre_[2];
          const double sum = (from + to) + beside;
          if (!(sum - sum == 0) || !(is_diagonal_near || beside >= low)) continue;
          const std::int32_t t = triangles_.count++;
          triangles_.x[0][t] = x0;
          triangles_.x[1][t] = x1;
          triangles_.y[0][t] = y0;
          triangles_.y[1][t] = y1;
          triangles_.z[0][t] = from;
          triangles_.z[1][t] = half == 0 ? beside : to;
          triangles_.z[2][t] = half == 0 ? to : beside;
          triangles_.half[t] = double(half);
          place_[t] = {row, col, half};
          index_[t] = place;
        }
      }
    }
  }

  /// Measures the listed triangles. False if one is for the search.
  bool measure() {
    triangles_.pad();
    using F = Batch<double>;
    const F zero(0), limit(limit_);
    for (std::int32_t first = 0; first < triangles_.count; first += CellTriangles::lanes) {
      const TriangleLanes<F> triangle(triangles_, first);
      const Vec<F, 3>* const v = triangle.vertex;
      const Vec<F, 3> across = cross(v[1] - v[0], v[2] - v[0]);
      const F size = sqrt(dot(across, across));
      const Vec<F, 3> normal = across / size;
      const F below = dot(normal, v[0]);
      const NearestLanes<F> nearest = nearest_to_origin(triangle, across);
      auto is_over = below >= zero;
      for (int k = 0; k < 3; ++k) {
        const Vec<F, 3>&a = v[k], &b = v[(k + 1) % 3];
        const F x = b[0] - a[0], y = b[1] - a[1];
        const F from_x = negate(a[0]), from_y = negate(a[1]);
        const F side = x * from_y - y * from_x;
        const F extent = (abs(x) + abs(y)) * (abs(from_x) + abs(from_y));
        is_over = is_over & (side >= F(-1e-14) * extent);
      }
      F distance = sqrt(nearest.distance2);
      const F above = negate(below);
      const auto is_plane = (below < zero) & (distance <= above);
      const F feature = select(is_plane, F(kOfFace), nearest.feature);
      const auto is_face = feature == F(kOfFace);
      distance = select(is_face, abs(below), distance);
      const auto is_near = (below >= negate(limit)) & (distance <= limit);
      const auto is_odd = !(size > zero) | (nearest.is_unclear & is_near & !is_over);
      if (any<F>(is_odd)) return false;
      store(feature_ + first, select(is_over, F(kHit), select(is_near, feature, F(kFar))));
      store(distance_ + first, distance);
      store(below_of_ + first, below);
      for (int k = 0; k < 3; ++k) {
        store(normal_[k] + first, normal[k]);
        store(point_[k] + first, nearest.point[k]);
      }
    }
    return true;
  }

  /// A ball whose centre is below leaves by the nearest face.
  bool add_nearest_face() {
    contact_count_ = 0;
    std::int32_t best = -1;
    double least = kInfinite<double>;
    for (std::int32_t t = 0; t < triangles_.count; ++t) {
      const bool is_behind = feature_[t] == kOfFace && below_of_[t] > 0;
      if (!(is_behind || feature_[t] == kHit) || !(below_of_[t] < least)) continue;
      least = below_of_[t];
      best = t;
    }
    if (best < 0) return false;
    add(best, kOfFace, -1, least);
    return true;
  }

  /// Places that no triangle of theirs is nearer than. False if the search must tell.
  bool add_felt() {
    contact_count_ = 0;
    for (std::int32_t t = 0; t < triangles_.count; ++t) {
      if (feature_[t] == kHit) return false;
      if (feature_[t] != kFar) nearest_at_[index_[t]] = distance_[t];
    }
    for (std::int32_t t = 0; t < triangles_.count; ++t) {
      if (feature_[t] == kFar || !(0 - distance_[t] >= 0 - margin_ - radius_)) continue;
      const auto feature = static_cast<int>(feature_[t]);
      std::int64_t key = -1;
      if (feature != kOfFace) {
        if (!is_felt(t)) continue;
        if (!(point_[2][t] <= 0)) return false;  // from below only borders are felt
        key = key_of(place_[t], feature);
        bool is_known = false;
        for (int c = 0; c < contact_count_; ++c) is_known |= contacts_[c].key == key;
        if (is_known) continue;
      } else if (!(below_of_[t] <= 0)) {
        continue;
      }
      if (contact_count_ == kMostContacts) return false;
      add(t, feature, key, 0 - distance_[t]);
    }
    return true;
  }
  void add(std::int32_t t, int feature, std::int64_t key, double depth) {
    const Vector normal{{normal_[0][t], normal_[1][t], normal_[2][t]}};
    const Vector from{{0 - point_[0][t], 0 - point_[1][t], 0 - point_[2][t]}};
    const FieldTriangles<T> surface(run_.fields, number_, centre_);
    contacts_[contact_count_++] = {t,
                                   feature,
                                   key,
                                   feature == kOfFace ? normal : unit_or(from, normal),
                                   depth,
                                   lowest_name(surface, place_[t], feature)};
  }

  /// Patches of one place each, ascending by their part. False if several places are one patch.
  bool sort_contacts() {
    for (int c = 1; c < contact_count_; ++c) {
      for (int d = 0; d < c; ++d) {
        if (dot(contacts_[c].away, contacts_[d].away) >= run_.patch_cosine) return false;
      }
    }
    if (run_.most_patches > 0 && run_.most_patches < contact_count_) return false;
    const auto comes_before = [](const BallContact& a, const BallContact& b) {
      const auto x = static_cast<std::int32_t>(a.name / kTriangleStep);
      const auto y = static_cast<std::int32_t>(b.name / kTriangleStep);
      if (x != y) return x < y;
      return a.depth != b.depth ? a.depth > b.depth : a.triangle < b.triangle;
    };
    for (int c = 1; c < contact_count_; ++c) {
      for (int d = c; d > 0 && comes_before(contacts_[d], contacts_[d - 1]); --d) {
        const BallContact other = contacts_[d];
        contacts_[d] = contacts_[d - 1];
        contacts_[d - 1] = other;
      }
    }
    return true;
  }

  /// The edge or vertex, whichever triangle names it.
  std::int64_t key_of(const TrianglePlace& at, int feature) const {
    SamplePlace sample{at.row, at.col};
    int type = 3;
    if (feature >= kOfVertex) {
      sample = sample_of(at, feature - kOfVertex);
    } else {
      // The edge's first sample, and whether it leads along x, along y or across.
      type = feature == kOfEdge + 1 ? at.half == 0 ? 1 : 0
             : (feature == kOfEdge) == (at.half == 0) ? (at.half == 0 ? 0 : 1)
                                                      : 2;
      if (feature == kOfEdge + 1) ++(at.half == 0 ? sample.col : sample.row);
    }
    return (std::int64_t{sample.row} * (field_->columns + 1) + sample.col) * 4 + type;
  }
  bool is_felt(std::int32_t t) const {
    const auto feature = static_cast<int>(feature_[t]);
    if (feature < kOfVertex) {
      return !is_nearer(across_edge(place_[t], feature - kOfEdge).place, distance_[t]);
    }
    const SamplePlace sample = sample_of(place_[t], feature - kOfVertex);
    for (int k = 0; k < kTrianglesAround; ++k) {
      if (is_nearer(around_sample(sample, k).place, distance_[t])) return false;
    }
    return true;
  }
  bool is_nearer(const TrianglePlace& at, double than) const {
    const std::int32_t row = at.row - cells_.row, col = at.col - cells_.column;
    const std::int32_t columns = cells_.end_column - cells_.column;
    if (row < 0 || col < 0 || at.row >= cells_.end_row || col >= columns) return false;
    return nearest_at_[(row * columns + col) * 2 + at.half] < than;
  }

  /// Writes a patch as `SurfaceSearch` does.
  void write(const BallContact& contact, SurfacePatch<T>& patch) const {
    const Vector normal = to_scene(contact.away);
    for (int k = 0; k < 3; ++k) patch.normal[k] = static_cast<T>(0 - normal[k]);
    patch.depth = static_cast<T>(radius_ + contact.depth);
    patch.status = contact.depth == 0 ? 1 : 0;
    patch.point_count = run_.pairs.question == Question::points ? 1 : 0;
    SurfacePoint<T>& point = patch.points[0];
    const Vector offset = to_scene(Vector{{0, 0, 0}} - scaled(contact.away, radius_)) + rest_;
    for (int k = 0; k < 3; ++k) point.offset[k] = offset[k];
    point.depth = patch.depth;
    point.part = static_cast<std::int32_t>(contact.name / kTriangleStep);
    point.feature = static_cast<std::uint32_t>(contact.name - double(point.part) * kTriangleStep);
  }

  static constexpr double kFar = -1, kHit = 16;  // beside features

  const SurfaceRun<T>& run_;
  std::int32_t field_id_ = -1, number_ = 0;
  const T* field_row_ = nullptr;
  const HeightfieldView<T>* field_ = nullptr;
  bool has_neighbours_ = false;
  Vector axis_[3];
  // Of the ball that is searched.
  Vector centre_;  ///< in the field's frame
  Vector rest_;
  double radius_, margin_, limit_, below_;
  BallContact contacts_[kMostContacts];
  int contact_count_;
  CellRange cells_;
  CellTriangles triangles_;
  TrianglePlace place_[CellTriangles::most];
  std::int32_t index_[CellTriangles::most];   ///< by cell and half
  double nearest_at_[CellTriangles::most];  ///< the same
  alignas(64) double feature_[CellTriangles::most], distance_[CellTriangles::most];
  alignas(64) double below_of_[CellTriangles::most];
  alignas(64) double normal_[3][CellTriangles::most], point_[3][CellTriangles::most];
};

}  // namespace
}  // namespace widephase
