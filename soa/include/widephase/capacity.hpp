#pragma once

#include <limits>

#include <widephase/export.h>
#include <widephase/types.hpp>

namespace widephase {

/// No cap: the default of `max_pairs`, `max_contacts` and `max_points`.
inline constexpr std::size_t kNoCap = std::numeric_limits<std::size_t>::max();

/// How large an answer is.
struct AnswerCounts {
  std::int64_t pairs = -1;     ///< that the broad phase finds; -1: not counted
  std::int64_t contacts = -1;  ///< -1: not counted, since the pairs were too many
  std::int64_t points = -1;    ///< likewise
};

/// Thrown for an answer larger than the caller's caps. Nothing of it is stored, and everything is
/// counted: a call with caps of `needed` passes.
class WIDEPHASE_API CapacityError : public Error {
 public:
  /// Of the option that capped the answer (`finding`), and how large the answer is.
  CapacityError(Finding finding, const AnswerCounts& needed)
      : Error(std::move(finding)), needed_(needed) {}
  /// Exact, whatever the threads.
  const AnswerCounts& needed() const { return needed_; }

 private:
  AnswerCounts needed_;
};

}  // namespace widephase
