#include "support/generate_resting.hpp"

#include <charconv>
#include <map>
#include <numbers>

namespace widephase::test {

namespace {

/// The vertices that the library keeps of a form, cached: for prisms with many sides it takes
/// milliseconds.
template <class T>
const std::vector<Point<3>>& kept_vertices(const std::vector<double>& numbers,
                                           const std::vector<Point<3>>& vertices) {
  static std::map<std::vector<double>, std::vector<Point<3>>> known;
  const auto found = known.find(numbers);
  if (found != known.end()) return found->second;
  if (known.size() > 4000) known.clear();
  return known[numbers] = hull_vertices<SizeOf<T>>(vertices);
}

template <class T>
std::int32_t append_form(SceneColumns<3, T>& scene, const std::vector<Point<3>>& vertices) {
  auto& geometries = scene.geometries;
  if (geometries.offsets.empty()) geometries.offsets.push_back({0});
  for (const Point<3>& v : vertices) geometries.vertices.push_back(as_row<3, SizeOf<T>>(v));
  geometries.offsets.push_back({static_cast<std::int64_t>(geometries.vertices.size())});
  return static_cast<std::int32_t>(geometries.offsets.size() - 2);
}

}  // namespace

template <class T>
PairScene<3, T> shared_scene(const std::vector<SolidPair<3>>& solids) {
  PairScene<3, T> result({});
  SceneColumns<3, T>& scene = result.scene;
  std::map<std::vector<double>, std::int32_t> geometries;
  std::vector<double> numbers;
  const auto append_shared = [&](const Solid<3>& solid) {
    if (solid.kind != Kind::hull) return append(scene, solid);
    numbers.clear();
    for (const Point<3>& v : solid.vertices) numbers.insert(numbers.end(), v.begin(), v.end());
    const auto [form, is_new] = geometries.emplace(numbers, 0);
    if (is_new) form->second = append_form(scene, kept_vertices<T>(numbers, solid.vertices));
    std::array<SizeOf<T>, 4> turn;
    for (int k = 0; k < 4; ++k) {
      turn[static_cast<std::size_t>(k)] = static_cast<SizeOf<T>>(solid.orientation[k]);
    }
    scene.hulls.center.push_back(as_row<3, PositionOf<T>>(solid.p));
    scene.hulls.turn.push_back(turn);
    scene.hulls.radius.push_back({static_cast<SizeOf<T>>(solid.size)});
    scene.hulls.geometry.push_back({form->second});
    return static_cast<std::int32_t>(scene.hulls.radius.size() - 1);
  };
  std::vector<std::int32_t> rows;
  for (const SolidPair<3>& pair : solids) {
    rows.push_back(append_shared(pair.a));
    rows.push_back(append_shared(pair.b));
  }
  const SceneLayout layout = layout_of(scene);
  for (std::size_t i = 0; i < solids.size(); ++i) {
    result.pairs.push_back(
        {layout.id(solids[i].a.kind, rows[2 * i]), layout.id(solids[i].b.kind, rows[2 * i + 1])});
  }
  return result;
}

template PairScene<3, float> shared_scene<float>(const std::vector<SolidPair<3>>&);
template PairScene<3, double> shared_scene<double>(const std::vector<SolidPair<3>>&);
template PairScene<3, Mixed> shared_scene<Mixed>(const std::vector<SolidPair<3>>&);

namespace {

/// The number at the end of a name.
int number_after(std::string_view name, std::string_view word) {
  int number = 0;
  std::from_chars(name.data() + word.size(), name.data() + name.size(), number);
  return number;
}

}  // namespace

Solid<3> resting_body(std::string_view name, double size) {
  const double half = size / 2;
  const Quaternion level{0, 0, 0, 1};
  if (name == "aabb") return aabb<3>({-half, -half, -half}, {half, half, half});
  if (name == "box") return box({}, level, {half, half, half});
  if (name == "hull") return hull({}, level, block(half, half, half));
  if (name == "cylinder") return cylinder({}, level, half, half);
  if (name == "rounded") return cylinder({}, level, 0.8 * half, 0.8 * half, 0.2 * half);
  if (name == "ellipsoid") return ellipsoid({}, level, {half, 0.75 * half, half});
  if (name == "cone") return cone({}, level, half, half);
  if (name == "upturned") return cone({}, about({1, 0, 0}, std::numbers::pi), half, half);
  if (name == "lying_cone") {
    // Turned so that the side's normal, (2, 1) / sqrt(5) from the axis and along it, points down.
    // From the centre to the side it is half / sqrt(5).
    const Solid<3> body = cone({}, about({0, 1, 0}, std::numbers::pi - std::atan(2)), half, half);
    return moved<3>(body, {0, 0, half / std::sqrt(5) - half});
  }
  if (name == "capsule") return capsule<3>({-half, 0, 0}, {half, 0, 0}, half);
  if (name == "plane") return halfspace<3>({0, 0, 1}, half);
  if (name.starts_with("prism")) {
    return hull({}, level, prism(regular(number_after(name, "prism"), half), half));
  }
  // The turn is about its own z axis and comes first; then z is rotated to x.
  const double turn = number_after(name, "lying") * std::numbers::pi / 180;
  return cylinder({}, product(about({0, 1, 0}, std::numbers::pi / 2), about({0, 0, 1}, turn)), half,
                  half);
}

std::size_t least_points(std::string_view upper) {
  if (upper == "ellipsoid") return 1;
  return upper == "capsule" || upper.starts_with("lying") ? 2 : 3;
}

Quaternion turn_of(const RestingPose& pose) {
  const Point<3> axis{std::cos(pose.direction), std::sin(pose.direction), 0};
  return product(about(axis, pose.tilt), about({0, 0, 1}, pose.yaw));
}

SolidPair<3> resting_pair(std::string_view lower, std::string_view upper, const RestingPose& pose,
                          double size, const Point<3>& place) {
  const double half = size / 2;
  SolidPair<3> pair{resting_body(lower, size), resting_body(upper, size)};
  if (pair.a.kind == Kind::halfspace) {
    pair.a.size = place[2];
  } else {
    pair.a = moved<3>(pair.a, {place[0], place[1], place[2] - half});
  }
  pair.b = moved<3>(turned_by(turn_of(pose), pair.b),
                    {place[0] + size * pose.offset[0], place[1] + size * pose.offset[1],
                     place[2] + half - size * pose.overlap});
  return pair;
}

double normal_number(Random& random) {
  const double share = 1 - random.uniform(0, 1);  // above 0
  return std::sqrt(-2 * std::log(share)) * std::cos(random.uniform(0, 2 * std::numbers::pi));
}

RestingPose random_pose(Random& random, double tilt, double farthest, double overlap) {
  RestingPose pose;
  pose.tilt = tilt;
  pose.direction = random.uniform(0, 2 * std::numbers::pi);
  pose.yaw = random.uniform(0, 2 * std::numbers::pi);
  pose.offset = random.point<2>(-farthest, farthest);
  pose.overlap = overlap;
  return pose;
}

}  // namespace widephase::test
