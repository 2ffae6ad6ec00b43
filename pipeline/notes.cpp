#include <widephase/notes.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

#include "pipeline/rows/static_scene.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

std::string world_text(std::size_t rows, std::int32_t worlds) {
  return "is not given, so its " + number(rows) + (rows == 1 ? " row is" : " rows are") +
         " in world 0 of " + number(worlds) + " only; -1 puts them in all";
}

template <int D, class T>
void note_worlds(const SceneSpan<D, T>& scene, std::vector<Finding>& notes) {
  bool has_worlds = false, lacks_worlds = false;
  for_each_table(scene, [&](const auto& table) {
    (table.world.empty() ? lacks_worlds : has_worlds) |= row_count(table) != 0;
  });
  const std::size_t kept_rows = scene.kept == nullptr ? 0 : scene.kept->size();
  const bool kept_lacks = kept_rows != 0 && scene.kept->state().rows.world.empty();
  has_worlds |= kept_rows != 0 && !kept_lacks;
  // Counting worlds takes a pass over all shapes.
  if (!has_worlds || !(lacks_worlds || kept_lacks)) return;
  const std::int32_t worlds = world_count(scene);
  if (worlds < 2) return;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    if (!table.world.empty() || row_count(table) == 0) return;
    notes.push_back({std::string(kind_name(Table::kind, D)) + ".world", -1,
                     world_text(row_count(table), worlds)});
  });
  if (kept_lacks) notes.push_back({"kept.world", -1, world_text(kept_rows, worlds)});
}

/// The least and the largest owner; first > last if there is none.
struct OwnerRange {
  std::int32_t first = std::numeric_limits<std::int32_t>::max();
  std::int32_t last = -1;
  void add(std::int32_t owner) {
    if (owner < 0) return;
    first = std::min(first, owner);
    last = std::max(last, owner);
  }
  bool has(std::int32_t owner) const { return first <= owner && owner <= last; }
};

/// Both scenes number their owners from where they like, so the same number seldom means the same
/// object. Where the kept scene is numbered on, this is two passes: Python asks in each step.
template <int D, class T>
void note_owners(const SceneSpan<D, T>& scene, std::vector<Finding>& notes) {
  if (scene.kept == nullptr || scene.kept->state().rows.owner.empty()) return;
  const auto for_each_owner = [&](const auto& visit) {
    for_each_table(scene, [&](const auto& table) {
      for (std::size_t row = 0; row < table.owner.size(); ++row) visit(table.owner(row));
    });
  };
  OwnerRange moving, shared;
  for_each_owner([&](std::int32_t owner) { moving.add(owner); });
  std::unordered_set<std::int32_t> kept, both;
  std::int32_t before = -1;  // owners come in runs
  for (const std::int32_t owner : scene.kept->state().rows.owner) {
    if (owner != before && moving.has(owner)) kept.insert(owner);
    before = owner;
  }
  if (kept.empty()) return;
  before = -1;
  for_each_owner([&](std::int32_t owner) {
    if (owner == before || !kept.contains(owner)) return;
    before = owner;
    both.insert(owner);
    shared.add(owner);
  });
  if (both.empty()) return;
  const std::string which = both.size() == 1
                                ? "has owner " + number(shared.first)
                                : "has " + number(both.size()) + " owners from " +
                                      number(shared.first) + " to " + number(shared.last);
  notes.push_back({"kept.owner", -1,
                   which + " that the scene has too: shapes of one owner never meet, so number "
                           "them on if they are not the same objects"});
}

/// Two fixed shapes never meet, and those that are kept count as fixed.
template <int D, class T>
void note_fixed(const SceneSpan<D, T>& scene, std::vector<Finding>& notes) {
  if (scene.kept == nullptr || layout_of(scene).shape_count() == 0) return;
  bool is_every_fixed = true;
  for_each_table(scene, [&](const auto& table) {
    for (std::size_t row = 0; is_every_fixed && row < row_count(table); ++row) {
      is_every_fixed = value_or(table.fixed, row, std::uint8_t{0}) != 0;
    }
  });
  if (!is_every_fixed) return;
  notes.push_back({"fixed", -1,
                   "is set for every shape, and what is kept counts as fixed, so nothing meets: "
                   "keep this scene, and ask with the one that moves"});
}

/// `body` alone is a filter, as those who exclude bodies know; most who name bodies mean their
/// frames.
template <int D, class T>
void note_bodies(const SceneSpan<D, T>& scene, std::vector<Finding>& notes) {
  if (!scene.bodies.empty() || !scene.excluded_bodies.empty()) return;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    for (std::size_t row = 0; row < table.body.size(); ++row) {
      if (table.body(row) < 0) continue;
      notes.push_back({std::string(kind_name(Table::kind, D)) + ".body", -1,
                       "is given, and bodies has no poses: the column only filters, so shapes of "
                       "one body never meet"});
      return;
    }
  });
}

template <int D, class T>
void note_categories(const SceneSpan<D, T>& scene, std::vector<Finding>& notes) {
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    std::size_t count = 0, first = 0;
    for (std::size_t row = table.category.size(); row-- > 0;) {
      if (table.category(row) != 0) continue;
      ++count;
      first = row;
    }
    if (count == 0) return;
    notes.push_back(
        {std::string(kind_name(Table::kind, D)) + ".category", static_cast<std::int64_t>(first),
         "is 0" + (count == 1 ? std::string() : ", as in " + number(count - 1) + " more") +
             ": a shape without a bit meets nothing; the default is 1"});
  });
}

}  // namespace

template <int D, class T>
std::vector<Finding> notes_of(const SceneSpan<D, T>& scene) {
  std::vector<Finding> notes;
  note_worlds(scene, notes);
  note_owners(scene, notes);
  note_fixed(scene, notes);
  note_bodies(scene, notes);
  note_categories(scene, notes);
  return notes;
}

#define WIDEPHASE_INSTANTIATE(D, T) template std::vector<Finding> notes_of(const SceneSpan<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
