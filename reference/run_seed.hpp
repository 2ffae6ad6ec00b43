#pragma once

#include <cstdint>

namespace widephase::test {

/// The number that this run adds to the seed of every `Random`. It is the environment variable
/// WIDEPHASE_TEST_SEED: a number, or `today` for the date (UTC), such as 20261126. 0 if it is not
/// set. If it is set, the first call prints the line that repeats the run.
std::uint64_t run_seed();

}  // namespace widephase::test
