// Contacts are followed from step to step as on one machine, whichever ranks answer them.
// Ranks: 7

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::test {
namespace {

/// Ends of contacts in one order: by their place among last step's contacts.
using Ended = std::tuple<std::int64_t, std::int32_t, std::int32_t, std::int64_t, std::int64_t, std::int32_t, int, int>;

std::vector<Ended> rows_of(const EndedContacts& ended) {
  std::vector<Ended> rows;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    rows.emplace_back(ended.contact[i], ended.pair[i].a, ended.pair[i].b, ended.key(i, 0), ended.key(i, 1),
                      ended.world[i], ended.kept(i, 0), ended.kept(i, 1));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// What a step says, contacts ascending by pair.
struct StepAnswer {
  std::uint64_t contacts = 0;  ///< hash
  std::vector<std::int64_t> last_contact, last_point;
  std::vector<Ended> ended;

  std::size_t persisting() const {
    return static_cast<std::size_t>(
        std::count_if(last_point.begin(), last_point.end(), [](auto place) { return place >= 0; }));
  }
};

template <class V>
std::vector<V> gathered(MPI_Comm ranks, const V* rows, std::size_t count) {
  int size = 1, rank = 0;
  MPI_Comm_size(ranks, &size);
  MPI_Comm_rank(ranks, &rank);
  const int bytes = static_cast<int>(count * sizeof(V));
  std::vector<int> all(static_cast<std::size_t>(size)), begins(static_cast<std::size_t>(size));
  MPI_Gather(&bytes, 1, MPI_INT, all.data(), 1, MPI_INT, 0, ranks);
  std::exclusive_scan(all.begin(), all.end(), begins.begin(), 0);
  std::vector<V> result(rank == 0 ? static_cast<std::size_t>(begins.back() + all.back()) / sizeof(V) : 0);
  MPI_Gatherv(rows, bytes, MPI_BYTE, result.data(), all.data(), begins.data(), MPI_BYTE, 0, ranks);
  return result;
}

/// The answers of all ranks, by the places that contacts and points have when they are gathered.
class Gatherer {
 public:
  template <int D, class T>
  StepAnswer step(MPI_Comm ranks, const ContactBuffer<D, T>& contacts, const DistributedTracker<D, T>& tracker) {
    StepAnswer answer;
    answer.contacts = gathered_hashes<D, T>(ranks, contacts).ordered;
    const auto pairs = gathered(ranks, contacts.pair.plane(), contacts.size());
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < contacts.size(); ++i) counts.push_back(contacts.offset[i + 1] - contacts.offset[i]);
    const auto points = gathered(ranks, counts.data(), counts.size());
    const auto last_contact = gathered(ranks, tracker.last_contact().plane(), tracker.last_contact().size());
    const auto last_point = gathered(ranks, tracker.last_point().plane(), tracker.last_point().size());
    const auto ended = gathered(ranks, rows_of(tracker.ended()).data(), tracker.ended().size());

    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(pairs[a].a, pairs[a].b, a) < std::tie(pairs[b].a, pairs[b].b, b);
    });
    std::vector<std::int64_t> first(pairs.size() + 1, 0);
    std::inclusive_scan(points.begin(), points.end(), first.begin() + 1);
    std::vector<std::int64_t> contact_place(pairs.size()), point_place(last_point.size());
    std::int64_t next = 0;
    const auto placed = [](const std::vector<std::int64_t>& places, std::int64_t number) {
      return number < 0 ? -1 : places.at(static_cast<std::size_t>(number));
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      contact_place[order[i]] = static_cast<std::int64_t>(i);
      answer.last_contact.push_back(placed(contact_place_, last_contact[order[i]]));
      for (std::int64_t p = first[order[i]]; p < first[order[i] + 1]; ++p) {
        point_place[static_cast<std::size_t>(p)] = next++;
        answer.last_point.push_back(placed(point_place_, last_point[static_cast<std::size_t>(p)]));
      }
    }
    for (Ended row : ended) {
      std::get<0>(row) = placed(contact_place_, std::get<0>(row));
      answer.ended.push_back(row);
    }
    std::sort(answer.ended.begin(), answer.ended.end());
    contact_place_ = std::move(contact_place);
    point_place_ = std::move(point_place);
    return answer;
  }

 private:
  std::vector<std::int64_t> contact_place_, point_place_;  ///< by last step's numbers
};

