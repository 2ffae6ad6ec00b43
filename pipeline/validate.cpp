// `validate` of widephase/scene.hpp. It is in a higher room than its declaration, since a scene is
// valid only if its polygons and hulls are, which geometry/ checks.

#include <cmath>
#include <limits>
#include <optional>

#include <widephase/scene.hpp>

#include "geometry/validate_chains.hpp"
#include "geometry/validate_heightfields.hpp"
#include "geometry/validate_hulls.hpp"
#include "geometry/validate_meshes.hpp"
#include "geometry/validate_polygons.hpp"
#include "pipeline/rows/excluded_bodies.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/number_text.hpp"
#include "soa/right_lengths.hpp"

namespace widephase {

namespace {

class Findings {
 public:
  explicit Findings(std::size_t limit) : limit_(limit) {}
  bool full() const { return list_.size() >= limit_; }
  std::size_t room() const { return limit_ - list_.size(); }
  void add(std::string array, std::int64_t row, std::string message) {
    if (!full()) list_.push_back({std::move(array), row, std::move(message)});
  }
  std::vector<Finding> take() { return std::move(list_); }

 private:
  std::size_t limit_;
  std::vector<Finding> list_;
};

// What is wrong with a row's numbers; empty if nothing is. Plain functions, since tables have many
// columns and each template of this size would be compiled for all of them.

std::string wrong_reals(std::string_view field, const double* values, int width, Rule rule) {
  double square = 0;
  for (int w = 0; w < width; ++w) {
    const double value = values[w];
    if (rule == Rule::non_negative && !(std::isfinite(value) && value >= 0)) {
      return "is " + number(value) + "; " + std::string(field) + " must be a finite number >= 0";
    }
    if (!std::isfinite(value))
      return "is " + number(value) + "; " + std::string(field) + " must be a finite number";
    square += value * value;
  }
  if (rule == Rule::unit && !(std::abs(square - 1) <= 1e-4)) {
    return "has squared length " + number(square) + "; it must be 1 within 1e-4";
  }
  return {};
}

/// Worlds, owners and bodies stay below this, so that counts of them fit.
constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

std::string wrong_integer(std::int64_t value, Rule rule, std::int64_t geometry_count) {
  if (rule == Rule::at_least_minus_1 && (value < -1 || value >= kMostInt32)) {
    return "is " + number(value) + "; it must be -1 to " + number(kMostInt32 - 1);
  }
  if (rule == Rule::flag && value != 0 && value != 1) {
    return "is " + number(value) + "; it must be 0 or 1";
  }
  if (rule == Rule::geometry && (value < 0 || value >= geometry_count)) {
    return "is " + number(value) + "; the scene has " + number(geometry_count) +
           " geometries, counted from 0";
  }
  return {};
}

template <class C>
std::string wrong_row(std::string_view field, const C& column, std::size_t row, Rule rule,
                      std::int64_t geometry_count) {
  if constexpr (std::is_floating_point_v<typename C::value_type>) {
    double values[C::width];
    for (int w = 0; w < C::width; ++w) values[w] = static_cast<double>(column(row, w));
    return wrong_reals(field, values, C::width, rule);
  } else {
    return wrong_integer(static_cast<std::int64_t>(column(row)), rule, geometry_count);
  }
}

std::string column_name(std::string_view kind, std::string_view field) {
  return std::string(kind) + "." + std::string(field);
}

/// Checks that a column has as many rows as the first of its table, and can be read.
[[gnu::noinline]] bool check_length(std::string_view kind, std::string_view field,
                                    const ColumnLayout& column, std::string_view first_field,
                                    std::size_t rows, Findings& findings) {
  const std::size_t length = column.count;
  if (length == rows) {
    std::string wrong = wrong_layout(column);
    if (wrong.empty()) return true;
    findings.add(column_name(kind, field), -1, std::move(wrong));
    return false;
  }
  findings.add(column_name(kind, field), -1,
               "has " + number(length) + " rows, but " + column_name(kind, first_field) + " has " +
                   number(rows));
  return false;
}

[[gnu::noinline]] void add_wrong_row(std::string_view kind, std::string_view field, std::size_t row,
                                     std::string message, Findings& findings) {
  findings.add(column_name(kind, field), static_cast<std::int64_t>(row), std::move(message));
}

/// What is wrong with the body that a row names; empty if nothing is. Without bodies the column is
/// only a filter.
template <class Table, int D, class T>
std::string wrong_body(const Table& table, std::size_t row,
                       const BodyTable<Borrowed<D, T>>& bodies) {
  const std::int32_t body = value_or(table.body, row, std::int32_t{-1});
  if (body < 0 || bodies.position.empty()) return {};
  const auto b = static_cast<std::size_t>(body);
  if (b >= bodies.position.size()) {
    return "is " + number(body) + "; the scene has " + number(bodies.position.size()) +
           " bodies, counted from 0";
  }
  // A quaternion without rotation may have any length that counts as 1.
  const int imaginary = D == 2 ? 1 : 3;
  for (int w = 0; Table::kind == Kind::aabb && w < imaginary; ++w) {
    if (b >= bodies.turn.size() || bodies.turn(b, w) == 0) continue;
    return "is " + number(body) + ", which is turned; an aabb can't turn, so make it a box";
  }
  return {};
}

template <class Table, int D, class T>
void validate_table(const Table& table, std::int64_t geometry_count,
                    const BodyTable<Borrowed<D, T>>& bodies, Findings& findings) {
  // Poses that cannot be read have their own findings.
  const bool has_bodies = has_right_lengths(bodies);
  const std::string_view kind = kind_name(Table::kind, Table::D);
  const std::size_t rows = row_count(table);
  bool has_lengths = true;
  std::string_view first;
  for_each_field(table, [&](const Field& field, const auto& column) {
    if (first.empty()) first = field.name;
    if (field.is_optional && column.empty()) return;
    has_lengths &= check_length(kind, field.name, column_layout(column), first, rows, findings);
  });
  if (!has_lengths) return;
  for (std::size_t row = 0; row < rows && !findings.full(); ++row) {
    bool has_wrong_number = false;
    for_each_field(table, [&](const auto& field, const auto& column) {
      if (column.empty() || has_wrong_number) return;
      std::string wrong = wrong_row(field.name, column, row, field.rule, geometry_count);
      if (wrong.empty()) return;
      has_wrong_number = true;
      add_wrong_row(kind, field.name, row, std::move(wrong), findings);
    });
    std::string wrong = has_bodies ? wrong_body(table, row, bodies) : std::string();
    if (!wrong.empty() && !has_wrong_number) {
      has_wrong_number = true;
      add_wrong_row(kind, "body", row, std::move(wrong), findings);
    }
    if constexpr (Table::kind == Kind::aabb) {
      for (int k = 0; k < Table::D && !has_wrong_number; ++k) {
        if (table.min(row, k) <= table.max(row, k)) continue;
        has_wrong_number = true;
        add_wrong_row(kind, "min", row,
                      "is " + number(table.min(row, k)) + " along axis " + number(k) +
                          ", above max, which is " + number(table.max(row, k)) +
                          "; min <= max must hold",
                      findings);
      }
    }
  }
}

/// Checks that a list has no more rows than it may, and can be read.
bool check_count(std::string_view array, const ColumnLayout& column, Findings& findings) {
  std::string wrong = column.count <= kMostRows
                          ? wrong_layout(column)
                          : "has " + number(column.count) + " rows; it may have up to " +
                                number(kMostRows);
  if (wrong.empty()) return true;
  findings.add(std::string(array), -1, std::move(wrong));
  return false;
}

template <int D, class T>
void validate_bodies(const BodyTable<Borrowed<D, T>>& bodies, Findings& findings) {
  const std::string_view turn = D == 2 ? "angle" : "orientation";
  if (!bodies.turn.empty() && !check_length("bodies", turn, column_layout(bodies.turn), "position",
                                            bodies.position.size(), findings)) {
    return;
  }
  if (!check_count("bodies.position", column_layout(bodies.position), findings)) return;
  for (std::size_t row = 0; row < bodies.position.size() && !findings.full(); ++row) {
    std::string wrong = wrong_row("position", bodies.position, row, Rule::finite, 0);
    std::string_view field = "position";
    if (wrong.empty() && !bodies.turn.empty()) {
      wrong = wrong_row(turn, bodies.turn, row, D == 2 ? Rule::finite : Rule::unit, 0);
      field = turn;
    }
    if (!wrong.empty()) add_wrong_row("bodies", field, row, std::move(wrong), findings);
  }
}

template <class AnyScene>
bool has_rows_of_surfaces(const AnyScene& scene) {
  bool has = false;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    has |= traits_of(Table::kind).is_surface && row_count(table) != 0;
  });
  return has;
}

