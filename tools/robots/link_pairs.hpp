#pragma once

// Pairs of links that never meet, collected from a file by their names.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <widephase/columns.hpp>

namespace widephase::tools {

/// That a file may name. All pairs of 700 links are fewer.
inline constexpr std::size_t kMostLinkPairs = 250'000;

class LinkPairs {
 public:
  /// `path` is for messages, and must outlive the object.
  LinkPairs(const std::string& path, const std::vector<std::string>& links);

  /// The index of a link; -1 if the robot does not have it.
  std::int32_t find(const std::string& link) const;
  std::int32_t link_count() const { return static_cast<std::int32_t>(index_of_.size()); }

  /// A link with itself is no pair. Throws a `FileError` for more pairs than files of robots have.
  void disable(std::int32_t a, std::int32_t b);
  void enable(std::int32_t a, std::int32_t b) { pairs_.erase(std::minmax(a, b)); }

  /// The pairs, the lower link first.
  Column<std::int32_t, 2> columns() const;

 private:
  const std::string& path_;
  std::map<std::string, std::int32_t, std::less<>> index_of_;
  std::set<std::pair<std::int32_t, std::int32_t>> pairs_;
};

}  // namespace widephase::tools
