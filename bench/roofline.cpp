// What a pair costs a core and what it has to move, for the roofline of report.py: roofline KIND
// measures on one thread how long find_contacts takes a pair of 8,192 sorted ones, which stay in
// the core's caches, and prints
//   KIND nanoseconds bytes pairs
// the first two a pair. Bytes are those of every array that is read or written, each once: the
// list, the shapes, the contacts. `roofline loop` has a plain loop of independent multiplications
// and additions in the first-level cache in place of the kernel, whose instructions are as many a
// nanosecond as a core may hope for; of it a "pair" is a pass, and moves nothing.
//
// With --once the work is done a single time, in `counted_pass`: scripts/bench has valgrind count
// the instructions of that. Instruction sets: WIDEPHASE_ISA.

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

std::size_t bytes_of(const ContactBuffer<3, float>& contacts) {
  std::size_t bytes = bytes_of(contacts.offset);
  const auto add = [&](const auto& column) { bytes += bytes_of(column); };
  for_each_contact_column(add, contacts);
  for_each_point_column(add, contacts);
  return bytes;
}

std::size_t bytes_of(const SceneColumns<3, float>& scene) {
  return bytes_of(scene.spheres.center) + bytes_of(scene.spheres.radius) +
         bytes_of(scene.capsules.a) + bytes_of(scene.capsules.b) + bytes_of(scene.capsules.radius) +
         bytes_of(scene.boxes.center) + bytes_of(scene.boxes.turn) +
         bytes_of(scene.boxes.half_extents) + bytes_of(scene.hulls.center) +
         bytes_of(scene.hulls.turn) + bytes_of(scene.hulls.geometry) +
         bytes_of(scene.geometries.vertices);
}

struct Work {
  std::function<void()> pass;
  std::size_t pairs = 1;
  std::size_t bytes = 0;
};

Work kernel(Kind a, Kind b) {
  const auto set = std::make_shared<PairSet<3, float>>(PairSetMaker<3, float>().make(a, b, kPairs));
  const auto contacts = std::make_shared<ContactBuffer<3, float>>();
  const auto workspace = std::make_shared<Workspace<3, float>>();
  CollideOptions options;
  options.threads.count = 1;
  update_bounds<3, float>(set->scene, *workspace, options);
  const auto pass = [=] {
    find_contacts<3, float>(set->scene, set->sorted, *contacts, *workspace, options);
  };
  pass();  // buffers grow once
  return {pass, kPairs,
          set->sorted.size() * sizeof(Pair) + bytes_of(set->scene) + bytes_of(*contacts)};
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

Work work_of(const std::string& name) {
  if (name == "loop") return loop();
  for (const Kind a : {Kind::sphere, Kind::capsule, Kind::box, Kind::hull}) {
    for (const Kind b : {Kind::sphere, Kind::capsule, Kind::box, Kind::hull}) {
      if (a <= b && set_name(a, b, Variant::plain, 3) == name) return kernel(a, b);
    }
  }
  return {};
}

}  // namespace
}  // namespace widephase::bench

/// By this name valgrind finds it.
extern "C" __attribute__((noinline)) void counted_pass(const std::function<void()>& pass) {
  pass();
  // Else the call would be a jump, and the pass not within.
  asm volatile("" ::: "memory");
}

int main(int argc, char** argv) {
  using namespace widephase::bench;
  using Clock = std::chrono::steady_clock;
  const bool is_once = argc == 3 && std::strcmp(argv[2], "--once") == 0;
  const Work work = argc == 2 || is_once ? work_of(argv[1]) : Work{};
  if (!work.pass) {
    std::fprintf(stderr, "usage: roofline KIND|loop [--once], KIND as sphere_box\n");
    return 2;
  }
  double best = 1e9, all = 0;
  for (int i = 0; i < (is_once ? 1 : 20) || (!is_once && all < 0.3); ++i) {
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
