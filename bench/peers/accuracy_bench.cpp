// The accuracy of widephase and of each peer that was found, judged by the tests' reference: brute
// force in long double that shares no code with the kernels (reference/reference.hpp). All get the
// same numbers, rounded to float, and are asked for contacts: yes or no, normal, depth.
//
// Names: accuracy<dimension>/<pair kind>/<family>/<who>/<pairs>. Hulls have 16 vertices, or as many
// as the name says. Who: `widephase` in float and `widephase_double`, both by `find_contacts`.
// Peers are as in peers2_bench and peers3_bench: they answer by their manifold of the pair or, if
// they have none, by their deepest point, in the precision that the head of their file names.
// Families; sizes are about 0.1 to 1, and no extent is 0, which some peers refuse:
//   random      one centre within 1 of the other along each axis, any orientation; about half touch
//   shallow     the same, then moved along the direction of least depth: depths within 0.01 of the
//               size
//   deep        one centre within 0.1 of the other along each axis
//   degenerate  numbers in quarters, orientations of a cube, prisms as hulls. Shapes touch exactly,
//               share a centre, lie face on face, or have equally deep directions. Half of the
//               pairs are rotated as a whole, so that all this only holds to rounding.
//
// Lengths are relative to the pair's size: the distance of the centres plus the reach of both
// shapes. An answer is wrong
//   - if it says yes for shapes that are apart, or no for shapes that overlap, by more than 1e-5 of
//     the size (below that float rounds, and both are accepted): `invented`, `missed`;
//   - or if its depth differs from the least depth by more than 1e-3: `off`;
//   - or if separating along its normal takes more than the least depth by more than 1e-3, or if
//     the length of the normal differs from 1 by as much: `turned`.
// Counters: these four and `wrong`, which is any of them, as shares of the pairs; contacts, the
// share of pairs that really overlap. For pairs where both say yes: depth_median and depth_most,
// the error of the depth; normal_median and normal_most, how much more than the least depth it
// takes to separate along the normal. NaN counts as wrong, and as an error of 1.

#include <benchmark/benchmark.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "load_peers.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "reference/generate_hulls.hpp"
#include "reference/reference.hpp"
#include "scenes/geometries.hpp"

namespace widephase::bench {
namespace {

using test::PairScene;
using test::Point;
using test::Quaternion;
using test::Real;
using test::Reference;
using test::Solid;
using test::SolidPair;
using test::Vec;

constexpr double kBand = 1e-5;
constexpr double kWrong = 1e-3;
constexpr double kShallow = 0.01;

enum class Family { random, shallow, deep, degenerate };
constexpr Family kFamilies[] = {Family::random, Family::shallow, Family::deep, Family::degenerate};
constexpr const char* kFamilyNames[] = {"random", "shallow", "deep", "degenerate"};

/// The vertices of polygons and hulls to choose from.
template <int D>
std::vector<std::vector<Point<D>>> geometries_of(Variant variant) {
  SceneColumns<D, float> scene;
  scenes::Random random(11);
  if constexpr (D == 2) {
    scenes::add_small_polygons(scene, 256, 0.3, 0.8, random);
  } else {
    scenes::add_hulls(scene, 64, hull_vertices(variant), 0.3, 0.8, random);
  }
  std::vector<std::vector<Point<D>>> geometries;
  for (std::size_t g = 0; g + 1 < scene.geometries.offsets.size(); ++g) {
    geometries.emplace_back();
    for (auto v = scene.geometries.offsets[g]; v < scene.geometries.offsets[g + 1]; ++v) {
      geometries.back().emplace_back();
      for (int k = 0; k < D; ++k) {
        geometries.back().back()[k] = scene.geometries.vertices(static_cast<std::size_t>(v), k);
      }
    }
  }
  return geometries;
}

/// Shapes of one variant.
template <int D>
class Shapes {
 public:
  Shapes(Variant variant, std::uint64_t seed)
      : random_(seed), variant_(variant), geometries_(geometries_of<D>(variant)) {}

  test::Random& random() { return random_; }

