// The Panda arm in its 700 planning scenes, and 22 humanoids on a floor, against independent
// kinematics and distances.
// Labels: plain real-data long

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <widephase/bodies.hpp>
#include <widephase/collide.hpp>

#include "reference/vec.hpp"
#include "support/data_path.hpp"
#include "support/own_folder.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::test {
namespace {

using Scene = SceneColumns<3, double>;

Scene load(const std::filesystem::path& path, const std::string& joints = "") {
  tools::ReadOptions options;
  options.joints = joints;
  Scene scene;
  tools::read_scene(path, tools::detect_format(path), options).to_columns(scene);
  return scene;
}

class robots_data : public OwnFolder {};

/// The depth of each pair in contact.
std::map<std::pair<std::int32_t, std::int32_t>, double> depths_of(
    const ContactBuffer<3, double>& contacts) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> depths;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    depths[{contacts.pair[i].a, contacts.pair[i].b}] = contacts.depth[i];
  }
  return depths;
}

// The Panda's joints as published by its makers (Craig's parameters: a and d of the joint before,
// rotation alpha about x): p = Rx(alpha) (x), then z by the joint's value.
struct PandaJoint {
  Real alpha, a, d;
};
constexpr Real kQuarter = 1.57079632679489661923L;
constexpr PandaJoint kPanda[7] = {{0, 0, 0.333L},
                                  {-kQuarter, 0, 0},
                                  {kQuarter, 0, 0.316L},
                                  {kQuarter, 0.0825L, 0},
                                  {-kQuarter, -0.0825L, 0.384L},
                                  {kQuarter, 0, 0},
                                  {kQuarter, 0.088L, 0}};

/// The world position of a point in link 7's frame, computed from the hand back to the base.
Vec<3> from_link7(const std::vector<double>& joints, Vec<3> p) {
  for (int j = 6; j >= 0; --j) {
    const Real c = std::cos(static_cast<Real>(joints[static_cast<std::size_t>(j)]));
    const Real s = std::sin(static_cast<Real>(joints[static_cast<std::size_t>(j)]));
    p = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2] + kPanda[j].d};
    const Real ca = std::cos(kPanda[j].alpha), sa = std::sin(kPanda[j].alpha);
    p = {p[0] + kPanda[j].a, ca * p[1] - sa * p[2], sa * p[1] + ca * p[2]};
  }
  return p;
}

/// A point in the frame of a box or cylinder, from its rotation.
template <class Table>
Vec<3> in_frame(const Table& table, std::size_t row, const Vec<3>& point) {
  const Real x = table.turn(row, 0), y = table.turn(row, 1), z = table.turn(row, 2),
             w = table.turn(row, 3);
  Vec<3> d = point;
  for (int k = 0; k < 3; ++k) d[k] -= table.center(row, k);
  return {
      (1 - 2 * (y * y + z * z)) * d[0] + 2 * (x * y + z * w) * d[1] + 2 * (x * z - y * w) * d[2],
      2 * (x * y - z * w) * d[0] + (1 - 2 * (x * x + z * z)) * d[1] + 2 * (y * z + x * w) * d[2],
      2 * (x * z + y * w) * d[0] + 2 * (y * z - x * w) * d[1] + (1 - 2 * (x * x + y * y)) * d[2]};
}

/// Signed distance to a product of intervals, from how far the point is outside of each.
template <int N>
Real beyond(const Vec<N>& excess) {
  Real square = 0, largest = excess[0];
  for (int k = 0; k < N; ++k) {
    if (excess[k] > 0) square += excess[k] * excess[k];
    largest = std::max(largest, excess[k]);
  }
  return largest > 0 ? std::sqrt(square) : largest;
}

constexpr Real kSure = 1e-9L;  ///< depths nearer to 0 than this decide nothing

