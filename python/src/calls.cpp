// Options by name, and the workspaces of calls that are given none.

#include "calls.hpp"

#include <algorithm>

namespace widephase::python {

namespace {

/// Idle ones, last used last. Never destroyed: the interpreter may be gone by then.
std::vector<std::shared_ptr<WorkspaceObject>>& idle_workspaces() {
  static auto& idle = *new std::vector<std::shared_ptr<WorkspaceObject>>();
  return idle;
}

template <class Value>
Value value_of(std::string_view name, const py::object& given, const char* wanted) {
  try {
    return py::cast<Value>(given);
  } catch (const py::cast_error& error) {
    if (is_of_unmade(error)) throw;
    refuse(name, "is " + py::cast<std::string>(py::repr(given)) + "; expected " + wanted);
  }
}

/// The place of a word among those that are allowed.
int word_of(std::string_view name, const py::object& given,
            std::initializer_list<std::string_view> words) {
  const auto word = value_of<std::string>(name, given, "a word");
  std::string list;
  int place = 0;
  for (const std::string_view known : words) {
    if (word == known) return place;
    list.append(list.empty() ? "" : ", ").append(known);
    ++place;
  }
  refuse(name, "is " + word + "; expected one of " + list);
}

/// To the library none would mean that nothing was given.
HeldValues<std::uint8_t> borrow_worlds(const py::object& given, std::string_view name) {
  HeldValues<std::uint8_t> held = borrow_values<std::uint8_t>(given, name);
  if (held.values.empty()) refuse(name, "has no rows; it must have one a world");
  return held;
}

std::size_t cap_of(std::string_view name, const py::object& given) {
  const auto cap = value_of<std::int64_t>(name, given, "a count or None");
  if (cap < 0) refuse(name, "is " + std::to_string(cap) + "; expected a count or None");
  return static_cast<std::size_t>(cap);
}

}  // namespace

std::shared_ptr<WorkspaceObject> take_workspace(std::size_t index) {
  auto& idle = idle_workspaces();
  const auto found = std::find_if(idle.rbegin(), idle.rend(), [&](const auto& workspace) {
    return workspace->held.index() == index;
  });
  if (found == idle.rend()) return std::make_shared<WorkspaceObject>();
  std::shared_ptr<WorkspaceObject> workspace = std::move(*found);
  idle.erase(std::next(found).base());
  return workspace;
}

void give_back(std::shared_ptr<WorkspaceObject> workspace) {
  idle_workspaces().push_back(std::move(workspace));
}

CallOptions::CallOptions(const py::kwargs& given, std::string_view function,
                         std::initializer_list<std::string_view> allowed) {
  for (const auto& [word, value] : given) {
    const auto name = py::cast<std::string>(word);
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
      std::string list;
      for (const std::string_view known : allowed)
        list.append(list.empty() ? "" : ", ").append(known);
      throw py::type_error(std::string(function) + "() has no option " + name + "; there are " +
                           list);
    }
    if (is_given(value)) read(name, py::reinterpret_borrow<py::object>(value));
  }
}

void CallOptions::read(std::string_view name, const py::object& value) {
  if (name == "margin") options.margin = value_of<double>(name, value, "a length >= 0");
  if (name == "steadiness") options.steadiness = value_of<double>(name, value, "a length >= 0");
  if (name == "order") {
    options.order = static_cast<Order>(word_of(name, value, {"kind", "source", "id", "world"}));
  }
  if (name == "method") {
    options.method = static_cast<Method>(word_of(name, value, {"auto", "sat", "gjk_epa"}));
  }
  if (name == "threads") {
    options.threads.count = value_of<int>(name, value, "a count; 0 is all cores");
    if (options.threads.count < 0) {
      refuse(name, "is " + std::to_string(options.threads.count) + "; expected 0 or more");
    }
  }
  if (name == "isa") options.isa = isa_from_name(value_of<std::string>(name, value, "a word"));
  if (name == "world_mask") {
    const HeldValues<std::uint8_t> mask = borrow_worlds(value, name);
    options.world_mask = mask.values;
    holders_.push_back(mask.holder);
  }
  if (name == "world_status") read_status(value);
  if (name == "max_pairs") options.max_pairs = cap_of(name, value);
  if (name == "max_contacts") options.max_contacts = cap_of(name, value);
  if (name == "max_points") options.max_points = cap_of(name, value);
  if (name == "moving_pairs") options.moving_pairs = value_of<bool>(name, value, "True or False");
  if (name == "keeps_order") options.keeps_order = value_of<bool>(name, value, "True or False");
  if (name == "workspace") {
    workspace = value_of<std::shared_ptr<WorkspaceObject>>(name, value, "a Workspace");
  }
  if (name == "tracker") {
    tracker = value_of<std::shared_ptr<TrackerObject>>(name, value, "a Tracker");
  }
  if (name == "kept") {
    kept = value_of<std::shared_ptr<StaticSceneObject>>(name, value, "a StaticScene");
  }
}

void CallOptions::read_status(const py::object& value) {
  if (!py::isinstance<py::array>(value)) refuse("world_status", "is not an array to be written");
  const HeldValues<std::uint8_t> status = borrow_worlds(value, "world_status");
  auto array = py::reinterpret_borrow<py::array>(value);
  if (!array.writeable()) refuse("world_status", "is an array that must not be written");
  options.world_status = {static_cast<std::uint8_t*>(array.mutable_data()), status.values.size()};
  holders_.push_back(status.holder);
}

}  // namespace widephase::python
