// widephase-mpi: one scene, or step after step of it, on the ranks of mpirun. Exit codes as those of `widephase`.

#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include <widephase/distributed_scene.hpp>
#include <widephase/version.hpp>

#include "mpi/messages.hpp"
#include "mpi/rows.hpp"
#include "tools/commands/call_options.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/stopwatch.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/mpi/events.hpp"
#include "tools/mpi/watched.hpp"

namespace widephase::tools {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string scene;
  std::string out;
  std::string precision;
  std::string division = "automatic";
  std::string steps;
  int repeat = 1;
  bool tracks = false;
  bool is_per_rank = false;
  bool resumes = false;
  bool json = false;
  CollideOptions options;
};

/// What is said of a step, alike on all ranks.
struct StepReport {
  std::int64_t step = -1;
  std::int64_t shapes = 0, pairs = 0, candidates = 0, contacts = 0, copied = 0;
  std::int64_t moved_bytes = 0, copied_bytes = 0;
  double imbalance = 1;
  double seconds = 0;  ///< of the fastest call, until the last rank has its contacts
  std::uint64_t hash = 0;
  std::int64_t begun = 0, ended = 0;  ///< contacts, of a tracker
};

/// The first and the last step of "all", "7" or "0:99".
std::pair<std::int32_t, std::int32_t> steps_of(const std::string& text, std::int32_t worlds) {
  if (text == "all") return {0, worlds - 1};
  const std::size_t colon = text.find(':');
  std::int32_t first = 0, last = 0;
  const bool is_number = CLI::detail::lexical_cast(text.substr(0, colon), first) &&
                         (colon == std::string::npos ||
                          CLI::detail::lexical_cast(text.substr(colon + 1), last));
  if (colon == std::string::npos) last = first;
  if (!is_number || first < 0 || last < first || last >= worlds) {
    throw UsageError(fmt::format(
        "--steps {} is not a stretch of steps; expected all, N or N:M of 0 to {}", text, worlds - 1));
  }
  return {first, last};
}

template <int D, class T>
class Run {
 public:
  Run(const Arguments& arguments, const SceneFile& file, const Communicator& ranks)
      : arguments_(arguments), file_(file), ranks_(ranks) {
    file.to_columns(scene_);
    if (file.pairs()) {
      throw FileError(file.path(), "has pairs of its own; ranks find theirs, so leave out pairs");
    }
    DistributedOptions how;
    how.division = arguments.division == "worlds"  ? Division::worlds
                   : arguments.division == "space" ? Division::space
                                                   : Division::automatic;
    distributed_.emplace(ranks.get(), how);
  }

  void run() {
    if (arguments_.steps.empty()) {
      distributed_->take_whole(SceneSpan<D, T>(scene_));
      scene_ = {};
      answer(std::nullopt);
      return;
    }
    const auto [first, last] = steps_of(arguments_.steps, file_.world_count());
    for (std::int32_t step = first; step <= last; ++step) {
      const bool is_written = is_done(step);
      // What a tracker says of a step depends on those before, which are computed again.
      if (is_written && !arguments_.tracks) continue;
      take_step(step);
      answer(step, is_written);
    }
  }