/// Moves and, in 3D, rocks all shapes: far enough to cross borders, little enough to stay in contact.
template <int D, class T, class RowOf>
void move(SceneColumns<D, T>& scene, int step, double by, const RowOf& row_of) {
  for_each_table(scene, [&](auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    Table::for_each_own(
        [&](const Field& field, auto& column) {
          using C = std::remove_cvref_t<decltype(column)>;
          if constexpr (C::width == D) {
            if (!field.is_position) return;
            for (std::size_t i = 0; i < column.size(); ++i) {
              for (int k = 0; k < D; ++k) {
                const double shift = std::sin(0.37 * row_of(Table::kind, i) + 1.7 * step + 2.1 * k);
                column(i, k) += static_cast<typename C::value_type>(by * (shift + (k == 0 ? 2 : 0)));
              }
            }
          }
        },
        table);
  });
}

/// As `number_sources` of the library: places among pairs in contact.
template <int D, class T>
void number_pairs(ContactBuffer<D, T>& contacts) {
  std::int64_t source = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i == 0 || !(contacts.pair[i] == contacts.pair[i - 1])) ++source;
    contacts.source[i] = source;
  }
}

struct Expected {
  std::vector<StepAnswer> steps;
  std::int64_t persisting = 0, ended = 0;
};

/// Expects one machine's answers of each step from numbers of ranks; `change(scene, rows, step)` moves what is there.
template <int D, class T, class Change>
void expect_one_answer(const SceneColumns<D, T>& given, const CollideOptions& options, const Change& change,
                       Division division = Division::space, const std::vector<int>& counts = {1, 3, 7}) {
  const int steps = 4;
  Expected expected;
  if (world_rank() == 0) {
    SceneColumns<D, T> scene = given;
    Workspace<D, T> workspace;
    Tracker<D, T> tracker;
    ContactBuffer<D, T> contacts;
    CollideOptions in_order = options;
    in_order.order = Order::id;
    for (int step = 0; step < steps; ++step) {
      collide<D, T>(scene, contacts, workspace, tracker, in_order);
      StepAnswer answer{0, {}, {}, rows_of(tracker.ended())};
      answer.last_contact.assign(tracker.last_contact().begin(), tracker.last_contact().end());
      answer.last_point.assign(tracker.last_point().begin(), tracker.last_point().end());
      number_pairs(contacts);
      answer.contacts = hash(contacts);
      expected.steps.push_back(answer);
      change(scene, [](Kind, std::size_t row) { return static_cast<std::int32_t>(row); }, step);
      expected.persisting += static_cast<std::int64_t>(answer.persisting());
      expected.ended += static_cast<std::int64_t>(answer.ended.size());
    }
    EXPECT_GT(expected.persisting, 50);
    EXPECT_GT(expected.ended, 5);
  }
  std::int64_t all_moved = 0;
  for (const int count : counts) {
    on_ranks(count, [&](MPI_Comm ranks) {
      DistributedOptions how;
      how.division = division;
      DistributedScene<D, T> scene(ranks, how);
      DistributedTracker<D, T> tracker;
      scene.take_whole(SceneSpan<D, T>(given));
      Gatherer gatherer;
      ContactBuffer<D, T> contacts;
      std::int64_t moved = 0;
      for (int step = 0; step < steps; ++step) {
        scene.step(contacts, tracker, options);
        moved += scene.stats().moved_pairs;
        const StepAnswer answer = gatherer.step(ranks, contacts, tracker);
        if (world_rank() == 0) {
          const StepAnswer& wanted = expected.steps[static_cast<std::size_t>(step)];
          EXPECT_EQ(answer.contacts, wanted.contacts) << count << " ranks, step " << step;
          EXPECT_TRUE(answer.last_contact == wanted.last_contact) << count << " ranks, step " << step;
          EXPECT_TRUE(answer.last_point == wanted.last_point) << count << " ranks, step " << step;
          EXPECT_TRUE(answer.ended == wanted.ended) << count << " ranks, step " << step;
        }
        change(scene.own(), [&](Kind kind, std::size_t row) { return scene.own_rows(kind)[row]; }, step);
      }
      MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT64_T, MPI_SUM, ranks);
      all_moved += moved;
    });
  }
  if (world_rank() == 0 && division == Division::space) {
    EXPECT_GT(all_moved, 0);  // or nothing is shown
  }
}

