// A planner for robot arms, RRT-Connect (Kuffner and LaValle, ICRA 2000): two trees of free motions
// grow from the start and from the goal until they meet. Each step asks for the motions to many
// random configurations in one call. The path is then made shorter with proven motions alone.
//
// usage: rrt_connect ROBOT.urdf ROBOT.srdf FOLDER [--hulls] [--scenes N]
//
// The folder has families of problems: sceneNNNN.yaml and requestNNNN.yaml, as MoveIt writes them.
// Prints for each family how many are solved, and how much processor time one takes, with the
// reading of its files. --hulls makes each link one hull of at most 32 vertices around its spheres,
// and --scenes plans the first N scenes of each family.

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <widephase/hulls.hpp>
#include <widephase/robot_motions.hpp>

#include "tools/formats/read_scene.hpp"
#include "tools/robots/read_robot.hpp"

namespace {

using namespace widephase;
using Values = std::vector<double>;  // of one configuration, or of many, row by row

constexpr std::size_t kAtOnce = 16;  // random configurations in a step
constexpr std::size_t kMostSteps = 3000, kMostTries = 10;
constexpr double kLongest = 1.5;  // a motion to a random configuration, in radians

double distance(const double* a, const double* b, std::size_t width) {
  double square = 0;
  for (std::size_t v = 0; v < width; ++v) square += (a[v] - b[v]) * (a[v] - b[v]);
  return std::sqrt(square);
}

// Nodes of a tree: its root is the first one.
struct Tree {
  std::size_t width;
  Values values;
  std::vector<std::size_t> parent{0};

  std::size_t size() const { return parent.size(); }
  const double* node(std::size_t i) const { return values.data() + i * width; }
  std::size_t add(const double* q, std::size_t from) {
    values.insert(values.end(), q, q + width);
    parent.push_back(from);
    return size() - 1;
  }
  std::size_t nearest(const double* q) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size(); ++i) {
      double square = 0;
      for (std::size_t v = 0; v < width; ++v) {
        square += (node(i)[v] - q[v]) * (node(i)[v] - q[v]);
      }
      if (square < least) least = square, best = i;
    }
    return best;
  }
  // From a node to the root.
  void append_way(std::size_t i, std::vector<const double*>& way) const {
    for (way.push_back(node(i)); i != 0; way.push_back(node(i))) i = parent[i];
  }
};

class Planner {
 public:
  Planner(const Robot& robot, const Environment& environment, Workspace<3, double>& workspace)
      : robot_(robot),
        environment_(environment),
        width_(robot.values().size()),
        workspace_(workspace) {
    options_.threads.count = 1;
  }

  // Configurations from start to goal; none if no proven path was found.
  Values plan(const Values& start, const Values& goal) {
    for (std::size_t attempt = 0; attempt < kMostTries; ++attempt) {
      random_.seed(static_cast<unsigned>(attempt + 1));
      // What is free by its samples and not at all times asks for more of them.
      samples_ = 32 * static_cast<double>(attempt + 1);
      const Values path = proven(connect(start, goal, attempt == 0));
      if (!path.empty()) return path;
    }
    return {};
  }
  bool is_free(const Values& q) {
    std::vector<std::uint8_t> answer(1);
    any_contact(robot_, Configurations<double>(q, width_), environment_,
                std::span<std::uint8_t>(answer), workspace_, options_);
    return answer[0] == 0;
  }
  // Whether all motions of a path are free at all times.
  bool is_proven(const Values& path) {
    Values from(path.begin(), path.end() - static_cast<std::ptrdiff_t>(width_));
    Values to(path.begin() + static_cast<std::ptrdiff_t>(width_), path.end());
    const MotionChecks& checks = check(from, to, true);
    return std::all_of(checks.status.begin(), checks.status.end(),
                       [](MotionStatus status) { return status == MotionStatus::free; });
  }

 private:
  const MotionChecks& check(const Values& from, const Values& to, bool proof = false) {
    MotionOptions motions;
    motions.resolution = 1 / samples_;
    motions.proof = proof;
    motions.least_width = 1e-5;
    check_motions(robot_, Configurations<double>(from, width_), Configurations<double>(to, width_),
                  environment_, checks_, workspace_, motions, options_);
    return checks_;
  }

