#include "tools/robots/mjcf_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

/// Pairs of copies are tried one by one.
constexpr std::size_t kMostPairsOfCopies = 10'000'000;

template <class Visit>
void for_each_pair(const XMLElement& contact, Visit visit) {
  for (const XMLElement* e = contact.FirstChildElement("pair"); e != nullptr;
       e = e->NextSiblingElement("pair")) {
    visit(*e);
  }
}

/// A name in one copy is not visible in another.
bool see_each_other(const PairedGeom& a, const PairedGeom& b) {
  const std::size_t shared = std::min(a.copies.size(), b.copies.size());
  return std::ranges::equal(std::span(a.copies).first(shared), std::span(b.copies).first(shared));
}

}  // namespace

void MjcfPairs::read(const MjcfModel& model, const XMLElement& contact) {
  for_each_pair(contact, [&](const XMLElement& pair) {
    for (const char* side : {"geom1", "geom2"}) {
      names_[&model].insert(required_attribute(model.path(), pair, side));
    }
  });
}

bool MjcfPairs::names(const MjcfModel& model, const std::string& geom) const {
  const auto known = names_.find(&model);
  return known != names_.end() && known->second.contains(geom);
}

/// Pairs as they are applied.
class MjcfPairs::Applied {
 public:
  Applied(const MjcfPairs& pairs, const std::vector<MjcfWeld>& welds, MjcfFilters& filters,
          std::vector<std::string>& notes)
      : pairs_(pairs), welds_(welds), filters_(filters), notes_(notes) {}

  /// `is_whole`: all geoms of the model are there.
  void add(MjcfModel& model, const std::string& prefix, bool is_whole) {
    for (const XMLElement* contact = model.root().FirstChildElement("contact"); contact != nullptr;
         contact = contact->NextSiblingElement("contact")) {
      for_each_pair(*contact, [&](const XMLElement& pair) {
        const auto& some = geoms(model, prefix, pair, "geom1", is_whole);
        const auto& others = geoms(model, prefix, pair, "geom2", is_whole);
        if (!some.empty() && others.size() > kMostPairsOfCopies / some.size()) {
          model.fail(pair, fmt::format("makes more than {} pairs of copies", kMostPairsOfCopies));
        }
        bool can_meet = true;
        for (const PairedGeom& a : some) {
          for (const PairedGeom& b : others) {
            if (see_each_other(a, b)) can_meet = add(a, b) && can_meet;
          }
        }
        if (can_meet) return;
        notes_.push_back(error_at(model.path(), pair,
                                  fmt::format("pairs {} and {}, which do not move relative to each "
                                              "other and never meet here",
                                              attribute(pair, "geom1"), attribute(pair, "geom2")))
                             .what());
      });
    }
  }

  std::vector<std::array<std::size_t, 2>> shapes;

 private:
  const std::vector<PairedGeom>& geoms(const MjcfModel& model, const std::string& prefix,
                                       const XMLElement& pair, const char* side, bool is_whole) {
    static const std::vector<PairedGeom> none;
    const std::string name(attribute(pair, side));
    const auto known = pairs_.geoms_.find(prefix + name);
    if (known != pairs_.geoms_.end()) return known->second;
    if (!is_whole) return none;
    model.fail(pair, fmt::format("pairs the geom {}, which is not there", in_quotes(name)));
  }

  /// False for geoms that never meet in a scene, whatever else it says.
  bool add(const PairedGeom& a, const PairedGeom& b) {
    if (a.weld == b.weld || (welds_[a.weld].is_fixed && welds_[b.weld].is_fixed)) return false;
    filters_.pair(a.group, b.group);
    shapes.push_back({a.shape, b.shape});
    return true;
  }

  const MjcfPairs& pairs_;
  const std::vector<MjcfWeld>& welds_;
  MjcfFilters& filters_;
  std::vector<std::string>& notes_;
};

std::vector<std::array<std::size_t, 2>> MjcfPairs::apply(MjcfModel& model,
                                                         const std::vector<MjcfWeld>& welds,
                                                         MjcfFilters& filters,
                                                         std::vector<std::string>& notes) {
  Applied applied(*this, welds, filters, notes);
  applied.add(model, "", true);
  for (const auto& [attached, prefix] : attached_) applied.add(*attached, prefix, false);
  return std::move(applied.shapes);
}

}  // namespace widephase::tools
