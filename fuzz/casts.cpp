// Casts and times of impact of any valid scenes: answers have no NaN, lie on their ways, agree with
// one another, and are the same again, on two threads and on every instruction set.

#include <widephase/casts.hpp>
#include <widephase/impact.hpp>

#include "answers.hpp"

namespace widephase::fuzz {
namespace {

template <int D, class T>
struct Ways {
  Column<SizeOf<T>, D> direction;
  Column<SizeOf<T>> max_t;

  Ways(Drawn& drawn, std::size_t count) {
    using S = SizeOf<T>;
    const bool has_end = drawn.flag();
    for (std::size_t i = 0; i < count; ++i) {
      std::array<S, D> along;
      S square = 0;
      for (S& x : along) {
        x = drawn.finite<S>();
        square += x * x;
      }
      if (!(square <= std::numeric_limits<S>::max())) along = {};
      direction.push_back(along);
      if (has_end) max_t.push_back(std::abs(drawn.finite<S>()));
    }
  }
  SizeOf<T> most(std::size_t row) const { return max_t.empty() ? SizeOf<T>(1) : max_t[row]; }
};

/// Whether an error is one that a valid scene may have.
bool is_expected(const Error& error) {
  const std::string_view text = error.what();
  return is_overflow(error) || text.find(", which are never cast") != text.npos;
}

template <int D, class T>
void check_hits(const CastHits<D, T>& hits, const Ways<D, T>& ways) {
  require(hits.size() == ways.direction.size(), "each cast has an answer");
  require(is_finite(hits.t) && is_finite(hits.normal), "answers to casts are numbers");
  require(!has_nan(hits.point) && !has_nan(hits.depth), "points of casts are no NaN");
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto status = static_cast<CastStatus>(hits.status[i]);
    require((hits.shape[i] == -1) == (status == CastStatus::none),
            "a cast that meets something says what");
    require(hits.t[i] >= 0 && hits.t[i] <= ways.most(i), "a cast ends between its ends");
    require(status != CastStatus::started_inside || hits.t[i] == 0, "a start is at 0");
  }
}

/// Asks again on other threads and sets. `ask(hits, options)`.
template <class Hits, class Ask>
void ask_again(const Hits& first, const ShapeCastOptions& given, bool is_within, const Ask& ask) {
  ShapeCastOptions options = given;
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    options.threads.count = 3 - options.threads.count;
    Hits again;
    ask(again, options);
    require(!is_within || hash(again) == hash(first), "motions have the same answers again");
  }
}

template <int D, class T>
void ask_shapes(Drawn& drawn, const SceneColumns<D, T>& moving, const StaticScene<D, T>& kept,
                const ShapeCastOptions& options, bool is_within, Workspace<D, T>& workspace) {
  const auto count = static_cast<std::size_t>(layout_of(moving).shape_count());
  const Ways<D, T> ways(drawn, count);
  const auto ask = [&](CastHits<D, T>& hits, const ShapeCastOptions& how) {
    cast_shapes<D, T>(moving, ways.direction, ways.max_t, kept, hits, workspace, how);
    check_hits<D, T>(hits, ways);
  };
  CastHits<D, T> first;
  try {
    ask(first, options);
  } catch (const Error&) {
    require(first.size() == 0, "a refused call has no answers");
    return;  // such as a point set that the static scene has not
  }
  ask_again(first, options, is_within, ask);
}

template <int D, class T>
void ask_pairs(Drawn& drawn, const SceneColumns<D, T>& scene, const ShapeCastOptions& options,
               bool is_within, Workspace<D, T>& workspace) {
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs;
  for (int n = drawn.below(24); n > 0 && layout.shape_count() > 1; --n) {
    const Pair pair{drawn.below(layout.shape_count()), drawn.below(layout.shape_count())};
    if (pair.a != pair.b) pairs.push_back(pair);
  }
  const Ways<D, T> ways(drawn, pairs.size());
  const auto ask = [&](CastHits<D, T>& hits, const ShapeCastOptions& how) {
    cast_pairs<D, T>(scene, pairs, ways.direction, ways.max_t, hits, workspace, how);
    check_hits<D, T>(hits, ways);
  };
  CastHits<D, T> first;
  try {
    ask(first, options);
  } catch (const Error& error) {
    require(is_expected(error), "valid pairs are cast", error.what());
    return;
  }
  ask_again(first, options, is_within, ask);
}

template <int D, class T>
struct Bodies {
  using S = SizeOf<T>;
  Column<PositionOf<T>, D> end;
  Column<S, D == 2 ? 1 : 4> turn_end;
  Motion<D, T> motion;

