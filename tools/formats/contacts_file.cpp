#include "tools/formats/contacts_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include <widephase/answers.hpp>

#include "tools/formats/npz.hpp"

namespace widephase::tools {

namespace {

/// The arrays of a file. Rows that are not a column's own memory are stored here too.
class Arrays {
 public:
  template <class T>
  void add(std::string_view name, const Column<T>& column) {
    views_.push_back({std::string(name), type_of<T>(), {column.size()}, column.plane()});
  }
  void add(std::string_view name, const Column<Pair>& pairs) {
    static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t));
    views_.push_back({std::string(name), Type::int32, {pairs.size(), 2}, pairs.plane()});
  }
  /// NumPy's (n, W) rows from one plane per component.
  template <class T, int W>
  void add(std::string_view name, const Column<T, W>& column) {
    auto rows = std::make_shared<std::vector<T>>(column.size() * W);
    for (int w = 0; w < W; ++w) {
      const T* plane = column.plane(w);
      for (std::size_t i = 0; i < column.size(); ++i)
        (*rows)[i * W + static_cast<std::size_t>(w)] = plane[i];
    }
    views_.push_back({std::string(name), type_of<T>(), {column.size(), W}, rows->data()});
    rows_.push_back(std::move(rows));
  }
  const std::vector<ArrayView>& views() const { return views_; }

 private:
  std::vector<ArrayView> views_;
  std::vector<std::shared_ptr<const void>> rows_;
};

}  // namespace

template <int D, class T>
void write_contacts_npz(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const Column<std::int32_t, 2>* bodies) {
  // With no contacts the buffer may have no offsets; the file always has their first, 0.
  Column<std::int64_t> zero;
  zero.push_back({0});
  Arrays arrays;
  for_each_answer(
      [&](const AnswerField& field, const auto& column) {
        if (field.name == "world_offset" && column.empty()) return;
        if constexpr (std::is_same_v<decltype(column), const Column<std::int64_t>&>) {
          if (field.name == "offset" && column.empty()) return arrays.add(field.name, zero);
        }
        arrays.add(field.name, column);
      },
      contacts);
  if (bodies != nullptr) arrays.add("body", *bodies);
  write_npz(arrays.views(), file);
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
