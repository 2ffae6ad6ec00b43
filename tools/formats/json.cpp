#include "tools/formats/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "tools/formats/file_error.hpp"
#include "tools/formats/parse_json.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

constexpr std::size_t kMostAxes = 2;

/// Whether an array may have NaN, which JSON writes as null.
bool may_have_holes(std::string_view name) { return name == "heightfields.heights"; }

/// Collects the numbers of nested lists and checks that all rows have the same shape.
class ArrayReader {
 public:
  ArrayReader(const std::string& path, const std::string& name)
      : path_(path), name_(name), is_text_(name.ends_with(".name")) {}

  Array read(const Json& value) {
    for (const Json* inner = &value; inner->is_array(); inner = &inner->front()) {
      shape_.push_back(inner->size());
      if (inner->empty()) break;
      if (shape_.size() > kMostAxes) fail("", "is nested too deeply; expected rows of numbers");
    }
    add(value, 0);
    if (is_text_) return Array::of_texts(texts_, shape_);
    if (has_fraction_ || (has_large_ && has_negative_)) return Array::of(reals_, shape_);
    if (has_large_) return Array::of(unsigned_, shape_);
    return Array::of(integers_, shape_);
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw FileError(path_, name_ + where + " " + what);
  }
  std::string where() const { return shape_.empty() ? "" : fmt::format("[{}]", row_); }

  void add(const Json& value, std::size_t axis) {
    if (axis < shape_.size()) {
      if (axis == 1 && !value.is_array()) {
        fail(where(),
             fmt::format("is {}; expected {} numbers in brackets", value.dump(), shape_[1]));
      }
      if (value.size() != shape_[axis]) {
        fail(where(),
             fmt::format("has {} numbers and the rows before have {}", value.size(), shape_[axis]));
      }
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (axis == 0) row_ = i;
        add(value[i], axis + 1);
      }
      return;
    }
    if (is_text_) {
      if (!value.is_string()) fail(where(), fmt::format("is {}; expected a text", value.dump()));
      texts_.push_back(value.get<std::string>());
      return;
    }
    if (value.is_null() && may_have_holes(name_)) {
      has_fraction_ = true;
      reals_.push_back(std::numeric_limits<double>::quiet_NaN());
      integers_.push_back(0);
      unsigned_.push_back(0);
      return;
    }
    if (!value.is_number() && !value.is_boolean()) {
      fail(where(), fmt::format("is {}; expected a number", value.dump()));
    }
    has_fraction_ |= value.is_number_float();
    const bool is_unsigned = value.is_number_unsigned();
    has_large_ |= is_unsigned && value.get<std::uint64_t>() > INT64_MAX;
    has_negative_ |= value.is_number_integer() && !is_unsigned && value.get<std::int64_t>() < 0;
    reals_.push_back(value.is_boolean() ? value.get<bool>() : value.get<double>());
    integers_.push_back(value.is_boolean()        ? value.get<bool>()
                        : value.is_number_float() ? 0
                                                  : value.get<std::int64_t>());
    unsigned_.push_back(is_unsigned ? value.get<std::uint64_t>()
                                    : static_cast<std::uint64_t>(integers_.back()));
  }

  const std::string& path_;
  const std::string& name_;
  bool is_text_;  ///< names of shapes and bodies
  std::vector<std::size_t> shape_;
  std::size_t row_ = 0;
  bool has_fraction_ = false;
  bool has_large_ = false;  ///< has a number above the range of int64
  bool has_negative_ = false;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
  std::vector<std::uint64_t> unsigned_;
  std::vector<std::string> texts_;
};

void flatten(const Json& object, const std::string& prefix, const std::string& path,
             std::vector<NamedArray>& arrays) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix + key;
    if (value.is_object()) {
      flatten(value, name + ".", path, arrays);
    } else {
      arrays.push_back({name, ArrayReader(path, name).read(value)});
    }
  }
}

}  // namespace