  Solid<D> any(Kind kind, const Point<D>& center) {
    if (kind == Kind::sphere) return test::ball<D>(center, random_.uniform(0.3, 0.8));
    if (kind == Kind::capsule) {
      const Point<D> half = random_.template point<D>(-0.5, 0.5);
      return capsule(center, half, random_.uniform(0.1, 0.5));
    }
    if (kind == Kind::box) return turned_box(center, random_.template point<D>(0.15, 0.6));
    if constexpr (D == 3) {
      if (kind == Kind::ellipsoid) {
        return test::ellipsoid(center, random_.direction<4>(), random_.point<3>(0.15, 0.6));
      }
      if (kind == Kind::cylinder || kind == Kind::cone) {
        const Point<2> sizes = random_.point<2>(0.15, 0.6);
        const Quaternion turn = random_.direction<4>();
        return kind == Kind::cone ? test::cone(center, turn, sizes[0], sizes[1])
                                  : test::cylinder(center, turn, sizes[0], sizes[1]);
      }
    }
    const int last = static_cast<int>(geometries_.size()) - 1;
    const auto& vertices = geometries_[static_cast<std::size_t>(random_.integer(0, last))];
    if constexpr (D == 2) {
      return test::polygon(center, random_.uniform(-4, 4), vertices);
    } else {
      return test::hull(center, random_.direction<4>(), vertices);
    }
  }

  /// A shape near the origin with numbers in quarters.
  Solid<D> of_grid(Kind kind) {
    Point<D> center;
    for (double& x : center) x = quarters(-3, 3);
    if (kind == Kind::sphere) return test::ball<D>(center, quarters(1, 3));
    if (kind == Kind::capsule) {
      Point<D> half{};
      half[random_.integer(0, D - 1)] = quarters(1, 3);
      if (random_.chance(0.3)) half[random_.integer(0, D - 1)] = quarters(1, 3);
      return capsule(center, half, quarters(1, 2));
    }
    Point<D> half;
    for (double& x : half) x = quarters(1, 3);
    if constexpr (D == 2) {
      const double angle = test::grid_angle(random_);
      if (kind == Kind::box) return test::box(center, angle, half);
      const int corners = random_.integer(3, 8);
      const auto vertices =
          corners == 4 ? test::rectangle(half[0], half[1]) : test::regular(corners, half[0]);
      return test::polygon(center, angle, vertices);
    } else {
      const Quaternion turn = test::grid_orientation(random_);
      if (kind == Kind::box) return test::box(center, turn, half);
      if (kind == Kind::cylinder) return test::cylinder(center, turn, half[2], half[0]);
      if (kind == Kind::cone) return test::cone(center, turn, half[2], half[0]);
      if (kind == Kind::ellipsoid) return test::ellipsoid(center, turn, half);
      const auto outline = test::regular(hull_vertices(variant_) / 2, half[0]);
      return test::hull(center, turn, test::prism(outline, half[2]));
    }
  }

 private:
  double quarters(int low, int high) { return random_.integer(low, high) * 0.25; }

  static Solid<D> capsule(Point<D> center, const Point<D>& half, double radius) {
    Point<D> end = center;
    for (int k = 0; k < D; ++k) {
      center[k] -= half[k];
      end[k] += half[k];
    }
    return test::capsule<D>(center, end, radius);
  }

  Solid<D> turned_box(const Point<D>& center, const Point<D>& half) {
    if constexpr (D == 2) {
      return test::box(center, random_.uniform(-4, 4), half);
    } else {
      return test::box(center, random_.template direction<4>(), half);
    }
  }

  test::Random random_;
  Variant variant_;
  std::vector<std::vector<Point<D>>> geometries_;
};

/// The pair rotated about the origin, with any orientation.
SolidPair<3> turned_as_one(test::Random& random, const SolidPair<3>& pair) {
  return test::turned_by(random.direction<4>(), pair);
}
SolidPair<2> turned_as_one(test::Random& random, SolidPair<2> pair) {
  const double angle = random.uniform(-4, 4);
  for (Solid<2>* solid : {&pair.a, &pair.b}) {
    for (Point<2>* point : {&solid->p, &solid->q}) {
      if (point == &solid->q && solid->kind != Kind::capsule) continue;
      const Vec<2> turned = test::turned_by(angle, test::widened(*point));
      *point = {static_cast<double>(turned[0]), static_cast<double>(turned[1])};
    }
    solid->angle += angle;
  }
  return pair;
}

/// Moves B along the direction of least depth until the depth is about `share` of the size.
template <int D>
void move_to_depth(SolidPair<D>& pair, double share) {
  const Reference<D> reference = test::reference_of(pair.a, pair.b);
  const auto depth_along = test::depths_of(pair.a, pair.b);
  const auto least = std::ranges::min_element(reference.normals, {}, depth_along);
  Point<D> step;
  for (int k = 0; k < D; ++k) {
    step[k] = static_cast<double>((reference.depth - share * reference.size) * (*least)[k]);
  }
  pair.b = test::moved(pair.b, step);
}

template <int D>
SolidPair<D> pair_of(Shapes<D>& shapes, Kind a, Kind b, Family family) {
  test::Random& random = shapes.random();
  if (family == Family::degenerate) {
    const SolidPair<D> pair{shapes.of_grid(a), shapes.of_grid(b)};
    return random.chance(0.5) ? pair : turned_as_one(random, pair);
  }
  const Point<D> center = random.point<D>(-1, 1);
  const double spread = family == Family::deep ? 0.1 : 1;
  Point<D> other = random.point<D>(-spread, spread);
  for (int k = 0; k < D; ++k) other[k] += center[k];
  return {shapes.any(a, center), shapes.any(b, other)};
}

/// Pairs with their exact answers.
template <int D>
struct PairTruths {
  std::vector<SolidPair<D>> solids;  ///< rounded to float
  std::vector<Reference<D>> references;
  PairScene<D, float> input;

