// ASCII VTK unstructured grids ("XML file formats" in the VTK user's guide), read as points with
// radii. Cells are ignored.

#include <fmt/format.h>
#include <tinyxml2.h>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

class VtuReader {
 public:
  VtuReader(const std::string& path, const ReadOptions& options) : path_(path), options_(options) {}

  Particles read(const std::string& text) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
      throw FileError(path_, document.ErrorLineNum(),
                      fmt::format("is not XML ({})", document.ErrorName()));
    }
    const XMLElement* root = document.FirstChildElement("VTKFile");
    const XMLElement* grid =
        root == nullptr ? nullptr : root->FirstChildElement("UnstructuredGrid");
    if (grid == nullptr) throw FileError(path_, "has no <VTKFile> with an <UnstructuredGrid>");
    const XMLElement* piece = grid->FirstChildElement("Piece");
    if (piece == nullptr) throw FileError(path_, "has no <Piece> of points");
    for (; piece != nullptr; piece = piece->NextSiblingElement("Piece")) read_piece(*piece);
    return std::move(particles_);
  }

 private:
  void read_piece(const XMLElement& piece) {
    const XMLElement* points = piece.FirstChildElement("Points");
    const XMLElement* positions =
        points == nullptr ? nullptr : points->FirstChildElement("DataArray");
    if (positions == nullptr) throw FileError(path_, "has no <DataArray> under <Points>");
    const int components = positions->IntAttribute("NumberOfComponents", 1);
    if (components != 3) {
      throw FileError(path_, positions->GetLineNum(),
                      fmt::format("has points of {} components; expected 3", components));
    }
    const std::size_t first = particles_.positions.size();
    read_numbers(*positions, "Points", particles_.positions);
    const std::size_t added = particles_.positions.size() - first;
    const std::int64_t stated = piece.Int64Attribute("NumberOfPoints", -1);
    if (added % 3 != 0 || (stated >= 0 && added != 3 * static_cast<std::size_t>(stated))) {
      throw FileError(path_, positions->GetLineNum(),
                      fmt::format("has {} numbers under <Points>; expected three for each of {} "
                                  "points",
                                  added, stated));
    }
    read_radii(piece, added / 3);
  }

  void read_radii(const XMLElement& piece, std::size_t count) {
    std::string names;
    const XMLElement* data = piece.FirstChildElement("PointData");
    const XMLElement* array = data == nullptr ? nullptr : data->FirstChildElement("DataArray");
    for (; array != nullptr; array = array->NextSiblingElement("DataArray")) {
      const char* name = array->Attribute("Name");
      if (name != nullptr && std::string_view(name) == "radius") break;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name == nullptr ? "unnamed" : name);
    }
    if (options_.radius) {
      if (array != nullptr) {
        throw UsageError(
            fmt::format("{} has radii of its own; leave {} out", path_, option("radius")));
      }
      particles_.radii.insert(particles_.radii.end(), count, *options_.radius);
      return;
    }
    if (array == nullptr) {
      throw FileError(path_, fmt::format("has no point data radius (it has {}); give one with "
                                         "{}",
                                         names.empty() ? "none" : names, option("radius")));
    }
    const std::size_t first = particles_.radii.size();
    read_numbers(*array, "radius", particles_.radii);
    if (particles_.radii.size() - first != count) {
      throw FileError(path_, array->GetLineNum(),
                      fmt::format("has {} radii; expected one for each of {} points",
                                  particles_.radii.size() - first, count));
    }
  }

  /// Reads the decimals as double, whatever type the array declares.
  void read_numbers(const XMLElement& array, const char* name, std::vector<double>& numbers) {
    const char* format = array.Attribute("format");
    if (format != nullptr && std::string_view(format) != "ascii") {
      throw FileError(path_, array.GetLineNum(),
                      fmt::format("has {} in the format {}; save the file as ASCII", name, format));
    }
    const char* text = array.GetText();
    std::string_view rest = text == nullptr ? std::string_view{} : std::string_view(text);
    constexpr std::string_view kBlanks = " \t\r\n";
    while (true) {
      const std::size_t begin = rest.find_first_not_of(kBlanks);
      if (begin == rest.npos) return;
      rest.remove_prefix(begin);
      const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
      double value;
      if (!parse_number(word, value)) {
        throw FileError(path_, fmt::format("{}: number {} is {}; expected a number", name,
                                           numbers.size(), in_quotes(word)));
      }
      numbers.push_back(value);
      rest.remove_prefix(word.size());
    }
  }

  const std::string& path_;
  const ReadOptions& options_;
  Particles particles_;
};

}  // namespace

SceneFile read_vtu(const std::string& path, const ReadOptions& options) {
  const Particles particles = VtuReader(path, options).read(read_text(path, kMostTreeBytes));
  return scene_of(path, particles, options.dimension == 0 ? 3 : options.dimension);
}

}  // namespace widephase::tools
