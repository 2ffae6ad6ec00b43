#include "reference/flush.hpp"

#include <limits>
#include <numbers>

namespace widephase::test {

namespace {

constexpr Real kSameDirection = 1e-9L;

Vec<2> normal_of(const Outline& outline, std::size_t side) {
  const Vec<2> along = minus(next_corner(outline, side), outline[side]);
  const Real norm = length(along);
  return {along[1] / norm, -along[0] / norm};
}

}  // namespace

bool FlushOutlines::has(std::size_t part, const Vec<2>& point, Real slack) const {
  const Outline& outline = parts_[part];
  for (std::size_t e = 0; e < outline.size(); ++e) {
    if (dot(normal_of(outline, e), minus(point, outline[e])) > slack) return false;
  }
  return true;
}

int FlushOutlines::side_along(std::size_t part, const Vec<2>& u) const {
  for (std::size_t e = 0; e < parts_[part].size(); ++e) {
    if (length(minus(normal_of(parts_[part], e), u)) < kSameDirection) return static_cast<int>(e);
  }
  return -1;
}

/// Cuts a side wherever another part's corner or side is over it, and asks the middle of each
/// stretch. Beside the side its ends count.
Real FlushOutlines::aside(std::size_t part, std::size_t side, Real low, Real high,
                          bool& is_doubtful) const {
  const Outline& outline = parts_[part];
  const Vec<2> n = normal_of(outline, side), along{-n[1], n[0]}, start = outline[side];
  const Real end = dot(along, minus(next_corner(outline, side), start));
  low = std::clamp<Real>(low, 0, end);
  high = std::clamp<Real>(high, 0, end);
  std::vector<Real> cuts{0, end};
  for (const Outline& other : parts_) {
    for (std::size_t e = 0; e < other.size(); ++e) {
      const Vec<2> p = minus(other[e], start), q = minus(next_corner(other, e), start);
      cuts.push_back(dot(along, p));
      const Real a = dot(n, p), b = dot(n, q);
      if ((a > 0) != (b > 0)) cuts.push_back(dot(along, p) + a / (a - b) * dot(along, minus(q, p)));
    }
  }
  std::sort(cuts.begin(), cuts.end());
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    const Real from = std::max<Real>(cuts[c], 0), to = std::min(cuts[c + 1], end);
    if (!(to - from > 10 * tolerance_)) continue;
    const Vec<2> middle = plus(start, times(along, (from + to) / 2));
    const Vec<2> above = plus(middle, times(n, 3 * tolerance_));
    bool is_covered = false;
    for (std::size_t other = 0; other < parts_.size(); ++other) {
      is_covered |= other != part && has(other, above, 0) && has(other, middle, tolerance_);
    }
    if (is_covered) continue;
    least = std::min(least, std::max<Real>({from - high, low - to, 0}));
    for (const Real edge : {from, to}) {
      is_doubtful |= std::abs(edge - low) < 100 * tolerance_ && edge != 0 && edge != end;
      is_doubtful |= std::abs(edge - high) < 100 * tolerance_ && edge != 0 && edge != end;
    }
  }
  return least;
}

/// Whether a part overlaps a core with a radius that is moved by `by`.
bool FlushOutlines::overlaps(std::size_t part, const Outline& core, Real radius,
                             const Vec<2>& by) const {
  const Outline& own = parts_[part];
  Outline moved;
  for (const Vec<2>& corner : core) moved.push_back(plus(corner, by));
  using Both = std::pair<const Outline*, const Outline*>;
  bool is_apart = false;
  for (const auto& [a, b] : {Both{&own, &moved}, Both{&moved, &own}}) {
    for (std::size_t e = 0; e < a->size() && a->size() > 1; ++e) {
      const Vec<2> n = normal_of(*a, e);
      const Real gap = -support(*b, times(n, -1)) - dot(n, (*a)[e]);
      if (gap >= radius) return false;
      is_apart |= gap >= 0;
    }
  }
  if (!is_apart) return true;
  Real nearest = std::numeric_limits<Real>::infinity();
  for (const auto& [a, b] : {Both{&own, &moved}, Both{&moved, &own}}) {
    for (std::size_t e = 0; e < a->size(); ++e) {
      for (const Vec<2>& corner : *b) {
        nearest = std::min(nearest, length(to_segment(corner, (*a)[e], next_corner(*a, e))));
      }
    }
  }
  return nearest < radius;
}

