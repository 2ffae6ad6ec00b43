// Every reader of tools/ with any file: it must return a scene or throw its own error. The first
// byte chooses the reader: 'a' + Format, then joint values, outlines, arrays of a scene, contacts,
// arrays of contacts. Multiples of their number added to it choose what is done with the scene
// (Use); bytes beyond are lines of maps, by use. The second byte has the options.

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/cut_outline.hpp"
#include "tools/formats/drop_invalid.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/scene_in_world.hpp"
#include "tools/formats/scene_names.hpp"
#include "tools/page/view_page.hpp"
#include "tools/page/view_page_parts.hpp"
#include "tools/pictures/picture.hpp"
#include "tools/pictures/picture_outlines.hpp"
#include "tools/robots/joint_values.hpp"
#include "tools/robots/read_allowed.hpp"

/// A page with placeholders only, whether or not web/ is built.
const char* const widephase::tools::kViewPage = "@TITLE@ @ABOUT@ @DATA@ @SCRIPT@";
const char* const widephase::tools::kViewScript = "";

namespace widephase::fuzz {
namespace {

namespace tools = widephase::tools;

/// The readers after the formats of scenes.
enum Reader { joints_csv = 15, joints_npy, outlines, arrays, contacts, contact_arrays, maps };

/// What is done with a scene after reading it.
enum Use { as_it_is, narrow, without_invalid, npz, json, csv, picture, page, use_count };

/// A temporary folder of this process.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/widephase_fuzz_XXXXXX";
    require(mkdtemp(name) != nullptr, "there is room in /tmp");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

template <int D, class T>
void collide_scene(const SceneColumns<D, T>& scene, const std::optional<std::vector<Pair>>& pairs,
                   ContactBuffer<D, T>& contacts) {
  CollideOptions options;
  options.threads.count = 1;
  Workspace<D, T> workspace;
  if (pairs) {
    collide_pairs<D, T>(scene, *pairs, contacts, workspace, options);
  } else {
    collide<D, T>(scene, contacts, workspace, options);
  }
  check_contacts(contacts);
}

template <int D, class T>
void draw_picture(const SceneColumns<D, T>& scene, const ContactBuffer<D, T>& contacts) {
  for (const std::optional<std::int32_t> world : {std::optional<std::int32_t>(), {0}}) {
    const std::string text = tools::picture_of(scene, contacts, {world, "scene"});
    require(text.find("nan") == std::string::npos, "a picture is drawn by numbers");
  }
}

template <int D, class T>
void write_page(const SceneColumns<D, T>& scene, const tools::ViewContacts& contacts) {
  tools::ViewScene view;
  view.dimension = D;
  view.worlds = world_count<D, T>(scene);
  view.layout = layout_of(SceneSpan<D, T>(scene));
  view.shapes = tools::drawn_shapes(scene);
  tools::add_filters(scene, view);
  for (std::size_t axis = 0; axis < D; ++axis) {
    view.domain_min[axis] = static_cast<double>(scene.domain.min[axis]);
    view.domain_max[axis] = static_cast<double>(scene.domain.max[axis]);
    view.periodic[axis] = scene.domain.periodic[axis];
  }
  (void)tools::view_page(view, contacts);
}

template <int D, class T>
void write_contacts(const ContactBuffer<D, T>& contacts, const tools::ViewContacts& shown,
                    std::size_t shape_count, const Folder& folder) {
  tools::OutputFile nowhere("/dev/null"), written(folder.path("contacts"));
  tools::write_contacts_csv(contacts, nowhere);
  tools::write_contacts_npz(contacts, written);
  written.commit();
  const tools::ViewContacts read = tools::read_view_contacts(written.path(), D, shape_count);
  require(read.pair == shown.pair && read.offset == shown.offset && read.depth == shown.depth &&
              read.feature == shown.feature,
          "contacts that are written and read are as before");
}

template <int D, class T>
void use_scene(const tools::SceneFile& file, Use use, const Folder& folder) {
  SceneColumns<D, T> scene;
  std::vector<Finding> refused;
  file.to_columns(scene, use == without_invalid ? &refused : nullptr);
  if (layout_of(scene).shape_count() > 30) return;
  std::optional<std::vector<Pair>> pairs = file.pairs();
  if (use == without_invalid) tools::drop_invalid(scene, refused, pairs, 0);
  const std::vector<Finding> findings = validate<D, T>(scene);
  require(use != without_invalid || findings.empty(), "what is left is valid");
  if (!findings.empty()) return;
  ContactBuffer<D, T> contacts;
  collide_scene(scene, pairs, contacts);
  if (use != picture && use != page) return;
  const SceneColumns<D, T> shown = scene.bodies.empty() ? scene : tools::scene_in_world(scene);
  if (use == picture) return draw_picture(shown, contacts);
  const tools::ViewContacts shown_contacts = tools::view_contacts_of(contacts);
  write_page(shown, shown_contacts);
  write_contacts(contacts, shown_contacts, static_cast<std::size_t>(layout_of(scene).shape_count()),
                 folder);
}

template <class A, class B>
bool is_same(A a, B b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) return std::cmp_equal(a, b);
  const auto x = static_cast<double>(a), y = static_cast<double>(b);
  return (x == y && std::signbit(x) == std::signbit(y)) || (std::isnan(x) && std::isnan(y));
}

/// Checks that numbers are the same after writing and reading.
void write_and_read(const tools::SceneFile& file, tools::Format format, const Folder& folder) {
  std::size_t count = 0;
  for (const tools::NamedArray& entry : file.arrays()) count += entry.array.count();
  if (count > 1000) return;
  const std::string path = folder.path("written");
  tools::OutputFile written(path);
  const std::vector<std::string> left_out = tools::write_scene(file, format, written);
  written.commit();
  const tools::SceneFile again = tools::read_scene(path, format);
  require(again.dimension() == file.dimension(), "a scene keeps its dimension");
  for (const auto& [name, array] : file.arrays()) {
    if (std::ranges::find(left_out, name) != left_out.end()) continue;
    const tools::Array* found = again.find(name);
    require(found != nullptr && found->shape() == array.shape(), "an array is as long as before",
            name.c_str());
    if (array.type() == tools::Type::text) {
      for (std::size_t i = 0; i < array.count(); ++i) {
        require(array.text(i) == found->text(i), "a name is as before", name.c_str());
      }
      continue;
    }
    tools::visit_values(array, [&](auto before) {
      tools::visit_values(*found, [&](auto after) {
        for (std::size_t i = 0; i < before.size(); ++i) {
          require(is_same(before[i], after[i]), "a number is as before", name.c_str());
        }
      });
    });
  }
}

void use_file(const tools::SceneFile& file, Use use, const Folder& folder) {
  if (use == npz || use == json || use == csv) {
    constexpr tools::Format kFormats[] = {tools::Format::npz, tools::Format::json,
                                          tools::Format::csv};
    return write_and_read(file, kFormats[use - npz], folder);
  }
  const tools::Precision precision = use == narrow ? tools::Precision::single : file.precision();
  tools::in_numbers(file.dimension(), precision,
                    [&]<int D, class T>() { use_scene<D, T>(file, use, folder); });
}

/// An array as an `.npz` file may hold it, in most cases with this type and shape.
tools::NamedArray draw_array(Drawn& drawn, const std::string& name, std::vector<std::size_t> shape,
                             tools::Type type) {
  const int odd = drawn.byte();
  if (odd == 255) shape.push_back(static_cast<std::size_t>(drawn.below(3)));
  if (odd == 254 && !shape.empty()) shape.pop_back();
  if (odd == 253 && !shape.empty()) shape[0] = static_cast<std::size_t>(drawn.below(6));
  if (odd % 16 == 15) type = static_cast<tools::Type>(drawn.below(10));
  if (type == tools::Type::text) {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      texts.emplace_back(static_cast<std::size_t>(drawn.below(300)), 'a');
    }
    return {name, tools::Array::of_texts(texts, std::move(shape))};
  }
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

/// A scene of arrays with the names that a scene has.
tools::SceneFile draw_scene(Drawn& drawn) {
  const int dimension = 2 + drawn.below(2);
  std::vector<tools::NamedArray> list;
  list.push_back({"dimension", tools::Array::of(std::vector<std::int32_t>{dimension}, {})});
  const auto rows = static_cast<std::size_t>(drawn.below(4));
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape, tools::Type type) {
    list.push_back(draw_array(drawn, name, std::move(shape), type));
  };
  static_assert(kKindCount <= 16);
  const std::uint64_t kinds = drawn.bits(2);
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

/// Arrays with the names of contacts. If the reader accepts them, their sizes must agree.
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
  if (drawn.flag()) add("part", {points, 2}, tools::Type::int32);
  constexpr std::size_t kShapes = 40;
  const tools::ViewContacts read = tools::view_contacts_of("arrays", list, dimension, kShapes);
  require(read.pair.size() % 2 == 0 && read.offset.size() == read.pair.size() / 2 + 1 &&
              read.normal.size() == 3 * read.depth.size() &&
              read.depth.size() == read.pair.size() / 2,
          "a row of each array a contact");
  require(read.point.size() == 3 * read.feature.size() &&
              read.point_depth.size() == read.feature.size() &&
              (read.part.empty() || read.part.size() == 2 * read.feature.size()) &&
              read.offset.front() == 0 &&
              static_cast<std::size_t>(read.offset.back()) == read.feature.size(),
          "a row of each array a point");
  for (const std::int32_t id : read.pair) {
    require(id >= 0 && static_cast<std::size_t>(id) < kShapes,
            "a contact is of the scene's shapes");
  }
}

