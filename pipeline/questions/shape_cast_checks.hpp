#pragma once

// What every call with shapes in motion requires of its options and of the domain.

#include <string>

#include <widephase/shape_cast_options.hpp>

#include "pipeline/narrow/call_checks.hpp"
#include "soa/number_text.hpp"
#include "soa/threads.hpp"

namespace widephase {

inline void check_shape_cast(const ShapeCastOptions& options, bool is_periodic, const char* call) {
  require_threads(options.threads);
  require_margin(options);
  if (!options.warm_starts.empty()) {
    throw Error(
        Finding{"warm_starts", -1,
                "are not for " + std::string(call) + ", whose shapes move; leave them empty"});
  }
  refuse_steadiness(options, call);
  refuse_patches(options, call);
  // Sums with it must not overflow.
  if (!(options.tolerance >= 0 && options.tolerance <= 1e30)) {
    throw Error(
        Finding{"tolerance", -1,
                "is " + number(options.tolerance) + "; it must be a length from 0 to 1e30"});
  }
  if (!is_periodic) return;
  throw Error(Finding{
      "domain", -1,
      "is periodic; " + std::string(call) + " moves shapes through scenes without periodic axes"});
}

}  // namespace widephase
