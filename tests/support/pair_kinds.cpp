#include "support/pair_kinds.hpp"

namespace widephase::test {

std::vector<PairKindCase> all_pair_kinds() {
  std::vector<PairKindCase> cases;
  for (const int dimension : {2, 3}) {
    for (const Kind a : kinds(dimension)) {
      for (const Kind b : kinds(dimension)) {
        if (!has_kernel(dimension, a, b)) continue;
        cases.push_back({dimension, a, b});
      }
    }
  }
  return cases;
}

}  // namespace widephase::test