/// How many rows the library of a table's kind has.
template <class Table, class AnyScene>
std::int64_t geometry_count(const Table&, const AnyScene& scene) {
  const auto count_of = [](const auto& offsets) {
    return offsets.empty() ? std::int64_t{0} : static_cast<std::int64_t>(offsets.size()) - 1;
  };
  if constexpr (Table::kind == Kind::heightfield) {
    return count_of(scene.heightfield_geometries.offsets);
  } else if constexpr (Table::kind == Kind::mesh) {
    return count_of(scene.mesh_geometries.vertex_offsets);
  } else if constexpr (Table::kind == Kind::chain) {
    return count_of(scene.chain_geometries.offsets);
  } else {
    return count_of(scene.geometries.offsets);
  }
}

/// Whether the columns of halfspaces that the domain concerns can be read.
template <class Table>
bool is_readable(const Table& halfspaces) {
  const std::size_t rows = row_count(halfspaces);
  return (halfspaces.body.empty() || halfspaces.body.size() == rows) &&
         halfspaces.normal.size() == rows && wrong_layout(halfspaces.normal).empty() &&
         wrong_layout(halfspaces.body).empty();
}

template <int D, class T>
void validate_domain(const SceneSpan<D, T>& scene, Findings& findings) {
  const Domain<D, PositionOf<T>>& domain = scene.domain;
  const bool has_halfspaces = is_readable(scene.halfspaces);
  for (int k = 0; k < D; ++k) {
    if (!domain.periodic[k]) continue;
    if (!std::isfinite(domain.min[k]) || !std::isfinite(domain.max[k]) ||
        !(domain.min[k] < domain.max[k])) {
      findings.add("domain.max", k,
                   "is " + number(domain.max[k]) + " beside a min of " + number(domain.min[k]) +
                       "; a periodic axis needs finite numbers and min < max");
      continue;
    }
    if (has_rows_of_surfaces(scene)) {
      findings.add(
          "domain.periodic", k,
          std::string("is set, but a scene with ") +
              (D == 2 ? "chains" : "height fields or meshes") +
              " has no periodic axes; leave one of the two out");
      return;
    }
    const std::size_t halfspaces = has_halfspaces ? row_count(scene.halfspaces) : 0;
    for (std::size_t row = 0; row < halfspaces && !findings.full(); ++row) {
      if (scene.halfspaces.normal(row, k) == 0) continue;
      // The call that places a halfspace on a body checks it there.
      if (!scene.bodies.empty() && value_or(scene.halfspaces.body, row, -1) >= 0) continue;
      findings.add("halfspace.normal", static_cast<std::int64_t>(row),
                   "has " + number(scene.halfspaces.normal(row, k)) + " along axis " + number(k) +
                       ", which is periodic; it must be 0 there");
    }
  }
}

}  // namespace

