// Shape casts of every two convex kinds, judged by the reference: whether there is a contact, that
// t is its first one, and that the normal separates the shapes there.
// Labels: dated optimized

#include <gtest/gtest.h>

#include "support/cast_seams.hpp"
#include "support/pair_kinds.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
void check_cases(const std::vector<CastCase<D>>& cases, const ShapeCastOptions& options) {
  const AskedCasts<D, T> asked(cases, options);
  int faults = 0;
  for (std::size_t i = 0; i < cases.size() && faults < 3; ++i) {
    const std::string fault = cast_fault<D, T>(cases[i], asked.hits, i, options);
    if (fault.empty()) continue;
    ++faults;
    ADD_FAILURE() << "case " << i << ": " << fault;
  }
}

template <int D>
void check_pair(Kind a, Kind b) {
  const std::size_t count = scaled(is_searched(a) || is_searched(b) ? 3 : 8, 3);
  const auto seed = static_cast<std::uint64_t>(a) * 20 + static_cast<std::uint64_t>(b);
  std::vector<CastCase<D>> cases = cast_cases(random_pairs<D>(a, b, count, seed), seed);
  const std::vector<CastCase<D>> grid = cast_cases(grid_pairs<D>(a, b, count, seed + 7), seed + 8);
  cases.insert(cases.end(), grid.begin(), grid.end());
  SCOPED_TRACE(std::string(kind_name(a, D)) + " and " + std::string(kind_name(b, D)));
  ShapeCastOptions options;
  for (const double margin : {0.0, 0.125}) {
    options.margin = margin;
    SCOPED_TRACE("margin " + std::to_string(margin));
    {
      SCOPED_TRACE("float");
      check_cases<D, float>(cases, options);
    }
    {
      SCOPED_TRACE("double");
      check_cases<D, double>(cases, options);
    }
    if (margin == 0) {
      SCOPED_TRACE("mixed");
      check_cases<D, Mixed>(cases, options);
    }
  }
}

template <int D>
void check_kinds(Kind a) {
  for (const Kind b : kinds(D)) {
    if (has_kernel(D, a, b)) check_pair<D>(a, b);
  }
}

// Every kind with straight or flat parts, met by a corner or ball near an end of one.
template <int D>
void check_seams() {
  for (const Kind a : kinds(D)) {
    for (const Kind b : {Kind::sphere, Kind::capsule, Kind::aabb, Kind::box,
                         D == 2 ? Kind::polygon : Kind::hull}) {
      const auto seed = static_cast<std::uint64_t>(a) * 20 + static_cast<std::uint64_t>(b);
      const std::vector<CastCase<D>> cases =
          seam_casts<D>(a, b, scaled(is_searched(a) ? 4 : 12, 2), seed + 7000);
      SCOPED_TRACE(std::string(kind_name(a, D)) + " and " + std::string(kind_name(b, D)));
      check_cases<D, float>(cases, {});
      check_cases<D, double>(cases, {});
    }
  }
}

TEST(casts2, where_straight_parts_end) { check_seams<2>(); }
TEST(casts3, where_straight_and_flat_parts_end) { check_seams<3>(); }
TEST(casts2, circle) { check_kinds<2>(Kind::sphere); }
TEST(casts2, capsule) { check_kinds<2>(Kind::capsule); }
TEST(casts2, aabb) { check_kinds<2>(Kind::aabb); }
TEST(casts2, box) { check_kinds<2>(Kind::box); }
TEST(casts2, polygon) { check_kinds<2>(Kind::polygon); }
TEST(casts2, halfspace) { check_kinds<2>(Kind::halfspace); }
TEST(casts3, sphere) { check_kinds<3>(Kind::sphere); }
TEST(casts3, capsule) { check_kinds<3>(Kind::capsule); }
TEST(casts3, aabb) { check_kinds<3>(Kind::aabb); }
TEST(casts3, box) { check_kinds<3>(Kind::box); }
TEST(casts3, hull) { check_kinds<3>(Kind::hull); }
TEST(casts3, cylinder) { check_kinds<3>(Kind::cylinder); }
TEST(casts3, ellipsoid) { check_kinds<3>(Kind::ellipsoid); }
TEST(casts3, cone) { check_kinds<3>(Kind::cone); }
TEST(casts3, halfspace) { check_kinds<3>(Kind::halfspace); }

}  // namespace
}  // namespace widephase::test