void cut(const tools::Outlines& outlines) {
  GeometryTable<Owned<2, double>> parts;
  std::vector<std::int32_t> owners;
  for (const tools::Outline& outline : outlines.list) {
    tools::cut_outline(outline, parts);
    owners.resize(parts.offsets.size() - 1, outline.owner);
  }
  tools::OutputFile nowhere("/dev/null");
  tools::write_outlines_picture(parts, owners, "outlines", "", nowhere);
}

/// An image of two by two shades.
constexpr std::string_view kImage(
    "\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\002\000"
    "\000\000\002\010\000\000\000\000\127\335\122\370\000\000\000\016\111\104\101\124\170"
    "\332\143\140\144\142\140\146\001\000\000\035\000\013\020\335\034\160\000\000\000\000"
    "\111\105\116\104\256\102\140\202",
    71);
constexpr std::string_view kRaw(
    "\002\000\000\000\002\000\000\000\000\000\000\000\000\000\200\077\000\000\000\100\000"
    "\000\100\100",
    24);

/// The files that the seeds of robots name: a mesh in each format, two height fields, and a part to
/// include.
void write_named(const Folder& folder) {
  static bool is_written = false;
  if (std::exchange(is_written, true)) return;
  folder.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
  folder.write("m.stl",
               "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
               "endfacet\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\n"
               "endfacet\nendsolid\n");
  folder.write("m.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
               "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
               "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 1\n4 0 1 2 3\n");
  folder.write("h.png", kImage);
  folder.write("h.raw", kRaw);
  folder.write("i.xml", "<a><body><joint/><geom size=\"1\"/></body></a>");
}