template <int D, class T>
std::vector<Finding> validate(const SceneSpan<D, T>& scene, double margin, std::size_t limit) {
  Findings findings(limit);
  if (!(margin >= 0) || !std::isfinite(margin)) {
    findings.add("margin", -1, "is " + number(margin) + "; it must be finite and >= 0");
  }
  const SceneLayout layout = layout_of(scene);
  // First what shapes name.
  const auto geometry_findings = [&] {
    if constexpr (D == 2) return polygon_findings(scene.geometries, findings.room());
    if constexpr (D == 3) return hull_findings(scene.geometries, findings.room());
  };
  const auto add_all = [&](std::vector<Finding> all) {
    for (Finding& finding : all) {
      findings.add(std::move(finding.array), finding.row, std::move(finding.message));
    }
  };
  add_all(geometry_findings());
  if constexpr (D == 2) {
    add_all(chain_findings(scene.chain_geometries, findings.room()));
  } else {
    add_all(heightfield_findings(scene.heightfield_geometries, findings.room()));
    add_all(mesh_findings(scene.mesh_geometries, findings.room()));
  }
  for_each_table(scene, [&](const auto& table) {
    if (findings.full()) return;
    validate_table(table, geometry_count(table, scene), scene.bodies, findings);
  });
  validate_bodies(scene.bodies, findings);
  const bool has_excluded = check_count("excluded", column_layout(scene.excluded), findings);
  for (std::size_t row = 0; has_excluded && row < scene.excluded.size() && !findings.full();
       ++row) {
    for (int w = 0; w < 2; ++w) {
      const std::int32_t id = scene.excluded(row, w);
      if (id >= 0 && id < layout.shape_count()) continue;
      findings.add("excluded", static_cast<std::int64_t>(row),
                   "names shape " + number(id) + "; the scene's ids are 0 to " +
                       number(layout.shape_count() - 1));
      break;
    }
  }
  const auto& owners = scene.excluded_owners;
  const bool has_owners = check_count("excluded_owners", column_layout(owners), findings);
  for (std::size_t row = 0; has_owners && row < owners.size() && !findings.full(); ++row) {
    const std::int32_t first = owners(row, 0), second = owners(row, 1);
    if (are_names(first, second)) continue;
    findings.add("excluded_owners", static_cast<std::int64_t>(row),
                 wrong_names_text(first, second, "an owner"));
  }
  if (check_count("excluded_bodies", column_layout(scene.excluded_bodies), findings)) {
    for (std::size_t row = 0; row < scene.excluded_bodies.size() && !findings.full(); ++row) {
      std::optional<std::string> wrong = wrong_bodies(scene, row);
      if (wrong) findings.add("excluded_bodies", static_cast<std::int64_t>(row), std::move(*wrong));
    }
  }
  validate_domain(scene, findings);
  return findings.take();
}

std::vector<Finding> validate_pairs(const SceneLayout& layout, std::span<const Pair> pairs,
                                    std::size_t limit) {
  Findings findings(limit);
  if (pairs.data() == nullptr && !pairs.empty()) {
    findings.add("pairs", -1, "is given with " + number(pairs.size()) + " entries and is NULL");
    return findings.take();
  }
  for (std::size_t row = 0; row < pairs.size() && !findings.full(); ++row) {
    const Pair pair = pairs[row];
    for (const std::int32_t id : {pair.a, pair.b}) {
      if (id >= 0 && id < layout.shape_count()) continue;
      findings.add("pairs", static_cast<std::int64_t>(row),
                   "names shape " + number(id) + "; the scene's ids are 0 to " +
                       number(layout.shape_count() - 1));
      break;
    }
    if (pair.a == pair.b) {
      findings.add("pairs", static_cast<std::int64_t>(row),
                   "names shape " + number(pair.a) + " twice; a shape does not meet itself");
    }
  }
  return findings.take();
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template std::vector<Finding> validate(const SceneSpan<D, T>&, double, std::size_t);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
