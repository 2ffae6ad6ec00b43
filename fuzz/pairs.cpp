// Pairs of all kinds with any valid numbers: answers have no NaN and are the same on all
// instruction sets, wherever searches start.

#include "answers.hpp"
#include "soa/kind_traits.hpp"

namespace widephase::fuzz {
namespace {

template <class C>
bool same(const C& left, const C& right) {
  if (left.size() != right.size()) return false;
  for (int w = 0; w < C::width && !left.empty(); ++w) {
    if (std::memcmp(left.plane(w), right.plane(w), left.size() * sizeof(*left.plane())) != 0) {
      return false;
    }
  }
  return true;
}

/// Whether all directions have a length that `support_points` asks for, 0 aside.
template <int D, class T>
bool are_directions(const Column<T, D>& directions) {
  constexpr double kMost = sizeof(T) == 4 ? 1e18 : 1e150;
  bool are = true;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (int k = 0; k < D; ++k) {
      const double size = std::abs(static_cast<double>(directions(i, k)));
      are &= size <= kMost && (size == 0 || size >= 1 / kMost);
    }
  }
  return are;
}

template <int D, class T>
struct Answers {
  ContactBuffer<D, T> contacts;
  DistanceBuffer<D, T> distances;
  SupportBuffer<D, T> support;
  std::vector<WarmStart> warm_starts;
  bool is_refused = false;
};

template <int D, class T>
void answer(const SceneColumns<D, T>& scene, const std::vector<Pair>& pairs,
            const std::vector<std::int32_t>& ids, const Column<SizeOf<T>, D>& directions,
            const CollideOptions& given, Answers<D, T>& answers) {
  Workspace<D, T> workspace;
  CollideOptions options = given;
  options.warm_starts = answers.warm_starts;
  if (options.warm_starts.empty()) options.steadiness = 0;
  try {
    collide_pairs<D, T>(scene, pairs, answers.contacts, workspace, options);
  } catch (const Error&) {
    answers.is_refused = true;
    return;
  }
  check_contacts(answers.contacts);
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<D, T>(scene, pairs, is_contact, workspace, options);
  options.steadiness = 0;
  try {
    distances<D, T>(scene, pairs, answers.distances, workspace, options);
    check_distances(answers.distances);
  } catch (const Error& error) {
    require(is_overflow(error), "valid pairs have distances", error.what());
    answers.distances = {};
  }
  options.warm_starts = {};
  try {
    support_points<D, T>(scene, ids, directions, answers.support, workspace, options);
    require(
        !is_within_range(scene) || !are_directions(directions) || is_finite(answers.support.point),
        "support points are numbers");
  } catch (const Error&) {
  }
}

template <int D, class T>
void run(Drawn& drawn) {
  const SceneColumns<D, T> scene = draw_scene<D, T>(drawn, {6, true, false});
  CollideOptions options;
  options.threads.count = 1;
  options.method = static_cast<Method>(drawn.below(3));
  options.margin = drawn.length();
  options.steadiness = drawn.length();
  const SceneLayout layout = layout_of(scene);
  const auto is_bounded = [&](std::int32_t id) {
    const KindTraits traits = traits_of(layout.kind_of(id));
    return !traits.is_unbounded && !traits.is_surface;
  };
  std::vector<Pair> pairs;
  std::vector<std::int32_t> ids;
  Column<SizeOf<T>, D> directions;
  // Two halfspaces or surfaces have no distance, and none of them has a farthest point.
  for (std::int32_t a = 0; a < layout.shape_count(); ++a) {
    for (std::int32_t b = 0; b < layout.shape_count(); ++b) {
      if (a != b && can_meet(layout.kind_of(a), layout.kind_of(b), D)) pairs.push_back({a, b});
    }
    if (!is_bounded(a)) continue;
    ids.push_back(a);
    std::array<SizeOf<T>, D> direction;
    for (auto& x : direction) x = drawn.finite<SizeOf<T>>();
    directions.push_back(direction);
  }
  std::vector<WarmStart> warm_starts;
  if (drawn.flag()) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      WarmStart& word = warm_starts.emplace_back();
      word.axis = drawn.bits(8);
      word.simplex = drawn.bits(8);
      // Keep the numbers small, like the features of shapes.
      for (std::uint32_t& name : word.points)
        name = static_cast<std::uint32_t>(drawn.bits(4)) & 0xc007c007;
    }
  }
  Answers<D, T> first;
  bool is_first = true;
  const bool is_within = is_within_range(scene) && options.margin <= 1e9;
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    Answers<D, T> answers;
    answers.warm_starts = warm_starts;
    answer<D, T>(scene, pairs, ids, directions, options, answers);
    if (is_first) first = std::move(answers);
    // Beyond the range, the steps of a search may depend on the other pairs in its batch.
    if (!is_first && is_within) {
      require(
          first.is_refused == answers.is_refused && hash(first.contacts) == hash(answers.contacts),
          "all instruction sets find the same contacts");
      require(first.warm_starts == answers.warm_starts, "all instruction sets keep the same words");
      require(same(first.distances.distance, answers.distances.distance) &&
                  same(first.distances.normal, answers.distances.normal) &&
                  same(first.distances.point_a, answers.distances.point_a) &&
                  same(first.distances.point_b, answers.distances.point_b) &&
                  same(first.distances.feature, answers.distances.feature),
              "all instruction sets find the same distances");
      // Beyond the range, support points may be NaN, with any bits.
      require(!is_within_range(scene) || !are_directions(directions) ||
                  (same(first.support.point, answers.support.point) &&
                   same(first.support.feature, answers.support.feature)),
              "all instruction sets find the same support points");
    }
    is_first = false;
  }
  if (!warm_starts.empty() || first.is_refused) return;
  for (std::size_t i = 0; i < first.distances.distance.size(); ++i) {
    const auto other = std::find(pairs.begin(), pairs.end(), Pair{pairs[i].b, pairs[i].a});
    const auto j = static_cast<std::size_t>(other - pairs.begin());
    require(std::memcmp(&first.distances.distance[i], &first.distances.distance[j],
                        sizeof(first.distances.distance[i])) == 0,
            "a pair named the other way round is as far apart");
  }
}

