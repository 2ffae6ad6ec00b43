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
#include "tools/commands/scene_page.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/rays_file.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/scene_in_world.hpp"
#include "tools/formats/text.hpp"
#include "tools/page/view_page.hpp"
#include "tools/pictures/picture_rays.hpp"

namespace widephase::tools {

namespace {

struct CastArguments {
  std::string scene;
  std::string rays;
  std::string out;
  std::string picture;
  std::string page;
  WorldChoice world;
  std::string inside;
  std::string precision;
  int repeat = 1;
  CastOptions options;
  bool any = false;
  bool json = false;

  Output out_file() const { return {"--out", out}; }
  Output picture_file() const { return {"--picture", picture}; }
  Output page_file() const { return {"--page", page}; }
  bool is_drawn() const { return !picture.empty() || !page.empty(); }
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

/// Writes the picture and the page, where they are wanted.
template <int D, class T>
void draw(const CastArguments& arguments, const SceneFile& file, const SceneColumns<D, T>& scene,
          const RaySpan<D, T>& rays, const RayHits<D, T>& hits, OutputFile* picture,
          OutputFile* page) {
  if (picture != nullptr) {
    PictureOptions options;
    options.world = chosen_world(file, world_count<D, T>(scene), arguments.world);
    options.title = name_of(arguments.scene);
    const std::size_t world = options.world ? static_cast<std::size_t>(*options.world) : 0;
    if (options.world && world < file.frames().size()) options.frame = file.frames()[world];
    picture->write(scene.bodies.empty()
                       ? picture_of_rays(scene, rays, hits, options)
                       : picture_of_rays(scene_in_world(scene), rays, hits, options));
    picture->commit();
  }
  if (page != nullptr) {
    ViewScene view = view_scene_of(scene, file, arguments.world);
    view.rays = view_rays_of(rays, hits);
    const std::string text = view_page(view, view_contacts_of(ContactBuffer<D, T>{}));
    require_page_size(arguments.scene, text.size());
    page->write(text);
    page->commit();
  }
}

template <int D, class T>
CastReport cast_file(const CastArguments& arguments, const SceneFile& file, const Stopwatch& watch,
                     Progress& progress) {
  std::optional<OutputFile> out, picture, page;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  if (!arguments.picture.empty()) picture.emplace(arguments.picture);
  if (!arguments.page.empty()) page.emplace(arguments.page);
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
      if (error.finding() && error.finding()->array == "domain") throw;  // the scene's
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
  if (arguments.is_drawn()) {
    progress.stage("drawing " + arguments.scene);
    draw(arguments, file, scene, rays, hits, picture ? &*picture : nullptr,
         page ? &*page : nullptr);
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

void check(const CastArguments& arguments) {
  check_streams({arguments.out_file(), arguments.picture_file(), arguments.page_file()},
                arguments.json);
  check_ending("--out", arguments.out, {".npz", ".csv"});
  check_ending("--picture", arguments.picture, {".svg"});
  check_ending("--page", arguments.page, {".html"});
  for (const std::string& input : {arguments.scene, arguments.rays}) {
    for (const std::string& written : {arguments.out, arguments.picture, arguments.page}) {
      if (!is_same_file(input, written)) continue;
      throw UsageError(fmt::format("{} is an input; name another file to write", written));
    }
  }
  if (arguments.any && arguments.is_drawn()) {
    throw UsageError("--any does not find where rays hit; leave it out for --picture and --page");
  }
  if ((arguments.world.world || arguments.world.frame) && !arguments.is_drawn()) {
    throw UsageError(fmt::format("{} chooses what --picture and --page show; add one of them",
                                 arguments.world.world ? "--world" : "--frame"));
  }
  if (!arguments.page.empty()) require_page();
}

void run_cast(CastArguments& arguments) {
  check(arguments);
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
    const auto files = {arguments.out_file(), arguments.picture_file(), arguments.page_file()};
    print_text(fmt::format("{} of {} hit\n", report.stats.hits, counted(report.stats.rays, "ray")) +
                   wrote_text(files),
               files);
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
  command
      ->add_option("--picture", arguments->picture,
                   "Write an SVG: rays, misses faint, and shapes coloured by their hits")
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--page", arguments->page,
                   "Write a page that shows them in a browser, as view does contacts: .html")
      ->type_name("FILE")
      ->transform(output_file());
  add_world_options(*command, arguments->world,
                    "Which world picture and page show (default: all); all are asked",
                    "The same by the number of its frame in a trajectory or dump");
  command->add_flag("--any", arguments->any, "Only whether each ray hits something");
  command
      ->add_option("--inside", arguments->inside,
                   "What a shape is to a ray that starts in it: hit, leave, exit (default: hit)")
      ->type_name("WORD")
      ->transform(one_of({kInsideWords.begin(), kInsideWords.end()}));
  add_call_options(*command, {Call::cast_rays}, arguments->options);
  command->get_option("--margin")
      ->description("The radius of a ball that is cast along each ray (default: 0)");
  add_precision(*command, arguments->precision);
  command
      ->add_option("--repeat", arguments->repeat,
                   "Run so often and report the fastest of each stage (default: 1)")
      ->type_name("N")
      ->transform(whole_number(1, 1000000));
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(
      "Shapes are solid and closed. RAYS.npz has origin, direction (of any length), and if wanted\n"
      "max_t, world, category, mask, owner, body: a row per ray, or one for all. t counts lengths\n"
      "of the direction; status is 0 for a hit, 1 for a ray that starts inside, 3 for a miss.\n"
      "\n"
      "Examples:\n"
      "  widephase cast level.npz --rays lidar.npz -o hits.npz\n"
      "  widephase cast level.npz --rays lidar.npz --picture hits.svg --page hits.html\n"
      "  widephase cast level.npz --rays sight.csv --any -o seen.csv\n"
      "  widephase cast robot.npz --rays scan.csv --inside leave --margin 0.02\n"
      "  widephase cast level.npz --rays lidar.npz --threads 1 --repeat 5 --json\n");
  return [arguments] { run_cast(*arguments); };
}

}  // namespace widephase::tools
