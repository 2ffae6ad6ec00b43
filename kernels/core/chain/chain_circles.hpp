#pragma once

// circle_chain: circles one after another, the segments near several of them in lanes. The answers
// are those of chain_search.hpp to the bit, to which are left circles whose centre is on a segment,
// that touch at a joint or near a neighbour's segment, and that several places of one patch touch.

#include "kernels/core/chain/chain_search.hpp"

namespace widephase {
namespace {

/// Segments in memory, each seen from the centre of a circle of its own.
struct CircleSegments {
  static constexpr int most = 128;
  alignas(64) double end[4][most];  ///< x and y of the first, then of the second one
  // What `measure` finds.
  alignas(64) double distance[most], feature[most], below[most], normal[2][most];
  alignas(64) double is_front[most];  ///< 1: the circle is on that side; -1: none can be told
  std::int32_t number[most];
  int count = 0;

  void add(std::int32_t segment, const Vector2& a, const Vector2& b) {
    for (int k = 0; k < 2; ++k) {
      end[k][count] = a[k];
      end[2 + k][count] = b[k];
    }
    number[count++] = segment;
  }
  /// As `NearSegments` does with a core of one vertex, operation by operation.
  void measure(bool is_two_sided) {
    using F = Batch<double>;
    constexpr int lanes = LaneTraits<F>::count;
    for (int i = count; i % lanes != 0; ++i) {
      for (auto& plane : end) plane[i] = plane[count - 1];
    }
    const F zero(0), one(1);
    for (int first = 0; first < count; first += lanes) {
      const Vec<F, 2> a{{load(end[0] + first), load(end[1] + first)}};
      const Vec<F, 2> b{{load(end[2] + first), load(end[3] + first)}};
      const Vec<F, 2> along = b - a, from = {{zero - a[0], zero - a[1]}};
      const F length2 = dot(along, along);
      const F inverse = divide(one, sqrt(length2));
      Vec<F, 2> out{{along[1] * inverse, zero - along[0] * inverse}};
      const MaskOf<F> is_in_front = dot(out, from) >= zero;
      const MaskOf<F> is_told = (length2 > F(1e-280)) & (length2 < F(1e280));
      if (is_two_sided) out = select(is_in_front, out, Vec<F, 2>{{zero - out[0], zero - out[1]}});
      const F share = divide(dot(from, along), length2);
      const MaskOf<F> is_after = share > zero, is_before = share < one;
      const Vec<F, 2> between{{a[0] + along[0] * share, a[1] + along[1] * share}};
      const Vec<F, 2> at = select(is_after & is_before, between, select(is_after, b, a));
      const Vec<F, 2> apart{{zero - at[0], zero - at[1]}};
      store(distance + first, sqrt(dot(apart, apart)));
      const F at_end = select(is_after, F(kAtEnd + 1.0), F(kAtEnd + 0.0));
      store(feature + first, select(is_after & is_before, F(kBetween + 0.0), at_end));
      store(below + first, dot(out, a));
      for (int k = 0; k < 2; ++k) store(normal[k] + first, out[k]);
      store(is_front + first, select(is_told, select(is_in_front, one, zero), F(-1)));
    }
  }
};

template <class T, class Settle>
class ChainCircles {
 public:
  ChainCircles(const SurfaceRun<T, 2>& run, const Settle& settle) : run_(run), settle_(settle) {}

  /// The patches of pairs from `begin` on, as many as there is room for.
  SurfaceAnswer<T, 2> find(std::int64_t begin, const SurfaceRoom& room) {
    SurfaceAnswer<T, 2> answer{};
    Arena arena(room);
    patches_ = arena.template take<SurfacePatch<T, 2>>(kMostPatches);
    pairs_ = arena.template take<std::int32_t>(kMostPatches);
    own_bytes_ = (arena.used() + 63) / 64 * 64;
    if (patches_ == nullptr || pairs_ == nullptr || own_bytes_ > room.bytes) {
      answer.bytes_needed = own_bytes_ + 64;
      return answer;
    }
    answer.patches = patches_;
    answer.pair = pairs_;
    answer.begin = answer.end = begin;
    const SurfaceRoom rest{room.memory + own_bytes_, room.bytes - own_bytes_};
    while (answer.end < run_.pairs.count) {
      const int circles = list_circles(answer.end);
      for (int c = 0; c < circles; ++c) {
        if (!add_circle(circles_[c], rest, answer)) return answer;
        answer.end = circles_[c].pair + 1;
      }
    }
    return answer;
  }

 private:
  static constexpr int kMostPatches = 128, kMostCircles = 32, kMostOfCircle = 32, kMostOpen = 256;

