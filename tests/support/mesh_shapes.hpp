#pragma once

// Meshes for tests, and a brute force of what a ball touches on one: over all triangles, in double.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "support/ground.hpp"

namespace widephase::test {

using Point3d = std::array<double, 3>;

struct MeshShape {
  std::vector<Point3d> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;

  MeshShape& operator+=(const MeshShape& other) {
    const auto first = static_cast<std::int32_t>(vertices.size());
    vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& t : other.triangles) {
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    return *this;
  }
};

/// A box of twelve triangles about the origin.
inline MeshShape box_mesh(const Point3d& half) {
  MeshShape mesh;
  for (int v = 0; v < 8; ++v) {
    mesh.vertices.push_back({(v & 1) != 0 ? half[0] : -half[0], (v & 2) != 0 ? half[1] : -half[1],
                             (v & 4) != 0 ? half[2] : -half[2]});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// `cells` x `cells` squares of side `cell`, cut as height fields are.
inline MeshShape grid_mesh(int cells, double cell, const Height& height) {
  MeshShape mesh;
  for (int row = 0; row <= cells; ++row) {
    for (int column = 0; column <= cells; ++column) {
      mesh.vertices.push_back({cell * column, cell * row, height(row, column)});
    }
  }
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const int at = row * (cells + 1) + column;
      mesh.triangles.push_back({at, at + 1, at + cells + 2});
      mesh.triangles.push_back({at, at + cells + 2, at + cells + 1});
    }
  }
  return mesh;
}

/// The surface of `grid_mesh` in smaller triangles: of a third of its cells the two are cut at a
/// point of the edge that they share, of the others each at a point within.
inline MeshShape cut_grid(const MeshShape& whole) {
  MeshShape cut = whole;
  cut.triangles.clear();
  // At quarters, so that vertices of few digits lie in the planes.
  const auto add = [&](const std::array<std::int32_t, 3>& of, const std::array<int, 3>& quarters) {
    Point3d p{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Point3d& vertex = whole.vertices[static_cast<std::size_t>(of[k])];
      for (std::size_t axis = 0; axis < 3; ++axis) p[axis] += quarters[k] / 4.0 * vertex[axis];
    }
    cut.vertices.push_back(p);
    return static_cast<std::int32_t>(cut.vertices.size()) - 1;
  };
  for (std::size_t t = 0; t < whole.triangles.size(); t += 2) {
    const auto &low = whole.triangles[t], &high = whole.triangles[t + 1];
    if (t / 2 % 3 == 0) {
      const std::int32_t at = add(low, {3, 0, 1});
      for (const auto& made :
           {std::array{low[0], low[1], at}, std::array{at, low[1], low[2]},
            std::array{high[0], at, high[2]}, std::array{at, high[1], high[2]}}) {
        cut.triangles.push_back(made);
      }
      continue;
    }
    for (const auto& triangle : {low, high}) {
      const std::int32_t at = add(triangle, {1, 2, 1});
      for (std::size_t k = 0; k < 3; ++k) {
        cut.triangles.push_back({triangle[k], triangle[(k + 1) % 3], at});
      }
    }
  }
  return cut;
}

/// The same with other numbers of triangles and vertices, and other first corners.
inline MeshShape renumbered(Random& random, const MeshShape& mesh) {
  const auto shuffled = [&](std::size_t count) {
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count; i-- > 1;) {
      std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    }
    return order;
  };
  MeshShape other = mesh;
  const auto vertex_at = shuffled(mesh.vertices.size());
  const auto triangle_at = shuffled(mesh.triangles.size());
  for (std::size_t v = 0; v < vertex_at.size(); ++v) {
    other.vertices[static_cast<std::size_t>(vertex_at[v])] = mesh.vertices[v];
  }
  for (std::size_t t = 0; t < triangle_at.size(); ++t) {
    const auto turn = static_cast<std::size_t>(random.integer(0, 2));
    for (std::size_t k = 0; k < 3; ++k) {
      other.triangles[static_cast<std::size_t>(triangle_at[t])][k] =
          vertex_at[static_cast<std::size_t>(mesh.triangles[t][(k + turn) % 3])];
    }
  }
  return other;
}

