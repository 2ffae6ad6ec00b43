// widephase.collide, collide_pairs, and Contacts.

#include "answers.hpp"
#include "calls.hpp"
#include "copies.hpp"
#include "tools/formats/contacts_file.hpp"

#include <cstdio>

#include <widephase/stream_contacts.hpp>

namespace widephase::python {

namespace {

/// Calls `call(scratch, contacts)` without the interpreter's lock and returns the contacts.
template <int D, class T, class Call>
ContactsObject found_contacts(const SceneObject& scene, const SceneSpan<D, T>& span,
                              const CallOptions& given, const Call& call) {
  ScratchLease<D, T> scratch(given.workspace);
  const std::shared_ptr<ContactBuffer<D, T>> contacts = scratch.contacts();
  std::optional<Lease<TrackerObject>> lease;
  Tracker<D, T>* tracker = nullptr;
  if (given.tracker != nullptr) {
    lease.emplace(given.tracker, "tracker");
    tracker = &tracker_as<D, T>(**lease);
  }
  {
    py::gil_scoped_release released;
    call(*contacts, scratch.workspace(), tracker);
    if (tracker != nullptr) (**lease).world_count = world_count<D, T>(span);
  }
  return {contacts, held_rows<D, T>(scene, scene.labels, span), given.kept, nullptr};
}

constexpr Function kCollide{"collide",  "scene", {Call::collide, Call::collide_static},
                            "Contacts", true,    true};
constexpr Function kCollidePairs{"collide_pairs", "scene, pairs", {Call::collide_pairs},
                                 "Contacts",      true,           true};

ContactsObject collide_scene(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kCollide);
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    return found_contacts<D, T>(
        scene, span, given, [&](auto& contacts, auto& workspace, auto* tracker) {
          if (tracker == nullptr) {
            collide<D, T>(span, contacts, workspace, given.options);
          } else {
            collide<D, T>(span, contacts, workspace, *tracker, given.options);
          }
        });
  });
}

ContactsObject collide_given_pairs(const SceneObject& scene, const py::object& pairs,
                                   const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kCollidePairs);
  const HeldValues<Pair> held = borrow_values<Pair>(pairs, "pairs");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    return found_contacts<D, T>(
        scene, span, given, [&](auto& contacts, auto& workspace, auto* tracker) {
          if (tracker == nullptr) {
            collide_pairs<D, T>(span, held.values, contacts, workspace, given.options);
          } else {
            collide_pairs<D, T>(span, held.values, contacts, workspace, *tracker, given.options);
          }
        });
  });
}

constexpr Function kStreamCollide{"stream_collide", "scene, take", {Call::stream_collide},
                                  "None",           false,         true};

void stream_scene(const SceneObject& scene, const py::object& take, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kStreamCollide);
  if (!PyCallable_Check(take.ptr())) {
    throw py::type_error("stream_collide() calls take(contacts), which cannot be called");
  }
  with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    ScratchLease<D, T> scratch(given.workspace);
    const SharedRows rows = held_rows<D, T>(scene, scene.labels, span);
    // The caller may keep a chunk, whose own memory the next one takes.
    const auto sink = [&](const ContactBuffer<D, T>& chunk) {
      py::gil_scoped_acquire acquired;
      take(ContactsObject{std::make_shared<ContactBuffer<D, T>>(chunk), rows, given.kept, nullptr});
    };
    py::gil_scoped_release released;
    stream_collide<D, T>(span, sink, scratch.workspace(), given.options);
  });
}

/// A column of contacts. With no contacts the buffer may have no offsets; this adds the first, 0.
py::array column_of(const ContactsObject& contacts, std::string_view name) {
  py::array found;
  with_contacts(contacts, [&](const auto& buffer) {
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          if (field.name == name) found = exposed(column, buffer);
        },
        *buffer);
  });
  if (name != "offset" || found.size() > 0) return found;
  py::array_t<std::int64_t> first(1);
  first.mutable_at(0) = 0;
  return first;
}

std::string hash_of(const ContactsObject& contacts) {
  const std::uint64_t bits = with_contacts(contacts, [](const auto& buffer) {
    py::gil_scoped_release released;
    return hash(*buffer);
  });
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

void save_contacts(const ContactsObject& contacts, const py::object& path) {
  const auto name = py::cast<std::string>(py::module_::import("os").attr("fspath")(path));
  if (!name.ends_with(".npz") && !name.ends_with(".csv")) {
    refuse("path", "is " + name + "; it must end in .npz or .csv");
  }
  const auto sides = known_sides(contacts);
  with_contacts(contacts, [&](const auto& buffer) {
    py::gil_scoped_release released;
    tools::OutputFile file(name);
    if (name.ends_with(".csv")) tools::write_contacts_csv(*buffer, file, sides.get());
    if (name.ends_with(".npz")) tools::write_contacts_npz(*buffer, file, sides.get());
    file.commit();
  });
}

}  // namespace

void bind_collide(py::module_& module) {
  py::class_<WorkspaceObject, std::shared_ptr<WorkspaceObject>>(
      module, "Workspace",
      "Scratch memory of calls, which grows to the largest and is reused. So is the memory of\n"
      "contacts once these are gone. It belongs to one call at a time. Calls without one use\n"
      "workspaces of the module's, which it keeps.")
      .def(py::init<>());

  py::class_<ContactsObject> contacts(
      module, "Contacts",
      "Contacts as arrays: c of them, with k points in all, in d dimensions.\n\n"
      "Every array is a view of the answer's own memory and holds it: arrays outlive\n"
      "the object and the scene. Lengths are in the scene's unit.\n\n"
      "contacts[i] is a Contact, whose fields have names; contacts[2:5] and contacts[mask] are\n"
      "Contacts. numpy.asarray(contacts) is a structured array.");
  bind_columns<ContactsObject>(contacts, ContactBuffer<3, float>(), &column_of);
  contacts
      .def("__len__",
           [](const ContactsObject& self) {
             return with_contacts(self, [](const auto& buffer) { return buffer->size(); });
           })
      .def("__repr__",
           [](const ContactsObject& self) {
             return with_contacts(self, [](const auto& buffer) {
               return "<widephase.Contacts: " + std::to_string(buffer->size()) + ", with " +
                      std::to_string(buffer->point_count()) + " points>";
             });
           })
      .def("hash", &hash_of,
           "16 hex digits of all arrays; alike on every machine, and those of `widephase collide`.")
      .def("save", &save_contacts, py::arg("path"),
           "Writes a contacts file, .npz or .csv by its ending.");
  bind_contacts(module, contacts);

  bind_copies(contacts);

  py::options options;
  options.disable_function_signatures();
  module.def(
      "collide", &collide_scene, py::arg("scene"),
      kCollide.help("All contacts of a scene. Threads and instruction set change no bit.").c_str());
  module.def("collide_pairs", &collide_given_pairs, py::arg("scene"), py::arg("pairs"),
             kCollidePairs
                 .help("Contacts of your own pairs (p, 2) int32 of ids, rows one behind the other, "
                       "taken as\n"
                       "they are: no filters, A is the first named.")
                 .c_str());
  module.def("stream_collide", &stream_scene, py::arg("scene"), py::arg("take"),
             kStreamCollide
                 .help("Calls take(contacts) for the contacts of a scene, a few thousand at a time "
                       "and in\n"
                       "order, one call after the other. All of them never are in memory at once.\n"
                       "An exception of take ends the call.")
                 .c_str());
}

}  // namespace widephase::python
