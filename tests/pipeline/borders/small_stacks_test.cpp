// No call uses more than 64 KiB of its thread's stack (docs/conventions.md, Threads), because
// threads of other systems have 128 to 512 KiB. The stack is painted first: the lowest byte that
// lost its paint is the deepest that was used.
// Labels: own-sets

#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>

#include <widephase/widephase.hpp>

#include "reference/generate_hulls.hpp"
#include "reference/generate_turned.hpp"
#include "reference/random.hpp"
#include "reference/scaled.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;

#ifdef WIDEPHASE_SANITIZED
// Frames are several times larger here, and calls are not inlined. The calls are made, but nothing
// is measured.
constexpr bool kIsMeasured = false;
constexpr std::size_t kPaintedBytes = std::size_t{8} << 20;
#else
constexpr bool kIsMeasured = true;
constexpr std::size_t kPaintedBytes = std::size_t{1} << 20;
#endif

using Body = std::function<void()>;

/// What a thread runs, and its result.
struct Work {
  const Body* body;
  const char* top = nullptr;  ///< of what the body uses
  std::exception_ptr failure;

  static void* run(void* self) {
    Work& work = *static_cast<Work*>(self);
    work.top = static_cast<const char*>(__builtin_frame_address(0));
    try {
      (*work.body)();
    } catch (...) {
      work.failure = std::current_exception();
    }
    return nullptr;
  }
};

void start(pthread_t& thread, const pthread_attr_t& attributes, Work& work) {
  if (pthread_create(&thread, &attributes, Work::run, &work) != 0) {
    throw std::runtime_error("no thread begins with such a stack");
  }
}

/// A stack whose use can be measured. What the system itself keeps on it, such as thread-local
/// storage, is above the frame that counts as the top.
class PaintedStack {
 public:
  PaintedStack() {
    void* const memory =
        mmap(nullptr, kPaintedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    stack_ = static_cast<char*>(memory);
    pthread_attr_init(&attributes_);
    pthread_attr_setstack(&attributes_, stack_, kPaintedBytes);
  }
  PaintedStack(const PaintedStack&) = delete;
  PaintedStack& operator=(const PaintedStack&) = delete;
  ~PaintedStack() {
    pthread_attr_destroy(&attributes_);
    munmap(stack_, kPaintedBytes);
  }

  void begin(const Body& body) {
    if (kIsMeasured) std::memset(stack_, kPaint, kPaintedBytes);
    work_ = {&body, nullptr, nullptr};
    start(thread_, attributes_, work_);
  }
  /// Bytes that the body has used.
  std::size_t end() {
    pthread_join(thread_, nullptr);
    if (work_.failure) std::rethrow_exception(work_.failure);
    if (!kIsMeasured) return 0;
    const char* lowest = stack_;
    while (lowest < work_.top && *lowest == kPaint) ++lowest;
    return static_cast<std::size_t>(work_.top - lowest);
  }
  std::size_t use_of(const Body& body) {
    begin(body);
    return end();
  }

 private:
  static constexpr char kPaint = 0x5a;
  char* stack_;
  pthread_attr_t attributes_;
  pthread_t thread_;
  Work work_{};
};

/// The caller's own threads with painted stacks; the calling thread only waits.
struct PaintedThreads {
  PaintedStack stacks[2];
  std::size_t most = 0;

  static void for_each(void* self, std::size_t count,
                       void (*function)(std::size_t index, void* context), void* context) {
    auto& own = *static_cast<PaintedThreads*>(self);
    std::atomic<std::size_t> next{0};
    const Body work = [&] {
      for (std::size_t i = next++; i < count; i = next++) function(i, context);
    };
    for (PaintedStack& stack : own.stacks) stack.begin(work);
    for (PaintedStack& stack : own.stacks) own.most = std::max(own.most, stack.end());
  }
  Threads threads() { return {0, {&for_each, this, 2}}; }
};

/// The most that any call used, by name.
class Watermarks {
 public:
  ~Watermarks() {
    if (kIsMeasured) std::printf("most: %zu bytes, %s\n", most_, name_.c_str());
  }
  void add(const std::string& name, std::size_t bytes) {
    EXPECT_LE(bytes, kMostBytes) << name;
    if (bytes <= most_) return;
    most_ = bytes;
    name_ = name;
  }