  struct Circle {
    std::int64_t pair;
    double radius, radii, margin, limit;
    Vector2 rest;
    Vector2 middle;  ///< in the chain's frame
    ChainBox<T> box;
    int first, end;  ///< its segments
    bool is_left;    ///< to the search
  };
  /// A tile that a circle may meet.
  struct OpenTile {
    int circle;
    std::int32_t number;
  };

  void set_chain(const Pair& own) {
    place_ = place_chain(run_.pairs, own);
    chain_ = run_.chains + place_.chain;
    id_ = own.b;
    size_ = size_of(*chain_);
  }

  /// Lists circles from pair `i` on, all of one chain, and measures their segments. At least one.
  int list_circles(std::int64_t i) {
    int count = 0;
    for (; i < run_.pairs.count && count < kMostCircles; ++i) {
      const Pair own = shape_and_chain(run_.pairs.pairs[i]);
      if (own.b != id_) {
        if (count > 0) break;
        set_chain(own);
      }
      circles_[count].pair = i;
      place_circle(own, circles_[count++]);
    }
    count = list_segments(count);
    if (segments_.count > 0) segments_.measure(chain_->is_two_sided);
    return count;
  }
  void place_circle(const Pair& own, Circle& circle) {
    const PairRun<2, T>& run = run_.pairs;
    const T* const row = run.rows_a + std::ptrdiff_t{own.a} * 4;
    circle.middle = place_.to_chain(from_chain(run, own, row, circle.rest));
    circle.radius = double(row[3]);
    circle.radii = circle.radius + place_.thickness;
    circle.margin = margin_with_chain(run, own);
    circle.limit = circle.margin + circle.radii;
    circle.limit += 4 * double(kRounding<T>) * circle.limit;
    const double far = length_of(circle.middle);
    circle.is_left = !(far - far == 0);
    const double reach =
        circle.limit + distance_rounding_of(size_, 0, far) + 8 * kRounding<double> * far;
    double low[2], high[2];
    for (int k = 0; k < 2; ++k) {
      low[k] = circle.middle[k] - reach;
      high[k] = circle.middle[k] + reach;
    }
    circle.box = ChainBox<T>(low, high);
  }
  /// Lists the segments near circles, level by level of the tree, so that none waits for another's
  /// memory. Returns how many circles have theirs: at least one, which may be left to the search.
  int list_segments(int circles) {
    segments_.count = 0;
    OpenTile* from = open_[0];
    OpenTile* to = open_[1];
    int count = 0;
    for (int c = 0; c < circles; ++c) {
      circles_[c].first = circles_[c].end = 0;
      if (!circles_[c].is_left && chain_->segment_count > 0) from[count++] = {c, 0};
    }
    for (int level = chain_->level_count - 1; level >= 0; --level) {
      int next = 0;
      for (int n = 0; n < count; ++n) {
        const OpenTile at = from[n];
        Circle& circle = circles_[at.circle];
        unsigned bits = circle.box.takes(chain_tile(*chain_, level, at.number));
        const std::int32_t begin = at.number * kChainTile;
        for (; bits != 0 && !circle.is_left; bits &= bits - 1) {
          const std::int32_t place = begin + __builtin_ctz(bits);
          if (level > 0) {
            circle.is_left = next == kMostOpen;
            if (!circle.is_left) to[next++] = {at.circle, place};
            continue;
          }
          if (circle.first == circle.end) circle.first = circle.end = segments_.count;
          circle.is_left = circle.end - circle.first == kMostOfCircle;
          if (circle.is_left) break;
          if (segments_.count == CircleSegments::most) {
            segments_.count = circle.first;
            return at.circle;
          }
          const T* const ends = chain_->positions + 2 * std::ptrdiff_t{place};
          segments_.add(place, Vector2{{double(ends[0]), double(ends[1])}} - circle.middle,
                        Vector2{{double(ends[2]), double(ends[3])}} - circle.middle);
          circle.end = segments_.count;
        }
      }
      OpenTile* const other = from;
      from = to;
      to = other;
      count = next;
    }
    return circles;
  }

