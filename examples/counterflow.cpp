// Two groups of people walk towards each other through a corridor and form lanes. widephase finds
// who is near whom, and who overlaps.
//
//   counterflow -o crowd.csv [--people 400] [--frames 500]
//
// The file has one line per person and frame: x,y,radius,world. Each frame is a world.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

constexpr float kWidth = 5;           // of the corridor, in m
constexpr float kAreaAPerson = 0.5f;  // in m^2
constexpr float kSight = 1;           // people react to others up to this distance, in m
constexpr float kReaction = 0.4f;     // how long it takes a person to change pace, in s
constexpr float kTimeStep = 0.04f;    // in s; a frame is two steps
constexpr int kStepsAFrame = 2;

struct Person {
  float position[2];
  float velocity[2];
  float wanted[2];  // velocity
  float radius;
  float speed;    // when nobody is in the way, in m/s
  float heading;  // 1: towards +x, -1: towards -x
};

struct Corridor {
  std::vector<Person> people;
  float length;
  widephase::ContactBuffer<2, float> contacts;
  widephase::Workspace<2, float> workspace;
};

// The corridor runs along x. A person who leaves at one end enters at the other.
Corridor make_corridor(int people_count) {
  Corridor corridor;
  corridor.people.resize(people_count);
  corridor.length = std::max(10.0f, kAreaAPerson * people_count / kWidth);
  std::mt19937 random(1);
  const auto uniform = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() / 4294967296.0);
  };
  const int rows = 7;
  const int columns = (people_count + rows - 1) / rows;
  for (int i = 0; i < people_count; ++i) {
    Person& person = corridor.people[i];
    person.position[0] = (i / rows + uniform(0.3f, 0.7f)) * corridor.length / columns;
    person.position[1] = (i % rows + uniform(0.4f, 0.6f)) * kWidth / rows;
    person.radius = uniform(0.18f, 0.22f);
    person.speed = uniform(1.0f, 1.5f);
    person.heading = uniform(0, 1) < 0.5f ? 1 : -1;
    person.velocity[0] = person.heading * person.speed;
    person.velocity[1] = 0;
  }
  return corridor;
}

// Finds the contacts of all people and walls that are at most `margin` apart. Circles come before
// halfspaces, so ids below people.size() are people.
void find_contacts(Corridor& corridor, double margin) {
  using widephase::ColumnSpan;
  const std::vector<Person>& people = corridor.people;
  static constexpr float wall_normal[2][2] = {{0, 1}, {0, -1}};
  static constexpr float wall_offset[2] = {0, -kWidth};

  // The scene borrows our array of structures: a column is an address and a stride.
  widephase::SceneSpan<2, float> scene;
  scene.circles.center =
      ColumnSpan<float, 2>::interleaved(people[0].position, people.size(), sizeof(Person));
  scene.circles.radius =
      ColumnSpan<float>::interleaved(&people[0].radius, people.size(), sizeof(Person));
  scene.halfspaces.normal = ColumnSpan<float, 2>::interleaved(wall_normal[0], 2);
  scene.halfspaces.offset = ColumnSpan<float>::interleaved(wall_offset, 2);
  scene.domain.max = {corridor.length, kWidth};
  scene.domain.periodic = {true, false};

  widephase::CollideOptions options;
  options.margin = margin;
  collide(scene, corridor.contacts, corridor.workspace, options);
}

// How a person reacts to another one in direction `to_other` at a distance of `gap` metres. The
// nearer the other is, the slower the person walks. People who come the other way are passed,
// preferably on the right.
void react(Person& person, const Person& other, const float (&to_other)[2], float gap) {
  const float ahead = to_other[0] * person.heading;
  if (ahead <= 0) return;
  const float nearness = std::clamp(1 - gap / kSight, 0.0f, 1.0f);
  const float urgency = ahead * nearness * nearness;
  const float right = -person.heading;
  if (other.heading != person.heading) person.wanted[1] += (0.5f * right - to_other[1]) * urgency;
  person.wanted[0] *= 1 - 0.4f * urgency;
}

void walk(Corridor& corridor) {
  std::vector<Person>& people = corridor.people;
  for (Person& person : people) {
    person.wanted[0] = person.heading * person.speed;
    person.wanted[1] = 0;
  }
  find_contacts(corridor, kSight);
  const auto& contacts = corridor.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [a, b] = contacts.pair[i];
    if (static_cast<std::size_t>(b) >= people.size()) continue;  // a wall
    const float x = contacts.normal(i, 0), y = contacts.normal(i, 1);
    react(people[a], people[b], {x, y}, -contacts.depth[i]);
    react(people[b], people[a], {-x, -y}, -contacts.depth[i]);
  }
  for (Person& person : people) {
    for (int k = 0; k < 2; ++k) {
      person.velocity[k] += (person.wanted[k] - person.velocity[k]) * kTimeStep / kReaction;
      person.position[k] += person.velocity[k] * kTimeStep;
    }
  }
}

// Moves people who overlap most of the way apart: each of two people by half, a person at a wall by
// all of it.
void push_apart(Corridor& corridor) {
  std::vector<Person>& people = corridor.people;
  find_contacts(corridor, 0);
  const auto& contacts = corridor.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [a, b] = contacts.pair[i];
    const bool is_wall = static_cast<std::size_t>(b) >= people.size();
    const float share = is_wall ? 1.0f : 0.4f;
    for (int k = 0; k < 2; ++k) {
      const float shift = share * contacts.depth[i] * contacts.normal(i, k);
      people[a].position[k] -= shift;
      if (!is_wall) people[b].position[k] += shift;
    }
  }
  for (Person& person : people) {
    person.position[0] -= corridor.length * std::floor(person.position[0] / corridor.length);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string out;
  int people_count = 400;
  int frame_count = 500;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "-o") out = argv[i + 1];
    if (option == "--people") people_count = std::atoi(argv[i + 1]);
    if (option == "--frames") frame_count = std::atoi(argv[i + 1]);
  }
  if (!out.ends_with(".csv") || people_count < 1 || frame_count < 1) {
    std::fprintf(stderr, "usage: counterflow -o crowd.csv [--people 400] [--frames 500]\n");
    return 2;
  }
  std::FILE* file = std::fopen(out.c_str(), "w");
  if (file == nullptr) {
    std::perror(out.c_str());
    return 1;
  }

  Corridor corridor = make_corridor(people_count);
  std::fprintf(file, "x,y,radius,world\n");
  for (int frame = 0; frame < frame_count; ++frame) {
    for (const Person& person : corridor.people) {
      std::fprintf(file, "%.4f,%.4f,%.4f,%d\n", person.position[0], person.position[1],
                   person.radius, frame);
    }
    for (int step = 0; step < kStepsAFrame; ++step) {
      walk(corridor);
      push_apart(corridor);
    }
  }
  const bool is_written = std::ferror(file) == 0;
  if (std::fclose(file) != 0 || !is_written) {
    std::perror(out.c_str());
    return 1;
  }
  std::printf("%s: %d people, %d frames\n", out.c_str(), people_count, frame_count);
}
