// widephase.Tracker and StaticScene: what persists from step to step, and what does not move.

#include "answers.hpp"
#include "calls.hpp"

namespace widephase::python {

namespace {

/// Calls `call(tracker)`, or returns `none` before the first step.
template <class Answer, class Call>
Answer with_tracker(const std::shared_ptr<TrackerObject>& object, Answer none, const Call& call) {
  const Lease<TrackerObject> lease(object, "tracker");
  return std::visit(
      [&]<class Held>(Held& held) -> Answer {
        if constexpr (std::is_same_v<Held, std::monostate>) {
          return none;
        } else {
          return call(held);
        }
      },
      object->held);
}

/// A column of a tracker; it has no rows before the first step.
py::array tracker_column(const std::shared_ptr<TrackerObject>& object, std::string_view name) {
  return with_tracker<py::array>(object, py::array_t<std::int64_t>(0), [&](auto& tracker) {
    py::array found;
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          if (field.name == name) found = copied(column);
        },
        tracker);
    return found;
  });
}

struct EndedObject : ArraysByName {};

EndedObject ended(const std::shared_ptr<TrackerObject>& object) {
  const auto arrays = [](const EndedContacts& ended) {
    return answer_of<EndedObject>(ended, [](const auto& column) { return copied(column); });
  };
  return with_tracker<EndedObject>(object, arrays({}),
                                   [&](auto& tracker) { return arrays(tracker.ended()); });
}

/// A byte for each world of the last step, 1 for the numbers. Before the first step no number is
/// out of range.
std::vector<std::uint8_t> mask_of_worlds(const py::object& numbers, std::int32_t world_count) {
  if (are_of(numbers, "worlds", "uint8")) {
    refuse("worlds",
           "is an array of uint8, which may be a mask or numbers; make it one of bool (a mask, an "
           "entry for each world) or of int64 (the worlds' numbers)");
  }
  const HeldValues<std::int64_t> held = borrow_values<std::int64_t>(numbers, "worlds");
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(world_count));
  for (std::size_t row = 0; row < held.values.size(); ++row) {
    const std::int64_t world = held.values[row];
    if (world < 0 || (world_count > 0 && world >= world_count)) {
      refuse("worlds",
             "is " + std::to_string(world) + "; the last step had " + std::to_string(world_count) +
                 " worlds, numbered from 0",
             static_cast<std::int64_t>(row));
    }
    if (world_count > 0) mask[static_cast<std::size_t>(world)] = 1;
  }
  return mask;
}

void forget(const std::shared_ptr<TrackerObject>& object, const py::object& worlds) {
  HeldValues<std::uint8_t> held;
  std::vector<std::uint8_t> mask;
  if (is_given(worlds) && are_of(worlds, "worlds", "bool")) {
    held = borrow_values<std::uint8_t>(worlds, "worlds");
  } else if (is_given(worlds)) {
    mask = mask_of_worlds(worlds, object->world_count);
    held.values = mask;
  }
  with_tracker<bool>(object, false, [&](auto& tracker) {
    if (is_given(worlds)) {
      tracker.forget(held.values);
    } else {
      tracker.forget();
      object->world_count = 0;
    }
    return true;
  });
}

template <int D, class T>
std::shared_ptr<StaticSceneObject> static_scene_of(const SceneSpan<D, T>& span,
                                                   const CallOptions& given) {
  auto made = std::make_shared<StaticSceneObject>();
  auto& kept = made->kept.template emplace<StaticScene<D, T>>();
  ScratchLease<D, T> scratch(given.workspace);
  py::gil_scoped_release released;
  build_static_scene<D, T>(span, kept, scratch.workspace(), given.options);
  return made;
}

constexpr Function kStaticScene{"StaticScene", "scene", {Call::build_static_scene}, "StaticScene"};

std::shared_ptr<StaticSceneObject> make_static_scene(const SceneObject& scene,
                                                     const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kStaticScene);
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const auto made = static_scene_of<D, T>(span, given);
    made->rows = copied(*held_rows<D, T>(scene, scene.labels, span));
    return made;
  });
}

