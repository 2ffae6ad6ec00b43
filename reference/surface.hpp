#pragma once

// Surfaces of triangles with shared vertices, and which directions they have at each feature.
//
// A direction n from the surface is felt at a face if it is the face's normal. At an edge it is
// felt if it has no component along the direction that leads from the edge into any triangle at
// the edge. At a vertex it is felt if it has none along any edge that leaves the vertex. For a
// convex shape apart from the surface these are the local minima of the distance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "reference/polytope.hpp"
#include "reference/vec.hpp"

namespace widephase::test {

/// A grid of heights in its own frame. Sample (row, column) is at (column * cell[0],
/// row * cell[1], height). A height that is NaN makes holes of all triangles at the sample.
struct HeightSamples {
  std::size_t rows = 2;
  std::size_t columns = 2;
  std::array<double, 2> cell{1, 1};
  std::vector<double> heights;  ///< row by row

  double& at(std::size_t row, std::size_t column) { return heights[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return heights[row * columns + column]; }
};

/// Samples of `height(x, y)`, where x and y are columns and rows times `cell`.
template <class Height>
HeightSamples height_samples(std::size_t rows, std::size_t columns, std::array<double, 2> cell,
                             Height&& height) {
  HeightSamples samples{rows, columns, cell, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      samples.heights.push_back(
          height(static_cast<double>(column) * cell[0], static_cast<double>(row) * cell[1]));
    }
  }
  return samples;
}

struct Surface {
  /// Corners of a triangle as indices of vertices, counter-clockwise when seen from the front.
  using Triangle = std::array<std::size_t, 3>;
  using Edge = std::pair<std::size_t, std::size_t>;  ///< two vertices, the lower first

  std::vector<Vec<3>> vertices;
  std::vector<Triangle> triangles;
  /// The number by which answers name a triangle; ascending. -1: it lies beyond a border, where it
  /// takes part in what is felt and meets nothing itself.
  std::vector<std::int32_t> numbers;
  /// If the surface is the upper side of a height field, endless downwards, the unit vector up. No
  /// direction that leads down takes a shape off such a solid. Otherwise 0.
  Vec<3> up{};

  std::vector<Vec<3>> normals;                       ///< by triangle; 0 if it has no area
  std::map<Edge, std::vector<std::size_t>> at_edge;  ///< triangles
  std::vector<std::vector<std::size_t>> at_vertex;   ///< triangles

  /// Fills what is derived from vertices and triangles.
  void connect();
  /// Rotated so that its axes become `axes`, then moved so that its origin is at `center`.
  Surface placed(const Vec<3>& center, const std::array<Vec<3>, 3>& axes) const;
  /// Without the triangles whose bounds are apart from a box, except those that share a vertex
  /// with one that is not. Vertices keep their indices.
  Surface near(const Vec<3>& min, const Vec<3>& max) const;
  /// The same surface with every triangle cut at the vertices of others that are on its edges, to a
  /// length: both sides of every edge have its vertices. Numbers repeat.
  Surface cut_at_vertices(Real width) const;

  Edge edge_of(std::size_t triangle, std::size_t k) const {
    const std::size_t i = triangles[triangle][k], j = triangles[triangle][(k + 1) % 3];
    return {std::min(i, j), std::max(i, j)};
  }
  const Vec<3>& corner(std::size_t triangle, std::size_t k) const {
    return vertices[triangles[triangle][k]];
  }
  /// The triangles that an edge of a triangle asks: both, or itself alone at a border. An edge with
  /// other than two triangles, or which two run along in the same direction, is a border.
  std::vector<std::size_t> asked_at(std::size_t triangle, std::size_t k) const;
  bool is_border(std::size_t triangle, std::size_t k) const {
    return asked_at(triangle, k).size() == 1;
  }
  /// The unit direction from the line of an edge to the third corner of a triangle at it.
  Vec<3> inward(std::size_t triangle, const Edge& edge) const;
  /// Unit directions from a vertex to its neighbours.
  std::vector<Vec<3>> ring(std::size_t vertex) const;

  /// The largest component of the unit direction `n` along what leads away from an edge or a
  /// vertex: at most 0 where `n` is felt.
  Real slack_at_edge(std::size_t triangle, std::size_t k, const Vec<3>& n) const;
  Real slack_at_vertex(std::size_t vertex, const Vec<3>& n) const;

  /// The lowest number of the triangles that share the edge or vertex.
  std::int32_t lowest_at_edge(const Edge& edge) const;
  std::int32_t lowest_at_vertex(std::size_t vertex) const;

  /// The triangle as a flat core relative to `origin`.
  Polytope core(std::size_t triangle, const Vec<3>& origin) const;
};

/// The upper side of the solid below `samples`. Triangle 2 * (row * columns + column) has the
/// corners (row, column), (row, column + 1), (row + 1, column + 1); the next number has
/// (row, column), (row + 1, column + 1), (row + 1, column).
///
/// `beyond` are the fields at -x, +x, -y and +y, or null: their samples next to the border are
/// those of the border.
Surface surface_of(const HeightSamples& samples,
                   const std::array<const HeightSamples*, 4>& beyond = {});

/// The height of the surface over a point of its own frame; NaN over a hole or beyond a border.
double height_at(const HeightSamples& samples, double x, double y);

}  // namespace widephase::test