 private:
  /// What is in a step: its world's shapes and those of world -1. Rows of the file are kept.
  void take_step(std::int32_t step) {
    RowLists lists;
    const Present present = columns_of(scene_);
    RowsSpan<D, T> whole{SceneSpan<D, T>(scene_), {}, {}};
    std::array<Column<std::int32_t>, kKindCount> numbers;
    for_each_table(scene_, [&](const auto& table) {
      constexpr std::size_t kKind = kind_index<decltype(table)>();
      const std::size_t count = row_count(table);
      numbers[kKind].resize(count);
      whole.row[kKind] = numbers[kKind];
      for (std::size_t row = 0; row < count; ++row) {
        const std::int32_t world = value_or(table.world, row, 0);
        if (world != step && world != -1) continue;
        lists.shapes[kKind].push_back(static_cast<std::uint32_t>(row));
      }
    });
    // Rows stay valid: `step_` is scratch of them until the next step.
    step_.clear();
    append<D, T>(whole, lists, present, step_);
    if (arguments_.tracks) {  // a shape's name has its world, here the same in all steps
      for_each_table(step_.scene, [](auto& table) {
        for (std::size_t row = 0; row < table.world.size(); ++row) {
          table.world[row] = std::min(table.world[row], 0);
        }
      });
    }
    SceneSpan<D, T> part(scene_);
    const SceneSpan<D, T> chosen(step_.scene);
    for_each_table_pair(part, chosen, [](auto& to, const auto& from) { to = from; });
    file_ids_.swap(last_file_ids_);
    file_ids_.clear();
    const SceneLayout all = layout_of(scene_);
    for (std::size_t k = 0; k < kKindCount; ++k) {
      for (const std::uint32_t row : lists.shapes[k]) {
        file_ids_.push_back(all.first[k] + static_cast<std::int32_t>(row));
      }
    }
    excluded_.clear();
    for (std::size_t i = 0; i < scene_.excluded.size(); ++i) {
      const auto place = [&](std::int32_t id) {
        const auto found = std::lower_bound(file_ids_.begin(), file_ids_.end(), id);
        return found != file_ids_.end() && *found == id
                   ? static_cast<std::int32_t>(found - file_ids_.begin())
                   : -1;
      };
      const std::int32_t a = place(scene_.excluded(i, 0)), b = place(scene_.excluded(i, 1));
      if (a >= 0 && b >= 0) excluded_.push_back({a, b});
    }
    part.excluded = excluded_;
    distributed_->take_whole(part);
  }

  void answer(std::optional<std::int32_t> step, bool is_written = false) {
    ContactBuffer<D, T> contacts, gathered;
    double seconds = std::numeric_limits<double>::infinity();
    for (int i = 0; i < arguments_.repeat; ++i) {
      MPI_Barrier(ranks_.get());
      const Stopwatch watch;
      if (arguments_.tracks) {
        distributed_->step(contacts, tracker_, arguments_.options);
      } else {
        distributed_->step(contacts, arguments_.options);
      }
      MPI_Barrier(ranks_.get());
      seconds = std::min(seconds, watch.seconds());
    }
    // Contacts are of the file's shapes, not of a step's.
    for (Pair& pair : std::span<Pair>(contacts.pair.plane(), contacts.size())) {
      if (!step) break;
      pair = {file_ids_[static_cast<std::size_t>(pair.a)], file_ids_[static_cast<std::size_t>(pair.b)]};
    }
    std::optional<ContactEvents> events;
    if (arguments_.tracks) events = events_of(contacts);
    if (is_written) return;
    StepReport report = report_of(step, contacts);
    report.seconds = seconds;
    if (!arguments_.out.empty()) {
      if (!arguments_.is_per_rank) gather<D, T>(ranks_.get(), contacts, gathered);
      const bool writes = arguments_.is_per_rank || ranks_.rank() == 0;
      together([&] {
        if (!writes) return;
        try {
          write(step, arguments_.is_per_rank ? contacts : gathered, events ? &*events : nullptr);
        } catch (const std::exception& error) {
          throw std::runtime_error(fmt::format(
              "{} (rank {}){}", error.what(), ranks_.rank(),
              step ? "; mend that, and go on with the same command and --resume" : ""));
        }
      });
      if (step || arguments_.is_per_rank) {
        together([&] { if (ranks_.rank() == 0) add_to_manifest(step, report); });
      }
    }
    if (ranks_.rank() == 0) print(report);
  }

  void together(const std::function<void()>& work) { run_together(ranks_, work); }

  /// A file of a rank's own has its events, numbered over all ranks' files; else rank 0 has all.
  ContactEvents events_of(const ContactBuffer<D, T>& contacts) {
    ContactEvents events;
    if (arguments_.is_per_rank) {
      events = {tracker_.last_contact(), tracker_.last_point(), {}};
      events.ended.pair = tracker_.ended().pair;
      events.ended.contact = tracker_.ended().contact;
    } else {
      events = gatherer_.gather(ranks_, contacts, tracker_);
    }
    // What ended is told by the file's shapes too.
    const ShapesById shapes{rows_of(file_), {}};
    EndedContacts& ended = events.ended;
    for (Pair& pair : std::span<Pair>(ended.pair.plane(), ended.size())) {
      pair = {last_file_ids_[static_cast<std::size_t>(pair.a)],
              last_file_ids_[static_cast<std::size_t>(pair.b)]};
      const ShapeRow a = shapes[pair.a], b = shapes[pair.b];
      ended.key.push_back({a.key, b.key});
      ended.world.push_back({std::max(a.world, b.world)});
      ended.kept.push_back({0, 0});
    }
    return events;
  }

