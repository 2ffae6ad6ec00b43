#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include <widephase/options.hpp>
#include <widephase/rays.hpp>

#include "tools/commands/call_options.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/rays_file.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

struct CastArguments {
  std::string scene;
  std::string rays;
  std::string out;
  std::string inside;
  std::string precision;
  int repeat = 1;
  CastOptions options;
  bool any = false;
  bool json = false;

  Output out_file() const { return {"--out", out}; }
};

/// The fastest run.
struct CastReport {
  CastStats stats;
  std::uint64_t hash = 0;
  std::size_t shapes = 0;
  double load = 0;
  double build = std::numeric_limits<double>::infinity();
  double cast = std::numeric_limits<double>::infinity();
};

template <int D, class T>
CastReport cast_file(const CastArguments& arguments, const SceneFile& file, const Stopwatch& watch,
                     Progress& progress) {
  std::optional<OutputFile> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  SceneColumns<D, T> scene;
  file.to_columns(scene);
  RaysFile rays_file(arguments.rays, D);
  const RaySpan<D, T> rays = rays_file.rays<D, T>();
  CastReport report;
  report.load = watch.seconds();
  report.shapes = static_cast<std::size_t>(layout_of(scene).shape_count());
  progress.stage("casting " + arguments.rays);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  CollideOptions built;
  built.threads = arguments.options.threads;
  built.isa = arguments.options.isa;
  CastOptions options = arguments.options;
  options.stats = &report.stats;
  RayHits<D, T> hits;
  std::vector<std::uint8_t> any(arguments.any ? rays.size() : 0);
  for (int run = 0; run < arguments.repeat; ++run) {
    const Stopwatch build;
    build_static_scene(scene, kept, workspace, built);
    report.build = std::min(report.build, build.seconds());
    const Stopwatch cast;
    try {
      if (arguments.any) {
        any_hit(kept, rays, any, workspace, options);
      } else {
        cast_rays(kept, rays, hits, workspace, options);
      }
    } catch (const Error& error) {
      throw FileError(arguments.rays, said(error));
    }
    report.cast = std::min(report.cast, cast.seconds());
  }
  if (arguments.any) {
    RayHits<D, T> marks;
    for (const std::uint8_t hit : any) marks.status.push_back(hit);
    report.hash = hash(marks);
  } else {
    report.hash = hash(hits);
  }
  if (out) {
    progress.stage("writing " + arguments.out);
    const bool is_csv =
        format_to_write(arguments.out, {}, {Format::npz, Format::csv}) == Format::csv;
    if (arguments.any) {
      is_csv ? write_any_csv(any, *out) : write_any_npz(any, *out);
    } else {
      is_csv ? write_hits_csv(hits, *out) : write_hits_npz(hits, *out);
    }
    out->commit();
  }
  return report;
}

double share(std::int64_t part, std::int64_t whole) {
  const double value = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  return std::round(value * 1e4) / 1e4;
}

void print_json(const CastReport& report) {
  const auto seconds = [](double value) { return std::round(value * 1e9) / 1e9; };
  const CastStats& stats = report.stats;
  nlohmann::ordered_json json;
  json["shapes"] = report.shapes;
  json["rays"] = stats.rays;
  json["hits"] = stats.hits;
  json["hash"] = fmt::format("{:016x}", report.hash);
  json["isa"] = isa_name(stats.isa);
  json["threads"] = stats.threads;
  json["seconds"] = {{"load", seconds(report.load)},
                     {"build", seconds(report.build)},
                     {"cast", seconds(report.cast)}};
  json["tiles"] = share(stats.tiles, stats.rays);
  json["tests"] = share(stats.tests, stats.rays);
  json["packets"] = share(stats.packet_rays, stats.rays);
  fmt::print("{}\n", json.dump(2));
}

void run_cast(CastArguments& arguments) {
  check_streams({arguments.out_file()}, arguments.json);
  check_ending("--out", arguments.out, {".npz", ".csv"});
  for (const std::string& input : {arguments.scene, arguments.rays}) {
    if (!is_same_file(input, arguments.out)) continue;
    throw UsageError(fmt::format("{} is an input; name another file to write", arguments.out));
  }
  if (!arguments.inside.empty()) {
    arguments.options.inside = static_cast<Inside>(place_of(arguments.inside, kInsideWords));
  }
  chosen_isa(arguments.options.isa);
  const Stopwatch watch;
  Progress progress("loading " + arguments.scene);
  const SceneFile file = read_complete_scene(arguments.scene);
  try {
    const CastReport report = in_numbers(
        file.dimension(), precision_of(arguments.precision, file),
        [&]<int D, class T>() { return cast_file<D, T>(arguments, file, watch, progress); });
    progress.finish();
    if (arguments.json) return print_json(report);
    print_text(fmt::format("{} of {} hit\n", report.stats.hits, counted(report.stats.rays, "ray")) +
                   wrote_text({arguments.out_file()}),
               {arguments.out_file()});
  } catch (const Error& error) {
    throw FileError(arguments.scene, said_of(error, file));
  }
}

}  // namespace

std::function<void()> add_cast(CLI::App& app) {
  auto arguments = std::make_shared<CastArguments>();
  CLI::App* command = add_command(app, "cast", "Find what rays hit in a scene");
  command->add_option("SCENE", arguments->scene, "A scene: .npz, .json or .csv")
      ->required()
      ->transform(input_file());
  command
      ->add_option("--rays", arguments->rays,
                   "The rays: .npz with the columns of RaySpan, or .csv with a header "
                   "ox,oy[,oz],dx,dy[,dz][,max_t][,world]")
      ->type_name("FILE")
      ->required()
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "Write a row per ray: .npz or .csv")
      ->type_name("FILE")
      ->transform(output_file());
  command->add_flag("--any", arguments->any, "Only whether each ray hits something");
  command
      ->add_option("--inside", arguments->inside,
                   "What a shape is to a ray that starts in it: hit, leave, exit (default: hit)")
      ->type_name("WORD")
      ->transform(one_of({kInsideWords.begin(), kInsideWords.end()}));
  add_call_options(*command, {Call::cast_rays}, arguments->options);
  add_precision(*command, arguments->precision);
  command
      ->add_option("--repeat", arguments->repeat,
                   "Run so often and report the fastest of each stage (default: 1)")
      ->type_name("N")
      ->transform(whole_number(1, 1000000));
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(
      "Shapes are solid and closed. A margin makes each ray a cast ball of that radius.\n"
      "\n"
      "Examples:\n"
      "  widephase cast level.npz --rays lidar.npz -o hits.npz\n"
      "  widephase cast level.npz --rays sight.csv --any --json\n");
  return [arguments] { run_cast(*arguments); };
}

}  // namespace widephase::tools
