// MJCF (MuJoCo's XML): the geoms of bodies, in the initial configuration, that of a keyframe or
// many, and which of them may collide. docs/conventions.md lists what is read and what is refused.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include <widephase/bodies.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/robots/mjcf_filters.hpp"
#include "tools/robots/mjcf_geoms.hpp"
#include "tools/robots/mjcf_joints.hpp"
#include "tools/robots/mjcf_model.hpp"
#include "tools/robots/mjcf_pairs.hpp"
#include "tools/robots/read_robot.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kWorld = 0;    ///< the index of the world body
constexpr int kMostAttached = 32;      ///< models attached within models
constexpr int kMostElements = 1000;  ///< nesting of elements, including those of attached models
constexpr std::size_t kMostCopies = 1'000'000;

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
  Frame3 in_weld;
  std::vector<std::size_t> shapes;
};

class MjcfReader {
 public:
  MjcfReader(const ReadOptions& options, std::vector<std::string>& notes)
      : options_(options), notes_(notes), geoms_(options, scene_) {}

  SceneFile read(const std::string& path) {
    SceneColumns<3, double> scene = read_scene(path);
    RobotNames names = scene_.names();
    scene = in_configurations(*models_.at(path), std::move(scene), names);
    return scene_file_of(path, std::move(scene), names);
  }

  RobotFile robot(const std::string& path) {
    RobotFile file;
    file.columns.shapes = read_scene(path);
    share_fixed(file.columns.shapes);
    add_robot(welds_, file.columns);
    for (std::size_t body = 1; body < bodies_.size(); ++body) {
      RobotLinks& links = file.columns.links;
      links.name.push_back(bodies_[body].label);
      links.body.push_back(welds_[bodies_[body].weld].body);
      links.position.push_back(bodies_[body].in_weld.position);
      links.turn.push_back(bodies_[body].in_weld.orientation);
    }
    std::vector<JointValue> values = joint_values_of(welds_);
    if (key_ != nullptr) start_at(*models_.at(path), *key_, values);
    for (const JointValue& value : values) file.columns.start.push_back(value.start);
    file.names = scene_.names();
    return file;
  }

 private:
  /// The scene in the initial configuration.
  SceneColumns<3, double> read_scene(const std::string& path) {
    Body& world = bodies_.emplace_back();
    world.name = world.label = "world";
    welds_.emplace_back().is_fixed = true;
    MjcfModel& model = add_model(path, read_text(path, kMostTreeBytes));
    if (!options_.keyframe.empty()) key_ = &find_keyframe(model, options_.keyframe);
    for (XMLElement* e = model.root().FirstChildElement("worldbody"); e != nullptr;
         e = e->NextSiblingElement("worldbody")) {
      read_contents(model, *e, {});
    }
    exclude_bodies(model, "", kWorld);
    if (!has_parent_contacts(model)) exclude_parents(model);
    scene_.allow(pairs_.apply(model, welds_, filters_, notes_));
    geoms_.write_notes(path, notes_);
    SceneColumns<3, double> scene = scene_.take();
    if (!filters_.write(scene)) {
      throw FileError(path,
                      "has geoms of more than 32 different contype, conaffinity and partners "
                      "in <pair>; category and mask have 32 bits");
    }
    return scene;
  }

  MjcfModel& add_model(const std::string& path, const std::string& text) {
    text_bytes_ += text.size();
    const auto read_included = [&](const std::string& included) {
      std::string inner =
          read_named_text(included, path, options_.allow_files, kMostTreeBytes - text_bytes_);
      text_bytes_ += inner.size();
      return inner;
    };
    auto& model = models_[path];
    model = std::make_unique<MjcfModel>(path, text, read_included);
    check_sections(*model);
    return *model;
  }

