#include "tools/formats/point_sets.hpp"

#include "soa/instantiate.hpp"

namespace widephase::tools {

template <int D, class T>
void give_point_sets(SceneColumns<D, T>& moving, SceneColumns<D, T>& kept) {
  auto& from = moving.geometries;
  auto& to = kept.geometries;
  if (from.offsets.empty()) return;
  if (to.offsets.empty()) to.offsets.push_back({0});
  const auto sets = static_cast<std::int32_t>(to.offsets.size() - 1);
  const std::size_t before = to.vertices.size();
  for (std::size_t i = 1; i < from.offsets.size(); ++i) {
    to.offsets.push_back({from.offsets[i] + static_cast<std::int64_t>(before)});
  }
  for (std::size_t i = 0; i < from.vertices.size(); ++i)
    to.vertices.push_back(from.vertices.row(i));
  if (!from.inner.empty() || !to.inner.empty()) {
    to.inner.resize(before);
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      to.inner.push_back({from.inner.empty() ? std::uint8_t{0} : from.inner[i]});
    }
  }
  from = {};
  for_each_table(moving, [&](auto& table) {
    if constexpr (requires { table.geometry; }) {
      for (std::size_t i = 0; i < table.geometry.size(); ++i) table.geometry[i] += sets;
    }
  });
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template void give_point_sets(SceneColumns<D, T>&, SceneColumns<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