 private:
  std::size_t most_ = 0;
  std::string name_;
};

/// Calls `visit` with every instruction set that is built and that the CPU has.
template <class Visit>
void for_each_set(const Visit& visit) {
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) visit(isa);
  }
}

/// All kinds (two halfspaces have no distance), some of as many vertices as there may be, so near
/// one another that most pairs of neighbours overlap; pairs that are nearly level, as a search
/// tells apart with most effort.
template <int D, class T>
SceneColumns<D, T> make_scene(std::size_t count) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, 401, 0.5, 1});
  Random random(402);
  for (int i = 0; i < 12; ++i) {
    const Point<D> at = random.point<D>(-1, 1);
    if constexpr (D == 2) {
      append(scene, polygon(at, random.uniform(-3, 3), regular(64, 0.7), i % 2 == 0 ? 0 : 0.1));
      append(scene, box(at, 1e-6 * i, {0.5, 0.25}));
    } else {
      std::vector<Point<3>> points;
      for (int n = 0; n < (i % 2 == 0 ? 32 : 200); ++n) {
        const Point<3> p = random.point<3>(-1, 1);
        const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        points.push_back({p[0] / length, p[1] / length, p[2] / length});
      }
      append(scene, hull(at, {0, 0, 0, 1}, points, i % 3 == 0 ? 0.1 : 0));
      // Side by side, upright except for a tremble.
      const Point<3> beside{1.01 * i, 3, 0};
      const Quaternion turn{1e-5 * random.uniform(-1, 1), 1e-5 * random.uniform(-1, 1), 0, 1};
      append(scene, i % 5 == 0   ? box(beside, turn, {0.5, 0.5, 0.5})
                    : i % 5 == 1 ? cylinder(beside, turn, 0.5, 0.5)
                    : i % 5 == 2 ? cone(beside, turn, 0.5, 0.5)
                    : i % 5 == 3 ? ellipsoid(beside, turn, {0.5, 0.5, 0.5})
                                 : hull(beside, turn, block(0.5, 0.5, 0.5)));
    }
  }
  return scene;
}

/// A call by name.
struct Call {
  std::string name;
  Body body;
};

/// Objects of all calls on a scene of its own.
template <int D, class T>
class Calls {
 public:
  using Position = PositionOf<T>;

  explicit Calls(std::size_t count) : scene_(make_scene<D, T>(count)), view_(scene_) {
    pairs_ = allowed_pairs(scene_);
    SceneColumns<D, T> tagged = scene_;
    add_tags(tagged, 3, 403);
    tagged_ = tagged;
    warm_starts_.resize(pairs_.size());
    is_contact_.resize(pairs_.size());
    for (const std::int32_t id : bounded_ids(layout_of(view_))) {
      ids_.push_back(id);
      directions_.push_back({SizeOf<T>(1), SizeOf<T>(2)});
    }
    is_world_.resize(3);
    // Nothing of these moves on a thread's stack.
    still_ = scene_;
    moving_ = SceneColumns<D, T>();
    Random random(404);
    for (int i = 0; i < 40; ++i) append(moving_, ball<D>(random.point<D>(-2, 2), 0.5));
  }

