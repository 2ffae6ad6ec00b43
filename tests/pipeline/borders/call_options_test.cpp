// options.hpp says which calls take an option. These refuse a wrong value with the option's name.
// Other calls give the same answer whatever it is, or refuse it with its name too.

#include <gtest/gtest.h>

#include <functional>

#include <widephase/casts.hpp>
#include <widephase/impact.hpp>
#include <widephase/nearest.hpp>
#include <widephase/options.hpp>
#include <widephase/rays.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "support/executors.hpp"

namespace widephase {
namespace {

/// A single number for all values that are added, in their order.
struct Digest {
  std::uint64_t bits = 1;

  void add(double value) { bits = (bits ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U; }
  template <class T, int W>
  void add(const Column<T, W>& column) {
    for (int axis = 0; axis < W; ++axis) {
      for (std::size_t i = 0; i < column.size(); ++i) add(static_cast<double>(column(i, axis)));
    }
  }
  void add(const ContactBuffer<3, float>& contacts) {
    add(static_cast<double>(hash(contacts) >> 12));
  }
};

/// Balls 0 to 2 and box 3 in one world. Contacts by id: ball 0 with the box, then balls 1 and 2; by
/// kind the other way round.
SceneColumns<3, float> scene_of_four() {
  SceneColumns<3, float> scene;
  for (const float x : {0.0F, 10.0F, 11.0F}) {
    scene.spheres.center.push_back({x, 0, 0});
    scene.spheres.radius.push_back({1});
  }
  scene.boxes.center.push_back({-1, 0.25F, 0});
  scene.boxes.turn.push_back({0, 0, 0, 1});
  scene.boxes.half_extents.push_back({1, 1, 1});
  return scene;
}

/// Runs each call with that scene and returns a number for its whole answer.
class Asked {
 public:
  std::uint64_t operator()(Call call, const CollideOptions& options) {
    Digest digest;
    ContactBuffer<3, float> contacts;
    Tracker<3, float> tracker;
    Workspace<3, float> workspace;
    const std::span<const Pair> pairs(pairs_);
    std::vector<std::uint8_t> is_contact(pairs_.size());
    const auto take = [&](const ContactBuffer<3, float>& chunk) { digest.add(chunk); };
    switch (call) {
      case Call::collide:
        collide(scene_, contacts, workspace, tracker, options);
        digest.add(contacts);
        break;
      case Call::collide_static: {
        StaticScene<3, float> kept;
        CollideOptions largest;
        largest.margin = 100;
        build_static_scene(scene_, kept, workspace, largest);
        collide(scene_, kept, contacts, workspace, options);
        digest.add(contacts);
        break;
      }
      case Call::collide_pairs:
        collide_pairs(scene_, pairs, contacts, workspace, options);
        digest.add(contacts);
        break;
      case Call::test_pairs:
        test_pairs(scene_, pairs, is_contact, workspace, options);
        for (const std::uint8_t one : is_contact) digest.add(one);
        break;
      case Call::update_bounds:
        update_bounds(scene_, workspace, options);
        digest.add(workspace.bounds().min);
        digest.add(workspace.bounds().max);
        break;
      case Call::find_pairs:
        update_bounds(scene_, workspace);
        find_pairs(scene_, workspace, options);
        for (const Pair pair : workspace.pairs()) digest.add(pair.a * 8 + pair.b);
        break;
      case Call::find_contacts:
        update_bounds(scene_, workspace);
        find_contacts(scene_, pairs, contacts, workspace, options);
        digest.add(contacts);
        break;
      case Call::any_contact:
        any_contact(scene_, is_contact, workspace, options);
        for (const std::uint8_t one : is_contact) digest.add(one);
        break;
      case Call::distances: {
        DistanceBuffer<3, float> found;
        distances(scene_, pairs, found, workspace, options);
        digest.add(found.distance);
        digest.add(found.point_a);
        break;
      }
      case Call::min_distance: {
        WorldDistanceBuffer<3, float> found;
        min_distance(scene_, found, workspace, options);
        digest.add(found.distance);
        digest.add(found.point_a);
        break;
      }
      case Call::support_points: {
        SupportBuffer<3, float> found;
        const std::vector<std::int32_t> ids{3};
        Column<float, 3> direction;
        direction.push_back({1, 2, 3});
        support_points(scene_, ids, ColumnSpan<float, 3>(direction), found, workspace, options);
        digest.add(found.point);
        break;
      }
      case Call::stream_collide:
        stream_collide(scene_, take, workspace, options);
        break;
      case Call::stream_contacts:
        update_bounds(scene_, workspace);
        stream_contacts(scene_, pairs, take, workspace, options);
        break;
      case Call::build_static_scene: {
        StaticScene<3, float> kept;
        build_static_scene(scene_, kept, workspace, options);
        digest.add(static_cast<double>(kept.size()));
        break;
      }
      case Call::update_static_scene: {
        StaticScene<3, float> kept;
        build_static_scene(scene_, kept, workspace);
        const std::vector<std::int32_t> ids{3};
        update_static_scene(scene_, ids, kept, workspace, options);
        digest.add(static_cast<double>(kept.size()));
        break;
      }
      case Call::begin_step:
        digest.add(static_cast<double>(begin_step(scene_, pairs, tracker, options).size()));
        break;
      case Call::end_step:
        collide_pairs(scene_, pairs, contacts, workspace);
        begin_step(scene_, pairs, tracker);
        end_step(contacts, tracker, options);
        digest.add(tracker.last_contact());
        break;
      case Call::cast_rays: {
        CastOptions cast;
        static_cast<CollideOptions&>(cast) = options;
        RaySpan<3, float> rays;
        rays.origin = points_;
        rays.direction = points_;
        RayHits<3, float> hits;
        cast_rays(kept_of_four(), rays, hits, workspace, cast);
        digest.add(hits.t);
        digest.add(hits.normal);
        break;
      }
      case Call::nearest_shapes: {
        NearestHits<3, float> found;
        nearest_shapes(kept_of_four(), ColumnSpan<float, 3>(points_), 2, 100, FilterSpan{}, found,
                       workspace, options);
        digest.add(found.distance);
        digest.add(found.point);
        break;
      }
      case Call::any_overlap:
        is_contact.resize(4);
        any_overlap(scene_, kept_of_four(), is_contact, workspace, options);
        for (const std::uint8_t one : is_contact) digest.add(one);
        break;
      case Call::cast_pairs:
      case Call::cast_shapes: {
        ShapeCastOptions cast;
        static_cast<CollideOptions&>(cast) = options;
        CastHits<3, float> hits;
        if (call == Call::cast_pairs) {
          cast_pairs(scene_, pairs, points_, {}, hits, workspace, cast);
        } else {
          Column<float, 3> ways;
          for (std::size_t i = 0; i < 4; ++i) ways.push_back({-20, 0, 0.5F});
          cast_shapes(scene_, ways, {}, kept_of_four(), hits, workspace, cast);
        }
        digest.add(hits.t);
        digest.add(hits.normal);
        break;
      }
      case Call::time_of_impact:
      case Call::first_impacts: {
        ShapeCastOptions cast;
        static_cast<CollideOptions&>(cast) = options;
        // Ball 0 is on a body that comes down on ball 1 from above, and meets nothing else.
        SceneColumns<3, float> falling = scene_;
        for (const int body : {0, -1, -1}) falling.spheres.body.push_back(body);
        falling.bodies.position.push_back({10, 0, 5});
        Column<float, 3> end;
        end.push_back({10, 0, -5});
        Motion<3, float> motion;
        motion.position_end = end;
        ImpactHits<3, float> hits;
        const std::vector<Pair> impact_pairs{{0, 1}, {0, 3}};
        if (call == Call::time_of_impact) {
          time_of_impact(falling, motion, impact_pairs, hits, workspace, cast);
        } else {
          first_impacts(falling, motion, hits, workspace, cast);
        }
        digest.add(hits.t);
        digest.add(hits.normal);
        break;
      }
    }
    return digest.bits;
  }

