#pragma once

// Compares contacts bit by bit.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "support/verify.hpp"

namespace widephase::test {

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// The bits of contact i without its ids: equal vectors are equal answers.
template <int D, class T>
std::vector<std::uint64_t> answer_bits(const ContactBuffer<D, T>& contacts, std::size_t i);

template <int D, class T>
std::string describe(const ContactBuffer<D, T>& contacts, std::size_t i) {
  return "(" + std::to_string(contacts.pair[i].a) + ", " + std::to_string(contacts.pair[i].b) +
         ") " + describe(contact_at(contacts, i));
}

/// Whether both have the same contacts in the same order with the same ids. Sources are compared
/// too, unless they come from different lists.
template <int D, class T>
::testing::AssertionResult same_contacts(const ContactBuffer<D, T>& left,
                                         const ContactBuffer<D, T>& right,
                                         bool with_sources = true);

/// Whether the lengths of a buffer's columns agree and its offsets ascend.
template <int D, class T>
::testing::AssertionResult is_consistent(const ContactBuffer<D, T>& contacts);

/// The indices of contacts by (a, b). Each pair must occur once.
template <int D, class T>
std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places_by_pair(
    const ContactBuffer<D, T>& contacts);

/// Whether both have the same contacts, in any order.
template <int D, class T>
::testing::AssertionResult same_contact_set(const ContactBuffer<D, T>& left,
                                            const ContactBuffer<D, T>& right);

}  // namespace widephase::test
