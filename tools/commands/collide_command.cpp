#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include <widephase/collide.hpp>
#include <widephase/notes.hpp>

#include "tools/commands/call_options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/kept_file.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/drop_invalid.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/scene_in_world.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/pictures/picture.hpp"

namespace widephase::tools {

namespace {

struct CollideArguments {
  std::string scene;
  std::string kept;
  std::string out;
  std::string picture;
  WorldChoice world;
  std::string to;
  std::string precision;
  int repeat = 1;
  CollideOptions options;
  bool bodies = false;
  bool drop_invalid = false;
  bool json = false;
  bool is_verbose = false;

  Format format() const { return format_to_write(out, to, {Format::npz, Format::csv}); }
  Output out_file() const { return {"--out", out}; }
  Output picture_file() const { return {"--picture", picture}; }
};

constexpr const char* kCollideFooter =
    "--method forces a way for the pairs that have it: sat, separating axes; gjk_epa, support "
    "points\n"
    "alone, which all pairs without a halfspace have. auto takes the fastest.\n"
    "\n"
    "Examples:\n"
    "  widephase collide crowd.npz -o contacts.npz\n"
    "  widephase collide crowd.npz -o contacts.csv --order world\n"
    "  widephase generate stack -o - | widephase collide - -o - --to csv > contacts.csv\n"
    "  widephase collide crowd.npz --picture frame.svg --world 800\n"
    "  widephase collide moving.npz --kept level.npz --picture both.svg\n"
    "  widephase collide motion.npz --kept shelf.npz --moving-pairs false --json\n"
    "  widephase collide pile.npz --margin 0.001 --threads 1 --repeat 5\n";

/// The seconds of each stage in the fastest run.
struct Fastest {
  double load = 0;
  double broad = std::numeric_limits<double>::infinity();
  double narrow = std::numeric_limits<double>::infinity();
  double run = std::numeric_limits<double>::infinity();
  std::array<double, kPairKindCount> kinds;

  Fastest() { kinds.fill(std::numeric_limits<double>::infinity()); }

