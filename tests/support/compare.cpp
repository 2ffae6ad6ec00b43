#include "support/compare.hpp"

namespace widephase::test {

template <int D, class T>
std::vector<std::uint64_t> answer_bits(const ContactBuffer<D, T>& contacts, std::size_t i) {
  std::vector<std::uint64_t> bits;
  for (int k = 0; k < D; ++k) bits.push_back(bits_of(contacts.normal(i, k)));
  bits.push_back(bits_of(contacts.depth[i]));
  bits.push_back(contacts.status[i]);
  for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
    const auto row = static_cast<std::size_t>(j);
    for (int k = 0; k < D; ++k) bits.push_back(bits_of(contacts.point(row, k)));
    bits.push_back(bits_of(contacts.point_depth[row]));
    bits.push_back(contacts.feature[row]);
    for (int side = 0; !contacts.part.empty() && side < 2; ++side) {
      bits.push_back(bits_of(contacts.part(row, side)));
    }
  }
  return bits;
}

template <int D, class T>
::testing::AssertionResult same_contacts(const ContactBuffer<D, T>& left,
                                         const ContactBuffer<D, T>& right, bool with_sources) {
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left.pair[i] == right.pair[i] && (!with_sources || left.source[i] == right.source[i]) &&
        answer_bits(left, i) == answer_bits(right, i)) {
      continue;
    }
    return ::testing::AssertionFailure() << "contact " << i << " differs:\n  " << describe(left, i)
                                         << "\n  " << describe(right, i);
  }
  if (left.size() != right.size()) {
    return ::testing::AssertionFailure()
           << left.size() << " contacts on the left, " << right.size() << " on the right";
  }
  const auto same_offsets = [](const Column<std::int64_t>& a, const Column<std::int64_t>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  };
  if (!same_offsets(left.offset, right.offset)) {
    return ::testing::AssertionFailure() << "the offsets differ";
  }
  if (!same_offsets(left.world_offset, right.world_offset)) {
    return ::testing::AssertionFailure() << "the world offsets differ";
  }
  if (with_sources && hash(left) != hash(right)) {
    return ::testing::AssertionFailure() << "the hashes differ";
  }
  return ::testing::AssertionSuccess();
}

template <int D, class T>
::testing::AssertionResult is_consistent(const ContactBuffer<D, T>& contacts) {
  const std::size_t count = contacts.size();
  const std::size_t points = contacts.point_count();
  if (contacts.source.size() != count || contacts.normal.size() != count ||
      contacts.depth.size() != count || contacts.status.size() != count ||
      contacts.offset.size() != count + 1 || contacts.point.size() != points ||
      contacts.feature.size() != points ||
      (!contacts.part.empty() && contacts.part.size() != points)) {
    return ::testing::AssertionFailure() << "the columns' lengths differ";
  }
  if (contacts.offset[0] != 0 || contacts.offset[count] != static_cast<std::int64_t>(points)) {
    return ::testing::AssertionFailure() << "the offsets do not span the points";
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (contacts.offset[i] >= contacts.offset[i + 1]) {
      return ::testing::AssertionFailure() << "contact " << i << " has no point";
    }
  }
  return ::testing::AssertionSuccess();
}

template <int D, class T>
std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places_by_pair(
    const ContactBuffer<D, T>& contacts) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool is_new = places.emplace(std::pair(contacts.pair[i].a, contacts.pair[i].b), i).second;
    EXPECT_TRUE(is_new) << "twice: " << describe(contacts, i);
  }
  return places;
}

template <int D, class T>
::testing::AssertionResult same_contact_set(const ContactBuffer<D, T>& left,
                                            const ContactBuffer<D, T>& right) {
  const auto places = places_by_pair(right);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto found = places.find({left.pair[i].a, left.pair[i].b});
    if (found == places.end()) {
      return ::testing::AssertionFailure() << "only on the left: " << describe(left, i);
    }
    if (answer_bits(left, i) != answer_bits(right, found->second)) {
      return ::testing::AssertionFailure()
             << "differs:\n  " << describe(left, i) << "\n  " << describe(right, found->second);
    }
  }
  if (left.size() == right.size()) return ::testing::AssertionSuccess();
  const auto known = places_by_pair(left);
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (known.count({right.pair[i].a, right.pair[i].b}) == 0) {
      return ::testing::AssertionFailure() << "only on the right: " << describe(right, i);
    }
  }
  return ::testing::AssertionFailure() << "the counts differ";
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template std::vector<std::uint64_t> answer_bits<D, T>(const ContactBuffer<D, T>& contacts,    \
                                                        std::size_t i);                         \
  template ::testing::AssertionResult same_contacts<D, T>(                                      \
      const ContactBuffer<D, T>& left, const ContactBuffer<D, T>& right, bool with_sources);    \
  template ::testing::AssertionResult is_consistent<D, T>(const ContactBuffer<D, T>& contacts); \
  template std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places_by_pair<D, T>(   \
      const ContactBuffer<D, T>& contacts);                                                     \
  template ::testing::AssertionResult same_contact_set<D, T>(const ContactBuffer<D, T>& left,   \
                                                             const ContactBuffer<D, T>& right)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
