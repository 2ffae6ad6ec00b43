#pragma once

// What ways out leave of areas of a mesh (hit_planes.hpp). A way out clears what is no farther
// along it than a place; round a corner of its area there may be more, which is left in its turn.
// Each of an area's ways is one cut of it. An area that has more than `kMost` of them, as a comb may,
// leaves the rest along its normal, which clears all of it: so the work per triangle has a bound.

#include "kernels/core/surface/listed_triangles.hpp"

namespace widephase {
namespace {

/// Part of a triangle or of an edge: what is farther along directions than ways out clear.
struct AreaPart {
  static constexpr int kMost = 16;  // a triangle's corners, and one more for each cut
  Vector corner[kMost];
  int count = 0;

  void add(const Vector& at) {
    if (count < kMost) corner[count++] = at;
  }
  /// Leaves what is farther along a direction than `most`; false if that is all of it.
  bool cut(const Vector& u, double most) {
    Vector old[kMost];
    double at[kMost];
    int beyond = 0;
    const int corners = count;
    for (int k = 0; k < corners; ++k) {
      old[k] = corner[k];
      at[k] = dot(u, corner[k]) - most;
      beyond += at[k] > 0 ? 1 : 0;
    }
    if (beyond == corners) return false;
    count = 0;
    for (int k = 0; beyond > 0 && k < corners; ++k) {
      const int next = k + 1 < corners ? k + 1 : 0;
      if (at[k] > 0) add(old[k]);
      if (corners == 2 && k == 1) break;
      if ((at[k] > 0) != (at[next] > 0)) {
        add(old[k] + scaled(old[next] - old[k], at[k] / (at[k] - at[next])));
      }
    }
    return true;
  }
};

struct AreaCut {
  Vector u;
  double most;            ///< what is farther along `u` is left
  std::int32_t before;    ///< the area's cut before; -1 none
  std::int32_t triangle;  ///< of the area, with a part that is left
  double rank;            ///< the depth of the way out of what is left
};

/// The cuts of all areas of a list, and the areas that wait to be left again, the shortest way
/// first.
class AreaCuts {
 public:
  static constexpr int kMost = 12;

  /// Each array has room for all triangles: each is the own one of at most one cut.
  void begin(AreaCut* cuts, std::int32_t* waiting) {
    cuts_ = cuts;
    waiting_ = waiting;
    count_ = waiting_count_ = 0;
  }

  /// Whether a triangle's area, if it has one, was left in part.
  static bool is_cut(const TriangleList& list, std::int32_t t) {
    const std::int32_t area = list.triangle[t].area;
    return area >= 0 && list.triangle[area].cut >= 0;
  }
  bool is_full(const TriangleList& list, std::int32_t area) const {
    int cuts = 0;
    for (std::int32_t c = list.triangle[area].cut; c >= 0; c = cuts_[c].before) ++cuts;
    return cuts >= kMost;
  }
  void add(TriangleList& list, std::int32_t own, const Vector& u, double most) {
    std::int32_t& cut = list.triangle[list.triangle[own].area].cut;
    list.triangle[own].has_cut = true;
    cuts_[count_] = {u, most, cut, -1, 0};
    cut = count_++;
  }
  /// Leaves what an area's cuts do not clear.
  void apply(const TriangleList& list, std::int32_t area, AreaPart& part) const {
    std::int32_t c = area < 0 ? -1 : list.triangle[area].cut;
    for (; c >= 0 && part.count > 0; c = cuts_[c].before) part.cut(cuts_[c].u, cuts_[c].most);
  }

  /// Lets the area of a cut wait for its turn: `triangle`, which has a part of what is left, comes
  /// for it.
  void wait(std::int32_t cut, std::int32_t triangle, double rank) {
    cuts_[cut].triangle = triangle;
    cuts_[cut].rank = rank;
    std::int32_t at = waiting_count_++;
    for (; at > 0 && comes_before(cut, waiting_[(at - 1) / 2]); at = (at - 1) / 2) {
      waiting_[at] = waiting_[(at - 1) / 2];
    }
    waiting_[at] = cut;
  }
  /// Whether the first area that waits comes before a triangle of a rank.
  bool has_before(double rank, std::int32_t triangle) const {
    if (waiting_count_ == 0) return false;
    const AreaCut& first = cuts_[waiting_[0]];
    return first.rank != rank ? first.rank < rank : first.triangle < triangle;
  }
  bool is_any_waiting() const { return waiting_count_ > 0; }
  /// Ends the wait of the first one; answers its triangle.
  std::int32_t take_first() {
    const std::int32_t first = waiting_[0], last = waiting_[--waiting_count_];
    std::int32_t at = 0;
    for (std::int32_t child = 1; child < waiting_count_; child = 2 * at + 1) {
      if (child + 1 < waiting_count_ && comes_before(waiting_[child + 1], waiting_[child])) ++child;
      if (!comes_before(waiting_[child], last)) break;
      waiting_[at] = waiting_[child];
      at = child;
    }
    waiting_[at] = last;
    return cuts_[first].triangle;
  }

 private:
  bool comes_before(std::int32_t a, std::int32_t b) const {
    const AreaCut &x = cuts_[a], &y = cuts_[b];
    return x.rank != y.rank ? x.rank < y.rank : x.triangle < y.triangle;
  }

  AreaCut* cuts_ = nullptr;
  std::int32_t* waiting_ = nullptr;  ///< a heap of cuts
  std::int32_t count_ = 0, waiting_count_ = 0;
};

}  // namespace
}  // namespace widephase
