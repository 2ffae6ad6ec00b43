// Names and frames of widephase.Scene, and Scene.extend.

#include "labels.hpp"

#include <pybind11/stl.h>

#include <cstring>

#include "calls.hpp"
#include "files.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/scene_names.hpp"
#include "tools/formats/wide_texts.hpp"

namespace widephase::python {

void add_rows(HeldRows& held, const SceneObject& scene, const SharedLabels& labels, Kind kind,
              tools::KindRows rows) {
  const std::string word(kind_name(kind, held.rows.dimension));
  const auto keep = [&](const char* field, bool is_there) {
    if (!is_there) return;
    const HeldColumn& column = scene.held.at(word + field);
    held.arrays.push_back(column.object());
    if (column.buffer != nullptr) held.owners.push_back(column.buffer);
  };
  keep(".world", !rows.world.empty());
  keep(".key", !rows.key.empty());
  keep(".body", !rows.body.empty());
  if (labels != nullptr) {
    const auto names = labels->names.find(word);
    // A table that got other rows has lost its names.
    if (names != labels->names.end() && names->second.count() == rows.count) {
      rows.name = &names->second;
    }
  }
  held.rows.kinds[static_cast<std::size_t>(kind)] = rows;
}

SharedRows copied(const HeldRows& held) {
  auto copy = std::make_shared<HeldRows>();
  copy->rows = held.rows;
  copy->owners = held.owners;
  const auto take = [&]<class T>(ColumnSpan<T>& column) {
    if (column.empty()) return;
    auto own = std::make_shared<Column<T>>();
    own->resize_uninitialized(column.size());
    for (std::size_t row = 0; row < column.size(); ++row) (*own)[row] = column(row);
    column = own->span();
    copy->owners.push_back(std::move(own));
  };
  for (tools::KindRows& rows : copy->rows.kinds) {
    take(rows.world);
    take(rows.key);
    take(rows.body);
  }
  return copy;
}

py::array unicode_array(const tools::Array& texts) {
  const tools::WideTexts wide = tools::wide_texts(texts);
  const py::dtype type("<U" + std::to_string(wide.width));
  return {type, std::vector<py::ssize_t>(texts.shape().begin(), texts.shape().end()),
          wide.characters.data()};
}

tools::Array texts_from(const py::object& given, std::string_view name) {
  const py::module_ numpy = py::module_::import("numpy");
  py::array array = numpy.attr("asarray")(given);
  if (array.dtype().kind() == 'O') {
    for (const auto& item : array.attr("ravel")()) {
      if (!py::isinstance<py::str>(item)) refuse(name, "has an entry that is not a str");
    }
    array = array.attr("astype")("U");
  }
  if (array.size() == 0) array = numpy.attr("empty")(array.attr("shape"), "U1");
  if (array.dtype().kind() != 'U') refuse(name, "must be texts, as a list of str");
  const auto width = static_cast<std::size_t>(array.itemsize()) / sizeof(char32_t);
  array = numpy.attr("ascontiguousarray")(array, array.dtype().attr("newbyteorder")("<"));
  std::vector<char32_t> characters(static_cast<std::size_t>(array.size()) * width);
  if (!characters.empty()) {
    std::memcpy(characters.data(), array.data(), characters.size() * sizeof(char32_t));
  }
  std::vector<std::size_t> shape;
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    shape.push_back(static_cast<std::size_t>(array.shape(axis)));
  }
  return tools::texts_of(characters, width, std::move(shape));
}

py::object state_of(const SharedLabels& labels) {
  if (labels == nullptr) return py::none();
  py::dict names;
  for (const auto& [table, texts] : labels->names) names[py::str(table)] = unicode_array(texts);
  return py::make_tuple(names, labels->frames);
}

SharedLabels labels_of_state(const py::object& state) {
  if (state.is_none()) return nullptr;
  const auto parts = py::cast<py::tuple>(state);
  SceneLabels labels;
  for (const auto& [table, texts] : py::cast<py::dict>(parts[0])) {
    labels.names.emplace(py::cast<std::string>(table),
                         texts_from(py::reinterpret_borrow<py::object>(texts), "names"));
  }
  labels.frames = py::cast<std::vector<std::int64_t>>(parts[1]);
  return std::make_shared<const SceneLabels>(std::move(labels));
}

