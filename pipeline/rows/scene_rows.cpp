#include "pipeline/rows/scene_rows.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <string>

#include "geometry/validate_polygons.hpp"
#include "pipeline/rows/excluded_bodies.hpp"
#include "pipeline/rows/pack_chains.hpp"
#include "pipeline/rows/pack_heightfields.hpp"
#include "pipeline/rows/pack_meshes.hpp"
#include "pipeline/rows/pack_rows.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/join_column.hpp"
#include "soa/large_pages.hpp"
#include "soa/number_text.hpp"
#include "soa/right_lengths.hpp"
#include "soa/threads.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

namespace {

/// Throws the first finding of the scene for which `is_meant(finding)` holds.
template <int D, class T, class Test>
[[noreturn]] void throw_finding(const SceneSpan<D, T>& scene, double margin, const Test& is_meant) {
  for (const Finding& finding : validate(scene, margin, std::numeric_limits<std::size_t>::max())) {
    if (is_meant(finding)) throw Error(finding);
  }
  throw Error("the scene is not valid");  // the quick check is stricter than validate: a bug
}

/// Whether a finding is about a shape of the kind, and which row it has.
bool is_of_shape(const Finding& finding, Kind kind, int dimension) {
  const std::string_view name = kind_name(kind, dimension);
  return finding.row >= 0 && finding.array.size() > name.size() &&
         finding.array.starts_with(name) && finding.array[name.size()] == '.';
}

bool is_same_shape(const Finding& left, const Finding& right, int dimension) {
  if (left.row != right.row) return false;
  for (int kind = 0; kind < kKindCount; ++kind) {
    if (is_of_shape(left, static_cast<Kind>(kind), dimension)) {
      return is_of_shape(right, static_cast<Kind>(kind), dimension);
    }
  }
  return false;
}

/// The body of the shape that a finding is about; -1 if it has none.
template <int D, class T>
std::int32_t body_of_shape(const SceneSpan<D, T>& scene, const Finding& finding) {
  std::int32_t body = -1;
  for_each_table(scene, [&](const auto& table) {
    if (!is_of_shape(finding, std::remove_cvref_t<decltype(table)>::kind, D)) return;
    body = value_or(table.body, static_cast<std::size_t>(finding.row), std::int32_t{-1});
  });
  return body;
}

/// The fault of the whole scene. If worlds may be left out, only faults that leaving them out does
/// not cure.
template <int D, class T>
[[noreturn]] void throw_fault(const SceneSpan<D, T>& scene, double margin, bool is_by_world) {
  if (!is_by_world) {
    const std::vector<Finding> findings = validate(scene, margin);
    if (!findings.empty()) throw Error(findings.front());
  }
  throw_finding(scene, margin, [](const Finding& finding) {
    for (int kind = 0; kind < kKindCount; ++kind) {
      if (is_of_shape(finding, static_cast<Kind>(kind), D) && !finding.array.ends_with(".world")) {
        return false;
      }
    }
    return true;
  });
}

template <int D, class T>
[[noreturn]] void throw_shape(const SceneSpan<D, T>& scene, double margin,
                              const SceneLayout& layout, std::int32_t id) {
  throw_finding(scene, margin, [&](const Finding& finding) {
    return is_of_shape(finding, layout.kind_of(id), D) && finding.row == layout.row(id);
  });
}

bool is_tag(std::int32_t value) {
  return value >= -1 && value < std::numeric_limits<std::int32_t>::max();
}
template <class C, class Test>
bool are_all(const C& column, const Test& is_right) {
  for (const auto value : column) {
    if (!is_right(value)) return false;
  }
  return true;
}

}  // namespace

void require_entry_a_world(const char* column, std::size_t entries, std::size_t worlds) {
  if (entries >= worlds) return;
  throw Error(Finding{column, -1,
                      "has " + number(entries) + " entries; the scene has " + number(worlds) +
                          " worlds, so give it as many or more"});
}

template <int D, class T>
void SceneRows<D, T>::update(const SceneSpan<D, T>& scene, double call_margin, Isa isa,
                             const Threads& threads, const WorldChoice& choice,
                             const SceneRows* geometries, Bounds wanted) {
  is_read = false;
  geometry_of = geometries;
  has_own_polygons_ = false;
  if (scene.bodies.empty()) {
    pack_scene(scene, scene, call_margin, isa, threads, choice, wanted);
  } else {
    pack_placed(scene, call_margin, isa, threads, choice, wanted);
  }
  is_read = true;
}