Real FlushOutlines::parting_along(std::size_t part, const Vec<2>& u, const Outline& core,
                                  Real radius) const {
  Real inside = 0, outside = length_along(part, u, core, radius);
  if (!overlaps(part, core, radius, {0, 0})) return outside;
  while (outside - inside > 1e-13L) {
    const Real middle = (inside + outside) / 2;
    (overlaps(part, core, radius, times(u, middle)) ? inside : outside) = middle;
  }
  return outside;
}

/// What two convex outlines overlap by along a direction is concave across it, with corners where
/// they have theirs.
Real FlushOutlines::overlap_along(std::size_t part, const Vec<2>& u, const Outline& core) const {
  const Vec<2> along{-u[1], u[0]};
  const auto most_at = [&](const Outline& outline, Real x, Real sign) {
    Real most = -std::numeric_limits<Real>::infinity();
    for (std::size_t e = 0; e < outline.size(); ++e) {
      const Vec<2>&p = outline[e], &q = next_corner(outline, e);
      const Real from = dot(along, p) - x, to = dot(along, q) - x;
      if (std::abs(from) < kSameDirection) most = std::max(most, sign * dot(u, p));
      if ((from < 0) == (to < 0)) continue;
      most = std::max(most, sign * (dot(u, p) + from / (from - to) * dot(u, minus(q, p))));
    }
    return most;
  };
  Real overlap = -std::numeric_limits<Real>::infinity();
  for (const Outline* outline : {&parts_[part], &core}) {
    for (const Vec<2>& corner : *outline) {
      const Real x = dot(along, corner);
      overlap = std::max(overlap, most_at(parts_[part], x, 1) + most_at(core, x, -1));
    }
  }
  return overlap;
}

Real FlushOutlines::beyond(std::size_t part, const Vec<2>& u, const Vec<2>& place) const {
  Real most = 0;
  for (std::size_t other = 0; other < parts_.size(); ++other) {
    if (other == part || !has(other, place, tolerance_)) continue;
    most = std::max(most, support(parts_[other], u) - dot(u, place));
  }
  return most;
}

Vec<2> FlushOutlines::end_along(std::size_t part, const Vec<2>& u, const Vec<2>& place) const {
  const Outline& outline = parts_[part];
  const Real top = support(outline, u);
  Vec<2> at{};
  Real nearest = std::numeric_limits<Real>::infinity();
  for (std::size_t v = 0; v < outline.size(); ++v) {
    const Vec<2>&p = outline[v], &q = next_corner(outline, v);
    const bool is_level = dot(u, q) > top - kSameDirection;
    if (!(dot(u, p) > top - kSameDirection)) continue;
    const Vec<2> to = is_level ? to_segment(place, p, q) : minus(p, place);
    if (length(to) >= nearest) continue;
    nearest = length(to);
    at = plus(place, to);
  }
  return at;
}

FlushOutlines::Felt FlushOutlines::felt(std::size_t part, const Vec<2>& u,
                                        const Vec<2>& place) const {
  const Outline& outline = parts_[part];
  Felt answer;
  const int side = side_along(part, u);
  if (side >= 0) {
    const auto e = static_cast<std::size_t>(side);
    const Vec<2> n = normal_of(outline, e), along{-n[1], n[0]};
    const Real x = dot(along, minus(place, outline[e]));
    answer.longer = aside(part, e, x, x, answer.is_doubtful);
    // A neighbour that begins at the place may cover the tolerance around it.
    for (std::size_t other = 0; other < parts_.size(); ++other) {
      answer.is_doubtful |= other != part && answer.longer == 0 && has(other, place, tolerance_);
    }
    if (answer.longer < std::numeric_limits<Real>::infinity()) return answer;
  }
  const Vec<2> at = end_along(part, u, place);
  for (std::size_t other = 0; other < parts_.size(); ++other) {  // near a corner of others
    answer.is_doubtful |=
        other != part && has(other, at, 100 * tolerance_) != has(other, at, tolerance_);
  }
  const Real over = beyond(part, u, at);
  answer.longer = over > kSameDirection ? over : 0;
  answer.is_doubtful |= over > kSameDirection / 10 && over < 100 * tolerance_;
  return answer;
}

