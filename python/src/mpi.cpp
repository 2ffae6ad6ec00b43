// The module widephase._mpi: worlds on the ranks of mpi4py's communicators. It knows the classes of
// widephase._widephase, whose objects are linked in. The package widephase.mpi exports it.

#include <mpi.h>

#include <cstring>

#include <widephase/distributed_scene.hpp>

#include "answers.hpp"
#include "calls.hpp"

namespace widephase::python {

namespace {

template <int D, class T>
using SharedWorld = std::shared_ptr<DistributedScene<D, T>>;

struct WorldObject {
  AnyOf<SharedWorld> world;
  MPI_Comm communicator;
  std::shared_ptr<StaticSceneObject> kept;
  bool is_busy = false;
};

struct RankTrackerObject {
  AnyOf<DistributedTracker, std::monostate> held;
  bool is_busy = false;
};

/// mpi4py's communicator, by the number that Fortran has for it.
MPI_Comm communicator_of(const py::object& given) {
  if (!py::hasattr(given, "py2f")) {
    refuse("comm", "is not a communicator of mpi4py, such as MPI.COMM_WORLD");
  }
  return MPI_Comm_f2c(py::cast<MPI_Fint>(given.attr("py2f")()));
}

Division division_of(const std::string& word) {
  if (word == "automatic") return Division::automatic;
  if (word == "space") return Division::space;
  if (word == "worlds") return Division::worlds;
  refuse("division", "is " + word + "; expected automatic, space or worlds");
}

/// The rows of a part: an array of int32 by kind.
template <int D>
std::array<HeldValues<std::int32_t>, kKindCount> rows_by_kind(const py::dict& rows) {
  std::array<HeldValues<std::int32_t>, kKindCount> held;
  for (const auto& [key, values] : rows) {
    const auto word = py::cast<std::string>(key);
    bool is_found = false;
    for (int kind = 0; kind < kKindCount; ++kind) {
      if (word != kind_name(static_cast<Kind>(kind), D)) continue;
      held[static_cast<std::size_t>(kind)] = borrow_values<std::int32_t>(values, "rows");
      is_found = true;
    }
    if (!is_found) refuse("rows", "names " + word + ", which is not a kind of shape");
  }
  return held;
}

std::shared_ptr<WorldObject> make_world(const py::object& comm, const SceneObject& scene,
                                        const py::object& rows, const py::object& bodies,
                                        const std::string& division, double most_imbalance,
                                        const std::shared_ptr<StaticSceneObject>& kept) {
  const MPI_Comm communicator = communicator_of(comm);
  DistributedOptions how;
  how.division = division_of(division);
  how.most_imbalance = most_imbalance;
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& borrowed) {
    SceneSpan<D, T> span = borrowed;
    span.kept = kept_of<D, T>(kept);
    std::array<HeldValues<std::int32_t>, kKindCount> held;
    HeldValues<std::int32_t> held_bodies;
    if (is_given(rows)) held = rows_by_kind<D>(py::cast<py::dict>(rows));
    if (is_given(bodies)) held_bodies = borrow_values<std::int32_t>(bodies, "bodies");
    std::array<ColumnSpan<std::int32_t>, kKindCount> numbers;
    for (std::size_t k = 0; k < kKindCount; ++k) numbers[k] = held[k].values;
    const bool is_part = is_given(rows);
    SharedWorld<D, T> world;
    {
      py::gil_scoped_release released;
      world = std::make_shared<DistributedScene<D, T>>(communicator, how);
      if (is_part) {
        world->take(span, numbers, held_bodies.values);
      } else {
        world->take_whole(span);
      }
    }
    return std::make_shared<WorldObject>(WorldObject{world, communicator, kept, false});
  });
}

constexpr Function kStep{"step", "tracker=None", {Call::collide, Call::collide_static}, "Contacts"};

ContactsObject step(const std::shared_ptr<WorldObject>& object,
                    const std::shared_ptr<RankTrackerObject>& tracker_object,
                    const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kStep);
  const Lease<WorldObject> lease(object, "world");
  std::optional<Lease<RankTrackerObject>> tracking;
  if (tracker_object != nullptr) tracking.emplace(tracker_object, "tracker");
  return std::visit(
      [&]<int D, class T>(const std::shared_ptr<DistributedScene<D, T>>& world) {
        DistributedTracker<D, T>* tracker = nullptr;
        if (tracker_object != nullptr) {
          auto& held = tracker_object->held;
          if (std::holds_alternative<std::monostate>(held)) held = DistributedTracker<D, T>();
          tracker = std::get_if<DistributedTracker<D, T>>(&held);
          if (tracker == nullptr) {
            refuse("tracker", "follows scenes of another dimension or precision; make another one");
          }
        }
        auto contacts = std::make_shared<ContactBuffer<D, T>>();
        {
          py::gil_scoped_release released;
          if (tracker == nullptr) {
            world->step(*contacts, given.options);
          } else {
            world->step(*contacts, *tracker, given.options);
          }
        }
        return ContactsObject{contacts, nullptr, nullptr, nullptr};
      },
      object->world);
}