namespace {

/// `count` names of one axis, none of which is too long for a file.
tools::Array names_from(const py::object& given, std::string_view name, std::size_t count) {
  tools::Array texts = texts_from(given, name);
  if (texts.shape() != std::vector<std::size_t>{count}) {
    refuse(name, "has the shape " + tools::shape_text(texts.shape()) + "; expected (" +
                     std::to_string(count) + ",)");
  }
  for (std::size_t row = 0; row < count; ++row) {
    if (tools::character_count(texts.text(row)) <= tools::kMostNameCharacters) continue;
    refuse(name, "has more than " + std::to_string(tools::kMostNameCharacters) + " characters",
           static_cast<std::int64_t>(row));
  }
  return texts;
}

std::vector<std::pair<std::string, std::size_t>> counts_of(const SceneObject& scene) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    for_each_table(span, [&](const auto& table) {
      constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
      counts.emplace_back(kind_name(kind, D), row_count(table));
    });
    return 0;
  });
  return counts;
}

std::size_t body_count(const SceneObject& scene) {
  return with_scene(scene, []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    return span.bodies.position.size();
  });
}

/// The table's names while it has as many rows.
const tools::Array* names_in(const SceneObject& scene, const std::string& table,
                             std::size_t count) {
  if (scene.labels == nullptr) return nullptr;
  const auto found = scene.labels->names.find(table);
  const bool is_there = found != scene.labels->names.end() && found->second.count() == count;
  return is_there ? &found->second : nullptr;
}

SceneLabels copy_of(const SharedLabels& labels) {
  SceneLabels copy;
  if (labels == nullptr) return copy;
  for (const auto& [table, names] : labels->names) copy.names.emplace(table, names.copied());
  copy.frames = labels->frames;
  return copy;
}

void replace(SceneObject& scene, SceneLabels labels) {
  scene.labels = std::make_shared<const SceneLabels>(std::move(labels));
}

py::object names_of_shapes(const SceneObject& scene) {
  std::vector<std::string> all;
  bool has_any = false;
  for (const auto& [table, count] : counts_of(scene)) {
    const tools::Array* names = names_in(scene, table, count);
    has_any |= names != nullptr && count > 0;
    for (std::size_t row = 0; row < count; ++row) {
      all.push_back(names == nullptr ? std::string() : names->text(row));
    }
  }
  if (!has_any) return py::none();
  const std::size_t count = all.size();
  return unicode_array(tools::Array::of_texts(all, {count}));
}

void set_names_of_shapes(SceneObject& scene, const py::object& given) {
  const auto counts = counts_of(scene);
  SceneLabels labels = copy_of(scene.labels);
  for (const auto& [table, count] : counts) labels.names.erase(table);
  if (is_given(given)) {
    std::size_t total = 0;
    for (const auto& [table, count] : counts) total += count;
    const tools::Array texts = names_from(given, "names", total);
    std::size_t next = 0;
    for (const auto& [table, count] : counts) {
      std::vector<std::string> own;
      for (std::size_t row = 0; row < count; ++row) own.push_back(texts.text(next++));
      if (count > 0) labels.names.emplace(table, tools::Array::of_texts(own, {count}));
    }
  }
  replace(scene, std::move(labels));
}

py::object names_of_bodies(const SceneObject& scene) {
  const tools::Array* names = names_in(scene, "bodies", body_count(scene));
  return names == nullptr ? py::object(py::none()) : py::object(unicode_array(*names));
}

void set_names_of_bodies(SceneObject& scene, const py::object& given) {
  SceneLabels labels = copy_of(scene.labels);
  labels.names.erase("bodies");
  if (is_given(given)) {
    labels.names.emplace("bodies", names_from(given, "body_names", body_count(scene)));
  }
  replace(scene, std::move(labels));
}

py::object frames_of(const SceneObject& scene) {
  if (scene.labels == nullptr || scene.labels->frames.empty()) return py::none();
  const auto& frames = scene.labels->frames;
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(frames.size()), frames.data());
}

void set_frames(SceneObject& scene, const py::object& given) {
  SceneLabels labels = copy_of(scene.labels);
  labels.frames.clear();
  if (is_given(given)) {
    const py::array array = py::module_::import("numpy").attr("asarray")(given);
    const char kind = array.dtype().kind();
    if (array.ndim() != 1 || (kind != 'i' && kind != 'u')) {
      refuse("frames", "must be integers, one for each world");
    }
    labels.frames = py::cast<std::vector<std::int64_t>>(array.attr("tolist")());
    const auto worlds = with_scene(scene, []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
      return static_cast<std::size_t>(world_count<D, T>(span));
    });
    if (labels.frames.size() < worlds) {
      refuse("frames", "has " + std::to_string(labels.frames.size()) +
                           " numbers; expected one for each of the " + std::to_string(worlds) +
                           " worlds");
    }
  }
  replace(scene, std::move(labels));
}

