#pragma once

#include <filesystem>
#include <optional>

namespace widephase::test {

/// A file or folder of the real data. If $WIDEPHASE_DATA is set, it must be in that folder.
/// Otherwise it is in the folder beside the checkout, or nothing if that has none.
std::optional<std::filesystem::path> data_path(const std::filesystem::path& name);

}  // namespace widephase::test
