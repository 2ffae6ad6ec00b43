#include "tools/formats/contact_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "soa/kind_traits.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

template <class T>
T value_or(const ColumnSpan<T>& column, std::size_t row, T otherwise) {
  return column.empty() ? otherwise : column(row);
}

template <class T>
ColumnSpan<T> borrowed(const SceneFile& file, const std::string& name) {
  const Array* array = file.find(name);
  return array == nullptr ? ColumnSpan<T>() : ColumnSpan<T>(array->values<T>());
}

/// Numbers the distinct texts in the order in which they are met; 0 is the empty one.
class TextIndices {
 public:
  void add(std::string_view text) {
    const auto next = static_cast<std::int32_t>(distinct_->size());
    const auto [known, is_new] = known_.emplace(text, next);
    if (is_new) distinct_->emplace_back(text);
    indices_.push_back(known->second);
  }
  Array array(std::vector<std::size_t> shape) const {
    return Array::of_texts(indices_, distinct_, std::move(shape));
  }

 private:
  std::shared_ptr<std::vector<std::string>> distinct_ =
      std::make_shared<std::vector<std::string>>(1);
  std::unordered_map<std::string_view, std::int32_t> known_{
      {"", 0}};  ///< the scenes hold the texts
  std::vector<std::int32_t> indices_;
};

/// The rows of a scene and of the one that it has kept both count from 0.
std::string unnamed_word(Kind kind, std::int32_t row, bool is_kept, int dimension) {
  return fmt::format("{}{} {}", is_kept ? "kept " : "", kind_name(kind, dimension), row);
}

}  // namespace

std::size_t SceneRows::shape_count() const {
  std::size_t count = 0;
  for (const KindRows& rows : kinds) count += rows.count;
  return count;
}

SceneRows rows_of(const SceneFile& file) {
  SceneRows rows;
  rows.dimension = file.dimension();
  rows.frames = file.frames();
  if (const Array* position = file.find("bodies.position")) {
    rows.body_count = static_cast<std::int32_t>(position->rows());
  }
  for (int k = 0; k < kKindCount; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (!is_in(kind, file.dimension())) continue;
    const std::string word(kind_name(kind, file.dimension()));
    rows.kinds[static_cast<std::size_t>(k)] = {
        file.count(kind), borrowed<std::int32_t>(file, word + ".world"),
        borrowed<std::int64_t>(file, word + ".key"), borrowed<std::int32_t>(file, word + ".body"),
        file.find(word + ".name")};
  }
  return rows;
}

ShapeRow ShapesById::operator[](std::int32_t id) const {
  const auto moving_count = static_cast<std::int32_t>(moving.shape_count());
  const bool is_kept = id >= moving_count;
  if (id < 0 || (is_kept && !kept)) throw std::out_of_range("an id that the scene does not have");
  const SceneRows& scene = is_kept ? *kept : moving;
  const std::int32_t own = is_kept ? id - moving_count : id;
  auto row = static_cast<std::size_t>(own);
  for (int k = 0; k < kKindCount; ++k) {
    const KindRows& rows = scene.kinds[static_cast<std::size_t>(k)];
    if (row >= rows.count) {
      row -= rows.count;
      continue;
    }
    ShapeRow shape;
    shape.is_kept = is_kept;
    shape.kind = static_cast<Kind>(k);
    shape.row = static_cast<std::int32_t>(row);
    shape.world = value_or(rows.world, row, std::int32_t{0});
    shape.key = value_or(rows.key, row, std::int64_t{own});
    shape.body = value_or(rows.body, row, std::int32_t{-1});
    if (is_kept && shape.body >= 0) shape.body += moving.body_count;
    if (rows.name != nullptr && row < rows.name->count()) shape.name = rows.name->text(row);
    return shape;
  }
  throw std::out_of_range("an id that the scene does not have");
}

std::size_t ShapesById::shape_count() const {
  return moving.shape_count() + (kept ? kept->shape_count() : 0);
}

