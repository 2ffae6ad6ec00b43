// Every reader of tools/ over any file: a scene, or an error of its own. The first byte says which
// reader ('a' + Format, then joint values, outlines, arrays of a scene, contacts, arrays of
// contacts), the second its options.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "answers.hpp"
#include "file_error.hpp"
#include "joint_values.hpp"
#include "read_outlines.hpp"
#include "read_scene.hpp"
#include "scene_names.hpp"
#include "view_contacts.hpp"

namespace widephase::fuzz {
namespace {

namespace tools = widephase::tools;

/// Beyond the formats of scenes.
enum Reader { joints_csv = 12, joints_npy, outlines, arrays, contacts, contact_arrays, count };

/// A folder of this process alone.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/widephase_fuzz_XXXXXX";
    require(mkdtemp(name) != nullptr, "there is room in /tmp");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, std::string_view bytes) const {
    const std::string path = path_ / name;
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

template <int D, class T>
void collide_file(const tools::SceneFile& file) {
  SceneColumns<D, T> scene;
  file.to_columns(scene);
  if (!validate<D, T>(scene).empty() || layout_of(scene).shape_count() > 30) return;
  CollideOptions options;
  options.threads.count = 1;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  if (const auto pairs = file.pairs()) {
    collide_pairs<D, T>(scene, *pairs, contacts, workspace, options);
  } else {
    collide<D, T>(scene, contacts, workspace, options);
  }
  check_contacts(contacts);
}

void use(const tools::SceneFile& file) {
  const bool is_flat = file.dimension() == 2;
  switch (file.precision()) {
    case tools::Precision::single:
      return is_flat ? collide_file<2, float>(file) : collide_file<3, float>(file);
    case tools::Precision::twofold:
      return is_flat ? collide_file<2, double>(file) : collide_file<3, double>(file);
    case tools::Precision::mixed:
      return is_flat ? collide_file<2, Mixed>(file) : collide_file<3, Mixed>(file);
  }
}

/// An array as an `.npz` file may hold it, mostly of this type and shape.
tools::NamedArray draw_array(Drawn& drawn, const std::string& name, std::vector<std::size_t> shape,
                             tools::Type type) {
  const int odd = drawn.byte();
  if (odd == 255) shape.push_back(static_cast<std::size_t>(drawn.below(3)));
  if (odd == 254 && !shape.empty()) shape.pop_back();
  if (odd == 253 && !shape.empty()) shape[0] = static_cast<std::size_t>(drawn.below(6));
  if (odd % 16 == 15) type = static_cast<tools::Type>(drawn.below(10));
  tools::Array array(type, std::move(shape));
  for (std::byte& byte : array.bytes()) byte = std::byte{0};
  if (type == tools::Type::float32) {
    for (float& value : array.values<float>()) value = drawn.real<float>();
  } else if (type == tools::Type::float64) {
    for (double& value : array.values<double>()) value = drawn.real<double>();
  } else {
    const std::size_t size = tools::size_of(type);
    for (std::size_t i = 0; i < array.count(); ++i) {
      array.bytes()[i * size] = std::byte{static_cast<unsigned char>(drawn.byte())};
    }
  }
  return {name, std::move(array)};
}

/// The names of a scene.
tools::SceneFile draw_scene(Drawn& drawn) {
  const int dimension = 2 + drawn.below(2);
  std::vector<tools::NamedArray> list;
  list.push_back({"dimension", tools::Array::of(std::vector<std::int32_t>{dimension}, {})});
  const auto rows = static_cast<std::size_t>(drawn.below(4));
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape, tools::Type type) {
    list.push_back(draw_array(drawn, name, std::move(shape), type));
  };
  const unsigned kinds = drawn.byte();
  const tools::Type real = drawn.flag() ? tools::Type::float32 : tools::Type::float64;
  for (const tools::ColumnName& column : tools::column_names(dimension)) {
    if ((kinds >> static_cast<int>(column.kind) & 1) == 0) continue;
    if (column.is_optional && drawn.byte() % 8 != 7) continue;
    std::vector<std::size_t> shape{rows};
    if (column.width > 1) shape.push_back(static_cast<std::size_t>(column.width));
    add(column.name, std::move(shape), column.is_real ? real : column.type);
  }
  for (const tools::OtherName& other : tools::other_names(dimension)) {
    if (other.name == "dimension" || drawn.byte() % 4 != 3) continue;
    std::vector<std::size_t> shape;
    for (const int length : other.shape) {
      shape.push_back(length == -1   ? static_cast<std::size_t>(drawn.below(12))
                      : length == -2 ? static_cast<std::size_t>(dimension)
                                     : static_cast<std::size_t>(length));
    }
    add(other.name, std::move(shape), other.is_real ? real : other.type);
  }
  return tools::SceneFile("arrays", std::move(list));
}

/// The names of contacts; where the arrays are taken, they fit one another.
void read_drawn_contacts(Drawn& drawn) {
  const int dimension = 2 + drawn.below(2);
  const auto width = static_cast<std::size_t>(dimension);
  const auto rows = static_cast<std::size_t>(drawn.below(4));
  const auto points = static_cast<std::size_t>(drawn.below(8));
  const tools::Type real = drawn.flag() ? tools::Type::float32 : tools::Type::float64;
  std::vector<tools::NamedArray> list;
  const auto add = [&](const char* name, std::vector<std::size_t> shape, tools::Type type) {
    if (drawn.byte() != 255) list.push_back(draw_array(drawn, name, std::move(shape), type));
  };
  add("offset", {rows + 1}, tools::Type::int32);
  add("pair", {rows, 2}, tools::Type::int32);
  add("normal", {rows, width}, real);
  add("depth", {rows}, real);
  add("point", {points, width}, real);
  add("point_depth", {points}, real);
  add("feature", {points}, tools::Type::uint32);
  constexpr std::size_t kShapes = 40;
  const tools::ViewContacts read = tools::view_contacts_of("arrays", list, dimension, kShapes);
  require(read.pair.size() % 2 == 0 && read.offset.size() == read.pair.size() / 2 + 1 &&
              read.normal.size() == 3 * read.depth.size() &&
              read.depth.size() == read.pair.size() / 2,
          "a row of each array a contact");
  require(read.point.size() == 3 * read.feature.size() &&
              read.point_depth.size() == read.feature.size() && read.offset.front() == 0 &&
              static_cast<std::size_t>(read.offset.back()) == read.feature.size(),
          "a row of each array a point");
  for (const std::int32_t id : read.pair) {
    require(id >= 0 && static_cast<std::size_t>(id) < kShapes,
            "a contact is of the scene's shapes");
  }
}

void run(int reader, Drawn& options_of, Drawn& rest, std::string_view text) {
  static const Folder folder;
  const unsigned bits = options_of.byte();
  if (reader == arrays) return use(draw_scene(rest));
  if (reader == contact_arrays) return read_drawn_contacts(rest);
  const std::string path = folder.write(reader == joints_npy ? "file.npy" : "file", text);
  if (reader == joints_csv || reader == joints_npy) {
    (void)tools::read_joint_values(path, {"shoulder", "elbow"});
    return;
  }
  if (reader == contacts) {
    (void)tools::read_view_contacts(path, (bits & 1) != 0 ? 2 : 3, 40);
    return;
  }
  if (reader == outlines) {
    const tools::Outlines list = tools::read_outlines(path, (bits & 1) != 0 ? "land" : "");
    GeometryTable<Owned<2, double>> parts;
    for (const tools::Outline& outline : list.list) {
      decompose({outline.vertices, outline.ring_offsets}, parts);
    }
    return;
  }
  try {
    (void)tools::detect_format(path);
  } catch (const tools::FileError&) {
  }
  const auto format = static_cast<tools::Format>(reader);
  tools::ReadOptions options;
  if ((bits & 1) != 0 && !tools::is_scene_format(format) && !tools::is_mesh_format(format) &&
      !tools::is_robot_format(format)) {
    options.radius = 0.25;
  }
  if ((bits & 2) != 0) options.dimension = (bits & 4) != 0 ? 2 : 3;
  if ((bits & 8) != 0) options.periodic = "xy";
  if ((bits & 16) != 0 && tools::is_mesh_format(format)) options.max_vertices = 6;
  if ((bits & 32) != 0 && format == tools::Format::trajectory) options.unit = "cm";
  if ((bits & 32) != 0 && format == tools::Format::urdf) options.joints = "0.5,-1";
  use(tools::read_scene(path, format, options));
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widephase;
  if (size < 2) return 0;
  const int reader = static_cast<std::uint8_t>(data[0] - 'a') % fuzz::count;
  fuzz::Drawn options(data + 1, 1), rest(data + 2, size - 2);
  try {
    fuzz::run(reader, options, rest, {reinterpret_cast<const char*>(data + 2), size - 2});
  } catch (const tools::FileError&) {
  } catch (const tools::UsageError&) {
  } catch (const Error&) {
  }
  return 0;
}
