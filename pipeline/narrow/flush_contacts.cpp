// The pass over contacts with shapes that lie flush with others of their owner
// (kernels/core/flush/flush_rule.hpp): after the kernels of pairs, chunk by chunk. Few contacts
// are replaced; the points behind them move then. Those with surfaces are asked in their searches.

#include <algorithm>
#include <vector>

#include "kernels/flush_shape.hpp"
#include "kernels/kind_rows.hpp"
#include "pipeline/narrow/contact_room.hpp"
#include "pipeline/narrow/narrow_phase.hpp"
#include "soa/ascending.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/mirrored_feature.hpp"

namespace widephase {

namespace {

/// Whether the kind is a ball: its only contact point's feature is a side's exactly if the normal
/// is the side's.
constexpr bool is_ball(Kind kind) {
  switch (kind) {
    case Kind::sphere:
      return true;
    case Kind::capsule:
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
    case Kind::cylinder:
    case Kind::halfspace:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return false;
}

template <int D, class T>
class FlushPass {
 public:
  using Size = SizeOf<T>;
  FlushPass(const FlushRows<Size>& rows, KindsOfPair kinds, ContactBuffer<D, T>& contacts)
      : rows_(rows), kinds_(kinds), is_of_ball_(is_ball(kinds.a)), contacts_(contacts) {}

  /// Whether a contact stays at first sight.
  bool stays(std::size_t i, const FlushKernel<Size, D>& kernel, const FlushShape& a,
             const FlushShape& b) const {
    if (b.part < 0 && a.part < 0) return true;
    if (is_of_ball_) {
      const std::uint32_t feature =
          contacts_.feature[static_cast<std::size_t>(contacts_.offset[i])];
      const bool is_flipped = contacts_.pair[i].a != a.id;
      const std::uint32_t half = is_flipped ? feature >> 16 : feature & 0xffff;
      const FlushView& view = rows_.sides[b.side].view;
      const std::uint32_t side_kind = kinds_.b == instance_kind(2) ? 2 : 3;
      return half >> 14 == side_kind &&
             view.faces[view.parts[b.part].first_face + static_cast<std::int32_t>(half & 0x3fff)] ==
                 kOpenFace;
    }
    const bool is_flipped = contacts_.pair[i].a != a.id;
    Size out[2][D];
    for (int k = 0; k < D; ++k) {
      const Size normal = contacts_.normal(i, k);
      out[0][k] = is_flipped ? -normal : normal;
      out[1][k] = is_flipped ? normal : -normal;
    }
    return (a.part < 0 || kernel.is_on_open_face(rows_, a, out[0])) &&
           (b.part < 0 || kernel.is_on_open_face(rows_, b, out[1]));
  }

  /// A contact as its kernel takes it, from A, the lower one.
  FlushContact<Size, D> contact(std::size_t i, const FlushShape& a, const FlushShape& b) const {
    const bool is_flipped = contacts_.pair[i].a != a.id;
    FlushContact<Size, D> found{};
    found.a = a;
    found.b = b;
    found.depth = contacts_.depth[i];
    const auto end = static_cast<std::size_t>(contacts_.offset[i + 1]);
    auto deepest = static_cast<std::size_t>(contacts_.offset[i]);
    for (std::size_t p = deepest + 1; p < end; ++p) {
      if (contacts_.point_depth[p] > contacts_.point_depth[deepest]) deepest = p;
    }
    for (int k = 0; k < D; ++k) {
      const Size normal = contacts_.normal(i, k);
      found.normal[k] = is_flipped ? -normal : normal;
      double at = static_cast<double>(contacts_.point(deepest, k)) - anchor(a.id, k);
      if (is_flipped) {
        at -= static_cast<double>(contacts_.point_depth[deepest]) * static_cast<double>(normal);
      }
      found.point[k] = at;
    }
    return found;
  }

  /// Writes an answer for contact `i`, with its points from `point` on.
  void write(std::size_t i, const SurfacePatch<Size, D>& answer, std::size_t point) {
    const Pair pair = contacts_.pair[i], own = ascending(pair);
    const bool is_flipped = pair.a != own.a;
    for (int k = 0; k < D; ++k) {
      contacts_.normal(i, k) = is_flipped ? 0 - answer.normal[k] : answer.normal[k];
    }
    contacts_.depth[i] = answer.depth;
    contacts_.status[i] = answer.status;
    for (std::int32_t p = 0; p < answer.point_count; ++p) {
      const SurfacePoint<Size, D>& from = answer.points[p];
      const std::size_t to = point + static_cast<std::size_t>(p);
      for (int k = 0; k < D; ++k) {
        auto at = static_cast<PositionOf<T>>(anchor(own.a, k) + from.offset[k]);
        if (is_flipped) {
          at -=
              static_cast<PositionOf<T>>(from.depth) * static_cast<PositionOf<T>>(answer.normal[k]);
        }
        contacts_.point(to, k) = at;
      }
      contacts_.point_depth[to] = from.depth;
      contacts_.feature[to] = is_flipped ? mirrored_feature(from.feature) : from.feature;
      for (int side = 0; !contacts_.part.empty() && side < 2; ++side) contacts_.part(to, side) = -1;
    }
  }

  /// Leaves an answer no more points than there is room for, the deepest, ascending by feature.
  void order(std::size_t i, int most, SurfacePatch<Size, D>& answer) const {
    const bool is_flipped = contacts_.pair[i].a > contacts_.pair[i].b;
    const auto sort = [&](const auto& goes_before) {  // four or fewer
      for (std::int32_t n = 1; n < answer.point_count; ++n) {
        for (std::int32_t m = n; m > 0; --m) {
          if (!goes_before(answer.points[m], answer.points[m - 1])) break;
          std::swap(answer.points[m], answer.points[m - 1]);
        }
      }
    };
    const auto feature = [&](const SurfacePoint<Size, D>& point) {
      return is_flipped ? mirrored_feature(point.feature) : point.feature;
    };
    if (answer.point_count > most) {
      sort([](const auto& a, const auto& b) { return a.depth > b.depth; });
      answer.point_count = most;
    }
    sort([&](const auto& a, const auto& b) { return feature(a) < feature(b); });
  }

 private:
  double anchor(std::int32_t id, int k) const {
    const auto kind = static_cast<std::size_t>(kinds_.a);
    if constexpr (is_mixed<T>) {
      return rows_.anchors[kind][std::ptrdiff_t{id} * rows_.anchor_width[kind] + k];
    } else {
      return static_cast<double>(rows_.rows[kind][std::ptrdiff_t{id} * rows_.row_width[kind] + k]);
    }
  }

  const FlushRows<Size>& rows_;
  KindsOfPair kinds_;
  bool is_of_ball_;
  ContactBuffer<D, T>& contacts_;
};

}  // namespace

template <int D, class T>
FlushRows<SizeOf<T>> NarrowPhase<D, T>::flush_rows(const Inputs& inputs) {
  const SceneRows<D, T>& rows = inputs.rows;
  FlushRows<SizeOf<T>> found{};
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const auto at = static_cast<std::size_t>(k);
    const std::ptrdiff_t first = std::ptrdiff_t{rows.layout.first[at]} - rows.rows_before[at];
    found.row_width[k] = row_width(kind, D);
    found.rows[k] = rows.rows[at].plane() - first * found.row_width[k];
    if constexpr (is_mixed<T>) {
      found.anchor_width[k] = anchor_width(kind);
      found.anchors[k] = rows.anchors[at].plane() - first * found.anchor_width[k];
    }
    if (kind == instance_kind(D) && !rows.rests.empty()) {
      found.rests = rows.rests.plane() - first * kAnchorNumbers;
    }
  }
  if constexpr (D == 2) {
    found.library = rows.polygon_library().numbers.plane();
  } else {
    found.library = rows.hull_library().numbers.plane();
  }
  found.indices = rows.hull_library().indices.plane();
  found.margins = rows.margin.empty() ? nullptr : rows.margin.plane();
  found.margin = static_cast<SizeOf<T>>(inputs.margin);
  found.steadiness = inputs.steadiness;
  for (std::size_t k = 0; k < D; ++k) {
    if (!inputs.domain.periodic[k]) continue;
    found.period[k] =
        static_cast<double>(inputs.domain.max[k]) - static_cast<double>(inputs.domain.min[k]);
  }
  found.side_count = static_cast<int>(inputs.flush_count);
  for (std::size_t side = 0; side < inputs.flush_count; ++side) {
    found.sides[side] = inputs.flush[side];
  }
  return found;
}

template <int D, class T>
void NarrowPhase<D, T>::replace_unfelt(const Inputs& inputs, const PairStretch& chunk,
                                       std::size_t first_contact, ContactBuffer<D, T>& contacts,
                                       ContactBlock<D, T>& block, Column<std::byte>& room) const {
  const KindsOfPair kinds = kinds_of(chunk.pair_kind);
  if (!inputs.asks_flush() || has_unbounded(kinds) || is_of_surfaces(chunk) ||
      !(may_be_flush(kinds.a) || may_be_flush(kinds.b))) {
    return;
  }
  const FlushRows<SizeOf<T>> rows = flush_rows(inputs);
  const FlushKernel<SizeOf<T>, D>& kernel = flush_kernel<SizeOf<T>, D>(inputs.table.isa);
  const int most_points = most_points_of(inputs, chunk.pair_kind);
  FlushPass<D, T> pass(rows, kinds, contacts);
  std::vector<ReplacedContact<D, SizeOf<T>>>& replaced = block.replaced;
  replaced.clear();
  for (std::size_t i = first_contact; i < contacts.size(); ++i) {
    const Pair own = ascending(contacts.pair[i]);
    const FlushShape a = flush_shape(rows, kinds.a, own.a);
    const FlushShape b = flush_shape(rows, kinds.b, own.b);
    if (pass.stays(i, kernel, a, b)) continue;
    ReplacedContact<D, SizeOf<T>> answer;
    if (!kernel.replace(rows, pass.contact(i, a, b), room.plane(), answer.patch)) continue;
    answer.contact = i;
    pass.order(i, most_points, answer.patch);
    replaced.push_back(answer);
  }
  if (replaced.empty()) return;
  // The points from the first replaced contact on are put aside and written anew.
  const std::size_t begin = replaced.front().contact;
  const auto first_point = static_cast<std::size_t>(contacts.offset[begin]);
  const std::size_t aside = contacts.point_count() - first_point;
  const bool has_parts = !contacts.part.empty();
  ContactBuffer<D, T>& kept = block.parts;
  set_sizes(kept, 0, aside, has_parts);
  for_each_point_column(
      [&](const auto& from, auto& to) {
        for (int w = 0; w < std::remove_cvref_t<decltype(from)>::width; ++w) {
          std::copy_n(from.plane(w) + first_point, aside, to.plane(w));
        }
      },
      contacts, kept);
  std::size_t points = contacts.point_count();
  for (const auto& answer : replaced) {
    points += static_cast<std::size_t>(answer.patch.point_count);
    points -= static_cast<std::size_t>(contacts.offset[answer.contact + 1] -
                                       contacts.offset[answer.contact]);
  }
  const std::size_t count = contacts.size();
  std::size_t to = first_point;
  auto next = replaced.begin();
  std::int64_t from = contacts.offset[begin];
  set_sizes(contacts, count, std::max(points, contacts.point_count()), has_parts);
  contacts.offset[count] = from + static_cast<std::int64_t>(aside);
  for (std::size_t i = begin; i < count; ++i) {
    const std::int64_t end = contacts.offset[i + 1];
    contacts.offset[i] = static_cast<std::int64_t>(to);
    if (next != replaced.end() && next->contact == i) {
      pass.write(i, next->patch, to);
      to += static_cast<std::size_t>(next->patch.point_count);
      ++next;
    } else {
      const auto own = static_cast<std::size_t>(from) - first_point;
      const auto own_count = static_cast<std::size_t>(end - from);
      for_each_point_column(
          [&](auto& column, const auto& aside_column) {
            for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
              std::copy_n(aside_column.plane(w) + own, own_count, column.plane(w) + to);
            }
          },
          contacts, kept);
      to += own_count;
    }
    from = end;
  }
  set_sizes(contacts, count, to, has_parts);
}

template <int D, class T>
std::size_t NarrowPhase<D, T>::flush_room_bytes(const Inputs& inputs) {
  if (!inputs.asks_flush()) return 0;
  return flush_kernel<SizeOf<T>, D>(inputs.table.isa).room_bytes;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                               \
  template void NarrowPhase<D, T>::replace_unfelt(const Inputs&, const PairStretch&, std::size_t, \
                                                  ContactBuffer<D, T>&, ContactBlock<D, T>&,      \
                                                  Column<std::byte>&) const;                      \
  template FlushRows<SizeOf<T>> NarrowPhase<D, T>::flush_rows(const Inputs&);                     \
  template std::size_t NarrowPhase<D, T>::flush_room_bytes(const Inputs&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
