#include <widephase/bodies.hpp>

#include "pipeline/rows/excluded_bodies.hpp"
#include "pipeline/rows/static_scene.hpp"
#include "soa/copy_column.hpp"
#include "soa/instantiate.hpp"
#include "soa/join_column.hpp"
#include "soa/number_text.hpp"
#include "soa/right_lengths.hpp"

namespace widephase {

namespace {

constexpr std::int64_t kMostIds = std::numeric_limits<std::int32_t>::max();

/// Rows of a table that exist once, and those that every world has.
struct Rows {
  std::vector<std::size_t> shared;
  std::vector<std::size_t> repeated;
};

/// `body_count` is that of the template, whose shapes name its bodies; without any, `body` is only
/// a filter.
Rows rows_of(const std::string& kind, std::size_t row_count,
             const ColumnSpan<std::int32_t>& world_of, const ColumnSpan<std::int32_t>& body_of,
             std::size_t body_count) {
  Rows rows;
  for (std::size_t row = 0; row < row_count; ++row) {
    const std::int32_t world = value_or(world_of, row, std::int32_t{0});
    const auto place = static_cast<std::int64_t>(row);
    if (world != 0 && world != -1) {
      throw Error(Finding{kind + ".world", place,
                          "is " + number(world) +
                              "; the shapes of a template are of world 0, or of -1 to exist once"});
    }
    const std::int32_t body = value_or(body_of, row, std::int32_t{-1});
    if (body < -1 || (body_count != 0 && body >= static_cast<std::int64_t>(body_count))) {
      throw Error(Finding{kind + ".body", place,
                          "is " + number(body) + "; the template has " + number(body_count) +
                              " bodies, and -1 is none"});
    }
    if (world == -1 && body != -1) {
      throw Error(Finding{kind + ".body", place,
                          "carries a shape of world -1, which exists once; every world has bodies "
                          "of its own"});
    }
    (world == -1 ? rows.shared : rows.repeated).push_back(row);
  }
  return rows;
}

/// One function for all columns of a type: it is too large to be there once per field.
template <class T, int W>
[[gnu::noinline]] void repeat_column(const ColumnSpan<T, W>& from, const Rows& rows,
                                     std::size_t world_count, Column<T, W>& to) {
  to.resize_uninitialized(rows.shared.size() + world_count * rows.repeated.size());
  for (int w = 0; w < W; ++w) {
    T* next = to.plane(w);
    for (const std::size_t row : rows.shared) *next++ = from(row, w);
    for (std::size_t world = 0; world < world_count; ++world) {
      for (const std::size_t row : rows.repeated) *next++ = from(row, w);
    }
  }
}

/// The columns of a table; the worlds' bodies are `body_count` apart.
template <class From, class To>
void repeat_table(const From& from, const Rows& rows, std::size_t world_count,
                  std::size_t body_count, To& to) {
  for_each_field_pair(from, to, [&](const auto&, const auto& column, auto& repeated) {
    if (!column.empty()) repeat_column(column, rows, world_count, repeated);
  });
  to.world.resize(rows.shared.size(), -1);
  to.world.resize_uninitialized(rows.shared.size() + world_count * rows.repeated.size());
  std::size_t at = rows.shared.size();
  for (std::size_t world = 0; world < world_count; ++world) {
    for (std::size_t i = 0; i < rows.repeated.size(); ++i, ++at) {
      to.world[at] = static_cast<std::int32_t>(world);
      if (to.body.empty() || to.body[at] == -1) continue;
      to.body[at] += static_cast<std::int32_t>(world * body_count);
    }
  }
}

/// Where a template's shape is in the copy.
struct PlaceOfId {
  std::int64_t first = 0;
  std::int64_t step = 0;  ///< from world to world; 0: it exists once
  std::int32_t of(std::size_t world) const {
    return static_cast<std::int32_t>(first + static_cast<std::int64_t>(world) * step);
  }
};

template <int D, class T>
void check_lengths(const SceneSpan<D, T>& scene) {
  // The call that collides checks numbers; here only arrays as a whole are checked.
  if (has_right_lengths(scene)) return;
  for (const Finding& finding : validate(scene, 0, std::numeric_limits<std::size_t>::max())) {
    if (finding.row < 0) throw Error(finding);
  }
}

}  // namespace

template <int D, class T>
void replicate(const std::type_identity_t<SceneSpan<D, T>>& scene, std::int32_t world_count,
               SceneColumns<D, T>& copy) {
  copy = {};
  if (world_count < 1) {
    throw Error(Finding{"world_count", -1, "is " + number(world_count) + "; it must be 1 or more"});
  }
  check_lengths(scene);
  const SceneLayout layout = layout_of(scene);
  const auto worlds = static_cast<std::size_t>(world_count);
  const std::size_t body_count = scene.bodies.position.size();

  std::array<Rows, kKindCount> rows;
  std::vector<PlaceOfId> places(static_cast<std::size_t>(layout.shape_count()));
  std::int64_t shapes = 0;
  for_each_table(scene, [&](const auto& table) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(table)>::kind;
    const auto kind = static_cast<std::size_t>(kKind);
    rows[kind] = rows_of(std::string(kind_name(kKind, D)), row_count(table), table.world,
                         table.body, body_count);
    const auto step = static_cast<std::int64_t>(rows[kind].repeated.size());
    const auto first_id = static_cast<std::size_t>(layout.first[kind]);
    for (const std::size_t row : rows[kind].shared) places[first_id + row] = {shapes++, 0};
    std::int64_t next = shapes;
    for (const std::size_t row : rows[kind].repeated) places[first_id + row] = {next++, step};
    shapes += step * world_count;
  });
  if (shapes > kMostIds || static_cast<std::int64_t>(body_count) * world_count > kMostIds) {
    throw Error(Finding{"world_count", -1,
                        "is " + number(world_count) +
                            "; the copy would hold more than 2147483647 shapes or bodies"});
  }
  for (std::size_t row = 0; row < scene.excluded.size(); ++row) {
    for (int w = 0; w < 2; ++w) {
      const std::int32_t id = scene.excluded(row, w);
      if (id >= 0 && id < layout.shape_count()) continue;
      throw Error(Finding{"excluded", static_cast<std::int64_t>(row),
                          "names shape " + number(id) + "; the scene's ids are 0 to " +
                              number(layout.shape_count() - 1)});
    }
  }
  require_bodies(scene);

