#include <widephase/types.hpp>

namespace widephase {

std::string Finding::text() const {
  // Columns of files by the members that they are.
  constexpr Rewording kMembers[] = {
      {".orientation", ".turn"},
      {"; orientation must", "; turn must"},
      {".angle", ".turn"},
      {"; angle must", "; turn must"},
      {"hulls.vertices", "geometries.vertices"},
      {"hulls.offsets", "geometries.offsets"},
      {"polygons.vertices", "geometries.vertices"},
      {"polygons.offsets", "geometries.offsets"},
      {"hulls.inner", "geometries.inner"},
      {"polygons.inner", "geometries.inner"},
      {"heightfields.", "heightfield_geometries."},
      {"meshes.", "mesh_geometries."},
      {"chains.", "chain_geometries."},
  };
  return text_in(kMembers);
}

std::string Finding::text_in(std::span<const Rewording> rewordings) const {
  std::string text = array + (row < 0 ? "" : "[" + std::to_string(row) + "]") + " " + message;
  for (const Rewording& one : rewordings) {
    std::size_t at = 0;
    while ((at = text.find(one.words, at)) != std::string::npos) {
      text.replace(at, one.words.size(), one.instead);
      at += one.instead.size();
    }
  }
  return text;
}

}  // namespace widephase
