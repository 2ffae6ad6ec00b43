// The whole pipeline: bounds, pairs and contacts, from columns in random order to contact arrays.
//
// Names: collide/<scene>/<shapes>/<threads>. `discs` and `mixed2` (circles, oriented boxes,
// polygons of 3 to 8 vertices) are in 2D. Counters: ns_shape; to_aim, that divided by the aim;
// broad (bounds and pairs) and narrow, the parts of ns_shape; pairs and contacts per shape; MB of
// scratch; hash of the contacts. With one thread a call's time is CPU time, but that of its parts
// is of a clock. `call` rows show the cost of a call on few pairs or shapes.
// `far/<scene>/<shapes>/<threads>`: alternates the same scene in float and, moved 1e6 away along
// every axis, in mixed precision. ns_shape, broad and narrow are for mixed precision, of_plain is
// for float, ratio is mixed over float. The label is both hashes.
// `restricted/<filter or periodic>/<shapes>`: in the same way, compares `uniform` spheres as they
// are with the same spheres and a filter that nearly all pairs pass, or in a domain that is
// periodic along all axes.
// `worlds/<question>/<scene>/<worlds>x<shapes>/<threads>`: contacts, yes or no, or the least
// distance of each world in 3D. Counters: ns_world; yes, the share of worlds with a contact; pairs
// tested per world; hash of the answers.
// `arms/<question>/<form>/<worlds>x59/<threads>`: arms of 59 spheres against a shelf of eight boxes
// in world -1: `one` scene, `kept` apart, or on `bodies` in front of a kept shelf. Counters as
// above.
// `static/boxes/<kept>x<moving>/<threads>`: moving boxes against a static scene of boxes, all with
// any orientation in one cube. Counters: ns_moving, per moving box, and its parts broad and narrow;
// build_ms, to build the static scene.
// `step/<scene>/<shapes>/<threads>`: steps with a tracker, with shapes that move a little.
// Counters: ns_shape for a whole step; track, the part of the tracker; track_share, that over the
// rest of the step; kept, the share of points that existed in the previous step; hash of the
// contacts of the fourth step.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <widephase/static_scene.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "arms.hpp"
#include "pair_sets.hpp"

