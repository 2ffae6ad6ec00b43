// Rays, nearest shapes and overlaps against any valid static scene: answers have no NaN, agree with
// one another, and are the same again, on two threads and on every instruction set.

#include <widephase/nearest.hpp>
#include <widephase/rays.hpp>

#include "answers.hpp"

namespace widephase::fuzz {
namespace {

/// Whether a column is within the range of docs/conventions.md.
template <class T, int W>
bool is_within(const Column<T, W>& column, double least, double most) {
  bool is = true;
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double size = std::abs(static_cast<double>(column(i, w)));
      is &= size <= most && (size == 0 || size >= least);
    }
  }
  return is;
}

template <int D, class T>
struct Rays {
  Column<PositionOf<T>, D> origin;
  Column<SizeOf<T>, D> direction;
  Column<SizeOf<T>> max_t;
  Column<std::int32_t> world;

  explicit Rays(Drawn& drawn) {
    using S = SizeOf<T>;
    const bool has_end = drawn.flag(), has_world = drawn.flag();
    for (int i = drawn.below(40); i >= 0; --i) {
      std::array<PositionOf<T>, D> from;
      for (auto& x : from) x = drawn.finite<PositionOf<T>>();
      std::array<S, D> along;
      S square = 0;
      for (S& x : along) {
        x = drawn.finite<S>();
        square += x * x;
      }
      if (!(square >= std::numeric_limits<S>::min() && square <= std::numeric_limits<S>::max())) {
        along = {};
        along[static_cast<std::size_t>(drawn.below(D))] = drawn.flag() ? S(1) : S(-1);
      }
      origin.push_back(from);
      direction.push_back(along);
      if (has_end) max_t.push_back(std::abs(drawn.finite<S>()));
      if (has_world) world.push_back(drawn.below(6) - 1);
    }
  }
  RaySpan<D, T> span() const {
    RaySpan<D, T> rays;
    rays.origin = origin.span();
    rays.direction = direction.span();
    rays.max_t = max_t.span();
    rays.filters.world = world.span();
    return rays;
  }
  bool is_within_range() const {
    constexpr bool kIsFloat = sizeof(SizeOf<T>) == 4;
    constexpr double kLeast = kIsFloat ? 1e-6 : 1e-60, kMost = kIsFloat ? 1e9 : 1e75;
    return is_within(origin, kLeast, kMost) && is_within(direction, kLeast, kMost) &&
           is_within(max_t, 0, std::numeric_limits<double>::max());
  }
};

template <int D, class T>
void check_hits(const Rays<D, T>& rays, const RayHits<D, T>& hits, std::int32_t shapes) {
  require(hits.size() == rays.origin.size(), "each ray has an answer");
  require(is_finite(hits.t) && is_finite(hits.normal), "answers to rays are numbers");
  require(!has_nan(hits.point), "points of rays are no NaN");
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto status = static_cast<CastStatus>(hits.status[i]);
    const std::int32_t shape = hits.shape[i];
    require((shape == -1) == (status == CastStatus::none) && shape < shapes,
            "a ray that meets something says what");
    const SizeOf<T> most =
        rays.max_t.empty() ? std::numeric_limits<SizeOf<T>>::max() : rays.max_t[i];
    require(hits.t[i] >= 0 && hits.t[i] <= most, "a ray ends between its ends");
  }
}

template <int D, class T>
void ask_rays(const StaticScene<D, T>& kept, const Rays<D, T>& rays, const CastOptions& given,
              std::int32_t shapes, bool is_within, Workspace<D, T>& workspace) {
  CastOptions options = given;
  RayHits<D, T> first;
  cast_rays(kept, rays.span(), first, workspace, options);
  check_hits(rays, first, shapes);
  std::vector<std::uint8_t> is_hit(first.size(), 2);
  any_hit(kept, rays.span(), is_hit, workspace, options);
  for (std::size_t i = 0; i < first.size(); ++i) {
    require(!is_within || is_hit[i] == (first.shape[i] >= 0 ? 1 : 0),
            "a ray meets any shape where it meets a nearest one");
  }
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    options.threads.count = 3 - options.threads.count;
    RayHits<D, T> again;
    cast_rays(kept, rays.span(), again, workspace, options);
    check_hits(rays, again, shapes);
    require(!is_within || hash(again) == hash(first), "rays have the same answers again");
  }
}

