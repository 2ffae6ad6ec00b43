#include "tools/robots/mjcf_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <widephase/heightfields.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/height_grid.hpp"
#include "tools/formats/read_png.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

/// Rows and columns as 32-bit integers, then 32-bit floats, all little-endian.
constexpr std::size_t kRawHeader = 2 * sizeof(std::int32_t);

std::size_t count_of(const MjcfModel& model, const XMLElement& asset, const char* name) {
  const double count = attribute_number(model.path(), asset, name, 0);
  if (count >= 0 && count <= 2147483647.0 && count == std::floor(count)) {
    return static_cast<std::size_t>(count);
  }
  model.fail(asset, fmt::format("has {} {} in {}; expected a whole number", name, count,
                                element_text(asset)));
}

bool is_png(const XMLElement& asset, const std::string& path) {
  const std::string_view type = attribute(asset, "content_type");
  return type.empty() ? lower_case(path).ends_with(".png") : type == "image/png";
}

}  // namespace

std::size_t MjcfFields::add_shape(MjcfModel& model, const XMLElement& geom, const Frame3& frame,
                                  const ShapeTags& tags) {
  const std::string name = required_attribute(model.path(), geom, "hfield");
  const XMLElement* const asset = model.find_asset("hfield", name);
  if (asset == nullptr) {
    model.fail(geom, fmt::format("has {} with the hfield {}, which is not a <hfield> of <asset>",
                                 element_text(geom), in_quotes(name)));
  }
  const auto [known, is_new] = known_.try_emplace(asset);
  if (is_new) known->second = add_field(model, *asset);
  const Field& field = known->second;
  return scene_.add_heightfield({moved(frame, field.corner), frame.orientation}, field.geometry,
                                tags);
}

MjcfFields::Field MjcfFields::add_field(MjcfModel& model, const XMLElement& asset) {
  const auto size = attribute_numbers(model.path(), asset, "size", 4, 4);
  if (size.empty() || std::ranges::any_of(size, [](double length) { return !(length > 0); })) {
    model.fail(asset, fmt::format("has no four numbers above 0 as size of {}: half the lengths "
                                  "along x and y, the height, the base",
                                  element_text(asset)));
  }
  Samples samples = read_samples(model, asset);
  // MuJoCo scales its heights, whatever they are, to lie between 0 and the third number.
  const auto [least, most] = std::ranges::minmax(samples.values);
  const double range = most > least ? most - least : 1;
  for (double& value : samples.values) value = (value - least) / range * size[2];
  thickest_ = std::max(thickest_, size[3]);
  const auto cell = [&](std::size_t axis, std::size_t count) {
    return 2 * size[axis] / static_cast<double>(count - 1);
  };
  try {
    const std::int32_t geometry =
        add_heightfield(scene_.heightfields(), ColumnSpan<double>(samples.values),
                        static_cast<std::int32_t>(samples.columns), cell(0, samples.columns),
                        cell(1, samples.rows));
    return {geometry, {-size[0], -size[1], 0}};
  } catch (const Error& error) {
    model.fail(asset, fmt::format("has {} of which {}", element_text(asset), said(error)));
  }
}

MjcfFields::Samples MjcfFields::read_samples(MjcfModel& model, const XMLElement& asset) {
  const std::size_t rows = count_of(model, asset, "nrow"), columns = count_of(model, asset, "ncol");
  if (asset.Attribute("file") == nullptr) return read_elevation(model, asset, rows, columns);
  if (rows != 0 || columns != 0) {
    model.fail(asset, fmt::format("has file and nrow or ncol in {}; expected one way",
                                  element_text(asset)));
  }
  try {
    return read_file_of(model, asset);
  } catch (const FileError& error) {
    model.fail(asset, fmt::format("has a hfield: {}", error.what()));
  }
}

MjcfFields::Samples MjcfFields::read_file_of(MjcfModel& model, const XMLElement& asset) {
  const std::string path = model.path_of_asset(std::string(attribute(asset, "file")));
  const std::string bytes = read_named_file(path, model.path(), folders_, bytes_left_);
  bytes_left_ -= bytes.size();
  Samples samples;
  if (is_png(asset, path)) {
    const GreyImage image = read_png(path, bytes);
    samples.rows = image.rows;
    samples.columns = image.columns;
    samples.values.resize(image.shades.size());
    // The top of the image is at +y.
    for (std::size_t row = 0; row < image.rows; ++row) {
      std::copy_n(image.shades.data() + (image.rows - 1 - row) * image.columns, image.columns,
                  samples.values.data() + row * image.columns);
    }
    return samples;
  }
  std::array<std::int32_t, 2> counts{};
  if (bytes.size() >= kRawHeader) std::memcpy(counts.data(), bytes.data(), kRawHeader);
  if (counts[0] < 1 || counts[1] < 1) {
    throw FileError(path, fmt::format("has {} bytes and {} rows of {} heights; expected two 32-bit "
                                      "integers above 0, then as many 32-bit floats (or a .png)",
                                      bytes.size(), counts[0], counts[1]));
  }
  samples.rows = static_cast<std::size_t>(counts[0]);
  samples.columns = static_cast<std::size_t>(counts[1]);
  check_field_size(path, samples.rows, samples.columns);
  const std::size_t count = samples.rows * samples.columns;
  if (bytes.size() != kRawHeader + count * sizeof(float)) {
    throw FileError(
        path, fmt::format("has {} bytes; {} rows of {} heights take {}", bytes.size(), samples.rows,
                          samples.columns, kRawHeader + count * sizeof(float)));
  }
  samples.values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, bytes.data() + kRawHeader + i * sizeof value, sizeof value);
    if (!std::isfinite(value)) {
      throw FileError(path, fmt::format("has {} in row {}, column {}, counted from 0; expected "
                                        "finite heights",
                                        value, i / samples.columns, i % samples.columns));
    }
    samples.values[i] = value;
  }
  return samples;
}

MjcfFields::Samples MjcfFields::read_elevation(const MjcfModel& model, const XMLElement& asset,
                                               std::size_t rows, std::size_t columns) const {
  const auto values = attribute_numbers(model.path(), asset, "elevation", 1, kMostFileBytes);
  if (values.empty()) {
    model.fail(asset, fmt::format("has {} without file or elevation, whose heights a program would "
                                  "give; expected one of them",
                                  element_text(asset)));
  }
  if (values.size() != rows * columns) {
    model.fail(asset, fmt::format("has {} numbers in elevation of {}; expected {}, nrow times ncol",
                                  values.size(), element_text(asset), rows * columns));
  }
  Samples samples{rows, columns, {}};
  // The first row is at +y.
  for (std::size_t row = rows; row-- > 0;) {
    const double* const from = values.data() + row * columns;
    samples.values.insert(samples.values.end(), from, from + columns);
  }
  return samples;
}

void MjcfFields::write_notes(const std::string& path, std::vector<std::string>& notes) const {
  if (known_.empty()) return;
  const auto count = static_cast<std::int64_t>(known_.size());
  notes.push_back(
      fmt::format("{}: {} solid below without end, where MuJoCo's {} at {} {:.3g} "
                  "below 0",
                  path, counted(count, "height field") + (count == 1 ? " is" : " are"),
                  count == 1 ? "ends" : "end", count == 1 ? "its base," : "most", thickest_));
}

}  // namespace widephase::tools