/// A closed ball of bumps: an octahedron whose triangles are cut in four, `times` over.
inline MeshShape bumpy_ball(Random& random, int times, double bumps) {
  MeshShape mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int time = 0; time < times; ++time) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
    const auto middle = [&](std::int32_t a, std::int32_t b) {
      const auto [at, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(mesh.vertices.size()));
      if (is_new) {
        Point3d p;
        for (int k = 0; k < 3; ++k) p[k] = mesh.vertices[a][k] + mesh.vertices[b][k];
        const double size = std::hypot(p[0], p[1], p[2]);
        for (double& x : p) x /= size;
        mesh.vertices.push_back(p);
      }
      return at->second;
    };
    std::vector<std::array<std::int32_t, 3>> cut;
    for (const auto& t : mesh.triangles) {
      const std::int32_t a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      cut.insert(cut.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
    }
    mesh.triangles = cut;
  }
  for (Point3d& p : mesh.vertices) {
    const double size = std::hypot(p[0], p[1], p[2]) / (1 + random.uniform(-bumps, bumps));
    for (double& x : p) x /= size;
  }
  return mesh;
}

/// A band that is turned once: it has one side.
inline MeshShape moebius_band(int pieces) {
  MeshShape mesh;
  for (int i = 0; i < pieces; ++i) {
    const double turn = 6.283185307179586 * i / pieces;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(turn / 2);
      mesh.vertices.push_back({r * std::cos(turn), r * std::sin(turn), side * std::sin(turn / 2)});
    }
  }
  for (int i = 0; i < pieces; ++i) {
    const bool is_last = i + 1 == pieces;
    const int a = 2 * i, b = a + 1, c = is_last ? 1 : a + 2, d = is_last ? 0 : a + 3;
    mesh.triangles.push_back({a, c, d});
    mesh.triangles.push_back({a, d, b});
  }
  return mesh;
}

/// Two sheets that meet in a sharp edge of so many pieces.
inline MeshShape knife_mesh(int pieces) {
  MeshShape mesh;
  for (int piece = 0; piece <= pieces; ++piece) {
    const double y = 2.0 * piece / pieces - 1;
    for (const Point3d& p : {Point3d{0, y, 0}, {-1, y, 0}, {-1, y, -0.1}})
      mesh.vertices.push_back(p);
  }
  for (int piece = 0; piece < pieces; ++piece) {
    const int a = 3 * piece, b = a + 3;
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
    mesh.triangles.push_back({b, a, b + 2});
    mesh.triangles.push_back({a, a + 2, b + 2});
  }
  return mesh;
}