  std::size_t pair_count() const { return pairs_.size(); }

 private:
  StaticScene<3, float> kept_of_four() const {
    StaticScene<3, float> kept;
    Workspace<3, float> workspace;
    build_static_scene(scene_, kept, workspace);
    return kept;
  }

  SceneColumns<3, float> scene_ = scene_of_four();
  std::vector<Pair> pairs_{{0, 3}, {1, 2}};
  Column<float, 3> points_{{-20, 0, 0.5F}, {-1, -2, -3}};
};

constexpr int kCallCount = static_cast<int>(Call::first_impacts) + 1;

Isa missing_isa() {
  for (const Isa isa : {Isa::neon64, Isa::avx2}) {
    if (!cpu_has(isa)) return isa;
  }
  return Isa::widest;
}

/// Sets values that every call with the option must refuse; false if there are none.
struct SetWrong {
  static inline std::vector<std::uint8_t> none{1};
  static inline std::vector<WarmStart> words{WarmStart()};

  bool operator()(double& length) const { return length = -1, true; }
  bool operator()(Threads& threads) const { return threads.count = -1, true; }
  bool operator()(Isa& isa) const { return isa = missing_isa(), isa != Isa::widest; }
  bool operator()(std::size_t& cap) const { return cap = 0, true; }
  bool operator()(int& count) const { return count = -1, true; }
  /// One entry: enough for the world, too few for the pairs.
  bool operator()(std::span<WarmStart>& span) const { return span = words, true; }
  /// An address that no byte lies at.
  bool operator()(std::span<const std::uint8_t>& mask) const {
    return mask = {static_cast<const std::uint8_t*>(nullptr), 1}, true;
  }
  bool operator()(std::span<std::uint8_t>& status) const {
    return status = {static_cast<std::uint8_t*>(nullptr), 1}, true;
  }
  template <class Other>
  bool operator()(Other&) const {
    return false;
  }
};

/// Sets values other than the default.
struct SetOther {
  static inline std::vector<std::uint8_t> bytes{0};
  static inline std::vector<WarmStart> words{WarmStart(), WarmStart()};

