#pragma once

#include <memory>

#include <widephase/export.h>
#include <widephase/bounds.hpp>
#include <widephase/capacity.hpp>
#include <widephase/executor.hpp>
#include <widephase/isa.hpp>

namespace widephase {

/// Which pairs of bounds are wanted: one row per box; every column may be empty (its default). Each
/// means what the scene's column of the same name means (`Tags`).
struct FilterSpan {
  ColumnSpan<std::int32_t> world;        ///< only boxes of one world pair; -1 with all; default 0
  ColumnSpan<std::uint32_t> category;    ///< default 1
  ColumnSpan<std::uint32_t> mask;        ///< default all bits
  ColumnSpan<std::int32_t> owner;        ///< boxes of one owner never pair; default -1: none
  ColumnSpan<std::uint8_t> fixed;        ///< two fixed boxes never pair; default 0
  ColumnSpan<std::int32_t> body;         ///< boxes of one body never pair; default -1: none
  ColumnSpan<std::int32_t, 2> excluded;  ///< rows that never pair, in either order
  ColumnSpan<std::int32_t, 2> excluded_owners;  ///< owners whose boxes never pair
  ColumnSpan<std::int32_t, 2> excluded_bodies;  ///< bodies whose boxes never pair
  /// One byte per world: those with 0 are left out. Empty: none are.
  std::span<const std::uint8_t> world_mask;
};

/// How pairs of boxes are found. Neither threads nor instruction set changes them or their order.
struct PairOptions {
  Threads threads;        ///< who runs the call
  Isa isa = Isa::widest;  ///< `Error` for a set that the build or the CPU lacks
  /// The most pairs that may be stored.
  ///
  /// - Where there are more, the call throws `CapacityError` with their number and leaves `pairs`
  ///   empty.
  /// - From `kCountedCaps` times as many on they are counted no further, and the number is a lower
  ///   bound. So the cap bounds memory and time.
  /// - Pairs of bounds that the filters drop count for nothing.
  std::size_t max_pairs = kNoCap;
  /// For `find_pairs` of one set, called on one workspace step after step with as many boxes. They
  /// are sorted in space anew only when they have moved so far that it pays.
  ///
  /// - The pairs are the same. Their order, and that of what is made of them, then also depends on
  ///   the calls before.
  /// - Takes about 20 bytes per box. Worlds under 512 boxes keep none.
  bool keeps_order = false;
};

/// Scratch of `find_pairs`: grows to the largest call it served and is reused. One call at a time.
template <int D, class T>
class WIDEPHASE_API PairWorkspace {
 public:
  /// An empty one.
  PairWorkspace();
  ~PairWorkspace();
  ///@{
  /// Takes another one's memory. Not copied; what was moved from may only be assigned to or end.
  PairWorkspace(PairWorkspace&&) noexcept;
  PairWorkspace& operator=(PairWorkspace&&) noexcept;
  ///@}

  /// \cond  The library's own.
  struct State;
  State& state() { return *state_; }
  /// \endcond
  /// Bytes held.
  std::size_t bytes() const;

 private:
  std::unique_ptr<State> state_;
};

/// All pairs of boxes that overlap (closed intervals) and pass the filters, a < b, each once. The
/// boxes and filters alone decide the order. With a periodic domain the boxes' centres are wrapped
/// into it and pairs are found across its sides.
///
/// Throws `Error` if columns differ in length or the domain is too thin for the widest boxes along
/// a periodic axis, and `CapacityError` for more pairs than `options.max_pairs`.
template <int D, class T>
WIDEPHASE_API void find_pairs(const BoundsSpan<D, T>& bounds, const FilterSpan& filters,
                              const Domain<D, T>& domain, Column<Pair>& pairs,
                              PairWorkspace<D, T>& workspace, const PairOptions& options = {});

}  // namespace widephase
