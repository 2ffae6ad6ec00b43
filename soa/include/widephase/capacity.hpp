#pragma once

#include <limits>

#include <widephase/export.h>
#include <widephase/types.hpp>

namespace widephase {

/// No cap: the default of `max_pairs`, `max_contacts` and `max_points`.
inline constexpr std::size_t kNoCap = std::numeric_limits<std::size_t>::max();

/// Pairs are counted up to this many times their cap: beyond that the time for counting would have
/// no bound.
inline constexpr std::size_t kCountedCaps = 64;

/// How large an answer is.
struct AnswerCounts {
  std::int64_t pairs = -1;     ///< that the broad phase finds; -1: not counted
  std::int64_t contacts = -1;  ///< -1: not counted, since the pairs were too many
  std::int64_t points = -1;    ///< likewise
  /// Whether the counts are those of the whole answer. False if there are at least `kCountedCaps`
  /// times `max_pairs` pairs (a cap of 0 counts as 1): `pairs` is then that number, a lower bound.
  bool exact = true;
};

/// Thrown for an answer larger than the caller's caps. Nothing of it is stored. If `needed` is
/// exact, a call with these caps passes.
class WIDEPHASE_API CapacityError : public Error {
 public:
  /// Names the option that capped the answer (`finding`), and how large the answer is.
  CapacityError(Finding finding, const AnswerCounts& needed)
      : Error(std::move(finding)), needed_(needed) {}
  /// The same whatever the threads and the instruction set.
  const AnswerCounts& needed() const { return needed_; }

 private:
  AnswerCounts needed_;
};

}  // namespace widephase