  std::vector<Call> all(const CollideOptions& options) {
    std::vector<Call> calls;
    const auto add = [&](const char* name, auto body) { calls.push_back({name, body}); };
    add("collide", [=, this] {
      CollideOptions ordered = options;
      for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
        ordered.order = order;
        collide<D, T>(view_, contacts_, workspace_, ordered);
      }
    });
    add("collide with worlds", [=, this] {
      const SceneSpan<D, T> tagged(tagged_);
      collide<D, T>(tagged, contacts_, workspace_, options);
      any_contact<D, T>(tagged, is_world_, workspace_, options);
      min_distance<D, T>(tagged, of_worlds_, workspace_, options);
    });
    add("collide_pairs, twice, with warm starts", [=, this] {
      CollideOptions warm = options;
      warm.warm_starts = warm_starts_;
      for (int step = 0; step < 2; ++step) {
        collide_pairs<D, T>(view_, pairs_, contacts_, workspace_, warm);
        warm.steadiness = 0.01;
      }
    });
    add("test_pairs",
        [=, this] { test_pairs<D, T>(view_, pairs_, is_contact_, workspace_, options); });
    add("distances", [=, this] { distances<D, T>(view_, pairs_, of_pairs_, workspace_, options); });
    add("streams", [=, this] {
      const auto sink = [&](const ContactBuffer<D, T>& chunk) { streamed_ += chunk.size(); };
      stream_collide<D, T>(view_, sink, workspace_, options);
      update_bounds<D, T>(view_, workspace_, options);
      stream_contacts<D, T>(view_, pairs_, sink, workspace_, options);
    });
    add("tracker", [=, this] {
      CollideOptions steady = options;
      steady.steadiness = 0.01;
      for (int step = 0; step < 3; ++step) {
        collide<D, T>(view_, contacts_, workspace_, tracker_, steady);
      }
      update_bounds<D, T>(view_, workspace_, options);
      steady.warm_starts = begin_step<D, T>(view_, pairs_, tracker_, steady);
      find_contacts<D, T>(view_, pairs_, contacts_, workspace_, steady);
      end_step<D, T>(contacts_, tracker_, steady);
    });
    add("support_points", [=, this] {
      support_points<D, T>(view_, ids_, directions_, support_, workspace_, options);
    });
    if (options.method == Method::automatic) {
      add("static scene", [=, this] {
        StaticScene<D, T> kept;
        build_static_scene<D, T>(still_, kept, workspace_, options);
        collide<D, T>(moving_, kept, contacts_, workspace_, options);
      });
    }
    add("errors", [=, this] {
      const auto expect_error = [](const auto& call) {
        try {
          call();
        } catch (const Error&) {
          return;
        }
        throw std::runtime_error("no error");
      };
      CollideOptions capped = options;
      capped.max_contacts = 1;
      expect_error([&] { collide<D, T>(view_, contacts_, workspace_, capped); });
      const Pair wrong[] = {{0, 1 << 30}};
      expect_error([&] { collide_pairs<D, T>(view_, wrong, contacts_, workspace_, options); });
    });
    return calls;
  }
  std::size_t streamed() const { return streamed_; }

 private:
  SceneColumns<D, T> scene_, tagged_, still_, moving_;
  SceneSpan<D, T> view_;
  std::vector<Pair> pairs_;
  std::vector<WarmStart> warm_starts_;
  std::vector<std::uint8_t> is_contact_, is_world_;
  std::vector<std::int32_t> ids_;
  Column<SizeOf<T>, D> directions_;
  Workspace<D, T> workspace_;
  ContactBuffer<D, T> contacts_;
  DistanceBuffer<D, T> of_pairs_;
  WorldDistanceBuffer<D, T> of_worlds_;
  SupportBuffer<D, T> support_;
  Tracker<D, T> tracker_;
  std::size_t streamed_ = 0;
};

template <int D, class T>
std::string name_of() {
  return std::to_string(D) + "D " +
         (is_mixed<T>              ? "Mixed"
          : sizeof(SizeOf<T>) == 4 ? "float"
                                   : "double");
}

/// Every call on painted stacks: on the calling thread alone, beside those of oneTBB, and on the
/// caller's own.
template <int D, class T>
void expect_small_stacks() {
  Watermarks watermarks;
  PaintedStack stack;
  Calls<D, T> calls(scaled(150, 60));
  for_each_set([&](Isa isa) {
    for (const Method method : {Method::automatic, Method::gjk_epa}) {
      CollideOptions options;
      options.isa = isa;
      options.method = method;
      options.margin = 0.125;
      const std::string what = name_of<D, T>() + ", " + std::string(isa_name(isa)) +
                               (method == Method::gjk_epa ? ", gjk_epa: " : ": ");
      for (const int count : {1, 2}) {
        options.threads = {count, {}};
        for (const Call& call : calls.all(options)) {
          watermarks.add(what + call.name + (count == 1 ? "" : ", with oneTBB"),
                         stack.use_of(call.body));
        }
      }
      PaintedThreads own;
      options.threads = own.threads();
      for (const Call& call : calls.all(options)) {
        own.most = 0;
        const std::size_t of_caller = stack.use_of(call.body);
        watermarks.add(what + call.name + ", caller of own threads", of_caller);
        watermarks.add(what + call.name + ", own threads", own.most);
      }
    }
  });
  EXPECT_GT(calls.streamed(), 100u);
}