std::string ShapesById::word(std::int32_t id) const {
  const ShapeRow shape = (*this)[id];
  if (!shape.name.empty()) return std::string(shape.name);
  const std::string word = unnamed_word(shape.kind, shape.row, shape.is_kept, moving.dimension);
  const auto& kinds = (shape.is_kept ? *kept : moving).kinds;
  const bool has_key = !kinds[static_cast<std::size_t>(shape.kind)].key.empty();
  return has_key ? word + fmt::format(" (key {})", shape.key) : word;
}

std::string word_of(const ContactSides& sides, std::size_t contact, int side, int dimension) {
  const std::size_t at = 2 * contact + static_cast<std::size_t>(side);
  if (sides.has_name && !sides.name.text(at).empty()) return sides.name.text(at);
  return unnamed_word(static_cast<Kind>(sides.kind(contact, side)), sides.row(contact, side),
                      sides.has_kept && sides.kept(contact, side) != 0, dimension);
}

bool ShapesById::has_names() const {
  const auto has = [](const SceneRows& scene) {
    return std::ranges::any_of(scene.kinds,
                               [](const KindRows& rows) { return rows.name != nullptr; });
  };
  return has(moving) || (kept && has(*kept));
}

bool ShapesById::has_keys() const {
  const auto has = [](const SceneRows& scene) {
    return std::ranges::any_of(scene.kinds, [](const KindRows& rows) { return !rows.key.empty(); });
  };
  return has(moving) || (kept && has(*kept));
}

std::string world_text(std::int32_t world, std::optional<std::int64_t> frame) {
  return frame ? fmt::format("frame {} (world {})", *frame, world) : fmt::format("world {}", world);
}

std::string said_of(const Error& error, const SceneFile& scene) {
  const std::string text = said(error);
  if (!error.finding() || error.finding()->row < 0) return text;
  const std::string& array = error.finding()->array;
  const Array* names = scene.find(array.substr(0, array.find('.')) + ".name");
  const auto row = static_cast<std::size_t>(error.finding()->row);
  if (names == nullptr || row >= names->count() || names->text(row).empty()) return text;
  return text + fmt::format(" (it is {})", printable(names->text(row)));
}

ContactSides sides_of(const Column<Pair>& pairs, const ShapesById& shapes) {
  ContactSides sides;
  const std::size_t count = pairs.size();
  sides.world.resize_uninitialized(count);
  sides.kind.resize_uninitialized(count);
  sides.row.resize_uninitialized(count);
  sides.key.resize_uninitialized(count);
  sides.body.resize_uninitialized(count);
  sides.has_kept = shapes.kept.has_value();
  sides.has_frame = !shapes.moving.frames.empty();
  sides.has_name = shapes.has_names();
  if (sides.has_kept) sides.kept.resize_uninitialized(count);
  TextIndices names;
  for (std::size_t i = 0; i < count; ++i) {
    const ShapeRow both[2] = {shapes[pairs[i].a], shapes[pairs[i].b]};
    sides.world[i] = std::max(both[0].world, both[1].world);
    for (int side = 0; side < 2; ++side) {
      const ShapeRow& shape = both[side];
      sides.kind(i, side) = static_cast<std::uint8_t>(shape.kind);
      sides.row(i, side) = shape.row;
      sides.key(i, side) = shape.key;
      sides.body(i, side) = shape.body;
      if (sides.has_kept) sides.kept(i, side) = shape.is_kept ? 1 : 0;
      if (sides.has_name) names.add(shape.name);
    }
  }
  if (sides.has_name) sides.name = names.array({count, 2});
  if (!sides.has_frame) return sides;
  sides.frame.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto world = static_cast<std::size_t>(sides.world[i]);  // -1 becomes huge
    sides.frame[i] = world < shapes.moving.frames.size() ? shapes.moving.frames[world] : -1;
  }
  return sides;
}

}  // namespace widephase::tools
