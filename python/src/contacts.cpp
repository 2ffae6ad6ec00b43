// What Contacts are beside their arrays: items, slices, structured arrays, files, and what the
// shapes of both sides are.

#include <pybind11/stl.h>

#include <algorithm>

#include "answers.hpp"
#include "calls.hpp"
#include "tools/formats/contacts_file.hpp"

namespace widephase::python {

std::shared_ptr<const tools::ContactSides> known_sides(const ContactsObject& contacts) {
  if (contacts.sides == nullptr && contacts.moving != nullptr) {
    tools::ShapesById shapes{contacts.moving->rows, {}};
    if (contacts.kept != nullptr) shapes.kept = contacts.kept->rows->rows;
    contacts.sides = with_contacts(contacts, [&](const auto& buffer) {
      return std::make_shared<const tools::ContactSides>(tools::sides_of(buffer->pair, shapes));
    });
  }
  return contacts.sides;
}

namespace {

/// Calls `visit(name, column)` for the columns of numbers that are known.
template <class Sides, class Visit>
void for_each_number_column(Sides& sides, const Visit& visit) {
  tools::for_each_side_column(sides, visit);
  if (sides.has_frame) visit("frame", sides.frame);
  if (sides.has_kept) visit("kept", sides.kept);
}

template <class T, int W>
void read_column(const py::object& given, Column<T, W>& column) {
  const auto rows = py::cast<py::array_t<T, py::array::c_style | py::array::forcecast>>(given);
  column.resize_uninitialized(static_cast<std::size_t>(rows.size()) / W);
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (int w = 0; w < W; ++w) column(i, w) = rows.data()[i * W + static_cast<std::size_t>(w)];
  }
}

}  // namespace

py::object state_of_sides(const ContactsObject& contacts) {
  const auto sides = known_sides(contacts);
  if (sides == nullptr) return py::none();
  py::dict state;
  for_each_number_column(
      *sides, [&](const char* name, const auto& column) { state[name] = exposed(column, sides); });
  if (sides->has_name) state["name"] = unicode_array(sides->name);
  return state;
}

std::shared_ptr<const tools::ContactSides> sides_of_state(const py::object& state) {
  if (state.is_none()) return nullptr;
  auto sides = std::make_shared<tools::ContactSides>();
  sides->has_frame = state.contains("frame");
  sides->has_kept = state.contains("kept");
  sides->has_name = state.contains("name");
  for_each_number_column(*sides,
                         [&](const char* name, auto& column) { read_column(state[name], column); });
  if (sides->has_name) sides->name = texts_from(state["name"], "name");
  return sides;
}

namespace {

using SharedSides = std::shared_ptr<const tools::ContactSides>;

SharedSides sides_of(const ContactsObject& contacts) {
  if (SharedSides sides = known_sides(contacts)) return sides;
  refuse("contacts",
         "are of a file that does not say what their shapes are; `widephase collide -o` "
         "writes one that does");
}

int dimension_of(const ContactsObject& contacts) {
  return with_contacts(
      contacts, []<int D, class T>(const std::shared_ptr<ContactBuffer<D, T>>&) { return D; });
}

std::size_t size_of(const ContactsObject& contacts) {
  return with_contacts(contacts, [](const auto& buffer) { return buffer->size(); });
}

/// A text per side, (c, 2).
template <class TextOf>
py::array texts_of_sides(const tools::ContactSides& sides, const TextOf& text_of) {
  const std::size_t count = sides.world.size();
  std::vector<std::string> texts;
  texts.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int side = 0; side < 2; ++side) texts.push_back(text_of(i, side));
  }
  return unicode_array(tools::Array::of_texts(texts, {count, 2}));
}

py::array kinds_of_sides(const ContactsObject& contacts) {
  const SharedSides sides = sides_of(contacts);
  const int dimension = dimension_of(contacts);
  return texts_of_sides(*sides, [&](std::size_t i, int side) {
    return std::string(kind_name(static_cast<Kind>(sides->kind(i, side)), dimension));
  });
}

py::array names_of_sides(const ContactsObject& contacts) {
  const SharedSides sides = sides_of(contacts);
  const int dimension = dimension_of(contacts);
  return texts_of_sides(
      *sides, [&](std::size_t i, int side) { return tools::word_of(*sides, i, side, dimension); });
}

py::object frames_of_sides(const ContactsObject& contacts) {
  const SharedSides sides = sides_of(contacts);
  if (!sides->has_frame) return py::none();
  return exposed(sides->frame, sides);
}

py::object kept_of_sides(const ContactsObject& contacts) {
  const SharedSides sides = sides_of(contacts);
  if (!sides->has_kept) return py::none();
  return exposed(sides->kept, sides);
}