template <int D, class T>
void SceneRows<D, T>::pack_placed(const SceneSpan<D, T>& scene, double call_margin, Isa isa,
                                  const Threads& threads, const WorldChoice& choice,
                                  Bounds wanted) {
  placed_.place(scene, scene.bodies, threads,
                choice.is_any() ? PoseFaults::not_a_number : PoseFaults::error);
  try {
    pack_scene(placed_.scene(), scene, call_margin, isa, threads, choice, wanted);
  } catch (const Error& error) {
    // Reported in the numbers as given, unless only those in the world are wrong.
    const std::optional<Finding>& placed = error.finding();
    const std::int32_t body = placed ? body_of_shape(scene, *placed) : -1;
    for (const Finding& given :
         validate(scene, call_margin, std::numeric_limits<std::size_t>::max())) {
      const bool is_pose = body >= 0 && given.row == body && given.array.starts_with("bodies.");
      if (!choice.is_any() || (placed && (is_pose || is_same_shape(given, *placed, D)))) {
        throw Error(given);
      }
    }
    throw;
  }
}

template <int D, class T>
void SceneRows<D, T>::pack_scene(const SceneSpan<D, T>& scene, const SceneSpan<D, T>& given,
                                 double call_margin, Isa isa, const Threads& threads,
                                 const WorldChoice& choice, Bounds wanted) {
  layout = layout_of(scene);
  const auto refuse = [&] { throw_fault(scene, call_margin, choice.is_any()); };
  if (!(call_margin >= 0) || !is_finite(call_margin) || !has_right_lengths(scene)) refuse();
  const auto count = static_cast<std::size_t>(layout.shape_count());
  // Bounds are needed for images in mixed precision, and to leave worlds out.
  const bool has_bounds =
      wanted == Bounds::wanted || choice.is_any() || (is_mixed<T> && scene.domain.is_periodic());
  resize_scratch(bounds.min, has_bounds ? count : 0);
  resize_scratch(bounds.max, has_bounds ? count : 0);
  // Half the margin is exact unless it underflows; the margin itself is rounded upwards.
  Size margin_up = static_cast<Size>(call_margin);
  if (static_cast<double>(margin_up) < call_margin) {
    margin_up = std::nextafter(margin_up, std::numeric_limits<Size>::infinity());
  }

  if (geometry_of != nullptr) {
    // Already read.
  } else if constexpr (D == 2) {
    if (!are_valid_polygons(scene.geometries)) refuse();
    polygons.update(scene.geometries, threads);
    if (!chains.update(scene.chain_geometries, threads)) refuse();
  } else {
    if (!hulls.update(scene.geometries, threads)) refuse();
    if (!heightfields.update(scene.heightfield_geometries, threads)) refuse();
    if (!meshes.update(scene.mesh_geometries, threads)) refuse();
  }

  const auto instances = static_cast<std::size_t>(layout.count(instance_kind(D)));
  resize_scratch(rests, has_middles() && !is_mixed<T> ? instances * kAnchorNumbers : 0);
  is_invalid_.clear();
  if (choice.is_any()) is_invalid_.resize(count);
  bool is_valid = true;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    const std::size_t rows_here = row_count(table);
    const int kind = static_cast<int>(Table::kind);
    rows[kind].clear();
    anchors[kind].clear();
    if (rows_here == 0) return;
    resize_scratch(rows[kind], rows_here * row_width(Table::kind, D));
    Packing<D, T> to{};
    to.rows = rows[kind].plane();
    if constexpr (is_mixed<T>) {
      resize_scratch(anchors[kind], rows_here * anchor_width(Table::kind));
      to.anchors = anchors[kind].plane();
    }
    for (int k = 0; k < D && has_bounds; ++k) {
      to.low[k] = bounds.min.plane(k) + layout.first[kind];
      to.high[k] = bounds.max.plane(k) + layout.first[kind];
    }
    to.rests = rests.empty() ? nullptr : rests.plane();
    to.given = &given;
    to.half_margin = margin_up / 2;
    to.margin = &table.margin;
    to.polygons = &polygon_library();
    to.hulls = &hull_library();
    to.heightfields = &heightfield_library();
    to.meshes = &mesh_library();
    to.chains = &chain_library();
    to.find_turns = kernel_table<D, Size>(isa).find_turns;
    // False for an invalid row, unless its world may be left out: then the row is marked.
    const auto pack_rows = [&](std::size_t begin, std::size_t end) {
      if (pack(table, begin, end, to)) return true;
      if (is_invalid_.empty()) return false;
      for (std::size_t row = begin; row < end; ++row) {
        is_invalid_[static_cast<std::size_t>(layout.first[kind]) + row] =
            pack(table, row, row + 1, to) ? 0 : 1;
      }
      return true;
    };
    const std::size_t chunks = (rows_here + kShapesAChunk - 1) / kShapesAChunk;
    if (chunks == 1) {
      is_valid &= pack_rows(0, rows_here);
    } else {
      // A flag that is only ever cleared: which thread clears it first does not matter.
      bool is_table_valid = true;
      bool* const flag = &is_table_valid;
      for_chunks(threads, chunks, [&, flag](std::size_t chunk) {
        const std::size_t begin = chunk * kShapesAChunk;
        const std::size_t end =
            begin + kShapesAChunk < rows_here ? begin + kShapesAChunk : rows_here;
        if (!pack_rows(begin, end)) std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
      });
      is_valid &= is_table_valid;
    }
  });
  if (!is_valid) refuse();
  has_outlines_ = false;

  const auto join = [&]<class N>(const auto& column_of, N default_value, Column<N>& joined) {
    joined.clear();
    bool has_any = false;  // mostly not, and a small scene's call would take long to list them
    for_each_table(scene, [&](const auto& table) { has_any |= !column_of(table).empty(); });
    if (!has_any) return;
    join_column(column_of_kinds<N>(scene, column_of), layout, threads, default_value, joined);
  };
  join([](const auto& table) -> const auto& { return table.margin; }, Size{0}, margin);
  join([](const auto& table) -> const auto& { return table.world; }, std::int32_t{0}, world);
  join([](const auto& table) -> const auto& { return table.owner; }, std::int32_t{-1}, owner);
  join([](const auto& table) -> const auto& { return table.body; }, std::int32_t{-1}, body);
  join([](const auto& table) -> const auto& { return table.category; }, std::uint32_t{1}, category);
  join([](const auto& table) -> const auto& { return table.mask; }, ~std::uint32_t{0}, mask);
  join([](const auto& table) -> const auto& { return table.fixed; }, std::uint8_t{0}, fixed);

  if (!are_all(world, is_tag)) refuse();
  for (std::size_t row = 0; row < scene.excluded_owners.size(); ++row) {
    if (!are_names(scene.excluded_owners(row, 0), scene.excluded_owners(row, 1))) refuse();
  }
  require_bodies(given);
  for (std::size_t row = 0; row < scene.excluded.size(); ++row) {
    for (int w = 0; w < 2; ++w) {
      const std::int32_t id = scene.excluded(row, w);
      if (id < 0 || id >= layout.shape_count()) refuse();
    }
  }
  if (scene.domain.is_periodic()) {
    SceneSpan<D, T> rest;  // what the packing has not checked, without the tables' rows
    rest.domain = scene.domain;
    if (!choice.is_any()) rest.halfspaces = scene.halfspaces;
    if constexpr (D == 2) {
      rest.chains.center = scene.chains.center;
    } else {
      rest.heightfields.center = scene.heightfields.center;
      rest.meshes.center = scene.meshes.center;
    }
    if (!validate(rest, call_margin).empty()) refuse();
  }
  if (choice.is_any()) {
    mark_invalid_tags(scene);
    leave_worlds_out(scene, call_margin, threads, choice);
  } else {
    world_mask.clear();
    const auto is_flag = [](std::uint8_t value) { return value <= 1; };
    if (!are_all(fixed, is_flag) || !are_all(owner, is_tag) || !are_all(body, is_tag) ||
        !are_all(margin, is_size<Size>)) {
      refuse();
    }
  }

  // A halfspace's plane for the broad phase: both shapes' margins and the call's above it. The
  // other shape's half of the margin is in its bounds, so only this one's is added here.
  constexpr KindRange kUnbounded = unbounded_kinds();
  static_assert(kUnbounded.end - kUnbounded.begin == 1, "another unbounded kind needs planes too");
  const std::size_t halfspaces = row_count(scene.halfspaces);
  halfspace_normal.resize_uninitialized(halfspaces);
  halfspace_offset.resize_uninitialized(halfspaces);
  for (std::size_t i = 0; i < halfspaces; ++i) {
    Position row[4];
    for (std::size_t k = 0; k < 4; ++k) {
      if constexpr (is_mixed<T>) {
        row[k] = anchors[static_cast<int>(Kind::halfspace)][i * kAnchorNumbers + k];
      } else {
        const Size* const parts = rows[static_cast<int>(Kind::halfspace)].plane() +
                                  i * std::size_t{row_width(Kind::halfspace, D)};
        row[k] = parts[k] + parts[4 + k];
      }
    }
    for (int k = 0; k < D; ++k) halfspace_normal(i, k) = row[k];
    const Position raise = margin_up / 2 + value_or(scene.halfspaces.margin, i, Size{0});
    const Position offset = row[3] + raise;
    halfspace_offset[i] =
        raise == 0
            ? offset
            : std::nextafter(offset + std::abs(offset) * std::numeric_limits<Position>::epsilon(),
                             std::numeric_limits<Position>::infinity());
  }
}

