#pragma once

#include <string>
#include <vector>

#include <widephase/columns.hpp>

namespace widephase::tools {

/// SRDF (Semantic Robot Description Format), as MoveIt's setup writes it: the pairs of links, as
/// indices of `links`, that never meet. `disable_default_collisions` disables all pairs of a link,
/// `enable_collisions` enables some again, and `disable_collisions` comes last. A name that is not
/// among the links is a `FileError`. Groups, states and all else are ignored.
Column<std::int32_t, 2> read_srdf(const std::string& path, const std::vector<std::string>& links);

}  // namespace widephase::tools