template <class C>
void take(const C& from, const std::vector<std::size_t>& rows, C& to) {
  if (from.empty()) return;
  to.resize_uninitialized(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (int w = 0; w < C::width; ++w) to(i, w) = from(rows[i], w);
  }
}

template <int D, class T>
std::shared_ptr<ContactBuffer<D, T>> taken(const ContactBuffer<D, T>& from,
                                           const std::vector<std::size_t>& rows) {
  auto to = std::make_shared<ContactBuffer<D, T>>();
  for_each_contact_column([&](const auto& column, auto& other) { take(column, rows, other); }, from,
                          *to);
  to->offset.push_back({0});
  std::vector<std::size_t> points;
  for (const std::size_t row : rows) {
    for (std::int64_t p = from.offset[row]; p < from.offset[row + 1]; ++p) {
      points.push_back(static_cast<std::size_t>(p));
    }
    to->offset.push_back({static_cast<std::int64_t>(points.size())});
  }
  for_each_point_column([&](const auto& column, auto& other) { take(column, points, other); }, from,
                        *to);
  return to;
}

SharedSides taken(const SharedSides& from, const std::vector<std::size_t>& rows) {
  if (from == nullptr) return nullptr;
  auto to = std::make_shared<tools::ContactSides>();
  to->has_frame = from->has_frame;
  to->has_kept = from->has_kept;
  to->has_name = from->has_name;
  const auto take_rows = [&](auto member) { take((*from).*member, rows, (*to).*member); };
  using tools::ContactSides;
  take_rows(&ContactSides::world);
  take_rows(&ContactSides::frame);
  take_rows(&ContactSides::kind);
  take_rows(&ContactSides::row);
  take_rows(&ContactSides::key);
  take_rows(&ContactSides::body);
  take_rows(&ContactSides::kept);
  if (from->has_name) {
    std::vector<std::string> names;
    for (const std::size_t row : rows) {
      for (std::size_t side = 0; side < 2; ++side) names.push_back(from->name.text(2 * row + side));
    }
    to->name = tools::Array::of_texts(names, {rows.size(), 2});
  }
  return to;
}

/// The contacts of a slice, a mask or a list of rows; NumPy says what these mean.
ContactsObject part_of(const ContactsObject& contacts, const py::object& index) {
  const py::module_ numpy = py::module_::import("numpy");
  py::array_t<std::int64_t> chosen =
      numpy.attr("arange")(size_of(contacts)).attr("__getitem__")(index);
  if (chosen.ndim() != 1) throw py::index_error("contacts have one axis");
  std::vector<std::size_t> rows;
  for (py::ssize_t i = 0; i < chosen.size(); ++i) {
    rows.push_back(static_cast<std::size_t>(chosen.at(i)));
  }
  ContactsObject part;
  std::visit(
      [&]<int D, class T>(const std::shared_ptr<ContactBuffer<D, T>>& buffer) {
        part.buffer = taken(*buffer, rows);
      },
      contacts.buffer);
  part.sides = taken(known_sides(contacts), rows);
  return part;
}

/// One of many contacts.
struct ContactObject {
  py::object contacts;
  std::size_t row;

  py::object at(const char* name) const { return contacts.attr(name)[py::int_(row)]; }
  py::tuple both(const char* name) const { return py::tuple(at(name).attr("tolist")()); }
  py::object points(const char* name) const {
    const auto offset = py::cast<py::array_t<std::int64_t>>(contacts.attr("offset"));
    const auto first = static_cast<py::ssize_t>(row);
    return contacts.attr(
        name)[py::slice(py::int_(offset.at(first)), py::int_(offset.at(first + 1)), py::none())];
  }
  const ContactsObject& all() const { return py::cast<const ContactsObject&>(contacts); }
  std::string word(int side) const {
    if (const SharedSides sides = known_sides(all())) {
      return tools::word_of(*sides, row, side, dimension_of(all()));
    }
    return "shape " + py::cast<std::string>(py::str(both("pair")[static_cast<std::size_t>(side)]));
  }
  py::tuple kinds() const {
    const SharedSides sides = sides_of(all());
    const auto word = [&](int side) {
      return std::string(kind_name(static_cast<Kind>(sides->kind(row, side)), dimension_of(all())));
    };
    return py::make_tuple(word(0), word(1));
  }
  py::object frame() const {
    const py::object frames = contacts.attr("frame");
    return frames.is_none() ? frames : py::object(frames[py::int_(row)]);
  }
  /// The name, or kind and row with the key where that is not the id.
  std::string told_word(int side) const {
    const SharedSides sides = known_sides(all());
    const std::string text = word(side);
    if (sides == nullptr || (sides->has_kept && sides->kept(row, side) != 0)) return text;
    if (sides->has_name && !sides->name.text(2 * row + static_cast<std::size_t>(side)).empty()) {
      return text;
    }
    const std::int64_t key = sides->key(row, side);
    const auto id = py::cast<std::int64_t>(both("pair")[static_cast<std::size_t>(side)]);
    return key == id ? text : text + " (key " + std::to_string(key) + ")";
  }
  /// " in frame 2730 (world 12)", empty for world 0 without frames.
  std::string place() const {
    const SharedSides sides = known_sides(all());
    if (sides == nullptr || sides->world[row] < 0) return "";
    std::optional<std::int64_t> number;
    if (sides->has_frame) number = sides->frame[row];
    if (!number && sides->world[row] == 0) return "";
    return " in " + tools::world_text(sides->world[row], number);
  }
  std::string text() const {
    return "<widephase.Contact: " + told_word(0) + " meets " + told_word(1) + place() + ", depth " +
           py::cast<std::string>(py::str(at("depth"))) + ", " +
           std::to_string(py::len(points("point_depth"))) + " points>";
  }
};