/// Calls `call(column)` with the column of this rank's shapes that a name such as "sphere.center"
/// says.
template <class Call>
void with_own_column(const WorldObject& object, const std::string& name, const Call& call) {
  std::visit(
      [&]<int D, class T>(const std::shared_ptr<DistributedScene<D, T>>& world) {
        bool is_found = false;
        SceneColumns<D, T>& own = world->own();
        const auto look_at = [&](const std::string& there, auto& column) {
          if (there != name) return;
          is_found = true;
          call(column);
        };
        for_each_table(own, [&](auto& table) {
          constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
          for_each_field(table, [&](const Field& field, auto& column) {
            look_at(column_name(kind_name(kind, D), field.name), column);
          });
        });
        look_at("bodies.position", own.bodies.position);
        look_at(D == 2 ? "bodies.angle" : "bodies.orientation", own.bodies.turn);
        if (!is_found)
          refuse(name, "is not a column; columns are named as in files: sphere.center");
      },
      object.world);
}

py::array own_column(const std::shared_ptr<WorldObject>& object, const std::string& name) {
  const Lease<WorldObject> lease(object, "world");
  py::array found;
  with_own_column(*object, name, [&](auto& column) { found = copied(column); });
  return found;
}

void write_own_column(const std::shared_ptr<WorldObject>& object, const std::string& name,
                      const py::object& values) {
  const Lease<WorldObject> lease(object, "world");
  with_own_column(*object, name, [&]<class N, int W>(Column<N, W>& column) {
    using Given = py::array_t<N, py::array::c_style | py::array::forcecast>;
    const Given given = py::cast<Given>(values);
    const auto rows = static_cast<py::ssize_t>(column.size());
    const bool is_right = W == 1
                              ? given.ndim() == 1 && given.shape(0) == rows
                              : given.ndim() == 2 && given.shape(0) == rows && given.shape(1) == W;
    if (!is_right) {
      refuse(name, "must have " + std::to_string(rows) + " rows of " + std::to_string(W) +
                       ", as many as this rank's column; rows may not come or go");
    }
    const N* from = given.data();
    for (std::size_t row = 0; row < column.size(); ++row) {
      for (int w = 0; w < W; ++w) column(row, w) = *from++;
    }
  });
}

/// Rows of any type, one per id, as the rows that came and the ids that they are about.
py::tuple send_to_owners(const std::shared_ptr<WorldObject>& object, const py::object& ids,
                         const py::array& given) {
  const Lease<WorldObject> lease(object, "world");
  const HeldValues<std::int32_t> held = borrow_values<std::int32_t>(ids, "ids");
  const py::array rows = py::array::ensure(given, py::array::c_style);
  if (rows.ndim() == 0) refuse("rows", "must have a row per id");
  if (rows.dtype().kind() == 'O') refuse("rows", "are Python objects; give numbers");
  std::vector<py::ssize_t> shape(rows.shape(), rows.shape() + rows.ndim());
  py::ssize_t size = rows.itemsize();
  for (std::size_t axis = 1; axis < shape.size(); ++axis) size *= shape[axis];
  if (size == 0) refuse("rows", "have no numbers");
  const std::span<const std::byte> from(static_cast<const std::byte*>(rows.data()),
                                        static_cast<std::size_t>(rows.nbytes()));
  std::vector<std::int32_t> own_ids;
  std::vector<std::byte> own_rows;
  std::visit(
      [&](const auto& world) {
        py::gil_scoped_release released;
        world->send_bytes_to_owners(held.values, from, static_cast<std::size_t>(size), own_ids,
                                    own_rows);
      },
      object->world);
  shape[0] = static_cast<py::ssize_t>(own_ids.size());
  py::array came(rows.dtype(), shape);
  if (!own_rows.empty()) std::memcpy(came.mutable_data(), own_rows.data(), own_rows.size());
  return py::make_tuple(
      py::array_t<std::int32_t>(static_cast<py::ssize_t>(own_ids.size()), own_ids.data()), came);
}

