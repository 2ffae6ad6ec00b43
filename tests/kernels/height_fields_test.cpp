// Convex shapes against height fields of many forms, judged by the reference for surfaces: every
// contact's normal, depth and points, and that none is missing.
// Labels: long dated

#include <gtest/gtest.h>

#include "support/surface_judge.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kFieldCount = 4;

struct Case {
  Solid<3> solid;
  std::size_t field;
  std::shared_ptr<KnownWays> known = std::make_shared<KnownWays>();
};

/// Whether all of a shape is over or under the field.
bool is_within(const Solid<3>& solid, const PlacedField& field) {
  const auto axes = field.axes();
  for (int k = 0; k < 2; ++k) {
    const Vec<3>& axis = axes[static_cast<std::size_t>(k)];
    const Real origin = dot(axis, widened(field.center));
    const std::size_t count = k == 0 ? field.samples.columns : field.samples.rows;
    const Real end = field.samples.cell[static_cast<std::size_t>(k)] * double(count - 1);
    if (core_support(solid, axis) - origin + radius_of(solid) > end) return false;
    if (core_support(solid, times(axis, -1)) + origin + radius_of(solid) > 0) return false;
  }
  return true;
}

template <class T>
void check_ground(Ground ground, Kind kind, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<PlacedField> fields;
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    fields.push_back(stored<T>(random_field(random, ground)));
  }
  std::vector<Case> cases;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t field = i % kFieldCount;
    cases.push_back({stored<T>(solid_near(random, fields[field], kind)), field});
  }
  SurfaceScene<T> input;
  for (const PlacedField& field : fields) input.add(field);
  for (const Case& one : cases) input.add_pair(one.solid, static_cast<std::int32_t>(one.field));
  input.name_pairs();

  const double unit = fields[0].unit;
  for (const SurfaceRules rules : {SurfaceRules{0, false}, {0.1 * unit, false}, {0, true}}) {
    SCOPED_TRACE("margin " + std::to_string(rules.margin) + (rules.merges ? " merged" : ""));
    CollideOptions options;
    options.margin = rules.margin;
    options.patch_angle = rules.merges ? 5 : 0;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto patches = patches_of(contacts, static_cast<std::int64_t>(i));
      const PlacedField& field = fields[cases[i].field];
      const std::string problem =
          surface_problem<T>(field, cases[i].solid, rules, patches, cases[i].known);
      if (problem.empty()) continue;
      if (++wrong > 2) continue;
      std::string text = (is_within(cases[i].solid, field) ? "within: " : "beyond a border: ") +
                         problem + "\n  " + describe(cases[i].solid);
      if (field.samples.heights.size() < 16 || ::getenv("WIDEPHASE_TEST_VERBOSE") != nullptr) {
        text += "\n  " + describe(field);
      }
      for (const auto& patch : patches) text += "\n  " + describe(patch);
      ADD_FAILURE() << i << ": " << text;
    }
    EXPECT_EQ(wrong, 0u) << "of " << cases.size();
  }
}

class HeightFields : public ::testing::TestWithParam<std::tuple<Ground, Kind>> {};

TEST_P(HeightFields, float_) {
  const auto [ground, kind] = GetParam();
  check_ground<float>(ground, kind, scaled(40, 8), 500 + static_cast<std::uint64_t>(ground));
}
TEST_P(HeightFields, double_) {
  const auto [ground, kind] = GetParam();
  check_ground<double>(ground, kind, scaled(20, 8), 600 + static_cast<std::uint64_t>(ground));
}
TEST_P(HeightFields, mixed) {
  const auto [ground, kind] = GetParam();
  check_ground<Mixed>(ground, kind, scaled(20, 8), 700 + static_cast<std::uint64_t>(ground));
}

INSTANTIATE_TEST_SUITE_P(all, HeightFields,
                         ::testing::Combine(::testing::ValuesIn(kGrounds),
                                            ::testing::ValuesIn(kConvexKinds)),
                         [](const auto& info) {
                           return name_of(std::get<0>(info.param)) + "_" +
                                  std::string(kind_name(std::get<1>(info.param), 3));
                         });

}  // namespace
}  // namespace widephase::test
