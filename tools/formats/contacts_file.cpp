#include "tools/formats/contacts_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <type_traits>

#include <widephase/answers.hpp>

#include "soa/instantiate.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/npz.hpp"
#include "tools/formats/wide_texts.hpp"

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
  void add(std::string_view name, const Array& texts) {
    const WideTexts& wide = texts_.emplace_back(wide_texts(texts));
    views_.push_back(
        {std::string(name), Type::text, texts.shape(), wide.characters.data(), wide.width});
  }
  const std::vector<ArrayView>& views() const { return views_; }

 private:
  std::vector<ArrayView> views_;
  std::vector<std::shared_ptr<const void>> rows_;
  std::deque<WideTexts> texts_;
};

/// What the numbers of `kind` mean.
Array kind_words(int dimension) {
  std::vector<std::string> words;
  for (int k = 0; k < kKindCount; ++k) {
    words.emplace_back(kind_name(static_cast<Kind>(k), dimension));
  }
  return Array::of_texts(words, {words.size()});
}

/// In quotes if it holds what ends a value or a line (RFC 4180).
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_sides_header(const ContactSides& sides) {
  return fmt::format(",world,kind_a,kind_b,row_a,row_b,key_a,key_b,body_a,body_b{}{}{}",
                     sides.has_kept ? ",kept_a,kept_b" : "", sides.has_frame ? ",frame" : "",
                     sides.has_name ? ",name_a,name_b" : "");
}

std::string csv_sides(const ContactSides& sides, std::size_t contact, int dimension) {
  const auto kind = [&](int side) {
    return kind_name(static_cast<Kind>(sides.kind(contact, side)), dimension);
  };
  std::string text =
      fmt::format(FMT_COMPILE(",{},{},{},{},{},{},{},{},{}"), sides.world[contact], kind(0),
                  kind(1), sides.row(contact, 0), sides.row(contact, 1), sides.key(contact, 0),
                  sides.key(contact, 1), sides.body(contact, 0), sides.body(contact, 1));
  if (sides.has_kept) {
    text += fmt::format(FMT_COMPILE(",{},{}"), sides.kept(contact, 0), sides.kept(contact, 1));
  }
  if (sides.has_frame) text += fmt::format(FMT_COMPILE(",{}"), sides.frame[contact]);
  if (sides.has_name) {
    text += ',' + csv_text(sides.name.text(2 * contact)) + ',' +
            csv_text(sides.name.text(2 * contact + 1));
  }
  return text;
}

template <int D, class T>
void write_contacts_npz(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const ContactSides* sides, const ContactEvents* events) {
  // With no contacts the buffer may have no offsets; the file always has their first, 0.
  Column<std::int64_t> zero;
  zero.push_back({0});
  Arrays arrays;
  for_each_answer(
      [&](const AnswerField& field, const auto& column) {
        if (field.is_optional && column.empty()) return;
        if constexpr (std::is_same_v<decltype(column), const Column<std::int64_t>&>) {
          if (field.name == "offset" && column.empty()) return arrays.add(field.name, zero);
        }
        arrays.add(field.name, column);
      },
      contacts);
  if (sides != nullptr) {
    for_each_side_column(
        *sides, [&](std::string_view name, const auto& column) { arrays.add(name, column); });
    arrays.add("kinds", kind_words(D));
    if (sides->has_kept) arrays.add("kept", sides->kept);
    if (sides->has_frame) arrays.add("frame", sides->frame);
    if (sides->has_name) arrays.add("name", sides->name);
  }
  if (events != nullptr) {
    arrays.add("last_contact", events->last_contact);
    arrays.add("last_point", events->last_point);
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          arrays.add("ended." + std::string(field.name), column);
        },
        events->ended);
  }
  write_npz(arrays.views(), file);
}

