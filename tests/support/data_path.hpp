#pragma once

#include <filesystem>
#include <optional>

namespace widephase::test {

/// A file or folder of the real data: in $WIDEPHASE_DATA where that is set, which must then have
/// it; else in the folder beside the checkout, and nothing where that has none.
std::optional<std::filesystem::path> data_path(const std::filesystem::path& name);

}  // namespace widephase::test