/// Shapes drift along x, each in its own way, across all borders.
template <int D, class T>
auto drift(double by) {
  return [by](SceneColumns<D, T>& scene, const auto& row_of, int step) { move(scene, step, by, row_of); };
}

template <int D, class T>
SceneColumns<D, T> generated(const char* name, std::size_t count) {
  return scenes::generate<D, T>(name, {scaled_count(count), 3});
}

TEST(distributed_tracker, contacts_persist_and_end_as_on_one_machine) {
  expect_one_answer(generated<2, float>("mixed", 1000), {}, drift<2, float>(0.1));
  expect_one_answer(generated<3, double>("uniform", 1000), {}, drift<3, double>(0.05));
}

TEST(distributed_tracker, words_go_with_their_pairs) {
  CollideOptions options;
  options.steadiness = 0.02;
  options.margin = 0.02;
  expect_one_answer(generated<3, float>("mixed", 800), options, drift<3, float>(0.04));
  options.method = Method::gjk_epa;
  expect_one_answer(generated<2, double>("mixed", 800), options, drift<2, double>(0.04));
}

TEST(distributed_tracker, patches_of_surfaces_go_on) {
  CollideOptions options;
  options.margin = 0.05;
  options.steadiness = 0.01;
  expect_one_answer(generated<3, float>("terrain", 150), options, drift<3, float>(0.1));
}

TEST(distributed_tracker, keys_and_worlds_name_shapes) {
  SceneColumns<3, float> scene = generated<3, float>("worlds", 1000);
  std::int64_t key = 1000000;
  for_each_table(scene, [&](auto& table) {
    for (std::size_t i = 0; i < row_count(table); ++i) table.key.push_back({key -= 7});
  });
  expect_one_answer(scene, {}, drift<3, float>(0.05), Division::worlds, {3});
  // Every second step some shapes exchange their keys, wherever they are: they go on in each other's place.
  const auto exchange = [](SceneColumns<3, float>& moving, const auto& row_of, int step) {
    move(moving, step, 0.05, row_of);
    for (std::size_t i = 0; i < row_count(moving.spheres); ++i) {
      const std::int32_t row = row_of(Kind::sphere, i);
      moving.spheres.key[i] = 2 * (step % 2 == 0 && row % 16 < 2 ? row ^ 1 : row);
    }
  };
  SceneColumns<3, float> spheres = generated<3, float>("uniform", 1000);
  for (std::size_t i = 0; i < row_count(spheres.spheres); ++i) spheres.spheres.key.push_back({2 * static_cast<std::int64_t>(i)});
  expect_one_answer(spheres, {}, exchange, Division::space, {3, 7});
}

TEST(distributed_tracker, a_kept_scene_keeps_its_contacts) {
  StaticScene<3, float> kept;
  Workspace<3, float> workspace;
  build_static_scene<3, float>(generated<3, float>("pile", 100), kept, workspace);
  SceneColumns<3, float> scene = generated<3, float>("pile", 100);
  scene.halfspaces = {};
  scene.geometries = {};
  scene.hulls = {};
  scene.kept = &kept;
  CollideOptions options;
  options.steadiness = 0.01;
  expect_one_answer(scene, options, drift<3, float>(0.02), Division::space, {3});
}

