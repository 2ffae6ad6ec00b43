// For a build without web/: there is no page.

#include "tools/page/view_page_parts.hpp"

namespace widephase::tools {

const char* const kViewPage = "";
const char* const kViewScript = "";

}  // namespace widephase::tools
