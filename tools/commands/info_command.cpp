#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <vector>

#include <widephase/collide.hpp>
#include <widephase/isa.hpp>
#include <widephase/meshes.hpp>
#include <widephase/version.hpp>

#include "soa/kind_traits.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/cpu_name.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/page/view_page_parts.hpp"

namespace widephase::tools {

namespace {

/// The kinds of a dimension, in the order of their numbers.
std::vector<Kind> kinds_of_dimension(int dimension) {
  std::vector<Kind> kinds;
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (is_in(kind, dimension)) kinds.push_back(kind);
  }
  return kinds;
}

/// "none" if the environment names a set that cannot run; `collide` then reports the reason.
std::string chosen_name() {
  try {
    return std::string(isa_name(chosen_isa()));
  } catch (const Error& error) {
    return fmt::format("none ({})", error.what());
  }
}

nlohmann::ordered_json pairs_json(int dimension) {
  nlohmann::ordered_json pairs = nlohmann::ordered_json::object();
  const std::vector<Kind> kinds = kinds_of_dimension(dimension);
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (std::size_t b = a; b < kinds.size(); ++b) {
      pairs[pair_kind_name(pair_kind(kinds[a], kinds[b]), dimension)] =
          has_kernel(dimension, kinds[a], kinds[b]);
    }
  }
  return pairs;
}

void print_json() {
  nlohmann::ordered_json json;
  json["version"] = version();
  json["isas"] = nlohmann::ordered_json::array();
  for (const Isa isa : built_isas()) {
    json["isas"].push_back({{"name", isa_name(isa)}, {"cpu_has", cpu_has(isa)}});
  }
  json["chosen"] = chosen_name();
  json["cpu"] = cpu_name();
  json["view"] = *kViewPage != '\0';
  json["threads"] = std::thread::hardware_concurrency();
  json["pairs"] = {{"2", pairs_json(2)}, {"3", pairs_json(3)}};
  fmt::print("{}\n", json.dump(2));
}

void print_matrix(int dimension) {
  const std::vector<Kind> kinds = kinds_of_dimension(dimension);
  fmt::print("\n  {}D          ", dimension);
  for (const Kind kind : kinds) fmt::print(" {:>11}", kind_name(kind, dimension));
  fmt::print("\n");
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    fmt::print("  {:<12}", kind_name(kinds[a], dimension));
    for (std::size_t b = 0; b < kinds.size(); ++b) {
      const bool is_solid_pair = !can_meet(kinds[a], kinds[b], dimension);
      const bool has_one = has_kernel(dimension, kinds[a], kinds[b]);
      fmt::print(" {:>11}", b < a ? "" : is_solid_pair ? "never" : has_one ? "yes" : "-");
    }
    fmt::print("\n");
  }
}

void print_info() {
  fmt::print("widephase {}\n\n", version());
  std::string sets;
  for (const Isa isa : built_isas()) {
    sets += fmt::format("{}{}{}", sets.empty() ? "" : ", ", isa_name(isa),
                        cpu_has(isa) ? "" : " (not on this CPU)");
  }
  fmt::print("  {:<16} {}\n", "instruction sets", sets);
  fmt::print("  {:<16} {}\n", "chosen", chosen_name());
  fmt::print("  {:<16} {}\n", "CPU", cpu_name());
  fmt::print("  {:<16} {}\n", "threads", std::thread::hardware_concurrency());
  fmt::print("\nPairs of kinds with kernels (a pair has one kernel for both orders):\n");
  print_matrix(2);
  print_matrix(3);
}

/// What the meshes of a scene are made of; scans have flips and borders where none should be.
std::vector<MeshSummary> mesh_summaries(const SceneFile& scene) {
  std::vector<MeshSummary> summaries;
  if (scene.find("meshes.vertices") == nullptr) return summaries;
  SceneColumns<3, double> columns;
  scene.to_columns(columns);
  for (std::size_t m = 0; m + 1 < columns.mesh_geometries.vertex_offsets.size(); ++m) {
    try {
      summaries.push_back(mesh_summary(columns.mesh_geometries, static_cast<std::int32_t>(m)));
    } catch (const Error& error) {
      throw FileError(scene.path(), said(error));
    }
  }
  return summaries;
}

/// What `info` tells of a height field.
struct FieldFacts {
  std::int64_t rows = 0, columns = 0;
  double cell[2] = {};
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  std::int64_t holes = 0;  ///< samples that are NaN
  std::size_t bytes = 0;   ///< of the samples, as the file has them
};

