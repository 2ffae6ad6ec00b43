// MJCF (MuJoCo's XML): the geoms of bodies in the initial configuration, and which of them may
// collide. docs/conventions.md lists what is read and what is refused.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/robots/mjcf_model.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kWorld = 0;    ///< the index of the world body
constexpr int kMostNested = 32;      ///< models attached within models
constexpr int kMostElements = 1000;  ///< nesting of elements, including those of attached models
constexpr std::size_t kMostCopies = 1'000'000;
constexpr std::string_view kGeoms = "plane, sphere, capsule, cylinder, box or ellipsoid";

/// The context of the elements in a body.
struct Surroundings {
  std::size_t body = kWorld;
  Frame3 frame;             ///< in the frame of the body's weld
  std::string child_class;  ///< empty: none
  std::string prefix;       ///< of names, added by attaching
  std::string suffix;       ///< of names, added by replicating
  int depth = 0;            ///< how many attached models are around it
};

struct Body {
  std::string name;                 ///< without the suffix of a copy
  std::string label;                ///< with it; empty: none
  std::vector<std::size_t> copies;  ///< the index of the copy in each <replicate> around it
  std::size_t weld = kWorld;        ///< bodies without joints are welded to their parents
  std::vector<std::size_t> shapes;
};

/// Bodies that move as one. Each weld that can move is a body of the scene.
struct Weld {
  std::size_t parent = kWorld;
  Frame3 frame;  ///< relative to the world
  std::int32_t body = -1;
  std::vector<std::size_t> shapes;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class MjcfReader {
 public:
  /// The model may also name files below the folders in `allowed`.
  explicit MjcfReader(const std::vector<std::string>& allowed) : allowed_(allowed) {}

  SceneFile read(const std::string& path) {
    Body& world = bodies_.emplace_back();
    world.name = world.label = "world";
    welds_.emplace_back();
    MjcfModel& model = add_model(path, read_text(path, kMostTreeBytes));
    for (XMLElement* e = model.root().FirstChildElement("worldbody"); e != nullptr;
         e = e->NextSiblingElement("worldbody")) {
      read_contents(model, *e, {});
    }
    exclude_bodies(model, "", kWorld);
    if (!has_parent_contacts(model)) exclude_parents(model);
    SceneColumns<3, double> scene = scene_.take();
    set_masks(scene);
    return scene_file_of(path, std::move(scene), scene_.names());
  }

 private:
  MjcfModel& add_model(const std::string& path, const std::string& text) {
    text_bytes_ += text.size();
    auto& model = models_[path];
    model = std::make_unique<MjcfModel>(path, text);
    check_sections(*model);
    return *model;
  }

  /// The model in a file that another model names. All texts together have the limit of one text.
  MjcfModel& model_of(const std::string& path, const MjcfModel& naming) {
    const auto known = models_.find(path);
    if (known != models_.end()) return *known->second;
    return add_model(path,
                     read_named_text(path, naming.path(), allowed_, kMostTreeBytes - text_bytes_));
  }

  void check_sections(MjcfModel& model) const {
    for (const XMLElement* e = model.root().FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (!is_one_of(e->Name(), {"compiler", "option", "size", "visual", "statistic", "asset",
                                 "default", "worldbody", "contact", "equality", "tendon",
                                 "actuator", "sensor", "keyframe", "custom", "extension"})) {
        model.fail(*e, fmt::format("has <{}>, which is not read", e->Name()));
      }
      if (std::string_view(e->Name()) == "option") check_option(model, *e);
      if (std::string_view(e->Name()) != "contact") continue;
      if (const XMLElement* pair = e->FirstChildElement("pair")) {
        model.fail(*pair,
                   "has <pair> in <contact>, for which scenes have no place; leave it out "
                   "and set contype and conaffinity");
      }
    }
  }

  /// Refuses options that let other pairs collide than the geoms' own numbers do.
  static void check_option(const MjcfModel& model, const XMLElement& option) {
    const std::string_view collision = attribute(option, "collision");
    if (!collision.empty() && collision != "all") {
      model.fail(option, fmt::format("has the collision {} in <option>, which is not read; "
                                     "expected all",
                                     in_quotes(collision)));
    }
    for (const XMLElement* flag = option.FirstChildElement("flag"); flag != nullptr;
         flag = flag->NextSiblingElement("flag")) {
      if (attribute(*flag, "contact") != "disable") continue;
      model.fail(*flag, "has contact=\"disable\" in <flag>, which is not read; leave it out");
    }
  }

  /// Reads the elements of a body, of a frame or of the world.
  void read_contents(MjcfModel& model, XMLElement& parent, const Surroundings& around) {
    if (++nested_ > kMostElements) {
      model.fail(parent, fmt::format("is within {} other elements, with those that it is "
                                     "attached to; expected fewer",
                                     kMostElements));
    }
    for (XMLElement* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind == "geom") {
        read_geom(model, *e, around);
      } else if (kind == "body") {
        read_body(model, *e, around);
      } else if (kind == "frame") {
        read_contents(model, *e, within(model, *e, around));
      } else if (kind == "replicate") {
        read_replicate(model, *e, around);
      } else if (kind == "attach") {
        read_attach(model, *e, around);
      } else if (!is_one_of(kind, {"inertial", "joint", "freejoint", "site", "camera", "light",
                                   "plugin"})) {
        model.fail(*e, fmt::format("has <{}>, which is not read; expected geoms and bodies", kind));
      }
    }
    --nested_;
  }