  /// The scene in the configurations that are asked for, each a world, and with it the names.
  SceneColumns<3, double> in_configurations(MjcfModel& model, SceneColumns<3, double> scene,
                                            RobotNames& names) {
    std::vector<JointValue> values = joint_values_of(welds_);
    if (key_ != nullptr) start_at(model, *key_, values);
    if (key_ == nullptr && options_.joints.empty()) return scene;
    const auto configurations =
        read_joint_values(options_.joints, values, options_.ignore_columns, notes_);
    const std::size_t count = configurations.size();
    const std::size_t each =
        std::max({std::size_t{1}, scene_.shape_count(), welds_.size(), scene.excluded.size()});
    if (count > kMostRobotShapes / each) {
      throw FileError(options_.joints,
                      fmt::format("has {} configurations of a model of {} shapes, {} bodies and {} "
                                  "excluded pairs; expected at most {} of each in all",
                                  count, scene_.shape_count(), welds_.size() - 1,
                                  scene.excluded.size(), kMostRobotShapes));
    }
    SceneColumns<3, double> worlds;
    if (count > 1) {
      share_fixed(scene);
      names.repeat(scene, count);
      replicate(scene, static_cast<std::int32_t>(count), worlds);
    }
    SceneColumns<3, double>& posed = count > 1 ? worlds : scene;
    const std::size_t bodies = posed.bodies.position.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<Frame3> frames = frames_of(welds_, configurations[i], model.path());
      for (std::size_t w = 0; w < welds_.size(); ++w) {
        if (welds_[w].body < 0) continue;
        const std::size_t row = i * bodies + static_cast<std::size_t>(welds_[w].body);
        posed.bodies.position.set(row, frames[w].position);
        posed.bodies.turn.set(row, frames[w].orientation);
      }
    }
    return std::move(posed);
  }

  /// What does not move is in all worlds once.
  static void share_fixed(SceneColumns<3, double>& scene) {
    for_each_table(scene, [](auto& table) {
      for (std::size_t row = 0; row < table.body.size(); ++row) {
        table.world.push_back({table.body[row] < 0 ? -1 : 0});
      }
    });
  }

  /// The model in a file that another model names. All texts together have the limit of one text.
  MjcfModel& model_of(const std::string& path, const MjcfModel& naming) {
    const auto known = models_.find(path);
    if (known != models_.end()) return *known->second;
    return add_model(path, read_named_text(path, naming.path(), options_.allow_files,
                                           kMostTreeBytes - text_bytes_));
  }

  void check_sections(MjcfModel& model) {
    for (const XMLElement* e = model.root().FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (!is_one_of(e->Name(), {"compiler", "option", "size", "visual", "statistic", "asset",
                                 "default", "worldbody", "contact", "equality", "tendon",
                                 "actuator", "sensor", "keyframe", "custom", "extension"})) {
        model.fail(*e, fmt::format("has <{}>, which is not read", e->Name()));
      }
      if (std::string_view(e->Name()) == "option") check_option(model, *e);
      if (std::string_view(e->Name()) == "contact") pairs_.read(model, *e);
    }
  }

  /// Options that let other pairs collide than the geoms' own numbers do.
  void check_option(const MjcfModel& model, const XMLElement& option) {
    const std::string_view collision = attribute(option, "collision");
    if (!collision.empty() && collision != "all") {
      model.fail(option, fmt::format("has the collision {} in <option>, which is not read; "
                                     "expected all",
                                     in_quotes(collision)));
    }
    for (const XMLElement* flag = option.FirstChildElement("flag"); flag != nullptr;
         flag = flag->NextSiblingElement("flag")) {
      if (attribute(*flag, "contact") != "disable" || models_.size() > 1) continue;
      filters_.disable();
      notes_.push_back(error_at(model.path(), *flag,
                                "has contact=\"disable\" in <flag>, so no shapes meet; leave it "
                                "out to let them")
                           .what());
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
      } else if (is_one_of(kind, {"joint", "freejoint"})) {
        read_joint(model, *e, around);
      } else if (!is_one_of(kind, {"inertial", "site", "camera", "light", "plugin"})) {
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
    const bool is_mocap = attribute(e, "mocap") == "true" && !has_joint(e);
    if (is_mocap && key_ != nullptr && around.depth == 0) {
      inner.frame = mocap_frame(model, *key_, mocap_count_++, inner.frame);
    }
    if (is_mocap || has_joint(e)) {
      MjcfWeld weld;
      weld.parent = body.weld;
      weld.is_fixed = is_mocap;
      weld.in_parent = inner.frame;
      weld.frame = product(welds_[body.weld].frame, inner.frame);
      weld.name = body.label;
      weld.body = scene_.add_body(weld.frame, body.label);
      body.weld = welds_.size();
      welds_.push_back(std::move(weld));
      inner.frame = {};
    }
    body.in_weld = inner.frame;
    count_made(model, e);
    bodies_.push_back(std::move(body));
    read_contents(model, e, inner);
  }

  void read_joint(const MjcfModel& model, XMLElement& e, const Surroundings& around) {
    if (around.body == kWorld) {
      model.fail(e, fmt::format("has {} outside of a body", element_text(e)));
    }
    if (std::string_view(e.Name()) == "joint") model.inherit(e, around.child_class);
    MjcfJoint joint = read_mjcf_joint(model, e, around.frame);
    if (!joint.name.empty()) joint.name = label_of(e, around);
    welds_[bodies_[around.body].weld].joints.push_back(std::move(joint));
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
      inner.suffix = copy_suffix(e, copy, count) + around.suffix;
      const std::string_view child_class = attribute(e, "childclass");
      if (!child_class.empty()) inner.child_class = child_class;
      copies_.push_back(copy);
      read_contents(model, e, inner);
      copies_.pop_back();
      place.position = sum(place.position, turned(place.orientation, offset));
    }
    copies_of_each_ = around_count;
  }

  /// MuJoCo's suffix of the names in a copy: the separator and as many digits as the count has.
  static std::string copy_suffix(const XMLElement& replicate, std::size_t copy, std::size_t count) {
    return fmt::format("{}{:0{}}", attribute(replicate, "sep"), copy,
                       fmt::formatted_size("{}", count));
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
    if (around.depth >= kMostAttached) model.fail(e, "attaches a model within itself");
    count_copies(model, e, 1);
    MjcfModel& other = model_of(path_of_asset(model, e), model);
    Surroundings inner = around;
    inner.prefix += attribute(e, "prefix");
    inner.child_class.clear();  // the other file has its own classes
    inner.depth += 1;
    const std::size_t first = bodies_.size();
    const bool is_frame = e.Attribute("frame") != nullptr;
    const std::string_view kind = is_frame ? "frame" : "body";
    const std::string_view wanted = attribute(e, kind.data());
    bool is_found = wanted.empty();
    for (XMLElement* w = other.root().FirstChildElement("worldbody"); w != nullptr;
         w = w->NextSiblingElement("worldbody")) {
      if (wanted.empty()) {
        read_contents(other, *w, inner);
      } else if (Found found = find(*w, kind, wanted, ""); found.element != nullptr) {
        inner.child_class = found.child_class;
        if (is_frame) {
          read_contents(other, *found.element, within(other, *found.element, inner));
        } else {
          read_body(other, *found.element, inner);
        }
        is_found = true;
      }
    }
    if (!is_found) {
      model.fail(e, fmt::format("attaches the {} {}, which {} does not have", kind,
                                in_quotes(wanted), other.path()));
    }
    exclude_bodies(other, inner.prefix, first);
    pairs_.add_attached(other, inner.prefix);
  }

  struct Found {
    XMLElement* element = nullptr;
    std::string child_class;
  };
  /// A <body> or <frame> of this name.
  static Found find(XMLElement& parent, std::string_view kind, std::string_view name,
                    std::string child_class) {
    const std::string_view own = attribute(parent, "childclass");
    if (!own.empty()) child_class = own;
    for (XMLElement* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (!is_one_of(e->Name(), {"body", "frame", "replicate"})) continue;
      if (std::string_view(e->Name()) == kind && attribute(*e, "name") == name) {
        return {e, child_class};
      }
      if (Found found = find(*e, kind, name, child_class); found.element != nullptr) return found;
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
        const std::string path =
            path_beside(model.path(), required_attribute(model.path(), *e, "file"));
        if (given.empty() && attribute(model_of(path, model).root(), "model") != name) continue;
        return path;
      }
    }
    model.fail(attach, fmt::format("attaches the model {}, which is not a <model> of <asset>",
                                   in_quotes(name)));
  }

  void read_geom(MjcfModel& model, XMLElement& e, const Surroundings& around) {
    model.inherit(e, around.child_class);
    const ContactBits contact{read_bits(model, e, "contype"), read_bits(model, e, "conaffinity")};
    const std::string name(attribute(e, "name"));
    const bool is_paired = pairs_.names(model, name);
    // Without bits and partners it is only visible.
    if (contact[0] == 0 && contact[1] == 0 && !is_paired) return;
    count_made(model, e);
    Body& body = bodies_[around.body];
    MjcfWeld& weld = welds_[body.weld];
    ShapeTags tags;
    tags.body = weld.body;
    tags.owner = static_cast<std::int32_t>(around.body) - 1;
    tags.fixed = weld.is_fixed ? 1 : 0;
    tags.category = is_paired ? filters_.add_paired(contact) : group_of(model, e, contact);
    tags.name = label_of(e, around);
    if (tags.name.empty()) tags.name = body.label;
    const std::size_t shape = geoms_.add_shape(model, e, around.frame, tags);
    if (is_paired) {
      pairs_.add(around.prefix + name, {shape, tags.category, body.weld, copies_});
    }
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

  std::uint32_t group_of(const MjcfModel& model, const XMLElement& e, const ContactBits& contact) {
    std::uint32_t group = 0;
    if (filters_.group_of(contact, group)) return group;
    model.fail(e,
               "has geoms of more than 32 different contype and conaffinity; category and mask "
               "have 32 bits");
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
    for (const MjcfWeld& weld : welds_) {
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

  const ReadOptions& options_;
  std::vector<std::string>& notes_;
  std::map<std::string, std::unique_ptr<MjcfModel>> models_;
  std::size_t text_bytes_ = 0;  ///< the size of all models' texts
  RobotScene scene_;
  MjcfGeoms geoms_;
  std::vector<Body> bodies_;
  std::vector<MjcfWeld> welds_;
  std::vector<std::size_t> copies_;
  std::size_t copy_count_ = 0;
  int nested_ = 0;
  double copies_of_each_ = 1;  ///< the product of the counts of the <replicate> elements around
  double made_count_ = 0;      ///< bodies and shapes with all copies of those read so far
  MjcfFilters filters_;
  MjcfPairs pairs_;
  const XMLElement* key_ = nullptr;  ///< the keyframe; null: none
  std::size_t mocap_count_ = 0;
};

}  // namespace

RobotFile read_mjcf_robot(const std::string& path, const ReadOptions& options,
                          std::vector<std::string>& notes) {
  return MjcfReader(options, notes).robot(path);
}

SceneFile read_mjcf(const std::string& path, const ReadOptions& options,
                    std::vector<std::string>& notes) {
  return MjcfReader(options, notes).read(path);
}

}  // namespace widephase::tools
