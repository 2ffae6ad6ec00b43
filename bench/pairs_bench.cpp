// Pair kernels: from a list of pairs to contact arrays, in nanoseconds per pair on one thread.
//
// Names: pairs/<pair kind>/<instruction set>/<list>/<pairs>, possibly with an ending:
//   /gjk_epa   that method
//   /warm      steps: each shape moves and rotates by 1% of its size between two steps, and every
//              search starts where it ended in the last step
//   /test      `test_pairs`: only yes or no
//   /distance  `distances`
// Lists: `sorted` is ascending by A, with B anywhere. `shuffled` has the same pairs in random
// order, like a caller's own list. The others are ascending by A. `shallow` has only pairs with a
// depth in [-0.05, 0.05], like a running simulation. `overlapping` has pairs that overlap. `apart`
// has pairs that do not, with a margin larger than all distances, so that the contact gives the
// distance. 8,192 pairs fit into the second-level cache. 65,536 pairs read 0.5 to 1 MB of rows and
// write about 3 MB of contacts. 2^20 pairs exceed the caches. The last two lists, gjk_epa, test and
// distance have 65,536.
//
// Polygons are 512 geometries of 3 to 8 vertices; `polygon64` has 16 geometries of 64 vertices.
// Hulls are 64 geometries of 16 vertices; `hull8`, `hull32` and `hull64` have that many vertices.
// `rounded_` shapes have a radius.
//
// Counters: ns_pair; to_aim, that divided by the aim; to_sorted, for a shuffled list, the time over
// that of the sorted list if it ran before (aim: 1.4); hits, the share of pairs in contact; hash of
// the contacts or answers; to_bound, the time over that of copying the same contact arrays in the
// same run. The copy reads and writes each byte once, so no way of writing contacts can be much
// faster. `scalar_loop` is a plain loop over structures, compiled with this file's flags, that
// computes the same contacts and appends them to a vector.

#include <benchmark/benchmark.h>
#include <widephase/distance.hpp>

#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <string>

#include "pair_sets.hpp"
#include "soa/hasher.hpp"