/// Calls that use no scene, or a different one.
template <class T>
std::vector<Call> calls_of_geometry() {
  std::vector<Call> calls;
  const auto add = [&](const char* name, const Body& body) { calls.push_back({name, body}); };
  add("hulls", [] {
    Random random(405);
    Column<T, 3> points;
    for (int n = 0; n < 3000; ++n) {
      std::array<T, 3> at;
      for (T& x : at) x = static_cast<T>(random.uniform(-1, 1));
      points.push_back(at);
    }
    GeometryTable<Owned<3, T>> hulls;
    add_hull<T>(hulls, points);
    add_hull<T>(hulls, points, 16);
    add_icosphere_hull<T>(hulls, 2, T(1));
    make_convex<T>(hulls);
    for (std::int32_t index = 0; index < 3; ++index) {
      properties(hulls, index);
      hull_topology(hulls, index);
    }
  });
  add("polygons", [] {
    GeometryTable<Owned<2, T>> polygons;
    add_regular_polygon<T>(polygons, 64, T(1));
    add_capsule_polygon<T>(polygons, T(1), T(0.5), 31);
    make_convex<T>(polygons);
    properties(polygons, 0);
    edge_normals(polygons, 0);
  });
  add("decompose", [] {
    // A star of 5,000 points, with a hole.
    Column<double, 2> vertices;
    constexpr int kCount = 10000;
    for (int i = 0; i < kCount; ++i) {
      const double turn = 2 * 3.141592653589793 * i / kCount, radius = i % 2 == 0 ? 1 : 0.5;
      vertices.push_back({radius * std::cos(turn), radius * std::sin(turn)});
    }
    vertices.push_back({0.1, 0});
    vertices.push_back({0, 0.1});
    vertices.push_back({-0.1, -0.1});
    const std::int64_t rings[] = {0, kCount, kCount + 3};
    GeometryTable<Owned<2, double>> parts;
    decompose({vertices, rings}, parts);
  });
  add("closest_points", [] {
    Column<T, 3> a, b;
    for (int i = 0; i < 100; ++i) {
      a.push_back({T(i), T(1), T(0)});
      b.push_back({T(0), T(i), T(2)});
    }
    PointSegmentBuffer<3, T> of_points;
    SegmentSegmentBuffer<3, T> of_segments;
    closest_points<3, T>(a, a, b, of_points);
    closest_points<3, T>(a, b, b, a, of_segments);
  });
  // Scenes are made elsewhere: what makes them takes more than what is asked about.
  struct Scenes {
    SceneColumns<3, T> plain, carried, copy;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    PlacedScene<3, T> placed;
  };
  const auto own = std::make_shared<Scenes>();
  add_mixed(own->plain, {60, 408, 0.5, 1});
  add_mixed(own->carried, {60, 406, 0.5, 1});
  own->carried.aabbs = {};  // can't turn
  add_tags(own->carried, 1, 407);
  for (int body = 0; body <= 30; ++body) {
    own->carried.bodies.position.push_back({T(body), 0, 0});
    own->carried.bodies.turn.push_back({0, 0, T(0.6), T(0.8)});
  }
  add("bodies and transforms", [own] {
    const SceneSpan<3, T> view(own->carried);
    place<3, T>(view, view.bodies, own->placed, Threads{1, {}});
    CollideOptions options;
    options.threads.count = 1;
    collide<3, T>(view, own->contacts, own->workspace, options);
    Column<std::int32_t, 2> bodies;
    contact_bodies<3, T>(view, own->contacts, bodies);
    replicate<3, T>(own->plain, 3, own->copy);
    translate<3, T>(own->copy, {T(1), T(2), T(3)});
    scale<3, T>(own->copy, T(2));
    validate<3, T>(view);
  });
  add("trees", [] {
    // One sphere at each power of two: all but the largest few are in one cell of the grid, and so
    // again within that, as often as the numbers have powers.
    SceneColumns<3, T> scene;
    const int most = sizeof(T) == 4 ? 90 : 240;  // of lengths: 1e27, 1e72
    for (int power = -most; power <= most; ++power) {
      const T at = std::ldexp(T(1), power);
      scene.spheres.center.push_back({at, at, at});
      scene.spheres.radius.push_back({at / 4});
    }
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    PairWorkspace<3, T> of_trees;
    CollideOptions options;
    options.threads.count = 1;
    update_bounds<3, T>(scene, workspace, options);
    PairOptions pair_options;
    pair_options.threads.count = 1;
    Column<Pair> pairs;
    find_pairs<3, T>(workspace.bounds(), {}, {}, pairs, of_trees, pair_options);
    BoundsTree<3, T> tree;
    build_tree<3, T>(workspace.bounds(), {}, {}, tree, of_trees, pair_options);
    find_pairs<3, T>(tree, workspace.bounds(), {}, pairs, of_trees, pair_options);
    WorldDistanceBuffer<3, T> nearest;
    try {
      min_distance<3, T>(scene, nearest, workspace, options);
    } catch (const Error&) {
      // Lengths beyond those that a distance may have.
    }
  });
  return calls;
}

