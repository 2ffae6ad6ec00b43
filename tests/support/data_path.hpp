#pragma once

#include <filesystem>
#include <optional>

namespace widephase::test {

/// A file or folder of the real data: in $WIDEPHASE_DATA, else in the folder beside the checkout;
/// nothing where neither has it.
std::optional<std::filesystem::path> data_path(const std::filesystem::path& name);

}  // namespace widephase::test