template <int D, class T>
void write_contacts_csv(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const ContactSides* sides) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  const bool has_parts = !contacts.part.empty();
  fmt::format_to(end, "a,b,nx,ny{},px,py{},point_depth,feature{}", D == 3 ? ",nz" : "",
                 D == 3 ? ",pz" : "", has_parts ? ",part_a,part_b" : "");
  if (sides != nullptr) fmt::format_to(end, "{}", csv_sides_header(*sides));
  text.push_back('\n');
  std::string tail;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (sides != nullptr) tail = csv_sides(*sides, i, D);
    for (std::int64_t p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      const auto point = static_cast<std::size_t>(p);
      fmt::format_to(end, FMT_COMPILE("{},{}"), contacts.pair[i].a, contacts.pair[i].b);
      for (int w = 0; w < D; ++w) fmt::format_to(end, FMT_COMPILE(",{}"), contacts.normal(i, w));
      for (int w = 0; w < D; ++w) fmt::format_to(end, FMT_COMPILE(",{}"), contacts.point(point, w));
      fmt::format_to(end, FMT_COMPILE(",{},{}"), contacts.point_depth[point],
                     contacts.feature[point]);
      if (has_parts) {
        fmt::format_to(end, FMT_COMPILE(",{},{}"), contacts.part(point, 0),
                       contacts.part(point, 1));
      }
      fmt::format_to(end, FMT_COMPILE("{}\n"), tail);
    }
    if (text.size() < kPiece) continue;
    file.write({text.data(), text.size()});
    text.clear();
  }
  file.write({text.data(), text.size()});
}

namespace {

constexpr const char* kExpectedContacts = "expected contacts as `widephase collide -o` writes them";

template <class T, int W>
void fill(const Array& array, Column<T, W>& column) {
  column.resize_uninitialized(array.rows());
  const auto numbers = array.values<T>();
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (int w = 0; w < W; ++w) column(i, w) = numbers[i * W + static_cast<std::size_t>(w)];
  }
}

void fill(const Array& array, Column<Pair>& pairs) {
  pairs.resize_uninitialized(array.rows());
  const auto ids = array.values<std::int32_t>();
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs(i) = {ids[2 * i], ids[2 * i + 1]};
}

template <class T, int W>
constexpr Type column_type(const Column<T, W>&) {
  if constexpr (std::is_same_v<T, Pair>) {
    return Type::int32;
  } else {
    return type_of<T>();
  }
}

template <class T, int W>
constexpr std::size_t column_width(const Column<T, W>&) {
  return std::is_same_v<T, Pair> ? 2 : W;
}

}  // namespace

const Array* ContactArrays::find(std::string_view name) const {
  const auto found = std::ranges::find(arrays_, name, &NamedArray::name);
  return found == arrays_.end() ? nullptr : &found->array;
}

const Array& ContactArrays::required(std::string_view name) const {
  if (const Array* array = find(name)) return *array;
  throw FileError(path_, fmt::format("{} is missing; {}", name, kExpectedContacts));
}

void ContactArrays::check(std::string_view name, Type type, std::size_t rows,
                          std::size_t width) const {
  const Array& array = required(name);
  std::vector<std::size_t> shape{rows};
  if (width > 1) shape.push_back(width);
  if (array.shape() != shape) {
    throw FileError(path_, fmt::format("{} has the shape {}; expected {}", name,
                                       shape_text(array.shape()), shape_text(shape)));
  }
  if (array.type() == type) return;
  throw FileError(path_, fmt::format("{} has another type of number; {}", name, kExpectedContacts));
}

void ContactArrays::check_offsets(std::string_view name, std::size_t end) const {
  const auto offsets = required(name).values<std::int64_t>();
  if (!offsets.empty() && offsets.front() >= 0 && std::ranges::is_sorted(offsets) &&
      static_cast<std::size_t>(offsets.back()) == end) {
    return;
  }
  throw FileError(path_,
                  fmt::format("{} is out of order; expected numbers that rise to {}", name, end));
}

