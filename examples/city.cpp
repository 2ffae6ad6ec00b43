// A city of pedestrians on the ranks of mpirun: streets between blocks, everybody walks along one
// and is pushed out of whom and what is met. Each rank makes its own part, and draws the people
// that it has in the end.
//
//   mpirun -n 4 city [PEOPLE] [STEPS] [FOLDER] [MAP]      4000 people, 5 steps, no pictures
//
// With a MAP, countries-110m.json of npm's world-atlas, the city is stretched over the world, and
// each country is one rank's, as where a simulation has domains of its own. The hash of each step's contacts is the same on any number of ranks.

#include <mpi.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <widephase/distributed_scene.hpp>

#include "tools/formats/read_outlines.hpp"

namespace {

constexpr double kPitch = 100, kStreet = 20;  // metres from block to block, and between two
constexpr double kPeopleABlock = 1440;        // 0.4 per square metre of street
constexpr float kRadius = 0.25f, kSeconds = 0.1f;

/// A person by number: where they begin, in which direction they walk, how fast.
struct Person {
  float at[2];
  float velocity[2];
};

/// Numbers from 0 to 1 that look random (Stafford's mix 13).
double number(std::uint64_t person, std::uint64_t which) {
  std::uint64_t x = (person * 4 + which + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

Person person_of(std::uint64_t p, double side) {
  const int along = static_cast<int>(p % 2), across = 1 - along;
  Person person{};
  const double street = std::floor(number(p, 0) * (side / kPitch)) * kPitch;
  person.at[along] = static_cast<float>(number(p, 1) * side);
  person.at[across] = static_cast<float>(street + (number(p, 2) - 0.5) * (kStreet - 2 * kRadius));
  person.velocity[along] = static_cast<float>((p / 2 % 2 == 0 ? 1 : -1) * (1 + 0.6 * number(p, 3)));
  return person;
}

/// What a contact moves a person by. Sums of them are taken in the order of the others' ids.
struct Push {
  std::int32_t other;
  float by[2];
};

constexpr std::size_t kColumns = 360, kRows = 180;  // cells of the map, of a degree

/// The country that has the middle of each cell, in rows from the south; at sea the nearest one.
std::vector<int> countries_by_cell(const widephase::tools::Outlines& countries) {
  std::vector<int> country(kColumns * kRows, -1);
  std::vector<double> crossings;
  for (const auto& outline : countries.list) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const double y = static_cast<double>(row) - 89.5;
      crossings.clear();
      for (std::size_t ring = 0; ring + 1 < outline.ring_offsets.size(); ++ring) {
        const auto end = static_cast<std::size_t>(outline.ring_offsets[ring + 1]);
        auto last = outline.position(end - 1);
        for (auto v = static_cast<std::size_t>(outline.ring_offsets[ring]); v < end; ++v) {
          const auto next = outline.position(v);
          if ((last[1] <= y) != (next[1] <= y)) {
            crossings.push_back(last[0] +
                                (y - last[1]) / (next[1] - last[1]) * (next[0] - last[0]));
          }
          last = next;
        }
      }
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
        for (std::size_t column = 0; column < kColumns; ++column) {
          const double x = static_cast<double>(column) - 179.5;
          if (crossings[i] <= x && x < crossings[i + 1]) {
            country[row * kColumns + column] = outline.owner;
          }
        }
      }
    }
  }
  std::vector<std::size_t> coast;
  for (std::size_t cell = 0; cell < country.size(); ++cell) {
    if (country[cell] >= 0) coast.push_back(cell);
  }
  for (std::size_t i = 0; i < coast.size(); ++i) {
    const std::size_t row = coast[i] / kColumns, column = coast[i] % kColumns;
    const std::size_t north = std::min(row + 1, kRows - 1), south = row == 0 ? 0 : row - 1;
    for (const std::size_t cell : {row * kColumns + (column + 1) % kColumns,
                                   row * kColumns + (column + kColumns - 1) % kColumns,
                                   north * kColumns + column, south * kColumns + column}) {
      if (country[cell] >= 0) continue;
      country[cell] = country[coast[i]];
      coast.push_back(cell);
    }
  }
  return country;
}

/// Countries as domains, the largest first, each the rank's that has the fewest cells so far.
widephase::Bricks domains_of(const std::string& map, double side, int ranks) {
  const auto countries = widephase::tools::read_outlines(map, "countries");
  std::vector<int> rank_of_cell = countries_by_cell(countries);
  std::vector<int> cells(static_cast<std::size_t>(countries.owner_count), 0), order(cells.size());
  for (const int country : rank_of_cell) ++cells.at(static_cast<std::size_t>(country));
  std::iota(order.begin(), order.end(), 0);
  const auto size_of = [&](int country) { return cells[static_cast<std::size_t>(country)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b;
  });
  std::vector<int> load(static_cast<std::size_t>(ranks), 0), rank_of(cells.size());
  for (const int country : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += size_of(country);
    rank_of[static_cast<std::size_t>(country)] = static_cast<int>(least - load.begin());
  }
  for (int& cell : rank_of_cell) cell = rank_of[static_cast<std::size_t>(cell)];
  const double low[] = {0, 0}, high[] = {side, side};
  const int counts[] = {static_cast<int>(kColumns), static_cast<int>(kRows)};
  return {2, low, high, counts, std::move(rank_of_cell)};
}