/// What the packing has not checked of a shape.
template <int D, class T>
void SceneRows<D, T>::mark_invalid_tags(const SceneSpan<D, T>& scene) {
  const auto mark = [&](const auto& column, const auto& is_right) {
    for (std::size_t id = 0; id < column.size(); ++id) {
      if (!is_right(column[id])) is_invalid_[id] = 1;
    }
  };
  mark(fixed, [](std::uint8_t value) { return value <= 1; });
  mark(owner, is_tag);
  mark(body, is_tag);
  mark(margin, is_size<Size>);
  const auto first = static_cast<std::size_t>(unbounded_ids(layout).begin);
  for (int k = 0; k < D; ++k) {
    for (std::size_t row = 0; scene.domain.periodic[k] && row < row_count(scene.halfspaces);
         ++row) {
      if (scene.halfspaces.normal(row, k) != 0) is_invalid_[first + row] = 1;
    }
  }
}

/// Makes `world_mask`, writes the status of each world, and clears the bounds of worlds left out.
template <int D, class T>
void SceneRows<D, T>::leave_worlds_out(const SceneSpan<D, T>& scene, double call_margin,
                                       const Threads& threads, const WorldChoice& choice) {
  require_few_worlds(choice.mask.empty() ? "world_status" : "world_mask", choice.shapes);
  const auto count = static_cast<std::size_t>(std::max(world_count(), choice.worlds));
  require_address("world_mask", choice.mask);
  require_address("world_status", choice.status);
  if (!choice.mask.empty()) require_entry_a_world("world_mask", choice.mask.size(), count);
  if (!choice.status.empty()) require_entry_a_world("world_status", choice.status.size(), count);
  const auto is_wanted = [&](std::size_t w) {
    return w >= choice.mask.size() ? choice.mask.empty() : choice.mask[w] != 0;
  };
  const auto status = [](WorldStatus value) { return static_cast<std::uint8_t>(value); };
  for (std::size_t w = 0; w < choice.status.size(); ++w) {
    choice.status[w] = status(is_wanted(w) ? WorldStatus::answered : WorldStatus::left_out);
  }
  world_mask.resize_uninitialized(count);
  bool is_whole = true;
  for (std::size_t w = 0; w < count; ++w) {
    world_mask[w] = is_wanted(w) ? 1 : 0;
    is_whole &= is_wanted(w);
  }
  for (std::size_t id = 0; id < is_invalid_.size(); ++id) {
    if (is_invalid_[id] == 0) continue;
    const std::int32_t of = world_of(static_cast<std::int32_t>(id));
    if (!is_world_answered(of)) continue;
    if (of == -1 || choice.status.empty()) {
      throw_shape(scene, call_margin, layout, static_cast<std::int32_t>(id));
    }
    const auto w = static_cast<std::size_t>(of);
    world_mask[w] = 0;
    choice.status[w] = status(WorldStatus::invalid);
    is_whole = false;
  }
  if (is_whole) {
    world_mask.clear();
    return;
  }
  const auto shapes = static_cast<std::size_t>(layout.shape_count());
  for_chunks(threads, (shapes + kShapesAChunk - 1) / kShapesAChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(shapes, (chunk + 1) * kShapesAChunk);
    for (std::size_t id = chunk * kShapesAChunk; id < end; ++id) {
      if (is_world_answered(world_of(static_cast<std::int32_t>(id)))) continue;
      for (int k = 0; k < D; ++k) {
        bounds.min(id, k) = bounds.max(id, k) = std::numeric_limits<Position>::quiet_NaN();
      }
    }
  });
}

