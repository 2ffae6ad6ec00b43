#include "view_page.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "file_error.hpp"
#include "npz.hpp"
#include "view_page_parts.hpp"

namespace widephase::tools {

namespace {

using Json = nlohmann::ordered_json;

/// Arrays one behind the other, little-endian, told by name.
class PageData {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    static_assert(sizeof(T) == 4 && std::endian::native == std::endian::little);
    const char* const type = std::is_same_v<T, float>          ? "f"
                             : std::is_same_v<T, std::int32_t> ? "i"
                                                               : "u";
    about_[name] = {{"type", type}, {"begin", bytes_.size()}, {"count", values.size()}};
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + 4 * values.size());
    if (!values.empty()) std::memcpy(bytes_.data() + begin, values.data(), 4 * values.size());
  }
  const Json& about() const { return about_; }
  std::string base64() const;

 private:
  Json about_ = Json::object();
  std::string bytes_;
};

std::string PageData::base64() const {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes_.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes_.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes_.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes_[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// Shapes drawn by instances of one geometry.
struct Instances {
  std::vector<std::int32_t> ids;
  std::vector<float> frames;  ///< three axes and a place of each

  void add(std::size_t id, const std::array<Point, 3>& axes, const Point& place) {
    ids.push_back(static_cast<std::int32_t>(id));
    for (const Point& axis : axes) {
      for (const double value : axis) frames.push_back(static_cast<float>(value));
    }
    for (const double value : place) frames.push_back(static_cast<float>(value));
  }
};

bool is_wanted(const ViewScene& scene, std::int32_t world) {
  return !scene.world || world == -1 || world == *scene.world;
}

Point sum(const Point& a, const Point& b, double share = 1) {
  return {a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]};
}
Point scaled(const Point& a, double factor) {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Point& a) { return std::hypot(a[0], a[1], a[2]); }

std::array<Point, 3> upright(double radius) {
  return {Point{radius, 0, 0}, Point{0, radius, 0}, Point{0, 0, radius}};
}

/// Axes of a cylinder from one point to another.
std::array<Point, 3> along(const Point& half, double radius) {
  const double reach = length(half);
  const Point z = reach > 0 ? scaled(half, 1 / reach) : Point{0, 0, 1};
  const Point other = std::abs(z[2]) < 0.9 ? Point{0, 0, 1} : Point{1, 0, 0};
  Point x = cross(other, z);
  x = scaled(x, 1 / length(x));
  return {scaled(x, radius), scaled(cross(z, x), radius), half};
}

/// All that the page draws, in the frame of an origin in the middle.
class Drawing {
 public:
  Drawing(const ViewScene& scene, const Point& origin) : scene_(scene), origin_(origin) {
    for (std::size_t id = 0; id < scene.shapes.size(); ++id) {
      if (is_wanted(scene, scene.shapes[id].world)) add(id, scene.shapes[id]);
    }
  }

  void tell(Json& about, PageData& data) const {
    about["groups"] = Json::array();
    const auto tell_group = [&](const Json& mesh, const Instances& instances) {
      if (instances.ids.empty()) return;
      const std::string index = std::to_string(about["groups"].size());
      about["groups"].push_back({{"mesh", mesh}});
      data.add("ids" + index, instances.ids);
      data.add("frames" + index, instances.frames);
    };
    tell_group("ball", balls_);
    tell_group("box", boxes_);
    tell_group("cylinder", cylinders_);
    about["surfaces"] = Json::array();
    for (const auto& [surface, instances] : hulls_) {
      tell_group(about["surfaces"].size(), instances);
      about["surfaces"].push_back({{"vertices", surface->vertices}, {"faces", surface->faces}});
    }
    data.add("outline_ids", outline_ids_);
    data.add("outline_offset", outline_offset_);
    data.add("outline_corners", outline_corners_);
    data.add("outline_radius", outline_radius_);
    data.add("plane_ids", plane_ids_);
    data.add("planes", planes_);
  }

 private:
  Point placed(const Point& place) const {
    return sum(place, {origin_[0], origin_[1], scene_.dimension == 2 ? 0 : origin_[2]}, -1);
  }

  void add(std::size_t id, const DrawnShape& shape) {
    switch (shape.kind) {
      case Kind::sphere:
        return balls_.add(id, upright(shape.radius), placed(shape.a));
      case Kind::capsule:
        return add_capsule(id, shape);
      case Kind::aabb:
        if (scene_.dimension == 3) return boxes_.add(id, shape.axes, middle_of(shape));
        return add_outline(id,
                           {{shape.a[0], shape.a[1]},
                            {shape.b[0], shape.a[1]},
                            {shape.b[0], shape.b[1]},
                            {shape.a[0], shape.b[1]}},
                           0);
      case Kind::box:
        if (scene_.dimension == 3) return boxes_.add(id, shape.axes, middle_of(shape));
        [[fallthrough]];
      case Kind::polygon:
        return add_outline(id, shape.corners, shape.radius);
      case Kind::hull:
        return hulls_[shape.surface.get()].add(id, shape.axes, placed(shape.center));
      case Kind::cylinder:
        return cylinders_.add(
            id,
            {scaled(shape.axes[0], shape.radius), scaled(shape.axes[1], shape.radius),
             scaled(sum(shape.b, shape.a, -1), 0.5)},
            middle_of(shape));
      case Kind::halfspace:
        break;
    }
    plane_ids_.push_back(static_cast<std::int32_t>(id));
    double offset = shape.radius;
    for (std::size_t k = 0; k < 3; ++k) {
      planes_.push_back(static_cast<float>(shape.a[k]));
      offset -= shape.a[k] * origin_[k];
    }
    planes_.push_back(static_cast<float>(offset));
  }

  Point middle_of(const DrawnShape& shape) const {
    return placed(scaled(sum(shape.a, shape.b), 0.5));
  }

  void add_capsule(std::size_t id, const DrawnShape& shape) {
    if (scene_.dimension == 2) {
      return add_outline(id, {{shape.a[0], shape.a[1]}, {shape.b[0], shape.b[1]}}, shape.radius);
    }
    for (const Point& end : {shape.a, shape.b}) {
      balls_.add(id, upright(shape.radius), placed(end));
    }
    const Point half = scaled(sum(shape.b, shape.a, -1), 0.5);
    if (length(half) > 0) cylinders_.add(id, along(half, shape.radius), middle_of(shape));
  }

  void add_outline(std::size_t id, const std::vector<std::array<double, 2>>& corners,
                   double radius) {
    outline_ids_.push_back(static_cast<std::int32_t>(id));
    for (const auto& [x, y] : corners) {
      outline_corners_.push_back(static_cast<float>(x - origin_[0]));
      outline_corners_.push_back(static_cast<float>(y - origin_[1]));
    }
    outline_offset_.push_back(outline_offset_.back() + static_cast<std::int32_t>(corners.size()));
    outline_radius_.push_back(static_cast<float>(radius));
  }

  const ViewScene& scene_;
  Point origin_;
  Instances balls_, boxes_, cylinders_;
  std::map<const DrawnSurface*, Instances> hulls_;
  std::vector<std::int32_t> outline_ids_, outline_offset_{0}, plane_ids_;
  std::vector<float> outline_corners_, outline_radius_, planes_;
};

/// Around all shapes but halfspaces.
Extent extent_of(const ViewScene& scene) {
  Extent extent;
  for (const DrawnShape& shape : scene.shapes) {
    if (shape.kind == Kind::halfspace || !is_wanted(scene, shape.world)) continue;
    const bool has_corners = shape.kind == Kind::hull || shape.kind == Kind::aabb ||
                             (shape.kind == Kind::box && scene.dimension == 3);
    extent.add(shape.a, has_corners ? 0 : shape.radius);
    extent.add(shape.b, has_corners ? 0 : shape.radius);
  }
  if (extent.is_empty()) extent.add({0, 0, 0}, 1);
  if (scene.dimension == 2) extent.min[2] = extent.max[2] = 0;
  return extent;
}

/// A mark's radius: a share of half the width of a shape in the middle, so that marks fit most.
double mark_of(const ViewScene& scene) {
  std::vector<double> widths;
  for (const DrawnShape& shape : scene.shapes) {
    const double width = half_width(shape);
    if (width > 0) widths.push_back(width);
  }
  if (widths.empty()) return 0.05;
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  return 0.1 * *middle;
}

std::vector<float> narrow(const std::vector<double>& values, const Point& origin = {}) {
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back(static_cast<float>(values[i] - origin[i % 3]));
  }
  return result;
}

