// Height fields of MJCF: hfields as PNG, raw or elevation, posed by geoms. Files are written here,
// by libpng or byte by byte.
// Labels: plain

#include <gtest/gtest.h>
#include <png.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <widephase/collide.hpp>

#include "support/scene_files.hpp"

namespace widephase::tools {
namespace {

class mjcf_fields : public widephase::test::ConvertedFiles {
 protected:
  static void expect_heights(const SceneColumns<3, double>& scene,
                             const std::vector<double>& expected) {
    const auto& heights = scene.heightfield_geometries.heights;
    EXPECT_EQ(std::vector<double>(heights.begin(), heights.end()), expected);
  }
};

void write_png(const char* path, std::uint32_t format, const void* pixels,
               const void* colors = nullptr, std::uint32_t color_count = 0) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 3;
  image.height = 2;
  image.format = format;
  image.colormap_entries = color_count;
  ASSERT_NE(png_image_write_to_file(&image, path, 0, pixels, 0, colors), 0) << image.message;
}

std::string model_of(const std::string& asset, const std::string& geom = "") {
  return "<mujoco><asset><hfield name=\"h\" " + asset +
         "/></asset><worldbody><geom type=\"hfield\" hfield=\"h\" " + geom +
         "/></worldbody></mujoco>";
}

// Shades 10 to 210 become 0 to the third size, 4. The top of the image is at +y. The field reaches
// from -3 to 3 along x and from -1 to 1 along y.
TEST_F(mjcf_fields, reads_images_as_mujoco_does) {
  const std::uint8_t grey[] = {10, 60, 110, 160, 210, 10};
  const std::vector<double> expected{3, 4, 0, 0, 1, 2};
  write("m.xml", model_of("file=\"h.png\" size=\"3 1 4 0.5\"", "pos=\"1 2 3\""));
  write_png("h.png", PNG_FORMAT_GRAY, grey);
  std::vector<std::string> notes;
  const auto scene = load("m.xml", &notes);
  expect_heights(scene, expected);
  EXPECT_EQ(scene.heightfield_geometries.columns[0], 3);
  EXPECT_EQ(scene.heightfield_geometries.cell.row(0), (std::array<double, 2>{3, 2}));
  EXPECT_EQ(scene.heightfields.center.row(0), (std::array<double, 3>{-2, 1, 3}));
  EXPECT_EQ(notes, std::vector<std::string>{
                       "m.xml: 1 height field is solid below without end, where MuJoCo's ends at "
                       "its base, 0.5 below 0"});
  // In colours that are grey, and by a palette of them.
  std::vector<std::uint8_t> colors;
  for (const std::uint8_t shade : grey) colors.insert(colors.end(), {shade, shade, shade, 128});
  write_png("h.png", PNG_FORMAT_RGBA, colors.data());
  expect_heights(load("m.xml"), expected);
  const std::uint8_t places[] = {0, 1, 2, 3, 4, 5};
  write_png("h.png", PNG_FORMAT_RGBA_COLORMAP, places, colors.data(), 6);
  expect_heights(load("m.xml"), expected);
  // The ending may be another, if the type says so.
  std::filesystem::rename("h.png", "h.bin");
  write("m.xml", model_of("file=\"h.bin\" content_type=\"image/png\" size=\"3 1 4 0.5\""));
  expect_heights(load("m.xml"), expected);
}

std::string raw_hfield(std::int32_t rows, std::int32_t columns, const std::vector<float>& values) {
  std::string bytes(8 + 4 * values.size(), '\0');
  std::memcpy(bytes.data(), &rows, 4);
  std::memcpy(bytes.data() + 4, &columns, 4);
  if (!values.empty()) std::memcpy(bytes.data() + 8, values.data(), 4 * values.size());
  return bytes;
}

// The first row of a raw file is at -y, that of `elevation` at +y.
TEST_F(mjcf_fields, reads_raw_heights_and_elevation) {
  write("h.raw", raw_hfield(2, 3, {-1, 0, 1, 2, 3, -1}));
  write("m.xml", model_of("file=\"h.raw\" size=\"1 1 8 1\""));
  expect_heights(load("m.xml"), {0, 2, 4, 6, 8, 0});
  write("m.xml", model_of("nrow=\"2\" ncol=\"3\" elevation=\"2 3 -1\n-1 0 1\" size=\"1 1 8 1\""));
  expect_heights(load("m.xml"), {0, 2, 4, 6, 8, 0});
  // Level ground has no range to be scaled by: it is at 0.
  write("m.xml", model_of("nrow=\"2\" ncol=\"2\" elevation=\"5 5 5 5\" size=\"1 1 8 1\""));
  expect_heights(load("m.xml"), {0, 0, 0, 0});
}

// A geom that is turned by 90 degrees about z, in a body that is moved; its class names the field.
// Two geoms share it. A ball over the sample at the geom's middle, whose height is 2, overlaps.
TEST_F(mjcf_fields, poses_fields_by_their_geoms) {
  write("m.xml", R"(<mujoco><default><geom hfield="h" type="hfield"/></default>
    <asset><hfield name="h" nrow="3" ncol="3" elevation="0 0 0 0 1 0 0 0 0" size="4 2 2 1"/></asset>
    <worldbody><body pos="10 0 1"><geom euler="0 0 90"/><geom pos="0 0 -50"/></body>
    <body pos="10 0 3.75"><freejoint/><geom class="b" size="1"/></body></worldbody></mujoco>)");
  std::string text = read("m.xml");
  text.replace(text.find("<default>"), 9,
               "<default><default class=\"b\"><geom type=\"sphere\"/></default>");
  write("m.xml", text);
  EXPECT_EQ(error_of("m.xml"),
            "m.xml: line 4 has <geom> of type sphere with a hfield; expected type hfield");
  text.replace(text.find("<geom hfield=\"h\" type=\"hfield\"/>"), 32, "");
  text.replace(text.find("<geom euler"), 5, "<geom hfield=\"h\" type=\"hfield\"");
  text.replace(text.find("<geom pos"), 5, "<geom hfield=\"h\" type=\"hfield\"");
  write("m.xml", text);
  const auto scene = load("m.xml");
  ASSERT_EQ(scene.heightfields.center.size(), 2u);
  EXPECT_EQ(scene.heightfield_geometries.columns.size(), 1u);
  // Sample (0, 0) is at (-4, -2) of the geom, so at (2, -4) after the turn.
  EXPECT_NEAR(scene.heightfields.center(0, 0), 12, 1e-12);
  EXPECT_NEAR(scene.heightfields.center(0, 1), -4, 1e-12);
  EXPECT_NEAR(scene.heightfields.center(0, 2), 1, 1e-12);
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  collide<3, double>(scene, contacts, workspace, {});
  ASSERT_EQ(contacts.depth.size(), 1u);
  EXPECT_NEAR(contacts.depth[0], 3 - 2.75, 1e-12);
}

std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t sum = ~0u;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

TEST_F(mjcf_fields, says_which_field_cannot_be_read) {
  const auto expect = [](const std::string& asset, const std::string& message) {
    write("m.xml", model_of(asset));
    EXPECT_EQ(error_of("m.xml"), "m.xml: line 1 " + message);
  };
  const std::string of = " <hfield name=\"h\">", file = "file=\"h.raw\" size=\"1 1 1 1\"";
  const std::string size = "has no four numbers above 0 as size of" + of +
                           ": half the lengths along x and y, the height, the base";
  expect("file=\"h.raw\"", size);
  expect("file=\"h.raw\" size=\"1 1 0 1\"", size);
  expect("size=\"1 1 1 1\" nrow=\"2\" ncol=\"2\"",
         "has" + of +
             " without file or elevation, whose heights a program would give; expected "
             "one of them");
  expect("size=\"1 1 1 1\" nrow=\"2\" ncol=\"2\" elevation=\"1 2 3\"",
         "has 3 numbers in elevation of" + of + "; expected 4, nrow times ncol");
  expect("size=\"1 1 1 1\" nrow=\"2.5\" ncol=\"2\" elevation=\"1 2 3\"",
         "has nrow 2.5 in" + of + "; expected a whole number");
  expect("size=\"1 1 1 1\" nrow=\"1\" ncol=\"3\" elevation=\"1 2 3\"",
         "has" + of +
             " of which heights has 3 samples; a field has 2 or more rows of 3 columns, "
             "and up to 1073741824 samples");
  expect("size=\"1 1 1 1\" nrow=\"3\" ncol=\"1\" elevation=\"1 2 3\"",
         "has" + of + " of which columns is 1; a field has 2 columns or more");
  expect(file + " nrow=\"2\"", "has file and nrow or ncol in" + of + "; expected one way");
  write("h.raw", "abc");
  const std::string raw = "has a hfield: h.raw: has ";
  expect(file, raw +
                   "3 bytes and 0 rows of 0 heights; expected two 32-bit integers above 0, then "
                   "as many 32-bit floats (or a .png)");
  write("h.raw", raw_hfield(2, 3, {1, 2, 3, 4, 5}));
  expect(file, raw + "28 bytes; 2 rows of 3 heights take 32");
  write("h.raw", raw_hfield(30000, 30000, {1, 2}));
  expect(file, raw + "16 bytes; 30000 rows of 30000 heights take 3600000008");
  write("h.raw", raw_hfield(2, 2, {1, 2, std::nanf(""), 3}));
  expect(file, raw + "nan in row 1, column 0, counted from 0; expected finite heights");

  const std::string image = "file=\"h.png\" size=\"1 1 1 1\"", png = "has a hfield: h.png: ";
  const std::uint16_t deep[] = {1, 2, 3, 4, 5, 6};
  write_png("h.png", PNG_FORMAT_LINEAR_Y, deep);
  expect(image, png + "has 16 bits per sample; expected 8 or fewer");
  const std::uint8_t red[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 9, 5, 5, 6, 6, 6};
  write_png("h.png", PNG_FORMAT_RGB, red);
  expect(image, png + "has a colour in row 1, column 1, counted from 0; expected shades of grey");
  write("h.png", "no image");
  expect(image, png + "cannot be read as PNG (Not a PNG file)");
  const std::uint8_t grey[] = {1, 2, 3, 4, 5, 6};
  write_png("h.png", PNG_FORMAT_GRAY, grey);
  std::string bytes = read("h.png");
  write("h.png", bytes.substr(0, bytes.size() - 20));
  expect(image, png + "cannot be read as PNG (the file is not whole)");
  // Its header alone, bytes 12 to 28, says that it is larger: 30,000 pixels each way.
  const std::string length("\0\0\x75\x30", 4);
  bytes.replace(16, 4, length).replace(20, 4, length);
  const std::uint32_t sum = checksum(bytes.substr(12, 17));
  for (int i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(sum >> (24 - 8 * i));
  write("h.png", bytes);
  expect(image, png + "has " + std::to_string(bytes.size()) +
                    " bytes, too few for its 30000 rows of 30000 heights: beyond 16777216 "
                    "heights it must have a byte for every 64");
  write("m.xml",
        "<mujoco><worldbody><geom name=\"g\" type=\"hfield\" hfield=\"x\"/></worldbody>"
        "</mujoco>");
  EXPECT_EQ(error_of("m.xml"),
            "m.xml: line 1 has <geom name=\"g\"> with the hfield \"x\", which is not a <hfield> of "
            "<asset>");
}

}  // namespace
}  // namespace widephase::tools
