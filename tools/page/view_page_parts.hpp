#pragma once

namespace widephase::tools {

/// The page of `widephase view` with places for what is shown, and its script: from web/view. Empty
/// where the build has none.
extern const char* const kViewPage;
extern const char* const kViewScript;

}  // namespace widephase::tools