  Surroundings within(const MjcfModel& model, const XMLElement& e, const Surroundings& around) {
    Surroundings inner = around;
    inner.frame = product(around.frame, model.frame_of(e));
    const std::string_view child_class = attribute(e, "childclass");
    if (!child_class.empty()) inner.child_class = child_class;
    return inner;
  }

  /// Whether a body has a joint, directly or in one of its frames.
  static bool has_joint(const XMLElement& body) {
    for (const XMLElement* e = body.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (is_one_of(e->Name(), {"joint", "freejoint"})) return true;
      if (std::string_view(e->Name()) == "frame" && has_joint(*e)) return true;
    }
    return false;
  }

  /// The name of an element as MuJoCo extends it where it attaches and replicates; empty: none.
  static std::string label_of(const XMLElement& e, const Surroundings& around) {
    const std::string name(attribute(e, "name"));
    return name.empty() ? name : around.prefix + name + around.suffix;
  }

  void read_body(MjcfModel& model, XMLElement& e, const Surroundings& around) {
    Surroundings inner = within(model, e, around);
    inner.body = bodies_.size();
    Body body;
    body.name = around.prefix + std::string(attribute(e, "name"));
    body.label = label_of(e, around);
    body.copies = copies_;
    body.weld = bodies_[around.body].weld;
    if (has_joint(e)) {
      Weld weld;
      weld.parent = body.weld;
      weld.frame = product(welds_[body.weld].frame, inner.frame);
      weld.body = scene_.add_body(weld.frame, body.label);
      body.weld = welds_.size();
      welds_.push_back(std::move(weld));
      inner.frame = {};
    }
    count_made(model, e);
    bodies_.push_back(std::move(body));
    read_contents(model, e, inner);
  }

