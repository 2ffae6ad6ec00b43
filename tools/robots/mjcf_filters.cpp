#include "tools/robots/mjcf_filters.hpp"

#include <tuple>

#include "soa/kind_traits.hpp"

namespace widephase::tools {

namespace {

constexpr std::size_t kMostBits = 32;

}  // namespace

bool MjcfFilters::group_of(const ContactBits& bits, std::uint32_t& group) {
  const auto [known, is_new] = unpaired_.emplace(bits, static_cast<std::uint32_t>(groups_.size()));
  group = known->second;
  if (!is_new) return true;
  groups_.push_back({bits, {}});
  return unpaired_.size() <= kMostBits;
}

std::uint32_t MjcfFilters::add_paired(const ContactBits& bits) {
  groups_.push_back({bits, {}});
  return static_cast<std::uint32_t>(groups_.size()) - 1;
}

void MjcfFilters::pair(std::uint32_t a, std::uint32_t b) {
  groups_[a].partners.insert(b);
  groups_[b].partners.insert(a);
}

/// MuJoCo: two geoms collide if the contype of one shares a bit with the conaffinity of the other,
/// in either direction. The scene's rule needs both directions. This relation is symmetric, so with
/// masks made from it both rules agree.
bool MjcfFilters::may_meet(const Group& a, const Group& b, std::uint32_t index_of_b) const {
  if (is_disabled_) return false;
  return (a.bits[0] & b.bits[1]) != 0 || (b.bits[0] & a.bits[1]) != 0 ||
         a.partners.contains(index_of_b);
}

bool MjcfFilters::write(SceneColumns<3, double>& scene) const {
  // Groups of equal bits and equal partners are one class. If one of them is a partner of a group,
  // so are all, since partners are mutual; and none is a partner of another of its own class.
  std::map<std::tuple<ContactBits, std::set<std::uint32_t>>, std::size_t> classes;
  std::vector<std::uint32_t> first;  // a group of each class
  std::vector<std::size_t> class_of(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto [known, is_new] =
        classes.emplace(std::tuple{groups_[i].bits, groups_[i].partners}, first.size());
    class_of[i] = known->second;
    if (is_new) first.push_back(static_cast<std::uint32_t>(i));
  }
  if (first.size() > kMostBits) return false;
  std::array<std::uint32_t, kMostBits> masks{};
  for (std::size_t a = 0; a < first.size(); ++a) {
    for (std::size_t b = 0; b < first.size(); ++b) {
      if (may_meet(groups_[first[a]], groups_[first[b]], first[b])) {
        masks[a] |= std::uint32_t{1} << b;
      }
    }
  }
  const bool all_meet = first.size() == 1 && masks[0] == 1;
  for_each_table(scene, [&](auto& table) {
    if (all_meet) {
      table.category.clear();
      table.mask.clear();
    }
    for (std::size_t row = 0; row < table.category.size(); ++row) {
      const std::size_t own = class_of[table.category[row]];
      table.category[row] = std::uint32_t{1} << own;
      table.mask[row] = masks[own];
    }
  });
  return true;
}

}  // namespace widephase::tools
