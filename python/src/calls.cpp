// Options by name, and workspaces for calls without one.

#include "calls.hpp"
#include "tools/formats/file_error.hpp"

#include <algorithm>

namespace widephase::python {

namespace {

/// Idle workspaces, the most recently used last. Never destroyed: at exit Python may be gone first.
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

/// Why the module does not offer an option of its calls; empty if it does.
std::string_view why_not_in_python(std::string_view option) {
  if (option == "warm_starts") return "a Tracker has its own";
  return {};
}

/// Calls `visit(option, members...)` for each option of the function, with that member of each
/// structure.
template <class Visit, class... Options>
void for_each_option_of(const Function& function, const Visit& visit, Options&... options) {
  for_each_option(
      [&](const Option& option, auto&... members) {
        if (!option.calls.has_any(function.calls)) return;
        if (why_not_in_python(option.name).empty()) visit(option, members...);
      },
      options...);
}

/// The objects that a function takes besides its options.
std::vector<std::pair<std::string_view, std::string_view>> objects_of(const Function& function) {
  std::vector<std::pair<std::string_view, std::string_view>> objects;
  if (function.has_tracker) objects.emplace_back("tracker", "a Tracker whose next step this is");
  if (function.has_kept) objects.emplace_back("kept", "a StaticScene, whose shapes are asked too");
  objects.emplace_back("workspace", "a Workspace, whose memory is used again");
  return objects;
}

/// Reads a Python object into an option, by the type of the option's member.
struct ReadOption {
  const py::object& given;
  std::vector<py::object>& holders;  ///< keep the arrays alive

  void operator()(const Option& option, double& value) const {
    value = value_of<double>(option.name, given, "a number >= 0");
  }
  void operator()(const Option& option, int& count) const {
    count = value_of<int>(option.name, given, "a count; 0 is all");
  }
  void operator()(const Option& option, bool& value) const {
    value = value_of<bool>(option.name, given, "True or False");
  }
  void operator()(const Option& option, std::size_t& cap) const {
    const auto count = value_of<std::int64_t>(option.name, given, "a count or None");
    if (count < 0) {
      refuse(option.name, "is " + std::to_string(count) + "; expected a count or None");
    }
    cap = static_cast<std::size_t>(count);
  }
  void operator()(const Option& option, Threads& threads) const {
    threads.count = value_of<int>(option.name, given, "a count; 0 is all cores");
    if (threads.count < 0) {
      refuse(option.name, "is " + std::to_string(threads.count) + "; expected 0 or more");
    }
  }
  void operator()(const Option& option, Isa& isa) const {
    isa = isa_from_name(value_of<std::string>(option.name, given, "a word"));
  }
  template <class Enum>
  void operator()(const Option& option, Enum& value) const {
    const auto word = value_of<std::string>(option.name, given, "a word");
    const int place = place_of(word, option.words);
    if (place < 0) {
      refuse(option.name, "is " + word + "; expected one of " + list_of(option.words));
    }
    value = static_cast<Enum>(place);
  }
  void operator()(const Option& option, std::span<const std::uint8_t>& mask) const {
    mask = worlds(option, borrow_mask(given, option.name));
  }
  void operator()(const Option& option, std::span<std::uint8_t>& status) const {
    if (!py::isinstance<py::array>(given)) refuse(option.name, "is not an array to be written");
    const std::size_t count =
        worlds(option, borrow_values<std::uint8_t>(given, option.name)).size();
    auto array = py::reinterpret_borrow<py::array>(given);
    if (!array.writeable()) refuse(option.name, "is an array that must not be written");
    status = {static_cast<std::uint8_t*>(array.mutable_data()), count};
  }
  void operator()(const Option&, std::span<WarmStart>&) const {}