TEST(distributed_tracker, what_belongs_to_contacts_and_points_is_carried) {
  const SceneColumns<3, float> given = generated<3, float>("uniform", 1500);
  on_ranks(5, [&](MPI_Comm ranks) {
    DistributedScene<3, float> scene(ranks);
    DistributedTracker<3, float> tracker;
    scene.take_whole(SceneSpan<3, float>(given));
    ContactBuffer<3, float> contacts;
    struct Tag {
      std::int32_t a, b;
      float feature;
    };
    std::vector<Tag> tags, last;
    std::vector<Pair> pairs, last_pairs;
    std::size_t persisting = 0;
    for (int step = 0; step < 3; ++step) {
      scene.step(contacts, tracker);
      pairs.assign(contacts.size(), Pair{});
      tags.assign(contacts.point_count(), Tag{});
      tracker.carry_contacts<Pair>(last_pairs, pairs);
      tracker.carry_points<Tag>(last, tags);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        EXPECT_EQ(pairs[i], tracker.last_contact()[i] < 0 ? (Pair{0, 0}) : contacts.pair[i]);
        pairs[i] = contacts.pair[i];
        for (auto p = static_cast<std::size_t>(contacts.offset[i]); p < static_cast<std::size_t>(contacts.offset[i + 1]); ++p) {
          const bool goes_on = tracker.last_point()[p] >= 0;
          persisting += goes_on ? 1 : 0;
          EXPECT_EQ(tags[p].a, goes_on ? contacts.pair[i].a : 0);
          EXPECT_EQ(tags[p].b, goes_on ? contacts.pair[i].b : 0);
          tags[p] = {contacts.pair[i].a, contacts.pair[i].b, 1};
        }
      }
      last = tags;
      last_pairs = pairs;
      move(scene.own(), step, 0.05, [&](Kind kind, std::size_t row) { return scene.own_rows(kind)[row]; });
    }
    std::int64_t sum = static_cast<std::int64_t>(persisting);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, ranks);
    EXPECT_GT(sum, 100);
    // Rows of another number on one rank are refused on all.
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    if (rank == 2) last.push_back({});
    EXPECT_THROW(tracker.carry_points<Tag>(last, tags), Error);
  });
}

TEST(distributed_tracker, a_step_that_fails_on_one_rank_is_not_a_step) {
  SceneColumns<3, float> given = generated<3, float>("uniform", 800);
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<3, float> scene(ranks);
    DistributedTracker<3, float> tracker;
    scene.take_whole(SceneSpan<3, float>(given));
    ContactBuffer<3, float> contacts;
    scene.step(contacts, tracker);
    const std::int64_t before = static_cast<std::int64_t>(contacts.size());
    // Pairs have gone to their new ranks already when contacts turn out to be too many.
    move(scene.own(), 0, 0.2, [&](Kind kind, std::size_t row) { return scene.own_rows(kind)[row]; });
    CollideOptions capped;
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    if (rank == 1) capped.max_contacts = 0;
    EXPECT_THROW(scene.step(contacts, tracker, capped), Error);
    scene.step(contacts, tracker);
    std::int64_t sums[3] = {before, static_cast<std::int64_t>(tracker.ended().size()), 0};
    for (const std::int64_t number : tracker.last_contact()) sums[2] += number >= 0 ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT64_T, MPI_SUM, ranks);
    EXPECT_GT(sums[2], 0);
    EXPECT_EQ(sums[1] + sums[2], sums[0]);  // each has ended or goes on
    tracker.forget();
    scene.step(contacts, tracker);
    EXPECT_EQ(tracker.ended().size(), 0u);
    for (const std::int64_t number : tracker.last_contact()) EXPECT_EQ(number, -1);
    tracker.forget(std::vector<std::uint8_t>{1});
    scene.step(contacts, tracker);
    for (const std::int64_t number : tracker.last_contact()) EXPECT_EQ(number, -1);
    EXPECT_EQ(tracker.ended().size(), 0u);
    EXPECT_THROW(tracker.forget(std::span<const std::uint8_t>()), Error);
  });
}

}  // namespace
}  // namespace widephase::test
