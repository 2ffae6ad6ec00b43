#include <widephase/notes.hpp>

#include <string>

#include "pipeline/rows/static_scene.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

std::string world_text(std::size_t rows, std::int32_t worlds) {
  return "is not given, so its " + number(rows) + (rows == 1 ? " row is" : " rows are") +
         " in world 0 of " + number(worlds) + " only; -1 puts them in all";
}

}  // namespace

template <int D, class T>
std::vector<Finding> notes_of(const SceneSpan<D, T>& scene) {
  bool has_worlds = false, lacks_worlds = false;
  for_each_table(scene, [&](const auto& table) {
    (table.world.empty() ? lacks_worlds : has_worlds) |= row_count(table) != 0;
  });
  const std::size_t kept_rows = scene.kept == nullptr ? 0 : scene.kept->size();
  const bool kept_lacks = kept_rows != 0 && scene.kept->state().rows.world.empty();
  has_worlds |= kept_rows != 0 && !kept_lacks;
  // Counting worlds takes a pass over all shapes.
  if (!has_worlds || !(lacks_worlds || kept_lacks)) return {};
  const std::int32_t worlds = world_count(scene);
  std::vector<Finding> notes;
  if (worlds < 2) return notes;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    if (!table.world.empty() || row_count(table) == 0) return;
    notes.push_back({std::string(kind_name(Table::kind, D)) + ".world", -1,
                     world_text(row_count(table), worlds)});
  });
  if (kept_lacks) notes.push_back({"kept.world", -1, world_text(kept_rows, worlds)});
  return notes;
}

#define WIDEPHASE_INSTANTIATE(D, T) template std::vector<Finding> notes_of(const SceneSpan<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
