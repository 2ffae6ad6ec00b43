#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenes/scenes.hpp"
#include "tools/commands/commands.hpp"
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
    "hash tells. Floors and walls come on top of the count, one of each a world. CSV holds the "
    "scenes\n"
    "of balls alone: uniform, power_law, outliers, clustered.\n"
    "\n"
    "Examples:\n"
    "  widephase generate uniform --count 1000000 -o uniform.npz\n"
    "  widephase generate pile --count 100000 --seed 7 --precision double -o pile.npz\n"
    "  widephase generate corridor --count 50000 --worlds 100 -o crowd.npz\n"
    "  widephase generate pyramid --count 55 --dimension 2 -o pyramid.json\n";

/// "  stack      stacks of ten boxes on a floor (2D, 3D)", one line per generator.
std::string generators_text() {
  std::string text = "Scenes:\n";
  for (const Generator& generator : scenes::generators()) {
    text += fmt::format("  {:<11} {}{}\n", generator.name, generator.text,
                        !generator.is_in_3d   ? " (2D)"
                        : !generator.is_in_2d ? " (3D)"
                                              : "");
  }
  return text;
}

const Generator& known_generator(const std::string& name) {
  const Generator* const found = scenes::find_generator(name);
  if (found != nullptr) return *found;
  std::string names;
  for (const Generator& generator : scenes::generators()) {
    if (!names.empty()) names += ", ";
    names += generator.name;
  }
  throw UsageError(fmt::format("{} is not a scene; expected one of {}", name, names));
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

/// Accepts an integer within limits; the message says so for anything else.
CLI::Validator integer_from(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::int64_t value = 0;
    if (parse_number(text, value) && value >= least && value <= most) return {};
    return fmt::format("{} is none; expected an integer from {} to {}", text, least, most);
  };
  return CLI::Validator(check, "");
}

void run_generate(const GenerateArguments& arguments) {
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    if (!arguments.json || arguments.out != name) continue;
    throw UsageError(
        fmt::format("--json and -o {} would both write to standard output; give the "
                    "scene a file or leave --json out",
                    name));
  }
  const int dimension = dimension_of(arguments, known_generator(arguments.scene));
  // Devices such as /dev/stdout have no ending; they get the npz archive.
  const Format format =
      arguments.out.starts_with("/dev/") ? Format::npz : output_format(arguments.out);
  if (arguments.worlds > std::max<std::int64_t>(arguments.count, 1)) {
    throw UsageError(fmt::format("--worlds {} of --count {} in all have no body each",
                                 arguments.worlds, arguments.count));
  }
  OutputFile file(arguments.out);
  Report report;
  Progress progress("generating " + arguments.scene);
  const Stopwatch watch;
  const SceneFile scene = make(arguments, dimension, report);
  report.generate_seconds = watch.seconds();
  progress.stage("writing " + arguments.out);
  write_scene(scene, format, file);
  file.commit();
  report.write_seconds = watch.seconds() - report.generate_seconds;
  progress.finish();
  if (arguments.json) return print_json(arguments, scene, report);
  // No summary if the scene itself goes to standard output.
  if (arguments.out.starts_with("/dev/")) return;
  fmt::print("{}, {}, seed {}, hash {:016x}\n", scene_text(scene, arguments.out),
             arguments.precision, arguments.seed, report.hash);
}

}  // namespace

std::function<void()> add_generate(CLI::App& app) {
  auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = add_command(app, "generate", "Make a scene to measure with, by a seed");
  command->add_option("SCENE", arguments->scene, "Which one: see below")->required();
  command->add_option("-o,--out", arguments->out, "The scene to write: .npz, .json or .csv")
      ->required();
  command
      ->add_option("--count", arguments->count,
                   fmt::format("Bodies, 0 to {} (default: 10000)", kMostBodies))
      ->check(integer_from(0, kMostBodies));
  command->add_option("--seed", arguments->seed, "Which of the scenes of this name (default: 1)")
      ->check(integer_from(0, std::numeric_limits<std::int64_t>::max()));
  command
      ->add_option("--worlds", arguments->worlds,
                   "As many scenes side by side, each a world of its own, of --count bodies in all "
                   "(default: 1; of worlds, 64 bodies each)")
      ->check(integer_from(1, kMostBodies));
  command->add_option("--dimension", arguments->dimension, "2 or 3 (default: 3 where there is one)")
      ->check(CLI::IsMember({2, 3}));
  command->add_option("--precision", arguments->precision, "float or double (default: float)")
      ->check(CLI::IsMember({"float", "double"}));
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(generators_text() + kGenerateFooter);
  return [arguments] { run_generate(*arguments); };
}

}  // namespace widephase::tools
