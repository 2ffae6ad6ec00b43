#include "tools/formats/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

std::size_t size_of(Type type) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
      return 1;
    case Type::int16:
    case Type::uint16:
      return 2;
    case Type::int32:
    case Type::uint32:
    case Type::float32:
    case Type::text:
      return 4;
    default:
      return 8;
  }
}

Array::Array(Type type, std::vector<std::size_t> shape) : type_(type), shape_(std::move(shape)) {
  count_ = 1;
  for (const std::size_t length : shape_) count_ *= length;
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(count_ * size_of(type));
}

Array Array::of_texts(const std::vector<std::string>& texts, std::vector<std::size_t> shape) {
  auto distinct = std::make_shared<std::vector<std::string>>();
  std::unordered_map<std::string_view, std::int32_t> known;
  std::vector<std::int32_t> indices;
  indices.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto [place, is_new] = known.emplace(text, static_cast<std::int32_t>(distinct->size()));
    if (is_new) distinct->push_back(text);
    indices.push_back(place->second);
  }
  return of_texts(indices, std::move(distinct), std::move(shape));
}

Array Array::of_texts(const std::vector<std::int32_t>& indices,
                      std::shared_ptr<const std::vector<std::string>> distinct,
                      std::vector<std::size_t> shape) {
  Array array(Type::text, std::move(shape));
  std::copy(indices.begin(), indices.end(), array.values<std::int32_t>().begin());
  array.distinct_ = std::move(distinct);
  return array;
}

Array Array::repeated(std::size_t rows) const {
  Array array(type_, {rows});
  const std::size_t size = size_of(type_);
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(array.bytes().data() + i * size, bytes().data(), size);
  }
  array.distinct_ = distinct_;
  return array;
}

Array Array::copied() const {
  Array array(type_, shape_);
  std::ranges::copy(bytes(), array.bytes().begin());
  array.distinct_ = distinct_;
  return array;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + ")";
}

namespace {

/// Why `value` does not fit into a `To`; empty if it does.
template <class To, class From>
std::string misfit(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    if constexpr (sizeof(From) > sizeof(To) && std::is_floating_point_v<From>) {
      const bool is_beyond = std::isfinite(value) && !std::isfinite(static_cast<To>(value));
      if (is_beyond) {
        return fmt::format("is {}, which is beyond float; use {}", value,
                           option("precision", "double"));
      }
    }
    return {};
  } else {
    using Limits = std::numeric_limits<To>;
    const auto range = [&] {
      return fmt::format("is {}; expected an integer from {} to {}", value, +Limits::min(),
                         +Limits::max());
    };
    if constexpr (std::is_floating_point_v<From>) {
      // 2^bits is exact in every floating type; the largest integer may not be.
      const From end = std::ldexp(From{1}, Limits::digits);
      const bool is_integer = std::trunc(value) == value;
      const bool is_within = value < end && value >= static_cast<From>(Limits::min());
      return is_integer && is_within ? std::string{} : range();
    } else {
      return std::in_range<To>(value) ? std::string{} : range();
    }
  }
}

template <class To>
Array cast_to(const Array& source, const std::string& path, std::string_view name) {
  Array result(type_of<To>(), source.shape());
  const std::span<To> values = result.values<To>();
  visit_values(source, [&](auto numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (const std::string reason = misfit<To>(numbers[i]); !reason.empty()) {
        const std::size_t width = source.rows() == 0 ? 1 : source.count() / source.rows();
        if (source.shape().empty()) throw FileError(path, fmt::format("{} {}", name, reason));
        throw FileError(path, fmt::format("{}[{}] {}", name, i / width, reason));
      }
      values[i] = static_cast<To>(numbers[i]);
    }
  });
  return result;
}

}  // namespace

Array cast(Array array, Type type, const std::string& path, std::string_view name) {
  if (array.type() == type) return array;
  if (array.type() == Type::text) {
    throw FileError(path, fmt::format("{} holds texts; expected numbers", name));
  }
  if (type == Type::text) {
    throw FileError(path, fmt::format("{} holds numbers; expected texts", name));
  }
  switch (type) {
    case Type::int32:
      return cast_to<std::int32_t>(array, path, name);
    case Type::int64:
      return cast_to<std::int64_t>(array, path, name);
    case Type::uint8:
      return cast_to<std::uint8_t>(array, path, name);
    case Type::uint32:
      return cast_to<std::uint32_t>(array, path, name);
    case Type::float32:
      return cast_to<float>(array, path, name);
    case Type::float64:
      return cast_to<double>(array, path, name);
    default:
      throw std::logic_error("no column of a scene has this type");
  }
}

}  // namespace widephase::tools
