// What a pair costs a core and what it moves through memory, for the roofline of report.py.
// `roofline KIND` measures on one thread how long a pair takes, for 8,192 pairs ascending by A,
// which stay in the core's caches. It prints
//   KIND nanoseconds bytes pairs
// where the first two numbers are per pair. KIND is the name of a pair (sphere_box; circle_box2 in
// 2D), which calls `find_contacts` for all pairs. A method may follow: /distance calls `distances`
// by GJK for pairs that are apart, with bounds and rows as part of the time; /epa calls
// `find_contacts` by GJK and EPA for pairs that overlap. Bytes are the sizes of all arrays that are
// read or written, each counted once: the list, the shapes, the answers. `roofline loop` runs a
// plain loop instead of a kernel: independent multiplications and additions in the first-level
// cache, with as many instructions per nanosecond as a core can reach. For it a "pair" is a pass,
// and it moves nothing. `roofline list` prints all kinds.
//
// With --once the work is done a single time, in `counted_pass`: scripts/bench lets valgrind count
// its instructions. Instruction sets: WIDEPHASE_ISA.

#include <widephase/distance.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>

#include "pair_sets.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 8192;

template <class AnyColumn>
std::size_t bytes_of(const AnyColumn& column) {
  return column.size() * AnyColumn::width * sizeof(*column.plane());
}

template <int D>
std::size_t bytes_of(const ContactBuffer<D, float>& contacts) {
  std::size_t bytes = bytes_of(contacts.offset);
  const auto add = [&](const auto& column) { bytes += bytes_of(column); };
  for_each_contact_column(add, contacts);
  for_each_point_column(add, contacts);
  return bytes;
}

template <int D>
std::size_t bytes_of(const DistanceBuffer<D, float>& answers) {
  return bytes_of(answers.distance) + bytes_of(answers.normal) + bytes_of(answers.point_a) +
         bytes_of(answers.point_b) + bytes_of(answers.feature) + bytes_of(answers.status);
}

template <int D>
std::size_t bytes_of(const SceneColumns<D, float>& scene) {
  std::size_t bytes = bytes_of(scene.geometries.vertices);
  for_each_table(scene, [&](const auto& table) {
    std::remove_cvref_t<decltype(table)>::for_each_own(
        [&](const auto&, const auto& column) { bytes += bytes_of(column); }, table);
  });
  return bytes;
}

struct Work {
  std::function<void()> pass;
  std::size_t pairs = 1;
  std::size_t bytes = 0;
};

enum class Way { contacts, distance, epa };

template <int D>
Work kernel(Kind a, Kind b, Way way) {
  const auto set = std::make_shared<PairSet<D, float>>(PairSetMaker<D, float>().make(a, b, kPairs));
  const auto workspace = std::make_shared<Workspace<D, float>>();
  CollideOptions options;
  options.threads.count = 1;
  if (way != Way::contacts) options.method = Method::gjk_epa;
  const std::vector<Pair>& pairs = way == Way::distance ? set->apart
                                   : way == Way::epa    ? set->overlapping
                                                        : set->sorted;
  const std::size_t read = pairs.size() * sizeof(Pair) + bytes_of(set->scene);
  // The first pass grows the buffers.
  if (way == Way::distance) {
    const auto answers = std::make_shared<DistanceBuffer<D, float>>();
    const auto pass = [=, &pairs] {
      distances<D, float>(set->scene, pairs, *answers, *workspace, options);
    };
    pass();
    return {pass, pairs.size(), read + bytes_of(*answers)};
  }
  const auto contacts = std::make_shared<ContactBuffer<D, float>>();
  update_bounds<D, float>(set->scene, *workspace, options);
  const auto pass = [=, &pairs] {
    find_contacts<D, float>(set->scene, pairs, *contacts, *workspace, options);
  };
  pass();
  return {pass, pairs.size(), read + bytes_of(*contacts)};
}

Work loop() {
  constexpr std::size_t kNumbers = 2048;
  const auto numbers = std::make_shared<std::vector<float>>(kNumbers, 1.0f);
  return {[=] {
    for (int round = 0; round < 100; ++round) {
      for (float& x : *numbers) x = x * 0.5f + 0.5f;
    }
  }};
}

struct NamedKernel {
  std::string name;
  int dimension;
  Kind a;
  Kind b;
  Way way;
};

std::vector<NamedKernel> all_kernels() {
  std::vector<NamedKernel> all;
  for (const int dimension : {3, 2}) {
    for (const Kind a : kinds_in(dimension)) {
      for (const Kind b : kinds_in(dimension)) {
        if (a > b || !has_kernel(dimension, a, b)) continue;
        const std::string name =
            set_name(a, b, Variant::plain, dimension) + (dimension == 2 ? "2" : "");
        all.push_back({name, dimension, a, b, Way::contacts});
        if (has_halfspace(a, b)) continue;
        all.push_back({name + "/distance", dimension, a, b, Way::distance});
        all.push_back({name + "/epa", dimension, a, b, Way::epa});
      }
    }
  }
  return all;
}

Work work_of(const std::string& name) {
  if (name == "loop") return loop();
  for (const NamedKernel& of : all_kernels()) {
    if (of.name != name) continue;
    return of.dimension == 3 ? kernel<3>(of.a, of.b, of.way) : kernel<2>(of.a, of.b, of.way);
  }
  return {};
}

}  // namespace
}  // namespace widephase::bench

/// valgrind finds the function by this name.
extern "C" __attribute__((noinline)) void counted_pass(const std::function<void()>& pass) {
  pass();
  // Otherwise the call would become a jump, and the pass would not be inside this function.
  asm volatile("" ::: "memory");
}

int main(int argc, char** argv) {
  using namespace widephase::bench;
  using Clock = std::chrono::steady_clock;
  if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
    for (const NamedKernel& kernel : all_kernels()) std::printf("%s\n", kernel.name.c_str());
    return 0;
  }
  const bool is_once = argc == 3 && std::strcmp(argv[2], "--once") == 0;
  const Work work = argc == 2 || is_once ? work_of(argv[1]) : Work{};
  if (!work.pass) {
    std::fprintf(stderr, "usage: roofline KIND|loop [--once] or roofline list\n");
    return 2;
  }
  double best = 1e9, all = 0;
  for (int i = 0; i < (is_once ? 1 : 20) || (!is_once && all < 0.2); ++i) {
    const auto start = Clock::now();
    counted_pass(work.pass);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    all += seconds;
  }
  const auto pairs = static_cast<double>(work.pairs);
  std::printf("%s %g %g %zu\n", argv[1], best * 1e9 / pairs,
              static_cast<double>(work.bytes) / pairs, work.pairs);
}
