#pragma once

// Files that say which links of a robot are allowed to touch, and so never meet.

#include <string>
#include <vector>

#include <widephase/columns.hpp>

namespace widephase::tools {

/// The pairs of links, as indices of `links`, that never meet: by SRDF, or by MoveIt's matrix if
/// the file is not XML. `notes` gets what is left out of a matrix.
Column<std::int32_t, 2> read_allowed(const std::string& path, const std::vector<std::string>& links,
                                     std::vector<std::string>& notes);

/// SRDF (Semantic Robot Description Format), as MoveIt's setup writes it.
/// `disable_default_collisions` disables all pairs of a link, `enable_collisions` enables some
/// again, and `disable_collisions` comes last. A name that is not among the links is a `FileError`.
/// Groups, states and all else are ignored.
Column<std::int32_t, 2> read_srdf(const std::string& path, const std::vector<std::string>& links);

/// MoveIt's `allowed_collision_matrix` in YAML: of a planning scene, or a file of its own. A pair
/// without a value has the default of either link; of two defaults both must allow it. A matrix
/// that is not square and symmetric is a `FileError`, and so is a link that may touch what the
/// robot does not have, such as an obstacle. Names that nothing may touch are left out.
Column<std::int32_t, 2> read_matrix(const std::string& path, const std::vector<std::string>& links,
                                    std::vector<std::string>& notes);

}  // namespace widephase::tools
