#pragma once

// Which geoms of MJCF may meet, as the columns category and mask.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

namespace widephase::tools {

/// contype and conaffinity of a geom.
using ContactBits = std::array<std::uint32_t, 2>;

/// Collects geoms in groups of equal contype and conaffinity. A geom that a <pair> names is a group
/// of its own. `write` gives groups that meet the same others one bit of `category`, and the bits
/// of those others in `mask`.
class MjcfFilters {
 public:
  /// The group of a geom without pairs. 32 bits are the most groups there can be: false beyond.
  [[nodiscard]] bool group_of(const ContactBits& bits, std::uint32_t& group);
  std::uint32_t add_paired(const ContactBits& bits);
  /// These two groups meet, whatever their bits.
  void pair(std::uint32_t a, std::uint32_t b);
  void disable() { is_disabled_ = true; }

  /// Before, the shapes have their group as `category`. False if 32 bits are too few.
  [[nodiscard]] bool write(SceneColumns<3, double>& scene) const;

 private:
  struct Group {
    ContactBits bits;
    std::set<std::uint32_t> partners;
  };
  bool may_meet(const Group& a, const Group& b, std::uint32_t index_of_b) const;

  std::vector<Group> groups_;
  std::map<ContactBits, std::uint32_t> unpaired_;
  bool is_disabled_ = false;
};

}  // namespace widephase::tools