  void add(const CollideStats& stats, bool has_pairs, double wall) {
    // A caller's own pairs need no broad phase; the bounds then count as narrow phase.
    broad = std::min(broad, has_pairs ? 0 : stats.broad_seconds);
    narrow = std::min(narrow, stats.narrow_seconds + (has_pairs ? stats.broad_seconds : 0));
    run = std::min(run, wall);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      kinds[i] = std::min(kinds[i], stats.kinds[i].seconds);
    }
  }
};

/// The contacts of a world that has some.
struct WorldContacts {
  std::int64_t contacts = 0;
  double max_depth = 0;
};

/// What is printed, for scenes of any dimension and precision.
struct Report {
  std::string scene_text;
  int dimension = 2;
  std::string precision;
  std::int64_t worlds = 0;
  std::map<std::int32_t, WorldContacts> by_world;
  std::span<const std::int64_t> frames;  ///< of the worlds; empty: unknown
  std::int64_t contacts = 0;
  std::int64_t points = 0;
  double max_depth = 0;
  std::string deepest;  ///< ": panda_hand meets shelf_top"; empty: no names, keys or frames
  std::uint64_t hash = 0;
  std::uint64_t content_hash = 0;
  std::size_t workspace_bytes = 0;
  std::size_t contact_bytes = 0;
  CollideStats stats;
  Fastest fastest;
};

/// Rounds a time for output; digits beyond nanoseconds are noise.
double rounded(double value, double parts) { return std::round(value * parts) / parts; }

void print_json(const Report& report) {
  const auto seconds = [](double value) { return rounded(value, 1e9); };
  nlohmann::ordered_json json;
  json["shapes"] = report.stats.shapes;
  json["worlds"] = report.worlds;
  json["worlds_in_contact"] = report.by_world.size();
  json["pairs"] = report.stats.pairs;
  json["contacts"] = report.contacts;
  json["points"] = report.points;
  json["max_depth"] = report.max_depth;
  json["hash"] = fmt::format("{:016x}", report.hash);
  json["content_hash"] = fmt::format("{:016x}", report.content_hash);
  json["isa"] = isa_name(report.stats.isa);
  json["threads"] = report.stats.threads;
  json["precision"] = report.precision;
  json["seconds"] = {{"load", seconds(report.fastest.load)},
                     {"broad", seconds(report.fastest.broad)},
                     {"narrow", seconds(report.fastest.narrow)},
                     {"total", seconds(report.fastest.load + report.fastest.run)}};
  json["bytes"] = {{"workspace", report.workspace_bytes}, {"contacts", report.contact_bytes}};
  json["kinds"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < report.stats.kinds.size(); ++i) {
    const CollideStats::KindStats& kind = report.stats.kinds[i];
    if (kind.pairs == 0) continue;
    json["kinds"][pair_kind_name(static_cast<int>(i), report.dimension)] = {
        {"pairs", kind.pairs},
        {"contacts", kind.contacts},
        {"seconds", seconds(report.fastest.kinds[i])},
        {"lanes", rounded(kind.lanes, 1e4)}};
  }
  json["by_world"] = nlohmann::ordered_json::array();
  for (const auto& [world, found] : report.by_world) {
    nlohmann::ordered_json row;
    row["world"] = world;
    const auto index = static_cast<std::size_t>(world);
    if (index < report.frames.size()) row["frame"] = report.frames[index];
    row["contacts"] = found.contacts;
    row["max_depth"] = found.max_depth;
    json["by_world"].push_back(std::move(row));
  }
  fmt::print("{}\n", json.dump(2));
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string row_text(std::string_view name, const std::string& value) {
  return fmt::format("  {:<10} {}\n", name, value);
}

/// What was found, and the time.
std::string counts_text(const Report& report) {
  const Fastest& fastest = report.fastest;
  std::string contacts = grouped(report.contacts);
  if (report.worlds > 1) {
    contacts +=
        fmt::format(", in {} of {}", grouped(static_cast<std::int64_t>(report.by_world.size())),
                    counted(report.worlds, "world"));
  }
  return report.scene_text + "\n\n" + row_text("pairs", grouped(report.stats.pairs)) +
         row_text("contacts", contacts) + row_text("points", grouped(report.points)) +
         row_text("max depth", fmt::format("{}{}", report.max_depth, report.deepest)) +
         row_text("time", fmt::format("{} to collide, {} to load", time_text(fastest.run),
                                      time_text(fastest.load)));
}

/// How the answer was found: for --verbose.
std::string details_text(const Report& report) {
  const CollideStats& stats = report.stats;
  const Fastest& fastest = report.fastest;
  const double shapes = static_cast<double>(std::max<std::int64_t>(stats.shapes, 1));
  std::string text =
      row_text("stages",
               fmt::format("broad {}, narrow {}; {:.0f} ns per shape", time_text(fastest.broad),
                           time_text(fastest.narrow), fastest.run * 1e9 / shapes)) +
      row_text("hash", fmt::format("{:016x}", report.hash)) +
      row_text("ran on", fmt::format("{} in {}, {}", isa_name(stats.isa), report.precision,
                                     counted(stats.threads, "thread")));
  if (stats.pairs > 0) {
    text += fmt::format("\n  {:<22} {:>13} {:>13} {:>11} {:>8} {:>6}\n", "kind", "pairs",
                        "contacts", "time", "ns/pair", "lanes");
  }
  for (std::size_t i = 0; i < stats.kinds.size(); ++i) {
    const CollideStats::KindStats& kind = stats.kinds[i];
    if (kind.pairs == 0) continue;
    text += fmt::format("  {:<22} {:>13} {:>13} {:>11} {:>8.1f} {:>5.0f}%\n",
                        pair_kind_name(static_cast<int>(i), report.dimension), grouped(kind.pairs),
                        grouped(kind.contacts), time_text(fastest.kinds[i]),
                        fastest.kinds[i] * 1e9 / static_cast<double>(kind.pairs), kind.lanes * 100);
  }
  return text;
}

/// The shortest decimal that reads back as the number: 0.3f becomes 0.3, not 0.300000012.
template <class T>
double shortest(T value) {
  return std::stod(fmt::format("{}", value));
}

/// ": panda_hand meets shelf_top in frame 2730 (world 12)".
std::string pair_text(const Pair& pair, const ShapesById& shapes) {
  const std::int32_t world = std::max(shapes[pair.a].world, shapes[pair.b].world);
  std::string text =
      fmt::format(": {} meets {}", printable(shapes.word(pair.a)), printable(shapes.word(pair.b)));
  if (world < 0) return text;
  const auto frames = shapes.moving.frames;
  const auto index = static_cast<std::size_t>(world);
  std::optional<std::int64_t> frame;
  if (index < frames.size()) frame = frames[index];
  return text + " in " + world_text(world, frame);
}

template <int D, class T>
class CollideRun {
 public:
  CollideRun(const CollideArguments& arguments, const SceneFile& file, const Stopwatch& watch)
      : arguments_(arguments) {
    if (!arguments.out.empty()) out_.emplace(arguments.out);
    if (!arguments.picture.empty()) picture_.emplace(arguments.picture);
    file.to_columns(scene_, arguments.drop_invalid ? &refused_ : nullptr);
    pairs_ = file.pairs();
    report_.fastest.load = watch.seconds();
    report_.dimension = D;
    report_.precision = is_mixed<T> ? "mixed" : std::is_same_v<T, float> ? "float" : "double";
  }

  Report run(const SceneFile& file, Progress& progress) {
    if (arguments_.drop_invalid) leave_out_invalid(progress);
    if (!arguments_.kept.empty()) {
      kept_.read(arguments_.kept, file, scene_, workspace_, arguments_.options, progress);
      if (!picture_) kept_.columns = {};
    }
    progress.stage("colliding " + shapes_text(file));
    collide_all(file, progress);
    if (picture_) {
      progress.stage("drawing " + arguments_.picture);
      draw(file);
    }
    for (Pair& pair : std::span<Pair>(contacts_.pair.plane(), contacts_.size())) {
      if (dropped_.original_id.empty()) break;
      pair = {original_id(pair.a, file), original_id(pair.b, file)};
    }
    ShapesById shapes{rows_of(file), {}};
    if (kept_.file()) shapes.kept = rows_of(*kept_.file());
    fill_report(file, shapes);
    if (out_) {
      progress.stage("writing " + arguments_.out);
      const ContactSides sides = sides_of(contacts_.pair, shapes);
      if (arguments_.format() == Format::csv) {
        write_contacts_csv(contacts_, *out_, &sides);
      } else {
        write_contacts_npz(contacts_, *out_, &sides);
      }
    }
    // Both files are complete now: either both appear or neither.
    if (out_) out_->commit();
    if (picture_) picture_->commit();
    return report_;
  }

 private:
  /// What is left of the file's shapes has other ids; kept shapes follow all of the file's.
  std::int32_t original_id(std::int32_t id, const SceneFile& file) const {
    const auto left = static_cast<std::int32_t>(dropped_.original_id.size());
    if (id < left) return dropped_.original_id[static_cast<std::size_t>(id)];
    return id - left + static_cast<std::int32_t>(file.shape_count());
  }

  void leave_out_invalid(Progress& progress) {
    dropped_ = widephase::tools::drop_invalid(scene_, refused_, pairs_, arguments_.options.margin);
    if (dropped_.messages.empty()) return;
    progress.finish();
    for (const std::string& message : dropped_.messages) {
      print_error(fmt::format("{}: {}", arguments_.scene, printable(message)));
    }
  }

  void collide_all(const SceneFile& file, Progress& progress) {
    const CollideOptions& options = arguments_.options;
    const SceneSpan<D, T> span(scene_);
    report_.worlds = world_count(span);
    world_ = chosen_world(file, report_.worlds, arguments_.world);
    for (const Finding& note : notes_of<D, T>(span)) {
      progress.finish();
      print_error(fmt::format("{}: warning: {}", arguments_.scene, said(note)));
    }
    for (int i = 0; i < arguments_.repeat; ++i) {
      const Stopwatch watch;
      if (pairs_) {
        collide_pairs<D, T>(span, *pairs_, contacts_, workspace_, options);
      } else {
        collide<D, T>(span, contacts_, workspace_, options);
      }
      report_.fastest.add(workspace_.stats(), pairs_.has_value(), watch.seconds());
    }
    report_.stats = workspace_.stats();
  }

  void draw(const SceneFile& file) {
    PictureOptions options;
    options.world = world_;
    options.title = name_of(arguments_.scene);
    const std::size_t world = world_ ? static_cast<std::size_t>(*world_) : 0;
    if (world_ && world < file.frames().size()) options.frame = file.frames()[world];
    const auto in_world = [](const SceneColumns<D, T>& scene) {
      return scene.bodies.empty() ? scene : scene_in_world(scene);
    };
    if (scene_.kept == nullptr) {
      picture_->write(picture_of(in_world(scene_), contacts_, options));
      return;
    }
    // The level has the point sets of both.
    SceneColumns<D, T> moving = in_world(scene_);
    moving.for_each_geometry_column([](auto, auto, auto& to, const auto& from) { to = from; },
                                    moving, kept_.columns);
    const SceneColumns<D, T> kept = in_world(kept_.columns);
    picture_->write(picture_of(moving, contacts_, options, &kept));
  }

  void count_by_world(const ShapesById& shapes) {
    if (report_.worlds < 2 && !arguments_.json) return;
    std::map<std::int32_t, SizeOf<T>> deepest;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const std::int32_t world =
          std::max(shapes[contacts_.pair[i].a].world, shapes[contacts_.pair[i].b].world);
      if (world < 0) continue;
      ++report_.by_world[world].contacts;
      SizeOf<T>& depth = deepest.try_emplace(world, contacts_.depth[i]).first->second;
      depth = std::max(depth, contacts_.depth[i]);
    }
    for (const auto& [world, depth] : deepest) report_.by_world[world].max_depth = shortest(depth);
  }

  void fill_report(const SceneFile& file, const ShapesById& shapes) {
    report_.contacts = static_cast<std::int64_t>(contacts_.size());
    report_.frames = file.frames();
    count_by_world(shapes);
    report_.points = static_cast<std::int64_t>(contacts_.point_count());
    if (contacts_.size() > 0) {
      const auto deepest = std::max_element(contacts_.depth.begin(), contacts_.depth.end());
      report_.max_depth = shortest(*deepest);
      const auto contact = static_cast<std::size_t>(deepest - contacts_.depth.begin());
      if (shapes.has_names() || shapes.has_keys() || !file.frames().empty()) {
        report_.deepest = pair_text(contacts_.pair[contact], shapes);
      }
    }
    report_.hash = hash(contacts_);
    if (arguments_.json) report_.content_hash = content_hash(contacts_);
    report_.workspace_bytes = workspace_.bytes();
    report_.contact_bytes = contacts_.bytes();
    report_.scene_text = fmt::format("{}: {} in {} ({}D)", arguments_.scene, shapes_text(file),
                                     counted(report_.worlds, "world"), D);
    if (kept_.file()) {
      report_.scene_text +=
          fmt::format(", with {} of {} kept", shapes_text(*kept_.file()), arguments_.kept);
    }
    if (dropped_.count > 0) {
      report_.scene_text += fmt::format(
          ", {} left out", counted(static_cast<std::int64_t>(dropped_.count), "invalid shape"));
    }
  }

  const CollideArguments& arguments_;
  std::optional<OutputFile> out_;
  std::optional<OutputFile> picture_;
  std::optional<std::int32_t> world_;  ///< what the picture shows; none: all
  SceneColumns<D, T> scene_;
  KeptFile<D, T> kept_;           ///< with its columns while a picture shows them
  std::vector<Finding> refused_;  ///< the geometries that loading left empty, each with its reason
  std::optional<std::vector<Pair>> pairs_;
  DroppedShapes dropped_;
  ContactBuffer<D, T> contacts_;
  Workspace<D, T> workspace_;
  Report report_;
};

Report collide_file(const CollideArguments& arguments, const SceneFile& file,
                    const Stopwatch& watch, Progress& progress) {
  const Precision precision = precision_of(arguments.precision, file);
  return in_numbers(file.dimension(), precision, [&]<int D, class T>() {
    return CollideRun<D, T>(arguments, file, watch).run(file, progress);
  });
}

void check_outputs(const CollideArguments& arguments) {
  const std::string& out = arguments.out;
  check_streams({arguments.out_file(), arguments.picture_file()}, arguments.json);
  check_ending("--picture", arguments.picture, {".svg"});
  if (out.empty() && !arguments.to.empty()) {
    throw UsageError("--to says the format of the contacts; add --out FILE");
  }
  for (const std::string& written : {out, arguments.picture}) {
    for (const std::string& scene : {arguments.scene, arguments.kept}) {
      if (is_same_file(scene, written)) {
        throw UsageError(
            fmt::format("{} is the scene itself; name another file to write", written));
      }
    }
  }
  if (arguments.bodies && out.empty()) {
    throw UsageError("--bodies is for files of contacts, which always have bodies; add --out FILE");
  }
  check_moving_pairs(arguments.options, arguments.kept);
  if ((arguments.world.world || arguments.world.frame) && arguments.picture.empty()) {
    throw UsageError(fmt::format("{} chooses what --picture shows; add --picture FILE.svg",
                                 arguments.world.world ? "--world" : "--frame"));
  }
}

void run_collide(const CollideArguments& arguments) {
  check_outputs(arguments);
  chosen_isa(arguments.options.isa);  // reports a set that cannot run before any work
  const Stopwatch watch;
  Progress progress("loading " + arguments.scene);
  const SceneFile file = read_complete_scene(arguments.scene);
  try {
    const Report report = collide_file(arguments, file, watch, progress);
    progress.finish();
    if (arguments.json) return print_json(report);
    const auto files = {arguments.out_file(), arguments.picture_file()};
    print_text(counts_text(report) + (arguments.is_verbose ? details_text(report) : "") +
                   wrote_text(files),
               files);
  } catch (const CapacityError& error) {
    const AnswerCounts& needed = error.needed();
    throw FileError(
        arguments.scene,
        needed.contacts < 0
            ? fmt::format("has {}{} {}; --max-pairs allows {}", needed.exact ? "" : "at least ",
                          needed.pairs, needed.pairs == 1 ? "pair" : "pairs",
                          arguments.options.max_pairs)
            : fmt::format("has {} {}; --max-contacts allows {}", needed.contacts,
                          needed.contacts == 1 ? "contact" : "contacts",
                          arguments.options.max_contacts));
  } catch (const Error& error) {
    throw FileError(arguments.scene, said_of(error, file));
  }
}

}  // namespace

