#pragma once

// Two surfaces of a scene by brute force: pieces in the world as the scene stores them, how far
// apart they are, and the local minima of their distance.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <widephase/distance.hpp>
#include <widephase/widephase.hpp>

#include "reference/pieces.hpp"

namespace widephase::test {

/// A surface in the world.
template <int D>
struct PlacedSurface {
  std::vector<Piece<D>> pieces;
  std::vector<std::int32_t> numbers;
  bool has_front = false;
  bool is_solid = false;
  Vec<D> up{};  ///< of a solid
  Real thickness = 0;
  std::vector<Vec<D>> low, high;  ///< of each piece

  void add(const Piece<D>& piece, std::int32_t number) {
    Vec<D> least = piece[0], most = piece[0];
    for (const Vec<D>& p : piece) {
      for (int k = 0; k < D; ++k) {
        least[k] = std::min(least[k], p[k]);
        most[k] = std::max(most[k], p[k]);
      }
    }
    pieces.push_back(piece);
    numbers.push_back(number);
    low.push_back(least);
    high.push_back(most);
  }
};

inline Vec<3> normal_of(const Piece<3>& t) { return cross(minus(t[1], t[0]), minus(t[2], t[0])); }
inline Vec<2> normal_of(const Piece<2>& s) {
  const Vec<2> along = minus(s[1], s[0]);
  return {along[1], -along[0]};
}

template <int D, class T, class Table>
auto placing_of(const Table& table, std::size_t row) {
  Vec<D> center;
  for (int k = 0; k < D; ++k) center[k] = static_cast<Real>(table.center(row, k));
  if constexpr (D == 2) {
    const auto angle = static_cast<Real>(table.turn[row]);
    const Real c = std::cos(angle), s = std::sin(angle);
    return [=](const Vec<2>& v) {
      return Vec<2>{center[0] + c * v[0] - s * v[1], center[1] + s * v[0] + c * v[1]};
    };
  } else {
    Quaternion q;
    for (int k = 0; k < 4; ++k) q[k] = static_cast<double>(table.turn(row, k));
    const auto axes = axes_of(q);
    return [=](const Vec<3>& v) {
      return plus(plus(plus(center, axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
    };
  }
}

template <class T>
PlacedSurface<3> surface_at(const SceneColumns<3, T>& scene, std::int32_t id) {
  const SceneLayout layout = layout_of(scene);
  const auto row = static_cast<std::size_t>(layout.row(id));
  PlacedSurface<3> to;
  if (layout.kind_of(id) == Kind::mesh) {
    const auto& library = scene.mesh_geometries;
    const auto geometry = static_cast<std::size_t>(scene.meshes.geometry[row]);
    const auto place = placing_of<3, T>(scene.meshes, row);
    to.has_front = library.two_sided.empty() || library.two_sided[geometry] == 0;
    to.thickness = scene.meshes.radius.empty() ? 0 : static_cast<Real>(scene.meshes.radius[row]);
    const auto first = library.triangle_offsets[geometry];
    for (auto t = first; t < library.triangle_offsets[geometry + 1]; ++t) {
      Piece<3> piece;
      for (int v = 0; v < 3; ++v) {
        const auto vertex = static_cast<std::size_t>(
            library.vertex_offsets[geometry] + library.indices(static_cast<std::size_t>(t), v));
        Vec<3> own;
        for (int k = 0; k < 3; ++k) own[k] = static_cast<Real>(library.vertices(vertex, k));
        piece.push_back(own);
      }
      if (length(normal_of(piece)) == 0) continue;
      for (Vec<3>& p : piece) p = place(p);
      to.add(piece, static_cast<std::int32_t>(t - first));
    }
    return to;
  }
  const auto& library = scene.heightfield_geometries;
  const auto geometry = static_cast<std::size_t>(scene.heightfields.geometry[row]);
  const auto place = placing_of<3, T>(scene.heightfields, row);
  to.is_solid = true;
  Quaternion q;
  for (int k = 0; k < 4; ++k) q[k] = static_cast<double>(scene.heightfields.turn(row, k));
  to.up = axes_of(q)[2];
  const std::int32_t columns = library.columns[geometry];
  const auto begin = library.offsets[geometry];
  const auto rows = static_cast<std::int32_t>((library.offsets[geometry + 1] - begin) / columns);
  const auto sample = [&](std::int32_t r, std::int32_t c) {
    return Vec<3>{
        static_cast<Real>(library.cell(geometry, 0)) * c,
        static_cast<Real>(library.cell(geometry, 1)) * r,
        static_cast<Real>(library.heights[static_cast<std::size_t>(begin + r * columns + c)])};
  };
  for (std::int32_t r = 0; r + 1 < rows; ++r) {
    for (std::int32_t c = 0; c + 1 < columns; ++c) {
      for (int half = 0; half < 2; ++half) {
        Piece<3> piece{sample(r, c), half == 0 ? sample(r, c + 1) : sample(r + 1, c + 1),
                       half == 0 ? sample(r + 1, c + 1) : sample(r + 1, c)};
        if (std::isnan(piece[0][2] + piece[1][2] + piece[2][2])) continue;
        for (Vec<3>& p : piece) p = place(p);
        to.add(piece, 2 * (r * columns + c) + half);
      }
    }
  }
  return to;
}

template <class T>
PlacedSurface<2> surface_at(const SceneColumns<2, T>& scene, std::int32_t id) {
  const auto row = static_cast<std::size_t>(layout_of(scene).row(id));
  const auto& library = scene.chain_geometries;
  const auto geometry = static_cast<std::size_t>(scene.chains.geometry[row]);
  const auto place = placing_of<2, T>(scene.chains, row);
  PlacedSurface<2> to;
  to.has_front = library.two_sided.empty() || library.two_sided[geometry] == 0;
  to.thickness = scene.chains.radius.empty() ? 0 : static_cast<Real>(scene.chains.radius[row]);
  const auto begin = static_cast<std::size_t>(library.offsets[geometry]);
  const auto count = static_cast<std::size_t>(library.offsets[geometry + 1]) - begin;
  const bool is_loop = !library.loop.empty() && library.loop[geometry] != 0;
  for (std::size_t s = 0; s + 1 < count + (is_loop ? 1 : 0); ++s) {
    Piece<2> piece;
    for (const std::size_t v : {s, (s + 1) % count}) {
      piece.push_back(place({static_cast<Real>(library.vertices(begin + v, 0)),
                             static_cast<Real>(library.vertices(begin + v, 1))}));
    }
    if (length(normal_of(piece)) > 0) to.add(piece, static_cast<std::int32_t>(s));
  }
  return to;
}

/// At least how far two pieces are apart along the axes.
template <int D>
Real gap_of(const PlacedSurface<D>& a, std::size_t i, const PlacedSurface<D>& b, std::size_t j) {
  Real gap = 0;
  for (int k = 0; k < D; ++k) {
    gap = std::max({gap, a.low[i][k] - b.high[j][k], b.low[j][k] - a.high[i][k]});
  }
  return gap;
}

template <int D>
struct BruteDistance {
  Real distance = std::numeric_limits<Real>::infinity();  ///< of the surfaces
  /// The least height of one surface above a solid's; infinite if there is none.
  Real height = std::numeric_limits<Real>::infinity();

  bool meets() const { return distance < kMeets || height <= 0; }
  bool is_unsure(Real rounding) const {
    return (distance > kMeets && distance < rounding) || std::abs(height) < rounding;
  }
  static constexpr Real kMeets = 1e-15L;
};

template <int D>
BruteDistance<D> brute_distance(const PlacedSurface<D>& a, const PlacedSurface<D>& b) {
  BruteDistance<D> brute;
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    for (std::size_t j = 0; j < b.pieces.size(); ++j) {
      if constexpr (D == 3) {
        if (b.is_solid)
          brute.height = std::min(brute.height, lowest_over(a.pieces[i], b.pieces[j], b.up));
        if (a.is_solid)
          brute.height = std::min(brute.height, lowest_over(b.pieces[j], a.pieces[i], a.up));
      }
      if (gap_of(a, i, b, j) >= brute.distance) continue;
      brute.distance =
          std::min(brute.distance, nearest_of_pieces<D>(a.pieces[i], b.pieces[j]).distance);
    }
  }
  return brute;
}

/// A local minimum of the distance, or nearly one: `slack` is how far from being felt, as a sine.
template <int D>
struct BrutePlace {
  Vec<D> normal{}, on_a{}, on_b{};
  Real distance = 0;
  Real slack = 0;
};

/// The largest part of what leads away from a point along a direction, over all pieces at it.
template <int D>
Real slack_at(const PlacedSurface<D>& surface, const Vec<D>& point, const Vec<D>& towards) {
  Real slack = -1;
  for (std::size_t i = 0; i < surface.pieces.size(); ++i) {
    bool is_there = true;
    for (int k = 0; k < D; ++k) {
      is_there &= surface.low[i][k] <= point[k] + 1e-9L && surface.high[i][k] >= point[k] - 1e-9L;
    }
    if (!is_there || distance_to_piece<D>(point, surface.pieces[i]) > 1e-12L) continue;
    for (const Vec<D>& corner : surface.pieces[i]) {
      const Vec<D> there = minus(corner, point);
      if (length(there) > 1e-9L) slack = std::max(slack, dot(towards, there) / length(there));
    }
  }
  return slack;
}

/// All places within a limit that are met from in front.
template <int D>
std::vector<BrutePlace<D>> brute_places(const PlacedSurface<D>& a, const PlacedSurface<D>& b,
                                        Real limit) {
  std::vector<BrutePlace<D>> places;
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    for (std::size_t j = 0; j < b.pieces.size(); ++j) {
      if (gap_of(a, i, b, j) > limit) continue;
      const NearestOfPieces<D> nearest = nearest_of_pieces<D>(a.pieces[i], b.pieces[j]);
      if (!(nearest.distance <= limit)) continue;
      const Vec<D> n = times(minus(nearest.on_b, nearest.on_a), 1 / nearest.distance);
      if (a.has_front && dot(normal_of(a.pieces[i]), minus(nearest.on_b, a.pieces[i][0])) < 0)
        continue;
      if (b.has_front && dot(normal_of(b.pieces[j]), minus(nearest.on_a, b.pieces[j][0])) < 0)
        continue;
      const Real slack =
          std::max(slack_at(a, nearest.on_a, n), slack_at(b, nearest.on_b, times(n, -1)));
      places.push_back({n, nearest.on_a, nearest.on_b, nearest.distance, slack});
    }
  }
  return places;
}

/// How far a point is from a surface.
template <int D>
Real distance_to(const PlacedSurface<D>& surface, const Vec<D>& point) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Piece<D>& piece : surface.pieces) {
    least = std::min(least, distance_to_piece<D>(point, piece));
  }
  return least;
}

}  // namespace widephase::test
