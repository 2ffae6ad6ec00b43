// Who touches whom in a crowd, frame by frame: each frame of a trajectory is a world, and one call
// finds the contacts of all frames.
//
//   crowd_analysis [TRAJECTORY [CONTACTS.csv]]
//
// TRAJECTORY has lines "id frame x y [z]", as laboratories publish them. Without it, people on a
// ring walk across it. The output has one line per frame: frame,contacts,deepest.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

struct Sighting {
  std::int64_t id;
  std::int64_t frame;
  std::int32_t world;
  double position[2];  // m
};

std::vector<Sighting> read_trajectory(std::istream& input, const std::string& path) {
  std::vector<Sighting> sightings;
  double metres_a_unit = 1;
  std::string line;
  for (long number = 1; std::getline(input, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line[0] == '#') {
      if (line.find("x/cm") != std::string::npos) metres_a_unit = 0.01;
      continue;
    }
    std::istringstream fields(line);
    Sighting sighting{};
    if (!(fields >> sighting.id >> sighting.frame >> sighting.position[0] >>
          sighting.position[1])) {
      throw std::runtime_error(path + " line " + std::to_string(number) +
                               ": expected id frame x y [z]");
    }
    for (double& coordinate : sighting.position) coordinate *= metres_a_unit;
    sightings.push_back(sighting);
  }
  return sightings;
}

// 40 people on a ring walk to the opposite side. Each passes the middle 1.5 m to the left of it.
std::vector<Sighting> ring() {
  std::vector<Sighting> sightings;
  for (int frame = 0; frame <= 100; ++frame) {
    for (int person = 0; person < 40; ++person) {
      const double angle = 2 * 3.14159265358979 * person / 40;
      const double x = 5 - 0.1 * frame, y = 1.5;  // seen from this person's position on the ring
      Sighting sighting{person, frame, 0, {}};
      sighting.position[0] = x * std::cos(angle) - y * std::sin(angle);
      sighting.position[1] = x * std::sin(angle) + y * std::cos(angle);
      sightings.push_back(sighting);
    }
  }
  return sightings;
}

// Worlds are numbered from 0 without gaps; frames may start anywhere. Returns the frame of each
// world.
std::vector<std::int64_t> number_worlds(std::vector<Sighting>& sightings) {
  std::sort(sightings.begin(), sightings.end(), [](const Sighting& a, const Sighting& b) {
    return std::tie(a.frame, a.id) < std::tie(b.frame, b.id);
  });
  std::vector<std::int64_t> frames;
  for (Sighting& sighting : sightings) {
    if (frames.empty() || frames.back() != sighting.frame) frames.push_back(sighting.frame);
    sighting.world = static_cast<std::int32_t>(frames.size()) - 1;
  }
  return frames;
}

void analyse(std::vector<Sighting> sightings, std::ostream& output) {
  using widephase::ColumnSpan;
  const std::vector<std::int64_t> frames = number_worlds(sightings);
  output << "frame,contacts,deepest\n";
  if (sightings.empty()) return;

  // The scene borrows our array of structures: a column is an address, a count and a stride.
  const double radius = 0.2;
  const std::size_t count = sightings.size();
  widephase::SceneSpan<2, double> scene;
  scene.circles.center =
      ColumnSpan<double, 2>::interleaved(sightings[0].position, count, sizeof(Sighting));
  scene.circles.world =
      ColumnSpan<std::int32_t>::interleaved(&sightings[0].world, count, sizeof(Sighting));
  scene.circles.radius = ColumnSpan<double>::repeated(&radius, count);

  widephase::CollideOptions options;
  options.order = widephase::Order::world;  // then world_offset says where each frame begins
  widephase::ContactBuffer<2, double> contacts;
  widephase::Workspace<2, double> workspace;
  collide(scene, contacts, workspace, options);

  for (std::size_t world = 0; world < frames.size(); ++world) {
    const std::int64_t first = contacts.world_offset[world];
    const std::int64_t last = contacts.world_offset[world + 1];
    double deepest = 0;
    for (std::int64_t i = first; i < last; ++i) deepest = std::max(deepest, contacts.depth[i]);
    output << frames[world] << ',' << last - first << ',' << deepest << '\n';
  }
  std::fprintf(stderr, "%zu frames, %zu people in them, %zu contacts\n", frames.size(), count,
               contacts.size());
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<Sighting> sightings;
  if (argc > 1) {
    std::ifstream input(argv[1]);
    if (!input) throw std::runtime_error(std::string("cannot read ") + argv[1]);
    sightings = read_trajectory(input, argv[1]);
  } else {
    sightings = ring();
  }
  if (argc < 3) {
    analyse(std::move(sightings), std::cout);
    return 0;
  }
  std::ofstream output(argv[2]);
  analyse(std::move(sightings), output);
  output.close();
  if (!output) throw std::runtime_error(std::string("cannot write ") + argv[2]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "crowd_analysis: %s\n", error.what());
  return 1;
}