ContactArrays::ContactArrays(const std::string& path) : path_(path), arrays_(read_npz(path)) {
  const Array& normal = required("normal");
  const Array& point = required("point");
  const std::size_t width = normal.shape().size() == 2 ? normal.shape()[1] : 0;
  if (width != 2 && width != 3) {
    throw FileError(path_, fmt::format("normal has the shape {}; expected (n, 2) or (n, 3)",
                                       shape_text(normal.shape())));
  }
  dimension_ = static_cast<int>(width);
  precision_ = normal.type() == Type::float64  ? Precision::twofold
               : point.type() == Type::float64 ? Precision::mixed
                                               : Precision::single;
  const std::size_t contacts = normal.rows();
  const std::size_t points = required("point_depth").rows();
  in_numbers(dimension_, precision_, [&]<int D, class T>() {
    for_each_answer(
        [&](const AnswerField& field, const auto& column) {
          if (field.is_optional && find(field.name) == nullptr) return;
          const std::size_t rows = field.rows == "c"       ? contacts
                                   : field.rows == "c + 1" ? contacts + 1
                                   : field.rows == "k"     ? points
                                                           : required(field.name).rows();
          check(field.name, column_type(column), rows, column_width(column));
        },
        ContactBuffer<D, T>());
  });
  const auto ids = required("pair").values<std::int32_t>();
  const auto bad = std::ranges::find_if(ids, [](std::int32_t id) { return id < 0; });
  if (bad != ids.end()) {
    throw FileError(path_, fmt::format("pair[{}] is {}; expected ids, 0 or more",
                                       (bad - ids.begin()) / 2, *bad));
  }
  check_offsets("offset", points);
  if (required("offset").values<std::int64_t>()[0] != 0) {
    throw FileError(path_, "offset[0] is not 0");
  }
  if (find("world_offset") != nullptr) check_offsets("world_offset", contacts);
  if (find("world") != nullptr) check_sides(contacts);
}

void ContactArrays::check_sides(std::size_t contacts) const {
  const ContactSides none;
  for_each_side_column(none, [&](std::string_view name, const auto& column) {
    check(name, column_type(column), contacts, column_width(column));
  });
  for (const std::uint8_t kind : required("kind").values<std::uint8_t>()) {
    if (kind < kKindCount) continue;
    throw FileError(path_, fmt::format("kind has {}; expected at most {}", kind, kKindCount - 1));
  }
  if (find("kept") != nullptr) check("kept", Type::uint8, contacts, 2);
  if (find("frame") != nullptr) check("frame", Type::int64, contacts, 1);
  if (find("name") != nullptr) check("name", Type::text, contacts, 2);
}

template <int D, class T>
bool ContactArrays::fill(ContactBuffer<D, T>& contacts, ContactSides& sides) const {
  const auto fill_known = [&](std::string_view name, const auto& column) {
    const Array* array = find(name);
    // The walk shows the columns of a buffer that is not const as const.
    using AnyColumn = std::remove_cvref_t<decltype(column)>;
    if (array != nullptr) tools::fill(*array, const_cast<AnyColumn&>(column));
  };
  for_each_answer(
      [&](const AnswerField& field, const auto& column) { fill_known(field.name, column); },
      contacts);
  if (find("world") == nullptr) return false;
  for_each_side_column(sides, fill_known);
  fill_known("kept", sides.kept);
  fill_known("frame", sides.frame);
  if (const Array* name = find("name")) sides.name = name->copied();
  sides.has_kept = find("kept") != nullptr;
  sides.has_frame = find("frame") != nullptr;
  sides.has_name = find("name") != nullptr;
  return true;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                               \
  template void write_contacts_npz(const ContactBuffer<D, T>&, OutputFile&, const ContactSides*, \
                                   const ContactEvents*);                                         \
  template void write_contacts_csv(const ContactBuffer<D, T>&, OutputFile&, const ContactSides*); \
  template bool ContactArrays::fill(ContactBuffer<D, T>&, ContactSides&) const;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