namespace widephase::bench {
namespace {

/// Nanoseconds per pair on AVX-512.
constexpr Aim kAims[] = {
    {"pairs/sphere_sphere/avx512/sorted/65536", 2.5},
    {"pairs/sphere_sphere/avx512/shuffled/65536", 3.5},
    {"pairs/sphere_sphere/avx512/sorted/1048576", 8},
    {"pairs/sphere_sphere/avx512/shuffled/1048576", 8},
    {"pairs/sphere_capsule/avx512/sorted/65536", 4},
    {"pairs/capsule_capsule/avx512/sorted/65536", 5},
    {"pairs/capsule_aabb/avx512/sorted/65536", 15},
    {"pairs/sphere_box/avx512/sorted/65536", 3},
    {"pairs/capsule_box/avx512/sorted/65536", 13},
    {"pairs/box_box/avx512/sorted/65536", 28},
    {"pairs/sphere_hull/avx512/sorted/65536", 45},
    {"pairs/capsule_hull/avx512/sorted/65536", 110},
    {"pairs/box_hull/avx512/sorted/65536", 160},
    {"pairs/hull8_hull8/avx512/sorted/65536", 115},
    {"pairs/hull_hull/avx512/sorted/65536", 170},
    {"pairs/hull32_hull32/avx512/sorted/65536", 275},
    {"pairs/hull64_hull64/avx512/sorted/65536", 460},
    {"pairs/hull_hull/avx512/sorted/65536/warm", 140},
    {"pairs/hull64_hull64/avx512/sorted/65536/warm", 320},
    {"pairs/hull_hull/avx512/sorted/65536/test", 65},
    {"pairs/hull64_hull64/avx512/sorted/65536/test", 110},
    {"pairs/box_box/avx512/apart/65536/gjk_epa/distance", 45},
    {"pairs/hull8_hull8/avx512/apart/65536/gjk_epa/distance", 90},
    {"pairs/hull_hull/avx512/apart/65536/gjk_epa/distance", 95},
    {"pairs/hull32_hull32/avx512/apart/65536/gjk_epa/distance", 120},
    {"pairs/hull64_hull64/avx512/apart/65536/gjk_epa/distance", 160},
    {"pairs/circle_circle2/avx512/sorted/65536", 2},
    {"pairs/capsule_capsule2/avx512/sorted/65536", 5.5},
    {"pairs/circle_box2/avx512/sorted/65536", 3},
    {"pairs/box_box2/avx512/sorted/65536", 5},
    {"pairs/circle_polygon2/avx512/sorted/65536", 6.5},
    {"pairs/capsule_polygon2/avx512/sorted/65536", 14},
    {"pairs/polygon_polygon2/avx512/sorted/65536", 17},
    {"pairs/polygon64_polygon64/avx512/sorted/65536", 110},
    {"pairs/polygon_polygon2/avx512/apart/65536/gjk_epa/distance", 17},
    {"pairs/polygon64_polygon64/avx512/apart/65536/gjk_epa/distance", 80},
    {"pairs/polygon_polygon2/avx512/overlapping/65536/gjk_epa", 40},
};

/// What a row measures.
struct Row {
  Kind a;
  Kind b;
  Variant variant;
  std::size_t count;
  Isa isa;
  Method method;
  List list;
  bool is_warm = false;
  bool is_test = false;
  bool is_distance = false;
};

template <int D>
std::string row_name(const std::string& precision, const Row& row) {
  const std::string kinds =
      set_name(row.a, row.b, row.variant, D) + (D == 2 && row.variant != Variant::large ? "2" : "");
  return "pairs" + precision + "/" + kinds + "/" + std::string(isa_name(row.isa)) + "/" +
         list_name(row.list) + "/" + std::to_string(row.count) +
         (row.method == Method::gjk_epa ? "/gjk_epa" : "") + (row.is_warm ? "/warm" : "") +
         (row.is_test ? "/test" : "") + (row.is_distance ? "/distance" : "");
}

using Clock = std::chrono::steady_clock;

void label_with(benchmark::State& state, std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  state.SetLabel(text);
}

/// The seconds of the fastest copy of all contact arrays.
template <int D, class T>
double copy_seconds(const ContactBuffer<D, T>& contacts) {
  ContactBuffer<D, T> copy = contacts;
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto start = Clock::now();
    const auto copy_column = [](const auto& from, auto& to) { to = from; };
    for_each_contact_column(copy_column, contacts, copy);
    for_each_point_column(copy_column, contacts, copy);
    copy.offset = contacts.offset;
    benchmark::ClobberMemory();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

/// Sets are made once: every instruction set and list uses the same.
template <int D, class T>
const PairSet<D, T>& pair_set(Kind a, Kind b, std::size_t count, Variant variant = Variant::plain) {
  static std::map<std::tuple<int, std::size_t, Variant>, PairSet<D, T>> sets;
  const std::tuple<int, std::size_t, Variant> key{pair_kind(a, b), count, variant};
  auto found = sets.find(key);
  if (found == sets.end()) {
    if (sets.size() > 2) sets.clear();
    found = sets.emplace(key, PairSetMaker<D, T>().make(a, b, count, variant)).first;
  }
  return found->second;
}

template <int D, class T>
void run(benchmark::State& state, const std::string& precision, const Row& row) {
  const PairSet<D, T>& set = pair_set<D, T>(row.a, row.b, row.count, row.variant);
  const std::vector<Pair>& pairs = set.list(row.list);
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  CollideOptions options;
  options.threads.count = 1;
  options.isa = row.isa;
  options.method = row.method;
  if (row.list == List::apart) options.margin = kApartMargin;
  // Alternates two steps; the shapes of the second are moved.
  const SceneColumns<D, T> moved = row.is_warm ? moved_by_share(set.scene, 0.01) : set.scene;
  std::vector<WarmStart> warm_starts(row.is_warm ? pairs.size() : 0);
  options.warm_starts = warm_starts;
  const SceneSpan<D, T> scenes[2] = {set.scene, moved};
  Workspace<D, T> workspaces[2];
  for (int step = 0; step < (row.is_warm ? 2 : 1); ++step) {
    update_bounds(scenes[step], workspaces[step], options);
  }
  ContactBuffer<D, T> contacts;
  int step = 0;
  if (row.is_warm) find_contacts(scenes[1], pairs, contacts, workspaces[1], options);
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    find_contacts(scenes[step], pairs, contacts, workspaces[step], options);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    if (row.is_warm) step = 1 - step;
  }
  const auto n = static_cast<double>(pairs.size());
  const double nanoseconds = best / n * 1e9;
  state.counters["ns_pair"] = nanoseconds;
  report_aim(state, kAims, row_name<D>(precision, row), nanoseconds);
  static std::map<std::string, double> measured;
  measured[row_name<D>(precision, row)] = nanoseconds;
  if (row.list == List::shuffled) {
    Row sorted = row;
    sorted.list = List::sorted;
    const auto found = measured.find(row_name<D>(precision, sorted));
    if (found != measured.end()) state.counters["to_sorted"] = nanoseconds / found->second;
  }
  state.counters["hits"] = static_cast<double>(contacts.size()) / n;
  state.counters["to_bound"] = best / copy_seconds(contacts);
  label_with(state, hash(contacts));
}

// The plain scalar loop.

struct PlainContact {
  float normal[3], depth, point[3], point_depth;
  std::uint32_t feature;
  std::int32_t a, b;
  std::int64_t source;
  std::uint8_t status;
};

void plain_sphere_sphere(benchmark::State& state) {
  const PairSet<3, float>& set = pair_set<3, float>(Kind::sphere, Kind::sphere, 65536);
  struct Sphere {
    float x, y, z, r;
  };
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < set.scene.spheres.radius.size(); ++i) {
    spheres.push_back({set.scene.spheres.center(i, 0), set.scene.spheres.center(i, 1),
                       set.scene.spheres.center(i, 2), set.scene.spheres.radius[i]});
  }
  std::vector<PlainContact> contacts;
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    contacts.clear();
    std::int64_t source = -1;
    for (const Pair pair : set.sorted) {
      ++source;
      const Sphere& a = spheres[static_cast<std::size_t>(pair.a)];
      const Sphere& b = spheres[static_cast<std::size_t>(pair.b)];
      const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
      const float square = x * x + y * y + z * z, reach = a.r + b.r;
      if (square > reach * reach) continue;
      const float distance = std::sqrt(square);
      PlainContact contact{};
      contact.normal[0] = distance > 0 ? x / distance : 1;
      contact.normal[1] = distance > 0 ? y / distance : 0;
      contact.normal[2] = distance > 0 ? z / distance : 0;
      contact.depth = contact.point_depth = reach - distance;
      contact.point[0] = a.x + a.r * contact.normal[0];
      contact.point[1] = a.y + a.r * contact.normal[1];
      contact.point[2] = a.z + a.r * contact.normal[2];
      contact.a = pair.a;
      contact.b = pair.b;
      contact.source = source;
      contact.status = distance > 0 ? 0 : 1;
      contacts.push_back(contact);
    }
    benchmark::DoNotOptimize(contacts.data());
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  state.counters["ns_pair"] = best / static_cast<double>(set.sorted.size()) * 1e9;
  state.counters["hits"] =
      static_cast<double>(contacts.size()) / static_cast<double>(set.sorted.size());
}

/// Yes or no for a list, including the bounds and rows that a call on a scene needs.
template <int D, class T>
void run_test(benchmark::State& state, const std::string& precision, const Row& row) {
  const PairSet<D, T>& set = pair_set<D, T>(row.a, row.b, row.count, row.variant);
  const std::vector<Pair>& pairs = set.list(row.list);
  CollideOptions options;
  options.threads.count = 1;
  options.isa = row.isa;
  Workspace<D, T> workspace;
  std::vector<std::uint8_t> is_contact(pairs.size());
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    test_pairs(set.scene, pairs, is_contact, workspace, options);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  const auto n = static_cast<double>(pairs.size());
  state.counters["ns_pair"] = best / n * 1e9;
  report_aim(state, kAims, row_name<D>(precision, row), best / n * 1e9);
  const auto hits = std::accumulate(is_contact.begin(), is_contact.end(), std::int64_t{0});
  state.counters["hits"] = static_cast<double>(hits) / n;
  Hasher hasher;
  hasher.add_plane(is_contact.data(), is_contact.size());
  label_with(state, hasher.value());
}

/// Distances and nearest points for a list, including the bounds and rows that a call on a scene
/// needs.
template <int D, class T>
void run_distance(benchmark::State& state, const std::string& precision, const Row& row) {
  const PairSet<D, T>& set = pair_set<D, T>(row.a, row.b, row.count, row.variant);
  const std::vector<Pair>& pairs = set.list(row.list);
  CollideOptions options;
  options.threads.count = 1;
  options.isa = row.isa;
  options.method = row.method;
  Workspace<D, T> workspace;
  DistanceBuffer<D, T> result;
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    distances(set.scene, pairs, result, workspace, options);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  const double nanoseconds = best / static_cast<double>(pairs.size()) * 1e9;
  state.counters["ns_pair"] = nanoseconds;
  report_aim(state, kAims, row_name<D>(precision, row), nanoseconds);
  Hasher hasher;
  hasher.add_column(result.distance);
  hasher.add_column(result.normal);
  hasher.add_column(result.point_a);
  hasher.add_column(result.point_b);
  hasher.add_column(result.feature);
  hasher.add_column(result.status);
  label_with(state, hasher.value());
}

template <int D, class T>
void register_row(const std::string& precision, const Row& row) {
  benchmark::RegisterBenchmark(row_name<D>(precision, row).c_str(), [=](benchmark::State& state) {
    (row.is_test       ? run_test<D, T>
     : row.is_distance ? run_distance<D, T>
                       : run<D, T>)(state, precision, row);
  })->Unit(benchmark::kMicrosecond);
}

/// Registers all lists, sizes, methods and instruction sets for two kinds.
template <int D, class T>
void register_pair(const std::string& precision, Kind a, Kind b, Variant variant) {
  const bool has_support = !has_halfspace(a, b);
  const bool is_searched =
      b == Kind::hull ? a != Kind::sphere : b == Kind::ellipsoid || b == Kind::cone;
  for (const std::size_t count : {8192u, 65536u, 1048576u}) {
    for (const Isa isa : built_isas()) {
      if (!cpu_has(isa)) continue;
      Row row{a, b, variant, count, isa, Method::automatic, List::sorted};
      for (const List list : {List::sorted, List::shuffled, List::shallow}) {
        row.list = list;
        register_row<D, T>(precision, row);
      }
      if (count != 65536) continue;
      row.list = List::sorted;
      row.is_test = true;
      register_row<D, T>(precision, row);
      row.is_test = false;
      if (!has_support) continue;
      for (const List list : {List::apart, List::overlapping}) {
        row.list = list;
        register_row<D, T>(precision, row);
      }
      const auto register_warm = [&] {
        row.is_warm = true;
        for (const List list : {List::sorted, List::shallow, List::apart, List::overlapping}) {
          row.list = list;
          register_row<D, T>(precision, row);
        }
        row.is_warm = false;
      };
      if (D == 3 && is_searched) register_warm();
      row.method = Method::gjk_epa;
      for (const List list :
           {List::sorted, List::shuffled, List::shallow, List::apart, List::overlapping}) {
        row.list = list;
        register_row<D, T>(precision, row);
      }
      if (D == 3) register_warm();
      row.list = List::apart;
      row.is_distance = true;
      register_row<D, T>(precision, row);
      // Those of other kernels than GJK's.
      const bool is_round = b == Kind::cylinder || b == Kind::ellipsoid || b == Kind::cone;
      if (D == 3 && is_round) {
        row.method = Method::automatic;
        register_row<D, T>(precision, row);
      }
    }
  }
}

template <int D, class T>
void register_all(const std::string& precision) {
  for (const Kind a : kinds_in(D)) {
    for (const Kind b : kinds_in(D)) {
      if (b < a || !has_kernel(D, a, b)) continue;
      register_pair<D, T>(precision, a, b, Variant::plain);
    }
  }
  register_pair<D, T>(precision, Kind::box, Kind::box, Variant::rounded);
  if (D == 3) {
    register_pair<D, T>(precision, Kind::cylinder, Kind::cylinder, Variant::rounded);
    for (const Variant variant : {Variant::hull8, Variant::hull32, Variant::hull64}) {
      register_pair<D, T>(precision, Kind::hull, Kind::hull, variant);
    }
    return;
  }
  register_pair<D, T>(precision, Kind::polygon, Kind::polygon, Variant::rounded);
  register_pair<D, T>(precision, Kind::polygon, Kind::polygon, Variant::large);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  register_all<3, float>("");
  register_all<2, float>("");
  register_all<3, double>("_double");
  register_all<2, double>("_double");
  benchmark::RegisterBenchmark("pairs/sphere_sphere/scalar_loop/sorted/65536", plain_sphere_sphere)
      ->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
