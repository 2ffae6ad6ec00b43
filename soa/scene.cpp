#include <widephase/scene.hpp>
#include <widephase/version.hpp>

#include <string>

#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

std::string_view version() { return WIDEPHASE_VERSION; }

void locate(const SceneLayout& layout, std::span<const std::int32_t> ids, std::span<Kind> kinds,
            std::span<std::int32_t> rows) {
  if (kinds.size() != ids.size() || rows.size() != ids.size()) {
    throw Error("locate: ids, kinds and rows must have the same length");
  }
  require_address("ids", ids);
  require_address("kinds", kinds);
  require_address("rows", rows);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= layout.shape_count()) {
      throw Error(Finding{"ids", static_cast<std::int64_t>(i),
                          "is " + number(ids[i]) + "; the scene's ids are 0 to " +
                              number(layout.shape_count() - 1)});
    }
    kinds[i] = layout.kind_of(ids[i]);
    rows[i] = ids[i] - layout.first[static_cast<int>(kinds[i])];
  }
}

template <int D, class T>
void look_at(const SceneColumns<D, T>& owner, SceneSpan<D, T>& view) {
  // Most columns are empty, and small scenes would take as long as their calls to copy these.
  const auto look = [](auto& span, const auto& column) {
    if (!span.empty() || !column.empty()) [[unlikely]] span = column;
  };
  for_each_table_pair(view, owner, [&](auto& table, const auto& owned) {
    for_each_field_pair(
        table, owned, [&](const Field&, auto& span, const auto& column) { look(span, column); });
  });
  view.excluded = owner.excluded;
  view.excluded_owners = owner.excluded_owners;
  view.excluded_bodies = owner.excluded_bodies;
  view.domain = owner.domain;
  view.for_each_geometry_column(
      [&](auto, auto, auto& span, const auto& column) { look(span, column); }, view, owner);
  view.bodies.position = owner.bodies.position;
  view.bodies.turn = owner.bodies.turn;
  view.kept = owner.kept;
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template void look_at(const SceneColumns<D, T>&, SceneSpan<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