  bool is_own(int s) const {
    return segments_.number[s] >= chain_->own_begin && segments_.number[s] < chain_->own_end;
  }
  bool is_within(const Circle& circle, int s) const {
    return 0 - segments_.below[s] <= circle.limit && segments_.distance[s] <= circle.limit;
  }
  static constexpr int kLeft = -1;
  /// Sets the segments that have a contact. Returns their number, or `kLeft`.
  int find_contacts(const Circle& circle, int (&contact)[kMostOfCircle]) const {
    if (circle.is_left) return kLeft;
    int count = 0;
    for (int s = circle.first; s < circle.end; ++s) {
      const double distance = segments_.distance[s];
      // Centres on a segment, and whatever has no size.
      if (!(distance > 0) || segments_.is_front[s] < 0) return kLeft;
      if (!is_within(circle, s)) continue;
      const bool is_behind = !chain_->is_two_sided && segments_.is_front[s] == 0;
      if (is_behind || !is_own(s)) return kLeft;
      if (segments_.feature[s] == kBetween) {
        if (segments_.below[s] <= 0) contact[count++] = s;
      } else if (!is_beside_nearer(circle, s)) {
        return kLeft;
      }
    }
    int kept = 0;
    for (int c = 0; c < count; ++c) {
      if (0 - segments_.distance[contact[c]] >= 0 - circle.margin - circle.radii) {
        contact[kept++] = contact[c];
      }
    }
    return are_patches(contact, kept) ? kept : kLeft;
  }
  /// Whether the segment beyond the end at which one is nearest is nearer: then it has no contact.
  bool is_beside_nearer(const Circle& circle, int s) const {
    const bool is_first = segments_.feature[s] == kAtEnd;
    const int other = is_first ? s - 1 : s + 1;
    if (other < circle.first || other >= circle.end) return false;
    if (segments_.number[other] != segments_.number[s] + (is_first ? -1 : 1)) return false;
    const bool is_behind = !chain_->is_two_sided && segments_.is_front[other] == 0;
    return is_own(other) && !is_behind && is_within(circle, other) &&
           segments_.distance[other] < segments_.distance[s];
  }
  /// Whether each contact is a patch of its own, in the order of the patches.
  bool are_patches(const int (&contact)[kMostOfCircle], int count) const {
    for (int c = 1; c < count; ++c) {
      for (int d = 0; d < c; ++d) {
        if (dot(away(contact[c]), away(contact[d])) >= run_.patch_cosine) return false;
        if (chain_->number[segments_.number[contact[c]]] <=
            chain_->number[segments_.number[contact[d]]]) {
          return false;
        }
      }
    }
    return run_.most_patches == 0 || count <= run_.most_patches;
  }
  Vector2 away(int s) const { return {{segments_.normal[0][s], segments_.normal[1][s]}}; }

  /// False if there is no room for its patches.
  bool add_circle(const Circle& circle, const SurfaceRoom& rest, SurfaceAnswer<T, 2>& answer) {
    int contact[kMostOfCircle];
    const int count = find_contacts(circle, contact);
    const auto add = [&](std::int64_t patches, const auto& put) {
      if (answer.count + patches > kMostPatches) return false;
      for (std::int64_t p = 0; p < patches; ++p) {
        put(p, patches_[answer.count]);
        pairs_[answer.count++] = static_cast<std::int32_t>(circle.pair - answer.begin);
      }
      return true;
    };
    if (count != kLeft) {
      return add(count, [&](std::int64_t p, SurfacePatch<T, 2>& patch) {
        write(circle, contact[p], patch);
      });
    }
    SurfaceAnswer<T, 2> found = ChainSearch<T, Settle>(run_, circle.pair, rest, settle_).find();
    if (found.bytes_needed == 0 && add(found.count, [&](std::int64_t p, SurfacePatch<T, 2>& patch) {
          patch = found.patches[p];
        })) {
      answer.left_out += found.left_out;
      return true;
    }
    // The first one alone, so that every call goes on.
    if (answer.end > answer.begin) return false;
    if (found.bytes_needed > 0) found.bytes_needed += own_bytes_;
    found.begin = circle.pair;
    found.end = circle.pair + 1;
    answer = found;
    return false;
  }
  void write(const Circle& circle, int s, SurfacePatch<T, 2>& patch) const {
    const Vector2 up = away(s), normal = place_.to_scene(up);
    const double depth = 0 - segments_.distance[s];
    for (int k = 0; k < 2; ++k) patch.normal[k] = static_cast<T>(0 - normal[k]);
    patch.depth = static_cast<T>(circle.radii + depth);
    patch.status = 0;
    patch.point_count = run_.pairs.question == Question::points ? 1 : 0;
    SurfacePoint<T, 2>& point = patch.points[0];
    const Vector2 none{{0, 0}};
    const Vector2 offset = place_.to_scene(none - scaled(up, circle.radius)) + circle.rest;
    for (int k = 0; k < 2; ++k) point.offset[k] = offset[k];
    point.depth = patch.depth;
    point.part = chain_->number[segments_.number[s]];
    point.feature = static_cast<std::uint32_t>(edge_feature(0.0));
  }

  const SurfaceRun<T, 2>& run_;
  const Settle& settle_;
  SurfacePatch<T, 2>* patches_ = nullptr;
  std::int32_t* pairs_ = nullptr;
  std::size_t own_bytes_ = 0;  ///< of these
  ChainPlace place_{};
  const ChainView<T>* chain_ = nullptr;
  std::int32_t id_ = -1;
  double size_ = 0;
  Circle circles_[kMostCircles];
  OpenTile open_[2][kMostOpen];
  CircleSegments segments_;
};

}  // namespace
}  // namespace widephase
