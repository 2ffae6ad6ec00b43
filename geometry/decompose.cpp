#include <widephase/decompose.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/convex_parts.hpp"
#include "geometry/orientation.hpp"
#include "geometry/outline_sweep.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

constexpr double kLargest = 1e75;
constexpr double kSmallest = 1e-75;
/// Ids of half-edges, at most six per vertex, are int32.
constexpr std::size_t kMostVertices = 300'000'000;

/// A ring without repeated points; `sources` says which of the caller's vertices remain.
struct Ring {
  std::vector<Point2> points;
  std::vector<std::int64_t> sources;
};

void check_offsets(const OutlineSpan& outline) {
  const auto& offsets = outline.ring_offsets;
  const auto count = static_cast<std::int64_t>(outline.vertices.size());
  if (outline.vertices.size() > kMostVertices) {
    throw Error(Finding{"outline.vertices", -1,
                        "has " + number(count) + " rows; expected at most " +
                            number(kMostVertices)});
  }
  if (offsets.size() < 2) {
    throw Error(Finding{"outline.ring_offsets", -1,
                        "has " + number(offsets.size()) +
                            " entries; expected one more than rings, of which there is one at "
                            "least"});
  }
  require_layout("outline.vertices", outline.vertices);
  require_address("outline.ring_offsets", offsets);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t least = i == 0 ? 0 : offsets[i - 1];
    const std::int64_t most = i == 0 ? 0 : count;
    const bool is_last = i + 1 == offsets.size();
    if (offsets[i] >= least && offsets[i] <= most && (!is_last || offsets[i] == count)) continue;
    throw Error(Finding{"outline.ring_offsets", static_cast<std::int64_t>(i),
                        "is " + number(offsets[i]) +
                            "; offsets begin with 0, do not fall and end with the number of "
                            "vertices, " +
                            number(count)});
  }
}

double checked(double value, std::int64_t ring, std::int64_t vertex) {
  if (!std::isfinite(value) || std::abs(value) > kLargest) {
    throw OutlineError(ring, vertex,
                       "has the coordinate " + number(value) +
                           "; coordinates must be finite and at most 1e75 in size");
  }
  return std::abs(value) < kSmallest ? 0 : value;
}

Ring read_ring(const OutlineSpan& outline, std::int64_t ring_index, DecomposeReport& report) {
  const auto first = static_cast<std::size_t>(outline.ring_offsets[ring_index]);
  const auto last = static_cast<std::size_t>(outline.ring_offsets[ring_index + 1]);
  Ring ring;
  ring.points.reserve(last - first);
  ring.sources.reserve(last - first);
  for (std::size_t row = first; row < last; ++row) {
    const auto vertex = static_cast<std::int64_t>(row - first);
    const Point2 point{checked(outline.vertices(row, 0), ring_index, vertex),
                       checked(outline.vertices(row, 1), ring_index, vertex)};
    if (!ring.points.empty() && ring.points.back() == point) {
      ++report.duplicate_points;
      continue;
    }
    ring.points.push_back(point);
    ring.sources.push_back(vertex);
  }
  if (ring.points.size() > 1 && ring.points.front() == ring.points.back()) {
    ++report.closing_points;
    ring.points.pop_back();
    ring.sources.pop_back();
  }
  return ring;
}

/// Twice the signed area, and its exact sign. Coordinates are not moved to an origin nearby, since
/// that would round them.
struct DoubledArea {
  double value = 0;
  int sign = 0;
};

DoubledArea doubled_area(const std::vector<Point2>& points) {
  // Enough for any ring: terms do not overlap, and products span fewer than 1,200 bits.
  double terms[1200];
  int count = 0;
  const auto add_product = [&](double p, double q) {
    const TwoTerms product = two_product(p, q);
    count = add_exactly(terms, count, product.low);
    count = add_exactly(terms, count, product.high);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point2 a = points[i];
    const Point2 b = points[i + 1 == points.size() ? 0 : i + 1];
    add_product(a.x, b.y);
    add_product(-a.y, b.x);
  }
  DoubledArea area{0, sign_of_sum(terms, count)};
  for (int i = 0; i < count; ++i) area.value += terms[i];
  return area;
}

bool is_before(Point2 a, Point2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

class Decomposition {
 public:
  explicit Decomposition(const OutlineSpan& outline) {
    check_offsets(outline);
    const auto ring_count = static_cast<std::int64_t>(outline.ring_offsets.size()) - 1;
    for (std::int64_t ring = 0; ring < ring_count; ++ring) {
      add_ring(ring, read_ring(outline, ring, report_));
    }
  }

  DecomposeReport run(GeometryTable<Owned<2, double>>& parts) {
    OutlineSweep sweep(sorted_input(), report_);
    sweep.run();
    TriangleMesh mesh = sweep.take_mesh();
    if (mesh.size() == 0) {
      throw OutlineError(0, -1, "encloses no area; an outline needs an inside");
    }
    make_delaunay(sweep.points(), mesh);
    ConvexParts convex(sweep.points(), std::move(mesh));
    convex.join();
    report_.area = doubled_ / 2;
    convex.append_to(parts, report_);
    return report_;
  }

 private:
  void add_ring(std::int64_t index, const Ring& ring) {
    if (index == 0 && ring.points.size() < 3) {
      throw OutlineError(
          0, -1,
          "has " + number(ring.points.size()) + " points that differ; a ring needs three");
    }
    const DoubledArea area = doubled_area(ring.points);
    // A hole without area still goes through the sweep if it has edges: they must cancel.
    if (index > 0 && area.sign == 0) ++report_.dropped_rings;
    if (ring.points.size() < 2) return;
    const int wanted = index == 0 ? 1 : -1;
    const bool is_turned = area.sign == -wanted;
    report_.turned_rings += is_turned;
    doubled_ += wanted * std::abs(area.value);
    const auto first = static_cast<std::int32_t>(points_.size());
    const auto count = static_cast<std::int32_t>(ring.points.size());
    points_.insert(points_.end(), ring.points.begin(), ring.points.end());
    for (std::int32_t i = 0; i < count; ++i) {
      edges_.push_back({first + i,
                        first + (i + 1) % count,
                        is_turned ? -1 : 1,
                        {static_cast<std::int32_t>(index), ring.sources[i]}});
    }
  }

  SweepInput sorted_input() {
    std::vector<std::int32_t> order(points_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return is_before(points_[a], points_[b]); });
    SweepInput input;
    std::vector<std::int32_t> id(points_.size());
    for (const std::int32_t index : order) {
      if (input.points.empty() || !(input.points.back() == points_[index])) {
        input.points.push_back(points_[index]);
      }
      id[index] = static_cast<std::int32_t>(input.points.size()) - 1;
    }
    input.edges = std::move(edges_);
    for (SweepInput::Edge& edge : input.edges) {
      edge.left = id[edge.left];
      edge.right = id[edge.right];
      if (edge.left < edge.right) continue;
      std::swap(edge.left, edge.right);
      edge.winding = -edge.winding;
    }
    return input;
  }

  std::vector<Point2> points_;
  std::vector<SweepInput::Edge> edges_;  ///< from `left` to `right` along the ring
  DecomposeReport report_;
  double doubled_ = 0;
};

}  // namespace

DecomposeReport decompose(const OutlineSpan& outline, GeometryTable<Owned<2, double>>& parts) {
  return Decomposition(outline).run(parts);
}

}  // namespace widephase
