#include "reference/pieces.hpp"

#include <array>
#include <limits>

namespace widephase::test {

namespace {

/// Solves a symmetric system by elimination; false where it is as good as singular.
bool solve(std::vector<std::vector<Real>>& rows) {
  const std::size_t n = rows.size();
  Real size = 0;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < n; ++k) size = std::max(size, std::abs(row[k]));
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t r = k; r < n; ++r) {
      if (std::abs(rows[r][k]) > std::abs(rows[best][k])) best = r;
    }
    std::swap(rows[k], rows[best]);
    if (!(std::abs(rows[k][k]) > 1e-15L * size)) return false;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == k) continue;
      const Real by = rows[r][k] / rows[k][k];
      for (std::size_t c = k; c <= n; ++c) rows[r][c] -= by * rows[k][c];
    }
  }
  for (std::size_t k = 0; k < n; ++k) rows[k][n] /= rows[k][k];
  return true;
}

/// The corners of a piece that a set of bits names.
template <int D>
Piece<D> feature_of(const Piece<D>& piece, unsigned bits) {
  Piece<D> feature;
  for (std::size_t k = 0; k < piece.size(); ++k) {
    if ((bits >> k & 1) != 0) feature.push_back(piece[k]);
  }
  return feature;
}

}  // namespace

template <int D>
NearestOfPieces<D> nearest_of_pieces(const Piece<D>& a, const Piece<D>& b) {
  NearestOfPieces<D> nearest{std::numeric_limits<Real>::infinity(), {}, {}};
  for (unsigned bits_a = 1; bits_a < 1u << a.size(); ++bits_a) {
    for (unsigned bits_b = 1; bits_b < 1u << b.size(); ++bits_b) {
      const Piece<D> p = feature_of<D>(a, bits_a), q = feature_of<D>(b, bits_b);
      // p[0] + s_i (p[i] - p[0]) - q[0] - t_j (q[j] - q[0]) is perpendicular to all of these.
      std::vector<Vec<D>> ways;
      for (std::size_t i = 1; i < p.size(); ++i) ways.push_back(minus(p[i], p[0]));
      for (std::size_t j = 1; j < q.size(); ++j) ways.push_back(minus(q[0], q[j]));
      if (ways.size() > D) continue;
      const Vec<D> apart = minus(p[0], q[0]);
      std::vector<std::vector<Real>> rows;
      for (const Vec<D>& way : ways) {
        rows.emplace_back();
        for (const Vec<D>& other : ways) rows.back().push_back(dot(way, other));
        rows.back().push_back(-dot(way, apart));
      }
      if (!solve(rows)) continue;
      Vec<D> on_a = p[0], on_b = q[0];
      Real rest_a = 1, rest_b = 1;
      bool is_inside = true;
      for (std::size_t k = 0; k < ways.size(); ++k) {
        const Real share = rows[k].back();
        is_inside &= share >= 0;
        const bool is_of_a = k + 1 < p.size();
        (is_of_a ? rest_a : rest_b) -= share;
        is_of_a ? on_a = plus(on_a, ways[k], share) : on_b = plus(on_b, ways[k], -share);
      }
      if (!is_inside || rest_a < 0 || rest_b < 0) continue;
      const Real distance = length(minus(on_a, on_b));
      if (distance < nearest.distance) nearest = {distance, on_a, on_b};
    }
  }
  return nearest;
}
template NearestOfPieces<2> nearest_of_pieces(const Piece<2>&, const Piece<2>&);
template NearestOfPieces<3> nearest_of_pieces(const Piece<3>&, const Piece<3>&);

Real lowest_over(const Piece<3>& triangle, const Piece<3>& top, const Vec<3>& up) {
  // What is left of the triangle between upright planes through the top's edges.
  Piece<3> left = triangle;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec<3> inward = cross(up, minus(top[(k + 1) % 3], top[k]));
    const auto side = [&](const Vec<3>& p) { return dot(inward, minus(p, top[k])); };
    Piece<3> next;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Vec<3>&p = left[i], &q = left[(i + 1) % left.size()];
      if (side(p) >= 0) next.push_back(p);
      if ((side(p) >= 0) != (side(q) >= 0)) {
        next.push_back(plus(p, minus(q, p), side(p) / (side(p) - side(q))));
      }
    }
    left = next;
  }
  const Vec<3> normal = cross(minus(top[1], top[0]), minus(top[2], top[0]));
  Real lowest = std::numeric_limits<Real>::infinity();
  for (const Vec<3>& p : left) {
    lowest = std::min(lowest, dot(normal, minus(p, top[0])) / dot(normal, up));
  }
  return lowest;
}

}  // namespace widephase::test
