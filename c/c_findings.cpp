// widephase.h: what is wrong with a scene or with pairs, listed.

#include <widephase/notes.hpp>

#include "c/c_handles.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

/// On an error the handle keeps what it had.
void keep(std::vector<Finding> found, widephase_findings& findings) {
  std::vector<widephase_findings::Row> rows;
  rows.reserve(found.size());
  for (Finding& finding : found) {
    std::string text = text_in_c(finding);
    rows.push_back({std::move(finding), std::move(text)});
  }
  findings.rows = std::move(rows);
}

}  // namespace

}  // namespace widephase

using namespace widephase;

widephase_result widephase_findings_create(widephase_findings** findings) {
  return create(findings, "findings");
}
void widephase_findings_destroy(widephase_findings** findings) { destroy(findings); }

widephase_result widephase_scene_validate(const widephase_scene* scene, double margin,
                                          int64_t limit, widephase_findings* findings) {
  return guarded([&] {
    required(findings, "findings");
    const std::size_t most = cap_of(limit, "limit");
    std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
          keep(validate<D, T>(columns, margin, most), *findings);
        },
        required(scene, "scene").columns);
  });
}

widephase_result widephase_scene_notes(const widephase_scene* scene, widephase_findings* findings) {
  return guarded([&] {
    required(findings, "findings");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      keep(notes_of<D, T>(columns), *findings);
    });
  });
}

widephase_result widephase_scene_validate_pairs(const widephase_scene* scene, const int32_t* pairs,
                                                int64_t pair_count, int64_t limit,
                                                widephase_findings* findings) {
  return guarded([&] {
    required(findings, "findings");
    const std::size_t most = cap_of(limit, "limit");
    const SceneLayout layout = std::visit([](const auto& columns) { return layout_of(columns); },
                                          required(scene, "scene").columns);
    keep(validate_pairs(layout, pairs_of(pairs, pair_count), most), *findings);
  });
}

widephase_result widephase_findings_count(const widephase_findings* findings, int64_t* count) {
  return guarded([&] {
    required(count, "count") = 0;
    *count = static_cast<int64_t>(required(findings, "findings").rows.size());
  });
}

widephase_result widephase_findings_get(const widephase_findings* findings, int64_t index,
                                        const char** array, int64_t* row, const char** message) {
  return guarded([&] {
    const auto& rows = required(findings, "findings").rows;
    if (index < 0 || static_cast<std::size_t>(index) >= rows.size()) {
      refuse("index", "is " + number(index) + "; there are " + number(rows.size()) +
                          " findings, counted from 0");
    }
    const widephase_findings::Row& found = rows[static_cast<std::size_t>(index)];
    if (array != nullptr) *array = found.finding.array.c_str();
    if (row != nullptr) *row = found.finding.row;
    if (message != nullptr) *message = found.text.c_str();
  });
}
