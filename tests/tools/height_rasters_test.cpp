// Height fields from elevation models: ESRI's ASCII grids and GeoTIFF. Files are written here, by
// libtiff or byte by byte.
// Labels: plain

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "support/scene_files.hpp"

namespace widephase::tools {
namespace {

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

/// The tags of GeoTIFF and GDAL, which libtiff writes once it knows them.
constexpr std::uint32_t kScale = 33550, kTie = 33922, kMatrix = 34264, kKeys = 34735,
                        kNoData = 42113;

class height_rasters : public widephase::test::ConvertedFiles {
 protected:
  static std::string error_of_grid(const std::string& text) {
    write("g.asc", text);
    return error_of("g.asc");
  }
  static std::vector<double> heights_of(const SceneColumns<3, double>& scene) {
    const auto& heights = scene.heightfield_geometries.heights;
    return {heights.begin(), heights.end()};
  }
  static void expect_heights(const SceneColumns<3, double>& scene,
                             const std::vector<double>& expected) {
    const std::vector<double> heights = heights_of(scene);
    ASSERT_EQ(heights.size(), expected.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
      EXPECT_EQ(std::isnan(heights[i]), std::isnan(expected[i])) << i;
      if (!std::isnan(expected[i])) {
        EXPECT_EQ(heights[i], expected[i]) << i;
      }
    }
  }
};

// Three columns and two rows. The corner is at (100, 200) and cells are 10 wide, so the lower left
// sample is at (105, 205). The file begins with the northern row, a field with the southern.
TEST_F(height_rasters, esri_grids_have_their_north_at_y) {
  write("g.asc",
        "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -1\n"
        "1 2 3\n4 -1 6.5\n");
  const auto scene = load("g.asc");
  expect_heights(scene, {4, kHole, 6.5, 1, 2, 3});
  EXPECT_EQ(scene.heightfield_geometries.columns[0], 3);
  EXPECT_EQ(scene.heightfield_geometries.cell.row(0), (std::array<double, 2>{10, 10}));
  ASSERT_EQ(scene.heightfields.center.size(), 1u);
  EXPECT_EQ(scene.heightfields.center.row(0), (std::array<double, 3>{105, 205, 0}));
  EXPECT_EQ(scene.heightfields.turn(0, 3), 1);
}

TEST_F(height_rasters, esri_grids_in_other_forms) {
  // Names in any case and order, centres, cells that are no squares, heights broken anywhere, and
  // the format's own value for no data. Its beginning tells the format, whatever its ending.
  write("g.txt",
        "NCOLS 2\r\nNROWS 3\r\nDX 0.5\r\nDY 2\r\nYLLCENTER -1\r\nXLLCENTER 7\r\n"
        "1 2\t3\r\n\r\n+4 5e0\r\n-9999\r\n");
  const auto scene = load("g.txt");
  expect_heights(scene, {5, kHole, 3, 4, 1, 2});
  EXPECT_EQ(scene.heightfield_geometries.cell.row(0), (std::array<double, 2>{0.5, 2}));
  EXPECT_EQ(scene.heightfields.center.row(0), (std::array<double, 3>{7, -1, 0}));
}

TEST_F(height_rasters, esri_grids_that_are_wrong_are_refused_by_line) {
  const std::string start = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n";
  const std::string head = start + "cellsize 1\n";
  const std::pair<std::string, const char*> cases[] = {
      {head + "1 2\n3 x\n",
       "g.asc: line 7 has \"x\" in row 1, column 1, counted from 0; expected a finite number"},
      {head + "1 2\n3 inf\n",
       "g.asc: line 7 has \"inf\" in row 1, column 1, counted from 0; expected a finite number"},
      {head + "1 2\n3\n",
       "g.asc: ends after 3 of the 4 heights that its header names; the file is not whole"},
      {head, "g.asc: ends after 0 of the 4 heights that its header names; the file is not whole"},
      {head + "1 2\n3 4 5\n",
       "g.asc: line 7 has more heights than the 2 rows of 2 that the header names"},
      {head + "ncols 2\n1 2 3 4\n", "g.asc: line 6 has a second ncols"},
      {start + "dx 1\n1 2 3 4\n", "g.asc: has neither cellsize nor dy in its header"},
      {head + "dx 1\n1 2 3 4\n", "g.asc: has cellsize and dx; expected one of them"},
      {head + "xllcenter 1\n1 2 3 4\n", "g.asc: has xllcorner and xllcenter; expected one of them"},
      {start + "cellsize 0\n1 2 3 4\n",
       "g.asc: has 1 cells of size 0 along x; expected a size above 0 and a finite length"},
      {start + "cellsize 1 2\n1 2 3 4\n",
       "g.asc: line 5 is \"cellsize 1 2\"; expected cellsize and a number"},
      {start + "color 3\n1 2 3 4\n",
       "g.asc: line 5 begins with \"color\"; expected ncols, nrows, xllcorner, xllcenter, "
       "yllcorner, yllcenter, cellsize, dx, dy, nodata_value, or a height"},
      {"nrows 2\ncellsize 1\n1 2 3 4\n", "g.asc: has no ncols in its header"},
      {"ncols 2.5\nnrows 2\n1 2\n", "g.asc: has ncols 2.5; expected a whole number above 0"},
      {"ncols 4\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
       "g.asc: has 1 row of 4 heights; a height field has 2 or more rows and columns, and up to "
       "1073741824 heights"},
      {"ncols 4000000000\nnrows 4000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
       "g.asc: has 4000000000 rows of 4000000000 heights; a height field has 2 or more rows and "
       "columns, and up to 1073741824 heights"},
      {"ncols 30000\nnrows 30000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n",
       "g.asc: has 67 bytes, too few for the 30000 rows of 30000 heights that its header names"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of_grid(text), message) << text;
}

/// A TIFF file as libtiff writes it.
struct Tiff {
  std::string mode = "wl";  ///< little-endian; "wb": big-endian
  std::uint32_t columns = 0, rows = 0;
  std::uint16_t bits = 32, format = SAMPLEFORMAT_IEEEFP, compression = COMPRESSION_NONE;
  std::uint16_t bands = 1, predictor = 0;
  std::uint32_t rows_per_strip = 2;
  std::uint32_t tile = 0;  ///< its width and length; 0: strips
  std::vector<double> scale, tie, matrix;
  std::vector<std::uint16_t> keys;
  const char* no_data = nullptr;
};

void know_tags(TIFF* tiff) {
  static char names[5][8] = {"scale", "tie", "matrix", "keys", "no_data"};
  static const TIFFFieldInfo fields[] = {
      {kScale, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[0]},
      {kTie, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[1]},
      {kMatrix, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, names[2]},
      {kKeys, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, names[3]},
      {kNoData, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, names[4]}};
  TIFFMergeFieldInfo(tiff, fields, 5);
}

/// `height(row, column)` counts rows from the north.
template <class Number>
void write_tiff(const std::string& path, const Tiff& as,
                const std::function<double(std::uint32_t, std::uint32_t)>& height) {
  TIFF* const tiff = TIFFOpen(path.c_str(), as.mode.c_str());
  ASSERT_NE(tiff, nullptr);
  know_tags(tiff);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, as.columns);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, as.rows);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, as.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, as.format);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, as.bands);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, as.compression);
  if (as.predictor != 0) TIFFSetField(tiff, TIFFTAG_PREDICTOR, as.predictor);
  const auto set = [&](std::uint32_t tag, const auto& values) {
    if (!values.empty()) TIFFSetField(tiff, tag, static_cast<int>(values.size()), values.data());
  };
  set(kScale, as.scale);
  set(kTie, as.tie);
  set(kMatrix, as.matrix);
  set(kKeys, as.keys);
  if (as.no_data != nullptr) TIFFSetField(tiff, kNoData, as.no_data);
  const auto fill = [&](std::uint32_t row, std::uint32_t column, std::uint32_t rows,
                        std::uint32_t columns) {
    std::vector<Number> numbers(std::size_t{rows} * columns * as.bands);
    for (std::uint32_t r = 0; r < rows; ++r) {
      for (std::uint32_t c = 0; c < columns; ++c) {
        numbers[(std::size_t{r} * columns + c) * as.bands] =
            static_cast<Number>(height(row + r, column + c));
      }
    }
    return numbers;
  };
  if (as.tile > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, as.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, as.tile);
    std::uint32_t number = 0;
    for (std::uint32_t row = 0; row < as.rows; row += as.tile) {
      for (std::uint32_t column = 0; column < as.columns; column += as.tile) {
        auto numbers = fill(row, column, as.tile, as.tile);
        const auto size = static_cast<tmsize_t>(numbers.size() * sizeof(Number));
        ASSERT_EQ(TIFFWriteEncodedTile(tiff, number++, numbers.data(), size), size);
      }
    }
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, as.rows_per_strip);
    std::uint32_t number = 0;
    for (std::uint32_t row = 0; row < as.rows; row += as.rows_per_strip) {
      auto numbers = fill(row, 0, std::min(as.rows_per_strip, as.rows - row), as.columns);
      const auto size = static_cast<tmsize_t>(numbers.size() * sizeof(Number));
      ASSERT_EQ(TIFFWriteEncodedStrip(tiff, number++, numbers.data(), size), size);
    }
  }
  TIFFClose(tiff);
}