  PairTruths(Kind a, Kind b, Variant variant, Family family, std::size_t count)
      : solids(make(a, b, variant, family, count)), references(count), input(solids) {
    for (std::size_t i = 0; i < count; ++i) {
      solids[i] = {test::solid_of(input.scene, input.pairs[i].a),
                   test::solid_of(input.scene, input.pairs[i].b)};
    }
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      references[i] = test::reference_of(solids[i].a, solids[i].b);
    });
  }

 private:
  static std::vector<SolidPair<D>> make(Kind a, Kind b, Variant variant, Family family,
                                        std::size_t count) {
    Shapes<D> shapes(variant, 17);
    std::vector<SolidPair<D>> solids;
    for (std::size_t i = 0; i < count; ++i) solids.push_back(pair_of(shapes, a, b, family));
    if (family == Family::shallow) {
      std::vector<double> shares(count);
      for (double& share : shares) share = shapes.random().uniform(-kShallow, kShallow);
      tbb::parallel_for(std::size_t{0}, count,
                        [&](std::size_t i) { move_to_depth(solids[i], shares[i]); });
    }
    return solids;
  }
};

/// What all who are asked share.
struct Row {
  Kind a;
  Kind b;
  Variant variant;
  Family family;
  std::size_t count;

  std::string name(int dimension) const {
    return "accuracy" + std::to_string(dimension) + "/" + set_name(a, b, variant, dimension) + "/" +
           kFamilyNames[static_cast<int>(family)];
  }
};

template <int D>
const PairTruths<D>& truths_of(const Row& row) {
  static std::map<std::string, PairTruths<D>> made;
  const std::string key = row.name(D) + "/" + std::to_string(row.count);
  const auto found = made.find(key);
  if (found != made.end()) return found->second;
  made.clear();
  return made.try_emplace(key, row.a, row.b, row.variant, row.family, row.count).first->second;
}

/// The errors of many answers.
struct Errors {
  std::vector<double> all;

  void add(double error) { all.push_back(std::isfinite(error) ? error : 1); }
  double most() const { return all.empty() ? 0 : *std::ranges::max_element(all); }
  double median() const {
    if (all.empty()) return 0;
    std::vector<double> copy = all;
    const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
    std::ranges::nth_element(copy, middle);
    return *middle;
  }
};

template <int D>
void judge(benchmark::State& state, const PairTruths<D>& truths, std::span<const Answer> answers) {
  std::size_t missed = 0, invented = 0, off = 0, turned = 0, wrong = 0, contacts = 0;
  Errors depth_errors, normal_errors;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    const Reference<D>& reference = truths.references[i];
    const auto depth = static_cast<double>(reference.depth / reference.size);
    contacts += depth >= 0;
    bool is_wrong = false;
    const auto count_if = [&](bool is_so, std::size_t& sum) {
      sum += is_so;
      is_wrong |= is_so;
    };
    count_if(!answer.is_hit && depth > kBand, missed);
    count_if(answer.is_hit && depth < -kBand, invented);
    if (answer.is_hit && depth >= -kBand) {
      const auto error =
          static_cast<double>(std::abs(answer.depth - reference.depth) / reference.size);
      depth_errors.add(error);
      count_if(!(error <= kWrong), off);
      Vec<D> normal{};
      for (int k = 0; k < D; ++k) normal[k] = answer.normal[static_cast<std::size_t>(k)];
      const Real norm = test::length(normal);
      const Real taken =
          test::depth_along(truths.solids[i].a, truths.solids[i].b, test::times(normal, 1 / norm));
      const auto beyond = static_cast<double>((taken - reference.depth) / reference.size);
      normal_errors.add(beyond);
      count_if(!(beyond <= kWrong) || !(std::abs(norm - 1) <= kWrong), turned);
    }
    wrong += is_wrong;
  }
  const auto share = [&](std::size_t part) {
    return static_cast<double>(part) / static_cast<double>(answers.size());
  };
  state.counters["contacts"] = share(contacts);
  state.counters["wrong"] = share(wrong);
  state.counters["missed"] = share(missed);
  state.counters["invented"] = share(invented);
  state.counters["off"] = share(off);
  state.counters["turned"] = share(turned);
  state.counters["depth_median"] = depth_errors.median();
  state.counters["depth_most"] = depth_errors.most();
  state.counters["normal_median"] = normal_errors.median();
  state.counters["normal_most"] = normal_errors.most();
}