py::object item_of(const py::object& self, const py::object& index) {
  const auto& contacts = py::cast<const ContactsObject&>(self);
  if (PyIndex_Check(index.ptr()) == 0 || PyBool_Check(index.ptr()) != 0 ||
      py::isinstance<py::array>(index)) {
    return py::cast(part_of(contacts, index));
  }
  const auto count = static_cast<py::ssize_t>(size_of(contacts));
  py::ssize_t row = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
  if (row == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (row < 0) row += count;
  if (row < 0 || row >= count) {
    throw py::index_error("there are " + std::to_string(count) + " contacts");
  }
  return py::cast(ContactObject{self, static_cast<std::size_t>(row)});
}

/// Fields of one structured array: their names and columns.
class Fields {
 public:
  void add(const char* name, const py::object& column) { columns_.emplace_back(name, column); }
  void add_sides(const char* name, const py::object& columns) {
    for (int side = 0; side < 2; ++side) {
      columns_.emplace_back(std::string(name) + (side == 0 ? "_a" : "_b"),
                            columns[py::make_tuple(py::ellipsis(), side)]);
    }
  }
  py::object joined(py::size_t count) const {
    const py::module_ numpy = py::module_::import("numpy");
    py::list types;
    for (const auto& [name, column] : columns_) {
      const py::tuple shape = column.attr("shape");
      types.append(py::make_tuple(name, column.attr("dtype"),
                                  shape[py::slice(py::int_(1), py::none(), py::none())]));
    }
    py::object rows = numpy.attr("empty")(count, types);
    for (const auto& [name, column] : columns_) rows[py::str(name)] = column;
    return rows;
  }

 private:
  std::vector<std::pair<std::string, py::object>> columns_;
};

py::object structured(const py::object& self, bool has_points) {
  const py::module_ numpy = py::module_::import("numpy");
  const auto& contacts = py::cast<const ContactsObject&>(self);
  const py::object point_counts = numpy.attr("diff")(self.attr("offset"));
  const py::object row = numpy.attr("arange")(size_of(contacts));
  const py::object of_row = has_points ? numpy.attr("repeat")(row, point_counts) : row;
  const auto column = [&](const char* name) {
    const py::object values = self.attr(name);
    return has_points ? py::object(values[of_row]) : values;
  };
  Fields fields;
  const py::object pair = column("pair");
  fields.add("a", pair[py::make_tuple(py::ellipsis(), 0)]);
  fields.add("b", pair[py::make_tuple(py::ellipsis(), 1)]);
  for (const char* name : {"source", "normal", "depth", "status"}) fields.add(name, column(name));
  if (has_points) {
    fields.add("contact", of_row);
    for (const char* name : {"point", "point_depth", "feature"}) fields.add(name, self.attr(name));
    if (const py::object part = self.attr("part"); py::len(part) > 0) {
      fields.add_sides("part", part);
    }
  } else {
    fields.add("point_count", point_counts);
  }
  if (known_sides(contacts) != nullptr) {
    fields.add("world", column("world"));
    if (!self.attr("frame").is_none()) fields.add("frame", column("frame"));
    for (const char* name : {"kind", "row", "key", "body", "name"}) {
      fields.add_sides(name, column(name));
    }
  }
  return fields.joined(py::len(of_row));
}

ContactsObject load_contacts(const py::object& path) {
  const auto name =
      py::cast<std::string>(py::bytes(py::module_::import("os").attr("fsencode")(path)));
  if (name.ends_with(".csv")) {
    refuse("path", "is " + name +
                       ", which has no normals and depths of contacts without points, "
                       "and no status; save .npz to load it again");
  }
  const auto arrays = [&] {
    py::gil_scoped_release released;
    return tools::ContactArrays(name);
  }();
  ContactsObject contacts;
  auto sides = std::make_shared<tools::ContactSides>();
  const bool has_sides =
      tools::in_numbers(arrays.dimension(), arrays.precision(), [&]<int D, class T>() {
        const auto buffer = std::make_shared<ContactBuffer<D, T>>();
        contacts.buffer = buffer;
        return arrays.fill(*buffer, *sides);
      });
  if (has_sides) contacts.sides = std::move(sides);
  return contacts;
}

template <class Of>
void bind_side(py::class_<ContactsObject>& contacts, const char* name, Of member,
               const char* text) {
  contacts.def_property_readonly(
      name,
      [member](const ContactsObject& self) {
        const SharedSides sides = sides_of(self);
        return exposed((*sides).*member, sides);
      },
      text);
}

void bind_contact(py::module_& module) {
  py::class_<ContactObject> contact(
      module, "Contact", "One of the Contacts: its fields are what the arrays say of it.");
  const auto field = [&](const char* name, const char* text) {
    contact.def_property_readonly(
        name, [name](const ContactObject& self) { return self.at(name); }, text);
  };
  const auto both = [&](const char* name, const char* text) {
    contact.def_property_readonly(
        name, [name](const ContactObject& self) { return self.both(name); }, text);
  };
  const auto points = [&](const char* name, const char* text) {
    contact.def_property_readonly(
        name, [name](const ContactObject& self) { return self.points(name); }, text);
  };
  both("pair", "The ids (A, B).");
  field("source", "The pair's place in the list of pairs.");
  field("normal", "(d,): the unit vector from A to B.");
  field("depth", "A length: moving B by depth * normal separates; below 0: apart by -depth.");
  field("status", "0 exact, 1 the direction is not unique, 2 an upper bound, 3 surfaces cross.");
  points("point", "(m, d): the contact's points.");
  points("point_depth", "(m,) lengths: the depth at each point.");
  points("feature", "(m,): the feature of A (high half) and of B (low half) at each point.");
  points("part",
         "(m, 2): triangles (2D: segments) of A and B at each point, -1: none; (0, 2) without.");
  field("world", "The world of the pair; -1: both shapes are in every world.");
  contact.def_property_readonly("frame", &ContactObject::frame,
                                "The frame of that world in the scene's file, or None.");
  contact.def_property_readonly("kind", &ContactObject::kinds, "The words of both kinds.");
  both("row", "The rows in the tables of the kinds.");
  both("key", "The keys of A and B.");
  both("body", "The bodies of A and B; -1: none.");
  contact.def_property_readonly(
      "name", [](const ContactObject& self) { return py::make_tuple(self.word(0), self.word(1)); },
      "The names of A and B; 'sphere 20487' for a shape without one.");
  contact.def("__repr__", &ContactObject::text);
}

}  // namespace

