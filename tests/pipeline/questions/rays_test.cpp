// Rays against one shape each, of every kind, judged by a search along the ray for where the height
// above the shape's surface is 0.
// Labels: dated optimized

#include <gtest/gtest.h>

#include "support/rays.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
void check_cases(const std::vector<RayCase<D>>& cases, const CastOptions& options) {
  const AskedCases<D, T> asked(cases, options);
  int faults = 0;
  for (std::size_t i = 0; i < cases.size() && faults < 3; ++i) {
    const std::string fault = ray_fault<D, T>(cases[i], asked.hits, i, asked.ids[i], options);
    if (fault.empty()) continue;
    ++faults;
    ADD_FAILURE() << kind_name(cases[i].solid.kind, D) << ", case " << i << ": " << fault;
  }
}

template <int D>
void check_all(const std::vector<RayCase<D>>& cases) {
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    for (const double margin : {0.0, 0.25}) {
      CastOptions options;
      options.inside = inside;
      options.margin = margin;
      SCOPED_TRACE("inside " + std::to_string(static_cast<int>(inside)) + ", margin " +
                   std::to_string(margin));
      {
        SCOPED_TRACE("float");
        check_cases<D, float>(cases, options);
      }
      {
        SCOPED_TRACE("double");
        check_cases<D, double>(cases, options);
      }
      {
        SCOPED_TRACE("mixed");
        check_cases<D, Mixed>(cases, options);
      }
    }
  }
}

template <int D>
void check_random(Kind kind) {
  Random random(static_cast<std::uint64_t>(kind) + 900);
  std::vector<RayCase<D>> cases;
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    const Point<D> center = random.point<D>(-2, 2);
    cases.push_back({random_solid<D>(random, kind, center, 1), random_ray<D>(random, center, 1)});
  }
  check_all<D>(cases);
}

template <int D>
void check_grid(Kind kind) {
  Random random(static_cast<std::uint64_t>(kind) + 950);
  std::vector<RayCase<D>> cases;
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    cases.push_back({grid_solid<D>(random, kind), grid_ray<D>(random)});
  }
  check_all<D>(cases);
}

class rays2 : public ::testing::TestWithParam<Kind> {};
class rays3 : public ::testing::TestWithParam<Kind> {};
const auto name_of = [](int dimension) {
  return [dimension](const ::testing::TestParamInfo<Kind>& info) {
    return std::string(kind_name(info.param, dimension));
  };
};

TEST_P(rays2, random_ones_against_random_shapes) { check_random<2>(GetParam()); }
TEST_P(rays2, in_special_positions) { check_grid<2>(GetParam()); }
TEST_P(rays3, random_ones_against_random_shapes) { check_random<3>(GetParam()); }
TEST_P(rays3, in_special_positions) { check_grid<3>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(kinds, rays2, ::testing::ValuesIn(kinds(2).begin(), kinds(2).end()),
                         name_of(2));
INSTANTIATE_TEST_SUITE_P(kinds, rays3, ::testing::ValuesIn(kinds(3).begin(), kinds(3).end()),
                         name_of(3));

}  // namespace
}  // namespace widephase::test