  /// Copy i is rotated by i times the angles of `euler`. Each copy is `offset` away from the
  /// previous one, in the frame of the previous one.
  void read_replicate(MjcfModel& model, XMLElement& e, const Surroundings& around) {
    const double given = attribute_number(model.path(), e, "count", 0);
    if (!(given >= 1 && given <= 1e6 && given == std::floor(given))) {
      model.fail(e, fmt::format("has count {} in <replicate>; expected 1 to 1000000", given));
    }
    if (has_joint(e)) {
      model.fail(e, "has a joint in <replicate> outside of its bodies; expected joints in bodies");
    }
    const auto count = static_cast<std::size_t>(given);
    count_copies(model, e, count);
    const double around_count = copies_of_each_;
    copies_of_each_ *= given;
    const Vector3 offset = attribute_vector(model.path(), e, "offset", {});
    const Vector3 euler = attribute_vector(model.path(), e, "euler", {});
    Frame3 place;
    for (std::size_t copy = 0; copy < count; ++copy) {
      place.orientation = model.turn_of_euler(e, scaled(euler, static_cast<double>(copy)));
      Surroundings inner = around;
      inner.frame = product(around.frame, place);
      const std::string_view child_class = attribute(e, "childclass");
      if (!child_class.empty()) inner.child_class = child_class;
      // MuJoCo: a separator, then the index with as many digits as the count.
      const std::size_t digits = std::to_string(count).size();
      inner.suffix = fmt::format("{}{:0>{}}{}", attribute(e, "sep"), copy, digits, around.suffix);
      copies_.push_back(copy);
      read_contents(model, e, inner);
      copies_.pop_back();
      place.position = sum(place.position, turned(place.orientation, offset));
    }
    copies_of_each_ = around_count;
  }

  /// Nested copies multiply, so a short file could fill the memory.
  void count_copies(const MjcfModel& model, const XMLElement& e, std::size_t count) {
    copy_count_ += count;
    if (copy_count_ <= kMostCopies) return;
    model.fail(e,
               fmt::format("makes more than {} copies in all, by <replicate> and <attach> within "
                           "one another",
                           kMostCopies));
  }

  /// Counts all copies of a body or shape at the first one, before they fill the memory.
  void count_made(const MjcfModel& model, const XMLElement& e) {
    const bool is_first = std::ranges::all_of(copies_, [](std::size_t copy) { return copy == 0; });
    if (is_first) made_count_ += copies_of_each_;
    if (made_count_ <= static_cast<double>(kMostRobotShapes)) return;
    model.fail(e, fmt::format("makes more than {} bodies and shapes, by <replicate> and <attach>",
                              kMostRobotShapes));
  }

  void read_attach(MjcfModel& model, XMLElement& e, const Surroundings& around) {
    if (around.depth >= kMostNested) model.fail(e, "attaches a model within itself");
    if (e.Attribute("frame") != nullptr) {
      model.fail(e, "has frame in <attach>, which is not read; expected body, or the whole model");
    }
    count_copies(model, e, 1);
    MjcfModel& other = model_of(path_of_asset(model, e), model);
    Surroundings inner = around;
    inner.prefix += attribute(e, "prefix");
    inner.child_class.clear();  // the other file has its own classes
    inner.depth += 1;
    const std::size_t first = bodies_.size();
    const std::string_view wanted = attribute(e, "body");
    bool is_found = wanted.empty();
    for (XMLElement* w = other.root().FirstChildElement("worldbody"); w != nullptr;
         w = w->NextSiblingElement("worldbody")) {
      if (wanted.empty()) {
        read_contents(other, *w, inner);
      } else if (Found found = find_body(*w, wanted, ""); found.body != nullptr) {
        inner.child_class = found.child_class;
        read_body(other, *found.body, inner);
        is_found = true;
      }
    }
    if (!is_found) {
      model.fail(e, fmt::format("attaches the body {}, which {} does not have", in_quotes(wanted),
                                other.path()));
    }
    exclude_bodies(other, inner.prefix, first);
  }

  struct Found {
    XMLElement* body = nullptr;
    std::string child_class;
  };
  static Found find_body(XMLElement& parent, std::string_view name, std::string child_class) {
    const std::string_view own = attribute(parent, "childclass");
    if (!own.empty()) child_class = own;
    for (XMLElement* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (!is_one_of(e->Name(), {"body", "frame", "replicate"})) continue;
      if (std::string_view(e->Name()) == "body" && attribute(*e, "name") == name) {
        return {e, child_class};
      }
      if (Found found = find_body(*e, name, child_class); found.body != nullptr) return found;
    }
    return {};
  }