  /// Gives the scene bodies, its shapes to them, and both a motion.
  Bodies(Drawn& drawn, SceneColumns<D, T>& scene) {
    const int count = 1 + drawn.below(4);
    auto& bodies = scene.bodies;
    bodies = {};
    const auto point = [&] {
      std::array<PositionOf<T>, D> at;
      for (auto& x : at) x = drawn.finite<PositionOf<T>>();
      return at;
    };
    for (int b = 0; b < count; ++b) {
      bodies.position.push_back(point());
      end.push_back(point());
      const auto turn = [&] {
        if constexpr (D == 2) {
          return std::array<S, 1>{static_cast<S>((drawn.byte() - 128) / 90.0)};
        } else {
          return draw_row<S, 4>(drawn, Rule::unit, true, 1);
        }
      };
      bodies.turn.push_back(turn());
      turn_end.push_back(turn());
    }
    for_each_table(scene, [&](auto& table) {
      table.body.clear();
      for (std::size_t row = 0; row < row_count(table); ++row) {
        table.body.push_back({drawn.below(count + 1) - 1});
      }
    });
    if (drawn.flag()) motion.position_end = end.span();
    if (drawn.flag()) {
      if constexpr (D == 2) {
        motion.angle_end = turn_end.span();
      } else {
        motion.orientation_end = turn_end.span();
      }
    }
  }
};

template <int D, class T>
void check_impacts(const ImpactHits<D, T>& hits) {
  require(is_finite(hits.t) && is_finite(hits.normal), "times of impact are numbers");
  require(!has_nan(hits.point) && !has_nan(hits.depth), "points of impacts are no NaN");
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto status = static_cast<CastStatus>(hits.status[i]);
    require((hits.pair[i].a == -1) == (status == CastStatus::none),
            "a body that meets something says what");
    require(hits.t[i] >= 0 && hits.t[i] <= 1, "an impact is between the ends");
  }
}

template <int D, class T>
void ask_impacts(Drawn& drawn, SceneColumns<D, T> scene, const ShapeCastOptions& options,
                 bool is_within, Workspace<D, T>& workspace) {
  const Bodies<D, T> bodies(drawn, scene);
  const auto ask = [&](ImpactHits<D, T>& hits, const ShapeCastOptions& how) {
    first_impacts<D, T>(scene, bodies.motion, hits, workspace, how);
    require(hits.size() == bodies.end.size(), "each body has an answer");
    check_impacts<D, T>(hits);
  };
  ImpactHits<D, T> first;
  try {
    ask(first, options);
  } catch (const Error&) {
    require(first.size() == 0, "a refused call has no answers");
    return;  // such as half a turn
  }
  ask_again(first, options, is_within, ask);
  // What a body meets is what its pair says.
  std::vector<Pair> pairs;
  std::vector<std::size_t> of;
  for (std::size_t b = 0; b < first.size(); ++b) {
    if (first.pair[b].a < 0) continue;
    pairs.push_back(first.pair[b]);
    of.push_back(b);
  }
  ImpactHits<D, T> again;
  time_of_impact<D, T>(scene, bodies.motion, pairs, again, workspace, options);
  check_impacts<D, T>(again);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const bool is_same = again.t[n] == first.t[of[n]] && again.status[n] == first.status[of[n]] &&
                         again.point.row(n) == first.point.row(of[n]);
    require(!is_within || is_same, "a body meets what its pair does");
  }
}

template <int D, class T>
void run(Drawn& drawn) {
  SceneDraw how;
  how.most_shapes = 16;
  how.has_tags = drawn.flag();
  const SceneColumns<D, T> scene = draw_scene<D, T>(drawn, how);
  ShapeCastOptions options;
  options.threads.count = 1 + drawn.below(2);
  options.margin = drawn.length();
  options.start_overlap = static_cast<StartOverlap>(drawn.below(3));
  options.tolerance = drawn.below(4) == 3 ? drawn.below(16) / 16.0 : 0;
  const bool is_within = is_within_range(scene) && options.margin <= 1e9;
  Workspace<D, T> workspace;
  ask_pairs<D, T>(drawn, scene, options, is_within, workspace);
  if (drawn.flag()) ask_impacts<D, T>(drawn, scene, options, is_within, workspace);
  StaticScene<D, T> kept;
  try {
    build_static_scene<D, T>(scene, kept, workspace);
  } catch (const Error&) {
    return;
  }
  SceneColumns<D, T> moving = draw_scene<D, T>(drawn, how);
  moving.geometries = {};  // they are the static scene's
  if constexpr (D == 3) moving.heightfield_geometries = {}, moving.mesh_geometries = {};
  if constexpr (D == 2) moving.chain_geometries = {};
  ask_shapes<D, T>(drawn, moving, kept, options, is_within && is_within_range(moving), workspace);
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  widephase::fuzz::Drawn drawn(data, size);
  widephase::fuzz::in_a_dimension_and_precision(
      drawn, [&]<int D, class T>() { widephase::fuzz::run<D, T>(drawn); });
  return 0;
}
