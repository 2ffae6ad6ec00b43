#include "tools/formats/drop_invalid.hpp"

#include <limits>
#include <string>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

namespace {

constexpr std::int32_t kDropped = -1;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// The id of the shape with the problem; -1 if the problem is not about a single shape.
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

/// Keeps the rows whose shapes are not dropped. `first` is the id of row 0.
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

/// Renames a pair of ids; false if one of them was dropped.
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

template <int D, class T>
std::vector<bool> empty_geometries(const GeometryTable<Owned<D, T>>& geometries) {
  std::vector<bool> is_empty;
  for (std::size_t g = 0; g + 1 < geometries.offsets.size(); ++g) {
    is_empty.push_back(geometries.offsets[g] == geometries.offsets[g + 1]);
  }
  return is_empty;
}

/// Drops the shapes that name an empty geometry, and adds a message per geometry that lists them.
template <class Table>
void drop_geometries(const Table& table, const std::vector<bool>& is_empty,
                     const std::vector<Finding>& refused, std::size_t first_id,
                     std::vector<std::int32_t>& new_id, DroppedShapes& dropped) {
  std::vector<std::string> rows(is_empty.size());
  for (std::size_t row = 0; row < table.geometry.size(); ++row) {
    const auto g = static_cast<std::size_t>(table.geometry[row]);  // negative indices become huge
    if (g >= is_empty.size() || !is_empty[g]) continue;
    new_id[first_id + row] = kDropped;
    rows[g] += (rows[g].empty() ? "" : ", ") + std::to_string(row);
  }
  const std::string kind(kind_name(Table::kind, Table::D));
  std::size_t next = 0;
  for (std::size_t g = 0; g < is_empty.size(); ++g) {
    if (!is_empty[g]) continue;
    const bool has_several = rows[g].find(',') != std::string::npos;
    dropped.messages.push_back(
        said(refused.at(next++)) +
        (rows[g].empty() ? " (no " + kind + " names it)"
                         : " (" + kind + (has_several ? "s " : " ") + rows[g] + " left out)"));
  }
}

/// Removes the empty geometries from the table and renumbers the others.
template <int D, class T, class Table>
void keep_geometries(const std::vector<bool>& is_empty, GeometryTable<Owned<D, T>>& geometries,
                     Table& table) {
  std::vector<std::int32_t> new_index;
  std::size_t kept = 0;
  for (std::size_t g = 0; g < is_empty.size(); ++g) {
    new_index.push_back(static_cast<std::int32_t>(kept));
    if (!is_empty[g]) geometries.offsets[++kept] = geometries.offsets[g + 1];
  }
  geometries.offsets.resize_uninitialized(is_empty.empty() ? 0 : kept + 1);
  for (std::size_t row = 0; row < table.geometry.size(); ++row) {
    table.geometry[row] = new_index[static_cast<std::size_t>(table.geometry[row])];
  }
}

/// The table of shapes that name geometries.
template <class T>
auto& instances_of(SceneColumns<2, T>& scene) {
  return scene.polygons;
}
template <class T>
auto& instances_of(SceneColumns<3, T>& scene) {
  return scene.hulls;
}

}  // namespace

template <int D, class T>
DroppedShapes drop_invalid(SceneColumns<D, T>& scene, const std::vector<Finding>& refused,
                           std::optional<std::vector<Pair>>& pairs, double margin) {
  DroppedShapes dropped;
  const SceneLayout layout = layout_of(scene);
  if (pairs) {
    const auto findings = validate_pairs(layout, *pairs);
    if (!findings.empty()) throw Error(findings.front());
  }
  std::vector<std::int32_t> new_id(static_cast<std::size_t>(layout.shape_count()), 0);
  auto& instances = instances_of(scene);
  const std::vector<bool> is_empty = empty_geometries(scene.geometries);
  const std::int32_t first_id = layout.id(instances.kind, 0);
  drop_geometries(instances, is_empty, refused, static_cast<std::size_t>(first_id), new_id,
                  dropped);
  const auto is_told = [&](const Finding& finding) {
    return finding.array == (D == 2 ? "polygons.offsets" : "hulls.offsets") && finding.row >= 0 &&
           is_empty.at(static_cast<std::size_t>(finding.row));
  };
  for (const Finding& finding : validate(SceneSpan<D, T>(scene), margin, kAll)) {
    if (is_told(finding)) continue;
    const std::int32_t id = shape_of(finding, layout, D);
    if (id < 0) throw Error(finding);
    new_id[static_cast<std::size_t>(id)] = kDropped;
    dropped.messages.push_back(said(finding) + " (left out)");
  }
  if (dropped.messages.empty()) return dropped;
  for (std::size_t id = 0; id < new_id.size(); ++id) {
    if (new_id[id] == kDropped) continue;
    new_id[id] = static_cast<std::int32_t>(dropped.original_id.size());
    dropped.original_id.push_back(static_cast<std::int32_t>(id));
  }
  dropped.count = new_id.size() - dropped.original_id.size();
  keep_shapes(scene, layout, new_id);
  keep_geometries(is_empty, scene.geometries, instances);
  keep_excluded(scene.excluded, new_id);
  if (pairs) std::erase_if(*pairs, [&](Pair& pair) { return !rename(pair.a, pair.b, new_id); });
  return dropped;
}

template DroppedShapes drop_invalid(SceneColumns<2, float>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);
template DroppedShapes drop_invalid(SceneColumns<3, float>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);
template DroppedShapes drop_invalid(SceneColumns<2, double>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);
template DroppedShapes drop_invalid(SceneColumns<3, double>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);
template DroppedShapes drop_invalid(SceneColumns<2, Mixed>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);
template DroppedShapes drop_invalid(SceneColumns<3, Mixed>&, const std::vector<Finding>&,
                                    std::optional<std::vector<Pair>>&, double);

}  // namespace widephase::tools
