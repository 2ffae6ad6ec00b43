// The requested instruction set is the one that runs; a set that cannot run is refused.
// Labels: emulated-x86 emulated-arm own-sets

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "kernels/isa/widest_of.hpp"
#include "reference/solids.hpp"

namespace widephase::test {
namespace {

/// Sets WIDEPHASE_ISA until the end of the scope.
class Environment {
 public:
  explicit Environment(const std::optional<std::string>& value) {
    if (const char* old = std::getenv("WIDEPHASE_ISA")) old_ = old;
    set(value);
  }
  ~Environment() { set(old_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static void set(const std::optional<std::string>& value) {
    if (value) {
      setenv("WIDEPHASE_ISA", value->c_str(), 1);
    } else {
      unsetenv("WIDEPHASE_ISA");
    }
  }
  std::optional<std::string> old_;
};

constexpr std::array<Isa, 5> kAllIsas{Isa::scalar, Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon64};

bool is_built(Isa isa) {
  for (const Isa built : built_isas()) {
    if (built == isa) return true;
  }
  return false;
}

/// Collides two touching circles with an option and returns the set that ran.
template <int D, class T>
Isa ran_with(Isa isa) {
  SceneColumns<D, T> scene;
  append(scene, ball<D>({0, 0}, 1));
  append(scene, ball<D>({1, 0}, 1));
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.isa = isa;
  collide<D, T>(scene, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 1u);
  return workspace.stats().isa;
}

TEST(isa, the_forced_set_is_the_one_that_ran) {
  ASSERT_FALSE(usable_isas().empty());
  for (const Isa isa : usable_isas()) {
    EXPECT_EQ((ran_with<2, float>(isa)), isa) << isa_name(isa);
    EXPECT_EQ((ran_with<2, double>(isa)), isa) << isa_name(isa);
    EXPECT_EQ((ran_with<3, float>(isa)), isa) << isa_name(isa);
    EXPECT_EQ((ran_with<3, double>(isa)), isa) << isa_name(isa);
  }
}

TEST(isa, the_environment_forces_a_set) {
  for (const Isa isa : usable_isas()) {
    const Environment environment{std::string(isa_name(isa))};
    EXPECT_EQ(chosen_isa(), isa);
    EXPECT_EQ((ran_with<3, float>(Isa::widest)), isa) << isa_name(isa);
  }
}

TEST(isa, an_option_goes_before_the_environment) {
  const Environment environment{std::string(isa_name(usable_isas().back()))};
  const Isa isa = usable_isas().front();
  EXPECT_EQ((ran_with<2, float>(isa)), isa);
}

TEST(isa, without_either_the_widest_runs) {
  const Environment environment{std::nullopt};
  EXPECT_EQ(chosen_isa(), usable_isas().back());
  EXPECT_EQ((ran_with<2, float>(Isa::widest)), usable_isas().back());
}

TEST(isa, an_unknown_name_in_the_environment_is_an_error_that_names_those_there_are) {
  const Environment environment{"avx9000"};
  try {
    ran_with<2, float>(Isa::widest);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("avx9000"), std::string::npos) << text;
    for (const Isa isa : built_isas()) {
      EXPECT_NE(text.find(isa_name(isa)), std::string::npos) << text;
    }
  }
}

TEST(isa, a_set_that_cannot_run_is_an_error) {
  for (const Isa isa : kAllIsas) {
    if (is_built(isa) && cpu_has(isa)) continue;
    EXPECT_THROW(chosen_isa(isa), Error) << isa_name(isa);
    EXPECT_THROW((ran_with<2, float>(isa)), Error) << isa_name(isa);
    const Environment environment{std::string(isa_name(isa))};
    EXPECT_THROW((ran_with<2, float>(Isa::widest)), Error) << isa_name(isa);
  }
  // Every machine lacks at least one of these sets of x86 and arm.
  EXPECT_FALSE(cpu_has(Isa::avx2) && cpu_has(Isa::neon64));
}

TEST(isa, a_build_without_a_set_of_this_cpu_is_an_error) {
  EXPECT_EQ(widest_of(built_isas()), usable_isas().back());
  const Isa foreign[] = {cpu_has(Isa::neon64) ? Isa::avx2 : Isa::neon64};
  try {
    widest_of(foreign);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 ("this CPU has none of the instruction sets of this build, which has " +
                  std::string(isa_name(foreign[0])) +
                  "; build with WIDEPHASE_ISAS=scalar, which every CPU has")
                     .c_str());
  }
}

TEST(isa, an_environment_that_is_wrong_does_not_matter_to_a_forced_set) {
  const Environment environment{"avx9000"};
  const Isa isa = usable_isas().front();
  EXPECT_EQ((ran_with<2, float>(isa)), isa);
}

TEST(isa, names_and_sets_belong_together) {
  for (const Isa isa : kAllIsas) EXPECT_EQ(isa_from_name(isa_name(isa)), isa);
  EXPECT_EQ(isa_from_name("widest"), Isa::widest);
  EXPECT_THROW(isa_from_name(""), Error);
  EXPECT_THROW(isa_from_name("AVX2"), Error);
}

TEST(isa, sets_are_listed_narrowest_first) {
  ASSERT_FALSE(built_isas().empty());
  for (std::size_t i = 1; i < built_isas().size(); ++i) {
    EXPECT_LT(built_isas()[i - 1], built_isas()[i]);
  }
  if (is_built(Isa::scalar)) {
    EXPECT_EQ(built_isas()[0], Isa::scalar);
    EXPECT_TRUE(cpu_has(Isa::scalar));
  }
}

}  // namespace
}  // namespace widephase::test