  /// The file of the model that an <attach> names. A model asset without a name is named after its
  /// file.
  std::string path_of_asset(MjcfModel& model, const XMLElement& attach) {
    const std::string name = required_attribute(model.path(), attach, "model");
    for (XMLElement* asset = model.root().FirstChildElement("asset"); asset != nullptr;
         asset = asset->NextSiblingElement("asset")) {
      for (XMLElement* e = asset->FirstChildElement("model"); e != nullptr;
           e = e->NextSiblingElement("model")) {
        const std::string_view given = attribute(*e, "name");
        if (!given.empty() && given != name) continue;
        const std::string file = required_attribute(model.path(), *e, "file");
        const std::size_t slash = model.path().rfind('/');
        const bool is_beside = slash != std::string::npos && !file.starts_with('/');
        const std::string path = (is_beside ? model.path().substr(0, slash + 1) : "") + file;
        if (given.empty() && attribute(model_of(path, model).root(), "model") != name) continue;
        return path;
      }
    }
    model.fail(attach, fmt::format("attaches the model {}, which is not a <model> of <asset>",
                                   in_quotes(name)));
  }

  void read_geom(MjcfModel& model, XMLElement& e, const Surroundings& around) {
    model.inherit(e, around.child_class);
    const std::array<std::uint32_t, 2> contact{read_bits(model, e, "contype"),
                                               read_bits(model, e, "conaffinity")};
    if (contact[0] == 0 && contact[1] == 0) return;  // it collides with nothing; it is only visible
    count_made(model, e);
    Body& body = bodies_[around.body];
    Weld& weld = welds_[body.weld];
    ShapeTags tags;
    tags.body = weld.body;
    tags.owner = static_cast<std::int32_t>(around.body) - 1;
    tags.fixed = body.weld == kWorld ? 1 : 0;
    tags.category = class_bit(model, e, contact);
    tags.name = label_of(e, around);
    if (tags.name.empty()) tags.name = body.label;
    const std::size_t shape = add_shape(model, e, around.frame, tags);
    body.shapes.push_back(shape);
    weld.shapes.push_back(shape);
  }