/// Changes the rows that are kept by `call(span, kept, workspace)`.
template <class Call>
void change(const std::shared_ptr<StaticSceneObject>& object, const SceneObject& scene,
            const CallOptions& given, const Call& call) {
  with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    auto* const kept = std::get_if<StaticScene<D, T>>(&object->kept);
    if (kept == nullptr) refuse("scene", "is of another dimension or precision than this one");
    const StaticSceneLease changing(object, StaticSceneLease::To::change, "StaticScene");
    {
      ScratchLease<D, T> scratch(given.workspace);
      py::gil_scoped_release released;
      call(span, *kept, scratch.workspace());
    }
    object->rows = copied(*held_rows<D, T>(scene, scene.labels, span));
  });
}

constexpr Function kRebuild{"rebuild", "scene", {Call::build_static_scene}, "None"};

void rebuild(const std::shared_ptr<StaticSceneObject>& object, const SceneObject& scene,
             const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kRebuild);
  change(object, scene, given, [&](const auto& span, auto& kept, auto& workspace) {
    build_static_scene(span, kept, workspace, given.options);
  });
}

constexpr Function kUpdate{"update", "scene, ids", {Call::update_static_scene}, "None"};

void update(const std::shared_ptr<StaticSceneObject>& object, const SceneObject& scene,
            const py::object& ids, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kUpdate);
  const HeldValues<std::int32_t> held = borrow_values<std::int32_t>(ids, "ids");
  change(object, scene, given, [&](const auto& span, auto& kept, auto& workspace) {
    update_static_scene(span, held.values, kept, workspace, given.options);
  });
}

}  // namespace

void bind_tracker(py::module_& module) {
  py::class_<EndedObject> ended_class(module, "Ended",
                                      "The e contacts of the last step that have ended.");
  bind_answer(ended_class, EndedContacts());

  py::class_<TrackerObject, std::shared_ptr<TrackerObject>> tracker(
      module, "Tracker",
      "Follows contacts from step to step: collide(scene, tracker=tracker) is its next step.\n\n"
      "Shapes are identified by world and `key`. It serves scenes like that of its first step and\n"
      "belongs to one call at a time. Its arrays are copies, since the next step writes its own.\n"
      "Points are matched by feature. With steadiness in both steps, points without a match are\n"
      "then matched by their place on A within it.");
  bind_columns<std::shared_ptr<TrackerObject>>(tracker, Tracker<3, float>(), &tracker_column);
  tracker.def(py::init<>())
      .def_property_readonly("ended", &ended, "Ended: last step's contacts that have ended.")
      .def("forget", &forget, py::arg("worlds") = py::none(),
           "Forgets some worlds, whose contacts then begin anew, or all of them.\n"
           "worlds: bools, one for each world (as any_contact answers), or the worlds' numbers.");

  py::class_<StaticSceneObject, std::shared_ptr<StaticSceneObject>>(
      module, "StaticScene",
      kStaticScene
          .help("What does not move, read once and asked in every step: collide(moving, "
                "kept=static),\n"
                "with a tracker too, and every other call that has kept.\n"
                "Nothing of the scene is borrowed. Its shapes count as fixed; shape i has the id\n"
                "len(moving) + i. No call may ask it with a larger margin than it was built with.")
          .c_str())
      .def(py::init(&make_static_scene), py::arg("scene"))
      .def("update", &update, py::arg("scene"), py::arg("ids"),
           kUpdate
               .help("Reads the rows of ids again, (n,) int32: the static shapes that have changed "
                     "in the\n"
                     "scene. All other rows must be as they were. A tracker goes on. Make another "
                     "one where\n"
                     "the number of rows or point sets change. Ids are those of this scene, from "
                     "0: a side of\n"
                     "contacts with kept 1 is row contacts.row of the kind contacts.kind, and has "
                     "the id\n"
                     "table.first_id + row.")
               .c_str())
      .def("rebuild", &rebuild, py::arg("scene"),
           kRebuild
               .help("Reads the whole scene again, for shapes that all move: its memory is used "
                     "again, and with\n"
                     "keeps_order in each step the trees keep their order. If it fails, nothing is "
                     "kept.")
               .c_str())
      .def("__len__", [](const StaticSceneObject& self) {
        return std::visit([](const auto& kept) { return kept.size(); }, self.kept);
      });
}

}  // namespace widephase::python