TEST_F(robots_data, panda_in_its_700_scenes) {
  const auto data = data_path("robots");
  if (!data) GTEST_SKIP() << "no data folder; set WIDEPHASE_DATA";
  const std::string unpack = "tar xjf '" + (*data / "panda-problems.tar.bz2").string() + "'";
  if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "no tar with bzip2";

  // The start and goal of every problem: worlds 2 i and 2 i + 1 belong to problem i.
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("problems")) {
    if (entry.path().filename().string().starts_with("scene")) paths.insert(entry.path());
  }
  ASSERT_EQ(paths.size(), 700u);
  std::vector<std::vector<double>> configurations;
  std::ofstream csv("joints.csv");
  const auto add = [&](const std::map<std::string, std::string>& values) {
    auto& row = configurations.emplace_back();
    for (int j = 1; j <= 7; ++j) {
      const std::string& word = values.at("panda_joint" + std::to_string(j));
      row.push_back(std::stod(word));
      csv << (j > 1 ? "," : "") << word;
    }
    csv << "\n";
  };
  for (const auto& path : paths) {
    std::string name = path.filename();
    name.replace(0, 5, "request");
    const YAML::Node request = YAML::LoadFile(path.parent_path() / name);
    std::map<std::string, std::string> start, goal;
    const YAML::Node state = request["start_state"]["joint_state"];
    for (std::size_t i = 0; i < state["name"].size(); ++i) {
      start[state["name"][i].Scalar()] = state["position"][i].Scalar();
    }
    for (const YAML::Node& joint : request["goal_constraints"][0]["joint_constraints"]) {
      goal[joint["joint_name"].Scalar()] = joint["position"].Scalar();
    }
    add(start);
    add(goal);
  }
  csv.close();
  Scene scene = load(*data / "panda_spherized.urdf", "joints.csv");
  ASSERT_EQ(scene.spheres.radius.size(), 59u * 1400);
  ASSERT_EQ(scene.bodies.position.size(), 8u * 1400);  // links 0 to 6, and link 7 with the hand

  // The last body is link 7 with the hand: checks its origin and a point along its x axis.
  for (std::size_t i = 0; i < 1400; ++i) {
    const Vec<3> expected = from_link7(configurations[i], {});
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(scene.bodies.position(8 * i + 7, k), static_cast<double>(expected[k]), 1e-10)
          << i;
    }
    const Vec<3> x = minus(from_link7(configurations[i], {1, 0, 0}), expected);
    const Real qy = scene.bodies.turn(8 * i + 7, 1), qz = scene.bodies.turn(8 * i + 7, 2);
    ASSERT_NEAR(static_cast<double>(1 - 2 * (qy * qy + qz * qz)), static_cast<double>(x[0]), 1e-10);
  }

  std::int32_t problem = 0;
  for (const auto& path : paths) {
    const Scene obstacles = load(path);
    for (const std::int32_t world : {2 * problem, 2 * problem + 1}) {
      for (std::size_t row = 0; row < obstacles.boxes.center.size(); ++row) {
        scene.boxes.center.push_back(obstacles.boxes.center.row(row));
        scene.boxes.turn.push_back(obstacles.boxes.turn.row(row));
        scene.boxes.half_extents.push_back(obstacles.boxes.half_extents.row(row));
        scene.boxes.world.push_back({world});
        scene.boxes.fixed.push_back({1});
      }
      for (std::size_t row = 0; row < obstacles.cylinders.radius.size(); ++row) {
        scene.cylinders.center.push_back(obstacles.cylinders.center.row(row));
        scene.cylinders.turn.push_back(obstacles.cylinders.turn.row(row));
        scene.cylinders.half_height.push_back({obstacles.cylinders.half_height[row]});
        scene.cylinders.radius.push_back({obstacles.cylinders.radius[row]});
        scene.cylinders.world.push_back({world});
        scene.cylinders.fixed.push_back({1});
      }
    }
    ++problem;
  }
  EXPECT_GT(scene.boxes.center.size(), 7000u);
  EXPECT_GT(scene.cylinders.center.size(), 4000u);

  // Arms are free at start and goal (except one), so a margin is needed to get pairs.
  constexpr Real kMargin = 0.1L;
  CollideOptions options;
  options.margin = static_cast<double>(kMargin);
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  collide(scene, contacts, workspace, options);
  std::map<std::pair<std::int32_t, std::int32_t>, double> found = depths_of(contacts);

  PlacedScene<3, double> placed;
  place(scene, SceneSpan<3, double>(scene).bodies, placed);
  const auto& spheres = placed.scene().spheres;
  const auto center = [&](std::size_t row) {
    return Vec<3>{spheres.center(row, 0), spheres.center(row, 1), spheres.center(row, 2)};
  };
  const SceneLayout layout = layout_of(scene);
  std::int64_t contact_count = 0, overlap_count = 0;
  const auto judge = [&](std::size_t a, std::int32_t b, Real depth) {
    const auto hit = found.find({static_cast<std::int32_t>(a), b});
    if (std::abs(depth + kMargin) > kSure) {
      ASSERT_EQ(hit != found.end(), depth + kMargin > 0) << a << " " << b << " depth " << depth;
    }
    if (hit == found.end()) return;
    ASSERT_NEAR(hit->second, static_cast<double>(depth), 1e-9) << a << " " << b;
    ++contact_count;
    if (depth > 0) ++overlap_count;
  };
  const auto rows_of_world = [](const Column<std::int32_t>& worlds) {
    std::vector<std::vector<std::size_t>> rows(1400);
    for (std::size_t row = 0; row < worlds.size(); ++row) {
      rows[static_cast<std::size_t>(worlds[row])].push_back(row);
    }
    return rows;
  };
  const auto boxes = rows_of_world(scene.boxes.world);
  const auto cylinders = rows_of_world(scene.cylinders.world);
  for (std::size_t world = 0; world < 1400; ++world) {
    for (std::size_t a = 59 * world; a < 59 * (world + 1); ++a) {
      const Real radius = spheres.radius(a);
      for (std::size_t b = a + 1; b < 59 * (world + 1); ++b) {
        const auto id_b = static_cast<std::int32_t>(b);
        if (spheres.body(a) == spheres.body(b) ||
            std::abs(spheres.body(a) - spheres.body(b)) == 1) {
          ASSERT_FALSE(found.contains({static_cast<std::int32_t>(a), id_b}));
          continue;
        }
        judge(a, id_b, radius + spheres.radius(b) - length(minus(center(a), center(b))));
      }
      for (const std::size_t row : boxes[world]) {
        Vec<3> excess = in_frame(scene.boxes, row, center(a));
        for (int k = 0; k < 3; ++k) {
          excess[k] = std::abs(excess[k]) - scene.boxes.half_extents(row, k);
        }
        judge(a, layout.id(Kind::box, static_cast<std::int32_t>(row)), radius - beyond<3>(excess));
      }
      for (const std::size_t row : cylinders[world]) {
        const Vec<3> p = in_frame(scene.cylinders, row, center(a));
        const Vec<2> excess{std::hypot(p[0], p[1]) - scene.cylinders.radius[row],
                            std::abs(p[2]) - scene.cylinders.half_height[row]};
        judge(a, layout.id(Kind::cylinder, static_cast<std::int32_t>(row)),
              radius - beyond<2>(excess));
      }
    }
  }
  EXPECT_EQ(contact_count, static_cast<std::int64_t>(contacts.size()));
  EXPECT_GT(contact_count, 10000);
  EXPECT_EQ(overlap_count, 1);
}