/// The page with these values for these names, which it has in this order.
std::string filled_page(const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string page;
  std::string_view rest = kViewPage;
  for (const auto& [name, value] : values) {
    const std::size_t at = rest.find(name);
    page += rest.substr(0, at);
    page += value;
    rest.remove_prefix(at + name.size());
  }
  page += rest;
  return page;
}

}  // namespace

template <int D, class T>
ViewContacts view_contacts_of(const ContactBuffer<D, T>& contacts) {
  ViewContacts view;
  const auto add_row = [](std::vector<double>& rows, const auto& column, std::size_t row) {
    for (int k = 0; k < 3; ++k) {
      rows.push_back(k < D ? static_cast<double>(column(row, k < D ? k : 0)) : 0);
    }
  };
  view.offset.push_back(0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    view.pair.insert(view.pair.end(), {contacts.pair[i].a, contacts.pair[i].b});
    add_row(view.normal, contacts.normal, i);
    view.depth.push_back(static_cast<double>(contacts.depth[i]));
    view.offset.push_back(static_cast<std::int32_t>(contacts.offset[i + 1]));
  }
  for (std::size_t p = 0; p < contacts.point_count(); ++p) {
    add_row(view.point, contacts.point, p);
    view.point_depth.push_back(static_cast<double>(contacts.point_depth[p]));
    view.feature.push_back(contacts.feature[p]);
  }
  return view;
}

