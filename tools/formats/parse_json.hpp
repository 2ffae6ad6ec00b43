#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace widephase::tools {

/// Keys keep the order of the file.
using Json = nlohmann::ordered_json;

/// Parses the whole file. A `FileError` says where it is not JSON, is nested more than 64 deep, or
/// repeats a key in an object.
Json parse_json(const std::string& path);

}  // namespace widephase::tools
