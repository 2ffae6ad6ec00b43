#include "tools/formats/rays_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <widephase/answers.hpp>

#include "soa/instantiate.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/npz.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

/// The columns of rays. Those from `excluded` on have rows of their own, two numbers each.
constexpr std::array<std::string_view, 11> kColumns{
    "origin", "direction", "max_t",    "world",           "category",       "mask",
    "owner",  "body",      "excluded", "excluded_owners", "excluded_bodies"};

bool has_own_rows(std::string_view name) { return name.starts_with("excluded"); }

std::string columns_text() {
  std::string text;
  for (const std::string_view name : kColumns) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

/// The column and component of a word of a CSV's header; component -1 for an unknown word.
struct CsvPlace {
  std::string_view column;
  int component = -1;
};
CsvPlace place_of_word(std::string_view word) {
  if (word == "max_t" || word == "world") return {word, 0};
  const auto axis = word.size() == 2 ? std::string_view("xyz").find(word[1]) : word.npos;
  if (axis == word.npos || (word[0] != 'o' && word[0] != 'd')) return {{}, -1};
  return {word[0] == 'o' ? "origin" : "direction", static_cast<int>(axis)};
}

std::vector<NamedArray> read_rays_csv(const std::string& path, int dimension) {
  const std::string header =
      dimension == 2 ? "ox,oy,dx,dy[,max_t][,world]" : "ox,oy,oz,dx,dy,dz[,max_t][,world]";
  const std::string text = read_text(path);
  Lines lines(text);
  std::string_view line;
  do {
    if (!lines.next(line)) {
      throw FileError(path, fmt::format("is empty; expected the header {}", header));
    }
  } while (trim(line).empty());
  std::vector<std::string_view> words;
  split_commas(line, words);
  const std::string header_line(line);
  std::vector<std::string> names;
  std::vector<CsvPlace> places;
  for (const std::string_view word : words) names.push_back(lower_case(word));
  for (const std::string& name : names) places.push_back(place_of_word(name));
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto components = [&](std::string_view column) {
    return std::count_if(places.begin(), places.end(),
                         [&](const CsvPlace& place) { return place.column == column; });
  };
  const bool is_right = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
                        components("origin") == dimension && components("direction") == dimension &&
                        std::all_of(places.begin(), places.end(), [&](const CsvPlace& place) {
                          return place.component >= 0 && place.component < dimension;
                        });
  if (!is_right) {
    throw FileError(path, lines.number(),
                    fmt::format("is {}; expected the header {} of rays in {}D",
                                in_quotes(header_line), header, dimension));
  }
  std::vector<std::vector<double>> columns(words.size());
  while (lines.next(line)) {
    if (trim(line).empty()) continue;
    split_commas(line, words);
    if (words.size() != columns.size()) {
      throw FileError(
          path, lines.number(),
          fmt::format("has {} values; the header names {}", words.size(), columns.size()));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      double value = 0;
      if (!parse_number(words[i], value)) {
        throw FileError(path, lines.number(),
                        fmt::format("has {} where a number is expected", in_quotes(words[i])));
      }
      columns[i].push_back(value);
    }
  }
  const std::size_t rows = columns[0].size();
  std::vector<NamedArray> arrays;
  for (const std::string_view name : {"origin", "direction", "max_t", "world"}) {
    const auto width = static_cast<std::size_t>(components(name));
    if (width == 0) continue;
    std::vector<double> values(rows * width);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].column != name) continue;
      for (std::size_t row = 0; row < rows; ++row) {
        values[row * width + static_cast<std::size_t>(places[i].component)] = columns[i][row];
      }
    }
    arrays.push_back(
        {std::string(name), width == 1 ? Array::of(values) : Array::of(values, {rows, width})});
  }
  return arrays;
}

std::size_t width_of(std::string_view name, int dimension) {
  if (name == "origin" || name == "direction") return static_cast<std::size_t>(dimension);
  return has_own_rows(name) ? 2 : 1;
}

}  // namespace

RaysFile::RaysFile(const std::string& path, int dimension) : path_(path) {
  const bool is_archive = read_start(path, 2) == "PK";
  arrays_ = is_archive ? read_npz(path) : read_rays_csv(path, dimension);
  for (NamedArray& entry : arrays_) {
    if (std::find(kColumns.begin(), kColumns.end(), entry.name) == kColumns.end()) {
      throw FileError(path,
                      fmt::format("has an array {}; rays have {}", entry.name, columns_text()));
    }
    Array& array = entry.array;
    const std::size_t width = width_of(entry.name, dimension);
    // A single row may be written as one axis.
    if (width > 1 && array.shape().size() == 1 && array.count() == width) {
      array.reshape({1, width});
    }
    if (width == 1 && array.shape().empty()) array.reshape({1});
    const bool is_right = width == 1 ? array.shape().size() == 1
                                     : array.shape().size() == 2 && array.shape()[1] == width;
    if (is_right) continue;
    throw FileError(path, fmt::format("{} has the shape {}; expected (n,{}) for rays in {}D",
                                      entry.name, shape_text(array.shape()),
                                      width == 1 ? "" : fmt::format(" {}", width), dimension));
  }
  for (const std::string_view name : {"origin", "direction"}) {
    if (find(name) == nullptr) throw FileError(path, fmt::format("{} is missing", name));
  }
}

