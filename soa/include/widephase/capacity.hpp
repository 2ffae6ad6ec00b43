#pragma once

#include <limits>

#include <widephase/export.h>
#include <widephase/types.hpp>

namespace widephase {

/// No cap: the default of `max_pairs`, `max_contacts` and `max_points`.
inline constexpr std::size_t kNoCap = std::numeric_limits<std::size_t>::max();

/// Pairs are counted up to so many times the cap on them: beyond, the time that a count takes would
/// have no bound.
inline constexpr std::size_t kCountedCaps = 64;

/// How large an answer is.
struct AnswerCounts {
  std::int64_t pairs = -1;     ///< that the broad phase finds; -1: not counted
  std::int64_t contacts = -1;  ///< -1: not counted, since the pairs were too many
  std::int64_t points = -1;    ///< likewise
  /// Whether the counts are those of the whole answer. False where there are `kCountedCaps` times
  /// `max_pairs` (of 0 as of 1) pairs or more: `pairs` is that number then, a lower bound.
  bool exact = true;
};

/// Thrown for an answer larger than the caller's caps. Nothing of it is stored. Where `needed` is
/// exact, a call with caps of it passes.
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
