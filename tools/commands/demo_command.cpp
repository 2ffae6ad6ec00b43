#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <memory>
#include <thread>

#include <widephase/collide.hpp>
#include <widephase/version.hpp>

#include "reference/reference.hpp"
#include "reference/solids.hpp"
#include "scenes/scenes.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/cpu_name.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/page/demo_report.hpp"
#include "tools/pictures/picture.hpp"

namespace widephase::tools {

namespace {

struct DemoArguments {
  std::string out = "demo.html";
  std::string picture;
  double seconds = 20;
  bool json = false;
};

constexpr std::size_t kWorldSize = 64;
constexpr std::size_t kMostWorlds = 16384;
constexpr std::size_t kFewestWorlds = 16;
/// How many calls are timed with one thread, and again with all threads.
constexpr int kTimedCalls = 3;
/// Shares of `--seconds`: the 3D scene, the 2D scene, and within each the reference's part.
constexpr double kShareIn3 = 0.45, kShareIn2 = 0.15, kShareOfErrors = 0.15;
/// The error that `float` may have, as a share of the pair's size. A pair closer to touching than
/// this may be judged either way, because of rounding.
constexpr double kTolerance = 1e-5;

/// 1, 2, 4, ... and `all`.
std::vector<int> thread_counts(int all) {
  std::vector<int> counts;
  for (int count = 1; count < all; count *= 2) counts.push_back(count);
  counts.push_back(all);
  return counts;
}

template <int D>
class DemoSceneRun {
 public:
  DemoSceneRun(std::string generator, int threads)
      : generator_(std::move(generator)), threads_(threads) {}

  DemoScene measure(double seconds, Progress& progress) {
    progress.stage(fmt::format("choosing how many worlds take {:.1f} s", seconds));
    const std::size_t worlds = affordable_worlds(seconds);
    scene_ = scene_of(worlds);
    DemoScene found;
    found.name = fmt::format("{} in {}D", generator_, D);
    found.dimension = D;
    found.worlds = static_cast<std::int64_t>(worlds);
    found.bodies = static_cast<std::int64_t>(worlds * kWorldSize);
    for (const Isa isa : test::usable_isas()) {
      progress.stage(fmt::format("colliding {} worlds on {}", worlds, isa_name(isa)));
      for (const int count : thread_counts(threads_)) {
        const bool is_timed = count == 1 || count == threads_;
        found.runs.push_back(run(scene_, isa, count, is_timed ? kTimedCalls : 1));
      }
    }
    found.pairs = workspace_.stats().pairs;
    found.contacts = static_cast<std::int64_t>(contacts_.size());
    found.picture = picture();
    return found;
  }

  /// Judges pairs of each kind until the reference has used up its time.
  std::vector<DemoErrors> judge(double seconds) {
    find_pairs<D, float>(scene_, workspace_, {});
    const SceneLayout layout = layout_of(SceneSpan<D, float>(scene_));
    std::map<int, std::vector<Pair>> by_kind;
    for (const Pair& pair : workspace_.pairs()) {
      by_kind[pair_kind(layout.kind_of(pair.a), layout.kind_of(pair.b))].push_back(pair);
    }
    std::vector<DemoErrors> all;
    for (const auto& [kind, pairs] : by_kind) {
      all.push_back(judge(kind, pairs, seconds / static_cast<double>(by_kind.size())));
    }
    return all;
  }

 private:
  SceneColumns<D, float> scene_of(std::size_t worlds) const {
    return scenes::generate<D, float>(generator_, {worlds * kWorldSize, 1, worlds});
  }

  DemoRun run(const SceneColumns<D, float>& scene, Isa isa, int threads, int calls) {
    CollideOptions options;
    options.isa = isa;
    options.threads.count = threads;
    DemoRun found{isa, threads, 0, 0};
    for (int call = 0; call < calls; ++call) {
      const Stopwatch watch;
      collide<D, float>(scene, contacts_, workspace_, options);
      const double seconds = watch.seconds();
      found.seconds = call == 0 ? seconds : std::min(found.seconds, seconds);
    }
    found.hash = hash(contacts_);
    return found;
  }

  /// Estimated from the time of a few worlds, as if each call took as long as with one thread.
  std::size_t affordable_worlds(double seconds) {
    const SceneColumns<D, float> few = scene_of(kFewestWorlds);
    double each = 0;
    for (const Isa isa : test::usable_isas()) {
      const double calls = static_cast<double>(2 * kTimedCalls + thread_counts(threads_).size());
      each += calls * run(few, isa, 1, 2).seconds / kFewestWorlds;
    }
    const double most = std::clamp(seconds / each, static_cast<double>(kFewestWorlds),
                                   static_cast<double>(kMostWorlds));
    return static_cast<std::size_t>(most) / kFewestWorlds * kFewestWorlds;
  }

  std::string picture() {
    PictureOptions options;
    options.world = 0;
    options.title = fmt::format("{} in {}D", generator_, D);
    return picture_of(scene_, contacts_, options);
  }

