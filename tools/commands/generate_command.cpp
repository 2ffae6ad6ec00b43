#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenes/scenes.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/help.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

using scenes::Generator;

constexpr std::int64_t kMostBodies = 100'000'000;

struct GenerateArguments {
  std::string scene;
  std::string out;
  std::string to;
  std::int64_t count = 10000;
  std::int64_t seed = 1;
  std::int64_t worlds = 0;
  int dimension = 0;
  std::string precision = "float";
  bool json = false;
};

constexpr const char* kGenerateFooter =
    "\n"
    "A name, a count, a seed, a dimension and a precision make the same scene on every machine: "
    "the\n"
    "hash tells. Floors and walls come on top of the count, one of each per world. CSV holds the\n"
    "scenes of balls alone: uniform, power_law, outliers, clustered.\n"
    "\n"
    "Examples:\n"
    "  widephase generate uniform --count 1e6 -o uniform.npz\n"
    "  widephase generate uniform --dimension 2 -o - --to csv | head\n"
    "  widephase generate pile --count 100000 --seed 7 --precision double -o pile.npz\n"
    "  widephase generate corridor --count 50000 --worlds 100 -o crowd.npz\n"
    "  widephase generate pyramid --count 55 --dimension 2 -o pyramid.json\n";

/// "  stack      stacks of ten boxes on a floor (2D, 3D)", one line per generator.
std::string generators_text() {
  std::string text = "Scenes:\n";
  for (const Generator& generator : scenes::generators()) {
    const char* const dimension = !generator.is_in_3d   ? " (2D)"
                                  : !generator.is_in_2d ? " (3D)"
                                                        : "";
    constexpr std::size_t kTextColumn = 14;
    text += fmt::format("  {:<11} {}\n", generator.name,
                        wrapped(std::string(generator.text) + dimension, kTextColumn, kTextColumn));
  }
  return text;
}

const Generator& known_generator(const std::string& name) {
  const Generator* const found = scenes::find_generator(name);
  if (found != nullptr) return *found;
  std::vector<std::string> names;
  for (const Generator& generator : scenes::generators()) names.emplace_back(generator.name);
  throw UsageError(fmt::format("{} is not a scene; expected one of {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

/// The dimension from the options, or the generator's own; 3 if it has both.
int dimension_of(const GenerateArguments& arguments, const Generator& generator) {
  const int own = generator.is_in_3d ? 3 : 2;
  if (arguments.dimension == 0 || generator.is_in(arguments.dimension)) {
    return arguments.dimension == 0 ? own : arguments.dimension;
  }
  throw UsageError(fmt::format("{} is made in {}D alone; leave --dimension {} out", generator.name,
                               own, arguments.dimension));
}

/// What is printed.
struct Report {
  std::uint64_t hash = 0;
  double generate_seconds = 0;
  double write_seconds = 0;
};

template <int D, class T>
SceneFile make(const GenerateArguments& arguments, Report& report) {
  const SceneColumns<D, T> scene =
      scenes::generate<D, T>(arguments.scene, {static_cast<std::size_t>(arguments.count),
                                               static_cast<std::uint64_t>(arguments.seed),
                                               static_cast<std::size_t>(arguments.worlds)});
  report.hash = scenes::hash(scene);
  return SceneFile::of(arguments.out, scene);
}

SceneFile make(const GenerateArguments& arguments, int dimension, Report& report) {
  const bool is_single = arguments.precision == "float";
  if (dimension == 2) {
    return is_single ? make<2, float>(arguments, report) : make<2, double>(arguments, report);
  }
  return is_single ? make<3, float>(arguments, report) : make<3, double>(arguments, report);
}

void print_json(const GenerateArguments& arguments, const SceneFile& scene, const Report& report) {
  nlohmann::ordered_json json;
  json["scene"] = arguments.scene;
  json["count"] = arguments.count;
  json["seed"] = arguments.seed;
  json["dimension"] = scene.dimension();
  json["precision"] = arguments.precision;
  json["shapes"] = scene.shape_count();
  json["worlds"] = scene.world_count();
  json["hash"] = fmt::format("{:016x}", report.hash);
  json["seconds"] = {{"generate", report.generate_seconds}, {"write", report.write_seconds}};
  fmt::print("{}\n", json.dump(2));
}

void run_generate(const GenerateArguments& arguments) {
  const Output out{"--out", arguments.out};
  check_streams({out}, arguments.json);
  const int dimension = dimension_of(arguments, known_generator(arguments.scene));
  const Format format =
      format_to_write(arguments.out, arguments.to, {Format::npz, Format::json, Format::csv});
  if (arguments.worlds > std::max<std::int64_t>(arguments.count, 1)) {
    throw UsageError(fmt::format("--worlds {} of --count {} in all have no body each",
                                 arguments.worlds, arguments.count));
  }
  OutputFile file(arguments.out);
  Report report;
  Progress progress(
      fmt::format("generating {} bodies: {}", grouped(arguments.count), arguments.scene));
  const Stopwatch watch;
  const SceneFile scene = make(arguments, dimension, report);
  report.generate_seconds = watch.seconds();
  progress.stage("writing " + arguments.out);
  write_scene(scene, format, file);
  file.commit();
  report.write_seconds = watch.seconds() - report.generate_seconds;
  progress.finish();
  if (arguments.json) return print_json(arguments, scene, report);
  print_text(fmt::format("{}, {}, seed {}, hash {:016x}\n", scene_text(scene, arguments.out),
                         arguments.precision, arguments.seed, report.hash),
             {out});
}

}  // namespace

std::function<void()> add_generate(CLI::App& app) {
  auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = add_command(app, "generate", "Make a scene to measure with, by a seed");
  command->add_option("SCENE", arguments->scene, "Which one: see below")->required();
  command->add_option("-o,--out", arguments->out, "The scene to write: .npz, .json or .csv")
      ->required()
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--to", arguments->to,
                   "Format to write, if not by the ending: npz, json, csv (default for -: npz)")
      ->type_name("FORMAT")
      ->transform(one_of({"npz", "json", "csv"}));
  command
      ->add_option("--count", arguments->count,
                   "Bodies, 0 to 1e8, such as 5000 or 1e6 (default: 10000)")
      ->type_name("N")
      ->transform(whole_number(0, kMostBodies));
  command->add_option("--seed", arguments->seed, "Which of the scenes of this name (default: 1)")
      ->type_name("N")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()));
  command
      ->add_option("--worlds", arguments->worlds,
                   "As many scenes side by side, each a world of its own, of --count bodies in all "
                   "(default: 1; of worlds, 64 bodies each)")
      ->type_name("N")
      ->transform(whole_number(1, kMostBodies));
  command->add_option("--dimension", arguments->dimension, "2 or 3 (default: 3 where there is one)")
      ->type_name("D")
      ->transform(one_of({"2", "3"}));
  command->add_option("--precision", arguments->precision, "float or double (default: float)")
      ->type_name("WORD")
      ->transform(one_of({"float", "double"}));
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(generators_text() + kGenerateFooter);
  return [arguments] { run_generate(*arguments); };
}

}  // namespace widephase::tools
