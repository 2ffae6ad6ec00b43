#include "reference/surface.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace widephase::test {

void Surface::connect() {
  normals.clear();
  at_edge.clear();
  at_vertex.assign(vertices.size(), {});
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec<3> across =
        cross(minus(corner(t, 1), corner(t, 0)), minus(corner(t, 2), corner(t, 0)));
    const Real area = length(across);
    normals.push_back(area > 0 ? times(across, 1 / area) : Vec<3>{});
    for (std::size_t k = 0; k < 3; ++k) {
      at_edge[edge_of(t, k)].push_back(t);
      at_vertex[triangles[t][k]].push_back(t);
    }
  }
}

Surface Surface::placed(const Vec<3>& center, const std::array<Vec<3>, 3>& axes) const {
  const auto turned = [&](const Vec<3>& v) {
    return plus(plus(times(axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
  };
  Surface result = *this;
  for (Vec<3>& vertex : result.vertices) vertex = plus(center, turned(vertex));
  for (Vec<3>& normal : result.normals) normal = turned(normal);
  result.up = turned(up);
  return result;
}

Surface Surface::near(const Vec<3>& min, const Vec<3>& max) const {
  std::vector<bool> is_at_vertex(vertices.size(), false);
  for (const Triangle& triangle : triangles) {
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] = std::minmax(
          {vertices[triangle[0]][axis], vertices[triangle[1]][axis], vertices[triangle[2]][axis]});
      meets = meets && low <= max[axis] && high >= min[axis];
    }
    if (!meets) continue;
    for (const std::size_t vertex : triangle) is_at_vertex[vertex] = true;
  }
  Surface result;
  result.vertices = vertices;
  result.up = up;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Triangle& corners = triangles[t];
    if (!is_at_vertex[corners[0]] && !is_at_vertex[corners[1]] && !is_at_vertex[corners[2]]) {
      continue;
    }
    result.triangles.push_back(corners);
    result.numbers.push_back(numbers[t]);
  }
  result.connect();
  return result;
}

Surface Surface::cut_at_vertices(Real width) const {
  Surface cut = *this;
  for (std::size_t t = 0; t < cut.triangles.size();) {
    const Triangle triangle = cut.triangles[t];
    bool is_cut = false;
    for (std::size_t vertex = 0; vertex < vertices.size() && !is_cut; ++vertex) {
      if (at_vertex[vertex].empty() || std::ranges::count(triangle, vertex) > 0) continue;
      for (std::size_t k = 0; k < 3 && !is_cut; ++k) {
        const std::size_t a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
        const Vec<3> along = minus(vertices[b], vertices[a]);
        const Vec<3> to = minus(vertices[vertex], vertices[a]);
        const Real share = dot(to, along) / dot(along, along);
        if (!(share > 0 && share < 1) || length(plus(to, along, -share)) > width) continue;
        if (std::min(share, 1 - share) * length(along) <= 4 * width) continue;
        cut.triangles[t] = {a, vertex, c};
        cut.triangles.push_back({vertex, b, c});
        cut.numbers.push_back(cut.numbers[t]);
        is_cut = true;
      }
    }
    if (!is_cut) ++t;
  }
  cut.connect();
  return cut;
}

std::vector<std::size_t> Surface::asked_at(std::size_t triangle, std::size_t k) const {
  const Edge edge = edge_of(triangle, k);
  const std::vector<std::size_t>& both = at_edge.at(edge);
  if (both.size() != 2) return {triangle};
  const auto runs_up = [&](std::size_t t) {
    for (std::size_t side = 0; side < 3; ++side) {
      if (triangles[t][side] == edge.first && triangles[t][(side + 1) % 3] == edge.second) {
        return true;
      }
    }
    return false;
  };
  if (runs_up(both[0]) == runs_up(both[1])) return {triangle};
  return both;
}

Vec<3> Surface::inward(std::size_t triangle, const Edge& edge) const {
  for (const std::size_t vertex : triangles[triangle]) {
    if (vertex == edge.first || vertex == edge.second) continue;
    const Vec<3> along = direction_between(vertices[edge.first], vertices[edge.second]);
    const Vec<3> to = minus(vertices[vertex], vertices[edge.first]);
    const Vec<3> across = plus(to, along, -dot(along, to));
    const Real size = length(across);
    return size > 0 ? times(across, 1 / size) : Vec<3>{};
  }
  return {};
}

std::vector<Vec<3>> Surface::ring(std::size_t vertex) const {
  std::set<std::size_t> others;
  for (const std::size_t t : at_vertex[vertex]) {
    for (const std::size_t other : triangles[t]) {
      if (other != vertex) others.insert(other);
    }
  }
  std::vector<Vec<3>> directions;
  for (const std::size_t other : others) {
    const Vec<3> along = minus(vertices[other], vertices[vertex]);
    const Real size = length(along);
    if (size > 0) directions.push_back(times(along, 1 / size));
  }
  return directions;
}

