// widephase.place, replicate and contact_bodies.

#include <widephase/bodies.hpp>

#include "calls.hpp"
#include "files.hpp"

namespace widephase::python {

namespace {

std::shared_ptr<SceneObject> place_scene(const SceneObject& scene, int threads) {
  if (threads < 0) refuse("threads", "is " + std::to_string(threads) + "; expected 0 or more");
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const auto placed = std::make_shared<PlacedScene<D, T>>();
    {
      py::gil_scoped_release released;
      placed->place(span, span.bodies, Threads{threads, {}});
    }
    const auto made = scene_over<D, T>(placed->scene(), placed, scene.geometries, precision_of<T>(),
                                       &scene, span);
    made->labels = scene.labels;
    made->is_placed = true;
    return made;
  });
}

template <int D>
std::shared_ptr<GeometriesObject> copy_of(const GeometriesObject& geometries) {
  if (geometries.are_wide()) return make_geometries<D, double>(*geometries.shared<D, double>());
  return make_geometries<D, float>(*geometries.shared<D, float>());
}

}  // namespace

std::shared_ptr<SceneObject> replicate_scene(const SceneObject& scene, std::int32_t world_count) {
  // While no precision is given, the copy's columns may still make it wider: lists keep their
  // digits.
  const bool is_decided = scene.precision_given.has_value();
  SceneObject source = scene;
  if (!is_decided) source.precision_given = Precision::wide;
  return with_scene(source, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const auto copy = std::make_shared<SceneColumns<D, T>>();
    {
      py::gil_scoped_release released;
      replicate<D, T>(span, world_count, *copy);
    }
    auto geometries = is_decided ? make_geometries<D, SizeOf<T>>(std::move(copy->geometries))
                                 : copy_of<D>(*scene.geometries);
    copy->geometries = {};
    const auto made = scene_over<D, T>(*copy, copy, std::move(geometries), scene.precision_given,
                                       nullptr, {}, is_decided ? nullptr : &scene);
    made->labels = replicated_labels(scene, world_count);
    return made;
  });
}

namespace {

py::array bodies_of(const SceneObject& scene, const py::object& given,
                    const std::shared_ptr<StaticSceneObject>& kept) {
  if (!py::isinstance<ContactsObject>(given)) {
    refuse("contacts",
           "is of the type " + py::cast<std::string>(py::type::of(given).attr("__name__")) +
               "; it must be Contacts, and scene.locate(ids, kept) tells the kinds and rows of "
               "other ids");
  }
  const auto& contacts = py::cast<const ContactsObject&>(given);
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const auto* buffer = std::get_if<std::shared_ptr<ContactBuffer<D, T>>>(&contacts.buffer);
    if (buffer == nullptr) {
      refuse("contacts", "are of another dimension or precision than the scene");
    }
    SceneSpan<D, T> both = span;
    both.kept = kept_of<D, T>(kept);
    std::optional<StaticSceneLease> asking;
    if (kept != nullptr) asking.emplace(kept, StaticSceneLease::To::ask, "kept");
    const auto bodies = std::make_shared<Column<std::int32_t, 2>>();
    {
      py::gil_scoped_release released;
      contact_bodies<D, T>(both, **buffer, *bodies);
    }
    return exposed(*bodies, bodies);
  });
}

}  // namespace

void bind_bodies(py::module_& module) {
  module.def("place", &place_scene, py::arg("scene"), py::arg("threads") = 0,
             "A scene with its shapes placed by their bodies (scene.bodies). It owns what moved;\n"
             "all other arrays are those of the scene. Every call does this by itself.");
  module.def("replicate", &replicate_scene, py::arg("scene"), py::arg("world_count"),
             "A scene with world_count copies of a template's shapes of world 0, one world each;\n"
             "those of world -1 are there once. Of n shapes of a kind, row r of world w is row\n"
             "shared + w * n + r; body b is body w * m + b. Then give `bodies` your own poses.");
  module.def(
      "contact_bodies", &bodies_of, py::arg("scene"), py::arg("contacts"),
      py::arg("kept") = py::none(),
      "(c, 2) int32: the bodies of each contact's A and B; -1 where there is none. Body b of\n"
      "a StaticScene is bodies of the scene + b.");
}

}  // namespace widephase::python
