#include "tools/robots/link_pairs.hpp"

#include <fmt/format.h>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

LinkPairs::LinkPairs(const std::string& path, const std::vector<std::string>& links) : path_(path) {
  for (const std::string& link : links) {
    index_of_.emplace(link, static_cast<std::int32_t>(index_of_.size()));
  }
}

std::int32_t LinkPairs::find(const std::string& link) const {
  const auto found = index_of_.find(link);
  return found == index_of_.end() ? -1 : found->second;
}

void LinkPairs::disable(std::int32_t a, std::int32_t b) {
  if (a != b) pairs_.insert(std::minmax(a, b));
  if (pairs_.size() <= kMostLinkPairs) return;
  throw FileError(path_, fmt::format("disables more than {} pairs of links", kMostLinkPairs));
}

Column<std::int32_t, 2> LinkPairs::columns() const {
  Column<std::int32_t, 2> pairs;
  for (const auto& [a, b] : pairs_) pairs.push_back({a, b});
  return pairs;
}

}  // namespace widephase::tools