/// Limits a length so that products neither overflow nor underflow (docs/conventions.md).
template <class T>
T within_range(T x) {
  constexpr T kMost = sizeof(T) == 4 ? T(1e9) : T(1e75),
              kLeast = sizeof(T) == 4 ? T(1e-6) : T(1e-60);
  return std::abs(x) > kMost ? std::copysign(kMost, x) : std::abs(x) < kLeast ? T(0) : x;
}

template <int D, class T>
void run_segments(Drawn& drawn) {
  drawn.draw_unit();
  Column<T, D> ends[4];
  const int count = 1 + drawn.below(20);
  for (int i = 0; i < count; ++i) {
    for (Column<T, D>& end : ends) {
      std::array<T, D> point;
      for (T& x : point) x = within_range(drawn.finite<T>());
      end.push_back(point);
    }
  }
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    PointSegmentBuffer<D, T> of_points;
    closest_points<D, T>(ends[0], ends[1], ends[2], of_points, isa);
    require(is_finite(of_points.point) && is_finite(of_points.parameter) &&
                is_finite(of_points.distance),
            "closest points of a segment are numbers");
    SegmentSegmentBuffer<D, T> of_segments;
    closest_points<D, T>(ends[0], ends[1], ends[2], ends[3], of_segments, isa);
    require(is_finite(of_segments.first) && is_finite(of_segments.second) &&
                is_finite(of_segments.first_parameter) && is_finite(of_segments.second_parameter) &&
                is_finite(of_segments.distance),
            "closest points of segments are numbers");
  }
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widephase;
  fuzz::Drawn drawn(data, size);
  const bool has_segments = drawn.byte() >= 240;
  fuzz::in_a_dimension_and_precision(drawn, [&]<int D, class T>() {
    if constexpr (!is_mixed<T>) {
      if (has_segments) return fuzz::run_segments<D, T>(drawn);
    }
    fuzz::run<D, T>(drawn);
  });
  return 0;
}
