#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include <widephase/notes.hpp>
#include <widephase/worlds.hpp>

#include "tools/commands/call_options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/kept_file.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

struct DistanceArguments {
  std::string scene;
  std::string kept;
  std::string out;
  std::string precision;
  CollideOptions options;
  bool json = false;

  Output out_file() const { return {"--out", out}; }
};

/// The nearest pair of a world, for scenes of any dimension and precision.
struct NearestPair {
  std::int32_t world = 0;
  std::optional<std::int64_t> frame;
  std::string distance;  ///< a decimal that reads back as the same number
  std::string a, b;      ///< "panda_hand", "kept box 3"

  /// "frame 2730 (world 12): panda_hand and shelf_top, 0.41334".
  std::string text() const {
    return fmt::format("{}: {} and {}, {}\n", world_text(world, frame), printable(a), printable(b),
                       distance);
  }
};

struct Nearest {
  std::int64_t worlds = 0;
  std::vector<NearestPair> pairs;  ///< of the worlds that have one
};

/// A line per world that has a pair.
template <int D, class T>
void write_csv(const WorldDistanceBuffer<D, T>& found, const std::vector<std::size_t>& worlds,
               const ContactSides& sides, OutputFile& file) {
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  const auto axes = [&](std::string_view name) {
    for (int axis = 0; axis < D; ++axis) fmt::format_to(end, ",{}{}", name, "xyz"[axis]);
  };
  fmt::format_to(end, "distance,a,b");
  axes("n");
  axes("a");
  axes("b");
  fmt::format_to(end, ",feature{}\n", csv_sides_header(sides));
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const std::size_t world = worlds[i];
    fmt::format_to(end, "{},{},{}", found.distance[world], found.pair[world].a,
                   found.pair[world].b);
    const auto numbers = [&](const auto& column) {
      for (int axis = 0; axis < D; ++axis) fmt::format_to(end, ",{}", column(world, axis));
    };
    numbers(found.normal);
    numbers(found.point_a);
    numbers(found.point_b);
    fmt::format_to(end, ",{}{}\n", found.feature[world], csv_sides(sides, i, D));
  }
  file.write({text.data(), text.size()});
}

template <int D, class T>
Nearest nearest_of(const DistanceArguments& arguments, const SceneFile& file, Progress& progress) {
  std::optional<OutputFile> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  SceneColumns<D, T> scene;
  file.to_columns(scene);
  KeptFile<D, T> kept;
  Workspace<D, T> workspace;
  if (!arguments.kept.empty()) {
    kept.read(arguments.kept, file, scene, workspace, arguments.options, progress);
    kept.columns = {};
  }
  const SceneSpan<D, T> span(scene);
  for (const Finding& note : notes_of<D, T>(span)) {
    progress.finish();
    print_error(fmt::format("{}: warning: {}", arguments.scene, said(note)));
  }
  progress.stage("measuring " + arguments.scene);
  WorldDistanceBuffer<D, T> found;
  min_distance<D, T>(span, found, workspace, arguments.options);

  std::vector<std::size_t> worlds;
  Column<Pair> pairs;
  for (std::size_t world = 0; world < found.pair.size(); ++world) {
    if (found.pair[world].a < 0) continue;
    worlds.push_back(world);
    pairs.push_back({found.pair[world]});
  }
  ShapesById shapes{rows_of(file), {}};
  if (kept.file()) shapes.kept = rows_of(*kept.file());
  ContactSides sides = sides_of(pairs, shapes);
  Nearest nearest;
  nearest.worlds = static_cast<std::int64_t>(found.pair.size());
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    NearestPair& row = nearest.pairs.emplace_back();
    row.world = static_cast<std::int32_t>(worlds[i]);
    if (sides.has_frame) row.frame = sides.frame[i];
    row.distance = fmt::format("{}", found.distance[worlds[i]]);
    row.a = word_of(sides, i, 0, D);
    row.b = word_of(sides, i, 1, D);
  }
  if (out) {
    progress.stage("writing " + arguments.out);
    write_csv(found, worlds, sides, *out);
    out->commit();
  }
  return nearest;
}

void print_json(const Nearest& nearest) {
  nlohmann::ordered_json json;
  json["worlds"] = nearest.worlds;
  json["nearest"] = nlohmann::ordered_json::array();
  for (const NearestPair& pair : nearest.pairs) {
    nlohmann::ordered_json row;
    row["world"] = pair.world;
    if (pair.frame) row["frame"] = *pair.frame;
    row["distance"] = std::stod(pair.distance);
    row["a"] = pair.a;
    row["b"] = pair.b;
    json["nearest"].push_back(std::move(row));
  }
  fmt::print("{}\n", json.dump(2));
}

void check(const DistanceArguments& arguments) {
  check_streams({arguments.out_file()}, arguments.json);
  check_ending("--out", arguments.out, {".csv"});
  for (const std::string& scene : {arguments.scene, arguments.kept}) {
    if (!is_same_file(scene, arguments.out)) continue;
    throw UsageError(
        fmt::format("{} is the scene itself; name another file to write", arguments.out));
  }
  check_moving_pairs(arguments.options, arguments.kept);
}

void run_distance(const DistanceArguments& arguments) {
  check(arguments);
  chosen_isa(arguments.options.isa);
  Progress progress("loading " + arguments.scene);
  const SceneFile file = read_complete_scene(arguments.scene);
  if (file.pairs()) {
    throw FileError(
        arguments.scene,
        "has pairs of its own, and distance asks about all; leave the array `pairs` out");
  }
  try {
    const Nearest nearest =
        in_numbers(file.dimension(), precision_of(arguments.precision, file),
                   [&]<int D, class T>() { return nearest_of<D, T>(arguments, file, progress); });
    progress.finish();
    if (arguments.json) return print_json(nearest);
    std::string text;
    for (const NearestPair& pair : nearest.pairs) text += pair.text();
    const auto without = nearest.worlds - static_cast<std::int64_t>(nearest.pairs.size());
    if (without > 0) text += fmt::format("no pair in {}\n", counted(without, "world"));
    print_text(text + wrote_text({arguments.out_file()}), {arguments.out_file()});
  } catch (const Error& error) {
    throw FileError(arguments.scene, said_of(error, file));
  }
}

}  // namespace

std::function<void()> add_distance(CLI::App& app) {
  auto arguments = std::make_shared<DistanceArguments>();
  CLI::App* command =
      add_command(app, "distance", "Find the nearest pair of each world, and how far apart it is");
  command->add_option("SCENE", arguments->scene, "A scene: .npz, .json or .csv")
      ->required()
      ->transform(input_file());
  command->add_option("--kept", arguments->kept, "A scene that does not move, as for collide")
      ->type_name("FILE")
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "Write a line per world: .csv")
      ->type_name("FILE")
      ->transform(output_file());
  add_call_options(*command, {Call::min_distance}, arguments->options);
  add_precision(*command, arguments->precision);
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(
      "Prints the nearest pair of each world and its distance; below 0 it overlaps by as much.\n"
      "Filters count as for collide (owners, bodies, excluded pairs), margins do not. Links of a\n"
      "robot count among each other too, unless --kept FILE and --moving-pairs false leave them "
      "out.\n"
      "\n"
      "Examples:\n"
      "  widephase distance motion.npz --kept shelf.npz --moving-pairs false\n"
      "  widephase distance both.npz -o clearances.csv\n");
  return [arguments] { run_distance(*arguments); };
}

}  // namespace widephase::tools