template <int D, class T>
void ask_nearest(const StaticScene<D, T>& kept, const Column<PositionOf<T>, D>& points,
                 std::size_t k, SizeOf<T> most, const CollideOptions& given, bool is_within,
                 Workspace<D, T>& workspace) {
  CollideOptions options = given;
  NearestHits<D, T> first;
  const auto ask = [&](NearestHits<D, T>& hits) {
    try {
      nearest_shapes<D, T>(kept, points.span(), k, most, {}, hits, workspace, options);
    } catch (const Error& error) {
      require(is_overflow(error), "points have nearest shapes", error.what());
      require(hits.size() == 0, "a refused call has no answers");
      return;
    }
    require(hits.size() == k * points.size(), "each point has k rows");
    require(is_finite(hits.distance) && is_finite(hits.normal), "distances are numbers");
    require(!has_nan(hits.point), "points are no NaN");
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (hits.shape[i] >= 0) require(hits.distance[i] <= most, "no shape is farther than asked");
      if (i % k == 0) continue;
      require(hits.distance[i] >= hits.distance[i - 1], "the nearest shapes come first");
      require(hits.shape[i] < 0 || hits.shape[i - 1] >= 0, "rows without a shape come last");
    }
  };
  ask(first);
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    options.threads.count = 3 - options.threads.count;
    NearestHits<D, T> again;
    ask(again);
    require(!is_within || hash(again) == hash(first), "points have the same nearest shapes again");
  }
}

template <int D, class T>
void ask_overlaps(const SceneColumns<D, T>& other, const StaticScene<D, T>& kept,
                  const CollideOptions& given, bool is_within, Workspace<D, T>& workspace) {
  SceneColumns<D, T> moving = other;
  // Point sets and what is unbounded are the static scene's.
  moving.geometries = {};
  moving.halfspaces = {};
  if constexpr (D == 3) moving.heightfield_geometries = {}, moving.mesh_geometries = {};
  if constexpr (D == 2) moving.chain_geometries = {};
  CollideOptions options = given;
  options.moving_pairs = false;
  std::vector<std::uint8_t> is_overlap(static_cast<std::size_t>(layout_of(moving).shape_count()),
                                       2);
  ContactBuffer<D, T> contacts;
  try {
    collide<D, T>(moving, kept, contacts, workspace, options);
  } catch (const Error&) {
    return;
  }
  check_contacts(contacts);
  any_overlap<D, T>(moving, kept, is_overlap, workspace, options);
  std::vector<std::uint8_t> expected(is_overlap.size(), 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (const std::int32_t id : {contacts.pair[i].a, contacts.pair[i].b}) {
      if (static_cast<std::size_t>(id) < expected.size())
        expected[static_cast<std::size_t>(id)] = 1;
    }
  }
  require(!is_within || is_overlap == expected, "what has a contact overlaps");
}

template <int D, class T>
void run(Drawn& drawn) {
  SceneDraw how;
  how.most_shapes = 24;
  how.has_tags = drawn.flag();
  const SceneColumns<D, T> scene = draw_scene<D, T>(drawn, how);
  CastOptions options;
  options.threads.count = 1 + drawn.below(2);
  options.margin = drawn.length();
  options.inside = static_cast<Inside>(drawn.below(3));
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  CollideOptions of_building;
  of_building.margin = options.margin;
  try {
    build_static_scene<D, T>(scene, kept, workspace, of_building);
  } catch (const Error&) {
    return;
  }
  const bool is_within = is_within_range(scene) && options.margin <= 1e9 &&
                         (options.margin == 0 || options.margin >= 1e-6);
  const Rays<D, T> rays(drawn);
  const bool are_within = is_within && rays.is_within_range();
  ask_rays<D, T>(kept, rays, options, layout_of(scene).shape_count(), are_within, workspace);
  CollideOptions of_points;
  of_points.threads = options.threads;
  of_points.method = static_cast<Method>(drawn.below(3));
  const auto k = static_cast<std::size_t>(1 + drawn.below(5));
  const SizeOf<T> most = std::abs(drawn.finite<SizeOf<T>>());
  ask_nearest<D, T>(kept, rays.origin, k, most, of_points, are_within, workspace);
  of_points.margin = options.margin;
  ask_overlaps<D, T>(draw_scene<D, T>(drawn, how), kept, of_points, is_within, workspace);
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  widephase::fuzz::Drawn drawn(data, size);
  widephase::fuzz::in_a_dimension_and_precision(
      drawn, [&]<int D, class T>() { widephase::fuzz::run<D, T>(drawn); });
  return 0;
}
