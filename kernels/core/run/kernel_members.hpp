#pragma once

// The members of a pair kernel, required and optional. `make_pair_kernel` (core/run/run.hpp) checks
// each by its concept. So a member that is misspelt, or that takes other arguments, does not
// compile.
//
// Every kernel:
//   A, B            rows of both kinds in lanes, `RowInLanes` below
//   max_points      the most points of a contact: 1, 2 or 4
//   contact(a, b, margin, ...)
//                   the manifolds of a batch. After the margin a kernel may take, in this order:
//                   what the first look found, warm starts, the lane counter, room.
//
// Some kernels (each entry ends with the file that reads the member, and the kernels that have it):
//   FirstLook, first_look(a, b, margin, found)
//       A first look at all pairs says which may be in contact. What it found, a struct of
//       batches, is passed to `contact` for these pairs, unless that struct is empty.
//       core/run/two_looks.hpp; box_box, aabb_box, capsule_box, capsule_aabb in 3D, polygon_polygon;
//       empty: cone_cone, and cylinders and cones with aabb, box, capsule, hull and cylinder.
//   Batches
//       Several batches are processed together: each is begun, all axes are found together, each is
//       answered, all points are found together, and each is read. `RunsInSteps` lists the calls.
//       There is no `contact` then.
//       core/run/steps.hpp; hull_hull, box_hull, aabb_hull, capsule_hull.
//   contact(..., WarmStartLanes<F>&, ...)
//       The words of the last step, read before the call and stored after it.
//       core/run/collide_batch.hpp; kernels that search, or that choose by steadiness.
//   is_warm_when_steady
//       Only with warm starts, and then required. True if the kernel has no search and needs the
//       words only for steadiness; false if its search starts from them.
//       core/run/collide_batch.hpp.
//   contact(..., LaneCounter<F>&, ...)
//       Counts the lanes in use in the kernel's own steps. Kernels with warm starts always take it,
//       except after a first look. core/run/collide_batch.hpp.
//   Room, contact(..., Room&)
//       Memory that is too large for the stacks of some threads, constructed anew for each run.
//       core/run/collide_batch.hpp; kernels that call EPA, or clip faces of one pair at a time.
//
//   b_kind
//       The only kind of B, if its rows could be of other kinds. core/run/run.hpp; hull_hull,
//       box_hull, aabb_hull, capsule_hull, kernels with a cylinder in cylinder_convex.hpp.
//   is_higher_first
//       `HigherFirst` adds it to a kernel whose A has the higher id of a pair.
//       core/run/fetch_batch.hpp; the halfspace's kernels for kinds that come after it.
//
// The question (`Question`) is a member of the rows that searching kernels take, OutlineLanes and
// ConvexLanes.

#include <concepts>
#include <type_traits>

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/manifold.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/kind_rows.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// Rows of one kind in lanes (core/basis/rows.hpp). `quads` is the number of quads in a row of
/// `row_kind`. ConvexLanes, whose rows are of several kinds, has `quads_of(kind)` and `load`
/// instead. A halfspace is always B, so it has no `take_origin`; it has `is_plane`, and its anchor
/// is an offset.
template <class Row, class F, int D>
concept RowInLanes = requires(Row row, const Vec<F, D>& by, const F (&to)[4 * Row::anchors]) {
  { row.bounds_center() } -> std::same_as<Vec<F, D>>;
  row.move_back(by);
  row.move_to(to);
} && (requires(Row row) { row.take_origin(); } || requires { Row::is_plane; });

template <class Row>
constexpr bool has_fixed_row = requires { Row::quads; };
/// The number of quads in a row of a kind; 0 if the lanes do not read such rows.
template <class Row>
constexpr int quads_read(Kind kind) {
  if constexpr (has_fixed_row<Row>) {
    return kind == Row::row_kind ? Row::quads : 0;
  } else {
    return Row::quads_of(kind);
  }
}
/// Whether the rows and anchors that lanes read have the sizes that the pipeline writes.
template <class Row, int D>
constexpr bool reads_whole_rows() {
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const int quads = quads_read<Row>(kind);
    if (quads == 0) continue;
    if (4 * quads != row_width(kind, D) || Row::anchors > rows_of(kind).anchors) return false;
  }
  return true;
}
template <class Row>
constexpr KindBits kinds_read() {
  KindBits kinds = 0;
  for (int k = 0; k < kKindCount; ++k) {
    if (quads_read<Row>(static_cast<Kind>(k)) > 0) kinds |= KindBits{1} << k;
  }
  return kinds;
}
template <class Kernel>
constexpr KindBits kinds_of_b() {
  const KindBits kinds = kinds_read<typename Kernel::B>();
  if constexpr (requires { Kernel::b_kind; }) {
    return kinds & KindBits{1} << static_cast<int>(Kernel::b_kind);
  } else {
    return kinds;
  }
}
/// Whether shapes are read from a library of outlines or hulls; then `library` points to it. A row
/// of fixed length says in `place_column` where its outline is, so that it can be prefetched.
template <class Row>
constexpr bool has_library = requires(Row row) { row.library; };
template <class Row>
concept FindsItsOutline = !has_library<Row> || !has_fixed_row<Row> ||
                          requires { Row::place_column; };

/// Whether a kernel is long: one of its shapes is read from a library.
template <class Kernel>
constexpr bool is_long = has_library<typename Kernel::A> || has_library<typename Kernel::B>;

/// Whether all rows of a kernel's shapes have the same length, whatever kinds a run has.
template <class Kernel>
constexpr bool has_fixed_rows = has_fixed_row<typename Kernel::A> &&
                                has_fixed_row<typename Kernel::B>;

