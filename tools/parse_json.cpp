#include "parse_json.hpp"

#include "file_error.hpp"
#include "text.hpp"

namespace widephase::tools {

Json parse_json(const std::string& path) {
  try {
    return Json::parse(read_file(path));
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 2, column 5: ..."
    std::string reason = error.what();
    if (const std::size_t end = reason.find("] "); end != std::string::npos) {
      reason = reason.substr(end + 2);
    }
    throw FileError(path, "is no JSON: " + reason);
  }
}

}  // namespace widephase::tools
