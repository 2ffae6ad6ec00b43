#include "tools/formats/merge_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>

#include "soa/kind_traits.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/merge_domains.hpp"
#include "tools/formats/mesh_rows.hpp"
#include "tools/formats/number_shifts.hpp"
#include "tools/formats/renumbering.hpp"
#include "tools/formats/scene_names.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

class Merger {
 public:
  Merger(const std::vector<const SceneFile*>& scenes, std::vector<std::string>& notes)
      : scenes_(scenes), notes_(notes), changes_(scenes.size()) {
    dimension_ = scenes.front()->dimension();
    geometries_ = dimension_ == 2 ? "polygons" : "hulls";
  }

  SceneFile merge(const std::string& path) {
    check_dimensions();
    number_rows();
    number_worlds();
    number_keys();
    number_owners();
    number_bodies();
    number_geometries();
    rename();
    add_array("dimension", Array::of(std::vector<std::int32_t>{dimension_}, {}));
    for (const ColumnName& column : column_names(dimension_)) add_column(column);
    check_pairs();
    for (const char* name : {"excluded", "pairs"}) add_pairs(name, &Merger::id_of);
    add_pairs("excluded_owners", &Merger::owner_of);
    add_pairs("excluded_bodies", &Merger::body_of);
    add_domain();
    add_geometries();
    add_heightfields();
    add_meshes();
    add_chains();
    add_bodies();
    add_frames();
    return SceneFile(path, std::move(arrays_));
  }

 private:
  std::size_t rows_of(std::size_t scene, Kind kind) const { return scenes_[scene]->count(kind); }

  void add_array(std::string name, Array array) {
    arrays_.push_back({std::move(name), std::move(array)});
  }

  void check_dimensions() const {
    for (const SceneFile* scene : scenes_) {
      if (scene->dimension() == dimension_) continue;
      throw FileError(scene->path(),
                      fmt::format("is in {}D and {} in {}D; a scene has one "
                                  "dimension",
                                  scene->dimension(), scenes_.front()->path(), dimension_));
    }
  }

  /// `count` is that of the scenes up to this one.
  void check_count(std::size_t scene, std::int64_t count, const char* what) const {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    if (count <= kMost) return;
    throw FileError(scenes_[scene]->path(),
                    fmt::format("and the inputs before have more than {} {}", kMost, what));
  }

