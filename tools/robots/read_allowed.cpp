#include "tools/robots/read_allowed.hpp"

#include "tools/formats/text.hpp"

namespace widephase::tools {

Column<std::int32_t, 2> read_allowed(const std::string& path, const std::vector<std::string>& links,
                                     std::vector<std::string>& notes) {
  const std::string start = read_start(path, 8192);
  const std::string_view text = without_mark(start);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_xml = first != text.npos && text[first] == '<';
  return is_xml ? read_srdf(path, links) : read_matrix(path, links, notes);
}

}  // namespace widephase::tools
