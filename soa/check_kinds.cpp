// Compiles only if every kind is whole: it has a name, and a table of its own is visited in each
// dimension that has the kind, in the order of `Kind`. No `switch` leads to these.

#include <widephase/scene.hpp>

#include "soa/kind_traits.hpp"

namespace widephase {

namespace {

template <int D>
constexpr bool has_names() {
  for (int kind = 0; kind < kKindCount; ++kind) {
    if (kind_name(static_cast<Kind>(kind), D).empty()) return false;
  }
  return true;
}
static_assert(has_names<2>() && has_names<3>(), "a kind has no word in kind_name");

/// The next kind of a dimension, from `kind` on.
constexpr int next_kind(int kind, int dimension) {
  while (kind < kKindCount && !is_in(static_cast<Kind>(kind), dimension)) ++kind;
  return kind;
}

template <int D>
constexpr bool has_tables() {
  constexpr ShapeTables<Borrowed<D, float>, D> kTables{};
  int next = next_kind(0, D);
  bool is_right = true;
  ShapeTables<Borrowed<D, float>, D>::for_each(
      [&](const auto& table) {
        is_right &= static_cast<int>(std::remove_cvref_t<decltype(table)>::kind) == next;
        next = next_kind(next + 1, D);
      },
      kTables);
  return is_right && next == kKindCount;
}
static_assert(has_tables<2>() && has_tables<3>(),
              "ShapeTables visits no table of a kind, one that names another kind, or not in order");

}  // namespace

}  // namespace widephase
