#include <widephase/chains.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include "geometry/validate_chains.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

template <class T>
std::int32_t add_chain(ChainTable<Owned<2, T>>& table,
                       const std::type_identity_t<ColumnSpan<T, 2>>& vertices,
                       const ChainOptions& options) {
  require_layout("vertices", vertices);
  const std::size_t chains = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  if (chains >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("the table holds 2147483647 chains already; share them between shapes");
  }
  // The chain alone: what is given may be the table's own.
  ChainTable<Owned<2, T>> alone;
  alone.vertices.resize_uninitialized(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (int k = 0; k < 2; ++k) alone.vertices(v, k) = vertices(v, k);
  }
  alone.offsets = {0, static_cast<std::int64_t>(vertices.size())};
  alone.loop = {std::uint8_t(options.loop ? 1 : 0)};
  alone.before = {options.before};
  alone.after = {options.after};
  ChainTable<Borrowed<2, T>> view;
  ChainTable<Owned<2, T>>::for_each_column(
      [](auto, const auto& column, auto& span) { span = column; }, alone, view);
  if (std::optional<Finding> wrong = wrong_chain(view, 0)) {
    const std::string_view array = wrong->array;
    std::string message = wrong->message;
    // It is the first only here.
    const auto replace = [&](const std::string& words, const std::string& instead) {
      if (const auto at = message.find(words); at != std::string::npos) {
        message.replace(at, words.size(), instead);
      }
    };
    replace("begins chain 0, which ", "");
    replace("chain 0 ", "the chain ");
    const bool is_count = array == "chains.before" || array == "chains.after";
    const bool is_row = array == "chains.vertices";
    throw Error(Finding{is_count ? std::string(array.substr(7)) : "vertices",
                        is_row ? wrong->row : -1, std::move(message)});
  }
  // Reserve room first: what follows cannot fail half way.
  const std::size_t first = table.vertices.size();
  make_room(table.vertices, first + vertices.size());
  make_room(table.offsets, chains + 2);
  const auto is_wanted = [](const auto& column, auto value) {
    return value != 0 || !column.empty();
  };
  const auto room_for = [&](auto& column, auto value) {
    if (is_wanted(column, value)) make_room(column, chains + 1);
  };
  room_for(table.loop, options.loop ? 1 : 0);
  room_for(table.two_sided, options.two_sided ? 1 : 0);
  room_for(table.before, options.before);
  room_for(table.after, options.after);
  const auto set_own = [&](auto& column, auto value) {
    if (is_wanted(column, value)) column.resize(chains + 1);
  };
  set_own(table.loop, options.loop ? 1 : 0);
  set_own(table.two_sided, options.two_sided ? 1 : 0);
  set_own(table.before, options.before);
  set_own(table.after, options.after);
  table.vertices.resize_uninitialized(first + alone.vertices.size());
  for (int k = 0; k < 2; ++k) {
    std::copy_n(alone.vertices.plane(k), alone.vertices.size(), table.vertices.plane(k) + first);
  }
  if (table.offsets.empty()) table.offsets.push_back({0});
  table.offsets.push_back({static_cast<std::int64_t>(table.vertices.size())});
  if (!table.loop.empty()) table.loop[chains] = options.loop ? 1 : 0;
  if (!table.two_sided.empty()) table.two_sided[chains] = options.two_sided ? 1 : 0;
  if (!table.before.empty()) table.before[chains] = options.before;
  if (!table.after.empty()) table.after[chains] = options.after;
  return static_cast<std::int32_t>(chains);
}

#define WIDEPHASE_INSTANTIATE(T)                                                               \
  template WIDEPHASE_API std::int32_t add_chain(ChainTable<Owned<2, T>>&,                      \
                                                const std::type_identity_t<ColumnSpan<T, 2>>&, \
                                                const ChainOptions&);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