  DemoErrors judge(int kind, const std::vector<Pair>& pairs, double seconds) {
    DemoErrors found{pair_kind_name(kind, D), D, 0, 0, 0, 0, 0};
    CollideOptions options;
    options.order = Order::source;
    collide_pairs<D, float>(scene_, pairs, contacts_, workspace_, options);
    std::vector<std::size_t> contact_of(pairs.size(), contacts_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      contact_of[static_cast<std::size_t>(contacts_.source[i])] = i;
    }
    const Stopwatch watch;
    for (std::size_t i = 0; i < pairs.size() && (i == 0 || watch.seconds() < seconds); ++i) {
      judge(pairs[i], contact_of[i], found);
    }
    return found;
  }

  void judge(const Pair& pair, std::size_t contact, DemoErrors& found) {
    const test::Solid<D> a = test::solid_of(scene_, pair.a), b = test::solid_of(scene_, pair.b);
    const test::Reference<D> reference = test::reference_of(a, b);
    const auto depth = static_cast<double>(reference.depth);
    const auto size = static_cast<double>(reference.size);
    const bool is_contact = contact < contacts_.size();
    ++found.pairs;
    if (!is_contact) {
      found.wrong += depth > kTolerance * size ? 1 : 0;
      return;
    }
    ++found.contacts;
    test::Vec<D> normal;
    for (int d = 0; d < D; ++d) normal[d] = static_cast<test::Real>(contacts_.normal(contact, d));
    const double along = static_cast<double>(test::depth_along(a, b, normal));
    const double of_depth = std::abs(contacts_.depth[contact] - depth) / size;
    const double of_normal = (along - depth) / size;
    found.depth = std::max(found.depth, of_depth);
    found.normal = std::max(found.normal, of_normal);
    found.wrong += !(of_depth <= kTolerance && of_normal <= kTolerance) ? 1 : 0;
  }

  std::string generator_;
  int threads_;
  SceneColumns<D, float> scene_;
  ContactBuffer<D, float> contacts_;
  Workspace<D, float> workspace_;
};

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

void run_demo(const DemoArguments& arguments) {
  const Output out{"--out", arguments.out}, drawn{"--picture", arguments.picture};
  check_streams({out, drawn}, arguments.json);
  check_ending("--out", arguments.out, {".html"});
  check_ending("--picture", arguments.picture, {".svg"});
  const Stopwatch watch;
  OutputFile page(arguments.out);
  Progress progress("making worlds");
  DemoReport report;
  report.version = version();
  report.cpu = cpu_name();
  report.date = today();
  report.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));

  DemoSceneRun<3> solids("worlds", report.threads);
  DemoSceneRun<2> outlines("mixed", report.threads);
  report.scenes.push_back(solids.measure(arguments.seconds * kShareIn3, progress));
  report.scenes.push_back(outlines.measure(arguments.seconds * kShareIn2, progress));
  progress.stage("judging answers by the reference");
  report.errors = solids.judge(arguments.seconds * kShareOfErrors);
  const std::vector<DemoErrors> flat = outlines.judge(arguments.seconds * kShareOfErrors);
  report.errors.insert(report.errors.end(), flat.begin(), flat.end());
  report.seconds = watch.seconds();

  page.write(demo_page(report));
  if (!arguments.picture.empty()) {
    OutputFile picture(arguments.picture);
    picture.write(report.scenes[0].picture);
    picture.commit();
  }
  page.commit();
  progress.finish();
  if (arguments.json) {
    fmt::print("{}\n", demo_json(report));
  } else {
    print_text(demo_text(report) + "\n" + wrote_text({out, drawn}), {out, drawn});
  }
  if (!is_right(report)) {
    throw Error(
        "the demo's answers are not what they should be, as shown; please report this "
        "with the lines above");
  }
}

/// Needed because CLI::Range accepts nan.
std::string check_seconds(const std::string& text) {
  double seconds = 0;
  const bool is_number = CLI::detail::lexical_cast(text, seconds);
  if (is_number && seconds >= 0.1 && seconds <= 3600) return {};
  return fmt::format("{} is not a time for a demo; expected 0.1 to 3600 seconds", text);
}

}  // namespace

std::function<void()> add_demo(CLI::App& app) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* command = add_command(
      app, "demo", "Show what this machine does with mixed worlds, and write it as a page");
  command->add_option("-o,--out", arguments->out, "The page: .html (default: demo.html)")
      ->type_name("FILE")
      ->transform(output_file());
  command->add_option("--picture", arguments->picture, "A world with its contacts: .svg")
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--seconds", arguments->seconds,
                   "About how long it may take, 0.1 to 3600 (default: 20)")
      ->type_name("S")
      ->check(CLI::Validator(check_seconds, ""));
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  command->footer(
      "Worlds of 64 bodies of many kinds are collided on every instruction set that this build\n"
      "and CPU have, with one thread and more. All must find the same contacts, to the bit; a\n"
      "sample is judged by a reference in extended precision that shares no code with the "
      "kernels.\n"
      "Exit code 1 if any answer differs or is wrong.\n"
      "\n"
      "Examples:\n"
      "  widephase demo\n"
      "  widephase demo --seconds 5 -o quick.html --picture world.svg\n"
      "  widephase demo --json > demo.json\n");
  return [arguments] { run_demo(*arguments); };
}

}  // namespace widephase::tools
