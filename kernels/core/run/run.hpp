#pragma once

// Runs a pair kernel over a list of pairs: loads rows into lanes, moves B relative to A, calls the
// kernel and appends the hits to the contact arrays.

#include <new>

#include "kernels/core/run/steps.hpp"
#include "kernels/core/run/two_looks.hpp"

namespace widephase {
namespace {

template <class F, class Kernel, int D, class T>
void find_contacts(const PairRun<D, T>& run, ContactCursor<D, T>& result) {
  // A copy: as far as the compiler knows, stores of bytes could change the pointers in `result`.
  ContactCursor<D, T> cursor = result;
  if (run.count == 0) return;
  constexpr int kLanes = LaneTraits<F>::count;
  const std::int64_t first_contact = cursor.contact_count;
  const std::int64_t first_point = cursor.point_count;
  if constexpr (Kernel::max_points == 1) {
    // Contacts and points share one count.
    cursor.point += first_point - first_contact;
    cursor.point_depth += first_point - first_contact;
    cursor.feature += first_point - first_contact;
  }
  TailCopy<F> tail{};  // g++ does not see that a batch of one lane never has a tail
  LaneCounter<F> counter;
  RunRoom<F, Kernel, D>* room = nullptr;
  if constexpr (room_bytes < F, Kernel, D >> 0) room = new (cursor.room) RunRoom<F, Kernel, D>;
  if constexpr (looks_twice<Kernel>) {
    collide_in_two_looks<F, Kernel>(run, tail, room, cursor, counter);
  } else if constexpr (is_in_steps<Kernel>) {
    collide_in_steps<F, Kernel>(run, tail, *room, cursor, counter);
  } else if constexpr (is_small<Kernel>) {
    // A small kernel's rows are loaded one batch ahead. A core looks ahead about one batch;
    // otherwise it would wait first for the rows and then for the square root. Large kernels need
    // the registers.
    auto next = fetch_batch<F, Kernel>(run, 0, tail);
    for (std::int64_t first = 0; first < run.count; first += kLanes) {
      auto batch = next;
      if (run.count - first > kLanes) next = fetch_batch<F, Kernel>(run, first + kLanes, tail);
      collide_batch(run, batch, tail, room, cursor, counter);
    }
  } else {
    for (std::int64_t first = 0; first < run.count; first += kLanes) {
      auto batch = fetch_batch<F, Kernel>(run, first, tail);
      collide_batch(run, batch, tail, room, cursor, counter);
    }
  }
  std::int64_t* const offsets = cursor.offset;
  const std::int64_t end = cursor.contact_count;
  std::int64_t offset = first_point;
  if constexpr (Kernel::max_points == 1) {
    for (std::int64_t i = first_contact; i < end; ++i) offsets[i] = offset + (i - first_contact);
    offset += end - first_contact;
  } else {
    const std::uint8_t* const point_counts = cursor.point_counts;
    for (std::int64_t i = first_contact; i < end; ++i) {
      offsets[i] = offset;
      offset += point_counts[i];
    }
  }
  result.contact_count = end;
  result.point_count = offset;
  result.lanes.in_use += run.count + counter.sum.in_use;
  result.lanes.ran += (run.count + kLanes - 1) / kLanes * kLanes + counter.sum.ran;
}

template <class Kernel, int D, class T>
constexpr PairKernel<D, T> make_pair_kernel() {
  static_assert(IsPairKernel<Kernel, Batch<T>, D>);
  static_assert(
      reads_whole_rows<typename Kernel::A, D>() && reads_whole_rows<typename Kernel::B, D>(),
      "rows in lanes differ in size from kernels/kind_rows.hpp");
  static_assert(IsAnswered<Kernel, Batch<T>, D>);
  static_assert(SaysWhenItIsWarm<Kernel, Batch<T>>);
  static_assert(alignof(RunRoom<Batch<T>, Kernel, D>) <= 64);
  constexpr Words words = !keeps_words<Kernel, Batch<T>, D> ? Words::none
                          : is_warm_when_steady<Kernel>     ? Words::steady
                                                            : Words::always;
  return {&find_contacts<Batch<T>, Kernel, D, T>,
          Kernel::max_points,
          room_bytes<Batch<T>, Kernel, D>,
          words,
          kinds_read<typename Kernel::A>(),
          kinds_of_b<Kernel>(),
          takes_higher_first<Kernel>};
}

}  // namespace
}  // namespace widephase
