#pragma once

// What files, messages and contacts say of shapes beyond the numbers that calls read: names, frames
// of worlds, and what the two sides of a contact are.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "arrays.hpp"
#include "tools/formats/contact_sides.hpp"

namespace widephase::python {

struct SceneObject;

/// Names and frames of a scene. Contacts that were found in it share them, so they are replaced,
/// never changed.
struct SceneLabels {
  std::map<std::string, tools::Array, std::less<>> names;  ///< by table: "sphere", "bodies"
  std::vector<std::int64_t> frames;                        ///< of worlds; empty: unknown
};
using SharedLabels = std::shared_ptr<const SceneLabels>;

/// What tells the shapes of a scene apart, and what keeps that alive.
struct HeldRows {
  tools::SceneRows rows;
  std::vector<py::object> arrays;
  std::vector<std::shared_ptr<const void>> owners;
};
using SharedRows = std::shared_ptr<const HeldRows>;

/// The rows of one kind, in a function of its own so that it is compiled once.
void add_rows(HeldRows& held, const SceneObject& scene, const SharedLabels& labels, Kind kind,
              tools::KindRows rows);

/// Borrows the columns from the scene's arrays.
template <int D, class T>
SharedRows held_rows(const SceneObject& scene, const SharedLabels& labels,
                     const SceneSpan<D, T>& span) {
  auto held = std::make_shared<HeldRows>();
  held->rows.dimension = D;
  held->rows.body_count = static_cast<std::int32_t>(span.bodies.position.size());
  if (labels != nullptr) {
    held->rows.frames = labels->frames;
    held->owners.push_back(labels);
  }
  for_each_table(span, [&](const auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    if (row_count(table) == 0) return;
    add_rows(*held, scene, labels, kind,
             {row_count(table), table.world, table.key, table.body, nullptr});
  });
  return held;
}

/// The same rows in memory of their own.
SharedRows copied(const HeldRows& held);

/// An array of NumPy's fixed-width texts, (n,) or (n, 2).
py::array unicode_array(const tools::Array& texts);
/// The reverse of any array or list of texts, (n,) or (n, 2); throws `Error` with `name` for
/// others.
tools::Array texts_from(const py::object& given, std::string_view name);

/// What a pickle has of names and frames, and the reverse.
py::object state_of(const SharedLabels& labels);
SharedLabels labels_of_state(const py::object& state);

}  // namespace widephase::python
