#include <widephase/scene.hpp>
#include <widephase/version.hpp>

#include <string>

namespace widephase {

std::string_view version() { return WIDEPHASE_VERSION; }

void locate(const SceneLayout& layout, std::span<const std::int32_t> ids, std::span<Kind> kinds,
            std::span<std::int32_t> rows) {
  if (kinds.size() != ids.size() || rows.size() != ids.size()) {
    throw Error("locate: ids, kinds and rows must have the same length");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= layout.shape_count()) {
      throw Error(Finding{"ids", static_cast<std::int64_t>(i),
                          "is " + std::to_string(ids[i]) + "; the scene's ids are 0 to " +
                              std::to_string(layout.shape_count() - 1)});
    }
    kinds[i] = layout.kind_of(ids[i]);
    rows[i] = ids[i] - layout.first[static_cast<int>(kinds[i])];
  }
}

template <int D, class T>
std::int32_t world_count(const SceneSpan<D, T>& scene) {
  std::int32_t largest = 0;
  std::size_t shapes = 0;
  for_each_table(scene, [&](const auto& table) {
    shapes += row_count(table);
    for (std::size_t i = 0; i < table.world.size(); ++i) {
      largest = table.world(i) > largest ? table.world(i) : largest;
    }
  });
  return shapes == 0 ? 0 : largest + 1;
}

template std::int32_t world_count(const SceneSpan<2, float>&);
template std::int32_t world_count(const SceneSpan<2, double>&);
template std::int32_t world_count(const SceneSpan<2, Mixed>&);
template std::int32_t world_count(const SceneSpan<3, float>&);
template std::int32_t world_count(const SceneSpan<3, double>&);
template std::int32_t world_count(const SceneSpan<3, Mixed>&);

}  // namespace widephase
