#include "support/distance_rows.hpp"

namespace widephase::test {

template <int D, class T>
std::vector<std::uint64_t> row_bits(const DistanceBuffer<D, T>& distances, std::size_t i) {
  std::vector<std::uint64_t> bits{bits_of(distances.distance[i]), distances.feature[i],
                                  distances.status[i]};
  for (int k = 0; k < D; ++k) {
    bits.push_back(bits_of(distances.normal(i, k)));
    bits.push_back(bits_of(distances.point_a(i, k)));
    bits.push_back(bits_of(distances.point_b(i, k)));
  }
  return bits;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                         \
  template std::vector<std::uint64_t> row_bits<D, T>(const DistanceBuffer<D, T>& distances, \
                                                     std::size_t i)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
