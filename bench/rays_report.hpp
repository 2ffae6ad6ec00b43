#pragma once

// Rays that benchmarks ask, and the counters of their rows (rays_bench.cpp).

#include <benchmark/benchmark.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <widephase/rays.hpp>

#include "pair_sets.hpp"

#ifdef WIDEPHASE_EMBREE
#include "rays_embree.hpp"
#endif

namespace widephase::bench {

struct Rays {
  Column<float, 3> origin, direction;
  Column<float> max_t;
  Column<std::int32_t> world;

  RaySpan<3, float> span() const {
    RaySpan<3, float> rays;
    rays.origin = origin;
    rays.direction = direction;
    rays.max_t = max_t;
    rays.filters.world = world;
    return rays;
  }
  void add(const std::array<double, 3>& from, const std::array<double, 3>& along) {
    std::array<float, 3> o, d;
    for (std::size_t k = 0; k < 3; ++k) {
      o[k] = static_cast<float>(from[k]);
      d[k] = static_cast<float>(along[k]);
    }
    origin.push_back(o);
    direction.push_back(d);
  }
};

/// Answers the least time of a call, and t of each ray: of any hit 0, of a miss infinite.
inline double report(benchmark::State& state, const StaticScene<3, float>& kept, const Rays& rays,
                     bool any, double build, std::vector<float>& times) {
  Workspace<3, float> workspace;
  RayHits<3, float> hits;
  std::vector<std::uint8_t> is_hit(rays.origin.size());
  CastStats stats;
  CastOptions options;
  options.threads.count = 1;
  options.stats = &stats;
  const auto call = [&] {
    if (any) {
      any_hit(kept, rays.span(), is_hit, workspace, options);
    } else {
      cast_rays(kept, rays.span(), hits, workspace, options);
    }
  };
  call();  // buffers grow once
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    call();
    best = std::min(best, thread_seconds() - start);
  }
  const auto n = static_cast<double>(rays.origin.size());
  state.counters["ns_ray"] = best / n * 1e9;
  state.counters["build_ms"] = build * 1e3;
  state.counters["hits"] = static_cast<double>(stats.hits) / n;
  state.counters["tiles"] = static_cast<double>(stats.tiles) / n;
  state.counters["tests"] = static_cast<double>(stats.tests) / n;
  state.counters["packets"] = static_cast<double>(stats.packet_rays) / n;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(hits)));
  if (!any) state.SetLabel(text);
  for (std::size_t i = 0; i < rays.origin.size(); ++i) {
    const bool is_miss = any ? is_hit[i] == 0 : hits.shape[i] < 0;
    const float t = any ? 0 : hits.t[i];
    times.push_back(is_miss ? std::numeric_limits<float>::infinity() : t);
  }
  return best;
}

#ifdef WIDEPHASE_EMBREE
inline void compare(benchmark::State& state, EmbreeRays& peer, const ColumnSpan<float, 3>& origin,
                    const Rays& rays, bool is_coherent, bool any, const std::vector<float>& ours,
                    double seconds) {
  std::vector<float> t;
  double best = 1e9;
  for (const bool together : {false, true}) {
    for (int pass = 0; pass < 3; ++pass) {
      const double from = thread_seconds();
      peer.cast(origin, rays.direction, is_coherent, any, together, t);
      best = std::min(best, thread_seconds() - from);
    }
  }
  std::size_t differ = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool is_same = std::abs(ours[i] - t[i]) <= 1e-3f * (1 + ours[i]);
    differ += is_same || (!std::isfinite(ours[i]) && !std::isfinite(t[i])) ? 0 : 1;
  }
  const auto n = static_cast<double>(rays.origin.size());
  state.counters["peer_ns"] = best / n * 1e9;
  state.counters["ratio"] = best / seconds;
  state.counters["differ"] = static_cast<double>(differ);
}
#endif

}  // namespace widephase::bench