// 19 columns and 21 rows: neither tiles of 16 nor strips of 4 fit. Every number is another.
template <class Number>
void read_back(std::uint16_t bits, std::uint16_t format,
               const std::function<SceneColumns<3, double>(const std::string&)>& load) {
  const auto height = [](std::uint32_t row, std::uint32_t column) {
    return sizeof(Number) == 1 ? (7 * row + column) % 256 : 3000.0 + 19 * row + column;
  };
  for (const std::uint16_t compression :
       {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
    for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
      for (const std::uint32_t tile : {0u, 16u}) {
        Tiff as;
        as.mode = mode;
        as.columns = 19;
        as.rows = 21;
        as.bits = bits;
        as.format = format;
        as.compression = compression;
        as.rows_per_strip = 4;
        as.tile = tile;
        if (compression == COMPRESSION_ADOBE_DEFLATE) {
          // libtiff 4.5 puts the bytes of big-endian floats in the wrong order.
          const bool is_float = format == SAMPLEFORMAT_IEEEFP;
          as.predictor = !is_float        ? PREDICTOR_HORIZONTAL
                         : mode[1] == 'l' ? PREDICTOR_FLOATINGPOINT
                                          : PREDICTOR_NONE;
        }
        write_tiff<Number>("t.tif", as, height);
        const auto scene = load("t.tif");
        ASSERT_EQ(scene.heightfield_geometries.columns[0], 19);
        ASSERT_EQ(scene.heightfield_geometries.heights.size(), 19u * 21u);
        for (std::uint32_t row = 0; row < 21; ++row) {
          for (std::uint32_t column = 0; column < 19; ++column) {
            ASSERT_EQ(scene.heightfield_geometries.heights[(20 - row) * 19 + column],
                      height(row, column))
                << compression << " " << mode << " " << tile << " " << row << " " << column;
          }
        }
      }
    }
  }
}

