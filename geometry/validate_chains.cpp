#include "geometry/validate_chains.hpp"

#include <cmath>
#include <string>

#include <widephase/chains.hpp>

#include "geometry/validate_offsets.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

template <class T>
std::optional<Finding> wrong_chain_layout(const ChainTable<Borrowed<2, T>>& table) {
  if (auto wrong = wrong_layout(table.vertices); !wrong.empty()) {
    return Finding{"chains.vertices", -1, wrong};
  }
  if (auto wrong = wrong_offsets("chains.offsets", table.offsets, "chains.vertices",
                                 table.vertices.size(), "vertices")) {
    return wrong;
  }
  const std::size_t chains = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  const auto wrong_rows = [&](const char* array, const auto& column) -> std::optional<Finding> {
    if (column.empty()) return std::nullopt;
    if (column.size() != chains) {
      return Finding{array, -1,
                     "has " + number(column.size()) + " rows, but chains.offsets has " +
                         number(chains) + " chains"};
    }
    if (auto wrong = wrong_layout(column); !wrong.empty()) return Finding{array, -1, wrong};
    return std::nullopt;
  };
  if (auto wrong = wrong_rows("chains.loop", table.loop)) return wrong;
  if (auto wrong = wrong_rows("chains.two_sided", table.two_sided)) return wrong;
  if (auto wrong = wrong_rows("chains.before", table.before)) return wrong;
  return wrong_rows("chains.after", table.after);
}

template <class T>
ChainSegments segments_of(const ChainTable<Borrowed<2, T>>& table, std::size_t c) {
  ChainSegments chain{};
  chain.first_vertex = table.offsets(c);
  chain.vertices = table.offsets(c + 1) - chain.first_vertex;
  chain.is_loop = !table.loop.empty() && table.loop(c) != 0;
  chain.segments = chain.is_loop || chain.vertices == 0 ? chain.vertices : chain.vertices - 1;
  chain.own_begin = table.before.empty() ? 0 : table.before(c);
  chain.own_end = chain.segments - (table.after.empty() ? 0 : table.after(c));
  return chain;
}

template <class T>
std::optional<Finding> wrong_chain(const ChainTable<Borrowed<2, T>>& table, std::size_t c) {
  const auto row = static_cast<std::int64_t>(c);
  const ChainSegments chain = segments_of(table, c);
  const auto counted = [](std::int64_t count, const char* what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (chain.vertices > kMostSegments) {
    return Finding{"chains.offsets", row,
                   "begins chain " + number(c) + ", which has " + number(chain.vertices) +
                       " vertices; a chain has up to " + number(kMostSegments) + ", so split it"};
  }
  for (std::int64_t v = chain.first_vertex; v < chain.first_vertex + chain.vertices; ++v) {
    for (int k = 0; k < 2; ++k) {
      const T value = table.vertices(static_cast<std::size_t>(v), k);
      if (std::isfinite(value)) continue;
      return Finding{"chains.vertices", v,
                     "is " + number(value) + "; a vertex must be two finite numbers"};
    }
  }
  const auto wrong_count = [&](const char* array, const auto& column) -> std::optional<Finding> {
    if (column.empty() || column(c) == 0) return std::nullopt;
    const std::string is = "is " + number(column(c)) + "; ";
    if (chain.is_loop) {
      return Finding{array, row, is + "chain " + number(c) + " is a loop, which has no end"};
    }
    if (column(c) < 0 || column(c) > chain.segments) {
      return Finding{array, row,
                     is + "chain " + number(c) + " has " + counted(chain.segments, "segment")};
    }
    return std::nullopt;
  };
  if (auto wrong = wrong_count("chains.before", table.before)) return wrong;
  if (auto wrong = wrong_count("chains.after", table.after)) return wrong;
  for (std::int64_t s = chain.own_begin; s < chain.own_end; ++s) {
    const auto from = static_cast<std::size_t>(chain.first_vertex + s);
    const auto to =
        static_cast<std::size_t>(chain.first_vertex + (s + 1 == chain.vertices ? 0 : s + 1));
    for (int k = 0; k < 2; ++k) {
      if (table.vertices(from, k) != table.vertices(to, k)) return std::nullopt;
    }
  }
  const bool has_beyond = chain.own_end - chain.own_begin < chain.segments;
  return Finding{"chains.offsets", row,
                 "begins chain " + number(c) + ", which has " +
                     (chain.vertices == 1 ? "1 vertex" : number(chain.vertices) + " vertices") +
                     "; a chain must have a segment with a length" +
                     (has_beyond ? " that is not beyond its ends" : "")};
}

template <class T>
std::vector<Finding> chain_findings(const ChainTable<Borrowed<2, T>>& table, std::size_t limit) {
  std::vector<Finding> findings;
  if (limit == 0) return findings;
  if (auto wrong = wrong_chain_layout(table)) {
    findings.push_back(std::move(*wrong));
    return findings;
  }
  for (std::size_t c = 0; c + 1 < table.offsets.size() && findings.size() < limit; ++c) {
    if (auto wrong = wrong_chain(table, c)) findings.push_back(std::move(*wrong));
  }
  return findings;
}

#define WIDEPHASE_INSTANTIATE(T)                                                                \
  template std::optional<Finding> wrong_chain_layout(const ChainTable<Borrowed<2, T>>&);        \
  template std::optional<Finding> wrong_chain(const ChainTable<Borrowed<2, T>>&, std::size_t);  \
  template std::vector<Finding> chain_findings(const ChainTable<Borrowed<2, T>>&, std::size_t); \
  template ChainSegments segments_of(const ChainTable<Borrowed<2, T>>&, std::size_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
