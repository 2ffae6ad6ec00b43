#include "tools/formats/contacts_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>

#include "tools/formats/npz.hpp"

namespace widephase::tools {

namespace {

/// NumPy's (n, W) from one plane a component.
template <class T, int W>
std::vector<T> interleaved(const Column<T, W>& column) {
  std::vector<T> rows(column.size() * W);
  for (int w = 0; w < W; ++w) {
    const T* plane = column.plane(w);
    for (std::size_t i = 0; i < column.size(); ++i)
      rows[i * W + static_cast<std::size_t>(w)] = plane[i];
  }
  return rows;
}

template <class T>
ArrayView view(const char* name, const Column<T>& column) {
  return {name, type_of<T>(), {column.size()}, column.plane()};
}

}  // namespace

template <int D, class T>
void write_contacts_npz(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const Column<std::int32_t, 2>* bodies) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t));
  const std::size_t count = contacts.size();
  const std::vector<SizeOf<T>> normals = interleaved(contacts.normal);
  const std::vector<PositionOf<T>> points = interleaved(contacts.point);
  // Without contacts there may be no offsets at all; the file always has their first, 0.
  const std::int64_t zero = 0;
  std::vector<ArrayView> arrays{
      {"pair", Type::int32, {count, 2}, contacts.pair.plane()},
      view("source", contacts.source),
      {"normal", type_of<SizeOf<T>>(), {count, D}, normals.data()},
      view("depth", contacts.depth),
      view("status", contacts.status),
      contacts.offset.empty() ? ArrayView{"offset", Type::int64, {1}, &zero}
                              : view("offset", contacts.offset),
      {"point", type_of<PositionOf<T>>(), {contacts.point_count(), D}, points.data()},
      view("point_depth", contacts.point_depth),
      view("feature", contacts.feature)};
  if (!contacts.world_offset.empty()) arrays.push_back(view("world_offset", contacts.world_offset));
  std::vector<std::int32_t> body_rows;
  if (bodies != nullptr) {
    body_rows = interleaved(*bodies);
    arrays.push_back({"body", Type::int32, {count, 2}, body_rows.data()});
  }
  write_npz(arrays, file);
}

template <int D, class T>
void write_contacts_csv(const ContactBuffer<D, T>& contacts, OutputFile& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  fmt::format_to(end, "a,b,nx,ny{},px,py{},point_depth,feature\n", D == 3 ? ",nz" : "",
                 D == 3 ? ",pz" : "");
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (std::int64_t p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      const auto point = static_cast<std::size_t>(p);
      fmt::format_to(end, FMT_COMPILE("{},{}"), contacts.pair[i].a, contacts.pair[i].b);
      for (int w = 0; w < D; ++w) fmt::format_to(end, FMT_COMPILE(",{}"), contacts.normal(i, w));
      for (int w = 0; w < D; ++w) fmt::format_to(end, FMT_COMPILE(",{}"), contacts.point(point, w));
      fmt::format_to(end, FMT_COMPILE(",{},{}\n"), contacts.point_depth[point],
                     contacts.feature[point]);
    }
    if (text.size() < kPiece) continue;
    file.write({text.data(), text.size()});
    text.clear();
  }
  file.write({text.data(), text.size()});
}

template void write_contacts_npz(const ContactBuffer<2, float>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_npz(const ContactBuffer<3, float>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_npz(const ContactBuffer<2, double>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_npz(const ContactBuffer<3, double>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_npz(const ContactBuffer<2, Mixed>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_npz(const ContactBuffer<3, Mixed>&, OutputFile&,
                                 const Column<std::int32_t, 2>*);
template void write_contacts_csv(const ContactBuffer<2, float>&, OutputFile&);
template void write_contacts_csv(const ContactBuffer<3, float>&, OutputFile&);
template void write_contacts_csv(const ContactBuffer<2, double>&, OutputFile&);
template void write_contacts_csv(const ContactBuffer<3, double>&, OutputFile&);
template void write_contacts_csv(const ContactBuffer<2, Mixed>&, OutputFile&);
template void write_contacts_csv(const ContactBuffer<3, Mixed>&, OutputFile&);

}  // namespace widephase::tools