std::vector<std::string> extend(SceneObject& scene, const SceneObject& other) {
  const tools::SceneFile own = file_of(scene, "the scene");
  const tools::SceneFile added = file_of(other, "the other scene");
  std::vector<std::string> notes;
  const tools::SceneFile both = tools::merged("the scene", {&own, &added}, notes);
  take_file(scene, both);
  return notes;
}

}  // namespace

void add_labels(const SceneObject& scene, std::vector<tools::NamedArray>& arrays) {
  for (const auto& [table, count] : counts_of(scene)) {
    const tools::Array* names = names_in(scene, table, count);
    if (names != nullptr && count > 0) arrays.push_back({table + ".name", names->copied()});
  }
  const std::size_t bodies = body_count(scene);
  const tools::Array* names = names_in(scene, "bodies", bodies);
  if (names != nullptr && bodies > 0) arrays.push_back({"bodies.name", names->copied()});
  if (scene.labels != nullptr && !scene.labels->frames.empty()) {
    arrays.push_back({"world.frame", tools::Array::of(scene.labels->frames)});
  }
}

SharedLabels labels_of(const tools::SceneFile& file) {
  SceneLabels labels;
  for (const tools::NamedArray& entry : file.arrays()) {
    if (entry.array.type() != tools::Type::text) continue;
    labels.names.emplace(entry.name.substr(0, entry.name.find('.')), entry.array.copied());
  }
  labels.frames.assign(file.frames().begin(), file.frames().end());
  if (labels.names.empty() && labels.frames.empty()) return nullptr;
  return std::make_shared<const SceneLabels>(std::move(labels));
}

SharedLabels replicated_labels(const SceneObject& scene, std::int32_t world_count) {
  if (scene.labels == nullptr || scene.labels->names.empty()) return nullptr;
  SceneLabels labels;
  const auto worlds = static_cast<std::size_t>(world_count);
  with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    for_each_table(span, [&](const auto& table) {
      constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
      const std::string word(kind_name(kind, D));
      const std::size_t count = row_count(table);
      const tools::Array* names = names_in(scene, word, count);
      if (names == nullptr || count == 0) return;
      // Shapes of world -1 come first, once; then the others, world by world.
      std::vector<std::string> all;
      const auto add = [&](bool is_shared) {
        for (std::size_t row = 0; row < count; ++row) {
          const bool is_of_all = !table.world.empty() && table.world(row) == -1;
          if (is_of_all == is_shared) all.push_back(names->text(row));
        }
      };
      add(true);
      for (std::size_t world = 0; world < worlds; ++world) add(false);
      const std::size_t rows = all.size();
      labels.names.emplace(word, tools::Array::of_texts(all, {rows}));
    });
    return 0;
  });
  if (const tools::Array* names = names_in(scene, "bodies", body_count(scene))) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < worlds * names->count(); ++i) {
      all.push_back(names->text(i % names->count()));
    }
    const std::size_t rows = all.size();
    labels.names.emplace("bodies", tools::Array::of_texts(all, {rows}));
  }
  return std::make_shared<const SceneLabels>(std::move(labels));
}

void bind_labels(py::module_& module) {
  auto scene = py::reinterpret_borrow<py::class_<SceneObject, std::shared_ptr<SceneObject>>>(
      module.attr("Scene"));
  scene
      .def_property(
          "names", &names_of_shapes, &set_names_of_shapes,
          "(n,) str: the name of each shape by id, '' where there is none; or None.\n"
          "scene.names[contacts.pair] names both sides. A robot's shapes have the names\n"
          "of their links or geoms. A table whose number of rows changes loses its names.")
      .def_property("body_names", &names_of_bodies, &set_names_of_bodies,
                    "(m,) str: the name of each body; or None.")
      .def_property("frames", &frames_of, &set_frames,
                    "(w,) int64: the frame or step of each world in the file that it comes from;\n"
                    "or None.")
      .def(
          "extend", &extend, py::arg("other"),
          "Adds the shapes of another scene of the same dimension, as `widephase convert` puts\n"
          "several files into one. Rows follow those that are there. Owners, bodies, keys and\n"
          "geometries are numbered on, and names that are there end in '#2'. If only one of the\n"
          "scenes has a column `world`, the other's shapes are in all worlds. The scene then owns\n"
          "its columns, in its own precision. Returns sentences about what is not as it was.");
}

}  // namespace widephase::python