namespace {

class ContactsReader {
 public:
  explicit ContactsReader(const std::string& path) : path_(path), arrays_(read_npz(path)) {}

  /// The numbers of an array of `width` a row (0: one dimension) and, unless 0, of `rows` rows.
  std::vector<double> numbers(const std::string& name, std::size_t width, std::size_t rows) const {
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
    std::vector<double> values;
    visit_values(array, [&](auto numbers) {
      for (const auto value : numbers) values.push_back(static_cast<double>(value));
    });
    return values;
  }
  [[noreturn]] void fail(const std::string& name, const std::string& text) const {
    throw FileError(path_, name + " " + text);
  }

  static constexpr std::size_t kAny = static_cast<std::size_t>(-1);

 private:
  std::string path_;
  std::vector<NamedArray> arrays_;
};

/// Rows of three of rows of two or three.
std::vector<double> in_space(std::vector<double> values, std::size_t width) {
  if (width == 3) return values;
  std::vector<double> rows;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    rows.insert(rows.end(), {values[i], values[i + 1], 0});
  }
  return rows;
}

}  // namespace

ViewContacts read_view_contacts(const std::string& path, int dimension, std::size_t shape_count) {
  const ContactsReader reader(path);
  const auto width = static_cast<std::size_t>(dimension);
  ViewContacts view;
  const std::vector<double> pair = reader.numbers("pair", 2, ContactsReader::kAny);
  const std::size_t count = pair.size() / 2;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    if (!(pair[i] >= 0 && pair[i] < static_cast<double>(shape_count))) {
      reader.fail("pair[" + std::to_string(i / 2) + "]",
                  "names shape " + std::to_string(static_cast<std::int64_t>(pair[i])) +
                      "; the scene has " + std::to_string(shape_count) +
                      " shapes: are these the contacts of another one?");
    }
    view.pair.push_back(static_cast<std::int32_t>(pair[i]));
  }
  view.normal = in_space(reader.numbers("normal", width, count), width);
  view.depth = reader.numbers("depth", 0, count);
  view.point = in_space(reader.numbers("point", width, ContactsReader::kAny), width);
  const std::size_t points = view.point.size() / 3;
  view.point_depth = reader.numbers("point_depth", 0, points);
  for (const double code : reader.numbers("feature", 0, points)) {
    view.feature.push_back(static_cast<std::uint32_t>(code));
  }
  for (const double offset : reader.numbers("offset", 0, count + 1)) {
    const double least = view.offset.empty() ? 0 : static_cast<double>(view.offset.back());
    if (!(offset >= least && offset <= static_cast<double>(points))) {
      reader.fail(
          "offset[" + std::to_string(view.offset.size()) + "]",
          "is out of order; expected numbers that rise from 0 to " + std::to_string(points));
    }
    view.offset.push_back(static_cast<std::int32_t>(offset));
  }
  return view;
}