SceneFile read_json(const std::string& path) {
  const Json json = parse_json(path);
  if (!json.is_object()) {
    throw FileError(path,
                    "is not a scene; expected an object such as {\"dimension\": 2, \"circle\": "
                    "{\"center\": [[0, 0]], \"radius\": 1}}");
  }
  const Json type = json.value("type", Json());
  if (type.is_string() && (type == "Topology" || type == "Feature" || type == "FeatureCollection" ||
                           type == "GeometryCollection" || json.contains("coordinates"))) {
    throw FileError(path, fmt::format("is {}, which holds outlines and not shapes; cut them first: "
                                      "widephase decompose {} -o scene.npz",
                                      type == "Topology" ? "TopoJSON" : "GeoJSON",
                                      path == kStandardInput ? "-" : path));
  }
  std::vector<NamedArray> arrays;
  flatten(json, "", path, arrays);
  // A key may be a whole name: {"circle.radius": 1, "circle": {"radius": 2}}, so names may repeat.
  std::set<std::string_view> names;
  for (const NamedArray& entry : arrays) {
    if (!names.insert(entry.name).second) {
      throw FileError(path, fmt::format("{} is there twice", entry.name));
    }
  }
  return SceneFile(path, std::move(arrays), true);
}

namespace {

void append_numbers(fmt::memory_buffer& text, const NamedArray& entry, const std::string& path) {
  const std::size_t width = entry.array.shape().size() == 2 ? entry.array.shape()[1] : 0;
  const auto end = fmt::appender(text);
  text.push_back('[');
  if (entry.array.type() == Type::text) {
    for (std::size_t i = 0; i < entry.array.count(); ++i) {
      // Bytes that are not UTF-8, which JSON cannot hold, become U+FFFD.
      const Json name = entry.array.text(i);
      fmt::format_to(end, "{}{}", i > 0 ? "," : "",
                     name.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    text.push_back(']');
    return;
  }
  visit_values(entry.array, [&](auto numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) text.push_back(',');
      if (width > 0 && i % width == 0) text.push_back('[');
      if constexpr (std::is_floating_point_v<typename decltype(numbers)::value_type>) {
        // A float is written as the equal double, because JSON numbers are read as double.
        const double number = static_cast<double>(numbers[i]);
        if (std::isnan(number) && may_have_holes(entry.name)) {
          fmt::format_to(end, "null");
          continue;
        }
        if (!std::isfinite(number)) {
          throw FileError(path, fmt::format("{}[{}] is {}, which JSON cannot hold; write .npz",
                                            entry.name, width > 0 ? i / width : i, number));
        }
        // A reader would take "-0" for an integer, which has no sign.
        fmt::format_to(end, "{}{}", number, number == 0 && std::signbit(number) ? ".0" : "");
      } else {
        fmt::format_to(end, "{}", numbers[i]);
      }
      if (width > 0 && i % width == width - 1) text.push_back(']');
    }
  });
  text.push_back(']');
}

}  // namespace

void write_json(const SceneFile& scene, OutputFile& file) {
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  fmt::format_to(end, "{{\n  \"dimension\": {}", scene.dimension());
  // Arrays of one object must be written together, whatever their order in the archive.
  std::vector<std::string> objects;
  for (const NamedArray& entry : scene.arrays()) {
    const std::string object = entry.name.substr(0, entry.name.find('.'));
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) {
      objects.push_back(object);
    }
  }
  for (const std::string& object : objects) {
    fmt::format_to(end, ",\n  \"{}\": ", object);
    bool is_first = true;
    for (const NamedArray& entry : scene.arrays()) {
      if (entry.name == object) {
        append_numbers(text, entry, scene.path());
      } else if (entry.name.starts_with(object + ".")) {
        fmt::format_to(end, "{}\n    \"{}\": ", is_first ? "{" : ",",
                       entry.name.substr(object.size() + 1));
        append_numbers(text, entry, scene.path());
        is_first = false;
      }
    }
    if (!is_first) fmt::format_to(end, "\n  }}");
  }
  fmt::format_to(end, "\n}}\n");
  file.write({text.data(), text.size()});
}

}  // namespace widephase::tools