/// Whether a kernel's numbers and the rows of a second batch fit into the registers.
template <class Kernel>
constexpr bool is_small = requires {
  requires !is_long<Kernel> && Kernel::max_points == 1 && Kernel::A::quads + Kernel::B::quads <= 3;
};

/// Whether a kernel looks at its pairs twice (`FirstLook`).
template <class Kernel>
constexpr bool looks_twice = requires { typename Kernel::FirstLook; };
template <class Kernel>
struct FirstLookOf {
  struct Type {};
};
template <class Kernel>
  requires looks_twice<Kernel>
struct FirstLookOf<Kernel> {
  using Type = typename Kernel::FirstLook;
};
/// Whether `contact` takes what the first look found.
template <class Kernel>
constexpr bool finds_at_first = !std::is_empty_v<typename FirstLookOf<Kernel>::Type>;

/// Whether a kernel processes several batches together (`Batches`).
template <class Kernel>
constexpr bool is_in_steps = requires { typename Kernel::Batches; };
/// At most `most` batches are begun; `n` is the number of one, `count` is how many there are.
template <class Kernel, class F, int D>
concept RunsInSteps = requires(typename Kernel::Batches& batches, int n, int count,
                               const typename Kernel::A& a, const typename Kernel::B& b,
                               const F& margin, bool is_test, WarmStartLanes<F>* warm,
                               LaneCounter<F>& counter) {
  { Kernel::Batches::most } -> std::convertible_to<int>;
  batches.begin(n, a, b, counter);
  batches.find_axes(count, is_test, warm, counter);
  batches.answer(n, a, b, margin, *warm, counter);
  batches.find_points(counter);
  requires std::same_as<decltype(batches.manifold(n, a, b, margin, counter)),
                        Manifold<F, D, Kernel::max_points>>;
};

/// Whether a kernel needs `Room`.
template <class Kernel>
constexpr bool has_room = requires { typename Kernel::Room; };
/// Whether `contact` takes these arguments after the margin, and `Room` last if the kernel has it.
template <class Kernel, class F, class... More>
constexpr bool has_contact = requires(const typename Kernel::A& a, const typename Kernel::B& b,
                                      const F& margin, More&... more) {
  Kernel::contact(a, b, margin, more...);
};
template <class Kernel, class F, class... More>
  requires has_room<Kernel>
constexpr bool has_contact<Kernel, F, More...> =
    requires(const typename Kernel::A& a, const typename Kernel::B& b, const F& margin,
             More&... more, typename Kernel::Room& room) {
  Kernel::contact(a, b, margin, more..., room);
};

/// Whether a kernel starts from the last step's words, and whether it counts its steps.
template <class Kernel, class F>
constexpr bool begins_warm = finds_at_first<Kernel> ||
                             has_contact<Kernel, F, WarmStartLanes<F>, LaneCounter<F>>;
template <class Kernel, class F>
constexpr bool counts_lanes = has_contact<Kernel, F, LaneCounter<F>>;

/// Whether a kernel reads and writes the words of warm starts.
template <class Kernel, class F>
constexpr bool has_words = is_in_steps<Kernel> || begins_warm<Kernel, F>;
/// Whether a kernel has no search and uses words only for steadiness.
template <class Kernel>
constexpr bool is_warm_when_steady = [] {
  if constexpr (requires { Kernel::is_warm_when_steady; }) return Kernel::is_warm_when_steady;
  return false;
}();
/// Whether a kernel stores words for the next step. In 3D, kernels of at most two points (capsules)
/// need the steadiness, but no words.
template <class Kernel, class F, int D>
constexpr bool keeps_words = has_words<Kernel, F> && (!is_warm_when_steady<Kernel> || D == 2 ||
                                                      Kernel::max_points == 4);

/// A kernel whose A has the higher id: a halfspace's kernel for a kind that comes after it.
template <class Kernel>
struct HigherFirst : Kernel {
  static constexpr bool is_higher_first = true;
};
template <class Kernel>
constexpr bool takes_higher_first = requires { Kernel::is_higher_first; };

/// What every kernel in a table must have: two row types and a number of points.
template <class Kernel, class F, int D>
concept IsPairKernel =
    RowInLanes<typename Kernel::A, F, D> && FindsItsOutline<typename Kernel::A> &&
    RowInLanes<typename Kernel::B, F, D> && FindsItsOutline<typename Kernel::B> &&
    (Kernel::max_points == 1 || Kernel::max_points == 2 || Kernel::max_points == 4);
template <class Kernel, class F>
concept LooksTwice = requires(const typename Kernel::A& a, const typename Kernel::B& b,
                              const F& margin, typename Kernel::FirstLook& found) {
  { Kernel::first_look(a, b, margin, found) } -> std::same_as<MaskOf<F>>;
};
template <class Kernel, class F>
concept TakesFirstLook = requires(const typename Kernel::A& a, const typename Kernel::B& b,
                                  const F& margin, typename Kernel::FirstLook& found,
                                  WarmStartLanes<F>& warm) {
  Kernel::contact(a, b, margin, found, warm);
};
/// A kernel must support one of the ways in which the loops call it.
template <class Kernel, class F, int D>
concept IsAnswered =
    (!looks_twice<Kernel> || LooksTwice<Kernel, F>) &&
    (is_in_steps<Kernel> ? RunsInSteps<Kernel, F, D>
     : finds_at_first<Kernel>
         ? TakesFirstLook<Kernel, F>
         : has_contact<Kernel, F> || begins_warm<Kernel, F> || counts_lanes<Kernel, F>);
template <class Kernel, class F>
concept SaysWhenItIsWarm =
    (has_words<Kernel, F> == requires { Kernel::is_warm_when_steady; });

}  // namespace
}  // namespace widephase
