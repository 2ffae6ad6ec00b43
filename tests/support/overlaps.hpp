#pragma once

#include <gtest/gtest.h>

#include "support/methods.hpp"
#include "support/mixed_pairs.hpp"
#include "support/verify.hpp"

namespace widephase::test {

struct OverlapCounts {
  std::size_t fewest_contacts = std::numeric_limits<std::size_t>::max();  ///< of one method
  std::size_t asked = 0;  ///< pairs that overlap by more than rounding, counted over all methods
};

/// Runs pairs, stored as `T`, with every method; their edges may be level. If a pair overlaps,
/// every point must name the edge that it lies on. Two level edges may tie.
template <class T>
OverlapCounts check_overlaps(const std::vector<SolidPair<2>>& pairs) {
  OverlapCounts counts;
  const PairScene<2, T> input(pairs);
  ContactBuffer<2, T> contacts;
  Workspace<2, T> workspace;
  for (const Method method : kMethods) {
    CollideOptions options;
    options.order = Order::source;
    options.method = method;
    collide_pairs<2, T>(input.scene, input.pairs, contacts, workspace, options);
    counts.fewest_contacts = std::min(counts.fewest_contacts, contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto& [a, b] = pairs[static_cast<std::size_t>(contacts.source[i])];
      Contact<2, T> contact = contact_at(contacts, i);
      contact.status = 0;
      const Reference<2> reference = reference_of(a, b);
      if (reference.depth < kDepthTolerance<T> * reference.size) continue;
      ++counts.asked;
      EXPECT_EQ((contact_problem<2, T>(a, b, reference, 0, contact)), "")
          << name_of_method(method) << "\n  A " << describe(a) << "\n  B " << describe(b) << "\n  "
          << describe(contact);
    }
  }
  return counts;
}

}  // namespace widephase::test
