#pragma once

// Reads and checks attributes of XML elements.

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

/// Where an element stood before it was copied into another document. A copy has this as its user
/// data, so that messages name file and line.
struct XmlOrigin {
  const std::string* path = nullptr;
  int line = 0;
};
/// An error about an element of the file `path`, or of the file that it was copied from.
FileError error_at(const std::string& path, const tinyxml2::XMLElement& element,
                   const std::string& message);

/// Parses a text; throws a `FileError` if it is not XML or its root has another name (null: any).
std::unique_ptr<tinyxml2::XMLDocument> parse_xml(const std::string& path, const std::string& text,
                                                 const char* root_name);

/// The value of an attribute; empty if the element does not have it.
std::string_view attribute(const tinyxml2::XMLElement& element, const char* name);
/// The value of an attribute that the element must have.
std::string required_attribute(const std::string& path, const tinyxml2::XMLElement& element,
                               const char* name);

/// Splits the text of an attribute at blanks and line ends; reuses `words`.
void split_white(std::string_view text, std::vector<std::string_view>& words);

/// From `least` to `most` finite numbers of an attribute; none if the element does not have it.
std::vector<double> attribute_numbers(const std::string& path, const tinyxml2::XMLElement& element,
                                      const char* name, std::size_t least, std::size_t most);
double attribute_number(const std::string& path, const tinyxml2::XMLElement& element,
                        const char* name, double default_value);
Vector3 attribute_vector(const std::string& path, const tinyxml2::XMLElement& element,
                         const char* name, const Vector3& default_value);

/// "<geom name="head">", for messages.
std::string element_text(const tinyxml2::XMLElement& element);

}  // namespace widephase::tools
