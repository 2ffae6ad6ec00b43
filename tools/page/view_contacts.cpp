#include "tools/page/view_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/formats/file_error.hpp"
#include "tools/formats/npz.hpp"

namespace widephase::tools {

namespace {

class ContactsReader {
 public:
  ContactsReader(const std::string& path, const std::vector<NamedArray>& arrays)
      : path_(path), arrays_(arrays) {}

  /// The numbers of an array with `width` numbers per row (0: one dimension). It must have `rows`
  /// rows, unless `rows` accepts any number.
  std::vector<double> numbers(const std::string& name, std::size_t width, std::size_t rows) const {
    std::vector<double> values;
    visit_values(array(name, width, rows), [&](auto numbers) {
      for (const auto value : numbers) values.push_back(static_cast<double>(value));
    });
    const auto bad =
        std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
    if (bad != values.end()) {
      fail(row_name(name, width, static_cast<std::size_t>(bad - values.begin())), "is not finite");
    }
    return values;
  }

  /// The same for integers from `least` to `most`.
  template <class T>
  std::vector<T> integers(const std::string& name, std::size_t width, std::size_t rows, T least,
                          T most) const {
    const Array& found = array(name, width, rows);
    if (is_floating(found.type())) {
      fail(name, "holds no integers; expected contacts as `widephase collide -o` writes them");
    }
    std::vector<T> values;
    visit_values(found, [&](auto numbers) {
      for (const auto value : numbers) {
        const auto wide = static_cast<std::int64_t>(value);
        if (wide < static_cast<std::int64_t>(least) || wide > static_cast<std::int64_t>(most)) {
          fail(row_name(name, width, values.size()), "is " + std::to_string(wide) + "; expected " +
                                                         std::to_string(least) + " to " +
                                                         std::to_string(most));
        }
        values.push_back(static_cast<T>(value));
      }
    });
    return values;
  }

  bool has(std::string_view name) const {
    return std::ranges::find(arrays_, name, &NamedArray::name) != arrays_.end();
  }

  [[noreturn]] void fail(const std::string& name, const std::string& text) const {
    throw FileError(path_, name + " " + text);
  }

  static constexpr std::size_t kAny = static_cast<std::size_t>(-1);

 private:
  static std::string row_name(const std::string& name, std::size_t width, std::size_t at) {
    return name + "[" + std::to_string(at / std::max<std::size_t>(width, 1)) + "]";
  }

  const Array& array(const std::string& name, std::size_t width, std::size_t rows) const {
    const auto found =
        std::ranges::find_if(arrays_, [&](const NamedArray& entry) { return entry.name == name; });
    if (found == arrays_.end()) {
      fail(name, "is missing; expected contacts as `widephase collide -o` writes them");
    }
    const Array& array = found->array;
    const bool fits = width == 0 ? array.shape().size() == 1
                                 : array.shape().size() == 2 && array.shape()[1] == width;
    if (!fits || (rows != kAny && array.rows() != rows)) {
      fail(name, "has the shape " + shape_text(array.shape()) + "; expected (" +
                     (rows == kAny ? "n" : std::to_string(rows)) +
                     (width == 0 ? ",)" : ", " + std::to_string(width) + ")"));
    }
    return array;
  }

  const std::string& path_;
  const std::vector<NamedArray>& arrays_;
};

/// Extends rows of two numbers to three; rows of three stay as they are.
std::vector<double> in_space(std::vector<double> values, std::size_t width) {
  if (width == 3) return values;
  std::vector<double> rows;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    rows.insert(rows.end(), {values[i], values[i + 1], 0});
  }
  return rows;
}

}  // namespace

ViewContacts view_contacts_of(const std::string& path, const std::vector<NamedArray>& arrays,
                              int dimension, std::size_t shape_count) {
  const ContactsReader reader(path, arrays);
  const auto width = static_cast<std::size_t>(dimension);
  ViewContacts view;
  view.pair = reader.integers<std::int32_t>("pair", 2, ContactsReader::kAny, 0,
                                            std::numeric_limits<std::int32_t>::max());
  const std::size_t count = view.pair.size() / 2;
  const bool has_kept =
      std::ranges::any_of(arrays, [](const NamedArray& entry) { return entry.name == "kept"; });
  if (has_kept && std::ranges::any_of(reader.integers<std::int32_t>("kept", 2, count, 0, 1),
                                      [](std::int32_t is_kept) { return is_kept != 0; })) {
    reader.fail("kept",
                "names shapes of a kept scene, which is not in this one: join both files "
                "(widephase convert SCENE KEPT -o BOTH.npz) and collide and view these");
  }
  for (std::size_t i = 0; i < view.pair.size(); ++i) {
    const std::string name = "pair[" + std::to_string(i / 2) + "]";
    const auto id = static_cast<std::size_t>(view.pair[i]);
    if (id >= shape_count) {
      reader.fail(name, "names shape " + std::to_string(id) + "; the scene has " +
                            std::to_string(shape_count) +
                            (shape_count == 1 ? " shape" : " shapes") +
                            ": are these the contacts of another one?");
    }
    if (i % 2 == 1 && view.pair[i] == view.pair[i - 1]) {
      reader.fail(name, "is a shape with itself");
    }
  }
  view.normal = in_space(reader.numbers("normal", width, count), width);
  view.depth = reader.numbers("depth", 0, count);
  view.point = in_space(reader.numbers("point", width, ContactsReader::kAny), width);
  const std::size_t points = view.point.size() / 3;
  view.point_depth = reader.numbers("point_depth", 0, points);
  view.feature = reader.integers<std::uint32_t>("feature", 0, points, 0, ~0u);
  if (reader.has("part")) {
    view.part = reader.integers<std::int32_t>("part", 2, points, -1,
                                              std::numeric_limits<std::int32_t>::max());
  }
  view.offset = reader.integers<std::int32_t>("offset", 0, count + 1, 0,
                                              std::numeric_limits<std::int32_t>::max());
  if (view.offset.front() != 0 || static_cast<std::size_t>(view.offset.back()) != points ||
      !std::ranges::is_sorted(view.offset)) {
    reader.fail("offset",
                "is out of order; expected numbers that rise from 0 to " + std::to_string(points));
  }
  return view;
}

ViewContacts read_view_contacts(const std::string& path, int dimension, std::size_t shape_count) {
  const auto is_wanted = [](std::string_view name) {
    constexpr std::string_view kNames[] = {"pair",    "normal", "depth",  "point", "point_depth",
                                           "feature", "part",   "offset", "kept"};
    return std::ranges::find(kNames, name) != std::end(kNames);
  };
  return view_contacts_of(path, read_npz(path, is_wanted), dimension, shape_count);
}

}  // namespace widephase::tools
