#include "tools/pictures/picture_fields.hpp"

#include <algorithm>
#include <cmath>

namespace widephase::tools {

namespace {

constexpr std::int32_t kMostCells = 96;
constexpr std::size_t kMostTriangles = 20000;
constexpr int kShades = 12;

struct Cell {
  double nearness = 0;
  std::array<Point, 4> corners{};
  int shade = 0;
  std::size_t number = 0;
};

double dot(const Point& p, const Point& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }

/// False for holes, and for cells of a field that are seen from below.
bool place(const DrawnShape& shape, const Point& toward, Cell& cell) {
  for (Point& at : cell.corners) {
    if (!std::isfinite(at[2])) return false;
    at = placed(shape, at);
    cell.nearness += dot(toward, at) / 4;
  }
  Point u, v;
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = cell.corners[2][k] - cell.corners[0][k];
    v[k] = cell.corners[3][k] - cell.corners[1][k];
  }
  Point normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  if (shape.mesh != nullptr && dot(normal, toward) < 0) {
    for (double& x : normal) x = -x;
  }
  if (!(dot(normal, toward) > 0)) return false;
  // Light from above and from the left, in a few steps, so that neighbours share a path.
  const double light =
      (0.8 * normal[2] - 0.5 * normal[0] + 0.3 * normal[1]) / std::sqrt(dot(normal, normal));
  cell.shade = static_cast<int>(kShades * std::clamp(light, 0.0, 1.0));
  return true;
}

std::vector<Cell> seen_triangles(const DrawnShape& shape, const Point& toward) {
  const DrawnMesh& mesh = *shape.mesh;
  const std::size_t step = mesh.triangle_count() / kMostTriangles + 1;
  std::vector<Cell> seen;
  for (std::size_t t = 0; t < mesh.triangle_count(); t += step) {
    Cell cell;
    for (std::size_t k = 0; k < 4; ++k)
      cell.corners[k] = mesh.corner(t, std::min<std::size_t>(k, 2));
    cell.number = seen.size();
    if (place(shape, toward, cell)) seen.push_back(cell);
  }
  return seen;
}

std::vector<Cell> seen_cells(const DrawnShape& shape, const Point& toward) {
  const DrawnField& field = *shape.field;
  const std::int32_t cells = std::max(field.rows, field.columns) - 1;
  const std::int32_t step = (cells + kMostCells - 1) / kMostCells;
  std::vector<Cell> seen;
  for (std::int32_t row = 0; row + 1 < field.rows; row += step) {
    for (std::int32_t column = 0; column + 1 < field.columns; column += step) {
      const std::int32_t next_row = std::min(row + step, field.rows - 1);
      const std::int32_t next_column = std::min(column + step, field.columns - 1);
      Cell cell;
      cell.corners = {field.sample(row, column), field.sample(row, next_column),
                      field.sample(next_row, next_column), field.sample(next_row, column)};
      cell.number = seen.size();
      if (place(shape, toward, cell)) seen.push_back(cell);
    }
  }
  return seen;
}

}  // namespace

void draw_field(const DrawnShape& shape, const Point& toward,
                const std::function<std::array<double, 2>(const Point&)>& on_page, Svg& svg) {
  std::vector<Cell> seen =
      shape.mesh != nullptr ? seen_triangles(shape, toward) : seen_cells(shape, toward);
  std::sort(seen.begin(), seen.end(), [](const Cell& a, const Cell& b) {
    return a.nearness != b.nearness ? a.nearness < b.nearness : a.number < b.number;
  });
  svg.add("<g class=\"field\" stroke-width=\".4\" stroke-linejoin=\"round\">\n");
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (i == 0 || seen[i].shade != seen[i - 1].shade) {
      const double share = static_cast<double>(seen[i].shade) / kShades;
      const std::string color = hex(mix({116, 122, 112}, {236, 238, 230}, share));
      svg.add("{0}<path fill=\"{1}\" stroke=\"{1}\" d=\"", i == 0 ? "" : "\"/>\n", color);
    }
    std::vector<double> corners;
    for (const Point& at : seen[i].corners) {
      const auto [x, y] = on_page(at);
      corners.insert(corners.end(), {x, y});
    }
    svg.polygon_path(corners.data(), corners.size() / 2);
  }
  svg.add("{}</g>\n", seen.empty() ? "" : "\"/>\n");
}

}  // namespace widephase::tools
