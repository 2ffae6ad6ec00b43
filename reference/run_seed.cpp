#include "reference/run_seed.hpp"

#include <errno.h>  // program_invocation_name

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace widephase::test {

namespace {

std::uint64_t today() {
  const std::chrono::year_month_day date =
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return static_cast<std::uint64_t>(static_cast<int>(date.year())) * 10000 +
         static_cast<unsigned>(date.month()) * 100 + static_cast<unsigned>(date.day());
}

std::uint64_t read_seed() {
  const char* const text = std::getenv("WIDEPHASE_TEST_SEED");
  if (text == nullptr) return 0;
  char* end = nullptr;
  std::uint64_t seed = std::strtoull(text, &end, 10);
  if (std::string_view(text) == "today") {
    seed = today();
  } else if (end == text || *end != '\0') {
    std::fprintf(stderr, "WIDEPHASE_TEST_SEED is \"%s\"; give a number, or today\n", text);
    std::exit(2);
  }
  const char* const scale = std::getenv("WIDEPHASE_TEST_SCALE");
  std::printf("To repeat this run: WIDEPHASE_TEST_SEED=%llu WIDEPHASE_TEST_SCALE=%s %s\n",
              static_cast<unsigned long long>(seed), scale == nullptr ? "1" : scale,
              program_invocation_name);
  std::fflush(stdout);
  return seed;
}

}  // namespace

std::uint64_t run_seed() {
  static const std::uint64_t seed = read_seed();
  return seed;
}

}  // namespace widephase::test