template <int D, class T>
std::int32_t SceneRows<D, T>::world_count() const {
  if (layout.shape_count() == 0) return 0;
  std::int32_t largest = 0;
  for (const std::int32_t of : world) largest = of > largest ? of : largest;
  return largest + 1;
}

template <int D, class T>
void SceneRows<D, T>::require_few_worlds(std::string_view what,
                                         std::int64_t shapes_elsewhere) const {
  const std::int64_t shapes = layout.shape_count() + shapes_elsewhere;
  const std::int32_t worlds = world_count();
  if (worlds <= most_worlds(shapes)) return;
  const auto id = static_cast<std::int32_t>(std::find(world.begin(), world.end(), worlds - 1) -
                                            world.begin());
  throw Error(Finding{std::string(kind_name(layout.kind_of(id), D)) + ".world", layout.row(id),
                      "is " + number(worlds - 1) + "; " + std::string(what) +
                          " takes room for every world up to the largest, of " + number(shapes) +
                          " shapes for worlds below " + number(most_worlds(shapes)) +
                          "; number the worlds from 0 on without large gaps"});
}

template <int D, class T>
void SceneRows<D, T>::require_outlines() {
  if (has_outlines_) return;
  if constexpr (D == 2) {
    using Corners = std::array<std::array<Size, 2>, 4>;
    if (geometry_of != nullptr) {
      polygons = geometry_of->polygons;
      has_own_polygons_ = true;
    }
    const auto outline = [&](Kind kind, int vertices, const auto& corners_of) {
      const int k = static_cast<int>(kind);
      const int width = row_width(kind, D);
      const auto count = static_cast<std::size_t>(layout.count(kind));
      if (count == 0) return;
      constexpr int kRow = row_width(Kind::polygon, 2);
      const int records = PolygonLibrary<Size>::outline_records(vertices);
      std::int32_t place = polygons.add_records(static_cast<std::int64_t>(count) * records);
      const auto before = static_cast<std::size_t>(rows_before[static_cast<std::size_t>(k)]);
      outlines[k].resize_uninitialized((before + count) * kRow);
      for (std::size_t i = before; i < before + count; ++i, place += records) {
        const Size* const row = rows[k].plane() + i * static_cast<std::size_t>(width);
        Size* const to = outlines[k].plane() + i * kRow;
        to[2] = 1;
        to[3] = to[7] = 0;
        polygons.write_outline(place, vertices, corners_of(row, to));
        to[5] = number_of_bits<Size>(place);
        to[6] = number_of_bits<Size>(vertices);
      }
    };
    const auto put = [](Size* to, Size x, Size y, Size radius) {
      to[0] = x;
      to[1] = y;
      to[4] = radius;
    };
    for (int k = 0; k < kKindCount; ++k) {
      const Kind kind = static_cast<Kind>(k);
      switch (kind) {
        case Kind::circle:
          outline(kind, 1, [&](const Size* row, Size* to) {
            put(to, row[0], row[1], row[3]);
            return Corners{};
          });
          break;
        case Kind::capsule:
          outline(kind, 2, [&](const Size* row, Size* to) {
            put(to, row[0], row[1], row[3]);
            return Corners{{{0, 0}, {row[4] - row[0], row[5] - row[1]}}};
          });
          break;
        case Kind::aabb:
          outline(kind, 4, [&](const Size* row, Size* to) {
            put(to, row[0], row[1], 0);
            const Size x = row[2] - row[0], y = row[3] - row[1];
            return Corners{{{0, 0}, {x, 0}, {x, y}, {0, y}}};
          });
          break;
        case Kind::box:
          outline(kind, 4, [&](const Size* row, Size* to) {
            put(to, row[0], row[1], row[6]);
            to[2] = row[2];
            to[3] = row[3];
            const Size x = row[4], y = row[5];
            return Corners{{{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
          });
          break;
        case Kind::polygon:    // is one
        case Kind::halfspace:  // has none
        case Kind::hull:       // 3D alone
        case Kind::cylinder:
        case Kind::ellipsoid:
        case Kind::cone:
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          break;
      }
    }
  }
  has_outlines_ = true;
}

template <int D, class T>
FilterSpan SceneRows<D, T>::filters(const SceneSpan<D, T>& scene) const {
  FilterSpan span;
  span.world = world;
  span.category = category;
  span.mask = mask;
  span.owner = owner;
  span.fixed = fixed;
  span.body = body;
  span.excluded = scene.excluded;
  span.excluded_owners = scene.excluded_owners;
  span.excluded_bodies = scene.excluded_bodies;
  span.world_mask = {world_mask.plane(), world_mask.size()};
  return span;
}

template <int D, class T>
std::size_t SceneRows<D, T>::bytes() const {
  std::size_t sum = bounds.min.bytes() + bounds.max.bytes() + polygons.bytes() + hulls.bytes() +
                    heightfields.bytes() + meshes.bytes() + chains.bytes() +
                    halfspace_normal.bytes() + halfspace_offset.bytes() + margin.bytes() + world.bytes() + owner.bytes() +
                    body.bytes() + category.bytes() + mask.bytes() + fixed.bytes() +
                    world_mask.bytes() + is_invalid_.bytes() + placed_.bytes() + rests.bytes();
  for (const auto& column : rows) sum += column.bytes();
  for (const auto& column : anchors) sum += column.bytes();
  for (const auto& column : outlines) sum += column.bytes();
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T) template struct SceneRows<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
