#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include <widephase/decompose.hpp>

#include "tools/commands/commands.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/cut_outline.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/pictures/picture_outlines.hpp"

namespace widephase::tools {

namespace {

struct DecomposeArguments {
  std::string outlines;
  std::string out;
  std::string picture;
  std::string to;
  std::string object;
  bool skip_invalid = false;
  bool json = false;

  Format format() const { return format_to_write(out, to, {Format::npz, Format::json}); }
  Output out_file() const { return {"--out", out}; }
  Output picture_file() const { return {"--picture", picture}; }
};

constexpr const char* kDecomposeFooter =
    "Reads GeoJSON (Polygon, MultiPolygon, collections and features of them), TopoJSON and plain\n"
    "rings ([[[x, y], ...], ...], ring 0 the outer one, the others holes). All parts of a feature\n"
    "have one owner, its place in the file, so they never meet one another. Points and lines are\n"
    "passed over. Repeated points, spikes and holes without area are left out; rings that cross "
    "or\n"
    "overlap, holes outside and outlines without area are errors unless --skip-invalid is given.\n"
    "\n"
    "Examples:\n"
    "  widephase decompose rooms.geojson -o rooms.npz --picture rooms.svg\n"
    "  widephase decompose countries-50m.json --object countries --skip-invalid -o countries.npz\n"
    "  widephase decompose rings.json --json\n";

/// All parts, with counts and times.
struct Decomposed {
  GeometryTable<Owned<2, double>> parts;
  std::vector<std::int32_t> owners;  ///< one per part
  DecomposeReport total;
  std::int64_t outlines = 0;
  std::int64_t vertices = 0;  ///< the number of vertices in these outlines
  std::int64_t repaired = 0;
  std::vector<std::string> skipped;
  double load_seconds = 0;
  double seconds = 0;
};

void add(DecomposeReport& total, const DecomposeReport& report) {
  total.area += report.area;
  total.part_count += report.part_count;
  total.vertex_count += report.vertex_count;
  total.closing_points += report.closing_points;
  total.turned_rings += report.turned_rings;
  total.straight_points += report.straight_points;
  total.touching_points += report.touching_points;
  total.duplicate_points += report.duplicate_points;
  total.cancelled_edges += report.cancelled_edges;
  total.dropped_rings += report.dropped_rings;
}

/// "feature 12 (Fiji), polygon 3, ring 0, vertex 17 at (3.5, 2) begins an edge ...".
std::string problem_text(const Outline& outline, const OutlineError& error) {
  const std::int64_t vertex = error.finding()->row;
  std::string text = outline.place.empty() ? "" : outline.place + ", ";
  text += fmt::format("ring {}", error.ring());
  if (vertex >= 0) {
    const auto row = static_cast<std::size_t>(
        outline.ring_offsets[static_cast<std::size_t>(error.ring())] + vertex);
    const auto [x, y] = outline.position(row);
    text += fmt::format(", vertex {} at ({}, {})", vertex, x, y);
  }
  return text + " " + error.finding()->message;
}

Decomposed cut(const Outlines& outlines, const DecomposeArguments& arguments) {
  Decomposed result;
  result.parts.offsets.push_back({0});
  const Stopwatch watch;
  for (const Outline& outline : outlines.list) {
    try {
      const DecomposeReport report = cut_outline(outline, result.parts);
      add(result.total, report);
      ++result.outlines;
      result.vertices += static_cast<std::int64_t>(outline.vertices.size());
      result.repaired += report.is_repaired();
      result.owners.resize(result.parts.offsets.size() - 1, outline.owner);
    } catch (const OutlineError& error) {
      const std::string problem = problem_text(outline, error);
      if (!arguments.skip_invalid) throw FileError(arguments.outlines, problem);
      result.skipped.push_back(problem);
    }
  }
  result.seconds = watch.seconds();
  return result;
}

/// The parts keep their positions: vertices are in the outlines' coordinates, and every polygon is
/// placed at the origin.
SceneFile scene_of(const Decomposed& result, const std::string& path) {
  const std::size_t count = result.owners.size();
  SceneColumns<2, double> scene;
  scene.geometries = result.parts;
  scene.polygons.center.resize(count);
  scene.polygons.turn.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    scene.polygons.geometry.push_back({static_cast<std::int32_t>(i)});
    scene.polygons.owner.push_back({result.owners[i]});
  }
  return SceneFile::of(path, scene);
}

std::string counts_text(const Decomposed& result, const Outlines& outlines) {
  return fmt::format("{} with {} of {} under {}", counted(result.total.part_count, "part"),
                     grouped(result.total.vertex_count) + " vertices",
                     counted(result.outlines, "outline"), counted(outlines.owner_count, "owner"));
}

void print_json(const Decomposed& result, const Outlines& outlines) {
  const DecomposeReport& total = result.total;
  nlohmann::ordered_json json;
  json["outlines"] = result.outlines;
  json["owners"] = outlines.owner_count;
  json["vertices"] = result.vertices;
  json["parts"] = total.part_count;
  json["part_vertices"] = total.vertex_count;
  json["area"] = total.area;
  json["repaired"] = result.repaired;
  json["skipped"] = result.skipped.size();
  json["ignored"] = outlines.ignored_count;
  json["repairs"] = {{"duplicate_points", total.duplicate_points},
                     {"cancelled_edges", total.cancelled_edges},
                     {"dropped_rings", total.dropped_rings}};
  json["seconds"] = {{"load", result.load_seconds}, {"decompose", result.seconds}};
  fmt::print("{}\n", json.dump(2));
}

std::string table_text(const Decomposed& result, const Outlines& outlines,
                       const DecomposeArguments& arguments) {
  const DecomposeReport& total = result.total;
  const auto row = [](std::string_view name, const std::string& value) {
    return fmt::format("  {:<10} {}\n", name, value);
  };
  std::string repaired =
      fmt::format("{} of {}", grouped(result.repaired), counted(result.outlines, "outline"));
  if (result.repaired > 0) {
    repaired += fmt::format(" ({}, {}, {})", counted(total.duplicate_points, "repeated point"),
                            counted(total.cancelled_edges, "cancelled edge"),
                            counted(total.dropped_rings, "ring") + " without area");
  }
  std::string text = fmt::format("{}: {}\n\n", arguments.outlines, counts_text(result, outlines)) +
                     row("area", fmt::format("{}", total.area)) + row("repaired", repaired) +
                     row("skipped", counted(std::ssize(result.skipped), "outline"));
  if (outlines.ignored_count > 0) {
    text += row("ignored", grouped(outlines.ignored_count) +
                               (outlines.ignored_count == 1 ? " geometry" : " geometries") +
                               " without area");
  }
  return text + row("time", fmt::format("{:.2f} ms to cut, {:.2f} ms to load", result.seconds * 1e3,
                                        result.load_seconds * 1e3));
}

void check_outputs(const DecomposeArguments& arguments) {
  const std::string& out = arguments.out;
  check_streams({arguments.out_file(), arguments.picture_file()}, arguments.json);
  if (!out.empty()) (void)arguments.format();
  if (out.empty() && !arguments.to.empty()) {
    throw UsageError("--to says the format of the parts; add --out FILE");
  }
  check_ending("--picture", arguments.picture, {".svg"});
  for (const std::string& written : {out, arguments.picture}) {
    if (is_same_file(arguments.outlines, written)) {
      throw UsageError(fmt::format("{} holds the outlines; name another file to write", written));
    }
  }
}

void write_files(const Decomposed& result, const Outlines& outlines,
                 const DecomposeArguments& arguments, Progress& progress) {
  std::optional<OutputFile> out;
  std::optional<OutputFile> picture;
  if (!arguments.out.empty()) {
    progress.stage("writing " + arguments.out);
    out.emplace(arguments.out);
    write_scene(scene_of(result, arguments.out), arguments.format(), *out);
  }
  if (!arguments.picture.empty()) {
    progress.stage("drawing " + arguments.picture);
    picture.emplace(arguments.picture);
    const std::size_t slash = arguments.outlines.rfind('/');
    write_outlines_picture(
        result.parts, result.owners,
        slash == std::string::npos ? arguments.outlines : arguments.outlines.substr(slash + 1),
        counts_text(result, outlines), *picture);
  }
  // Both files are complete now: either both appear or neither.
  if (out) out->commit();
  if (picture) picture->commit();
}

void run_decompose(const DecomposeArguments& arguments) {
  check_outputs(arguments);
  Progress progress("loading " + arguments.outlines);
  const Stopwatch watch;
  const Outlines outlines = read_outlines(arguments.outlines, arguments.object);
  const double load_seconds = watch.seconds();
  progress.stage("cutting " + counted(std::ssize(outlines.list), "outline"));
  Decomposed result = cut(outlines, arguments);
  result.load_seconds = load_seconds;
  write_files(result, outlines, arguments, progress);
  progress.finish();
  for (const std::string& problem : result.skipped) {
    print_error(fmt::format("{}: {} (left out)", arguments.outlines, printable(problem)));
  }
  if (arguments.json) return print_json(result, outlines);
  const auto files = {arguments.out_file(), arguments.picture_file()};
  print_text(table_text(result, outlines, arguments) + wrote_text(files), files);
}

}  // namespace

std::function<void()> add_decompose(CLI::App& app) {
  auto arguments = std::make_shared<DecomposeArguments>();
  CLI::App* command = add_command(app, "decompose", "Cut concave outlines into convex parts");
  command
      ->add_option("OUTLINES", arguments->outlines, "GeoJSON, TopoJSON or rings of [x, y] in JSON")
      ->required()
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "Write the parts as a scene: .npz or .json")
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--to", arguments->to,
                   "Format of the scene, if not by the ending: npz, json (default for -: npz)")
      ->type_name("FORMAT")
      ->transform(one_of({"npz", "json"}));
  command
      ->add_option("--picture", arguments->picture,
                   "Write an SVG: parts and outlines, one colour per owner")
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--object", arguments->object,
                   "Which of a TopoJSON file's objects (default: all)")
      ->type_name("NAME");
  command->add_flag("--skip-invalid", arguments->skip_invalid,
                    "Leave invalid outlines out and list them on standard error");
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(kDecomposeFooter);
  return [arguments] { run_decompose(*arguments); };
}

}  // namespace widephase::tools