namespace {

/// Rows of the contacts that the page shows.
std::vector<std::int32_t> wanted_rows(const ViewScene& scene, const ViewContacts& contacts) {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < contacts.depth.size(); ++i) {
    const auto world_of = [&](std::size_t k) {
      return scene.shapes[static_cast<std::size_t>(contacts.pair[2 * i + k])].world;
    };
    if (is_wanted(scene, world_of(0)) && is_wanted(scene, world_of(1))) {
      rows.push_back(static_cast<std::int32_t>(i));
    }
  }
  return rows;
}

/// These rows of the contacts alone.
ViewContacts take(const ViewContacts& contacts, const std::vector<std::int32_t>& rows) {
  ViewContacts taken;
  const auto add = [](auto& to, const auto& from, std::size_t row, std::size_t width) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * width);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  };
  taken.offset.push_back(0);
  for (const std::int32_t number : rows) {
    const auto row = static_cast<std::size_t>(number);
    add(taken.pair, contacts.pair, row, 2);
    add(taken.normal, contacts.normal, row, 3);
    add(taken.depth, contacts.depth, row, 1);
    for (std::int32_t p = contacts.offset[row]; p < contacts.offset[row + 1]; ++p) {
      add(taken.point, contacts.point, static_cast<std::size_t>(p), 3);
      add(taken.point_depth, contacts.point_depth, static_cast<std::size_t>(p), 1);
      add(taken.feature, contacts.feature, static_cast<std::size_t>(p), 1);
    }
    taken.offset.push_back(static_cast<std::int32_t>(taken.feature.size()));
  }
  return taken;
}

}  // namespace

std::string view_page(const ViewScene& scene, const ViewContacts& all) {
  const std::vector<std::int32_t> rows = wanted_rows(scene, all);
  const ViewContacts contacts = take(all, rows);
  const Extent extent = extent_of(scene);
  const Point origin = scaled(sum(extent.min, extent.max), 0.5);
  PageData data;
  std::vector<std::int32_t> worlds;
  for (const DrawnShape& shape : scene.shapes) worlds.push_back(shape.world);
  data.add("world", worlds);
  data.add("row", rows);
  data.add("pair", contacts.pair);
  data.add("normal", narrow(contacts.normal));
  data.add("depth", narrow(contacts.depth));
  data.add("offset", contacts.offset);
  data.add("point", narrow(contacts.point, origin));
  data.add("point_depth", narrow(contacts.point_depth));
  data.add("feature", contacts.feature);

  Json about;
  about["title"] = scene.title;
  about["dimension"] = scene.dimension;
  about["worlds"] = scene.worlds;
  about["world"] = scene.world ? Json(*scene.world) : Json();
  about["word"] = scene.has_steps ? "step" : "world";
  about["first"] = scene.layout.first;
  about["kinds"] = Json::array();
  for (int kind = 0; kind < kKindCount; ++kind) {
    about["kinds"].push_back(kind_name(static_cast<Kind>(kind), scene.dimension));
  }
  about["origin"] = origin;
  about["low"] = sum(extent.min, origin, -1);
  about["high"] = sum(extent.max, origin, -1);
  about["mark"] = mark_of(scene);
  about["domain"] = nullptr;
  if (scene.domain_min != scene.domain_max) {
    about["domain"] = {sum(scene.domain_min, origin, -1), sum(scene.domain_max, origin, -1)};
  }
  Drawing(scene, origin).tell(about, data);
  about["arrays"] = data.about();

  std::string json = about.dump();
  // The one way out of a script's text.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 1)) {
    json.replace(at, 1, "\\u003c");
  }
  return filled_page({{"@TITLE@", escaped(scene.title)},
                      {"@ABOUT@", json},
                      {"@DATA@", data.base64()},
                      {"@SCRIPT@", kViewScript}});
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template ViewContacts view_contacts_of(const ContactBuffer<D, T>&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, double)
WIDEPHASE_INSTANTIATE(2, Mixed)
WIDEPHASE_INSTANTIATE(3, Mixed)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