/// A file's arrays have the right shapes and types; here are their numbers checked.
std::vector<FieldFacts> field_facts(const SceneFile& scene) {
  std::vector<FieldFacts> all;
  const Array* const heights = scene.find("heightfields.heights");
  if (heights == nullptr) return all;
  const auto offsets = scene.find("heightfields.offsets")->values<std::int64_t>();
  const auto columns = scene.find("heightfields.columns")->values<std::int32_t>();
  const Array& cells = *scene.find("heightfields.cell");
  for (std::size_t f = 0; f + 1 < offsets.size(); ++f) {
    const std::int64_t begin = offsets[f], end = offsets[f + 1];
    if (f >= columns.size() || f >= cells.rows() || columns[f] < 1 || begin < 0 || end < begin ||
        end > static_cast<std::int64_t>(heights->count()) || (end - begin) % columns[f] != 0) {
      throw FileError(scene.path(), fmt::format("has no whole rows of heights for field {}: "
                                                "heightfields.offsets, .columns and .cell do not "
                                                "fit .heights",
                                                f));
    }
    FieldFacts& facts = all.emplace_back();
    facts.columns = columns[f];
    facts.rows = (end - begin) / facts.columns;
    facts.bytes = static_cast<std::size_t>(end - begin) * size_of(heights->type());
    visit_values(cells, [&](auto values) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        facts.cell[axis] = static_cast<double>(values[2 * f + axis]);
      }
    });
    visit_values(*heights, [&](auto values) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto height = static_cast<double>(values[static_cast<std::size_t>(i)]);
        if (std::isnan(height)) {
          ++facts.holes;
        } else {
          facts.lowest = std::min(facts.lowest, height);
          facts.highest = std::max(facts.highest, height);
        }
      }
    });
  }
  return all;
}

/// What `info` tells of a chain.
struct ChainFacts {
  std::int64_t vertices = 0, segments = 0;
  std::int64_t beyond = 0;  ///< segments that are neighbours'
  bool is_loop = false, is_two_sided = false;
  double length = 0;  ///< of its own segments
};

std::vector<ChainFacts> chain_facts(const SceneFile& scene) {
  std::vector<ChainFacts> all;
  if (scene.find("chains.vertices") == nullptr) return all;
  SceneColumns<2, double> columns;
  scene.to_columns(columns);
  const ChainTable<Owned<2, double>>& table = columns.chain_geometries;
  const auto number_of = [](const auto& column, std::size_t c) {
    return c < column.size() ? static_cast<std::int64_t>(column[c]) : 0;
  };
  for (std::size_t c = 0; c + 1 < table.offsets.size(); ++c) {
    const std::int64_t begin = table.offsets[c], end = table.offsets[c + 1];
    if (begin < 0 || end < begin || end > static_cast<std::int64_t>(table.vertices.size())) {
      throw FileError(scene.path(), fmt::format("has no whole chain {}: chains.offsets do not fit "
                                                "chains.vertices",
                                                c));
    }
    ChainFacts& facts = all.emplace_back();
    facts.is_loop = number_of(table.loop, c) != 0;
    facts.is_two_sided = number_of(table.two_sided, c) != 0;
    facts.vertices = end - begin;
    facts.segments = std::max<std::int64_t>(0, facts.vertices - (facts.is_loop ? 0 : 1));
    const std::int64_t before = number_of(table.before, c), after = number_of(table.after, c);
    facts.beyond = before + after;
    const std::int64_t own_end = facts.segments - std::max<std::int64_t>(0, after);
    for (std::int64_t s = std::max<std::int64_t>(0, before); s < own_end; ++s) {
      const auto from = static_cast<std::size_t>(begin + s);
      const auto to = static_cast<std::size_t>(begin + (s + 1) % facts.vertices);
      facts.length += std::hypot(table.vertices(to, 0) - table.vertices(from, 0),
                                 table.vertices(to, 1) - table.vertices(from, 1));
    }
  }
  return all;
}

nlohmann::ordered_json scene_json(const SceneFile& scene) {
  nlohmann::ordered_json json;
  json["dimension"] = scene.dimension();
  json["shapes"] = scene.shape_count();
  json["worlds"] = scene.world_count();
  json["frames"] = std::vector<std::int64_t>(scene.frames().begin(), scene.frames().end());
  json["arrays"] = nlohmann::ordered_json::object();
  for (const NamedArray& entry : scene.arrays()) json["arrays"][entry.name] = entry.array.shape();
  for (const MeshSummary& mesh : mesh_summaries(scene)) {
    json["meshes"].push_back({{"triangles", mesh.triangles},
                              {"beyond", mesh.beyond},
                              {"vertices", mesh.vertices},
                              {"borders", mesh.borders},
                              {"flips", mesh.flips},
                              {"duplicates", mesh.duplicates},
                              {"without_area", mesh.without_area}});
  }
  for (const FieldFacts& field : field_facts(scene)) {
    // JSON has no infinity, so a field of holes alone has no lowest and highest.
    const auto height = [](double value) {
      return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    json["heightfields"].push_back({{"rows", field.rows},
                                    {"columns", field.columns},
                                    {"cell", field.cell},
                                    {"lowest", height(field.lowest)},
                                    {"highest", height(field.highest)},
                                    {"holes", field.holes},
                                    {"bytes", field.bytes}});
  }
  for (const ChainFacts& chain : chain_facts(scene)) {
    json["chains"].push_back({{"vertices", chain.vertices},
                              {"segments", chain.segments},
                              {"beyond", chain.beyond},
                              {"loop", chain.is_loop},
                              {"two_sided", chain.is_two_sided},
                              {"length", chain.length}});
  }
  return json;
}

/// "4: post, beam, tool, ...": how many different names an array has, and some of them.
std::string some_names(const Array& names) {
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < names.count(); ++i) distinct.insert(names.text(i));
  distinct.erase("");
  constexpr std::size_t kFew = 5;
  std::string text =
      fmt::format("{} different", grouped(static_cast<std::int64_t>(distinct.size())));
  std::size_t told = 0;
  for (const std::string& name : distinct) {
    if (told == kFew) return text + ", ...";
    text += (told++ == 0 ? ": " : ", ") + printable(name);
  }
  return text;
}