namespace widephase::bench {
namespace {

/// Nanoseconds per shape.
constexpr Aim kAims[] = {
    {"collide/spheres/1000000/1", 90},
    {"collide/power_law/1000000/1", 60},
    {"collide/discs/1000000/1", 50},
    {"collide/mixed2/1000000/1", 150},
};

/// The thread's CPU time where one thread runs, since other programs take time from it; else the
/// time of a clock.
double seconds_now(int threads) {
  if (threads == 1) return thread_seconds();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

template <int D, class T>
void run(benchmark::State& state, const std::string& name, const SceneColumns<D, T>& columns,
         int threads) {
  const SceneSpan<D, T> scene = columns;
  CollideOptions options;
  options.threads.count = threads;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide(scene, contacts, workspace, options);  // buffers grow once
  double best = 1e9, bounds = 0, narrow = 0;
  for (auto _ : state) {
    const double start = seconds_now(threads);
    collide(scene, contacts, workspace, options);
    const double seconds = seconds_now(threads) - start;
    if (seconds >= best) continue;
    best = seconds;
    bounds = workspace.stats().broad_seconds;
    narrow = workspace.stats().narrow_seconds;
  }
  const auto n = static_cast<double>(layout_of(scene).shape_count());
  state.counters["ns_shape"] = best / n * 1e9;
  report_aim(state, kAims, name, best / n * 1e9);
  state.counters["broad"] = bounds / n * 1e9;
  state.counters["narrow"] = narrow / n * 1e9;
  state.counters["pairs"] = static_cast<double>(workspace.pairs().size()) / n;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["scratch_MB"] = static_cast<double>(workspace.bytes()) / 1e6;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

/// The first `count` balls of `uniform` in the cube of `all`, replaced by boxes with any
/// orientation.
SceneColumns<3, float> turned_boxes(std::size_t all, std::size_t count, std::uint64_t seed) {
  const auto balls = generate<3, float>("uniform", {all, seed});
  scenes::Random random(seed);
  SceneColumns<3, float> scene;
  for (std::size_t i = 0; i < count; ++i) {
    const float half = 0.6f * balls.spheres.radius[i];
    scene.boxes.center.push_back(balls.spheres.center.row(i));
    scene.boxes.half_extents.push_back({half, half, half});
    std::array<float, 4> turn;
    const std::array<double, 4> orientation = random.orientation();
    std::copy(orientation.begin(), orientation.end(), turn.begin());
    scene.boxes.turn.push_back(turn);
  }
  return scene;
}

void move_among(benchmark::State& state, std::size_t kept_count, std::size_t moving_count,
                int threads) {
  const auto still = turned_boxes(kept_count, kept_count, 1);
  const auto moving = turned_boxes(kept_count, moving_count, 2);
  CollideOptions options;
  options.threads.count = threads;
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  const double began = seconds_now(threads);
  build_static_scene(still, kept, workspace, options);
  const double build = seconds_now(threads) - began;
  ContactBuffer<3, float> contacts;
  collide(moving, kept, contacts, workspace, options);  // buffers grow once
  double best = 1e9, broad = 0, narrow = 0;
  for (auto _ : state) {
    const double start = seconds_now(threads);
    collide(moving, kept, contacts, workspace, options);
    const double seconds = seconds_now(threads) - start;
    if (seconds >= best) continue;
    best = seconds;
    broad = workspace.stats().broad_seconds;
    narrow = workspace.stats().narrow_seconds;
  }
  const auto n = static_cast<double>(moving_count);
  state.counters["ns_moving"] = best / n * 1e9;
  state.counters["broad"] = broad / n * 1e9;
  state.counters["narrow"] = narrow / n * 1e9;
  state.counters["pairs"] = static_cast<double>(workspace.pairs().size()) / n;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["build_ms"] = build * 1e3;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

/// The scene moved 1e6 away along every axis, with positions in double.
template <int D>
SceneColumns<D, Mixed> far_away(const SceneColumns<D, float>& near) {
  constexpr double kFar = 1e6;
  SceneColumns<D, Mixed> far;
  far.geometries = near.geometries;
  for_each_table_pair(near, far, [](const auto& from, auto& to) {
    for_each_field_pair(from, to, [](const auto& field, const auto& column, auto& moved) {
      using Number = typename std::remove_cvref_t<decltype(moved)>::value_type;
      moved.resize_uninitialized(column.size());
      for (int w = 0; w < std::remove_cvref_t<decltype(moved)>::width; ++w) {
        for (std::size_t i = 0; i < column.size(); ++i) {
          moved(i, w) = static_cast<Number>(column(i, w)) +
                        (field.is_position ? static_cast<Number>(kFar) : Number{0});
        }
      }
    });
  });
  for (std::size_t i = 0; i < near.halfspaces.offset.size(); ++i) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += static_cast<double>(near.halfspaces.normal(i, k));
    far.halfspaces.offset[i] = static_cast<double>(near.halfspaces.offset[i]) + kFar * sum;
  }
  return far;
}

/// Alternates whole steps of a scene and of another scene with as many shapes.
template <int D, class Other>
void run_beside(benchmark::State& state, const SceneColumns<D, float>& plain_columns,
                const SceneColumns<D, Other>& other_columns, int threads) {
  const SceneSpan<D, float> plain = plain_columns;
  const SceneSpan<D, Other> other = other_columns;
  CollideOptions options;
  options.threads.count = threads;
  Workspace<D, float> plain_workspace;
  Workspace<D, Other> other_workspace;
  ContactBuffer<D, float> plain_contacts;
  ContactBuffer<D, Other> other_contacts;
  collide(plain, plain_contacts, plain_workspace, options);  // buffers grow once
  collide(other, other_contacts, other_workspace, options);
  double best_plain = 1e9, best_other = 1e9;
  CollideStats plain_stats, other_stats;
  const auto keep_best = [=](double start, const auto& workspace, double& best,
                             CollideStats& stats) {
    const double seconds = seconds_now(threads) - start;
    if (seconds >= best) return;
    best = seconds;
    stats = workspace.stats();
  };
  for (auto _ : state) {
    double start = seconds_now(threads);
    collide(plain, plain_contacts, plain_workspace, options);
    keep_best(start, plain_workspace, best_plain, plain_stats);
    start = seconds_now(threads);
    collide(other, other_contacts, other_workspace, options);
    keep_best(start, other_workspace, best_other, other_stats);
  }
  const double scale = 1e9 / static_cast<double>(layout_of(other).shape_count());
  state.counters["ns_shape"] = best_other * scale;
  state.counters["of_plain"] = best_plain * scale;
  state.counters["ratio"] = best_other / best_plain;
  state.counters["broad"] = other_stats.broad_seconds * scale;
  state.counters["narrow"] = other_stats.narrow_seconds * scale;
  state.counters["plain_broad"] = plain_stats.broad_seconds * scale;
  state.counters["plain_narrow"] = plain_stats.narrow_seconds * scale;
  char text[40];
  std::snprintf(text, sizeof text, "%016llx %016llx",
                static_cast<unsigned long long>(hash(plain_contacts)),
                static_cast<unsigned long long>(hash(other_contacts)));
  state.SetLabel(text);
}

/// A filter or domain to add to a scene; each lets nearly every pair through.
enum class Restriction { category, owner, body, excluded, periodic };

SceneColumns<3, float> restricted(SceneColumns<3, float> scene, Restriction by) {
  auto& spheres = scene.spheres;
  const auto count = static_cast<std::int32_t>(spheres.radius.size());
  if (by == Restriction::excluded) {
    for (std::int32_t i = 0; i + 10 < count; i += 10) scene.excluded.push_back({i, i + 5});
    return scene;
  }
  if (by == Restriction::periodic) {
    for (int d = 0; d < 3; ++d) {
      const float* const x = spheres.center.plane(d);
      const auto [low, high] = std::minmax_element(x, x + count);
      scene.domain.min[d] = *low;
      scene.domain.max[d] = *high + 1;
      scene.domain.periodic[d] = true;
    }
    return scene;
  }
  for (std::int32_t i = 0; i < count; ++i) {
    if (by == Restriction::category) {
      spheres.category.push_back({1u << (i % 3)});
      spheres.mask.push_back({7u});
    } else if (by == Restriction::owner) {
      spheres.owner.push_back({i / 4});
    } else {
      spheres.body.push_back({i / 4});
    }
  }
  return scene;
}

void add_restriction(const char* name, Restriction by) {
  benchmark::RegisterBenchmark(("restricted/" + std::string(name) + "/1000000").c_str(),
                               [=](benchmark::State& state) {
                                 const auto plain = generate<3, float>("uniform", {1'000'000});
                                 run_beside(state, plain, restricted(plain, by), 1);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

enum class Ask { contacts, any, least };

std::uint64_t fnv(const void* bytes, std::size_t count, std::uint64_t hash) {
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  }
  return hash;
}

void ask_worlds(benchmark::State& state, Ask ask, const char* name, std::size_t worlds,
                std::size_t each, int threads) {
  const auto columns = generate<3, float>(name, {worlds * each, 21, worlds});
  const SceneSpan<3, float> scene = columns;
  CollideOptions options;
  options.threads.count = threads;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  WorldDistanceBuffer<3, float> least;
  std::vector<std::uint8_t> is_contact(worlds);
  const auto call = [&] {
    if (ask == Ask::contacts) collide(scene, contacts, workspace, options);
    if (ask == Ask::any) any_contact(scene, is_contact, workspace, options);
    if (ask == Ask::least) min_distance(scene, least, workspace, options);
  };
  call();  // buffers grow once
  double best = 1e9;
  for (auto _ : state) {
    const double start = seconds_now(threads);
    call();
    best = std::min(best, seconds_now(threads) - start);
  }
  const auto world_count = static_cast<double>(worlds);
  state.counters["ns_world"] = best / world_count * 1e9;
  state.counters["pairs"] = static_cast<double>(workspace.stats().pairs) / world_count;
  state.counters["scratch_MB"] = static_cast<double>(workspace.bytes()) / 1e6;
  std::uint64_t hash_of_answers = 0xcbf29ce484222325u;
  if (ask == Ask::contacts) {
    hash_of_answers = hash(contacts);
  } else if (ask == Ask::any) {
    const auto yes = std::count(is_contact.begin(), is_contact.end(), std::uint8_t{1});
    state.counters["yes"] = static_cast<double>(yes) / world_count;
    hash_of_answers = fnv(is_contact.data(), is_contact.size(), hash_of_answers);
  } else {
    const std::size_t rows = least.pair.size();
    hash_of_answers = fnv(least.pair.plane(), rows * sizeof(Pair), hash_of_answers);
    hash_of_answers = fnv(least.distance.plane(), rows * sizeof(float), hash_of_answers);
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_of_answers));
  state.SetLabel(text);
}

void add_worlds(const std::string& question, Ask ask) {
  const auto add = [&](const char* scene, std::size_t worlds, std::size_t each) {
    for (const int threads : {1, 2}) {
      const std::string row = "worlds/" + question + "/" + scene + "/" + std::to_string(worlds) +
                              "x" + std::to_string(each) + "/" + std::to_string(threads);
      benchmark::RegisterBenchmark(
          row.c_str(),
          [=](benchmark::State& state) { ask_worlds(state, ask, scene, worlds, each, threads); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  };
  add("mixed", 4096, 64);
  add("clustered", 4096, 64);
  add("clustered", 10000, 20);
  add("clustered", 1, 100000);
}

enum class ArmForm { one, kept, bodies };

void ask_arms(benchmark::State& state, Ask ask, ArmForm form) {
  constexpr std::int32_t kArmCount = 4096;
  const Arms arms = make_arms(kArmCount, 31);
  const SceneColumns<3, float> both = with_shelf(arms.placed, arms.shelf);
  Workspace<3, float> workspace;
  StaticScene<3, float> shelf;
  build_static_scene<3, float>(arms.shelf, shelf, workspace);
  SceneSpan<3, float> scene = form == ArmForm::one    ? both
                              : form == ArmForm::kept ? arms.placed
                                                      : arms.carried;
  if (form != ArmForm::one) scene.kept = &shelf;
  CollideOptions options;
  options.threads.count = 1;
  ContactBuffer<3, float> contacts;
  WorldDistanceBuffer<3, float> least;
  std::vector<std::uint8_t> is_contact(kArmCount);
  double best = 1e9;
  CollideStats stats;
  for (auto _ : state) {
    const double start = thread_seconds();
    if (ask == Ask::contacts) collide(scene, contacts, workspace, options);
    if (ask == Ask::any) any_contact(scene, is_contact, workspace, options);
    if (ask == Ask::least) min_distance(scene, least, workspace, options);
    const double seconds = thread_seconds() - start;
    if (seconds < best) stats = workspace.stats();
    best = std::min(best, seconds);
  }
  state.counters["ns_world"] = best / kArmCount * 1e9;
  state.counters["broad"] = stats.broad_seconds / kArmCount * 1e9;
  state.counters["narrow"] = stats.narrow_seconds / kArmCount * 1e9;
  state.counters["pairs"] = static_cast<double>(stats.pairs) / kArmCount;
  const auto yes = std::count(is_contact.begin(), is_contact.end(), std::uint8_t{1});
  if (ask == Ask::any) state.counters["yes"] = static_cast<double>(yes) / kArmCount;
  std::uint64_t answers = 0xcbf29ce484222325u;
  answers = ask == Ask::contacts ? hash(contacts)
            : ask == Ask::any    ? fnv(is_contact.data(), is_contact.size(), answers)
                                 : fnv(least.distance.plane(), kArmCount * sizeof(float), answers);
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(answers));
  state.SetLabel(text);
}

void add_arms(const std::string& question, Ask ask) {
  for (const auto& [name, form] :
       {std::pair{"one", ArmForm::one}, {"kept", ArmForm::kept}, {"bodies", ArmForm::bodies}}) {
    benchmark::RegisterBenchmark(
        ("arms/" + question + "/" + name + "/4096x59/1").c_str(),
        [=, form = form](benchmark::State& state) { ask_arms(state, ask, form); })
        ->Unit(benchmark::kMillisecond);
  }
}

/// Moves every shape that is not a halfspace by at most `most` along each axis.
template <int D, class T>
void move_a_little(SceneColumns<D, T>& scene, T most, Random& random) {
  const auto move = [&](std::initializer_list<Column<T, D>*> columns) {
    for (std::size_t i = 0; i < (*columns.begin())->size(); ++i) {
      for (int k = 0; k < D; ++k) {
        const T by = static_cast<T>(random.uniform(-most, most));
        for (Column<T, D>* column : columns) (*column)(i, k) += by;
      }
    }
  };
  for_each_table(scene, [&](auto& table) {
    if constexpr (requires { table.center; }) move({&table.center});
    if constexpr (requires { table.a; }) move({&table.a, &table.b});
    if constexpr (requires { table.min; }) move({&table.min, &table.max});
  });
}

template <int D>
void take_steps(benchmark::State& state, const char* name, std::size_t count, int threads) {
  constexpr int kFrames = 4;
  SceneColumns<D, float> frames[kFrames];
  frames[0] = generate<D, float>(name, {count});
  Random random(1);
  for (int f = 1; f < kFrames; ++f) {
    frames[f] = frames[f - 1];
    move_a_little(frames[f], 0.01f, random);
  }
  CollideOptions options;
  options.threads.count = threads;
  Workspace<D, float> workspace;
  Tracker<D, float> tracker;
  ContactBuffer<D, float> contacts;
  std::size_t steps = 0;
  double best = 1e9, tracking = 1e9;
  const auto step = [&] {
    // Goes through the frames forwards, then backwards.
    const std::size_t turn = steps++ % (2 * kFrames - 2);
    const SceneSpan<D, float> scene = frames[turn < kFrames ? turn : 2 * kFrames - 2 - turn];
    const double start = seconds_now(threads);
    collide(scene, contacts, workspace, tracker, options);
    best = std::min(best, seconds_now(threads) - start);
    tracking = std::min(tracking, workspace.stats().track_seconds);
  };
  for (int f = 0; f < kFrames; ++f) step();  // buffers grow
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  best = tracking = 1e9;
  for (auto _ : state) step();
  const auto n = static_cast<double>(layout_of(frames[0]).shape_count());
  std::size_t kept = 0;
  for (const std::int64_t last : tracker.last_point()) kept += last < 0 ? 0 : 1;
  state.counters["ns_shape"] = best / n * 1e9;
  state.counters["track"] = tracking / n * 1e9;
  state.counters["track_share"] = tracking / (best - tracking);
  state.counters["pairs"] = static_cast<double>(workspace.pairs().size()) / n;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["kept"] = static_cast<double>(kept) /
                           static_cast<double>(std::max<std::size_t>(contacts.point_count(), 1));
  state.counters["track_MB"] = static_cast<double>(tracker.bytes()) / 1e6;
  state.SetLabel(text);
}

template <int D>
void add_steps(const char* scene, std::size_t count) {
  for (const int threads : {1, 2}) {
    const std::string row = std::string("step/") + scene + (D == 2 ? "2/" : "/") +
                            std::to_string(count) + "/" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        row.c_str(), [=](benchmark::State& state) { take_steps<D>(state, scene, count, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

void call_pairs(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  PairSet<3, float> set = PairSetMaker<3, float>().make(Kind::sphere, Kind::sphere, count);
  const SceneSpan<3, float> scene = set.scene;
  CollideOptions options;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) {
    collide_pairs(scene, set.sorted, contacts, workspace, options);
    benchmark::DoNotOptimize(contacts.depth.plane());
  }
}

void call_scene(benchmark::State& state) {
  const auto columns = generate<3, float>("uniform", {static_cast<std::size_t>(state.range(0))});
  const SceneSpan<3, float> scene = columns;
  CollideOptions options;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) {
    collide(scene, contacts, workspace, options);
    benchmark::DoNotOptimize(contacts.depth.plane());
  }
}

template <class Make>
void add(const std::string& name, Make make) {
  for (const int threads : {1, 2}) {
    const std::string row = name + "/" + std::to_string(threads);
    benchmark::RegisterBenchmark(row.c_str(),
                                 [=](benchmark::State& state) { run(state, row, make(), threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

template <int D>
void add_far(const std::string& name, const char* scene, std::size_t count) {
  for (const int threads : {1, 2}) {
    benchmark::RegisterBenchmark(
        ("far/" + name + "/" + std::to_string(count) + "/" + std::to_string(threads)).c_str(),
        [=](benchmark::State& state) {
          const SceneColumns<D, float> near = generate<D, float>(scene, {count});
          run_beside(state, near, far_away(near), threads);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  for (const int pairs : {16, 256, 4096}) {
    benchmark::RegisterBenchmark("call/pairs", call_pairs)->Arg(pairs);
  }
  for (const int shapes : {1, 16, 64, 256, 1024}) {
    benchmark::RegisterBenchmark("call/scene", call_scene)->Arg(shapes);
  }
  for (const std::size_t count : {10'000u, 100'000u, 1'000'000u}) {
    const std::string shapes = "/" + std::to_string(count);
    add("collide/spheres" + shapes, [=] { return generate<3, float>("uniform", {count}); });
    add("collide/spheres_double" + shapes, [=] { return generate<3, double>("uniform", {count}); });
    add("collide/power_law" + shapes, [=] { return generate<3, float>("power_law", {count, 2}); });
    add("collide/discs" + shapes, [=] { return generate<2, float>("uniform", {count}); });
    add("collide/mixed2" + shapes, [=] { return generate<2, float>("mixed", {count, 3}); });
  }
  for (const std::size_t count : {100'000u, 10'000'000u}) {
    add("collide/spheres_in_spatial_order/" + std::to_string(count), [=] {
      auto scene = generate<3, float>("uniform", {count});
      sort_in_space(scene);
      return scene;
    });
  }
  add("collide/4096_worlds_of_256/1048576",
      [] { return generate<3, float>("uniform", {1048576, 1, 4096}); });
  add("collide/one_world_of_as_many/1048576",
      [] { return generate<3, float>("uniform", {1048576}); });
  for (const int threads : {1, 2}) {
    const std::string row = "static/boxes/1000000x100000/" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        row.c_str(), [=](benchmark::State& state) { move_among(state, 1000000, 100000, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  for (const std::size_t count : {100'000u, 1'000'000u}) {
    add_far<3>("spheres", "uniform", count);
    add_far<3>("mixed", "mixed", count);
    add_far<3>("stack", "stack", count);
    add_far<3>("pile", "pile", count);
    add_far<2>("discs", "uniform", count);
    add_far<2>("mixed2", "mixed", count);
  }
  add_restriction("category_and_mask", Restriction::category);
  add_restriction("owner", Restriction::owner);
  add_restriction("body", Restriction::body);
  add_restriction("excluded", Restriction::excluded);
  add_restriction("periodic", Restriction::periodic);
  add_worlds("collide", Ask::contacts);
  add_worlds("any_contact", Ask::any);
  add_worlds("min_distance", Ask::least);
  add_arms("collide", Ask::contacts);
  add_arms("any_contact", Ask::any);
  add_arms("min_distance", Ask::least);
  for (const std::size_t count : {100'000u, 1'000'000u}) {
    add_steps<3>("pile", count);
    add_steps<3>("packed", count);
    add_steps<3>("uniform", count);
    add_steps<2>("corridor", count);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