  StepReport report_of(std::optional<std::int32_t> step, const ContactBuffer<D, T>& contacts) {
    const DistributedStats& stats = distributed_->stats();
    StepReport report;
    report.step = step.value_or(-1);
    report.shapes = ranks_.sum(stats.own_shapes);
    report.pairs = ranks_.sum(stats.pairs);
    report.candidates = ranks_.sum(stats.candidates);
    report.contacts = ranks_.sum(stats.contacts);
    report.copied = ranks_.sum(stats.copied_shapes);
    report.moved_bytes = ranks_.sum(stats.moved_bytes);
    report.copied_bytes = ranks_.sum(stats.copied_bytes);
    report.imbalance = stats.imbalance;
    if (arguments_.tracks) {
      const Column<std::int64_t>& last = tracker_.last_contact();
      report.begun = ranks_.sum(std::int64_t{std::count(last.begin(), last.end(), -1)});
      report.ended = ranks_.sum(static_cast<std::int64_t>(tracker_.ended().size()));
    }
    report.hash = content_hash<D, T>(ranks_.get(), contacts);
    return report;
  }

  std::string name_of_step(std::optional<std::int32_t> step, int rank) const {
    std::string name = step ? fmt::format("step_{:06}", *step) : "contacts";
    if (arguments_.is_per_rank) name += fmt::format(".rank_{:04}", rank);
    return name + ".npz";
  }

  void write(std::optional<std::int32_t> step, const ContactBuffer<D, T>& contacts,
             const ContactEvents* events) {
    std::string path = arguments_.out;
    if (step || arguments_.is_per_rank) {
      fs::create_directories(path);
      path = (fs::path(path) / name_of_step(step, ranks_.rank())).string();
    }
    OutputFile out(path);
    const ShapesById shapes{rows_of(file_), {}};
    const ContactSides sides = sides_of(contacts.pair, shapes);
    write_contacts_npz(contacts, out, &sides, events);
    out.commit();
  }

  std::string manifest_path() const { return (fs::path(arguments_.out) / "manifest.json").string(); }

  /// What all files of a folder have in common; a folder of other answers is not gone on with.
  nlohmann::ordered_json head() const {
    const CollideOptions& options = arguments_.options;
    nlohmann::ordered_json head;
    head["scene"] = fs::path(arguments_.scene).filename().string();
    head["shapes"] = file_.shape_count();
    head["precision"] = is_mixed<T> ? "mixed" : std::is_same_v<T, float> ? "float" : "double";
    head["margin"] = options.margin;
    head["method"] = kMethodWords[static_cast<std::size_t>(options.method)];
    head["most_patches"] = options.most_patches;
    head["patch_angle"] = options.patch_angle;
    if (arguments_.tracks) head["track"] = true;
    if (arguments_.is_per_rank) head["ranks"] = ranks_.size();
    return head;
  }

  /// Whether an earlier run has written a step, which rank 0 looks up for all.
  bool is_done(std::int32_t step) {
    if (!arguments_.resumes) return false;
    int is_done = 0;
    together([&] {
      if (ranks_.rank() != 0) return;
      if (!has_manifest_) read_manifest();
      is_done = done_.contains(step) ? 1 : 0;
    });
    MPI_Bcast(&is_done, 1, MPI_INT, 0, ranks_.get());
    return is_done != 0;
  }

  void read_manifest() {
    has_manifest_ = true;
    std::ifstream file(manifest_path());
    if (!file) return;
    const auto manifest = nlohmann::ordered_json::parse(file, nullptr, false);
    if (manifest.is_discarded() || !manifest.contains("answers") || manifest["of"] != head()) {
      throw FileError(manifest_path(), "is not of this scene and these options; give another --out");
    }
    for (const auto& entry : manifest["answers"]) {
      bool is_there = true;
      for (const auto& name : entry["files"]) {
        is_there = is_there && fs::exists(fs::path(arguments_.out) / name.get<std::string>());
      }
      if (is_there) done_[entry["step"].get<std::int64_t>()] = entry;
    }
  }