py::array own_rows(const std::shared_ptr<WorldObject>& object, const std::string& word) {
  const Lease<WorldObject> lease(object, "world");
  return std::visit(
      [&]<int D, class T>(const std::shared_ptr<DistributedScene<D, T>>& world) -> py::array {
        if (word == "bodies") return copied(world->own_bodies());
        for (int kind = 0; kind < kKindCount; ++kind) {
          if (word == kind_name(static_cast<Kind>(kind), D)) {
            return copied(world->own_rows(static_cast<Kind>(kind)));
          }
        }
        refuse("kind", "is " + word + ", which is not a kind of shape");
      },
      object->world);
}

py::dict stats_of(const std::shared_ptr<WorldObject>& object) {
  const DistributedStats stats =
      std::visit([](const auto& world) { return world->stats(); }, object->world);
  py::dict found;
  found["division"] = stats.division == Division::worlds ? "worlds" : "space";
  found["own_shapes"] = stats.own_shapes;
  found["copied_shapes"] = stats.copied_shapes;
  found["candidates"] = stats.candidates;
  found["pairs"] = stats.pairs;
  found["contacts"] = stats.contacts;
  found["moved_rows"] = stats.moved_rows;
  found["moved_bytes"] = stats.moved_bytes;
  found["copied_bytes"] = stats.copied_bytes;
  found["moved_pairs"] = stats.moved_pairs;
  found["tracker_bytes"] = stats.tracker_bytes;
  found["imbalance"] = stats.imbalance;
  found["bytes"] = stats.bytes;
  return found;
}

ContactsObject gather_contacts(const py::object& comm, const ContactsObject& contacts, int root) {
  const MPI_Comm communicator = communicator_of(comm);
  return with_contacts(contacts,
                       [&]<int D, class T>(const std::shared_ptr<ContactBuffer<D, T>>& buffer) {
                         auto gathered = std::make_shared<ContactBuffer<D, T>>();
                         py::gil_scoped_release released;
                         gather<D, T>(communicator, *buffer, *gathered, root);
                         return ContactsObject{gathered, nullptr, nullptr, nullptr};
                       });
}

std::string content_hash_of(const py::object& comm, const ContactsObject& contacts) {
  const MPI_Comm communicator = communicator_of(comm);
  const std::uint64_t bits = with_contacts(
      contacts, [&]<int D, class T>(const std::shared_ptr<ContactBuffer<D, T>>& buffer) {
        py::gil_scoped_release released;
        return content_hash<D, T>(communicator, *buffer);
      });
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

/// Calls `call(tracker)`; before the first step there is nothing to ask.
template <class Answer, class Call>
Answer with_tracker(const std::shared_ptr<RankTrackerObject>& object, const Call& call) {
  const Lease<RankTrackerObject> lease(object, "tracker");
  return std::visit(
      [&]<class Held>(Held& held) -> Answer {
        if constexpr (std::is_same_v<Held, std::monostate>) {
          refuse("tracker", "has no step yet; give it to DistributedScene.step");
        } else {
          return call(held);
        }
      },
      object->held);
}

/// A row of any type per contact or point, as an array of rows of bytes.
py::array carried(const std::shared_ptr<RankTrackerObject>& object, const py::array& last,
                  bool are_points) {
  const py::array rows = py::array::ensure(last, py::array::c_style);
  if (rows.ndim() == 0) refuse("last", "must have a row per contact or point of the last step");
  std::vector<py::ssize_t> shape(rows.shape(), rows.shape() + rows.ndim());
  py::ssize_t size = rows.itemsize();
  for (py::ssize_t axis = 1; axis < rows.ndim(); ++axis)
    size *= shape[static_cast<std::size_t>(axis)];
  return with_tracker<py::array>(object, [&](auto& tracker) -> py::array {
    const auto& numbers = are_points ? tracker.last_point() : tracker.last_contact();
    shape[0] = static_cast<py::ssize_t>(numbers.size());
    py::array now(rows.dtype(), shape);
    const std::span<const std::byte> from(static_cast<const std::byte*>(rows.data()),
                                          static_cast<std::size_t>(rows.nbytes()));
    const std::span<std::byte> to(static_cast<std::byte*>(now.mutable_data()),
                                  static_cast<std::size_t>(now.nbytes()));
    py::gil_scoped_release released;
    if (are_points) {
      tracker.carry_point_bytes(from, static_cast<std::size_t>(size), to);
    } else {
      tracker.carry_contact_bytes(from, static_cast<std::size_t>(size), to);
    }
    return now;
  });
}

py::dict ended_of(const std::shared_ptr<RankTrackerObject>& object) {
  py::dict found;
  with_tracker<void>(object, [&](auto& tracker) {
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          found[py::str(std::string(field.name))] = copied(column);
        },
        tracker.ended());
  });
  return found;
}

}  // namespace

}  // namespace widephase::python

