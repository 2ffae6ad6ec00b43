// The pairs that keep words of warm starts are those whose kernels read them.

#include "pipeline/steps/warm_pairs.hpp"

#include <gtest/gtest.h>

#include "kernels/table.hpp"
#include "soa/kind_traits.hpp"

namespace widephase::test {
namespace {

/// One shape per kind of the dimension.
SceneLayout one_of_each(int dimension) {
  SceneLayout layout;
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    layout.first[kind + 1] = layout.first[kind] + is_in(static_cast<Kind>(kind), dimension);
  }
  return layout;
}

template <int D>
void expect_words_where_kernels_read_them(double steadiness, Method method) {
  const KernelTable<D, float>& table = kernel_table<D, float>(chosen_isa(Isa::widest));
  const SceneLayout layout = one_of_each(D);
  CollideOptions options;
  options.steadiness = steadiness;
  options.method = method;
  const WarmPairs warm(layout, nullptr, D, options);
  for (int pair = 0; pair < kPairKindCount; ++pair) {
    const KindsOfPair kinds = kinds_of(pair);
    if (!can_meet(kinds.a, kinds.b, D)) continue;
    SCOPED_TRACE(pair_kind_name(pair, D));
    const bool is_searched = D == 3 && method == Method::gjk_epa && !has_unbounded(kinds);
    const Words words = is_searched ? table.by_support.words : table.pairs[pair].words;
    const bool are_read = words == Words::always || (words == Words::steady && steadiness > 0);
    const bool has_words = warm.has({layout.id(kinds.a, 0), layout.id(kinds.b, 0)});
    EXPECT_LE(are_read, has_words);
    // Spheres and planes have no words of their own, so no pair pays for them.
    if (!is_searched && words_of(kinds.a, D) == Words::none &&
        words_of(kinds.b, D) == Words::none) {
      EXPECT_FALSE(has_words && method == Method::automatic);
    }
  }
}

TEST(warm_pairs, have_words_where_kernels_read_them) {
  for (const double steadiness : {0.0, 0.01}) {
    for (const Method method : {Method::automatic, Method::gjk_epa}) {
      expect_words_where_kernels_read_them<2>(steadiness, method);
      expect_words_where_kernels_read_them<3>(steadiness, method);
    }
  }
}

}  // namespace
}  // namespace widephase::test
