#include "support/polygons.hpp"

namespace widephase::test {

template <class T>
Column<T, 2> column_of(const std::vector<Vertex>& points) {
  Column<T, 2> column;
  for (const Vertex& point : points) {
    column.push_back({static_cast<T>(point[0]), static_cast<T>(point[1])});
  }
  return column;
}

template <class T>
std::vector<Vertex> rows_of(const Column<T, 2>& column, std::size_t begin, std::size_t end) {
  std::vector<Vertex> points;
  for (std::size_t row = begin; row < end; ++row) {
    points.push_back({static_cast<double>(column(row, 0)), static_cast<double>(column(row, 1))});
  }
  return points;
}

#define WIDEPHASE_INSTANTIATE(T)                                                         \
  template Column<T, 2> column_of<T>(const std::vector<Vertex>& points);                 \
  template std::vector<Vertex> rows_of<T>(const Column<T, 2>& column, std::size_t begin, \
                                          std::size_t end)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