/// The stack that the system itself uses on a thread, and what a signal needs there.
std::size_t bytes_of_system() {
#ifdef _SC_THREAD_STACK_MIN
  const long bytes = sysconf(_SC_THREAD_STACK_MIN);
  if (bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return PTHREAD_STACK_MIN;
}

/// Runs calls on a thread with as little stack as possible.
void run_on_small_thread(const Body& body) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = kIsMeasured ? kMostBytes + bytes_of_system() : kPaintedBytes;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, (bytes + page - 1) / page * page), 0);
  Work work{&body, nullptr, nullptr};
  pthread_t thread;
  start(thread, attributes, work);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (work.failure) std::rethrow_exception(work.failure);
}

template <int D, class T>
void expect_small_thread_is_enough() {
  Calls<D, T> calls(scaled(150, 60));
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    CollideOptions options;
    options.method = method;
    options.margin = 0.125;
    options.threads.count = 1;
    for (const Call& call : calls.all(options)) run_on_small_thread(call.body);
  }
}

TEST(small_stacks, watermark_shows_what_a_body_uses) {
  if (!kIsMeasured) return;
  PaintedStack stack;
  const std::size_t few = stack.use_of([] {});
  const std::size_t many = stack.use_of([] {
    volatile char numbers[50000];
    for (volatile char& number : numbers) number = 1;
  });
  EXPECT_LT(few, 4096u);
  EXPECT_GT(many, 50000u);
  EXPECT_LT(many, 54096u);
}

TEST(small_stacks, are_enough_in_2d_in_float) { expect_small_stacks<2, float>(); }
TEST(small_stacks, are_enough_in_2d_in_double) { expect_small_stacks<2, double>(); }
TEST(small_stacks, are_enough_in_2d_in_mixed_precision) { expect_small_stacks<2, Mixed>(); }
TEST(small_stacks, are_enough_in_3d_in_float) { expect_small_stacks<3, float>(); }
TEST(small_stacks, are_enough_in_3d_in_double) { expect_small_stacks<3, double>(); }
TEST(small_stacks, are_enough_in_3d_in_mixed_precision) { expect_small_stacks<3, Mixed>(); }

TEST(small_stacks, are_enough_for_geometries_bodies_and_trees) {
  Watermarks watermarks;
  PaintedStack stack;
  for (const Call& call : calls_of_geometry<float>()) {
    watermarks.add("float: " + call.name, stack.use_of(call.body));
  }
  for (const Call& call : calls_of_geometry<double>()) {
    watermarks.add("double: " + call.name, stack.use_of(call.body));
  }
}

TEST(small_stacks, of_64_kib_beside_what_the_system_takes_are_enough) {
  expect_small_thread_is_enough<2, float>();
  expect_small_thread_is_enough<2, double>();
  expect_small_thread_is_enough<3, float>();
  expect_small_thread_is_enough<3, double>();
}

}  // namespace
}  // namespace widephase::test
