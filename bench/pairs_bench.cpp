// Pair kernels: from a list of pairs to contact arrays, nanoseconds a pair on one thread.
//
// Names: pairs/<pair kind>/<instruction set>/<list>/<pairs>. Lists: `sorted` ascends by A, with B
// anywhere; `shuffled` is the same pairs in random order, as a caller's own list may be; `shallow`
// ascends by A and has pairs of a depth in [-0.05, 0.05] alone, as a running simulation has them.
// 8,192 pairs stay in the second-level cache; 65,536 read 0.5 to 1 MB of rows and write about 3 MB
// of contacts; 2^20 leave the caches.
//
// Counters: ns_pair; to_aim, that over what was aimed at; hits, the share of pairs in contact; hash
// of the contacts; to_bound, the time over that of a copy of the same contact arrays in the same
// run (bytes written and read once: no way of writing them can be much faster). `scalar_loop` is a
// plain loop over structures, compiled with this file's flags, that computes the same contacts and
// appends them to a vector.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "scenes.hpp"

namespace widephase::bench {
namespace {

/// Nanoseconds a pair on AVX-512 (sorted and shuffled lists of 65,536 and 2^20 pairs).
constexpr Aim kAims[] = {
    {"pairs/sphere_sphere/avx512/sorted/65536", 2.5},
    {"pairs/sphere_sphere/avx512/shuffled/65536", 3.5},
    {"pairs/sphere_sphere/avx512/sorted/1048576", 8},
    {"pairs/sphere_sphere/avx512/shuffled/1048576", 8},
    {"pairs/sphere_capsule/avx512/sorted/65536", 4},
    {"pairs/capsule_capsule/avx512/sorted/65536", 5},
    {"pairs/capsule_aabb/avx512/sorted/65536", 15},
    {"pairs/circle_circle2/avx512/sorted/65536", 2},
    {"pairs/capsule_capsule2/avx512/sorted/65536", 6},
};

enum class List { sorted, shuffled, shallow };

using Clock = std::chrono::steady_clock;

/// Seconds of the fastest copy of all contact arrays.
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

/// The sets are made once: they are the same for every instruction set and list.
template <int D, class T>
const PairSet<D, T>& pair_set(Kind a, Kind b, std::size_t count) {
  static std::map<std::tuple<int, std::size_t>, PairSet<D, T>> sets;
  const std::tuple<int, std::size_t> key{pair_kind(a, b), count};
  auto found = sets.find(key);
  if (found == sets.end()) {
    if (sets.size() > 2) sets.clear();
    found = sets.emplace(key, PairSetMaker<D, T>().make(a, b, count)).first;
  }
  return found->second;
}

template <int D, class T>
void run(benchmark::State& state, const std::string& name, Kind a, Kind b, Isa isa, List list,
         std::size_t count) {
  const PairSet<D, T>& set = pair_set<D, T>(a, b, count);
  const SceneSpan<D, T> scene = set.scene;
  const std::vector<Pair>& pairs = list == List::sorted     ? set.sorted
                                   : list == List::shuffled ? set.shuffled
                                                            : set.shallow;
  if (pairs.empty()) {
    state.SkipWithError("no such pairs were drawn");
    return;
  }
  CollideOptions options;
  options.threads.count = 1;
  options.isa = isa;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  update_bounds(scene, workspace, options);
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    find_contacts(scene, pairs, contacts, workspace, options);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  const auto n = static_cast<double>(pairs.size());
  state.counters["ns_pair"] = best / n * 1e9;
  report_aim(state, kAims, name, best / n * 1e9);
  state.counters["hits"] = static_cast<double>(contacts.size()) / n;
  state.counters["to_bound"] = best / copy_seconds(contacts);
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
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

template <int D, class T>
void register_all(const std::string& precision) {
  const Kind kinds[] = {Kind::sphere, Kind::capsule, Kind::aabb, Kind::halfspace};
  for (const Kind a : kinds) {
    for (const Kind b : kinds) {
      if (b < a || !has_kernel(D, a, b)) continue;
      for (const std::size_t count : {8192u, 65536u, 1048576u}) {
        for (const Isa isa : built_isas()) {
          if (!cpu_has(isa)) continue;
          for (const List list : {List::sorted, List::shuffled, List::shallow}) {
            const char* const list_name = list == List::sorted     ? "/sorted/"
                                          : list == List::shuffled ? "/shuffled/"
                                                                   : "/shallow/";
            const std::string name = "pairs" + precision + "/" +
                                     pair_kind_name(pair_kind(a, b), D) + (D == 2 ? "2" : "") +
                                     "/" + std::string(isa_name(isa)) + list_name +
                                     std::to_string(count);
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
              run<D, T>(state, name, a, b, isa, list, count);
            })->Unit(benchmark::kMicrosecond);
          }
        }
      }
    }
  }
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
