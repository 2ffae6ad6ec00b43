#include "support/owner_pairs.hpp"

namespace widephase::test {

namespace {

enum class Way {
  anywhere,      ///< bounds that overlap, any rotations
  at_the_rims,   ///< points of both borders near one another, any rotations
  edge_to_edge,  ///< edges that face each other, often without a gap
  corner_to_corner,
  on_a_grid,  ///< not rotated, positions in quarters
  shifted,    ///< the same rotation, quarters apart
};

}  // namespace

RimPoint rim_point(const CutOutline& cut, double share, Random& random) {
  // The border consists of the parts' outline edges: rings may run forth and back along a line.
  const auto polygons = polygons_of(cut.parts);
  for (;;) {
    const auto part =
        static_cast<std::size_t>(random.integer(0, static_cast<int>(polygons.size()) - 1));
    const auto edge =
        static_cast<std::size_t>(random.integer(0, static_cast<int>(polygons[part].size()) - 1));
    if (cut.parts.inner[static_cast<std::size_t>(cut.parts.offsets[part]) + edge] != 0) continue;
    const Point2 p = polygons[part][edge];
    const Point2 q = polygons[part][(edge + 1) % polygons[part].size()];
    const double x = q.x - p.x, y = q.y - p.y, length = std::hypot(x, y);
    return {{p.x + share * x, p.y + share * y}, {p.x, p.y}, {y / length, -x / length}};
  }
}

namespace {

Point<2> turned_point(double angle, const Point<2>& p) {
  const Vec<2> turned = turned_by(angle, widened(p));
  return {static_cast<double>(turned[0]), static_cast<double>(turned[1])};
}

}  // namespace

Extents2 extents_of(const Rings& rings) {
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (const Point2 p : rings[0]) {
    low[0] = std::min(low[0], p.x);
    low[1] = std::min(low[1], p.y);
    high[0] = std::max(high[0], p.x);
    high[1] = std::max(high[1], p.y);
  }
  return {{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2},
          std::max(high[0] - low[0], high[1] - low[1]) / 2};
}

namespace {

/// Two outlines of a list put together in this way, with numbers rounded to `T`.
template <class T>
OwnerPair put(const std::vector<CutOutline>& outlines, std::size_t a, std::size_t b, Way way,
              Random& random) {
  const CutOutline& cut_a = outlines[a];
  const CutOutline& cut_b = outlines[b];
  const Extents2 extents_a = extents_of(cut_a.rings), extents_b = extents_of(cut_b.rings);
  const double reach = extents_a.half + extents_b.half;
  const double small = std::min(extents_a.half, extents_b.half);
  const double pi = 3.141592653589793;
  double turn_a = random.uniform(-pi, pi), turn_b = random.uniform(-pi, pi);
  Point<2> at_a{0, 0}, at_b{0, 0};
  const auto join = [&](const Point<2>& point_a, const Point<2>& point_b, const Point<2>& gap) {
    const Point<2> on_a = turned_point(turn_a, point_a), on_b = turned_point(turn_b, point_b);
    for (int k = 0; k < 2; ++k) {
      at_a[k] = random.uniform(-reach, reach);
      at_b[k] = at_a[k] + on_a[k] - on_b[k] + gap[k];
    }
  };
  switch (way) {
    case Way::anywhere:
      join(extents_a.middle, extents_b.middle, random.point<2>(-reach, reach));
      break;
    case Way::at_the_rims:
      join(rim_point(cut_a, random.uniform(0, 1), random).point,
           rim_point(cut_b, random.uniform(0, 1), random).point,
           random.point<2>(-0.1 * small, 0.1 * small));
      break;
    case Way::edge_to_edge: {
      const RimPoint rim_a = rim_point(cut_a, random.uniform(0.3, 0.7), random);
      const RimPoint rim_b = rim_point(cut_b, random.uniform(0.3, 0.7), random);
      turn_b = turn_a + std::atan2(rim_a.outwards[1], rim_a.outwards[0]) + pi -
               std::atan2(rim_b.outwards[1], rim_b.outwards[0]);
      const double gap = random.chance(0.2) ? 0 : random.uniform(-0.03, 0.03) * small;
      const Point<2> outwards = turned_point(turn_a, rim_a.outwards);
      join(rim_a.point, rim_b.point, {gap * outwards[0], gap * outwards[1]});
      break;
    }
    case Way::corner_to_corner: {
      const double by = random.chance(0.1) ? 0 : 0.05 * small;
      join(rim_point(cut_a, 0, random).corner, rim_point(cut_b, 0, random).corner,
           random.point<2>(-by, by));
      break;
    }
    case Way::on_a_grid:
    case Way::shifted: {
      if (way == Way::on_a_grid) turn_a = 0;
      turn_b = turn_a;
      // Quarters of the unit in which the outlines are drawn; larger outlines have coarser steps.
      const double step = 0.25 * std::exp2(std::floor(std::log2(reach / 4)));
      const double whole_reach = std::ceil(reach / step);
      const auto steps = [&](double most) {
        return step * random.integer(-static_cast<int>(most), static_cast<int>(most));
      };
      for (int k = 0; k < 2; ++k) {
        const double towards = std::round((extents_a.middle[k] - extents_b.middle[k]) / step);
        at_a[k] = steps(8);
        at_b[k] =
            at_a[k] + (way == Way::on_a_grid ? step * towards + steps(whole_reach) : steps(4));
      }
      break;
    }
  }
  const auto narrowed = [](double value) {
    const volatile T narrow = static_cast<T>(value);
    return static_cast<double>(narrow);
  };
  return {{a, {narrowed(at_a[0]), narrowed(at_a[1])}, narrowed(turn_a)},
          {b, {narrowed(at_b[0]), narrowed(at_b[1])}, narrowed(turn_b)}};
}

}  // namespace

template <class T>
std::vector<OwnerPair> put_together(const std::vector<CutOutline>& outlines, std::size_t a,
                                    const std::vector<std::size_t>& partners, std::size_t each,
                                    Random& random) {
  std::vector<OwnerPair> pairs;
  for (const std::size_t b : partners) {
    for (std::size_t i = 0; i < each; ++i) {
      pairs.push_back(put<T>(outlines, a, b, static_cast<Way>(i % kWayCount), random));
    }
  }
  return pairs;
}

#define WIDEPHASE_INSTANTIATE(T)                              \
  template std::vector<OwnerPair> put_together<T>(            \
      const std::vector<CutOutline>& outlines, std::size_t a, \
      const std::vector<std::size_t>& partners, std::size_t each, Random& random)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
