#pragma once

// Seams of a mesh: where triangles meet without an edge or a vertex of both, as where a vertex of
// one lies on an edge of another. By edges and vertices both have a border there; the surface goes
// on. So what is said at a border asks the triangles that are at the very place, and it is no
// border where exactly one other runs along the edge the other way. Vertices on edges are rounded,
// so places less than `width_of_seams` apart are one.

#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/core/surface/mesh_walk.hpp"
#include "kernels/core/surface/polygon_nearest.hpp"

namespace widephase {
namespace {

template <class T>
double width_of_seams(const MeshView<T>& mesh) {
  double farthest = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = magnitude(double(mesh.low[k])), high = magnitude(double(mesh.high[k]));
    farthest = low > farthest ? low : farthest;
    farthest = high > farthest ? high : farthest;
  }
  return 8 * double(kRounding<T>) * farthest;
}

/// Whether an edge of a mesh's triangle is a border.
WIDEPHASE_INLINE bool is_border_edge(const TrianglePlace& at, int edge) {
  return at.mesh->across[3 * std::ptrdiff_t{at.row} + edge] < 0;
}
/// Whether a vertex of a mesh has one.
WIDEPHASE_INLINE bool is_border_vertex(const SamplePlace& vertex) {
  for (int k = 0; k < triangles_around(vertex); ++k) {
    const TriangleAround around = around_sample(vertex, k);
    if (is_border_edge(around.place, around.vertex)) return true;
    if (is_border_edge(around.place, (around.vertex + 2) % 3)) return true;
  }
  return false;
}

/// Whether a point is no farther from a triangle than the width of seams.
WIDEPHASE_INLINE bool is_at_triangle(const Vector (&vertex)[3], const Vector& point, double width) {
  for (int k = 0; k < 3; ++k) {
    const double a = vertex[0][k] - point[k], b = vertex[1][k] - point[k];
    const double c = vertex[2][k] - point[k];
    if ((a > width && b > width && c > width) || (a < -width && b < -width && c < -width))
      return false;
  }
  const nearest::OnFace at =
      nearest::on_triangle(vertex[0] - point, vertex[1] - point, vertex[2] - point);
  return at.distance2 <= width * width;
}

/// Whether a triangle at the end of an edge goes on along it, as beside another triangle's vertex.
WIDEPHASE_INLINE bool goes_along(const Vector (&vertex)[3], const Vector& end, const Vector& to,
                                 double width) {
  const Vector along = to - end;
  const double share = 64 * width / root(dot(along, along));
  return is_at_triangle(vertex, end + scaled(along, share < 0.5 ? share : 0.5), width);
}

/// Places where more triangles than this come near are asked of the first ones alone: each of very
/// many may ask for all.
inline constexpr int kMostAtSeam = 1024;

/// Calls `op(place)` for the triangles of a mesh at which a point is and that are wanted, until it
/// answers false.
template <class T, class IsWanted, class Op>
void for_each_at_point(const FieldTriangles<T>& surface, const Vector& point,
                       const IsWanted& is_wanted, const Op& op) {
  const double width = width_of_seams(*surface.mesh());
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = (surface.origin()[k] + point[k]) - width;
    high[k] = (surface.origin()[k] + point[k]) + width;
  }
  int asked = 0;
  walk_with_beyond(*surface.mesh(), low, high, [&](std::int32_t number) {
    const TrianglePlace at = surface.place_of(number);
    if (is_wanted(at)) {
      Vector vertex[3];
      surface.vertices(at, vertex);
      if (is_at_triangle(vertex, point, width) && !op(at)) return false;
    }
    return ++asked < kMostAtSeam;
  });
}

/// Part of a border edge, by shares of it, along which an edge of another triangle runs.
struct SeamPart {
  TriangleAcross across;
  bool is_opposite;  ///< it runs the other way
  double from, to;
};

/// A border edge and its line.
struct SeamEdge {
  std::int32_t number[2];  ///< its vertices
  Vector from, along;
  double length2, width;
  Vector aside;  ///< unit, across the line in the triangle's plane; 0 if that is a sliver

  SeamEdge(const TrianglePlace& place, const Vector (&vertex)[3], int edge, double seam_width)
      : number{mesh_corner(place, edge), mesh_corner(place, (edge + 1) % 3)},
        from(vertex[edge]),
        along(vertex[(edge + 1) % 3] - vertex[edge]),
        length2(dot(along, along)),
        width(seam_width) {
    const Vector third = vertex[(edge + 2) % 3] - from;
    const auto across_line = [&](const Vector& v) {
      return v - scaled(along, dot(v, along) / length2);
    };
    aside = across_line(third);
    const double least2 = 1e-16 * dot(third, third);  // of slivers it may lead along the line
    const bool is_told = dot(aside, aside) > least2;
    aside = is_told ? across_line(scaled(aside, 1 / root(dot(aside, aside)))) : Vector{{0, 0, 0}};
  }
  Vector at(double share) const { return from + scaled(along, share); }
  /// A share of the edge that is as good as none.
  double least_share() const { return 4 * width / root(length2); }

