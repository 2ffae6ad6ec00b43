#include "reference/zonotope.hpp"

namespace widephase::test {

template <int D>
Zonotope<D> core_of(const Solid<D>& solid) {
  Zonotope<D> core;
  if (solid.kind == Kind::sphere) {
    core.center = widened(solid.p);
    return core;
  }
  if (solid.kind == Kind::box) {
    core.center = widened(solid.p);
    for (int k = 0; k < D; ++k) {
      Vec<D> half{};
      half[k] = solid.q[k];
      if (!(half[k] > 0)) continue;
      if constexpr (D == 2) {
        core.generators.push_back(turned_by(solid.angle, half));
      } else {
        const Vec<3> axis = axes_of(solid.orientation)[static_cast<std::size_t>(k)];
        core.generators.push_back(times(axis, half[k]));
      }
    }
    return core;
  }
  const Vec<D> p = widened(solid.p);
  const Vec<D> q = widened(solid.q);
  core.center = times(plus(p, q), 0.5L);
  const Vec<D> half = times(minus(q, p), 0.5L);
  if (solid.kind == Kind::capsule) {
    if (length(half) > 0) core.generators.push_back(half);
    return core;
  }
  for (int k = 0; k < D; ++k) {
    if (half[k] > 0) {
      core.generators.push_back({});
      core.generators.back()[k] = half[k];
    }
  }
  return core;
}

template <int D>
Zonotope<D> difference(const Solid<D>& a, const Solid<D>& b) {
  Zonotope<D> result = core_of(a);
  const Zonotope<D> other = core_of(b);
  result.center = minus(result.center, other.center);
  for (const Vec<D>& g : other.generators) {
    bool is_joined = false;
    for (Vec<D>& known : result.generators) {
      int zeros = 0;
      for (int k = 0; k < D; ++k) zeros += known[k] == 0 && g[k] == 0;
      if (is_joined || zeros != D - 1) continue;
      for (int k = 0; k < D; ++k) known[k] = std::abs(known[k]) + std::abs(g[k]);
      is_joined = true;
    }
    if (!is_joined) result.generators.push_back(g);
  }
  return result;
}

template <int D>
Vec<D> nearest_to_origin(const Zonotope<D>& zonotope) {
  const std::size_t count = zonotope.generators.size();
  std::size_t face_count = 1;
  for (std::size_t i = 0; i < count; ++i) face_count *= 3;
  Vec<D> best = zonotope.center;
  std::size_t best_free_count = 0;
  bool is_first = true;
  for (std::size_t face = 0; face < face_count; ++face) {
    // Digit i of `face` in base 3: generator i at -1, at +1, or free.
    std::vector<Vec<D>> free;
    Vec<D> base = zonotope.center;
    std::size_t code = face;
    for (std::size_t i = 0; i < count; ++i, code /= 3) {
      if (code % 3 == 2) {
        free.push_back(zonotope.generators[i]);
      } else {
        base = plus(base, zonotope.generators[i], code % 3 == 0 ? -1 : 1);
      }
    }
    // Skip dependent free generators: another face has the same minimum.
    if (free.size() > static_cast<std::size_t>(D)) continue;
    // Least squares by Gram-Schmidt: w[i] is free[i] without its components along the earlier ones,
    // so the last coordinate is solved first.
    std::vector<Vec<D>> w = free;
    bool is_dependent = false;
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = 0; j < i; ++j) {
          w[i] = plus(w[i], w[j], -dot(w[i], w[j]) / dot(w[j], w[j]));
        }
      }
      is_dependent = is_dependent || !(dot(w[i], w[i]) > 0);
    }
    if (is_dependent) continue;
    bool is_inside = true;
    for (std::size_t i = free.size(); i-- > 0;) {
      const Real x = -dot(base, w[i]) / dot(w[i], w[i]);
      is_inside = is_inside && std::abs(x) <= 1;
      base = plus(base, free[i], std::clamp<Real>(x, -1, 1));
    }
    // Near its sides, the minimum of a face is smaller than theirs by less than rounding. Prefer
    // the face, which has the more exact direction.
    const Real distance2 = dot(base, base);
    const Real best2 = dot(best, best);
    const bool is_finer =
        is_inside && free.size() > best_free_count && distance2 <= best2 * (1 + 1e-18L);
    if (is_first || distance2 < best2 || is_finer) {
      best = base;
      best_free_count = free.size();
    }
    is_first = false;
  }
  return best;
}

template <int D>
std::vector<Vec<D>> candidate_normals(const Zonotope<D>& zonotope) {
  std::vector<Vec<D>> normals;
  const auto add = [&](const Vec<D>& direction) {
    const Real norm = length(direction);
    if (!(norm > 0)) return;
    normals.push_back(times(direction, 1 / norm));
    normals.push_back(times(direction, -1 / norm));
  };
  std::vector<Vec<D>> directions;
  for (const Vec<D>& g : zonotope.generators) directions.push_back(times(g, 1 / length(g)));
  for (int k = 0; k < D; ++k) {
    directions.push_back({});
    directions.back()[k] = 1;
    add(directions.back());
  }
  if constexpr (D == 2) {
    for (const Vec<D>& g : directions) add({-g[1], g[0]});
  } else {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add(cross_of_units(directions[i], directions[j]));
    }
  }
  return normals;
}

#define WIDEPHASE_INSTANTIATE(D)                                            \
  template Zonotope<D> core_of<D>(const Solid<D>& solid);                   \
  template Zonotope<D> difference<D>(const Solid<D>& a, const Solid<D>& b); \
  template Vec<D> nearest_to_origin<D>(const Zonotope<D>& zonotope);        \
  template std::vector<Vec<D>> candidate_normals<D>(const Zonotope<D>& zonotope)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
