// widephase.Tracker and StaticScene: what goes on, and what stays, from step to step.

#include "calls.hpp"

namespace widephase::python {

namespace {

/// Calls `call(tracker)`, or answers `none` before the first step.
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

py::object last_contact(const std::shared_ptr<TrackerObject>& object) {
  return with_tracker<py::object>(object, py::array_t<std::int64_t>(0),
                                  [](auto& tracker) { return copied(tracker.last_contact()); });
}

py::object last_point(const std::shared_ptr<TrackerObject>& object) {
  return with_tracker<py::object>(object, py::array_t<std::int64_t>(0),
                                  [](auto& tracker) { return copied(tracker.last_point()); });
}

/// Contacts that ended, as arrays.
struct EndedObject {
  py::array pair, key, world, contact;
};

EndedObject ended(const std::shared_ptr<TrackerObject>& object) {
  const EndedContacts none;
  const auto arrays = [](const EndedContacts& ended) {
    return EndedObject{copied(ended.pair), copied(ended.key), copied(ended.world),
                       copied(ended.contact)};
  };
  return with_tracker<EndedObject>(object, arrays(none),
                                   [&](auto& tracker) { return arrays(tracker.ended()); });
}

void forget(const std::shared_ptr<TrackerObject>& object, const py::object& worlds) {
  std::optional<HeldValues<std::uint8_t>> held;
  if (is_given(worlds)) held = borrow_values<std::uint8_t>(worlds, "worlds");
  with_tracker<bool>(object, false, [&](auto& tracker) {
    if (held) tracker.forget(held->values);
    if (!held) tracker.forget();
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
    return static_scene_of<D, T>(span, given);
  });
}

}  // namespace

void bind_tracker(py::module_& module) {
  py::class_<EndedObject>(module, "Ended", "The e contacts of the last step that have ended.")
      .def_readonly("pair", &EndedObject::pair, "(e, 2) int32: ids in the last step.")
      .def_readonly("key", &EndedObject::key, "(e, 2) int64: keys of A and B.")
      .def_readonly("world", &EndedObject::world, "(e,) int32: the world of both.")
      .def_readonly("contact", &EndedObject::contact,
                    "(e,) int64: the place among last step's contacts.")
      .def("__len__", [](const EndedObject& self) { return py::len(self.contact); });

  py::class_<TrackerObject, std::shared_ptr<TrackerObject>>(
      module, "Tracker",
      "Follows contacts from step to step: collide(scene, tracker=tracker) is its next step.\n\n"
      "Shapes are identified by world and `key`. It serves scenes like that of its first step and\n"
      "belongs to one call at a time. Its arrays are copies, since the next step writes its own.")
      .def(py::init<>())
      .def_property_readonly("last_contact", &last_contact,
                             "(c,) int64: the place of contact i in the last step; -1: it begins.")
      .def_property_readonly(
          "last_point", &last_point,
          "(k,) int64: the place of point p in the last step; -1: it is new.\n\n"
          "Points are matched by feature. With steadiness in both steps, points\n"
          "without a match are then matched by their place on A within it.")
      .def_property_readonly("ended", &ended, "Ended: last step's contacts that have ended.")
      .def("forget", &forget, py::arg("worlds") = py::none(),
           "Forgets the worlds with a byte other than 0, (w,) uint8 or bool, or all of them.");

  py::class_<StaticSceneObject, std::shared_ptr<StaticSceneObject>>(
      module, "StaticScene",
      kStaticScene
          .help("What does not move, read once and asked in every step: collide(moving, "
                "kept=static).\n"
                "Nothing of the scene is borrowed. Its shapes count as fixed; shape i has the id\n"
                "len(moving) + i. No call may ask it with a larger margin than it was built with.")
          .c_str())
      .def(py::init(&make_static_scene), py::arg("scene"))
      .def("__len__", [](const StaticSceneObject& self) {
        return std::visit([](const auto& kept) { return kept.size(); }, self.kept);
      });
}

}  // namespace widephase::python