  // Motions from the nearest nodes of a tree to configurations, each as far as it is free and at
  // most `longest`. Returns the new nodes; `reached` are those that came to their target.
  std::vector<std::size_t> extend(Tree& tree, const Values& targets, double longest,
                                  std::vector<std::size_t>& reached) {
    const std::size_t count = targets.size() / width_;
    Values from, to;
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < count; ++i) {
      const double* const target = targets.data() + i * width_;
      nodes.push_back(tree.nearest(target));
      const double* const near = tree.node(nodes.back());
      const double part = std::min(1.0, longest / distance(near, target, width_));
      for (std::size_t v = 0; v < width_; ++v) {
        from.push_back(near[v]);
        to.push_back(part == 1 ? target[v] : near[v] + part * (target[v] - near[v]));
      }
    }
    const MotionChecks& checks = check(from, to);
    std::vector<std::size_t> added(count, 0);
    reached.clear();
    for (std::size_t i = 0; i < count; ++i) {
      double* const end = to.data() + i * width_;
      const double* const begin = from.data() + i * width_;
      if (checks.status[i] == MotionStatus::free) {
        reached.push_back(i);
      } else {
        // Up to the sample before the one that touches, if that is some way.
        const double length = distance(begin, end, width_);
        const double part = checks.at[i] - 1 / std::ceil(length * samples_);
        if (part * length < 0.1) continue;
        for (std::size_t v = 0; v < width_; ++v) end[v] = begin[v] + part * (end[v] - begin[v]);
      }
      added[i] = tree.add(end, nodes[i]);
    }
    return added;
  }

  // A path whose samples are free.
  Values connect(const Values& start, const Values& goal, bool tries_straight) {
    Tree trees[2] = {{width_, start}, {width_, goal}};
    std::vector<std::size_t> reached;
    for (std::size_t step = tries_straight ? 0 : 1; step < kMostSteps; ++step) {
      const std::size_t own = trees[0].size() <= trees[1].size() ? 0 : 1;
      Tree &tree = trees[own], &other = trees[1 - own];
      Values targets;
      if (step == 0) {
        targets = other.values;
      } else {
        for (std::size_t i = 0; i < kAtOnce * width_; ++i) {
          const RobotValue& value = robot_.values()[i % width_];
          targets.push_back(std::uniform_real_distribution(value.lower, value.upper)(random_));
        }
      }
      std::vector<std::size_t> nodes = extend(tree, targets, step == 0 ? 100 : kLongest, reached);
      std::erase(nodes, 0u);
      if (nodes.empty()) continue;
      targets.clear();
      for (const std::size_t node : nodes) {
        targets.insert(targets.end(), tree.node(node), tree.node(node) + width_);
      }
      const std::vector<std::size_t> ends = extend(other, targets, 100, reached);
      if (reached.empty()) continue;
      std::vector<const double*> way;
      trees[own].append_way(nodes[reached[0]], way);
      std::reverse(way.begin(), way.end());
      other.append_way(other.parent[ends[reached[0]]], way);
      if (own == 1) std::reverse(way.begin(), way.end());
      Values path;
      for (const double* q : way) path.insert(path.end(), q, q + width_);
      return path;
    }
    return {};
  }

  // The shortest path of proven motions between configurations of a path; none if there is none.
  // Only motions of what would be the shortest path are proven, until all of one are.
  Values proven(const Values& path) {
    const std::size_t count = path.size() / width_;
    const auto append = [&](std::size_t i, Values& to) {
      to.insert(to.end(), path.data() + i * width_, path.data() + (i + 1) * width_);
    };
    Values from, to;
    for (std::size_t b = 1; b < count; ++b) {
      for (std::size_t a = 0; a < b; ++a) append(a, from), append(b, to);
    }
    std::vector<bool> is_usable;  // by number_of
    for (const MotionStatus status : check(from, to).status) {
      is_usable.push_back(status == MotionStatus::free);
    }
    const auto number_of = [](std::size_t a, std::size_t b) { return b * (b - 1) / 2 + a; };
    while (count > 0) {
      const std::vector<std::size_t> way = shortest(path, is_usable);
      if (way.empty()) break;
      from.clear(), to.clear();
      for (std::size_t i = 1; i < way.size(); ++i) append(way[i - 1], from), append(way[i], to);
      const MotionChecks& checks = check(from, to, true);
      bool is_free = true;
      for (std::size_t i = 1; i < way.size(); ++i) {
        if (checks.status[i - 1] == MotionStatus::free) continue;
        is_usable[number_of(way[i - 1], way[i])] = is_free = false;
      }
      if (!is_free) continue;
      append(count - 1, from);
      return from;
    }
    return {};
  }

  // Which configurations of a path are on the shortest way along usable motions; none if there is
  // no way. The motion from a to b has the number b (b - 1) / 2 + a.
  std::vector<std::size_t> shortest(const Values& path, const std::vector<bool>& is_usable) const {
    const std::size_t count = path.size() / width_;
    Values length(count, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(count, 0), way;
    length[0] = 0;
    for (std::size_t b = 1, motion = 0; b < count; ++b) {
      for (std::size_t a = 0; a < b; ++a, ++motion) {
        if (!is_usable[motion]) continue;
        const double own = distance(path.data() + a * width_, path.data() + b * width_, width_);
        if (length[a] + own < length[b]) length[b] = length[a] + own, before[b] = a;
      }
    }
    if (!std::isfinite(length[count - 1])) return way;
    for (std::size_t i = count - 1; i != 0; i = before[i]) way.push_back(i);
    way.push_back(0);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const Robot& robot_;
  const Environment& environment_;
  std::size_t width_;
  CollideOptions options_;
  Workspace<3, double>& workspace_;
  MotionChecks checks_;
  std::mt19937 random_;
  double samples_ = 32;  // in a radian
};

// Each link's spheres as one hull around points of them. A hull fills the link's elbow, where
// another link may be: pairs whose hulls touch where the robot's hand is ready never meet.
void make_hulls(RobotColumns& columns, Workspace<3, double>& workspace) {
  SceneColumns<3, double>& shapes = columns.shapes;
  GeometryTable<Owned<3, double>> ball;
  add_icosphere_hull(ball, 1, 1.0);
  const auto spheres = shapes.spheres;
  shapes.spheres = {};
  std::map<std::int32_t, std::vector<std::size_t>> links;
  for (std::size_t row = 0; row < spheres.radius.size(); ++row) {
    links[spheres.owner[row]].push_back(row);
  }
  for (const auto& [link, rows] : links) {
    const auto is_inside = [&](const std::array<double, 3>& point, std::size_t own) {
      return std::any_of(rows.begin(), rows.end(), [&](std::size_t row) {
        const double away = distance(point.data(), spheres.center.row(row).data(), 3);
        return row != own && away < spheres.radius[row];
      });
    };
    Column<double, 3> points;
    for (const std::size_t row : rows) {
      for (std::size_t i = 0; i < ball.vertices.size(); ++i) {
        std::array<double, 3> point = spheres.center.row(row);
        for (std::size_t k = 0; k < 3; ++k) {
          point[k] += spheres.radius[row] * ball.vertices(i, static_cast<int>(k));
        }
        if (!is_inside(point, row)) points.push_back(point);
      }
    }
    shapes.hulls.geometry.push_back(add_hull(shapes.geometries, points, 32).index);
    shapes.hulls.center.push_back({0, 0, 0});
    shapes.hulls.turn.push_back({0, 0, 0, 1});
    shapes.hulls.body.push_back(spheres.body[rows[0]]);
    shapes.hulls.owner.push_back(link);
  }
  const Values ready = {0, -0.785, 0, -2.356, 0, 1.571, 0.785};
  RobotContacts meet;
  contacts(Robot(columns), Configurations<double>(ready, ready.size()), Environment(), meet,
           workspace);
  for (std::size_t i = 0; i < meet.link.size(); ++i) {
    shapes.excluded_owners.push_back({meet.link[i], meet.other_link[i]});
  }
}

struct Problem {
  Values start, goal;
};

Problem read_problem(const std::string& path, const Robot& robot) {
  const YAML::Node request = YAML::LoadFile(path);
  const YAML::Node state = request["start_state"]["joint_state"];
  std::map<std::string, double> start, goal;
  for (std::size_t i = 0; i < state["name"].size(); ++i) {
    start[state["name"][i].Scalar()] = state["position"][i].as<double>();
  }
  for (const YAML::Node& joint : request["goal_constraints"][0]["joint_constraints"]) {
    goal[joint["joint_name"].Scalar()] = joint["position"].as<double>();
  }
  Problem problem;
  for (const RobotValue& value : robot.values()) {
    problem.start.push_back(start.at(value.name));
    problem.goal.push_back(goal.at(value.name));
  }
  return problem;
}

struct Family {
  std::size_t problems = 0, touching = 0, solved = 0;
  std::vector<double> seconds;
};

struct Arguments {
  std::string urdf, srdf;
  bool hulls = false;
  std::size_t scenes = std::numeric_limits<std::size_t>::max();
};

// Everything from the files on.
void solve(const std::filesystem::path& scene, const Arguments& arguments, Family& family) {
  const std::clock_t begin = std::clock();
  std::vector<std::string> notes;
  RobotColumns columns =
      tools::read_robot(arguments.urdf, tools::Format::urdf, arguments.srdf, {}, notes).columns;
  Workspace<3, double> workspace;  // keeps what it read of hulls
  if (arguments.hulls) make_hulls(columns, workspace);
  const Robot robot(std::move(columns));
  SceneColumns<3, double> around;
  tools::read_scene(scene, tools::Format::planning, {}).to_columns(around);
  const Environment environment{SceneSpan<3, double>(around)};
  std::string request = scene.filename();
  request.replace(0, 5, "request");
  const Problem problem = read_problem(scene.parent_path() / request, robot);
  Planner planner(robot, environment, workspace);
  ++family.problems;
  const char* const name = scene.c_str();
  if (!planner.is_free(problem.start) || !planner.is_free(problem.goal)) {
    ++family.touching;
    std::printf("%s: touches at its %s\n", name, planner.is_free(problem.start) ? "goal" : "start");
    return;
  }
  const Values path = planner.plan(problem.start, problem.goal);
  family.seconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  if (path.empty()) {
    std::printf("%s: no path found\n", name);
  } else if (!planner.is_proven(path)) {
    std::printf("%s: the path is not free\n", name);
  } else {
    ++family.solved;
  }
}

int run(int count, char** words) {
  std::vector<std::string> places;
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--hulls") {
      arguments.hulls = true;
    } else if (word == "--scenes" && i + 1 < count) {
      arguments.scenes = std::strtoul(words[++i], nullptr, 10);
      if (arguments.scenes == 0) places.clear();
    } else {
      places.push_back(word);
    }
  }
  if (places.size() != 3) {
    std::printf("usage: rrt_connect ROBOT.urdf ROBOT.srdf FOLDER [--hulls] [--scenes N]\n");
    return 2;
  }
  arguments.urdf = places[0];
  arguments.srdf = places[1];
  std::map<std::string, std::set<std::filesystem::path>> families;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(places[2])) {
    const std::filesystem::path& path = entry.path();
    if (!path.filename().string().starts_with("scene")) continue;
    families[path.parent_path().filename()].insert(path);
  }
  if (families.empty()) {
    std::printf("%s has no planning scenes (scene*.yaml)\n", places[2].c_str());
    return 1;
  }
  bool are_all_solved = true;
  for (const auto& [name, scenes] : families) {
    Family family;
    for (const auto& scene : scenes) {
      if (family.problems >= arguments.scenes) break;
      try {
        solve(scene, arguments, family);
      } catch (const std::exception& error) {
        std::printf("%s: %s\n", scene.c_str(), error.what());
        return 1;
      }
    }
    std::vector<double>& seconds = family.seconds;
    if (seconds.empty()) seconds.push_back(0);  // all touch
    std::sort(seconds.begin(), seconds.end());
    std::printf("%-24s %3zu of %3zu solved, %zu touch at an end; median %.4f s, worst %.4f s\n",
                name.c_str(), family.solved, family.problems, family.touching,
                seconds[seconds.size() / 2], seconds.back());
    are_all_solved = are_all_solved && family.solved + family.touching == family.problems;
  }
  return are_all_solved ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