  void add_to_manifest(std::optional<std::int32_t> step, const StepReport& report) {
    nlohmann::ordered_json entry;
    entry["step"] = report.step;
    entry["files"] = nlohmann::ordered_json::array();
    for (int rank = 0; rank < (arguments_.is_per_rank ? ranks_.size() : 1); ++rank) {
      entry["files"].push_back(name_of_step(step, rank));
    }
    entry["contacts"] = report.contacts;
    entry["content_hash"] = fmt::format("{:016x}", report.hash);
    done_[report.step] = entry;
    nlohmann::ordered_json manifest;
    manifest["of"] = head();
    manifest["answers"] = nlohmann::ordered_json::array();
    for (const auto& [number, done] : done_) manifest["answers"].push_back(done);
    OutputFile out(manifest_path());
    out.write(manifest.dump(1) + "\n");
    out.commit();
  }

  void print(const StepReport& report) const {
    if (!arguments_.json) {
      fmt::print("{}{} shapes on {} ranks: {} pairs, {} contacts{}, content {:016x}\n",
                 report.step < 0 ? "" : fmt::format("step {}: ", report.step), report.shapes,
                 ranks_.size(), report.pairs, report.contacts,
                 arguments_.tracks
                     ? fmt::format(" ({} begin, {} end)", report.begun, report.ended)
                     : "",
                 report.hash);
      std::fflush(stdout);
      return;
    }
    nlohmann::ordered_json json;
    if (report.step >= 0) json["step"] = report.step;
    json["shapes"] = report.shapes;
    json["ranks"] = ranks_.size();
    json["pairs"] = report.pairs;
    json["candidates"] = report.candidates;
    json["contacts"] = report.contacts;
    if (arguments_.tracks) {
      json["begun"] = report.begun;
      json["ended"] = report.ended;
    }
    json["content_hash"] = fmt::format("{:016x}", report.hash);
    json["seconds"] = report.seconds;
    json["copied_shapes"] = report.copied;
    json["copied_bytes"] = report.copied_bytes;
    json["moved_bytes"] = report.moved_bytes;
    json["imbalance"] = report.imbalance;
    fmt::print("{}\n", json.dump());
    std::fflush(stdout);
  }

  const Arguments& arguments_;
  const SceneFile& file_;
  const Communicator& ranks_;
  SceneColumns<D, T> scene_;
  std::optional<DistributedScene<D, T>> distributed_;
  Rows<D, T> step_;
  DistributedTracker<D, T> tracker_;
  EventGatherer<D, T> gatherer_;
  std::vector<std::int32_t> file_ids_, last_file_ids_;  ///< of the shapes of this step, the last one
  Column<std::int32_t, 2> excluded_;
  bool has_manifest_ = false;
  std::map<std::int64_t, nlohmann::ordered_json> done_;  ///< entries of the manifest, on rank 0
};

void collide_scene(const Arguments& arguments, const Communicator& ranks) {
  if ((arguments.is_per_rank || arguments.resumes) && arguments.out.empty()) {
    throw UsageError("--per-rank and --resume are for files; add --out");
  }
  if (arguments.resumes && arguments.steps.empty()) {
    throw UsageError("--resume goes on with steps; add --steps");
  }
  if (arguments.tracks && arguments.steps.empty()) {
    throw UsageError("--track follows contacts from step to step; add --steps");
  }
  if (arguments.repeat > 1 && !arguments.steps.empty()) {
    throw UsageError("--repeat is for one answer; leave out --steps");
  }
  std::optional<SceneFile> file;
  run_together(ranks, [&] { file.emplace(read_complete_scene(arguments.scene)); });
  try {
    in_numbers(file->dimension(), precision_of(arguments.precision, *file), [&]<int D, class T>() {
      Run<D, T>(arguments, *file, ranks).run();
      return 0;
    });
  } catch (const Error& error) {
    // A file's sentence names it already; the library's does not.
    const std::string text = error.what();
    const bool is_named = text.find(": ") != std::string::npos;
    throw std::runtime_error(is_named ? text : arguments.scene + ": " + text);
  }
}

