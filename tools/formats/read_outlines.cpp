#include "tools/formats/read_outlines.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "tools/formats/file_error.hpp"
#include "tools/formats/parse_json.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using Position = std::array<double, 2>;

constexpr std::size_t kMostVertices = 100'000'000;

class OutlineReader {
 public:
  enum class Wanted : std::uint8_t { polygons, lines };

  OutlineReader(const std::string& path, const std::string& object, Wanted wanted)
      : path_(path), object_(object), wanted_(wanted) {}

  Outlines read(const Json& json) {
    const bool is_topology = json.is_object() && json.value("type", Json()) == "Topology";
    if (!object_.empty() && !is_topology) {
      throw UsageError(
          fmt::format("{} is not TopoJSON, whose objects have names; leave --object out", path_));
    }
    if (json.is_array() && wanted_ == Wanted::polygons) {
      add_outline({}, json, &OutlineReader::add_position_ring);
      outlines_.owner_count = 1;
    } else if (is_topology) {
      read_topology(json);
    } else if (json.is_object() && json.contains("type")) {
      read_geojson(json);
    } else if (wanted_ == Wanted::lines) {
      throw FileError(path_, "holds no lines; expected GeoJSON or TopoJSON");
    } else {
      throw FileError(path_,
                      "holds no outlines; expected GeoJSON, TopoJSON or rings such as [[[0, 0], "
                      "[2, 0], [1, 2]]]");
    }
    return std::move(outlines_);
  }