/// Whether the part itself is meant, or one that has `end` and reaches beyond it.
bool FlushOutlines::is_near(std::size_t of, std::size_t part, const Vec<2>& u,
                            const Vec<2>& end) const {
  return of == part || (has(of, end, tolerance_) && support(parts_[of], u) - dot(u, end) > 0);
}

/// The length along `way`, felt by `of`, for a part; infinite if it is not felt, or longer by how
/// far neighbours reach beyond.
Real FlushOutlines::length_of(std::size_t of, std::size_t part, const Vec<2>& way,
                              const Outline& core, Real radius, bool is_climbed) const {
  constexpr Real kNot = std::numeric_limits<Real>::infinity();
  const Real length = length_along(of, way, core, radius);
  if (of != part && length_along(part, way, core, radius) > length + kSameDirection &&
      (!overlaps(part, core, radius, {0, 0}) ||
       overlaps(part, core, radius, times(way, length + kSameDirection)))) {
    return kNot;  // it does not part the core from the part
  }
  // What of the core is lowest, seen along the direction.
  const Outline& outline = parts_[of];
  const Vec<2> along{-way[1], way[0]};
  const Real bottom = -support(core, times(way, -1));
  Real low = kNot, high = -low;
  for (const Vec<2>& corner : core) {
    if (dot(way, corner) > bottom + kSameDirection) continue;
    low = std::min(low, dot(along, corner));
    high = std::max(high, dot(along, corner));
  }
  const int side = side_along(of, way);
  if (side >= 0) {
    const auto e = static_cast<std::size_t>(side);
    const Real start = dot(along, outline[e]);
    bool is_doubtful = false;
    return length + aside(of, e, low - start, high - start, is_doubtful);
  }
  const Real top = support(outline, way);
  Real off = kNot;
  for (const Vec<2>& corner : outline) {
    if (!(dot(way, corner) > top - kSameDirection)) continue;
    const Real over = beyond(of, way, corner), x = dot(along, corner);
    if (over > kSameDirection && !is_climbed) return kNot;
    off = std::min(off, std::max<Real>({low - x, x - high, 0}) + over);
  }
  return length + off;
}

Real FlushOutlines::length_felt(std::size_t part, const Vec<2>& u, const Vec<2>& place,
                                const Vec<2>& way, const Outline& core, Real radius) const {
  const Vec<2> end = end_along(part, u, place);
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t of = 0; of < parts_.size(); ++of) {
    const Real length = length_of(of, part, way, core, radius, of == part);
    const bool is_over = length < length_along(of, way, core, radius) + 10 * tolerance_;
    if (is_over || is_near(of, part, u, end)) least = std::min(least, length);
  }
  return least;
}

Real FlushOutlines::least_felt(std::size_t part, const Vec<2>& u, const Vec<2>& place,
                               const Outline& core, Real radius, int directions) const {
  Real least = std::numeric_limits<Real>::infinity();
  const Vec<2> end = end_along(part, u, place);
  for (std::size_t of = 0; of < parts_.size(); ++of) {
    if (!is_near(of, part, u, end)) continue;
    const Outline& outline = parts_[of];
    const auto ask = [&](const Vec<2>& way) {
      if (length_along(of, way, core, radius) >= least) return;
      least = std::min(least, length_of(of, part, way, core, radius, false));
    };
    for (std::size_t e = 0; e < outline.size(); ++e) ask(normal_of(outline, e));
    for (std::size_t e = 0; e < core.size() && core.size() > 1; ++e) {
      ask(times(normal_of(core, e), -1));
    }
    for (const Vec<2>& corner : outline) {
      for (const Vec<2>& other : core) {
        const Real gap = length(minus(other, corner));
        if (!(gap > 0)) continue;
        const Vec<2> way = times(minus(other, corner), 1 / gap);
        const bool is_foremost = dot(way, corner) > support(outline, way) - kSameDirection;
        const bool is_lowest = -dot(way, other) > support(core, times(way, -1)) - kSameDirection;
        if (of == part || (is_foremost && is_lowest)) ask(way);
      }
    }
    // A neighbour's would be shortest where they just part the core from the part.
    for (int d = 0; of == part && d < directions; ++d) {
      const Real angle = 2 * std::numbers::pi_v<Real> * d / directions;
      ask({std::cos(angle), std::sin(angle)});
    }
  }
  return least;
}

}  // namespace widephase::test