void bind_contacts(py::module_& module, py::class_<ContactsObject>& contacts) {
  bind_contact(module);
  using tools::ContactSides;
  bind_side(contacts, "world", &ContactSides::world,
            "(c,) int32: the world of the pair; -1: both shapes are in every world.");
  contacts.def_property_readonly(
      "frame", &frames_of_sides,
      "The frame of each contact's world in the scene's file, (c,) int64; or None.");
  contacts.def_property_readonly("kind", &kinds_of_sides, "The words of both kinds, (c, 2) str.");
  bind_side(contacts, "row", &ContactSides::row, "(c, 2) int32: rows in the tables of the kinds.");
  bind_side(contacts, "key", &ContactSides::key, "(c, 2) int64: the keys of A and B.");
  bind_side(contacts, "body", &ContactSides::body,
            "(c, 2) int32: the bodies of A and B; -1: none. Those of a StaticScene follow.");
  contacts.def_property_readonly("kept", &kept_of_sides,
                                 "1 for a shape of a StaticScene, (c, 2) uint8; or None.");
  contacts.def_property_readonly(
      "name", &names_of_sides,
      "The names of A and B, (c, 2) str; 'sphere 20487' for a shape without one.");
  contacts.def("__getitem__", &item_of, py::arg("index"));
  contacts.def("__iter__", [](const py::object& self) {
    return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
  });
  contacts.def("to_numpy", &structured, py::arg("points") = false,
               "A structured array with a row per contact: fields a, b, source, normal, depth,\n"
               "status, point_count, world, frame (where known), kind_a, kind_b, and so row, key,\n"
               "body and name. points: a row per point instead, with contact, point, point_depth,\n"
               "feature and (in scenes with surfaces) part_a, part_b.");
  contacts.def(
      "__array__",
      [](const py::object& self, const py::object& dtype, const py::object&) {
        const py::object rows = structured(self, false);
        return dtype.is_none() ? rows : rows.attr("astype")(dtype);
      },
      py::arg("dtype") = py::none(), py::arg("copy") = py::none());
  contacts.def_static("load", &load_contacts, py::arg("path"),
                      "Contacts of a file .npz that `save` or `widephase collide -o` wrote.");
}

}  // namespace widephase::python
