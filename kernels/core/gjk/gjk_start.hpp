#pragma once

// Where GJK starts in 3D: along the line between the middles, or where last step's search ended.

#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

/// The start of GJK: a support point along a direction, or vertices that are already known.
template <class F>
struct GjkStart {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  Vec<F, 3> direction;
  int count = 0;              ///< the most vertices of any lane
  /// A search with a smooth core ends where its bounds differ by no more than this share.
  F loose = F(0);
  F own_count;                ///< each lane's number of vertices
  DifferenceVertex3<F> v[3];  ///< beyond a lane's own count they have no meaning

  WIDEPHASE_INLINE explicit GjkStart(const CorePair<F>& pair) : own_count(F(0)) {
    const auto is_concentric = is_same(pair.apart, zero_vec<F, 3>());
    direction = select(is_concentric, -first_axis<F, 3>(), pair.apart);
  }

  __attribute__((noinline)) void read(const CorePair<F>& pair, const WarmStartLanes<F>& warm) {
    T known[3][lanes] = {}, is_known[lanes] = {};
    T of_a[3][lanes] = {}, of_b[3][lanes] = {}, counts[lanes] = {};
    const Lanes<F> places_a(pair.a.shape.place()), places_b(pair.b.shape.place());
    for (int i = 0; i < lanes; ++i) {
      const std::uint64_t word = warm.pair[i].simplex;
      const int form = static_cast<int>(word & 15);
      if (form == kDirectionForm) {
        for (int k = 0; k < 3; ++k) {
          const int share = static_cast<int>(word >> (4 + 20 * k) & 0xfffff) - (1 << 19);
          known[k][i] = static_cast<T>(share) * T(0x1p-18);
          if (share != 0) is_known[i] = 1;
        }
        continue;
      }
      if (form < 1 || form > 3) continue;
      const int count_a = vertex_count(pair.a.shape, places_a[i]);
      const int count_b = vertex_count(pair.b.shape, places_b[i]);
      bool is_there = true;
      for (int k = 0; k < form; ++k) {
        const auto both = static_cast<int>(word >> (8 + 16 * k) & 0xffff);
        const int a = both & 0xff, b = both >> 8;
        is_there = is_there && a < count_a && b < count_b;
        of_a[k][i] = static_cast<T>(a);
        of_b[k][i] = static_cast<T>(b);
      }
      if (!is_there) {
        for (int k = 0; k < 3; ++k) of_a[k][i] = of_b[k][i] = 0;
        continue;
      }
      counts[i] = static_cast<T>(form);
      count = form > count ? form : count;
    }
    direction = select(load(is_known) > F(0), {{load(known[0]), load(known[1]), load(known[2])}},
                       direction);
    if (count == 0) return;
    own_count = load(counts);
    for (int k = 0; k < count; ++k) {
      v[k] =
          difference_of(pair, vertex_at(pair.a, load(of_a[k])), vertex_at(pair.b, load(of_b[k])));
    }
  }

 private:
  static int vertex_count(const ConvexLanes<F>& shape, const T& place) {
    return core_vertex_count(shape.form, [&] {
      return HullView<T>(shape.library, shape.indices, integer_in(place)).vertex_count;
    });
  }
};

}  // namespace
}  // namespace widephase
