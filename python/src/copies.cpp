// Pickles, and with them copies, of scenes, geometries, contacts and quaternions.

#include "copies.hpp"
#include "calls.hpp"
#include "tables.hpp"

#include <widephase/answers.hpp>

namespace widephase::python {

namespace {

py::dict state_of_scene(const SceneObject& scene) {
  settle(scene);
  py::dict columns;
  for (const auto& [name, column] : scene.held) {
    if (!column.given.is_listed) {
      columns[py::str(name)] = py::make_tuple(column.given.object);
      continue;
    }
    const py::object made = column.repeat_count < 0 ? column.made : py::none();
    columns[py::str(name)] = py::make_tuple(made, column.listed_numbers(), column.repeat_count);
  }
  py::dict state;
  state["dimension"] = scene.dimension();
  state["precision"] = scene.precision_given ? py::object(py::str(std::string(scene.precision())))
                                             : py::object(py::none());
  state["columns"] = columns;
  state["geometries"] = scene.geometries;
  state["pairs"] = scene.pairs;
  state["labels"] = state_of(scene.labels);
  if (scene.domain) {
    py::list min, max, periodic;
    for (std::size_t k = 0; k < scene.domain->min.size(); ++k) {
      min.append(scene.domain->min[k]);
      max.append(scene.domain->max[k]);
      periodic.append(static_cast<bool>(scene.domain->periodic[k]));
    }
    state["domain"] = py::make_tuple(min, max, periodic);
  }
  return state;
}

std::shared_ptr<SceneObject> scene_of_state(const py::dict& state) {
  auto scene = make_scene(py::cast<int>(state["dimension"]), precision_named(state["precision"]));
  scene->geometries = py::cast<std::shared_ptr<GeometriesObject>>(state["geometries"]);
  scene->pairs = state["pairs"];
  scene->labels = labels_of_state(state["labels"]);
  HeldColumns held;
  for (const auto& [key, value] : py::cast<py::dict>(state["columns"])) {
    const auto name = py::cast<std::string>(key);
    const auto parts = py::cast<py::tuple>(value);
    HeldColumn& column = held[name];
    if (parts.size() > 1) {
      if (!parts[0].is_none()) column.made = parts[0];
      column.given.object = column.given.array = py::cast<py::array>(parts[1]);
      column.given.is_listed = true;
      column.repeat_count = py::cast<py::ssize_t>(parts[2]);
      continue;
    }
    const std::size_t dot = name.find('.');
    const std::string table = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::vector<ColumnHandle> handles = columns_of(*scene, table);
    const std::string field = dot == std::string::npos ? name : name.substr(dot + 1);
    const ColumnHandle& handle = find(handles, table, field);
    column.given = take(parts[0], name, handle.type, handle.width);
  }
  if (state.contains("domain")) {
    const auto box = py::cast<py::tuple>(state["domain"]);
    HeldDomain& domain = scene->domain.emplace();
    for (const py::handle number : box[0]) domain.min.push_back(py::cast<double>(number));
    for (const py::handle number : box[1]) domain.max.push_back(py::cast<double>(number));
    for (const py::handle truth : box[2]) domain.periodic.push_back(py::cast<bool>(truth));
  }
  commit(*scene, std::move(held));
  return scene;
}

/// Copies an array into a column of an answer.
template <class T, int W>
void copy_into(Column<T, W>& column, py::handle array, std::string_view name) {
  const Rows rows = borrow(array, name, number_of<T>(), W);
  const auto span = span_of<T, W>(rows);
  column.resize_uninitialized(span.size());
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < span.size(); ++i) column(i, w) = span(i, w);
  }
}

void copy_into(Column<Pair>& column, py::handle array, std::string_view name) {
  const HeldValues<Pair> held = borrow_values<Pair>(array, name);
  column.resize_uninitialized(held.values.size());
  for (std::size_t i = 0; i < held.values.size(); ++i) column[i] = held.values[i];
}

py::tuple state_of_contacts(const ContactsObject& contacts) {
  return with_contacts(contacts, [&]<int D, class T>(
                                     const std::shared_ptr<ContactBuffer<D, T>>& buffer) {
    py::dict arrays;
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          arrays[py::str(std::string(field.name))] = exposed(column, buffer);
        },
        std::as_const(*buffer));
    return py::make_tuple(D, static_cast<int>(precision_of<T>()), arrays, state_of_sides(contacts));
  });
}

ContactsObject contacts_of_state(const py::tuple& state) {
  const auto arrays = py::cast<py::dict>(state[2]);
  const auto of = [&]<int D, class T>() -> ContactsObject {
    auto buffer = std::make_shared<ContactBuffer<D, T>>();
    for_each_answer(
        [&]<class AnyColumn>(const AnswerField& field, const AnyColumn& column) {
          const std::string name(field.name);
          copy_into(const_cast<AnyColumn&>(column), arrays[py::str(name)], name);
        },
        std::as_const(*buffer));
    return {buffer, nullptr, nullptr, sides_of_state(state[3])};
  };
  const auto in = [&]<int D>() {
    const auto precision = static_cast<Precision>(py::cast<int>(state[1]));
    if (precision == Precision::narrow) return of.template operator()<D, float>();
    if (precision == Precision::wide) return of.template operator()<D, double>();
    return of.template operator()<D, Mixed>();
  };
  return py::cast<int>(state[0]) == 2 ? in.template operator()<2>() : in.template operator()<3>();
}

}  // namespace

void bind_copies(py::class_<SceneObject, std::shared_ptr<SceneObject>>& scene) {
  scene.def(py::pickle(&state_of_scene, &scene_of_state));
}

void bind_copies(py::class_<ContactsObject>& contacts) {
  contacts.def(py::pickle(&state_of_contacts, &contacts_of_state));
}

}  // namespace widephase::python
