#include "tools/formats/xml_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

using tinyxml2::XMLElement;

FileError error_at(const std::string& path, const XMLElement& element, const std::string& message) {
  if (const auto* origin = static_cast<const XmlOrigin*>(element.GetUserData())) {
    return {*origin->path, origin->line, message};
  }
  return {path, element.GetLineNum(), message};
}

std::unique_ptr<tinyxml2::XMLDocument> parse_xml(const std::string& path, const std::string& text,
                                                 const char* root_name) {
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  const tinyxml2::XMLError error = document->Parse(text.data(), text.size());
  if (error == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) throw FileError(path, "is empty");
  if (error != tinyxml2::XML_SUCCESS) {
    throw FileError(path, document->ErrorLineNum(),
                    fmt::format("is not XML ({})", document->ErrorName()));
  }
  if (root_name != nullptr && document->FirstChildElement(root_name) == nullptr) {
    throw FileError(path, fmt::format("has no <{}>", root_name));
  }
  return document;
}

std::string_view attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

std::string required_attribute(const std::string& path, const XMLElement& element,
                               const char* name) {
  const std::string_view value = attribute(element, name);
  if (value.empty()) {
    throw error_at(path, element, fmt::format("has {} without {}", element_text(element), name));
  }
  return std::string(value);
}

void split_white(std::string_view text, std::vector<std::string_view>& words) {
  constexpr std::string_view kBlanks = " \t\r\n";
  words.clear();
  for (std::size_t begin = text.find_first_not_of(kBlanks); begin != text.npos;
       begin = text.find_first_not_of(kBlanks)) {
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(kBlanks)));
    text.remove_prefix(words.back().size());
  }
}

std::vector<double> attribute_numbers(const std::string& path, const XMLElement& element,
                                      const char* name, std::size_t least, std::size_t most) {
  std::vector<double> numbers;
  const char* text = element.Attribute(name);
  if (text == nullptr) return numbers;
  std::vector<std::string_view> words;
  split_white(text, words);
  bool are_numbers = true;
  for (const std::string_view word : words) {
    double value = 0;
    are_numbers &= parse_number(word, value) && std::isfinite(value);
    numbers.push_back(value);
  }
  if (are_numbers && numbers.size() >= least && numbers.size() <= most) return numbers;
  const std::string count =
      least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  throw error_at(path, element,
                 fmt::format("has {} {} in {}; expected {} finite {}", name, in_quotes(text),
                             element_text(element), count, most == 1 ? "number" : "numbers"));
}

double attribute_number(const std::string& path, const XMLElement& element, const char* name,
                        double default_value) {
  const std::vector<double> numbers = attribute_numbers(path, element, name, 1, 1);
  return numbers.empty() ? default_value : numbers[0];
}

Vector3 attribute_vector(const std::string& path, const XMLElement& element, const char* name,
                         const Vector3& default_value) {
  const std::vector<double> numbers = attribute_numbers(path, element, name, 3, 3);
  return numbers.empty() ? default_value : Vector3{numbers[0], numbers[1], numbers[2]};
}

std::string element_text(const XMLElement& element) {
  const std::string_view name = attribute(element, "name");
  return name.empty() ? fmt::format("<{}>", element.Name())
                      : fmt::format("<{} name=\"{}\">", element.Name(), name);
}

}  // namespace widephase::tools
