#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace widephase::lab {

/// A JSON text, written from its beginning to its end. Numbers read back as the same bits.
class Json {
 public:
  template <class Write>
  void object(const Write& write) {
    enclose('{', '}', write);
  }
  template <class Write>
  void array(const Write& write) {
    enclose('[', ']', write);
  }
  Json& key(const char* name) {
    string(name);
    text_ += ':';
    is_first_ = true;
    return *this;
  }
  void number(double value) {
    std::array<char, 32> digits;
    std::snprintf(digits.data(), digits.size(), "%.17g", value);
    raw(std::isfinite(value) ? digits.data() : "null");
  }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  void string(const std::string& value) {
    std::string quoted = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
    }
    raw(quoted + '"');
  }
  /// Any range of numbers.
  template <class Numbers>
  void numbers(const Numbers& values) {
    array([&] {
      for (const auto value : values) number(static_cast<double>(value));
    });
  }
  const std::string& text() const { return text_; }

 private:
  template <class Write>
  void enclose(char open, char close, const Write& write) {
    raw(std::string(1, open));
    is_first_ = true;
    write();
    text_ += close;
    is_first_ = false;
  }
  void raw(const std::string& value) {
    if (!is_first_) text_ += ',';
    text_ += value;
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace widephase::lab
