#include "validate_hulls.hpp"

#include <algorithm>
#include <limits>

#include <widephase/hulls.hpp>

#include "validate_offsets.hpp"

namespace widephase {

namespace {

constexpr const char* kAdvice = "; build hulls by add_hull, which takes any point set";

/// What is wrong with the vertices of geometry `g`, which begin at row `begin`; writes their
/// surface where nothing is.
std::optional<Finding> wrong_hull(const std::vector<std::array<double, 3>>& vertices,
                                  double epsilon, std::size_t g, std::size_t begin,
                                  CheckedHull& checked) {
  constexpr GeometryWords kWords = geometry_words<3>();
  const std::string geometry = "geometry " + number(g);
  if (vertices.size() < kFewestHullVertices || vertices.size() > kMostHullVertices) {
    return Finding{kWords.offsets, static_cast<std::int64_t>(g),
                   "begins " + geometry + ", which has " + number(vertices.size()) +
                       " vertices; a hull has " + number(kFewestHullVertices) + " to " +
                       number(kMostHullVertices)};
  }
  if (const auto refusal = refuse_numbers(vertices)) {
    return refused_geometry<3>(*refusal, g, begin).finding();
  }
  const auto found = [&](std::size_t row, std::string message) {
    return Finding{kWords.vertices, static_cast<std::int64_t>(begin + row), std::move(message)};
  };
  checked.points = hull_points(vertices);
  std::vector<bool> is_good(vertices.size());
  for (const std::size_t row : checked.points.rows) is_good[row] = true;
  if (const auto row = std::find(is_good.begin(), is_good.end(), false); row != is_good.end()) {
    return found(static_cast<std::size_t>(row - is_good.begin()),
                 "repeats a vertex before it within " + geometry + kAdvice);
  }
  const std::string tolerance = number(static_cast<int>(kFlatHullEpsilons)) + " epsilons";
  const Flatness flatness =
      find_hull_vertices(checked.points.points, kFlatHullEpsilons * epsilon, checked.hull);
  if (flatness != Flatness::none) {
    return Finding{kWords.offsets, static_cast<std::int64_t>(g),
                   "begins " + geometry + ", which has its points " +
                       (flatness == Flatness::line ? "on a line" : "in a plane") + ", within " +
                       tolerance + " of its extent; a hull needs 4 that span a volume"};
  }
  if (checked.hull.vertices.size() == vertices.size()) return std::nullopt;
  is_good.assign(vertices.size(), false);
  for (const std::int32_t v : checked.hull.vertices) {
    is_good[checked.points.rows[static_cast<std::size_t>(v)]] = true;
  }
  const auto row = std::find(is_good.begin(), is_good.end(), false) - is_good.begin();
  return found(static_cast<std::size_t>(row), "does not stick out of " + geometry + " by " +
                                                  tolerance + " of its extent" + kAdvice);
}

}  // namespace

template <class T>
std::optional<Finding> wrong_hull_layout(const GeometryTable<Borrowed<3, T>>& hulls) {
  if (auto wrong = wrong_offsets(hulls)) return wrong;
  if (hulls.inner.empty()) return std::nullopt;
  return Finding{"hulls.inner", -1,
                 "has " + number(hulls.inner.size()) +
                     " rows; only polygons have inner edges, so it must be empty"};
}

template <class T>
std::vector<Finding> hull_findings(const GeometryTable<Borrowed<3, T>>& hulls, std::size_t limit) {
  std::vector<Finding> findings;
  if (limit == 0) return findings;
  if (auto wrong = wrong_hull_layout(hulls)) return {*std::move(wrong)};
  for (std::size_t g = 0; g + 1 < hulls.offsets.size() && findings.size() < limit; ++g) {
    const auto begin = static_cast<std::size_t>(hulls.offsets(g));
    const auto vertices =
        points_of<T, 3>(hulls.vertices, begin, static_cast<std::size_t>(hulls.offsets(g + 1)));
    CheckedHull checked;
    if (auto wrong = wrong_hull(vertices, std::numeric_limits<T>::epsilon(), g, begin, checked)) {
      findings.push_back(*std::move(wrong));
    }
  }
  return findings;
}

template <class Storage>
CheckedHull checked_hull(const GeometryTable<Storage>& hulls, std::int32_t index) {
  const auto vertices = vertices_of(hulls, index);
  const auto g = static_cast<std::size_t>(index);
  CheckedHull checked;
  auto wrong = wrong_hull(vertices, std::numeric_limits<typename Storage::Real>::epsilon(), g,
                          static_cast<std::size_t>(hulls.offsets(g)), checked);
  if (wrong) throw Error(*std::move(wrong));
  return checked;
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define WIDEPHASE_VALIDATE_HULLS(T)                                                               \
  template std::optional<Finding> wrong_hull_layout(const GeometryTable<Borrowed<3, T>>&);        \
  template std::vector<Finding> hull_findings(const GeometryTable<Borrowed<3, T>>&, std::size_t); \
  template CheckedHull checked_hull(const GeometryTable<Owned<3, T>>&, std::int32_t);             \
  template CheckedHull checked_hull(const GeometryTable<Borrowed<3, T>>&, std::int32_t);
WIDEPHASE_VALIDATE_HULLS(float)
WIDEPHASE_VALIDATE_HULLS(double)
#undef WIDEPHASE_VALIDATE_HULLS
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace widephase
