#pragma once

#include <vector>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// Adds the rows of an optional array of a file's meshes or chains, 0 where it is not there, and
/// says whether it is. `offsets` is the number of their offsets; a wrong number of rows stays wrong.
template <class Number>
bool append_library_rows(const SceneFile& scene, const char* name, std::size_t offsets,
                         std::vector<Number>& rows) {
  const Array* const array = scene.find(name);
  for (std::size_t row = 0; row + 1 < offsets; ++row) {
    if (array != nullptr && row >= array->rows()) break;
    rows.push_back(array == nullptr ? Number{0} : array->values<Number>()[row]);
  }
  return array != nullptr;
}

/// The rows of an optional column of all scenes' libraries; none if no scene has it.
template <class Number>
std::vector<Number> rows_of_libraries(const std::vector<const SceneFile*>& scenes,
                                      const char* offsets, const char* name) {
  std::vector<Number> rows;
  bool has_any = false;
  for (const SceneFile* scene : scenes) {
    const Array* const own = scene->find(offsets);
    if (own != nullptr) has_any |= append_library_rows(*scene, name, own->rows(), rows);
  }
  if (!has_any) rows.clear();
  return rows;
}

}  // namespace widephase::tools