inline Point3d minus(const Point3d& a, const Point3d& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double product(const Point3d& a, const Point3d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point3d crossed(const Point3d& a, const Point3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The point of a triangle nearest to a point, and its feature: 0 the face, 1 + k edge k, 4 + k
/// vertex k. By the regions of Voronoi, one after the other.
struct NearestOnTriangle {
  Point3d at;
  int feature;
  double distance;
};
inline NearestOnTriangle nearest_on(const std::array<Point3d, 3>& t, const Point3d& p) {
  const Point3d normal = crossed(minus(t[1], t[0]), minus(t[2], t[0]));
  NearestOnTriangle best{{}, -1, 1e300};
  const auto offer = [&](const Point3d& at, int feature) {
    const Point3d apart = minus(p, at);
    const double distance = std::sqrt(product(apart, apart));
    if (distance < best.distance) best = {at, feature, distance};
  };
  bool is_over = true;
  for (int k = 0; k < 3; ++k) {
    const Point3d along = minus(t[(k + 1) % 3], t[k]), to = minus(p, t[k]);
    if (!(product(crossed(along, to), normal) > 0)) is_over = false;
  }
  if (is_over) {
    const double height = product(normal, minus(p, t[0])) / product(normal, normal);
    offer({p[0] - height * normal[0], p[1] - height * normal[1], p[2] - height * normal[2]}, 0);
    return best;
  }
  for (int k = 0; k < 3; ++k) offer(t[k], 4 + k);
  for (int k = 0; k < 3; ++k) {
    const Point3d along = minus(t[(k + 1) % 3], t[k]);
    const double share = product(minus(p, t[k]), along) / product(along, along);
    if (!(share > 0 && share < 1)) continue;
    offer({t[k][0] + share * along[0], t[k][1] + share * along[1], t[k][2] + share * along[2]},
          1 + k);
  }
  return best;
}

/// Where a point has a local minimum of its distance to a mesh within `reach`: `unsure` ones may be
/// missed, as another triangle's is as near to rounding.
struct NearPlace {
  Point3d normal;  ///< from the point to the mesh
  double distance;
  bool unsure;
};
inline std::vector<NearPlace> near_places(const MeshShape& mesh, bool two_sided, const Point3d& p,
                                          double reach, double rounding) {
  struct Found {
    std::array<std::int32_t, 3> corner;
    NearestOnTriangle nearest;
    double height;  ///< over the plane
  };
  std::vector<Found> all;
  for (const auto& triangle : mesh.triangles) {
    std::array<Point3d, 3> t;
    for (int k = 0; k < 3; ++k) t[k] = mesh.vertices[static_cast<std::size_t>(triangle[k])];
    // Most triangles are out of reach along an axis already.
    bool is_far = false;
    for (std::size_t k = 0; k < 3 && !is_far; ++k) {
      const auto [low, high] = std::minmax({t[0][k], t[1][k], t[2][k]});
      is_far = std::max(low - p[k], p[k] - high) > reach + 2 * rounding;
    }
    if (is_far) continue;
    const Point3d normal = crossed(minus(t[1], t[0]), minus(t[2], t[0]));
    const double size = std::sqrt(product(normal, normal));
    if (size == 0) continue;
    const NearestOnTriangle nearest = nearest_on(t, p);
    if (!(nearest.distance <= reach + rounding)) continue;
    all.push_back({triangle, nearest, product(normal, minus(p, t[0])) / size});
  }
  std::vector<NearPlace> places;
  for (const Found& one : all) {
    if (!two_sided && one.height < -rounding) continue;
    // The vertices of the feature, by place.
    std::vector<Point3d> feature;
    const auto add = [&](int k) {
      feature.push_back(mesh.vertices[static_cast<std::size_t>(one.corner[k % 3])]);
    };
    if (one.nearest.feature >= 4) add(one.nearest.feature - 4);
    if (one.nearest.feature >= 1 && one.nearest.feature < 4) {
      add(one.nearest.feature - 1);
      add(one.nearest.feature);
    }
    bool is_least = true;
    bool unsure = std::abs(one.nearest.distance - reach) <= rounding ||
                  (!two_sided && std::abs(one.height) <= rounding);
    for (const Found& other : all) {
      if (feature.empty()) break;
      bool has_feature = true;
      for (const Point3d& vertex : feature) {
        bool has = false;
        for (const std::int32_t corner : other.corner) {
          has |= mesh.vertices[static_cast<std::size_t>(corner)] == vertex;
        }
        has_feature &= has;
      }
      if (!has_feature) continue;
      is_least &= other.nearest.distance >= one.nearest.distance - rounding;
      const Point3d beside = minus(other.nearest.at, one.nearest.at);
      unsure |= other.nearest.distance < one.nearest.distance + rounding &&
                product(beside, beside) > rounding * rounding;
    }
    if (!is_least) continue;
    const Point3d apart = minus(one.nearest.at, p);
    const double distance = one.nearest.distance;
    places.push_back(
        {{apart[0] / distance, apart[1] / distance, apart[2] / distance}, distance, unsure});
  }
  return places;
}

}  // namespace widephase::test
