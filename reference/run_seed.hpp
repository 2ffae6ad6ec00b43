#pragma once

#include <cstdint>

namespace widephase::test {

/// What this run adds to the seed of every `Random`: the environment variable WIDEPHASE_TEST_SEED,
/// a number, or `today` for the date (UTC) as 20261126; 0 without it. If it is set, the first call
/// prints the line that repeats the run.
std::uint64_t run_seed();

}  // namespace widephase::test
