#pragma once

// The <pair> elements of MJCF: geoms that meet whatever their own numbers, parents and excluded
// bodies say.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/robots/mjcf_filters.hpp"
#include "tools/robots/mjcf_joints.hpp"
#include "tools/robots/mjcf_model.hpp"

namespace widephase::tools {

/// A geom that a <pair> names.
struct PairedGeom {
  std::size_t shape = 0;
  std::uint32_t group = 0;  ///< of `MjcfFilters`
  std::size_t weld = 0;
  std::vector<std::size_t> copies;  ///< the index of the copy in each <replicate> around it
};

class MjcfPairs {
 public:
  /// Takes note of the names in a <contact>, before geoms are read.
  void read(const MjcfModel& model, const tinyxml2::XMLElement& contact);
  /// Whether a pair of the model names this geom.
  bool names(const MjcfModel& model, const std::string& geom) const;

  /// `name` has the prefix of the model that was attached.
  void add(const std::string& name, PairedGeom geom) { geoms_[name].push_back(std::move(geom)); }
  void add_attached(MjcfModel& model, const std::string& prefix) {
    attached_.insert({&model, prefix});
  }

  /// Lets the geoms of all pairs meet. Returns the shapes of each pair, which must not be excluded.
  std::vector<std::array<std::size_t, 2>> apply(MjcfModel& model,
                                                const std::vector<MjcfWeld>& welds,
                                                MjcfFilters& filters,
                                                std::vector<std::string>& notes);

 private:
  class Applied;
  std::map<const MjcfModel*, std::set<std::string>> names_;
  std::map<std::string, std::vector<PairedGeom>> geoms_;
  std::set<std::pair<MjcfModel*, std::string>> attached_;
};

}  // namespace widephase::tools