/// If a scene has more height fields, meshes or chains, the first ones are told.
constexpr std::size_t kMostTold = 20;

void print_more(std::size_t count) {
  if (count > kMostTold) fmt::print("  and {} more\n", count - kMostTold);
}

std::string beyond_text(std::int64_t count) {
  return count == 0 ? "" : fmt::format(" ({} of them beyond)", grouped(count));
}

void print_meshes(const std::vector<MeshSummary>& meshes) {
  if (!meshes.empty()) fmt::print("\nMeshes:\n");
  for (std::size_t m = 0; m < std::min(meshes.size(), kMostTold); ++m) {
    const MeshSummary& mesh = meshes[m];
    fmt::print(
        "  {:<4} {}{}, {} vertices; edges: {} at borders, {} of them flips; {}, {} without area\n",
        m, counted(mesh.triangles, "triangle"), beyond_text(mesh.beyond), grouped(mesh.vertices),
        grouped(mesh.borders), grouped(mesh.flips), counted(mesh.duplicates, "duplicate"),
        grouped(mesh.without_area));
  }
  print_more(meshes.size());
}

void print_chains(const std::vector<ChainFacts>& chains) {
  if (!chains.empty()) fmt::print("\nChains:\n");
  for (std::size_t c = 0; c < std::min(chains.size(), kMostTold); ++c) {
    const ChainFacts& chain = chains[c];
    fmt::print("  {:<4} {}{}, {}, {}, length {:.6g}\n", c, counted(chain.segments, "segment"),
               beyond_text(chain.beyond), chain.is_loop ? "a loop" : "open",
               chain.is_two_sided ? "two-sided" : "one-sided", chain.length);
  }
  print_more(chains.size());
}

void print_scene(const SceneFile& scene) {
  fmt::print("{}\n\n", scene_text(scene, scene.path()));
  for (const NamedArray& entry : scene.arrays()) {
    fmt::print("  {:<24} {}{}\n", entry.name, shape_text(entry.array.shape()),
               entry.array.type() == Type::text ? " " + some_names(entry.array) : "");
  }
  const std::vector<FieldFacts> fields = field_facts(scene);
  if (!fields.empty()) fmt::print("\nHeight fields:\n");
  for (std::size_t f = 0; f < std::min(fields.size(), kMostTold); ++f) {
    const FieldFacts& field = fields[f];
    const std::string heights =
        field.lowest <= field.highest
            ? fmt::format("heights {:.6g} to {:.6g}", field.lowest, field.highest)
            : "no heights";
    fmt::print("  {:<4} {} rows of {}, cells {:.6g} by {:.6g}, {}, {}, {} bytes\n", f,
               grouped(field.rows), grouped(field.columns), field.cell[0], field.cell[1], heights,
               counted(field.holes, "hole"), grouped(static_cast<std::int64_t>(field.bytes)));
  }
  print_more(fields.size());
  print_meshes(mesh_summaries(scene));
  print_chains(chain_facts(scene));
}

}  // namespace

std::function<void()> add_info(CLI::App& app) {
  auto is_json = std::make_shared<bool>(false);
  auto path = std::make_shared<std::string>();
  CLI::App* command = add_command(
      app, "info", "Show version, instruction sets, CPU and pairs of kinds, or what a scene has");
  command->add_flag("--json", *is_json, "Print one JSON object");
  command->add_option("SCENE", *path, "Show what this scene has instead: .npz, .json or .csv")
      ->transform(input_file());
  command->footer(
      "Examples:\n  widephase info\n  WIDEPHASE_ISA=avx2 widephase info\n"
      "  widephase info crowd.npz\n");
  return [is_json, path] {
    if (path->empty()) return *is_json ? print_json() : print_info();
    const SceneFile scene = read_complete_scene(*path);
    if (!*is_json) return print_scene(scene);
    fmt::print("{}\n", scene_json(scene).dump(2));
  };
}

}  // namespace widephase::tools