Real Surface::slack_at_edge(std::size_t triangle, std::size_t k, const Vec<3>& n) const {
  Real most = -std::numeric_limits<Real>::infinity();
  for (const std::size_t t : asked_at(triangle, k)) {
    most = std::max(most, dot(n, inward(t, edge_of(triangle, k))));
  }
  return most;
}

Real Surface::slack_at_vertex(std::size_t vertex, const Vec<3>& n) const {
  Real most = -std::numeric_limits<Real>::infinity();
  for (const Vec<3>& along : ring(vertex)) most = std::max(most, dot(n, along));
  return most;
}

std::int32_t Surface::lowest_at_edge(const Edge& edge) const {
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t t : at_edge.at(edge)) {
    if (numbers[t] >= 0) lowest = std::min(lowest, numbers[t]);
  }
  return lowest;
}

std::int32_t Surface::lowest_at_vertex(std::size_t vertex) const {
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t t : at_vertex[vertex]) {
    if (numbers[t] >= 0) lowest = std::min(lowest, numbers[t]);
  }
  return lowest;
}

Polytope Surface::core(std::size_t triangle, const Vec<3>& origin) const {
  Polytope result;
  PolytopeFace face{normals[triangle], {0, 1, 2}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    result.corners.push_back(minus(corner(triangle, k), origin));
    const Vec<3> along = direction_between(corner(triangle, k), corner(triangle, (k + 1) % 3));
    face.along.push_back(along);
    result.edges.push_back({k, (k + 1) % 3, along});
    result.directions.push_back(along);
  }
  result.normals.push_back(face.normal);
  result.faces.push_back(face);
  return result;
}

Surface surface_of(const HeightSamples& samples,
                   const std::array<const HeightSamples*, 4>& beyond) {
  using Place = std::pair<long, long>;  // row, column, in cells from our sample (0, 0)
  Surface surface;
  surface.up = {0, 0, 1};
  std::map<Place, std::size_t> vertex_at;
  const auto add = [&](const HeightSamples& field, long first_row, long first_column, bool is_own) {
    for (std::size_t row = 0; row + 1 < field.rows; ++row) {
      for (std::size_t column = 0; column + 1 < field.columns; ++column) {
        const auto vertex = [&](std::size_t i, std::size_t j) {
          const Place place{first_row + static_cast<long>(i), first_column + static_cast<long>(j)};
          const auto [found, is_new] = vertex_at.try_emplace(place, surface.vertices.size());
          if (is_new) {
            surface.vertices.push_back({Real{samples.cell[0]} * place.second,
                                        Real{samples.cell[1]} * place.first, field.at(i, j)});
          }
          return found->second;
        };
        const auto is_hole = [&](std::size_t i, std::size_t j) {
          return std::isnan(field.at(i, j));
        };
        const std::array<std::size_t, 4> corners{vertex(row, column), vertex(row, column + 1),
                                                 vertex(row + 1, column + 1),
                                                 vertex(row + 1, column)};
        if (is_hole(row, column) || is_hole(row + 1, column + 1)) continue;
        for (const std::size_t half : {0u, 1u}) {
          if (half == 0 ? is_hole(row, column + 1) : is_hole(row + 1, column)) continue;
          surface.triangles.push_back(half == 0
                                          ? Surface::Triangle{corners[0], corners[1], corners[2]}
                                          : Surface::Triangle{corners[0], corners[2], corners[3]});
          const std::size_t number = 2 * (row * field.columns + column) + half;
          surface.numbers.push_back(is_own ? static_cast<std::int32_t>(number) : -1);
        }
      }
    }
  };
  add(samples, 0, 0, true);
  if (beyond[0] != nullptr) add(*beyond[0], 0, 1 - static_cast<long>(beyond[0]->columns), false);
  if (beyond[1] != nullptr) add(*beyond[1], 0, static_cast<long>(samples.columns) - 1, false);
  if (beyond[2] != nullptr) add(*beyond[2], 1 - static_cast<long>(beyond[2]->rows), 0, false);
  if (beyond[3] != nullptr) add(*beyond[3], static_cast<long>(samples.rows) - 1, 0, false);
  surface.connect();
  return surface;
}

double height_at(const HeightSamples& samples, double x, double y) {
  const double u = x / samples.cell[0], v = y / samples.cell[1];
  if (!(u >= 0 && v >= 0)) return std::nan("");
  const auto last = [](double at, std::size_t count) {
    return std::min(static_cast<std::size_t>(at), count - 2);
  };
  if (u > static_cast<double>(samples.columns - 1) || v > static_cast<double>(samples.rows - 1)) {
    return std::nan("");
  }
  const std::size_t row = last(v, samples.rows), column = last(u, samples.columns);
  const double s = u - static_cast<double>(column), t = v - static_cast<double>(row);
  const double low = samples.at(row, column), high = samples.at(row + 1, column + 1);
  return s >= t ? low + s * (samples.at(row, column + 1) - low) +
                      t * (high - samples.at(row, column + 1))
                : low + t * (samples.at(row + 1, column) - low) +
                      s * (high - samples.at(row + 1, column));
}

}  // namespace widephase::test