const NamedArray* RaysFile::find(std::string_view name) const {
  const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                  [&](const NamedArray& entry) { return entry.name == name; });
  return found == arrays_.end() ? nullptr : &*found;
}

template <class N, int W>
ColumnSpan<N, W> RaysFile::column(std::string_view name, std::size_t rows) {
  const NamedArray* const entry = find(name);
  if (entry == nullptr) return {};
  const Array& array =
      cast_.emplace_back(cast(entry->array.copied(), type_of<N>(), path_, entry->name));
  const N* const first = array.values<N>().data();
  if (array.rows() == 1 && rows != 1 && !has_own_rows(name)) {
    return ColumnSpan<N, W>::repeated(first, rows);
  }
  return ColumnSpan<N, W>::interleaved(first, array.rows());
}

template <int D, class T>
RaySpan<D, T> RaysFile::rays() {
  const std::size_t origins = find("origin")->array.rows();
  const std::size_t rows = origins == 1 ? find("direction")->array.rows() : origins;
  RaySpan<D, T> rays;
  rays.origin = column<PositionOf<T>, D>("origin", rows);
  rays.direction = column<SizeOf<T>, D>("direction", rows);
  rays.max_t = column<SizeOf<T>, 1>("max_t", rows);
  FilterSpan& filters = rays.filters;
  filters.world = column<std::int32_t, 1>("world", rows);
  filters.category = column<std::uint32_t, 1>("category", rows);
  filters.mask = column<std::uint32_t, 1>("mask", rows);
  filters.owner = column<std::int32_t, 1>("owner", rows);
  filters.body = column<std::int32_t, 1>("body", rows);
  filters.excluded = column<std::int32_t, 2>("excluded", rows);
  filters.excluded_owners = column<std::int32_t, 2>("excluded_owners", rows);
  filters.excluded_bodies = column<std::int32_t, 2>("excluded_bodies", rows);
  return rays;
}

template <int D, class T>
void write_hits_npz(const RayHits<D, T>& hits, OutputFile& file) {
  std::vector<ArrayView> views;
  std::deque<Array> rows;
  for_each_answer(
      [&]<class N, int W>(const AnswerField& field, const Column<N, W>& column) {
        if (field.is_optional && column.empty()) return;
        constexpr auto kWidth = static_cast<std::size_t>(W);
        std::vector<std::size_t> shape{column.size()};
        if (W > 1) shape.push_back(kWidth);
        Array& array = rows.emplace_back(type_of<N>(), shape);
        for (std::size_t i = 0; i < column.size(); ++i) {
          for (std::size_t w = 0; w < kWidth; ++w) {
            array.values<N>()[i * kWidth + w] = column(i, static_cast<int>(w));
          }
        }
        views.push_back({std::string(field.name), type_of<N>(), shape, array.bytes().data()});
      },
      hits);
  write_npz(views, file);
}

template <int D, class T>
void write_hits_csv(const RayHits<D, T>& hits, OutputFile& file) {
  fmt::memory_buffer text;
  const auto end = fmt::appender(text);
  const auto axes = [&](char name) {
    for (int axis = 0; axis < D; ++axis) fmt::format_to(end, ",{}{}", name, "xyz"[axis]);
  };
  fmt::format_to(end, "shape,t");
  axes('n');
  axes('p');
  const bool has_parts = !hits.part.empty();
  fmt::format_to(end, ",feature,status{}\n", has_parts ? ",part" : "");
  for (std::size_t i = 0; i < hits.size(); ++i) {
    fmt::format_to(end, FMT_COMPILE("{},{}"), hits.shape[i], hits.t[i]);
    for (int axis = 0; axis < D; ++axis) {
      fmt::format_to(end, FMT_COMPILE(",{}"), hits.normal(i, axis));
    }
    for (int axis = 0; axis < D; ++axis) {
      fmt::format_to(end, FMT_COMPILE(",{}"), hits.point(i, axis));
    }
    fmt::format_to(end, FMT_COMPILE(",{},{}"), hits.feature[i], hits.status[i]);
    if (has_parts) fmt::format_to(end, FMT_COMPILE(",{}"), hits.part[i]);
    text.push_back('\n');
  }
  file.write({text.data(), text.size()});
}

void write_any_npz(const std::vector<std::uint8_t>& hits, OutputFile& file) {
  write_npz({{"hit", Type::uint8, {hits.size()}, hits.data()}}, file);
}

void write_any_csv(const std::vector<std::uint8_t>& hits, OutputFile& file) {
  std::string text = "hit\n";
  for (const std::uint8_t hit : hits) text += hit != 0 ? "1\n" : "0\n";
  file.write(text);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                \
  template RaySpan<D, T> RaysFile::rays<D, T>();                   \
  template void write_hits_npz(const RayHits<D, T>&, OutputFile&); \
  template void write_hits_csv(const RayHits<D, T>&, OutputFile&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase::tools