  SceneColumns<D, T> made;
  for_each_table_pair(scene, made, [&](const auto& from, auto& to) {
    const auto kind = static_cast<std::size_t>(std::remove_cvref_t<decltype(from)>::kind);
    repeat_table(from, rows[kind], worlds, body_count, to);
  });
  for (std::size_t row = 0; row < scene.excluded.size(); ++row) {
    const PlaceOfId a = places[static_cast<std::size_t>(scene.excluded(row, 0))];
    const PlaceOfId b = places[static_cast<std::size_t>(scene.excluded(row, 1))];
    const bool is_shared = a.step == 0 && b.step == 0;
    for (std::size_t world = 0; world < (is_shared ? 1 : worlds); ++world) {
      made.excluded.push_back({a.of(world), b.of(world)});
    }
  }
  Rows bodies;
  for (std::size_t body = 0; body < body_count; ++body) bodies.repeated.push_back(body);
  repeat_column(scene.bodies.position, bodies, worlds, made.bodies.position);
  if (!scene.bodies.turn.empty()) {
    repeat_column(scene.bodies.turn, bodies, worlds, made.bodies.turn);
  }
  made.domain = scene.domain;
  copy_column(scene.excluded_owners, made.excluded_owners);
  // Without bodies the numbers are those of a filter, and every world has the same.
  for (std::size_t world = 0; world < (body_count == 0 ? 1 : worlds); ++world) {
    const auto first = static_cast<std::int32_t>(world * body_count);
    for (std::size_t row = 0; row < scene.excluded_bodies.size(); ++row) {
      made.excluded_bodies.push_back(
          {first + scene.excluded_bodies(row, 0), first + scene.excluded_bodies(row, 1)});
    }
  }
  scene.for_each_geometry_column(
      [&](auto, auto, const auto& from, auto& to) { copy_column(from, to); }, scene, made);
  copy = std::move(made);
}

template <int D, class T>
void contact_bodies(const std::type_identity_t<SceneSpan<D, T>>& scene,
                    const ContactBuffer<D, T>& contacts, Column<std::int32_t, 2>& bodies) {
  check_lengths(scene);
  const SceneLayout layout = layout_of(scene);
  const SceneLayout reported = reported_layout(scene);
  const auto columns =
      column_of_kinds<std::int32_t>(scene, [](const auto& table) { return table.body; });
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (const std::int32_t id : {contacts.pair[i].a, contacts.pair[i].b}) {
      if (id >= 0 && id < reported.shape_count()) continue;
      throw Error(
          Finding{"pair", static_cast<std::int64_t>(i),
                  "names shape " + number(id) + "; the scene's ids are 0 to " +
                      number(reported.shape_count() - 1) +
                      (scene.kept == nullptr ? ", and those of kept shapes need kept" : "")});
    }
  }
  bodies.resize_uninitialized(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::int32_t ids[2] = {contacts.pair[i].a, contacts.pair[i].b};
    for (int w = 0; w < 2; ++w) {
      if (ids[w] >= layout.shape_count()) {
        const Column<std::int32_t>& kept = scene.kept->state().rows.body;
        const auto row = static_cast<std::size_t>(ids[w] - layout.shape_count());
        const std::int32_t body = kept.empty() ? -1 : kept_body(kept[row]);
        bodies(i, w) =
            body < 0 ? -1 : body + static_cast<std::int32_t>(scene.bodies.position.size());
        continue;
      }
      const auto kind = static_cast<std::size_t>(layout.kind_of(ids[w]));
      const auto row = static_cast<std::size_t>(ids[w] - layout.first[kind]);
      bodies(i, w) = value_or(columns[kind], row, std::int32_t{-1});
    }
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                   \
  template void replicate(const SceneSpan<D, T>&, std::int32_t, SceneColumns<D, T>&); \
  template void contact_bodies(const SceneSpan<D, T>&, const ContactBuffer<D, T>&,    \
                               Column<std::int32_t, 2>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
