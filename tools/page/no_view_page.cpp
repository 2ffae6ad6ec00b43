// Used by builds without web/, which have no page.

#include "tools/page/view_page_parts.hpp"

namespace widephase::tools {

const char* const kViewPage = "";
const char* const kViewScript = "";

}  // namespace widephase::tools
