#include "tools/page/demo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

std::int64_t total_pairs(const DemoReport& report) {
  std::int64_t sum = 0;
  for (const DemoErrors& errors : report.errors) sum += errors.pairs;
  return sum;
}

}  // namespace

std::string kinds_text(const DemoErrors& errors) {
  return fmt::format("{}, {}D", errors.kinds, errors.dimension);
}

std::string share_text(double share) { return share > 0 ? fmt::format("{:.1e}", share) : "0"; }

bool is_alike(const DemoScene& scene) {
  return std::all_of(scene.runs.begin(), scene.runs.end(),
                     [&](const DemoRun& run) { return run.hash == scene.runs[0].hash; });
}

bool is_right(const DemoReport& report) {
  return std::all_of(report.scenes.begin(), report.scenes.end(), is_alike) &&
         std::all_of(report.errors.begin(), report.errors.end(),
                     [](const DemoErrors& errors) { return errors.wrong == 0; });
}

double million_bodies_a_second(const DemoScene& scene, const DemoRun& run) {
  return static_cast<double>(scene.bodies) / run.seconds * 1e-6;
}

std::string demo_text(const DemoReport& report) {
  std::string text = fmt::format("widephase {} on {}, {}, {}\n", report.version, report.cpu,
                                 counted(report.threads, "thread"), report.date);
  for (const DemoScene& scene : report.scenes) {
    text += fmt::format("\n{}: {}, {} bodies, {}, {}\n\n", scene.name,
                        counted(scene.worlds, "world"), grouped(scene.bodies),
                        counted(scene.pairs, "pair"), counted(scene.contacts, "contact"));
    text += fmt::format("  {:<8} {:>7} {:>10} {:>18}  {}\n", "set", "threads", "ns a body",
                        "million a second", "contact hash");
    for (const DemoRun& run : scene.runs) {
      const double each = run.seconds * 1e9 / static_cast<double>(scene.bodies);
      text += fmt::format("  {:<8} {:>7} {:>10.1f} {:>18.2f}  {:016x}{}\n", isa_name(run.isa),
                          run.threads, each, million_bodies_a_second(scene, run), run.hash,
                          run.hash == scene.runs[0].hash ? "" : "  DIFFERS");
    }
    text += is_alike(scene) ? "  the same contacts, to the bit, on every line\n"
                            : "  CONTACTS DIFFER\n";
  }
  text += fmt::format(
      "\n{} in float, judged by the reference in extended precision (shares of the size)\n\n",
      counted(total_pairs(report), "pair"));
  text += fmt::format("  {:<24} {:>8} {:>9} {:>6} {:>10} {:>10}\n", "kinds", "pairs", "contacts",
                      "wrong", "depth off", "normal off");
  for (const DemoErrors& errors : report.errors) {
    text += fmt::format("  {:<24} {:>8} {:>9} {:>6} {:>10} {:>10}\n", kinds_text(errors),
                        grouped(errors.pairs), grouped(errors.contacts), grouped(errors.wrong),
                        share_text(errors.depth), share_text(errors.normal));
  }
  return text + fmt::format("\n  {:.1f} s in all", report.seconds);
}

std::string demo_json(const DemoReport& report) {
  nlohmann::ordered_json json;
  json["version"] = report.version;
  json["cpu"] = report.cpu;
  json["date"] = report.date;
  json["threads"] = report.threads;
  json["seconds"] = report.seconds;
  json["right"] = is_right(report);
  json["scenes"] = nlohmann::ordered_json::array();
  for (const DemoScene& scene : report.scenes) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const DemoRun& run : scene.runs) {
      runs.push_back({{"isa", isa_name(run.isa)},
                      {"threads", run.threads},
                      {"seconds", run.seconds},
                      {"hash", fmt::format("{:016x}", run.hash)}});
    }
    json["scenes"].push_back({{"name", scene.name},
                              {"dimension", scene.dimension},
                              {"worlds", scene.worlds},
                              {"bodies", scene.bodies},
                              {"pairs", scene.pairs},
                              {"contacts", scene.contacts},
                              {"alike", is_alike(scene)},
                              {"runs", runs}});
  }
  json["errors"] = nlohmann::ordered_json::array();
  for (const DemoErrors& errors : report.errors) {
    json["errors"].push_back({{"kinds", errors.kinds},
                              {"dimension", errors.dimension},
                              {"pairs", errors.pairs},
                              {"contacts", errors.contacts},
                              {"wrong", errors.wrong},
                              {"depth", errors.depth},
                              {"normal", errors.normal}});
  }
  return json.dump(2);
}

}  // namespace widephase::tools