 private:
  using AddRing = void (OutlineReader::*)(Outline&, const Json&, const std::string&);

  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw FileError(path_, place.empty() ? what : place + ": " + what);
  }
  static std::string after(const std::string& place, const std::string& more) {
    return place.empty() ? more : place + ", " + more;
  }

  const Json& member(const Json& object, const char* key, const std::string& place) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(place, fmt::format("has no {}", key));
    return *found;
  }
  const Json& list(const Json& object, const char* key, const std::string& place) const {
    const Json& value = member(object, key, place);
    if (!value.is_array()) {
      fail(place, fmt::format("{} is {}; expected a list", key, shortened(value)));
    }
    return value;
  }
  static std::string shortened(const Json& value) {
    std::string text = value.dump();
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    return text;
  }

  // GeoJSON.

  void read_geojson(const Json& json) {
    const std::string type = type_of(json, {});
    if (type == "FeatureCollection") {
      for (const Json& feature : list(json, "features", {})) {
        const std::string place = named("feature", feature);
        add_feature(place, feature);
        ++outlines_.owner_count;
      }
    } else if (type == "Feature") {
      add_feature({}, json);
      ++outlines_.owner_count;
    } else {
      add_top_geometry({}, json, "coordinates", &OutlineReader::add_position_ring);
    }
  }

  std::string type_of(const Json& json, const std::string& place) const {
    if (!json.is_object()) {
      fail(place, fmt::format("is {}; expected an object with a type", shortened(json)));
    }
    const Json& type = member(json, "type", place);
    if (!type.is_string()) {
      fail(place, fmt::format("type is {}; expected a word", shortened(type)));
    }
    return type.get<std::string>();
  }

  /// "feature 12 (Fiji)", for messages.
  std::string named(const char* noun, const Json& json) const {
    std::string place = fmt::format("{} {}", noun, outlines_.owner_count);
    if (!json.is_object()) return place;
    const auto properties = json.find("properties");
    for (const char* key : {"name", "NAME"}) {
      if (properties == json.end() || !properties->is_object()) break;
      const auto name = properties->find(key);
      if (name != properties->end() && name->is_string()) {
        return fmt::format("{} ({})", place, name->get<std::string>());
      }
    }
    const auto id = json.find("id");
    if (id == json.end()) return place;
    return fmt::format("{} ({})", place, id->is_string() ? id->get<std::string>() : id->dump());
  }

  void add_feature(const std::string& place, const Json& feature) {
    const std::string type = type_of(feature, place);
    if (type != "Feature") {
      fail(place, fmt::format("has the type {}; expected Feature", tools::in_quotes(type)));
    }
    const Json& geometry = member(feature, "geometry", place);
    if (geometry.is_null()) {
      ++outlines_.ignored_count;
      return;
    }
    add_geometry(place, geometry, "coordinates", &OutlineReader::add_position_ring);
  }

  // TopoJSON.

  void read_topology(const Json& json) {
    const Json& objects = member(json, "objects", {});
    if (!objects.is_object()) fail({}, "objects is not an object of named geometries");
    if (!object_.empty() && !objects.contains(object_)) {
      std::string names;
      for (const auto& [name, geometry] : objects.items()) {
        names += (names.empty() ? "" : ", ") + name;
      }
      throw UsageError(fmt::format("{} has no object {}; its objects are {}", path_,
                                   tools::in_quotes(object_), names.empty() ? "none" : names));
    }
    read_arcs(json);
    for (const auto& [name, geometry] : objects.items()) {
      if (!object_.empty() && name != object_) continue;
      const std::string place = objects.size() > 1 ? "object " + name : "";
      add_top_geometry(place, geometry, "arcs", &OutlineReader::add_arc_ring);
    }
  }

  /// With a transform, positions are whole numbers, each relative to the previous one.
  void read_arcs(const Json& json) {
    const auto transform = json.find("transform");
    if (transform != json.end()) {
      const Json& scale = member(*transform, "scale", "transform");
      const Json& translate = member(*transform, "translate", "transform");
      grid_ =
          Grid{position(scale, "transform, scale"), position(translate, "transform, translate")};
      if (grid_->scale[0] == 0 || grid_->scale[1] == 0) {
        fail("transform, scale",
             fmt::format("is {}; expected two numbers other than 0", shortened(scale)));
      }
    }
    for (const Json& arc : list(json, "arcs", {})) {
      const std::string place = fmt::format("arc {}", arcs_.size());
      if (!arc.is_array()) fail(place, fmt::format("is {}; expected a list", shortened(arc)));
      std::vector<Position>& positions = arcs_.emplace_back();
      Position sum{0, 0};
      for (const Json& entry : arc) {
        const Position step = position(entry, place);
        if (!grid_) {
          positions.push_back(step);
          continue;
        }
        for (int axis : {0, 1}) sum[axis] += step[axis];
        positions.push_back(sum);
      }
    }
  }

  /// The index of an arc, or ~index if the arc is reversed.
  std::int64_t arc_number(const Json& entry, const std::string& place) const {
    if (!entry.is_number_integer()) {
      fail(place, fmt::format("has {} for an arc; expected a whole number", shortened(entry)));
    }
    const auto number = entry.get<std::int64_t>();
    // A value above the signed range would become negative.
    const bool is_above = number < 0 && entry.is_number_unsigned();
    if (is_above || index_of(number) >= arcs_.size()) {
      fail(place, fmt::format("names arc {}; the file has {} arcs, counted from 0",
                              shortened(entry), arcs_.size()));
    }
    return number;
  }
  static std::size_t index_of(std::int64_t arc_number) {
    return static_cast<std::size_t>(arc_number < 0 ? ~arc_number : arc_number);
  }

  /// Limits the vertices: a small file could fill the memory by naming a long arc many times.
  void count_vertices(const Json& ring, const std::string& place) {
    for (const Json& entry : ring) {
      vertex_count_ += arcs_[index_of(arc_number(entry, place))].size();
      if (vertex_count_ <= kMostVertices) continue;
      fail(place, fmt::format("makes more than {} vertices in all, from arcs that are named again "
                              "and again",
                              kMostVertices));
    }
  }

  /// Joins arcs into a ring. Each arc must start at the point where the previous one ends.
  void add_arc_ring(Outline& outline, const Json& ring, const std::string& place) {
    count_vertices(ring, place);
    std::optional<Position> last;
    for (const Json& entry : ring) {
      const std::int64_t number = arc_number(entry, place);
      const std::vector<Position>& arc = arcs_[index_of(number)];
      for (std::size_t i = 0; i < arc.size(); ++i) {
        const Position& point = arc[number < 0 ? arc.size() - 1 - i : i];
        if (i == 0 && last) {
          if (*last == point) continue;
          fail(place, fmt::format("goes on with arc {}, which does not begin where the arc before "
                                  "ends",
                                  number));
        }
        outline.vertices.push_back(point);
      }
      if (!arc.empty()) last = number < 0 ? arc.front() : arc.back();
    }
  }

  // Both formats.

  /// A geometry outside features. Each member of a collection has its own owner.
  void add_top_geometry(const std::string& place, const Json& geometry, const char* key,
                        AddRing add_ring) {
    if (type_of(geometry, place) != "GeometryCollection") {
      add_geometry(place, geometry, key, add_ring);
      ++outlines_.owner_count;
      return;
    }
    for (const Json& member : list(geometry, "geometries", place)) {
      add_geometry(after(place, named("geometry", member)), member, key, add_ring);
      ++outlines_.owner_count;
    }
  }

  void add_geometry(const std::string& place, const Json& geometry, const char* key,
                    AddRing add_ring) {
    const std::string type = geometry.is_object() && geometry.value("type", Json()).is_null()
                                 ? ""
                                 : type_of(geometry, place);
    const bool wants_lines = wanted_ == Wanted::lines;
    if (type == "Polygon" && !wants_lines) {
      add_outline(place, list(geometry, key, place), add_ring);
    } else if (type == "MultiPolygon" && !wants_lines) {
      std::size_t index = 0;
      for (const Json& polygon : list(geometry, key, place)) {
        add_outline(after(place, fmt::format("polygon {}", index++)), polygon, add_ring);
      }
    } else if (type == "LineString" && wants_lines) {
      add_line(place, list(geometry, key, place), add_ring);
    } else if (type == "MultiLineString" && wants_lines) {
      std::size_t index = 0;
      for (const Json& line : list(geometry, key, place)) {
        add_line(after(place, fmt::format("line {}", index++)), line, add_ring);
      }
    } else if (type == "GeometryCollection") {
      for (const Json& member : list(geometry, "geometries", place)) {
        add_geometry(place, member, key, add_ring);
      }
    } else if (type.empty() || type == "Point" || type == "MultiPoint" || type == "LineString" ||
               type == "MultiLineString" || type == "Polygon" || type == "MultiPolygon") {
      ++outlines_.ignored_count;
    } else {
      fail(place, fmt::format("has the type {}; expected Polygon, MultiPolygon or another of "
                              "GeoJSON's geometries",
                              tools::in_quotes(type)));
    }
  }

  Outline begin_outline(const std::string& place) const {
    Outline outline;
    outline.grid = grid_;
    outline.place = place;
    outline.owner = outlines_.owner_count;
    return outline;
  }

  /// A line without vertices is an empty geometry.
  void add_line(const std::string& place, const Json& line, AddRing add_ring) {
    if (!line.is_array()) fail(place, fmt::format("is {}; expected a list", shortened(line)));
    Outline outline = begin_outline(place);
    (this->*add_ring)(outline, line, place);
    outline.ring_offsets.push_back(static_cast<std::int64_t>(outline.vertices.size()));
    if (outline.vertices.empty()) {
      ++outlines_.ignored_count;
    } else {
      outlines_.list.push_back(std::move(outline));
    }
  }

  void add_outline(const std::string& place, const Json& rings, AddRing add_ring) {
    if (!rings.is_array() || rings.empty()) {
      fail(place, fmt::format("is {}; expected a list of rings", shortened(rings)));
    }
    Outline outline = begin_outline(place);
    for (const Json& ring : rings) {
      const std::string ring_place =
          after(place, fmt::format("ring {}", outline.ring_offsets.size() - 1));
      if (!ring.is_array()) {
        fail(ring_place, fmt::format("is {}; expected a list", shortened(ring)));
      }
      (this->*add_ring)(outline, ring, ring_place);
      outline.ring_offsets.push_back(static_cast<std::int64_t>(outline.vertices.size()));
    }
    outlines_.list.push_back(std::move(outline));
  }

  void add_position_ring(Outline& outline, const Json& ring, const std::string& place) {
    std::size_t vertex = 0;
    for (const Json& entry : ring) {
      outline.vertices.push_back(position(entry, place, vertex++));
    }
  }

  /// The first two numbers; a third, the height, is ignored.
  Position position(const Json& entry, const std::string& place,
                    std::optional<std::size_t> vertex = {}) const {
    if (entry.is_array() && entry.size() >= 2 && entry[0].is_number() && entry[1].is_number()) {
      return {entry[0].get<double>(), entry[1].get<double>()};
    }
    const std::string where = vertex ? after(place, fmt::format("vertex {}", *vertex)) : place;
    fail(where, fmt::format("is {}; expected two numbers such as [1.5, 2]", shortened(entry)));
  }

  const std::string& path_;
  const std::string& object_;
  Wanted wanted_;
  std::vector<std::vector<Position>> arcs_;
  std::size_t vertex_count_ = 0;  ///< in rings of arcs
  std::optional<Grid> grid_;
  Outlines outlines_;
};

}  // namespace

Outlines read_outlines(const std::string& path, const std::string& object) {
  return OutlineReader(path, object, OutlineReader::Wanted::polygons).read(parse_json(path));
}

Outlines read_lines(const std::string& path) {
  const std::string all_objects;
  return OutlineReader(path, all_objects, OutlineReader::Wanted::lines).read(parse_json(path));
}

}  // namespace widephase::tools