  void number_rows() {
    std::array<std::int64_t, kKindCount> rows{};
    std::int64_t total = 0;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      for (int k = 0; k < kKindCount; ++k) {
        const auto kind = static_cast<std::size_t>(k);
        changes_[i].row[kind] = static_cast<std::int32_t>(rows[kind]);
        const auto count = static_cast<std::int64_t>(rows_of(i, static_cast<Kind>(k)));
        rows[kind] += count;
        total += count;
      }
      check_count(i, total, "shapes");
    }
    for (int k = 0; k < kKindCount; ++k) {
      const auto kind = static_cast<std::size_t>(k);
      layout_.first[kind + 1] = layout_.first[kind] + static_cast<std::int32_t>(rows[kind]);
    }
  }

  void number_worlds() {
    const auto names = [](const SceneFile* scene) { return names_worlds(*scene); };
    if (std::ranges::none_of(scenes_, names)) return;
    std::int32_t worlds = 0;
    for (const SceneFile* scene : scenes_) {
      if (names(scene)) worlds = std::max(worlds, scene->world_count());
    }
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      if (names(scenes_[i]) || scenes_[i]->shape_count() == 0) continue;
      changes_[i].default_world = -1;
      notes_.push_back(all_worlds_note(*scenes_[i], worlds));
    }
  }

  void number_keys() {
    for (const SceneFile* scene : scenes_) {
      has_keys_ |= std::ranges::any_of(scene->arrays(), [](const NamedArray& entry) {
        return entry.name.ends_with(".key") && entry.array.count() > 0;
      });
    }
    Shifts<std::int64_t> shifts("keys");
    for (std::size_t i = 0; has_keys_ && i < scenes_.size(); ++i) {
      if (scenes_[i]->shape_count() == 0) continue;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      for (int k = 0; k < kKindCount; ++k) {
        for (const std::int64_t key : keys_of(i, static_cast<Kind>(k))) {
          least = std::min(least, key);
          most = std::max(most, key);
        }
      }
      changes_[i].key = shifts.add(*scenes_[i], least, most);
    }
  }

  /// The keys of a scene's kind; by default its ids.
  std::vector<std::int64_t> keys_of(std::size_t scene, Kind kind) const {
    if (!is_in(kind, dimension_)) return {};
    if (const Array* keys = find(scene, kind, "key")) {
      const auto values = keys->values<std::int64_t>();
      return {values.begin(), values.end()};
    }
    std::int64_t first = 0;
    for (int k = 0; k < static_cast<int>(kind); ++k) {
      first += static_cast<std::int64_t>(rows_of(scene, static_cast<Kind>(k)));
    }
    std::vector<std::int64_t> keys(rows_of(scene, kind));
    for (std::size_t row = 0; row < keys.size(); ++row) {
      keys[row] = first + static_cast<std::int64_t>(row);
    }
    return keys;
  }

  const Array* find(std::size_t scene, Kind kind, std::string_view field) const {
    return scenes_[scene]->find(fmt::format("{}.{}", kind_name(kind, dimension_), field));
  }

  void number_owners() {
    Shifts<std::int32_t> shifts("owners");
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const auto owners = numbers_of(*scenes_[i], ".owner", "excluded_owners");
      if (owners.empty()) continue;
      changes_[i].owner = shifts.add(*scenes_[i], *owners.begin(), *owners.rbegin());
    }
  }

  /// Without frames `body` is only a filter. Beside scenes that have frames it gets some too, in
  /// which nothing moves.
  void number_bodies() {
    const auto has_table = [](const SceneFile* scene) {
      return scene->find("bodies.position") != nullptr;
    };
    has_bodies_ = std::ranges::any_of(scenes_, has_table);
    Shifts<std::int32_t> shifts("bodies");
    std::int64_t count = 0;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const auto bodies = numbers_of(*scenes_[i], ".body", "excluded_bodies");
      if (!has_bodies_) {
        if (bodies.empty()) continue;
        changes_[i].body = shifts.add(*scenes_[i], *bodies.begin(), *bodies.rbegin());
        continue;
      }
      body_counts_.push_back(bodies.size());
      if (has_table(scenes_[i])) {
        changes_[i].body = static_cast<std::int32_t>(count);
        body_counts_.back() = scenes_[i]->find("bodies.position")->rows();
      } else {
        auto next = static_cast<std::int32_t>(count);
        for (const std::int32_t body : bodies) changes_[i].bodies[body] = next++;
      }
      count += static_cast<std::int64_t>(body_counts_.back());
      check_count(i, count, "bodies");
    }
  }

  void number_geometries() {
    number_library(geometries_ + ".offsets", geometries_ + ".vertices", "point sets",
                   &Renumbering::geometry, &Renumbering::vertices);
    number_library("heightfields.offsets", "heightfields.heights", "height fields",
                   &Renumbering::field, &Renumbering::heights);
    number_library("meshes.vertex_offsets", "meshes.vertices", "meshes", &Renumbering::mesh,
                   &Renumbering::mesh_vertices);
    number_library("meshes.triangle_offsets", "meshes.indices", "meshes", &Renumbering::mesh,
                   &Renumbering::mesh_triangles);
    number_library("chains.offsets", "chains.vertices", "chains", &Renumbering::chain,
                   &Renumbering::chain_vertices);
  }

  void number_library(const std::string& offsets_name, const std::string& elements,
                      const char* what, std::int32_t Renumbering::*of_geometry,
                      std::int64_t Renumbering::*before) {
    std::int64_t count = 0, rows = 0;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      changes_[i].*of_geometry = static_cast<std::int32_t>(count);
      changes_[i].*before = rows;
      const Array* offsets = scenes_[i]->find(offsets_name);
      if (offsets == nullptr || offsets->rows() == 0) continue;
      count += static_cast<std::int64_t>(offsets->rows()) - 1;
      rows += static_cast<std::int64_t>(scenes_[i]->find(elements)->rows());
      check_count(i, count, what);
    }
  }

  void rename() {
    std::set<std::string, std::less<>> taken;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      std::set<std::string> names;
      for (const NamedArray& entry : scenes_[i]->arrays()) {
        if (entry.array.type() != Type::text || entry.array.count() == 0) continue;
        const auto& distinct = entry.array.distinct_texts();
        names.insert(distinct.begin(), distinct.end());
      }
      names.erase("");
      auto& changed = changes_[i].names;
      for (const std::string& name : names) {
        if (!taken.contains(name)) continue;
        int number = 2;
        std::string other;
        do {
          other = fmt::format("{}#{}", name, number++);
        } while (taken.contains(other) || names.contains(other));
        changed[name] = other;
      }
      for (const std::string& name : names) taken.insert(renamed(i, name));
      if (changed.empty()) continue;
      notes_.push_back(fmt::format(
          "{} has {} that an input before has: {} becomes {}{}", scenes_[i]->path(),
          counted(static_cast<std::int64_t>(changed.size()), "name"), changed.begin()->first,
          changed.begin()->second, changed.size() > 1 ? ", and so on" : ""));
    }
  }

  const std::string& renamed(std::size_t scene, const std::string& name) const {
    const auto& names = changes_[scene].names;
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  }

  void add_column(const ColumnName& column) {
    bool is_there = false;
    std::size_t rows = 0;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const std::size_t count = rows_of(i, column.kind);
      rows += count;
      is_there |= scenes_[i]->find(column.name) != nullptr;
      is_there |= column.field == "world" && count > 0 && changes_[i].default_world != 0;
    }
    is_there |= column.field == "key" && has_keys_;
    if (!is_there || rows == 0) return;
    if (column.type == Type::text) return add_names(column.name, shapes_of(column.kind));
    if (column.is_real) return add_real(column.name, column.width, shapes_of(column.kind));
    if (column.type == Type::int32) {
      const std::int32_t none = column.field == "owner" || column.field == "body" ? -1 : 0;
      return add_integers<std::int32_t>(column, none);
    }
    if (column.type == Type::uint32) {
      return add_integers<std::uint32_t>(column, column.field == "category" ? 1 : ~0u);
    }
    if (column.type == Type::uint8) return add_integers<std::uint8_t>(column, 0);
    add_keys(column);
  }

  template <class T>
  void add_integers(const ColumnName& column, T none) {
    std::vector<T> all;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* array = scenes_[i]->find(column.name);
      for (std::size_t row = 0; row < rows_of(i, column.kind); ++row) {
        T value = array != nullptr ? array->values<T>()[row] : none;
        if constexpr (std::is_same_v<T, std::int32_t>) {
          const Renumbering& change = changes_[i];
          if (column.field == "world" && array == nullptr) value = change.default_world;
          if (column.field == "owner") value = owner_of(i, value);
          if (column.field == "body") value = body_of(i, value);
          if (column.field == "geometry") {
            value = column.kind == Kind::heightfield
                        ? geometry_of(i, value, "heightfields.offsets", change.field)
                    : column.kind == Kind::mesh
                        ? geometry_of(i, value, "meshes.vertex_offsets", change.mesh)
                    : column.kind == Kind::chain
                        ? geometry_of(i, value, "chains.offsets", change.chain)
                        : geometry_of(i, value, geometries_ + ".offsets", change.geometry);
          }
        }
        all.push_back(value);
      }
    }
    add_array(column.name, Array::of(all));
  }

  void add_keys(const ColumnName& column) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      for (const std::int64_t key : keys_of(i, column.kind)) all.push_back(key + changes_[i].key);
    }
    add_array(column.name, Array::of(all));
  }

  std::int32_t body_of(std::size_t scene, std::int32_t body) const {
    if (body < 0) return body;
    const auto found = changes_[scene].bodies.find(body);
    if (found != changes_[scene].bodies.end()) return found->second;
    // A body that is not there must not become that of another scene: it stays out of range.
    const bool is_valid = !has_bodies_ || static_cast<std::size_t>(body) < body_counts_[scene];
    return is_valid ? body + changes_[scene].body : std::numeric_limits<std::int32_t>::max();
  }

  std::int32_t geometry_of(std::size_t scene, std::int32_t geometry, const std::string& name,
                           std::int32_t before) const {
    const Array* offsets = scenes_[scene]->find(name);
    const std::size_t count = offsets == nullptr ? 0 : offsets->rows();
    const bool is_valid = geometry >= 0 && static_cast<std::size_t>(geometry) + 1 < count;
    return is_valid ? geometry + before : -1;
  }

  /// How many rows a scene has of something.
  using Rows = std::function<std::size_t(std::size_t scene)>;
  Rows shapes_of(Kind kind) const {
    return [this, kind](std::size_t scene) { return rows_of(scene, kind); };
  }
  Rows bodies() const {
    return [this](std::size_t scene) { return body_counts_[scene]; };
  }

  /// Floating columns of all scenes, in double if one of them is; `none` where a scene has none.
  void add_real(const std::string& name, int width, const Rows& rows,
                const std::vector<double>& none = {0}) {
    const auto is_wide = [&](const SceneFile* scene) {
      const Array* array = scene->find(name);
      return array != nullptr && array->count() > 0 && array->type() == Type::float64;
    };
    if (std::ranges::any_of(scenes_, is_wide)) return add_real<double>(name, width, rows, none);
    add_real<float>(name, width, rows, none);
  }

  template <class T>
  void add_real(const std::string& name, int width, const Rows& rows,
                const std::vector<double>& none) {
    std::vector<T> all;
    const auto columns = static_cast<std::size_t>(width);
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      if (const Array* array = scenes_[i]->find(name)) {
        visit_values(*array, [&](auto numbers) {
          for (const auto number : numbers) all.push_back(static_cast<T>(number));
        });
        continue;
      }
      for (std::size_t k = 0; k < rows(i) * columns; ++k) {
        all.push_back(static_cast<T>(none[k % columns % none.size()]));
      }
    }
    std::vector<std::size_t> shape{all.size() / columns};
    if (width > 1) shape.push_back(columns);
    add_array(name, Array::of(all, std::move(shape)));
  }

  void add_names(const std::string& name, const Rows& rows) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* array = scenes_[i]->find(name);
      for (std::size_t row = 0; row < rows(i); ++row) {
        all.push_back(array != nullptr ? renamed(i, array->text(row)) : std::string());
      }
    }
    add_array(name, Array::of_texts(all, {all.size()}));
  }

  std::int32_t id_of(std::size_t scene, std::int32_t id) const {
    std::int64_t row = id;
    for (int k = 0; k < kKindCount && row >= 0; ++k) {
      const auto count = static_cast<std::int64_t>(rows_of(scene, static_cast<Kind>(k)));
      if (row < count) {
        const auto kind = static_cast<std::size_t>(k);
        return layout_.first[kind] + changes_[scene].row[kind] + static_cast<std::int32_t>(row);
      }
      row -= count;
    }
    return -1;  // as wrong as before
  }

  std::int32_t owner_of(std::size_t scene, std::int32_t owner) const {
    return owner < 0 ? owner : owner + changes_[scene].owner;
  }

  void add_pairs(const std::string& name,
                 std::int32_t (Merger::*change)(std::size_t, std::int32_t) const) {
    std::vector<std::int32_t> all;
    bool is_there = false;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* array = scenes_[i]->find(name);
      if (array == nullptr) continue;
      is_there = true;
      for (const std::int32_t number : array->values<std::int32_t>()) {
        all.push_back((this->*change)(i, number));
      }
    }
    if (is_there) add_array(name, Array::of(all, {all.size() / 2, 2}));
  }

  void check_pairs() const {
    const auto has = [](const SceneFile* scene) { return scene->find("pairs") != nullptr; };
    const auto with = std::ranges::find_if(scenes_, has);
    const auto without = std::ranges::find_if_not(
        scenes_, [&](const SceneFile* scene) { return has(scene) || scene->shape_count() == 0; });
    if (with == scenes_.end() || without == scenes_.end()) return;
    throw FileError((*with)->path(),
                    fmt::format("has pairs of its own and {} has none; leave the array `pairs` out",
                                (*without)->path()));
  }

  void add_domain() {
    const SceneFile* chosen = scene_with_domain(scenes_);
    if (chosen == nullptr) return;
    for (const char* name : {"domain.min", "domain.max", "domain.periodic"}) {
      if (const Array* array = chosen->find(name)) add_array(name, array->copied());
    }
  }

  /// The offsets of a library of all scenes.
  std::vector<std::int64_t> offsets_of(const std::string& name,
                                       std::int64_t Renumbering::*before) const {
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* own = scenes_[i]->find(name);
      if (own == nullptr || own->rows() == 0) continue;
      // The end of the rows before is the first offset here.
      const auto added = own->values<std::int64_t>().subspan(offsets.empty() ? 0 : 1);
      for (const std::int64_t offset : added) offsets.push_back(offset + changes_[i].*before);
    }
    return offsets;
  }

  void add_heightfields() {
    const std::vector<std::int64_t> offsets =
        offsets_of("heightfields.offsets", &Renumbering::heights);
    if (offsets.empty()) return;
    const auto none = [](std::size_t) { return 0; };
    std::vector<std::int32_t> columns, neighbours;
    bool has_neighbours = false;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* own = scenes_[i]->find("heightfields.columns");
      if (own == nullptr) continue;
      const auto values = own->values<std::int32_t>();
      columns.insert(columns.end(), values.begin(), values.end());
      const Array* beyond = scenes_[i]->find("heightfields.neighbours");
      has_neighbours |= beyond != nullptr;
      for (std::size_t place = 0; place < 4 * values.size(); ++place) {
        // A wrong number of rows stays wrong.
        if (beyond != nullptr && place >= beyond->count()) break;
        const std::int32_t other = beyond == nullptr ? -1 : beyond->values<std::int32_t>()[place];
        neighbours.push_back(
            other < 0 ? other : geometry_of(i, other, "heightfields.offsets", changes_[i].field));
      }
    }
    add_real("heightfields.heights", 1, none);
    add_array("heightfields.offsets", Array::of(offsets));
    add_array("heightfields.columns", Array::of(columns));
    add_real("heightfields.cell", 2, none);
    if (!has_neighbours) return;
    const std::size_t rows = neighbours.size() / 4;
    add_array("heightfields.neighbours", Array::of(neighbours, {rows, 4}));
  }

  template <class Number>
  void add_library_rows(const char* offsets, const char* name) {
    const std::vector<Number> rows = rows_of_libraries<Number>(scenes_, offsets, name);
    if (!rows.empty()) add_array(name, Array::of(rows));
  }

  void add_meshes() {
    const auto vertices = offsets_of("meshes.vertex_offsets", &Renumbering::mesh_vertices);
    if (vertices.empty()) return;
    std::vector<std::int32_t> indices;
    for (const SceneFile* scene : scenes_) {
      const Array* own = scene->find("meshes.indices");
      if (own == nullptr) continue;
      for (const std::int32_t vertex : own->values<std::int32_t>()) indices.push_back(vertex);
    }
    add_real("meshes.vertices", 3, [](std::size_t) { return 0; });
    add_array("meshes.vertex_offsets", Array::of(vertices));
    add_array("meshes.indices", Array::of(indices, {indices.size() / 3, 3}));
    add_array("meshes.triangle_offsets",
              Array::of(offsets_of("meshes.triangle_offsets", &Renumbering::mesh_triangles)));
    add_library_rows<std::uint8_t>("meshes.vertex_offsets", "meshes.two_sided");
    add_library_rows<std::int32_t>("meshes.vertex_offsets", "meshes.beyond");
  }

  void add_chains() {
    const auto offsets = offsets_of("chains.offsets", &Renumbering::chain_vertices);
    if (offsets.empty()) return;
    add_real("chains.vertices", 2, [](std::size_t) { return 0; });
    add_array("chains.offsets", Array::of(offsets));
    add_library_rows<std::uint8_t>("chains.offsets", "chains.loop");
    add_library_rows<std::uint8_t>("chains.offsets", "chains.two_sided");
    add_library_rows<std::int32_t>("chains.offsets", "chains.before");
    add_library_rows<std::int32_t>("chains.offsets", "chains.after");
  }

  void add_geometries() {
    const std::vector<std::int64_t> offsets =
        offsets_of(geometries_ + ".offsets", &Renumbering::vertices);
    std::vector<std::uint8_t> inner;
    bool has_inner = false;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const Array* own = scenes_[i]->find(geometries_ + ".offsets");
      if (own == nullptr || own->rows() == 0) continue;
      const Array* flags = scenes_[i]->find(geometries_ + ".inner");
      has_inner |= flags != nullptr;
      const std::size_t vertices = scenes_[i]->find(geometries_ + ".vertices")->rows();
      for (std::size_t row = 0; row < vertices; ++row) {
        inner.push_back(flags != nullptr ? flags->values<std::uint8_t>()[row] : 0);
      }
    }
    if (offsets.empty()) return;
    add_real(geometries_ + ".vertices", dimension_, [](std::size_t) { return 0; });
    add_array(geometries_ + ".offsets", Array::of(offsets));
    if (has_inner) add_array(geometries_ + ".inner", Array::of(inner));
  }

  void add_bodies() {
    if (!has_bodies_) return;
    const std::string turn = dimension_ == 2 ? "bodies.angle" : "bodies.orientation";
    const auto has = [&](const std::string& name) {
      return std::ranges::any_of(
          scenes_, [&](const SceneFile* scene) { return scene->find(name) != nullptr; });
    };
    add_real("bodies.position", dimension_, bodies());
    if (has(turn)) {
      if (dimension_ == 2) add_real(turn, 1, bodies());
      if (dimension_ == 3) add_real(turn, 4, bodies(), {0, 0, 0, 1});
    }
    if (has("bodies.name")) add_names("bodies.name", bodies());
  }

  void add_frames() {
    const SceneFile* chosen = nullptr;
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      const SceneFile* scene = scenes_[i];
      // A single frame that is now in all worlds has no number any more.
      if (scene->frames().empty() || changes_[i].default_world == -1) continue;
      if (chosen == nullptr) chosen = scene;
      if (std::ranges::equal(chosen->frames(), scene->frames())) continue;
      throw FileError(scene->path(),
                      fmt::format("has {} in its worlds and {} has {}; world by world they must be "
                                  "the same",
                                  frames_text(*scene), chosen->path(), frames_text(*chosen)));
    }
    if (chosen == nullptr) return;
    for (const SceneFile* scene : scenes_) {
      if (static_cast<std::size_t>(scene->world_count()) <= chosen->frames().size()) continue;
      throw FileError(scene->path(), fmt::format("has {} and {} has the frames of {}; world by "
                                                 "world they must be the same",
                                                 counted(scene->world_count(), "world"),
                                                 chosen->path(), chosen->frames().size()));
    }
    add_array("world.frame", chosen->find("world.frame")->copied());
  }

  const std::vector<const SceneFile*>& scenes_;
  std::vector<std::string>& notes_;
  int dimension_ = 0;
  std::string geometries_;
  SceneLayout layout_;
  std::vector<Renumbering> changes_;
  bool has_keys_ = false;
  bool has_bodies_ = false;
  std::vector<std::size_t> body_counts_;  ///< of each scene, if one has bodies
  std::vector<NamedArray> arrays_;
};

}  // namespace

SceneFile merged(const std::string& path, const std::vector<const SceneFile*>& scenes,
                 std::vector<std::string>& notes) {
  return Merger(scenes, notes).merge(path);
}

}  // namespace widephase::tools
