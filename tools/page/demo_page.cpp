// The page of the demo: only markup and style, so that every browser shows it.

#include <fmt/format.h>

#include <algorithm>

#include "tools/formats/wording.hpp"
#include "tools/page/demo_report.hpp"
#include "tools/pictures/svg.hpp"

namespace widephase::tools {

namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1f2328; --soft: #656d76; --line: #d0d7de; --bar: #0b6e99;
  --paper: #ffffff; --good: #1a7f37; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #8d96a0; --line: #30363d;
  --bar: #4aa8d0; --paper: #0d1117; --good: #3fb950; --bad: #ff7b72; } }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
p { margin: .3rem 0 .8rem; } .soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.pictures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.pictures svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { font-weight: 600; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.bar { width: 40%; min-width: 6rem; text-align: left; }
td.bar span { display: block; height: .9rem; background: var(--bar); border-radius: 2px; }
code { font: .9em ui-monospace, monospace; } pre { overflow-x: auto; border: 1px solid var(--line);
  border-radius: 6px; padding: .7rem; }
)";

std::string throughput(const DemoScene& scene) {
  double most = 0;
  for (const DemoRun& run : scene.runs) {
    most = std::max(most, million_bodies_a_second(scene, run));
  }
  std::string rows;
  for (const DemoRun& run : scene.runs) {
    const double rate = million_bodies_a_second(scene, run);
    const bool is_same = run.hash == scene.runs[0].hash;
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.1f}</td><td>{:.2f}</td><td class=\"bar\"><span "
        "style=\"width:{:.1f}%\"></span></td><td><code>{:016x}</code></td><td class=\"{}\">{}</td>"
        "</tr>\n",
        isa_name(run.isa), run.threads, run.seconds * 1e9 / static_cast<double>(scene.bodies), rate,
        rate / most * 100, run.hash, is_same ? "good" : "bad", is_same ? "same" : "differs");
  }
  return fmt::format(
      "<h2>{}</h2>\n<p>{}, {} bodies, {}, {}.</p>\n<div class=\"wide\"><table>\n"
      "<tr><th>set</th><th>threads</th><th>ns a body</th><th>million bodies a second</th><th></th>"
      "<th>hash of the contacts</th><th></th></tr>\n{}</table></div>\n",
      escaped(scene.name), counted(scene.worlds, "world"), grouped(scene.bodies),
      counted(scene.pairs, "pair"), counted(scene.contacts, "contact"), rows);
}

std::string errors_table(const DemoReport& report) {
  std::string rows;
  for (const DemoErrors& errors : report.errors) {
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td "
        "class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(kinds_text(errors)), grouped(errors.pairs), grouped(errors.contacts),
        errors.wrong == 0 ? "good" : "bad", grouped(errors.wrong), share_text(errors.depth),
        share_text(errors.normal));
  }
  return "<div class=\"wide\"><table>\n<tr><th>kinds</th><th>pairs</th><th>contacts</th>"
         "<th>wrong</th><th>depth off</th><th>normal off</th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace

std::string demo_page(const DemoReport& report) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>widephase on this machine</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>widephase {}</h1>\n<p class=\"soft\">{}, {}, {}; {:.1f} s in all.</p>\n"
      "<p class=\"{}\">{}</p>\n",
      kStyle, escaped(report.version), escaped(report.cpu), counted(report.threads, "thread"),
      report.date, report.seconds, is_right(report) ? "good" : "bad",
      is_right(report) ? "Every instruction set and number of threads found the same contacts, to "
                         "the bit, and the reference found no answer wrong."
                       : "Some answers differ or are wrong: see the tables.");
  page += "<div class=\"pictures\">\n";
  for (const DemoScene& scene : report.scenes) page += scene.picture;
  page += "</div>\n";
  for (const DemoScene& scene : report.scenes) page += throughput(scene);
  page +=
      "<h2>Errors</h2>\n<p>Pairs of the first worlds, in <code>float</code>, judged by the minimum "
      "translation by exhaustion in extended precision, which shares no code with the kernels. "
      "Errors are "
      "shares of the pair's size; a normal's is what leaving along it takes beyond the least. "
      "Wrong "
      "is a yes or no beyond rounding, or an error above 1e-5.</p>\n" +
      errors_table(report) +
      "<h2>Again</h2>\n<pre>widephase demo\n"
      "widephase generate worlds --count 262144 -o worlds.npz\n"
      "widephase collide worlds.npz --threads 1 --isa sse2 --repeat 3</pre>\n</body>\n</html>\n";
  return page;
}

}  // namespace widephase::tools