void run(int reader, Use use, Drawn& options_of, Drawn& rest, std::string_view text) {
  static const Folder folder;
  const unsigned bits = options_of.byte();
  if (reader == arrays) return use_file(draw_scene(rest), use, folder);
  if (reader == contact_arrays) return read_drawn_contacts(rest);
  const std::string path = folder.write(reader == joints_npy ? "file.npy" : "file", text);
  if (reader == joints_csv || reader == joints_npy) {
    std::vector<std::string> notes;
    (void)tools::read_joint_values(
        path, {{"shoulder", 0, true, -2, 2}, {"elbow", 1, false, {}, {}}}, (bits & 1) != 0, notes);
    return;
  }
  if (reader == contacts) {
    (void)tools::read_view_contacts(path, (bits & 1) != 0 ? 2 : 3, 40);
    return;
  }
  if (reader == outlines) {
    cut(tools::read_outlines(path, (bits & 1) != 0 ? "land" : ""));
    return;
  }
  try {
    (void)tools::detect_format(path);
  } catch (const tools::FileError&) {
  }
  // It came later: the numbers of the others stay.
  const auto format = reader == maps ? tools::Format::geojson : static_cast<tools::Format>(reader);
  tools::ReadOptions options;
  if ((bits & 1) != 0 && !tools::is_scene_format(format) && !tools::is_mesh_format(format) &&
      !tools::is_robot_format(format) && !tools::is_map_format(format)) {
    options.radius = 0.25;
  }
  if ((bits & 2) != 0) options.dimension = (bits & 4) != 0 ? 2 : 3;
  if ((bits & 8) != 0) options.periodic = "xy";
  const bool is_model = format == tools::Format::urdf || format == tools::Format::mjcf;
  if (tools::is_mesh_format(format) || is_model) {
    options.surface = (bits & 64) != 0;
    if (options.surface && (bits & 128) != 0) options.weld = 0.05;
    if (!options.surface && (bits & 16) != 0) options.max_vertices = 6;
  }
  if ((bits & 32) != 0 && format == tools::Format::trajectory) options.unit = "cm";
  if ((bits & 32) != 0 && is_model) options.joints = "0.5,-1";
  if ((bits & 1) != 0 && format == tools::Format::mjcf) options.keyframe = "0";
  if (format == tools::Format::urdf) options.package_path = {folder.path("")};
  if (is_model) write_named(folder);
  if (format == tools::Format::planning) {
    std::vector<std::string> notes;
    try {
      (void)tools::read_allowed(path, {"arm", "hand"}, notes);
    } catch (const tools::FileError&) {
    }
  }
  use_file(tools::read_scene(path, format, options), use, folder);
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widephase;
  if (size < 2) return 0;
  const int first = static_cast<std::uint8_t>(data[0] - 'a');
  // The last reader came later and has the numbers beyond those of all uses: the corpus keeps its
  // meaning.
  constexpr int kFirstMap = int{fuzz::maps} * int{fuzz::use_count};
  const bool is_map = first >= kFirstMap;
  const int reader = is_map ? fuzz::maps : first % fuzz::maps;
  const auto use =
      static_cast<fuzz::Use>(is_map ? (first - kFirstMap) % fuzz::use_count : first / fuzz::maps);
  fuzz::Drawn options(data + 1, 1), rest(data + 2, size - 2);
  try {
    fuzz::run(reader, use, options, rest, {reinterpret_cast<const char*>(data + 2), size - 2});
  } catch (const tools::FileError&) {
  } catch (const tools::UsageError&) {
  } catch (const Error&) {
  }
  return 0;
}