/// The least distance of two segments: between the nearest points of their lines if both are
/// inside, or else at an end of one of them.
Real segment_distance(const Vec<3>& a0, const Vec<3>& a1, const Vec<3>& b0, const Vec<3>& b1) {
  const auto to_segment = [](const Vec<3>& p, const Vec<3>& s0, const Vec<3>& s1) {
    const Vec<3> d = minus(s1, s0);
    const Real square = dot(d, d);
    const Real t = square > 0 ? dot(minus(p, s0), d) / square : 0;
    return length(minus(p, plus(s0, d, std::min<Real>(1, std::max<Real>(0, t)))));
  };
  Real least = std::min({to_segment(a0, b0, b1), to_segment(a1, b0, b1), to_segment(b0, a0, a1),
                         to_segment(b1, a0, a1)});
  const Vec<3> u = minus(a1, a0), v = minus(b1, b0), w = minus(a0, b0);
  const Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), determinant = uu * vv - uv * uv;
  if (determinant > 1e-15L * uu * vv && determinant > 0) {
    const Real s = (uv * dot(v, w) - vv * dot(u, w)) / determinant;
    const Real t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      least = std::min(least, length(minus(plus(a0, u, s), plus(b0, v, t))));
    }
  }
  return least;
}

TEST_F(robots_data, humanoids_stand_on_the_floor) {
  const auto data = data_path("humanoids");
  if (!data) GTEST_SKIP() << "no data folder; set WIDEPHASE_DATA";
  const Scene scene = load(*data / "22_humanoids.xml");
  EXPECT_EQ(scene.spheres.radius.size(), 22u * 3);
  EXPECT_EQ(scene.capsules.radius.size(), 22u * 16);
  EXPECT_EQ(scene.halfspaces.offset.size(), 1u);
  // Three of 16 bodies, the head and the hands, are welded to their parents.
  ASSERT_EQ(scene.bodies.position.size(), 22u * 13);
  for (std::size_t i = 0; i < 22; ++i) {
    // A circle of radius 4 from (0, -4) on, 16.36 degrees a step; torsos at 1.282.
    const double angle = static_cast<double>(i) * 16.36 * std::acos(-1.0) / 180;
    EXPECT_NEAR(scene.bodies.position(13 * i, 0), 4 * std::sin(angle), 1e-12);
    EXPECT_NEAR(scene.bodies.position(13 * i, 1), -4 * std::cos(angle), 1e-12);
    EXPECT_NEAR(scene.bodies.position(13 * i, 2), 1.282, 1e-12);
  }
  // A margin of 0.05 gives pairs within a body; feet stand on the floor to rounding.
  CollideOptions options;
  options.margin = 0.05;
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  collide(scene, contacts, workspace, options);
  std::map<std::pair<std::int32_t, std::int32_t>, double> found = depths_of(contacts);
  Column<std::int32_t, 2> bodies;
  contact_bodies(scene, contacts, bodies);

  struct Round {
    Vec<3> a, b;
    Real radius;
    std::int32_t body;
  };
  PlacedScene<3, double> placed;
  place(scene, SceneSpan<3, double>(scene).bodies, placed);
  const auto& world = placed.scene();
  const auto point = [](const auto& column, std::size_t row) {
    return Vec<3>{column(row, 0), column(row, 1), column(row, 2)};
  };
  std::vector<Round> rounds;
  for (std::size_t row = 0; row < world.spheres.radius.size(); ++row) {
    const Vec<3> center = point(world.spheres.center, row);
    rounds.push_back({center, center, world.spheres.radius(row), world.spheres.body(row)});
  }
  for (std::size_t row = 0; row < world.capsules.radius.size(); ++row) {
    rounds.push_back({point(world.capsules.a, row), point(world.capsules.b, row),
                      world.capsules.radius(row), world.capsules.body(row)});
  }
  std::set<std::pair<std::int32_t, std::int32_t>> excluded;
  for (std::size_t row = 0; row < scene.excluded.size(); ++row) {
    excluded.insert(std::minmax(scene.excluded(row, 0), scene.excluded(row, 1)));
  }
  std::size_t expected_count = 0, on_floor = 0;
  const auto judge = [&](std::size_t a, std::size_t b, Real depth) {
    const std::pair ids{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
    const bool is_expected = depth + 0.05L >= 0;
    ASSERT_GT(std::abs(depth + 0.05L), kSure) << a << " " << b;
    ASSERT_EQ(found.contains(ids), is_expected) << a << " " << b << " " << depth;
    if (!is_expected) return;
    ASSERT_NEAR(found[ids], static_cast<double>(depth), 1e-12);
    ++expected_count;
  };
  for (std::size_t a = 0; a < rounds.size(); ++a) {
    for (std::size_t b = a + 1; b < rounds.size(); ++b) {
      const std::pair ids{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
      if (rounds[a].body == rounds[b].body || excluded.contains(ids)) {
        ASSERT_FALSE(found.contains(ids));
        continue;
      }
      judge(a, b,
            rounds[a].radius + rounds[b].radius -
                segment_distance(rounds[a].a, rounds[a].b, rounds[b].a, rounds[b].b));
    }
    const Real depth = rounds[a].radius - std::min(rounds[a].a[2], rounds[a].b[2]);
    judge(a, rounds.size(), depth);
    if (std::abs(depth) < 1e-12L) ++on_floor;
  }
  EXPECT_EQ(expected_count, contacts.size());
  EXPECT_EQ(on_floor, 22u * 4) << "two capsules a foot, exactly on the floor";
  std::size_t floor_contacts = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts.pair[i].b != static_cast<std::int32_t>(rounds.size())) continue;
    EXPECT_EQ(bodies(i, 1), -1);
    EXPECT_EQ(bodies(i, 0), rounds[static_cast<std::size_t>(contacts.pair[i].a)].body);
    ++floor_contacts;
  }
  EXPECT_GE(floor_contacts, 88u);
}

