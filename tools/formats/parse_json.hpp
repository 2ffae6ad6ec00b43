#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace widephase::tools {

/// Keys stay in the file's order.
using Json = nlohmann::ordered_json;

/// The whole file; a `FileError` says where it is not JSON, nests more deeply than 64, or has a key
/// twice in one object.
Json parse_json(const std::string& path);

}  // namespace widephase::tools
