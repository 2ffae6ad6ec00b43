#include "geometry/validate_hulls.hpp"

#include <algorithm>
#include <limits>

#include <widephase/hulls.hpp>

#include "geometry/find_hull.hpp"
#include "geometry/validate_offsets.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// What is wrong with the vertices of geometry `g`, which begin at row `begin`; writes their
/// surface if nothing is.
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
  if (const auto refusal = find_hull(vertices, epsilon, checked.points, checked.hull)) {
    return refused_geometry<3>(*refusal, g, begin).finding();
  }
  // The first row that is missing from some rows.
  const auto missing = [&](const auto& rows) -> std::optional<std::size_t> {
    std::vector<bool> is_there(vertices.size());
    for (const std::size_t row : rows) is_there[row] = true;
    const auto found = std::find(is_there.begin(), is_there.end(), false);
    if (found == is_there.end()) return std::nullopt;
    return static_cast<std::size_t>(found - is_there.begin());
  };
  const auto found = [&](std::size_t row, const std::string& message) {
    return Finding{kWords.vertices, static_cast<std::int64_t>(begin + row),
                   message + "; build hulls by add_hull, which takes any point set"};
  };
  if (const auto row = missing(checked.points.rows)) {
    return found(*row, "repeats a vertex before it within " + geometry);
  }
  std::vector<std::size_t> rows;
  for (const std::int32_t v : checked.hull.vertices) {
    rows.push_back(checked.points.rows[static_cast<std::size_t>(v)]);
  }
  if (const auto row = missing(rows)) {
    return found(*row, "does not stick out of " + geometry + " by " +
                           number(static_cast<int>(kFlatHullEpsilons)) + " epsilons of its extent");
  }
  return std::nullopt;
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
#define WIDEPHASE_INSTANTIATE(T)                                                                  \
  template std::optional<Finding> wrong_hull_layout(const GeometryTable<Borrowed<3, T>>&);        \
  template std::vector<Finding> hull_findings(const GeometryTable<Borrowed<3, T>>&, std::size_t); \
  template CheckedHull checked_hull(const GeometryTable<Owned<3, T>>&, std::int32_t);             \
  template CheckedHull checked_hull(const GeometryTable<Borrowed<3, T>>&, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace widephase
