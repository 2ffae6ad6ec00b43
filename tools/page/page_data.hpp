#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace widephase::tools {

/// Arrays in one block of little-endian bytes, found by name.
class PageData {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    static_assert(sizeof(T) % 4 == 0 && std::endian::native == std::endian::little);
    const char* const type = std::is_same_v<T, float>          ? "f"
                             : std::is_same_v<T, std::int32_t> ? "i"
                             : std::is_same_v<T, std::int64_t> ? "l"
                                                               : "u";
    // Browsers read an array only from a multiple of its numbers' size.
    const std::size_t begin = (bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    about_[name] = {{"type", type}, {"begin", begin}, {"count", values.size()}};
    bytes_.resize(begin + sizeof(T) * values.size());
    if (!values.empty()) {
      std::memcpy(bytes_.data() + begin, values.data(), sizeof(T) * values.size());
    }
  }
  const nlohmann::ordered_json& about() const { return about_; }
  std::string base64() const;

 private:
  nlohmann::ordered_json about_ = nlohmann::ordered_json::object();
  std::string bytes_;
};

inline std::string PageData::base64() const {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes_.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes_.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes_.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes_[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace widephase::tools