PYBIND11_MODULE(_mpi, module) {
  using namespace widephase::python;
  py::module_::import("widephase._widephase");
  py::class_<RankTrackerObject, std::shared_ptr<RankTrackerObject>>(
      module, "DistributedTracker",
      "Follows contacts from step to step: world.step(tracker) is its next step, on all ranks.\n\n"
      "Contacts and points have numbers: those of rank 0 from 0 on, then those of rank 1, and so\n"
      "on. Shapes are identified by world and `key`, which must be unique in its world.")
      .def(py::init<>())
      .def_property_readonly(
          "last_contact",
          [](const std::shared_ptr<RankTrackerObject>& self) {
            return with_tracker<py::array>(
                self, [](auto& tracker) { return copied(tracker.last_contact()); });
          },
          "(c,) int64: the contact's number in the last step; -1: it begins.")
      .def_property_readonly(
          "last_point",
          [](const std::shared_ptr<RankTrackerObject>& self) {
            return with_tracker<py::array>(
                self, [](auto& tracker) { return copied(tracker.last_point()); });
          },
          "(k,) int64: the point's number in the last step; -1: it is new.")
      .def_property_readonly("ended", &ended_of,
                             "dict of arrays: the contacts that ended, each on one rank: `pair` by "
                             "ids of\nthe last step, `contact` by number.")
      .def(
          "carry_contacts",
          [](const std::shared_ptr<RankTrackerObject>& self, const py::array& last) {
            return carried(self, last, false);
          },
          py::arg("last"),
          "Brings rows (c of the last step, ...) of any dtype to this step's contacts, zeros "
          "where\n"
          "one begins; collective.")
      .def(
          "carry_points",
          [](const std::shared_ptr<RankTrackerObject>& self, const py::array& last) {
            return carried(self, last, true);
          },
          py::arg("last"), "The same per point, such as impulses.")
      .def(
          "forget",
          [](const std::shared_ptr<RankTrackerObject>& self) {
            with_tracker<void>(self, [](auto& tracker) { tracker.forget(); });
          },
          "Forgets all steps, on all ranks alike.");

  py::class_<WorldObject, std::shared_ptr<WorldObject>>(
      module, "DistributedScene",
      "A world of shapes of which every rank of `comm` owns some. All ranks call the same in the\n"
      "same order. Contacts have ids of the whole world, and one machine's bits.\n\n"
      "scene: the whole world on every rank; or, with rows, this rank's part of it: row r of a\n"
      "  table is row rows[kind][r] of the world's ({'sphere': int32 array}), body b is body\n"
      "  bodies[b]. Nothing of it is borrowed.\n"
      "division: 'space', or 'worlds' for whole worlds on a rank each; 'automatic' takes worlds if\n"
      "  these give all ranks about as much.\n"
      "most_imbalance: shapes are divided anew above this ratio of the busiest rank's work to the\n"
      "  mean.\n"
      "kept: a StaticScene, alike on all ranks.")
      .def(py::init(&make_world), py::arg("comm"), py::arg("scene"), py::arg("rows") = py::none(),
           py::arg("bodies") = py::none(), py::arg("division") = "automatic",
           py::arg("most_imbalance") = 1.1, py::arg("kept") = nullptr)
      .def("step", &step, py::arg("tracker") = nullptr,
           kStep
               .help("Moves shapes to the ranks that own them now and finds this rank's contacts, "
                     "by id;\ncollective. All ranks give the same options but for threads and isa.")
               .c_str())
      .def("read", &own_column, py::arg("column"),
           "A copy of a column of this rank's shapes, such as 'sphere.center', by own_rows.")
      .def("write", &write_own_column, py::arg("column"), py::arg("values"),
           "Gives such a column other numbers, between steps.")
      .def("send_to_owners", &send_to_owners, py::arg("ids"), py::arg("rows"),
           "Brings rows (n, ...) of any dtype about shapes of this rank's contacts, (n,) int32 ids "
           "of the\nworld, to the ranks that own them; collective. Returns the ids, ascending, and "
           "the rows that\ncame here.")
      .def("own_rows", &own_rows, py::arg("kind"),
           "(n,) int32: the world's rows of a kind ('sphere', or 'bodies') that this rank owns.")
      .def_property_readonly("stats", &stats_of, "dict: counts of the last step, on this rank.");

  module.def("gather", &gather_contacts, py::arg("comm"), py::arg("contacts"), py::arg("root") = 0,
             "The Contacts of all ranks on rank `root`, ascending by pair; none on others.");
  module.def("content_hash", &content_hash_of, py::arg("comm"), py::arg("contacts"),
             "16 digits of the contacts of all ranks, the same on each, as `widephase collide "
             "--json`.");
}