  /// Calls `op(part)` for the edges of another triangle that run along part of it; not for one with
  /// both of its vertices.
  template <class T, class Op>
  void for_each_along(const FieldTriangles<T>& surface, const TrianglePlace& other,
                      const Op& op) const {
    Vector vertex[3];
    double side[3];
    for (int k = 0; k < 3; ++k) {
      vertex[k] = surface.position(sample_of(other, k));
      side[k] = dot(vertex[k] - from, aside);
    }
    const double apart = 8 * width;  // more than rounding moves sides
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      if ((side[k] > apart && side[next] > apart) || (side[k] < -apart && side[next] < -apart)) {
        continue;
      }
      SeamPart part;
      if (meets(vertex[k], vertex[next], other, k, part)) op(part);
    }
  }

 private:
  bool meets(Vector low, Vector high, const TrianglePlace& other, int edge, SeamPart& part) const {
    const std::int32_t p = mesh_corner(other, edge), q = mesh_corner(other, (edge + 1) % 3);
    if ((p == number[0] && q == number[1]) || (p == number[1] && q == number[0])) return false;
    double of_low = dot(low - from, along) / length2, of_high = dot(high - from, along) / length2;
    part.is_opposite = of_low > of_high;
    if (part.is_opposite) {
      const Vector vertex = low;
      low = high;
      high = vertex;
      const double share = of_low;
      of_low = of_high;
      of_high = share;
    }
    part.from = of_low > 0 ? of_low : 0;
    part.to = of_high < 1 ? of_high : 1;
    if (!(part.to - part.from > least_share())) return false;
    for (const double share : {part.from, part.to}) {
      const Vector there = low + scaled(high - low, (share - of_low) / (of_high - of_low));
      const Vector apart = there - at(share);
      if (!(dot(apart, apart) <= width * width)) return false;
    }
    part.across = {other, edge};
    return true;
  }
};

/// Whether an edge is of one triangle alone, as far as that is told at once.
WIDEPHASE_INLINE bool is_alone_at_edge(const TrianglePlace& place, int edge, int many) {
  if (triangles_around(sample_of(place, edge)) > many) return false;
  int count = 0;
  for_each_at_edge(place, edge, [&](const TrianglePlace&, int) { return ++count < 2; });
  return count == 1;
}

/// What runs along a border edge.
struct SeamParts {
  static constexpr int most = 32;
  SeamPart part[most];
  int count = 0;

  /// Calls `op(from, to, part)` for the pieces of the edge in turn: where exactly one other edge
  /// runs along it, and the other way, that one; else null.
  template <class Op>
  void for_each_piece(double least_share, const Op& op) const {
    double end[2 * most + 2];
    int ends = 0;
    const auto add = [&](double share) {
      int to = ends++;
      for (; to > 0 && end[to - 1] > share; --to) end[to] = end[to - 1];
      end[to] = share;
    };
    add(0);
    add(1);
    for (int n = 0; n < count; ++n) {
      add(part[n].from);
      add(part[n].to);
    }
    double from = 0, to = 0;
    const SeamPart* piece = nullptr;
    for (int k = 0; k + 1 < ends; ++k) {
      if (!(end[k + 1] - end[k] > least_share)) continue;
      const double middle = 0.5 * (end[k] + end[k + 1]);
      const SeamPart* here = nullptr;
      int found = 0;
      for (int n = 0; n < count; ++n) {
        if (!(part[n].from < middle && middle < part[n].to)) continue;
        here = part + n;
        ++found;
      }
      if (found != 1 || !here->is_opposite) here = nullptr;
      if (here != piece && to > from) {
        op(from, to, piece);
        from = end[k];
      }
      piece = here;
      to = end[k + 1];
    }
    if (to > from) op(from, 1.0, piece);
  }
};

/// Finds it, no farther from the origin along an axis than `reach`.
template <class T>
void find_seam(const FieldTriangles<T>& surface, const TrianglePlace& place,
               const Vector (&vertex)[3], int edge, double reach, SeamParts& parts) {
  const SeamEdge seam(place, vertex, edge, width_of_seams(*surface.mesh()));
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    if (seam.along[k] == 0) {
      if (magnitude(seam.from[k]) > reach) return;
      continue;
    }
    const double a = (-reach - seam.from[k]) / seam.along[k];
    const double b = (reach - seam.from[k]) / seam.along[k];
    begin = (a < b ? a : b) > begin ? (a < b ? a : b) : begin;
    end = (a < b ? b : a) < end ? (a < b ? b : a) : end;
  }
  if (!(begin < end)) return;
  const Vector ends[2] = {seam.at(begin), seam.at(end)};
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    const bool rises = seam.along[k] >= 0;
    low[k] = (surface.origin()[k] + ends[rises ? 0 : 1][k]) - seam.width;
    high[k] = (surface.origin()[k] + ends[rises ? 1 : 0][k]) + seam.width;
  }
  int asked = 0;
  walk_with_beyond(*surface.mesh(), low, high, [&](std::int32_t number) {
    const TrianglePlace other = surface.place_of(number);
    const auto add = [&](const SeamPart& part) {
      if (parts.count == SeamParts::most) asked = kMostAtSeam;
      if (asked < kMostAtSeam) parts.part[parts.count++] = part;
    };
    if (number != place.row) seam.for_each_along(surface, other, add);
    return ++asked < kMostAtSeam;
  });
  if (asked >= kMostAtSeam) parts.count = 0;
}

}  // namespace
}  // namespace widephase
