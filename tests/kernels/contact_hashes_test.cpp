// The bits of the contacts of every generated scene: the same on every machine and with every
// compiler. invariance_test and generate_test compare the instruction sets of one build.
// Labels: other-compiler emulated-arm

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ios>
#include <iterator>
#include <string_view>

#include "support/generated.hpp"
#include "support/golden_contacts.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kCount = 500;

template <int D, class T>
std::uint64_t hash_of(std::string_view name, Method method) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  CollideOptions options;
  options.method = method;
  options.margin = 0.0625;
  collide<D, T>(scenes::generate<D, T>(name, {kCount, 1}), contacts, workspace, options);
  EXPECT_GT(contacts.size(), 0u);
  return hash(contacts);
}

template <int D>
void expect_golden_hashes() {
  std::ptrdiff_t found = 0;
  for_each_generator<D>([&](std::string_view name) {
    const GoldenContacts is{name,
                            D,
                            hash_of<D, float>(name, Method::automatic),
                            hash_of<D, double>(name, Method::automatic),
                            hash_of<D, float>(name, Method::gjk_epa),
                            hash_of<D, double>(name, Method::gjk_epa)};
    found += std::ranges::count(kGoldenContacts, is);
    EXPECT_EQ(std::ranges::count(kGoldenContacts, is), 1)
        << std::hex << "{\"" << name << "\", " << D << ", 0x" << is.single << ", 0x" << is.twofold
        << ", 0x" << is.single_by_gjk << ", 0x" << is.twofold_by_gjk << "},";
  });
  EXPECT_EQ(found, std::ranges::count(kGoldenContacts, D, &GoldenContacts::dimension));
}

TEST(contact_hashes, contacts_in_2d_are_those_of_every_machine) { expect_golden_hashes<2>(); }
TEST(contact_hashes, contacts_in_3d_are_those_of_every_machine) { expect_golden_hashes<3>(); }

}  // namespace
}  // namespace widephase::test
