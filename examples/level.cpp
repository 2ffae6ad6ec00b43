// A level of a game: bodies in one array of structs move among static shapes, and every touch that
// begins or ends is an event. It shows
//
//   - poses lent from the game's own structs (positions in double, a million metres from the
//   origin),
//   - a StaticScene for the level, which is read once, and a Tracker that follows contacts with it,
//   - balls, a box and a hull in one array, where the hull is one of the level's,
//   - names that last (key) while bodies are removed from the array and ids shift,
//   - the game's own job system in place of oneTBB.
//
// The level has a ramp, walls, a turning bar and an exit; a ball that reaches the exit is removed.
// It runs twice, with the jobs and on one thread, and exits with 1 if the events differ or if they
// make no sense.

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

using widephase::Mixed;  // positions in double, sizes in float

constexpr double kOrigin[3] = {1e6, -2e6, 0};
constexpr float kTimeStep = 1.0f / 60;
constexpr float kGravity = 10;
constexpr float kMargin = 0.02f;  // contacts go on while a body trembles this far off
constexpr float kBounce = 0.25f;
constexpr float kBarSpeed = 2;  // radians per second

enum class Shape : std::uint8_t { ball, box, rock };

// What the game has of a body, whatever its shape.
struct Body {
  double position[3];
  float rotation[4];  // a quaternion x y z w
  float velocity[3];
  float half_extents[3];  // of the box; a ball has its radius in the first
  float inverse_mass;     // 0: the game moves it
  std::int64_t name;
  Shape shape;
};

// Names are keys of shapes: bodies count from 0, parts of the level from 100.
constexpr std::int64_t kBar = 50, kRock = 51;
constexpr std::int64_t kFloor = 100, kRamp = 101, kWall = 102, kExit = 103;

std::string name_of(std::int64_t key) {
  switch (key) {
    case kBar:
      return "bar";
    case kRock:
      return "rock";
    case kFloor:
      return "floor";
    case kRamp:
      return "ramp";
    case kWall:
      return "wall";
    case kExit:
      return "exit";
    default:
      return "ball " + std::to_string(key);
  }
}