/// The people of a rank, seen from above.
void draw(const widephase::Column<float, 2>& centers, double side, const std::string& path) {
  constexpr int kPixels = 512;
  std::vector<unsigned char> image(kPixels * kPixels, 0);
  for (std::size_t i = 0; i < centers.size(); ++i) {
    int at[2];
    for (int k = 0; k < 2; ++k) {
      const double share = static_cast<double>(centers(i, k)) / side;
      at[k] = std::clamp(static_cast<int>((share - std::floor(share)) * kPixels), 0, kPixels - 1);
    }
    unsigned char& pixel = image[static_cast<std::size_t>((kPixels - 1 - at[1]) * kPixels + at[0])];
    pixel = static_cast<unsigned char>(std::min(255, pixel + 60));
  }
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << kPixels << ' ' << kPixels << "\n255\n";
  file.write(reinterpret_cast<const char*>(image.data()),
             static_cast<std::streamsize>(image.size()));
}

void walk(std::int64_t people, int steps, const std::string& folder, const std::string& map) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto blocks =
      static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(people) / kPeopleABlock)));
  const double side = static_cast<double>(blocks) * kPitch;

  // This rank's part: some people, some buildings, in a world without an edge.
  widephase::SceneColumns<2, float> part;
  std::array<std::vector<std::int32_t>, widephase::kKindCount> rows;
  auto& person_rows = rows[static_cast<std::size_t>(widephase::Kind::sphere)];
  for (std::int64_t p = people * rank / ranks; p < people * (rank + 1) / ranks; ++p) {
    const Person person = person_of(static_cast<std::uint64_t>(p), side);
    part.circles.center.push_back({person.at[0], person.at[1]});
    part.circles.radius.push_back({kRadius});
    part.circles.fixed.push_back({std::uint8_t{0}});
    person_rows.push_back(static_cast<std::int32_t>(p));
  }
  const std::int64_t buildings = blocks * blocks;
  for (std::int64_t b = buildings * rank / ranks; b < buildings * (rank + 1) / ranks; ++b) {
    const auto left = static_cast<float>(static_cast<double>(b % blocks) * kPitch + kStreet / 2);
    const auto low = static_cast<float>(static_cast<double>(b / blocks) * kPitch + kStreet / 2);
    constexpr auto kWidth = static_cast<float>(kPitch - kStreet);
    part.aabbs.min.push_back({left, low});
    part.aabbs.max.push_back({left + kWidth, low + kWidth});
    part.aabbs.fixed.push_back({std::uint8_t{1}});
    rows[static_cast<std::size_t>(widephase::Kind::aabb)].push_back(static_cast<std::int32_t>(b));
  }
  part.domain.min = {0, 0};
  part.domain.max = {static_cast<float>(side), static_cast<float>(side)};
  part.domain.periodic = {true, true};
  std::array<widephase::ColumnSpan<std::int32_t>, widephase::kKindCount> spans;
  for (std::size_t k = 0; k < rows.size(); ++k) spans[k] = rows[k];

  widephase::DistributedOptions how;
  std::optional<widephase::Bricks> domains;
  if (!map.empty()) how.partition = &domains.emplace(domains_of(map, side, ranks));
  widephase::DistributedScene<2, float> city(MPI_COMM_WORLD, how);
  city.take(part, spans, {});
  part = {};
  widephase::CollideOptions options;
  options.threads.count = 1;  // ranks are on all cores
  widephase::ContactBuffer<2, float> contacts;
  std::vector<std::int32_t> ids, own_ids;
  std::vector<Push> pushes, own_pushes;
  for (int step = 0; step < steps; ++step) {
    city.step(contacts, options);
    ids.clear();
    pushes.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto [a, b] = contacts.pair[i];
      const float half =
          contacts.depth[i] * (b < people ? 0.5f : 1.0f);  // a building does not give way
      const float by[2] = {contacts.normal(i, 0) * half, contacts.normal(i, 1) * half};
      ids.push_back(a);
      pushes.push_back({b, {-by[0], -by[1]}});
      if (b >= people) continue;
      ids.push_back(b);
      pushes.push_back({a, {by[0], by[1]}});
    }
    city.send_to_owners<Push>(ids, pushes, own_ids, own_pushes);
    auto& centers = city.own().circles.center;
    const auto& own = city.own_rows(widephase::Kind::sphere);
    std::size_t next = 0;
    for (std::size_t i = 0; i < centers.size(); ++i) {
      std::size_t end = next;
      while (end < own_ids.size() && own_ids[end] == own[i]) ++end;
      std::sort(own_pushes.begin() + static_cast<std::ptrdiff_t>(next),
                own_pushes.begin() + static_cast<std::ptrdiff_t>(end),
                [](const Push& a, const Push& b) { return a.other < b.other; });
      const Person person = person_of(static_cast<std::uint64_t>(own[i]), side);
      for (int k = 0; k < 2; ++k) {
        float move = person.velocity[k] * kSeconds;
        for (std::size_t p = next; p < end; ++p) move += own_pushes[p].by[k];
        centers(i, k) += move;
      }
      next = end;
    }
    const std::uint64_t hash = widephase::content_hash<2, float>(MPI_COMM_WORLD, contacts);
    const widephase::DistributedStats& stats = city.stats();
    std::int64_t sums[] = {stats.contacts, stats.moved_rows, stats.copied_shapes};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
      std::printf("step %d: %" PRId64 " contacts, %016" PRIx64 "; %" PRId64
                  " moved to another rank, %" PRId64 " copies, imbalance %.3f\n",
                  step, sums[0], hash, sums[1], sums[2], stats.imbalance);
      std::fflush(stdout);
    }
  }
  if (!folder.empty())
    draw(city.own().circles.center, side, folder + "/rank_" + std::to_string(rank) + ".pgm");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    walk(argc > 1 ? std::atoll(argv[1]) : 4000, argc > 2 ? std::atoi(argv[2]) : 5,
         argc > 3 ? argv[3] : "", argc > 4 ? argv[4] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "city: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