 private:
  /// The library takes an empty array as not given.
  std::span<const std::uint8_t> worlds(const Option& option,
                                       const HeldValues<std::uint8_t>& held) const {
    if (held.values.empty()) refuse(option.name, "has no rows; it must have one a world");
    holders.push_back(held.holder);
    return held.values;
  }
};

/// A default value in Python syntax.
template <class Value>
std::string default_text(const Option& option, const Value& value) {
  if constexpr (std::is_same_v<Value, double>)
    return py::cast<std::string>(py::repr(py::cast(value)));
  if constexpr (std::is_same_v<Value, int>) return std::to_string(value);
  if constexpr (std::is_same_v<Value, bool>) return value ? "True" : "False";
  if constexpr (std::is_same_v<Value, Threads>) return std::to_string(value.count);
  if constexpr (std::is_enum_v<Value>) {
    return "'" + std::string(option.words[static_cast<std::size_t>(value)]) + "'";
  }
  return "None";
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

void warn_of(const SceneObject& scene, std::vector<Finding> notes) {
  leave_out_needless(scene, notes);
  for (const Finding& note : notes) {
    if (PyErr_WarnEx(PyExc_UserWarning, tools::said(note).c_str(), 1) != 0) {
      throw py::error_already_set();
    }
  }
}

void give_back(std::shared_ptr<WorkspaceObject> workspace) {
  idle_workspaces().push_back(std::move(workspace));
}

std::string Function::help(std::string_view text) const {
  constexpr std::size_t kWidth = 90;
  std::string written = std::string(name) + "(" + std::string(arguments) + ", *, ";
  const std::string indent(name.size() + 1, ' ');
  std::size_t line = written.size();
  const auto append = [&](const std::string& part) {
    if (line + part.size() > kWidth) {
      written.back() = '\n';
      written += indent;
      line = indent.size();
    }
    written += part;
    line += part.size();
  };
  std::string texts;
  for (const Keyword& keyword : keywords) {
    append(std::string(keyword.name) + "=" + std::string(keyword.otherwise) + ", ");
    texts += "\n  " + std::string(keyword.name) + ": " + std::string(keyword.text);
  }
  const CollideOptions defaults;
  for_each_option_of(
      *this,
      [&](const Option& option, const auto& value) {
        append(std::string(option.name) + "=" + default_text(option, value) + ", ");
        texts += "\n  " + std::string(option.name) + ": " + std::string(option.text);
        if (!option.words.empty()) texts += " (" + list_of(option.words) + ")";
      },
      defaults);
  for (const auto& [object, meaning] : objects_of(*this)) {
    append(std::string(object) + "=None, ");
    texts += "\n  " + std::string(object) + ": " + std::string(meaning);
  }
  written.replace(written.size() - 2, 2, ")");
  written += line + answer.size() > kWidth ? "\n    -> " : " -> ";
  written += answer;
  return written + "\n\n" + std::string(text) + "\n" + texts;
}

CallOptions::CallOptions(const py::kwargs& given, const Function& function) {
  for (const auto& [word, held] : given) {
    const auto name = py::cast<std::string>(word);
    const auto value = py::reinterpret_borrow<py::object>(held);
    std::string known;
    bool is_known = false;
    const auto meets = [&](std::string_view other) {
      known.append(known.empty() ? "" : ", ").append(other);
      is_known |= name == other;
      return name == other && is_given(value);
    };
    for (const Keyword& keyword : function.keywords) {
      if (meets(keyword.name)) keywords[keyword.name] = value;
    }
    for_each_option_of(
        function,
        [&](const Option& option, auto& member) {
          if (meets(option.name)) ReadOption{value, holders_}(option, member);
        },
        options);
    for (const auto& [object, meaning] : objects_of(function)) {
      if (meets(object)) read_object(name, value);
    }
    if (is_known) continue;
    throw py::type_error(std::string(function.name) + "() has no option " + name + "; there are " +
                         known);
  }
}

void CallOptions::read_object(std::string_view name, const py::object& value) {
  if (name == "workspace") {
    workspace = value_of<std::shared_ptr<WorkspaceObject>>(name, value, "a Workspace");
  }
  if (name == "tracker") {
    tracker = value_of<std::shared_ptr<TrackerObject>>(name, value, "a Tracker");
  }
  if (name == "kept") {
    kept = value_of<std::shared_ptr<StaticSceneObject>>(name, value, "a StaticScene");
    if (kept != nullptr) asking_.emplace(kept, StaticSceneLease::To::ask, name);
  }
}

}  // namespace widephase::python