template <int D>
using Ask = std::function<void(const PairTruths<D>& truths, std::span<Answer> answers)>;

/// Answers by our own code in either precision, from the same numbers.
template <int D, class T>
void ask_ours(const PairTruths<D>& truths, std::span<Answer> answers) {
  const PairScene<D, T> input(truths.solids);
  Ours<D, T> ours(input.scene);
  ours.answer(input.pairs);
  ours.write_answers(answers);
}

template <int D>
void add_row(const Row& row, const std::string& who, const Ask<D>& ask) {
  const std::string name = row.name(D) + "/" + who + "/" + std::to_string(row.count);
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 const PairTruths<D>& truths = truths_of<D>(row);
                                 std::vector<Answer> answers(row.count);
                                 for (auto _ : state) ask(truths, answers);
                                 judge(state, truths, answers);
                               })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

template <int D>
void add_rows(const Row& row, const std::vector<PeerMaker<D>>& makers) {
  add_row<D>(row, "widephase", ask_ours<D, float>);
  add_row<D>(row, "widephase_double", ask_ours<D, double>);
  for (const PeerMaker<D>& maker : makers) {
    Asked asked{row.a, row.b, row.variant, Question::manifold};
    if (!maker.has(asked)) asked.question = Question::deepest;
    if (!maker.has(asked)) continue;
    add_row<D>(row, maker.who, [=](const PairTruths<D>& truths, std::span<Answer> answers) {
      maker.make(truths.input.scene, asked)->answer(truths.input.pairs, answers);
    });
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  struct Pairs {
    Kind a;
    Kind b;
    Variant variant = Variant::plain;
  };
  const Pairs in_3d[] = {
      {Kind::sphere, Kind::sphere},
      {Kind::capsule, Kind::capsule},
      {Kind::sphere, Kind::box},
      {Kind::capsule, Kind::box},
      {Kind::box, Kind::box},
      {Kind::sphere, Kind::hull},
      {Kind::capsule, Kind::hull},
      {Kind::box, Kind::hull},
      {Kind::hull, Kind::hull},
      {Kind::hull, Kind::hull, Variant::hull64},
      {Kind::sphere, Kind::cylinder},
      {Kind::capsule, Kind::cylinder},
      {Kind::box, Kind::cylinder},
      {Kind::hull, Kind::cylinder},
      {Kind::cylinder, Kind::cylinder},
      {Kind::sphere, Kind::ellipsoid},
      {Kind::capsule, Kind::ellipsoid},
      {Kind::box, Kind::ellipsoid},
      {Kind::hull, Kind::ellipsoid},
      {Kind::cylinder, Kind::ellipsoid},
      {Kind::ellipsoid, Kind::ellipsoid},
      {Kind::sphere, Kind::cone},
      {Kind::capsule, Kind::cone},
      {Kind::box, Kind::cone},
      {Kind::hull, Kind::cone},
      {Kind::cylinder, Kind::cone},
      {Kind::ellipsoid, Kind::cone},
      {Kind::cone, Kind::cone},
  };
  const Pairs in_2d[] = {
      {Kind::circle, Kind::box},  {Kind::circle, Kind::polygon},  {Kind::box, Kind::box},
      {Kind::box, Kind::polygon}, {Kind::polygon, Kind::polygon},
  };
  const auto makers2 = joined(load_peers<Peers<2>>(WIDEPHASE_PEERS2), &Peers<2>::pairs);
  const auto makers3 = joined(load_peers<Peers<3>>(WIDEPHASE_PEERS3), &Peers<3>::pairs);
  for (const std::size_t count : {200u, 2000u}) {
    for (const Family family : kFamilies) {
      for (const auto& [a, b, variant] : in_3d) {
        // The reference takes about a tenth of a second per pair of large hulls.
        const std::size_t fewer = variant == Variant::hull64 ? count / 4 : count;
        add_rows<3>({a, b, variant, family, fewer}, makers3);
      }
      for (const auto& [a, b, variant] : in_2d) {
        add_rows<2>({a, b, variant, family, count}, makers2);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