/// Whether other ranks do not end too, and wait for this one.
bool is_alone() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int are_all_here = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (are_all_here == 0 && std::chrono::steady_clock::now() < limit) {
    MPI_Test(&request, &are_all_here, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return are_all_here == 0;
}

/// Says once what ends all ranks, or ends the others with the sentence of the one that fails.
int fail(const Communicator& ranks, int code, const std::string& text) {
  if (is_alone()) {
    print_error(fmt::format("widephase-mpi: rank {} fails alone, and so ends the others: {}",
                            ranks.rank(), printable(text)));
    MPI_Abort(MPI_COMM_WORLD, code);
  } else if (ranks.rank() == 0) {
    print_error((code == 2 ? "widephase-mpi: " : "") + printable(text));
  }
  return code;
}

int run(int argc, char** argv, const Communicator& ranks) {
  Arguments arguments;
  arguments.options.threads.count = 1;
  CLI::App app("Collides one scene on the ranks of mpirun.", "widephase-mpi");
  app.set_version_flag("--version", "widephase " + std::string(version()), "Print the version");
  app.require_subcommand(1);
  CLI::App* collide = app.add_subcommand("collide", "Find all contacts of a scene");
  collide->add_option("SCENE", arguments.scene, "A scene that every rank can read")->required();
  collide->add_option("-o,--out", arguments.out,
                      "Write the contacts: an .npz; with --steps or --per-rank a folder with a manifest");
  collide->add_option("--steps", arguments.steps,
                      "Answer world after world, each as a step: all, N, or N:M")
      ->type_name("STEPS");
  collide->add_flag("--track", arguments.tracks,
                    "Follow contacts through the steps: files have last_contact, last_point and "
                    "ended.pair, ended.contact, ... too, by places in the last step's file");
  collide->add_flag("--resume", arguments.resumes, "Go on where the manifest of --out ends");
  collide->add_flag("--per-rank", arguments.is_per_rank, "Each rank writes a file of its own");
  collide->add_option("--division", arguments.division,
                      "What ranks own: space, or whole worlds (default: automatic, worlds where "
                   "these give all ranks about as much)")
      ->transform(one_of({"automatic", "space", "worlds"}));
  add_call_options(*collide, {Call::stream_collide}, arguments.options);
  add_precision(*collide, arguments.precision);
  collide
      ->add_option("--repeat", arguments.repeat,
                   "Step so often, and report the fastest (default: 1)")
      ->type_name("N")
      ->transform(whole_number(1, 1000000));
  collide->add_flag("--json", arguments.json, "Print one JSON object per answer");
  try {
    app.parse(argc, argv);
    collide_scene(arguments, ranks);
    return 0;
  } catch (const CLI::Success& asked_for_text) {
    if (ranks.rank() == 0) app.exit(asked_for_text);
    return 0;
  } catch (const CLI::ParseError& error) {
    return fail(ranks, 2, error.what());
  } catch (const UsageError& error) {
    return fail(ranks, 2, error.what());
  } catch (const std::exception& error) {
    return fail(ranks, 1, text_of_failure(ranks, error));
  }
}

}  // namespace
}  // namespace widephase::tools

int main(int argc, char** argv) {
  bool has_steps = false, has_out = false, is_per_rank = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    has_steps |= word.starts_with("--steps");
    is_per_rank |= word.starts_with("--per-rank");
    has_out |= word.starts_with("-o") || word.starts_with("--out");
  }
  const auto work = [&] {
    // Threads compute, and the first alone speaks with other ranks.
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    widephase::tools::remove_unfinished_files_on_signals();
    int code = 0;
    {
      const widephase::Communicator ranks(MPI_COMM_WORLD);
      code = widephase::tools::run(argc, argv, ranks);
    }
    MPI_Finalize();
    return code;
  };
  const char* const advice =
      has_steps && has_out ? "run the same command with --resume to go on after the last whole step"
      : is_per_rank        ? "some ranks' files may be there and others not: run the command again"
                           : "run the command again";
  return widephase::tools::watched(work, advice);
}
