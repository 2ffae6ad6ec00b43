#pragma once

// Attributes of XML elements, checked.

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/robots/frame3.hpp"

namespace widephase::tools {

/// Parses the text of a file; `FileError` where it is not XML. The root must be of this name.
std::unique_ptr<tinyxml2::XMLDocument> parse_xml(const std::string& path, const std::string& text,
                                                 const char* root_name);

/// The value of an attribute; empty where the element has none.
std::string_view attribute(const tinyxml2::XMLElement& element, const char* name);
/// An attribute that must be there.
std::string required_attribute(const std::string& path, const tinyxml2::XMLElement& element,
                               const char* name);

/// The words of an attribute between blanks and line ends; reuses `words`.
void split_white(std::string_view text, std::vector<std::string_view>& words);

/// The finite numbers of an attribute, `least` to `most` of them; none where the element lacks it.
std::vector<double> attribute_numbers(const std::string& path, const tinyxml2::XMLElement& element,
                                      const char* name, std::size_t least, std::size_t most);
double attribute_number(const std::string& path, const tinyxml2::XMLElement& element,
                        const char* name, double default_value);
Vector3 attribute_vector(const std::string& path, const tinyxml2::XMLElement& element,
                         const char* name, const Vector3& default_value);

/// "<geom name="head">", for messages.
std::string element_text(const tinyxml2::XMLElement& element);

}  // namespace widephase::tools