TEST_F(robots_data, humanoid_rests_in_its_keyframes) {
  const auto data = data_path("humanoids/humanoid.xml");
  if (!data) GTEST_SKIP() << "no data folder; set WIDEPHASE_DATA";
  // Contacts, all with the floor, and the deepest one as MuJoCo 2.2.2 has it.
  struct Expected {
    const char* keyframe;
    std::size_t contacts;
    double depth;
  };
  for (const auto& [keyframe, count, depth] : {Expected{"squat", 4, 0.000346520},
                                               {"stand_on_left_leg", 2, 0.000413946},
                                               {"prone", 3, 0.002539563},
                                               {"3", 2, 0.000259500}}) {
    tools::ReadOptions options;
    options.keyframe = keyframe;
    Scene scene;
    tools::read_scene(*data, tools::Format::mjcf, options).to_columns(scene);
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide(scene, contacts, workspace);
    EXPECT_EQ(contacts.size(), count) << keyframe;
    double deepest = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      deepest = std::max(deepest, contacts.depth[i]);
    }
    EXPECT_NEAR(deepest, depth, 1e-9) << keyframe;
  }
}

TEST_F(robots_data, panda_with_its_srdf_has_690_pairs_of_spheres) {
  const auto urdf = data_path("robots/panda_spherized.urdf");
  const auto srdf = data_path("robots/panda.srdf");
  if (!urdf || !srdf) GTEST_SKIP() << "there are no robots";
  std::vector<std::string> notes;
  const Robot robot = tools::robot_of(
      *urdf, tools::read_robot(*urdf, tools::Format::urdf, *srdf, {}, notes).columns);
  EXPECT_EQ(robot.values().size(), 7u);
  EXPECT_EQ(robot.body_count(), 8u);
  const auto& spheres = robot.shapes().spheres;
  ASSERT_EQ(spheres.radius.size(), 59u);
  std::set<std::array<std::int32_t, 2>> excluded, links;
  const auto& owners = robot.shapes().excluded_owners;
  for (std::size_t i = 0; i < owners.size(); ++i) excluded.insert(owners.row(i));
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < 59; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::int32_t low = std::min(spheres.owner[a], spheres.owner[b]);
      const std::int32_t high = std::max(spheres.owner[a], spheres.owner[b]);
      if (low == high || spheres.body[a] == spheres.body[b]) continue;
      if (excluded.contains({low, high})) continue;
      links.insert({low, high});
      ++pairs;
    }
  }
  EXPECT_EQ(links.size(), 21u);
  EXPECT_EQ(pairs, 690u);
}

}  // namespace
}  // namespace widephase::test
