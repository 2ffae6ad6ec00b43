#pragma once

namespace widephase::tools {

/// The page of `widephase view`, with placeholders for the data, and its script, both from
/// web/view. Empty if the build has no page.
extern const char* const kViewPage;
extern const char* const kViewScript;

}  // namespace widephase::tools
