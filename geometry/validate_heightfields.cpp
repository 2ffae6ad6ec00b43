#include "geometry/validate_heightfields.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <widephase/heightfields.hpp>

#include "geometry/validate_offsets.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

constexpr const char* kOffsets = "heightfields.offsets";

/// What is wrong with a field's own rows, columns and cells.
template <class T>
std::optional<Finding> wrong_samples(const HeightfieldTable<Borrowed<3, T>>& table, std::size_t f) {
  const auto row = static_cast<std::int64_t>(f);
  const std::int64_t columns = table.columns(f);
  if (columns < kFewestSamples) {
    return Finding{
        "heightfields.columns", row,
        "is " + number(columns) + "; a field has " + number(kFewestSamples) + " columns or more"};
  }
  const std::int64_t samples = table.offsets(f + 1) - table.offsets(f);
  const std::string begins = "begins field " + number(f) + ", which has ";
  if (samples > kMostSamples) {
    return Finding{kOffsets, row,
                   begins + number(samples) + " samples; a field has up to " +
                       number(kMostSamples) + ", so split it"};
  }
  if (samples % columns != 0) {
    return Finding{kOffsets, row,
                   begins + number(samples) + " samples, but rows of " + number(columns) +
                       "; it must have whole rows"};
  }
  if (samples / columns < kFewestSamples) {
    return Finding{kOffsets, row,
                   begins + number(samples / columns) + (samples == columns ? " row" : " rows") +
                       "; a field has " + number(kFewestSamples) + " rows or more"};
  }
  for (int axis = 0; axis < 2; ++axis) {
    const T cell = table.cell(f, axis);
    const char* const along = axis == 0 ? " along x" : " along y";
    if (!(cell > 0) || !std::isfinite(cell)) {
      return Finding{"heightfields.cell", row,
                     "is " + number(cell) + along + "; a cell's sizes must be finite numbers > 0"};
    }
    const std::int64_t cells = (axis == 0 ? columns : samples / columns) - 1;
    if (!std::isfinite(static_cast<T>(cells) * cell)) {
      return Finding{"heightfields.cell", row,
                     "is " + number(cell) + along + ", so that " + number(cells) +
                         " cells have no finite length; use a smaller unit"};
    }
  }
  return std::nullopt;
}

/// What is wrong with the fields beyond the borders of field `f`.
template <class T>
std::optional<Finding> wrong_neighbour(const HeightfieldTable<Borrowed<3, T>>& table,
                                       std::size_t f) {
  const auto count = static_cast<std::int64_t>(table.columns.size());
  const auto samples = [&](std::size_t field) {
    return table.offsets(field + 1) - table.offsets(field);
  };
  const auto found = [&](const std::string& message) {
    return Finding{"heightfields.neighbours", static_cast<std::int64_t>(f), message};
  };
  constexpr const char* kSides[] = {"-x", "+x", "-y", "+y"};
  for (int side = 0; side < 4; ++side) {
    const std::int32_t other = table.neighbours(f, side);
    if (other < -1 || other >= count) {
      return found("names field " + number(other) + " at " + kSides[side] + "; the scene has " +
                   number(count) + " fields, counted from 0, and -1 means none");
    }
    if (other < 0) continue;
    const auto n = static_cast<std::size_t>(other);
    const bool is_along_y = side < 2;       // the border's line
    if (wrong_samples(table, n)) continue;  // a finding of the other field's
    const std::int64_t own_columns = table.columns(f), columns = table.columns(n);
    const std::int64_t own_count = is_along_y ? samples(f) / own_columns : own_columns;
    const std::int64_t other_count = is_along_y ? samples(n) / columns : columns;
    if (own_count != other_count) {
      return found("names field " + number(other) + " at " + kSides[side] + ", whose border has " +
                   number(other_count) + " samples where this one's has " + number(own_count) +
                   "; neighbours share the samples of a border");
    }
    const int axis = is_along_y ? 1 : 0;
    if (table.cell(f, axis) != table.cell(n, axis)) {
      return found("names field " + number(other) + " at " + kSides[side] + ", whose cells are " +
                   number(table.cell(n, axis)) + " along the border where this one's are " +
                   number(table.cell(f, axis)) + "; neighbours share the samples of a border");
    }
  }
  return std::nullopt;
}

}  // namespace

template <class T>
std::optional<Finding> wrong_heightfield_layout(const HeightfieldTable<Borrowed<3, T>>& table) {
  if (auto wrong = wrong_layout(table.heights); !wrong.empty()) {
    return Finding{"heightfields.heights", -1, wrong};
  }
  if (auto wrong = wrong_offsets(kOffsets, table.offsets, "heightfields.heights",
                                 table.heights.size(), "heights")) {
    return wrong;
  }
  const std::size_t fields = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  const auto wrong_column = [&](const char* array, const auto& column) -> std::optional<Finding> {
    if (column.size() != fields) {
      return Finding{array, -1,
                     "has " + number(column.size()) + " rows, but " + kOffsets + " has " +
                         number(fields) + " fields"};
    }
    if (auto wrong = wrong_layout(column); !wrong.empty()) return Finding{array, -1, wrong};
    return std::nullopt;
  };
  if (auto wrong = wrong_column("heightfields.columns", table.columns)) return wrong;
  if (auto wrong = wrong_column("heightfields.cell", table.cell)) return wrong;
  if (table.neighbours.empty()) return std::nullopt;
  return wrong_column("heightfields.neighbours", table.neighbours);
}

template <class T>
std::optional<Finding> wrong_heightfield(const HeightfieldTable<Borrowed<3, T>>& table,
                                         std::size_t f) {
  if (auto wrong = wrong_samples(table, f)) return wrong;
  if (!table.neighbours.empty()) return wrong_neighbour(table, f);
  return std::nullopt;
}

template <class T>
std::vector<Finding> heightfield_findings(const HeightfieldTable<Borrowed<3, T>>& table,
                                          std::size_t limit) {
  std::vector<Finding> findings;
  if (limit == 0) return findings;
  if (auto wrong = wrong_heightfield_layout(table)) {
    findings.push_back(std::move(*wrong));
    return findings;
  }
  for (std::size_t f = 0; f < table.columns.size() && findings.size() < limit; ++f) {
    if (auto wrong = wrong_heightfield(table, f)) {
      findings.push_back(std::move(*wrong));
      continue;
    }
    for (std::int64_t i = table.offsets(f); i < table.offsets(f + 1); ++i) {
      const T height = table.heights(static_cast<std::size_t>(i));
      if (!std::isinf(height)) continue;
      findings.push_back(
          {"heightfields.heights", i,
           "is " + number(height) + "; a height must be a finite number, or NaN for a hole"});
      break;
    }
  }
  return findings;
}

#define WIDEPHASE_INSTANTIATE(T)                                                              \
  template std::optional<Finding> wrong_heightfield_layout(                                   \
      const HeightfieldTable<Borrowed<3, T>>&);                                               \
  template std::optional<Finding> wrong_heightfield(const HeightfieldTable<Borrowed<3, T>>&,  \
                                                    std::size_t);                             \
  template std::vector<Finding> heightfield_findings(const HeightfieldTable<Borrowed<3, T>>&, \
                                                     std::size_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