  static std::uint32_t read_bits(const MjcfModel& model, const XMLElement& e, const char* name) {
    const double bits = attribute_number(model.path(), e, name, 1);
    // MuJoCo's numbers are signed: -1 sets all bits.
    if (bits >= -2147483648.0 && bits <= 4294967295.0 && bits == std::floor(bits)) {
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(bits));
    }
    model.fail(e, fmt::format("has {} {} in {}; expected an integer of 32 bits", name, bits,
                              element_text(e)));
  }

  /// Geoms with equal contype and conaffinity form a class; each class has its own bit of
  /// `category`.
  std::uint32_t class_bit(const MjcfModel& model, const XMLElement& e,
                          const std::array<std::uint32_t, 2>& contact) {
    const auto found = std::find(classes_.begin(), classes_.end(), contact);
    const auto index = static_cast<std::size_t>(found - classes_.begin());
    if (index == 32) {
      model.fail(e,
                 "has geoms of more than 32 different contype and conaffinity; category and mask "
                 "have 32 bits");
    }
    if (found == classes_.end()) classes_.push_back(contact);
    return std::uint32_t{1} << index;
  }

  std::size_t add_shape(const MjcfModel& model, const XMLElement& e, const Frame3& around,
                        const ShapeTags& tags) {
    const std::string_view given = attribute(e, "type");
    const std::string_view type = given.empty() ? "sphere" : given;
    for (const char* shape : {"mesh", "hfield"}) {
      if (e.Attribute(shape) == nullptr) continue;
      model.fail(e, fmt::format("has {} with a {}; expected {}", element_text(e), shape, kGeoms));
    }
    Frame3 frame = model.frame_of(e);
    auto size = attribute_numbers(model.path(), e, "size", 1, 3);
    size.resize(3, 0);
    const auto ends = attribute_numbers(model.path(), e, "fromto", 6, 6);
    if (!ends.empty()) {
      if (!is_one_of(type, {"capsule", "cylinder", "box", "ellipsoid"})) {
        model.fail(e, fmt::format("has fromto in {} of type {}", element_text(e), type));
      }
      const Vector3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
      const Vector3 axis = difference(from, to);
      if (!(length(axis) > 0)) model.fail(e, fmt::format("has no length in {}", element_text(e)));
      frame = {scaled(sum(from, to), 0.5), turn_of_z(axis)};
      const bool has_three = is_one_of(type, {"box", "ellipsoid"});
      size = has_three ? std::vector<double>{size[0], size[0], length(axis) / 2}
                       : std::vector<double>{size[0], length(axis) / 2, 0};
    }
    // The scene's own rules report a negative size, but not a missing one.
    const auto need = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        if (size[i] > 0) continue;
        model.fail(
            e, fmt::format("has {} of type {} without {} above 0 in size", element_text(e), type,
                           count == 1 ? "a number" : fmt::format("{} numbers", count)));
      }
    };
    frame = product(around, frame);
    if (type == "plane") return scene_.add_halfspace(frame, tags);
    if (type == "sphere") {
      need(1);
      return scene_.add_sphere(frame.position, size[0], tags);
    }
    if (type == "capsule") {
      need(2);
      const Vector3 end{0, 0, size[1]};
      return scene_.add_capsule(moved(frame, end), moved(frame, scaled(end, -1)), size[0], tags);
    }
    if (type == "cylinder") {
      need(2);
      return scene_.add_cylinder(frame, size[1], size[0], tags);
    }
    if (is_one_of(type, {"box", "ellipsoid"})) {
      need(3);
      const Vector3 half{size[0], size[1], size[2]};
      return type == "box" ? scene_.add_box(frame, half, tags)
                           : scene_.add_ellipsoid(frame, half, tags);
    }
    model.fail(e, fmt::format("has {} of type {}; expected {} (or contype and conaffinity 0, if it "
                              "is there to be seen)",
                              element_text(e), in_quotes(type), kGeoms));
  }

  /// Applies the excluded pairs of bodies in a model; only bodies from `first` on belong to it.
  void exclude_bodies(MjcfModel& model, const std::string& prefix, std::size_t first) {
    if (model.root().FirstChildElement("contact") == nullptr) return;
    std::map<std::string, std::vector<std::size_t>> named;
    for (std::size_t body = first; body < bodies_.size(); ++body) {
      auto& bodies = named[bodies_[body].name];
      if (!bodies_[body].shapes.empty()) bodies.push_back(body);
    }
    for (auto& [name, bodies] : named) {
      std::ranges::sort(bodies, {}, [&](std::size_t body) {
        return std::tie(bodies_[body].copies, bodies_[body].shapes);
      });
    }
    for (const XMLElement* contact = model.root().FirstChildElement("contact"); contact != nullptr;
         contact = contact->NextSiblingElement("contact")) {
      for (const XMLElement* e = contact->FirstChildElement("exclude"); e != nullptr;
           e = e->NextSiblingElement("exclude")) {
        const std::string one = prefix + required_attribute(model.path(), *e, "body1");
        const std::string other = prefix + required_attribute(model.path(), *e, "body2");
        // An attached model may have only some of its bodies here.
        for (const std::string& name : {one, other}) {
          if (first != kWorld || named.contains(name)) continue;
          model.fail(*e, fmt::format("excludes the body {}, which is not there", in_quotes(name)));
        }
        exclude_in_sight(named[one], named[other], model, *e);
      }
    }
  }

  /// A name in one copy is not visible in another. Two bodies see each other if the copy indices of
  /// one begin with those of the other. Both lists are sorted by copies, so only visible bodies are
  /// visited.
  void exclude_in_sight(const std::vector<std::size_t>& some,
                        const std::vector<std::size_t>& others, const MjcfModel& model,
                        const XMLElement& e) {
    for (const std::size_t a : some) {
      for (const std::size_t b : within_copies(others, bodies_[a].copies)) {
        exclude_shapes(bodies_[a].shapes, bodies_[b].shapes, model, e);
      }
    }
    for (const std::size_t b : others) {
      for (const std::size_t a : within_copies(some, bodies_[b].copies)) {
        if (bodies_[a].copies.size() == bodies_[b].copies.size()) continue;  // done above
        exclude_shapes(bodies_[a].shapes, bodies_[b].shapes, model, e);
      }
    }
  }

  /// The bodies whose copy indices begin with these.
  std::span<const std::size_t> within_copies(const std::vector<std::size_t>& bodies,
                                             const std::vector<std::size_t>& copies) const {
    const auto order = [&](std::size_t body) {
      const std::vector<std::size_t>& own = bodies_[body].copies;
      const std::size_t length = std::min(own.size(), copies.size());
      return std::span(own).first(length);
    };
    const auto is_less = [](std::span<const std::size_t> a, std::span<const std::size_t> b) {
      return std::ranges::lexicographical_compare(a, b);
    };
    const auto found =
        std::ranges::equal_range(bodies, std::span<const std::size_t>(copies), is_less, order);
    return {found.begin(), found.end()};
  }

  /// Excludes each weld and its parent, which overlap at their joint. Children of the world may
  /// collide with it.
  void exclude_parents(MjcfModel& model) {
    for (const Weld& weld : welds_) {
      if (weld.parent == kWorld) continue;
      exclude_shapes(weld.shapes, welds_[weld.parent].shapes, model, model.root());
    }
  }

  void exclude_shapes(const std::vector<std::size_t>& some, const std::vector<std::size_t>& others,
                      const MjcfModel& model, const XMLElement& e) {
    if (scene_.exclude(some, others)) return;
    model.fail(e, fmt::format("makes more than {} pairs that never meet", kMostExcluded));
  }

  static bool has_parent_contacts(MjcfModel& model) {
    for (const XMLElement* option = model.root().FirstChildElement("option"); option != nullptr;
         option = option->NextSiblingElement("option")) {
      const XMLElement* flag = option->FirstChildElement("flag");
      if (flag != nullptr && attribute(*flag, "filterparent") == "disable") return true;
    }
    return false;
  }

  /// MuJoCo: two geoms collide if the contype of one shares a bit with the conaffinity of the
  /// other, in either direction. The scene's rule needs both directions. A mask with the bits of
  /// all classes that a class collides with is symmetric, so both rules agree.
  void set_masks(SceneColumns<3, double>& scene) const {
    if (classes_.size() == 1 && (classes_[0][0] & classes_[0][1]) != 0) {
      for_each_table(scene, [](auto& table) {
        table.category.clear();
        table.mask.clear();
      });
      return;
    }
    std::array<std::uint32_t, 32> masks{};
    for (std::size_t a = 0; a < classes_.size(); ++a) {
      for (std::size_t b = 0; b < classes_.size(); ++b) {
        const bool may_meet =
            (classes_[a][0] & classes_[b][1]) != 0 || (classes_[b][0] & classes_[a][1]) != 0;
        if (may_meet) masks[a] |= std::uint32_t{1} << b;
      }
    }
    for_each_table(scene, [&](auto& table) {
      for (std::size_t row = 0; row < table.mask.size(); ++row) {
        table.mask[row] = masks[static_cast<std::size_t>(std::countr_zero(table.category[row]))];
      }
    });
  }

  const std::vector<std::string>& allowed_;
  std::map<std::string, std::unique_ptr<MjcfModel>> models_;
  std::size_t text_bytes_ = 0;  ///< the size of all models' texts
  RobotScene scene_;
  std::vector<Body> bodies_;
  std::vector<Weld> welds_;
  std::vector<std::size_t> copies_;
  std::size_t copy_count_ = 0;
  int nested_ = 0;
  double copies_of_each_ = 1;  ///< the product of the counts of the <replicate> elements around
  double made_count_ = 0;      ///< bodies and shapes with all copies of those read so far
  std::vector<std::array<std::uint32_t, 2>> classes_;
};

}  // namespace

SceneFile read_mjcf(const std::string& path, const ReadOptions& options) {
  return MjcfReader(options.allow_files).read(path);
}

}  // namespace widephase::tools