  void operator()(double& length) const { length = 10; }
  void operator()(Threads& threads) const { threads.count = 1; }
  void operator()(Isa& isa) const { isa = built_isas().front(); }
  void operator()(std::size_t& cap) const { cap = 0; }
  void operator()(int& count) const { count = 1; }
  void operator()(Order& order) const { order = Order::id; }
  void operator()(Method& method) const { method = Method::gjk_epa; }
  void operator()(bool& flag) const { flag = !flag; }
  void operator()(std::span<WarmStart>& span) const { span = words; }
  void operator()(std::span<const std::uint8_t>& mask) const { mask = bytes; }
  void operator()(std::span<std::uint8_t>& status) const { status = bytes; }
};

/// "" if the call succeeds, or else its error message.
std::string refusal(Asked& asked, Call call, const CollideOptions& options,
                    std::uint64_t* answer = nullptr) {
  try {
    const std::uint64_t found = asked(call, options);
    if (answer != nullptr) *answer = found;
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(call_options, those_that_take_one_refuse_a_wrong_value_by_name) {
  Asked asked;
  for (int c = 0; c < kCallCount; ++c) {
    const Call call = static_cast<Call>(c);
    CollideOptions options;
    for_each_option(
        [&](const Option& option, auto& member) {
          const auto before = member;
          // What a step by stages begins with its third stage checks.
          const bool is_checked_later = call == Call::begin_step && option.name == "steadiness";
          if (option.calls.has(call) && !is_checked_later && SetWrong{}(member)) {
            const std::string text = refusal(asked, call, options);
            const std::string_view named =
                option.name == "isa" ? isa_name(options.isa) : option.name;
            EXPECT_NE(text.find(named), std::string::npos)
                << option.name << " of call " << c << ": " << text;
          }
          member = before;
        },
        options);
  }
}

TEST(call_options, an_executor_without_threads_is_refused_by_all_calls) {
  Asked asked;
  for (int c = 0; c < kCallCount; ++c) {
    CollideOptions options;
    options.threads.executor.for_each = test::run_backwards;
    EXPECT_EQ(refusal(asked, static_cast<Call>(c), options), "") << c;
    for (const int threads : {0, -3}) {
      options.threads.executor.threads = threads;
      EXPECT_EQ(refusal(asked, static_cast<Call>(c), options),
                "threads.executor.threads is " + std::to_string(threads) + "; it must be 1 or more")
          << c;
    }
  }
}

TEST(call_options, the_others_answer_the_same_or_refuse_it_by_name) {
  Asked asked;
  for (int c = 0; c < kCallCount; ++c) {
    const Call call = static_cast<Call>(c);
    CollideOptions options;
    const std::uint64_t plain = asked(call, options);
    for_each_option(
        [&](const Option& option, auto& member) {
          const auto before = member;
          SetOther{}(member);
          std::uint64_t answer = 0;
          const std::string text = refusal(asked, call, options, &answer);
          if (!option.calls.has(call)) {
            if (text.empty()) {
              EXPECT_EQ(answer, plain) << option.name << " of call " << c;
            } else {
              EXPECT_TRUE(text.starts_with(option.name)) << option.name << " of call " << c << text;
            }
          }
          member = before;
        },
        options);
  }
}

TEST(call_options, order_method_and_moving_pairs_change_the_answers_of_calls_that_take_them) {
  Asked asked;
  const auto changes = [&](Call call, const auto& set) {
    CollideOptions options;
    const std::uint64_t plain = asked(call, options);
    set(options);
    return asked(call, options) != plain;
  };
  for (const Call call :
       {Call::collide, Call::collide_static, Call::collide_pairs, Call::find_contacts}) {
    EXPECT_TRUE(changes(call, [](CollideOptions& options) { options.order = Order::id; }));
  }
  EXPECT_TRUE(
      changes(Call::collide_static, [](CollideOptions& options) { options.moving_pairs = false; }));
}

TEST(call_options, words_are_those_of_the_enumerations) {
  EXPECT_EQ(kOrderWords[static_cast<std::size_t>(Order::world)], "world");
  EXPECT_EQ(kMethodWords[static_cast<std::size_t>(Method::gjk_epa)], "gjk_epa");
  EXPECT_EQ(kStartOverlapWords[static_cast<std::size_t>(StartOverlap::leave_apart)], "leave_apart");
  for (std::size_t i = 0; i < kIsaWords.size(); ++i) {
    EXPECT_EQ(isa_name(static_cast<Isa>(i)), kIsaWords[i]);
  }
}

}  // namespace
}  // namespace widephase
