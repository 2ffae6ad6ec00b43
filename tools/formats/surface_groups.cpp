#include "tools/formats/surface_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include <widephase/meshes.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/hull_groups.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

using Point = std::array<double, 3>;

/// For each point the first that is equal to it; 0 and -0 are equal.
std::vector<std::int32_t> first_equal(const std::vector<Point>& points) {
  std::vector<std::int32_t> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](std::int32_t i) -> const Point& {
    return points[static_cast<std::size_t>(i)];
  };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return at(a) < at(b) || (at(a) == at(b) && a < b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_same = i > 0 && at(order[i]) == at(order[i - 1]);
    first[static_cast<std::size_t>(order[i])] =
        is_same ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return first;
}

/// Finds points within a distance, by cells of that size.
class Cells {
 public:
  explicit Cells(double size) : size_(size) {}

  /// The lowest point added that is within the size of `point`; -1 if there is none.
  std::int32_t find(const std::vector<Point>& points, const Point& point) const {
    std::int32_t lowest = -1;
    const Point middle = cell_of(point);
    for (int n = 0; n < 27; ++n) {
      const Point cell{middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
      const auto found = cells_.find(cell);
      if (found == cells_.end()) continue;
      for (const std::int32_t other : found->second) {
        const Point& p = points[static_cast<std::size_t>(other)];
        const double distance = std::hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
        if (distance <= size_ && (lowest < 0 || other < lowest)) lowest = other;
      }
    }
    return lowest;
  }

  /// Points that stay are farther apart than the size, so a cell has few.
  void add(const Point& point, std::int32_t number) { cells_[cell_of(point)].push_back(number); }

 private:
  struct Hash {
    std::size_t operator()(const Point& cell) const {
      std::uint64_t bits = 0;
      for (const double place : cell) {
        bits = (bits ^ std::hash<double>()(place)) * 0x9e3779b97f4a7c15;
        bits ^= bits >> 29;
      }
      return bits;
    }
  };
  Point cell_of(const Point& point) const {
    Point cell;
    for (std::size_t k = 0; k < 3; ++k) cell[k] = std::floor(point[k] / size_);
    return cell;
  }

  double size_;
  std::unordered_map<Point, std::vector<std::int32_t>, Hash> cells_;
};

/// Lets `first` name the point that each one is united with.
void weld_points(const std::vector<Point>& points, double weld, std::vector<std::int32_t>& first,
                 Welded& welded) {
  // Above, cells are no longer told apart.
  constexpr double kMostCells = 0x1p52;
  Cells cells(weld);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    const auto number = static_cast<std::int32_t>(i);
    if (first[i] != number) {
      first[i] = first[static_cast<std::size_t>(first[i])];
      continue;
    }
    for (const double value : point) {
      if (std::fabs(value) < weld * kMostCells) continue;
      throw UsageError(fmt::format("{} is too small for a vertex at {}; leave it out",
                                   option("weld", fmt::format("{}", weld)), value));
    }
    const std::int32_t other = cells.find(points, point);
    if (other < 0) {
      cells.add(point, number);
      continue;
    }
    first[i] = other;
    const Point& to = points[static_cast<std::size_t>(other)];
    welded.farthest =
        std::max(welded.farthest, std::hypot(to[0] - point[0], to[1] - point[1], to[2] - point[2]));
    ++welded.united;
  }
}

}  // namespace

void add_surface(MeshTable<Owned<3, double>>& meshes, const MeshGroup& group,
                 std::optional<double> weld, Welded& welded) {
  std::vector<std::int32_t> first = first_equal(group.points);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == static_cast<std::int32_t>(i)) ++welded.vertices;
  }
  if (weld) weld_points(group.points, *weld, first, welded);
  Column<double, 3> vertices;
  Column<std::int32_t, 3> indices;
  std::vector<std::int32_t> number_of(group.points.size(), -1);
  for (const std::array<std::int32_t, 3>& triangle : group.triangles) {
    std::array<std::int32_t, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = first[static_cast<std::size_t>(triangle[c])];
    }
    const bool has_three =
        corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
    if (weld && !has_three) {
      ++welded.collapsed;
      continue;
    }
    for (std::int32_t& corner : corners) {
      std::int32_t& number = number_of[static_cast<std::size_t>(corner)];
      if (number < 0) {
        number = static_cast<std::int32_t>(vertices.size());
        vertices.push_back(group.points[static_cast<std::size_t>(corner)]);
      }
      corner = number;
    }
    indices.push_back(corners);
  }
  add_mesh(meshes, vertices.span(), indices.span());
}

std::string welded_text(const std::string& path, double weld, const Welded& welded) {
  return fmt::format(
      "{}: welding within {} united {} of {}, which moved by at most {:.3g}, and "
      "left out {}",
      path, weld, grouped(welded.united),
      welded.vertices == 1 ? "1 vertex" : grouped(welded.vertices) + " vertices", welded.farthest,
      counted(welded.collapsed, "triangle"));
}

SceneFile scene_of_surfaces(const std::string& path, const std::vector<MeshGroup>& groups,
                            std::optional<double> weld, std::vector<std::string>& notes) {
  if (groups.empty()) throw FileError(path, "has no faces; expected a group of them for each mesh");
  SceneColumns<3, double> scene;
  Welded welded;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    try {
      add_surface(scene.mesh_geometries, groups[i], weld, welded);
    } catch (const Error& error) {
      throw refused_group(path, groups[i], i, error);
    }
    scene.meshes.center.push_back({0, 0, 0});
    scene.meshes.turn.push_back({0, 0, 0, 1});
    scene.meshes.geometry.push_back({static_cast<std::int32_t>(i)});
  }
  if (weld) notes.push_back(welded_text(path, *weld, welded));
  return SceneFile::of(path, scene);
}

}  // namespace widephase::tools