TEST_F(height_rasters, geotiff_of_every_number_in_strips_and_tiles) {
  const auto from = [](const std::string& path) { return load(path); };
  read_back<std::uint8_t>(8, SAMPLEFORMAT_UINT, from);
  read_back<std::uint16_t>(16, SAMPLEFORMAT_UINT, from);
  read_back<std::int16_t>(16, SAMPLEFORMAT_INT, from);
  read_back<float>(32, SAMPLEFORMAT_IEEEFP, from);
  read_back<double>(64, SAMPLEFORMAT_IEEEFP, from);
}

double level(std::uint32_t, std::uint32_t) { return 1; }

Tiff four_by_three() {
  Tiff as;
  as.columns = 4;
  as.rows = 3;
  return as;
}

// The tie point names the outer corner of the pixel in the north-west, (1000, 2000); pixels are 2
// by 5. The sample in the south-west is half a pixel inside: x 1001, y 2000 - 2.5 * 5.
TEST_F(height_rasters, geotiff_is_placed_by_its_tags) {
  Tiff as = four_by_three();
  as.scale = {2, 5, 0};
  as.tie = {0, 0, 0, 1000, 2000, 0};
  write_tiff<float>("t.tif", as, level);
  std::vector<std::string> notes;
  const auto scene = load("t.tif", &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(scene.heightfields.center.row(0), (std::array<double, 3>{1001, 1987.5, 0}));
  EXPECT_EQ(scene.heightfield_geometries.cell.row(0), (std::array<double, 2>{2, 5}));
  // The same place, tied at the middle of pixel (3, 2).
  as.tie = {3.5, 2.5, 0, 1007, 1987.5, 0};
  write_tiff<float>("t.tif", as, level);
  EXPECT_EQ(load("t.tif").heightfields.center.row(0), (std::array<double, 3>{1001, 1987.5, 0}));
  // A raster of points (key 1025 is 2) has its samples where the tie point says.
  as.tie = {0, 0, 0, 1000, 2000, 0};
  as.keys = {1, 1, 0, 2, 1024, 0, 1, 1, 1025, 0, 1, 2};
  write_tiff<float>("t.tif", as, level);
  EXPECT_EQ(load("t.tif").heightfields.center.row(0), (std::array<double, 3>{1000, 1990, 0}));
  // Key 1024 of 2 means degrees.
  as.keys = {1, 1, 0, 1, 1024, 0, 1, 2};
  write_tiff<float>("t.tif", as, level);
  load("t.tif", &notes);
  EXPECT_EQ(notes, std::vector<std::string>{
                       "t.tif: has its cells in degrees; a field's lengths all have the unit of "
                       "its heights, so project it first"});
}

TEST_F(height_rasters, geotiff_without_tags_has_cells_of_one) {
  write_tiff<float>("t.tif", four_by_three(), level);
  std::vector<std::string> notes;
  const auto scene = load("t.tif", &notes);
  EXPECT_EQ(notes,
            std::vector<std::string>{"t.tif: has no cell size (tag 33550); its cells are 1 by 1"});
  EXPECT_EQ(scene.heightfield_geometries.cell.row(0), (std::array<double, 2>{1, 1}));
}

TEST_F(height_rasters, geotiff_without_data_has_holes) {
  Tiff as = four_by_three();
  // The digits are a double's; the sample is a float.
  as.no_data = "-3.4028234663852886e+38";
  write_tiff<float>("t.tif", as, [](std::uint32_t row, std::uint32_t column) {
    return row == 0 && column == 1   ? -std::numeric_limits<float>::max()
           : row == 2 && column == 3 ? kHole
                                     : 10.0 * row + column;
  });
  expect_heights(load("t.tif"), {20, 21, 22, kHole, 10, 11, 12, 13, 0, kHole, 2, 3});
  as.no_data = "-32768 ";
  as.bits = 16;
  as.format = SAMPLEFORMAT_INT;
  write_tiff<std::int16_t>("t.tif", as, [](std::uint32_t row, std::uint32_t column) {
    return row == 1 && column == 0 ? -32768 : 1;
  });
  expect_heights(load("t.tif"), {1, 1, 1, 1, kHole, 1, 1, 1, 1, 1, 1, 1});
}

TEST_F(height_rasters, geotiff_that_is_not_read_says_why) {
  const auto error_with = [](const std::function<void(Tiff&)>& change, double value = 1) {
    Tiff as = four_by_three();
    change(as);
    write_tiff<float>("t.tif", as, [&](std::uint32_t row, std::uint32_t column) {
      return row == 2 && column == 1 ? value : 1;
    });
    return error_of("t.tif");
  };
  const auto unchanged = [](Tiff&) {};
  EXPECT_EQ(error_with([](Tiff& as) { as.bands = 3; }),
            "t.tif: has 3 bands; expected one of heights");
  EXPECT_EQ(error_with([](Tiff& as) { as.format = SAMPLEFORMAT_INT; }),
            "t.tif: has numbers of 32 bits and sample format 2; expected uint8, uint16, int16, "
            "float32 or float64");
  EXPECT_EQ(error_with([](Tiff& as) { as.rows = 1; }),
            "t.tif: has 1 row of 4 heights; a height field has 2 or more rows and columns, and up "
            "to 1073741824 heights");
  EXPECT_EQ(error_with(unchanged, std::numeric_limits<double>::infinity()),
            "t.tif: has inf in row 2, column 1, counted from 0; a height must be a finite number "
            "or no data");
  EXPECT_EQ(error_with([](Tiff& as) { as.no_data = "none"; }),
            "t.tif: has \"none\" as its value for no data (tag 42113); expected a number");
  EXPECT_EQ(error_with([](Tiff& as) {
              as.scale = {1, 1, 0};
            }),
            "t.tif: has 3 numbers in tag 33550 and 0 in tag 33922; expected 3 and 6");
  EXPECT_EQ(error_with([](Tiff& as) {
              as.scale = {1, 1, 2};
              as.tie = {0, 0, 0, 0, 0, 0};
            }),
            "t.tif: scales or moves its heights (tags 33550 and 33922); expected heights as they "
            "are");
  EXPECT_EQ(error_with([](Tiff& as) {
              as.scale = {-1, 1, 0};
              as.tie = {0, 0, 0, 0, 0, 0};
            }),
            "t.tif: has 3 cells of size -1 along x; expected a size above 0 and a finite length");
  EXPECT_EQ(
      error_with([](Tiff& as) { as.matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; }),
      "t.tif: is placed by a matrix (tag 34264); expected tags 33550 and 33922");
  EXPECT_EQ(error_with(unchanged), "no error");
  const std::string whole = read("t.tif");
  write("t.tif", whole.substr(0, whole.size() / 2));
  EXPECT_NE(error_of("t.tif").find("t.tif: cannot be read as TIFF ("), std::string::npos);
  write("t.tif", "II*");
  EXPECT_NE(error_of("t.tif").find("t.tif: cannot be read as TIFF ("), std::string::npos);
}

/// A little-endian TIFF of 8-bit samples in a strip (or more), with tags as they are given: 32-bit
/// numbers, which lie in the tag or, if more than one, after the directory.
std::string raw_tiff(
    const std::vector<std::pair<std::uint16_t, std::vector<std::uint32_t>>>& tags) {
  std::string head("II*\0\x08\0\0\0", 8), rest;
  const auto put = [](std::string& to, auto number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  put(head, static_cast<std::uint16_t>(tags.size()));
  const std::size_t after = head.size() + 12 * tags.size() + 4;
  for (const auto& [tag, values] : tags) {
    put(head, tag);
    put(head, std::uint16_t{4});
    put(head, static_cast<std::uint32_t>(values.size()));
    put(head, values.size() == 1 ? values[0] : static_cast<std::uint32_t>(after + rest.size()));
    if (values.size() == 1) continue;
    for (const std::uint32_t value : values) put(rest, value);
  }
  put(head, std::uint32_t{0});
  return head + rest + std::string(64, '\1');
}

// A few bytes must not make the reader take much memory or time.
TEST_F(height_rasters, geotiff_that_declares_more_than_it_has_is_refused) {
  // 30,000 by 30,000 samples in one strip of 64 bytes, by LZW.
  write("t.tif", raw_tiff({{256, {30000}},
                           {257, {30000}},
                           {258, {8}},
                           {259, {5}},
                           {262, {1}},
                           {273, {8}},
                           {278, {30000}},
                           {279, {64}}}));
  EXPECT_EQ(error_of("t.tif"), "t.tif: has 174 bytes, too few for its 1 strips of 900000000 bytes");
  // With as many bytes as LZW could make that of, but far fewer than ground takes.
  write("t.tif", read("t.tif") + std::string(249826, '\1'));
  EXPECT_EQ(error_of("t.tif"),
            "t.tif: has 250000 bytes, too few for its 30000 rows of 30000 heights: beyond 16777216 "
            "heights it must have a byte for every 64");
  // The same 60 bytes as each of eight strips.
  write("t.tif", raw_tiff({{256, {10}},
                           {257, {48}},
                           {258, {8}},
                           {259, {1}},
                           {262, {1}},
                           {273, {8, 8, 8, 8, 8, 8, 8, 8}},
                           {278, {6}},
                           {279, {60, 60, 60, 60, 60, 60, 60, 60}}}));
  EXPECT_EQ(error_of("t.tif"), "t.tif: has 238 bytes, less than its strips take together");
  // Tiles much larger than the image.
  write("t.tif", raw_tiff({{256, {4}},
                           {257, {4}},
                           {258, {8}},
                           {259, {5}},
                           {262, {1}},
                           {322, {1 << 15}},
                           {323, {1 << 15}},
                           {324, {8}},
                           {325, {64}}}));
  EXPECT_EQ(error_of("t.tif"), "t.tif: has 186 bytes, too few for its 1 tiles of 1073741824 bytes");
  write("t.tif", raw_tiff({{256, {4}},
                           {257, {4}},
                           {258, {8}},
                           {259, {7}},
                           {262, {1}},
                           {273, {8}},
                           {278, {4}},
                           {279, {16}}}));
  EXPECT_EQ(error_of("t.tif"),
            "t.tif: is compressed by method 7; expected none, PackBits, LZW or Deflate");
}

}  // namespace
}  // namespace widephase::tools