// A job system as games have one: threads that wait for indices to work on.
class Jobs {
 public:
  explicit Jobs(int thread_count) {
    for (int i = 1; i < thread_count; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Jobs() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    begun_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  int size() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls job(0) to job(count - 1) on all threads, this one too, and returns when all are done.
  void run(std::size_t count, const std::function<void(std::size_t)>& job) {
    std::unique_lock lock(mutex_);
    job_ = &job;
    next_ = 0;
    open_ = end_ = count;
    begun_.notify_all();
    take(lock);
    done_.wait(lock, [this] { return open_ == 0; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      begun_.wait(lock, [this] { return is_ending_ || next_ < end_; });
      if (is_ending_) return;
      take(lock);
    }
  }
  void take(std::unique_lock<std::mutex>& lock) {
    while (next_ < end_) {
      const std::size_t index = next_++;
      lock.unlock();
      (*job_)(index);
      lock.lock();
      if (--open_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t next_ = 0, end_ = 0, open_ = 0;
  bool is_ending_ = false;
};

std::array<double, 3> at(double x, double y, double z) {
  return {kOrigin[0] + x, kOrigin[1] + y, kOrigin[2] + z};
}

// What never moves. Its keys are names too, so events can say what was touched.
widephase::SceneColumns<3, Mixed> build_level() {
  widephase::SceneColumns<3, Mixed> level;
  level.halfspaces.normal.push_back({0, 0, 1});
  level.halfspaces.offset.push_back(kOrigin[2]);
  level.halfspaces.key.push_back(kFloor);
  // Down along x at 30 degrees; a quaternion has half the angle. The lower edge is on the floor at
  // x = 0.
  const float half_angle = 15 * 3.14159265f / 180;
  level.boxes.center.push_back(at(-2.75, 0, 1.45));
  level.boxes.turn.push_back({0, std::sin(half_angle), 0, std::cos(half_angle)});
  level.boxes.half_extents.push_back({3, 2, 0.1f});
  level.boxes.key.push_back(kRamp);
  for (const double y : {-2.5, 2.5}) {
    level.aabbs.min.push_back(at(-6, y - 0.5, 0));
    level.aabbs.max.push_back(at(12, y + 0.5, 4));
    level.aabbs.key.push_back(kWall);
  }
  level.aabbs.min.push_back(at(9, -2, 0));
  level.aabbs.max.push_back(at(12, 2, 2));
  level.aabbs.key.push_back(kExit);
  // The moving hull is one of the level's too, as all point sets of a StaticScene are: an
  // octahedron cut off at its foot.
  widephase::add_hull(level.geometries, widephase::Column<float, 3>{{0.6f, 0, 0},
                                                                    {-0.6f, 0, 0},
                                                                    {0, 0.6f, 0},
                                                                    {0, -0.6f, 0},
                                                                    {0, 0, 0.7f},
                                                                    {0.3f, 0, -0.3f},
                                                                    {-0.3f, 0, -0.3f},
                                                                    {0, 0.3f, -0.3f},
                                                                    {0, -0.3f, -0.3f}});
  return level;
}

std::vector<Body> build_bodies() {
  std::vector<Body> bodies;
  const auto add = [&](std::array<double, 3> p, std::array<float, 3> size, float inverse_mass,
                       std::int64_t name, Shape shape) {
    bodies.push_back({{p[0], p[1], p[2]},
                      {0, 0, 0, 1},
                      {0, 0, 0},
                      {size[0], size[1], size[2]},
                      inverse_mass,
                      name,
                      shape});
  };
  // The array is mixed: bodies in the order in which the game made them.
  add(at(3, 0, 0.6), {1.6f, 0.1f, 0.4f}, 0, kBar, Shape::box);
  for (int i = 0; i < 6; ++i) {
    add(at(-5.2 + 0.5 * (i / 3), 0.9 * (i % 3) - 0.8, 4.5), {0.25f, 0, 0}, 1, i, Shape::ball);
  }
  add(at(5.6, -0.7, 0.3), {}, 0.25f, kRock, Shape::rock);
  // Its lowest point is 1.25 over the floor: after n steps it has fallen by 10 / 3600 * n (n + 1) /
  // 2, which first leaves less than the margin at n = 30.
  add(at(5, -1.5, 1.5), {0.25f, 0, 0}, 1, 6, Shape::ball);
  return bodies;
}

struct Event {
  int step;
  bool begins;
  std::int64_t a, b;  // names, the lower one first
  bool operator==(const Event&) const = default;
};

class Game {
 public:
  explicit Game(Jobs* jobs) : bodies_(build_bodies()) {
    if (jobs == nullptr) {
      options_.threads.count = 1;
    } else {
      options_.threads.executor.self = jobs;
      options_.threads.executor.threads = jobs->size();
      options_.threads.executor.for_each = [](void* self, std::size_t count,
                                              void (*function)(std::size_t, void*), void* context) {
        static_cast<Jobs*>(self)->run(count, [&](std::size_t index) { function(index, context); });
      };
    }
    options_.margin = kMargin;
    const widephase::SceneColumns<3, Mixed> level = build_level();
    widephase::build_static_scene<3, Mixed>(level, level_, workspace_, options_);
    widephase::for_each_table(level, [&](const auto& table) {  // in the order of ids
      level_names_.insert(level_names_.end(), table.key.begin(), table.key.end());
    });
    describe();
  }

  std::size_t ball_count() const {
    return std::count_if(bodies_.begin(), bodies_.end(),
                         [](const Body& body) { return body.shape == Shape::ball; });
  }
  std::size_t contact_count() const { return contacts_.size(); }
  const std::vector<Event>& events() const { return events_; }

  void step() {
    ++step_;
    advance();
    const widephase::SceneSpan<3, Mixed> scene = lend();
    widephase::collide(scene, contacts_, workspace_, tracker_, options_);
    widephase::contact_bodies(scene, contacts_, body_of_);  // -1: a part of the level
    note_events();
    solve();
    remove_those_out();
  }

 private:
  // Shapes in the frames of their bodies. They change only when bodies come or go.
  void describe() {
    shapes_ = {};
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& body = bodies_[i];
      const auto add = [&](auto& table) {
        table.center.push_back({0, 0, 0});
        table.body.push_back(i);
        table.key.push_back(body.name);
      };
      switch (body.shape) {
        case Shape::ball:
          add(shapes_.spheres);
          shapes_.spheres.radius.push_back(body.half_extents[0]);
          break;
        case Shape::box:
          add(shapes_.boxes);
          shapes_.boxes.turn.push_back({0, 0, 0, 1});
          shapes_.boxes.half_extents.push_back(
              {body.half_extents[0], body.half_extents[1], body.half_extents[2]});
          break;
        case Shape::rock:
          add(shapes_.hulls);
          shapes_.hulls.turn.push_back({0, 0, 0, 1});
          shapes_.hulls.geometry.push_back(0);
          break;
      }
    }
  }

  // The scene of this step: our shapes, the structs' poses where they lie, and the level.
  widephase::SceneSpan<3, Mixed> lend() const {
    widephase::SceneSpan<3, Mixed> scene = shapes_;
    scene.bodies.position = widephase::ColumnSpan<double, 3>::interleaved(
        bodies_[0].position, bodies_.size(), sizeof(Body));
    scene.bodies.turn = widephase::quaternions(bodies_[0].rotation, bodies_.size(),
                                               widephase::QuaternionOrder::xyzw, sizeof(Body));
    scene.kept = &level_;
    return scene;
  }

  void advance() {
    for (Body& body : bodies_) {
      if (body.inverse_mass > 0) body.velocity[2] -= kGravity * kTimeStep;
      for (int k = 0; k < 3; ++k) body.position[k] += double{kTimeStep} * body.velocity[k];
      if (body.name == kBar) {
        const float half_angle = 0.5f * kBarSpeed * kTimeStep * static_cast<float>(step_);
        body.rotation[2] = std::sin(half_angle);
        body.rotation[3] = std::cos(half_angle);
      }
    }
  }

  void note_events() {
    const auto note = [&](bool begins, std::int64_t a, std::int64_t b) {
      events_.push_back({step_, begins, std::min(a, b), std::max(a, b)});
    };
    const widephase::EndedContacts& ended = tracker_.ended();
    for (std::size_t i = 0; i < ended.size(); ++i) note(false, ended.key(i, 0), ended.key(i, 1));
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (tracker_.last_contact()[i] < 0) note(true, key_of(i, 0), key_of(i, 1));
    }
  }

  // The name of a contact's side: its body's, or, of a part of the level, by its id.
  std::int64_t key_of(std::size_t contact, int side) const {
    const std::int32_t body = body_of_(contact, side);
    if (body >= 0) return bodies_[body].name;
    const auto [a, b] = contacts_.pair[contact];
    // Ids of the level follow those of the moving shapes, of which each body has one.
    return level_names_[(side == 0 ? a : b) - bodies_.size()];
  }

  // How fast a body's point moves along a direction; only the bar rotates.
  static double speed(const Body& body, const std::array<double, 3>& point,
                      const std::array<float, 3>& direction) {
    std::array<double, 3> v{body.velocity[0], body.velocity[1], body.velocity[2]};
    if (body.name == kBar) {
      v[0] -= kBarSpeed * (point[1] - body.position[1]);
      v[1] += kBarSpeed * (point[0] - body.position[0]);
    }
    return v[0] * direction[0] + v[1] * direction[1] + v[2] * direction[2];
  }

  // Pushes bodies that approach apart. A game has a better solver; this one never rotates anything.
  void solve() {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (contacts_.depth[i] < 0 || key_of(i, 0) == kExit || key_of(i, 1) == kExit) continue;
      const std::array<float, 3> normal = contacts_.normal.row(i);  // from A to B
      const std::array<double, 3> point = contacts_.point.row(contacts_.offset[i]);
      Body* side[2];
      float inverse_mass = 0;
      double approach = 0;
      for (int s = 0; s < 2; ++s) {
        side[s] = body_of_(i, s) < 0 ? nullptr : &bodies_[body_of_(i, s)];
        if (side[s] == nullptr) continue;
        inverse_mass += side[s]->inverse_mass;
        approach += (s == 0 ? 1 : -1) * speed(*side[s], point, normal);
      }
      if (inverse_mass == 0) continue;
      const double impulse = approach > 0 ? (1 + kBounce) * approach / inverse_mass : 0;
      const double push = 0.5 * contacts_.depth[i] / inverse_mass;
      for (int s = 0; s < 2; ++s) {
        if (side[s] == nullptr) continue;
        const float sign = (s == 0 ? -1.0f : 1.0f) * side[s]->inverse_mass;
        for (int k = 0; k < 3; ++k) {
          side[s]->velocity[k] += sign * static_cast<float>(impulse) * normal[k];
          side[s]->position[k] += double{sign} * push * double{normal[k]};
        }
      }
    }
  }

  // The last body takes the place of one that leaves. Ids shift; keys do not.
  void remove_those_out() {
    bool is_any_out = false;
    for (std::size_t i = contacts_.size(); i-- > 0;) {
      for (int s = 0; s < 2; ++s) {
        const std::int32_t body = body_of_(i, s);
        if (body < 0 || key_of(i, 1 - s) != kExit || bodies_[body].shape != Shape::ball) {
          continue;
        }
        out_.insert(bodies_[body].name);
        is_any_out = true;
      }
    }
    if (!is_any_out) return;
    for (std::size_t i = 0; i < bodies_.size();) {
      if (out_.count(bodies_[i].name) == 0) {
        ++i;
      } else {
        bodies_[i] = bodies_.back();
        bodies_.pop_back();
      }
    }
    describe();
  }

  int step_ = 0;
  std::vector<Body> bodies_;
  std::set<std::int64_t> out_;
  std::vector<Event> events_;
  widephase::SceneColumns<3, Mixed> shapes_;
  widephase::StaticScene<3, Mixed> level_;
  std::vector<std::int64_t> level_names_;
  // Kept from step to step: after the first steps nothing is allocated.
  widephase::Tracker<3, Mixed> tracker_;
  widephase::ContactBuffer<3, Mixed> contacts_;
  widephase::Workspace<3, Mixed> workspace_;
  widephase::Column<std::int32_t, 2> body_of_;
  widephase::CollideOptions options_;
};

// Whether touches begin before they end, and those that have not ended are the contacts at the end.
bool is_consistent(const std::vector<Event>& events, std::size_t contact_count) {
  std::multiset<std::pair<std::int64_t, std::int64_t>> touching;
  for (const Event& event : events) {
    const std::pair pair(event.a, event.b);
    if (event.begins) {
      touching.insert(pair);
    } else {
      const auto found = touching.find(pair);
      if (found == touching.end()) return false;
      touching.erase(found);
    }
  }
  return touching.size() == contact_count;
}

}  // namespace

int main() {
  Jobs jobs(4);
  Game game(&jobs), alone(nullptr);
  const int step_count = 600;
  for (int step = 0; step < step_count; ++step) {
    game.step();
    alone.step();
  }
  for (const Event& event : game.events()) {
    std::printf("step %d: %s %s %s\n", event.step, name_of(event.a).c_str(),
                event.begins ? "touches" : "leaves", name_of(event.b).c_str());
  }
  std::printf("%zu events, %zu balls are left\n", game.events().size(), game.ball_count());
  if (game.events() != alone.events()) {
    std::printf("events with jobs and on one thread differ\n");
    return 1;
  }
  if (!is_consistent(game.events(), game.contact_count())) {
    std::printf("a touch ended that had not begun, or was lost\n");
    return 1;
  }
  return 0;
}
