#include "drop_invalid.hpp"

#include <limits>

namespace widephase::tools {

namespace {

constexpr std::int32_t kDropped = -1;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// The id of the shape that a finding is about; -1 when it is about something else.
std::int32_t shape_of(const Finding& finding, const SceneLayout& layout, int dimension) {
  const std::string kind = finding.array.substr(0, finding.array.find('.'));
  for (int i = 0; finding.row >= 0 && i < kKindCount; ++i) {
    if (kind_name(static_cast<Kind>(i), dimension) == kind &&
        finding.row < layout.count(static_cast<Kind>(i))) {
      return layout.id(static_cast<Kind>(i), static_cast<std::int32_t>(finding.row));
    }
  }
  return -1;
}

/// Keeps the rows whose new id (from `first` on) is not dropped.
template <class T, int W>
void keep_rows(Column<T, W>& column, const std::vector<std::int32_t>& new_id, std::size_t first) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (new_id[first + row] == kDropped) continue;
    column.set(kept++, column.row(row));
  }
  column.resize_uninitialized(kept);
}

template <int D, class T>
void keep_shapes(SceneColumns<D, T>& scene, const SceneLayout& layout,
                 const std::vector<std::int32_t>& new_id) {
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    const auto first = static_cast<std::size_t>(layout.id(kind, 0));
    for_each_field(table, [&](const auto&, auto& column) { keep_rows(column, new_id, first); });
  });
}

/// Renames a pair of ids; false when one of them was dropped.
bool rename(std::int32_t& a, std::int32_t& b, const std::vector<std::int32_t>& new_id) {
  a = new_id[static_cast<std::size_t>(a)];
  b = new_id[static_cast<std::size_t>(b)];
  return a != kDropped && b != kDropped;
}

void keep_excluded(Column<std::int32_t, 2>& excluded, const std::vector<std::int32_t>& new_id) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    auto [a, b] = excluded.row(i);
    if (rename(a, b, new_id)) excluded.set(kept++, {a, b});
  }
  excluded.resize_uninitialized(kept);
}

}  // namespace

template <int D, class T>
DroppedShapes drop_invalid(SceneColumns<D, T>& scene, std::optional<std::vector<Pair>>& pairs,
                           double margin) {
  DroppedShapes dropped;
  const SceneLayout layout = layout_of(scene);
  if (pairs) {
    const auto findings = validate_pairs(layout, *pairs);
    if (!findings.empty()) throw Error(findings.front());
  }
  std::vector<std::int32_t> new_id(static_cast<std::size_t>(layout.shape_count()), 0);
  for (const Finding& finding : validate(SceneSpan<D, T>(scene), margin, kAll)) {
    const std::int32_t id = shape_of(finding, layout, D);
    if (id < 0) throw Error(finding);
    new_id[static_cast<std::size_t>(id)] = kDropped;
    dropped.messages.push_back(finding.text());
  }
  if (dropped.messages.empty()) return dropped;
  for (std::size_t id = 0; id < new_id.size(); ++id) {
    if (new_id[id] == kDropped) continue;
    new_id[id] = static_cast<std::int32_t>(dropped.original_id.size());
    dropped.original_id.push_back(static_cast<std::int32_t>(id));
  }
  dropped.count = new_id.size() - dropped.original_id.size();
  keep_shapes(scene, layout, new_id);
  keep_excluded(scene.excluded, new_id);
  if (pairs) std::erase_if(*pairs, [&](Pair& pair) { return !rename(pair.a, pair.b, new_id); });
  return dropped;
}

template DroppedShapes drop_invalid(SceneColumns<2, float>&, std::optional<std::vector<Pair>>&,
                                    double);
template DroppedShapes drop_invalid(SceneColumns<3, float>&, std::optional<std::vector<Pair>>&,
                                    double);
template DroppedShapes drop_invalid(SceneColumns<2, double>&, std::optional<std::vector<Pair>>&,
                                    double);
template DroppedShapes drop_invalid(SceneColumns<3, double>&, std::optional<std::vector<Pair>>&,
                                    double);

}  // namespace widephase::tools