std::function<void()> add_collide(CLI::App& app) {
  auto arguments = std::make_shared<CollideArguments>();
  CLI::App* command = add_command(app, "collide", "Find all contacts of a scene");
  command->add_option("SCENE", arguments->scene, "A scene: .npz, .json or .csv")
      ->required()
      ->transform(input_file());
  command
      ->add_option(
          "--kept", arguments->kept,
          "A scene that does not move: SCENE collides with it and with itself. Its ids and "
          "owners follow those of SCENE")
      ->type_name("FILE")
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "Write the contacts: .npz or .csv")
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--to", arguments->to,
                   "Format of the contacts, if not by the ending: npz, csv (default for -: npz)")
      ->type_name("FORMAT")
      ->transform(one_of({"npz", "csv"}));
  command
      ->add_option("--picture", arguments->picture,
                   "Write an SVG: shapes coloured by their contacts")
      ->type_name("FILE")
      ->transform(output_file());
  add_world_options(*command, arguments->world,
                    "Which world the picture shows (default: all); all are collided",
                    "The same by the number of its frame in a trajectory or dump");
  add_call_options(*command, {Call::collide, Call::collide_static}, arguments->options);
  add_precision(*command, arguments->precision);
  command
      ->add_option("--repeat", arguments->repeat,
                   "Run so often and report the fastest of each stage (default: 1)")
      ->type_name("N")
      ->transform(whole_number(1, 1000000));
  command->add_flag("--bodies", arguments->bodies,
                    "For older scripts: files of contacts always have the bodies of both shapes");
  command->add_flag("--drop-invalid", arguments->drop_invalid,
                    "Leave invalid shapes out, and those whose point set has no hull, and list "
                    "them on standard error");
  command->add_flag("-v,--verbose", arguments->is_verbose,
                    "Print how the contacts were found too: stages, hash, kinds of pairs, lanes");
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(kCollideFooter);
  return [arguments] { run_collide(*arguments); };
}

}  // namespace widephase::tools
